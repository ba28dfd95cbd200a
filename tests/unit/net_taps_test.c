/* SPDX-License-Identifier: MIT
 *
 * Networks without buffers on the way: cfNoC by tokens, HRCnet by a ring. */
#include "tests/unit/noc_fixture.h"

#include "base/buf.h"
#include "sim/net/net.h"
#include "tests/unit/defaults.h"

static struct router_params router;

static int set_up_defaults(void **state)
{
    (void)state;
    router = arch_defaults().noc[0].router;
    return 0;
}

struct rig {
    struct arena mem;
    struct noc noc;
    struct net *net;
};

static void begin_with(struct rig *g, struct noc_params p, struct net_params np)
{
    arena_init(&g->mem, NULL, NULL);
    enum noc_dir dir = !strcmp(p.topology, "cfnoc") ? NOC_REQUEST : NOC_REPLY;
    assert_true(build(&p, dir, &g->mem, &g->noc, NULL));
    struct err err;
    err_init(&err);
    np.router = &router;
    np.verify = true;
    g->net = net_new(&g->noc, &np, &g->mem, &err);
    print_errors(&err);
    err_free(&err);
    assert_non_null(g->net);
}

static void begin(struct rig *g, struct noc_params p)
{
    begin_with(g, p, (struct net_params){.source_depth = 4});
}

static void end(struct rig *g)
{
    arena_free(&g->mem);
}

static void step(struct rig *g)
{
    if (net_step(g->net))
        return;
    struct buf why;
    buf_init(&why, &g->mem, 4096);
    net_problem(g->net, &why);
    fail_msg("%s", why.data);
}

static bool offer(struct rig *g, uint32_t src, uint32_t dst, uint32_t flits)
{
    return net_inject(g->net, &(struct net_packet){.src = src,
                                                   .dst = dst,
                                                   .flits = (uint16_t)flits,
                                                   .tag = (uint64_t)src << 32 | dst,
                                                   .created = net_cycle(g->net)});
}

/* One packet alone in a fresh network; when its tail arrived. */
static uint64_t alone(const struct noc_params *p, uint32_t src, uint32_t dst, uint32_t flits)
{
    struct rig g;
    begin(&g, *p);
    assert_true(offer(&g, src, dst, flits));
    uint64_t at = UINT64_MAX;
    for (int i = 0; i < 200 && at == UINT64_MAX; i++) {
        step(&g);
        size_t n;
        const struct net_delivery *const *d = net_delivered(g.net, &n);
        if (n) {
            assert_int_equal(d[0]->src, src);
            assert_int_equal(d[0]->dst, dst);
            at = d[0]->arrived;
        }
    }
    assert_true(net_is_idle(g.net));
    end(&g);
    return at;
}

/* ---- cfNoC ---- */

/* The token starts at the foot of the column and looks at place i in cycle i, at the foot again
 * after a round: up over the others, and down as fast as a flit. */
static void a_request_waits_for_its_token_then_takes_a_cycle_a_hop(void **state)
{
    (void)state;
    struct noc_params p = params_of("cfnoc", 56, 8);
    static const uint32_t sizes[] = {1, 5, 17};
    for (uint32_t sm = 0; sm < 56; sm += 5)
        for (uint32_t slice = 0; slice < 8; slice += 3)
            for (int k = 0; k < 3; k++) {
                uint32_t flits = sizes[k], place = sm / 8, column = sm % 8;
                uint32_t token = place ? place : 12,
                         along = slice > column ? slice - column : column - slice;
                uint32_t to_queue = token + place + along + 2 + flits - 1;
                assert_int_equal(alone(&p, sm, 56 + slice, flits),
                                 to_queue + (flits + 3) / 4 - 1 + 1);
            }
}

/* A round of seven senders is seven flits and the way down, thirteen cycles; and each sends as
 * often as the others. */
