/* SPDX-License-Identifier: MIT
 *
 * sim/study/line_table.h: what a study knows of each line of memory that a trace touches, found by
 * the line's number. An entry is a structure of the study's own that begins with a uint64_t, the
 * line's number + 1 (0: an empty slot); the rest of a new entry is zero. Entries move when the
 * table grows. */
#ifndef CW_SIM_STUDY_LINE_TABLE_H
#define CW_SIM_STUDY_LINE_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct line_table {
    size_t entry_bytes;  /* the one field to be set at the begin */
    uint64_t n, n_slots; /* a power of two */
    void *slots;
};

/* The line's entry, or an empty one where it has none. The table has slots: line_table_at was
 * called before. */
void *line_table_find(const struct line_table *t, uint64_t number);

/* The line's entry, made where there was none; null: no memory. */
void *line_table_at(struct line_table *t, uint64_t number);

void line_table_end(struct line_table *t);

#endif
