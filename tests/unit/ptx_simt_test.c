/* SPDX-License-Identifier: MIT
 *
 * Control flow of warps, barriers, memory, calls, exchange between lanes, and what is refused. */
#include "tests/unit/test.h"

#include "sim/ptx/interpreter.h"

#define HEAD ".version 7.0\n.target sm_75\n.address_size 64\n"

struct fixture {
    struct err err;
    struct ptx_device dev;
    struct ptx_kernel kernel;
    struct ptx_counts counts;
    struct trace_memory *trace;
    bool loaded;
};

static bool load(struct fixture *f, const char *body)
{
    struct arena mem;
    arena_init(&mem, NULL, NULL);
    const char *text = arena_printf(&mem, "%s%s", HEAD, body);
    *f = (struct fixture){0};
    err_init(&f->err);
    f->loaded = ptx_device_load(&f->dev, "k.ptx", text, strlen(text), &f->err);
    bool ok = f->loaded && ptx_decode(&f->dev.layout, "k", &f->dev.mem, &f->kernel, &f->err);
    arena_free(&mem);
    return ok;
}

static void done(struct fixture *f)
{
    trace_memory_free(f->trace);
    if (f->loaded)
        ptx_device_close(&f->dev);
    err_free(&f->err);
}

static const char *first_error(struct fixture *f)
{
    return f->err.first ? err_entry_text(f->err.first, &f->err.mem) : "(none)";
}

static bool launch(struct fixture *f, uint32_t ctas, uint32_t threads, const void *params)
{
    struct ptx_launch l = {.kernel = &f->kernel,
                           .grid = {ctas, 1, 1},
                           .block = {threads, 1, 1},
                           .params = params,
                           .dynamic_shared = 64,
                           .max_warp_insts = 1000000};
    f->trace = trace_memory_new("test");
    struct trace_sink sink = trace_memory_sink(f->trace);
    return ptx_run(&f->dev, &l, &sink, &f->counts, &f->err);
}

static uint32_t *alloc(struct fixture *f, const char *name, uint32_t words, uint64_t *address)
{
    uint32_t s = ptx_device_alloc(&f->dev, name, words * 4u, NOWHERE, &f->err);
    *address = f->dev.segments[s].base;
    return (void *)f->dev.segments[s].host;
}

/* Runs `k(out)`, one word per thread; the caller frees the fixture. */
static uint32_t *run(struct fixture *f, const char *body, uint32_t ctas, uint32_t threads)
{
    uint64_t address;
    if (!load(f, body)) {
        print_error("%s\n", first_error(f));
        fail();
    }
    uint32_t *out = alloc(f, "out", ctas * threads, &address);
    if (!launch(f, ctas, threads, &address)) {
        print_error("%s\n", first_error(f));
        fail();
    }
    return out;
}

/* %i: index of the thread; %o: where its word goes; registers r0..r9, p0..p5 */
#define KERNEL(...)                                                                                \
    ".visible .entry k(.param .u64 out)\n{\n.reg .b32 %i, %t, %r<20>;\n.reg .b64 %o, %rd<10>;\n"   \
    ".reg .f32 %f<8>;\n.reg .pred %p<10>;\n.shared .align 4 .b8 sh[512];\n"                        \
    "mov.u32 %t, %tid.x;\nmov.u32 %r0, %ctaid.x;\nmov.u32 %r1, %ntid.x;\n"                         \
    "mad.lo.u32 %i, %r0, %r1, %t;\nld.param.u64 %rd0, [out];\nmul.wide.u32 %o, %i, 4;\n"           \
    "add.u64 %o, %rd0, %o;\n" __VA_ARGS__ "\n}\n"

/* ---- divergence ------------------------------------------------------------------------------ */

static void both_sides_of_a_branch_run_and_meet(void **state)
{
    struct fixture f;
    (void)state;
    uint32_t *out = run(&f,
                        KERNEL("and.b32 %r2, %t, 1; setp.eq.u32 %p0, %r2, 0;\n"
                               "@%p0 bra EVEN;\nmov.u32 %r3, 100; bra.uni JOIN;\n"
                               "EVEN: mov.u32 %r3, 200;\n"
                               "JOIN: activemask.b32 %r4; add.u32 %r3, %r3, %t;\n"
                               "popc.b32 %r4, %r4; shl.b32 %r4, %r4, 16; or.b32 %r3, %r3, %r4;\n"
                               "st.global.u32 [%o], %r3; ret;"),
                        1, 40);
    for (uint32_t i = 0; i < 40; i++)
        /* after the join all lanes of the warp run together again: 32, or 8 of the last warp */
        assert_int_equal(out[i], (i % 2 ? 100 : 200) + i + ((i < 32 ? 32u : 8u) << 16));
    done(&f);
}

static void nested_loops_run_as_often_as_each_thread_wants(void **state)
{
    struct fixture f;
    (void)state;
    uint32_t *out = run(&f,
                        KERNEL("mov.u32 %r2, 0; mov.u32 %r3, 0;\n"
                               "OUTER: setp.ge.u32 %p0, %r2, %t; @%p0 bra DONE;\n"
                               "mov.u32 %r4, 0;\n"
                               "INNER: setp.ge.u32 %p1, %r4, %r2; @%p1 bra NEXT;\n"
                               "add.u32 %r3, %r3, 1; add.u32 %r4, %r4, 1; bra.uni INNER;\n"
                               "NEXT: add.u32 %r2, %r2, 1; bra.uni OUTER;\n"
                               "DONE: st.global.u32 [%o], %r3; ret;"),
                        2, 50);
    for (uint32_t i = 0; i < 100; i++) {
        uint32_t t = i % 50;
        assert_int_equal(out[i], t ? t * (t - 1) / 2 : 0);
    }
    done(&f);
}

static void a_loop_is_left_in_the_middle(void **state)
{
    struct fixture f;
    (void)state;
    uint32_t *out = run(&f,
                        KERNEL("mov.u32 %r2, 0;\n"
                               "LOOP: mul.lo.u32 %r3, %r2, %r2; setp.gt.u32 %p0, %r3, %t;\n"
                               "@%p0 bra OUT; add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 6;\n"
                               "@%p1 bra LOOP; mov.u32 %r2, 99;\n"
                               "OUT: st.global.u32 [%o], %r2; ret;"),
                        1, 64);
    for (uint32_t t = 0; t < 64; t++) {
        uint32_t k = 0;
        while (k < 6 && k * k <= t)
            k++;
        assert_int_equal(out[t], k == 6 ? 99 : k);
    }
    done(&f);
}

static void threads_that_leave_early_do_not_hold_up_the_others(void **state)
{
    struct fixture f;
    (void)state;
    uint32_t *out = run(&f,
                        KERNEL("setp.lt.u32 %p0, %t, 20; @%p0 ret;\n"
                               "setp.gt.u32 %p1, %t, 60; @%p1 exit;\n"
                               "bar.sync 0;\n"
                               "activemask.b32 %r2; st.global.u32 [%o], %r2; ret;"),
                        1, 96);
    for (uint32_t t = 0; t < 96; t++)
        assert_int_equal(out[t], t < 20 ? 0 : t < 32 ? 0xfff00000 : t > 60 ? 0 : 0x1fffffff);
    done(&f);
}

