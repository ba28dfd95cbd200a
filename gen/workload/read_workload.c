/* SPDX-License-Identifier: MIT
 *
 * The frame of the reader: the file, parameters and presets, values. */
#include "gen/workload/read_workload.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/near.h"
#include "base/vec.h"
#include "gen/config/setting.h"
#include "gen/workload/read_workload_impl.h"

/* ---- errors and values ----------------------------------------------------------------------- */

struct where wr_at(const struct workload_reader *r, const config_setting_t *s)
{
    return (struct where){r->file, s ? (int)config_setting_source_line(s) : 0, NULL};
}

bool wr_fail(struct workload_reader *r, const config_setting_t *s, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    struct where at = wr_at(r, s);
    at.key = s ? setting_path(s, r->mem) : NULL;
    err_add(r->err, ERR_INPUT, at, "%s", arena_vprintf(r->mem, fmt, ap));
    va_end(ap);
    r->ok = false;
    return false;
}

void wr_check_keys(struct workload_reader *r, const config_setting_t *group,
                   const char *const *keys, const char *what)
{
    size_t n = 0;
    while (keys[n])
        n++;
    for (int i = 0; i < config_setting_length(group); i++) {
        const config_setting_t *s = config_setting_get_elem(group, (unsigned)i);
        const char *name = config_setting_name(s);
        size_t k = 0;
        while (k < n && strcmp(keys[k], name) != 0)
            k++;
        if (k < n)
            continue;
        r->ok = err_add(r->err, ERR_INPUT, wr_at(r, s), "unknown key '%s' %s%s", name, what,
                        near_hint(name, keys, n, r->mem));
    }
}

static bool is_whole(const config_setting_t *s)
{
    int t = config_setting_type(s);
    return t == CONFIG_TYPE_INT || t == CONFIG_TYPE_INT64;
}

/* Never the getter of another type: libconfig would answer 0. */
static struct workload_number number_of(const config_setting_t *s)
{
    if (config_setting_type(s) == CONFIG_TYPE_FLOAT)
        return (struct workload_number){.is_real = true, .real = config_setting_get_float(s)};
    int64_t v = config_setting_type(s) == CONFIG_TYPE_INT ? config_setting_get_int(s)
                                                          : config_setting_get_int64(s);
    return (struct workload_number){.integer = v, .real = (double)v};
}

static struct workload_real_scope real_scope(const struct workload_reader *r)
{
    return (struct workload_real_scope){.whole = &r->scope,
                                        .params = r->w->params,
                                        .n_params = r->w->n_params,
                                        .buffers = r->w->buffers};
}

bool wr_check_real(struct workload_reader *r, const config_setting_t *s, const char *text,
                   size_t n_buffers, bool has_element, bool has_results)
{
    struct workload_real_scope scope = real_scope(r);
    scope.n_buffers = n_buffers;
    scope.has_element = has_element;
    scope.has_results = has_results;
    struct where at = wr_at(r, s);
    at.key = setting_path(s, r->mem);
    r->ok = workload_real_read(text + 1, &scope, at, r->mem, r->err) && r->ok;
    return r->ok;
}

/* The value of a real expression over parameters. */
static bool real_now(struct workload_reader *r, const char *text, struct where at, double *out)
{
    struct workload_real_scope scope = real_scope(r);
    const struct workload_contents none = {0};
    const struct workload_real *e = workload_real_read(text + 1, &scope, at, r->mem, r->err);
    bool ok = e && workload_real_value(e, 0, &none, out, r->err);
    r->ok = r->ok && ok;
    return ok;
}

