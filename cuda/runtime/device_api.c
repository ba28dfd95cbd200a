/* SPDX-License-Identifier: MIT
 *
 * The device, errors, streams, events. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cuda/runtime/session.h"

/* ---- errors ---------------------------------------------------------------------------------- */

cudaError_t cudaGetLastError(void)
{
    return session_last_error(true);
}

cudaError_t cudaPeekAtLastError(void)
{
    return session_last_error(false);
}

static const struct {
    int number;
    const char *name, *text;
} codes[] = {
#define X(number, name, text) {number, "cuda" #name, text},
    CROSSWATT_CUDA_CODES(X)
#undef X
};

const char *cudaGetErrorString(cudaError_t error)
{
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (codes[i].number == (int)error)
            return codes[i].text;
    return "unrecognized error code";
}

const char *cudaGetErrorName(cudaError_t error)
{
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (codes[i].number == (int)error)
            return codes[i].name;
    return "unrecognized error code";
}

/* ---- devices --------------------------------------------------------------------------------- */

cudaError_t cudaGetDeviceCount(int *count)
{
    if (!count)
        return session_refuse(RC_ErrorInvalidValue);
    *count = 1;
    return session_check();
}

cudaError_t cudaGetDevice(int *device)
{
    if (!device)
        return session_refuse(RC_ErrorInvalidValue);
    *device = 0;
    return session_check();
}

cudaError_t cudaSetDevice(int device)
{
    SESSION(r);
    return session_leave(r, device == 0 ? r->sticky : RC_ErrorInvalidDevice);
}

cudaError_t cudaInitDevice(int device, unsigned int device_flags, unsigned int flags)
{
    (void)device_flags, (void)flags;
    return cudaSetDevice(device);
}

cudaError_t cudaSetValidDevices(int *devices, int n)
{
    (void)devices, (void)n;
    return session_check();
}

cudaError_t cudaSetDeviceFlags(unsigned int flags)
{
    (void)flags;
    return session_check();
}

cudaError_t cudaGetDeviceFlags(unsigned int *flags)
{
    if (!flags)
        return session_refuse(RC_ErrorInvalidValue);
    *flags = 0;
    return session_check();
}

cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *prop)
{
    (void)prop;
    if (!device)
        return session_refuse(RC_ErrorInvalidValue);
    *device = 0;
    return session_check();
}

static int as_int(uint64_t v)
{
    return v > INT32_MAX ? INT32_MAX : (int)v;
}

static void describe(const struct runtime *r, struct cudaDeviceProp *p)
{
    const struct runtime_settings *s = &r->settings;
    *p = (struct cudaDeviceProp){.totalGlobalMem = s->memory_mb << 20,
                                 .sharedMemPerBlock =
                                     s->shared_bytes < 49152 ? s->shared_bytes : 49152,
                                 .regsPerBlock = as_int(s->registers),
                                 .warpSize = 32,
                                 .memPitch = INT32_MAX,
                                 .maxThreadsPerBlock = 1024,
                                 .maxThreadsDim = {1024, 1024, 64},
                                 .maxGridSize = {INT32_MAX, 65535, 65535},
                                 .cooperativeLaunch = 1,
                                 .clockRate = as_int(s->clock_khz),
                                 .totalConstMem = 65536,
                                 .major = as_int(s->capability / 10),
                                 .minor = as_int(s->capability % 10),
                                 .textureAlignment = 512,
                                 .texturePitchAlignment = 32,
                                 .deviceOverlap = 1,
                                 .multiProcessorCount = as_int(s->sms),
                                 .canMapHostMemory = 1,
                                 .maxTexture1D = 131072,
                                 .maxTexture1DLinear = 268435456,
                                 .maxTexture2D = {131072, 65536},
                                 .maxTexture2DLinear = {131072, 65000, 2097120},
                                 .maxTexture3D = {16384, 16384, 16384},
                                 .maxTexture1DLayered = {32768, 2048},
                                 .maxTexture2DLayered = {32768, 32768, 2048},
                                 .surfaceAlignment = 512,
                                 .concurrentKernels = 1,
                                 .asyncEngineCount = 1,
                                 .unifiedAddressing = 1,
                                 .memoryClockRate = as_int(s->memory_clock_khz),
                                 .memoryBusWidth = as_int(s->memory_bus_bits),
                                 .l2CacheSize = as_int(s->l2_bytes),
                                 .maxThreadsPerMultiProcessor = as_int(s->threads),
                                 .streamPrioritiesSupported = 1,
                                 .globalL1CacheSupported = 1,
                                 .localL1CacheSupported = 1,
                                 .sharedMemPerMultiprocessor = s->shared_bytes,
                                 .regsPerMultiprocessor = as_int(s->registers),
                                 .managedMemory = 1,
                                 .singleToDoublePrecisionPerfRatio = 2,
                                 .concurrentManagedAccess = 1,
                                 .sharedMemPerBlockOptin = s->shared_bytes,
                                 .maxBlocksPerMultiProcessor = as_int(s->ctas)};
    snprintf(p->name, sizeof p->name, "%s", s->device);
}

