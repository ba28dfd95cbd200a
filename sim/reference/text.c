/* SPDX-License-Identifier: MIT
 *
 * References of the programs on text. Words are hashed here as there (FNV-1a), the rest is done by
 * the C library's sort on lists of what should have been found. */
#include "sim/reference/reference.h"

#include <stdlib.h>
#include <string.h>

struct lines {
    const uint8_t *text;
    const int32_t *offsets; /* n + 1 */
    int64_t n;
    bool sound;
};

struct found {
    uint32_t key, place;
};

static struct lines read_lines(struct ref *r, int64_t room)
{
    struct lines t = {.n = ref_int(r, "lines", 1, 1 << 24), .sound = true};
    t.text = ref_in(r, "text", REF_U8, (uint64_t)(t.n * room));
    t.offsets = ref_in(r, "offsets", REF_S32, (uint64_t)t.n + 1);
    for (int64_t i = 0; i < t.n; i++)
        t.sound = t.sound && t.offsets[i] >= 0 && t.offsets[i] < t.offsets[i + 1] &&
                  t.offsets[i + 1] <= t.n * room && t.text[t.offsets[i + 1] - 1] == '\n';
    ref_require(r, t.sound, "text and offsets are not lines");
    return t;
}

static uint32_t hash(const uint8_t *s, int64_t n)
{
    uint32_t h = 2166136261u;
    for (int64_t i = 0; i < n; i++)
        h = (h ^ s[i]) * 16777619u;
    return h;
}

