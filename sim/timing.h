/* SPDX-License-Identifier: MIT
 *
 * sim/timing.h: what the simulator is told about time. Made by gen/ from design and book (or from
 * keys that override them); const for the simulator. Clocks are whole kilohertz, so that the ratios
 * of clock domains are exact. */
#ifndef CW_SIM_TIMING_H
#define CW_SIM_TIMING_H

#include <stdint.h>

enum clock_domain { CLOCK_CORE, CLOCK_NOC, CLOCK_L2, CLOCK_DRAM, CLOCK_DOMAINS };

struct timing {
    uint64_t clock_khz[CLOCK_DOMAINS];
    /* cycles of the domain the structure lives in */
    uint32_t l1_hit, shared_memory, merge_table, coalesced_cache, mshr;
    uint32_t l1_lookup; /* until the L1 has compared its tags; at most l1_hit */
    uint32_t l2_hit;    /* L2 clock: tag and data of a slice */
    /* cycles between two accesses of one bank: the array may be slower than its clock */
    uint32_t l1_interval, shared_interval, l2_interval;
    uint32_t dram_fixed; /* L2 clock: controller and pins, besides the DRAM's own timing */
    const uint16_t *request_channel; /* [channel] NoC cycles on the wire */
    const uint16_t *reply_channel;
    const uint8_t *request_traversal; /* [channel] NoC cycles of the switch before it beyond the
                                         one that every router has; NULL: none */
    const uint8_t *reply_traversal;
    uint32_t extra_alloc[2]; /* request, reply: cycles that an allocation takes beyond its own,
                                blocking its ports */
};

#endif
