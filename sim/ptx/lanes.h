/* SPDX-License-Identifier: MIT
 *
 * sim/ptx/lanes.h: how the files of sim/ptx/alu.h write a loop over the lanes of a warp so that
 * compilers turn it into vector instructions. */
#ifndef CW_SIM_PTX_LANES_H
#define CW_SIM_PTX_LANES_H

#include "sim/ptx/alu.h"

typedef uint32_t lane_u32 __attribute__((may_alias));
typedef uint64_t lane_u64 __attribute__((may_alias));
typedef int32_t lane_s32 __attribute__((may_alias));
typedef int64_t lane_s64 __attribute__((may_alias));
typedef float lane_f32 __attribute__((may_alias));
typedef double lane_f64 __attribute__((may_alias));

/* `d` may be a source's array, so gcc must be told that lanes do not depend on each other. */
#if defined(__clang__)
#define LANES for (int i = 0; i < PTX_LANES; i++)
#else
#define LANES _Pragma("GCC ivdep") for (int i = 0; i < PTX_LANES; i++)
#endif

/* static void NAME(...): `slot_d` and `slot_s` are the lane types of result and sources; the body
 * is run for each i. */
#define ALU(NAME, slot_d, slot_s, ...)                                                             \
    static void NAME(void *d_, const void *a_, const void *b_, const void *c_, const void *e_)     \
    {                                                                                              \
        slot_d *d = d_;                                                                            \
        const slot_s *a = a_, *b = b_, *c = c_, *e = e_;                                           \
        (void)a, (void)b, (void)c, (void)e;                                                        \
        LANES                                                                                      \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

#endif
