/* SPDX-License-Identifier: MIT
 *
 * hierarchical: the crossbar of GPUs since Fermi (Jin et al., MICRO 2024, measured V100, A100 and
 * H100): SMs share a TPC, TPCs a GPC, GPCs meet the slices of the last-level cache in a crossbar.
 * Where the chip has two (or more) L2 partitions, each has a crossbar of its own, and a packet for
 * a slice of another partition crosses the links between them, once.
 *
 *     request   SMs  T x (2 x a)  -->  G x (ta x b)  -->  Q x (gb + c x l + c)  slices
 *     reply     slices  Q x (l + c x gb + c)  -->  G x (b x ta)  -->  T x (a x 2)  SMs
 *
 * with T TPCs of a ports, G GPCs of t TPCs and b ports, Q partitions of g GPCs and l slices, and c
 * links to the other partitions. TPCs are dealt to GPCs as evenly as can be, the larger ones first:
 * 80 SMs in 6 GPCs are 4 x 14 + 2 x 12, as on the V100. With one SM to a TPC there is no TPC stage.
 * Packets take three hops, one less without TPCs, one more across partitions. Where every GPC has
 * links to every partition (direct), as the V100 has to its memory partitions, there are no links
 * between partitions: G x (ta x Qb) --> Q x (Gb x l). A chip of two (or more) halves has both: a
 * GPC has links to every partition of its half, and each partition to the one of its place in the
 * other half, as on the A100. */
#include "noc/build.h"

#include <string.h>

#include "noc/topology.h"

static const char *const keys[] = {"noc.hierarchical.tpc",
                                   "noc.hierarchical.gpcs",
                                   "noc.hierarchical.tpc_ports",
                                   "noc.hierarchical.gpc_ports",
                                   "noc.hierarchical.partitions",
                                   "noc.hierarchical.crossings",
                                   "noc.hierarchical.crossing_cycles",
                                   "noc.hierarchical.direct",
                                   "noc.hierarchical.halves",
                                   NULL};
static const char *const routings[] = {"round_robin", "source", "adaptive", "random_two", NULL};
static const uint8_t selects[] = {NOC_SELECT_ROUND_ROBIN, NOC_SELECT_SOURCE,
                                  NOC_SELECT_LEAST_LOADED, NOC_SELECT_RANDOM_TWO};
extern const struct topology noc_hierarchical;

/* ---- sizes ---- */

static uint32_t n_tpcs(const struct noc_params *p)
{
    return (p->n_sm_ports + p->hier_tpc - 1) / p->hier_tpc;
}

