// What the runtime refuses without a word of the kernel: shared memory and threads beyond what was
// asked for, textures and arrays that cannot be, copies beyond an array, pointers that are not there.
#include <climits>
#include <cstdio>

static void say(const char *what, cudaError_t e)
{
    printf("%s: %s\n", what, cudaGetErrorName(e));
    cudaGetLastError();
}

__global__ void __launch_bounds__(64) reverse(int *out)
{
    extern __shared__ int words[];
    words[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = words[blockDim.x - 1 - threadIdx.x];
}

__global__ void fetch(cudaTextureObject_t t, float *out)
{
    out[threadIdx.x] = tex2D<float>(t, threadIdx.x + 0.5f, 1.5f);
}

static void launches(int *out)
{
    cudaFuncAttributes a;
    size_t room = 0;
    int grid = 0, block = 0;
    reverse<<<1, 65, 1024>>>(out);
    say("more threads than compiled for", cudaGetLastError());
    reverse<<<1, 64, 50000>>>(out);
    say("more than 48 KB", cudaGetLastError());
    say("more than the device", cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20));
    say("less than nothing", cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, -1));
    say("raised", cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000));
    cudaFuncGetAttributes(&a, reverse);
    printf("%d threads, %d bytes\n", a.maxThreadsPerBlock, a.maxDynamicSharedSizeBytes);
    reverse<<<1, 64, 50000>>>(out);
    say("launched", cudaDeviceSynchronize());
    printf("%d %d\n", out[0], out[63]);
    reverse<<<1, 64, 60001>>>(out);
    say("more than raised to", cudaGetLastError());
    say("room", cudaOccupancyAvailableDynamicSMemPerBlock(&room, reverse, 2, 64));
    say("no blocks", cudaOccupancyAvailableDynamicSMemPerBlock(&room, reverse, 0, 64));
    cudaOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, reverse);
    printf("%zu bytes, blocks of %d\n", room, block);
    say("no arguments", cudaLaunchKernel((const void *)reverse, dim3(1), dim3(32), NULL, 0, 0));
    say("no configuration", cudaLaunchKernelExC(NULL, (const void *)reverse, NULL));
}

static void arrays()
{
    cudaArray_t a, b;
    cudaChannelFormatDesc real = cudaCreateChannelDesc<float>(), got;
    cudaChannelFormatDesc three = cudaCreateChannelDesc(32, 32, 32, 0, cudaChannelFormatKindFloat);
    cudaExtent e;
    unsigned flags;
    float host[64], back[64] = {0};
    for (int i = 0; i < 64; i++)
        host[i] = (float)i;
    say("three channels", cudaMallocArray(&a, &three, 8, 8));
    say("wider than the device's", cudaMallocArray(&a, &real, 1 << 20, 1));
    say("no width", cudaMallocArray(&a, &real, 0, 8));
    say("depth without height", cudaMalloc3DArray(&a, &real, make_cudaExtent(8, 0, 8)));
    say("no place for it", cudaMallocArray(NULL, &real, 8, 8));
    say("array", cudaMallocArray(&a, &real, 8, 8));
    cudaMallocArray(&b, &real, 8, 8);
    say("about it", cudaArrayGetInfo(&got, &e, &flags, a));
    printf("%zu x %zu x %zu, %d bits\n", e.width, e.height, e.depth, got.x);
    say("about none", cudaArrayGetInfo(&got, &e, &flags, NULL));
    say("format", cudaGetChannelDesc(&got, a));
    say("copy", cudaMemcpy2DToArrayAsync(a, 0, 0, host, 32, 32, 8, cudaMemcpyHostToDevice));
    say("between", cudaMemcpy2DArrayToArray(b, 0, 1, a, 0, 0, 32, 7));
    say("back", cudaMemcpy2DFromArrayAsync(back, 32, b, 0, 0, 32, 8, cudaMemcpyDeviceToHost));
    printf("%g %g\n", back[7], back[63]);
    say("too wide", cudaMemcpy2DToArray(a, 4, 0, host, 32, 32, 8, cudaMemcpyHostToDevice));
    say("too high", cudaMemcpy2DFromArray(back, 32, a, 0, 1, 32, 8, cudaMemcpyDeviceToHost));
    say("too far", cudaMemcpy2DArrayToArray(b, 0, 2, a, 0, 0, 32, 7));
    say("too much", cudaMemcpyToArray(a, 4, 0, host, 256, cudaMemcpyHostToDevice));
    say("to no array", cudaMemcpyToArrayAsync(NULL, 0, 0, host, 4, cudaMemcpyHostToDevice));
    say("row that is not there", cudaMemcpyFromArrayAsync(back, a, 0, 9, 4, cudaMemcpyDeviceToHost));
    cudaMemcpy3DParms p = {};
    say("box of nothing", cudaMemcpy3D(&p));
    p.srcArray = a;
    p.dstPtr = make_cudaPitchedPtr(back, 32, 8, 8);
    p.extent = make_cudaExtent(8, 8, 2);
    p.kind = cudaMemcpyDeviceToHost;
    say("deeper than the array", cudaMemcpy3D(&p));
    p.extent.depth = 1;
    say("box", cudaMemcpy3D(&p));
    p.extent.width = SIZE_MAX / 2;
    say("box without end", cudaMemcpy3D(&p));
    p = {};
    p.srcPtr = make_cudaPitchedPtr(host + 8, 32, 8, 8);
    p.dstArray = a;
    p.extent = make_cudaExtent(1, 1, 1);
    p.kind = cudaMemcpyHostToDevice;
    p.dstPos.x = (size_t)1 << 62;
    say("place without end", cudaMemcpy3D(&p));
    p.dstPos.x = 8;
    say("place behind a row", cudaMemcpy3D(&p));
    p.dstPos.x = 0;
    p.srcPos.x = SIZE_MAX;
    say("place in memory without end", cudaMemcpy3D(&p));
    p.srcPos.x = 0;
    p.srcPos.z = SIZE_MAX / 64;
    say("slice without end", cudaMemcpy3D(&p));
    cudaMemcpyFromArray(back, a, 0, 0, 4, cudaMemcpyDeviceToHost);
    printf("%g\n", back[0]);
    say("rows without end", cudaMemcpy2D(back, SIZE_MAX, host, SIZE_MAX, 4, 3, cudaMemcpyHostToHost));
    cudaFreeArray(a);
    cudaFreeArray(b);
}

