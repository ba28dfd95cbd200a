/* SPDX-License-Identifier: MIT
 *
 * What PTX is on hardware: sequences for divisions and roots, with the units they run on; what is
 * fused, folded, joined and moved. */
#include "tests/unit/test.h"

#include "sim/ptx/interpreter.h"

#define HEAD ".version 7.0\n.target sm_75\n.address_size 64\n"

struct fixture {
    struct err err;
    struct ptx_device dev;
    struct ptx_kernel kernel;
    struct ptx_counts counts;
    struct trace_source trace;
    struct trace_cta cta;
    uint64_t address;
    bool has_trace;
};

static void begin(struct fixture *f, const char *body, bool as_ptx)
{
    struct arena mem;
    arena_init(&mem, NULL, NULL);
    const char *text = arena_printf(&mem, "%s%s", HEAD, body);
    *f = (struct fixture){0};
    err_init(&f->err);
    assert_true(ptx_device_load(&f->dev, "k.ptx", text, strlen(text), &f->err));
    f->dev.layout.as_ptx = as_ptx;
    if (!ptx_decode(&f->dev.layout, "k", &f->dev.mem, &f->kernel, &f->err)) {
        print_error("%s\n", err_entry_text(f->err.first, &f->err.mem));
        fail();
    }
    uint32_t s = ptx_device_alloc(&f->dev, "buffer", 65536, NOWHERE, &f->err);
    f->address = f->dev.segments[s].base;
    arena_free(&mem);
}

static uint8_t *bytes_of(struct fixture *f)
{
    return ptx_device_at(&f->dev, f->address)->host;
}

/* One CTA; its streams are in f->cta. */
static void launch(struct fixture *f, uint32_t threads)
{
    struct ptx_launch l = {.kernel = &f->kernel,
                           .grid = {1, 1, 1},
                           .block = {threads, 1, 1},
                           .params = (const uint8_t *)&f->address};
    struct trace_memory *m = trace_memory_new("test");
    struct trace_sink sink = trace_memory_sink(m);
    if (!ptx_run(&f->dev, &l, &sink, &f->counts, &f->err)) {
        print_error("%s\n", err_entry_text(f->err.first, &f->err.mem));
        fail();
    }
    trace_memory_source(m, &f->trace);
    f->has_trace = true;
    assert_true(f->trace.load_cta(&f->trace, 0, 0, &f->cta, &f->err));
}

static void done(struct fixture *f)
{
    if (f->has_trace) {
        f->trace.free_cta(&f->trace, &f->cta);
        f->trace.close(&f->trace);
    }
    ptx_device_close(&f->dev);
    err_free(&f->err);
}

/* Executed instructions of a class by the first warp. */
static uint32_t count(const struct fixture *f, enum trace_class cls)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->cta.warps[0].n_insts; i++)
        n += f->trace.kernels[0].statics[f->cta.warps[0].insts[i].stat].cls == cls;
    return n;
}

/* ---- sequences ------------------------------------------------------------------------------- */

/* `op` on two operands in memory; `type` is that of registers, `as` that of memory. */
static const char *one_op(const char *op, const char *type, const char *as, bool two,
                          struct arena *mem)
{
    return arena_printf(mem,
                        ".visible .entry k(.param .u64 p)\n{ .reg .%s %%a<4>; .reg .b64 %%r<3>;\n"
                        "ld.param.u64 %%r1, [p]; ld.global.%s %%a1, [%%r1]; "
                        "ld.global.%s %%a2, [%%r1+8];\n%s %%a3, %%a1%s;\n"
                        "st.global.%s [%%r1+16], %%a3; ret; }\n",
                        type, as, as, op, two ? ", %a2" : "", as);
}

static uint64_t insts_of(const char *body, bool as_ptx, uint64_t a, uint64_t b)
{
    struct fixture f;
    begin(&f, body, as_ptx);
    memcpy(bytes_of(&f), &a, 8);
    memcpy(bytes_of(&f) + 8, &b, 8);
    launch(&f, 32);
    uint64_t n = f.counts.warp_insts;
    assert_int_equal(n, f.cta.warps[0].n_insts);
    done(&f);
    return n;
}

static uint64_t bits_of(const char *as, double v)
{
    float f = (float)v;
    uint64_t bits = 0;
    if (strcmp(as, "f32") == 0)
        memcpy(&bits, &f, sizeof f);
    else if (strcmp(as, "f64") == 0)
        memcpy(&bits, &v, sizeof v);
    else
        bits = (uint64_t)v;
    return bits;
}

