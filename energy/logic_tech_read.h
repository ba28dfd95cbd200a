/* SPDX-License-Identifier: MIT
 *
 * energy/logic_tech_read.h: technology files of the logic model, cfg/tech/dsent-*.cfg. */
#ifndef CW_ENERGY_LOGIC_TECH_READ_H
#define CW_ENERGY_LOGIC_TECH_READ_H

#include "base/err.h"
#include "energy/logic_tech.h"

/* One file; every missing, misspelt or impossible value is an error with its line. */
bool logic_tech_read(const char *path, struct logic_tech *out, struct err *err);

/* The published technologies, coarsest first: 45, 32, 22, 11 nm. */
struct logic_techs {
    struct logic_tech at[8];
    size_t n;
};
bool logic_techs_read(const char *data_dir, struct logic_techs *out, struct err *err);

const struct logic_tech *logic_techs_named(const struct logic_techs *techs, const char *name);
/* A published node as it is; between two of them interpolated; refused outside. */
bool logic_techs_node(const struct logic_techs *techs, double node_nm, struct logic_tech *out,
                      struct err *err);
/* "Bulk22LVT", or a node as "22", "28nm". */
bool logic_techs_find(const struct logic_techs *techs, const char *text, struct where at,
                      struct logic_tech *out, struct err *err);

#endif
