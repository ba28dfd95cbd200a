/* SPDX-License-Identifier: MIT
 *
 * gen/command/cc_mend.h: what clang makes or reads otherwise than nvcc. */
#ifndef CW_GEN_COMMAND_CC_MEND_H
#define CW_GEN_COMMAND_CC_MEND_H

#include <stdbool.h>

struct arena;
struct err;

/* Conversions of real numbers to integers in the program's own functions (not those of `headers`)
 * become assembly, so that clang does not compute those of numbers: nvcc does not either. Shared
 * memory without a size is aligned to 16 bytes, as with nvcc. */
bool cc_mend_llvm(const char *path, const char *headers, bool flushes, struct arena *mem,
                  struct err *err);

/* Rewrites the file where clang took a field of bits that reaches beyond its 64. */
bool cc_mend_ptx(const char *path, struct arena *mem, struct err *err);

/* nvcc reads `<< <` and `>> >` as a launch, which formatters make of it, and `__shared__
 * alignas(16)` as `alignas(16) __shared__`; clang does neither. *argument is a file for clang's
 * -ivfsoverlay that shows it `source` with `<<<`, in `folder`, where two files are made that begin
 * with `stem`; NULL where nothing is to be done. */
bool cc_mend_source(const char *source, const char *folder, const char *stem, struct arena *mem,
                    const char **argument, struct err *err);

#endif
