/* SPDX-License-Identifier: MIT
 *
 * gen/explore/points.h: the points of a space: one choice of a value for every key that has an
 * effect with the others. Keys without effect are not chosen and multiply nothing. */
#ifndef CW_GEN_EXPLORE_POINTS_H
#define CW_GEN_EXPLORE_POINTS_H

#include "base/rng.h"
#include "gen/explore/space.h"

#define POINT_NONE UINT16_MAX /* the key has no effect */

/* Which value each key has; [key of the space]. */
typedef uint16_t point_choice;

struct points_walker; /* knows which keys have an effect; not for several threads */
struct points_walker *points_walker(const struct space *space, struct arena *mem);

/* Takes choices away that have no effect with the others, and gives those that have one and none
 * (POINT_NONE) their first value. */
void points_settle(struct points_walker *w, point_choice *choice);

/* Every key that varies has an effect at some point, drawn or not; else an error at its line. */
bool points_have_effect(struct points_walker *w, struct err *err);
/* All of them, as rows of `space->n_keys` choices. False: more than `most`. */
bool points_all(struct points_walker *w, size_t most, struct arena *mem, point_choice **rows,
                size_t *n);
/* Product of the numbers of values, whether they have an effect or not. */
double points_combinations(const struct space *space);

/* Any of them; a mixture of two with some choices changed. */
void points_random(struct points_walker *w, struct rng *rng, point_choice *out);
void points_cross(struct points_walker *w, const point_choice *a, const point_choice *b,
                  struct rng *rng, point_choice *out);

/* "key=value" for each that is chosen, for arch_finish; returns how many. */
size_t points_sets(const struct space *space, const point_choice *choice, struct arena *mem,
                   const char **sets);
/* {"key": "value", …} */
const char *points_json(const struct space *space, const point_choice *choice, struct arena *mem);
/* The point that such a text means; false: it is none of this space. */
bool points_of_json(const struct space *space, const char *text, point_choice *out);

#endif
