/* SPDX-License-Identifier: MIT
 *
 * What can be asked of the key table (gen/config/keys.c). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/near.h"
#include "base/vec.h"
#include "gen/config/arch.h"
#include "gen/config/keys.h"
#include "gen/config/setting.h"

/* ---- paths ----------------------------------------------------------------------------------- */

/* "noc.request.vcs" -> "noc.vcs" and its network; other paths stay. */
static bool split_net(const char *path, const char **rest, int *net)
{
    static const char *const prefix[2] = {"noc.request.", "noc.reply."};
    for (int i = 0; i < 2; i++) {
        size_t n = strlen(prefix[i]);
        if (strncmp(path, prefix[i], n) == 0) {
            *net = i;
            *rest = path + n;
            return true;
        }
    }
    *net = KEY_ALL_NETS;
    *rest = path;
    return false;
}

const struct key *key_find(const char *path, int *net)
{
    const char *rest;
    bool is_net = split_net(path, &rest, net);
    for (const struct key *k = keys; k < keys + n_keys; k++) {
        if (is_net ? k->per_network && strcmp(k->path + 4, rest) == 0 : strcmp(k->path, path) == 0)
            return k;
    }
    return NULL;
}

static bool begins_group(const char *path, const char *prefix)
{
    size_t n = strlen(prefix);
    return strncmp(path, prefix, n) == 0 && path[n] == '.';
}

bool key_is_group(const char *prefix)
{
    if (strcmp(prefix, "noc.request") == 0 || strcmp(prefix, "noc.reply") == 0)
        return true;
    const char *rest;
    int net;
    bool is_net = split_net(prefix, &rest, &net);
    for (const struct key *k = keys; k < keys + n_keys; k++) {
        if (is_net ? k->per_network && begins_group(k->path + 4, rest)
                   : begins_group(k->path, prefix))
            return true;
    }
    return false;
}

const char *key_nearest(const char *path, struct arena *mem)
{
    if (strlen(path) > 200)
        return NULL;
    VEC(const char *) all = {0};
    const char *rest;
    int net;
    bool is_net = split_net(path, &rest, &net);
    for (const struct key *k = keys; k < keys + n_keys; k++) {
        vec_push(mem, &all, k->path);
        if (is_net && k->per_network)
            vec_push(mem, &all,
                     arena_printf(mem, "noc.%s.%s", net ? "reply" : "request", k->path + 4));
    }
    const char *best = near_best(path, all.at, all.n);
    if (best)
        return best;
    /* the right name in the wrong section: "vcs", "router.vcs" */
    const char *leaf = strrchr(path, '.');
    leaf = leaf ? leaf + 1 : path;
    for (const struct key *k = keys; k < keys + n_keys; k++) {
        const char *dot = strrchr(k->path, '.');
        if (dot && strcmp(dot + 1, leaf) == 0)
            return k->path;
    }
    return NULL;
}

/* ---- values ---------------------------------------------------------------------------------- */

void *key_place(const struct key *key, struct arch *arch, int net)
{
    return (char *)arch + key->offset +
           (key->per_network && net == NOC_REPLY ? sizeof(struct arch_net) : 0);
}

const void *key_value(const struct key *key, const struct arch *arch, int net)
{
    return (const char *)arch + key->offset +
           (key->per_network && net == NOC_REPLY ? sizeof(struct arch_net) : 0);
}

static uint32_t list_length(const struct key *key, const struct arch *arch, int net)
{
    const char *at = (const char *)arch + key->count_offset +
                     (key->per_network && net == NOC_REPLY ? sizeof(struct arch_net) : 0);
    uint32_t n;
    memcpy(&n, at, sizeof n);
    return n;
}

double key_number(const struct key *key, const struct arch *arch, int net)
{
    const void *v = key_value(key, arch, net);
    switch (key->type) {
    case KEY_INT: return *(const uint32_t *)v;
    case KEY_INT64: return (double)*(const uint64_t *)v;
    case KEY_REAL: return *(const double *)v;
    case KEY_BOOL: return *(const bool *)v;
    case KEY_ENUM: return *(const int *)v;
    case KEY_INTS:
    case KEY_LIST: return list_length(key, arch, net);
    case KEY_NAME:
    case KEY_TEXT: return 0;
    }
    return 0;
}

