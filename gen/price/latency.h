/* SPDX-License-Identifier: MIT
 *
 * gen/price/latency.h: from prices to time. A hit takes the cycles of a pipeline (a key, whose
 * default belongs to a generation of GPUs) and of the array's access; a channel the cycles of its
 * stages. An array slower than its clock takes an access each so many cycles as it needs. What a
 * reader of results has to know of it becomes a note. */
#ifndef CW_GEN_PRICE_LATENCY_H
#define CW_GEN_PRICE_LATENCY_H

#include <stdbool.h>

struct arch;
struct arena;
struct priced;
struct timing;

/* What keys say about time; 0 where the cost model is asked. */
void timing_of_keys(const struct arch *arch, struct timing *out);
/* Do keys say all of it? The networks' clock and channels aside. */
bool timing_is_of_keys(const struct arch *arch);

/* Sets timing, derived and notes of a design whose native book is made. */
void price_timing(struct priced *p, struct arena *mem);

/* How much slower logic is at tech.voltage than at its nominal supply; 1 where it is not lower. */
double price_supply_delay(const struct priced *p);
#define PRICE_SLOW_SUPPLY 1.1 /* from here on it is said */

#endif