cudaError_t crosswatt_device_properties(void *prop, size_t bytes, int device)
{
    struct cudaDeviceProp p;
    SESSION(r);
    if (device != 0)
        return session_leave(r, RC_ErrorInvalidDevice);
    if (!prop)
        return session_leave(r, RC_ErrorInvalidValue);
    describe(r, &p);
    memset(prop, 0, bytes);
    memcpy(prop, &p, bytes < sizeof p ? bytes : sizeof p);
    return session_leave(r, RC_Success);
}

/* Programs of nvcc 13 have a structure of their own: where its fields lie, in bytes, of 1008 in
 * all. Those of 11 and 12 lie elsewhere, and their programs ask for another version of the name,
 * which is not there. */
#define FIELDS_13(X)                                                                               \
    X(name, 0)                                                                                     \
    X(totalGlobalMem, 288)                                                                         \
    X(sharedMemPerBlock, 296)                                                                      \
    X(regsPerBlock, 304)                                                                           \
    X(warpSize, 308)                                                                               \
    X(memPitch, 312)                                                                               \
    X(maxThreadsPerBlock, 320)                                                                     \
    X(maxThreadsDim, 324)                                                                          \
    X(maxGridSize, 336)                                                                            \
    X(totalConstMem, 352)                                                                          \
    X(major, 360)                                                                                  \
    X(minor, 364)                                                                                  \
    X(textureAlignment, 368)                                                                       \
    X(texturePitchAlignment, 376)                                                                  \
    X(multiProcessorCount, 384)                                                                    \
    X(canMapHostMemory, 392)                                                                       \
    X(maxTexture1D, 396)                                                                           \
    X(maxTexture2D, 404)                                                                           \
    X(maxTexture2DLinear, 420)                                                                     \
    X(maxTexture3D, 440)                                                                           \
    X(maxTexture1DLayered, 468)                                                                    \
    X(maxTexture2DLayered, 476)                                                                    \
    X(surfaceAlignment, 552)                                                                       \
    X(concurrentKernels, 560)                                                                      \
    X(asyncEngineCount, 584)                                                                       \
    X(unifiedAddressing, 588)                                                                      \
    X(memoryBusWidth, 592)                                                                         \
    X(l2CacheSize, 596)                                                                            \
    X(maxThreadsPerMultiProcessor, 604)                                                            \
    X(streamPrioritiesSupported, 608)                                                              \
    X(globalL1CacheSupported, 612)                                                                 \
    X(localL1CacheSupported, 616)                                                                  \
    X(sharedMemPerMultiprocessor, 624)                                                             \
    X(regsPerMultiprocessor, 632)                                                                  \
    X(managedMemory, 636)                                                                          \
    X(concurrentManagedAccess, 656)                                                                \
    X(cooperativeLaunch, 668)                                                                      \
    X(sharedMemPerBlockOptin, 672)                                                                 \
    X(maxBlocksPerMultiProcessor, 688)

cudaError_t crosswatt_device_properties_13(void *prop, int device);
__asm__(".symver crosswatt_device_properties_13, cudaGetDeviceProperties@@libcudart.so.13");

