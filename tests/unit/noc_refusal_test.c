/* SPDX-License-Identifier: MIT
 *
 * Networks that cannot be: contradictory parameters, and graphs that are broken on purpose. */
#include "tests/unit/noc_fixture.h"

/* ---- refusals ------------------------------------------------------------------------------- */

static void contradictions_name_both_keys(void **state)
{
    static const int64_t one_place[] = {0, 0}, outside[] = {9, 9, 0, 1}, even[] = {0, 0, 1, 0},
                         twice[] = {1, 0, 1, 0};
    static const struct {
        struct noc_params p;
        enum noc_dir dir;
        const char *first, *second;
    } rows[] = {
        {{.topology = "mesh", .mesh_columns = 3, .mesh_rows = 2},
         0,
         "noc.mesh.columns = 3",
         "gpu.sms"},
        {{.topology = "mesh", .mesh_columns = 512, .mesh_rows = 512},
         0,
         "noc.mesh.columns",
         "noc.mesh.rows"},
        {{.topology = "smesh", .mesh_columns = 3, .mesh_rows = 2},
         0,
         "noc.mesh.rows = 2",
         "llc.slices"},
        {{.topology = "smesh", .placement = NOC_PLACE_LEFT_RIGHT},
         0,
         "noc.mesh.placement",
         "noc.topology"},
        {{.topology = "mesh", .routing = "checkerboard", .vcs = 1}, 0, "noc.routing", "noc.vcs"},
        {{.topology = "mesh",
          .routing = "checkerboard",
          .mesh_columns = 4,
          .mesh_rows = 2,
          .n_llcs = 5,
          .n_sms = 3},
         0,
         "noc.routing",
         "llc.slices"},
        {{.topology = "mesh",
          .routing = "checkerboard",
          .placement = NOC_PLACE_LIST,
          .place_list = even,
          .n_place_list = 4},
         0,
         "noc.mesh.memory_nodes",
         "noc.routing"},
        {{.topology = "mesh",
          .placement = NOC_PLACE_LIST,
          .place_list = one_place,
          .n_place_list = 2},
         0,
         "noc.mesh.memory_nodes",
         "llc.slices"},
        {{.topology = "mesh",
          .placement = NOC_PLACE_LIST,
          .place_list = outside,
          .n_place_list = 4},
         0,
         "noc.mesh.memory_nodes",
         "noc.mesh.columns"},
        {{.topology = "mesh", .placement = NOC_PLACE_LIST, .place_list = twice, .n_place_list = 4},
         0,
         "noc.mesh.memory_nodes",
         "twice"},
        {{.topology = "mesh", .placement = NOC_PLACE_GPGPUSIM},
         0,
         "noc.mesh.placement",
         "llc.slices"},
        {{.topology = "mesh", .routing = "direct"},
         0,
         "noc.routing = 'direct'",
         "noc.topology = 'mesh'"},
        {{.topology = "mesh", .vcs = 1}, NOC_BOTH, "noc.shared", "noc.vcs"},
        {{.topology = "crossbar", .vcs = 1}, NOC_BOTH, "noc.shared", "noc.vcs"},
        {{.topology = "clos"}, NOC_BOTH, "noc.shared", "noc.topology"},
        {{.topology = "cdxbar"}, NOC_BOTH, "noc.shared", "noc.topology"},
        {{.topology = "smesh"}, NOC_BOTH, "noc.shared", "noc.topology"},
        {{.topology = "butterfly"}, NOC_BOTH, "noc.shared", "noc.topology"},
        {{.topology = "clos", .clos_n = 3, .clos_r = 2}, 0, "noc.clos.n = 3", "gpu.sms"},
        {{.topology = "clos", .clos_n = 3, .clos_r = 2}, 0, "noc.clos.r = 2", "llc.slices"},
        {{.topology = "clos", .clos_m = 1u << 20}, 0, "noc.clos.m", "noc.clos.r"},
        {{.topology = "butterfly", .fly_k = 2, .fly_n = 2}, 0, "noc.butterfly.k = 2", "gpu.sms"},
        {{.topology = "butterfly", .fly_k = 3, .fly_n = 1}, 0, "noc.butterfly.n = 1", "llc.slices"},
        {{.topology = "butterfly", .fly_k = 2, .fly_n = 4000000000u},
         0,
         "noc.butterfly.k",
         "noc.butterfly.n"},
        {{.topology = "butterfly", .fly_k = 1, .fly_n = 4000000000u},
         0,
         "noc.butterfly.k",
         "noc.butterfly.n"},
        {{.topology = "cdxbar", .cd_groups = 7}, 0, "noc.cdxbar.groups = 7", "gpu.sms"},
        {{.topology = "cdxbar", .cd_groups = 3, .cd_ports = 3},
         0,
         "noc.cdxbar.ports = 3",
         "noc.cdxbar.groups = 3"},
        {{.topology = "hierarchical"}, NOC_BOTH, "noc.shared", "noc.topology"},
        {{.topology = "hierarchical", .hier_gpcs = 4}, 0, "noc.hierarchical.gpcs = 4", "gpu.sms"},
        {{.topology = "hierarchical", .hier_tpc_ports = 3},
         0,
         "noc.hierarchical.tpc_ports = 3",
         "noc.hierarchical.tpc"},
        {{.topology = "hierarchical", .hier_gpcs = 3, .hier_gpc_ports = 2},
         0,
         "noc.hierarchical.gpc_ports = 2",
         "noc.hierarchical.gpcs = 3"},
        {{.topology = "hierarchical", .hier_gpcs = 3, .hier_partitions = 3},
         0,
         "noc.hierarchical.partitions = 3",
         "llc.slices = 2"},
        {{.topology = "hierarchical", .hier_direct = true, .hier_partitions = 2, .hier_halves = 3},
         0,
         "noc.hierarchical.halves = 3",
         "noc.hierarchical.partitions = 2"},
        {{.topology = "hierarchical",
          .hier_gpcs = 2,
          .hier_partitions = 2,
          .hier_crossings = 70000},
         0,
         "noc.hierarchical.gpcs",
         "noc.hierarchical.gpc_ports"},
        {{.topology = "crossbar", .n_sm_ports = 7}, 0, "gpu.clusters = 7", "gpu.sms = 6"},
        {{.topology = "crossbar", .n_sm_ports = 5, .sms_per_port = 2},
         0,
         "gpu.clusters = 5",
         "gpu.sms = 6"},
        {{.topology = "crossbar", .n_sms = 70000}, 0, "gpu.sms = 70000", "65535"},
        {{.topology = "crossbar", .n_sms = 65000, .n_llcs = 1000}, 0, "gpu.sms", "llc.slices"},
        {{.topology = "custom"}, 0, "noc.custom.routers", "noc.custom.links"},
        {{.topology = "torus"}, 0, "noc.topology", "torus"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena mem;
        arena_init(&mem, NULL, NULL);
        struct noc_params p = rows[i].p, usual = params_of(NULL, 6, 2);
        p.n_sms = p.n_sms ? p.n_sms : usual.n_sms;
        p.n_llcs = p.n_llcs ? p.n_llcs : usual.n_llcs;
        p.vcs = p.vcs ? p.vcs : usual.vcs;
        p.vc_depth = usual.vc_depth, p.width_bits = usual.width_bits, p.at = usual.at;
        const char *text = refusal(p, rows[i].dir, &mem);
        if (strncmp(text, "a.cfg:7", 7) || !strstr(text, rows[i].first) ||
            !strstr(text, rows[i].second))
            fail_msg("row %zu: '%s' does not name '%s' and '%s'", i, text, rows[i].first,
                     rows[i].second);
        arena_free(&mem);
    }
}

/* Any numbers at all: an error or a network, never a crash. */
static void random_numbers_never_crash(void **state)
{
    (void)state;
    uint32_t refused = 0;
    for (uint32_t seed = 0; seed < 3000; seed++) {
        struct rng r;
        rng_seed(&r, seed, "any", 0);
        struct arena mem;
        arena_init(&mem, NULL, NULL);
        const struct topology *t = noc_topologies[rng_below(&r, 8)];
        struct noc_params p = params_of(t->name, rng_below(&r, 40), rng_below(&r, 20));
        uint32_t *sizes[] = {&p.vcs,
                             &p.n_sm_ports,
                             &p.sms_per_port,
                             &p.mesh_columns,
                             &p.mesh_rows,
                             &p.clos_m,
                             &p.clos_n,
                             &p.clos_r,
                             &p.fly_k,
                             &p.fly_n,
                             &p.cd_groups,
                             &p.cd_ports,
                             &p.hier_tpc,
                             &p.hier_gpcs,
                             &p.hier_tpc_ports,
                             &p.hier_gpc_ports,
                             &p.hier_partitions,
                             &p.hier_crossings,
                             &p.hier_halves};
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            if (!rng_below(&r, 3))
                *sizes[i] = rng_below(&r, 40) ? rng_below(&r, 12) : (uint32_t)rng_u64(&r);
        p.placement = (enum noc_placement)rng_below(&r, NOC_PLACE_AUTO + 1);
        p.routing = rng_below(&r, 3) ? "" : t->routings[rng_below(&r, count_names(t->routings))];
        enum noc_dir dir = (enum noc_dir)rng_below(&r, 3);
        struct err err;
        err_init(&err);
        struct noc noc;
        struct noc_facts facts;
        if (noc_build(&p, dir, false, &mem, &noc, &facts, &err)) {
            assert_false(err_any(&err));
            if (noc.n_channels < 3000) /* the oracle is slow */
                check_network(&noc, &facts);
        } else {
            assert_true(err_any(&err));
            assert_string_equal(err.first->at.file, "a.cfg");
            refused++;
        }
        err_free(&err);
        arena_free(&mem);
    }
    assert_in_range(refused, 300, 2700);
}

/* ---- broken graphs -------------------------------------------------------------------------- */

static const char *finding(const struct noc *noc, struct arena *mem)
{
    struct err err;
    struct noc_facts facts;
    err_init(&err);
    const char *text =
        noc_check(noc, false, mem, &facts, &err) ? "" : err_entry_text(err.first, mem);
    err_free(&err);
    return text;
}

static void broken_graphs_are_found(void **state)
{
    (void)state;
    for (int fault = 0; fault < 9; fault++) {
        struct arena mem;
        arena_init(&mem, NULL, NULL);
        struct noc noc;
        struct noc_params p = params_of("mesh", 6, 3);
        assert_true(build(&p, NOC_REQUEST, &mem, &noc, NULL));
        const char *says = "";
        struct noc_router *r = &noc.routers[4];
        switch (fault) {
        case 0: /* a port forgets its channel */
            noc.in_channels[r->first_in] = NOC_NONE;
            says = "dangling";
            break;
        case 1: /* a port claims another's channel */
            noc.out_channels[noc.routers[0].first_out + 3] = noc_out_channel(&noc, 4, 0);
            says = "dangling";
            break;
        case 2: /* a rule is lost */
            noc.rules[r->first_rule].classes = 0;
            says = "have no route";
            break;
        case 3: /* rules overlap */
            noc.rules[r->first_rule].x1 = 2;
            says = "two routes";
            break;
        case 4: /* a rule leads to a tied-off port */
            noc.choices[noc.rules[noc.routers[0].first_rule].first_choice] = 1;
            says = "not connected";
            break;
        case 5: /* a packet is sent back where it came from */
            noc.choices[noc.rules[r->first_rule].first_choice] = 0;
            says = "round in a circle";
            break;
        case 6: /* the wrong slice gets it */
            for (uint32_t i = 0; i < noc.n_endpoints; i++)
                if (noc.endpoints[i].kind == NOC_EP_LLC && noc.endpoints[i].x == 0)
                    noc.endpoints[i].x = 1;
                else if (noc.endpoints[i].kind == NOC_EP_LLC && noc.endpoints[i].x == 1)
                    noc.endpoints[i].x = 0;
            says = "another endpoint";
            break;
        case 7: /* a router without sources has lost its slice */
            for (uint32_t i = 0; i < noc.routers[0].n_rules; i++) {
                struct noc_rule *rule = &noc.rules[noc.routers[0].first_rule + i];
                if (rule->x0 == 0 && rule->x1 == 0 && rule->y0 == 0 && rule->y1 == 0)
                    rule->classes = 0;
            }
            says = "have no route";
            break;
        case 8: /* xy and yx on the same VCs */
            p = params_of("mesh", 24, 12);
            p.routing = "checkerboard";
            assert_true(build(&p, NOC_REQUEST, &mem, &noc, NULL));
            noc.vc_ranges[1] = noc.vc_ranges[2] = noc.vc_ranges[0];
            says = "can deadlock";
            break;
        }
        const char *text = finding(&noc, &mem);
        if (!strstr(text, says))
            fail_msg("fault %d: '%s' does not say '%s'", fault, text, says);
        arena_free(&mem);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contradictions_name_both_keys),
        cmocka_unit_test(random_numbers_never_crash),
        cmocka_unit_test(broken_graphs_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