static void textures(float *out)
{
    float *line;
    size_t pitch;
    cudaTextureObject_t t;
    cudaSurfaceObject_t s;
    cudaResourceDesc good = {}, wrong, got;
    cudaTextureDesc how = {}, odd = {}, told;
    cudaMallocPitch(&line, &pitch, 64, 4);
    cudaMemset2D(line, pitch, 0, 64, 4);
    good.resType = cudaResourceTypePitch2D;
    good.res.pitch2D.devPtr = line;
    good.res.pitch2D.desc = cudaCreateChannelDesc<float>();
    good.res.pitch2D.width = 16;
    good.res.pitch2D.height = 4;
    good.res.pitch2D.pitchInBytes = pitch;
    how.addressMode[0] = cudaAddressModeClamp;
    say("nothing to look at", cudaCreateTextureObject(&t, NULL, &how, NULL));
    wrong = good;
    wrong.resType = (cudaResourceType)9;
    say("unknown kind", cudaCreateTextureObject(&t, &wrong, &how, NULL));
    wrong = good;
    wrong.res.pitch2D.pitchInBytes = 60;
    say("pitch", cudaCreateTextureObject(&t, &wrong, &how, NULL));
    wrong = good;
    wrong.res.pitch2D.devPtr = &t;
    say("memory of the host", cudaCreateTextureObject(&t, &wrong, &how, NULL));
    wrong = good;
    wrong.res.pitch2D.height = 0;
    say("no height", cudaCreateTextureObject(&t, &wrong, &how, NULL));
    wrong = good;
    wrong.resType = cudaResourceTypeLinear;
    wrong.res.linear.devPtr = line;
    wrong.res.linear.desc = cudaCreateChannelDesc<float>();
    wrong.res.linear.sizeInBytes = 3;
    say("less than a texel", cudaCreateTextureObject(&t, &wrong, &how, NULL));
    odd.addressMode[1] = (cudaTextureAddressMode)7;
    say("border", cudaCreateTextureObject(&t, &good, &odd, NULL));
    odd = how;
    odd.readMode = cudaReadModeNormalizedFloat;
    wrong = good;
    wrong.res.pitch2D.desc = cudaCreateChannelDesc<int>();
    say("32 bits as a fraction", cudaCreateTextureObject(&t, &wrong, &odd, NULL));
    wrong.resType = cudaResourceTypeArray;
    wrong.res.array.array = NULL;
    say("surface of nothing", cudaCreateSurfaceObject(&s, &wrong));
    say("good", cudaCreateTextureObject(&t, &good, &how, NULL));
    say("told", cudaGetTextureObjectResourceDesc(&got, t));
    say("told how", cudaGetTextureObjectTextureDesc(&told, t));
    printf("%d %zu %d\n", (int)got.resType, got.res.pitch2D.width, (int)told.addressMode[0]);
    say("none such", cudaGetSurfaceObjectResourceDesc(&got, 4711));
    fetch<<<1, 32>>>(t, out);
    say("fetched", cudaDeviceSynchronize());
    say("destroyed", cudaDestroyTextureObject(t));
    say("twice", cudaDestroyTextureObject(t));
    cudaFree(line);
}

