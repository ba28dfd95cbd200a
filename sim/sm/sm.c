/* SPDX-License-Identifier: MIT
 *
 * A streaming multiprocessor: contexts, the life of warps and CTAs, and the order of its stages in
 * a cycle. Issue and execution are in sim/sm/issue.c, memory in sim/sm/lsu.c and sim/sm/l1.c. */
#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/bits.h"
#include "base/err.h"
#include "sim/frame/array_events.h"
#include "sim/frame/wheel.h"
#include "sim/sm/l1.h"
#include "sim/sm/lsu.h"
#include "sim/sm/pipeline.h"
#include "sim/sm/prefetch.h"

/* ---- make ---- */

uint32_t sm_units_of(const struct sm_params *p, uint32_t unit)
{
    uint32_t groups = p->sub_cores ? p->schedulers : 1;
    const uint32_t n[UNITS] = {[UNIT_FP32] = p->fp32_units,
                               [UNIT_INT] = p->int_units,
                               [UNIT_FP64] = p->fp64_units,
                               [UNIT_SFU] = p->sfu_units,
                               [UNIT_TENSOR] = p->tensor_units,
                               [UNIT_BRANCH] = p->branch_units,
                               [UNIT_TEXTURE] = p->texture_units,
                               [UNIT_UNIFORM] = p->uniform_units,
                               [UNIT_MEM] = groups};
    uint32_t k = (uint32_t)bits_ceil_div(n[unit], groups);
    return k < 1 ? 1 : k;
}

struct ro_params {
    uint32_t bytes, ways, line, mshr_entries, mshr_merges; /* 0 bytes: perfect */
};

static bool ro_init(struct ro_cache *c, struct ro_params p, struct arena *mem, struct err *err)
{
    c->is_perfect = p.bytes == 0;
    if (c->is_perfect)
        return true;
    struct tags_params t = {
        .bytes = p.bytes, .ways = p.ways, .line_bytes = p.line, .sector_bytes = p.line};
    mshr_init(&c->mshr, p.mshr_entries, p.mshr_merges, mem);
    return tags_init(&c->tags, &t, mem, err);
}

static bool caches_init(struct sm *sm, struct arena *mem, struct err *err)
{
    const struct sm_params *p = sm->gpu->cfg.sm;
    struct ro_params icache = {p->icache_bytes, p->icache_ways, p->icache_line,
                               p->icache_mshr ? p->icache_mshr : 1,
                               p->icache_merges ? p->icache_merges : SM_MAX_WARPS};
    struct ro_params ccache = {p->const_bytes, p->const_ways, p->const_line, 8, SM_MAX_WARPS};
    struct ro_params tcache = {p->texture_bytes, p->texture_ways, sm->gpu->cfg.l1->line_bytes, 64,
                               SM_MAX_WARPS};
    return l1_init(sm, mem, err) && ro_init(&sm->icache, icache, mem, err) &&
           ro_init(&sm->ccache, ccache, mem, err) && ro_init(&sm->tcache, tcache, mem, err);
}

bool sm_init(struct sm *sm, struct gpu *g, uint32_t id, struct err *err)
{
    const struct sm_params *p = g->cfg.sm;
    sm->gpu = g;
    sm->common = g->sm_common;
    sm->id = id;
    sm->cluster = g->cta_machine.cluster_of[id];
    sm->warps = arena_many(g->mem, struct warp, p->warps);
    sm->ctas = arena_many(g->mem, struct cta_slot, p->ctas);
    sm->fetched = -1;
    sm->allowed = UINT64_MAX;
    for (uint32_t s = 0; s < p->schedulers; s++) {
        sm->scheds[s].last = WARP_NONE;
        for (uint32_t w = s; w < p->warps; w += p->schedulers)
            sm->scheds[s].mine |= (uint64_t)1 << w;
    }
    sm->pipe_at = sm->memory_at = NEVER;
    sm->common->pipeline->init(sm, g->mem);
    ring_init(&sm->fetch_misses, "the queue of missing instruction lines", 64, &g->bounds, g->mem);
    lsu_init(sm, g->mem);
    return caches_init(sm, g->mem, err);
}

/* ---- contexts ---- */

static uint32_t cta_registers(const struct trace_kernel *k)
{
    return k->warps_per_cta * TRACE_LANES * ((k->regs_per_thread + 3) & ~3u);
}

