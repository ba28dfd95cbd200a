/* SPDX-License-Identifier: MIT
 *
 * Routes at run time. The topology's rules (noc/graph.h) are turned into tables: for small networks
 * one entry per class, router and destination; for large ones each router divides the routing
 * coordinates into the parts that its rules tell apart and has one entry per pair of parts. An
 * entry is an output port, or a rule when there is something to choose. */
#include <string.h>

#include "base/bits.h"
#include "base/err.h"
#include "sim/net/engine_impl.h"

#define DIRECT_LIMIT 65536u    /* entries: 128 kB */
#define PARTS_LIMIT (1u << 28) /* entries of columns and rows: 0.5 GB */

static const struct noc_rule *rule_of(const struct net *n, uint32_t router, uint32_t x, uint32_t y,
                                      uint32_t cls, uint32_t *index)
{
    const struct noc_router *r = &n->noc->routers[router];
    for (uint32_t i = 0; i < r->n_rules; i++) {
        const struct noc_rule *rule = &n->noc->rules[r->first_rule + i];
        if (rule->classes >> cls & 1 && x >= rule->x0 && x <= rule->x1 && y >= rule->y0 &&
            y <= rule->y1) {
            *index = i;
            return rule;
        }
    }
    return NULL;
}

static uint16_t entry_of(struct net *n, uint32_t router, uint32_t x, uint32_t y, uint32_t cls)
{
    uint32_t index;
    const struct noc_rule *rule = rule_of(n, router, x, y, cls, &index);
    if (!rule)
        return ROUTE_NEVER;
    if (rule->n_choices == 1 && rule->class_to == NOC_SAME_CLASS)
        return n->noc->choices[rule->first_choice];
    return (uint16_t)(ROUTE_SPECIAL | index);
}

static void make_direct(struct net *n, struct arena *mem)
{
    uint32_t classes = n->noc->n_classes;
    uint16_t *t = arena_many(mem, uint16_t, (size_t)classes * n->n_routers * n->n_ends);
    for (uint32_t c = 0; c < classes; c++)
        for (uint32_t r = 0; r < n->n_routers; r++)
            for (uint32_t e = 0; e < n->n_ends; e++)
                t[((size_t)c * n->n_routers + r) * n->n_ends + e] =
                    entry_of(n, r, n->noc->endpoints[e].x, n->noc->endpoints[e].y, c);
    n->direct = t;
    for (uint32_t r = 0; r < n->n_routers && n->one_class; r++)
        n->routers[r].direct = t + (size_t)r * n->n_ends;
}

/* Divides 0..size-1 where the rules of a router do; returns the number of parts. */
static uint32_t divide(const struct net *n, uint32_t router, bool by_y, uint32_t size,
                       uint16_t *part, uint16_t *sample)
{
    const struct noc_router *r = &n->noc->routers[router];
    memset(part, 0, size * sizeof *part);
    for (uint32_t i = 0; i < r->n_rules; i++) {
        const struct noc_rule *rule = &n->noc->rules[r->first_rule + i];
        uint32_t lo = by_y ? rule->y0 : rule->x0, hi = (by_y ? rule->y1 : rule->x1) + 1u;
        if (lo < size)
            part[lo] = 1;
        if (hi < size)
            part[hi] = 1;
    }
    uint32_t parts = 0;
    part[0] = 0;
    sample[0] = 0;
    for (uint32_t i = 1; i < size; i++) {
        if (part[i]) {
            parts++;
            sample[parts] = (uint16_t)i;
        }
        part[i] = (uint16_t)parts;
    }
    return parts + 1;
}

struct extent {
    uint32_t wide, high;
};

/* The grid on which the endpoints lie. */
static struct extent grid_of(const struct noc *noc)
{
    struct extent g = {1, 1};
    for (uint32_t e = 0; e < noc->n_endpoints; e++) {
        g.wide = noc->endpoints[e].x + 1u > g.wide ? noc->endpoints[e].x + 1u : g.wide;
        g.high = noc->endpoints[e].y + 1u > g.high ? noc->endpoints[e].y + 1u : g.high;
    }
    return g;
}

static bool is_direct(const struct noc *noc)
{
    return (uint64_t)noc->n_classes * noc->n_routers * noc->n_endpoints <= DIRECT_LIMIT;
}

/* Tables by columns and rows stay small on grids; a network whose endpoints lie in one long row
 * would need the square of their number. */
bool net_route_fits(const struct noc *noc, struct err *err)
{
    if (is_direct(noc))
        return true;
    struct extent g = grid_of(noc);
    uint64_t parts = (uint64_t)noc->n_routers * (g.wide + (uint64_t)g.high);
    const double gb = sizeof(uint16_t) / 1e9; /* of an element of x_part and y_part */
    if (parts > PARTS_LIMIT)
        return err_add(
            err, ERR_INPUT, (struct where){NULL, 0, "topology"},
            "%u routers with endpoints on a grid of %u x %u need routing tables of %.1f GB; "
            "at most %.1f",
            noc->n_routers, g.wide, g.high, (double)parts * gb, (double)PARTS_LIMIT * gb);
    return true;
}

