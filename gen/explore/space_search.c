/* SPDX-License-Identifier: MIT */
#include "gen/explore/space_search.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/vec.h"
#include "gen/explore/choose.h"
#include "gen/explore/obstacles.h"
#include "gen/explore/pareto.h"

enum {
    POOL_SHARE = 5,     /* each round adds so many times fewer than were drawn first */
    PARENTS_SHARE = 20, /* of those that break a constraint, so many times fewer */
    LEAST_PARENTS = 4,
    MOST_PARENTS = 40,
    MOST_LOOKED = 20,  /* times for a point that breaks none */
    PRICE_ROUNDS = 20, /* where nothing has to run */
    IDLE_ROUNDS = 5    /* of them without a change of the front end it */
};

static enum fidelity search_fidelity(const struct space *s)
{
    return s->window && s->n_workloads ? FIDELITY_WINDOW : FIDELITY_FULL;
}

/* ---- points ---------------------------------------------------------------------------------- */

static void add_point(struct search *s, const point_choice *choice)
{
    s->points = vec_grow(s->mem, s->points, s->n, 1, &s->cap, sizeof *s->points);
    struct explored *p = &s->points[s->n++];
    *p = (struct explored){.choice = arena_many(s->mem, point_choice, s->space->n_keys)};
    memcpy(p->choice, choice, s->space->n_keys * sizeof *choice);
}

static bool is_mine(const struct search *s, size_t index)
{
    return !s->n_shards || index % s->n_shards == s->shard - 1;
}

/* Whether these choices are new. */
static bool note(struct search *s, const point_choice *choice)
{
    static const char digits[] = "0123456789abcdef";
    char key[4 * SPACE_MOST_KEYS + 1];
    size_t n = 0;
    for (size_t k = 0; k < s->space->n_keys; k++) {
        for (int shift = 12; shift >= 0; shift -= 4)
            key[n++] = digits[(choice[k] >> shift) & 15];
    }
    key[n] = '\0';
    return map_add(&s->seen, key, 0);
}

/* The same ones for all shards, of which each has its part. */
static void sample(struct search *s, struct points_walker *w, size_t n)
{
    point_choice choice[SPACE_MOST_KEYS];
    struct rng rng;
    rng_seed(&rng, s->space->seed, "explore pool", 0);
    for (size_t tries = 0, drawn = 0; drawn < n && tries < 20 * n; tries++) {
        points_random(w, &rng, choice);
        if (note(s, choice) && is_mine(s, drawn++))
            add_point(s, choice);
    }
}

struct kept_points {
    struct search *search;
    struct points_walker *walker;
};

static bool add_kept(void *ctx, size_t n, const char *const *columns, const char *const *texts)
{
    const struct kept_points *k = ctx;
    point_choice choice[SPACE_MOST_KEYS];
    (void)columns;
    if (n < 1 || !texts[0] || !points_of_json(k->search->space, texts[0], choice))
        return true;
    points_settle(k->walker, choice);
    if (note(k->search, choice))
        add_point(k->search, choice);
    return true;
}

/* Of a space that is drawn from: points that were told from outside, or all that are known. */
static bool take_kept(struct search *s, struct points_walker *w, struct err *err)
{
    static const char *const sql[2] = {
        "SELECT DISTINCT settings FROM point JOIN told USING (space, design) WHERE space = ? "
        "ORDER BY design",
        "SELECT settings FROM point WHERE space = ? ORDER BY design"};
    struct kept_points k = {s, w};
    const char *space = arena_printf(s->mem, "%016llx", (unsigned long long)s->space->hash);
    return !s->store || store_query(s->store, sql[s->takes_kept], &space, 1, add_kept, &k, err);
}

static size_t n_parents(const struct search *s)
{
    size_t n = s->n / PARENTS_SHARE;
    return n < LEAST_PARENTS ? LEAST_PARENTS : n > MOST_PARENTS ? MOST_PARENTS : n;
}

/* Points that a round adds. */
static size_t pool_share(const struct search *s)
{
    size_t n = s->space->drawn / POOL_SHARE / (s->n_shards ? s->n_shards : 1);
    return n ? n : 1;
}

/* More of what the front is made of: mixtures of two of its points; without a front, of those that
 * come closest to the constraints. */
