/* SPDX-License-Identifier: MIT
 *
 * Declarations: variables with initial values, registers, parameters. */
#include "sim/ptx/parse.h"

#include <string.h>

/* "%r12" among the registers declared as "%r<20>". */
static bool find_numbered(struct ptx_parser *p, const struct ptx_scope *s, const char *name,
                          struct ptx_name *out)
{
    size_t n = strlen(name), digits = n;
    uint64_t number = 0;
    size_t i;
    while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9')
        digits--;
    if (digits == n || digits == 0 || n - digits > 6 || (name[digits] == '0' && n - digits > 1))
        return false;
    for (const char *d = name + digits; *d; d++)
        number = number * 10 + (uint64_t)(*d - '0');
    char *base = arena_printf(p->mem, "%.*s<", (int)digits, name);
    if (!map_get(&s->map, base, &i) || number >= p->names.at[i].n)
        return false;
    *out = (struct ptx_name){PTX_NAME_REG, p->names.at[i].index + (uint32_t)number, 0};
    return true;
}

bool ptx_find_name(struct ptx_parser *p, const char *name, struct ptx_name *out)
{
    size_t i;
    for (struct ptx_scope *s = p->scope; s; s = s->up) {
        if (map_get(&s->map, name, &i)) {
            *out = p->names.at[i];
            return true;
        }
        if (find_numbered(p, s, name, out))
            return true;
    }
    return false;
}

static bool declare(struct ptx_parser *p, const char *name, struct ptx_name what, int line)
{
    vec_push(p->mem, &p->names, what);
    if (!map_add(&p->scope->map, name, p->names.n - 1))
        return ptx_fail(p, line, "'%s' is declared twice", name);
    return true;
}

bool ptx_declare_reg(struct ptx_parser *p, const char *name, enum ptx_type type, int line)
{
    if (p->regs.n >= PTX_MAX_REGS)
        return ptx_fail(p, line, "more than %u registers in a function", PTX_MAX_REGS);
    vec_push(p->mem, &p->regs, (struct ptx_reg){name, type});
    return declare(p, name, (struct ptx_name){PTX_NAME_REG, (uint32_t)p->regs.n - 1, 0}, line);
}

static enum ptx_type take_type(struct ptx_parser *p)
{
    enum ptx_type t = PT_NONE;
    if (p->tok.kind == PTX_WORD && p->tok.text[0] == '.')
        t = ptx_type_of(p->tok.text + 1, p->tok.len - 1);
    if (t != PT_NONE)
        ptx_advance(p);
    return t;
}

bool ptx_parse_regs(struct ptx_parser *p)
{
    enum ptx_type type = take_type(p);
    if (type == PT_NONE)
        return ptx_fail(p, p->tok.line, "registers of this kind are not supported: '%s'",
                        ptx_token_text(p));
    do {
        int line = p->tok.line;
        if (p->tok.kind != PTX_WORD)
            return ptx_fail(p, line, "expected the name of a register");
        char *name = ptx_token_text(p);
        ptx_advance(p);
        if (ptx_take_mark(p, '<')) {
            int64_t n;
            if (!ptx_const_int(p, &n))
                return false;
            if (n < 0 || n > PTX_MAX_REGS - (int64_t)p->regs.n)
                return ptx_fail(p, line, "%lld registers '%s'", (long long)n, name);
            if (!ptx_want_mark(p, '>'))
                return false;
            struct ptx_name range = {PTX_NAME_REGS, (uint32_t)p->regs.n, (uint32_t)n};
            if (!declare(p, arena_printf(p->mem, "%s<", name), range, line))
                return false;
            for (int64_t i = 0; i < n; i++)
                vec_push(p->mem, &p->regs, (struct ptx_reg){name, type});
        } else if (!ptx_declare_reg(p, name, type, line)) {
            return false;
        }
    } while (ptx_take_mark(p, ','));
    return ptx_want_mark(p, ';');
}

/* What stands between the space and the name. */
struct prefix {
    uint32_t align;
    enum ptx_type type;
    uint32_t lanes; /* of .v2, .v4 */
    bool is_handle;
};

