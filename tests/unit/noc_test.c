/* SPDX-License-Identifier: MIT */
#include "tests/unit/noc_fixture.h"

/* Both networks' counts. */
static struct noc_counts count_both(struct noc_params params, struct arena *mem)
{
    struct noc_counts sum = {0};
    struct err err;
    err_init(&err);
    for (int dir = NOC_REQUEST; dir <= NOC_REPLY; dir++) {
        struct noc_params p = params;
        struct noc noc;
        struct noc_counts counts;
        struct noc_facts facts;
        bool ok = noc_build(&p, (enum noc_dir)dir, false, mem, &noc, &facts, &err);
        print_errors(&err);
        assert_true(ok);
        assert_true(facts.is_deadlock_free);
        noc_count(&noc, mem, &counts);
        noc_count_add(&sum, &counts, mem);
    }
    err_free(&err);
    return sum;
}

struct count_row {
    const char *topology;
    uint32_t sms, llcs, routers, vc_buffers, links;
};

static void counts_are_those_of_the_paper(void **state)
{
    static const struct count_row rows[] = {
        {"crossbar", 20, 16, 2, 144, 72},      {"crossbar", 56, 8, 2, 256, 128},
        {"crossbar", 80, 16, 2, 384, 192},     {"crossbar", 120, 16, 2, 544, 272},
        {"crossbar", 180, 16, 2, 784, 392},    {"mesh", 20, 16, 72, 1440, 312},
        {"mesh", 56, 8, 128, 2560, 576},       {"mesh", 80, 16, 200, 4000, 912},
        {"mesh", 120, 16, 288, 5760, 1328},    {"mesh", 180, 16, 392, 7840, 1848},
        {"clos", 20, 16, 32, 672, 168},        {"clos", 56, 8, 48, 1536, 384},
        {"clos", 80, 16, 56, 2080, 512},       {"clos", 120, 16, 64, 2688, 656},
        {"clos", 180, 16, 72, 3360, 840},      {"butterfly", 20, 16, 24, 576, 144},
        {"butterfly", 56, 8, 32, 1024, 256},   {"butterfly", 80, 16, 40, 1600, 392},
        {"butterfly", 120, 16, 48, 2304, 560}, {"butterfly", 180, 16, 56, 3136, 784},
        {"smesh", 20, 16, 72, 1152, 252},      {"smesh", 56, 8, 128, 2048, 464},
        {"smesh", 80, 16, 200, 3200, 732},     {"smesh", 120, 16, 288, 4608, 1064},
        {"smesh", 180, 16, 392, 6272, 1484},   {"cdxbar", 20, 16, 18, 336, 120},
        {"cdxbar", 56, 8, 10, 352, 152},       {"cdxbar", 80, 16, 18, 576, 240},
        {"cdxbar", 120, 16, 18, 736, 320},     {"cdxbar", 180, 16, 18, 976, 440},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena mem;
        arena_init(&mem, NULL, NULL);
        struct noc_counts c =
            count_both(params_of(rows[i].topology, rows[i].sms, rows[i].llcs), &mem);
        assert_int_equal(c.routers, rows[i].routers);
        assert_int_equal(c.vc_buffers, rows[i].vc_buffers);
        assert_int_equal(c.links, rows[i].links);
        arena_free(&mem);
    }
}

static uint32_t shape_count(const struct noc_counts *c, uint32_t inputs, uint32_t outputs)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->n_shapes; i++)
        if (c->shapes[i].inputs == inputs && c->shapes[i].outputs == outputs)
            n += c->shapes[i].count;
    return n;
}

