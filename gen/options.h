/* SPDX-License-Identifier: MIT
 *
 * gen/options.h: reads a command's options by its table, and prints its help from the same. */
#ifndef CW_GEN_OPTIONS_H
#define CW_GEN_OPTIONS_H

#include "gen/command.h"

bool options_parse(const struct command *cmd, int argc, char **argv, struct arena *mem,
                   struct options *out, struct err *err);
void options_help(const struct command *cmd);

#endif
