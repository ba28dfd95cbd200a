/* SPDX-License-Identifier: MIT
 *
 * `crosswatt results`: what was measured: list, filter, export, merge. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/near.h"
#include "base/table.h"
#include "base/vec.h"
#include "gen/command.h"
#include "gen/out.h"
#include "gen/run/names.h"
#include "gen/store/store.h"

#define MOST_COLUMNS 40

/* ---- merging --------------------------------------------------------------------------------- */

/* On the disk, then under its name. */
static bool name_draft(const char *draft, const char *path, struct err *err)
{
    int fd = open(draft, O_RDWR);
    bool ok = fd >= 0 && file_sync(fd);
    if (fd >= 0)
        close(fd);
    return (ok && rename(draft, path) == 0 && file_sync_folder_of(path)) ||
           err_add(err, ERR_MACHINE, AT_FILE(path), "cannot be written: %s", strerror(errno));
}

static int merge(struct app *app, const struct options *o)
{
    if (o->n_words < 3) {
        err_add(&app->err, ERR_INPUT, NOWHERE, "usage: crosswatt results merge OUT IN…");
        return EXIT_INPUT;
    }
    for (size_t i = 2; i < o->n_words; i++) {
        if (!file_exists(o->words[i]))
            err_add(&app->err, ERR_INPUT, AT_FILE(o->words[i]), "there is no such file");
    }
    if (err_any(&app->err))
        return EXIT_INPUT;
    /* a new file is written without a journal and gets its name when it is whole */
    bool is_new = !file_exists(o->words[1]);
    const char *draft = arena_printf(&app->mem, "%s.part", o->words[1]);
    if (is_new)
        unlink(draft);
    struct store *s =
        store_open(is_new ? draft : o->words[1], is_new ? STORE_DRAFT : STORE_SHARED, &app->err);
    uint64_t n = 0;
    bool ok = s && store_begin(s, app_command_line(app), &app->err) &&
              store_merge(s, o->words + 2, o->n_words - 2, &n, &app->err);
    store_close(s);
    if (is_new && !(ok && name_draft(draft, o->words[1], &app->err))) {
        unlink(draft);
        return exit_status_of(&app->err);
    }
    if (ok && !o->quiet && !o->json)
        printf("%s: %llu results of %zu files were new\n", o->words[1], (unsigned long long)n,
               o->n_words - 2);
    if (ok && o->json) {
        json_t *j = json_object();
        json_object_set_new(j, "file", json_text(o->words[1]));
        json_object_set_new(j, "files", json_integer((json_int_t)(o->n_words - 2)));
        json_object_set_new(j, "new", json_integer((json_int_t)n));
        out_json(j, OUT_ALL_DIGITS);
    }
    return exit_status_of(&app->err);
}

/* ---- questions ------------------------------------------------------------------------------- */

struct listing {
    struct app *app;
    struct table *table;
    const struct table_column *columns;
    size_t n_texts; /* columns that are texts, but for whole numbers; numbers follow */
};

static bool add_row(void *ctx, size_t n, const char *const *columns, const char *const *texts)
{
    struct listing *l = ctx;
    (void)columns;
    table_row(l->table);
    for (size_t i = 0; i < n; i++) {
        if (!texts[i])
            table_none(l->table);
        else if (i < l->n_texts && l->columns[i].decimals == -1)
            table_text(l->table, arena_strdup(&l->app->mem, texts[i]));
        else
            table_num(l->table, strtod(texts[i], NULL));
    }
    return true;
}

static void print_table(struct app *app, const struct options *o, struct table *t)
{
    if (option_has(o, "csv")) {
        struct buf b;
        buf_init(&b, &app->mem, BUF_NO_MAX);
        table_write_csv(t, &b);
        fputs(b.data, stdout);
    } else {
        out_table(t, o->json, OUT_ALL_DIGITS, &app->mem);
    }
}

typedef VEC(const char *) text_list;

static void add_value(struct arena *mem, struct buf *where, text_list *values, const char *test,
                      const char *value)
{
    buf_printf(where, "%s%s", values->n ? " AND " : " WHERE ", test);
    vec_push(mem, values, value);
}

