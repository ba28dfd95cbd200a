/* SPDX-License-Identifier: MIT
 *
 * What the CTAs of a program have in common (sim/study/sharing.c), on kernels made by hand. */
#include "tests/unit/test.h"

#include "base/err.h"
#include "sim/study/sharing.h"
#include "sim/trace/sink.h"

/* What the one warp of each CTA does as its step `i` of launch `launch`; false: it ends. Lane l
 * takes the word at address + 4 l. */
enum act_kind { READ, WRITE, CONSTANT, SCRATCH, READ_BY, SCRATCH_BY, KEEP, EXIT };
struct act {
    enum act_kind kind;
    uint64_t address;
};
typedef bool (*act_fn)(uint32_t launch, uint32_t cta, uint32_t i, struct act *out);

#define MOST 32u

static void add_launch(struct trace_sink *sink, const char *name, uint32_t launch, uint32_t ctas,
                       act_fn fn, struct err *err)
{
    static const struct trace_static statics[] = {
        {.pc = 0, .cls = TC_LOAD, .space = TS_GLOBAL, .access_bytes = 4, .n_dst = 1, .dst = {1}},
        {.pc = 8, .cls = TC_STORE, .space = TS_GLOBAL, .access_bytes = 4, .n_src = 1, .src = {1}},
        {.pc = 16, .cls = TC_LOAD, .space = TS_CONST, .access_bytes = 4, .n_dst = 1, .dst = {1}},
        {.pc = 24, .cls = TC_LOAD, .space = TS_SHARED, .access_bytes = 4, .n_dst = 1, .dst = {1}},
        /* at the place that register 1 holds, and a value stored at the place of register 2 */
        {.pc = 32,
         .cls = TC_LOAD,
         .space = TS_GLOBAL,
         .access_bytes = 4,
         .n_dst = 1,
         .dst = {3},
         .n_src = 1,
         .src = {1}},
        {.pc = 40,
         .cls = TC_LOAD,
         .space = TS_SHARED,
         .access_bytes = 4,
         .n_dst = 1,
         .dst = {3},
         .n_src = 1,
         .src = {1}},
        {.pc = 48,
         .cls = TC_STORE,
         .space = TS_SHARED,
         .access_bytes = 4,
         .n_src = 2,
         .src = {2, 1}},
        {.pc = 56, .cls = TC_EXIT}};
    struct trace_kernel k = {.name = name,
                             .grid = {ctas, 1, 1},
                             .block = {32, 1, 1},
                             .n_ctas = ctas,
                             .warps_per_cta = 1,
                             .regs_per_thread = 8,
                             .shared_bytes = 4096};
    assert_true(sink->begin_kernel(sink->ctx, &k, err));
    for (uint32_t c = 0; c < ctas; c++) {
        struct trace_inst insts[MOST + 1];
        uint64_t addresses[MOST * 32];
        struct act a;
        uint32_t n = 0;
        for (; n < MOST && fn(launch, c, n, &a); n++) {
            insts[n] = (struct trace_inst){.mask = UINT32_MAX,
                                           .stat = (uint16_t)a.kind,
                                           .n_addresses = 32,
                                           .first_address = n * 32};
            for (uint32_t l = 0; l < 32; l++)
                addresses[n * 32 + l] = a.address + 4 * l;
        }
        insts[n] = (struct trace_inst){.mask = UINT32_MAX, .stat = EXIT};
        struct trace_warp warp = {insts, n + 1};
        struct trace_cta cta = {.id = c, .n_warps = 1, .warps = &warp, .addresses = addresses};
        assert_true(sink->add_cta(sink->ctx, &cta, err));
    }
    assert_true(sink->end_kernel(sink->ctx, statics, EXIT + 1, err));
}

/* Launches of the kernels `names` (NULL ends), of `ctas` CTAs each. */
static struct sharing study(const char *const *names, uint32_t ctas, act_fn fn)
{
    struct trace_memory *m = trace_memory_new("test");
    struct trace_sink sink = trace_memory_sink(m);
    struct trace_source source;
    struct sharing s;
    struct err err;
    err_init(&err);
    for (uint32_t i = 0; names[i]; i++)
        add_launch(&sink, names[i], i, ctas, fn, &err);
    trace_memory_source(m, &source);
    assert_true(study_sharing(&source, 4, &s, &err));
    s.kernel = NULL; /* is the source's */
    source.close(&source);
    err_free(&err);
    return s;
}
#define STUDY(ctas, fn, ...) study((const char *const[]){__VA_ARGS__, NULL}, ctas, fn)

