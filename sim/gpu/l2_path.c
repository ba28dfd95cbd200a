/* SPDX-License-Identifier: MIT
 *
 * The network between ends that are never idle: warps ask for random lines, eight loads of 512
 * bytes at a time, and wait for all of them; slices hit. Nothing else of the SM is simulated: the
 * microbenchmark (cfg/silicon/bandwidth_l2.cfg) reads 58 to 95 % of it on the designs that were
 * tried, so this is an upper bound. */
#include <math.h>

#include "base/arena.h"
#include "base/rng.h"
#include "sim/fabric/fabric.h"
#include "sim/frame/machine.h"
#include "sim/gpu/gpu.h"
#include "sim/memory/l2.h"
#include "sim/params.h"

#define WARPS 16u      /* of an SM */
#define LOADS 8u       /* of a warp in flight; it waits for all of them */
#define LOAD_BYTES 512 /* 16 a lane */
#define WAITING 512u   /* requests in a slice */
#define TOLD 16u       /* cycles between two words on how far it is */

struct reader { /* a warp */
    uint32_t to_ask, open;
};

struct answering { /* a slice */
    uint64_t bank_free[L2_MAX_BANKS], accesses;
    uint32_t queue[WAITING], first, n; /* warps */
    uint64_t ready[WAITING];           /* tick */
};

struct load {
    struct gpu *g;
    struct rng rng;
    struct answering *slices;
    struct reader *warps;
    uint32_t *last; /* [port] warp that asked; it goes on as long as it can */
    uint32_t per_port, bytes, per_load;
    uint64_t tick, answers; /* tick: of the slices */
};

static uint32_t any_slice(struct load *l, uint32_t port)
{
    const struct gpu *g = l->g;
    const struct noc_halves *h = g->cfg.halves;
    uint32_t s = rng_below(&l->rng, g->n_slices);
    return h && h->of_port[port] != h->of_slice[s] ? h->twin[s] : s;
}

static void answer_arrived(struct load *l, uint32_t i)
{
    struct reader *w = &l->warps[i];
    l->answers++;
    if (--w->open || w->to_ask)
        return;
    w->to_ask = LOADS * l->per_load;
}

static void run_ports(struct load *l)
{
    struct gpu *g = l->g;
    uint16_t flits = machine_flits(g, NOC_REQUEST, 0);
    for (uint32_t p = 0; p < g->n_clusters; p++) {
        if (fabric_top(g->fabric, NOC_REPLY, p) != FABRIC_NONE)
            answer_arrived(l, fabric_take(g->fabric, NOC_REPLY, p));
        struct reader *warps = &l->warps[(size_t)p * l->per_port];
        uint32_t tried = 0;
        while (tried < l->per_port && !warps[l->last[p]].to_ask) {
            l->last[p] = (l->last[p] + 1) % l->per_port;
            tried++;
        }
        uint32_t w = l->last[p];
        if (tried == l->per_port || !fabric_can_send(g->fabric, NOC_REQUEST, p, flits))
            continue;
        fabric_send(g->fabric, NOC_REQUEST,
                    &(struct fabric_packet){.src = p,
                                            .dst = g->n_clusters + any_slice(l, p),
                                            .v = p * l->per_port + w,
                                            .flits = flits});
        warps[w].to_ask--;
        warps[w].open++;
    }
}

static void run_slices(struct load *l)
{
    struct gpu *g = l->g;
    for (uint32_t s = 0; s < g->n_slices; s++) {
        struct answering *a = &l->slices[s];
        uint32_t at = g->n_clusters + s;
        uint64_t *free = &a->bank_free[a->accesses % g->cfg.llc->banks];
        if (a->n == WAITING || fabric_top(g->fabric, NOC_REQUEST, at) == FABRIC_NONE ||
            l->tick < *free) /* an array slower than its clock */
            continue;
        *free = l->tick + g->l2_interval;
        a->accesses++;
        uint32_t last = (a->first + a->n++) % WAITING;
        a->queue[last] = fabric_take(g->fabric, NOC_REQUEST, at);
        a->ready[last] = l->tick + g->l2_latency;
    }
    l->tick++;
}

static void send_answers(struct load *l)
{
    struct gpu *g = l->g;
    uint16_t flits = machine_flits(g, NOC_REPLY, l->bytes);
    for (uint32_t s = 0; s < g->n_slices; s++) {
        struct answering *a = &l->slices[s];
        uint32_t i = a->queue[a->first];
        if (!a->n || a->ready[a->first] > l->tick ||
            !fabric_can_send(g->fabric, NOC_REPLY, g->n_clusters + s, flits))
            continue;
        fabric_send(g->fabric, NOC_REPLY,
                    &(struct fabric_packet){
                        .src = g->n_clusters + s, .dst = i / l->per_port, .v = i, .flits = flits});
        a->first = (a->first + 1) % WAITING;
        a->n--;
    }
}

/* Cycles of another domain, `ratio` for one of the network, that are to be run now. */
static uint32_t due(double *passed, double ratio)
{
    *passed += ratio;
    uint32_t n = (uint32_t)*passed;
    *passed -= n;
    return n;
}

double gpu_l2_path(struct gpu *g, uint32_t warm, uint32_t cycles, gpu_passed_fn tell, void *ctx)
{
    const struct l1_params *l1 = g->cfg.l1;
    const uint64_t *khz = g->cfg.timing->clock_khz;
    struct load l = {.g = g,
                     .bytes = l1->join_sectors ? l1->line_bytes : l1->sector_bytes,
                     .per_port = WARPS * (g->n_sms / g->n_clusters)};
    l.per_load = l.bytes < LOAD_BYTES ? LOAD_BYTES / l.bytes : 1;
    l.slices = arena_many(g->mem, struct answering, g->n_slices);
    l.last = arena_many(g->mem, uint32_t, g->n_clusters);
    l.warps = arena_many(g->mem, struct reader, (size_t)l.per_port * g->n_clusters);
    for (uint32_t i = 0; i < l.per_port * g->n_clusters; i++)
        l.warps[i].to_ask = LOADS * l.per_load;
    rng_seed(&l.rng, g->cfg.sim->seed, "l2_path", 0);
    double core = (double)khz[CLOCK_CORE] / (double)khz[CLOCK_NOC], port = 0;
    double l2 = (double)khz[CLOCK_L2] / (double)khz[CLOCK_NOC], slice = 0;
    uint64_t before = 0;
    for (uint64_t cycle = 0; cycle < warm + (uint64_t)cycles; cycle++) {
        if (cycle == warm)
            before = l.answers;
        if (cycle % TOLD == 0)
            tell(ctx, cycle);
        for (uint32_t n = due(&port, core); n; n--)
            run_ports(&l);
        for (uint32_t n = due(&slice, l2); n; n--)
            run_slices(&l);
        send_answers(&l);
        if (!fabric_step(g->fabric))
            return NAN;
    }
    return (double)(l.answers - before) * l.bytes / cycles;
}
