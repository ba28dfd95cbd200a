/* SPDX-License-Identifier: MIT
 *
 * Memory and copies. */
#include <assert.h>
#include <string.h>

#include "cuda/runtime/session.h"

static uint64_t address_of(const void *p)
{
    return (uint64_t)(uintptr_t)p;
}

static cudaError_t allocate(enum runtime_memory_kind kind, void **ptr, size_t bytes)
{
    uint64_t address = 0;
    SESSION(r);
    if (!ptr)
        return session_leave(r, RC_ErrorInvalidValue);
    if (r->sticky)
        return session_leave(r, r->sticky);
    enum runtime_code code =
        bytes ? runtime_allocate(r, kind, bytes, &address) : RC_Success; /* nothing: NULL */
    if (code == RC_Success)
        *ptr = (void *)(uintptr_t)address;
    return session_leave(r, code);
}

cudaError_t cudaMalloc(void **ptr, size_t bytes)
{
    return allocate(RM_DEVICE, ptr, bytes);
}

cudaError_t cudaMallocAsync(void **ptr, size_t bytes, cudaStream_t stream)
{
    (void)stream;
    return allocate(RM_DEVICE, ptr, bytes);
}

cudaError_t cudaMallocHost(void **ptr, size_t bytes)
{
    return allocate(RM_PINNED, ptr, bytes);
}

cudaError_t cudaHostAlloc(void **ptr, size_t bytes, unsigned int flags)
{
    (void)flags;
    return allocate(RM_PINNED, ptr, bytes);
}

cudaError_t cudaMallocManaged(void **ptr, size_t bytes, unsigned int flags)
{
    (void)flags;
    return allocate(RM_MANAGED, ptr, bytes);
}

#define PITCH_ALIGN 512u

cudaError_t cudaMallocPitch(void **ptr, size_t *pitch, size_t width, size_t height)
{
    size_t p = (width + PITCH_ALIGN - 1) / PITCH_ALIGN * PITCH_ALIGN;
    /* what no number holds is too much for allocate() as well */
    bool too_much = p < width || (p && height > SIZE_MAX / p);
    cudaError_t e = allocate(RM_DEVICE, pitch ? ptr : NULL, too_much ? SIZE_MAX : p * height);
    if (e == cudaSuccess)
        *pitch = p;
    return e;
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *ptr, struct cudaExtent extent)
{
    void *p = NULL;
    size_t pitch = 0, rows;
    if (__builtin_mul_overflow(extent.height, extent.depth, &rows))
        rows = SIZE_MAX;
    cudaError_t e = cudaMallocPitch(ptr ? &p : NULL, &pitch, extent.width, rows);
    assert(ptr || e != cudaSuccess);
    if (e == cudaSuccess)
        *ptr = (struct cudaPitchedPtr){p, pitch, extent.width, extent.height};
    return e;
}

static cudaError_t release(void *ptr, bool of_host)
{
    SESSION(r);
    if (r->sticky)
        return session_leave(r, r->sticky);
    if (!ptr)
        return session_leave(r, RC_Success);
    const struct runtime_memory *m = runtime_memory_at(r, address_of(ptr));
    bool fits = m && (m->kind == RM_PINNED) == of_host && m->kind != RM_REGISTERED;
    return session_leave(r, fits ? runtime_free(r, address_of(ptr)) : RC_ErrorInvalidValue);
}

cudaError_t cudaFree(void *ptr)
{
    return release(ptr, false);
}

cudaError_t cudaFreeAsync(void *ptr, cudaStream_t stream)
{
    (void)stream;
    return release(ptr, false);
}

cudaError_t cudaFreeHost(void *ptr)
{
    return release(ptr, true);
}

cudaError_t cudaHostRegister(void *ptr, size_t bytes, unsigned int flags)
{
    (void)flags;
    SESSION(r);
    if (!ptr || !bytes || runtime_is_device(r, address_of(ptr)))
        return session_leave(r, RC_ErrorInvalidValue);
    return session_leave(r, runtime_register(r, ptr, bytes));
}

cudaError_t cudaHostUnregister(void *ptr)
{
    SESSION(r);
    const struct runtime_memory *m = runtime_memory_at(r, address_of(ptr));
    if (!m || m->kind != RM_REGISTERED)
        return session_leave(r, RC_ErrorHostMemoryNotRegistered);
    return session_leave(r, runtime_free(r, address_of(ptr)));
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int flags)
{
    (void)flags;
    SESSION(r);
    const struct runtime_memory *m = runtime_memory_at(r, address_of(host));
    if (!device || !m || m->kind == RM_DEVICE)
        return session_leave(r, RC_ErrorInvalidValue);
    *device = host;
    return session_leave(r, RC_Success);
}

