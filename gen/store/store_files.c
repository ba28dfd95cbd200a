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

/* ---- questions ------------------------------------------------------------------------------- */

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
    else if (code == SQLITE_ERROR) /* what it works out of the rows, not how they are read */
        err_add(err, ERR_INPUT, AT_FILE(s->path), "%s", sqlite3_errmsg(s->db));
    else if (!ok)
        store_failed(s, err);
    sqlite3_finalize(stmt);
    return ok;
}

/* ---- damage ---------------------------------------------------------------------------------- */

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

/* A row of one file into another; texts are not copied on the way. */
static void hand_over(sqlite3_stmt *in, sqlite3_stmt *out, int n)
{
    for (int i = 0; i < n; i++) {
        if (sqlite3_column_type(in, i) == SQLITE_TEXT)
            sqlite3_bind_text(out, i + 1, (const char *)sqlite3_column_text(in, i),
                              sqlite3_column_bytes(in, i), SQLITE_STATIC);
        else
            sqlite3_bind_value(out, i + 1, sqlite3_column_value(in, i));
    }
}

/* Rows of one table that `to` does not have, from its beginning and, where it is damaged, from its
 * end as well. `n`: how many came. False and an error where they cannot be written. */
static bool copy_table(sqlite3 *from, struct store *to, const char *table, uint64_t *n,
                       bool *is_damaged, struct err *err)
{
    static const char *const orders[] = {"", " ORDER BY rowid DESC"};
    int code = SQLITE_OK;
    bool ok = true;
    *n = 0;
    for (int way = 0; ok && way < 2 && code != SQLITE_DONE; way++) {
        sqlite3_stmt *in = NULL, *out = NULL;
        code = sqlite3_prepare_v2(
            from, arena_printf(&to->mem, "SELECT * FROM %s NOT INDEXED%s", table, orders[way]), -1,
            &in, NULL);
        int columns = code == SQLITE_OK ? sqlite3_column_count(in) : 0;
        const char *marks = "?";
        for (int i = 1; i < columns; i++)
            marks = arena_printf(&to->mem, "%s, ?", marks);
        if (columns &&
            sqlite3_prepare_v2(
                to->db,
                arena_printf(&to->mem, "INSERT OR IGNORE INTO %s VALUES (%s)", table, marks), -1,
                &out, NULL) == SQLITE_OK) {
            while (ok && (code = sqlite3_step(in)) == SQLITE_ROW) {
                hand_over(in, out, columns);
                ok = store_run(to, out, err);
                *n += (uint64_t)sqlite3_changes64(to->db);
            }
        }
        sqlite3_finalize(in);
        sqlite3_finalize(out);
        *is_damaged |= ok && code != SQLITE_DONE;
    }
    return ok;
}

/* The rows of all tables; `*n` results, `*n_rows` of any kind. */
static bool copy_tables(sqlite3 *from, struct store *to, uint64_t *n, uint64_t *n_rows,
                        struct err *err)
{
    bool ok = store_exec(to, "BEGIN IMMEDIATE", err), is_damaged = false;
    *n = *n_rows = 0;
    for (size_t i = 0; ok && i < N_TABLES; i++) {
        uint64_t rows;
        ok = copy_table(from, to, tables[i], &rows, &is_damaged, err);
        *n_rows += rows;
        *n = strcmp(tables[i], "result") == 0 ? rows : *n;
    }
    return ok && store_exec(to, "COMMIT", err);
}

