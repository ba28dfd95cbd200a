/* SPDX-License-Identifier: MIT
 *
 * hrcnet: the conflict-free reply network that the CD-Xbar paper compares with (its Table 5): a
 * wide ring one way through all slices, and at each stop the head of a chain of SMs.
 *
 *     llc 0          llc 2
 *       ▼              ▼
 *   ─▶ stop ────────▶ stop ───▶       a stop: what comes round the ring always goes on; the slice
 *       │              │              sends when the output it wants is free
 *      tap ─▶ SM      tap ─▶ SM       a tap: a register; the flit leaves here or goes on
 *       │              │
 *      tap ─▶ SM      tap ─▶ SM
 *
 * Nothing is buffered on the way, so no flit ever waits: an SM port reserves room for the reply
 * when it sends the request (noc.hrcnet.reply_slots). The ring is folded, so that neighbours on it
 * are two stops apart and the way back is no long wire.
 *
 * S ports and L slices: L + S nodes, L (with L > 1) + S channels between them, S + L to endpoints.
 * Uniform replies take (L - 1) / 2 of the ring's L channels: L / ((L - 1) / 2) of them in a cycle
 * at most. */
#include "noc/build.h"

static const char *const keys[] = {"noc.hrcnet.folded", "noc.hrcnet.deal", "noc.hrcnet.reply_slots",
                                   NULL};
static const char *const routings[] = {"ring_chain", NULL};
extern const struct topology noc_hrcnet;

enum { RING_IN, SLICE_IN };

static bool complete(struct noc_params *p, struct err *err)
{
    if (!noc_complete_common(p, &noc_hrcnet, err))
        return false;
    if (!p->hrc_slots)
        p->hrc_slots = 128;
    return true;
}

/* The chain of an SM port, and its place there from 1. */
static void place_of(const struct noc_params *p, uint32_t port, uint16_t *chain, uint16_t *at)
{
    uint32_t l = p->n_llcs, c = port % l, first = 0;
    if (p->hrc_deal == NOC_DEAL_BLOCKS) {
        uint32_t small = p->n_sm_ports / l, larger = p->n_sm_ports % l;
        c = port < larger * (small + 1) ? port / (small + 1)
                                        : larger + (port - larger * (small + 1)) / small;
        first = noc_group_first(p->n_sm_ports, l, c);
        *at = (uint16_t)(1 + port - first);
    } else {
        *at = (uint16_t)(1 + port / l);
    }
    *chain = (uint16_t)c;
}

/* Where there are fewer SM ports than slices, the last stops have no chain. */
static uint16_t ring_out(const struct noc_params *p, uint32_t stop)
{
    return stop < p->n_sm_ports;
}

/* Who is i-th on the ring: 0, 2, 4, …, 5, 3, 1 where it is folded. */
static uint32_t on_ring(const struct noc_params *p, uint32_t i)
{
    uint32_t l = p->n_llcs, up = (l + 1) / 2;
    if (!p->hrc_folded)
        return i;
    return i < up ? 2 * i : 2 * (l - i) - 1;
}

static void add_stops(struct noc_builder *b, const struct noc_params *p)
{
    uint32_t l = p->n_llcs;
    for (uint32_t i = 0; i < l; i++) { /* router i: the stop of slice i */
        uint16_t ring = l > 1;
        noc_add_router(b, (uint16_t)(1 + ring), (uint16_t)(ring_out(p, i) + ring), 0, (uint16_t)i,
                       0);
        noc_set_kind(b, i, NOC_TAP);
        noc_inject(b, p->n_sm_ports + i, i, ring ? SLICE_IN : 0);
        struct noc_rule rule = NOC_EVERYWHERE;
        rule.x0 = rule.x1 = (uint16_t)i;
        if (ring_out(p, i))
            noc_add_single(b, i, rule, 0);
        rule.x0 = 0, rule.x1 = (uint16_t)(i - 1);
        if (i > 0)
            noc_add_single(b, i, rule, ring_out(p, i));
        rule.x0 = (uint16_t)(i + 1), rule.x1 = UINT16_MAX;
        if (i + 1 < l)
            noc_add_single(b, i, rule, ring_out(p, i));
    }
    for (uint32_t i = 0; l > 1 && i < l; i++)
        noc_link(b, on_ring(p, i), ring_out(p, on_ring(p, i)), on_ring(p, (i + 1) % l), RING_IN);
}

static void add_chains(struct noc_builder *b, const struct noc_params *p, struct arena *scratch)
{
    uint32_t *end = arena_many(scratch, uint32_t, p->n_llcs); /* [chain] last router so far */
    uint16_t *length = arena_many(scratch, uint16_t, p->n_llcs), chain, at;
    for (uint32_t i = 0; i < p->n_sm_ports; i++) {
        place_of(p, i, &chain, &at);
        length[chain]++;
    }
    for (uint32_t i = 0; i < p->n_llcs; i++)
        end[i] = i;
    for (uint32_t i = 0; i < p->n_sm_ports; i++) {
        place_of(p, i, &chain, &at);
        bool goes_on = at < length[chain];
        uint32_t tap = noc_add_router(b, 1, (uint16_t)(1 + goes_on), 0, chain, at);
        noc_set_kind(b, tap, NOC_TAP);
        noc_eject(b, tap, 0, i);
        struct noc_rule rule = NOC_EVERYWHERE;
        rule.y0 = rule.y1 = at;
        noc_add_single(b, tap, rule, 0);
        rule.y0 = (uint16_t)(at + 1), rule.y1 = UINT16_MAX;
        if (goes_on)
            noc_add_single(b, tap, rule, 1);
        noc_link(b, end[chain], at > 1, tap, 0);
        end[chain] = tap;
    }
}

static bool build(const struct noc_params *p, enum noc_dir dir, struct arena *mem, struct noc *out,
                  struct err *err)
{
    if (dir != NOC_REPLY)
        return noc_one_way(p, dir, NOC_REPLY, err);
    struct arena scratch;
    noc_scratch(&scratch, mem);
    struct noc_builder *b = noc_builder_new(&scratch, noc_hrcnet.name, dir);
    for (uint32_t i = 0; i < p->n_sm_ports; i++) {
        uint16_t chain, at;
        place_of(p, i, &chain, &at);
        noc_add_sm_port(b, p, i, chain, at);
    }
    for (uint32_t i = 0; i < p->n_llcs; i++)
        noc_add_llc(b, i, (uint16_t)i, 0);
    add_stops(b, p);
    add_chains(b, p, &scratch);
    noc_freeze(b, p->width_bits, p->vcs, p->vc_depth, mem, out);
    out->flow = NOC_RING;
    out->reply_slots = p->hrc_slots;
    arena_free(&scratch);
    return true;
}

const struct topology noc_hrcnet = {
    .name = "hrcnet",
    .meaning = "reply network: a wide ring through the slices, a chain of SMs at each stop",
    .keys = keys,
    .routings = routings,
    .is_one_way = true,
    .way = NOC_REPLY,
    .complete = complete,
    .build = build,
};
