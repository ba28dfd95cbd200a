/* SPDX-License-Identifier: MIT
 *
 * The load/store unit of an SM: memory instructions in flight, shared memory, constants, textures,
 * and the one register through which results enter the register file. Global and local accesses are
 * the coalescer's (sim/sm/coalescer.h) and the L1's (sim/sm/l1.c). */
#include <assert.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/bits.h"
#include "sim/sm/l1.h"
#include "sim/sm/lsu.h"
#include "sim/sm/pipeline.h"

void lsu_init(struct sm *sm, struct arena *mem)
{
    struct bounds *bounds = &sm->gpu->bounds;
    sm->ops = arena_many(mem, struct op, SM_OPS);
    for (uint32_t i = 0; i < SM_OPS; i++)
        sm->ops[i].next = i + 1 < SM_OPS ? i + 1 : OP_NONE;
    sm->held_op = OP_NONE;
    delay_ring_init(&sm->results, "the queue of constants that are due", SM_OPS * 4, bounds, mem);
    delay_ring_init(&sm->hits, "the hit queue of an L1", SM_OPS * 4, bounds, mem);
    delay_ring_init(&sm->shared_ops, "the queue of shared memory accesses", SM_OPS, bounds, mem);
    delay_ring_init(&sm->texture_ops, "the queue of textures that are due", SM_OPS * 4, bounds,
                    mem);
    ring_init(&sm->bypassed, "the queue of answers past an L1", 4096, bounds, mem);
    sm->coalescer = sm->common->coalescer->make(sm->gpu->cfg.coalescer, sm, mem);
    sm->coalescer_at = NEVER;
}

/* ---- instructions in flight ---- */

uint32_t sm_op_new(struct sm *sm, uint32_t warp, const struct trace_inst *inst,
                   const struct trace_static *stat)
{
    uint32_t i = sm->free_op;
    assert(i != OP_NONE); /* sm_issue looks first */
    struct op *o = &sm->ops[i];
    sm->free_op = o->next;
    sm->n_ops++;
    *o = (struct op){.inst = inst, .stat = stat, .warp = (uint8_t)warp};
    sm->warps[warp].n_loads++;
    sm->warps[warp].n_results += stat->n_dst != 0;
    return i;
}

bool sm_is_fenced(struct sm *sm, uint32_t w)
{
    const struct warp *warp = &sm->warps[w];
    if (!sm->gpu->cfg.sm->fence_flushes_l1)
        return !warp->n_loads && !warp->n_stores;
    if (warp->n_results)
        return false;
    tags_clear(&sm->l1);
    return true;
}

/* A warp waited for something that came: it goes on, or ends. */
static void wake_warp(struct sm *sm, uint32_t w, uint64_t now)
{
    struct warp *warp = &sm->warps[w];
    uint64_t bit = (uint64_t)1 << w;
    if (sm->blocked & bit) {
        sm->blocked &= ~bit;
        sm_next(sm, w, now);
    } else if (((sm->at_fence & bit) && sm_is_fenced(sm, w)) ||
               ((sm->at_atomic & bit) && !warp->n_atomics)) {
        sm->at_fence &= ~bit;
        sm->at_atomic &= ~bit;
        if (warp->ibuffer)
            sm_next(sm, w, now);
        else if (!sm->common->rules.fetches_ahead)
            sm->need_fetch |= bit;
    } else if ((sm->exiting & bit) && warp->wake_at == NEVER && !warp->n_loads && !warp->n_stores &&
               !warp->n_atomics) {
        sm_drained(sm, w, now);
    }
}

static bool is_atomic(const struct op *o)
{
    return o->stat->cls == TC_ATOMIC || o->stat->cls == TC_REDUCE;
}

static void finish_op(struct sm *sm, uint32_t i, uint64_t now)
{
    struct op *o = &sm->ops[i];
    struct warp *warp = &sm->warps[o->warp];
    for (uint32_t k = 0; k < o->stat->n_dst; k++)
        if (warp->ready[o->stat->dst[k]] == LOAD_OUT)
            warp->ready[o->stat->dst[k]] = sm_low_half(now);
    sm->stats.reg_writes += o->stat->n_dst;
    sm->gpu->retired_at = now;
    warp->n_loads--;
    warp->n_results -= o->stat->n_dst != 0;
    if (is_atomic(o) && !o->is_counted && warp->n_atomics)
        warp->n_atomics--;
    uint32_t w = o->warp;
    o->next = sm->free_op;
    sm->free_op = i;
    sm->n_ops--;
    wake_warp(sm, w, now);
}

