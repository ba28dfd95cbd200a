/* SPDX-License-Identifier: MIT */
#include "energy/array/model.h"

#include "base/csv.h"
#include "energy/array/columns.h"
#include "gen/config/read_tech.h"
#include "tests/unit/test.h"

struct fixture {
    struct arena mem;
    struct err err;
    struct array_tables tables;
};

static int setup(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    arena_init(&f->mem, NULL, NULL);
    err_init(&f->err);
    if (!array_tables_read("cfg/tech/cacti-itrs.cfg", &f->mem, &f->tables, &f->err))
        return -1;
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;
    err_free(&f->err);
    arena_free(&f->mem);
    free(f);
    return 0;
}

static struct amodel_out cost(struct fixture *f, const struct amodel_in *in)
{
    struct amodel_out out;
    if (!amodel_cost(in, &f->tables, NOWHERE, &f->mem, &out, &f->err))
        fail_msg("%s", err_entry_text(f->err.last, &f->mem));
    return out;
}

static struct amodel_in cache_of(int64_t size, int64_t ways, double nm)
{
    struct amodel_in in = amodel_defaults();
    in.type = AMODEL_CACHE;
    in.size_b = size;
    in.block_b = 128;
    in.assoc = ways;
    in.out_bits = 256;
    in.tech_nm = nm;
    return in;
}

static struct amodel_in fa_of(int64_t entries, int64_t bytes, double nm)
{
    struct amodel_in in = amodel_defaults();
    in.type = AMODEL_FA;
    in.assoc = 0;
    in.search = 1;
    in.size_b = entries * bytes;
    in.block_b = bytes;
    in.out_bits = 8 * bytes;
    in.tag_bits = 41;
    in.tech_nm = nm;
    return in;
}

/* ---- against what CACTI 6.5 prints ----------------------------------------------------------- */

static void rows_of(struct fixture *f, const char *file)
{
    struct csv csv;
    assert_true(csv_read(file, &f->mem, &csv, &f->err));
    assert_true(csv.n_rows >= 10);
    for (size_t r = 0; r < csv.n_rows; r++) {
        struct amodel_in in = amodel_defaults();
        assert_true(array_csv_request(&csv, r, &in, &f->err));
        struct amodel_out out = cost(f, &in);
        for (size_t a = 0; a < array_csv_n_answers(); a++) {
            int column = csv_column(&csv, array_csv_answer_name(a));
            if (column < 0)
                continue;
            double got = array_csv_value(&out, a);
            if (csv.rows[r][column][0] == '\0') {
                assert_true(isnan(got));
                continue;
            }
            double want;
            assert_true(csv_real(&csv, r, column, &want, &f->err));
            if (fabs(got - want) > 1e-5 * fabs(want))
                print_error("%s %s\n", csv.rows[r][0], csv.columns[column]);
            assert_close(got, want, 1e-5);
        }
    }
}

static void ram_rows_come_out_as_cacti_prints_them(void **state)
{
    rows_of(*state, "tests/data/cacti-ram.csv");
}

static void cache_rows_come_out_as_cacti_prints_them(void **state)
{
    rows_of(*state, "tests/data/cacti-cache.csv");
}

static void associative_rows_come_out_as_cacti_prints_them(void **state)
{
    rows_of(*state, "tests/data/cacti-cam.csv");
}

/* Check values of the repeated wire at 40 nm as CACTI prints them. */
static void repeated_wires_come_out_as_cacti_prints_them(void **state)
{
    struct fixture *f = *state;
    static const double want[ARRAY_SIGNALS][6] = {
        {82.2041, .171447, .0872941, .419064, .0213942, .00223011},
        {57.2041, .271447, .091577, .29655, .00940315, .000980179},
        {43.2041, .271447, .095602, .268659, .00710184, .000740292},
        {42.2041, .371447, .104657, .251553, .00506978, .000528471},
        {32.2041, .371447, .112602, .235733, .00386853, .000403253},
    };
    for (int s = 0; s < ARRAY_SIGNALS; s++) {
        struct array_tech_choice c = {
            .nm = 40, .temp_k = 350, .in = ARRAY_SEMI, .out = ARRAY_SEMI, .signal = s};
        struct array_tech t;
        array_tech_make(&f->tables, &c, &t);
        assert_close(t.wire.size, want[s][0], 1e-5);
        assert_close(t.wire.spacing * 1e3, want[s][1], 1e-5);
        assert_close(t.wire.delay * 1e6, want[s][2], 1e-5);
        assert_close(t.wire.energy * 1e9, want[s][3], 1e-5);
        assert_close(t.wire.leak, want[s][4], 1e-5);
        assert_close(t.wire.gate_leak, want[s][5], 1e-5);
    }
}

