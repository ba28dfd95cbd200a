/* SPDX-License-Identifier: MIT
 *
 * The cycle loop of the machine and the jumps over idle time. */
#include <string.h>

#include "base/arena.h"
#include "base/bits.h"
#include "base/buf.h"
#include "base/err.h"
#include "sim/cluster/cluster.h"
#include "sim/fabric/fabric.h"
#include "sim/frame/machine.h"
#include "sim/frame/wheel.h"
#include "sim/gpu/gpu.h"
#include "sim/gpu/kernels.h"
#include "sim/memory/dram.h"
#include "sim/memory/l2.h"
#include "sim/sm/l1.h"
#include "sim/sm/lsu.h"
#include "sim/sm/sm.h"

#define PROGRESS_CYCLES 8192u

/* ---- one core cycle ---- */

static void wake_sleepers(struct gpu *g)
{
    uint32_t slot = (uint32_t)(g->now % MACHINE_WHEEL);
    if (!(g->sleep_any[slot / 64] >> (slot % 64) & 1))
        return;
    wheel_clear(g->sleep_any, slot);
    uint64_t *s = g->sleepers + (size_t)slot * g->words;
    for (uint32_t w = 0; w < g->words; w++) { /* sm_now begins the row of all masks */
        g->sm_now[w] |= s[w];
        s[w] = 0;
    }
}

static void run_clusters(struct gpu *g)
{
    const uint64_t *arrived = fabric_arrived(g->fabric, NOC_REPLY);
    uint32_t words = g->slice_word - g->cluster_word;
    for (uint32_t w = 0; w < words; w++) {
        uint64_t valid = g->n_clusters - w * 64 >= 64
                             ? UINT64_MAX
                             : ((uint64_t)1 << (g->n_clusters - w * 64)) - 1;
        uint64_t m = g->cluster_now[w] | (arrived[w] & valid);
        g->cluster_now[w] = 0;
        for (; m; m &= m - 1) {
            uint32_t c = w * 64 + bits_lowest(m);
            uint64_t next = cluster_cycle(g, c, g->now);
            if (next == g->now + 1)
                machine_wake_cluster(g, c);
            else
                machine_sleep(g, g->cluster_word, c, next);
        }
    }
}

static void run_dram(struct gpu *g)
{
    uint32_t ticks = clock_ticks(&g->clocks, CLOCK_DRAM);
    uint64_t first = g->clocks.ticks[CLOCK_DRAM];
    if (!ticks)
        return;
    for (uint32_t w = 0; w < g->words - g->dram_word; w++) {
        uint64_t m = g->dram_now[w];
        g->dram_now[w] = 0;
        for (; m; m &= m - 1) {
            uint32_t c = w * 64 + bits_lowest(m);
            uint64_t next = 0;
            for (uint32_t t = 0; t < ticks; t++)
                if (t == 0 || next <= first + t)
                    next = dram_tick(g, &g->dram_channels[c], first + t, g->now);
            if (next <= first + ticks)
                machine_wake_dram(g, c);
            else if (next != NEVER)
                machine_sleep(g, g->dram_word, c, clock_core_cycle(&g->clocks, CLOCK_DRAM, next));
        }
    }
}

static void run_slices(struct gpu *g)
{
    const uint64_t *arrived = fabric_arrived(g->fabric, NOC_REQUEST);
    uint32_t ticks = clock_ticks(&g->clocks, CLOCK_L2), skip = g->n_clusters;
    uint64_t first = g->clocks.ticks[CLOCK_L2];
    uint32_t words = (uint32_t)bits_words(g->n_slices);
    uint32_t all = (uint32_t)bits_words(g->n_clusters + g->n_slices);
    for (uint32_t w = 0; w < words; w++) {
        uint32_t at = skip + w * 64, k = at / 64;
        uint64_t in = arrived[k] >> (at % 64);
        if (at % 64 && k + 1 < all)
            in |= arrived[k + 1] << (64 - at % 64);
        g->slice_now[w] |= in;
        if (!ticks)
            continue;
        uint64_t m = g->slice_now[w];
        g->slice_now[w] = 0;
        for (; m; m &= m - 1) {
            uint32_t s = w * 64 + bits_lowest(m);
            uint64_t next = 0;
            for (uint32_t t = 0; t < ticks; t++)
                next = slice_tick(g, &g->slices[s], first + t, g->now);
            if (next <= first + ticks)
                machine_wake_slice(g, s);
            else if (next != NEVER)
                machine_sleep(g, g->slice_word, s, clock_core_cycle(&g->clocks, CLOCK_L2, next));
        }
    }
}

