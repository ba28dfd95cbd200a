/* SPDX-License-Identifier: MIT
 *
 * Statements: labels, instructions with their operands, nested scopes. */
#include "sim/ptx/parse.h"

#include <string.h>

#define MAX_OPERANDS 12
#define MAX_ELEMENTS 64
#define MAX_MODS 16
#define TEXT_MAX 160

static uint32_t label_of(struct ptx_parser *p, const char *name)
{
    size_t i;
    if (map_get(&p->label_names, name, &i))
        return (uint32_t)i;
    map_add(&p->label_names, name, p->labels.n);
    vec_push(p->mem, &p->labels, (struct ptx_label){.name = name});
    return (uint32_t)p->labels.n - 1;
}

static bool parse_operand(struct ptx_parser *p, struct ptx_operand *out, int depth);

static bool parse_elements(struct ptx_parser *p, struct ptx_operand *out, char close, int depth)
{
    VEC(struct ptx_operand) elems = {0};
    if (!ptx_at_mark(p, close)) {
        do {
            struct ptx_operand e;
            if (elems.n == MAX_ELEMENTS)
                return ptx_fail(p, p->tok.line, "too many elements");
            if (!parse_operand(p, &e, depth + 1))
                return false;
            vec_push(p->mem, &elems, e);
        } while (ptx_take_mark(p, ','));
    }
    out->elems = elems.at;
    out->n_elems = (uint32_t)elems.n;
    return ptx_want_mark(p, close);
}

static bool parse_named(struct ptx_parser *p, struct ptx_operand *out)
{
    struct ptx_name n;
    size_t i;
    int line = p->tok.line;
    char *name = ptx_token_text(p);
    ptx_advance(p);
    out->name = name;
    if (strcmp(name, "_") == 0) {
        out->kind = PO_NOTHING;
    } else if (ptx_find_name(p, name, &n)) {
        out->kind = n.kind == PTX_NAME_REG ? PO_REG : PO_VAR;
        out->index = n.index;
        out->var = n.kind == PTX_NAME_VAR ? p->fvars.at[n.index] : NULL;
    } else if (map_get(&p->special_names, name, &i)) {
        out->kind = PO_SPECIAL;
        out->index = (uint32_t)i;
    } else if (map_get(&p->var_names, name, &i)) {
        out->kind = PO_VAR;
        out->var = p->vars.at[i];
    } else if (name[0] == '%') {
        return ptx_fail(p, line, "register '%s' is not declared, or not supported", name);
    } else if (strcmp(name, "WARP_SZ") == 0) {
        out->kind = PO_INT;
        out->bits = 32;
    } else {
        out->kind = PO_NAME;
    }
    return true;
}

static bool parse_offset(struct ptx_parser *p, int64_t *offset)
{
    while (ptx_at_mark(p, '+') || ptx_at_mark(p, '-')) {
        int64_t v;
        if (ptx_at_mark(p, '+'))
            ptx_advance(p);
        if (!ptx_const_int(p, &v))
            return false;
        *offset = (int64_t)((uint64_t)*offset + (uint64_t)v);
    }
    return true;
}

static bool parse_address(struct ptx_parser *p, struct ptx_operand *out, int depth)
{
    struct ptx_operand *base = arena_new(p->mem, struct ptx_operand);
    out->kind = PO_ADDRESS;
    out->elems = base;
    out->n_elems = 1;
    if (p->tok.kind == PTX_WORD) {
        if (!parse_named(p, base) || !parse_offset(p, &out->offset))
            return false;
        if (base->kind != PO_REG && base->kind != PO_VAR && base->kind != PO_NAME)
            return ptx_fail(p, p->tok.line, "'%s' cannot be an address", base->name);
    } else {
        int64_t v;
        if (!ptx_const_int(p, &v))
            return false;
        base->kind = PO_INT;
        base->bits = (uint64_t)v;
    }
    if (ptx_take_mark(p, ',')) { /* of a texture or surface */
        struct ptx_operand *both = arena_many(p->mem, struct ptx_operand, 2);
        both[0] = *base;
        out->elems = both;
        out->n_elems = 2;
        if (!parse_operand(p, &both[1], depth + 1))
            return false;
    }
    return ptx_want_mark(p, ']');
}

