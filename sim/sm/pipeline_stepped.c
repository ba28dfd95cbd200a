/* SPDX-License-Identifier: MIT
 *
 * Operand collection stepped cycle by cycle (sm.pipeline = "stepped"), as GPGPU-Sim does it. An
 * issued instruction waits in an entry register of its kind of unit, moves into a free collector,
 * gets its operands from the register banks (one read per bank and step, a write of a result goes
 * first), leaves through one of the collectors' ports into an exit register, and is taken by its
 * unit when that is free and a result bus is free at the cycle of its result. With sub-cores every
 * scheduler has its own registers and collectors, but the oldest instruction of a kind that finds
 * no collector holds up those of the other sub-cores.
 *
 * A step: collectors dispatch, banks are read, instructions enter collectors. An SM takes
 * sm.register_ports steps per cycle. Sources: shader.cc and shader.h of GPGPU-Sim 4.2 (behaviour).
 */
#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/bits.h"
#include "base/err.h"
#include "sim/sm/pipeline.h"

#define SLOTS 16u    /* registers of a kind of unit: one per sub-core, or as many as units */
#define SET_MAX 16u  /* collectors of a set */
#define PORTS_MAX 8u /* ports of a set */
#define AHEAD 512u   /* cycles of results kept: the longest latency there is */
#define BANKS_MAX 64u

/* An instruction between issue and unit. */
struct flight {
    struct issued in;
    uint64_t order; /* of issue */
};

#define FLIGHTS 512u /* more than all registers and collectors hold */

struct registers {
    uint32_t used, all; /* bit sets */
    uint16_t at[SLOTS]; /* flights */
};

struct collector_set {
    uint32_t n, ports, free, collected; /* bit sets over collectors */
    uint8_t last[PORTS_MAX], missing[SET_MAX], unit[SET_MAX], group[SET_MAX];
    uint16_t at[SET_MAX]; /* flights */
};

struct bank_queue {
    uint16_t first, n;
    uint8_t *who; /* set and collector */
};

struct collect {
    uint32_t n_flights;      /* in entries, collectors and exits but those of memory */
    uint32_t entries, exits; /* bit sets over units */
    uint32_t each;           /* collectors of a sub-core */
    uint32_t collected;      /* bit set over sets: some collector is ready */
    bool is_own;             /* sub-cores */
    bool has_banks;
    uint32_t banks_each, bank_mask, buses, steps; /* as in the SM's parameters */
    const struct unit_class *classes;
    uint64_t waiting; /* banks with reads */
    uint64_t order;
    uint64_t writes[AHEAD], write_at[AHEAD]; /* banks written in a cycle */
    uint64_t bus_at[AHEAD];
    uint8_t bus_n[AHEAD];
    uint64_t results[UNITS][SLOTS]; /* of a unit, bit t: one is due at results_at + t */
    uint64_t results_at[UNITS][SLOTS];
    uint64_t busy[UNITS][SLOTS]; /* [.][sub-core, or one of the SM's]: until then */
    uint8_t n_units[UNITS];
    struct registers entry[UNITS], exit[UNITS];
    struct collector_set sets[UNITS];
    struct bank_queue *banks;
    uint32_t queue; /* mask: a bank's queue holds all operands of all collectors */
    uint8_t set_of[UNITS];
    uint32_t n_free;
    uint16_t free[FLIGHTS];
    struct flight flights[FLIGHTS];
};

/* ---- make ---- */

