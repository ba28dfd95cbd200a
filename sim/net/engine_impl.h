/* SPDX-License-Identifier: MIT
 *
 * sim/net/engine_impl.h: the inside of the network engine, shared by its files and by nobody else.
 *
 * Numbering. Every router's ports have global numbers (router.first_in + port, router.first_out +
 * port). An endpoint's injection side is an output port too, numbered after those of the routers,
 * so that credits and VC ownership work alike everywhere. VCs are padded to a power of two: input
 * VC = input port << vshift | vc, output VC = output port << vshift | vc; the padding is never used
 * and does not change the cyclic order of arbiters.
 *
 * Time. A flit that wins the switch in cycle s arrives in s + flit_wait (switch traversal, wire,
 * one latch); the freed slot's credit is usable upstream in s + credit_wait. Both are kept in a
 * ring of per-cycle lists, so routers interact only through lists of later cycles and the order in
 * which they are visited cannot matter.
 *
 * Two evaluations of the same router: net_fast.c works on bit masks and covers what runs all the
 * time; net_full.c keeps the stages' work lists and covers every option. A test compares them. */
#ifndef CW_SIM_NET_ENGINE_IMPL_H
#define CW_SIM_NET_ENGINE_IMPL_H

#include "base/arena.h"
#include "base/lagfib.h"
#include "base/rng.h"
#include "sim/net/net.h"

#define NONE32 UINT32_MAX
#define FLIT_TAIL 0x80000000u
#define FLIT_HEAD 0x40000000u
#define FLIT_PACKET 0x00ffffffu

enum vc_state {
    VC_IDLE,
    VC_ROUTING,
    VC_ALLOC,
    VC_ACTIVE,
    VC_COLLECT, /* the front packet may be held and is not all here yet (net_merge.c) */
};

/* What belongs together is one record, records point at each other, and none holds a byte that the
 * hot loops write: a byte may alias anything, and the compiler would load every pointer again after
 * each store. */
struct ivc {          /* an input VC: 128 bytes */
    uint32_t read, n; /* slot of the front flit, flits */
    uint32_t out;     /* output port of its router, once routed */
    uint32_t state;   /* enum vc_state (net_full.c) */
    struct ovc *o;    /* output VC it owns while active; net_fast.c: else NULL */
    uint32_t *slots;  /* flits */
    struct iport *in; /* its port */
    struct nrouter *r;
    uint64_t bit;               /* 1 << its VC number */
    uint64_t local_bit;         /* 1 << local, routers of up to 64 input VCs */
    uint32_t local, local_next; /* number among the router's input VCs, and the one after it */
    uint32_t index;             /* its own number */
    /* net_fast.c */
    uint32_t accept_out;    /* VC allocator's pointer over the router's output VCs: the port … */
    uint64_t accept_after;  /* … and [bit vc] those of it at the pointer or beyond */
    uint64_t after;         /* [bit] input VCs of the router beyond this one (up to 64) */
    uint64_t left_at;       /* cycle in which the last tail left it empty */
    uint64_t vc_after;      /* [bit vc] VCs of its port beyond this one */
    struct ovc *up;         /* output VC that feeds it */
    const uint16_t *direct; /* its router's routes, where there is one class */
};

union target { /* where a flit goes */
    struct ivc *vc;
    uint64_t end; /* endpoint << vshift | VC */
};

struct ovc { /* an output VC: 64 bytes */
    uint32_t credits;
    uint32_t grant;       /* VC allocator's pointer over the router's input VCs (net_fast.c) … */
    uint64_t grant_after; /* … in routers of up to 64: [bit] those at the pointer or beyond */
    uint64_t bit;         /* 1 << its VC number */
    struct oport *port;
    union target down;
    struct ivc *user; /* net_fast.c: input VC that owns it, or NULL */
    uint32_t owner;   /* net_full.c: input VC, NONE32 or TAIL_SENT */
    uint32_t unused;
    uint64_t after; /* [bit vc] VCs of its port beyond this one */
};
#define TAIL_SENT (NONE32 - 1) /* the tail has gone, the VC is free when all credits are back */

