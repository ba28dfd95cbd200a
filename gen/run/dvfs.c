/* SPDX-License-Identifier: MIT */
#include "gen/run/dvfs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "energy/vf_curve.h"
#include "gen/config/keys.h"
#include "gen/price/scale.h"

#define MOST_POINTS 1000 /* also in the message below */
#define MOST_RATIO 1.4   /* over the nominal supply, by the law: no silicon lives long above */

bool dvfs_parse(const char *text, struct dvfs_range *out, struct err *err)
{
    struct dvfs_range r = {0};
    char *end;
    double *const to[] = {&r.low_ghz, &r.high_ghz, &r.step_ghz};
    const char *at = text;
    for (int i = 0; i < 3; i++) {
        *to[i] = strtod(at, &end);
        if (end == at || *end != (i < 2 ? ':' : '\0'))
            return err_add(err, ERR_INPUT, NOWHERE,
                           "--dvfs %s: expected LOW:HIGH:STEP in GHz, as in 0.7:1.4:0.1", text);
        at = end + 1;
    }
    const char *bad = !(r.low_ghz >= 0.01 && r.high_ghz <= 10) ? "clocks are 0.01 to 10 GHz"
                      : r.low_ghz > r.high_ghz ? "the clocks fall: LOW is above HIGH"
                      : !(r.step_ghz > 0)      ? "the step is not above 0"
                      : (r.high_ghz - r.low_ghz) / r.step_ghz >= MOST_POINTS
                          ? "more than 1000 points"
                          : NULL;
    if (bad)
        return err_add(err, ERR_INPUT, NOWHERE, "--dvfs %s: %s", text, bad);
    *out = r;
    return true;
}

/* ---- the supply of a clock ---- */

struct supply {
    const struct priced *priced;
    double nominal_ghz;
    bool has_curve;
    struct vf_curve curve;
    const char *text;
};

static bool find_supply(const struct run_request *q, struct arena *mem, struct supply *out,
                        struct err *err)
{
    const struct arch *arch = q->setup->arch;
    const char *name = arch->tech.vf_curve;
    double node = arch->tech.node_nm;
    *out = (struct supply){.priced = q->setup->priced, .nominal_ghz = arch->gpu.core_ghz};
    bool by_law = strcmp(name, "law") == 0, by_node = strcmp(name, "node") == 0;
    if (!by_law) {
        struct vf_curves *curves = arena_new(mem, struct vf_curves);
        const char *path = by_node ? path_join(mem, q->data_dir, "cfg/tech/vf-curves.csv")
                                   : arch_named_file(arch, "tech.vf_curve", name, q->data_dir, mem);
        if (!vf_curves_read(path, mem, curves, err))
            return false;
        out->has_curve = vf_curve_find(curves, node, &out->curve);
        if (!out->has_curve && !by_node)
            return err_add(err, ERR_INPUT, key_where(arch, "tech.vf_curve", 0),
                           "'%s' has no points near %g nm", path, node);
        if (out->has_curve)
            out->text = arena_printf(mem, "%s, %g nm: %s, …", path_base(path),
                                     out->curve.at->node_nm, out->curve.at->source);
    }
    if (!out->has_curve) {
        if (!scaling_check(out->priced->scaling, node, "tech.node", err))
            return false;
        out->text = arena_printf(mem,
                                 "alpha-power law at %g nm (cfg/tech/scaling.csv: %.2f V nominal, "
                                 "threshold %.2f V, alpha %.2g)%s",
                                 node, scaling_at(out->priced->scaling, SCALE_vdd_v, node),
                                 scaling_at(out->priced->scaling, SCALE_vth_v, node),
                                 scaling_at(out->priced->scaling, SCALE_alpha, node),
                                 by_node ? ": no curve of a card is near" : "");
    }
    return true;
}

/* Volts; NAN: no supply is known that reaches the clock. */
static double volt_of(const struct supply *s, double ghz)
{
    const struct arch *arch = s->priced->design->arch;
    double node = arch->tech.node_nm, volt;
    if (s->has_curve) {
        volt = vf_curve_volt(&s->curve, ghz);
    } else {
        double ratio = scaling_volt_for_delay(s->priced->scaling, node, s->nominal_ghz / ghz);
        volt =
            ratio <= MOST_RATIO ? ratio * scaling_at(s->priced->scaling, SCALE_vdd_v, node) : NAN;
    }
    return volt;
}

/* The fastest clock whose supply is known. */
static double most_ghz(const struct supply *s)
{
    double node = s->priced->design->arch->tech.node_nm;
    return s->has_curve ? s->curve.at[s->curve.n - 1].ghz
                        : s->nominal_ghz / scaling_volt_delay(s->priced->scaling, node, MOST_RATIO);
}

/* ---- a point ---- */

