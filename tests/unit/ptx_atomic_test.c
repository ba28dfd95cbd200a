/* SPDX-License-Identifier: MIT
 *
 * Atomics and reductions over a warp: each operation on each type it is defined for, in each space,
 * beside the same in C, lane by lane. */
#include "tests/unit/test.h"

#include <fenv.h>

#include "sim/ptx/interpreter.h"

typedef uint64_t u64;

enum { LANES = 32 };

struct bench {
    struct arena mem;
    struct err err;
    struct ptx_device dev;
    struct ptx_kernel kernel;
    u64 params[3];
    u64 *in, *out, *word; /* [lane], [lane], one and what lies around it */
};

static void load(struct bench *b, const char *body)
{
    static const char head[] =
        ".version 8.0\n.target sm_90\n.address_size 64\n"
        ".visible .entry k(.param .u64 pin, .param .u64 pout, .param .u64 pword)\n{\n"
        ".reg .b64 %in, %out, %word, %q<8>;\n.reg .b32 %t, %r<16>;\n.reg .b16 %h<8>;\n"
        ".reg .pred %p<8>;\n.shared .align 8 .b8 sh[16];\nmov.u32 %t, %tid.x;\n"
        "mul.wide.u32 %q0, %t, 16;\nld.param.u64 %in, [pin];\nadd.u64 %in, %in, %q0;\n"
        "mul.wide.u32 %q0, %t, 8;\nld.param.u64 %out, [pout];\nadd.u64 %out, %out, %q0;\n"
        "ld.param.u64 %word, [pword];\nsetp.eq.u32 %p0, %t, 0;\n";
    memset(b, 0, sizeof *b);
    arena_init(&b->mem, NULL, NULL);
    err_init(&b->err);
    const char *text = arena_printf(&b->mem, "%s%s\nret;\n}\n", head, body);
    if (!ptx_device_load(&b->dev, "k.ptx", text, strlen(text), &b->err) ||
        !ptx_decode(&b->dev.layout, "k", &b->mem, &b->kernel, &b->err))
        fail_msg("%s: %s", body, err_entry_text(b->err.first, &b->mem));
    u64 **const to[] = {&b->in, &b->out, &b->word};
    const u64 bytes[] = {LANES * 16, LANES * 8, 24};
    for (int i = 0; i < 3; i++) {
        uint32_t s = ptx_device_alloc(&b->dev, "x", bytes[i], NOWHERE, &b->err);
        b->params[i] = b->dev.segments[s].base;
        *to[i] = (void *)b->dev.segments[s].host;
    }
}

static void run(struct bench *b, uint32_t threads)
{
    struct ptx_counts counts;
    struct ptx_launch l = {.kernel = &b->kernel,
                           .grid = {1, 1, 1},
                           .block = {threads, 1, 1},
                           .params = (const uint8_t *)b->params,
                           .max_warp_insts = 10000};
    if (!ptx_run(&b->dev, &l, NULL, &counts, &b->err))
        fail_msg("%s", err_entry_text(b->err.first, &b->mem));
}

static void done(struct bench *b)
{
    ptx_device_close(&b->dev);
    err_free(&b->err);
    arena_free(&b->mem);
}

/* ---- what is to be --------------------------------------------------------------------------- */

static u64 sum_f32(u64 a, u64 b)
{
    uint32_t u = (uint32_t)a, v = (uint32_t)b;
    float x, y;
    memcpy(&x, &u, 4);
    memcpy(&y, &v, 4);
    x = (float)((double)x + (double)y);
    memcpy(&u, &x, 4);
    return x != x ? 0x7fffffff : u;
}

static u64 sum_f64(u64 a, u64 b)
{
    double x, y;
    memcpy(&x, &a, 8);
    memcpy(&y, &b, 8);
    x += y;
    memcpy(&a, &x, 8);
    return x != x ? 0x7ff8000000000000 : a;
}

