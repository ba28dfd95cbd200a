/* SPDX-License-Identifier: MIT
 *
 * sim/runtime/fatbin.h: the PTX inside what a CUDA program carries: plain PTX text (clang), or a
 * fat binary (nvcc) whose entries are PTX or machine code, stored, LZ4- or zstd-compressed. Several
 * entries of PTX: the newest architecture wins. */
#ifndef CW_SIM_RUNTIME_FATBIN_H
#define CW_SIM_RUNTIME_FATBIN_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct err;

/* `image` is what the program registered: trusted to be as long as its header says. */
bool fatbin_ptx(const void *image, struct arena *mem, const char **text, size_t *n,
                struct err *err);

/* One LZ4 block; false: it is malformed or does not give exactly `n_out` bytes. */
bool lz4_decode(const unsigned char *in, size_t n_in, unsigned char *out, size_t n_out);

#endif
