/* SPDX-License-Identifier: MIT
 *
 * Lines of plain, gzip and xz files. The first byte chooses: 0 the bytes as they are; 1 gzip and
 * 2 xz of them, which must give the lines of the plain file; 3 and 4 the same with one byte
 * changed, 5 and 6 cut off: any end, but no crash and never a line that goes on for ever. */
#include "tests/fuzz/command.h"

#include <lzma.h>
#include <zlib.h>

#include "sim/trace/lines.h"

enum { ROOM = 1 << 16 };

static size_t gzip(const uint8_t *data, size_t n, uint8_t *out)
{
    z_stream z = {0};
    if (deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        abort();
    z.next_in = (uint8_t *)(uintptr_t)data;
    z.avail_in = (uInt)n;
    z.next_out = out;
    z.avail_out = ROOM;
    if (deflate(&z, Z_FINISH) != Z_STREAM_END)
        abort();
    size_t size = z.total_out;
    deflateEnd(&z);
    return size;
}

static size_t xz(const uint8_t *data, size_t n, uint8_t *out)
{
    size_t size = 0;
    if (lzma_easy_buffer_encode(0, LZMA_CHECK_CRC64, NULL, data, n, out, &size, ROOM) != LZMA_OK)
        abort();
    return size;
}

/* FNV-1a over the lines; *end is what the last call gave. */
static uint64_t read_lines(const uint8_t *data, size_t n, int *end)
{
    struct fuzz_file f;
    struct err err;
    uint64_t sum = 14695981039346656037u;
    char *line;
    size_t length;
    err_init(&err);
    fuzz_file_begin(&f, ".lines", data, n);
    struct lines *l = lines_open(f.path, &err);
    *end = -1;
    while (l && (*end = lines_next(l, &line, &length, &err)) == 1) {
        if (line[length])
            abort();
        for (size_t i = 0; i <= length; i++)
            sum = (sum ^ (uint8_t)line[i]) * 1099511628211u;
    }
    if (*end < 0 && !err_any(&err))
        abort();
    lines_close(l);
    fuzz_file_end(&f);
    err_free(&err);
    return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static uint8_t packed[ROOM];
    int end, plain_end;
    if (n < 3 || n > 4096)
        return 0;
    unsigned kind = data[0] % 7, at = data[1];
    data += 2;
    n -= 2;
    if (kind == 0)
        return read_lines(data, n, &end), 0;
    size_t size = kind % 2 ? gzip(data, n, packed) : xz(data, n, packed);
    if (kind > 4)
        size = size * at / 256;
    else if (kind > 2)
        packed[size * at / 256] ^= (uint8_t)(1 + at % 255);
    uint64_t sum = read_lines(packed, size, &end);
    /* text that looks compressed itself is another file */
    bool is_plain = data[0] != 0x1f && data[0] != 0xfd;
    if (kind <= 2 && is_plain && (sum != read_lines(data, n, &plain_end) || end != plain_end))
        abort();
    return 0;
}