static u64 sum_f16(u64 a, u64 b)
{
    return ptx_double_to_half(ptx_half_to_double((uint16_t)a) + ptx_half_to_double((uint16_t)b),
                              FE_TONEAREST);
}

/* Upper halves of singles; their sum has fewer than 24 digits, or is rounded right all the same. */
static u64 sum_bf16(u64 a, u64 b)
{
    u64 s = sum_f32((a & 0xffff) << 16, (b & 0xffff) << 16), rest = s & 0xffff, top = s >> 16;
    if ((s & 0x7fffffff) > 0x7f800000)
        return 0x7fff;
    return top + (rest > 0x8000 || (rest == 0x8000 && (top & 1)));
}

static u64 pair(u64 (*f)(u64, u64), u64 a, u64 b)
{
    return f(a & 0xffff, b & 0xffff) | f(a >> 16 & 0xffff, b >> 16 & 0xffff) << 16;
}

#define S32(v) ((int32_t)(uint32_t)(v))
#define S64(v) ((int64_t)(v))
/* operation, bits, what is there after `a` met `b` (and `c`) */
#define OPERATIONS(X)                                                                              \
    X(add.u32, 32, a + b)                                                                          \
    X(add.s32, 32, a + b)                                                                          \
    X(add.u64, 64, a + b)                                                                          \
    X(add.s64, 64, a + b)                                                                          \
    X(add.f32, 32, sum_f32(a, b))                                                                  \
    X(add.f64, 64, sum_f64(a, b))                                                                  \
    X(add.noftz.f16, 16, sum_f16(a, b))                                                            \
    X(add.noftz.bf16, 16, sum_bf16(a, b))                                                          \
    X(add.noftz.f16x2, 32, pair(sum_f16, a, b))                                                    \
    X(add.noftz.bf16x2, 32, pair(sum_bf16, a, b))                                                  \
    X(min.u32, 32, a < b ? a : b)                                                                  \
    X(min.s32, 32, S32(a) < S32(b) ? a : b)                                                        \
    X(min.u64, 64, a < b ? a : b)                                                                  \
    X(min.s64, 64, S64(a) < S64(b) ? a : b)                                                        \
    X(max.u32, 32, a > b ? a : b)                                                                  \
    X(max.s32, 32, S32(a) > S32(b) ? a : b)                                                        \
    X(max.u64, 64, a > b ? a : b)                                                                  \
    X(max.s64, 64, S64(a) > S64(b) ? a : b)                                                        \
    X(and.b32, 32, a &b)                                                                           \
    X(and.b64, 64, a &b)                                                                           \
    X(or.b32, 32, a | b)                                                                           \
    X(or.b64, 64, a | b)                                                                           \
    X(xor.b32, 32, a ^ b)                                                                          \
    X(xor.b64, 64, a ^ b)                                                                          \
    X(inc.u32, 32, a >= b ? 0 : a + 1)                                                             \
    X(dec.u32, 32, a == 0 || a > b ? b : a - 1)                                                    \
    X(exch.b32, 32, b)                                                                             \
    X(exch.b64, 64, b)                                                                             \
    X(cas.b16, 16, a == b ? c : a)                                                                 \
    X(cas.b32, 32, a == b ? c : a)                                                                 \
    X(cas.b64, 64, a == b ? c : a)

static const struct {
    const char *name;
    int bits;
} operations[] = {
#define X(name, bits, expr) {#name, bits},
    OPERATIONS(X)
#undef X
};

enum { N_OPERATIONS = sizeof operations / sizeof *operations };

static u64 want_of(size_t k, u64 a, u64 b, u64 c)
{
    const u64 all[] = {
#define X(name, bits, expr) (u64)(expr),
        OPERATIONS(X)
#undef X
    };
    (void)c;
    return operations[k].bits == 64 ? all[k] : all[k] & (((u64)1 << operations[k].bits) - 1);
}

/* ---- atomics --------------------------------------------------------------------------------- */

