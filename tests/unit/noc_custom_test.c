/* SPDX-License-Identifier: MIT */
#include "tests/unit/noc_fixture.h"

#define LINK(f, t)                                                                                 \
    {                                                                                              \
        .from = (f), .to = (t), .from_port = -1, .to_port = -1, .at = { "a.cfg", 9, NULL }         \
    }
#define ROUTE(r, t, v, c)                                                                          \
    {                                                                                              \
        .router = (r), .to = (t), .via = (v), .vc_class = (c), .at = { "a.cfg", 11, NULL }         \
    }

static const struct noc_custom_router ring_routers[] = {
    {.name = "r0"}, {.name = "r1"}, {.name = "r2"}, {.name = "r3"}};
static const struct noc_custom_link ring_links[] = {
    LINK("sm 0", "r0"),  LINK("sm 1", "r1"),  LINK("sm 2", "r2"),  LINK("sm 3", "r3"),
    LINK("r0", "llc 0"), LINK("r1", "llc 1"), LINK("r2", "llc 2"), LINK("r3", "llc 3"),
    LINK("r0", "r1"),    LINK("r1", "r2"),    LINK("r2", "r3"),    LINK("r3", "r0"),
};

static struct noc_params ring(void)
{
    struct noc_params p = params_of("custom", 4, 4);
    p.routers = ring_routers, p.n_routers = 4;
    p.links = ring_links, p.n_links = 12;
    return p;
}

static void a_ring_can_deadlock_and_the_cycle_is_named(void **state)
{
    (void)state;
    struct arena mem;
    arena_init(&mem, NULL, NULL);
    const char *text = refusal(ring(), NOC_REQUEST, &mem);
    assert_non_null(strstr(text, "a.cfg:7"));
    assert_non_null(strstr(text, "can deadlock"));
    static const char *const parts[] = {"r0 -> r1", "r1 -> r2", "r2 -> r3", "r3 -> r0"};
    for (int i = 0; i < 4; i++)
        assert_non_null(strstr(text, parts[i]));
    /* its mirror image is as bad */
    text = refusal(ring(), NOC_REPLY, &mem);
    assert_non_null(strstr(text, "r1 -> r0"));

    struct err err;
    err_init(&err);
    struct noc noc;
    struct noc_facts facts;
    struct noc_params p = ring();
    assert_true(noc_build(&p, NOC_REQUEST, true, &mem, &noc, &facts, &err));
    assert_false(facts.is_deadlock_free);
    assert_int_equal(facts.cycle.n, 4);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(noc.channels[facts.cycle.channels[i]].dst,
                         noc.channels[facts.cycle.channels[(i + 1) % 4]].src);
    struct oracle o;
    assert_true(oracle_run(&o, &noc, true));
    err_free(&err);
    arena_free(&mem);
}

/* Dally and Seitz 1987: channel class 1 below the destination, class 0 above it. */
static void a_ring_with_two_vc_classes_cannot_deadlock(void **state)
{
    (void)state;
    struct noc_custom_route routes[12];
    static const char *const routers[] = {"r0", "r1", "r2", "r3"};
    static const char *const slices[] = {"llc 0", "llc 1", "llc 2", "llc 3"};
    uint32_t n = 0;
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t d = 0; d < 4; d++)
            if (i != d)
                routes[n++] = (struct noc_custom_route)ROUTE(routers[i], slices[d],
                                                             routers[(i + 1) % 4], d > i);
    struct noc_params p = ring();
    p.routes = routes, p.n_routes = n;
    struct arena mem;
    arena_init(&mem, NULL, NULL);
    struct noc noc;
    struct noc_facts facts;
    assert_true(build(&p, NOC_REQUEST, &mem, &noc, &facts));
    assert_int_equal(noc.n_classes, 2);
    check_network(&noc, &facts);

    p = ring();
    p.routes = routes, p.n_routes = n, p.vcs = 1;
    const char *text = refusal(p, NOC_REQUEST, &mem);
    assert_non_null(strstr(text, "noc.vcs"));
    assert_non_null(strstr(text, "noc.custom.routes"));
    /* all in one class: the cycle is back */
    for (uint32_t i = 0; i < n; i++)
        routes[i].vc_class = 0;
    p = ring();
    p.routes = routes, p.n_routes = n;
    assert_non_null(strstr(refusal(p, NOC_REQUEST, &mem), "can deadlock"));
    arena_free(&mem);
}

