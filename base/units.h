/* SPDX-License-Identifier: MIT
 *
 * base/units.h: "48 KB", "1.4 GHz" -> number, number -> "1.40 GHz". */
#ifndef CW_BASE_UNITS_H
#define CW_BASE_UNITS_H

#include <stdbool.h>

/* Reads "48 KB" into the unit wanted ("B", "bit", "GHz", "MHz", "mm", "mm2", "um", "nm", "ns",
 * "ps", "K", "V", "W", "mW", "pJ", "cycle"; "" for a plain number). KB, MB, GB are powers of 1024.
 * A plain number is taken to be in the wanted unit. False if the text is not a number, or its unit
 * is of another kind. */
bool units_parse(const char *text, const char *wanted, double *out);

#endif
