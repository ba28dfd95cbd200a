/* SPDX-License-Identifier: MIT
 *
 * base/buf.h: growable text with a maximum; the only way long strings are built. Lives in the
 * arena given at creation. Text beyond the maximum is dropped and `overflowed` is set. */
#ifndef CW_BASE_BUF_H
#define CW_BASE_BUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct arena;

struct buf {
    struct arena *mem;
    char *data; /* always terminated by '\0'; never NULL */
    size_t len, cap, max;
    bool overflowed;
};

#define BUF_NO_MAX ((size_t)1 << 40)

void buf_init(struct buf *b, struct arena *mem, size_t max);
void buf_add(struct buf *b, const char *s);
void buf_addn(struct buf *b, const char *s, size_t n);
void buf_putc(struct buf *b, char c);
void buf_pad(struct buf *b, char c, size_t n);
void buf_printf(struct buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void buf_vprintf(struct buf *b, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));

/* Shortest decimal text that reads back as the same double ("0.1", "1e+300"). */
void buf_add_double(struct buf *b, double v);

#endif