static bool complete(struct noc_params *p, struct err *err)
{
    if (!noc_complete_common(p, &noc_hierarchical, err))
        return false;
    if (!p->hier_tpc)
        p->hier_tpc = p->n_sm_ports > 1 ? 2 : 1;
    if (!p->hier_partitions)
        p->hier_partitions = 1;
    if (!p->hier_halves)
        p->hier_halves = p->hier_direct ? 1 : p->hier_partitions;
    if (p->hier_partitions % p->hier_halves != 0 ||
        (!p->hier_direct && p->hier_halves != p->hier_partitions))
        return err_add(err, ERR_INPUT, p->at,
                       "noc.hierarchical.halves = %u does not divide noc.hierarchical.partitions = "
                       "%u, or noc.hierarchical.direct is false and a half has several of them",
                       p->hier_halves, p->hier_partitions);
    uint32_t tpcs = n_tpcs(p);
    if (!p->hier_gpcs) { /* seven TPCs to a GPC, as the V100 has at most */
        p->hier_gpcs = (tpcs + 6) / 7;
        if (p->hier_gpcs < p->hier_halves)
            p->hier_gpcs = p->hier_halves;
    }
    if (!p->hier_tpc_ports)
        p->hier_tpc_ports = 1;
    if (p->hier_gpcs > tpcs)
        return err_add(err, ERR_INPUT, p->at,
                       "noc.hierarchical.gpcs = %u is more than the %u TPCs that gpu.sms = %u make",
                       p->hier_gpcs, tpcs, p->n_sms);
    if (p->hier_tpc_ports > p->hier_tpc)
        return err_add(err, ERR_INPUT, p->at,
                       "noc.hierarchical.tpc_ports = %u is more than the %u SM ports of a TPC "
                       "(noc.hierarchical.tpc)",
                       p->hier_tpc_ports, p->hier_tpc);
    uint32_t most = noc_group_size(tpcs, p->hier_gpcs, 0) * p->hier_tpc_ports;
    if (!p->hier_gpc_ports)
        p->hier_gpc_ports = p->hier_direct ? 1 : (most + 1) / 2;
    if (p->hier_gpc_ports > most)
        return err_add(err, ERR_INPUT, p->at,
                       "noc.hierarchical.gpc_ports = %u is more than the %u TPC ports of a GPC "
                       "(noc.hierarchical.gpcs = %u)",
                       p->hier_gpc_ports, most, p->hier_gpcs);
    if (p->hier_halves > p->hier_gpcs || p->hier_partitions > p->n_llcs)
        return err_add(err, ERR_INPUT, p->at,
                       "noc.hierarchical.partitions = %u is more than noc.hierarchical.gpcs = %u "
                       "or llc.slices = %u",
                       p->hier_partitions, p->hier_gpcs, p->n_llcs);
    uint32_t slices = noc_group_size(p->n_llcs, p->hier_partitions, 0);
    if (p->hier_halves == 1)
        p->hier_crossings = 0;
    else if (!p->hier_crossings)
        p->hier_crossings = (slices + 1) / 2;
    uint64_t ports = (uint64_t)p->hier_gpcs * p->hier_gpc_ports +
                     (uint64_t)p->hier_crossings * (p->hier_halves - 1) + slices;
    if (ports > UINT16_MAX)
        return err_add(err, ERR_INPUT, p->at,
                       "noc.hierarchical.gpcs = %u times noc.hierarchical.gpc_ports = %u and the "
                       "crossings are too many ports for one crossbar",
                       p->hier_gpcs, p->hier_gpc_ports);
    return true;
}

/* ---- building ---- */

struct maker {
    struct noc_builder *b;
    const struct noc_params *p;
    bool is_request;
    uint8_t select;
    uint32_t tpcs, first_gpc, first_crossbar; /* router numbers */
    uint16_t *choices;
};

/* The half that a GPC belongs to. */
static uint32_t home_of(const struct noc_params *p, uint32_t gpc)
{
    uint32_t h = 0;
    while (gpc >= noc_group_first(p->hier_gpcs, p->hier_halves, h) +
                      noc_group_size(p->hier_gpcs, p->hier_halves, h))
        h++;
    return h;
}

/* Partitions of a half: the one of place `at` in half `h` is h x this + at. */
static uint32_t places(const struct noc_params *p)
{
    return p->hier_partitions / p->hier_halves;
}

static struct noc_rule rule_for(uint32_t first, uint32_t n, uint8_t select)
{
    struct noc_rule rule = NOC_EVERYWHERE;
    rule.x0 = (uint16_t)first;
    rule.x1 = (uint16_t)(first + n - 1);
    rule.y1 = 0;
    rule.select = select;
    return rule;
}

/* Packets for the endpoints first..first + n - 1 leave `router` by any of `n_ports` ports from
 * `port` on. */
static void route(struct maker *m, uint32_t router, uint32_t first, uint32_t n, uint32_t port,
                  uint32_t n_ports)
{
    for (uint32_t i = 0; i < n_ports; i++)
        m->choices[i] = (uint16_t)(port + i);
    uint8_t select = n_ports == 1 ? NOC_SELECT_ONLY : m->select;
    noc_add_rule(m->b, router, rule_for(first, n, select), m->choices, (uint16_t)n_ports);
}

/* SM ports first..first + n - 1, on ports 0..n - 1 of the SM side of `router`. */
static void add_sms(struct maker *m, uint32_t router, uint32_t first, uint32_t n, uint32_t port)
{
    for (uint32_t i = 0; i < n; i++) {
        uint16_t at = (uint16_t)(port + i);
        if (m->is_request) {
            noc_inject(m->b, first + i, router, at);
        } else {
            noc_eject(m->b, router, at, first + i);
            noc_add_single(m->b, router, rule_for(first + i, 1, NOC_SELECT_ONLY), at);
        }
    }
}

/* Links between port `low` of the router nearer to the SMs and `high` of the one nearer to the
 * slices, in the direction of the network. */
