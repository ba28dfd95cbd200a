/* SPDX-License-Identifier: MIT
 *
 * gen/logic_row.h: what the batch commands of the logic model share: technologies with their cell
 * libraries, and router and link points from CSV rows. */
#ifndef CW_GEN_LOGIC_ROW_H
#define CW_GEN_LOGIC_ROW_H

#include "energy/link_model.h"
#include "energy/logic_set.h"
#include "energy/router_model.h"
#include "gen/batch.h"

/* The library of the row's `tech` (default Bulk22LVT); an interpolated node gets its own, in the
 * row's memory. NULL after an error. */
const struct cell_lib *logic_row_lib(const struct logic_set *set, const struct batch_row *row,
                                     struct err *err);
bool logic_row_router(const struct batch_row *row, const struct cell_lib *lib,
                      struct router_point *out, struct err *err);
bool logic_row_link(const struct batch_row *row, const struct cell_lib *lib, struct link_point *out,
                    struct err *err);

#endif
