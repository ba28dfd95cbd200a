/* SPDX-License-Identifier: MIT
 *
 * Finds the organisation of an array: every power of two for six parameters, cut down by integer
 * rules before anything is evaluated. Tuples (Nspd, Ndwl, Ndbl) with equal subarrays and equal mats
 * form a group, whose strips, columns and mats are evaluated once. */
#include <string.h>

#include "base/arena.h"
#include "base/bits.h"
#include "base/vec.h"
#include "energy/array/bank.h"

enum { MAX_LOG_DW = 9, MAX_LOG_MUX = 8, MAX_ROWS = 262144, MIN_ROWS = 16, GROUP_SLOTS = 4096 };

struct tuple {
    double nspd;
    int dwl, dbl;    /* logarithms */
    int order;       /* place in the enumeration Nspd, Ndwl, Ndbl */
    int group, next; /* the next of its group; -1: last */
    struct bank_grid grid;
};

struct group {
    int rows, cols, spm, spr;
    int first;  /* tuple */
    int mats_h; /* most of any tuple */
    int next_in_slot;
};

struct found { /* one evaluated organisation */
    struct bank_quick q;
    uint64_t order; /* place in the enumeration of all six parameters */
    int tuple;
    int8_t dcm, s1, s2; /* logarithms */
};

struct search {
    const struct side *s;
    struct arena *mem;
    VEC(struct tuple) tuples;
    VEC(struct group) groups;
    VEC(struct found) found;
    int slots[GROUP_SLOTS]; /* head of a list of groups, + 1 */
};

static int half_up(int n)
{
    return n > 1 ? n / 2 : 1;
}

static void add_tuple(struct search *x, struct tuple t, int rows, int cols)
{
    int spm = (1 << (t.dwl + t.dbl)) / t.grid.mats, spr = (1 << t.dwl) / t.grid.mats_h;
    int key[4] = {rows, cols, spm, spr};
    uint32_t hash = 2166136261u;
    for (int i = 0; i < 4; i++)
        hash = (hash ^ (uint32_t)key[i]) * 2654435761u;
    int *slot = &x->slots[hash >> 20];

    int g = *slot - 1;
    while (g >= 0) {
        struct group *at = &x->groups.at[g];
        if (at->rows == rows && at->cols == cols && at->spm == spm && at->spr == spr)
            break;
        g = at->next_in_slot;
    }
    if (g < 0) {
        g = (int)x->groups.n;
        vec_push(x->mem, &x->groups, (struct group){rows, cols, spm, spr, -1, 0, *slot - 1});
        *slot = g + 1;
    }
    struct group *at = &x->groups.at[g];
    t.group = g;
    t.next = at->first;
    at->first = (int)x->tuples.n;
    if (t.grid.mats_h > at->mats_h)
        at->mats_h = t.grid.mats_h;
    vec_push(x->mem, &x->tuples, t);
}

/* Rows and columns of a subarray; false if out of range. */
static bool subarray_of(const struct side *s, double nspd, int dwl, int dbl, int *rows, int *cols)
{
    const struct amodel_in *in = s->in;
    double ways = s->assoc, ndbl = ldexp(1, dbl), ndwl = ldexp(1, dwl);
    double sets = (double)in->banks * (double)in->block_b * ways * ndbl * nspd;
    double row_bits =
        s->is_tag ? (double)s->tag_bits * ways * nspd : 8.0 * (double)in->block_b * ways * nspd;
    double r = ceil((double)in->size_b / sets), c = ceil(row_bits / ndwl);

    if (!(r >= MIN_ROWS && r <= MAX_ROWS && c >= 2 && c < 1 << 26))
        return false;
    *rows = (int)r;
    *cols = (int)c;
    return true;
}

static struct bank_grid grid_of(int dwl, int dbl)
{
    struct bank_grid g = {half_up(1 << dwl), half_up(1 << dbl), 0};
    g.mats = g.mats_h * g.mats_v;
    return g;
}

