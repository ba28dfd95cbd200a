/* SPDX-License-Identifier: MIT
 *
 * Answers to claims, on results made up so that the right answer can be worked out by hand. */
#include "tests/unit/test.h"

#include "gen/reproduce/figures.h"

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
    assert_true(claims_read(".", f->experiment.name, &f->app.mem, &f->claims, &f->app.err));
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
    answer_claim(&f->lab, find(f, id), &a);
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
    answer_claim(&f->lab, find(f, id), &a);
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
    /* the programs' own cycles and instructions are missing in these results */
    struct answer a = answer(&f, "X20", "cycles", shared_is_slower);
    assert_int_equal(a.state, ANSWER_NOT_MEASURED);
    for (size_t i = 0; i < f.lab.n_pairs; i++) {
        struct result *r = (struct result *)(uintptr_t)f.lab.pairs[i].result;
        double v = r->values[0].value;
        static const char *const of_all[] = {"cycles", "program1_cycles", "program2_cycles"};
        static const char *const insts[] = {"warp_insts", "program1_insts", "program2_insts"};
        r->values = arena_many(&f.app.mem, struct result_value, 6);
        for (int k = 0; k < 3; k++) {
            r->values[k] = (struct result_value){of_all[k], "", v};
            r->values[3 + k] = (struct result_value){insts[k], "", 1000};
        }
        r->n_values = 6;
    }
    answer_claim(&f.lab, find(&f, "X20"), &a);
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
            answer_claim(&f.lab, c, &a);
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

/* ---- figures ---- */

static const struct ex_figure *figure_of(const struct fixture *f, const char *figure, size_t nth)
{
    for (size_t i = 0; i < f->experiment.n_figures; i++) {
        if (strcmp(f->experiment.figures[i].figure, figure) == 0 && nth-- == 0)
            return &f->experiment.figures[i];
    }
    fail();
    return NULL;
}

static const struct figure_cell *cell(const struct figure_answer *a, const char *row,
                                      const char *column)
{
    for (size_t i = 0; i < a->n_rows * a->n_columns; i++) {
        if (strcmp(a->rows[i / a->n_columns], row) == 0 &&
            strcmp(a->columns[i % a->n_columns], column) == 0)
            return &a->cells[i];
    }
    print_error("no cell %s, %s\n", row, column);
    fail();
    return NULL;
}

static void every_figure_of_the_papers_is_there(void **state)
{
    (void)state;
    static const struct {
        const char *paper, *figures[16];
    } asked[] = {
        {"cdxbar", {"T1", "T2", "2", "3", "4", "9", "10", "11", "12", "13", "14", "15", "16"}},
        {"icc", {"2", "3", "7", "8", "10", "11", "12", "13", "14", "15"}},
        {"warppool", {"5", "9", "11", "12", "13", "14", "T1"}},
    };
    for (size_t p = 0; p < 3; p++) {
        struct fixture f;
        begin(&f, asked[p].paper);
        for (size_t i = 0; asked[p].figures[i]; i++)
            assert_non_null(figure_of(&f, asked[p].figures[i], 0));
        end(&f);
    }
}

