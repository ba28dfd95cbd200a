/* SPDX-License-Identifier: MIT
 *
 * sim/trace/lines.h: lines of a text file that may be plain, gzip or xz (told apart by content, not
 * by name). The file is streamed: memory is one buffer, whatever its length. */
#ifndef CW_SIM_TRACE_LINES_H
#define CW_SIM_TRACE_LINES_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct lines;

#define LINES_MAX_LENGTH ((size_t)1 << 16)
#define LINES_MOST_EMPTY 100000u /* in a row: a short file may unpack to any number of them */

/* NULL and an error if the file cannot be opened or is not a regular file. */
struct lines *lines_open(const char *path, struct err *err);
void lines_close(struct lines *l);

/* The next line without its end (LF or CRLF), terminated by '\0'; valid until the next call. 1: a
 * line, 0: the end, -1: an error was added (cut off or damaged compression, a line too long,
 * reading failed). */
int lines_next(struct lines *l, char **line, size_t *length, struct err *err);
int lines_number(const struct lines *l); /* of the line last returned, from 1 */

#endif