/* One word after the other as the lanes bring them: edges of every type, near each other and far.
 */
static u64 brought(size_t k, int lane, int which)
{
    static const u64 edges[] = {1,
                                0x3f8000003f803c00,
                                0x80000000,
                                0x7fffffff,
                                0x4110000040004900,
                                0xffffffff,
                                0x8000000000000000,
                                0x7fefffffffffffff,
                                3,
                                0xbff0000000000001,
                                0x7f8000007f807c00,
                                0x123456789abc5678,
                                0xff800000ff80fc00,
                                7,
                                0,
                                0x40490fdb40493555};
    u64 v = edges[(lane * 5 + which * 3 + (int)k) % 16];
    /* what is compared with is mostly there */
    if (strncmp(operations[k].name, "cas", 3) == 0 && which == 0)
        v = lane % 3 ? edges[((lane - 1) * 5 + 3 + (int)k + 16) % 16] : v;
    if (strncmp(operations[k].name, "inc", 3) == 0 || strncmp(operations[k].name, "dec", 3) == 0)
        v &= 7;
    /* below two, so that sums stay finite; what is not a number is another test's */
    if (strstr(operations[k].name, "f16"))
        v &= 0xbfffbfffbfffbfff;
    else if (strstr(operations[k].name, ".f"))
        v &= operations[k].bits == 64 ? 0xbfffffffffffffff : 0xbfffffff;
    return operations[k].bits == 64 ? v : v & (((u64)1 << operations[k].bits) - 1);
}

static const char *body_of(size_t k, bool gives, const char *space, struct arena *mem)
{
    int bits = operations[k].bits;
    const char *r = bits == 64 ? "%q" : bits == 32 ? "%r" : "%h";
    bool is_shared = strcmp(space, ".shared") == 0;
    const char *to = is_shared ? "[sh+8]" : "[%word+8]";
    const char *swap = strncmp(operations[k].name, "cas", 3) ? "" : arena_printf(mem, ", %s2", r);
    const char *store = bits == 64   ? "st.global.u64 [%out], %q3;"
                        : bits == 32 ? "cvt.u64.u32 %q3, %r3;\nst.global.u64 [%out], %q3;"
                                     : "cvt.u64.u16 %q3, %h3;\nst.global.u64 [%out], %q3;";
    return arena_printf(
        mem,
        "ld.global.b%d %s1, [%%in];\nld.global.b%d %s2, [%%in+8];\n%s\n%s%s.%s %s%s, "
        "%s1%s;\n%s\n%s",
        bits, r, bits, r,
        is_shared ? "ld.global.b64 %q7, [%word+8];\n@%p0 st.shared.b64 [sh+8], %q7;" : "",
        gives ? "atom" : "red", space, operations[k].name,
        gives ? arena_printf(mem, "%s3, ", r) : "", to, r, swap, gives ? store : "",
        is_shared ? "ld.shared.b64 %q7, [sh+8];\nst.global.b64 [%word+8], %q7;" : "");
}

static void try_operation(size_t k, bool gives, const char *space)
{
    struct bench b;
    struct arena mem;
    arena_init(&mem, NULL, NULL);
    load(&b, body_of(k, gives, space, &mem));
    u64 around = 0xa5a5a5a5a5a5a5a5, mask = UINT64_MAX >> (64 - operations[k].bits);
    u64 now = brought(k, 40, 1);
    b.word[0] = b.word[2] = around;
    b.word[1] = (around & ~mask) | now;
    for (int i = 0; i < LANES; i++) {
        b.out[i] = around;
        for (int j = 0; j < 2; j++)
            b.in[2 * i + j] = brought(k, i, j);
    }
    run(&b, LANES);
    for (int i = 0; i < LANES; i++) {
        if (b.out[i] != (gives ? now : around))
            fail_msg("%s%s, lane %d: found %llx, not %llx", operations[k].name, space, i,
                     (unsigned long long)b.out[i], (unsigned long long)now);
        now = want_of(k, now, b.in[2 * i], b.in[2 * i + 1]);
    }
    if (b.word[1] != ((around & ~mask) | now))
        fail_msg("%s%s leaves %llx, not %llx", operations[k].name, space,
                 (unsigned long long)b.word[1], (unsigned long long)now);
    assert_true(b.word[0] == around && b.word[2] == around);
    done(&b);
    arena_free(&mem);
}