/* How many machine instructions ptxas 13.0 makes of one (sm_75). */
static void divisions_and_roots_are_the_sequences_of_hardware(void **state)
{
    static const struct {
        const char *op, *type, *as;
        uint32_t n;
    } cases[] = {
        {"div.rn.f32", "f32", "f32", 8},         {"div.rn.ftz.f32", "f32", "f32", 8},
        {"div.full.f32", "f32", "f32", 8},       {"div.full.ftz.f32", "f32", "f32", 5},
        {"div.approx.f32", "f32", "f32", 5},     {"div.approx.ftz.f32", "f32", "f32", 2},
        {"rcp.rn.f32", "f32", "f32", 8},         {"rcp.approx.f32", "f32", "f32", 7},
        {"rcp.approx.ftz.f32", "f32", "f32", 1}, {"sqrt.rn.f32", "f32", "f32", 8},
        {"sqrt.approx.f32", "f32", "f32", 4},    {"sqrt.approx.ftz.f32", "f32", "f32", 1},
        {"rsqrt.approx.f32", "f32", "f32", 4},   {"rsqrt.approx.ftz.f32", "f32", "f32", 1},
        {"sin.approx.f32", "f32", "f32", 2},     {"cos.approx.f32", "f32", "f32", 2},
        {"lg2.approx.f32", "f32", "f32", 4},     {"ex2.approx.f32", "f32", "f32", 4},
        {"ex2.approx.ftz.f32", "f32", "f32", 1}, {"div.rn.f64", "f64", "f64", 13},
        {"rcp.rn.f64", "f64", "f64", 9},         {"sqrt.rn.f64", "f64", "f64", 14},
        {"rsqrt.approx.f64", "f64", "f64", 9},   {"rcp.approx.ftz.f64", "f64", "f64", 2},
        {"div.s32", "b32", "u32", 24},           {"div.u32", "b32", "u32", 18},
        {"rem.s32", "b32", "u32", 22},           {"rem.u32", "b32", "u32", 17},
        {"div.s64", "b64", "u64", 88},           {"div.u64", "b64", "u64", 72},
        {"rem.s64", "b64", "u64", 82},           {"rem.u64", "b64", "u64", 68},
        {"div.u16", "b16", "u16", 21},           {"rem.u16", "b16", "u16", 23},
        {"div.s16", "b16", "u16", 29},           {"rem.s16", "b16", "u16", 32},
    };
    struct arena mem;
    (void)state;
    arena_init(&mem, NULL, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool two = cases[i].op[0] == 'd' || strncmp(cases[i].op, "rem", 3) == 0;
        const char *body = one_op(cases[i].op, cases[i].type, cases[i].as, two, &mem);
        uint64_t a = bits_of(cases[i].as, 6), b = bits_of(cases[i].as, 3);
        /* one store beside it: the loads and the parameter may be less than in PTX */
        const char *mov = one_op(
            arena_printf(&mem, "mov.%s", strcmp(cases[i].type, "b16") == 0 ? "b16" : cases[i].type),
            cases[i].type, cases[i].as, false, &mem);
        uint64_t with = insts_of(body, true, a, b), plain = insts_of(mov, true, a, b);
        assert_int_equal(with, plain);
        uint64_t n =
            insts_of(body, false, a, b) - insts_of(mov, false, a, b); /* the copy is free */
        if (n != cases[i].n) {
            print_error("%s: %u, not %u\n", cases[i].op, (unsigned)n, cases[i].n);
            fail();
        }
    }
    arena_free(&mem);
}

/* ptxas 13.0 (sm_75) makes the same of every number, powers of two too. */
static void integers_over_a_number_take_shorter_sequences(void **state)
{
    static const struct {
        const char *op, *type, *as;
        uint32_t n;
    } cases[] = {
        {"div.s32", "b32", "u32", 18}, {"div.u32", "b32", "u32", 14}, {"rem.s32", "b32", "u32", 16},
        {"rem.u32", "b32", "u32", 13}, {"div.s64", "b64", "u64", 74}, {"div.u64", "b64", "u64", 65},
        {"rem.s64", "b64", "u64", 70}, {"rem.u64", "b64", "u64", 61}, {"div.s16", "b16", "u16", 14},
        {"div.u16", "b16", "u16", 8},  {"rem.s16", "b16", "u16", 15}, {"rem.u16", "b16", "u16", 10},
    };
    static const char *const numbers[] = {"7", "4"};
    struct arena mem;
    (void)state;
    arena_init(&mem, NULL, NULL);
    for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
        const char *op = cases[i / 2].op, *type = cases[i / 2].type, *as = cases[i / 2].as;
        const char *form =
            ".visible .entry k(.param .u64 p)\n{ .reg .%s %%a<4>; .reg .b64 %%r<3>;\n"
            "ld.param.u64 %%r1, [p]; ld.global.%s %%a1, [%%r1];\n"
            "%s %%a3, %%a1, %s;\nst.global.%s [%%r1+16], %%a3; ret; }\n";
        const char *with = arena_printf(&mem, form, type, as, op, numbers[i % 2], as);
        const char *less =
            arena_printf(&mem, form, type, as, arena_printf(&mem, "xor.%s", type), "5", as);
        uint64_t n = insts_of(with, false, 6, 3) - insts_of(less, false, 6, 3);
        n += 1 + (strcmp(type, "b64") == 0);
        if (n != cases[i / 2].n) {
            print_error("%s by %s: %u, not %u\n", op, numbers[i % 2], (unsigned)n, cases[i / 2].n);
            fail();
        }
    }
    arena_free(&mem);
}

