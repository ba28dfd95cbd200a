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

/* ---- copies of bodies ------------------------------------------------------------------------ */

static void functions_called_by_name_become_copies(void **state)
{
    struct fixture f;
    (void)state;
    /* mix(a, b) = 3 a + b through a second function; the guarded call leaves the others alone */
    uint32_t *out = run(
        &f,
        ".func (.param .b32 res) thrice(.param .b32 n)\n{\n.reg .b32 %a<3>;\nld.param.b32 %a1, "
        "[n];\n"
        "mul.lo.u32 %a1, %a1, 3;\nst.param.b32 [res], %a1;\nret;\n}\n"
        ".func (.param .b32 res) mix(.param .b32 x, .param .b32 y)\n{\n.reg .b32 %a<4>; .reg .pred "
        "%q;\nld.param.b32 %a1, [x];\nld.param.b32 %a2, [y];\n" CALL(
            "thrice", "%a1", "%a3",
            "") "add.u32 %a3, %a3, %a2;\nst.param.b32 [res], %a3;\nsetp.lt.u32 %q, %a1, 4;\n"
                "@%q ret;\nadd.u32 %a3, %a3, 1000;\nst.param.b32 [res], %a3;\nret;\n}\n" KERNEL(
                    "mov.u32 %r2, 7; setp.ne.u32 %p0, %t, 6;\n{ .param .b32 a0; .param .b32 a1; "
                    ".param .b32 r0;\nst.param.b32 [a0], %t; st.param.b32 [a1], 100;\n"
                    "@%p0 call.uni (r0), mix, (a0, a1);\n@%p0 ld.param.b32 %r2, [r0]; }\n"
                    "st.global.u32 [%o], %r2; ret;"),
        32);
    for (uint32_t t = 0; t < 32; t++)
        assert_int_equal(out[t], t == 6 ? 7 : 3 * t + 100 + (t < 4 ? 0 : 1000));
    done(&f);
}

/* As compilers made it before there were parameters of functions: registers. */
static void arguments_in_registers_are_copied(void **state)
{
    struct fixture f;
    (void)state;
    uint32_t *out = run(
        &f,
        ".func (.reg .b32 %ret, .reg .b64 %wide) both(.reg .b32 %x, .reg .b64 %y)\n{\n"
        "add.u32 %ret, %x, 5;\nadd.u64 %wide, %y, 6;\nmov.u32 %x, 0;\nret;\n}\n" KERNEL(
            "cvt.u64.u32 %rd1, %t; shl.b64 %rd1, %rd1, 33; mov.u32 %r1, %t;\n"
            "call (%r2, %rd2), both, (%r1, %rd1);\ncall (%r4, %rd4), both, (40, 50);\n"
            "shr.u64 %rd3, %rd2, 32; cvt.u32.u64 %r3, %rd3; cvt.u32.u64 %r5, %rd2;\n"
            "mad.lo.u32 %r2, %r2, 1000, %r3; mad.lo.u32 %r2, %r2, 10, %r5; add.u32 %r2, %r2, %r1;\n"
            "cvt.u32.u64 %r6, %rd4; add.u32 %r6, %r6, %r4; mad.lo.u32 %r2, %r6, 1000000, %r2;\n"
            "st.global.u32 [%o], %r2; ret;"),
        32);
    for (uint32_t t = 0; t < 32; t++) /* 45 + 56; the caller's %r1 is not the callee's %x */
        assert_int_equal(out[t], 101000000 + ((t + 5) * 1000 + 2 * t) * 10 + 6 + t);
    done(&f);
}

static void wrong_calls_are_refused(void **state)
{
    static const struct {
        const char *before, *call, *want;
    } cases[] = {
        {"", "call;", "it names no function"},
        {"", "call 5;", "it has operands of an unknown kind"},
        {FIB, "call (p4), fib, (q4), (q4);", "it has operands of an unknown kind"},
        {"", "call (p4), %rd0, (q4), 5;", "it has operands of an unknown kind"},
        {"", "call (p4), %rd0, (%r1);", "an argument of this kind is not supported"},
        {"", "call nobody;", "function 'nobody' has no body in this file"},
        {".extern .func there();\n", "call there;", "function 'there' has no body in this file"},
        {"", "call k, (q8);", "'k' is a kernel"},
        {FIB, "call (p4), fib;", "'fib' takes 1 arguments and returns 1"},
        {FIB, "call (p4, q4), fib, (q4);", "'fib' takes 1 arguments and returns 1"},
        {FIB, "call (p4), fib, (q8);", "'fib' takes other arguments"},
        {FIB, "call (p8), fib, (q4);", "'fib' takes other arguments"},
        {FIB, "call (p4), fib, (%r1);", "an argument of this kind is not supported"},
        {PAIR, "call (p4), next, (q2);", "'q2' is smaller than the parameter 'n'"},
        {PAIR, "call (p4), next, (%r1);", "an argument of this kind is not supported"},
        {PAIR, "call (%r1), next, (q4);", "an argument of this kind is not supported"},
        {".extern .func (.param .b32 s) vprintf(.param .b64 f, .param .b64 a);\n",
         "call (p4), vprintf, (q8);", "argument 1 must be a parameter of 8 bytes"},
        {".extern .func (.param .b32 s) vprintf(.param .b64 f, .param .b64 a);\n",
         "call (p8), vprintf, (q8, q8);", "argument 0 must be a parameter of 4 bytes"},
        {".extern .func free(.param .b64 p);\n", "call free, (%rd0);",
         "argument 0 must be a parameter of 8 bytes"},
        {".func odd() { unknown.u32 5; ret; }\n", "call odd;",
         "instruction 'unknown' is not supported"},
        {".func early() { ret 5; }\n", "call early;", "operands"},
    };
    struct arena mem;
    (void)state;
    arena_init(&mem, NULL, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture f;
        const char *before = strncmp(cases[i].before, ".func (.param .b32 res) twice", 29) == 0
                                 ? arena_printf(&mem, "%s%s", FIB, cases[i].before)
                                 : cases[i].before;
        bool ok = load(&f, arena_printf(&mem, "%s%s%s%s", before,
                                        ".visible .entry k(.param .u64 out)\n{\n.reg .b32 %r<4>; "
                                        ".reg .b64 %rd<4>;\n.param .b16 q2; .param .b32 p4; .param "
                                        ".b32 q4; .param .b64 p8; .param .b64 q8;\n",
                                        cases[i].call, "\nret; }\n"));
        if (ok || !strstr(first_error(&f), cases[i].want)) {
            print_error("%s: %s\n", cases[i].call, first_error(&f));
            fail();
        }
        done(&f);
    }
    arena_free(&mem);
}

