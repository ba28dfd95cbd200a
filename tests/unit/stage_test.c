/* SPDX-License-Identifier: MIT
 *
 * Timing mode stage: paths of gates and wires, the stages of a router, round-robin trees. Nothing
 * here is a published number: identities and orderings that must hold whatever the technology. */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "energy/logic/path.h"
#include "energy/logic/router_parts.h"
#include "energy/logic/stage_model.h"
#include "energy/logic/stage_paths.h"
#include "gen/price/logic_row.h"
#include "tests/unit/test.h"

static struct logic_set set;
static struct arena mem;

static int setup(void **state)
{
    (void)state;
    struct err err;
    err_init(&err);
    arena_init(&mem, NULL, NULL);
    bool ok = logic_set_read(".", &set, &err);
    err_free(&err);
    return ok ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    arena_free(&mem);
    return 0;
}

static const struct cell_lib *lib22(void)
{
    return &set.libs[logic_techs_named(&set.techs, "Bulk22LVT") - set.techs.at];
}

static const struct wire_layer *layer22(void)
{
    return logic_tech_layer(lib22()->tech, "Intermediate");
}

static struct path *new_path(void)
{
    struct path *p = arena_new(&mem, struct path);
    path_begin(p, lib22(), layer22());
    path_add(p, CELL_DFFQ, PIN_CK, 1);
    return p;
}

static struct router_point point(double in, double out, double bits, double vcs)
{
    struct router_point p = router_point_default();
    p.n_in = in;
    p.n_out = out;
    p.flit_bits = bits;
    p.vcs = vcs;
    p.arbiters = ARBITER_TREE_CELLS;
    return p;
}

static struct stage_timing timing_of(struct router_point p, uint32_t traversal)
{
    struct stage_options o = {.skew = 0.1};
    struct stage_model *m = stage_model_new(&mem, lib22(), &p, &o);
    return stage_model_timing(m, (struct stage_plan){traversal, 1});
}

/* ---- paths ---- */

static void fastest_sizes_are_those_of_all_combinations(void **state)
{
    (void)state;
    struct path *p = new_path();
    path_add(p, CELL_NAND2, PIN_A, 5)->wire = 40e-6;
    path_add(p, CELL_INV, PIN_A, 12)->side_cap = 3e-15;
    path_add(p, CELL_MUX2, PIN_S, 1);
    double found = path_fastest(p), least = INFINITY;
    size_t n = lib22()->n_sizes;
    for (size_t i = 0; i < n * n * n * n; i++) {
        size_t x = i;
        for (int k = 0; k < 4; k++, x /= n)
            p->size[k] = (uint8_t)(x % n);
        least = fmin(least, path_delay(p));
    }
    assert_close(found, least, 1e-12);
}

/* What hangs on a line grows with the gates that it belongs to; a given size stays; a price of area
 * is weighed with every copy, also of gates that another path pays for. */
static void sizes_answer_for_what_they_load(void **state)
{
    (void)state;
    struct path *p = new_path();
    path_add(p, CELL_INV, PIN_A, 1)->copies = 10;
    path_add_line(p, 50e-6, 15, 0);
    struct path_gate *point = path_add(p, CELL_MUX2, PIN_A, 1);
    point->copies = 100;
    point->elsewhere = true;
    path_add_line(p, 50e-6, 0, 31);
    path_add(p, CELL_INV, PIN_A, 1)->copies = 5;
    p->gates[3].is_given = true;
    p->gates[3].given = 4;
    const double price = 0.01 * path_fastest(p) / (100 * lib22()->cells[CELL_MUX2][0].area);
    for (int k = 0; k < 2; k++) {
        double least = INFINITY, found = path_trade(p, k * price);
        uint8_t chosen[4];
        memcpy(chosen, p->size, sizeof chosen);
        assert_int_equal(chosen[3], 4);
        size_t n = lib22()->n_sizes;
        for (size_t i = 0; i < n * n * n; i++) {
            double area = 0;
            p->size[0] = (uint8_t)(i % n);
            p->size[1] = (uint8_t)(i / n % n);
            p->size[2] = (uint8_t)(i / n / n);
            for (int g = 0; g < 4; g++)
                area += p->gates[g].copies * lib22()->cells[p->gates[g].kind][p->size[g]].area;
            least = fmin(least, path_delay(p) + k * price * area);
        }
        memcpy(p->size, chosen, sizeof chosen);
        for (int g = 0; g < 4; g++)
            found +=
                k * price * p->gates[g].copies * lib22()->cells[p->gates[g].kind][p->size[g]].area;
        assert_close(found, least, 1e-12);
    }
    /* the crosspoints are not priced here, but their outputs are loads */
    struct path *q = new_path();
    path_add(q, CELL_MUX2, PIN_A, 1);
    path_add_line(q, 0, 0, 1);
    path_add(q, CELL_INV, PIN_A, 1);
    const struct cell *mux = lib22()->cells[CELL_MUX2];
    double pin = lib22()->cells[CELL_INV][0].pin_cap[PIN_A];
    for (uint8_t size = 0; size < 4; size++) {
        q->size[1] = size;
        q->size[2] = 0;
        assert_close(path_gate_delay(q, 1),
                     mux[size].delay[PIN_A] + 0.693 * mux[size].drive_r * (mux[size].out_cap + pin),
                     1e-12);
    }
}

