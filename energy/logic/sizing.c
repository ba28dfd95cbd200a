/* SPDX-License-Identifier: MIT */
#include "energy/logic/sizing.h"

#include "energy/logic/netlist.h"

enum { STEPS_MAX = 8000, STEPS_PER_PATH_MAX = 400, PATH_MAX_STAGES = 512 };

/* One stage of a path: entered at a pin, left through the driver (or ended there). */
struct stage {
    uint32_t cell;
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
        path->stages[path->n++] = (struct stage){e->to, e->pin, ends};
        if (ends)
            return;
        net = nl_out(nl, e->to);
    }
}

static double drive_delay(struct netlist *nl, uint32_t cell)
{
    return 0.693 * nl_data(nl, cell)->drive_r * nl_cap(nl, nl_out(nl, cell));
}

static double path_delay(struct netlist *nl, const struct path *path)
{
    double sum = 0;
    for (unsigned i = 0; i < path->n; i++) {
        const struct stage *s = &path->stages[i];
        sum += nl_data(nl, s->cell)->delay[s->pin];
        if (!s->ends)
            sum += drive_delay(nl, s->cell);
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
        prev += nl_data(nl, s->cell)->delay[s->pin];
        if (s->ends)
            break;
        double d = drive_delay(nl, s->cell);
        if (nl_can_enlarge(nl, s->cell) && d / prev > best) {
            best = d / prev;
            chosen = s->cell;
        }
        prev = d;
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
        while (required < delay) {
            uint32_t cell = pick(nl, start_net, &path);
            if (cell == NL_NONE || r.steps >= STEPS_MAX || on_path >= STEPS_PER_PATH_MAX) {
                stuck = true;
                break;
            }
            r.steps++;
            on_path++;
            nl_enlarge(nl, cell);
            delay = path_delay(nl, &path);
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
