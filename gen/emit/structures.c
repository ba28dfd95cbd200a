/* SPDX-License-Identifier: MIT
 *
 * structures.csv: every array with entries, bits by field, bytes and ports. */
#include "base/buf.h"
#include "base/table.h"
#include "gen/emit/emit.h"

static bool write(struct emit *e, struct err *err)
{
    static const struct table_column columns[] = {
        {"name", "", -1},         {"where", "", -1},          {"kind", "", -1},
        {"entries", "", -2},      {"bits_per_entry", "", -2}, {"bits", "", -2},
        {"bytes", "", -2},        {"instances", "", -2},      {"ways", "", -2},
        {"line_bytes", "", -2},   {"banks", "", -2},          {"slices", "", -2},
        {"read_ports", "", -2},   {"write_ports", "", -2},    {"rw_ports", "", -2},
        {"search_ports", "", -2}, {"fields", "", -1}};
    struct table *t = table_new(e->mem, columns, sizeof columns / sizeof *columns);
    for (uint32_t i = 0; i < e->design->n_arrays; i++) {
        const struct array *a = &e->design->arrays[i].geometry;
        struct buf fields;
        buf_init(&fields, e->mem, 4096);
        for (uint32_t f = 0; f < a->n_fields; f++)
            buf_printf(&fields, "%s%s:%u%s", f ? " + " : "", a->fields[f].name, a->fields[f].bits,
                       a->fields[f].is_valid_bit ? " (not counted)" : "");
        table_row(t);
        table_text(t, a->name);
        table_text(t, array_scope_text(a->scope));
        table_text(t, array_kind_name(a->kind));
        table_num(t, (double)a->entries);
        table_num(t, array_bits_per_entry(a));
        table_num(t, (double)array_bits(a));
        table_num(t, (double)array_bytes(a));
        table_num(t, a->instances);
        if (a->kind == ARRAY_CACHE) {
            table_num(t, a->ways);
            table_num(t, a->line_bytes);
        } else {
            table_none(t);
            table_none(t);
        }
        table_num(t, a->banks);
        table_num(t, a->slices ? a->slices : 1);
        table_num(t, a->read_ports);
        table_num(t, a->write_ports);
        table_num(t, a->rw_ports);
        table_num(t, a->search_ports);
        table_text(t, fields.data);
    }
    struct buf b;
    buf_init(&b, e->mem, BUF_NO_MAX);
    table_write_csv(t, &b);
    return emit_text(e, "structures.csv", &b, err);
}

const struct emitter emit_structures = {
    .name = "structures",
    .meaning = "structures.csv: every array with entries, bits by field, bytes, ports",
    .write = write,
};
