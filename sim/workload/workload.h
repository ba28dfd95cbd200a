/* SPDX-License-Identifier: MIT
 *
 * sim/workload/workload.h: a workload in memory: device buffers, what is launched on them in which
 * order, and the CPU reference that judges the result (sim/reference/reference.h).
 * gen/workload/read_workload.c fills it from a file (the format is docs/workloads.md); workload_run
 * executes it by the PTX interpreter and hands what every warp did to a trace_sink. CTAs run one
 * after the other in ascending order, so a run always gives the same bits. Limits:
 * one-dimensional buffers. */
#ifndef CW_SIM_WORKLOAD_WORKLOAD_H
#define CW_SIM_WORKLOAD_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "sim/reference/reference.h"
#include "sim/trace/sink.h"

/* ---- what the file says -------------------------------------------------------------------------
 * Parameters have their final values (preset and command line applied). Expressions over loop
 * indices are kept as text and evaluated at each round. */

struct workload_param {
    const char *name;
    bool is_real;
    int64_t integer;
    double real; /* also set for integers */
};

/* An integer expression, or behind '=' a real one whose value is whole: text is NULL where the file
 * has a plain number. */
struct workload_expr {
    const char *text;
    int64_t value;
    struct where at;
};

enum workload_init {
    WI_KEEP /* a symbol's own values */,
    WI_ZERO,
    WI_VALUE,
    WI_IOTA,
    WI_RANDOM,
    WI_VALUES,
    WI_FILE,
    WI_GRAPH,
    WI_ADDRESSES,
    WI_FORMULA
};
enum workload_graph { WG_UNIFORM, WG_RMAT, WG_TORUS };
enum workload_part { WP_ROWS, WP_DEGREES, WP_EDGES };

/* A number that may be a whole one of 64 bits or a real one. */
struct workload_number {
    bool is_real;
    int64_t integer;
    double real; /* also set for integers */
};

struct workload_buffer {
    const char *name;
    enum ref_type type;
    uint64_t count;
    const char *symbol; /* NULL: memory of its own */
    enum workload_init init;
    struct workload_number value;         /* VALUE */
    struct workload_number start, step;   /* IOTA */
    int64_t mod;                          /* IOTA: 0 for none */
    struct workload_number low, high;     /* RANDOM */
    uint64_t seed;                        /* RANDOM, GRAPH */
    const struct workload_number *values; /* VALUES */
    size_t n_values;
    const char *file; /* FILE: path as it is to be opened */
    enum workload_graph graph;
    enum workload_part part;
    int64_t nodes, degree;
    const struct workload_arg *addresses; /* ADDRESSES: elements of buffers */
    size_t n_addresses;
    int64_t address_step; /* ADDRESSES: elements from one round of them to the next */
    const char *formula;  /* FORMULA: a real expression over i and the buffers before it */
    const char *expect;   /* a file with its elements as they must be at the end; NULL: none */
    const char *expect_formula; /* … or a real expression over i and all buffers */
    double tolerance;           /* of `expect`: absolute up to 1, relative beyond */
    struct where at;
};

enum workload_arg_kind { WA_INTEGER, WA_REAL, WA_BUFFER, WA_STRUCTURE };

struct workload_arg {
    enum workload_arg_kind kind;
    struct workload_expr integer;          /* INTEGER: the value; BUFFER: the element */
    double real;                           /* REAL */
    uint32_t buffer;                       /* BUFFER: index */
    const struct workload_member *members; /* STRUCTURE: laid out as C does */
    size_t n_members;
    struct where at;
};

struct workload_member {
    enum ref_type type;
    struct workload_arg arg;
};

enum workload_step_kind { WS_LAUNCH, WS_REPEAT, WS_WHILE, WS_FILL, WS_COPY, WS_SWAP };

struct workload_step {
    enum workload_step_kind kind;
    struct where at;
    /* launch */
    const char *entry;
    struct workload_expr grid[3], block[3], shared;
    const struct workload_arg *args;
    size_t n_args;
    bool record, cooperative;
    /* loops */
    const struct workload_step *body;
    size_t n_body;
    struct workload_expr repeat; /* how often */
    const char *index;           /* name, or NULL */
    int64_t limit;               /* WHILE: rounds */
    /* WHILE: the word; FILL, COPY: target; SWAP: first */
    uint32_t buffer;
    struct workload_expr element; /* WHILE: of `buffer`; COPY: of `other` */
    const char *condition;        /* WHILE: a real expression instead of the word, or NULL */
    uint32_t other;               /* COPY: source; SWAP: second */
    struct workload_number value; /* FILL */
};

struct workload_registers {
    const char *entry;
    uint32_t n;
};

