/* SPDX-License-Identifier: MIT
 *
 * The logic model: cells, wires, sizing, routers, links. Values without a source are identities
 * and orderings that must hold whatever the technology is. */
#include "base/rng.h"
#include "energy/book/native.h"
#include "energy/logic/link_model.h"
#include "energy/logic/router_extras.h"
#include "energy/logic/router_model.h"
#include "energy/logic/signal.h"
#include "energy/logic/sizing.h"
#include "energy/logic/wire.h"
#include "gen/price/logic_row.h"
#include "tests/unit/defaults.h"
#include "tests/unit/test.h"

static struct logic_set set;

static int setup(void **state)
{
    (void)state;
    struct err err;
    err_init(&err);
    bool ok = logic_set_read(".", &set, &err);
    err_free(&err);
    return ok ? 0 : -1;
}

static const struct cell_lib *lib(const char *name)
{
    return &set.libs[logic_techs_named(&set.techs, name) - set.techs.at];
}

/* Sun et al. 2012 with the published technology files; printed by the original tool. */
static void smallest_cells_have_the_published_values(void **state)
{
    (void)state;
    const struct cell *inv = &lib("Bulk22LVT")->cells[CELL_INV][0];
    assert_close(inv->area, 0.16896e-12, 1e-9);
    assert_close(inv->pin_cap[PIN_A], 0.45257e-15, 1e-4);
    assert_close(inv->drive_r, 3241.5, 1e-4);
    assert_close(inv->leak_mean[LEAK_091], 120.57e-9, 1e-4);
    assert_close(inv->leak_mean[LEAK_2013], 60.428e-9, 1e-4);
    const struct cell *dff = &lib("TG11LVT")->cells[CELL_DFFQ][0];
    assert_close(dff->delay[PIN_CK], 26.806e-12, 1e-4);
    assert_close(dff->delay[PIN_D], 19e-12, 1e-4);
    assert_close(dff->leak_mean[LEAK_2013], 73.07e-9, 1e-4);
}

static void larger_cells_drive_harder_and_load_more(void **state)
{
    (void)state;
    for (size_t t = 0; t < set.techs.n; t++)
        for (int k = 0; k < CELL_KINDS; k++)
            for (size_t s = 1; s < set.libs[t].n_sizes; s++) {
                const struct cell *a = &set.libs[t].cells[k][s - 1], *b = a + 1;
                assert_true(b->drive_r < a->drive_r);
                assert_true(b->area >= a->area);
                for (unsigned p = 0; p < cell_pins((enum cell_kind)k); p++)
                    assert_true(b->pin_cap[p] >= a->pin_cap[p]);
            }
}

static void wider_spacing_lowers_capacitance_and_keeps_resistance(void **state)
{
    (void)state;
    const struct wire_layer *g = logic_tech_layer(lib("Bulk22LVT")->tech, "Global");
    struct wire_rc near = wire_rc(g, g->width, g->spacing);
    struct wire_rc far = wire_rc(g, g->width, 3 * g->spacing);
    assert_close(near.r, 513393, 1e-4);
    assert_close(near.c, 0.1457e-9, 1e-3);
    assert_true(far.c < near.c && far.r == near.r);
}

static void six_digits_are_those_of_the_text(void **state)
{
    (void)state;
    struct rng r;
    rng_seed(&r, 3, "digits", 0);
    for (int i = 0; i < 20000; i++) {
        double v = (rng_unit(&r) - 0.5) * pow(10, (double)rng_below(&r, 60) - 40);
        char text[32];
        snprintf(text, sizeof text, "%.6g", v);
        assert_true(round6(v) == strtod(text, NULL));
    }
    const double corners[] = {0, 1, 999999.4, 99999.95, 1e-17, 9.999995e-8, 1e5, 123456789, -1e-30};
    for (size_t i = 0; i < sizeof corners / sizeof corners[0]; i++) {
        char text[32];
        snprintf(text, sizeof text, "%.6g", corners[i]);
        assert_true(round6(corners[i]) == strtod(text, NULL));
    }
}

static void gates_keep_probabilities(void **state)
{
    (void)state;
    struct rng r;
    rng_seed(&r, 1, "signals", 0);
    for (int i = 0; i < 1000; i++) {
        struct signal s[3];
        for (int k = 0; k < 3; k++)
            s[k] = (struct signal){rng_unit(&r), rng_unit(&r), rng_unit(&r)};
        double a = signal_p1(s[0]), b = signal_p1(s[1]), c = signal_p1(s[2]);
        assert_close(signal_p1(signal_and(s[0], s[1])), a * b, 1e-9);
        assert_close(signal_p1(signal_or(s[0], s[1])), a + b - a * b, 1e-9);
        assert_close(signal_p1(signal_not(s[0])), 1 - a, 1e-9);
        assert_close(signal_p1(signal_mux(s[0], s[1], s[2])), (1 - c) * a + c * b, 1e-9);
    }
    assert_close(signal_sample(SIGNAL_RANDOM, 1).n01, 0.25, 1e-12);
    assert_close(signal_sample(SIGNAL_RANDOM, 0).n01 + 1, 1, 1e-12);
}

