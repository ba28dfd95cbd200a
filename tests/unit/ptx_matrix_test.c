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

static bool launch(struct fixture *f)
{
    struct ptx_launch l = {.kernel = &f->kernel,
                           .grid = {1, 1, 1},
                           .block = {32, 1, 1},
                           .params = (const uint8_t *)&f->address};
    bool ok = ptx_run(&f->dev, &l, NULL, &f->counts, &f->err);
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
    char kind;          /* h: f16, b: bf16, t: tf32, i: s8, u: u8 */
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
};

/* The ISA's lists: element i of a thread's part of A. */
static void place_of_a(const struct shape *s, uint32_t lane, uint32_t i, uint32_t *row,
                       uint32_t *col)
{
    uint32_t g = lane >> 2, t = lane % 4;
    if (s->m == 8) { /* m8n8k16: a0..a3 */
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
    *row = s->per == 4   ? t * 4 + (i & 3) + (i < 4 ? 0 : 16)
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
    if (s->per == 1)
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
    int a[16][32] = {0}, b[32][8] = {0};
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

static void what_is_missing_is_refused_by_name(void **state)
{
    static const char *const bodies[] = {
        "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%r0}, {%r1}, {%r2}, {%r3};",
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%r0}, {%r1}, {%r2}, {%r3};",
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
        assert_true(strncmp(err_entry_text(f.err.first, &f.err.mem), "k.ptx:6: '", 10) == 0);
        done(&f);
    }
    arena_free(&mem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_what_plain_loops_give),
        cmocka_unit_test(rows_come_from_the_lanes_that_name_them),
        cmocka_unit_test(what_is_missing_is_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
