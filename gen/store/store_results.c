/* SPDX-License-Identifier: MIT
 *
 * Results in and out. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/table.h"
#include "base/vec.h"
#include "gen/store/store_impl.h"

/* ---- sums ------------------------------------------------------------------------------------ */

static uint64_t sum_of(const char *statistics, const char *parts, const void *links, size_t n_bytes)
{
    uint64_t h = map_hash_bytes(statistics, strlen(statistics), 0);
    h = map_hash_bytes(parts, strlen(parts), h);
    return n_bytes ? map_hash_bytes(links, n_bytes, h) : h;
}

/* ---- in -------------------------------------------------------------------------------------- */

/* Takes `j`. */
static char *text_of(json_t *j)
{
    char *text = json_dumps(j, JSON_COMPACT | JSON_REAL_PRECISION(17));
    json_decref(j);
    if (!text)
        arena_exhausted();
    return text;
}

static char *statistics_text(const struct result *r)
{
    json_t *o = json_object();
    for (size_t i = 0; i < r->n_values; i++)
        json_object_set_new(o, r->values[i].name, json_num(r->values[i].value));
    return text_of(o);
}

/* [["noc.request", dynamic, leakage, total, area, wires], …] */
static char *parts_text(const struct result *r)
{
    json_t *list = json_array();
    for (size_t i = 0; i < r->n_groups; i++) {
        const struct result_group *g = &r->groups[i];
        json_t *one = json_array();
        json_array_append_new(one, json_text(g->name));
        json_array_append_new(one, json_num(g->dynamic_j));
        json_array_append_new(one, json_num(g->leakage_j));
        json_array_append_new(one, json_num(g->total_j));
        json_array_append_new(one, json_num(g->area_mm2));
        json_array_append_new(one, json_num(g->wire_area_mm2));
        json_array_append_new(list, one);
    }
    return text_of(list);
}

static bool keep_units(struct store *s, const struct result *r, struct err *err)
{
    static const char sql[] = "INSERT OR IGNORE INTO statistic VALUES (?, ?)";
    for (size_t i = 0; i < r->n_values; i++) {
        const struct result_value *v = &r->values[i];
        if (!map_add(&s->units, v->name, 0))
            continue;
        sqlite3_stmt *stmt = store_statement(s, sql);
        if (stmt) {
            store_bind_text(stmt, 1, v->name);
            store_bind_text(stmt, 2, v->unit);
        }
        if (!store_run(s, stmt, err))
            return false;
    }
    return true;
}

static bool keep_workload(struct store *s, const struct store_pair *p, struct err *err)
{
    static const char sql[] = "INSERT OR IGNORE INTO workload VALUES (?, ?, ?)";
    sqlite3_stmt *stmt = store_statement(s, sql);
    if (stmt) {
        store_bind_hash(stmt, 1, p->workload);
        store_bind_text(stmt, 2, p->workload_name);
        store_bind_text(stmt, 3, p->preset);
    }
    return store_run(s, stmt, err);
}

static bool keep_rows(struct store *s, const struct store_pair *p, const struct result *r,
                      struct err *err)
{
    static const char sql[] = "INSERT OR REPLACE INTO result VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                      done[] = "DELETE FROM failure WHERE key = ?";
    char *statistics = statistics_text(r), *parts = parts_text(r);
    size_t n_bytes = r->n_links * sizeof *r->link_use;
    uint64_t sum = sum_of(statistics, parts, r->link_use, n_bytes);
    bool ok = keep_workload(s, p, err) && keep_units(s, r, err);
    sqlite3_stmt *stmt = ok ? store_statement(s, sql) : NULL;
    if (stmt) {
        store_bind_hash(stmt, 1, p->key);
        store_bind_hash(stmt, 2, p->design);
        store_bind_hash(stmt, 3, p->workload);
        sqlite3_bind_int64(stmt, 4, (sqlite3_int64)p->window);
        store_bind_real(stmt, 5, p->seconds);
        store_bind_text(stmt, 6, statistics);
        store_bind_text(stmt, 7, parts);
        if (n_bytes)
            sqlite3_bind_blob64(stmt, 8, r->link_use, n_bytes, SQLITE_TRANSIENT);
        store_bind_hash(stmt, 9, sum);
        store_bind_text(stmt, 10, s->provenance);
    }
    ok = ok && store_run(s, stmt, err);
    stmt = ok ? store_statement(s, done) : NULL;
    if (stmt)
        store_bind_hash(stmt, 1, p->key);
    ok = ok && store_run(s, stmt, err);
    free(statistics);
    free(parts);
    return ok;
}

bool store_keep(struct store *s, const struct store_pair *p, const struct result *r,
                struct err *err)
{
    pthread_mutex_lock(&s->lock);
    bool ok = s->in_batch || store_exec(s, "BEGIN IMMEDIATE", err);
    if (ok) {
        ok = keep_rows(s, p, r, err);
        if (!s->in_batch && ok)
            ok = store_exec(s, "COMMIT", err);
        if (!s->in_batch && !ok && !sqlite3_get_autocommit(s->db))
            sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    }
    pthread_mutex_unlock(&s->lock);
    return ok;
}

