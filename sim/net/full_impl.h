/* SPDX-License-Identifier: MIT
 *
 * sim/net/full_impl.h: the inside of the router with every option, shared by full*.c. */
#ifndef CW_SIM_NET_FULL_IMPL_H
#define CW_SIM_NET_FULL_IMPL_H

#include <assert.h>
#include <string.h>

#include "base/bits.h"
#include "sim/net/engine_impl.h"

struct entry {
    uint32_t ivc;
    int32_t result; /* output VC (VC allocation) or crossbar output (switch allocation); -1: none */
};

struct stage {
    struct entry *list;
    uint32_t n, cap;
    uint32_t batch; /* the first `batch` entries are being worked on … */
    uint64_t due;   /* … until this cycle */
};

struct crossing {
    uint32_t flit, oport;
    uint8_t vc;
};

struct arbiter { /* of one port: a pointer, or a matrix of who goes before whom */
    uint32_t pointer;
    uint64_t *before; /* [i * words + j / 64] i goes before j; NULL: round robin */
};

struct frouter {
    struct stage rc, va, hold, sa;
    struct crossing *crossing;
    uint32_t n_crossing, cap_crossing, crossing_batch;
    uint64_t crossing_due;
    struct arbiter *va_in, *va_out;        /* [local padded input VC], [local padded output VC] */
    struct arbiter *sa_in, *sa_out;        /* [crossbar input], [crossbar output] */
    uint32_t *vc_pointer;                  /* [crossbar input] */
    int32_t *hold_in, *hold_out, *hold_vc; /* by crossbar input, output, input; -1: none */
    /* power gating: empty since, awake from, cycles switched off so far and how often */
    uint64_t idle_since, awake_at, off_cycles, n_off;
};

struct request { /* for the switch, one per (crossbar input, crossbar output) */
    uint32_t in, out, vc;
    int32_t priority;
    int32_t next_of_in, next_of_out;
    bool forwarded;
};

struct out_queue { /* behind the switch, where speed-ups make it longer than one */
    struct crossing *flits;
    uint32_t read, n, cap;
};
struct credit_queue {
    uint64_t *masks;
    uint32_t read, n, cap;
};

struct net_full {
    struct frouter *routers;
    uint64_t *busy;             /* [bit router] */
    struct out_queue *outs;     /* [router output port] */
    struct credit_queue *creds; /* [input port], with internal speed-up */
    uint64_t *freed;            /* [input port] VCs with a slot freed in this step */
    uint64_t *sending;          /* [bit router] output queues hold flits or credits */
    uint64_t *received;         /* [input port] */
    double partial;             /* of an internal step, left over */
    uint32_t steps;             /* internal ones in this cycle */
    /* scratch of one router's allocation */
    struct request *req;
    uint32_t n_req;
    int32_t *first_of_in, *first_of_out; /* heads of lists of requests or VC bidders */
    uint32_t *used_ins, *used_outs;
    uint32_t n_used_ins, n_used_outs;
    int32_t *match_in, *match_out; /* request index, or -1 */
    int32_t *next_bidder;
    uint64_t *bid_mask, *grant_mask;
    int32_t *grant;
    uint32_t *order;
};

/* ---- arbiters -------------------------------------------------------------------------------- */

/* Whether x (with its priority) goes before y. */
static inline bool goes_before(const struct arbiter *a, uint32_t size, uint32_t x, int32_t px,
                               uint32_t y, int32_t py)
{
    if (px != py)
        return px > py;
    if (a->before)
        return bits_test(a->before + x * bits_words(size), y);
    uint32_t dx = x >= a->pointer ? x - a->pointer : x + size - a->pointer;
    uint32_t dy = y >= a->pointer ? y - a->pointer : y + size - a->pointer;
    return dx < dy;
}

static inline void arbiter_granted(struct arbiter *a, uint32_t size, uint32_t winner)
{
    a->pointer = winner + 1 >= size ? 0 : winner + 1;
    if (!a->before)
        return;
    size_t words = bits_words(size);
    for (uint32_t i = 0; i < size; i++)
        if (i != winner) {
            bits_clear(a->before + winner * words, i);
            bits_set(a->before + i * words, winner);
        }
}

/* ---- work lists ------------------------------------------------------------------------------ */

static inline void enlist(struct stage *s, uint32_t ivc)
{
    assert(s->n < s->cap);
    s->list[s->n++] = (struct entry){ivc, -1};
}

/* Drops the finished batch; what was enlisted meanwhile moves up. */
static inline void drop_batch(struct stage *s)
{
    memmove(s->list, s->list + s->batch, (s->n - s->batch) * sizeof *s->list);
    s->n -= s->batch;
    s->batch = 0;
}

/* Starts a batch when none is under way. */
static inline bool begin_batch(struct stage *s, uint64_t now, uint32_t delay)
{
    if (s->batch || !s->n)
        return false;
    s->batch = s->n;
    s->due = now + delay - 1;
    return true;
}

/* ---- ports ----------------------------------------------------------------------------------- */

static inline uint32_t switch_in(const struct net *n, uint32_t ivc)
{
    return n->iports[ivc >> n->vshift].local * n->in_speedup + (ivc & n->vmask) % n->in_speedup;
}

static inline bool output_has_room(const struct net *n, uint32_t oport)
{
    return n->output_buffer < 0 || n->full->outs[oport].n < (uint32_t)n->output_buffer;
}

/* ---- net_full.c ------------------------------------------------------------------------------ */

/* A packet has come to the front of a VC. */
void net_full_start(struct net *n, struct frouter *f, uint32_t router, uint32_t ivc);

/* ---- net_full_va.c: VC allocation ------------------------------------------------------------ */

uint64_t net_full_with_credit(const struct net *n, uint32_t oport); /* [bit vc] of an output */
void net_full_va_evaluate(struct net *n, struct frouter *f, struct nrouter *r);
void net_full_va_update(struct net *n, struct frouter *f, const struct nrouter *r);

/* ---- net_full_sa.c: switch allocation and held connections ----------------------------------- */

void net_full_sa_evaluate(struct net *n, struct frouter *f, struct nrouter *r);
void net_full_sa_update(struct net *n, struct frouter *f, uint32_t router);
void net_full_hold_evaluate(struct net *n, struct frouter *f);
void net_full_hold_update(struct net *n, struct frouter *f, uint32_t router);

#endif
