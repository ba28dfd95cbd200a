/* SPDX-License-Identifier: MIT */
#include "gen/store/store.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "gen/store/schema.h"
#include "gen/store/sources.h"
#include "gen/store/store_impl.h"

_Static_assert(STORE_SCHEMA == 2, "STORE_USER_FILE names the version");

/* How long to wait for another process that writes, before it is an error. */
#define PATIENCE_MS 120000
#define RETRY_MS 20
/* Larger files are not looked through when they are opened. */
#define MOST_CHECKED ((off_t)256 << 20)

/* ---- talking to SQLite ----------------------------------------------------------------------- */

bool store_failed(const struct store *s, struct err *err)
{
    int code = sqlite3_errcode(s->db);
    if (code == SQLITE_NOMEM)
        arena_exhausted();
    if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
        return err_add(err, ERR_MACHINE, AT_FILE(s->path), "another process is using it");
    if ((code == SQLITE_CORRUPT || code == SQLITE_NOTADB) && s->mode == STORE_READ)
        return err_add(err, ERR_INPUT, AT_FILE(s->path), "is damaged: %s", sqlite3_errmsg(s->db));
    return err_add(err, ERR_MACHINE, AT_FILE(s->path), "%s", sqlite3_errmsg(s->db));
}

bool store_exec(struct store *s, const char *sql, struct err *err)
{
    return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK || store_failed(s, err);
}

sqlite3_stmt *store_statement(struct store *s, const char *sql)
{
    size_t i = 0;
    while (i < s->n_statements && s->statements[i].sql != sql)
        i++;
    if (i == s->n_statements) {
        sqlite3_stmt *stmt;
        if (i == STORE_MOST_STATEMENTS ||
            sqlite3_prepare_v3(s->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &stmt, NULL) != SQLITE_OK)
            return NULL;
        s->statements[s->n_statements++] = (struct store_statement){sql, stmt};
    }
    sqlite3_reset(s->statements[i].stmt);
    sqlite3_clear_bindings(s->statements[i].stmt);
    return s->statements[i].stmt;
}

void store_bind_text(sqlite3_stmt *stmt, int at, const char *text)
{
    sqlite3_bind_text(stmt, at, text, -1, SQLITE_TRANSIENT);
}

void store_bind_hash(sqlite3_stmt *stmt, int at, uint64_t hash)
{
    char text[17];
    snprintf(text, sizeof text, "%016llx", (unsigned long long)hash);
    store_bind_text(stmt, at, text);
}

void store_bind_real(sqlite3_stmt *stmt, int at, double value)
{
    if (isfinite(value))
        sqlite3_bind_double(stmt, at, value);
}

bool store_run(struct store *s, sqlite3_stmt *stmt, struct err *err)
{
    if (!stmt)
        return store_failed(s, err);
    bool ok = sqlite3_step(stmt) == SQLITE_DONE || store_failed(s, err);
    sqlite3_reset(stmt);
    return ok;
}

/* ---- opening --------------------------------------------------------------------------------- */

static bool pragma_number(struct store *s, const char *sql, long long *value)
{
    sqlite3_stmt *stmt;
    bool ok = sqlite3_prepare_v2(s->db, sql, -1, &stmt, NULL) == SQLITE_OK &&
              sqlite3_step(stmt) == SQLITE_ROW;
    if (ok)
        *value = sqlite3_column_int64(stmt, 0);
    sqlite3_finalize(stmt);
    return ok;
}

