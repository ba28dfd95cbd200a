/* SPDX-License-Identifier: MIT
 *
 * The linear proof. Destinations are points in the plane of routing coordinates; with prefix sums
 * the number of destinations in a rectangle is one look-up. A network is sound if
 *   - every rule hands its destinations to a router whose own rules cover a full rectangle around
 *     them, or to the one endpoint they name,
 *   - every router with a source covers all destinations,
 *   - channel dependencies, taken between whole rules, make no cycle (so packets arrive some time).
 */
#include "base/vec.h"
#include "noc/check.h"

struct box {
    uint16_t x0, x1, y0, y1;
};

struct dests {
    uint32_t columns, rows; /* of the prefix sums */
    uint32_t *sum;          /* [(y + 1) * (columns + 1) + x + 1] destinations up to there */
    uint32_t n;
};

struct cover { /* what the rules of a router serve, for one class */
    uint32_t n;
    struct box box;
    bool is_full; /* every destination in the box is served */
};

struct fast {
    struct check *c;
    const struct noc *noc;
    struct dests dests[CHECK_KINDS];
    struct cover *covers; /* [router * n_classes + class] */
    bool *in_cycle;       /* [router] */
};

static bool make_dests(const struct check *c, enum check_kind kind, struct dests *d)
{
    const struct noc *noc = c->noc;
    for (uint32_t i = 0; i < noc->n_endpoints; i++) {
        const struct noc_endpoint *e = &noc->endpoints[i];
        if (!check_is_dest(e, kind))
            continue;
        d->n++;
        d->columns = e->x >= d->columns ? e->x + 1u : d->columns;
        d->rows = e->y >= d->rows ? e->y + 1u : d->rows;
    }
    /* a plane that is almost empty would cost more than the network */
    if ((uint64_t)d->columns * d->rows > 64 * (uint64_t)noc->n_endpoints + 4 * noc->n_routers)
        return false;
    uint32_t w = d->columns + 1;
    d->sum = arena_many(c->mem, uint32_t, (size_t)w * (d->rows + 1));
    for (uint32_t i = 0; i < noc->n_endpoints; i++) {
        const struct noc_endpoint *e = &noc->endpoints[i];
        if (!check_is_dest(e, kind))
            continue;
        uint32_t *at = &d->sum[(e->y + 1) * w + e->x + 1];
        if (*at)
            return false; /* two destinations with one coordinate: rules cannot tell them apart */
        *at = 1;
    }
    for (uint32_t y = 1; y <= d->rows; y++)
        for (uint32_t x = 1; x <= d->columns; x++)
            d->sum[y * w + x] +=
                d->sum[(y - 1) * w + x] + d->sum[y * w + x - 1] - d->sum[(y - 1) * w + x - 1];
    return true;
}

static uint32_t count_in(const struct dests *d, struct box b)
{
    if (b.x0 > b.x1 || b.y0 > b.y1 || b.x0 >= d->columns || b.y0 >= d->rows)
        return 0;
    uint32_t w = d->columns + 1, x1 = b.x1 < d->columns ? b.x1 + 1u : d->columns,
             y1 = b.y1 < d->rows ? b.y1 + 1u : d->rows;
    return d->sum[y1 * w + x1] - d->sum[b.y0 * w + x1] - d->sum[y1 * w + b.x0] +
           d->sum[b.y0 * w + b.x0];
}

static struct box box_of(const struct noc_rule *r)
{
    return (struct box){r->x0, r->x1, r->y0, r->y1};
}

static struct box meet(struct box a, struct box b)
{
    return (struct box){a.x0 > b.x0 ? a.x0 : b.x0, a.x1 < b.x1 ? a.x1 : b.x1,
                        a.y0 > b.y0 ? a.y0 : b.y0, a.y1 < b.y1 ? a.y1 : b.y1};
}

static struct box join(struct box a, struct box b)
{
    return (struct box){a.x0 < b.x0 ? a.x0 : b.x0, a.x1 > b.x1 ? a.x1 : b.x1,
                        a.y0 < b.y0 ? a.y0 : b.y0, a.y1 > b.y1 ? a.y1 : b.y1};
}

