/* SPDX-License-Identifier: MIT
 *
 * Answers to claims, on results made up so that the right answer can be worked out by hand. */
#include "tests/unit/test.h"

#include "gen/claims.h"

struct fixture {
    struct app app;
    struct options options;
    struct experiment experiment;
    struct claims claims;
    struct lab lab;
};

static void begin(struct fixture *f, const char *paper)
{
    memset(f, 0, sizeof *f);
    arena_init(&f->app.mem, NULL, NULL);
    err_init(&f->app.err);
    f->app.data_dir = ".";
    assert_true(experiment_read(paper, ".", &f->app.mem, &f->experiment, &f->app.err));
    assert_true(claims_read(".", f->experiment.paper, &f->app.mem, &f->claims, &f->app.err));
    f->lab = (struct lab){
        .app = &f->app, .options = &f->options, .experiment = &f->experiment, .preset = "small"};
}

static void end(struct fixture *f)
{
    arena_free(&f->app.mem);
    err_free(&f->app.err);
}

static const struct claim *find(const struct fixture *f, const char *id)
{
    for (size_t i = 0; i < f->claims.n; i++) {
        if (strcmp(f->claims.at[i].id, id) == 0)
            return &f->claims.at[i];
    }
    fail();
    return NULL;
}

typedef double value_fn(const char *machine, const char *program);

/* Asks, gives every pair that is wanted one value, and asks again. */
static struct answer answer(struct fixture *f, const char *id, const char *name, value_fn *value)
{
    struct answer a;
    claims_answer(&f->lab, find(f, id), &a);
    for (size_t i = 0; i < f->lab.n_pairs; i++) {
        struct lab_pair *p = &f->lab.pairs[i];
        struct result *r = arena_new(&f->app.mem, struct result);
        const char *machine = f->lab.machines[p->machine].name,
                   *program = f->lab.programs[p->program].file;
        double v = value(machine, program);
        *r = (struct result){.design = machine, .workload = program, .n_values = 1};
        r->values = arena_new(&f->app.mem, struct result_value);
        r->values[0] = (struct result_value){name, "", v};
        if (isnan(v))
            r->error = "made to fail";
        p->result = r;
    }
    f->lab.has_run = true;
    claims_answer(&f->lab, find(f, id), &a);
    return a;
}

static double ten_percent_more(const char *machine, const char *program)
{
    return strcmp(machine, "distributed") == 0 ? 200 : strcmp(program, "lud") == 0 ? 440 : 220;
}

static void a_mean_is_over_the_changes_of_its_programs(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, "icc");
    struct answer a = answer(&f, "I12a", "ipc_thread", ten_percent_more);
    assert_int_equal(a.n_parts, 11);
    assert_int_equal(a.n_have, 11);
    assert_int_equal(a.state, ANSWER_OURS);
    assert_close(a.value, (10 * 10 + 120) / 11.0, 1e-9);
    assert_close(a.difference, a.value - 10, 1e-9);
    end(&f);
}

static void a_maximum_is_the_largest_change_in_the_direction_of_the_claim(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, "icc");
    assert_close(answer(&f, "I12b", "ipc_thread", ten_percent_more).value, 120, 1e-9);
    end(&f);
}

static double less_energy(const char *machine, const char *program)
{
    return strcmp(machine, "distributed") == 0 ? 2 : strcmp(program, "hs") == 0 ? 1 : 3;
}

static void a_maximum_of_a_reduction_is_the_most_negative_change(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, "icc");
    assert_close(answer(&f, "I24b", "noc_energy_j", less_energy).value, -50, 1e-9);
    end(&f);
}

static void programs_above_a_threshold_are_counted(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, "icc");
    struct answer a = answer(&f, "I19a", "ipc_thread", ten_percent_more);
    assert_string_equal(a.text, "1 of 11"); /* ten percent are not above ten percent */
    end(&f);
}

static double fails_on_bfs(const char *machine, const char *program)
{
    return strcmp(program, "bfs") == 0 ? NAN : ten_percent_more(machine, program);
}

static void a_program_that_failed_is_named_and_not_in_the_mean(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, "icc");
    struct answer a = answer(&f, "I12a", "ipc_thread", fails_on_bfs);
    assert_int_equal(a.n_have, 10);
    assert_close(a.value, (9 * 10 + 120) / 10.0, 1e-9);
    for (size_t i = 0; i < a.n_parts; i++) {
        bool is_bfs = strcmp(a.parts[i].workload, "BFS") == 0;
        assert_int_equal(a.parts[i].why_not != NULL, is_bfs);
        if (is_bfs)
            assert_string_equal(a.parts[i].why_not, "made to fail");
    }
    end(&f);
}

static void a_number_that_no_result_holds_is_not_measured(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, "icc");
    struct answer a = answer(&f, "I12a", "something_else", ten_percent_more);
    assert_int_equal(a.state, ANSWER_NOT_MEASURED);
    assert_true(isnan(a.value) && isnan(a.difference));
    assert_string_equal(a.text, "not measured");
    assert_non_null(strstr(a.why, "ipc_thread"));
    end(&f);
}

static double thirds(const char *machine, const char *program)
{
    (void)program;
    return strcmp(machine, "FC-Ideal") == 0 ? 200 : strcmp(machine, "FC-24ports") == 0 ? 150 : 180;
}

static void points_are_of_the_third_configuration(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, "cdxbar");
    assert_close(answer(&f, "X12", "ipc_thread", thirds).value, 15, 1e-9);
    end(&f);
}

static double shared_is_slower(const char *machine, const char *program)
{
    bool is_pair = strchr(program, '+') != NULL, is_base = strstr(machine, "RR CTA") != NULL;
    return !is_pair ? 100 : is_base ? 250 : 200;
}

