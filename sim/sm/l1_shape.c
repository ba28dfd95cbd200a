/* SPDX-License-Identifier: MIT
 *
 * What an L1 is made of, and what a kernel leaves of it where shared memory is taken from it. */
#include "sim/sm/l1.h"

#include "base/arena.h"
#include "base/bits.h"
#include "base/err.h"
#include "cache/set_cache.h"
#include "sim/sm/sm.h"

bool l1_init(struct sm *sm, struct arena *mem, struct err *err)
{
    const struct gpu *g = sm->gpu;
    const struct l1_params *p = g->cfg.l1;
    struct tags_params t = {.bytes = p->bytes,
                            .ways = p->ways,
                            .line_bytes = p->line_bytes,
                            .sector_bytes = p->sector_bytes,
                            .index = p->index == L1_INDEX_hashed  ? TAGS_HASHED
                                     : p->index == L1_INDEX_ipoly ? TAGS_IPOLY
                                     : p->index == L1_INDEX_xor   ? TAGS_XOR
                                                                  : TAGS_LINEAR,
                            .parts = p->slot_groups,
                            .dirty_percent = p->dirty_percent};
    if (p->unified_bytes > p->bytes) { /* the sets stay, the ways grow */
        t.ways = (uint32_t)((uint64_t)p->ways * p->unified_bytes / p->bytes);
        t.bytes = p->bytes / p->ways * t.ways;
    }
    if (!tags_init(&sm->l1, &t, mem, err))
        return false;
    sm->l1_ways = sm->l1.ways;
    mshr_init(&sm->mshr, p->mshr_entries, p->mshr_merges, mem);
    uint32_t depth = 1u << bits_clog2(sm->common->l1_lookup);
    for (uint32_t b = 0; b < sm->common->l1_pipes; b++) {
        sm->pipes[b].at = arena_many(mem, struct l1_entry, depth);
        sm->pipes[b].mask = depth - 1;
    }
    ring_init(&sm->misses, "the miss queue of an L1", p->miss_queue + 1, &sm->gpu->bounds,
              mem); /* has_room */
    sm->misses.cap = p->miss_queue;
    ring_init(&sm->responses, "the reply queue of an SM", p->responses, &sm->gpu->bounds, mem);
    return true;
}

/* Unified memory: what shared memory does not take is the L1's. */
void l1_kernel_begin(struct sm *sm, uint32_t shared_bytes)
{
    const struct l1_params *p = sm->gpu->cfg.l1;
    if (!p->unified_bytes)
        return;
    uint64_t carve = p->unified_bytes, kb = 0;
    for (const char *c = p->carve_outs;; c++) {
        if (*c >= '0' && *c <= '9') {
            kb = kb * 10 + (uint64_t)(*c - '0');
            continue;
        }
        if (kb * 1024 >= shared_bytes) {
            carve = kb * 1024;
            break;
        }
        kb = 0;
        if (!*c)
            break;
    }
    uint64_t left = p->unified_bytes > carve ? p->unified_bytes - carve : 0;
    uint64_t most = sm->l1_ways, ways = (most * left * 2 / p->unified_bytes + 1) / 2;
    tags_set_ways(&sm->l1, (uint32_t)(ways ? ways : 1));
}
