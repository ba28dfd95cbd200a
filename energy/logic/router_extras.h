/* SPDX-License-Identifier: MIT
 *
 * energy/logic/router_extras.h: what the papers add to a router, made of the same gates: the
 * routing unit of the CD-Xbar (an arbiter over all inputs for each converged port), the merge
 * table of packet coalescing (flip-flop rows with write decoder, read multiplexer and a comparator
 * per row) and its grant holder (registered grants with a hold bit per output). Cells are not
 * enlarged: none of them lies between the clock and a wide bus. */
#ifndef CW_ENERGY_LOGIC_ROUTER_EXTRAS_H
#define CW_ENERGY_LOGIC_ROUTER_EXTRAS_H

#include "energy/logic/cell.h"

struct extra_cost {
    double area, leak[LEAK_VARIANTS];
    double energy; /* of one use, J */
    double search; /* merge table: of one search; its use is one row written and read */
};

/* `ports` arbiters over `n_in` requests; one use: one arbiter decides. */
struct extra_cost extra_rr_unit(const struct cell_lib *lib, enum arbiter_kind arbiters,
                                uint32_t n_in, uint32_t ports);
/* A search compares `tag_bits` of the `bits` of every row. */
struct extra_cost extra_merge_table(const struct cell_lib *lib, uint32_t entries, uint32_t bits,
                                    uint32_t tag_bits);
/* One use: the grants of one output pass its holder. */
struct extra_cost extra_grant_holder(const struct cell_lib *lib, uint32_t n_in, uint32_t n_out);

#endif