void sm_op_part_done(struct sm *sm, uint32_t op, uint64_t now)
{
    struct op *o = &sm->ops[op];
    if (--o->pending == 0 && o->is_expanded)
        finish_op(sm, op, now);
}

void sm_op_expanded(struct sm *sm, uint32_t op, uint64_t now)
{
    struct op *o = &sm->ops[op];
    o->is_expanded = true;
    if (o->pending == 0)
        finish_op(sm, op, now);
}

void sm_store_acked(struct sm *sm, uint32_t w, uint64_t now)
{
    sm->gpu->retired_at = now;
    sm->warps[w].n_stores--;
    wake_warp(sm, w, now);
}

/* ---- shared memory ---- */

/* Adds up what groups of `lanes` lanes take one after the other: words of one bank come one by one,
 * lanes that want the same word are served together, unless each changes it. False: some group has
 * a conflict. */
static bool group_cycles(const struct sm *sm, const struct op *o, uint32_t lanes, uint32_t *cycles,
                         uint32_t *total_words)
{
    uint32_t banks = sm->gpu->cfg.sm->shared_banks, n = o->inst->n_addresses;
    const uint64_t *a = sm->warps[o->warp].addresses + o->inst->first_address;
    uint32_t parts = o->stat->access_bytes > 4 ? o->stat->access_bytes / 4 : 1;
    bool is_free = true, takes_turns = sm->common->rules.shared_atomics_take_turns && is_atomic(o);
    *cycles = *total_words = 0;
    for (uint32_t first = 0; first < n; first += lanes) {
        uint64_t words[TRACE_LANES * 4];
        uint8_t load[128] = {0};
        uint32_t n_words = 0, most = 1;
        for (uint32_t i = first; i < n && i < first + lanes; i++)
            for (uint32_t k = 0; k < parts; k++) {
                uint64_t word = a[i] / 4 + k;
                uint32_t j = 0;
                while (j < n_words && (takes_turns || words[j] != word))
                    j++;
                if (j < n_words)
                    continue;
                words[n_words++] = word;
                uint8_t l = ++load[word % banks];
                most = l > most ? l : most;
            }
        *cycles += most;
        *total_words += n_words;
        is_free = is_free && most == 1;
    }
    return is_free;
}

/* Cycles an access of the shared memory takes, and the words that the banks move. Accesses of 8 and
 * 16 bytes go in 2 and 4 parts, or in fewer that have no conflicts: a broadcast of 16 bytes is one
 * access, as cards count it (sgemm in docs/silicon-kernels.md). */
static uint32_t bank_cycles(const struct sm *sm, const struct op *o, uint32_t *total_words)
{
    uint32_t banks = sm->gpu->cfg.sm->shared_banks, n = o->inst->n_addresses;
    const uint64_t *a = sm->warps[o->warp].addresses + o->inst->first_address;
    uint32_t parts = o->stat->access_bytes > 4 ? o->stat->access_bytes / 4 : 1, cycles;
    uint64_t odd = 0; /* each lane the next word: no conflict, the common case */
    for (uint32_t i = 1; i < n; i++)
        odd |= (a[i] - a[i - 1]) ^ 4;
    *total_words = n;
    if (parts == 1 && !odd && banks >= TRACE_LANES)
        return 1;
    if (sm->common->rules.wide_lanes_meet)
        for (uint32_t p = 1; p < parts; p *= 2)
            if (group_cycles(sm, o, TRACE_LANES / p, &cycles, total_words))
                return cycles ? cycles : 1;
    group_cycles(sm, o, TRACE_LANES / parts, &cycles, total_words);
    return cycles ? cycles : 1;
}

uint32_t sm_word_turns(const struct sm *sm, const struct op *o)
{
    uint32_t words;
    if (!o->inst->n_addresses || (o->stat->flags & TF_PRIVATE))
        return 1;
    return bank_cycles(sm, o, &words);
}

/* ---- the unit itself ---- */

static struct ro_cache *side_cache(struct sm *sm, uint8_t space)
{
    return space == TS_TEXTURE ? &sm->tcache : &sm->ccache;
}

static bool is_global(uint8_t space)
{
    return space == TS_GLOBAL || space == TS_LOCAL;
}

/* Different words that lanes want. */
static uint32_t distinct_words(const uint64_t *a, uint32_t n)
{
    uint32_t words = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t j = 0;
        while (j < i && a[j] / 4 != a[i] / 4)
            j++;
        words += j == i;
    }
    return words;
}

