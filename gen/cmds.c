/* SPDX-License-Identifier: MIT */
#include "gen/cmd.h"

extern const struct command cmd_keys, cmd_power;

const struct command *const commands[] = {
    &cmd_keys,
    &cmd_power,
    NULL,
};
