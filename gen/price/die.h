/* SPDX-License-Identifier: MIT
 *
 * gen/price/die.h: what follows from all prices of a design together: what gated bytes save, the
 * parts of the die that no model lays out, and what their logic leaks.
 *
 * SM core, L2 logic and controllers are what is left of their tiles (tech.tiles.*, die photos) when
 * the arrays in them are taken away. Where energy.leakage = "model" their logic leaks like the
 * cells of the routers' technology, placed at tech.utilisation. */
#ifndef CW_GEN_PRICE_DIE_H
#define CW_GEN_PRICE_DIE_H

#include "gen/price/price.h"

/* With byte enables a byte that carries nothing saves its share of what a flit costs. Follows from
 * the other prices, also from those of a table. */
void die_set_gating(struct priced *p);

/* Areas of SM core, L2 logic and controllers, and p->die. */
bool die_set_tiles(struct priced *p, const struct engine_ctx *ctx, struct err *err);

#endif
