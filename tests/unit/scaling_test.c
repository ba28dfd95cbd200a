/* SPDX-License-Identifier: MIT
 *
 * Scaling of prices: the identity where they are known, monotone in node, supply, clock and
 * temperature, and readers that refuse values without source or range. */
#include "tests/unit/test.h"

#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "energy/scaling.h"
#include "energy/vf_curve.h"
#include "gen/config/read_tech.h"
#include "gen/config/tiles.h"
#include "gen/run/dvfs.h"

struct shipped {
    struct arena mem;
    struct err err;
    struct tech_scaling s;
};

static void read_shipped(struct shipped *x)
{
    arena_init(&x->mem, NULL, NULL);
    err_init(&x->err);
    assert_true(scaling_read("cfg/tech/scaling.csv", &x->mem, &x->s, &x->err));
}

static void free_shipped(struct shipped *x)
{
    err_free(&x->err);
    arena_free(&x->mem);
}

static void nothing_changes_at_home(void **state)
{
    (void)state;
    struct shipped x;
    read_shipped(&x);
    for (int q = 0; q < SCALING_QUANTITY_COUNT; q++)
        for (double nm = 3; nm <= 45; nm += 0.5) {
            assert_true(scaling_ratio(&x.s, q, nm, nm) == 1);
            assert_true(scaling_spread(&x.s, q, nm, nm) == 1);
        }
    for (double nm = 3; nm <= 45; nm += 3) {
        assert_true(scaling_volt_delay(&x.s, nm, 1) == 1);
        assert_close(scaling_volt_leakage(&x.s, nm, 1), 1, 1e-12);
        assert_true(scaling_heat(&x.s, nm, 340, 340) == 1);
    }
    assert_true(scaling_volt_dynamic(1) == 1);
    free_shipped(&x);
}

static void finer_nodes_never_cost_more(void **state)
{
    (void)state;
    static const enum scaling_quantity falling[] = {SCALE_energy,   SCALE_delay,
                                                    SCALE_leakage,  SCALE_area_logic,
                                                    SCALE_sram_um2, SCALE_area_analogue};
    struct shipped x;
    read_shipped(&x);
    for (size_t i = 0; i < sizeof falling / sizeof *falling; i++) {
        double before = INFINITY, spread = 1;
        for (double nm = 45; nm >= 3; nm -= 0.25) {
            double now = scaling_at(&x.s, falling[i], nm);
            double open = scaling_spread(&x.s, falling[i], 45, nm);
            assert_true(now <= before && open >= spread);
            before = now;
            spread = open;
        }
        assert_true(spread > 1.05);
    }
    /* SRAM stops at 5 nm, pins hardly scale */
    assert_true(scaling_ratio(&x.s, SCALE_sram_um2, 5, 3) > 0.9);
    assert_true(scaling_ratio(&x.s, SCALE_area_analogue, 12, 5) >
                2 * scaling_ratio(&x.s, SCALE_area_logic, 12, 5));
    free_shipped(&x);
}

/* Steps add in quadrature, forth and back alike. */
static void doubt_grows_with_the_way(void **state)
{
    (void)state;
    struct shipped x;
    read_shipped(&x);
    double a = log(scaling_spread(&x.s, SCALE_energy, 12, 7)),
           b = log(scaling_spread(&x.s, SCALE_energy, 7, 3)),
           both = log(scaling_spread(&x.s, SCALE_energy, 12, 3));
    assert_close(both * both, a * a + b * b, 1e-9);
    assert_close(scaling_spread(&x.s, SCALE_energy, 3, 12), exp(both), 1e-12);
    assert_close(scaling_ratio(&x.s, SCALE_energy, 12, 7) * scaling_ratio(&x.s, SCALE_energy, 7, 3),
                 scaling_ratio(&x.s, SCALE_energy, 12, 3), 1e-12);
    free_shipped(&x);
}

