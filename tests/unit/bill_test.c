/* SPDX-License-Identifier: MIT
 *
 * The network's bill: identities that must hold for every design of cfg/paper/cdxbar. */
#include "gen/config/read.h"
#include "gen/price/bill.h"
#include "tests/unit/test.h"

struct fixture {
    struct arena mem;
    struct err err;
    struct arch arch;
    struct design design;
    struct priced priced;
};

static void make(struct fixture *f, const char *file, const char *const *sets, size_t n_sets)
{
    arena_init(&f->mem, NULL, NULL);
    err_init(&f->err);
    struct read_request r = {.file = file, .sets = sets, .n_sets = n_sets, .data_dir = "."};
    assert_true(arch_read(&r, &f->mem, &f->arch, &f->err));
    assert_true(design_make(&f->arch, false, &f->mem, &f->design, &f->err));
    assert_true(bill_price(&f->design, ".", &f->mem, &f->priced, &f->err));
}

static void end(struct fixture *f)
{
    arena_free(&f->mem);
    err_free(&f->err);
}

static struct bill bill_of(struct fixture *f, double rate, bool same, enum bill_activity activity)
{
    struct bill b;
    struct bill_options o = {rate, same, activity, 4000};
    assert_true(bill_make(&f->priced, &o, &b, &f->err));
    return b;
}

static const char *const files[] = {
    "cfg/paper/cdxbar/80-crossbar.cfg", "cfg/paper/cdxbar/80-mesh.cfg",
    "cfg/paper/cdxbar/80-clos.cfg",     "cfg/paper/cdxbar/80-butterfly.cfg",
    "cfg/paper/cdxbar/80-cdxbar.cfg",   "cfg/paper/cdxbar/56-smesh.cfg"};

static void power_follows_the_rate_and_networks_add_up(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        static struct fixture f;
        make(&f, files[i], NULL, 0);
        for (int a = 0; a < BILL_SIMULATED; a++) {
            struct bill one = bill_of(&f, 0.1, false, (enum bill_activity)a);
            struct bill two = bill_of(&f, 0.2, false, (enum bill_activity)a);
            struct bill none = bill_of(&f, 0, false, (enum bill_activity)a);
            const struct bill_net *s = &one.nets[BILL_SUM];
            double clock = s->dynamic_w[BILL_CLOCK];
            assert_close(bill_dynamic_w(&two.nets[BILL_SUM]) - clock,
                         2 * (bill_dynamic_w(s) - clock), 1e-9);
            assert_close(bill_dynamic_w(&none.nets[BILL_SUM]), clock, 1e-12);
            assert_close(bill_dynamic_w(&one.nets[0]) + bill_dynamic_w(&one.nets[1]),
                         bill_dynamic_w(s), 1e-12);
            assert_close(bill_active_mm2(&one.nets[0]) + bill_active_mm2(&one.nets[1]),
                         bill_active_mm2(s), 1e-12);
        }
        end(&f);
    }
}

static void a_flit_passes_as_many_routers_as_the_graph_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        static struct fixture f;
        make(&f, files[i], NULL, 0);
        struct bill b = bill_of(&f, 0.1, false, BILL_ROUTED);
        assert_close(b.nets[BILL_REQUEST].mean_routers, f.design.request_facts.mean_hops, 1e-6);
        assert_close(b.nets[BILL_REPLY].mean_routers, f.design.reply_facts.mean_hops, 1e-6);
        end(&f);
    }
}

static void meshes_flow_over_two_thirds_of_their_width(void **state)
{
    (void)state;
    static struct fixture f;
    make(&f, "cfg/paper/cdxbar/80-mesh.cfg", NULL, 0);
    struct bill b = bill_of(&f, 0.1, false, BILL_FLOW);
    assert_close(b.nets[BILL_REQUEST].mean_routers, 20.0 / 3 + 1, 1e-9);
    end(&f);
}