static int make_tables(struct store *s)
{
    int code = sqlite3_exec(s->db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
#define X(table, columns)                                                                          \
    if (code == SQLITE_OK)                                                                         \
        code = sqlite3_exec(s->db, "CREATE TABLE IF NOT EXISTS " table " (" columns ")", NULL,     \
                            NULL, NULL);
    STORE_TABLES(X)
#undef X
    if (code == SQLITE_OK)
        code = sqlite3_exec(s->db, STORE_VIEWS, NULL, NULL, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_exec(
            s->db,
            arena_printf(&s->mem, "PRAGMA application_id = %d; PRAGMA user_version = %d; COMMIT",
                         STORE_APPLICATION, STORE_SCHEMA),
            NULL, NULL, NULL);
    if (code != SQLITE_OK && !sqlite3_get_autocommit(s->db))
        sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    return code;
}

/* Two that make one file at once: SQLite does not wait for the other where a journal begins. */
static int write_ahead(struct store *s)
{
    int code = SQLITE_BUSY;
    for (int waited = 0; waited < PATIENCE_MS; waited += RETRY_MS) {
        code = sqlite3_exec(s->db,
                            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; "
                            "PRAGMA cache_size = -65536",
                            NULL, NULL, NULL);
        if (code != SQLITE_BUSY || s->mode == STORE_ALONE)
            break;
        sqlite3_sleep(RETRY_MS);
    }
    return code;
}

/* A journal that readers and one writer share; without memory shared over processes where the file
 * is one process's alone. */
static int set_up(struct store *s)
{
    int code = SQLITE_OK;
    sqlite3_busy_timeout(s->db, s->mode == STORE_ALONE ? 2000 : PATIENCE_MS);
    if (s->mode == STORE_DRAFT)
        return sqlite3_exec(s->db,
                            "PRAGMA page_size = 16384; PRAGMA mmap_size = 1073741824; "
                            "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; "
                            "PRAGMA cache_size = -262144",
                            NULL, NULL, NULL);
    if (s->mode == STORE_ALONE)
        code = sqlite3_exec(s->db, "PRAGMA locking_mode = EXCLUSIVE", NULL, NULL, NULL);
    if (code == SQLITE_OK && s->mode != STORE_READ)
        code = write_ahead(s);
    return code;
}

int store_connect(struct store *s)
{
    long long version = 0, application = 0, n_tables = 0;
    bool is_new = !file_exists(s->path);
    int flags =
        s->mode == STORE_READ ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    int code = sqlite3_open_v2(s->path, &s->db, flags | SQLITE_OPEN_FULLMUTEX, NULL);
    if (code == SQLITE_OK)
        code = set_up(s);
    if (code == SQLITE_OK) /* what another process makes is seen whole or not at all */
        code = sqlite3_exec(s->db, "BEGIN", NULL, NULL, NULL);
    if (code == SQLITE_OK && !(pragma_number(s, "SELECT count(*) FROM sqlite_master", &n_tables) &&
                               pragma_number(s, "PRAGMA user_version", &version) &&
                               pragma_number(s, "PRAGMA application_id", &application)))
        return sqlite3_errcode(s->db);
    if (code == SQLITE_OK)
        code = sqlite3_exec(s->db, "COMMIT", NULL, NULL, NULL);
    if (code != SQLITE_OK)
        return code;
    if (n_tables > 0 && application == STORE_APPLICATION && version < STORE_SCHEMA)
        return SQLITE_SCHEMA; /* of an earlier version */
    if (n_tables > 0 && (application != STORE_APPLICATION || version > STORE_SCHEMA))
        return SQLITE_MISMATCH; /* a file of somebody else, or of a later version */
    if (s->mode != STORE_READ && (is_new || version < STORE_SCHEMA))
        code = make_tables(s);
    return code;
}

static bool is_damaged(struct store *s)
{
    struct stat st;
    sqlite3_stmt *stmt;
    if (stat(s->path, &st) != 0 || st.st_size > MOST_CHECKED)
        return false;
    bool ok = sqlite3_prepare_v2(s->db, "PRAGMA quick_check(1)", -1, &stmt, NULL) == SQLITE_OK &&
              sqlite3_step(stmt) == SQLITE_ROW &&
              strcmp((const char *)sqlite3_column_text(stmt, 0), "ok") == 0;
    int code = sqlite3_errcode(s->db);
    sqlite3_finalize(stmt);
    return !ok && code != SQLITE_BUSY && code != SQLITE_NOMEM;
}

static bool open_failed(struct store *s, int code, struct err *err)
{
    if (code == SQLITE_MISMATCH || code == SQLITE_SCHEMA)
        return err_add(err, ERR_INPUT, AT_FILE(s->path),
                       "is an SQLite file, but no results of this version of crosswatt");
    if (code == SQLITE_NOTADB)
        return err_add(err, ERR_INPUT, AT_FILE(s->path), "is not a file of results");
    if (s->mode == STORE_READ && !file_exists(s->path))
        return err_add(err, ERR_INPUT, AT_FILE(s->path), "there is no such file");
    return store_failed(s, err);
}

static struct store *new_store(const char *path, enum store_mode mode)
{
    struct store *s = calloc(1, sizeof *s);
    if (!s)
        arena_exhausted();
    arena_init(&s->mem, NULL, NULL);
    pthread_mutex_init(&s->lock, NULL);
    map_init(&s->units, &s->mem);
    s->path = arena_strdup(&s->mem, path);
    s->mode = mode;
    s->provenance = "";
    return s;
}

struct store *store_open(const char *path, enum store_mode mode, struct err *err)
{
    struct store *s = new_store(path, mode);
    int code = store_connect(s);
    bool is_bad =
        code == SQLITE_CORRUPT || code == SQLITE_NOTADB || (code == SQLITE_OK && is_damaged(s));
    /* what is no SQLite file at all may be anything, unless its name says it */
    is_bad &= code != SQLITE_NOTADB || path_ends_with(path, ".sqlite");
    if (is_bad && mode != STORE_READ) {
        sqlite3_close(s->db);
        s->db = NULL;
        if (!store_salvage(s->path, &s->mem, err)) {
            store_close(s);
            return NULL;
        }
        code = store_connect(s);
    } else if (is_bad && code != SQLITE_NOTADB) {
        store_close(s);
        return store_readable(path, err);
    }
    if (code == SQLITE_OK)
        return s;
    open_failed(s, code, err);
    store_close(s);
    return NULL;
}

struct store *store_attach(const char *path, struct err *err)
{
    struct store *s = new_store(path, STORE_READ);
    int code = store_connect(s);
    if (code == SQLITE_OK)
        return s;
    open_failed(s, code, err);
    store_close(s);
    return NULL;
}

void store_close(struct store *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->n_statements; i++)
        sqlite3_finalize(s->statements[i].stmt);
    sqlite3_close(s->db);
    pthread_mutex_destroy(&s->lock);
    arena_free(&s->mem);
    free(s);
}

const char *store_path(const struct store *s)
{
    return s->path;
}

/* ---- provenance and batches ------------------------------------------------------------------ */

bool store_begin(struct store *s, const char *command, struct err *err)
{
    static const char sql[] = "INSERT OR IGNORE INTO provenance VALUES (?, ?, ?, ?, ?, ?)";
    char host[256] = "", begun[32] = "";
    struct timespec now;
    struct tm utc;
    gethostname(host, sizeof host - 1);
    clock_gettime(CLOCK_REALTIME, &now);
    if (gmtime_r(&now.tv_sec, &utc))
        strftime(begun, sizeof begun, "%Y-%m-%dT%H:%M:%SZ", &utc);
    pthread_mutex_lock(&s->lock);
    const char *all = arena_printf(&s->mem, "%s %s %ld %ld %s", host, command, (long)getpid(),
                                   now.tv_nsec, begun);
    s->provenance =
        arena_printf(&s->mem, "%016llx", (unsigned long long)map_hash_bytes(all, strlen(all), 0));
    sqlite3_stmt *stmt = store_statement(s, sql);
    if (stmt) {
        const char *const texts[] = {s->provenance, CW_VERSION, sources_hash(),
                                     command,       host,       begun};
        for (int i = 0; i < 6; i++)
            store_bind_text(stmt, i + 1, texts[i]);
    }
    bool ok = store_run(s, stmt, err);
    pthread_mutex_unlock(&s->lock);
    return ok;
}

bool store_open_batch(struct store *s, struct err *err)
{
    pthread_mutex_lock(&s->lock);
    bool ok = s->in_batch || store_exec(s, "BEGIN IMMEDIATE", err);
    s->in_batch = ok;
    pthread_mutex_unlock(&s->lock);
    return ok;
}

bool store_close_batch(struct store *s, struct err *err)
{
    pthread_mutex_lock(&s->lock);
    bool ok = !s->in_batch || store_exec(s, "COMMIT", err);
    if (!ok && !sqlite3_get_autocommit(s->db))
        sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    s->in_batch = false;
    pthread_mutex_unlock(&s->lock);
    return ok;
}
