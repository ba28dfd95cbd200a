/* SPDX-License-Identifier: MIT */
#include "sim/frame/request.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/bits.h"

void req_pool_init(struct req_pool *p, struct arena *mem)
{
    *p = (struct req_pool){.mem = mem, .free = REQ_NONE};
}

void req_pool_grow(struct req_pool *p)
{
    assert(p->n_chunks < REQ_MAX_CHUNKS);
    if (p->n_chunks == p->cap_chunks) {
        uint32_t cap = p->cap_chunks ? p->cap_chunks * 2 : 16;
        struct request **more = arena_many(p->mem, struct request *, cap);
        if (p->n_chunks)
            memcpy(more, p->chunks, p->n_chunks * sizeof *more);
        p->chunks = more;
        p->cap_chunks = cap;
    }
    uint32_t n = 1u << REQ_CHUNK_BITS, first = p->n_chunks << REQ_CHUNK_BITS;
    struct request *chunk = arena_many(p->mem, struct request, n);
    p->chunks[p->n_chunks++] = chunk;
    for (uint32_t i = 0; i < n; i++)
        chunk[i].next = i + 1 < n ? first + i + 1 : p->free;
    p->free = first;
}

static uint32_t power_of_two(uint32_t n)
{
    return 1u << bits_clog2(n ? n : 1);
}

bool bounds_break(struct bounds *b, const char *name, bool was_empty)
{
    if (!b->broken)
        *b = (struct bounds){name, was_empty};
    return false;
}

const char *bounds_text(const struct bounds *b)
{
    return b->was_empty ? "asked for more than it held" : "given more than it holds";
}

void ring_init(struct ring *r, const char *name, uint32_t cap, struct bounds *bounds,
               struct arena *mem)
{
    uint32_t n = power_of_two(cap);
    *r = (struct ring){.at = arena_many(mem, uint32_t, n),
                       .mask = n - 1,
                       .cap = cap,
                       .most = cap,
                       .name = name,
                       .bounds = bounds};
}

void delay_ring_init(struct delay_ring *r, const char *name, uint32_t cap, struct bounds *bounds,
                     struct arena *mem)
{
    uint32_t n = power_of_two(cap);
    *r = (struct delay_ring){.at = arena_many(mem, struct delay_entry, n),
                             .mask = n - 1,
                             .cap = cap,
                             .name = name,
                             .bounds = bounds};
}

uint32_t req_join(struct req_pool *p, uint32_t i)
{
    uint32_t parent = req_at(p, i)->parent;
    if (parent == REQ_NONE)
        return i;
    req_free(p, i);
    return --req_at(p, parent)->n_parts ? REQ_NONE : parent;
}
