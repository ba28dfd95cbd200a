/* SPDX-License-Identifier: MIT
 *
 * gen/explore/space.h: a space of designs, as a file says it (docs/explore.md): a base description,
 * the keys that vary with their values, constraints, objectives, workloads, and how to search.
 * Keys, values and expressions are checked when it is read. */
#ifndef CW_GEN_EXPLORE_SPACE_H
#define CW_GEN_EXPLORE_SPACE_H

#include "gen/config/arch.h"
#include "gen/explore/expression.h"

struct key;

#define SPACE_MOST_KEYS 32u
#define SPACE_MOST_VALUES 1000u

struct space_key {
    const char *path;
    const struct key *key;
    int net;
    const char **values; /* as --set takes them */
    size_t n;
    bool is_ordered; /* numbers: near values are alike */
    struct where at;
};

struct space {
    const char *file;
    struct arch draft;                      /* of the base */
    struct space_key keys[SPACE_MOST_KEYS]; /* a key that decides about another comes first */
    size_t n_keys;
    struct expr_constraint *constraints;
    size_t n_constraints;
    struct expr_objective *objectives;
    size_t n_objectives;
    const char **workloads;
    size_t n_workloads; /* 0 where nothing has to run */
    const char *preset; /* NULL: the default */
    uint64_t window;    /* cycles of short runs; 0: none */
    uint64_t limit;     /* spaces of up to so many points are run whole */
    uint64_t budget;    /* points that a search runs; 0: a tenth */
    uint64_t listed;    /* spaces of more points are drawn from */
    uint64_t drawn;     /* points that are drawn first */
    uint64_t seed;
    double margin; /* by how much a short run must be worse to be dropped */
    uint64_t hash; /* of all that was read */
};

struct space_request {
    const char *file;
    const char *text;   /* contents; NULL: read from `file` */
    const char *preset; /* of the command line; NULL: what the file says */
    const char *data_dir;
    bool no_files; /* no base, no workloads: for texts from nowhere */
    bool allow_tools;
};

bool space_read(const struct space_request *request, struct arena *mem, struct space *out,
                struct err *err);

/* Does `key` have an effect or none by what `other` is, by whatever way? */
bool space_key_decides(const struct key *other, const struct key *key);

#endif