bool wr_number(struct workload_reader *r, const config_setting_t *s, struct workload_number *out)
{
    if (setting_is_number(s)) {
        *out = number_of(s);
        return true;
    }
    if (config_setting_type(s) != CONFIG_TYPE_STRING)
        return wr_fail(r, s, "expected a number");
    const char *name = config_setting_get_string(s);
    if (name[0] == '=') {
        struct where at = wr_at(r, s);
        at.key = setting_path(s, r->mem);
        out->is_real = true;
        return real_now(r, name, at, &out->real);
    }
    for (size_t i = 0; i < r->w->n_params; i++)
        if (strcmp(r->w->params[i].name, name) == 0) {
            const struct workload_param *p = &r->w->params[i];
            *out = (struct workload_number){p->is_real, p->integer, p->real};
            return true;
        }
    if (strcmp(name, "inf") == 0 || strcmp(name, "-inf") == 0 || strcmp(name, "nan") == 0) {
        double real = name[0] == 'n' ? NAN : name[0] == '-' ? -INFINITY : INFINITY;
        *out = (struct workload_number){.is_real = true, .real = real};
        return true;
    }
    int64_t v;
    if (!wr_int(r, s, &v))
        return false;
    *out = (struct workload_number){.integer = v, .real = (double)v};
    return true;
}

/* Names in an expression that is evaluated later: unknown ones are found now. */
static bool check_names(struct workload_reader *r, const config_setting_t *s, const char *text)
{
    const char *p = text;
    while (*p) {
        if (!isalpha((unsigned char)*p) && *p != '_') {
            while (isdigit((unsigned char)*p) && isalnum((unsigned char)p[1]))
                p++;
            p++;
            continue;
        }
        const char *start = p;
        while (isalnum((unsigned char)*p) || *p == '_')
            p++;
        size_t n = (size_t)(p - start), i = 0;
        while (isspace((unsigned char)*p))
            p++;
        if (*p == '(')
            continue;
        while (i < r->scope.n &&
               !(strlen(r->scope.names[i]) == n && memcmp(r->scope.names[i], start, n) == 0))
            i++;
        if (i < r->scope.n)
            continue;
        const char *name = arena_strndup(r->mem, start, n);
        for (i = 0; i < r->w->n_params; i++)
            if (r->w->params[i].is_real && strcmp(r->w->params[i].name, name) == 0)
                return wr_fail(r, s, "\"%s\": '%s' is a number with a fraction", text, name);
        const char *near = near_hint(name, r->scope.names, r->scope.n, r->mem);
        return wr_fail(r, s, "\"%s\": '%s' is not the name of a whole number%s", text, name, near);
    }
    return true;
}

bool wr_expr_text(struct workload_reader *r, const config_setting_t *s, const char *text,
                  struct workload_expr *out)
{
    *out = (struct workload_expr){.text = arena_strdup(r->mem, text), .at = wr_at(r, s)};
    if (text[0] == '=')
        return wr_check_real(r, s, text, r->w->n_buffers, false, false);
    return check_names(r, s, text);
}

bool wr_expr(struct workload_reader *r, const config_setting_t *s, struct workload_expr *out)
{
    if (is_whole(s)) {
        *out = (struct workload_expr){.value = number_of(s).integer, .at = wr_at(r, s)};
        return true;
    }
    if (config_setting_type(s) != CONFIG_TYPE_STRING)
        return wr_fail(r, s, "expected a whole number or a text with an expression");
    return wr_expr_text(r, s, config_setting_get_string(s), out);
}

bool wr_int(struct workload_reader *r, const config_setting_t *s, int64_t *out)
{
    struct workload_expr e = {0};
    if (!wr_expr(r, s, &e))
        return false;
    *out = e.value;
    if (e.text && e.text[0] == '=') {
        double v;
        if (!real_now(r, e.text, e.at, &v))
            return false;
        if (!(v >= -9e15 && v <= 9e15) || v != floor(v))
            return wr_fail(r, s, "\"%s\" is %.9g, not a whole number", e.text, v);
        *out = (int64_t)v;
        return true;
    }
    if (e.text && !workload_eval(e.text, &r->scope, e.at, out, r->err)) {
        r->ok = false;
        return false;
    }
    return true;
}

const char *wr_string(struct workload_reader *r, const config_setting_t *s)
{
    if (config_setting_type(s) == CONFIG_TYPE_STRING)
        return arena_strdup(r->mem, config_setting_get_string(s));
    const char *name = config_setting_name(s); /* members of lists have none */
    if (name)
        wr_fail(r, s, "'%s' must be a text in quotes", name);
    else
        wr_fail(r, s, "must be a text in quotes");
    return NULL;
}

