/* SPDX-License-Identifier: MIT
 *
 * noc/check.h: the parts of noc_check. Not for other folders.
 *
 * Two ways lead to the same facts. The fast one reasons about rectangles of destinations and is
 * linear in ports and rules; it may say "don't know", never a wrong yes. The exact one follows
 * every destination's packets through every router they can come to; it decides what the fast one
 * leaves open, so that no route is called broken and no cycle reported that is not there. */
#ifndef CW_NOC_CHECK_H
#define CW_NOC_CHECK_H

#include "base/arena.h"
#include "base/err.h"
#include "noc/topology.h"

/* What a packet is, which decides who sends and who receives it. */
enum check_kind { CHECK_REQUEST, CHECK_REPLY, CHECK_ANY, CHECK_KINDS };

struct check {
    const struct noc *noc;
    struct arena *mem; /* for the time of the check */
    struct err *err;
    uint8_t kind_of[NOC_MAX_CLASSES];  /* [class] */
    uint8_t group_of[NOC_MAX_CLASSES]; /* [class] classes that share VCs are one group */
    uint8_t n_groups;
    bool uses[CHECK_KINDS]; /* kinds of packets this network carries */
};

bool check_is_source(const struct noc_endpoint *e, enum check_kind kind);
bool check_is_dest(const struct noc_endpoint *e, enum check_kind kind);

/* The kind of packet endpoint s may send to endpoint d decides its first class. */
static inline uint8_t check_first_class(const struct noc *noc, enum check_kind kind, uint32_t s,
                                        uint32_t d)
{
    return noc_first_class(noc, s, d, kind == CHECK_REPLY);
}

/* Edges between nodes of the channel-dependency graph: channel * n_groups + group. */
struct check_edges {
    uint32_t (*at)[2];
    size_t n, cap;
};
/* The first cycle found, as nodes in order; n is 0 if there is none. */
struct check_cycle {
    uint32_t *nodes;
    uint32_t n;
};
struct check_cycle check_find_cycle(uint32_t n_nodes, const struct check_edges *edges,
                                    struct arena *mem);

enum check_answer { CHECK_YES, CHECK_DONT_KNOW };
/* noc/check_fast.c: all destinations reached and no dependency cycle; fills the hop counts. */
enum check_answer check_fast(struct check *c, struct noc_facts *facts);
/* noc/check_exact.c: the same, exactly. False: errors were added. */
bool check_exact(struct check *c, struct noc_facts *facts, struct check_cycle *cycle);
/* noc/check_cut.c */
void check_bisection(struct check *c, struct noc_facts *facts);

/* Longest and shortest number of routers from an injection to this router, itself included, where
 * channels between routers make no cycle; false if they do. */
struct check_depth {
    uint32_t least, most;
};
bool check_depths(const struct noc *noc, struct arena *mem, struct check_depth **out,
                  bool **in_cycle);

#endif
