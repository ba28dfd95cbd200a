/* SPDX-License-Identifier: MIT
 *
 * gen/config/variants.h: the designs of a command that takes several: its files, and each of them
 * once for every value of a --set KEY=v1,v2,…. A --set applies where its key has an effect; where
 * it has none it is said, and designs that differ in nothing else are one. A key without effect on
 * any of them is an error. */
#ifndef CW_GEN_CONFIG_VARIANTS_H
#define CW_GEN_CONFIG_VARIANTS_H

#include "gen/config/arch.h"

struct app;
struct options;

struct variant {
    const char *file;   /* as the user named it, with what stands behind a colon */
    const char *values; /* "noc.vcs=2 noc.width=32 B": what tells it from others of the file; "" */
    struct arch *arch;
};

#define MOST_VARIANTS 1000u

enum variants_rule {
    VARIANTS_ONE = 0,   /* a --set has one value */
    VARIANTS_MANY = 1,  /* commas part values, but for those within quotation marks or brackets */
    VARIANTS_COLON = 2, /* words may be "file.cfg:key=value,key=value", sets of their own */
};

/* All words of the command line. False and errors; the designs that could be read are there all the
 * same. */
bool variants_read(struct app *app, const struct options *options, unsigned rules,
                   struct variant **out, size_t *n, struct err *err);

/* The values of "v1,v2,…". */
const char **variants_split(const char *text, struct arena *mem, size_t *n);

#endif
