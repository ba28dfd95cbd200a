/* SPDX-License-Identifier: MIT
 *
 * What clang makes or reads otherwise than nvcc. */
#include "gen/command/cc_mend.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/file.h"

static bool begins_with(const char *line, size_t n, const char *words)
{
    while (n > 0 && (*line == ' ' || *line == '\t'))
        line++, n--;
    return n >= strlen(words) && memcmp(line, words, strlen(words)) == 0;
}

/* ---- LLVM's text -------------------------------------------------------------------------------
 * nvcc 13 computes what it can of real numbers that it comes to know while it unrolls and puts
 * functions into each other, but never the conversion of one to an integer (it computes those that
 * stand so in the source): `i % (int)__powf(2, i)` stays a remainder by what ptxas, which computes
 * the conversion, then takes for any number. clang would make a mask of it. */

/* A function of LLVM's text, and whether the program wrote it: found out where it matters, as the
 * whole text is looked through for it. */
struct function {
    const char *define; /* its first line; NULL: none yet */
    size_t n;
    bool is_known, is_theirs;
};

/* The function was written in a file of that name in `headers`. */
static bool is_of_headers(const char *text, const char *define, size_t n, const char *headers,
                          struct arena *mem)
{
    char key[64], name[256];
    unsigned of, file;
    const char *line = arena_strndup(mem, define, n), *at = strstr(line, " !dbg !");
    if (!at || sscanf(at, " !dbg !%u", &of) != 1)
        return false;
    snprintf(key, sizeof key, "\n!%u = distinct !DISubprogram(", of);
    at = strstr(text, key);
    at = at ? strstr(at, " file: !") : NULL;
    if (!at || sscanf(at, " file: !%u", &file) != 1)
        return false;
    snprintf(key, sizeof key, "\n!%u = !DIFile(filename: \"", file);
    at = strstr(text, key);
    if (!at || sscanf(at + strlen(key), "%255[^\"]", name) != 1)
        return false;
    const char *base = strrchr(name, '/');
    return file_exists(path_join(mem, headers, base ? base + 1 : name));
}

static bool is_theirs(struct function *f, const char *text, const char *headers, struct arena *mem)
{
    if (!f->is_known)
        f->is_theirs = f->define && !is_of_headers(text, f->define, f->n, headers, mem);
    f->is_known = true;
    return f->is_theirs;
}

static bool mentions(const char *line, size_t n, const char *words)
{
    size_t k = strlen(words);
    for (const char *at = line, *end = line + n; at && at + k <= end; at++) {
        at = memchr(at, words[0], (size_t)(end - at));
        if (!at || (at + k <= end && memcmp(at, words, k) == 0))
            return at != NULL;
    }
    return false;
}

/* "  %3 = fptosi float %2 to i32, !dbg !9": false for all else. */
static bool convert(struct buf *out, const char *line, size_t n, bool flushes, struct arena *mem)
{
    char to[64], sign, from[8], value[64];
    unsigned bits;
    int end = 0;
    const char *text = arena_strndup(mem, line, n);
    if (sscanf(text, " %63s = fpto%ci %7s %63s to i%u%n", to, &sign, from, value, &bits, &end) !=
            5 ||
        value[0] != '%' || (bits != 32 && bits != 64) ||
        (strcmp(from, "float") != 0 && strcmp(from, "double") != 0))
        return false;
    bool is_single = from[0] == 'f';
    buf_printf(out,
               "  %s = call i%u asm \"cvt.rzi%s.%c%u.%s $0, $1;\", \"=%c,%c\"(%s %s) nounwind "
               "readnone%s\n",
               to, bits, is_single && flushes ? ".ftz" : "", sign, bits, is_single ? "f32" : "f64",
               bits == 32 ? 'r' : 'l', from[0], from, value, text + end);
    return true;
}

/* nvcc aligns shared memory of a size that the launch gives to 16 bytes, whatever its type:
 * "@s = external dso_local addrspace(3) global [0 x float], align 4". */
