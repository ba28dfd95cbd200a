/* SPDX-License-Identifier: MIT
 *
 * sim/memory/dram.h: a memory controller and the DRAM channel behind it. */
#ifndef CW_SIM_MEMORY_DRAM_H
#define CW_SIM_MEMORY_DRAM_H

#include <stdbool.h>
#include <stdint.h>

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

struct dram_stats {
    uint64_t reads, writes, activates, precharges, refreshes;
    uint64_t requests, row_hits, bus_ticks, bank_idle;
    uint64_t queue_sum;
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
    uint64_t refresh_at, refreshing_until;
    uint64_t sleep_until; /* command clock: nothing can be done before */
    struct dram_stats stats;
};

void dram_init(struct dram_channel *c, struct gpu *g, uint32_t id);
/* One tick of the command clock. Returns the tick at which it must run next. */
uint64_t dram_tick(struct gpu *g, struct dram_channel *c, uint64_t tick, uint64_t now);

#endif
