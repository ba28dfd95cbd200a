/* SPDX-License-Identifier: MIT
 *
 * sim/gpu/gpu.h: the GPU. Made from parameters, the networks of a design and its timing; runs one
 * or several programs given as traces; afterwards it is asked for statistics (sim/gpu/stats.h) and
 * for the events of every component. Everything hangs off one struct: many machines may run at
 * once.
 *
 * Limits: 64 warps per SM, 16 schedulers, 16 L1 banks, 64 SMs per cluster, 64 DRAM banks per
 * channel. */
#ifndef CW_SIM_GPU_GPU_H
#define CW_SIM_GPU_GPU_H

#include <stdbool.h>
#include <stdint.h>

#include "noc/graph.h"
#include "sim/arrays.h"
#include "sim/events.h"
#include "sim/frame/config.h"
#include "sim/trace/trace.h"

struct arena;
struct buf;
struct err;
struct gpu;
struct packet_merge_params;
struct sim_probe;

struct gpu *gpu_new(const struct gpu_config *config, struct arena *mem, struct err *err);
void gpu_add_probe(struct gpu *g, const struct sim_probe *probe);

/* Called now and then while the machine runs; false stops it. */
struct gpu_progress {
    uint64_t cycles, warp_insts, total_warp_insts; /* total 0: unknown */
    uint32_t ctas, total_ctas;
};
typedef bool (*gpu_progress_fn)(void *ctx, const struct gpu_progress *p);
/* Called every `interval` core cycles, with the machine's counters as they stand. */
typedef void (*gpu_interval_fn)(void *ctx, const struct gpu *g, uint64_t cycle);

struct gpu_run {
    const struct trace_source *const *programs;
    uint32_t n_programs; /* several: cta.share says how they share the SMs */
    gpu_progress_fn progress;
    gpu_interval_fn at_interval;
    void *ctx;
    uint64_t interval; /* 0: none */
    bool no_skip;      /* step idle cycles and idle parts too: the same bits, slowly */
};

/* Runs all kernels to their end. False: an error is in the collector given to gpu_new, and the
 * machine is of no more use. */
bool gpu_run(struct gpu *g, const struct gpu_run *run);
/* Was a kernel refused because a CTA of it fits no SM? The key of what there is too little of. */
const char *gpu_lacks(const struct gpu *g);

/* Bytes of lines a cycle of the network that come from slices which always hit to SMs which always
 * ask, in `cycles` cycles after `warm`: what queues, allocators and packets of whole flits leave of
 * the ports (sim/gpu/l2_path.c). Of a machine that has not run and is of no use afterwards. NAN:
 * its network has failed. `tell` is told now and then how many cycles have passed. */
typedef void (*gpu_passed_fn)(void *ctx, uint64_t cycles);
double gpu_l2_path(struct gpu *g, uint32_t warm, uint32_t cycles, gpu_passed_fn tell, void *ctx);

uint64_t gpu_cycles(const struct gpu *g);
bool gpu_stopped_early(const struct gpu *g); /* sim.max_cycles was reached */

/* Requests that came to the ports of a local crossbar (of a CD-Xbar; else: of a cluster). */
uint32_t gpu_crossbars(const struct gpu *g);
uint64_t gpu_crossbar_requests(const struct gpu *g, uint32_t crossbar);

/* What a program did: instructions it has issued, the cycle in which its last kernel ended (now,
 * while it runs), and how often it came to its end (sim.restart). */
struct gpu_program {
    uint64_t warp_insts, cycles;
    uint32_t rounds;
    bool is_done;
};
void gpu_program_result(const struct gpu *g, uint32_t program, struct gpu_program *out);

/* ---- events, by component; counts[e] is added to ---- */

void gpu_sm_events(const struct gpu *g, uint32_t sm, uint64_t counts[EV_COUNT]);
/* Of an array that is a component; `instance` is numbered by its scope. */
void gpu_array_events(const struct gpu *g, enum array_role role, uint32_t instance,
                      uint64_t counts[EV_COUNT]);
void gpu_router_events(const struct gpu *g, enum noc_dir dir, uint32_t router,
                       uint64_t counts[EV_COUNT]);
/* What joins the SMs of a cluster at its port, and the link of one SM to it. */
void gpu_concentrator_events(const struct gpu *g, enum noc_dir dir, uint32_t cluster,
                             uint64_t counts[EV_COUNT]);
void gpu_sm_link_events(const struct gpu *g, enum noc_dir dir, uint32_t sm,
                        uint64_t counts[EV_COUNT]);
void gpu_channel_events(const struct gpu *g, enum noc_dir dir, uint32_t channel,
                        uint64_t counts[EV_COUNT]);
/* Where packets do not go through the network engine but through the idealised crossbar or the one
 * router (gpu.network): the events of `noc`, a crossbar of the design, whose one router each flit
 * crosses once. `dir` is that of `noc`: NOC_BOTH where one network carries both. */
void gpu_crossbar_events(const struct gpu *g, enum noc_dir dir, const struct noc *noc,
                         uint64_t (*routers)[EV_COUNT], uint64_t (*channels)[EV_COUNT]);
void gpu_mc_events(const struct gpu *g, uint32_t controller, uint64_t counts[EV_COUNT]);
void gpu_dram_events(const struct gpu *g, uint32_t controller, uint64_t counts[EV_COUNT]);

/* What is stuck where, for the watchdog's message (sim/gpu/watch.c). */
void gpu_check_queues(struct gpu *g); /* for sim.verify: breaks g->bounds where one has wrapped */
void gpu_describe_stuck(const struct gpu *g, struct buf *out);

#endif
