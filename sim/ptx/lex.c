/* SPDX-License-Identifier: MIT */
#include "sim/ptx/lex.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"

void ptx_lex_init(struct ptx_lexer *lx, const char *file, const char *text, size_t n)
{
    *lx = (struct ptx_lexer){.file = file, .at = text, .end = text + n, .line = 1};
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool starts_word(char c)
{
    return is_letter(c) || c == '_' || c == '$' || c == '%' || c == '.';
}

static bool in_word(char c)
{
    return is_letter(c) || is_digit(c) || c == '_' || c == '$' || c == '.';
}

static char peek(const struct ptx_lexer *lx, size_t k)
{
    return (size_t)(lx->end - lx->at) > k ? lx->at[k] : '\0';
}

static struct ptx_token fail(struct ptx_lexer *lx, struct err *err, const char *what)
{
    lx->failed = true;
    lx->at = lx->end;
    err_add(err, ERR_INPUT, AT_LINE(lx->file, lx->line), "%s", what);
    return (struct ptx_token){.kind = PTX_END, .line = lx->line, .text = lx->end};
}

/* Skips blanks and comments; false for a comment that does not end. */
static bool skip_blank(struct ptx_lexer *lx)
{
    while (lx->at < lx->end) {
        char c = *lx->at;
        if (c == '\n') {
            lx->line++;
            lx->at++;
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
            lx->at++;
        } else if (c == '/' && peek(lx, 1) == '/') {
            while (lx->at < lx->end && *lx->at != '\n')
                lx->at++;
        } else if (c == '/' && peek(lx, 1) == '*') {
            lx->at += 2;
            while (!(peek(lx, 0) == '*' && peek(lx, 1) == '/')) {
                if (lx->at >= lx->end)
                    return false;
                lx->line += *lx->at == '\n';
                lx->at++;
            }
            lx->at += 2;
        } else {
            return true;
        }
    }
    return true;
}

static int digit_of(char c)
{
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 99;
}

/* Digits of `base`; false on overflow of 64 bits or no digit at all. */
static bool take_digits(struct ptx_lexer *lx, int base, uint64_t *value, size_t *n)
{
    uint64_t v = 0;
    bool fits = true;
    for (*n = 0; digit_of(peek(lx, 0)) < base; lx->at++, ++*n) {
        uint64_t d = (uint64_t)digit_of(peek(lx, 0));
        fits = fits && v <= (UINT64_MAX - d) / (uint64_t)base;
        v = v * (uint64_t)base + d;
    }
    *value = v;
    return fits && *n > 0;
}

/* A decimal number with point or exponent, as a double. */
static struct ptx_token take_real(struct ptx_lexer *lx, struct ptx_token t, struct err *err)
{
    char text[64];
    size_t n = 0;
    const char *p = lx->at;
    while (p < lx->end && n < sizeof text - 1 &&
           (is_digit(*p) || *p == '.' || *p == 'e' || *p == 'E' ||
            ((*p == '+' || *p == '-') && (p[-1] == 'e' || p[-1] == 'E') && n > 0)))
        text[n++] = *p++;
    text[n] = '\0';
    char *stop;
    double d = strtod(text, &stop);
    if (stop != text + n)
        return fail(lx, err, "malformed number");
    memcpy(&t.value, &d, sizeof d);
    t.kind = PTX_F64;
    lx->at = p;
    return t;
}

static struct ptx_token take_number(struct ptx_lexer *lx, struct ptx_token t, struct err *err)
{
    char second = peek(lx, 1);
    size_t n;

    if (peek(lx, 0) == '0' && (second == 'f' || second == 'F' || second == 'd' || second == 'D')) {
        bool is_double = second == 'd' || second == 'D';
        lx->at += 2;
        if (!take_digits(lx, 16, &t.value, &n) || n != (is_double ? 16 : 8))
            return fail(lx, err,
                        is_double ? "0d must be followed by 16 hexadecimal digits"
                                  : "0f must be followed by 8 hexadecimal digits");
        t.kind = is_double ? PTX_F64 : PTX_F32;
        return t;
    }
    int base = 10;
    if (peek(lx, 0) == '0' && (second == 'x' || second == 'X')) {
        base = 16;
        lx->at += 2;
    } else if (peek(lx, 0) == '0' && (second == 'b' || second == 'B')) {
        base = 2;
        lx->at += 2;
    } else {
        const char *p = lx->at;
        while (p < lx->end && is_digit(*p))
            p++;
        if (p < lx->end && (*p == '.' || *p == 'e' || *p == 'E'))
            return take_real(lx, t, err);
        if (peek(lx, 0) == '0' && is_digit(second))
            base = 8;
    }
    if (!take_digits(lx, base, &t.value, &n))
        return fail(lx, err, "malformed number, or one that does not fit 64 bits");
    if (peek(lx, 0) == 'U')
        lx->at++;
    t.kind = PTX_INT;
    return t;
}

static struct ptx_token take_string(struct ptx_lexer *lx, struct ptx_token t, struct err *err)
{
    const char *start = ++lx->at;
    while (lx->at < lx->end && *lx->at != '"' && *lx->at != '\n')
        lx->at += *lx->at == '\\' && lx->end - lx->at > 1 && lx->at[1] != '\n' ? 2 : 1;
    if (peek(lx, 0) != '"')
        return fail(lx, err, "a string does not end on its line");
    t.kind = PTX_STRING;
    t.text = start;
    t.len = (size_t)(lx->at++ - start);
    return t;
}

struct ptx_token ptx_lex_next(struct ptx_lexer *lx, struct err *err)
{
    if (!skip_blank(lx))
        return fail(lx, err, "a comment does not end");
    struct ptx_token t = {.kind = PTX_END, .line = lx->line, .text = lx->at};
    if (lx->at >= lx->end)
        return t;
    char c = *lx->at;
    if (is_digit(c)) {
        const char *start = lx->at;
        t = take_number(lx, t, err);
        if (t.kind == PTX_END) /* malformed: the token is empty */
            return t;
        t.len = (size_t)(lx->at - start);
        if (in_word(peek(lx, 0)))
            return fail(lx, err, "malformed number");
        return t;
    }
    if (c == '"')
        return take_string(lx, t, err);
    if (starts_word(c)) {
        /* directives may be written without a blank between: ".reg.b32" */
        do
            lx->at++;
        while ((in_word(peek(lx, 0)) && !(c == '.' && peek(lx, 0) == '.')) ||
               (peek(lx, 0) == ':' && peek(lx, 1) == ':' && (lx->at++, true)));
        t.kind = PTX_WORD;
        t.len = (size_t)(lx->at - t.text);
        return t;
    }
    if (c < ' ' || c > '~')
        return fail(lx, err, "a byte that is not PTX text");
    t.kind = PTX_MARK;
    t.len = 1;
    lx->at++;
    return t;
}
