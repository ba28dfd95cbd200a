/* SPDX-License-Identifier: MIT
 *
 * The module: directives at file scope, and functions. */
#include "sim/ptx/parse.h"

#include <stdarg.h>
#include <string.h>

static const struct {
    const char *name;
    uint32_t bytes;
} types[PT_COUNT] = {[PT_NONE] = {"none", 0},
#define X(id, name, bytes) [PT_##id] = {name, bytes},
                     PTX_TYPES(X)
#undef X
};

static const char *const specials[SR_COUNT] = {
#define X(id, name) [SR_##id] = name,
    PTX_SPECIALS(X)
#undef X
};

uint32_t ptx_type_bytes(enum ptx_type t)
{
    return types[t].bytes;
}

const char *ptx_type_name(enum ptx_type t)
{
    return types[t].name;
}

enum ptx_type ptx_type_of(const char *name, size_t n)
{
    for (int t = PT_PRED; t < PT_COUNT; t++)
        if (strlen(types[t].name) == n && memcmp(types[t].name, name, n) == 0)
            return (enum ptx_type)t;
    return PT_NONE;
}

void ptx_advance(struct ptx_parser *p)
{
    p->tok = ptx_lex_next(&p->lx, p->err);
    if (p->lx.failed)
        p->failed = true;
}

bool ptx_fail(struct ptx_parser *p, int line, const char *fmt, ...)
{
    va_list ap;
    /* after a lexical error only the end follows: its consequences are not worth a message */
    if (!p->lx.failed) {
        va_start(ap, fmt);
        err_add(p->err, ERR_INPUT, AT_LINE(p->lx.file, line), "%s", arena_vprintf(p->mem, fmt, ap));
        va_end(ap);
    }
    p->failed = true;
    return false;
}

bool ptx_at_word(const struct ptx_parser *p, const char *word)
{
    return p->tok.kind == PTX_WORD && strlen(word) == p->tok.len &&
           memcmp(p->tok.text, word, p->tok.len) == 0;
}

char *ptx_token_text(struct ptx_parser *p)
{
    if (p->tok.kind == PTX_END)
        return arena_strdup(p->mem, "end of file");
    return arena_strndup(p->mem, p->tok.text, p->tok.len);
}

bool ptx_take_mark(struct ptx_parser *p, char c)
{
    if (!ptx_at_mark(p, c))
        return false;
    ptx_advance(p);
    return true;
}

bool ptx_want_mark(struct ptx_parser *p, char c)
{
    if (ptx_take_mark(p, c))
        return true;
    return ptx_fail(p, p->tok.line, "expected '%c', found '%s'", c, ptx_token_text(p));
}

bool ptx_skip_past(struct ptx_parser *p, char c)
{
    while (p->tok.kind != PTX_END && !ptx_at_mark(p, c)) {
        if (c == ';' && ptx_at_mark(p, '}'))
            return true;
        ptx_advance(p);
    }
    if (p->tok.kind == PTX_END)
        return false;
    ptx_advance(p);
    return true;
}

/* Signed integers with unary - and ~; PTX allows more, compilers write no more. */
bool ptx_const_int(struct ptx_parser *p, int64_t *out)
{
    bool negative = false, inverted = false;
    while (ptx_at_mark(p, '-') || ptx_at_mark(p, '~') || ptx_at_mark(p, '+')) {
        negative ^= ptx_at_mark(p, '-');
        inverted ^= ptx_at_mark(p, '~');
        ptx_advance(p);
    }
    if (p->tok.kind != PTX_INT)
        return ptx_fail(p, p->tok.line, "expected an integer, found '%s'", ptx_token_text(p));
    uint64_t v = p->tok.value;
    ptx_advance(p);
    if (inverted)
        v = ~v;
    *out = (int64_t)(negative ? 0 - v : v);
    return true;
}

static void begin_function(struct ptx_parser *p)
{
    struct ptx_scope *s = arena_new(p->mem, struct ptx_scope);
    map_init(&s->map, p->mem);
    p->scope = s;
    p->names.n = 0;
    p->regs.at = NULL;
    p->regs.n = p->regs.cap = 0;
    p->fvars.at = NULL;
    p->fvars.n = p->fvars.cap = 0;
    p->labels.at = NULL;
    p->labels.n = p->labels.cap = 0;
    p->stmts.at = NULL;
    p->stmts.n = p->stmts.cap = 0;
    p->source_file = p->source_line = 0;
    map_init(&p->label_names, p->mem);
}