static void less_time_needs_more_area(void **state)
{
    (void)state;
    struct path *p = new_path();
    for (int i = 0; i < 12; i++) {
        struct path_gate *g = path_add(p, i % 2 ? CELL_NAND2 : CELL_NOR2, PIN_A, 3);
        g->copies = 1 + i;
        g->wire = 20e-6;
    }
    double fastest = path_fastest(p), before = 0;
    for (double slack = 1.0; slack < 2.5; slack += 0.1) {
        double budget = fastest * slack, took = path_within(p, budget);
        assert_true(took <= budget * (1 + 1e-9));
        double area = path_price(p).area;
        assert_true(before == 0 || area <= before * (1 + 1e-9));
        before = area;
    }
    /* what cannot be met is as fast as it goes */
    assert_close(path_within(p, fastest / 2), fastest, 1e-9);
}

static void repeated_wires_are_linear_and_lines_are_not(void **state)
{
    (void)state;
    double repeated[3], line[3];
    for (int i = 0; i < 3; i++) {
        double length = 1e-3 * (1 << i);
        struct path *p = new_path(), *q = new_path();
        path_add(p, CELL_INV, PIN_A, 1);
        path_add_wire(p, length, 0, 1, 1);
        path_add(q, CELL_INV, PIN_A, 1);
        path_add_line(q, length, 0, 0);
        repeated[i] = path_fastest(p);
        line[i] = path_fastest(q);
        assert_true(repeated[i] <= line[i]);
    }
    assert_true(repeated[2] - repeated[1] < 2.2 * (repeated[1] - repeated[0]));
    assert_true(line[2] - line[1] > 3 * (line[1] - line[0]));
}

static void trees_grow_with_the_logarithm(void **state)
{
    (void)state;
    double d[4];
    for (int i = 0; i < 4; i++) {
        struct path *p = new_path();
        path_add_tree(p, pow(16, i + 1), 1, 1);
        path_add(p, CELL_MUX2, PIN_S, 1);
        d[i] = path_fastest(p);
    }
    for (int i = 1; i < 4; i++)
        assert_true(d[i] > d[i - 1]);
    assert_true(d[3] - d[2] < 1.3 * (d[2] - d[1]));
}

/* ---- arbiters ---- */

static void counted_arbiters_are_the_built_ones(void **state)
{
    (void)state;
    for (int kind = 0; kind < ARBITER_KIND_COUNT; kind++)
        for (uint32_t n = 1; n <= 33; n += n < 6 ? 1 : 9) {
            struct netlist nl;
            nl_init(&nl, &mem, lib22());
            struct gate_build b = {&nl, NL_NONE};
            uint32_t requests[33];
            for (uint32_t i = 0; i < n; i++)
                requests[i] = nl_net(&nl);
            struct cell_range r = part_arbiters[kind](&b, n, requests);
            nl_freeze(&nl);
            double built = nl_sum(&nl, r.first, r.n).area;
            double counted = stage_arbiter_area(lib22(), (enum arbiter_kind)kind, n);
            assert_true(fabs(built - counted) <= 1e-9 * built);
        }
}

/* A tree in gates: for every state of its flip-flops and every set of requests exactly one of
 * them is granted, and one that waits is served within n grants. */
