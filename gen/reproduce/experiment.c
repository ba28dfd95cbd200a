/* SPDX-License-Identifier: MIT */
#include "gen/reproduce/experiment.h"

#include <libconfig.h>
#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/near.h"
#include "base/vec.h"
#include "gen/config/setting.h"

/* ---- reading --------------------------------------------------------------------------------- */

struct reader {
    const char *file, *dir;
    struct arena *mem;
    struct err *err;
    bool ok;
};

static struct where place(const struct reader *r, const config_setting_t *s)
{
    return AT_LINE(r->file, s ? (int)config_setting_source_line(s) : 0);
}

static void unknown(struct reader *r, struct where at, const char *what, const char *word,
                    const char *const *words, size_t n)
{
    const char *near = near_hint(word, words, n, r->mem);
    r->ok = err_add(r->err, ERR_INPUT, at, "unknown %s '%s'%s", what, word, near);
}

static void check_keys(struct reader *r, const config_setting_t *group, const char *const *legal)
{
    size_t n = 0;
    while (legal[n])
        n++;
    for (int i = 0; i < config_setting_length(group); i++) {
        const config_setting_t *s = config_setting_get_elem(group, (unsigned)i);
        size_t k = 0;
        while (k < n && strcmp(legal[k], config_setting_name(s)) != 0)
            k++;
        if (k == n)
            unknown(r, place(r, s), "key", config_setting_name(s), legal, n);
    }
}

static const char *string_of(struct reader *r, const config_setting_t *s)
{
    if (config_setting_type(s) == CONFIG_TYPE_STRING)
        return arena_strdup(r->mem, config_setting_get_string(s));
    r->ok =
        err_add(r->err, ERR_INPUT, place(r, s), "expected a text, found %s", setting_type_name(s));
    return "";
}

static const char *text_of(struct reader *r, const config_setting_t *group, const char *key,
                           bool must)
{
    const config_setting_t *s = config_setting_get_member(group, key);
    if (s)
        return string_of(r, s);
    if (must)
        r->ok = err_add(r->err, ERR_INPUT, place(r, group), "'%s' is missing", key);
    return must ? "" : NULL;
}

static double number_of(struct reader *r, const config_setting_t *group, const char *key,
                        double otherwise)
{
    const config_setting_t *s = config_setting_get_member(group, key);
    if (!s)
        return otherwise;
    if (setting_is_number(s))
        return setting_number(s);
    r->ok = err_add(r->err, ERR_INPUT, place(r, s), "expected a number, found %s",
                    setting_type_name(s));
    return otherwise;
}

static bool bool_of(struct reader *r, const config_setting_t *group, const char *key)
{
    const config_setting_t *s = config_setting_get_member(group, key);
    if (s && config_setting_type(s) != CONFIG_TYPE_BOOL)
        r->ok = err_add(r->err, ERR_INPUT, place(r, s), "expected true or false, found %s",
                        setting_type_name(s));
    return s && config_setting_get_bool(s);
}

static struct ex_texts texts_of(struct reader *r, const config_setting_t *group, const char *key,
                                bool must)
{
    VEC(const char *) list = {0};
    const config_setting_t *s = config_setting_get_member(group, key);
    if (!s && must)
        r->ok = err_add(r->err, ERR_INPUT, place(r, group), "'%s' is missing", key);
    if (!s)
        return (struct ex_texts){0};
    if (config_setting_is_scalar(s) || config_setting_is_group(s))
        r->ok = err_add(r->err, ERR_INPUT, place(r, s), "expected a list of texts, found %s",
                        setting_type_name(s));
    else
        for (int i = 0; i < config_setting_length(s); i++)
            vec_push(r->mem, &list, string_of(r, config_setting_get_elem(s, (unsigned)i)));
    return (struct ex_texts){list.at, list.n};
}

