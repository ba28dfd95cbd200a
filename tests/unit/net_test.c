/* SPDX-License-Identifier: MIT */
#include "tests/unit/noc_fixture.h"

#include "base/buf.h"
#include "gen/net/booksim_files.h"
#include "noc/topology/plain.h"
#include "sim/net/net.h"
#include "sim/traffic/traffic.h"
#include "tests/unit/defaults.h"

/* A router as it is by default: four stages of one cycle. */
static struct router_params four_stages;
static struct packet_merge_params merge_defaults;

static int set_up_defaults(void **state)
{
    (void)state;
    four_stages = arch_defaults().noc[0].router;
    merge_defaults = arch_defaults().noc[0].merge;
    return 0;
}

static struct net *make(const struct noc *noc, const struct net_params *params, struct arena *mem)
{
    struct err err;
    err_init(&err);
    struct net *net = net_new(noc, params, mem, &err);
    print_errors(&err);
    err_free(&err);
    assert_non_null(net);
    return net;
}

/* ---- zero load ------------------------------------------------------------------------------- */

/* One packet alone: injection wire, then in each router routing, two allocations and the switch,
 * and its wire; the tail follows the head by one cycle for each flit. */
static void check_pairs_with(const struct noc *noc, uint16_t wire, uint16_t flits, uint8_t extra,
                             bool general, struct arena *mem)
{
    uint16_t *cycles = arena_many(mem, uint16_t, noc->n_channels);
    uint8_t *more = arena_many(mem, uint8_t, noc->n_channels);
    for (uint32_t i = 0; i < noc->n_channels; i++) {
        cycles[i] = wire;
        more[i] = extra;
    }
    struct net_params p = {.router = &four_stages,
                           .channel_cycles = cycles,
                           .traversal_extra = extra ? more : NULL,
                           .general = general,
                           .verify = true};
    struct net *net = make(noc, &p, mem);
    for (uint32_t s = 0; s < noc->n_endpoints; s++)
        for (uint32_t d = 0; d < noc->n_endpoints; d++) {
            bool plain = noc->endpoints[s].kind == NOC_EP_NODE;
            if (noc->endpoints[s].inject == NOC_NONE || noc->endpoints[d].eject == NOC_NONE ||
                (!plain && noc->endpoints[s].kind == noc->endpoints[d].kind))
                continue;
            bool is_reply = noc->endpoints[s].kind == NOC_EP_LLC;
            struct net_packet packet = {.src = s,
                                        .dst = d,
                                        .flits = flits,
                                        .cls = noc_first_class(noc, s, d, is_reply),
                                        .tag = s * 1000 + d,
                                        .created = net_cycle(net)};
            assert_true(net_inject(net, &packet));
            size_t n = 0;
            const struct net_delivery *const *list = NULL;
            for (int i = 0; i < 2000 && !n; i++) {
                bool ok = net_step(net);
                if (!ok) {
                    struct buf b;
                    buf_init(&b, mem, 4096);
                    net_problem(net, &b);
                    print_error("%s: %s\n", noc->topology, b.data);
                }
                assert_true(ok);
                list = net_delivered(net, &n);
            }
            assert_int_equal(n, 1);
            assert_int_equal(list[0]->tag, packet.tag);
            assert_true(list[0]->hops >= 1);
            assert_int_equal(list[0]->arrived - list[0]->created,
                             wire + 1 + list[0]->hops * (4u + extra + wire) + flits - 1u);
        }
    assert_true(net_is_idle(net));
}

static void check_pairs(const struct noc *noc, uint16_t wire, uint16_t flits, struct arena *mem)
{
    check_pairs_with(noc, wire, flits, 0, false, mem);
}

/* A switch that takes three cycles is two later for each router, and no less often. */
static void a_pipelined_switch_adds_its_cycles_and_takes_no_bandwidth(void **state)
{
    (void)state;
    struct arena mem;
    struct noc noc;
    struct noc_facts facts;
    struct noc_params p = params_of("mesh", 20, 16);
    p.vc_depth = 16;
    arena_init(&mem, NULL, NULL);
    assert_true(build(&p, NOC_REQUEST, &mem, &noc, &facts));
    for (int general = 0; general < 2; general++)
        check_pairs_with(&noc, 2, 5, 2, general, &mem);
    uint8_t *more = arena_many(&mem, uint8_t, noc.n_channels);
    memset(more, 2, noc.n_channels);
    uint64_t taken[2];
    for (int k = 0; k < 2; k++) { /* one source, back to back: a flit a cycle but for turnarounds */
        struct net_params q = {
            .router = &four_stages, .traversal_extra = k ? more : NULL, .source_depth = 400};
        struct net *net = make(&noc, &q, &mem);
        for (uint32_t i = 0; i < 300; i++) {
            struct net_packet packet = {.src = 0, .dst = noc.n_sm_ports, .flits = 1, .tag = i};
            packet.cls = noc_first_class(&noc, packet.src, packet.dst, false);
            assert_true(net_inject(net, &packet));
        }
        while (!net_is_idle(net))
            assert_true(net_step(net));
        taken[k] = net_cycle(net);
    }
    assert_true(taken[1] > taken[0]);
    assert_true(taken[1] - taken[0] < 60);
    arena_free(&mem);
}

