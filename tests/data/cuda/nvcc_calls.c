/* SPDX-License-Identifier: MIT
 *
 * A program as nvcc makes it, written out: it registers its code, a managed variable by a pointer
 * that the runtime fills, and launches by the calls of nvcc 12 and later. */
#include <cuda_runtime_api.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
char __cudaInitModule(void **handle);
void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name,
                            int threads, void *tid, void *bid, void *bdim, void *gdim, int *wsize);
void __cudaRegisterManagedVar(void **handle, void **host, char *device, const char *name, int ext,
                              size_t bytes, int constant, int global);
unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream);
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream);
cudaError_t __cudaGetKernel(void **kernel, const void *host);
cudaError_t __cudaLaunchKernel(void *kernel, dim3 grid, dim3 block, void **args, size_t shared,
                               cudaStream_t stream);

static const char code[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .global .attribute(.managed) .align 4 .u32 counter = 7;\n"
    ".visible .entry add(.param .u32 by)\n.maxntid 16, 2, 4\n{\n"
    ".reg .u32 %r<3>; .reg .u64 %d<2>;\n"
    "ld.param.u32 %r0, [by];\nmov.u64 %d0, counter;\natom.global.add.u32 %r1, [%d0], %r0;\n"
    "ret;\n}\n";

/* ---- what nvcc lays beside the program ---- */

static struct {
    uint32_t magic;
    uint16_t version, header_bytes;
    uint64_t bytes;
    struct {
        uint16_t kind, version;
        uint32_t header_bytes;
        uint64_t bytes;
        uint32_t packed_bytes, unknown;
        uint16_t minor, major;
        uint32_t arch, name_offset, name_bytes;
        uint64_t flags, zero, unpacked_bytes;
    } entry;
    char text[(sizeof code + 7) / 8 * 8];
} image;
static struct {
    uint32_t magic, version;
    const void *image;
    void *more;
} wrapper = {0x466243b1u, 1, &image, NULL}, foreign = {0x12345678u, 1, &image, NULL};

static unsigned *counter; /* filled when it is registered */
static void add(void)
{
}

static void say(const char *what, int ok)
{
    printf("%-18s %s\n", what, ok ? "ok" : "WRONG");
}

int main(int argc, char **argv)
{
    (void)argv;
    const dim3 three = {3, 1, 1}, warp = {32, 1, 1};
    dim3 grid, block;
    size_t shared;
    void *stream, *kernel = NULL;
    memcpy(image.text, code, sizeof code);
    image.magic = 0xba55ed50u, image.version = 1, image.header_bytes = 16;
    image.bytes = sizeof image - 16;
    image.entry.kind = 1, image.entry.version = 0x101;
    image.entry.header_bytes = sizeof image.entry, image.entry.bytes = sizeof image.text;
    image.entry.major = 7, image.entry.arch = 70;

    void **handle = __cudaRegisterFatBinary(argc > 1 ? (void *)&foreign : (void *)&wrapper);
    if (!handle) { /* what belongs to it is registered all the same, and nothing can be launched */
        __cudaRegisterManagedVar(handle, (void **)&counter, NULL, "counter", 0, 4, 0, 0);
        __cudaRegisterFunction(handle, (const char *)add, NULL, "add", -1, NULL, NULL, NULL, NULL,
                               NULL);
        __cudaRegisterFatBinaryEnd(handle);
        return cudaLaunchKernel((const void *)add, three, warp, NULL, 0, NULL) == cudaSuccess;
    }
    __cudaRegisterManagedVar(handle, (void **)&counter, NULL, "counter", 0, 4, 0, 0);
    __cudaRegisterFunction(handle, (const char *)add, NULL, "add", -1, NULL, NULL, NULL, NULL,
                           NULL);
    __cudaRegisterFatBinaryEnd(handle);
    say("module", __cudaInitModule(handle));
    say("managed", counter && *counter == 7);

    unsigned by = 5;
    void *args[] = {&by};
    say("kernel", __cudaGetKernel(&kernel, (const void *)add) == cudaSuccess && kernel);
    say("launch", __cudaLaunchKernel(kernel, three, warp, args, 0, NULL) == cudaSuccess &&
                      cudaDeviceSynchronize() == cudaSuccess && *counter == 7 + 3 * 32 * 5);
    *counter = 1; /* the host's word is the device's */
    say("host's value",
        cudaLaunchKernel((const void *)add, three, warp, args, 0, NULL) == cudaSuccess &&
            cudaDeviceSynchronize() == cudaSuccess && *counter == 1 + 3 * 32 * 5);
    void *symbol = NULL;
    unsigned copy = 0;
    say("symbol", cudaGetSymbolAddress(&symbol, (const void *)&counter) == cudaSuccess &&
                      symbol == (void *)counter &&
                      cudaMemcpyFromSymbol(&copy, (const void *)&counter, 4, 0,
                                           cudaMemcpyDeviceToHost) == cudaSuccess &&
                      copy == *counter);

    struct cudaFuncAttributes f;
    say("bound of threads", cudaFuncGetAttributes(&f, (const void *)add) == cudaSuccess &&
                                f.maxThreadsPerBlock == 16 * 2 * 4);

    /* a launch inside the arguments of another, sixteen deep, and out again in reverse */
    int ok = 1;
    for (unsigned i = 0; i < 16; i++)
        ok &= !__cudaPushCallConfiguration((dim3){i + 1, 2, 3}, (dim3){i, 1, 1}, i * 8, NULL);
    ok &= __cudaPushCallConfiguration(three, warp, 0, NULL) != 0;
    for (unsigned i = 16; i--;)
        ok &= __cudaPopCallConfiguration(&grid, &block, &shared, &stream) == cudaSuccess &&
              grid.x == i + 1 && grid.y == 2 && grid.z == 3 && block.x == i && shared == i * 8;
    ok &= __cudaPopCallConfiguration(&grid, &block, &shared, &stream) != cudaSuccess;
    say("nested", ok);
    __cudaUnregisterFatBinary(handle);
    return 0;
}
