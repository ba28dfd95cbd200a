/* SPDX-License-Identifier: MIT
 *
 * energy/array/choice.h: which model serves an array, and why.
 *
 * The rule: CACTI's model where it can lay the array out and, as long as it needs a single mat, no
 * figure of its layout is more than 1.3 times that of a plain block; the small model elsewhere.
 * (CACTI's search looks at delay and read energy alone, and runs the wires of wide words and many
 * ports through the middle of a mat: a 24 x 1024 bit array becomes twenty times the size of its
 * cells.) A cache whose ways are not a power of two lies between its two neighbours that are. */
#ifndef CW_ENERGY_ARRAY_CHOICE_H
#define CW_ENERGY_ARRAY_CHOICE_H

#include "energy/array/model.h"

enum array_model { ARRAY_MODEL_CACTI65, ARRAY_MODEL_SMALL, ARRAY_MODEL_AUTO, ARRAY_MODELS };
extern const char *const array_model_names[ARRAY_MODELS]; /* "cacti65", "small", "auto" */

struct array_answer {
    struct amodel_out cost;
    const char *engine; /* "native", "cacti" */
    const char *model;  /* "cacti65", "small"; of the real tool: its version */
    const char *why;    /* in mem */
};

/* By our own models. Errors are added at `at`; texts live in `mem`. */
bool array_cost_native(const struct amodel_in *in, enum array_model model,
                       const struct array_tables *tables, struct where at, struct arena *mem,
                       struct array_answer *out, struct err *err);

#endif
