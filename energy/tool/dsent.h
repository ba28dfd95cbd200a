/* SPDX-License-Identifier: MIT
 *
 * energy/tool/dsent.h: drives a real `dsent` (a program that the user may have): writes its
 * configuration from templates/, runs it in a temporary folder with a time limit, reads its results
 * by name, and keeps them on disk by content. Results and points are those of our own models.
 *
 * The program's technology files are looked for in tech/tech_models beside it or one folder up.
 * They tell the two code lines apart: those of the later one (leakage variant 2013) have the key
 * Nmos->CharacterizedVdd, and a program of one line refuses the other's files. */
#ifndef CW_ENERGY_TOOL_DSENT_H
#define CW_ENERGY_TOOL_DSENT_H

#include "energy/logic/link_model.h"
#include "energy/logic/router_model.h"

struct dsent_tool {
    const char *program;     /* path or name; NULL or "": "dsent", then "dsent.exe", in PATH */
    const char *cache_dir;   /* NULL or "": no cache */
    const char *data_dir;    /* where templates/ is */
    double timeout_s;        /* 0: ten minutes */
    double vdd, temperature; /* 0: as in the technology file */
};

/* On success the leakage of `*variant` is filled, that of the other is NAN. Failures keep the
 * program's input and output and say where. `tech` is a published technology ("Bulk22LVT"). */
bool dsent_router(const struct dsent_tool *tool, const char *tech, const struct router_point *p,
                  struct router_result *out, enum leak_variant *variant, struct err *err);
bool dsent_link(const struct dsent_tool *tool, const char *tech, const struct link_point *p,
                struct link_result *out, enum leak_variant *variant, struct err *err);

#endif
