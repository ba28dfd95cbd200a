/* SPDX-License-Identifier: MIT
 *
 * `crosswatt check`: is this a legal description, and what does it come to? */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/printable.h"
#include "base/table.h"
#include "gen/command.h"
#include "gen/config/keys.h"
#include "gen/config/read.h"
#include "gen/design/design.h"
#include "gen/out.h"
#include "gen/run/setup.h"

static const struct table_column columns[] = {
    {"key", "", -1}, {"value", "", -1}, {"unit", "", -1}, {"origin", "", -1}};

static void add_row(struct table *t, const char *path, const struct key *k, const struct arch *arch,
                    int net, struct arena *mem)
{
    struct buf value, origin;
    buf_init(&value, mem, 1 << 16);
    buf_init(&origin, mem, 4096);
    key_add_value(k, arch, net, &value);
    key_add_origin(key_origin(k, arch, net), &origin);
    if (!key_is_used(k, arch, net))
        buf_add(&origin, ", not used");
    table_row(t);
    table_text(t, path);
    table_text(t, value.data);
    if (k->unit[0])
        table_text(t, k->unit);
    else
        table_none(t);
    table_text(t, origin.data);
}

/* Sizes that elaboration chose take the place of "auto". */
static void take_completed(struct arch *arch, const struct design *d, struct arena *mem)
{
    struct origin(*origins)[2] = arena_array(mem, n_keys, sizeof *origins);
    struct arch before = *arch;
    memcpy(origins, arch->origins, n_keys * sizeof *origins);
    arch->origins = origins;
    arch->noc[NOC_REQUEST].params = d->request_params;
    arch->noc[NOC_REPLY].params = d->has_reply ? d->reply_params : d->request_params;
    for (const struct key *k = keys; k < keys + n_keys; k++) {
        for (int net = 0; k->per_network && net < 2; net++) {
            if (!key_equal(k, arch, net, &before, net))
                origins[k - keys][net].kind = ORIGIN_DERIVED;
        }
    }
}

/* Every key; per network where the networks differ. */
static struct table *resolved(const struct arch *arch, struct arena *mem)
{
    struct table *t = table_new(mem, columns, 4);
    for (const struct key *k = keys; k < keys + n_keys; k++) {
        bool same = !k->per_network || (key_is_used(k, arch, 0) == key_is_used(k, arch, 1) &&
                                        key_equal(k, arch, 0, arch, 1));
        if (same)
            add_row(t, k->path, k, arch, 0, mem);
        for (int net = 0; !same && net < 2; net++)
            add_row(t, arena_printf(mem, "noc.%s%s", net ? "reply" : "request", k->path + 3), k,
                    arch, net, mem);
    }
    return t;
}

static int run(struct app *app, const struct options *options)
{
    const char *file = options->words[0];
    struct arch arch;
    struct design design;
    if (!arch_read_options(app, file, options, &arch) ||
        !design_make(&arch, false, &app->mem, &design, &app->err) ||
        !sim_setup_try(&arch, app->data_dir, !options->quiet, &app->mem, &app->err))
        return exit_status_of(&app->err);
    if (option_has(options, "resolved")) {
        take_completed(&arch, &design, &app->mem);
        struct table *t = resolved(&arch, &app->mem);
        out_table(t, options->json, OUT_ALL_DIGITS, &app->mem);
    } else if (options->json) {
        json_t *j = json_object();
        json_object_set_new(j, "file", json_text(file));
        json_object_set_new(j, "ok", json_true());
        json_object_set_new(j, "warnings", json_integer((json_int_t)app->err.n_warnings));
        out_json(j, OUT_ALL_DIGITS);
    } else if (!options->quiet) {
        printf("%s: ok\n", printable_text(&app->mem, file));
    }
    return EXIT_DONE;
}

static const struct option_def options[] = {
    {"resolved", 'r', NULL, "print every key with value, unit and origin"},
    {NULL, 0, NULL, NULL},
};

const struct command cmd_check = {
    .name = "check",
    .args = "CFG",
    .meaning = "read and validate a description; say what is wrong with file and line",
    .text =
        "Also builds the networks: every source must reach every destination it may talk to,\n"
        "and no packets may wait for each other in a circle. Warns of what is legal and strange,\n"
        "not with --quiet: an L2 path under 1.5 x the DRAM, shared memory slower than the L1,\n"
        "few lanes beside the issue width, a network below 0.9 of its clock.\n",
    .options = options,
    .least_words = 1,
    .most_words = 1,
    .run = run,
};
