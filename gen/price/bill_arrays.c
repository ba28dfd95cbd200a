/* SPDX-License-Identifier: MIT */
#include "gen/price/bill_arrays.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/table.h"
#include "energy/array/from_design.h"
#include "gen/config/read_tech.h"
#include "gen/price/scale.h"

/* Structures at the L2 and the memory controllers run at the L2's clock. */
static bool is_memory_side(const struct array *a)
{
    return a->scope == PER_LLC_SLICE || a->scope == PER_MEMORY_CONTROLLER;
}

bool array_bill_make(const struct design *design, const char *data_dir, struct arena *mem,
                     struct array_bill *out, struct err *err)
{
    const struct arch *arch = design->arch;
    const struct energy_params *e = &arch->energy;
    struct tech_params tech = arch->tech;
    struct book_class *classes = arena_many(mem, struct book_class, design->n_arrays);
    struct array_bill b = {.design = design,
                           .rows = arena_many(mem, struct array_price, design->n_arrays),
                           .n_rows = design->n_arrays};
    uint32_t n = 0, *class_of = arena_many(mem, uint32_t, design->n_arrays);

    tech.data_dir = data_dir;
    for (uint32_t i = 0; i < design->n_arrays; i++)
        if (design->arrays[i].class_id != DESIGN_NONE) {
            class_of[i] = n;
            classes[n++] = design->classes[design->arrays[i].class_id];
        }
    struct book_request r = {
        .classes = classes,
        .n_classes = n,
        .network = &engine_native,
        .arrays = array_engines[e->arrays],
        .fallback = e->fallback ? &engine_native : NULL,
        .core_ghz = arch->gpu.core_ghz,
    };
    if (r.fallback == r.arrays)
        r.fallback = NULL;
    const struct tech_tables *tables = tech_tables_read(data_dir, mem, err);
    if (!tables || !scale_volt_ratio(arch, tables, &tech.volt_ratio, err))
        return false;
    r.arrays_ctx = (struct engine_ctx){
        .tech = &tech,
        .logic_techs = tech_tables_logic(tables, &tech),
        .array_tables = &tables->arrays,
        .scaling = &tables->scaling,
        .program = e->cacti_program[0] ? e->cacti_program : NULL,
        .cache_dir = e->cache_dir[0] ? e->cache_dir : NULL,
        .timeout_s = e->timeout_s,
    };
    r.network_ctx = r.arrays_ctx;
    if (n && !book_make(&r, mem, &b.book, err))
        return false;
    for (uint32_t i = 0; i < design->n_arrays; i++) {
        const struct design_array *a = &design->arrays[i];
        struct array_price *row = &b.rows[i];
        *row = (struct array_price){.array = a, .clock_ghz = arch->gpu.core_ghz};
        if (is_memory_side(&a->geometry))
            row->clock_ghz = arch->gpu.l2_ghz;
        if (a->class_id == DESIGN_NONE)
            continue;
        row->cost = &b.book.costs[class_of[i]];
        row->cycles = array_cycles_at(row->cost, row->clock_ghz);
        row->is_late = a->geometry.one_cycle && row->cycles > 1;
    }
    *out = b;
    return true;
}

