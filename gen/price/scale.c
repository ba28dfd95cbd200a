/* SPDX-License-Identifier: MIT */
#include "gen/price/scale.h"

#include <math.h>

#include "base/arena.h"
#include "energy/book/account.h"
#include "gen/config/read_tech.h"

bool scale_volt_ratio(const struct arch *arch, const struct tech_tables *tables, double *ratio,
                      struct err *err)
{
    const struct tech_scaling *s = &tables->scaling;
    double nm = arch->tech.node_nm, volt = arch->tech.voltage_v;
    *ratio = 1;
    if (!(volt > 0))
        return true;
    if (!scaling_check(s, nm, "tech.node", err))
        return false;
    double nominal = scaling_at(s, SCALE_vdd_v, nm);
    *ratio = volt / nominal;
    if (scaling_volt_delay(s, nm, *ratio) < 1e3)
        return true;
    return err_add(err, ERR_INPUT, (struct where){NULL, 0, "tech.voltage"},
                   "%g V is too near the threshold of %g nm (%.2f V of %g V nominal)", volt, nm,
                   scaling_at(s, SCALE_vth_v, nm), nominal);
}

bool scale_find(const struct priced *p, const struct tech_tables *tables,
                struct coefficient_scale *out, struct err *err)
{
    const struct arch *arch = p->design->arch;
    const struct tech_scaling *s = &tables->scaling;
    double to = arch->tech.node_nm, from = p->gw_base.card_nm;
    struct coefficient_scale x = {.from_nm = from, .to_nm = to};
    x.energy = x.leakage = x.l2_leakage = x.cold = x.energy_spread = x.leakage_spread = 1;
    if (!scale_volt_ratio(arch, tables, &x.volt_ratio, err))
        return false;
    if (arch->energy.scaling == SCALED_BY_node) {
        if (!scaling_check(s, from, "energy.core", err) || !scaling_check(s, to, "tech.node", err))
            return false;
        x.energy = scaling_ratio(s, SCALE_energy, from, to) * scaling_volt_dynamic(x.volt_ratio);
        x.cold = scaling_ratio(s, SCALE_leakage, from, to) *
                 scaling_heat(s, to, SCALE_CARD_K, arch->tech.temperature_k);
        x.leakage = x.cold * (x.volt_ratio == 1 ? 1 : scaling_volt_leakage(s, to, x.volt_ratio));
        x.l2_leakage = x.leakage;
        x.energy_spread = scaling_spread(s, SCALE_energy, from, to);
        x.leakage_spread = scaling_spread(s, SCALE_leakage, from, to);
    }
    *out = x;
    return true;
}

static void multiply(struct cost *c, double energy)
{
    for (int e = 0; e < EV_COUNT; e++)
        c->energy_pj[e] *= energy; /* NAN stays NAN */
}

void scale_coefficients(struct priced *p)
{
    const struct coefficient_scale *x = &p->scale;
    for (uint32_t k = 0; k < p->book.n_classes; k++) {
        struct cost *c = &p->book.costs[k];
        if (p->classes[k].kind == CK_SM_CORE) {
            double idle = c->energy_pj[EV_SM_IDLE] * x->leakage;
            multiply(c, x->energy);
            c->energy_pj[EV_SM_IDLE] = idle;
        } else if (p->classes[k].kind == CK_MEMORY_CONTROLLER) {
            multiply(c, x->energy);
        } else if (p->classes[k].kind == CK_DRAM) {
            c->energy_pj[EV_DRAM_IO] *= 1 - SCALE_PIN_LOGIC + SCALE_PIN_LOGIC * x->energy;
        }
    }
}

static bool moves(const struct book_class *c, bool is_chip)
{
    switch (c->kind) {
    case CK_SM_CORE: return true;
    case CK_ARRAY:
        return c->array->scope == PER_SM || (is_chip && c->array->scope != PER_MEMORY_CONTROLLER);
    case CK_ROUTER:
    case CK_CHANNEL: return is_chip;
    case CK_MEMORY_CONTROLLER:
    case CK_DRAM:
    case CK_USER:
    case CK_COUNT: break;
    }
    return false;
}

/* Of a part at another supply: V 10^(dibl V / swing) over the same at the old one. */
static double leakage_between(const struct priced *p, double from_v, double to_v)
{
    double nm = p->design->arch->tech.node_nm, vdd = scaling_at(p->scaling, SCALE_vdd_v, nm);
    return from_v == to_v ? 1
                          : scaling_volt_leakage(p->scaling, nm, to_v / vdd) /
                                scaling_volt_leakage(p->scaling, nm, from_v / vdd);
}