static void every_atomic_is_its_c_arithmetic(void **state)
{
    static const char *const spaces[] = {".global", ".shared", ""};
    (void)state;
    for (size_t k = 0; k < N_OPERATIONS; k++)
        for (size_t s = 0; s < 3; s++)
            try_operation(k, true, spaces[s]);
}

static void reductions_to_memory_give_nothing_back(void **state)
{
    (void)state;
    for (size_t k = 0; k < N_OPERATIONS; k++) {
        if (operations[k].name[0] == 'e' || operations[k].name[0] == 'c')
            continue; /* exch and cas are atomics only */
        try_operation(k, false, ".global");
        try_operation(k, false, ".shared");
    }
}

static void nan_of_an_atomic_sum_is_the_one_nan(void **state)
{
    static const struct {
        const char *name;
        u64 there, add, want;
    } cases[] = {
        {"add.f32", 0x7f800000, 0xff800000, 0x7fffffff},
        {"add.f64", 0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000},
        {"add.noftz.f16", 0x7c00, 0xfc00, 0x7fff},
        {"add.noftz.bf16", 0x7f80, 0xff80, 0x7fff},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t k = 0; k < N_OPERATIONS; k++) {
            struct bench b;
            struct arena mem;
            if (strcmp(operations[k].name, cases[i].name) != 0)
                continue;
            arena_init(&mem, NULL, NULL);
            load(&b, body_of(k, true, ".global", &mem));
            b.word[1] = cases[i].there;
            b.in[0] = cases[i].add;
            run(&b, 1);
            assert_int_equal(b.out[0], cases[i].there);
            assert_int_equal(b.word[1], cases[i].want);
            done(&b);
            arena_free(&mem);
        }
}

/* ---- over the warp --------------------------------------------------------------------------- */

static uint32_t reduced(const char *op, uint32_t a, uint32_t b)
{
    bool is_signed = strstr(op, ".s32") != NULL;
    bool less = is_signed ? (int32_t)a < (int32_t)b : a < b;
    return op[0] == 'a' && op[1] == 'd' ? a + b
           : op[0] == 'a'               ? (a & b)
           : op[0] == 'o'               ? (a | b)
           : op[0] == 'x'               ? (a ^ b)
           : (op[1] == 'i') == less     ? a
                                        : b;
}

static void redux_is_over_the_members(void **state)
{
    static const char *const ops[] = {"add.u32", "add.s32", "min.u32", "min.s32", "max.u32",
                                      "max.s32", "and.b32", "or.b32",  "xor.b32"};
    (void)state;
    for (size_t k = 0; k < sizeof ops / sizeof *ops; k++) {
        struct bench b;
        struct arena mem;
        arena_init(&mem, NULL, NULL);
        /* lanes 0, 1, 5, 6, … are one group, the others another */
        load(&b, arena_printf(&mem,
                              "ld.global.u32 %%r1, [%%in];\nld.global.u32 %%r2, [%%in+8];\n"
                              "redux.sync.%s %%r3, %%r1, %%r2;\ncvt.u64.u32 %%q3, %%r3;\n"
                              "st.global.u64 [%%out], %%q3;",
                              ops[k]));
        uint32_t members[2] = {0};
        for (int i = 0; i < LANES; i++)
            members[i % 5 > 1] |= 1u << i;
        for (int i = 0; i < LANES; i++) {
            uint32_t v = (uint32_t)(i + 1) * 0x9e3779b9u;
            b.in[2 * i] = ops[k][0] == 'a' && ops[k][1] == 'n' ? v | 0xf0f0000fu
                          : ops[k][0] == 'o'                   ? v & 0x01100f01u
                                                               : v;
            b.in[2 * i + 1] = members[i % 5 > 1];
        }
        run(&b, LANES);
        for (int i = 0; i < LANES; i++) {
            uint32_t want = 0;
            bool any = false;
            for (int j = 0; j < LANES; j++) {
                if (!(members[i % 5 > 1] >> j & 1))
                    continue;
                want = any ? reduced(ops[k], want, (uint32_t)b.in[2 * j]) : (uint32_t)b.in[2 * j];
                any = true;
            }
            if (b.out[i] != want)
                fail_msg("%s, lane %d: %llx, not %x", ops[k], i, (unsigned long long)b.out[i],
                         want);
        }
        done(&b);
        arena_free(&mem);
    }
}

