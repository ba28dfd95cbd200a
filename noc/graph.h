/* SPDX-License-Identifier: MIT
 *
 * noc/graph.h: a network as flat arrays. Built once by a topology (noc/topology.h), then frozen:
 * ids are indices and never change, so that costs and counters can be kept in arrays of the same
 * length.
 *
 * Routing is data, not code: each router has a list of rules "destinations in this rectangle, of
 * these route classes: any of these output ports". The deadlock proof, the hop counts, the emitters
 * and the simulator all read the same rules, so they cannot disagree. A rectangle is over the
 * routing coordinates that the topology gave the endpoints (mesh: column and row; others: index and
 * 0).
 *
 * Limits: unidirectional channels; at most 65,535 ports per router; 16 route classes; no run-time
 * reconfiguration. */
#ifndef CW_NOC_GRAPH_H
#define CW_NOC_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct buf;

#define NOC_NONE                                                                                   \
    UINT32_MAX /* no channel: the port is tied off (counted and costed, never used)                \
                */
#define NOC_MAX_CLASSES 16u

enum noc_dir { NOC_REQUEST, NOC_REPLY, NOC_BOTH /* one network carries both */ };

enum noc_node { NOC_ROUTER, NOC_ENDPOINT };

/* For lengths (tech.links.*) and pictures. */
enum noc_link_class { NOC_LINK_SM, NOC_LINK_LLC, NOC_LINK_ROUTER, NOC_LINK_CLASSES };

struct noc_channel {
    enum noc_node src_node, dst_node;
    uint32_t src, dst;           /* router or endpoint index */
    uint16_t src_port, dst_port; /* of a router; 0 at an endpoint */
    uint16_t width_bits;
    uint8_t link_class;   /* enum noc_link_class */
    bool fixed_length;    /* the user gave this channel its own length; noc_place keeps it */
    float length_mm;      /* filled by noc_place */
    uint16_t more_stages; /* registers beyond those of its length */
    bool is_side;         /* carries tokens or credits, no flits: on no port, never routed over */
};

/* How one of several legal output ports is picked. The state this needs (pointers, random numbers)
 * belongs to the simulator. */
enum noc_select {
    NOC_SELECT_ONLY,         /* there is one choice */
    NOC_SELECT_SOURCE,       /* choice[source endpoint index mod n]: oblivious */
    NOC_SELECT_RANDOM,       /* uniformly, once per packet */
    NOC_SELECT_ROUND_ROBIN,  /* rotating per input port */
    NOC_SELECT_LEAST_LOADED, /* most free buffer entries downstream; ties: lowest index */
    NOC_SELECT_RANDOM_TWO,   /* draw two at random, take the freer; ties: lower index */
    NOC_SELECT_RR_UNIT,      /* CD-Xbar's unit: first come first served, rotating over the ports */
    NOC_SELECT_TWO_DRAWS,    /* two independent draws, take the freer; ties: the first drawn */
};

struct noc_rule {
    uint16_t x0, x1, y0, y1; /* destination's routing coordinates, inclusive */
    uint16_t classes;        /* bit mask of the route classes it serves */
    uint8_t class_to;        /* the packet's class after this hop, or NOC_SAME_CLASS */
    uint8_t select;          /* enum noc_select */
    uint32_t first_choice;   /* into noc.choices */
    uint16_t n_choices;
};
#define NOC_SAME_CLASS 255u

/* What stands at a node of the network. */
enum noc_router_kind {
    NOC_VC_ROUTER, /* input buffers, allocators, a switch */
    NOC_TAP,       /* a multiplexer and a register: a flit that comes leaves in the same cycle */
    NOC_QUEUES,    /* a queue of noc.queue_flits for each input, emptied in turn */
};

/* How packets move. */
enum noc_flow {
    NOC_WORMHOLE, /* from buffer to buffer, by credits */
    NOC_TOKEN, /* taps: who has the token of his column sends, if the queue at the end has room */
    NOC_RING,  /* taps: a flit under way never waits, a new one takes an output that is free */
};

