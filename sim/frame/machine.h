/* SPDX-License-Identifier: MIT
 *
 * sim/frame/machine.h: the machine as its parts see it. `struct gpu` knows every part by name; a
 * part includes this and the headers of the parts it touches, and nothing of the others.
 *
 * Nothing is stepped that has nothing to do. An SM, a slice, a channel says when it must run next
 * and sleeps until then or until somebody wakes it (machine_wake_*); when all sleep, time jumps.
 * Within a core cycle the order is: replies reach the SMs' ports, slices send, DRAM, slices,
 * network, SMs, CTA placement. */
#ifndef CW_SIM_FRAME_MACHINE_H
#define CW_SIM_FRAME_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/frame/clock.h"
#include "sim/frame/config.h"
#include "sim/frame/hooks.h"
#include "sim/frame/launch.h"
#include "sim/frame/request.h"

struct address_map;
struct arena;
struct cluster;
struct dram_channel;
struct dram_sched;
struct err;
struct fabric;
struct locality;
struct slice;
struct sm;
struct sm_common;
struct window_study;

#define NEVER UINT64_MAX
#define MACHINE_PROBES 8u

struct gpu {
    struct gpu_config cfg;
    struct arena *mem;
    struct err *err;
    bool has_failed;
    const char *lacks; /* key of what an SM has too little of for a kernel; NULL */
    struct clocks clocks;
    uint64_t now; /* core cycle */
    struct fabric *fabric;
    struct req_pool pool;
    struct bounds bounds; /* of all queues but those of the fabric */
    const struct address_map *map;

    struct sm *sms;
    struct sm_common *sm_common;
    const uint32_t *cluster_of; /* [sm] */
    struct cluster *clusters;
    struct slice *slices;
    struct dram_channel *dram_channels;
    uint32_t n_sms, n_clusters, n_slices, n_dram_channels;
    const struct dram_sched *dram_sched;
    const struct cta_sched *cta_sched;
    uint32_t cta_places;           /* of an SM that the kernel with most instructions uses … */
    uint64_t places_insts;         /* … which has so many */
    struct cta_order_file *orders; /* of cta.clustering.index "file"; NULL: not read */
    uint32_t l2_latency, dram_latency; /* cycles of the L2, core cycles */
    uint32_t l2_interval;              /* cycles of the L2 between two accesses of a bank */
    uint32_t far_cycles[2]; /* cycles of the L2 that a crossing to the other half takes */
    uint32_t flit_bytes[2];
    uint32_t line_pieces; /* sectors of a line, as requests count them */

    struct cluster_hooks hooks; /* zero: none */
    struct sim_probe probes[MACHINE_PROBES];
    uint32_t n_probes;
    struct locality *locality;    /* NULL: not asked for */
    struct window_study *windows; /* NULL: not asked for */

    /* who must run in this cycle, and who sleeps until when: bit sets over components */
    uint64_t *sm_now, *cluster_now, *slice_now, *dram_now;
    uint64_t *sleepers; /* [cycle % MACHINE_WHEEL][words]: SMs, clusters, slices, channels */
    uint64_t *sleep_any;
    uint32_t words, sm_words, cluster_word, slice_word, dram_word;
    uint64_t *reply_now; /* slices with replies to send */

    struct launch *launches;
    uint32_t n_launches, n_running, n_done;
    struct cta_machine cta_machine;
    uint32_t *cta_next_sm; /* [cluster] where turns go on from kernel to kernel; else NULL */
    uint32_t *room;        /* [sm] */
    uint32_t *later;       /* [sm] the same but for the limit of one launch per cycle */
    uint64_t idled_cycles, idled_since; /* places times cycles that block policies left empty */
    uint32_t n_idled;
    uint64_t *sm_run;   /* SMs of this cycle, where those of a cluster run in turn */
    uint64_t sms_begin; /* first cycle of SMs that are given CTAs now */
    uint64_t *launched; /* SMs that were given a CTA in this cycle */
    bool must_place;
    bool must_release; /* a grid has met */

    uint64_t moved_at;     /* last cycle in which an instruction issued or a request moved */
    uint64_t retired_at;   /* last cycle in which an instruction issued or an access ended */
    uint64_t n_warp_insts; /* issued */
    uint64_t skipped;      /* cycles nobody ran */
    uint64_t live_writebacks;
    uint64_t bytes[2]; /* sent into the networks, headers included */
    uint32_t *owner;   /* [sm] program whose CTAs it takes first */
    uint32_t n_programs;
    bool is_concurrent, was_stopped;
    uint64_t total_insts;
    uint32_t total_ctas, done_ctas;
    bool no_skip; /* for the test that compares */
};

#define MACHINE_WHEEL 1024u

/* ---- waking ---- */

static inline void machine_wake_sm(struct gpu *g, uint32_t sm)
{
    g->sm_now[sm / 64] |= (uint64_t)1 << (sm % 64);
}
static inline void machine_wake_cluster(struct gpu *g, uint32_t c)
{
    g->cluster_now[c / 64] |= (uint64_t)1 << (c % 64);
}
static inline void machine_wake_slice(struct gpu *g, uint32_t s)
{
    g->slice_now[s / 64] |= (uint64_t)1 << (s % 64);
}
static inline void machine_wake_dram(struct gpu *g, uint32_t c)
{
    g->dram_now[c / 64] |= (uint64_t)1 << (c % 64);
}
/* Wakes a component at a core cycle after now; `word` is the first of its kind. */
void machine_sleep(struct gpu *g, uint32_t word, uint32_t i, uint64_t until);

/* Tells all who watch: TELL(g, cta, kernel, …) calls their cta(ctx, kernel, …). */
#define TELL(g, what, ...)                                                                         \
    do {                                                                                           \
        for (uint32_t tell_i = 0; tell_i < (g)->n_probes; tell_i++)                                \
            if ((g)->probes[tell_i].what)                                                          \
                (g)->probes[tell_i].what((g)->probes[tell_i].ctx, __VA_ARGS__);                    \
    } while (0)

/* The SM has retired a CTA: its policy is told. */
void machine_cta_retired(struct gpu *g, uint32_t launch, uint32_t sm, uint32_t cta);
bool machine_fail(struct gpu *g, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Flits of a packet that carries `bytes` of data. */
static inline uint16_t machine_flits(const struct gpu *g, enum noc_dir dir, uint32_t bytes)
{
    uint32_t n = bytes + g->cfg.gpu->header_bytes, f = g->flit_bytes[dir];
    return (uint16_t)((n + f - 1) / f);
}

#endif
