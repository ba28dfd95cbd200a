/* SPDX-License-Identifier: MIT */
#include "gen/config/read.h"

#include <libconfig.h>
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/map.h"
#include "base/vec.h"
#include "gen/command.h"
#include "gen/config/dram_kind.h"
#include "gen/config/keys.h"
#include "gen/config/read_value.h"
#include "gen/config/scan.h"
#include "gen/config/setting.h"
#include "gen/config/settings.h"
#include "gen/config/tiles.h"
#include "sim/cta/order_file.h"

#define DEEPEST_BASE 16
#define MOST_FILES 100 /* bases and included files, each time they are read */
#define DEEPEST_GROUP 32

struct reader {
    const struct read_request *request;
    struct arena *mem;
    struct arch *arch;
    struct err *err;
    const char *chain[DEEPEST_BASE]; /* files being read, for cycles */
    int n_chain;
    const char *file; /* the one whose settings are walked */
    unsigned n_files; /* read so far */
    uint64_t n_names; /* in the largest groups of the file at hand and of those it includes */
};

static bool read_one(struct reader *r, const char *file, const char *text, struct where said_at);

/* ---- walking the tree ------------------------------------------------------------------------ */

static struct where where_of(const struct reader *r, const config_setting_t *s, const char *path)
{
    const char *file = config_setting_source_file(s);
    return (struct where){file ? setting_included(r->file, file, r->mem) : r->file,
                          (int)config_setting_source_line(s), path};
}

static bool unknown_key(struct reader *r, struct where at, const char *path)
{
    bool is_accepted;
    const char *now = key_renamed(path, r->mem, &is_accepted);
    if (now)
        return err_add(r->err, ERR_INPUT, at, "%s is now %s", path, now);
    const char *near = key_nearest(path, r->mem);
    if (near)
        return err_add(r->err, ERR_INPUT, at, "unknown key '%s'; did you mean '%s'?", path, near);
    return err_add(r->err, ERR_INPUT, at, "unknown key '%s'; see 'crosswatt keys'", path);
}

/* The key of a path, also of an old one that is still accepted; `*path` is then the new one. */
static const struct key *find_key(struct reader *r, struct where at, const char **path, int *net)
{
    const struct key *key = key_find(*path, net);
    bool is_accepted = false;
    const char *now = key ? NULL : key_renamed(*path, r->mem, &is_accepted);
    if (!now || !is_accepted)
        return key;
    err_note(r->err, at, "%s is now %s; the old name will go", *path, now);
    *path = now;
    return key_find(now, net);
}

/* One network's keys are read after those for both, so that within a file the special wins. */
static bool is_net_group(const char *path)
{
    return strcmp(path, "noc.request") == 0 || strcmp(path, "noc.reply") == 0;
}

/* Contradictions with a value that could not be read are no news. */
static bool mark_bad(struct arch *arch, const struct key *key)
{
    arch->origins[key - keys][0].is_bad = arch->origins[key - keys][1].is_bad = true;
    return false;
}

static bool walk(struct reader *r, const config_setting_t *group, const char *prefix, int depth)
{
    bool ok = true;
    if (depth > DEEPEST_GROUP)
        return err_add(r->err, ERR_INPUT, where_of(r, group, NULL), "groups are nested too deeply");
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < config_setting_length(group); i++) {
            const config_setting_t *s = config_setting_get_elem(group, (unsigned)i);
            const char *name = config_setting_name(s);
            const char *path = prefix[0] ? arena_printf(r->mem, "%s.%s", prefix, name) : name;
            if (is_net_group(path) != (pass == 1) || strcmp(path, "base") == 0)
                continue;
            int net;
            const struct key *key = find_key(r, where_of(r, s, NULL), &path, &net);
            if (key && !read_value(key, net, s, where_of(r, s, arena_strdup(r->mem, path)), r->mem,
                                   r->arch, r->err))
                ok = mark_bad(r->arch, key);
            else if (key)
                continue;
            else if (config_setting_is_group(s) &&
                     (key_is_group(path) || config_setting_length(s) > 0))
                ok &= walk(r, s, path, depth + 1);
            else if (key_is_group(path))
                ok = err_add(r->err, ERR_INPUT, where_of(r, s, NULL),
                             "'%s' is a group of keys, found %s", path, setting_type_name(s));
            else
                ok = unknown_key(r, where_of(r, s, NULL), path);
        }
    }
    return ok;
}

/* ---- files ----------------------------------------------------------------------------------- */

