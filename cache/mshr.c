/* SPDX-License-Identifier: MIT */
#include "cache/mshr.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/bits.h"
#include "cache/structure.h"

#define THREAD_REGISTERS 256u /* register numbers of current instruction sets */

struct mshr_shape {
    uint32_t entries, merges;
    uint32_t address_bits, line_bytes, sector_bytes;
    uint32_t waiter_bits; /* what is kept for each merged request besides its sectors */
};

static void mshr_array(const struct mshr_shape *shape, struct array *out)
{
    uint32_t sectors = shape->line_bytes / shape->sector_bytes;
    *out = (struct array){
        .kind = ARRAY_CAM,
        .entries = shape->entries,
        .banks = 1,
        .rw_ports = 1,
        .search_ports = 1,
        .one_cycle = true,
    };
    array_add_searched(out, "line address", shape->address_bits - bits_clog2(shape->line_bytes));
    array_add_field(out, "waiters",
                    shape->merges * (shape->waiter_bits + (sectors > 1 ? sectors : 0)));
    array_add_field(out, "waiter count", bits_clog2(shape->merges + 1));
    array_add_valid(out, "valid", 1);
}

bool l1_mshr_geometry(const struct structure_params *p, struct array *out)
{
    /* a waiting load: its warp and the register it fills */
    mshr_array(&(struct mshr_shape){.entries = p->l1->mshr_entries,
                                    .merges = p->l1->mshr_merges,
                                    .address_bits = p->gpu->address_bits,
                                    .line_bytes = p->l1->line_bytes,
                                    .sector_bytes = p->l1->sector_bytes,
                                    .waiter_bits =
                                        bits_clog2(p->sm->warps) + bits_clog2(THREAD_REGISTERS)},
               out);
    return true;
}

bool l2_mshr_geometry(const struct structure_params *p, struct array *out)
{
    /* a waiting request: its SM and that SM's MSHR entry */
    mshr_array(&(struct mshr_shape){.entries = p->llc->mshr_entries,
                                    .merges = p->llc->mshr_merges,
                                    .address_bits = p->gpu->address_bits,
                                    .line_bytes = p->llc->line_bytes,
                                    .sector_bytes = p->llc->sector_bytes,
                                    .waiter_bits = bits_clog2(p->gpu->n_sms) +
                                                   bits_clog2(p->l1->mshr_entries)},
               out);
    return true;
}

void mshr_init(struct mshr *m, uint32_t entries, uint32_t merges, struct arena *mem)
{
    uint32_t buckets = 1u << bits_clog2(2 * (uint64_t)entries);
    uint32_t waiters = entries * merges;
    *m = (struct mshr){.entries = arena_many(mem, struct mshr_entry, entries),
                       .waiters = arena_many(mem, struct mshr_waiter, waiters),
                       .buckets = arena_many(mem, uint32_t, buckets),
                       .bucket_mask = buckets - 1,
                       .n_entries = entries,
                       .merges = merges,
                       .filled_first = MSHR_NONE,
                       .filled_last = MSHR_NONE};
    memset(m->buckets, 0xff, buckets * sizeof *m->buckets);
    for (uint32_t i = 0; i < entries; i++)
        m->entries[i].next = i + 1 < entries ? i + 1 : MSHR_NONE;
    for (uint32_t i = 0; i < waiters; i++)
        m->waiters[i].next = i + 1 < waiters ? i + 1 : MSHR_NONE;
}

static uint32_t bucket_of(const struct mshr *m, uint64_t key)
{
    return (uint32_t)((key * 0x9e3779b97f4a7c15u) >> 40) & m->bucket_mask;
}

uint32_t mshr_find(const struct mshr *m, uint64_t key)
{
    uint32_t e = m->buckets[bucket_of(m, key)];
    while (e != MSHR_NONE && m->entries[e].key != key)
        e = m->entries[e].next;
    return e;
}

void mshr_merge(struct mshr *m, uint32_t entry, uint32_t tag)
{
    struct mshr_entry *e = &m->entries[entry];
    uint32_t w = m->free_waiter;
    assert(w != MSHR_NONE);
    m->free_waiter = m->waiters[w].next;
    m->waiters[w] = (struct mshr_waiter){tag, MSHR_NONE};
    if (e->n++)
        m->waiters[e->last].next = w;
    else
        e->first = w;
    e->last = w;
}

uint32_t mshr_add_unwaited(struct mshr *m, uint64_t key)
{
    uint32_t i = m->free_entry, *bucket = &m->buckets[bucket_of(m, key)];
    assert(i != MSHR_NONE);
    m->free_entry = m->entries[i].next;
    m->entries[i] = (struct mshr_entry){.key = key, .next = *bucket};
    *bucket = i;
    if (++m->n_used > m->most_used)
        m->most_used = m->n_used;
    return i;
}

uint32_t mshr_add(struct mshr *m, uint64_t key, uint32_t tag)
{
    uint32_t i = mshr_add_unwaited(m, key);
    mshr_merge(m, i, tag);
    return i;
}

bool mshr_fill(struct mshr *m, uint64_t key)
{
    uint32_t *p = &m->buckets[bucket_of(m, key)];
    while (*p != MSHR_NONE && m->entries[*p].key != key)
        p = &m->entries[*p].next;
    uint32_t i = *p;
    if (i == MSHR_NONE)
        return false;
    *p = m->entries[i].next;
    if (m->entries[i].n == 0) {
        m->entries[i].next = m->free_entry;
        m->free_entry = i;
        m->n_used--;
        return true;
    }
    m->entries[i].next = MSHR_NONE;
    m->entries[i].is_filled = true;
    if (m->filled_first == MSHR_NONE)
        m->filled_first = i;
    else
        m->entries[m->filled_last].next = i;
    m->filled_last = i;
    return true;
}

uint32_t mshr_next(const struct mshr *m)
{
    return m->waiters[m->entries[m->filled_first].first].tag;
}

uint32_t mshr_take(struct mshr *m)
{
    uint32_t i = m->filled_first;
    assert(i != MSHR_NONE);
    struct mshr_entry *e = &m->entries[i];
    uint32_t w = e->first, tag = m->waiters[w].tag;
    e->first = m->waiters[w].next;
    m->waiters[w].next = m->free_waiter;
    m->free_waiter = w;
    if (--e->n == 0) {
        m->filled_first = e->next;
        if (e->next == MSHR_NONE)
            m->filled_last = MSHR_NONE;
        e->next = m->free_entry;
        m->free_entry = i;
        m->n_used--;
    }
    return tag;
}
