/* SPDX-License-Identifier: MIT
 *
 * The table of topologies, and what all of them share (noc/build.h). */
#include "noc/topology.h"

#include <assert.h>
#include <string.h>

#include "base/buf.h"
#include "noc/build.h"

#define X(name) extern const struct topology noc_##name;
NOC_TOPOLOGIES(X)
#undef X

const struct topology *const noc_topologies[] = {
#define X(name) &noc_##name,
    NOC_TOPOLOGIES(X)
#undef X
        NULL,
};

const struct topology *noc_topology_find(const char *name)
{
    for (const struct topology *const *t = noc_topologies; *t; t++)
        if (!strcmp((*t)->name, name))
            return *t;
    return NULL;
}

bool noc_build(struct noc_params *params, enum noc_dir dir, bool allow_cycles, struct arena *mem,
               struct noc *out, struct noc_facts *facts, struct err *err)
{
    const struct topology *t = params->topology ? noc_topology_find(params->topology) : NULL;
    if (!t)
        return err_add(err, ERR_INPUT, params->at, "noc.topology: no topology is called '%s'",
                       params->topology ? params->topology : "");
    struct noc noc;
    struct noc_facts found;
    if (!t->complete(params, err) || !t->build(params, dir, mem, &noc, err))
        return false;
    /* the check knows no config: its findings are said at the noc section */
    struct err findings;
    err_init(&findings);
    bool ok = noc_check(&noc, allow_cycles, mem, &found, &findings);
    for (const struct err_entry *e = findings.first; e; e = e->next)
        err_add(err, e->kind, params->at, "%s", e->text);
    err_free(&findings);
    if (!ok)
        return false;
    *out = noc;
    if (facts)
        *facts = found;
    return true;
}

/* ---- sizes ---------------------------------------------------------------------------------- */

static bool check_range(const struct noc_params *p, const char *key, uint32_t value, uint32_t lo,
                        uint32_t hi, struct err *err)
{
    if (value >= lo && value <= hi)
        return true;
    return err_add(err, ERR_INPUT, p->at, "%s = %u is not in %u..%u", key, value, lo, hi);
}

static bool complete_ports(struct noc_params *p, struct err *err)
{
    bool strided = p->sms_per_port > 1;
    uint32_t ports = strided ? (p->n_sms - 1) / p->sms_per_port + 1 : p->n_sms;

    if (p->sms_per_port > p->n_sms)
        return err_add(err, ERR_INPUT, p->at, "%u SMs behind a port are more than gpu.sms = %u",
                       p->sms_per_port, p->n_sms);
    if (p->n_sm_ports > p->n_sms)
        return err_add(err, ERR_INPUT, p->at,
                       "gpu.clusters = %u SM ports are more than gpu.sms = %u", p->n_sm_ports,
                       p->n_sms);
    if (strided && p->n_sm_ports && p->n_sm_ports != ports)
        return err_add(err, ERR_INPUT, p->at,
                       "gpu.clusters = %u contradicts gpu.sms = %u with %u SMs behind a port",
                       p->n_sm_ports, p->n_sms, p->sms_per_port);
    if (!p->n_sm_ports)
        p->n_sm_ports = ports;
    if (!p->sms_per_port)
        p->sms_per_port = 1;
    if (p->n_sm_ports > NOC_MAX_ENDPOINTS - p->n_llcs)
        return err_add(err, ERR_INPUT, p->at,
                       "%u SM ports (gpu.sms) and llc.slices = %u are more than the %u endpoints a "
                       "network can have",
                       p->n_sm_ports, p->n_llcs, NOC_MAX_ENDPOINTS);
    return true;
}

static bool complete_routing(struct noc_params *p, const struct topology *t, struct err *err)
{
    if (!p->routing || !*p->routing) {
        p->routing = t->routings[0];
        return true;
    }
    for (const char *const *r = t->routings; *r; r++)
        if (!strcmp(*r, p->routing))
            return true;
    struct arena scratch;
    noc_scratch(&scratch, &err->mem);
    struct buf legal;
    buf_init(&legal, &scratch, 4096);
    for (const char *const *r = t->routings; *r; r++)
        buf_printf(&legal, "%s%s", r == t->routings ? "" : ", ", *r);
    err_add(err, ERR_INPUT, p->at, "noc.routing = '%s' does not exist for noc.topology = '%s': %s",
            p->routing, t->name, legal.data);
    arena_free(&scratch);
    return false;
}