static bool parse_operand(struct ptx_parser *p, struct ptx_operand *out, int depth)
{
    *out = (struct ptx_operand){0};
    if (depth > 3)
        return ptx_fail(p, p->tok.line, "operands are nested too deeply");
    if (ptx_take_mark(p, '['))
        return parse_address(p, out, depth);
    if (ptx_take_mark(p, '{')) {
        out->kind = PO_VECTOR;
        return parse_elements(p, out, '}', depth);
    }
    if (ptx_at_mark(p, '(') && depth == 0) {
        ptx_advance(p);
        out->kind = PO_LIST;
        return parse_elements(p, out, ')', depth);
    }
    if (ptx_take_mark(p, '!'))
        out->negate = true;
    if (p->tok.kind == PTX_WORD) {
        if (!parse_named(p, out))
            return false;
        if (out->kind == PO_VAR || out->kind == PO_NAME)
            return parse_offset(p, &out->offset);
        if (ptx_take_mark(p, '|')) {
            struct ptx_operand *second = arena_new(p->mem, struct ptx_operand);
            out->second = second;
            return parse_operand(p, second, depth + 1);
        }
        return true;
    }
    bool negative = false;
    if (ptx_at_mark(p, '-')) {
        /* a real number may carry a sign; integers are const expressions */
        struct ptx_lexer ahead = p->lx;
        struct err scrap;
        err_init(&scrap);
        struct ptx_token next = ptx_lex_next(&ahead, &scrap);
        err_free(&scrap);
        if (next.kind == PTX_F32 || next.kind == PTX_F64) {
            negative = true;
            ptx_advance(p);
        }
    }
    if (p->tok.kind == PTX_F32 || p->tok.kind == PTX_F64) {
        bool single = p->tok.kind == PTX_F32;
        out->kind = single ? PO_F32 : PO_F64;
        out->bits = p->tok.value ^ (negative ? (uint64_t)1 << (single ? 31 : 63) : 0);
        ptx_advance(p);
        return true;
    }
    int64_t v;
    if (!ptx_const_int(p, &v))
        return false;
    out->kind = PO_INT;
    out->bits = (uint64_t)v;
    return true;
}

static const char *statement_text(struct ptx_parser *p, const char *from, const char *to)
{
    char *text = arena_alloc(p->mem, TEXT_MAX + 4);
    size_t n = 0;
    for (; from < to && n < TEXT_MAX; from++) {
        bool blank = (unsigned char)*from <= ' ';
        if (!blank)
            text[n++] = *from;
        else if (n && text[n - 1] != ' ')
            text[n++] = ' ';
    }
    if (from < to)
        memcpy(text + n, "...", 3);
    return text;
}

/* "ld.global.v4.f32" -> op and mods. */
static bool split_opcode(struct ptx_parser *p, struct ptx_stmt *s)
{
    const char *mods[MAX_MODS];
    char *word = ptx_token_text(p);
    uint32_t n = 0;
    for (char *dot = strchr(word, '.'); dot; dot = strchr(dot, '.')) {
        *dot++ = '\0';
        if (n == MAX_MODS)
            return ptx_fail(p, s->line, "too many modifiers");
        mods[n++] = dot;
    }
    s->op = word;
    s->n_mods = n;
    const char **copy = arena_many(p->mem, const char *, n ? n : 1);
    if (n)
        memcpy(copy, mods, n * sizeof *mods);
    s->mods = copy;
    ptx_advance(p);
    return true;
}

static bool parse_guard(struct ptx_parser *p, struct ptx_stmt *s)
{
    struct ptx_operand g = {0};
    s->guard_negated = ptx_take_mark(p, '!');
    if (p->tok.kind != PTX_WORD || !parse_named(p, &g))
        return p->failed ? false : ptx_fail(p, s->line, "malformed guard");
    if (g.kind != PO_REG || p->regs.at[g.index].type != PT_PRED)
        return ptx_fail(p, s->line, "guard '%s' is not a predicate register", g.name);
    s->has_guard = true;
    s->guard = g.index;
    return true;
}

static bool parse_instruction(struct ptx_parser *p)
{
    struct ptx_stmt s = {.kind = PSTMT_INST,
                         .line = p->tok.line,
                         .source_file = p->source_file,
                         .source_line = p->source_line};
    struct ptx_operand ops[MAX_OPERANDS];
    uint32_t n = 0;
    const char *start = p->tok.text;

    if (ptx_take_mark(p, '@') && !parse_guard(p, &s))
        return false;
    if (p->tok.kind != PTX_WORD || p->tok.text[0] == '.' || p->tok.text[0] == '%')
        return ptx_fail(p, p->tok.line, "expected an instruction, found '%s'", ptx_token_text(p));
    if (!split_opcode(p, &s))
        return false;
    while (!ptx_at_mark(p, ';')) {
        if (n == MAX_OPERANDS)
            return ptx_fail(p, s.line, "too many operands");
        if (!parse_operand(p, &ops[n++], 0))
            return false;
        if (!ptx_take_mark(p, ',') && !ptx_at_mark(p, ';'))
            return ptx_fail(p, p->tok.line, "expected ',' or ';', found '%s'", ptx_token_text(p));
    }
    s.text = statement_text(p, start, p->tok.text);
    ptx_advance(p);
    struct ptx_operand *copy = arena_many(p->mem, struct ptx_operand, n ? n : 1);
    if (n)
        memcpy(copy, ops, n * sizeof *ops);
    s.operands = copy;
    s.n_operands = n;
    vec_push(p->mem, &p->stmts, s);
    return true;
}