static void a_full_column_sends_seven_flits_in_thirteen_cycles(void **state)
{
    (void)state;
    for (int down = 0; down < 2; down++) {
        struct rig g;
        struct noc_params p = params_of("cfnoc", 56, 8);
        p.cf_token = down ? NOC_TOKEN_DOWN : NOC_TOKEN_UP;
        begin(&g, p);
        struct rng r;
        rng_seed(&r, 3, "column", 0);
        uint32_t from[56] = {0}, total = 0;
        for (int c = 0; c < 1300; c++) {
            for (uint32_t sm = 0; sm < 56; sm++)
                while (net_can_inject(g.net, sm))
                    offer(&g, sm, 56 + rng_below(&r, 8), 1);
            step(&g);
            size_t n;
            const struct net_delivery *const *d = net_delivered(g.net, &n);
            for (size_t i = 0; i < n; i++)
                from[d[i]->src]++, total++;
        }
        assert_in_range(total, 8 * 7 * 98, 8 * 7 * 100);
        for (uint32_t sm = 0; sm < 56; sm++)
            assert_in_range(from[sm], 97, 101);
        end(&g);
    }
}

/* Only what fits into the queue of a slice that takes nothing leaves for it, and others of the same
 * column go on. */
static void a_slice_that_takes_nothing_stops_only_what_goes_there(void **state)
{
    (void)state;
    struct rig g;
    struct noc_params p = params_of("cfnoc", 56, 8);
    begin(&g, p);
    net_hold(g.net, 56, true);
    uint32_t to[2] = {0, 0};
    for (int c = 0; c < 2000; c++) {
        while (net_can_inject(g.net, 8))
            offer(&g, 8, 56, 17); /* column 0, to the slice that is held */
        while (net_can_inject(g.net, 16))
            offer(&g, 16, 57, 1);
        if (c == 1000) {
            struct net_totals t;
            net_get_totals(g.net, &t);
            assert_int_equal(to[0], 0);
            assert_in_range(to[1], 70, 90); /* one a round of twelve cycles and its own */
            uint64_t counts[EV_COUNT] = {0};
            for (uint32_t r = 0; r < g.noc.n_routers; r++)
                if (g.noc.routers[r].kind == NOC_QUEUES && g.noc.routers[r].x == 0)
                    net_router_counts(g.net, r, counts);
            assert_int_equal(counts[EV_BUF_WRITE], 34); /* two stores of 17 flits */
            assert_int_equal(counts[EV_BUF_READ], 0);
            net_hold(g.net, 56, false);
        }
        step(&g);
        size_t n;
        const struct net_delivery *const *d = net_delivered(g.net, &n);
        for (size_t i = 0; i < n; i++)
            to[d[i]->dst - 56]++;
    }
    assert_true(to[0] > 20);
    end(&g);
}

static void a_packet_longer_than_a_queue_is_refused(void **state)
{
    (void)state;
    struct arena mem;
    struct noc noc;
    struct err err;
    arena_init(&mem, NULL, NULL);
    err_init(&err);
    struct noc_params p = params_of("cfnoc", 56, 8);
    assert_true(build(&p, NOC_REQUEST, &mem, &noc, NULL));
    struct net_params np = {.router = &router, .max_flits = 35};
    assert_null(net_new(&noc, &np, &mem, &err));
    assert_non_null(strstr(err_entry_text(err.first, &mem), "noc.cfnoc.queue"));
    err_free(&err);
    arena_free(&mem);
}