static void take_held(struct sm *sm, uint32_t i, uint64_t now)
{
    struct op *o = &sm->ops[i];
    const struct warp *w = &sm->warps[o->warp];
    sm->held_op = i;
    sm->held_next = sm->held_n = 0;
    sm->held_until = now + 1;
    if (o->stat->space == TS_SHARED) {
        uint32_t words = 0;
        uint32_t n = o->inst->n_addresses ? bank_cycles(sm, o, &words) : 1;
        sm->stats.shared_insts += o->inst->n_addresses > 0; /* as profilers count them */
        sm->stats.shared_cycles += n;
        sm->stats.shared_accesses += o->inst->n_addresses;
        if (o->stat->cls != TC_STORE)
            sm->stats.shared_reads += words;
        if (o->stat->cls != TC_LOAD)
            sm->stats.shared_writes += words;
        sm->held_until = now + (uint64_t)n * sm->common->shared_interval;
    } else if (o->inst->n_addresses && !side_cache(sm, o->stat->space)->is_perfect) {
        uint32_t line = 1u << side_cache(sm, o->stat->space)->tags.line_bits;
        struct coalesce_rule rule = {
            .granule_bytes = line, .line_bytes = line, .piece_bytes = line};
        sm->held_n = coalesce_lanes(&rule, o->stat, o->inst, w->addresses, w->base, sm->held, NULL);
        o->pending = (uint16_t)sm->held_n;
    }
    if (o->stat->space == TS_CONST && o->inst->n_addresses > 1 &&
        sm->common->rules.constants_word_by_word)
        sm->held_until =
            now + distinct_words(w->addresses + o->inst->first_address, o->inst->n_addresses);
}

/* One line of a constant or texture access. False: no room, again next cycle. */
static bool look_up_side(struct sm *sm, uint32_t i, const struct access *a, uint64_t now)
{
    struct gpu *g = sm->gpu;
    struct op *o = &sm->ops[i];
    struct ro_cache *c = side_cache(sm, o->stat->space);
    bool is_texture = o->stat->space == TS_TEXTURE;
    uint64_t line = a->address >> c->tags.line_bits, victim;
    uint32_t slot;
    enum tags_result r = tags_probe(&c->tags, line, 1, false, &slot);
    if (r == TAGS_HIT) {
        c->accesses++;
        tags_touch(&c->tags, slot);
        delay_push(is_texture ? &sm->texture_ops : &sm->results,
                   now + (is_texture ? g->cfg.sm->texture_cycles : g->cfg.sm->const_cycles), i);
        return true;
    }
    uint32_t e = mshr_find(&c->mshr, line);
    if (e != MSHR_NONE) {
        if (!mshr_can_merge(&c->mshr, e))
            return false;
        mshr_merge(&c->mshr, e, i);
        sm->n_side++;
        c->accesses++;
        c->pending_hits++;
        return true;
    }
    if (!mshr_has_room(&c->mshr) || r == TAGS_NO_WAY || ring_full(&sm->misses))
        return false;
    c->accesses++;
    c->misses++;
    tags_allocate(&c->tags, slot, line, &victim);
    tags_reserve(&c->tags, slot, 1);
    mshr_add(&c->mshr, line, i);
    sm->n_side++;
    struct request req = {.address = a->address,
                          .kind = is_texture ? REQ_TEXTURE : REQ_CONST,
                          .space = o->stat->space,
                          .bytes = (uint16_t)(1u << c->tags.line_bits),
                          .sectors = 0xff,
                          .sm = (uint16_t)sm->id,
                          .warp = o->warp,
                          .born = now};
    sm->stats.requests++;
    ring_push(&sm->misses, req_new(&g->pool, req));
    return true;
}

static void run_held(struct sm *sm, uint64_t now)
{
    uint32_t i = sm->held_op;
    struct op *o = &sm->ops[i];
    const struct sm_params *p = sm->gpu->cfg.sm;
    if (now < sm->held_until)
        return;
    if (o->stat->space == TS_SHARED) {
        if (sm->common->rules.shared_has_stages && sm->shared_ops.n >= sm->common->shared_latency &&
            o->stat->cls != TC_STORE)
            return;
        sm->held_op = OP_NONE;
        if (o->stat->cls != TC_STORE && o->stat->cls != TC_REDUCE && o->inst->mask) {
            o->pending = 1;
            delay_push(&sm->shared_ops, now + sm->common->shared_latency, i);
        }
        sm_op_expanded(sm, i, now);
        return;
    }
    if (sm->held_n == 0) { /* perfect, or without addresses */
        sm->held_op = OP_NONE;
        if (o->inst->mask) {
            bool is_texture = o->stat->space == TS_TEXTURE;
            o->pending = 1;
            delay_push(is_texture ? &sm->texture_ops : &sm->results,
                       now + (is_texture ? p->texture_cycles : p->const_cycles), i);
        }
        sm_op_expanded(sm, i, now);
        return;
    }
    if (look_up_side(sm, i, &sm->held[sm->held_next], now) && ++sm->held_next == sm->held_n) {
        sm->held_op = OP_NONE;
        sm_op_expanded(sm, i, now);
    }
}

