/* SPDX-License-Identifier: MIT */
#include "sim/cta/partition.h"

#include <stddef.h>

#include "base/arena.h"
#include "sim/cta/sched.h"

struct cta_partition cta_partition_of(uint32_t n, uint32_t m)
{
    return (struct cta_partition){.n = n, .m = m, .q = n / m, .r = n % m};
}

uint32_t cta_cluster_size(const struct cta_partition *p, uint32_t i)
{
    return p->q + (i < p->r);
}

struct cta_position cta_position_of(const struct cta_partition *p, uint32_t v)
{
    if (v < p->r * (p->q + 1))
        return (struct cta_position){.w = v % (p->q + 1), .i = v / (p->q + 1)};
    return (struct cta_position){.w = (v - p->r) % p->q, .i = (v - p->r) / p->q};
}

uint32_t cta_at_position(const struct cta_partition *p, struct cta_position at)
{
    uint32_t late = at.i > p->r ? at.i - p->r : 0; /* clusters before it that lack the extra one */
    return at.i * (p->q + 1) + at.w - late;
}

struct cta_position cta_bind_in_turn(const struct cta_partition *p, uint32_t u)
{
    return (struct cta_position){.w = u / p->m, .i = u % p->m};
}

/* ---- orders ---- */

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t by_tile(uint32_t columns, uint32_t rows, uint32_t tile, uint32_t v)
{
    uint32_t band = tile * columns; /* CTAs of a full row of tiles */
    uint32_t y0 = v / band * tile, height = least(tile, rows - y0);
    uint32_t rest = v % band, x0 = rest / (tile * height) * tile;
    uint32_t width = least(tile, columns - x0), inside = rest - x0 * height;
    return (y0 + inside / width) * columns + x0 + inside % width;
}

uint32_t cta_of_index(enum cta_index index, uint32_t tile, const struct cta_grid *grid, uint32_t v)
{
    uint32_t columns = grid->columns, rows = grid->n_ctas / columns;
    switch (index) {
    case CTA_INDEX_column: return v % rows * columns + v / rows;
    case CTA_INDEX_tile: return by_tile(columns, rows, tile, v);
    case CTA_INDEX_file: return grid->order[v];
    case CTA_INDEX_row:
    case CTA_INDEX_auto: /* settled before */ break;
    }
    return v;
}

uint32_t *cta_order(const struct cta_clustering_params *params, const struct cta_grid *grid,
                    struct arena *mem)
{
    if (params->index == CTA_INDEX_row)
        return NULL;
    uint32_t *order = arena_many(mem, uint32_t, grid->n_ctas);
    for (uint32_t v = 0; v < grid->n_ctas; v++)
        order[v] = cta_of_index(params->index, params->tile, grid, v);
    return order;
}
