/* SPDX-License-Identifier: MIT
 *
 * tests/tools/mutants.c: draws small mistakes.
 *
 *   mutants N SEED <LINES
 *
 * LINES are "FILE LINE", one a line: those that hold code. Prints up to N mistakes, each as FILE,
 * LINE, COLUMN, LENGTH, what to put there and what it is, with tabs between: a comparison turned
 * round, && for || or the other way, a whole number one larger, or a statement left out. The same
 * lines, files and seed give the same mistakes. */
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SPOTS = 64, LINE_ROOM = 1024 };

struct spot {
    int column, length; /* from 0 */
    char with[32];
    const char *what;
};

struct place {
    char file[200];
    long line;
};

static uint64_t draw(uint64_t *state, uint64_t n)
{
    *state += 0x9e3779b97f4a7c15u; /* splitmix64 */
    uint64_t z = *state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (z ^ z >> 31) % n;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.';
}

/* The end of a string, a character or a comment that begins at `p`, or `p`. */
static const char *skip(const char *p)
{
    if (p[0] == '/' && p[1] == '/')
        return p + strlen(p);
    if (p[0] == '/' && p[1] == '*') {
        const char *end = strstr(p + 2, "*/");
        return end ? end + 2 : p + strlen(p);
    }
    if (*p != '"' && *p != '\'')
        return p;
    const char *q = p + 1;
    while (*q && *q != *p)
        q += q[0] == '\\' && q[1] ? 2 : 1;
    return *q ? q + 1 : q;
}

static int find_operator(const char *line, const char *p, struct spot *out)
{
    static const char *const pairs[][2] = {{"==", "!="},    {"!=", "=="},   {"<=", ">"},
                                           {">=", "<"},     {"&&", "||"},   {"||", "&&"},
                                           {" < ", " >= "}, {" > ", " <= "}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        size_t n = strlen(pairs[i][0]);
        if (strncmp(p, pairs[i][0], n) != 0 || (p > line && strchr("<>", p[-1]) && p[0] != ' '))
            continue; /* the end of <<= is none */
        *out = (struct spot){.column = (int)(p - line), .length = (int)n, .what = "turned round"};
        snprintf(out->with, sizeof out->with, "%s", pairs[i][1]);
        return (int)n;
    }
    return 0;
}

static int find_number(const char *line, const char *p, struct spot *out)
{
    if (!isdigit((unsigned char)*p) || (p > line && is_word(p[-1])))
        return 0;
    int n = 0;
    while (isdigit((unsigned char)p[n]))
        n++;
    if (p[n] == 'x' || p[n] == '.' || p[n] == 'e' || n > 9)
        return 0;
    *out = (struct spot){.column = (int)(p - line), .length = n, .what = "one more"};
    snprintf(out->with, sizeof out->with, "%ld", strtol(p, NULL, 10) + 1);
    return n;
}

static bool ends_with_any(const char *line, const char *ends)
{
    size_t n = strlen(line);
    while (n && isspace((unsigned char)line[n - 1]))
        n--;
    return n && strchr(ends, line[n - 1]);
}

/* A declaration left out does not compile: such lines are not drawn for it. */
static bool is_declaration(const char *first)
{
    static const char *const words[] = {"const ",  "struct ", "enum ", "static ",
                                        "uint",    "int",     "bool ", "char ",
                                        "double ", "size_t ", "long ", "float "};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strncmp(first, words[i], strlen(words[i])) == 0)
            return true;
    return false;
}

/* An assert states what holds anyway: without it the program is the same. */
static bool is_assert(const char *first)
{
    return strncmp(first, "assert(", 7) == 0;
}

/* Memory that is asked for with room for one more than it was: "arena_many(mem, int, n + 1)". */
static bool is_more_memory(const char *line, const char *p)
{
    static const char *const calls[] = {"arena_many(", "arena_alloc(", "malloc(", "calloc("};
    if (p - line < 2 || p[-1] != ' ' || !strchr("+*", p[-2]))
        return false;
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        const char *call = strstr(line, calls[i]);
        int depth = 0;
        if (!call || call > p)
            continue;
        for (const char *q = call; q < p; q++)
            depth += (*q == '(') - (*q == ')');
        if (depth == 1)
            return true;
    }
    return false;
}

static int find_spots(const char *line, const char *before, struct spot *spots)
{
    int n = 0;
    const char *first = line + strspn(line, " \t");
    if (*first == '#')
        return 0;
    for (const char *p = first; *p && n < MOST_SPOTS - 1;) {
        const char *after = skip(p);
        int used = after > p ? (int)(after - p) : find_operator(line, p, &spots[n]);
        if (after == p) {
            n += used != 0;
            /* an array or memory with room for one more is the same program */
            bool is_room =
                (p > line && p[-1] == '[' && is_declaration(first)) || is_more_memory(line, p);
            if (!used && (used = find_number(line, p, &spots[n])) != 0 && !is_room)
                n++;
        }
        p += used ? used : 1;
    }
    if (!is_declaration(first) && !is_assert(first) && ends_with_any(line, ";") &&
        ends_with_any(before, ";{}:)/")) {
        spots[n] = (struct spot){.column = (int)(first - line),
                                 .length = (int)strcspn(first, "\n"),
                                 .with = ";",
                                 .what = "left out"};
        n++;
    }
    return n;
}

/* Reads the line and the one before it that is not blank. */
static bool read_line(const struct place *p, char *line, char *before)
{
    FILE *f = fopen(p->file, "r");
    long n = 0;
    char text[LINE_ROOM];
    bool found = false;
    before[0] = 0;
    while (f && !found && fgets(text, sizeof text, f)) {
        found = ++n == p->line;
        if (!found && strspn(text, " \t\n") < strlen(text))
            strcpy(before, text);
    }
    if (f)
        fclose(f);
    if (found) {
        text[strcspn(text, "\n")] = 0;
        strcpy(line, text);
    }
    return found;
}

int main(int argc, char **argv)
{
    size_t n_places = 0, cap = 0, wanted = argc == 3 ? (size_t)atol(argv[1]) : 0, n_made = 0;
    uint64_t state = argc == 3 ? strtoull(argv[2], NULL, 10) : 0;
    struct place *places = NULL, p;
    if (argc != 3)
        return fprintf(stderr, "usage: mutants N SEED <LINES\n"), 2;
    while (scanf("%199s %ld", p.file, &p.line) == 2) {
        if (n_places == cap && !(places = realloc(places, (cap = cap * 2 + 1024) * sizeof *places)))
            return 3;
        places[n_places++] = p;
    }
    for (size_t tries = 0; n_places && n_made < wanted && tries < wanted * 50; tries++) {
        char line[LINE_ROOM], before[LINE_ROOM];
        struct spot spots[MOST_SPOTS];
        size_t k = draw(&state, n_places);
        if (!places[k].line || !read_line(&places[k], line, before))
            continue;
        int n = find_spots(line, before, spots);
        if (!n)
            continue;
        const struct spot *s = &spots[draw(&state, (uint64_t)n)];
        printf("%s\t%ld\t%d\t%d\t%s\t%.*s %s\n", places[k].file, places[k].line, s->column + 1,
               s->length, s->with, s->length, line + s->column, s->what);
        places[k].line = 0; /* one mistake a line */
        n_made++;
    }
    free(places);
    return 0;
}
