/* SPDX-License-Identifier: MIT
 *
 * sim/ptx/lex.h: PTX text to tokens. Comments are skipped; a word keeps its dots ("ld.global.f32",
 * "%tid.x", ".visible", "$L__BB0_2"), as what the dots mean depends on where it stands. */
#ifndef CW_SIM_PTX_LEX_H
#define CW_SIM_PTX_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

enum ptx_token_kind {
    PTX_END,
    PTX_WORD,
    PTX_INT,    /* value */
    PTX_F32,    /* value: the 32 bits of 0f… */
    PTX_F64,    /* value: the 64 bits of 0d… or of a decimal number with point or exponent */
    PTX_STRING, /* text without the quotes */
    PTX_MARK,   /* one character: text[0] */
};

struct ptx_token {
    enum ptx_token_kind kind;
    int line;
    const char *text; /* into the source, not terminated */
    size_t len;
    uint64_t value;
};

struct ptx_lexer {
    const char *file;
    const char *at, *end;
    int line;
    bool failed; /* an error was added; only PTX_END follows */
};

void ptx_lex_init(struct ptx_lexer *lx, const char *file, const char *text, size_t n);
struct ptx_token ptx_lex_next(struct ptx_lexer *lx, struct err *err);

#endif
