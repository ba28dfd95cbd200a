/* SPDX-License-Identifier: MIT
 *
 * base/arena.h: bump allocation by lifetime.
 *
 * Who passes the arena owns the result; a pointer stays valid until its arena is rewound past it
 * or freed; products never point into a shorter-lived arena. Memory comes zeroed. Nothing between
 * the arena and its owner tests for NULL: when memory runs out the handler given at creation is
 * called and must not return. Limits: not thread-safe, one arena per thread. */
#ifndef CW_BASE_ARENA_H
#define CW_BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

struct arena_block;

struct arena {
    struct arena_block *top; /* newest block; older ones hang behind it */
    void (*out_of_memory)(void *ctx);
    void *ctx;
    size_t used; /* bytes handed out since creation or the last rewind to the start */
};

struct arena_mark {
    struct arena_block *block;
    size_t fill, used;
};

/* `out_of_memory` may be NULL: arena_exhausted is then called. */
void arena_init(struct arena *a, void (*out_of_memory)(void *ctx), void *ctx);
void arena_free(struct arena *a);

void *arena_alloc(struct arena *a, size_t size);
void *arena_array(struct arena *a, size_t n, size_t size); /* checks n * size for overflow */
char *arena_strdup(struct arena *a, const char *s);
char *arena_strndup(struct arena *a, const char *s, size_t n);
char *arena_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(struct arena *a, const char *fmt, va_list ap)
    __attribute__((format(printf, 2, 0)));

struct arena_mark arena_mark(const struct arena *a);
void arena_rewind(struct arena *a, struct arena_mark mark);

/* What happens where nobody gave a handler: the program is aborted, unless it defines a function of
 * this name itself (gen/main.c says a word and ends with status 3). Must not return. */
void arena_exhausted(void) __attribute__((noreturn));

#define arena_new(a, type) ((type *)arena_alloc((a), sizeof(type)))
#define arena_many(a, type, n) ((type *)arena_array((a), (n), sizeof(type)))

#endif
