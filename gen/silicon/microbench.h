/* SPDX-License-Identifier: MIT
 *
 * gen/silicon/microbench.h: one microbenchmark (cfg/silicon/NAME.cfg) on one machine. Its sizes
 * follow the machine; a watcher takes the time at the end of every kernel, so that a figure is the
 * difference of a short and a long launch, without start, end and cold caches. The energy between
 * the two last launches is priced likewise. */
#ifndef CW_GEN_SILICON_MICROBENCH_H
#define CW_GEN_SILICON_MICROBENCH_H

#include <stdatomic.h>

#include "gen/run/run.h"
#include "gen/run/setup.h"

struct microbench {
    const char *name;
    const char *error; /* NULL: it ran */
    bool is_machine;   /* the error is the machine's, or a run that stuck */
    double *cycles;    /* [kernel] core cycles from the end of the one before to its own */
    size_t n_kernels;
    /* parameters of the workload; NAN where it has none of that name */
    double n_short, n_long; /* rounds of the two lengths */
    double work, flops;     /* of a round: loads, bytes or operations; floating-point operations */
    double lines;           /* latency_spread */
    uint32_t *slices;       /* [line] of latency_spread; NULL elsewhere */
    /* what the last kernel did beyond the one before it */
    bool has_energy;
    struct run_energy energy;
    double flits; /* into both networks */
};

/* SMs behind one port of the network's middle (a GPC): as the network has them, else a sixth. */
uint32_t microbench_gpc_sms(const struct sim_setup *setup);

/* Whether an SM's requests for this slice cross from one partition of the L2 to another. */
bool microbench_is_far(const struct sim_setup *setup, uint32_t sm, uint32_t slice);

/* Bytes a core cycle that the DRAM's buses can move. */
double microbench_dram_peak(const struct arch *arch);

/* What it gives is in `mem`; the machine is in an arena of its own and gone afterwards. May be
 * called from several threads at once. Errors are in `out`. */
void microbench_run(const struct sim_setup *setup, const char *name, const char *data_dir,
                    const atomic_bool *cancel, struct arena *mem, struct microbench *out);

#endif