bool key_equal(const struct key *key, const struct arch *a, int net_a, const struct arch *b,
               int net_b)
{
    const void *va = key_value(key, a, net_a), *vb = key_value(key, b, net_b);
    switch (key->type) {
    case KEY_NAME:
    case KEY_TEXT: return strcmp(*(const char *const *)va, *(const char *const *)vb) == 0;
    case KEY_INTS: {
        uint32_t n = list_length(key, a, net_a);
        return n == list_length(key, b, net_b) &&
               (n == 0 || memcmp(*(const int64_t *const *)va, *(const int64_t *const *)vb,
                                 n * sizeof(int64_t)) == 0);
    }
    case KEY_LIST: return *(void *const *)va == *(void *const *)vb;
    case KEY_INT:
    case KEY_INT64:
    case KEY_REAL:
    case KEY_BOOL:
    case KEY_ENUM: return key_number(key, a, net_a) == key_number(key, b, net_b);
    }
    return false;
}

static const struct key_word *word_of(const struct key *key, double v)
{
    for (const struct key_word *w = key->words; w && w->word; w++) {
        if (w->value == v)
            return w;
    }
    return NULL;
}

static void add_number(const struct key *key, double v, struct buf *out)
{
    const struct key_word *w = word_of(key, v);
    /* "short" is 3.3 mm: the number says more, so a word is used only where it stands for no number
     */
    if (w && !(v >= key->lo && v <= key->hi))
        setting_add_text(out, w->word);
    else if (key->type == KEY_REAL)
        buf_add_double(out, v);
    else
        buf_printf(out, "%.0f", v);
}

void key_add_value(const struct key *key, const struct arch *arch, int net, struct buf *out)
{
    const void *v = key_value(key, arch, net);
    switch (key->type) {
    case KEY_INT:
    case KEY_REAL: add_number(key, key_number(key, arch, net), out); break;
    case KEY_INT64:
        if (word_of(key, key_number(key, arch, net)) && *(const uint64_t *)v < key->lo)
            setting_add_text(out, word_of(key, key_number(key, arch, net))->word);
        else
            buf_printf(out, "%llu", (unsigned long long)*(const uint64_t *)v);
        break;
    case KEY_BOOL: buf_add(out, *(const bool *)v ? "true" : "false"); break;
    case KEY_ENUM: setting_add_text(out, key->choices[*(const int *)v]); break;
    case KEY_NAME:
    case KEY_TEXT: setting_add_text(out, *(const char *const *)v); break;
    case KEY_INTS: {
        const int64_t *list = *(const int64_t *const *)v;
        buf_putc(out, '[');
        for (uint32_t i = 0; i < list_length(key, arch, net); i++)
            buf_printf(out, "%s%lld", i ? ", " : "", (long long)list[i]);
        buf_putc(out, ']');
        break;
    }
    case KEY_LIST: buf_printf(out, "(%u groups)", list_length(key, arch, net)); break;
    }
}

void key_add_default(const struct key *key, struct buf *out)
{
    switch (key->type) {
    case KEY_INT:
    case KEY_INT64:
    case KEY_REAL: add_number(key, key->number, out); break;
    case KEY_BOOL: buf_add(out, key->number != 0 ? "true" : "false"); break;
    case KEY_ENUM: setting_add_text(out, key->choices[(int)key->number]); break;
    case KEY_NAME: setting_add_text(out, key->text ? key->text : key->choices[0]); break;
    case KEY_TEXT: setting_add_text(out, key->text); break;
    case KEY_INTS: buf_add(out, "[]"); break;
    case KEY_LIST: buf_add(out, "()"); break;
    }
}

void key_add_legal(const struct key *key, struct buf *out)
{
    bool is_number = key->type == KEY_INT || key->type == KEY_INT64 || key->type == KEY_REAL ||
                     key->type == KEY_INTS;
    if (is_number) {
        buf_add_double(out, key->lo);
        buf_add(out, "..");
        if (key->type == KEY_REAL || key->hi >= 1e15)
            buf_add_double(out, key->hi);
        else
            buf_printf(out, "%.0f", key->hi);
    }
    for (const struct key_word *w = key->words; w && w->word; w++) {
        buf_add(out, " or ");
        setting_add_text(out, w->word);
    }
    for (const char *const *c = key->choices; c && *c; c++) {
        if (c != key->choices)
            buf_add(out, ", ");
        setting_add_text(out, *c);
    }
    if (key->type == KEY_BOOL)
        buf_add(out, "true, false");
    if (key->type == KEY_TEXT)
        buf_add(out, "any text");
    if (key->type == KEY_LIST)
        buf_add(out, "a list of groups");
}

