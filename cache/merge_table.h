/* SPDX-License-Identifier: MIT
 *
 * cache/merge_table.h: the merge table of intra-cluster coalescing (ICC): read misses of the SMs
 * of a cluster that are on their way, and which SMs wait for each. Fully associative, reached
 * within a core cycle. ICC paper: 48 x (41 + 5) bit = 276 bytes for 12 clusters of 5
 * SMs. */
#ifndef CW_CACHE_MERGE_TABLE_H
#define CW_CACHE_MERGE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

struct arena;

/* Behaviour; no time. At most 64 SMs. */

enum merge_result {
    MERGE_JOINED, /* the line is on its way: the SM was added to its list */
    MERGE_ADDED,  /* a new entry */
    MERGE_FULL,   /* no entry free: nothing is remembered */
};

struct merge_table {
    struct merge_entry {
        uint64_t line, sms;
        uint32_t next; /* chain or free list */
    } * entries;
    uint32_t *buckets;
    uint32_t bucket_mask, n_entries, free, n_used, most_used;
    uint64_t joined, added, full;     /* requests, by result */
    uint64_t reads, writes, searches; /* of the array */
};

void merge_table_init(struct merge_table *t, uint32_t entries, struct arena *mem);

/* SM `sm` asks for `line`. */
enum merge_result merge_table_request(struct merge_table *t, uint64_t line, uint32_t sm);

/* A reply for `line`: who waits for it; the entry is free afterwards. 0: it is not in the table. */
uint64_t merge_table_reply(struct merge_table *t, uint64_t line);

#endif
