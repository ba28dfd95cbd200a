/* SPDX-License-Identifier: MIT
 *
 * Fat binaries: arbitrary bytes as the entries behind a header that tells their length, and as one
 * LZ4 block; the text that comes out is read as PTX. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "sim/ptx/interpreter.h"
#include "sim/runtime/fatbin.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

#define HEADER_BYTES 16u

static uint8_t *with_header(const uint8_t *data, size_t n)
{
    const uint8_t head[] = {0x50, 0xed, 0x55, 0xba, 1, 0, HEADER_BYTES, 0};
    uint8_t *image = malloc(HEADER_BYTES + n);
    memcpy(image, head, sizeof head);
    uint64_t bytes = n;
    memcpy(image + 8, &bytes, sizeof bytes);
    if (n)
        memcpy(image + HEADER_BYTES, data, n);
    return image;
}

/* Decoded into exactly what is asked for: no byte beyond it may be touched. */
static void try_lz4(const uint8_t *data, size_t n)
{
    if (n < 2)
        return;
    size_t want = (size_t)data[0] | (size_t)data[1] << 8;
    unsigned char *out = malloc(want ? want : 1);
    lz4_decode(data + 2, n - 2, out, want);
    free(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct err err;
    struct arena mem;
    const char *text;
    size_t length;
    err_init(&err);
    arena_init(&mem, NULL, NULL);
    uint8_t *image = with_header(data, n);
    if (fatbin_ptx(image, &mem, &text, &length, &err)) {
        struct ptx_module module;
        ptx_parse("fuzz.ptx", text, length, &mem, &module, &err);
    } else if (!err.n_errors) {
        abort(); /* refused without a word */
    }
    try_lz4(data, n);
    free(image);
    arena_free(&mem);
    err_free(&err);
    return 0;
}