static void add_links(struct maker *m, uint32_t near, uint32_t low, uint32_t far, uint32_t high,
                      uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (m->is_request)
            noc_link(m->b, near, (uint16_t)(low + i), far, (uint16_t)(high + i));
        else
            noc_link(m->b, far, (uint16_t)(high + i), near, (uint16_t)(low + i));
    }
}

static void add_gpc(struct maker *m, uint32_t g)
{
    const struct noc_params *p = m->p;
    uint32_t first = noc_group_first(m->tpcs, p->hier_gpcs, g),
             n = noc_group_size(m->tpcs, p->hier_gpcs, g), router = m->first_gpc + g;
    uint32_t sms = p->n_sm_ports, first_sm = first * p->hier_tpc,
             end_sm = (first + n) * p->hier_tpc;
    end_sm = end_sm < sms ? end_sm : sms;
    for (uint32_t t = 0; t < n; t++) {
        uint32_t sm = (first + t) * p->hier_tpc;
        uint32_t of = sm + p->hier_tpc <= sms ? p->hier_tpc : sms - sm;
        if (p->hier_tpc == 1) { /* no TPC stage */
            add_sms(m, router, sm, 1, t);
            continue;
        }
        uint32_t tpc = first + t, ports = p->hier_tpc_ports < of ? p->hier_tpc_ports : of;
        add_sms(m, tpc, sm, of, 0);
        add_links(m, tpc, 0, router, t * p->hier_tpc_ports, ports);
        if (m->is_request)
            route(m, tpc, sms, p->n_llcs, 0, ports);
        else
            route(m, router, sm, of, t * p->hier_tpc_ports, ports);
    }
    uint32_t ports = p->hier_gpc_ports, home = home_of(p, g);
    uint32_t of_half = g - noc_group_first(p->hier_gpcs, p->hier_halves, home);
    for (uint32_t at = 0; at < places(p); at++) {
        uint32_t crossbar = m->first_crossbar + home * places(p) + at;
        add_links(m, router, at * ports, crossbar, of_half * ports, ports);
        if (!m->is_request) {
            route(m, crossbar, first_sm, end_sm - first_sm, of_half * ports, ports);
        } else if (places(p) == 1) {
            route(m, router, sms, p->n_llcs, 0, ports);
        } else {
            for (uint32_t h = 0; h < p->hier_halves; h++) { /* the far ones cross from there */
                uint32_t q = h * places(p) + at;
                route(m, router, sms + noc_group_first(p->n_llcs, p->hier_partitions, q),
                      noc_group_size(p->n_llcs, p->hier_partitions, q), at * ports, ports);
            }
        }
    }
}

/* The SM ports of the GPCs of a half: `*n` of them from the one returned on. */
static uint32_t half_sms(const struct maker *m, uint32_t h, uint32_t *n)
{
    const struct noc_params *p = m->p;
    uint32_t gpc = noc_group_first(p->hier_gpcs, p->hier_halves, h),
             end = gpc + noc_group_size(p->hier_gpcs, p->hier_halves, h);
    uint32_t first = noc_group_first(m->tpcs, p->hier_gpcs, gpc) * p->hier_tpc;
    uint32_t last = noc_group_first(m->tpcs, p->hier_gpcs, end - 1) +
                    noc_group_size(m->tpcs, p->hier_gpcs, end - 1);
    last = last * p->hier_tpc < p->n_sm_ports ? last * p->hier_tpc : p->n_sm_ports;
    *n = last - first;
    return first;
}

/* Slices of partition `q`, and the links that lead from it to the others. Ports of a crossbar on
 * its GPCs' side and on its slices' side: first what is its own, then the crossings. */