struct workload_paper {
    const char *paper, *name;
};

struct workload {
    const char *name; /* the file's name without its ending */
    const char *file; /* as opened, for messages */
    const char *title;
    const char *ptx;             /* path as it is to be opened */
    const char *const *more_ptx; /* further modules */
    size_t n_more_ptx;
    const char *preset;         /* "" where none was applied */
    const char *const *presets; /* names the file has */
    size_t n_presets;
    const struct workload_param *params;
    size_t n_params;
    const struct workload_buffer *buffers;
    size_t n_buffers;
    const struct workload_step *steps;
    size_t n_steps;
    const struct workload_registers *registers;
    size_t n_registers;
    uint64_t max_warp_insts; /* a warp that runs longer is taken for an endless loop; 0: 2^28 */
    uint32_t n_sms;          /* that kernels are told of which ask for %smid; 0: it was not said */
    bool reads_outside;      /* a load outside every buffer is a warning and gives zero */
    bool as_ptx;             /* what is written is what hardware runs: microbenchmarks */
    const char *expected;    /* NULL: nothing is judged */
    const struct workload_paper *papers;
    size_t n_papers;
    const char *demand, *category, *source, *closeness, *notes; /* "" where absent */
    const char *const *groups; /* all it belongs to: papers, demand, category, further ones */
    size_t n_groups;
};

/* ---- running --------------------------------------------------------------------------------- */

struct workload_stats {
    uint64_t kernels, ctas;
    uint64_t warp_insts, thread_insts; /* recorded launches only */
    uint64_t all_thread_insts;         /* also those of unrecorded launches */
    uint64_t races;                    /* accesses that raced, in the CTAs that were looked at */
    bool judged;                       /* a reference was asked and agreed */
};

/* What a run is to tell beyond its statistics. */
struct workload_wishes {
    bool as_ptx; /* the trace has PTX's instructions as they are */
    /* what every buffer holds at the end; NULL: nobody asks */
    bool (*result)(void *ctx, const struct workload_buffer *b, const void *data, struct err *err);
    void *ctx;
    bool all_races; /* every pair of instructions that race for shared memory, in every CTA */
};

/* Runs the whole workload; `wishes` and `sink` may be NULL. False: input, PTX, memory access or
 * result is wrong. */
bool workload_run(const struct workload *w, const struct workload_wishes *wishes,
                  const struct trace_sink *sink, struct workload_stats *stats, struct err *err);

const char *workload_type_name(enum ref_type type);
uint32_t workload_type_bytes(enum ref_type type);

/* ---- integer expressions (docs/workloads.md) ---------------------------------------------------
 * Names are looked up in `names`/`values`;
 * later entries hide earlier ones. */
struct workload_scope {
    const char *const *names;
    const int64_t *values;
    size_t n;
};

bool workload_eval(const char *text, const struct workload_scope *scope, struct where at,
                   int64_t *out, struct err *err);

/* ---- real expressions (docs/workloads.md): sim/workload/real_expr.c -------------------------- */

struct workload_real;

struct workload_real_scope {
    const struct workload_scope *whole;
    const struct workload_param *params; /* those without a name are not known yet */
    size_t n_params;
    const struct workload_buffer *buffers; /* those that may be asked */
    size_t n_buffers;
    bool has_element; /* i is the element's number */
    bool has_results; /* buffers may be asked for what they held before, too */
};

/* What buffers hold, [buffer]. */
struct workload_contents {
    uint8_t *const *now, *const *before;
};

/* `text` is what stands behind '='; names of numbers have their values from here on. NULL: it is
 * wrong. */
const struct workload_real *workload_real_read(const char *text,
                                               const struct workload_real_scope *scope,
                                               struct where at, struct arena *mem, struct err *err);
bool workload_real_asks_before(const struct workload_real *e);
bool workload_real_value(const struct workload_real *e, uint64_t element,
                         const struct workload_contents *contents, double *out, struct err *err);

/* ---- contents of buffers (sim/workload/fill.c) ----------------------------------------------- */

/* `to` has room for the buffer's elements. The file may have more, unless it must be exact. */
bool workload_fill_file(const struct workload_buffer *b, bool is_exact, void *to, struct err *err);
bool workload_fill(const struct workload_buffer *b, void *to, struct err *err);
/* An element as a real number. */
double workload_get(enum ref_type type, const void *from, uint64_t index);
/* The same as text, whole numbers of 64 bits to the last digit. */
const char *workload_text(enum ref_type type, const void *from, uint64_t index, char text[32]);
/* One number as an element; wraps around as a C cast does. */
void workload_put(enum ref_type type, void *to, uint64_t index, struct workload_number v);

#endif
