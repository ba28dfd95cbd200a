/* SPDX-License-Identifier: MIT
 *
 * gen/silicon/silicon_kept.h: what `crosswatt silicon` found out about a machine, kept for reports
 * that cannot measure it anew: in the user's cache, for a program of the same sources, and for
 * machines that are shipped in cfg/silicon/measured.csv. A machine is known by what its description
 * says of it, without CTA policies and settings of the simulator. */
#ifndef CW_GEN_SILICON_SILICON_KEPT_H
#define CW_GEN_SILICON_SILICON_KEPT_H

#include "gen/silicon/silicon_report.h"

/* Sixteen digits. */
const char *silicon_kept_name(const struct arch *arch, struct arena *mem);

/* Into the cache; where there is none, nothing. Only for all figures. */
void silicon_keep(const struct silicon_report *r, const char *name, struct arena *mem);
/* Into a table like cfg/silicon/measured.csv, in place of the row of the same configuration. */
bool silicon_record(const struct silicon_report *r, const char *name, const char *file,
                    struct arena *mem, struct err *err);

/* "33 of 38 figures of V100 within tolerance"; NULL: not measured. */
const char *silicon_recall(const struct arch *arch, const char *data_dir, struct arena *mem);

#endif
