/* SPDX-License-Identifier: MIT
 *
 * cuda/include/cuda_runtime.h: included in front of every .cu, as nvcc does. */
#ifndef CW_CUDA_INCLUDE_CUDA_RUNTIME_H
#define CW_CUDA_INCLUDE_CUDA_RUNTIME_H

#include <cuda_runtime_api.h>
#include <vector_functions.h>

#if defined(__cplusplus)

#if defined(__CUDA__)
/* libstdc++ names an attribute __noinline__ */
#pragma push_macro("__noinline__")
#undef __noinline__
#endif
#if defined(__CUDA__)
/* clang's own <new> uses them on the device */
extern "C" {
__attribute__((device)) void *malloc(size_t);
__attribute__((device)) void free(void *);
}
#endif
#include <climits>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <malloc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <utility>
#if defined(__CUDA__)
#include <new>
#include <stdint.h>
#include <stdio.h>
#pragma pop_macro("__noinline__")
#include <crosswatt_device.h>
#include <crosswatt_math.h>
#include <crosswatt_simd.h>
#endif

/* ---- the host's overloads ---- */
template <typename T> static __inline__ cudaError_t cudaMalloc(T **ptr, size_t bytes)
{
    return cudaMalloc((void **)(void *)ptr, bytes);
}
template <typename T>
static __inline__ cudaError_t cudaMallocAsync(T **ptr, size_t bytes, cudaStream_t stream)
{
    return cudaMalloc((void **)(void *)ptr, bytes);
}
template <typename T>
static __inline__ cudaError_t cudaMallocAsync(T **ptr, size_t bytes, cudaMemPool_t pool,
                                              cudaStream_t stream)
{
    return cudaMallocFromPoolAsync((void **)(void *)ptr, bytes, pool, stream);
}
template <typename T>
static __inline__ cudaError_t cudaMallocFromPoolAsync(T **ptr, size_t bytes, cudaMemPool_t pool,
                                                      cudaStream_t stream)
{
    return cudaMallocFromPoolAsync((void **)(void *)ptr, bytes, pool, stream);
}
template <typename T>
static __inline__ cudaError_t cudaMallocHost(T **ptr, size_t bytes, unsigned int flags = 0)
{
    return cudaHostAlloc((void **)(void *)ptr, bytes, flags);
}
static __inline__ cudaError_t cudaMallocHost(void **ptr, size_t bytes, unsigned int flags)
{
    return cudaHostAlloc(ptr, bytes, flags);
}
template <typename T>
static __inline__ cudaError_t cudaHostAlloc(T **ptr, size_t bytes, unsigned int flags)
{
    return cudaHostAlloc((void **)(void *)ptr, bytes, flags);
}
template <typename T>
static __inline__ cudaError_t cudaMallocManaged(T **ptr, size_t bytes,
                                                unsigned int flags = cudaMemAttachGlobal)
{
    return cudaMallocManaged((void **)(void *)ptr, bytes, flags);
}
template <typename T>
static __inline__ cudaError_t cudaMallocPitch(T **ptr, size_t *pitch, size_t width, size_t height)
{
    return cudaMallocPitch((void **)(void *)ptr, pitch, width, height);
}
template <typename T>
static __inline__ cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned int flags)
{
    return cudaHostGetDevicePointer((void **)(void *)device, host, flags);
}
static __inline__ cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags = 0)
{
    return cudaEventCreateWithFlags(event, flags);
}
/* As CUDA 13 has them; memory is at one place here. */
static __inline__ cudaError_t cudaMemPrefetchAsync(const void *ptr, size_t bytes,
                                                   struct cudaMemLocation location,
                                                   unsigned int flags = 0, cudaStream_t stream = 0)
{
    return cudaMemPrefetchAsync(ptr, bytes, location.id, stream);
}
static __inline__ cudaError_t cudaMemAdvise(const void *ptr, size_t bytes,
                                            enum cudaMemoryAdvise advice,
                                            struct cudaMemLocation location)
{
    return cudaMemAdvise(ptr, bytes, advice, location.id);
}
template <typename T>
static __inline__ cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *src, size_t bytes,
                                                 size_t offset = 0,
                                                 enum cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    return cudaMemcpyToSymbol((const void *)&symbol, src, bytes, offset, kind);
}
template <typename T>
static __inline__ cudaError_t
cudaMemcpyFromSymbol(void *dst, const T &symbol, size_t bytes, size_t offset = 0,
                     enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    return cudaMemcpyFromSymbol(dst, (const void *)&symbol, bytes, offset, kind);
}
template <typename T>
static __inline__ cudaError_t
cudaMemcpyToSymbolAsync(const T &symbol, const void *src, size_t bytes, size_t offset = 0,
                        enum cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0)
{
    return cudaMemcpyToSymbol((const void *)&symbol, src, bytes, offset, kind);
}
template <typename T>
static __inline__ cudaError_t
cudaMemcpyFromSymbolAsync(void *dst, const T &symbol, size_t bytes, size_t offset = 0,
                          enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                          cudaStream_t stream = 0)
{
    return cudaMemcpyFromSymbol(dst, (const void *)&symbol, bytes, offset, kind);
}
template <typename T>
static __inline__ cudaError_t cudaGetSymbolAddress(void **ptr, const T &symbol)
{
    return cudaGetSymbolAddress(ptr, (const void *)&symbol);
}
template <typename T>
static __inline__ cudaError_t cudaGetSymbolSize(size_t *bytes, const T &symbol)
{
    return cudaGetSymbolSize(bytes, (const void *)&symbol);
}
template <typename T>
static __inline__ cudaError_t cudaLaunchKernel(T *kernel, dim3 grid, dim3 block, void **args,
                                               size_t shared = 0, cudaStream_t stream = 0)
{
    return cudaLaunchKernel((const void *)kernel, grid, block, args, shared, stream);
}
/* Arguments have the kernel's types. */
template <typename... P, typename... A>
static __inline__ cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config,
                                                 void (*kernel)(P...), A &&...args)
{
    return [&](P... own) {
        void *all[] = {(void *)&own..., nullptr};
        return cudaLaunchKernelExC(config, (const void *)kernel, all);
    }(static_cast<A &&>(args)...);
}
template <typename T>
static __inline__ cudaError_t cudaLaunchCooperativeKernel(T *kernel, dim3 grid, dim3 block,
                                                          void **args, size_t shared = 0,
                                                          cudaStream_t stream = 0)
{
    return cudaLaunchCooperativeKernel((const void *)kernel, grid, block, args, shared, stream);
}
template <typename T>
static __inline__ cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *a, T *kernel)
{
    return cudaFuncGetAttributes(a, (const void *)kernel);
}
template <typename T>
static __inline__ cudaError_t cudaFuncSetAttribute(T *kernel, enum cudaFuncAttribute attribute,
                                                   int value)
{
    return cudaFuncSetAttribute((const void *)kernel, attribute, value);
}
template <typename T>
static __inline__ cudaError_t cudaFuncSetCacheConfig(T *kernel, enum cudaFuncCache config)
{
    return cudaFuncSetCacheConfig((const void *)kernel, config);
}
template <typename T>
static __inline__ cudaError_t cudaFuncSetSharedMemConfig(T *kernel, enum cudaSharedMemConfig config)
{
    return cudaFuncSetSharedMemConfig((const void *)kernel, config);
}
template <typename T>
static __inline__ cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *n, T kernel, int threads, size_t dynamic_shared)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(n, (const void *)kernel, threads,
                                                         dynamic_shared);
}
template <typename T>
static __inline__ cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *n, T kernel, int threads,
                                                       size_t dynamic_shared, unsigned int flags)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(n, (const void *)kernel, threads,
                                                                  dynamic_shared, flags);
}
/* The block size with the most threads on an SM; the largest of those that tie. */
template <typename T, typename F>
static __inline__ cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid, int *block,
                                                                             T kernel, F shared_of,
                                                                             int limit = 0)
{
    struct cudaDeviceProp prop;
    int best = 0, n = 0;
    cudaError_t e = cudaGetDeviceProperties(&prop, 0);
    *block = 0;
    struct cudaFuncAttributes about;
    if (e == cudaSuccess)
        e = cudaFuncGetAttributes(&about, (const void *)kernel);
    int most = e == cudaSuccess ? about.maxThreadsPerBlock : 0;
    if (limit > 0 && limit < most)
        most = limit;
    for (int b = most; e == cudaSuccess && b >= 1; b = b > 32 ? (b - 1) / 32 * 32 : 0) {
        e = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, (const void *)kernel, b,
                                                          (size_t)shared_of(b));
        if (n * b > best) {
            best = n * b;
            *block = b;
            *grid = n * prop.multiProcessorCount;
        }
    }
    return e;
}
template <typename T>
static __inline__ cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, T kernel,
                                                                 size_t shared = 0, int limit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
        grid, block, kernel, [shared](int) { return shared; }, limit);
}
template <typename T, typename F>
static __inline__ cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
    int *grid, int *block, T kernel, F shared_of, int limit = 0, unsigned int flags = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(grid, block, kernel, shared_of, limit);
}
template <typename T>
static __inline__ cudaError_t
cudaOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, T kernel, size_t shared = 0,
                                            int limit = 0, unsigned int flags = 0)
{
    return cudaOccupancyMaxPotentialBlockSize(grid, block, kernel, shared, limit);
}
template <typename T>
static __inline__ cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, T *kernel,
                                                                        int blocks, int threads)
{
    return cudaOccupancyAvailableDynamicSMemPerBlock(bytes, (const void *)kernel, blocks, threads);
}

