/* SPDX-License-Identifier: MIT */
#include "cache/tags.h"

#include <string.h>

#include "base/arena.h"
#include "base/bits.h"
#include "base/err.h"
#include "cache/ipoly.h"

#define SCAN_WAYS 16u /* more ways than this are found by a hash table, not by looking at all */

bool tags_init(struct tags *t, const struct tags_params *p, struct arena *mem, struct err *err)
{
    uint32_t sector = p->sector_bytes ? p->sector_bytes : p->line_bytes;
    if (!bits_is_pow2(p->line_bytes) || !bits_is_pow2(sector) || sector > p->line_bytes ||
        p->line_bytes / sector > 8)
        return err_add(err, ERR_INPUT, NOWHERE,
                       "a cache line of %u bytes cannot have sectors of %u bytes (powers of two, "
                       "at most 8 sectors)",
                       p->line_bytes, sector);
    uint32_t ways = p->ways ? p->ways : p->bytes / p->line_bytes;
    uint64_t way_bytes = (uint64_t)ways * p->line_bytes;
    if (!ways || p->bytes < way_bytes || p->bytes % way_bytes)
        return err_add(err, ERR_INPUT, NOWHERE,
                       "a cache of %u bytes does not divide into %u ways of %u-byte lines",
                       p->bytes, ways, p->line_bytes);
    *t = (struct tags){.n_sets = (uint32_t)(p->bytes / way_bytes),
                       .ways = ways,
                       .line_bits = bits_clog2(p->line_bytes),
                       .sector_bits = bits_clog2(sector),
                       .n_sectors = p->line_bytes / sector,
                       .index = p->index,
                       .is_fifo = p->is_fifo};
    uint32_t parts = p->parts ? p->parts : 1;
    t->part_sets = t->n_sets / parts;
    if (t->n_sets % parts)
        return err_add(err, ERR_INPUT, NOWHERE, "%u sets do not divide into %u parts", t->n_sets,
                       parts);
    uint32_t n = t->n_sets * ways;
    t->dirty_limit = (uint32_t)((uint64_t)n * p->dirty_percent / 100);
    t->lines = arena_many(mem, struct tags_line, n);
    if (ways > SCAN_WAYS) {
        t->bucket_mask = (1u << bits_clog2(2 * (uint64_t)n)) - 1;
        t->buckets = arena_many(mem, uint32_t, t->bucket_mask + 1);
        t->chain = arena_many(mem, uint32_t, n);
    }
    tags_clear(t);
    return true;
}

void tags_set_ways(struct tags *t, uint32_t ways)
{
    t->ways = ways;
    tags_clear(t);
}

void tags_clear(struct tags *t)
{
    memset(t->lines, 0, (size_t)t->n_sets * t->ways * sizeof *t->lines);
    if (t->buckets)
        memset(t->buckets, 0xff, ((size_t)t->bucket_mask + 1) * sizeof *t->buckets);
    t->n_dirty = 0;
}

static uint32_t fold(uint64_t line, uint32_t bits)
{
    uint64_t x = 0;
    for (; line; line >>= bits)
        x ^= line;
    return (uint32_t)x & ((1u << bits) - 1);
}

static uint32_t set_in_part(const struct tags *t, uint64_t line)
{
    uint32_t n = t->part_sets;
    if (t->index == TAGS_LINEAR || n == 1)
        return bits_is_pow2(n) ? (uint32_t)line & (n - 1) : (uint32_t)(line % n);
    if (t->index == TAGS_HASHED && t->line_bits == 7 && (n == 32 || n == 64)) {
        /* Nugteren 2014: bits 11..7 xor {19, 17, 15..13}; bit 12 is the sixth index bit */
        uint64_t a = line << 7;
        uint32_t high = (uint32_t)((a >> 13 & 7) | (a >> 17 & 1) << 3 | (a >> 19 & 1) << 4);
        uint32_t set = ((uint32_t)(line & 31)) ^ high;
        return n == 64 ? set | (uint32_t)(a >> 12 & 1) << 5 : set;
    }
    if (t->index == TAGS_XOR && bits_is_pow2(n))
        return (uint32_t)(line ^ line >> bits_clog2(n)) & (n - 1);
    if (t->index == TAGS_IPOLY && ipoly_knows(n))
        return ipoly(line >> bits_clog2(n), (uint32_t)line & (n - 1), n);
    if (!bits_is_pow2(n))
        return (uint32_t)((line ^ line >> 13 ^ line >> 23) % n);
    return fold(line, bits_clog2(n));
}

uint32_t tags_set_of(const struct tags *t, uint64_t line)
{
    uint32_t part = (uint32_t)(line >> TAGS_PART_SHIFT);
    return part * t->part_sets + set_in_part(t, tags_line_number(line));
}

static uint32_t bucket_of(const struct tags *t, uint64_t line)
{
    return (uint32_t)((line * 0x9e3779b97f4a7c15u) >> 40) & t->bucket_mask;
}

static uint32_t find_in(const struct tags *t, uint32_t set, uint64_t line)
{
    if (t->buckets) {
        uint32_t s = t->buckets[bucket_of(t, line)];
        while (s != TAGS_NONE && t->lines[s].line != line)
            s = t->chain[s];
        return s;
    }
    const struct tags_line *l = t->lines + (size_t)set * t->ways;
    for (uint32_t w = 0; w < t->ways; w++)
        if (l[w].is_allocated && l[w].line == line)
            return set * t->ways + w;
    return TAGS_NONE;
}

