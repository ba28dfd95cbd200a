/* SPDX-License-Identifier: MIT
 *
 * sim/trace/traceg_impl.h: the reader of a .traceg file as its two halves share it:
 * sim/trace/traceg.c reads the header and the blocks, sim/trace/traceg_inst.c the lines of
 * instructions. */
#ifndef CW_SIM_TRACE_TRACEG_IMPL_H
#define CW_SIM_TRACE_TRACEG_IMPL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "sim/trace/sass.h"
#include "sim/trace/traceg.h"

struct err;
struct lines;

#define LOCAL_WINDOW ((uint64_t)8 << 10 << 11) /* of the generic address space */
#define MAX_CTAS ((uint64_t)1 << 28)
#define MAX_WARP_INSTS (1u << 28)

#define ENTRY_LINE 72u /* longer beginnings are parsed each time */

/* A static instruction with the text that defines it, so that the same line is parsed once. */
struct entry {
    const char *text; /* from the number of destinations to the width */
    uint32_t n_text;
    uint64_t pc;
    uint32_t next;    /* another one with the same hash of its PC, or NONE */
    uint16_t stat[3]; /* by space: as written or global, shared, local */
    uint8_t made;     /* bit mask over stat */
    struct sass_op op;
    struct trace_static proto;
    /* the line's beginning when it was seen last, and what followed it then */
    char line[ENTRY_LINE];
    uint32_t n_line, mask;
    uint32_t after;
};
#define NONE UINT32_MAX
#define PC_SLOTS 4096u

struct kernel_state {
    uint64_t shared_base, local_base;
    int version;
    bool has_lineinfo, has_grid, has_block;
    uint32_t first_block; /* of the spool */
};

struct reader {
    const char *file;
    struct lines *lines;
    struct arena *mem; /* of the source */
    struct arena scratch;
    struct err *err;
    struct spool *spool;
    struct trace_kernel kernel;
    uint8_t *is_there; /* a bit for each thread block of the grid */
    struct kernel_state state;
    VEC(struct entry) entries;
    VEC(struct trace_static) statics;
    uint32_t by_pc[PC_SLOTS];
    uint32_t memo[PC_SLOTS]; /* the entry that matched last */
    uint32_t last, first;    /* entry of the instruction before; of the first one of a warp */
    struct map warned;
    uint64_t hash;

    /* the CTA being read */
    struct packed_cta cta;
    uint32_t counts[TRACE_MAX_WARPS];
    struct trace_inst *insts;
    size_t n_insts, cap_insts;
    uint8_t *bytes;
    size_t n_bytes, cap_bytes;
    char *block; /* the packed form, put together */
    size_t cap_block;
};

bool traceg_refuse(struct reader *r, const char *what); /* at the current line */
/* Room for `need` of `size` bytes; NULL: no memory, the old ones stay. */
void *traceg_grown(void *old, size_t *cap, size_t need, size_t size);
bool traceg_dec(const char **at, int64_t *out);
const char *traceg_skip_blanks(const char *p);
bool traceg_instruction(struct reader *r, const char *line, size_t n);

#endif
