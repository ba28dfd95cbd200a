/* SPDX-License-Identifier: MIT
 *
 * cache/tags.h: the tags of a set-associative, optionally sectored cache, and what happens to them:
 * look up, reserve, fill, write, evict, invalidate. No data, no time. Replacement is LRU or FIFO
 * among lines that wait for nothing. Limits: 8 sectors per line. */
#ifndef CW_CACHE_TAGS_H
#define CW_CACHE_TAGS_H

#include <stdbool.h>
#include <stdint.h>

struct arena;
struct err;

#define TAGS_NONE UINT32_MAX
/* In a divided cache the part stands in the high bits of a line's number. */
#define TAGS_PART_SHIFT 60u
#define TAGS_MAX_PARTS 8u

enum tags_index {
    TAGS_LINEAR,
    TAGS_HASHED, /* 32 and 64 sets: Fermi's hash of higher bits; else XOR-folded line number */
    TAGS_IPOLY,  /* polynomial hash, 16, 32 or 64 sets (Rau 1991) */
    TAGS_XOR,    /* the bits above the set's number, as many, xored into it */
};

struct tags_params {
    uint32_t bytes, ways, line_bytes, sector_bytes;
    enum tags_index index;
    uint32_t parts; /* private to groups of users; 0 or 1: not divided. Divides the sets */
    bool is_fifo;
    uint32_t
        dirty_percent; /* dirty lines are not evicted below this share of the cache; 0: they are */
};

/* What a probe finds. */
enum tags_result {
    TAGS_HIT,
    TAGS_PENDING,     /* the line or sector is on its way */
    TAGS_SECTOR_MISS, /* the line is there, the sector is not (or was written only in part) */
    TAGS_MISS,        /* `slot` is the victim */
    TAGS_NO_WAY,      /* every way of the set waits for data */
};

struct tags_line {
    uint64_t line;   /* address / line_bytes */
    uint64_t used;   /* order of the last access, or of the allocation */
    uint8_t valid;   /* sectors present */
    uint8_t pending; /* sectors on their way */
    uint8_t dirty;   /* sectors written */
    uint8_t partial; /* written sectors of which not every byte is known */
    bool is_allocated;
};

struct tags {
    struct tags_line *lines; /* [set * ways + way] */
    uint32_t n_sets, ways, line_bits, sector_bits, n_sectors;
    uint32_t part_sets; /* n_sets, or those of a part */
    enum tags_index index;
    bool is_fifo;
    uint32_t dirty_limit; /* lines */
    uint32_t n_dirty;
    uint64_t clock;
    /* hash of lines to slots, for many ways */
    uint32_t *buckets, *chain;
    uint32_t bucket_mask;
};

bool tags_init(struct tags *t, const struct tags_params *p, struct arena *mem, struct err *err);
/* Another size of the same memory (adaptive caches): `ways` at most as at creation; empties it. */
void tags_set_ways(struct tags *t, uint32_t ways);

uint32_t tags_set_of(const struct tags *t, uint64_t line);

static inline uint64_t tags_line_in_part(uint64_t line, uint32_t part)
{
    return line | (uint64_t)part << TAGS_PART_SHIFT;
}
static inline uint64_t tags_line_number(uint64_t line_in_part)
{
    return line_in_part & (((uint64_t)1 << TAGS_PART_SHIFT) - 1);
}

/* Looks one sector up (several: `sectors` a mask; HIT only if all are there). `*slot` is the line's
 * place, or the victim for TAGS_MISS. A write finds a partly written sector present. */
enum tags_result tags_probe(const struct tags *t, uint64_t line, uint8_t sectors, bool is_write,
                            uint32_t *slot);

/* An access that hit, or found its line pending: replacement order. */
static inline void tags_touch(struct tags *t, uint32_t slot)
{
    if (!t->is_fifo)
        t->lines[slot].used = ++t->clock;
}

/* Gives the victim's place to `line`. Returns the victim's dirty sectors (0: nothing to write
 * back); `*victim` is its line number. */
uint8_t tags_allocate(struct tags *t, uint32_t slot, uint64_t line, uint64_t *victim);
void tags_reserve(struct tags *t, uint32_t slot, uint8_t sectors);
/* Data arrived. Sectors of lines that were dropped meanwhile are ignored: false. */
bool tags_fill(struct tags *t, uint64_t line, uint8_t sectors);
/* Sectors are written; those in `full` completely. `dirty`: they must be written back. */
void tags_write(struct tags *t, uint32_t slot, uint8_t sectors, uint8_t full, bool dirty);
/* Its dirty sectors, which are not dirty any more: the caller writes them. */
uint8_t tags_clean(struct tags *t, uint32_t slot);
void tags_drop(struct tags *t, uint32_t slot);
/* Of its sectors only those; the line itself where nothing is left. */
void tags_drop_sectors(struct tags *t, uint32_t slot, uint8_t sectors);
bool tags_is_dirty(const struct tags *t, uint32_t slot); /* what lies there now */
void tags_clear(struct tags *t);                         /* drops every line */
uint32_t tags_find(const struct tags *t, uint64_t line); /* slot, or TAGS_NONE */

#endif
