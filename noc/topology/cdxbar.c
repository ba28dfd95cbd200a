/* SPDX-License-Identifier: MIT
 *
 * cdxbar: the converge-diverge crossbar (CD-Xbar paper, section 3). S SMs on G local crossbars that
 * converge to P ports each; one global crossbar joins the G * P converged ports and L slices.
 *
 *     request   SMs  G x (S/G x P)  --GP links-->  1 x (GP x L)  slices
 *     reply     slices  1 x (L x GP)  --GP links-->  G x (P x S/G)  SMs
 *
 * Every packet takes two hops. Any converged port of a group is productive: the local crossbars of
 * the request network and the global crossbar of the reply network choose one.
 * S need not be a multiple of G: 180 SMs on 8 local crossbars are four 23x3 and four 22x3.
 * Sizes by default: P = 3 and the smallest power of two for G with G * P > L. */
#include "noc/build.h"

static const char *const keys[] = {"noc.cdxbar.groups", "noc.cdxbar.ports", NULL};
static const char *const routings[] = {"round_robin", "source", "adaptive", "random_two", NULL};
static const uint8_t selects[] = {NOC_SELECT_RR_UNIT, NOC_SELECT_SOURCE, NOC_SELECT_LEAST_LOADED,
                                  NOC_SELECT_RANDOM_TWO};
extern const struct topology noc_cdxbar;

static bool complete(struct noc_params *p, struct err *err)
{
    if (!noc_complete_common(p, &noc_cdxbar, err))
        return false;
    bool chosen = !p->cd_groups, ports_chosen = !p->cd_ports;
    uint32_t sms = p->n_sm_ports;
    if (ports_chosen)
        p->cd_ports = 3;
    if (chosen) {
        p->cd_groups = 1;
        while ((uint64_t)p->cd_groups * p->cd_ports <= p->n_llcs && 2 * p->cd_groups <= sms)
            p->cd_groups *= 2;
    }
    if (p->cd_groups > sms)
        return err_add(err, ERR_INPUT, p->at,
                       "noc.cdxbar.groups = %u is more than the %u SM ports (gpu.sms)",
                       p->cd_groups, sms);
    uint32_t largest = noc_group_size(sms, p->cd_groups, 0);
    if (ports_chosen && p->cd_ports > largest)
        p->cd_ports = largest;
    if (p->cd_ports > largest)
        return err_add(err, ERR_INPUT, p->at,
                       "noc.cdxbar.ports = %u converged ports are more than the %u SM ports of a "
                       "local crossbar (noc.cdxbar.groups = %u, gpu.sms = %u)",
                       p->cd_ports, largest, p->cd_groups, p->n_sms);
    if ((uint64_t)p->cd_groups * p->cd_ports > UINT16_MAX)
        return err_add(err, ERR_INPUT, p->at,
                       "noc.cdxbar.groups = %u times noc.cdxbar.ports = %u are too many ports for "
                       "one crossbar",
                       p->cd_groups, p->cd_ports);
    return true;
}

static uint8_t select_of(const struct noc_params *params)
{
    for (uint32_t i = 0; routings[i]; i++)
        if (noc_routing_is(params, routings[i]))
            return selects[i];
    return NOC_SELECT_RR_UNIT;
}

static struct noc_rule rule_for(uint32_t first, uint32_t last, uint8_t select)
{
    struct noc_rule rule = NOC_EVERYWHERE;
    rule.x0 = (uint16_t)first;
    rule.x1 = (uint16_t)last;
    rule.y1 = 0;
    rule.select = select;
    return rule;
}

/* Local crossbars are routers 0..G-1, the global one is router G, in both networks. */
static void add_group(struct noc_builder *b, const struct noc_params *p, enum noc_dir dir,
                      uint32_t g, uint16_t *choices)
{
    uint32_t sms = p->n_sm_ports, ports = p->cd_ports, global = p->cd_groups;
    uint32_t first = noc_group_first(sms, p->cd_groups, g),
             n = noc_group_size(sms, p->cd_groups, g);
    bool request = dir == NOC_REQUEST;
    for (uint32_t i = 0; i < ports; i++) {
        uint16_t far = (uint16_t)(g * ports + i);
        if (request)
            noc_link(b, g, (uint16_t)i, global, far);
        else
            noc_link(b, global, far, g, (uint16_t)i);
        choices[i] = request ? (uint16_t)i : far;
    }
    if (request)
        noc_add_rule(b, g, rule_for(sms, sms + p->n_llcs - 1, select_of(p)), choices,
                     (uint16_t)ports);
    else
        noc_add_rule(b, global, rule_for(first, first + n - 1, select_of(p)), choices,
                     (uint16_t)ports);
    for (uint32_t i = 0; i < n; i++) {
        if (request) {
            noc_inject(b, first + i, g, (uint16_t)i);
        } else {
            noc_eject(b, g, (uint16_t)i, first + i);
            noc_add_single(b, g, rule_for(first + i, first + i, NOC_SELECT_ONLY), (uint16_t)i);
        }
    }
}

static bool build(const struct noc_params *p, enum noc_dir dir, struct arena *mem, struct noc *out,
                  struct err *err)
{
    if (dir == NOC_BOTH)
        return noc_no_both(p, err);
    bool request = dir == NOC_REQUEST;
    uint16_t converged = (uint16_t)(p->cd_groups * p->cd_ports), ports = (uint16_t)p->cd_ports;
    uint32_t sms = p->n_sm_ports, global = p->cd_groups;
    struct arena scratch;
    noc_scratch(&scratch, mem);
    struct noc_builder *b = noc_builder_new(&scratch, noc_cdxbar.name, dir);
    for (uint32_t g = 0; g < p->cd_groups; g++) {
        uint16_t n = (uint16_t)noc_group_size(sms, p->cd_groups, g);
        noc_add_router(b, request ? n : ports, request ? ports : n, request ? 0 : 1, (uint16_t)g,
                       request ? 0 : 1);
    }
    noc_add_router(b, request ? converged : (uint16_t)p->n_llcs,
                   request ? (uint16_t)p->n_llcs : converged, request ? 1 : 0, 0, request ? 1 : 0);
    for (uint32_t i = 0; i < sms; i++)
        noc_add_sm_port(b, p, i, (uint16_t)i, 0);
    for (uint32_t i = 0; i < p->n_llcs; i++)
        noc_add_llc(b, i, (uint16_t)(sms + i), 0);

    uint16_t *choices = arena_many(&scratch, uint16_t, ports);
    for (uint32_t g = 0; g < p->cd_groups; g++)
        add_group(b, p, dir, g, choices);
    for (uint32_t i = 0; i < p->n_llcs; i++) {
        if (request) {
            noc_eject(b, global, (uint16_t)i, sms + i);
            noc_add_single(b, global, rule_for(sms + i, sms + i, NOC_SELECT_ONLY), (uint16_t)i);
        } else {
            noc_inject(b, sms + i, global, (uint16_t)i);
        }
    }
    noc_freeze(b, p->width_bits, p->vcs, p->vc_depth, mem, out);
    arena_free(&scratch);
    return true;
}

const struct topology noc_cdxbar = {
    .name = "cdxbar",
    .meaning = "converge-diverge crossbar: local crossbars x converged ports, one global crossbar",
    .keys = keys,
    .routings = routings,
    .complete = complete,
    .build = build,
};
