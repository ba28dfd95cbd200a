/* SPDX-License-Identifier: MIT */
#include "energy/gpuwattch/gpuwattch.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/csv.h"
#include "energy/gpuwattch/xml.h"

static const struct {
    const char *name, *other;
    enum gw_line line;
    enum gw_counter base; /* whose base energy it has */
} counters[] = {
#define X(id, other, line, base, meaning) {#id, other, GWL_##line, GW_##base},
    GW_COUNTERS(X)
#undef X
};

static const char *const lines[] = {
#define X(id) #id,
    GW_LINES(X)
#undef X
};

/* Names of the static-power parameters in AccelWattch files; the last three have no second one. */
static const struct {
    const char *first, *lane;
} static_names[GWS_COUNT] = {
    [GWS_INT_ADD] = {"static_intadd_flane", "static_intadd_addlane"},
    [GWS_INT_MUL] = {"static_intmul_flane", "static_intmul_addlane"},
    [GWS_INT] = {"static_cat1_flane", "static_cat1_addlane"},
    [GWS_INT_FP] = {"static_cat2_flane", "static_cat2_addlane"},
    [GWS_INT_FP_DP] = {"static_cat3_flane", "static_cat3_addlane"},
    [GWS_INT_FP_SFU] = {"static_cat4_flane", "static_cat4_addlane"},
    [GWS_INT_FP_TEX] = {"static_cat5_flane", "static_cat5_addlane"},
    [GWS_INT_FP_TENSOR] = {"static_cat6_flane", "static_cat6_addlane"},
    [GWS_LIGHT] = {"static_light_flane", "static_light_addlane"},
    [GWS_L1] = {"static_l1_flane", NULL},
    [GWS_SHARED] = {"static_shared_flane", NULL},
    [GWS_L2] = {"static_l2_flane", NULL},
    [GWS_OTHER] = {"static_geomean_flane", "static_geomean_addlane"},
};

const char *gw_counter_name(enum gw_counter c)
{
    return counters[c].name;
}

const char *gw_counter_other_name(enum gw_counter c)
{
    return counters[c].other;
}

void gw_static_names(enum gw_static s, const char **first, const char **lane)
{
    *first = static_names[s].first;
    *lane = static_names[s].lane;
}

const char *gw_line_name(enum gw_line l)
{
    return lines[l];
}

bool gw_counter_find(const char *name, enum gw_counter *out)
{
    for (int c = 0; c < GW_COUNTER_COUNT; c++) {
        if (strcmp(name, counters[c].name) == 0 ||
            (counters[c].other[0] && strcmp(name, counters[c].other) == 0)) {
            *out = (enum gw_counter)c;
            return true;
        }
    }
    return false;
}

/* ---- the XML --------------------------------------------------------------------------------- */

struct source {
    const char *file;
    struct err *err;
};

/* A parameter that may be absent: `*out` keeps its value then. Power and energy are not negative.
 */
static bool optional(const struct source *s, const struct xml_component *c, const char *name,
                     double *out)
{
    const struct xml_value *v = name ? xml_param(c, name) : NULL;
    double number;
    if (!v)
        return true;
    if (!xml_number(s->file, v, &number, s->err))
        return false;
    if (number < 0)
        return err_add(s->err, ERR_INPUT, (struct where){s->file, v->line, name}, "%s is negative",
                       v->text);
    *out = number;
    return true;
}

static bool missing(const struct source *s, const struct xml_component *c, const char *name)
{
    return err_add(s->err, ERR_INPUT, (struct where){s->file, c->line, name},
                   "component %s has no such param", c->id);
}

static bool required(const struct source *s, const struct xml_component *c, const char *name,
                     double *out)
{
    if (!xml_param(c, name))
        return missing(s, c, name);
    return optional(s, c, name, out);
}

