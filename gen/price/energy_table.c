/* SPDX-License-Identifier: MIT */
#include "gen/price/energy_table.h"

#include <libconfig.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/near.h"
#include "base/table.h"
#include "base/vec.h"
#include "gen/config/setting.h"

bool energy_table_form(const char *path, enum table_form *out, struct err *err)
{
    static const struct {
        const char *ending;
        enum table_form form;
    } forms[] = {{".csv", TABLE_CSV}, {".json", TABLE_JSON}, {".cfg", TABLE_LIBCONFIG}};
    size_t n = strlen(path);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        size_t m = strlen(forms[i].ending);
        if (n > m && strcmp(path + n - m, forms[i].ending) == 0) {
            *out = forms[i].form;
            return true;
        }
    }
    return err_add(err, ERR_INPUT, AT_FILE(path),
                   "an energy table ends in .csv, .json or .cfg (libconfig)");
}

/* ---- writing --------------------------------------------------------------------------------- */

static const struct table_column columns[] = {
    {"component", "", 0},     {"group", "", 0},        {"kind", "", 0},
    {"instances", "", -2},    {"event", "", 0},        {"energy_pj", "pJ", -1},
    {"leakage_mw", "mW", -1}, {"area_mm2", "mm2", -1}, {"wire_area_mm2", "mm2", -1},
    {"engine", "", 0},        {"technology", "", 0},
};

static void begin_row(struct table *t, const struct book_class *cls, const char *event)
{
    table_row(t);
    table_text(t, cls->name);
    table_text(t, cls->group);
    table_text(t, component_kind_text(cls->kind));
    table_num(t, cls->instances);
    table_text(t, event);
}

static struct table *rows(const struct book *book, struct arena *mem)
{
    struct table *t = table_new(mem, columns, sizeof columns / sizeof *columns);
    for (uint32_t k = 0; k < book->n_classes; k++) {
        const struct book_class *cls = &book->classes[k];
        const struct cost *c = &book->costs[k];
        begin_row(t, cls, "static");
        table_none(t);
        table_num(t, 1e3 * cost_leakage_w(c));
        table_num(t, 1e-6 * cost_area_um2(c));
        table_num(t, 1e-6 * c->wire_area_um2);
        table_text(t, c->engine);
        table_text(t, c->technology);
        for (int e = 0; e < EV_COUNT; e++) {
            if (isnan(c->energy_pj[e]))
                continue;
            begin_row(t, cls, event_id((enum sim_event)e));
            table_num(t, c->energy_pj[e]);
            table_none(t), table_none(t), table_none(t);
            table_text(t, c->engine);
            table_text(t, c->technology);
        }
    }
    return t;
}

/* libconfig takes a number for a real one only if it has a point or an exponent. */
static void add_real(struct buf *out, double v)
{
    size_t from = out->len;
    buf_add_double(out, v);
    if (!strpbrk(out->data + from, ".en"))
        buf_add(out, ".0");
}

static void add_parts(struct buf *out, const char *name, const double parts[PART_COUNT],
                      double unit)
{
    buf_printf(out, "      %s = { ", name);
    for (int p = 0; p < PART_COUNT; p++) {
        if (parts[p] != 0) {
            buf_printf(out, "%s = ", cost_part_name((enum cost_part)p));
            add_real(out, parts[p] * unit);
            buf_add(out, "; ");
        }
    }
    buf_add(out, "};\n");
}

