/* SPDX-License-Identifier: MIT
 *
 * gen/price/assumptions.h: what a price stands on and nobody can settle: node, leakage variant,
 * timing mode, lengths of links, clock limit. Said in one line wherever performance per Watt is
 * shown. */
#ifndef CW_GEN_PRICE_ASSUMPTIONS_H
#define CW_GEN_PRICE_ASSUMPTIONS_H

#include "gen/price/price.h"

/* "22 nm, leakage 0.91, timing mode all, links by floorplan, clock limit fmax". Where the
 * designs do not agree, each value is said with the designs it belongs to. `names` may be NULL for
 * one design. */
const char *assumptions_line(const struct priced *const *priced, const char *const *names, size_t n,
                             struct arena *mem);

/* Why the network's clock is not what was asked for, as a sentence; "" where it is. */
const char *assumptions_clock(const struct priced *priced, struct arena *mem);

#endif