static __inline__ struct cudaExtent make_cudaExtent(size_t w, size_t h, size_t d)
{
    struct cudaExtent e = {w, h, d};
    return e;
}
static __inline__ struct cudaPos make_cudaPos(size_t x, size_t y, size_t z)
{
    struct cudaPos p = {x, y, z};
    return p;
}
static __inline__ struct cudaPitchedPtr make_cudaPitchedPtr(void *d, size_t p, size_t xsz,
                                                            size_t ysz)
{
    struct cudaPitchedPtr q = {d, p, xsz, ysz};
    return q;
}

#if defined(__CUDA__)
#define CW_HOST static __inline__ __attribute__((host))
/* those of the device are in crosswatt_device.h */
CW_HOST int min(int a, int b)
{
    return a < b ? a : b;
}
CW_HOST int max(int a, int b)
{
    return a > b ? a : b;
}
CW_HOST unsigned min(unsigned a, unsigned b)
{
    return a < b ? a : b;
}
CW_HOST unsigned max(unsigned a, unsigned b)
{
    return a > b ? a : b;
}
CW_HOST long min(long a, long b)
{
    return a < b ? a : b;
}
CW_HOST long max(long a, long b)
{
    return a > b ? a : b;
}
CW_HOST unsigned long min(unsigned long a, unsigned long b)
{
    return a < b ? a : b;
}
CW_HOST unsigned long max(unsigned long a, unsigned long b)
{
    return a > b ? a : b;
}
CW_HOST long long min(long long a, long long b)
{
    return a < b ? a : b;
}
CW_HOST long long max(long long a, long long b)
{
    return a > b ? a : b;
}
CW_HOST unsigned long long min(unsigned long long a, unsigned long long b)
{
    return a < b ? a : b;
}
CW_HOST unsigned long long max(unsigned long long a, unsigned long long b)
{
    return a > b ? a : b;
}
CW_HOST float min(float a, float b)
{
    return a < b ? a : b;
}
CW_HOST float max(float a, float b)
{
    return a > b ? a : b;
}
CW_HOST double min(double a, double b)
{
    return a < b ? a : b;
}
CW_HOST double max(double a, double b)
{
    return a > b ? a : b;
}
CW_HOST unsigned min(unsigned a, int b)
{
    return min((unsigned)a, (unsigned)b);
}
CW_HOST unsigned min(int a, unsigned b)
{
    return min((unsigned)a, (unsigned)b);
}
CW_HOST unsigned long min(long a, unsigned long b)
{
    return min((unsigned long)a, (unsigned long)b);
}
CW_HOST unsigned long min(unsigned long a, long b)
{
    return min((unsigned long)a, (unsigned long)b);
}
CW_HOST unsigned long long min(long long a, unsigned long long b)
{
    return min((unsigned long long)a, (unsigned long long)b);
}
CW_HOST unsigned long long min(unsigned long long a, long long b)
{
    return min((unsigned long long)a, (unsigned long long)b);
}
CW_HOST double min(float a, double b)
{
    return min((double)a, (double)b);
}
CW_HOST double min(double a, float b)
{
    return min((double)a, (double)b);
}
CW_HOST unsigned max(unsigned a, int b)
{
    return max((unsigned)a, (unsigned)b);
}
CW_HOST unsigned max(int a, unsigned b)
{
    return max((unsigned)a, (unsigned)b);
}
CW_HOST unsigned long max(long a, unsigned long b)
{
    return max((unsigned long)a, (unsigned long)b);
}
CW_HOST unsigned long max(unsigned long a, long b)
{
    return max((unsigned long)a, (unsigned long)b);
}
CW_HOST unsigned long long max(long long a, unsigned long long b)
{
    return max((unsigned long long)a, (unsigned long long)b);
}
CW_HOST unsigned long long max(unsigned long long a, long long b)
{
    return max((unsigned long long)a, (unsigned long long)b);
}
CW_HOST double max(float a, double b)
{
    return max((double)a, (double)b);
}
CW_HOST double max(double a, float b)
{
    return max((double)a, (double)b);
}
/* what CUDA has beyond the C library, for the host */
CW_HOST double rsqrt(double x)
{
    return 1.0 / ::sqrt(x);
}
CW_HOST float rsqrtf(float x)
{
    return (float)(1.0 / ::sqrt((double)x));
}
CW_HOST float rsqrt(float x)
{
    return rsqrtf(x);
}
CW_HOST double rcbrt(double x)
{
    return 1.0 / ::cbrt(x);
}
CW_HOST float rcbrtf(float x)
{
    return (float)(1.0 / ::cbrt((double)x));
}
CW_HOST double rhypot(double x, double y)
{
    return 1.0 / ::hypot(x, y);
}
CW_HOST float rhypotf(float x, float y)
{
    return (float)(1.0 / ::hypot((double)x, (double)y));
}
CW_HOST double norm3d(double x, double y, double z)
{
    return ::hypot(::hypot(x, y), z);
}
CW_HOST float norm3df(float x, float y, float z)
{
    return (float)norm3d(x, y, z);
}
CW_HOST double norm4d(double x, double y, double z, double w)
{
    return ::hypot(::hypot(x, y), ::hypot(z, w));
}
CW_HOST float norm4df(float x, float y, float z, float w)
{
    return (float)norm4d(x, y, z, w);
}
CW_HOST double rnorm3d(double x, double y, double z)
{
    return 1.0 / norm3d(x, y, z);
}
CW_HOST float rnorm3df(float x, float y, float z)
{
    return (float)(1.0 / norm3d(x, y, z));
}
CW_HOST double normcdf(double x)
{
    return 0.5 * ::erfc(-0.70710678118654752 * x);
}
CW_HOST float normcdff(float x)
{
    return (float)normcdf(x);
}
CW_HOST double sinpi(double x)
{
    x = ::fmod(x, 2.0); /* exact, and so is what follows but for the sine itself */
    double n = ::rint(2.0 * x), r = 3.14159265358979324 * (x - 0.5 * n);
    double v = (int)n & 1 ? ::cos(r) : ::sin(r);
    return (int)n & 2 ? -v : v;
}
CW_HOST double cospi(double x)
{
    x = ::fmod(::fabs(x), 2.0);
    double n = ::rint(2.0 * x), r = 3.14159265358979324 * (x - 0.5 * n);
    double v = (int)n & 1 ? -::sin(r) : ::cos(r);
    return (int)n & 2 ? -v : v;
}
CW_HOST float sinpif(float x)
{
    return (float)sinpi(x);
}
CW_HOST float cospif(float x)
{
    return (float)cospi(x);
}
CW_HOST void sincospi(double x, double *s, double *c)
{
    *s = sinpi(x);
    *c = cospi(x);
}
CW_HOST void sincospif(float x, float *s, float *c)
{
    *s = sinpif(x);
    *c = cospif(x);
}
CW_HOST float fdividef(float x, float y)
{
    return x / y;
}
CW_HOST double fdivide(double x, double y)
{
    return x / y;
}
#undef CW_HOST
#endif
#include <crosswatt_texture.h>