/* The groups of a list, or NULL and *n = 0. */
static const config_setting_t *list_of(struct reader *r, const config_setting_t *root,
                                       const char *key, size_t *n)
{
    const config_setting_t *s = config_setting_get_member(root, key);
    *n = 0;
    if (!s)
        return NULL;
    if (!config_setting_is_list(s)) {
        r->ok =
            err_add(r->err, ERR_INPUT, place(r, s), "'%s' is a list of groups: ( { … }, … )", key);
        return NULL;
    }
    for (int i = 0; i < config_setting_length(s); i++) {
        const config_setting_t *g = config_setting_get_elem(s, (unsigned)i);
        if (!config_setting_is_group(g)) {
            r->ok = err_add(r->err, ERR_INPUT, place(r, g), "expected a group, found %s",
                            setting_type_name(g));
            return NULL;
        }
    }
    *n = (size_t)config_setting_length(s);
    return s;
}

static void read_configurations(struct reader *r, const config_setting_t *root,
                                struct experiment *e)
{
    static const char *const legal[] = {"names",    "file", "set",  "left_out",  "array", "value",
                                        "workload", "like", "solo", "published", "best",  NULL};
    const config_setting_t *list = list_of(r, root, "configurations", &e->n_configurations);
    e->configurations = arena_many(r->mem, struct ex_configuration, e->n_configurations);
    for (size_t i = 0; i < e->n_configurations; i++) {
        const config_setting_t *g = config_setting_get_elem(list, (unsigned)i);
        check_keys(r, g, legal);
        struct ex_configuration c = {
            .names = texts_of(r, g, "names", true),
            .sets = texts_of(r, g, "set", false),
            .left_out = text_of(r, g, "left_out", false),
            .array = text_of(r, g, "array", false),
            .value = text_of(r, g, "value", false),
            .workload = text_of(r, g, "workload", false),
            .like = text_of(r, g, "like", false),
            .solo = text_of(r, g, "solo", false),
            .best = texts_of(r, g, "best", false),
            .published = (int)fmax(-1, fmin(99, number_of(r, g, "published", -1))),
            .at = place(r, g),
        };
        if (!c.left_out)
            c.file = path_join(r->mem, r->dir, text_of(r, g, "file", true));
        if (c.like)
            c.like = path_join(r->mem, r->dir, c.like);
        if (c.names.n == 0)
            r->ok = err_add(r->err, ERR_INPUT, c.at, "a configuration needs a name");
        e->configurations[i] = c;
    }
}

static void read_workloads(struct reader *r, const config_setting_t *root, struct experiment *e)
{
    static const char *const legal[] = {"name", "file", NULL};
    const config_setting_t *list = list_of(r, root, "workloads", &e->n_workloads);
    e->workloads = arena_many(r->mem, struct ex_workload, e->n_workloads);
    for (size_t i = 0; i < e->n_workloads; i++) {
        const config_setting_t *g = config_setting_get_elem(list, (unsigned)i);
        check_keys(r, g, legal);
        e->workloads[i] =
            (struct ex_workload){text_of(r, g, "name", true), text_of(r, g, "file", true)};
    }
}

static void check_members(struct reader *r, const struct experiment *e,
                          const struct ex_texts *members, struct where at)
{
    const char **names = arena_many(r->mem, const char *, e->n_workloads);
    for (size_t w = 0; w < e->n_workloads; w++)
        names[w] = e->workloads[w].name;
    for (size_t i = 0; i < members->n; i++) {
        if (!experiment_workload(e, members->at[i]))
            unknown(r, at, "workload", members->at[i], names, e->n_workloads);
    }
}

