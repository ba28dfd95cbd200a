/* SPDX-License-Identifier: MIT
 *
 * The router with every option at once. Options are drawn, networks are loaded with packets of
 * mixed lengths while every invariant is checked in every cycle, and at the end each packet has
 * arrived once, where it was sent, and all credits are back.
 *
 * CW_RANDOM_COUNT and CW_RANDOM_SEED change how many networks are drawn, and from where. */
#include "tests/unit/noc_fixture.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "noc/topology/plain.h"
#include "sim/net/net.h"
#include "tests/unit/defaults.h"

#define MAX_PACKETS 4096u
#define BIG 5u /* a shape: a mesh too large for a table of all pairs */

/* A value from `low` to `high`, most often the least. */
static uint32_t draw(struct rng *r, uint32_t low, uint32_t high)
{
    return rng_below(r, 2) ? low : low + rng_below(r, high - low + 1);
}

static bool toss(struct rng *r)
{
    return rng_below(r, 3) == 0;
}

struct drawn {
    struct router_params router;
    struct net_params net;
    struct net_allocator vc_allocator;
    struct packet_merge_params merge;
    struct noc_plain plain;
    uint32_t shape, longest, wire;
};

static void draw_options(struct rng *r, struct drawn *d)
{
    *d = (struct drawn){.router = arch_defaults().noc[0].router};
    d->router.routing_delay = draw(r, 0, 3);
    d->router.vc_alloc_delay = draw(r, 1, 4);
    d->router.sw_alloc_delay = draw(r, 1, 4);
    d->router.st_delay = draw(r, 1, 3);
    d->router.credit_delay = draw(r, 0, 3);
    d->router.speculative = rng_below(r, 2);
    d->router.lookahead = toss(r);
    d->router.allocator = (enum router_allocator)rng_below(r, 3);
    d->router.arbiter = (enum router_arbiter)rng_below(r, 2);
    d->router.iterations = draw(r, 1, 3);
    d->router.input_speedup = draw(r, 1, 3);
    d->router.output_speedup = draw(r, 1, 3);
    d->router.internal_speedup = draw(r, 1, 3);
    d->router.extra_alloc = draw(r, 0, 3);
    d->vc_allocator = (struct net_allocator){(enum router_allocator)rng_below(r, 3),
                                             (enum router_arbiter)rng_below(r, 2), draw(r, 1, 3)};
    d->net = (struct net_params){.source_depth = 4,
                                 .watchdog_cycles = 20000,
                                 .verify = true,
                                 .hold_switch = toss(r),
                                 .wait_tail_credit = toss(r),
                                 .vc_busy_when_full = toss(r),
                                 .output_buffer = draw(r, 0, 4),
                                 .internal_speedup = toss(r) ? 1.5 : 0,
                                 .general = toss(r)};
    d->longest = draw(r, 1, 9);
    d->wire = draw(r, 1, 4);
    d->plain = (struct noc_plain){
        .vcs = draw(r, 1, 6), .vc_depth = draw(r, 1, 9), .width_bits = 128, .classes = 1};
    d->shape = rng_below(r, 5);
    d->merge = (struct packet_merge_params){.entries = draw(r, 1, 5),
                                            .max_flits = draw(r, 1, d->plain.vc_depth),
                                            .slack = (enum merge_slack)rng_below(r, 3),
                                            .cycles_per_hop = draw(r, 0, 9),
                                            .per_flit = draw(r, 1, 4),
                                            .hold_grant = toss(r),
                                            .delay_only = toss(r)};
}

static void print_options(const struct drawn *d)
{
    const struct router_params *p = &d->router;
    print_error(
        "shape %u: delays %u %u %u %u, credit %u, spec %d, ahead %d, allocator %d %d, iterations "
        "%u, speed-ups %u %u %u (%g), extra %u, hold %d, tail %d, full %d, buffer %u, general %d, "
        "flits %u, wire %u, VCs %u of %u, VC allocator %d %d %u (used %d), merge %u entries of %u "
        "flits, slack %d of %u, %u a flit, %d %d (used %d)\n",
        d->shape, p->routing_delay, p->vc_alloc_delay, p->sw_alloc_delay, p->st_delay,
        p->credit_delay, p->speculative, p->lookahead, (int)p->allocator, (int)p->arbiter,
        p->iterations, p->input_speedup, p->output_speedup, p->internal_speedup,
        d->net.internal_speedup, p->extra_alloc, d->net.hold_switch, d->net.wait_tail_credit,
        d->net.vc_busy_when_full, d->net.output_buffer, d->net.general, d->longest, d->wire,
        d->plain.vcs, d->plain.vc_depth, (int)d->vc_allocator.kind, (int)d->vc_allocator.arbiter,
        d->vc_allocator.iterations, d->net.vc_allocator != NULL, d->merge.entries,
        d->merge.max_flits, (int)d->merge.slack, d->merge.cycles_per_hop, d->merge.per_flit,
        d->merge.hold_grant, d->merge.delay_only, d->net.merge != NULL);
}