static void list_tuples(struct search *x)
{
    const struct side *s = x->s;
    const struct amodel_in *in = s->in;
    bool forced = in->forced && !s->is_tag;
    int order = 0, rows, cols;

    double nspd = s->nspd_min;
    while (nspd <= 256 && !forced) {
        for (int dwl = 0; dwl <= MAX_LOG_DW; dwl++)
            for (int dbl = 0; dbl <= MAX_LOG_DW; dbl++, order++) {
                if (!subarray_of(s, nspd, dwl, dbl, &rows, &cols))
                    continue;
                add_tuple(x, (struct tuple){nspd, dwl, dbl, order, -1, -1, grid_of(dwl, dbl)}, rows,
                          cols);
            }
        nspd *= 2;
    }
    if (!forced)
        return;
    int dwl = (int)bits_flog2((uint64_t)in->org.ndwl),
        dbl = (int)bits_flog2((uint64_t)in->org.ndbl);
    if (subarray_of(s, in->org.nspd, dwl, dbl, &rows, &cols))
        add_tuple(x, (struct tuple){in->org.nspd, dwl, dbl, 0, -1, -1, grid_of(dwl, dbl)}, rows,
                  cols);
}

/* Bits and active mats for a product of multiplexers 2^e; active 0: not possible. */
static struct cut cut_of(const struct side *s, const struct group *g, int e)
{
    const struct amodel_in *in = s->in;
    long out = (long)g->spm * g->cols >> e;
    struct cut c = {.active = 0};

    if (out < 1)
        out = 1;
    if (out < g->spm || (s->is_tag && out < s->tag_bits))
        return c;
    long wanted = s->is_tag ? s->tag_bits * s->assoc : (long)in->out_bits;
    if (!s->is_tag && in->mode == AMODEL_FAST)
        wanted *= s->assoc;
    if (wanted / out > g->mats_h)
        return c;
    c.active = (int)(wanted / out);
    if (c.active == 0)
        return c;
    c.data_in = s->is_tag ? s->tag_bits : in->mode == AMODEL_FAST ? out / s->assoc : out;
    if (s->is_tag)
        out = s->assoc / c.active;
    c.data_out = with_ecc(s, out);
    c.data_in = with_ecc(s, c.data_in);
    return c;
}

static bool is_forced(const struct side *s, int dcm, int s1, int s2)
{
    const struct amodel_org *o = &s->in->org;
    return !s->in->forced || s->is_tag ||
           (1 << dcm == o->ndcm && 1 << s1 == o->sam1 && 1 << s2 == o->sam2);
}

/* Mux positions of the first sense-amplifier multiplexer that are addressed (the others are ways).
 */
static int addressed(const struct side *s, int s1)
{
    return s->is_tag || s->in->mode == AMODEL_FAST ? 1 << s1 : (1 << s1) / s->assoc;
}

static void try_mat(struct search *x, const struct group *g, const struct mat *m,
                    const struct cut *cut, int dcm, int s1, int s2)
{
    for (int i = g->first; i >= 0; i = x->tuples.at[i].next) {
        const struct tuple *t = &x->tuples.at[i];
        if (cut->active > t->grid.mats_h)
            continue;
        vec_reserve(x->mem, &x->found, 1);
        struct found *f = &x->found.at[x->found.n++];
        bank_quick(x->s, m, cut, &t->grid, &f->q);
        f->order = (uint64_t)t->order << 16 | (uint64_t)dcm << 8 | (uint64_t)s1 << 4 | (uint64_t)s2;
        f->tuple = i;
        f->dcm = (int8_t)dcm;
        f->s1 = (int8_t)s1;
        f->s2 = (int8_t)s2;
    }
}

