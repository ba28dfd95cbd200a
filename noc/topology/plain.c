/* SPDX-License-Identifier: MIT
 *
 * The plain mesh and the butterfly, and what all plain networks share. */
#include "noc/topology/plain.h"

#include "base/arena.h"
#include "base/err.h"

#define MOST_NODES 65536u

uint32_t noc_plain_power(uint32_t k, uint32_t e)
{
    uint64_t v = 1;
    for (uint32_t i = 0; i < e; i++) {
        v *= k;
        if (v > MOST_NODES)
            return 0;
    }
    return (uint32_t)v;
}

void noc_plain_rule(struct noc_builder *b, const struct noc_plain *p, uint32_t router,
                    struct noc_region to, uint32_t port)
{
    uint16_t choice = (uint16_t)port;
    struct noc_rule rule = {
        .x0 = (uint16_t)to.x0,
        .x1 = (uint16_t)to.x1,
        .y0 = (uint16_t)to.y0,
        .y1 = (uint16_t)to.y1,
        .classes = (uint16_t)((1u << p->classes) - 1),
        .class_to = NOC_SAME_CLASS,
        .select = NOC_SELECT_ONLY,
    };
    noc_add_rule(b, router, rule, &choice, 1);
}

const uint16_t *noc_plain_finish(struct noc_builder *b, const struct noc_plain *p,
                                 struct arena *mem, struct noc *out)
{
    noc_freeze(b, p->width_bits, p->vcs, p->vc_depth, mem, out);
    out->n_classes = (uint8_t)p->classes;
    out->class_rule = NOC_CLASS_SINGLE;
    for (uint32_t c = 0; c < p->classes; c++)
        out->vc_ranges[c] = (struct noc_vc_range){0, (uint8_t)p->vcs};
    uint16_t *cycles = arena_many(mem, uint16_t, out->n_channels);
    for (uint32_t c = 0; c < out->n_channels; c++)
        cycles[c] = 1;
    return cycles;
}

/* More than two dimensions: one routing coordinate whose most significant digit is that of
 * dimension 0, so that the nodes that still differ in a dimension lie in a range. */
static void mesh_of_many(const struct noc_plain *p, uint32_t nodes, struct noc_builder *b)
{
    uint32_t k = p->k, n = p->n, local = 2 * n;
    for (uint32_t r = 0; r < nodes; r++) {
        uint32_t x = 0;
        for (uint32_t d = 0, left = r; d < n; d++, left /= k)
            x = x * k + left % k;
        noc_add_router(b, (uint16_t)(local + 1), (uint16_t)(local + 1), 0, (uint16_t)x, 0);
        noc_add_endpoint(b, NOC_EP_NODE, r, 1, (uint16_t)x, 0);
    }
    for (uint32_t r = 0; r < nodes; r++) {
        noc_inject(b, r, r, (uint16_t)local);
        noc_eject(b, r, (uint16_t)local, r);
        uint32_t base = 0, span = nodes; /* nodes that agree with r in the dimensions so far */
        for (uint32_t d = 0, stride = 1; d < n; d++, stride *= k) {
            uint32_t at = r / stride % k, first = base + at * (span / k);
            if (at + 1 < k) {
                noc_link(b, r, (uint16_t)(2 * d), r + stride, (uint16_t)(2 * d + 1));
                noc_link(b, r + stride, (uint16_t)(2 * d + 1), r, (uint16_t)(2 * d));
                noc_plain_rule(b, p, r,
                               (struct noc_region){first + span / k, base + span - 1, 0, 0}, 2 * d);
            }
            if (at > 0)
                noc_plain_rule(b, p, r, (struct noc_region){base, first - 1, 0, 0}, 2 * d + 1);
            base = first;
            span /= k;
        }
        noc_plain_rule(b, p, r, (struct noc_region){base, base, 0, 0}, local);
    }
}

