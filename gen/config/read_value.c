/* SPDX-License-Identifier: MIT */
#include "gen/config/read_value.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/near.h"
#include "base/units.h"
#include "base/vec.h"
#include "gen/config/setting.h"

static const char *legal(const struct key *key, struct arena *mem)
{
    struct buf b;
    buf_init(&b, mem, 4096);
    key_add_legal(key, &b);
    return b.data;
}

static const char *number_text(double v, struct arena *mem)
{
    struct buf b;
    buf_init(&b, mem, 64);
    buf_add_double(&b, v);
    return b.data;
}

static bool wrong_type(const struct key *key, const char *found, struct where at, struct arena *mem,
                       struct err *err)
{
    bool is_number = key->type == KEY_INT || key->type == KEY_INT64 || key->type == KEY_REAL;
    return err_add(err, ERR_INPUT, at, "expected %s%s (%s), found %s",
                   key->type == KEY_BOOL ? "" : "a ", key_type_text(key),
                   is_number && key->unit[0]
                       ? arena_printf(mem, "%s; in %s, or text such as \"%g %s\"", legal(key, mem),
                                      key->unit, fmax(key->lo, 1), key->unit)
                       : legal(key, mem),
                   found);
}

/* ---- storing --------------------------------------------------------------------------------- */

static void set_origin(const struct key *key, int net, struct where at, struct arch *arch)
{
    bool is_set = at.file && strcmp(at.file, "command line") == 0;
    bool is_top = is_set || (at.file && arch->file && strcmp(at.file, arch->file) == 0);
    for (int n = 0; n < 2; n++) {
        if (net == KEY_ALL_NETS || n == net || !key->per_network)
            arch->origins[key - keys][n] =
                (struct origin){is_set ? ORIGIN_COMMAND_LINE : ORIGIN_FILE, at, is_top, false};
    }
}

static void store(const struct key *key, int net, const void *value, size_t size, struct where at,
                  struct arch *arch)
{
    for (int n = 0; n < (key->per_network ? 2 : 1); n++) {
        if (net == KEY_ALL_NETS || n == net)
            memcpy(key_place(key, arch, n), value, size);
    }
    set_origin(key, net, at, arch);
}

static bool store_number(const struct key *key, int net, double v, const char *as_written,
                         bool is_word, struct where at, struct arena *mem, struct arch *arch,
                         struct err *err)
{
    if (!is_word && !(v >= key->lo && v <= key->hi))
        return err_add(err, ERR_INPUT, at, "%s is not in %s", as_written, legal(key, mem));
    if (key->type == KEY_REAL) {
        store(key, net, &v, sizeof v, at, arch);
    } else if (v != floor(v)) {
        return err_add(err, ERR_INPUT, at, "%s is not a whole number%s%s", as_written,
                       key->unit[0] ? " of " : "", key->unit);
    } else if (key->type == KEY_INT) {
        uint32_t i = (uint32_t)v;
        store(key, net, &i, sizeof i, at, arch);
    } else {
        uint64_t i = (uint64_t)v;
        store(key, net, &i, sizeof i, at, arch);
    }
    return true;
}

/* "48 KB", "1.4 GHz", "auto". */
static bool store_number_text(const struct key *key, int net, const char *text, struct where at,
                              struct arena *mem, struct arch *arch, struct err *err)
{
    for (const struct key_word *w = key->words; w && w->word; w++) {
        if (strcmp(w->word, text) == 0)
            return store_number(key, net, w->value, text, true, at, mem, arch, err);
    }
    double v;
    if (units_parse(text, key->unit, &v))
        return store_number(key, net, v, text, false, at, mem, arch, err);
    return wrong_type(key, arena_printf(mem, "\"%s\"", text), at, mem, err);
}