/* What nvcc leaves of `i % int(__powf(2, 2))`: ptxas computes all but the remainder. */
static void what_is_computed_from_numbers_is_a_number(void **state)
{
    static const char form[] =
        ".visible .entry k(.param .u64 p)\n{ .reg .b32 %%a<9>; .reg .f32 %%f1; .reg .b64 %%r<3>;\n"
        "ld.param.u64 %%r1, [p]; ld.global.u32 %%a1, [%%r1];\n%s\n"
        "st.global.u32 [%%r1+16], %%a3; ret; }\n";
    static const struct {
        const char *text;
        uint32_t n, result;
    } cases[] = {
        {"xor.b32 %a3, %a1, 5;", 1, 6 ^ 5},
        {"mov.f32 %f1, 0f40800000; cvt.rzi.s32.f32 %a2, %f1; rem.s32 %a3, %a1, %a2;", 16, 2},
        {"mov.f32 %f1, 0f40800000; cvt.rzi.s32.f32 %a2, %f1; shr.u32 %a4, %a2, 31;\n"
         "add.s32 %a5, %a2, %a4; shr.s32 %a6, %a5, 1; mad.lo.s32 %a3, %a6, 64, %a1;",
         1, 134},
        {"mov.u32 %a2, 4; rem.u32 %a3, %a1, %a2;", 13, 2},
        /* written twice, or not everywhere: not known */
        {"mov.u32 %a2, 4; rem.u32 %a4, %a1, %a2; mov.u32 %a2, 5; rem.u32 %a3, %a1, %a2;", 36, 1},
    };
    struct arena mem;
    (void)state;
    arena_init(&mem, NULL, NULL);
    uint64_t least = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture f;
        uint32_t in = 6, out;
        begin(&f, arena_printf(&mem, form, cases[i].text), false);
        memcpy(bytes_of(&f), &in, sizeof in);
        launch(&f, 32);
        memcpy(&out, bytes_of(&f) + 16, sizeof out);
        assert_int_equal(out, cases[i].result);
        if (i == 0)
            least = f.counts.warp_insts - 1;
        if (f.counts.warp_insts - least != cases[i].n) {
            print_error("%s %u, not %u\n", cases[i].text, (unsigned)(f.counts.warp_insts - least),
                        cases[i].n);
            fail();
        }
        done(&f);
    }
    arena_free(&mem);
}

static void operands_off_the_quick_path_take_the_slow_one(void **state)
{
    static const struct {
        const char *op, *as;
        double a, b;
        bool is_slow;
    } cases[] = {
        {"div.rn.f32", "f32", 1, 3, false},         {"div.rn.f32", "f32", 1e30, 1e-20, true},
        {"div.rn.f32", "f32", 1e-40, 3, true},      {"div.rn.f32", "f32", 1, 0, true},
        {"div.rn.f32", "f32", 1, 1e38, true},       {"div.rn.f32", "f32", 0, 3, true},
        {"rcp.rn.f32", "f32", 7, 0, false},         {"rcp.rn.f32", "f32", 1e-39, 0, true},
        {"rcp.rn.f32", "f32", 3e38, 0, true},       {"sqrt.rn.f32", "f32", 2, 0, false},
        {"sqrt.rn.f32", "f32", 0, 0, true},         {"sqrt.rn.f32", "f32", -1, 0, true},
        {"div.rn.f64", "f64", 1, 3, false},         {"div.rn.f64", "f64", 1e-300, 3, true},
        {"div.rn.f64", "f64", 1e-200, 1e150, true}, {"rcp.rn.f64", "f64", 3, 0, false},
        {"rcp.rn.f64", "f64", 1e-309, 0, true},     {"sqrt.rn.f64", "f64", 3, 0, false},
        {"sqrt.rn.f64", "f64", 1e-300, 0, true},    {"sqrt.rn.f64", "f64", 0, 0, true},
    };
    struct arena mem;
    (void)state;
    arena_init(&mem, NULL, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *as = cases[i].as;
        const char *body = one_op(cases[i].op, as, as, cases[i].op[0] == 'd', &mem);
        uint64_t quick = insts_of(body, false, bits_of(as, 5), bits_of(as, 3));
        uint64_t n = insts_of(body, false, bits_of(as, cases[i].a), bits_of(as, cases[i].b));
        if ((n > quick + 15) != cases[i].is_slow || n < quick) {
            print_error("%s of %g, %g: %u and %u\n", cases[i].op, cases[i].a, cases[i].b,
                        (unsigned)n, (unsigned)quick);
            fail();
        }
    }
    arena_free(&mem);
}

