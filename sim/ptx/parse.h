/* SPDX-License-Identifier: MIT
 *
 * sim/ptx/parse.h: what the two halves of the reader (declarations, statements) share. Nobody else
 * includes this. */
#ifndef CW_SIM_PTX_PARSE_H
#define CW_SIM_PTX_PARSE_H

#include "base/arena.h"
#include "base/err.h"
#include "base/map.h"
#include "base/vec.h"
#include "sim/ptx/lex.h"
#include "sim/ptx/module.h"

#define PTX_MAX_REGS 100000u /* per function */
#define PTX_MAX_VAR_BYTES ((uint64_t)1 << 30)
#define PTX_MAX_DEPTH 16 /* of nested braces */

enum ptx_name_kind { PTX_NAME_REG, PTX_NAME_REGS, PTX_NAME_VAR };

struct ptx_name {
    enum ptx_name_kind kind;
    uint32_t index;
    uint32_t n; /* REGS: name0 to name(n-1) are registers from index on */
};

struct ptx_scope {
    struct map map; /* name -> index into parser.names */
    struct ptx_scope *up;
};

struct ptx_parser {
    struct ptx_lexer lx;
    struct ptx_token tok; /* the next one */
    struct arena *mem;
    struct err *err;
    bool failed;
    bool is_extern;                   /* .extern stands before what follows */
    VEC(const struct ptx_var *) vars; /* module scope */
    VEC(const struct ptx_func *) funcs;
    VEC(struct ptx_source_file) sources;
    struct map var_names, func_names;
    struct map special_names;
    uint32_t version;
    const char *target;
    /* the function being read */
    struct ptx_scope *scope;
    int depth;
    VEC(struct ptx_name) names;
    VEC(struct ptx_reg) regs;
    VEC(const struct ptx_var *) fvars;
    VEC(struct ptx_label) labels;
    VEC(struct ptx_stmt) stmts;
    struct map label_names;
    uint32_t source_file, source_line; /* of the last .loc */
};

void ptx_advance(struct ptx_parser *p);
bool ptx_fail(struct ptx_parser *p, int line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static inline bool ptx_at_mark(const struct ptx_parser *p, char c)
{
    return p->tok.kind == PTX_MARK && p->tok.text[0] == c;
}
bool ptx_at_word(const struct ptx_parser *p, const char *word);
bool ptx_take_mark(struct ptx_parser *p, char c); /* false: not there, nothing taken */
bool ptx_want_mark(struct ptx_parser *p, char c); /* false: an error was added */
char *ptx_token_text(struct ptx_parser *p);
bool ptx_skip_past(struct ptx_parser *p, char c); /* error recovery */

bool ptx_const_int(struct ptx_parser *p, int64_t *out);
bool ptx_skip_line(struct ptx_parser *p);
/* .file and .loc, inside functions and outside. */
bool ptx_parse_source_line(struct ptx_parser *p);

/* One declaration of variables in `space`, up to and with the ';'. */
/* where a variable is declared; elsewhere: .extern, it lies in another file */
enum ptx_where { PTX_IN_FILE, PTX_IN_FUNCTION, PTX_ELSEWHERE };
bool ptx_parse_vars(struct ptx_parser *p, enum ptx_space space, enum ptx_where where);
/* One parameter, without what follows it; *reg is its register + 1 where it is a .reg. */
bool ptx_parse_param(struct ptx_parser *p, enum ptx_space space, const struct ptx_var **out,
                     uint32_t *reg);
bool ptx_parse_regs(struct ptx_parser *p);
bool ptx_declare_reg(struct ptx_parser *p, const char *name, enum ptx_type type, int line);
bool ptx_find_name(struct ptx_parser *p, const char *name, struct ptx_name *out);
bool ptx_parse_body(struct ptx_parser *p); /* from '{' to '}' */

#endif