static void switches_have_the_shapes_of_the_paper(void **state)
{
    static const struct {
        const char *topology;
        uint32_t sms, inputs, outputs, count;
    } rows[] = {
        {"crossbar", 80, 80, 16, 1},   {"crossbar", 80, 16, 80, 1}, {"mesh", 80, 5, 5, 200},
        {"clos", 80, 10, 8, 20},       {"clos", 80, 8, 10, 20},     {"clos", 80, 10, 10, 16},
        {"butterfly", 80, 10, 10, 40}, {"smesh", 80, 4, 4, 200},    {"cdxbar", 80, 10, 3, 8},
        {"cdxbar", 80, 3, 10, 8},      {"cdxbar", 80, 24, 16, 1},   {"cdxbar", 80, 16, 24, 1},
        {"cdxbar", 180, 23, 3, 4},     {"cdxbar", 180, 22, 3, 4},   {"cdxbar", 120, 15, 3, 8},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena mem;
        arena_init(&mem, NULL, NULL);
        struct noc_counts c = count_both(params_of(rows[i].topology, rows[i].sms, 16), &mem);
        assert_int_equal(shape_count(&c, rows[i].inputs, rows[i].outputs), rows[i].count);
        arena_free(&mem);
    }
}

static void sms_share_ports_as_evenly_as_can_be(void **state)
{
    (void)state;
    struct arena mem;
    arena_init(&mem, NULL, NULL);
    struct noc noc;
    struct noc_params p = params_of("crossbar", 80, 16);
    p.n_sm_ports = 24;
    assert_true(build(&p, NOC_REQUEST, &mem, &noc, NULL));
    assert_int_equal(noc.n_sm_ports, 24);
    for (uint32_t i = 0; i < 24; i++)
        assert_int_equal(noc.endpoints[i].n, i < 8 ? 4 : 3);
    for (uint32_t sm = 0; sm < 80; sm++) {
        uint32_t e = noc_endpoint_of_sm(&noc, sm);
        assert_true(noc.endpoints[e].first <= sm);
        assert_true(sm < noc.endpoints[e].first + noc.endpoints[e].n);
    }
    assert_true(noc_endpoint_of_sm(&noc, 80) == NOC_NONE);

    p = params_of("crossbar", 60, 8);
    p.sms_per_port = 5;
    assert_true(build(&p, NOC_REPLY, &mem, &noc, NULL));
    assert_int_equal(noc.n_sm_ports, 12);
    assert_int_equal(noc.routers[0].n_out, 12);
    assert_int_equal(noc_endpoint_of_sm(&noc, 59), 11);
    arena_free(&mem);
}

static void bisections_are_those_of_the_paper(void **state)
{
    static const struct {
        const char *topology;
        uint32_t sms, llcs, channels, hops;
    } rows[] = {
        {"mesh", 56, 8, 8, 0},     {"cdxbar", 56, 8, 8, 2},      {"smesh", 56, 8, 8, 0},
        {"mesh", 80, 16, 10, 0},   {"crossbar", 80, 16, 16, 1},  {"clos", 80, 16, 16, 3},
        {"cdxbar", 80, 16, 16, 2}, {"butterfly", 80, 16, 16, 2},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int dir = NOC_REQUEST; dir <= NOC_REPLY; dir++) {
            struct arena mem;
            arena_init(&mem, NULL, NULL);
            struct noc noc;
            struct noc_facts facts;
            struct noc_params p = params_of(rows[i].topology, rows[i].sms, rows[i].llcs);
            assert_true(build(&p, (enum noc_dir)dir, &mem, &noc, &facts));
            assert_int_equal(facts.bisection_bits, rows[i].channels * 256);
            assert_true(facts.bisection_is_exact);
            if (rows[i].hops) {
                assert_int_equal(facts.min_hops, rows[i].hops);
                assert_int_equal(facts.max_hops, rows[i].hops);
            }
            arena_free(&mem);
        }
}

/* ---- random networks ------------------------------------------------------------------------ */