static struct router_result price(const struct cell_lib *l, struct router_point p)
{
    struct router_result r;
    router_model(l, &p, &r);
    return r;
}

/* One parameter up, nothing sized: nothing may become cheaper. */
static void routers_are_monotone_when_nothing_is_sized(void **state)
{
    (void)state;
    struct rng r;
    rng_seed(&r, 7, "routers", 0);
    for (int i = 0; i < 120; i++) {
        struct router_point p = router_point_default();
        p.mode = TIMING_NONE;
        p.n_in = 1 + rng_below(&r, 20);
        p.n_out = 1 + rng_below(&r, 20);
        p.flit_bits = 8 + rng_below(&r, 300);
        p.vcs = 1 + rng_below(&r, 8);
        p.bufs_per_vc = 1 + rng_below(&r, 8);
        const struct cell_lib *l = &set.libs[rng_below(&r, (uint32_t)set.techs.n)];
        double *fields[] = {&p.n_in, &p.n_out, &p.flit_bits, &p.vcs, &p.bufs_per_vc};
        struct router_result a = price(l, p);
        *fields[i % 5] += 1 + rng_below(&r, 4);
        struct router_result b = price(l, p);
        assert_true(b.area_total > a.area_total);
        assert_true(b.leak_total[LEAK_091] > a.leak_total[LEAK_091]);
        assert_true(b.leak_total[LEAK_2013] > a.leak_total[LEAK_2013]);
        assert_true(b.wire_intermediate >= a.wire_intermediate);
    }
}

static void parts_add_up_to_the_total(void **state)
{
    (void)state;
    struct router_point p = router_point_default();
    struct router_result r = price(lib("Bulk32LVT"), p);
    double area = 0, leak = 0;
    for (int i = 0; i < ROUTER_PARTS; i++) {
        area += r.area[i];
        leak += r.leak[LEAK_091][i];
    }
    assert_close(area, r.area_total, 1e-12);
    assert_close(leak, r.leak_total[LEAK_091], 1e-12);
}

static void sizing_again_gives_the_same_router(void **state)
{
    (void)state;
    struct arena mem;
    arena_init(&mem, NULL, NULL);
    struct router_point p = router_point_default();
    struct router_result a, b;
    struct router_model *m = router_model_new(&mem, lib("Bulk22LVT"), &p, NULL, 0);
    router_model_size(m, 3e9, TIMING_ALL);
    router_model_price(m, &a);
    router_model_size(m, 9e9, TIMING_ALL); /* fails, leaves large cells behind */
    router_model_size(m, 3e9, TIMING_ALL);
    router_model_price(m, &b);
    assert_memory_equal(&a.area, &b.area, sizeof a.area);
    assert_true(a.t_ck == b.t_ck && a.e_xbar == b.e_xbar);
    arena_free(&mem);
}

/* What holes leave out must be what a full extraction finds. */
static void incremental_timing_equals_a_full_extraction(void **state)
{
    (void)state;
    struct arena mem;
    arena_init(&mem, NULL, NULL);
    struct router_point p = router_point_default();
    struct router_model *m = router_model_new(&mem, lib("Bulk22LVT"), &p, NULL, 0);
    router_model_size(m, 3.5e9, TIMING_ALL);
    double kept = router_model_critical(m);
    router_model_forget(m);
    assert_true(router_model_critical(m) == kept);

    struct router_result a, b; /* nets of all entries of a buffer are wide */
    p.vcs = 13;
    p.bufs_per_vc = 11;
    m = router_model_new(&mem, lib("Bulk22LVT"), &p, NULL, 0);
    for (double f = 1.2e9; f < 4e9; f *= 1.3) {
        router_model_size(m, f, TIMING_CK);
        router_model_price(m, &a);
        router_model_forget(m);
        router_model_price(m, &b);
        assert_memory_equal(&a, &b, sizeof a);
    }
    arena_free(&mem);
}

/* The published 80x16 crossbar of 256 bits at 22 nm: sizing succeeds at 565 and fails at 581 MHz.
 */
