/* SPDX-License-Identifier: MIT
 *
 * Concentrated mesh: k x k routers, each with a 2 x 2 tile of the node grid. Ports: the tile's
 * nodes row by row, then +x, -x, +y, -y. Dimension order, x first, without express channels: the
 * outer ports of edge routers are tied off. */
#include "base/arena.h"
#include "base/err.h"
#include "noc/topology/plain.h"

static void connect_tile(struct noc_builder *b, const struct noc_plain *p, uint32_t router)
{
    uint32_t k = p->k, x = router % k, y = router / k;
    for (uint32_t t = 0; t < 4; t++) {
        uint32_t nx = 2 * x + t % 2, ny = 2 * y + t / 2, node = ny * 2 * k + nx;
        noc_inject(b, node, router, (uint16_t)t);
        noc_eject(b, router, (uint16_t)t, node);
        noc_plain_rule(b, p, router, (struct noc_region){nx, nx, ny, ny}, t);
    }
    if (x + 1 < k)
        noc_plain_rule(b, p, router, (struct noc_region){2 * x + 2, 2 * k - 1, 0, 2 * k - 1}, 4);
    if (x > 0)
        noc_plain_rule(b, p, router, (struct noc_region){0, 2 * x - 1, 0, 2 * k - 1}, 5);
    if (y + 1 < k)
        noc_plain_rule(b, p, router, (struct noc_region){2 * x, 2 * x + 1, 2 * y + 2, 2 * k - 1},
                       6);
    if (y > 0)
        noc_plain_rule(b, p, router, (struct noc_region){2 * x, 2 * x + 1, 0, 2 * y - 1}, 7);
}

bool noc_plain_cmesh(const struct noc_plain *p, struct arena *mem, struct noc *out,
                     const uint16_t **cycles, struct err *err)
{
    uint32_t k = p->k;
    if (p->n != 2 || k < 1 || k > 128)
        return err_add(err, ERR_INPUT, (struct where){NULL, 0, "k"},
                       "a concentrated mesh has 2 dimensions of 1 to 128 routers, not %u of %u",
                       p->n, k);
    struct noc_builder *b = noc_builder_new(mem, "cmesh", NOC_BOTH);
    for (uint32_t r = 0; r < k * k; r++)
        noc_add_router(b, 8, 8, 0, (uint16_t)(r % k), (uint16_t)(r / k));
    for (uint32_t e = 0; e < 4 * k * k; e++)
        noc_add_endpoint(b, NOC_EP_NODE, e, 1, (uint16_t)(e % (2 * k)), (uint16_t)(e / (2 * k)));
    for (uint32_t r = 0; r < k * k; r++) {
        connect_tile(b, p, r);
        if (r % k + 1 < k) {
            noc_link(b, r, 4, r + 1, 5);
            noc_link(b, r + 1, 5, r, 4);
        }
        if (r / k + 1 < k) {
            noc_link(b, r, 6, r + k, 7);
            noc_link(b, r + k, 7, r, 6);
        }
    }
    noc_plain_finish(b, p, mem, out);
    uint16_t *c = arena_many(mem, uint16_t, out->n_channels);
    for (uint32_t i = 0; i < out->n_channels; i++)
        c[i] = p->long_links && out->channels[i].src_node == NOC_ROUTER &&
                       out->channels[i].dst_node == NOC_ROUTER
                   ? 2
                   : 1;
    out->grid_columns = out->grid_rows = (uint16_t)k;
    *cycles = c;
    return true;
}
