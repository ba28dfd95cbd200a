/* SPDX-License-Identifier: MIT
 *
 * The runtime of CUDA programs, called as the compiler's code and programs call it: fat binaries,
 * memory, launches, errors, textures, all in one process and under the sanitizers. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <zstd.h>

#include "cuda/runtime/session.h"
#include "sim/runtime/fatbin.h"

void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name,
                            int threads, void *tid, void *bid, void *bdim, void *gdim, int *wsize);
void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int ext,
                       size_t bytes, int constant, int global);
void __cudaRegisterManagedVar(void **handle, void **host, char *device, const char *name, int ext,
                              size_t bytes, int constant, int global);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);

static const char ptx[] =
    ".version 6.3\n.target sm_70\n.address_size 64\n"
    ".global .align 4 .u32 counter = 5;\n"
    ".visible .entry _Z3addPii(.param .u64 p, .param .u32 n) {\n"
    ".reg .b64 %a, %o; .reg .b32 %n, %v, %t; .reg .pred %q;\n"
    "ld.param.u64 %a, [p]; ld.param.u32 %n, [n]; mov.u32 %t, %tid.x;\n"
    "setp.ge.u32 %q, %t, %n; @%q bra L; mul.wide.u32 %o, %t, 4; add.s64 %a, %a, %o;\n"
    "ld.global.u32 %v, [%a]; add.s32 %v, %v, %n; st.global.u32 [%a], %v;\n"
    "L: ret; }\n"
    ".visible .entry bad() { unknown.instruction %x; ret; }\n";

static struct {
    uint32_t magic, version;
    const void *image;
    void *more;
} wrapper = {0x466243b1u, 1, ptx, NULL};
static char add_key, bad_key, counter_key;

static int begin(void **state)
{
    (void)state;
    void **h = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(h, &add_key, &add_key, "_Z3addPii", -1, 0, 0, 0, 0, 0);
    __cudaRegisterFunction(h, &bad_key, &bad_key, "bad", -1, 0, 0, 0, 0, 0);
    __cudaRegisterVar(h, &counter_key, &counter_key, "counter", 0, 4, 0, 0);
    return 0;
}

static cudaError_t launch_add(int *p, int n, unsigned threads)
{
    void *args[] = {&p, &n};
    return cudaLaunchKernel(&add_key, (dim3){1, 1, 1}, (dim3){threads, 1, 1}, args, 0, 0);
}

/* Host and device see one word; a pointer that the module holds leads there, too. */
static void a_managed_variable_is_the_hosts_and_the_devices(void **state)
{
    static const char text[] =
        ".version 6.3\n.target sm_70\n.address_size 64\n"
        ".global .attribute(.managed) .align 4 .u32 shared_word = 5;\n"
        ".global .align 8 .u64 way = shared_word;\n"
        ".visible .entry twice() {\n.reg .b64 %a; .reg .b32 %v;\n"
        "ld.global.u32 %v, [shared_word]; add.u32 %v, %v, %v; st.global.u32 [shared_word], %v;\n"
        "ld.global.u64 %a, [way]; ld.global.u32 %v, [%a]; add.u32 %v, %v, 1;\n"
        "st.global.u32 [%a], %v; ret; }\n";
    struct {
        uint32_t magic, version;
        const void *image;
        void *more;
    } other = {0x466243b1u, 1, text, NULL};
    static char key;
    int *word = NULL, copy = 0;
    (void)state;
    void **h = __cudaRegisterFatBinary(&other);
    __cudaRegisterFunction(h, &key, &key, "twice", -1, 0, 0, 0, 0, 0);
    __cudaRegisterManagedVar(h, (void **)&word, &key, "shared_word", 0, 4, 0, 0);
    __cudaRegisterFatBinaryEnd(h);
    assert_int_equal(*word, 5);
    *word = 20;
    assert_int_equal(
        cudaLaunchKernel(&key, (dim3){1, 1, 1}, (dim3){1, 1, 1}, (void *[]){NULL}, 0, 0),
        cudaSuccess);
    assert_int_equal(*word, 41);
    assert_int_equal(cudaMemcpyFromSymbol(&copy, word, 4, 0, cudaMemcpyDeviceToHost), cudaSuccess);
    assert_int_equal(copy, 41);
}