cudaError_t cudaHostGetFlags(unsigned int *flags, void *host)
{
    (void)host;
    if (!flags)
        return session_refuse(RC_ErrorInvalidValue);
    *flags = cudaHostAllocMapped;
    return session_check();
}

cudaError_t cudaMemGetInfo(size_t *free, size_t *total)
{
    SESSION(r);
    if (!total || !free)
        return session_leave(r, RC_ErrorInvalidValue);
    *total = r->device.max_bytes;
    *free = r->device.max_bytes - r->device.bytes;
    return session_leave(r, r->sticky);
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *a, const void *ptr)
{
    SESSION(r);
    const struct runtime_memory *m = runtime_memory_at(r, address_of(ptr));
    if (!a)
        return session_leave(r, RC_ErrorInvalidValue);
    *a =
        (struct cudaPointerAttributes){.device = m ? 0 : -2, .hostPointer = (void *)(uintptr_t)ptr};
    if (m) {
        a->type = m->kind == RM_DEVICE    ? cudaMemoryTypeDevice
                  : m->kind == RM_MANAGED ? cudaMemoryTypeManaged
                                          : cudaMemoryTypeHost;
        a->devicePointer = (void *)(uintptr_t)ptr;
        if (m->kind == RM_DEVICE)
            a->hostPointer = NULL;
    }
    return session_leave(r, RC_Success);
}

/* ---- copies ---------------------------------------------------------------------------------- */

/* A direction that does not fit the pointers: plain device memory is not the host's, and what is
 * not known to the runtime is not the device's. */
static bool is_wrong_side(const struct runtime *r, const void *p, bool should_be_device)
{
    const struct runtime_memory *m = runtime_memory_at(r, address_of(p));
    bool is_device = m ? m->kind == RM_DEVICE : runtime_is_device(r, address_of(p));
    return should_be_device ? !is_device && !m : is_device;
}

static enum runtime_code check_kind(const struct runtime *r, const void *dst, const void *src,
                                    enum cudaMemcpyKind kind)
{
    if ((int)kind < 0 || kind > cudaMemcpyDefault)
        return RC_ErrorInvalidMemcpyDirection;
    if (kind == cudaMemcpyDefault)
        return RC_Success;
    bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    return is_wrong_side(r, dst, to_device) || is_wrong_side(r, src, from_device)
               ? RC_ErrorInvalidValue
               : RC_Success;
}

struct rows {
    void *dst;
    size_t dpitch;
    const void *src;
    size_t spitch, width, height;
};

/* Bytes from the beginning of the first row to the end of the last; false: no number holds them. */
static bool span_of(size_t pitch, size_t width, size_t height, size_t *bytes)
{
    return !__builtin_mul_overflow(pitch, height - 1, bytes) &&
           !__builtin_add_overflow(*bytes, width, bytes);
}

/* Rows that may lie apart; one row is a plain copy. */
static enum runtime_code copy_rows(struct runtime *r, const struct rows *w, const char *what)
{
    size_t to_bytes, from_bytes;
    if (w->width == 0 || w->height == 0)
        return RC_Success;
    if (!span_of(w->dpitch, w->width, w->height, &to_bytes) ||
        !span_of(w->spitch, w->width, w->height, &from_bytes))
        return RC_ErrorInvalidValue;
    char *to = runtime_bytes(r, w->dst, to_bytes, what);
    const char *from = runtime_bytes(r, w->src, from_bytes, what);
    if (!to || !from)
        return RC_ErrorInvalidValue;
    for (size_t y = 0; y < w->height; y++)
        memmove(to + y * w->dpitch, from + y * w->spitch, w->width);
    return RC_Success;
}

static cudaError_t copy(const struct rows *w, enum cudaMemcpyKind kind, const char *what)
{
    SESSION(r);
    enum runtime_code code = r->sticky;
    if (code == RC_Success && (w->width == 0 || w->height == 0))
        return session_leave(r, code);
    if (code == RC_Success && (!w->dst || !w->src))
        code = RC_ErrorInvalidValue;
    if (code == RC_Success && w->height > 1 && (w->dpitch < w->width || w->spitch < w->width))
        code = RC_ErrorInvalidPitchValue;
    if (code == RC_Success)
        code = check_kind(r, w->dst, w->src, kind);
    if (code == RC_Success)
        code = copy_rows(r, w, what);
    return session_leave(r, code);
}

