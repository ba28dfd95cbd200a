/* SPDX-License-Identifier: MIT
 *
 * sim/net/taps.h: networks without buffers on the way (noc.flow is not NOC_WORMHOLE), the third
 * evaluation behind sim/net/net.h. Packets, sources and sinks are those of engine_impl.h; in place
 * of routers there are taps, of VCs nothing at all. Inside sim/net.
 *
 * A cycle: what has come to the end of its channel is taken on by the tap there, in the same
 * cycle; then new flits take outputs that nothing else takes. A flit comes from its source over the
 * link of the endpoint into a small buffer at the tap, as large as the link and its way back.
 *
 *   NOC_RING   a flit at the tap goes when its output is free: what is under way always wins
 *   NOC_TOKEN  a flit at the tap goes while its column's token is here: a whole packet, if the
 *              queue at its end has room for it. The token carries that room; what queues give
 *              back waits at the foot of the column until the token comes by. It reaches the next
 *              tap above one cycle later; on its way down it stays behind the last flit sent, so
 *              that two packets never meet. At the end the queues of a slice are emptied a packet
 *              at a time, round robin, once the packet's tail is there. */
#ifndef CW_SIM_NET_TAPS_H
#define CW_SIM_NET_TAPS_H

#include "sim/net/engine_impl.h"

bool net_taps_init(struct net *n, const struct net_params *params, struct arena *mem,
                   struct err *err);
void net_taps_step(struct net *n);
bool net_taps_is_quiet(const struct net *n); /* no credit is under way */
uint64_t net_taps_next(const struct net *n); /* as net_next_busy */
void net_taps_skip(struct net *n, uint64_t cycle);
bool net_taps_check(struct net *n); /* flits and the room of queues are conserved */
uint64_t net_taps_buffered(const struct net *n);
void net_taps_router_counts(const struct net *n, uint32_t router, uint64_t counts[EV_COUNT]);
/* Of token and credit wires. */
void net_taps_side_counts(const struct net *n, uint32_t channel, uint64_t counts[EV_COUNT]);

#endif
