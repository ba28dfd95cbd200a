/* SPDX-License-Identifier: MIT
 *
 * energy/logic/libraries.h: the published technologies with their cell libraries. */
#ifndef CW_ENERGY_LOGIC_LIBRARIES_H
#define CW_ENERGY_LOGIC_LIBRARIES_H

#include "energy/logic/cell.h"
#include "energy/logic/processes.h"

struct logic_set {
    struct logic_techs techs;
    struct logic_techs finfets;            /* no libraries are kept of them */
    struct cell_lib libs[LOGIC_TECHS_MAX]; /* [technology] */
};

/* Makes the libraries of out->techs: to be shared by threads afterwards. */
void logic_set_make(struct logic_set *out);

#endif
