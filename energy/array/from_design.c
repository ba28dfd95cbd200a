/* SPDX-License-Identifier: MIT */
#include "energy/array/from_design.h"

#include <math.h>

#include "base/arena.h"
#include "base/file.h"

/* ---- from the design ---- */

bool array_setting_of(const struct engine_ctx *ctx, struct array_setting *out, struct err *err)
{
    const struct tech_params *t = ctx->tech;
    double nm = t->array_node_nm;
    struct array_setting s = {
        .nm = fmax(nm, ARRAY_LEAST_NM), .device = t->array_device, .note = ""};
    if (!(nm <= ARRAY_MOST_NM && (nm >= ARRAY_LEAST_NM || ctx->scaling)))
        return err_add(err, ERR_INPUT, (struct where){NULL, 0, "tech.array_node"},
                       "%g nm is not in %d..%d: arrays are modelled there only", nm, ARRAY_LEAST_NM,
                       ARRAY_MOST_NM);
    if (nm != t->node_nm)
        s.note = arena_printf(ctx->mem, "arrays at %g nm, the design is at %g nm", nm, t->node_nm);

    double k = t->temperature_k, in = fmin(fmax(k, 300), 400);
    if (in != k)
        s.note = arena_printf(ctx->mem, "%s%sleakage of %g K taken for %g K", s.note,
                              s.note[0] ? "; " : "", in, k);
    s.temp_low_k = (int)(in / 10) * 10;
    s.temp_share = (in - s.temp_low_k) / 10;
    s.temp_high_k = s.temp_share > 0 ? s.temp_low_k + 10 : s.temp_low_k;
    *out = s;
    return true;
}

static uint32_t bits_of(const struct array *a, bool searched, bool others, bool valid)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < a->n_fields; i++) {
        const struct array_field *f = &a->fields[i];
        bool wanted = f->is_valid_bit ? valid : f->is_searched ? searched : others;
        bits += wanted ? f->bits : 0;
    }
    return bits;
}

struct amodel_in array_request_of(const struct array *a, const struct array_setting *setting)
{
    struct amodel_in in = amodel_defaults();
    bool searched = a->kind == ARRAY_CAM || (a->kind == ARRAY_CACHE && a->ways == 0);

    in.tech_nm = setting->nm;
    in.temp_k = setting->temp_low_k;
    in.data_cell = in.data_peri = in.tag_cell = in.tag_peri = setting->device;
    in.banks = a->banks ? a->banks : 1;
    in.rw = a->rw_ports;
    in.rd = a->read_ports;
    in.wr = a->write_ports;
    if (in.rw + in.rd + in.wr == 0)
        in.rw = 1;
    if (searched) {
        uint32_t key = bits_of(a, true, false, false), rest = bits_of(a, false, true, false);
        in.type = rest ? AMODEL_FA : AMODEL_CAM;
        in.assoc = 0;
        in.search = a->search_ports ? a->search_ports : 1;
        in.tag_bits = key;
        in.entries = (int64_t)a->entries;
        in.word_bits = in.out_bits = rest ? rest : key;
    } else if (a->kind == ARRAY_CACHE) {
        in.type = AMODEL_CACHE;
        in.assoc = a->ways;
        in.block_b = a->line_bytes;
        in.size_b = (int64_t)a->entries * a->line_bytes;
        in.out_bits = a->access_bits ? a->access_bits : 8 * (int64_t)a->line_bytes;
        in.tag_bits = bits_of(a, true, false, true); /* with state */
        in.mode = a->tags_first ? AMODEL_SEQUENTIAL : AMODEL_NORMAL;
    } else {
        uint32_t slices = a->slices ? a->slices : 1;
        int64_t access_bits = a->access_bits / slices;
        in.entries = (int64_t)a->entries;
        in.word_bits = bits_of(a, true, true, true) / slices;
        in.out_bits = access_bits && access_bits < in.word_bits ? access_bits : in.word_bits;
    }
    return in;
}

/* ---- to a cost ---- */

const char *array_org_text(const struct amodel_out *o, struct arena *mem)
{
    const struct amodel_org *d = &o->data.org, *t = &o->tag.org;
    if (d->ndwl == 0)
        return "";
    const char *text = arena_printf(mem, "%d:%d:%g:%d:%d:%d", d->ndwl, d->ndbl, d->nspd, d->ndcm,
                                    d->sam1, d->sam2);
    if (o->has_tag && t->ndwl)
        text = arena_printf(mem, "%s; tags %d:%d:%g:%d:%d:%d", text, t->ndwl, t->ndbl, t->nspd,
                            t->ndcm, t->sam1, t->sam2);
    return text;
}