/* Idle cycles that are jumped over leave tokens, credits and counts as if they had been stepped. */
static void jumping_over_idle_cycles_changes_nothing(void **state)
{
    (void)state;
    struct rig g[2];
    struct noc_params p = params_of("cfnoc", 20, 4);
    for (int k = 0; k < 2; k++)
        begin(&g[k], p);
    struct rng r;
    rng_seed(&r, 9, "skip", 0);
    for (int round = 0; round < 60; round++) {
        uint32_t src = rng_below(&r, 20), dst = 20 + rng_below(&r, 4);
        uint32_t flits = 1 + rng_below(&r, 17), pause = rng_below(&r, 60);
        uint64_t done[2];
        for (int k = 0; k < 2; k++) {
            assert_true(offer(&g[k], src, dst, flits));
            while (!net_is_idle(g[k].net))
                step(&g[k]);
            done[k] = net_cycle(g[k].net);
            if (k)
                net_skip_to(g[k].net, done[k] + pause);
            else
                for (uint32_t i = 0; i < pause; i++)
                    step(&g[k]);
        }
        assert_int_equal(done[0], done[1]);
    }
    for (uint32_t c = 0; c < g[0].noc.n_channels; c++) {
        uint64_t a[EV_COUNT] = {0}, b[EV_COUNT] = {0};
        net_channel_counts(g[0].net, c, a);
        net_channel_counts(g[1].net, c, b);
        assert_int_equal(a[EV_LINK], b[EV_LINK]);
    }
    for (uint32_t i = 0; i < g[0].noc.n_routers; i++) {
        uint64_t a[EV_COUNT] = {0}, b[EV_COUNT] = {0};
        net_router_counts(g[0].net, i, a);
        net_router_counts(g[1].net, i, b);
        assert_memory_equal(a, b, sizeof a);
    }
    for (int k = 0; k < 2; k++)
        end(&g[k]);
}

/* ---- HRCnet ---- */

static uint32_t ring_place(uint32_t slice, uint32_t n)
{
    return slice % 2 ? n - (slice + 1) / 2 : slice / 2; /* 0 2 4 6 7 5 3 1 */
}

static void a_reply_takes_a_cycle_a_hop(void **state)
{
    (void)state;
    struct noc_params p = params_of("hrcnet", 56, 8);
    p.hrc_folded = true;
    for (uint32_t slice = 0; slice < 8; slice++)
        for (uint32_t sm = 0; sm < 56; sm += 3)
            for (uint32_t flits = 1; flits <= 5; flits += 4) {
                uint32_t hops = (ring_place(sm % 8, 8) + 8 - ring_place(slice, 8)) % 8;
                assert_int_equal(alone(&p, 56 + slice, sm, flits),
                                 1 + hops + (1 + sm / 8) + 1 + flits - 1);
            }
}

/* n stops, one channel each, and a uniform reply takes (n - 1) / 2 of them: not more than
 * n / ((n - 1) / 2) replies a cycle, 8 / 3.5 with eight; all but that is reached. */
static void a_ring_carries_what_its_channels_can(void **state)
{
    (void)state;
    static const uint32_t stops[] = {4, 8, 16};
    for (int k = 0; k < 3; k++) {
        struct rig g;
        uint32_t n_stops = stops[k], sms = 4 * n_stops, total = 0;
        struct noc_params p = params_of("hrcnet", sms, n_stops);
        p.hrc_folded = true;
        begin(&g, p);
        struct rng r;
        rng_seed(&r, 5, "ring", k);
        const int cycles = 4000;
        for (int c = 0; c < cycles; c++) {
            for (uint32_t s = 0; s < n_stops; s++)
                while (net_can_inject(g.net, sms + s))
                    offer(&g, sms + s, rng_below(&r, sms), 1);
            step(&g);
            size_t n;
            net_delivered(g.net, &n);
            total += (uint32_t)n;
        }
        double bound = 2.0 * n_stops / (n_stops - 1), got = (double)total / cycles;
        assert_true(got <= bound * 1.01); /* the draw is not quite uniform */
        /* short of it by the first of a slice's replies, for which the others wait */
        assert_true(got >= bound * (n_stops < 8 ? 0.85 : 0.97));
        end(&g);
    }
}

/* What is on the ring always goes on: its channels are never idle behind a flit. */
static void the_ring_goes_before_the_slice(void **state)
{
    (void)state;
    struct rig g;
    struct noc_params p = params_of("hrcnet", 8, 4);
    begin(&g, p); /* 0 -> 1 -> 2 -> 3, not folded */
    uint32_t from[4] = {0};
    for (int c = 0; c < 300; c++) {
        while (net_can_inject(g.net, 8))
            offer(&g, 8, 3, 1); /* slice 0 to the chain of slice 3, past 1 and 2 */
        while (net_can_inject(g.net, 9))
            offer(&g, 9, 3, 1);
        while (net_can_inject(g.net, 10))
            offer(&g, 10, 2, 1); /* slice 2 to its own chain: another output */
        step(&g);
        size_t n;
        const struct net_delivery *const *d = net_delivered(g.net, &n);
        for (size_t i = 0; i < n; i++)
            from[d[i]->src - 8]++;
    }
    assert_in_range(from[0], 290, 300);
    assert_in_range(from[1], 0, 3); /* until the first of slice 0 came by */
    assert_in_range(from[2], 290, 300);
    end(&g);
}

