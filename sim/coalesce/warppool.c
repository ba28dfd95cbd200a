/* SPDX-License-Identifier: MIT
 *
 * WarpPool (Kloosterman et al., MICRO 2015): requests of different warps to one line go to the L1
 * once. Instructions wait in queues of neighbouring warps, several coalescers expand them at the
 * same time, and their line requests meet in a window of tags from which a selector feeds the L1,
 * the oldest first or, when the L1 thrashes, the lowest warp first.
 *
 * What waits for what: an answer needs a place in the writeback queue, which empties by itself; the
 * selector needs the L1 and metadata, which answers release; a coalescer needs a tag, which the
 * selector releases, and for irregular loads a thread map, which answers release. A thread map has
 * room for 32 lanes, so the requests of one load share it. It is taken together with a tag, never
 * before, so nothing that could be sent waits for one, and no circle can close. */
#include <assert.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/bits.h"
#include "sim/coalesce/expander.h"
#include "sim/frame/array_events.h"
#include "sim/sm/l1.h"
#include "sim/sm/sm.h"

#define NONE UINT32_MAX

enum policy { OLDEST, BY_WARP };

/* A load that asked for a line. */
struct load {
    uint32_t op;
    uint32_t next; /* of the same request, or free */
    uint8_t warp;
    bool has_map;
};

struct tag {
    struct access access;
    struct load loads[16];
    uint32_t n;          /* 0: free */
    uint32_t prev, next; /* in the order of allocation */
    uint8_t lowest_warp;
    uint64_t ready;      /* when the selector may see it */
    bool is_refused;     /* by the L1, in the state .. */
    uint32_t refused_in; /* .. sm->l1_changes */
};

/* An intra-warp coalescer. */
struct intra_unit {
    struct expander e;
    int pattern; /* of the next access; -1: not known yet */
    uint32_t lanes[ACCESS_MAX];
};

struct writeback {
    uint32_t first; /* load that is next */
    uint64_t since;
};

struct queue {
    uint32_t *ops;
    uint32_t first, n, reserved; /* reserved: issued, with those that are still under way to it */
    uint64_t warps;
};

struct state {
    struct sm *sm;
    const struct coalescer_params *p;
    enum policy policy;

    struct queue *queues;
    uint64_t has_ops[2]; /* queues that are not empty */
    uint32_t warps_each;
    struct intra_unit *units;
    uint32_t n_busy;

    struct tag *tags;  /* [queue * wp_tags + i] */
    uint64_t *used_at; /* [queue] cycle + 1 */
    uint32_t oldest, newest, n_tags, free_maps;
    uint8_t
        *mapped; /* [op] requests that need its thread map; the map is its own while there are */

    struct load *meta; /* metadata of what is in the L1: chains of the loads of a request */
    uint32_t free_meta, n_meta, used_meta;

    struct writeback *writebacks;
    uint32_t first_writeback, n_writebacks;

    /* consistency */
    uint32_t pending[SM_MAX_WARPS]; /* instructions in queues, then lines not sent */
    uint64_t last_was_load;         /* mask of warps */

    uint64_t quantum_ends, seen_loads, seen_hits;
    struct pool_stats stats;
    struct pool_counts {
        struct array_counts instructions, coalescers, merge_queues, thread_maps, metadata;
    } counts;
};

static void *make(const struct coalescer_params *p, struct sm *sm, struct arena *mem)
{
    struct state *s = arena_new(mem, struct state);
    uint32_t warps = sm->gpu->cfg.sm->warps;
    const struct l1_params *l1 = sm->gpu->cfg.l1;
    s->sm = sm;
    s->p = p;
    s->policy = p->wp_policy == WARPPOOL_warp ? BY_WARP : OLDEST;
    s->warps_each = (warps + p->wp_queues - 1) / p->wp_queues;
    s->queues = arena_many(mem, struct queue, p->wp_queues);
    for (uint32_t q = 0; q < p->wp_queues; q++)
        s->queues[q].ops = arena_many(mem, uint32_t, p->wp_queue_depth);
    for (uint32_t w = 0; w < warps; w++)
        s->queues[w / s->warps_each].warps |= (uint64_t)1 << w;
    s->units = arena_many(mem, struct intra_unit, p->wp_coalescers);
    for (uint32_t u = 0; u < p->wp_coalescers; u++)
        expander_init(&s->units[u].e, sm);
    s->tags = arena_many(mem, struct tag, (size_t)p->wp_merge_queues * p->wp_tags);
    s->used_at = arena_many(mem, uint64_t, p->wp_merge_queues);
    s->oldest = s->newest = NONE;
    s->free_maps = p->wp_thread_maps;
    s->mapped = arena_many(mem, uint8_t, SM_OPS);
    uint64_t n = (uint64_t)l1->mshr_entries * l1->mshr_merges * p->wp_merges;
    s->n_meta = n < SM_OPS * 4 ? (uint32_t)n : SM_OPS * 4;
    s->meta = arena_many(mem, struct load, s->n_meta);
    for (uint32_t i = 0; i < s->n_meta; i++)
        s->meta[i].next = i + 1 < s->n_meta ? i + 1 : NONE;
    s->writebacks = arena_many(mem, struct writeback, p->wp_writeback);
    s->quantum_ends = p->wp_quantum;
    return s;
}

