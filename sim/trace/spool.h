/* SPDX-License-Identifier: MIT
 *
 * sim/trace/spool.h: blocks of bytes written once and read back in any order. Small spools stay in
 * memory; beyond a limit blocks go zstd-compressed into a temporary file that has no name. Reading
 * is safe from several threads. */
#ifndef CW_SIM_TRACE_SPOOL_H
#define CW_SIM_TRACE_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct spool;

/* Blocks stay in memory until together they exceed `memory_limit` bytes. NULL: out of memory. */
struct spool *spool_new(size_t memory_limit);
void spool_free(struct spool *s);

/* Adds a block; its number is the count of blocks before it. */
bool spool_add(struct spool *s, const void *data, size_t n, struct err *err);
size_t spool_size(const struct spool *s, size_t block); /* bytes, as added */
size_t spool_count(const struct spool *s);
bool spool_in_memory(const struct spool *s, size_t block);

/* The block, in the spool's own memory (spool_in_memory; `room` is not
 * used) or read into `room`, of spool_size bytes; a NULL room counts as memory that ran out.
 * NULL and an error if the temporary file cannot be read. */
const void *spool_get(const struct spool *s, size_t block, void *room, struct err *err);

#endif
