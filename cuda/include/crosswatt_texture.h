/* SPDX-License-Identifier: MIT
 *
 * cuda/include/crosswatt_texture.h: textures and surfaces: objects, texture references, and what
 * kernels read and write through them. */
#ifndef CW_CUDA_INCLUDE_CROSSWATT_TEXTURE_H
#define CW_CUDA_INCLUDE_CROSSWATT_TEXTURE_H

#define CW_TEXTURE static __inline__ __attribute__((device))

#define cudaTextureType1D 0x01
#define cudaTextureType2D 0x02
#define cudaTextureType3D 0x03
#define cudaTextureTypeCubemap 0x0C
#define cudaTextureType1DLayered 0xF1
#define cudaTextureType2DLayered 0xF2
#define cudaSurfaceType1D 0x01
#define cudaSurfaceType2D 0x02
#define cudaSurfaceType3D 0x03

/* ---- formats ---- */
template <typename T> struct cw_texel; /* n channels of E, read as R (four registers of 32 bits) */
#define CW_TEXEL(T, E, n, format)                                                                  \
    template <> struct cw_texel<T> {                                                               \
        typedef E element;                                                                         \
        static const int channels = n;                                                             \
        static const cudaChannelFormatKind kind = format;                                          \
    };
#define CW_TEXELS(name, E, format)                                                                 \
    CW_TEXEL(name##1, E, 1, format)                                                                \
    CW_TEXEL(name##2, E, 2, format)                                                                \
    CW_TEXEL(name##4, E, 4, format)
CW_TEXEL(char, signed char, 1, cudaChannelFormatKindSigned)
CW_TEXEL(signed char, signed char, 1, cudaChannelFormatKindSigned)
CW_TEXEL(unsigned char, unsigned char, 1, cudaChannelFormatKindUnsigned)
CW_TEXEL(short, short, 1, cudaChannelFormatKindSigned)
CW_TEXEL(unsigned short, unsigned short, 1, cudaChannelFormatKindUnsigned)
CW_TEXEL(int, int, 1, cudaChannelFormatKindSigned)
CW_TEXEL(unsigned, unsigned, 1, cudaChannelFormatKindUnsigned)
CW_TEXEL(float, float, 1, cudaChannelFormatKindFloat)
CW_TEXELS(char, signed char, cudaChannelFormatKindSigned)
CW_TEXELS(uchar, unsigned char, cudaChannelFormatKindUnsigned)
CW_TEXELS(short, short, cudaChannelFormatKindSigned)
CW_TEXELS(ushort, unsigned short, cudaChannelFormatKindUnsigned)
CW_TEXELS(int, int, cudaChannelFormatKindSigned)
CW_TEXELS(uint, unsigned, cudaChannelFormatKindUnsigned)
CW_TEXELS(float, float, cudaChannelFormatKindFloat)
#undef CW_TEXELS
#undef CW_TEXEL

template <typename T> static __inline__ cudaChannelFormatDesc cudaCreateChannelDesc()
{
    int bits = 8 * (int)sizeof(typename cw_texel<T>::element), n = cw_texel<T>::channels;
    return cudaCreateChannelDesc(bits, n > 1 ? bits : 0, n > 2 ? bits : 0, n > 3 ? bits : 0,
                                 cw_texel<T>::kind);
}

#if defined(__CUDA__)
/* ---- texture references ---- */
template <typename T, int Type = cudaTextureType1D,
          enum cudaTextureReadMode Mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : public textureReference {
    texture(int norm = 0, enum cudaTextureFilterMode filter = cudaFilterModePoint,
            enum cudaTextureAddressMode address = cudaAddressModeClamp)
    {
        begin(norm, filter, address, cudaCreateChannelDesc<T>());
    }
    texture(int norm, enum cudaTextureFilterMode filter, enum cudaTextureAddressMode address,
            cudaChannelFormatDesc desc)
    {
        begin(norm, filter, address, desc);
    }

  private:
    void begin(int norm, enum cudaTextureFilterMode filter, enum cudaTextureAddressMode address,
               cudaChannelFormatDesc desc)
    {
        memset(static_cast<textureReference *>(this), 0, sizeof(textureReference));
        normalized = norm;
        filterMode = filter;
        addressMode[0] = addressMode[1] = addressMode[2] = address;
        channelDesc = desc;
        __cudaReserved[0] = Mode;
    }
};

template <typename T, int Type, enum cudaTextureReadMode Mode>
static __inline__ cudaError_t cudaBindTexture(size_t *offset, const texture<T, Type, Mode> &t,
                                              const void *ptr, const cudaChannelFormatDesc &desc,
                                              size_t bytes = 0xffffffffu)
{
    return crosswatt_bind_texture(offset, &t, ptr, &desc, bytes, 0, 0, 0);
}
template <typename T, int Type, enum cudaTextureReadMode Mode>
static __inline__ cudaError_t cudaBindTexture(size_t *offset, const texture<T, Type, Mode> &t,
                                              const void *ptr, size_t bytes = 0xffffffffu)
{
    return crosswatt_bind_texture(offset, &t, ptr, &t.channelDesc, bytes, 0, 0, 0);
}
template <typename T, int Type, enum cudaTextureReadMode Mode>
static __inline__ cudaError_t cudaBindTexture2D(size_t *offset, const texture<T, Type, Mode> &t,
                                                const void *ptr, const cudaChannelFormatDesc &desc,
                                                size_t width, size_t height, size_t pitch)
{
    return crosswatt_bind_texture(offset, &t, ptr, &desc, 0, width, height, pitch);
}
template <typename T, int Type, enum cudaTextureReadMode Mode>
static __inline__ cudaError_t cudaBindTexture2D(size_t *offset, const texture<T, Type, Mode> &t,
                                                const void *ptr, size_t width, size_t height,
                                                size_t pitch)
{
    return crosswatt_bind_texture(offset, &t, ptr, &t.channelDesc, 0, width, height, pitch);
}
template <typename T, int Type, enum cudaTextureReadMode Mode>
static __inline__ cudaError_t cudaBindTextureToArray(const texture<T, Type, Mode> &t,
                                                     cudaArray_const_t array,
                                                     const cudaChannelFormatDesc &desc)
{
    return crosswatt_bind_texture_array(&t, array, &desc);
}
template <typename T, int Type, enum cudaTextureReadMode Mode>
static __inline__ cudaError_t cudaBindTextureToArray(const texture<T, Type, Mode> &t,
                                                     cudaArray_const_t array)
{
    return crosswatt_bind_texture_array(&t, array, &t.channelDesc);
}
template <typename T, int Type, enum cudaTextureReadMode Mode>
static __inline__ cudaError_t cudaUnbindTexture(const texture<T, Type, Mode> &t)
{
    return cudaUnbindTexture((const textureReference *)&t);
}

/* the same with pointers */
static __inline__ cudaError_t cudaBindTexture(size_t *offset, const textureReference *t,
                                              const void *ptr, const cudaChannelFormatDesc *desc,
                                              size_t bytes = 0xffffffffu)
{
    return crosswatt_bind_texture(offset, t, ptr, desc, bytes, 0, 0, 0);
}
static __inline__ cudaError_t cudaBindTexture2D(size_t *offset, const textureReference *t,
                                                const void *ptr, const cudaChannelFormatDesc *desc,
                                                size_t width, size_t height, size_t pitch)
{
    return crosswatt_bind_texture(offset, t, ptr, desc, 0, width, height, pitch);
}
static __inline__ cudaError_t cudaBindTextureToArray(const textureReference *t,
                                                     cudaArray_const_t array,
                                                     const cudaChannelFormatDesc *desc)
{
    return crosswatt_bind_texture_array(t, array, desc);
}

/* A reference is known to the device by its address. */
template <typename T, int Type, enum cudaTextureReadMode Mode>
static __inline__ __attribute__((device, always_inline)) cudaTextureObject_t
cw_handle(texture<T, Type, Mode> t)
{
    cudaTextureObject_t h;
    __builtin_memcpy(&h, &t, sizeof h);
    return h;
}

/* ---- four registers of 32 bits, and what they become ---- */
template <typename T> CW_TEXTURE T cw_channels(uint4 v)
{
    typedef typename cw_texel<T>::element E;
    E e[4];
    if (cw_texel<T>::kind == cudaChannelFormatKindFloat) {
        e[0] = (E)__uint_as_float(v.x);
        e[1] = (E)__uint_as_float(v.y);
        e[2] = (E)__uint_as_float(v.z);
        e[3] = (E)__uint_as_float(v.w);
    } else {
        e[0] = (E)v.x;
        e[1] = (E)v.y;
        e[2] = (E)v.z;
        e[3] = (E)v.w;
    }
    T r;
    __builtin_memcpy(&r, e, cw_texel<T>::channels * sizeof(E));
    return r;
}
/* what a reference gives: its own type, or floats where it reads into 0..1 */
template <typename T, enum cudaTextureReadMode Mode> struct cw_fetched { typedef T type; };
template <> struct cw_fetched<unsigned char, cudaReadModeNormalizedFloat> {
    typedef float type;
};
template <> struct cw_fetched<signed char, cudaReadModeNormalizedFloat> {
    typedef float type;
};
template <> struct cw_fetched<unsigned short, cudaReadModeNormalizedFloat> {
    typedef float type;
};
template <> struct cw_fetched<short, cudaReadModeNormalizedFloat> {
    typedef float type;
};
template <> struct cw_fetched<uchar2, cudaReadModeNormalizedFloat> {
    typedef float2 type;
};
template <> struct cw_fetched<uchar4, cudaReadModeNormalizedFloat> {
    typedef float4 type;
};
template <> struct cw_fetched<ushort4, cudaReadModeNormalizedFloat> {
    typedef float4 type;
};

#define CW_TEX_ASM(geometry, type, coordinates, ...)                                               \
    uint4 v;                                                                                       \
    __asm__("tex." geometry ".v4.u32." type " {%0, %1, %2, %3}, [%4, {" coordinates "}];"          \
            : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)                                           \
            : "l"(t), __VA_ARGS__)
CW_TEXTURE uint4 cw_tex1Dfetch(cudaTextureObject_t t, int x)
{
    CW_TEX_ASM("1d", "s32", "%5", "r"(x));
    return v;
}
CW_TEXTURE uint4 cw_tex1D(cudaTextureObject_t t, float x)
{
    CW_TEX_ASM("1d", "f32", "%5", "f"(x));
    return v;
}
CW_TEXTURE uint4 cw_tex2D(cudaTextureObject_t t, float x, float y)
{
    CW_TEX_ASM("2d", "f32", "%5, %6", "f"(x), "f"(y));
    return v;
}
CW_TEXTURE uint4 cw_tex3D(cudaTextureObject_t t, float x, float y, float z)
{
    CW_TEX_ASM("3d", "f32", "%5, %6, %7, %7", "f"(x), "f"(y), "f"(z));
    return v;
}
CW_TEXTURE uint4 cw_tex1DLayered(cudaTextureObject_t t, float x, int layer)
{
    CW_TEX_ASM("a1d", "f32", "%5, %6", "r"(layer), "f"(x));
    return v;
}
CW_TEXTURE uint4 cw_tex2DLayered(cudaTextureObject_t t, float x, float y, int layer)
{
    CW_TEX_ASM("a2d", "f32", "%5, %6, %7, %7", "r"(layer), "f"(x), "f"(y));
    return v;
}
#undef CW_TEX_ASM

/* ---- by object and by reference ---- */
#define CW_FETCH(name, parameters, ...)                                                            \
    template <typename T> CW_TEXTURE T name(cudaTextureObject_t t, parameters)                     \
    {                                                                                              \
        return cw_channels<T>(cw_##name(t, __VA_ARGS__));                                          \
    }                                                                                              \
    template <typename T> CW_TEXTURE void name(T *r, cudaTextureObject_t t, parameters)            \
    {                                                                                              \
        *r = cw_channels<T>(cw_##name(t, __VA_ARGS__));                                            \
    }                                                                                              \
    template <typename T, int Type, enum cudaTextureReadMode Mode>                                 \
    CW_TEXTURE typename cw_fetched<T, Mode>::type name(texture<T, Type, Mode> t, parameters)       \
    {                                                                                              \
        return cw_channels<typename cw_fetched<T, Mode>::type>(                                    \
            cw_##name(cw_handle(t), __VA_ARGS__));                                                 \
    }
#define CW_COMMA ,
CW_FETCH(tex1Dfetch, int x, x)
CW_FETCH(tex1D, float x, x)
CW_FETCH(tex2D, float x CW_COMMA float y, x, y)
CW_FETCH(tex3D, float x CW_COMMA float y CW_COMMA float z, x, y, z)
CW_FETCH(tex1DLayered, float x CW_COMMA int layer, x, layer)
CW_FETCH(tex2DLayered, float x CW_COMMA float y CW_COMMA int layer, x, y, layer)
#undef CW_FETCH
template <typename T> CW_TEXTURE T tex2DLod(cudaTextureObject_t t, float x, float y, float level)
{
    return tex2D<T>(t, x, y);
}

/* ---- surfaces: x counts bytes ---- */
template <int Bytes> struct cw_raw;
#define CW_SURFACE(bytes, R, c, width)                                                             \
    template <> struct cw_raw<bytes> {                                                             \
        typedef R type;                                                                            \
        static CW_SURFACE_FN R load2(cudaSurfaceObject_t s, int x, int y)                          \
        {                                                                                          \
            R v;                                                                                   \
            __asm__ volatile("suld.b.2d." width ".trap %0, [%1, {%2, %3}];"                        \
                             : "=" c(v)                                                            \
                             : "l"(s), "r"(x), "r"(y)                                              \
                             : "memory");                                                          \
            return v;                                                                              \
        }                                                                                          \
        static CW_SURFACE_FN void store2(cudaSurfaceObject_t s, R v, int x, int y)                 \
        {                                                                                          \
            __asm__ volatile("sust.b.2d." width ".trap [%0, {%1, %2}], %3;"                        \
                             :                                                                     \
                             : "l"(s), "r"(x), "r"(y), c(v)                                        \
                             : "memory");                                                          \
        }                                                                                          \
        static CW_SURFACE_FN R load3(cudaSurfaceObject_t s, int x, int y, int z)                   \
        {                                                                                          \
            R v;                                                                                   \
            __asm__ volatile("suld.b.3d." width ".trap %0, [%1, {%2, %3, %4, %4}];"                \
                             : "=" c(v)                                                            \
                             : "l"(s), "r"(x), "r"(y), "r"(z)                                      \
                             : "memory");                                                          \
            return v;                                                                              \
        }                                                                                          \
        static CW_SURFACE_FN void store3(cudaSurfaceObject_t s, R v, int x, int y, int z)          \
        {                                                                                          \
            __asm__ volatile("sust.b.3d." width ".trap [%0, {%1, %2, %3, %3}], %4;"                \
                             :                                                                     \
                             : "l"(s), "r"(x), "r"(y), "r"(z), c(v)                                \
                             : "memory");                                                          \
        }                                                                                          \
    };
#define CW_SURFACE_FN __attribute__((device)) __inline__
CW_SURFACE(1, short, "h", "b8")
CW_SURFACE(2, short, "h", "b16")
CW_SURFACE(4, unsigned, "r", "b32")
CW_SURFACE(8, unsigned long long, "l", "b64")
#undef CW_SURFACE
template <typename T>
CW_TEXTURE void surf2Dwrite(T v, cudaSurfaceObject_t s, int x, int y,
                            cudaSurfaceBoundaryMode = cudaBoundaryModeTrap)
{
    const int step = sizeof(T) > 8 ? 8 : sizeof(T);
    for (int k = 0; k < (int)sizeof(T); k += step) {
        typename cw_raw<step>::type raw = 0;
        __builtin_memcpy(&raw, (const char *)&v + k, step);
        cw_raw<step>::store2(s, raw, x + k, y);
    }
}
template <typename T>
CW_TEXTURE void surf2Dread(T *v, cudaSurfaceObject_t s, int x, int y,
                           cudaSurfaceBoundaryMode = cudaBoundaryModeTrap)
{
    const int step = sizeof(T) > 8 ? 8 : sizeof(T);
    for (int k = 0; k < (int)sizeof(T); k += step) {
        typename cw_raw<step>::type raw = cw_raw<step>::load2(s, x + k, y);
        __builtin_memcpy((char *)v + k, &raw, step);
    }
}
template <typename T>
CW_TEXTURE T surf2Dread(cudaSurfaceObject_t s, int x, int y,
                        cudaSurfaceBoundaryMode = cudaBoundaryModeTrap)
{
    T v;
    surf2Dread(&v, s, x, y);
    return v;
}
template <typename T>
CW_TEXTURE void surf3Dwrite(T v, cudaSurfaceObject_t s, int x, int y, int z,
                            cudaSurfaceBoundaryMode = cudaBoundaryModeTrap)
{
    const int step = sizeof(T) > 8 ? 8 : sizeof(T);
    for (int k = 0; k < (int)sizeof(T); k += step) {
        typename cw_raw<step>::type raw = 0;
        __builtin_memcpy(&raw, (const char *)&v + k, step);
        cw_raw<step>::store3(s, raw, x + k, y, z);
    }
}
#undef CW_SURFACE_FN
#undef CW_COMMA
#endif
#undef CW_TEXTURE

#endif
