/* SPDX-License-Identifier: MIT
 *
 * Orders of DRAM requests. fifo: strictly as they came; a busy bank holds up all behind it. frfcfs:
 * first ready, first come (Rixner 2000): a bank serves requests to its open row first, then its
 * oldest, and then stays with that row until none is left. banked_fifo: each bank has its own short
 * queue and serves it in order. */
#include <assert.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/bits.h"
#include "sim/memory/dram_sched.h"

#define NONE UINT32_MAX

struct entry {
    uint32_t req, row, bank, next;
};

struct list {
    uint32_t first, last;
    uint32_t n;
    uint32_t row; /* frfcfs: the row being drained, or DRAM_NO_ROW */
};

struct state {
    struct entry *entries;
    struct list *banks; /* fifo: one list, index 0 */
    uint32_t free, n, cap, bank_cap, n_banks;
    uint64_t occupied; /* banks with requests */
};

static struct state *make_state(uint32_t entries, uint32_t bank_cap, uint32_t lists,
                                struct arena *mem)
{
    struct state *s = arena_new(mem, struct state);
    s->entries = arena_many(mem, struct entry, entries);
    s->banks = arena_many(mem, struct list, lists);
    s->cap = entries;
    s->bank_cap = bank_cap;
    s->n_banks = lists;
    for (uint32_t i = 0; i < entries; i++)
        s->entries[i].next = i + 1 < entries ? i + 1 : NONE;
    for (uint32_t b = 0; b < lists; b++)
        s->banks[b] = (struct list){NONE, NONE, 0, DRAM_NO_ROW};
    return s;
}

static void append(struct state *s, uint32_t list, uint32_t req, uint32_t bank, uint32_t row)
{
    uint32_t i = s->free;
    assert(i != NONE); /* the channel asks has_room first */
    struct list *l = &s->banks[list];
    s->free = s->entries[i].next;
    s->entries[i] = (struct entry){req, row, bank, NONE};
    if (l->n++)
        s->entries[l->last].next = i;
    else
        l->first = i;
    l->last = i;
    s->n++;
    s->occupied |= (uint64_t)1 << list;
}

/* Takes entry `i`, which follows `before` (NONE: is the first). */
static uint32_t detach(struct state *s, uint32_t list, uint32_t i, uint32_t before)
{
    struct list *l = &s->banks[list];
    uint32_t next = s->entries[i].next;
    if (before == NONE)
        l->first = next;
    else
        s->entries[before].next = next;
    if (l->last == i)
        l->last = before;
    if (--l->n == 0)
        s->occupied &= ~((uint64_t)1 << list);
    s->entries[i].next = s->free;
    s->free = i;
    s->n--;
    return s->entries[i].req;
}

static uint32_t waiting(const void *state)
{
    return ((const struct state *)state)->n;
}

static bool has_room(const void *state, uint32_t bank, bool is_write)
{
    const struct state *s = state;
    (void)bank;
    (void)is_write;
    return s->n < s->cap;
}

/* The banks in turn from `first`, only those in `set`. */
static uint64_t turned(uint64_t set, uint32_t first, uint32_t n)
{
    uint64_t all = n == 64 ? UINT64_MAX : ((uint64_t)1 << n) - 1;
    return first ? ((set >> first) | (set << (n - first))) & all : set;
}

/* ---- fifo ---- */

static void *fifo_make(const struct dram_params *p, struct arena *mem)
{
    struct state *s = make_state(p->queue, p->queue, 1, mem);
    return s;
}

static void fifo_add(void *state, uint32_t req, uint32_t bank, uint32_t row, bool is_write)
{
    (void)is_write;
    append(state, 0, req, bank, row);
}

static bool fifo_next(void *state, uint64_t free_banks, const uint32_t *rows, uint32_t first,
                      struct dram_choice *out)
{
    struct state *s = state;
    (void)first;
    if (!s->n)
        return false;
    const struct entry e = s->entries[s->banks[0].first];
    if (!(free_banks >> e.bank & 1))
        return false;
    *out = (struct dram_choice){e.req, e.bank, rows[e.bank] == e.row};
    detach(s, 0, s->banks[0].first, NONE);
    return true;
}

/* ---- frfcfs ---- */

/* Reads and, where writes have a queue of their own, these. */
struct frfcfs {
    struct state *reads, *writes; /* writes NULL: together */
    uint32_t high, low;
    bool is_writing;
};