/* Two cycles of allocation, given by the timing or by the router's own key, are the same. */
static void allocation_in_two_cycles_is_that_of_the_key(void **state)
{
    (void)state;
    struct arena mem;
    struct noc noc;
    struct noc_facts facts;
    struct noc_params p = params_of("crossbar", 20, 16);
    arena_init(&mem, NULL, NULL);
    assert_true(build(&p, NOC_REQUEST, &mem, &noc, &facts));
    struct router_params slow = four_stages;
    slow.extra_alloc = 1;
    uint64_t taken[3];
    for (int k = 0; k < 3; k++) {
        struct net_params q = {
            .router = k == 1 ? &slow : &four_stages, .extra_alloc = k == 2, .source_depth = 400};
        struct net *net = make(&noc, &q, &mem);
        for (uint32_t i = 0; i < 300; i++) {
            struct net_packet packet = {.src = 0, .dst = noc.n_sm_ports, .flits = 1, .tag = i};
            packet.cls = noc_first_class(&noc, packet.src, packet.dst, false);
            assert_true(net_inject(net, &packet));
        }
        while (!net_is_idle(net))
            assert_true(net_step(net));
        taken[k] = net_cycle(net);
    }
    assert_int_equal(taken[1], taken[2]);
    assert_true(taken[1] > taken[0] + 200);
    arena_free(&mem);
}

static void zero_load_latency_is_the_sum_for_every_pair_of_every_topology(void **state)
{
    (void)state;
    for (const struct topology *const *t = noc_topologies; *t; t++) {
        if (!strcmp((*t)->name, "custom") || (*t)->is_one_way) /* those: net_taps_test.c */
            continue;
        for (int dir = NOC_REQUEST; dir <= NOC_REPLY; dir++) {
            struct arena mem;
            struct noc noc;
            struct noc_facts facts;
            struct noc_params p = params_of((*t)->name, 20, 16);
            p.vc_depth = 8;
            arena_init(&mem, NULL, NULL);
            assert_true(build(&p, (enum noc_dir)dir, &mem, &noc, &facts));
            check_pairs(&noc, 1, 1, &mem);
            check_pairs(&noc, 1, 5, &mem);
            arena_free(&mem);
        }
    }
}

typedef bool plain_build(const struct noc_plain *, struct arena *, struct noc *, const uint16_t **,
                         struct err *);

static const struct {
    plain_build *build;
    uint32_t k, n;
} plains[] = {{noc_plain_mesh, 4, 2},    {noc_plain_mesh, 5, 1},   {noc_plain_cmesh, 2, 2},
              {noc_plain_fly, 3, 2},     {noc_plain_fly, 2, 3},    {noc_plain_fly, 9, 1},
              {noc_plain_fattree, 3, 2}, {noc_plain_fattree, 2, 3}};
#define N_PLAINS (sizeof plains / sizeof *plains)

static void build_plain(size_t i, uint32_t vcs, uint32_t depth, struct arena *mem, struct noc *noc)
{
    struct noc_plain p = {.k = plains[i].k,
                          .n = plains[i].n,
                          .vcs = vcs,
                          .vc_depth = depth,
                          .width_bits = 128,
                          .classes = 1};
    const uint16_t *cycles;
    struct err err;
    err_init(&err);
    assert_true(plains[i].build(&p, mem, noc, &cycles, &err));
    struct noc_facts facts;
    assert_true(noc_check(noc, false, mem, &facts, &err));
    print_errors(&err);
    err_free(&err);
}

static void zero_load_latency_is_the_sum_for_every_pair_of_plain_networks(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_PLAINS; i++) {
        struct arena mem;
        struct noc noc;
        arena_init(&mem, NULL, NULL);
        build_plain(i, 2, 16, &mem, &noc);
        check_pairs(&noc, 1, 1, &mem);
        check_pairs(&noc, 3, 9, &mem);
        arena_free(&mem);
    }
}