int wr_word(struct workload_reader *r, const config_setting_t *s, const char *const *words)
{
    const char *text = wr_string(r, s);
    int n = 0;
    if (!text)
        return -1;
    for (; words[n]; n++)
        if (strcmp(words[n], text) == 0)
            return n;
    const char *near = near_hint(text, words, (size_t)n, r->mem);
    wr_fail(r, s, "'%s' is not known%s", text, near);
    return -1;
}

/* ---- parameters ------------------------------------------------------------------------------ */

struct raw_param {
    const char *name, *text; /* text: an expression, else a number */
    struct workload_number value;
    struct where at;
};

typedef VEC(struct raw_param) raw_params;

static struct raw_param *find_raw(raw_params *all, const char *name)
{
    for (size_t i = 0; i < all->n; i++)
        if (strcmp(all->at[i].name, name) == 0)
            return &all->at[i];
    return NULL;
}

static bool unknown_param(struct workload_reader *r, struct where at, raw_params *all,
                          const char *name)
{
    const char **names = arena_many(r->mem, const char *, all->n + 1);
    for (size_t i = 0; i < all->n; i++)
        names[i] = all->at[i].name;
    const char *near = near_hint(name, names, all->n, r->mem);
    r->ok = false;
    return err_add(r->err, ERR_INPUT, at, "there is no parameter '%s'%s", name, near);
}

static bool raw_value(struct workload_reader *r, const config_setting_t *s, struct raw_param *p)
{
    p->at = wr_at(r, s);
    p->text = NULL;
    if (setting_is_number(s))
        p->value = number_of(s);
    else if (config_setting_type(s) == CONFIG_TYPE_STRING)
        p->text = arena_strdup(r->mem, config_setting_get_string(s));
    else
        return wr_fail(r, s, "parameter '%s' must be a number or a text with an expression",
                       p->name);
    return true;
}

static void read_params(struct workload_reader *r, const config_setting_t *group, raw_params *all)
{
    if (!config_setting_is_group(group)) {
        wr_fail(r, group, "'params' must be a group: { n = 1024; }");
        return;
    }
    for (int i = 0; i < config_setting_length(group); i++) {
        const config_setting_t *s = config_setting_get_elem(group, (unsigned)i);
        struct raw_param p = {.name = arena_strdup(r->mem, config_setting_name(s))};
        if (raw_value(r, s, &p))
            vec_push(r->mem, all, p);
    }
}

static void read_presets(struct workload_reader *r, const config_setting_t *group, raw_params *all)
{
    VEC(const char *) names = {0};
    const char *wanted = r->request->preset;
    bool found = false;
    if (group && !config_setting_is_group(group)) {
        wr_fail(r, group, "'presets' must be a group of groups");
        return;
    }
    for (int i = 0; group && i < config_setting_length(group); i++) {
        const config_setting_t *g = config_setting_get_elem(group, (unsigned)i);
        const char *name = arena_strdup(r->mem, config_setting_name(g));
        vec_push(r->mem, &names, name);
        if (!config_setting_is_group(g)) {
            wr_fail(r, g, "preset '%s' must be a group: { n = 64; }", name);
            continue;
        }
        bool is_it = strcmp(name, wanted ? wanted : "small") == 0;
        found |= is_it;
        for (int k = 0; k < config_setting_length(g); k++) {
            const config_setting_t *s = config_setting_get_elem(g, (unsigned)k);
            struct raw_param *p = find_raw(all, config_setting_name(s)), scrap = {.name = name};
            if (!p)
                unknown_param(r, wr_at(r, s), all, config_setting_name(s));
            else
                raw_value(r, s, is_it ? p : &scrap);
        }
        if (is_it)
            r->w->preset = name;
    }
    r->w->presets = names.at;
    r->w->n_presets = names.n;
    if (wanted && !found && !names.n) {
        const char *text =
            arena_printf(r->mem, "has no presets: it runs as it is, not at '%s'", wanted);
        err_warn_once(r->err, AT_FILE(r->request->file), text);
    } else if (wanted && !found) {
        const char *near = near_hint(wanted, names.at, names.n, r->mem);
        wr_fail(r, group, "there is no preset '%s'%s", wanted, near);
    }
}