static void elect_chooses_the_first_lane_that_is_there(void **state)
{
    struct bench b;
    (void)state;
    load(&b, "setp.lt.u32 %p1, %t, 6;\n@%p1 bra DONE;\nelect.sync %r1|%p2, 0xffffffc0;\n"
             "selp.u32 %r2, 100, 0, %p2;\nadd.u32 %r1, %r1, %r2;\ncvt.u64.u32 %q3, %r1;\n"
             "st.global.u64 [%out], %q3;\nDONE:");
    run(&b, LANES);
    for (int i = 0; i < LANES; i++)
        assert_int_equal(b.out[i], i < 6 ? 0 : i == 6 ? 106 : 6);
    done(&b);
    load(&b, "elect.sync _|%p2, -1;\nselp.b64 %q3, 1, 2, %p2;\nst.global.u64 [%out], %q3;");
    run(&b, LANES);
    for (int i = 0; i < LANES; i++)
        assert_int_equal(b.out[i], i == 0 ? 1 : 2);
    done(&b);
}

static void clocks_count_the_instructions_of_a_warp(void **state)
{
    static const struct {
        const char *body;
        bool is_high;
    } cases[] = {
        {"mov.u32 %r1, %clock;\nadd.u32 %r3, %r3, 1;\nmov.u32 %r2, %clock;\nsub.u32 %r1, %r2, %r1;"
         "\ncvt.u64.u32 %q3, %r1;\nst.global.u64 [%out], %q3;",
         false},
        {"mov.u64 %q1, %clock64;\nadd.u32 %r3, %r3, 1;\nmov.u64 %q2, %clock64;\n"
         "sub.u64 %q3, %q2, %q1;\nst.global.u64 [%out], %q3;",
         false},
        {"mov.u64 %q1, %globaltimer;\nadd.u32 %r3, %r3, 1;\nmov.u64 %q2, %globaltimer;\n"
         "sub.u64 %q3, %q2, %q1;\nst.global.u64 [%out], %q3;",
         false},
        {"mov.u32 %r1, %clock_hi;\ncvt.u64.u32 %q3, %r1;\nst.global.u64 [%out], %q3;", true},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct bench b;
        load(&b, cases[i].body);
        b.out[0] = b.out[1] = b.out[5] = 99;
        run(&b, 3);
        assert_int_equal(b.out[0], cases[i].is_high ? 0 : 2);
        assert_int_equal(b.out[1], cases[i].is_high ? 0 : 2);
        assert_int_equal(b.out[5], 99);
        done(&b);
    }
}

/* ---- predicates and carries ------------------------------------------------------------------ */