/* Access times that CACTI 6.5 prints for shapes near its limits, 45 nm. */
static void shapes_near_the_limits_come_out_as_cacti_prints_them(void **state)
{
    struct fixture *f = *state;
    static const struct {
        int64_t size, block, out;
        double access_ns;
    } rams[] = {{64, 1, 8, .140112},     {328, 41, 164, .167029}, {336, 21, 168, .16493},
                {512, 32, 256, .172033}, {544, 32, 256, .173373}, {3072, 3, 23, .222065}};
    for (size_t i = 0; i < sizeof rams / sizeof *rams; i++) {
        struct amodel_in in = amodel_defaults();
        in.size_b = rams[i].size;
        in.block_b = rams[i].block;
        in.out_bits = rams[i].out;
        assert_close(cost(f, &in).access_s * 1e9, rams[i].access_ns, 1e-5);
    }
    struct amodel_in in = amodel_defaults();
    in.size_b = 1024;
    in.rw = 0;
    in.wr = 1;
    assert_close(cost(f, &in).access_s * 1e9, .17967, 1e-5); /* write-only */
    in = fa_of(24, 128, 45);
    in.rw = 0;
    in.wr = 1; /* a read port is added */
    assert_close(cost(f, &in).access_s * 1e9, .760271, 1e-5);
    in = fa_of(3, 128, 45); /* an odd entry is lost */
    assert_close(cost(f, &in).access_s * 1e9, .549216, 1e-5);
    in = amodel_defaults();
    in.size_b = 4096;
    in.assoc = 4; /* a RAM with ways */
    assert_close(cost(f, &in).access_s * 1e9, .247634, 1e-5);
}

/* How many organisations CACTI 6.5 evaluates: the search leaves none out. */
static void search_looks_at_every_organisation(void **state)
{
    struct fixture *f = *state;
    struct amodel_in in = amodel_defaults();
    in.size_b = 304;
    in.block_b = 8;
    in.out_bits = 64;
    assert_int_equal(cost(f, &in).n_data, 54);
    in = cache_of(32768, 4, 45);
    struct amodel_out out = cost(f, &in);
    assert_int_equal(out.n_data, 1479);
    assert_int_equal(out.n_tag, 133);
}

/* ---- properties ---- */

static void merge_table_and_coalesced_cache_fit_a_cycle_of_1400_mhz(void **state)
{
    struct fixture *f = *state;
    struct amodel_in merge = fa_of(48, 2, 40), coalesced = fa_of(24, 128, 40);
    double m = cost(f, &merge).access_s * 1e9, c = cost(f, &coalesced).access_s * 1e9;
    assert_close(m, 0.315189, 1e-5);
    assert_close(c, 0.525685, 1e-5);
    assert_true(m < 0.714 && c < 0.714);
}

static void forcing_the_chosen_organisation_changes_nothing(void **state)
{
    struct fixture *f = *state;
    struct amodel_in in = cache_of(65536, 8, 32);
    struct amodel_out free_choice = cost(f, &in);
    in.forced = true;
    in.org = free_choice.data.org;
    struct amodel_out forced = cost(f, &in);
    assert_int_equal(forced.n_data, 1);
    assert_true(forced.access_s == free_choice.access_s);
    assert_true(forced.area_um2 == free_choice.area_um2);
    assert_true(forced.leak_w == free_choice.leak_w);
}

static void tabulated_node_is_met_from_both_sides(void **state)
{
    struct fixture *f = *state;
    struct amodel_in in = cache_of(32768, 4, 45);
    double at = cost(f, &in).read_j;
    in.tech_nm = 46.001;
    double above = cost(f, &in).read_j;
    in.tech_nm = 43.999;
    double below = cost(f, &in).read_j;
    assert_true(below < at && at < above);
    assert_close(above, at, 0.1);
    assert_close(below, at, 0.1);
}

