/* SPDX-License-Identifier: MIT
 *
 * sim/workload/run_impl.h: the state of a running workload, shared by the files that run it. Nobody
 * else includes this. */
#ifndef CW_SIM_WORKLOAD_RUN_IMPL_H
#define CW_SIM_WORKLOAD_RUN_IMPL_H

#include "base/vec.h"
#include "sim/ptx/interpreter.h"
#include "sim/workload/workload.h"

#define MAX_LOOPS 16

struct run {
    const struct workload *w;
    struct arena mem;
    struct ptx_device device;
    const struct workload_wishes *wishes;
    const struct trace_sink *sink;
    struct workload_stats *stats;
    struct err *err;
    struct ptx_module *more;    /* modules beside the device's own */
    struct ptx_layout *layouts; /* … and their variables */
    uint32_t *segments;         /* [buffer]: exchanged by swap */
    VEC(struct ptx_kernel *) kernels;
    /* names of whole numbers: parameters, then the indices of the loops we are in */
    const char **names;
    int64_t *values;
    struct workload_scope scope;
    /* for the judgement */
    const struct reference *reference;
    uint8_t **before; /* [buffer] */
    uint8_t **now;    /* [buffer] for expressions */
    bool has_before, wants_before;
};

static inline uint64_t wl_bytes(const struct workload_buffer *b)
{
    return b->count * workload_type_bytes(b->type);
}

static inline uint8_t *wl_host(const struct run *r, uint32_t buffer)
{
    return r->device.segments[r->segments[buffer]].host;
}

static inline size_t wl_modules(const struct run *r)
{
    return 1 + r->w->n_more_ptx;
}

static inline const struct ptx_layout *wl_layout(const struct run *r, size_t module)
{
    return module ? &r->layouts[module - 1] : &r->device.layout;
}

/* ---- sim/workload/contents.c ---- */
struct workload_real_scope wl_real_scope(const struct run *r);
/* What buffers hold now. */
struct workload_contents wl_contents(struct run *r);
/* A real expression with what buffers hold at this moment; `text` begins with '='. */
bool wl_eval_real(struct run *r, const char *text, struct where at, double *out);
bool wl_eval(struct run *r, const struct workload_expr *e, int64_t *out);
/* The address of an element, or of one `more` elements on. */
bool wl_address(struct run *r, const struct workload_arg *a, int64_t more, uint64_t *out);
/* Memory and contents of all buffers. */
bool wl_make_buffers(struct run *r);

#endif
