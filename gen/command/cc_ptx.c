/* SPDX-License-Identifier: MIT
 *
 * An error of clang's (tryBFE of its NVPTX target, clang 14): an arithmetic shift of a 64-bit
 * number and a mask become one `bfe.u64`, also where the mask reaches into the copies of the sign
 * that the shift brought in: `x < 0 ? 7 : 0`, which is (x >> 63) & 7, becomes the bits 63 to 65, of
 * which there is one. A logical shift never comes so: its mask is cut to the bits that there are.
 */
#include "gen/command/cc_ptx.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/file.h"

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

static bool begins_with(const char *line, size_t n, const char *words)
{
    while (n > 0 && (*line == ' ' || *line == '\t'))
        line++, n--;
    return n >= strlen(words) && memcmp(line, words, strlen(words)) == 0;
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