cudaError_t crosswatt_device_properties_13(void *prop, int device)
{
    struct cudaDeviceProp p;
    SESSION(r);
    if (device != 0)
        return session_leave(r, RC_ErrorInvalidDevice);
    if (!prop)
        return session_leave(r, RC_ErrorInvalidValue);
    describe(r, &p);
    memset(prop, 0, 1008);
#define X(field, at) memcpy((char *)prop + (at), &p.field, sizeof p.field);
    FIELDS_13(X)
#undef X
    return session_leave(r, RC_Success);
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device)
{
    struct cudaDeviceProp p;
    SESSION(r);
    if (device != 0)
        return session_leave(r, RC_ErrorInvalidDevice);
    if (!value)
        return session_leave(r, RC_ErrorInvalidValue);
    describe(r, &p);
    enum runtime_code code = RC_Success;
    switch (attr) {
    case cudaDevAttrMaxThreadsPerBlock: *value = p.maxThreadsPerBlock; break;
    case cudaDevAttrMaxBlockDimX: *value = p.maxThreadsDim[0]; break;
    case cudaDevAttrMaxBlockDimY: *value = p.maxThreadsDim[1]; break;
    case cudaDevAttrMaxBlockDimZ: *value = p.maxThreadsDim[2]; break;
    case cudaDevAttrMaxGridDimX: *value = p.maxGridSize[0]; break;
    case cudaDevAttrMaxGridDimY: *value = p.maxGridSize[1]; break;
    case cudaDevAttrMaxGridDimZ: *value = p.maxGridSize[2]; break;
    case cudaDevAttrMaxSharedMemoryPerBlock: *value = as_int(p.sharedMemPerBlock); break;
    case cudaDevAttrTotalConstantMemory: *value = as_int(p.totalConstMem); break;
    case cudaDevAttrWarpSize: *value = p.warpSize; break;
    case cudaDevAttrMaxPitch: *value = as_int(p.memPitch); break;
    case cudaDevAttrMaxRegistersPerBlock: *value = p.regsPerBlock; break;
    case cudaDevAttrClockRate: *value = p.clockRate; break;
    case cudaDevAttrTextureAlignment: *value = as_int(p.textureAlignment); break;
    case cudaDevAttrMultiProcessorCount: *value = p.multiProcessorCount; break;
    case cudaDevAttrMemoryClockRate: *value = p.memoryClockRate; break;
    case cudaDevAttrGlobalMemoryBusWidth: *value = p.memoryBusWidth; break;
    case cudaDevAttrL2CacheSize: *value = p.l2CacheSize; break;
    case cudaDevAttrMaxThreadsPerMultiProcessor: *value = p.maxThreadsPerMultiProcessor; break;
    case cudaDevAttrComputeCapabilityMajor: *value = p.major; break;
    case cudaDevAttrComputeCapabilityMinor: *value = p.minor; break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
        *value = as_int(p.sharedMemPerMultiprocessor);
        break;
    case cudaDevAttrMaxRegistersPerMultiprocessor: *value = p.regsPerMultiprocessor; break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = as_int(p.sharedMemPerBlockOptin); break;
    case cudaDevAttrMaxBlocksPerMultiprocessor: *value = p.maxBlocksPerMultiProcessor; break;
    case cudaDevAttrGpuOverlap:
    case cudaDevAttrCanMapHostMemory:
    case cudaDevAttrConcurrentKernels:
    case cudaDevAttrAsyncEngineCount:
    case cudaDevAttrUnifiedAddressing:
    case cudaDevAttrStreamPrioritiesSupported:
    case cudaDevAttrGlobalL1CacheSupported:
    case cudaDevAttrLocalL1CacheSupported:
    case cudaDevAttrManagedMemory:
    case cudaDevAttrConcurrentManagedAccess:
    case cudaDevAttrCooperativeLaunch:
    case cudaDevAttrMemoryPoolsSupported: *value = 1; break;
    case cudaDevAttrKernelExecTimeout:
    case cudaDevAttrIntegrated:
    case cudaDevAttrComputeMode:
    case cudaDevAttrEccEnabled:
    case cudaDevAttrPageableMemoryAccess:
    case cudaDevAttrHostNativeAtomicSupported: *value = 0; break;
    default: code = RC_ErrorInvalidValue;
    }
    return session_leave(r, code);
}

