/* SPDX-License-Identifier: MIT */
#include "sim/trace/synth.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/bits.h"
#include "base/err.h"
#include "base/near.h"
#include "base/rng.h"

enum pattern { STREAM, STRIDED, STENCIL, TABLE, CHASE, RANDOM };

const char *const synth_patterns[] = {"stream", "strided", "stencil", "table",
                                      "chase",  "random",  NULL};

/* Static instructions. Registers: 1 address, 2..6 loaded, 7 sum, 8 index. */
enum {
    S_START,
    S_ADDRESS,
    S_LOAD,
    S_LOAD5 = S_LOAD,
    S_COMPUTE = S_LOAD + 5,
    S_BRANCH,
    S_STORE,
    S_EXIT,
    STATICS
};

struct source {
    struct synth_params p;
    enum pattern pattern;
    struct trace_kernel kernel;
    struct trace_static statics[STATICS];
    uint32_t insts_per_warp, addresses_per_warp, loads_per_round;
};

#define READ_BASE ((uint64_t)0x10000000)
#define WRITE_BASE ((uint64_t)0x4000000000)

static void make_statics(struct source *s)
{
    struct trace_static *t = s->statics;
    uint8_t bytes = (uint8_t)s->p.bytes;
    for (uint32_t i = 0; i < STATICS; i++)
        t[i] = (struct trace_static){.pc = 16 * i, .cls = TC_INT};
    t[S_START].n_dst = 1;
    t[S_START].dst[0] = 8;
    t[S_ADDRESS].n_dst = t[S_ADDRESS].n_src = 1;
    t[S_ADDRESS].dst[0] = 1;
    t[S_ADDRESS].src[0] = 8;
    for (uint8_t i = 0; i < 5; i++) {
        struct trace_static *l = &t[S_LOAD + i];
        *l = (struct trace_static){.pc = 16 * (S_LOAD + i),
                                   .cls = TC_LOAD,
                                   .space = TS_GLOBAL,
                                   .access_bytes = bytes,
                                   .n_dst = 1,
                                   .n_src = 1};
        l->dst[0] = (uint8_t)(2 + i);
        l->src[0] = s->pattern == CHASE ? 2 : 1;
    }
    t[S_COMPUTE].cls = TC_FP32;
    t[S_COMPUTE].n_dst = 1;
    t[S_COMPUTE].dst[0] = 7;
    t[S_COMPUTE].n_src = 2;
    t[S_COMPUTE].src[0] = 7;
    t[S_COMPUTE].src[1] = 2;
    t[S_BRANCH].cls = TC_BRANCH;
    t[S_STORE] = (struct trace_static){
        .pc = 16 * S_STORE, .cls = TC_STORE, .space = TS_GLOBAL, .access_bytes = bytes, .n_src = 2};
    t[S_STORE].src[0] = 1;
    t[S_STORE].src[1] = 7;
    t[S_EXIT].cls = TC_EXIT;
}

/* The address lane `lane` of a warp reads in a round (which of the loads: `k`). */
static uint64_t address_of(const struct source *s, uint32_t cta, uint32_t warp, uint32_t round,
                           uint32_t k, uint32_t lane)
{
    const struct synth_params *p = &s->p;
    uint32_t warps = s->kernel.warps_per_cta;
    uint64_t w = (uint64_t)cta * warps + warp, all = (uint64_t)p->ctas * warps;
    uint64_t line = p->bytes * TRACE_LANES;
    switch (s->pattern) {
    case STREAM: return READ_BASE + (round * all + w) * line + (uint64_t)lane * p->bytes;
    case STRIDED: return READ_BASE + ((round * all + w) * TRACE_LANES + lane) * (uint64_t)p->stride;
    case STENCIL: {
        uint64_t columns = p->columns, row = w / (columns / TRACE_LANES) + 1 + round;
        uint64_t column = w % (columns / TRACE_LANES) * TRACE_LANES + lane + 1;
        static const int dx[5] = {0, -1, 1, 0, 0}, dy[5] = {0, 0, 0, -1, 1};
        uint64_t pitch = (columns + TRACE_LANES) * p->bytes;
        return READ_BASE + (row + (uint64_t)dy[k]) * pitch + (column + (uint64_t)dx[k]) * p->bytes;
    }
    case TABLE: {
        uint64_t lines = p->footprint / line ? p->footprint / line : 1;
        return READ_BASE + (round + warp * lines / (warps ? warps : 1)) % lines * line +
               (uint64_t)lane * p->bytes;
    }
    case CHASE: {
        uint64_t n = p->footprint / p->stride ? p->footprint / p->stride : 1;
        return READ_BASE + (w * p->rounds + round) % n * p->stride;
    }
    case RANDOM: {
        uint64_t n = p->footprint / p->bytes ? p->footprint / p->bytes : 1;
        uint64_t key = ((w * p->rounds + round) * TRACE_LANES + lane) ^ p->seed << 40;
        return READ_BASE + rng_mix(key) % n * p->bytes;
    }
    }
    return READ_BASE;
}

struct fill {
    struct trace_inst *insts;
    uint64_t *addresses;
    uint32_t n, n_addresses;
};

static void put(struct fill *f, uint32_t stat, uint32_t mask, uint32_t n_addresses)
{
    f->insts[f->n++] = (struct trace_inst){.mask = mask,
                                           .stat = (uint16_t)stat,
                                           .n_addresses = (uint16_t)n_addresses,
                                           .first_address = f->n_addresses};
}

