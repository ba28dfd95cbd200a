/* SPDX-License-Identifier: MIT
 *
 * gen/config/read_value.h: one libconfig setting -> one value of the arch; used by
 * gen/config/read.c only. */
#ifndef CW_GEN_CONFIG_READ_VALUE_H
#define CW_GEN_CONFIG_READ_VALUE_H

#include <libconfig.h>

#include "gen/config/arch.h"
#include "gen/config/keys.h"

/* Reads `s` as `key` and stores it for `net` (KEY_ALL_NETS: both). */
bool read_value(const struct key *key, int net, const config_setting_t *s, struct where at,
                struct arena *mem, struct arch *arch, struct err *err);
/* The same from the text of --set. */
bool read_text_value(const struct key *key, int net, const char *text, struct where at,
                     struct arena *mem, struct arch *arch, struct err *err);

/* The lists of custom networks (gen/config/read_custom.c). */
bool read_custom_list(const struct key *key, int net, const config_setting_t *s, struct where at,
                      struct arena *mem, struct arch *arch, struct err *err);

#endif
