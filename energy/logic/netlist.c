/* SPDX-License-Identifier: MIT */
#include "energy/logic/netlist.h"

#include <string.h>

static const double hole = -1;

void nl_init(struct netlist *nl, struct arena *mem, const struct cell_lib *lib)
{
    memset(nl, 0, sizeof *nl);
    nl->mem = mem;
    nl->lib = lib;
}

void nl_reserve(struct netlist *nl, size_t cells, size_t connections)
{
    vec_reserve(nl->mem, &nl->cells, cells);
    vec_reserve(nl->mem, &nl->nets, cells + cells / 8);
    vec_reserve(nl->mem, &nl->pending, connections);
}

uint32_t nl_net(struct netlist *nl)
{
    struct nl_net net = {.driver = NL_NONE};
    vec_push(nl->mem, &nl->nets, net);
    return (uint32_t)nl->nets.n - 1;
}

uint32_t nl_stat(struct netlist *nl)
{
    struct nl_stat stat = {{0}, 0, 0, 0, 0};
    vec_push(nl->mem, &nl->stats, stat);
    return (uint32_t)nl->stats.n - 1;
}

static uint32_t add_cell(struct netlist *nl, uint8_t kind, uint32_t stat)
{
    uint32_t out = nl_net(nl), id = (uint32_t)nl->cells.n;
    struct nl_cell cell = {{NL_NONE, NL_NONE, NL_NONE}, out, stat, kind, 0};
    vec_push(nl->mem, &nl->cells, cell);
    nl->nets.at[out].driver = id;
    return id;
}

uint32_t nl_cell(struct netlist *nl, enum cell_kind kind, uint32_t stat)
{
    return add_cell(nl, (uint8_t)kind, stat);
}

uint32_t nl_fixed_kind(struct netlist *nl, const struct cell *data)
{
    nl->fixed[nl->n_fixed] = *data;
    return nl->n_fixed++;
}

uint32_t nl_fixed(struct netlist *nl, uint32_t kind)
{
    return add_cell(nl, (uint8_t)(CELL_KINDS + kind), NL_NONE);
}

void nl_connect(struct netlist *nl, uint32_t net, uint32_t cell, unsigned pin, double copies)
{
    struct nl_pending p = {{copies, cell, (uint8_t)pin}, net};
    nl->cells.at[cell].in[pin] = net;
    vec_push(nl->mem, &nl->pending, p);
}

void nl_join(struct netlist *nl, uint32_t parent, uint32_t child)
{
    struct nl_pending p = {{1, child, NL_NET_PIN}, parent};
    struct nl_net *c = &nl->nets.at[child];
    if (c->n_parents++ == 0)
        c->driver = parent;
    c->by_net = true;
    vec_push(nl->mem, &nl->pending, p);
}

void nl_forget(struct netlist *nl)
{
    for (size_t i = 0; i < nl->nets.n; i++)
        nl->cap[i] = nl->net_rest[i] = hole;
    for (size_t i = 0; i < nl->cells.n; i++)
        nl->cell_rest[i] = hole;
    for (size_t i = 0; i < nl->pending.n; i++)
        nl->edge_cap[i] = nl->edge_rest[i] = nl->block_rest[i / NL_BLOCK] = hole;
}

/* Where the edge `at` is found from its end. */
static void know_edge(struct netlist *nl, const struct nl_pending *p, uint32_t at)
{
    if (p->edge.pin == NL_NET_PIN) {
        const struct nl_net *child = &nl->nets.at[p->edge.to];
        nl->up_edges[child->up + (p->net - child->driver)] = at;
    } else {
        nl->pin_edges[(size_t)p->edge.to * CELL_PINS_MAX + p->edge.pin] = at;
    }
}

