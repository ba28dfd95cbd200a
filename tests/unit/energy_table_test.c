/* SPDX-License-Identifier: MIT */
#include "tests/unit/test.h"

#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/file.h"
#include "energy/engine.h"
#include "gen/price/energy_table.h"

struct fixture {
    struct arena mem;
    struct err err;
    struct book_class classes[2];
    struct cost costs[2];
    struct book book;
    char path[64];
};

static int set_up(void **state)
{
    static struct fixture f;
    memset(&f, 0, sizeof f);
    arena_init(&f.mem, NULL, NULL);
    err_init(&f.err);
    f.classes[0] = (struct book_class){
        .kind = CK_ROUTER, .name = "request router 10x3", .group = "noc.request", .instances = 8};
    f.classes[1] = (struct book_class){
        .kind = CK_ARRAY, .name = "l1 \"fast\"", .group = "l1", .instances = 80};
    for (int k = 0; k < 2; k++) {
        cost_clear(&f.costs[k]);
        f.costs[k].engine = "native";
        f.costs[k].technology = "22 nm";
    }
    f.costs[0].energy_pj[EV_BUF_WRITE] = 0.1 + 0.2;
    f.costs[0].energy_pj[EV_XBAR] = 3;
    f.costs[0].leakage_w[PART_BUFFER] = 1.0 / 3;
    f.costs[0].area_um2[PART_CROSSBAR] = 1234.5;
    f.costs[0].wire_area_um2 = 77;
    f.costs[1].energy_pj[EV_ARRAY_READ] = 1e-7;
    f.book = (struct book){f.classes, f.costs, 2};
    strcpy(f.path, "/tmp/cw-table-XXXXXX");
    int fd = mkstemp(f.path);
    assert_true(fd >= 0);
    close(fd);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    remove(f->path);
    arena_free(&f->mem);
    err_free(&f->err);
    return 0;
}

static const char *text_of(struct fixture *f)
{
    struct buf out;
    buf_init(&out, &f->mem, BUF_NO_MAX);
    energy_table_write(&f->book, TABLE_LIBCONFIG, &f->mem, &out);
    return out.data;
}

static void a_table_reads_back_as_it_was_written(void **state)
{
    struct fixture *f = *state;
    const char *text = text_of(f);
    assert_true(file_write(f->path, text, strlen(text), &f->err));
    /* read for a book with other prices, so that nothing is right because it was there before */
    struct cost others[2] = {f->costs[0], f->costs[1]};
    for (int k = 0; k < 2; k++) {
        for (int e = 0; e < EV_COUNT; e++)
            if (!isnan(others[k].energy_pj[e]))
                others[k].energy_pj[e] = 1000 + e;
        for (int p = 0; p < PART_COUNT; p++)
            others[k].leakage_w[p] = others[k].area_um2[p] = 9;
        others[k].wire_area_um2 = 9;
    }
    struct book again = {f->classes, others, 2};
    bool ok = energy_table_read(f->path, &f->mem, &again, &f->err);
    if (!ok)
        print_error("%s\n", err_entry_text(f->err.first, &f->mem));
    assert_true(ok);
    for (int k = 0; k < 2; k++) {
        for (int e = 0; e < EV_COUNT; e++)
            assert_true(again.costs[k].energy_pj[e] == f->costs[k].energy_pj[e] ||
                        (isnan(again.costs[k].energy_pj[e]) && isnan(f->costs[k].energy_pj[e])));
        for (int p = 0; p < PART_COUNT; p++) {
            assert_close(again.costs[k].leakage_w[p], f->costs[k].leakage_w[p], 1e-15);
            assert_close(again.costs[k].area_um2[p], f->costs[k].area_um2[p], 1e-15);
        }
        assert_close(again.costs[k].wire_area_um2, f->costs[k].wire_area_um2, 1e-15);
        assert_string_equal(again.costs[k].engine, "user");
        assert_string_equal(again.costs[k].note, arena_printf(&f->mem, "from %s", f->path));
        assert_true(others[k].wire_area_um2 == 9); /* the book that was given stays */
    }
}

