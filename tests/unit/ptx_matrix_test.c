/* SPDX-License-Identifier: MIT
 *
 * Matrix instructions against plain products, with the places of elements as the PTX ISA lists them
 * one by one; ldmatrix; cp.async. */
#include "tests/unit/test.h"

#include "sim/ptx/interpreter.h"

struct fixture {
    struct err err;
    struct ptx_device dev;
    struct ptx_kernel kernel;
    uint64_t address;
    uint8_t *bytes;
    struct ptx_counts counts;
};

static bool begin(struct fixture *f, const char *body)
{
    struct arena mem;
    arena_init(&mem, NULL, NULL);
    const char *text =
        arena_printf(&mem, ".version 7.8\n.target sm_80\n.address_size 64\n%s", body);
    *f = (struct fixture){0};
    err_init(&f->err);
    bool ok = ptx_device_load(&f->dev, "k.ptx", text, strlen(text), &f->err) &&
              ptx_decode(&f->dev.layout, "k", &f->dev.mem, &f->kernel, &f->err);
    arena_free(&mem);
    if (!ok)
        return false;
    uint32_t s = ptx_device_alloc(&f->dev, "buffer", 65536, NOWHERE, &f->err);
    f->address = f->dev.segments[s].base;
    f->bytes = f->dev.segments[s].host;
    return true;
}

static bool run(struct fixture *f, uint32_t threads)
{
    struct ptx_launch l = {.kernel = &f->kernel,
                           .grid = {1, 1, 1},
                           .block = {threads, 1, 1},
                           .params = (const uint8_t *)&f->address,
                           .races = PTX_RACES_ALL};
    return ptx_run(&f->dev, &l, NULL, &f->counts, &f->err);
}

static bool launch(struct fixture *f)
{
    bool ok = run(f, 32);
    if (!ok)
        print_error("%s\n", err_entry_text(f->err.first, &f->err.mem));
    return ok;
}

static void done(struct fixture *f)
{
    ptx_device_close(&f->dev);
    err_free(&f->err);
}

/* Registers of a kind, register r of lane l at word base + r * 32 + l. */
static const char *moves(const char *op, const char *name, const char *type, uint32_t n,
                         uint32_t base, struct arena *mem)
{
    const char *text = "";
    for (uint32_t r = 0; r < n; r++)
        text = op[0] == 'l' ? arena_printf(mem, "%sld.global.%s %%%s%u, [%%o+%u];\n", text, type,
                                           name, r, (base + r * 32) * 4)
                            : arena_printf(mem, "%sst.global.%s [%%o+%u], %%%s%u;\n", text, type,
                                           (base + r * 32) * 4, name, r);
    return text;
}

static const char *list(const char *name, uint32_t n, struct arena *mem)
{
    const char *text = arena_printf(mem, "%%%s0", name);
    for (uint32_t r = 1; r < n; r++)
        text = arena_printf(mem, "%s, %%%s%u", text, name, r);
    return arena_printf(mem, "{%s}", text);
}

struct shape {
    const char *op;
    uint32_t m, k, per; /* per: elements in a register */
    char kind;          /* h: f16, b: bf16, t: tf32, i: s8 or s4, u: u8 or u4 */
    bool half_sums;
    uint32_t steps; /* of the tensor unit */
};

