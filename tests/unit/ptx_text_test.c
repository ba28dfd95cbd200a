/* SPDX-License-Identifier: MIT
 *
 * PTX as text: blanks, comments and numbers of every notation; what variables hold at first; what
 * literals stand for beside an operand of another type; texts that are none. */
#include "tests/unit/test.h"

#include "sim/ptx/interpreter.h"

typedef uint64_t u64;

#define HEAD ".version 8.0\n.target sm_90\n.address_size 64\n"

struct bench {
    struct arena mem;
    struct err err;
    struct ptx_device dev;
    bool loaded;
};

static bool load(struct bench *b, const char *text)
{
    memset(b, 0, sizeof *b);
    arena_init(&b->mem, NULL, NULL);
    err_init(&b->err);
    return b->loaded = ptx_device_load(&b->dev, "k.ptx", text, strlen(text), &b->err);
}

static void done(struct bench *b)
{
    if (b->loaded)
        ptx_device_close(&b->dev);
    err_free(&b->err);
    arena_free(&b->mem);
}

/* Runs one thread of `k(out)` whose body leaves 64 bits in %d. */
static u64 result_of(const char *before, const char *body)
{
    struct bench b;
    struct arena mem;
    struct ptx_kernel kernel;
    struct ptx_counts counts;
    u64 at;
    arena_init(&mem, NULL, NULL);
    const char *text =
        arena_printf(&mem,
                     "%s%s\n.visible .entry k(.param .u64 out)\n{\n.reg .b64 %%o, %%d, %%q<4>;\n"
                     ".reg .b32 %%r<8>;\n.reg .b16 %%h<4>;\n.reg .f32 %%f<4>;\n.reg .f64 %%g<4>;\n"
                     ".reg .pred %%p<4>;\nld.param.u64 %%o, [out];\n%s\nst.global.u64 [%%o], %%d;\n"
                     "ret;\n}\n",
                     HEAD, before, body);
    if (!load(&b, text) || !ptx_decode(&b.dev.layout, "k", &b.dev.mem, &kernel, &b.err))
        fail_msg("%s: %s", body, err_entry_text(b.err.first, &mem));
    uint32_t s = ptx_device_alloc(&b.dev, "out", 8, NOWHERE, &b.err);
    at = b.dev.segments[s].base;
    struct ptx_launch l = {.kernel = &kernel,
                           .grid = {1, 1, 1},
                           .block = {1, 1, 1},
                           .params = (const uint8_t *)&at,
                           .max_warp_insts = 1000};
    if (!ptx_run(&b.dev, &l, NULL, &counts, &b.err))
        fail_msg("%s: %s", body, err_entry_text(b.err.first, &mem));
    u64 v;
    memcpy(&v, b.dev.segments[s].host, sizeof v);
    done(&b);
    arena_free(&mem);
    return v;
}

static u64 bits32(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}