#if defined(__CUDA__)
/* kernels may ask for them, too */
extern "C" {
static __inline__ __attribute__((device)) const char *cudaGetErrorName(cudaError_t error)
{
    switch (error) {
#define X(number, name, text)                                                                      \
    case cuda##name: return "cuda" #name;
        CROSSWATT_CUDA_CODES(X)
#undef X
    default: return "unrecognized error code";
    }
}
static __inline__ __attribute__((device)) const char *cudaGetErrorString(cudaError_t error)
{
    switch (error) {
#define X(number, name, text)                                                                      \
    case cuda##name: return text;
        CROSSWATT_CUDA_CODES(X)
#undef X
    default: return "unrecognized error code";
    }
}
}
/* Launches from kernels: declared, since libraries name them where they are not meant, but nowhere
 * defined, so that a kernel that would call one is refused with the name. */
extern "C" {
__attribute__((device)) void *cudaGetParameterBuffer(size_t alignment, size_t bytes);
__attribute__((device)) cudaError_t cudaLaunchDevice(void *kernel, void *parameters, dim3 grid,
                                                     dim3 block, unsigned int shared,
                                                     cudaStream_t stream);
}
#endif

#endif /* __cplusplus */

#if defined(__cplusplus) && defined(CROSSWATT_SEVERAL_FILES)
/* so that a file without kernels is there for the others, too */
__attribute__((device, used)) static char crosswatt_file;
#endif

#if defined(__cplusplus) && defined(__CUDA__) && !defined(__CUDA_ARCH__)
/* the linker knows where managed variables are, if there are any */
extern "C" {
extern const char __start_crosswatt_managed[] __attribute__((weak, visibility("hidden")));
extern const char __stop_crosswatt_managed[] __attribute__((weak, visibility("hidden")));
/* weak: a program may be linked with another library and meet ours when it runs */
__attribute__((weak)) void __crosswattManaged(const char *start, const char *end);
}
__attribute__((constructor(101))) static inline void cw_tell_managed()
{
    if (__crosswattManaged)
        __crosswattManaged(__start_crosswatt_managed, __stop_crosswatt_managed);
}
#endif

#endif