static void build_shape(struct drawn *d, struct arena *mem, struct noc *noc)
{
    static bool (*const builds[])(const struct noc_plain *, struct arena *, struct noc *,
                                  const uint16_t **, struct err *) = {
        noc_plain_mesh, noc_plain_cmesh,   noc_plain_fly,
        noc_plain_fly,  noc_plain_fattree, noc_plain_mesh};
    static const uint32_t k[] = {3, 2, 2, 9, 2, 17}, n[] = {2, 2, 3, 1, 3, 2};
    const uint16_t *cycles;
    struct err err;
    err_init(&err);
    d->plain.k = k[d->shape];
    d->plain.n = n[d->shape];
    bool ok = builds[d->shape](&d->plain, mem, noc, &cycles, &err);
    print_errors(&err);
    err_free(&err);
    assert_true(ok);
    uint16_t *wires = arena_many(mem, uint16_t, noc->n_channels);
    for (uint32_t i = 0; i < noc->n_channels; i++)
        wires[i] = (uint16_t)(1 + i % d->wire);
    d->net.channel_cycles = wires;
}

/* Who sends to whom; NULL: everybody to everybody. */
struct ends {
    const uint32_t *src, *dst;
    uint32_t n_src, n_dst;
    bool is_reply;
};

struct load {
    struct net *net;
    const struct noc *noc;
    uint32_t wide; /* of a mesh: the routers on a way are counted; 0: not */
    uint32_t *dst; /* [packet] where it was sent; UINT32_MAX: it has arrived */
    uint32_t sent, arrived;
};

static bool step(struct load *l, struct arena *mem)
{
    size_t n;
    if (!net_step(l->net)) {
        struct buf b;
        buf_init(&b, mem, 4096);
        net_problem(l->net, &b);
        print_error("%s\n", b.data);
        return false;
    }
    const struct net_delivery *const *list = net_delivered(l->net, &n);
    for (size_t i = 0; i < n; i++) {
        if (list[i]->tag >= l->sent || l->dst[list[i]->tag] != list[i]->dst) {
            print_error("packet %llu came to %u, or came twice\n", (unsigned long long)list[i]->tag,
                        list[i]->dst);
            return false;
        }
        uint32_t s = list[i]->src, d = list[i]->dst, w = l->wide;
        if (w && list[i]->hops != 1u + (uint32_t)(abs((int)(s % w) - (int)(d % w)) +
                                                  abs((int)(s / w) - (int)(d / w)))) {
            print_error("from %u to %u in %u hops\n", s, d, list[i]->hops);
            return false;
        }
        l->dst[list[i]->tag] = UINT32_MAX;
        l->arrived++;
    }
    return true;
}

static bool load_and_drain(struct drawn *d, const struct noc *noc, const struct ends *ends,
                           struct rng *r, struct arena *mem)
{
    struct err err;
    err_init(&err);
    d->net.router = &d->router;
    struct load l = {.net = net_new(noc, &d->net, mem, &err),
                     .noc = noc,
                     .wide = d->shape == BIG ? d->plain.k : 0,
                     .dst = arena_many(mem, uint32_t, MAX_PACKETS)};
    print_errors(&err);
    err_free(&err);
    if (!l.net)
        return false;
    double rate = rng_below(r, 2) ? 0.05 : 0.6;
    for (uint32_t cycle = 0; cycle < 150; cycle++) {
        for (uint32_t e = 0; e < (ends ? ends->n_src : noc->n_endpoints); e++) {
            uint32_t s = ends ? ends->src[e] : e;
            if (rng_unit(r) > rate || !net_can_inject(l.net, s) || l.sent == MAX_PACKETS)
                continue;
            uint32_t to =
                ends ? ends->dst[rng_below(r, ends->n_dst)] : rng_below(r, noc->n_endpoints);
            struct net_packet packet = {.src = s,
                                        .dst = to,
                                        .cls =
                                            ends ? noc_first_class(noc, s, to, ends->is_reply) : 0,
                                        .flits = (uint16_t)(1 + rng_below(r, d->longest)),
                                        .tag = l.sent,
                                        .created = net_cycle(l.net)};
            if (d->net.merge && rng_below(r, 2)) { /* a read request of one of few rows */
                packet.dst = rng_below(r, 3) % noc->n_endpoints;
                packet.flits = 1;
                packet.merge_key = packet.dst + 1;
            }
            l.dst[l.sent] = packet.dst;
            if (!net_inject(l.net, &packet))
                return false;
            l.sent++;
        }
        if (!step(&l, mem))
            return false;
    }
    for (uint32_t cycle = 0; cycle < 200000 && !net_is_quiet(l.net); cycle++)
        if (!step(&l, mem))
            return false;
    if (l.arrived != l.sent)
        print_error("%u of %u packets arrived\n", l.arrived, l.sent);
    return l.arrived == l.sent && net_is_quiet(l.net);
}