static bool too_many_files(struct reader *r, struct where at)
{
    if (r->n_files > MOST_FILES + 1) /* said once */
        return false;
    return err_add(r->err, ERR_INPUT, at, "more than %d files are read for one description",
                   MOST_FILES);
}

/* Lines before the first word only move what follows. */
static void note_source(struct reader *r, const char *text)
{
    text += strspn(text, " \t\r\n");
    r->arch->sources = map_hash_bytes(text, strlen(text), r->arch->sources + 1);
}

/* Included files are found beside the file named first, as include_dir says, and must pass the scan
 * too. */
static bool scan_all(struct reader *r, const char *file, const char *text, const char *dir,
                     int depth)
{
    struct scan scan;
    bool ok = scan_text(file, text, r->mem, &scan, r->err);
    r->n_names += scan.most_names; /* a file may be included into the group of another */
    if (ok && r->n_names * r->n_names / 2 > SCAN_MOST_WORK)
        return err_add(r->err, ERR_INPUT, AT_FILE(file),
                       "too many settings with those it includes");
    for (unsigned i = 0; i < scan.n_includes; i++) {
        struct where at = AT_LINE(file, scan.includes[i].line);
        const char *path = scan.includes[i].path;
        if (r->request->no_files) {
            ok = err_add(r->err, ERR_INPUT, at, "no files may be included here");
        } else if (path[0] == '/') {
            ok = err_add(r->err, ERR_INPUT, at,
                         "'%s': included files are named relative to '%s'; use 'base' for others",
                         path, dir);
        } else if (depth >= 10) {
            ok = err_add(r->err, ERR_INPUT, at, "files are included too deeply");
        } else if (r->n_files++ >= MOST_FILES) {
            return too_many_files(r, at);
        } else {
            struct err inner;
            const char *more;
            const char *full = path_join(r->mem, dir, path);
            err_init(&inner);
            if (setting_text(full, r->mem, &more, &inner)) {
                note_source(r, more);
                ok &= scan_all(r, full, more, dir, depth + 1);
            } else
                ok = err_add(r->err, ERR_INPUT, at, "cannot include '%s' (looked for '%s')", path,
                             full);
            err_free(&inner);
        }
    }
    return ok;
}

/* Says all places where it was looked for. */
static bool not_there(struct reader *r, const char *name, const char *dir, struct where at)
{
    const char *shared = r->request->data_dir;
    const char *here = strcmp(dir, ".") == 0 ? "the working folder" : dir;
    if (name[0] == '/')
        return err_add(r->err, ERR_INPUT, at, "there is no file '%s'", name);
    if (name[0] == '.' || !shared || strcmp(shared, dir) == 0)
        return err_add(r->err, ERR_INPUT, at, "there is no file '%s' in %s", name, here);
    return err_add(r->err, ERR_INPUT, at, "there is no file '%s' in %s or %s", name, here, shared);
}

static bool read_base(struct reader *r, const config_setting_t *s)
{
    struct where at = where_of(r, s, "base");
    if (config_setting_type(s) != CONFIG_TYPE_STRING)
        return err_add(r->err, ERR_INPUT, at,
                       "expected a file name, or several in [ ] or ( ), found %s",
                       setting_type_name(s));
    if (r->request->no_files)
        return err_add(r->err, ERR_INPUT, at, "no other files may be used here");
    const char *name = config_setting_get_string(s), *dir = path_dir(r->mem, r->file);
    const char *path = path_find(r->mem, dir, name, r->request->data_dir);
    const char *file = r->file;
    if (!file_exists(path))
        return not_there(r, name, dir, at);
    bool ok = read_one(r, path, NULL, at);
    r->file = file;
    return ok;
}

/* A file named again says all of its keys again: only the last time counts. */
static bool is_named_again(const config_setting_t *list, int i)
{
    const config_setting_t *s = config_setting_get_elem(list, (unsigned)i);
    for (int k = i + 1; k < config_setting_length(list) && k <= MOST_FILES; k++) {
        const config_setting_t *later = config_setting_get_elem(list, (unsigned)k);
        if (config_setting_type(s) == CONFIG_TYPE_STRING &&
            config_setting_type(later) == CONFIG_TYPE_STRING &&
            strcmp(config_setting_get_string(s), config_setting_get_string(later)) == 0)
            return true;
    }
    return false;
}