cudaError_t cudaDeviceSynchronize(void)
{
    return session_check();
}

cudaError_t cudaThreadSynchronize(void)
{
    return session_check();
}

cudaError_t cudaDeviceReset(void)
{
    SESSION(r);
    enum runtime_code code = r->sticky;
    r->sticky = RC_Success;
    runtime_free_all(r);
    return session_leave(r, code);
}

cudaError_t cudaThreadExit(void)
{
    return cudaDeviceReset();
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    SESSION(r);
    if ((int)limit < 0 || limit >= RUNTIME_LIMITS)
        return session_leave(r, RC_ErrorUnsupportedLimit);
    if (limit == cudaLimitStackSize) {
        if (value > PTX_MAX_FRAME)
            return session_leave(r, RC_ErrorInvalidValue);
        r->stack_bytes = value > PTX_DEFAULT_STACK ? (uint32_t)value : PTX_DEFAULT_STACK;
    }
    r->limits[limit] = value;
    return session_leave(r, RC_Success);
}

cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value)
{
    return cudaDeviceSetLimit(limit, value);
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
    SESSION(r);
    if ((int)limit < 0 || limit >= RUNTIME_LIMITS)
        return session_leave(r, RC_ErrorUnsupportedLimit);
    if (!value)
        return session_leave(r, RC_ErrorInvalidValue);
    *value = limit == cudaLimitStackSize ? r->stack_bytes : r->limits[limit];
    return session_leave(r, RC_Success);
}

cudaError_t cudaThreadGetLimit(size_t *value, enum cudaLimit limit)
{
    return cudaDeviceGetLimit(value, limit);
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config)
{
    (void)config;
    return session_check();
}

cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache config)
{
    return cudaDeviceSetCacheConfig(config);
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config)
{
    if (!config)
        return session_refuse(RC_ErrorInvalidValue);
    *config = cudaFuncCachePreferNone;
    return session_check();
}

cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache *config)
{
    return cudaDeviceGetCacheConfig(config);
}

cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config)
{
    (void)config;
    return session_check();
}

cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config)
{
    if (!config)
        return session_refuse(RC_ErrorInvalidValue);
    *config = cudaSharedMemBankSizeFourByte;
    return session_check();
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    if (least)
        *least = 0;
    if (greatest)
        *greatest = 0;
    return session_check();
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    (void)device, (void)peer;
    if (!can)
        return session_refuse(RC_ErrorInvalidValue);
    *can = 0;
    return session_check();
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attr, int source,
                                      int target)
{
    (void)attr, (void)source, (void)target;
    SESSION(r);
    if (value)
        *value = 0;
    return session_leave(r, RC_ErrorInvalidDevice); /* there is one device */
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags)
{
    (void)peer, (void)flags;
    SESSION(r);
    return session_leave(r, RC_ErrorInvalidDevice);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    (void)peer;
    SESSION(r);
    return session_leave(r, RC_ErrorPeerAccessNotEnabled);
}

cudaError_t cudaDeviceGetPCIBusId(char *id, int n, int device)
{
    (void)device;
    if (!id || n <= 0)
        return session_refuse(RC_ErrorInvalidValue);
    snprintf(id, (size_t)n, "0000:00:00.0");
    return session_check();
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id)
{
    if (!device || !id)
        return session_refuse(RC_ErrorInvalidValue);
    *device = 0;
    return session_check();
}

cudaError_t cudaDriverGetVersion(int *version)
{
    if (!version)
        return session_refuse(RC_ErrorInvalidValue);
    *version = CUDART_VERSION;
    return session_check();
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    if (!version)
        return session_refuse(RC_ErrorInvalidValue);
    *version = CUDART_VERSION;
    return session_check();
}

cudaError_t cudaProfilerStart(void)
{
    return session_check();
}

cudaError_t cudaProfilerStop(void)
{
    return session_check();
}

/* ---- streams: everything is done when a call returns, so they are mere names ----------------- */