static void the_papers_numbers_stand_beside_ours(void **state)
{
    (void)state;
    struct fixture f;
    struct figure_answer a;
    begin(&f, "icc");
    figure_answer(&f.lab, figure_of(&f, "10", 0), &f.claims, &a);
    assert_int_equal(a.n_rows, 12); /* 11 programs and their mean */
    assert_true(a.has_mean);
    assert_close(cell(&a, "mean", "DB+ICC")->paper, 1.10, 1e-12);   /* +10 % */
    assert_close(cell(&a, "LUD", "DB+ICC+CC")->paper, 1.67, 1e-12); /* +67 % */
    assert_true(isnan(cell(&a, "NN", "DB")->paper));                /* it says nothing */
    figure_answer(&f.lab, figure_of(&f, "13", 0), &f.claims, &a);
    assert_close(cell(&a, "DCT", "DB+ICC")->paper, 0.54, 1e-12);  /* -46 % */
    figure_answer(&f.lab, figure_of(&f, "14", 0), &f.claims, &a); /* its own baselines */
    assert_close(cell(&a, "mean", "10")->paper, 14, 1e-12);
    assert_close(cell(&a, "mean", "12")->paper, 10, 1e-12);
    figure_answer(&f.lab, figure_of(&f, "11", 1), &f.claims, &a); /* parts of a whole: no claims */
    for (size_t i = 0; i < a.n_rows * a.n_columns; i++)
        assert_null(a.cells[i].claim);
    end(&f);
    begin(&f, "warppool"); /* other names for the same machines and programs */
    figure_answer(&f.lab, figure_of(&f, "14", 0), &f.claims, &a);
    assert_close(cell(&a, "naive, WarpPool", "time")->paper, 0.5, 1e-12);
    assert_close(cell(&a, "shared memory", "time")->paper, 0.38, 1e-12);
    assert_null(cell(&a, "naive", "time")->claim);
    figure_answer(&f.lab, figure_of(&f, "T1", 0), &f.claims, &a);
    assert_close(cell(&a, "total", "total (mW)")->paper, 142.3, 1e-12);
    assert_close(cell(&a, "thread map table", "dynamic (mW)")->paper, 9.8, 1e-12);
    assert_close(cell(&a, "thread map table", "storage (B)")->value, 321, 1e-12);
    end(&f);
}

static void a_figure_of_designs_needs_no_runs(void **state)
{
    (void)state;
    struct fixture f;
    struct figure_answer a;
    begin(&f, "cdxbar");
    figure_answer(&f.lab, figure_of(&f, "T1", 0), &f.claims, &a);
    assert_string_equal(cell(&a, "180 SMs", "Clos")->text, "(8,14,14)");
    assert_string_equal(cell(&a, "180 SMs", "Clos")->paper_text, "(8,14,14)");
    figure_answer(&f.lab, figure_of(&f, "3", 0), &f.claims, &a);
    double small = cell(&a, "20 SMs", "Mesh")->value, large = cell(&a, "180 SMs", "Mesh")->value;
    assert_true(small > 0 && large > small);
    figure_answer(&f.lab, figure_of(&f, "2", 0), &f.claims, &a);
    double sum = 0;
    for (size_t k = 0; k < a.n_columns; k++)
        sum += cell(&a, "Mesh", a.columns[k])->value;
    figure_answer(&f.lab, figure_of(&f, "3", 0), &f.claims, &a);
    assert_close(sum, cell(&a, "80 SMs", "Mesh")->value, 1e-9); /* parts add up to the area */
    assert_int_equal(f.lab.n_pairs, 0);
    end(&f);
}

/* ---- a paper that is made up ------------------------------------------------------------------
 * Machines a (2 SMs), b (4 SMs) and c (10 SMs), of which no result is drawn but given below. */

static const char own_experiment[] =
    "title = \"Made up\";\n"
    "configurations = ( { names = [\"a\", \"a @ 1\"]; file = \"own.cfg\"; set = [\"gpu.sms=2\"]; "
    "},\n"
    " { names = [\"b\", \"b @ 1\", \"a @ 2\"]; file = \"own.cfg\"; set = [\"gpu.sms=4\"]; },\n"
    " { names = [\"c\", \"b @ 2\"]; file = \"own.cfg\"; set = [\"gpu.sms=10\"]; },\n"
    " { names = [\"gone\"]; left_out = \"nobody built it\"; } );\n"
    "workloads = ( { name = \"P\"; file = \"p\"; }, { name = \"Q\"; file = \"q\"; } );\n"
    "sets = ( { name = \"mean\"; how = \"mean\"; of = [\"P\", \"Q\"]; },\n"
    " { name = \"geomean\"; how = \"geomean\"; of = [\"P\", \"Q\"]; },\n"
    " { name = \"max\"; how = \"extreme\"; of = [\"P\", \"Q\"]; } );\n"
    "metrics = ( { name = \"speed\"; value = \"speed\"; better = \"higher\"; },\n"
    " { name = \"time\"; value = \"speed\"; inverse = true; times = 60.0; better = \"lower\"; },\n"
    " { name = \"many\"; value = \"speed\"; above = 50.0; },\n"
    " { name = \"SMs\"; keys = [\"gpu.sms\"]; times = 3.0; } );\n"
    "figures = ( { figure = \"1\"; title = \"1\"; metrics = [\"speed\"]; set = \"mean\"; of = "
    "[\"a\", "
    "\"b\"]; labels = [\"first\", \"second\"]; },\n"
    " { figure = \"2\"; title = \"2\"; metrics = [\"speed\", \"time\"]; metric_labels = [\"S\", "
    "\"T\"]; "
    "set = \"mean\"; of = [\"b\"]; baselines = [\"a\"]; },\n"
    " { figure = \"3\"; title = \"3\"; metrics = [\"speed\", \"time\"]; set = \"geomean\"; of = "
    "[\"a\", "
    "\"b\"]; measure = \"percent\"; baselines = [\"b\", \"c\"]; },\n"
    " { figure = \"4\"; title = \"4\"; rows = \"configurations\"; metrics = [\"speed\", \"time\"]; "
    "metric_labels = [\"S\", \"T\"]; set = \"mean\"; of = [\"a\", \"gone\", \"c\"]; labels = "
    "[\"A\", "
    "\"G\", \"C\"]; },\n"
    " { figure = \"5\"; title = \"5\"; kind = \"lines\"; metrics = [\"SMs\"]; over = [\"1\", "
    "\"2\"]; of = "
    "[\"a\", \"b\"]; } );\n";

