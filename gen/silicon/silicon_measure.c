/* SPDX-License-Identifier: MIT */
#include "gen/silicon/silicon_measure.h"

#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/pool.h"
#include "gen/progress.h"

struct batch {
    const struct silicon_request *request;
    struct microbench *benches;
    struct arena *arenas; /* [bench]: a job's own, until silicon_release() */
    const char **names;
    size_t *order; /* the long ones first, so that no core waits for them in the end */
    struct progress bar;
};

static void run_job(void *ctx, size_t i)
{
    struct batch *b = ctx;
    size_t k = b->order[i];
    microbench_run(b->request->setup, b->names[k], b->request->data_dir, b->request->cancel,
                   &b->arenas[k], &b->benches[k]);
    progress_add(&b->bar, 1, b->names[k]);
}

static size_t *long_ones_first(const char **names, size_t n, struct arena *mem)
{
    static const char *const long_ones[] = {"dram_copy",   "latency_spread", "dram_read",
                                            "dram_write",  "power_memory",   "power_fp64",
                                            "bandwidth_l2"};
    size_t *order = arena_many(mem, size_t, n), at = 0;
    bool *is_in = arena_many(mem, bool, n);
    for (size_t l = 0; l < sizeof long_ones / sizeof *long_ones; l++)
        for (size_t i = 0; i < n; i++)
            if (strcmp(names[i], long_ones[l]) == 0) {
                order[at++] = i;
                is_in[i] = true;
            }
    for (size_t i = 0; i < n; i++)
        if (!is_in[i])
            order[at++] = i;
    return order;
}

bool silicon_measure(const struct silicon_request *q, struct arena *mem, struct silicon_run *out,
                     struct err *err)
{
    size_t n;
    struct batch b = {.request = q, .names = silicon_benches(q->wanted, mem, &n)};
    b.benches = arena_many(mem, struct microbench, n);
    b.arenas = arena_many(mem, struct arena, n);
    b.order = long_ones_first(b.names, n, mem);
    for (size_t i = 0; i < n; i++) {
        arena_init(&b.arenas[i], mem->out_of_memory, mem->ctx);
        b.benches[i] = (struct microbench){.name = b.names[i], .error = "not run"};
    }
    progress_begin(&b.bar, (double)n, q->quiet);
    pool_run(q->n_threads, n, run_job, &b, q->cancel);
    progress_end(&b.bar);
    *out = (struct silicon_run){
        .setup = q->setup, .benches = b.benches, .n_benches = n, .arenas = b.arenas};
    if (q->cancel && atomic_load(q->cancel)) {
        silicon_release(out);
        return err_add(err, ERR_MACHINE, NOWHERE, "interrupted");
    }
    return true;
}

void silicon_release(struct silicon_run *run)
{
    for (size_t i = 0; i < run->n_benches; i++)
        arena_free(&run->arenas[i]);
    run->n_benches = 0;
}