static void add_partition(struct maker *m, uint32_t q)
{
    const struct noc_params *p = m->p;
    uint32_t crossbar = m->first_crossbar + q, sms = p->n_sm_ports, c = p->hier_crossings;
    uint32_t first = noc_group_first(p->n_llcs, p->hier_partitions, q),
             n = noc_group_size(p->n_llcs, p->hier_partitions, q);
    uint32_t half = q / places(p), at = q % places(p);
    uint32_t gpc_side = noc_group_size(p->hier_gpcs, p->hier_halves, half) * p->hier_gpc_ports;
    for (uint32_t i = 0; i < n; i++) {
        if (m->is_request) {
            noc_eject(m->b, crossbar, (uint16_t)i, sms + first + i);
            noc_add_single(m->b, crossbar, rule_for(sms + first + i, 1, NOC_SELECT_ONLY),
                           (uint16_t)i);
        } else {
            noc_inject(m->b, sms + first + i, crossbar, (uint16_t)i);
        }
    }
    for (uint32_t other = 0; other < p->hier_halves; other++) {
        if (other == half)
            continue;
        uint32_t here = other < half ? other : other - 1, there = half < other ? half : half - 1;
        uint32_t twin = other * places(p) + at; /* the partition of this place over there */
        uint32_t other_gpcs =
            noc_group_size(p->hier_gpcs, p->hier_halves, other) * p->hier_gpc_ports;
        uint32_t other_slices = noc_group_size(p->n_llcs, p->hier_partitions, twin);
        uint32_t out = (m->is_request ? n : gpc_side) + here * c;
        uint32_t in = (m->is_request ? other_gpcs : other_slices) + there * c;
        for (uint32_t i = 0; i < c; i++)
            noc_set_more_stages(m->b,
                                noc_link(m->b, crossbar, (uint16_t)(out + i),
                                         m->first_crossbar + twin, (uint16_t)(in + i)),
                                (uint16_t)p->hier_crossing_cycles);
        uint32_t n_to, to = half_sms(m, other, &n_to);
        if (m->is_request) {
            to = sms + noc_group_first(p->n_llcs, p->hier_partitions, twin);
            n_to = other_slices;
        }
        route(m, crossbar, to, n_to, out, c);
    }
}

static void add_routers(struct maker *m)
{
    const struct noc_params *p = m->p;
    uint32_t sms = p->n_sm_ports, stage = p->hier_tpc > 1;
    for (uint32_t t = 0; t < m->tpcs && stage; t++) {
        uint32_t left = sms - t * p->hier_tpc, of = left < p->hier_tpc ? left : p->hier_tpc;
        uint32_t ports = p->hier_tpc_ports < of ? p->hier_tpc_ports : of;
        noc_add_router(m->b, (uint16_t)(m->is_request ? of : ports),
                       (uint16_t)(m->is_request ? ports : of), m->is_request ? 0 : 2, (uint16_t)t,
                       m->is_request ? 0 : 2);
    }
    for (uint32_t g = 0; g < p->hier_gpcs; g++) {
        uint32_t below = noc_group_size(m->tpcs, p->hier_gpcs, g) * p->hier_tpc_ports;
        uint32_t above = p->hier_gpc_ports * places(p);
        noc_add_router(m->b, (uint16_t)(m->is_request ? below : above),
                       (uint16_t)(m->is_request ? above : below), 1, (uint16_t)g, 1);
    }
    uint32_t crossings = p->hier_crossings * (p->hier_halves - 1);
    for (uint32_t q = 0; q < p->hier_partitions; q++) {
        uint32_t gpcs = noc_group_size(p->hier_gpcs, p->hier_halves, q / places(p));
        uint32_t low = gpcs * p->hier_gpc_ports,
                 high = noc_group_size(p->n_llcs, p->hier_partitions, q);
        noc_add_router(m->b, (uint16_t)((m->is_request ? low : high) + crossings),
                       (uint16_t)((m->is_request ? high : low) + crossings), m->is_request ? 2 : 0,
                       (uint16_t)q, m->is_request ? 2 : 0);
    }
}

