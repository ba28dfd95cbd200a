/* SPDX-License-Identifier: MIT
 *
 * sim/cta/partition.h: which CTAs belong together, after Li et al., "Locality-Aware CTA Clustering
 * for Modern GPUs" (ASPLOS 2017). A CTA has a number v in an order that makes CTAs with common data
 * neighbours (its index); |V| CTAs are cut into M clusters of neighbours, and cluster i belongs to
 * SM i. A position is (w, i): the w-th CTA of cluster i.
 *
 * The paper's equations (4) and (5) as printed do not give a partition (for |V| = 6, M = 2 two CTAs
 * share a position); these are the ones its inverse belongs to. */
#ifndef CW_SIM_CTA_PARTITION_H
#define CW_SIM_CTA_PARTITION_H

#include <stdint.h>

#include "sim/params.h"

struct arena;
struct cta_grid;

struct cta_partition {
    uint32_t n, m; /* CTAs, clusters; m > 0 */
    uint32_t q, r; /* n / m, n % m: the first r clusters have one more */
};

struct cta_position {
    uint32_t w, i;
};

struct cta_partition cta_partition_of(uint32_t n, uint32_t m);
/* f: a CTA's position. */
struct cta_position cta_position_of(const struct cta_partition *p, uint32_t v);
/* The inverse of f (eq. 6). */
uint32_t cta_at_position(const struct cta_partition *p, struct cta_position at);
/* g: the position that CTA u of the new kernel takes where SMs get CTAs strictly in turn (eq. 7).
 */
struct cta_position cta_bind_in_turn(const struct cta_partition *p, uint32_t u);
uint32_t cta_cluster_size(const struct cta_partition *p, uint32_t i);

/* The CTA of the trace that has number v in an order of a grid of `columns`: row by row, column by
 * column, or tile by tile (tiles and what is in them row by row, cut off at the edges). */
uint32_t cta_of_index(enum cta_index index, uint32_t tile, const struct cta_grid *grid, uint32_t v);
/* The same for every v, or NULL where it is the trace's own order. */
uint32_t *cta_order(const struct cta_clustering_params *params, const struct cta_grid *grid,
                    struct arena *mem);

#endif
