/* SPDX-License-Identifier: MIT
 *
 * Workload files: expressions, contents of buffers, steps, what is refused; the samples of both
 * compilers; every workload of the suite at its smallest size, judged by its reference. */
#include "tests/unit/test.h"

#include <unistd.h>

#include "base/file.h"
#include "gen/workload/read_workload.h"
#include "gen/workload/suite.h"
#include "gen/workload/trace_front.h"
#include "sim/study/trace_info.h"

struct fixture {
    struct arena mem;
    struct err err;
    struct workload w;
    struct workload_stats stats;
};

static void begin(struct fixture *f)
{
    *f = (struct fixture){0};
    arena_init(&f->mem, NULL, NULL);
    err_init(&f->err);
}

static void end(struct fixture *f)
{
    arena_free(&f->mem);
    err_free(&f->err);
}

static const char *errors(struct fixture *f)
{
    const char *all = "";
    for (const struct err_entry *e = f->err.first; e; e = e->next)
        all = arena_printf(&f->mem, "%s%s\n", all, err_entry_text(e, &f->mem));
    return all;
}

static bool read_text(struct fixture *f, const char *text, const char *preset)
{
    struct workload_request q = {.file = "tests/data/ptx/w.cfg", .text = text, .preset = preset};
    return workload_read(&q, &f->mem, &f->w, &f->err);
}

/* ---- expressions ----------------------------------------------------------------------------- */

static void expressions_are_c_on_64_bits(void **state)
{
    const char *const names[] = {"n", "k", "n"};
    const int64_t values[] = {5, 3, 100}; /* the later n hides the first */
    const struct workload_scope scope = {names, values, 3};
    static const struct {
        const char *text;
        int64_t want;
    } good[] = {{"n", 100},
                {"n*k + 1", 301},
                {"n - k - 1", 96},
                {"-n/7", -14},
                {"-n%7", -2},
                {"(n+k)*2", 206},
                {"cdiv(n, 32)", 4},
                {"clamp(n, 1, 9)", 9},
                {"clamp(0-n, 1, 9)", 1},
                {"min(n, max(k, 7))", 7},
                {"log2(n)", 6},
                {"1 << 40", (int64_t)1 << 40},
                {"n >> 2", 25},
                {"9223372036854775807", INT64_MAX},
                {" 2 * ( 3 ) ", 6}};
    static const struct {
        const char *text, *want;
    } bad[] = {{"n/0", "division by zero"},
               {"n % (k-3)", "division by zero"},
               {"9223372036854775807 + 1", "does not fit"},
               {"9223372036854775808", "does not fit"},
               {"m", "'m' is not the name"},
               {"n +", "ends too early"},
               {"(n", "expected ')'"},
               {"n n", "goes on after its end"},
               {"min(1)", "second argument"},
               {"sqrt(4)", "functions are"},
               {"log2(0)", "log2 takes"},
               {"1 << 63", "shift"},
               {"$", "no place"},
               {"", "ends too early"}};
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct fixture f;
        int64_t v = 0;
        begin(&f);
        if (!workload_eval(good[i].text, &scope, NOWHERE, &v, &f.err) || v != good[i].want) {
            print_error("%s: %lld\n", good[i].text, (long long)v);
            fail();
        }
        end(&f);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct fixture f;
        int64_t v = 0;
        begin(&f);
        if (workload_eval(bad[i].text, &scope, NOWHERE, &v, &f.err) ||
            !strstr(errors(&f), bad[i].want)) {
            print_error("%s: %s\n", bad[i].text, errors(&f));
            fail();
        }
        end(&f);
    }
}

/* ---- contents -------------------------------------------------------------------------------- */

static void graphs_are_sorted_complete_and_the_same_every_time(void **state)
{
    enum { NODES = 100, DEGREE = 4 };
    (void)state;
    for (int g = WG_UNIFORM; g <= WG_TORUS; g++) {
        struct err err;
        int32_t rows[NODES + 1], edges[NODES * DEGREE], again[NODES * DEGREE], degrees[NODES];
        struct workload_buffer b = {.name = "x",
                                    .type = REF_S32,
                                    .init = WI_GRAPH,
                                    .graph = (enum workload_graph)g,
                                    .nodes = NODES,
                                    .degree = DEGREE,
                                    .seed = 7};
        err_init(&err);
        b.part = WP_ROWS, b.count = NODES + 1;
        assert_true(workload_fill(&b, rows, &err));
        b.part = WP_DEGREES, b.count = NODES;
        assert_true(workload_fill(&b, degrees, &err));
        b.part = WP_EDGES, b.count = NODES * DEGREE;
        assert_true(workload_fill(&b, edges, &err));
        assert_true(workload_fill(&b, again, &err));
        assert_memory_equal(edges, again, sizeof edges);
        assert_int_equal(rows[0], 0);
        assert_int_equal(rows[NODES], NODES * DEGREE);
        for (int v = 0; v < NODES; v++) {
            assert_int_equal(rows[v + 1] - rows[v], degrees[v]);
            if (g == WG_TORUS)
                assert_int_equal(degrees[v], 4);
            for (int e = rows[v]; e < rows[v + 1]; e++) {
                assert_in_range(edges[e], 0, NODES - 1);
                assert_true(e == rows[v] || edges[e - 1] <= edges[e]);
            }
        }
        err_free(&err);
    }
}