static void a_kernel_changes_memory_of_the_device(void **state)
{
    int host[40], *d;
    (void)state;
    for (int i = 0; i < 40; i++)
        host[i] = i;
    assert_int_equal(cudaMalloc((void **)&d, sizeof host), cudaSuccess);
    assert_int_equal(cudaMemcpy(d, host, sizeof host, cudaMemcpyHostToDevice), cudaSuccess);
    assert_int_equal(launch_add(d, 33, 64), cudaSuccess);
    assert_int_equal(cudaMemcpy(host, d, sizeof host, cudaMemcpyDeviceToHost), cudaSuccess);
    assert_int_equal(host[0], 33);
    assert_int_equal(host[32], 65);
    assert_int_equal(host[33], 33);
    assert_int_equal(cudaFree(d), cudaSuccess);
    assert_int_equal(cudaFree(d), cudaErrorInvalidValue);
    assert_int_equal(cudaGetLastError(), cudaErrorInvalidValue);
    assert_int_equal(cudaGetLastError(), cudaSuccess);
}

static void freed_memory_is_used_again(void **state)
{
    void *a, *b, *c;
    (void)state;
    assert_int_equal(cudaMalloc(&a, 1000), cudaSuccess);
    assert_int_equal(cudaMalloc(&b, 1000), cudaSuccess);
    assert_int_equal(cudaFree(a), cudaSuccess);
    assert_int_equal(cudaMalloc(&c, 900), cudaSuccess);
    assert_ptr_equal(a, c);
    assert_int_equal(cudaMalloc(&a, 2000), cudaSuccess);
    assert_true((char *)a > (char *)b);
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    assert_int_equal(cudaMalloc(&a, 0), cudaSuccess);
    assert_null(a);
}

static void managed_memory_is_the_hosts_too(void **state)
{
    int *m;
    (void)state;
    assert_int_equal(cudaMallocManaged((void **)&m, 3 * sizeof *m, cudaMemAttachGlobal),
                     cudaSuccess);
    m[0] = m[1] = m[2] = 1;
    assert_int_equal(launch_add(m, 2, 32), cudaSuccess);
    assert_int_equal(m[1], 3);
    assert_int_equal(m[2], 1);
    assert_int_equal(cudaFreeHost(m), cudaErrorInvalidValue);
    assert_int_equal(cudaFree(m), cudaSuccess);
    cudaGetLastError();
}

static void variables_of_modules_are_reached_by_their_symbol(void **state)
{
    int v = 0;
    void *address;
    size_t bytes;
    (void)state;
    assert_int_equal(cudaMemcpyFromSymbol(&v, &counter_key, 4, 0, cudaMemcpyDeviceToHost),
                     cudaSuccess);
    assert_int_equal(v, 5);
    v = 9;
    assert_int_equal(cudaMemcpyToSymbol(&counter_key, &v, 4, 0, cudaMemcpyHostToDevice),
                     cudaSuccess);
    assert_int_equal(cudaMemcpyToSymbol(&counter_key, &v, 4, 1, cudaMemcpyHostToDevice),
                     cudaErrorInvalidValue);
    assert_int_equal(cudaGetSymbolAddress(&address, &counter_key), cudaSuccess);
    assert_int_equal(cudaGetSymbolSize(&bytes, &counter_key), cudaSuccess);
    assert_int_equal(bytes, 4);
    v = 0;
    assert_int_equal(cudaMemcpy(&v, address, 4, cudaMemcpyDeviceToHost), cudaSuccess);
    assert_int_equal(v, 9);
    assert_int_equal(cudaGetSymbolAddress(&address, &v), cudaErrorInvalidSymbol);
    cudaGetLastError();
}

