/* SPDX-License-Identifier: MIT
 *
 * gen/price/bill_print.h: bills as text and JSON, alone and side by side. */
#ifndef CW_GEN_PRICE_BILL_PRINT_H
#define CW_GEN_PRICE_BILL_PRINT_H

#include <jansson.h>

#include "gen/price/bill.h"

struct buf;

/* What a lithography tool exposes at once: 26 mm x 33 mm. */
#define RETICLE_MM2 858.0

/* One screen; the whole bill. */
void bill_print_brief(const struct bill *b, struct arena *mem, struct buf *out);
void bill_print(const struct bill *b, struct arena *mem, struct buf *out);
/* Ratios are to the first. */
void bill_print_side_by_side(const struct bill *bills, size_t n, struct arena *mem,
                             struct buf *out);
/* Size of the die and its two fullest cuts; all cuts as a table. */
void bill_print_fit(const struct bill *b, struct buf *out);
void bill_print_cuts(const struct bill *b, struct arena *mem, struct buf *out);
json_t *bill_json(const struct bill *b, struct arena *mem);
/* {"all": 0.573, …}, in GHz; empty where the other modes were not asked for. */
json_t *clock_modes_json(const struct clock_choice *c);

/* What both forms say: the design and its clock, what it can carry. */
void bill_print_head(const struct bill *b, bool is_brief, struct buf *out);
double bill_gbps(const struct bill *b, uint64_t bits_per_cycle);
/* Rows of a bill: both networks and the sum, or the one network that carries both. */
bool bill_has_row(const struct bill *b, int net);
const char *bill_row_name(const struct bill *b, int net);

#endif