struct noc_router {
    uint16_t n_in, n_out;         /* ports, tied-off ones included */
    uint8_t kind;                 /* enum noc_router_kind */
    uint32_t first_in, first_out; /* into noc.in_channels and noc.out_channels */
    uint32_t first_rule;
    uint32_t n_rules; /* disjoint for each class (checked) */
    bool is_banded;   /* their x ranges are equal or disjoint: noc_route searches, not scans */
    uint16_t stage;   /* 0 nearest the sources; meshes: 0 */
    uint16_t x, y;    /* place in the drawing: column and row, or index and stage */
    float x_mm, y_mm; /* centre on the die, filled by noc_place */
};

enum noc_endpoint_kind { NOC_EP_SM, NOC_EP_LLC, NOC_EP_NODE /* plain terminal, custom networks */ };

struct noc_endpoint {
    enum noc_endpoint_kind kind;
    uint32_t first, n; /* the SMs (or the one LLC slice) behind this port */
    uint16_t x, y;     /* routing coordinates */
    uint32_t inject;   /* channel into the network, or NOC_NONE */
    uint32_t eject;    /* channel out of it, or NOC_NONE */
    float x_mm, y_mm;
};

/* A group of VCs that packets of one route class may use. Classes whose ranges overlap are one
 * resource for the deadlock proof. */
struct noc_vc_range {
    uint8_t first, n;
};

/* How a packet gets its first route class. */
enum noc_class_rule {
    NOC_CLASS_SINGLE,       /* class 0 always */
    NOC_CLASS_CHECKERBOARD, /* XY (0), YX (1) or detour (2) by the parity of the ends
                               (noc/topology/mesh.c); replies on one physical network:
                               first_reply_class more */
    NOC_CLASS_MESSAGE,      /* 0 requests, first_reply_class replies on one physical network */
};

struct noc {
    const char *topology; /* name in the table of topologies */
    enum noc_dir dir;
    enum noc_flow flow;
    uint32_t width_bits, vcs, vc_depth; /* of every router input port; depth in flits */
    uint32_t queue_flits, drain_flits;  /* of NOC_QUEUES: room of a queue, flits read in a cycle */
    bool token_goes_down;               /* of NOC_TOKEN: with the packets, not against them */
    uint32_t reply_slots;               /* of NOC_RING: replies an SM port has reserved room for */

    struct noc_router *routers;
    uint32_t n_routers;
    struct noc_channel *channels;
    uint32_t n_channels;
    struct noc_endpoint *endpoints;
    uint32_t n_endpoints; /* SM ports first, then LLC slices */
    uint32_t n_sm_ports;  /* how many of them are SM ports */

    uint32_t *in_channels;  /* [router.first_in + port] */
    uint32_t *out_channels; /* [router.first_out + port] */
    struct noc_rule *rules;
    uint32_t n_rules;
    uint16_t *choices; /* output port numbers */
    uint32_t n_choices;

    uint8_t n_classes; /* route classes, at least 1 */
    enum noc_class_rule class_rule;
    uint8_t first_reply_class; /* of NOC_BOTH networks; 0 means 1 with NOC_CLASS_MESSAGE */
    struct noc_vc_range vc_ranges[NOC_MAX_CLASSES]; /* [class] */
    uint16_t grid_columns, grid_rows; /* of meshes: endpoints' coordinates are their router's place
                                         (which is router.x, y); 0 elsewhere */
    const char **router_names;        /* [router] as the user named them, or NULL */
};

/* Who belongs to which of two halves of a chip
 * (noc_halves_of), and how slices reach each other over the crossings. */
struct noc_halves {
    uint8_t *of_port, *of_slice; /* [SM port], [slice] */
    uint32_t *twin;              /* [slice] the one of its place in the other half */
    uint32_t *crossing[2];       /* [dir][slice] channel by which its packets go there */
    uint32_t *owner[2];          /* [dir][slice] the first slice that uses this channel */
};