static void run_sm(struct gpu *g, uint32_t s)
{
    uint64_t next = sm_cycle(&g->sms[s], g->now);
    if (next == g->now + 1)
        machine_wake_sm(g, s);
    else
        machine_sleep(g, 0, s, next);
}

static void run_sms_in_turn(struct gpu *g)
{
    memcpy(g->sm_run, g->sm_now, g->sm_words * sizeof *g->sm_run);
    memset(g->sm_now, 0, g->sm_words * sizeof *g->sm_now);
    for (uint32_t c = 0; c < g->n_clusters; c++) {
        const struct cluster *u = &g->clusters[c];
        uint64_t runs = u->runs + (u->is_running ? g->now - u->runs_from : 0);
        uint32_t k =
            g->cfg.compat->cluster_order == CLUSTER_ORDER_turns ? (uint32_t)(runs % u->n_sms) : 0;
        for (uint32_t i = 0; i < u->n_sms; i++, k = k + 1 == u->n_sms ? 0 : k + 1)
            if (bits_test(g->sm_run, u->first_sm + k))
                run_sm(g, u->first_sm + k);
    }
}

static void run_sms(struct gpu *g)
{
    if (g->cfg.compat->cluster_order != CLUSTER_ORDER_bus) {
        run_sms_in_turn(g);
        return;
    }
    for (uint32_t w = 0; w < g->sm_words; w++) {
        uint64_t m = g->sm_now[w];
        g->sm_now[w] = 0;
        for (; m; m &= m - 1) {
            run_sm(g, w * 64 + bits_lowest(m));
        }
    }
}

static bool step_network(struct gpu *g)
{
    uint32_t ticks = clock_ticks(&g->clocks, CLOCK_NOC);
    for (uint32_t t = 0; t < ticks; t++) {
        if (t)
            slice_send_replies(g);
        if (fabric_is_idle(g->fabric)) {
            fabric_skip_to(g->fabric, g->clocks.ticks[CLOCK_NOC] + t + 1);
        } else if (!fabric_step(g->fabric)) {
            struct buf b;
            buf_init(&b, g->mem, 4096);
            fabric_problem(g->fabric, &b);
            return machine_fail(g, "the network failed in cycle %llu: %s",
                                (unsigned long long)g->now, b.data);
        }
    }
    return true;
}

/* For the comparison with a run in which parts sleep. */
static void wake_all(struct gpu *g)
{
    for (uint32_t i = 0; i < g->n_sms; i++)
        machine_wake_sm(g, i);
    for (uint32_t i = 0; i < g->n_clusters; i++)
        machine_wake_cluster(g, i);
    for (uint32_t i = 0; i < g->n_slices; i++)
        machine_wake_slice(g, i);
    for (uint32_t i = 0; i < g->n_dram_channels; i++)
        machine_wake_dram(g, i);
}

/* Warps that have waited for all CTAs of their grid go on. */
static void release_grids(struct gpu *g)
{
    g->must_release = false;
    for (uint32_t i = 0; i < g->n_launches; i++) {
        struct launch *l = &g->launches[i];
        if (!l->goes)
            continue;
        l->goes = false;
        l->n_met = 0;
        for (uint32_t s = 0; s < g->n_sms; s++)
            sm_leave_grid_barrier(&g->sms[s], i, g->now);
    }
}

static bool cycle(struct gpu *g)
{
    wake_sleepers(g);
    if (g->no_skip)
        wake_all(g);
    run_clusters(g);
    if (clock_ticks(&g->clocks, CLOCK_NOC))
        slice_send_replies(g);
    run_dram(g);
    run_slices(g);
    if (!step_network(g))
        return false;
    run_sms(g);
    if (g->has_failed)
        return false;
    if (g->must_release)
        release_grids(g);
    if (g->cfg.sim->verify)
        gpu_check_queues(g);
    if (g->bounds.broken)
        return machine_fail(g, "in cycle %llu %s was %s", (unsigned long long)g->now,
                            g->bounds.broken, bounds_text(&g->bounds));
    bool is_draining = false;
    g->sms_begin = g->now + 1;
    if (g->must_place)
        kernels_end_turns(g);
    for (uint32_t i = 0; i < g->n_launches && g->must_place; i++) {
        struct launch *l = &g->launches[i];
        if (!l->is_running || l->n_retired != l->k->n_ctas)
            continue;
        if (l->asks_ahead && !kernel_is_drained(g, l)) {
            is_draining = true;
            continue;
        }
        kernel_end(g, l);
        if (kernels_begin_again(g))
            kernels_restart(g, l->program);
        kernels_begin(g);
    }
    if (g->must_place) {
        if (!kernels_place(g))
            return false;
        kernels_end_turns(g);
    }
    g->must_place |= is_draining;
    return true;
}

