/* SPDX-License-Identifier: MIT
 *
 * `crosswatt stats`: all named numbers: of runs, and of designs before they run. */
#include <stdio.h>
#include <string.h>

#include "base/near.h"
#include "base/table.h"
#include "base/vec.h"
#include "gen/command.h"
#include "gen/out.h"
#include "gen/run/names.h"

static int run(struct app *app, const struct options *o)
{
    static const struct table_column columns[] = {
        {"name", "", -1}, {"unit", "", -1}, {"meaning", "", -1}, {"formula", "", -1}};
    const char *prefix = o->n_words ? o->words[0] : "";
    struct table *t = table_new(&app->mem, columns, 4);
    VEC(const char *) names = {0};
    size_t n;
    const struct stat_name *all = stat_names(&app->mem, &n);
    for (const struct stat_name *r = all; r < all + n; r++) {
        if (strncmp(r->name, prefix, strlen(prefix)) != 0)
            continue;
        vec_push(&app->mem, &names, r->name);
        table_row(t);
        table_text(t, r->name);
        table_text(t, r->unit);
        table_text(t, r->meaning);
        table_text(t, r->formula);
    }
    if (!names.n) {
        for (size_t i = 0; i < n; i++)
            vec_push(&app->mem, &names, all[i].name);
        err_add(&app->err, ERR_INPUT, NOWHERE, "no statistic begins with '%s'%s", prefix,
                near_hint(prefix, names.at, names.n, &app->mem));
        return EXIT_INPUT;
    }
    out_table(t, o->json, OUT_ALL_DIGITS, &app->mem);
    return EXIT_DONE;
}

const struct command cmd_stats = {
    .name = "stats",
    .args = "[PREFIX]",
    .meaning = "the named numbers of runs and of designs: name, unit, meaning, formula",
    .text = "",
    .least_words = 0,
    .most_words = 1,
    .reads_no_config = true,
    .needs_no_data = true,
    .run = run,
};