/* ---- constants ---- */

static bool one_table(uint32_t launch, uint32_t cta, uint32_t i, struct act *out)
{
    (void)launch, (void)cta;
    *out = (struct act){CONSTANT, 0x1000};
    return i < 3;
}

static bool own_tables(uint32_t launch, uint32_t cta, uint32_t i, struct act *out)
{
    (void)launch;
    *out = (struct act){CONSTANT, 0x1000 + cta * 128};
    return i < 3;
}

static void constants_that_several_ctas_read_are_counted_and_none_goes_through_the_l1(void **state)
{
    (void)state;
    struct sharing s = STUDY(5, one_table, "k");
    assert_int_equal(s.constants, 5 * 3);
    assert_true(s.accesses == 0 && s.shared_lines == 0 && s.written == 0);
    s = STUDY(5, own_tables, "k");
    assert_int_equal(s.constants, 0);
}

/* A word of constant memory and one of global memory under one number are two. */
static bool constant_and_global(uint32_t launch, uint32_t cta, uint32_t i, struct act *out)
{
    (void)launch;
    *out = (struct act){cta ? CONSTANT : READ, 0x1000};
    return i < 1;
}

static void constant_memory_is_no_line_of_the_global_one(void **state)
{
    (void)state;
    struct sharing s = STUDY(2, constant_and_global, "k");
    assert_true(s.accesses == 1 && s.shared_lines == 0 && s.constants == 0);
}

/* ---- launches ---- */

/* CTA c writes line c, and in launches after the first reads that of the next CTA. */
static bool hand_on(uint32_t launch, uint32_t cta, uint32_t i, struct act *out)
{
    bool reads = launch > 0;
    *out = reads && i == 0 ? (struct act){READ, 0x10000 + (cta + 1) % 4 * 128}
                           : (struct act){WRITE, 0x40000 + launch * 0x10000 + cta * 128};
    if (!reads)
        out->address = 0x10000 + cta * 128;
    return i < (reads ? 2 : 1);
}

static void what_an_earlier_launch_of_the_kernel_wrote_is_written(void **state)
{
    (void)state;
    struct sharing s = STUDY(4, hand_on, "k", "k");
    assert_true(s.accesses == 4 && s.written == 4);
    s = STUDY(4, hand_on, "k", "k", "k"); /* of the first, not of the second alone */
    assert_true(s.accesses == 8 && s.written == 8);
}

static void another_kernel_in_between_ends_that(void **state)
{
    (void)state;
    struct sharing s = STUDY(4, hand_on, "a", "k");
    assert_true(s.accesses == 4 && s.written == 0);
    /* both launches of k are one account, none of them follows the other */
    s = STUDY(4, hand_on, "k", "other", "k");
    assert_true(s.accesses == 4 && s.written == 0);
}

/* CTA c reads in launch 1 what it has written itself. */
static bool keep(uint32_t launch, uint32_t cta, uint32_t i, struct act *out)
{
    *out = (struct act){launch ? READ : WRITE, 0x10000 + cta * 128};
    return i < 1;
}

static void what_a_cta_wrote_itself_is_not(void **state)
{
    (void)state;
    struct sharing s = STUDY(4, keep, "k", "k");
    assert_true(s.accesses == 4 && s.written == 0);
}

/* CTA c reads line c and c + 1, and writes line c: others read what it writes. */
static bool relax(uint32_t launch, uint32_t cta, uint32_t i, struct act *out)
{
    (void)launch;
    *out = (struct act){i < 2 ? READ : WRITE, 0x10000 + (cta + (i == 1)) * 128};
    return i < 3;
}

static void shared_words_of_lines_that_the_launch_writes_are_written(void **state)
{
    (void)state;
    struct sharing s = STUDY(4, relax, "k");
    assert_int_equal(s.accesses, 8);
    assert_int_equal(s.shared_words, 6); /* lines 1 to 3, each read by two */
    assert_int_equal(s.written, 6);      /* by the neighbour, or itself for the neighbour */
    s = STUDY(4, one_table, "k");
    assert_int_equal(s.written, 0);
}

