/* SPDX-License-Identifier: MIT
 *
 * Cooperative launches. All CTAs are there at once, each with registers and shared memory of its
 * own, and run one after the other from one barrier of the grid to the next.
 *
 * A barrier of the grid is what CUDA's headers make of it: behind a barrier of the CTA one thread
 * adds to a word of the workspace (%envreg1, %envreg2) and reads it until its top bit has changed.
 * Here the first of those reads waits until every CTA has added as often, so that it is the last,
 * too; in the trace a fence stands before the addition, and the grid's barrier before the read. */
#include <stdlib.h>
#include <string.h>

#include "sim/ptx/exec.h"

static bool note(struct ptx_exec *x, struct ptx_warp *w, uint32_t stat, uint32_t mask)
{
    x->warp_insts++;
    x->thread_insts += ptx_count(mask);
    return !x->recording || ptx_record(x, w, stat, mask, 0, 0);
}

bool ptx_pass_grid(struct ptx_exec *x, struct ptx_warp *w, const struct ptx_code *c, uint32_t mask,
                   const uint64_t *address)
{
    struct ptx_grid *g = x->grid;
    uint32_t there = 0;
    if (c->kind != PK_LOAD && c->kind != PK_ATOMIC)
        return true;
    for (uint32_t m = mask; m; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m);
        there |= address[lane] - g->workspace < PTX_GRID_BYTES ? 1u << lane : 0;
    }
    if (!there || (c->space != PS_GLOBAL && c->space != PS_GENERIC))
        return true;
    if (c->kind == PK_ATOMIC) {
        uint32_t n = ptx_count(there);
        g->arrived[x->cta_id] += n;
        g->total += n;
        return note(x, w, x->kernel->grid_stat, there);
    }
    if (g->noted[x->cta_id] < g->arrived[x->cta_id]) {
        g->noted[x->cta_id] = g->arrived[x->cta_id];
        if (!note(x, w, x->kernel->grid_stat + 1, there))
            return false;
    }
    if (g->total >= g->arrived[x->cta_id] * g->n_ctas)
        return true;
    w->state = PW_GRID;
    w->waits = c;
    w->waits_mask = mask;
    return false;
}

static bool report_waiting(struct ptx_exec *ctas, const struct ptx_grid *g, uint32_t n_ended)
{
    for (uint32_t i = 0; i < g->n_ctas; i++)
        for (uint32_t k = 0; k < ctas[i].n_warps && ctas[i].warps; k++) {
            const struct ptx_warp *w = &ctas[i].warps[k];
            if (w->state == PW_GRID)
                return ptx_fault(&ctas[i], w, w->waits, (uint32_t)__builtin_ctz(w->waits_mask),
                                 "deadlock at a barrier of the grid: %u of its %u CTAs have ended "
                                 "and the others wait",
                                 n_ended, g->n_ctas);
        }
    return false;
}

/* Warps that wait may look again. */
static void wake(struct ptx_exec *x)
{
    for (uint32_t i = 0; i < x->n_warps; i++)
        if (x->warps[i].state == PW_GRID)
            x->warps[i].state = PW_READY;
}

static bool run_ctas(struct ptx_exec *ctas, const struct ptx_grid *g, bool *done)
{
    uint32_t n_done = 0;
    while (n_done < g->n_ctas) {
        uint32_t n_ran = 0;
        for (uint32_t i = 0; i < g->n_ctas; i++) {
            bool may_run = !done[i] && (!g->arrived[i] || g->noted[i] < g->arrived[i] ||
                                        g->total >= g->arrived[i] * g->n_ctas);
            if (!may_run)
                continue;
            wake(&ctas[i]);
            enum ptx_cta_state s = ptx_cta_run(&ctas[i]);
            if (s == PCTA_FAILED)
                return false;
            done[i] = s == PCTA_DONE;
            n_done += done[i];
            n_ran++;
        }
        if (n_ran == 0)
            return report_waiting(ctas, g, n_done);
    }
    return true;
}

/* The word in which the CTAs count themselves begins as zero. */
static bool make_workspace(struct ptx_device *d, struct ptx_grid *g, struct err *err)
{
    if (!d->grid_workspace) {
        uint32_t s = ptx_device_alloc(d, "workspace of the grid", PTX_GRID_BYTES, NOWHERE, err);
        if (s == UINT32_MAX)
            return false;
        d->grid_workspace = d->segments[s].base;
    }
    g->workspace = d->grid_workspace;
    memset(ptx_device_at(d, g->workspace)->host, 0, PTX_GRID_BYTES);
    return true;
}

bool ptx_run_grid(struct ptx_exec *x, const struct trace_sink *sink)
{
    const struct trace_dim *d = &x->launch->grid;
    uint32_t n = d->x * d->y * d->z;
    struct ptx_grid g = {.n_ctas = n};
    if (!make_workspace(x->device, &g, x->err))
        return false;
    g.arrived = calloc((size_t)n * 2, sizeof *g.arrived);
    g.noted = g.arrived ? g.arrived + n : NULL;
    struct ptx_exec *ctas = calloc(n, sizeof *ctas);
    bool *done = calloc(n, sizeof *done);
    bool ok = g.arrived && ctas && done;
    if (!ok)
        err_add(x->err, ERR_MACHINE, NOWHERE, "no memory for %u CTAs at once", n);
    for (uint32_t i = 0; i < n && ok; i++) {
        ctas[i] = *x;
        ctas[i].grid = &g;
        ok = ptx_exec_make(&ctas[i]);
        if (ok)
            ptx_cta_begin(&ctas[i], i);
    }
    ok = ok && run_ctas(ctas, &g, done);
    for (uint32_t i = 0; i < n && ctas; i++) {
        ok = ok && (!sink || ptx_cta_hand_over(&ctas[i], sink));
        x->warp_insts += ctas[i].warp_insts;
        x->thread_insts += ctas[i].thread_insts;
        x->n_races += ctas[i].n_races;
        ptx_exec_free(&ctas[i]);
    }
    free(g.arrived);
    free(ctas);
    free(done);
    return ok;
}
