/* SPDX-License-Identifier: MIT
 *
 * sim/memory/dram.h: a memory controller and the DRAM channel behind it. */
#ifndef CW_SIM_MEMORY_DRAM_H
#define CW_SIM_MEMORY_DRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/counters.h"
#include "sim/frame/request.h"

struct err;
struct gpu;

struct dram_bank {
    uint32_t req;  /* being served, or REQ_NONE */
    uint32_t row;  /* open, or DRAM_NO_ROW */
    uint32_t sent; /* bytes of the request already commanded */
    bool is_open;
    uint64_t column_ok, write_ok, precharge_ok, activate_ok; /* command clock from which legal */
    uint64_t idle_since;
};

/* What a channel counts (sim/counters.h). */
/* clang-format off */
#define DRAM_STATS(X) \
    X(COUNT, reads, dram_rd, "", "read column commands", "") \
    X(COUNT, writes, dram_wr, "", "write column commands", "") \
    X(COUNT, activates, dram_act, "", "row activations", "") \
    X(COUNT, precharges, dram_pre, "", "row closings", "") \
    X(COUNT_AT, dram_refreshes_until(g, c->id, g->clocks.ticks[CLOCK_DRAM]), dram_refreshes, "", "refreshes, of all banks or of one", "") \
    X(HIDDEN, bus_ticks, bus_ticks, "DRAM cycle", "in which the data bus moves data") \
    X(VALUE, dram_bw_util, "", "share of time in which the data buses move data", "busy / (DRAM clocks * channels)", RATE(t->bus_ticks, t->dram_ticks * t->n_channels)) \
    X(FACT, c->atom_bytes, atom_bytes, "B", "moved by a column command") \
    X(VALUE, dram_gbps, "GB/s", "bytes moved over the DRAM's buses per time", "", RATE((t->dram_rd + t->dram_wr) * t->atom_bytes * t->dram_ghz, t->dram_ticks)) \
    X(HIDDEN, requests, dram_requests, "", "requests that the controller queued") \
    X(HIDDEN, row_hits, row_hits, "", "of them to the row their bank had open or was opening") \
    X(VALUE, row_buffer_locality, "", "share of requests to the row their bank had open or was opening", "row hits / requests", RATE(t->row_hits, t->dram_requests)) \
    X(VALUE, row_buffer_miss_rate, "", "share of requests that need another row", "1 - row_buffer_locality", t->dram_requests > 0 ? 1 - t->row_hits / t->dram_requests : NAN) \
    X(HIDDEN, queue_sum, dram_queue_sum, "", "requests that wait when another one comes, summed over those") \
    X(VALUE, dram_queue, "", "requests that wait in a controller when another one comes", "", RATE(t->dram_queue_sum, t->dram_requests)) \
    X(HIDDEN, bank_idle, bank_idle_ticks, "DRAM cycle", "of banks between two requests") \
    X(VALUE, bank_idle, "", "share of time a bank that is used has no request", "idle between requests / (DRAM clocks * banks)", RATE(t->bank_idle_ticks, t->dram_ticks * t->n_channels * t->n_banks))
/* clang-format on */

struct dram_stats {
    DRAM_STATS(COUNTER_FIELD)
};

struct dram_channel {
    uint32_t id;
    void *sched;
    struct dram_bank *banks;
    uint32_t *rows;             /* [bank] open row, for the scheduler */
    uint64_t work;              /* mask of banks with a request */
    uint32_t first;             /* rotating priority */
    struct delay_ring incoming; /* fixed delay of the controller; core cycles */
    struct delay_ring data; /* column commands on the bus: request and when its data is through */
    struct ring returns;
    uint32_t in_flight; /* requests accepted and not returned */
    uint32_t private_used[16], shared_used, last_slice;
    uint64_t column_ok, read_ok, write_ok, activate_ok; /* command clock from which legal */
    uint64_t group_ok[64], group_precharge_ok[64];
    uint32_t n_groups, group_shift, atom_bytes, atom_ticks;
    uint64_t last_activates[4];
    uint64_t refresh_at;  /* the next refresh */
    uint64_t unrefreshed; /* mask: banks that wait for theirs, one by one */
    uint64_t n_refreshes; /* of banks alone */
    struct dram_stats stats;
};

void dram_init(struct dram_channel *c, struct gpu *g, uint32_t id);
/* Refreshes of a channel, of all its banks or of one. */
uint64_t dram_refreshes_until(const struct gpu *g, uint32_t channel, uint64_t tick);
/* One tick of the command clock. Returns the tick at which it must run next. */
uint64_t dram_tick(struct gpu *g, struct dram_channel *c, uint64_t tick, uint64_t now);

#endif
