/* SPDX-License-Identifier: MIT */
#include "gen/config/variants.h"

#include <string.h>

#include "base/arena.h"
#include "base/vec.h"
#include "gen/command.h"
#include "gen/config/keys.h"
#include "gen/config/read.h"

struct axis { /* one --set */
    const char *path;
    const struct key *key;
    const char **values;
    size_t n;
    bool has_effect; /* on some design */
    bool is_own;     /* of one word of the command line */
};

struct expansion {
    struct app *app;
    struct read_request request;
    VEC(struct axis) axes; /* those of all designs, then those of the word at hand */
    unsigned rules;
    VEC(struct variant) list;
};

const char **variants_split(const char *text, struct arena *mem, size_t *n)
{
    VEC(const char *) list = {0};
    int depth = 0;
    bool is_quoted = false;
    const char *from = text;
    for (const char *at = text;; at++) {
        if (*at == '"')
            is_quoted = !is_quoted;
        depth += !is_quoted && (*at == '[' || *at == '(');
        depth -= !is_quoted && (*at == ']' || *at == ')');
        if (*at && (*at != ',' || is_quoted || depth > 0))
            continue;
        from += strspn(from, " ");
        size_t len = at > from ? (size_t)(at - from) : 0;
        while (len && from[len - 1] == ' ')
            len--;
        vec_push(mem, &list, arena_strndup(mem, from, len));
        from = at + 1;
        if (!*at)
            break;
    }
    *n = list.n;
    return list.at;
}

static bool read_axis(struct expansion *x, const char *set, bool many, bool is_own, struct err *err)
{
    struct arena *mem = &x->app->mem;
    struct axis a = {.n = 1, .is_own = is_own};
    const char *value;
    int net;
    a.key = arch_split_set(set, mem, &a.path, &net, &value, err);
    if (!a.key)
        return false;
    a.values = many ? variants_split(value, mem, &a.n) : arena_many(mem, const char *, 1);
    if (!many)
        a.values[0] = value;
    vec_push(mem, &x->axes, a);
    return true;
}

static bool read_axes(struct expansion *x, const struct options *o, struct err *err)
{
    bool ok = true;
    for (size_t i = 0; i < o->n_values; i++) {
        if (strcmp(o->values[i].name, "set") == 0)
            ok &= read_axis(x, o->values[i].value, x->rules & VARIANTS_MANY, false, err);
    }
    return ok;
}

/* The values of axes with several, as far as they have an effect. */
static const char *values_text(const struct expansion *x, const size_t *choice, struct arena *mem)
{
    const char *text = "";
    for (size_t i = 0; i < x->axes.n; i++) {
        if (x->axes.at[i].n > 1 && x->request.has_effect[i])
            text = arena_printf(mem, "%s%s%s=%s", text, text[0] ? " " : "", x->axes.at[i].path,
                                x->axes.at[i].values[choice[i]]);
    }
    return text;
}

static bool is_listed(const struct expansion *x, size_t from, const char *values)
{
    for (size_t i = from; i < x->list.n; i++) {
        if (strcmp(x->list.at[i].values, values) == 0)
            return true;
    }
    return false;
}

/* Says where a key has no effect. False: it was said for this design alone, a mistake. */
static bool note_effects(struct expansion *x, const char *file, const char *values, struct err *err)
{
    bool ok = true;
    for (size_t i = 0; i < x->axes.n; i++) {
        struct axis *a = &x->axes.at[i];
        struct where at = {"command line", 0, a->path};
        a->has_effect |= x->request.has_effect[i];
        if (x->request.has_effect[i])
            continue;
        if (a->is_own)
            ok = err_add(err, ERR_INPUT, at, "has no effect unless %s", a->key->used_if);
        else
            err_warn(err, at, "has no effect on %s%s%s: it needs %s", file,
                     values[0] ? " with " : "", values, a->key->used_if);
    }
    return ok;
}

