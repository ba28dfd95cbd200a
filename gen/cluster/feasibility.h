/* SPDX-License-Identifier: MIT
 *
 * gen/cluster/feasibility.h: can an L1 serve several CTAs? The microbenchmark of Li et al. 2017,
 * section 3.1, inside the simulator: CTAs of one warp, one lane of which reads the one line that
 * belongs to its SM, with the clock read before and after. As many CTAs as the SMs have places,
 * times the turns. All at once, the CTAs of the first turn wait for the memory and those of later
 * ones hit; staggered (CTA b waits b times the delay) all but the first of each SM, or of each part
 * of its L1, hit. */
#ifndef CW_GEN_CLUSTER_FEASIBILITY_H
#define CW_GEN_CLUSTER_FEASIBILITY_H

#include <stdbool.h>
#include <stdint.h>

struct arch;
struct arena;
struct err;

#define FEASIBILITY_DELAY 1200u /* cycles, about the paper's */

struct feasibility_request {
    const struct arch *arch;
    const char *data_dir;
    uint32_t turns; /* 0: the paper's, 4 for up to 16 CTAs of an SM and 2 for more */
    uint32_t delay; /* 0: all at once */
};

struct feasibility_cta {
    uint32_t sm;
    uint64_t began; /* cycle of the first clock */
    uint32_t latency;
};

struct feasibility {
    uint32_t n_sms, n_ctas, turns;
    struct feasibility_cta *ctas; /* [CTA] */
    uint32_t *ctas_of_sm;
    uint32_t *reads_of_sm;          /* [sm] L2 read transactions, of 32 bytes */
    double first_turn, later_turns; /* mean latency of the first CTAs, as many as there are
                                       places; of the others */
    double fastest, slowest;
    double reads_per_sm;
    uint32_t n_slow; /* CTAs that take longer than the mean of fastest and slowest */
};

bool feasibility_run(const struct feasibility_request *request, struct arena *mem,
                     struct feasibility *out, struct err *err);

#endif