const char *key_type_text(const struct key *key)
{
    switch (key->type) {
    case KEY_INT:
    case KEY_INT64: return "whole number";
    case KEY_REAL: return "number";
    case KEY_BOOL: return "true or false";
    case KEY_NAME:
    case KEY_ENUM: return "name";
    case KEY_TEXT: return "text";
    case KEY_INTS: return "list of whole numbers";
    case KEY_LIST: return "list of groups";
    }
    return "";
}

const char *key_choice(const char *path, int value)
{
    int net;
    return key_find(path, &net)->choices[value];
}

void keys_set_defaults(struct arch *arch)
{
    for (const struct key *k = keys; k < keys + n_keys; k++) {
        for (int net = 0; net < (k->per_network ? 2 : 1); net++) {
            void *v = key_place(k, arch, net);
            switch (k->type) {
            case KEY_INT: *(uint32_t *)v = (uint32_t)k->number; break;
            case KEY_INT64: *(uint64_t *)v = (uint64_t)k->number; break;
            case KEY_REAL: *(double *)v = k->number; break;
            case KEY_BOOL: *(bool *)v = k->number != 0; break;
            case KEY_ENUM: *(int *)v = (int)k->number; break;
            case KEY_NAME: *(const char **)v = k->text ? k->text : k->choices[0]; break;
            case KEY_TEXT: *(const char **)v = k->text; break;
            case KEY_INTS:
            case KEY_LIST: break; /* empty */
            }
        }
    }
}

/* ---- origins --------------------------------------------------------------------------------- */

const struct origin *key_origin(const struct key *key, const struct arch *arch, int net)
{
    return &arch->origins[key - keys][key->per_network && net == NOC_REPLY ? 1 : 0];
}

void key_add_origin(const struct origin *origin, struct buf *out)
{
    switch (origin->kind) {
    case ORIGIN_DEFAULT: buf_add(out, "default"); break;
    case ORIGIN_DERIVED: buf_add(out, "derived"); break;
    case ORIGIN_COMMAND_LINE: buf_add(out, "command line"); break;
    case ORIGIN_FILE: buf_printf(out, "%s:%d", origin->at.file, origin->at.line); break;
    }
}

struct where key_where(const struct arch *arch, const char *path, int net)
{
    int said;
    const struct key *key = key_find(path, &said);
    if (key) {
        const struct origin *o = key_origin(key, arch, said >= 0 ? said : net);
        if (o->kind == ORIGIN_FILE || o->kind == ORIGIN_COMMAND_LINE)
            return o->at;
    }
    return (struct where){arch->file, 1, NULL};
}

/* ---- when a key is used ---------------------------------------------------------------------- */

static bool text_is_among(const char *text, const char *list)
{
    size_t n = strlen(text);
    while (*list) {
        list += strspn(list, " |");
        size_t m = strcspn(list, " |");
        if (m == n && strncmp(list, text, n) == 0)
            return true;
        list += m;
    }
    return false;
}

bool key_is_used(const struct key *key, const struct arch *arch, int net)
{
    if (!key->used_if)
        return true;
    char path[64];
    size_t n = strcspn(key->used_if, " ");
    if (n >= sizeof path)
        return true;
    memcpy(path, key->used_if, n);
    path[n] = '\0';
    int said;
    const struct key *other = key_find(path, &said);
    if (!other)
        return true;
    if (!key_is_used(other, arch, net))
        return false;
    const char *op = key->used_if + n + 1;
    if (*op == '>')
        return key_number(other, arch, net) > strtod(op + 1, NULL);
    if (other->type == KEY_INT || other->type == KEY_INT64 || other->type == KEY_REAL) {
        const struct key_word *w = other->words;
        while (w && w->word && w->value != key_number(other, arch, net))
            w++;
        return w && w->word && text_is_among(w->word, op + 1);
    }
    const char *text = other->type == KEY_ENUM ? other->choices[(int)key_number(other, arch, net)]
                                               : *(const char *const *)key_value(other, arch, net);
    return text_is_among(text, op + 1);
}
