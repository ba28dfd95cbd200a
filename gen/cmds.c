/* SPDX-License-Identifier: MIT */
#include "gen/cmd.h"

extern const struct command cmd_check, cmd_cost_cell, cmd_cost_link, cmd_cost_network,
    cmd_cost_router, cmd_keys, cmd_power;
extern const struct command cmd_cost_array;

const struct command *const commands[] = {
    &cmd_check,       &cmd_cost_array, &cmd_cost_cell, &cmd_cost_link, &cmd_cost_network,
    &cmd_cost_router, &cmd_keys,       &cmd_power,     NULL,
};
