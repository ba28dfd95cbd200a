/* SPDX-License-Identifier: MIT
 *
 * `crosswatt keys`: the configuration reference, from the table that validates. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/near.h"
#include "base/table.h"
#include "gen/command.h"
#include "gen/config/keys.h"
#include "gen/out.h"

static bool begins_with(const char *path, const char *prefix)
{
    size_t n = strlen(prefix);
    return strncmp(path, prefix, n) == 0 && (path[n] == '\0' || path[n] == '.' || n == 0);
}

static json_t *key_json(const struct key *k, struct arena *mem)
{
    struct buf legal, def;
    buf_init(&legal, mem, 4096);
    buf_init(&def, mem, 4096);
    key_add_legal(k, &legal);
    key_add_default(k, &def);
    json_t *o = json_object();
    json_object_set_new(o, "path", json_string(k->path));
    json_object_set_new(o, "type", json_string(key_type_text(k)));
    json_object_set_new(o, "unit", json_string(k->unit));
    json_object_set_new(o, "legal", json_string(legal.data));
    json_object_set_new(o, "default", json_string(def.data));
    json_object_set_new(o, "per_network", json_boolean(k->per_network));
    if (k->used_if)
        json_object_set_new(o, "used_if", json_string(k->used_if));
    json_object_set_new(o, "meaning", json_string(k->meaning));
    return o;
}

static void print_key(const struct key *k, struct arena *mem)
{
    struct buf b;
    buf_init(&b, mem, 8192);
    buf_printf(&b, "%s = ", k->path);
    key_add_default(k, &b);
    if (k->unit[0])
        buf_printf(&b, " %s", k->unit);
    buf_printf(&b, "\n    %s\n    ", k->meaning);
    key_add_legal(k, &b);
    if (k->used_if)
        buf_printf(&b, "; only with %s", k->used_if);
    buf_add(&b, "\n");
    fputs(b.data, stdout);
}

static int run(struct app *app, const struct options *options)
{
    const char *prefix = options->n_words ? options->words[0] : "";
    size_t found = 0;
    json_t *all = json_array();
    for (const struct key *k = keys; k < keys + n_keys; k++) {
        if (!begins_with(k->path, prefix))
            continue;
        found++;
        if (options->json)
            json_array_append_new(all, key_json(k, &app->mem));
        else
            print_key(k, &app->mem);
    }
    if (options->json && found)
        out_json(json_incref(all), OUT_ALL_DIGITS);
    json_decref(all);
    if (found)
        return EXIT_DONE;
    bool is_accepted;
    const char *now = key_renamed(prefix, &app->mem, &is_accepted);
    if (now) {
        err_add(&app->err, ERR_INPUT, NOWHERE, "%s is now %s", prefix, now);
        return EXIT_INPUT;
    }
    const char *near = key_nearest(prefix, &app->mem);
    err_add(&app->err, ERR_INPUT, NOWHERE, "no key begins with '%s'%s%s%s", prefix,
            near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    return EXIT_INPUT;
}

const struct command cmd_keys = {
    .name = "keys",
    .args = "[PREFIX]",
    .meaning = "the configuration reference, printed from the table that validates",
    .text = "With a prefix (noc, l1.mshr, noc.vcs) only the keys below it. The keys of the noc\n"
            "section can be set for one network alone: noc.request.vcs, noc.reply.vcs.\n",
    .least_words = 0,
    .most_words = 1,
    .reads_no_config = true,
    .needs_no_data = true,
    .run = run,
};