static bool parse_prefix(struct ptx_parser *p, struct prefix *out)
{
    *out = (struct prefix){.lanes = 1};
    while (p->tok.kind == PTX_WORD && p->tok.text[0] == '.') {
        enum ptx_type t = ptx_type_of(p->tok.text + 1, p->tok.len - 1);
        if (t != PT_NONE) {
            out->type = t;
        } else if (ptx_at_word(p, ".align")) {
            int64_t a;
            ptx_advance(p);
            if (!ptx_const_int(p, &a))
                return false;
            if (a < 1 || a > 4096 || (a & (a - 1)) != 0)
                return ptx_fail(p, p->tok.line, "alignment %lld is not a power of two in 1..4096",
                                (long long)a);
            if (out->type == PT_NONE) /* after it, it belongs to what a .ptr points to */
                out->align = (uint32_t)a;
            continue;
        } else if (ptx_at_word(p, ".texref") || ptx_at_word(p, ".surfref") ||
                   ptx_at_word(p, ".samplerref")) {
            out->type = PT_U64;
            out->is_handle = true;
        } else if (ptx_at_word(p, ".v2") || ptx_at_word(p, ".v4")) {
            out->lanes = (uint32_t)(p->tok.text[2] - '0');
        } else if (ptx_at_word(p, ".attribute")) {
            ptx_advance(p);
            if (!ptx_skip_past(p, ')'))
                return false;
            continue;
        } else if (!(ptx_at_word(p, ".ptr") || ptx_at_word(p, ".global") ||
                     ptx_at_word(p, ".const") || ptx_at_word(p, ".local") ||
                     ptx_at_word(p, ".shared") || ptx_at_word(p, ".param"))) {
            return ptx_fail(p, p->tok.line, "declarations with '%s' are not supported",
                            ptx_token_text(p));
        }
        ptx_advance(p);
    }
    if (out->type == PT_NONE || out->type == PT_PRED)
        return ptx_fail(p, p->tok.line, "expected a type, found '%s'", ptx_token_text(p));
    return true;
}

/* The name and the sizes in brackets. */
static bool parse_declarator(struct ptx_parser *p, const struct prefix *pre, struct ptx_var *v)
{
    v->line = p->tok.line;
    if (p->tok.kind != PTX_WORD)
        return ptx_fail(p, p->tok.line, "expected a name, found '%s'", ptx_token_text(p));
    v->name = ptx_token_text(p);
    ptx_advance(p);
    uint32_t size = ptx_type_bytes(pre->type) * pre->lanes;
    v->type = pre->type;
    v->is_handle = pre->is_handle;
    v->align = pre->align ? pre->align : size;
    v->bytes = size;
    for (bool first = true; ptx_take_mark(p, '['); first = false) {
        int64_t n = 0;
        v->is_array = true;
        if (!ptx_at_mark(p, ']') && !ptx_const_int(p, &n))
            return false;
        if (!ptx_want_mark(p, ']'))
            return false;
        if (n < 0 || (n == 0 && !first) || (n > 0 && v->bytes > PTX_MAX_VAR_BYTES / (uint64_t)n))
            return ptx_fail(p, v->line, "the size of '%s' is out of range", v->name);
        v->bytes *= (uint64_t)n;
    }
    return true;
}

/* ---- initial values ------------------------------------------------------------------------- */

struct init {
    VEC(uint8_t) bytes;
    VEC(struct ptx_fixup) fixups;
};

static void put(struct ptx_parser *p, struct init *in, uint64_t bits, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        vec_push(p->mem, &in->bytes, (uint8_t)(bits >> (8 * i)));
}

static bool init_symbol(struct ptx_parser *p, struct init *in, uint32_t size)
{
    struct ptx_fixup f = {.offset = in->bytes.n, .bytes = size, .line = p->tok.line};
    bool parenthesis = false;
    if (ptx_at_word(p, "generic")) {
        ptx_advance(p);
        f.generic = parenthesis = true;
        if (!ptx_want_mark(p, '('))
            return false;
    }
    if (p->tok.kind != PTX_WORD)
        return ptx_fail(p, p->tok.line, "expected a name, found '%s'", ptx_token_text(p));
    f.symbol = ptx_token_text(p);
    ptx_advance(p);
    if (parenthesis && !ptx_want_mark(p, ')'))
        return false;
    if (ptx_at_mark(p, '+') || ptx_at_mark(p, '-')) {
        if (ptx_at_mark(p, '+'))
            ptx_advance(p);
        if (!ptx_const_int(p, &f.addend))
            return false;
    }
    vec_push(p->mem, &in->fixups, f);
    put(p, in, 0, size);
    return true;
}

static bool init_number(struct ptx_parser *p, struct init *in, enum ptx_type type)
{
    uint32_t size = ptx_type_bytes(type);
    bool negative = ptx_at_mark(p, '-');
    if (negative && ptx_is_float(type))
        ptx_advance(p);
    if (ptx_is_float(type) && p->tok.kind != PTX_INT) {
        double d;
        if (p->tok.kind == PTX_F32) {
            float f;
            uint32_t b = (uint32_t)p->tok.value;
            memcpy(&f, &b, sizeof f);
            d = (double)f;
        } else if (p->tok.kind == PTX_F64) {
            memcpy(&d, &p->tok.value, sizeof d);
        } else {
            return ptx_fail(p, p->tok.line, "expected a number, found '%s'", ptx_token_text(p));
        }
        if (negative)
            d = -d;
        uint64_t bits;
        if (type == PT_F64) {
            memcpy(&bits, &d, sizeof d);
        } else if (type == PT_F32) {
            float f = (float)d;
            uint32_t b;
            memcpy(&b, &f, sizeof f);
            /* the bits as given: no detour that could change a NaN */
            bits = p->tok.kind == PTX_F32 && !negative ? (uint32_t)p->tok.value : b;
        } else {
            return ptx_fail(p, p->tok.line, "initial values of type %s are not supported",
                            ptx_type_name(type));
        }
        put(p, in, bits, size);
        ptx_advance(p);
        return true;
    }
    int64_t v;
    if (!ptx_const_int(p, &v))
        return false;
    put(p, in, (uint64_t)v, size);
    return true;
}

