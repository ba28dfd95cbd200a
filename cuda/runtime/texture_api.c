/* SPDX-License-Identifier: MIT
 *
 * Textures, surfaces. */
#include <string.h>

#include "cuda/runtime/cuda_array.h"

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

/* ---- what a texture looks at ----------------------------------------------------------------- */

static enum runtime_code set_format(struct ptx_texture *t, const struct cudaChannelFormatDesc *d)
{
    if (!array_is_legal(d))
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
    const struct cudaChannelFormatDesc format = array_format(a);
    return set_format(t, &format);
}

static uint64_t texel_bytes(const struct ptx_texture *t)
{
    return t->channels * t->channel_bits / 8u;
}

/* Memory without an array of its own: its size and pitch are the caller's. */
static enum runtime_code check_plain(const struct runtime *r, const struct ptx_texture *t,
                                     uint64_t width, uint64_t height, uint64_t pitch)
{
    uint64_t bytes = width * texel_bytes(t);
    if (width == 0 || width > (height ? 131072u : 268435456u) || height > 65000)
        return RC_ErrorInvalidValue;
    if (height && (pitch < bytes || pitch > 2097120))
        return RC_ErrorInvalidPitchValue;
    return runtime_memory_at(r, t->base) || runtime_is_device(r, t->base) ? RC_Success
                                                                          : RC_ErrorInvalidValue;
}

static enum runtime_code look_at(struct runtime *r, struct ptx_texture *t,
                                 const struct cudaResourceDesc *d)
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
        t->width = (uint32_t)(d->res.linear.sizeInBytes / texel_bytes(t));
        return check_plain(r, t, d->res.linear.sizeInBytes / texel_bytes(t), 0, 0);
    case cudaResourceTypePitch2D:
        code = set_format(t, &d->res.pitch2D.desc);
        if (code != RC_Success)
            return code;
        t->base = (uint64_t)(uintptr_t)d->res.pitch2D.devPtr;
        t->width = (uint32_t)d->res.pitch2D.width;
        t->height = (uint32_t)d->res.pitch2D.height;
        t->pitch = d->res.pitch2D.pitchInBytes;
        return d->res.pitch2D.height
                   ? check_plain(r, t, d->res.pitch2D.width, d->res.pitch2D.height, t->pitch)
                   : RC_ErrorInvalidValue;
    case cudaResourceTypeMipmappedArray: return RC_ErrorNotSupported;
    }
    return RC_ErrorInvalidValue;
}

/* How texels are read; what fits no texture is refused as the runtime does it. */
static enum runtime_code set_reading(struct ptx_texture *t, const int address_mode[3],
                                     bool is_linear, bool is_normalized, bool to_unit)
{
    for (int i = 0; i < 3; i++) {
        if (address_mode[i] < cudaAddressModeWrap || address_mode[i] > cudaAddressModeBorder)
            return RC_ErrorInvalidValue;
        t->border[i] = (enum ptx_border)address_mode[i];
    }
    t->is_linear = is_linear;
    t->is_normalized = is_normalized;
    t->to_unit = to_unit;
    if (to_unit && t->kind != PTX_FLOAT && t->channel_bits == 32)
        return RC_ErrorInvalidNormSetting;
    return is_linear && t->kind != PTX_FLOAT && !to_unit ? RC_ErrorInvalidFilterSetting
                                                         : RC_Success;
}

/* What an object was made of. */
struct about {
    struct cudaResourceDesc resource;
    struct cudaTextureDesc how;
};

static uint64_t make_object(struct runtime *r, struct ptx_texture *t, const struct about *about)
{
    struct about *kept =
        r->spare.n ? r->spare.at[--r->spare.n] : (void *)arena_new(&r->mem, struct about);
    *kept = *about;
    t->handle = ++r->n_texture_objects;
    runtime_bind(r, t);
    vec_push(&r->mem, &r->objects, (struct runtime_object){t->handle, kept});
    return t->handle;
}

