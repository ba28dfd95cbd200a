/* SPDX-License-Identifier: MIT
 *
 * gen/config/settings.h: the user's own settings, crosswatt/settings.cfg in $XDG_CONFIG_HOME or
 * ~/.config: what a description from somebody else may not decide. */
#ifndef CW_GEN_CONFIG_SETTINGS_H
#define CW_GEN_CONFIG_SETTINGS_H

#include "gen/config/arch.h"

struct settings_tool {
    const char *program; /* "": not said */
    struct where at;
};

struct settings {
    const char *file; /* "" where there is no folder for it */
    bool allow_tools; /* descriptions may name programs to run */
    struct settings_tool dsent, cacti;
};

/* No file is no error. */
bool settings_read(struct arena *mem, struct settings *out, struct err *err);

/* The programs that the energies' engines run: what the user said, on the command line or in the
 * settings; what a description says only if `allow_tools` or the settings do. */
bool settings_choose_tools(struct arch *arch, bool allow_tools, struct arena *mem, struct err *err);

#endif