/* ---- the same bits --------------------------------------------------------------------------- */

static struct traffic_result run_load(const struct noc *noc, const struct net_params *np,
                                      uint64_t shuffle, double rate, uint16_t flits,
                                      uint64_t cycles)
{
    struct arena mem;
    struct err err;
    struct traffic_result r;
    arena_init(&mem, NULL, NULL);
    err_init(&err);
    struct net *net = make(noc, np, &mem);
    if (shuffle)
        net_shuffle(net, shuffle);
    struct traffic_params tp = {.nodes = noc->n_endpoints,
                                .pattern = TRAFFIC_UNIFORM,
                                .rate = rate,
                                .sizes = &flits,
                                .n_sizes = 1,
                                .seed = 3};
    struct traffic *t = traffic_new(&net, 1, &tp, &mem, &err);
    assert_non_null(t);
    bool ok = traffic_run_cycles(t, 0, cycles, &r, &err);
    print_errors(&err);
    assert_true(ok);
    err_free(&err);
    arena_free(&mem);
    return r;
}

static void shuffled_order_and_general_method_change_no_bit(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_PLAINS; i++)
        for (int lookahead = 0; lookahead < 2; lookahead++) {
            struct arena mem;
            struct noc noc;
            struct router_params r = four_stages;
            arena_init(&mem, NULL, NULL);
            build_plain(i, 3, 4, &mem, &noc);
            r.lookahead = lookahead;
            struct net_params p = {.router = &r};
            struct traffic_result a = run_load(&noc, &p, 0, 0.3, 2, 600);
            struct traffic_result b = run_load(&noc, &p, 99, 0.3, 2, 600);
            p.general = true;
            struct traffic_result c = run_load(&noc, &p, 0, 0.3, 2, 600);
            struct traffic_result d = run_load(&noc, &p, 5, 0.3, 2, 600);
            assert_true(a.packets > 0);
            assert_memory_equal(&a, &b, sizeof a);
            assert_memory_equal(&a, &c, sizeof a);
            assert_memory_equal(&a, &d, sizeof a);
            arena_free(&mem);
        }
}

static void wide_routers_and_many_vcs_agree_with_the_general_method(void **state)
{
    (void)state;
    static const struct {
        uint32_t ports, vcs;
    } shapes[] = {{130, 2}, {16, 64}, {65, 1}, {70, 5}};
    for (size_t i = 0; i < 4; i++) {
        struct arena mem;
        struct noc noc;
        struct err err;
        const uint16_t *cycles;
        struct noc_plain plain = {.k = shapes[i].ports,
                                  .n = 1,
                                  .vcs = shapes[i].vcs,
                                  .vc_depth = 3,
                                  .width_bits = 128,
                                  .classes = 1};
        arena_init(&mem, NULL, NULL);
        err_init(&err);
        assert_true(noc_plain_fly(&plain, &mem, &noc, &cycles, &err));
        struct net_params p = {.router = &four_stages};
        struct traffic_result a = run_load(&noc, &p, 0, 0.9, 1, 200);
        p.general = true;
        struct traffic_result b = run_load(&noc, &p, 0, 0.9, 1, 200);
        assert_memory_equal(&a, &b, sizeof a);
        err_free(&err);
        arena_free(&mem);
    }
}

/* ---- invariants ------------------------------------------------------------------------------ */

static void invariants_hold_with_every_option(void **state)
{
    (void)state;
    for (int option = 0; option < 32; option++) {
        struct arena mem;
        struct noc noc;
        struct router_params r = four_stages;
        struct net_params p = {.router = &r, .verify = true};
        arena_init(&mem, NULL, NULL);
        build_plain(0, 4, 4, &mem, &noc);
        r.source_vcs = option < 16 ? SOURCE_VCS_one : SOURCE_VCS_all;
        option %= 16;
        r.speculative = option == 1 || option == 2;
        r.lookahead = option == 2 || option == 3;
        r.input_speedup = option == 4 ? 2 : 1;
        r.output_speedup = option == 5 ? 2 : 1;
        r.internal_speedup = option == 6 ? 2 : 1;
        p.internal_speedup = option == 7 ? 1.5 : 0;
        p.hold_switch = option == 8;
        p.wait_tail_credit = option == 9;
        p.vc_busy_when_full = option == 10;
        p.output_buffer = option == 11 || option == 4 ? 2 : 0;
        r.allocator = option == 12   ? ALLOCATOR_separable_input_first
                      : option == 13 ? ALLOCATOR_separable_output_first
                                     : ALLOCATOR_islip;
        r.arbiter = option >= 12 ? ARBITER_matrix : ARBITER_round_robin;
        r.iterations = option == 14 ? 3 : 1;
        r.extra_alloc = option == 15;
        r.credit_delay = option == 3 ? 2 : 0;
        struct traffic_result a = run_load(&noc, &p, 0, 0.15, 3, 400);
        assert_true(a.packets > 100);
        arena_free(&mem);
        option += r.source_vcs == SOURCE_VCS_all ? 16 : 0;
    }
}