static u64 bits64(double f)
{
    u64 u;
    memcpy(&u, &f, sizeof u);
    return u;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static void whole_numbers_have_four_notations(void **state)
{
    static const struct {
        const char *text;
        u64 value;
    } cases[] = {
        {"0", 0},
        {"7", 7},
        {"1234567890123456789", 1234567890123456789},
        {"18446744073709551615", UINT64_MAX},
        {"42U", 42},
        {"0x1F", 31},
        {"0Xdeadbeefcafe", 0xdeadbeefcafe},
        {"0xffffffffffffffffU", UINT64_MAX},
        {"0b1011", 11},
        {"0B1", 1},
        {"0b1111111111111111111111111111111111111111111111111111111111111111", UINT64_MAX},
        {"017", 15},
        {"01777777777777777777777", UINT64_MAX},
        {"-1", UINT64_MAX},
        {"-0x10", (u64)-16},
    };
    struct arena mem;
    (void)state;
    arena_init(&mem, NULL, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        u64 got = result_of("", arena_printf(&mem, "mov.b64 %%d, %s;", cases[i].text));
        if (got != cases[i].value)
            fail_msg("%s is read as %llx", cases[i].text, (unsigned long long)got);
    }
    arena_free(&mem);
}

static void real_numbers_are_bits_or_decimal(void **state)
{
    (void)state;
    assert_true(result_of("", "mov.f64 %d, 0d3FF8000000000000;") == bits64(1.5));
    assert_true(result_of("", "mov.f64 %d, 0D7ff0000000000001;") == 0x7ff0000000000001);
    assert_true(result_of("", "mov.f64 %d, 2.5;") == bits64(2.5));
    assert_true(result_of("", "mov.f64 %d, 1e3;") == bits64(1000));
    assert_true(result_of("", "mov.f64 %d, 125E-3;") == bits64(0.125));
    assert_true(result_of("", "mov.f64 %d, 1.25e+2;") == bits64(125));
    assert_true(
        result_of("", "mov.f32 %f0, 0f3FC00000;\nmov.b32 %r0, %f0;\ncvt.u64.u32 %d, %r0;") ==
        bits32(1.5f));
    assert_true(
        result_of("", "mov.f32 %f0, 0F7f800001;\nmov.b32 %r0, %f0;\ncvt.u64.u32 %d, %r0;") ==
        0x7f800001);
}

static void a_literal_beside_another_type_stands_for_its_number(void **state)
{
    (void)state;
#define AS32 "mov.b32 %r0, %f0;\ncvt.u64.u32 %d, %r0;"
    assert_true(result_of("", "mov.f32 %f0, 0.1;\n" AS32) == bits32(0.1f));
    assert_true(result_of("", "mov.f32 %f0, 0f40000000;\nadd.f32 %f0, %f0, 1.5;\n" AS32) ==
                bits32(3.5f));
    assert_true(result_of("", "mov.f32 %f0, 0f40000000;\nadd.f32 %f0, %f0, 3;\n" AS32) ==
                bits32(5));
    assert_true(result_of("", "mov.f32 %f0, 0f40000000;\nadd.f32 %f0, %f0, -3;\n" AS32) ==
                bits32(-1));
    assert_true(result_of("", "mov.f64 %g0, 0d4000000000000000;\nadd.f64 %d, %g0, 3;") ==
                bits64(5));
    assert_true(result_of("", "mov.f64 %g0, 0d4000000000000000;\nadd.f64 %d, %g0, -7;") ==
                bits64(-5));
    assert_true(result_of("", "mov.f64 %g0, 0d4000000000000000;\nadd.f64 %d, %g0, 0f3F000000;") ==
                bits64(2.5));
    assert_true(result_of("", "mov.b32 %r0, -2;\ncvt.u64.u32 %d, %r0;") == 0xfffffffe);
    assert_true(result_of("", "mov.b16 %h0, 0x12345;\ncvt.u64.u16 %d, %h0;") == 0x2345);
    assert_true(result_of("", "mov.b16 %h0, 0;\nadd.f16 %h0, %h0, 1.5;\ncvt.u64.u16 %d, %h0;") ==
                0x3e00);
}

/* ---- blanks and comments --------------------------------------------------------------------- */

static void comments_and_blanks_are_between_words(void **state)
{
    (void)state;
    assert_true(result_of("/**/ /* one * / two\n *** */ // three /* four\n",
                          "mov.u64\t%d /* a */ ,/*b*/12\f\v; // %d, 13;\r\n") == 12);
    /* lines are counted within comments: the fault is in the tenth */
    struct bench b;
    assert_false(load(&b, HEAD "/* 4\n5\n6 */\n// 7\n/**/\n/*/ 9\n10 */ ?\n"));
    assert_non_null(strstr(err_entry_text(b.err.first, &b.mem), "k.ptx:10:"));
    done(&b);
}

static void texts_that_are_no_ptx_are_refused_with_their_line(void **state)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        {HEAD "/* no end", "k.ptx:4: a comment does not end"},
        {HEAD "/* no end *\n\n", "k.ptx:6: a comment does not end"},
        {HEAD ".file 1 \"no end\n\"", "k.ptx:4: a string does not end on its line"},
        {HEAD ".file 1 \"no end\\\"", "k.ptx:4: a string does not end on its line"},
        {HEAD "\n\x80", "k.ptx:5: a byte that is not PTX text"},
        {HEAD "\n\x7f", "k.ptx:5: a byte that is not PTX text"},
        {HEAD ".global .u32 a = 12ab;", "k.ptx:4: malformed number"},
        {HEAD ".global .u32 a = 0x;", "k.ptx:4: malformed number, or one that does not fit"},
        {HEAD ".global .u32 a = 0b12;", "k.ptx:4: malformed number"},
        {HEAD ".global .u32 a = 018;", "k.ptx:4: malformed number"},
        {HEAD ".global .u64 a = 18446744073709551616;", "that does not fit 64 bits"},
        {HEAD ".global .u64 a = 0x10000000000000000;", "that does not fit 64 bits"},
        {HEAD ".global .f32 a = 0f3f80000;", "0f must be followed by 8 hexadecimal digits"},
        {HEAD ".global .f32 a = 0f3f8000001;", "0f must be followed by 8 hexadecimal digits"},
        {HEAD ".global .f64 a = 0d3ff000000000000;", "0d must be followed by 16 hexadecimal"},
        {HEAD ".global .f64 a = 1e;", "k.ptx:4: malformed number"},
        {HEAD ".global .f64 a = 1.2.3;", "k.ptx:4: malformed number"},
        {HEAD ".global .f32 a = \"x\";", "expected a number"},
        {HEAD ".global .b16 a[2] = {1, 2, 3};", "more initial values than the variable has room"},
        {HEAD ".global .f16 a = 1.0;", "initial values of type"},
        {HEAD ".shared .u32 a = 1;", "'a' cannot have an initial value"},
        {HEAD ".global .u32 a = 1;\n.global .u32 a = 2;", "k.ptx:5: 'a' is declared twice"},
        {HEAD ".global .u64 a = generic b;", "k.ptx:4: "},
        {HEAD ".global .u64 a = generic(5);", "expected a name, found '5'"},
        {HEAD
         ".global .u32 a = {{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{"
         "1}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}};",
         "braces are nested too deeply"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct bench b;
        if (load(&b, cases[i].text))
            fail_msg("'%s' is taken", cases[i].text);
        const char *says = err_entry_text(b.err.first, &b.mem);
        if (!strstr(says, cases[i].want))
            fail_msg("'%s': %s, not %s", cases[i].text + sizeof HEAD - 1, says, cases[i].want);
        done(&b);
    }
}