struct iport {    /* 128 bytes */
    uint64_t bit; /* 1 << its number in the router (up to 64 ports) */
    struct nrouter *r;
    struct ovc *up;  /* output VC 0 of the upstream port; NULL: tied off */
    struct ivc *vcs; /* its VC 0 */
    uint64_t *pairs; /* of (this input, output 0) (net_fast.c) */
    uint32_t router, local;
    uint32_t credit_wait; /* cycles until the upstream side may use a credit sent now */
    uint32_t channel;
    /* net_fast.c */
    uint32_t accept;   /* switch allocator's pointer over outputs */
    uint32_t best;     /* output that granted this input in this cycle, or NO_PORT … */
    uint32_t best_vc;  /* … and the VC that goes */
    uint32_t next;     /* the number after its own */
    uint64_t vc_after; /* round robin over the VCs that want one output: [bit vc] go first */
    uint64_t after;    /* [bit] inputs of the router beyond this one (up to 64) */
    uint64_t unused[5];
};
#define NO_PORT 0xffffu

struct oport {      /* 128 bytes */
    uint64_t free;  /* [bit vc] not owned */
    uint64_t sent;  /* flits */
    uint64_t empty; /* bytes of their width that carried nothing */
    uint64_t bit;   /* 1 << its number in the router (up to 64 ports) */
    /* net_fast.c */
    uint64_t requests; /* [bit input] wants the switch, routers of up to 64 ports */
    uint64_t waiting;  /* [bit input VC] waits for a VC, routers of up to 64 input VCs */
    uint64_t *request_words, *waiting_words; /* the same in wider routers */
    struct nrouter *r;
    struct ovc *vcs;                   /* its VC 0 */
    uint32_t n_waiting, any_waiting;   /* wider: how many, and the exclusive or of their numbers */
    uint32_t n_requests, any_requests; /* the same for the switch */
    uint64_t grant_after; /* switch allocator's pointer over inputs: [bit] those at it or beyond */
    uint32_t grant;       /* the same pointer in wider routers */
    uint16_t flit_wait;   /* cycles from a grant to the arrival downstream */
    uint16_t wire;        /* cycles from leaving the switch to arrival */
    uint32_t router;      /* NONE32: an endpoint's injection side */
    uint16_t local;
    uint16_t to_endpoint; /* 1: what it feeds is an endpoint */
    uint32_t down;        /* input VC 0 or endpoint << vshift; NONE32: tied off */
    uint32_t channel;
};

struct nrouter { /* 128 bytes */
    uint32_t first_in, first_out, first_ivc;
    uint32_t n_in, n_out;
    uint32_t n_sa; /* VCs that want the switch (net_fast.c) */
    struct iport *ins;
    struct oport *outs;
    struct ivc *vcs;
    /* net_fast.c */
    uint64_t sa_out, va_out;       /* [bit output] has requests; has waiting VCs that may get one */
    uint64_t *sa_words, *va_words; /* the same in wider routers */
    uint64_t *busy_word, busy_bit;
    uint64_t va_bids, sa_bids; /* of VCs for an output VC and for the switch, in all cycles */
    const uint16_t *direct;    /* [destination] its part of net.direct, where there is one class */
    uint64_t unused;
};

struct nendpoint {
    struct oport *op;   /* its injection side, or NULL */
    struct ovc *feeder; /* output VC 0 of the router port that feeds it, or NULL */
    uint64_t received;
    uint32_t packet;     /* at the head of the source queue */
    uint32_t n_made;     /* packets offered so far: numbers them for random choices */
    uint16_t eject_wait; /* cycles of a credit back to that port */
    int16_t last_vc;
    uint16_t vc;          /* of the packet being sent */
    uint16_t left;        /* flits of the current packet still to send; 0: none started */
    uint16_t q_read, q_n; /* source queue */
    uint32_t held;
    uint32_t e_read, e_n; /* flits waiting at a held endpoint */
    uint32_t unused;
};

struct flit_event {
    union target to;
    uint64_t flit;
};

