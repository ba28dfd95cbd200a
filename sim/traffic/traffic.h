/* SPDX-License-Identifier: MIT
 *
 * sim/traffic/traffic.h: synthetic traffic for the network engine, and its measurement. A run owns
 * one or two networks (two: requests and replies are physically separate) whose endpoints have
 * equal numbers.
 *
 * Sources are infinite but lazy, as BookSim2's: the points in time at which packets are created do
 * not depend on the network; a packet enters the network's one-packet source queue when the one
 * before it has left, and its latency counts from its creation. */
#ifndef CW_SIM_TRAFFIC_TRAFFIC_H
#define CW_SIM_TRAFFIC_TRAFFIC_H

#include "base/stat.h"
#include "sim/net/net.h"

enum traffic_pattern {
    TRAFFIC_UNIFORM,   /* any destination, the source included */
    TRAFFIC_TRANSPOSE, /* the halves of the node number's bits are exchanged */
    TRAFFIC_BITCOMP,
    TRAFFIC_BITREV,
    TRAFFIC_SHUFFLE,
    TRAFFIC_TORNADO,    /* half way round in every dimension */
    TRAFFIC_NEIGHBOR,   /* one further in every dimension */
    TRAFFIC_ASYMMETRIC, /* source mod N/2, plus N/2 with probability 1/2 */
    TRAFFIC_HOTSPOT,    /* one of the listed nodes, by weight */
    TRAFFIC_TABLE,      /* one destination per source, from a list */
};

enum traffic_type { /* of a message, as BookSim2 tells them apart */
                    MSG_ANY,
                    MSG_READ_REQUEST,
                    MSG_WRITE_REQUEST,
                    MSG_READ_REPLY,
                    MSG_WRITE_REPLY,
                    MSG_TYPES
};

struct traffic_event { /* of a packet trace */
    uint64_t cycle;
    uint32_t src, dst;
    uint16_t flits;
};

struct traffic_params {
    uint32_t nodes;
    enum traffic_pattern pattern;
    uint32_t k, n;           /* digits of node numbers: tornado, neighbour */
    const uint32_t *targets; /* hotspot: nodes; table: [source] */
    const uint32_t *weights; /* hotspot; NULL: equal */
    uint32_t n_targets;
    const bool *injects; /* [node]; NULL: all */

    double
        rate; /* packets (with requests and replies: transactions) per injecting node and cycle */
    bool on_off; /* bursts: on with probability alpha, off again with beta, burst_rate while on */
    double alpha, beta, burst_rate;
    const uint16_t *sizes; /* flits; drawn by size_weights */
    const uint32_t *size_weights;
    uint32_t n_sizes;

    bool request_reply;
    uint16_t type_flits[MSG_TYPES];
    uint8_t type_net[MSG_TYPES], type_class[MSG_TYPES];
    double write_fraction;
    uint32_t outstanding; /* requests a node may have open; 0: no limit */

    uint32_t batch;                    /* packets per node, then it ends; 0: open loop */
    const struct traffic_event *trace; /* in the order of cycles; replaces all of the above */
    size_t n_trace;
    bool booksim; /* draw as BookSim2 does: its generators, its order (sim/traffic/booksim_rules.c)
                   */
    bool use_noc_classes; /* route classes from noc_first_class instead of type_class */
    uint64_t seed;
};

/* Phases of a measurement, in BookSim2's terms. */
struct traffic_phases {
    uint32_t sample_period, warmup_periods, max_samples;
    bool measure_latency; /* false: throughput only, nothing is drained */
    double latency_limit, stop_change, accepted_stop_change, warm_change, accepted_warm_change;
};

struct traffic_result {
    bool converged;   /* steady: below the latency limit and settled within the samples */
    uint64_t cycles;  /* simulated in all */
    uint64_t packets; /* measured */
    uint32_t nodes, injecting;
    double offered;                                  /* flits per injecting node and cycle */
    double accepted_avg, accepted_min, accepted_max; /* flits per node and cycle */
    double packet_avg, packet_min, packet_max, packet_p50, packet_p95, packet_p99, packet_half95;
    double network_avg, network_min, network_max;
    double source_avg; /* in the source queue */
    double flit_avg, flit_min, flit_max;
    double hops_avg;
    uint64_t batch_cycles;
    uint64_t flits_delivered, flits_injected, flit_hops;
    double vc_occupancy; /* mean flits in a router VC buffer, share of its depth */
};

struct traffic;

struct traffic *traffic_new(struct net *const *nets, uint32_t n_nets,
                            const struct traffic_params *params, struct arena *mem,
                            struct err *err);

/* Called for every delivered packet when set; `serial` numbers packets by creation. */
typedef void traffic_watch(void *ctx, const struct net_delivery *packet, uint64_t serial);
void traffic_set_watch(struct traffic *t, traffic_watch *watch, void *ctx);

/* Each simulates and fills `out`; false: a network failed (net_problem) and `err` says so. */
bool traffic_run_phases(struct traffic *t, const struct traffic_phases *phases,
                        struct traffic_result *out, struct err *err);
bool traffic_run_batch(struct traffic *t, struct traffic_result *out, struct err *err);
/* Exactly `cycles` cycles, measured after the first `warmup`. */
bool traffic_run_cycles(struct traffic *t, uint64_t warmup, uint64_t cycles,
                        struct traffic_result *out, struct err *err);

/* Where a source's packets go, or UINT32_MAX when that is drawn. */
uint32_t traffic_fixed_target(const struct traffic_params *p, uint32_t source);

#endif