static const char own_claims[] =
    "id,section_or_figure,workload,metric,configuration,baseline,value,unit,kind,figure,measure\n"
    "change,1,mean,speed,b,a,50,%,simulated,,change\n"
    "geochange,1,geomean,speed,b,a,50,%,simulated,,change\n"
    "least,1,max,speed,b,a,-50,%,simulated,,change\n"
    "most,1,max,speed,b,a,50,%,simulated,,change\n"
    "reduction,1,mean,time,b,a,50,%,simulated,,reduction\n"
    "percent,1,mean,time,b,a,50,%,simulated,,percent\n"
    "ratio,1,geomean,speed,b,a,50,x,simulated,,ratio\n"
    "value,1,mean,time,b,-,5,s,simulated,1,value\n"
    "points,1,mean,speed,b,a,50,points of c,simulated,,points\n"
    "count,1,mean,many,b,a,1,-,simulated,,count\n"
    "order,1,mean,speed,b,a,better,-,simulated,,order\n"
    "worse,1,Q,time,a,b,worse,-,simulated,,order\n"
    "over,1,mean,speed,b,a,>50,%,simulated,,change\n"
    "one,1,Q;P,speed,b,a,50,%,simulated,,change\n"
    "left,1,mean,speed,gone,a,50,%,simulated,,change\n"
    "base,1,mean,speed,a,gone,50,%,simulated,,change\n"
    "alone,1,mean,speed,a,gone,5,-,simulated,,value\n"
    "sms,1,-,SMs,c,a,1,-,exact,,exact\n"
    "smratio,1,-,SMs,b,c,0.4,x,exact,,ratio\n"
    "smchange,1,-,SMs,b,a,100,%,exact,,change\n"
    "smpercent,1,-,SMs,b,c,40,%,exact,,percent\n"
    "smreduction,1,-,SMs,b,c,60,%,exact,,reduction\n"
    "smpoints,1,-,SMs,b,a,20,points of c,exact,,points\n"
    "nowhere,1,R,speed,b,a,50,%,simulated,,change\n";