/* Names of statistics by commas; each is a number of runs or of designs. */
static bool read_columns(struct app *app, const struct options *o, const struct stat_name **chosen,
                         size_t *n)
{
    static const char usual[] = "cycles,ipc_thread,power_w,noc_power_w,perf_per_watt.noc,"
                                "perf_per_watt.system";
    const char *list = option_get(o, "columns") ? option_get(o, "columns") : usual;
    size_t n_all;
    const struct stat_name *all = stat_names(&app->mem, &n_all);
    bool ok = true;
    *n = 0;
    for (const char *at = list; *at;) {
        size_t len = strcspn(at, ",");
        const char *name = arena_strndup(&app->mem, at, len);
        const struct stat_name *found = NULL;
        at += len + (at[len] == ',');
        for (size_t i = 0; i < n_all && !found; i++)
            found = strcmp(all[i].name, name) == 0 ? &all[i] : NULL;
        if (!found) {
            text_list names = {0};
            for (size_t i = 0; i < n_all; i++)
                vec_push(&app->mem, &names, all[i].name);
            ok = err_add(&app->err, ERR_INPUT, (struct where){NULL, 0, "--columns"},
                         "there is no statistic '%s'%s", name,
                         near_hint(name, names.at, names.n, &app->mem));
        } else if (*n == MOST_COLUMNS) {
            return err_add(&app->err, ERR_INPUT, (struct where){NULL, 0, "--columns"}, "at most %d",
                           MOST_COLUMNS);
        } else {
            chosen[(*n)++] = found;
        }
    }
    return ok;
}

static void add_filters(struct app *app, const struct options *o, bool is_run, struct buf *sql,
                        text_list *values)
{
    struct arena *mem = &app->mem;
    const char *design = option_get(o, "design"), *workload = option_get(o, "workload"),
               *window = option_get(o, "window");
    if (design)
        add_value(mem, sql, values,
                  is_run ? "(d.name LIKE ?1 OR r.design LIKE ?1 OR d.changes LIKE ?1)"
                         : "(d.name LIKE ?1 OR d.hash LIKE ?1 OR d.changes LIKE ?1)",
                  arena_printf(mem, "%%%s%%", design));
    if (workload && is_run)
        add_value(mem, sql, values, arena_printf(mem, "w.name = ?%zu", values->n + 1), workload);
    if (window && is_run)
        add_value(mem, sql, values,
                  arena_printf(mem, "r.window = CAST(?%zu AS INTEGER)", values->n + 1), window);
}

/* Runs, those that failed, or designs: texts first, then the numbers asked for. */
static bool list(struct app *app, const struct options *o, struct store *s)
{
    static const struct table_column run_texts[] = {{"result", "", -1},  {"design", "", -1},
                                                    {"changes", "", -1}, {"workload", "", -1},
                                                    {"preset", "", -1},  {"window", "cycle", -2},
                                                    {"error", "", -1}},
                                     design_texts[] = {{"design", "", -1},
                                                       {"name", "", -1},
                                                       {"changes", "", -1},
                                                       {"error", "", -1}};
    bool is_failures = option_has(o, "failures"), is_designs = option_has(o, "designs");
    const struct stat_name *chosen[MOST_COLUMNS];
    struct table_column columns[8 + MOST_COLUMNS];
    size_t n = 0, n_texts = is_designs ? 4 : is_failures ? 7 : 6;
    struct buf sql;
    text_list values = {0};
    memcpy(columns, is_designs ? design_texts : run_texts, n_texts * sizeof *columns);
    if (!is_failures && (!is_designs || option_get(o, "columns")) &&
        !read_columns(app, o, chosen, &n))
        return false;
    buf_init(&sql, &app->mem, BUF_NO_MAX);
    buf_add(&sql, is_designs ? "SELECT d.hash, d.name, replace(trim(d.changes, char(10)), "
                               "char(10), '; '), d.error"
                             : "SELECT r.key, coalesce(d.name, r.design), "
                               "replace(trim(d.changes, char(10)), char(10), '; '), w.name, "
                               "w.preset, r.window");
    if (is_failures)
        buf_add(&sql, ", r.error");
    for (size_t i = 0; i < n; i++) {
        columns[n_texts + i] = (struct table_column){chosen[i]->name, chosen[i]->unit, 3};
        const char *from = chosen[i]->is_figure || is_designs ? "d.figures" : "r.statistics";
        /* a damaged row has no numbers */
        buf_printf(&sql, ", CASE WHEN json_valid(%s) THEN json_extract(%s, '$.\"%s\"') END", from,
                   from, chosen[i]->name);
    }
    if (is_designs)
        buf_add(&sql, " FROM design d");
    else
        buf_printf(&sql,
                   " FROM %s r LEFT JOIN design d ON d.id = (SELECT id FROM design WHERE hash = "
                   "r.design LIMIT 1) LEFT JOIN workload w ON w.hash = r.workload",
                   is_failures ? "failure" : "result");
    add_filters(app, o, !is_designs, &sql, &values);
    buf_add(&sql, is_designs ? " ORDER BY d.name, d.changes, d.hash"
                             : " ORDER BY d.name, d.changes, w.name, r.window, r.key");
    struct listing l = {app, table_new(&app->mem, columns, n_texts + n), columns, n_texts};
    if (!store_query(s, sql.data, values.at, values.n, add_row, &l, &app->err))
        return false;
    print_table(app, o, l.table);
    return true;
}

