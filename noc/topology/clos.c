/* SPDX-License-Identifier: MIT
 *
 * clos: three stages (m, n, r). r switches of n x m take the sources, m switches of r x r are the
 * middle, r switches of m x n lead to the destinations; every switch has one link to each switch of
 * the next stage.
 *
 *     sources  r x (n x m)  --rm-->  m x (r x r)  --mr-->  r x (m x n)  destinations
 *
 * The n * r terminals are numbered once for both sides; slices are spread evenly over them, SMs
 * take the others in order. Terminals without an endpoint are tied off. The first stage chooses the
 * middle switch: at random, in rotation, or the least loaded one. Sizes by default (CD-Xbar paper,
 * Table 1): n = r = ceil(sqrt(S + L)), m the largest power of two up to n: (4,6,6), (8,10,10),
 * (8,12,12), (8,14,14) for 20, 80, 120 and 180 SMs with 16 slices. */
#include "noc/build.h"

static const char *const keys[] = {"noc.clos.m", "noc.clos.n", "noc.clos.r", NULL};
static const char *const routings[] = {"random", "round_robin", "least_loaded", NULL};
static const uint8_t selects[] = {NOC_SELECT_RANDOM, NOC_SELECT_ROUND_ROBIN,
                                  NOC_SELECT_LEAST_LOADED};
extern const struct topology noc_clos;

static bool complete(struct noc_params *p, struct err *err)
{
    if (!noc_complete_common(p, &noc_clos, err))
        return false;
    uint32_t nodes = p->n_sm_ports + p->n_llcs;
    if (!p->clos_n && !p->clos_r)
        p->clos_n = p->clos_r = noc_ceil_sqrt(nodes);
    if (!p->clos_n)
        p->clos_n = (nodes - 1) / p->clos_r + 1;
    if (!p->clos_r)
        p->clos_r = (nodes - 1) / p->clos_n + 1;
    if (!p->clos_m)
        for (p->clos_m = 1; p->clos_m <= p->clos_n / 2;)
            p->clos_m *= 2;
    if ((uint64_t)p->clos_n * p->clos_r < nodes)
        return err_add(
            err, ERR_INPUT, p->at,
            "noc.clos.n = %u times noc.clos.r = %u are too few terminals for %u SM ports "
            "(gpu.sms) and llc.slices = %u",
            p->clos_n, p->clos_r, p->n_sm_ports, p->n_llcs);
    if (p->clos_m > UINT16_MAX ||
        (uint64_t)p->clos_n * p->clos_r > 16 * (uint64_t)NOC_MAX_ENDPOINTS ||
        (uint64_t)p->clos_m * p->clos_r > 16 * (uint64_t)NOC_MAX_ENDPOINTS ||
        p->clos_n > UINT16_MAX || p->clos_r > UINT16_MAX)
        return err_add(
            err, ERR_INPUT, p->at,
            "noc.clos.m = %u, noc.clos.n = %u and noc.clos.r = %u make a network that is "
            "too large",
            p->clos_m, p->clos_n, p->clos_r);
    return true;
}

static uint8_t select_of(const struct noc_params *params)
{
    for (uint32_t i = 0; routings[i]; i++)
        if (noc_routing_is(params, routings[i]))
            return selects[i];
    return NOC_SELECT_RANDOM;
}

/* First stage: routers 0..r-1, middle: r..r+m-1, last: r+m..2r+m-1. */
static void add_switches(struct noc_builder *b, const struct noc_params *p, struct arena *scratch)
{
    uint32_t m = p->clos_m, n = p->clos_n, r = p->clos_r;
    for (uint32_t i = 0; i < r; i++)
        noc_add_router(b, (uint16_t)n, (uint16_t)m, 0, (uint16_t)i, 0);
    for (uint32_t i = 0; i < m; i++)
        noc_add_router(b, (uint16_t)r, (uint16_t)r, 1, (uint16_t)i, 1);
    for (uint32_t i = 0; i < r; i++)
        noc_add_router(b, (uint16_t)m, (uint16_t)n, 2, (uint16_t)i, 2);
    for (uint32_t i = 0; i < r; i++)
        for (uint32_t j = 0; j < m; j++)
            noc_link(b, i, (uint16_t)j, r + j, (uint16_t)i);
    for (uint32_t j = 0; j < m; j++)
        for (uint32_t i = 0; i < r; i++)
            noc_link(b, r + j, (uint16_t)i, r + m + i, (uint16_t)j);

    uint16_t *middles = arena_many(scratch, uint16_t, m);
    for (uint32_t j = 0; j < m; j++)
        middles[j] = (uint16_t)j;
    struct noc_rule rule = NOC_EVERYWHERE;
    rule.select = select_of(p);
    for (uint32_t i = 0; i < r; i++)
        noc_add_rule(b, i, rule, middles, (uint16_t)m);
    for (uint32_t j = 0; j < m; j++)
        for (uint32_t i = 0; i < r; i++) {
            rule.x0 = rule.x1 = (uint16_t)i;
            noc_add_single(b, r + j, rule, (uint16_t)i);
        }
}

static bool build(const struct noc_params *p, enum noc_dir dir, struct arena *mem, struct noc *out,
                  struct err *err)
{
    if (dir == NOC_BOTH)
        return noc_no_both(p, err);
    uint32_t m = p->clos_m, n = p->clos_n, r = p->clos_r, ends = p->n_sm_ports + p->n_llcs;
    struct arena scratch;
    noc_scratch(&scratch, mem);
    struct noc_builder *b = noc_builder_new(&scratch, noc_clos.name, dir);
    uint32_t *terminal = arena_many(&scratch, uint32_t, ends);
    noc_spread_terminals(p, n * r, &scratch, terminal);
    add_switches(b, p, &scratch);
    for (uint32_t e = 0; e < ends; e++) {
        bool is_sm = e < p->n_sm_ports;
        uint16_t x = (uint16_t)(terminal[e] / n), y = (uint16_t)(terminal[e] % n);
        if (is_sm)
            noc_add_sm_port(b, p, e, x, y);
        else
            noc_add_llc(b, e - p->n_sm_ports, x, y);
        if (is_sm == (dir == NOC_REQUEST)) {
            noc_inject(b, e, x, y);
            continue;
        }
        struct noc_rule rule = NOC_EVERYWHERE;
        rule.x0 = rule.x1 = x;
        rule.y0 = rule.y1 = y;
        noc_eject(b, r + m + x, y, e);
        noc_add_single(b, r + m + x, rule, y);
    }
    noc_freeze(b, p->width_bits, p->vcs, p->vc_depth, mem, out);
    arena_free(&scratch);
    return true;
}

const struct topology noc_clos = {
    .name = "clos",
    .meaning = "three-stage Clos (m, n, r), any middle switch",
    .keys = keys,
    .routings = routings,
    .complete = complete,
    .build = build,
};
