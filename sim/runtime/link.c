/* SPDX-License-Identifier: MIT */
#include "sim/runtime/link.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/vec.h"

#define FILES_APART 100000ul /* numbers of .file of one text and the next */

enum linkage { LINK_LOCAL, LINK_WEAK, LINK_VISIBLE, LINK_EXTERN };
enum item_kind { ITEM_OTHER, ITEM_FILE, ITEM_HEAD, ITEM_DROPPED, ITEM_FUNCTION, ITEM_VARIABLE };

/* A statement outside of all functions. */
struct item {
    enum item_kind kind;
    enum linkage linkage;
    const char *start, *end, *name;
    bool defines, is_shared;
};

struct items {
    VEC(struct item) all;
};

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '.' || c == '%';
}

/* Behind blanks and comments. */
static const char *skip_blanks(const char *s, const char *end)
{
    while (s < end) {
        if (isspace((unsigned char)*s)) {
            s++;
        } else if (s + 1 < end && s[0] == '/' && s[1] == '/') {
            const char *line = memchr(s, '\n', (size_t)(end - s));
            s = line ? line : end;
        } else if (s + 1 < end && s[0] == '/' && s[1] == '*') {
            for (s += 2; s < end && !(s[0] == '*' && s + 1 < end && s[1] == '/'); s++)
                ;
            s = s + 2 < end ? s + 2 : end;
        } else {
            break;
        }
    }
    return s;
}

/* Behind the word, string or mark at `s`. */
static const char *skip_token(const char *s, const char *end)
{
    if (*s == '"') {
        for (s++; s < end && *s != '"'; s++)
            s += *s == '\\' && s + 1 < end;
        return s < end ? s + 1 : end;
    }
    if (!in_word(*s))
        return s + 1;
    while (s < end && in_word(*s))
        s++;
    return s;
}

static bool is_word(const char *s, const char *end, const char *word)
{
    size_t n = strlen(word);
    return (size_t)(end - s) == n && memcmp(s, word, n) == 0;
}

/* Behind the bracket that closes the one at `s`. */
static const char *skip_brackets(const char *s, const char *end)
{
    int depth = 0;
    do {
        depth += *s == '{' || *s == '(' || *s == '[';
        depth -= *s == '}' || *s == ')' || *s == ']';
        s = skip_blanks(skip_token(s, end), end);
    } while (depth > 0 && s < end);
    return s;
}

static const char *end_of_line(const char *s, const char *end)
{
    const char *line = memchr(s, '\n', (size_t)(end - s));
    return line ? line + 1 : end;
}

/* Reads one statement; `s` is at its first word. */
static const char *read_item(const char *s, const char *end, struct arena *mem, struct item *it)
{
    const char *next = skip_token(s, end), *at = s;
    *it = (struct item){.start = s, .linkage = LINK_LOCAL};
    if (is_word(s, next, ".version") || is_word(s, next, ".target") ||
        is_word(s, next, ".address_size") || is_word(s, next, ".file")) {
        it->kind = is_word(s, next, ".file") ? ITEM_FILE : ITEM_HEAD;
        return it->end = end_of_line(s, end);
    }
    if (is_word(s, next, ".section")) {
        it->kind = ITEM_DROPPED;
        while (at < end && *at != '{' && *at != '\n')
            at = skip_token(at, end);
        return it->end = at < end && *at == '{' ? skip_brackets(at, end) : at;
    }
    for (; at < end; at = skip_blanks(next, end)) {
        next = skip_token(at, end);
        if (*at == ';')
            break;
        if (*at == '{') { /* of a function: its body; of a variable: its value */
            it->defines |= it->kind == ITEM_FUNCTION;
            next = skip_brackets(at, end);
            if (it->kind == ITEM_FUNCTION)
                return it->end = next;
        } else if (*at == '(' || *at == '[') {
            next = skip_brackets(at, end);
        } else if (is_word(at, next, ".visible")) {
            it->linkage = LINK_VISIBLE;
        } else if (is_word(at, next, ".weak") || is_word(at, next, ".common")) {
            it->linkage = LINK_WEAK;
        } else if (is_word(at, next, ".extern")) {
            it->linkage = LINK_EXTERN;
        } else if (is_word(at, next, ".entry") || is_word(at, next, ".func")) {
            it->kind = ITEM_FUNCTION;
        } else if (is_word(at, next, ".global") || is_word(at, next, ".const") ||
                   is_word(at, next, ".shared")) {
            it->kind = ITEM_VARIABLE;
            it->is_shared = is_word(at, next, ".shared");
        } else if (!it->name && (isalpha((unsigned char)*at) || *at == '_' || *at == '$')) {
            it->name = arena_strndup(mem, at, (size_t)(next - at));
        }
    }
    it->defines |= it->kind == ITEM_VARIABLE && it->linkage != LINK_EXTERN;
    return it->end = at < end ? at + 1 : end;
}