static void read_sets(struct reader *r, const config_setting_t *root, struct experiment *e)
{
    static const char *const legal[] = {"name", "how", "preset", "of", "quick", "like", NULL};
    static const char *const hows[] = {"mean", "geomean", "extreme"};
    size_t n;
    const config_setting_t *list = list_of(r, root, "sets", &n);
    e->sets = arena_many(r->mem, struct ex_set, n);
    for (size_t i = 0; i < n; i++) {
        const config_setting_t *g = config_setting_get_elem(list, (unsigned)i);
        check_keys(r, g, legal);
        const char *how = text_of(r, g, "how", true), *like = text_of(r, g, "like", false);
        struct ex_set s = {.name = text_of(r, g, "name", true),
                           .preset = text_of(r, g, "preset", false),
                           .of = texts_of(r, g, "of", !like),
                           .quick = texts_of(r, g, "quick", false)};
        size_t h = 0;
        while (h < 3 && strcmp(hows[h], how) != 0)
            h++;
        if (h == 3)
            unknown(r, place(r, g), "mean", how, hows, 3);
        else
            s.how = (enum ex_how)h;
        const struct ex_set *other = like ? experiment_set(e, like) : NULL;
        if (other) {
            s.of = other->of;
            s.quick = other->quick;
        } else if (like) {
            r->ok = err_add(r->err, ERR_INPUT, place(r, g), "there is no set '%s' before this one",
                            like);
        }
        check_members(r, e, &s.of, place(r, g));
        check_members(r, e, &s.quick, place(r, g));
        e->sets[e->n_sets++] = s;
    }
}

static void read_metrics(struct reader *r, const config_setting_t *root, struct experiment *e)
{
    static const char *const legal[] = {"name",    "value",  "over", "groups",    "part",
                                        "per",     "design", "keys", "keys_over", "times",
                                        "above",   "better", "both", "programs",  "percent_of",
                                        "inverse", "trace",  NULL};
    const config_setting_t *list = list_of(r, root, "metrics", &e->n_metrics);
    e->metrics = arena_many(r->mem, struct ex_metric, e->n_metrics);
    for (size_t i = 0; i < e->n_metrics; i++) {
        const config_setting_t *g = config_setting_get_elem(list, (unsigned)i);
        check_keys(r, g, legal);
        e->metrics[i] = (struct ex_metric){
            .name = text_of(r, g, "name", true),
            .value = text_of(r, g, "value", false),
            .over = text_of(r, g, "over", false),
            .has_groups = config_setting_get_member(g, "groups") != NULL,
            .groups = texts_of(r, g, "groups", false),
            .part = text_of(r, g, "part", false),
            .per = text_of(r, g, "per", false),
            .design = text_of(r, g, "design", false),
            .keys = texts_of(r, g, "keys", false),
            .keys_over = texts_of(r, g, "keys_over", false),
            .times = number_of(r, g, "times", 1) * 100 / number_of(r, g, "percent_of", 100),
            .is_inverse = bool_of(r, g, "inverse"),
            .above = number_of(r, g, "above", NAN),
            .trace = text_of(r, g, "trace", false),
            .programs = text_of(r, g, "programs", false),
            .better = text_of(r, g, "better", false),
            .both = texts_of(r, g, "both", false),
        };
    }
}

static void read_notes(struct reader *r, const config_setting_t *root, struct experiment *e)
{
    static const char *const legal[] = {"claim", "text", NULL};
    const config_setting_t *list = list_of(r, root, "notes", &e->n_notes);
    e->notes = arena_many(r->mem, struct ex_note, e->n_notes);
    for (size_t i = 0; i < e->n_notes; i++) {
        const config_setting_t *g = config_setting_get_elem(list, (unsigned)i);
        check_keys(r, g, legal);
        e->notes[i] = (struct ex_note){text_of(r, g, "claim", true), text_of(r, g, "text", true)};
    }
}

static void check_configuration(struct reader *r, const struct experiment *e, const char *name,
                                const char *set, struct where at)
{
    if (!experiment_configuration(e, name, set, r->mem))
        r->ok = err_add(r->err, ERR_INPUT, at, "there is no configuration '%s'", name);
}

