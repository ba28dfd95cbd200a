/* SPDX-License-Identifier: MIT
 *
 * Trace files: what is written is read back, and damage is found. */
#include "tests/unit/test.h"

#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/rng.h"
#include "sim/trace/cta_code.h"
#include "sim/trace/format.h"
#include "sim/trace/sink.h"

#define N_CTAS 40
#define N_WARPS 3
#define N_INSTS 200

/* A CTA of mixed behaviour: loops with regular addresses, divergence, scattered addresses. */
struct made {
    struct trace_inst insts[N_WARPS][N_INSTS];
    struct trace_warp warps[N_WARPS];
    uint64_t addresses[N_WARPS * N_INSTS * 32];
    struct trace_cta cta;
};

static const struct trace_static statics[] = {
    {.pc = 0, .cls = TC_INT, .n_dst = 1, .n_src = 2, .dst = {3}, .src = {1, 2}, .line = 10},
    {.pc = 16, .cls = TC_LOAD, .space = TS_GLOBAL, .access_bytes = 4, .flags = TF_READ_ONLY},
    {.pc = 32, .cls = TC_STORE, .space = TS_SHARED, .access_bytes = 8, .n_src = 1, .src = {7}},
    {.pc = 48, .cls = TC_BRANCH, .line = -1},
    {.pc = 64, .cls = TC_ATOMIC, .space = TS_GLOBAL, .access_bytes = 16},
};

static void make_cta(struct made *m, uint32_t id, uint64_t seed)
{
    struct rng r;
    uint32_t n = 0;
    rng_seed(&r, seed, "trace", id);
    for (uint32_t w = 0; w < N_WARPS; w++) {
        uint32_t n_insts = rng_below(&r, 4) == 0 ? 0 : 1 + rng_below(&r, N_INSTS);
        for (uint32_t i = 0; i < n_insts; i++) {
            struct trace_inst *in = &m->insts[w][i];
            uint32_t kind = rng_below(&r, 8);
            in->stat = (uint16_t)(kind == 0 ? rng_below(&r, 5) : i % 5);
            in->mask = kind < 5    ? UINT32_MAX
                       : kind == 5 ? 0x0000ffff
                       : kind == 6 ? (uint32_t)rng_u64(&r)
                                   : 0;
            in->n_addresses = 0;
            in->first_address = 0;
            if (statics[in->stat].space == TS_NONE || in->mask == 0)
                continue;
            in->first_address = n;
            in->n_addresses = (uint16_t)__builtin_popcount(in->mask);
            bool scattered = rng_below(&r, 5) == 0;
            uint64_t base = 0x100000000u + id * 4096u + w * 1024u + i * 128u;
            for (uint32_t l = 0; l < 32; l++)
                if (in->mask >> l & 1)
                    m->addresses[n++] = scattered ? rng_u64(&r) : base + l * 4;
        }
        m->warps[w] = (struct trace_warp){m->insts[w], n_insts};
    }
    m->cta = (struct trace_cta){
        .id = id, .n_warps = N_WARPS, .warps = m->warps, .addresses = m->addresses};
}

static bool same(const struct trace_cta *a, const struct trace_cta *b)
{
    if (a->id != b->id || a->n_warps != b->n_warps)
        return false;
    for (uint32_t w = 0; w < a->n_warps; w++) {
        if (a->warps[w].n_insts != b->warps[w].n_insts)
            return false;
        for (uint32_t i = 0; i < a->warps[w].n_insts; i++) {
            const struct trace_inst *x = &a->warps[w].insts[i], *y = &b->warps[w].insts[i];
            if (x->mask != y->mask || x->stat != y->stat || x->n_addresses != y->n_addresses ||
                memcmp(a->addresses + x->first_address, b->addresses + y->first_address,
                       x->n_addresses * sizeof(uint64_t)) != 0)
                return false;
        }
    }
    return true;
}

static const char *temporary(char path[64])
{
    const char *folder = getenv("TMPDIR");
    snprintf(path, 64, "%s/cw_trace.XXXXXX", folder ? folder : "/tmp");
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    return path;
}

