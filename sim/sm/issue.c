/* SPDX-License-Identifier: MIT
 *
 * Fetch, issue and execution. Nothing is moved through pipeline registers cycle by cycle: when an
 * instruction issues, the times at which it gets a collector, its operands, its unit and its result
 * are worked out from when those become free, which is what a pipeline without overtaking does.
 *
 * issue at t; entry register until a collector is free, at a >= t + 1; operands are read from the
 * register banks, one per bank and step; d: all are there and the register to the unit is free;
 * s >= d + 1: the unit takes it; the result can be used from s + latency + 2 on. */
#include "base/bits.h"
#include "sim/sm/collect.h"
#include "sim/sm/port.h"
#include "sim/sm/sm.h"

/* ---- operands ---- */

static void rebase_banks(struct sm *sm, uint64_t step)
{
    uint64_t ahead = step - sm->bank_time;
    if (ahead < 16)
        return;
    for (uint32_t b = 0; b < sm->gpu->cfg.sm->register_banks; b++)
        sm->bank_busy[b] = ahead < 64 ? sm->bank_busy[b] >> ahead : 0;
    sm->bank_time = step;
}

static uint32_t bank_of(const struct sm *sm, uint32_t reg, uint32_t warp, uint32_t sched)
{
    const struct sm_params *p = sm->gpu->cfg.sm;
    uint32_t n = sm->common->banks_each; /* of the SM, or of a sub-core */
    uint32_t b = sm->common->bank_mask ? (reg + warp) & sm->common->bank_mask : (reg + warp) % n;
    return p->sub_cores ? b + sched * n : b;
}

/* Takes the first free step of a bank at or after `step`. */
static uint64_t take_bank(struct sm *sm, uint32_t bank, uint64_t step)
{
    uint64_t at = step - sm->bank_time;
    if (at >= 64)
        return step;
    uint64_t open = ~(sm->bank_busy[bank] >> at) & (UINT64_MAX >> at);
    if (!open)
        return sm->bank_time + 64;
    uint32_t wait = bits_lowest(open);
    sm->bank_busy[bank] |= (uint64_t)1 << (at + wait);
    return step + wait;
}

/* The step behind the last operand read of an instruction whose collector was taken at `step`. */
static uint64_t read_operands(struct sm *sm, const struct trace_static *s, uint32_t warp,
                              uint32_t sched, uint64_t step)
{
    if (!s->n_src)
        return step + 1;
    sm->stats.reg_reads += s->n_src;
    if (!sm->gpu->cfg.sm->register_banks)
        return step + 2;
    uint64_t last = step + 1;
    for (uint32_t i = 0; i < s->n_src; i++) {
        bool is_repeated = false;
        for (uint32_t j = 0; j < i; j++)
            is_repeated |= s->src[j] == s->src[i];
        if (is_repeated)
            continue;
        uint64_t t = take_bank(sm, bank_of(sm, s->src[i], warp, sched), step + 1);
        if (t > last)
            last = t;
    }
    return last + 1;
}

/* ---- units ---- */

static bool unit_is_open(const struct sm *sm, uint32_t group, uint32_t unit, uint64_t now)
{
    if (sm->collect)
        return (sm->open_units[group] >> unit & 1) && (unit != UNIT_MEM || sm->n_ops < SM_OPS);
    const struct unit_state *u = &sm->units[group][unit];
    if (u->entry[u->at_entry] > now)
        return false;
    if (unit != UNIT_MEM)
        return true;
    uint32_t room = 2 + sm->gpu->cfg.sm->memory_collectors;
    return sm->mem_waiting[group] < room && sm->n_ops < SM_OPS;
}

static uint64_t *free_collector(struct sm *sm, uint32_t group, uint32_t unit)
{
    const struct sm_params *p = sm->gpu->cfg.sm;
    uint32_t n = unit == UNIT_MEM ? p->memory_collectors : p->collectors;
    uint64_t *c = sm->collectors[group][unit];
    if (p->sub_cores) { /* shared by the units of a sub-core */
        n = sm->common->collectors_each;
        c = sm->collectors[group][0];
    }
    uint64_t *best = c;
    for (uint32_t i = 1; i < n; i++)
        if (c[i] < *best)
            best = &c[i];
    return best;
}