/* ---- both ---- */

/* Random sizes, wires, lengths and pauses of the sinks: every packet arrives once, and whole (the
 * engine checks flits, queues and credits in every cycle and that no two flits meet). */
static void nothing_is_lost_whatever_the_size_and_the_wires(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < 60; seed++) {
        struct rng r;
        rng_seed(&r, seed, "taps", 0);
        struct rig g;
        bool token = seed % 2;
        uint32_t sms = between(&r, 1, 40), slices = between(&r, 1, 12);
        struct noc_params p = params_of(token ? "cfnoc" : "hrcnet", sms, slices);
        p.cf_queue = between(&r, 9, 40);
        p.cf_drain = between(&r, 1, 6);
        p.cf_token = (enum noc_token)rng_below(&r, 2);
        p.cf_columns = token && rng_below(&r, 2) ? slices + rng_below(&r, 6) : 0;
        p.hrc_folded = rng_below(&r, 2);
        p.hrc_deal = (enum noc_deal)rng_below(&r, 2);
        static uint16_t cycles[8192];
        for (size_t i = 0; i < 8192; i++)
            cycles[i] = (uint16_t)between(&r, 1, seed % 3 ? 4 : 1);
        begin_with(&g, p,
                   (struct net_params){.source_depth = between(&r, 1, 3),
                                       .channel_cycles = cycles,
                                       .start = seed % 5,
                                       .watchdog_cycles = 5000,
                                       .max_flits = 9});
        assert_true(g.noc.n_channels <= 8192);
        uint64_t sent = 0, got = 0, flits = 0;
        for (int c = 0; c < 600 || !net_is_idle(g.net); c++) {
            assert_true(c < 20000);
            for (int k = 0; c < 600 && k < 4; k++) {
                uint32_t src = token ? rng_below(&r, sms) : sms + rng_below(&r, slices);
                uint32_t dst = token ? sms + rng_below(&r, slices) : rng_below(&r, sms);
                uint32_t n = between(&r, 1, 9);
                if (net_can_inject(g.net, src)) {
                    assert_true(offer(&g, src, dst, n));
                    sent++, flits += n;
                }
            }
            if (token && c % 37 == 0)
                net_hold(g.net, sms + rng_below(&r, slices), c < 600 && rng_below(&r, 2));
            if (c == 600)
                for (uint32_t s = 0; s < slices && token; s++)
                    net_hold(g.net, sms + s, false);
            step(&g);
            size_t n;
            const struct net_delivery *const *d = net_delivered(g.net, &n);
            for (size_t i = 0; i < n; i++)
                assert_int_equal(d[i]->tag, (uint64_t)d[i]->src << 32 | d[i]->dst);
            got += n;
        }
        struct net_totals t;
        net_get_totals(g.net, &t);
        assert_int_equal(got, sent);
        assert_int_equal(t.flits_delivered, flits);
        assert_int_equal(t.flits_buffered, 0);
        end(&g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_waits_for_its_token_then_takes_a_cycle_a_hop),
        cmocka_unit_test(a_full_column_sends_seven_flits_in_thirteen_cycles),
        cmocka_unit_test(a_slice_that_takes_nothing_stops_only_what_goes_there),
        cmocka_unit_test(a_packet_longer_than_a_queue_is_refused),
        cmocka_unit_test(jumping_over_idle_cycles_changes_nothing),
        cmocka_unit_test(a_reply_takes_a_cycle_a_hop),
        cmocka_unit_test(a_ring_carries_what_its_channels_can),
        cmocka_unit_test(the_ring_goes_before_the_slice),
        cmocka_unit_test(nothing_is_lost_whatever_the_size_and_the_wires),
    };
    return cmocka_run_group_tests(tests, set_up_defaults, NULL);
}
