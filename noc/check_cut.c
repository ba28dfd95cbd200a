/* SPDX-License-Identifier: MIT
 *
 * Bisection bandwidth: bits per cycle that can cross a cut in its wider direction.
 *   meshes           the narrower of the two straight cuts through the middle
 *   staged networks  the narrowest boundary between two stages, endpoints included
 *   anything else    the best balanced cut among sweeps over several orders of the routers: an
 * upper bound of the true one, and said so */
#include <string.h>

#include "noc/check.h"

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* Channels across the line between column (or row) `at` - 1 and `at`. */
static uint32_t straight_cut(const struct noc *noc, bool vertical, uint32_t at)
{
    uint32_t up = 0, down = 0;
    for (uint32_t i = 0; i < noc->n_channels; i++) {
        const struct noc_channel *ch = &noc->channels[i];
        if (ch->src_node != NOC_ROUTER || ch->dst_node != NOC_ROUTER || ch->is_side)
            continue;
        const struct noc_router *a = &noc->routers[ch->src], *b = &noc->routers[ch->dst];
        bool a_low = (vertical ? a->x : a->y) < at, b_low = (vertical ? b->x : b->y) < at;
        up += a_low && !b_low;
        down += !a_low && b_low;
    }
    return larger(up, down);
}

static uint32_t endpoint_cut(const struct noc *noc)
{
    uint32_t in = 0, out = 0;
    for (uint32_t i = 0; i < noc->n_endpoints; i++) {
        in += noc->endpoints[i].inject != NOC_NONE;
        out += noc->endpoints[i].eject != NOC_NONE;
    }
    return in < out ? in : out;
}

/* crossing[i]: channels that lead from stage i or before to a stage behind i. */
static uint32_t staged_cut(const struct check *c, const struct check_depth *depth)
{
    const struct noc *noc = c->noc;
    uint32_t least = endpoint_cut(noc), last = 0;
    for (uint32_t r = 0; r < noc->n_routers; r++)
        last = larger(last, depth[r].most);
    int64_t *change = arena_many(c->mem, int64_t, last + 2);
    for (uint32_t i = 0; i < noc->n_channels; i++) {
        const struct noc_channel *ch = &noc->channels[i];
        if (ch->is_side)
            continue;
        if (ch->src_node == NOC_ROUTER && ch->dst_node == NOC_ROUTER && depth[ch->src].most) {
            change[depth[ch->src].most]++;
            change[depth[ch->dst].most]--;
        } else if (ch->src_node == NOC_ENDPOINT) { /* enters behind the first stages */
            change[0]++;
            change[depth[ch->dst].most]--;
        } else if (ch->dst_node == NOC_ENDPOINT) {
            change[depth[ch->src].most]++;
        }
    }
    int64_t crossing = 0;
    for (uint32_t i = 0; i < last; i++) {
        crossing += change[i];
        if (i && crossing < least)
            least = (uint32_t)crossing;
    }
    return least;
}

struct sweep {
    const struct noc *noc;
    uint32_t *order, *weight; /* [router] endpoints on it */
    bool *is_low;
    uint32_t total, heaviest, best;
};

/* Moves the routers to the low side one by one and looks at every cut near the middle. */
static void sweep_order(struct sweep *s)
{
    const struct noc *noc = s->noc;
    int64_t up = 0, down = 0; /* channels low -> high and back */
    uint32_t low = 0;
    memset(s->is_low, 0, noc->n_routers * sizeof *s->is_low);
    for (uint32_t i = 0; i + 1 < noc->n_routers; i++) {
        uint32_t r = s->order[i];
        for (uint32_t p = 0; p < noc->routers[r].n_out; p++) {
            uint32_t ch = noc_out_channel(noc, r, p);
            if (ch == NOC_NONE || noc->channels[ch].dst_node != NOC_ROUTER ||
                noc->channels[ch].dst == r)
                continue;
            if (s->is_low[noc->channels[ch].dst])
                down--;
            else
                up++;
        }
        for (uint32_t p = 0; p < noc->routers[r].n_in; p++) {
            uint32_t ch = noc_in_channel(noc, r, p);
            if (ch == NOC_NONE || noc->channels[ch].src_node != NOC_ROUTER ||
                noc->channels[ch].src == r)
                continue;
            if (s->is_low[noc->channels[ch].src])
                up--;
            else
                down++;
        }
        s->is_low[r] = true;
        low += s->weight[r];
        uint32_t off = 2 * low > s->total ? 2 * low - s->total : s->total - 2 * low;
        if (off <= s->heaviest) {
            uint32_t crossing = larger((uint32_t)up, (uint32_t)down);
            s->best = crossing < s->best ? crossing : s->best;
        }
    }
}