/* ---- variables ------------------------------------------------------------------------------- */

static const uint8_t *content_of(struct bench *b, const char *name, u64 *address)
{
    uint32_t s = ptx_device_symbol(&b->dev, &b->dev.layout, name);
    if (s == UINT32_MAX)
        fail_msg("there is no %s", name);
    *address = b->dev.segments[s].base;
    return b->dev.segments[s].host;
}

static void variables_hold_their_initial_values(void **state)
{
    static const char text[] =
        HEAD ".global .u32 one = 7, other[3] = {1, -2};\n"
             ".global .b8 bytes[] = {0xff, 1, 0x102};\n"
             ".const .u16 halves[2][2] = {{1, 2}, {3, 4}};\n"
             ".global .f32 reals[6] = {0f3F800000, -0f40000000, 2.5, -2.5, 0f7f800001, 1e-3};\n"
             ".global .f64 wide[] = {0d3FF0000000000000, -0d4000000000000000, 0.1, -1e10, "
             "0f3FC00000};\n"
             ".global .u64 places[5] = {one, other+8, generic(bytes), generic(bytes)+2, bytes-1};\n"
             ".global .s64 late[2] = {-1, 0x7fffffffffffffff};\n";
    static const uint32_t other[] = {1, (uint32_t)-2, 0};
    static const uint16_t halves[] = {1, 2, 3, 4};
    static const uint8_t bytes[] = {0xff, 1, 2};
    const float reals[] = {1, -2, 2.5f, -2.5f, 0, 1e-3f};
    const double wide[] = {1, -2, 0.1, -1e10, 1.5};
    struct bench b;
    u64 at, one, others, at_bytes, places[5];
    uint32_t snan;
    (void)state;
    if (!load(&b, text))
        fail_msg("%s", err_entry_text(b.err.first, &b.mem));
    assert_int_equal(*(const uint32_t *)(const void *)content_of(&b, "one", &one), 7);
    assert_memory_equal(content_of(&b, "other", &others), other, sizeof other);
    assert_memory_equal(content_of(&b, "bytes", &at_bytes), bytes, sizeof bytes);
    assert_memory_equal(content_of(&b, "halves", &at), halves, sizeof halves);
    const uint8_t *r = content_of(&b, "reals", &at);
    assert_memory_equal(r, reals, 16);
    memcpy(&snan, r + 16, 4);
    assert_int_equal(snan, 0x7f800001); /* as it is written */
    assert_memory_equal(r + 20, reals + 5, 4);
    assert_memory_equal(content_of(&b, "wide", &at), wide, sizeof wide);
    memcpy(places, content_of(&b, "places", &at), sizeof places);
    assert_true(places[0] == one && places[1] == others + 8);
    assert_true(places[2] == at_bytes && places[3] == at_bytes + 2 && places[4] == at_bytes - 1);
    static const int64_t late[] = {-1, INT64_MAX};
    assert_memory_equal(content_of(&b, "late", &at), late, sizeof late);
    done(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_numbers_have_four_notations),
        cmocka_unit_test(real_numbers_are_bits_or_decimal),
        cmocka_unit_test(a_literal_beside_another_type_stands_for_its_number),
        cmocka_unit_test(comments_and_blanks_are_between_words),
        cmocka_unit_test(texts_that_are_no_ptx_are_refused_with_their_line),
        cmocka_unit_test(variables_hold_their_initial_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