/* ---- time ---- */

static bool is_quiet(const struct gpu *g)
{
    for (uint32_t w = 0; w < g->words; w++)
        if (g->sm_now[w])
            return false;
    for (uint32_t w = 0; w < bits_words(g->n_slices); w++)
        if (g->reply_now[w])
            return false;
    const uint64_t *a = fabric_arrived(g->fabric, NOC_REPLY);
    const uint64_t *b = fabric_arrived(g->fabric, NOC_REQUEST);
    for (uint32_t w = 0; w < bits_words(g->n_clusters + g->n_slices); w++)
        if (a[w] | b[w])
            return false;
    return true;
}

/* The core cycle to go on with; NEVER: nothing will ever happen again. */
static uint64_t next_cycle(const struct gpu *g)
{
    if (g->no_skip || !is_quiet(g))
        return g->now + 1;
    uint64_t next = wheel_next(g->sleep_any, MACHINE_WHEEL, g->now);
    if (g->must_place) {
        for (uint32_t i = 0; i < g->n_launches; i++) {
            const struct launch *l = &g->launches[i];
            if (l->is_running && l->n_placed < l->k->n_ctas) {
                uint64_t at = l->begins > g->now ? l->begins : g->now + 1;
                next = at < next ? at : next;
            }
        }
    }
    if (!fabric_is_idle(g->fabric)) {
        uint64_t tick = fabric_next_busy(g->fabric);
        uint64_t at = clock_core_cycle(&g->clocks, CLOCK_NOC, tick);
        at = at <= g->now ? g->now + 1 : at;
        next = at < next ? at : next;
    }
    return next;
}

static bool stuck(struct gpu *g, const char *why)
{
    struct buf b;
    buf_init(&b, g->mem, 8192);
    gpu_describe_stuck(g, &b);
    return machine_fail(g, "%s in cycle %llu: %s", why, (unsigned long long)g->now, b.data);
}

static bool check_end(struct gpu *g)
{
    for (uint32_t s = 0; s < g->n_sms; s++) {
        const struct sm *sm = &g->sms[s];
        const struct sm_stats *t = &sm->stats;
        if (!lsu_is_idle(sm) || sm->live)
            return stuck(g, "an SM is not empty at the end of the kernels");
        if (t->l1_hits + t->l1_pending + t->l1_misses != t->l1_accesses)
            return machine_fail(g, "SM %u: L1 hits and misses do not add up to accesses", s);
        if (t->requests != t->answers + (g->hooks.request ? t->requests - t->answers : 0))
            return machine_fail(g, "SM %u: %llu requests, but %llu answers", s,
                                (unsigned long long)t->requests, (unsigned long long)t->answers);
    }
    for (uint32_t i = 0; i < g->n_slices; i++) {
        const struct slice_stats *t = &g->slices[i].stats;
        if (t->read_hits + t->read_pending + t->read_misses != t->reads ||
            t->write_hits + t->write_pending + t->write_misses != t->writes)
            return machine_fail(g, "slice %u: hits and misses do not add up to accesses", i);
        if (g->slices[i].mshr.n_used)
            return stuck(g, "an MSHR of the L2 is not empty at the end of the kernels");
    }
    for (uint32_t i = 0; i < g->n_clusters; i++) {
        const struct cluster *c = &g->clusters[i];
        if (c->reads != c->merged + c->reads_sent)
            return machine_fail(g, "cluster %u: %llu loads, but %llu merged and %llu sent", i,
                                (unsigned long long)c->reads, (unsigned long long)c->merged,
                                (unsigned long long)c->reads_sent);
    }
    if (g->hooks.held && g->hooks.held(g->hooks.ctx))
        return stuck(g, "a merge table is not empty at the end of the kernels");
    if (g->pool.n_live != g->live_writebacks)
        return stuck(g, "requests are left at the end of the kernels");
    return true;
}