/* Routers by distance from `root`, channels taken both ways; unreachable ones at the end. */
static void breadth_first(struct sweep *s, uint32_t root, bool *seen)
{
    const struct noc *noc = s->noc;
    uint32_t n = 0, next_root = root;
    memset(seen, 0, noc->n_routers * sizeof *seen);
    for (uint32_t i = 0; i < noc->n_routers; i++) {
        if (i == n) {
            while (seen[next_root])
                next_root = (next_root + 1) % noc->n_routers;
            seen[next_root] = true;
            s->order[n++] = next_root;
        }
        const struct noc_router *r = &noc->routers[s->order[i]];
        for (uint32_t p = 0; p < (uint32_t)r->n_out + r->n_in; p++) {
            uint32_t ch = p < r->n_out ? noc->out_channels[r->first_out + p]
                                       : noc->in_channels[r->first_in + p - r->n_out];
            if (ch == NOC_NONE || noc->channels[ch].src_node != NOC_ROUTER ||
                noc->channels[ch].dst_node != NOC_ROUTER)
                continue;
            uint32_t to = p < r->n_out ? noc->channels[ch].dst : noc->channels[ch].src;
            if (!seen[to]) {
                seen[to] = true;
                s->order[n++] = to;
            }
        }
    }
}

static uint32_t swept_cut(const struct check *c)
{
    const struct noc *noc = c->noc;
    struct sweep s = {.noc = noc,
                      .order = arena_many(c->mem, uint32_t, noc->n_routers),
                      .weight = arena_many(c->mem, uint32_t, noc->n_routers),
                      .is_low = arena_many(c->mem, bool, noc->n_routers),
                      .best = UINT32_MAX};
    bool *seen = arena_many(c->mem, bool, noc->n_routers);
    for (uint32_t i = 0; i < noc->n_endpoints; i++) {
        uint32_t r = noc_endpoint_router(noc, i);
        if (r != NOC_NONE)
            s.weight[r]++, s.total++;
    }
    for (uint32_t r = 0; r < noc->n_routers; r++) {
        s.heaviest = larger(s.heaviest, s.weight[r]);
        s.order[r] = r;
    }
    sweep_order(&s);
    for (uint32_t i = 0; i < 8 && noc->n_routers; i++) {
        breadth_first(&s, (uint32_t)((uint64_t)i * noc->n_routers / 8), seen);
        sweep_order(&s);
    }
    uint32_t ends = endpoint_cut(noc);
    return s.best < ends ? s.best : ends;
}

void check_bisection(struct check *c, struct noc_facts *facts)
{
    const struct noc *noc = c->noc;
    struct check_depth *depth;
    bool *in_cycle;
    uint32_t channels;
    facts->bisection_is_exact = strcmp(noc->topology, "custom") != 0;
    if (noc->grid_columns > 1 || noc->grid_rows > 1) {
        channels = UINT32_MAX;
        if (noc->grid_columns > 1)
            channels = straight_cut(noc, true, noc->grid_columns / 2u);
        if (noc->grid_rows > 1) {
            uint32_t other = straight_cut(noc, false, noc->grid_rows / 2u);
            channels = other < channels ? other : channels;
        }
    } else if (noc->flow == NOC_RING) {
        channels = 1; /* a cut through two links of the ring: one each way */
    } else if (check_depths(noc, c->mem, &depth, &in_cycle)) {
        channels = staged_cut(c, depth);
    } else {
        channels = swept_cut(c);
        facts->bisection_is_exact = false;
    }
    facts->bisection_bits = (uint64_t)channels * noc->width_bits;
}
