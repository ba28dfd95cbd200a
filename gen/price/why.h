/* SPDX-License-Identifier: MIT
 *
 * gen/price/why.h: where a number came from: a key's origin, the chain behind a derived number, the
 * engine and technology behind a price. */
#ifndef CW_GEN_PRICE_WHY_H
#define CW_GEN_PRICE_WHY_H

#include <stdbool.h>

struct buf;
struct err;
struct priced;

/* `what` is a key (noc.vcs), a derived number (noc.clock_ghz, l1.hit_cycles), a class of components
 * ("request router 10x3", "l1") or one of them
 * ("request router 3", "l1 7"). False and an error with the nearest name otherwise. */
bool why(const struct priced *priced, const char *what, struct buf *out, struct err *err);

#endif
