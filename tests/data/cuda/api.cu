// What the runtime answers beside launches and plain copies: devices, limits, streams, events, arrays, textures, wrong questions.
#include <cstdio>
#include <cstring>

__constant__ int factors[4];

__global__ void fetch(float *out, cudaTextureObject_t line, cudaTextureObject_t plane)
{
    int i = threadIdx.x;
    out[i] = tex1Dfetch<float>(line, i) + 100.0f * tex2D<float>(plane, i + 0.5f, 1.5f);
}

static void say(const char *what, bool ok)
{
    printf("%-12s %s\n", what, ok ? "ok" : "WRONG");
}

static int attribute(cudaDeviceAttr a)
{
    int v = -1;
    return cudaDeviceGetAttribute(&v, a, 0) == cudaSuccess ? v : -1;
}

static void called(void *data)
{
    ++*(int *)data;
}

static void devices()
{
    int device = -1, v, list[1] = {0};
    unsigned flags = 9;
    char id[16];
    cudaDeviceProp p;
    bool ok = cudaGetDevice(&device) == cudaSuccess && device == 0 && cudaSetValidDevices(list, 1) == cudaSuccess &&
              cudaSetDeviceFlags(0) == cudaSuccess && cudaGetDeviceFlags(&flags) == cudaSuccess && flags == 0;
    cudaGetDeviceProperties(&p, 0);
    device = 7;
    ok = ok && cudaChooseDevice(&device, &p) == cudaSuccess && device == 0;
    device = 7;
    ok = ok && cudaDeviceGetPCIBusId(id, sizeof id, 0) == cudaSuccess && cudaDeviceGetByPCIBusId(&device, id) == cudaSuccess && device == 0;
    say("devices", ok);
    say("attributes", attribute(cudaDevAttrMaxThreadsPerBlock) == p.maxThreadsPerBlock && attribute(cudaDevAttrMaxBlockDimX) == p.maxThreadsDim[0] &&
                          attribute(cudaDevAttrMaxBlockDimY) == p.maxThreadsDim[1] && attribute(cudaDevAttrMaxBlockDimZ) == p.maxThreadsDim[2] &&
                          attribute(cudaDevAttrMaxGridDimX) == p.maxGridSize[0] && attribute(cudaDevAttrMaxGridDimY) == p.maxGridSize[1] &&
                          attribute(cudaDevAttrMaxGridDimZ) == p.maxGridSize[2] && attribute(cudaDevAttrMaxSharedMemoryPerBlock) == (int)p.sharedMemPerBlock &&
                          attribute(cudaDevAttrTotalConstantMemory) == (int)p.totalConstMem && attribute(cudaDevAttrWarpSize) == 32 &&
                          attribute(cudaDevAttrMaxRegistersPerBlock) == p.regsPerBlock && attribute(cudaDevAttrClockRate) == p.clockRate &&
                          attribute(cudaDevAttrTextureAlignment) == (int)p.textureAlignment && attribute(cudaDevAttrMemoryClockRate) == p.memoryClockRate &&
                          attribute(cudaDevAttrGlobalMemoryBusWidth) == p.memoryBusWidth && attribute(cudaDevAttrL2CacheSize) == p.l2CacheSize &&
                          attribute(cudaDevAttrMaxThreadsPerMultiProcessor) == p.maxThreadsPerMultiProcessor &&
                          attribute(cudaDevAttrComputeCapabilityMajor) == p.major && attribute(cudaDevAttrComputeCapabilityMinor) == p.minor &&
                          attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor) == (int)p.sharedMemPerMultiprocessor &&
                          attribute(cudaDevAttrMaxRegistersPerMultiprocessor) == p.regsPerMultiprocessor &&
                          attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin) == (int)p.sharedMemPerBlockOptin &&
                          attribute(cudaDevAttrMaxBlocksPerMultiprocessor) == p.maxBlocksPerMultiProcessor &&
                          attribute(cudaDevAttrMultiProcessorCount) == p.multiProcessorCount && attribute(cudaDevAttrMaxPitch) > 0 &&
                          attribute(cudaDevAttrManagedMemory) == 1 && attribute(cudaDevAttrCooperativeLaunch) == p.cooperativeLaunch && p.cooperativeLaunch == 1);
    say("no such", cudaDeviceGetAttribute(&v, (cudaDeviceAttr)9999, 0) == cudaErrorInvalidValue &&
                       cudaDeviceGetAttribute(&v, cudaDevAttrWarpSize, 3) == cudaErrorInvalidDevice && cudaSetDevice(3) == cudaErrorInvalidDevice &&
                       cudaGetDeviceProperties(&p, 3) == cudaErrorInvalidDevice);
    int can = 1, driver = 0, runtime = 0, least = 5, greatest = 5;
    say("peers", cudaDeviceCanAccessPeer(&can, 0, 1) == cudaSuccess && can == 0 && cudaDeviceEnablePeerAccess(1, 0) == cudaErrorInvalidDevice &&
                     cudaDeviceDisablePeerAccess(1) == cudaErrorPeerAccessNotEnabled);
    cudaGetLastError();
    say("versions", cudaDriverGetVersion(&driver) == cudaSuccess && cudaRuntimeGetVersion(&runtime) == cudaSuccess && driver == runtime && driver > 10000);
    say("names", !strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue") &&
                     !strcmp(cudaGetErrorName((cudaError_t)54321), "unrecognized error code") &&
                     !strcmp(cudaGetErrorString((cudaError_t)54321), "unrecognized error code"));
    size_t before = 0, stack = 0, heap = 0;
    cudaFuncCache cache = cudaFuncCachePreferL1;
    cudaSharedMemConfig banks = cudaSharedMemBankSizeEightByte;
    ok = cudaDeviceGetLimit(&before, cudaLimitStackSize) == cudaSuccess && cudaThreadSetLimit(cudaLimitStackSize, before * 2) == cudaSuccess &&
         cudaDeviceGetLimit(&stack, cudaLimitStackSize) == cudaSuccess && stack == before * 2 && cudaDeviceSetLimit(cudaLimitStackSize, 1) == cudaSuccess &&
         cudaDeviceGetLimit(&stack, cudaLimitStackSize) == cudaSuccess && stack == before &&
         cudaDeviceSetLimit(cudaLimitStackSize, (size_t)1 << 40) == cudaErrorInvalidValue && cudaDeviceGetLimit(&heap, cudaLimitMallocHeapSize) == cudaSuccess &&
         heap == 8u << 20;
    say("limits", ok);
    say("settings", cudaThreadSetCacheConfig(cudaFuncCachePreferL1) == cudaSuccess && cudaDeviceGetCacheConfig(&cache) == cudaSuccess &&
                        cache == cudaFuncCachePreferNone && cudaDeviceSetSharedMemConfig(banks) == cudaSuccess &&
                        cudaDeviceGetSharedMemConfig(&banks) == cudaSuccess && banks == cudaSharedMemBankSizeFourByte &&
                        cudaDeviceGetStreamPriorityRange(&least, &greatest) == cudaSuccess && least == 0 && greatest == 0 &&
                        cudaProfilerStart() == cudaSuccess && cudaProfilerStop() == cudaSuccess);
    cudaGetLastError();
}