/* True: what it took has left already, and the one behind it could be taken in the next cycle. */
static bool take_next(struct sm *sm, uint64_t now)
{
    const struct pipeline *pipeline = sm->common->pipeline;
    uint32_t i = pipeline->top_memory(sm);
    if (sm->held_op != OP_NONE || !sm->common->coalescer->can_take(sm->coalescer, i))
        return false;
    pipeline->pop_memory(sm, now);
    if (i == OP_NONE)
        return sm->memory_at <= now; /* a fence only passes through */
    const struct op *o = &sm->ops[i];
    if (!is_global(o->stat->space)) {
        take_held(sm, i, now);
    } else if (o->inst->n_addresses == 0) {
        sm_op_expanded(sm, i, now); /* no lane does anything */
        return sm->memory_at <= now;
    } else {
        sm->common->coalescer->take(sm->coalescer, i, now);
        sm->coalescer_at = now + 1;
    }
    return false;
}

/* ---- results ---- */

/* The last answer of an atomic is about to be written: its warp need not wait for that. */
static void count_atomic(struct sm *sm, uint32_t i, uint64_t now)
{
    struct op *o = &sm->ops[i];
    struct warp *warp = &sm->warps[o->warp];
    if (!is_atomic(o) || o->pending != 1 || !o->is_expanded || !warp->n_atomics)
        return;
    o->is_counted = true;
    warp->n_atomics--;
    if (sm->at_atomic >> o->warp & 1)
        wake_warp(sm, o->warp, now);
}

static bool fill_writeback(struct sm *sm, uint32_t client, uint64_t now)
{
    struct delay_ring *rings[] = {&sm->shared_ops, &sm->texture_ops, &sm->results};
    /* sectors of one line that came together are written together */
    uint32_t at_once = sm->gpu->cfg.l1->join_sectors ? sm->l1.n_sectors : 1;
    sm->writeback_is_op = true;
    sm->writeback_done = 0;
    sm->writeback_n = 1;
    if (client < 3 && delay_ready(rings[client], now))
        sm->writeback_tag = delay_pop(rings[client]);
    else if (client == 1 && sm->n_side && !sm->tcache.is_perfect &&
             mshr_is_ready(&sm->tcache.mshr)) {
        sm->writeback_tag = mshr_take(&sm->tcache.mshr);
        sm->n_side--;
    } else if (client == 2 && sm->n_side && !sm->ccache.is_perfect &&
               mshr_is_ready(&sm->ccache.mshr)) {
        sm->writeback_tag = mshr_take(&sm->ccache.mshr);
        sm->n_side--;
    } else if (client == 3 && sm->bypassed.n) {
        sm->writeback_is_op = false;
        sm->writeback_tag = ring_pop(&sm->bypassed);
        while (sm->writeback_n < at_once && sm->bypassed.n &&
               ring_top(&sm->bypassed) == sm->writeback_tag) {
            ring_pop(&sm->bypassed);
            sm->writeback_n++;
        }
    } else if (client == 4 && mshr_is_ready(&sm->mshr)) {
        sm->writeback_is_op = false;
        sm->writeback_tag = mshr_take(&sm->mshr);
        sm->stats.mshr_reads++;
        while (sm->writeback_n < at_once && mshr_is_ready(&sm->mshr) &&
               mshr_next(&sm->mshr) == sm->writeback_tag) {
            mshr_take(&sm->mshr);
            sm->stats.mshr_reads++;
            sm->writeback_n++;
        }
        l1_unblock(sm);
    } else {
        return false;
    }
    sm->writeback_turn = (uint8_t)((client + 1) % 5);
    if (sm->common->rules.atomics_release_early &&
        (client == 0 || (client == 3 && sm->common->coalescer->tags_are_ops)))
        count_atomic(sm, sm->writeback_tag, now);
    return true;
}

