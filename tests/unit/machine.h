/* SPDX-License-Identifier: MIT
 *
 * tests/unit/machine.h: small machines and made-up programs, for tests of what plugs into the
 * machine. */
#ifndef CW_TESTS_UNIT_MACHINE_H
#define CW_TESTS_UNIT_MACHINE_H

#include "tests/unit/test.h"

#include "base/arena.h"
#include "base/err.h"
#include "gen/config/read.h"
#include "gen/run/setup.h"
#include "sim/gpu/gpu.h"
#include "sim/gpu/stats.h"
#include "sim/trace/sink.h"

#define LINE 128u

/* ---- programs ---- */

/* One warp's instruction: a load or a store of one line by all lanes (lane l: word l), or
 * arithmetic that waits for the last load. */
enum step_kind { STEP_LOAD, STEP_STORE, STEP_COMPUTE };
struct step {
    enum step_kind kind;
    uint64_t line;
    uint32_t lanes; /* active; 0: all 32 */
};

/* What warp `warp` of CTA `cta` does as its step `i`; false: it ends. */
typedef bool (*program_fn)(uint32_t cta, uint32_t warp, uint32_t i, struct step *out);

/* A kernel of `n_ctas` CTAs; `n_kernels` times. Closed by its close function. */
static inline void program_make(const char *name, uint32_t n_kernels, uint32_t n_ctas,
                                uint32_t n_warps, uint32_t shared_bytes, program_fn fn,
                                struct trace_source *out)
{
    static const struct trace_static statics[] = {
        {.pc = 0,
         .cls = TC_LOAD,
         .space = TS_GLOBAL,
         .access_bytes = 4,
         .n_dst = 1,
         .n_src = 1,
         .dst = {1},
         .src = {2}},
        {.pc = 8,
         .cls = TC_STORE,
         .space = TS_GLOBAL,
         .access_bytes = 4,
         .n_src = 2,
         .src = {2, 3}},
        {.pc = 16, .cls = TC_FP32, .n_dst = 1, .n_src = 1, .dst = {3}, .src = {1}},
        {.pc = 24, .cls = TC_EXIT},
    };
    struct trace_memory *m = trace_memory_new(name);
    struct trace_sink sink = trace_memory_sink(m);
    struct err err;
    err_init(&err);
    for (uint32_t k = 0; k < n_kernels; k++) {
        struct trace_kernel kernel = {.name = name,
                                      .grid = {n_ctas, 1, 1},
                                      .block = {n_warps * 32, 1, 1},
                                      .n_ctas = n_ctas,
                                      .warps_per_cta = n_warps,
                                      .regs_per_thread = 8,
                                      .shared_bytes = shared_bytes};
        assert_true(sink.begin_kernel(sink.ctx, &kernel, &err));
        for (uint32_t c = 0; c < n_ctas; c++) {
            struct arena mem;
            arena_init(&mem, NULL, NULL);
            struct trace_warp *warps = arena_many(&mem, struct trace_warp, n_warps);
            uint64_t *addresses = NULL;
            uint32_t n = 0, cap = 0;
            for (uint32_t w = 0; w < n_warps; w++) {
                struct step s;
                uint32_t n_steps = 0;
                while (fn(c, w, n_steps, &s))
                    n_steps++;
                struct trace_inst *insts = arena_many(&mem, struct trace_inst, n_steps + 1);
                for (uint32_t i = 0; i < n_steps; i++) {
                    s = (struct step){STEP_COMPUTE, 0, 0};
                    fn(c, w, i, &s);
                    uint32_t mask = s.lanes ? s.lanes : UINT32_MAX;
                    insts[i] = (struct trace_inst){.mask = mask, .stat = (uint16_t)s.kind};
                    if (s.kind == STEP_COMPUTE)
                        continue;
                    insts[i].first_address = n;
                    for (uint32_t l = 0; l < 32; l++) {
                        if (!(mask >> l & 1))
                            continue;
                        if (n == cap) {
                            cap = cap ? cap * 2 : 1024;
                            addresses = realloc(addresses, cap * sizeof *addresses);
                        }
                        addresses[n++] = 0x10000000 + s.line * LINE + l * 4;
                        insts[i].n_addresses++;
                    }
                }
                insts[n_steps] = (struct trace_inst){.mask = UINT32_MAX, .stat = 3};
                warps[w] = (struct trace_warp){insts, n_steps + 1};
            }
            assert_true(sink.add_cta(
                sink.ctx,
                &(struct trace_cta){
                    .id = c, .n_warps = n_warps, .warps = warps, .addresses = addresses},
                &err));
            free(addresses);
            arena_free(&mem);
        }
        assert_true(sink.end_kernel(sink.ctx, statics, 4, &err));
    }
    trace_memory_source(m, out);
    err_free(&err);
}

/* ---- machines ---- */

/* Four clusters of five SMs behind the idealised crossbar: nothing has to be priced. */
#define SMALL_MACHINE                                                                              \
    "base = \"cfg/paper/icc/base.cfg\";\n"                                                         \
    "gpu: { sms = 20; clusters = 4; network = \"local\"; };\n"                                     \
    "l1: { hit_cycles = 20; }; llc: { hit_cycles = 60; };\n"

struct machine {
    struct arena mem;
    struct err err;
    struct arch arch;
    struct sim_setup setup;
    struct gpu *gpu;
    struct stat_totals t;
};

/* Reads `text`, with a NULL-terminated list of keys set after it. */
static inline void machine_make(struct machine *m, const char *text, const char *const *sets)
{
    memset(m, 0, sizeof *m);
    arena_init(&m->mem, NULL, NULL);
    err_init(&m->err);
    size_t n = 0;
    while (sets && sets[n])
        n++;
    struct read_request r = {
        .file = "test.cfg", .text = text, .data_dir = ".", .sets = sets, .n_sets = n};
    bool ok = arch_read(&r, &m->mem, &m->arch, &m->err) &&
              sim_setup_make(&m->arch, ".", false, 1, &m->mem, &m->setup, &m->err) &&
              (m->gpu = sim_setup_gpu(&m->setup, &m->mem, &m->err));
    for (const struct err_entry *e = m->err.first; e && !ok; e = e->next)
        print_error("%s\n", err_entry_text(e, &m->mem));
    assert_true(ok);
}

static inline void machine_run(struct machine *m, const struct trace_source *const *programs,
                               uint32_t n)
{
    bool ok = gpu_run(m->gpu, &(struct gpu_run){.programs = programs, .n_programs = n});
    for (const struct err_entry *e = m->err.first; e && !ok; e = e->next)
        print_error("%s\n", err_entry_text(e, &m->mem));
    assert_true(ok);
    stats_of_gpu(m->gpu, &m->t);
}

static inline void machine_free(struct machine *m)
{
    arena_free(&m->mem);
    err_free(&m->err);
}

/* Totals of one program on the small machine with some keys set. */
static inline struct stat_totals totals_of(const struct trace_source *program,
                                           const char *const *sets)
{
    struct machine m;
    machine_make(&m, SMALL_MACHINE, sets);
    machine_run(&m, &program, 1);
    struct stat_totals t = m.t;
    machine_free(&m);
    return t;
}

#define SETS(...) ((const char *const[]){__VA_ARGS__, NULL})

#endif