void nl_freeze(struct netlist *nl)
{
    size_t n_nets = nl->nets.n, n_edges = nl->pending.n;
    uint32_t at = 0, n_ups = 0;
    for (size_t i = 0; i < n_edges; i++)
        nl->nets.at[nl->pending.at[i].net].n++;
    for (size_t i = 0; i < n_nets; i++) {
        nl->nets.at[i].first = at;
        at += nl->nets.at[i].n;
        nl->nets.at[i].n = 0;
        nl->nets.at[i].up = n_ups;
        n_ups += nl->nets.at[i].n_parents;
    }
    nl->edges = arena_many(nl->mem, struct nl_edge, n_edges);
    nl->edge_cap = arena_many(nl->mem, double, n_edges);
    nl->edge_rest = arena_many(nl->mem, double, n_edges);
    nl->block_rest = arena_many(nl->mem, double, n_edges / NL_BLOCK + 1);
    nl->block_worst = arena_many(nl->mem, uint32_t, n_edges / NL_BLOCK + 1);
    nl->pin_edges = arena_many(nl->mem, uint32_t, nl->cells.n * CELL_PINS_MAX);
    nl->up_edges = arena_many(nl->mem, uint32_t, n_ups);
    for (size_t i = 0; i < n_edges; i++) {
        struct nl_net *net = &nl->nets.at[nl->pending.at[i].net];
        know_edge(nl, &nl->pending.at[i], net->first + net->n);
        nl->edges[net->first + net->n++] = nl->pending.at[i].edge;
    }
    nl->cap = arena_many(nl->mem, double, n_nets);
    nl->net_rest = arena_many(nl->mem, double, n_nets);
    nl->worst = arena_many(nl->mem, uint32_t, n_nets);
    nl->cell_rest = arena_many(nl->mem, double, nl->cells.n);
    size_t n_leaks = nl->stats.n * nl->lib->n_sizes * LEAK_VARIANTS;
    nl->leak = arena_many(nl->mem, double, n_leaks);
    for (size_t i = 0; i < n_leaks; i++)
        nl->leak[i] = hole;
    nl_forget(nl);
}

/* ---- loads and delays ------------------------------------------------------------------------ */

static double edge_cap(struct netlist *nl, uint32_t edge)
{
    const struct nl_edge *e = &nl->edges[edge];
    double c = e->pin == NL_NET_PIN ? nl_cap(nl, e->to) : nl_data(nl, e->to)->pin_cap[e->pin];
    return nl->edge_cap[edge] = c * e->copies;
}

double nl_cap(struct netlist *nl, uint32_t net)
{
    if (nl->cap[net] >= 0)
        return nl->cap[net];
    const struct nl_net *n = &nl->nets.at[net];
    double sum = 0, largest = 0;
    for (uint32_t i = n->first; i < n->first + n->n; i++) {
        double c = nl->edge_cap[i];
        if (c < 0)
            c = edge_cap(nl, i);
        sum += c;
        if (c > largest)
            largest = c;
    }
    return nl->cap[net] = n->is_selector ? largest : sum;
}

static double cell_rest(struct netlist *nl, uint32_t cell)
{
    if (nl->cell_rest[cell] >= 0)
        return nl->cell_rest[cell];
    uint32_t out = nl_out(nl, cell);
    double drive = 0.693 * nl_data(nl, cell)->drive_r * nl_cap(nl, out);
    return nl->cell_rest[cell] = drive + nl_longest(nl, out);
}

static double edge_rest(struct netlist *nl, uint32_t edge)
{
    const struct nl_edge *e = &nl->edges[edge];
    if (e->pin == NL_NET_PIN)
        return nl->edge_rest[edge] = nl_longest(nl, e->to);
    double d = nl_data(nl, e->to)->delay[e->pin];
    if (nl->cells.at[e->to].kind != CELL_DFFQ || e->pin == PIN_CK)
        d += cell_rest(nl, e->to);
    return nl->edge_rest[edge] = d;
}

/* The longest of some edges, if longer than `longest`; strictly: the first of equal paths is taken.
 */
