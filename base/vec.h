/* SPDX-License-Identifier: MIT
 *
 * base/vec.h: typed growable array in an arena, for building; not for hot loops.
 *
 *     VEC(struct rule) rules = {0};
 *     vec_push(mem, &rules, (struct rule){…});
 *     for (size_t i = 0; i < rules.n; i++) use(rules.at[i]);
 */
#ifndef CW_BASE_VEC_H
#define CW_BASE_VEC_H

#include <stddef.h>
#include <string.h>

#include "base/arena.h"

#define VEC(type)                                                                                  \
    struct {                                                                                       \
        type *at;                                                                                  \
        size_t n, cap;                                                                             \
    }

/* The new place for `n + extra` elements, old ones copied; grows by doubling. */
static inline void *vec_grow(struct arena *mem, void *at, size_t n, size_t extra, size_t *cap,
                             size_t size)
{
    if (n + extra <= *cap)
        return at;
    size_t more = *cap ? *cap * 2 : 8;
    while (more < n + extra)
        more *= 2;
    void *fresh = arena_array(mem, more, size);
    if (n)
        memcpy(fresh, at, n * size);
    *cap = more;
    return fresh;
}

#define vec_reserve(mem, v, extra)                                                                 \
    ((v)->at = vec_grow((mem), (v)->at, (v)->n, (extra), &(v)->cap, sizeof *(v)->at))
#define vec_push(mem, v, ...) (vec_reserve((mem), (v), 1), (v)->at[(v)->n++] = (__VA_ARGS__))

#endif
