/* SPDX-License-Identifier: MIT
 *
 * sim/cluster/cluster.h: the SMs behind one network port. */
#ifndef CW_SIM_CLUSTER_CLUSTER_H
#define CW_SIM_CLUSTER_CLUSTER_H

#include <stdint.h>

#include "sim/counters.h"
#include "sim/frame/request.h"

struct gpu;

/* What a port counts (sim/counters.h). */
/* clang-format off */
#define CLUSTER_STATS(X) \
    X(HIDDEN, requests, cluster_requests, "", "requests that came to the port") \
    X(COUNT, merged, cluster_merged, "", "requests merged or answered at the cluster's port", "") \
    X(HIDDEN, local_answers, local_answers, "", "of them answered") \
    X(HIDDEN, reads, cluster_reads, "", "loads that came to the port") \
    X(COUNT, reads_sent, noc_read_requests, "", "loads sent into the network: what the clusters' ports did not merge or answer", "loads at the ports - cluster_merged")
/* clang-format on */

struct cluster {
    uint32_t first_sm, n_sms;
    struct delay_ring inject;  /* requests waiting for the network port */
    struct ring responses;     /* replies waiting for their SM */
    struct delay_ring answers; /* answered inside the cluster */
    uint64_t waiting;          /* SMs whose request found the buffer full */
    uint32_t turn;
    uint64_t sent_at; /* the bus: one request per cycle */
    /* compat.cluster_order "turns": cycles that the cluster has run, up to `runs_from`; since then
     * one more each cycle while it has CTAs or may get some */
    uint64_t runs, runs_from;
    bool is_running;
    CLUSTER_STATS(COUNTER_FIELD)
};

/* One core cycle; returns when it must run next (NEVER: when woken). */
uint64_t cluster_cycle(struct gpu *g, uint32_t cluster, uint64_t now);

#endif