/* What happens in one cycle to come. */
struct slot {
    struct flit_event *end[2]; /* of the lists: flits to routers, flits to endpoints */
    struct ovc **credits_end;
    struct flit_event *first[2];
    struct ovc **credits;
    uint64_t unused[2];
};

/* For --verify: flits and credits on their way, counted anew each cycle. */
struct net_under_way {
    uint32_t *to_input; /* [input VC] */
    uint32_t *to_end;   /* [endpoint << vshift | VC] */
    uint32_t *credits;  /* [output VC] */
};

struct net_merge;
struct net_full;
struct net_fast;
struct net_taps;

struct unit_bid {
    const struct ivc *q;
    uint64_t came, served; /* its head; the last of its input */
    uint32_t unit, cls;
};

struct net {
    const struct noc *noc;
    uint64_t now;
    uint32_t vcs, vshift, vmask;
    uint32_t depth, dshift, dmask; /* dshift: of the buffer, a power of two */
    uint32_t max_flits;

    /* structure */
    struct nrouter *routers;
    struct iport *iports;
    struct oport *oports;
    struct nendpoint *ends;
    uint32_t n_routers, n_iports, n_oports, n_ends, n_router_oports;

    /* state */
    struct ivc *ivcs;
    struct ovc *ovcs;
    uint32_t *buf; /* [ivc << dshift | slot] flits */

    struct slot *slots; /* ring */
    uint32_t ring_mask;
    uint32_t same_flit_wait, same_credit_wait; /* where all ports have the same, else 0 */
    /* ends of the lists of what is sent now, where all waits are the same (net_fast.c) */
    struct flit_event *flit_end[2];
    struct ovc **credit_end;

    /* packets */
    struct net_delivery *packets; /* [id] */
    uint64_t *packet_keys;        /* [id] for random choices */
    uint16_t *packet_cls;         /* [id] route class now */
    uint16_t *packet_empty;       /* [id] bytes of its flits that carry nothing */
    uint16_t *packet_arrived;     /* [id] flits at the destination */
    uint32_t *flit_times;         /* [id * max_flits + flit], or NULL */
    struct net_delivery **free_packets;
    uint32_t n_free_packets, n_packets;
    size_t slot_credits;    /* for which a slot of the ring has room */
    uint32_t *source_queue; /* [endpoint * source_depth + i] */
    uint32_t source_depth;
    uint64_t *source_busy; /* [bit endpoint] its queue is not empty */
    /* interfaces that send on all their VCs at once: the packets they have begun, by VC */
    bool all_vcs;
    struct nopen {
        uint32_t packet, left; /* left: flits still to send */
    } * open;                  /* [endpoint << vshift | vc] */
    uint64_t *open_vcs;        /* [endpoint] [bit vc] of them that are under way */
    uint64_t *open_busy;       /* [bit endpoint] has any */
    uint32_t *eject_queue;     /* [endpoint * vcs * depth + i], high bits VC … see net.c */
    uint64_t *eject_busy;      /* [bit endpoint] holds flits back */
    uint32_t n_eject_busy, n_source_words;
    bool sends_first;  /* net_offer_first may send */
    bool simple_sinks; /* they only count and hand on: no holding, no merging, no flit times */
    uint32_t same_eject_wait; /* of their credits, where all have the same, else 0 */
    struct net_delivery **delivered;
    uint32_t n_delivered;