/* Sends an instruction down; returns the cycle from which its unit could take it. */
static uint64_t collect(struct sm *sm, uint32_t group, uint32_t unit, const struct trace_static *s,
                        uint32_t warp, uint32_t sched, uint64_t now)
{
    uint32_t ports = sm->gpu->cfg.sm->register_ports;
    struct unit_state *u = &sm->units[group][unit];
    uint64_t *collector = free_collector(sm, group, unit);
    uint64_t a = *collector > now + 1 ? *collector : now + 1;
    u->entry[u->at_entry] = a;
    u->at_entry = (uint8_t)(u->at_entry + 1 == u->n_entry ? 0 : u->at_entry + 1);
    rebase_banks(sm, now * ports);
    uint64_t d = ports == 1 ? read_operands(sm, s, warp, sched, a)
                            : read_operands(sm, s, warp, sched, a * ports) / ports;
    if (unit != UNIT_MEM && u->exit[u->at_exit] > d)
        d = u->exit[u->at_exit];
    *collector = d;
    return d + 1;
}

/* Runs it on a unit; returns the cycle from which its result can be used. */
static uint64_t execute(struct sm *sm, uint32_t group, const struct unit_class *c,
                        const struct trace_static *s, uint32_t warp, uint32_t sched, uint64_t now)
{
    struct unit_state *u = &sm->units[group][c->unit];
    uint64_t start = collect(sm, group, c->unit, s, warp, sched, now);
    uint64_t *busy = &u->busy[0];
    for (uint32_t i = 1; i < u->n_busy; i++)
        if (u->busy[i] < *busy)
            busy = &u->busy[i];
    if (*busy > start)
        start = *busy;
    *busy = start + c->interval;
    u->exit[u->at_exit] = start;
    u->at_exit = (uint8_t)(u->at_exit + 1 == u->n_exit ? 0 : u->at_exit + 1);
    uint64_t done = start + c->latency + 2;
    uint32_t ports = sm->gpu->cfg.sm->register_ports;
    for (uint32_t i = 0; i < s->n_dst; i++) {
        sm->warps[warp].ready[s->dst[i]] = sm_low_half(done);
        if (sm->gpu->cfg.sm->register_banks)
            take_bank(sm, bank_of(sm, s->dst[i], warp, sched), done * ports);
    }
    sm->stats.reg_writes += s->n_dst;
    return done;
}

/* ---- the next instruction of a warp ---- */

static inline void wait_for(uint32_t ready, uint64_t now, int32_t *wait, uint32_t *last)
{
    int32_t ahead = (int32_t)(ready - (uint32_t)now);
    *last = ready > *last ? ready : *last;
    *wait = ahead > *wait ? ahead : *wait;
}

/* Some loads may be no more than an integer operation. */
static inline uint8_t class_of(const struct gpu *g, const struct trace_static *s)
{
    if (s->space < TS_CONST || s->cls != TC_LOAD)
        return s->cls;
    bool is_int = s->space == TS_TEXTURE ? g->cfg.compat->texture_loads_are_int
                                         : g->cfg.compat->constant_loads_are_int;
    return is_int ? TC_INT : TC_LOAD;
}

void sm_next(struct sm *sm, uint32_t w, uint64_t now)
{
    const struct warp *warp = &sm->warps[w];
    const struct trace_static *s = &warp->statics[warp->insts[warp->at].stat];
    uint64_t bit = (uint64_t)1 << w;
    int32_t wait = 0;  /* cycles from now */
    uint32_t last = 0; /* LOAD_OUT and UNIT_OUT are the greatest */
    for (uint32_t i = 0; i < s->n_src; i++)
        wait_for(warp->ready[s->src[i]], now, &wait, &last);
    for (uint32_t i = 0; i < s->n_dst; i++)
        wait_for(warp->ready[s->dst[i]], now, &wait, &last);
    sm->by_unit[sm->common->classes[class_of(sm->gpu, s)].unit] |= bit;
    if (s->cls == TC_STORE || s->cls == TC_ATOMIC || s->cls == TC_REDUCE)
        sm->next_store |= bit;
    if (s->space == TS_GLOBAL || s->space == TS_LOCAL)
        sm->next_global |= bit;
    if (last == LOAD_OUT)
        sm->blocked |= bit;
    else if (last == UNIT_OUT)
        sm->unsure |= bit;
    else if (wait == 0)
        sm->ready |= bit;
    else
        sm_wake_at(sm, w, now + (uint32_t)wait, now);
}