static void streams()
{
    cudaStream_t s;
    cudaEvent_t begin, end;
    unsigned flags = 9;
    int priority = 9, calls = 0;
    float ms = -1;
    bool ok = cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, -1) == cudaSuccess && cudaStreamGetFlags(s, &flags) == cudaSuccess &&
              flags == cudaStreamNonBlocking && cudaStreamGetFlags(0, &flags) == cudaSuccess && flags == cudaStreamDefault &&
              cudaStreamGetPriority(s, &priority) == cudaSuccess && priority == 0;
    ok = ok && cudaEventCreate(&begin) == cudaSuccess && cudaEventCreate(&end) == cudaSuccess && cudaEventRecord(begin, s) == cudaSuccess &&
         cudaLaunchHostFunc(s, called, &calls) == cudaSuccess && calls == 1 && cudaStreamWaitEvent(s, begin, 0) == cudaSuccess &&
         cudaEventRecord(end, s) == cudaSuccess && cudaStreamQuery(s) == cudaSuccess && cudaStreamSynchronize(s) == cudaSuccess &&
         cudaEventElapsedTime(&ms, begin, end) == cudaSuccess && ms >= 0 && cudaEventDestroy(begin) == cudaSuccess && cudaEventDestroy(end) == cudaSuccess &&
         cudaStreamDestroy(s) == cudaSuccess && cudaThreadSynchronize() == cudaSuccess;
    say("streams", ok);
    say("no event", cudaEventDestroy(0) == cudaErrorInvalidResourceHandle && cudaEventRecord(0, 0) == cudaErrorInvalidResourceHandle &&
                        cudaEventElapsedTime(&ms, 0, 0) == cudaErrorInvalidResourceHandle);
    cudaGetLastError();
}

