/* SPDX-License-Identifier: MIT */
#include "base/buf.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

void buf_init(struct buf *b, struct arena *mem, size_t max)
{
    *b = (struct buf){.mem = mem, .max = max, .cap = 64};
    b->data = arena_alloc(mem, b->cap);
}

/* Makes room for n more bytes and the terminator; returns how many of them fit under the maximum.
 */
static size_t reserve(struct buf *b, size_t n)
{
    if (n > b->max - b->len) {
        n = b->max - b->len;
        b->overflowed = true;
    }
    if (b->len + n + 1 > b->cap) {
        size_t cap = b->cap * 2;
        while (cap < b->len + n + 1)
            cap *= 2;
        char *data = arena_alloc(b->mem, cap);
        memcpy(data, b->data, b->len);
        b->data = data;
        b->cap = cap;
    }
    return n;
}

void buf_addn(struct buf *b, const char *s, size_t n)
{
    n = reserve(b, n);
    if (n)
        memcpy(b->data + b->len, s, n);
    b->len += n;
    b->data[b->len] = '\0';
}

void buf_add(struct buf *b, const char *s)
{
    buf_addn(b, s, strlen(s));
}

void buf_putc(struct buf *b, char c)
{
    buf_addn(b, &c, 1);
}

void buf_pad(struct buf *b, char c, size_t n)
{
    while (n-- > 0)
        buf_putc(b, c);
}

void buf_vprintf(struct buf *b, const char *fmt, va_list ap)
{
    va_list again;
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, again);
    va_end(again);
    if (n <= 0)
        return;
    size_t fits = reserve(b, (size_t)n);
    if (fits == (size_t)n) {
        vsnprintf(b->data + b->len, (size_t)n + 1, fmt, ap);
    } else {
        char *whole = arena_vprintf(b->mem, fmt, ap);
        memcpy(b->data + b->len, whole, fits);
    }
    b->len += fits;
    b->data[b->len] = '\0';
}

void buf_printf(struct buf *b, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    buf_vprintf(b, fmt, ap);
    va_end(ap);
}

void buf_add_double(struct buf *b, double v)
{
    char text[40];
    /* 10, not 1e+01: whole numbers of moderate size without exponent */
    if (v > -1e15 && v < 1e15 && v == (double)(long long)v && !(v == 0 && signbit(v))) {
        snprintf(text, sizeof text, "%lld", (long long)v);
        buf_add(b, text);
        return;
    }
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, v);
        if (strtod(text, NULL) == v)
            break;
    }
    buf_add(b, text);
}
