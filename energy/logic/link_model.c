/* SPDX-License-Identifier: MIT */
#include "energy/logic/link_model.h"

#include <math.h>
#include <string.h>

#include "energy/logic/range.h"
#include "energy/logic/wire.h"

struct link_point link_point_default(void)
{
    return (struct link_point){.layer = "Global",
                               .bits = 128,
                               .length = 1e-3,
                               .delay = 1e-9,
                               .width_mult = 1,
                               .spacing_mult = 1,
                               .keep_parity = true};
}

bool link_point_check(const struct link_point *p, const struct logic_tech *tech, struct where at,
                      struct err *err)
{
    bool ok = logic_check_layer(tech, p->layer, "layer", at, err);
    ok &= logic_check_whole(p->bits, 1, 65536, "bits", at, err);
    ok &= logic_check_range(p->length, 0, 1, "length_m", at, err);
    if (!(p->delay > 0 && p->delay <= 1))
        ok = logic_check_fail(p->delay, "above 0 and at most 1", "delay_constraint_s", at, err);
    ok &= logic_check_range(p->width_mult, 1, 1000, "width_mult", at, err);
    ok &= logic_check_range(p->spacing_mult, 1, 1000, "spacing_mult", at, err);
    return ok;
}

struct link_wire {
    double r, c; /* of the whole length */
};

/* n equal segments, each an inverter that drives its wire (distributed) and the next inverter. */
static double delay_of(const struct cell *inv, struct link_wire w, double n)
{
    double pin = inv->pin_cap[PIN_A];
    return n * (inv->delay[PIN_A] + 0.693 * inv->drive_r * (w.c / n + pin) +
                0.693 * (w.r / n) * (w.c / (2 * n) + pin));
}

struct search {
    double n, delay, best;
    size_t size;
    bool met;
};

/* Larger inverters until the budget is met, then more segments, until more segments of the
 * smallest inverter no longer help. With budget 0 all of it is seen: `best` is the least delay. */
static struct search find_repeaters(const struct cell_lib *lib, struct link_wire w, double step,
                                    double budget)
{
    const struct cell *inv = lib->cells[CELL_INV];
    struct search s = {.n = step, .delay = delay_of(&inv[0], w, step)};
    double last = s.delay;
    s.best = s.delay;
    while (budget < s.delay) {
        while (budget < s.delay && s.size + 1 < lib->n_sizes) {
            s.size++;
            s.delay = delay_of(&inv[s.size], w, s.n);
            s.best = fmin(s.best, s.delay);
        }
        if (!(budget < s.delay))
            break;
        s.n += step;
        s.size = 0;
        s.delay = delay_of(&inv[0], w, s.n);
        s.best = fmin(s.best, s.delay);
        if (s.delay > last)
            break;
        last = s.delay;
    }
    s.met = !(budget < s.delay);
    return s;
}

void link_model(const struct cell_lib *lib, const struct link_point *p, struct link_result *out)
{
    const struct wire_layer *layer = logic_tech_layer(lib->tech, p->layer);
    double width = layer->width * p->width_mult, spacing = layer->spacing * p->spacing_mult;
    double vdd = lib->tech->vdd, step = p->keep_parity ? 2 : 1, length = round6(p->length);
    struct wire_rc rc = wire_rc(layer, width, spacing);
    struct link_wire w = {round6(rc.r) * length, round6(rc.c) * length};

    struct search s = find_repeaters(lib, w, step, length > 0 ? p->delay : INFINITY);
    const struct cell *inv = &lib->cells[CELL_INV][s.size];
    double repeaters = p->bits * s.n, pin = inv->pin_cap[PIN_A];
    memset(out, 0, sizeof *out);
    out->energy = repeaters * vdd * vdd * (inv->out_cap + w.c / s.n + pin) * 0.25;
    for (int v = 0; v < LEAK_VARIANTS; v++)
        out->leak[v] = repeaters * inv->leak_mean[v];
    out->area = repeaters * inv->area;
    out->wire_area = length * (width + spacing) * p->bits;
    out->delay = s.delay;
    out->segments = s.n;
    out->size = s.size;
    out->met = s.met;
    out->best_delay = find_repeaters(lib, w, step, 0).best;
    out->pin_cap = pin;
    out->drive_r = inv->drive_r + w.r / s.n;
}
