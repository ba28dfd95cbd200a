/* SPDX-License-Identifier: MIT */
#include "gen/cmd.h"

extern const struct command cmd_check, cmd_cost_link, cmd_cost_router, cmd_keys, cmd_power;

const struct command *const commands[] = {
    &cmd_check,
    &cmd_cost_link,
    &cmd_cost_router,
    &cmd_keys,
    &cmd_power,
    NULL,
};
