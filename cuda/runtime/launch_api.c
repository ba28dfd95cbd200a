/* SPDX-License-Identifier: MIT
 *
 * Registration, launches, functions. */
#include <string.h>

#include "cuda/runtime/session.h"

#define WRAPPER_MAGIC 0x466243b1u

/* What the compiler hands over: this, and around it what it calls. */
struct wrapper {
    uint32_t magic, version;
    const void *image;
    void *more;
};

void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name,
                            int threads, void *tid, void *bid, void *bdim, void *gdim, int *wsize);
void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int ext,
                       size_t bytes, int constant, int global);
void __cudaRegisterManagedVar(void **handle, void **host, char *device, const char *name, int ext,
                              size_t bytes, int constant, int global);
void __crosswattManaged(const char *start, const char *end);
char __cudaInitModule(void **handle);
cudaError_t __cudaGetKernel(void **kernel, const void *host);
cudaError_t __cudaLaunchKernel(void *kernel, dim3 grid, dim3 block, void **args, size_t shared,
                               cudaStream_t stream);

/* ---- registration ---------------------------------------------------------------------------- */

void **__cudaRegisterFatBinary(void *wrapper)
{
    struct wrapper w;
    struct runtime *r = session_enter();
    if (!r)
        return NULL;
    memcpy(&w, wrapper, sizeof w);
    struct runtime_module *m =
        w.magic == WRAPPER_MAGIC
            ? runtime_add_module(r, w.image)
            : (err_add(r->err, ERR_INPUT, NOWHERE, "the program registers code of an unknown kind"),
               NULL);
    session_leave(r, RC_Success);
    return (void **)m;
}

/* Managed variables have their values before the program begins. */
void __cudaRegisterFatBinaryEnd(void **handle)
{
    struct runtime_module *m = (struct runtime_module *)handle;
    struct runtime *r = m ? session_enter() : NULL;
    if (!r)
        return;
    for (size_t i = 0; i < r->variables.n; i++)
        if (r->variables.at[i]->module == m && r->variables.at[i]->managed) {
            runtime_load(r, m);
            break;
        }
    session_leave(r, RC_Success);
}

void __cudaUnregisterFatBinary(void **handle)
{
    (void)handle;
}

char __cudaInitModule(void **handle)
{
    (void)handle;
    return 1;
}

void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name,
                            int threads, void *tid, void *bid, void *bdim, void *gdim, int *wsize)
{
    (void)device, (void)threads, (void)tid, (void)bid, (void)bdim, (void)gdim, (void)wsize;
    struct runtime *r = session_enter();
    if (!r)
        return;
    if (handle)
        runtime_add_kernel(r, (struct runtime_module *)handle, host, name);
    session_leave(r, RC_Success);
}

void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int ext,
                       size_t bytes, int constant, int global)
{
    (void)device, (void)ext, (void)constant, (void)global;
    struct runtime *r = session_enter();
    if (!r)
        return;
    bool is_managed = false;
    for (size_t i = 0; i < r->managed.n; i++)
        is_managed |= host >= r->managed.at[i].start && host < r->managed.at[i].end;
    if (handle && is_managed && runtime_register(r, host, bytes) == RC_Success)
        runtime_add_managed(r, (struct runtime_module *)handle, host, name, bytes,
                            (uint64_t)(uintptr_t)host);
    else if (handle)
        runtime_add_variable(r, (struct runtime_module *)handle, host, name, bytes);
    session_leave(r, RC_Success);
}

/* Where a file of `crosswatt cc` has its managed variables; before it registers them. */
void __crosswattManaged(const char *start, const char *end)
{
    struct runtime *r = start != end ? session_enter() : NULL;
    if (!r)
        return;
    vec_push(&r->mem, &r->managed, (struct runtime_range){start, end});
    session_leave(r, RC_Success);
}

void __cudaRegisterManagedVar(void **handle, void **host, char *device, const char *name, int ext,
                              size_t bytes, int constant, int global)
{
    (void)device, (void)ext, (void)constant, (void)global;
    uint64_t address = 0;
    struct runtime *r = session_enter();
    if (!r)
        return;
    enum runtime_code code = runtime_allocate(r, RM_MANAGED, bytes ? bytes : 1, &address);
    if (handle && code == RC_Success) {
        void *at = (void *)(uintptr_t)address;
        memcpy(host, &at, sizeof at);
        /* symbols are named by the pointer's place, or by where it leads */
        runtime_add_managed(r, (struct runtime_module *)handle, at, name, bytes, address);
        runtime_add_variable(r, (struct runtime_module *)handle, host, name, bytes);
    }
    session_leave(r, code);
}

/* ---- launches: the <<<>>> of this thread, one inside the arguments of another ---------------- */

#define MAX_NESTED 16

struct configuration {
    dim3 grid, block;
    size_t shared;
    void *stream;
};

static _Thread_local struct configuration configurations[MAX_NESTED];
static _Thread_local unsigned n_configurations;

unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream)
{
    if (n_configurations == MAX_NESTED)
        return cudaErrorInvalidConfiguration;
    configurations[n_configurations++] = (struct configuration){grid, block, shared, stream};
    return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream)
{
    if (n_configurations == 0)
        return cudaErrorInvalidConfiguration;
    struct configuration *c = &configurations[--n_configurations];
    *grid = c->grid;
    *block = c->block;
    *shared = c->shared;
    memcpy(stream, &c->stream, sizeof c->stream);
    return cudaSuccess;
}

