/* SPDX-License-Identifier: MIT
 *
 * gen/config/tiles.h: areas of tiles that a description leaves to the node: from die photos
 * (cfg/tech/tiles.csv), each value with range, grade and source. Between the nodes of two chips
 * they are interpolated (logarithms of area over node); beyond the last chip on either side its
 * shares of logic, SRAM and analogue go each by its own factors (cfg/tech/scaling.csv). */
#ifndef CW_GEN_CONFIG_TILES_H
#define CW_GEN_CONFIG_TILES_H

#include "energy/scaling.h"
#include "gen/config/arch.h"

struct tile_value {
    double node_nm, mm2, low, high;
    double sram, analogue; /* shares of the area; the rest is logic */
    const char *chip, *per, *grade, *source;
};

struct tile_table {
    struct tile_value *at[TILES]; /* finest node first */
    size_t n[TILES];
};

const char *tile_name(enum tile t);
bool tiles_read(const char *data_dir, struct arena *mem, struct tile_table *out, struct err *err);
/* mm2 per SM, MB, byte of the bus, SM, die. */
double tile_at(const struct tile_table *table, const struct tech_scaling *scaling, enum tile t,
               double node_nm);

/* What the way from a photographed node leaves open, as a factor up and down; 1 at such a node. */
double tile_spread(const struct tile_table *table, const struct tech_scaling *scaling, enum tile t,
                   double node_nm);

/* Fills in what arch->place leaves to the node. */
bool tiles_complete(struct arch *arch, const char *data_dir, struct arena *mem, struct err *err);

#endif
