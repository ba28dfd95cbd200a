/* SPDX-License-Identifier: MIT
 *
 * Designs, their parts, and the points of explorations. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/table.h"
#include "gen/store/store_impl.h"

bool store_has_description(struct store *s, uint64_t hash)
{
    static const char sql[] = "SELECT 1 FROM description WHERE hash = ?";
    pthread_mutex_lock(&s->lock);
    sqlite3_stmt *stmt = store_statement(s, sql);
    if (stmt)
        store_bind_hash(stmt, 1, hash);
    bool is_there = stmt && sqlite3_step(stmt) == SQLITE_ROW;
    sqlite3_reset(stmt);
    pthread_mutex_unlock(&s->lock);
    return is_there;
}

bool store_keep_description(struct store *s, uint64_t hash, const char *text, struct err *err)
{
    static const char sql[] = "INSERT OR IGNORE INTO description VALUES (?, ?)";
    pthread_mutex_lock(&s->lock);
    sqlite3_stmt *stmt = store_statement(s, sql);
    if (stmt) {
        store_bind_hash(stmt, 1, hash);
        store_bind_text(stmt, 2, text);
    }
    bool ok = store_run(s, stmt, err);
    pthread_mutex_unlock(&s->lock);
    return ok;
}

bool store_keep_design(struct store *s, const struct store_design *d, struct err *err)
{
    static const char sql[] = "INSERT OR REPLACE INTO design VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
    json_t *figures = json_object();
    for (size_t i = 0; i < d->n_figures; i++)
        json_object_set_new(figures, d->figures[i].name, json_num(d->figures[i].value));
    char *text = json_dumps(figures, JSON_COMPACT | JSON_REAL_PRECISION(17));
    json_decref(figures);
    if (!text)
        arena_exhausted();
    pthread_mutex_lock(&s->lock);
    sqlite3_stmt *stmt = store_statement(s, sql);
    if (stmt) {
        store_bind_hash(stmt, 1, d->id);
        store_bind_hash(stmt, 2, d->hash);
        store_bind_text(stmt, 3, d->name);
        store_bind_hash(stmt, 4, d->description);
        store_bind_text(stmt, 5, d->changes);
        store_bind_text(stmt, 6, d->error);
        store_bind_text(stmt, 7, text);
        store_bind_text(stmt, 8, s->provenance);
    }
    bool ok = store_run(s, stmt, err);
    pthread_mutex_unlock(&s->lock);
    free(text);
    return ok;
}

static uint64_t column_hash(sqlite3_stmt *stmt, int at)
{
    const char *text = (const char *)sqlite3_column_text(stmt, at);
    return text ? strtoull(text, NULL, 16) : 0;
}

static const char *column_text(sqlite3_stmt *stmt, int at, struct arena *mem)
{
    const char *text = (const char *)sqlite3_column_text(stmt, at);
    return text ? arena_strdup(mem, text) : NULL;
}

static void take_figures(const char *text, struct arena *mem, struct store_design *out)
{
    json_t *o = text ? json_loads(text, 0, NULL) : NULL, *value;
    const char *name;
    out->figures = arena_many(mem, struct store_value, json_object_size(o));
    json_object_foreach(o, name, value)
    {
        double v = json_is_number(value) ? json_number_value(value) : NAN;
        out->figures[out->n_figures++] = (struct store_value){arena_strdup(mem, name), v};
    }
    json_decref(o);
}

bool store_take_design(struct store *s, uint64_t id, struct arena *mem, struct store_design *out)
{
    static const char sql[] =
        "SELECT hash, name, description, changes, error, figures FROM design WHERE id = ?";
    pthread_mutex_lock(&s->lock);
    sqlite3_stmt *stmt = store_statement(s, sql);
    if (stmt)
        store_bind_hash(stmt, 1, id);
    bool is_there = stmt && sqlite3_step(stmt) == SQLITE_ROW;
    if (is_there) {
        *out = (struct store_design){.id = id,
                                     .hash = column_hash(stmt, 0),
                                     .name = column_text(stmt, 1, mem),
                                     .description = column_hash(stmt, 2),
                                     .changes = column_text(stmt, 3, mem),
                                     .error = column_text(stmt, 4, mem)};
        take_figures((const char *)sqlite3_column_text(stmt, 5), mem, out);
    }
    sqlite3_reset(stmt);
    pthread_mutex_unlock(&s->lock);
    return is_there;
}

static bool has_components(struct store *s, uint64_t design)
{
    static const char sql[] = "SELECT 1 FROM component WHERE design = ? LIMIT 1";
    sqlite3_stmt *stmt = store_statement(s, sql);
    if (stmt)
        store_bind_hash(stmt, 1, design);
    bool has = stmt && sqlite3_step(stmt) == SQLITE_ROW;
    sqlite3_reset(stmt);
    return has;
}

static bool keep_components(struct store *s, uint64_t design, const struct store_component *list,
                            size_t n, struct err *err)
{
    static const char sql[] =
        "INSERT OR IGNORE INTO component VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    for (size_t i = 0; i < n; i++) {
        const struct store_component *c = &list[i];
        sqlite3_stmt *stmt = store_statement(s, sql);
        if (stmt) {
            const char *const texts[] = {c->engine, c->model, c->technology};
            const double numbers[] = {c->area_mm2, c->wire_area_mm2, c->leakage_w, c->fmax_ghz,
                                      c->access_ns};
            store_bind_hash(stmt, 1, design);
            sqlite3_bind_int64(stmt, 2, (sqlite3_int64)i);
            store_bind_text(stmt, 3, c->name);
            store_bind_text(stmt, 4, c->group);
            store_bind_text(stmt, 5, c->kind);
            store_bind_real(stmt, 6, c->instances);
            for (int k = 0; k < 3; k++)
                store_bind_text(stmt, 7 + k, texts[k]);
            for (int k = 0; k < 5; k++)
                store_bind_real(stmt, 10 + k, numbers[k]);
        }
        if (!store_run(s, stmt, err))
            return false;
    }
    return true;
}

bool store_keep_components(struct store *s, uint64_t design, const struct store_component *list,
                           size_t n, struct err *err)
{
    pthread_mutex_lock(&s->lock);
    bool ok = has_components(s, design);
    if (!ok && (s->in_batch || store_exec(s, "BEGIN IMMEDIATE", err))) {
        ok = keep_components(s, design, list, n, err);
        if (!s->in_batch)
            ok = ok && store_exec(s, "COMMIT", err);
        if (!s->in_batch && !ok && !sqlite3_get_autocommit(s->db))
            sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    }
    pthread_mutex_unlock(&s->lock);
    return ok;
}

/* ---- explorations ---------------------------------------------------------------------------- */

