/* SPDX-License-Identifier: MIT */
#include "gen/design/show.h"

#include "base/buf.h"
#include "base/table.h"

void show_add_counts(const struct design *d, struct noc_counts *out, struct arena *mem)
{
    *out = d->request_counts;
    if (d->has_reply)
        noc_count_add(out, &d->reply_counts, mem);
}

/* Routers of equal size, with or without a routing unit; 0 if an earlier shape has counted them. */
static uint32_t shape_count(const struct noc_counts *c, uint32_t i)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < c->n_shapes; k++) {
        if (c->shapes[k].inputs != c->shapes[i].inputs ||
            c->shapes[k].outputs != c->shapes[i].outputs)
            continue;
        if (k < i)
            return 0;
        n += c->shapes[k].count;
    }
    return n;
}

void show_add_shapes(const struct noc_counts *counts, struct buf *out)
{
    for (uint32_t i = 0; i < counts->n_shapes; i++) {
        uint32_t n = shape_count(counts, i);
        if (n)
            buf_printf(out, "%s%u of %ux%u", i ? ", " : "", n, counts->shapes[i].inputs,
                       counts->shapes[i].outputs);
    }
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void set_counts(json_t *o, const struct noc_counts *c)
{
    json_object_set_new(o, "routers", json_integer(c->routers));
    json_object_set_new(o, "vc_buffers", json_integer(c->vc_buffers));
    json_object_set_new(o, "links", json_integer(c->links));
    json_t *crossbars = json_array();
    for (uint32_t i = 0; i < c->n_shapes; i++) {
        uint32_t count = shape_count(c, i);
        if (!count)
            continue;
        json_t *x = json_object();
        json_object_set_new(x, "inputs", json_integer(c->shapes[i].inputs));
        json_object_set_new(x, "outputs", json_integer(c->shapes[i].outputs));
        json_object_set_new(x, "count", json_integer(count));
        json_array_append_new(crossbars, x);
    }
    json_object_set_new(o, "crossbars", crossbars);
}

static json_t *net_json(const struct noc *noc, const struct noc_params *params,
                        const struct noc_counts *counts, const struct noc_facts *facts)
{
    json_t *o = json_object();
    set_counts(o, counts);
    json_object_set_new(o, "topology", json_string(noc->topology));
    json_object_set_new(o, "routing", json_string(params->routing ? params->routing : ""));
    json_object_set_new(o, "width_bits", json_integer(noc->width_bits));
    json_object_set_new(o, "vcs", json_integer(noc->vcs));
    json_object_set_new(o, "vc_depth", json_integer(noc->vc_depth));
    json_object_set_new(o, "min_hops", json_integer(facts->min_hops));
    json_object_set_new(o, "mean_hops", json_num(facts->mean_hops));
    json_object_set_new(o, "max_hops", json_integer(facts->max_hops));
    json_object_set_new(o, "bisection_bits", json_integer((json_int_t)facts->bisection_bits));
    json_object_set_new(o, "bisection_is_exact", json_boolean(facts->bisection_is_exact));
    json_object_set_new(o, "injection_bits", json_integer((json_int_t)facts->injection_bits));
    json_object_set_new(o, "ejection_bits", json_integer((json_int_t)facts->ejection_bits));
    json_object_set_new(o, "deadlock_free", json_boolean(facts->is_deadlock_free));
    return o;
}

static json_t *noc_json(const struct design *d)
{
    struct arena mem;
    arena_init(&mem, NULL, NULL);
    struct noc_counts sum;
    show_add_counts(d, &sum, &mem);
    json_t *o = json_object();
    json_object_set_new(o, "topology", json_string(design_topology(d, &mem)));
    set_counts(o, &sum);
    json_object_set_new(
        o, "request",
        net_json(&d->request, &d->request_params, &d->request_counts, &d->request_facts));
    if (d->has_reply)
        json_object_set_new(
            o, "reply", net_json(&d->reply, &d->reply_params, &d->reply_counts, &d->reply_facts));
    arena_free(&mem);
    return o;
}

static json_t *array_json(const struct array *a)
{
    json_t *o = json_object();
    json_object_set_new(o, "name", json_string(a->name));
    json_object_set_new(o, "where", json_string(array_scope_text(a->scope)));
    json_object_set_new(o, "kind", json_string(array_kind_name(a->kind)));
    json_object_set_new(o, "entries", json_integer((json_int_t)a->entries));
    json_object_set_new(o, "bits_per_entry", json_integer(array_bits_per_entry(a)));
    json_t *fields = json_array();
    for (uint32_t i = 0; i < a->n_fields; i++) {
        const struct array_field *f = &a->fields[i];
        json_t *x = json_object();
        json_object_set_new(x, "name", json_string(f->name));
        json_object_set_new(x, "bits", json_integer(f->bits));
        json_object_set_new(x, "searched", json_boolean(f->is_searched));
        json_object_set_new(x, "counted", json_boolean(!f->is_valid_bit));
        json_array_append_new(fields, x);
    }
    json_object_set_new(o, "fields", fields);
    json_object_set_new(o, "bits", json_integer((json_int_t)array_bits(a)));
    json_object_set_new(o, "bytes", json_integer((json_int_t)array_bytes(a)));
    json_object_set_new(o, "instances", json_integer(a->instances));
    json_object_set_new(o, "banks", json_integer(a->banks));
    json_object_set_new(o, "slices", json_integer(a->slices ? a->slices : 1));
    if (a->kind == ARRAY_CACHE)
        json_object_set_new(o, "ways", json_integer(a->ways));
    json_object_set_new(o, "read_ports", json_integer(a->read_ports));
    json_object_set_new(o, "write_ports", json_integer(a->write_ports));
    json_object_set_new(o, "rw_ports", json_integer(a->rw_ports));
    json_object_set_new(o, "search_ports", json_integer(a->search_ports));
    return o;
}

json_t *show_json(const struct design *d)
{
    json_t *o = json_object();
    json_object_set_new(o, "file", json_text(d->arch->file));
    json_object_set_new(o, "sms", json_integer(d->arch->gpu.n_sms));
    json_object_set_new(o, "clusters", json_integer(d->arch->gpu.n_clusters));
    json_object_set_new(o, "llc_slices", json_integer(d->arch->llc.slices));
    json_object_set_new(o, "memory_controllers", json_integer(d->arch->dram.controllers));
    json_object_set_new(o, "noc", noc_json(d));
    json_t *arrays = json_array();
    for (uint32_t i = 0; i < d->n_arrays; i++)
        json_array_append_new(arrays, array_json(&d->arrays[i].geometry));
    json_object_set_new(o, "arrays", arrays);
    json_t *die = json_object();
    json_object_set_new(die, "width_mm", json_num(d->floorplan.width_mm));
    json_object_set_new(die, "height_mm", json_num(d->floorplan.height_mm));
    json_object_set_new(o, "floorplan", die);
    json_object_set_new(o, "components", json_integer(d->n_components));
    json_object_set_new(o, "classes", json_integer(d->n_classes));
    return o;
}

/* ---- tables ---------------------------------------------------------------------------------- */

static void add_net_row(struct table *t, const char *name, const struct noc_counts *c,
                        const struct noc_facts *f, struct arena *mem)
{
    struct buf shapes;
    buf_init(&shapes, mem, 4096);
    show_add_shapes(c, &shapes);
    table_row(t);
    table_text(t, name);
    table_num(t, c->routers);
    table_num(t, c->vc_buffers);
    table_num(t, c->links);
    if (f) {
        table_text(t, f->min_hops == f->max_hops
                          ? arena_printf(mem, "%u", f->min_hops)
                          : arena_printf(mem, "%u..%u, mean %.2f", f->min_hops, f->max_hops,
                                         f->mean_hops));
        table_text(t, arena_printf(mem, "%llu%s", (unsigned long long)f->bisection_bits,
                                   f->bisection_is_exact ? "" : " (best cut found)"));
        table_num(t, (double)f->injection_bits);
        table_num(t, (double)f->ejection_bits);
        table_text(t, f->is_deadlock_free ? "none possible" : "possible");
    } else {
        for (int i = 0; i < 5; i++)
            table_none(t);
    }
    table_text(t, shapes.data);
}

void show_networks(const struct design *d, struct buf *out)
{
    static const struct table_column columns[] = {
        {"network", "", -1},      {"routers", "", -2},     {"VC buffers", "", -2},
        {"links", "", -2},        {"hops", "", -1},        {"bisection", "bit", -1},
        {"injection", "bit", -2}, {"ejection", "bit", -2}, {"deadlock", "", -1},
        {"crossbars", "", -1}};
    struct table *t = table_new(out->mem, columns, 10);
    add_net_row(t, d->has_reply ? "request" : "both", &d->request_counts, &d->request_facts,
                out->mem);
    if (d->has_reply) {
        struct noc_counts sum;
        show_add_counts(d, &sum, out->mem);
        add_net_row(t, "reply", &d->reply_counts, &d->reply_facts, out->mem);
        table_rule(t);
        add_net_row(t, "sum", &sum, NULL, out->mem);
    }
    table_write_text(t, out);
}

static const char *fields_text(const struct array *a, struct arena *mem)
{
    struct buf b;
    buf_init(&b, mem, 4096);
    for (uint32_t i = 0; i < a->n_fields; i++) {
        const struct array_field *f = &a->fields[i];
        buf_printf(&b, "%s%s %u%s", i ? ", " : "", f->name, f->bits,
                   f->is_valid_bit ? " (not counted)" : "");
    }
    return b.data;
}

void show_arrays(const struct design *d, struct buf *out)
{
    static const struct table_column columns[] = {
        {"array", "", -1}, {"where", "", -1}, {"kind", "", -1},      {"entries", "", -2},
        {"bits", "", -2},  {"bytes", "", -2}, {"instances", "", -2}, {"fields", "bit", -1}};
    struct table *t = table_new(out->mem, columns, 8);
    for (uint32_t i = 0; i < d->n_arrays; i++) {
        const struct array *a = &d->arrays[i].geometry;
        table_row(t);
        table_text(t, a->name);
        table_text(t, array_scope_text(a->scope));
        table_text(t, array_kind_name(a->kind));
        table_num(t, (double)a->entries);
        table_num(t, array_bits_per_entry(a));
        table_num(t, (double)array_bytes(a));
        table_num(t, a->instances);
        table_text(t, fields_text(a, out->mem));
    }
    table_write_text(t, out);
}