/* Only lanes that need the slow path are active there, and every step waits for the one before. */
static void sequences_have_masks_units_and_dependences(void **state)
{
    struct fixture f;
    (void)state;
    begin(&f,
          ".visible .entry k(.param .u64 p)\n{ .reg .f32 %f<4>; .reg .b64 %r<4>; .reg .b32 %t;\n"
          "ld.param.u64 %r1, [p]; mov.u32 %t, %tid.x; mul.wide.u32 %r2, %t, 4;\n"
          "add.u64 %r1, %r1, %r2; ld.global.f32 %f1, [%r1]; div.rn.f32 %f2, %f1, %f1;\n"
          "st.global.f32 [%r1], %f2; ret; }\n",
          false);
    float *v = (void *)bytes_of(&f);
    for (int i = 0; i < 32; i++)
        v[i] = i == 3 || i == 8 ? 1e-40f : 2;
    launch(&f, 32);
    uint32_t slow = 0;
    for (uint32_t i = 0; i < f.cta.warps[0].n_insts; i++) {
        const struct trace_inst *in = &f.cta.warps[0].insts[i];
        assert_true(in->mask == UINT32_MAX || in->mask == 0x108);
        slow += in->mask == 0x108;
    }
    assert_true(slow > 20);
    assert_int_equal(count(&f, TC_FP32), 5 + 8);
    assert_int_equal(count(&f, TC_SFU), 2 + 1);
    /* the store waits for the last step of the quick path, which is a multiply-add */
    const struct trace_kernel *k = &f.trace.kernels[0];
    bool waits = false;
    for (uint32_t i = 0; i < k->n_statics; i++)
        for (uint32_t j = 0; j < k->n_statics; j++)
            waits |= k->statics[i].cls == TC_STORE && k->statics[j].cls == TC_FP32 &&
                     k->statics[j].n_src >= 3 &&
                     memchr(k->statics[i].src, k->statics[j].dst[0], k->statics[i].n_src);
    assert_true(waits);
    done(&f);
}

/* ---- fusing, folding, joining, raising ------------------------------------------------------- */

#define BODY(...)                                                                                  \
    ".visible .entry k(.param .u64 p)\n{ .reg .b32 %r<20>; .reg .b64 %d<20>; .reg .f32 %f<20>;\n"  \
    ".reg .pred %q<8>; .shared .align 4 .b8 tile[1024];\n" __VA_ARGS__ "\nret; }\n"

/* Machine instructions of what stands before the end. */
static uint64_t native_insts(const char *body)
{
    struct fixture f;
    begin(&f, body, false);
    for (uint32_t i = 0; i < 1024; i++)
        bytes_of(&f)[i] = (uint8_t)i;
    launch(&f, 32);
    uint64_t n = f.counts.warp_insts - 1; /* ret */
    done(&f);
    return n;
}