bool store_keep_point(struct store *s, uint64_t space, uint64_t design, const char *values,
                      struct err *err)
{
    static const char sql[] = "INSERT OR IGNORE INTO point VALUES (?, ?, ?)";
    pthread_mutex_lock(&s->lock);
    sqlite3_stmt *stmt = store_statement(s, sql);
    if (stmt) {
        store_bind_hash(stmt, 1, space);
        store_bind_hash(stmt, 2, design);
        store_bind_text(stmt, 3, values);
    }
    bool ok = store_run(s, stmt, err);
    pthread_mutex_unlock(&s->lock);
    return ok;
}

bool store_keep_promotion(struct store *s, uint64_t space, uint64_t design, unsigned round,
                          const char *to, const char *why, struct err *err)
{
    static const char sql[] = "INSERT OR IGNORE INTO promotion VALUES (?, ?, ?, ?, ?)";
    pthread_mutex_lock(&s->lock);
    sqlite3_stmt *stmt = store_statement(s, sql);
    if (stmt) {
        store_bind_hash(stmt, 1, space);
        store_bind_hash(stmt, 2, design);
        store_bind_text(stmt, 3, to);
        sqlite3_bind_int64(stmt, 4, round);
        store_bind_text(stmt, 5, why);
    }
    bool ok = store_run(s, stmt, err);
    pthread_mutex_unlock(&s->lock);
    return ok;
}

bool store_keep_told(struct store *s, uint64_t space, uint64_t design, const char *name,
                     double value, struct err *err)
{
    static const char sql[] = "INSERT OR REPLACE INTO told VALUES (?, ?, ?, ?)";
    pthread_mutex_lock(&s->lock);
    sqlite3_stmt *stmt = store_statement(s, sql);
    if (stmt) {
        store_bind_hash(stmt, 1, space);
        store_bind_hash(stmt, 2, design);
        store_bind_text(stmt, 3, name);
        store_bind_real(stmt, 4, value);
    }
    bool ok = store_run(s, stmt, err);
    pthread_mutex_unlock(&s->lock);
    return ok;
}

bool store_take_told(struct store *s, uint64_t space, uint64_t design, const char *name,
                     double *value)
{
    static const char sql[] = "SELECT value FROM told WHERE space = ? AND design = ? AND name = ?";
    pthread_mutex_lock(&s->lock);
    sqlite3_stmt *stmt = store_statement(s, sql);
    if (stmt) {
        store_bind_hash(stmt, 1, space);
        store_bind_hash(stmt, 2, design);
        store_bind_text(stmt, 3, name);
    }
    bool is_there = stmt && sqlite3_step(stmt) == SQLITE_ROW;
    if (is_there)
        *value = sqlite3_column_double(stmt, 0);
    sqlite3_reset(stmt);
    pthread_mutex_unlock(&s->lock);
    return is_there;
}
