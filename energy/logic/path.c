/* SPDX-License-Identifier: MIT */
#include "energy/logic/path.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "energy/logic/wire.h"

struct path_wire path_wire_of(const struct wire_layer *layer)
{
    struct wire_rc rc = wire_rc(layer, layer->width, layer->spacing);
    return (struct path_wire){rc.r, rc.c, rc.c + rc.c_neighbours};
}

void path_begin(struct path *p, const struct cell_lib *lib, const struct wire_layer *layer)
{
    p->lib = lib;
    p->wire = path_wire_of(layer);
    p->n = 0;
}

struct path_gate *path_add(struct path *p, enum cell_kind kind, unsigned pin, double fanout)
{
    assert(p->n < PATH_GATES_MAX);
    struct path_gate *g = &p->gates[p->n];
    *g = (struct path_gate){.kind = kind, .pin = (uint8_t)pin, .fanout = fanout};
    p->size[p->n++] = 0;
    return g;
}

/* ---- wires and trees ------------------------------------------------------------------------- */

/* Length between repeaters at which a long wire is fastest: where the wire's own delay equals
 * that of its repeater (Bakoglu 1990, ch. 5), the best of all sizes. */
static double best_segment(const struct path *p)
{
    double best = INFINITY, at = 0;
    for (size_t s = 0; s < p->lib->n_sizes; s++) {
        const struct cell *inv = &p->lib->cells[CELL_INV][s];
        double pin = inv->pin_cap[PIN_A];
        double fixed = inv->delay[PIN_A] + 0.693 * inv->drive_r * pin;
        double len = sqrt(fixed / (0.693 * p->wire.r * p->wire.c_delay / 2));
        double per_metre =
            2 * fixed / len + 0.693 * (inv->drive_r * p->wire.c_delay + p->wire.r * pin);
        if (per_metre < best) {
            best = per_metre;
            at = len;
        }
    }
    return at;
}

void path_add_wire(struct path *p, double length, double taps_cap, double copies, double active)
{
    assert(p->n > 0);
    double segments = fmax(1, rint(length / best_segment(p)));
    if (segments > 64)
        segments = 64;
    for (uint32_t i = 0; i < segments; i++) {
        struct path_gate *g = &p->gates[p->n - 1];
        g->wire += length / segments;
        g->side_cap += taps_cap / segments;
        if (i + 1 < segments) {
            g = path_add(p, CELL_INV, PIN_A, 1);
            g->copies = copies;
            g->active = active;
        }
    }
}

void path_add_line(struct path *p, double length, double taps, double drains)
{
    assert(p->n > 0);
    p->gates[p->n - 1].wire += length;
    p->gates[p->n - 1].taps += taps;
    p->gates[p->n - 1].drains += drains;
}

void path_add_tree(struct path *p, double fanout, double copies_of_root, double active_of_root)
{
    assert(p->n > 0);
    double levels = fmax(0, rint(log(fanout) / log(4)) - 1);
    double each = pow(fanout, 1 / (levels + 1)), copies = copies_of_root, active = active_of_root;
    p->gates[p->n - 1].fanout *= each;
    for (uint32_t i = 0; i < levels; i++) {
        struct path_gate *g = path_add(p, CELL_INV, PIN_A, each);
        g->copies = copies *= each;
        g->active = active *= each;
    }
}

/* ---- delays ---------------------------------------------------------------------------------- */

static const struct cell *cell_at(const struct path *p, size_t i, size_t size)
{
    return &p->lib->cells[p->gates[i].kind][size];
}

static double pin_after(const struct path *p, size_t i, size_t next_size)
{
    return i + 1 < p->n ? cell_at(p, i + 1, next_size)->pin_cap[p->gates[i + 1].pin] : 0;
}

/* What hangs on the wire behind a gate beside the next one, F. */
static double hung(const struct path_gate *g, const struct cell *c, double next_pin)
{
    return g->side_cap + g->taps * next_pin + g->drains * c->out_cap;
}

static double gate_delay(const struct path *p, size_t i, size_t size, size_t next_size)
{
    const struct path_gate *g = &p->gates[i];
    const struct cell *c = cell_at(p, i, size);
    double pin = pin_after(p, i, next_size), far = g->fanout * pin;
    double along = g->wire * p->wire.c_delay + hung(g, c, pin);
    return c->delay[g->pin] + 0.693 * c->drive_r * (along + far) +
           0.693 * g->wire * p->wire.r * (along / 2 + far);
}

/* The sizes that a gate may have: from `first` up to before `end`. */
struct sizes {
    size_t first, end;
};

static struct sizes sizes_of(const struct path *p, size_t i)
{
    if (i >= p->n)
        return (struct sizes){0, 1};
    const struct path_gate *g = &p->gates[i];
    return g->is_given ? (struct sizes){g->given, g->given + 1u}
                       : (struct sizes){0, p->lib->n_sizes};
}

/* What gate_delay needs of gate i for each size of the next one; it is asked for each pair of
 * sizes, which most of the time of a price goes into. */
struct loads {
    double line, line_r;          /* F, s/F */
    double taps[LOGIC_SIZES_MAX]; /* [size of the next] on the wire, but its drains */
    double far[LOGIC_SIZES_MAX];  /* at its end */
};

