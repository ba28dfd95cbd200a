/* SPDX-License-Identifier: MIT
 *
 * sim/ptx/interpreter.h: a device that runs PTX kernels functionally. Memory is a set of segments
 * (buffers, module variables, kernel parameters) with gaps between them, so that an access outside
 * is found; a launch runs its CTAs one after the other in ascending order, the warps of a CTA in
 * turns of one access to memory each, so that a run always gives the same bits and the same trace.
 * CTAs of a cooperative launch run from one barrier of the grid to the next.
 *
 * Limits: 1024 threads a CTA; a warp runs its diverged paths one after the other and meets again at
 * the immediate post-dominator, as GPUs before independent thread scheduling do. Not thread-safe:
 * one device per thread. */
#ifndef CW_SIM_PTX_INTERPRETER_H
#define CW_SIM_PTX_INTERPRETER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "sim/ptx/code.h"
#include "sim/trace/sink.h"

struct ptx_segment {
    uint64_t base, size;
    uint8_t *host;
    const char *name;
    bool writable;
    bool borrowed; /* host memory is the caller's */
};

/* Address windows. Global and constant memory and parameters are at their own addresses in the
 * generic space; shared and local memory are seen through windows. */
#define PTX_PARAM_BASE 0x01000000ull
#define PTX_CONST_BASE 0x10000000ull
#define PTX_GLOBAL_BASE 0x100000000ull
#define PTX_SHARED_WINDOW 0x700000000000ull
#define PTX_LOCAL_WINDOW 0x710000000000ull
#define PTX_WINDOW_BYTES 0x1000000ull
#define PTX_LOCAL_TRACE 0x720000000000ull /* where traces show local memory */
#define PTX_PARAM_BYTES 32768u
#define PTX_CODE_BASE 0x730000000000ull /* addresses of functions */
#define PTX_DEFAULT_STACK 65536u        /* bytes of a thread */

enum ptx_channel { PTX_SIGNED, PTX_UNSIGNED, PTX_FLOAT };
enum ptx_border { PTX_WRAP, PTX_CLAMP, PTX_MIRROR, PTX_BORDER };

/* A texture or surface: rows of texels in device memory. */
struct ptx_texture {
    uint64_t handle; /* what kernels hold: a number of its own, or the address of a .texref */
    uint64_t base;
    uint32_t width, height, depth; /* texels; depth is also the number of layers */
    uint64_t pitch, slice;         /* bytes of a row, of a layer */
    uint8_t channels, channel_bits;
    enum ptx_channel kind;
    enum ptx_border border[3];
    bool is_linear, is_normalized; /* filter; coordinates in 0..1 */
    bool to_unit;                  /* integers are read as 0..1 or -1..1 */
};

/* What kernels ask of the host; a function that is NULL is a fault of the kernel that needs it. */
struct ptx_host {
    void *ctx;
    void (*print)(void *ctx, const char *text, size_t n);
    uint64_t (*allocate)(void *ctx, uint64_t bytes); /* 0: no memory left */
    void (*release)(void *ctx, uint64_t address);
    void (*told)(void *ctx); /* a warning was added, and the kernel goes on; NULL: nobody waits */
};

/* Why a launch failed, for those who must tell it as a number. */
enum ptx_fault_kind {
    PTX_NO_FAULT,
    PTX_BAD_ADDRESS,
    PTX_MISALIGNED,
    PTX_ASSERTED,
    PTX_OTHER_FAULT
};

/* Two instructions that race for a word of shared memory (sim/ptx/races.c). */
struct ptx_race {
    const struct ptx_kernel *kernel;
    uint32_t first, then; /* codes, in the order in which they ran */
    uint64_t count;       /* words and lanes, of all launches */
};
#define PTX_MAX_RACES 64u

struct ptx_device {
    struct arena mem;
    struct ptx_host host;
    enum ptx_fault_kind fault; /* of the last launch */
    struct ptx_module module;  /* the first one */
    struct ptx_layout layout;
    struct ptx_segment *segments; /* ascending */
    uint32_t n_segments, cap_segments;
    uint8_t *params;                    /* of the kernel that runs */
    const struct ptx_texture *textures; /* the caller's */
    uint32_t n_textures;
    uint64_t next_const, next_global, next_code;
    uint64_t grid_workspace;              /* of cooperative launches; 0: none yet */
    uint64_t bytes, max_bytes;            /* of memory in use, and allowed */
    struct ptx_race races[PTX_MAX_RACES]; /* those that were told */
    uint32_t n_races;
};

