/* SPDX-License-Identifier: MIT
 *
 * The runtime's functions under their C names, which C++ programs reach by other ways: each with
 * arguments that are right, and with each argument wrong by itself. */
#include <stdio.h>
#include <string.h>

#include <cuda_runtime_api.h>

static int n_asked, n_wrong;

static void expect(int line, const char *call, cudaError_t got, cudaError_t want)
{
    n_asked++;
    if (got == want)
        return;
    n_wrong++;
    printf("line %d, %s: %s, not %s\n", line, call, cudaGetErrorName(got), cudaGetErrorName(want));
}

#define IS(call, want) expect(__LINE__, #call, call, cuda##want)
#define HOLDS(what) expect(__LINE__, #what, (what) ? cudaSuccess : cudaErrorUnknown, cudaSuccess)

static void devices(void)
{
    enum cudaFuncCache cache = cudaFuncCachePreferL1;
    enum cudaSharedMemConfig banks = cudaSharedMemBankSizeEightByte;
    int device = 9, version = 0;
    size_t size = 0;
    unsigned flags = 9;
    IS(cudaGetDevice(&device), Success);
    HOLDS(device == 0);
    IS(cudaGetDevice(NULL), ErrorInvalidValue);
    IS(cudaInitDevice(0, 0, 0), Success);
    IS(cudaInitDevice(1, 0, 0), ErrorInvalidDevice);
    IS(cudaGetDeviceFlags(&flags), Success);
    HOLDS(flags == 0);
    IS(cudaGetDeviceFlags(NULL), ErrorInvalidValue);
    IS(cudaThreadGetCacheConfig(&cache), Success);
    HOLDS(cache == cudaFuncCachePreferNone);
    IS(cudaThreadGetCacheConfig(NULL), ErrorInvalidValue);
    IS(cudaDeviceGetSharedMemConfig(&banks), Success);
    HOLDS(banks == cudaSharedMemBankSizeFourByte);
    IS(cudaDeviceGetSharedMemConfig(NULL), ErrorInvalidValue);
    IS(cudaDeviceGetLimit(&size, cudaLimitStackSize), Success);
    IS(cudaDeviceGetLimit(NULL, cudaLimitStackSize), ErrorInvalidValue);
    IS(cudaDeviceGetLimit(&size, (enum cudaLimit)99), ErrorUnsupportedLimit);
    IS(cudaDeviceGetLimit(&size, (enum cudaLimit) - 1), ErrorUnsupportedLimit);
    IS(cudaDriverGetVersion(&version), Success);
    HOLDS(version >= 10000);
    IS(cudaDriverGetVersion(NULL), ErrorInvalidValue);
    IS(cudaRuntimeGetVersion(NULL), ErrorInvalidValue);
    IS(cudaCtxResetPersistingL2Cache(), Success);
}