static cudaError_t launch(const void *kernel, dim3 grid, dim3 block, void **args, size_t shared,
                          bool is_cooperative)
{
    SESSION(r);
    struct runtime_launch l = {.kernel = kernel,
                               .grid = {grid.x, grid.y, grid.z},
                               .block = {block.x, block.y, block.z},
                               .args = args,
                               .shared = shared,
                               .cooperative = is_cooperative};
    return session_leave(r, runtime_launch(r, &l));
}

cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **args, size_t shared,
                             cudaStream_t stream)
{
    (void)stream;
    return launch(kernel, grid, block, args, shared, false);
}

cudaError_t __cudaGetKernel(void **kernel, const void *host)
{
    memcpy(kernel, &host, sizeof host);
    return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(void *kernel, dim3 grid, dim3 block, void **args, size_t shared,
                               cudaStream_t stream)
{
    return cudaLaunchKernel(kernel, grid, block, args, shared, stream);
}

cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block, void **args,
                                        size_t shared, cudaStream_t stream)
{
    (void)stream;
    return launch(kernel, grid, block, args, shared, true);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *kernel, void **args)
{
    bool is_cooperative = false;
    if (!config || (config->numAttrs && !config->attrs))
        return session_refuse(RC_ErrorInvalidValue);
    for (unsigned i = 0; i < config->numAttrs; i++) {
        const cudaLaunchAttribute *a = &config->attrs[i];
        if (a->id == cudaLaunchAttributeCooperative)
            is_cooperative = a->val.cooperative != 0;
        else if (a->id == cudaLaunchAttributeClusterDimension)
            return session_refuse(RC_ErrorNotSupported);
    }
    return launch(kernel, config->gridDim, config->blockDim, args, config->dynamicSmemBytes,
                  is_cooperative);
}

/* ---- functions ------------------------------------------------------------------------------- */

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *kernel)
{
    enum runtime_code code;
    SESSION(r);
    const struct runtime_kernel *found = runtime_find_kernel(r, kernel, &code);
    if (!found || !attributes)
        return session_leave(r, found ? RC_ErrorInvalidValue : code);
    const struct ptx_kernel *k = &found->code;
    *attributes = (struct cudaFuncAttributes){
        .sharedSizeBytes = k->shared_bytes,
        .localSizeBytes = k->frame_bytes,
        .maxThreadsPerBlock = (int)ptx_max_threads(k->func),
        .numRegs = (int)k->max_live,
        .ptxVersion = 70,
        .binaryVersion = 70,
        .maxDynamicSharedSizeBytes = (int)runtime_dynamic_limit(r, found),
        .preferredShmemCarveout = cudaSharedmemCarveoutDefault};
    return session_leave(r, RC_Success);
}

cudaError_t cudaFuncSetAttribute(const void *kernel, enum cudaFuncAttribute attribute, int value)
{
    enum runtime_code code;
    SESSION(r);
    struct runtime_kernel *k = runtime_find_kernel(r, kernel, &code);
    if (k && attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) {
        if (value < 0 || (uint64_t)value > runtime_most_dynamic(r, k))
            code = RC_ErrorInvalidValue;
        else
            k->dynamic_limit = (uint64_t)value;
    } else if (k && attribute != cudaFuncAttributePreferredSharedMemoryCarveout) {
        code = RC_ErrorInvalidValue;
    }
    return session_leave(r, code);
}

cudaError_t cudaFuncSetCacheConfig(const void *kernel, enum cudaFuncCache config)
{
    (void)kernel, (void)config;
    return session_check();
}

cudaError_t cudaFuncSetSharedMemConfig(const void *kernel, enum cudaSharedMemConfig config)
{
    (void)kernel, (void)config;
    return session_check();
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *n, const void *kernel, int threads,
                                                          size_t dynamic_shared)
{
    enum runtime_code code;
    SESSION(r);
    const struct ptx_kernel *k = runtime_kernel(r, kernel, &code);
    if (k && !n)
        code = RC_ErrorInvalidValue;
    else if (k)
        *n = threads < 0 ? 0 : (int)runtime_occupancy(r, k, (uint32_t)threads, dynamic_shared);
    return session_leave(r, code);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *n, const void *kernel,
                                                                   int threads,
                                                                   size_t dynamic_shared,
                                                                   unsigned int flags)
{
    (void)flags;
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(n, kernel, threads, dynamic_shared);
}

/* What is left of an SM's shared memory for each of `blocks`. */
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *kernel, int blocks,
                                                      int threads)
{
    enum runtime_code code;
    SESSION(r);
    const struct ptx_kernel *k = runtime_kernel(r, kernel, &code);
    if (k && (!bytes || blocks <= 0 || threads <= 0 || threads > 1024)) {
        code = RC_ErrorInvalidValue;
    } else if (k) {
        uint64_t each = r->settings.shared_bytes / (uint64_t)blocks;
        *bytes = each > k->shared_bytes ? each - k->shared_bytes : 0;
    }
    return session_leave(r, code);
}