static bool breed(struct search *s, struct points_walker *w, unsigned number, struct err *err)
{
    point_choice choice[SPACE_MOST_KEYS];
    size_t n_front, from = s->n, more = pool_share(s);
    struct explored **front = search_front(s, s->mem, &n_front);
    struct rng rng;
    if (n_front == 0)
        front = obstacles_closest(s, n_parents(s), s->mem, &n_front);
    rng_seed(&rng, s->space->seed, "explore breed", number + ((uint64_t)s->shard << 32));
    for (size_t tries = 0; n_front && s->n < from + more && tries < 10 * more; tries++) {
        const struct explored *a = front[rng_below(&rng, (uint32_t)n_front)],
                              *b = front[rng_below(&rng, (uint32_t)n_front)];
        points_cross(w, a->choice, b->choice, &rng, choice);
        if (note(s, choice))
            add_point(s, choice);
    }
    return evaluation_price(s->evaluation, s->points + from, s->n - from, err);
}

static void count(struct search *s)
{
    s->n_broken = s->n_forbidden = s->n_allowed = 0;
    for (size_t i = 0; i < s->n; i++) {
        const struct explored *p = &s->points[i];
        s->n_broken += !p->figures;
        s->n_forbidden += p->figures && !p->is_allowed;
        s->n_allowed += p->figures && p->is_allowed;
    }
}

/* A pool in which every point breaks a constraint: nearer ones, again and again. */
static bool look_for_allowed(struct search *s, struct points_walker *w, struct err *err)
{
    bool ok = true;
    for (unsigned i = 0; ok && s->is_sampled && s->n_allowed == 0 && i < MOST_LOOKED; i++) {
        size_t before = s->n;
        ok = breed(s, w, (1u << 16) + i, err);
        count(s);
        if (s->n == before)
            break;
    }
    return ok;
}

/* Shards have their part of the limit and of the budget. */
static void set_budget(struct search *s)
{
    const struct space *space = s->space;
    size_t parts = s->n_shards ? s->n_shards : 1, all = s->n_allowed * parts;
    uint64_t budget = search_budget(space, all);
    s->runs_all =
        !s->is_sampled && (s->is_exhaustive || all <= space->limit || space->n_workloads == 0);
    s->budget = (size_t)((budget + parts - 1) / parts);
}

uint64_t search_budget(const struct space *space, uint64_t n_allowed)
{
    uint64_t tenth = (n_allowed + 9) / 10;
    return space->budget ? space->budget : tenth > space->limit ? tenth : space->limit;
}

bool search_refuse_exhaustive(const struct space *space, struct err *err)
{
    return err_add(err, ERR_INPUT, NOWHERE, "--exhaustive: the space has more than %llu points",
                   (unsigned long long)space->listed);
}

static bool draw(struct search *s, struct points_walker *w, struct err *err)
{
    if (s->is_exhaustive)
        return search_refuse_exhaustive(s->space, err);
    sample(s, w, s->space->drawn);
    return take_kept(s, w, err);
}

bool search_begin(struct search *s, struct err *err)
{
    point_choice *rows;
    size_t n;
    struct points_walker *w = points_walker(s->space, s->mem);
    map_init(&s->seen, s->mem);
    s->combinations = points_combinations(s->space);
    if (!points_have_effect(w, err))
        return false;
    s->is_sampled = !points_all(w, s->space->listed, s->mem, &rows, &n);
    if (s->is_sampled && !draw(s, w, err))
        return false;
    for (size_t i = 0; !s->is_sampled && i < n; i++) {
        if (is_mine(s, i))
            add_point(s, rows + i * s->space->n_keys);
    }
    if (!evaluation_price(s->evaluation, s->points, s->n, err))
        return false;
    count(s);
    if (!look_for_allowed(s, w, err))
        return false;
    set_budget(s);
    return true;
}

/* ---- the front ------------------------------------------------------------------------------- */

static bool counts(const struct explored *p)
{
    return p->has[FIDELITY_FULL] && p->meets[FIDELITY_FULL] && p->values[FIDELITY_FULL];
}

static int by_first_value(const void *a, const void *b)
{
    const struct explored *p = *(struct explored *const *)a, *q = *(struct explored *const *)b;
    double x = p->values[FIDELITY_FULL][0], y = q->values[FIDELITY_FULL][0];
    if (x != y)
        return x < y ? -1 : 1;
    return p < q ? -1 : p > q; /* both are of one list: in its order */
}

