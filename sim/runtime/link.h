/* SPDX-License-Identifier: MIT
 *
 * sim/runtime/link.h: several PTX texts of one program as one, for kernels that need a function or
 * a variable of another file (nvcc -rdc=true). What a text keeps to itself (no .visible or .weak,
 * names of static and unnamed things, a second meaning of a name) is called by its name, '$' and
 * the text's number there, where a name of the texts before is in the way. */
#ifndef CW_SIM_RUNTIME_LINK_H
#define CW_SIM_RUNTIME_LINK_H

#include <stdbool.h>
#include <stddef.h>

struct arena;

struct link_text {
    const char *text;
    size_t n;
};

/* Does it declare what is to be found in another text? */
bool link_is_needed(const struct link_text *t, struct arena *mem);
/* Terminated by '\0'; the length does not count it. */
const char *link_texts(const struct link_text *texts, size_t n_texts, struct arena *mem,
                       size_t *length);
/* What `name` of that text may be called in the whole. */
const char *link_name(const char *name, size_t number, struct arena *mem);

#endif