/* Flits a cycle that one source sends to sinks which take all, packets of five flits into VCs of
 * four whose credits need longer than four cycles to come back. */
static double flits_of_one_source(enum source_vcs rule, uint32_t vcs)
{
    struct arena mem;
    struct noc noc;
    struct router_params r = four_stages;
    struct net_params p = {.router = &r, .verify = true, .source_depth = 2};
    arena_init(&mem, NULL, NULL);
    build_plain(0, vcs, 4, &mem, &noc);
    r.source_vcs = rule;
    struct net *net = make(&noc, &p, &mem);
    size_t flits = 0;
    uint32_t last[64] = {0}, n_sent = 0;
    for (uint32_t cycle = 0; cycle < 1200; cycle++) {
        while (net_can_inject(net, 0)) {
            struct net_packet packet = {
                .src = 0, .dst = 1 + n_sent % 3, .flits = 5, .tag = n_sent + 1};
            assert_true(net_inject(net, &packet));
            n_sent++;
        }
        assert_true(net_step(net));
        size_t n;
        const struct net_delivery *const *d = net_delivered(net, &n);
        for (size_t i = 0; i < n && cycle >= 200; i++)
            flits += d[i]->flits;
        for (size_t i = 0; i < n; i++) { /* with one VC at a time nobody overtakes */
            if (rule == SOURCE_VCS_one)
                assert_true(d[i]->tag > last[d[i]->dst]);
            last[d[i]->dst] = (uint32_t)d[i]->tag;
        }
    }
    arena_free(&mem);
    return (double)flits / 1000;
}

/* Cycles of one packet through sleeping or waking routers, and cycles the routers were off. */
static uint64_t lonely_latency(uint32_t gate_after, uint32_t *hops, uint64_t *off)
{
    struct arena mem;
    struct noc noc;
    struct router_params r = four_stages;
    struct net_params p = {.router = &r, .verify = true};
    arena_init(&mem, NULL, NULL);
    build_plain(0, 2, 4, &mem, &noc);
    r.gate_after = gate_after;
    r.wake_cycles = 8;
    r.gate_break_even = 10;
    struct net *net = make(&noc, &p, &mem);
    uint64_t latency = 0;
    for (uint32_t round = 0; round < 3; round++) { /* far apart, then at once after another */
        for (uint32_t c = 0; c < (round == 2 ? 1 : 200); c++)
            assert_true(net_step(net));
        struct net_packet packet = {
            .src = 0, .dst = noc.n_endpoints - 1, .flits = 2, .created = net_cycle(net)};
        assert_true(net_inject(net, &packet));
        size_t n = 0;
        const struct net_delivery *const *d = NULL;
        while (!n) {
            assert_true(net_step(net));
            d = net_delivered(net, &n);
        }
        if (round < 2)
            latency = d[0]->arrived - d[0]->created;
        else /* nobody has had the time to fall asleep */
            assert_true(d[0]->arrived - d[0]->created <= latency);
        *hops = d[0]->hops;
    }
    *off = 0;
    for (uint32_t i = 0; i < noc.n_routers; i++) {
        uint64_t counts[EV_COUNT] = {0};
        net_router_counts(net, i, counts);
        *off += counts[EV_ROUTER_OFF];
        assert_true(counts[EV_ROUTER_OFF] <= counts[EV_ROUTER_CLOCK]);
    }
    arena_free(&mem);
    return latency;
}

static void routers_that_sleep_wake_in_their_time(void **state)
{
    (void)state;
    uint32_t hops;
    uint64_t off, awake = lonely_latency(0, &hops, &off);
    assert_int_equal(off, 0);
    assert_int_equal(lonely_latency(20, &hops, &off), awake + 8 * (uint64_t)hops);
    assert_true(off > 0);
    uint64_t more = off;
    lonely_latency(100, &hops, &off); /* sleeps later, so less */
    assert_true(off < more);
}