static void *frfcfs_make(const struct dram_params *p, struct arena *mem)
{
    struct frfcfs *f = arena_new(mem, struct frfcfs);
    f->reads = make_state(p->queue, p->queue, p->banks, mem);
    if (p->write_queue)
        f->writes = make_state(p->write_queue, p->write_queue, p->banks, mem);
    f->high = p->write_high;
    f->low = p->write_low;
    return f;
}

static bool frfcfs_room(const void *state, uint32_t bank, bool is_write)
{
    const struct frfcfs *f = state;
    return has_room(f->writes && is_write ? f->writes : f->reads, bank, is_write);
}

static void frfcfs_add(void *state, uint32_t req, uint32_t bank, uint32_t row, bool is_write)
{
    struct frfcfs *f = state;
    append(f->writes && is_write ? f->writes : f->reads, bank, req, bank, row);
}

static uint32_t frfcfs_waiting(const void *state)
{
    const struct frfcfs *f = state;
    return f->reads->n + (f->writes ? f->writes->n : 0);
}

static void bank_add(void *state, uint32_t req, uint32_t bank, uint32_t row, bool is_write)
{
    (void)is_write;
    append(state, bank, req, bank, row);
}

static uint32_t find_row(const struct state *s, const struct list *l, uint32_t row,
                         uint32_t *before)
{
    uint32_t last = NONE;
    for (uint32_t i = l->first; i != NONE; last = i, i = s->entries[i].next)
        if (s->entries[i].row == row) {
            *before = last;
            return i;
        }
    return NONE;
}

static bool frfcfs_next(void *state, uint64_t free_banks, const uint32_t *rows, uint32_t first,
                        struct dram_choice *out)
{
    struct frfcfs *f = state;
    if (f->writes && f->writes->n >= f->high)
        f->is_writing = true;
    else if (f->writes && f->writes->n < f->low)
        f->is_writing = false;
    struct state *s = f->is_writing ? f->writes : f->reads;
    assert(s);
    uint64_t m = turned(free_banks & s->occupied, first, s->n_banks);
    if (!m)
        return false;
    uint32_t b = (bits_lowest(m) + first) % s->n_banks, before = NONE;
    struct list *l = &s->banks[b];
    uint32_t row = l->row != DRAM_NO_ROW ? l->row : rows[b];
    uint32_t i = row == DRAM_NO_ROW ? NONE : find_row(s, l, row, &before);
    bool hit = i != NONE;
    if (!hit) {
        i = l->first;
        before = NONE;
    }
    l->row = s->entries[i].row;
    *out = (struct dram_choice){s->entries[i].req, b, hit};
    detach(s, b, i, before);
    if (find_row(s, l, l->row, &before) == NONE)
        l->row = DRAM_NO_ROW;
    return true;
}

/* ---- banked fifo ---- */

static void *banked_make(const struct dram_params *p, struct arena *mem)
{
    return make_state(p->bank_queue * p->banks, p->bank_queue, p->banks, mem);
}

static bool banked_room(const void *state, uint32_t bank, bool is_write)
{
    const struct state *s = state;
    (void)is_write;
    return s->banks[bank % s->n_banks].n < s->bank_cap;
}

static bool banked_next(void *state, uint64_t free_banks, const uint32_t *rows, uint32_t first,
                        struct dram_choice *out)
{
    struct state *s = state;
    uint64_t m = turned(free_banks & s->occupied, first, s->n_banks);
    if (!m)
        return false;
    uint32_t b = (bits_lowest(m) + first) % s->n_banks, i = s->banks[b].first;
    *out = (struct dram_choice){s->entries[i].req, b, rows[b] == s->entries[i].row};
    detach(s, b, i, NONE);
    return true;
}

/* ---- the table ---- */

static const struct dram_sched dram_sched_frfcfs = {
    "requests to the open row first, then the oldest",
    frfcfs_make,
    frfcfs_room,
    frfcfs_add,
    frfcfs_next,
    frfcfs_waiting,
};
static const struct dram_sched dram_sched_fifo = {
    "as they came; a busy bank holds up all behind it",
    fifo_make,
    has_room,
    fifo_add,
    fifo_next,
    waiting,
};
static const struct dram_sched dram_sched_banked_fifo = {
    "a short queue per bank, each in order",
    banked_make,
    banked_room,
    bank_add,
    banked_next,
    waiting,
};

#define X(word) &dram_sched_##word,
const struct dram_sched *const dram_scheds[DRAM_POLICY_COUNT] = {DRAM_POLICIES(X)};
#undef X
