/* SPDX-License-Identifier: MIT
 *
 * sim/memory/address.h: which controller, LLC slice, bank and row an address belongs to. Either a
 * simple rule (interleaved over controllers, then slices; columns, banks, rows from the bottom) or
 * a map in GPGPU-Sim's notation, "dramid@8;0000RRRR.RRRRRRRR.BBBCCCCB.CCSSSSSS". */
#ifndef CW_SIM_MEMORY_ADDRESS_H
#define CW_SIM_MEMORY_ADDRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/params.h"

struct arena;
struct err;

#define ADDRESS_MAX_RUNS 16u

/* Bits of a field: runs of neighbouring address bits, gathered from the bottom. */
struct address_field {
    struct {
        uint8_t from, to;
        uint64_t mask;
    } runs[ADDRESS_MAX_RUNS];
    uint32_t n_runs, n_bits;
};

/* sim.start = n moves everything by n of these: whole pages, an odd number of them. */
#define ADDRESS_START_BYTES (5u * 4096u)

struct slice_draws; /* slice_hash = random: what was drawn for which block, in order of first use */

struct address_map {
    uint64_t offset;                              /* added to every address */
    uint32_t n_controllers, slices_per_mc, split; /* split: first bit of the controller number */
    bool is_power_of_two;
    enum llc_hash hash;
    struct slice_draws *draws;
    uint32_t log2_controllers, log2_slices;
    struct address_field controller, bank, row, rest; /* rest: all but controller and slice */
};

struct address {
    uint32_t slice, controller, bank, row;
    uint64_t local; /* address within the slice, without holes */
};

bool address_init(struct address_map *m, const struct llc_params *llc,
                  const struct dram_params *dram, struct arena *mem, struct err *err);
struct address address_of(const struct address_map *m, uint64_t address);

#endif