static bool build(const struct noc_params *p, enum noc_dir dir, struct arena *mem, struct noc *out,
                  struct err *err)
{
    if (dir == NOC_BOTH)
        return noc_no_both(p, err);
    struct arena scratch;
    noc_scratch(&scratch, mem);
    struct maker m = {.b = noc_builder_new(&scratch, noc_hierarchical.name, dir),
                      .p = p,
                      .is_request = dir == NOC_REQUEST,
                      .select = selects[0],
                      .tpcs = n_tpcs(p)};
    for (uint32_t i = 0; routings[i]; i++)
        if (noc_routing_is(p, routings[i]))
            m.select = selects[i];
    m.first_gpc = p->hier_tpc > 1 ? m.tpcs : 0;
    m.first_crossbar = m.first_gpc + p->hier_gpcs;
    uint32_t most = p->hier_gpc_ports > p->hier_crossings ? p->hier_gpc_ports : p->hier_crossings;
    m.choices = arena_many(&scratch, uint16_t, most > p->hier_tpc ? most : p->hier_tpc);
    add_routers(&m);
    for (uint32_t i = 0; i < p->n_sm_ports; i++)
        noc_add_sm_port(m.b, p, i, (uint16_t)i, 0);
    for (uint32_t i = 0; i < p->n_llcs; i++)
        noc_add_llc(m.b, i, (uint16_t)(p->n_sm_ports + i), 0);
    for (uint32_t g = 0; g < p->hier_gpcs; g++)
        add_gpc(&m, g);
    for (uint32_t q = 0; q < p->hier_partitions; q++)
        add_partition(&m, q);
    noc_freeze(m.b, p->width_bits, p->vcs, p->vc_depth, mem, out);
    arena_free(&scratch);
    return true;
}

/* ---- halves ---- */

static bool is_halved(const struct noc_params *p)
{
    return strcmp(p->topology, "hierarchical") == 0 && p->hier_halves == 2 &&
           p->n_llcs % p->hier_partitions == 0;
}

/* The crossing number `k` that leaves crossbar `q` for the twin. */
static uint32_t crossing_of(const struct noc_params *p, const struct noc *noc, uint32_t q,
                            uint32_t k)
{
    uint32_t first = (p->hier_tpc > 1 ? n_tpcs(p) : 0) + p->hier_gpcs, seen = 0;
    for (uint32_t c = 0; c < noc->n_channels; c++) {
        const struct noc_channel *ch = &noc->channels[c];
        if (ch->src_node == NOC_ROUTER && ch->dst_node == NOC_ROUTER && ch->src == first + q &&
            ch->dst >= first && seen++ == k)
            return c;
    }
    return NOC_NONE;
}

bool noc_halves_of(const struct noc_params *const params[2], const struct noc *const nocs[2],
                   struct arena *mem, struct noc_halves *out)
{
    const struct noc_params *p = params[0], *r = params[1];
    if (!is_halved(p) || !is_halved(r) || p->hier_partitions != r->hier_partitions ||
        p->hier_gpcs != r->hier_gpcs || p->hier_tpc != r->hier_tpc)
        return false;
    uint32_t tpcs = n_tpcs(p), slices = p->n_llcs / p->hier_partitions;
    out->of_port = arena_many(mem, uint8_t, p->n_sm_ports);
    out->of_slice = arena_many(mem, uint8_t, p->n_llcs);
    out->twin = arena_many(mem, uint32_t, p->n_llcs);
    for (uint32_t g = 0; g < p->hier_gpcs; g++) {
        uint32_t first = noc_group_first(tpcs, p->hier_gpcs, g) * p->hier_tpc;
        uint32_t n = noc_group_size(tpcs, p->hier_gpcs, g) * p->hier_tpc;
        for (uint32_t i = first; i < first + n && i < p->n_sm_ports; i++)
            out->of_port[i] = (uint8_t)home_of(p, g);
    }
    for (int d = 0; d < 2; d++) {
        out->crossing[d] = arena_many(mem, uint32_t, p->n_llcs);
        out->owner[d] = arena_many(mem, uint32_t, p->n_llcs);
    }
    for (uint32_t s = 0; s < p->n_llcs; s++) {
        uint32_t half = s / slices / places(p);
        out->of_slice[s] = (uint8_t)half;
        out->twin[s] = half ? s - p->n_llcs / 2 : s + p->n_llcs / 2;
        for (int d = 0; d < 2; d++) {
            uint32_t k = s % slices % params[d]->hier_crossings;
            out->crossing[d][s] = crossing_of(params[d], nocs[d], s / slices, k);
            out->owner[d][s] = s / slices * slices + k;
        }
    }
    return true;
}

const struct topology noc_hierarchical = {
    .name = "hierarchical",
    .meaning =
        "GPUs' crossbar: SMs share TPCs, TPCs share GPCs, GPCs meet the slices, in partitions",
    .keys = keys,
    .routings = routings,
    .complete = complete,
    .build = build,
};
