/* SPDX-License-Identifier: MIT
 *
 * energy/logic/sizing.h: makes a block meet a clock by enlarging one cell at a time along the
 * critical path (the sizing loop of DSENT). Sizes only grow, and after a failure only the paths
 * tried have been enlarged: a failed block is not a design point. */
#ifndef CW_ENERGY_LOGIC_SIZING_H
#define CW_ENERGY_LOGIC_SIZING_H

#include <stdbool.h>
#include <stdint.h>

struct netlist;

struct timing_result {
    bool met;
    double required;  /* s */
    double min_delay; /* smallest delay of an extracted critical path, s */
    double slack;     /* required minus final delay, s */
    unsigned steps;   /* enlargements made */
};

struct timing_result timing_optimise(struct netlist *nl, uint32_t start_net, double required);

#endif