/* What may differ between two traces. */
enum change { SAME, ONE_ADDRESS, ONE_STATIC, SHARED_MEMORY, N_CHANGES };

static void fill(const struct trace_sink *sink, uint64_t seed, enum change change)
{
    struct err err;
    struct made *m = calloc(1, sizeof *m);
    struct trace_static changed[5];
    err_init(&err);
    memcpy(changed, statics, sizeof changed);
    changed[3].cls = change == ONE_STATIC ? TC_BARRIER : TC_BRANCH;
    for (uint32_t k = 0; k < 2; k++) {
        struct trace_kernel kernel = {.name = k ? "second" : "first",
                                      .grid = {N_CTAS / 2, 2, 1},
                                      .block = {96, 1, 1},
                                      .n_ctas = N_CTAS,
                                      .warps_per_cta = N_WARPS,
                                      .regs_per_thread = 20 + k,
                                      .regs_estimated = k == 1,
                                      .shared_bytes = (1024 + (change == SHARED_MEMORY)) * k};
        assert_true(sink->begin_kernel(sink->ctx, &kernel, &err));
        for (uint32_t c = 0; c < N_CTAS; c++) {
            make_cta(m, c, seed + k);
            m->addresses[0] += change == ONE_ADDRESS && k == 1 && c == 7;
            assert_true(sink->add_cta(sink->ctx, &m->cta, &err));
        }
        assert_true(sink->end_kernel(sink->ctx, changed, 5, &err));
    }
    free(m);
    err_free(&err);
}

static void write_changed(const char *path, uint64_t seed, enum change change)
{
    struct err err;
    err_init(&err);
    struct trace_writer *w = trace_writer_open(path, "made", &err);
    assert_non_null(w);
    struct trace_sink sink = trace_writer_sink(w);
    fill(&sink, seed, change);
    assert_true(trace_writer_close(w, &err));
    err_free(&err);
}

static void write_file(const char *path, uint64_t seed)
{
    write_changed(path, seed, SAME);
}

static void what_is_written_is_read_back(void **state)
{
    char path[64];
    struct err err;
    struct arena mem;
    struct trace_source src;
    struct made *m = calloc(1, sizeof *m);
    (void)state;
    err_init(&err);
    arena_init(&mem, NULL, NULL);
    write_file(temporary(path), 5);
    assert_true(trace_open(path, &mem, &src, &err));
    assert_string_equal(src.name, "made");
    assert_int_equal(src.n_kernels, 2);
    assert_string_equal(src.kernels[1].name, "second");
    assert_int_equal(src.kernels[1].grid.x, N_CTAS / 2);
    assert_int_equal(src.kernels[1].regs_per_thread, 21);
    assert_true(src.kernels[1].regs_estimated);
    assert_int_equal(src.kernels[1].shared_bytes, 1024);
    assert_int_equal(src.kernels[0].n_statics, 5);
    assert_memory_equal(&src.kernels[0].statics[1], &statics[1], sizeof statics[1]);
    assert_int_equal(src.kernels[0].statics[3].line, -1);
    uint64_t n_insts = 0;
    /* in an order that is not the one of the file */
    for (uint32_t k = 2; k-- > 0;)
        for (uint32_t i = 0; i < N_CTAS; i++) {
            uint32_t c = i * 7 % N_CTAS;
            struct trace_cta cta;
            make_cta(m, c, 5 + k);
            assert_true(src.load_cta(&src, k, c, &cta, &err));
            assert_true(same(&cta, &m->cta));
            for (uint32_t w = 0; k == 0 && w < N_WARPS; w++)
                n_insts += cta.warps[w].n_insts;
            src.free_cta(&src, &cta);
        }
    assert_int_equal(src.kernels[0].n_warp_insts, n_insts);
    struct trace_cta cta;
    assert_false(src.load_cta(&src, 0, N_CTAS, &cta, &err));
    src.close(&src);
    unlink(path);
    arena_free(&mem);
    err_free(&err);
    free(m);
}