static void what_hardware_does_at_once_is_one_instruction(void **state)
{
    static const struct {
        const char *what, *body;
        uint64_t n;
    } cases[] = {
        {"parameters and constants are operands",
         BODY("ld.param.u64 %d1, [p]; mov.u32 %r1, 5; mov.u32 %r2, %ntid.x;"), 0},
        {"a copy of what is written once",
         BODY("mov.u32 %r1, %tid.x; mov.u32 %r2, %r1; st.shared.u32 [tile], %r2;"), 2},
        {"mul.wide and add are IMAD.WIDE",
         BODY("ld.param.u64 %d1, [p]; cvta.to.global.u64 %d2, %d1; mov.u32 %r1, %tid.x;\n"
              "mul.wide.u32 %d3, %r1, 4; add.u64 %d4, %d2, %d3; st.global.u32 [%d4], %r1;"),
         3},
        {"a product that two sums use is part of both",
         BODY("ld.param.u64 %d1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %d3, %r1, 4;\n"
              "add.u64 %d4, %d1, %d3; add.u64 %d5, %d1, %d3; st.global.u32 [%d4], %r1;\n"
              "st.global.u32 [%d5], %r1;"),
         5},
        {"a constant added to an address is part of the access",
         BODY("mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 3; add.u32 %r3, %r2, 8;\n"
              "st.shared.u32 [%r3], %r1; st.shared.u32 [%r3+256], %r1;"),
         4},
        {"but not where it is used otherwise",
         BODY("mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2; and.b32 %r4, %r2, 96;\n"
              "add.u32 %r3, %r4, 8; st.shared.u32 [%r3], %r3;"),
         5},
        {"three numbers are added at once",
         BODY("mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %laneid;\n"
              "add.u32 %r4, %r1, %r2; add.u32 %r5, %r4, %r3; st.shared.u32 [tile], %r5;"),
         5},
        {"a shift and a sum",
         BODY("mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x;\n"
              "shl.b32 %r3, %r1, 2; add.u32 %r4, %r3, %r2;\n"
              "st.shared.u32 [tile], %r4;"),
         4},
        {"logic of three inputs",
         BODY("mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %laneid;\n"
              "and.b32 %r4, %r1, %r2; xor.b32 %r5, %r4, %r3; st.shared.u32 [tile], %r5;"),
         5},
        {"not of four",
         BODY("mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %laneid;\n"
              "mov.u32 %r6, %warpid; and.b32 %r4, %r1, %r2; xor.b32 %r5, %r4, %r3;\n"
              "or.b32 %r7, %r5, %r6; st.shared.u32 [tile], %r7;"),
         7},
        {"a comparison and another predicate",
         BODY("mov.u32 %r1, %tid.x; setp.lt.u32 %q1, %r1, 5; setp.gt.u32 %q2, %r1, 2;\n"
              "and.pred %q3, %q1, %q2; selp.u32 %r2, 1, 2, %q3; st.shared.u32 [tile], %r2;"),
         5},
        {"a sum of 64 bits is two",
         BODY("ld.param.u64 %d1, [p]; ld.global.u64 %d2, [%d1];\n"
              "ld.global.u64 %d3, [%d1+64]; add.u64 %d4, %d2, %d3;\n"
              "st.global.u64 [%d1], %d4;"),
         5},
        {"a product of 64 bits is four",
         BODY("ld.param.u64 %d1, [p]; ld.global.u64 %d2, [%d1]; mul.lo.u64 %d4, %d2, %d2;\n"
              "st.global.u64 [%d1], %d4;"),
         6},
        {"a variable of a loop is one register",
         BODY("mov.u32 %r1, 0;\nL: add.u32 %r2, %r1, 1; mov.u32 %r1, %r2;\n"
              "setp.lt.u32 %q1, %r2, 10; @%q1 bra L;"),
         1 + 3 * 10},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t n = native_insts(cases[i].body);
        if (n != cases[i].n) {
            print_error("%s: %u, not %u\n", cases[i].what, (unsigned)n, (unsigned)cases[i].n);
            fail();
        }
    }
}

/* A jump over `n` sums where bit 2 of a word is not set. */
static uint32_t branches_over(uint32_t n, bool as_ptx, uint32_t lanes, uint32_t *insts)
{
    struct fixture f;
    struct arena mem;
    arena_init(&mem, NULL, NULL);
    const char *sums = "";
    for (uint32_t i = 0; i < n; i++)
        sums = arena_printf(&mem, "%sxor.b32 %%a1, %%a1, %%a3; shl.b32 %%a1, %%a1, 1;\n", sums);
    begin(&f,
          arena_printf(&mem,
                       ".visible .entry k(.param .u64 p)\n{ .reg .pred %%q; .reg .b32 %%a<4>; "
                       ".reg .b64 %%r;\nld.param.u64 %%r, [p]; ld.global.u32 %%a1, [%%r]; "
                       "ld.global.u32 %%a3, [%%r+32];\nand.b32 %%a2, %%a1, 4; "
                       "setp.eq.s32 %%q, %%a2, 0; @%%q bra L;\n%sL: st.global.u32 [%%r+16], %%a1; "
                       "ret; }\n",
                       sums),
          as_ptx);
    memset(bytes_of(&f), lanes ? 0xff : 0, 4);
    launch(&f, 32);
    uint32_t branches = count(&f, TC_BRANCH);
    assert_int_equal(f.counts.warp_insts, f.cta.warps[0].n_insts);
    *insts = f.cta.warps[0].n_insts;
    done(&f);
    arena_free(&mem);
    return branches;
}

static void short_branches_are_predicates(void **state)
{
    uint32_t native, plain;
    (void)state;
    assert_int_equal(branches_over(3, true, 32, &plain), 1);
    assert_int_equal(branches_over(3, false, 32, &native), 0);
    assert_true(native + 2 <= plain); /* the branch, and the bit that is compared with nothing */
    assert_int_equal(branches_over(6, false, 32, &native), 1);
}

/* Hardware issues what is under a predicate, whether a lane has it or not. */
static void what_no_lane_wants_is_issued(void **state)
{
    uint32_t all, none;
    (void)state;
    branches_over(3, false, 32, &all);
    branches_over(3, false, 0, &none);
    assert_int_equal(none, all);
    branches_over(3, true, 32, &all);
    branches_over(3, true, 0, &none);
    assert_int_equal(none + 6, all);
}