struct explored **search_front(const struct search *s, struct arena *mem, size_t *n)
{
    size_t m = s->space->n_objectives, k = 0, f = 0;
    double *rows = arena_many(mem, double, s->n *m);
    struct explored **who = arena_many(mem, struct explored *, s->n);
    bool *is_front = arena_many(mem, bool, s->n);
    for (size_t i = 0; i < s->n; i++) {
        if (!counts(&s->points[i]))
            continue;
        memcpy(rows + k * m, s->points[i].values[FIDELITY_FULL], m * sizeof *rows);
        who[k++] = &s->points[i];
    }
    pareto_front(rows, k, m, is_front);
    for (size_t i = 0; i < k; i++) {
        if (is_front[i])
            who[f++] = who[i];
    }
    if (f)
        qsort(who, f, sizeof *who, by_first_value);
    *n = f;
    return who;
}

double search_volume(const struct search *s)
{
    struct arena mem;
    size_t m = s->space->n_objectives, n;
    double least[PARETO_MOST], most[PARETO_MOST], worst[PARETO_MOST];
    arena_init(&mem, s->mem->out_of_memory, s->mem->ctx);
    struct explored **front = search_front(s, &mem, &n);
    double *rows = arena_many(&mem, double, n *m);
    for (size_t k = 0; k < m; k++) {
        least[k] = INFINITY;
        most[k] = -INFINITY;
        for (size_t i = 0; i < s->n; i++) {
            if (!counts(&s->points[i]))
                continue;
            least[k] = fmin(least[k], s->points[i].values[FIDELITY_FULL][k]);
            most[k] = fmax(most[k], s->points[i].values[FIDELITY_FULL][k]);
        }
        worst[k] = 1;
        for (size_t i = 0; i < n; i++)
            rows[i * m + k] = most[k] > least[k] ? (front[i]->values[FIDELITY_FULL][k] - least[k]) /
                                                       (most[k] - least[k])
                                                 : 0;
    }
    double v = n ? pareto_volume(rows, n, m, worst) : 0;
    arena_free(&mem);
    return v;
}

/* ---- rounds ---------------------------------------------------------------------------------- */

static bool promote(struct search *s, struct explored **chosen, const char *const *why, size_t n,
                    enum fidelity f, struct err *err)
{
    bool ok = !s->store || store_open_batch(s->store, err);
    for (size_t i = 0; ok && s->store && i < n; i++)
        ok = store_keep_promotion(s->store, s->space->hash, chosen[i]->id, s->round,
                                  fidelity_names[f], why[i], err);
    if (s->store)
        ok = store_close_batch(s->store, err) && ok;
    for (size_t i = 0; i < n; i++)
        chosen[i]->round = s->round;
    return ok && evaluation_run(s->evaluation, chosen, n, f, err);
}

static bool run_whole(struct search *s, enum fidelity f, struct err *err)
{
    struct explored **all = arena_many(s->mem, struct explored *, s->n);
    const char **why = arena_many(s->mem, const char *, s->n);
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) {
        if (s->points[i].figures && s->points[i].is_allowed) {
            why[n] = "every point";
            all[n++] = &s->points[i];
        }
    }
    return promote(s, all, why, n, f, err);
}

/* Short runs: who is worse than another in everything, by more than the margin, gets no whole run.
 */
static bool promote_survivors(struct search *s, struct err *err)
{
    struct explored **kept = arena_many(s->mem, struct explored *, s->n),
                    **out = arena_many(s->mem, struct explored *, s->n);
    const char **why = arena_many(s->mem, const char *, s->n);
    size_t n = 0, n_out = 0;
    s->round++;
    for (size_t i = 0; i < s->n; i++) {
        struct explored *p = &s->points[i];
        if (!p->has[FIDELITY_WINDOW] || !p->values[FIDELITY_WINDOW])
            continue;
        const struct explored *better = choose_better(s, p);
        why[n] = arena_printf(s->mem, "no other is better by %g %%", 100 * s->space->margin);
        if (better)
            out[n_out++] = p;
        else
            kept[n++] = p;
    }
    bool ok = !s->store || store_open_batch(s->store, err);
    for (size_t i = 0; ok && s->store && i < n_out; i++)
        ok = store_keep_promotion(s->store, s->space->hash, out[i]->id, s->round, "dropped",
                                  "another is better in short runs", err);
    if (s->store)
        ok = store_close_batch(s->store, err) && ok;
    return ok && promote(s, kept, why, n, FIDELITY_FULL, err);
}

static size_t n_run(const struct search *s, enum fidelity f)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++)
        n += s->points[i].has[f];
    return n;
}

