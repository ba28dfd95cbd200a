/* SPDX-License-Identifier: MIT
 *
 * gen/out.h: how commands print a result on standard output. */
#ifndef CW_GEN_OUT_H
#define CW_GEN_OUT_H

#include <stdbool.h>

#include "base/table.h"

enum { OUT_ALL_DIGITS = 0 }; /* as many as it takes to read the same number back */

/* Prints and releases `j`; reals with that many significant digits. */
void out_json(json_t *j, int digits);
void out_table(const struct table *t, bool as_json, int digits, struct arena *mem);

#endif