static void check_figure(struct reader *r, const struct experiment *e, const struct ex_figure *f,
                         struct where at)
{
    for (size_t k = 0; k < f->of.n; k++) {
        if (f->rows != EX_BY_OVER)
            check_configuration(r, e, f->of.at[k], f->set, at);
        for (size_t i = 0; i < f->over.n; i++)
            check_configuration(r, e, arena_printf(r->mem, "%s @ %s", f->of.at[k], f->over.at[i]),
                                "-", at);
    }
    for (size_t k = 0; k < f->baselines.n; k++)
        check_configuration(r, e, f->baselines.at[k], f->set, at);
    for (size_t k = 0; k < f->metrics.n; k++) {
        if (!experiment_metric(e, f->metrics.at[k]))
            r->ok = err_add(r->err, ERR_INPUT, at, "there is no metric '%s'", f->metrics.at[k]);
    }
    bool is_program = experiment_workload(e, f->set) != NULL;
    if (strcmp(f->set, "-") != 0 && !is_program && !experiment_set(e, f->set))
        r->ok = err_add(r->err, ERR_INPUT, at, "there is no set '%s'", f->set);
    if ((f->baselines.n > 1 && f->baselines.n != f->of.n) ||
        (f->labels.n && f->labels.n != f->of.n) ||
        (f->metric_labels.n && f->metric_labels.n != f->metrics.n))
        r->ok = err_add(r->err, ERR_INPUT, at,
                        "needs as many labels and baselines as what they belong to");
    if (f->of.n == 0 || f->metrics.n == 0)
        r->ok = err_add(r->err, ERR_INPUT, at, "a figure needs configurations and metrics");
}

/* A word of a list, by its place. */
static int word_of(struct reader *r, const config_setting_t *g, const char *key,
                   const char *const *words, int n)
{
    const char *word = text_of(r, g, key, false);
    for (int i = 0; word && i < n; i++) {
        if (strcmp(words[i], word) == 0)
            return i;
    }
    if (word)
        unknown(r, place(r, g), key, word, words, (size_t)n);
    return 0;
}

static void read_figures(struct reader *r, const config_setting_t *root, struct experiment *e)
{
    static const char *const legal[] = {
        "figure",  "title", "kind",    "rows",          "y",         "set",     "of",
        "labels",  "over",  "metrics", "metric_labels", "baselines", "against", "measure",
        "ordered", NULL};
    static const char *const kinds[] = {"bars", "stacked", "lines", "table"};
    static const char *const rows[] = {"programs", "configurations"};
    const config_setting_t *list = list_of(r, root, "figures", &e->n_figures);
    e->figures = arena_many(r->mem, struct ex_figure, e->n_figures);
    for (size_t i = 0; i < e->n_figures; i++) {
        const config_setting_t *g = config_setting_get_elem(list, (unsigned)i);
        check_keys(r, g, legal);
        const char *set = text_of(r, g, "set", false), *y = text_of(r, g, "y", false),
                   *measure = text_of(r, g, "measure", false);
        struct ex_figure f = {
            .figure = text_of(r, g, "figure", true),
            .title = text_of(r, g, "title", true),
            .y = y ? y : "",
            .kind = (enum ex_kind)word_of(r, g, "kind", kinds, 4),
            .rows = (enum ex_rows)word_of(r, g, "rows", rows, 2),
            .set = set ? set : "-",
            .of = texts_of(r, g, "of", true),
            .labels = texts_of(r, g, "labels", false),
            .over = texts_of(r, g, "over", false),
            .metrics = texts_of(r, g, "metrics", true),
            .metric_labels = texts_of(r, g, "metric_labels", false),
            .baselines = texts_of(r, g, "baselines", false),
            .against = text_of(r, g, "against", false),
            .is_ordered = bool_of(r, g, "ordered"),
        };
        if (f.over.n)
            f.rows = EX_BY_OVER;
        f.measure = f.baselines.n ? CLAIM_RATIO : CLAIM_VALUE;
        if (measure && !claim_measure_read(measure, place(r, g), r->mem, &f.measure, r->err))
            r->ok = false;
        check_figure(r, e, &f, place(r, g));
        e->figures[i] = f;
    }
}

