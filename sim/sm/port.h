/* SPDX-License-Identifier: MIT
 *
 * sim/sm/port.h: what an SM asks of the cluster it sits in, its way to the network. Answered by
 * sim/cluster/cluster.c. */
#ifndef CW_SIM_SM_PORT_H
#define CW_SIM_SM_PORT_H

#include <stdbool.h>
#include <stdint.h>

struct gpu;

/* May this request go out in this cycle? */
bool cluster_can_send(struct gpu *g, uint32_t sm, uint32_t req);
void cluster_send(struct gpu *g, uint32_t sm, uint32_t req, uint64_t now);

/* An address is looked up for the first time, or again: where slices are drawn
 * (llc.slice_hash = random), its own is drawn now, whether it goes out or not. */
void cluster_touch(struct gpu *g, uint64_t address);

#endif
