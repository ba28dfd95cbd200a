/* SPDX-License-Identifier: MIT
 *
 * gen/explore/front_band.h: which point of the front wins under which assumption. The front, or a
 * spread of it where it is long, goes through what `compare --assumptions` does (gen/run/band.h).
 */
#ifndef CW_GEN_EXPLORE_FRONT_BAND_H
#define CW_GEN_EXPLORE_FRONT_BAND_H

#include "gen/explore/space_search.h"
#include "gen/run/band.h"

#define FRONT_BAND_MOST 8u /* points; each is run again some six times */

struct front_band {
    struct band band;
    struct explored *
        *points; /* of the front, [band.n_designs]; the first is what ratios are over */
    size_t n_front;
    bool is_there; /* a front of two points or more, and workloads to run */
};

/* At most `most` of `n`, in their order: the ends, and between them equal steps. */
size_t front_band_choose(struct explored *const *front, size_t n, size_t most,
                         struct explored **out);
/* What tells it from the others: values of the keys in which `points` differ, "crossbar, width 32
 * B". */
const char *front_band_name(const struct space *space, struct explored *const *points, size_t n,
                            size_t which, struct arena *mem);

bool front_band_make(const struct search *s, bool each, struct arena *mem, struct front_band *out,
                     struct err *err);

#endif
