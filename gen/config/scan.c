/* SPDX-License-Identifier: MIT */
#include "gen/config/scan.h"

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/vec.h"

struct scanner {
    const char *file, *at;
    int line;
    struct arena *mem;
    struct err *err;
    VEC(struct scan_include) includes;
    VEC(uint32_t) groups; /* names so far in each group that is open, the innermost last */
    uint64_t work;        /* comparisons that libconfig will make */
    bool ok;
};

/* A name: libconfig compares it with all before it in its group. */
static void count_name(struct scanner *s, uint32_t *most)
{
    uint32_t n = ++s->groups.at[s->groups.n - 1];
    *most = n > *most ? n : *most;
    if (s->work <= SCAN_MOST_WORK && (s->work += n) > SCAN_MOST_WORK)
        s->ok = err_add(s->err, ERR_INPUT, AT_LINE(s->file, s->line),
                        "too many settings: this is number %u of its group", n);
}

static void skip_string(struct scanner *s)
{
    int line = s->line;
    for (s->at++; *s->at && *s->at != '"'; s->at++) {
        if (*s->at == '\n')
            s->line++;
        if (*s->at == '\\' && s->at[1]) {
            s->at++;
            if (*s->at == '\n')
                s->line++;
        }
    }
    if (*s->at)
        s->at++;
    else
        s->ok = err_add(s->err, ERR_INPUT, AT_LINE(s->file, line),
                        "this text has no closing quotation mark");
}

static void skip_block_comment(struct scanner *s)
{
    int line = s->line;
    for (s->at += 2; *s->at && !(s->at[0] == '*' && s->at[1] == '/'); s->at++) {
        if (*s->at == '\n')
            s->line++;
    }
    if (*s->at)
        s->at += 2;
    else
        s->ok = err_add(s->err, ERR_INPUT, AT_LINE(s->file, line), "this comment has no end");
}

/* [-+]digits or 0x…, with an optional L or LL; anything with a point or an exponent is a real. */
static void check_number(struct scanner *s)
{
    const char *begin = s->at;
    if (*s->at == '-' || *s->at == '+')
        s->at++;
    bool is_hex = s->at[0] == '0' && (s->at[1] == 'x' || s->at[1] == 'X');
    if (is_hex)
        s->at += 2;
    const char *digits = s->at;
    while (is_hex ? isxdigit((unsigned char)*s->at) : isdigit((unsigned char)*s->at))
        s->at++;
    if (s->at == digits)
        return;
    if (!is_hex && (*s->at == '.' || *s->at == 'e' || *s->at == 'E')) {
        char *end;
        strtod(begin, &end);
        s->at = end > s->at ? end : s->at + 1;
        return;
    }
    bool is_long = *s->at == 'L';
    size_t n = (size_t)(s->at - begin);
    while (*s->at == 'L')
        s->at++;

    char *text = arena_strndup(s->mem, begin, n);
    errno = 0;
    bool fits, fits_64;
    if (is_hex) {
        unsigned long long v = strtoull(text + (text[0] == '-' || text[0] == '+'), NULL, 16);
        fits_64 = errno == 0 && v <= (uint64_t)INT64_MAX;
        fits = fits_64 && (is_long || v <= (uint64_t)INT32_MAX);
    } else {
        long long v = strtoll(text, NULL, 10);
        fits_64 = errno == 0;
        fits = fits_64 && (is_long || (v >= INT32_MIN && v <= INT32_MAX));
    }
    if (!fits_64)
        s->ok = err_add(s->err, ERR_INPUT, AT_LINE(s->file, s->line),
                        "the number %s%s does not fit 64 bits", text, is_long ? "L" : "");
    else if (!fits)
        s->ok = err_add(s->err, ERR_INPUT, AT_LINE(s->file, s->line),
                        "the number %s does not fit 32 bits; write %sL", text, text);
}

static void read_include(struct scanner *s)
{
    const char *p = s->at + strlen("@include");
    p += strspn(p, " \t");
    if (*p != '"')
        return;
    size_t n = strcspn(p + 1, "\"\n");
    vec_push(s->mem, &s->includes, (struct scan_include){arena_strndup(s->mem, p + 1, n), s->line});
}

bool scan_text(const char *file, const char *text, struct arena *mem, struct scan *out,
               struct err *err)
{
    struct scanner s = {.file = file, .at = text, .line = 1, .mem = mem, .err = err, .ok = true};
    out->most_names = 0;
    vec_push(mem, &s.groups, 0);
    while (*s.at) {
        char c = *s.at;
        if (c == '\n') {
            s.line++;
            s.at++;
        } else if (c == '"') {
            skip_string(&s);
        } else if (c == '#' || (c == '/' && s.at[1] == '/')) {
            s.at += strcspn(s.at, "\n");
        } else if (c == '/' && s.at[1] == '*') {
            skip_block_comment(&s);
        } else if (c == '@') {
            if (strncmp(s.at, "@include", 8) == 0)
                read_include(&s);
            s.at += strcspn(s.at, "\n");
        } else if (isalpha((unsigned char)c) || c == '*') {
            while (isalnum((unsigned char)*s.at) || strchr("-_*", *s.at)) {
                if (!*s.at)
                    break;
                s.at++;
            }
        } else if (isdigit((unsigned char)c) ||
                   ((c == '-' || c == '+') && isdigit((unsigned char)s.at[1]))) {
            check_number(&s);
        } else {
            if (c == '=' || c == ':')
                count_name(&s, &out->most_names);
            else if (c == '{')
                vec_push(mem, &s.groups, 0);
            else if (c == '}' && s.groups.n > 1)
                s.groups.n--;
            s.at++;
        }
    }
    out->includes = s.includes.at;
    out->n_includes = (unsigned)s.includes.n;
    return s.ok;
}
