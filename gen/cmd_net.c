/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "base/buf.h"
#include "base/file.h"
#include "gen/booksim.h"
#include "gen/booksim_csv.h"
#include "gen/cmd.h"

static int run_table(struct app *app, const struct options *o)
{
    struct buf out, packets;
    long long threads = 0, seeds = 1, shuffle = 0;
    buf_init(&out, &app->mem, BUF_NO_MAX);
    buf_init(&packets, &app->mem, BUF_NO_MAX);
    if (!option_int(o, "jobs", 0, 1024, &threads, &app->err) ||
        !option_int(o, "seeds", 1, 1000, &seeds, &app->err) ||
        !option_int(o, "shuffle", 0, 1ll << 60, &shuffle, &app->err))
        return EXIT_INPUT;
    const char *file = option_get(o, "packets");
    struct bs_csv_options options = {.threads = (unsigned)threads,
                                     .verify = option_has(o, "verify"),
                                     .general = option_has(o, "general"),
                                     .shuffle = (uint64_t)shuffle,
                                     .seeds = seeds,
                                     .packets = file ? &packets : NULL};
    if (!bs_csv_run(option_get(o, "booksim-csv"), &options, &app->mem, &out, &app->err))
        return exit_status_of(&app->err);
    if (file && !file_write(file, packets.data, packets.len, &app->err))
        return EXIT_MACHINE;
    fwrite(out.data, 1, out.len, stdout);
    return EXIT_DONE;
}

static int run(struct app *app, const struct options *o)
{
    if (option_get(o, "booksim-csv"))
        return run_table(app, o);
    return EXIT_INPUT;
}

static const struct option_def options[] = {
    {"booksim-csv", 0, "F", "run every row of a table of BookSim2 runs"},
    {"packets", 0, "F", "write one line per packet"},
    {"jobs", 'j', "N", "threads; 0: as many as there are cores"},
    {"seeds", 0, "N", "each row as the mean of N seeds"},
    {"verify", 0, NULL, "check every invariant every cycle"},
    {"general", 0, NULL, "evaluate routers by the general method"},
    {"shuffle", 0, "SEED", "visit routers in a shuffled order (changes no result)"},
    {NULL, 0, NULL, NULL},
};

const struct command cmd_net = {
    .name = "net",
    .args = "CFG",
    .meaning = "network simulation alone: latency and throughput at a load or over a sweep",
    .text = "",
    .options = options,
    .least_words = 0,
    .most_words = 64,
    .run = run,
};
