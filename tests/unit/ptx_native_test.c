/* SPDX-License-Identifier: MIT
 *
 * What PTX is on hardware: sequences for divisions and roots, with the units they run on. */
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
        uint64_t n = insts_of(body, false, a, b) - insts_of(mov, false, a, b) + 1;
        if (n != cases[i].n) {
            print_error("%s: %u, not %u\n", cases[i].op, (unsigned)n, cases[i].n);
            fail();
        }
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(divisions_and_roots_are_the_sequences_of_hardware),
        cmocka_unit_test(operands_off_the_quick_path_take_the_slow_one),
        cmocka_unit_test(sequences_have_masks_units_and_dependences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