uint32_t tags_find(const struct tags *t, uint64_t line)
{
    return find_in(t, tags_set_of(t, line), line);
}

/* The line that was used longest ago. Written lines are spared while they are few; where a set
 * holds nothing else and none of it is on its way, one of them leaves all the same: no other ever
 * would. */
static uint32_t victim_of(const struct tags *t, uint32_t set)
{
    const struct tags_line *l = t->lines + (size_t)set * t->ways;
    bool spare_dirty = t->dirty_limit && t->n_dirty < t->dirty_limit, is_waiting = false;
    uint32_t best = TAGS_NONE, best_dirty = TAGS_NONE;
    uint64_t oldest = UINT64_MAX, oldest_dirty = UINT64_MAX;
    for (uint32_t w = 0; w < t->ways; w++) {
        if (!l[w].is_allocated)
            return set * t->ways + w;
        is_waiting |= l[w].pending != 0;
        if (l[w].pending)
            continue;
        if (spare_dirty && l[w].dirty) {
            if (l[w].used < oldest_dirty) {
                oldest_dirty = l[w].used;
                best_dirty = set * t->ways + w;
            }
        } else if (l[w].used < oldest) {
            oldest = l[w].used;
            best = set * t->ways + w;
        }
    }
    return best == TAGS_NONE && !is_waiting ? best_dirty : best;
}

enum tags_result tags_probe(const struct tags *t, uint64_t line, uint8_t sectors, bool is_write,
                            uint32_t *slot)
{
    uint32_t set = tags_set_of(t, line);
    uint32_t s = find_in(t, set, line);
    if (s == TAGS_NONE) {
        *slot = victim_of(t, set);
        return *slot == TAGS_NONE ? TAGS_NO_WAY : TAGS_MISS;
    }
    const struct tags_line *l = &t->lines[s];
    *slot = s;
    uint8_t readable = is_write ? l->valid : l->valid & (uint8_t)~l->partial;
    if ((readable & sectors) == sectors)
        return TAGS_HIT;
    uint8_t missing = sectors & (uint8_t)~readable;
    return (missing & (uint8_t)~l->pending) == 0 ? TAGS_PENDING : TAGS_SECTOR_MISS;
}

static void unlink_slot(struct tags *t, uint32_t slot)
{
    uint32_t *p = &t->buckets[bucket_of(t, t->lines[slot].line)];
    while (*p != slot)
        p = &t->chain[*p];
    *p = t->chain[slot];
}

uint8_t tags_allocate(struct tags *t, uint32_t slot, uint64_t line, uint64_t *victim)
{
    struct tags_line *l = &t->lines[slot];
    uint8_t dirty = l->dirty;
    *victim = l->line;
    if (dirty)
        t->n_dirty--;
    if (t->buckets) {
        if (l->is_allocated)
            unlink_slot(t, slot);
        uint32_t b = bucket_of(t, line);
        t->chain[slot] = t->buckets[b];
        t->buckets[b] = slot;
    }
    *l = (struct tags_line){.line = line, .used = ++t->clock, .is_allocated = true};
    return dirty;
}

void tags_reserve(struct tags *t, uint32_t slot, uint8_t sectors)
{
    t->lines[slot].pending |= sectors;
}

bool tags_fill(struct tags *t, uint64_t line, uint8_t sectors)
{
    uint32_t slot = tags_find(t, line);
    if (slot == TAGS_NONE)
        return false;
    struct tags_line *l = &t->lines[slot];
    l->pending &= (uint8_t)~sectors;
    l->valid |= sectors;
    l->partial &= (uint8_t)~sectors;
    return true;
}

void tags_write(struct tags *t, uint32_t slot, uint8_t sectors, uint8_t full, bool dirty)
{
    struct tags_line *l = &t->lines[slot];
    uint8_t fresh = sectors & (uint8_t)~l->valid;
    l->partial = (uint8_t)((l->partial | fresh) & ~full);
    l->valid |= sectors;
    if (dirty && !l->dirty)
        t->n_dirty++;
    if (dirty)
        l->dirty |= sectors;
}

uint8_t tags_clean(struct tags *t, uint32_t slot)
{
    uint8_t dirty = t->lines[slot].dirty;
    if (dirty)
        t->n_dirty--;
    t->lines[slot].dirty = 0;
    return dirty;
}

bool tags_is_dirty(const struct tags *t, uint32_t slot)
{
    return t->lines[slot].dirty != 0;
}

void tags_drop_sectors(struct tags *t, uint32_t slot, uint8_t sectors)
{
    struct tags_line *l = &t->lines[slot];
    if ((l->valid | l->partial | l->dirty | l->pending) & ~sectors) {
        bool was_dirty = l->dirty;
        l->valid &= (uint8_t)~sectors;
        l->partial &= (uint8_t)~sectors;
        l->dirty &= (uint8_t)~sectors;
        t->n_dirty -= was_dirty && !l->dirty;
        return;
    }
    tags_drop(t, slot);
}

void tags_drop(struct tags *t, uint32_t slot)
{
    struct tags_line *l = &t->lines[slot];
    if (l->dirty)
        t->n_dirty--;
    l->dirty = l->valid = l->partial = 0;
    if (l->pending)
        return;
    if (t->buckets)
        unlink_slot(t, slot);
    l->is_allocated = false;
}