/* Routers, input ports and channels of one network by the formulas in docs/networks.md. */
static void check_formulas(const struct noc *noc, const struct noc_params *p)
{
    uint64_t s = p->n_sm_ports, l = p->n_llcs, routers = 0, ports = 0, links = 0;
    bool both = noc->dir == NOC_BOTH, request = noc->dir == NOC_REQUEST;
    uint64_t io = both ? 2 * (s + l) : s + l;
    if (!strcmp(p->topology, "crossbar")) {
        routers = 1, ports = both ? s + l : request ? s : l, links = io;
    } else if (!strcmp(p->topology, "mesh") || !strcmp(p->topology, "smesh")) {
        uint64_t c = p->mesh_columns, r = p->mesh_rows, full = !strcmp(p->topology, "mesh");
        routers = c * r, ports = routers * (full ? 5 : 4);
        links = 2 * (c - 1) * r + (full ? 2 : 1) * c * (r - 1) + io;
    } else if (!strcmp(p->topology, "clos")) {
        uint64_t m = p->clos_m, n = p->clos_n, r = p->clos_r;
        routers = 2 * r + m, ports = r * n + 2 * m * r, links = 2 * r * m + io;
    } else if (!strcmp(p->topology, "butterfly")) {
        uint64_t all = 1;
        for (uint32_t i = 0; i < p->fly_n; i++)
            all *= p->fly_k;
        routers = p->fly_n * all / p->fly_k, ports = p->fly_n * all;
        links = (p->fly_n - 1) * all + io;
    } else if (!strcmp(p->topology, "cdxbar")) {
        uint64_t gp = (uint64_t)p->cd_groups * p->cd_ports;
        routers = p->cd_groups + 1, ports = request ? s + gp : l + gp, links = gp + io;
    } else if (!strcmp(p->topology, "hierarchical")) {
        uint64_t n = p->hier_tpc, t = (s + n - 1) / n, a = p->hier_tpc_ports,
                 q = p->hier_partitions;
        uint64_t last = s - (t - 1) * n;                               /* SMs of the last TPC */
        uint64_t up = n > 1 ? (t - 1) * a + (last < a ? last : a) : 0; /* TPC links */
        uint64_t h = p->hier_halves, gpc = (uint64_t)p->hier_gpcs * p->hier_gpc_ports * (q / h),
                 across = q * (h - 1) * p->hier_crossings;
        routers = (n > 1 ? t : 0) + p->hier_gpcs + q;
        ports = request ? (n > 1 ? s : 0) + t * a + gpc + across : up + gpc + l + across;
        links = up + gpc + across + io;
        uint64_t slow = 0; /* those that take cycles beyond their length */
        for (uint32_t i = 0; i < noc->n_channels; i++)
            slow += noc->channels[i].more_stages == p->hier_crossing_cycles &&
                    noc->channels[i].more_stages > 0;
        assert_int_equal(slow, p->hier_crossing_cycles ? across : 0);
    } else {
        return;
    }
    struct arena mem;
    arena_init(&mem, NULL, NULL);
    struct noc_counts c;
    noc_count(noc, &mem, &c);
    assert_int_equal(c.routers, routers);
    assert_int_equal(c.vc_buffers, ports * p->vcs);
    assert_int_equal(c.links, links);
    arena_free(&mem);
}

/* Legal by construction; half of the sizes are left to be chosen. */

