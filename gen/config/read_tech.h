/* SPDX-License-Identifier: MIT
 *
 * gen/config/read_tech.h: the technologies of cfg/tech, read into the plain structs that the cost
 * models take. Values missing, of another kind, impossible or out of order are errors with line. */
#ifndef CW_GEN_CONFIG_READ_TECH_H
#define CW_GEN_CONFIG_READ_TECH_H

#include "energy/array/devices.h"
#include "energy/logic/processes.h"
#include "energy/scaling.h"

struct arena;

bool logic_tech_read(const char *path, struct logic_tech *out, struct err *err);
bool logic_techs_read(const char *data_dir, enum logic_family family, struct logic_techs *out,
                      struct err *err);
uint64_t logic_techs_hash(const char *data_dir); /* of the contents of the files it reads */
bool array_tables_read(const char *file, struct arena *mem, struct array_tables *out,
                       struct err *err);

/* What engines need of cfg/tech. */
struct tech_tables {
    struct logic_techs logic[LOGIC_FAMILY_COUNT];
    struct array_tables arrays;
    struct tech_scaling scaling;
    uint64_t sources; /* hash of the files' contents */
};
/* The family that a description means, and its technologies. */
enum logic_family tech_tables_family(const struct tech_tables *tables,
                                     const struct tech_params *tech);
const struct logic_techs *tech_tables_logic(const struct tech_tables *tables,
                                            const struct tech_params *tech);
/* Does the family have this node, as published or between two of its nodes? */
bool tech_tables_has(const struct tech_tables *tables, enum logic_family family, double node_nm);
extern const char *const tech_family_names[LOGIC_FAMILY_COUNT];
/* " DSENT", " FinFET" behind a node that FinFETs have; "" behind larger ones. */
const char *tech_tables_family_said(const struct tech_tables *tables,
                                    const struct tech_params *tech);
/* NULL and errors if a file is wrong. */
const struct tech_tables *tech_tables_read(const char *data_dir, struct arena *mem,
                                           struct err *err);

#endif
