/* SPDX-License-Identifier: MIT
 *
 * gen/price/logic_row.h: what the batch commands of the logic model share: technologies with their
 * cell libraries, and router and link points from CSV rows. */
#ifndef CW_GEN_PRICE_LOGIC_ROW_H
#define CW_GEN_PRICE_LOGIC_ROW_H

#include "energy/logic/libraries.h"
#include "energy/logic/link_model.h"
#include "energy/logic/router_model.h"
#include "energy/tool/dsent.h"
#include "gen/price/batch.h"

/* The technologies of cfg/tech with their libraries. */
bool logic_set_read(const char *data_dir, struct logic_set *out, struct err *err);

/* Columns that logic_row_router and logic_row_link read, with `tech`; NULL-terminated. */
extern const char *const logic_row_router_inputs[], *const logic_row_link_inputs[];

/* The library of the row's `tech` (default Bulk22LVT); an interpolated node gets its own, in the
 * row's memory. NULL after an error. */
const struct cell_lib *logic_row_lib(const struct logic_set *set, const struct batch_row *row,
                                     struct err *err);
bool logic_row_router(const struct batch_row *row, const struct cell_lib *lib,
                      struct router_point *out, struct err *err);
bool logic_row_link(const struct batch_row *row, const struct cell_lib *lib, struct link_point *out,
                    struct err *err);
/* What mode stage takes besides: columns cell_margin, clock_skew, traversal_stages (0: auto). `lib`
 * is the row's library with the margin in its gates. */
struct logic_row_stage {
    const struct cell_lib *lib;
    double skew;
    uint32_t traversal;
};
bool logic_row_stage(const struct batch_row *row, const struct cell_lib *lib,
                     struct logic_row_stage *out, struct err *err);
/* False and an error where the row's technology is interpolated: the real tool has no file. */
bool logic_row_published(const struct logic_set *set, const struct batch_row *row,
                         const struct cell_lib *lib, struct err *err);

#define LOGIC_ENGINE_OPTIONS                                                                       \
    {"engine", 0, "NAME", "native (default) or dsent"},                                            \
        {"dsent", 0, "PROGRAM", "the real DSENT; default: dsent or dsent.exe in PATH"},            \
        {"timeout", 0, "SECONDS", "for one run of the real DSENT; default 600"},                   \
    {                                                                                              \
        "cache", 0, "DIR", "keep results of the real DSENT there"                                  \
    }
bool logic_engine_options(struct app *app, const struct options *o, bool *real,
                          struct dsent_tool *tool);

/* A batch command of the logic model: what its rows are given. */
struct logic_job {
    struct logic_set set;
    struct dsent_tool tool;
    bool fmax; /* --fmax: the last columns, too */
};

typedef bool logic_row_fn(void *job, const struct batch_row *row, double *out, struct err *err);

struct logic_batch {
    const char *const *inputs, *const *outputs;
    size_t n_outputs, n_fmax;    /* the last n_fmax outputs belong to --fmax */
    logic_row_fn *native, *real; /* real: with --engine dsent */
};

/* Reads technologies and options and runs the rows. */
int logic_batch_run(struct app *app, const struct options *o, const struct logic_batch *b);

#endif