static struct noc_params random_params(const struct topology *t, struct rng *r, int64_t *list)
{
    uint32_t most = rng_below(r, 50) ? 40 : 150;
    struct noc_params p = params_of(t->name, between(r, 1, most), between(r, 1, most / 3));
    p.vcs = between(r, 4, 8);
    p.routing = t->routings[rng_below(r, count_names(t->routings))];
    if (!rng_below(r, 3))
        p.n_sm_ports = between(r, 1, p.n_sms);
    else if (!rng_below(r, 3))
        p.sms_per_port = between(r, 1, p.n_sms);
    uint32_t ports = p.n_sm_ports         ? p.n_sm_ports
                     : p.sms_per_port > 1 ? (p.n_sms - 1) / p.sms_per_port + 1
                                          : p.n_sms;
    uint32_t nodes = ports + p.n_llcs;
    if (!strcmp(t->name, "mesh") || !strcmp(t->name, "smesh")) {
        bool full = !strcmp(t->name, "mesh");
        p.placement = (enum noc_placement)rng_below(r, full ? 6 : 2);
        if (p.placement == NOC_PLACE_GPGPUSIM) /* fits one grid only: its turn goes to the list */
            p.placement = NOC_PLACE_LIST;
        bool checkerboard = !strcmp(p.routing, "checkerboard");
        if (checkerboard && p.n_llcs > ports) /* memory nodes take half of the places at most */
            p.n_llcs = ports, nodes = 2 * ports;
        if (rng_below(r, 2) || p.placement == NOC_PLACE_LIST || checkerboard) {
            p.mesh_columns = between(r, 2, 12);
            p.mesh_rows = (nodes - 1) / p.mesh_columns + between(r, 1, 3);
        }
        if (checkerboard && p.mesh_columns * p.mesh_rows / 2 < p.n_llcs)
            p.mesh_rows++;
        for (uint32_t i = 0; p.placement == NOC_PLACE_LIST && i < p.n_llcs; i++) {
            uint32_t cell = checkerboard ? 2 * i : i, x = cell % p.mesh_columns,
                     y = cell / p.mesh_columns;
            if (checkerboard) { /* the i-th place with odd column + row */
                uint32_t seen = 0;
                for (cell = 0; seen <= i; cell++)
                    seen += (cell % p.mesh_columns + cell / p.mesh_columns) & 1;
                x = (cell - 1) % p.mesh_columns, y = (cell - 1) / p.mesh_columns;
            }
            list[2 * i] = x, list[2 * i + 1] = y;
        }
        p.place_list = list;
        p.n_place_list = p.placement == NOC_PLACE_LIST ? 2 * p.n_llcs : 0;
    } else if (!strcmp(t->name, "clos") && rng_below(r, 2)) {
        p.clos_n = between(r, 1, 12);
        p.clos_r = (nodes - 1) / p.clos_n + between(r, 1, 3);
        p.clos_m = between(r, 1, 6);
    } else if (!strcmp(t->name, "butterfly") && rng_below(r, 2)) {
        if (rng_below(r, 2))
            p.fly_k = between(r, 2, 12);
        else
            p.fly_n = between(r, 1, 4);
    } else if (!strcmp(t->name, "cdxbar") && rng_below(r, 2)) {
        p.cd_groups = between(r, 1, ports);
        p.cd_ports = between(r, 1, (ports - 1) / p.cd_groups + 1);
    } else if (!strcmp(t->name, "hierarchical") && rng_below(r, 4)) {
        p.hier_tpc = between(r, 1, 4);
        uint32_t tpcs = (ports - 1) / p.hier_tpc + 1;
        p.hier_gpcs = between(r, 1, tpcs);
        p.hier_tpc_ports = between(r, 1, p.hier_tpc);
        p.hier_gpc_ports = between(r, 1, ((tpcs - 1) / p.hier_gpcs + 1) * p.hier_tpc_ports);
        uint32_t most_partitions = p.hier_gpcs < p.n_llcs ? p.hier_gpcs : p.n_llcs;
        p.hier_partitions = between(r, 1, most_partitions < 3 ? most_partitions : 3);
        p.hier_crossings = between(r, 1, 4);
        p.hier_crossing_cycles = rng_below(r, 3);
        p.hier_direct = rng_below(r, 2);
        if (p.hier_direct) /* they may be more than GPCs */
            p.hier_partitions = between(r, 1, p.n_llcs < 8 ? p.n_llcs : 8);
        uint32_t halves = between(r, 1, 3); /* of several partitions each */
        if (p.hier_direct && p.hier_partitions % halves == 0 && halves <= p.hier_gpcs)
            p.hier_halves = halves;
    }
    return p;
}

static bool offers_both(const struct topology *t)
{
    return !strcmp(t->name, "mesh") || !strcmp(t->name, "crossbar");
}

