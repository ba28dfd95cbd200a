/* SPDX-License-Identifier: MIT
 *
 * Trace files from arbitrary bytes. Checksums keep random bytes from the decoder of CTAs, so inputs
 * that begin with a zero byte go there directly; what it accepts must survive being encoded. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "sim/trace/cta_code.h"
#include "sim/trace/trace.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void decode(const uint8_t *data, size_t n)
{
    const struct trace_limits limits = {1 << 14, 1 << 16};
    struct trace_coder *coder = trace_coder_new();
    struct trace_reader in = {.at = data, .end = data + n};
    struct trace_cta cta, again;
    const char *why;
    if (coder && trace_decode_cta(coder, &in, 100, &limits, &cta, &why)) {
        struct trace_bytes out = {0};
        if (!trace_encode_cta(coder, &cta, &out, &why))
            abort();
        struct trace_reader back = {.at = out.at, .end = out.at + out.n};
        if (!trace_decode_cta(coder, &back, 100, &limits, &again, &why) || back.at != back.end)
            abort();
        for (uint32_t w = 0; w < cta.n_warps; w++)
            if (cta.warps[w].n_insts != again.warps[w].n_insts)
                abort();
        free(again.owner);
        free(cta.owner);
        free(out.at);
    }
    trace_coder_free(coder);
}

static void open_file(const uint8_t *data, size_t n)
{
    char path[] = "build/fuzz.trace.XXXXXX";
    int fd = mkstemp(path);
    if (fd < 0 || write(fd, data, n) != (ssize_t)n)
        abort();
    close(fd);
    struct arena mem;
    struct err err;
    struct trace_source src;
    arena_init(&mem, NULL, NULL);
    err_init(&err);
    if (trace_open(path, &mem, &src, &err)) {
        for (uint32_t k = 0; k < src.n_kernels; k++)
            for (uint32_t c = 0; c < src.kernels[k].n_ctas && c < 100; c++) {
                struct trace_cta cta;
                if (src.load_cta(&src, k, c, &cta, &err))
                    src.free_cta(&src, &cta);
            }
        src.close(&src);
    }
    unlink(path);
    err_free(&err);
    arena_free(&mem);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    if (n && data[0] == 0)
        decode(data + 1, n - 1);
    else
        open_file(data, n);
    return 0;
}
