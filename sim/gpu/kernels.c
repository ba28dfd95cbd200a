/* SPDX-License-Identifier: MIT
 *
 * The kernels of a run: which begin, where their CTAs go, when they end. */
#include "sim/gpu/kernels.h"

#include <string.h>

#include "base/arena.h"
#include "base/bits.h"
#include "base/err.h"
#include "sim/cluster/cluster.h"
#include "sim/frame/machine.h"
#include "sim/gpu/gpu.h"
#include "sim/gpu/settle.h"
#include "sim/memory/l2.h"
#include "sim/sm/l1.h"
#include "sim/sm/lsu.h"
#include "sim/sm/sm.h"

#define CODE_BASE ((uint64_t)0xf0000000) /* where instructions lie, as in GPGPU-Sim */

static bool check_kernel(struct gpu *g, const struct trace_source *src, uint32_t k)
{
    const struct trace_kernel *t = &src->kernels[k];
    uint32_t needs, has;
    g->lacks = sm_lacks(g, t, &needs, &has);
    if (!g->lacks)
        return true;
    g->has_failed = true;
    return err_add(g->err, ERR_INPUT, AT_FILE(src->file),
                   "kernel %u (%s): a CTA of %u warps, %u registers per thread and %u bytes of "
                   "shared memory does not fit into an SM: it needs %u of %s, which is %u",
                   k + 1, t->name, t->warps_per_cta, t->regs_per_thread, t->shared_bytes, needs,
                   g->lacks, has);
}

/* Whose SM is it, where several programs share the machine? */
static void divide_sms(struct gpu *g, const struct gpu_run *run)
{
    bool is_interleaved = g->cfg.cta->share == SHARE_interleave;
    uint32_t *seen = arena_many(g->mem, uint32_t, g->cta_machine.n_crossbars + 1);
    for (uint32_t s = 0; s < g->n_sms; s++) {
        uint32_t x = g->cta_machine.crossbar_of[s];
        g->owner[s] = is_interleaved ? seen[x]++ % run->n_programs
                                     : (uint32_t)((uint64_t)s * run->n_programs / g->n_sms);
    }
}

bool kernels_make(struct gpu *g, const struct gpu_run *run)
{
    uint32_t n = 0;
    for (uint32_t p = 0; p < run->n_programs; p++)
        n += run->programs[p]->n_kernels;
    g->launches = arena_many(g->mem, struct launch, n ? n : 1);
    g->n_programs = run->n_programs;
    g->is_concurrent = run->n_programs > 1 && g->cfg.cta->share != SHARE_sequence;
    divide_sms(g, run);
    for (uint32_t p = 0; p < run->n_programs; p++)
        for (uint32_t k = 0; k < run->programs[p]->n_kernels; k++) {
            const struct trace_source *src = run->programs[p];
            if (!check_kernel(g, src, k))
                return false;
            g->launches[g->n_launches++] = (struct launch){
                .src = src,
                .program = p,
                .kernel = k,
                .k = &src->kernels[k],
                .sched = g->cta_sched,
                .base = (uint64_t)p << 44,
                .code = CODE_BASE + ((uint64_t)p << 44) +
                        (g->cfg.compat->kernels_share_code_address ? 0 : (uint64_t)k << 20)};
            if (!launch_settle(g, &g->launches[g->n_launches - 1])) {
                g->has_failed = true;
                return false;
            }
            g->total_insts += src->kernels[k].n_warp_insts;
            g->total_ctas += src->kernels[k].n_ctas;
        }
    return true;
}

/* ---- SMs that inject one after the other (compat.cluster_order) ---- */

/* A kernel begins: each cluster may get a CTA, and runs in the cycle before the first of them. */
static void begin_turns(struct gpu *g)
{
    if (g->cfg.compat->cluster_order != CLUSTER_ORDER_turns)
        return;
    for (uint32_t c = 0; c < g->n_clusters; c++) {
        struct cluster *u = &g->clusters[c];
        if (u->is_running)
            continue;
        u->is_running = true;
        u->runs++;
        u->runs_from = g->sms_begin;
    }
}

