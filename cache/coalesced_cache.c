/* SPDX-License-Identifier: MIT */
#include "cache/coalesced_cache.h"

#include "base/bits.h"
#include "cache/structure.h"

bool coalesced_cache_geometry(const struct structure_params *p, struct array *out)
{
    uint32_t entries = p->arrays[ROLE_COALESCED_CACHE].entries;
    if (!entries)
        return false;
    *out = (struct array){
        .kind = ARRAY_CACHE,
        .entries = entries,
        .ways = 0,
        .line_bytes = p->l1->line_bytes,
        .banks = 1,
        .rw_ports = 1,
        .search_ports = 1,
        .one_cycle = true,
    };
    array_add_searched(out, "tag", p->gpu->address_bits - bits_clog2(p->l1->line_bytes));
    array_add_data(out, "data", p->l1->line_bytes * 8);
    array_add_valid(out, "valid", 1);
    array_add_valid(out, "lru", bits_clog2(entries));
    return true;
}

bool coalesced_cache_init(struct coalesced_cache *c, uint32_t entries, uint32_t line_bytes,
                          struct arena *mem, struct err *err)
{
    struct tags_params p = {.bytes = entries * line_bytes,
                            .ways = entries,
                            .line_bytes = line_bytes,
                            .sector_bytes = line_bytes,
                            .index = TAGS_LINEAR};
    *c = (struct coalesced_cache){.hits = 0};
    return tags_init(&c->tags, &p, mem, err);
}

bool coalesced_cache_read(struct coalesced_cache *c, uint64_t line)
{
    uint32_t slot = tags_find(&c->tags, line);
    c->searches++;
    if (slot == TAGS_NONE) {
        c->misses++;
        return false;
    }
    tags_touch(&c->tags, slot);
    c->hits++;
    c->reads++;
    return true;
}

void coalesced_cache_fill(struct coalesced_cache *c, uint64_t line)
{
    uint32_t slot;
    uint64_t victim;
    enum tags_result r = tags_probe(&c->tags, line, 1, false, &slot);
    c->searches++;
    if (r == TAGS_MISS) {
        c->evictions += c->tags.lines[slot].is_allocated;
        tags_allocate(&c->tags, slot, line, &victim);
        tags_reserve(&c->tags, slot, 1);
        tags_fill(&c->tags, line, 1);
    } else { /* two requests for it were under way, and it was shared both times */
        tags_touch(&c->tags, slot);
    }
    c->fills++;
    c->writes++;
}

void coalesced_cache_store(struct coalesced_cache *c, uint64_t line)
{
    uint32_t slot = tags_find(&c->tags, line);
    c->searches++;
    if (slot == TAGS_NONE)
        return;
    tags_drop(&c->tags, slot);
    c->invalidations++;
}

void coalesced_cache_flush(struct coalesced_cache *c)
{
    for (uint32_t i = 0; i < c->tags.ways; i++)
        c->flushed += c->tags.lines[i].is_allocated;
    tags_clear(&c->tags);
}
