/* SPDX-License-Identifier: MIT */
#include "sim/study/window.h"

#include <stdbool.h>

#include "base/arena.h"
#include "base/bits.h"
#include "sim/frame/machine.h"

enum { MOST_LINES = 2 << (WINDOW_SIZES - 1) };

struct window { /* a ring; a line is kept as line + 1, so that 0 is an empty place */
    uint64_t lines[MOST_LINES];
    uint32_t next;
};

struct window_study {
    struct window (*windows)[WINDOW_SIZES]; /* [SM] */
    struct window_counts counts;
    uint32_t line_bits;
};

struct window_study *window_new(uint32_t n_sms, struct arena *mem)
{
    struct window_study *w = arena_new(mem, struct window_study);
    w->windows = arena_array(mem, n_sms, sizeof *w->windows);
    return w;
}

void window_load(struct window_study *w, uint32_t sm, uint64_t line)
{
    w->counts.loads++;
    for (uint32_t i = 0; i < WINDOW_SIZES; i++) {
        struct window *v = &w->windows[sm][i];
        uint32_t size = 2u << i;
        bool is_there = false;
        for (uint32_t k = 0; k < size; k++)
            is_there |= v->lines[k] == line + 1;
        if (is_there) {
            w->counts.merged[i]++;
        } else {
            v->lines[v->next] = line + 1;
            v->next = (v->next + 1) % size;
        }
    }
}

static void look(void *ctx, const struct l1_look *a, uint64_t now)
{
    struct window_study *w = ctx;
    (void)now;
    if (!a->is_write)
        window_load(w, a->sm, a->address >> w->line_bits);
}

struct window_study *window_attach(struct gpu *g)
{
    struct window_study *w = window_new(g->n_sms, g->mem);
    w->line_bits = bits_clog2(g->cfg.l1->line_bytes);
    machine_watch(g, &(struct sim_probe){.ctx = w, .l1 = look});
    return w;
}

const struct window_counts *window_counts(const struct window_study *w)
{
    return &w->counts;
}