unsigned array_cycles_at(const struct cost *c, double clock_ghz)
{
    double n = ceil(c->access_ns * clock_ghz - 1e-9);
    return n < 1 || !isfinite(n) ? 1 : n > 1e6 ? 1000000 : (unsigned)n;
}

void array_fill_cost(const struct array *a, const struct array_setting *setting,
                     const struct array_answer *answer, double clock_ghz, struct arena *mem,
                     struct cost *out)
{
    static const char *const devices[ARRAY_FLAVOURS] = {"HP", "LSTP", "LOP"};
    const struct amodel_out *o = &answer->cost;
    double banks = a->banks ? a->banks : 1, slices = a->slices ? a->slices : 1;
    bool is_cam = o->has_search && a->kind == ARRAY_CAM && bits_of(a, false, true, false) == 0;

    cost_clear(out);
    out->engine = answer->engine;
    out->model = answer->model;
    out->technology =
        arena_printf(mem, "%g nm ITRS %s, %g K", setting->nm, devices[setting->device],
                     setting->temp_low_k + 10 * setting->temp_share);
    const char *org = array_org_text(o, mem);
    out->note = arena_printf(mem, "%s%s%s%s%s", answer->why, org[0] ? "; organisation " : "", org,
                             setting->note[0] ? "; " : "", setting->note);
    if (slices > 1)
        out->note = arena_printf(mem, "%s; %g slices of %u bits", out->note, slices,
                                 array_bits_per_entry(a) / a->slices);
    out->area_um2[PART_ARRAY] = o->area_um2 * slices;
    out->leakage_w[PART_ARRAY] = (o->leak_w + o->gate_leak_w) * banks * slices;
    if (o->has_tag) {
        out->energy_pj[EV_ARRAY_SEARCH] = o->tag.read_j * 1e12;
        out->energy_pj[EV_ARRAY_READ] = o->data.read_j * 1e12;
        out->energy_pj[EV_ARRAY_WRITE] = (o->data.write_j + o->tag.write_j) * 1e12;
    } else {
        out->energy_pj[EV_ARRAY_READ] = o->read_j * slices * 1e12;
        out->energy_pj[EV_ARRAY_WRITE] = o->write_j * slices * 1e12;
        if (o->has_search)
            out->energy_pj[EV_ARRAY_SEARCH] = o->search_j * 1e12;
    }
    out->access_ns = (is_cam ? fmax(o->data.t_match, o->access_s) : o->access_s) * 1e9;
    out->cycle_ns = o->cycle_s * 1e9;
    out->fmax_ghz = 1 / (a->one_cycle ? out->access_ns : out->cycle_ns);
    out->meets_timing = !a->one_cycle || out->access_ns * clock_ghz <= 1;
    if (!out->meets_timing)
        out->note = arena_printf(mem, "%s; misses its one cycle of %.3f ns by %.3f ns", out->note,
                                 1 / clock_ghz, out->access_ns - 1 / clock_ghz);
}

bool array_engine_native(const struct engine_ctx *ctx, const struct array *a, double clock_ghz,
                         struct cost *out, struct err *err)
{
    struct array_setting setting = {.note = ""};
    struct array_answer answer = {.engine = ""}, hot = answer;
    const struct array_tables *tables = ctx->array_tables;
    struct where at = {a->name, 0, NULL};

    if (!array_setting_of(ctx, &setting, err))
        return false;
    struct amodel_in in = array_request_of(a, &setting);
    if (!array_cost_native(&in, ARRAY_MODEL_AUTO, tables, at, ctx->mem, &answer, err))
        return false;
    if (setting.temp_share > 0) { /* only leakage depends on temperature */
        in.temp_k = setting.temp_high_k;
        if (!array_cost_native(&in, ARRAY_MODEL_AUTO, tables, at, ctx->mem, &hot, err))
            return false;
        double k = setting.temp_share;
        answer.cost.leak_w += k * (hot.cost.leak_w - answer.cost.leak_w);
        answer.cost.gate_leak_w += k * (hot.cost.gate_leak_w - answer.cost.gate_leak_w);
    }
    array_fill_cost(a, &setting, &answer, clock_ghz, ctx->mem, out);
    return true;
}