void kernels_end_turns(struct gpu *g)
{
    if (g->cfg.compat->cluster_order != CLUSTER_ORDER_turns)
        return;
    for (uint32_t i = 0; i < g->n_launches; i++)
        if (g->launches[i].is_running && g->launches[i].n_placed < g->launches[i].k->n_ctas)
            return;
    for (uint32_t c = 0; c < g->n_clusters; c++) {
        struct cluster *u = &g->clusters[c];
        bool has_any = false;
        for (uint32_t k = 0; k < u->n_sms; k++)
            has_any |= g->sms[u->first_sm + k].n_ctas != 0;
        if (has_any || !u->is_running)
            continue;
        u->runs += g->sms_begin - u->runs_from;
        u->is_running = false;
    }
}

static void begin(struct gpu *g, struct launch *l)
{
    l->is_running = true;
    l->began = g->now;
    l->begins = g->now + g->cfg.gpu->launch_cycles;
    if (g->cfg.compat->clock_edges == CLOCK_EDGES_summed && !g->is_concurrent)
        clocks_sum(&g->clocks); /* each kernel anew */
    l->max_per_sm = sm_capacity(g, l->k);
    if (g->cfg.compat->cta_turn_goes_on && !g->cta_machine.next_sm)
        g->cta_machine.next_sm = g->cta_next_sm = arena_many(g->mem, uint32_t, g->n_clusters);
    if (l->k->n_warp_insts >= g->places_insts) {
        uint32_t active = l->cta.clustering.active_agents;
        bool is_less =
            l->cta.clustering.mode == CTA_CLUSTERING_agent && active && active < l->max_per_sm;
        g->cta_places = is_less ? active : l->max_per_sm;
        g->places_insts = l->k->n_warp_insts;
    }
    l->machine = g->cta_machine;
    if (g->is_concurrent) {
        if (!l->is_own)
            l->is_own = arena_many(g->mem, bool, g->n_sms);
        for (uint32_t s = 0; s < g->n_sms; s++)
            l->is_own[s] = g->owner[s] == l->program;
        l->machine.is_own = l->is_own;
    }
    struct cta_grid grid = {
        .n_ctas = l->k->n_ctas, .max_per_sm = l->max_per_sm, .columns = l->k->n_ctas};
    if (l->k->grid.x && l->k->n_ctas % l->k->grid.x == 0) /* else: a part of a grid */
        grid.columns = l->k->grid.x;
    grid.order = l->order;
    l->state = l->sched->begin(&l->cta, &l->machine, &grid, g->mem);
    begin_turns(g);
    g->n_running++;
    g->must_place = true;
    for (uint32_t c = 0; c < l->src->n_copies && g->cfg.llc->host_copies_fill; c++)
        if (l->src->copies[c].before_kernel == l->kernel)
            slice_preload(g, l->src->copies[c].address + l->base, l->src->copies[c].bytes);
    bool has_local = false;
    for (uint32_t i = 0; i < l->k->n_statics; i++) {
        has_local |= (l->k->statics[i].flags & TF_PRIVATE) != 0;
        l->has_private |= (l->k->statics[i].flags & (TF_PRIVATE | TF_BY_SM)) != 0;
    }
    if (has_local)
        g->sm_common->rule.word_stride = sm_local_stride(g, l);
    uint32_t each = (uint32_t)bits_ceil_div(l->k->n_ctas, g->n_sms);
    uint32_t ctas = each < l->max_per_sm ? each : l->max_per_sm;
    for (uint32_t s = 0; s < g->n_sms; s++)
        if (!g->is_concurrent || g->owner[s] == l->program)
            l1_kernel_begin(&g->sms[s], ctas * l->k->shared_bytes);
}

void kernels_begin(struct gpu *g)
{
    uint64_t busy = 0; /* programs with a kernel that runs or waits */
    for (uint32_t i = 0; i < g->n_launches; i++) {
        struct launch *l = &g->launches[i];
        if (l->is_done)
            continue;
        uint64_t bit = g->is_concurrent ? (uint64_t)1 << (l->program % 64) : 1;
        if (busy & bit)
            continue;
        busy |= bit;
        if (!l->is_running)
            begin(g, l);
    }
}

bool kernel_is_drained(const struct gpu *g, const struct launch *l)
{
    for (uint32_t s = 0; s < g->n_sms; s++)
        if (!g->sms[s].n_ctas && (!g->is_concurrent || g->owner[s] == l->program) &&
            !lsu_is_idle(&g->sms[s]))
            return false;
    return true;
}

