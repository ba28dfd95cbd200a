/* SPDX-License-Identifier: MIT
 *
 * gen/cluster/occupancy.h: CTAs that an SM holds, from the limits that a description states and
 * what a kernel needs (cfg/paper/clustering/programs.csv: Table 2 of Li et al. 2017), beside the
 * number that the paper prints. Registers are given to warps in units, shared memory to CTAs in
 * units, as the generation does (the vendor's occupancy rules). */
#ifndef CW_GEN_CLUSTER_OCCUPANCY_H
#define CW_GEN_CLUSTER_OCCUPANCY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arch;
struct arena;
struct err;

#define OCCUPANCY_PLATFORMS 4u

struct occupancy {
    uint32_t ctas;
    const char *limit; /* that decides: "CTA slots", "warps", "registers", "shared memory" */
};

/* Of a kernel with so many warps a CTA, registers a thread, bytes of shared memory a CTA. */
struct occupancy occupancy_of(const struct arch *arch, uint32_t warps, uint32_t registers,
                              uint32_t shared);

/* The shared memory with which an SM holds so many CTAs: the description's, or another one that a
 * program of its generation may ask for (Fermi, Kepler: L1 and shared memory share 64 KB); 0: none.
 */
uint32_t occupancy_split(const struct arch *arch, uint32_t warps, uint32_t registers,
                         uint32_t shared, uint32_t ctas);

struct occupancy_program {
    const char *name, *workload, *kind, *partition;
    uint32_t warps, shared, registers[OCCUPANCY_PLATFORMS];
    uint32_t printed[OCCUPANCY_PLATFORMS], agents[OCCUPANCY_PLATFORMS]; /* by the paper */
    struct occupancy ours[OCCUPANCY_PLATFORMS];
    uint32_t split[OCCUPANCY_PLATFORMS]; /* with which the printed number follows; 0: with none */
};

struct occupancy_table {
    struct occupancy_program *programs;
    size_t n;
    uint32_t n_equal, n_follow, n_cells; /* equal; equal or by another split; all */
};

extern const char *const occupancy_platforms[OCCUPANCY_PLATFORMS]; /* "gtx570", … */

bool occupancy_make(const char *data_dir, struct arena *mem, struct occupancy_table *out,
                    struct err *err);

#endif