static bool align(struct buf *out, const char *line, size_t n, struct arena *mem)
{
    if (n == 0 || line[0] != '@' || !mentions(line, n, "addrspace(3) global [0 x "))
        return false;
    const char *text = arena_strndup(mem, line, n), *at = strstr(text, ", align ");
    if (!at || strtoul(at + strlen(", align "), NULL, 10) >= 16)
        return false;
    const char *rest = at + strlen(", align ");
    rest += strspn(rest, "0123456789");
    buf_printf(out, "%.*s, align 16%s\n", (int)(at - text), text, rest);
    return true;
}

bool cc_mend_llvm(const char *path, const char *headers, bool flushes, struct arena *mem,
                  struct err *err)
{
    struct buf out;
    char *text;
    size_t n;
    struct function f = {0};
    bool changed = false;
    if (!file_read(path, (size_t)1 << 30, mem, &text, &n, err))
        return false;
    if (!strstr(text, " = fpto") && !strstr(text, " addrspace(3) global [0 x "))
        return true;
    buf_init(&out, mem, BUF_NO_MAX);
    for (const char *line = text, *end = text + n; line < end;) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        size_t length = newline ? (size_t)(newline - line) : (size_t)(end - line);
        if (begins_with(line, length, "define "))
            f = (struct function){.define = line, .n = length};
        if ((mentions(line, length, "= fpto") && is_theirs(&f, text, headers, mem) &&
             convert(&out, line, length, flushes, mem)) ||
            align(&out, line, length, mem))
            changed = true;
        else
            buf_printf(&out, "%.*s\n", (int)length, line);
        line += length + 1;
    }
    return !changed || file_write(path, out.data, out.len, err);
}

/* ---- PTX ---------------------------------------------------------------------------------------
 * An error of clang's (tryBFE of its NVPTX target, clang 14): an arithmetic shift of a 64-bit
 * number and a mask become one `bfe.u64`, also where the mask reaches into the copies of the sign
 * that the shift brought in: `x < 0 ? 7 : 0`, which is (x >> 63) & 7, becomes the bits 63 to 65, of
 * which there is one. A logical shift never comes so: its mask is cut to the bits that there are.
 */

/* "bfe.u64 \t%rd1, %rd2, 63, 3;" of clang's own that reads past the number; false for all else. */
static bool reads_past(const char *line, size_t n, char to[24], char from[24], unsigned *first,
                       unsigned *bits)
{
    char text[128];
    if (n >= sizeof text)
        return false;
    memcpy(text, line, n);
    text[n] = '\0';
    return sscanf(text, " bfe.u64 %23[^,], %23[^,], %u, %u;", to, from, first, bits) == 4 &&
           *first < 64 && *bits < 64 && *first + *bits > 64;
}

bool cc_mend_ptx(const char *path, struct arena *mem, struct err *err)
{
    struct buf out;
    char *text, to[24], from[24];
    size_t n;
    unsigned first, bits;
    bool is_theirs = false, changed = false; /* assembly of the program's own stays as it is */
    if (!file_read(path, (size_t)1 << 30, mem, &text, &n, err))
        return false;
    if (!strstr(text, "bfe.u64"))
        return true;
    buf_init(&out, mem, 2 * n + 4096);
    for (const char *line = text, *end = text + n; line < end;) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        size_t length = newline ? (size_t)(newline - line) : (size_t)(end - line);
        if (begins_with(line, length, "// begin inline asm"))
            is_theirs = true;
        else if (begins_with(line, length, "// end inline asm"))
            is_theirs = false;
        if (!is_theirs && reads_past(line, length, to, from, &first, &bits)) {
            buf_printf(&out, "\tshr.s64 \t%s, %s, %u;\n\tand.b64 \t%s, %s, %llu;\n", to, from,
                       first, to, to, (1ull << bits) - 1);
            changed = true;
        } else {
            buf_printf(&out, "%.*s\n", (int)length, line);
        }
        line += length + 1;
    }
    return !changed || file_write(path, out.data, out.len, err);
}

/* ---- sources --------------------------------------------------------------------------------- */

/* How many characters `<< <` has at `s`, or `>> >` before a bracket; 0: something else stands
 * there. */
