/* SPDX-License-Identifier: MIT */
#include "gen/explore/space.h"

#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/map.h"
#include "base/near.h"
#include "base/vec.h"
#include "gen/config/keys.h"
#include "gen/config/read.h"
#include "gen/config/read_value.h"
#include "gen/config/setting.h"
#include "gen/explore/pareto.h"
#include "gen/run/pairs.h"

#define MOST_EXPRESSIONS 32

struct reader {
    const struct space_request *request;
    struct arena *mem;
    struct space *out;
    struct expr_names names;
    struct err *err;
};

static struct where at_setting(const struct reader *r, const config_setting_t *s)
{
    return (struct where){r->request->file, (int)config_setting_source_line(s),
                          setting_path(s, r->mem)};
}

static bool is_group_of(const config_setting_t *s)
{
    return config_setting_is_list(s) || config_setting_is_array(s);
}

/* ---- the base -------------------------------------------------------------------------------- */

static bool read_base(struct reader *r, const config_setting_t *root)
{
    const config_setting_t *base = config_setting_get_member(root, "base");
    struct buf text;
    buf_init(&text, r->mem, 1 << 16);
    if (!base)
        return err_add(r->err, ERR_INPUT, AT_FILE(r->request->file),
                       "has no base = \"…\": the description that the points vary");
    bool is_one = config_setting_type(base) == CONFIG_TYPE_STRING;
    if (!is_one && !is_group_of(base))
        return err_add(r->err, ERR_INPUT, at_setting(r, base),
                       "expected a file name, or several in [ ], found %s",
                       setting_type_name(base));
    if (!is_one && config_setting_length(base) == 0)
        return err_add(r->err, ERR_INPUT, at_setting(r, base),
                       "names no description that the points could vary");
    for (int line = 1; line < (int)config_setting_source_line(base); line++)
        buf_putc(&text, '\n'); /* so that its errors have their line */
    buf_add(&text, "base = [");
    for (int i = 0; i < (is_one ? 1 : config_setting_length(base)); i++) {
        const config_setting_t *s = is_one ? base : config_setting_get_elem(base, (unsigned)i);
        if (config_setting_type(s) != CONFIG_TYPE_STRING)
            return err_add(r->err, ERR_INPUT, at_setting(r, base), "expected file names, found %s",
                           setting_type_name(s));
        buf_add(&text, i ? ", " : "");
        setting_add_text(&text, config_setting_get_string(s));
    }
    buf_add(&text, "];\n");
    const struct read_request q = {.file = r->request->file,
                                   .text = r->request->no_files ? "" : text.data,
                                   .data_dir = r->request->data_dir,
                                   .no_files = r->request->no_files,
                                   .allow_tools = r->request->allow_tools};
    return arch_draft(&q, r->mem, &r->out->draft, r->err);
}

/* ---- keys and values ------------------------------------------------------------------------- */

/* A setting as --set would take it; NULL: not a value. */
static const char *value_text(const config_setting_t *s, struct arena *mem)
{
    struct buf b;
    buf_init(&b, mem, 1 << 16);
    switch (config_setting_type(s)) {
    case CONFIG_TYPE_INT:
    case CONFIG_TYPE_INT64:
        return arena_printf(mem, "%lld", (long long)config_setting_get_int64(s));
    case CONFIG_TYPE_FLOAT: buf_add_double(&b, config_setting_get_float(s)); return b.data;
    case CONFIG_TYPE_BOOL: return config_setting_get_bool(s) ? "true" : "false";
    case CONFIG_TYPE_STRING: return arena_strdup(mem, config_setting_get_string(s));
    case CONFIG_TYPE_ARRAY:
        buf_putc(&b, '[');
        for (int i = 0; i < config_setting_length(s); i++) {
            const char *one = value_text(config_setting_get_elem(s, (unsigned)i), mem);
            buf_printf(&b, "%s%s", i ? ", " : "", one ? one : "");
        }
        buf_putc(&b, ']');
        return b.data;
    default: return NULL;
    }
}

