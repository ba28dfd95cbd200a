/* SPDX-License-Identifier: MIT
 *
 * Calls of functions that have a body of their own. The calling path waits behind the call while
 * one path for every function that its lanes call runs above it. Frames lie one behind the other
 * in the thread's local memory; registers of a function that is entered again before it has
 * returned are set aside and come back with the return. */
#include <stdlib.h>
#include <string.h>

#include "sim/ptx/exec.h"

#define FRAME_ALIGN 16u
#define MOST_SAVED ((size_t)16 << 20) /* bytes of registers set aside by one warp */

static uint8_t *frame_of(const struct ptx_exec *x, const struct ptx_warp *w, uint32_t lane)
{
    return w->frame + (size_t)lane * x->stack_bytes;
}

static void copy(const struct ptx_exec *x, struct ptx_warp *w, const struct ptx_argument *a,
                 uint32_t n, uint32_t here, uint32_t there, uint32_t mask, bool back)
{
    for (uint32_t m = mask; m; m &= m - 1) {
        uint8_t *f = frame_of(x, w, (uint32_t)__builtin_ctz(m));
        for (uint32_t i = 0; i < n; i++) {
            uint8_t *mine = f + here + a[i].here, *its = f + there + a[i].there;
            memcpy(back ? mine : its, back ? its : mine, a[i].bytes);
        }
    }
}

static bool no_memory(struct ptx_exec *x)
{
    x->failed = true;
    return err_add(x->err, ERR_MACHINE, NOWHERE, "no memory for calls in kernel %s",
                   x->kernel->name);
}

/* Sets the registers of a body aside, for the return. */
static bool set_aside(struct ptx_exec *x, struct ptx_warp *w, const struct ptx_slot *s)
{
    size_t preds = s->n_preds * sizeof *w->preds, n = s->place_bytes + preds;
    if (w->n_saved + n > w->cap_saved) {
        size_t cap = (w->n_saved + n) * 2;
        uint8_t *more = realloc(w->saved, cap);
        if (!more)
            return no_memory(x);
        w->saved = more;
        w->cap_saved = cap;
    }
    memcpy(w->saved + w->n_saved, w->file + s->first_place, s->place_bytes);
    memcpy(w->saved + w->n_saved + s->place_bytes, w->preds + s->first_pred, preds);
    w->n_saved += n;
    return true;
}

static void take_back(struct ptx_warp *w, const struct ptx_slot *s)
{
    size_t preds = s->n_preds * sizeof *w->preds;
    w->n_saved -= s->place_bytes + preds;
    memcpy(w->file + s->first_place, w->saved + w->n_saved, s->place_bytes);
    memcpy(w->preds + s->first_pred, w->saved + w->n_saved + s->place_bytes, preds);
}

/* Lanes `mask` enter a body; the calling path is the one below. */
static bool enter(struct ptx_exec *x, struct ptx_warp *w, const struct ptx_code *c, uint32_t slot,
                  uint32_t mask)
{
    const struct ptx_slot *s = &x->kernel->slots[slot];
    const struct ptx_call *how = c->u.call;
    uint32_t lane = (uint32_t)__builtin_ctz(mask);
    uint32_t base = (w->call_end + FRAME_ALIGN - 1) & ~(FRAME_ALIGN - 1);
    /* a frame has no less than a return address */
    uint32_t bytes = s->frame_bytes > FRAME_ALIGN ? s->frame_bytes : FRAME_ALIGN;
    if (s->entry == PTX_NO_PC)
        return ptx_fault(x, w, c, lane, "function %s: %s", s->func->name, s->refusal);
    if (base > x->stack_bytes || bytes > x->stack_bytes - base || w->n_saved > MOST_SAVED)
        return ptx_fault(
            x, w, c, lane,
            "the call of %s, %u calls deep, needs more than the %u bytes of a thread's "
            "stack",
            s->func->name, w->n_calls, x->stack_bytes);
    if (w->n_calls == w->cap_calls) {
        uint32_t cap = w->cap_calls ? w->cap_calls * 2 : 16;
        struct ptx_activation *more = realloc(w->calls, cap * sizeof *more);
        if (!more)
            return no_memory(x);
        w->calls = more;
        w->cap_calls = cap;
    }
    struct ptx_activation a = {.call = c,
                               .slot = slot,
                               .mask = mask,
                               .path = w->n_paths,
                               .caller_base = w->frame_base,
                               .caller_end = w->call_end,
                               .base = base,
                               .end = base + bytes,
                               .saved = w->active[slot] != 0};
    if (a.saved && !set_aside(x, w, s))
        return false;
    copy(x, w, how->in, how->n_in, w->frame_base, base, mask, false);
    if (a.end > w->stack_used)
        w->stack_used = a.end;
    w->active[slot]++;
    w->calls[w->n_calls++] = a;
    return ptx_push_path(x, w, (struct ptx_path){s->entry, PTX_NO_PC, mask, true});
}

