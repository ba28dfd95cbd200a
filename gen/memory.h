/* SPDX-License-Identifier: MIT
 *
 * gen/memory.h: libraries that do not look at what malloc returns get memory that is never NULL:
 * where there is none, arena_exhausted ends the program. jansson and SQLite are given the
 * functions; libconfig has no place for them, so the Makefile renames the calls inside its archive
 * to those below. */
#ifndef CW_GEN_MEMORY_H
#define CW_GEN_MEMORY_H

#include <stddef.h>

void memory_watch_libraries(void); /* before the first call of a library */

void *cw_malloc(size_t size);
void *cw_calloc(size_t n, size_t size);
void *cw_realloc(void *old, size_t size);
char *cw_strdup(const char *s);

#endif
