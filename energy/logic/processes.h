/* SPDX-License-Identifier: MIT
 *
 * energy/logic/processes.h: the published technologies of the logic model, and how one is chosen.
 */
#ifndef CW_ENERGY_LOGIC_PROCESSES_H
#define CW_ENERGY_LOGIC_PROCESSES_H

#include "base/err.h"
#include "energy/logic/process.h"

enum { LOGIC_TECHS_MAX = 8 };

struct logic_techs { /* coarsest first: 45, 32, 22, 11 nm; gen/config/read_tech.h fills it */
    struct logic_tech at[LOGIC_TECHS_MAX];
    size_t n;
};

const struct logic_tech *logic_techs_named(const struct logic_techs *techs, const char *name);
/* Within the published nodes? */
bool logic_techs_cover(const struct logic_techs *techs, double node_nm);
/* A published node as it is; between two of them interpolated; refused outside. */
bool logic_techs_node(const struct logic_techs *techs, double node_nm, struct logic_tech *out,
                      struct err *err);
/* "Bulk22LVT", or a node as "22", "28nm". */
bool logic_techs_find(const struct logic_techs *techs, const char *text, struct where at,
                      struct logic_tech *out, struct err *err);

#endif