static void write_libconfig(const struct book *book, struct buf *out)
{
    buf_add(out,
            "// Energy table: prices of every class of components. Edit, then use it with\n"
            "// energy.table = \"this file\". Energies in pJ per event, leakage in mW and area\n"
            "// in mm2 per instance.\n"
            "classes = (\n");
    for (uint32_t k = 0; k < book->n_classes; k++) {
        const struct book_class *cls = &book->classes[k];
        const struct cost *c = &book->costs[k];
        buf_add(out, "    { component = ");
        setting_add_text(out, cls->name);
        buf_add(out, ";\n      group = ");
        setting_add_text(out, cls->group);
        buf_printf(out, ";\n      instances = %u;\n      engine = ", cls->instances);
        setting_add_text(out, c->engine);
        buf_add(out, ";\n      technology = ");
        setting_add_text(out, c->technology);
        buf_add(out, ";\n");
        add_parts(out, "leakage_mw", c->leakage_w, 1e3);
        add_parts(out, "area_mm2", c->area_um2, 1e-6);
        buf_add(out, "      wire_area_mm2 = ");
        add_real(out, c->wire_area_um2 * 1e-6);
        buf_add(out, ";\n      energy_pj = {");
        for (int e = 0; e < EV_COUNT; e++) {
            if (isnan(c->energy_pj[e]) || event_saves((enum sim_event)e))
                continue;
            buf_printf(out, "\n          %s = ", event_id((enum sim_event)e));
            add_real(out, c->energy_pj[e]);
            buf_putc(out, ';');
        }
        buf_printf(out, "\n      };\n    }%s\n", k + 1 < book->n_classes ? "," : "");
    }
    buf_add(out, ");\n");
}

void energy_table_write(const struct book *book, enum table_form form, struct arena *mem,
                        struct buf *out)
{
    if (form == TABLE_LIBCONFIG) {
        write_libconfig(book, out);
    } else if (form == TABLE_CSV) {
        table_write_csv(rows(book, mem), out);
    } else {
        json_t *j = table_json(rows(book, mem));
        char *text = json_dumps(j, JSON_INDENT(1));
        buf_add(out, text);
        buf_putc(out, '\n');
        free(text);
        json_decref(j);
    }
}

/* ---- reading --------------------------------------------------------------------------------- */

struct reader {
    const char *file;
    struct arena *mem;
    struct err *err;
    struct book *book;
    bool ok;
};

static struct where place(const struct reader *r, const config_setting_t *s)
{
    return (struct where){r->file, (int)config_setting_source_line(s), config_setting_name(s)};
}

static bool number(struct reader *r, const config_setting_t *s, double *out)
{
    if (!setting_is_number(s))
        return r->ok = err_add(r->err, ERR_INPUT, place(r, s), "expected a number, found %s",
                               setting_type_name(s));
    double v = setting_number(s);
    if (!isfinite(v) || v < 0)
        return r->ok = err_add(r->err, ERR_INPUT, place(r, s), "%g is not a price", v);
    *out = v;
    return true;
}

static void read_parts(struct reader *r, config_setting_t *group, double parts[PART_COUNT],
                       double unit)
{
    for (int p = 0; p < PART_COUNT; p++)
        parts[p] = 0;
    for (int i = 0; group && i < config_setting_length(group); i++) {
        config_setting_t *s = config_setting_get_elem(group, (unsigned)i);
        int p = 0;
        while (p < PART_COUNT &&
               strcmp(cost_part_name((enum cost_part)p), config_setting_name(s)) != 0)
            p++;
        if (p == PART_COUNT)
            r->ok = err_add(r->err, ERR_INPUT, place(r, s), "there is no such part");
        else if (number(r, s, &parts[p]))
            parts[p] *= unit;
    }
}

/* Events of the table and events of the class must be the same. */
static void read_events(struct reader *r, const struct book_class *cls,
                        const config_setting_t *group, const struct cost *old, struct cost *c)
{
    bool seen[EV_COUNT] = {false};
    for (int i = 0; i < config_setting_length(group); i++) {
        config_setting_t *s = config_setting_get_elem(group, (unsigned)i);
        int e = 0;
        while (e < EV_COUNT && strcmp(event_id((enum sim_event)e), config_setting_name(s)) != 0)
            e++;
        if (e < EV_COUNT && event_saves((enum sim_event)e))
            continue; /* follows from the others */
        if (e == EV_COUNT || isnan(old->energy_pj[e])) {
            r->ok = err_add(r->err, ERR_INPUT, place(r, s), "'%s' counts no such event", cls->name);
            continue;
        }
        seen[e] = number(r, s, &c->energy_pj[e]);
    }
    for (int e = 0; r->ok && e < EV_COUNT; e++) {
        if (!isnan(old->energy_pj[e]) && !seen[e])
            r->ok = err_add(r->err, ERR_INPUT, place(r, group), "'%s' counts %s, which has no row",
                            cls->name, event_id((enum sim_event)e));
    }
}

