/* SPDX-License-Identifier: MIT
 *
 * gen/command/cc_ptx.h: what clang's PTX needs before it is used. */
#ifndef CW_GEN_COMMAND_CC_PTX_H
#define CW_GEN_COMMAND_CC_PTX_H

#include <stdbool.h>

struct arena;
struct err;

/* Rewrites the file where clang took a field of bits that reaches beyond its 64. */
bool cc_mend_ptx(const char *path, struct arena *mem, struct err *err);

#endif