/* A device without a module, whose global memory begins at `global_base`. */
bool ptx_device_begin(struct ptx_device *d, uint64_t global_base, struct err *err);
/* A further module; `module` and `layout` must stay where they are. */
bool ptx_device_add_module(struct ptx_device *d, const char *file, const char *text, size_t n,
                           struct ptx_module *module, struct ptx_layout *layout, struct err *err);
/* Reads the PTX file and places its variables. */
bool ptx_device_open(struct ptx_device *d, const char *path, struct err *err);
/* A further module from a file. */
bool ptx_device_open_module(struct ptx_device *d, const char *path, struct ptx_module *module,
                            struct ptx_layout *layout, struct err *err);
/* The same from text. */
bool ptx_device_load(struct ptx_device *d, const char *file, const char *text, size_t n,
                     struct err *err);
void ptx_device_close(struct ptx_device *d);

/* Zeroed global memory; its segment number, or UINT32_MAX and an error. */
uint32_t ptx_device_alloc(struct ptx_device *d, const char *name, uint64_t bytes, struct where at,
                          struct err *err);
/* The segment of a .global or .const variable of a module, or UINT32_MAX. */
uint32_t ptx_device_symbol(const struct ptx_device *d, const struct ptx_layout *layout,
                           const char *name);

/* Memory of the caller at an address of his; false and an error where it overlaps another. Segment
 * numbers are not valid any more afterwards. */
bool ptx_device_map(struct ptx_device *d, const struct ptx_segment *s, struct err *err);
/* Takes the segment that begins at `base` away; false: there is none. */
bool ptx_device_unmap(struct ptx_device *d, uint64_t base);
/* The segment that holds the address, or NULL. */
const struct ptx_segment *ptx_device_at(const struct ptx_device *d, uint64_t address);
/* The address of a .global or .const variable of a module; 0: there is none. */
uint64_t ptx_symbol_address(const struct ptx_layout *layout, const char *name);

/* A .global variable of the module is at another address, where the caller has mapped memory: its
 * initial value goes there. Before kernels of the module are decoded. False: there is none. */
bool ptx_device_relocate(struct ptx_device *d, struct ptx_layout *layout, const char *name,
                         uint64_t address);

/* What is told about races: one pair of instructions a kernel, all pairs, nothing. */
enum ptx_race_reports { PTX_RACES_NOTE, PTX_RACES_ALL, PTX_RACES_OFF };

struct ptx_launch {
    const struct ptx_kernel *kernel;
    struct trace_dim grid, block;
    uint32_t dynamic_shared;
    const uint8_t *params;   /* kernel->param_bytes of them */
    uint32_t registers;      /* per thread, for the trace; 0: the estimate */
    uint64_t max_warp_insts; /* of one warp, against endless loops; 0: 2^28 */
    uint64_t tell_after;     /* as many of one warp are a warning, one a launch; 0: none */
    enum ptx_race_reports races;
    bool cooperative;     /* all CTAs are there at once and may wait for each other */
    uint32_t stack_bytes; /* for functions that call themselves or are called by address; 0: the
                           * default */
    bool reads_outside;   /* a load outside every buffer gives zero and is told once */
    bool writes_outside;  /* a store there is lost and told once */
    uint32_t n_sms;       /* %nsmid; %smid is the CTA's number modulo it. 0: one SM, and the trace
                             binds no CTA to it */
};

struct ptx_counts {
    uint64_t ctas, warp_insts, thread_insts;
    uint64_t races; /* accesses of lanes that raced with another warp's */
};

/* Threads that a block of the kernel may have. */
uint64_t ptx_max_threads(const struct ptx_func *f);

/* `sink` may be NULL. Adds to `counts`. */
bool ptx_run(struct ptx_device *d, const struct ptx_launch *l, const struct trace_sink *sink,
             struct ptx_counts *counts, struct err *err);

#endif