static void no_combination_of_options_loses_a_packet(void **state)
{
    (void)state;
    const char *count = getenv("CW_RANDOM_COUNT"), *seed = getenv("CW_RANDOM_SEED");
    int n = count ? atoi(count) : 250, wrong = 0;
    for (int i = 0; i < n; i++) {
        struct rng r;
        struct drawn d;
        struct arena mem;
        struct noc noc;
        rng_seed(&r, seed ? strtoull(seed, NULL, 10) : 1, "net options", (uint64_t)i);
        draw_options(&r, &d);
        if (toss(&r))
            d.net.vc_allocator = &d.vc_allocator;
        if (toss(&r))
            d.net.merge = &d.merge;
        arena_init(&mem, NULL, NULL);
        build_shape(&d, &mem, &noc);
        if (!load_and_drain(&d, &noc, NULL, &r, &mem)) {
            print_error("draw %d, ", i);
            print_options(&d);
            wrong++;
        }
        arena_free(&mem);
    }
    assert_int_equal(wrong, 0);
}

/* Speculation where the allocators take several cycles and do not end in the same one. */
static void a_grant_of_the_switch_waits_for_the_virtual_channel(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 27; i++) {
        struct rng r;
        struct drawn d;
        struct arena mem;
        struct noc noc;
        rng_seed(&r, 1, "speculation", i);
        draw_options(&r, &d);
        d.router = arch_defaults().noc[0].router;
        d.router.speculative = true;
        d.router.vc_alloc_delay = 1 + i % 3;
        d.router.sw_alloc_delay = 1 + i / 3 % 3;
        d.router.extra_alloc = i / 9;
        d.shape = 0;
        d.longest = 3;
        d.plain.vcs = 2;
        d.plain.vc_depth = 4;
        arena_init(&mem, NULL, NULL);
        build_shape(&d, &mem, &noc);
        bool ok = load_and_drain(&d, &noc, NULL, &r, &mem);
        if (!ok)
            print_options(&d);
        assert_true(ok);
        arena_free(&mem);
    }
}

/* Routes of a large network are kept by areas; every packet still takes the shortest way. */
static void large_networks_route_as_small_ones(void **state)
{
    (void)state;
    struct rng r;
    struct drawn d;
    struct arena mem;
    struct noc noc;
    rng_seed(&r, 1, "large", 0);
    draw_options(&r, &d);
    d.router = arch_defaults().noc[0].router;
    d.net = (struct net_params){.source_depth = 4, .watchdog_cycles = 20000};
    d.shape = BIG;
    d.plain.vcs = 2;
    d.plain.vc_depth = 4;
    arena_init(&mem, NULL, NULL);
    build_shape(&d, &mem, &noc);
    assert_true(load_and_drain(&d, &noc, NULL, &r, &mem));
    arena_free(&mem);
}

/* Every topology of a GPU with every rule of routing, in both directions. */
static void no_rule_of_routing_loses_a_packet(void **state)
{
    (void)state;
    for (const struct topology *const *t = noc_topologies; *t; t++)
        for (uint32_t i = 0; (*t)->routings[i] && strcmp((*t)->name, "custom"); i++)
            for (int dir = NOC_REQUEST; dir <= NOC_REPLY; dir++) {
                if ((*t)->is_one_way && dir != (int)(*t)->way)
                    continue;
                struct rng r;
                struct drawn d;
                struct arena mem;
                struct noc noc;
                struct noc_facts facts;
                rng_seed(&r, 1, (*t)->name, 2 * i + (uint32_t)dir);
                draw_options(&r, &d);
                struct noc_params p = params_of((*t)->name, 20, 16);
                p.routing = (*t)->routings[i];
                arena_init(&mem, NULL, NULL);
                assert_true(build(&p, (enum noc_dir)dir, &mem, &noc, &facts));
                uint32_t *ends[2] = {arena_many(&mem, uint32_t, noc.n_endpoints),
                                     arena_many(&mem, uint32_t, noc.n_endpoints)};
                uint32_t n[2] = {0, 0};
                for (uint32_t e = 0; e < noc.n_endpoints; e++) {
                    bool is_llc = noc.endpoints[e].kind == NOC_EP_LLC;
                    ends[is_llc][n[is_llc]++] = e;
                }
                struct ends who = {ends[dir], ends[!dir], n[dir], n[!dir], dir == NOC_REPLY};
                d.shape = 0;
                if (!load_and_drain(&d, &noc, &who, &r, &mem)) {
                    print_error("%s, %s: ", (*t)->name, p.routing);
                    print_options(&d);
                    fail();
                }
                arena_free(&mem);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_grant_of_the_switch_waits_for_the_virtual_channel),
        cmocka_unit_test(no_combination_of_options_loses_a_packet),
        cmocka_unit_test(large_networks_route_as_small_ones),
        cmocka_unit_test(no_rule_of_routing_loses_a_packet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
