/* SPDX-License-Identifier: MIT
 *
 * gen/explore/choose.h: who runs next; for gen/explore/space_search.c. */
#ifndef CW_GEN_EXPLORE_CHOOSE_H
#define CW_GEN_EXPLORE_CHOOSE_H

#include "gen/explore/space_search.h"

/* Points of the first round. */
size_t choose_first_size(const struct search *s);

/* The first round takes points far from each other; later ones take those that promise most, by the
 * results at fidelity `f`. */
void choose_next(const struct search *s, enum fidelity f, size_t want, struct explored **out,
                 const char **why, size_t *n);

/* A point whose short runs are better in all by more than the margin; NULL: none. */
const struct explored *choose_better(const struct search *s, const struct explored *p);

#endif