/* A parenthesised list of parameters. */
static bool parse_params(struct ptx_parser *p, enum ptx_space space,
                         const struct ptx_var *const **out, const uint32_t **regs, uint32_t *n)
{
    VEC(const struct ptx_var *) params = {0};
    VEC(uint32_t) reg_ids = {0};
    if (!ptx_want_mark(p, '('))
        return false;
    if (!ptx_at_mark(p, ')')) {
        do {
            const struct ptx_var *v;
            uint32_t reg;
            if (!ptx_parse_param(p, space, &v, &reg))
                return false;
            vec_push(p->mem, &params, v);
            vec_push(p->mem, &reg_ids, reg);
        } while (ptx_take_mark(p, ','));
    }
    *out = params.at;
    *regs = reg_ids.at;
    *n = (uint32_t)params.n;
    return ptx_want_mark(p, ')');
}

static bool parse_counts(struct ptx_parser *p, uint32_t out[3])
{
    for (int i = 0; i < 3; i++) {
        int64_t v = 0;
        if (!ptx_const_int(p, &v))
            return false;
        out[i] = v < 0 || v > UINT32_MAX ? 0 : (uint32_t)v;
        if (!ptx_take_mark(p, ',')) {
            for (int k = i + 1; k < 3; k++)
                out[k] = 1;
            return true;
        }
    }
    return true;
}

/* .maxntid and the like, between the parameters and the body. */
static bool parse_attributes(struct ptx_parser *p, struct ptx_func *f)
{
    uint32_t ignored[3] = {0};
    while (p->tok.kind == PTX_WORD && p->tok.text[0] == '.') {
        bool req = ptx_at_word(p, ".reqntid"), max = ptx_at_word(p, ".maxntid");
        bool counted = req || max || ptx_at_word(p, ".minnctapersm") ||
                       ptx_at_word(p, ".maxnctapersm") || ptx_at_word(p, ".maxnreg") ||
                       ptx_at_word(p, ".maxclusterrank");
        if (ptx_at_word(p, ".pragma")) {
            if (!ptx_skip_past(p, ';'))
                return false;
            continue;
        }
        if (!counted && !ptx_at_word(p, ".noreturn"))
            return ptx_fail(p, p->tok.line, "attribute '%s' is not supported", ptx_token_text(p));
        ptx_advance(p);
        if (counted && !parse_counts(p, req ? f->reqntid : max ? f->maxntid : ignored))
            return false;
    }
    return true;
}

static bool finish_function(struct ptx_parser *p, struct ptx_func *f)
{
    f->regs = p->regs.at;
    f->n_regs = (uint32_t)p->regs.n;
    f->vars = p->fvars.at;
    f->n_vars = (uint32_t)p->fvars.n;
    f->labels = p->labels.at;
    f->n_labels = (uint32_t)p->labels.n;
    f->stmts = p->stmts.at;
    f->n_stmts = (uint32_t)p->stmts.n;
    for (uint32_t i = 0; i < f->n_labels; i++)
        for (uint32_t k = 0; k < f->labels[i].n_targets; k++) {
            const struct ptx_label *l = &f->labels[f->labels[i].targets[k]];
            if (!l->line)
                return ptx_fail(p, f->labels[i].line, "label '%s' is not defined", l->name);
        }
    size_t i;
    if (map_get(&p->func_names, f->name, &i)) {
        if (p->funcs.at[i]->has_body && f->has_body)
            return ptx_fail(p, f->line, "function '%s' is defined twice", f->name);
        if (f->has_body)
            p->funcs.at[i] = f;
        return true;
    }
    map_add(&p->func_names, f->name, p->funcs.n);
    vec_push(p->mem, &p->funcs, f);
    return true;
}

/* From the '{' to behind its '}'; false: it does not come. */
static bool skip_braces(struct ptx_parser *p)
{
    int depth = 0;
    do {
        depth += ptx_at_mark(p, '{') ? 1 : ptx_at_mark(p, '}') ? -1 : 0;
        if (p->tok.kind == PTX_END)
            return false;
        ptx_advance(p);
    } while (depth > 0);
    return true;
}

