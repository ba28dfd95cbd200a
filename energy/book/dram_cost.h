/* SPDX-License-Identifier: MIT
 *
 * energy/book/dram_cost.h: DRAM by published energies: activation, core, pins, refresh and
 * background apart. A technology is a table (cfg/tech/dram-NAME.csv); each value has a range, a
 * grade and a source, and one without is an error.
 *
 *     activate     pJ per KB of the row, precharge included
 *     read, write  pJ per bit between row and pins
 *     io           pJ per bit over the pins, both ends
 *     refresh      nJ per command of a device, every so many us
 *     background   mW per device
 *
 * A technology may also say how it is organised and timed, in ns; a description takes that by
 * dram.kind (gen/config/dram_kind.h).
 *
 * Grades: A measured or published, B vendor, C quoted by others, D derived or recalled. */
#ifndef CW_ENERGY_BOOK_DRAM_COST_H
#define CW_ENERGY_BOOK_DRAM_COST_H

#include "base/err.h"
#include "energy/engine.h"

struct arena;

#define DRAM_ENERGIES(X)                                                                           \
    X(activate_pj_per_kb)                                                                          \
    X(read_pj_per_bit)                                                                             \
    X(write_pj_per_bit)                                                                            \
    X(io_pj_per_bit)                                                                               \
    X(refresh_nj)                                                                                  \
    X(refresh_us)                                                                                  \
    X(background_mw)                                                                               \
    X(device_bits)                                                                                 \
    X(beats_per_clock)

/* Of a device, or of an HBM pseudo-channel. */
#define DRAM_TIMINGS(X)                                                                            \
    X(rate_gbps)                                                                                   \
    X(banks)                                                                                       \
    X(bank_groups)                                                                                 \
    X(row_bytes)                                                                                   \
    X(burst_beats)                                                                                 \
    X(tccd_l_over_tccd)                                                                            \
    X(command_buses)                                                                               \
    X(tcl_ns)                                                                                      \
    X(tcwl_ns)                                                                                     \
    X(trcd_ns)                                                                                     \
    X(trp_ns)                                                                                      \
    X(tras_ns)                                                                                     \
    X(trc_ns)                                                                                      \
    X(trrd_ns)                                                                                     \
    X(tfaw_ns)                                                                                     \
    X(twr_ns)                                                                                      \
    X(twtr_ns)                                                                                     \
    X(trtp_ns)                                                                                     \
    X(trfc_ns)                                                                                     \
    X(trfc_bank_ns) /* a bank alone; may be missing: the kind has no such command */

enum dram_energy {
#define X(name) DRAM_##name,
    DRAM_ENERGIES(X) DRAM_ENERGY_COUNT,
    DRAM_BEFORE_TIMINGS = DRAM_ENERGY_COUNT - 1,
    DRAM_TIMINGS(X)
#undef X
        DRAM_VALUE_COUNT
};

struct dram_value {
    double value, low, high;
    const char *unit, *grade, *source;
};

struct dram_energies {
    const char *file; /* NULL: none; the coefficients of GPUWattch are used */
    bool has_timing;  /* the rows from DRAM_ENERGY_COUNT on are there, too */
    struct dram_value of[DRAM_VALUE_COUNT];
};

/* A channel as it is built. */
struct dram_shape {
    double row_bytes, atom_bytes; /* atom: moved by a column command */
    double half_clock_bytes;      /* moved in half a command clock */
    double clock_ghz;
    double refresh_cycles; /* between refreshes; 0: not simulated */
};

const char *dram_energy_name(enum dram_energy e);
bool dram_energies_read(const char *path, struct arena *mem, struct dram_energies *out,
                        struct err *err);

/* Devices that make up a channel. */
double dram_devices(const struct dram_energies *d, const struct dram_shape *shape);
/* Background and refresh of a channel, in W. */
double dram_standby_w(const struct dram_energies *d, const struct dram_shape *shape);

void dram_cost(const struct dram_energies *d, const struct dram_shape *shape, struct cost *out);

#endif