static void neighbouring_accesses_are_one_where_they_are_aligned(void **state)
{
#define LOAD4 "ld.shared.f32 %f1, [%r2]; ld.shared.f32 %f2, [%r2+4]; ld.shared.f32 %f3, [%r2+8]; "
    static const struct {
        const char *what, *body;
        uint32_t loads, stores, bytes;
    } cases[] = {
        {"four of 16 bytes",
         BODY("mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 4;\n" LOAD4 "ld.shared.f32 %f4, [%r2+12];"),
         1, 0, 16},
        {"in any order",
         BODY("mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 4;\n"
              "ld.shared.f32 %f4, [%r2+12]; add.f32 %f5, %f4, %f4;\n" LOAD4),
         1, 0, 16},
        {"two and one", BODY("mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 4;\n" LOAD4), 2, 0, 8},
        {"aligned to 8 only",
         BODY("mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 3;\n" LOAD4 "ld.shared.f32 %f4, [%r2+12];"),
         2, 0, 8},
        {"aligned to nothing",
         BODY("mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2;\n" LOAD4 "ld.shared.f32 %f4, [%r2+12];"),
         4, 0, 4},
        {"a pointer that is given",
         BODY("ld.param.u64 %d1, [p]; ld.global.f32 %f1, [%d1];\n"
              "ld.global.f32 %f2, [%d1+4];"),
         2, 0, 4},
        {"a constant address", BODY("ld.shared.f32 %f1, [tile]; ld.shared.f32 %f2, [tile+4];"), 1,
         0, 8},
        {"a store to who knows where between them",
         BODY("mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 3; ld.shared.f32 %f1, [%r2];\n"
              "and.b32 %r3, %r1, 28; st.shared.f32 [%r3], %f1; ld.shared.f32 %f2, [%r2+4];"),
         2, 1, 4},
        {"a barrier between them",
         BODY("mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 3; ld.shared.f32 %f1, [%r2];\n"
              "bar.sync 0; ld.shared.f32 %f2, [%r2+4];"),
         2, 0, 4},
        {"another base between them",
         BODY("mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 3; ld.shared.f32 %f1, [%r2];\n"
              "add.u32 %r2, %r2, 256; ld.shared.f32 %f2, [%r2+4];"),
         2, 0, 4},
        {"stores",
         BODY("mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 3; st.shared.u32 [%r2], %r1;\n"
              "st.shared.u32 [%r2+4], %r1;"),
         0, 1, 8},
        {"volatile ones stay",
         BODY("mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 3; ld.volatile.shared.f32 %f1, [%r2];\n"
              "ld.volatile.shared.f32 %f2, [%r2+4];"),
         2, 0, 4},
        {"a tile of rows",
         BODY("mov.u32 %r1, %tid.x; mul.lo.u32 %r2, %r1, 48; and.b32 %r2, %r2, 496;\n" LOAD4
              "ld.shared.f32 %f4, [%r2+12];"),
         1, 0, 16},
    };
#undef LOAD4
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture f;
        begin(&f, cases[i].body, false);
        launch(&f, 32);
        uint32_t loads = count(&f, TC_LOAD), stores = count(&f, TC_STORE), bytes = 0;
        for (uint32_t k = 0; k < f.cta.warps[0].n_insts; k++) {
            const struct trace_static *s =
                &f.trace.kernels[0].statics[f.cta.warps[0].insts[k].stat];
            bytes = s->access_bytes > bytes ? s->access_bytes : bytes;
        }
        if (loads != cases[i].loads || stores != cases[i].stores || bytes != cases[i].bytes) {
            print_error("%s: %u loads, %u stores, %u bytes\n", cases[i].what, loads, stores, bytes);
            fail();
        }
        done(&f);
    }
}

/* Two loads, each followed by what needs it: both are on their way before the first is needed. */
static void loads_move_up_past_what_does_not_need_them(void **state)
{
    struct fixture f;
    (void)state;
    begin(&f,
          BODY("ld.param.u64 %d1, [p]; ld.global.f32 %f1, [%d1]; add.f32 %f2, %f1, %f1;\n"
               "mul.f32 %f3, %f2, %f2; ld.global.f32 %f4, [%d1+512]; add.f32 %f5, %f4, %f3;\n"
               "st.global.f32 [%d1], %f5; ld.global.f32 %f6, [%d1+4]; "
               "st.global.f32 [%d1+1024], %f6;"),
          false);
    float *v = (void *)bytes_of(&f);
    v[0] = 3;
    v[1] = 11;
    v[128] = 5;
    launch(&f, 1);
    assert_true(v[0] == 41 && v[256] == 11);
    const uint8_t want[] = {TC_LOAD, TC_LOAD, TC_LOAD,  TC_FP32,
                            TC_FP32, TC_FP32, TC_STORE, TC_STORE};
    for (uint32_t i = 0; i < sizeof want; i++)
        assert_int_equal(f.trace.kernels[0].statics[f.cta.warps[0].insts[i].stat].cls, want[i]);
    done(&f);
}

