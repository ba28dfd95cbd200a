/* SPDX-License-Identifier: MIT
 *
 * Fetch and issue. What becomes of an issued instruction is the pipeline's (sim/sm/pipeline.h). */
#include "base/bits.h"
#include "sim/sm/pipeline.h"
#include "sim/sm/port.h"

/* ---- the next instruction of a warp ---- */

static inline void wait_for(uint32_t ready, uint64_t now, int32_t *wait, uint32_t *last)
{
    int32_t ahead = (int32_t)(ready - (uint32_t)now);
    *last = ready > *last ? ready : *last;
    *wait = ahead > *wait ? ahead : *wait;
}

/* Predicates that an instruction goes by take longer than those that it computes with. */
static void wait_for_guards(const struct sm *sm, const struct warp *warp,
                            const struct trace_static *s, uint64_t now, int32_t *wait)
{
    uint32_t last = 0;
    for (uint32_t i = 0; i < s->n_src; i++) {
        uint32_t ready = warp->ready[s->src[i]];
        if (s->src[i] >= TRACE_FIRST_PREDICATE && ready < UNIT_OUT)
            wait_for(sm_low_half(ready + (uint64_t)sm->common->guard_cycles), now, wait, &last);
    }
}

/* Some loads may be no more than an integer operation. */
static inline uint8_t class_of(const struct gpu *g, const struct trace_static *s)
{
    if (s->space == TS_NONE && s->access_bytes && s->cls != TC_TENSOR) {
        uint8_t c = g->sm_common->rate_class[s->access_bytes];
        return c == CLASS_AS_TRACED ? s->cls : c;
    }
    if (s->space < TS_CONST || s->cls != TC_LOAD)
        return s->cls;
    if (s->space == TS_TEXTURE && g->cfg.sm->texture_units)
        return CLASS_TEXTURE;
    bool is_int = s->space == TS_TEXTURE ? g->cfg.compat->texture_loads_are_int
                                         : g->cfg.compat->constant_loads_are_int;
    return is_int ? TC_INT : TC_LOAD;
}