static void another_start_is_another_run_and_every_invariant_holds(void **state)
{
    (void)state;
    for (int general = 0; general < 2; general++) {
        struct arena mem;
        struct noc noc;
        struct net_params p = {.router = &four_stages, .verify = true, .general = general};
        arena_init(&mem, NULL, NULL);
        build_plain(0, 3, 4, &mem, &noc);
        struct traffic_result a = run_load(&noc, &p, 0, 0.3, 2, 600);
        p.start = 7;
        struct traffic_result b = run_load(&noc, &p, 0, 0.3, 2, 600);
        struct traffic_result c = run_load(&noc, &p, 0, 0.3, 2, 600);
        assert_memory_equal(&b, &c, sizeof b);
        assert_memory_not_equal(&a, &b, sizeof a);
        arena_free(&mem);
    }
}

static void a_source_fills_its_channel_on_all_vcs_and_not_on_one(void **state)
{
    (void)state;
    double one = flits_of_one_source(SOURCE_VCS_one, 4),
           all = flits_of_one_source(SOURCE_VCS_all, 4);
    assert_true(one > 0.6 && one < 0.8);
    assert_true(all > 0.97 && all <= 1.0);
    /* with a single VC there is nothing to choose */
    assert_close(flits_of_one_source(SOURCE_VCS_one, 1), flits_of_one_source(SOURCE_VCS_all, 1),
                 1e-9);
}

static void skipping_idle_cycles_changes_nothing(void **state)
{
    (void)state;
    struct arena mem;
    struct noc noc;
    arena_init(&mem, NULL, NULL);
    build_plain(0, 2, 4, &mem, &noc);
    struct net_params p = {.router = &four_stages};
    uint64_t arrived[2] = {0, 0};
    for (int skip = 0; skip < 2; skip++) {
        struct net *net = make(&noc, &p, &mem);
        for (uint64_t k = 0; k < 5; k++) {
            uint64_t when = 1000 * (k + 1);
            while (net_cycle(net) < when) {
                uint64_t next = net_next_busy(net);
                if (skip && next > net_cycle(net))
                    net_skip_to(net, next < when ? next : when);
                else
                    assert_true(net_step(net));
            }
            struct net_packet packet = {.src = 0, .dst = 15, .flits = 3, .created = when};
            assert_true(net_inject(net, &packet));
            size_t n = 0;
            while (!n) {
                assert_true(net_step(net));
                const struct net_delivery *const *list = net_delivered(net, &n);
                if (n)
                    arrived[skip] += list[0]->arrived;
            }
        }
    }
    assert_int_equal(arrived[0], arrived[1]);
    arena_free(&mem);
}

static void a_held_endpoint_stops_its_packets_and_loses_none(void **state)
{
    (void)state;
    struct arena mem;
    struct noc noc;
    arena_init(&mem, NULL, NULL);
    build_plain(0, 2, 4, &mem, &noc);
    struct net_params p = {.router = &four_stages, .verify = true, .source_depth = 64};
    struct net *net = make(&noc, &p, &mem);
    net_hold(net, 5, true);
    for (int i = 0; i < 40; i++) {
        struct net_packet packet = {.src = 0, .dst = 5, .flits = 2, .tag = (uint64_t)i};
        assert_true(net_inject(net, &packet));
    }
    size_t n, total = 0;
    for (int i = 0; i < 300; i++) {
        assert_true(net_step(net));
        net_delivered(net, &n);
        assert_int_equal(n, 0);
    }
    net_hold(net, 5, false);
    uint64_t next_tag = 0;
    for (int i = 0; i < 1000 && total < 40; i++) {
        assert_true(net_step(net));
        net_delivered(net, &n);
        total += n;
        (void)next_tag;
    }
    assert_int_equal(total, 40);
    assert_true(net_is_idle(net));
    arena_free(&mem);
}

/* ---- deadlock -------------------------------------------------------------------------------- */