/* "file.cfg:key=value,key=value": the file; its sets join the axes. */
static const char *split_word(struct expansion *x, const char *word, bool *ok, struct err *err)
{
    struct arena *mem = &x->app->mem;
    const char *colon = x->rules & VARIANTS_COLON ? strchr(word, ':') : NULL;
    if (!colon)
        return word;
    size_t n;
    const char **sets = variants_split(colon + 1, mem, &n);
    for (size_t i = 0; i < n; i++) {
        if (sets[i][0])
            *ok &= read_axis(x, sets[i], false, true, err);
    }
    return arena_strndup(mem, word, (size_t)(colon - word));
}

/* All combinations of values for one file. */
static bool expand(struct expansion *x, const char *word, struct err *err)
{
    struct arena *mem = &x->app->mem;
    bool ok = true;
    const char *file = split_word(x, word, &ok, err);
    struct arch *draft = arena_new(mem, struct arch);
    size_t *choice = arena_many(mem, size_t, x->axes.n + 1), from = x->list.n;
    const char **sets = arena_many(mem, const char *, x->axes.n + 1);
    struct read_request *q = &x->request;
    q->file = file;
    q->sets = sets;
    q->n_sets = x->axes.n;
    q->has_effect = arena_many(mem, bool, x->axes.n + 1);
    if (!ok || !arch_draft(q, mem, draft, err))
        return false;
    for (bool more = true; more;) {
        for (size_t i = 0; i < x->axes.n; i++)
            sets[i] =
                arena_printf(mem, "%s=%s", x->axes.at[i].path, x->axes.at[i].values[choice[i]]);
        struct err own;
        struct arch *arch = arena_new(mem, struct arch);
        err_init(&own);
        bool is_good = arch_finish(draft, q, mem, arch, &own);
        const char *values = values_text(x, choice, mem);
        if (!is_listed(x, from, values)) {
            is_good &= note_effects(x, file, values, &own);
            err_join(err, &own);
            arch->variant = values;
            if (is_good)
                vec_push(mem, &x->list, (struct variant){word, values, arch});
        }
        ok &= is_good;
        err_free(&own);
        if (x->list.n > MOST_VARIANTS) {
            x->list.n = 0;
            return err_add(err, ERR_INPUT, NOWHERE,
                           "more than %u designs; `crosswatt explore` is for that many",
                           MOST_VARIANTS);
        }
        more = false;
        for (size_t i = x->axes.n; i-- > 0 && !more;) {
            more = ++choice[i] < x->axes.at[i].n;
            if (!more)
                choice[i] = 0;
        }
    }
    return ok;
}

bool variants_read(struct app *app, const struct options *o, unsigned rules, struct variant **out,
                   size_t *n, struct err *err)
{
    struct expansion x = {
        .app = app,
        .rules = rules,
        .request = {.data_dir = app->data_dir, .allow_tools = option_has(o, "allow-tools")}};
    struct err found; /* a key without effect anywhere is one error, not a word for each design */
    *out = NULL;
    *n = 0;
    if (!read_axes(&x, o, err))
        return false;
    err_init(&found);
    size_t n_shared = x.axes.n;
    bool ok = true, is_idle = false;
    for (size_t i = 0; i < o->n_words; i++) {
        x.axes.n = n_shared;
        ok &= expand(&x, o->words[i], &found);
    }
    for (size_t i = 0; ok && i < n_shared; i++) {
        const struct axis *a = &x.axes.at[i];
        if (a->has_effect)
            continue;
        err_add(err, ERR_INPUT, (struct where){"command line", 0, a->path},
                "has no effect unless %s", a->key->used_if);
        is_idle = true;
    }
    if (!is_idle)
        err_join(err, &found);
    err_free(&found);
    *out = x.list.at;
    *n = is_idle ? 0 : x.list.n;
    return ok && !is_idle;
}
