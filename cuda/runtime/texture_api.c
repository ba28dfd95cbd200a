/* SPDX-License-Identifier: MIT
 *
 * Arrays, textures, surfaces. */
#include <stdlib.h>
#include <string.h>

#include "cuda/runtime/session.h"

/* What a cudaArray_t points to. */
struct cudaArray {
    struct runtime_array a;
};

void __cudaRegisterTexture(void **handle, const void *host, const void **device, const char *name,
                           int dim, int norm, int ext);
void __cudaRegisterSurface(void **handle, const void *host, const void **device, const char *name,
                           int dim, int ext);

void __cudaRegisterTexture(void **handle, const void *host, const void **device, const char *name,
                           int dim, int norm, int ext)
{
    (void)device, (void)dim, (void)norm, (void)ext;
    struct runtime *r = session_enter();
    if (!r)
        return;
    if (handle)
        runtime_add_variable(r, (struct runtime_module *)handle, host, name, 8);
    session_leave(r, RC_Success);
}

void __cudaRegisterSurface(void **handle, const void *host, const void **device, const char *name,
                           int dim, int ext)
{
    __cudaRegisterTexture(handle, host, device, name, dim, 0, ext);
}

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind f)
{
    return (struct cudaChannelFormatDesc){x, y, z, w, f};
}

/* ---- arrays ---------------------------------------------------------------------------------- */

static uint32_t texel_bytes(const int bits[4])
{
    return (uint32_t)(bits[0] + bits[1] + bits[2] + bits[3]) / 8;
}

static bool is_legal(const struct cudaChannelFormatDesc *d)
{
    const int bits[4] = {d->x, d->y, d->z, d->w};
    for (int i = 1; i < 4; i++)
        if (bits[i] != 0 && (bits[i] != bits[0] || bits[i - 1] == 0))
            return false;
    return (d->x == 8 || d->x == 16 || d->x == 32) && d->f <= cudaChannelFormatKindFloat &&
           !(d->f == cudaChannelFormatKindFloat && d->x == 8);
}

cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                              struct cudaExtent extent, unsigned int flags)
{
    SESSION(r);
    if (r->sticky)
        return session_leave(r, r->sticky);
    if (!desc || !is_legal(desc) || extent.width == 0 || extent.width > UINT32_MAX ||
        extent.height > UINT32_MAX || extent.depth > UINT32_MAX || (flags & cudaArrayCubemap))
        return session_leave(r, RC_ErrorInvalidValue);
    struct cudaArray *made = calloc(1, sizeof *made);
    if (!made)
        return session_leave(r, RC_ErrorMemoryAllocation);
    made->a = (struct runtime_array){.width = (uint32_t)extent.width,
                                     .height = (uint32_t)extent.height,
                                     .depth = (uint32_t)extent.depth,
                                     .flags = flags,
                                     .bits = {desc->x, desc->y, desc->z, desc->w},
                                     .kind = (int)desc->f};
    uint64_t row = (uint64_t)made->a.width * texel_bytes(made->a.bits);
    made->a.pitch = (row + 31) / 32 * 32;
    made->a.slice = made->a.pitch * (made->a.height ? made->a.height : 1);
    enum runtime_code code = runtime_allocate(
        r, RM_DEVICE, made->a.slice * (made->a.depth ? made->a.depth : 1), &made->a.base);
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

static char *array_at(cudaArray_const_t array, size_t x, size_t y, size_t z)
{
    return (char *)(uintptr_t)(array->a.base + z * array->a.slice + y * array->a.pitch + x);
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t w, size_t h, const void *src, size_t spitch,
                                size_t width, size_t height, enum cudaMemcpyKind kind)
{
    return cudaMemcpy2D(array_at(dst, w, h, 0), dst->a.pitch, src, spitch, width, height, kind);
}

cudaError_t cudaMemcpy2DFromArray(void *dst, size_t dpitch, cudaArray_const_t src, size_t w,
                                  size_t h, size_t width, size_t height, enum cudaMemcpyKind kind)
{
    return cudaMemcpy2D(dst, dpitch, array_at(src, w, h, 0), src->a.pitch, width, height, kind);
}

/* Bytes go on in the next row where one is full. */
cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t w, size_t h, const void *src, size_t bytes,
                              enum cudaMemcpyKind kind)
{
    size_t row = (size_t)dst->a.width * texel_bytes(dst->a.bits), done = 0;
    while (done < bytes) {
        size_t n = row - w < bytes - done ? row - w : bytes - done;
        cudaError_t e = cudaMemcpy(array_at(dst, w, h, 0), (const char *)src + done, n, kind);
        if (e != cudaSuccess)
            return e;
        done += n;
        w = 0;
        h++;
    }
    return cudaSuccess;
}

