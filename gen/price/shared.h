/* SPDX-License-Identifier: MIT
 *
 * gen/price/shared.h: what the prices of many designs have in common: technologies and GPUWattch
 * files, each read once, and the prices of equal parts. For use from several threads at once. */
#ifndef CW_GEN_PRICE_SHARED_H
#define CW_GEN_PRICE_SHARED_H

#include "gen/price/price.h"

struct price_shared;

/* NULL and errors where the technologies cannot be read. */
struct price_shared *price_shared_new(const char *data_dir, struct arena *mem, struct err *err);
void price_shared_free(struct price_shared *s);

/* How many parts were priced, and how many were asked for. */
void price_shared_counts(struct price_shared *s, uint64_t *priced, uint64_t *asked);

/* Hash of the contents of all files that the prices of a design are made from, as in struct priced.
 */
bool price_shared_files(struct price_shared *s, const struct arch *arch, struct arena *mem,
                        uint64_t *hash, struct err *err);

/* For gen/price/price.c. */
const struct tech_tables *price_shared_tables(const struct price_shared *s);
struct price_cache *price_shared_cache(const struct price_shared *s);
/* As price_read_gpuwattch, read once for each energy.core and energy.core_base. */
bool price_shared_gpuwattch(struct price_shared *s, const struct arch *arch, struct gpuwattch *g,
                            struct gw_base *base, uint64_t *sources, struct err *err);

#endif
