/* SPDX-License-Identifier: MIT */
#include "sim/trace/content.h"

#include <string.h>

#include "base/map.h"
#include "sim/trace/format.h"

void trace_put_kernel(struct trace_bytes *to, const struct trace_kernel *k)
{
    const uint32_t numbers[] = {k->grid.x,          k->grid.y,
                                k->grid.z,          k->block.x,
                                k->block.y,         k->block.z,
                                k->n_ctas,          k->warps_per_cta,
                                k->regs_per_thread, k->regs_estimated | k->n_sms << 1,
                                k->shared_bytes};
    trace_put_uint(to, strlen(k->name));
    trace_put(to, k->name, strlen(k->name));
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        trace_put_uint(to, numbers[i]);
}

static void put_static(struct trace_bytes *to, const struct trace_static *s)
{
    const uint8_t fields[] = {s->cls, s->space, s->access_bytes, s->flags, s->n_dst, s->n_src};
    trace_put_uint(to, s->pc);
    trace_put(to, fields, sizeof fields);
    trace_put(to, s->dst, s->n_dst);
    trace_put(to, s->src, s->n_src);
    trace_put_int(to, s->line);
}

void trace_put_statics(struct trace_bytes *to, const struct trace_static *statics, uint32_t n)
{
    trace_put_uint(to, n);
    for (uint32_t i = 0; i < n; i++)
        put_static(to, &statics[i]);
}

uint64_t trace_identity_begin(const char *workload)
{
    return map_hash_bytes(workload, strlen(workload), TRACE_VERSION);
}

bool trace_identity_add(uint64_t *identity, const struct trace_bytes *b, size_t from)
{
    if (b->failed)
        return false;
    *identity = map_hash_bytes(b->at + from, b->n - from, *identity);
    return true;
}
