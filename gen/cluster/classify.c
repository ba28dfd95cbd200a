/* SPDX-License-Identifier: MIT */
#include "gen/cluster/classify.h"

#include <math.h>

#include "base/arena.h"

/* The paper says "significant"; these are ours. */
#define WRITTEN 0.2    /* accesses of lines that other CTAs write */
#define IRREGULAR 0.15 /* accesses whose addresses follow from data */
#define SPARSE 0.5     /* bytes used of the sectors fetched */
#define SAVED 0.05     /* L2 transactions that an order saves */
#define MOVED 0.01     /* change of the hit rate */
#define SHARED 0.1     /* accesses of lines that other CTAs read */

static double share(double part, double all)
{
    return all > 0 ? part / all : 0;
}

static double less(double a, double b)
{
    return a < b ? a : b;
}

static struct cluster_signs signs_of(const struct cluster_evidence *e)
{
    const struct sharing *s = &e->sharing;
    double n = (double)s->accesses;
    double best = (double)(s->rows < s->columns ? s->rows : s->columns);
    return (struct cluster_signs){
        .order = s->dealt ? 1 - best / (double)s->dealt : 0,
        .moved = fmax(fabs(e->rows.hit_rate - e->base.hit_rate),
                      fabs(e->columns.hit_rate - e->base.hit_rate)),
        .saved =
            1 - share(less(e->rows.transactions, e->columns.transactions), e->base.transactions),
        .uncached = share(e->without_l1.transactions, e->base.transactions),
        .shared = share((double)s->shared_lines, n),
        .words = share((double)s->shared_words, n),
        .written = share((double)s->written, n),
        .irregular = share((double)s->irregular, n),
        .density = s->sector_bytes ? (double)s->bytes / (double)s->sector_bytes : 1,
        .fits = s->common_lines && s->common_lines * SHARING_LINE <= e->l1_bytes,
    };
}

static enum trace_locality branch(const struct cluster_signs *s, struct arena *mem,
                                  const char **why)
{
    if (s->irregular >= IRREGULAR) {
        *why = arena_printf(
            mem, "%.0f %% of its loads read where data says: no order is known before the run",
            100 * s->irregular);
        return TL_DATA;
    }
    if (s->written >= WRITTEN) {
        *why = arena_printf(mem,
                            "%.0f %% of its loads touch lines that other CTAs write: what an L1 "
                            "could keep is evicted",
                            100 * s->written);
        return TL_WRITE;
    }
    if (s->density < SPARSE) {
        *why = arena_printf(mem,
                            "its loads use %.0f %% of the sectors they touch: lines are shared, in "
                            "an L1 or not at all; without the L1 %.2f times the L2 transactions",
                            100 * s->density, s->uncached);
        return TL_LINE;
    }
    if (s->moved >= MOVED || s->saved >= SAVED) {
        bool by_words = s->words * 2 >= s->shared;
        *why =
            arena_printf(mem,
                         "another order of the CTAs moves the L1's hit rate by %.1f points and "
                         "saves %.0f %% of the L2 transactions, and CTAs share %s",
                         100 * s->moved, 100 * s->saved, by_words ? "words" : "lines, not words");
        return by_words ? TL_ALGORITHM : TL_LINE;
    }
    if (s->words >= SHARED && s->fits) {
        *why = "all CTAs read the same words, and these fit the L1";
        return TL_ALGORITHM;
    }
    *why = s->shared >= SHARED
               ? "what CTAs share is more than an L1 holds, in any order; loads are dense: a stream"
               : "CTAs share hardly anything, and loads are dense";
    return TL_STREAM;
}

void cluster_classify(const struct cluster_evidence *e, struct arena *mem,
                      struct cluster_class *out)
{
    out->signs = signs_of(e);
    out->kind = branch(&out->signs, mem, &out->why);
}

bool cluster_is_exploitable(enum trace_locality kind)
{
    return kind == TL_ALGORITHM || kind == TL_LINE;
}

const char *cluster_class_name(enum trace_locality kind)
{
    static const char *const names[TL_COUNT] = {
#define X(id, name, meaning) [TL_##id] = name,
        TRACE_LOCALITIES(X)
#undef X
    };
    return names[kind];
}