    /* routing (net_route.c) */
    const uint16_t *direct; /* [(cls * n_routers + router) * n_ends + dst], or NULL */
    const uint32_t *x_first, *y_first, *cell_first; /* [router] */
    const uint16_t *x_part, *y_part;
    const uint16_t *n_x_parts; /* [router] */
    const uint16_t *n_y_parts;
    const uint16_t *cells;
    size_t n_cells;
    uint64_t seed;
    struct lagfib_ints *ints; /* random choices are drawn here, in BookSim2's order; NULL: hashed */
    uint16_t *ahead; /* [packet] port drawn for it at the next router, with look-ahead and `ints` */
    bool one_class, has_choice;
    bool orders_inputs;         /* it matters which arrival of a cycle is looked at first */
    bool is_adaptive;           /* some rule looks at free buffers */
    bool has_unit;              /* some rule has the round-robin routing unit */
    uint16_t *rr_pointer;       /* [input port] */
    uint32_t *unit_of;          /* [rule] first rule of its router with the same ports */
    uint16_t *unit_next;        /* [rule] where the unit goes on */
    uint64_t *unit_served;      /* [input port] when a unit last served it */
    uint16_t *unit_port;        /* [input VC] port assigned in this cycle, or ROUTE_NEVER */
    uint64_t *slot_time;        /* [ivc << dshift | slot] when the flit came */
    uint64_t *unit_taken;       /* scratch: [bit output port] */
    struct unit_bid *unit_bids; /* scratch: input VCs that wait for a port of a unit */
    uint64_t vc_masks[NOC_MAX_CLASSES];
    uint32_t vc_first[NOC_MAX_CLASSES], vc_count[NOC_MAX_CLASSES];

    /* work lists of input VCs to be routed */
    struct ivc **rc, **rc_next;
    uint32_t n_rc, n_rc_next;

    /* parameters */
    uint32_t routing_delay, vc_alloc_delay, sw_alloc_delay, st_delay, credit_delay;
    uint32_t in_speedup, out_speedup, extra_alloc;
    uint32_t gate_after, wake_cycles, gate_break_even; /* power gating; gate_after 0: none */
    double internal_speedup;
    enum router_allocator vc_alloc, sw_alloc;
    uint32_t vc_iterations, sw_iterations;
    bool matrix_vc, matrix_sw;
    bool speculative, hold_switch, wait_tail_credit, vc_busy_when_full;
    int32_t output_buffer; /* -1: unlimited */

    struct net_full *full; /* one of the three */
    struct net_fast *fast;
    struct net_taps *taps;   /* without buffers (sim/net/taps.h) */
    struct net_merge *merge; /* NULL: off */

    /* totals */
    struct net_totals totals;
    bool has_bodies;    /* some packet has been longer than one flit */
    uint64_t in_flight; /* packets offered and not delivered */
    uint64_t flits_in_flight;
    uint64_t last_move, watchdog_cycles;
    bool verify, failed;
    struct net_under_way under_way;
    const char *problem; /* in scratch below */
    char text[4096];
    uint64_t shuffle_seed;
    struct rng shuffle;
};

/* ---- net.c ----------------------------------------------------------------------------------- */

/* The lowest member among those of `first`, or else of all. */
static inline uint32_t lowest_of(uint64_t set, uint64_t first)
{
    uint64_t high = set & first;
    return (uint32_t)__builtin_ctzll(high ? high : set);
}

void net_step_ends(struct net *n); /* sources send, sinks take */

static inline bool net_has_room(const struct net *n, uint32_t src)
{
    return n->ends[src].q_n < n->source_depth && n->n_free_packets && n->ends[src].op;
}

static inline struct slot *net_slot(const struct net *n, uint32_t wait)
{
    return &n->slots[(uint32_t)(n->now + wait) & n->ring_mask];
}

static inline void net_send_flit(struct slot *s, const struct oport *op, const struct ovc *o,
                                 uint32_t flit)
{
    struct flit_event *e = s->end[op->to_endpoint]++;
    e->to = o->down;
    e->flit = flit;
}

static inline void net_send_credit(struct slot *s, struct ovc *o)
{
    *s->credits_end++ = o;
}

static inline __attribute__((always_inline)) struct net_delivery *
net_take_packet(struct net *n, uint32_t src, uint32_t dst, uint32_t flits, uint32_t cls,
                uint64_t tag, uint64_t created)
{
    struct net_delivery *d = n->free_packets[--n->n_free_packets];
    uint32_t id = (uint32_t)(d - n->packets);
    d->src = src;
    d->dst = dst;
    d->flits = (uint16_t)flits;
    d->hops = 0;
    d->cls = (uint8_t)cls;
    d->is_merged = false;
    d->tag = tag;
    d->created = created;
    d->arrived = NET_NEVER;
    d->merge_key = 0;
    if (!n->one_class)
        n->packet_cls[id] = (uint16_t)cls;
    if (n->packet_keys)
        n->packet_keys[id] = ((uint64_t)src << 32 | n->ends[src].n_made++) ^ n->seed;
    n->in_flight++;
    return d;
}

