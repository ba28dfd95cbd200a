/* SPDX-License-Identifier: MIT
 *
 * Functions with bodies of their own: recursion, calls by address, frames, and what goes wrong. */
#include "tests/unit/test.h"

#include "sim/ptx/interpreter.h"

#define HEAD ".version 7.0\n.target sm_75\n.address_size 64\n"

struct fixture {
    struct err err;
    struct ptx_device dev;
    struct ptx_kernel kernel;
    struct ptx_counts counts;
    uint64_t address;
    uint32_t *out;
};

static bool load(struct fixture *f, const char *body)
{
    struct arena mem;
    arena_init(&mem, NULL, NULL);
    const char *text = arena_printf(&mem, "%s%s", HEAD, body);
    *f = (struct fixture){0};
    err_init(&f->err);
    bool ok = ptx_device_load(&f->dev, "k.ptx", text, strlen(text), &f->err) &&
              ptx_decode(&f->dev.layout, "k", &f->dev.mem, &f->kernel, &f->err);
    arena_free(&mem);
    if (!ok)
        return false;
    uint32_t s = ptx_device_alloc(&f->dev, "out", 1024, NOWHERE, &f->err);
    f->address = f->dev.segments[s].base;
    f->out = (void *)f->dev.segments[s].host;
    return true;
}

static bool launch(struct fixture *f, uint32_t threads, uint32_t stack)
{
    struct ptx_launch l = {.kernel = &f->kernel,
                           .grid = {1, 1, 1},
                           .block = {threads, 1, 1},
                           .params = (const void *)&f->address,
                           .stack_bytes = stack,
                           .max_warp_insts = 10000000};
    return ptx_run(&f->dev, &l, NULL, &f->counts, &f->err);
}

static void done(struct fixture *f)
{
    ptx_device_close(&f->dev);
    err_free(&f->err);
}

static const char *first_error(struct fixture *f)
{
    return f->err.first ? err_entry_text(f->err.first, &f->err.mem) : "(none)";
}

static uint32_t *run(struct fixture *f, const char *body, uint32_t threads)
{
    if (!load(f, body) || !launch(f, threads, 0)) {
        print_error("%s\n", first_error(f));
        fail();
    }
    return f->out;
}

/* k(out): %t is the thread, its word is at [%o] */
#define KERNEL(...)                                                                                \
    ".visible .entry k(.param .u64 out)\n{\n.reg .b32 %t, %r<20>;\n.reg .b64 %o, %rd<10>;\n"       \
    ".reg .pred %p<10>;\nmov.u32 %t, %tid.x;\nld.param.u64 %rd0, [out];\n"                         \
    "mul.wide.u32 %o, %t, 4;\nadd.u64 %o, %rd0, %o;\n" __VA_ARGS__ "\n}\n"

#define CALL(target, value, result, more)                                                          \
    "{ .param .b32 a0; .param .b32 r0;\nst.param.b32 [a0], " value ";\ncall (r0), " target         \
    ", (a0)" more ";\nld.param.b32 " result ", [r0]; }\n"

/* fib(n), with a local word per activation that its callee adds to through a pointer */
#define FIB                                                                                        \
    ".func (.param .b32 res) fib(.param .b32 n)\n{\n.reg .b32 %a<9>; .reg .pred %q;\n"             \
    "ld.param.b32 %a1, [n];\nsetp.lt.s32 %q, %a1, 2;\nmov.u32 %a4, %a1;\n@%q bra END;\n"           \
    "sub.s32 %a2, %a1, 1;\n" CALL("fib", "%a2", "%a3", "") "sub.s32 %a2, %a1, 2;\n" CALL(          \
        "fib", "%a2", "%a5", "") "add.s32 %a4, %a3, %a5;\nEND:\nst.param.b32 [res], %a4;\n"        \
                                 "ret;\n}\n"