static void read_root(struct reader *r, const config_setting_t *root, struct experiment *e)
{
    static const char *const legal[] = {"title",   "configurations", "workloads", "sets",
                                        "metrics", "notes",          "figures",   NULL};
    check_keys(r, root, legal);
    e->title = text_of(r, root, "title", true);
    read_configurations(r, root, e);
    read_workloads(r, root, e);
    read_sets(r, root, e);
    read_metrics(r, root, e);
    read_notes(r, root, e);
    read_figures(r, root, e);
}

const char **experiment_names(const char *data_dir, struct arena *mem, struct err *err)
{
    const char *folder = path_join(mem, data_dir, "cfg/paper");
    const char **names = file_names(folder, mem, err);
    size_t n = 0;
    if (!names)
        return NULL;
    for (size_t i = 0; names[i]; i++) {
        if (file_exists(path_join(mem, folder, arena_printf(mem, "%s/experiment.cfg", names[i]))))
            names[n++] = names[i];
    }
    names[n] = NULL;
    return names;
}

/* Refuses an unknown paper. */
static bool is_paper(struct reader *r, const char *name, const char *data_dir)
{
    const char **papers = experiment_names(data_dir, r->mem, r->err);
    struct buf list;
    size_t n = 0;
    if (!papers)
        return false;
    buf_init(&list, r->mem, 1 << 12);
    for (; papers[n]; n++) {
        if (strcmp(papers[n], name) == 0)
            return true;
        buf_printf(&list, "%s%s", n ? ", " : "", papers[n]);
    }
    unknown(r, NOWHERE, "paper", name, papers, n);
    err_note(r->err, NOWHERE, "papers: %s", list.data);
    return false;
}

bool experiment_read(const char *name, const char *data_dir, struct arena *mem,
                     struct experiment *out, struct err *err)
{
    struct reader r = {.mem = mem, .err = err, .ok = true};
    struct experiment e = {.name = arena_strdup(mem, name)};
    config_t cfg;
    if (!is_paper(&r, name, data_dir))
        return false;
    r.dir = path_join(mem, data_dir, arena_printf(mem, "cfg/paper/%s", name));
    r.file = e.file = path_join(mem, r.dir, "experiment.cfg");
    if (setting_read(r.file, mem, &cfg, err))
        read_root(&r, config_root_setting(&cfg), &e);
    else
        r.ok = false;
    config_destroy(&cfg);
    if (r.ok)
        *out = e;
    return r.ok;
}

/* ---- asking ---------------------------------------------------------------------------------- */

static const struct ex_configuration *named(const struct experiment *e, const char *name)
{
    for (size_t i = 0; i < e->n_configurations; i++) {
        for (size_t k = 0; k < e->configurations[i].names.n; k++) {
            if (strcmp(e->configurations[i].names.at[k], name) == 0)
                return &e->configurations[i];
        }
    }
    return NULL;
}

const struct ex_configuration *experiment_configuration(const struct experiment *e,
                                                        const char *name, const char *workload,
                                                        struct arena *mem)
{
    const struct ex_configuration *c = named(e, arena_printf(mem, "%s @ %s", name, workload));
    return c ? c : named(e, name);
}

#define FIND(type, list, count, field, wanted)                                                     \
    for (size_t i = 0; i < e->count; i++) {                                                        \
        if (strcmp(e->list[i].field, wanted) == 0)                                                 \
            return &e->list[i];                                                                    \
    }                                                                                              \
    return NULL

const struct ex_workload *experiment_workload(const struct experiment *e, const char *name)
{
    FIND(struct ex_workload, workloads, n_workloads, name, name);
}

const struct ex_set *experiment_set(const struct experiment *e, const char *name)
{
    FIND(struct ex_set, sets, n_sets, name, name);
}

const struct ex_metric *experiment_metric(const struct experiment *e, const char *name)
{
    FIND(struct ex_metric, metrics, n_metrics, name, name);
}

const char *experiment_note(const struct experiment *e, const char *claim)
{
    for (size_t i = 0; i < e->n_notes; i++) {
        if (strcmp(e->notes[i].claim, claim) == 0)
            return e->notes[i].text;
    }
    return NULL;
}