/* Puts a packet into its source's queue; there is room. Returns its number. */
uint32_t net_offer(struct net *n, uint32_t src, uint32_t dst, uint32_t flits, uint32_t cls,
                   uint64_t tag, uint64_t created);

/* The same for a source whose queue is empty. A packet of one flit is on the wire at once when the
 * VC that it would take first has a credit already: whatever comes before the sources are looked at
 * in the coming cycle, it takes that one. */
static inline __attribute__((always_inline)) void net_offer_first(struct net *n, uint32_t src,
                                                                  uint32_t dst, uint32_t flits,
                                                                  uint32_t cls, uint64_t tag,
                                                                  uint64_t created)
{
    struct nendpoint *e = &n->ends[src];
    struct oport *op = e->op;
    uint32_t vc = (uint32_t)(e->last_vc + 1);
    if (flits == 1 && n->sends_first) {
        vc = vc == n->vcs ? 0 : vc;
        struct ovc *o = &op->vcs[vc];
        if (o->credits) {
            struct net_delivery *d = net_take_packet(n, src, dst, 1, cls, tag, created);
            d->injected = n->now;
            e->last_vc = (int16_t)vc;
            o->credits--;
            op->sent++;
            n->flits_in_flight++;
            n->totals.packets_injected++;
            net_send_flit(net_slot(n, op->wire), op, o,
                          (uint32_t)(d - n->packets) | FLIT_HEAD | FLIT_TAIL);
            return;
        }
    }
    net_offer(n, src, dst, flits, cls, tag, created);
}

/* ---- net_route.c ----------------------------------------------------------------------------- */

/* Asked before anything is made: are the routing tables of this network of a size we hold? */
bool net_route_fits(const struct noc *noc, struct err *err);
bool net_route_init(struct net *n, struct arena *mem, struct err *err);

#define ROUTE_SPECIAL 0x8000u /* the entry is a rule of the router, not a port */
#define ROUTE_NEVER 0xffffu

static inline uint32_t net_route_entry(const struct net *n, uint32_t router, uint32_t dst,
                                       uint32_t cls)
{
    if (n->direct)
        return n->direct[((size_t)cls * n->n_routers + router) * n->n_ends + dst];
    const struct noc_endpoint *e = &n->noc->endpoints[dst];
    uint32_t x = n->x_part[n->x_first[router] + e->x], y = n->y_part[n->y_first[router] + e->y];
    uint32_t nx = n->n_x_parts[router], ny = n->n_y_parts[router];
    return n->cells[n->cell_first[router] + (cls * ny + y) * nx + x];
}

/* Picks one of several ports; also where the route class changes. Sets ivc->out.
 * False: the routing unit serves others this cycle. */
bool net_route_special(struct net *n, uint32_t router, struct ivc *q, uint32_t rule,
                       uint32_t packet);
/* Random choices are drawn from `ints` from now on. */
void net_use_draws(struct net *n, struct lagfib_ints *ints, struct arena *mem);
/* A head is on its way to an input VC: its port there is drawn now (`ahead`). */
void net_route_ahead(struct net *n, const struct ivc *to, uint32_t packet);
/* With a routing unit: it chooses among a router's waiting VCs before they are routed. */
void net_route_unit(struct net *n, uint32_t router, struct ivc *const *ivcs, uint32_t count);

/* Route class of the packet at the front. */
static inline uint32_t net_vc_class(const struct net *n, const struct ivc *q)
{
    return n->packet_cls[q->slots[q->read] & FLIT_PACKET];
}

