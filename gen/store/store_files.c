/* SPDX-License-Identifier: MIT
 *
 * Whole files: merging, questions, and what is left of a damaged one. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/vec.h"
#include "gen/store/schema.h"
#include "gen/store/store_impl.h"

static const char *const tables[] = {
#define X(table, columns) table,
    STORE_TABLES(X)
#undef X
};
#define N_TABLES (sizeof tables / sizeof *tables)

/* ---- merging ------------------------------------------------------------------------------------
 */

static long long count_results(struct store *s)
{
    sqlite3_stmt *stmt;
    long long n = 0;
    if (sqlite3_prepare_v2(s->db, "SELECT count(*) FROM result", -1, &stmt, NULL) == SQLITE_OK &&
        sqlite3_step(stmt) == SQLITE_ROW)
        n = sqlite3_column_int64(stmt, 0);
    sqlite3_finalize(stmt);
    return n;
}

/* `n`: results that came. */
static bool copy_tables(struct store *s, uint64_t *n, struct err *err)
{
    for (size_t i = 0; i < N_TABLES; i++) {
        const char *sql = arena_printf(
            &s->mem, "INSERT OR IGNORE INTO main.%s SELECT * FROM other.%s", tables[i], tables[i]);
        if (!store_exec(s, sql, err))
            return false;
        if (strcmp(tables[i], "result") == 0)
            *n = (uint64_t)sqlite3_changes64(s->db);
    }
    /* what failed in one file and ran in another has run */
    return store_exec(s,
                      "DELETE FROM main.failure WHERE EXISTS (SELECT 1 FROM main.result WHERE "
                      "result.key = failure.key)",
                      err);
}

/* ---- questions ----------------------------------------------------------------------------------
 */

bool store_query(struct store *s, const char *sql, const char *const *values, size_t n_values,
                 store_row *row, void *ctx, struct err *err)
{
    enum { MOST = 64 };
    const char *names[MOST], *texts[MOST];
    sqlite3_stmt *stmt;
    int code;
    if (sqlite3_prepare_v2(s->db, sql, -1, &stmt, NULL) != SQLITE_OK)
        return sqlite3_errcode(s->db) == SQLITE_ERROR
                   ? err_add(err, ERR_INPUT, AT_FILE(s->path), "%s", sqlite3_errmsg(s->db))
                   : store_failed(s, err);
    for (size_t i = 0; i < n_values; i++)
        store_bind_text(stmt, (int)i + 1, values[i]);
    size_t n = (size_t)sqlite3_column_count(stmt);
    n = n > MOST ? MOST : n;
    while ((code = sqlite3_step(stmt)) == SQLITE_ROW) {
        for (size_t i = 0; i < n; i++) {
            names[i] = sqlite3_column_name(stmt, (int)i);
            texts[i] = (const char *)sqlite3_column_text(stmt, (int)i);
        }
        if (!row(ctx, n, names, texts))
            break;
    }
    bool ok = code == SQLITE_DONE || code == SQLITE_ROW;
    if (code == SQLITE_READONLY)
        err_add(err, ERR_INPUT, AT_FILE(s->path), "a query may change nothing");
    else if (!ok)
        store_failed(s, err);
    sqlite3_finalize(stmt);
    return ok;
}

/* ---- damage -------------------------------------------------------------------------------------
 */

static bool is_whole(const char *path)
{
    sqlite3 *db;
    sqlite3_stmt *stmt = NULL;
    bool ok = sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK &&
              sqlite3_prepare_v2(db, "PRAGMA quick_check(1)", -1, &stmt, NULL) == SQLITE_OK &&
              sqlite3_step(stmt) == SQLITE_ROW &&
              strcmp((const char *)sqlite3_column_text(stmt, 0), "ok") == 0;
    sqlite3_finalize(stmt);
    sqlite3_close(db);
    return ok;
}

/* Rows of one table, from its beginning and from its end to where it is damaged. */
static void copy_readable(sqlite3 *from, struct store *to, const char *table)
{
    static const char *const orders[] = {"", " ORDER BY rowid DESC"};
    for (int way = 0; way < 2; way++) {
        sqlite3_stmt *in = NULL, *out = NULL;
        int code = sqlite3_prepare_v2(
            from, arena_printf(&to->mem, "SELECT * FROM %s NOT INDEXED%s", table, orders[way]), -1,
            &in, NULL);
        int n = code == SQLITE_OK ? sqlite3_column_count(in) : 0;
        const char *marks = "?";
        for (int i = 1; i < n; i++)
            marks = arena_printf(&to->mem, "%s, ?", marks);
        if (n && sqlite3_prepare_v2(
                     to->db,
                     arena_printf(&to->mem, "INSERT OR IGNORE INTO %s VALUES (%s)", table, marks),
                     -1, &out, NULL) == SQLITE_OK) {
            while ((code = sqlite3_step(in)) == SQLITE_ROW) {
                for (int i = 0; i < n; i++)
                    sqlite3_bind_value(out, i + 1, sqlite3_column_value(in, i));
                sqlite3_step(out);
                sqlite3_reset(out);
            }
        }
        sqlite3_finalize(in);
        sqlite3_finalize(out);
        if (code == SQLITE_DONE)
            return;
    }
}

