/* SPDX-License-Identifier: MIT
 *
 * sim/cta/order_file.h: an order of CTAs that the user has written down (cta.clustering.index =
 * "file"): numbers of CTAs as the trace has them (x + columns * y), neighbours beside each other,
 * separated by blanks, commas or ends of lines; "4-7" and "7-4" are four of them. A line "kernel
 * NAME" begins the order of the launches of that kernel; what stands before the first such line is
 * for all others. '#' begins a comment. A kernel for which nothing is said runs row by row. */
#ifndef CW_SIM_CTA_ORDER_FILE_H
#define CW_SIM_CTA_ORDER_FILE_H

#include <stdbool.h>
#include <stdint.h>

struct arena;
struct err;

struct cta_order_file;

/* NULL after an error: it cannot be read, or a word is no number. */
struct cta_order_file *cta_order_file_read(const char *path, struct arena *mem, struct err *err);
/* The order for a kernel of so many CTAs; *out is NULL where nothing is said. False: what is said
 * is not each of its CTAs once. */
bool cta_order_file_find(const struct cta_order_file *f, const char *kernel, uint32_t n_ctas,
                         struct arena *mem, const uint32_t **out, struct err *err);

#endif