static void keep_refusals(struct ptx_parser *p, struct ptx_func *f, const struct err *found)
{
    VEC(struct ptx_refusal) all = {0};
    for (const struct err_entry *e = found->first; e; e = e->next)
        vec_push(p->mem, &all, (struct ptx_refusal){e->at.line, arena_strdup(p->mem, e->text)});
    f->refusals = all.at;
    f->n_refusals = (uint32_t)all.n;
}

/* What is wrong inside a body concerns the kernels that use it, unless its end cannot be found. */
static bool read_body(struct ptx_parser *p, struct ptx_func *f)
{
    struct ptx_lexer at = p->lx;
    struct ptx_token first = p->tok;
    struct err found, *outer = p->err;
    err_init(&found);
    p->err = &found;
    bool ok = ptx_parse_body(p) && !p->failed, may_go_on = !p->lx.failed;
    p->err = outer;
    if (!ok && may_go_on) {
        begin_function(p);
        p->failed = false;
        p->lx = at;
        p->tok = first;
        may_go_on = skip_braces(p);
        keep_refusals(p, f, &found);
    }
    if (!may_go_on)
        err_join(outer, &found);
    p->failed = !may_go_on;
    err_free(&found);
    return may_go_on;
}

static bool parse_function(struct ptx_parser *p, bool is_entry)
{
    struct ptx_func *f = arena_new(p->mem, struct ptx_func);
    enum ptx_space space = is_entry ? PS_PARAM : PS_CALL_PARAM;
    f->is_entry = is_entry;
    f->line = p->tok.line;
    begin_function(p);
    if (ptx_at_word(p, ".attribute")) {
        ptx_advance(p);
        if (!ptx_skip_past(p, ')'))
            return false;
    }
    if (!is_entry && ptx_at_mark(p, '(') &&
        !parse_params(p, space, &f->returns, &f->return_regs, &f->n_returns))
        return false;
    if (p->tok.kind != PTX_WORD)
        return ptx_fail(p, p->tok.line, "expected the name of a function");
    f->name = ptx_token_text(p);
    ptx_advance(p);
    if (ptx_at_mark(p, '(') && !parse_params(p, space, &f->params, &f->param_regs, &f->n_params))
        return false;
    if (!parse_attributes(p, f))
        return false;
    if (!ptx_take_mark(p, ';')) {
        f->has_body = true;
        if (!read_body(p, f))
            return false;
    }
    return finish_function(p, f);
}

static bool parse_version(struct ptx_parser *p)
{
    uint32_t major = 0, minor = 0;
    size_t i = 0;
    for (; i < p->tok.len && p->tok.text[i] >= '0' && p->tok.text[i] <= '9' && major < 1000; i++)
        major = major * 10 + (uint32_t)(p->tok.text[i] - '0');
    for (i++; i < p->tok.len && p->tok.text[i] >= '0' && p->tok.text[i] <= '9' && minor < 1000; i++)
        minor = minor * 10 + (uint32_t)(p->tok.text[i] - '0');
    if (p->tok.kind != PTX_F64 || major < 1)
        return ptx_fail(p, p->tok.line, "malformed version '%s'", ptx_token_text(p));
    p->version = major * 10 + minor;
    ptx_advance(p);
    return true;
}

bool ptx_skip_line(struct ptx_parser *p)
{
    int line = p->tok.line;
    while (p->tok.kind != PTX_END && p->tok.line == line)
        ptx_advance(p);
    return true;
}

bool ptx_parse_source_line(struct ptx_parser *p)
{
    bool is_file = ptx_at_word(p, ".file");
    int line = p->tok.line;
    ptx_advance(p);
    if (p->tok.kind != PTX_INT || p->tok.line != line || p->tok.value > UINT32_MAX)
        return ptx_skip_line(p);
    uint32_t number = (uint32_t)p->tok.value;
    ptx_advance(p);
    if (is_file && p->tok.kind == PTX_STRING && p->tok.line == line)
        vec_push(p->mem, &p->sources, (struct ptx_source_file){number, ptx_token_text(p)});
    /* line 0: code that belongs to no line of the source */
    if (!is_file && p->tok.kind == PTX_INT && p->tok.line == line && p->tok.value > 0) {
        p->source_file = number;
        p->source_line = p->tok.value > INT32_MAX ? 0 : (uint32_t)p->tok.value;
    }
    return p->tok.line == line ? ptx_skip_line(p) : true;
}