static void apply_set(struct workload_reader *r, const char *set, raw_params *all)
{
    struct where at = {"command line", 0, NULL};
    const char *equals = strchr(set, '=');
    if (!equals) {
        r->ok = err_add(r->err, ERR_INPUT, at, "--set %s: expected NAME=VALUE", set);
        return;
    }
    const char *name = arena_strndup(r->mem, set, (size_t)(equals - set));
    struct raw_param *p = find_raw(all, name);
    if (!p) {
        unknown_param(r, at, all, name);
        return;
    }
    char *end;
    p->at = at;
    p->text = NULL;
    errno = 0;
    long long whole = strtoll(equals + 1, &end, 10);
    if (*end == '\0' && end != equals + 1 && errno == 0) {
        p->value = (struct workload_number){.integer = whole, .real = (double)whole};
        return;
    }
    double real = strtod(equals + 1, &end);
    if (*end == '\0' && end != equals + 1 && real - real == 0)
        p->value = (struct workload_number){.is_real = true, .real = real};
    else
        p->text = equals + 1;
}

/* Plain numbers first, then the expressions in their order. */
static void settle_params(struct workload_reader *r, raw_params *all)
{
    struct workload_param *params = arena_many(r->mem, struct workload_param, all->n + 1);
    r->names = arena_many(r->mem, const char *, all->n + WORKLOAD_MAX_LOOPS + 1);
    r->values = arena_many(r->mem, int64_t, all->n + WORKLOAD_MAX_LOOPS + 1);
    r->scope = (struct workload_scope){r->names, r->values, 0};
    r->w->params = params; /* those without a name are not settled yet */
    r->w->n_params = all->n;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < all->n; i++) {
            struct raw_param *p = &all->at[i];
            if ((p->text != NULL) != (pass == 1))
                continue;
            /* one that cannot be computed is known all the same: its users are not wrong */
            bool is_real = p->text && p->text[0] == '=';
            if (is_real) {
                p->value = (struct workload_number){.is_real = true, .real = 1};
                real_now(r, p->text, p->at, &p->value.real);
            } else if (p->text &&
                       !workload_eval(p->text, &r->scope, p->at, &p->value.integer, r->err)) {
                p->value.integer = 1;
                r->ok = false;
            }
            if (p->text && !is_real)
                p->value = (struct workload_number){.integer = p->value.integer,
                                                    .real = (double)p->value.integer};
            params[i] =
                (struct workload_param){p->name, p->value.is_real, p->value.integer, p->value.real};
            if (!p->value.is_real) {
                r->names[r->scope.n] = p->name;
                r->values[r->scope.n++] = p->value.integer;
            }
        }
}

/* ---- what is said about the workload --------------------------------------------------------- */

/* A group, or a list of { entry = "_Z6kernelPf"; count = 24; }: libconfig takes no name that begins
 * with an underscore. */
static void read_registers(struct workload_reader *r, const config_setting_t *group)
{
    VEC(struct workload_registers) all = {0};
    bool is_list = config_setting_is_list(group);
    if (!is_list && !config_setting_is_group(group)) {
        wr_fail(r, group,
                "'registers' must be a group, { kernel = 24; }, or a list, "
                "( { entry = \"kernel\"; count = 24; } )");
        return;
    }
    for (int i = 0; i < config_setting_length(group); i++) {
        const config_setting_t *s = config_setting_get_elem(group, (unsigned)i);
        const char *entry = config_setting_name(s);
        int64_t n;
        if (is_list) {
            static const char *const known[] = {"entry", "count", NULL};
            const config_setting_t *name = NULL, *count = NULL;
            if (config_setting_is_group(s)) {
                wr_check_keys(r, s, known, "of an entry of 'registers'");
                name = config_setting_get_member(s, "entry");
                count = config_setting_get_member(s, "count");
            }
            if (!name || !count) {
                wr_fail(r, s, "expected { entry = \"kernel\"; count = 24; }");
                continue;
            }
            entry = wr_string(r, name);
            s = count;
            if (!entry)
                continue;
        }
        if (!wr_int(r, s, &n))
            continue;
        if (n < 1 || n > 255)
            wr_fail(r, s, "%" PRId64 " registers are not in 1..255", n);
        else
            vec_push(r->mem, &all,
                     (struct workload_registers){arena_strdup(r->mem, entry), (uint32_t)n});
    }
    r->w->registers = all.at;
    r->w->n_registers = all.n;
}