static void a_jump_table_sends_every_thread_its_way(void **state)
{
    struct fixture f;
    (void)state;
    uint32_t *out = run(&f,
                        KERNEL("and.b32 %r2, %t, 3;\n"
                               "TABLE: .branchtargets A, B, C, B;\n"
                               "brx.idx %r2, TABLE;\n"
                               "A: mov.u32 %r3, 10; bra.uni E;\nB: mov.u32 %r3, 20; bra.uni E;\n"
                               "C: mov.u32 %r3, 30;\nE: activemask.b32 %r4; popc.b32 %r4, %r4;\n"
                               "add.u32 %r3, %r3, %r4; st.global.u32 [%o], %r3; ret;"),
                        1, 32);
    const uint32_t want[] = {42, 52, 62, 52};
    for (uint32_t t = 0; t < 32; t++)
        assert_int_equal(out[t], want[t % 4]);
    done(&f);
}

static void guarded_instructions_touch_only_their_threads(void **state)
{
    struct fixture f;
    (void)state;
    uint32_t *out = run(&f,
                        KERNEL("mov.u32 %r2, 7; setp.gt.u32 %p0, %t, 9;\n"
                               "@%p0 mov.u32 %r2, 8; @!%p0 add.u32 %r2, %r2, %r2;\n"
                               "setp.lt.and.u32 %p1|%p2, %t, 4, %p0; selp.u32 %r3, 100, 0, %p1;\n"
                               "selp.u32 %r4, 1000, 0, %p2; add.u32 %r2, %r2, %r3;\n"
                               "add.u32 %r2, %r2, %r4; st.global.u32 [%o], %r2; ret;"),
                        1, 32);
    for (uint32_t t = 0; t < 32; t++)
        assert_int_equal(out[t], t > 9 ? 1008 : 14);
    done(&f);
}

static void functions_are_called_from_diverged_code(void **state)
{
    struct fixture f;
    (void)state;
    uint32_t *out =
        run(&f,
            ".func (.param .b32 r) twice(.param .b32 a)\n{ .reg .b32 %a<3>; .reg .pred %q;\n"
            "ld.param.b32 %a0, [a]; setp.gt.u32 %q, %a0, 50; @%q bra BIG;\n"
            "add.u32 %a1, %a0, %a0; st.param.b32 [r], %a1; ret;\n"
            "BIG: mov.u32 %a1, 1; st.param.b32 [r], %a1; ret; }\n" KERNEL(
                "mov.u32 %r5, %t; setp.lt.u32 %p0, %t, 10; @%p0 bra SKIP;\n"
                "{ .param .b32 p; .param .b32 q; st.param.b32 [p], %t;\n"
                "call.uni (q), twice, (p); ld.param.b32 %r5, [q]; }\n"
                "{ .param .b32 p; .param .b32 q; st.param.b32 [p+0], %r5;\n"
                "call (q), twice, (p); ld.param.b32 %r5, [q+0]; }\n"
                "SKIP: st.global.u32 [%o], %r5; ret;"),
            1, 64);
    for (uint32_t t = 0; t < 64; t++) {
        uint32_t once = t > 50 ? 1 : 2 * t;
        assert_int_equal(out[t], t < 10 ? t : once > 50 ? 1 : 2 * once);
    }
    done(&f);
}

/* ---- barriers -------------------------------------------------------------------------------- */

static void a_barrier_orders_shared_memory(void **state)
{
    struct fixture f;
    (void)state;
    /* every thread reads what the mirrored thread of another warp wrote; the last warp has 16 */
    uint32_t *out = run(&f,
                        KERNEL("mov.u32 %r2, sh; shl.b32 %r3, %t, 2; add.u32 %r4, %r2, %r3;\n"
                               "st.shared.u32 [%r4], %t; bar.sync 0;\n"
                               "sub.u32 %r5, 79, %t; shl.b32 %r5, %r5, 2;\n"
                               "add.u32 %r5, %r2, %r5; ld.shared.u32 %r6, [%r5];\n"
                               "st.global.u32 [%o], %r6; ret;"),
                        3, 80);
    for (uint32_t i = 0; i < 240; i++)
        assert_int_equal(out[i], 79 - i % 80);
    done(&f);
}

static void barriers_count_and_vote(void **state)
{
    struct fixture f;
    (void)state;
    uint32_t *out =
        run(&f,
            KERNEL("setp.lt.u32 %p0, %t, 45; bar.red.popc.u32 %r2, 0, %p0;\n"
                   "bar.red.and.pred %p1, 0, %p0; bar.red.or.pred %p2, 0, !%p0;\n"
                   "selp.u32 %r3, 1000, 0, %p1; selp.u32 %r4, 10000, 0, %p2;\n"
                   "add.u32 %r2, %r2, %r3; add.u32 %r2, %r2, %r4; st.global.u32 [%o], %r2; ret;"),
            1, 64);
    for (uint32_t t = 0; t < 64; t++)
        assert_int_equal(out[t], 10045);
    done(&f);
}

static void a_barrier_of_some_warps_lets_the_others_pass(void **state)
{
    struct fixture f;
    (void)state;
    /* warps 0 and 1 meet at barrier 1; warp 2 only announces itself at barrier 2 */
    uint32_t *out = run(&f,
                        KERNEL("mov.u32 %r2, sh; setp.ge.u32 %p0, %t, 64; @%p0 bra THIRD;\n"
                               "setp.eq.u32 %p1, %t, 40; @%p1 st.shared.u32 [%r2], %t;\n"
                               "bar.sync 1, 64; ld.shared.u32 %r3, [%r2]; bar.sync 2, 96;\n"
                               "bra.uni END;\nTHIRD: bar.arrive 2, 96; mov.u32 %r3, 5;\n"
                               "END: st.global.u32 [%o], %r3; ret;"),
                        1, 96);
    for (uint32_t t = 0; t < 96; t++)
        assert_int_equal(out[t], t < 64 ? 40 : 5);
    done(&f);
}

static void a_barrier_that_cannot_complete_is_reported(void **state)
{
    struct fixture f;
    uint64_t address;
    (void)state;
    assert_true(load(&f, KERNEL("setp.ge.u32 %p0, %t, 32; @%p0 bra B;\nbar.sync 1; bra.uni E;\n"
                                "B: bar.sync 2;\nE: ret;")));
    alloc(&f, "out", 64, &address);
    assert_false(launch(&f, 1, 64, &address));
    assert_non_null(strstr(first_error(&f), "kernel k, CTA (0,0,0), thread (0,0,0): bar.sync 1: "
                                            "deadlock at barrier 1: 1 of the CTA's 2 warps"));
    done(&f);
}

static void an_endless_loop_is_reported(void **state)
{
    struct fixture f;
    uint64_t address;
    (void)state;
    assert_true(load(&f, KERNEL("L: bra.uni L;")));
    alloc(&f, "out", 64, &address);
    assert_false(launch(&f, 1, 64, &address));
    assert_non_null(strstr(first_error(&f), "does not end"));
    done(&f);
}

static void count_told(void *ctx)
{
    ++*(uint32_t *)ctx;
}