static bool is_listed(const char **list, size_t n, const char *text)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(list[i], text) == 0)
            return true;
    }
    return false;
}

/* The value that a key has now, whichever way it was written ("32 B", "256 b"). */
static const char *set_text(const struct space_key *k, const struct arch *arch, struct arena *mem)
{
    struct buf b;
    buf_init(&b, mem, BUF_NO_MAX);
    key_add_value(k->key, arch, k->net == KEY_ALL_NETS ? NOC_REQUEST : k->net, &b);
    return b.data;
}

/* The one of the values that means the same as the next. */
static const char *written_before(const struct space_key *k, const char *const *meant)
{
    size_t i = 0;
    while (i + 1 < k->n && strcmp(meant[i], meant[k->n]) != 0)
        i++;
    return k->values[i];
}

static bool read_values(struct reader *r, const config_setting_t *s, struct space_key *k)
{
    struct arch scratch = r->out->draft;
    bool ok = true;
    if (!s || !is_group_of(s) || config_setting_length(s) == 0)
        return err_add(r->err, ERR_INPUT, k->at, "%s needs values = [ … ]", k->path);
    if (config_setting_length(s) > (int)SPACE_MOST_VALUES)
        return err_add(r->err, ERR_INPUT, k->at, "%s has more than %u values", k->path,
                       SPACE_MOST_VALUES);
    scratch.origins = arena_array(r->mem, n_keys, sizeof *scratch.origins);
    k->values = arena_many(r->mem, const char *, (size_t)config_setting_length(s));
    const char **meant = arena_many(r->mem, const char *, (size_t)config_setting_length(s));
    for (int i = 0; i < config_setting_length(s); i++) {
        const config_setting_t *v = config_setting_get_elem(s, (unsigned)i);
        const char *text = value_text(v, r->mem);
        struct where at = {r->request->file, (int)config_setting_source_line(v), k->path};
        if (!text)
            ok = err_add(r->err, ERR_INPUT, at, "expected a value, found %s", setting_type_name(v));
        else if (is_listed(k->values, k->n, text))
            ok = err_add(r->err, ERR_INPUT, at, "the value %s stands there twice", text);
        else if (!read_text_value(k->key, k->net, text, at, r->mem, &scratch, r->err))
            ok = false;
        else if (is_listed(meant, k->n, meant[k->n] = set_text(k, &scratch, r->mem)))
            ok = err_add(r->err, ERR_INPUT, at, "the value %s stands there twice, as %s, too", text,
                         written_before(k, meant));
        else
            k->values[k->n++] = text;
    }
    return ok;
}