/* Computes the route of the packet at the front. `plain`: its router has a direct table. */
static inline __attribute__((always_inline)) bool net_route_vc(struct net *n, uint32_t router,
                                                               struct ivc *q, bool plain)
{
    uint32_t id = q->slots[q->read] & FLIT_PACKET;
    struct net_delivery *p = &n->packets[id];
    uint32_t entry = plain || q->r->direct ? q->r->direct[p->dst]
                                           : net_route_entry(n, router, p->dst, n->packet_cls[id]);
    p->hops++;
    if (entry & ROUTE_SPECIAL) {
        if (net_route_special(n, router, q, entry & ~ROUTE_SPECIAL, id))
            return true;
        p->hops--;
        return false;
    }
    q->out = (uint16_t)entry;
    return true;
}

/* ---- net_full.c ------------------------------------------------------------------------------ */

bool net_full_init(struct net *n, struct arena *mem, struct err *err);
void net_full_step(struct net *n);
uint32_t net_full_leaving(const struct net *n, uint32_t ovc); /* flits behind the switch */
uint32_t net_full_owed(const struct net *n, uint32_t ivc);    /* credits not sent yet */
uint64_t net_full_received(const struct net *n, uint32_t iport);
/* The arbiter of an output begins at this input. */
void net_full_begin_at(struct net *n, uint32_t router, uint32_t out, uint32_t in);
uint64_t net_full_off(const struct net *n, uint32_t router); /* cycles switched off, net */
bool net_full_is_busy(const struct net *n); /* some router has work in the next cycle */
/* A packet put into an idle VC by the merge table starts to be routed. */
void net_full_wake(struct net *n, uint32_t ivc);

/* ---- net_fast.c ------------------------------------------------------------------------------ */

bool net_fast_can(const struct net *n); /* the options are those it covers */
bool net_fast_init(struct net *n, struct arena *mem, struct err *err);
void net_fast_step(struct net *n);
bool net_fast_is_busy(const struct net *n);

/* The state of an input VC, whoever evaluates it. */
static inline enum vc_state net_vc_state(const struct net *n, const struct ivc *q)
{
    if (n->full)
        return (enum vc_state)q->state;
    return q->o ? VC_ACTIVE : q->n ? VC_ALLOC : VC_IDLE;
}
/* Input VC that owns an output VC of a router, NONE32 or TAIL_SENT. */
static inline uint32_t net_owner(const struct net *n, const struct ovc *o)
{
    return n->full ? o->owner : o->user ? o->user->index : NONE32;
}

/* ---- net_merge.c ----------------------------------------------------------------------------- */

void net_merge_init(struct net *n, const struct packet_merge_params *p, struct arena *mem);
void net_merge_packets(struct net *n, struct arena *mem); /* what it keeps for each packet */
/* A head is about to be routed: true when the merge table took its packet out of the VC. */
bool net_merge_take(struct net *n, uint32_t ivc);
bool net_merge_collects(const struct net *n, uint32_t ivc); /* the rest is waited for */
/* Another packet begins in a VC: one that has waited long enough goes before it. */
bool net_merge_resume(struct net *n, uint32_t ivc);
void net_merge_step(struct net *n);                     /* releases what has waited long enough */
bool net_merge_from_table(struct net *n, uint32_t ivc); /* the leaving flit owes no credit */
bool net_merge_holds_grant(const struct net *n, uint32_t packet);
void net_merge_offer(struct net *n, uint32_t packet, uint64_t key);
void net_merge_deliver(struct net *n, uint32_t packet);
void net_merge_counts(const struct net *n, uint32_t router, uint64_t counts[EV_COUNT]);
uint32_t net_merge_extra(const struct net *n, uint32_t ivc); /* its flits that owe no credit */
uint64_t net_merge_flits(const struct net *n);               /* held in all tables */
uint64_t net_merge_next(const struct net *n);

/* ---- verify.c -------------------------------------------------------------------------------- */

/* All invariants at once: flits are conserved, credits + occupied = depth for every VC, each VC
 * holds its packets' flits in order, each output VC has at most one owner. False: see net_problem.
 */
bool net_check(struct net *n);
void net_watchdog(struct net *n);
bool net_fail(struct net *n, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