/* What a warp does after an instruction: goes on, waits for more instructions, or ends. */
static void go_on(struct sm *sm, uint32_t w, uint64_t drained, uint64_t now)
{
    struct warp *warp = &sm->warps[w];
    uint64_t bit = (uint64_t)1 << w;
    if (warp->at == warp->n) {
        sm->exiting |= bit;
        if (warp->n_flights)
            warp->wake_at = NEVER - 1; /* the last of them says when */
        else
            sm_wake_at(sm, w, drained > now ? drained : now + 1, now);
    } else if (warp->ibuffer == 0) {
        sm->need_fetch |= bit;
    } else {
        sm_next(sm, w, now);
    }
}

static const uint8_t is_memory[TC_COUNT] = {
    [TC_LOAD] = 1, [TC_STORE] = 1, [TC_ATOMIC] = 1, [TC_REDUCE] = 1};

/* A warp that waits has its next instructions fetched meanwhile. */
static void fetch_ahead(struct sm *sm, uint32_t w)
{
    if (sm->collect && sm->warps[w].ibuffer == 0)
        sm->need_fetch |= (uint64_t)1 << w;
}

/* Issues the next instruction of warp `w`, which is ready and whose unit is open. */
static uint32_t issue_one(struct sm *sm, uint32_t sched, uint32_t group, uint32_t w, uint64_t now)
{
    struct gpu *g = sm->gpu;
    struct warp *warp = &sm->warps[w];
    const struct trace_inst *inst = &warp->insts[warp->at];
    const struct trace_static *s = &warp->statics[inst->stat];
    uint8_t cls = class_of(g, s);
    const struct unit_class *c = &sm->common->classes[cls];
    uint64_t bit = (uint64_t)1 << w;
    uint32_t lanes = inst->mask == UINT32_MAX ? TRACE_LANES : bits_count(inst->mask);

    sm->ready &= ~bit;
    sm->by_unit[c->unit] &= ~bit;
    sm->next_store &= ~bit;
    sm->next_global &= ~bit;
    warp->at++;
    if (warp->ibuffer != 255)
        warp->ibuffer--;
    sm->stats.warp_insts++;
    g->n_warp_insts++;
    sm->stats.thread_insts += lanes;
    sm->stats.by_class[s->cls]++;
    sm->stats.thread_by_class[s->cls] += lanes;
    sm->scheds[sched].last = (uint8_t)w;

    if (is_memory[cls]) {
        uint32_t op = sm_op_new(sm, w, inst, s);
        for (uint32_t i = 0; i < s->n_dst; i++)
            warp->ready[s->dst[i]] = LOAD_OUT;
        sm->ops[op].group = (uint8_t)group;
        if (s->space == TS_GLOBAL || s->space == TS_LOCAL)
            sm->stats.global_lanes += inst->n_addresses;
        if (sm->collect) {
            collect_add(sm, group, cls, s, w, sched, op);
        } else {
            delay_push(&sm->mem_queue, collect(sm, group, UNIT_MEM, s, w, sched, now), op);
            sm->mem_waiting[group]++;
        }
        if (sm->common->coalescer->issued && inst->n_addresses &&
            (s->space == TS_GLOBAL || s->space == TS_LOCAL))
            sm->common->coalescer->issued(sm->coalescer, op);
        bool is_waiting = s->cls == TC_ATOMIC && s->space != TS_SHARED;
        if (g->cfg.compat->atomics_stall_warp)
            is_waiting = s->cls == TC_ATOMIC || s->cls == TC_REDUCE;
        if (is_waiting && inst->mask && warp->at < warp->n) {
            warp->n_atomics++;
            sm->at_atomic |= bit; /* the warp waits for its atomics */
            fetch_ahead(sm, w);
            return c->unit;
        }
        go_on(sm, w, now + 1, now);
        return c->unit;
    }
    uint64_t done = NEVER - 1; /* not known */
    if (sm->collect) {
        for (uint32_t i = 0; i < s->n_dst; i++)
            warp->ready[s->dst[i]] = UNIT_OUT;
        collect_add(sm, group, cls, s, w, sched, OP_NONE);
    } else {
        done = execute(sm, group, c, s, w, sched, now);
    }
    if (s->cls == TC_BARRIER && warp->at < warp->n) {
        fetch_ahead(sm, w);
        sm_reach_barrier(sm, w, now);
    } else if (s->cls == TC_FENCE && warp->at < warp->n && !sm_is_fenced(sm, w)) {
        sm->at_fence |= bit;
        fetch_ahead(sm, w);
    } else
        go_on(sm, w, done, now);
    return c->unit;
}

