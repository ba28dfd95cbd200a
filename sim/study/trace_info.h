/* SPDX-License-Identifier: MIT
 *
 * sim/study/trace_info.h: what a trace holds, whatever machine it runs on: instruction mix,
 * coalescing, footprint, reuse and the locality class of the CTA-clustering paper.
 *
 * Reuse is measured on global accesses before any cache, line by line, in the order: kernels, CTAs
 * ascending, and inside a CTA one instruction of each warp in turn. An access to a line that was
 * accessed before is a reuse; by whom last decides whether it is of the same warp, of another warp
 * of the CTA, or of another CTA. What another launch left behind is not reuse. */
#ifndef CW_SIM_STUDY_TRACE_INFO_H
#define CW_SIM_STUDY_TRACE_INFO_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "sim/trace/trace.h"

struct arena;
struct buf;
struct err;

#define TRACE_WINDOWS(X) X(0) X(1) X(2) X(4) X(8) X(16) X(32) X(64) X(128)
enum {
#define X(n) TRACE_WINDOW_##n,
    TRACE_WINDOWS(X)
#undef X
        TRACE_N_WINDOWS
};

/* Where the locality between CTAs comes from (Li et al. 2017). */
#define TRACE_LOCALITIES(X)                                                                        \
    X(ALGORITHM, "algorithm", "CTAs read the same words: tiles, tables, halos")                    \
    X(LINE, "cache-line", "CTAs read different words of the same lines")                           \
    X(DATA, "data", "irregular: what is shared depends on the data")                               \
    X(WRITE, "write", "CTAs read what others have written")                                        \
    X(STREAM, "streaming", "hardly any reuse between CTAs")

enum trace_locality {
#define X(id, name, meaning) TL_##id,
    TRACE_LOCALITIES(X)
#undef X
        TL_COUNT
};

struct trace_info {
    uint32_t line_bytes;
    uint64_t kernels, ctas, warp_insts, thread_insts;
    uint64_t by_class[TC_COUNT];                                   /* warp instructions */
    uint64_t loads[TS_COUNT], stores[TS_COUNT], atomics[TS_COUNT]; /* warp instructions by space */
    /* global memory */
    uint64_t load_lines, store_lines, atomic_lines; /* lines touched, summed over instructions */
    uint64_t lanes_loading;                         /* addresses of loads */
    uint64_t footprint_lines, read_lines, written_lines;
    uint64_t reuse_warp, reuse_cta,
        reuse_other;       /* by the same warp, another of the CTA, another CTA */
    uint64_t shared_words; /* of reuse_other: a word that was accessed before, not only its line */
    uint64_t after_write;  /* of reuse_other: by loads, the last access was a write */
    uint64_t irregular;    /* of reuse_other: by loads that go where data says */
    double merged[TRACE_N_WINDOWS]; /* load lines served per access with an ideal window */
    enum trace_locality locality;
};

bool trace_info_make(const struct trace_source *source, uint32_t line_bytes, struct arena *mem,
                     struct trace_info *out, struct err *err);

json_t *trace_info_json(const struct trace_source *source, const struct trace_info *info);
/* A few lines; everything. */
void trace_info_brief(const struct trace_source *source, const struct trace_info *info,
                      struct buf *out);
void trace_info_text(const struct trace_source *source, const struct trace_info *info,
                     struct buf *out);

#endif
