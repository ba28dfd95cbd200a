/* SPDX-License-Identifier: MIT
 *
 * gen/report/describe.h: what a report says about a design before anything runs: counts, clock,
 * area by part, who priced it; and in which keys several designs differ. */
#ifndef CW_GEN_REPORT_DESCRIBE_H
#define CW_GEN_REPORT_DESCRIBE_H

#include "gen/price/price.h"
#include "gen/report/report.h"

extern const char *const describe_parts[]; /* names of report_design.area_mm2 */
extern const size_t n_describe_parts;

/* Everything but the pictures. `name` is short and unique among the designs of a report. */
void describe_design(const struct priced *priced, const char *name, struct arena *mem,
                     struct report_design *out);

/* Short names for files: what tells them apart. */
const char **describe_names(const char *const *files, size_t n, struct arena *mem);

/* Keys whose values are not the same in all of `archs`. */
struct report_key *describe_differences(const struct arch *const *archs, size_t n,
                                        struct arena *mem, size_t *n_out);

#endif