/* The frame that the path on top of the stack works in. */
static void use_frame(struct ptx_warp *w)
{
    const struct ptx_activation *a = w->n_calls ? &w->calls[w->n_calls - 1] : NULL;
    w->frame_base = a ? a->base : 0;
    w->call_end = a ? a->end : w->entry_end;
}

static uint32_t find_slot(const struct ptx_kernel *k, uint64_t address)
{
    for (uint32_t i = 0; i < k->n_slots; i++)
        if (k->slots[i].by_address && k->slots[i].address == address)
            return i;
    return UINT32_MAX;
}

static bool no_such_function(struct ptx_exec *x, struct ptx_warp *w, const struct ptx_code *c,
                             uint32_t lane, uint64_t address)
{
    const struct ptx_module *m = x->kernel->module;
    for (uint32_t i = 0; i < m->n_funcs; i++)
        if (ptx_function_address(x->kernel->layout, m->funcs[i]->name) == address)
            return ptx_fault(x, w, c, lane, "function %s takes other arguments", m->funcs[i]->name);
    return ptx_fault(x, w, c, lane, "there is no function at 0x%llx", (unsigned long long)address);
}

bool ptx_call_functions(struct ptx_exec *x, struct ptx_warp *w, const struct ptx_code *c,
                        uint32_t mask)
{
    const struct ptx_kernel *k = x->kernel;
    w->paths[w->n_paths - 1].pc++; /* those that do not call wait there, too */
    if (c->u.call->only) {
        bool ok = enter(x, w, c, c->u.call->only - 1, mask);
        use_frame(w);
        return ok;
    }
    uint64_t to[PTX_LANES];
    memcpy(to, w->file + c->a, sizeof to);
    for (uint32_t left = mask; left;) {
        uint32_t lane = (uint32_t)__builtin_ctz(left), part = 0, slot = find_slot(k, to[lane]);
        if (slot == UINT32_MAX)
            return no_such_function(x, w, c, lane, to[lane]);
        for (uint32_t m = left; m; m &= m - 1)
            part |= (uint32_t)(to[__builtin_ctz(m)] == to[lane]) << __builtin_ctz(m);
        left &= ~part;
        if (!enter(x, w, c, slot, part))
            return false;
    }
    use_frame(w);
    return true;
}

void ptx_return_from(struct ptx_warp *w, uint32_t mask)
{
    for (uint32_t i = w->n_paths; i-- > 0;) {
        w->paths[i].mask &= ~mask;
        if (w->paths[i].is_call)
            return;
    }
}

void ptx_leave_function(struct ptx_exec *x, struct ptx_warp *w)
{
    struct ptx_activation a = w->calls[--w->n_calls];
    const struct ptx_call *how = a.call->u.call;
    w->active[a.slot]--;
    if (a.saved)
        take_back(w, &x->kernel->slots[a.slot]);
    copy(x, w, how->out, how->n_out, a.caller_base, a.base, a.mask & w->alive, true);
    use_frame(w);
}