static void read_papers(struct workload_reader *r, const config_setting_t *group)
{
    VEC(struct workload_paper) all = {0};
    if (!config_setting_is_group(group)) {
        wr_fail(r, group, "'papers' must be a group: { icc = \"HS\"; }");
        return;
    }
    for (int i = 0; i < config_setting_length(group); i++) {
        const config_setting_t *s = config_setting_get_elem(group, (unsigned)i);
        const char *name = wr_string(r, s);
        if (name)
            vec_push(r->mem, &all,
                     (struct workload_paper){arena_strdup(r->mem, config_setting_name(s)), name});
    }
    r->w->papers = all.at;
    r->w->n_papers = all.n;
}

static void read_groups(struct workload_reader *r, const config_setting_t *list)
{
    VEC(const char *) all = {0};
    for (size_t i = 0; i < r->w->n_papers; i++)
        vec_push(r->mem, &all, r->w->papers[i].paper);
    if (r->w->demand[0])
        vec_push(r->mem, &all, r->w->demand);
    if (r->w->category[0])
        vec_push(r->mem, &all, r->w->category);
    if (list && !config_setting_is_array(list) && !config_setting_is_list(list))
        wr_fail(r, list, "'groups' must be an array of texts");
    else
        for (int i = 0; list && i < config_setting_length(list); i++) {
            const char *name = wr_string(r, config_setting_get_elem(list, (unsigned)i));
            if (name)
                vec_push(r->mem, &all, name);
        }
    r->w->groups = all.at;
    r->w->n_groups = all.n;
}

static const char *beside(struct workload_reader *r, const char *path)
{
    return path[0] == '/' ? path : path_join(r->mem, r->dir, path);
}

/* One file, or several. */
static void read_modules(struct workload_reader *r, const config_setting_t *s)
{
    bool is_list = config_setting_is_array(s) || config_setting_is_list(s);
    int n = is_list ? config_setting_length(s) : 1;
    const char **more = arena_many(r->mem, const char *, (size_t)n + 1);
    if (n == 0)
        wr_fail(r, s, "'ptx' is empty");
    for (int i = 0; i < n; i++) {
        const char *path = wr_string(r, is_list ? config_setting_get_elem(s, (unsigned)i) : s);
        if (!path)
            continue;
        if (r->w->ptx)
            more[r->w->n_more_ptx++] = beside(r, path);
        else
            r->w->ptx = beside(r, path);
    }
    r->w->more_ptx = more;
}

static void read_texts(struct workload_reader *r, const config_setting_t *root)
{
    static const char *const demands[] = {"high", "low", "unknown", NULL};
    static const char *const closeness[] = {"compared", "described", NULL};
    struct workload *w = r->w;
    const struct {
        const char *key;
        const char **to;
    } texts[] = {{"title", &w->title},         {"demand", &w->demand},
                 {"category", &w->category},   {"source", &w->source},
                 {"closeness", &w->closeness}, {"notes", &w->notes},
                 {"expected", &w->expected}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const config_setting_t *s = config_setting_get_member(root, texts[i].key);
        const char *text = s ? wr_string(r, s) : NULL;
        if (text)
            *texts[i].to = text;
        if (text && texts[i].to == &w->demand)
            wr_word(r, s, demands);
        if (text && texts[i].to == &w->closeness)
            wr_word(r, s, closeness);
        if (text && texts[i].to == &w->expected && !reference_find(text)) {
            const char *names[256];
            size_t n = 0;
            for (; n < 256 && references[n]; n++)
                names[n] = references[n]->name;
            const char *near = near_hint(text, names, n, r->mem);
            wr_fail(r, s, "there is no reference '%s'%s", text, near);
        }
    }
    const config_setting_t *ptx = config_setting_get_member(root, "ptx");
    if (ptx)
        read_modules(r, ptx);
    else
        wr_fail(r, NULL, "'ptx' is missing: the file with the kernels");
}