static uint32_t fits(uint32_t room, uint32_t each)
{
    return each ? room / each : UINT32_MAX;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Places for CTAs, or fewer where they are throttled. */
static uint32_t cta_slots(const struct gpu *g)
{
    return g->cfg.cta->limit ? least(g->cfg.cta->limit, g->cfg.sm->ctas) : g->cfg.sm->ctas;
}

uint32_t sm_room(const struct sm *sm, const struct trace_kernel *k)
{
    const struct sm_params *p = sm->gpu->cfg.sm;
    uint32_t slots = cta_slots(sm->gpu);
    uint32_t n = slots > sm->n_ctas ? slots - sm->n_ctas : 0;
    n = least(n, fits(p->warps - sm->used_warps, k->warps_per_cta));
    n = least(n, fits(p->threads - sm->used_threads, k->warps_per_cta * TRACE_LANES));
    n = least(n, fits(p->registers - sm->used_registers, cta_registers(k)));
    return least(n, fits(p->shared_bytes - sm->used_shared, k->shared_bytes));
}

const char *sm_lacks(const struct gpu *g, const struct trace_kernel *k, uint32_t *needs,
                     uint32_t *has)
{
    const struct sm_params *p = g->cfg.sm;
    const struct {
        const char *key;
        uint32_t needs, has;
    } all[] = {
        {"sm.warps", k->warps_per_cta, p->warps},
        {"sm.threads", k->warps_per_cta * TRACE_LANES, p->threads},
        {"sm.registers", cta_registers(k), p->registers},
        {"sm.shared", k->shared_bytes, p->shared_bytes},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (all[i].needs <= all[i].has)
            continue;
        *needs = all[i].needs;
        *has = all[i].has;
        return all[i].key;
    }
    return NULL;
}

uint32_t sm_capacity(const struct gpu *g, const struct trace_kernel *k)
{
    const struct sm_params *p = g->cfg.sm;
    uint32_t n = cta_slots(g), threads = k->warps_per_cta * TRACE_LANES;
    assert(threads);
    n = least(n, fits(p->warps, k->warps_per_cta));
    n = least(n, fits(p->threads, threads));
    n = least(n, fits(p->registers, cta_registers(k)));
    return least(n, fits(p->shared_bytes, k->shared_bytes));
}

/* The `n` oldest of some warps. */
static uint64_t oldest_of(const struct sm *sm, uint64_t warps, uint32_t n)
{
    uint64_t chosen = 0;
    for (; n && warps; n--) {
        uint32_t best = bits_lowest(warps);
        for (uint64_t m = warps; m; m &= m - 1)
            if (sm->age[bits_lowest(m)] < sm->age[best])
                best = bits_lowest(m);
        chosen |= (uint64_t)1 << best;
        warps &= ~((uint64_t)1 << best);
    }
    return chosen;
}

/* Static warp limiting (CCWS-SWL): only the oldest warps of each scheduler may issue, or the oldest
 * of the SM where there are fewer than schedulers. A warp that waits at a barrier gives its place
 * away: those it waits for may be among the younger ones. */
static void limit_warps(struct sm *sm)
{
    const struct sm_params *p = sm->gpu->cfg.sm;
    if (!p->warp_limit)
        return;
    uint64_t running = sm->live & ~sm->at_barrier;
    if (p->warp_limit < p->schedulers) {
        sm->allowed = oldest_of(sm, running, p->warp_limit);
        return;
    }
    sm->allowed = 0;
    for (uint32_t s = 0; s < p->schedulers; s++) {
        uint32_t n = (p->warp_limit + p->schedulers - 1 - s) / p->schedulers;
        sm->allowed |= oldest_of(sm, running & sm->scheds[s].mine, n);
    }
}

static void start_warp(struct sm *sm, uint32_t w, const struct cta_slot *c, uint32_t slot,
                       uint32_t index, uint64_t wait, uint64_t now)
{
    const struct launch *l = &sm->gpu->launches[c->launch];
    struct warp *warp = &sm->warps[w];
    memset(warp, 0, sizeof *warp);
    for (uint32_t r = 0; r < 256; r++)
        warp->ready[r] = sm_low_half(now + wait);
    warp->insts = c->trace.warps[index].insts;
    warp->n = c->trace.warps[index].n_insts;
    warp->statics = l->statics;
    warp->addresses = l->has_private ? c->placed : c->trace.addresses;
    if (c->has_prefetches)
        sm_prefetch_stream(c, index, warp);
    warp->base = l->base;
    warp->code = l->code;
    warp->cta = (uint8_t)slot;
    uint64_t bit = (uint64_t)1 << w;
    sm->live |= bit;
    sm->n_live++;
    sm->age[w] = sm->next_age++;
    if (warp->n == 0) {
        sm->exiting |= bit;
        sm_wake_at(sm, w, now + 1, now);
    } else if (sm->gpu->cfg.sm->fetches) {
        sm->need_fetch |= bit;
    } else {
        warp->ibuffer = 255;
        sm_next(sm, w, now);
    }
}

/* ---- local memory ---- */

/* Above what programs and their code have (sim/gpu/loop.c), by a multiple of every interleaving, so
 * that controllers, banks and sets are those of the low half, which is GPGPU-Sim's. */
#define LOCAL_START (((uint64_t)3 << 52) + 0x1f880000u)

/* CTAs of an SM that lie side by side: those that fit, or no more than the grid has for each. */
static uint32_t local_slots(const struct gpu *g, const struct launch *l)
{
    uint32_t each = (uint32_t)bits_ceil_div(l->k->n_ctas, g->n_sms);
    return each < l->max_per_sm ? each : l->max_per_sm;
}

uint64_t sm_local_stride(const struct gpu *g, const struct launch *l)
{
    return (uint64_t)l->k->warps_per_cta * TRACE_LANES * local_slots(g, l) * g->n_sms * 4;
}

/* Puts the local addresses of a CTA where its place on the GPU has them (and those that each SM has
 * for itself): equal words of its threads
 * side by side, then those of the other SMs, then of the other places of this SM; then the next
 * word. CTAs that follow each other in a place share its memory, as on hardware. */
static void place_local(struct sm *sm, struct cta_slot *c, uint32_t slot)
{
    struct gpu *g = sm->gpu;
    const struct launch *l = &g->launches[c->launch];
    uint32_t n = 0;
    for (uint32_t w = 0; w < c->trace.n_warps; w++)
        for (uint32_t i = 0; i < c->trace.warps[w].n_insts; i++) {
            const struct trace_inst *in = &c->trace.warps[w].insts[i];
            uint32_t end = in->n_addresses ? in->first_address + in->n_addresses : 0;
            n = end > n ? end : n;
        }
    if (n > c->n_placed) {
        c->n_placed = n < 1024 ? 1024 : n > UINT32_MAX / 2 ? n : n * 2;
        c->placed = arena_many(g->mem, uint64_t, c->n_placed);
    }
    if (n)
        memcpy(c->placed, c->trace.addresses, n * sizeof *c->placed);
    uint64_t stride = sm_local_stride(g, l), threads = (uint64_t)c->threads;
    uint32_t slots = local_slots(g, l); /* where a policy fills one SM first there are more */
    uint64_t first = LOCAL_START + ((uint64_t)(slot / slots) << 45) +
                     4 * threads * (sm->id + (uint64_t)g->n_sms * (slot % slots));
    for (uint32_t w = 0; w < c->trace.n_warps; w++)
        for (uint32_t i = 0; i < c->trace.warps[w].n_insts; i++) {
            const struct trace_inst *in = &c->trace.warps[w].insts[i];
            uint8_t flags = l->k->statics[in->stat].flags;
            for (uint32_t k = 0; k < in->n_addresses && flags & TF_BY_SM; k++)
                c->placed[in->first_address + k] += (uint64_t)sm->id * TRACE_SM_STRIDE;
            if (!(flags & TF_PRIVATE))
                continue;
            uint32_t mask = in->mask;
            for (uint32_t k = 0; k < in->n_addresses; k++, mask &= mask - 1) {
                uint64_t own = c->trace.addresses[in->first_address + k] & 0xffffffff;
                uint64_t thread = (uint64_t)w * TRACE_LANES + bits_lowest(mask);
                c->placed[in->first_address + k] = first + 4 * thread + own / 4 * stride + own % 4;
            }
        }
}

bool sm_launch(struct sm *sm, uint32_t launch, const struct cta_place *place, uint32_t k,
               uint64_t now)
{
    struct gpu *g = sm->gpu;
    const struct launch *l = &g->launches[launch];
    uint32_t slot = 0, cta = place->cta[k];
    uint64_t wait = place->wait_cycles + (uint64_t)g->cfg.cta->stagger * cta;
    while (sm->ctas[slot].is_used)
        slot++;
    assert(slot < g->cfg.sm->ctas);
    struct cta_slot *c = &sm->ctas[slot];
    sm_account(sm, now + 1);
    *c = (struct cta_slot){.is_used = true,
                           .placed = c->placed,
                           .n_placed = c->n_placed,
                           .more = c->more,
                           .launch = launch,
                           .index = cta,
                           .threads = l->k->warps_per_cta * TRACE_LANES,
                           .registers = cta_registers(l->k),
                           .shared_bytes = l->k->shared_bytes,
                           .began = now};
    if (!l->src->load_cta(l->src, l->kernel, cta, &c->trace, g->err)) {
        c->is_used = false;
        g->has_failed = true;
        return false;
    }
    if (l->has_private)
        place_local(sm, c, slot);
    if (l->has_prefetches && place->followed_by &&
        !sm_add_prefetches(sm, c, place->followed_by - 1))
        return false;
    sm->n_ctas++;
    sm->used_threads += c->threads;
    sm->used_warps += c->trace.n_warps;
    sm->used_registers += c->registers;
    sm->used_shared += c->shared_bytes;
    sm->stats.ctas++;
    c->n_left = c->trace.n_warps;
    uint64_t free_warps = ~(sm->common->rules.keeps_contexts ? sm->owned : sm->live);
    for (uint32_t i = 0; i < c->trace.n_warps; i++) {
        assert(free_warps);
        uint32_t w = bits_lowest(free_warps);
        free_warps &= free_warps - 1;
        c->warps |= (uint64_t)1 << w;
        start_warp(sm, w, c, slot, i, wait, now);
    }
    c->owned = c->warps;
    sm->owned |= c->owned;
    limit_warps(sm);
    TELL(g, cta, l->kernel, cta, sm->id, true, now);
    machine_wake_sm(g, sm->id);
    return true;
}

static void retire(struct sm *sm, struct cta_slot *c, uint64_t now)
{
    struct gpu *g = sm->gpu;
    struct launch *l = &g->launches[c->launch];
    c->is_used = false;
    sm->owned &= ~c->owned;
    sm->n_ctas--;
    sm->used_threads -= c->threads;
    sm->used_warps -= c->trace.n_warps;
    sm->used_registers -= c->registers;
    sm->used_shared -= c->shared_bytes;
    for (uint32_t w = 0; w < c->trace.n_warps; w++)
        l->issued_insts += c->trace.warps[w].n_insts;
    l->src->free_cta(l->src, &c->trace); /* its numbers are gone then */
    sm->stats.cta_cycles += now - c->began;
    TELL(g, cta, l->kernel, c->index, sm->id, false, now);
    machine_cta_retired(g, c->launch, sm->id, c->index);
}

static void release(struct sm *sm, uint64_t released, uint64_t now)
{
    sm->at_barrier &= ~released;
    for (; released; released &= released - 1) {
        uint32_t w = bits_lowest(released);
        if (sm->warps[w].at == sm->warps[w].n)
            continue; /* it ends; its exit is under way */
        if (sm->warps[w].ibuffer)
            sm_next(sm, w, now);
        else if (!sm->common->rules.fetches_ahead) /* else it is on its way */
            sm->need_fetch |= (uint64_t)1 << w;
    }
}

/* A warp came to a barrier, or left the CTA: do all that are left wait? */
static void check_barrier(struct sm *sm, struct cta_slot *c, uint64_t now)
{
    if (c->waiting && c->waiting == c->warps) {
        uint64_t released = c->waiting;
        uint64_t from = sm->barrier_busy > now ? sm->barrier_busy : now;
        from += sm->gpu->cfg.sm->barrier_latency;
        for (uint64_t m = from > now ? released : 0; m; m &= m - 1)
            sm->warps[bits_lowest(m)].held_until = from;
        c->waiting = 0;
        release(sm, released, now);
    }
}

void sm_reach_barrier(struct sm *sm, uint32_t w, uint64_t now)
{
    struct cta_slot *c = &sm->ctas[sm->warps[w].cta];
    TELL(sm->gpu, barrier, c->index, sm->id, now);
    sm->at_barrier |= (uint64_t)1 << w;
    c->waiting |= (uint64_t)1 << w;
    if (sm->common->barrier_interval)
        sm->barrier_busy =
            (sm->barrier_busy > now ? sm->barrier_busy : now) + sm->common->barrier_interval;
    check_barrier(sm, c, now);
    limit_warps(sm);
}

void sm_reach_grid_barrier(struct sm *sm, uint32_t w, uint64_t now)
{
    struct cta_slot *c = &sm->ctas[sm->warps[w].cta];
    struct launch *l = &sm->gpu->launches[c->launch];
    TELL(sm->gpu, barrier, c->index, sm->id, now);
    sm->at_barrier |= (uint64_t)1 << w;
    c->meeting |= (uint64_t)1 << w;
    l->goes = ++l->n_met == l->k->n_ctas;
    sm->gpu->must_release |= l->goes;
    limit_warps(sm);
}

/* Lines that other SMs may have written; what was written here and waits in the L1 stays. */
static void forget_lines(struct sm *sm)
{
    struct tags *t = &sm->l1;
    if (sm->gpu->cfg.l1->keeps_lines)
        return;
    for (uint32_t i = 0; i < t->n_sets * t->ways; i++) {
        uint8_t clean = t->lines[i].valid & (uint8_t) ~(t->lines[i].dirty | t->lines[i].pending);
        if (t->lines[i].is_allocated && clean)
            tags_drop_sectors(t, i, clean);
    }
}

/* After the cycle of all SMs: they go on in the next. */
void sm_leave_grid_barrier(struct sm *sm, uint32_t launch, uint64_t now)
{
    bool any = false;
    for (uint32_t i = 0; i < sm->gpu->cfg.sm->ctas; i++) {
        struct cta_slot *c = &sm->ctas[i];
        if (!c->is_used || c->launch != launch || !c->meeting)
            continue;
        uint64_t released = c->meeting;
        sm_account(sm, now + 1);
        c->meeting = 0;
        release(sm, released, now + 1);
        limit_warps(sm);
        machine_wake_sm(sm->gpu, sm->id);
        any = true;
    }
    if (any)
        forget_lines(sm);
}

void sm_finish_warp(struct sm *sm, uint32_t w, uint64_t now)
{
    struct cta_slot *c = &sm->ctas[sm->warps[w].cta];
    uint64_t bit = (uint64_t)1 << w;
    sm_account(sm, now);
    sm->live &= ~bit;
    sm->n_live--;
    sm->exiting &= ~bit;
    sm->at_barrier &= ~bit;
    c->warps &= ~bit;
    c->waiting &= ~bit;
    c->ended_insts += sm->warps[w].at;
    if (--c->n_left == 0)
        retire(sm, c, now);
    else
        check_barrier(sm, c, now);
    limit_warps(sm);
}

void sm_drained(struct sm *sm, uint32_t w, uint64_t now)
{
    if (sm->common->rules.ends_at_fetch && sm->gpu->cfg.sm->fetches)
        sm->drained |= (uint64_t)1 << w;
    else
        sm_finish_warp(sm, w, now);
}

void sm_kernel_end(struct sm *sm)
{
    if (!sm->gpu->cfg.l1->keeps_lines)
        tags_clear(&sm->l1);
    if (!sm->ccache.is_perfect)
        tags_clear(&sm->ccache.tags);
    if (!sm->tcache.is_perfect)
        tags_clear(&sm->tcache.tags);
}

void sm_answered(struct sm *sm, const struct request *r, uint64_t now)
{
    struct sm_stats *s = &sm->stats;
    if ((r->kind != REQ_READ && r->kind != REQ_WRITE) || r->is_local)
        return;
    uint64_t total = now - r->born;
    s->latency_sum += total;
    s->latency_n++;
    s->latency_max = total > s->latency_max ? total : s->latency_max;
    s->lat_queue += r->injected - r->born;
    s->lat_request += r->reached - r->injected;
    s->lat_reply += now - r->replied;
    uint64_t dram = r->from_dram > r->to_dram ? r->from_dram - r->to_dram : 0;
    s->lat_dram += dram;
    s->lat_l2 += r->replied - r->reached - dram;
}

/* ---- time ---- */

void sm_wake_at(struct sm *sm, uint32_t w, uint64_t at, uint64_t now)
{
    sm->warps[w].wake_at = at;
    sm->wheel[wheel_add(sm->wheel_any, SM_WHEEL, at, now)] |= (uint64_t)1 << w;
}

static void turn_wheel(struct sm *sm, uint64_t now)
{
    uint32_t slot = (uint32_t)(now % SM_WHEEL);
    uint64_t m = sm->wheel[slot];
    sm->wheel[slot] = 0;
    wheel_clear(sm->wheel_any, slot);
    for (; m; m &= m - 1) {
        uint32_t w = bits_lowest(m);
        struct warp *warp = &sm->warps[w];
        uint64_t bit = (uint64_t)1 << w;
        if (warp->wake_at > now)
            sm_wake_at(sm, w, warp->wake_at, now);
        else if (!(sm->exiting & bit))
            sm->ready |= bit;
        else {
            warp->ibuffer = 0; /* drained: what is left are answers */
            warp->wake_at = NEVER;
            if (!warp->n_loads && !warp->n_stores && !warp->n_atomics)
                sm_drained(sm, w, now);
        }
    }
}

void sm_account(struct sm *sm, uint64_t now)
{
    if (now <= sm->ran_until)
        return;
    uint64_t n = now - sm->ran_until;
    sm->ran_until = now;
    if (!sm->live)
        return;
    uint64_t gated = sm->ready & sm->allowed & sm_gated(sm); /* all that are ready then */
    for (uint32_t s = 0; s < sm->gpu->cfg.sm->schedulers; s++)
        sm_stalled(sm, sm->scheds[s].mine, gated & sm->scheds[s].mine, n);
    sm->stats.active_cycles += n;
    sm->stats.warp_cycles += n * sm->n_live;
    sm->stats.mem_ready_cycles += n * bits_count(sm->ready & sm->next_global);
}

/* Could a ready warp issue without the load/store unit moving first? */
static bool may_issue(const struct sm *sm)
{
    uint64_t ready = sm->ready & sm->allowed & ~sm_gated(sm);
    if (ready & ~sm->by_unit[UNIT_MEM])
        return true;
    const struct sm_params *p = sm->gpu->cfg.sm;
    if (!ready || sm->n_ops == SM_OPS)
        return false;
    if (!p->sub_cores)
        return sm->open_at[0][UNIT_MEM] != NEVER;
    for (uint32_t s = 0; s < p->schedulers; s++)
        if ((ready & sm->scheds[s].mine) && sm->open_at[s][UNIT_MEM] != NEVER)
            return true;
    return false;
}

uint64_t sm_cycle(struct sm *sm, uint64_t now)
{
    sm_account(sm, now);
    uint32_t slot = (uint32_t)(now % SM_WHEEL);
    if (sm->wheel[slot])
        turn_wheel(sm, now);
    uint64_t next = lsu_cycle(sm, now);
    if (sm->common->pipeline->cycle)
        sm->common->pipeline->cycle(sm, now);
    if (sm->live) {
        sm->stats.active_cycles++;
        sm->stats.warp_cycles += sm->n_live;
        sm_issue(sm, now);
        sm->stats.mem_ready_cycles += bits_count(sm->ready & sm->next_global);
    }
    if (sm->need_fetch | sm->missing | (uint64_t)(sm->fetched >= 0) | sm->fetch_misses.n |
        sm->drained)
        sm_fetch(sm, now);
    sm->ran_until = now + 1;
    if (sm->drained || sm->pipe_at == now + 1 || may_issue(sm) || sm->need_fetch ||
        sm->fetched >= 0 || sm->fetch_misses.n || (sm->missing && mshr_is_ready(&sm->icache.mshr)))
        return now + 1;
    next = sm->pipe_at < next ? sm->pipe_at : next;
    if (sm->memory_at > now && sm->memory_at < next)
        next = sm->memory_at;
    uint64_t wheel = wheel_next(sm->wheel_any, SM_WHEEL, now);
    return wheel < next ? wheel : next;
}

struct array_counts register_file_events(const struct gpu *g, uint32_t sm)
{
    const struct sm_stats *s = &g->sms[sm].stats;
    return (struct array_counts){.reads = s->reg_reads, .writes = s->reg_writes};
}

struct array_counts shared_memory_events(const struct gpu *g, uint32_t sm)
{
    const struct sm_stats *s = &g->sms[sm].stats;
    return (struct array_counts){.reads = s->shared_reads, .writes = s->shared_writes};
}
