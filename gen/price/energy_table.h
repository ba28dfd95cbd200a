/* SPDX-License-Identifier: MIT
 *
 * gen/price/energy_table.h: the per-config energy table: every event of every class of components
 * with its energy, and leakage, area, instances, engine and technology of the class. Written as
 * CSV, JSON or libconfig; the libconfig form can be edited by hand and read back in place of the
 * engines (energy.table). A class or an event without a row, or a row without a class or an event,
 * is an error that names it. */
#ifndef CW_GEN_PRICE_ENERGY_TABLE_H
#define CW_GEN_PRICE_ENERGY_TABLE_H

#include "energy/engine.h"

struct buf;
struct arena;

enum table_form { TABLE_CSV, TABLE_JSON, TABLE_LIBCONFIG };

/* By the file's ending: .csv, .json, .cfg. */
bool energy_table_form(const char *path, enum table_form *out, struct err *err);
void energy_table_write(const struct book *book, enum table_form form, struct arena *mem,
                        struct buf *out);

/* Replaces the prices of `book` (of which classes and, per class, the events that can be counted
 * are kept) by those of a libconfig table. */
bool energy_table_read(const char *path, struct arena *mem, struct book *book, struct err *err);

#endif