static void init(struct sm *sm, struct arena *mem)
{
    const struct sm_params *p = sm->gpu->cfg.sm;
    struct collect *c = sm->pipe = arena_new(mem, struct collect);
    c->each = sm->common->collectors_each;
    for (uint32_t u = 0; u < UNITS; u++) {
        uint32_t n = p->sub_cores ? p->schedulers : sm_units_of(p, u);
        n = n > SLOTS ? SLOTS : n;
        c->n_units[u] = (uint8_t)n;
        c->entry[u].all = c->exit[u].all = (1u << n) - 1;
        c->set_of[u] = (uint8_t)(p->sub_cores ? 0 : u);
    }
    c->is_own = p->sub_cores;
    c->has_banks = p->register_banks != 0;
    c->banks_each = sm->common->banks_each;
    c->bank_mask = sm->common->bank_mask;
    c->buses = p->result_buses;
    c->steps = p->register_ports;
    c->classes = sm->common->classes;
    for (uint32_t i = 0; i < FLIGHTS; i++)
        c->free[c->n_free++] = (uint16_t)(FLIGHTS - 1 - i);
    uint32_t n_sets = p->sub_cores ? 1 : UNITS, n_banks = p->register_banks ? p->register_banks : 1;
    uint32_t reads = 1;
    for (uint32_t s = 0; s < n_sets; s++) {
        struct collector_set *set = &c->sets[s];
        set->n = p->sub_cores                           ? c->each * p->schedulers
                 : s == UNIT_MEM                        ? p->memory_collectors
                 : s == UNIT_SFU && p->sfu_collectors   ? p->sfu_collectors
                 : s == UNIT_FP64 && p->fp64_collectors ? p->fp64_collectors
                                                        : p->collectors;
        set->n = set->n > SET_MAX ? SET_MAX : set->n;
        set->ports = p->sub_cores || s == UNIT_FP32 ? p->collector_ports
                     : s == UNIT_SFU                ? p->sfu_ports
                     : s == UNIT_FP64               ? p->fp64_ports
                                                    : 1;
        set->ports = set->ports < 1 ? 1 : set->ports > PORTS_MAX ? PORTS_MAX : set->ports;
        set->free = (1u << set->n) - 1;
        reads += set->n * TRACE_MAX_SRC;
    }
    while (c->queue < reads)
        c->queue = 2 * c->queue + 1;
    c->banks = arena_many(mem, struct bank_queue, n_banks);
    for (uint32_t b = 0; b < n_banks; b++)
        c->banks[b].who = arena_many(mem, uint8_t, c->queue + 1);
}

static bool check(const struct gpu *g, struct err *err)
{
    const struct sm_params *p = g->cfg.sm;
    if (p->register_banks <= BANKS_MAX &&
        (!p->sub_cores || g->sm_common->collectors_each * p->schedulers <= SET_MAX))
        return true;
    return err_add(err, ERR_INPUT, (struct where){NULL, 0, "sm.pipeline"},
                   "stepped with %u register banks and %u collectors: at most 64 and 16",
                   p->register_banks, p->collectors);
}

/* Control takes one cycle in its unit, fences go to the load/store unit, and the halves of a
 * register are computed at once. */
static void adapt_classes(struct unit_class all[TC_COUNT])
{
    uint32_t half = all[TC_FP32].interval / 2;
    all[TC_EXIT].latency = all[TC_EXIT].interval = 1;
    all[TC_BARRIER] = all[TC_EXIT];
    all[TC_FENCE].unit = UNIT_MEM;
    all[TC_FP16].interval = half ? half : 1;
}

/* ---- issue ---- */

static void put(struct registers *r, uint16_t f, uint32_t group, bool is_own)
{
    uint32_t k = is_own ? group : bits_lowest(r->all & ~r->used);
    r->at[k] = f;
    r->used |= 1u << k;
}

static void add(struct sm *sm, const struct issued *in, uint64_t now)
{
    struct collect *c = sm->pipe;
    assert(c->n_free);
    uint16_t f = c->free[--c->n_free];
    uint32_t unit = c->classes[in->cls].unit;
    c->flights[f] = (struct flight){.in = *in, .order = c->order++};
    put(&c->entry[unit], f, in->group, c->is_own);
    if (c->is_own || c->entry[unit].used == c->entry[unit].all)
        sm->open_at[in->group][unit] = NEVER;
    c->entries |= 1u << unit;
    c->n_flights++;
    sm->pipe_at = now + 1;
}

static uint64_t issue(struct sm *sm, const struct issued *in, uint64_t now)
{
    struct warp *w = &sm->warps[in->warp];
    for (uint32_t i = 0; i < in->stat->n_dst; i++)
        w->ready[in->stat->dst[i]] = UNIT_OUT;
    w->n_flights++;
    add(sm, in, now);
    return RESULT_UNKNOWN;
}

static uint32_t oldest(const struct collect *c, const struct registers *r)
{
    uint32_t best = bits_lowest(r->used);
    for (uint32_t m = r->used & (r->used - 1); m; m &= m - 1) {
        uint32_t k = bits_lowest(m);
        if (c->flights[r->at[k]].order < c->flights[r->at[best]].order)
            best = k;
    }
    return best;
}