void scale_supply(const struct priced *nominal, double faster, double from_v, double to_v,
                  bool is_chip, struct arena *mem, struct priced *out)
{
    double energy = scaling_volt_dynamic(to_v / from_v);
    double leakage = leakage_between(nominal, from_v, to_v);
    *out = *nominal;
    out->book.costs = arena_many(mem, struct cost, nominal->book.n_classes);
    for (uint32_t k = 0; k < nominal->book.n_classes; k++) {
        struct cost *c = &out->book.costs[k];
        *c = nominal->book.costs[k];
        if (!moves(&nominal->classes[k], is_chip))
            continue;
        for (int e = 0; e < EV_COUNT; e++) /* idle power and saved leakage are prices of a cycle */
            c->energy_pj[e] *= e == EV_SM_IDLE || e == EV_ROUTER_OFF ? leakage / faster : energy;
        for (int p = 0; p < PART_COUNT; p++)
            c->leakage_w[p] *= leakage;
    }
    out->scale.energy *= energy;
    out->scale.leakage *= leakage;
    if (is_chip) {
        out->scale.l2_leakage *= leakage;
        out->clock.clock_ghz *= faster;
    }
}

/* Of the card, less what has lines of its own; each part as large as here. */
double scale_constant_w(const struct priced *p)
{
    const struct arch *arch = p->design->arch;
    const struct gw_base *b = &p->gw_base;
    const struct coefficient_scale *x = &p->scale;
    double w = p->gpuwattch.constant_w;
    double controllers = p->gpuwattch.is_accelwattch ? b->controller_w : 0, aside = 0;
    if (arch->energy.leakage != LEAKS_both) {
        aside = b->shared_leakage_w + (p->dram.file ? b->dram_standby_w : 0);
        controllers = fmin(controllers, fmax(0, w + controllers - aside));
        w = fmax(0, w + controllers - aside) - controllers;
    }
    if (arch->energy.constant == CONSTANT_BY_card || !(b->card_sms > 0))
        return (w + controllers) * x->cold;
    double sms = arch->gpu.n_sms / b->card_sms;
    double l2 = (double)arch->llc.slices * arch->llc.bytes / (1 << 20) / b->card_l2_mb;
    double mcs = (double)arch->dram.controllers * arch->dram.bus_bytes / b->card_mc_bytes;
    return w * (b->share_sm * sms * x->leakage + b->share_l2 * l2 * x->l2_leakage +
                (b->share_mc * mcs + b->share_other) * x->cold) +
           controllers * mcs * x->cold;
}

/* ---- said aloud ---- */

/* The finest planar node of DSENT: its 11 nm and the FinFETs are projections. */
#define NETWORK_NM 22.0

struct distance { /* of one part of the machine */
    const char *name;
    double from_nm, to_nm, energy, energy_spread, leakage, leakage_spread, delay, delay_spread;
};

static struct distance distance_of(const struct priced *p, const char *name, double from, double to)
{
    const struct tech_scaling *s = p->scaling;
    double low = s->of[SCALE_energy][s->n[SCALE_energy] - 1].node_nm,
           high = s->of[SCALE_energy][0].node_nm;
    double a = fmin(fmax(from, low), high), b = fmin(fmax(to, low), high);
    return (struct distance){name,
                             from,
                             to,
                             scaling_ratio(s, SCALE_energy, a, b),
                             scaling_spread(s, SCALE_energy, a, b),
                             scaling_ratio(s, SCALE_leakage, a, b),
                             scaling_spread(s, SCALE_leakage, a, b),
                             scaling_ratio(s, SCALE_delay, a, b),
                             scaling_spread(s, SCALE_delay, a, b)};
}

enum { NETWORK, ARRAYS, DISTANCES };

/* Networks from the last planar node that DSENT was held against; arrays from CACTI's last. */
static void distances(const struct priced *p, struct distance out[DISTANCES])
{
    const struct tech_params *t = &p->design->arch->tech;
    out[NETWORK] = distance_of(p, "network", fmax(t->node_nm, NETWORK_NM), t->node_nm);
    out[ARRAYS] = distance_of(p, "arrays", fmax(t->array_node_nm, 22), t->array_node_nm);
}

/* The node's steps are the same for all parts: all events low, or all high; leakage likewise. */
void scale_range_w(const struct priced *p, const struct account *a, double *low_w, double *high_w)
{
    struct distance d[DISTANCES];
    const struct coefficient_scale *x = &p->scale;
    double low = 0, high = 0, seconds = a->input->seconds;
    distances(p, d);
    for (uint32_t k = 0; k < p->book.n_classes; k++) {
        double events = 1, leakage = 1, moving = 0, idle = a->lines[k].leakage_j;
        switch (p->classes[k].kind) {
        case CK_ROUTER:
        case CK_CHANNEL:
            events = d[NETWORK].energy_spread;
            leakage = d[NETWORK].leakage_spread;
            break;
        case CK_ARRAY:
            events = d[ARRAYS].energy_spread;
            leakage = d[ARRAYS].leakage_spread;
            break;
        case CK_SM_CORE:
        case CK_MEMORY_CONTROLLER:
            events = x->energy_spread;
            leakage = x->leakage_spread;
            break;
        case CK_DRAM:
        case CK_USER:
        case CK_COUNT: break;
        }
        for (int e = 0; e < EV_COUNT; e++)
            *(e == EV_SM_IDLE ? &idle : &moving) += a->lines[k].dynamic_j[e];
        low += moving / events + idle / leakage;
        high += moving * events + idle * leakage;
    }
    double fitted = a->static_j + a->constant_j, rest = a->input->rest_w * seconds, users = 0;
    for (uint32_t u = 0; u < a->input->n_users; u++)
        users += a->user_j[u];
    low += fitted / x->leakage_spread + rest / d[NETWORK].leakage_spread + users;
    high += fitted * x->leakage_spread + rest * d[NETWORK].leakage_spread + users;
    *low_w = seconds > 0 ? low / seconds : 0;
    *high_w = seconds > 0 ? high / seconds : 0;
}

