/* SPDX-License-Identifier: MIT
 *
 * sim/frame/config.h: what a machine is made from. */
#ifndef CW_SIM_FRAME_CONFIG_H
#define CW_SIM_FRAME_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "noc/graph.h"
#include "sim/arrays.h"
#include "sim/params.h"
#include "sim/timing.h"

struct packet_merge_params;

/* Everything const, and outliving the machine. */
struct gpu_config {
    const struct gpu_params *gpu;
    const struct sm_params *sm;
    const struct l1_params *l1;
    const struct coalescer_params *coalescer;
    const struct cluster_params *cluster;
    const struct llc_params *llc;
    const struct dram_params *dram;
    const struct array_size *arrays; /* [role] */
    const struct cta_params *cta;
    const struct sim_params *sim;
    const struct compat_params *compat;
    const struct router_params *router[2];
    const struct noc *noc[2];                /* reply NULL: the request network carries both */
    const struct packet_merge_params *merge; /* packet coalescing in routers, or NULL */
    const struct timing *timing;
    uint32_t width_bits[2];
    const struct noc_halves *halves; /* each keeps copies of the other's lines; NULL: none does */
    const uint32_t *crossbar_of;     /* [sm] local crossbar of a CD-Xbar; NULL: its cluster */
};

#endif
