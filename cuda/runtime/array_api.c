/* SPDX-License-Identifier: MIT
 *
 * Arrays, and copies to and from them. */
#include <stdlib.h>

#include "cuda/runtime/cuda_array.h"

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind f)
{
    return (struct cudaChannelFormatDesc){x, y, z, w, f};
}

bool array_is_legal(const struct cudaChannelFormatDesc *d)
{
    const int bits[4] = {d->x, d->y, d->z, d->w};
    for (int i = 1; i < 4; i++)
        if (bits[i] != 0 && (bits[i] != bits[0] || bits[i - 1] == 0))
            return false;
    if (d->z != 0 && d->w == 0)
        return false;
    return (d->x == 8 || d->x == 16 || d->x == 32) && (int)d->f >= 0 &&
           d->f <= cudaChannelFormatKindFloat && !(d->f == cudaChannelFormatKindFloat && d->x == 8);
}

struct cudaChannelFormatDesc array_format(const struct runtime_array *a)
{
    return (struct cudaChannelFormatDesc){a->bits[0], a->bits[1], a->bits[2], a->bits[3],
                                          (enum cudaChannelFormatKind)a->kind};
}

static uint32_t texel_bytes(const struct runtime_array *a)
{
    return (uint32_t)(a->bits[0] + a->bits[1] + a->bits[2] + a->bits[3]) / 8;
}

static size_t row_bytes(const struct runtime_array *a)
{
    return (size_t)a->width * texel_bytes(a);
}

static uint32_t at_least_one(uint32_t n)
{
    return n ? n : 1;
}

/* The largest arrays of compute capability 7.0 (CUDA C++ Programming Guide, technical
 * specifications); the device's properties say the same. */
static bool fits_device(struct cudaExtent e, unsigned int flags)
{
    bool is_layered = flags & cudaArrayLayered;
    if (e.width == 0 || (is_layered && e.depth == 0) || (e.depth && !e.height && !is_layered))
        return false;
    if (is_layered)
        return e.width <= 32768 && e.height <= 32768 && e.depth <= 2048;
    if (e.depth)
        return e.width <= 16384 && e.height <= 16384 && e.depth <= 16384;
    return e.width <= 131072 && e.height <= 65536;
}

cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                              struct cudaExtent extent, unsigned int flags)
{
    SESSION(r);
    if (r->sticky)
        return session_leave(r, r->sticky);
    if (!array || !desc || (flags & cudaArrayCubemap) || !fits_device(extent, flags))
        return session_leave(r, RC_ErrorInvalidValue);
    if (!array_is_legal(desc))
        return session_leave(r, RC_ErrorInvalidChannelDescriptor);
    struct cudaArray *made = calloc(1, sizeof *made);
    if (!made)
        return session_leave(r, RC_ErrorMemoryAllocation);
    made->a = (struct runtime_array){.width = (uint32_t)extent.width,
                                     .height = (uint32_t)extent.height,
                                     .depth = (uint32_t)extent.depth,
                                     .flags = flags,
                                     .bits = {desc->x, desc->y, desc->z, desc->w},
                                     .kind = (int)desc->f};
    made->a.pitch = (row_bytes(&made->a) + 31) / 32 * 32;
    made->a.slice = made->a.pitch * at_least_one(made->a.height);
    enum runtime_code code =
        runtime_allocate(r, RM_DEVICE, made->a.slice * at_least_one(made->a.depth), &made->a.base);
    if (code != RC_Success)
        free(made);
    else
        *array = made;
    return session_leave(r, code);
}

cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                            size_t width, size_t height, unsigned int flags)
{
    return cudaMalloc3DArray(array, desc, (struct cudaExtent){width, height, 0}, flags);
}

cudaError_t cudaFreeArray(cudaArray_t array)
{
    SESSION(r);
    if (!array)
        return session_leave(r, RC_Success);
    enum runtime_code code = runtime_free(r, array->a.base);
    free(array);
    return session_leave(r, code);
}

cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent,
                             unsigned int *flags, cudaArray_t array)
{
    SESSION(r);
    if (!array)
        return session_leave(r, RC_ErrorInvalidResourceHandle);
    if (desc)
        *desc = array_format(&array->a);
    if (extent)
        *extent = (struct cudaExtent){array->a.width, array->a.height, array->a.depth};
    if (flags)
        *flags = array->a.flags;
    return session_leave(r, RC_Success);
}

cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t array)
{
    SESSION(r);
    if (!array || !desc)
        return session_leave(r, RC_ErrorInvalidValue);
    *desc = array_format(&array->a);
    return session_leave(r, RC_Success);
}

/* ---- copies: places and widths in bytes ------------------------------------------------------ */

/* A part of one slice of an array. */
static bool holds(cudaArray_const_t array, size_t x, size_t y, size_t z, size_t width,
                  size_t height)
{
    if (!array)
        return false;
    size_t row = row_bytes(&array->a), rows = at_least_one(array->a.height);
    return x <= row && width <= row - x && y <= rows && height <= rows - y &&
           z < at_least_one(array->a.depth);
}

static char *array_at(cudaArray_const_t array, size_t x, size_t y, size_t z)
{
    return (char *)(uintptr_t)(array->a.base + z * array->a.slice + y * array->a.pitch + x);
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t w, size_t h, const void *src, size_t spitch,
                                size_t width, size_t height, enum cudaMemcpyKind kind)
{
    if (!holds(dst, w, h, 0, width, height))
        return session_refuse(RC_ErrorInvalidValue);
    return cudaMemcpy2D(array_at(dst, w, h, 0), dst->a.pitch, src, spitch, width, height, kind);
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t w, size_t h, const void *src,
                                     size_t spitch, size_t width, size_t height,
                                     enum cudaMemcpyKind kind, cudaStream_t stream)
{
    (void)stream;
    return cudaMemcpy2DToArray(dst, w, h, src, spitch, width, height, kind);
}

cudaError_t cudaMemcpy2DFromArray(void *dst, size_t dpitch, cudaArray_const_t src, size_t w,
                                  size_t h, size_t width, size_t height, enum cudaMemcpyKind kind)
{
    if (!holds(src, w, h, 0, width, height))
        return session_refuse(RC_ErrorInvalidValue);
    return cudaMemcpy2D(dst, dpitch, array_at(src, w, h, 0), src->a.pitch, width, height, kind);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *dst, size_t dpitch, cudaArray_const_t src, size_t w,
                                       size_t h, size_t width, size_t height,
                                       enum cudaMemcpyKind kind, cudaStream_t stream)
{
    (void)stream;
    return cudaMemcpy2DFromArray(dst, dpitch, src, w, h, width, height, kind);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t wd, size_t hd, cudaArray_const_t src,
                                     size_t ws, size_t hs, size_t width, size_t height,
                                     enum cudaMemcpyKind kind)
{
    if (!holds(dst, wd, hd, 0, width, height) || !holds(src, ws, hs, 0, width, height))
        return session_refuse(RC_ErrorInvalidValue);
    return cudaMemcpy2D(array_at(dst, wd, hd, 0), dst->a.pitch, array_at(src, ws, hs, 0),
                        src->a.pitch, width, height, kind);
}

/* Bytes go on in the next row where one is full; so do those of the other side, which has none. */
static cudaError_t copy_in_rows(cudaArray_const_t array, size_t w, size_t h, void *to,
                                const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    if (!holds(array, w, h, 0, 0, 0))
        return session_refuse(RC_ErrorInvalidValue);
    size_t row = row_bytes(&array->a), rows = at_least_one(array->a.height);
    if (bytes > (rows - h) * row - (h < rows ? w : 0))
        return session_refuse(RC_ErrorInvalidValue);
    for (size_t done = 0, n; done < bytes; done += n, w = 0, h++) {
        n = row - w < bytes - done ? row - w : bytes - done;
        char *here = array_at(array, w, h, 0);
        cudaError_t e = to ? cudaMemcpy((char *)to + done, here, n, kind)
                           : cudaMemcpy(here, (const char *)from + done, n, kind);
        if (e != cudaSuccess)
            return e;
    }
    return cudaSuccess;
}

cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t w, size_t h, const void *src, size_t bytes,
                              enum cudaMemcpyKind kind)
{
    return src ? copy_in_rows(dst, w, h, NULL, src, bytes, kind)
               : session_refuse(RC_ErrorInvalidValue);
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t dst, size_t w, size_t h, const void *src,
                                   size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    (void)stream;
    return cudaMemcpyToArray(dst, w, h, src, bytes, kind);
}

cudaError_t cudaMemcpyFromArray(void *dst, cudaArray_const_t src, size_t w, size_t h, size_t bytes,
                                enum cudaMemcpyKind kind)
{
    return dst ? copy_in_rows(src, w, h, dst, NULL, bytes, kind)
               : session_refuse(RC_ErrorInvalidValue);
}

cudaError_t cudaMemcpyFromArrayAsync(void *dst, cudaArray_const_t src, size_t w, size_t h,
                                     size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    (void)stream;
    return cudaMemcpyFromArray(dst, src, w, h, bytes, kind);
}

/* One side of a copy of boxes. Widths are in texels where an array takes part, else in bytes. */
struct side {
    cudaArray_const_t array;
    struct cudaPos at;
    struct cudaPitchedPtr ptr;
};

static bool is_one_thing(const struct side *s)
{
    return (s->array != NULL) != (s->ptr.ptr != NULL);
}

/* The place, and those of all slices behind it, are numbers. */
static bool is_place(const struct side *s, size_t slices)
{
    size_t end;
    if (s->at.x > SIZE_MAX / 16) /* an array's is in texels, of up to 16 bytes */
        return false;
    return s->array || (!__builtin_add_overflow(s->at.z, slices, &end) &&
                        !__builtin_mul_overflow(end, s->ptr.ysize, &end) &&
                        !__builtin_add_overflow(end, s->at.y, &end) &&
                        !__builtin_mul_overflow(end, s->ptr.pitch, &end) &&
                        !__builtin_add_overflow(end, s->at.x, &end) &&
                        !__builtin_add_overflow(end, (uintptr_t)s->ptr.ptr, &end));
}

static char *side_at(const struct side *s, size_t z, size_t texel)
{
    if (s->array)
        return array_at(s->array, s->at.x * texel, s->at.y, s->at.z + z);
    return (char *)s->ptr.ptr + s->at.x + s->ptr.pitch * (s->at.y + s->ptr.ysize * (s->at.z + z));
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p)
{
    if (!p)
        return session_refuse(RC_ErrorInvalidValue);
    const struct side from = {p->srcArray, p->srcPos, p->srcPtr};
    const struct side to = {p->dstArray, p->dstPos, p->dstPtr};
    if (!is_one_thing(&from) || !is_one_thing(&to) || !is_place(&from, p->extent.depth) ||
        !is_place(&to, p->extent.depth))
        return session_refuse(RC_ErrorInvalidValue);
    cudaArray_const_t array = from.array ? from.array : to.array;
    size_t texel = array ? texel_bytes(&array->a) : 1, width = p->extent.width * texel;
    if (p->extent.width > SIZE_MAX / 16)
        return session_refuse(RC_ErrorInvalidValue);
    for (size_t z = 0; z < p->extent.depth; z++) {
        const struct side *both[2] = {&from, &to};
        for (int i = 0; i < 2; i++)
            if (both[i]->array && !holds(both[i]->array, both[i]->at.x * texel, both[i]->at.y,
                                         both[i]->at.z + z, width, p->extent.height))
                return session_refuse(RC_ErrorInvalidValue);
        cudaError_t e = cudaMemcpy2D(
            side_at(&to, z, texel), to.array ? to.array->a.pitch : to.ptr.pitch,
            side_at(&from, z, texel), from.array ? from.array->a.pitch : from.ptr.pitch, width,
            p->extent.height, p->kind);
        if (e != cudaSuccess)
            return e;
    }
    return cudaSuccess;
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream)
{
    (void)stream;
    return cudaMemcpy3D(p);
}