static void random_numbers_stay_in_their_range(void **state)
{
    float f[1000];
    uint8_t u[1000];
    struct err err;
    struct workload_buffer b = {
        .name = "x", .type = REF_F32, .count = 1000, .init = WI_RANDOM, .seed = 1};
    (void)state;
    err_init(&err);
    b.low = (struct workload_number){.is_real = true, .real = -2};
    b.high = (struct workload_number){.is_real = true, .real = 3};
    assert_true(workload_fill(&b, f, &err));
    double sum = 0;
    for (int i = 0; i < 1000; i++) {
        assert_true(f[i] >= -2 && f[i] < 3);
        sum += (double)f[i];
    }
    assert_true(fabs(sum / 1000 - 0.5) < 0.2);
    b.type = REF_U8;
    b.low = (struct workload_number){.integer = 10, .real = 10};
    b.high = (struct workload_number){.integer = 13, .real = 13};
    assert_true(workload_fill(&b, u, &err));
    int seen[3] = {0};
    for (int i = 0; i < 1000; i++) {
        assert_in_range(u[i], 10, 12);
        seen[u[i] - 10]++;
    }
    assert_true(seen[0] > 200 && seen[1] > 200 && seen[2] > 200);
    err_free(&err);
}

/* ---- reading --------------------------------------------------------------------------------- */

#define VECADD                                                                                     \
    "ptx = \"samples.nvcc13.ptx\"; params = { n = 100; scale = 1.5; m = \"2*n\"; };\n"             \
    "presets = { tiny = { n = 40; }; small = { n = 70; }; };\n"                                    \
    "buffers = ( { name = \"a\"; type = \"f32\"; count = \"m\"; init = \"iota\"; },\n"             \
    "  { name = \"b\"; type = \"f32\"; count = \"m\"; init = \"value\"; value = 1; },\n"           \
    "  { name = \"c\"; type = \"f32\"; count = \"m\"; } );\n"
#define LAUNCH                                                                                     \
    "launches = ( { entry = \"vecadd\"; grid = \"cdiv(n,32)\"; block = 32;\n"                      \
    "  args = (\"a\", \"b\", \"c\", \"n\"); } );\n"

static void presets_and_sets_change_what_depends_on_them(void **state)
{
    struct fixture f;
    const char *const sets[] = {"n=33", "scale=2"};
    (void)state;
    begin(&f);
    assert_true(read_text(&f, VECADD LAUNCH, NULL));
    assert_string_equal(f.w.preset, "small");
    assert_int_equal(f.w.buffers[0].count, 140);
    assert_true(read_text(&f, VECADD LAUNCH, "tiny"));
    assert_int_equal(f.w.buffers[0].count, 80);
    struct workload_request q = {.file = "w.cfg", .text = VECADD LAUNCH, .sets = sets, .n_sets = 2};
    assert_true(workload_read(&q, &f.mem, &f.w, &f.err));
    assert_int_equal(f.w.buffers[0].count, 66);
    assert_int_equal(f.w.params[0].integer, 33);
    assert_true(f.w.params[1].real == 2);
    end(&f);
}