static void a_table_in_csv_has_a_static_row_and_one_for_each_event(void **state)
{
    static const char want[] =
        "component,group,kind,instances,event,energy_pj,leakage_mw,area_mm2,wire_area_mm2,engine,"
        "technology\n"
        "request router "
        "10x3,noc.request,router,8,static,,333.3333333333333,0.0012345,7.7e-05,native,22 "
        "nm\n"
        "request router 10x3,noc.request,router,8,BUF_WRITE,0.30000000000000004,,,,native,22 nm\n"
        "request router 10x3,noc.request,router,8,XBAR,3,,,,native,22 nm\n"
        "\"l1 \"\"fast\"\"\",l1,array,80,static,,0,0,0,native,22 nm\n"
        "\"l1 \"\"fast\"\"\",l1,array,80,ARRAY_READ,1e-07,,,,native,22 nm\n";
    struct fixture *f = *state;
    struct buf out;
    buf_init(&out, &f->mem, BUF_NO_MAX);
    energy_table_write(&f->book, TABLE_CSV, &f->mem, &out);
    if (strcmp(out.data, want) != 0)
        fail_msg("%s", out.data);
    buf_init(&out, &f->mem, BUF_NO_MAX);
    energy_table_write(&f->book, TABLE_JSON, &f->mem, &out);
    assert_non_null(strstr(out.data, "\"event\": \"XBAR\""));
    assert_int_equal(out.data[out.len - 1], '\n');
}

/* The table's text with one passage replaced, and the first message it leads to. */
static void bad_tables_are_refused_by_name(void **state)
{
    static const struct {
        const char *from, *to, *message;
    } cases[] = {
        {"XBAR = 3.0;", "", "energy_pj: 'request router 10x3' counts XBAR, which has no row"},
        {"XBAR = 3.0;", "LINK = 3.0;", "LINK: 'request router 10x3' counts no such event"},
        {"XBAR = 3.0;", "XBARS = 3.0;", "XBARS: 'request router 10x3' counts no such event"},
        {"XBAR = 3.0;", "XBAR = -3.0;", "XBAR: -3 is not a price"},
        {"XBAR = 3.0;", "XBAR = \"3\";", "XBAR: expected a number"},
        {"instances = 8;", "instances = 9;",
         "instances: the design has 8 x 'request router 10x3': the table is another design's"},
        {"router 10x3", "router 10x4",
         "component: the design has no 'request router 10x4'; did you mean 'request router 10x3'?"},
        {"buffer = ", "bufer = ", "bufer: there is no such part"},
        {"buffer = ", "buffer = -", "buffer: -333.333 is not a price"},
        {"crossbar = ", "crossbar = 1e999; link = ", "crossbar: inf is not a price"},
        {"wire_area_mm2 = 7", "wire_area_mm2 = -7", "wire_area_mm2: -7.7e-05 is not a price"},
        {"\"request router 10x3\"", "7", "component: value 'component' is of another type"},
        {"instances = 8;", "", "value 'instances' is missing"},
        {"energy_pj = {", "energies = {", "group 'energy_pj' is missing"},
        {"l1 \\\"fast\\\"", "request router 10x3", "'request router 10x3' has a row already"},
        {"classes = (", "classes = ( 1,", "expected a group { … }"},
        {"classes = (", "classes = (); others = (", "'request router 10x3' has no row"},
        {"classes = (", "clases = (", "an energy table has a list 'classes = ( … );'"},
        {"energy_pj = {", "energy_pj = {{", "syntax error"},
    };
    struct fixture *f = *state;
    const char *good = text_of(f);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf b;
        struct err err;
        struct book book = f->book;
        const char *at = strstr(good, cases[i].from);
        assert_non_null(at);
        err_init(&err);
        buf_init(&b, &f->mem, BUF_NO_MAX);
        buf_addn(&b, good, (size_t)(at - good));
        buf_add(&b, cases[i].to);
        buf_add(&b, at + strlen(cases[i].from));
        assert_true(file_write(f->path, b.data, b.len, &err));
        assert_false(energy_table_read(f->path, &f->mem, &book, &err));
        const char *message = err_entry_text(err.first, &f->mem);
        if (!strstr(message, cases[i].message))
            print_error("%s\n  wanted: %s\n", message, cases[i].message);
        assert_non_null(strstr(message, cases[i].message));
        err_free(&err);
    }
}

/* An engine that has no model of a part says so, rather than to price it at nothing. */
static void engines_without_a_model_refuse(void **state)
{
    struct cost cost;
    struct err err;
    (void)state;
    err_init(&err);
    assert_false(engine_cacti.cost_router(NULL, NULL, &cost, &err));
    assert_string_equal(err.last->text, "this engine does not cost routers");
    assert_false(engine_cacti.cost_link(NULL, NULL, &cost, &err));
    assert_string_equal(err.last->text, "this engine does not cost links");
    assert_false(engine_dsent.cost_array(NULL, NULL, 1, &cost, &err));
    assert_string_equal(err.last->text, "this engine does not cost arrays");
    err_free(&err);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        T(a_table_reads_back_as_it_was_written),
        T(a_table_in_csv_has_a_static_row_and_one_for_each_event),
        T(bad_tables_are_refused_by_name),
        T(engines_without_a_model_refuse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
