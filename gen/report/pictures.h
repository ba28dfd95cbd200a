/* SPDX-License-Identifier: MIT
 *
 * gen/report/pictures.h: what a comparison's report shows besides bars: the networks and
 * floorplans, how busy each channel was over all workloads, and latency over load. */
#ifndef CW_GEN_REPORT_PICTURES_H
#define CW_GEN_REPORT_PICTURES_H

#include "gen/price/price.h"
#include "gen/report/report.h"
#include "gen/run/pairs.h"

struct app;
struct options;

/* Draws into DIR/designs/NAME and puts the pictures into `out`. `results` are those of the design.
 */
struct pictures_request {
    const struct priced *priced;
    const struct result *results; /* of the design */
    size_t n_results;
    const char *dir, *data_dir;
};
bool pictures_of_design(const struct pictures_request *q, struct arena *mem,
                        struct report_design *out, struct err *err);

/* Load and latency of the request networks under many-to-few traffic; a curve for each design. */
bool pictures_curves(struct app *app, const struct pairs_design *designs, size_t n,
                     struct report *report);

#endif
