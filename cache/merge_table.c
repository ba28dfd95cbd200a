/* SPDX-License-Identifier: MIT */
#include "cache/merge_table.h"

#include "base/arena.h"
#include "base/bits.h"
#include "cache/structure.h"

#define NONE UINT32_MAX

bool merge_table_geometry(const struct structure_params *p, struct array *out)
{
    if (!p->arrays[ROLE_MERGE_TABLE].entries)
        return false;
    *out = (struct array){
        .kind = ARRAY_CAM,
        .entries = p->arrays[ROLE_MERGE_TABLE].entries,
        .banks = 1,
        .rw_ports = 1,
        .search_ports = 1,
        .one_cycle = true,
    };
    array_add_searched(out, "line address", p->gpu->address_bits - bits_clog2(p->l1->line_bytes));
    array_add_field(out, "sm list", p->gpu->n_sms / p->gpu->n_clusters);
    array_add_valid(out, "valid", 1);
    return true;
}

void merge_table_init(struct merge_table *t, uint32_t entries, struct arena *mem)
{
    uint32_t n = 1u << bits_clog2(2 * (uint64_t)entries);
    *t = (struct merge_table){.entries = arena_many(mem, struct merge_entry, entries),
                              .buckets = arena_many(mem, uint32_t, n),
                              .bucket_mask = n - 1,
                              .n_entries = entries,
                              .free = entries ? 0 : NONE};
    for (uint32_t i = 0; i < entries; i++)
        t->entries[i].next = i + 1 < entries ? i + 1 : NONE;
    for (uint32_t b = 0; b < n; b++)
        t->buckets[b] = NONE;
}

static uint32_t *bucket_of(const struct merge_table *t, uint64_t line)
{
    return &t->buckets[(line * 0x9e3779b97f4a7c15u) >> 40 & t->bucket_mask];
}

enum merge_result merge_table_request(struct merge_table *t, uint64_t line, uint32_t sm)
{
    uint32_t *bucket = bucket_of(t, line), i = *bucket;
    uint64_t bit = (uint64_t)1 << sm;
    t->searches++;
    while (i != NONE && t->entries[i].line != line)
        i = t->entries[i].next;
    if (i != NONE) {
        t->entries[i].sms |= bit;
        t->writes++;
        t->joined++;
        return MERGE_JOINED;
    }
    if (t->free == NONE) {
        t->full++;
        return MERGE_FULL;
    }
    i = t->free;
    t->free = t->entries[i].next;
    t->entries[i] = (struct merge_entry){line, bit, *bucket};
    *bucket = i;
    t->writes++;
    t->added++;
    if (++t->n_used > t->most_used)
        t->most_used = t->n_used;
    return MERGE_ADDED;
}

uint64_t merge_table_reply(struct merge_table *t, uint64_t line)
{
    uint32_t *at = bucket_of(t, line);
    t->searches++;
    while (*at != NONE && t->entries[*at].line != line)
        at = &t->entries[*at].next;
    if (*at == NONE)
        return 0;
    uint32_t i = *at;
    *at = t->entries[i].next;
    t->entries[i].next = t->free;
    t->free = i;
    t->n_used--;
    t->reads++;
    return t->entries[i].sms;
}