/* ---- the file -------------------------------------------------------------------------------- */

static void read_root(struct workload_reader *r, const config_setting_t *root)
{
    static const char *const keys[] = {"title",   "ptx",       "params",   "presets",
                                       "buffers", "launches",  "expected", "registers",
                                       "papers",  "demand",    "category", "groups",
                                       "source",  "closeness", "notes",    "max_warp_insts",
                                       "as_ptx",  "outside",   "sms",      NULL};
    raw_params params = {0};
    const config_setting_t *s;
    wr_check_keys(r, root, keys, "in a workload");
    if ((s = config_setting_get_member(root, "params")))
        read_params(r, s, &params);
    read_presets(r, config_setting_get_member(root, "presets"), &params);
    for (size_t i = 0; i < r->request->n_sets; i++)
        apply_set(r, r->request->sets[i], &params);
    settle_params(r, &params);
    read_texts(r, root);
    if ((s = config_setting_get_member(root, "registers")))
        read_registers(r, s);
    int64_t most = 0;
    if ((s = config_setting_get_member(root, "max_warp_insts")) && wr_int(r, s, &most)) {
        if (most < 1)
            wr_fail(r, s, "%" PRId64 " is not 1 or more", most);
        r->w->max_warp_insts = (uint64_t)most;
    }
    int64_t n_sms = 0;
    if ((s = config_setting_get_member(root, "sms")) && wr_int(r, s, &n_sms)) {
        if (n_sms < 1 || n_sms > 16384)
            wr_fail(r, s, "%" PRId64 " is not in 1..16384", n_sms);
        r->w->n_sms = (uint32_t)n_sms;
    }
    static const char *const outsides[] = {"error", "warn", NULL};
    if ((s = config_setting_get_member(root, "outside")))
        r->w->reads_outside = wr_word(r, s, outsides) == 1;
    if ((s = config_setting_get_member(root, "as_ptx"))) {
        if (config_setting_type(s) != CONFIG_TYPE_BOOL)
            wr_fail(r, s, "must be true or false");
        r->w->as_ptx = config_setting_get_bool(s);
    }
    if ((s = config_setting_get_member(root, "papers")))
        read_papers(r, s);
    read_groups(r, config_setting_get_member(root, "groups"));
    if ((s = config_setting_get_member(root, "buffers")))
        wr_buffers(r, s);
    if ((s = config_setting_get_member(root, "launches")))
        wr_steps(r, s, &r->w->steps, &r->w->n_steps);
    else
        wr_fail(r, NULL, "'launches' is missing: what runs");
}

static bool parse(struct workload_reader *r, const char *text)
{
    config_t cfg;
    bool ok = setting_parse(r->file, text, r->mem, &cfg, r->err);
    if (ok)
        read_root(r, config_root_setting(&cfg));
    config_destroy(&cfg);
    return ok && r->ok;
}

bool workload_read(const struct workload_request *request, struct arena *mem, struct workload *out,
                   struct err *err)
{
    struct workload w = {.title = "",
                         .preset = "",
                         .demand = "",
                         .category = "",
                         .source = "",
                         .closeness = "",
                         .notes = ""};
    struct workload_reader r = {.request = request, .mem = mem, .err = err, .w = &w, .ok = true};
    const char *text = request->text;
    w.file = r.file = arena_strdup(mem, request->file);
    w.name = path_stem(mem, request->file);
    r.dir = path_dir(mem, request->file);
    if (!text && !setting_text(request->file, mem, &text, err))
        return false;
    if (!parse(&r, text))
        return false;
    *out = w;
    return true;
}
