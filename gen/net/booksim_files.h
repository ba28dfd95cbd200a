/* SPDX-License-Identifier: MIT
 *
 * gen/net/booksim_files.h: BookSim2's configuration files, read as they are and run under
 * BookSim2's rules: the same seed gives the same packets and the same figures to the last digit. A
 * key or value that is not supported is an error that names it; nothing is ignored. Supported:
 * topologies mesh, cmesh, fly, fattree, anynet with dim_order/dor, dor_no_express, dest_tag,
 * nca/anca and min routing; the iq router; islip(k) and separable allocators; the patterns of
 * sim/traffic/traffic.h; latency, throughput and batch runs. `inject_nodes = {…}` (nodes that
 * create packets) is an extension. */
#ifndef CW_GEN_NET_BOOKSIM_FILES_H
#define CW_GEN_NET_BOOKSIM_FILES_H

#include "sim/traffic/traffic.h"

struct bs_config {
    const char *file; /* for messages and for files it names */
    const char *topology, *routing, *router;
    int k, n, c, x, y, xr, yr, use_noc_latency;
    const char *network_file, *inject_nodes;
    int num_vcs, vc_buf_size, buf_size, output_buffer_size;
    int routing_delay, vc_alloc_delay, sw_alloc_delay, st_prepare_delay, st_final_delay;
    int credit_delay, input_speedup, output_speedup;
    double internal_speedup;
    int wait_for_tail_credit, vc_busy_when_full, hold_switch, speculative;
    const char *vc_allocator, *sw_allocator, *arb_type;
    int alloc_iters;
    const char *traffic, *injection_process, *injection_rate, *packet_size, *packet_size_rate;
    int rate_uses_flits;
    double burst_alpha, burst_beta, burst_r1;
    const char *sim_type;
    int warmup_periods, sample_period, max_samples, include_queuing;
    double latency_thres, warmup_thres, acc_warmup_thres, stopping_thres, acc_stopping_thres;
    int batch_size, batch_count, max_outstanding;
    int use_read_write, subnets;
    double write_fraction;
    int begin_vc[MSG_TYPES], end_vc[MSG_TYPES], subnet[MSG_TYPES], size[MSG_TYPES];
    int seed;
};

void bs_defaults(struct bs_config *c);
/* Reads a file, or one "key=value" (what is said last wins). */
bool bs_read(const char *path, struct arena *mem, struct bs_config *c, struct err *err);
/* The same for a text, terminated by '\0', which is changed. */
bool bs_parse(const char *path, char *text, size_t n, struct arena *mem, struct bs_config *c,
              struct err *err);
bool bs_set(const char *assignment, struct arena *mem, struct bs_config *c, struct err *err);

struct bs_options {
    bool verify, general;
    traffic_watch *watch;
    void *ctx;
    uint64_t shuffle;
    uint64_t cycles,
        warmup; /* run exactly so many cycles instead of the file's phases; 0: phases */
};

/* Builds everything in `mem`, simulates, fills `out`. */
bool bs_run(const struct bs_config *c, const struct bs_options *options, struct arena *mem,
            struct traffic_result *out, struct err *err);

#endif
