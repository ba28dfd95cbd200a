/* SPDX-License-Identifier: MIT
 *
 * gen/price/technology.h: the tables of docs/technology.md: factors between nodes with what they
 * leave open, and one router at every published technology. */
#ifndef CW_GEN_PRICE_TECHNOLOGY_H
#define CW_GEN_PRICE_TECHNOLOGY_H

#include <stdbool.h>

struct arena;
struct err;
struct scope;

bool technology_tables(struct scope *s, const char *data_dir, struct arena *mem, struct err *err);

#endif