/* What the store has, whoever chose it: nothing runs. */
static bool take_all(struct search *s, enum fidelity f, struct err *err)
{
    struct explored **all = arena_many(s->mem, struct explored *, s->n);
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) {
        if (s->points[i].figures && s->points[i].is_allowed)
            all[n++] = &s->points[i];
    }
    return (f == FIDELITY_FULL || evaluation_take(s->evaluation, all, n, f, err)) &&
           evaluation_take(s->evaluation, all, n, FIDELITY_FULL, err);
}

/* Of the values on the front: further points with the same ones change nothing. */
static uint64_t hash_front(const struct search *s)
{
    struct arena mem;
    size_t n, bytes = s->space->n_objectives * sizeof(double);
    uint64_t hash = 0;
    arena_init(&mem, s->mem->out_of_memory, s->mem->ctx);
    struct explored **front = search_front(s, &mem, &n);
    for (size_t i = 0; i < n; i++) {
        const double *values = front[i]->values[FIDELITY_FULL];
        bool is_new = true;
        for (size_t j = i; is_new && j-- > 0 && front[j]->values[FIDELITY_FULL][0] == values[0];)
            is_new = memcmp(front[j]->values[FIDELITY_FULL], values, bytes) != 0;
        if (is_new)
            hash = map_hash_bytes(values, bytes, hash);
    }
    arena_free(&mem);
    return hash;
}

size_t search_later(const struct search *s)
{
    return s->is_sampled && s->space->n_workloads == 0 ? PRICE_ROUNDS * pool_share(s) : 0;
}

static size_t batch_of(const struct search *s)
{
    return s->budget / 12 < 8 ? 8 : s->budget / 12;
}

double search_rounds_left(const struct search *s)
{
    size_t done = n_run(s, search_fidelity(s->space));
    if (s->space->n_workloads == 0)
        return s->is_sampled ? (double)PRICE_ROUNDS - s->round : 0;
    return s->runs_all || done >= s->budget ? 0 : (double)(s->budget - done) / (double)batch_of(s);
}

/* Prices say it all, but there are too many points for all of them. */
static bool run_generations(struct search *s, struct points_walker *w, struct err *err)
{
    bool ok = run_whole(s, FIDELITY_FULL, err);
    uint64_t front = hash_front(s);
    for (int i = 0, idle = 0; ok && i < PRICE_ROUNDS && idle < IDLE_ROUNDS; i++) {
        s->round++;
        ok = breed(s, w, s->round, err) && run_whole(s, FIDELITY_FULL, err);
        uint64_t before = front;
        front = hash_front(s);
        idle = front == before ? idle + 1 : 0;
        if (ok && s->told)
            s->told(s->ctx, s);
    }
    count(s);
    return ok;
}

bool search_run(struct search *s, struct err *err)
{
    enum fidelity f = search_fidelity(s->space);
    bool ok = true;
    if (s->is_frozen)
        return take_all(s, f, err);
    if (s->runs_all) {
        ok = run_whole(s, f, err);
    } else if (s->space->n_workloads == 0) {
        ok = run_generations(s, points_walker(s->space, s->mem), err);
    } else {
        struct points_walker *w = points_walker(s->space, s->mem);
        size_t batch = batch_of(s);
        while (ok && n_run(s, f) < s->budget) {
            size_t left = s->budget - n_run(s, f), n = 0;
            struct explored **chosen = arena_many(s->mem, struct explored *, s->budget);
            const char **why = arena_many(s->mem, const char *, s->budget);
            size_t first = choose_first_size(s);
            size_t want = s->round == 0 ? first : batch;
            choose_next(s, f, want < left ? want : left, chosen, why, &n);
            if (n == 0)
                break;
            s->round++;
            ok = promote(s, chosen, why, n, f, err);
            if (ok && s->is_sampled)
                ok = breed(s, w, s->round, err);
            if (ok && s->told)
                s->told(s->ctx, s);
        }
        count(s);
    }
    return ok && (f == FIDELITY_FULL || promote_survivors(s, err));
}

bool search_ask(struct search *s, size_t n, struct explored **out, size_t *found, struct err *err)
{
    struct explored **all = arena_many(s->mem, struct explored *, s->n);
    const char **why = arena_many(s->mem, const char *, n + 1);
    size_t n_all = 0;
    for (size_t i = 0; i < s->n; i++) {
        if (s->points[i].figures && s->points[i].is_allowed)
            all[n_all++] = &s->points[i];
    }
    if (!evaluation_take(s->evaluation, all, n_all, FIDELITY_FULL, err))
        return false;
    s->round = n_run(s, FIDELITY_FULL) >= choose_first_size(s) ? 1 : 0;
    choose_next(s, FIDELITY_FULL, n, out, why, found);
    return true;
}
