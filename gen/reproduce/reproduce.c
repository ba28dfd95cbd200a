/* SPDX-License-Identifier: MIT */
#include "gen/reproduce/reproduce.h"

#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/table.h"

/* ---- words ----------------------------------------------------------------------------------- */

static bool has_baseline(const struct claim *c)
{
    return strcmp(c->baseline, "-") != 0;
}

/* "IPC, DB+ICC against distributed, mean" */
const char *reproduce_what(const struct claim *c, struct arena *mem)
{
    struct buf b;
    buf_init(&b, mem, 1 << 12);
    buf_printf(&b, "%s, %s", c->metric, c->configuration);
    if (has_baseline(c))
        buf_printf(&b, " against %s", c->baseline);
    if (strcmp(c->workload, "-") != 0)
        buf_printf(&b, ", %s", c->workload);
    return b.data;
}

static const char *figure(const struct claim *c, struct arena *mem)
{
    return c->figure[0] == 'T' ? arena_printf(mem, "Table %s", c->figure + 1) : c->figure;
}

static const char *verdict(const struct answer *a)
{
    static const char *const words[] = {"", "equal", "differs", "holds", "does not hold"};
    return words[a->verdict];
}

const char *reproduce_with_unit(const char *value, const struct claim *c, struct arena *mem)
{
    static const char *const silent[] = {"-", "ids", "order", "count"};
    for (size_t i = 0; i < sizeof silent / sizeof *silent; i++) {
        if (strcmp(c->unit, silent[i]) == 0)
            return value;
    }
    return arena_printf(mem, "%s %s", value, c->unit);
}

/* "+3.1" in the claim's unit, or the verdict. */
const char *reproduce_difference(const struct answer *a, struct arena *mem)
{
    if (a->state != ANSWER_OURS)
        return "";
    if (a->verdict != VERDICT_NONE)
        return verdict(a);
    if (isnan(a->difference))
        return "";
    double d = fabs(a->difference);
    return arena_printf(mem, d >= 100 ? "%+.0f" : d >= 10 ? "%+.1f" : "%+.2f", a->difference);
}

/* "11", "10 of 11" */
static const char *programs(const struct answer *a, struct arena *mem)
{
    if (a->n_parts == 0)
        return "";
    if (a->n_have == a->n_parts)
        return a->n_parts == 1 ? a->parts[0].workload : arena_printf(mem, "%zu", a->n_parts);
    return arena_printf(mem, "%zu of %zu", a->n_have, a->n_parts);
}

/* ---- text ------------------------------------------------------------------------------------ */

size_t reproduce_count(const struct reproduction *r, enum answer_state state)
{
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++)
        n += r->answers[i].state == state;
    return n;
}

static bool is_long(const struct answer *a)
{
    return strlen(a->claim->value) > 24 || (a->text && strlen(a->text) > 24);
}

/* Claims that are missing for the same reason stand in one line. */
static void add_missing(const struct reproduction *r, struct buf *out)
{
    for (size_t i = 0; i < r->n; i++) {
        const struct answer *a = &r->answers[i];
        bool is_first = a->state != ANSWER_OURS && a->why;
        for (size_t k = 0; is_first && k < i; k++) {
            const struct answer *b = &r->answers[k];
            is_first = b->state == ANSWER_OURS || !b->why || strcmp(a->why, b->why) != 0;
        }
        if (!is_first)
            continue;
        buf_printf(out, "%s: %s:", a->text, a->why);
        for (size_t k = i; k < r->n; k++) {
            const struct answer *b = &r->answers[k];
            if (b->state != ANSWER_OURS && b->why && strcmp(a->why, b->why) == 0)
                buf_printf(out, " %s", b->claim->id);
        }
        buf_putc(out, '\n');
    }
}

/* Texts that do not fit a column: placements, reasons, missing programs. */
static void add_remarks(const struct reproduction *r, struct buf *out)
{
    for (size_t i = 0; i < r->n; i++) {
        const struct answer *a = &r->answers[i];
        if (is_long(a))
            buf_printf(out, "%s: paper %s\n%*s  ours  %s\n", a->claim->id, a->claim->value,
                       (int)strlen(a->claim->id), "", a->text);
        if (a->state != ANSWER_OURS)
            continue;
        if (a->why)
            buf_printf(out, "%s: %s\n", a->claim->id, a->why);
        for (size_t p = 0; p < a->n_parts; p++) {
            if (a->parts[p].why_not)
                buf_printf(out, "%s: without %s: %s\n", a->claim->id, a->parts[p].workload,
                           a->parts[p].why_not);
        }
    }
    add_missing(r, out);
}