static void wrong_calls_have_their_codes(void **state)
{
    int v = 0, *d;
    (void)state;
    assert_int_equal(cudaMalloc((void **)&d, 16), cudaSuccess);
    assert_int_equal(launch_add(d, 1, 2000), cudaErrorInvalidConfiguration);
    assert_int_equal(cudaMemcpy(&v, &v, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    assert_int_equal(cudaMemcpy(d, &v, 4, (enum cudaMemcpyKind)7), cudaErrorInvalidMemcpyDirection);
    assert_int_equal(cudaMemcpy2D(d, 1, &v, 4, 4, 2, cudaMemcpyHostToDevice),
                     cudaErrorInvalidPitchValue);
    assert_int_equal(cudaSetDevice(1), cudaErrorInvalidDevice);
    assert_int_equal(cudaStreamDestroy(0), cudaErrorInvalidResourceHandle);
    assert_int_equal(cudaLaunchKernel(&v, (dim3){1, 1, 1}, (dim3){1, 1, 1}, NULL, 0, 0),
                     cudaErrorInvalidDeviceFunction);
    assert_int_equal(cudaLaunchKernel(&bad_key, (dim3){1, 1, 1}, (dim3){1, 1, 1}, NULL, 0, 0),
                     cudaErrorInvalidPtx);
    assert_int_equal(cudaPeekAtLastError(), cudaErrorInvalidPtx);
    assert_int_equal(cudaGetLastError(), cudaErrorInvalidPtx);
    assert_string_equal(cudaGetErrorName(cudaErrorInvalidPtx), "cudaErrorInvalidPtx");
    assert_string_equal(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument");
    cudaFree(d);
}

static void *add_often(void *p)
{
    for (int i = 0; i < 20; i++)
        launch_add(p, 1, 32);
    return NULL;
}

static void threads_of_the_host_do_not_disturb_each_other(void **state)
{
    pthread_t threads[4];
    int *m;
    (void)state;
    assert_int_equal(cudaMallocManaged((void **)&m, sizeof *m, 0), cudaSuccess);
    *m = 0;
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, add_often, m), 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(*m, 80);
    cudaFree(m);
}

static void a_fault_spoils_the_device_until_it_is_reset(void **state)
{
    int v, *d;
    (void)state;
    assert_int_equal(cudaMalloc((void **)&d, 4), cudaSuccess);
    assert_int_equal(launch_add(d, 32, 32), cudaSuccess);
    assert_int_equal(cudaGetLastError(), cudaSuccess);
    assert_int_equal(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    assert_int_equal(cudaMemcpy(&v, d, 4, cudaMemcpyDeviceToHost), cudaErrorIllegalAddress);
    assert_int_equal(cudaDeviceReset(), cudaErrorIllegalAddress);
    assert_int_equal(cudaMalloc((void **)&d, 4), cudaSuccess);
    assert_int_equal(launch_add(d, 1, 32), cudaSuccess);
    assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);
    cudaFree(d);
    cudaGetLastError();
}

static size_t memory_of(bool of_errors)
{
    struct runtime *r = session_enter();
    size_t used = of_errors ? r->err->mem.used : r->mem.used;
    session_leave(r, RC_Success);
    return used;
}

static void objects_that_are_no_more_leave_their_memory(void **state)
{
    cudaTextureObject_t t[3];
    size_t used = 0;
    int *d;
    (void)state;
    assert_int_equal(cudaMalloc((void **)&d, 1024), cudaSuccess);
    const struct cudaTextureDesc how = {0};
    struct cudaResourceDesc what = {.resType = cudaResourceTypeLinear};
    what.res.linear.devPtr = d;
    what.res.linear.desc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindSigned);
    for (unsigned i = 0; i < 100; i++) {
        for (unsigned k = 0; k < 3; k++) {
            what.res.linear.sizeInBytes = 4 * (k + 1);
            assert_int_equal(cudaCreateTextureObject(&t[k], &what, &how, NULL), cudaSuccess);
        }
        for (unsigned k = 0; k < 3; k++) {
            struct cudaResourceDesc told;
            assert_int_equal(cudaGetTextureObjectResourceDesc(&told, t[k]), cudaSuccess);
            assert_int_equal(told.res.linear.sizeInBytes, 4 * (k + 1));
        }
        for (unsigned k = 0; k < 3; k++)
            assert_int_equal(cudaDestroyTextureObject(t[(k + i) % 3]), cudaSuccess);
        if (i == 0)
            used = memory_of(false);
    }
    assert_int_equal(memory_of(false), used);
    cudaFree(d);
}

/* As a program does it that looks for the largest launch. */
static void refused_launches_take_no_memory_for_ever(void **state)
{
    int *d = NULL, n = 1;
    void *args[] = {&d, &n};
    size_t used = 0;
    (void)state;
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(
            cudaLaunchKernel(&add_key, (dim3){1, 1, 1}, (dim3){1, 1, 1}, args, 1 << 24, 0),
            cudaErrorInvalidValue);
        if (i == 300) /* more than are kept */
            used = memory_of(true);
    }
    assert_int_equal(memory_of(true), used);
    cudaGetLastError();
}