static void try_group(struct search *x, const struct group *g)
{
    const struct side *s = x->s;
    struct cut cuts[3 * MAX_LOG_MUX + 1];
    bool any = false;
    for (int e = 0; e <= 3 * MAX_LOG_MUX; e++) {
        cuts[e] = cut_of(s, g, e);
        any |= cuts[e].active > 0;
    }
    if (!any)
        return;

    struct strip a;
    struct column b;
    struct sense c;
    struct mat m;
    bool have_a = false;
    int row_bits = (int)bits_flog2((uint64_t)g->rows);
    for (int dcm = 0; dcm <= MAX_LOG_MUX; dcm++) {
        bool have_b = false;
        for (int s1 = 0; s1 <= MAX_LOG_MUX; s1++) {
            bool have_c = false;
            int dsa = addressed(s, s1);
            for (int s2 = 0; dsa >= 1 && s2 <= MAX_LOG_MUX; s2++) {
                struct cut cut = cuts[dcm + s1 + s2];
                if (!cut.active || !is_forced(s, dcm, s1, s2))
                    continue;
                cut.address = row_bits + dcm + (int)bits_flog2((uint64_t)dsa) + s2;
                if (!have_a)
                    strip_make(s, g->rows, (int)with_ecc(s, g->cols), g->spm, g->spr, &a);
                if (!have_b)
                    column_make(s, &a, 1 << dcm, &b);
                if (!have_c)
                    sense_make(s, &a, &b, 1 << s1, dsa, &c);
                have_a = have_b = have_c = true;
                mat_make(s, &a, &b, &c, 1 << s2, &cut, &m);
                try_mat(x, g, &m, &cut, dcm, s1, s2);
            }
        }
    }
}

/* The chosen organisation once more, with everything about it. */
static void finish(struct search *x, const struct found *f, struct amodel_side *out)
{
    const struct side *s = x->s;
    const struct tuple *t = &x->tuples.at[f->tuple];
    const struct group *g = &x->groups.at[t->group];

    struct strip a;
    struct column b;
    struct sense c;
    struct mat m;
    struct cut cut = cut_of(s, g, f->dcm + f->s1 + f->s2);
    int dsa = addressed(s, f->s1);
    cut.address =
        (int)bits_flog2((uint64_t)g->rows) + f->dcm + (int)bits_flog2((uint64_t)dsa) + f->s2;
    strip_make(s, g->rows, (int)with_ecc(s, g->cols), g->spm, g->spr, &a);
    column_make(s, &a, 1 << f->dcm, &b);
    sense_make(s, &a, &b, 1 << f->s1, dsa, &c);
    mat_make(s, &a, &b, &c, 1 << f->s2, &cut, &m);
    *out = (struct amodel_side){
        .org = {t->nspd, 1 << t->dwl, 1 << t->dbl, 1 << f->dcm, 1 << f->s1, 1 << f->s2}};
    bank_full(s, &(struct mat_steps){&a, &b, &c, 1 << f->s2}, &m, &cut, &t->grid, out);
}

static void run(struct search *x, const struct side *s, struct arena *mem)
{
    memset(x->slots, 0, sizeof x->slots);
    x->s = s;
    x->mem = mem;
    list_tuples(x);
    for (size_t i = 0; i < x->groups.n; i++)
        try_group(x, &x->groups.at[i]);
}

/* ---- choice ---- */

/* The five figures an organisation is judged by. */
struct score {
    double v[GOALS];
};

static void score_min(struct score *best, const struct score *x)
{
    for (int i = 0; i < GOALS; i++)
        best->v[i] = fmin(best->v[i], x->v[i]);
}

static const struct score score_worst = {{INFINITY, INFINITY, INFINITY, INFINITY, INFINITY}};

static bool within(const struct amodel_in *in, const struct score *x, const struct score *best)
{
    for (int i = 0; i < GOALS; i++)
        if (100 * (x->v[i] - best->v[i]) / best->v[i] > in->deviate[i])
            return false;
    return true;
}

static double weighted(const struct amodel_in *in, const struct score *x, const struct score *best)
{
    double sum = 0;
    for (int i = 0; i < GOALS; i++)
        sum += in->weights[i] * x->v[i] / best->v[i];
    return sum;
}

static struct score score_of(const struct bank_quick *q)
{
    return (struct score){{q->access, q->read, q->leak, q->cycle, q->height * q->width}};
}