static bool parse_init(struct ptx_parser *p, struct init *in, enum ptx_type type, uint64_t limit,
                       int depth)
{
    if (depth > PTX_MAX_DEPTH)
        return ptx_fail(p, p->tok.line, "braces are nested too deeply");
    if (ptx_take_mark(p, '{')) {
        while (!ptx_at_mark(p, '}')) {
            if (!parse_init(p, in, type, limit, depth + 1))
                return false;
            if (!ptx_take_mark(p, ','))
                break;
        }
        return ptx_want_mark(p, '}');
    }
    if (limit && in->bytes.n + ptx_type_bytes(type) > limit)
        return ptx_fail(p, p->tok.line, "more initial values than the variable has room for");
    return p->tok.kind == PTX_WORD ? init_symbol(p, in, ptx_type_bytes(type))
                                   : init_number(p, in, type);
}

static bool finish_init(struct ptx_parser *p, struct ptx_var *v)
{
    struct init in = {0};
    if (!parse_init(p, &in, v->type, v->bytes, 0))
        return false;
    if (v->bytes == 0)
        v->bytes = in.bytes.n;
    if (v->bytes > (uint64_t)1 << 28)
        return ptx_fail(p, v->line, "'%s' is too large for initial values", v->name);
    uint8_t *all = arena_alloc(p->mem, v->bytes ? v->bytes : 1);
    if (in.bytes.n)
        memcpy(all, in.bytes.at, in.bytes.n);
    v->init = all;
    v->fixups = in.fixups.at;
    v->n_fixups = in.fixups.n;
    return true;
}

bool ptx_parse_vars(struct ptx_parser *p, enum ptx_space space, enum ptx_where where)
{
    struct prefix pre;
    if (!parse_prefix(p, &pre))
        return false;
    do {
        struct ptx_var *v = arena_new(p->mem, struct ptx_var);
        v->space = space;
        v->is_extern = where == PTX_ELSEWHERE;
        if (!parse_declarator(p, &pre, v))
            return false;
        if (ptx_take_mark(p, '=')) {
            if (space != PS_GLOBAL && space != PS_CONST)
                return ptx_fail(p, v->line, "'%s' cannot have an initial value", v->name);
            if (!finish_init(p, v))
                return false;
        }
        if (where == PTX_IN_FUNCTION) {
            vec_push(p->mem, &p->fvars, v);
            if (!declare(p, v->name, (struct ptx_name){PTX_NAME_VAR, (uint32_t)p->fvars.n - 1, 0},
                         v->line))
                return false;
        } else {
            size_t i;
            if (map_get(&p->var_names, v->name, &i)) {
                /* .extern first, the definition later */
                if (p->vars.at[i]->bytes != 0 && p->vars.at[i]->init)
                    return ptx_fail(p, v->line, "'%s' is declared twice", v->name);
                if (!v->is_extern)
                    p->vars.at[i] = v;
            } else {
                map_add(&p->var_names, v->name, p->vars.n);
                vec_push(p->mem, &p->vars, v);
            }
        }
    } while (ptx_take_mark(p, ','));
    return ptx_want_mark(p, ';');
}

bool ptx_parse_param(struct ptx_parser *p, enum ptx_space space, const struct ptx_var **out,
                     uint32_t *reg)
{
    *reg = 0;
    *out = NULL;
    if (ptx_at_word(p, ".reg")) {
        ptx_advance(p);
        enum ptx_type type = take_type(p);
        if (type == PT_NONE || p->tok.kind != PTX_WORD)
            return ptx_fail(p, p->tok.line, "malformed parameter");
        if (!ptx_declare_reg(p, ptx_token_text(p), type, p->tok.line))
            return false;
        *reg = (uint32_t)p->regs.n;
        ptx_advance(p);
        return true;
    }
    if (!ptx_at_word(p, ".param"))
        return ptx_fail(p, p->tok.line, "expected .param, found '%s'", ptx_token_text(p));
    ptx_advance(p);
    struct prefix pre;
    if (!parse_prefix(p, &pre))
        return false;
    struct ptx_var *v = arena_new(p->mem, struct ptx_var);
    v->space = space;
    if (!parse_declarator(p, &pre, v))
        return false;
    if (v->bytes == 0 || v->bytes > 32764)
        return ptx_fail(p, v->line, "parameter '%s' of %llu bytes", v->name,
                        (unsigned long long)v->bytes);
    vec_push(p->mem, &p->fvars, v);
    *out = v;
    return declare(p, v->name, (struct ptx_name){PTX_NAME_VAR, (uint32_t)p->fvars.n - 1, 0},
                   v->line);
}