/* Four routers in a ring of one direction: every packet waits for the next one's VC. */
static void a_ring_is_refused_and_the_watchdog_names_its_packets(void **state)
{
    (void)state;
    struct arena mem;
    struct noc noc;
    struct err err;
    struct noc_facts facts;
    arena_init(&mem, NULL, NULL);
    err_init(&err);
    struct noc_builder *b = noc_builder_new(&mem, "ring", NOC_BOTH);
    for (uint16_t r = 0; r < 4; r++) {
        noc_add_router(b, 2, 2, 0, r, 0);
        noc_add_endpoint(b, NOC_EP_NODE, r, 1, r, 0);
    }
    for (uint16_t r = 0; r < 4; r++) {
        uint16_t on = 0, off = 1;
        noc_inject(b, r, r, 1);
        noc_eject(b, r, 1, r);
        noc_link(b, r, 0, (r + 1u) % 4, 0);
        struct noc_rule rule = {.classes = 1, .class_to = NOC_SAME_CLASS, .x0 = r, .x1 = r};
        noc_add_rule(b, r, rule, &off, 1);
        if (r > 0) {
            rule.x0 = 0, rule.x1 = (uint16_t)(r - 1);
            noc_add_rule(b, r, rule, &on, 1);
        }
        if (r < 3) {
            rule.x0 = (uint16_t)(r + 1), rule.x1 = 3;
            noc_add_rule(b, r, rule, &on, 1);
        }
    }
    noc_freeze(b, 128, 1, 2, &mem, &noc);
    noc.n_classes = 1;
    noc.vc_ranges[0] = (struct noc_vc_range){0, 1};
    assert_false(noc_check(&noc, false, &mem, &facts, &err));
    err_free(&err);
    err_init(&err);
    assert_true(noc_check(&noc, true, &mem, &facts, &err));
    assert_false(facts.is_deadlock_free);
    assert_true(facts.cycle.n >= 2);
    for (int general = 0; general < 2; general++) {
        struct net_params p = {.router = &four_stages, .watchdog_cycles = 200, .general = general};
        struct net *net = make(&noc, &p, &mem);
        for (uint32_t s = 0; s < 4; s++) {
            struct net_packet packet = {.src = s, .dst = (s + 3) % 4, .flits = 16};
            assert_true(net_inject(net, &packet));
        }
        bool ok = true;
        for (int i = 0; i < 5000 && ok; i++)
            ok = net_step(net);
        assert_false(ok);
        struct buf text;
        buf_init(&text, &mem, 4096);
        net_problem(net, &text);
        assert_non_null(strstr(text.data, "wait for each other in a ring"));
        for (int r = 0; r < 4; r++) {
            char want[32];
            snprintf(want, sizeof want, "at router %d", r);
            assert_non_null(strstr(text.data, want));
        }
    }
    err_free(&err);
    arena_free(&mem);
}

/* ---- merge tables ---------------------------------------------------------------------------- */

static void slack_is_spread_over_the_path_and_adds_up(void **state)
{
    (void)state;
    static const uint32_t four[] = {2, 4, 6, 8};
    for (uint32_t t = 1; t <= 4; t++)
        assert_int_equal(net_merge_delay(SLACK_dynamic, 5, t, 4), four[t - 1]);
    for (uint32_t path = 1; path < 20; path++) {
        uint32_t dynamic = 0, fixed = 0, last = 0;
        for (uint32_t t = 1; t <= path; t++) {
            uint32_t d = net_merge_delay(SLACK_dynamic, 5, t, path);
            assert_true(d + 1 >= last); /* growing, but for rounding */
            last = d;
            dynamic += d;
            fixed += net_merge_delay(SLACK_fixed, 5, t, path);
        }
        assert_int_equal(dynamic, 5 * path);
        assert_int_equal(fixed, 5 * path);
    }
    assert_int_equal(net_merge_delay(SLACK_none, 5, 1, 3), 0);
}

static void two_requests_to_one_row_arrive_as_one_packet(void **state)
{
    (void)state;
    for (int delay_only = 0; delay_only < 2; delay_only++) {
        struct arena mem;
        struct noc noc;
        arena_init(&mem, NULL, NULL);
        build_plain(0, 1, 8, &mem, &noc);
        struct packet_merge_params merge = merge_defaults;
        merge.delay_only = delay_only;
        merge.slack = SLACK_fixed;
        merge.cycles_per_hop = 5;
        merge.entries = 4;
        struct net_params p = {
            .router = &four_stages, .verify = true, .merge = &merge, .source_depth = 4};
        struct net *net = make(&noc, &p, &mem);
        for (int i = 0; i < 2; i++) {
            struct net_packet packet = {
                .src = 0, .dst = 3, .flits = 1, .tag = 7 + (uint64_t)i, .merge_key = 42};
            assert_true(net_inject(net, &packet));
        }
        uint64_t when[2] = {0, 0};
        size_t got = 0;
        for (int i = 0; i < 300 && got < 2; i++) {
            size_t n;
            bool ok = net_step(net);
            if (!ok) {
                struct buf b;
                buf_init(&b, &mem, 4096);
                net_problem(net, &b);
                print_error("%s\n", b.data);
            }
            assert_true(ok);
            const struct net_delivery *const *list = net_delivered(net, &n);
            for (size_t k = 0; k < n; k++) {
                assert_int_equal(list[k]->tag, 7 + got);
                assert_int_equal(list[k]->is_merged, !delay_only);
                assert_int_equal(list[k]->flits, 1);
                when[got++] = list[k]->arrived;
            }
        }
        assert_int_equal(got, 2);
        struct net_totals totals;
        net_get_totals(net, &totals);
        assert_int_equal(totals.merged, delay_only ? 0 : 1);
        if (delay_only) /* four routers hold it for five cycles each */
            assert_int_equal(when[0], 2 + 5 * 4 + 4 * 5);
        else
            assert_int_equal(when[0], when[1]);
        assert_true(net_is_idle(net));
        arena_free(&mem);
    }
}

