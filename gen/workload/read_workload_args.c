/* SPDX-License-Identifier: MIT
 *
 * Arguments of kernels and addresses in buffers. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "gen/workload/read_workload_impl.h"

static void read_text(struct workload_reader *r, const config_setting_t *s, const char *text,
                      struct workload_arg *a);

/* A structure: each member has its type and its value in one text. */
static void read_members(struct workload_reader *r, const config_setting_t *s,
                         struct workload_arg *a)
{
    int n = config_setting_length(s);
    struct workload_member *all = arena_many(r->mem, struct workload_member, (size_t)n + 1);
    a->kind = WA_STRUCTURE;
    a->members = all;
    a->n_members = (size_t)n;
    if (n == 0)
        wr_fail(r, s, "a structure without members");
    for (int i = 0; i < n; i++) {
        const config_setting_t *m = config_setting_get_elem(s, (unsigned)i);
        const char *text =
            config_setting_type(m) == CONFIG_TYPE_STRING ? config_setting_get_string(m) : "";
        size_t end = strcspn(text, " ");
        int type = wr_type(text, end);
        if (type < 0 || !text[end]) {
            wr_fail(r, m, "a member of a structure is a type and a value: \"f32 1.5\"");
            continue;
        }
        bool is_real = type == REF_F32 || type == REF_F64;
        all[i].type = (enum ref_type)type;
        text += end + strspn(text + end, " ");
        read_text(r, m, text, &all[i].arg);
        if (all[i].arg.kind == WA_BUFFER && type != REF_U64 && type != REF_S64)
            wr_fail(r, m, "an address has 64 bits: type u64");
        if (all[i].arg.kind == WA_REAL && !is_real)
            wr_fail(r, m, "'%s' is not a whole number", text);
    }
}

static void read_arg(struct workload_reader *r, const config_setting_t *s, struct workload_arg *a)
{
    *a = (struct workload_arg){.at = wr_at(r, s)};
    if (config_setting_is_list(s) || config_setting_is_array(s)) {
        read_members(r, s, a);
        return;
    }
    if (config_setting_type(s) == CONFIG_TYPE_FLOAT) {
        a->kind = WA_REAL;
        a->real = config_setting_get_float(s);
        return;
    }
    if (config_setting_type(s) != CONFIG_TYPE_STRING) {
        wr_expr(r, s, &a->integer);
        return;
    }
    read_text(r, s, config_setting_get_string(s), a);
}

static void read_text(struct workload_reader *r, const config_setting_t *s, const char *text,
                      struct workload_arg *a)
{
    bool failed;
    char *end;
    a->at = wr_at(r, s);
    double real = strtod(text, &end);
    if (end != text && !*end && strcspn(text, ".eE") < strlen(text)) {
        a->kind = WA_REAL;
        a->real = real;
        return;
    }
    if (wr_element(r, s, text, &a->buffer, &a->integer, &failed)) {
        a->kind = WA_BUFFER;
        return;
    }
    if (failed)
        return;
    for (size_t i = 0; i < r->w->n_params; i++)
        if (r->w->params[i].is_real && strcmp(r->w->params[i].name, text) == 0) {
            a->kind = WA_REAL;
            a->real = r->w->params[i].real;
            return;
        }
    wr_expr_text(r, s, text, &a->integer);
}

void wr_args(struct workload_reader *r, const config_setting_t *s, struct workload_step *step)
{
    if (!config_setting_is_list(s) && !config_setting_is_array(s)) {
        wr_fail(r, s, "'args' must be a list: (\"a\", \"n\", 1.5)");
        return;
    }
    int n = config_setting_length(s);
    struct workload_arg *all = arena_many(r->mem, struct workload_arg, (size_t)n + 1);
    for (int i = 0; i < n; i++)
        read_arg(r, config_setting_get_elem(s, (unsigned)i), &all[i]);
    step->args = all;
    step->n_args = (size_t)n;
}

void wr_addresses(struct workload_reader *r, const config_setting_t *group,
                  struct workload_buffer *b)
{
    const config_setting_t *s = config_setting_get_member(group, "values");
    if (!s || (!config_setting_is_array(s) && !config_setting_is_list(s)) ||
        config_setting_length(s) == 0) {
        wr_fail(r, s ? s : group, "'values' must be an array of buffers: [\"a\", \"b[8]\"]");
        return;
    }
    int n = config_setting_length(s);
    struct workload_arg *all = arena_many(r->mem, struct workload_arg, (size_t)n);
    for (int i = 0; i < n; i++) {
        const config_setting_t *e = config_setting_get_elem(s, (unsigned)i);
        const char *text = wr_string(r, e);
        bool failed;
        all[i] = (struct workload_arg){.kind = WA_BUFFER, .at = wr_at(r, e)};
        if (text && !wr_element(r, e, text, &all[i].buffer, &all[i].integer, &failed) && !failed)
            wr_buffer(r, e, text);
    }
    b->addresses = all;
    b->n_addresses = (size_t)n;
}
