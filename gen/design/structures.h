/* SPDX-License-Identifier: MIT
 *
 * gen/design/structures.h: which arrays a design has, with their geometry from cache/. */
#ifndef CW_GEN_DESIGN_STRUCTURES_H
#define CW_GEN_DESIGN_STRUCTURES_H

#include "gen/design/design.h"

/* Fills design.arrays; the networks are there already. */
void structures_make(const struct arch *arch, struct design *out, struct arena *mem);

#endif