static bool store_name(const struct key *key, int net, const char *text, struct where at,
                       struct arena *mem, struct arch *arch, struct err *err)
{
    size_t n = 0;
    for (; key->choices[n]; n++) {
        if (strcmp(key->choices[n], text) != 0)
            continue;
        if (key->type == KEY_ENUM) {
            int i = (int)n;
            store(key, net, &i, sizeof i, at, arch);
        } else {
            store(key, net, &key->choices[n], sizeof key->choices[n], at, arch);
        }
        return true;
    }
    const char *now = key_value_renamed(key->path, text);
    if (now)
        return err_add(err, ERR_INPUT, at, "\"%s\" is called \"%s\" now", text, now);
    const char *near = strlen(text) < 100 ? near_best(text, key->choices, n) : NULL;
    return err_add(err, ERR_INPUT, at, "\"%s\" is not one of %s%s%s%s", text, legal(key, mem),
                   near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

static bool store_bool(const struct key *key, int net, bool value, struct where at,
                       struct arch *arch)
{
    store(key, net, &value, sizeof value, at, arch);
    return true;
}

static bool store_string(const struct key *key, int net, const char *text, struct where at,
                         struct arena *mem, struct arch *arch, struct err *err)
{
    switch (key->type) {
    case KEY_INT:
    case KEY_INT64:
    case KEY_REAL: return store_number_text(key, net, text, at, mem, arch, err);
    case KEY_NAME:
    case KEY_ENUM: return store_name(key, net, text, at, mem, arch, err);
    case KEY_TEXT: {
        const char *copy = arena_strdup(mem, text);
        store(key, net, &copy, sizeof copy, at, arch);
        return true;
    }
    case KEY_BOOL:
    case KEY_INTS:
    case KEY_LIST: break;
    }
    return wrong_type(key, arena_printf(mem, "\"%s\"", text), at, mem, err);
}

/* ---- from libconfig -------------------------------------------------------------------------- */

static bool store_ints(const struct key *key, int net, const config_setting_t *s, struct where at,
                       struct arena *mem, struct arch *arch, struct err *err)
{
    if (!config_setting_is_array(s) && !config_setting_is_list(s))
        return wrong_type(key, setting_type_name(s), at, mem, err);
    uint32_t n = (uint32_t)config_setting_length(s);
    int64_t *list = arena_many(mem, int64_t, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        const config_setting_t *e = config_setting_get_elem(s, i);
        if (!setting_is_number(e) || config_setting_type(e) == CONFIG_TYPE_FLOAT)
            return err_add(err, ERR_INPUT, at,
                           "expected whole numbers in [ ] or ( ), found %s as number %u",
                           setting_type_name(e), i + 1);
        list[i] = config_setting_get_int64(e);
        if ((double)list[i] < key->lo || (double)list[i] > key->hi)
            return err_add(err, ERR_INPUT, at, "%lld is not in %s", (long long)list[i],
                           legal(key, mem));
    }
    for (int i = 0; i < 2; i++) {
        if (net == KEY_ALL_NETS || i == net)
            memcpy((char *)arch + key->count_offset + (i ? sizeof(struct arch_net) : 0), &n,
                   sizeof n);
    }
    store(key, net, &list, sizeof list, at, arch);
    return true;
}

bool read_value(const struct key *key, int net, const config_setting_t *s, struct where at,
                struct arena *mem, struct arch *arch, struct err *err)
{
    if (key->type == KEY_LIST) {
        if (!config_setting_is_list(s))
            return wrong_type(key, setting_type_name(s), at, mem, err);
        if (!read_custom_list(key, net, s, at, mem, arch, err))
            return false;
        set_origin(key, net, at, arch);
        return true;
    }
    if (key->type == KEY_INTS)
        return store_ints(key, net, s, at, mem, arch, err);
    if (config_setting_type(s) == CONFIG_TYPE_STRING) {
        const char *text = config_setting_get_string(s);
        return store_string(key, net, text ? text : "", at, mem, arch, err);
    }
    bool wants_number = key->type == KEY_INT || key->type == KEY_INT64 || key->type == KEY_REAL;
    if (wants_number && setting_is_number(s)) {
        double v = setting_number(s);
        if (key->type != KEY_REAL && config_setting_type(s) == CONFIG_TYPE_FLOAT)
            return wrong_type(
                key, arena_printf(mem, "%s%s", number_text(v, mem), v == floor(v) ? ".0" : ""), at,
                mem, err);
        return store_number(key, net, v, number_text(v, mem), false, at, mem, arch, err);
    }
    if (key->type == KEY_BOOL && config_setting_type(s) == CONFIG_TYPE_BOOL)
        return store_bool(key, net, config_setting_get_bool(s) != 0, at, arch);
    return wrong_type(key, setting_type_name(s), at, mem, err);
}

/* ---- from --set ------------------------------------------------------------------------------ */

static bool text_ints(const struct key *key, int net, const char *text, struct where at,
                      struct arena *mem, struct arch *arch, struct err *err)
{
    config_t cfg;
    struct err inner;
    err_init(&inner);
    const char *line = arena_printf(mem, "x = %s;", text);
    bool ok = setting_parse(NULL, line, mem, &cfg, &inner);
    if (ok)
        ok = store_ints(key, net, config_lookup(&cfg, "x"), at, mem, arch, err);
    else
        ok = err_add(err, ERR_INPUT, at, "expected a list such as [1, 2], found '%s': %s", text,
                     inner.first->text);
    config_destroy(&cfg);
    err_free(&inner);
    return ok;
}

bool read_text_value(const struct key *key, int net, const char *text, struct where at,
                     struct arena *mem, struct arch *arch, struct err *err)
{
    size_t n = strlen(text);
    if (n >= 2 && text[0] == '"' && text[n - 1] == '"')
        return store_string(key, net, arena_strndup(mem, text + 1, n - 2), at, mem, arch, err);
    switch (key->type) {
    case KEY_BOOL:
        if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)
            return store_bool(key, net, text[0] == 't', at, arch);
        return wrong_type(key, arena_printf(mem, "'%s'", text), at, mem, err);
    case KEY_INTS: return text_ints(key, net, text, at, mem, arch, err);
    case KEY_LIST:
        return err_add(err, ERR_INPUT, at, "a list of groups can only be given in a file");
    case KEY_INT:
    case KEY_INT64:
    case KEY_REAL:
    case KEY_NAME:
    case KEY_ENUM:
    case KEY_TEXT: break;
    }
    return store_string(key, net, text, at, mem, arch, err);
}
