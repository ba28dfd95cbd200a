/* SPDX-License-Identifier: MIT
 *
 * Traces kept in memory, for tests and quick simulations. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include "sim/trace/content.h"
#include "sim/trace/sink.h"

struct trace_memory {
    struct arena mem;
    const char *name;
    VEC(struct trace_kernel) kernels;
    VEC(struct trace_cta *) ctas; /* [kernel]: array of n_ctas */
    uint32_t n_ctas;              /* of the kernel at hand */
    uint64_t identity;
    struct trace_coder *coder;
    struct trace_bytes code; /* what the identity is made of, a part at a time */
};

struct trace_memory *trace_memory_new(const char *workload)
{
    struct trace_memory *m = calloc(1, sizeof *m);
    if (!m)
        arena_exhausted();
    arena_init(&m->mem, NULL, NULL);
    m->name = arena_strdup(&m->mem, workload);
    m->identity = trace_identity_begin(workload);
    m->coder = trace_coder_new();
    if (!m->coder)
        arena_exhausted();
    return m;
}

void trace_memory_free(struct trace_memory *m)
{
    if (!m)
        return;
    trace_coder_free(m->coder);
    free(m->code.at);
    arena_free(&m->mem);
    free(m);
}

static bool no_memory(const struct trace_memory *m, struct err *err)
{
    return err_add(err, ERR_MACHINE, AT_FILE(m->name), "no memory to keep the trace");
}

static bool begin_kernel(void *ctx, const struct trace_kernel *kernel, struct err *err)
{
    struct trace_memory *m = ctx;
    struct trace_kernel k = *kernel;
    k.name = arena_strdup(&m->mem, kernel->name);
    k.n_warp_insts = k.n_thread_insts = 0;
    vec_push(&m->mem, &m->kernels, k);
    vec_push(&m->mem, &m->ctas, arena_many(&m->mem, struct trace_cta, (size_t)k.n_ctas + 1));
    m->n_ctas = 0;
    m->code.n = 0;
    trace_put_kernel(&m->code, kernel);
    return trace_identity_add(&m->identity, &m->code, 0) || no_memory(m, err);
}

static bool add_cta(void *ctx, const struct trace_cta *cta, struct err *err)
{
    struct trace_memory *m = ctx;
    struct trace_kernel *k = &m->kernels.at[m->kernels.n - 1];
    struct trace_warp *warps = arena_many(&m->mem, struct trace_warp, cta->n_warps + 1);
    uint64_t n_addresses = 0;
    const char *why;
    if (m->n_ctas >= k->n_ctas)
        return err_add(err, ERR_INPUT, NOWHERE, "more CTAs than the grid of '%s' has", k->name);
    m->code.n = 0;
    if (!trace_encode_cta(m->coder, cta, &m->code, &why))
        return why ? err_add(err, ERR_INPUT, AT_FILE(m->name), "%s", why) : no_memory(m, err);
    if (!trace_identity_add(&m->identity, &m->code, 0))
        return no_memory(m, err);
    for (uint32_t w = 0; w < cta->n_warps; w++) {
        const struct trace_warp *from = &cta->warps[w];
        struct trace_inst *insts =
            arena_many(&m->mem, struct trace_inst, (size_t)from->n_insts + 1);
        if (from->n_insts)
            memcpy(insts, from->insts, from->n_insts * sizeof *insts);
        warps[w] = (struct trace_warp){insts, from->n_insts};
        k->n_warp_insts += from->n_insts;
        for (uint32_t i = 0; i < from->n_insts; i++) {
            uint64_t end = (uint64_t)insts[i].first_address + insts[i].n_addresses;
            n_addresses = insts[i].n_addresses && end > n_addresses ? end : n_addresses;
            k->n_thread_insts += (uint32_t)__builtin_popcount(insts[i].mask);
        }
    }
    uint64_t *addresses = arena_many(&m->mem, uint64_t, n_addresses + 1);
    if (n_addresses)
        memcpy(addresses, cta->addresses, n_addresses * sizeof *addresses);
    m->ctas.at[m->kernels.n - 1][m->n_ctas++] = (struct trace_cta){
        .id = cta->id, .n_warps = cta->n_warps, .warps = warps, .addresses = addresses};
    return true;
}

static bool end_kernel(void *ctx, const struct trace_static *statics, uint32_t n, struct err *err)
{
    struct trace_memory *m = ctx;
    struct trace_kernel *k = &m->kernels.at[m->kernels.n - 1];
    struct trace_static *copy = arena_many(&m->mem, struct trace_static, (size_t)n + 1);
    if (n)
        memcpy(copy, statics, n * sizeof *copy);
    k->statics = copy;
    k->n_statics = n;
    m->code.n = 0;
    trace_put_statics(&m->code, statics, n);
    return trace_identity_add(&m->identity, &m->code, 0) || no_memory(m, err);
}

struct trace_sink trace_memory_sink(struct trace_memory *m)
{
    return (struct trace_sink){m, begin_kernel, add_cta, end_kernel};
}

static bool load_cta(const struct trace_source *src, uint32_t kernel, uint32_t cta,
                     struct trace_cta *out, struct err *err)
{
    const struct trace_memory *m = src->ctx;
    if (kernel >= src->n_kernels || cta >= src->kernels[kernel].n_ctas)
        return err_add(err, ERR_INPUT, AT_FILE(src->file), "there is no CTA %u of kernel %u", cta,
                       kernel);
    *out = m->ctas.at[kernel][cta];
    return true;
}

static void free_cta(const struct trace_source *src, struct trace_cta *cta)
{
    (void)src;
    *cta = (struct trace_cta){0};
}

static void close_memory(struct trace_source *src)
{
    trace_memory_free(src->ctx);
    src->ctx = NULL;
}

void trace_memory_source(struct trace_memory *m, struct trace_source *out)
{
    *out = (struct trace_source){.name = m->name,
                                 .file = m->name,
                                 .kernels = m->kernels.at,
                                 .n_kernels = (uint32_t)m->kernels.n,
                                 .identity = m->identity,
                                 .load_cta = load_cta,
                                 .free_cta = free_cta,
                                 .close = close_memory,
                                 .ctx = m};
}
