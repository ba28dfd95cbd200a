/* SPDX-License-Identifier: MIT
 *
 * PTX from arbitrary bytes: read, every kernel decoded and run for a short while on one buffer. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "sim/ptx/interpreter.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void run(struct ptx_device *dev, const char *entry, uint64_t buffer, struct err *err)
{
    struct ptx_kernel k;
    struct ptx_counts counts = {0};
    struct arena mem;
    arena_init(&mem, NULL, NULL);
    if (ptx_decode(&dev->layout, entry, &mem, &k, err) && k.param_bytes <= PTX_PARAM_BYTES) {
        uint8_t *params = calloc(PTX_PARAM_BYTES + 8, 1);
        for (uint32_t i = 0; i + 8 <= k.param_bytes; i += 8)
            memcpy(params + i, &buffer, 8);
        struct trace_memory *trace = trace_memory_new("fuzz");
        struct trace_sink sink = trace_memory_sink(trace);
        struct ptx_launch l = {.kernel = &k,
                               .grid = {2, 1, 1},
                               .block = {40, 1, 1},
                               .dynamic_shared = 128,
                               .params = params,
                               .max_warp_insts = 500};
        if (k.file_bytes < 1u << 22 && k.frame_bytes < 1u << 16)
            ptx_run(dev, &l, &sink, &counts, err);
        trace_memory_free(trace);
        free(params);
    }
    arena_free(&mem);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct err err;
    struct ptx_device dev;
    err_init(&err);
    if (ptx_device_load(&dev, "fuzz.ptx", (const char *)data, n, &err)) {
        uint32_t s = ptx_device_alloc(&dev, "buffer", 4096, NOWHERE, &err);
        for (uint32_t i = 0; s != UINT32_MAX && i < dev.module.n_funcs && i < 20; i++)
            if (dev.module.funcs[i]->is_entry)
                run(&dev, dev.module.funcs[i]->name, dev.segments[s].base, &err);
        ptx_device_close(&dev);
    } else if (!err.n_errors) {
        abort(); /* refused without a word */
    }
    err_free(&err);
    return 0;
}
