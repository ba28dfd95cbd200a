/* SPDX-License-Identifier: MIT
 *
 * The shipped workloads: each runs at `tiny`, and its result is compared with the CPU reference. A
 * new file in cfg/workloads/ is tested by existing. */
#include "tests/unit/test.h"

#include <glob.h>

#include "gen/workload/read_workload.h"

struct bench {
    struct arena mem;
    struct err err;
    struct workload w;
};

static void say_errors(const char *file, struct bench *b)
{
    for (const struct err_entry *e = b->err.first; e; e = e->next)
        print_error("%s: %s\n", file, err_entry_text(e, &b->mem));
}

static void open_workload(struct bench *b, const char *file, const char *preset)
{
    struct workload_request request = {.file = file, .preset = preset};
    arena_init(&b->mem, NULL, NULL);
    err_init(&b->err);
    if (!workload_read(&request, &b->mem, &b->w, &b->err)) {
        say_errors(file, b);
        fail_msg("%s cannot be read", file);
    }
}

static void close_workload(struct bench *b)
{
    err_free(&b->err);
    arena_free(&b->mem);
}

/* Calls `check` for every shipped workload, read with the preset. */
static size_t each_workload(const char *preset, void (*check)(struct bench *b, const char *file))
{
    glob_t found;
    assert_int_equal(glob("cfg/workloads/*.cfg", 0, NULL, &found), 0);
    size_t n = found.gl_pathc;
    for (size_t i = 0; i < n; i++) {
        struct bench b;
        open_workload(&b, found.gl_pathv[i], preset);
        check(&b, found.gl_pathv[i]);
        close_workload(&b);
    }
    globfree(&found);
    return n;
}

static void is_right(struct bench *b, const char *file)
{
    struct workload_stats stats = {0};
    if (!workload_run(&b->w, NULL, NULL, &stats, &b->err)) {
        say_errors(file, b);
        fail_msg("%s is wrong", file);
    }
    assert_true(stats.judged);
    assert_true(stats.warp_insts > 0);
}

static void every_workload_gives_what_its_reference_computes(void **state)
{
    (void)state;
    assert_true(each_workload("tiny", is_right) >= 46);
}

static void is_wrong_without_kernels(struct bench *b, const char *file)
{
    struct workload_stats stats = {0};
    b->w.n_steps = 0;
    if (workload_run(&b->w, NULL, NULL, &stats, &b->err))
        fail_msg("%s is accepted though nothing ran", file);
    assert_true(err_any(&b->err));
}

static void a_workload_whose_kernels_did_not_run_is_found_wrong(void **state)
{
    (void)state;
    each_workload("tiny", is_wrong_without_kernels);
}

static bool one_of(const char *word, const char *a, const char *b, const char *c)
{
    return strcmp(word, a) == 0 || strcmp(word, b) == 0 || (c && strcmp(word, c) == 0);
}

static void has_registers(const struct workload *w, const struct workload_step *steps, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        bool known = steps[i].kind != WS_LAUNCH || !steps[i].record;
        for (size_t k = 0; !known && k < w->n_registers; k++)
            known = strcmp(w->registers[k].entry, steps[i].entry) == 0;
        if (!known)
            fail_msg("%s: no registers for %s", w->file, steps[i].entry);
        has_registers(w, steps[i].body, steps[i].n_body);
    }
}

/* Of a paper, or of a group of its own. */
static bool has_a_home(const struct workload *w)
{
    bool own = false;
    for (size_t i = 0; i < w->n_groups; i++)
        own = own || one_of(w->groups[i], "learning", "transposes", NULL);
    return w->n_papers > 0 || own;
}

static void is_described(struct bench *b, const char *file)
{
    const struct workload *w = &b->w;
    bool tiny = false, small = false, paper = false;
    for (size_t i = 0; i < w->n_presets; i++) {
        tiny = tiny || strcmp(w->presets[i], "tiny") == 0;
        small = small || strcmp(w->presets[i], "small") == 0;
        paper = paper || strcmp(w->presets[i], "paper") == 0;
    }
    if (!tiny || !small || !paper || !w->expected || !reference_find(w->expected) || !w->title[0] ||
        !w->source[0] || !w->category[0] || !has_a_home(w) ||
        !one_of(w->demand, "high", "low", "unknown") ||
        !one_of(w->closeness, "compared", "described", NULL))
        fail_msg("%s does not say all that a shipped workload says", file);
    has_registers(w, w->steps, w->n_steps);
}

static void every_workload_says_what_it_is(void **state)
{
    (void)state;
    each_workload("paper", is_described);
}

static const struct {
    const char *group;
    unsigned members;
} expected_groups[] = {{"icc", 11}, {"cdxbar", 23},  {"warppool", 18}, {"high", 15},
                       {"low", 8},  {"learning", 4}, {"transposes", 4}};

static unsigned members[sizeof expected_groups / sizeof *expected_groups];

static void count_groups(struct bench *b, const char *file)
{
    (void)file;
    for (size_t i = 0; i < b->w.n_groups; i++)
        for (size_t k = 0; k < sizeof expected_groups / sizeof *expected_groups; k++)
            members[k] += strcmp(b->w.groups[i], expected_groups[k].group) == 0;
}

static void the_papers_workloads_are_complete(void **state)
{
    (void)state;
    each_workload("small", count_groups);
    for (size_t k = 0; k < sizeof expected_groups / sizeof *expected_groups; k++)
        assert_int_equal(members[k], expected_groups[k].members);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_workload_gives_what_its_reference_computes),
        cmocka_unit_test(a_workload_whose_kernels_did_not_run_is_found_wrong),
        cmocka_unit_test(every_workload_says_what_it_is),
        cmocka_unit_test(the_papers_workloads_are_complete),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