static void put_file(const char *folder, const char *name, const char *text)
{
    char path[200];
    snprintf(path, sizeof path, "%s/cfg/paper/own/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static void make_own(char *folder)
{
    char command[400];
    assert_non_null(mkdtemp(folder));
    snprintf(command, sizeof command, "mkdir -p %s/cfg/paper/own && cp -R cfg/tech %s/cfg/", folder,
             folder);
    assert_int_equal(system(command), 0);
    put_file(folder, "experiment.cfg", own_experiment);
    put_file(folder, "claims.csv", own_claims);
    put_file(folder, "own.cfg", "llc: { slices = 2; };\ndram: { controllers = 1; };\n");
}

/* a: 2 on P, 8 on Q; b: 3 and 20; c: 5 and 10 */
static double own_speed(const struct lab_machine *m, const char *program)
{
    double sms = strtod(strchr(m->sets.at[0], '=') + 1, NULL);
    bool is_p = strcmp(program, "p") == 0;
    return sms == 2 ? (is_p ? 2 : 8) : sms == 4 ? (is_p ? 3 : 20) : (is_p ? 5 : 10);
}

static void give_results(struct fixture *f)
{
    for (size_t i = 0; i < f->lab.n_pairs; i++) {
        struct lab_pair *p = &f->lab.pairs[i];
        const struct lab_machine *m = &f->lab.machines[p->machine];
        const char *program = f->lab.programs[p->program].file;
        struct result *r = arena_new(&f->app.mem, struct result);
        *r = (struct result){.design = m->name, .workload = program, .n_values = 1};
        r->values = arena_new(&f->app.mem, struct result_value);
        r->values[0] = (struct result_value){"speed", "", own_speed(m, program)};
        p->result = r;
    }
    f->lab.has_run = true;
}

static void begin_own(struct fixture *f, char *folder)
{
    make_own(folder);
    memset(f, 0, sizeof *f);
    arena_init(&f->app.mem, NULL, NULL);
    err_init(&f->app.err);
    f->app.data_dir = folder;
    if (!experiment_read("own", folder, &f->app.mem, &f->experiment, &f->app.err) ||
        !claims_read(folder, "own", &f->app.mem, &f->claims, &f->app.err))
        fail_msg("%s", err_entry_text(f->app.err.first, &f->app.mem));
    f->lab = (struct lab){
        .app = &f->app, .options = &f->options, .experiment = &f->experiment, .preset = "small"};
}

static void end_own(struct fixture *f, const char *folder)
{
    char command[100];
    end(f);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

static void every_measure_is_the_arithmetic_that_it_says(void **state)
{
    static const struct {
        const char *id;
        double value;
        enum answer_verdict verdict;
        double difference; /* NAN: none is told */
    } wanted[] = {
        /* P: 3 over 2, Q: 20 over 8 */
        {"change", 100 * (50 + 150) / 200.0, VERDICT_NONE, 50},
        {"geochange", 0, VERDICT_NONE, 0},
        {"least", 50, VERDICT_NONE, 100},
        {"most", 150, VERDICT_NONE, 100},
        {"reduction", (100 / 3.0 + 60) / 2, VERDICT_NONE, (100 / 3.0 + 60) / 2 - 50},
        {"percent", (200 / 3.0 + 40) / 2, VERDICT_NONE, (200 / 3.0 + 40) / 2 - 50},
        {"ratio", 0, VERDICT_NONE, 0},
        {"value", (20 + 3) / 2.0, VERDICT_NONE, 6.5},
        /* of c: 1 of 5, 12 of 10 */
        {"points", (20 + 120) / 2.0, VERDICT_NONE, 20},
        {"count", 1, VERDICT_NONE, 0},
        {"order", 2, VERDICT_HOLDS, NAN},
        {"worse", 1, VERDICT_HOLDS, NAN},
        {"over", 100, VERDICT_HOLDS, NAN},
        {"one", 100, VERDICT_NONE, 50},
        {"alone", 5, VERDICT_NONE, 0},
        {"sms", 30, VERDICT_DIFFERS, 29},
        {"smratio", 0.4, VERDICT_NONE, 0},
        {"smchange", 100, VERDICT_NONE, 0},
        {"smpercent", 40, VERDICT_NONE, 0},
        {"smreduction", 60, VERDICT_NONE, 0},
        {"smpoints", 20, VERDICT_NONE, 0},
    };
    struct fixture f;
    char folder[] = "/tmp/crosswatt-claims-XXXXXX";
    (void)state;
    begin_own(&f, folder);
    for (size_t i = 0; i < f.claims.n; i++) {
        struct answer a;
        answer_claim(&f.lab, &f.claims.at[i], &a);
    }
    give_results(&f);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        struct answer a;
        double value = wanted[i].value, difference = wanted[i].difference;
        answer_claim(&f.lab, find(&f, wanted[i].id), &a);
        if (strcmp(wanted[i].id, "geochange") == 0)
            value = 100 * (sqrt(1.5 * 2.5) - 1), difference = value - 50;
        if (strcmp(wanted[i].id, "ratio") == 0)
            value = sqrt(1.5 * 2.5), difference = value - 50;
        if (a.state != ANSWER_OURS || !(fabs(a.value - value) < 1e-9) ||
            a.verdict != wanted[i].verdict)
            fail_msg("%s is %g (%s), verdict %d, not %g, verdict %d", wanted[i].id, a.value,
                     a.why ? a.why : a.text, (int)a.verdict, value, (int)wanted[i].verdict);
        if (isnan(difference))
            assert_true(isnan(a.difference));
        else
            assert_true(fabs(a.difference - difference) < 1e-9);
    }
    static const char *const left[] = {"left", "base"};
    for (int i = 0; i < 2; i++) {
        struct answer a;
        answer_claim(&f.lab, find(&f, left[i]), &a);
        assert_int_equal(a.state, ANSWER_LEFT_OUT);
        assert_string_equal(a.text, "left out");
        assert_string_equal(a.why, "nobody built it");
    }
    struct answer a;
    answer_claim(&f.lab, find(&f, "nowhere"), &a);
    assert_int_equal(a.state, ANSWER_NOT_MEASURED);
    assert_string_equal(a.why, "no runs are set up for 'R'");
    end_own(&f, folder);
}

static void figures_have_their_rows_columns_and_numbers(void **state)
{
    struct fixture f;
    struct figure_answer a;
    char folder[] = "/tmp/crosswatt-claims-XXXXXX";
    (void)state;
    begin_own(&f, folder);
    for (size_t i = 0; i < f.experiment.n_figures; i++)
        figure_answer(&f.lab, &f.experiment.figures[i], &f.claims, &a);
    give_results(&f);

    /* one metric: columns are configurations */
    figure_answer(&f.lab, figure_of(&f, "1", 0), &f.claims, &a);
    assert_int_equal(a.n_rows, 3);
    assert_int_equal(a.n_columns, 2);
    assert_true(a.has_mean);
    assert_int_equal(a.n_programs, 2);
    assert_string_equal(a.programs[1], "Q");
    assert_close(cell(&a, "P", "first")->value, 2, 1e-12);
    assert_close(cell(&a, "Q", "second")->value, 20, 1e-12);
    assert_close(cell(&a, "mean", "second")->value, 11.5, 1e-12);
    assert_true(isnan(cell(&a, "mean", "second")->paper));

    /* one configuration: columns are metrics; its baseline makes them ratios */
    figure_answer(&f.lab, figure_of(&f, "2", 0), &f.claims, &a);
    assert_int_equal(a.n_columns, 2);
    assert_close(cell(&a, "P", "S")->value, 1.5, 1e-12);
    assert_close(cell(&a, "Q", "T")->value, 0.4, 1e-12);
    assert_close(cell(&a, "mean", "S")->value, 2, 1e-12);
    assert_close(cell(&a, "mean", "S")->paper, 1.5, 1e-12); /* 50 % more, says a claim */
    assert_string_equal(cell(&a, "mean", "S")->claim, "change");
    assert_close(cell(&a, "mean", "T")->paper, 0.5, 1e-12);

    /* several of both; each configuration has its baseline */
    figure_answer(&f.lab, figure_of(&f, "3", 0), &f.claims, &a);
    assert_int_equal(a.n_columns, 4);
    assert_close(cell(&a, "P", "a, speed")->value, 100 * 2 / 3.0, 1e-12);
    assert_close(cell(&a, "P", "b, speed")->value, 60, 1e-12);
    assert_close(cell(&a, "Q", "b, time")->value, 50, 1e-12);
    assert_close(cell(&a, "geomean", "b, time")->value, 100 * sqrt(5 / 3.0 * 0.5), 1e-12);

    figure_answer(&f.lab, figure_of(&f, "4", 0), &f.claims, &a);
    assert_int_equal(a.n_rows, 3);
    assert_false(a.has_mean);
    assert_close(cell(&a, "A", "S")->value, 5, 1e-12);
    assert_close(cell(&a, "C", "T")->value, (12 + 6) / 2.0, 1e-12);
    assert_true(isnan(cell(&a, "G", "S")->value));
    assert_string_equal(cell(&a, "G", "S")->why_not, "nobody built it");

    figure_answer(&f.lab, figure_of(&f, "5", 0), &f.claims, &a);
    assert_close(cell(&a, "1", "a")->value, 6, 1e-12);
    assert_close(cell(&a, "2", "a")->value, 12, 1e-12);
    assert_close(cell(&a, "1", "b")->value, 12, 1e-12);
    assert_close(cell(&a, "2", "b")->value, 30, 1e-12);
    end_own(&f, folder);
}

static void facts_of_partitions_are_theirs_or_say_what_they_need(void **state)
{
    static const struct {
        const char *function, *numbers, *text; /* or why not */
        double value;
    } cases[] = {
        /* ten CTAs on four SMs are three, three, two and two */
        {"cta_position", "10 4 0", "(0,0)", NAN},
        {"cta_position", "10 4 7", "(1,2)", NAN},
        {"cta_position", "10 4 9", "(1,3)", NAN},
        {"cta_position", "10 4 10", "needs |V|, M and v", NAN},
        {"cta_position", "10 0 1", "needs |V|, M and v", NAN},
        {"cta_position", "10 4", "needs |V|, M and v", NAN},
        {"cta_at_position", "10 4 1 2", NULL, 7},
        {"cta_at_position", "10 4 2 1", NULL, 5},
        {"cta_at_position", "10 4 2", "needs |V|, M, w and i", NAN},
        {"cta_at_position", "10 0 2 1", "needs |V|, M, w and i", NAN},
        {"cta_bound_to", "10 4 7", "(1,3)", NAN},
        {"cta_bound_to", "10 4 8", "(2,0)", NAN},
        {"cta_bound_to", "10 4 8 1", "needs |V|, M and u", NAN},
        {"cta_bound_to", "10 0 8", "needs |V|, M and u", NAN},
        {"cta_cluster_bases", "10 4", "0 3 6 8", NAN},
        {"cta_cluster_bases", "3 4", "0 1 2 3", NAN},
        {"cta_cluster_bases", "10 0", "needs |V| and M", NAN},
        {"cta_cluster_bases", "ten 4", "needs |V| and M", NAN},
        {"cta_redirection", "6 2", "0 3 1 4 2 5", NAN},
        {"cta_redirection", "5 2", "0 3 1 4 2", NAN},
        {"cta_redirection", "6", "needs |V| and M", NAN},
        {"cta_redirection", "6 0", "needs |V| and M", NAN},
        {"cta_positon", "6 2", "unknown function 'cta_positon'; did you mean 'cta_position'?", NAN},
        {"zzzzzzzzzz", "6 2", "unknown function 'zzzzzzzzzz'", NAN},
    };
    struct fixture f;
    char folder[] = "/tmp/crosswatt-claims-XXXXXX";
    (void)state;
    begin_own(&f, folder);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ex_configuration conf = f.experiment.configurations[0];
        conf.array = cases[i].numbers;
        struct design_answer a = answer_from_design(&f.lab, &conf, cases[i].function);
        const char *says = a.why_not ? a.why_not : a.text;
        if (!cases[i].text) {
            assert_null(a.why_not);
            assert_close(a.value, cases[i].value, 0);
        } else if (!says || strcmp(says, cases[i].text) != 0) {
            fail_msg("%s of %s: %s", cases[i].function, cases[i].numbers, says ? says : "a number");
        }
    }
    end_own(&f, folder);
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
        cmocka_unit_test(every_claim_has_a_metric_a_machine_and_programs),
        cmocka_unit_test(unknown_papers_are_refused),
        cmocka_unit_test(every_figure_of_the_papers_is_there),
        cmocka_unit_test(the_papers_numbers_stand_beside_ours),
        cmocka_unit_test(a_figure_of_designs_needs_no_runs),
        cmocka_unit_test(every_measure_is_the_arithmetic_that_it_says),
        cmocka_unit_test(facts_of_partitions_are_theirs_or_say_what_they_need),
        cmocka_unit_test(figures_have_their_rows_columns_and_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