/* The channel of the first is taken by a long packet until its time is over; the second comes
 * behind that and finds it still there. */
static void a_request_whose_time_is_over_can_be_joined_until_it_leaves(void **state)
{
    (void)state;
    struct arena mem;
    struct noc noc;
    arena_init(&mem, NULL, NULL);
    build_plain(0, 1, 8, &mem, &noc);
    struct packet_merge_params merge = merge_defaults;
    merge.slack = SLACK_fixed;
    merge.cycles_per_hop = 2;
    merge.entries = 4;
    struct net_params p = {
        .router = &four_stages, .verify = true, .merge = &merge, .source_depth = 4};
    struct net *net = make(&noc, &p, &mem);
    for (int i = 0; i < 3; i++) {
        struct net_packet packet = {
            .src = 0, .dst = 3, .flits = i == 1 ? 8 : 1, .merge_key = i == 1 ? 0 : 42};
        assert_true(net_inject(net, &packet));
    }
    size_t got = 0, n_merged = 0;
    for (int i = 0; i < 300 && got < 3; i++) {
        size_t n;
        assert_true(net_step(net));
        const struct net_delivery *const *list = net_delivered(net, &n);
        for (size_t k = 0; k < n; k++, got++)
            n_merged += list[k]->is_merged;
    }
    assert_int_equal(got, 3);
    assert_int_equal(n_merged, 2);
    arena_free(&mem);
}

static void merging_loses_no_request_under_load(void **state)
{
    (void)state;
    struct arena mem;
    struct noc noc;
    struct rng rng;
    arena_init(&mem, NULL, NULL);
    rng_seed(&rng, 1, "merge", 0);
    build_plain(0, 2, 8, &mem, &noc);
    for (uint32_t per_flit = 1; per_flit <= 4; per_flit += 3) {
        struct packet_merge_params merge = merge_defaults;
        merge.slack = SLACK_dynamic;
        merge.cycles_per_hop = 5;
        merge.entries = 4;
        merge.per_flit = per_flit;
        struct net_params p = {.router = &four_stages, .verify = true, .merge = &merge};
        struct net *net = make(&noc, &p, &mem);
        size_t sent = 0, got = 0, n;
        for (int i = 0; i < 2500; i++) {
            for (uint32_t s = 0; s < 16 && i < 1500; s++) {
                uint64_t row = rng_below(&rng, 3) + 1;
                struct net_packet packet = {.src = s,
                                            .dst = (uint32_t)row * 4,
                                            .flits = 1,
                                            .merge_key = rng_below(&rng, 4) ? row : 0};
                if (rng_below(&rng, 4) == 0)
                    sent += net_inject(net, &packet);
            }
            assert_true(net_step(net));
            net_delivered(net, &n);
            got += n;
        }
        struct net_totals totals;
        net_get_totals(net, &totals);
        assert_int_equal(sent, got);
        assert_true(totals.merged > 100);
        assert_true(net_is_idle(net));
    }
    arena_free(&mem);
}

/* ---- BookSim2's files ------------------------------------------------------------------------ */

static void unsupported_keys_and_values_are_refused_by_name(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"topology=torus", "torus"},
        {"routing_function=valiant", "valiant"},
        {"num_vc=4", "num_vc"},
        {"priority=age", "age"},
        {"vc_allocator=wavefront", "wavefront"},
        {"traffic=randperm", "randperm"},
        {"injection_process=markov", "markov"},
        {"router=chaos", "chaos"},
        {"k=0", "0"},
        {"sim_type=power", "power"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct arena mem;
        struct err err;
        struct bs_config c;
        struct traffic_result r;
        struct bs_options o = {.cycles = 10};
        arena_init(&mem, NULL, NULL);
        err_init(&err);
        bs_defaults(&c);
        assert_true(bs_set("topology=mesh", &mem, &c, &err));
        assert_true(bs_set("routing_function=dor", &mem, &c, &err));
        assert_true(bs_set("k=2", &mem, &c, &err));
        bool ok = bs_set(bad[i][0], &mem, &c, &err) && bs_run(&c, &o, &mem, &r, &err);
        assert_false(ok);
        assert_non_null(strstr(err_entry_text(err.first, &mem), bad[i][1]));
        err_free(&err);
        arena_free(&mem);
    }
}