static const struct dests *dests_of(const struct fast *f, uint8_t cls)
{
    return &f->dests[f->c->kind_of[cls]];
}

static uint8_t class_after(const struct noc_rule *rule, uint8_t cls)
{
    return rule->class_to == NOC_SAME_CLASS ? cls : rule->class_to;
}

static void make_covers(struct fast *f)
{
    const struct noc *noc = f->noc;
    f->covers = arena_many(f->c->mem, struct cover, (size_t)noc->n_routers * noc->n_classes);
    for (uint32_t r = 0; r < noc->n_routers; r++)
        for (uint8_t k = 0; k < noc->n_classes; k++) {
            struct cover *cover = &f->covers[(size_t)r * noc->n_classes + k];
            for (uint32_t i = 0; i < noc->routers[r].n_rules; i++) {
                const struct noc_rule *rule = &noc->rules[noc->routers[r].first_rule + i];
                uint32_t n = rule->classes >> k & 1u ? count_in(dests_of(f, k), box_of(rule)) : 0;
                if (n)
                    cover->box = cover->n ? join(cover->box, box_of(rule)) : box_of(rule);
                cover->n += n;
            }
            cover->is_full = cover->n && count_in(dests_of(f, k), cover->box) == cover->n;
        }
}

/* Does the far end of `channel` know what to do with the `n` destinations in `box`? */
static bool is_handed_on(const struct fast *f, uint32_t channel, uint8_t cls, struct box box,
                         uint32_t n)
{
    const struct noc_channel *ch = &f->noc->channels[channel];
    if (ch->dst_node == NOC_ENDPOINT) {
        const struct noc_endpoint *e = &f->noc->endpoints[ch->dst];
        return n == 1 && check_is_dest(e, f->c->kind_of[cls]) && box.x0 <= e->x && e->x <= box.x1 &&
               box.y0 <= e->y && e->y <= box.y1;
    }
    const struct cover *cover = &f->covers[(size_t)ch->dst * f->noc->n_classes + cls];
    return cover->is_full && count_in(dests_of(f, cls), meet(cover->box, box)) == n;
}

static bool all_handed_on(const struct fast *f)
{
    const struct noc *noc = f->noc;
    for (uint32_t r = 0; r < noc->n_routers; r++)
        for (uint32_t i = 0; i < noc->routers[r].n_rules; i++) {
            const struct noc_rule *rule = &noc->rules[noc->routers[r].first_rule + i];
            for (uint8_t k = 0; k < noc->n_classes; k++) {
                uint8_t then = class_after(rule, k);
                uint32_t n = rule->classes >> k & 1u ? count_in(dests_of(f, k), box_of(rule)) : 0;
                if (!n)
                    continue;
                if (f->c->kind_of[then] != f->c->kind_of[k])
                    return false;
                for (uint32_t j = 0; j < rule->n_choices; j++)
                    if (!is_handed_on(f,
                                      noc_out_channel(noc, r, noc->choices[rule->first_choice + j]),
                                      then, box_of(rule), n))
                        return false;
            }
        }
    return true;
}

/* Is k a class a packet may start with? */
static bool starts(const struct noc *noc, uint8_t k)
{
    switch (noc->class_rule) {
    case NOC_CLASS_SINGLE: return k == 0;
    case NOC_CLASS_CHECKERBOARD: return true;
    case NOC_CLASS_MESSAGE:
        return k == 0 || k == (noc->first_reply_class ? noc->first_reply_class : 1);
    }
    return true;
}

static bool sources_covered(const struct fast *f)
{
    const struct noc *noc = f->noc;
    for (uint32_t i = 0; i < noc->n_endpoints; i++)
        for (uint8_t k = 0; k < noc->n_classes; k++) {
            const struct noc_endpoint *e = &noc->endpoints[i];
            if (!starts(noc, k) || !check_is_source(e, f->c->kind_of[k]))
                continue;
            uint32_t r = noc->channels[e->inject].dst;
            if (f->covers[(size_t)r * noc->n_classes + k].n != dests_of(f, k)->n)
                return false;
        }
    return true;
}

