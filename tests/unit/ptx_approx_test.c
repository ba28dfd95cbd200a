/* SPDX-License-Identifier: MIT
 *
 * Half precision by exhaustive properties, and approximate instructions within the PTX ISA's
 * bounds. */
#include "tests/unit/test.h"

#include <fenv.h>

#include "sim/ptx/interpreter.h"

typedef uint64_t u64;

/* ---- conversions to half by an exhaustive property ------------------------------------------- */

static void every_half_survives_the_way_to_double_and_back(void **state)
{
    (void)state;
    const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
    for (uint32_t h = 0; h < 65536; h++)
        for (int m = 0; m < 4; m++) {
            bool nan = (h & 0x7fff) > 0x7c00;
            uint16_t back = ptx_double_to_half(ptx_half_to_double((uint16_t)h), modes[m]);
            assert_int_equal(back, nan ? 0x7fff : h);
        }
}

static void doubles_round_to_the_right_half(void **state)
{
    (void)state;
    for (uint32_t h = 0; h < 0x7bff; h++) {
        double x = ptx_half_to_double((uint16_t)h), y = ptx_half_to_double((uint16_t)(h + 1));
        double middle = (x + y) / 2;
        uint32_t even = h & 1 ? h + 1 : h;
        assert_int_equal(ptx_double_to_half(middle, FE_TONEAREST), even);
        assert_int_equal(ptx_double_to_half(nextafter(middle, x), FE_TONEAREST), h);
        assert_int_equal(ptx_double_to_half(nextafter(middle, y), FE_TONEAREST), h + 1);
        assert_int_equal(ptx_double_to_half(middle, FE_TOWARDZERO), h);
        assert_int_equal(ptx_double_to_half(middle, FE_UPWARD), h + 1);
        assert_int_equal(ptx_double_to_half(-middle, FE_UPWARD), h | 0x8000);
        assert_int_equal(ptx_double_to_half(-middle, FE_DOWNWARD), (h + 1) | 0x8000);
    }
    assert_int_equal(ptx_double_to_half(65519.999, FE_TONEAREST), 0x7bff);
    assert_int_equal(ptx_double_to_half(65520, FE_TONEAREST), 0x7c00);
    assert_int_equal(ptx_double_to_half(1e9, FE_TOWARDZERO), 0x7bff);
}

/* ---- approximations: bounds of the PTX ISA --------------------------------------------------- */

static double want_of(const char *op, double x)
{
    if (strcmp(op, "ex2") == 0)
        return exp2(x);
    if (strcmp(op, "lg2") == 0)
        return log2(x);
    if (strcmp(op, "sin") == 0)
        return sin(x);
    if (strcmp(op, "cos") == 0)
        return cos(x);
    if (strcmp(op, "rcp") == 0)
        return 1 / x;
    if (strcmp(op, "rsqrt") == 0)
        return 1 / sqrt(x);
    if (strcmp(op, "sqrt") == 0)
        return sqrt(x);
    return tanh(x);
}

static void approximations_are_within_a_rounding_of_the_exact_value(void **state)
{
    (void)state;
    const struct {
        const char *op;
        double low, high;
    } cases[] = {{"ex2", -140, 127}, {"lg2", 1e-38, 1e38}, {"sin", -50, 50},  {"cos", -50, 50},
                 {"rcp", -1e3, 1e3}, {"rsqrt", 1e-30, 9},  {"sqrt", 0, 1e10}, {"tanh", -12, 12}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        _Alignas(32) float a[32], d[32];
        char name[16];
        snprintf(name, sizeof name, "%s.f32", cases[c].op);
        ptx_alu_fn fn = ptx_alu_find(name);
        assert_non_null(fn);
        for (int round = 0; round < 300; round++) {
            for (int i = 0; i < 32; i++) {
                double t = (round * 32 + i + 0.37) / 9600;
                a[i] = (float)(cases[c].low + (cases[c].high - cases[c].low) * t * t);
            }
            fn(d, a, a, a, a);
            for (int i = 0; i < 32; i++) {
                double want = want_of(cases[c].op, (double)a[i]);
                double allowed =
                    0.50001 * fabs((double)nextafterf((float)want, INFINITY) - (float)want);
                /* close to a zero of sine and cosine the exact value is below single precision */
                if (!(fabs((double)d[i] - want) <= allowed + 1e-13)) {
                    print_error("%s(%a) = %a, not %a\n", cases[c].op, (double)a[i], (double)d[i],
                                want);
                    fail();
                }
            }
        }
    }
}

static void approximations_of_special_values(void **state)
{
    (void)state;
    const struct {
        const char *op;
        u64 x, want;
    } cases[] = {{"ex2", 0xff800000, 0},           {"ex2", 0x7f800000, 0x7f800000},
                 {"ex2", 0x7fc00001, 0x7fffffff},  {"lg2", 0, 0xff800000},
                 {"lg2", 0xbf800000, 0x7fffffff},  {"lg2", 0x7f800000, 0x7f800000},
                 {"sin", 0x80000000, 0x80000000},  {"sin", 0x7f800000, 0x7fffffff},
                 {"cos", 0, 0x3f800000},           {"rcp", 0x80000000, 0xff800000},
                 {"rsqrt", 0, 0x7f800000},         {"rsqrt", 0xbf800000, 0x7fffffff},
                 {"sqrt", 0x80000000, 0x80000000}, {"tanh", 0xff800000, 0xbf800000}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        _Alignas(32) uint32_t a[32], d[32];
        char name[16];
        snprintf(name, sizeof name, "%s.f32", cases[c].op);
        for (int i = 0; i < 32; i++)
            a[i] = (uint32_t)cases[c].x;
        ptx_alu_find(name)(d, a, a, a, a);
        if (d[5] != cases[c].want) {
            print_error("%s(%x) = %x\n", cases[c].op, a[5], d[5]);
            fail();
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_half_survives_the_way_to_double_and_back),
        cmocka_unit_test(doubles_round_to_the_right_half),
        cmocka_unit_test(approximations_are_within_a_rounding_of_the_exact_value),
        cmocka_unit_test(approximations_of_special_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
