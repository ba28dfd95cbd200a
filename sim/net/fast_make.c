/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/bits.h"
#include "sim/net/fast_impl.h"

/* ---- make ------------------------------------------------------------------------------------ */

bool net_fast_can(const struct net *n)
{
    bool vc = n->vc_alloc == ALLOCATOR_separable_output_first
                  ? !n->matrix_vc
                  : n->vc_alloc == ALLOCATOR_islip && n->vc_iterations == 1;
    bool sw = n->sw_alloc == ALLOCATOR_separable_output_first
                  ? !n->matrix_sw
                  : n->sw_alloc == ALLOCATOR_islip && n->sw_iterations == 1;
    return vc && sw && n->depth < 65535 && n->routing_delay <= 1 && n->vc_alloc_delay == 1 &&
           n->sw_alloc_delay == 1 && n->st_delay == 1 && !n->extra_alloc && n->in_speedup == 1 &&
           n->out_speedup == 1 && n->internal_speedup == 1.0 && !n->speculative &&
           !n->hold_switch && !n->wait_tail_credit && !n->vc_busy_when_full &&
           n->output_buffer < 0 && !n->merge && !n->gate_after &&
           !(n->has_unit && n->routing_delay == 0);
}

static void find_ranges(struct net *n, struct net_fast *f)
{
    for (uint32_t c = 0; c < n->noc->n_classes; c++) {
        uint32_t r = 0;
        while (r < f->n_ranges && f->range_mask[r] != n->vc_masks[c])
            r++;
        if (r == f->n_ranges)
            f->range_mask[f->n_ranges++] = n->vc_masks[c];
        f->range_of[c] = (uint8_t)r;
    }
}

/* Where all wires are alike, the list for what is sent now is found once per cycle. */
static void find_same_waits(struct net *n)
{
    uint32_t flit = 0, credit = 0;
    bool same_flit = true, same_credit = true;
    for (uint32_t o = 0; o < n->n_router_oports; o++)
        if (n->oports[o].down != NONE32) {
            same_flit &= !flit || flit == n->oports[o].flit_wait;
            flit = n->oports[o].flit_wait;
        }
    for (uint32_t i = 0; i < n->n_iports; i++)
        if (n->iports[i].up) {
            same_credit &= !credit || credit == n->iports[i].credit_wait;
            credit = n->iports[i].credit_wait;
        }
    n->same_flit_wait = same_flit ? flit : 0;
    n->same_credit_wait = same_credit ? credit : 0;
}

bool net_fast_init(struct net *n, struct arena *mem, struct err *err)
{
    (void)err;
    struct net_fast *f = n->fast = arena_new(mem, struct net_fast);
    uint32_t most_in = 1, most_out = 1;
    size_t pairs = 1;
    for (uint32_t r = 0; r < n->n_routers; r++) {
        const struct nrouter *t = &n->routers[r];
        most_in = t->n_in > most_in ? t->n_in : most_in;
        most_out = t->n_out > most_out ? t->n_out : most_out;
        pairs += (size_t)t->n_in * t->n_out;
    }
    size_t ivcs = (size_t)n->n_iports << n->vshift, most_ivcs = (size_t)most_in << n->vshift;
    find_ranges(n, f);
    f->one = most_ivcs <= 64 && most_out <= 64 && f->n_ranges == 1;
    f->in_words = (uint32_t)bits_words(most_in);
    f->out_words = (uint32_t)bits_words(most_out);
    f->vc_words = (uint32_t)bits_words(most_ivcs);
    f->n_words = (uint32_t)bits_words(n->n_routers);
    f->busy = arena_many(mem, uint64_t, f->n_words);
    f->va_best = arena_many(mem, uint32_t, most_ivcs);
    memset(f->va_best, 0xff, most_ivcs * sizeof *f->va_best);
    f->bidders = arena_many(mem, struct ivc *, most_ivcs + 1);
    f->winners = arena_many(mem, struct iport *, most_in + 1);
    f->order = arena_many(mem, uint32_t, n->n_routers);
    uint64_t *pair = arena_many(mem, uint64_t, pairs);
    for (uint32_t i = 0; i < n->n_routers; i++) {
        struct nrouter *r = &n->routers[i];
        r->busy_word = &f->busy[i / 64];
        r->busy_bit = (uint64_t)1 << i % 64;
        for (uint32_t k = 0; k < r->n_in << n->vshift; k++) {
            r->vcs[k].after = (uint64_t)-2 << k % 64;
            r->vcs[k].vc_after = -(r->vcs[k].bit << 1);
            r->vcs[k].up = r->vcs[k].in->up ? r->vcs[k].in->up + (k & n->vmask) : NULL;
            r->vcs[k].direct = r->direct;
            r->vcs[k].local_next = f->one ? (k + 1) % 64 : k + 1;
        }
        for (uint32_t k = 0; k < r->n_in; k++) {
            r->ins[k].next = f->one ? (k + 1) % 64 : k + 1;
            r->ins[k].after = (uint64_t)-2 << k % 64;
            r->ins[k].pairs = pair;
            r->ins[k].best = NO_PORT;
            pair += r->n_out;
        }
        if (f->one)
            continue;
        r->sa_words = arena_many(mem, uint64_t, f->out_words);
        r->va_words = arena_many(mem, uint64_t, f->out_words);
        for (uint32_t k = 0; k < r->n_out; k++) {
            r->outs[k].request_words = arena_many(mem, uint64_t, f->in_words);
            r->outs[k].waiting_words = arena_many(mem, uint64_t, f->vc_words);
        }
    }
    if (!f->one && f->n_ranges > 1)
        f->by_range =
            arena_many(mem, uint64_t, (size_t)n->n_router_oports * f->n_ranges * f->vc_words);
    if (n->has_unit) {
        f->unit_first = arena_many(mem, struct ivc *, n->n_routers);
        f->unit_next = arena_many(mem, struct ivc *, ivcs);
        f->unit_list = arena_many(mem, struct ivc *, ivcs);
    }
    for (uint32_t o = 0; o < n->n_oports << n->vshift; o++)
        n->ovcs[o].after = -(n->ovcs[o].bit << 1);
    for (uint32_t o = 0; o < n->n_oports; o++)
        n->oports[o].flit_wait = (uint16_t)(n->oports[o].wire + n->st_delay);
    find_same_waits(n);
    f->step = net_fast_choose(n);
    return true;
}