/* ---- the issue gate ---- */

/* A warp's loads may overtake each other; a store waits for all that is before it, and all that
 * comes behind waits for the store. */
static void set_gate(struct state *s, uint32_t w)
{
    struct sm *sm = s->sm;
    uint64_t bit = (uint64_t)1 << w;
    bool is_full = s->queues[w / s->warps_each].reserved >= s->p->wp_queue_depth;
    bool no_store = is_full || s->pending[w];
    bool no_load = is_full || (s->pending[w] && !(s->last_was_load & bit));
    sm->gate_full = is_full ? sm->gate_full | bit : sm->gate_full & ~bit;
    sm->gate_store = no_store ? sm->gate_store | bit : sm->gate_store & ~bit;
    sm->gate_load = no_load ? sm->gate_load | bit : sm->gate_load & ~bit;
}

static void line_was_sent(struct state *s, uint32_t w)
{
    if (--s->pending[w] == 0)
        set_gate(s, w);
}

static void set_gates(struct state *s, const struct queue *q)
{
    for (uint64_t m = q->warps; m; m &= m - 1)
        set_gate(s, bits_lowest(m));
}

static bool is_load(const struct op *o)
{
    return o->stat->cls == TC_LOAD;
}

static void issued(void *state, uint32_t op)
{
    struct state *s = state;
    const struct op *o = &s->sm->ops[op];
    struct queue *q = &s->queues[o->warp / s->warps_each];
    uint64_t bit = (uint64_t)1 << o->warp;
    s->pending[o->warp]++;
    s->last_was_load = is_load(o) ? s->last_was_load | bit : s->last_was_load & ~bit;
    if (++q->reserved >= s->p->wp_queue_depth)
        set_gates(s, q);
    else
        set_gate(s, o->warp);
}

/* ---- instruction queues ---- */

static bool can_take(void *state, uint32_t op)
{
    (void)state, (void)op;
    return true; /* its place was kept when it was issued */
}

static void take(void *state, uint32_t op, uint64_t now)
{
    struct state *s = state;
    uint32_t i = s->sm->ops[op].warp / s->warps_each;
    struct queue *q = &s->queues[i];
    q->ops[(q->first + q->n++) % s->p->wp_queue_depth] = op;
    s->has_ops[i / 64] |= (uint64_t)1 << (i % 64);
    s->counts.instructions.writes++;
    (void)now;
}

static uint32_t next_op(struct state *s)
{
    uint32_t i;
    if (s->has_ops[0])
        i = bits_lowest(s->has_ops[0]);
    else if (s->has_ops[1])
        i = 64 + bits_lowest(s->has_ops[1]);
    else
        return OP_NONE;
    struct queue *q = &s->queues[i];
    uint32_t op = q->ops[q->first];
    q->first = q->first + 1 == s->p->wp_queue_depth ? 0 : q->first + 1;
    if (--q->n == 0)
        s->has_ops[i / 64] &= ~((uint64_t)1 << (i % 64));
    if (q->reserved-- == s->p->wp_queue_depth)
        set_gates(s, q);
    s->counts.instructions.reads++;
    return op;
}

/* ---- intra-warp coalescers ---- */

static void load_unit(struct state *s, struct intra_unit *u, uint32_t op)
{
    const struct op *o = &s->sm->ops[op];
    expander_begin(&u->e, op, is_load(o) ? u->lanes : NULL);
    u->pattern = -1;
    s->pending[o->warp] += u->e.n - 1;
    s->n_busy++;
    s->counts.coalescers.writes++;
}

