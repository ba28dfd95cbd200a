/* SPDX-License-Identifier: MIT */
#include "gen/explore/points.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/table.h"
#include "base/vec.h"
#include "gen/config/keys.h"
#include "gen/config/read_value.h"

/* The part of a description that decides about keys: values are written into it as the walk goes. A
 * key that has no effect may keep an old value there, since what it decides about has none either.
 */
struct points_walker {
    const struct space *space;
    struct arch arch;
    struct arena scratch;
    struct arena *mem;
};

struct points_walker *points_walker(const struct space *space, struct arena *mem)
{
    struct points_walker *w = arena_new(mem, struct points_walker);
    w->space = space;
    w->mem = mem;
    w->arch = space->draft;
    w->arch.origins = arena_array(mem, n_keys, sizeof *w->arch.origins);
    return w;
}

static void set_value(struct points_walker *w, size_t key, point_choice value)
{
    const struct space_key *k = &w->space->keys[key];
    struct arena scratch;
    struct err ignored;
    arena_init(&scratch, w->mem->out_of_memory, w->mem->ctx);
    err_init(&ignored);
    /* texts and lists live as long as the space; a number leaves nothing behind */
    bool is_text = k->key->type == KEY_TEXT || k->key->type == KEY_INTS;
    read_text_value(k->key, k->net, k->values[value], k->at, is_text ? w->mem : &scratch, &w->arch,
                    &ignored);
    err_free(&ignored);
    arena_free(&scratch);
}

static bool has_effect(const struct points_walker *w, size_t key)
{
    const struct space_key *k = &w->space->keys[key];
    if (k->net != KEY_ALL_NETS)
        return key_is_used(k->key, &w->arch, k->net);
    return key_is_used(k->key, &w->arch, NOC_REQUEST) ||
           (k->key->per_network && key_is_used(k->key, &w->arch, NOC_REPLY));
}

void points_settle(struct points_walker *w, point_choice *choice)
{
    for (size_t k = 0; k < w->space->n_keys; k++) {
        if (!has_effect(w, k)) {
            choice[k] = POINT_NONE;
            continue;
        }
        if (choice[k] == POINT_NONE || choice[k] >= w->space->keys[k].n)
            choice[k] = 0;
        set_value(w, k, choice[k]);
    }
}

struct collection {
    struct points_walker *walker;
    point_choice now[SPACE_MOST_KEYS];
    VEC(point_choice) rows;
    size_t n, most;
    struct arena *mem;
};

static bool collect(struct collection *c, size_t key)
{
    const struct space *s = c->walker->space;
    if (key == s->n_keys) {
        if (c->n == c->most)
            return false;
        vec_reserve(c->mem, &c->rows, s->n_keys);
        memcpy(c->rows.at + c->rows.n, c->now, s->n_keys * sizeof *c->now);
        c->rows.n += s->n_keys;
        c->n++;
        return true;
    }
    if (!has_effect(c->walker, key)) {
        c->now[key] = POINT_NONE;
        return collect(c, key + 1);
    }
    for (size_t v = 0; v < s->keys[key].n; v++) {
        c->now[key] = (point_choice)v;
        set_value(c->walker, key, (point_choice)v);
        if (!collect(c, key + 1))
            return false;
    }
    return true;
}

bool points_all(struct points_walker *w, size_t most, struct arena *mem, point_choice **rows,
                size_t *n)
{
    struct collection c = {.walker = w, .most = most, .mem = mem};
    bool is_all = collect(&c, 0);
    *rows = c.rows.at;
    *n = c.n;
    return is_all;
}

/* Does `key` have an effect with any choice of the keys from `at` on that decide about it? */
static bool finds_effect(struct points_walker *w, const bool *decides, size_t at, size_t key)
{
    while (at < key && !(decides[at] && has_effect(w, at)))
        at++;
    if (at == key)
        return has_effect(w, key);
    for (size_t v = 0; v < w->space->keys[at].n; v++) {
        set_value(w, at, (point_choice)v);
        if (finds_effect(w, decides, at + 1, key))
            return true;
    }
    return false;
}