static void plain_names_come_out_of_mangled_ones(void **state)
{
    static const char *const names[][2] = {{"_Z3addPii", "add"},
                                           {"kernel", "kernel"},
                                           {"_ZN4some6kernelEPf", "some::kernel"},
                                           {"_Z6reduceIfLj256EEvPT_", "reduce"},
                                           {"_ZN12_GLOBAL__N_13runEv", "run"},
                                           {"_ZL4onlyv", "only"},
                                           {"_Z99x", "_Z99x"}};
    struct arena mem;
    (void)state;
    arena_init(&mem, NULL, NULL);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_string_equal(runtime_plain_name(names[i][0], &mem), names[i][1]);
    arena_free(&mem);
}

/* ---- fat binaries ---------------------------------------------------------------------------- */

struct entry {
    uint16_t kind, version;
    uint32_t header_bytes;
    uint64_t bytes;
    uint32_t packed_bytes, unknown;
    uint16_t minor, major;
    uint32_t arch, name_offset, name_bytes;
    uint64_t flags, zero, unpacked_bytes;
};

static size_t put_entry(unsigned char *to, uint16_t kind, uint32_t arch, uint64_t flags,
                        const void *data, size_t n, size_t unpacked)
{
    struct entry e = {.kind = kind,
                      .version = 0x101,
                      .header_bytes = sizeof e,
                      .bytes = (n + 7) / 8 * 8,
                      .packed_bytes = flags ? (uint32_t)n : 0,
                      .arch = arch,
                      .flags = flags,
                      .unpacked_bytes = unpacked};
    if (!flags)
        e.bytes = n;
    memcpy(to, &e, sizeof e);
    memcpy(to + sizeof e, data, n);
    return sizeof e + e.bytes;
}

static bool unpack(unsigned char *image, size_t entries, struct arena *mem, const char **text,
                   struct err *err)
{
    struct {
        uint32_t magic;
        uint16_t version, header_bytes;
        uint64_t bytes;
    } head = {0xba55ed50u, 1, 16, entries};
    size_t n;
    memcpy(image, &head, sizeof head);
    return fatbin_ptx(image, mem, text, &n, err);
}

static void ptx_comes_out_of_fat_binaries(void **state)
{
    /* "abcabcabcabc!" in LZ4: three literals, a match of nine at distance three, one literal */
    static const unsigned char lz4[] = {0x35, 'a', 'b', 'c', 3, 0, 0x10, '!'};
    unsigned char image[4096] = {0}, packed[256];
    const char *text;
    struct arena mem;
    struct err err;
    (void)state;
    arena_init(&mem, NULL, NULL);
    err_init(&err);
    size_t n = 16;
    n += put_entry(image + n, 2, 80, 0,
                   "\x7f"
                   "ELF",
                   4, 0);
    assert_false(unpack(image, n - 16, &mem, &text, &err));
    assert_true(strstr(err.first->text, "code=compute_75") != NULL);
    n += put_entry(image + n, 1, 70, 0, "old", 4, 0);
    n += put_entry(image + n, 1, 75, 0x2000, lz4, sizeof lz4, 13);
    assert_true(unpack(image, n - 16, &mem, &text, &err));
    assert_string_equal(text, "abcabcabcabc!");
    size_t z = ZSTD_compress(packed, sizeof packed, "newest", 6, 3);
    n += put_entry(image + n, 1, 90, 0x8000, packed, z, 6);
    assert_true(unpack(image, n - 16, &mem, &text, &err));
    assert_string_equal(text, "newest");
    /* damaged: a match before the beginning, and an entry beyond the end */
    static const unsigned char wrong[] = {0x15, 'a', 9, 0, 0};
    n += put_entry(image + n, 1, 91, 0x2000, wrong, sizeof wrong, 10);
    assert_false(unpack(image, n - 16, &mem, &text, &err));
    assert_false(unpack(image, n - 20, &mem, &text, &err));
    err_free(&err);
    arena_free(&mem);
}

static void damaged_lz4_is_refused(void **state)
{
    unsigned char in[24], out[64];
    (void)state;
    srandom(1);
    for (int round = 0; round < 20000; round++) {
        size_t n = (size_t)random() % sizeof in;
        for (size_t i = 0; i < n; i++)
            in[i] = (unsigned char)random();
        lz4_decode(in, n, out, (size_t)random() % sizeof out); /* the sanitizer judges */
    }
}

/* One sequence of LZ4: `literals` bytes as they are, then `match` from `distance` before; 0: none.
 */