static void identity_follows_the_content(void **state)
{
    char a[64], b[64], c[64];
    struct err err;
    struct arena mem;
    struct trace_source x, y, z;
    (void)state;
    err_init(&err);
    arena_init(&mem, NULL, NULL);
    write_file(temporary(a), 5);
    write_file(temporary(b), 5);
    write_file(temporary(c), 6);
    assert_true(trace_open(a, &mem, &x, &err) && trace_open(b, &mem, &y, &err) &&
                trace_open(c, &mem, &z, &err));
    assert_true(x.identity == y.identity);
    assert_true(x.identity != z.identity);
    x.close(&x);
    y.close(&y);
    z.close(&z);
    unlink(a);
    unlink(b);
    unlink(c);
    arena_free(&mem);
    err_free(&err);
}

/* Results are kept under the identity: where a trace lies must not matter, what is in it must. */
static void a_file_and_memory_have_one_identity(void **state)
{
    uint64_t seen[N_CHANGES];
    (void)state;
    for (int change = 0; change < N_CHANGES; change++) {
        char path[64];
        struct err err;
        struct arena mem;
        struct trace_source file, memory;
        struct trace_memory *m = trace_memory_new("made");
        struct trace_sink sink = trace_memory_sink(m);
        err_init(&err);
        arena_init(&mem, NULL, NULL);
        write_changed(temporary(path), 5, (enum change)change);
        assert_true(trace_open(path, &mem, &file, &err));
        fill(&sink, 5, (enum change)change);
        trace_memory_source(m, &memory);
        assert_true(file.identity == memory.identity);
        seen[change] = file.identity;
        for (int k = 0; k < change; k++)
            assert_true(seen[change] != seen[k]);
        file.close(&file);
        memory.close(&memory);
        unlink(path);
        arena_free(&mem);
        err_free(&err);
    }
}

/* True if the file opens and every CTA can be read; the first error's text is copied. */
static bool reads(const char *path, char text[256])
{
    struct err err;
    struct arena mem;
    struct trace_source src;
    err_init(&err);
    arena_init(&mem, NULL, NULL);
    bool ok = trace_open(path, &mem, &src, &err);
    if (ok) {
        for (uint32_t k = 0; k < src.n_kernels && ok; k++)
            for (uint32_t c = 0; c < src.kernels[k].n_ctas && ok; c++) {
                struct trace_cta cta;
                ok = src.load_cta(&src, k, c, &cta, &err);
                if (ok)
                    src.free_cta(&src, &cta);
            }
        src.close(&src);
    }
    text[0] = '\0';
    if (err.first)
        snprintf(text, 256, "%s", err_entry_text(err.first, &mem));
    assert_int_equal(ok, err.n_errors == 0);
    arena_free(&mem);
    err_free(&err);
    return ok;
}

static void a_file_cut_off_anywhere_is_refused_with_an_offset(void **state)
{
    char path[64], text[256];
    struct err err;
    struct arena mem;
    char *data;
    size_t n;
    (void)state;
    err_init(&err);
    arena_init(&mem, NULL, NULL);
    write_file(temporary(path), 9);
    assert_true(file_read(path, 1 << 26, &mem, &data, &n, &err));
    assert_true(reads(path, text));
    for (size_t cut = 0; cut < n; cut += cut < 200 ? 1 : 997) {
        assert_true(file_write(path, data, cut, &err));
        assert_false(reads(path, text));
        if (!strstr(text, "damaged at byte")) {
            print_error("cut at %zu: %s\n", cut, text);
            fail();
        }
    }
    unlink(path);
    arena_free(&mem);
    err_free(&err);
}

