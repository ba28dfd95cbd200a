/* SPDX-License-Identifier: MIT
 *
 * `crosswatt stats`: what the simulator reports. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/table.h"
#include "gen/cmd.h"
#include "sim/stats.h"

static int run(struct app *app, const struct options *o)
{
    static const struct table_column columns[] = {
        {"name", "", -1}, {"unit", "", -1}, {"meaning", "", -1}, {"formula", "", -1}};
    const char *prefix = o->n_words ? o->words[0] : "";
    struct table *t = table_new(&app->mem, columns, 4);
    for (const struct stat_row *r = stat_rows; r->name; r++) {
        if (strncmp(r->name, prefix, strlen(prefix)) != 0)
            continue;
        table_row(t);
        table_text(t, r->name);
        table_text(t, r->unit);
        table_text(t, r->meaning);
        table_text(t, r->formula);
    }
    if (o->json) {
        json_t *j = table_json(t);
        json_dumpf(j, stdout, JSON_INDENT(1));
        putchar('\n');
        json_decref(j);
    } else {
        struct buf b;
        buf_init(&b, &app->mem, BUF_NO_MAX);
        table_write_text(t, &b);
        fputs(b.data, stdout);
    }
    return EXIT_DONE;
}

const struct command cmd_stats = {
    .name = "stats",
    .args = "[PREFIX]",
    .meaning = "the statistics of the simulator: name, unit, meaning, formula",
    .text = "",
    .least_words = 0,
    .most_words = 1,
    .reads_no_config = true,
    .run = run,
};