static void account_all(struct gpu *g)
{
    for (uint32_t s = 0; s < g->n_sms; s++)
        sm_account(&g->sms[s], g->now);
}

/* CTAs still resident when a run is broken off belong to their source. */
static void release_ctas(struct gpu *g)
{
    for (uint32_t s = 0; s < g->n_sms; s++)
        for (uint32_t c = 0; c < g->cfg.sm->ctas; c++) {
            struct cta_slot *slot = &g->sms[s].ctas[c];
            if (!slot->is_used)
                continue;
            const struct trace_source *src = g->launches[slot->launch].src;
            g->launches[slot->launch].issued_insts += slot->ended_insts;
            for (uint64_t m = slot->warps; m; m &= m - 1)
                g->launches[slot->launch].issued_insts += g->sms[s].warps[bits_lowest(m)].at;
            src->free_cta(src, &slot->trace);
            slot->is_used = false;
        }
}

/* Cycles that were stepped since something happened; those that were jumped over do not count. */
struct watch {
    uint64_t idle, fruitless;
    uint64_t scale; /* core cycles for one of the slowest clock */
};

static uint64_t slowest_cycle(const struct clocks *c)
{
    uint64_t least = c->khz[CLOCK_CORE];
    for (uint32_t i = 0; i < CLOCK_DOMAINS; i++)
        least = c->khz[i] < least ? c->khz[i] : least;
    return bits_ceil_div(c->khz[CLOCK_CORE], least);
}

/* Whether the machine goes on: something moves, and what moves comes to something. */
static bool goes_on(struct gpu *g, struct watch *w)
{
    w->idle = g->moved_at == g->now ? 0 : w->idle + 1;
    w->fruitless = g->retired_at == g->now ? 0 : w->fruitless + 1;
    if (w->idle / w->scale > g->cfg.sim->watchdog_cycles)
        return stuck(g, "nothing has moved for too long");
    if (w->fruitless / w->scale > g->cfg.sim->livelock_cycles)
        return stuck(g, "requests move, but for too long no instruction has issued or ended");
    return true;
}

static bool run_all(struct gpu *g, const struct gpu_run *run)
{
    g->no_skip = run->no_skip;
    if (!kernels_make(g, run))
        return false;
    kernels_begin(g);
    if (!kernels_place(g))
        return false;
    uint64_t limit = g->cfg.sim->max_cycles ? g->cfg.sim->max_cycles : NEVER;
    uint64_t interval = run->interval, next_interval = interval ? interval : NEVER;
    uint64_t next_progress = PROGRESS_CYCLES;
    struct watch watch = {0, 0, slowest_cycle(&g->clocks)};
    while (g->n_done < g->n_launches) {
        if (!cycle(g))
            return false;
        uint64_t to = g->n_done == g->n_launches ? g->now + 1 : next_cycle(g);
        if (to == NEVER)
            return stuck(g, "nothing can move any more");
        if (!goes_on(g, &watch))
            return false;
        g->skipped += to - g->now - 1;
        while (next_interval <= to) { /* the state between two cycles is that of the first */
            clocks_advance(&g->clocks, next_interval);
            g->now = next_interval;
            account_all(g);
            run->at_interval(run->ctx, g, next_interval);
            next_interval += interval;
        }
        clocks_advance(&g->clocks, to);
        if (to > g->now + 1 || interval)
            fabric_skip_to(g->fabric, g->clocks.ticks[CLOCK_NOC]);
        g->now = to;
        if (g->now >= limit) {
            g->was_stopped = true;
            break;
        }
        if (run->progress && g->now >= next_progress) {
            struct gpu_progress p = {g->now, g->n_warp_insts, g->total_insts, g->done_ctas,
                                     g->total_ctas};
            next_progress = g->now + PROGRESS_CYCLES;
            if (!run->progress(run->ctx, &p)) {
                g->was_stopped = true;
                break;
            }
        }
    }
    account_all(g);
    return g->was_stopped || check_end(g);
}

const char *gpu_lacks(const struct gpu *g)
{
    return g->lacks;
}

bool gpu_run(struct gpu *g, const struct gpu_run *run)
{
    bool ok = run_all(g, run);
    release_ctas(g);
    return ok;
}
