/* SPDX-License-Identifier: MIT */
#include "gen/explore/slurm.h"

#include "gen/command.h"

int slurm_run(struct app *app, const struct options *options)
{
    (void)options;
    err_add(&app->err, ERR_INPUT, NOWHERE, "not yet");
    return EXIT_INPUT;
}