void array_bill_print(const struct array_bill *b, struct arena *mem, struct buf *out)
{
    static const struct table_column columns[] = {
        {"array", "", 0},     {"where", "", 0},    {"number", "", -2}, {"area", "mm2", 4},
        {"leakage", "mW", 3}, {"read", "pJ", 3},   {"write", "pJ", 3}, {"search", "pJ", 3},
        {"access", "ns", 3},  {"clock", "GHz", 3}, {"cycles", "", -2}, {"one cycle", "", 0},
        {"engine", "", 0},    {"model", "", 0},
    };
    struct table *t = table_new(mem, columns, sizeof columns / sizeof *columns);
    double area = 0, leak = 0;
    const char *technology = "";
    for (uint32_t i = 0; i < b->n_rows; i++) {
        const struct array_price *r = &b->rows[i];
        const struct array *a = &r->array->geometry;
        const struct cost *c = r->cost;
        table_row(t);
        table_text(t, a->name);
        table_text(t, array_scope_text(a->scope));
        table_num(t, a->instances);
        if (!c) {
            for (int k = 0; k < 9; k++)
                table_none(t);
            table_text(t, "router");
            table_none(t);
            continue;
        }
        technology = c->technology;
        area += a->instances * cost_area_um2(c) * 1e-6;
        leak += a->instances * cost_leakage_w(c);
        table_num(t, cost_area_um2(c) * 1e-6);
        table_num(t, cost_leakage_w(c) * 1e3);
        table_num(t, c->energy_pj[EV_ARRAY_READ]);
        table_num(t, c->energy_pj[EV_ARRAY_WRITE]);
        table_num(t, c->energy_pj[EV_ARRAY_SEARCH]);
        table_num(t, c->access_ns);
        table_num(t, r->clock_ghz);
        table_num(t, r->cycles);
        table_text(t, !a->one_cycle ? "-" : r->is_late ? "MISSED" : "yes");
        table_text(t, c->engine);
        table_text(t, c->model);
    }
    buf_printf(
        out,
        "\narrays (%s); area, leakage and energy of one; sum of all: %.3f mm2, %.3f W leakage\n",
        technology, area, leak);
    table_write_text(t, out);
    for (uint32_t i = 0; i < b->n_rows; i++)
        if (b->rows[i].cost)
            buf_printf(out, "%s: %s\n", b->rows[i].array->geometry.name, b->rows[i].cost->note);
        else
            buf_printf(out, "%s: priced with the router\n", b->rows[i].array->geometry.name);
}

void array_bill_print_brief(const struct array_bill *b, struct buf *out)
{
    double area = 0, leak = 0;
    uint32_t n = 0;
    for (uint32_t i = 0; i < b->n_rows; i++) {
        const struct cost *c = b->rows[i].cost;
        if (!c)
            continue;
        area += b->rows[i].array->geometry.instances * cost_area_um2(c) * 1e-6;
        leak += b->rows[i].array->geometry.instances * cost_leakage_w(c);
        n++;
    }
    buf_printf(
        out,
        "%u kinds of arrays beside the networks: %.2f mm2, %.2f W leakage; everything: --all; "
        "for programs: --json\n",
        n, area, leak);
    for (uint32_t i = 0; i < b->n_rows; i++)
        if (b->rows[i].cost && b->rows[i].is_late)
            buf_printf(out, "%s has to answer in a cycle and takes %u\n",
                       b->rows[i].array->geometry.name, b->rows[i].cycles);
}

json_t *array_bill_json(const struct array_bill *b)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < b->n_rows; i++) {
        const struct array_price *r = &b->rows[i];
        const struct array *a = &r->array->geometry;
        const struct cost *c = r->cost;
        json_t *o = json_object();
        json_object_set_new(o, "array", json_string(a->name));
        json_object_set_new(o, "where", json_string(array_scope_text(a->scope)));
        json_object_set_new(o, "instances", json_integer(a->instances));
        if (c) {
            json_object_set_new(o, "engine", json_string(c->engine));
            json_object_set_new(o, "model", json_string(c->model));
            json_object_set_new(o, "technology", json_string(c->technology));
            json_object_set_new(o, "why", json_string(c->note));
            json_object_set_new(o, "area_mm2", json_num(cost_area_um2(c) * 1e-6));
            json_object_set_new(o, "leakage_mw", json_num(cost_leakage_w(c) * 1e3));
            json_object_set_new(o, "read_pj", json_num(c->energy_pj[EV_ARRAY_READ]));
            json_object_set_new(o, "write_pj", json_num(c->energy_pj[EV_ARRAY_WRITE]));
            if (isfinite(c->energy_pj[EV_ARRAY_SEARCH]))
                json_object_set_new(o, "search_pj", json_num(c->energy_pj[EV_ARRAY_SEARCH]));
            json_object_set_new(o, "access_ns", json_num(c->access_ns));
            json_object_set_new(o, "cycle_ns", json_num(c->cycle_ns));
            json_object_set_new(o, "clock_ghz", json_num(r->clock_ghz));
            json_object_set_new(o, "cycles", json_integer(r->cycles));
            if (a->one_cycle)
                json_object_set_new(o, "meets_one_cycle", json_boolean(!r->is_late));
        } else {
            json_object_set_new(o, "priced_with", json_string("router"));
        }
        json_array_append_new(list, o);
    }
    return list;
}