bool points_have_effect(struct points_walker *w, struct err *err)
{
    bool ok = true;
    for (size_t k = 0; k < w->space->n_keys; k++) {
        const struct space_key *key = &w->space->keys[k];
        bool decides[SPACE_MOST_KEYS]; /* those stand before it */
        for (size_t i = 0; i < k; i++)
            decides[i] = space_key_decides(w->space->keys[i].key, key->key);
        if (!finds_effect(w, decides, 0, k))
            ok = err_add(err, ERR_INPUT, (struct where){key->at.file, key->at.line, key->path},
                         "has no effect at any point: it needs %s",
                         key->key->used_if ? key->key->used_if : "another description");
    }
    return ok;
}

double points_combinations(const struct space *space)
{
    double n = 1;
    for (size_t k = 0; k < space->n_keys; k++)
        n *= (double)space->keys[k].n;
    return n;
}

void points_random(struct points_walker *w, struct rng *rng, point_choice *out)
{
    for (size_t k = 0; k < w->space->n_keys; k++)
        out[k] = (point_choice)rng_below(rng, (uint32_t)w->space->keys[k].n);
    points_settle(w, out);
}

/* Uniform crossover; then each key changes with probability 1 / keys, numbers by a step as often as
 * to any value (Deb et al. 2002 for the frame; the steps are for ordered keys). */
void points_cross(struct points_walker *w, const point_choice *a, const point_choice *b,
                  struct rng *rng, point_choice *out)
{
    size_t n = w->space->n_keys;
    for (size_t k = 0; k < n; k++) {
        const struct space_key *key = &w->space->keys[k];
        out[k] = rng_u64(rng) & 1 ? a[k] : b[k];
        if (rng_below(rng, (uint32_t)n) != 0)
            continue;
        if (out[k] != POINT_NONE && key->is_ordered && (rng_u64(rng) & 1)) {
            bool up = rng_u64(rng) & 1;
            if (up && out[k] + 1u < key->n)
                out[k]++;
            else if (!up && out[k] > 0)
                out[k]--;
        } else {
            out[k] = (point_choice)rng_below(rng, (uint32_t)key->n);
        }
    }
    points_settle(w, out);
}

size_t points_sets(const struct space *space, const point_choice *choice, struct arena *mem,
                   const char **sets)
{
    size_t n = 0;
    for (size_t k = 0; k < space->n_keys; k++) {
        if (choice[k] != POINT_NONE)
            sets[n++] =
                arena_printf(mem, "%s=%s", space->keys[k].path, space->keys[k].values[choice[k]]);
    }
    return n;
}

const char *points_json(const struct space *space, const point_choice *choice, struct arena *mem)
{
    json_t *o = json_object();
    for (size_t k = 0; k < space->n_keys; k++) {
        if (choice[k] != POINT_NONE)
            json_object_set_new(o, space->keys[k].path,
                                json_text(space->keys[k].values[choice[k]]));
    }
    char *text = json_dumps(o, JSON_COMPACT);
    if (!text)
        arena_exhausted();
    const char *copy = arena_strdup(mem, text);
    free(text);
    json_decref(o);
    return copy;
}

bool points_of_json(const struct space *space, const char *text, point_choice *out)
{
    json_t *o = json_loads(text, 0, NULL);
    size_t n = 0;
    for (size_t k = 0; k < space->n_keys; k++) {
        const char *value = json_string_value(json_object_get(o, space->keys[k].path));
        out[k] = POINT_NONE;
        for (size_t v = 0; value && v < space->keys[k].n; v++) {
            if (strcmp(space->keys[k].values[v], value) == 0)
                out[k] = (point_choice)v;
        }
        n += out[k] != POINT_NONE;
    }
    bool is_whole = o && n == json_object_size(o);
    json_decref(o);
    return is_whole;
}