static bool print_texts(void *ctx, size_t n, const char *const *columns, const char *const *texts)
{
    size_t *rows = ctx;
    (void)columns;
    for (size_t i = 0; i < n; i++)
        printf("%s", texts[i] ? texts[i] : "");
    ++*rows;
    return true;
}

/* The description that changes are made to, then the changes: the last word of a key counts. */
static bool print_description(struct app *app, struct store *s, const char *hash)
{
    const char *values[] = {arena_printf(&app->mem, "%s%%", hash)};
    size_t rows = 0;
    return store_query(s,
                       "SELECT t.text || d.changes FROM design d JOIN description t ON t.hash = "
                       "d.description WHERE d.hash LIKE ?1 OR d.id LIKE ?1 LIMIT 1",
                       values, 1, print_texts, &rows, &app->err) &&
           (rows > 0 ||
            err_add(&app->err, ERR_INPUT, NOWHERE, "no design's hash begins with '%s'", hash));
}

struct any { /* rows of a query of the user's */
    struct app *app;
    struct table *table;
};

static bool add_any(void *ctx, size_t n, const char *const *columns, const char *const *texts)
{
    struct any *a = ctx;
    if (!a->table) {
        struct table_column *c = arena_many(&a->app->mem, struct table_column, n);
        for (size_t i = 0; i < n; i++)
            c[i] = (struct table_column){arena_strdup(&a->app->mem, columns[i]), "", -1};
        a->table = table_new(&a->app->mem, c, n);
    }
    table_row(a->table);
    for (size_t i = 0; i < n; i++) {
        if (texts[i])
            table_text(a->table, arena_strdup(&a->app->mem, texts[i]));
        else
            table_none(a->table);
    }
    return true;
}

static bool ask(struct app *app, const struct options *o, struct store *s)
{
    struct any a = {app, NULL};
    if (!store_query(s, option_get(o, "sql"), NULL, 0, add_any, &a, &app->err))
        return false;
    if (a.table)
        print_table(app, o, a.table);
    else if (o->json)
        out_json(json_array(), OUT_ALL_DIGITS);
    return true;
}

static int run(struct app *app, const struct options *o)
{
    if (strcmp(o->words[0], "merge") == 0)
        return merge(app, o);
    if (o->n_words > 1) {
        err_add(&app->err, ERR_INPUT, NOWHERE, "one file at a time; `results merge` joins several");
        return EXIT_INPUT;
    }
    struct store *s = store_open(o->words[0], STORE_READ, &app->err);
    if (!s)
        return exit_status_of(&app->err);
    bool ok = option_get(o, "description") ? print_description(app, s, option_get(o, "description"))
              : option_get(o, "sql")       ? ask(app, o, s)
                                           : list(app, o, s);
    store_close(s);
    return ok ? EXIT_DONE : exit_status_of(&app->err);
}

static const struct option_def options[] = {
    {"design", 'd', "TEXT", "designs whose name, hash or changed keys hold this text"},
    {"workload", 'w', "NAME", "runs of this workload"},
    {"window", 0, "N", "runs cut off after N cycles; 0: whole runs"},
    {"columns", 'c', "LIST", "statistics to show, by commas (see `crosswatt stats`)"},
    {"csv", 0, NULL, "print CSV"},
    {"designs", 0, NULL, "designs, with figures of --columns, instead of runs"},
    {"failures", 0, NULL, "runs that failed, and why"},
    {"description", 0, "HASH", "every key of a design, by the beginning of its hash"},
    {"sql", 0, "QUERY", "rows of any query; the file is not changed"},
    {NULL, 0, NULL, NULL},
};

const struct command cmd_results = {
    .name = "results",
    .args = "DB | merge OUT IN…",
    .meaning = "what was measured: list, filter, export and merge files of results",
    .text = "Files of results are SQLite files: results.sqlite of an exploration, and that of "
            "`compare`\n"
            "and `reproduce` in the cache folder. docs/results.md has their tables.\n"
            "merge adds all that OUT does not have; it may be run again.\n",
    .options = options,
    .least_words = 1,
    .most_words = 100000,
    .reads_no_config = true,
    .needs_no_data = true,
    .run = run,
};