static void the_largest_clock_of_an_80x16_crossbar(void **state)
{
    (void)state;
    struct arena mem;
    arena_init(&mem, NULL, NULL);
    struct router_point p = router_point_default();
    p.n_in = 80;
    p.n_out = 16;
    p.flit_bits = 256;
    struct router_model *m = router_model_new(&mem, lib("Bulk22LVT"), &p, NULL, 0);
    double all = router_model_fmax(m, TIMING_ALL, ROUTER_FMAX_TOLERANCE);
    double ck = router_model_fmax(m, TIMING_CK, ROUTER_FMAX_TOLERANCE);
    assert_true(all > 565e6 && all < 581e6);
    assert_true(ck > 1.62e9 && ck < 1.68e9);
    assert_true(router_model_size(m, all, TIMING_ALL));
    arena_free(&mem);
}

static void links_meet_what_they_say_they_meet(void **state)
{
    (void)state;
    for (double mm = 0; mm < 20; mm += 0.7) {
        struct link_point p = link_point_default();
        struct link_result r;
        p.length = mm * 1e-3;
        link_model(lib("Bulk22LVT"), &p, &r);
        if (mm > 0)
            assert_true(r.met == (r.delay <= p.delay));
        assert_true(r.best_delay <= r.delay);
        if (!r.met)
            assert_true(r.best_delay > p.delay);
        /* at its best delay it must succeed, just below it must not */
        p.delay = r.best_delay * 1.0001;
        link_model(lib("Bulk22LVT"), &p, &r);
        assert_true(r.met);
    }
}

static void a_node_between_two_lies_between_them(void **state)
{
    (void)state;
    struct err err;
    err_init(&err);
    struct logic_tech tech;
    struct cell_lib mid;
    assert_true(logic_techs_node(&set.techs, 28, &tech, &err));
    cell_lib_make(&tech, &mid);
    struct router_point p = router_point_default();
    p.mode = TIMING_NONE;
    struct router_result a = price(lib("Bulk32LVT"), p), b = price(&mid, p),
                         c = price(lib("Bulk22LVT"), p);
    assert_true(a.area_total > b.area_total && b.area_total > c.area_total);
    assert_true(a.e_write > b.e_write && b.e_write > c.e_write);
    assert_false(logic_techs_node(&set.techs, 65, &tech, &err));
    assert_false(logic_techs_node(&set.techs, 7, &tech, &err));
    assert_false(logic_techs_node(&set.techs, NAN, &tech, &err));
    assert_int_equal(err.n_errors, 3);
    err_free(&err);
}

static void impossible_routers_are_refused_by_name(void **state)
{
    (void)state;
    struct err err;
    err_init(&err);
    struct router_point p = router_point_default();
    p.n_in = 0;
    p.n_out = 1e9;
    p.freq = NAN;
    p.vcs = -1;
    p.flit_bits = 12.5;
    p.clk_layer = "Globl";
    assert_false(router_point_check(&p, lib("Bulk45LVT")->tech, NOWHERE, &err));
    assert_int_equal(err.n_errors, 6);
    assert_string_equal(err.first->at.key, "n_in");
    assert_string_equal(err.first->text, "0 is not in 1..512");
    assert_non_null(strstr(err.last->text, "did you mean 'Global'?"));
    err_free(&err);
}

static void every_legal_corner_answers(void **state)
{
    (void)state;
    const double ports[] = {1, 2, 3, 64}, bits[] = {8, 2048}, vcs[] = {1, 64};
    for (int i = 0; i < 4; i++)
        for (int o = 0; o < 4; o++)
            for (int b = 0; b < 2; b++)
                for (int v = 0; v < 2; v++) {
                    struct router_point p = router_point_default();
                    p.n_in = ports[i];
                    p.n_out = ports[o];
                    p.flit_bits = bits[b];
                    p.vcs = vcs[v];
                    p.bufs_per_vc = v == 0 ? 1 : 3;
                    struct router_result r = price(lib("TG11LVT"), p);
                    assert_true(isfinite(r.area_total) && r.area_total > 0);
                    assert_true(isfinite(r.leak_total[0]) && r.leak_total[0] > 0);
                    assert_true(isfinite(r.e_xbar) && r.e_xbar > 0 && r.t_ck > 0);
                }
}

static void the_papers_additions_grow_with_their_size(void **state)
{
    (void)state;
    const struct cell_lib *l = lib("Bulk22LVT");
    struct extra_cost a = extra_rr_unit(l, ARBITER_MATRIX_CELLS, 10, 3),
                      b = extra_rr_unit(l, ARBITER_MATRIX_CELLS, 24, 3);
    assert_true(b.area > a.area && b.energy > a.energy);
    assert_close(extra_rr_unit(l, ARBITER_MATRIX_CELLS, 10, 6).area, 2 * a.area, 1e-12);
    a = extra_merge_table(l, 8, 64, 32);
    b = extra_merge_table(l, 16, 64, 32);
    assert_true(b.area > 1.9 * a.area && b.leak[0] > a.leak[0] && b.energy > a.energy);
    assert_true(extra_merge_table(l, 8, 128, 32).area > a.area);
    assert_close(b.search, 2 * a.search, 1e-12); /* every row is compared */
    assert_true(a.search > 0 && extra_merge_table(l, 8, 64, 16).search < a.search);
    assert_true(extra_merge_table(l, 8, 128, 32).energy > 1.5 * a.energy);
    a = extra_grant_holder(l, 5, 5);
    assert_close(extra_grant_holder(l, 5, 10).area, 2 * a.area, 1e-12);
    /* small against the router they belong to */
    assert_true(a.area < 0.01 * price(l, router_point_default()).area_total);
}

