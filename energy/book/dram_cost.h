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

enum dram_energy {
#define X(name) DRAM_##name,
    DRAM_ENERGIES(X)
#undef X
        DRAM_ENERGY_COUNT
};

struct dram_value {
    double value, low, high;
    const char *unit, *grade, *source;
};

struct dram_energies {
    const char *file; /* NULL: none; the coefficients of GPUWattch are used */
    struct dram_value of[DRAM_ENERGY_COUNT];
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