static bool read_coefficients(const struct source *s, const struct xml_component *system,
                              struct gpuwattch *g)
{
    /* every version of the tools has these; without them the file is something else */
    static const enum gw_counter must[] = {GW_TOT_INST, GW_FP_INT,  GW_DC_RH, GW_REG_RD, GW_MEM_RD,
                                           GW_MEM_WR,   GW_MEM_PRE, GW_L2_RH, GW_NOC_A,  GW_PIPE_A};
    bool ok = true;
    for (size_t i = 0; i < sizeof must / sizeof *must; i++) {
        if (!xml_param(system, counters[must[i]].name))
            ok = missing(s, system, counters[must[i]].name);
    }
    for (int c = 0; c < GW_COUNTER_COUNT; c++) {
        ok &= optional(s, system, counters[c].name, &g->scale[c]);
        if (counters[c].other[0])
            ok &= optional(s, system, counters[c].other, &g->scale[c]);
    }
    ok &= required(s, system, "idle_core_power", &g->idle_core_w);
    g->is_accelwattch = xml_param(system, "constant_power") != NULL;
    ok &= required(s, system, g->is_accelwattch ? "constant_power" : "CONST_DYNAMICN",
                   &g->constant_w);
    for (int i = 0; g->is_accelwattch && i < GWS_COUNT; i++) {
        ok &= required(s, system, static_names[i].first, &g->static_first_w[i]);
        ok &= optional(s, system, static_names[i].lane, &g->static_lane_w[i]);
    }
    return ok;
}

static bool interpret(const struct source *s, const struct xml_component *root, struct gpuwattch *g)
{
    static const char *const needed[] = {"system.core0", "system.core0.dcache", "system.L20",
                                         "system.NoC0", "system.mc"};
    const struct xml_component *system = xml_find(root, "system");
    if (!system)
        return err_add(s->err, ERR_INPUT, AT_LINE(s->file, root->line),
                       "component 'system' is missing");
    bool ok = true;
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
        if (!xml_find(system, needed[i]))
            ok = err_add(s->err, ERR_INPUT, AT_LINE(s->file, system->line),
                         "component '%s' is missing", needed[i]);
    }
    if (!ok)
        return false;
    const struct xml_component *mc = xml_find(system, "system.mc");
    ok &= read_coefficients(s, system, g);
    ok &= required(s, system, "core_tech_node", &g->node_nm);
    ok &= optional(s, system, "target_core_clockrate", &g->clock_mhz);
    ok &= optional(s, system, "temperature", &g->temperature_k);
    ok &= optional(s, system, "number_of_cores", &g->n_cores);
    ok &= required(s, mc, "dram_rd_coeff", &g->dram_j[0]);
    ok &= required(s, mc, "dram_wr_coeff", &g->dram_j[1]);
    ok &= required(s, mc, "dram_pre_coeff", &g->dram_j[2]);
    return ok;
}

bool gpuwattch_parse(const char *file, const char *text, size_t n, struct arena *mem,
                     struct gpuwattch *out, struct err *err)
{
    struct xml_component *root;
    struct gpuwattch g = {.file = arena_strdup(mem, file)};
    const struct source s = {g.file, err};
    if (!xml_parse(g.file, text, n, mem, &root, err) || !interpret(&s, root, &g))
        return false;
    *out = g;
    return true;
}

bool gpuwattch_read(const char *path, struct arena *mem, struct gpuwattch *out, struct err *err)
{
    struct xml_component *root;
    struct gpuwattch g = {.file = arena_strdup(mem, path)};
    const struct source s = {g.file, err};
    if (!xml_read(path, mem, &root, err) || !interpret(&s, root, &g))
        return false;
    *out = g;
    return true;
}

/* ---- the base energies ----------------------------------------------------------------------- */

