/* SPDX-License-Identifier: MIT
 *
 * tests/unit/config.h: descriptions from text, for tests of the reader and of what it feeds. */
#ifndef CW_TESTS_UNIT_CONFIG_H
#define CW_TESTS_UNIT_CONFIG_H

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "gen/config/keys.h"
#include "gen/config/read.h"
#include "gen/design/design.h"

/* libconfig 1.5 loses the last text token of a file with a syntax error; nothing of ours is hidden.
 */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libconfig";
}

struct config {
    struct arena mem;
    struct err err;
    struct arch arch;
    struct design design;
};

static inline int config_set_up(void **state)
{
    struct config *c = calloc(1, sizeof *c);
    arena_init(&c->mem, NULL, NULL);
    err_init(&c->err);
    *state = c;
    return 0;
}

static inline int config_tear_down(void **state)
{
    struct config *c = *state;
    arena_free(&c->mem);
    err_free(&c->err);
    free(c);
    return 0;
}

static inline void config_reset(struct config *c)
{
    arena_free(&c->mem);
    err_free(&c->err);
    arena_init(&c->mem, NULL, NULL);
    err_init(&c->err);
}

static inline bool config_read(struct config *c, const char *text)
{
    struct read_request r = {.file = "test.cfg", .text = text, .data_dir = "."};
    return arch_read(&r, &c->mem, &c->arch, &c->err);
}

static inline bool config_set(struct config *c, const char *text, const char *set)
{
    struct read_request r = {
        .file = "test.cfg", .text = text, .data_dir = ".", .sets = &set, .n_sets = 1};
    return arch_read(&r, &c->mem, &c->arch, &c->err);
}

static inline bool config_file(struct config *c, const char *file)
{
    struct read_request r = {.file = file, .data_dir = "."};
    return arch_read(&r, &c->mem, &c->arch, &c->err);
}

static inline bool config_design(struct config *c)
{
    return design_make(&c->arch, false, &c->mem, &c->design, &c->err);
}

/* All messages in one text. */
static inline const char *config_messages(struct config *c)
{
    const char *all = "";
    for (const struct err_entry *e = c->err.first; e; e = e->next)
        all = arena_printf(&c->mem, "%s%s\n", all, err_entry_text(e, &c->mem));
    return all;
}

#define assert_says(c, text)                                                                       \
    do {                                                                                           \
        if (!strstr(config_messages(c), text))                                                     \
            fail_msg("'%s' is not said; said is:\n%s", text, config_messages(c));                  \
    } while (0)
#define assert_refused(c, config_text, message)                                                    \
    do {                                                                                           \
        config_reset(c);                                                                           \
        if (config_read(c, config_text))                                                           \
            fail_msg("accepted: %s", config_text);                                                 \
        assert_says(c, message);                                                                   \
    } while (0)
#define assert_accepted(c, config_text)                                                            \
    do {                                                                                           \
        config_reset(c);                                                                           \
        if (!config_read(c, config_text))                                                          \
            fail_msg("refused: %s\n%s", config_text, config_messages(c));                          \
    } while (0)

#endif