bool store_keep_failure(struct store *s, const struct store_pair *p, const char *error,
                        struct err *err)
{
    static const char sql[] = "INSERT OR REPLACE INTO failure VALUES (?, ?, ?, ?, ?, ?)";
    pthread_mutex_lock(&s->lock);
    bool ok = keep_workload(s, p, err);
    sqlite3_stmt *stmt = ok ? store_statement(s, sql) : NULL;
    if (stmt) {
        store_bind_hash(stmt, 1, p->key);
        store_bind_hash(stmt, 2, p->design);
        store_bind_hash(stmt, 3, p->workload);
        sqlite3_bind_int64(stmt, 4, (sqlite3_int64)p->window);
        store_bind_text(stmt, 5, error);
        store_bind_text(stmt, 6, s->provenance);
    }
    ok = ok && store_run(s, stmt, err);
    pthread_mutex_unlock(&s->lock);
    return ok;
}

/* ---- out ------------------------------------------------------------------------------------- */

static const char *unit_of(struct store *s, const char *name, struct arena *mem)
{
    static const char sql[] = "SELECT unit FROM statistic WHERE name = ?";
    sqlite3_stmt *stmt = store_statement(s, sql);
    const char *unit = "";
    if (stmt) {
        store_bind_text(stmt, 1, name);
        if (sqlite3_step(stmt) == SQLITE_ROW && sqlite3_column_text(stmt, 0))
            unit = arena_strdup(mem, (const char *)sqlite3_column_text(stmt, 0));
        sqlite3_reset(stmt);
    }
    return unit;
}

static bool take_statistics(struct store *s, const char *text, struct arena *mem,
                            struct result *out)
{
    json_t *o = json_loads(text, 0, NULL), *value;
    const char *name;
    if (!json_is_object(o)) {
        json_decref(o);
        return false;
    }
    out->values = arena_many(mem, struct result_value, json_object_size(o));
    json_object_foreach(o, name, value)
    {
        double v = json_is_number(value) ? json_number_value(value) : NAN;
        out->values[out->n_values++] =
            (struct result_value){arena_strdup(mem, name), unit_of(s, name, mem), v};
    }
    json_decref(o);
    return true;
}

static double number_at(const json_t *list, size_t at)
{
    const json_t *v = json_array_get(list, at);
    return json_is_number(v) ? json_number_value(v) : NAN;
}

static bool take_parts(const char *text, struct arena *mem, struct result *out)
{
    json_t *list = json_loads(text, 0, NULL);
    bool ok = json_is_array(list);
    out->groups = arena_many(mem, struct result_group, json_array_size(list));
    for (size_t i = 0; ok && i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i), *name = json_array_get(one, 0);
        ok = json_is_string(name);
        if (ok)
            out->groups[out->n_groups++] =
                (struct result_group){arena_strdup(mem, json_string_value(name)),
                                      number_at(one, 1),
                                      number_at(one, 2),
                                      number_at(one, 3),
                                      number_at(one, 4),
                                      number_at(one, 5)};
    }
    json_decref(list);
    return ok;
}

static bool take_rows(struct store *s, uint64_t key, struct arena *mem, struct result *out)
{
    static const char sql[] = "SELECT statistics, links, sum, parts FROM result WHERE key = ?";
    struct result r = {.design = "", .workload = ""};
    uint64_t sum = 0, kept = 1;
    const char *statistics = NULL, *parts = NULL;
    sqlite3_stmt *stmt = store_statement(s, sql);
    if (stmt)
        store_bind_hash(stmt, 1, key);
    if (stmt && sqlite3_step(stmt) == SQLITE_ROW && sqlite3_column_text(stmt, 0) &&
        sqlite3_column_text(stmt, 2) && sqlite3_column_text(stmt, 3)) {
        parts = arena_strdup(mem, (const char *)sqlite3_column_text(stmt, 3));
        statistics = arena_strdup(mem, (const char *)sqlite3_column_text(stmt, 0));
        kept = strtoull((const char *)sqlite3_column_text(stmt, 2), NULL, 16);
        size_t n_bytes = (size_t)sqlite3_column_bytes(stmt, 1);
        r.n_links = n_bytes / sizeof *r.link_use;
        r.link_use = arena_many(mem, double, r.n_links);
        if (r.n_links)
            memcpy(r.link_use, sqlite3_column_blob(stmt, 1), r.n_links * sizeof *r.link_use);
        sum = sum_of(statistics, parts, r.link_use, n_bytes);
    }
    sqlite3_reset(stmt);
    if (!statistics || sum != kept || !take_parts(parts, mem, &r) ||
        !take_statistics(s, statistics, mem, &r))
        return false;
    *out = r;
    return true;
}

bool store_take(struct store *s, uint64_t key, struct arena *mem, struct result *out)
{
    pthread_mutex_lock(&s->lock);
    bool ok = take_rows(s, key, mem, out);
    pthread_mutex_unlock(&s->lock);
    return ok;
}
