/* SPDX-License-Identifier: MIT
 *
 * sim/trace/cta_code.h: one CTA's streams as bytes, before compression (docs/trace-format.md). What
 * follows from the past of the CTA (the successor of an instruction, its mask, the next address of
 * a regular pattern) costs nothing but the length of the run; the rest is written out. Every CTA
 * can be decoded alone. */
#ifndef CW_SIM_TRACE_CTA_CODE_H
#define CW_SIM_TRACE_CTA_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/trace/trace.h"

/* Bytes that grow; from malloc, freed by the owner. */
struct trace_bytes {
    uint8_t *at;
    size_t n, cap;
    bool failed; /* no memory */
};

void trace_put(struct trace_bytes *b, const void *data, size_t n);
void trace_put_byte(struct trace_bytes *b, uint8_t v);
void trace_put_uint(struct trace_bytes *b, uint64_t v); /* 7 bits a byte, low ones first */
void trace_put_int(struct trace_bytes *b, int64_t v);   /* zigzag */

/* Reading: `bad` is set, and zero given, when the bytes end or make no sense. */
struct trace_reader {
    const uint8_t *at, *end;
    bool bad;
};

uint8_t trace_get_byte(struct trace_reader *r);
uint64_t trace_get_uint(struct trace_reader *r);
int64_t trace_get_int(struct trace_reader *r);
const void *trace_get(struct trace_reader *r, size_t n); /* NULL and bad where there are fewer */

static inline uint32_t trace_count_lanes(uint32_t mask)
{
    return mask == UINT32_MAX ? TRACE_LANES : (uint32_t)__builtin_popcount(mask);
}

/* State of the predictions; one per thread, kept between CTAs to save its memory. */
struct trace_coder;
struct trace_coder *trace_coder_new(void); /* NULL: no memory */
void trace_coder_free(struct trace_coder *c);

/* Appends. False: the CTA is malformed (`*why`), or there is no memory (`*why` is NULL). */
bool trace_encode_cta(struct trace_coder *c, const struct trace_cta *cta, struct trace_bytes *out,
                      const char **why);

struct trace_limits {
    uint32_t max_insts, max_addresses; /* of one CTA */
};

/* Reads one CTA written by the above; `out` is one allocation, to be freed as out->owner.
 * `n_statics` bounds the indices. False: the bytes are malformed (`*why`), or no memory (`*why` is
 * NULL). */
bool trace_decode_cta(struct trace_coder *c, struct trace_reader *in, uint32_t n_statics,
                      const struct trace_limits *limits, struct trace_cta *out, const char **why);

#endif