static bool read_key(struct reader *r, const config_setting_t *s)
{
    struct space *out = r->out;
    if (!config_setting_is_group(s))
        return err_add(r->err, ERR_INPUT, at_setting(r, s),
                       "expected { key = \"…\"; values = [ … ]; }, found %s", setting_type_name(s));
    const config_setting_t *name = config_setting_get_member(s, "key");
    if (!name || config_setting_type(name) != CONFIG_TYPE_STRING)
        return err_add(r->err, ERR_INPUT, at_setting(r, s), "has no key = \"…\"");
    if (out->n_keys == SPACE_MOST_KEYS)
        return err_add(r->err, ERR_INPUT, at_setting(r, s), "more than %u keys vary",
                       SPACE_MOST_KEYS);
    struct space_key k = {.path = arena_strdup(r->mem, config_setting_get_string(name))};
    k.at = (struct where){r->request->file, (int)config_setting_source_line(name), NULL};
    k.key = key_find(k.path, &k.net);
    if (!k.key) {
        const char *near = key_nearest(k.path, r->mem);
        return err_add(r->err, ERR_INPUT, k.at, "unknown key '%s'%s%s%s", k.path,
                       near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    }
    if (k.key->type == KEY_LIST)
        return err_add(r->err, ERR_INPUT, k.at, "%s is a list of groups and cannot vary", k.path);
    for (size_t i = 0; i < out->n_keys; i++) {
        if (strcmp(out->keys[i].path, k.path) == 0)
            return err_add(r->err, ERR_INPUT, k.at, "%s varies twice", k.path);
    }
    for (int i = 0; i < config_setting_length(s); i++) {
        const config_setting_t *m = config_setting_get_elem(s, (unsigned)i);
        if (strcmp(config_setting_name(m), "key") && strcmp(config_setting_name(m), "values"))
            return err_add(r->err, ERR_INPUT, at_setting(r, m), "is neither key nor values");
    }
    k.is_ordered = k.key->type == KEY_INT || k.key->type == KEY_INT64 || k.key->type == KEY_REAL;
    if (!read_values(r, config_setting_get_member(s, "values"), &k))
        return false;
    out->keys[out->n_keys++] = k;
    return true;
}

bool space_key_decides(const struct key *other, const struct key *key)
{
    char path[64];
    for (int i = 0; i < 8 && key && key->used_if; i++) {
        size_t n = strcspn(key->used_if, " ");
        int net;
        if (n >= sizeof path)
            return false;
        memcpy(path, key->used_if, n);
        path[n] = '\0';
        key = key_find(path, &net);
        if (key == other)
            return true;
    }
    return false;
}

/* Keys that decide about others first; else as they were written. */
static void order_keys(struct space *s)
{
    for (size_t i = 0; i < s->n_keys; i++) {
        size_t first = i;
        for (size_t k = i; k < s->n_keys; k++) {
            bool waits = false;
            for (size_t m = i; m < s->n_keys; m++)
                waits |= m != k && space_key_decides(s->keys[m].key, s->keys[k].key);
            if (!waits) {
                first = k;
                break;
            }
        }
        struct space_key taken = s->keys[first];
        memmove(&s->keys[i + 1], &s->keys[i], (first - i) * sizeof *s->keys);
        s->keys[i] = taken;
    }
}

static bool read_vary(struct reader *r, const config_setting_t *root)
{
    const config_setting_t *vary = config_setting_get_member(root, "vary");
    bool ok = true;
    if (!vary || !config_setting_is_list(vary) || config_setting_length(vary) == 0)
        return err_add(r->err, ERR_INPUT, vary ? at_setting(r, vary) : AT_FILE(r->request->file),
                       "needs vary = ( { key = \"…\"; values = [ … ]; }, … )");
    for (int i = 0; i < config_setting_length(vary); i++)
        ok &= read_key(r, config_setting_get_elem(vary, (unsigned)i));
    order_keys(r->out);
    return ok;
}

/* ---- what is wanted -------------------------------------------------------------------------- */

typedef bool read_text(struct reader *r, const char *text, struct where at);

/* A text or several in ( ) or [ ]. */
static bool read_texts(struct reader *r, const config_setting_t *root, const char *name,
                       bool is_needed, read_text *read)
{
    const config_setting_t *s = config_setting_get_member(root, name);
    bool is_one = s && config_setting_type(s) == CONFIG_TYPE_STRING, ok = true;
    if (!s)
        return !is_needed ||
               err_add(r->err, ERR_INPUT, AT_FILE(r->request->file), "has no %s = ( … )", name);
    if (!is_one && !is_group_of(s))
        return err_add(r->err, ERR_INPUT, at_setting(r, s), "expected texts in ( ), found %s",
                       setting_type_name(s));
    for (int i = 0; i < (is_one ? 1 : config_setting_length(s)); i++) {
        const config_setting_t *e = is_one ? s : config_setting_get_elem(s, (unsigned)i);
        struct where at = at_setting(r, e);
        if (config_setting_type(e) != CONFIG_TYPE_STRING)
            ok = err_add(r->err, ERR_INPUT, at, "expected a text, found %s", setting_type_name(e));
        else if (i >= MOST_EXPRESSIONS)
            return err_add(r->err, ERR_INPUT, at, "at most %d", MOST_EXPRESSIONS);
        else
            ok &= read(r, config_setting_get_string(e), at);
    }
    return ok;
}

static bool read_constraint(struct reader *r, const char *text, struct where at)
{
    struct space *s = r->out;
    return expr_parse_constraint(text, &r->names, at, r->mem, &s->constraints[s->n_constraints],
                                 r->err) &&
           ++s->n_constraints;
}

static bool read_objective(struct reader *r, const char *text, struct where at)
{
    struct space *s = r->out;
    if (s->n_objectives == PARETO_MOST)
        return err_add(r->err, ERR_INPUT, at, "at most %u objectives", PARETO_MOST);
    struct expr_objective *o = &s->objectives[s->n_objectives];
    if (!expr_parse_objective(text, &r->names, at, r->mem, o, r->err))
        return false;
    for (size_t i = 0; i < s->n_objectives; i++) {
        if (strcmp(s->objectives[i].what, o->what) == 0)
            return err_add(r->err, ERR_INPUT, at, "'%s': %s is an objective already", text,
                           o->what);
    }
    return ++s->n_objectives;
}

static bool read_workload(struct reader *r, const char *text, struct where at)
{
    struct space *s = r->out;
    size_t n = 1, had = s->n_workloads;
    const char **more;
    struct err found;
    err_init(&found);
    if (r->request->no_files) {
        more = arena_many(r->mem, const char *, 1);
        more[0] = arena_strdup(r->mem, text);
    } else {
        const char *beside = path_join(r->mem, path_dir(r->mem, r->request->file), text);
        bool is_beside = strchr(text, '.') && !file_exists(text) && file_exists(beside);
        more = pairs_workloads(is_beside ? beside : text, r->request->data_dir, r->mem, &n, &found);
    }
    for (const struct err_entry *e = found.first; e; e = e->next)
        err_add(r->err, e->kind, at, "%s", e->text);
    err_free(&found);
    if (!more)
        return false;
    const char **all = arena_many(r->mem, const char *, had + n + 1);
    if (had)
        memcpy(all, s->workloads, had * sizeof *all);
    for (size_t i = 0; i < n; i++) {
        if (!is_listed(all, s->n_workloads, more[i]))
            all[s->n_workloads++] = more[i];
    }
    s->workloads = all;
    return true;
}

static bool read_number(struct reader *r, const config_setting_t *root, const char *name, double lo,
                        double hi, double *value)
{
    const config_setting_t *s = config_setting_get_member(root, name);
    if (!s)
        return true;
    double v = setting_is_number(s) ? setting_number(s) : NAN;
    if (!(v >= lo && v <= hi))
        return err_add(r->err, ERR_INPUT, at_setting(r, s), "expected a number in %g..%g", lo, hi);
    *value = v;
    return true;
}

static bool read_rest(struct reader *r, const config_setting_t *root)
{
    struct space *s = r->out;
    double window = 0, limit = 100, budget = 0, seed = 1, margin = 0.1, listed = 200000,
           drawn = 2000;
    bool ok = read_number(r, root, "window", 0, 1e12, &window);
    ok &= read_number(r, root, "limit", 0, 1e6, &limit);
    ok &= read_number(r, root, "budget", 0, 1e6, &budget);
    ok &= read_number(r, root, "listed", 0, 1e6, &listed);
    ok &= read_number(r, root, "drawn", 5, 1e6, &drawn);
    ok &= read_number(r, root, "seed", 0, 1e15, &seed);
    ok &= read_number(r, root, "margin", 0, 10, &margin);
    s->window = (uint64_t)window;
    s->limit = (uint64_t)limit;
    s->budget = (uint64_t)budget;
    s->listed = (uint64_t)listed;
    s->drawn = (uint64_t)drawn;
    s->seed = (uint64_t)seed;
    s->margin = margin;
    const config_setting_t *preset = config_setting_get_member(root, "preset");
    s->preset = r->request->preset;
    if (preset && config_setting_type(preset) != CONFIG_TYPE_STRING)
        ok = err_add(r->err, ERR_INPUT, at_setting(r, preset), "expected a text");
    else if (preset && !s->preset)
        s->preset = arena_strdup(r->mem, config_setting_get_string(preset));
    return ok;
}

static bool check_names(struct reader *r, const config_setting_t *root)
{
    static const char *const known[] = {"base",   "vary",   "constraint", "objective", "workloads",
                                        "preset", "window", "limit",      "budget",    "seed",
                                        "margin", "listed", "drawn"};
    enum { N = sizeof known / sizeof *known };
    bool ok = true;
    for (int i = 0; i < config_setting_length(root); i++) {
        const config_setting_t *s = config_setting_get_elem(root, (unsigned)i);
        const char *name = config_setting_name(s);
        bool is_known = false;
        for (size_t k = 0; k < N; k++)
            is_known |= strcmp(known[k], name) == 0;
        struct where at = {r->request->file, (int)config_setting_source_line(s), NULL};
        if (!is_known)
            ok = err_add(r->err, ERR_INPUT, at, "a space has no setting '%s'%s", name,
                         near_hint(name, known, N, r->mem));
    }
    return ok;
}

static bool needs_runs(const struct space *s)
{
    bool needs = false;
    for (size_t i = 0; i < s->n_constraints; i++)
        needs |= !s->constraints[i].is_figure;
    for (size_t i = 0; i < s->n_objectives; i++)
        needs |= !s->objectives[i].is_figure;
    return needs;
}

/* Points are compared by what they do on the same workloads. */
static bool check_synth(struct reader *r)
{
    const struct space *s = r->out;
    bool ok = true;
    for (size_t i = 0; pairs_has_synth(s->workloads, s->n_workloads) && i < s->n_keys; i++) {
        struct where at = s->keys[i].at;
        at.key = s->keys[i].path;
        if (strncmp(at.key, "synth.", 6) == 0)
            ok = err_add(r->err, ERR_INPUT, at,
                         "a made-up kernel must be the same at all points: set it in the base");
    }
    return ok;
}

static bool read_all(struct reader *r, const config_setting_t *root)
{
    struct space *s = r->out;
    bool ok = check_names(r, root);
    ok &= read_base(r, root);
    ok &= read_vary(r, root);
    ok &= read_texts(r, root, "workloads", false, read_workload);
    ok &= check_synth(r);
    r->names.workloads = s->workloads;
    r->names.n_workloads = s->n_workloads;
    s->constraints = arena_many(r->mem, struct expr_constraint, MOST_EXPRESSIONS);
    s->objectives = arena_many(r->mem, struct expr_objective, MOST_EXPRESSIONS);
    ok &= read_texts(r, root, "constraint", false, read_constraint);
    ok &= read_texts(r, root, "objective", true, read_objective);
    ok &= read_rest(r, root);
    if (ok && s->n_objectives == 0)
        return err_add(r->err, ERR_INPUT, AT_FILE(s->file), "has no objective");
    if (ok && needs_runs(s) && s->n_workloads == 0)
        return err_add(r->err, ERR_INPUT, AT_FILE(s->file),
                       "has no workloads, which its constraints or objectives need");
    if (ok && !needs_runs(s))
        s->n_workloads = 0;
    return ok;
}

bool space_read(const struct space_request *request, struct arena *mem, struct space *out,
                struct err *err)
{
    config_t cfg;
    const char *text = request->text;
    struct space s = {.file = arena_strdup(mem, request->file)};
    struct reader r = {.request = request, .mem = mem, .out = &s, .err = err};
    if (!text && !setting_text(request->file, mem, &text, err))
        return false;
    r.names.stats = stat_names(mem, &r.names.n_stats);
    bool ok = setting_parse(request->file, text, mem, &cfg, err);
    ok = ok && read_all(&r, config_root_setting(&cfg));
    config_destroy(&cfg);
    s.hash = map_hash_bytes(text, strlen(text), s.draft.sources);
    if (s.preset)
        s.hash = map_hash_bytes(s.preset, strlen(s.preset), s.hash);
    if (ok)
        *out = s;
    return ok;
}
