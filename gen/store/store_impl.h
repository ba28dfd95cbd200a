/* SPDX-License-Identifier: MIT
 *
 * gen/store/store_impl.h: the open file, for the files of this room alone. */
#ifndef CW_GEN_STORE_STORE_IMPL_H
#define CW_GEN_STORE_STORE_IMPL_H

#include <pthread.h>
#include <sqlite3.h>

#include "base/map.h"
#include "gen/store/store.h"

enum { STORE_MOST_STATEMENTS = 24 };

struct store_statement { /* prepared once */
    const char *sql;
    sqlite3_stmt *stmt;
};

struct store {
    struct arena mem;
    pthread_mutex_t lock;
    sqlite3 *db;
    const char *path, *provenance;
    enum store_mode mode;
    bool in_batch;
    struct map units; /* statistics whose units are in the file */
    struct store_statement statements[STORE_MOST_STATEMENTS];
    size_t n_statements;
};

/* Says what SQLite said; false. Memory that ran out ends the program. */
bool store_failed(const struct store *s, struct err *err);
bool store_exec(struct store *s, const char *sql, struct err *err);

/* A statement ready for values; the text's address tells which. NULL: it could not be prepared. */
sqlite3_stmt *store_statement(struct store *s, const char *sql);
void store_bind_hash(sqlite3_stmt *stmt, int at, uint64_t hash);
void store_bind_text(sqlite3_stmt *stmt, int at, const char *text);
void store_bind_real(sqlite3_stmt *stmt, int at, double value);
/* Runs a statement that returns nothing. */
bool store_run(struct store *s, sqlite3_stmt *stmt, struct err *err);

/* Opens the file itself, sets it up and makes missing tables; SQLite's error code. */
int store_connect(struct store *s);
/* Opens a file for reading without looking for damage. */
struct store *store_attach(const char *path, struct err *err);
/* What can be read of a damaged file, in memory and for reading; the file is not changed. */
struct store *store_readable(const char *path, struct err *err);
/* Sets a damaged file aside and makes a new one of what can be read. */
bool store_salvage(const char *path, struct arena *mem, struct err *err);

#endif
