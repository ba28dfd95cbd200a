/* SPDX-License-Identifier: MIT
 *
 * sim/ptx/alu.h: arithmetic on whole warps. A register of a warp is an array of 32 lanes, 4 bytes a
 * lane (8- and 16-bit values are held zero-extended) or 8 bytes a lane; a function computes all 32
 * lanes, whatever the active mask is, and has no effect but on `d`. `d` may be the same array as a
 * source, never one that overlaps it otherwise.
 *
 * Floating point follows IEEE 754 in the rounding mode that the caller has set (fesetround); NaN
 * results are the canonical NaN of PTX (0x7fffffff; f16 0x7fff; f64 0x7ff8000000000000), so that
 * the bits do not depend on the host. Flushing of subnormals and saturation are the caller's
 * (ptx_alu_flush, ptx_alu_saturate). */
#ifndef CW_SIM_PTX_ALU_H
#define CW_SIM_PTX_ALU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PTX_LANES 32

typedef void (*ptx_alu_fn)(void *d, const void *a, const void *b, const void *c, const void *e);
/* Bit i of the result is the comparison of lane i. */
typedef uint32_t (*ptx_cmp_fn)(const void *a, const void *b);

struct ptx_alu_row {
    const char *name; /* "mul.wide.s32" */
    ptx_alu_fn fn;
};

struct ptx_cmp_row {
    const char *name; /* "lt.s32" */
    ptx_cmp_fn fn;
};

/* NULL: there is no such operation. */
ptx_alu_fn ptx_alu_find(const char *name);
ptx_cmp_fn ptx_cmp_find(const char *name);

void ptx_alu_flush(void *d, const void *a);    /* f32: subnormals become zeros of their sign */
void ptx_alu_saturate(void *d, const void *a); /* f32: into 0..1, NaN becomes 0 */
void ptx_alu_saturate_f64(void *d, const void *a);
void ptx_alu_saturate_f16(void *d, const void *a);

/* The tables, one per file; each ends with a NULL name. */
extern const struct ptx_alu_row ptx_alu_int[], ptx_alu_float[], ptx_alu_half[], ptx_alu_convert[];
extern const struct ptx_cmp_row ptx_cmp_all[];

/* Half precision, for conversions; `mode` is FE_TONEAREST and so on. */
double ptx_half_to_double(uint16_t h);
uint16_t ptx_double_to_half(double v, int mode);
/* bf16, to nearest. */
double ptx_brain_to_double(uint16_t b);
uint16_t ptx_double_to_brain(double v);

#endif
