/* SPDX-License-Identifier: MIT
 *
 * gen/design/show.h: the facts of a design as tables and as data; used by `show`, `gen` and
 * reports. */
#ifndef CW_GEN_DESIGN_SHOW_H
#define CW_GEN_DESIGN_SHOW_H

#include <jansson.h>

#include "gen/design/design.h"

struct buf;

/* {"noc": {…}, "arrays": […], "components": {…}}; the caller owns it. */
json_t *show_json(const struct design *d);

void show_networks(const struct design *d, struct buf *out);
void show_arrays(const struct design *d, struct buf *out);

/* One line of a comparison of designs: routers, VC buffers, links, crossbars of both networks. */
void show_add_counts(const struct design *d, struct noc_counts *out, struct arena *mem);
/* "16 of 10x3, 2 of 24x16". */
void show_add_shapes(const struct noc_counts *counts, struct buf *out);

#endif
