/* SPDX-License-Identifier: MIT
 *
 * gen/price/bill_arrays.h: the arrays of a design with their prices: what each costs, by which
 * engine and model, in which organisation, how many cycles an access takes, and whether a structure
 * that has to answer in one cycle does. */
#ifndef CW_GEN_PRICE_BILL_ARRAYS_H
#define CW_GEN_PRICE_BILL_ARRAYS_H

#include <jansson.h>

#include "energy/book/book.h"
#include "gen/design/design.h"

struct arena;
struct buf;

struct array_price {
    const struct design_array *array;
    const struct cost *cost; /* NULL: priced with its router */
    double clock_ghz;        /* of the side it is on: SM or L2 */
    unsigned cycles;
    bool is_late; /* has to answer in a cycle and does not */
};

struct array_bill {
    const struct design *design;
    struct book book;
    struct array_price *rows;
    uint32_t n_rows;
};

/* Prices the arrays alone, with the design's array engine. */
bool array_bill_make(const struct design *design, const char *data_dir, struct arena *mem,
                     struct array_bill *out, struct err *err);
/* One line, and one for each structure that does not answer in its cycle. */
void array_bill_print_brief(const struct array_bill *b, struct buf *out);
void array_bill_print(const struct array_bill *b, struct arena *mem, struct buf *out);
json_t *array_bill_json(const struct array_bill *b);

#endif