/* The tag array is chosen by the weights whatever the objective; among equals the last wins. */
static const struct found *choose_tag(const struct amodel_in *in, const struct search *x)
{
    struct score best = score_worst;
    for (size_t i = 0; i < x->found.n; i++) {
        struct score sc = score_of(&x->found.at[i].q);
        score_min(&best, &sc);
    }
    const struct found *chosen = NULL;
    double least = INFINITY;
    for (size_t i = 0; i < x->found.n; i++) {
        const struct found *f = &x->found.at[i];
        struct score sc = score_of(&f->q);
        if (!within(in, &sc, &best))
            continue;
        double price = weighted(in, &sc, &best);
        if (price < least || (price == least && chosen && f->order > chosen->order)) {
            least = price;
            chosen = f;
        }
    }
    return chosen;
}

static double joined_access(const struct amodel_in *in, const struct bank_quick *d,
                            const struct bank_quick *tag)
{
    if (!tag)
        return d->access;
    switch (in->mode) {
    case AMODEL_FAST: return fmax(tag->access, d->access);
    case AMODEL_SEQUENTIAL: return tag->access + d->access;
    case AMODEL_NORMAL:
    case AMODEL_MODES: break;
    }
    return fmax(tag->access + d->select, d->before) + d->after;
}

static struct score joined(const struct amodel_in *in, const struct bank_quick *d,
                           const struct bank_quick *tag)
{
    double access = joined_access(in, d, tag);
    if (!tag)
        return (struct score){{access, d->read, d->leak, d->cycle, d->height * d->width}};
    return (struct score){{access, d->read + tag->read, d->leak + tag->leak,
                           fmax(d->cycle, tag->cycle),
                           fmax(d->height, tag->height) * (d->width + tag->width)}};
}

static const struct found *choose_data(const struct amodel_in *in, const struct search *x,
                                       const struct bank_quick *tag)
{
    double access = INFINITY, read = INFINITY;
    for (size_t i = 0; i < x->found.n; i++) {
        access = fmin(access, x->found.at[i].q.access);
        read = fmin(read, x->found.at[i].q.read);
    }
#define HOPELESS(f) ((f)->q.access > 1.5 * access && (f)->q.read > 1.5 * read)
    struct score best = score_worst;
    for (size_t i = 0; i < x->found.n; i++)
        if (!HOPELESS(&x->found.at[i])) {
            struct score sc = joined(in, &x->found.at[i].q, tag);
            score_min(&best, &sc);
        }
    const struct found *chosen = NULL;
    double least = INFINITY;
    for (size_t i = 0; i < x->found.n; i++) {
        const struct found *f = &x->found.at[i];
        if (HOPELESS(f))
            continue;
        struct score sc = joined(in, &f->q, tag);
        double delay = sc.v[GOAL_DELAY] / best.v[GOAL_DELAY];
        double energy = sc.v[GOAL_DYNAMIC] / best.v[GOAL_DYNAMIC], price = 0;
        switch (in->optimize) {
        case AMODEL_ED2: price = delay * delay * energy; break;
        case AMODEL_ED: price = delay * energy; break;
        case AMODEL_WEIGHTS:
        case AMODEL_OPTIMIZES:
            if (!within(in, &sc, &best))
                continue;
            price = weighted(in, &sc, &best);
            break;
        }
        if (price < least || (price == least && chosen && f->order < chosen->order)) {
            least = price;
            chosen = f;
        }
    }
#undef HOPELESS
    return chosen;
}

/* ---- the whole ---- */

static struct bank_quick quick_of(const struct amodel_side *d)
{
    return (struct bank_quick){d->access_s, d->read_j,   d->leak.sub, d->cycle_s, d->height_um,
                               d->width_um, d->before_s, d->select_s, d->after_s};
}

static void join(const struct amodel_in *in, struct amodel_out *o)
{
    const struct amodel_side *d = &o->data, *t = &o->tag;
    struct bank_quick dq = quick_of(d), tq = quick_of(t);
    bool tag = o->has_tag;

    o->access_s = joined_access(in, &dq, tag ? &tq : NULL);
    o->cycle_s = fmax(d->cycle_s, tag ? t->cycle_s : 0);
    o->search_j = d->search_j;
    o->read_j = d->read_j + t->read_j;
    o->write_j = d->write_j + t->write_j;
    o->leak_w = d->leak.sub + t->leak.sub;
    o->gate_leak_w = d->leak.gate + t->leak.gate;
    o->height_um = fmax(d->height_um, t->height_um);
    o->width_um = d->width_um + t->width_um;
    o->area_um2 = o->height_um * o->width_um;
}

