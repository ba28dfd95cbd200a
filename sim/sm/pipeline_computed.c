/* SPDX-License-Identifier: MIT
 *
 * Nothing is moved through pipeline registers cycle by cycle: when an instruction issues, the times
 * at which it gets a collector, its operands, its unit and its result are worked out from when
 * those become free, which is what a pipeline without overtaking does.
 *
 * issue at t; entry register until a collector is free, at a >= t + 1; operands are read from the
 * register banks, one per bank and step; d: all are there and the register to the unit is free;
 * s >= d + 1: the unit takes it; the result is written into the register file at s + latency + 2.
 * With bypasses (sm.bypass) the next instruction that wants it may issue `latency` cycles after
 * this one did, later only by what this one waited on its way; without them, when it is written. */
#include <stddef.h>

#include "base/arena.h"
#include "base/bits.h"
#include "sim/sm/pipeline.h"

/* One unit kind of an SM or sub-core. Times say when a place becomes free. */
struct unit_state {
    uint64_t *entry; /* [n] registers before the collectors */
    uint64_t *exit;  /* [n] registers behind the collectors */
    uint64_t *busy;  /* [n] the units themselves */
    uint8_t n, at_entry, at_exit;
};

struct collectors {
    uint64_t taken_until[COLLECTORS_MAX];
};

/* From issue to the unit where nothing is in the way: entry, two steps of the collector, exit. */
#define FRONT_CYCLES 4u

/* An SM or a sub-core. */
struct group {
    struct unit_state units[UNITS];
    struct collectors *collectors; /* [unit, or 0 where units share them] */
    uint32_t n_memory;             /* memory instructions issued and not in the load/store unit */
};

struct computed {
    uint32_t ports, n_banks, banks_each, bank_mask; /* as in the SM's parameters */
    bool is_own;                                    /* sub-cores */
    bool has_bypass;
    uint64_t bank_time;
    struct group *groups;
    struct delay_ring memory; /* ops with operands, waiting for the load/store unit */
    uint64_t *bank_busy;      /* [bank] bit t: taken at bank_time + t */
};

static void init_unit(struct unit_state *u, uint32_t n, struct arena *mem)
{
    u->n = (uint8_t)n;
    u->entry = arena_many(mem, uint64_t, (size_t)3 * n);
    u->exit = u->entry + n;
    u->busy = u->exit + n;
}

static void init(struct sm *sm, struct arena *mem)
{
    const struct sm_params *p = sm->gpu->cfg.sm;
    uint32_t n_groups = p->sub_cores ? p->schedulers : 1;
    struct computed *c = sm->pipe = arena_new(mem, struct computed);
    c->ports = p->register_ports;
    c->n_banks = p->register_banks;
    c->banks_each = sm->common->banks_each;
    c->bank_mask = sm->common->bank_mask;
    c->is_own = p->sub_cores;
    c->has_bypass = p->bypass;
    c->bank_busy = arena_many(mem, uint64_t, c->n_banks ? c->n_banks : 1);
    c->groups = arena_many(mem, struct group, n_groups);
    for (uint32_t g = 0; g < n_groups; g++) {
        c->groups[g].collectors = arena_many(mem, struct collectors, p->sub_cores ? 1 : UNITS);
        for (uint32_t u = 0; u < UNITS; u++)
            init_unit(&c->groups[g].units[u], sm_units_of(p, u), mem);
    }
    delay_ring_init(&c->memory, "the queue before the load/store unit", SM_OPS, &sm->gpu->bounds,
                    mem);
}

/* ---- operands ---- */

static void rebase_banks(struct computed *c, uint64_t step)
{
    uint64_t ahead = step - c->bank_time;
    if (ahead < 16)
        return;
    for (uint32_t b = 0; b < c->n_banks; b++)
        c->bank_busy[b] = ahead < 64 ? c->bank_busy[b] >> ahead : 0;
    c->bank_time = step;
}

static uint32_t bank_of(const struct computed *c, uint32_t reg, const struct issued *in)
{
    uint32_t v = reg + in->warp, b = c->bank_mask ? v & c->bank_mask : v % c->banks_each;
    return c->is_own ? b + in->sched * c->banks_each : b;
}

/* Takes the first free step of a bank at or after `step`. */
static uint64_t take_bank(struct computed *c, uint32_t bank, uint64_t step)
{
    uint64_t at = step - c->bank_time;
    if (at >= 64)
        return step;
    uint64_t open = ~(c->bank_busy[bank] >> at) & (UINT64_MAX >> at);
    if (!open)
        return c->bank_time + 64;
    uint32_t wait = bits_lowest(open);
    c->bank_busy[bank] |= (uint64_t)1 << (at + wait);
    return step + wait;
}

/* The step behind the last operand read of an instruction whose collector was taken at `step`. */
static inline uint64_t read_operands(struct computed *c, const struct issued *in, uint64_t step)
{
    const struct trace_static *s = in->stat;
    if (!c->n_banks)
        return step + 2;
    uint64_t last = step + 1;
    for (uint32_t i = 0; i < s->n_src; i++) {
        bool is_repeated = false;
        for (uint32_t j = 0; j < i; j++)
            is_repeated |= s->src[j] == s->src[i];
        if (is_repeated)
            continue;
        uint64_t t = take_bank(c, bank_of(c, s->src[i], in), step + 1);
        if (t > last)
            last = t;
    }
    return last + 1;
}