static void advance(struct state *s, struct intra_unit *u, uint64_t now)
{
    u->pattern = -1;
    s->counts.coalescers.reads++;
    if (++u->e.next < u->e.n)
        return;
    s->n_busy--;
    expander_end(&u->e, now);
}

/* ---- inter-warp queues ---- */

static uint32_t queue_of(const struct state *s, uint64_t address)
{
    const struct tags *t = &s->sm->l1;
    uint64_t line = address >> t->line_bits;
    uint32_t n = s->p->wp_merge_queues;
    return (t->n_sets >= n ? tags_set_of(t, line) : (uint32_t)line) & (n - 1);
}

/* The tag of a queue that a request joins, or a free one; NONE: there is no room. */
static uint32_t find_tag(const struct state *s, uint32_t queue, const struct access *a)
{
    uint32_t first = queue * s->p->wp_tags, open = NONE;
    for (uint32_t i = first; i < first + s->p->wp_tags; i++) {
        const struct tag *t = &s->tags[i];
        if (!t->n)
            open = open == NONE ? i : open;
        else if (t->access.address == a->address && t->n < s->p->wp_merges &&
                 t->access.is_bypass == a->is_bypass && t->access.space == a->space)
            return i;
    }
    return open;
}

static void join(struct state *s, uint32_t i, const struct intra_unit *u, bool has_map,
                 uint64_t now)
{
    struct tag *t = &s->tags[i];
    const struct access *a = &u->e.accesses[u->e.next];
    if (t->n == 0) {
        t->access = *a;
        t->lowest_warp = a->warp;
        t->ready = now + 2; /* the pattern is classified, then the queue is written */
        t->is_refused = false;
        t->next = NONE;
        t->prev = s->newest;
        if (s->newest == NONE)
            s->oldest = i;
        else
            s->tags[s->newest].next = i;
        s->newest = i;
        if (++s->n_tags > s->stats.most_tags)
            s->stats.most_tags = s->n_tags;
    } else {
        t->access.sectors |= a->sectors;
        t->access.bytes =
            (uint16_t)(bits_count(t->access.sectors) * s->sm->common->rule.piece_bytes);
        if (a->warp < t->lowest_warp)
            t->lowest_warp = a->warp;
        s->stats.merged++;
    }
    assert(t->n < sizeof t->loads / sizeof *t->loads);
    t->loads[t->n++] = (struct load){u->e.op, NONE, a->warp, has_map};
    s->stats.asked++;
    s->counts.merge_queues.writes++;
    if (has_map) {
        s->free_maps -= s->mapped[u->e.op]++ == 0;
        s->counts.thread_maps.writes++;
        if (s->p->wp_thread_maps - s->free_maps > s->stats.most_maps)
            s->stats.most_maps = s->p->wp_thread_maps - s->free_maps;
    }
}

/* One line request of a load on its way into the window. */
static void expand(struct state *s, struct intra_unit *u, uint64_t now)
{
    const struct access *a = &u->e.accesses[u->e.next];
    uint32_t q = queue_of(s, a->address);
    if (s->used_at[q] == now + 1) {
        s->stats.stalls[POOL_QUEUE_BUSY]++;
        return;
    }
    if (u->pattern < 0) {
        const struct op *o = &s->sm->ops[u->e.op];
        const struct warp *w = &s->sm->warps[o->warp];
        u->pattern = lane_pattern(o->stat, o->inst, w->addresses, w->base,
                                  a->address & ~((uint64_t)s->sm->common->rule.line_bytes - 1),
                                  s->sm->common->rule.line_bytes, u->lanes[u->e.next]);
        s->counts.merge_queues.searches++;
    }
    bool needs_map = u->pattern == LANES_IRREGULAR;
    if (needs_map && !s->free_maps && !s->mapped[u->e.op]) {
        s->stats.stalls[POOL_NO_MAP]++;
        return;
    }
    uint32_t i = find_tag(s, q, a);
    if (i == NONE) {
        s->stats.stalls[POOL_NO_TAG]++;
        return;
    }
    s->used_at[q] = now + 1;
    s->stats.patterns[u->pattern]++;
    join(s, i, u, needs_map, now);
    advance(s, u, now);
}

/* ---- the selector ---- */

