/* SPDX-License-Identifier: MIT
 *
 * gen/price/built.h: routers and switches that were built (cfg/tech/built-routers.csv), and what
 * each timing mode says of them. Nothing in the models comes from these rows: they judge. */
#ifndef CW_GEN_PRICE_BUILT_H
#define CW_GEN_PRICE_BUILT_H

#include <stdbool.h>
#include <stddef.h>

#include "energy/tech.h"

struct arena;
struct err;

enum built_mode {
    BUILT_ALL,
    BUILT_CK,
    BUILT_STAGE,
    BUILT_STAGE_AREA, /* mode stage with the published area of the switch, where there is one */
    BUILT_MODES
};
extern const char *const built_mode_names[BUILT_MODES];

struct built {
    const char *name, *shape, *style, *what, *grade, *source;
    char bound; /* S: the switch sets the clock, L: a lower bound, D: from memory */
    double built_nm, model_nm;
    double value; /* GHz at the model's node, or FO4 of a cycle */
    bool is_fo4;
    double model[BUILT_MODES]; /* the same by each mode */
    double ratio[BUILT_MODES]; /* clock by the model over the clock built */
};

/* Geometric mean, least and largest ratio over the rows of one kind. */
struct built_spread {
    size_t n;
    double mean, least, most;
};

bool built_read(const char *data_dir, struct arena *mem, struct built **rows, size_t *n,
                struct err *err);
struct built_spread built_spread(const struct built *rows, size_t n, char bound,
                                 enum built_mode mode);
/* Lower bounds that the mode does not reach. */
size_t built_refuted(const struct built *rows, size_t n, enum built_mode mode);

#endif
