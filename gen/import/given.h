/* SPDX-License-Identifier: MIT
 *
 * gen/import/given.h: what configuration files of GPGPU-Sim, Accel-Sim and their network say: names
 * and values with file and line, nothing interpreted. GPGPU-Sim's files are words ('#' begins a
 * comment, a value in quotes may have blanks and line ends); a network's file (*.icnt) has
 * BookSim's form, "name = value;". */
#ifndef CW_GEN_IMPORT_GIVEN_H
#define CW_GEN_IMPORT_GIVEN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/vec.h"

struct err;

struct given {
    const char *name, *value; /* value NULL: a flag without one */
    const char *file;
    int line;
};

typedef VEC(struct given) given_list;

/* Does the option take a value? GPGPU-Sim's switches take the next word only if it is a number. */
typedef bool given_is_switch(const char *name);

/* Both take a text that ends with '\0', and go on after an error. */
bool given_read_options(const char *file, const char *text, size_t n, given_is_switch *is_switch,
                        struct arena *mem, given_list *out, struct err *err);
bool given_read_network(const char *file, const char *text, size_t n, struct arena *mem,
                        given_list *out, struct err *err);

#endif