static void memory(void)
{
    char *a = NULL, *pinned = NULL, *device = NULL, host[64], back[64];
    struct cudaPointerAttributes about;
    size_t free_bytes = 0, total = 0, less = 0;
    IS(cudaMemGetInfo(&free_bytes, &total), Success);
    IS(cudaMallocAsync((void **)&a, 1 << 20, 0), Success);
    IS(cudaMallocAsync(NULL, 64, 0), ErrorInvalidValue);
    IS(cudaMemGetInfo(&less, &total), Success);
    HOLDS(less == free_bytes - (1 << 20) && less < total);
    IS(cudaMemGetInfo(NULL, &total), ErrorInvalidValue);
    IS(cudaMemGetInfo(&less, NULL), ErrorInvalidValue);
    IS(cudaMallocHost((void **)&pinned, 64), Success);
    IS(cudaMallocHost(NULL, 64), ErrorInvalidValue);
    IS(cudaPointerGetAttributes(&about, a), Success);
    HOLDS(about.type == cudaMemoryTypeDevice && about.device == 0 && about.devicePointer == a &&
          !about.hostPointer);
    IS(cudaPointerGetAttributes(&about, pinned), Success);
    HOLDS(about.type == cudaMemoryTypeHost && about.hostPointer == pinned &&
          about.devicePointer == pinned);
    IS(cudaPointerGetAttributes(&about, host), Success);
    HOLDS(about.type == cudaMemoryTypeUnregistered && about.device == -2);
    IS(cudaPointerGetAttributes(NULL, a), ErrorInvalidValue);
    IS(cudaHostGetDevicePointer((void **)&device, pinned, 0), Success);
    HOLDS(device == pinned);
    IS(cudaHostGetDevicePointer(NULL, pinned, 0), ErrorInvalidValue);
    IS(cudaHostGetDevicePointer((void **)&device, host, 0), ErrorInvalidValue);
    IS(cudaHostGetDevicePointer((void **)&device, a, 0), ErrorInvalidValue);
    IS(cudaHostRegister(NULL, 64, 0), ErrorInvalidValue);
    IS(cudaHostRegister(host, 0, 0), ErrorInvalidValue);
    IS(cudaHostRegister(a, 64, 0), ErrorInvalidValue);
    IS(cudaHostUnregister(host), ErrorHostMemoryNotRegistered);
    IS(cudaHostRegister(host, sizeof host, 0), Success);
    IS(cudaHostGetDevicePointer((void **)&device, host, 0), Success);
    IS(cudaHostUnregister(pinned), ErrorHostMemoryNotRegistered);
    IS(cudaHostUnregister(host), Success);
    IS(cudaHostUnregister(host), ErrorHostMemoryNotRegistered);

    memset(host, 1, sizeof host);
    IS(cudaMemcpy(a, host, 64, cudaMemcpyHostToDevice), Success);
    IS(cudaMemcpy(NULL, host, 64, cudaMemcpyHostToDevice), ErrorInvalidValue);
    IS(cudaMemcpy(a, NULL, 64, cudaMemcpyHostToDevice), ErrorInvalidValue);
    IS(cudaMemcpy(NULL, NULL, 0, cudaMemcpyHostToDevice), Success);
    struct cudaPitchedPtr box = {a, 16, 16, 2};
    struct cudaExtent extent = {4, 2, 2};
    IS(cudaMemset3DAsync(box, 2, extent, 0), Success);
    IS(cudaMemcpy(back, a, 64, cudaMemcpyDeviceToHost), Success);
    for (int i = 0; i < 64; i++)
        if (back[i] != (i % 16 < 4 ? 2 : 1))
            HOLDS(!"what was set");
    IS(cudaMemcpy2D(back, 8, a, 16, 8, 4, cudaMemcpyDeviceToHost), Success);
    HOLDS(back[3] == 2 && back[4] == 1 && back[8] == 2 && back[31] == 1);
    IS(cudaMemcpy2D(back, 7, a, 16, 8, 4, cudaMemcpyDeviceToHost), ErrorInvalidPitchValue);
    IS(cudaMemcpy2D(back, 8, a, 7, 8, 4, cudaMemcpyDeviceToHost), ErrorInvalidPitchValue);
    IS(cudaMemcpy2D(back, 7, a, 7, 8, 1, cudaMemcpyDeviceToHost), Success);
    IS(cudaMemset2D(a, 7, 0, 8, 2), ErrorInvalidValue);
    IS(cudaMemset2D(a, 7, 0, 8, 1), Success);
    IS(cudaMemset(a, 0, 0), Success);
    IS(cudaMemset(a, 0, (1 << 20) + 1), ErrorInvalidValue);
    IS(cudaFreeHost(pinned), Success);
    IS(cudaFreeHost(a), ErrorInvalidValue);
    IS(cudaFree(a), Success);
    IS(cudaFree(a), ErrorInvalidValue);
}