static void random_networks_are_sound(void **state)
{
    (void)state;
    for (const struct topology *const *t = noc_topologies; *t; t++) {
        if (!strcmp((*t)->name, "custom"))
            continue; /* below */
        for (uint32_t seed = 0; seed < 500; seed++) {
            struct rng r;
            rng_seed(&r, seed, (*t)->name, 0);
            struct arena mem;
            arena_init(&mem, NULL, NULL);
            int64_t list[400];
            struct noc_params params = random_params(*t, &r, list);
            uint32_t last = offers_both(*t) ? NOC_BOTH : NOC_REPLY;
            for (uint32_t dir = NOC_REQUEST; dir <= last; dir++) {
                struct noc_params p = params;
                struct noc noc;
                struct noc_facts facts;
                if (!build(&p, (enum noc_dir)dir, &mem, &noc, &facts))
                    fail_msg("%s, seed %u", (*t)->name, seed);
                check_consistency(&noc);
                check_formulas(&noc, &p);
                check_network(&noc, &facts);
            }
            arena_free(&mem);
        }
    }
}

static void large_networks_are_sound(void **state)
{
    (void)state;
    for (const struct topology *const *t = noc_topologies; *t; t++) {
        if (!strcmp((*t)->name, "custom"))
            continue;
        for (int dir = NOC_REQUEST; dir <= NOC_REPLY; dir++) {
            struct arena mem;
            arena_init(&mem, NULL, NULL);
            struct noc_params p = params_of((*t)->name, 1024, 128);
            struct noc noc;
            struct noc_facts facts;
            assert_true(build(&p, (enum noc_dir)dir, &mem, &noc, &facts));
            check_consistency(&noc);
            check_formulas(&noc, &p);
            assert_true(facts.is_deadlock_free);
            arena_free(&mem);
        }
    }
}

/* ---- floorplan ------------------------------------------------------------------------------ */

static bool overlap(const struct noc_tile *a, const struct noc_tile *b)
{
    const float slack = 1e-3f;
    return a->x_mm + a->width_mm > b->x_mm + slack && b->x_mm + b->width_mm > a->x_mm + slack &&
           a->y_mm + a->height_mm > b->y_mm + slack && b->y_mm + b->height_mm > a->y_mm + slack;
}

static double end_of(const struct noc *noc, enum noc_node node, uint32_t i, bool is_x)
{
    return node == NOC_ROUTER ? (is_x ? noc->routers[i].x_mm : noc->routers[i].y_mm)
                              : (is_x ? noc->endpoints[i].x_mm : noc->endpoints[i].y_mm);
}

static uint64_t wires_over(const struct noc *noc, bool is_x, double at)
{
    uint64_t sum = 0;
    for (uint32_t c = 0; c < noc->n_channels; c++) {
        const struct noc_channel *ch = &noc->channels[c];
        double a = end_of(noc, ch->src_node, ch->src, is_x);
        double b = end_of(noc, ch->dst_node, ch->dst, is_x);
        if (fmin(a, b) <= at && at < fmax(a, b))
            sum += ch->width_bits;
    }
    return sum;
}

/* Counted one by one, and no other place is fuller than the fullest. */
static void check_cuts(const struct noc_floorplan *plan, const struct noc *request,
                       const struct noc *reply)
{
    struct noc_cut cuts[NOC_CUTS];
    noc_cuts(plan, request, reply, cuts);
    for (int i = 0; i < NOC_CUTS; i++) {
        bool is_x = i < NOC_CUTS_ONE_WAY;
        const struct noc_cut *most = &cuts[is_x ? 0 : NOC_CUTS_ONE_WAY];
        assert_int_equal(cuts[i].is_vertical, is_x);
        assert_int_equal(cuts[i].is_fullest, &cuts[i] == most);
        assert_int_equal(cuts[i].wires, wires_over(request, is_x, cuts[i].at_mm) +
                                            wires_over(reply, is_x, cuts[i].at_mm));
        assert_close(cuts[i].length_mm, is_x ? plan->height_mm : plan->width_mm, 1e-6);
    }
    for (int k = 0; k < 200; k++)
        for (int is_x = 0; is_x < 2; is_x++) {
            double at = (is_x ? plan->width_mm : plan->height_mm) * (k + 0.5) / 200;
            assert_true(wires_over(request, is_x, at) + wires_over(reply, is_x, at) <=
                        cuts[is_x ? 0 : NOC_CUTS_ONE_WAY].wires);
        }
}