static double longest_edge(struct netlist *nl, uint32_t first, uint32_t end, double longest,
                           uint32_t *worst)
{
    for (uint32_t i = first; i < end; i++) {
        double d = nl->edge_rest[i];
        if (d < 0)
            d = edge_rest(nl, i);
        if (d > longest) {
            longest = d;
            *worst = i;
        }
    }
    return longest;
}

static double longest_block(struct netlist *nl, uint32_t block, double longest, uint32_t *worst)
{
    uint32_t first = block * NL_BLOCK, own = NL_NONE;
    if (nl->block_rest[block] < 0) {
        nl->block_rest[block] = longest_edge(nl, first, first + NL_BLOCK, 0, &own);
        nl->block_worst[block] = own;
    }
    if (!(nl->block_rest[block] > longest))
        return longest;
    *worst = nl->block_worst[block];
    return nl->block_rest[block];
}

double nl_longest(struct netlist *nl, uint32_t net)
{
    if (nl->net_rest[net] >= 0)
        return nl->net_rest[net];
    uint32_t first = nl->nets.at[net].first, end = first + nl->nets.at[net].n;
    uint32_t block = (first + NL_BLOCK - 1) / NL_BLOCK, after = end / NL_BLOCK, worst = NL_NONE;
    double longest = 0;
    if (block >= after) {
        longest = longest_edge(nl, first, end, longest, &worst);
    } else {
        longest = longest_edge(nl, first, block * NL_BLOCK, longest, &worst);
        for (; block < after; block++)
            longest = longest_block(nl, block, longest, &worst);
        longest = longest_edge(nl, after * NL_BLOCK, end, longest, &worst);
    }
    nl->worst[net] = worst;
    return nl->net_rest[net] = longest;
}

static void forget_edge(struct netlist *nl, uint32_t edge)
{
    nl->edge_rest[edge] = nl->block_rest[edge / NL_BLOCK] = hole;
}

/* An edge that is known ends at something that is known: what is forgotten already needs no visit.
 */
static void forget_cell(struct netlist *nl, uint32_t cell);

static void forget_net(struct netlist *nl, uint32_t net)
{
    if (nl->net_rest[net] < 0)
        return;
    nl->net_rest[net] = hole;
    const struct nl_net *n = &nl->nets.at[net];
    for (uint32_t i = 0; n->by_net && i < n->n_parents; i++) {
        forget_edge(nl, nl->up_edges[n->up + i]);
        forget_net(nl, n->driver + i);
    }
    if (!n->by_net && n->driver != NL_NONE)
        forget_cell(nl, n->driver);
}

static void forget_pin(struct netlist *nl, uint32_t cell, unsigned pin)
{
    forget_edge(nl, nl->pin_edges[(size_t)cell * CELL_PINS_MAX + pin]);
    forget_net(nl, nl->cells.at[cell].in[pin]);
}

static void forget_cell(struct netlist *nl, uint32_t cell)
{
    if (nl->cell_rest[cell] < 0)
        return;
    nl->cell_rest[cell] = hole;
    const struct nl_cell *c = &nl->cells.at[cell];
    for (unsigned p = 0; p < CELL_PINS_MAX; p++)
        if (c->in[p] != NL_NONE && !(c->kind == CELL_DFFQ && p == PIN_D))
            forget_pin(nl, cell, p);
}

static void forget_load(struct netlist *nl, uint32_t net)
{
    nl->cap[net] = hole;
    const struct nl_net *n = &nl->nets.at[net];
    for (uint32_t i = 0; n->by_net && i < n->n_parents; i++) {
        nl->edge_cap[nl->up_edges[n->up + i]] = hole;
        forget_load(nl, n->driver + i);
    }
    if (!n->by_net && n->driver != NL_NONE)
        forget_cell(nl, n->driver);
}