cudaError_t cudaMemcpy(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind)
{
    struct rows w = {dst, bytes, src, bytes, bytes, 1};
    return copy(&w, kind, "cudaMemcpy");
}

cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    (void)stream;
    struct rows w = {dst, bytes, src, bytes, bytes, 1};
    return copy(&w, kind, "cudaMemcpyAsync");
}

cudaError_t cudaMemcpyPeer(void *dst, int dst_device, const void *src, int src_device, size_t bytes)
{
    (void)dst_device, (void)src_device;
    return cudaMemcpy(dst, src, bytes, cudaMemcpyDeviceToDevice);
}

cudaError_t cudaMemcpyPeerAsync(void *dst, int dst_device, const void *src, int src_device,
                                size_t bytes, cudaStream_t stream)
{
    (void)stream;
    return cudaMemcpyPeer(dst, dst_device, src, src_device, bytes);
}

cudaError_t cudaMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                         size_t height, enum cudaMemcpyKind kind)
{
    struct rows w = {dst, dpitch, src, spitch, width, height};
    return copy(&w, kind, "cudaMemcpy2D");
}

cudaError_t cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream)
{
    (void)stream;
    return cudaMemcpy2D(dst, dpitch, src, spitch, width, height, kind);
}

/* ---- filling --------------------------------------------------------------------------------- */

static cudaError_t fill(void *ptr, size_t pitch, int value, size_t width, size_t height)
{
    SESSION(r);
    if (r->sticky || width == 0 || height == 0)
        return session_leave(r, r->sticky);
    size_t bytes;
    if (is_wrong_side(r, ptr, true) || (height > 1 && pitch < width) ||
        !span_of(pitch, width, height, &bytes))
        return session_leave(r, RC_ErrorInvalidValue);
    char *to = runtime_bytes(r, ptr, bytes, "cudaMemset");
    if (!to)
        return session_leave(r, RC_ErrorInvalidValue);
    for (size_t y = 0; y < height; y++)
        memset(to + y * pitch, value, width);
    return session_leave(r, RC_Success);
}

cudaError_t cudaMemset(void *ptr, int value, size_t bytes)
{
    return fill(ptr, bytes, value, bytes, 1);
}

cudaError_t cudaMemsetAsync(void *ptr, int value, size_t bytes, cudaStream_t stream)
{
    (void)stream;
    return fill(ptr, bytes, value, bytes, 1);
}

cudaError_t cudaMemset2D(void *ptr, size_t pitch, int value, size_t width, size_t height)
{
    return fill(ptr, pitch, value, width, height);
}

cudaError_t cudaMemset2DAsync(void *ptr, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream)
{
    (void)stream;
    return fill(ptr, pitch, value, width, height);
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr ptr, int value, struct cudaExtent extent)
{
    for (size_t z = 0; z < extent.depth; z++) {
        cudaError_t e = fill((char *)ptr.ptr + z * ptr.pitch * ptr.ysize, ptr.pitch, value,
                             extent.width, extent.height);
        if (e != cudaSuccess)
            return e;
    }
    return cudaSuccess;
}

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr ptr, int value, struct cudaExtent extent,
                              cudaStream_t stream)
{
    (void)stream;
    return cudaMemset3D(ptr, value, extent);
}

/* ---- variables of modules -------------------------------------------------------------------- */

static cudaError_t symbol_place(const void *symbol, size_t bytes, size_t offset, char **place)
{
    uint64_t address = 0, size = 0;
    SESSION(r);
    enum runtime_code code = r->sticky ? r->sticky : runtime_symbol(r, symbol, &address, &size);
    if (code == RC_Success && (offset > size || bytes > size - offset))
        code = RC_ErrorInvalidValue;
    *place = (char *)(uintptr_t)address + offset;
    return session_leave(r, code);
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src, size_t bytes, size_t offset,
                               enum cudaMemcpyKind kind)
{
    char *to;
    cudaError_t e = symbol_place(symbol, bytes, offset, &to);
    return e == cudaSuccess ? cudaMemcpy(to, src, bytes, kind) : e;
}