static void make_parts(struct net *n, struct arena *mem)
{
    struct extent g = grid_of(n->noc);
    uint32_t wide = g.wide, high = g.high, classes = n->noc->n_classes;
    uint32_t *xf = arena_many(mem, uint32_t, n->n_routers);
    uint32_t *yf = arena_many(mem, uint32_t, n->n_routers);
    uint32_t *cf = arena_many(mem, uint32_t, n->n_routers);
    uint16_t *nx = arena_many(mem, uint16_t, n->n_routers);
    uint16_t *ny = arena_many(mem, uint16_t, n->n_routers);
    uint16_t *xp = arena_many(mem, uint16_t, (size_t)n->n_routers * wide);
    uint16_t *yp = arena_many(mem, uint16_t, (size_t)n->n_routers * high);
    uint16_t *xs = arena_many(mem, uint16_t, wide + 1);
    uint16_t *ys = arena_many(mem, uint16_t, high + 1);
    size_t cells = 0;
    for (uint32_t r = 0; r < n->n_routers; r++) {
        xf[r] = r * wide;
        yf[r] = r * high;
        cf[r] = (uint32_t)cells;
        nx[r] = (uint16_t)divide(n, r, false, wide, xp + xf[r], xs);
        ny[r] = (uint16_t)divide(n, r, true, high, yp + yf[r], ys);
        cells += (size_t)nx[r] * ny[r] * classes;
    }
    uint16_t *c = arena_many(mem, uint16_t, cells);
    for (uint32_t r = 0; r < n->n_routers; r++) {
        divide(n, r, false, wide, xp + xf[r], xs);
        divide(n, r, true, high, yp + yf[r], ys);
        for (uint32_t k = 0; k < classes; k++)
            for (uint32_t y = 0; y < ny[r]; y++)
                for (uint32_t x = 0; x < nx[r]; x++)
                    c[cf[r] + (k * ny[r] + y) * nx[r] + x] = entry_of(n, r, xs[x], ys[y], k);
    }
    n->x_first = xf;
    n->y_first = yf;
    n->cell_first = cf;
    n->n_x_parts = nx;
    n->n_y_parts = ny;
    n->x_part = xp;
    n->y_part = yp;
    n->cells = c;
    n->n_cells = cells;
}

static bool same_ports(const struct noc *noc, const struct noc_rule *a, const struct noc_rule *b)
{
    return a->n_choices == b->n_choices &&
           !memcmp(&noc->choices[a->first_choice], &noc->choices[b->first_choice],
                   a->n_choices * sizeof *noc->choices);
}

static void make_units(struct net *n, struct arena *mem)
{
    const struct noc *noc = n->noc;
    n->unit_of = arena_many(mem, uint32_t, noc->n_rules);
    n->unit_next = arena_many(mem, uint16_t, noc->n_rules);
    n->unit_served = arena_many(mem, uint64_t, n->n_iports);
    n->unit_port = arena_many(mem, uint16_t, (size_t)n->n_iports << n->vshift);
    n->slot_time = arena_many(mem, uint64_t, (size_t)n->n_iports << (n->vshift + n->dshift));
    n->unit_taken = arena_many(mem, uint64_t, NET_MAX_PORTS / 64);
    n->unit_bids = arena_many(mem, struct unit_bid, (size_t)n->n_iports << n->vshift);
    for (uint32_t r = 0; r < n->n_routers; r++) {
        uint32_t first = noc->routers[r].first_rule, end = first + noc->routers[r].n_rules;
        for (uint32_t i = first; i < end; i++) {
            n->unit_of[i] = i;
            for (uint32_t j = first; j < i; j++)
                if (noc->rules[j].select == NOC_SELECT_RR_UNIT &&
                    noc->rules[i].select == NOC_SELECT_RR_UNIT &&
                    same_ports(noc, &noc->rules[i], &noc->rules[j])) {
                    n->unit_of[i] = j;
                    break;
                }
        }
    }
}