static void tiles_lie_side_by_side_on_the_die(void **state)
{
    (void)state;
    for (const struct topology *const *t = noc_topologies; *t; t++)
        for (uint32_t seed = 0; seed < 40 && strcmp((*t)->name, "custom"); seed++) {
            struct rng r;
            rng_seed(&r, seed, "place", 0);
            struct arena mem;
            arena_init(&mem, NULL, NULL);
            struct noc_params p = params_of((*t)->name, between(&r, 1, 100), between(&r, 1, 20));
            p.n_sm_ports = rng_below(&r, 2) ? between(&r, 1, p.n_sms) : 0;
            struct noc request, reply;
            assert_true(build(&p, NOC_REQUEST, &mem, &request, NULL));
            assert_true(build(&p, NOC_REPLY, &mem, &reply, NULL));
            struct noc_place_params q = {.link_mm = {NOC_LINK_FLOORPLAN, 12.3, NOC_LINK_FLOORPLAN},
                                         .sm_area_mm2 = 10.9,
                                         .llc_area_mm2 = 1 + rng_unit(&r) * 12,
                                         .mc_area_mm2 = 1 + rng_unit(&r) * 8,
                                         .n_sms = p.n_sms,
                                         .n_llcs = p.n_llcs,
                                         .n_mcs = between(&r, 1, p.n_llcs)};
            struct noc_floorplan plan;
            noc_place(&q, &request, &reply, &mem, &plan);
            assert_int_equal(plan.n_tiles, p.n_sms + p.n_llcs + q.n_mcs);
            for (uint32_t i = 0; i < plan.n_tiles; i++) {
                const struct noc_tile *a = &plan.tiles[i];
                assert_true(a->x_mm > -1e-3f && a->x_mm + a->width_mm < plan.width_mm + 1e-3f);
                assert_true(a->y_mm > -1e-3f && a->y_mm + a->height_mm < plan.height_mm + 1e-3f);
                for (uint32_t j = 0; j < i; j++)
                    if (overlap(a, &plan.tiles[j]))
                        fail_msg("%s, seed %u: tiles %u and %u overlap", (*t)->name, seed, i, j);
            }
            check_cuts(&plan, &request, &reply);
            for (uint32_t i = 0; i < request.n_channels; i++) {
                const struct noc_channel *ch = &request.channels[i];
                if (ch->link_class == NOC_LINK_LLC)
                    assert_close(ch->length_mm, 12.3, 1e-6);
                else
                    assert_true(ch->length_mm >= 0.0999f &&
                                ch->length_mm <= plan.width_mm + plan.height_mm);
            }
            arena_free(&mem);
        }
}

static void mesh_links_are_one_tile_long(void **state)
{
    (void)state;
    struct arena mem;
    arena_init(&mem, NULL, NULL);
    struct noc_params p = params_of("mesh", 56, 8);
    struct noc noc;
    assert_true(build(&p, NOC_REQUEST, &mem, &noc, NULL));
    struct noc_place_params q = {
        .link_mm = {NOC_LINK_FLOORPLAN, NOC_LINK_FLOORPLAN, NOC_LINK_FLOORPLAN},
        .sm_area_mm2 = 10.9,
        .llc_area_mm2 = 10.9,
        .mc_area_mm2 = 4,
        .n_sms = 56,
        .n_llcs = 8,
        .n_mcs = 8};
    struct noc_floorplan plan;
    noc_place(&q, &noc, NULL, &mem, &plan);
    for (uint32_t i = 0; i < noc.n_channels; i++)
        assert_close(noc.channels[i].length_mm, sqrt(10.9), 1e-5);
    arena_free(&mem);
}