/* Rules alone would make a cycle, but packets start at one router only. */
static void no_cycle_is_reported_that_no_packet_can_make(void **state)
{
    (void)state;
    static const struct noc_custom_link links[] = {
        LINK("sm *", "r0"),  LINK("r0", "llc 0"), LINK("r1", "llc 1"),
        LINK("r2", "llc 2"), LINK("r3", "llc 3"), LINK("r0", "r1"),
        LINK("r1", "r2"),    LINK("r2", "r3"),    LINK("r3", "r0"),
    };
    struct noc_params p = ring();
    p.links = links, p.n_links = sizeof links / sizeof *links;
    struct arena mem;
    arena_init(&mem, NULL, NULL);
    struct noc noc;
    struct noc_facts facts;
    assert_true(build(&p, NOC_REQUEST, &mem, &noc, &facts));
    check_network(&noc, &facts);
    assert_false(facts.bisection_is_exact);
    arena_free(&mem);
}

/* Links both ways along a random tree and some more, endpoints anywhere: routes are found. */
static void routes_of_random_networks_are_found(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < 600; seed++) {
        struct rng r;
        rng_seed(&r, seed, "custom", 0);
        struct arena mem;
        arena_init(&mem, NULL, NULL);
        uint32_t n = between(&r, 1, 12), n_links = 0;
        struct noc_params p = params_of("custom", between(&r, 1, 16), between(&r, 1, 8));
        struct noc_custom_router *routers = arena_many(&mem, struct noc_custom_router, n);
        struct noc_custom_link *links = arena_many(&mem, struct noc_custom_link, 200);
        for (uint32_t i = 0; i < n; i++)
            routers[i] = (struct noc_custom_router){.name = arena_printf(&mem, "n%u", i),
                                                    .at = {"a.cfg", 5, NULL}};
        for (uint32_t i = 1; i < n + rng_below(&r, 8) && n > 1; i++) {
            uint32_t a = i < n ? i : rng_below(&r, n), b = rng_below(&r, i < n ? i : n);
            if (a == b)
                continue;
            links[n_links++] = (struct noc_custom_link)LINK(routers[a].name, routers[b].name);
            links[n_links++] = (struct noc_custom_link)LINK(routers[b].name, routers[a].name);
        }
        for (uint32_t e = 0; e < p.n_sms + p.n_llcs; e++) {
            const char *end = e < p.n_sms ? arena_printf(&mem, "sm %u", e)
                                          : arena_printf(&mem, "llc %u", e - p.n_sms);
            const char *at = routers[rng_below(&r, n)].name;
            links[n_links++] = (struct noc_custom_link)LINK(end, at);
            links[n_links++] = (struct noc_custom_link)LINK(at, end);
        }
        p.routers = routers, p.n_routers = n;
        p.links = links, p.n_links = n_links;
        for (int dir = NOC_REQUEST; dir <= NOC_BOTH; dir++) {
            struct noc noc;
            struct noc_facts facts;
            if (!build(&p, (enum noc_dir)dir, &mem, &noc, &facts))
                fail_msg("seed %u", seed);
            check_consistency(&noc);
            check_network(&noc, &facts);
        }
        arena_free(&mem);
    }
}

static void parallel_links_are_all_used(void **state)
{
    (void)state;
    static const struct noc_custom_router routers[] = {{.name = "a", .n_in = 8}, {.name = "b"}};
    static const struct noc_custom_link links[] = {
        LINK("sm 0-3", "a"),
        LINK("a", "b"),
        LINK("a", "b"),
        {.from = "a", .to = "b", .from_port = 0, .to_port = 5, .length_mm = 2.5},
        LINK("b", "llc *"),
    };
    struct noc_params p = params_of("custom", 4, 2);
    p.routers = routers, p.n_routers = 2;
    p.links = links, p.n_links = 5;
    struct arena mem;
    arena_init(&mem, NULL, NULL);
    struct noc noc;
    struct noc_facts facts;
    assert_true(build(&p, NOC_REQUEST, &mem, &noc, &facts));
    assert_int_equal(noc.routers[0].n_in, 8); /* four tied off */
    assert_int_equal(noc.routers[0].n_out, 3);
    assert_int_equal(noc.routers[1].n_in, 6);
    const struct noc_rule *rule = noc_route(&noc, 0, 4, 0);
    assert_int_equal(rule->n_choices, 3);
    assert_int_equal(rule->select, NOC_SELECT_LEAST_LOADED);
    uint32_t ch = noc_in_channel(&noc, 1, 5);
    assert_true(noc.channels[ch].fixed_length);
    assert_int_equal(noc.channels[ch].src_port, 0);
    check_network(&noc, &facts);
    /* the reply network is the mirror image */
    assert_true(build(&p, NOC_REPLY, &mem, &noc, &facts));
    assert_int_equal(noc.routers[0].n_out, 8);
    check_network(&noc, &facts);
    arena_free(&mem);
}

struct bad_custom {
    struct noc_custom_router routers[2];
    struct noc_custom_link links[3];
    struct noc_custom_route routes[2];
    const char *says;
};