static void supply_and_heat_act_as_they_must(void **state)
{
    (void)state;
    struct shipped x;
    read_shipped(&x);
    for (double nm = 3; nm <= 45; nm += 6) {
        double delay = INFINITY, leakage = 0;
        for (double r = 0.6; r <= 1.3; r += 0.05) {
            double d = scaling_volt_delay(&x.s, nm, r), l = scaling_volt_leakage(&x.s, nm, r);
            assert_true(d < delay && l > leakage);
            assert_close(scaling_volt_for_delay(&x.s, nm, d), r, 1e-6);
            delay = d;
            leakage = l;
        }
        assert_true(isinf(scaling_volt_delay(&x.s, nm, 0.1)));
        assert_close(scaling_heat(&x.s, nm, 340, 440), 10, 1e-9); /* 100 K a decade */
    }
    assert_close(scaling_volt_dynamic(0.5), 0.25, 1e-12);
    free_shipped(&x);
}

static void a_faster_clock_needs_no_less_supply(void **state)
{
    (void)state;
    struct arena mem;
    struct err err;
    struct vf_curves curves;
    struct vf_curve c;
    arena_init(&mem, NULL, NULL);
    err_init(&err);
    assert_true(vf_curves_read("cfg/tech/vf-curves.csv", &mem, &curves, &err));
    assert_false(vf_curve_find(&curves, 45, &c));
    assert_true(vf_curve_find(&curves, 12, &c));
    assert_close(vf_curve_volt(&c, 0.1), c.at[0].volt, 0); /* a floor */
    assert_close(vf_curve_volt(&c, c.at[1].ghz), c.at[1].volt, 1e-12);
    double before = 0;
    for (double f = 0.1; f < 1.92; f += 0.01) {
        double v = vf_curve_volt(&c, f);
        assert_true(v >= before);
        before = v;
    }
    assert_true(isnan(vf_curve_volt(&c, 2.5)));
    err_free(&err);
    arena_free(&mem);
}

static void tiles_go_by_what_they_are_made_of(void **state)
{
    (void)state;
    struct shipped x;
    struct tile_table t;
    read_shipped(&x);
    assert_true(tiles_read(".", &x.mem, &t, &x.err));
    for (int k = 0; k < TILES; k++) /* a chip's own node */
        for (size_t i = 0; i < t.n[k]; i++)
            assert_close(tile_at(&t, &x.s, (enum tile)k, t.at[k][i].node_nm), t.at[k][i].mm2,
                         1e-12);
    double sm = tile_at(&t, &x.s, TILE_SM, 3) / tile_at(&t, &x.s, TILE_SM, 7),
           mc = tile_at(&t, &x.s, TILE_MC, 3) / tile_at(&t, &x.s, TILE_MC, 7);
    assert_true(sm < mc && mc < 1);
    free_shipped(&x);
}

/* Each tile at nodes that no photograph has, worked out by hand from GA100's at 7 nm and GF100's at
 * 40: logic 0.066 to 0.040 at 5 nm (0.034 at 3, 1 for 0.77 at 45), SRAM cells 0.027 to 0.021 um2
 * (0.0199; 0.346 for 0.242), analogue 0.58 to 0.48 (0.44; 1 for 0.97), each by its share:
 *   SM at 5 nm    3.75 (0.92 x 0.60606 + 0.08 x 0.77778) = 2.3242
 *   PHYs at 5 nm  0.117 (0.36 x 0.60606 + 0.64 x 0.82759) = 0.087497
 * and between two photographs by the logarithm: SM at 8 nm 3.75 (5.3 / 3.75)^0.24774 = 4.0856. */
static void tiles_at_other_nodes_by_hand(void **state)
{
    (void)state;
    static const struct {
        enum tile tile;
        double nm, mm2;
    } by_hand[] = {
        {TILE_SM, 5, 2.3242},      {TILE_SM, 3, 1.9984},   {TILE_SM, 45, 22.256},
        {TILE_SM, 8, 4.0856},      {TILE_LLC, 5, 1.57117}, {TILE_LLC, 3, 1.36562},
        {TILE_LLC, 45, 29.2966},   {TILE_MC, 5, 0.087497}, {TILE_MC, 3, 0.078504},
        {TILE_MC, 45, 0.683159},   {TILE_NOC, 5, 0.36},    {TILE_NOC, 45, 3.87013},
        {TILE_OTHER, 5, 41.56414},
    };
    struct shipped x;
    struct tile_table t;
    read_shipped(&x);
    assert_true(tiles_read(".", &x.mem, &t, &x.err));
    for (size_t i = 0; i < sizeof by_hand / sizeof *by_hand; i++)
        assert_close(tile_at(&t, &x.s, by_hand[i].tile, by_hand[i].nm) / by_hand[i].mm2, 1, 1e-4);
    /* what the step leaves open, each part's by its area: logic x/: 1.104, cells 1.054, analogue
     * 1.159; the SM (0.5576 x 1.104 + 0.0622 x 1.054) / 0.6198 */
    assert_close(tile_spread(&t, &x.s, TILE_SM, 5), 1.099, 1e-3);
    assert_close(tile_spread(&t, &x.s, TILE_MC, 5), 1.143, 1e-3);
    assert_true(tile_spread(&t, &x.s, TILE_SM, 7) == 1 && tile_spread(&t, &x.s, TILE_SM, 12) == 1);
    assert_true(tile_spread(&t, &x.s, TILE_SM, 10) < tile_spread(&t, &x.s, TILE_SM, 3));
    free_shipped(&x);
}