static void choose_policy(struct state *s, uint64_t now)
{
    const struct sm_stats *st = &s->sm->stats;
    if (now < s->quantum_ends || s->p->wp_policy != WARPPOOL_toggle)
        return;
    uint64_t loads = st->l1_accesses - st->l1_writes, hits = st->l1_hits - st->l1_write_hits;
    uint64_t n = loads - s->seen_loads, missed = n - (hits - s->seen_hits);
    if (n && (double)missed > s->p->wp_toggle_share * (double)n) {
        s->policy = s->policy == OLDEST ? BY_WARP : OLDEST;
        s->stats.toggles++;
    }
    s->seen_loads = loads;
    s->seen_hits = hits;
    s->quantum_ends = now - now % s->p->wp_quantum + s->p->wp_quantum;
}

static bool is_refused(const struct state *s, const struct tag *t)
{
    return t->is_refused && t->refused_in == s->sm->l1_changes;
}

/* The oldest; or that of the lowest warp, where what the L1 refuses does not hold up the others. */
static uint32_t choose(const struct state *s, uint64_t now)
{
    uint32_t best = s->oldest;
    if (best == NONE || s->policy == OLDEST)
        return best != NONE && s->tags[best].ready <= now ? best : NONE;
    best = NONE;
    for (uint32_t i = s->oldest; i != NONE && s->tags[i].ready <= now; i = s->tags[i].next)
        if (!is_refused(s, &s->tags[i]) &&
            (best == NONE || s->tags[i].lowest_warp < s->tags[best].lowest_warp))
            best = i;
    return best == NONE ? s->oldest : best;
}

static uint32_t keep(struct state *s, const struct load *l, uint32_t next)
{
    uint32_t m = s->free_meta;
    assert(m != NONE);
    s->free_meta = s->meta[m].next;
    s->meta[m] = *l;
    s->meta[m].next = next;
    if (++s->used_meta > s->stats.most_metadata)
        s->stats.most_metadata = s->used_meta;
    s->counts.metadata.writes++;
    return m;
}

/* The head of the chain that keep() makes next, of `n` loads: its last. */
static uint32_t next_chain(const struct state *s, uint32_t n)
{
    uint32_t head = s->free_meta;
    while (--n)
        head = s->meta[head].next;
    return head;
}

static bool send_load(struct state *s, uint32_t i, uint64_t now)
{
    struct tag *t = &s->tags[i];
    if (s->used_meta + t->n > s->n_meta) {
        s->stats.stalls[POOL_NO_METADATA]++;
        return false;
    }
    bool can_move =
        s->n_writebacks < s->p->wp_writeback && l1_can_take(s->sm, t->access.address, now);
    if (!can_move || is_refused(s, t) || !l1_accepts(s->sm, &t->access, now)) {
        t->is_refused |= can_move;
        t->refused_in = can_move ? s->sm->l1_changes : t->refused_in;
        s->stats.stalls[POOL_L1_BUSY]++;
        return false;
    }
    t->access.tag = next_chain(s, t->n);
    if (!l1_offer(s->sm, &t->access, now)) { /* what goes past the L1 at once found no way out */
        s->stats.stalls[POOL_L1_BUSY]++;
        return false;
    }
    uint32_t chain = NONE;
    for (uint32_t k = t->n; k-- > 0;) {
        chain = keep(s, &t->loads[k], chain);
        line_was_sent(s, t->loads[k].warp);
    }
    assert(chain == t->access.tag);
    *(t->prev == NONE ? &s->oldest : &s->tags[t->prev].next) = t->next;
    *(t->next == NONE ? &s->newest : &s->tags[t->next].prev) = t->prev;
    t->n = 0;
    s->n_tags--;
    s->stats.sent++;
    s->counts.merge_queues.reads++;
    return true;
}

/* Stores and atomics go past the window, when no load can. */
static bool send_store(struct state *s, struct intra_unit *u, uint64_t now)
{
    struct access *a = &u->e.accesses[u->e.next];
    bool has_answer = s->sm->ops[u->e.op].stat->cls != TC_STORE;
    if (has_answer) {
        if (s->used_meta == s->n_meta)
            return false;
        a->tag = s->free_meta; /* the next one that is kept */
    }
    if (!l1_accepts(s->sm, a, now) || !l1_offer(s->sm, a, now))
        return false;
    if (has_answer)
        keep(s, &(struct load){u->e.op, NONE, a->warp, false}, NONE);
    s->stats.stores++;
    line_was_sent(s, a->warp);
    advance(s, u, now);
    return true;
}