static uint32_t fib(uint32_t n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

static void lanes_recurse_to_depths_of_their_own(void **state)
{
    struct fixture f;
    (void)state;
    uint32_t *out = run(&f,
                        FIB KERNEL("and.b32 %r1, %t, 7;\n" CALL(
                            "fib", "%r1", "%r2", "") "st.global.u32 [%o], %r2; ret;"),
                        40);
    for (uint32_t t = 0; t < 40; t++)
        assert_int_equal(out[t], fib(t % 8));
    done(&f);
}

static void a_guarded_call_leaves_the_others_alone(void **state)
{
    struct fixture f;
    (void)state;
    uint32_t *out = run(&f,
                        FIB KERNEL("mov.u32 %r1, 9; mov.u32 %r2, 1000; setp.lt.u32 %p0, %t, 5;\n"
                                   "{ .param .b32 a0; .param .b32 r0;\nst.param.b32 [a0], %r1;\n"
                                   "@%p0 call (r0), fib, (a0);\n@%p0 ld.param.b32 %r2, [r0]; }\n"
                                   "st.global.u32 [%o], %r2; ret;"),
                        32);
    for (uint32_t t = 0; t < 32; t++)
        assert_int_equal(out[t], t < 5 ? 34 : 1000);
    done(&f);
}

#define PAIR                                                                                       \
    ".func (.param .b32 res) twice(.param .b32 n)\n{\n.reg .b32 %a<3>;\nld.param.b32 %a1, [n];\n"  \
    "shl.b32 %a1, %a1, 1;\nst.param.b32 [res], %a1;\nret;\n}\n"                                    \
    ".func (.param .b32 res) next(.param .b32 n)\n{\n.reg .b32 %a<3>;\nld.param.b32 %a1, [n];\n"   \
    "add.u32 %a1, %a1, 1;\nst.param.b32 [res], %a1;\nret;\n}\n"                                    \
    ".global .align 8 .u64 table[3] = {twice, next, fib};\n"

#define PROTO "proto: .callprototype (.param .b32 _) _ (.param .b32 _);\n"

static void a_table_of_functions_calls_each_lane_its_own(void **state)
{
    struct fixture f;
    (void)state;
    uint32_t *out =
        run(&f,
            FIB PAIR KERNEL("mov.u64 %rd1, table; rem.u32 %r1, %t, 3;\n"
                            "mul.wide.u32 %rd2, %r1, 8; add.u64 %rd1, %rd1, %rd2;\n"
                            "ld.global.u64 %rd3, [%rd1]; and.b32 %r3, %t, 7;\n" PROTO CALL(
                                "%rd3", "%r3", "%r2", ", proto") "st.global.u32 [%o], %r2; ret;"),
            64);
    for (uint32_t t = 0; t < 64; t++) {
        uint32_t n = t % 8;
        assert_int_equal(out[t], t % 3 == 0 ? 2 * n : t % 3 == 1 ? n + 1 : fib(n));
    }
    done(&f);
}

/* A local variable is another one in every activation, and its address leads to the right one. */
static void frames_of_activations_are_apart(void **state)
{
    struct fixture f;
    (void)state;
    uint32_t *out =
        run(&f,
            ".func (.param .b32 res) down(.param .b64 up, .param .b32 n)\n{\n.local .align 8 .b8 "
            "box[8];\n"
            ".reg .b32 %a<9>; .reg .b64 %d<4>; .reg .pred %q;\n"
            "ld.param.b64 %d1, [up];\nld.param.b32 %a1, [n];\nmov.u64 %d2, box;\n"
            "cvta.local.u64 %d3, %d2;\nst.local.u32 [box], %a1;\nsetp.eq.u32 %q, %a1, 0;\n"
            "ld.u32 %a2, [%d1]; mad.lo.u32 %a2, %a2, 10, 1; st.u32 [%d1], %a2;\n@%q bra END;\n"
            "sub.u32 %a3, %a1, 1;\n{ .param .b64 a0; .param .b32 a1; .param .b32 r0;\n"
            "st.param.b64 [a0], %d3; st.param.b32 [a1], %a3;\ncall (r0), down, (a0, a1);\n"
            "ld.param.b32 %a4, [r0]; }\nEND: ld.local.u32 %a5, [%d2]; add.u32 %a4, %a4, %a5;\n"
            "st.param.b32 [res], %a4; ret;\n}\n" KERNEL(
                ".local .align 4 .b8 top[4]; mov.u64 %rd1, top; cvta.local.u64 %rd2, %rd1;\n"
                "st.local.u32 [top], %t; and.b32 %r1, %t, 3;\n"
                "{ .param .b64 a0; .param .b32 a1; .param .b32 r0;\nst.param.b64 [a0], %rd2;\n"
                "st.param.b32 [a1], %r1;\ncall (r0), down, (a0, a1);\nld.param.b32 %r2, [r0]; }\n"
                "ld.local.u32 %r3, [top]; mad.lo.u32 %r2, %r2, 1000, %r3;\n"
                "st.global.u32 [%o], %r2; ret;"),
            32);
    for (uint32_t t = 0; t < 32; t++) {
        uint32_t sum = 0;
        for (uint32_t n = 0; n <= t % 4; n++)
            sum += n == 0 ? 0 : n * 10 + 1;
        assert_int_equal(out[t], sum * 1000 + t * 10 + 1);
    }
    done(&f);
}

static void an_endless_recursion_is_a_fault_that_names_the_thread(void **state)
{
    struct fixture f;
    (void)state;
    assert_true(
        load(&f, ".func (.param .b32 res) deep(.param .b32 n)\n{\n.reg .b32 %a<3>;\n"
                 "ld.param.b32 %a1, [n];\n" CALL(
                     "deep", "%a1", "%a2",
                     "") "st.param.b32 [res], %a2; ret;\n}\n" KERNEL("setp.ne.u32 %p0, %t, 3; @%p0 "
                                                                     "exit;\n" CALL("deep", "%t",
                                                                                    "%r2", ""))));
    assert_false(launch(&f, 8, 4096));
    assert_non_null(strstr(first_error(&f), "kernel k, CTA (0,0,0), thread (3,0,0): "));
    assert_non_null(strstr(first_error(&f), "call (r0), deep, (a0): the call of deep, "));
    assert_non_null(strstr(first_error(&f), "bytes of a thread's stack"));
    done(&f);
}

static void a_wrong_address_is_a_fault(void **state)
{
    static const struct {
        const char *body, *want;
    } cases[] = {
        {KERNEL("mov.u64 %rd3, 4660;\n" PROTO CALL("%rd3", "%t", "%r2", ", proto") "ret;"),
         "there is no function at 0x1234"},
        {".func other() { ret; }\n" KERNEL(
             "mov.u64 %rd3, other;\n" PROTO CALL("%rd3", "%t", "%r2", ", proto") "ret;"),
         "function other takes other arguments"},
        {".func (.param .b32 res) odd(.param .b32 n) { .reg .b32 %a; unknown.u32 %a; ret; "
         "}\n" KERNEL("mov.u64 %rd3, odd;\n" PROTO CALL("%rd3", "%t", "%r2", ", proto") "ret;"),
         "function odd: 'unknown.u32 %a' in odd: instruction 'unknown' is not supported"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture f;
        if (!load(&f, cases[i].body))
            print_error("%s\n", first_error(&f));
        assert_false(launch(&f, 8, 0));
        if (!strstr(first_error(&f), cases[i].want)) {
            print_error("%s\n", first_error(&f));
            fail();
        }
        done(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_recurse_to_depths_of_their_own),
        cmocka_unit_test(a_guarded_call_leaves_the_others_alone),
        cmocka_unit_test(a_table_of_functions_calls_each_lane_its_own),
        cmocka_unit_test(frames_of_activations_are_apart),
        cmocka_unit_test(an_endless_recursion_is_a_fault_that_names_the_thread),
        cmocka_unit_test(a_wrong_address_is_a_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
