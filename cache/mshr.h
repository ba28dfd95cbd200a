/* SPDX-License-Identifier: MIT
 *
 * cache/mshr.h: miss status holding registers: which lines (or sectors) are on their way, and who
 * waits for each. An entry is freed when the last of its waiters was taken, so a line with many
 * waiters occupies its entry until all are served. */
#ifndef CW_CACHE_MSHR_H
#define CW_CACHE_MSHR_H

#include <stdbool.h>
#include <stdint.h>

struct arena;

#define MSHR_NONE UINT32_MAX

struct mshr_entry {
    uint64_t key;            /* line or sector number */
    uint32_t first, last, n; /* waiters */
    uint32_t next;           /* chain, free list, or list of filled entries */
    uint32_t fetches;        /* counted by who fetches a line in parts */
    bool is_filled;
};

struct mshr_waiter {
    uint32_t tag, next;
};

struct mshr {
    struct mshr_entry *entries;
    struct mshr_waiter *waiters;
    uint32_t *buckets;
    uint32_t bucket_mask, n_entries, merges;
    uint32_t free_entry, free_waiter, n_used, most_used;
    uint32_t filled_first, filled_last; /* in the order of their fills */
};

void mshr_init(struct mshr *m, uint32_t entries, uint32_t merges, struct arena *mem);

uint32_t mshr_find(const struct mshr *m, uint64_t key); /* waiting, not filled; or MSHR_NONE */

static inline bool mshr_has_room(const struct mshr *m)
{
    return m->free_entry != MSHR_NONE;
}
static inline bool mshr_can_merge(const struct mshr *m, uint32_t entry)
{
    return m->entries[entry].n < m->merges;
}

uint32_t mshr_add(struct mshr *m, uint64_t key, uint32_t tag); /* there must be room */
/* For a line that nobody waits for (yet): its entry goes when the line comes. */
uint32_t mshr_add_unwaited(struct mshr *m, uint64_t key);
static inline bool mshr_is_unwaited(const struct mshr *m, uint32_t entry)
{
    return m->entries[entry].n == 0;
}
void mshr_merge(struct mshr *m, uint32_t entry, uint32_t tag); /* it must be possible */
/* Data arrived: the waiters become ready, behind those that already are. False: nobody waits. */
bool mshr_fill(struct mshr *m, uint64_t key);

static inline bool mshr_is_ready(const struct mshr *m)
{
    return m->filled_first != MSHR_NONE;
}
/* The tag that mshr_take would return. */
uint32_t mshr_next(const struct mshr *m);
uint32_t mshr_take(struct mshr *m); /* the next ready waiter's tag; one must be ready */

#endif