void kernel_end(struct gpu *g, struct launch *l)
{
    l->is_running = false;
    l->is_done = true;
    l->ended = g->now + 1;
    l->rounds++;
    g->n_running--;
    g->n_done++;
    for (uint32_t s = 0; s < g->n_sms; s++)
        if (!g->sms[s].n_ctas && (!g->is_concurrent || g->owner[s] == l->program))
            sm_kernel_end(&g->sms[s]);
    if (g->hooks.kernel_end)
        g->hooks.kernel_end(g->hooks.ctx, g, g->now);
    TELL(g, kernel_end, l->kernel, g->now);
}

bool kernels_begin_again(const struct gpu *g)
{
    return g->cfg.sim->restart && g->cfg.sim->max_cycles;
}

void kernels_restart(struct gpu *g, uint32_t program)
{
    for (uint32_t i = 0; i < g->n_launches; i++)
        if (!g->launches[i].is_done && (!g->is_concurrent || g->launches[i].program == program))
            return;
    for (uint32_t i = 0; i < g->n_launches; i++) {
        struct launch *l = &g->launches[i];
        if (g->is_concurrent && l->program != program)
            continue;
        l->is_done = false;
        l->n_placed = l->n_retired = 0;
        g->n_done--;
    }
}

static bool may_take(const struct gpu *g, uint32_t sm, uint32_t program)
{
    if (!g->is_concurrent || g->owner[sm] == program)
        return true;
    if (kernels_begin_again(g)) /* its owner never runs out of CTAs for good */
        return false;
    for (uint32_t i = 0; i < g->n_launches; i++) /* its owner has run out of CTAs */
        if (g->launches[i].program == g->owner[sm] && !g->launches[i].is_done &&
            g->launches[i].n_placed < g->launches[i].k->n_ctas)
            return false;
    return true;
}

/* Places left empty by block policies, over time: what was empty since the last look. */
static void account_idled(struct gpu *g, uint32_t now_idled)
{
    g->idled_cycles += (g->now - g->idled_since) * g->n_idled;
    g->idled_since = g->now;
    g->n_idled = now_idled;
}

/* Where the next kernel's first CTA goes. */
static void remember_turn(struct gpu *g, uint32_t sm)
{
    uint32_t c = g->cluster_of[sm];
    g->cta_machine.start = c + 1;
    g->cta_next_sm[c] = sm - g->cta_machine.first_sm[c] + 1;
}

/* One launch a cycle: of an SM, or of its cluster. */
static void took_cta(struct gpu *g, uint32_t sm)
{
    const struct cluster *c = &g->clusters[g->cluster_of[sm]];
    bool is_all = g->cfg.compat->cluster_order != CLUSTER_ORDER_bus;
    for (uint32_t k = 0; k < (is_all ? c->n_sms : 1); k++) {
        uint32_t s = is_all ? c->first_sm + k : sm;
        g->room[s] = 0;
        bits_set(g->launched, s);
    }
}

bool kernels_place(struct gpu *g)
{
    bool any = false;
    uint32_t n_idled = 0;
    memset(g->launched, 0, g->sm_words * sizeof *g->launched);
    for (uint32_t i = 0; i < g->n_launches; i++) {
        struct launch *l = &g->launches[i];
        struct cta_place p;
        if (!l->is_running || l->n_placed == l->k->n_ctas)
            continue;
        if (g->now < l->begins) {
            any = true;
            continue;
        }
        for (uint32_t s = 0; s < g->n_sms; s++) {
            g->later[s] = may_take(g, s, l->program) ? sm_room(&g->sms[s], l->k) : 0;
            g->room[s] = bits_test(g->launched, s) ? 0 : g->later[s];
        }
        while (l->n_placed < l->k->n_ctas && l->sched->next(l->state, g->room, &p)) {
            for (uint32_t k = 0; k < p.n; k++)
                if (!sm_launch(&g->sms[p.sm], i, &p, k, g->now))
                    return false;
            l->n_placed += p.n;
            if (g->cta_next_sm)
                remember_turn(g, p.sm);
            g->later[p.sm] -= p.n;
            took_cta(g, p.sm);
            g->moved_at = g->retired_at = g->now;
            any = true;
        }
        if (l->n_placed < l->k->n_ctas)
            n_idled += l->sched->idled(l->state, g->later);
    }
    account_idled(g, n_idled);
    g->must_place = any;
    return true;
}