static const struct shape shapes[] = {
    {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", 16, 8, 2, 'h', false, 4},
    {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 16, 16, 2, 'h', false, 8},
    {"mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", 16, 16, 2, 'h', true, 8},
    {"mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32", 16, 8, 2, 'b', false, 4},
    {"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", 16, 16, 2, 'b', false, 8},
    {"mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32", 16, 4, 1, 't', false, 4},
    {"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", 16, 8, 1, 't', false, 8},
    {"mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32", 8, 16, 4, 'i', false, 2},
    {"mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32", 16, 16, 4, 'i', false, 4},
    {"mma.sync.aligned.m16n8k32.row.col.satfinite.s32.u8.u8.s32", 16, 32, 4, 'u', false, 8},
    {"mma.sync.aligned.m8n8k32.row.col.s32.s4.s4.s32", 8, 32, 8, 'i', false, 2},
    {"mma.sync.aligned.m16n8k32.row.col.s32.u4.u4.s32", 16, 32, 8, 'u', false, 4},
    {"mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32", 16, 64, 8, 'i', false, 8},
};

/* The ISA's lists: element i of a thread's part of A. */
static void place_of_a(const struct shape *s, uint32_t lane, uint32_t i, uint32_t *row,
                       uint32_t *col)
{
    uint32_t g = lane >> 2, t = lane % 4;
    if (s->per == 8) {
        *row = i < 8 || (i >= 16 && i < 24) ? g : g + 8;
        *col = t * 8 + (i & 7) + (i < 16 ? 0 : 32);
    } else if (s->m == 8) { /* m8n8k16: a0..a3 */
        *row = g;
        *col = t * 4 + (i & 3);
    } else if (s->per == 4) {
        *row = i < 4 || (i >= 8 && i < 12) ? g : g + 8;
        *col = t * 4 + (i & 3) + (i < 8 ? 0 : 16);
    } else if (s->per == 2) {
        *row = i < 2 || (i >= 4 && i < 6) ? g : g + 8;
        *col = t * 2 + (i & 1) + (i < 4 ? 0 : 8);
    } else {
        *row = i == 0 || i == 2 ? g : g + 8;
        *col = i < 2 ? t : t + 4;
    }
}

static void place_of_b(const struct shape *s, uint32_t lane, uint32_t i, uint32_t *row,
                       uint32_t *col)
{
    uint32_t t = lane % 4;
    *col = lane >> 2;
    *row = s->per == 8   ? t * 8 + (i & 7) + (i < 8 ? 0 : 32)
           : s->per == 4 ? t * 4 + (i & 3) + (i < 4 ? 0 : 16)
           : s->per == 2 ? t * 2 + (i & 1) + (i < 2 ? 0 : 8)
                         : (i == 0 ? t : t + 4);
}

/* Small whole numbers are the same in every type. */
static void put(uint8_t *to, const struct shape *s, uint32_t reg_word, uint32_t i, int v)
{
    static const uint16_t half[] = {0, 0x3c00, 0x4000, 0x4200, 0x4400, 0x4500};
    static const uint16_t brain[] = {0, 0x3f80, 0x4000, 0x4040, 0x4080, 0x40a0};
    uint32_t sign = v < 0, size = (uint32_t)(v < 0 ? -v : v);
    uint16_t h = (uint16_t)((s->kind == 'h' ? half[size] : brain[size]) | sign << 15);
    float f = (float)v;
    int8_t b = (int8_t)v;
    if (s->per == 8)
        to[reg_word * 4 + i / 2] |= (uint8_t)((b & 15) << i % 2 * 4);
    else if (s->per == 1)
        memcpy(to + reg_word * 4, &f, 4);
    else if (s->per == 2)
        memcpy(to + reg_word * 4 + 2 * i, &h, 2);
    else
        memcpy(to + reg_word * 4 + i, &b, 1);
}

static void run_shape(const struct shape *s, struct arena *mem)
{
    struct fixture f;
    uint32_t n_a = s->m * s->k / 32 / s->per, n_b = s->k * 8 / 32 / s->per;
    uint32_t n_c = s->half_sums ? s->m / 8 : s->m / 4;
    bool whole = s->kind == 'i' || s->kind == 'u';
    const char *ct = s->half_sums ? "b32" : whole ? "s32" : "f32";
    const char *body = arena_printf(
        mem,
        ".visible .entry k(.param .u64 p)\n{ .reg .b32 %%a<4>, %%b<2>, %%t; .reg .%s %%c<4>, "
        "%%d<4>;\n"
        ".reg .b64 %%o, %%x;\nld.param.u64 %%o, [p]; mov.u32 %%t, %%tid.x; mul.wide.u32 %%x, %%t, "
        "4;\n"
        "add.u64 %%o, %%o, %%x;\n%s%s%s%s %s, %s, %s, %s;\n%sret; }\n",
        ct, moves("ld", "a", "b32", n_a, 0, mem), moves("ld", "b", "b32", n_b, 128, mem),
        moves("ld", "c", ct, n_c, 256, mem), s->op, list("d", n_c, mem), list("a", n_a, mem),
        list("b", n_b, mem), list("c", n_c, mem), moves("st", "d", ct, n_c, 512, mem));
    if (!begin(&f, body)) {
        print_error("%s: %s\n", s->op, err_entry_text(f.err.first, &f.err.mem));
        fail();
    }
    for (uint32_t i = 0; i < f.kernel.n_codes; i++)
        if (f.kernel.codes[i].kind == PK_MMA)
            assert_int_equal(f.kernel.statics[f.kernel.codes[i].stat].access_bytes, s->steps);
    int a[16][64] = {0}, b[64][8] = {0};
    uint32_t row, col;
    for (uint32_t l = 0; l < 32; l++) {
        for (uint32_t i = 0; i < n_a * s->per; i++) {
            place_of_a(s, l, i, &row, &col);
            a[row][col] = (int)((row * 7 + col * 3) % 6) - (s->kind == 'u' ? 0 : 2);
            put(f.bytes, s, i / s->per * 32 + l, i % s->per, a[row][col]);
        }
        for (uint32_t i = 0; i < n_b * s->per; i++) {
            place_of_b(s, l, i, &row, &col);
            b[row][col] = (int)((row * 5 + col) % 5) - (s->kind == 'u' ? 0 : 1);
            put(f.bytes, s, 128 + i / s->per * 32 + l, i % s->per, b[row][col]);
        }
        for (uint32_t r = 0; r < n_c && !s->half_sums; r++) {
            int32_t v = (int32_t)(r * 10 + l);
            float real = (float)v;
            memcpy(f.bytes + (256 + r * 32 + l) * 4, whole ? (void *)&v : (void *)&real, 4);
        }
    }
    assert_true(launch(&f));
    for (uint32_t l = 0; l < 32; l++)
        for (uint32_t i = 0; i < s->m / 4; i++) {
            uint32_t cr = (l >> 2) + (i < 2 ? 0 : 8), cc = l % 4 * 2 + (i & 1);
            int want = s->half_sums ? 0 : (int)(i * 10 + l);
            for (uint32_t k = 0; k < s->k; k++)
                want += a[cr][k] * b[k][cc];
            float real;
            int32_t got;
            uint16_t h;
            memcpy(&got, f.bytes + (512 + i * 32 + l) * 4, 4);
            memcpy(&real, &got, 4);
            memcpy(&h, f.bytes + (512 + i / 2 * 32 + l) * 4 + 2 * (i & 1), 2);
            double is = whole ? got : s->half_sums ? ptx_half_to_double(h) : (double)real;
            if (is != want) {
                print_error("%s: lane %u element %u: %g, not %d\n", s->op, l, i, is, want);
                fail();
            }
        }
    done(&f);
}

static void products_are_what_plain_loops_give(void **state)
{
    struct arena mem;
    (void)state;
    arena_init(&mem, NULL, NULL);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        run_shape(&shapes[i], &mem);
    arena_free(&mem);
}

/* Single bits: how many are set in both, or differ. */
static void products_of_bits_count_them(void **state)
{
    static const struct {
        uint32_t m, k;
        const char *how;
    } cases[] = {{8, 128, "xor"}, {16, 128, "and"}, {16, 256, "xor"}, {16, 256, "and"}};
    struct arena mem;
    (void)state;
    arena_init(&mem, NULL, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t m = cases[i].m, k = cases[i].k, n_a = m * k / 1024, n_b = k / 128, n_c = m / 4;
        struct fixture f;
        assert_true(begin(
            &f, arena_printf(
                    &mem,
                    ".visible .entry k(.param .u64 p)\n{ .reg .b32 %%a<4>, %%b<2>, %%t; "
                    ".reg .s32 %%c<4>, %%d<4>;\n.reg .b64 %%o, %%x;\nld.param.u64 %%o, [p]; "
                    "mov.u32 %%t, %%tid.x; mul.wide.u32 %%x, %%t, 4;\nadd.u64 %%o, %%o, %%x;\n"
                    "%s%s%smma.sync.aligned.m%un8k%u.row.col.s32.b1.b1.s32.%s.popc "
                    "%s, %s, %s, %s;\n%sret; }\n",
                    moves("ld", "a", "b32", n_a, 0, &mem), moves("ld", "b", "b32", n_b, 128, &mem),
                    moves("ld", "c", "s32", n_c, 256, &mem), m, k, cases[i].how,
                    list("d", n_c, &mem), list("a", n_a, &mem), list("b", n_b, &mem),
                    list("c", n_c, &mem), moves("st", "d", "s32", n_c, 512, &mem))));
        uint32_t *words = (void *)f.bytes, a[16][8] = {{0}}, b[8][8] = {{0}}; /* words of a row */
        for (uint32_t l = 0; l < 32; l++) {
            for (uint32_t r = 0; r < n_a; r++) {
                uint32_t row = l / 4 + (m == 16 && r % 2 ? 8 : 0), at = l % 4 + r / 2 * 4;
                words[r * 32 + l] = a[row][at] = (row + 3) * 0x9e3779b9u + at * 0x85ebca6bu;
            }
            for (uint32_t r = 0; r < n_b; r++)
                words[128 + r * 32 + l] = b[l / 4][l % 4 + r * 4] =
                    (l / 4 + 1) * 0xc2b2ae35u ^ (l % 4 + r * 4) * 0x27d4eb2fu;
            for (uint32_t r = 0; r < n_c; r++)
                words[256 + r * 32 + l] = 1000 * r + l;
        }
        assert_true(launch(&f));
        for (uint32_t l = 0; l < 32; l++)
            for (uint32_t r = 0; r < n_c; r++) {
                uint32_t want = 1000 * r + l, row = l / 4 + r / 2 * 8, col = l % 4 * 2 + r % 2;
                for (uint32_t at = 0; at < k / 32; at++)
                    want += (uint32_t)__builtin_popcount(
                        cases[i].how[0] == 'a' ? a[row][at] & b[col][at] : a[row][at] ^ b[col][at]);
                assert_int_equal(words[512 + r * 32 + l], want);
            }
        done(&f);
    }
    arena_free(&mem);
}

/* Sums that leave the range of whole numbers wrap around or stop; what is no number stays none. */
static void sums_beyond_their_range_stop_or_wrap_as_asked(void **state)
{
    static const struct {
        const char *mods, *types, *sum;
        uint32_t factor, old, want; /* all elements alike */
    } cases[] = {
        {"", "s32.s8.s8.s32", "s32", 0x7f7f7f7f, 0x7fffffff, 0x8003f00f},
        {".satfinite", "s32.s8.s8.s32", "s32", 0x7f7f7f7f, 0x7fffffff, 0x7fffffff},
        {".satfinite", "s32.s8.u8.s32", "s32", 0xffffffff, 0x80000000, 0x80000000},
        {"", "s32.s8.u8.s32", "s32", 0xffffffff, 0, (uint32_t)-4080}, /* 16 x -1 x 255 */
        {"", "s32.u8.s8.s32", "s32", 0xffffffff, 0, (uint32_t)-4080},
    };
    struct arena mem;
    (void)state;
    arena_init(&mem, NULL, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture f;
        assert_true(begin(
            &f, arena_printf(
                    &mem,
                    ".visible .entry k(.param .u64 p)\n{ .reg .b32 %%a<2>, %%t; .reg .s32 "
                    "%%c<2>, %%d<2>;\n.reg .b64 %%o, %%x;\nld.param.u64 %%o, [p]; mov.u32 "
                    "%%t, %%tid.x; mul.wide.u32 %%x, %%t, 4;\nadd.u64 %%o, %%o, %%x;\nmov.u32 "
                    "%%a0, %u; mov.u32 %%a1, %u; mov.u32 %%c0, %u; mov.u32 %%c1, %u;\n"
                    "mma.sync.aligned.m8n8k16.row.col%s.%s {%%d0, %%d1}, {%%a0}, {%%a1}, {%%c0, "
                    "%%c1};\n%sret; }\n",
                    cases[i].factor, cases[i].factor, cases[i].old, cases[i].old, cases[i].mods,
                    cases[i].types, moves("st", "d", "s32", 2, 0, &mem))));
        assert_true(launch(&f));
        for (uint32_t l = 0; l < 64; l++)
            assert_int_equal(((uint32_t *)(void *)f.bytes)[l], cases[i].want);
        done(&f);
    }
    struct fixture f;
    assert_true(begin(&f,
                      ".visible .entry k(.param .u64 p)\n{ .reg .b32 %a; .reg .f32 %c, %d<4>; "
                      ".reg .b64 %o;\nld.param.u64 %o, [p]; mov.b32 %a, 0x7fc07fc0; mov.f32 %c, "
                      "0f3f800000;\nmma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 "
                      "{%d0, %d1, %d2, %d3}, {%a, %a}, {%a}, {%c, %c, %c, %c};\n"
                      "st.global.f32 [%o], %d3; ret; }\n"));
    assert_true(launch(&f));
    assert_int_equal(*(uint32_t *)(void *)f.bytes, 0x7fffffff); /* the ISA's canonical NaN */
    done(&f);
    arena_free(&mem);
}

static void doubles_are_multiplied_and_fused(void **state)
{
    struct fixture f;
    struct arena mem;
    (void)state;
    arena_init(&mem, NULL, NULL);
    assert_true(begin(
        &f,
        ".visible .entry k(.param .u64 p)\n{ .reg .f64 %a, %b, %c<2>, %d<2>; .reg .b32 %t; .reg "
        ".b64 %o, %x;\nld.param.u64 %o, [p]; mov.u32 %t, %tid.x; mul.wide.u32 %x, %t, 8;\n"
        "add.u64 %o, %o, %x; ld.global.f64 %a, [%o]; ld.global.f64 %b, [%o+256];\n"
        "ld.global.f64 %c0, [%o+512]; ld.global.f64 %c1, [%o+768];\n"
        "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%d0, %d1}, {%a}, {%b}, {%c0, %c1};\n"
        "st.global.f64 [%o+1024], %d0; st.global.f64 [%o+1280], %d1; ret; }\n"));
    double *v = (void *)f.bytes;
    for (uint32_t i = 0; i < 128; i++)
        v[i] = 1 + 1e-9 * (i * i % 37);
    assert_true(launch(&f));
    for (uint32_t l = 0; l < 32; l++)
        for (uint32_t e = 0; e < 2; e++) {
            double want = v[64 + 32 * e + l];
            for (uint32_t k = 0; k < 4; k++)
                want = fma(v[l / 4 * 4 + k], v[32 + (l % 4 * 2 + e) * 4 + k], want);
            assert_true(v[128 + 32 * e + l] == want);
        }
    done(&f);
    arena_free(&mem);
}

static void rows_come_from_the_lanes_that_name_them(void **state)
{
    struct fixture f;
    (void)state;
    assert_true(
        begin(&f, ".visible .entry k(.param .u64 p)\n{ .reg .b32 %r<12>; .reg .b64 %o, %x, %y;\n"
                  ".shared .align 16 .b8 tile[512];\nld.param.u64 %o, [p]; mov.u32 %r0, %tid.x;\n"
                  "mul.wide.u32 %x, %r0, 16; add.u64 %y, %o, %x; shl.b32 %r1, %r0, 4;\n"
                  "mov.u32 %r10, tile; add.u32 %r1, %r1, %r10;\n"
                  "cp.async.cg.shared.global [%r1], [%y], 16; cp.async.commit_group;\n"
                  "cp.async.wait_group 0; bar.sync 0;\n"
                  "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r2, %r3, %r4, %r5}, [%r1];\n"
                  "ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%r6}, [%r1];\n"
                  "mul.wide.u32 %x, %r0, 4; add.u64 %y, %o, %x; st.global.u32 [%y+1024], %r2;\n"
                  "st.global.u32 [%y+1152], %r5; st.global.u32 [%y+1280], %r6; ret; }\n"));
    uint16_t *v = (void *)f.bytes;
    for (uint16_t i = 0; i < 256; i++)
        v[i] = i;
    assert_true(launch(&f));
    const uint16_t *r2 = v + 512, *r5 = r2 + 64, *r6 = r5 + 64;
    for (uint32_t l = 0; l < 32; l++)
        for (uint32_t e = 0; e < 2; e++) {
            assert_int_equal(r2[2 * l + e], l / 4 * 8 + l % 4 * 2 + e);
            assert_int_equal(r5[2 * l + e], 3 * 64 + l / 4 * 8 + l % 4 * 2 + e);
            assert_int_equal(r6[2 * l + e], (l % 4 * 2 + e) * 8 + l / 4);
        }
    done(&f);
}

/* Factors of 16 bits in shared memory, along their rows and across, are what those in global memory
 * are. */
static void fragments_of_shared_memory_are_those_of_global_memory(void **state)
{
    static const char *const layouts[] = {"row", "col"}, *const parts[] = {"a", "b"};
    struct arena mem;
    (void)state;
    arena_init(&mem, NULL, NULL);
    for (int i = 0; i < 8; i++) {
        struct fixture f;
        const char *what = arena_printf(&mem, "wmma.load.%s.sync.aligned.%s.m16n16k16",
                                        parts[i & 1], layouts[i >> 1 & 1]);
        assert_true(begin(
            &f,
            arena_printf(&mem,
                         ".visible .entry k(.param .u64 p)\n{ .reg .b32 %%a<8>, %%b<8>, %%t, %%s; "
                         ".reg .b64 %%p, %%o, %%x;\n.shared .align 16 .b8 tile[1024];\n"
                         "ld.param.u64 %%p, [p]; mov.u32 %%t, %%tid.x; mul.wide.u32 %%x, %%t, 16; "
                         "add.u64 %%o, %%p, %%x;\nmov.u32 %%s, tile; shl.b32 %%a0, %%t, 4; add.u32 "
                         "%%s, %%s, %%a0;\ncp.async.cg.shared.global [%%s], [%%o], 16;\n"
                         "add.u64 %%o, %%o, 512; add.u32 %%s, %%s, 512;\ncp.async.cg.shared.global "
                         "[%%s], [%%o], 16;\ncp.async.wait_all; bar.sync 0;\nmov.u32 %%s, tile; "
                         "mov.u64 %%x, tile; cvta.shared.u64 %%x, %%x;\n%s.global.f16 %s, [%%p], "
                         "24;\n%s%s.f16 %s, [%%%s], 24;\nmul.wide.u32 %%x, %%t, 4; add.u64 %%o, "
                         "%%p, %%x;\n%s%sret; }\n",
                         what, list("a", 8, &mem), what, i & 4 ? "" : ".shared", list("b", 8, &mem),
                         i & 4 ? "x" : "s", moves("st", "a", "b32", 8, 1024, &mem),
                         moves("st", "b", "b32", 8, 1280, &mem))));
        uint16_t *v = (void *)f.bytes;
        for (uint16_t k = 0; k < 512; k++)
            v[k] = k;
        assert_true(launch(&f));
        assert_memory_equal(f.bytes + 4096, f.bytes + 5120, 1024);
        /* the first register: element 2 (l % 4) of row l / 4 and its neighbour */
        uint32_t step = (i & 1) == (i >> 1 & 1) ? 1 : 24, line = step == 1 ? 24 : 1;
        for (uint32_t l = 0; l < 32; l++)
            for (uint32_t e = 0; e < 2; e++)
                assert_int_equal(v[2048 + 2 * l + e], l / 4 * line + (l % 4 * 2 + e) * step);
        done(&f);
    }
    arena_free(&mem);
}

/* One warp writes a word that another reads as part of a matrix, with nothing between. */
static void matrices_take_part_in_races(void **state)
{
    static const char *const reads[] = {
        "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r0}, [%r1];",
        "wmma.load.a.sync.aligned.row.m16n16k8.shared.tf32 {%r0, %r3, %r4, %r5}, [%s];"};
    struct arena mem;
    (void)state;
    arena_init(&mem, NULL, NULL);
    for (int i = 0; i < 4; i++) {
        struct fixture f;
        assert_true(begin(
            &f,
            arena_printf(&mem,
                         ".visible .entry k(.param .u64 p)\n{ .reg .b32 %%t, %%s, %%r<9>; .reg "
                         ".pred %%q;\n.shared .align 16 .b8 tile[512];\nmov.u32 %%t, %%tid.x; "
                         "mov.u32 %%s, tile; and.b32 %%r1, %%t, 31; shl.b32 %%r1, %%r1, 4; add.u32 "
                         "%%r1, %%r1, %%s;\nsetp.ge.u32 %%q, %%t, 32; @%%q bra READ;\n"
                         "st.shared.u32 [%%r1], %%t;\n%sbra END;\nREAD: %s%s\nEND: ret; }\n",
                         i & 1 ? "bar.sync 0;" : "", i & 1 ? "bar.sync 0;" : "", reads[i >> 1])));
        assert_true(run(&f, 64));
        assert_int_equal(f.counts.races > 0, !(i & 1));
        done(&f);
    }
    arena_free(&mem);
}

/* k(p): %t is the thread, %o the buffer, shared memory has 512 bytes from address 0 on */
#define TILES(...)                                                                                 \
    ".visible .entry k(.param .u64 p)\n{ .reg .b32 %t, %s, %r<12>; .reg .b64 %o, %x; .reg .pred "  \
    "%q;\n.shared .align 16 .b8 tile[512];\nld.param.u64 %o, [p]; mov.u32 %t, %tid.x; mov.u32 "    \
    "%s, "                                                                                         \
    "tile;\n" __VA_ARGS__ "\nret; }\n"

static void wrong_addresses_of_matrices_are_faults(void **state)
{
    static const struct {
        const char *body, *want;
        enum ptx_fault_kind kind;
    } cases[] = {
        {TILES("setp.eq.u32 %q, %t, 5; @%q exit;\n"
               "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r0}, [%s];"),
         "thread (5,0,0): ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r0}, [%s]: a thread whose "
         "row is wanted does not take part",
         PTX_OTHER_FAULT},
        {TILES("shl.b32 %r1, %t, 2;\nldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r0}, [%r1];"),
         "address 0x4 is not a multiple of 16", PTX_MISALIGNED},
        {TILES(
             "shl.b32 %r1, %t, 5;\nldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r0, %r2, %r3, %r4}, "
             "[%r1];"),
         "thread (16,0,0): ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r0, %r2, %r3, %r4}, [%r1]: "
         "16 bytes at shared address 0x200 are outside its 512 bytes",
         PTX_BAD_ADDRESS},
        {TILES("setp.gt.u32 %q, %t, 30; @%q exit;\n"
               "wmma.load.a.sync.aligned.row.m16n16k8.global.tf32 {%r0, %r1, %r2, %r3}, [%o];"),
         "thread (31,0,0): wmma.load.a.sync.aligned.row.m16n16k8.global.tf32 {%r0, %r1, %r2, "
         "%r3}, "
         "[%o]: a matrix needs all threads of the warp",
         PTX_OTHER_FAULT},
        {TILES("add.u64 %x, %o, 2;\n"
               "wmma.load.a.sync.aligned.row.m16n16k8.global.tf32 {%r0, %r1, %r2, %r3}, [%x];"),
         "is not a multiple of 4", PTX_MISALIGNED},
        {TILES("add.u64 %x, %o, 65280;\n"
               "wmma.load.a.sync.aligned.row.m16n16k8.global.tf32 {%r0, %r1, %r2, %r3}, [%x];"),
         "4 bytes of a matrix at global address 0x", PTX_BAD_ADDRESS},
        {".const .align 4 .b8 fixed[1024];\n" TILES(
             "mov.u64 %x, fixed; cvta.const.u64 %x, %x;\n"
             "wmma.store.d.sync.aligned.row.m8n8k32.s32 [%x], {%r0, %r1};"),
         "4 bytes of a matrix at global address 0x", PTX_BAD_ADDRESS},
        {TILES("wmma.store.d.sync.aligned.row.m8n8k32.shared.s32 [%s+384], {%r0, %r1}, 8;"),
         "4 bytes of a matrix at shared address 0x200 are outside every buffer", PTX_BAD_ADDRESS},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture f;
        if (!begin(&f, cases[i].body)) {
            print_error("%s\n", err_entry_text(f.err.first, &f.err.mem));
            fail();
        }
        assert_false(run(&f, 32));
        assert_int_equal(f.dev.fault, cases[i].kind);
        const char *text = err_entry_text(f.err.first, &f.err.mem);
        if (!strstr(text, cases[i].want)) {
            print_error("%s\n", text);
            fail();
        }
        done(&f);
    }
}

static void what_is_missing_is_refused_by_name(void **state)
{
    static const char *const bodies[] = {
        "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%r0}, {%r1}, {%r2}, {%r3};",
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%r0}, {%r1}, {%r2}, {%r3};",
        "wmma.load.a.sync.aligned.col.m8n8k32.global.s4 {%r0}, [%d0];",
        "wmma.load.b.sync.aligned.row.m8n8k32.global.u4 {%r0}, [%d0];",
        "wmma.load.a.sync.aligned.col.m8n8k128.global.b1 {%r0}, [%d0];",
        "wmma.load.b.sync.aligned.row.m8n8k128.global.b1 {%r0}, [%d0];",
        "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r0}, [%d0];",
        "wmma.load.d.sync.aligned.row.m16n16k16.global.f16 {%r0}, [%d0];",
        "wmma.fill.sync.aligned.m16n16k16.f16 {%r0};",
        "mma.sync.aligned.m16n8k8.row.col.f16.bf16.bf16.f16 {%r0, %r1}, {%r2, %r3}, {%r4}, {%r5, "
        "%r6};",
        "mma.sync.aligned.m8n8k16.row.col.s32.s8.s4.s32 {%r0, %r1}, {%r2}, {%r3}, {%r4, %r5};",
        "mma.sync.aligned.m16n8k4.row.col.satfinite.f32.tf32.tf32.f32 {%r0, %r1, %r2, %r3}, {%r4, "
        "%r5}, {%r6}, {%r0, %r1, %r2, %r3};",
        "ldmatrix.sync.aligned.m8n8.x3.shared.b16 {%r0}, [%r1];",
        "cp.async.ca.shared.global [%r0], [%d0], 3;",
    };
    struct arena mem;
    (void)state;
    arena_init(&mem, NULL, NULL);
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        struct fixture f;
        assert_false(begin(&f, arena_printf(&mem,
                                            ".visible .entry k(.param .u64 p)\n{ .reg .b32 %%r<9>; "
                                            ".reg .b64 %%d<3>;\n%s\nret; }\n",
                                            bodies[i])));
        const char *text = err_entry_text(f.err.first, &f.err.mem);
        if (strncmp(text, "k.ptx:6: '", 10) != 0 || strncmp(text + 10, bodies[i], 30) != 0) {
            print_error("%s\n", text);
            fail();
        }
        done(&f);
    }
    arena_free(&mem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_what_plain_loops_give),
        cmocka_unit_test(products_of_bits_count_them),
        cmocka_unit_test(sums_beyond_their_range_stop_or_wrap_as_asked),
        cmocka_unit_test(doubles_are_multiplied_and_fused),
        cmocka_unit_test(rows_come_from_the_lanes_that_name_them),
        cmocka_unit_test(fragments_of_shared_memory_are_those_of_global_memory),
        cmocka_unit_test(matrices_take_part_in_races),
        cmocka_unit_test(wrong_addresses_of_matrices_are_faults),
        cmocka_unit_test(what_is_missing_is_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
