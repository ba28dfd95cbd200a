/* SPDX-License-Identifier: MIT
 *
 * sim/net/net.h: the network engine. One engine simulates every network that noc/ can describe,
 * cycle by cycle: input-queued wormhole routers with virtual channels and credits. It is used alone
 * (sim/traffic/traffic.h, `crosswatt net`) and inside the GPU simulator.
 *
 * One cycle is one call of net_step. Before it the owner offers packets with net_inject (they may
 * start to move in the coming cycle) and after it looks at net_delivered. All memory is taken in
 * net_new; nothing is allocated while cycles run. A net has no shared state: many can run at once.
 *
 * Limits: 512 ports per router, 64 VCs per port, 64 flits per packet, 16 route classes, 2^24
 * packets in flight. */
#ifndef CW_SIM_NET_NET_H
#define CW_SIM_NET_NET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "noc/graph.h"
#include "sim/events.h"
#include "sim/params.h"

struct arena;
struct buf;
struct err;
struct net;

#define NET_MAX_PORTS 512u
#define NET_MAX_VCS 64u
#define NET_MAX_FLITS 64u
#define NET_NEVER UINT64_MAX

/* Packet coalescing (sim/net/packet_merge.c): cycles for which router t (from 1) on a path of
 * `path` routers holds a packet. Pure. */
uint32_t net_merge_delay(enum merge_slack slack, uint32_t per_hop, uint32_t t, uint32_t path);

struct net_allocator {
    enum router_allocator kind;
    enum router_arbiter arbiter; /* iSLIP has its own */
    uint32_t iterations;
};

struct net_params {
    const struct router_params *router;
    const uint16_t *channel_cycles; /* [channel] cycles on the wire, at least 1; NULL: 1 each */
    const uint8_t *traversal_extra; /* [channel] cycles of the switch in front of it, pipelined,
                                       beyond the router's; NULL: none */
    uint32_t extra_alloc;           /* added to the router's */
    uint32_t source_depth;          /* packets an endpoint's source queue holds; 0: 1 */
    uint32_t max_packets; /* in flight, source queues included; 0: as many as buffers can hold */
    uint32_t max_flits;   /* longest packet; 0: NET_MAX_FLITS */
    uint64_t seed;        /* random selection of output ports */
    uint32_t start;       /* where arbiters and VCs begin, which is arbitrary; 0: at the first */
    uint64_t
        watchdog_cycles;  /* report when nothing moved for so long with flits in flight; 0: never */
    bool verify;          /* check every invariant every cycle */
    bool keep_flit_times; /* per-flit latency wanted (net_totals) */
    const struct packet_merge_params *merge; /* NULL: none */

    /* what BookSim2's files can say besides; all zero: as struct router_params */
    const struct net_allocator *vc_allocator; /* NULL: as the switch allocator */
    double internal_speedup;                  /* 0: as router->internal_speedup */
    bool hold_switch;       /* a packet keeps its way through the switch while it has flits */
    bool wait_tail_credit;  /* an output VC is free again when all its credits are back */
    bool vc_busy_when_full; /* a VC without credits is not asked for */
    uint32_t output_buffer; /* flits behind the switch; 0: unlimited */
    bool general;           /* evaluate routers with net_full.c even where net_fast.c could */
};

struct net_packet {
    uint32_t src, dst;  /* endpoint indices */
    uint16_t flits;     /* 1..max_flits */
    uint8_t cls;        /* route class it starts with: noc_first_class */
    uint32_t bytes;     /* of it that carry something; 0: all */
    uint64_t tag;       /* the owner's; comes back unchanged */
    uint64_t created;   /* cycle from which its latency counts */
    uint64_t merge_key; /* 0: never held or merged; else MC, bank and row of a read request */
};

struct net_delivery {
    uint32_t src, dst;
    uint16_t flits;
    uint16_t hops;  /* routers it went through */
    uint8_t cls;    /* as given to net_inject */
    bool is_merged; /* arrived inside a big packet */
    uint64_t tag;
    uint64_t created, injected, head_arrived, arrived; /* cycles; arrived is the tail's */
    uint64_t merge_key;                                /* as given to net_inject */
};

/* ---- make ------------------------------------------------------------------------------------ */

/* `noc` must outlive the net. Errors: what the router cannot do (too many ports, unknown names). */
struct net *net_new(const struct noc *noc, const struct net_params *params, struct arena *mem,
                    struct err *err);

/* ---- run ------------------------------------------------------------------------------------- */

/* Puts a packet into its source's queue. False: the queue (or the packet pool) is full; try again
 * later. A packet offered before step t can be injected in cycle t. */
bool net_inject(struct net *net, const struct net_packet *packet);
bool net_can_inject(const struct net *net, uint32_t src);

/* While held, an endpoint takes no flit off the network: credits run out and packets wait. */
void net_hold(struct net *net, uint32_t endpoint, bool hold);

/* One cycle. False: an invariant is broken or nothing moves; net_problem says what, and packets
 * are named. A net that has failed must not be stepped again. */
bool net_step(struct net *net);
void net_problem(const struct net *net, struct buf *out);

/* Packets whose tail arrived in the last step, in the order of their endpoints (a big packet's
 * requests in the order in which they joined). Valid until the next step. */
const struct net_delivery *const *net_delivered(const struct net *n, size_t *count);

/* ---- ask ------------------------------------------------------------------------------------- */

uint64_t net_cycle(const struct net *net); /* the cycle that the next step simulates */
bool net_is_idle(const struct net *net);   /* no packet anywhere, source queues included */

bool net_is_quiet(const struct net *net); /* idle, and all credits are back */

/* The next cycle in which anything can happen without a new packet; NET_NEVER when idle. */
uint64_t net_next_busy(const struct net *net);
/* Jumps over cycles in which nothing happens; `cycle` must not be beyond net_next_busy. */
void net_skip_to(struct net *net, uint64_t cycle);

/* Adds the events of a router or channel since the start: counts[EV_BUF_WRITE] += … */
void net_router_counts(const struct net *net, uint32_t router, uint64_t counts[EV_COUNT]);
void net_channel_counts(const struct net *net, uint32_t channel, uint64_t counts[EV_COUNT]);

struct net_totals {
    uint64_t packets_injected, packets_delivered; /* injected: the head has left the source */
    uint64_t flits_injected, flits_delivered;
    uint64_t flit_hops;      /* buffer writes in routers */
    uint64_t flits_buffered; /* now, in router buffers */
    /* with keep_flit_times, since net_clear_flit_times */
    uint64_t flit_latency_n, flit_latency_sum, flit_latency_min, flit_latency_max;
    uint64_t merged, held; /* packets that joined another one; that waited in a merge table */
    uint64_t merge_searches, merge_writes, merge_reads;
    uint64_t hold_cycles; /* of all requests in merge tables */
};
void net_get_totals(const struct net *net, struct net_totals *out);
void net_clear_flit_times(struct net *net);
/* Flits handed to an endpoint since the start. */
uint64_t net_endpoint_flits(const struct net *net, uint32_t endpoint);

const struct noc *net_noc(const struct net *net);
/* For the mean latency of what is still under way: the flits of packets in the network or at the
 * head of a source queue, and the sum of their packets' ages at `now`. */
void net_ages(const struct net *net, uint64_t now, double *ages, uint64_t *flits);

/* ---- check ----------------------------------------------------------------------------------- */

/* For a test: visit routers in an order shuffled by `seed` in every phase. Changes no result. */
void net_shuffle(struct net *net, uint64_t seed);

#endif