static void mistakes_are_named_with_line_and_nearest_word(void **state)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        {VECADD "launchs = ();" LAUNCH,
         "w.cfg:6: unknown key 'launchs' in a workload; did you mean "
         "'launches'?"},
        {VECADD "launches = ( { entry = \"vecadd\"; grid = \"cdiv(nn,32)\"; block = 32; } );",
         "w.cfg:6: launches[0].grid: \"cdiv(nn,32)\": 'nn' is not the name of a whole number; did "
         "you mean "
         "'n'?"},
        {VECADD "launches = ( { entry = \"vecadd\"; grid = 1; blck = 32; } );",
         "w.cfg:6: unknown key 'blck' in a launch; did you mean 'block'?"},
        {VECADD "launches = ( { fill = \"d\"; value = 0; } );",
         "w.cfg:6: launches[0].fill: there is no buffer 'd'"},
        {VECADD "launches = ( { fill = \"a\"; } );", "w.cfg:6: launches[0]: 'value' is missing"},
        {VECADD "launches = ( { swap = [\"a\"]; } );",
         "w.cfg:6: launches[0].swap: 'swap' takes two buffers"},
        {VECADD "launches = ( { entri = \"k\"; } );",
         "w.cfg:6: launches[0]: expected one of 'entry'"},
        {VECADD "launches = ( 5 );", "w.cfg:6: launches[0]: a launch must be a group"},
        {VECADD "expected = \"mmm\";\n" LAUNCH,
         "w.cfg:6: expected: there is no reference 'mmm'; did you mean 'mm'?"},
        {VECADD "demand = \"hihg\";\n" LAUNCH, "w.cfg:6: demand: 'hihg' is not known; did you "
                                               "mean 'high'?"},
        {"ptx = \"x.ptx\"; buffers = ( { name = \"a\"; type = \"f33\"; count = 4; } );" LAUNCH,
         "w.cfg:1: buffers[0].type: 'f33' is not known"},
        {"ptx = \"x.ptx\"; buffers = ( { name = \"a\"; type = \"s32\"; count = 4; init = "
         "\"value\"; value "
         "= 1.5; } );" LAUNCH,
         "w.cfg:1: buffers[0].value: 1.5 is not a value of type s32"},
        {"ptx = \"x.ptx\"; buffers = ( { name = \"a\"; type = \"s32\"; count = 4; seed = 1; } "
         ");" LAUNCH,
         "w.cfg:1: buffers[0].seed: 'seed' does not belong to this 'init'"},
        {"ptx = \"x.ptx\"; params = { n = 4294967296; };" LAUNCH, "w.cfg:1: "},
        {"ptx = \"x.ptx\"; buffers = ( { name = \"a\"; type = \"u8\"; count = 0; } );" LAUNCH,
         "w.cfg:1: buffers[0].count: buffer 'a' of 0 elements"},
        {"params = { a = 1; }; ptx = \"x\"; buffers = ( { name = \"a\"; type = \"u8\"; count = 1; "
         "} "
         ");" LAUNCH,
         "w.cfg:1: buffers[0].name: 'a' is a parameter too"},
        {"title = \"x\"; " LAUNCH, "'ptx' is missing"},
        {"ptx = \"x.ptx\";", "'launches' is missing"},
        {"ptx = ", "w.cfg:1: syntax error"},
        {"@include \"x.cfg\"\nptx = \"x\";", "cannot include others"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture f;
        begin(&f);
        if (read_text(&f, cases[i].text, NULL) || !strstr(errors(&f), cases[i].want)) {
            print_error("want: %s\ngot:  %s\n", cases[i].want, errors(&f));
            fail();
        }
        end(&f);
    }
    struct fixture f;
    begin(&f);
    assert_false(read_text(&f, VECADD LAUNCH, "tinny"));
    assert_non_null(strstr(errors(&f), "there is no preset 'tinny'; did you mean 'tiny'?"));
    end(&f);
}

static void check_run_fails(const char *text, const char *want)
{
    struct fixture f;
    begin(&f);
    if (!read_text(&f, text, NULL)) {
        print_error("%s\n", errors(&f));
        fail();
    }
    if (workload_run(&f.w, NULL, NULL, &f.stats, &f.err) || !strstr(errors(&f), want)) {
        print_error("want: %s\ngot:  %s\n", want, errors(&f));
        fail();
    }
    end(&f);
}

