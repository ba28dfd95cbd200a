/* SPDX-License-Identifier: MIT
 *
 * gen/workload/suite.h: the workloads that come with crosswatt (cfg/workloads), by name and by
 * group. */
#ifndef CW_GEN_WORKLOAD_SUITE_H
#define CW_GEN_WORKLOAD_SUITE_H

struct arena;
struct err;

/* The workload file that `name` means, whether it exists or not. */
const char *suite_path(const char *name, const char *data_dir, struct arena *mem);

/* The same; NULL and an error with the nearest name where the suite has no such workload. */
const char *suite_find(const char *name, const char *data_dir, struct arena *mem, struct err *err);

/* All workloads in ascending order of name; `group` NULL or "@icc", "high", …: those that belong to
 * it. NULL-terminated; NULL if the folder cannot be read. */
const char **suite_names(const char *group, const char *data_dir, struct arena *mem,
                         struct err *err);

#endif