struct store *store_readable(const char *path, struct err *err)
{
    sqlite3 *from = NULL;
    uint64_t n = 0, n_rows = 0;
    struct store *to = store_open(":memory:", STORE_DRAFT, err);
    if (!to)
        return NULL;
    to->path = arena_strdup(&to->mem, path);
    bool ok =
        sqlite3_open_v2(path, &from, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK ||
        (copy_tables(from, to, &n, &n_rows, err) && store_exec(to, "PRAGMA query_only = 1", err));
    sqlite3_close(from);
    to->mode = STORE_READ;
    if (ok && n_rows == 0)
        ok = err_add(err, ERR_INPUT, AT_FILE(path), "is damaged, and nothing can be read of it");
    if (!ok) {
        store_close(to);
        return NULL;
    }
    err_warn(err, AT_FILE(path), "is damaged; %llu results can be read, and are shown",
             (unsigned long long)n);
    return to;
}

/* ---- merging --------------------------------------------------------------------------------- */

static bool copy_file(struct store *s, const char *path, uint64_t *n, struct err *err)
{
    struct store *from = store_attach(path, err); /* its own reader says what is wrong with it */
    struct arena_mark mark = arena_mark(&s->mem);
    bool ok = from != NULL, is_damaged = false;
    uint64_t rows;
    for (size_t i = 0; ok && i < N_TABLES; i++) {
        ok = copy_table(from->db, s, tables[i], &rows, &is_damaged, err);
        if (strcmp(tables[i], "result") == 0)
            *n += rows;
    }
    if (ok && is_damaged)
        err_warn(err, AT_FILE(path), "is damaged; what can be read was merged");
    arena_rewind(&s->mem, mark);
    store_close(from);
    return ok;
}

/* The system reads the next file while this one is merged. */
static void read_ahead(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    posix_fadvise(fd, 0, 0, POSIX_FADV_WILLNEED);
    close(fd);
}

/* What was merged is on the disk when the store is closed, not after each file: merging again costs
 * little. Into a new file all go at once: else each would write most of the indexes again, since
 * its hashes fall everywhere. */
bool store_merge(struct store *s, const char *const *from, size_t n_from, uint64_t *n,
                 struct err *err)
{
    bool is_draft = s->mode == STORE_DRAFT;
    *n = 0;
    if (!is_draft)
        sqlite3_exec(s->db, "PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 20000", NULL,
                     NULL, NULL);
    bool ok = true;
    for (size_t i = 0; ok && i < n_from; i++) {
        bool begins = !is_draft || i == 0, ends = !is_draft || i + 1 == n_from;
        if (i + 1 < n_from)
            read_ahead(from[i + 1]);
        ok = (!begins || store_exec(s, "BEGIN IMMEDIATE", err)) && copy_file(s, from[i], n, err);
        /* what failed in one file and ran in another has run */
        if (ok && ends)
            ok = store_exec(s,
                            "DELETE FROM failure WHERE EXISTS (SELECT 1 FROM result WHERE "
                            "result.key = failure.key)",
                            err) &&
                 store_exec(s, "COMMIT", err);
    }
    if (!ok && !sqlite3_get_autocommit(s->db))
        sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    return ok;
}

/* ---- setting aside --------------------------------------------------------------------------- */

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

/* What can be read of `aside` as a new file `fresh`; `*n` results. */
static bool copy_readable(const char *aside, const char *fresh, uint64_t *n, struct err *err)
{
    sqlite3 *from = NULL;
    struct store *to = store_open(fresh, STORE_ALONE, err);
    if (!to)
        return false;
    uint64_t n_rows;
    bool ok = sqlite3_open_v2(aside, &from, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK ||
              copy_tables(from, to, n, &n_rows, err);
    sqlite3_close(from);
    store_close(to);
    return ok;
}

static bool rebuild(const char *path, const char *aside, struct arena *mem, struct err *err)
{
    const char *fresh = arena_printf(mem, "%s.new", path);
    uint64_t n = 0;
    unlink(fresh);
    bool ok = copy_readable(aside, fresh, &n, err);
    if (ok && rename(fresh, path) != 0)
        ok = err_add(err, ERR_MACHINE, AT_FILE(path), "cannot be made anew: %s", strerror(errno));
    if (!ok) { /* no room, say: the damaged file stays where it was */
        unlink(fresh);
        set_aside(aside, path, mem);
        return false;
    }
    err_warn(err, AT_FILE(path),
             "was damaged; %llu results could be read and are kept, the file "
             "as it was is %s",
             (unsigned long long)n, path_base(aside));
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
