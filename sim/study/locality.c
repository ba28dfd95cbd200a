/* SPDX-License-Identifier: MIT */
#include "sim/study/locality.h"

#include <string.h>

#include "base/arena.h"
#include "base/bits.h"
#include "sim/sm/sm.h"

#define LOADS 8u /* remembered of a line */

struct past {
    uint64_t at; /* cycle + 1; 0: never */
    uint64_t words;
    uint32_t cta;
};

/* A line of a cluster, or of an SM (then only past[0].cta counts). */
struct seen {
    uint64_t key; /* owner and line, + 1; 0: empty */
    uint32_t next;
    struct past past[LOADS];
};

struct last_reader {
    uint64_t key; /* as above */
    uint32_t cta;
};

struct locality {
    struct gpu *gpu;
    uint64_t window;
    struct seen *seen; /* open addressing, a power of two */
    uint64_t n_slots, n_used;
    struct last_reader *readers;
    uint64_t n_reader_slots, n_readers;
    struct locality_counts counts;
};

static uint64_t key_of(uint32_t owner, uint64_t line)
{
    return (line << 12 ^ (uint64_t)owner) + 1; /* fewer than 4096 SMs, lines of 52 bits */
}

static uint64_t slot_of(uint64_t key, uint64_t n_slots)
{
    return (key * 0x9e3779b97f4a7c15u >> 20) & (n_slots - 1);
}

static struct seen *seen_at(struct seen *table, uint64_t n_slots, uint64_t key)
{
    uint64_t i = slot_of(key, n_slots);
    while (table[i].key && table[i].key != key)
        i = (i + 1) & (n_slots - 1);
    return &table[i];
}

static bool is_recent(const struct seen *s, uint64_t window, uint64_t now)
{
    const struct past *last = &s->past[(s->next - 1) % LOADS];
    return last->at && now - (last->at - 1) <= window;
}

/* Lines outside the window are forgotten; the table grows if most are inside. */
static void tidy(struct locality *l, uint64_t now)
{
    uint64_t n_recent = 0;
    for (uint64_t i = 0; i < l->n_slots; i++)
        n_recent += l->seen[i].key && is_recent(&l->seen[i], l->window, now);
    uint64_t n = n_recent * 4 > l->n_slots ? l->n_slots * 2 : l->n_slots;
    struct seen *table = arena_many(l->gpu->mem, struct seen, n);
    for (uint64_t i = 0; i < l->n_slots; i++)
        if (l->seen[i].key && is_recent(&l->seen[i], l->window, now))
            *seen_at(table, n, l->seen[i].key) = l->seen[i];
    l->seen = table;
    l->n_slots = n;
    l->n_used = n_recent;
}

/* Which words of 4 bytes of its line a load wants, from the lanes of its instruction. */
static uint64_t words_of(const struct gpu *g, uint32_t sm, const struct request *r)
{
    const struct sm *s = &g->sms[sm];
    const struct op *op = &s->ops[r->tag];
    const struct warp *w = &s->warps[r->warp];
    uint32_t line_bits = s->l1.line_bits;
    uint64_t words = 0, line = r->address >> line_bits;
    const uint64_t *a = w->addresses + op->inst->first_address;
    for (uint32_t i = 0; i < op->inst->n_addresses; i++)
        for (uint32_t b = 0; b < op->stat->access_bytes; b += 4) {
            uint64_t at = a[i] + w->base + b;
            if (at >> line_bits == line)
                words |= (uint64_t)1 << ((at & (((uint64_t)1 << line_bits) - 1)) / 4 % 64);
        }
    return words;
}

static void miss(void *ctx, uint32_t cluster, uint32_t sm, uint32_t cta, const struct request *r,
                 uint64_t now)
{
    struct locality *l = ctx;
    const struct gpu *g = l->gpu;
    if (r->space != TS_GLOBAL || r->kind == REQ_WRITEBACK)
        return;
    l->counts.requests++;
    if (r->kind != REQ_READ)
        return;
    if (l->n_used * 2 >= l->n_slots)
        tidy(l, now);
    uint64_t key = key_of(cluster, r->address >> g->sms[sm].l1.line_bits);
    struct seen *s = seen_at(l->seen, l->n_slots, key);
    l->n_used += s->key == 0;
    s->key = key;
    uint64_t words = l->counts.has_words ? words_of(g, sm, r) : 0;
    bool is_redundant = is_recent(s, l->window, now), is_data = false;
    for (uint32_t i = 0; i < LOADS && is_redundant; i++) {
        const struct past *p = &s->past[i];
        is_data |= p->at && now - (p->at - 1) <= l->window && p->cta != cta && (p->words & words);
    }
    if (is_data)
        l->counts.data_sharing++;
    else if (is_redundant)
        l->counts.line_sharing++;
    s->past[s->next % LOADS] = (struct past){now + 1, words, cta};
    s->next = (s->next + 1) % LOADS;
}

static struct last_reader *reader_at(struct last_reader *table, uint64_t n_slots, uint64_t key)
{
    uint64_t i = slot_of(key, n_slots);
    while (table[i].key && table[i].key != key)
        i = (i + 1) & (n_slots - 1);
    return &table[i];
}

static void look(void *ctx, const struct l1_look *a, uint64_t now)
{
    struct locality *l = ctx;
    (void)now;
    if (a->is_write)
        return;
    if (l->n_readers * 2 >= l->n_reader_slots) {
        struct last_reader *more =
            arena_many(l->gpu->mem, struct last_reader, l->n_reader_slots * 2);
        for (uint64_t i = 0; i < l->n_reader_slots; i++)
            if (l->readers[i].key)
                *reader_at(more, l->n_reader_slots * 2, l->readers[i].key) = l->readers[i];
        l->readers = more;
        l->n_reader_slots *= 2;
    }
    uint64_t key = key_of(a->sm, a->address >> l->gpu->sms[a->sm].l1.line_bits);
    struct last_reader *r = reader_at(l->readers, l->n_reader_slots, key);
    if (r->key) {
        l->counts.reuse++;
        l->counts.reuse_other += r->cta != a->cta;
    } else {
        l->n_readers++;
    }
    *r = (struct last_reader){key, a->cta};
}

static void kernel_end(void *ctx, uint32_t kernel, uint64_t now)
{
    struct locality *l = ctx;
    (void)kernel;
    (void)now;
    memset(l->readers, 0, l->n_reader_slots * sizeof *l->readers);
    l->n_readers = 0;
}

struct locality *locality_attach(struct gpu *g, uint64_t window)
{
    struct locality *l = arena_new(g->mem, struct locality);
    *l = (struct locality){.gpu = g, .window = window, .n_slots = 4096, .n_reader_slots = 4096};
    l->seen = arena_many(g->mem, struct seen, l->n_slots);
    l->readers = arena_many(g->mem, struct last_reader, l->n_reader_slots);
    l->counts.has_words = g->sm_common->coalescer->tags_are_ops;
    machine_watch(
        g, &(struct sim_probe){.ctx = l, .l1 = look, .miss = miss, .kernel_end = kernel_end});
    return l;
}

const struct locality_counts *locality_counts(const struct locality *l)
{
    return &l->counts;
}
