/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* O_TMPFILE */
#include "base/draft.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/file.h"

bool draft_open(struct draft *d, const char *path, struct arena *mem)
{
    *d = (struct draft){.mem = mem, .path = file_link_target(mem, path)};
    d->fd = open(path_dir(mem, d->path), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
    d->is_unnamed = d->fd >= 0;
    if (!d->is_unnamed)
        d->fd = file_open_new(d->path, mem, &d->temporary);
    if (d->fd < 0)
        return false;
    d->file = fdopen(d->fd, "wb");
    if (d->file)
        return true;
    int why = errno;
    close(d->fd);
    if (!d->is_unnamed)
        remove(d->temporary);
    errno = why;
    return false;
}

static bool give_name(struct draft *d)
{
    if (!d->is_unnamed)
        return true;
    /* several processes, or threads of one, may write the same file at the same time */
    d->temporary = arena_printf(d->mem, "%s.%ld-%p.part", d->path, (long)getpid(), (void *)d);
    const char *self = arena_printf(d->mem, "/proc/self/fd/%d", d->fd);
    d->is_unnamed = linkat(AT_FDCWD, self, AT_FDCWD, d->temporary, AT_SYMLINK_FOLLOW) != 0;
    return !d->is_unnamed;
}

bool draft_keep(struct draft *d)
{
    bool ok = !ferror(d->file) && fflush(d->file) == 0 && file_sync(d->fd) && give_name(d);
    int why = errno;
    if (fclose(d->file) != 0 && ok) {
        ok = false;
        why = errno;
    }
    if (ok && (rename(d->temporary, d->path) != 0 || !file_sync_folder_of(d->path))) {
        ok = false;
        why = errno;
    }
    if (!ok && !d->is_unnamed)
        remove(d->temporary);
    errno = why;
    return ok;
}

void draft_drop(struct draft *d)
{
    fclose(d->file);
    if (!d->is_unnamed)
        remove(d->temporary);
}
