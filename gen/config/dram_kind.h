/* SPDX-License-Identifier: MIT
 *
 * gen/config/dram_kind.h: dram.kind names a technology of DRAM (cfg/tech/dram-NAME.csv, or a file
 * of the user's): its clock, organisation, timing and energies stand where the description says
 * nothing. What base files say about those keys belongs to another DRAM and is set aside; what is
 * said beside dram.kind, or after it, counts. */
#ifndef CW_GEN_CONFIG_DRAM_KIND_H
#define CW_GEN_CONFIG_DRAM_KIND_H

#include "gen/config/arch.h"

/* Gives the keys that a kind sets their defaults back, unless `kind` is "none". */
void dram_kind_forget(struct arch *arch, const char *kind);

/* Fills in what the description leaves to its kind. Times in ns become the next whole number of
 * command clocks. */
bool dram_kind_complete(struct arch *arch, const char *data_dir, bool may_read_files,
                        struct arena *mem, struct err *err);

#endif
