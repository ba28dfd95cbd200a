/* SPDX-License-Identifier: MIT */
#include "gen/cmd.h"

extern const struct command cmd_keys;

const struct command *const commands[] = {
    &cmd_keys,
    NULL,
};
