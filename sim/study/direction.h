/* SPDX-License-Identifier: MIT
 *
 * sim/study/direction.h: along which side of its grid the CTAs of a kernel have more in common.
 * Of some CTAs spread over the grid, the lines that they read are compared with those of the
 * neighbour in the row and of the neighbour in the column. Li et al. 2017 read the direction off
 * the source's index expressions (and, for references with one index, off the wrong side);
 * addresses say the same and need no source. */
#ifndef CW_SIM_STUDY_DIRECTION_H
#define CW_SIM_STUDY_DIRECTION_H

#include <stdbool.h>
#include <stdint.h>

struct err;
struct trace_source;

struct direction {
    uint64_t lines;     /* read by the CTAs that were looked at, each line once a CTA */
    uint64_t row_lines; /* of them: read by the neighbour in the row, too */
    uint64_t column_lines;
};

bool study_direction(const struct trace_source *source, uint32_t kernel, uint32_t line_bytes,
                     struct direction *out, struct err *err);

/* Clusters of columns share more than clusters of rows; ties and grids of one row go by row. */
static inline bool direction_is_column(const struct direction *d)
{
    return d->column_lines > d->row_lines;
}

#endif