static void memory()
{
    char host[96], back[96], *a, *b, *pinned;
    unsigned flags = 0;
    for (int i = 0; i < 96; i++)
        host[i] = (char)i;
    bool ok = cudaMallocAsync(&a, 96, 0) == cudaSuccess && cudaMalloc(&b, 96) == cudaSuccess && cudaMallocHost(&pinned, 96) == cudaSuccess &&
              cudaMemcpyAsync(a, host, 96, cudaMemcpyHostToDevice, 0) == cudaSuccess && cudaMemcpyPeerAsync(b, 0, a, 0, 96) == cudaSuccess &&
              cudaMemsetAsync(b, 1, 8, 0) == cudaSuccess && cudaMemset2D(b + 16, 16, 2, 4, 2) == cudaSuccess &&
              cudaMemset2DAsync(b + 48, 16, 3, 4, 2) == cudaSuccess && cudaMemset3D(make_cudaPitchedPtr(b + 80, 8, 4, 1), 4, make_cudaExtent(2, 1, 2)) == cudaSuccess &&
              cudaMemcpy2DAsync(pinned, 48, b, 48, 48, 2, cudaMemcpyDeviceToHost) == cudaSuccess;
    for (int i = 0; i < 96; i++) {
        char want = (char)(i < 8 ? 1 : (i >= 16 && i < 20) || (i >= 32 && i < 36) ? 2 : (i >= 48 && i < 52) || (i >= 64 && i < 68) ? 3 : (i >= 80 && i < 82) || (i >= 88 && i < 90) ? 4 : i);
        ok = ok && pinned[i] == want;
    }
    ok = ok && cudaHostGetFlags(&flags, pinned) == cudaSuccess && flags == cudaHostAllocMapped && cudaMemPrefetchAsync(a, 96, 0) == cudaSuccess &&
         cudaMemAdvise(a, 96, cudaMemAdviseSetReadMostly, 0) == cudaSuccess && cudaStreamAttachMemAsync(0, a) == cudaSuccess;
    say("memory", ok);
    int f[4] = {1, 2, 3, 4}, g[4] = {0};
    say("symbols", cudaMemcpyToSymbolAsync(factors, f, 16, 0, cudaMemcpyHostToDevice) == cudaSuccess &&
                       cudaMemcpyFromSymbolAsync(g, factors, 8, 8, cudaMemcpyDeviceToHost) == cudaSuccess && g[0] == 3 && g[1] == 4);
    void *none;
    say("refusals", cudaMemset(host, 0, 4) == cudaErrorInvalidValue && cudaMemset2D(b, 2, 0, 4, 2) == cudaErrorInvalidValue &&
                        cudaHostUnregister(host) == cudaErrorHostMemoryNotRegistered && cudaHostGetDevicePointer(&none, host, 0) == cudaErrorInvalidValue &&
                        cudaHostRegister(NULL, 0, 0) == cudaErrorInvalidValue && cudaMemcpy(a, host, 97, cudaMemcpyHostToDevice) != cudaSuccess &&
                        cudaMemcpy(a, b, 0, cudaMemcpyDeviceToDevice) == cudaSuccess && cudaMemcpy2D(back, 2, a, 8, 4, 2, cudaMemcpyDeviceToHost) != cudaSuccess);
    cudaGetLastError();
    say("freed", cudaFreeAsync(a, 0) == cudaSuccess && cudaFree(NULL) == cudaSuccess && cudaFree(b) == cudaSuccess && cudaFreeHost(pinned) == cudaSuccess);
}

