/* SPDX-License-Identifier: MIT
 *
 * gen/import/import.h: a description of ours out of the files of GPGPU-Sim and Accel-Sim. Reading
 * (given.h), the table of options (foreign.h), the translation, the text that is written. */
#ifndef CW_GEN_IMPORT_IMPORT_H
#define CW_GEN_IMPORT_IMPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "gen/import/foreign.h"
#include "gen/import/given.h"

struct err;

/* What became of one option that was given, or of a default that matters. */
enum fate {
    FATE_UNSEEN,
    FATE_TRANSLATED,
    FATE_LEFT_OUT,    /* understood, and not in the description by default: the reason says why */
    FATE_IRRELEVANT,  /* with a reason */
    FATE_OVERRULED,   /* said again further down, which counts */
    FATE_APPROXIMATE, /* --approximate: the nearest that there is */
    FATE_REFUSED,
    FATES
};

struct seen {
    const struct foreign_option *option;
    const char *said_as; /* the name in the file, where it is an older one */
    bool is_assumed;     /* nobody said it, and import took another value than the default */
    const char *value, *file;
    int line; /* 0: nobody said it, the simulator's default */
    enum fate fate;
    const char *reason;
};

struct line {
    const char *key, *value; /* value as libconfig writes it */
    uint32_t from[3];        /* seen[], the options it comes from */
    uint32_t n_from;
    const char *remark; /* NULL: none */
};

struct import_request {
    const char **files;
    size_t n_files;
    bool with_launch_latency, approximate;
};

struct import {
    struct arena *mem;
    struct err *err;
    bool is_approximate; /* what cannot be translated becomes the nearest */
    bool with_launch;
    VEC(struct seen) seen; /* first the F_TRANSLATED, then whatever else was said */
    VEC(struct line) lines;
    VEC(const char *) files;
    VEC(const char *) notes; /* for the head of the file and for the user */
    bool has_units;          /* a trace.config, or its options, was there */
    size_t n_fates[FATES];
};

/* Reads folders and files as the user names them, in that order. */
bool import_read(struct import *im, const struct import_request *request, struct err *err);
/* For one text instead: a fuzz target's or a test's. */
bool import_parse(struct import *im, const char *file, const char *text, size_t n, struct err *err);
void import_init(struct import *im, struct arena *mem, struct err *err);
/* Everything that was read becomes lines; false where something is refused. */
bool import_translate(struct import *im);
/* The description as text. */
const char *import_text(const struct import *im, const char *command_line, size_t *n);

/* ---- for the parts of the translation ---- */

/* The value of an option, which is then taken care of. */
const char *im_text(struct import *im, enum foreign_id id);
/* A whole number of lo..hi; an error and `lo` where it is none. */
uint32_t im_int(struct import *im, enum foreign_id id, uint32_t lo, uint32_t hi);
bool im_switch(struct import *im, enum foreign_id id);
bool im_is_given(const struct import *im, enum foreign_id id);
/* "a:b:c" into numbers; how many there are. */
size_t im_numbers(const char *text, const char *separators, double *out, size_t most);

#define FROM(...)                                                                                  \
    (const enum foreign_id[]){__VA_ARGS__},                                                        \
        sizeof((const enum foreign_id[]){__VA_ARGS__}) / sizeof(enum foreign_id)
void im_put(struct import *im, const char *key, const enum foreign_id *from, size_t n_from,
            const char *fmt, ...) __attribute__((format(printf, 5, 6)));
void im_remark(struct import *im, const char *text); /* on the last line put */
void im_note(struct import *im, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* It cannot be said in a description of ours. True: go on with the nearest (`--approximate`). */
bool im_refuse(struct import *im, enum foreign_id id, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Understood, and without effect beside what else is said. */
void im_without_effect(struct import *im, enum foreign_id id, const char *why);

void import_chip(struct import *im);
void import_sm(struct import *im);
void import_l1(struct import *im);
void import_memory(struct import *im);
void import_network(struct import *im);
void import_energy(struct import *im);

/* ---- a cache's string ---- */

struct cache_string {
    bool is_none, is_sectored, is_fifo;
    uint32_t sets, line, ways;
    char write, allocate, write_allocate, index, mshr;
    uint32_t entries, merges, miss_queue, fifo, port;
};

/* T:sets:line:ways,R:W:A:Wa:H,M:entries:merges,queue[:fifo[,port]]; 3.x has no T (and no H). */
bool im_cache(struct import *im, enum foreign_id id, struct cache_string *out);

#endif