bool gw_base_read(const char *path, struct arena *mem, struct gw_base *out, struct err *err)
{
    struct gw_base b = {.file = arena_strdup(mem, path)};
    struct csv csv;
    if (!csv_read(path, mem, &csv, err))
        return false;
    int name = csv_column(&csv, "name"), value = csv_column(&csv, "value");
    struct err_entry *before = err->last;
    if (name < 0 || value < 0)
        return err_add(err, ERR_INPUT, AT_LINE(path, 1), "needs the columns name and value") ||
               err_is_foreign(err, before);
    const struct {
        const char *name;
        double *place;
    } others[] = {
        {"coalescer_read", &b.coalescer_read_j},
        {"coalescer_write", &b.coalescer_write_j},
        {"controller_w", &b.controller_w},
        {"sample_cycles", &b.sample_cycles},
        {"node_nm", &b.node_nm},
        {"pipe_sms", &b.pipe_sms},
        {"pipe_width", &b.pipe_width},
        {"sm_leakage_w", &b.sm_leakage_w},
        {"shared_leakage_w", &b.shared_leakage_w},
        {"dram_standby_w", &b.dram_standby_w},
        {"sm_leakage_finfet_w", &b.sm_leakage_finfet_w},
        {"shared_leakage_finfet_w", &b.shared_leakage_finfet_w},
        {"card_nm", &b.card_nm},
        {"card_sms", &b.card_sms},
        {"card_l2_mb", &b.card_l2_mb},
        {"card_mc_bytes", &b.card_mc_bytes},
        {"share_sm", &b.share_sm},
        {"share_l2", &b.share_l2},
        {"share_mc", &b.share_mc},
        {"share_other", &b.share_other},
    };
    for (int c = 0; c < GW_COUNTER_COUNT; c++)
        b.energy_j[c] = NAN;
    b.sm_leakage_finfet_w = b.shared_leakage_finfet_w = NAN;
    bool ok = true;
    for (size_t row = 0; row < csv.n_rows; row++) {
        const char *what = csv.rows[row][name];
        enum gw_counter c;
        double v;
        if (!csv_real(&csv, row, value, &v, err)) {
            ok = false;
            continue;
        }
        double *place = gw_counter_find(what, &c) ? &b.energy_j[c] : NULL;
        for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
            if (strcmp(what, others[i].name) == 0)
                place = others[i].place;
        }
        if (!place)
            ok = err_add(err, ERR_INPUT, csv_at(&csv, row, "name"), "unknown name '%s'", what);
        else if (v < 0)
            ok = err_add(err, ERR_INPUT, csv_at(&csv, row, "value"), "%g is negative", v);
        else
            *place = v;
    }
    for (int c = 0; ok && c < GW_COUNTER_COUNT; c++) {
        if (c != GW_IDLE_CORE_N && isnan(b.energy_j[counters[c].base]))
            ok = err_add(err, ERR_INPUT, AT_FILE(path), "has no row for %s",
                         counters[counters[c].base].name);
    }
    if (ok && (b.sample_cycles <= 0 || b.node_nm <= 0 || b.pipe_sms <= 0 || b.pipe_width <= 0))
        ok = err_add(err, ERR_INPUT, AT_FILE(path),
                     "needs rows for sample_cycles, node_nm, pipe_sms and pipe_width");
    if (isnan(b.sm_leakage_finfet_w))
        b.sm_leakage_finfet_w = b.sm_leakage_w;
    if (isnan(b.shared_leakage_finfet_w))
        b.shared_leakage_finfet_w = b.shared_leakage_w;
    /* a table of the user's own that does not know its card: as if it were at its own node, and of
     * one piece */
    b.card_nm = b.card_nm > 0 ? b.card_nm : b.node_nm;
    double shares = b.share_sm + b.share_l2 + b.share_mc + b.share_other;
    bool has_size = b.card_sms > 0 && b.card_l2_mb > 0 && b.card_mc_bytes > 0;
    if (shares == 0)
        b.share_other = 1;
    else if (ok && (fabs(shares - 1) > 1e-3 || !has_size))
        ok = err_add(err, ERR_INPUT, AT_FILE(path),
                     "share_sm, share_l2, share_mc and share_other need a sum of 1 (found %g), and "
                     "card_sms, card_l2_mb and card_mc_bytes",
                     shares);
    if (ok)
        *out = b;
    return ok;
}

double gw_energy_j(const struct gpuwattch *g, const struct gw_base *b, enum gw_counter c)
{
    return b->energy_j[counters[c].base] * g->scale[c];
}

/* ---- the tools' own report ------------------------------------------------------------------- */

/* Kandiah 2021, section 4: which execution units were busy; the order of the questions is theirs.
 */
enum gw_static gw_category(const struct gw_activity *a)
{
    const double *n = a->n;
    bool add = n[GW_SP_ACC] > 0;
    bool mul =
        n[GW_INT_MUL_ACC] + n[GW_INT_MUL24_ACC] + n[GW_INT_MUL32_ACC] + n[GW_INT_DIV_ACC] > 0;
    bool fp = n[GW_FPU_ACC] + n[GW_FP_MUL_ACC] + n[GW_FP_DIV_ACC] > 0;
    bool dp = n[GW_DP_ACC] + n[GW_DP_MUL_ACC] + n[GW_DP_DIV_ACC] > 0;
    bool sfu = n[GW_FP_SQRT_ACC] + n[GW_FP_LG_ACC] + n[GW_FP_SIN_ACC] + n[GW_FP_EXP_ACC] > 0;
    bool tensor = n[GW_TENSOR_ACC] > 0, tex = n[GW_TEX_ACC] > 0;
    int special = dp + sfu + tensor + tex;