void reproduce_text(const struct reproduction *r, struct arena *mem, struct buf *out)
{
    static const struct table_column columns[] = {
        {"claim", "", -1}, {"figure", "", -1},     {"what", "", -1},     {"paper", "", -1},
        {"ours", "", -1},  {"difference", "", -1}, {"workloads", "", -1}};
    struct table *t = table_new(mem, columns, 7);
    size_t exact = 0, equal = 0;
    for (size_t i = 0; i < r->n; i++) {
        const struct answer *a = &r->answers[i];
        exact += a->claim->measure == CLAIM_EXACT;
        equal += a->claim->measure == CLAIM_EXACT && a->verdict == VERDICT_EQUAL;
        table_row(t);
        table_text(t, a->claim->id);
        table_text(t, figure(a->claim, mem));
        table_text(t, reproduce_what(a->claim, mem));
        table_text(t, is_long(a) ? "(below)" : reproduce_with_unit(a->claim->value, a->claim, mem));
        table_text(t, is_long(a) ? "(below)" : a->text);
        table_text(t, reproduce_difference(a, mem));
        table_text(t, programs(a, mem));
    }
    for (size_t i = 0; i < r->n_figures; i++)
        figure_text(&r->figures[i], mem, out);
    buf_printf(out, "%s\n", r->experiment->title);
    if (r->n == 0) {
        buf_add(out, "no claim gives a number of it\n");
        if (r->scaled_down[0])
            buf_printf(out, "%s\n", r->scaled_down);
        if (r->assumptions[0])
            buf_printf(out, "assumes %s\n", r->assumptions);
        return;
    }
    table_write_text(t, out);
    buf_putc(out, '\n');
    add_remarks(r, out);
    buf_printf(out, "%zu claims: %zu answered, %zu not measured, %zu left out; ", r->n,
               reproduce_count(r, ANSWER_OURS), reproduce_count(r, ANSWER_NOT_MEASURED),
               reproduce_count(r, ANSWER_LEFT_OUT));
    buf_printf(out, "%zu of %zu exact ones are equal\n", equal, exact);
    if (r->scaled_down[0])
        buf_printf(out, "%s\n", r->scaled_down);
    if (r->assumptions[0])
        buf_printf(out, "assumes %s\n", r->assumptions);
}

/* ---- data ------------------------------------------------------------------------------------ */

static const char *state_name(const struct answer *a)
{
    static const char *const names[] = {"measured", "not measured", "left out"};
    return names[a->state];
}

void reproduce_csv(const struct reproduction *r, struct arena *mem, struct buf *out)
{
    static const struct table_column columns[] = {{"id", "", -1},
                                                  {"section_or_figure", "", -1},
                                                  {"kind", "", -1},
                                                  {"workload", "", -1},
                                                  {"metric", "", -1},
                                                  {"configuration", "", -1},
                                                  {"baseline", "", -1},
                                                  {"unit", "", -1},
                                                  {"paper", "", -1},
                                                  {"ours", "", -1},
                                                  {"difference", "", -1},
                                                  {"verdict", "", -1},
                                                  {"state", "", -1},
                                                  {"workloads", "", -1},
                                                  {"workloads_wanted", "", -1},
                                                  {"remark", "", -1}};
    struct table *t = table_new(mem, columns, 16);
    for (size_t i = 0; i < r->n; i++) {
        const struct answer *a = &r->answers[i];
        const struct claim *c = a->claim;
        const char *texts[] = {c->id,       c->section, c->kind,
                               c->workload, c->metric,  c->configuration,
                               c->baseline, c->unit,    c->value};
        table_row(t);
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
            table_text(t, texts[k]);
        if (a->state != ANSWER_OURS)
            table_none(t);
        else if (isnan(a->value))
            table_text(t, a->text);
        else
            table_num(t, a->value);
        table_num(t, a->difference);
        table_text(t, verdict(a));
        table_text(t, state_name(a));
        table_num(t, (double)a->n_have);
        table_num(t, (double)a->n_parts);
        table_text(t, a->why ? a->why : "");
    }
    table_write_csv(t, out);
}

