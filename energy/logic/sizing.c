/* SPDX-License-Identifier: MIT */
#include "energy/logic/sizing.h"

#include "energy/logic/netlist.h"

enum { STEPS_MAX = 8000, STEPS_PER_PATH_MAX = 400, PATH_MAX_STAGES = 512 };

/* One stage of a path: entered at a pin, left through the driver (or ended there). */
struct stage {
    double own, drive; /* s: of the pin, of the driver */
    uint32_t cell, out;
    uint8_t pin;
    bool ends; /* at a D pin */
};

struct path {
    struct stage stages[PATH_MAX_STAGES];
    unsigned n;
};

static void extract(struct netlist *nl, uint32_t start, struct path *path)
{
    path->n = 0;
    nl_longest(nl, start);
    uint32_t net = start;
    while (nl->worst[net] != NL_NONE && path->n < PATH_MAX_STAGES) {
        const struct nl_edge *e = &nl->edges[nl->worst[net]];
        if (e->pin == NL_NET_PIN) {
            net = e->to;
            continue;
        }
        bool ends = nl->cells.at[e->to].kind == CELL_DFFQ && e->pin == PIN_D;
        path->stages[path->n++] =
            (struct stage){.cell = e->to, .out = nl_out(nl, e->to), .pin = e->pin, .ends = ends};
        if (ends)
            return;
        net = nl_out(nl, e->to);
    }
}

static void measure_stage(struct netlist *nl, struct stage *s)
{
    const struct cell *data = nl_data(nl, s->cell);
    s->own = data->delay[s->pin];
    s->drive = s->ends ? 0 : 0.693 * data->drive_r * nl_cap(nl, s->out);
}

/* Measures the stages that the enlarging of a cell changed: its own, and those whose load did. */
static double measure_again(struct netlist *nl, struct path *path, uint32_t enlarged)
{
    double sum = 0;
    for (unsigned i = 0; i < path->n; i++) {
        struct stage *s = &path->stages[i];
        if (s->cell == enlarged || nl->cap[s->out] < 0)
            measure_stage(nl, s);
        sum += s->own;
        if (!s->ends)
            sum += s->drive;
    }
    return sum;
}

/* The driver whose delay is largest against what comes before it: the previous driver's delay and
 * the cell's own. The start value, a capacitance taken as seconds, is the tool's. */
static uint32_t pick(struct netlist *nl, uint32_t start, const struct path *path)
{
    double prev = 1000 * nl_cap(nl, start), best = 0;
    uint32_t chosen = NL_NONE;
    for (unsigned i = 0; i < path->n; i++) {
        const struct stage *s = &path->stages[i];
        prev += s->own;
        if (s->ends)
            break;
        double ratio = s->drive / prev;
        if (ratio > best && nl_can_enlarge(nl, s->cell)) {
            best = ratio;
            chosen = s->cell;
        }
        prev = s->drive;
    }
    return chosen;
}

struct timing_result timing_optimise(struct netlist *nl, uint32_t start_net, double required)
{
    struct timing_result r = {.required = required};
    struct path path;
    double delay = nl_longest(nl, start_net);
    double least = delay;
    bool stuck = false;
    while (required < delay && !stuck) {
        unsigned on_path = 0;
        extract(nl, start_net, &path);
        for (unsigned i = 0; i < path.n; i++)
            measure_stage(nl, &path.stages[i]);
        while (required < delay) {
            uint32_t cell = pick(nl, start_net, &path);
            if (cell == NL_NONE || r.steps >= STEPS_MAX || on_path >= STEPS_PER_PATH_MAX) {
                stuck = true;
                break;
            }
            r.steps++;
            on_path++;
            nl_enlarge(nl, cell);
            delay = measure_again(nl, &path, cell);
        }
        if (stuck)
            break;
        delay = nl_longest(nl, start_net);
        if (delay < least)
            least = delay;
    }
    if (delay < least)
        least = delay;
    r.met = !(required < delay);
    r.min_delay = least;
    r.slack = required - delay;
    return r;
}