/* The rule for packets of `cls` to endpoint `dst` at `router`, or NULL if the router cannot send
 * them on. Pure. */
const struct noc_rule *noc_route(const struct noc *noc, uint32_t router, uint32_t dst, uint8_t cls);

/* The route class a packet starts with. Pure. */
uint8_t noc_first_class(const struct noc *noc, uint32_t src, uint32_t dst, bool is_reply);

/* The endpoint behind which SM `sm` sits, or NOC_NONE. */
uint32_t noc_endpoint_of_sm(const struct noc *noc, uint32_t sm);
static inline uint32_t noc_endpoint_of_llc(const struct noc *noc, uint32_t slice)
{
    return noc->n_sm_ports + slice;
}
/* The router an endpoint hangs on (where it injects, else where it ejects), or NOC_NONE. */
uint32_t noc_endpoint_router(const struct noc *noc, uint32_t endpoint);

/* Names for messages and pictures, appended: "router 12 (2,1)", "sm 3", "router 4 -> llc 0". */
void noc_name_router(const struct noc *noc, uint32_t router, struct buf *out);
void noc_name_endpoint(const struct noc *noc, uint32_t endpoint, struct buf *out);
void noc_name_channel(const struct noc *noc, uint32_t channel, struct buf *out);

static inline uint32_t noc_in_channel(const struct noc *noc, uint32_t router, uint32_t port)
{
    return noc->in_channels[noc->routers[router].first_in + port];
}

static inline uint32_t noc_out_channel(const struct noc *noc, uint32_t router, uint32_t port)
{
    return noc->out_channels[noc->routers[router].first_out + port];
}

/* ---- building -------------------------------------------------------------------------------- */

struct noc_builder;

struct noc_builder *noc_builder_new(struct arena *scratch, const char *topology, enum noc_dir dir);
uint32_t noc_add_router(struct noc_builder *b, uint16_t n_in, uint16_t n_out, uint16_t stage,
                        uint16_t x, uint16_t y);
void noc_set_router_name(struct noc_builder *b, uint32_t router, const char *name); /* copied */
uint32_t noc_add_endpoint(struct noc_builder *b, enum noc_endpoint_kind kind, uint32_t first,
                          uint32_t n, uint16_t x, uint16_t y);
/* Channels, numbered in the order they are added. A port takes one channel; a second one is our own
 * mistake (assert). Endpoints: SM ports are to be added first, then LLC slices. */
uint32_t noc_link(struct noc_builder *b, uint32_t from, uint16_t out_port, uint32_t to,
                  uint16_t in_port);
uint32_t noc_inject(struct noc_builder *b, uint32_t endpoint, uint32_t router, uint16_t in_port);
uint32_t noc_eject(struct noc_builder *b, uint32_t router, uint16_t out_port, uint32_t endpoint);
void noc_set_length(struct noc_builder *b, uint32_t channel, double length_mm);
void noc_set_width(struct noc_builder *b, uint32_t channel, uint32_t bits);
void noc_set_kind(struct noc_builder *b, uint32_t router, enum noc_router_kind kind);
/* Wires that carry no flits, between two routers. */
uint32_t noc_side_link(struct noc_builder *b, uint32_t from, uint32_t to, uint32_t bits);
/* So many cycles more than the channel's length takes. */
void noc_set_more_stages(struct noc_builder *b, uint32_t channel, uint16_t stages);
/* Adds a rule to a router; rules of one router may be added in any order and at any time. The
 * rule's choice fields are filled in. */
void noc_add_rule(struct noc_builder *b, uint32_t router, struct noc_rule rule,
                  const uint16_t *choices, uint16_t n_choices);
/* Sorts all into flat arrays in `mem` (rules of a router by x0, then y0), with one route class over
 * all VCs; a topology with more sets n_classes, class_rule, vc_ranges and grid_* afterwards. `b` is
 * not to be used any more. */
void noc_freeze(struct noc_builder *b, uint32_t width_bits, uint32_t vcs, uint32_t vc_depth,
                struct arena *mem, struct noc *out);

#endif