static struct loads loads_of(const struct path *p, size_t i, struct sizes next)
{
    const struct path_gate *g = &p->gates[i];
    struct loads l = {.line = g->wire * p->wire.c_delay, .line_r = 0.693 * g->wire * p->wire.r};
    for (size_t t = next.first; t < next.end; t++) {
        double pin = pin_after(p, i, t);
        l.taps[t] = g->side_cap + g->taps * pin;
        l.far[t] = g->fanout * pin;
    }
    return l;
}

/* The least of gate_delay, in the same order of operations, and what follows; the first of equals.
 */
static double least_of(const struct path_gate *g, const struct cell *c, const struct loads *l,
                       struct sizes next, const double *after, uint8_t *follow)
{
    double all[LOGIC_SIZES_MAX], own = c->delay[g->pin], r = 0.693 * c->drive_r;
    double drains = g->drains * c->out_cap, least = INFINITY;
    *follow = (uint8_t)next.first;
    for (size_t t = next.first; t < next.end; t++) {
        double along = l->line + (l->taps[t] + drains);
        all[t] = own + r * (along + l->far[t]) + l->line_r * (along / 2 + l->far[t]) + after[t];
    }
    for (size_t t = next.first; t < next.end; t++) {
        /* cppcheck-suppress uninitvar */
        if (all[t] < least) {
            least = all[t];
            *follow = (uint8_t)t;
        }
    }
    return least;
}

/* Sizes that make delay + price x area least. */
static void choose(struct path *p, double price)
{
    static const double none[LOGIC_SIZES_MAX];
    double rest[2][LOGIC_SIZES_MAX];
    uint8_t follow[PATH_GATES_MAX][LOGIC_SIZES_MAX];
    const double *after = none;
    struct sizes next = {0, 1}, mine = next;
    for (size_t i = p->n; i-- > 0; next = mine) {
        double *here = rest[i % 2];
        mine = sizes_of(p, i);
        assert(mine.first < mine.end);
        struct loads l = loads_of(p, i, next);
        for (size_t s = mine.first; s < mine.end; s++) {
            const struct cell *c = cell_at(p, i, s);
            double own = price * p->gates[i].copies * c->area;
            here[s] = least_of(&p->gates[i], c, &l, next, after, &follow[i][s]) + own;
        }
        after = here;
    }
    size_t s = mine.first;
    for (size_t t = s + 1; p->n && t < mine.end; t++)
        if (after[t] < after[s])
            s = t;
    for (size_t i = 0; i < p->n; i++) {
        p->size[i] = (uint8_t)s;
        s = follow[i][s];
    }
}

double path_gate_delay(const struct path *p, size_t gate)
{
    return gate_delay(p, gate, p->size[gate], gate + 1 < p->n ? p->size[gate + 1] : 0);
}

double path_delay(const struct path *p)
{
    double sum = 0;
    for (size_t i = 0; i < p->n; i++)
        sum += path_gate_delay(p, i);
    return sum;
}

double path_fastest(struct path *p)
{
    return path_trade(p, 0);
}

double path_trade(struct path *p, double price)
{
    choose(p, price);
    return path_delay(p);
}

void path_smallest(struct path *p)
{
    for (size_t i = 0; i < p->n; i++)
        p->size[i] = p->gates[i].is_given ? p->gates[i].given : 0;
}

double path_within(struct path *p, double budget)
{
    path_smallest(p);
    if (path_delay(p) <= budget)
        return path_delay(p);
    if (path_fastest(p) >= budget)
        return path_delay(p);
    /* the price of area, between far too dear and nearly nothing; delay falls with it */
    double lo = 1e-12, hi = 1e12; /* s per m^2 */
    for (int i = 0; i < 32; i++) {
        double mid = sqrt(lo * hi);
        choose(p, mid);
        if (path_delay(p) <= budget)
            lo = mid;
        else
            hi = mid;
    }
    choose(p, lo);
    if (path_delay(p) > budget)
        choose(p, 0);
    return path_delay(p);
}

/* ---- prices ---------------------------------------------------------------------------------- */

struct nl_sum path_price(const struct path *p)
{
    struct nl_sum sum = {0, {0, 0}, 0};
    double vdd = p->lib->tech->vdd;
    for (size_t i = 0; i < p->n; i++) {
        const struct path_gate *g = &p->gates[i];
        const struct cell *c = cell_at(p, i, p->size[i]);
        double pin = pin_after(p, i, i + 1 < p->n ? p->size[i + 1] : 0);
        double load = g->wire * p->wire.c + hung(g, c, pin) + g->fanout * pin;
        double inside = g->kind == CELL_DFFQ ? 0 : c->cap_y;
        if (g->kind == CELL_MUX2 && g->pin == PIN_S)
            inside += c->cap_s;
        sum.energy += vdd * vdd * g->active * (inside + load);
        if (g->kind == CELL_DFFQ || g->elsewhere)
            continue;
        sum.area += g->copies * c->area;
        for (int v = 0; v < LEAK_VARIANTS; v++)
            sum.leak[v] += g->copies * c->leak_mean[v];
    }
    return sum;
}