// Where a result belongs there is nothing.
static void nowhere()
{
    cudaMemPool_t pool = NULL;
    cudaEvent_t e;
    cudaDeviceProp like = {};
    char id[4] = "x";
    int most = 9;
    say("host flags", cudaHostGetFlags(NULL, id));
    say("default pool", cudaDeviceGetDefaultMemPool(NULL, 0));
    say("device's pool", cudaDeviceGetMemPool(NULL, 0));
    say("pool of another device", cudaDeviceGetMemPool(&pool, 1));
    printf("%d\n", pool == NULL);
    say("choice", cudaChooseDevice(NULL, &like));
    say("priorities", cudaDeviceGetStreamPriorityRange(NULL, NULL));
    say("one of them", cudaDeviceGetStreamPriorityRange(NULL, &most));
    printf("%d\n", most);
    say("peer", cudaDeviceCanAccessPeer(NULL, 0, 1));
    say("device of a bus", cudaDeviceGetByPCIBusId(NULL, "0000:00:00.0"));
    say("device of no bus", cudaDeviceGetByPCIBusId(&most, NULL));
    say("bus", cudaDeviceGetPCIBusId(NULL, 4, 0));
    say("bus in no letters", cudaDeviceGetPCIBusId(id, 0, 0));
    say("priority", cudaStreamGetPriority(0, NULL));
    say("stream's flags", cudaStreamGetFlags(0, NULL));
    say("stream's attribute", cudaStreamGetAttribute(0, cudaStreamAttributeAccessPolicyWindow, NULL));
    cudaEventCreate(&e);
    cudaEventRecord(e);
    say("time", cudaEventElapsedTime(NULL, e, e));
    cudaEventDestroy(e);
}

// What is set is there to be read.
static void settings()
{
    cudaMemPool_t pool;
    uint64_t bytes = 4711, none = 0, got = 9;
    int no = 0, reuse = 9;
    size_t before = 1, limit = 9;
    cudaDeviceGetDefaultMemPool(&pool, 0);
    say("reuse", cudaMemPoolGetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &reuse));
    printf("%d\n", reuse);
    say("no reuse", cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &no));
    cudaMemPoolGetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &reuse);
    printf("%d", reuse);
    cudaMemPoolGetAttribute(pool, cudaMemPoolReuseAllowInternalDependencies, &reuse);
    printf(" %d\n", reuse);
    cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &got);
    printf("%d\n", (int)got);
    say("threshold", cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &bytes));
    cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &got);
    printf("%d\n", (int)got);
    say("most set back", cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &none));
    say("most set", cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &bytes));
    say("use set", cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &none));
    say("set to nothing", cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, NULL));
    say("unknown", cudaMemPoolSetAttribute(pool, (cudaMemPoolAttr)9, &bytes));
    say("unknown read", cudaMemPoolGetAttribute(pool, (cudaMemPoolAttr)0, &bytes));
    cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0);
    cudaDeviceGetLimit(&limit, cudaLimitPersistingL2CacheSize);
    printf("%zu\n", limit);
    cudaDeviceGetLimit(&before, cudaLimitStackSize);
    say("stack without end", cudaDeviceSetLimit(cudaLimitStackSize, SIZE_MAX));
    cudaDeviceGetLimit(&limit, cudaLimitStackSize);
    printf("%d\n", limit == before);
}

static void others()
{
    void *p;
    size_t pitch, bytes = 9;
    cudaPitchedPtr box;
    cudaMemPool_t pool;
    cudaStreamCaptureStatus capturing = cudaStreamCaptureStatusActive;
    cudaEvent_t e;
    cudaStream_t s;
    say("pitch", cudaMallocPitch(&p, &pitch, SIZE_MAX, 2));
    say("rows", cudaMallocPitch(&p, &pitch, 1000, SIZE_MAX / 4));
    say("boxes", cudaMalloc3D(&box, make_cudaExtent(16, (size_t)1 << 40, (size_t)1 << 40)));
    say("nowhere", cudaMalloc((void **)NULL, 4));
    say("count", cudaGetDeviceCount(NULL));
    say("properties", cudaGetDeviceProperties(NULL, 0));
    say("attribute", cudaDeviceGetAttribute(NULL, cudaDevAttrWarpSize, 0));
    say("stream", cudaStreamCreateWithFlags(&s, 77));
    say("event", cudaEventCreateWithFlags(&e, 77));
    say("wait", cudaStreamWaitEvent(0, NULL, 0));
    say("callback", cudaStreamAddCallback(0, NULL, NULL, 0));
    say("function", cudaLaunchHostFunc(0, NULL, NULL));
    say("limit", cudaDeviceSetLimit((cudaLimit)99, 1));
    say("limits", cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 12345));
    say("limit got", cudaThreadGetLimit(&bytes, cudaLimitPrintfFifoSize));
    say("capturing", cudaStreamIsCapturing(0, &capturing));
    printf("%zu %d\n", bytes, (int)capturing);
    cudaDeviceGetDefaultMemPool(&pool, 0);
    say("pool", cudaMallocAsync(&p, 64, pool, 0));
    say("pool's", cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &bytes));
    say("no pool", cudaMallocFromPoolAsync(&p, 64, NULL, 0));
    printf("%d\n", bytes >= 64);
}

int main()
{
    int *out;
    cudaMallocManaged(&out, 128 * sizeof(int));
    launches(out);
    arrays();
    textures((float *)out);
    others();
    nowhere();
    settings();
    fetch<<<1, 32>>>(4711, (float *)out);
    say("no texture", cudaDeviceSynchronize());
    return 0;
}
