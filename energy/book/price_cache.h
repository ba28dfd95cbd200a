/* SPDX-License-Identifier: MIT
 *
 * energy/book/price_cache.h: prices of routers, channels and arrays that were asked for before,
 * over many books: equal parts under equal technology are priced once, whichever design they belong
 * to. For use from several threads at once: who asks for what another is pricing waits for it. */
#ifndef CW_ENERGY_BOOK_PRICE_CACHE_H
#define CW_ENERGY_BOOK_PRICE_CACHE_H

#include "energy/book/book.h"

struct price_cache;

/* Lives until price_cache_free; `mem` is the cache's alone, from now on. */
struct price_cache *price_cache_new(struct arena *mem);
void price_cache_free(struct price_cache *c);

/* Taken: `*out` is the price, valid as long as the cache. Else the caller prices the part and says
 * so with price_cache_put, in any case; others wait until then. `engine` and `ctx` are what would
 * price it. */
bool price_cache_take(struct price_cache *c, const struct book_class *cls,
                      const struct engine *engine, const struct engine *fallback,
                      const struct engine_ctx *ctx, double core_ghz, struct cost *out,
                      void **ticket);
/* NULL: it could not be priced; the next who asks tries again. */
void price_cache_put(struct price_cache *c, void *ticket, const struct cost *cost);

/* How many parts it has priced, and how many it was asked for. */
void price_cache_counts(struct price_cache *c, uint64_t *priced, uint64_t *asked);

#endif