static int by_key_and_place(const void *a, const void *b)
{
    const struct found *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

/* The run's list, in its order of keys; among equal keys the order is free. */
static void expect_found(struct ref *r, struct found *want, int64_t n, int64_t slots,
                         enum ref_type type)
{
    const uint32_t *keys = ref_out(r, "keys", type, (uint64_t)slots);
    const uint32_t *places = ref_out(r, "places", type, (uint64_t)slots);
    struct found *got = ref_scratch(r, (uint64_t)slots, sizeof *got);
    for (int64_t i = 0; i < slots; i++)
        got[i] = (struct found){keys[i], places[i]};
    for (int64_t i = 1; i < slots; i++)
        ref_require(r, keys[i - 1] <= keys[i], "keys[%lld] is smaller than the key before it",
                    (long long)i);
    qsort(got, (size_t)slots, sizeof *got, by_key_and_place);
    qsort(want, (size_t)n, sizeof *want, by_key_and_place);
    ref_require(r, n <= slots, "%lld should have been found, there is room for %lld", (long long)n,
                (long long)slots);
    for (int64_t i = 0; i < n && i < slots; i++)
        ref_require(r, got[i].key == want[i].key && got[i].place == want[i].place,
                    "entry %lld is key %u at %u, the reference has %u at %u", (long long)i,
                    got[i].key, got[i].place, want[i].key, want[i].place);
    for (int64_t i = n; i < slots; i++)
        ref_require(r, got[i].key == UINT32_MAX, "keys[%lld] should be empty", (long long)i);
    r->n_checked += (uint64_t)slots;
}

/* The first of each run of equal keys has its length, the others 0. */
static void expect_counts(struct ref *r, const struct found *want, int64_t n, int64_t slots)
{
    double *counts = ref_scratch(r, (uint64_t)slots, sizeof *counts);
    int64_t first = 0;
    for (int64_t i = 0; i < n && i < slots; i++) {
        if (want[i].key != want[first].key)
            first = i;
        counts[first]++;
    }
    ref_expect(r, "counts", counts, (uint64_t)(n < slots ? n : slots), 0, 0);
}

static void check_pvc(struct ref *r)
{
    struct lines t = read_lines(r, 64);
    struct found *want = ref_scratch(r, (uint64_t)t.n, sizeof *want);
    for (int64_t i = 0; i < t.n && t.sound; i++) {
        const uint8_t *url = t.text + t.offsets[i];
        const uint8_t *tab = memchr(url, '\t', (size_t)(t.offsets[i + 1] - t.offsets[i]));
        if (!ref_require(r, tab != NULL, "line %lld has no tab", (long long)i))
            return;
        want[i] = (struct found){hash(url, tab - url), (uint32_t)t.offsets[i]};
    }
    expect_found(r, want, t.n, t.n, REF_U32);
    expect_counts(r, want, t.n, t.n);
}

const struct reference ref_pvc = {
    "pvc", "sorted hashes of all URLs with places, and their counts; exact", check_pvc};

static void check_wc(struct ref *r)
{
    struct lines t = read_lines(r, 96);
    int64_t slots = ref_int(r, "slots", 1, 1 << 26), n = 0;
    struct found *want =
        ref_scratch(r, (uint64_t)t.n * 48, sizeof *want); /* 96 characters at most */
    for (int64_t i = 0; i < t.n && t.sound; i++)
        for (int64_t at = t.offsets[i], end = t.offsets[i + 1]; at < end;) {
            int64_t length = 0;
            while (t.text[at + length] != ' ' && t.text[at + length] != '\n')
                length++;
            if (n < t.n * 48)
                want[n++] = (struct found){hash(t.text + at, length), (uint32_t)at};
            at += length + 1;
        }
    expect_found(r, want, n, slots, REF_S32);
    expect_counts(r, want, n, slots);
    ref_expect_one(r, "emitted", 0, (double)n, 0, 0);
}

const struct reference ref_wc = {
    "wc", "sorted hashes of all words with places, and their counts; exact", check_wc};

static void check_ii(struct ref *r)
{
    static const char mark[] = "=\"";
    struct lines t = read_lines(r, 256);
    int64_t slots = ref_int(r, "slots", 1, 1 << 26), n = 0;
    struct found *want = ref_scratch(r, (uint64_t)slots, sizeof *want);
    for (int64_t i = 0; i < t.n && t.sound; i++)
        for (int64_t at = t.offsets[i], end = t.offsets[i + 1]; at + 2 < end; at++)
            if (memcmp(t.text + at, mark, 2) == 0) {
                const uint8_t *link = t.text + at + 2;
                const uint8_t *close = memchr(link, '"', (size_t)(end - at - 2));
                if (!ref_require(r, close && n < slots, "line %lld: open link, or no room left",
                                 (long long)i))
                    return;
                want[n++] = (struct found){hash(link, close - link), (uint32_t)(at + 2)};
                at = close - t.text;
            }
    expect_found(r, want, n, slots, REF_S32);
    ref_expect_one(r, "emitted", 0, (double)n, 0, 0);
    ref_require(r, n > 0, "no link in the text: nothing is tested");
}

const struct reference ref_ii = {"ii", "sorted hashes of all links with places; exact", check_ii};

static int by_value(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return x < y ? -1 : x > y;
}

static void check_sm(struct ref *r)
{
    struct lines t = read_lines(r, 96);
    int64_t slots = ref_int(r, "slots", 1, 1 << 26), n = 0;
    const uint8_t *key = ref_in(r, "key", REF_U8, 16);
    const int32_t *length = ref_in(r, "length", REF_S32, 1);
    const int32_t *matches = ref_out(r, "matches", REF_S32, (uint64_t)slots);
    int32_t *got = ref_scratch(r, (uint64_t)slots, sizeof *got);
    int32_t *want = ref_scratch(r, (uint64_t)slots, sizeof *want);
    if (!ref_require(r, *length > 0 && *length <= 16, "the keyword has %d letters", *length))
        return;
    for (int64_t i = 0; i < t.n && t.sound; i++)
        for (int64_t at = t.offsets[i]; at + *length < t.offsets[i + 1]; at++)
            if (memcmp(t.text + at, key, (size_t)*length) == 0 && n < slots)
                want[n++] = (int32_t)at;
    memcpy(got, matches, (size_t)slots * sizeof *got);
    qsort(got, (size_t)n, sizeof *got, by_value);
    for (int64_t i = 0; i < n; i++)
        ref_require(r, got[i] == want[i], "match %lld is at %d, the reference has %d", (long long)i,
                    got[i], want[i]);
    ref_expect_one(r, "emitted", 0, (double)n, 0, 0);
    ref_require(r, n > 0, "the keyword does not occur: nothing is tested");
    r->n_checked += (uint64_t)n;
}

const struct reference ref_sm = {"sm", "all places of the keyword; exact", check_sm};

/* ---- mum: all suffixes of the reference, sorted; a match's length is that with a neighbour
 * ------- */

struct suffix {
    const uint8_t *at;
    size_t left;
};

static int by_letters(const void *a, const void *b)
{
    const struct suffix *x = a, *y = b;
    int order = memcmp(x->at, y->at, x->left < y->left ? x->left : y->left);
    return order ? order : x->left < y->left ? -1 : x->left > y->left;
}

static size_t common(const struct suffix *a, const struct suffix *b)
{
    size_t n = 0;
    while (n < a->left && n < b->left && a->at[n] == b->at[n])
        n++;
    return n;
}

static void check_mum(struct ref *r)
{
    int64_t n = ref_int(r, "n", 1, 1 << 26), letters = ref_int(r, "letters", 1, 1000);
    int64_t count = ref_int(r, "count", 1, 1 << 24);
    const uint8_t *text = ref_in(r, "reference", REF_U8, (uint64_t)n);
    const uint8_t *queries = ref_in(r, "queries", REF_U8, (uint64_t)(count * letters));
    struct suffix *all = ref_scratch(r, (uint64_t)n, sizeof *all);
    double *want = ref_scratch(r, (uint64_t)(count * letters), sizeof *want);

    for (int64_t i = 0; i < n; i++)
        all[i] = (struct suffix){text + i, (size_t)(n - i)};
    qsort(all, (size_t)n, sizeof *all, by_letters);
    for (int64_t i = 0; i < count * letters; i++) {
        struct suffix query = {queries + i, (size_t)(letters - i % letters)};
        int64_t lo = 0, hi = n; /* the first suffix not below the query */
        while (lo < hi) {
            int64_t mid = (lo + hi) / 2;
            if (by_letters(&all[mid], &query) < 0)
                lo = mid + 1;
            else
                hi = mid;
        }
        size_t before = lo > 0 ? common(&all[lo - 1], &query) : 0;
        size_t after = lo < n ? common(&all[lo], &query) : 0;
        want[i] = (double)(before > after ? before : after);
    }
    ref_expect(r, "lengths", want, (uint64_t)(count * letters), 0, 0);
}

const struct reference ref_mum = {"mum", "length of the longest match from every place; exact",
                                  check_mum};