/* ---- results ---- */

static inline uint32_t bank_of(const struct collect *c, uint32_t reg, uint32_t warp, uint32_t sched)
{
    uint32_t b = c->bank_mask ? (reg + warp) & c->bank_mask : (reg + warp) % c->banks_each;
    return c->is_own ? b + sched * c->banks_each : b;
}

static uint64_t written(const struct collect *c, uint64_t cycle)
{
    return c->write_at[cycle % AHEAD] == cycle ? c->writes[cycle % AHEAD] : 0;
}

static void mark(struct collect *c, uint32_t bank, uint64_t cycle)
{
    uint32_t k = cycle % AHEAD;
    if (c->write_at[k] != cycle) {
        c->write_at[k] = cycle;
        c->writes[k] = 0;
    }
    c->writes[k] |= (uint64_t)1 << bank;
}

static bool write_result(struct sm *sm, const struct op *o, uint64_t now)
{
    struct collect *c = sm->pipe;
    if (!c->has_banks)
        return true;
    for (uint32_t i = 0; i < o->stat->n_dst; i++) {
        uint32_t b = bank_of(c, o->stat->dst[i], o->warp, o->group);
        if (sm->writeback_done >> i & 1)
            continue;
        if (written(c, now) >> b & 1)
            return false;
        mark(c, b, now);
        sm->writeback_done |= (uint8_t)(1u << i);
    }
    return true;
}

/* ---- units ---- */

static bool take_bus(struct collect *c, uint32_t latency, uint64_t now)
{
    uint32_t most = c->buses;
    if (!most || latency >= AHEAD)
        return true;
    uint32_t k = (now + latency) % AHEAD;
    if (c->bus_at[k] != now + latency) {
        c->bus_at[k] = now + latency;
        c->bus_n[k] = 0;
    }
    if (c->bus_n[k] >= most)
        return false;
    c->bus_n[k]++;
    return true;
}

/* The unit takes it; its result is there latency + 2 cycles later. */
static void start(struct sm *sm, const struct issued *f, const struct unit_class *u, uint64_t now)
{
    struct collect *c = sm->pipe;
    struct warp *w = &sm->warps[f->warp];
    uint64_t done = now + u->latency + 2;
    for (uint32_t i = 0; i < f->stat->n_dst; i++) {
        w->ready[f->stat->dst[i]] = sm_low_half(done);
        if (c->has_banks && done - now < AHEAD)
            mark(c, bank_of(c, f->stat->dst[i], f->warp, f->sched), done);
    }
    sm->stats.reg_writes += f->stat->n_dst;
    w->busy_until = done > w->busy_until ? done : w->busy_until;
    w->n_flights--;
    uint64_t bit = (uint64_t)1 << f->warp;
    if (sm->exiting & bit) {
        if (!w->n_flights)
            sm_wake_at(sm, f->warp, w->busy_until, now);
    } else if (sm->unsure & bit) {
        sm->unsure &= ~bit;
        sm_next(sm, f->warp, now);
    }
}

/* A unit gives one result per cycle. */
static bool is_due(struct collect *c, uint32_t u, uint32_t k, uint32_t latency, uint64_t now)
{
    uint64_t ahead = now - c->results_at[u][k];
    c->results[u][k] = ahead < 64 ? c->results[u][k] >> ahead : 0;
    c->results_at[u][k] = now;
    return latency < 64 && (c->results[u][k] >> latency & 1);
}

static bool execute(struct sm *sm, uint64_t now)
{
    struct collect *c = sm->pipe;
    bool is_own = c->is_own, any = false;
    for (uint32_t e = c->exits & ~(1u << UNIT_MEM); e; e &= e - 1) {
        uint32_t u = bits_lowest(e);
        struct registers *r = &c->exit[u];
        for (uint32_t k = 0; k < c->n_units[u] && r->used; k++) {
            if (c->busy[u][k] > now)
                continue;
            uint32_t at = is_own ? k : oldest(c, r);
            if (!(r->used >> at & 1))
                continue;
            uint16_t f = r->at[at];
            const struct unit_class *cls = &c->classes[c->flights[f].in.cls];
            if (is_due(c, u, k, cls->latency, now) || !take_bus(c, cls->latency, now))
                continue;
            if (cls->latency < 64)
                c->results[u][k] |= (uint64_t)1 << cls->latency;
            c->busy[u][k] = now + cls->interval;
            r->used &= ~(1u << at);
            c->n_flights--;
            any = true;
            c->free[c->n_free++] = f;
            start(sm, &c->flights[f].in, cls, now);
        }
        if (!r->used)
            c->exits &= ~(1u << u);
    }
    return any;
}

