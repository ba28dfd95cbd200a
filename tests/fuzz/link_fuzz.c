/* SPDX-License-Identifier: MIT
 *
 * Several PTX texts as one: arbitrary bytes, each '~' begins another text. None is read beyond its
 * end, what comes out is read as PTX, and of texts that are PTX it is the same, but for blanks,
 * when it is linked once more. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "sim/ptx/interpreter.h"
#include "sim/runtime/link.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

enum { MOST_TEXTS = 5 };

/* The same but for blanks? */
static bool same(const char *a, const char *b)
{
    for (;; a++, b++) {
        a += strspn(a, " \t\n\v\f\r");
        b += strspn(b, " \t\n\v\f\r");
        if (*a != *b || !*a)
            return *a == *b;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct arena mem;
    struct err err;
    struct ptx_module module;
    struct link_text texts[MOST_TEXTS];
    char *copies[MOST_TEXTS];
    size_t n_texts = 0, n_whole, n_again;
    bool all_are_ptx = true;
    arena_init(&mem, NULL, NULL);
    err_init(&err);
    for (const uint8_t *at = data, *end = data + n; n_texts < MOST_TEXTS; at++) {
        const uint8_t *stop = at < end ? memchr(at, '~', (size_t)(end - at)) : NULL;
        stop = stop ? stop : end;
        size_t length = (size_t)(stop - at);
        copies[n_texts] = malloc(length ? length : 1); /* its end is the end of the memory */
        if (length)
            memcpy(copies[n_texts], at, length);
        texts[n_texts] = (struct link_text){copies[n_texts], length};
        link_is_needed(&texts[n_texts], &mem);
        all_are_ptx &= ptx_parse("fuzz.ptx", copies[n_texts++], length, &mem, &module, &err);
        at = stop;
        if (at >= end)
            break;
    }
    const char *whole = link_texts(texts, n_texts, &mem, &n_whole);
    if (whole[n_whole])
        abort();
    const struct link_text one = {whole, n_whole};
    const char *again = link_texts(&one, 1, &mem, &n_again);
    if (again[n_again] || (all_are_ptx && !same(whole, again)))
        abort();
    err_free(&err);
    err_init(&err);
    if (!ptx_parse("fuzz.ptx", whole, n_whole, &mem, &module, &err) && !err.n_errors)
        abort(); /* refused without a word */
    for (size_t i = 0; i < n_texts; i++)
        free(copies[i]);
    err_free(&err);
    arena_free(&mem);
    return 0;
}