static void turnaround_compares_programs_with_themselves_alone(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, "cdxbar");
    /* the programs' own cycles are missing in these results */
    struct answer a = answer(&f, "X20", "cycles", shared_is_slower);
    assert_int_equal(a.state, ANSWER_NOT_MEASURED);
    for (size_t i = 0; i < f.lab.n_pairs; i++) {
        struct result *r = (struct result *)(uintptr_t)f.lab.pairs[i].result;
        double v = r->values[0].value;
        r->values = arena_many(&f.app.mem, struct result_value, 3);
        r->values[0] = (struct result_value){"cycles", "", v};
        r->values[1] = (struct result_value){"program1_cycles", "", v};
        r->values[2] = (struct result_value){"program2_cycles", "", v};
        r->n_values = 3;
    }
    claims_answer(&f.lab, find(&f, "X20"), &a);
    assert_close(a.value, 20, 1e-9); /* 2.0 instead of 2.5 times as long */
    f.lab.has_run = false;
    end(&f);
}

static double geometric(const char *machine, const char *program)
{
    return strcmp(machine, "GTX480") == 0 ? 1 : strcmp(program, "spmv") == 0 ? 8192 : 1;
}

static void a_geometric_mean_is_taken_where_the_paper_does(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, "warppool");
    assert_close(answer(&f, "W01", "ipc_thread", geometric).value, 2, 1e-9); /* 13 kernels */
    end(&f);
}

static double syr2k_merges_more(const char *machine, const char *program)
{
    (void)machine;
    return strcmp(program, "syr2k") == 0 ? 2 : 1;
}

static void an_order_holds_or_does_not(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, "warppool");
    struct answer a = answer(&f, "W17", "loads_per_l1_request", syr2k_merges_more);
    assert_int_equal(a.verdict, VERDICT_HOLDS);
    end(&f);
    begin(&f, "warppool");
    a = answer(&f, "W16", "l1d_mpki", syr2k_merges_more);
    assert_int_equal(a.verdict, VERDICT_FAILS); /* equal is not higher */
    end(&f);
}

static void what_is_not_modelled_is_left_out(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, "cdxbar");
    static const char *const ids[] = {"X02", "X03b", "X07"};
    for (int i = 0; i < 3; i++) {
        struct answer a;
        claims_answer(&f.lab, find(&f, ids[i]), &a);
        assert_int_equal(a.state, ANSWER_LEFT_OUT);
    }
    assert_int_equal(f.lab.n_pairs, 0);
    end(&f);
}

/* Every name that a claim uses is in its experiment, or a note says why not. */
static void every_claim_has_a_metric_a_machine_and_programs(void **state)
{
    (void)state;
    static const char *const papers[] = {"icc", "cdxbar", "warppool"};
    for (int p = 0; p < 3; p++) {
        struct fixture f;
        begin(&f, papers[p]);
        assert_true(f.claims.n >= 50);
        for (size_t i = 0; i < f.claims.n; i++) {
            const struct claim *c = &f.claims.at[i];
            if (experiment_note(&f.experiment, c->id))
                continue;
            const struct ex_metric *m = experiment_metric(&f.experiment, c->metric);
            if (!m)
                fail_msg("%s: no metric '%s'", c->id, c->metric);
            if (!experiment_configuration(&f.experiment, c->configuration, c->workload, &f.app.mem))
                fail_msg("%s: no configuration '%s'", c->id, c->configuration);
            bool needs_base = c->measure != CLAIM_EXACT && c->measure != CLAIM_VALUE;
            if (needs_base &&
                !experiment_configuration(&f.experiment, c->baseline, c->workload, &f.app.mem))
                fail_msg("%s: no baseline '%s'", c->id, c->baseline);
            struct answer a;
            size_t before = f.lab.n_pairs;
            if (m->design || m->keys.n)
                continue;
            claims_answer(&f.lab, c, &a);
            if (a.state != ANSWER_LEFT_OUT && a.n_parts == 0)
                fail_msg("%s: no programs for '%s'", c->id, c->workload);
            assert_true(f.lab.n_pairs >= before);
        }
        end(&f);
    }
}

static void unknown_papers_are_refused(void **state)
{
    (void)state;
    static const char *const names[] = {"", "..", "../icc", "packet", "ICC"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct arena mem;
        struct err err;
        struct experiment e;
        arena_init(&mem, NULL, NULL);
        err_init(&err);
        assert_false(experiment_read(names[i], ".", &mem, &e, &err));
        assert_true(err_any(&err));
        err_free(&err);
        arena_free(&mem);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mean_is_over_the_changes_of_its_programs),
        cmocka_unit_test(a_maximum_is_the_largest_change_in_the_direction_of_the_claim),
        cmocka_unit_test(a_maximum_of_a_reduction_is_the_most_negative_change),
        cmocka_unit_test(programs_above_a_threshold_are_counted),
        cmocka_unit_test(a_program_that_failed_is_named_and_not_in_the_mean),
        cmocka_unit_test(a_number_that_no_result_holds_is_not_measured),
        cmocka_unit_test(points_are_of_the_third_configuration),
        cmocka_unit_test(turnaround_compares_programs_with_themselves_alone),
        cmocka_unit_test(a_geometric_mean_is_taken_where_the_paper_does),
        cmocka_unit_test(an_order_holds_or_does_not),
        cmocka_unit_test(what_is_not_modelled_is_left_out),
        cmocka_unit_test(every_claim_has_a_metric_a_machine_and_programs),
        cmocka_unit_test(unknown_papers_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