/* Areas beside what chips have: transistors per mm2 of whole GPUs within 15 % (GF100 5.7 M; GM200
 * 13.3, GP102 25.1, GV100 25.9, GA100 65.6, GH100 98.3), published SRAM cells within 3 %. */
static void areas_are_those_of_chips(void **state)
{
    (void)state;
    static const double dies[][2] = {{28, 13.3}, {16, 25.1}, {12, 25.9}, {7, 65.6}, {5, 98.3}};
    static const double cells[][2] = {{45, 0.346}, {32, 0.171}, {28, 0.127}, {22, 0.092},
                                      {10, 0.042}, {7, 0.027},  {5, 0.021},  {3, 0.0199}};
    struct shipped x;
    read_shipped(&x);
    for (size_t i = 0; i < sizeof dies / sizeof *dies; i++)
        assert_close(5.7 / dies[i][1] / scaling_ratio(&x.s, SCALE_area_logic, 40, dies[i][0]), 1,
                     0.15);
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        assert_close(scaling_at(&x.s, SCALE_sram_um2, cells[i][0]) / cells[i][1], 1, 0.03);
    free_shipped(&x);
}

/* ---- readers ---- */

enum reader { SCALING, CURVES, LOGIC };

static bool reads(enum reader reader, const char *text, const char *complaint)
{
    struct arena mem;
    struct err err;
    char path[] = "/tmp/crosswatt-scaling-XXXXXX";
    struct tech_scaling s;
    struct vf_curves c;
    struct logic_tech t;
    int fd = mkstemp(path);
    assert_true(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    close(fd);
    arena_init(&mem, NULL, NULL);
    err_init(&err);
    bool ok = reader == SCALING  ? scaling_read(path, &mem, &s, &err)
              : reader == CURVES ? vf_curves_read(path, &mem, &c, &err)
                                 : logic_tech_read(path, &t, &err);
    bool said = false;
    for (const struct err_entry *e = err.first; e; e = e->next)
        said |= complaint && strstr(e->text, complaint) && e->at.line > 0;
    assert_true(ok == (complaint == NULL) && (ok || said));
    unlink(path);
    err_free(&err);
    arena_free(&mem);
    return ok;
}

static void a_value_needs_source_and_range(void **state)
{
    (void)state;
#define HEAD "node_nm,quantity,value,low,high,grade,source\n"
    reads(SCALING, HEAD "45,energy,1,1,1,A,\n", "no source");
    reads(SCALING, HEAD "45,energy,1,2,3,A,me\n", "not in its range");
    reads(SCALING, HEAD "45,energy,1,1,1,E,me\n", "not A, B, C or D");
    reads(SCALING, HEAD "45,colour,1,1,1,A,me\n", "unknown quantity");
    reads(SCALING, HEAD "45,energy,1,1,1,A,me\n65,energy,1,1,1,A,me\n", "falling order");
    reads(SCALING, "node_nm,quantity,value,grade,source\n45,energy,1,A,me\n", "has no column");
#undef HEAD
#define HEAD "node_nm,ghz,volt,low,high,grade,source\n"
    reads(CURVES, HEAD "12,1,0.8,0.8,0.8,C,me\n12,1.5,1,1,1,C,me\n", NULL);
    reads(CURVES, HEAD "12,1,0.8,0.8,0.8,C,\n", "source");
    reads(CURVES, HEAD "12,1,0.8,0.9,1,C,me\n", "range");
    reads(CURVES, HEAD "12,1,0.8,0.8,0.8,C,me\n12,1.5,0.7,0.7,0.7,C,me\n", "not fall");
    reads(CURVES, HEAD "12,1,0.8,0.8,0.8,C,me\n7,1,1,1,1,C,me\n12,2,1,1,1,C,me\n", "two places");
#undef HEAD
}

static const char *changed(const char *from, const char *to, struct arena *mem, struct err *err)
{
    char *text;
    size_t n;
    assert_true(file_read("cfg/tech/finfet-7.cfg", 1 << 20, mem, &text, &n, err));
    const char *at = strstr(text, from);
    assert_non_null(at);
    return arena_printf(mem, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

static void a_technology_needs_source_and_range(void **state)
{
    (void)state;
    struct arena mem;
    struct err err;
    arena_init(&mem, NULL, NULL);
    err_init(&err);
    reads(LOGIC, changed("FinFET7\";", "Mine\";", &mem, &err), NULL);
    reads(LOGIC,
          changed("grade = \"A\"; source = \"Nik", "grade = \"A\"; sorce = \"Nik", &mem, &err),
          "no source");
    reads(LOGIC, changed("{ value = 0.75; low = 0.7;", "{ value = 0.75; low = 0.8;", &mem, &err),
          "in its range");
    reads(LOGIC,
          changed("value = 0.75; low = 0.7; high = 0.75; grade = \"A\"",
                  "value = 0.75; low = 0.7; high = 0.75; grade = \"Q\"", &mem, &err),
          "not A, B, C or D");
    const char *plain = changed("vdd_v = {", "vdd_v = 0.75; other = {", &mem, &err);
    reads(LOGIC, plain, "no source and range");
    err_free(&err);
    arena_free(&mem);
}

/* FinFETs fill what DSENT leaves out: every step is faster and takes less. */
static void a_family_gets_faster(void **state)
{
    (void)state;
    struct arena mem;
    struct err err;
    arena_init(&mem, NULL, NULL);
    err_init(&err);
    struct logic_techs *f = arena_new(&mem, struct logic_techs);
    assert_true(logic_techs_read(".", LOGIC_finfet, f, &err));
    assert_true(f->n == 4 && f->at[0].node_nm == 16 && f->at[3].node_nm == 3);
    for (size_t i = 1; i < f->n; i++) {
        const struct logic_tech *a = &f->at[i - 1], *b = &f->at[i];
        assert_true(b->nmos.resistance * b->gate_cap < a->nmos.resistance * a->gate_cap);
        assert_true(b->gate_cap * b->vdd * b->vdd < a->gate_cap * a->vdd * a->vdd);
    }
    err_free(&err);
    arena_free(&mem);
}

static void ranges_of_clocks(void **state)
{
    (void)state;
    struct err err;
    struct dvfs_range r;
    static const char *const bad[] = {
        "",       "1",       "1:2",      "1:2:",  "2:1:0.1",  "1:2:0",
        "1:2:-1", "0:1:0.1", "1:20:0.1", "1:2:x", "1:2:1e-9", "nan:1:1"};
    err_init(&err);
    assert_true(dvfs_parse("0.7:1.4:0.1", &r, &err));
    assert_true(r.low_ghz == 0.7 && r.high_ghz == 1.4 && r.step_ghz == 0.1);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(dvfs_parse(bad[i], &r, &err));
    err_free(&err);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_changes_at_home),
        cmocka_unit_test(finer_nodes_never_cost_more),
        cmocka_unit_test(doubt_grows_with_the_way),
        cmocka_unit_test(supply_and_heat_act_as_they_must),
        cmocka_unit_test(a_faster_clock_needs_no_less_supply),
        cmocka_unit_test(tiles_go_by_what_they_are_made_of),
        cmocka_unit_test(tiles_at_other_nodes_by_hand),
        cmocka_unit_test(areas_are_those_of_chips),
        cmocka_unit_test(a_value_needs_source_and_range),
        cmocka_unit_test(a_technology_needs_source_and_range),
        cmocka_unit_test(a_family_gets_faster),
        cmocka_unit_test(ranges_of_clocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