static void arrays()
{
    const int n = 32;
    float host[2 * n], back[2 * n], *d, *out;
    cudaArray_t a, none;
    cudaChannelFormatDesc real = cudaCreateChannelDesc<float>(), odd = {7, 0, 0, 0, cudaChannelFormatKindFloat}, whole = cudaCreateChannelDesc<int>();
    for (int i = 0; i < 2 * n; i++)
        host[i] = (float)i;
    memset(back, 0, sizeof back);
    bool ok = cudaMallocArray(&a, &real, n, 2) == cudaSuccess && cudaMemcpyToArray(a, 0, 0, host, sizeof host, cudaMemcpyHostToDevice) == cudaSuccess &&
              cudaMemcpyFromArray(back, a, 4 * (n - 2), 0, 16, cudaMemcpyDeviceToHost) == cudaSuccess && back[0] == n - 2 && back[1] == n - 1 && back[2] == n && back[3] == n + 1;
    cudaMemcpy3DParms p = {};
    p.srcArray = a;
    p.dstPtr = make_cudaPitchedPtr(back, n * 4, n, 2);
    p.extent = make_cudaExtent(n, 2, 1);
    p.kind = cudaMemcpyDeviceToHost;
    ok = ok && cudaMemcpy3DAsync(&p) == cudaSuccess && !memcmp(host, back, sizeof host);
    say("arrays", ok);
    cudaMalloc(&d, sizeof host);
    cudaMallocManaged(&out, n * sizeof(float));
    cudaMemcpy(d, host, sizeof host, cudaMemcpyHostToDevice);
    cudaResourceDesc line = {}, plane = {}, wrong = {};
    cudaTextureDesc how = {};
    cudaTextureObject_t t, u, v;
    line.resType = cudaResourceTypeLinear;
    line.res.linear.devPtr = d;
    line.res.linear.desc = real;
    line.res.linear.sizeInBytes = sizeof host;
    plane.resType = cudaResourceTypePitch2D;
    plane.res.pitch2D.devPtr = d;
    plane.res.pitch2D.desc = real;
    plane.res.pitch2D.width = n;
    plane.res.pitch2D.height = 2;
    plane.res.pitch2D.pitchInBytes = n * 4;
    ok = cudaCreateTextureObject(&t, &line, &how, NULL) == cudaSuccess && cudaCreateTextureObject(&u, &plane, &how, NULL) == cudaSuccess;
    fetch<<<1, n>>>(out, t, u);
    ok = ok && cudaDeviceSynchronize() == cudaSuccess;
    for (int i = 0; i < n; i++)
        ok = ok && out[i] == i + 100.0f * (n + i);
    say("textures", ok);
    wrong = line;
    wrong.res.linear.desc = odd;
    ok = cudaCreateTextureObject(&v, &wrong, &how, NULL) == cudaErrorInvalidChannelDescriptor;
    wrong = plane;
    wrong.res.pitch2D.desc = whole;
    how.filterMode = cudaFilterModeLinear;
    ok = ok && cudaCreateTextureObject(&v, &wrong, &how, NULL) == cudaErrorInvalidFilterSetting;
    wrong.resType = cudaResourceTypeMipmappedArray;
    ok = ok && cudaCreateTextureObject(&v, &wrong, &how, NULL) == cudaErrorNotSupported && cudaCreateSurfaceObject(&v, &wrong) == cudaErrorNotSupported;
    wrong.resType = cudaResourceTypeArray;
    wrong.res.array.array = NULL;
    ok = ok && cudaCreateSurfaceObject(&v, &wrong) == cudaErrorInvalidValue && cudaMallocArray(&none, &real, 0, 0) == cudaErrorInvalidValue;
    say("refusals", ok);
    cudaGetLastError();
    say("destroyed", cudaDestroyTextureObject(t) == cudaSuccess && cudaDestroySurfaceObject(u) == cudaSuccess && cudaDestroyTextureObject(t) == cudaErrorInvalidValue &&
                         cudaFreeArray(a) == cudaSuccess && cudaFreeArray(NULL) == cudaSuccess);
    cudaGetLastError();
    cudaFree(d);
    cudaFree(out);
}

static void kernels()
{
    cudaFuncAttributes a = {};
    cudaDeviceProp p;
    int n = 0, m = 0;
    float *out;
    void *arguments[3];
    cudaTextureObject_t none = 0;
    dim3 grid, block;
    size_t shared;
    void *stream;
    cudaGetDeviceProperties(&p, 0);
    say("kernels", cudaFuncGetAttributes(&a, (const void *)fetch) == cudaSuccess && a.numRegs > 0 && a.sharedSizeBytes == 0 && a.maxThreadsPerBlock == 1024 &&
                       a.maxDynamicSharedSizeBytes > 0 && cudaFuncSetAttribute((const void *)fetch, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024) == cudaSuccess &&
                       cudaFuncSetCacheConfig((const void *)fetch, cudaFuncCachePreferL1) == cudaSuccess &&
                       cudaFuncSetSharedMemConfig((const void *)fetch, cudaSharedMemBankSizeFourByte) == cudaSuccess);
    say("occupancy", cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, (const void *)fetch, 128, 0) == cudaSuccess &&
                         cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&m, (const void *)fetch, 128, 0, 0) == cudaSuccess && n == m && n > 0 &&
                         n * 128 <= p.maxThreadsPerMultiProcessor);
    say("no kernel", cudaFuncGetAttributes(&a, (const void *)say) == cudaErrorInvalidDeviceFunction &&
                         cudaFuncSetAttribute((const void *)say, cudaFuncAttributeMaxDynamicSharedMemorySize, 1) == cudaErrorInvalidDeviceFunction &&
                         __cudaPopCallConfiguration(&grid, &block, &shared, &stream) == cudaErrorInvalidConfiguration);
    cudaGetLastError();
    cudaMalloc(&out, 128);
    arguments[0] = &out, arguments[1] = &none, arguments[2] = &none;
    say("too large", cudaLaunchCooperativeKernel((const void *)fetch, dim3(1), dim3(2048), arguments, 0, 0) != cudaSuccess);
    cudaGetLastError();
    cudaFree(out);
}

int main()
{
    kernels();
    devices();
    streams();
    memory();
    arrays();
    say("reset", cudaThreadExit() == cudaSuccess && cudaGetLastError() == cudaSuccess);
    return 0;
}