/* Ten words of shared memory of two registers each, each followed by its use; last a global one:
 * that goes first, the others come as 32 registers can hold what waits, a further one whenever
 * one was used. */
static void what_takes_longest_goes_first(void **state)
{
    struct fixture f;
    struct arena mem;
    (void)state;
    arena_init(&mem, NULL, NULL);
    const char *text = "ld.param.u64 %d1, [p]; mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 3;\n";
    for (uint32_t i = 0; i < 20; i++)
        text = arena_printf(&mem, "%sld.shared.f64 %%g%u, [%%r2+%u]; add.f64 %%e1, %%e1, %%g%u;\n",
                            text, 10 + i, 256 * i, 10 + i);
    text = arena_printf(&mem,
                        ".visible .entry k(.param .u64 p)\n{ .reg .b32 %%r<4>; .reg .b64 %%d<2>; "
                        ".reg .f64 %%g<40>, %%e<2>; .reg .f32 %%f<3>; .shared .b8 tile[8192];\n%s"
                        "ld.global.f32 %%f1, [%%d1]; st.global.f32 [%%d1+8], %%f1; ret; }\n",
                        text);
    begin(&f, text, false);
    launch(&f, 32);
    const struct trace_warp *w = &f.cta.warps[0];
    uint32_t loads = 0, at_first_use = 0, most = 0, uses = 0;
    for (uint32_t i = 0; i < w->n_insts; i++) {
        const struct trace_static *t = &f.trace.kernels[0].statics[w->insts[i].stat];
        if (t->cls == TC_LOAD && t->space == TS_GLOBAL)
            assert_int_equal(loads, 0);
        loads += t->cls == TC_LOAD && t->space == TS_SHARED;
        if (t->cls == TC_FP64 && !uses++)
            at_first_use = loads;
        most = uses && loads - uses > most ? loads - uses : most;
    }
    assert_int_equal(loads, 20);
    assert_int_equal(at_first_use,
                     16); /* the first is where it was; one waits for the global one */
    assert_in_range(most, 14, 16);
    done(&f);
    arena_free(&mem);
}

/* Moved, joined and fused, or as it is written: the same bits. */
static void nothing_that_is_changed_can_be_seen(void **state)
{
    static const char body[] = BODY(
        "ld.param.u64 %d1, [p]; mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 4; mul.wide.u32 %d2, %r1, "
        "16;\n"
        "add.u64 %d3, %d1, %d2; ld.global.u32 %r3, [%d3]; ld.global.u32 %r4, [%d3+4];\n"
        "st.shared.u32 [%r2], %r3; st.shared.u32 [%r2+4], %r4; mov.u32 %r5, %r4;\n"
        "xor.b32 %r6, %r5, %r3; and.b32 %r6, %r6, %r1; st.shared.u32 [%r2+8], %r6;\n"
        "mad.lo.u32 %r7, %r3, 7, %r6; st.shared.u32 [%r2+12], %r7; bar.sync 0;\n"
        "xor.b32 %r8, %r2, 16; ld.shared.u32 %r9, [%r8]; ld.shared.u32 %r10, [%r8+4];\n"
        "st.shared.u32 [%r2+4], %r9; ld.shared.u32 %r11, [%r8+8]; ld.shared.u32 %r12, [%r8+12];\n"
        "add.u32 %r13, %r9, %r10; add.u32 %r13, %r13, %r11; add.u32 %r13, %r13, %r12;\n"
        "ld.shared.u32 %r14, [%r2+4]; add.u32 %r13, %r13, %r14; st.global.u32 [%d3+8], %r13;\n"
        "ld.global.u32 %r15, [%d3+8]; add.u32 %r15, %r15, 1; st.global.u32 [%d3+12], %r15;");
    uint8_t results[2][4096];
    (void)state;
    for (int as_ptx = 0; as_ptx < 2; as_ptx++) {
        struct fixture f;
        begin(&f, body, as_ptx);
        for (uint32_t i = 0; i < 4096; i++)
            bytes_of(&f)[i] = (uint8_t)(i * 37 + i / 256);
        launch(&f, 64);
        memcpy(results[as_ptx], bytes_of(&f), 4096);
        done(&f);
    }
    assert_memory_equal(results[0], results[1], 4096);
}

