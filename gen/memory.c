/* SPDX-License-Identifier: MIT */
#include "gen/memory.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>
#include <sqlite3.h>

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

/* SQLite goes on without what it has no memory for: a text that it cannot copy is NULL in the file,
 * a row that it cannot read is not there. */
static void *sqlite_malloc(int size)
{
    return cw_malloc((size_t)size);
}

static void *sqlite_realloc(void *old, int size)
{
    return cw_realloc(old, (size_t)size);
}

static int sqlite_size(void *p)
{
    return (int)malloc_usable_size(p);
}

static int sqlite_round_up(int size)
{
    return (size + 7) & ~7;
}

static int sqlite_begin(void *ctx)
{
    (void)ctx;
    return SQLITE_OK;
}

static void sqlite_end(void *ctx)
{
    (void)ctx;
}

void memory_watch_libraries(void)
{
    static const sqlite3_mem_methods methods = {
        .xMalloc = sqlite_malloc,
        .xFree = free,
        .xRealloc = sqlite_realloc,
        .xSize = sqlite_size,
        .xRoundup = sqlite_round_up,
        .xInit = sqlite_begin,
        .xShutdown = sqlite_end,
    };
    json_set_alloc_funcs(cw_malloc, free);
    sqlite3_config(SQLITE_CONFIG_MALLOC, &methods);
}