/* Once a launch, where the launch wants it; the result is the same. */
static void a_warp_that_goes_on_for_long_is_told(void **state)
{
    (void)state;
    for (uint32_t after = 0; after < 3; after++) { /* none, as long as it takes, sooner */
        struct fixture f;
        uint64_t address;
        uint32_t told = 0;
        if (!load(&f,
                  KERNEL("mov.u32 %r2, 0;\nL: add.u32 %r2, %r2, 1; setp.lt.u32 %p0, %r2, 1000;\n"
                         "@%p0 bra L;\nst.global.u32 [%o], %r2; ret;"))) {
            print_error("%s\n", first_error(&f));
            fail();
        }
        f.dev.host.told = count_told;
        f.dev.host.ctx = &told;
        uint32_t *out = alloc(&f, "out", 128, &address);
        struct ptx_launch l = {.kernel = &f.kernel,
                               .grid = {2, 1, 1},
                               .block = {64, 1, 1},
                               .params = (void *)&address,
                               .max_warp_insts = 1000000,
                               .tell_after = after == 0   ? 0
                                             : after == 1 ? 1000000
                                                          : 500};
        assert_true(ptx_run(&f.dev, &l, NULL, &f.counts, &f.err));
        assert_int_equal(out[0], 1000);
        assert_int_equal(told, after == 2);
        assert_int_equal(f.err.n_warnings, after == 2);
        if (after == 2)
            assert_non_null(strstr(first_error(&f), "a warp has run 501 instructions and goes on"));
        f.trace = trace_memory_new("test");
        done(&f);
    }
}

/* ---- lanes ----------------------------------------------------------------------------------- */

static void lanes_exchange_values(void **state)
{
    struct fixture f;
    (void)state;
    uint32_t *out = run(&f,
                        KERNEL("mul.lo.u32 %r2, %t, 3;\n"
                               "shfl.sync.up.b32 %r3|%p0, %r2, 2, 0, -1;\n"
                               "shfl.sync.down.b32 %r4|%p1, %r2, 4, 0x1807, -1;\n"
                               "shfl.sync.bfly.b32 %r5, %r2, 1, 31, -1;\n"
                               "shfl.sync.idx.b32 %r6, %r2, 7, 31, -1;\n"
                               "selp.u32 %r7, 1, 0, %p0; selp.u32 %r8, 2, 0, %p1;\n"
                               "add.u32 %r7, %r7, %r8; shl.b32 %r7, %r7, 28;\n"
                               "shl.b32 %r4, %r4, 7; shl.b32 %r5, %r5, 14; shl.b32 %r6, %r6, 21;\n"
                               "add.u32 %r3, %r3, %r4; add.u32 %r3, %r3, %r5;\n"
                               "add.u32 %r3, %r3, %r6; add.u32 %r3, %r3, %r7;\n"
                               "st.global.u32 [%o], %r3; ret;"),
                        1, 32);
    for (uint32_t t = 0; t < 32; t++) {
        uint32_t up = t >= 2 ? t - 2 : t, down = (t & 7) + 4 <= 7 ? t + 4 : t;
        uint32_t want = 3 * up + (3 * down << 7) + (3 * (t ^ 1) << 14) + (21u << 21) +
                        (((uint32_t)(t >= 2) + 2 * ((t & 7) + 4 <= 7)) << 28);
        assert_int_equal(out[t], want);
    }
    done(&f);
}

static void lanes_vote_and_match_and_reduce(void **state)
{
    struct fixture f;
    (void)state;
    uint32_t *out = run(&f,
                        KERNEL("setp.lt.u32 %p0, %t, 5; vote.sync.ballot.b32 %r2, %p0, -1;\n"
                               "vote.sync.any.pred %p1, %p0, -1; vote.sync.all.pred %p2, %p0, -1;\n"
                               "vote.sync.uni.pred %p3, !%p0, -1; and.b32 %r3, %t, 3;\n"
                               "match.any.sync.b32 %r4, %r3, -1; popc.b32 %r4, %r4;\n"
                               "redux.sync.add.u32 %r5, %t, -1; redux.sync.max.s32 %r6, %t, -1;\n"
                               "selp.u32 %r7, 1, 0, %p1; selp.u32 %r8, 1, 0, %p2;\n"
                               "selp.u32 %r9, 1, 0, %p3; mad.lo.u32 %r2, %r7, 100, %r2;\n"
                               "mad.lo.u32 %r2, %r8, 1000, %r2; mad.lo.u32 %r2, %r9, 10000, %r2;\n"
                               "mad.lo.u32 %r2, %r4, 1000, %r2; add.u32 %r2, %r2, %r5;\n"
                               "add.u32 %r2, %r2, %r6; st.global.u32 [%o], %r2; ret;"),
                        1, 32);
    for (uint32_t t = 0; t < 32; t++)
        assert_int_equal(out[t], 31 + 100 + 8000 + 496 + 31);
    done(&f);
}