static void arguments_must_fit_the_kernel(void **state)
{
    (void)state;
    check_run_fails(VECADD "launches = ( { entry = \"vecad\"; grid = 1; block = 32; } );",
                    "there is no kernel 'vecad'");
    check_run_fails(VECADD
                    "launches = ( { entry = \"vecadd\"; grid = 1; block = 32; args = (\"a\"); } );",
                    "w.cfg:6: kernel 'vecadd' takes 4 arguments, not 1");
    check_run_fails(
        VECADD "launches = ( { entry = \"vecadd\"; grid = 1; block = 32; args = (\"a\", \"b\", "
               "\"c\", \"c\"); } );",
        "parameter 3 of 'vecadd' has type .u32 and cannot take an address");
    check_run_fails(
        VECADD "launches = ( { entry = \"vecadd\"; grid = 1; block = 32; args = (\"a\", \"b\", "
               "\"c\", \"scale\"); } );",
        "cannot take a real number");
    check_run_fails(
        VECADD "launches = ( { entry = \"vecadd\"; grid = 1; block = 32; args = (\"a\", \"b\", "
               "\"c\", 8589934592L); } );",
        "8589934592 does not fit 32 bits");
    check_run_fails(
        VECADD "launches = ( { entry = \"vecadd\"; grid = 1; block = 2048; args = (\"a\", \"b\", "
               "\"c\", 4); } );",
        "a block of 2048 x 1 x 1 threads is not in 1..1024");
    check_run_fails(
        VECADD
        "launches = ( { entry = \"vecadd\"; grid = 9; block = 32; args = (\"a\", \"b[120]\", "
        "\"c\", 70); } );",
        "are outside every buffer; 'b' is");
    check_run_fails(
        VECADD
        "launches = ( { while = \"b\"; limit = 3; body = ( { fill = \"b\"; value = 2; } ); } );",
        "'b' is still not zero after 3 rounds");
    check_run_fails(VECADD "launches = ( { copy = \"a\"; from = \"b[100]\"; } );",
                    "'b' has 160 bytes from there, 'a' 560");
}

/* Host steps and loops, seen through a trace: the number of launches and the values. */
static void loops_swaps_and_copies_do_what_they_say(void **state)
{
    struct fixture f;
    struct trace_source src;
    (void)state;
    begin(&f);
    /* c = a + b, then c and a change places, three times: adds b three times */
    const char *text =
        VECADD "launches = ( { repeat = 3; index = \"k\"; body = (\n"
               "  { entry = \"vecadd\"; grid = \"k+1\"; block = 64; args = (\"a\", \"b\", "
               "\"c\", \"n\"); },\n  { swap = [\"a\", \"c\"]; } ); },\n"
               "  { copy = \"b\"; from = \"a\"; }, { entry = \"vecadd\"; grid = 0; block = "
               "1; args = (\"a\", \"b\", \"c\", \"n\"); } );";
    assert_true(read_text(&f, text, NULL));
    struct trace_memory *m = trace_memory_new("loops");
    struct trace_sink sink = trace_memory_sink(m);
    if (!workload_run(&f.w, NULL, &sink, &f.stats, &f.err)) {
        print_error("%s\n", errors(&f));
        fail();
    }
    assert_int_equal(f.stats.kernels, 3);
    assert_int_equal(f.stats.ctas, 6);
    assert_false(f.stats.judged);
    trace_memory_source(m, &src);
    assert_int_equal(src.n_kernels, 3);
    assert_int_equal(src.kernels[2].grid.x, 3);
    /* the second launch reads where the first one wrote */
    struct trace_cta a, b;
    assert_true(src.load_cta(&src, 0, 0, &a, &f.err) && src.load_cta(&src, 1, 0, &b, &f.err));
    uint64_t store = 0, load = 0;
    for (uint32_t i = 0; i < a.warps[0].n_insts; i++) {
        const struct trace_inst *in = &a.warps[0].insts[i];
        if (src.kernels[0].statics[in->stat].cls == TC_STORE)
            store = a.addresses[in->first_address];
    }
    for (uint32_t i = 0; i < b.warps[0].n_insts; i++) {
        const struct trace_inst *in = &b.warps[0].insts[i];
        if (src.kernels[1].statics[in->stat].cls == TC_LOAD &&
            src.kernels[1].statics[in->stat].space == TS_GLOBAL)
            load = b.addresses[in->first_address];
    }
    assert_true(store != 0 && store == load);
    src.close(&src);
    end(&f);
}

/* ---- the suite ------------------------------------------------------------------------------- */

static void every_workload_of_the_suite_agrees_with_its_reference(void **state)
{
    struct fixture f;
    (void)state;
    begin(&f);
    const char **names = suite_names(NULL, ".", &f.mem, &f.err);
    assert_non_null(names);
    size_t n = 0;
    for (; names[n]; n++) {
        struct workload_request q = {.file = suite_path(names[n], ".", &f.mem), .preset = "tiny"};
        if (!workload_read(&q, &f.mem, &f.w, &f.err) ||
            !workload_run(&f.w, NULL, NULL, &f.stats, &f.err) || !f.stats.judged) {
            print_error("%s: %s\n", names[n], errors(&f));
            fail();
        }
        assert_true(f.stats.warp_insts > 0);
    }
    assert_true(n >= 40);
    end(&f);
}

