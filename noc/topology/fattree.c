/* SPDX-License-Identifier: MIT
 *
 * k-ary n-tree (folded Clos): n levels of k^(n-1) routers, level 0 at the top, nodes below level
 * n-1. Ports 0..k-1 lead down, k..2k-1 up; the top has none up. A packet goes up by any port until
 * it is above its destination, then down the only way. */
#include "base/arena.h"
#include "base/err.h"
#include "noc/topology/plain.h"

static void add_rules(struct noc_builder *b, const struct noc_plain *p, uint32_t level,
                      uint32_t pos, uint32_t nodes)
{
    uint32_t k = p->k, per_level = nodes / k, router = level * per_level + pos;
    uint32_t branch = noc_plain_power(k, p->n - level - 1); /* nodes below a down port */
    uint32_t below = branch * k, first = pos / branch * below;
    for (uint32_t q = 0; q < k; q++)
        noc_plain_rule(b, p, router,
                       (struct noc_region){first + q * branch, first + (q + 1) * branch - 1, 0, 0},
                       q);
    uint16_t up[512];
    for (uint32_t q = 0; q < k; q++)
        up[q] = (uint16_t)(k + q);
    struct noc_rule rule = {
        .classes = (uint16_t)((1u << p->classes) - 1),
        .class_to = NOC_SAME_CLASS,
        .select = k == 1        ? NOC_SELECT_ONLY
                  : p->adaptive ? NOC_SELECT_TWO_DRAWS
                                : NOC_SELECT_RANDOM,
    };
    if (first > 0) {
        rule.x0 = 0;
        rule.x1 = (uint16_t)(first - 1);
        noc_add_rule(b, router, rule, up, (uint16_t)k);
    }
    if (first + below < nodes) {
        rule.x0 = (uint16_t)(first + below);
        rule.x1 = (uint16_t)(nodes - 1);
        noc_add_rule(b, router, rule, up, (uint16_t)k);
    }
}

/* Router `pos` of a level and port q of the level below it: in the neighbourhood of the upper
 * router, branch q, same place; its up port is the upper router's number among those above it. */
static void link_levels(struct noc_builder *b, uint32_t k, uint32_t per_level, uint32_t level,
                        uint32_t pos, uint32_t branch)
{
    uint32_t group = branch * k, first = pos / group * group, place = pos % group;
    for (uint32_t q = 0; q < k; q++) {
        uint32_t upper = level * per_level + pos;
        uint32_t lower = (level + 1) * per_level + first + q * branch + place % branch;
        uint32_t up_port = k + place / branch;
        noc_link(b, lower, (uint16_t)up_port, upper, (uint16_t)q);
        noc_link(b, upper, (uint16_t)q, lower, (uint16_t)up_port);
    }
}

bool noc_plain_fattree(const struct noc_plain *p, struct arena *mem, struct noc *out,
                       const uint16_t **cycles, struct err *err)
{
    uint32_t k = p->k, n = p->n, nodes = noc_plain_power(k, n);
    if (n < 1 || k < 1 || k > 256 || !nodes)
        return err_add(err, ERR_INPUT, (struct where){NULL, 0, "k"},
                       "a %u-ary %u-tree: at most 256 ports down and 65,536 nodes are supported", k,
                       n);
    uint32_t per_level = nodes / k;
    struct noc_builder *b = noc_builder_new(mem, "fattree", NOC_BOTH);
    for (uint32_t level = 0; level < n; level++)
        for (uint32_t pos = 0; pos < per_level; pos++) {
            uint16_t ports = (uint16_t)(level == 0 ? k : 2 * k);
            noc_add_router(b, ports, ports, (uint16_t)(n - 1 - level), (uint16_t)pos,
                           (uint16_t)level);
        }
    for (uint32_t e = 0; e < nodes; e++)
        noc_add_endpoint(b, NOC_EP_NODE, e, 1, (uint16_t)e, 0);
    for (uint32_t e = 0; e < nodes; e++) {
        noc_inject(b, e, (n - 1) * per_level + e / k, (uint16_t)(e % k));
        noc_eject(b, (n - 1) * per_level + e / k, (uint16_t)(e % k), e);
    }
    for (uint32_t level = 0; level < n; level++)
        for (uint32_t pos = 0; pos < per_level; pos++) {
            add_rules(b, p, level, pos, nodes);
            if (level + 1 < n)
                link_levels(b, k, per_level, level, pos, noc_plain_power(k, n - 2 - level));
        }
    *cycles = noc_plain_finish(b, p, mem, out);
    return true;
}