static void calls_that_nest_too_deep_are_refused(void **state)
{
    struct arena mem;
    struct fixture f;
    (void)state;
    arena_init(&mem, NULL, NULL);
    for (int n = 32; n <= 33; n++) {
        const char *text = ".func f0() { ret; }\n";
        for (int i = 1; i < n; i++)
            text = arena_printf(&mem, "%s.func f%d() { call f%d; ret; }\n", text, i, i - 1);
        text = arena_printf(&mem, "%s.visible .entry k(.param .u64 out) { call f%d; ret; }\n", text,
                            n - 1);
        assert_int_equal(load(&f, text), n == 32);
        if (n == 33)
            assert_non_null(strstr(first_error(&f), "calls are nested more than 32 deep"));
        done(&f);
    }
    arena_free(&mem);
}

/* ---- what the driver provides ---------------------------------------------------------------- */

struct host {
    char text[4096];
    size_t n;
    uint64_t asked, released;
};

static void host_print(void *ctx, const char *text, size_t n)
{
    struct host *h = ctx;
    assert_true(h->n + n < sizeof h->text);
    memcpy(h->text + h->n, text, n);
    h->n += n;
}

static uint64_t host_allocate(void *ctx, uint64_t bytes)
{
    struct host *h = ctx;
    h->asked += bytes;
    return bytes > 1000 ? 0 : 0x1234500 + bytes;
}

static void host_release(void *ctx, uint64_t address)
{
    ((struct host *)ctx)->released += address;
}

/* printf(FORMAT, arguments of thread 0, which `stores` puts at [%SP] on) */
#define PRINTS(format, stores)                                                                     \
    ".extern .func (.param .b32 s) vprintf(.param .b64 f, .param .b64 a);\n"                       \
    ".global .align 1 .b8 word[4] = {97, 98, 99, 0};\n"                                            \
    ".global .align 1 .b8 open[3] = {97, 98, 99};\n"                                               \
    ".global .align 1 .b8 format[] = {" format ", 0};\n" KERNEL(                                   \
        ".local .align 8 .b8 box[64]; .reg .b64 %SP, %F; setp.ne.u32 %p0, %t, 0; @%p0 ret;\n"      \
        "mov.u64 %SP, box; cvta.local.u64 %SP, %SP; mov.u64 %F, format; cvta.global.u64 %F, "      \
        "%F;\n" stores "{ .param .b64 a0; .param .b64 a1; .param .b32 r0;\nst.param.b64 [a0], "    \
        "%F; st.param.b64 [a1], %SP;\ncall.uni (r0), vprintf, (a0, a1);\nld.param.b32 %r2, [r0]; " \
        "}\nst.global.u32 [%o], %r2; ret;")

#define P "37, " /* % */
#define INT(at, v) "mov.u32 %r3, " v "; st.u32 [%SP+" at "], %r3;\n"
#define LONG(at, v) "mov.u64 %rd3, " v "; st.u64 [%SP+" at "], %rd3;\n"