static void groups_select_workloads(void **state)
{
    struct fixture f;
    (void)state;
    begin(&f);
    const char **icc = suite_names("@icc", ".", &f.mem, &f.err);
    size_t n = 0;
    bool has_hs = false, has_ms = false;
    for (; icc[n]; n++) {
        has_hs |= strcmp(icc[n], "hs") == 0;
        has_ms |= strcmp(icc[n], "ms") == 0;
    }
    assert_true(n >= 11 && has_hs && !has_ms);
    end(&f);
}

static void a_trace_is_made_once_and_found_again(void **state)
{
    struct fixture f;
    struct trace_source first, second, other;
    char dir[] = "/tmp/cw-cache.XXXXXX";
    (void)state;
    begin(&f);
    assert_non_null(mkdtemp(dir));
    struct trace_request q = {
        .workload = "mm", .preset = "tiny", .data_dir = ".", .cache_dir = dir};
    assert_true(trace_front_open(&q, &f.mem, &first, &f.err));
    assert_true(trace_front_open(&q, &f.mem, &second, &f.err));
    assert_string_equal(first.file, second.file);
    assert_true(first.identity == second.identity);
    const char *const sets[] = {"wa=32"};
    q.sets = sets;
    q.n_sets = 1;
    assert_true(trace_front_open(&q, &f.mem, &other, &f.err));
    assert_string_not_equal(first.file, other.file);
    /* without a folder the same trace stays in memory */
    struct trace_source memory;
    q.cache_dir = "";
    assert_true(trace_front_open(&q, &f.mem, &memory, &f.err));
    assert_int_equal(memory.kernels[0].n_warp_insts, other.kernels[0].n_warp_insts);
    memory.close(&memory);
    first.close(&first);
    second.close(&second);
    other.close(&other);
    unlink(first.file);
    unlink(other.file);
    rmdir(dir);
    end(&f);
}

/* ---- what a trace holds ---------------------------------------------------------------------- */

static void info_of(struct fixture *f, const char *name, struct trace_info *info)
{
    struct trace_source src;
    struct trace_request q = {.workload = name, .preset = "tiny", .data_dir = ".", .cache_dir = ""};
    if (!trace_front_open(&q, &f->mem, &src, &f->err)) {
        print_error("%s\n", errors(f));
        fail();
    }
    assert_true(trace_info_make(&src, 128, &f->mem, info, &f->err));
    src.close(&src);
}

static void info_counts_lines_and_reuse(void **state)
{
    struct fixture f;
    struct trace_info i;
    (void)state;
    begin(&f);
    /* tiny mm: c is 32 x 96, a 32 x 64, b 64 x 96 floats; 3 CTAs of 32 warps */
    info_of(&f, "mm", &i);
    assert_int_equal(i.ctas, 3);
    assert_int_equal(i.footprint_lines * 128, (32 * 96 + 32 * 64 + 64 * 96) * 4);
    assert_int_equal(i.written_lines * 128, 32 * 96 * 4);
    assert_int_equal(i.loads[TS_GLOBAL], 3 * 32 * 2 * 2);
    assert_int_equal(i.load_lines, i.loads[TS_GLOBAL]);
    /* each line of a is read by all three CTAs, each line of b by one */
    assert_int_equal(i.reuse_other, 2 * 32 * 64 / 32);
    assert_int_equal(i.reuse_cta + i.reuse_warp, 0);
    assert_int_equal(i.locality, TL_ALGORITHM);
    assert_true(i.merged[TRACE_WINDOW_0] == 1);
    /* the naive transpose reads 32 lines at once, the one through shared memory a single line */
    info_of(&f, "transpose_naive", &i);
    assert_int_equal(i.load_lines, 32 * i.loads[TS_GLOBAL]);
    assert_int_equal(i.store_lines, i.stores[TS_GLOBAL]);
    info_of(&f, "transpose_shared", &i);
    assert_int_equal(i.load_lines, i.loads[TS_GLOBAL]);
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expressions_are_c_on_64_bits),
        cmocka_unit_test(graphs_are_sorted_complete_and_the_same_every_time),
        cmocka_unit_test(random_numbers_stay_in_their_range),
        cmocka_unit_test(presets_and_sets_change_what_depends_on_them),
        cmocka_unit_test(mistakes_are_named_with_line_and_nearest_word),
        cmocka_unit_test(arguments_must_fit_the_kernel),
        cmocka_unit_test(loops_swaps_and_copies_do_what_they_say),
        cmocka_unit_test(every_workload_of_the_suite_agrees_with_its_reference),
        cmocka_unit_test(groups_select_workloads),
        cmocka_unit_test(a_trace_is_made_once_and_found_again),
        cmocka_unit_test(info_counts_lines_and_reuse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
