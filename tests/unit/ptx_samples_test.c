/* SPDX-License-Identifier: MIT
 *
 * tests/data/ptx/samples.cu as nvcc 13 and clang 14 compile it: every kernel, against C. */
#include "tests/unit/test.h"

#include "sim/ptx/interpreter.h"

struct sample {
    struct err err;
    struct ptx_device dev;
};

static void *place(struct sample *s, const char *name, uint64_t bytes, uint64_t *address)
{
    uint32_t seg = ptx_device_alloc(&s->dev, name, bytes, NOWHERE, &s->err);
    assert_true(seg != UINT32_MAX);
    *address = s->dev.segments[seg].base;
    return s->dev.segments[seg].host;
}

static void start(struct sample *s, const char *entry, struct trace_dim grid,
                  struct trace_dim block, const void *params)
{
    struct ptx_kernel k;
    struct ptx_counts counts = {0};
    bool ok = ptx_decode(&s->dev.layout, entry, &s->dev.mem, &k, &s->err);
    struct ptx_launch l = {.kernel = &k, .grid = grid, .block = block, .params = params};
    if (!ok || !ptx_run(&s->dev, &l, NULL, &counts, &s->err)) {
        print_error("%s\n", err_entry_text(s->err.first, &s->err.mem));
        fail();
    }
}

#define DIM(...) ((struct trace_dim){__VA_ARGS__})

static void check_vecadd(struct sample *s)
{
    struct {
        uint64_t a, b, c;
        int32_t n;
    } p = {.n = 1000};
    float *a = place(s, "a", 4000, &p.a), *b = place(s, "b", 4000, &p.b);
    float *c = place(s, "c", 4000, &p.c);
    for (int i = 0; i < 1000; i++)
        a[i] = (float)i * 0.1f, b[i] = (float)i;
    start(s, "vecadd", DIM(8, 1, 1), DIM(128, 1, 1), &p);
    for (int i = 0; i < 1000; i++)
        assert_true(c[i] == a[i] + b[i]);
}

static void check_floats(struct sample *s)
{
    enum { N = 32 };
    struct {
        uint64_t a, b, c;
        int32_t n;
    } p = {.n = N};
    float *a = place(s, "a", N * N * 4, &p.a), *b = place(s, "b", N * N * 4, &p.b);
    float *c = place(s, "c", N * N * 4, &p.c);
    for (int i = 0; i < N * N; i++) {
        a[i] = (float)(i % 7) - 3;
        b[i] = (float)(i % 5) * 0.5f;
    }
    start(s, "matmul", DIM(2, 2, 1), DIM(16, 16, 1), &p);
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) {
            double want = 0; /* small halves: exact in any order */
            for (int k = 0; k < N; k++)
                want += (double)a[y * N + k] * (double)b[k * N + x];
            assert_true((double)c[y * N + x] == want);
        }
    struct {
        uint64_t in, out;
        int32_t w, h;
    } q = {p.a, p.c, N, N};
    float *coef = (void *)s->dev.segments[ptx_device_symbol(&s->dev, &s->dev.layout, "coef")].host;
    coef[0] = 0.5f;
    coef[1] = 0.125f;
    start(s, "stencil", DIM(4, 4, 1), DIM(8, 8, 1), &q);
    for (int y = 1; y < N - 1; y++)
        for (int x = 1; x < N - 1; x++) {
            const float *m = &a[y * N + x];
            assert_true(c[y * N + x] == 0.5f * m[0] + 0.125f * (m[-1] + m[1] + m[-N] + m[N]));
        }
}

static void check_nbody(struct sample *s)
{
    enum { N = 33 };
    struct {
        uint64_t p, f;
        int32_t n;
    } q = {.n = N};
    float *p = place(s, "p", N * 16, &q.p), *f = place(s, "f", N * 16, &q.f);
    for (int i = 0; i < 4 * N; i++)
        p[i] = (float)(i * i % 17) * 0.25f;
    start(s, "nbody", DIM(1, 1, 1), DIM(N, 1, 1), &q);
    for (int i = 0; i < N; i++) {
        double sum = 0;
        for (int j = 0; j < N; j++) {
            double d[3], r = (double)1e-3f;
            for (int k = 0; k < 3; k++) {
                d[k] = (double)p[4 * j + k] - (double)p[4 * i + k];
                r += d[k] * d[k];
            }
            sum += d[0] * (double)p[4 * j + 3] / (r * sqrt(r));
        }
        assert_true(fabs((double)f[4 * i] - sum) <= 1e-4 * (1 + fabs(sum)));
        assert_true(f[4 * i + 3] == 0);
    }
}

