/* SPDX-License-Identifier: MIT
 *
 * gen/config/scan.h: a look at a config's text before libconfig sees it. libconfig 1.5 turns
 * integers that do not fit 32 bits into 0 or -1 without a word, and looks for included files in the
 * working directory; both are found here, with their line. Comments and strings are skipped by the
 * rules of libconfig's own lexer. */
#ifndef CW_GEN_CONFIG_SCAN_H
#define CW_GEN_CONFIG_SCAN_H

#include <stdbool.h>
#include <stdint.h>

struct arena;
struct err;

struct scan_include {
    const char *path;
    int line;
};

/* libconfig looks for a name among all before it in the group: some thousand names in one group are
 * refused, before they take minutes. */
#define SCAN_MOST_WORK 20000000u

struct scan {
    struct scan_include *includes;
    unsigned n_includes;
    uint32_t most_names; /* in one group */
};

/* False if a literal cannot be represented; all of them are reported. False too for more settings
 * than libconfig can take in reasonable time. */
bool scan_text(const char *file, const char *text, struct arena *mem, struct scan *out,
               struct err *err);

#endif
