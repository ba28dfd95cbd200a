/* SPDX-License-Identifier: MIT
 *
 * gen/explore/obstacles.h: why a space has no front: which constraint keeps how many points out,
 * what their values are, which points come closest, and why others cannot be made. */
#ifndef CW_GEN_EXPLORE_OBSTACLES_H
#define CW_GEN_EXPLORE_OBSTACLES_H

#include "gen/explore/space_search.h"

struct table;

/* How far a point is from meeting all constraints that its figures and runs tell about: the sum of
 * what is missing, in units of the larger side of each; 0: it meets them; infinity: not known. */
double obstacles_miss(const struct space *space, const struct explored *p);
/* Up to `most` points in the order of that; `*n` of them. */
struct explored **obstacles_closest(const struct search *s, size_t most, struct arena *mem,
                                    size_t *n);

/* One row a constraint: points that break it, those that break it alone, least and largest value of
 * its left side. */
struct table *obstacles_table(const struct search *s, struct arena *mem);
/* The same as a sentence for each constraint that is broken. */
const char *obstacles_sentence(const struct search *s, struct arena *mem);
/* Keys of the closest points and the left sides of the constraints. */
struct table *obstacles_points(const struct search *s, size_t most, struct arena *mem);
/* Why points cannot be made or did not run: the reasons that most of them have, and how many. */
struct table *obstacles_reasons(const struct search *s, size_t most, struct arena *mem);

#endif