static void memory_nodes_are_placed_by_the_key(void **state)
{
    (void)state;
    static const struct {
        enum noc_placement placement;
        uint32_t columns[8], rows[8]; /* slices in each column and row of an 8 x 8 mesh */
    } rows[] = {
        {NOC_PLACE_BOTTOM, {2, 2, 2, 2, 2, 2, 2, 2}, {8, 8}},
        {NOC_PLACE_TOP, {2, 2, 2, 2, 2, 2, 2, 2}, {0, 0, 0, 0, 0, 0, 8, 8}},
        {NOC_PLACE_TOP_BOTTOM, {2, 2, 2, 2, 2, 2, 2, 2}, {8, 0, 0, 0, 0, 0, 0, 8}},
        {NOC_PLACE_LEFT_RIGHT, {8, 0, 0, 0, 0, 0, 0, 8}, {2, 2, 2, 2, 2, 2, 2, 2}},
        {NOC_PLACE_DIAMOND, {2, 2, 2, 2, 2, 2, 2, 2}, {2, 2, 2, 2, 2, 2, 2, 2}},
        {NOC_PLACE_AUTO, {2, 2, 2, 2, 2, 2, 2, 2}, {2, 2, 2, 2, 2, 2, 2, 2}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena mem;
        arena_init(&mem, NULL, NULL);
        struct noc_params p = params_of("mesh", 48, 16);
        p.placement = rows[i].placement;
        struct noc noc;
        assert_true(build(&p, NOC_REQUEST, &mem, &noc, NULL));
        uint32_t columns[8] = {0}, lines[8] = {0};
        for (uint32_t j = 48; j < 64; j++) {
            columns[noc.endpoints[j].x]++;
            lines[noc.endpoints[j].y]++;
        }
        assert_memory_equal(columns, rows[i].columns, sizeof columns);
        assert_memory_equal(lines, rows[i].rows, sizeof lines);
        arena_free(&mem);
    }
}

static void gpgpusim_has_its_own_places(void **state)
{
    (void)state;
    static const uint32_t nodes[8] = {3, 15, 17, 29, 36, 47, 49, 61};
    struct arena mem;
    arena_init(&mem, NULL, NULL);
    struct noc_params p = params_of("mesh", 56, 8);
    p.placement = NOC_PLACE_GPGPUSIM;
    struct noc noc;
    assert_true(build(&p, NOC_REQUEST, &mem, &noc, NULL));
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(noc.endpoints[56 + i].y * 8 + noc.endpoints[56 + i].x, nodes[i]);
    arena_free(&mem);
}

/* On every grid of up to 12 x 12 and for every number of memory nodes: no place twice, and no row
 * or column of a diamond has more than its share. */
static void placements_fit_every_grid(void **state)
{
    (void)state;
    static const enum noc_placement all[] = {NOC_PLACE_BOTTOM, NOC_PLACE_TOP, NOC_PLACE_TOP_BOTTOM,
                                             NOC_PLACE_LEFT_RIGHT, NOC_PLACE_DIAMOND};
    for (uint32_t columns = 1; columns <= 12; columns++)
        for (uint32_t rows = 1; rows <= 12; rows += columns % 3 + 1)
            for (uint32_t llcs = 1; llcs < columns * rows; llcs += 1 + llcs / 7)
                for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
                    struct arena mem;
                    arena_init(&mem, NULL, NULL);
                    struct noc_params p = params_of("mesh", columns * rows - llcs, llcs);
                    p.mesh_columns = columns;
                    p.mesh_rows = rows;
                    p.placement = all[k];
                    struct noc noc;
                    assert_true(build(&p, NOC_REQUEST, &mem, &noc, NULL));
                    bool taken[144] = {false};
                    uint32_t in_row[12] = {0}, in_column[12] = {0};
                    for (uint32_t e = 0; e < noc.n_endpoints; e++) {
                        uint32_t cell = noc.endpoints[e].y * columns + noc.endpoints[e].x;
                        assert_false(taken[cell]);
                        taken[cell] = true;
                        if (e >= noc.n_sm_ports) {
                            in_row[noc.endpoints[e].y]++;
                            in_column[noc.endpoints[e].x]++;
                        }
                    }
                    for (uint32_t i = 0; i < 12 && all[k] == NOC_PLACE_DIAMOND; i++) {
                        assert_true(in_row[i] <= (llcs - 1) / rows + 1);
                        assert_true(in_column[i] <= (llcs - 1) / columns + 1);
                    }
                    arena_free(&mem);
                }
}