static void as_many_replies_as_requests_cost_more_than_a_rate_per_slice(void **state)
{
    (void)state;
    static struct fixture f;
    make(&f, "cfg/paper/cdxbar/80-cdxbar.cfg", NULL, 0);
    struct bill node = bill_of(&f, 0.1, false, BILL_FLOW);
    struct bill same = bill_of(&f, 0.1, true, BILL_FLOW);
    assert_close(node.nets[BILL_REPLY].flits, 1.6, 1e-9);
    assert_close(same.nets[BILL_REPLY].flits, 8, 1e-9);
    assert_close(same.nets[BILL_REPLY].dynamic_w[BILL_LINKS],
                 5 * node.nets[BILL_REPLY].dynamic_w[BILL_LINKS], 1e-9);
    assert_close(same.nets[BILL_REQUEST].dynamic_w[BILL_LINKS],
                 node.nets[BILL_REQUEST].dynamic_w[BILL_LINKS], 1e-12);
    end(&f);
}

/* At a low load nothing waits: what the simulator counts is what the routes say. */
static void simulated_activity_agrees_with_the_routes_at_low_load(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        static struct fixture f;
        make(&f, files[i], NULL, 0);
        struct bill routed = bill_of(&f, 0.05, true, BILL_ROUTED);
        struct bill counted = bill_of(&f, 0.05, true, BILL_SIMULATED);
        for (int n = 0; n < BILL_NETS; n++) {
            const struct bill_net *a = &routed.nets[n], *b = &counted.nets[n];
            assert_close(a->flits, b->flits, 0.03);
            assert_close(a->mean_routers, b->mean_routers, 0.03);
            assert_close(a->dynamic_w[BILL_BUFFER], b->dynamic_w[BILL_BUFFER], 0.04);
            assert_close(a->dynamic_w[BILL_CROSSBAR], b->dynamic_w[BILL_CROSSBAR], 0.04);
            assert_close(a->dynamic_w[BILL_LINKS], b->dynamic_w[BILL_LINKS], 0.04);
            assert_true(b->dynamic_w[BILL_ALLOCATOR] > 0.95 * a->dynamic_w[BILL_ALLOCATOR]);
        }
        end(&f);
    }
}

/* Numbers printed in the CD-Xbar paper, section 3.6. */
static void published_crossbars_scale_as_the_paper_says(void **state)
{
    (void)state;
    assert_close(bill_scaled_mhz(&bill_published[0], 80, 256, 22), 613.6, 1e-3);
    assert_close(bill_scaled_mhz(&bill_published[1], 80, 256, 22), 872.7, 1e-3);
}

static void the_slowest_router_sets_the_clock_unless_told_otherwise(void **state)
{
    (void)state;
    static struct fixture f;
    make(&f, "cfg/paper/cdxbar/80-crossbar.cfg", NULL, 0);
    struct bill b = bill_of(&f, 0.1, false, BILL_FLOW);
    assert_true(f.priced.clock.clock_ghz > 0.565 && f.priced.clock.clock_ghz < 0.581);
    assert_true(b.meets_timing);
    assert_int_equal(bill_slowest(&f.priced)->router.inputs, 80);
    end(&f);
    static const char *const sets[] = {"noc.clock_limit=\"none\""};
    make(&f, "cfg/paper/cdxbar/80-crossbar.cfg", sets, 1);
    b = bill_of(&f, 0.1, false, BILL_FLOW);
    assert_close(f.priced.clock.clock_ghz, 1.4, 1e-12);
    assert_false(b.meets_timing);
    end(&f);
}

static void additions_are_in_no_sum(void **state)
{
    (void)state;
    static struct fixture f;
    make(&f, "cfg/paper/packet/merge.cfg", NULL, 0);
    struct bill b = bill_of(&f, 0.1, false, BILL_FLOW);
    const struct bill_net *n = &b.nets[BILL_REQUEST];
    assert_true(n->area_mm2[PART_OTHER] > 0 && n->leakage_w[PART_OTHER] > 0 && n->additions_w > 0);
    assert_close(bill_active_mm2(n), bill_active_mm2(&b.nets[BILL_REPLY]), 1e-9);
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(power_follows_the_rate_and_networks_add_up),
        cmocka_unit_test(a_flit_passes_as_many_routers_as_the_graph_says),
        cmocka_unit_test(meshes_flow_over_two_thirds_of_their_width),
        cmocka_unit_test(as_many_replies_as_requests_cost_more_than_a_rate_per_slice),
        cmocka_unit_test(simulated_activity_agrees_with_the_routes_at_low_load),
        cmocka_unit_test(published_crossbars_scale_as_the_paper_says),
        cmocka_unit_test(the_slowest_router_sets_the_clock_unless_told_otherwise),
        cmocka_unit_test(additions_are_in_no_sum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
