/* SPDX-License-Identifier: MIT */
#include "gen/cluster/classify.h"

#include <math.h>

#include "base/arena.h"

/* The paper says "significant"; these are ours. */
#define WRITTEN 0.2    /* accesses of lines that other CTAs write */
#define IN_PLACE 0.5   /* accesses of shared words where the launch writes */
#define IRREGULAR 0.15 /* accesses whose addresses follow from data */
#define TORN 0.5       /* accesses of loads in pieces shorter than a sector */
#define ORDERED 0.03   /* change of the time by the order */
#define MOVED 0.01     /* … of the L1's hit rate */
#define SAVED 0.05     /* … of the L2 transactions */
#define GATHERED 0.2   /* … of the hit rate by an order or by agents, whatever the time does */
#define CACHED 0.4     /* change of the time by the L1 */
#define CROWDED 0.15   /* by which one CTA at a time is faster */
#define SHARED 0.1     /* accesses of what other CTAs read */

static double share(double part, double all)
{
    return all > 0 ? part / all : 0;
}

static double less(double a, double b)
{
    return a < b ? a : b;
}

static double change(const struct cluster_run *run, const struct cluster_run *base)
{
    return base->cycles > 0 ? fabs(run->cycles / base->cycles - 1) : 0;
}

static struct cluster_signs signs_of(const struct cluster_evidence *e)
{
    const struct sharing *s = &e->sharing;
    double n = (double)s->accesses, constants = (double)s->constants, memory = n + constants;
    double best = (double)(s->rows < s->columns ? s->rows : s->columns);
    return (struct cluster_signs){
        .order = s->dealt ? 1 - best / (double)s->dealt : 0,
        .moved = fmax(fabs(e->rows.hit_rate - e->base.hit_rate),
                      fabs(e->columns.hit_rate - e->base.hit_rate)),
        .by_agents = fabs(e->agents.hit_rate - e->base.hit_rate),
        .saved =
            1 - share(less(e->rows.transactions, e->columns.transactions), e->base.transactions),
        .uncached = share(e->without_l1.transactions, e->base.transactions),
        .by_order = fmax(change(&e->rows, &e->base), change(&e->columns, &e->base)),
        .by_l1 = change(&e->without_l1, &e->base),
        .by_crowd = e->one.cycles > 0 ? fmax(e->base.cycles / e->one.cycles - 1, 0) : 0,
        .shared = share((double)s->shared_lines + constants, memory),
        .words = share((double)s->shared_words + constants, memory),
        .written = share((double)s->written, n),
        .in_place = share((double)s->in_place, (double)s->shared_words),
        .irregular = share((double)s->irregular, n),
        .torn = share((double)s->torn, n),
        .driven = share((double)s->driven, (double)s->scratch + memory),
        .density = s->sector_bytes ? (double)s->bytes / (double)s->sector_bytes : 1,
    };
}

/* No order is known before the run, or none that an L1 could serve; NULL: neither. */
static const char *unexploitable(const struct cluster_signs *s, struct arena *mem,
                                 enum trace_locality *kind)
{
    *kind = TL_DATA;
    if (s->irregular >= IRREGULAR)
        return arena_printf(
            mem, "%.0f %% of its loads read where data says: no order is known before the run",
            100 * s->irregular);
    if (s->driven >= IRREGULAR)
        return arena_printf(mem,
                            "%.0f %% of its accesses to memory go where data says, in shared "
                            "memory: what it does is known only when it runs",
                            100 * s->driven);
    *kind = TL_WRITE;
    if (s->written >= WRITTEN)
        return arena_printf(mem,
                            "%.0f %% of its loads touch lines that other CTAs write: what an L1 "
                            "could keep is evicted",
                            100 * s->written);
    if (s->in_place >= IN_PLACE && s->words >= SHARED)
        return arena_printf(mem,
                            "%.0f %% of its loads of words that CTAs share are of lines that the "
                            "launch writes, too: what an L1 could keep is evicted",
                            100 * s->in_place);
    return NULL;
}

static enum trace_locality branch(const struct cluster_signs *s, struct arena *mem,
                                  const char **why)
{
    enum trace_locality kind;
    *why = unexploitable(s, mem, &kind);
    if (*why)
        return kind;
    if (s->torn >= TORN) {
        *why = arena_printf(mem,
                            "%.0f %% of what its loads touch is torn: they use %.0f %% of the "
                            "sectors, and the rest of a line is for later loads, in an L1 or not "
                            "at all; without the L1 %.2f times the L2 transactions",
                            100 * s->torn, 100 * s->density, s->uncached);
        return TL_LINE;
    }
    double moved = fmax(s->moved, s->by_agents);
    bool is_ordered = s->by_order >= ORDERED && (moved >= MOVED || s->saved >= SAVED);
    if ((is_ordered || moved >= GATHERED) && s->shared >= SHARED) {
        bool by_words = s->words * 2 >= s->shared;
        *why =
            arena_printf(mem,
                         "another order of the CTAs changes the time by %.1f %% and the L1's hit "
                         "rate by %.1f points (agents: %.1f), and CTAs share %s",
                         100 * s->by_order, 100 * s->moved, 100 * s->by_agents,
                         by_words ? "words" : "lines, not words");
        return by_words ? TL_ALGORITHM : TL_LINE;
    }
    bool is_crowded = s->by_crowd >= CROWDED;
    if ((s->by_l1 >= CACHED || is_crowded) && s->shared >= SHARED) {
        bool by_words = s->words >= SHARED;
        double by = 100 * (is_crowded ? s->by_crowd : s->by_l1);
        *why = arena_printf(mem, "CTAs share %s in any order, and the L1 counts: %s %.0f %%",
                            by_words ? "words" : "lines, not words,",
                            is_crowded ? "one CTA at a time of an SM is faster by"
                                       : "without it the time changes by",
                            by);
        return by_words ? TL_ALGORITHM : TL_LINE;
    }
    *why =
        arena_printf(mem,
                     "no order of the CTAs changes the time by more than %.1f %%, and %s: a "
                     "stream",
                     100 * s->by_order,
                     s->by_l1 < CACHED
                         ? arena_printf(mem, "without the L1 it changes by %.0f %%", 100 * s->by_l1)
                         : "what the L1 keeps is a CTA's own");
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