static void read_items(const struct link_text *t, struct arena *mem, struct items *out)
{
    const char *end = t->text + t->n, *s = skip_blanks(t->text, end);
    *out = (struct items){0};
    while (s < end) {
        struct item it;
        s = skip_blanks(read_item(s, end, mem, &it), end);
        vec_push(mem, &out->all, it);
    }
}

bool link_is_needed(const struct link_text *t, struct arena *mem)
{
    static const char *const services[] = {"vprintf", "__assertfail", "malloc", "free"};
    struct items items;
    struct map defined;
    bool needed = false;
    read_items(t, mem, &items);
    map_init(&defined, mem);
    for (size_t i = 0; i < items.all.n; i++)
        if (items.all.at[i].defines && items.all.at[i].name)
            map_add(&defined, items.all.at[i].name, i);
    for (size_t i = 0; i < items.all.n; i++) {
        const struct item *it = &items.all.at[i];
        size_t k = 0, known;
        if (it->linkage != LINK_EXTERN || !it->name || it->is_shared)
            continue;
        while (k < sizeof services / sizeof *services && strcmp(services[k], it->name) != 0)
            k++;
        needed |= k == sizeof services / sizeof *services && !map_get(&defined, it->name, &known);
    }
    return needed;
}

const char *link_name(const char *name, size_t number, struct arena *mem)
{
    return arena_printf(mem, "%s$%zu", name, number);
}

static bool is_own(const struct item *it)
{
    return it->linkage == LINK_LOCAL || strncmp(it->name, "_ZL", 3) == 0 ||
           strstr(it->name, "_GLOBAL__N_");
}

/* The statement with the names of its text; numbers of files apart from the others'. */
static void add_item(struct buf *out, const struct item *it, const struct map *renamed,
                     size_t number, struct arena *mem)
{
    const char *s = it->start;
    bool is_file = false;
    while (s < it->end) {
        const char *blank = s, *next;
        s = skip_blanks(s, it->end);
        buf_addn(out, blank, (size_t)(s - blank));
        if (s >= it->end)
            break;
        next = skip_token(s, it->end);
        size_t known, n = (size_t)(next - s);
        if (is_file && isdigit((unsigned char)*s)) {
            unsigned long file = strtoul(arena_strndup(mem, s, n), NULL, 10);
            buf_printf(out, "%lu", file + number * FILES_APART);
        } else if ((isalpha((unsigned char)*s) || *s == '_' || *s == '$') && renamed->n &&
                   map_get(renamed, arena_strndup(mem, s, n), &known)) {
            buf_add(out, link_name(arena_strndup(mem, s, n), number, mem));
        } else {
            buf_addn(out, s, n);
        }
        is_file = is_word(s, next, ".file") || is_word(s, next, ".loc");
        s = next;
    }
    buf_putc(out, '\n');
}

const char *link_texts(const struct link_text *texts, size_t n_texts, struct arena *mem,
                       size_t *length)
{
    struct buf out;
    struct map defined; /* in the texts before: is it weak? */
    size_t known;
    buf_init(&out, mem, BUF_NO_MAX);
    map_init(&defined, mem);
    for (size_t t = 0; t < n_texts; t++) {
        struct items items;
        struct map renamed;
        read_items(&texts[t], mem, &items);
        map_init(&renamed, mem);
        for (size_t i = 0; i < items.all.n; i++) {
            const struct item *it = &items.all.at[i];
            if (it->defines && it->name && map_get(&defined, it->name, &known) &&
                (is_own(it) || it->linkage == LINK_VISIBLE))
                map_add(&renamed, it->name, 1);
        }
        for (size_t i = 0; i < items.all.n; i++) {
            const struct item *it = &items.all.at[i];
            bool is_named = it->kind >= ITEM_FUNCTION && it->name;
            bool is_known = is_named && map_get(&defined, it->name, &known) &&
                            !map_get(&renamed, it->name, &known);
            if (it->kind == ITEM_DROPPED || (it->kind == ITEM_HEAD && t > 0) || is_known)
                continue;
            add_item(&out, it, &renamed, t, mem);
        }
        for (size_t i = 0; i < items.all.n; i++)
            if (items.all.at[i].defines && items.all.at[i].name)
                map_add(&defined, items.all.at[i].name, t);
    }
    *length = out.len;
    return out.data;
}