const char *scale_coefficients_text(const struct priced *p, struct arena *mem)
{
    const struct coefficient_scale *x = &p->scale;
    if (x->energy == 1 && x->leakage == 1 && x->cold == 1)
        return "";
    return arena_printf(mem,
                        ", coefficients from %g nm: energy x %.3g (x/: %.2f), static power x %.3g "
                        "(x/: %.1f)",
                        x->from_nm, x->energy, x->energy_spread, x->leakage, x->leakage_spread);
}

const char *scale_short_text(const struct priced *p, struct arena *mem)
{
    const struct tech_params *t = &p->design->arch->tech;
    struct distance d[DISTANCES];
    distances(p, d);
    const char *network = "", *arrays = "", *spread = "";
    if (d[NETWORK].from_nm != d[NETWORK].to_nm)
        network = arena_printf(mem, "network's energy x/: %.2f", d[NETWORK].energy_spread);
    if (t->array_node_nm != t->node_nm)
        arrays = arena_printf(mem, "arrays %g nm", t->array_node_nm);
    if (d[ARRAYS].from_nm != d[ARRAYS].to_nm)
        spread = arena_printf(mem, "arrays' energy x/: %.2f", d[ARRAYS].energy_spread);
    const char *in[] = {arrays, network, spread}, *all = "";
    for (size_t i = 0; i < sizeof in / sizeof *in; i++)
        if (in[i][0])
            all = arena_printf(mem, "%s%s%s", all, all[0] ? ", " : "", in[i]);
    return arena_printf(mem, "%g nm%s%s%s%s%s", t->node_nm, p->logic, all[0] ? " (" : "", all,
                        all[0] ? ")" : "", scale_coefficients_text(p, mem));
}

const char *scale_text(const struct priced *p, struct arena *mem)
{
    const struct arch *arch = p->design->arch;
    struct distance d[DISTANCES];
    distances(p, d);
    const char *network =
        d[NETWORK].from_nm == d[NETWORK].to_nm
            ? ""
            : arena_printf(mem, " (from %g nm: energy x/: %.2f, delay x/: %.2f, leakage x/: %.1f)",
                           d[NETWORK].from_nm, d[NETWORK].energy_spread, d[NETWORK].delay_spread,
                           d[NETWORK].leakage_spread);
    const char *arrays =
        d[ARRAYS].from_nm == d[ARRAYS].to_nm
            ? ""
            : arena_printf(mem,
                           " (%g nm scaled: energy x %.2f, x/: %.2f, delay x %.2f, x/: %.2f, "
                           "leakage x %.2f, x/: %.1f)",
                           d[ARRAYS].from_nm, d[ARRAYS].energy, d[ARRAYS].energy_spread,
                           d[ARRAYS].delay, d[ARRAYS].delay_spread, d[ARRAYS].leakage,
                           d[ARRAYS].leakage_spread);
    const char *core = scale_coefficients_text(p, mem);
    return arena_printf(mem, "network at %g nm%s%s, arrays at %g nm%s%s", arch->tech.node_nm,
                        p->logic, network, arch->tech.array_node_nm, arrays,
                        core[0] ? core
                        : arch->energy.scaling == SCALED_BY_none
                            ? ", coefficients not scaled"
                            : arena_printf(mem, ", coefficients of %g nm", p->scale.from_nm));
}

json_t *scale_json(const struct priced *p)
{
    const struct coefficient_scale *x = &p->scale;
    struct distance d[DISTANCES];
    json_t *o = json_object();
    distances(p, d);
    for (int i = 0; i < DISTANCES; i++)
        json_object_set_new(o, d[i].name,
                            json_pack("{s:f, s:f, s:f, s:f, s:f}", "from_nm", d[i].from_nm, "to_nm",
                                      d[i].to_nm, "energy_spread", d[i].energy_spread,
                                      "leakage_spread", d[i].leakage_spread, "delay_spread",
                                      d[i].delay_spread));
    json_object_set_new(o, "coefficients",
                        json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "from_nm", x->from_nm,
                                  "to_nm", x->to_nm, "supply_ratio", x->volt_ratio, "energy",
                                  x->energy, "energy_spread", x->energy_spread, "leakage",
                                  x->leakage, "leakage_spread", x->leakage_spread));
    json_object_set_new(o, "tiles", json_pack("{s:f}", "area_spread", p->die.spread));
    return o;
}
