/* SPDX-License-Identifier: MIT
 *
 * sim/runtime/runtime.h: the device of a running CUDA program: its modules, variables and kernels,
 * its memory, its launches and the trace of them. What the names of the CUDA runtime do
 * (cuda/runtime) is written in terms of this; results are numbers of that runtime
 * (cuda/include/crosswatt_codes.h), explanations go to `err`.
 *
 * Device memory is at addresses of a window of its own, where the host has nothing mapped: a host
 * that follows a device pointer faults, as with a real device. Managed and pinned memory is the
 * host's own at the same address. Limits: one device; everything is done when a call returns; one
 * thread at a time. */
#ifndef CW_SIM_RUNTIME_RUNTIME_H
#define CW_SIM_RUNTIME_RUNTIME_H

#include "base/vec.h"
#include "cuda/include/crosswatt_codes.h"
#include "sim/ptx/interpreter.h"
#include "sim/runtime/run_settings.h"

enum runtime_code {
#define X(number, name, text) RC_##name = number,
    CROSSWATT_CUDA_CODES(X)
#undef X
};

#define RUNTIME_WINDOW 0x200000000000ull /* variables of modules */
#define RUNTIME_HEAP 0x200400000000ull   /* what is allocated */
#define RUNTIME_HEAP_END 0x240000000000ull

struct runtime_module {
    const void *image;
    bool tried, ok;
    struct ptx_module ptx;
    struct ptx_layout layout;
    struct runtime_module *whole; /* it was joined with others to this one; NULL: it is alone */
    size_t number;                /* in the whole */
};

struct runtime_kernel {
    const void *key; /* the host's handle of it */
    const char *name;
    struct runtime_module *module;
    bool tried, ok;
    uint64_t
        dynamic_limit; /* bytes of shared memory a launch may ask for, where the program said so */
    struct ptx_kernel code;
};

struct runtime_variable {
    const void *key;
    const char *name;
    struct runtime_module *module;
    uint64_t bytes;
    uint64_t managed; /* where host and device see it; 0: it is the device's alone */
};

/* A CUDA array: rows in device memory. */
struct runtime_array {
    uint64_t base;
    uint32_t width, height, depth, flags;
    uint64_t pitch, slice;
    int bits[4];
    int kind; /* enum ptx_channel */
};

/* A texture or surface object, and what the caller keeps about it. */
struct runtime_object {
    uint64_t handle;
    void *about;
};

/* Memory of the host. */
struct runtime_range {
    const char *start, *end;
};

enum runtime_memory_kind { RM_DEVICE, RM_PINNED, RM_MANAGED, RM_REGISTERED };

struct runtime_memory {
    uint64_t base, bytes;
    enum runtime_memory_kind kind;
    void *room;        /* of the host, what is mapped or allocated */
    size_t room_bytes; /* of a mapping */
};

#define RUNTIME_LIMITS 7 /* of cudaDeviceSetLimit */

struct runtime {
    struct arena mem;
    struct ptx_device device;
    struct runtime_settings settings;
    struct err *err;
    const char *program; /* for messages */
    VEC(struct runtime_module *) modules;
    bool tried_linking;
    VEC(struct runtime_kernel *) kernels;
    VEC(struct runtime_variable *) variables;
    VEC(struct runtime_memory) memory; /* ascending */
    VEC(struct ptx_texture) textures;
    VEC(struct runtime_range) managed; /* where programs of `cc` have managed variables */
    uint64_t n_texture_objects;
    VEC(struct runtime_object) objects; /* textures and surfaces, as they were asked for */
    VEC(void *) spare;                  /* what was kept about objects that are no more */
    uint32_t stack_bytes;               /* of a thread, for functions */
    uint64_t limits[RUNTIME_LIMITS];    /* as the program set them; the stack's alone matters */
    int pool_reuse[3];                  /* attributes of the pool, kept for the program alone */
    uint64_t pool_threshold;
    enum runtime_code sticky;   /* a kernel failed: the device is of no use any more */
    struct trace_writer *trace; /* NULL: none is wanted, or nothing was launched yet */
    bool trace_failed;
    bool kernel_failed; /* one was refused or had a fault */
    uint64_t n_launches, n_recorded, warp_insts, thread_insts;
};

