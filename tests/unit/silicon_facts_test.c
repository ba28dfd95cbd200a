/* SPDX-License-Identifier: MIT
 *
 * What is known of cards: reading it, refusing what is wrong with file and line, judging by it. */
#include "tests/unit/test.h"

#include <math.h>

#include "base/file.h"
#include "gen/silicon/silicon_facts.h"
#include "gen/silicon/silicon_figures.h"

static const char *const figures[] = {"latency", "rate", "watts"};

struct fixture {
    struct arena mem;
    struct err err;
    struct silicon_card card;
    bool ok;
};

static void read_text(struct fixture *f, const char *text)
{
    arena_init(&f->mem, NULL, NULL);
    err_init(&f->err);
    f->ok = silicon_facts_read("card.cfg", text, figures, 3, &f->mem, &f->card, &f->err);
    assert_int_equal(f->ok, f->err.n_errors == 0);
}

static void end(struct fixture *f)
{
    err_free(&f->err);
    arena_free(&f->mem);
}

#define HEAD "card = \"a card\";\nsources = { s = \"somewhere\"; };\nfacts = (\n"
#define GOOD "{ figure = \"latency\"; value = 30.0; source = \"s\"; grade = \"A\";"

static void a_fact_has_all_that_the_file_says(void **state)
{
    struct fixture f;
    (void)state;
    read_text(&f, "core_clock_ghz = 1.5;\n" HEAD GOOD
                  " low = 28.0; high = 31; tolerance = 3; percent = 10.0; remark = \"why\"; } );");
    assert_true(f.ok);
    assert_string_equal(f.card.title, "a card");
    assert_close(f.card.core_clock_ghz, 1.5, 0);
    assert_string_equal(f.card.sources[0].text, "somewhere");
    const struct silicon_fact *fact = silicon_fact(&f.card, "latency");
    assert_non_null(fact);
    assert_close(fact->value, 30, 0);
    assert_close(fact->low, 28, 0);
    assert_close(fact->high, 31, 0);
    assert_close(fact->tolerance, 3, 0);
    assert_close(fact->percent, 10, 0);
    assert_true(isnan(fact->factor));
    assert_string_equal(fact->remark, "why");
    assert_int_equal(fact->at.line, 5);
    assert_null(silicon_fact(&f.card, "rate"));
    end(&f);
}

static void what_is_wrong_is_said_with_its_line(void **state)
{
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"card = 3;\nfacts = ();", "card.cfg:1: 'card': expected a text, found a whole number"},
        {"facts = ();", "card.cfg: 'card' is missing"},
        {"card = \"x\";", "card.cfg: 'facts' is a list of groups: ( { … }, … )"},
        {"card = \"x\"; fact = ();\nfacts = ();",
         "card.cfg:1: unknown key 'fact'; did you mean 'facts'?"},
        {"nosuch = 1; card = \"x\";\nfacts = ();",
         "card.cfg:1: unknown key 'nosuch'; there are card, core_clock_ghz, sources and facts"},
        {HEAD "{ figur = \"latency\"; value = 1.0; source = \"s\"; grade = \"A\"; } );",
         "card.cfg:4: unknown key 'figur'; did you mean 'figure'?"},
        {HEAD "3 );", "card.cfg:4: expected a group, found a whole number"},
        {HEAD "{ figure = \"latncy\"; value = 1.0; source = \"s\"; grade = \"A\"; } );",
         "card.cfg:4: there is no figure 'latncy'; did you mean 'latency'?"},
        {HEAD GOOD " } ,\n" GOOD " } );", "card.cfg:5: 'latency' was said before, on line 4"},
        {HEAD "{ figure = \"rate\"; source = \"s\"; grade = \"A\"; low = 1.0; } );",
         "card.cfg:4: 'value' is missing, or 'low' and 'high'"},
        {HEAD "{ figure = \"rate\"; source = \"s\"; grade = \"A\"; low = 2.0; high = 1.0; } );",
         "card.cfg:4: low 2 is above high 1"},
        {HEAD
         "{ figure = \"rate\"; source = \"s\"; grade = \"A\"; low = 1; high = 2; percent = 5; } );",
         "card.cfg:4: a range without a value is judged by itself and takes no tolerance"},
        {HEAD GOOD " tolerance = -1.0; } );", "card.cfg:4: 'tolerance': -1 is not above 0"},
        {HEAD GOOD " percent = \"5\"; } );",
         "card.cfg:4: 'percent': expected a number, found text"},
        {HEAD GOOD " factor = 0.5; } );", "card.cfg:4: 'factor': 0.5 is not at least 1"},
        {HEAD "{ figure = \"rate\"; value = 1.0; source = \"s\"; grade = \"AB\"; } );",
         "card.cfg:4: 'grade': 'AB' is not A, B, C or D"},
        {HEAD "{ figure = \"rate\"; value = 1.0; source = \"t\"; grade = \"A\"; } );",
         "card.cfg:4: 'source': 't' is not among 'sources'"},
        {HEAD "{ figure = \"rate\"; value = 1.0; grade = \"A\"; } );",
         "card.cfg:4: 'source' is missing"},
        {"card = \"x\"; sources = 4;\nfacts = ();",
         "card.cfg:1: 'sources': expected a group, found a whole number"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct fixture f;
        read_text(&f, bad[i].text);
        assert_false(f.ok);
        assert_string_equal(err_entry_text(f.err.first, &f.mem), bad[i].message);
        end(&f);
    }
}