static void networks_beyond_the_limits_are_refused_by_key(void **state)
{
    static const struct {
        uint32_t vcs, depth, n_in, n_out;
        double speedup;
        const char *message; /* NULL: it is made */
    } cases[] = {
        {1, 1, 0, 0, 1, NULL},
        {64, 4096, 0, 0, 16, NULL},
        {0, 4, 0, 0, 1, "noc.vcs: 0 is not in 1..64"},
        {65, 4, 0, 0, 1, "noc.vcs: 65 is not in 1..64"},
        {2, 0, 0, 0, 1, "noc.vc_depth: 0 is not in 1..4096"},
        {2, 4097, 0, 0, 1, "noc.vc_depth: 4097 is not in 1..4096"},
        {2, 4, 0, 0, 0.5, "noc.router.internal_speedup: 0.5 is not in 1..16"},
        {2, 4, 0, 0, 17, "noc.router.internal_speedup: 17 is not in 1..16"},
        {2, 4, NET_MAX_PORTS + 1, 2, 1, "router 1 has"},
        {2, 4, 2, NET_MAX_PORTS + 1, 1, "router 1 has"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena mem;
        struct err err;
        struct noc noc;
        struct net_params p = {.router = &four_stages, .internal_speedup = cases[i].speedup};
        arena_init(&mem, NULL, NULL);
        err_init(&err);
        bool is_made = !cases[i].message;
        build_plain(0, is_made ? cases[i].vcs : 2, is_made ? cases[i].depth : 4, &mem, &noc);
        noc.vcs = cases[i].vcs;
        noc.vc_depth = cases[i].depth;
        if (cases[i].n_in) {
            noc.routers[1].n_in = (uint16_t)cases[i].n_in;
            noc.routers[1].n_out = (uint16_t)cases[i].n_out;
        }
        struct net *net = net_new(&noc, &p, &mem, &err);
        if (!net == is_made)
            fail_msg("%s: %s", cases[i].message ? cases[i].message : "is made",
                     err_any(&err) ? err_entry_text(err.first, &mem) : "is made");
        if (cases[i].message && !strstr(err_entry_text(err.first, &mem), cases[i].message))
            fail_msg("%s, not %s", err_entry_text(err.first, &mem), cases[i].message);
        err_free(&err);
        arena_free(&mem);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zero_load_latency_is_the_sum_for_every_pair_of_every_topology),
        cmocka_unit_test(zero_load_latency_is_the_sum_for_every_pair_of_plain_networks),
        cmocka_unit_test(a_pipelined_switch_adds_its_cycles_and_takes_no_bandwidth),
        cmocka_unit_test(allocation_in_two_cycles_is_that_of_the_key),
        cmocka_unit_test(shuffled_order_and_general_method_change_no_bit),
        cmocka_unit_test(wide_routers_and_many_vcs_agree_with_the_general_method),
        cmocka_unit_test(routers_that_sleep_wake_in_their_time),
        cmocka_unit_test(another_start_is_another_run_and_every_invariant_holds),
        cmocka_unit_test(a_source_fills_its_channel_on_all_vcs_and_not_on_one),
        cmocka_unit_test(invariants_hold_with_every_option),
        cmocka_unit_test(skipping_idle_cycles_changes_nothing),
        cmocka_unit_test(a_held_endpoint_stops_its_packets_and_loses_none),
        cmocka_unit_test(a_ring_is_refused_and_the_watchdog_names_its_packets),
        cmocka_unit_test(slack_is_spread_over_the_path_and_adds_up),
        cmocka_unit_test(two_requests_to_one_row_arrive_as_one_packet),
        cmocka_unit_test(a_request_whose_time_is_over_can_be_joined_until_it_leaves),
        cmocka_unit_test(merging_loses_no_request_under_load),
        cmocka_unit_test(unsupported_keys_and_values_are_refused_by_name),
        cmocka_unit_test(networks_beyond_the_limits_are_refused_by_key),
    };
    return cmocka_run_group_tests(tests, set_up_defaults, NULL);
}