bool net_route_init(struct net *n, struct arena *mem, struct err *err)
{
    const struct noc *noc = n->noc;
    n->one_class = noc->n_classes == 1;
    for (uint32_t c = 0; c < noc->n_classes; c++) {
        uint32_t first = noc->vc_ranges[c].first, count = noc->vc_ranges[c].n;
        if (!count)
            count = n->vcs - first;
        if (first + count > n->vcs)
            return err_add(err, ERR_INPUT, (struct where){NULL, 0, "noc.vcs"},
                           "route class %u uses VCs %u..%u of %u", c, first, first + count - 1,
                           n->vcs);
        n->vc_first[c] = first;
        n->vc_count[c] = count;
        n->vc_masks[c] = (count == 64 ? UINT64_MAX : ((uint64_t)1 << count) - 1) << first;
    }
    for (uint32_t i = 0; i < noc->n_rules; i++) {
        uint8_t s = noc->rules[i].select;
        bool chooses = noc->rules[i].n_choices > 1;
        n->is_adaptive |= chooses && (s == NOC_SELECT_LEAST_LOADED || s == NOC_SELECT_RANDOM_TWO ||
                                      s == NOC_SELECT_TWO_DRAWS);
        n->has_choice |= chooses;
        n->has_unit |= chooses && s == NOC_SELECT_RR_UNIT;
    }
    n->rr_pointer = arena_many(mem, uint16_t, n->n_iports);
    if (n->has_unit)
        make_units(n, mem);
    if (is_direct(noc))
        make_direct(n, mem);
    else
        make_parts(n, mem);
    return true;
}

/* ---- choosing -------------------------------------------------------------------------------- */

static uint32_t free_entries(const struct net *n, uint32_t oport)
{
    uint32_t sum = 0;
    for (uint32_t v = 0; v < n->vcs; v++)
        sum += n->ovcs[(oport << n->vshift) + v].credits;
    return sum;
}

/* Uniform in 0..k-1 from a packet's number and the router it is at: whoever asks first changes
 * nothing. */
static uint32_t draw(const struct net *n, uint32_t packet, uint32_t router, uint32_t round,
                     uint32_t k)
{
    if (n->ints)
        return lagfib_below(n->ints, k);
    uint64_t h = rng_mix(n->packet_keys[packet] ^ rng_mix(((uint64_t)router << 8) + round));
    return (uint32_t)(((h >> 32) * k) >> 32);
}

void net_use_draws(struct net *n, struct lagfib_ints *ints, struct arena *mem)
{
    n->ints = ints;
    n->orders_inputs |= n->has_choice; /* they draw in this order */
    if (n->has_choice && !n->routing_delay)
        n->ahead = arena_many(mem, uint16_t, n->n_packets);
}

static uint32_t choose(struct net *n, uint32_t router, const struct ivc *q,
                       const struct noc_rule *rule, uint32_t packet)
{
    const uint16_t *c = &n->noc->choices[rule->first_choice];
    uint32_t k = rule->n_choices, first_out = n->routers[router].first_out;
    if (k == 1)
        return c[0];
    switch ((enum noc_select)rule->select) {
    case NOC_SELECT_ONLY: return c[0];
    case NOC_SELECT_SOURCE: return c[n->packets[packet].src % k];
    case NOC_SELECT_RANDOM: return c[draw(n, packet, router, 0, k)];
    case NOC_SELECT_ROUND_ROBIN: {
        uint16_t *p = &n->rr_pointer[q->index >> n->vshift];
        uint32_t at = *p < k ? *p : 0;
        *p = (uint16_t)(at + 1 < k ? at + 1 : 0);
        return c[at];
    }
    case NOC_SELECT_LEAST_LOADED: {
        uint32_t best = 0, most = free_entries(n, first_out + c[0]);
        for (uint32_t i = 1; i < k; i++) {
            uint32_t has = free_entries(n, first_out + c[i]);
            if (has > most) {
                most = has;
                best = i;
            }
        }
        return c[best];
    }
    case NOC_SELECT_RANDOM_TWO: {
        uint32_t a = draw(n, packet, router, 0, k), b = draw(n, packet, router, 1, k - 1);
        b += b >= a;
        uint32_t lo = a < b ? a : b, hi = a < b ? b : a;
        return free_entries(n, first_out + c[hi]) > free_entries(n, first_out + c[lo]) ? c[hi]
                                                                                       : c[lo];
    }
    case NOC_SELECT_TWO_DRAWS: {
        uint32_t a = draw(n, packet, router, 0, k), b = draw(n, packet, router, 1, k);
        return free_entries(n, first_out + c[b]) > free_entries(n, first_out + c[a]) ? c[b] : c[a];
    }
    case NOC_SELECT_RR_UNIT: return n->unit_port[q->index];
    }
    return c[0];
}

void net_route_ahead(struct net *n, const struct ivc *to, uint32_t packet)
{
    uint32_t router = to->in->router;
    uint32_t entry = net_route_entry(n, router, n->packets[packet].dst, n->packet_cls[packet]);
    if ((entry & ROUTE_SPECIAL) && entry != ROUTE_NEVER)
        n->ahead[packet] = (uint16_t)choose(
            n, router, to,
            &n->noc->rules[n->noc->routers[router].first_rule + (entry & ~ROUTE_SPECIAL)], packet);
}