    if (!add && !mul && !fp && special == 0) {
        if (n[GW_DC_RH] + n[GW_DC_RM] + n[GW_DC_WH] + n[GW_DC_WM] > 0)
            return GWS_L1;
        if (n[GW_SHRD_ACC] > 0)
            return GWS_SHARED;
        return n[GW_L2_RH] + n[GW_L2_RM] + n[GW_L2_WH] + n[GW_L2_WM] > 0 ? GWS_L2 : GWS_LIGHT;
    }
    if ((add || mul) && fp && special <= 1)
        return dp       ? GWS_INT_FP_DP
               : sfu    ? GWS_INT_FP_SFU
               : tex    ? GWS_INT_FP_TEX
               : tensor ? GWS_INT_FP_TENSOR
                        : GWS_INT_FP;
    if ((add || mul) && !fp && special == 0)
        return add && mul ? GWS_INT : add ? GWS_INT_ADD : GWS_INT_MUL;
    return GWS_OTHER;
}

/* The part of a counter's energy that the report shows in the memory controllers' line, in joules
 * before the coefficient: coalescers in each cache access, controllers in each DRAM command. */
static double controller_share_j(const struct gpuwattch *g, const struct gw_base *b,
                                 enum gw_counter c)
{
    switch (c) {
    case GW_DC_RH:
    case GW_DC_RM:
    case GW_TC_H:
    case GW_TC_M:
    case GW_CC_H:
    case GW_CC_M: return b->coalescer_read_j;
    case GW_DC_WH:
    case GW_DC_WM: return b->coalescer_write_j;
    case GW_MEM_RD: return b->energy_j[c] - g->dram_j[0];
    case GW_MEM_WR: return b->energy_j[c] - g->dram_j[1];
    case GW_MEM_PRE: return b->energy_j[c] - g->dram_j[2];
    default: return 0;
    }
}

/* Counters that AccelWattch hands over multiplied by their coefficient. */
static bool is_unit(enum gw_counter c)
{
    return c >= GW_SP_ACC && c <= GW_TEX_ACC;
}

void gpuwattch_report(const struct gpuwattch *g, const struct gw_base *b,
                      const struct gw_activity *a, double power_w[GWL_COUNT], double *total_w)
{
    for (int l = 0; l < GWL_COUNT; l++)
        power_w[l] = 0;
    for (int i = 0; i < GW_COUNTER_COUNT; i++) {
        enum gw_counter c = (enum gw_counter)i;
        if (c == GW_IDLE_CORE_N)
            continue;
        double scale = a->class_scaled && is_unit(c) ? 1 : g->scale[c];
        double aside = controller_share_j(g, b, c);
        double n_per_s = a->n[c] * scale / a->seconds;
        power_w[counters[c].line] += n_per_s * (b->energy_j[counters[c].base] - aside);
        power_w[GWL_MCP] += n_per_s * aside;
    }
    double idle_sms = a->n_samples > 0 ? a->n[GW_IDLE_CORE_N] / a->n_samples : 0;
    power_w[GWL_IDLE_COREP] = idle_sms * g->idle_core_w * g->scale[GW_IDLE_CORE_N];
    power_w[GWL_MCP] += b->controller_w;
    /* GPUWattch's fitted constant includes the controllers' share, AccelWattch's does not */
    power_w[GWL_CONSTP] =
        g->is_accelwattch ? g->constant_w : fmax(0, g->constant_w - b->controller_w);
    if (g->is_accelwattch && a->n_sms > 0) {
        double lanes = fmax(0, ceil(a->threads_per_warp) - 1);
        power_w[GWL_STATICP] =
            (g->static_first_w[a->category] + lanes * g->static_lane_w[a->category]) *
            (a->n_sms - idle_sms) / a->n_sms;
    }
    *total_w = 0;
    for (int l = 0; l < GWL_COUNT; l++)
        *total_w += power_w[l];
}