void nl_set_size(struct netlist *nl, uint32_t cell, uint8_t size)
{
    struct nl_cell *c = &nl->cells.at[cell];
    c->size = size;
    forget_cell(nl, cell);
    for (unsigned p = 0; p < CELL_PINS_MAX; p++)
        if (c->in[p] != NL_NONE) {
            forget_pin(nl, cell, p);
            nl->edge_cap[nl->pin_edges[(size_t)cell * CELL_PINS_MAX + p]] = hole;
            forget_load(nl, c->in[p]);
        }
}

/* What is known of the untouched rest stays known. */
void nl_reset(struct netlist *nl)
{
    for (size_t i = 0; i < nl->cells.n; i++)
        if (nl->cells.at[i].size)
            nl_set_size(nl, (uint32_t)i, 0);
}

bool nl_can_enlarge(const struct netlist *nl, uint32_t cell)
{
    const struct nl_cell *c = &nl->cells.at[cell];
    return c->kind < CELL_KINDS && (size_t)c->size + 1 < nl->lib->n_sizes;
}

bool nl_enlarge(struct netlist *nl, uint32_t cell)
{
    if (!nl_can_enlarge(nl, cell))
        return false;
    nl_set_size(nl, cell, (uint8_t)(nl->cells.at[cell].size + 1));
    return true;
}

/* ---- costs ----------------------------------------------------------------------------------- */

double nl_area(const struct netlist *nl, uint32_t cell)
{
    return nl_data(nl, cell)->area;
}

static double weighted_leak(const struct cell *data, enum cell_kind kind,
                            const struct nl_stat *stat, enum leak_variant variant)
{
    unsigned states = cell_states(kind), bits = states == 2 ? 1 : states == 4 ? 2 : 3;
    double sum = 0;
    for (unsigned s = 0; s < states; s++) {
        double p = 1;
        for (unsigned b = 0; b < bits; b++) {
            double one = stat->p1[b];
            p *= s >> (bits - 1 - b) & 1 ? one : 1 - one;
        }
        sum += p * data->leak[variant][s];
    }
    return sum;
}

double nl_leak(struct netlist *nl, uint32_t cell, enum leak_variant variant)
{
    const struct nl_cell *c = &nl->cells.at[cell];
    double *kept =
        &nl->leak[((size_t)c->stat * nl->lib->n_sizes + c->size) * LEAK_VARIANTS + variant];
    if (*kept < 0)
        *kept = weighted_leak(nl_data(nl, cell), (enum cell_kind)c->kind, &nl->stats.at[c->stat],
                              variant);
    return *kept;
}

double nl_energy(struct netlist *nl, uint32_t cell)
{
    const struct nl_cell *c = &nl->cells.at[cell];
    const struct cell *d = nl_data(nl, cell);
    const struct nl_stat *s = &nl->stats.at[c->stat];
    double vdd = nl->lib->tech->vdd;
    double charge = (d->cap_y + nl_cap(nl, c->out)) * s->n01_y;
    if (c->kind >= CELL_MUX2)
        charge += d->cap_s * s->n01_s + d->cap_d * s->n01_d + d->cap_m * s->n01_m;
    return vdd * vdd * charge;
}

struct nl_sum nl_sum(struct netlist *nl, uint32_t first, uint32_t n)
{
    struct nl_sum sum = {0, {0, 0}, 0};
    for (uint32_t i = first; i < first + n; i++) {
        sum.area += nl_area(nl, i);
        for (int v = 0; v < LEAK_VARIANTS; v++)
            sum.leak[v] += nl_leak(nl, i, (enum leak_variant)v);
        sum.energy += nl_energy(nl, i);
    }
    return sum;
}

void nl_sum_add(struct nl_sum *sum, struct nl_sum part, double copies)
{
    sum->area += part.area * copies;
    for (int v = 0; v < LEAK_VARIANTS; v++)
        sum->leak[v] += part.leak[v] * copies;
    sum->energy += part.energy * copies;
}