/* What each routing name means at the routers that choose. */
static void choices_are_made_where_the_paper_makes_them(void **state)
{
    static const struct {
        const char *topology, *routing;
        enum noc_select select;
    } rows[] = {
        {"cdxbar", "", NOC_SELECT_RR_UNIT},
        {"cdxbar", "source", NOC_SELECT_SOURCE},
        {"cdxbar", "adaptive", NOC_SELECT_LEAST_LOADED},
        {"cdxbar", "random_two", NOC_SELECT_RANDOM_TWO},
        {"clos", "random", NOC_SELECT_RANDOM},
        {"clos", "round_robin", NOC_SELECT_ROUND_ROBIN},
        {"clos", "least_loaded", NOC_SELECT_LEAST_LOADED},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int dir = NOC_REQUEST; dir <= NOC_REPLY; dir++) {
            struct arena mem;
            arena_init(&mem, NULL, NULL);
            struct noc_params p = params_of(rows[i].topology, 80, 16);
            p.routing = rows[i].routing;
            struct noc noc;
            assert_true(build(&p, (enum noc_dir)dir, &mem, &noc, NULL));
            uint32_t choosers = 0;
            for (uint32_t r = 0; r < noc.n_routers; r++)
                for (uint32_t j = 0; j < noc.routers[r].n_rules; j++) {
                    const struct noc_rule *rule = &noc.rules[noc.routers[r].first_rule + j];
                    if (rule->n_choices == 1)
                        continue;
                    assert_int_equal(rule->select, rows[i].select);
                    assert_int_equal(noc.routers[r].stage, 0);
                    choosers++;
                }
            assert_int_equal(choosers, strcmp(p.topology, "clos") ? 8 : 10);
            struct noc_counts c;
            noc_count(&noc, &mem, &c);
            for (uint32_t j = 0; j < c.n_shapes; j++) {
                bool chooses =
                    dir == NOC_REQUEST ? c.shapes[j].inputs == 10 : c.shapes[j].outputs == 24;
                assert_int_equal(c.shapes[j].rr_unit_ports,
                                 rows[i].select == NOC_SELECT_RR_UNIT && chooses ? 3 : 0);
            }
            arena_free(&mem);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_those_of_the_paper),
        cmocka_unit_test(switches_have_the_shapes_of_the_paper),
        cmocka_unit_test(sms_share_ports_as_evenly_as_can_be),
        cmocka_unit_test(bisections_are_those_of_the_paper),
        cmocka_unit_test(memory_nodes_are_placed_by_the_key),
        cmocka_unit_test(gpgpusim_has_its_own_places),
        cmocka_unit_test(placements_fit_every_grid),
        cmocka_unit_test(choices_are_made_where_the_paper_makes_them),
        cmocka_unit_test(random_networks_are_sound),
        cmocka_unit_test(large_networks_are_sound),
        cmocka_unit_test(tiles_lie_side_by_side_on_the_die),
        cmocka_unit_test(mesh_links_are_one_tile_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