static bool read_bases(struct reader *r, const config_setting_t *root)
{
    const config_setting_t *base = config_setting_get_member(root, "base");
    if (!base)
        return true;
    if (!config_setting_is_array(base) && !config_setting_is_list(base))
        return read_base(r, base);
    bool ok = true;
    for (int i = 0; i < config_setting_length(base) && r->n_files <= MOST_FILES; i++) {
        if (!is_named_again(base, i))
            ok &= read_base(r, config_setting_get_elem(base, (unsigned)i));
    }
    return ok;
}

static bool load_text(struct reader *r, const char *file, struct where said_at, const char **text)
{
    struct err inner;
    err_init(&inner);
    bool ok = setting_text(file, r->mem, text, &inner);
    if (!ok) {
        const char *why = inner.first->text;
        if (said_at.file)
            err_add(r->err, ERR_INPUT, said_at, "'%s': %s", file, why);
        else
            err_add(r->err, ERR_INPUT, AT_FILE(file), "%s", why);
    }
    err_free(&inner);
    return ok;
}

static bool read_one(struct reader *r, const char *file, const char *text, struct where said_at)
{
    for (int i = 0; i < r->n_chain; i++) {
        if (strcmp(r->chain[i], file) == 0)
            return err_add(r->err, ERR_INPUT, said_at, "'%s' is based on itself", file);
    }
    if (r->n_chain == DEEPEST_BASE)
        return err_add(r->err, ERR_INPUT, said_at, "more than %d files are based on each other",
                       DEEPEST_BASE);
    if (r->n_files++ >= MOST_FILES)
        return too_many_files(r, said_at);
    if (!text && !load_text(r, file, said_at, &text))
        return false;
    note_source(r, text);
    r->chain[r->n_chain++] = file;
    r->file = file;

    config_t cfg;
    config_init(&cfg);
    const char *dir = path_dir(r->mem, file);
    config_set_include_dir(&cfg, dir);
    r->n_names = 0;
    struct err_entry *before = r->err->last;
    bool ok = scan_all(r, file, text, dir, 0) || err_is_foreign(r->err, before);
    if (ok && config_read_string(&cfg, text) != CONFIG_TRUE)
        ok = setting_parse_error(&cfg, file, r->err);
    if (ok) {
        const config_setting_t *root = config_root_setting(&cfg);
        ok = read_bases(r, root);
        r->file = file;
        const config_setting_t *kind = config_setting_lookup((config_setting_t *)root, "dram.kind");
        if (kind && config_setting_type(kind) == CONFIG_TYPE_STRING)
            dram_kind_forget(r->arch, config_setting_get_string(kind));
        ok &= walk(r, root, "", 0);
    }
    config_destroy(&cfg);
    r->n_chain--;
    return ok;
}

/* ---- the command line ------------------------------------------------------------------------ */

const struct key *arch_split_set(const char *set, struct arena *mem, const char **path, int *net,
                                 const char **value, struct err *err)
{
    struct reader r = {.mem = mem, .err = err};
    const char *equals = strchr(set, '=');
    struct where at = {"command line", 0, NULL};
    if (!equals) {
        err_add(err, ERR_INPUT, at, "--set %s: expected KEY=VALUE", set);
        return NULL;
    }
    size_t n = (size_t)(equals - set);
    while (n && set[n - 1] == ' ')
        n--;
    *path = arena_strndup(mem, set, n);
    *value = equals + 1 + strspn(equals + 1, " ");
    const struct key *key = find_key(&r, at, path, net);
    if (!key)
        unknown_key(&r, at, *path);
    return key;
}

static bool read_set(struct reader *r, const char *set)
{
    const char *path, *value;
    int net;
    const struct key *key = arch_split_set(set, r->mem, &path, &net, &value, r->err);
    struct where at = {"command line", 0, path};
    return key && (read_text_value(key, net, value, at, r->mem, r->arch, r->err) ||
                   mark_bad(r->arch, key));
}

bool arch_draft(const struct read_request *request, struct arena *mem, struct arch *out,
                struct err *err)
{
    const char *file =
        request->text ? request->file : path_find(mem, ".", request->file, request->data_dir);
    struct arch arch = {.file = request->said_in ? request->said_in : file, .variant = ""};
    arch.origins = arena_array(mem, n_keys, sizeof *arch.origins);
    keys_set_defaults(&arch);
    arch.tech.data_dir = request->data_dir;

