/* SPDX-License-Identifier: MIT
 *
 * gen/store/store.h: results that outlive the program, in an SQLite file (docs/results.md has its
 * tables). A result is kept under a key that hashes everything that makes it; what was cut off or
 * changed does not match its sum and is not taken. Whatever was kept is there after kill -9;
 * several processes may use one file on a local disk. A damaged file is set aside and what can be
 * read of it goes into a new one. For use from several threads at once.
 *
 * Room: SQLite is spoken to here and nowhere else. */
#ifndef CW_GEN_STORE_STORE_H
#define CW_GEN_STORE_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "gen/store/result.h"

struct store;

/* The user's own file in the cache folder. Programs of several versions share that folder: the name
 * has the version of the tables (gen/store/schema.h) in it. */
#define STORE_USER_FILE "results-2.sqlite"

enum store_mode {
    STORE_SHARED, /* read and write, other processes may do so, too: local disks alone */
    STORE_ALONE,  /* no other process: also on network file systems */
    STORE_READ,   /* nothing is changed */
    STORE_DRAFT,  /* a new file that nobody else knows yet: no journal on the disk, whole once it is
                     closed */
};

/* NULL and errors (ERR_MACHINE, or ERR_INPUT where it is no file of ours). A new file is made where
 * there is none, but for STORE_READ. */
struct store *store_open(const char *path, enum store_mode mode, struct err *err);
void store_close(struct store *s);
const char *store_path(const struct store *s);

/* Who makes what is kept from now on: the command line, for the table of provenance. */
bool store_begin(struct store *s, const char *command, struct err *err);

/* What is kept between these two is on the disk after the second; else each by itself. */
bool store_open_batch(struct store *s, struct err *err);
bool store_close_batch(struct store *s, struct err *err);

/* ---- results --------------------------------------------------------------------------------- */

struct store_pair { /* what a result is about */
    uint64_t key;   /* of everything that makes it */
    uint64_t design, workload;
    const char *workload_name, *preset; /* preset "": the default or none */
    uint64_t window;                    /* core cycles after which the run was cut off; 0: whole */
    double seconds;                     /* it took */
};

bool store_take(struct store *s, uint64_t key, struct arena *mem, struct result *out);
bool store_keep(struct store *s, const struct store_pair *pair, const struct result *r,
                struct err *err);
/* A run that failed: said, and tried again the next time. */
bool store_keep_failure(struct store *s, const struct store_pair *pair, const char *error,
                        struct err *err);

/* ---- designs --------------------------------------------------------------------------------- */

struct store_value {
    const char *name;
    double value;
};

struct store_design {
    uint64_t id;   /* of its inputs: values and files */
    uint64_t hash; /* of inputs, prices and networks: what results are kept under */
    const char *name;
    uint64_t description; /* of the text that `changes` are made to */
    const char *changes;  /* lines "key = value"; "" */
    const char *error;    /* it cannot be made or priced; NULL */
    struct store_value *figures;
    size_t n_figures;
};

struct store_component { /* a class of equal parts */
    const char *name, *group, *kind, *engine, *model, *technology;
    double instances, area_mm2, wire_area_mm2, leakage_w, fmax_ghz, access_ns;
};

bool store_has_description(struct store *s, uint64_t hash);
bool store_keep_description(struct store *s, uint64_t hash, const char *text, struct err *err);
bool store_take_design(struct store *s, uint64_t id, struct arena *mem, struct store_design *out);
bool store_keep_design(struct store *s, const struct store_design *d, struct err *err);
/* Once for each hash. */
bool store_keep_components(struct store *s, uint64_t design, const struct store_component *list,
                           size_t n, struct err *err);

/* ---- explorations ---------------------------------------------------------------------------- */

/* A point of a space and what became of it. */
bool store_keep_point(struct store *s, uint64_t space, uint64_t design, const char *values,
                      struct err *err);
bool store_keep_promotion(struct store *s, uint64_t space, uint64_t design, unsigned round,
                          const char *to, const char *why, struct err *err);
/* Objectives that were told from outside. */
bool store_keep_told(struct store *s, uint64_t space, uint64_t design, const char *name,
                     double value, struct err *err);
bool store_take_told(struct store *s, uint64_t space, uint64_t design, const char *name,
                     double *value);

/* ---- whole files ----------------------------------------------------------------------------- */

/* All rows of the files `from` that `s` does not have. `n`: results that came. */
bool store_merge(struct store *s, const char *const *from, size_t n_from, uint64_t *n,
                 struct err *err);

/* Runs a query that changes nothing and gives its rows as texts, NULL for what is absent. False
 * stops. */
typedef bool store_row(void *ctx, size_t n, const char *const *columns, const char *const *texts);
bool store_query(struct store *s, const char *sql, const char *const *values, size_t n_values,
                 store_row *row, void *ctx, struct err *err);

#endif