static uint32_t top_memory(const struct sm *sm)
{
    const struct collect *c = sm->pipe;
    const struct registers *r = &c->exit[UNIT_MEM];
    return c->flights[r->at[oldest(c, r)]].in.op;
}

static void leave(struct sm *sm, uint32_t warp, uint64_t now)
{
    struct warp *w = &sm->warps[warp];
    if (--w->n_flights == 0 && (sm->exiting >> warp & 1))
        sm_wake_at(sm, warp, w->busy_until > now ? w->busy_until : now + 1, now);
}

static void pop_memory(struct sm *sm, uint64_t now)
{
    struct collect *c = sm->pipe;
    struct registers *r = &c->exit[UNIT_MEM];
    uint32_t k = oldest(c, r);
    const struct issued *in = &c->flights[r->at[k]].in;
    if (in->op == OP_NONE)
        leave(sm, in->warp, now);
    c->free[c->n_free++] = r->at[k];
    r->used &= ~(1u << k);
    if (!r->used) {
        c->exits &= ~(1u << UNIT_MEM);
        sm->memory_at = NEVER;
    }
    c->n_flights--;
}

/* ---- a step ---- */

static bool dispatch(struct collect *c, struct collector_set *set)
{
    bool any = false;
    for (uint32_t p = 0; p < set->ports && set->collected; p++) {
        uint32_t from = set->last[p] + (c->is_own ? c->each - set->last[p] % c->each : 1);
        uint32_t found = SET_MAX;
        uint32_t high = from < set->n ? set->collected >> from << from : 0;
        for (uint32_t part = 0; part < 2 && found == SET_MAX; part++)
            for (uint32_t m = part ? set->collected & ~high : high; m; m &= m - 1) {
                uint32_t k = bits_lowest(m);
                const struct registers *r = &c->exit[set->unit[k]];
                if (c->is_own ? !(r->used >> set->group[k] & 1) : r->used != r->all) {
                    found = k;
                    break;
                }
            }
        if (found == SET_MAX)
            break; /* what one port does not find no other will */
        set->last[p] = (uint8_t)found;
        put(&c->exit[set->unit[found]], set->at[found], set->group[found], c->is_own);
        c->exits |= 1u << set->unit[found];
        set->collected &= ~(1u << found);
        set->free |= 1u << found;
        any = true;
    }
    return any;
}

static bool read_banks(struct collect *c, uint64_t blocked)
{
    uint64_t m = c->waiting & ~blocked;
    bool any = m != 0;
    for (; m; m &= m - 1) {
        uint32_t b = bits_lowest(m);
        struct bank_queue *q = &c->banks[b];
        uint8_t who = q->who[q->first++ & c->queue];
        if (--q->n == 0) {
            q->first = 0; /* the same few bytes again and again */
            c->waiting &= ~((uint64_t)1 << b);
        }
        struct collector_set *set = &c->sets[who >> 4];
        if (--set->missing[who & 15] == 0) {
            set->collected |= 1u << (who & 15);
            c->collected |= 1u << (who >> 4);
        }
    }
    return any;
}

static void want_operands(struct sm *sm, uint32_t s, uint32_t k)
{
    struct collect *c = sm->pipe;
    struct collector_set *set = &c->sets[s];
    const struct issued *f = &c->flights[set->at[k]].in;
    const struct trace_static *stat = f->stat;
    uint32_t n = 0;
    sm->stats.reg_reads += stat->n_src;
    for (uint32_t i = 0; i < stat->n_src; i++) {
        bool is_repeated = false;
        for (uint32_t j = 0; j < i; j++)
            is_repeated |= stat->src[j] == stat->src[i];
        if (is_repeated)
            continue;
        uint32_t b =
            sm->gpu->cfg.sm->register_banks ? bank_of(c, stat->src[i], f->warp, f->sched) : 0;
        struct bank_queue *q = &c->banks[b];
        assert(q->n <= c->queue);
        q->who[(q->first + q->n++) & c->queue] = (uint8_t)(s << 4 | k);
        c->waiting |= (uint64_t)1 << b;
        n++;
    }
    set->missing[k] = (uint8_t)n;
    if (!n) {
        set->collected |= 1u << k;
        c->collected |= 1u << s;
    }
}