/* ---- merging whole files
 * --------------------------------------------------------------------------
 */

/* Faster than row by row for a whole file; false leaves nothing of it. What was merged is on the
 * disk when the store is closed, not after each file: merging again costs little. */
static bool copy_whole(struct store *s, const char *from, uint64_t *n, bool *is_damaged,
                       struct err *err)
{
    sqlite3_stmt *stmt;
    if (s->mode != STORE_DRAFT)
        sqlite3_exec(s->db, "PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 20000", NULL,
                     NULL, NULL);
    bool ok = sqlite3_prepare_v2(s->db, "ATTACH ? AS other", -1, &stmt, NULL) == SQLITE_OK;
    if (ok)
        store_bind_text(stmt, 1, from);
    ok = ok && store_run(s, stmt, err);
    sqlite3_finalize(stmt);
    if (!ok)
        return err_any(err) ? false : store_failed(s, err);
    ok = store_exec(s, "BEGIN IMMEDIATE", err) && copy_tables(s, n, err) &&
         store_exec(s, "COMMIT", err);
    *is_damaged = !ok && sqlite3_errcode(s->db) == SQLITE_CORRUPT;
    if (!ok && !sqlite3_get_autocommit(s->db))
        sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    sqlite3_exec(s->db, "DETACH other", NULL, NULL, NULL);
    return ok;
}

/* Of a damaged file what can be read. */
static bool copy_rest(struct store *s, struct store *from, struct err *err)
{
    if (!store_exec(s, "BEGIN IMMEDIATE", err))
        return false;
    for (size_t i = 0; i < N_TABLES; i++)
        copy_readable(from->db, s, tables[i]);
    err_warn(err, AT_FILE(from->path), "is damaged; what can be read was merged");
    return store_exec(s, "COMMIT", err);
}

bool store_merge(struct store *s, const char *from, uint64_t *n, struct err *err)
{
    struct store *other = store_attach(from, err); /* its own reader says what is wrong with it */
    struct err found;
    if (!other)
        return false;
    struct arena_mark mark = arena_mark(&s->mem);
    err_init(&found);
    *n = 0;
    bool is_damaged = false, ok = copy_whole(s, from, n, &is_damaged, &found);
    if (is_damaged) {
        long long before = count_results(s);
        ok = copy_rest(s, other, err);
        *n = (uint64_t)(count_results(s) - before);
    } else
        err_join(err, &found);
    err_free(&found);
    store_close(other);
    arena_rewind(&s->mem, mark);
    return ok;
}

/* ---- setting aside
 * --------------------------------------------------------------------------------
 */

static const char *free_name(const char *path, struct arena *mem)
{
    const char *name = arena_printf(mem, "%s.damaged", path);
    for (int i = 2; file_exists(name); i++)
        name = arena_printf(mem, "%s.damaged-%d", path, i);
    return name;
}

/* The journal goes with its file. */
static bool set_aside(const char *path, const char *aside, struct arena *mem)
{
    static const char *const endings[] = {"-wal", "-shm"};
    for (int i = 0; i < 2; i++) {
        const char *name = arena_printf(mem, "%s%s", path, endings[i]);
        if (file_exists(name) && rename(name, arena_printf(mem, "%s%s", aside, endings[i])) != 0)
            return false;
    }
    return rename(path, aside) == 0;
}

static bool rebuild(const char *path, const char *aside, struct arena *mem, struct err *err)
{
    const char *fresh = arena_printf(mem, "%s.new", path);
    sqlite3 *from = NULL;
    unlink(fresh);
    struct store *to = store_open(fresh, STORE_ALONE, err);
    if (!to)
        return false;
    if (sqlite3_open_v2(aside, &from, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK &&
        store_exec(to, "BEGIN IMMEDIATE", err)) {
        for (size_t i = 0; i < N_TABLES; i++)
            copy_readable(from, to, tables[i]);
        store_exec(to, "COMMIT", err);
    }
    sqlite3_close(from);
    long long n = count_results(to);
    store_close(to);
    if (rename(fresh, path) != 0)
        return err_add(err, ERR_MACHINE, AT_FILE(path), "cannot be made anew: %s", strerror(errno));
    err_warn(err, AT_FILE(path),
             "was damaged; %lld results could be read and are kept, the file "
             "as it was is %s",
             n, path_base(aside));
    return true;
}

bool store_salvage(const char *path, struct arena *mem, struct err *err)
{
    int dir = open(path_dir(mem, path), O_RDONLY | O_DIRECTORY);
    if (dir >= 0)
        flock(dir, LOCK_EX); /* another process may be at the same */
    bool ok = is_whole(path);
    if (!ok) {
        const char *aside = free_name(path, mem);
        ok = set_aside(path, aside, mem)
                 ? rebuild(path, aside, mem, err)
                 : err_add(err, ERR_MACHINE, AT_FILE(path),
                           "is damaged and cannot be set aside: %s", strerror(errno));
    }
    if (dir >= 0)
        close(dir);
    return ok;
}