    struct reader r = {.request = request, .mem = mem, .arch = &arch, .err = err};
    bool ok = request->text || file_exists(file) ? read_one(&r, file, request->text, NOWHERE)
                                                 : not_there(&r, request->file, ".", NOWHERE);
    *out = arch;
    return ok;
}

/* A copy that may be changed: values are plain or point to what nobody changes. */
static void copy_arch(const struct arch *from, struct arena *mem, struct arch *out)
{
    *out = *from;
    out->origins = arena_array(mem, n_keys, sizeof *out->origins);
    memcpy(out->origins, from->origins, n_keys * sizeof *out->origins);
}

/* Which sets have an effect, with all of them in force. What cannot be read has one: an error. */
static void find_effects(const struct arch *draft, const struct read_request *q, struct arena *mem,
                         bool *has_effect)
{
    struct arch all;
    struct err ignored;
    struct reader r = {.request = q, .mem = mem, .arch = &all, .err = &ignored};
    err_init(&ignored);
    copy_arch(draft, mem, &all);
    for (size_t i = 0; i < q->n_sets; i++)
        has_effect[i] = !read_set(&r, q->sets[i]);
    for (size_t i = 0; i < q->n_sets; i++) {
        const char *path, *value;
        int net;
        const struct key *key = arch_split_set(q->sets[i], mem, &path, &net, &value, &ignored);
        if (key && !has_effect[i])
            has_effect[i] =
                key_is_used(key, &all, net == KEY_ALL_NETS ? NOC_REQUEST : net) ||
                (key->per_network && net == KEY_ALL_NETS && key_is_used(key, &all, NOC_REPLY));
    }
    err_free(&ignored);
}

/* The order of CTAs that a file says must be one before there is a kernel to judge it by. */
static bool read_order(struct arch *arch, const char *data_dir, struct arena *mem, struct err *err)
{
    const struct cta_clustering_params *p = &arch->cta.clustering;
    if (p->mode == CTA_CLUSTERING_off || p->index != CTA_INDEX_file)
        return true;
    struct arena scratch;
    arena_init(&scratch, NULL, NULL);
    arch->order_file = arch_named_file(arch, "cta.clustering.order", p->order, data_dir, mem);
    bool ok = cta_order_file_read(arch->order_file, &scratch, err) != NULL;
    arch->sources = ok ? file_hash(arch->order_file, arch->sources) : arch->sources;
    arena_free(&scratch);
    return ok;
}

bool arch_finish(const struct arch *draft, const struct read_request *request, struct arena *mem,
                 struct arch *out, struct err *err)
{
    struct arch arch;
    struct reader r = {.request = request, .mem = mem, .arch = &arch, .err = err};
    bool ok = true;
    if (request->has_effect)
        find_effects(draft, request, mem, request->has_effect);
    copy_arch(draft, mem, &arch);
    for (size_t i = 0; i < request->n_sets; i++)
        if (strncmp(request->sets[i], "dram.kind=", 10) == 0)
            dram_kind_forget(&arch, request->sets[i] + 10);
    for (size_t i = 0; i < request->n_sets; i++)
        ok &= (request->has_effect && !request->has_effect[i]) || read_set(&r, request->sets[i]);
    ok &= dram_kind_complete(&arch, request->data_dir, !request->no_files, mem, err);
    ok &= arch_complete(&arch, err);
    ok = ok && (request->no_files || settings_choose_tools(&arch, request->allow_tools, mem, err));
    ok = ok && tiles_complete(&arch, request->data_dir, mem, err);
    ok = ok && (request->no_files || read_order(&arch, request->data_dir, mem, err));
    if (ok)
        *out = arch;
    return ok;
}

bool arch_read(const struct read_request *request, struct arena *mem, struct arch *out,
               struct err *err)
{
    struct arch draft, arch;
    bool ok = arch_draft(request, mem, &draft, err);
    ok &= arch_finish(&draft, request, mem, &arch, err);
    if (ok)
        *out = arch;
    return ok;
}

bool arch_read_options(struct app *app, const char *file, const struct options *options,
                       struct arch *out)
{
    VEC(const char *) sets = {0};
    for (size_t i = 0; i < options->n_values; i++) {
        if (strcmp(options->values[i].name, "set") == 0)
            vec_push(&app->mem, &sets, options->values[i].value);
    }
    struct read_request request = {.file = file,
                                   .sets = sets.at,
                                   .n_sets = sets.n,
                                   .data_dir = app->data_dir,
                                   .allow_tools = option_has(options, "allow-tools")};
    return arch_read(&request, &app->mem, out, &app->err);
}