/* Each answer writes, the last one and those before it. False: the bank takes another result. */
static bool write_registers(struct sm *sm, uint64_t now)
{
    if (!sm->writeback_is_op && !sm->common->coalescer->tags_are_ops)
        return true;
    return sm->common->pipeline->write(sm, &sm->ops[sm->writeback_tag], now);
}

static void write_back(struct sm *sm, uint64_t now)
{
    if (sm->has_writeback) {
        if (sm->common->pipeline->write && !write_registers(sm, now))
            return;
        if (sm->writeback_is_op)
            sm_op_part_done(sm, sm->writeback_tag, now);
        for (; !sm->writeback_is_op && sm->writeback_n; sm->writeback_n--)
            if (!sm->common->coalescer->done(sm->coalescer, sm->writeback_tag, now))
                return;
        sm->has_writeback = false;
    }
    for (uint32_t i = 0; i < 5 && !sm->has_writeback; i++)
        sm->has_writeback = fill_writeback(sm, (sm->writeback_turn + i) % 5, now);
}

/* A filled MSHR of the caches beside the L1. */
static bool side_is_ready(const struct sm *sm)
{
    return sm->n_side && ((!sm->tcache.is_perfect && mshr_is_ready(&sm->tcache.mshr)) ||
                          (!sm->ccache.is_perfect && mshr_is_ready(&sm->ccache.mshr)));
}

static bool may_write_back(const struct sm *sm, uint64_t now)
{
    return sm->has_writeback || mshr_is_ready(&sm->mshr) || sm->bypassed.n ||
           delay_ready(&sm->shared_ops, now) || delay_ready(&sm->results, now) ||
           delay_ready(&sm->texture_ops, now) || side_is_ready(sm);
}

static uint64_t later(uint64_t at, uint64_t now)
{
    return at <= now ? now + 1 : at;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

uint64_t lsu_cycle(struct sm *sm, uint64_t now)
{
    uint64_t next = NEVER;
    if (may_write_back(sm, now)) {
        write_back(sm, now);
        if (sm->has_writeback)
            next = now + 1;
    }
    if (delay_ready(&sm->hits, now)) {
        while (delay_ready(&sm->hits, now) &&
               sm->common->coalescer->done(sm->coalescer, delay_top(&sm->hits), now))
            delay_pop(&sm->hits);
    }
    if (sm->responses.n | sm->misses.n | sm->n_piped)
        next = least(next, l1_cycle(sm, now));
    if (sm->coalescer_at <= now)
        sm->coalescer_at = sm->common->coalescer->cycle(sm->coalescer, now);
    if (sm->held_op != OP_NONE)
        run_held(sm, now);
    if (sm->memory_at <= now && take_next(sm, now))
        next = now + 1;

    if (sm->bypassed.n || sm->misses.n || mshr_is_ready(&sm->mshr) || side_is_ready(sm))
        next = now + 1; /* also what came up in this cycle */
    if (sm->held_op != OP_NONE)
        next = least(next, later(sm->held_until, now));
    next = least(next, sm->coalescer_at);
    if (sm->n_piped && next > now + 1) /* the coalescer may have added to an idle pipe */
        for (uint32_t b = 0; b < sm->common->l1_pipes; b++) {
            const struct l1_pipe *p = &sm->pipes[b];
            if (p->n && !p->is_blocked)
                next = least(next, later(p->at[p->first & p->mask].ready, now));
        }
    if (sm->shared_ops.n)
        next = least(next, later(delay_next(&sm->shared_ops), now));
    if (sm->results.n)
        next = least(next, later(delay_next(&sm->results), now));
    if (sm->texture_ops.n)
        next = least(next, later(delay_next(&sm->texture_ops), now));
    if (sm->hits.n)
        next = least(next, later(delay_next(&sm->hits), now));
    return next;
}

bool lsu_is_idle(const struct sm *sm)
{
    /* a line that is written back is nobody's business any more */
    for (uint32_t i = 0; i < sm->misses.n; i++) {
        uint32_t req = sm->misses.at[(sm->misses.first + i) & sm->misses.mask];
        if (req_at(&sm->gpu->pool, req)->kind != REQ_WRITEBACK)
            return false;
    }
    return sm->n_ops == 0 && !sm->has_writeback && sm->n_piped == 0 && sm->responses.n == 0 &&
           sm->bypassed.n == 0 && sm->mshr.n_used == 0 && sm->n_l2_prefetches == 0;
}
