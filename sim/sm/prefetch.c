/* SPDX-License-Identifier: MIT */
#include "sim/sm/prefetch.h"

#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "sim/sm/sm.h"

/* Grows with the largest CTA that its slot held. */
struct prefetch_streams {
    struct trace_inst *insts;
    uint64_t *addresses;
    uint32_t first[TRACE_MAX_WARPS], n[TRACE_MAX_WARPS];
    uint32_t n_insts, n_addresses; /* in use */
    uint32_t cap_insts, cap_addresses;
};

static bool is_fetched(const struct trace_static *s, const struct trace_inst *in)
{
    return s->cls == TC_LOAD && s->space == TS_GLOBAL && !(s->flags & (TF_PRIVATE | TF_BY_SM)) &&
           in->n_addresses;
}

/* Instructions and addresses of the streams, at most. */
static void room_for(struct gpu *g, struct prefetch_streams *p, const struct trace_cta *own,
                     uint32_t n_own, uint32_t each)
{
    uint64_t insts = 0, addresses = n_own;
    for (uint32_t w = 0; w < own->n_warps; w++) {
        insts += own->warps[w].n_insts + each * (1 + g->cfg.cta->clustering.prefetch_insts);
        addresses += (uint64_t)each * TRACE_LANES;
    }
    if (insts > p->cap_insts) {
        p->cap_insts = (uint32_t)(insts * 2);
        p->insts = arena_many(g->mem, struct trace_inst, p->cap_insts);
    }
    if (addresses > p->cap_addresses) {
        p->cap_addresses = (uint32_t)(addresses * 2);
        p->addresses = arena_many(g->mem, uint64_t, p->cap_addresses);
    }
}

static void add(struct prefetch_streams *p, struct trace_inst in)
{
    p->insts[p->n_insts++] = in;
}

/* One warp: its own instructions, the prefetches, its exit. */
static void join(const struct launch *l, struct prefetch_streams *p, const struct trace_warp *own,
                 const struct trace_cta *next, uint32_t w)
{
    const struct cta_clustering_params *c = &l->cta.clustering;
    uint32_t n = own->n_insts, left = c->prefetch;
    bool has_exit = n && l->statics[own->insts[n - 1].stat].cls == TC_EXIT;
    p->first[w] = p->n_insts;
    if (n)
        memcpy(p->insts + p->n_insts, own->insts, (n - has_exit) * sizeof *own->insts);
    p->n_insts += n - has_exit;
    for (uint32_t i = 0; w < next->n_warps && i < next->warps[w].n_insts && left; i++) {
        const struct trace_inst *in = &next->warps[w].insts[i];
        if (!is_fetched(&l->statics[in->stat], in))
            continue;
        for (uint32_t k = 0; k < c->prefetch_insts; k++)
            add(p, (struct trace_inst){.mask = in->mask, .stat = (uint16_t)(2 * l->k->n_statics)});
        add(p, (struct trace_inst){.mask = in->mask,
                                   .stat = (uint16_t)(l->k->n_statics + in->stat),
                                   .n_addresses = in->n_addresses,
                                   .first_address = p->n_addresses});
        memcpy(p->addresses + p->n_addresses, next->addresses + in->first_address,
               in->n_addresses * sizeof *p->addresses);
        p->n_addresses += in->n_addresses;
        left--;
    }
    if (has_exit)
        add(p, own->insts[n - 1]);
    p->n[w] = p->n_insts - p->first[w];
}

static uint32_t count_addresses(const struct trace_cta *t)
{
    uint32_t n = 0;
    for (uint32_t w = 0; w < t->n_warps; w++)
        for (uint32_t i = 0; i < t->warps[w].n_insts; i++) {
            const struct trace_inst *in = &t->warps[w].insts[i];
            uint32_t end = in->n_addresses ? in->first_address + in->n_addresses : 0;
            n = end > n ? end : n;
        }
    return n;
}

bool sm_add_prefetches(struct sm *sm, struct cta_slot *c, uint32_t next_cta)
{
    struct gpu *g = sm->gpu;
    const struct launch *l = &g->launches[c->launch];
    struct trace_cta next;
    if (!l->src->load_cta(l->src, l->kernel, next_cta, &next, g->err)) {
        g->has_failed = true;
        return false;
    }
    if (!c->more)
        c->more = arena_new(g->mem, struct prefetch_streams);
    struct prefetch_streams *p = c->more;
    uint32_t n = count_addresses(&c->trace);
    p->n_insts = 0;
    p->n_addresses = n;
    room_for(g, p, &c->trace, n, l->cta.clustering.prefetch);
    if (n)
        memcpy(p->addresses, l->has_private ? c->placed : c->trace.addresses,
               n * sizeof *p->addresses);
    for (uint32_t w = 0; w < c->trace.n_warps; w++)
        join(l, p, &c->trace.warps[w], &next, w);
    l->src->free_cta(l->src, &next);
    c->has_prefetches = true;
    return true;
}

void sm_prefetch_stream(const struct cta_slot *c, uint32_t index, struct warp *warp)
{
    warp->insts = c->more->insts + c->more->first[index];
    warp->n = c->more->n[index];
    warp->addresses = c->more->addresses;
}