void sm_next(struct sm *sm, uint32_t w, uint64_t now)
{
    const struct warp *warp = &sm->warps[w];
    const struct trace_static *s = &warp->statics[warp->insts[warp->at].stat];
    uint64_t bit = (uint64_t)1 << w;
    /* cycles from now */
    int32_t wait = warp->held_until > now ? (int32_t)(warp->held_until - now) : 0;
    uint32_t last = 0; /* LOAD_OUT and UNIT_OUT are the greatest */
    for (uint32_t i = 0; i < s->n_src; i++)
        wait_for(warp->ready[s->src[i]], now, &wait, &last);
    for (uint32_t i = 0; i < s->n_dst; i++)
        wait_for(warp->ready[s->dst[i]], now, &wait, &last);
    if (s->flags & TF_GUARDED && sm->common->guard_cycles)
        wait_for_guards(sm, warp, s, now, &wait);
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

static const uint8_t is_memory[CLASSES] = {
    [TC_LOAD] = 1, [TC_STORE] = 1, [TC_ATOMIC] = 1, [TC_REDUCE] = 1, [TC_PREFETCH] = 1};

/* A warp that waits has its next instructions fetched meanwhile. */
static void fetch_ahead(struct sm *sm, uint32_t w)
{
    if (sm->common->rules.fetches_ahead && sm->warps[w].ibuffer == 0)
        sm->need_fetch |= (uint64_t)1 << w;
}

static void issue_memory(struct sm *sm, const struct trace_inst *inst, struct issued *in,
                         uint64_t now)
{
    const struct trace_static *s = in->stat;
    struct warp *warp = &sm->warps[in->warp];
    bool is_global = s->space == TS_GLOBAL || s->space == TS_LOCAL;
    in->op = sm_op_new(sm, in->warp, inst, s);
    sm->ops[in->op].group = in->group;
    for (uint32_t i = 0; i < s->n_dst; i++)
        warp->ready[s->dst[i]] = LOAD_OUT;
    if (is_global)
        sm->stats.global_lanes += inst->n_addresses;
    sm->common->pipeline->issue_memory(sm, in, now);
    if (sm->common->coalescer->issued && inst->n_addresses && is_global)
        sm->common->coalescer->issued(sm->coalescer, in->op);
    bool is_waiting = s->cls == TC_ATOMIC && s->space != TS_SHARED;
    if (sm->gpu->cfg.compat->atomics_stall_warp)
        is_waiting = s->cls == TC_ATOMIC || s->cls == TC_REDUCE;
    if (is_waiting && inst->mask && warp->at < warp->n) {
        warp->n_atomics++;
        sm->at_atomic |= (uint64_t)1 << in->warp; /* the warp waits for its atomics */
        fetch_ahead(sm, in->warp);
    } else {
        go_on(sm, in->warp, now + 1, now);
    }
}

static void issue_other(struct sm *sm, const struct issued *in, uint64_t now)
{
    const struct warp *warp = &sm->warps[in->warp];
    uint64_t done = sm->common->pipeline->issue(sm, in, now);
    if (in->stat->cls == TC_BARRIER && warp->at < warp->n) {
        fetch_ahead(sm, in->warp);
        if (in->stat->flags & TF_GRID)
            sm_reach_grid_barrier(sm, in->warp, now);
        else
            sm_reach_barrier(sm, in->warp, now);
    } else if (in->stat->cls == TC_FENCE && warp->at < warp->n && !sm_is_fenced(sm, in->warp)) {
        sm->at_fence |= (uint64_t)1 << in->warp;
        fetch_ahead(sm, in->warp);
    } else {
        if (in->stat->cls == TC_BRANCH)
            sm->warps[in->warp].held_until = now + sm->gpu->cfg.sm->jump_cycles;
        go_on(sm, in->warp, done, now);
    }
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
    if (s->cls == TC_TENSOR)
        sm->stats.tensor_steps += (uint64_t)lanes * (s->access_bytes ? s->access_bytes : 1);
    sm->scheds[sched].last = (uint8_t)w;

    struct issued in = {.stat = s,
                        .op = OP_NONE,
                        .cls = cls,
                        .group = (uint8_t)group,
                        .sched = (uint8_t)sched,
                        .warp = (uint8_t)w};
    if (is_memory[cls])
        issue_memory(sm, inst, &in, now);
    else
        issue_other(sm, &in, now);
    return c->unit;
}

/* Candidates whose unit can take one; the most common units first. */
static inline uint64_t open_only(struct sm *sm, uint32_t group, uint64_t ready, uint64_t now)
{
    static const uint8_t order[UNITS] = {UNIT_FP32,   UNIT_MEM,     UNIT_INT,
                                         UNIT_BRANCH, UNIT_SFU,     UNIT_TENSOR,
                                         UNIT_FP64,   UNIT_UNIFORM, UNIT_TEXTURE};
    if (sm->n_ops == SM_OPS)
        ready &= ~sm->by_unit[UNIT_MEM];
    uint64_t left = ready;
    for (uint32_t i = 0; left; i++) {
        uint64_t mine = left & sm->by_unit[order[i]];
        left &= ~mine;
        if (mine && sm->open_at[group][order[i]] > now)
            ready &= ~mine;
    }
    return ready;
}

void sm_issue(struct sm *sm, uint64_t now)
{
    const struct sm_params *p = sm->gpu->cfg.sm;
    uint64_t round = sm->common->rules.turns_while_active ? sm->stats.active_cycles - 1 : now;
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
            sm_stalled(sm, sm->scheds[s].mine, gated, 1);
            continue;
        }
        uint64_t waiting = sm->blocked | sm->at_atomic | sm->at_fence;
        uint32_t w = sm->common->warp_sched->pick(&sm->scheds[s], ready, waiting, sm->age);
        uint32_t used = issue_one(sm, s, group, w, now);
        sm->stats.issued_cycles++;
        sm->gpu->moved_at = sm->gpu->retired_at = now;
        for (uint32_t j = 1; j < p->issue_per_scheduler; j++) { /* dual issue: another unit */
            uint64_t bit = (uint64_t)1 << w;
            if (!(sm->ready & bit & ~sm_gated(sm)) ||
                ((sm->by_unit[used] & bit) && !p->issue_same_unit) ||
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
    struct request r = {.address = line << sm->icache.tags.line_bits,
                        .kind = REQ_INST,
                        .space = TS_NONE,
                        .bytes = (uint16_t)(1u << sm->icache.tags.line_bits),
                        .sectors = 0xff,
                        .sm = (uint16_t)sm->id,
                        .born = now};
    sm->stats.requests++;
    ring_push(&sm->fetch_misses, req_new(&sm->gpu->pool, r));
}

/* Looks a warp's next instruction up. True: it is there. */
static bool look_up(struct sm *sm, uint32_t w, uint64_t now)
{
    struct ro_cache *c = &sm->icache;
    const struct warp *warp = &sm->warps[w];
    uint64_t bit = (uint64_t)1 << w;
    sm->stats.fetches++;
    bool is_drawn = sm->gpu->cfg.llc->hash == LLC_HASH_random;
    if (c->is_perfect && !is_drawn) {
        sm->need_fetch &= ~bit;
        return true;
    }
    uint64_t pc = warp->statics[warp->insts[warp->at].stat].pc;
    if (sm->common->rules.fetches_straight_on && warp->at)
        pc = warp->statics[warp->insts[warp->at - 1].stat].pc + 16;
    if (is_drawn)
        cluster_touch(sm->gpu, warp->code + pc);
    if (c->is_perfect) {
        sm->need_fetch &= ~bit;
        return true;
    }
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
