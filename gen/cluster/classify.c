/* SPDX-License-Identifier: MIT */
#include "gen/cluster/classify.h"

#include <math.h>

#include "base/arena.h"
#include "gen/run/tie.h"

/* The paper says "significant". Of runs that is what exceeds noise and a tie. Of accesses it is an
 * eighth: the middle of what kernels that are not the paper's leave open, 9 to 16 %
 * (docs/mechanisms-clustering.md). */
#define SIGNIFICANT 0.125

static double share(double part, double all)
{
    return all > 0 ? part / all : 0;
}

/* ---- changes that count ---- */

static void take(struct cluster_change *c, double by, double noise)
{
    bool counts = by > TIE && by > noise;
    if (counts == c->counts ? by > c->by : counts) {
        c->by = by;
        c->noise = noise;
    }
    c->counts |= counts;
}

static void take_time(struct cluster_change *c, const struct stat_run *run,
                      const struct stat_run *base, bool faster_only)
{
    if (!run->n || base->mean <= 0)
        return;
    double by = run->mean / base->mean - 1, noise = stat_difference_95(run, base) / base->mean;
    take(c, faster_only ? fmax(-by, 0) : fabs(by), noise);
}

static void take_hits(struct cluster_change *c, const struct stat_run *run,
                      const struct stat_run *base)
{
    if (run->n)
        take(c, fabs(run->mean - base->mean), stat_difference_95(run, base));
}

static struct cluster_signs signs_of(const struct cluster_evidence *e)
{
    const struct sharing *s = &e->sharing;
    double n = (double)s->accesses, constants = (double)s->constants, memory = n + constants;
    double best = (double)(s->rows < s->columns ? s->rows : s->columns);
    struct cluster_signs g = {
        .order = s->dealt ? 1 - best / (double)s->dealt : 0,
        .uncached = share(e->without_l1.transactions.mean, e->base.transactions.mean),
        .saved = -INFINITY,
        .shared = share((double)s->shared_lines + constants, memory),
        .words = share((double)s->shared_words + constants, memory),
        .written = share((double)s->written, n),
        .irregular = share((double)s->irregular, n),
        .torn = share((double)s->torn, n),
        .driven = share((double)s->driven, (double)s->scratch + memory),
        .density = s->sector_bytes ? (double)s->bytes / (double)s->sector_bytes : 1,
    };
    const struct cluster_run *orders[] = {&e->rows, &e->columns, &e->agents};
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        if (orders[i] != &e->agents) /* their time has their own loop in it */
            take_time(&g.time, &orders[i]->cycles, &e->base.cycles, false);
        take_hits(&g.hits, &orders[i]->hit_rate, &e->base.hit_rate);
        if (orders[i]->cycles.n)
            g.saved =
                fmax(g.saved, 1 - share(orders[i]->transactions.mean, e->base.transactions.mean));
    }
    g.saved = isfinite(g.saved) ? g.saved : 0; /* no order could be run */
    take_time(&g.l1, &e->without_l1.cycles, &e->base.cycles, false);
    take_time(&g.crowd, &e->one.cycles, &e->base.cycles, true);
    return g;
}

/* ---- the tree ---- */

/* No order is known before the run, or none that an L1 could serve; NULL: neither. */
static const char *unexploitable(const struct cluster_signs *s, struct arena *mem,
                                 enum trace_locality *kind)
{
    *kind = TL_DATA;
    if (s->irregular >= SIGNIFICANT)
        return arena_printf(
            mem, "%.0f %% of its loads read where data says: no order is known before the run",
            100 * s->irregular);
    if (s->driven >= SIGNIFICANT)
        return arena_printf(mem,
                            "%.0f %% of its accesses to memory go where data says, in shared "
                            "memory: what it does is known only when it runs",
                            100 * s->driven);
    *kind = TL_WRITE;
    if (s->written >= SIGNIFICANT)
        return arena_printf(mem,
                            "%.0f %% of its loads touch lines that other CTAs write, or read words "
                            "in common where the launch writes: what an L1 could keep is evicted",
                            100 * s->written);
    return NULL;
}

/* Words, or only the lines that they lie in. */
static enum trace_locality sharing_kind(const struct cluster_signs *s, const char **what)
{
    bool by_words = s->words * 2 >= s->shared;
    *what = by_words ? "words" : "lines, not words";
    return by_words ? TL_ALGORITHM : TL_LINE;
}

static enum trace_locality branch(const struct cluster_signs *s, struct arena *mem,
                                  const char **why)
{
    enum trace_locality kind;
    const char *what;
    *why = unexploitable(s, mem, &kind);
    if (*why)
        return kind;
    if (s->torn >= SIGNIFICANT) {
        *why = arena_printf(mem,
                            "%.0f %% of what its loads touch is torn: they use %.0f %% of the "
                            "sectors, and the rest of a line is for later loads, in an L1 or not "
                            "at all; without the L1 %.2f times the L2 transactions",
                            100 * s->torn, 100 * s->density, s->uncached);
        return TL_LINE;
    }
    kind = sharing_kind(s, &what);
    if (s->shared < SIGNIFICANT) {
        *why = arena_printf(mem, "CTAs share %.0f %% of what its loads touch: a stream",
                            100 * s->shared);
        return TL_STREAM;
    }
    if (s->time.counts || s->hits.counts) {
        *why = arena_printf(mem,
                            "another order of the CTAs changes the time by %.1f %% (noise %.1f) "
                            "and the L1's hit rate by %.1f points (noise %.1f), and CTAs share %s",
                            100 * s->time.by, 100 * s->time.noise, 100 * s->hits.by,
                            100 * s->hits.noise, what);
        return kind;
    }
    if (s->crowd.counts || s->l1.counts) {
        const struct cluster_change *c = s->crowd.counts ? &s->crowd : &s->l1;
        *why = arena_printf(mem,
                            "CTAs share %s in any order, and the L1 counts: %s %.1f %% (noise "
                            "%.1f)",
                            what,
                            s->crowd.counts ? "one CTA at a time of an SM is faster by"
                                            : "without it the time changes by",
                            100 * c->by, 100 * c->noise);
        return kind;
    }
    *why =
        arena_printf(mem,
                     "no order of the CTAs changes the time (%.1f %%, noise %.1f) or the L1's "
                     "hit rate (%.1f points), and without the L1 it changes by %.1f %%: a stream",
                     100 * s->time.by, 100 * s->time.noise, 100 * s->hits.by, 100 * s->l1.by);
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