/* ---- units ---- */

static uint64_t *free_collector(const struct sm *sm, struct group *g, uint32_t unit)
{
    const struct sm_params *p = sm->gpu->cfg.sm;
    uint32_t n = unit == UNIT_MEM ? p->memory_collectors : p->collectors;
    uint64_t *c = g->collectors[p->sub_cores ? 0 : unit].taken_until;
    if (p->sub_cores)
        n = sm->common->collectors_each;
    uint64_t *best = c;
    for (uint32_t i = 1; i < n; i++)
        if (c[i] < *best)
            best = &c[i];
    return best;
}

static uint8_t next_of(uint8_t at, uint8_t n)
{
    return (uint8_t)(at + 1 == n ? 0 : at + 1);
}

/* Sends an instruction down; returns the cycle from which its unit could take it. */
static inline uint64_t collect(struct sm *sm, const struct issued *in, uint32_t unit, uint64_t now)
{
    struct computed *c = sm->pipe;
    struct group *g = &c->groups[in->group];
    struct unit_state *u = &g->units[unit];
    uint64_t *collector = free_collector(sm, g, unit);
    uint64_t a = *collector > now + 1 ? *collector : now + 1;
    u->entry[u->at_entry] = a;
    u->at_entry = next_of(u->at_entry, u->n);
    sm->open_at[in->group][unit] = u->entry[u->at_entry];
    rebase_banks(c, now * c->ports);
    sm->stats.reg_reads += in->stat->n_src;
    uint64_t d = a + 1;
    if (in->stat->n_src)
        d = c->ports == 1 ? read_operands(c, in, a) : read_operands(c, in, a * c->ports) / c->ports;
    if (unit != UNIT_MEM && u->exit[u->at_exit] > d)
        d = u->exit[u->at_exit];
    *collector = d;
    return d + 1;
}

/* Runs it on a unit. */
static uint64_t issue(struct sm *sm, const struct issued *in, uint64_t now)
{
    const struct unit_class *cls = &sm->common->classes[in->cls];
    const struct trace_static *s = in->stat;
    struct computed *c = sm->pipe;
    struct unit_state *u = &c->groups[in->group].units[cls->unit];
    uint64_t start = collect(sm, in, cls->unit, now);
    uint64_t *busy = &u->busy[0];
    for (uint32_t i = 1; i < u->n; i++)
        if (u->busy[i] < *busy)
            busy = &u->busy[i];
    if (*busy > start)
        start = *busy;
    /* a product of matrices keeps its unit for as many steps as it has */
    uint32_t steps = in->cls == TC_TENSOR && s->access_bytes ? s->access_bytes : 1;
    uint32_t latency = cls->latency + (steps - 1) * cls->interval;
    *busy = start + (uint64_t)cls->interval * steps;
    u->exit[u->at_exit] = start;
    u->at_exit = next_of(u->at_exit, u->n);
    uint64_t done = start + latency + 2, ready = done;
    if (c->has_bypass)
        ready = (start > now + FRONT_CYCLES ? start - FRONT_CYCLES : now) + latency;
    for (uint32_t i = 0; i < s->n_dst; i++) {
        sm->warps[in->warp].ready[s->dst[i]] = sm_low_half(ready);
        if (c->n_banks)
            take_bank(c, bank_of(c, s->dst[i], in), done * c->ports);
    }
    sm->stats.reg_writes += s->n_dst;
    return done;
}

/* ---- memory ---- */

/* There are places for as many as two registers and the collectors hold. */
static void set_open(struct sm *sm, uint32_t group)
{
    const struct group *g = &((const struct computed *)sm->pipe)->groups[group];
    const struct unit_state *u = &g->units[UNIT_MEM];
    bool has_room = g->n_memory < 2 + sm->gpu->cfg.sm->memory_collectors;
    sm->open_at[group][UNIT_MEM] = has_room ? u->entry[u->at_entry] : NEVER;
}

static void issue_memory(struct sm *sm, const struct issued *in, uint64_t now)
{
    struct computed *c = sm->pipe;
    delay_push(&c->memory, collect(sm, in, UNIT_MEM, now), in->op);
    c->groups[in->group].n_memory++;
    set_open(sm, in->group);
    sm->memory_at = delay_next(&c->memory);
}

static uint32_t top_memory(const struct sm *sm)
{
    return delay_top(&((const struct computed *)sm->pipe)->memory);
}

static void pop_memory(struct sm *sm, uint64_t now)
{
    struct computed *c = sm->pipe;
    (void)now;
    uint32_t group = sm->ops[delay_pop(&c->memory)].group;
    c->groups[group].n_memory--;
    set_open(sm, group);
    sm->memory_at = delay_next(&c->memory);
}

const struct pipeline pipeline_computed = {
    .name = "computed",
    .meaning = "worked out at issue from when registers, collectors and units become free",
    .rules = {.wide_lanes_meet = true,
              .shared_atomics_take_turns = true,
              .constants_word_by_word = true,
              .bypass_answers = 8},
    .init = init,
    .issue = issue,
    .issue_memory = issue_memory,
    .top_memory = top_memory,
    .pop_memory = pop_memory,
};