static bool parse_branch_targets(struct ptx_parser *p, uint32_t table)
{
    VEC(uint32_t) targets = {0};
    do {
        if (p->tok.kind != PTX_WORD)
            return ptx_fail(p, p->tok.line, "expected a label");
        vec_push(p->mem, &targets, label_of(p, ptx_token_text(p)));
        ptx_advance(p);
    } while (ptx_take_mark(p, ','));
    p->labels.at[table].targets = targets.at;
    p->labels.at[table].n_targets = (uint32_t)targets.n;
    return ptx_want_mark(p, ';');
}

/* After "name:". */
static bool parse_label(struct ptx_parser *p, const char *name, int line)
{
    uint32_t id = label_of(p, name);
    if (p->labels.at[id].line)
        return ptx_fail(p, line, "label '%s' is defined twice", name);
    p->labels.at[id].line = line;
    if (ptx_at_word(p, ".branchtargets")) {
        ptx_advance(p);
        return parse_branch_targets(p, id);
    }
    if (ptx_at_word(p, ".callprototype") || ptx_at_word(p, ".calltargets"))
        return ptx_skip_past(p, ';');
    vec_push(p->mem, &p->stmts,
             (struct ptx_stmt){.kind = PSTMT_LABEL, .line = line, .label = id, .text = name});
    return true;
}

static bool parse_directive(struct ptx_parser *p)
{
    static const struct {
        const char *word;
        enum ptx_space space;
    } spaces[] = {{".shared", PS_SHARED},
                  {".local", PS_LOCAL},
                  {".param", PS_CALL_PARAM},
                  {".global", PS_GLOBAL},
                  {".const", PS_CONST}};

    if (ptx_at_word(p, ".reg")) {
        ptx_advance(p);
        return ptx_parse_regs(p);
    }
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (ptx_at_word(p, spaces[i].word)) {
            ptx_advance(p);
            return ptx_parse_vars(p, spaces[i].space, PTX_IN_FUNCTION);
        }
    if (ptx_at_word(p, ".loc") || ptx_at_word(p, ".file"))
        return ptx_parse_source_line(p);
    if (ptx_at_word(p, ".pragma"))
        return ptx_skip_past(p, ';');
    return ptx_fail(p, p->tok.line, "directive '%s' is not supported here", ptx_token_text(p));
}

static bool parse_statement(struct ptx_parser *p)
{
    if (ptx_take_mark(p, ';'))
        return true;
    if (p->tok.kind == PTX_WORD && p->tok.text[0] == '.')
        return parse_directive(p);
    if (p->tok.kind == PTX_WORD) {
        const char *q = p->lx.at;
        while (q < p->lx.end && (*q == ' ' || *q == '\t'))
            q++;
        if (q < p->lx.end && *q == ':') {
            int line = p->tok.line;
            char *name = ptx_token_text(p);
            ptx_advance(p);
            ptx_advance(p);
            return parse_label(p, name, line);
        }
    }
    return parse_instruction(p);
}

bool ptx_parse_body(struct ptx_parser *p)
{
    struct ptx_scope *outer = p->scope;
    int line = p->tok.line;
    if (!ptx_want_mark(p, '{'))
        return false;
    p->depth = 1;
    while (p->depth > 0) {
        if (p->tok.kind == PTX_END)
            return ptx_fail(p, line, "the body that begins here does not end");
        if (ptx_take_mark(p, '{')) {
            if (++p->depth > PTX_MAX_DEPTH)
                return ptx_fail(p, p->tok.line, "braces are nested too deeply");
            struct ptx_scope *inner = arena_new(p->mem, struct ptx_scope);
            map_init(&inner->map, p->mem);
            inner->up = p->scope;
            p->scope = inner;
        } else if (ptx_take_mark(p, '}')) {
            p->depth--;
            if (p->depth > 0)
                p->scope = p->scope->up;
        } else if (!parse_statement(p) && !ptx_skip_past(p, ';')) {
            return false;
        }
    }
    p->scope = outer;
    return true;
}
