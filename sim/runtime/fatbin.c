/* SPDX-License-Identifier: MIT */
#include "sim/runtime/fatbin.h"

#include <stdint.h>
#include <string.h>

#include <zstd.h>

#include "base/arena.h"
#include "base/err.h"

#define MAGIC 0xba55ed50u
#define KIND_PTX 1u
#define FLAG_LZ4 0x2000u
#define FLAG_ZSTD 0x8000u
#define MAX_TEXT_BYTES ((uint64_t)256 << 20)

/* Both begin a little-endian structure; the entry's header may be longer than this. */
struct head {
    uint32_t magic;
    uint16_t version, header_bytes;
    uint64_t bytes; /* of the entries */
};

struct entry {
    uint16_t kind, version;
    uint32_t header_bytes;
    uint64_t bytes;
    uint32_t packed_bytes, unknown;
    uint16_t minor, major;
    uint32_t arch;
    uint32_t name_offset, name_bytes;
    uint64_t flags, zero, unpacked_bytes;
};

/* The length of a run: 15 or 255 go on with further bytes. */
static bool lz4_length(const unsigned char **in, const unsigned char *end, size_t *n)
{
    unsigned char more = 255;
    if (*n != 15)
        return true;
    while (more == 255) {
        if (*in == end || *n > SIZE_MAX - 255)
            return false;
        more = *(*in)++;
        *n += more;
    }
    return true;
}

bool lz4_decode(const unsigned char *in, size_t n_in, unsigned char *out, size_t n_out)
{
    const unsigned char *end = in + n_in;
    size_t at = 0;
    while (in < end) {
        size_t literals = *in >> 4, match = *in & 15;
        in++;
        if (!lz4_length(&in, end, &literals) || literals > (size_t)(end - in) ||
            literals > n_out - at)
            return false;
        memcpy(out + at, in, literals);
        in += literals;
        at += literals;
        if (in == end) /* the last sequence has no match */
            break;
        if (end - in < 2)
            return false;
        size_t distance = in[0] | (size_t)in[1] << 8;
        in += 2;
        if (!lz4_length(&in, end, &match) || match > SIZE_MAX - 4)
            return false;
        match += 4;
        if (distance == 0 || distance > at || match > n_out - at)
            return false;
        for (; match > 0; match--, at++) /* may overlap itself */
            out[at] = out[at - distance];
    }
    return at == n_out;
}

static bool unpack(const struct entry *e, const unsigned char *data, struct arena *mem,
                   const char **text, size_t *n, struct err *err)
{
    uint64_t size = e->flags & (FLAG_LZ4 | FLAG_ZSTD) ? e->unpacked_bytes : e->bytes;
    if (size > MAX_TEXT_BYTES)
        return err_add(err, ERR_INPUT, NOWHERE, "PTX of %llu bytes in a fat binary",
                       (unsigned long long)size);
    char *to = arena_alloc(mem, size + 1);
    bool ok = true;
    if (e->flags & FLAG_LZ4)
        ok = lz4_decode(data, e->packed_bytes, (unsigned char *)to, size);
    else if (e->flags & FLAG_ZSTD)
        ok = ZSTD_decompress(to, size, data, e->packed_bytes) == size;
    else
        memcpy(to, data, size);
    if (!ok)
        return err_add(err, ERR_INPUT, NOWHERE, "compressed PTX in a fat binary is damaged");
    *text = to;
    *n = strnlen(to, size);
    return true;
}

bool fatbin_ptx(const void *image, struct arena *mem, const char **text, size_t *n, struct err *err)
{
    struct head h;
    const unsigned char *at = image, *best = NULL, *end;
    struct entry chosen = {0};
    memcpy(&h, at, sizeof h.magic);
    if (h.magic != MAGIC) {
        *text = image;
        *n = strlen(*text);
        return true;
    }
    memcpy(&h, at, sizeof h);
    at += h.header_bytes;
    end = at + h.bytes;
    while ((size_t)(end - at) >= sizeof(struct entry)) {
        struct entry e;
        memcpy(&e, at, sizeof e);
        if (e.header_bytes < sizeof e || e.header_bytes > (size_t)(end - at) ||
            e.bytes > (size_t)(end - at) - e.header_bytes || e.packed_bytes > e.bytes)
            return err_add(err, ERR_INPUT, NOWHERE, "a fat binary is damaged");
        if (e.kind == KIND_PTX && (!best || e.arch > chosen.arch)) {
            chosen = e;
            best = at + e.header_bytes;
        }
        at += e.header_bytes + e.bytes;
    }
    if (!best)
        return err_add(err, ERR_INPUT, NOWHERE,
                       "the program holds machine code but no PTX; compile it with nvcc "
                       "-gencode arch=compute_75,code=compute_75 or the like");
    return unpack(&chosen, best, mem, text, n, err);
}
