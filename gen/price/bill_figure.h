/* SPDX-License-Identifier: MIT
 *
 * gen/price/bill_figure.h: pictures of bills. */
#ifndef CW_GEN_PRICE_BILL_FIGURE_H
#define CW_GEN_PRICE_BILL_FIGURE_H

#include "gen/command.h"
#include "gen/price/bill.h"

/* Area and power by part, a bar for each design, as area.svg and power.svg. */
bool bill_plot(struct app *app, const struct bill *bills, size_t n, const char *dir);

/* Figure 2 (area by part of the topologies at 80 SMs) or 3 (area, power and largest clock over 20,
 * 80, 120 and 180 SMs) of the CD-Xbar paper, from the configurations in cfg/paper/cdxbar: numbers
 * on standard output, picture and data in `dir`. */
bool bill_figure(struct app *app, const struct options *o, int figure,
                 const struct bill_options *bo, const char *dir);

#endif