/* Candidates whose unit can take one; the most common units first. */
static inline uint64_t open_only(struct sm *sm, uint32_t group, uint64_t ready, uint64_t now)
{
    static const uint8_t order[UNITS] = {UNIT_FP32, UNIT_MEM,    UNIT_INT, UNIT_BRANCH,
                                         UNIT_SFU,  UNIT_TENSOR, UNIT_FP64};
    uint64_t left = ready;
    for (uint32_t i = 0; left; i++) {
        uint64_t mine = left & sm->by_unit[order[i]];
        left &= ~mine;
        if (mine && !unit_is_open(sm, group, order[i], now))
            ready &= ~mine;
    }
    return ready;
}

void sm_issue(struct sm *sm, uint64_t now)
{
    const struct sm_params *p = sm->gpu->cfg.sm;
    uint64_t round = sm->collect ? sm->stats.active_cycles - 1 : now;
    uint32_t turn = p->schedulers & (p->schedulers - 1) /* who is first to fill what they share */
                        ? (uint32_t)(round % p->schedulers)
                        : (uint32_t)round & (p->schedulers - 1);
    for (uint32_t k = 0; k < p->schedulers; k++) {
        uint32_t s = turn + k < p->schedulers ? turn + k : turn + k - p->schedulers;
        uint64_t ready = sm->ready & sm->scheds[s].mine & sm->allowed;
        uint64_t gated = ready & sm_gated(sm);
        ready &= ~gated;
        uint32_t group = p->sub_cores ? s : 0;
        if (ready)
            ready = open_only(sm, group, ready, now);
        if (!ready) {
            if (gated)
                *((gated & sm->gate_full) ? &sm->stats.gate_full_cycles
                                          : &sm->stats.gate_order_cycles) += 1;
            uint64_t live = sm->live & sm->scheds[s].mine;
            enum stall why = !live                                                   ? STALL_EMPTY
                             : (sm->ready & live)                                    ? STALL_UNIT
                             : ((sm->blocked | sm->at_fence | sm->at_atomic) & live) ? STALL_MEMORY
                             : ((sm->need_fetch | sm->missing) & live)               ? STALL_FETCH
                             : (sm->at_barrier & live)                               ? STALL_BARRIER
                             : (live & ~sm->exiting) ? STALL_DEPENDENCE
                                                     : STALL_MEMORY;
            sm->stats.stalls[why]++;
            continue;
        }
        uint64_t waiting = sm->blocked | sm->at_atomic | sm->at_fence;
        uint32_t w = sm->common->warp_sched->pick(&sm->scheds[s], ready, waiting, sm->age);
        uint32_t used = issue_one(sm, s, group, w, now);
        sm->stats.issued_cycles++;
        sm->gpu->moved_at = now;
        for (uint32_t j = 1; j < p->issue_per_scheduler; j++) { /* dual issue: another unit */
            uint64_t bit = (uint64_t)1 << w;
            if (!(sm->ready & bit & ~sm_gated(sm)) || (sm->by_unit[used] & bit) ||
                !open_only(sm, group, bit, now))
                break;
            used = issue_one(sm, s, group, w, now);
        }
    }
}

/* ---- fetch ---- */

static void decode(struct sm *sm, uint32_t w, uint64_t now)
{
    struct warp *warp = &sm->warps[w];
    uint32_t left = warp->n - warp->at;
    warp->ibuffer = (uint8_t)(left < 2 ? left : 2);
    if (!((sm->at_barrier | sm->at_fence | sm->at_atomic) >> w & 1))
        sm_next(sm, w, now);
}

static void send_fetch(struct sm *sm, uint64_t line, uint64_t now)
{
    struct gpu *g = sm->gpu;
    uint32_t i = req_new(&g->pool);
    struct request *r = req_at(&g->pool, i);
    r->address = line << sm->icache.tags.line_bits;
    r->kind = REQ_INST;
    r->space = TS_NONE;
    r->bytes = (uint16_t)(1u << sm->icache.tags.line_bits);
    r->sm = (uint16_t)sm->id;
    r->sectors = 0xff;
    r->born = now;
    sm->stats.requests++;
    ring_push(&sm->fetch_misses, i);
}

