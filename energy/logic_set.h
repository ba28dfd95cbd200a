/* SPDX-License-Identifier: MIT
 *
 * energy/logic_set.h: the published technologies with their cell libraries. */
#ifndef CW_ENERGY_LOGIC_SET_H
#define CW_ENERGY_LOGIC_SET_H

#include "energy/cell.h"
#include "energy/logic_tech_read.h"

struct logic_set {
    struct logic_techs techs;
    struct cell_lib libs[8]; /* [technology] */
};

/* All libraries are made: to be shared by threads afterwards. */
bool logic_set_make(const char *data_dir, struct logic_set *out, struct err *err);

#endif