struct rr_sim {
    struct netlist nl;
    uint32_t n, requests[8];
    struct cell_range cells;
    bool *value; /* [net] */
};

static bool pin(const struct rr_sim *s, uint32_t cell, unsigned p)
{
    return s->value[s->nl.cells.at[cell].in[p]];
}

static void settle(struct rr_sim *s)
{
    for (int round = 0; round < 16; round++)
        for (uint32_t c = s->cells.first; c < s->cells.first + s->cells.n; c++) {
            bool y;
            switch (s->nl.cells.at[c].kind) {
            case CELL_INV: y = !pin(s, c, PIN_A); break;
            case CELL_AND2: y = pin(s, c, PIN_A) && pin(s, c, PIN_B); break;
            case CELL_OR2: y = pin(s, c, PIN_A) || pin(s, c, PIN_B); break;
            case CELL_MUX2: y = pin(s, c, PIN_S) ? pin(s, c, PIN_B) : pin(s, c, PIN_A); break;
            default: continue;
            }
            s->value[nl_out(&s->nl, c)] = y;
        }
}

/* Grants of leaves: AND2 outputs that drive no further AND2. */
static uint32_t grants_of(const struct rr_sim *s)
{
    uint32_t n = 0;
    for (uint32_t c = s->cells.first; c < s->cells.first + s->cells.n; c++) {
        if (s->nl.cells.at[c].kind != CELL_AND2)
            continue;
        const struct nl_net *net = &s->nl.nets.at[nl_out(&s->nl, c)];
        bool leaf = true;
        for (uint32_t e = 0; e < net->n; e++)
            leaf &= s->nl.cells.at[s->nl.edges[net->first + e].to].kind != CELL_AND2 &&
                    s->nl.cells.at[s->nl.edges[net->first + e].to].kind != CELL_INV;
        n += leaf && s->value[nl_out(&s->nl, c)];
    }
    return n;
}

static void clock_edge(struct rr_sim *s)
{
    bool next[64];
    uint32_t k = 0;
    for (uint32_t c = s->cells.first; c < s->cells.first + s->cells.n; c++)
        if (s->nl.cells.at[c].kind == CELL_DFFQ)
            next[k++] = pin(s, c, PIN_D);
    k = 0;
    for (uint32_t c = s->cells.first; c < s->cells.first + s->cells.n; c++)
        if (s->nl.cells.at[c].kind == CELL_DFFQ)
            s->value[nl_out(&s->nl, c)] = next[k++];
}

static void a_tree_grants_exactly_one_request(void **state)
{
    (void)state;
    for (uint32_t n = 2; n <= 8; n++) {
        struct rr_sim s = {.n = n};
        nl_init(&s.nl, &mem, lib22());
        struct gate_build b = {&s.nl, NL_NONE};
        for (uint32_t i = 0; i < n; i++)
            s.requests[i] = nl_net(&s.nl);
        s.cells = part_tree_arbiter(&b, n, s.requests);
        nl_freeze(&s.nl);
        s.value = arena_many(&mem, bool, s.nl.nets.n);
        memset(s.value, 0, s.nl.nets.n);
        for (uint32_t step = 0; step < 4u << n; step++) {
            uint32_t mask = (step * 2654435761u >> 16) & ((1u << n) - 1);
            for (uint32_t i = 0; i < n; i++)
                s.value[s.requests[i]] = mask >> i & 1;
            settle(&s);
            assert_int_equal(grants_of(&s), mask ? 1 : 0);
            clock_edge(&s);
        }
    }
}

static void trees_are_linear_and_matrices_quadratic(void **state)
{
    (void)state;
    double t = stage_arbiter_area(lib22(), ARBITER_TREE_CELLS, 129) /
               stage_arbiter_area(lib22(), ARBITER_TREE_CELLS, 65);
    double m = stage_arbiter_area(lib22(), ARBITER_MATRIX_CELLS, 128) /
               stage_arbiter_area(lib22(), ARBITER_MATRIX_CELLS, 64);
    assert_close(t, 2, 1e-9);
    assert_true(m > 3.9 && m < 4.1);
}

/* ---- stages ---- */

