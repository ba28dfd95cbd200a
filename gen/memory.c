/* SPDX-License-Identifier: MIT */
#include "gen/memory.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/arena.h"

static void *never_null(void *p)
{
    if (!p)
        arena_exhausted();
    return p;
}

void *cw_malloc(size_t size)
{
    return never_null(malloc(size ? size : 1));
}

void *cw_calloc(size_t n, size_t size)
{
    return never_null(n && size ? calloc(n, size) : calloc(1, 1));
}

void *cw_realloc(void *old, size_t size)
{
    return never_null(realloc(old, size ? size : 1));
}

char *cw_strdup(const char *s)
{
    return never_null(strdup(s));
}

void memory_watch_libraries(void)
{
    json_set_alloc_funcs(cw_malloc, free);
}