/* The first kernel reads shared lines, the second is longer and reads its own. */
static bool short_and_long(uint32_t launch, uint32_t cta, uint32_t i, struct act *out)
{
    *out = (struct act){READ, launch ? 0x10000 + (cta * 8 + i) * 128 : 0x8000};
    return i < (launch ? 6u : 2u);
}

static void the_kernel_of_most_instructions_is_the_one(void **state)
{
    (void)state;
    struct sharing s = STUDY(4, short_and_long, "short", "long");
    assert_int_equal(s.insts, 4 * 7);
    assert_int_equal(s.all, 4 * 7 + 4 * 3);
    assert_true(s.accesses == 24 && s.shared_lines == 0);
}

/* ---- data ---- */

/* A word is read, and then places that it says: of global memory by even CTAs, of shared memory by
 * odd ones. */
static bool by_data(uint32_t launch, uint32_t cta, uint32_t i, struct act *out)
{
    (void)launch;
    *out = i == 0         ? (struct act){READ, 0x10000 + cta * 128}
           : cta % 2 == 0 ? (struct act){READ_BY, 0x20000 + i * 128}
                          : (struct act){SCRATCH_BY, i * 128};
    return i < 3;
}

/* The same places, but by a register that constant memory has filled. */
static bool by_constants(uint32_t launch, uint32_t cta, uint32_t i, struct act *out)
{
    bool goes_on = by_data(launch, cta, i, out);
    if (i == 0)
        *out = (struct act){CONSTANT, 0x1000};
    return goes_on;
}

static void places_that_data_says_are_told_from_others(void **state)
{
    (void)state;
    struct sharing s = STUDY(6, by_data, "k");
    assert_true(s.accesses == 6 + 3 * 2 && s.irregular == 3 * 2);
    assert_true(s.scratch == 3 * 2 && s.driven == 3 * 2);
    s = STUDY(6, by_constants, "k");
    assert_true(s.accesses == 3 * 2 && s.irregular == 0);
    assert_true(s.scratch == 3 * 2 && s.driven == 0);
}

/* The second launch's registers are filled from shared memory, in which no launch, or the first
 * CTA, or only the launch before has stored data. */
static bool through_scratch(uint32_t cta, uint32_t i, bool stores, struct act *out)
{
    const struct act acts[] = {{stores && cta == 0 ? READ : CONSTANT, 0x10000},
                               {KEEP, 0},
                               {SCRATCH, 0},
                               {READ_BY, 0x20000}};
    *out = acts[i % 4];
    return i < 4;
}

static bool data_through_scratch(uint32_t launch, uint32_t cta, uint32_t i, struct act *out)
{
    (void)launch;
    return through_scratch(cta, i, true, out);
}

static bool numbers_through_scratch(uint32_t launch, uint32_t cta, uint32_t i, struct act *out)
{
    return through_scratch(cta, i, launch == 0, out);
}

static void data_is_followed_through_shared_memory_within_a_launch(void **state)
{
    (void)state;
    struct sharing s = STUDY(4, data_through_scratch, "k");
    assert_int_equal(s.irregular, 4);
    s = STUDY(4, numbers_through_scratch, "first", "k", "k"); /* of "k", which has most */
    assert_true(s.accesses == 8 && s.irregular == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constants_that_several_ctas_read_are_counted_and_none_goes_through_the_l1),
        cmocka_unit_test(constant_memory_is_no_line_of_the_global_one),
        cmocka_unit_test(what_an_earlier_launch_of_the_kernel_wrote_is_written),
        cmocka_unit_test(another_kernel_in_between_ends_that),
        cmocka_unit_test(what_a_cta_wrote_itself_is_not),
        cmocka_unit_test(shared_words_of_lines_that_the_launch_writes_are_written),
        cmocka_unit_test(the_kernel_of_most_instructions_is_the_one),
        cmocka_unit_test(places_that_data_says_are_told_from_others),
        cmocka_unit_test(data_is_followed_through_shared_memory_within_a_launch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
