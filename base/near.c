/* SPDX-License-Identifier: MIT */
#include "base/near.h"

#include <string.h>

#include "base/arena.h"

#define LONGEST 96 /* longer words are compared by their first 96 characters */

static size_t min3(size_t a, size_t b, size_t c)
{
    size_t m = a < b ? a : b;
    return m < c ? m : c;
}

size_t near_distance(const char *a, const char *b)
{
    size_t n = strnlen(a, LONGEST), m = strnlen(b, LONGEST);
    size_t rows[3][LONGEST + 1];
    size_t *before = rows[0], *above = rows[1], *row = rows[2];

    for (size_t j = 0; j <= m; j++)
        above[j] = j;
    for (size_t i = 1; i <= n; i++) {
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            row[j] = min3(above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                before[j - 2] + 1 < row[j])
                row[j] = before[j - 2] + 1;
        }
        size_t *oldest = before;
        before = above;
        above = row;
        row = oldest;
    }
    return above[m];
}

const char *near_best(const char *word, const char *const *candidates, size_t n)
{
    const char *best = NULL;
    size_t least = strlen(word) / 3 + 2;
    for (size_t i = 0; i < n; i++) {
        size_t d = near_distance(word, candidates[i]);
        if (d < least) {
            least = d;
            best = candidates[i];
        }
    }
    return best;
}

const char *near_hint(const char *word, const char *const *legal, size_t n, struct arena *mem)
{
    enum { FEW = 16 };
    const char *near = near_best(word, legal, n), *all = "";
    if (near)
        return arena_printf(mem, "; did you mean '%s'?", near);
    if (n == 0 || n > FEW)
        return "";
    for (size_t i = 0; i < n; i++)
        all = arena_printf(mem, "%s%s%s", all, i == 0 ? "" : i + 1 < n ? ", " : " and ", legal[i]);
    return arena_printf(mem, "; there %s %s", n > 1 ? "are" : "is", all);
}
