/* SPDX-License-Identifier: MIT
 *
 * base/draft.h: a file that is written bit by bit and appears complete or not at all. Until then it
 * has no name where the file system can do that, so that nothing stays of it when the program ends
 * before; else it stands beside its place under another name. */
#ifndef CW_BASE_DRAFT_H
#define CW_BASE_DRAFT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/arena.h"

struct draft {
    FILE *file; /* to write to */
    int fd;     /* of it */
    /* the rest is its own */
    struct arena *mem;
    const char *path;
    char *temporary;
    bool is_unnamed;
};

/* False and errno. Path and memory stay in use. */
bool draft_open(struct draft *d, const char *path, struct arena *mem);
/* Puts it in its place; it is on the disk on return. False and errno: nothing has changed there.
 * Either way it is closed. */
bool draft_keep(struct draft *d);
void draft_drop(struct draft *d);

#endif
