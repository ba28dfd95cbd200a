/* SPDX-License-Identifier: MIT
 *
 * gen/explore/space_search.h: which points of a space are worth a run. Every point is priced; those
 * that break a constraint on figures fall out. A space of few points is run whole. In a larger one
 * a model (gen/explore/gaussian.h) guesses what the others would do, and in each round those run
 * that promise most room under the front. With short runs (space.window) these decide who gets a
 * whole one. A space too large to list gives a pool of points that grows by mixing those of the
 * front. The same space and seed choose the same points, whatever the number of threads and
 * wherever a run was interrupted. */
#ifndef CW_GEN_EXPLORE_SPACE_SEARCH_H
#define CW_GEN_EXPLORE_SPACE_SEARCH_H

#include "base/map.h"
#include "gen/explore/evaluate.h"

struct search {
    const struct space *space;
    struct evaluation *evaluation;
    struct store *store;
    struct arena *mem;
    unsigned shard, n_shards; /* which part of the points; 0 of 0: all */
    bool is_exhaustive;       /* asked for */
    bool is_frozen;           /* nothing runs: what the store has */
    bool takes_kept;          /* of a space too large to list also what the store has of it */
    bool is_quiet;
    void (*told)(void *ctx, const struct search *s); /* after each round; may be NULL */
    void *ctx;
    /* found */
    struct explored *points;
    size_t n, cap;
    struct map seen; /* choices that are points, or another shard's */
    double combinations;
    bool is_sampled; /* too many points to list */
    bool runs_all;
    size_t n_broken, n_forbidden, n_allowed; /* not to be made; against a constraint */
    size_t budget;
    unsigned round;
};

/* Points that may be priced beside those of search_begin. */
size_t search_later(const struct search *s);
/* Rounds that follow, at most. */
double search_rounds_left(const struct search *s);

/* Points that a search runs of so many that may. */
uint64_t search_budget(const struct space *space, uint64_t n_allowed);

/* False, and that a space which is drawn from cannot run whole. */
bool search_refuse_exhaustive(const struct space *space, struct err *err);

/* Lists and prices the points. */
bool search_begin(struct search *s, struct err *err);
/* Runs what has to run. */
bool search_run(struct search *s, struct err *err);
/* The next `n` points that it would run, from what the store knows; `*found` of them. */
bool search_ask(struct search *s, size_t n, struct explored **out, size_t *found, struct err *err);

/* Points of the front, in the order of the first objective; `*n` of them. */
struct explored **search_front(const struct search *s, struct arena *mem, size_t *n);
/* Share of the room between the best and worst values seen that the front covers. */
double search_volume(const struct search *s);

#endif
