/* SPDX-License-Identifier: MIT
 *
 * gen/config/generations.h: what belongs to a generation of GPUs rather than to one of them: the
 * cycles of its pipelines. They are the defaults of the keys that say "generation". */
#ifndef CW_GEN_CONFIG_GENERATIONS_H
#define CW_GEN_CONFIG_GENERATIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/choices.h"

struct generation {
    /* core cycles besides the access of the array, and besides issue, operands and write-back,
     * which the SM simulates */
    uint32_t l1, shared;
    uint32_t llc;        /* L2 cycles besides the array and the network */
    uint32_t dram;       /* L2 cycles of controller and pins */
    uint32_t arithmetic; /* core cycles from one dependent instruction to the next: fp32, integer */
    uint32_t predicate, jump; /* from a comparison to what goes by it; behind a jump */
    /* tensor unit, of which an SM has four: cycles to the result of a step of 256 products of 16
     * bits, and between two of them */
    uint32_t tensor_latency, tensor_interval;
    /* results of an SM in a cycle; 0: as many as the unit's interval gives */
    struct generation_lanes {
        uint32_t fp16, int_mul, shift, bits, convert, convert64, shuffle, barrier;
    } lanes;
    uint32_t shuffle_latency, barrier_latency; /* core cycles; 0: as an integer operation; none */
    bool is_divided; /* integers are multiplied by the fp32 units, bits and conversions done by sfu
                      */
};
extern const struct generation generations[GENERATIONS]; /* [enum gpu_generation] */

#endif
