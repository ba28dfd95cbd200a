/* SPDX-License-Identifier: MIT */
#include "base/arena.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_BLOCK 4096u
#define LARGEST_STEP (4u << 20)
#define ALIGN 16u

struct arena_block {
    struct arena_block *older;
    size_t size, fill;
    _Alignas(16) unsigned char data[];
};

void arena_init(struct arena *a, void (*out_of_memory)(void *ctx), void *ctx)
{
    *a = (struct arena){.out_of_memory = out_of_memory, .ctx = ctx};
}

static void free_down_to(struct arena *a, const struct arena_block *keep)
{
    while (a->top != keep) {
        struct arena_block *b = a->top;
        a->top = b->older;
        free(b);
    }
}

void arena_free(struct arena *a)
{
    free_down_to(a, NULL);
    a->used = 0;
}

__attribute__((weak)) _Noreturn void arena_exhausted(void)
{
    abort();
}

static void fail(const struct arena *a)
{
    if (a->out_of_memory)
        a->out_of_memory(a->ctx);
    arena_exhausted();
    abort(); /* a handler returned */
}

void *arena_alloc(struct arena *a, size_t size)
{
    if (size > SIZE_MAX - 2 * FIRST_BLOCK)
        fail(a);
    size = (size + ALIGN - 1) / ALIGN * ALIGN;
    if (size == 0)
        size = ALIGN;
    if (!a->top || a->top->size - a->top->fill < size) {
        size_t step = a->top ? a->top->size * 2 : FIRST_BLOCK;
        if (step > LARGEST_STEP)
            step = LARGEST_STEP;
        if (step < size)
            step = size;
        struct arena_block *b = calloc(1, sizeof(*b) + step);
        if (!b)
            fail(a);
        b->older = a->top;
        b->size = step;
        a->top = b;
    }
    void *p = a->top->data + a->top->fill;
    a->top->fill += size;
    a->used += size;
    return p;
}

void *arena_array(struct arena *a, size_t n, size_t size)
{
    if (size && n > SIZE_MAX / size)
        fail(a);
    return arena_alloc(a, n * size);
}

char *arena_strndup(struct arena *a, const char *s, size_t n)
{
    char *copy = arena_alloc(a, n + 1);
    memcpy(copy, s, n);
    return copy;
}

char *arena_strdup(struct arena *a, const char *s)
{
    return arena_strndup(a, s, strlen(s));
}

char *arena_vprintf(struct arena *a, const char *fmt, va_list ap)
{
    va_list again;
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, again);
    va_end(again);
    if (n < 0 && errno == ENOMEM)
        fail(a);
    if (n < 0)
        return arena_strdup(a, "");
    char *text = arena_alloc(a, (size_t)n + 1);
    vsnprintf(text, (size_t)n + 1, fmt, ap);
    return text;
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *text = arena_vprintf(a, fmt, ap);
    va_end(ap);
    return text;
}

struct arena_mark arena_mark(const struct arena *a)
{
    return (struct arena_mark){a->top, a->top ? a->top->fill : 0, a->used};
}

void arena_rewind(struct arena *a, struct arena_mark mark)
{
    free_down_to(a, mark.block);
    if (a->top) {
        /* what is handed out again must come zeroed */
        memset(a->top->data + mark.fill, 0, a->top->fill - mark.fill);
        a->top->fill = mark.fill;
    }
    a->used = mark.used;
}