static void hotter_leaks_more_and_nothing_else_changes(void **state)
{
    struct fixture *f = *state;
    struct amodel_in in = cache_of(32768, 4, 45);
    double last = 0;
    for (in.temp_k = 300; in.temp_k <= 400; in.temp_k += 10) {
        struct amodel_out o = cost(f, &in);
        assert_true(o.leak_w > last);
        last = o.leak_w;
        assert_close(o.access_s, 0.379131e-9, 1e-5);
    }
}

static void same_request_same_bits(void **state)
{
    struct fixture *f = *state;
    struct amodel_in in = cache_of(131072, 8, 40);
    struct amodel_out a = cost(f, &in), b = cost(f, &in);
    assert_memory_equal(&a, &b, sizeof a);
}

/* ---- bad requests ---- */

static void refused(struct fixture *f, const struct amodel_in *in, const char *key,
                    const char *words)
{
    struct err err;
    err_init(&err);
    struct amodel_out out;
    assert_false(amodel_cost(in, &f->tables, AT_LINE("a.csv", 7), &f->mem, &out, &err));
    bool found = false;
    for (struct err_entry *e = err.first; e; e = e->next) {
        const char *text = err_entry_text(e, &f->mem);
        found |= strstr(text, "a.csv:7: ") && strstr(text, words) && (!key || strstr(text, key));
    }
    if (!found)
        print_error("got '%s', not '%s'\n", err_entry_text(err.first, &f->mem), words);
    assert_true(found);
    err_free(&err);
}

static void bad_requests_are_refused_with_the_reason(void **state)
{
    struct fixture *f = *state;
    const struct amodel_in ram = amodel_defaults(), cache = cache_of(32768, 4, 45),
                           fa = fa_of(24, 128, 45);
    struct amodel_in in;
#define REFUSED(base, field, value, key, words)                                                    \
    (in = (base), in.field = (value), refused(f, &in, key, words))
    REFUSED(ram, size_b, 0, "size_B", "0 is not in 1..");
    REFUSED(ram, size_b, -5, "size_B", "-5 is not in");
    REFUSED(ram, size_b, (int64_t)1 << 60, "size_B", "is not in");
    REFUSED(ram, size_b, 63, "size_B", "at least 64 bytes");
    REFUSED(ram, block_b, 0, "block_B", "0 is not in");
    REFUSED(ram, block_b, (int64_t)1 << 60, "block_B", "is not in");
    REFUSED(ram, out_bits, 0, "out_bits", "0 is not in");
    REFUSED(ram, out_bits, 256, "out_bits", "do not fit a block of 16 bytes");
    REFUSED(ram, rw, 0, "rw", "no port");
    REFUSED(ram, rw, -1, "rw", "-1 is not in");
    REFUSED(ram, rd, 65, "rd", "65 is not in 0..64");
    REFUSED(ram, se, 1, "se", "only 0 read ports");
    REFUSED(ram, assoc, 0, "assoc", "0 is not in 1..");
    REFUSED(ram, banks, 3, "banks", "3 is not a power of two");
    REFUSED(ram, banks, 0, "banks", "0 is not in");
    REFUSED(ram, temp_k, 345, "temp_K", "345 K is not in");
    REFUSED(ram, temp_k, 290, "temp_K", "290 K is not in");
    REFUSED(ram, tech_nm, 16, "tech_nm", "16 nm is not in 22..90");
    REFUSED(ram, tech_nm, 100, "tech_nm", "100 nm is not in");
    REFUSED(ram, tech_nm, 0, "tech_nm", "0 nm is not in");
    REFUSED(ram, tech_nm, NAN, "tech_nm", "is not in");
    REFUSED(ram, wire_out, ARRAY_LOCAL, "wire_out_mat", "cannot join mats");
    REFUSED(ram, tag_bits, (int64_t)1 << 60, "tag_bits", "is not in");
    REFUSED(ram, deviate[0], NAN, "deviate", "is not in");
    REFUSED(cache, assoc, 6, "assoc", "6 is not a power of two");
    REFUSED(cache, assoc, 256, "assoc", "no more than one set");
    REFUSED(cache, size_b, 2048, NULL, "no organisation");
    REFUSED(fa, search, 0, "search", "at least 1 search port");
    REFUSED(fa, assoc, 4, "assoc", "4 is not in 0..0");
    REFUSED(fa, data_cell, ARRAY_LSTP, "tag_cell", "one kind of device");
    REFUSED(fa, size_b, 128, NULL, "fewer than 2 entries");
    in = ram;
    in.size_b = 15 * 32;
    in.block_b = 32;
    in.out_bits = 256;
    refused(f, &in, NULL, "at least 16 rows");
    in = ram;
    in.forced = true;
    in.org = (struct amodel_org){1, 3, 1, 1, 1, 1};
    refused(f, &in, "forced_org", "3 is not a power of two");
    in.org = (struct amodel_org){1, 512, 512, 1, 1, 1};
    refused(f, &in, NULL, "forced organisation is not possible");
    in = cache;
    in.optimize = AMODEL_WEIGHTS;
    for (int i = 0; i < GOALS; i++) {
        in.weights[i] = 100;
        in.deviate[i] = 0;
    }
    refused(f, &in, NULL, "exclude every tag array");
}

