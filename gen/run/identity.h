/* SPDX-License-Identifier: MIT
 *
 * gen/run/identity.h: what must be equal for a result to be taken again: the sources of the program
 * that make numbers, values and files of the description, files and numbers of its prices, the
 * networks, and the workload. */
#ifndef CW_GEN_RUN_IDENTITY_H
#define CW_GEN_RUN_IDENTITY_H

#include "gen/run/setup.h"
#include "gen/store/store.h"

/* Of a design that is ready to run. */
uint64_t identity_design(const struct sim_setup *setup, struct arena *mem);
/* Of what a design is made from, known before it is made: values, files read, technologies. What a
 * real tool would answer is not in it. */
uint64_t identity_inputs(const struct arch *arch, uint64_t files, struct arena *mem);
/* Of a run; `window`: cut off after so many cycles, 0: whole. */
uint64_t identity_pair(uint64_t design, uint64_t workload, uint64_t window);

/* The description with all values, "key = value" a line, and those lines that differ from
 * another's. */
const char *identity_description(const struct arch *arch, struct arena *mem);
const char *identity_changes(const struct arch *from, const struct arch *to, struct arena *mem);

/* Parts and prices of a design, for the store. */
struct store_component *identity_components(const struct priced *priced, struct arena *mem,
                                            size_t *n);

#endif