static void more_of_anything_is_never_faster(void **state)
{
    (void)state;
    static const double sizes[][4] = {{5, 5, 64, 2},     {10, 10, 64, 2},  {10, 10, 256, 2},
                                      {40, 10, 256, 2},  {40, 40, 256, 2}, {40, 40, 256, 8},
                                      {160, 40, 256, 8}, {160, 40, 512, 8}};
    double before = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct stage_timing t =
            timing_of(point(sizes[i][0], sizes[i][1], sizes[i][2], sizes[i][3]), 1);
        double period = 1 / stage_fmax(&t);
        assert_true(period >= before * 0.999);
        before = period;
    }
}

static void allocators_do_not_know_the_width(void **state)
{
    (void)state;
    struct stage_timing a = timing_of(point(24, 16, 64, 4), 1),
                        b = timing_of(point(24, 16, 512, 4), 1);
    assert_close(a.delay[STAGE_SW_ALLOC], b.delay[STAGE_SW_ALLOC], 1e-12);
    assert_close(a.delay[STAGE_VC_ALLOC], b.delay[STAGE_VC_ALLOC], 1e-12);
    assert_true(b.delay[STAGE_TRAVERSAL] > a.delay[STAGE_TRAVERSAL]);
}

/* Without wires everything is resistance of gates: twice that is twice the delay. Skew is a share
 * of the period. */
static void margin_and_skew_are_what_they_say(void **state)
{
    (void)state;
    struct logic_tech slow = logic_tech_slower(lib22()->tech, 2);
    struct cell_lib *slow_lib = arena_new(&mem, struct cell_lib);
    cell_lib_make(&slow, slow_lib);
    struct router_point p = point(24, 16, 256, 4);
    struct stage_options bare = {.no_wires = true}, skewed = {.no_wires = true, .skew = 0.2};
    struct stage_plan plan = {1, 1};
    struct stage_timing a = stage_model_timing(stage_model_new(&mem, lib22(), &p, &bare), plan);
    struct stage_timing b = stage_model_timing(stage_model_new(&mem, slow_lib, &p, &bare), plan);
    struct stage_timing c = stage_model_timing(stage_model_new(&mem, lib22(), &p, &skewed), plan);
    for (int i = 0; i < ROUTER_STAGES; i++) {
        assert_close(b.delay[i], 2 * a.delay[i], 1e-9);
        assert_close(c.period[i], a.period[i] / 0.8, 1e-9);
    }
    assert_close(b.fo4, 2 * a.fo4, 1e-9);
}

/* Gates that are enlarged make the switch larger: a switch of the area of its smallest cells would
 * be faster than one that has room for the cells that it needs. */
static void large_gates_need_room(void **state)
{
    (void)state;
    struct router_point p = point(64, 64, 64, 1);
    struct stage_options free = {0};
    struct stage_shape s = stage_shape_of(lib22(), &p, &free);
    double least = s.across * s.down;
    assert_true(least >= s.least[BLOCK_SWITCH]);
    stage_shape_place(&s, BLOCK_SWITCH, 4 * s.least[BLOCK_SWITCH]);
    assert_close(s.across * s.down, 4 * s.least[BLOCK_SWITCH] / 0.7, 1e-9);
    struct stage_options cramped = {.switch_area = least}, roomy = {.switch_area = 20 * least};
    struct stage_plan plan = {1, 1};
    double d[3];
    const struct stage_options *o[3] = {&cramped, &free, &roomy};
    for (int i = 0; i < 3; i++)
        d[i] = stage_model_timing(stage_model_new(&mem, lib22(), &p, o[i]), plan)
                   .delay[STAGE_TRAVERSAL];
    assert_true(d[0] < d[1] && d[1] < d[2]);
    /* pricing at some clock leaves the clock as it was */
    struct stage_model *m = stage_model_new(&mem, lib22(), &p, &free);
    struct router_result r;
    stage_model_price(m, 0.2e9, plan, &r);
    assert_close(stage_model_timing(m, plan).delay[STAGE_TRAVERSAL], d[1], 1e-12);
}

/* One cycle for request, grant and data takes longer than either of its parts. */
static void a_single_cycle_holds_all(void **state)
{
    (void)state;
    struct router_point p = point(16, 32, 45, 1);
    struct stage_options o = {0};
    struct stage_model *m = stage_model_new(&mem, lib22(), &p, &o);
    struct stage_timing t = stage_model_timing(m, (struct stage_plan){1, 1});
    assert_true(stage_model_single_cycle(m) > t.delay[STAGE_TRAVERSAL]);
    p.n_out = 64; /* more banks: more to decode, and further */
    struct stage_model *wider = stage_model_new(&mem, lib22(), &p, &o);
    assert_true(stage_model_single_cycle(wider) > stage_model_single_cycle(m));
}