bool noc_complete_common(struct noc_params *params, const struct topology *topology,
                         struct err *err)
{
    bool ok = check_range(params, "gpu.sms", params->n_sms, 1, NOC_MAX_ENDPOINTS, err);
    ok &= check_range(params, "llc.slices", params->n_llcs, 1, NOC_MAX_ENDPOINTS, err);
    ok &= check_range(params, "noc.width", params->width_bits, 1, UINT16_MAX, err);
    ok &= check_range(params, "noc.vcs", params->vcs, 1, 255, err);
    ok &= check_range(params, "noc.vc_depth", params->vc_depth, 1, UINT16_MAX, err);
    ok &= complete_routing(params, topology, err);
    return ok && complete_ports(params, err);
}

bool noc_routing_is(const struct noc_params *params, const char *name)
{
    return !strcmp(params->routing, name);
}

bool noc_no_both(const struct noc_params *params, struct err *err)
{
    return err_add(err, ERR_INPUT, params->at,
                   "noc.shared: noc.topology = '%s' needs separate request and reply networks; one "
                   "network for both can be mesh, crossbar or custom",
                   params->topology);
}

bool noc_one_way(const struct noc_params *params, enum noc_dir dir, enum noc_dir way,
                 struct err *err)
{
    if (dir == NOC_BOTH)
        return noc_no_both(params, err);
    return err_add(err, ERR_INPUT, params->at,
                   "noc.topology = '%s' is a %s network: noc.%s.topology must be another one (its "
                   "paper takes smesh)",
                   params->topology, way == NOC_REQUEST ? "request" : "reply",
                   way == NOC_REQUEST ? "reply" : "request");
}

uint32_t noc_ceil_sqrt(uint32_t v)
{
    uint32_t n = 1;
    while ((uint64_t)n * n < v)
        n++;
    return n;
}

/* ---- parts ---------------------------------------------------------------------------------- */

uint32_t noc_add_sm_port(struct noc_builder *b, const struct noc_params *p, uint32_t i, uint16_t x,
                         uint16_t y)
{
    uint32_t first, n;
    if (p->sms_per_port > 1) {
        first = i * p->sms_per_port;
        n = p->n_sms - first < p->sms_per_port ? p->n_sms - first : p->sms_per_port;
    } else {
        first = noc_group_first(p->n_sms, p->n_sm_ports, i);
        n = noc_group_size(p->n_sms, p->n_sm_ports, i);
    }
    return noc_add_endpoint(b, NOC_EP_SM, first, n, x, y);
}

uint32_t noc_add_llc(struct noc_builder *b, uint32_t i, uint16_t x, uint16_t y)
{
    return noc_add_endpoint(b, NOC_EP_LLC, i, 1, x, y);
}

void noc_add_single(struct noc_builder *b, uint32_t router, struct noc_rule rule, uint16_t port)
{
    rule.select = NOC_SELECT_ONLY;
    noc_add_rule(b, router, rule, &port, 1);
}

void noc_split_vcs(struct noc *noc, uint32_t n_classes, uint32_t groups, const uint8_t *group_of)
{
    assert(n_classes <= NOC_MAX_CLASSES && groups <= noc->vcs);
    noc->n_classes = (uint8_t)n_classes;
    for (uint32_t c = 0; c < n_classes; c++)
        noc->vc_ranges[c] =
            (struct noc_vc_range){(uint8_t)noc_group_first(noc->vcs, groups, group_of[c]),
                                  (uint8_t)noc_group_size(noc->vcs, groups, group_of[c])};
}

void noc_spread_terminals(const struct noc_params *params, uint32_t terminals,
                          struct arena *scratch, uint32_t *place)
{
    uint32_t llcs = params->n_llcs, sms = params->n_sm_ports;
    assert(terminals >= llcs + sms);
    bool *taken = arena_many(scratch, bool, terminals);
    for (uint32_t i = 0; i < llcs; i++) {
        uint32_t t = (uint32_t)(((uint64_t)2 * i + 1) * terminals / (2 * (uint64_t)llcs));
        taken[t] = true;
        place[sms + i] = t;
    }
    for (uint32_t i = 0, t = 0; i < sms; i++, t++) {
        while (taken[t])
            t++;
        place[i] = t;
    }
}