static bool parse_module_item(struct ptx_parser *p)
{
    static const struct {
        const char *word;
        enum ptx_space space;
    } spaces[] = {{".global", PS_GLOBAL}, {".const", PS_CONST}, {".shared", PS_SHARED}};

    if (ptx_at_word(p, ".version")) {
        ptx_advance(p);
        return parse_version(p);
    }
    if (ptx_at_word(p, ".target")) {
        ptx_advance(p);
        p->target = ptx_token_text(p);
        do
            ptx_advance(p);
        while (ptx_take_mark(p, ','));
        return true;
    }
    if (ptx_at_word(p, ".address_size")) {
        int64_t bits = 0;
        ptx_advance(p);
        int line = p->tok.line;
        if (!ptx_const_int(p, &bits))
            return false;
        return bits == 64 ||
               ptx_fail(p, line, "only 64-bit addresses are supported, not %lld", (long long)bits);
    }
    if (ptx_at_word(p, ".visible") || ptx_at_word(p, ".extern") || ptx_at_word(p, ".weak") ||
        ptx_at_word(p, ".common")) {
        p->is_extern = ptx_at_word(p, ".extern");
        ptx_advance(p);
        return true;
    }
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (ptx_at_word(p, spaces[i].word)) {
            bool is_extern = p->is_extern && spaces[i].space != PS_SHARED;
            ptx_advance(p);
            p->is_extern = false;
            return ptx_parse_vars(p, spaces[i].space, is_extern ? PTX_ELSEWHERE : PTX_IN_FILE);
        }
    if (ptx_at_word(p, ".entry") || ptx_at_word(p, ".func")) {
        bool is_entry = ptx_at_word(p, ".entry");
        p->is_extern = false;
        ptx_advance(p);
        return parse_function(p, is_entry);
    }
    if (ptx_at_word(p, ".pragma") || ptx_at_word(p, ".alias"))
        return ptx_skip_past(p, ';');
    if (ptx_at_word(p, ".file") || ptx_at_word(p, ".loc"))
        return ptx_parse_source_line(p);
    if (ptx_at_word(p, ".section")) {
        while (p->tok.kind != PTX_END && !ptx_at_mark(p, '{'))
            ptx_advance(p);
        return skip_braces(p) || ptx_fail(p, p->tok.line, "a section does not end");
    }
    return ptx_fail(p, p->tok.line, "'%s' is not supported at file scope", ptx_token_text(p));
}

bool ptx_parse(const char *file, const char *text, size_t n, struct arena *mem,
               struct ptx_module *out, struct err *err)
{
    struct ptx_parser p = {.mem = mem, .err = err};
    ptx_lex_init(&p.lx, file, text, n);
    map_init(&p.var_names, mem);
    map_init(&p.func_names, mem);
    map_init(&p.special_names, mem);
    for (size_t i = 0; i < SR_COUNT; i++)
        map_add(&p.special_names, specials[i], i);
    ptx_advance(&p);
    if (p.tok.kind == PTX_END)
        ptx_fail(&p, 1, "the file holds no PTX");
    /* at file scope the first error is the last: what follows would be misread */
    while (p.tok.kind != PTX_END && parse_module_item(&p))
        ;
    if (p.failed)
        return false;
    if (!p.version)
        return err_add(err, ERR_INPUT, AT_LINE(file, 1), "there is no .version directive");
    *out = (struct ptx_module){.file = arena_strdup(mem, file),
                               .version = p.version,
                               .target = p.target ? p.target : "",
                               .vars = p.vars.at,
                               .n_vars = (uint32_t)p.vars.n,
                               .funcs = p.funcs.at,
                               .n_funcs = (uint32_t)p.funcs.n,
                               .sources = p.sources.at,
                               .n_sources = (uint32_t)p.sources.n};
    return true;
}

const struct ptx_func *ptx_find_func(const struct ptx_module *m, const char *name)
{
    for (uint32_t i = 0; i < m->n_funcs; i++)
        if (strcmp(m->funcs[i]->name, name) == 0)
            return m->funcs[i];
    return NULL;
}

const struct ptx_var *ptx_find_var(const struct ptx_module *m, const char *name)
{
    for (uint32_t i = 0; i < m->n_vars; i++)
        if (strcmp(m->vars[i]->name, name) == 0)
            return m->vars[i];
    return NULL;
}

const char *ptx_find_source(const struct ptx_module *m, uint32_t number)
{
    for (uint32_t i = 0; i < m->n_sources; i++)
        if (m->sources[i].number == number)
            return m->sources[i].name;
    return NULL;
}
