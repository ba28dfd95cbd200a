/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "gen/cmd.h"

static int run(struct app *app, const struct options *options)
{
    (void)app;
    (void)options;
    return EXIT_DONE;
}

const struct command cmd_keys = {
    .name = "keys",
    .args = "[PREFIX]",
    .meaning = "the configuration reference, printed from the table that validates",
    .text = "",
    .least_words = 0,
    .most_words = 1,
    .run = run,
};
