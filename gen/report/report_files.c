/* SPDX-License-Identifier: MIT */
#include "gen/report/report_files.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"

bool report_dir(const char *dir, struct err *err)
{
    if (!file_make_dirs(dir, err))
        return false;
    return access(dir, W_OK | X_OK) == 0 ||
           err_add(err, ERR_MACHINE, AT_FILE(dir), "cannot be written: %s", strerror(errno));
}

void report_begin(const char *dir, struct arena *mem)
{
    unlink(path_join(mem, dir, "report.html"));
}

bool report_files_write(const char *dir, const struct report_file *files, size_t n,
                        struct arena *mem, struct err *err)
{
    size_t written = 0;
    while (written < n && file_keep(path_join(mem, dir, files[written].name), files[written].data,
                                    files[written].n, err))
        written++;
    if (written == n)
        return true;
    while (written--)
        unlink(path_join(mem, dir, files[written].name));
    return false;
}
