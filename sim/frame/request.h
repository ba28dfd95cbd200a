/* SPDX-License-Identifier: MIT
 *
 * sim/frame/request.h: a memory request on its way from an SM to memory and back, the pool all
 * requests of a machine live in, and the rings they wait in. A request has one number from the
 * moment it leaves the L1 until its answer is taken; who holds the number owns the request. */
#ifndef CW_SIM_FRAME_REQUEST_H
#define CW_SIM_FRAME_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

struct arena;

#define REQ_NONE UINT32_MAX

enum req_kind {
    REQ_READ,   /* global or local load */
    REQ_WRITE,  /* store; answered by an acknowledgement */
    REQ_ATOMIC, /* performed at the L2, answered */
    REQ_INST,   /* instruction fetch */
    REQ_CONST,
    REQ_TEXTURE,
    REQ_WRITEBACK,  /* dirty sectors out of an L1 or L2; not answered */
    REQ_INVALIDATE, /* from a line's slice to the half that has a copy of it; not answered */
};

struct request {
    uint64_t address;       /* of its line or sector; aligned to what it asks for */
    uint32_t next;          /* free list, or whatever list it is in */
    uint32_t parent;        /* of a line that was split into sectors, or REQ_NONE */
    uint16_t sm, slice;     /* who asked; which LLC slice serves */
    uint16_t bytes;         /* asked for or carried */
    uint8_t kind;           /* enum req_kind */
    uint8_t space;          /* enum trace_space of the access */
    uint8_t sectors;        /* of the line, bit mask */
    uint8_t full;           /* writes: sectors every byte of which is written */
    uint8_t fetched;        /* sectors that the L2 fetches for it … */
    uint16_t fetched_bytes; /* … and what the DRAM reads for it */
    uint8_t warp;
    uint8_t turns;      /* atomics: lanes that meet in one word, at most */
    uint8_t n_parts;    /* of a split line: answers still to come */
    uint8_t n_joined;   /* accesses of other sectors of its line that left with it */
    uint8_t part;       /* of a divided L1 */
    bool is_bypass;     /* does not fill the L1 */
    bool is_prefetch;   /* … but the L2; its answer has no data and nobody waits for it */
    bool is_local;      /* answered inside the cluster */
    bool is_far;        /* its slice is in the other half: it goes through that one's twin */
    uint32_t tag;       /* who waits at the L1 where no MSHR does (bypass, atomics) */
    uint32_t bank, row; /* in the DRAM */
    uint64_t local;     /* address within its slice */
    /* core cycles: made, into the network, out of it at the L2, to the DRAM, back, reply sent */
    uint64_t born, injected, reached, to_dram, from_dram, replied;
};

/* Data that it carries. */
static inline uint32_t req_data_bytes(const struct request *r)
{
    return r->kind == REQ_WRITE || r->kind == REQ_WRITEBACK || r->kind == REQ_ATOMIC ? r->bytes : 0;
}

/* Data that its answer carries. */
static inline uint32_t req_reply_bytes(const struct request *r)
{
    return r->kind == REQ_WRITE || (r->is_prefetch && r->is_bypass) ? 0 : r->bytes;
}

#define REQ_CHUNK_BITS 10u
#define REQ_MAX_CHUNKS 65536u

struct req_pool {
    struct arena *mem;
    struct request **chunks;
    uint32_t n_chunks, cap_chunks;
    uint32_t free; /* list */
    uint32_t n_live, most_live;
};

void req_pool_init(struct req_pool *p, struct arena *mem);
/* Grows the pool; only req_new calls it. */
void req_pool_grow(struct req_pool *p);

static inline struct request *req_at(const struct req_pool *p, uint32_t i)
{
    return &p->chunks[i >> REQ_CHUNK_BITS][i & ((1u << REQ_CHUNK_BITS) - 1)];
}

/* A request with the fields given, in no list and part of no other: the one way to make one. */
static inline uint32_t req_new(struct req_pool *p, struct request fields)
{
    if (p->free == REQ_NONE)
        req_pool_grow(p);
    uint32_t i = p->free;
    struct request *r = req_at(p, i);
    p->free = r->next;
    fields.next = fields.parent = REQ_NONE;
    *r = fields;
    if (++p->n_live > p->most_live)
        p->most_live = p->n_live;
    return i;
}

static inline void req_free(struct req_pool *p, uint32_t i)
{
    req_at(p, i)->next = p->free;
    p->free = i;
    p->n_live--;
}

/* A part of a split line arrived and is freed: the whole request when it was the last one, else
 * REQ_NONE. Requests that were not split are whole. */
uint32_t req_join(struct req_pool *p, uint32_t i);

/* The queues of a machine tell it when one is given more than it holds. Who gives looks for room
 * first: it is a mistake of the simulator. What does not fit is dropped, and the machine fails at
 * the end of the cycle. That one was asked for more than it held is seen with sim.verify: its count
 * has wrapped. */
struct bounds {
    const char *broken; /* the first queue that was; NULL: none */
    bool was_empty;     /* something was taken from it; else it was full */
};

/* A first-in-first-out queue of numbers with a fixed size. */
struct ring {
    uint32_t *at;
    uint32_t mask, first, n, cap;
    uint32_t most; /* entries: cap, or more where the owner keeps a reserve */
    const char *name;
    struct bounds *bounds;
};

void ring_init(struct ring *r, const char *name, uint32_t cap, struct bounds *bounds,
               struct arena *mem);
const char *bounds_text(const struct bounds *b); /* "given more than it holds" */
/* Says so to its machine; returns false. */
bool bounds_break(struct bounds *b, const char *name, bool was_empty);

static inline bool ring_full(const struct ring *r)
{
    return r->n >= r->cap;
}
static inline uint32_t ring_top(const struct ring *r)
{
    return r->at[r->first & r->mask];
}
static inline void ring_push(struct ring *r, uint32_t v)
{
    if (r->n < r->most || bounds_break(r->bounds, r->name, r->n > r->most))
        r->at[(r->first + r->n++) & r->mask] = v;
}
static inline uint32_t ring_pop(struct ring *r)
{
    r->n--;
    return r->at[r->first++ & r->mask];
}

/* The same with the time from which an entry may be taken. */
struct delay_ring {
    struct delay_entry {
        uint64_t ready;
        uint32_t v;
    } * at;
    uint32_t mask, first, n, cap;
    const char *name;
    struct bounds *bounds;
};

void delay_ring_init(struct delay_ring *r, const char *name, uint32_t cap, struct bounds *bounds,
                     struct arena *mem);

static inline void delay_push(struct delay_ring *r, uint64_t ready, uint32_t v)
{
    if (r->n < r->cap || bounds_break(r->bounds, r->name, r->n > r->cap))
        r->at[(r->first + r->n++) & r->mask] = (struct delay_entry){ready, v};
}
static inline bool delay_ready(const struct delay_ring *r, uint64_t now)
{
    return r->n && r->at[r->first & r->mask].ready <= now;
}
static inline uint64_t delay_next(const struct delay_ring *r)
{
    return r->n ? r->at[r->first & r->mask].ready : UINT64_MAX;
}
static inline uint32_t delay_top(const struct delay_ring *r)
{
    return r->at[r->first & r->mask].v;
}
static inline uint32_t delay_pop(struct delay_ring *r)
{
    r->n--;
    return r->at[r->first++ & r->mask].v;
}

#endif