static uint64_t moved_khz(uint64_t khz, double ratio)
{
    return (uint64_t)fmax(1, round((double)khz * ratio));
}

/* out->ghz and out->volt are given. */
static bool run_point(const struct run_request *q, double from_v, bool wants_parts,
                      struct dvfs_point *out, struct arena *mem, struct err *err)
{
    const struct arch *arch = q->setup->arch;
    bool is_chip = arch->tech.dvfs == DVFS_MOVES_chip;
    double faster = out->ghz / arch->gpu.core_ghz;
    struct sim_setup setup = *q->setup;
    struct priced *priced = arena_new(mem, struct priced);
    scale_supply(q->setup->priced, faster, from_v, out->volt, is_chip, mem, priced);
    struct timing *t = &priced->timing;
    t->clock_khz[CLOCK_CORE] = moved_khz(t->clock_khz[CLOCK_CORE], faster);
    if (is_chip) {
        t->clock_khz[CLOCK_NOC] = moved_khz(t->clock_khz[CLOCK_NOC], faster);
        t->clock_khz[CLOCK_L2] = moved_khz(t->clock_khz[CLOCK_L2], faster);
    }
    setup.priced = priced;
    setup.timing = *t;
    struct run_request one = *q;
    struct run_outcome outcome;
    one.setup = &setup;
    if (!run_pair(&one, mem, &outcome, err))
        return false;
    const struct result *r = &outcome.result;
    out->cycles = result_get(r, "cycles");
    out->seconds = result_get(r, "seconds");
    out->gips = result_get(r, "performance_gips");
    out->power_w = result_get(r, "power_w");
    out->energy_j = result_get(r, "energy_j");
    out->per_watt = result_get(r, "perf_per_watt.system");
    out->edp_js = result_get(r, "edp_js");
    if (wants_parts) {
        out->parts = json_object();
        run_add_json(r, &outcome.energy, out->parts);
    }
    return true;
}

void dvfs_free(struct dvfs *d)
{
    for (size_t i = 0; i < d->n; i++)
        json_decref(d->points[i].parts);
}

static void find_best(struct dvfs *d)
{
    for (size_t i = 1; i < d->n; i++) {
        if (d->points[i].per_watt > d->points[d->best_per_watt].per_watt)
            d->best_per_watt = i;
        if (d->points[i].edp_js < d->points[d->best_edp].edp_js)
            d->best_edp = i;
    }
}

bool dvfs_run(const struct run_request *request, const struct dvfs_range *range, bool wants_parts,
              dvfs_tell *tell, void *ctx, struct arena *mem, struct dvfs *out, struct err *err)
{
    const struct arch *arch = request->setup->arch;
    struct supply supply;
    if (!find_supply(request, mem, &supply, err))
        return false;
    size_t n = 1 + (size_t)floor((range->high_ghz - range->low_ghz) / range->step_ghz + 1e-9);
    struct dvfs d = {.points = arena_many(mem, struct dvfs_point, n),
                     .n = n,
                     .curve = supply.text,
                     .moves = arch->tech.dvfs == DVFS_MOVES_chip
                                  ? "SMs, networks and L2 together; the DRAM stays"
                                  : "SMs alone; networks, L2 and DRAM stay"};
    double nominal = volt_of(&supply, supply.nominal_ghz);
    double from_v = arch->tech.voltage_v > 0 ? arch->tech.voltage_v : nominal;
    for (size_t i = 0; i < n; i++) {
        struct dvfs_point *p = &d.points[i];
        p->ghz = range->low_ghz + (double)i * range->step_ghz;
        p->volt = volt_of(&supply, p->ghz);
        double bad = isnan(nominal) ? supply.nominal_ghz : isnan(p->volt) ? p->ghz : 0;
        if (bad > 0)
            return err_add(
                err, ERR_INPUT,
                key_where(arch, isnan(nominal) ? "gpu.core_clock_ghz" : "tech.vf_curve", 0),
                "no supply is known for %g GHz at %g nm above %.4g GHz (%s)", bad,
                arch->tech.node_nm, most_ghz(&supply), supply.text);
        p->volt_ratio = p->volt / nominal;
        p->volt = from_v * p->volt_ratio; /* from_v is the description's, at its clock */
    }
    bool ok = true;
    for (size_t i = 0; ok && i < n; i++) {
        struct arena scratch;
        arena_init(&scratch, mem->out_of_memory, mem->ctx);
        if (tell)
            tell(ctx, i, n, d.points[i].ghz);
        ok = run_point(request, from_v, wants_parts, &d.points[i], &scratch, err);
        arena_free(&scratch);
    }
    if (ok) {
        find_best(&d);
        *out = d;
    } else {
        dvfs_free(&d);
    }
    return ok;
}