/* Loads from the last address down, each used before the next: joined at the first of them. */
static void loads_that_go_down_are_joined_before_their_uses(void **state)
{
    static const char body[] = BODY(
        "ld.param.u64 %d1, [p]; mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 4; mul.wide.u32 %d2, %r1, "
        "16;\n"
        "add.u64 %d3, %d1, %d2; st.shared.u32 [%r2], %r1; st.shared.u32 [%r2+4], 5;\n"
        "st.shared.u32 [%r2+8], 7; st.shared.u32 [%r2+12], 9; bar.sync 0;\n"
        "ld.shared.u32 %r3, [%r2+12]; mul.lo.u32 %r4, %r3, 3;\n"
        "ld.shared.u32 %r5, [%r2+8]; mad.lo.u32 %r4, %r5, %r4, 1;\n"
        "ld.shared.u32 %r6, [%r2+4]; mad.lo.u32 %r4, %r6, %r4, 2;\n"
        "ld.shared.u32 %r7, [%r2]; mad.lo.u32 %r4, %r7, %r4, 3; st.global.u32 [%d3], %r4;");
    struct fixture f;
    (void)state;
    begin(&f, body, false);
    launch(&f, 64);
    for (uint32_t i = 0; i < 64; i++)
        assert_int_equal(((const uint32_t *)(const void *)bytes_of(&f))[i * 4],
                         i * (5 * (7 * 27 + 1) + 2) + 3);
    assert_int_equal(count(&f, TC_LOAD), 1);
    done(&f);
}

/* ---- registers per thread -------------------------------------------------------------------- */

#define BEYOND_LIVE 4u /* what is not alive, but taken */

static uint32_t registers_of(const char *body)
{
    struct fixture f;
    begin(&f, body, false);
    uint32_t n = f.kernel.max_live;
    done(&f);
    return n;
}

/* The pair that a load reads is free when its result is read, and not before. */
static void an_access_holds_its_registers(void **state)
{
    (void)state;
    static const char start[] = ".visible .entry k(.param .u64 p) {\n.shared .align 4 .b8 s[64];\n"
                                ".reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n"
                                "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\n"
                                "mul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
                                "ld.global.u32 %r2, [%rd3];\n";
    static const char end[] = "add.u32 %r3, %r2, 1;\nst.shared.u32 [s], %r3;\nret;\n}\n";
    struct arena mem;
    arena_init(&mem, NULL, NULL);
    assert_int_equal(registers_of(arena_printf(&mem, "%s%s", start, end)), 3 + BEYOND_LIVE);
    /* two more values while it is held */
    assert_int_equal(
        registers_of(arena_printf(&mem,
                                  "%smov.u32 %%r4, %%clock;\nst.shared.u32 [s+4], %%r4;\n"
                                  "mov.u32 %%r5, %%clock;\nst.shared.u32 [s+8], %%r5;\n%s",
                                  start, end)),
        5 + BEYOND_LIVE);
    arena_free(&mem);
}

static void words_of_constant_memory_take_no_register(void **state)
{
    (void)state;
    struct arena mem;
    arena_init(&mem, NULL, NULL);
    for (int is_constant = 0; is_constant < 2; is_constant++) {
        const char *loads = "", *sums = "";
        for (int i = 1; i < 40; i++) {
            loads = arena_printf(&mem, "%sld.%s.u32 %%r%d, [c+%d];\n", loads,
                                 is_constant ? "const" : "shared", i, 8 * i);
            sums = arena_printf(&mem, "%sadd.u32 %%r0, %%r0, %%r%d;\n", sums, i);
        }
        uint32_t n = registers_of(
            arena_printf(&mem,
                         ".%s .align 4 .b8 c[512];\n.shared .align 4 .b8 s[64];\n"
                         ".visible .entry k() {\n.reg .b32 %%r<50>;\nmov.u32 %%r0, %%tid.x;\n"
                         "%s%sst.shared.u32 [s], %%r0;\nret;\n}\n",
                         is_constant ? "const" : "shared", loads, sums));
        assert_true(is_constant ? n <= 2 + BEYOND_LIVE : n >= 39 + BEYOND_LIVE);
    }
    arena_free(&mem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(divisions_and_roots_are_the_sequences_of_hardware),
        cmocka_unit_test(integers_over_a_number_take_shorter_sequences),
        cmocka_unit_test(what_is_computed_from_numbers_is_a_number),
        cmocka_unit_test(operands_off_the_quick_path_take_the_slow_one),
        cmocka_unit_test(what_hardware_does_at_once_is_one_instruction),
        cmocka_unit_test(short_branches_are_predicates),
        cmocka_unit_test(what_no_lane_wants_is_issued),
        cmocka_unit_test(neighbouring_accesses_are_one_where_they_are_aligned),
        cmocka_unit_test(loads_move_up_past_what_does_not_need_them),
        cmocka_unit_test(what_takes_longest_goes_first),
        cmocka_unit_test(nothing_that_is_changed_can_be_seen),
        cmocka_unit_test(loads_that_go_down_are_joined_before_their_uses),
        cmocka_unit_test(sequences_have_masks_units_and_dependences),
        cmocka_unit_test(an_access_holds_its_registers),
        cmocka_unit_test(words_of_constant_memory_take_no_register),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