/* ---- dependencies --------------------------------------------------------------------------- */

/* First rule of a router that can reach up to x, by searching where rules are sorted in bands. */
static uint32_t first_rule_near(const struct noc *noc, const struct noc_router *r, uint16_t x)
{
    uint32_t lo = 0, hi = r->is_banded ? r->n_rules : 0;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (noc->rules[r->first_rule + mid].x1 < x)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* A packet that `from` sent over `channel` as class k: which channels may it ask for next? */
static void add_next(struct fast *f, struct check_edges *edges, uint32_t channel, uint8_t k,
                     struct box box)
{
    const struct noc *noc = f->noc;
    const struct noc_router *r = &noc->routers[noc->channels[channel].dst];
    uint32_t node = channel * f->c->n_groups + f->c->group_of[k];
    for (uint32_t i = first_rule_near(noc, r, box.x0); i < r->n_rules; i++) {
        const struct noc_rule *rule = &noc->rules[r->first_rule + i];
        if (rule->x0 > box.x1)
            break;
        if (!(rule->classes >> k & 1u) || !count_in(dests_of(f, k), meet(box, box_of(rule))))
            continue;
        for (uint32_t j = 0; j < rule->n_choices; j++) {
            uint32_t next = noc->out_channels[r->first_out + noc->choices[rule->first_choice + j]];
            const struct noc_channel *ch = &noc->channels[next];
            if (ch->dst_node != NOC_ROUTER || !f->in_cycle[ch->dst])
                continue;
            uint32_t to = next * f->c->n_groups + f->c->group_of[class_after(rule, k)];
            vec_reserve(f->c->mem, edges, 1);
            edges->at[edges->n][0] = node;
            edges->at[edges->n++][1] = to;
        }
    }
}

static bool is_acyclic(struct fast *f)
{
    const struct noc *noc = f->noc;
    struct check_edges edges = {0};
    for (uint32_t r = 0; r < noc->n_routers; r++) {
        if (!f->in_cycle[r])
            continue;
        for (uint32_t i = 0; i < noc->routers[r].n_rules; i++) {
            const struct noc_rule *rule = &noc->rules[noc->routers[r].first_rule + i];
            for (uint8_t k = 0; k < noc->n_classes; k++) {
                if (!(rule->classes >> k & 1u) || !count_in(dests_of(f, k), box_of(rule)))
                    continue;
                for (uint32_t j = 0; j < rule->n_choices; j++) {
                    uint32_t ch = noc_out_channel(noc, r, noc->choices[rule->first_choice + j]);
                    if (noc->channels[ch].dst_node == NOC_ROUTER &&
                        f->in_cycle[noc->channels[ch].dst])
                        add_next(f, &edges, ch, class_after(rule, k), box_of(rule));
                }
            }
        }
    }
    if (!edges.n)
        return true;
    return !check_find_cycle(noc->n_channels * f->c->n_groups, &edges, f->c->mem).n;
}

/* ---- hops ----------------------------------------------------------------------------------- */

/* Routers in stages, every path as long as every other. */
static bool staged_hops(const struct fast *f, const struct check_depth *depth,
                        struct noc_facts *facts)
{
    const struct noc *noc = f->noc;
    uint32_t hops = 0;
    for (uint32_t i = 0; i < noc->n_endpoints; i++) {
        if (noc->endpoints[i].eject == NOC_NONE)
            continue;
        struct check_depth d = depth[noc->channels[noc->endpoints[i].eject].src];
        if (d.least != d.most || (hops && hops != d.least))
            return false;
        hops = d.least;
    }
    facts->min_hops = facts->max_hops = hops;
    facts->mean_hops = hops;
    return true;
}

/* Does every rule of a mesh lead nearer to its destinations? Then hops are distances. */
static bool grid_is_minimal(const struct noc *noc)
{
    for (uint32_t r = 0; r < noc->n_routers; r++) {
        uint16_t x = noc->routers[r].x, y = noc->routers[r].y;
        if (x >= noc->grid_columns || y >= noc->grid_rows)
            return false;
        for (uint32_t i = 0; i < noc->routers[r].n_rules; i++) {
            const struct noc_rule *rule = &noc->rules[noc->routers[r].first_rule + i];
            for (uint32_t j = 0; j < rule->n_choices; j++) {
                uint32_t c = noc_out_channel(noc, r, noc->choices[rule->first_choice + j]);
                const struct noc_channel *ch = &noc->channels[c];
                if (ch->dst_node == NOC_ENDPOINT)
                    continue;
                int dx = noc->routers[ch->dst].x - x, dy = noc->routers[ch->dst].y - y;
                bool nearer =
                    (dx == 1 && dy == 0 && rule->x0 > x) || (dx == -1 && dy == 0 && rule->x1 < x) ||
                    (dy == 1 && dx == 0 && rule->y0 > y) || (dy == -1 && dx == 0 && rule->y1 < y);
                if (!nearer)
                    return false;
            }
        }
    }
    for (uint32_t i = 0; i < noc->n_endpoints; i++) {
        uint32_t r = noc_endpoint_router(noc, i);
        if (noc->endpoints[i].x != noc->routers[r].x || noc->endpoints[i].y != noc->routers[r].y)
            return false;
    }
    return true;
}

struct hop_sum {
    uint64_t total, pairs;
    uint32_t least, most;
};

/* Sum of |a - b| over all pairs of a source and a destination, from two histograms. */
static uint64_t distance_sum(const uint32_t *sources, const uint32_t *dests, uint32_t n)
{
    uint64_t sum = 0, n_dests = 0, behind = 0; /* behind: sum of distances to dests left of here */
    for (uint32_t i = 0; i < n; i++) {
        behind += n_dests;
        sum += behind * sources[i];
        n_dests += dests[i];
    }
    n_dests = behind = 0;
    for (uint32_t i = n; i-- > 0;) {
        behind += n_dests;
        sum += behind * sources[i];
        n_dests += dests[i];
    }
    return sum;
}

/* Distance of the nearest destination for every place, by two sweeps (exact for |dx| + |dy|). */
static uint32_t nearest(const struct fast *f, enum check_kind kind)
{
    const struct noc *noc = f->noc;
    uint32_t w = noc->grid_columns, h = noc->grid_rows, far = w + h, best = far;
    uint32_t *d = arena_many(f->c->mem, uint32_t, (size_t)w * h);
    for (uint32_t i = 0; i < w * h; i++)
        d[i] = far;
    for (uint32_t i = 0; i < noc->n_endpoints; i++)
        if (check_is_dest(&noc->endpoints[i], kind))
            d[noc->endpoints[i].y * w + noc->endpoints[i].x] = 0;
    for (uint32_t i = 0; i < w * h; i++) {
        if (i % w && d[i - 1] + 1 < d[i])
            d[i] = d[i - 1] + 1;
        if (i >= w && d[i - w] + 1 < d[i])
            d[i] = d[i - w] + 1;
    }
    for (uint32_t i = w * h; i-- > 0;) {
        if ((i + 1) % w && d[i + 1] + 1 < d[i])
            d[i] = d[i + 1] + 1;
        if (i + w < w * h && d[i + w] + 1 < d[i])
            d[i] = d[i + w] + 1;
    }
    for (uint32_t i = 0; i < noc->n_endpoints; i++)
        if (check_is_source(&noc->endpoints[i], kind)) {
            uint32_t here = d[noc->endpoints[i].y * w + noc->endpoints[i].x];
            best = here < best ? here : best;
        }
    return best;
}

static void grid_kind(const struct fast *f, enum check_kind kind, struct hop_sum *sum)
{
    const struct noc *noc = f->noc;
    uint32_t w = noc->grid_columns, h = noc->grid_rows, n_sources = 0, n_dests = 0;
    uint32_t *sx = arena_many(f->c->mem, uint32_t, w), *dx = arena_many(f->c->mem, uint32_t, w);
    uint32_t *sy = arena_many(f->c->mem, uint32_t, h), *dy = arena_many(f->c->mem, uint32_t, h);
    /* the farthest pair: |dx| + |dy| is the larger of |d(x + y)| and |d(x - y)| */
    int64_t s_lo[2] = {INT32_MAX, INT32_MAX}, s_hi[2] = {INT32_MIN, INT32_MIN};
    int64_t d_lo[2] = {INT32_MAX, INT32_MAX}, d_hi[2] = {INT32_MIN, INT32_MIN};
    for (uint32_t i = 0; i < noc->n_endpoints; i++) {
        const struct noc_endpoint *e = &noc->endpoints[i];
        int64_t diagonal[2] = {e->x + e->y, e->x - e->y};
        bool is_source = check_is_source(e, kind), is_dest = check_is_dest(e, kind);
        n_sources += is_source;
        n_dests += is_dest;
        sx[e->x] += is_source, sy[e->y] += is_source;
        dx[e->x] += is_dest, dy[e->y] += is_dest;
        for (int j = 0; j < 2; j++) {
            if (is_source && diagonal[j] < s_lo[j])
                s_lo[j] = diagonal[j];
            if (is_source && diagonal[j] > s_hi[j])
                s_hi[j] = diagonal[j];
            if (is_dest && diagonal[j] < d_lo[j])
                d_lo[j] = diagonal[j];
            if (is_dest && diagonal[j] > d_hi[j])
                d_hi[j] = diagonal[j];
        }
    }
    if (!n_sources || !n_dests)
        return;
    int64_t most = 0;
    for (int j = 0; j < 2; j++) {
        most = s_hi[j] - d_lo[j] > most ? s_hi[j] - d_lo[j] : most;
        most = d_hi[j] - s_lo[j] > most ? d_hi[j] - s_lo[j] : most;
    }
    uint64_t pairs = (uint64_t)n_sources * n_dests;
    sum->total += distance_sum(sx, dx, w) + distance_sum(sy, dy, h) + pairs;
    sum->pairs += pairs;
    uint32_t least = nearest(f, kind) + 1;
    sum->least = least < sum->least ? least : sum->least;
    sum->most = most + 1 > sum->most ? (uint32_t)most + 1 : sum->most;
}

static bool grid_hops(const struct fast *f, struct noc_facts *facts)
{
    if (!f->noc->grid_columns || !grid_is_minimal(f->noc))
        return false;
    struct hop_sum sum = {.least = UINT32_MAX};
    for (int kind = 0; kind < CHECK_KINDS; kind++)
        if (f->c->uses[kind])
            grid_kind(f, (enum check_kind)kind, &sum);
    if (!sum.pairs)
        return false;
    facts->min_hops = sum.least;
    facts->max_hops = sum.most;
    facts->mean_hops = (double)sum.total / (double)sum.pairs;
    return true;
}

enum check_answer check_fast(struct check *c, struct noc_facts *facts)
{
    struct fast f = {.c = c, .noc = c->noc};
    for (int kind = 0; kind < CHECK_KINDS; kind++)
        if (c->uses[kind] && !make_dests(c, (enum check_kind)kind, &f.dests[kind]))
            return CHECK_DONT_KNOW;
    struct check_depth *depth;
    bool is_staged = check_depths(c->noc, c->mem, &depth, &f.in_cycle);
    make_covers(&f);
    if (!all_handed_on(&f) || !sources_covered(&f) || (!is_staged && !is_acyclic(&f)))
        return CHECK_DONT_KNOW;
    if ((is_staged && staged_hops(&f, depth, facts)) || grid_hops(&f, facts))
        return CHECK_YES;
    return CHECK_DONT_KNOW;
}