cudaError_t cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t bytes, size_t offset,
                                 enum cudaMemcpyKind kind)
{
    char *from;
    cudaError_t e = symbol_place(symbol, bytes, offset, &from);
    return e == cudaSuccess ? cudaMemcpy(dst, from, bytes, kind) : e;
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t bytes,
                                    size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    (void)stream;
    return cudaMemcpyToSymbol(symbol, src, bytes, offset, kind);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t bytes, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream)
{
    (void)stream;
    return cudaMemcpyFromSymbol(dst, symbol, bytes, offset, kind);
}

cudaError_t cudaGetSymbolAddress(void **ptr, const void *symbol)
{
    char *at;
    cudaError_t e = symbol_place(symbol, 0, 0, &at);
    if (e == cudaSuccess && ptr)
        *ptr = at;
    return e == cudaSuccess && !ptr ? session_refuse(RC_ErrorInvalidValue) : e;
}

cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol)
{
    uint64_t address, size = 0;
    SESSION(r);
    enum runtime_code code = runtime_symbol(r, symbol, &address, &size);
    if (code == RC_Success && !bytes)
        code = RC_ErrorInvalidValue;
    if (code == RC_Success)
        *bytes = size;
    return session_leave(r, code);
}

/* ---- the pool -------------------------------------------------------------------------------- */

static char the_pool;

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
{
    if (!pool)
        return session_refuse(RC_ErrorInvalidValue);
    if (device != 0)
        return session_refuse(RC_ErrorInvalidDevice);
    *pool = (cudaMemPool_t)(void *)&the_pool;
    return session_check();
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device)
{
    return cudaDeviceGetDefaultMemPool(pool, device);
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool)
{
    SESSION(r);
    bool ok = device == 0 && (void *)pool == (void *)&the_pool;
    return session_leave(r, ok ? RC_Success : RC_ErrorInvalidValue);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr, void *value)
{
    enum runtime_code code = RC_Success;
    uint64_t bytes;
    SESSION(r);
    if ((void *)pool != (void *)&the_pool || !value)
        return session_leave(r, RC_ErrorInvalidValue);
    switch (attr) {
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies:
        memcpy(&r->pool_reuse[attr - cudaMemPoolReuseFollowEventDependencies], value, sizeof(int));
        break;
    case cudaMemPoolAttrReleaseThreshold:
        memcpy(&r->pool_threshold, value, sizeof r->pool_threshold);
        break;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh: /* can be set back only */
        memcpy(&bytes, value, sizeof bytes);
        code = bytes ? RC_ErrorInvalidValue : RC_Success;
        break;
    default: code = RC_ErrorInvalidValue;
    }
    return session_leave(r, code);
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes)
{
    SESSION(r);
    (void)bytes;
    return session_leave(r, (void *)pool == (void *)&the_pool ? RC_Success : RC_ErrorInvalidValue);
}

/* Nothing is kept back, and what is in use is what the device has given away. */
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr, void *value)
{
    enum runtime_code code = RC_Success;
    SESSION(r);
    if ((void *)pool != (void *)&the_pool || !value)
        return session_leave(r, RC_ErrorInvalidValue);
    switch (attr) {
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies:
        memcpy(value, &r->pool_reuse[attr - cudaMemPoolReuseFollowEventDependencies], sizeof(int));
        break;
    case cudaMemPoolAttrReleaseThreshold:
        memcpy(value, &r->pool_threshold, sizeof r->pool_threshold);
        break;
    case cudaMemPoolAttrReservedMemCurrent:
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemCurrent:
    case cudaMemPoolAttrUsedMemHigh: memcpy(value, &r->device.bytes, sizeof r->device.bytes); break;
    default: code = RC_ErrorInvalidValue;
    }
    return session_leave(r, code);
}

cudaError_t cudaMallocFromPoolAsync(void **ptr, size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream)
{
    (void)stream;
    return allocate(RM_DEVICE, (void *)pool == (void *)&the_pool ? ptr : NULL, bytes);
}

/* ---- advice ---------------------------------------------------------------------------------- */

cudaError_t cudaMemPrefetchAsync(const void *ptr, size_t bytes, int device, cudaStream_t stream)
{
    (void)ptr, (void)bytes, (void)device, (void)stream;
    return session_check();
}

cudaError_t cudaMemAdvise(const void *ptr, size_t bytes, enum cudaMemoryAdvise advice, int device)
{
    (void)ptr, (void)bytes, (void)advice, (void)device;
    return session_check();
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *ptr, size_t bytes,
                                     unsigned int flags)
{
    (void)stream, (void)ptr, (void)bytes, (void)flags;
    return session_check();
}
