/* SPDX-License-Identifier: MIT
 *
 * gen/config/keys.h: THE table of configuration keys, and what can be asked of it. A key is one
 * row: path, place in struct arch, legal values, default, unit, when it is used, meaning.
 * Validation, `crosswatt keys`, the manual and docs/configuration.md are loops over the rows. To
 * add a key: a field in a params struct, one row in gen/config/keys.c.
 *
 * A row of the noc section exists once per network: noc.vcs sets both networks, noc.request.vcs and
 * noc.reply.vcs one of them. */
#ifndef CW_GEN_CONFIG_KEYS_H
#define CW_GEN_CONFIG_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct arch;
struct arena;
struct buf;
struct origin;

enum key_type {
    KEY_INT,   /* uint32_t; words and units allowed */
    KEY_INT64, /* uint64_t */
    KEY_REAL,  /* double; words and units allowed */
    KEY_BOOL,
    KEY_NAME, /* const char *, one of the choices */
    KEY_ENUM, /* int-sized enum: index of the choice */
    KEY_TEXT, /* const char *, anything */
    KEY_INTS, /* list of whole numbers: const int64_t * and, at `count_offset`, uint32_t */
    KEY_LIST, /* list of groups: filled by gen/config/read_custom.c */
};

/* A word accepted in place of a number: "auto", "none", "short". */
struct key_word {
    const char *word;
    double value;
    const char *meaning;
};

struct key {
    const char *path;
    enum key_type type;
    const char *unit;             /* "" for none */
    double lo, hi;                /* of numbers */
    double number;                /* default of numbers, booleans and enums */
    const char *text;             /* default of names and texts */
    const char *const *choices;   /* NULL-terminated; names and enums */
    const struct key_word *words; /* ends with a NULL word; may be NULL */
    const char
        *used_if; /* "noc.topology = mesh | smesh", "cluster.icc.entries > 0"; NULL: always */
    const char *meaning;         /* one line */
    size_t offset, count_offset; /* in struct arch; per network: of the request network's */
    bool per_network;
};

extern const struct key keys[];
extern const size_t n_keys;

#define KEY_ALL_NETS (-1)

/* The key of a path as users write it. `*net` becomes KEY_ALL_NETS, NOC_REQUEST or NOC_REPLY. */
const struct key *key_find(const char *path, int *net);
/* Some key begins with "prefix.". */
bool key_is_group(const char *prefix);
/* The legal path nearest to a wrong one, or NULL. */
const char *key_nearest(const char *path, struct arena *mem);

/* Keys that had another name (gen/config/renames.c). */
struct key_rename {
    const char *old, *path;
    bool is_accepted; /* still read, with a note; else an error that says the new name */
};
extern const struct key_rename key_renames[];
extern const size_t n_key_renames;

/* The path that an old path has now, or NULL. */
/* What a word of a key is called now, or NULL. */
const char *key_value_renamed(const char *path, const char *word);
const char *key_renamed(const char *path, struct arena *mem, bool *is_accepted);

/* Where the value is; `net` is 0 for keys that are not per network. */
void *key_place(const struct key *key, struct arch *arch, int net);
const void *key_value(const struct key *key, const struct arch *arch, int net);
double key_number(const struct key *key, const struct arch *arch, int net);
bool key_equal(const struct key *key, const struct arch *a, int net_a, const struct arch *b,
               int net_b);
/* As a user would write it, without unit: 4, 1.4, "mesh", true, [1, 2]. */
void key_add_value(const struct key *key, const struct arch *arch, int net, struct buf *out);
void key_add_default(const struct key *key, struct buf *out);
/* "1..64 or \"auto\"", "\"gto\", \"lrr\"". */
void key_add_legal(const struct key *key, struct buf *out);
const char *key_type_text(const struct key *key);
/* The word of an enum's value: key_choice("l1.write", L1_WRITE_back) is "back". */
const char *key_choice(const char *path, int value);

/* Fills the default of every key. */
void keys_set_defaults(struct arch *arch);

const struct origin *key_origin(const struct key *key, const struct arch *arch, int net);
/* "default", "cfg/a.cfg:12", "command line", "derived". */
void key_add_origin(const struct origin *origin, struct buf *out);
/* Where a key was said, for messages; a key nobody said is at the file itself. */
struct where key_where(const struct arch *arch, const char *path, int net);
/* Is the key read by this design? Evaluates used_if. */
bool key_is_used(const struct key *key, const struct arch *arch, int net);

#endif