/* Below the compression and its checksum: the bytes of one CTA, without their end. */
static void a_cta_cut_off_anywhere_is_refused(void **state)
{
    struct made *m = calloc(1, sizeof *m);
    struct trace_coder *coder = trace_coder_new();
    struct trace_limits limits = {N_WARPS * N_INSTS, N_WARPS * N_INSTS * 32};
    (void)state;
    assert_non_null(m);
    assert_non_null(coder);
    for (uint32_t id = 0; id < 4; id++) {
        struct trace_bytes bytes = {0};
        struct trace_cta back;
        const char *why = NULL;
        make_cta(m, id, 5);
        assert_true(trace_encode_cta(coder, &m->cta, &bytes, &why));
        for (size_t n = 0; n <= bytes.n; n++) {
            uint8_t *part = malloc(n + !n); /* its end is where the sanitizer looks */
            assert_non_null(part);
            memcpy(part, bytes.at, n);
            struct trace_reader in = {.at = part, .end = part + n};
            bool ok = trace_decode_cta(coder, &in, 5, &limits, &back, &why);
            assert_int_equal(ok, n == bytes.n);
            if (ok) {
                back.id = id;
                assert_true(same(&m->cta, &back));
                free(back.owner);
            } else {
                assert_non_null(why);
            }
            free(part);
        }
        free(bytes.at);
    }
    trace_coder_free(coder);
    free(m);
}

static void a_damaged_byte_is_found_and_never_crashes(void **state)
{
    char path[64], text[256];
    struct err err;
    struct arena mem;
    char *data;
    size_t n;
    struct rng r;
    (void)state;
    err_init(&err);
    arena_init(&mem, NULL, NULL);
    rng_seed(&r, 3, "damage", 0);
    write_file(temporary(path), 9);
    assert_true(file_read(path, 1 << 26, &mem, &data, &n, &err));
    for (size_t i = 0; i < 400; i++) {
        size_t at = i < TRACE_HEADER_BYTES ? i : rng_below(&r, (uint32_t)n);
        char flip = (char)(1 << rng_below(&r, 8));
        data[at] ^= flip;
        assert_true(file_write(path, data, n, &err));
        /* bits that zstd does not need (a frame's reserved bit) may change without effect */
        if (reads(path, text) && at < TRACE_HEADER_BYTES) {
            print_error("byte %zu changed, and nobody noticed\n", at);
            fail();
        }
        data[at] ^= flip;
    }
    unlink(path);
    arena_free(&mem);
    err_free(&err);
}

static void other_files_are_refused(void **state)
{
    char path[64], text[256];
    struct err err;
    (void)state;
    err_init(&err);
    temporary(path);
    char junk[100] = "hello, this is not a trace at all, but it is long enough for a header, is it "
                     "not? yes";
    assert_true(file_write(path, junk, sizeof junk, &err));
    assert_false(reads(path, text));
    assert_non_null(strstr(text, "this is not a crosswatt trace"));
    memcpy(junk, TRACE_MAGIC "\x02\0\0\0", 12);
    assert_true(file_write(path, junk, sizeof junk, &err));
    assert_false(reads(path, text));
    assert_non_null(strstr(text, "of format 2; this program reads format 1"));
    unlink(path);
    assert_false(reads(path, text));
    assert_non_null(strstr(text, "No such file"));
    err_free(&err);
}

static void a_file_that_is_not_finished_leaves_nothing(void **state)
{
    struct err err;
    char path[64];
    (void)state;
    err_init(&err);
    temporary(path);
    unlink(path);
    struct trace_writer *w = trace_writer_open(path, "x", &err);
    assert_non_null(w);
    struct trace_kernel k = {.name = "k", .n_ctas = 1};
    assert_true(trace_writer_begin_kernel(w, &k, &err));
    assert_false(trace_writer_close(w, &err));
    assert_false(file_exists(path));
    assert_int_equal(err.n_errors, 1);
    err_free(&err);
}