static void the_engine_prices_what_the_model_says(void **state)
{
    (void)state;
    struct arena mem;
    struct err err;
    arena_init(&mem, NULL, NULL);
    err_init(&err);
    struct tech_params tech = arch_defaults().tech;
    tech.leakage = LEAK_2013;
    tech.timing_mode = TIMING_CK;
    tech.arbiters = ARBITER_MATRIX_CELLS;
    tech.data_dir = ".";
    struct engine_ctx ctx = {.tech = &tech, .logic_techs = &set.techs, .mem = &mem};
    struct router_spec spec = {
        .inputs = 5, .outputs = 5, .flit_bits = 128, .vcs = 4, .vc_depth = 4, .clock_ghz = 1};
    struct cost c;
    const struct engine *native = &engine_native;
    assert_true(native->cost_router(&ctx, &spec, &c, &err));
    struct router_point p = router_point_default();
    p.mode = TIMING_CK;
    struct router_result r = price(lib("Bulk22LVT"), p);
    assert_close(cost_area_um2(&c), r.area_total * 1e12, 1e-12);
    assert_close(cost_leakage_w(&c), r.leak_total[LEAK_2013], 1e-12);
    assert_close(c.energy_pj[EV_XBAR], r.e_xbar * 1e12, 1e-12);
    assert_true(c.meets_timing && c.fmax_ghz > 5);
    assert_non_null(strstr(c.technology, "leakage 2013"));

    struct cost again; /* at another clock fmax need not be looked for */
    spec.known_fmax_ghz = c.fmax_ghz;
    assert_true(native->cost_router(&ctx, &spec, &again, &err));
    assert_true(again.fmax_ghz == c.fmax_ghz && again.delay_ns == c.delay_ns);
    assert_memory_equal(again.area_um2, c.area_um2, sizeof c.area_um2);
    assert_memory_equal(again.energy_pj, c.energy_pj, sizeof c.energy_pj);
    spec.known_fmax_ghz = 0;

    spec.rr_unit_ports = 3;
    struct cost with;
    assert_true(native->cost_router(&ctx, &spec, &with, &err));
    assert_true(with.area_um2[PART_OTHER] > 0 && c.area_um2[PART_OTHER] == 0);
    assert_true(with.energy_pj[EV_VC_ALLOC] > 0);

    /* a link that one cycle cannot cross is cut into stages that can */
    struct link_spec link = {.width_bits = 64, .length_mm = 12.3, .delay_ns = 1};
    struct cost l1, l2;
    assert_true(native->cost_link(&ctx, &link, &l1, &err));
    assert_true(l1.meets_timing && l1.delay_ns <= 1);
    link.length_mm = 60;
    assert_true(native->cost_link(&ctx, &link, &l2, &err));
    assert_true(l2.meets_timing && l2.delay_ns > 1 && l2.delay_ns < 10);
    assert_close(l2.wire_area_um2, l1.wire_area_um2 * 60 / 12.3, 1e-6);

    spec.inputs = 0;
    assert_false(native->cost_router(&ctx, &spec, &with, &err));
    arena_free(&mem);
    err_free(&err);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(smallest_cells_have_the_published_values),
        cmocka_unit_test(larger_cells_drive_harder_and_load_more),
        cmocka_unit_test(wider_spacing_lowers_capacitance_and_keeps_resistance),
        cmocka_unit_test(six_digits_are_those_of_the_text),
        cmocka_unit_test(gates_keep_probabilities),
        cmocka_unit_test(routers_are_monotone_when_nothing_is_sized),
        cmocka_unit_test(parts_add_up_to_the_total),
        cmocka_unit_test(sizing_again_gives_the_same_router),
        cmocka_unit_test(incremental_timing_equals_a_full_extraction),
        cmocka_unit_test(the_largest_clock_of_an_80x16_crossbar),
        cmocka_unit_test(links_meet_what_they_say_they_meet),
        cmocka_unit_test(a_node_between_two_lies_between_them),
        cmocka_unit_test(impossible_routers_are_refused_by_name),
        cmocka_unit_test(every_legal_corner_answers),
        cmocka_unit_test(the_papers_additions_grow_with_their_size),
        cmocka_unit_test(the_engine_prices_what_the_model_says),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