static bool cost_cam(const struct side *s, struct search *x, struct where at,
                     struct amodel_out *out, struct err *err)
{
    const struct amodel_in *in = s->in;
    struct amodel_side *all = arena_many(x->mem, struct amodel_side, MAX_LOG_DW + 1);
    for (int i = 0; i <= MAX_LOG_DW; i++) {
        struct found f = {.order = (uint64_t)i, .tuple = i};
        if ((in->forced && in->org.ndbl != 1 << i) || !cam_full(s, 1 << i, &all[i]))
            continue;
        f.q = quick_of(&all[i]);
        vec_push(x->mem, &x->found, f);
    }
    out->n_data = (uint32_t)x->found.n;
    if (x->found.n == 0)
        return err_add(
            err, ERR_INPUT, at,
            "no organisation exists: fewer than 2 entries, or more than 262144 in a subarray");
    const struct found *f = choose_data(in, x, NULL);
    if (!f)
        return err_add(err, ERR_INPUT, at, "the deviation limits exclude every organisation");
    out->data = all[f->tuple];
    out->has_search = true;
    return true;
}

static bool cost_sram(const struct side *s, const struct array_tables *tables, struct search *x,
                      struct where at, struct amodel_out *out, struct err *err)
{
    const struct amodel_in *in = s->in;
    struct bank_quick tag_quick, *tag = NULL;

    if (in->type == AMODEL_CACHE) {
        struct side *ts = arena_new(x->mem, struct side);
        struct search *tx = arena_new(x->mem, struct search);
        side_make(in, tables, true, &s->c.t.wire, ts);
        run(tx, ts, x->mem);
        out->n_tag = (uint32_t)tx->found.n;
        if (tx->found.n == 0)
            return err_add(err, ERR_INPUT, at,
                           "no organisation of the tag array exists: too few sets");
        const struct found *f = choose_tag(in, tx);
        if (!f)
            return err_add(err, ERR_INPUT, at, "the deviation limits exclude every tag array");
        tag_quick = f->q;
        tag = &tag_quick;
        finish(tx, f, &out->tag);
        out->has_tag = true;
    }
    run(x, s, x->mem);
    out->n_data = (uint32_t)x->found.n;
    if (x->found.n == 0)
        return err_add(err, ERR_INPUT, at,
                       in->forced ? "the forced organisation is not possible for this array"
                                  : "no organisation exists: a subarray needs at least %d rows",
                       MIN_ROWS);
    const struct found *f = choose_data(in, x, tag);
    if (!f)
        return err_add(err, ERR_INPUT, at, "the deviation limits exclude every organisation");
    finish(x, f, &out->data);
    return true;
}

bool amodel_cost(const struct amodel_in *given, const struct array_tables *tables, struct where at,
                 struct arena *scratch, struct amodel_out *out, struct err *err)
{
    if (!amodel_check(given, tables, at, err))
        return false;
    struct amodel_in in = *given;
    bool cf = in.type == AMODEL_FA || in.type == AMODEL_CAM;
    if (in.type == AMODEL_FA && in.rw + in.rd == 0)
        in.rd = 1; /* what is found must be read */
    if (cf)
        in.assoc = 1;

    struct arena_mark mark = arena_mark(scratch);
    struct amodel_out result = {.has_tag = false};
    struct side *s = arena_new(scratch, struct side);
    struct search *x = arena_new(scratch, struct search);
    side_make(&in, tables, false, NULL, s);
    x->s = s;
    x->mem = scratch;
    bool ok = cf ? cost_cam(s, x, at, &result, err) : cost_sram(s, tables, x, at, &result, err);
    if (ok) {
        join(&in, &result);
        *out = result;
    }
    arena_rewind(scratch, mark);
    return ok;
}
