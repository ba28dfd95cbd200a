/* SPDX-License-Identifier: MIT */
#include "sim/gpu/settle.h"

#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "sim/cta/order_file.h"
#include "sim/frame/machine.h"
#include "sim/sm/sm.h"
#include "sim/study/direction.h"
#include "sim/study/streams.h"

/* A kernel that asked which SM it is on runs there and nowhere else. */
static bool settle_sm(struct gpu *g, struct launch *l)
{
    uint32_t told = l->k->n_sms;
    struct where at = AT_FILE(l->src->file);
    if (!told)
        return true;
    if (told != g->n_sms)
        return err_add(
            g->err, ERR_INPUT, at,
            "kernel %u (%s) chose its work by %%smid when it was traced for %u SMs; this "
            "machine has %u, and a trace cannot choose again (workloads: sms = %u)",
            l->kernel + 1, l->k->name, told, g->n_sms, g->n_sms);
    if (l->cta.clustering.mode != CTA_CLUSTERING_off)
        return err_add(g->err, ERR_INPUT, at,
                       "kernel %u (%s) chooses its work by %%smid itself: cta.clustering.mode must "
                       "be \"off\"",
                       l->kernel + 1, l->k->name);
    if (g->is_concurrent)
        return err_add(g->err, ERR_INPUT, at,
                       "kernel %u (%s) chose its work by %%smid for a whole machine and cannot "
                       "share one: cta.share must be \"sequence\"",
                       l->kernel + 1, l->k->name);
    l->sched = &cta_bound;
    return true;
}

/* The order of the CTAs, where their addresses or a file are to say it. */
static bool settle_index(struct gpu *g, struct launch *l)
{
    struct cta_clustering_params *p = &l->cta.clustering;
    struct direction d;
    if (p->mode == CTA_CLUSTERING_off)
        return true;
    if (p->index == CTA_INDEX_auto) {
        if (!study_direction(l->src, l->kernel, g->cfg.l1->line_bytes, &d, g->err))
            return false;
        p->index = direction_is_column(&d) ? CTA_INDEX_column : CTA_INDEX_row;
    }
    if (p->index != CTA_INDEX_file)
        return true;
    if (!g->orders)
        g->orders = cta_order_file_read(p->order, g->mem, g->err);
    if (!g->orders ||
        !cta_order_file_find(g->orders, l->k->name, l->k->n_ctas, g->mem, &l->order, g->err))
        return false;
    if (!l->order)
        p->index = CTA_INDEX_row;
    return true;
}

/* Behind the kernel's instructions: for each of them a prefetch of what it reads, and an integer
 * instruction that works out addresses. */
static bool add_prefetches(struct gpu *g, struct launch *l, struct trace_static *s)
{
    uint32_t n = l->k->n_statics;
    uint64_t pc = 0;
    if (n > UINT16_MAX / 2)
        return err_add(g->err, ERR_INPUT, AT_FILE(l->src->file),
                       "kernel %u (%s) has %u instructions, too many for cta.clustering.prefetch",
                       l->kernel + 1, l->k->name, n);
    for (uint32_t i = 0; i < n; i++)
        pc = s[i].pc > pc ? s[i].pc : pc;
    for (uint32_t i = 0; i <= n; i++) {
        pc += 16;
        s[n + i] = (struct trace_static){.pc = pc, .cls = TC_INT};
        if (i < n && s[i].cls == TC_LOAD && s[i].space == TS_GLOBAL)
            s[n + i] = (struct trace_static){.pc = pc,
                                             .cls = TC_PREFETCH,
                                             .space = TS_GLOBAL,
                                             .access_bytes = s[i].access_bytes,
                                             .flags = s[i].flags & TF_BYPASS_L1};
    }
    l->has_prefetches = true;
    return true;
}

static bool settle_statics(struct gpu *g, struct launch *l)
{
    const char *bypass = g->cfg.l1->bypass_loads;
    uint32_t n = l->k->n_statics;
    bool prefetches = l->cta.clustering.mode == CTA_CLUSTERING_agent && l->cta.clustering.prefetch;
    bool bypasses = bypass && bypass[0];
    l->statics = l->k->statics;
    l->asks_ahead = prefetches;
    for (uint32_t i = 0; i < n; i++)
        l->asks_ahead |= l->k->statics[i].cls == TC_PREFETCH;
    if (!prefetches && !bypasses)
        return true;
    struct trace_static *s = arena_many(g->mem, struct trace_static, 2 * n + 1);
    memcpy(s, l->k->statics, n * sizeof *s);
    l->statics = s;
    if (bypasses) {
        bool *marks = arena_many(g->mem, bool, n + 1);
        if (!study_bypass(bypass, l->src, l->kernel, g->cfg.l1->line_bytes, marks, g->err))
            return false;
        for (uint32_t i = 0; i < n; i++)
            s[i].flags |= marks[i] ? TF_BYPASS_L1 : 0;
    }
    return !prefetches || add_prefetches(g, l, s);
}

/* CTAs that wait for each other must all be there: the machine holds the grid, or refuses it. */
static bool settle_grid(struct gpu *g, struct launch *l)
{
    struct where at = AT_FILE(l->src->file);
    for (uint32_t i = 0; i < l->k->n_statics; i++)
        l->meets |= l->k->statics[i].cls == TC_BARRIER && l->k->statics[i].flags & TF_GRID;
    if (!l->meets)
        return true;
    if (l->cta.clustering.mode == CTA_CLUSTERING_agent)
        return err_add(g->err, ERR_INPUT, at,
                       "kernel %u (%s) has barriers of its whole grid, and agents run its CTAs one "
                       "after the other: cta.clustering.mode must not be \"agent\"",
                       l->kernel + 1, l->k->name);
    uint32_t n_sms = 0;
    for (uint32_t s = 0; s < g->n_sms; s++)
        n_sms += !g->is_concurrent || g->owner[s] == l->program;
    uint64_t room = (uint64_t)n_sms * sm_capacity(g, l->k);
    if (l->k->n_ctas <= room)
        return true;
    return err_add(g->err, ERR_INPUT, at,
                   "kernel %u (%s) has barriers of its whole grid: its %u CTAs must run at once, "
                   "and %u SMs hold %llu of them",
                   l->kernel + 1, l->k->name, l->k->n_ctas, n_sms, (unsigned long long)room);
}

bool launch_settle(struct gpu *g, struct launch *l)
{
    l->cta = *g->cfg.cta;
    return settle_sm(g, l) && settle_grid(g, l) && settle_index(g, l) && settle_statics(g, l);
}