static void a_figure_is_judged_by_the_widest_tolerance(void **state)
{
    struct silicon_fact f = {
        .value = 30, .low = NAN, .high = NAN, .tolerance = NAN, .percent = NAN, .factor = NAN};
    (void)state;
    assert_int_equal(silicon_judge(NULL, 30), SILICON_NONE);
    assert_int_equal(silicon_judge(&f, NAN), SILICON_NONE);
    assert_int_equal(silicon_judge(&f, 99), SILICON_SHOWN);
    f.percent = 10;
    assert_int_equal(silicon_judge(&f, 33), SILICON_WITHIN);
    assert_int_equal(silicon_judge(&f, 33.1), SILICON_OFF);
    assert_int_equal(silicon_judge(&f, 26.9), SILICON_OFF);
    f.tolerance = 4;
    assert_int_equal(silicon_judge(&f, 34), SILICON_WITHIN);
    assert_int_equal(silicon_judge(&f, 34.1), SILICON_OFF);
    f.factor = 1.5;
    assert_int_equal(silicon_judge(&f, 45), SILICON_WITHIN);
    assert_int_equal(silicon_judge(&f, 20), SILICON_WITHIN);
    assert_int_equal(silicon_judge(&f, 19.9), SILICON_OFF);
    assert_int_equal(silicon_judge(&f, 45.1), SILICON_OFF);
    f = (struct silicon_fact){
        .value = NAN, .low = 4, .high = 12, .tolerance = NAN, .percent = NAN, .factor = NAN};
    assert_int_equal(silicon_judge(&f, 4), SILICON_WITHIN);
    assert_int_equal(silicon_judge(&f, 12), SILICON_WITHIN);
    assert_int_equal(silicon_judge(&f, 12.1), SILICON_OFF);
    assert_int_equal(silicon_judge(&f, 3.9), SILICON_OFF);
}

static void every_shipped_card_can_be_read(void **state)
{
    struct arena mem;
    struct err err;
    (void)state;
    arena_init(&mem, NULL, NULL);
    err_init(&err);
    const char **files = file_names("cfg/silicon/cards", &mem, &err);
    assert_non_null(files);
    size_t n = 0;
    for (; files[n]; n++) {
        struct silicon_card card;
        assert_true(silicon_facts_read(path_join(&mem, "cfg/silicon/cards", files[n]), NULL,
                                       silicon_figure_names(&mem), n_silicon_figures, &mem, &card,
                                       &err));
        assert_true(card.n_facts > 10);
    }
    assert_true(n >= 3);
    err_free(&err);
    arena_free(&mem);
}

static void every_microbenchmark_is_shipped_and_used(void **state)
{
    struct arena mem;
    size_t n;
    (void)state;
    arena_init(&mem, NULL, NULL);
    const char **names = silicon_benches(NULL, &mem, &n);
    struct err err;
    err_init(&err);
    const char **files = file_names("cfg/silicon", &mem, &err);
    size_t shipped = 0;
    for (size_t i = 0; files[i]; i++) {
        if (!path_ends_with(files[i], ".cfg"))
            continue;
        bool used = false;
        for (size_t k = 0; k < n; k++)
            used |= strcmp(path_stem(&mem, files[i]), names[k]) == 0;
        assert_true(used);
        shipped++;
    }
    assert_int_equal(shipped, n);
    err_free(&err);
    arena_free(&mem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fact_has_all_that_the_file_says),
        cmocka_unit_test(what_is_wrong_is_said_with_its_line),
        cmocka_unit_test(a_figure_is_judged_by_the_widest_tolerance),
        cmocka_unit_test(every_shipped_card_can_be_read),
        cmocka_unit_test(every_microbenchmark_is_shipped_and_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
