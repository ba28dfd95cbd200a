/* SPDX-License-Identifier: MIT
 *
 * gen/net/alone.h: stand-alone runs of a configuration's networks, for `crosswatt net`.
 *
 * Traffic among equal nodes (uniform, transpose, …) runs on a network of plain nodes with the shape
 * of the configuration's: mesh columns x rows, k-ary n-fly, one crossbar with a port for each SM.
 * What the papers' GPUs do (many_to_few, few_to_many, request_reply) runs on the request and the
 * reply network as elaborated, with wires of one cycle or, with --wires model, as long as the
 * floorplan and the clock make them. Shapes without a plain form (S-mesh, Clos, CD-Xbar, custom)
 * take "uniform" as many_to_few. */
#ifndef CW_GEN_NET_ALONE_H
#define CW_GEN_NET_ALONE_H

#include "gen/design/design.h"
#include "sim/traffic/traffic.h"

struct app;
struct options;

struct net_case { /* one configuration under one kind of traffic; const while it runs */
    const char *name;
    const struct arch *arch;
    const struct design *design;
    const struct noc *nocs[2];
    const uint16_t *cycles[2];         /* [channel] */
    const uint8_t *traversal_extra[2]; /* [channel]; NULL: none */
    uint32_t extra_alloc[2];
    uint32_t n_nets;
    struct traffic_params traffic; /* rate and seed are set by each run */
    double mean_flits;             /* of a packet; of a transaction for request_reply */
    uint32_t n_injecting;
    uint64_t watchdog_cycles;
};

struct net_request { /* what the command line asks for */
    const char *traffic, *permutation, *trace;
    double rate, writes, alpha, beta;
    bool bursts, verify, general, allow_cycles, model_wires;
    long long flits, cycles, warmup, seed, outstanding, shuffle, jobs;
};

struct net_point {
    double rate; /* flits per injecting node and cycle */
    struct traffic_result result;
    bool is_steady;             /* converged, and accepted what was offered */
    uint64_t *channel_flits[2]; /* [channel], when asked for */
};

/* The network of a description, and the traffic that is asked for. */
bool net_case_make(struct app *app, const struct arch *arch, const char *name,
                   const struct net_request *request, struct net_case *out);

/* One load point. Thread-safe: uses only its arguments. */
bool net_case_run(const struct net_case *c, const struct net_request *request, double rate,
                  bool keep_channels, struct arena *mem, struct net_point *out, struct err *err);

/* Picture and table of how busy each channel was. */
void net_write_channels(const struct net_case *c, const struct net_point *p, struct buf *csv);
void net_write_heat(const struct net_case *c, const struct net_point *p, struct buf *svg);

#endif
