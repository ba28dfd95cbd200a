/* SPDX-License-Identifier: MIT
 *
 * sim/trace/format.h: what writer and reader of our trace files share. The format is described in
 * docs/trace-format.md. */
#ifndef CW_SIM_TRACE_FORMAT_H
#define CW_SIM_TRACE_FORMAT_H

#include <stdint.h>

#define TRACE_MAGIC "CWTRACE\n"
#define TRACE_VERSION 1u
#define TRACE_HEADER_BYTES 64u
/* CTAs are compressed together until they have this many bytes, so that small ones compress well
 * and a single one is still read quickly. */
#define TRACE_CHUNK_BYTES 32768u
#define TRACE_LEVEL 3 /* of zstd */
#define TRACE_MAX_CHUNK ((uint64_t)1 << 31)
#define TRACE_MAX_TABLE ((uint64_t)1 << 31)
#define TRACE_MAX_INSTS ((uint32_t)1 << 28)     /* of one CTA */
#define TRACE_MAX_ADDRESSES ((uint32_t)1 << 30) /* of one CTA */

/* The header, all fields little-endian:
 *  0 magic, 8 version (4 bytes), 12 zero (4), 16 offset of the table, 24 its compressed bytes,
 *  32 its bytes, 40 identity, 48 zero, 56 checksum of bytes 0..55. */

#endif