static void traversal_is_cut_and_allocation_is_not(void **state)
{
    (void)state;
    double before = INFINITY, alloc = 0;
    for (uint32_t k = 1; k <= 4; k++) {
        struct stage_timing t = timing_of(point(80, 16, 256, 4), k);
        assert_true(t.period[STAGE_TRAVERSAL] < before);
        assert_true(t.period[STAGE_TRAVERSAL] * 0.9 >= t.delay[STAGE_TRAVERSAL] / k);
        before = t.period[STAGE_TRAVERSAL];
        assert_true(alloc == 0 || alloc == t.period[STAGE_VC_ALLOC]);
        alloc = t.period[STAGE_VC_ALLOC];
    }
}

static void the_plan_meets_the_clock_where_it_can(void **state)
{
    (void)state;
    struct router_point p = point(80, 16, 256, 4);
    struct stage_options o = {.skew = 0.1};
    struct stage_model *m = stage_model_new(&mem, lib22(), &p, &o);
    struct stage_timing one = stage_model_timing(m, (struct stage_plan){1, 1});
    double loop = fmax(one.period[STAGE_VC_ALLOC], one.period[STAGE_SW_ALLOC]);
    for (double f = 0.2e9; f < 1 / loop; f *= 1.5) {
        struct stage_plan plan = stage_model_plan(m, f, 0, false);
        struct stage_timing t = stage_model_timing(m, plan);
        assert_true(stage_fmax(&t) >= f * 0.999);
        if (plan.traversal > 1) { /* and not with fewer */
            plan.traversal--;
            t = stage_model_timing(m, plan);
            assert_true(stage_fmax(&t) < f);
        }
    }
    double fast = 1.2 / loop; /* too fast for allocation in one cycle */
    assert_int_equal(stage_model_plan(m, fast, 0, false).alloc, 1);
    assert_int_equal(stage_model_plan(m, fast, 0, true).alloc, 2);
    assert_int_equal(stage_model_plan(m, fast, 3, true).traversal, 3);
    struct stage_timing two = stage_model_timing(m, stage_model_plan(m, fast, 0, true));
    assert_close(two.period[STAGE_VC_ALLOC], one.period[STAGE_VC_ALLOC] / 2, 1e-12);
}

static void what_is_added_has_a_price(void **state)
{
    (void)state;
    struct router_point p = point(80, 16, 256, 4), q = p;
    q.arbiters = ARBITER_MATRIX_CELLS;
    struct stage_options o = {.skew = 0.1}, bare = {.skew = 0.1, .no_wires = true};
    struct stage_model *m = stage_model_new(&mem, lib22(), &p, &o);
    struct router_result one, four, plain, matrix, dsent;
    stage_model_price(m, 0.5e9, (struct stage_plan){1, 1}, &one);
    stage_model_price(m, 0.5e9, (struct stage_plan){4, 1}, &four);
    stage_model_price(stage_model_new(&mem, lib22(), &p, &bare), 0.5e9, (struct stage_plan){1, 1},
                      &plain);
    stage_model_price(stage_model_new(&mem, lib22(), &q, &o), 0.5e9, (struct stage_plan){1, 1},
                      &matrix);
    q.mode = TIMING_NONE;
    router_model(lib22(), &q, &dsent);
    assert_true(four.leak[0][ROUTER_XBAR] > one.leak[0][ROUTER_XBAR]); /* registers */
    assert_true(four.e_xbar > one.e_xbar);
    assert_true(one.e_xbar > plain.e_xbar); /* wires */
    assert_true(one.e_vc_alloc > 0 && dsent.e_vc_alloc == 0);
    assert_true(matrix.area[ROUTER_SWALLOC] > 5 * one.area[ROUTER_SWALLOC]);
    assert_true(matrix.area[ROUTER_SWALLOC] > dsent.area[ROUTER_SWALLOC]);
    /* the rest is DSENT's */
    assert_close(one.area[ROUTER_PIPE0], dsent.area[ROUTER_PIPE0], 1e-12);
    assert_close(one.e_write, dsent.e_write, 1e-12);
    double sum = 0;
    for (int i = 0; i < ROUTER_PARTS; i++)
        sum += one.area[i];
    assert_close(one.area_total, sum, 1e-12);
}

