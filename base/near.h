/* SPDX-License-Identifier: MIT
 *
 * base/near.h: edit distance and the nearest legal word, for "did you mean". */
#ifndef CW_BASE_NEAR_H
#define CW_BASE_NEAR_H

#include <stddef.h>

struct arena;

/* Insertions, deletions, substitutions and swaps of neighbours that turn a into b. */
size_t near_distance(const char *a, const char *b);

/* The candidate nearest to `word`, or NULL if none is near enough to be worth proposing. */
const char *near_best(const char *word, const char *const *candidates, size_t n);

/* The end of a message about an unknown word: "; did you mean 'x'?", else "; there are a, b and c"
 * where these are few, else "". */
const char *near_hint(const char *word, const char *const *legal, size_t n, struct arena *mem);

#endif