static void pools(void)
{
    cudaMemPool_t pool = NULL;
    unsigned long long bytes = 1, before = 0;
    int yes = 0;
    char *a = NULL;
    IS(cudaDeviceGetDefaultMemPool(&pool, 0), Success);
    IS(cudaDeviceGetDefaultMemPool(NULL, 0), ErrorInvalidValue);
    IS(cudaMemPoolTrimTo(pool, 0), Success);
    IS(cudaMemPoolTrimTo(NULL, 0), ErrorInvalidValue);
    IS(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &before), Success);
    IS(cudaMallocFromPoolAsync((void **)&a, 4096, pool, 0), Success);
    IS(cudaMallocFromPoolAsync((void **)&a, 4096, NULL, 0), ErrorInvalidValue);
    IS(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &bytes), Success);
    HOLDS(bytes == before + 4096);
    IS(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, NULL), ErrorInvalidValue);
    IS(cudaMemPoolGetAttribute(NULL, cudaMemPoolAttrUsedMemCurrent, &bytes), ErrorInvalidValue);
    IS(cudaMemPoolGetAttribute(pool, (enum cudaMemPoolAttr)99, &bytes), ErrorInvalidValue);
    IS(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &yes), Success);
    yes = 5;
    IS(cudaMemPoolGetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &yes), Success);
    HOLDS(yes == 0);
    bytes = 77;
    IS(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &bytes), Success);
    bytes = 0;
    IS(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &bytes), Success);
    HOLDS(bytes == 77);
    IS(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &bytes), ErrorInvalidValue);
    bytes = 0;
    IS(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &bytes), Success);
    IS(cudaMemPoolSetAttribute(pool, (enum cudaMemPoolAttr)99, &bytes), ErrorInvalidValue);
    IS(cudaMemPoolSetAttribute(NULL, cudaMemPoolAttrUsedMemHigh, &bytes), ErrorInvalidValue);
    IS(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, NULL), ErrorInvalidValue);
    IS(cudaFreeAsync(a, 0), Success);
}

static void streams(void)
{
    cudaStream_t s = NULL, other = NULL;
    cudaEvent_t e = NULL, later = NULL;
    cudaStreamAttrValue value;
    enum cudaStreamCaptureStatus status = cudaStreamCaptureStatusActive;
    float ms = -1;
    memset(&value, 1, sizeof value);
    IS(cudaStreamCreate(&s), Success);
    IS(cudaStreamCreate(NULL), ErrorInvalidValue);
    IS(cudaStreamCreateWithFlags(&other, 2), ErrorInvalidValue);
    IS(cudaStreamSetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &value), Success);
    IS(cudaStreamGetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &value), Success);
    HOLDS(*(const char *)&value == 0);
    IS(cudaStreamGetAttribute(s, cudaStreamAttributeAccessPolicyWindow, NULL), ErrorInvalidValue);
    IS(cudaStreamIsCapturing(s, &status), Success);
    HOLDS(status == cudaStreamCaptureStatusNone);
    IS(cudaStreamIsCapturing(s, NULL), ErrorInvalidValue);
    IS(cudaStreamDestroy(s), Success);
    IS(cudaStreamDestroy(NULL), ErrorInvalidResourceHandle);
    IS(cudaStreamDestroy(cudaStreamLegacy), ErrorInvalidResourceHandle);
    IS(cudaStreamDestroy(cudaStreamPerThread), ErrorInvalidResourceHandle);
    IS(cudaEventCreate(&e), Success);
    IS(cudaEventCreate(NULL), ErrorInvalidValue);
    IS(cudaEventCreateWithFlags(&later, 8), ErrorInvalidValue);
    IS(cudaEventCreateWithFlags(&later, cudaEventBlockingSync), Success);
    IS(cudaEventRecordWithFlags(e, 0, 0), Success);
    IS(cudaEventRecordWithFlags(e, 0, 1), Success);
    IS(cudaEventRecordWithFlags(e, 0, 2), ErrorInvalidValue);
    IS(cudaEventRecordWithFlags(NULL, 0, 0), ErrorInvalidResourceHandle);
    IS(cudaEventElapsedTime(&ms, e, later), ErrorInvalidResourceHandle);
    IS(cudaEventRecord(later, 0), Success);
    IS(cudaEventElapsedTime(&ms, e, later), Success);
    HOLDS(ms >= 0 && ms < 10000);
    IS(cudaEventElapsedTime(NULL, e, later), ErrorInvalidValue);
    IS(cudaEventDestroy(e), Success);
    IS(cudaEventDestroy(later), Success);
    IS(cudaEventDestroy(NULL), ErrorInvalidResourceHandle);
}

int main(void)
{
    devices();
    memory();
    pools();
    streams();
    printf("%s: %d of %d\n", n_wrong ? "WRONG" : "as they should", n_wrong ? n_wrong : n_asked,
           n_asked);
    return n_wrong != 0;
}