static size_t find_object(const struct runtime *r, uint64_t handle)
{
    size_t i = 0;
    while (i < r->objects.n && r->objects.at[i].handle != handle)
        i++;
    return i;
}

static cudaError_t tell_about(uint64_t handle, struct cudaResourceDesc *resource,
                              struct cudaTextureDesc *how)
{
    SESSION(r);
    size_t i = find_object(r, handle);
    if (i == r->objects.n || (!resource && !how))
        return session_leave(r, RC_ErrorInvalidValue);
    const struct about *about = r->objects.at[i].about;
    if (resource)
        *resource = about->resource;
    if (how)
        *how = about->how;
    return session_leave(r, RC_Success);
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *texture,
                                    const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *desc,
                                    const struct cudaResourceViewDesc *view)
{
    struct ptx_texture t = {0};
    SESSION(r);
    if (!texture || !resource || !desc)
        return session_leave(r, RC_ErrorInvalidValue);
    if (view)
        return session_leave(r, RC_ErrorNotSupported);
    enum runtime_code code = look_at(r, &t, resource);
    const int modes[3] = {(int)desc->addressMode[0], (int)desc->addressMode[1],
                          (int)desc->addressMode[2]};
    if (code == RC_Success)
        code =
            set_reading(&t, modes, desc->filterMode == cudaFilterModeLinear,
                        desc->normalizedCoords != 0, desc->readMode == cudaReadModeNormalizedFloat);
    if (code == RC_Success)
        *texture = make_object(r, &t, &(struct about){*resource, *desc});
    return session_leave(r, code);
}

cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *resource,
                                             cudaTextureObject_t texture)
{
    return tell_about(texture, resource, NULL);
}

cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *desc,
                                            cudaTextureObject_t texture)
{
    return tell_about(texture, NULL, desc);
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture)
{
    SESSION(r);
    size_t i = find_object(r, texture);
    if (i == r->objects.n)
        return session_leave(r, RC_ErrorInvalidValue);
    vec_push(&r->mem, &r->spare, r->objects.at[i].about);
    r->objects.at[i] = r->objects.at[--r->objects.n];
    return session_leave(r, runtime_unbind(r, texture) ? RC_Success : RC_ErrorInvalidValue);
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *surface,
                                    const struct cudaResourceDesc *resource)
{
    struct ptx_texture t = {0};
    SESSION(r);
    if (!surface || !resource)
        return session_leave(r, RC_ErrorInvalidValue);
    enum runtime_code code = look_at(r, &t, resource);
    if (code == RC_Success)
        *surface = make_object(r, &t, &(struct about){.resource = *resource});
    return session_leave(r, code);
}

cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *resource,
                                             cudaSurfaceObject_t surface)
{
    return tell_about(surface, resource, NULL);
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface)
{
    return cudaDestroyTextureObject(surface);
}

/* ---- texture references ---------------------------------------------------------------------- */

static enum runtime_code bind(struct runtime *r, const void *reference, struct ptx_texture *t)
{
    struct textureReference how;
    uint64_t bytes;
    enum runtime_code code = runtime_symbol(r, reference, &t->handle, &bytes);
    if (code != RC_Success)
        return code;
    memcpy(&how, reference, sizeof how);
    const int modes[3] = {(int)how.addressMode[0], (int)how.addressMode[1],
                          (int)how.addressMode[2]};
    code = set_reading(t, modes, how.filterMode == cudaFilterModeLinear, how.normalized != 0,
                       how.__cudaReserved[0] == cudaReadModeNormalizedFloat);
    if (code == RC_Success)
        runtime_bind(r, t);
    return code;
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
    if (height != 0) {
        code = check_plain(r, &t, width, height, pitch);
        if (code != RC_Success)
            return session_leave(r, code);
    } else {
        const struct runtime_memory *m = runtime_memory_at(r, t.base);
        if (!m)
            return session_leave(r, RC_ErrorInvalidValue);
        uint64_t room = m->bytes - (t.base - m->base);
        t.width = (uint32_t)((bytes < room ? bytes : room) / texel_bytes(&t));
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
