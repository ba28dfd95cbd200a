/* SPDX-License-Identifier: MIT
 *
 * tests/unit/steps.h: kernels made by hand, instruction by instruction. */
#ifndef CW_TESTS_UNIT_STEPS_H
#define CW_TESTS_UNIT_STEPS_H

#include "tests/unit/test.h"

#include "base/err.h"
#include "sim/trace/sink.h"

/* One instruction of a test kernel: every warp of every CTA does the same. */
struct step {
    uint8_t cls, space, dst, src;
    uint32_t mask;
    uint64_t address;
    int64_t stride;
    uint32_t warps; /* mask of the warps that do it; 0: all */
    uint8_t flags;  /* enum trace_flags */
};

#define FULL UINT32_MAX
#define EXIT_STEP                                                                                  \
    {                                                                                              \
        TC_EXIT, 0, 0, 0, FULL, 0, 0, 0, 0                                                         \
    }

/* One kernel of `n` steps, at most 64, and at most 32 warps. Closed by its close function. */
static inline void steps_source(const struct step *steps, uint32_t n, uint32_t ctas, uint32_t warps,
                                struct trace_source *out)
{
    struct trace_memory *m = trace_memory_new("test");
    struct err err;
    err_init(&err);
    struct trace_sink sink = trace_memory_sink(m);
    struct trace_kernel k = {.name = "k",
                             .grid = {ctas, 1, 1},
                             .block = {32 * warps, 1, 1},
                             .n_ctas = ctas,
                             .warps_per_cta = warps,
                             .regs_per_thread = 16,
                             .shared_bytes = 4096};
    struct trace_static statics[64] = {{0}};
    struct trace_inst insts[32][64];
    struct trace_warp list[32];
    uint64_t addresses[32 * 64];
    assert_true(sink.begin_kernel(sink.ctx, &k, &err));
    for (uint32_t c = 0; c < ctas; c++) {
        uint32_t at = 0;
        for (uint32_t w = 0; w < warps; w++) {
            uint32_t count = 0;
            for (uint32_t i = 0; i < n; i++) {
                const struct step *s = &steps[i];
                if (s->warps && !(s->warps >> w & 1))
                    continue;
                uint32_t lanes = s->space ? (uint32_t)__builtin_popcount(s->mask) : 0;
                insts[w][count++] = (struct trace_inst){.mask = s->mask,
                                                        .stat = (uint16_t)i,
                                                        .n_addresses = (uint16_t)lanes,
                                                        .first_address = at};
                for (uint32_t l = 0; l < lanes; l++)
                    addresses[at++] = s->address + (uint64_t)(s->stride * (int64_t)l);
                statics[i] = (struct trace_static){.pc = 16 * i,
                                                   .cls = s->cls,
                                                   .space = s->space,
                                                   .access_bytes = s->space ? 4 : 0,
                                                   .flags = s->flags,
                                                   .n_dst = s->dst != 0,
                                                   .n_src = s->src != 0};
                statics[i].dst[0] = s->dst;
                statics[i].src[0] = s->src;
            }
            list[w] = (struct trace_warp){insts[w], count};
        }
        struct trace_cta cta = {.id = c, .n_warps = warps, .warps = list, .addresses = addresses};
        assert_true(sink.add_cta(sink.ctx, &cta, &err));
    }
    assert_true(sink.end_kernel(sink.ctx, statics, n, &err));
    trace_memory_source(m, out);
    err_free(&err);
}

#endif