static config_setting_t *member(struct reader *r, const config_setting_t *group, const char *name,
                                int type)
{
    config_setting_t *s = config_setting_get_member(group, name);
    if (!s || config_setting_type(s) != type) {
        r->ok = err_add(r->err, ERR_INPUT, place(r, s ? s : group), "%s '%s' is %s",
                        type == CONFIG_TYPE_GROUP ? "group" : "value", name,
                        s ? "of another type" : "missing");
        return NULL;
    }
    return s;
}

static void read_class(struct reader *r, const config_setting_t *group, bool *seen)
{
    config_setting_t *name = member(r, group, "component", CONFIG_TYPE_STRING);
    config_setting_t *instances = member(r, group, "instances", CONFIG_TYPE_INT);
    config_setting_t *energies = member(r, group, "energy_pj", CONFIG_TYPE_GROUP);
    if (!name || !instances || !energies)
        return;
    const char *wanted = config_setting_get_string(name);
    VEC(const char *) names = {0};
    uint32_t k = 0;
    for (uint32_t i = 0; i < r->book->n_classes; i++)
        vec_push(r->mem, &names, r->book->classes[i].name);
    while (k < names.n && strcmp(names.at[k], wanted) != 0)
        k++;
    if (k == names.n) {
        const char *near = near_hint(wanted, names.at, names.n, r->mem);
        r->ok =
            err_add(r->err, ERR_INPUT, place(r, name), "the design has no '%s'%s", wanted, near);
        return;
    }
    if (seen[k])
        r->ok = err_add(r->err, ERR_INPUT, place(r, name), "'%s' has a row already", wanted);
    seen[k] = true;
    const struct book_class *cls = &r->book->classes[k];
    if (config_setting_get_int64(instances) != cls->instances)
        r->ok = err_add(r->err, ERR_INPUT, place(r, instances),
                        "the design has %u x '%s': the table is another design's", cls->instances,
                        wanted);
    struct cost old = r->book->costs[k], *c = &r->book->costs[k];
    c->engine = "user";
    c->note = arena_printf(r->mem, "from %s", r->file);
    read_parts(r, config_setting_get_member(group, "leakage_mw"), c->leakage_w, 1e-3);
    read_parts(r, config_setting_get_member(group, "area_mm2"), c->area_um2, 1e6);
    config_setting_t *wire = config_setting_get_member(group, "wire_area_mm2");
    if (wire && number(r, wire, &c->wire_area_um2))
        c->wire_area_um2 *= 1e6;
    read_events(r, cls, energies, &old, c);
}

static bool read_classes(struct reader *r, const config_t *config)
{
    const config_setting_t *list = config_lookup(config, "classes");
    if (!list || config_setting_type(list) != CONFIG_TYPE_LIST)
        return err_add(r->err, ERR_INPUT, AT_FILE(r->file),
                       "an energy table has a list 'classes = ( … );'");
    bool *seen = arena_many(r->mem, bool, r->book->n_classes);
    for (int i = 0; i < config_setting_length(list); i++) {
        const config_setting_t *s = config_setting_get_elem(list, (unsigned)i);
        if (config_setting_type(s) == CONFIG_TYPE_GROUP)
            read_class(r, s, seen);
        else
            r->ok = err_add(r->err, ERR_INPUT, place(r, s), "expected a group { … }");
    }
    for (uint32_t k = 0; r->ok && k < r->book->n_classes; k++) {
        if (!seen[k])
            r->ok = err_add(r->err, ERR_INPUT, AT_FILE(r->file), "'%s' has no row",
                            r->book->classes[k].name);
    }
    return r->ok;
}

bool energy_table_read(const char *path, struct arena *mem, struct book *book, struct err *err)
{
    config_t config;
    struct book fresh = *book;
    fresh.costs = arena_many(mem, struct cost, book->n_classes);
    if (book->n_classes)
        memcpy(fresh.costs, book->costs, book->n_classes * sizeof *fresh.costs);
    struct reader r = {.file = path, .mem = mem, .err = err, .book = &fresh, .ok = true};
    bool ok = setting_read(path, mem, &config, err) && read_classes(&r, &config);
    config_destroy(&config);
    if (ok)
        *book = fresh;
    return ok;
}