/* The oldest instruction of a kind of unit enters a collector. False: there is none, or none for
 * it. */
static bool enter(struct sm *sm, uint32_t u)
{
    struct collect *c = sm->pipe;
    struct registers *r = &c->entry[u];
    if (!r->used)
        return false;
    uint32_t s = c->set_of[u];
    struct collector_set *set = &c->sets[s];
    uint32_t open = set->free;
    if (!open)
        return false;
    uint32_t at = oldest(c, r), group = c->flights[r->at[at]].in.group;
    if (c->is_own)
        open &= ((1u << c->each) - 1) << (group * c->each);
    if (!open)
        return false;
    uint32_t k = bits_lowest(open);
    set->at[k] = r->at[at];
    set->unit[k] = (uint8_t)u;
    set->group[k] = (uint8_t)group;
    sm->open_at[group][u] = 0;
    set->free &= ~(1u << k);
    r->used &= ~(1u << at);
    if (!r->used)
        c->entries &= ~(1u << u);
    want_operands(sm, s, k);
    return true;
}

static bool enter_all(struct sm *sm)
{
    static const uint8_t order[UNITS] = {UNIT_FP32,    UNIT_SFU,    UNIT_MEM,
                                         UNIT_FP64,    UNIT_INT,    UNIT_BRANCH,
                                         UNIT_TEXTURE, UNIT_TENSOR, UNIT_UNIFORM};
    struct collect *c = sm->pipe;
    bool any = false, more = true;
    if (!c->is_own) {                                  /* each kind has ports of its own */
        for (uint32_t m = c->entries; m; m &= m - 1) { /* as the units are numbered */
            uint32_t u = bits_lowest(m);
            for (uint32_t p = 0; p < c->sets[u].ports && enter(sm, u); p++)
                any = true;
        }
        return any;
    }
    for (uint32_t p = 0; p < c->sets[0].ports && c->entries && more; p++) { /* one of each kind */
        more = false;
        for (uint32_t i = 0; i < UNITS; i++)
            if (c->entries >> order[i] & 1)
                more |= enter(sm, order[i]);
        any |= more;
    }
    return any;
}

static void cycle(struct sm *sm, uint64_t now)
{
    struct collect *c = sm->pipe;
    sm->pipe_at = NEVER;
    if (!c->n_flights)
        return;
    bool any = c->exits && execute(sm, now);
    for (uint32_t i = 0; i < c->steps; i++) {
        for (uint32_t m = c->collected; m; m &= m - 1) {
            uint32_t s = bits_lowest(m);
            any |= dispatch(c, &c->sets[s]);
            if (!c->sets[s].collected)
                c->collected &= ~(1u << s);
        }
        if (c->waiting)
            any |= read_banks(c, i == 0 ? written(c, now) : 0);
        if (c->entries)
            any |= enter_all(sm);
    }
    if (!c->n_flights)
        return;
    if (c->exits >> UNIT_MEM & 1)
        sm->memory_at = now;
    /* else all that is left waits for the load/store unit: it runs, and this after it, when it
     * moves */
    if (any || c->waiting || (c->exits & ~(1u << UNIT_MEM)))
        sm->pipe_at = now + 1;
}

const struct pipeline pipeline_stepped = {
    .name = "stepped",
    .meaning = "stepped cycle by cycle through registers, collectors, ports and result buses",
    .rules = {.fetches_ahead = true,
              .fetches_straight_on = true,
              .ends_at_fetch = true,
              .keeps_contexts = true,
              .turns_while_active = true,
              .shared_has_stages = true,
              .atomics_release_early = true,
              .loads_may_evict = true,
              .merges_want_room = true,
              .bypass_takes_stores = true,
              .bypass_answers = 1},
    .check = check,
    .adapt_classes = adapt_classes,
    .init = init,
    .issue = issue,
    .issue_memory = add,
    .cycle = cycle,
    .top_memory = top_memory,
    .pop_memory = pop_memory,
    .write = write_result,
};
