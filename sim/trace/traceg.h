/* SPDX-License-Identifier: MIT
 *
 * sim/trace/traceg.h: reads one kernel's .traceg file (sim/trace/accelsim.h) into packed CTAs, one
 * block of a spool each. Private to the Accel-Sim reader. */
#ifndef CW_SIM_TRACE_TRACEG_H
#define CW_SIM_TRACE_TRACEG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/trace/trace.h"

struct spool;

/* Packed form of a CTA: this head, uint32_t counts[n_warps], the instructions, then for each
 * instruction with addresses one record: its kind in the first byte. */
struct packed_cta {
    uint32_t id, n_warps, n_insts, n_addresses, n_bytes, pad;
};
enum packed_kind { PACKED_STRIDE = 1, PACKED_DELTAS = 2, PACKED_LIST = 3 };

/* Appends the kernel's CTAs to the spool in the order of the file and mixes all into `*hash`. */
bool traceg_read(const char *path, struct arena *mem, struct spool *spool, uint64_t *hash,
                 struct trace_kernel *out, struct err *err);

/* Numbers as the files write them; `*at` moves behind them. */
bool traceg_hex(const char **at, uint64_t *out);
bool traceg_field(const char **at, int64_t lo, int64_t hi, int64_t *out); /* blank or end behind */
uint64_t traceg_hash(uint64_t h, const void *data, size_t n);

#endif
