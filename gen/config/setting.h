/* SPDX-License-Identifier: MIT
 *
 * gen/config/setting.h: libconfig files and their settings, read so that nothing is lost in
 * silence: the text is checked and scanned (gen/config/scan.h) before libconfig sees it, what
 * libconfig complains of is said with line and in our words, and no getter of another type than the
 * setting's is called, since libconfig answers those with 0. Every reader of such files goes
 * through here. */
#ifndef CW_GEN_CONFIG_SETTING_H
#define CW_GEN_CONFIG_SETTING_H

#include <libconfig.h>
#include <stdbool.h>

struct arena;
struct buf;
struct err;

/* The text of a file: no zero byte, and without the byte order mark that some editors write. */
bool setting_text(const char *file, struct arena *mem, const char **text, struct err *err);

/* Parses a text that may include no other file. `cfg` is initialised in any case and for the caller
 * to destroy. */
bool setting_parse(const char *file, const char *text, struct arena *mem, config_t *cfg,
                   struct err *err);
/* Both of the above. */
bool setting_read(const char *file, struct arena *mem, config_t *cfg, struct err *err);

/* The path of an included file, as libconfig names it in what the file `by` includes. */
const char *setting_included(const char *by, const char *name, struct arena *mem);

/* Adds what libconfig said about `cfg`; false. */
bool setting_parse_error(const config_t *cfg, const char *file, struct err *err);

/* "a whole number", "a group", …: what a setting is, for messages. */
const char *setting_type_name(const config_setting_t *s);

/* A text as a file of this kind writes it: in quotation marks. */
void setting_add_text(struct buf *out, const char *text);

/* Where a setting stands: "buffers[0].count". */
const char *setting_path(const config_setting_t *s, struct arena *mem);

/* Numbers of any libconfig type. */
bool setting_is_number(const config_setting_t *s);
double setting_number(const config_setting_t *s);

/* Says the file at its root a source and a spread (0..1) of all its values? */
bool setting_has_source(const config_setting_t *root);

#endif
