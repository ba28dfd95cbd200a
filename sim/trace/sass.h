/* SPDX-License-Identifier: MIT
 *
 * sim/trace/sass.h: what the mnemonics of NVIDIA's machine code (Kepler to Ampere, as NVBit prints
 * them) mean for timing. */
#ifndef CW_SIM_TRACE_SASS_H
#define CW_SIM_TRACE_SASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sass_op {
    uint8_t cls;     /* enum trace_class */
    uint8_t space;   /* enum trace_space; TS_NONE unless memory */
    uint8_t flags;   /* enum trace_flags */
    uint8_t bytes;   /* per lane, from the modifiers; 0 unless memory */
    bool is_generic; /* LD, ST, ATOM, RED: the space follows from the address */
    bool is_known;   /* false: not in the table, taken as an integer operation */
};

/* `text` is mnemonic and modifiers ("LDG.E.64.SYS"), n characters. */
struct sass_op sass_classify(const char *text, size_t n);

#endif
