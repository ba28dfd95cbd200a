/* SPDX-License-Identifier: MIT */
#include "gen/explore/front_band.h"

#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"

size_t front_band_choose(struct explored *const *front, size_t n, size_t most,
                         struct explored **out)
{
    size_t count = n < most ? n : most;
    for (size_t i = 0; i < count; i++)
        out[i] = front[count < 2 ? 0 : i * (n - 1) / (count - 1)];
    return count;
}

static bool differs(struct explored *const *points, size_t n, size_t key)
{
    for (size_t i = 1; i < n; i++) {
        if (points[i]->choice[key] != points[0]->choice[key])
            return true;
    }
    return false;
}

static const char *last_word(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot ? dot + 1 : path;
}

/* "width" of noc.width; the whole path where another key ends alike. */
static const char *short_path(const struct space *space, size_t key)
{
    const char *path = space->keys[key].path, *last = last_word(path);
    for (size_t k = 0; k < space->n_keys; k++) {
        if (k != key && strcmp(last_word(space->keys[k].path), last) == 0)
            return path;
    }
    return last;
}

const char *front_band_name(const struct space *space, struct explored *const *points, size_t n,
                            size_t which, struct arena *mem)
{
    struct buf name;
    buf_init(&name, mem, BUF_NO_MAX);
    for (size_t k = 0; k < space->n_keys; k++) {
        point_choice c = points[which]->choice[k];
        if (c == POINT_NONE || !differs(points, n, k))
            continue;
        const char *value = space->keys[k].values[c];
        buf_add(&name, name.len ? ", " : "");
        if (!isalpha((unsigned char)value[0])) /* "crossbar" says what it is, "32 B" does not */
            buf_printf(&name, "%s ", short_path(space, k));
        buf_add(&name, value);
    }
    return name.len ? name.data : "base";
}

/* Keys that only some of the points have may leave two of one name: told apart by their number. */
static void number_equal(const char **names, size_t n, struct arena *mem)
{
    for (size_t i = 1; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            if (strcmp(names[i], names[j]) == 0) {
                names[i] = arena_printf(mem, "%s (%zu)", names[i], i + 1);
                break;
            }
        }
    }
}

bool front_band_make(const struct search *s, bool each, struct arena *mem, struct front_band *out,
                     struct err *err)
{
    struct explored **front = search_front(s, mem, &out->n_front);
    out->points = arena_many(mem, struct explored *, FRONT_BAND_MOST);
    size_t n = front_band_choose(front, out->n_front, FRONT_BAND_MOST, out->points);
    if (n < 2 || s->space->n_workloads == 0)
        return true;
    const struct arch **archs = arena_many(mem, const struct arch *, n);
    const char **names = arena_many(mem, const char *, n);
    for (size_t i = 0; i < n; i++) {
        struct err remarks; /* "has no effect with this topology": said of none of the others */
        err_init(&remarks);
        archs[i] = evaluation_arch(s->evaluation, out->points[i], mem, &remarks);
        err_free(&remarks);
        if (!archs[i])
            return err_add(err, ERR_INPUT, NOWHERE, "a point of the front cannot be made any more");
        names[i] = front_band_name(s->space, out->points, n, i, mem);
    }
    number_equal(names, n, mem);
    struct pairs_request pairs = evaluation_pairs(s->evaluation);
    const struct band_request q = {
        .archs = archs, .names = names, .n_designs = n, .each = each, .pairs = &pairs};
    out->is_there = band_make(&q, mem, &out->band, err);
    return out->is_there;
}
