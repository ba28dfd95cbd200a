/* SPDX-License-Identifier: MIT
 *
 * energy/logic/range.h: range checks of model inputs, with the field's name in the message. */
#ifndef CW_ENERGY_LOGIC_RANGE_H
#define CW_ENERGY_LOGIC_RANGE_H

#include "base/err.h"

struct logic_tech;

/* `at.key` is replaced by the field's name. All return false after adding an error. */
bool logic_check_fail(double v, const char *legal, const char *field, struct where at,
                      struct err *err);
bool logic_check_range(double v, double lo, double hi, const char *field, struct where at,
                       struct err *err);
bool logic_check_whole(double v, double lo, double hi, const char *field, struct where at,
                       struct err *err);
bool logic_check_layer(const struct logic_tech *tech, const char *layer, const char *field,
                       struct where at, struct err *err);

#endif
