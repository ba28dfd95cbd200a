/* SPDX-License-Identifier: MIT */
#include "energy/logic/clock_tree.h"

#include <math.h>
#include <string.h>

#include "energy/logic/wire.h"

static const double transition_max = 40e-12;

struct level {
    double branches, segments, length;
    size_t size;
};

/* Time to swing a node: 1.386 RC (twice 0.693). */
static double transition(double r, double c)
{
    return 1.386 * r * c;
}

enum { SEGMENTS_MAX = 100000 };

/* False if no number of segments is enough: only a technology of somebody's own can do that. */
static bool choose_level(const struct cell_lib *lib, struct wire_rc rc, struct level *level)
{
    const struct cell *inv = lib->cells[CELL_INV];
    double c = rc.c * level->length, r = rc.r * level->length;
    level->segments = 1;
    level->size = 0;
    while (level->segments <= SEGMENTS_MAX) {
        const struct cell *d = &inv[level->size];
        double seg = level->segments;
        if (transition(d->drive_r + r / seg, 0.2 * c / seg + d->pin_cap[PIN_A]) <= transition_max)
            return true;
        if (level->size + 1 < lib->n_sizes) {
            level->size++;
        } else {
            level->segments++;
            level->size = 0;
        }
    }
    return false;
}

static void add_inverter(struct clock_tree *t, const struct cell *inv, double load, double copies)
{
    t->area += inv->area * copies;
    for (int v = 0; v < LEAK_VARIANTS; v++)
        t->leak[v] += inv->leak_mean[v] * copies;
    t->energy += (inv->out_cap + load) * copies; /* times vdd^2 at the end */
}

/* From the load back to the head: drivers strong enough for what follows them. A driver whose pin
 * loads as much as what it drives ends the chain: each further one would be as strong and as heavy.
 */
static void add_leaves(const struct cell_lib *lib, size_t head_size, double load, double leaves,
                       struct clock_tree *t)
{
    const struct cell *inv = lib->cells[CELL_INV], *head = &inv[head_size];
    for (;;) {
        size_t s = head_size;
        while (s + 1 < lib->n_sizes && transition(inv[s].drive_r, load) > transition_max)
            s++;
        if (transition(inv[s].drive_r, load) > transition_max)
            t->transition_met = false;
        add_inverter(t, &inv[s], load, leaves);
        double pin = inv[s].pin_cap[PIN_A];
        bool lighter = pin < load;
        load = pin;
        if (transition(head->drive_r, load) <= transition_max)
            break;
        if (!lighter) {
            t->transition_met = false;
            break;
        }
    }
    add_inverter(t, head, load, leaves);
}

struct clock_tree clock_tree_make(const struct cell_lib *lib, const struct wire_layer *layer,
                                  double width, double spacing, unsigned levels, double pitch,
                                  double load)
{
    struct clock_tree t = {.transition_met = true};
    struct wire_rc rc = wire_rc(layer, width, spacing);
    rc.r = round6(rc.r);
    rc.c = round6(rc.c);
    pitch = round6(pitch);
    load = round6(load);
    size_t last_size = 0;
    for (unsigned l = 0; l < levels; l++) {
        struct level level = {.branches = ldexp(1, (int)l), .length = ldexp(pitch, -(int)(l + 1))};
        t.transition_met &= choose_level(lib, rc, &level);
        const struct cell *inv = &lib->cells[CELL_INV][level.size];
        add_inverter(&t, inv, rc.c * level.length / level.segments + inv->pin_cap[PIN_A],
                     level.segments * level.branches);
        t.wire_area += level.length * (width + spacing) * level.branches;
        last_size = level.size;
    }
    double leaves = ldexp(1, (int)levels - 1);
    add_leaves(lib, last_size, load / leaves, leaves, &t);
    t.energy *= lib->tech->vdd * lib->tech->vdd;
    return t;
}