static size_t put_sequence(unsigned char *to, const unsigned char *data, size_t literals,
                           size_t match, size_t distance)
{
    size_t n = 0, lengths[] = {literals, match ? match - 4 : 0};
    to[n++] = (unsigned char)((lengths[0] < 15 ? lengths[0] : 15) << 4 |
                              (lengths[1] < 15 ? lengths[1] : 15));
    for (int k = 0; k < 2; k++) {
        for (size_t rest = lengths[k]; rest >= 15; rest = 0) {
            for (rest -= 15; rest >= 255; rest -= 255)
                to[n++] = 255;
            to[n++] = (unsigned char)rest;
        }
        if (k == 0) {
            memcpy(to + n, data, literals);
            n += literals;
        }
        if (k == 0 && match) {
            to[n++] = (unsigned char)distance;
            to[n++] = (unsigned char)(distance >> 8);
        }
    }
    return n;
}

/* All lengths at which a byte more is needed, and every cut of them. */
static void lz4_of_every_length_is_unpacked(void **state)
{
    static const size_t lengths[] = {1, 4, 14, 15, 16, 18, 19, 20, 269, 270, 271, 273, 274, 525};
    enum { N = sizeof lengths / sizeof *lengths };
    unsigned char data[1024], want[2048], in[2048], out[2048];
    (void)state;
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (unsigned char)(i * 7 + i / 256 * 3);
    for (size_t k = 0; k < N * N; k++) {
        size_t literals = lengths[k / N], match = lengths[k % N] < 4 ? 4 : lengths[k % N];
        size_t distance = literals > 258 ? literals - 1 : 1 + literals / 2;
        size_t n_out = literals + match + 3, n;
        memcpy(want, data, literals);
        for (size_t i = 0; i < match; i++)
            want[literals + i] = want[literals + i - distance];
        memcpy(want + literals + match, "end", 3);
        n = put_sequence(in, data, literals, match, distance);
        n += put_sequence(in + n, (const unsigned char *)"end", 3, 0, 0);
        memset(out, 0, sizeof out);
        assert_true(lz4_decode(in, n, out, n_out));
        assert_memory_equal(out, want, n_out);
        assert_int_equal(out[n_out], 0);
        assert_false(lz4_decode(in, n, out, n_out - 1));
        assert_false(lz4_decode(in, n, out, n_out + 1));
        for (size_t cut = 0; cut < n; cut++)
            assert_false(lz4_decode(in, cut, out, n_out));
    }
}

static void settings_survive_their_text(void **state)
{
    struct runtime_settings a, b;
    struct arena mem;
    struct err err;
    (void)state;
    arena_init(&mem, NULL, NULL);
    err_init(&err);
    runtime_settings_default(&a);
    runtime_settings_default(&b);
    a.sms = 17;
    a.trace = "x=y.trace";
    a.last_launch = 12;
    assert_true(runtime_settings_read(runtime_settings_write(&a, &mem), &mem, &b, &err));
    assert_int_equal(b.sms, 17);
    assert_int_equal(b.last_launch, 12);
    assert_string_equal(b.trace, "x=y.trace");
    assert_null(b.kernels);
    assert_false(runtime_settings_read("nonsense=1\n", &mem, &b, &err));
    assert_false(runtime_settings_read("sms=many\n", &mem, &b, &err));
    assert_false(runtime_settings_read("sms\n", &mem, &b, &err));
    err_free(&err);
    arena_free(&mem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kernel_changes_memory_of_the_device),
        cmocka_unit_test(a_managed_variable_is_the_hosts_and_the_devices),
        cmocka_unit_test(freed_memory_is_used_again),
        cmocka_unit_test(managed_memory_is_the_hosts_too),
        cmocka_unit_test(variables_of_modules_are_reached_by_their_symbol),
        cmocka_unit_test(wrong_calls_have_their_codes),
        cmocka_unit_test(threads_of_the_host_do_not_disturb_each_other),
        cmocka_unit_test(a_fault_spoils_the_device_until_it_is_reset),
        cmocka_unit_test(objects_that_are_no_more_leave_their_memory),
        cmocka_unit_test(refused_launches_take_no_memory_for_ever),
        cmocka_unit_test(plain_names_come_out_of_mangled_ones),
        cmocka_unit_test(ptx_comes_out_of_fat_binaries),
        cmocka_unit_test(damaged_lz4_is_refused),
        cmocka_unit_test(lz4_of_every_length_is_unpacked),
        cmocka_unit_test(settings_survive_their_text),
    };
    return cmocka_run_group_tests(tests, begin, NULL);
}