/* The largest and oddest requests that pass the check: an answer or an error, nothing else. */
static void extreme_requests_are_answered_or_refused(void **state)
{
    struct fixture *f = *state;
    static const struct {
        enum amodel_type type;
        int64_t size, block, assoc, out, ports, search, banks, tag;
    } all[] = {
        {AMODEL_RAM, (int64_t)1 << 33, 1, 1, 1, 1, 0, 1, 0},
        {AMODEL_RAM, (int64_t)1 << 33, 1 << 16, 1, 8 << 16, 1, 0, 1, 0},
        {AMODEL_CACHE, (int64_t)1 << 33, 128, 1024, 1024, 1, 0, 1024, 4096},
        {AMODEL_CACHE, (int64_t)1 << 33, 1 << 16, 1, 1, 64, 0, 1, 1},
        {AMODEL_FA, (int64_t)1 << 33, 1, 0, 1, 1, 64, 1, 4096},
        {AMODEL_CAM, (int64_t)1 << 33, 1, 0, 1, 64, 64, 1024, 1},
        {AMODEL_FA, 64, 64, 0, 1, 1, 1, 1, 1},
        {AMODEL_CACHE, 64, 1, 64, 8, 1, 0, 1, 0},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct amodel_in in = amodel_defaults();
        in.type = all[i].type;
        in.size_b = all[i].size;
        in.block_b = all[i].block;
        in.assoc = all[i].assoc;
        in.out_bits = all[i].out;
        in.rw = in.rd = in.wr = all[i].ports;
        in.search = all[i].search;
        in.banks = all[i].banks;
        in.tag_bits = all[i].tag;
        in.ecc = i % 2;
        struct err err;
        struct amodel_out o;
        err_init(&err);
        if (amodel_cost(&in, &f->tables, NOWHERE, &f->mem, &o, &err))
            assert_true(o.area_um2 > 0 && isfinite(o.area_um2) && isfinite(o.access_s));
        else
            assert_true(err_any(&err));
        err_free(&err);
    }
}

static void technology_file_errors_name_the_line(void **state)
{
    struct fixture *f = *state;
    struct err err;
    struct array_tables t;
    err_init(&err);
    assert_false(array_tables_read("tests/data/cacti-bad-tech.cfg", &f->mem, &t, &err));
    assert_non_null(strstr(err_entry_text(err.first, &f->mem), "cacti-bad-tech.cfg:"));
    assert_false(array_tables_read("tests/data/no-such-file.cfg", &f->mem, &t, &err));
    err_free(&err);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ram_rows_come_out_as_cacti_prints_them),
        cmocka_unit_test(cache_rows_come_out_as_cacti_prints_them),
        cmocka_unit_test(associative_rows_come_out_as_cacti_prints_them),
        cmocka_unit_test(repeated_wires_come_out_as_cacti_prints_them),
        cmocka_unit_test(shapes_near_the_limits_come_out_as_cacti_prints_them),
        cmocka_unit_test(search_looks_at_every_organisation),
        cmocka_unit_test(merge_table_and_coalesced_cache_fit_a_cycle_of_1400_mhz),
        cmocka_unit_test(forcing_the_chosen_organisation_changes_nothing),
        cmocka_unit_test(tabulated_node_is_met_from_both_sides),
        cmocka_unit_test(hotter_leaks_more_and_nothing_else_changes),
        cmocka_unit_test(same_request_same_bits),
        cmocka_unit_test(bad_requests_are_refused_with_the_reason),
        cmocka_unit_test(extreme_requests_are_answered_or_refused),
        cmocka_unit_test(technology_file_errors_name_the_line),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