bool runtime_open(struct runtime *r, const char *program, const struct runtime_settings *settings,
                  struct err *err);
/* Finishes the trace, unless the program failed. */
bool runtime_close(struct runtime *r, bool keep_trace);

/* ---- modules --------------------------------------------------------------------------------- */
struct runtime_module *runtime_add_module(struct runtime *r, const void *image);
void runtime_add_kernel(struct runtime *r, struct runtime_module *m, const void *key,
                        const char *name);
void runtime_add_variable(struct runtime *r, struct runtime_module *m, const void *key,
                          const char *name, uint64_t bytes);
/* A variable that host and device share, in memory of the host that is mapped already. */
void runtime_add_managed(struct runtime *r, struct runtime_module *m, const void *key,
                         const char *name, uint64_t bytes, uint64_t address);
/* Reads the module, if that was not done; false: an error was added. */
bool runtime_load(struct runtime *r, struct runtime_module *m);
/* Decoded; NULL: *code says why. */
const struct ptx_kernel *runtime_kernel(struct runtime *r, const void *key,
                                        enum runtime_code *code);
enum runtime_code runtime_symbol(struct runtime *r, const void *key, uint64_t *address,
                                 uint64_t *bytes);

/* ---- launches -------------------------------------------------------------------------------- */
struct runtime_launch {
    const void *kernel;
    struct trace_dim grid, block;
    void *const *args;
    size_t shared;
    bool cooperative;
};

enum runtime_code runtime_launch(struct runtime *r, const struct runtime_launch *l);
/* Bytes of dynamic shared memory that a launch may ask for: 48 KB less what the kernel has, unless
 * the program raised it; and how far it may be raised. */
uint64_t runtime_dynamic_limit(const struct runtime *r, const struct runtime_kernel *k);
uint64_t runtime_most_dynamic(const struct runtime *r, const struct runtime_kernel *k);
/* The kernel, decoded; NULL: *code says why. */
struct runtime_kernel *runtime_find_kernel(struct runtime *r, const void *key,
                                           enum runtime_code *code);
/* CTAs of a kernel that fit an SM, by threads, registers and shared memory. */
uint32_t runtime_occupancy(const struct runtime *r, const struct ptx_kernel *k, uint32_t threads,
                           size_t dynamic_shared);
/* "_Z4addiPf" -> "addi": the plain name of a kernel. */
const char *runtime_plain_name(const char *mangled, struct arena *mem);

/* ---- textures -------------------------------------------------------------------------------- */
/* Binds, or binds anew, what has the handle of `t`. */
void runtime_bind(struct runtime *r, const struct ptx_texture *t);
bool runtime_unbind(struct runtime *r, uint64_t handle);

/* ---- memory: sim/runtime/device_memory.c ----------------------------------------------------- */
enum runtime_code runtime_allocate(struct runtime *r, enum runtime_memory_kind kind, uint64_t bytes,
                                   uint64_t *address);
enum runtime_code runtime_register(struct runtime *r, void *host, uint64_t bytes);
enum runtime_code runtime_free(struct runtime *r, uint64_t address);
void runtime_free_all(struct runtime *r);
/* The allocation that holds the address; NULL: none. */
const struct runtime_memory *runtime_memory_at(const struct runtime *r, uint64_t address);
bool runtime_is_device(const struct runtime *r, uint64_t address);
/* Where `bytes` at an address of the host or of the device are; NULL: outside, an error says how.
 */
void *runtime_bytes(struct runtime *r, const void *address, uint64_t bytes, const char *what);

#endif