/* Lanes that name other members vote, match and reduce apart from each other. */
static void lanes_vote_among_the_members_they_name(void **state)
{
    struct fixture f;
    (void)state;
    uint32_t *out = run(
        &f,
        KERNEL("shr.u32 %r2, %t, 3; shl.b32 %r3, %r2, 3; mov.u32 %r4, 255; shl.b32 %r4, %r4, %r3;\n"
               "setp.lt.u32 %p0, %t, 11; vote.sync.ballot.b32 %r5, %p0, %r4;\n"
               "vote.sync.all.pred %p1, %p0, %r4; vote.sync.any.pred %p0, %p0, %r4;\n"
               "match.all.sync.b32 %r6|%p2, %r2, %r4; redux.sync.add.u32 %r2, %r2, %r4;\n"
               "selp.u32 %r7, 1, 0, %p0; selp.u32 %r8, 2, 0, %p1; selp.u32 %r9, 4, 0, %p2;\n"
               "add.u32 %r7, %r7, %r8; add.u32 %r7, %r7, %r9; shl.b32 %r7, %r7, 8;\n"
               "xor.b32 %r6, %r6, %r4; add.u32 %r7, %r7, %r6; add.u32 %r7, %r7, %r2;\n"
               "popc.b32 %r5, %r5; shl.b32 %r5, %r5, 16; add.u32 %r7, %r7, %r5;\n"
               "st.global.u32 [%o], %r7; ret;"),
        1, 32);
    for (uint32_t t = 0; t < 32; t++) {
        uint32_t yes = t < 8 ? 8 : t < 16 ? 3 : 0, votes = (yes != 0) + 2 * (yes == 8) + 4;
        assert_int_equal(out[t], (yes << 16) + (votes << 8) + t / 8 * 8);
    }
    done(&f);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void narrow_and_vector_accesses_extend_and_cut(void **state)
{
    struct fixture f;
    (void)state;
    uint32_t *out = run(
        &f,
        ".global .align 8 .b8 g[16] = {1, 0x80, 3, 4, 0xff, 0xff, 7, 8, 9, 10, 11, 12};\n" KERNEL(
            ".reg .b16 %h<4>;\nmov.u64 %rd1, g; ld.global.s8 %r2, [%rd1+1];\n"
            "ld.global.u8 %r3, [g+1]; ld.global.s16 %r4, [%rd1+4]; ld.global.u16 %h0, [g+6];\n"
            "ld.global.v2.u32 {%r5, %r6}, [%rd1+8]; ld.global.s32 %rd2, [g+4];\n"
            "cvt.u32.u16 %r7, %h0; cvt.u32.u64 %r8, %rd2; mov.b64 {%r9, %r10}, %rd2;\n"
            "add.u32 %r2, %r2, %r3; xor.b32 %r2, %r2, %r4; xor.b32 %r2, %r2, %r5;\n"
            "xor.b32 %r2, %r2, %r7; xor.b32 %r2, %r2, %r8; xor.b32 %r2, %r2, %r10;\n"
            "st.global.u32 [%o], %r2; ret;"),
        1, 32);
    uint32_t want = (uint32_t)(-128 + 128) ^ (uint32_t)-1 ^ 0x0c0b0a09 ^ 0x0807 ^ 0x0807ffff ^ 0;
    for (uint32_t t = 0; t < 32; t++)
        assert_int_equal(out[t], want);
    done(&f);
}

static void generic_addresses_reach_every_space(void **state)
{
    struct fixture f;
    (void)state;
    uint32_t *out =
        run(&f,
            ".const .align 4 .u32 c[2] = {40, 50};\n" KERNEL(
                ".local .align 4 .b8 l[8]; .reg .b64 %l<3>;\n"
                "mov.u64 %l0, l; cvta.local.u64 %l1, %l0; st.local.u32 [%l0+4], %t;\n"
                "mov.u32 %r2, sh; shl.b32 %r3, %t, 2; add.u32 %r2, %r2, %r3;\n"
                "add.u32 %r4, %t, 1000; st.shared.u32 [%r2], %r4;\n"
                "cvt.u64.u32 %rd1, %r2; cvta.shared.u64 %rd1, %rd1; mov.u64 %rd2, c;\n"
                "cvta.const.u64 %rd2, %rd2; add.u64 %rd3, %l1, 4;\n"
                "rem.u32 %r5, %t, 3; setp.eq.u32 %p0, %r5, 0; setp.eq.u32 %p1, %r5, 1;\n"
                "selp.b64 %rd4, %rd1, %rd2, %p0; selp.b64 %rd4, %rd3, %rd4, %p1;\n"
                "ld.u32 %r6, [%rd4]; isspacep.shared %p2, %rd4; selp.u32 %r7, 5000, 0, %p2;\n"
                "add.u32 %r6, %r6, %r7; st.u32 [%o], %r6; ret;"),
            1, 32);
    for (uint32_t t = 0; t < 32; t++)
        assert_int_equal(out[t], t % 3 == 0 ? 6000 + t : t % 3 == 1 ? t : 40);
    done(&f);
}

static void atomics_of_all_threads_take_effect(void **state)
{
    struct fixture f;
    uint64_t address;
    (void)state;
    assert_true(load(&f, KERNEL("atom.global.add.u32 %r2, [%rd0], 1;\n"
                                "red.global.max.s32 [%rd0+4], %i; red.global.or.b32 [%rd0+8], %t;\n"
                                "atom.global.inc.u32 %r3, [%rd0+12], 6;\n"
                                "atom.global.dec.u32 %r3, [%rd0+40], 10;\n"
                                "atom.global.cas.b32 %r4, [%rd0+16], 0, %i;\n"
                                "atom.global.exch.b32 %r5, [%rd0+20], %i;\n"
                                "mov.f32 %f0, 0f3F000000; red.global.add.f32 [%rd0+24], %f0;\n"
                                "red.global.add.u64 [%rd0+32], 0x100000001; ret;")));
    uint32_t *out = alloc(&f, "out", 16, &address);
    assert_true(launch(&f, 3, 40, &address));
    float sum;
    memcpy(&sum, &out[6], 4);
    assert_int_equal(out[0], 120);
    assert_int_equal(out[1], 119);
    assert_int_equal(out[2], 63);
    assert_int_equal(out[3], 120 % 7);
    assert_int_equal(out[10], 11 - 120 % 11);
    assert_int_equal(out[4], 1); /* thread 0 writes 0 over 0, thread 1 is the first to succeed */
    assert_int_equal(out[5], 119);
    assert_true(sum == 60.0f);
    assert_int_equal(out[8], 120);
    assert_int_equal(out[9], 120);
    done(&f);
}

static void dynamic_shared_memory_lies_behind_the_static(void **state)
{
    struct fixture f;
    (void)state;
    uint32_t *out = run(&f,
                        ".extern .shared .align 16 .b8 dyn[];\n" KERNEL(
                            "mov.u32 %r2, dyn; st.shared.u32 [dyn+60], %r2;\n"
                            "ld.shared.u32 %r3, [dyn+60]; st.global.u32 [%o], %r3; ret;"),
                        1, 32);
    assert_int_equal(out[3], 512);
    done(&f);
    /* one byte more, and the next multiple of 16 is its place */
    out = run(&f,
              ".extern .shared .align 16 .b8 dyn[];\n.shared .b8 odd[1];\n" KERNEL(
                  "mov.u32 %r4, odd; mov.u32 %r2, dyn; st.shared.u32 [dyn+60], %r2;\n"
                  "ld.shared.u32 %r3, [dyn+60]; st.global.u32 [%o], %r3; ret;"),
              1, 32);
    assert_int_equal(out[3], 528);
    struct trace_source src;
    trace_memory_source(f.trace, &src);
    assert_int_equal(src.kernels[0].shared_bytes, 528 + 64);
    src.close(&src);
    f.trace = NULL;
    done(&f);
}

/* ---- turns of warps, races ------------------------------------------------------------------- */

/* Every warp reads the word, then warp 0 writes it: no barrier, but warps go in step. */
static void warps_take_turns_access_by_access(void **state)
{
    struct fixture f;
    (void)state;
    uint32_t *out =
        run(&f,
            KERNEL("setp.eq.u32 %p0, %t, 0; mov.u32 %r2, 7; mov.u32 %r3, 9;\n"
                   "@%p0 st.shared.u32 [sh], %r2;\nbar.sync 0;\n"
                   "ld.shared.u32 %r4, [sh];\n"
                   "add.u32 %r5, %r4, 1; add.u32 %r5, %r5, %r5; mov.u32 %r6, 0;\n"
                   "LOOP: add.u32 %r6, %r6, 1; setp.lt.u32 %p1, %r6, 5; @%p1 bra LOOP;\n"
                   "@%p0 st.shared.u32 [sh], %r3;\n"
                   "st.global.u32 [%o], %r4; ret;"),
            1, 256);
    for (uint32_t i = 0; i < 256; i++)
        assert_int_equal(out[i], 7);
    done(&f);
}

/* How many pairs of instructions were named when every CTA is looked at. */
static uint32_t races_of(const char *body, uint64_t *accesses, bool *is_named)
{
    struct fixture f;
    uint64_t address;
    assert_true(load(&f, body));
    alloc(&f, "out", 1024, &address);
    struct ptx_launch l = {.kernel = &f.kernel,
                           .grid = {3, 1, 1},
                           .block = {128, 1, 1},
                           .params = (const void *)&address,
                           .races = PTX_RACES_ALL};
    assert_true(ptx_run(&f.dev, &l, NULL, &f.counts, &f.err));
    uint32_t n = f.dev.n_races;
    *accesses = f.counts.races;
    *is_named =
        n == 0 ? f.err.n_warnings == 0 : strstr(first_error(&f), "race at shared address") != NULL;
    assert_int_equal(f.err.n_warnings, n);
    done(&f);
    return n;
}

/* %r2: 4 * thread, %r3: of the thread one warp further */
#define RACE(...)                                                                                  \
    KERNEL("shl.b32 %r2, %t, 2; add.u32 %r3, %r2, 128; and.b32 %r3, %r3, 511;\n" __VA_ARGS__       \
           "\nret;")

/* Of four warps the last writes its words at 128 and `says` so; the first waits until what it
 * `hears` is not 0, and reads them. Global flags are CTA's own. */
#define MESSAGE(says, hears, behind)                                                               \
    KERNEL("and.b32 %r6, %t, 31; shl.b32 %r6, %r6, 2; add.u32 %r6, %r6, 128;\n"                    \
           "shl.b32 %r7, %r0, 2; cvt.u64.u32 %rd1, %r7; add.u64 %rd0, %rd0, %rd1;\n"               \
           "setp.eq.u32 %p0, %t, 0; @%p0 st.shared.u32 [sh], 0;\nbar.sync 0;\n"                    \
           "setp.lt.u32 %p1, %t, 32; setp.ge.u32 %p2, %t, 96;\n"                                   \
           "@%p1 bra HEAR;\n@%p2 bra SAY;\nret;\n"                                                 \
           "SAY: st.shared.u32 [%r6], %t;\n" says "\nret;\n"                                       \
           "HEAR: " hears ";\nsetp.eq.u32 %p3, %r4, 0; @%p3 bra HEAR;\n" behind                    \
           "\nld.shared.u32 %r5, [%r6]; ret;")

static void races_between_warps_are_named(void **state)
{
    static const struct {
        const char *what, *body;
        uint32_t pairs;
        uint64_t accesses;
    } cases[] = {
        /* each of 128 threads meets its word once, in three CTAs; the last warp reads what has
         * been written before the others read */
        {"write, then read of another", RACE("st.shared.u32 [%r2], %t; ld.shared.u32 %r4, [%r3];"),
         1, 384},
        {"a barrier between them",
         RACE("st.shared.u32 [%r2], %t; bar.sync 0; ld.shared.u32 %r4, [%r3];"), 0, 0},
        {"write after read of another", RACE("ld.shared.u32 %r4, [%r3]; st.shared.u32 [%r2], %t;"),
         1, 384},
        {"the same warp's words", RACE("st.shared.u32 [%r2], %t; ld.shared.u32 %r4, [%r2];"), 0, 0},
        {"two warps write", RACE("and.b32 %r5, %r2, 127; st.shared.u32 [%r5], %t;"), 1, 288},
        {"all only read", RACE("ld.shared.u32 %r4, [%r3]; ld.shared.u32 %r4, [%r2];"), 0, 0},
        {"atomics of all", RACE("atom.shared.add.u32 %r4, [sh], 1;"), 0, 0},
        {"an atomic against a plain read",
         RACE("atom.shared.add.u32 %r4, [sh], 1; ld.shared.u32 %r4, [sh];"), 1, 12},
        {"volatile on both sides",
         RACE("st.volatile.shared.u32 [%r2], %t; ld.volatile.shared.u32 %r4, [%r3];"), 0, 0},
        /* the last warp writes and says so, the first one waits for it and reads */
        {"a flag with fences",
         MESSAGE("membar.cta;\nst.volatile.shared.u32 [sh], 1;", "ld.volatile.shared.u32 %r4, [sh]",
                 "membar.cta;"),
         0, 0},
        {"a flag that is written with release and read with acquire",
         MESSAGE("st.release.cta.shared.u32 [sh], 1;", "ld.acquire.cta.shared.u32 %r4, [sh]", ""),
         0, 0},
        {"an atomic flag, with fences",
         MESSAGE("fence.acq_rel.cta;\natom.shared.add.u32 %r5, [sh], 1;",
                 "atom.shared.add.u32 %r4, [sh], 0", "fence.acq_rel.cta;"),
         0, 0},
        {"a flag in global memory",
         MESSAGE("membar.gl;\nst.volatile.global.u32 [%rd0], 1;",
                 "ld.volatile.global.u32 %r4, [%rd0]", "membar.gl;"),
         0, 0},
        {"a flag without a fence before it",
         MESSAGE("st.volatile.shared.u32 [sh], 1;", "ld.volatile.shared.u32 %r4, [sh]",
                 "membar.cta;"),
         1, 96},
        {"a flag without a fence behind it",
         MESSAGE("membar.cta;\nst.volatile.shared.u32 [sh], 1;", "ld.volatile.shared.u32 %r4, [sh]",
                 ""),
         1, 96},
        {"a fence before what is written late",
         MESSAGE("membar.cta;\nst.volatile.shared.u32 [sh], 1;\nst.shared.u32 [%r6], %t;",
                 "ld.volatile.shared.u32 %r4, [sh]", "membar.cta;"),
         1, 96},
        {"a weak write before a fence and a strong one of the same warp",
         RACE("setp.lt.u32 %p1, %t, 32; @%p1 bra FIRST; mov.u32 %r6, 0;\n"
              "WAIT: add.u32 %r6, %r6, 1; setp.lt.u32 %p0, %r6, 300; @%p0 bra WAIT;\n"
              "ld.volatile.shared.u32 %r4, [sh]; ret;\n"
              "FIRST: setp.eq.u32 %p2, %t, 0; @%p2 st.shared.u32 [sh], %t;\nmembar.cta;\n"
              "@%p2 st.volatile.shared.u32 [sh], %t;"),
         1, 9},
        {"bytes of one word",
         RACE("shr.u32 %r5, %t, 5; and.b32 %r6, %t, 31; shl.b32 %r6, %r6, 2; add.u32 %r6, %r6, "
              "%r5;\nst.shared.u8 [%r6], %t; ld.shared.u8 %r4, [%r6];"),
         0, 0},
        {"a vector over a word of another",
         RACE("and.b32 %r5, %r2, 255; mov.u32 %r6, 256; setp.eq.u32 %p0, %t, 64;\n"
              "@%p0 st.shared.v2.u32 [%r6], {%t, %t};\nmov.u32 %r7, 260; setp.eq.u32 %p1, %t, 1;\n"
              "@%p1 st.shared.u32 [%r7], %t;"),
         1, 3},
        /* warps 0, 1 at barrier 1 and 2, 3 at barrier 2: each pair is ordered in itself */
        {"named barriers order their warps",
         RACE("shr.u32 %r5, %t, 6; add.u32 %r5, %r5, 1; xor.b32 %r6, %r2, 128;\n"
              "st.shared.u32 [%r2], %t; bar.sync %r5, 64; ld.shared.u32 %r4, [%r6];"),
         0, 0},
        {"and nobody else",
         RACE("shr.u32 %r5, %t, 6; add.u32 %r5, %r5, 1; xor.b32 %r6, %r2, 256;\n"
              "st.shared.u32 [%r2], %t; bar.sync %r5, 64; ld.shared.u32 %r4, [%r6];"),
         1, 384},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t accesses;
        bool is_named;
        uint32_t n = races_of(cases[i].body, &accesses, &is_named);
        if (n != cases[i].pairs || accesses != cases[i].accesses || !is_named) {
            print_error("%s: %u pairs, %lu accesses\n", cases[i].what, n, (unsigned long)accesses);
            fail();
        }
    }
}

static void some_ctas_are_looked_at_unless_all_are_wanted(void **state)
{
    struct fixture f;
    uint64_t address;
    (void)state;
    assert_true(load(&f, RACE("st.shared.u32 [sh], %t;")));
    alloc(&f, "out", 32768, &address);
    struct ptx_launch l = {.kernel = &f.kernel,
                           .grid = {256, 1, 1},
                           .block = {64, 1, 1},
                           .params = (const void *)&address};
    /* the first two, and every 64th: 0, 1, 64, 128, 192, each with one conflict */
    assert_true(ptx_run(&f.dev, &l, NULL, &f.counts, &f.err));
    assert_int_equal(f.counts.races, 5);
    assert_true(ptx_run(&f.dev, &l, NULL, &f.counts, &f.err));
    assert_int_equal(f.err.n_warnings, 1); /* once a kernel, however often it is launched */
    l.races = PTX_RACES_OFF;
    f.counts.races = 0;
    assert_true(ptx_run(&f.dev, &l, NULL, &f.counts, &f.err));
    assert_int_equal(f.counts.races, 0);
    done(&f);
}

/* ---- faults ---------------------------------------------------------------------------------- */

static void check_fault(const char *body, const char *want)
{
    struct fixture f;
    uint64_t address;
    if (!load(&f, body)) {
        print_error("%s\n", first_error(&f));
        fail();
    }
    alloc(&f, "out", 64, &address);
    assert_false(launch(&f, 1, 64, &address));
    if (strcmp(first_error(&f), want) != 0) {
        print_error("got:  %s\nwant: %s\n", first_error(&f), want);
        fail();
    }
    done(&f);
}

static void accesses_outside_name_the_thread_line_and_address(void **state)
{
    (void)state;
    check_fault(
        KERNEL("add.u32 %r2, %t, 1;\nmul.wide.u32 %rd1, %r2, 4; add.u64 %rd1, %rd0, %rd1;\n"
               "st.global.u32 [%rd1], %t; ret;"),
        "k.ptx:20: kernel k, CTA (0,0,0), thread (63,0,0): st.global.u32 [%rd1], %t: 4 bytes "
        "at global address 0x100000100 are outside every buffer; 'out' is 0x100000000 and has "
        "256 bytes");
    check_fault(
        KERNEL("mov.u64 %rd1, 0; ld.global.u8 %r2, [%rd1]; ret;"),
        "k.ptx:18: kernel k, CTA (0,0,0), thread (0,0,0): ld.global.u8 %r2, [%rd1]: 1 bytes at "
        "global address 0x0 are outside every buffer");
    check_fault(
        KERNEL("shl.b32 %r2, %t, 4; ld.shared.u32 %r3, [%r2]; ret;"),
        "k.ptx:18: kernel k, CTA (0,0,0), thread (36,0,0): ld.shared.u32 %r3, [%r2]: 4 bytes at "
        "shared address 0x240 are outside its 576 bytes");
    check_fault(
        KERNEL("add.u64 %rd1, %rd0, 2; ld.global.u32 %r3, [%rd1]; ret;"),
        "k.ptx:18: kernel k, CTA (0,0,0), thread (0,0,0): ld.global.u32 %r3, [%rd1]: address "
        "0x100000002 is not a multiple of 4");
    check_fault(
        KERNEL(".local .align 4 .b8 l[8]; mov.u64 %rd1, l; st.local.u32 [%rd1+8], %t; ret;"),
        "k.ptx:18: kernel k, CTA (0,0,0), thread (0,0,0): st.local.u32 [%rd1+8], %t: 4 bytes at "
        "local address 0x8 are outside its 8 bytes");
    check_fault(".const .align 4 .b8 c[4];\n" KERNEL("mov.u64 %rd1, c; st.u32 [%rd1], %t; ret;"),
                "k.ptx:19: kernel k, CTA (0,0,0), thread (0,0,0): st.u32 [%rd1], %t: 'c' cannot be "
                "written");
    check_fault(KERNEL("trap;"),
                "k.ptx:18: kernel k, CTA (0,0,0), thread (0,0,0): trap: the kernel "
                "trapped");
    check_fault(
        KERNEL("mov.u32 %r2, 16; bar.sync %r2; ret;"),
        "k.ptx:18: kernel k, CTA (0,0,0), thread (0,0,0): bar.sync %r2: barrier 16 is not in "
        "0..15");
}

static void an_access_has_the_bytes_of_a_lane(void **state)
{
    static const struct {
        const char *body;
        uint8_t bytes;
    } cases[] = {
        {KERNEL("ld.global.u8 %r2, [%rd0]; ret;"), 1},
        {KERNEL("ld.global.f32 %f0, [%rd0]; ret;"), 4},
        {KERNEL("ld.global.v2.f32 {%f0, %f1}, [%rd0]; ret;"), 8},
        {KERNEL("ld.global.u64 %rd1, [%rd0]; ret;"), 8},
        {KERNEL("ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%rd0]; ret;"), 16},
        {KERNEL("st.global.v4.f32 [%rd0], {%f0, %f1, %f2, %f3}; ret;"), 16},
        {KERNEL("atom.global.add.u32 %r2, [%rd0], 1; ret;"), 4},
        {KERNEL("tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%rd0, {%f0, %f1}]; ret;"), 16},
        {KERNEL("tex.1d.f32.s32 %f0, [%rd0, {%r2}]; ret;"), 4},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fixture f;
        size_t n = 0;
        if (!load(&f, cases[i].body))
            fail_msg("%s: %s", cases[i].body, first_error(&f));
        for (uint32_t k = 0; k < f.kernel.n_statics; k++) {
            const struct trace_static *s = &f.kernel.statics[k];
            if (s->space != TS_GLOBAL && s->space != TS_TEXTURE)
                continue;
            n++;
            assert_int_equal(s->access_bytes, cases[i].bytes);
        }
        assert_int_equal(n, 1);
        done(&f);
    }
}

/* ---- what is refused when it is loaded ------------------------------------------------------- */

static void unsupported_instructions_are_refused_with_line_and_text(void **state)
{
    static const struct {
        const char *body, *want;
    } cases[] = {
        {KERNEL("tex.cube.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%rd0, {%f0, %f0, %f0, %f0}];"),
         "k.ptx:18: 'tex.cube.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%rd0, {%f0, %f0, %f0, %f0}]' in "
         "k: its geometry must be 1d, 2d, 3d, a1d or a2d"},
        {KERNEL("ld.global.f32 %f0, [%rd0, {%f0}];"),
         "k.ptx:18: 'ld.global.f32 %f0, [%rd0, {%f0}]' in k: coordinates are for textures and "
         "surfaces"},
        {KERNEL("mov.u64 %rd0, k;"), "k.ptx:18: 'mov.u64 %rd0, k' in k: 'k' is no function that "
                                     "could be called by its address"},
        {KERNEL("wgmma.fence.sync.aligned;"),
         "k.ptx:18: 'wgmma.fence.sync.aligned' in k: instruction 'wgmma' is not supported"},
        {KERNEL("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 %f0, %f1, %f2;"),
         "k.ptx:18: 'wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 %f0, %f1, %f2' in k: it has 3 "
         "operands"},
        {KERNEL("add.s32.foo %r0, %r1, %r2;"),
         "k.ptx:18: 'add.s32.foo %r0, %r1, %r2' in k: modifier '.foo' is not supported"},
        {KERNEL("add.s32 %r0, %r1;"), "k.ptx:18: 'add.s32 %r0, %r1' in k: it has 2 operands"},
        {KERNEL("add.cc.u32 %r0, %r1;"), "k.ptx:18: 'add.cc.u32 %r0, %r1' in k: it has 2 operands"},
        {KERNEL("addc.u32 %r0, %r1, %r2, %r3;"),
         "k.ptx:18: 'addc.u32 %r0, %r1, %r2, %r3' in k: it has 4 operands"},
        {KERNEL("mad.lo.cc.u32 %r0, %r1, %r2;"),
         "k.ptx:18: 'mad.lo.cc.u32 %r0, %r1, %r2' in k: it has 3 operands"},
        {KERNEL("add.cc.f32 %f0, %f1, %f2;"),
         "k.ptx:18: 'add.cc.f32 %f0, %f1, %f2' in k: type .f32 has no carry"},
        {KERNEL("add.s32 %r0, %r1, %rd1;"),
         "k.ptx:18: 'add.s32 %r0, %r1, %rd1' in k: operand %rd1 has type .b64, not .s32"},
        {KERNEL("mul.s32 %r0, %r1, %r2;"), "k.ptx:18: 'mul.s32 %r0, %r1, %r2' in k: '.lo', '.hi' "
                                           "or '.wide' belongs to integers, and must "
                                           "be given"},
        {KERNEL("bra NOWHERE;"), "k.ptx:18: 'bra NOWHERE' in k: label 'NOWHERE' is not defined"},
        {KERNEL("mov.u32 %zz, 1;"),
         "k.ptx:18: in k: register '%zz' is not declared, or not supported"},
        {KERNEL("call vprintf, (%r0, %r1);"),
         "k.ptx:18: 'call vprintf, (%r0, %r1)' in k: function 'vprintf' has no body in this file"},
        {KERNEL("ld.global.f32 %f0, %rd0;"),
         "k.ptx:18: 'ld.global.f32 %f0, %rd0' in k: expected an address in brackets"},
        {KERNEL("cvt.s32.f32 %r0, %f0;"), "k.ptx:18: 'cvt.s32.f32 %r0, %f0' in k: real to integer "
                                          "needs a rounding: .rni, .rzi, .rmi or "
                                          ".rpi"},
        {KERNEL("X: ret; X: ret;"), "k.ptx:18: in k: label 'X' is defined twice"},
        {".visible .entry k() { ret;", "k.ptx:4: the body that begins here does not end"},
        {".version 0fzz", "k.ptx:4: 0f must be followed by 8 hexadecimal digits"},
        {".tex .u64 t;", "k.ptx:4: '.tex' is not supported at file scope"},
        {"", "k.ptx: there is no kernel 'k'"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture f;
        assert_false(load(&f, cases[i].body));
        if (strcmp(first_error(&f), cases[i].want) != 0) {
            print_error("got:  %s\nwant: %s\n", first_error(&f), cases[i].want);
            fail();
        }
        done(&f);
    }
}

static void a_kernel_that_cannot_be_read_does_not_spoil_the_module(void **state)
{
    struct fixture f;
    struct ptx_kernel bad;
    (void)state;
    assert_true(load(&f, ".global .texref picture;\n.global .u64 table[1] = {g};\n"
                         ".func g() { ret; }\n"
                         ".visible .entry bad() { .reg .b32 %q; mov.u32 %zz, {1, 2}; ret; }\n"
                         ".visible .entry user() { .reg .b64 %a; mov.u64 %a, table; ret; }\n"
                         ".visible .entry k() { ret; }\n"));
    assert_false(ptx_decode(&f.dev.layout, "bad", &f.dev.mem, &bad, &f.err));
    assert_string_equal(first_error(&f),
                        "k.ptx:7: in bad: register '%zz' is not declared, or not supported");
    done(&f);
    assert_true(load(&f, ".global .u64 table[1] = {g};\n"
                         ".visible .entry user() { .reg .b64 %a; mov.u64 %a, table; ret; }\n"
                         ".visible .entry k() { ret; }\n"));
    assert_false(ptx_decode(&f.dev.layout, "user", &f.dev.mem, &bad, &f.err));
    assert_string_equal(first_error(&f), "k.ptx:5: 'mov.u64 %a, table' in user: 'table' holds the "
                                         "address of 'g', which is no variable");
    done(&f);
}

static void faults_name_the_line_of_the_source(void **state)
{
    struct fixture f;
    uint64_t none = 0;
    (void)state;
    assert_true(load(&f, ".visible .entry k(.param .u64 p) {\n.reg .b64 %a; .reg .b32 %r;\n"
                         ".loc 7 3 1\nld.param.u64 %a, [p];\n.loc 7 12 5\n"
                         "ld.global.u32 %r, [%a];\nret;\n}\n.file 7 \"prog.cu\"\n"));
    assert_false(launch(&f, 1, 1, &none));
    assert_true(strncmp(first_error(&f), "prog.cu:12: kernel k", 20) == 0);
    done(&f);
}

#define READS(special) KERNEL("mov.u32 %r2, " special "; st.global.u32 [%o], %r2; ret;")

static void special_registers_say_who_and_where(void **state)
{
    static const struct {
        const char *body;
        uint32_t of_0, of_5; /* of lanes of warp 1 in CTA 2 of 3, 40 threads each */
    } cases[] = {
        {READS("%lanemask_eq"), 1, 1u << 5},
        {READS("%lanemask_le"), 1, 0x3f},
        {READS("%lanemask_lt"), 0, 0x1f},
        {READS("%lanemask_ge"), UINT32_MAX, ~0x1fu},
        {READS("%lanemask_gt"), ~1u, ~0x3fu},
        {READS("%laneid"), 0, 5},
        {READS("%warpid"), 1, 1},
        {READS("%nwarpid"), 2, 2},
        {READS("%ctaid.x"), 2, 2},
        {READS("%nctaid.x"), 3, 3},
        {READS("%ntid.x"), 40, 40},
        {READS("%tid.x"), 32, 37},
        {READS("%dynamic_smem_size"), 64, 64},
        {READS("%total_smem_size"), 576, 576},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture f;
        uint64_t address;
        assert_true(load(&f, cases[i].body));
        uint32_t *out = alloc(&f, "out", 120, &address);
        assert_true(launch(&f, 3, 40, &address));
        if (out[2 * 40 + 32] != cases[i].of_0 || out[2 * 40 + 37] != cases[i].of_5) {
            print_error("case %zu: %x and %x\n", i, out[2 * 40 + 32], out[2 * 40 + 37]);
            fail();
        }
        done(&f);
    }
}

/* ---- the trace of a run ---------------------------------------------------------------------- */

static void a_run_records_masks_addresses_and_registers(void **state)
{
    struct fixture f;
    (void)state;
    run(&f, KERNEL("setp.lt.u32 %p0, %t, 3; @%p0 bra L;\nst.global.u32 [%o], %t;\nL: ret;"), 2, 34);
    struct trace_source src;
    struct trace_cta cta;
    trace_memory_source(f.trace, &src);
    assert_int_equal(src.n_kernels, 1);
    const struct trace_kernel *k = &src.kernels[0];
    assert_int_equal(k->n_ctas, 2);
    assert_int_equal(k->warps_per_cta, 2);
    assert_true(k->regs_estimated);
    assert_true(k->regs_per_thread >= 5 && k->regs_per_thread <= 8);
    assert_int_equal(k->shared_bytes, 512 + 64);
    assert_true(src.load_cta(&src, 0, 1, &cta, &f.err));
    assert_int_equal(cta.n_warps, 2);
    /* warp 0: of the head two special registers, mad, mul.wide and two for the sum of 64 bits;
     * setp, st, whose predicate the short branch is, ret; warp 1 has two threads and none is below
     * 3 */
    assert_int_equal(cta.warps[0].n_insts, 9);
    const struct trace_inst *st = &cta.warps[0].insts[7];
    assert_int_equal(k->statics[st->stat].cls, TC_STORE);
    assert_int_equal(k->statics[st->stat].space, TS_GLOBAL);
    assert_int_equal(k->statics[st->stat].access_bytes, 4);
    assert_int_equal(k->statics[st->stat].n_dst, 0);
    assert_int_equal(k->statics[st->stat].n_src, 3);
    assert_int_equal(st->mask, 0xfffffff8);
    assert_int_equal(st->n_addresses, 29);
    assert_int_equal(cta.addresses[st->first_address], PTX_GLOBAL_BASE + 4 * (34 + 3));
    assert_int_equal(cta.addresses[st->first_address + 28], PTX_GLOBAL_BASE + 4 * (34 + 31));
    const struct trace_inst *last = &cta.warps[1].insts[cta.warps[1].n_insts - 1];
    assert_int_equal(k->statics[last->stat].cls, TC_EXIT);
    assert_int_equal(last->mask, 3);
    /* the first three instructions write registers, numbered from 1 */
    assert_true(k->statics[0].n_dst == 1 && k->statics[0].dst[0] != TRACE_NO_REG);
    src.close(&src);
    f.trace = NULL;
    done(&f);
}

/* ---- what is refused when it is launched ----------------------------------------------------- */

static void launches_that_cannot_be_are_refused(void **state)
{
    static const struct {
        const char *head;
        uint32_t grid[3], block[3], shared;
        const char *why; /* NULL: it runs */
    } cases[] = {
        {"", {2, 1, 1}, {1024, 1, 1}, 0, NULL},
        {"", {1, 1, 1}, {8, 8, 16}, 0, NULL},
        {"", {1, 1, 1}, {0, 1, 1}, 0, "a block of 0 x 1 x 1 threads is not in 1..1024"},
        {"", {1, 1, 1}, {1, 0, 1}, 0, "a block of 1 x 0 x 1 threads is not in 1..1024"},
        {"", {1, 1, 1}, {1, 1, 0}, 0, "a block of 1 x 1 x 0 threads is not in 1..1024"},
        {"", {1, 1, 1}, {1025, 1, 1}, 0, "a block of 1025 x 1 x 1 threads is not in 1..1024"},
        {"", {1, 1, 1}, {1, 1025, 1}, 0, "a block of 1 x 1025 x 1 threads is not in 1..1024"},
        {"", {1, 1, 1}, {1, 1, 1025}, 0, "a block of 1 x 1 x 1025 threads is not in 1..1024"},
        {"", {1, 1, 1}, {32, 33, 1}, 0, "a block of 32 x 33 x 1 threads is not in 1..1024"},
        {"", {0, 1, 1}, {1, 1, 1}, 0, "a grid of 0 x 1 x 1 CTAs"},
        {"", {1, 0, 1}, {1, 1, 1}, 0, "a grid of 1 x 0 x 1 CTAs"},
        {"", {1, 1, 0}, {1, 1, 1}, 0, "a grid of 1 x 1 x 0 CTAs"},
        {"", {65536, 65536, 1}, {1, 1, 1}, 0, "a grid of 65536 x 65536 x 1 CTAs"},
        {"", {65536, 32768, 2}, {1, 1, 1}, 0, "a grid of 65536 x 32768 x 2 CTAs"},
        {".reqntid 32, 2", {1, 1, 1}, {32, 2, 1}, 0, NULL},
        {".reqntid 32, 2", {1, 1, 1}, {64, 1, 1}, 0, "is compiled for blocks of 32 x 2 x 1"},
        {".reqntid 32, 2", {1, 1, 1}, {32, 2, 2}, 0, "is compiled for blocks of 32 x 2 x 1"},
        {".reqntid 32, 2", {1, 1, 1}, {32, 1, 1}, 0, "is compiled for blocks of 32 x 2 x 1"},
        {".maxntid 64, 2, 1", {1, 1, 1}, {128, 1, 1}, 0, NULL},
        {".maxntid 64, 2, 1", {1, 1, 1}, {129, 1, 1}, 0, "for at most 64 x 2 x 1 threads"},
        {"", {1, 1, 1}, {1, 1, 1}, 16 << 20, NULL},
        {"", {1, 1, 1}, {1, 1, 1}, (16 << 20) + 1, "wants 16777217 bytes of shared memory"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture f;
        struct arena mem;
        arena_init(&mem, NULL, NULL);
        if (!load(&f, arena_printf(&mem, ".visible .entry k() %s { ret; }", cases[i].head)))
            fail_msg("%s", first_error(&f));
        const uint32_t *g = cases[i].grid, *b = cases[i].block;
        struct ptx_launch l = {.kernel = &f.kernel,
                               .grid = {g[0], g[1], g[2]},
                               .block = {b[0], b[1], b[2]},
                               .params = (const uint8_t *)"",
                               .dynamic_shared = cases[i].shared,
                               .max_warp_insts = 1000};
        bool ok = ptx_run(&f.dev, &l, NULL, &f.counts, &f.err);
        if (ok != !cases[i].why || (!ok && !strstr(first_error(&f), cases[i].why)))
            fail_msg("%s: %s, not %s", cases[i].head, ok ? "it runs" : first_error(&f),
                     cases[i].why ? cases[i].why : "that it runs");
        done(&f);
        arena_free(&mem);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_sides_of_a_branch_run_and_meet),
        cmocka_unit_test(special_registers_say_who_and_where),
        cmocka_unit_test(nested_loops_run_as_often_as_each_thread_wants),
        cmocka_unit_test(a_loop_is_left_in_the_middle),
        cmocka_unit_test(threads_that_leave_early_do_not_hold_up_the_others),
        cmocka_unit_test(a_jump_table_sends_every_thread_its_way),
        cmocka_unit_test(guarded_instructions_touch_only_their_threads),
        cmocka_unit_test(functions_are_called_from_diverged_code),
        cmocka_unit_test(a_barrier_orders_shared_memory),
        cmocka_unit_test(barriers_count_and_vote),
        cmocka_unit_test(a_barrier_of_some_warps_lets_the_others_pass),
        cmocka_unit_test(a_barrier_that_cannot_complete_is_reported),
        cmocka_unit_test(an_endless_loop_is_reported),
        cmocka_unit_test(a_warp_that_goes_on_for_long_is_told),
        cmocka_unit_test(lanes_exchange_values),
        cmocka_unit_test(lanes_vote_and_match_and_reduce),
        cmocka_unit_test(lanes_vote_among_the_members_they_name),
        cmocka_unit_test(narrow_and_vector_accesses_extend_and_cut),
        cmocka_unit_test(generic_addresses_reach_every_space),
        cmocka_unit_test(atomics_of_all_threads_take_effect),
        cmocka_unit_test(dynamic_shared_memory_lies_behind_the_static),
        cmocka_unit_test(accesses_outside_name_the_thread_line_and_address),
        cmocka_unit_test(an_access_has_the_bytes_of_a_lane),
        cmocka_unit_test(unsupported_instructions_are_refused_with_line_and_text),
        cmocka_unit_test(a_kernel_that_cannot_be_read_does_not_spoil_the_module),
        cmocka_unit_test(faults_name_the_line_of_the_source),
        cmocka_unit_test(warps_take_turns_access_by_access),
        cmocka_unit_test(races_between_warps_are_named),
        cmocka_unit_test(some_ctas_are_looked_at_unless_all_are_wanted),
        cmocka_unit_test(a_run_records_masks_addresses_and_registers),
        cmocka_unit_test(launches_that_cannot_be_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