struct CUstream_st {
    unsigned flags;
};

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags)
{
    SESSION(r);
    if (!stream || flags > cudaStreamNonBlocking)
        return session_leave(r, RC_ErrorInvalidValue);
    struct CUstream_st *s = calloc(1, sizeof *s);
    if (!s || r->sticky) {
        free(s);
        return session_leave(r, s ? r->sticky : RC_ErrorMemoryAllocation);
    }
    s->flags = flags;
    *stream = s;
    return session_leave(r, RC_Success);
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority)
{
    (void)priority;
    return cudaStreamCreateWithFlags(stream, flags);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    SESSION(r);
    if (!stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread)
        return session_leave(r, RC_ErrorInvalidResourceHandle);
    free(stream);
    return session_leave(r, r->sticky);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    (void)stream;
    return session_check();
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    (void)stream;
    return session_check();
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags)
{
    (void)stream, (void)flags;
    return event ? session_check() : session_refuse(RC_ErrorInvalidResourceHandle);
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data,
                                  unsigned int flags)
{
    if (!callback || flags != 0)
        return session_refuse(RC_ErrorInvalidValue);
    cudaError_t e = session_check();
    callback(stream, e, data);
    return cudaSuccess;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data)
{
    (void)stream;
    if (!function)
        return session_refuse(RC_ErrorInvalidValue);
    function(data);
    return session_check();
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority)
{
    (void)stream;
    if (!priority)
        return session_refuse(RC_ErrorInvalidValue);
    *priority = 0;
    return session_check();
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags)
{
    if (!flags)
        return session_refuse(RC_ErrorInvalidValue);
    *flags = !stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread
                 ? cudaStreamDefault
                 : stream->flags;
    return session_check();
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status)
{
    (void)stream;
    if (!status)
        return session_refuse(RC_ErrorInvalidValue);
    *status = cudaStreamCaptureStatusNone;
    return session_check();
}

/* Hints about the L2, which change nothing here. */
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID id,
                                   const cudaStreamAttrValue *value)
{
    (void)stream, (void)id, (void)value;
    return session_check();
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID id,
                                   cudaStreamAttrValue *value)
{
    (void)stream, (void)id;
    if (!value)
        return session_refuse(RC_ErrorInvalidValue);
    *value = (cudaStreamAttrValue){0};
    return session_check();
}

cudaError_t cudaCtxResetPersistingL2Cache(void)
{
    return session_check();
}

/* ---- events: the time that passed on this machine -------------------------------------------- */

struct CUevent_st {
    unsigned flags;
    bool is_recorded;
    struct timespec at;
};

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
    SESSION(r);
    if (!event || flags > (cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess))
        return session_leave(r, RC_ErrorInvalidValue);
    struct CUevent_st *e = calloc(1, sizeof *e);
    if (!e || r->sticky) {
        free(e);
        return session_leave(r, e ? r->sticky : RC_ErrorMemoryAllocation);
    }
    e->flags = flags;
    *event = e;
    return session_leave(r, RC_Success);
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    SESSION(r);
    if (!event)
        return session_leave(r, RC_ErrorInvalidResourceHandle);
    free(event);
    return session_leave(r, r->sticky);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    (void)stream;
    SESSION(r);
    if (!event)
        return session_leave(r, RC_ErrorInvalidResourceHandle);
    clock_gettime(CLOCK_MONOTONIC, &event->at);
    event->is_recorded = true;
    return session_leave(r, r->sticky);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags)
{
    return flags > 1 ? session_refuse(RC_ErrorInvalidValue) : cudaEventRecord(event, stream);
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    SESSION(r);
    return session_leave(r, event ? r->sticky : RC_ErrorInvalidResourceHandle);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    return cudaEventQuery(event);
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end)
{
    if (!ms)
        return session_refuse(RC_ErrorInvalidValue);
    SESSION(r);
    if (!start || !end || !start->is_recorded || !end->is_recorded ||
        ((start->flags | end->flags) & cudaEventDisableTiming))
        return session_leave(r, RC_ErrorInvalidResourceHandle);
    *ms = (float)((double)(end->at.tv_sec - start->at.tv_sec) * 1e3 +
                  (double)(end->at.tv_nsec - start->at.tv_nsec) * 1e-6);
    return session_leave(r, r->sticky);
}