static size_t broken_mark(const char *s)
{
    if ((s[0] != '<' && s[0] != '>') || s[1] != s[0])
        return 0;
    size_t blanks = strspn(s + 2, " \t");
    if (blanks == 0 || s[2 + blanks] != s[0])
        return 0;
    size_t n = 2 + blanks + 1;
    if (s[0] == '<')
        return n;
    return s[n + strspn(s + n, " \t\r\n")] == '(' ? n : 0;
}

/* `__shared__ alignas(16)` at `s`: where `alignas(16)` begins and ends, and where it is to stand,
 * which is before all of the declaration. False: something else is at `s`. */
static bool late_alignas(char *text, char *s, char **from, char **end, char **to)
{
    static const char shared[] = "__shared__", alignas[] = "alignas";
    static const char *const words[] = {"extern", "static"};
    if (strncmp(s, shared, strlen(shared)) != 0)
        return false;
    *from = s + strlen(shared);
    *from += strspn(*from, " \t\r\n");
    if (strncmp(*from, alignas, strlen(alignas)) != 0)
        return false;
    *end = *from + strlen(alignas);
    *end += strspn(*end, " \t");
    if (**end != '(')
        return false;
    int depth = 0;
    do {
        depth += **end == '(';
        depth -= **end == ')';
        ++*end;
    } while (depth > 0 && **end);
    *to = s;
    char *before = s;
    while (before > text && (before[-1] == ' ' || before[-1] == '\t'))
        before--;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i]);
        if ((size_t)(before - text) >= n && strncmp(before - n, words[i], n) == 0)
            *to = before - n;
    }
    return depth == 0;
}

/* What lies between goes behind `alignas(16)`; nothing becomes longer. */
static void move_forward(char *from, char *end, char *to, struct arena *mem)
{
    size_t n = (size_t)(end - from), between = (size_t)(from - to);
    char *kept = arena_strndup(mem, to, between);
    memmove(to, from, n);
    to[n] = ' ';
    memcpy(to + n + 1, kept, between - 1); /* the blank behind __shared__ is that one */
}

static bool quoted(struct buf *b, const char *text)
{
    buf_putc(b, '"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            buf_putc(b, '\\');
        buf_putc(b, *text);
    }
    buf_putc(b, '"');
    return !b->overflowed;
}

bool cc_mend_source(const char *source, const char *folder, const char *stem, struct arena *mem,
                    const char **argument, struct err *err)
{
    char *text;
    size_t n;
    bool found = false;
    *argument = NULL;
    if (!file_read(source, (size_t)1 << 30, mem, &text, &n, err))
        return false;
    for (const char *s = text; (s = strstr(s, "<<")); s += 2)
        found |= broken_mark(s) > 0;
    for (char *s = text, *from, *end, *to; (s = strstr(s, "__shared__")); s += 10)
        if (late_alignas(text, s, &from, &end, &to)) {
            move_forward(from, end, to, mem);
            found = true;
            s = end - 10;
        }
    if (!found)
        return true;
    /* the marks come together, the blanks behind them: columns stay */
    for (char *s = text; *s; s++) {
        size_t k = broken_mark(s);
        if (k == 0)
            continue;
        s[2] = s[0];
        memset(s + 3, ' ', k - 3);
        s += k - 1;
    }
    char *real = realpath(source, NULL);
    const char *whole = arena_strdup(mem, real ? real : source);
    const char *copy = path_join(mem, folder, arena_printf(mem, "%s.source", stem));
    const char *overlay = path_join(mem, folder, arena_printf(mem, "%s.overlay", stem));
    struct buf b;
    free(real);
    buf_init(&b, mem, BUF_NO_MAX);
    buf_add(&b, "{\"version\": 0, \"use-external-names\": false, \"roots\": [{\"type\": \"file\", "
                "\"name\": ");
    quoted(&b, whole);
    buf_add(&b, ", \"external-contents\": ");
    quoted(&b, copy);
    buf_add(&b, "}]}\n");
    *argument = overlay;
    return file_write(copy, text, n, err) && file_write(overlay, b.data, b.len, err);
}
