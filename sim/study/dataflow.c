/* SPDX-License-Identifier: MIT */
#include "sim/study/dataflow.h"

#include <string.h>

void dataflow_begin_cta(struct dataflow *flow, uint32_t n_warps)
{
    memset(flow->holds, 0, n_warps * sizeof *flow->holds);
}

static bool gives_memory(const struct trace_static *s)
{
    return s->cls == TC_LOAD || s->cls == TC_ATOMIC;
}

/* Whether what a load from there gives is data. */
static bool is_data(const struct dataflow *flow, const struct trace_static *s)
{
    switch (s->space) {
    case TS_SHARED: return flow->in_shared;
    case TS_LOCAL: return flow->in_local;
    case TS_CONST:
    case TS_PARAM: return false;
    default: return true;
    }
}

/* Registers that make the address: of a load all but the predicates that it stands under, of what
 * has a value too the first (the value is listed after it; with nothing after it, the place is a
 * number). */
static uint32_t address_lanes(const uint32_t *holds, const struct trace_static *s)
{
    uint32_t lanes = 0, n = 0;
    for (uint32_t i = 0; i < s->n_src; i++) {
        if (s->src[i] >= TRACE_FIRST_PREDICATE)
            continue;
        if (s->cls == TC_LOAD || n == 0)
            lanes |= holds[s->src[i]];
        n++;
    }
    return s->cls == TC_STORE && n < 2 ? 0 : lanes;
}

uint32_t dataflow_step(struct dataflow *flow, uint32_t warp, const struct trace_static *s,
                       const struct trace_inst *in)
{
    uint32_t *holds = flow->holds[warp], from = 0, addresses = 0;
    for (uint32_t i = 0; i < s->n_src; i++)
        from |= holds[s->src[i]];
    from &= in->mask;
    if (trace_is_memory(s)) {
        addresses = address_lanes(holds, s) & in->mask;
        if (gives_memory(s))
            from = is_data(flow, s) ? in->mask : 0;
        else if (s->space == TS_SHARED)
            flow->in_shared |= from != 0;
        else if (s->space == TS_LOCAL)
            flow->in_local |= from != 0;
    } else if (s->cls == TC_SHUFFLE && from) {
        from = in->mask; /* from whichever lane */
    }
    for (uint32_t i = 0; i < s->n_dst; i++)
        holds[s->dst[i]] = (holds[s->dst[i]] & ~in->mask) | from;
    return addresses;
}
