/* SPDX-License-Identifier: MIT
 *
 * butterfly: k-ary n-fly, n stages of k^(n-1) switches of k x k; one path from each source to each
 * destination.
 *
 *     sources  k^(n-1) x (k x k)  --k^n-->  …  --k^n-->  k^(n-1) x (k x k)  destinations
 *
 * Destination-tag routing: stage i leaves by the i-th digit of the destination's terminal number in
 * base k, most significant first. The place of a packet before a stage is a number of n digits: its
 * switch (all but the last digit) and its port (the last). Behind stage i the last digit changes
 * places with digit n-1-i, so that after the last stage the place is the destination.
 * Terminals are numbered once for both sides, as in noc/topology/clos.c.
 * Sizes by default: n = 2, k = ceil(sqrt(S + L)) (CD-Xbar paper, Table 1). */
#include <assert.h>

#include "noc/build.h"

static const char *const keys[] = {"noc.butterfly.k", "noc.butterfly.n", NULL};
static const char *const routings[] = {"destination_tag", NULL};
extern const struct topology noc_butterfly;

/* k^n, or more than any network has if that is too large. */
static uint64_t power(uint64_t k, uint32_t n)
{
    uint64_t p = 1;
    if (k < 2)
        return k;
    while (n-- && p <= 16 * (uint64_t)NOC_MAX_ENDPOINTS)
        p *= k;
    return p;
}

static bool complete(struct noc_params *p, struct err *err)
{
    if (!noc_complete_common(p, &noc_butterfly, err))
        return false;
    uint32_t nodes = p->n_sm_ports + p->n_llcs;
    if (!p->fly_n && !p->fly_k)
        p->fly_n = 2;
    if (!p->fly_n && p->fly_k > 1)
        for (p->fly_n = 1; power(p->fly_k, p->fly_n) < nodes;)
            p->fly_n++;
    if (!p->fly_k)
        for (p->fly_k = 2; power(p->fly_k, p->fly_n) < nodes;)
            p->fly_k++;
    if (!p->fly_n)
        p->fly_n = 1;
    uint64_t terminals = power(p->fly_k, p->fly_n);
    if (terminals < nodes)
        return err_add(err, ERR_INPUT, p->at,
                       "noc.butterfly.k = %u to the power of noc.butterfly.n = %u are too few "
                       "terminals for %u SM ports (gpu.sms) and llc.slices = %u",
                       p->fly_k, p->fly_n, p->n_sm_ports, p->n_llcs);
    if (terminals > UINT16_MAX || p->fly_n > 16)
        return err_add(err, ERR_INPUT, p->at,
                       "noc.butterfly.k = %u to the power of noc.butterfly.n = %u are more than %u "
                       "terminals",
                       p->fly_k, p->fly_n, UINT16_MAX);
    return true;
}

/* `place` with its last digit and digit `i` (worth `weight`) exchanged. */
static uint32_t swap_digits(uint32_t place, uint32_t k, uint32_t weight)
{
    uint32_t last = place % k, other = place / weight % k;
    return place - last + other - other * weight + last * weight;
}

static void add_stage(struct noc_builder *b, const struct noc_params *p, uint32_t stage,
                      uint32_t per_stage)
{
    uint32_t k = p->fly_k, n = p->fly_n, weight = (uint32_t)power(k, n - 1 - stage);
    for (uint32_t s = 0; s < per_stage; s++) {
        uint32_t router = stage * per_stage + s;
        uint32_t fixed = s / weight * weight * k; /* digits that earlier stages have set */
        for (uint32_t q = 0; q < k; q++) {
            if (stage + 1 == n)
                break; /* rules of the last stage come with the endpoints */
            uint32_t to = swap_digits(s * k + q, k, weight);
            noc_link(b, router, (uint16_t)q, (stage + 1) * per_stage + to / k, (uint16_t)(to % k));
            struct noc_rule rule = NOC_EVERYWHERE;
            rule.x0 = (uint16_t)(fixed + q * weight);
            rule.x1 = (uint16_t)(rule.x0 + weight - 1);
            noc_add_single(b, router, rule, (uint16_t)q);
        }
    }
}

static bool build(const struct noc_params *p, enum noc_dir dir, struct arena *mem, struct noc *out,
                  struct err *err)
{
    if (dir == NOC_BOTH)
        return noc_no_both(p, err);
    uint32_t k = p->fly_k, n = p->fly_n, ends = p->n_sm_ports + p->n_llcs;
    assert(k > 1 && n > 0); /* completed */
    uint32_t per_stage = (uint32_t)power(k, n - 1), last = (n - 1) * per_stage;
    struct arena scratch;
    noc_scratch(&scratch, mem);
    struct noc_builder *b = noc_builder_new(&scratch, noc_butterfly.name, dir);
    for (uint32_t stage = 0; stage < n; stage++)
        for (uint32_t s = 0; s < per_stage; s++)
            noc_add_router(b, (uint16_t)k, (uint16_t)k, (uint16_t)stage, (uint16_t)s,
                           (uint16_t)stage);
    for (uint32_t stage = 0; stage < n; stage++)
        add_stage(b, p, stage, per_stage);

    uint32_t *terminal = arena_many(&scratch, uint32_t, ends);
    noc_spread_terminals(p, per_stage * k, &scratch, terminal);
    for (uint32_t e = 0; e < ends; e++) {
        bool is_sm = e < p->n_sm_ports;
        uint16_t t = (uint16_t)terminal[e], port = (uint16_t)(terminal[e] % k);
        if (is_sm)
            noc_add_sm_port(b, p, e, t, 0);
        else
            noc_add_llc(b, e - p->n_sm_ports, t, 0);
        if (is_sm == (dir == NOC_REQUEST)) {
            noc_inject(b, e, t / k, port);
            continue;
        }
        struct noc_rule rule = NOC_EVERYWHERE;
        rule.x0 = rule.x1 = t;
        noc_eject(b, last + t / k, port, e);
        noc_add_single(b, last + t / k, rule, port);
    }
    noc_freeze(b, p->width_bits, p->vcs, p->vc_depth, mem, out);
    arena_free(&scratch);
    return true;
}

const struct topology noc_butterfly = {
    .name = "butterfly",
    .meaning = "k-ary n-fly, destination-tag routing, one path",
    .keys = keys,
    .routings = routings,
    .complete = complete,
    .build = build,
};