bool net_route_special(struct net *n, uint32_t router, struct ivc *q, uint32_t rule,
                       uint32_t packet)
{
    if (rule == (ROUTE_NEVER & ~ROUTE_SPECIAL)) {
        net_fail(n, "router %u has no route to endpoint %u for packet %u", router,
                 n->packets[packet].dst, packet);
        return false;
    }
    const struct noc_rule *t = &n->noc->rules[n->noc->routers[router].first_rule + rule];
    uint32_t port = n->ahead ? n->ahead[packet] : choose(n, router, q, t, packet);
    if (port == ROUTE_NEVER)
        return false;
    q->out = (uint16_t)port;
    if (t->class_to != NOC_SAME_CLASS)
        n->packet_cls[packet] = t->class_to;
    return true;
}

/* ---- the round-robin routing unit (CD-Xbar) -------------------------------------------------- */

static const struct noc_rule *unit_rule(const struct net *n, uint32_t router, const struct ivc *q,
                                        uint32_t *unit, uint32_t *cls)
{
    uint32_t id = q->slots[q->read] & FLIT_PACKET;
    *cls = n->packet_cls[id];
    uint32_t entry = net_route_entry(n, router, n->packets[id].dst, *cls);
    if (!(entry & ROUTE_SPECIAL) || entry == ROUTE_NEVER)
        return NULL;
    uint32_t index = n->noc->routers[router].first_rule + (entry & ~ROUTE_SPECIAL);
    const struct noc_rule *rule = &n->noc->rules[index];
    *unit = n->unit_of[index];
    return rule->select == NOC_SELECT_RR_UNIT && rule->n_choices > 1 ? rule : NULL;
}

/* First come first served; then the input served least recently; then the lowest. */
static bool is_before(const struct unit_bid *a, const struct unit_bid *b)
{
    if (a->came != b->came)
        return a->came < b->came;
    return a->served != b->served ? a->served < b->served : a->q->index < b->q->index;
}

/* A heap: none is before the one it hangs below. */
static void sink(struct unit_bid *bids, uint32_t n, uint32_t at)
{
    for (uint32_t k = 2 * at + 1; k < n; k = 2 * at + 1) {
        if (k + 1 < n && is_before(&bids[k + 1], &bids[k]))
            k++;
        if (!is_before(&bids[k], &bids[at]))
            return;
        struct unit_bid t = bids[at];
        bids[at] = bids[k];
        bids[k] = t;
        at = k;
    }
}

/* The next port in rotation that is not assigned yet and has a free VC; ROUTE_NEVER if none. */
static uint32_t next_port(struct net *n, uint32_t router, uint32_t unit, uint32_t cls)
{
    const struct noc_rule *rule = &n->noc->rules[unit];
    const uint16_t *c = &n->noc->choices[rule->first_choice];
    uint32_t k = rule->n_choices;
    for (uint32_t i = 0; i < k; i++) {
        uint32_t at = (n->unit_next[unit] + i) % k;
        uint32_t oport = n->routers[router].first_out + c[at];
        if (bits_test(n->unit_taken, c[at]) || !(n->oports[oport].free & n->vc_masks[cls]))
            continue;
        n->unit_next[unit] = (uint16_t)((at + 1) % k);
        bits_set(n->unit_taken, c[at]);
        return c[at];
    }
    return ROUTE_NEVER;
}

void net_route_unit(struct net *n, uint32_t router, struct ivc *const *ivcs, uint32_t count)
{
    struct unit_bid *bids = n->unit_bids;
    uint32_t n_bids = 0;
    memset(n->unit_taken, 0, NET_MAX_PORTS / 8);
    for (uint32_t i = 0; i < count; i++) {
        const struct ivc *q = ivcs[i];
        struct unit_bid bid = {.q = q};
        n->unit_port[q->index] = ROUTE_NEVER;
        if (!unit_rule(n, router, q, &bid.unit, &bid.cls))
            continue;
        bid.came = n->slot_time[((size_t)q->index << n->dshift) + q->read];
        bid.served = n->unit_served[q->index >> n->vshift];
        bids[n_bids++] = bid;
    }
    for (uint32_t i = n_bids / 2; i--;)
        sink(bids, n_bids, i);
    while (n_bids) {
        const struct ivc *q = bids->q;
        uint64_t *served = &n->unit_served[q->index >> n->vshift];
        if (bids->served == *served) {
            uint32_t port = next_port(n, router, bids->unit, bids->cls);
            if (port != ROUTE_NEVER) {
                n->unit_port[q->index] = (uint16_t)port;
                *served = n->now + 1;
            }
            bids[0] = bids[--n_bids];
        } else { /* another VC of its input has been served in the meantime: it stands back */
            bids->served = *served;
        }
        sink(bids, n_bids, 0);
    }
}
