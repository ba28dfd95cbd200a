/* SPDX-License-Identifier: MIT
 *
 * sim/fabric/fabric.h: the networks between clusters and LLC slices as the machine sees them:
 * packets go in at one endpoint and are taken out, in order of arrival, at another. Behind it is
 * either the network engine (sim/net/net.h) on the networks of the design, or an idealised crossbar
 * as in GPGPU-Sim's local interconnect: every packet crosses in one cycle whatever its length, each
 * output takes one packet per cycle, round robin, and an input may feed several outputs at once;
 * or, with `is_serial`, one flit per cycle through every input and output, as a real crossbar
 * would; or one router with its buffers (sim/fabric/switch.h). Endpoints are numbered as in
 * noc/graph.h: cluster ports first, then slices. */
#ifndef CW_SIM_FABRIC_FABRIC_H
#define CW_SIM_FABRIC_FABRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "noc/graph.h"
#include "sim/events.h"

struct arena;
struct buf;
struct err;
struct fabric;
struct net;
struct packet_merge_params;
struct router_params;

#define FABRIC_NONE UINT32_MAX

struct fabric_params {
    uint32_t n_ports, n_slices;
    /* the engine; request NULL: the idealised crossbar */
    const struct noc *request, *reply; /* reply NULL: request carries both */
    const struct router_params *router[2];
    uint32_t start; /* see struct net_params */
    const uint16_t *channel_cycles[2];
    const uint8_t *traversal_extra[2]; /* as struct net_params */
    uint32_t extra_alloc[2];
    const struct packet_merge_params *merge;
    uint32_t source_depth; /* packets waiting at an endpoint */
    uint32_t sink_depth;   /* packets an endpoint holds that were not taken yet */
    /* the crossbar */
    uint32_t depth, cycles;
    bool is_serial;
    /* or one router (sim/fabric/switch.h): depth is that of its buffers */
    bool is_switch;
    uint32_t source_flits, sink_flits;
    uint64_t seed, watchdog_cycles;
    bool verify;
};

struct fabric *fabric_new(const struct fabric_params *p, struct arena *mem, struct err *err);

struct fabric_packet {
    uint32_t src, dst; /* endpoints */
    uint32_t v;        /* what comes out again */
    uint16_t flits;
    uint32_t bytes;     /* of it that carry something, header included; 0: all */
    uint64_t merge_key; /* 0: never merged in a router */
    bool is_unanswered; /* a request that no reply follows */
};

bool fabric_can_send(const struct fabric *f, enum noc_dir dir, uint32_t src, uint16_t flits);
void fabric_send(struct fabric *f, enum noc_dir dir, const struct fabric_packet *p);

/* The oldest packet that arrived at an endpoint, or FABRIC_NONE; taking it makes room. */
uint32_t fabric_top(const struct fabric *f, enum noc_dir dir, uint32_t dst);
uint32_t fabric_take(struct fabric *f, enum noc_dir dir, uint32_t dst);
/* Bit set over endpoints at which packets wait. */
const uint64_t *fabric_arrived(const struct fabric *f, enum noc_dir dir);

/* One cycle of both networks. False: fabric_problem says what is wrong. */
bool fabric_step(struct fabric *f);
void fabric_problem(const struct fabric *f, struct buf *out);

bool fabric_is_idle(const struct fabric *f); /* nothing in flight; arrived packets do not count */
uint64_t fabric_next_busy(const struct fabric *f); /* network cycle, or UINT64_MAX */
void fabric_skip_to(struct fabric *f, uint64_t cycle);

struct fabric_counts {
    uint64_t packets, flits;
    uint64_t mergeable, in_big; /* that arrived with a merge key; of them in a big packet */
};
/* The statistics of these counts, `c`, and of the request network's totals, `n` (sim/counters.h).
 */
/* clang-format off */
#define PACKET_MERGE_STATS(X) \
    X(FACT, g->cfg.merge && net, has_packet_merge, "", "1: routers merge packets") \
    X(HIDDEN_AT, c[0].mergeable + c[1].mergeable, mergeable, "", "packets that arrived with a merge key") \
    X(HIDDEN_AT, c[0].in_big + c[1].in_big, in_big, "", "of them in a merged packet") \
    X(VALUE, packet_merge_probability, "", "share of read requests that reach the LLC inside a merged packet", "", RATE(t->in_big, t->mergeable)) \
    X(COUNT_AT, n.merged, packets_merged, "", "read requests, or merged packets, that joined another one in a router", "") \
    X(COUNT_AT, n.held, packets_held, "", "times a packet was put into a router's merge table and began to wait", "") \
    X(HIDDEN_AT, n.hold_cycles, hold_cycles, "NoC cycle", "of all requests in merge tables") \
    X(VALUE, packet_hold_cycles, "cycle", "network cycles a read request waits in merge tables on its way", "", RATE(t->hold_cycles, t->mergeable))

#define FABRIC_STATS(X) \
    X(COUNT_AT, c[0].packets, pkts_core_to_mem, "", "packets into the request network", "") \
    X(COUNT_AT, c[1].packets, pkts_mem_to_core, "", "packets into the reply network", "") \
    X(COUNT_AT, c[0].flits, flits_core_to_mem, "", "flits into the request network", "") \
    X(COUNT_AT, c[1].flits, flits_mem_to_core, "", "flits into the reply network", "") \
    X(COUNT_AT, g->bytes[0], bytes_core_to_mem, "B", "bytes of those packets, headers included", "") \
    X(COUNT_AT, g->bytes[1], bytes_mem_to_core, "B", "bytes of those packets, headers included", "") \
    X(NAMED_VALUE, request_flits_per_cycle, "flits_per_cycle.request", "flit/cycle", "flits per network cycle into the request network", "", RATE(t->flits_core_to_mem, t->noc_cycles)) \
    X(NAMED_VALUE, reply_flits_per_cycle, "flits_per_cycle.reply", "flit/cycle", "flits per network cycle into the reply network", "", RATE(t->flits_mem_to_core, t->noc_cycles))
/* clang-format on */
struct fabric_counts fabric_counts(const struct fabric *f, enum noc_dir dir);
/* What an endpoint has sent, or what was sent to it. Not of the engine, which counts itself. */
struct fabric_end {
    uint64_t flits, bytes; /* bytes: that carry something */
};
struct fabric_end fabric_end(const struct fabric *f, enum noc_dir dir, uint32_t endpoint,
                             bool is_source);
struct net *fabric_net(const struct fabric *f, enum noc_dir dir); /* NULL: the crossbar */

#endif