static void select_one(struct state *s, uint64_t now)
{
    choose_policy(s, now);
    uint32_t i = choose(s, now);
    bool is_sent = i != NONE && send_load(s, i, now);
    for (uint32_t k = 0; k < s->p->wp_coalescers; k++) {
        struct intra_unit *u = &s->units[k];
        if (u->e.op == OP_NONE || u->e.is_load)
            continue;
        if (!is_sent && send_store(s, u, now))
            is_sent = true;
        else
            s->stats.stalls[POOL_STORE_WAITS]++;
    }
}

/* ---- writeback ---- */

static bool done(void *state, uint32_t tag, uint64_t now)
{
    struct state *s = state;
    if (s->n_writebacks == s->p->wp_writeback) {
        s->stats.stalls[POOL_NO_WRITEBACK]++;
        return false;
    }
    uint32_t i = (s->first_writeback + s->n_writebacks++) % s->p->wp_writeback;
    s->writebacks[i].first = tag;
    s->writebacks[i].since = now;
    if (s->sm->coalescer_at > now + 1)
        s->sm->coalescer_at = now + 1;
    return true;
}

/* The registers of one warp in a cycle. */
static void write_back(struct state *s, uint64_t now)
{
    if (s->writebacks[s->first_writeback].since >= now)
        return;
    uint32_t m = s->writebacks[s->first_writeback].first;
    struct load l = s->meta[m];
    s->meta[m].next = s->free_meta;
    s->free_meta = m;
    s->used_meta--;
    s->counts.metadata.reads++;
    if (l.has_map) {
        s->free_maps += --s->mapped[l.op] == 0;
        s->counts.thread_maps.reads++;
    }
    s->writebacks[s->first_writeback].first = l.next;
    if (l.next == NONE) {
        s->first_writeback =
            s->first_writeback + 1 == s->p->wp_writeback ? 0 : s->first_writeback + 1;
        s->n_writebacks--;
    }
    sm_op_part_done(s->sm, l.op, now);
}

/* ---- a cycle ---- */

static uint64_t cycle(void *state, uint64_t now)
{
    struct state *s = state;
    s->stats.cycles++;
    s->stats.by_warp_cycles += s->policy == BY_WARP;
    if (s->n_writebacks)
        write_back(s, now);
    if (s->n_tags | s->n_busy)
        select_one(s, now);
    for (uint32_t k = 0; k < s->p->wp_coalescers && s->n_busy; k++)
        if (s->units[k].e.op != OP_NONE && s->units[k].e.is_load)
            expand(s, &s->units[k], now);
    for (uint32_t k = 0; k < s->p->wp_coalescers && (s->has_ops[0] | s->has_ops[1]); k++)
        if (s->units[k].e.op == OP_NONE)
            load_unit(s, &s->units[k], next_op(s));
    bool has_work =
        s->n_writebacks | s->n_tags | s->n_busy | (s->has_ops[0] != 0) | (s->has_ops[1] != 0);
    return has_work ? now + 1 : NEVER;
}

static const struct pool_stats *stats(const void *state)
{
    return &((const struct state *)state)->stats;
}

const struct coalescer coalesce_warppool = {
    .meaning = "requests of different warps to one line are merged before the L1",
    .make = make,
    .can_take = can_take,
    .take = take,
    .cycle = cycle,
    .done = done,
    .issued = issued,
    .stats = stats,
};

/* What was done to the tables of an SM: nothing where its coalescer is another. */
static const struct pool_counts *counts_of(const struct gpu *g, uint32_t sm)
{
    static const struct pool_counts none;
    bool is_there = g->sm_common->coalescer == &coalesce_warppool;
    return is_there ? &((const struct state *)g->sms[sm].coalescer)->counts : &none;
}

struct array_counts warppool_instruction_queues_events(const struct gpu *g, uint32_t sm)
{
    return counts_of(g, sm)->instructions;
}

struct array_counts warppool_coalescers_events(const struct gpu *g, uint32_t sm)
{
    return counts_of(g, sm)->coalescers;
}

struct array_counts warppool_merge_queues_events(const struct gpu *g, uint32_t sm)
{
    return counts_of(g, sm)->merge_queues;
}

struct array_counts warppool_thread_map_table_events(const struct gpu *g, uint32_t sm)
{
    return counts_of(g, sm)->thread_maps;
}

struct array_counts warppool_mshr_metadata_events(const struct gpu *g, uint32_t sm)
{
    return counts_of(g, sm)->metadata;
}