static void fill_warp(const struct source *s, struct fill *f, uint32_t cta, uint32_t warp)
{
    uint32_t lanes = s->pattern == CHASE ? 1 : TRACE_LANES;
    uint32_t mask = lanes == 1 ? 1 : UINT32_MAX;
    put(f, S_START, mask, 0);
    for (uint32_t r = 0; r < s->p.rounds; r++) {
        if (s->pattern != CHASE)
            put(f, S_ADDRESS, mask, 0);
        for (uint32_t k = 0; k < s->loads_per_round; k++) {
            put(f, S_LOAD + k, mask, lanes);
            for (uint32_t l = 0; l < lanes; l++)
                f->addresses[f->n_addresses++] = address_of(s, cta, warp, r, k, l);
        }
        for (uint32_t c = 0; c < s->p.compute; c++)
            put(f, S_COMPUTE, mask, 0);
        if (s->pattern != CHASE)
            put(f, S_BRANCH, mask, 0);
    }
    if (s->p.stores) {
        uint64_t w = (uint64_t)cta * s->kernel.warps_per_cta + warp;
        for (uint32_t i = 0; i < s->p.stores; i++) {
            put(f, S_STORE, mask, lanes);
            for (uint32_t l = 0; l < lanes; l++)
                f->addresses[f->n_addresses++] =
                    WRITE_BASE + ((w * s->p.stores + i) * TRACE_LANES + l) * s->p.bytes;
        }
    }
    put(f, S_EXIT, mask, 0);
}

static bool load_cta(const struct trace_source *src, uint32_t kernel, uint32_t cta,
                     struct trace_cta *out, struct err *err)
{
    const struct source *s = src->ctx;
    (void)kernel;
    uint32_t warps = s->kernel.warps_per_cta;
    size_t n_warps = warps * sizeof(struct trace_warp);
    size_t n_addr = (size_t)warps * s->addresses_per_warp * sizeof(uint64_t);
    size_t n_inst = (size_t)warps * s->insts_per_warp * sizeof(struct trace_inst);
    char *room = malloc(n_warps + n_addr + n_inst + 1);
    if (!room)
        return err_add(err, ERR_MACHINE, NOWHERE, "out of memory");
    struct trace_warp *w = (struct trace_warp *)(void *)room;
    struct fill f = {.addresses = (uint64_t *)(void *)(room + n_warps),
                     .insts = (struct trace_inst *)(void *)(room + n_warps + n_addr)};
    for (uint32_t i = 0; i < warps; i++) {
        uint32_t first = f.n;
        fill_warp(s, &f, cta, i);
        w[i] = (struct trace_warp){f.insts + first, f.n - first};
    }
    *out = (struct trace_cta){
        .id = cta, .n_warps = warps, .warps = w, .addresses = f.addresses, .owner = room};
    return true;
}

static void free_cta(const struct trace_source *src, struct trace_cta *cta)
{
    (void)src;
    free(cta->owner);
    cta->owner = NULL;
}

static void close_source(struct trace_source *src)
{
    src->ctx = NULL;
}

static bool find_pattern(const char *pattern, struct arena *mem, size_t *n, struct err *err)
{
    for (*n = 0; synth_patterns[*n]; (*n)++) {
        if (strcmp(synth_patterns[*n], pattern) == 0)
            return true;
    }
    const char *near = near_hint(pattern, synth_patterns, *n, mem);
    return err_add(err, ERR_INPUT, NOWHERE, "there is no pattern '%s'%s", pattern, near);
}

bool trace_synth_known(const char *pattern, struct arena *mem, struct err *err)
{
    size_t n;
    return find_pattern(pattern, mem, &n, err);
}

bool trace_synth_open(const char *pattern, const struct synth_params *params, struct arena *mem,
                      struct trace_source *out, struct err *err)
{
    size_t n;
    if (!find_pattern(pattern, mem, &n, err))
        return false;
    struct source *s = arena_new(mem, struct source);
    s->p = *params;
    s->pattern = (enum pattern)n;
    if (s->pattern == STENCIL && params->columns % TRACE_LANES)
        return err_add(err, ERR_INPUT, (struct where){NULL, 0, "synth.columns"},
                       "%u is not a multiple of 32", params->columns);
    s->loads_per_round = s->pattern == STENCIL ? 5 : 1;
    uint32_t lanes = s->pattern == CHASE ? 1 : TRACE_LANES, extra = s->pattern == CHASE ? 0 : 2;
    s->insts_per_warp =
        2 + params->rounds * (s->loads_per_round + params->compute + extra) + params->stores;
    s->addresses_per_warp = (params->rounds * s->loads_per_round + params->stores) * lanes;
    uint32_t warps = (uint32_t)bits_ceil_div(params->threads, TRACE_LANES);
    make_statics(s);
    uint64_t insts = (uint64_t)params->ctas * warps * s->insts_per_warp;
    s->kernel = (struct trace_kernel){.name = arena_strdup(mem, pattern),
                                      .grid = {params->ctas, 1, 1},
                                      .block = {warps * TRACE_LANES, 1, 1},
                                      .n_ctas = params->ctas,
                                      .warps_per_cta = warps,
                                      .regs_per_thread = 16,
                                      .statics = s->statics,
                                      .n_statics = STATICS,
                                      .n_warp_insts = insts,
                                      .n_thread_insts = insts * lanes};
    uint64_t hash = rng_mix(n);
    const uint64_t parts[] = {params->ctas,    params->threads, params->rounds, params->compute,
                              params->stores,  params->bytes,   params->stride, params->footprint,
                              params->columns, params->seed};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        hash = rng_mix(hash ^ parts[i]);
    *out = (struct trace_source){.name = arena_printf(mem, "synth:%s", pattern),
                                 .file = "synthetic",
                                 .kernels = &s->kernel,
                                 .n_kernels = 1,
                                 .identity = hash,
                                 .load_cta = load_cta,
                                 .free_cta = free_cta,
                                 .close = close_source,
                                 .ctx = s};
    return true;
}
