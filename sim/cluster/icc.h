/* SPDX-License-Identifier: MIT
 *
 * sim/cluster/icc.h: intra-cluster coalescing: a merge table and, behind the same port, a coalesced
 * cache in every cluster. Plugs into sim/frame/hooks.h; gpu_new makes it when cluster.icc.entries
 * says so. */
#ifndef CW_SIM_CLUSTER_ICC_H
#define CW_SIM_CLUSTER_ICC_H

#include <stdbool.h>

struct err;
struct gpu;

bool icc_attach(struct gpu *g, struct err *err);

#endif
