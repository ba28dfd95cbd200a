/* SPDX-License-Identifier: MIT
 *
 * noc/build.h: what the topologies share while they build. Not for other folders. */
#ifndef CW_NOC_BUILD_H
#define CW_NOC_BUILD_H

#include "base/arena.h"
#include "base/err.h"
#include "noc/topology.h"

#define NOC_MAX_ENDPOINTS 65535u

/* `total` things dealt to `groups` groups as evenly as can be, the larger groups first: 80 SMs on
 * 24 ports are 8 groups of 4 and 16 of 3. */
static inline uint32_t noc_group_size(uint32_t total, uint32_t groups, uint32_t group)
{
    return total / groups + (group < total % groups);
}
static inline uint32_t noc_group_first(uint32_t total, uint32_t groups, uint32_t group)
{
    uint32_t more = total % groups;
    return group * (total / groups) + (group < more ? group : more);
}

/* Counts, widths and the routing's name; fills n_sm_ports, sms_per_port and routing. Every topology
 * calls this first. */
bool noc_complete_common(struct noc_params *params, const struct topology *topology,
                         struct err *err);
/* Is this the chosen routing? */
bool noc_routing_is(const struct noc_params *params, const char *name);
/* The error of a topology that offers no NOC_BOTH. */
bool noc_no_both(const struct noc_params *params, struct err *err);

/* The error of a topology that is built for the wrong direction. */
bool noc_one_way(const struct noc_params *params, enum noc_dir dir, enum noc_dir way,
                 struct err *err);

/* Adds SM port `i` or LLC slice `i`. SM ports first, in order. */
uint32_t noc_add_sm_port(struct noc_builder *b, const struct noc_params *params, uint32_t i,
                         uint16_t x, uint16_t y);
uint32_t noc_add_llc(struct noc_builder *b, uint32_t i, uint16_t x, uint16_t y);

/* One rule with one choice, for all packets of `classes`. */
void noc_add_single(struct noc_builder *b, uint32_t router, struct noc_rule rule, uint16_t port);

/* Splits the VCs evenly over `groups` groups and gives class c the VCs of group group_of[c]. */
void noc_split_vcs(struct noc *noc, uint32_t n_classes, uint32_t groups, const uint8_t *group_of);

/* Smallest n > 0 with n * n >= v. */
uint32_t noc_ceil_sqrt(uint32_t v);

/* Deals SM ports and LLC slices to `terminals` places that both sides of a network share: slices
 * spread evenly, SMs in order on what is left. `place` has n_sm_ports + n_llcs entries. */
void noc_spread_terminals(const struct noc_params *params, uint32_t terminals,
                          struct arena *scratch, uint32_t *place);

/* An arena for the time of one build, with the out-of-memory handler of `mem`. */
static inline void noc_scratch(struct arena *scratch, const struct arena *mem)
{
    arena_init(scratch, mem->out_of_memory, mem->ctx);
}

#define NOC_ALL_CLASSES ((uint16_t)UINT16_MAX)
#define NOC_EVERYWHERE                                                                             \
    ((struct noc_rule){.x1 = UINT16_MAX,                                                           \
                       .y1 = UINT16_MAX,                                                           \
                       .classes = NOC_ALL_CLASSES,                                                 \
                       .class_to = NOC_SAME_CLASS})

#endif