cudaError_t cudaMemcpyFromArray(void *dst, cudaArray_const_t src, size_t w, size_t h, size_t bytes,
                                enum cudaMemcpyKind kind)
{
    size_t row = (size_t)src->a.width * texel_bytes(src->a.bits), done = 0;
    while (done < bytes) {
        size_t n = row - w < bytes - done ? row - w : bytes - done;
        cudaError_t e = cudaMemcpy((char *)dst + done, array_at(src, w, h, 0), n, kind);
        if (e != cudaSuccess)
            return e;
        done += n;
        w = 0;
        h++;
    }
    return cudaSuccess;
}

/* Widths are in texels where an array takes part, else in bytes. */
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p)
{
    const struct cudaArray *array = p->srcArray ? p->srcArray : p->dstArray;
    size_t texel = array ? texel_bytes(array->a.bits) : 1;
    for (size_t z = 0; z < p->extent.depth; z++) {
        size_t sz = p->srcPos.z + z, dz = p->dstPos.z + z;
        const char *src = p->srcArray ? array_at(p->srcArray, p->srcPos.x * texel, p->srcPos.y, sz)
                                      : (const char *)p->srcPtr.ptr + p->srcPos.x +
                                            p->srcPtr.pitch * (p->srcPos.y + p->srcPtr.ysize * sz);
        char *dst = p->dstArray ? array_at(p->dstArray, p->dstPos.x * texel, p->dstPos.y, dz)
                                : (char *)p->dstPtr.ptr + p->dstPos.x +
                                      p->dstPtr.pitch * (p->dstPos.y + p->dstPtr.ysize * dz);
        cudaError_t e = cudaMemcpy2D(dst, p->dstArray ? p->dstArray->a.pitch : p->dstPtr.pitch, src,
                                     p->srcArray ? p->srcArray->a.pitch : p->srcPtr.pitch,
                                     p->extent.width * texel, p->extent.height, p->kind);
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

/* ---- what a texture looks at ------------------------------------------------------------------
 */

static enum runtime_code set_format(struct ptx_texture *t, const struct cudaChannelFormatDesc *d)
{
    if (!is_legal(d))
        return RC_ErrorInvalidChannelDescriptor;
    t->channels = (uint8_t)(1 + (d->y != 0) + (d->z != 0) + (d->w != 0));
    t->channel_bits = (uint8_t)d->x;
    t->kind = (enum ptx_channel)d->f;
    return RC_Success;
}

static enum runtime_code look_at_array(struct ptx_texture *t, cudaArray_const_t array)
{
    const struct runtime_array *a = &array->a;
    t->base = a->base;
    t->width = a->width;
    t->height = a->height;
    t->depth = a->depth;
    t->pitch = a->pitch;
    t->slice = a->slice;
    return set_format(t, &(struct cudaChannelFormatDesc){a->bits[0], a->bits[1], a->bits[2],
                                                         a->bits[3],
                                                         (enum cudaChannelFormatKind)a->kind});
}

static enum runtime_code look_at(struct ptx_texture *t, const struct cudaResourceDesc *d)
{
    enum runtime_code code;
    switch (d->resType) {
    case cudaResourceTypeArray:
        return d->res.array.array ? look_at_array(t, d->res.array.array) : RC_ErrorInvalidValue;
    case cudaResourceTypeLinear:
        code = set_format(t, &d->res.linear.desc);
        if (code != RC_Success)
            return code;
        t->base = (uint64_t)(uintptr_t)d->res.linear.devPtr;
        t->width = (uint32_t)(d->res.linear.sizeInBytes / (t->channels * t->channel_bits / 8u));
        return RC_Success;
    case cudaResourceTypePitch2D:
        t->base = (uint64_t)(uintptr_t)d->res.pitch2D.devPtr;
        t->width = (uint32_t)d->res.pitch2D.width;
        t->height = (uint32_t)d->res.pitch2D.height;
        t->pitch = d->res.pitch2D.pitchInBytes;
        return set_format(t, &d->res.pitch2D.desc);
    case cudaResourceTypeMipmappedArray: break;
    }
    return RC_ErrorNotSupported;
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *texture,
                                    const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *desc,
                                    const struct cudaResourceViewDesc *view)
{
    struct ptx_texture t = {0};
    (void)view;
    SESSION(r);
    enum runtime_code code = look_at(&t, resource);
    if (code != RC_Success)
        return session_leave(r, code);
    for (int i = 0; i < 3; i++)
        t.border[i] = (enum ptx_border)desc->addressMode[i];
    t.is_linear = desc->filterMode == cudaFilterModeLinear;
    t.is_normalized = desc->normalizedCoords != 0;
    t.to_unit = desc->readMode == cudaReadModeNormalizedFloat;
    if (t.is_linear && t.kind != PTX_FLOAT && !t.to_unit)
        return session_leave(r, RC_ErrorInvalidFilterSetting);
    t.handle = ++r->n_texture_objects;
    runtime_bind(r, &t);
    *texture = t.handle;
    return session_leave(r, RC_Success);
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture)
{
    SESSION(r);
    return session_leave(r, runtime_unbind(r, texture) ? RC_Success : RC_ErrorInvalidValue);
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *surface,
                                    const struct cudaResourceDesc *resource)
{
    struct ptx_texture t = {0};
    SESSION(r);
    enum runtime_code code = look_at(&t, resource);
    if (code != RC_Success)
        return session_leave(r, code);
    t.handle = ++r->n_texture_objects;
    runtime_bind(r, &t);
    *surface = t.handle;
    return session_leave(r, RC_Success);
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface)
{
    return cudaDestroyTextureObject(surface);
}

/* ---- texture references ------------------------------------------------------------------------
 */

static enum runtime_code bind(struct runtime *r, const void *reference, struct ptx_texture *t)
{
    struct textureReference how;
    uint64_t bytes;
    enum runtime_code code = runtime_symbol(r, reference, &t->handle, &bytes);
    if (code != RC_Success)
        return code;
    memcpy(&how, reference, sizeof how);
    for (int i = 0; i < 3; i++)
        t->border[i] = (enum ptx_border)how.addressMode[i];
    t->is_linear = how.filterMode == cudaFilterModeLinear;
    t->is_normalized = how.normalized != 0;
    t->to_unit = how.__cudaReserved[0] == cudaReadModeNormalizedFloat;
    runtime_bind(r, t);
    return RC_Success;
}

cudaError_t crosswatt_bind_texture(size_t *offset, const void *texture, const void *ptr,
                                   const struct cudaChannelFormatDesc *desc, size_t bytes,
                                   size_t width, size_t height, size_t pitch)
{
    struct ptx_texture t = {.base = (uint64_t)(uintptr_t)ptr,
                            .width = (uint32_t)width,
                            .height = (uint32_t)height,
                            .pitch = pitch};
    SESSION(r);
    enum runtime_code code = set_format(&t, desc);
    if (code != RC_Success)
        return session_leave(r, code);
    if (height == 0) {
        const struct runtime_memory *m = runtime_memory_at(r, t.base);
        if (!m)
            return session_leave(r, RC_ErrorInvalidValue);
        uint64_t room = m->bytes - (t.base - m->base), texel = t.channels * t.channel_bits / 8u;
        t.width = (uint32_t)((bytes < room ? bytes : room) / texel);
    }
    if (offset)
        *offset = 0;
    return session_leave(r, bind(r, texture, &t));
}

cudaError_t crosswatt_bind_texture_array(const void *texture, cudaArray_const_t array,
                                         const struct cudaChannelFormatDesc *desc)
{
    struct ptx_texture t = {0};
    (void)desc;
    SESSION(r);
    enum runtime_code code = array ? look_at_array(&t, array) : RC_ErrorInvalidValue;
    return session_leave(r, code == RC_Success ? bind(r, texture, &t) : code);
}

cudaError_t cudaUnbindTexture(const struct textureReference *texture)
{
    uint64_t handle, bytes;
    SESSION(r);
    enum runtime_code code = runtime_symbol(r, texture, &handle, &bytes);
    if (code == RC_Success)
        runtime_unbind(r, handle);
    return session_leave(r, code);
}
