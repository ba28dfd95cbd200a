/* SPDX-License-Identifier: MIT
 *
 * gen/report/report_files.h: the files of a report, all or none. A page never stands beside data
 * that is not its own: the old page goes before the first new file comes, and where one cannot be
 * written the others are taken back. */
#ifndef CW_GEN_REPORT_REPORT_FILES_H
#define CW_GEN_REPORT_REPORT_FILES_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct err;

struct report_file {
    const char *name, *data;
    size_t n;
};

/* Makes `dir` and sees that it can be written, before anything runs. */
bool report_dir(const char *dir, struct err *err);
/* Removes the page of an earlier run. */
void report_begin(const char *dir, struct arena *mem);
bool report_files_write(const char *dir, const struct report_file *files, size_t n,
                        struct arena *mem, struct err *err);

#endif