/* Looks a warp's next instruction up. True: it is there. */
static bool look_up(struct sm *sm, uint32_t w, uint64_t now)
{
    struct ro_cache *c = &sm->icache;
    const struct warp *warp = &sm->warps[w];
    uint64_t bit = (uint64_t)1 << w;
    sm->stats.fetches++;
    if (c->is_perfect) {
        sm->need_fetch &= ~bit;
        return true;
    }
    uint64_t pc = warp->statics[warp->insts[warp->at].stat].pc;
    if (sm->collect && warp->at) /* branches do not redirect the fetch of what is next */
        pc = warp->statics[warp->insts[warp->at - 1].stat].pc + 16;
    uint64_t line = (warp->code + pc) >> c->tags.line_bits;
    uint32_t slot;
    c->accesses++;
    enum tags_result r = tags_probe(&c->tags, line, 1, false, &slot);
    if (r == TAGS_HIT) {
        tags_touch(&c->tags, slot);
        sm->need_fetch &= ~bit;
        return true;
    }
    uint32_t e = mshr_find(&c->mshr, line);
    if (e != MSHR_NONE) {
        if (!mshr_can_merge(&c->mshr, e))
            return false;
        mshr_merge(&c->mshr, e, w);
        c->pending_hits++;
    } else {
        uint64_t victim;
        if (!mshr_has_room(&c->mshr) || r == TAGS_NO_WAY || sm->fetch_misses.n >= 4)
            return false;
        tags_allocate(&c->tags, slot, line, &victim);
        tags_reserve(&c->tags, slot, 1);
        mshr_add(&c->mshr, line, w);
        c->misses++;
        sm->stats.fetch_misses++;
        send_fetch(sm, line, now);
    }
    sm->need_fetch &= ~bit;
    sm->missing |= bit;
    return false;
}

void sm_fill_icache(struct sm *sm, uint32_t req, uint64_t now)
{
    (void)now;
    req = req_join(&sm->gpu->pool, req);
    if (req == REQ_NONE)
        return;
    uint64_t line = req_at(&sm->gpu->pool, req)->address >> sm->icache.tags.line_bits;
    tags_fill(&sm->icache.tags, line, 1);
    mshr_fill(&sm->icache.mshr, line);
    sm->stats.answers++;
    req_free(&sm->gpu->pool, req);
}

/* Warps that have nothing left to do end when the search for one to fetch for comes past them. */
static void end_warps(struct sm *sm, uint32_t from, uint32_t to, uint64_t now)
{
    for (uint32_t k = 0; k < SM_MAX_WARPS && sm->drained; k++) {
        uint32_t w = (from + k) % SM_MAX_WARPS;
        if (sm->drained >> w & 1) {
            sm->drained &= ~((uint64_t)1 << w);
            sm_finish_warp(sm, w, now);
        }
        if (w == to)
            break;
    }
}

void sm_fetch(struct sm *sm, uint64_t now)
{
    uint32_t n = sm->gpu->cfg.sm->fetches;
    for (uint32_t i = 0; i < n; i++) {
        if (sm->fetched >= 0) {
            decode(sm, (uint32_t)sm->fetched, now);
            sm->fetched = -1;
        }
        if (sm->missing && mshr_is_ready(&sm->icache.mshr)) {
            uint32_t w = mshr_take(&sm->icache.mshr);
            sm->missing &= ~((uint64_t)1 << w);
            sm->fetched = (int32_t)w;
        } else if (sm->need_fetch) {
            uint32_t w = warp_after(sm->need_fetch, sm->last_fetched);
            if (sm->drained)
                end_warps(sm, sm->last_fetched + 1, w, now);
            sm->last_fetched = w;
            if (look_up(sm, w, now))
                sm->fetched = (int32_t)w;
        } else {
            if (sm->drained)
                end_warps(sm, sm->last_fetched + 1, SM_MAX_WARPS, now);
            if (sm->fetched < 0)
                break;
        }
    }
    if (sm->fetch_misses.n && cluster_can_send(sm->gpu, sm->id, ring_top(&sm->fetch_misses)))
        cluster_send(sm->gpu, sm->id, ring_pop(&sm->fetch_misses), now);
}
