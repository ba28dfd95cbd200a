/* SPDX-License-Identifier: MIT
 *
 * One kernel's trace from arbitrary bytes: read, then every CTA loaded. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "sim/trace/accelsim.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    char path[] = "build/fuzz.traceg.XXXXXX";
    int fd = mkstemp(path);
    if (fd < 0 || write(fd, data, n) != (ssize_t)n)
        abort();
    close(fd);
    struct arena mem;
    struct err err;
    struct trace_source src;
    arena_init(&mem, NULL, NULL);
    err_init(&err);
    if (trace_accelsim_open(path, &mem, &src, &err)) {
        for (uint32_t k = 0; k < src.n_kernels; k++)
            for (uint32_t c = 0; c < src.kernels[k].n_ctas; c++) {
                struct trace_cta cta;
                if (!src.load_cta(&src, k, c, &cta, &err))
                    abort();
                src.free_cta(&src, &cta);
            }
        src.close(&src);
    }
    unlink(path);
    err_free(&err);
    arena_free(&mem);
    return 0;
}