static void a_cta_without_the_warps_of_its_kernel_is_refused(void **state)
{
    static const uint32_t says[] = {0, N_WARPS - 1, N_WARPS, N_WARPS + 1};
    struct made *m = calloc(1, sizeof *m);
    (void)state;
    make_cta(m, 0, 5);
    for (size_t i = 0; i < sizeof says / sizeof *says; i++) {
        struct err err;
        struct arena mem;
        struct trace_source src;
        struct trace_cta cta;
        char path[64];
        err_init(&err);
        arena_init(&mem, NULL, NULL);
        struct trace_writer *w = trace_writer_open(temporary(path), "made", &err);
        struct trace_kernel kernel = {
            .name = "k", .grid = {1, 1, 1}, .n_ctas = 1, .warps_per_cta = says[i]};
        assert_non_null(w);
        assert_true(trace_writer_begin_kernel(w, &kernel, &err));
        assert_true(trace_writer_add_cta(w, &m->cta, &err));
        assert_true(trace_writer_end_kernel(w, statics, 5, &err));
        assert_true(trace_writer_close(w, &err));
        bool opens = trace_open(path, &mem, &src, &err);
        assert_int_equal(opens, says[i] != 0);
        bool loads = opens && src.load_cta(&src, 0, 0, &cta, &err);
        assert_int_equal(loads, says[i] == N_WARPS);
        assert_int_equal(err.n_errors, says[i] != N_WARPS);
        if (loads)
            src.free_cta(&src, &cta);
        if (opens)
            src.close(&src);
        arena_free(&mem);
        err_free(&err);
        unlink(path);
    }
    free(m);
}

/* ---- size ------------------------------------------------------------------------------------ */

static void a_regular_loop_costs_next_to_nothing(void **state)
{
    enum { N = 10000 };
    struct trace_inst *insts = calloc(N, sizeof *insts);
    uint64_t *addresses = calloc(N * 32, sizeof *addresses);
    struct trace_warp warp = {insts, N};
    struct trace_cta cta = {.n_warps = 1, .warps = &warp, .addresses = addresses};
    struct trace_coder *coder = trace_coder_new();
    struct trace_bytes out = {0};
    const char *why;
    uint32_t n = 0;
    (void)state;
    for (uint32_t i = 0; i < N; i++) {
        insts[i] = (struct trace_inst){.mask = UINT32_MAX, .stat = (uint16_t)(i % 10)};
        if (i % 10 == 3) {
            insts[i].n_addresses = 32;
            insts[i].first_address = n;
            for (uint32_t l = 0; l < 32; l++)
                addresses[n++] = 4096 + (i / 10) * 128 + l * 4;
        }
    }
    assert_true(trace_encode_cta(coder, &cta, &out, &why));
    assert_true(out.n < 40);
    trace_coder_free(coder);
    free(out.at);
    free(insts);
    free(addresses);
}

static void a_cta_that_touches_no_memory_has_no_addresses(void **state)
{
    struct trace_inst insts[] = {{.mask = UINT32_MAX, .stat = 0}, {.mask = 3, .stat = 1}};
    struct trace_warp warp = {insts, 2};
    struct trace_cta cta = {.n_warps = 1, .warps = &warp, .addresses = NULL};
    struct trace_coder *coder = trace_coder_new();
    struct trace_bytes out = {0};
    const char *why;
    (void)state;
    assert_true(trace_encode_cta(coder, &cta, &out, &why));
    assert_true(out.n > 0);
    trace_coder_free(coder);
    free(out.at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read_back),
        cmocka_unit_test(identity_follows_the_content),
        cmocka_unit_test(a_file_and_memory_have_one_identity),
        cmocka_unit_test(a_file_cut_off_anywhere_is_refused_with_an_offset),
        cmocka_unit_test(a_cta_cut_off_anywhere_is_refused),
        cmocka_unit_test(a_damaged_byte_is_found_and_never_crashes),
        cmocka_unit_test(other_files_are_refused),
        cmocka_unit_test(a_file_that_is_not_finished_leaves_nothing),
        cmocka_unit_test(a_cta_without_the_warps_of_its_kernel_is_refused),
        cmocka_unit_test(a_regular_loop_costs_next_to_nothing),
        cmocka_unit_test(a_cta_that_touches_no_memory_has_no_addresses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