static void comparisons_join_a_predicate(void **state)
{
    static const char *const ops[] = {"and", "or", "xor"};
    (void)state;
    for (int k = 0; k < 3; k++)
        for (int not_ = 0; not_ < 2; not_++) {
            struct bench b;
            struct arena mem;
            arena_init(&mem, NULL, NULL);
            load(&b, arena_printf(&mem,
                                  "and.b32 %%r1, %%t, 1;\nsetp.ne.u32 %%p1, %%r1, 0;\n"
                                  "setp.ge.%s.u32 %%p2|%%p3, %%t, 2, %s%%p1;\n"
                                  "selp.u32 %%r2, 1, 0, %%p2;\nselp.u32 %%r3, 2, 0, %%p3;\n"
                                  "set.ge.%s.u32.u32 %%r4, %%t, 2, %s%%p1;\n"
                                  "set.ge.%s.f32.u32 %%r5, %%t, 2, %s%%p1;\n"
                                  "and.b32 %%r4, %%r4, 4;\nshr.u32 %%r5, %%r5, 24;\n"
                                  "or.b32 %%r2, %%r2, %%r3;\nor.b32 %%r2, %%r2, %%r4;\n"
                                  "shl.b32 %%r5, %%r5, 8;\nor.b32 %%r2, %%r2, %%r5;\n"
                                  "cvt.u64.u32 %%q3, %%r2;\nst.global.u64 [%%out], %%q3;",
                                  ops[k], not_ ? "!" : "", ops[k], not_ ? "!" : "", ops[k],
                                  not_ ? "!" : ""));
            run(&b, 4);
            for (uint32_t i = 0; i < 4; i++) {
                bool p = (i & 1) != (uint32_t)not_, t = i >= 2;
                bool yes = k == 0 ? t && p : k == 1 ? t || p : t != p;
                bool no = k == 0 ? !t && p : k == 1 ? !t || p : !t != p;
                assert_int_equal(b.out[i], yes + 2 * no + 4 * yes + (yes ? 0x3f00 : 0));
            }
            done(&b);
            arena_free(&mem);
        }
}

static void products_carry_into_the_next_word(void **state)
{
    static const struct {
        uint32_t a, b, c;
    } cases[] = {{0xffffffff, 0xffffffff, 0xffffffff},
                 {0x80000000, 2, 0x12345678},
                 {0xfffffffe, 3, 9},
                 {7, 9, 0xffffffc1},
                 {7, 9, 0xffffffc0}};
    struct bench b;
    (void)state;
    load(&b, "ld.global.v2.u32 {%r1, %r2}, [%in];\nld.global.u32 %r3, [%in+8];\n"
             "mad.lo.cc.u32 %r4, %r1, %r2, %r3;\nmadc.hi.u32 %r5, %r1, %r2, 5;\n"
             "mov.b64 %q3, {%r4, %r5};\nst.global.u64 [%out], %q3;\n"
             "mad.hi.cc.s32 %r6, %r1, %r2, %r3;\naddc.u32 %r7, 0, 0;\n"
             "mov.b64 %q4, {%r6, %r7};\nst.global.u64 [%in], %q4;\n");
    enum { N = sizeof cases / sizeof *cases };
    for (int i = 0; i < N; i++) {
        b.in[2 * i] = (u64)cases[i].b << 32 | cases[i].a;
        b.in[2 * i + 1] = cases[i].c;
    }
    run(&b, N);
    for (int i = 0; i < N; i++) {
        u64 product = (u64)cases[i].a * cases[i].b;
        assert_true(b.out[i] == product + cases[i].c + ((u64)5 << 32));
        int64_t with_sign = (int64_t)(int32_t)cases[i].a * (int32_t)cases[i].b;
        assert_true(b.in[2 * i] == (u64)((uint32_t)(with_sign >> 32)) + cases[i].c);
    }
    done(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_atomic_is_its_c_arithmetic),
        cmocka_unit_test(reductions_to_memory_give_nothing_back),
        cmocka_unit_test(nan_of_an_atomic_sum_is_the_one_nan),
        cmocka_unit_test(redux_is_over_the_members),
        cmocka_unit_test(elect_chooses_the_first_lane_that_is_there),
        cmocka_unit_test(clocks_count_the_instructions_of_a_warp),
        cmocka_unit_test(comparisons_join_a_predicate),
        cmocka_unit_test(products_carry_into_the_next_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