static void a_faster_clock_costs_more(void **state)
{
    (void)state;
    struct router_point p = point(24, 16, 256, 4);
    struct stage_options o = {.skew = 0.1};
    struct stage_model *m = stage_model_new(&mem, lib22(), &p, &o);
    struct stage_timing t = stage_model_timing(m, (struct stage_plan){1, 1});
    double before = 0;
    for (double share = 0.2; share <= 1.01; share += 0.2) {
        struct router_result r;
        stage_model_price(m, share * stage_fmax(&t), (struct stage_plan){1, 1}, &r);
        assert_true(r.met);
        assert_true(r.leak_total[0] >= before);
        before = r.leak_total[0];
    }
    struct router_result r;
    stage_model_price(m, 1.1 * stage_fmax(&t), (struct stage_plan){1, 1}, &r);
    assert_false(r.met);
}

static void lines_are_slow_where_they_are_long(void **state)
{
    (void)state;
    struct router_point small = point(8, 8, 32, 1), big = point(64, 64, 128, 1);
    double muxes[2] = {timing_of(small, 1).delay[STAGE_TRAVERSAL],
                       timing_of(big, 1).delay[STAGE_TRAVERSAL]};
    small.switches = big.switches = SWITCH_LINES;
    assert_true(timing_of(small, 1).delay[STAGE_TRAVERSAL] < muxes[0]);
    assert_true(timing_of(big, 1).delay[STAGE_TRAVERSAL] > muxes[1]);
}

/* The ends of what is legal: nothing overflows, everything is finite. */
static void every_legal_router_has_a_clock_and_a_price(void **state)
{
    (void)state;
    static const double n[] = {1, 2, 3, 512};
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 4; j++)
            for (int bits = 8; bits <= 2048; bits += 2040)
                for (int vcs = 1; vcs <= 64; vcs += 63) {
                    struct arena_mark mark = arena_mark(&mem);
                    struct router_point p = point(n[i], n[j], bits, vcs);
                    struct stage_options o = {.skew = 0.1};
                    p.bufs_per_vc = 1;
                    struct stage_model *m = stage_model_new(&mem, lib22(), &p, &o);
                    struct stage_plan plan = stage_model_plan(m, 1e9, 0, true);
                    struct stage_timing t = stage_model_timing(m, plan);
                    assert_true(isfinite(stage_fmax(&t)) && stage_fmax(&t) > 1e6);
                    assert_true(stage_model_single_cycle(m) > 0);
                    if (n[i] + n[j] < 100) {
                        struct router_result r;
                        stage_model_price(m, 1e9, plan, &r);
                        assert_true(isfinite(r.area_total) && r.area_total > 0);
                        assert_true(isfinite(r.e_xbar) && r.e_xbar > 0);
                    }
                    arena_rewind(&mem, mark);
                }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fastest_sizes_are_those_of_all_combinations),
        cmocka_unit_test(sizes_answer_for_what_they_load),
        cmocka_unit_test(less_time_needs_more_area),
        cmocka_unit_test(repeated_wires_are_linear_and_lines_are_not),
        cmocka_unit_test(trees_grow_with_the_logarithm),
        cmocka_unit_test(counted_arbiters_are_the_built_ones),
        cmocka_unit_test(a_tree_grants_exactly_one_request),
        cmocka_unit_test(trees_are_linear_and_matrices_quadratic),
        cmocka_unit_test(more_of_anything_is_never_faster),
        cmocka_unit_test(allocators_do_not_know_the_width),
        cmocka_unit_test(margin_and_skew_are_what_they_say),
        cmocka_unit_test(large_gates_need_room),
        cmocka_unit_test(a_single_cycle_holds_all),
        cmocka_unit_test(traversal_is_cut_and_allocation_is_not),
        cmocka_unit_test(the_plan_meets_the_clock_where_it_can),
        cmocka_unit_test(what_is_added_has_a_price),
        cmocka_unit_test(a_faster_clock_costs_more),
        cmocka_unit_test(lines_are_slow_where_they_are_long),
        cmocka_unit_test(every_legal_router_has_a_clock_and_a_price),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
