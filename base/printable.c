/* SPDX-License-Identifier: MIT */
#include "base/printable.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/* Bytes of the character at `p` that may be shown as it is; 0: it may not. */
static size_t shown_bytes(const unsigned char *p)
{
    if (p[0] < 0x80)
        return p[0] >= 0x20 && p[0] != 0x7f;
    size_t n = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
    uint32_t least = n == 4 ? 0x10000 : n == 3 ? 0x800 : 0xa0; /* below 0xa0: control characters */
    uint32_t c = p[0] & (0xffu >> (n + 1));
    if (p[0] < 0xc2 || p[0] > 0xf4)
        return 0;
    for (size_t i = 1; i < n; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 0;
        c = c << 6 | (p[i] & 0x3f);
    }
    bool is_half = c >= 0xd800 && c <= 0xdfff;
    bool turns = (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069); /* right to left */
    return c >= least && c <= 0x10ffff && !is_half && !turns ? n : 0;
}

const char *printable_text(struct arena *mem, const char *text)
{
    const unsigned char *p = (const unsigned char *)text;
    size_t n;
    while (*p && (n = shown_bytes(p)) > 0)
        p += n;
    if (!*p)
        return text;
    struct buf b;
    buf_init(&b, mem, BUF_NO_MAX);
    for (p = (const unsigned char *)text; *p; p += n) {
        n = shown_bytes(p);
        if (n)
            buf_addn(&b, (const char *)p, n);
        else if (*p == '\n' || *p == '\t')
            buf_add(&b, *p == '\n' ? "\\n" : "\\t");
        else
            buf_printf(&b, "\\x%02x", *p);
        n = n ? n : 1;
    }
    return b.data;
}
