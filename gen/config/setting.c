/* SPDX-License-Identifier: MIT */
#include "gen/config/setting.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "gen/config/scan.h"

#define MOST_BYTES ((size_t)16 << 20)

bool setting_text(const char *file, struct arena *mem, const char **text, struct err *err)
{
    char *data;
    size_t n;
    if (!file_read(file, MOST_BYTES, mem, &data, &n, err))
        return false;
    if (strlen(data) != n)
        return err_add(err, ERR_INPUT, AT_FILE(file), "contains a zero byte: not a text file");
    *text = strncmp(data, "\xef\xbb\xbf", 3) == 0 ? data + 3 : data;
    return true;
}

/* Some versions of libconfig say it as it was opened, some as it is written. */
const char *setting_included(const char *by, const char *name, struct arena *mem)
{
    const char *dir = path_dir(mem, by);
    size_t n = strlen(dir);
    bool has_dir = strncmp(name, dir, n) == 0 && name[n] == '/';
    return path_join(mem, has_dir ? "." : dir, name);
}

bool setting_parse_error(const config_t *cfg, const char *file, struct err *err)
{
    const char *in = config_error_file(cfg), *text = config_error_text(cfg), *hint = "";
    text = text ? text : "cannot be read";
    if (strstr(text, "mismatched element"))
        hint = "; words, whole numbers and numbers with a fraction mix only in a list ( … )";
    else if (strstr(text, "duplicate"))
        hint = "; to override another file's key use 'base'";
    else if (strstr(text, "memory exhausted")) /* its parser's stack, not the machine's memory */
        text = "groups or lists are nested too deeply";
    struct err_entry *before = err->last;
    struct arena mem;
    arena_init(&mem, NULL, NULL);
    err_add(err, ERR_INPUT,
            AT_LINE(in && file ? setting_included(file, in, &mem) : file, config_error_line(cfg)),
            "%s%s", text, hint);
    arena_free(&mem);
    return err_is_foreign(err, before);
}

bool setting_parse(const char *file, const char *text, struct arena *mem, config_t *cfg,
                   struct err *err)
{
    struct scan scan;
    struct err_entry *before = err->last;
    config_init(cfg);
    if (!scan_text(file, text, mem, &scan, err))
        return err_is_foreign(err, before);
    if (scan.n_includes)
        return err_add(err, ERR_INPUT, AT_LINE(file, scan.includes[0].line),
                       "this kind of file cannot include others");
    return config_read_string(cfg, text) == CONFIG_TRUE || setting_parse_error(cfg, file, err);
}

bool setting_read(const char *file, struct arena *mem, config_t *cfg, struct err *err)
{
    const char *text = NULL;
    if (setting_text(file, mem, &text, err))
        return setting_parse(file, text, mem, cfg, err);
    config_init(cfg);
    return false;
}

const char *setting_type_name(const config_setting_t *s)
{
    switch (config_setting_type(s)) {
    case CONFIG_TYPE_GROUP: return "a group";
    case CONFIG_TYPE_INT:
    case CONFIG_TYPE_INT64: return "a whole number";
    case CONFIG_TYPE_FLOAT: return "a number with a fraction";
    case CONFIG_TYPE_STRING: return "text";
    case CONFIG_TYPE_BOOL: return "true or false";
    case CONFIG_TYPE_ARRAY: return "an array";
    case CONFIG_TYPE_LIST: return "a list";
    }
    return "nothing";
}

void setting_add_text(struct buf *out, const char *text)
{
    buf_putc(out, '"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            buf_putc(out, '\\');
        buf_putc(out, *text);
    }
    buf_putc(out, '"');
}

const char *setting_path(const config_setting_t *s, struct arena *mem)
{
    const config_setting_t *above = config_setting_parent(s);
    if (!above)
        return "";
    const char *before = setting_path(above, mem), *name = config_setting_name(s);
    if (!name)
        return arena_printf(mem, "%s[%d]", before, config_setting_index(s));
    return arena_printf(mem, "%s%s%s", before, before[0] ? "." : "", name);
}

bool setting_is_number(const config_setting_t *s)
{
    int t = config_setting_type(s);
    return t == CONFIG_TYPE_INT || t == CONFIG_TYPE_INT64 || t == CONFIG_TYPE_FLOAT;
}

double setting_number(const config_setting_t *s)
{
    if (config_setting_type(s) == CONFIG_TYPE_FLOAT)
        return config_setting_get_float(s);
    return (double)config_setting_get_int64(s);
}

bool setting_has_source(const config_setting_t *root)
{
    const char *source = NULL;
    const config_setting_t *spread = config_setting_get_member(root, "spread");
    return config_setting_lookup_string(root, "source", &source) && source[0] && spread &&
           setting_is_number(spread) && setting_number(spread) > 0 && setting_number(spread) <= 1;
}