void reproduce_parts_csv(const struct reproduction *r, struct arena *mem, struct buf *out)
{
    static const struct table_column columns[] = {{"id", "", -1},
                                                  {"workload", "", -1},
                                                  {"ours", "", -1},
                                                  {"unit", "", -1},
                                                  {"remark", "", -1}};
    struct table *t = table_new(mem, columns, 5);
    for (size_t i = 0; i < r->n; i++) {
        for (size_t p = 0; p < r->answers[i].n_parts; p++) {
            const struct answer_part *part = &r->answers[i].parts[p];
            table_row(t);
            table_text(t, r->answers[i].claim->id);
            table_text(t, part->workload);
            table_num(t, part->value);
            table_text(t, r->answers[i].claim->unit);
            table_text(t, part->why_not ? part->why_not : "");
        }
    }
    table_write_csv(t, out);
}

static json_t *answer_json(const struct answer *a)
{
    const struct claim *c = a->claim;
    json_t *o = json_object(), *parts = json_array();
    const struct {
        const char *key, *value;
    } texts[] = {{"id", c->id},
                 {"figure", c->figure},
                 {"section", c->section},
                 {"kind", c->kind},
                 {"workload", c->workload},
                 {"metric", c->metric},
                 {"configuration", c->configuration},
                 {"baseline", c->baseline},
                 {"unit", c->unit},
                 {"paper", c->value},
                 {"state", state_name(a)},
                 {"verdict", verdict(a)}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        json_object_set_new(o, texts[i].key, json_string(texts[i].value));
    json_object_set_new(o, "ours",
                        a->state != ANSWER_OURS ? json_null()
                        : isnan(a->value)       ? json_string(a->text)
                                                : json_num(a->value));
    json_object_set_new(o, "difference", json_num(a->difference));
    json_object_set_new(o, "remark", a->why ? json_string(a->why) : json_null());
    for (size_t i = 0; i < a->n_parts; i++) {
        json_t *p = json_object();
        json_object_set_new(p, "workload", json_string(a->parts[i].workload));
        json_object_set_new(p, "ours", json_num(a->parts[i].value));
        if (a->parts[i].why_not)
            json_object_set_new(p, "missing", json_string(a->parts[i].why_not));
        json_array_append_new(parts, p);
    }
    json_object_set_new(o, "workloads", parts);
    return o;
}

json_t *reproduce_json(const struct reproduction *r)
{
    json_t *j = json_object(), *list = json_array();
    for (size_t i = 0; i < r->n; i++)
        json_array_append_new(list, answer_json(&r->answers[i]));
    json_object_set_new(j, "paper", json_string(r->experiment->name));
    json_object_set_new(j, "title", json_string(r->experiment->title));
    json_object_set_new(j, "version", json_string(r->version));
    json_object_set_new(j, "command_line", json_string(r->command_line));
    json_object_set_new(j, "preset", json_string(r->preset));
    json_object_set_new(j, "scaled_down", json_string(r->scaled_down));
    if (r->assumptions[0])
        json_object_set_new(j, "assumptions", json_text(r->assumptions));
    json_object_set_new(j, "claims", list);
    json_t *machines = json_array();
    for (size_t i = 0; i < r->n_machines; i++) {
        const struct reproduction_machine *m = &r->machines[i];
        json_t *o = json_object();
        json_object_set_new(o, "name", json_string(m->name));
        json_object_set_new(o, "file", json_text(m->file));
        json_object_set_new(o, "set", json_string(m->sets));
        json_object_set_new(o, "config_hash", json_string(m->hash));
        json_array_append_new(machines, o);
    }
    json_object_set_new(j, "machines", machines);
    json_t *figures = json_array();
    for (size_t i = 0; i < r->n_figures; i++)
        json_array_append_new(figures, figure_json(&r->figures[i]));
    json_object_set_new(j, "figures", figures);
    return j;
}
