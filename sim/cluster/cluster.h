/* SPDX-License-Identifier: MIT
 *
 * sim/cluster/cluster.h: the SMs behind one network port. */
#ifndef CW_SIM_CLUSTER_CLUSTER_H
#define CW_SIM_CLUSTER_CLUSTER_H

#include <stdint.h>

#include "sim/frame/request.h"

struct gpu;

struct cluster {
    uint32_t first_sm, n_sms;
    struct delay_ring inject;  /* requests waiting for the network port */
    struct ring responses;     /* replies waiting for their SM */
    struct delay_ring answers; /* answered inside the cluster */
    uint64_t waiting;          /* SMs whose request found the buffer full */
    uint32_t turn;
    uint64_t sent_at; /* the bus: one request per cycle */
    uint64_t requests, merged, local_answers;
    uint64_t reads, reads_sent; /* loads that came to the port, and that left into the network */
};

/* One core cycle; returns when it must run next (NEVER: when woken). */
uint64_t cluster_cycle(struct gpu *g, uint32_t cluster, uint64_t now);

#endif