/* Ports: +x, -x, +y, -y, node; every router has all of them. Dimension order, x first. */
bool noc_plain_mesh(const struct noc_plain *p, struct arena *mem, struct noc *out,
                    const uint16_t **cycles, struct err *err)
{
    uint32_t k = p->k, rows = p->n == 1 ? 1 : p->rows ? p->rows : k;
    uint32_t nodes = p->n > 2 ? noc_plain_power(k, p->n) : k * rows;
    if (p->n < 1 || k < 1 || k > MOST_NODES || rows > MOST_NODES || !nodes || nodes > MOST_NODES)
        return err_add(err, ERR_INPUT, (struct where){NULL, 0, "n"},
                       "a mesh of %u dimensions and radix %u: at most %u nodes are supported", p->n,
                       k, MOST_NODES);
    struct noc_builder *b = noc_builder_new(mem, "mesh", NOC_BOTH);
    if (p->n > 2) {
        mesh_of_many(p, nodes, b);
        *cycles = noc_plain_finish(b, p, mem, out);
        return true;
    }
    uint32_t ports = 2 * p->n + 1, local = 2 * p->n;
    for (uint32_t r = 0; r < nodes; r++) {
        uint32_t x = r % k, y = r / k;
        noc_add_router(b, (uint16_t)ports, (uint16_t)ports, 0, (uint16_t)x, (uint16_t)y);
        noc_add_endpoint(b, NOC_EP_NODE, r, 1, (uint16_t)x, (uint16_t)y);
    }
    for (uint32_t r = 0; r < nodes; r++) {
        uint32_t x = r % k, y = r / k;
        noc_inject(b, r, r, (uint16_t)local);
        noc_eject(b, r, (uint16_t)local, r);
        if (x + 1 < k) {
            noc_link(b, r, 0, r + 1, 1); /* arrives from the -x side */
            noc_link(b, r + 1, 1, r, 0);
            noc_plain_rule(b, p, r, (struct noc_region){x + 1, k - 1, 0, rows - 1}, 0);
        }
        if (x > 0)
            noc_plain_rule(b, p, r, (struct noc_region){0, x - 1, 0, rows - 1}, 1);
        if (y + 1 < rows) {
            noc_link(b, r, 2, r + k, 3);
            noc_link(b, r + k, 3, r, 2);
            noc_plain_rule(b, p, r, (struct noc_region){x, x, y + 1, rows - 1}, 2);
        }
        if (y > 0)
            noc_plain_rule(b, p, r, (struct noc_region){x, x, 0, y - 1}, 3);
        noc_plain_rule(b, p, r, (struct noc_region){x, x, y, y}, local);
    }
    *cycles = noc_plain_finish(b, p, mem, out);
    out->grid_columns = (uint16_t)k;
    out->grid_rows = (uint16_t)rows;
    return true;
}

/* k-ary n-fly with destination-tag routing: stage s corrects digit n-1-s of the address. */
bool noc_plain_fly(const struct noc_plain *p, struct arena *mem, struct noc *out,
                   const uint16_t **cycles, struct err *err)
{
    uint32_t k = p->k, n = p->n, nodes = noc_plain_power(k, n);
    if (n < 1 || k < 1 || !nodes)
        return err_add(err, ERR_INPUT, (struct where){NULL, 0, "k"},
                       "a %u-ary %u-fly has more than %u nodes", k, n, MOST_NODES);
    uint32_t per_stage = nodes / k;
    struct noc_builder *b = noc_builder_new(mem, "fly", NOC_BOTH);
    for (uint32_t s = 0; s < n; s++)
        for (uint32_t a = 0; a < per_stage; a++)
            noc_add_router(b, (uint16_t)k, (uint16_t)k, (uint16_t)s, (uint16_t)a, (uint16_t)s);
    for (uint32_t e = 0; e < nodes; e++)
        noc_add_endpoint(b, NOC_EP_NODE, e, 1, (uint16_t)e, 0);
    for (uint32_t s = 0; s < n; s++)
        for (uint32_t a = 0; a < per_stage; a++) {
            uint32_t r = s * per_stage + a, span = noc_plain_power(k, n - 1 - s);
            uint32_t base = a / span * span * k; /* the digits corrected so far */
            for (uint32_t q = 0; q < k; q++) {
                if (s == 0)
                    noc_inject(b, a * k + q, r, (uint16_t)q);
                if (s == n - 1)
                    noc_eject(b, r, (uint16_t)q, a * k + q);
                noc_plain_rule(
                    b, p, r, (struct noc_region){base + q * span, base + (q + 1) * span - 1, 0, 0},
                    q);
                if (s > 0) { /* input q: from the router whose digit is q, by the port of ours */
                    uint32_t digit = a / span % k;
                    uint32_t from = (s - 1) * per_stage + a - digit * span + q * span;
                    noc_link(b, from, (uint16_t)digit, r, (uint16_t)q);
                }
            }
        }
    *cycles = noc_plain_finish(b, p, mem, out);
    return true;
}