static void kernels_print_what_they_say(void **state)
{
    static const struct {
        const char *body, *want;
    } cases[] = {
        {PRINTS(P "100, 32, " P "117, 32, " P "120",
                INT("0", "-5") INT("4", "4000000000") INT("8", "255")),
         "-5 4000000000 ff"},
        {PRINTS(P "108, 108, 100, 32, " P "104, 117, 32, " P "88, 32, " P "111",
                LONG("0", "-5000000000") INT("8", "70000") INT("12", "255") INT("16", "8")),
         "-5000000000 70000 FF 10"},
        {PRINTS(P "99, " P "105, " P "115",
                INT("0", "65") INT("4", "7") "mov.u64 %rd3, word; "
                                             "cvta.global.u64 %rd3, %rd3; st.u64 [%SP+8], %rd3;\n"),
         "A7abc"},
        {PRINTS(P "112", LONG("0", "0xabcdef")), "0xabcdef"},
        {PRINTS(P "46, 50, 102, 32, " P "69, 32, " P "103",
                LONG("0", "0x3ff8000000000000") LONG("8", "0x4000000000000000")
                    LONG("16", "0x3fe0000000000000")),
         "1.50 2.000000E+00 0.5"},
        {PRINTS(P "42, 100, 124, " P "45, 42, 100, 124",
                INT("0", "4") INT("4", "7") INT("8", "3") INT("12", "8")),
         "   7|8  |"},
        {PRINTS(P "42, 100", INT("0", "99999") INT("4", "7")), "7"}, /* nobody wants it that wide */
        {PRINTS(P P "32, " P "113, 33", ""), "% %q!"},
        {PRINTS("37", ""), "%"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture f;
        struct host h = {.n = 0};
        if (!load(&f, cases[i].body))
            fail_msg("%s", first_error(&f));
        f.dev.host = (struct ptx_host){.ctx = &h, .print = host_print};
        f.out[0] = 77;
        if (!launch(&f, 32, 0))
            fail_msg("%s", first_error(&f));
        assert_string_equal(h.text, cases[i].want);
        assert_int_equal(f.out[0], 0);
        done(&f);
    }
}

#define HEAP                                                                                       \
    ".extern .func (.param .b64 p) malloc(.param .b64 n);\n.extern .func free(.param .b64 p);\n"
#define ALLOCATES                                                                                  \
    HEAP KERNEL("cvt.u64.u32 %rd1, %t; mul.lo.u64 %rd1, %rd1, 300;\n{ .param .b64 a0; .param "     \
                ".b64 r0; st.param.b64 [a0], %rd1;\ncall.uni (r0), malloc, (a0);\nld.param.b64 "   \
                "%rd2, [r0]; }\ncvt.u32.u64 %r1, %rd2; st.global.u32 [%o], %r1; ret;")
#define FREES                                                                                      \
    HEAP KERNEL("cvt.u64.u32 %rd1, %t; add.u64 %rd1, %rd1, 10;\n{ .param .b64 a0; st.param.b64 "   \
                "[a0], %rd1;\ncall.uni free, (a0); }\nret;")

static void kernels_take_from_the_heap_and_give_back(void **state)
{
    struct fixture f;
    struct host h = {.n = 0};
    (void)state;
    assert_true(load(&f, ALLOCATES));
    f.dev.host = (struct ptx_host){.ctx = &h, .allocate = host_allocate, .release = host_release};
    assert_true(launch(&f, 5, 0));
    for (uint32_t t = 0; t < 5; t++)
        assert_int_equal(f.out[t], t * 300 > 1000 ? 0 : 0x1234500 + t * 300);
    assert_int_equal(h.asked, 3000);
    done(&f);
    assert_true(load(&f, FREES));
    f.dev.host = (struct ptx_host){.ctx = &h, .allocate = host_allocate, .release = host_release};
    assert_true(launch(&f, 5, 0));
    assert_int_equal(h.released, 10 + 11 + 12 + 13 + 14);
    done(&f);
}

static void what_the_driver_cannot_do_is_a_fault(void **state)
{
    static const struct {
        const char *body, *want;
        bool has_printer;
    } cases[] = {
        {ALLOCATES, "there is no heap here", true},
        {FREES, "there is no heap here", true},
        {PRINTS("97", ""), "nobody is here to print", false},
        {PRINTS("97", "mov.u64 %F, 64;\n"), "the format is outside every buffer", true},
        {PRINTS("97", "mov.u64 %F, open; cvta.global.u64 %F, %F; add.u64 %F, %F, 2;\n"),
         "the format is outside every buffer", true},
        {PRINTS(P "100", "mov.u64 %SP, 64;\n"), "an argument of printf is outside every buffer",
         true},
        {PRINTS(P "115", LONG("0", "64")), "an argument of printf is outside every buffer", true},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture f;
        struct host h = {.n = 0};
        assert_true(load(&f, cases[i].body));
        f.dev.host =
            (struct ptx_host){.ctx = &h, .print = cases[i].has_printer ? host_print : NULL};
        assert_false(launch(&f, 8, 0));
        if (!strstr(first_error(&f), cases[i].want)) {
            print_error("%s\n", first_error(&f));
            fail();
        }
        assert_int_equal(h.n, 0);
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
        cmocka_unit_test(functions_called_by_name_become_copies),
        cmocka_unit_test(arguments_in_registers_are_copied),
        cmocka_unit_test(wrong_calls_are_refused),
        cmocka_unit_test(calls_that_nest_too_deep_are_refused),
        cmocka_unit_test(kernels_print_what_they_say),
        cmocka_unit_test(kernels_take_from_the_heap_and_give_back),
        cmocka_unit_test(what_the_driver_cannot_do_is_a_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