static void bad_custom_networks_are_refused(void **state)
{
    static const struct bad_custom rows[] = {
        {{{.name = "a"}, {.name = "a"}},
         {LINK("sm *", "a"), LINK("a", "llc *")},
         {{0}},
         "called 'a'"},
        {{{.name = "a b"}}, {LINK("sm *", "a")}, {{0}}, "cannot be the name"},
        {{{.name = "a"}}, {LINK("sm *", "b"), LINK("a", "llc *")}, {{0}}, "'b' is neither"},
        {{{.name = "a"}}, {LINK("sm 9", "a"), LINK("a", "llc *")}, {{0}}, "gpu.sms"},
        {{{.name = "a"}}, {LINK("sm x", "a"), LINK("a", "llc *")}, {{0}}, "is not like"},
        {{{.name = "a"}}, {LINK("sm 1-0", "a"), LINK("a", "llc *")}, {{0}}, "is not like"},
        {{{.name = "a"}}, {LINK("sm *", "a"), LINK("a", "llc 0-7")}, {{0}}, "llc.slices"},
        {{{.name = "a"}}, {LINK("sm *", "llc 0")}, {{0}}, "without a router"},
        {{{.name = "a"}},
         {LINK("sm *", "a"), LINK("sm 0", "a"), LINK("a", "llc *")},
         {{0}},
         "two links into"},
        {{{.name = "a"}}, {LINK("sm 0", "a"), LINK("a", "llc *")}, {{0}}, "sm 1 has no channel"},
        {{{.name = "a"}}, {LINK("sm *", "a"), LINK("a", "llc 0")}, {{0}}, "llc 1 has no channel"},
        {{{.name = "a", .n_in = 1}},
         {LINK("sm *", "a"), LINK("a", "llc *")},
         {{0}},
         "noc.custom.links need 2"},
        {{{.name = "a"}, {.name = "b"}},
         {LINK("sm *", "a"), LINK("b", "llc *")},
         {{0}},
         "have no route"},
        {{{.name = "a"}, {.name = "b"}},
         {LINK("sm *", "a"), LINK("a", "b"), LINK("b", "llc *")},
         {ROUTE("a", "llc 0", "b", 0)},
         "have no route"},
        {{{.name = "a"}, {.name = "b"}},
         {LINK("sm *", "a"), LINK("a", "b"), LINK("b", "llc *")},
         {ROUTE("a", "llc *", "b", 0), ROUTE("a", "llc 1", "b", 0)},
         "two routes to 'llc 1'"},
        {{{.name = "a"}, {.name = "b"}},
         {LINK("sm *", "a"), LINK("a", "b"), LINK("b", "llc *")},
         {ROUTE("a", "llc *", "a", 0)},
         "noc.custom.links"},
        {{{.name = "a"}, {.name = "b"}},
         {LINK("sm *", "a"), LINK("a", "b"), LINK("b", "llc *")},
         {ROUTE("a", "llc *", "", 0)},
         "names no router"},
        {{{.name = "a"}, {.name = "b"}},
         {LINK("sm *", "a"), LINK("a", "b"), LINK("b", "llc *")},
         {ROUTE("a", "b", "b", 0)},
         "noc.custom.routes"},
        {{{.name = "a"}, {.name = "b"}},
         {LINK("sm *", "a"), LINK("a", "b"), LINK("b", "llc *")},
         {ROUTE("a", "llc *", "b", 16)},
         "vc_class"},
        {{{.name = "a"}},
         {{.from = "sm *", .to = "a", .from_port = -1, .to_port = 0},
          {.from = "a", .to = "a", .from_port = -1, .to_port = 1},
          LINK("a", "llc *")},
         {{0}},
         "port 1 of router 'a' has two links"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena mem;
        arena_init(&mem, NULL, NULL);
        struct noc_params p = params_of("custom", 2, 2);
        p.routers = rows[i].routers, p.links = rows[i].links, p.routes = rows[i].routes;
        while (p.n_routers < 2 && rows[i].routers[p.n_routers].name)
            p.n_routers++;
        while (p.n_links < 3 && rows[i].links[p.n_links].from)
            p.n_links++;
        while (p.n_routes < 2 && rows[i].routes[p.n_routes].router)
            p.n_routes++;
        const char *text = refusal(p, NOC_REQUEST, &mem);
        if (!strstr(text, rows[i].says))
            fail_msg("row %zu: '%s' does not say '%s'", i, text, rows[i].says);
        arena_free(&mem);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ring_can_deadlock_and_the_cycle_is_named),
        cmocka_unit_test(a_ring_with_two_vc_classes_cannot_deadlock),
        cmocka_unit_test(no_cycle_is_reported_that_no_packet_can_make),
        cmocka_unit_test(routes_of_random_networks_are_found),
        cmocka_unit_test(parallel_links_are_all_used),
        cmocka_unit_test(bad_custom_networks_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