static uint32_t class_of(uint32_t x, uint32_t i, const uint32_t *in)
{
    uint32_t r = 0;
    switch (x & 7) {
    case 0: return x / 3;
    case 1: return x % 10;
    case 2:
        while (r < 40 && !(x >> (r & 31) & 1))
            r++;
        return r;
    case 3: return (uint32_t)((uint64_t)x * x >> 32);
    case 4: return ((const uint8_t *)in)[i];
    case 5: return (uint32_t)((int32_t)x >> 3);
    default: return ~x;
    }
}

static void check_integers(struct sample *s)
{
    enum { N = 500 };
    struct {
        uint64_t in, out;
        int32_t n;
    } p = {.n = N};
    uint32_t *in = place(s, "in", N * 4, &p.in), *out = place(s, "out", N * 4, &p.out);
    for (uint32_t i = 0; i < N; i++)
        in[i] = i * 2654435761u;
    start(s, "classes", DIM(4, 1, 1), DIM(128, 1, 1), &p);
    for (uint32_t i = 0; i < N; i++)
        assert_int_equal(out[i], class_of(in[i], i, in));
    memset(out, 0, N * 4);
    start(s, "histogram", DIM(3, 1, 1), DIM(96, 1, 1), &p);
    uint32_t bins[64] = {0};
    for (uint32_t i = 0; i < N; i++)
        bins[in[i] & 63]++;
    assert_memory_equal(out, bins, sizeof bins);
}

static void check_search(struct sample *s)
{
    enum { N = 64 };
    struct {
        uint64_t row, col, dist;
        int32_t level, n;
        uint64_t again;
    } p = {.n = N};
    int32_t *row = place(s, "row", (N + 1) * 4, &p.row), *col = place(s, "col", 2 * N * 4, &p.col);
    int32_t *dist = place(s, "dist", N * 4, &p.dist), *again = place(s, "again", 4, &p.again);
    for (int v = 0; v < N; v++) { /* v -> 2v+1, 2v+2, as far as they exist: a binary tree */
        row[v + 1] = row[v];
        for (int k = 1; k <= 2; k++)
            if (2 * v + k < N)
                col[row[v + 1]++] = 2 * v + k;
        dist[v] = v ? -1 : 0;
    }
    do {
        *again = 0;
        start(s, "bfs_level", DIM(2, 1, 1), DIM(48, 1, 1), &p);
        p.level++;
    } while (*again);
    for (int v = 0; v < N; v++)
        assert_int_equal(dist[v], 31 - __builtin_clz((unsigned)v + 1));
}

static void check_doubles(struct sample *s)
{
    struct {
        double a;
        uint64_t x, y;
        int32_t n;
    } q = {.a = 2.5, .n = 50};
    double *x = place(s, "x", 400, &q.x), *y = place(s, "y", 400, &q.y);
    for (int i = 0; i < 50; i++)
        x[i] = i, y[i] = 1;
    start(s, "axpy64", DIM(1, 1, 1), DIM(64, 1, 1), &q);
    for (int i = 0; i < 50; i++)
        assert_true(y[i] == 2.5 * i + 1);
}

static void check_file(const char *file)
{
    struct sample s;
    err_init(&s.err);
    assert_true(ptx_device_open(&s.dev, file, &s.err));
    check_vecadd(&s);
    check_floats(&s);
    check_nbody(&s);
    check_integers(&s);
    check_search(&s);
    check_doubles(&s);
    ptx_device_close(&s.dev);
    err_free(&s.err);
}

static void kernels_by_nvcc_run(void **state)
{
    (void)state;
    check_file("tests/data/ptx/samples.nvcc13.ptx");
}

static void kernels_by_clang_run(void **state)
{
    (void)state;
    check_file("tests/data/ptx/samples.clang14.ptx");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_by_nvcc_run),
        cmocka_unit_test(kernels_by_clang_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
