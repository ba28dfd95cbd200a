/* SPDX-License-Identifier: MIT
 *
 * Real expressions of workload files: read into a tree once, evaluated for every element. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "sim/workload/workload.h"

#define MAX_DEPTH 64
#define MAX_LOCALS 8
#define MAX_TEXT 4096u
#define MAX_TERMS 100000000.0

enum op {
    OP_NUMBER,
    OP_LOCAL,   /* the element's number, the index of a sum */
    OP_ELEMENT, /* of a buffer */
    OP_BEFORE,  /* … as it was before the first recorded launch */
    OP_SUM,     /* local from a to b (not included): c */
    OP_CHOOSE,  /* a ? b : c */
    OP_NEGATE,
    OP_NOT,
    OP_ADD,
    OP_SUBTRACT,
    OP_MULTIPLY,
    OP_DIVIDE,
    OP_REMAINDER,
    OP_LESS,
    OP_LESS_EQUAL,
    OP_EQUAL,
    OP_UNEQUAL,
    OP_AND,
    OP_OR,
    OP_CALL
};

struct node {
    enum op op;
    uint32_t index; /* local, buffer or function */
    double number;
    const struct node *a, *b, *c;
};

struct workload_real {
    const char *text;
    struct where at;
    const struct node *root;
    const struct workload_buffer *buffers;
    bool asks_before;
};

/* ---- functions ------------------------------------------------------------------------------- */

static double least(double a, double b)
{
    return a < b ? a : b;
}

static double most(double a, double b)
{
    return a > b ? a : b;
}

static double floor_divide(double a, double b)
{
    return floor(a / b);
}

static const struct {
    const char *name;
    double (*one)(double);
    double (*two)(double, double);
    int n_args; /* 3: clamp */
} functions[] = {{"sqrt", sqrt, NULL, 1}, {"exp", exp, NULL, 1},          {"log", log, NULL, 1},
                 {"log2", log2, NULL, 1}, {"sin", sin, NULL, 1},          {"cos", cos, NULL, 1},
                 {"tanh", tanh, NULL, 1}, {"abs", fabs, NULL, 1},         {"floor", floor, NULL, 1},
                 {"ceil", ceil, NULL, 1}, {"pow", NULL, pow, 2},          {"min", NULL, least, 2},
                 {"max", NULL, most, 2},  {"div", NULL, floor_divide, 2}, {"clamp", NULL, NULL, 3}};
#define N_FUNCTIONS (sizeof functions / sizeof *functions)

/* ---- reading --------------------------------------------------------------------------------- */

struct parser {
    const char *text, *at;
    const struct workload_real_scope *scope;
    struct where where;
    struct arena *mem;
    struct err *err;
    const char *locals[MAX_LOCALS];
    size_t lengths[MAX_LOCALS];
    uint32_t n_locals;
    int depth;
    bool in_before, asks_before;
};

static const struct node *choice(struct parser *p);

static const struct node *fail(struct parser *p, const char *what)
{
    err_add(p->err, ERR_INPUT, p->where, "\"=%s\": %s", p->text, what);
    return NULL;
}

static void skip(struct parser *p)
{
    while (isspace((unsigned char)*p->at))
        p->at++;
}

static bool take(struct parser *p, const char *word)
{
    skip(p);
    size_t n = strlen(word);
    if (strncmp(p->at, word, n) != 0)
        return false;
    p->at += n;
    return true;
}

static const struct node *make(struct parser *p, struct node n)
{
    struct node *made = arena_new(p->mem, struct node);
    *made = n;
    return made;
}

static const struct node *number(struct parser *p, double v)
{
    return make(p, (struct node){.op = OP_NUMBER, .number = v});
}

static bool is_name_char(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool is_word(const char *word, const char *start, size_t n)
{
    return strlen(word) == n && memcmp(word, start, n) == 0;
}

static const struct node *function(struct parser *p, uint32_t f)
{
    const struct node *args[3] = {0};
    for (int i = 0; i < functions[f].n_args; i++) {
        if (i && !take(p, ","))
            return fail(p, "a function lacks an argument");
        if (!(args[i] = choice(p)))
            return NULL;
    }
    if (!take(p, ")"))
        return fail(p, "expected ')'");
    return make(p, (struct node){OP_CALL, f, 0, args[0], args[1], args[2]});
}

/* sum(k, from, to, term) */
static const struct node *sum_of(struct parser *p)
{
    skip(p);
    const char *start = p->at;
    while (is_name_char(*p->at))
        p->at++;
    size_t n = (size_t)(p->at - start);
    if (n == 0 || isdigit((unsigned char)*start) || p->n_locals == MAX_LOCALS)
        return fail(p, "sum takes a name, where it begins, where it ends and a term");
    const struct node *from = take(p, ",") ? choice(p) : NULL;
    const struct node *to = from && take(p, ",") ? choice(p) : NULL;
    if (!to || !take(p, ","))
        return fail(p, "sum takes a name, where it begins, where it ends and a term");
    p->locals[p->n_locals] = start;
    p->lengths[p->n_locals] = n;
    uint32_t local = p->n_locals++;
    const struct node *term = choice(p);
    p->n_locals--;
    if (!term)
        return NULL;
    return take(p, ")") ? make(p, (struct node){OP_SUM, local, 0, from, to, term})
                        : fail(p, "expected ')'");
}

static const struct node *before(struct parser *p)
{
    bool was = p->in_before;
    if (!p->scope->has_results)
        return fail(p, "'before' belongs to 'expect'");
    p->in_before = p->asks_before = true;
    const struct node *n = choice(p);
    p->in_before = was;
    return !n || take(p, ")") ? n : fail(p, "expected ')'");
}

static const struct node *element(struct parser *p, const char *start, size_t n)
{
    for (size_t i = 0; i < p->scope->n_buffers; i++)
        if (is_word(p->scope->buffers[i].name, start, n)) {
            const struct node *at = choice(p);
            if (!at)
                return NULL;
            enum op op = p->in_before ? OP_BEFORE : OP_ELEMENT;
            return take(p, "]") ? make(p, (struct node){.op = op, .index = (uint32_t)i, .a = at})
                                : fail(p, "']' is missing");
        }
    err_add(p->err, ERR_INPUT, p->where, "\"=%s\": there is no buffer '%.*s'%s", p->text, (int)n,
            start, p->scope->has_results ? "" : " that has its contents already");
    return NULL;
}

static const struct node *name(struct parser *p)
{
    const char *start = p->at;
    const struct workload_real_scope *s = p->scope;
    while (is_name_char(*p->at))
        p->at++;
    size_t n = (size_t)(p->at - start);
    if (take(p, "(")) {
        if (is_word("sum", start, n))
            return sum_of(p);
        if (is_word("before", start, n))
            return before(p);
        for (uint32_t f = 0; f < N_FUNCTIONS; f++)
            if (is_word(functions[f].name, start, n))
                return function(p, f);
        return fail(p, "functions are sqrt, exp, log, log2, sin, cos, tanh, abs, floor, ceil, pow, "
                       "min, max, div, clamp, sum and before");
    }
    if (take(p, "["))
        return element(p, start, n);
    for (uint32_t i = p->n_locals; i-- > 0;)
        if (p->lengths[i] == n && memcmp(p->locals[i], start, n) == 0)
            return make(p, (struct node){.op = OP_LOCAL, .index = i});
    for (size_t i = s->whole->n; i-- > 0;)
        if (is_word(s->whole->names[i], start, n))
            return number(p, (double)s->whole->values[i]);
    for (size_t i = 0; i < s->n_params; i++)
        if (s->params[i].name && is_word(s->params[i].name, start, n))
            return number(p, s->params[i].real);
    static const struct {
        const char *name;
        double value;
    } constants[] = {
        {"pi", 3.14159265358979323846}, {"inf", (double)INFINITY}, {"nan", (double)NAN}};
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
        if (is_word(constants[i].name, start, n))
            return number(p, constants[i].value);
    err_add(p->err, ERR_INPUT, p->where, "\"=%s\": '%.*s' is not the name of a number", p->text,
            (int)n, start);
    return NULL;
}

static const struct node *primary_of(struct parser *p)
{
    const struct node *n;
    skip(p);
    if (take(p, "-"))
        return (n = primary_of(p)) ? make(p, (struct node){.op = OP_NEGATE, .a = n}) : NULL;
    if (*p->at == '!' && p->at[1] != '=' && take(p, "!"))
        return (n = primary_of(p)) ? make(p, (struct node){.op = OP_NOT, .a = n}) : NULL;
    if (take(p, "(")) {
        n = choice(p);
        return !n || take(p, ")") ? n : fail(p, "expected ')'");
    }
    if (isdigit((unsigned char)*p->at) || *p->at == '.') {
        char *end;
        double v = strtod(p->at, &end);
        if (end == p->at)
            return fail(p, "a character that has no place here");
        p->at = end;
        return number(p, v);
    }
    if (is_name_char(*p->at))
        return name(p);
    return fail(p, *p->at ? "a character that has no place here" : "it ends too early");
}

static const struct node *primary(struct parser *p)
{
    if (p->depth >= MAX_DEPTH)
        return fail(p, "it is nested too deeply");
    p->depth++;
    const struct node *n = primary_of(p);
    p->depth--;
    return n;
}

/* Operators between two, from those that bind most; `swaps`: a > b is b < a. */
static const struct operator
{
    const char *word;
    enum op op;
    int level;
    bool swaps;
}
operators[] = {
    {"*", OP_MULTIPLY, 0, false},   {"/", OP_DIVIDE, 0, false},   {"%", OP_REMAINDER, 0, false},
    {"+", OP_ADD, 1, false},        {"-", OP_SUBTRACT, 1, false}, {"<=", OP_LESS_EQUAL, 2, false},
    {">=", OP_LESS_EQUAL, 2, true}, {"<", OP_LESS, 2, false},     {">", OP_LESS, 2, true},
    {"==", OP_EQUAL, 3, false},     {"!=", OP_UNEQUAL, 3, false}, {"&&", OP_AND, 4, false},
    {"||", OP_OR, 5, false}};
#define LEVELS 6

static const struct node *level(struct parser *p, int l)
{
    const struct node *a = l == 0 ? primary(p) : level(p, l - 1);
    while (a) {
        const struct operator* o = NULL;
        for (size_t i = 0; i < sizeof operators / sizeof *operators && !o; i++)
            if (operators[i].level == l && take(p, operators[i].word))
                o = &operators[i];
        if (!o)
            return a;
        const struct node *b = l == 0 ? primary(p) : level(p, l - 1);
        if (!b)
            return NULL;
        a = make(p, (struct node){.op = o->op, .a = o->swaps ? b : a, .b = o->swaps ? a : b});
    }
    return NULL;
}

static const struct node *choice(struct parser *p)
{
    if (p->depth >= MAX_DEPTH)
        return fail(p, "it is nested too deeply");
    p->depth++;
    const struct node *a = level(p, LEVELS - 1), *b, *c;
    if (a && take(p, "?")) {
        b = choice(p);
        c = b && (take(p, ":") || fail(p, "expected ':'")) ? choice(p) : NULL;
        a = c ? make(p, (struct node){OP_CHOOSE, 0, 0, a, b, c}) : NULL;
    }
    p->depth--;
    return a;
}

const struct workload_real *workload_real_read(const char *text,
                                               const struct workload_real_scope *scope,
                                               struct where at, struct arena *mem, struct err *err)
{
    struct parser p = {
        .text = text, .at = text, .scope = scope, .where = at, .mem = mem, .err = err};
    if (scope->has_element) {
        p.locals[0] = "i";
        p.lengths[0] = 1;
    }
    p.n_locals = 1;
    const struct node *root = strlen(text) > MAX_TEXT ? fail(&p, "it is too long") : choice(&p);
    skip(&p);
    if (root && *p.at)
        root = fail(&p, "it goes on after its end");
    if (!root)
        return NULL;
    struct workload_real *made = arena_new(mem, struct workload_real);
    *made =
        (struct workload_real){arena_strdup(mem, text), at, root, scope->buffers, p.asks_before};
    return made;
}

bool workload_real_asks_before(const struct workload_real *e)
{
    return e->asks_before;
}

/* ---- values ---------------------------------------------------------------------------------- */

struct evaluation {
    const struct workload_real *e;
    const struct workload_contents *contents;
    double locals[MAX_LOCALS];
    struct err *err;
    bool failed;
};

static double value(struct evaluation *v, const struct node *n);

static double element_value(struct evaluation *v, const struct node *n)
{
    const struct workload_buffer *b = &v->e->buffers[n->index];
    double at = value(v, n->a);
    if (v->failed)
        return 0;
    if (!(at >= 0 && at < (double)b->count) || at != floor(at)) {
        v->failed = true;
        err_add(v->err, ERR_INPUT, v->e->at,
                "\"=%s\": there is no element %.9g of '%s', which has %llu (element i = %.0f)",
                v->e->text, at, b->name, (unsigned long long)b->count, v->locals[0]);
        return 0;
    }
    uint8_t *const *data = n->op == OP_BEFORE ? v->contents->before : v->contents->now;
    return workload_get(b->type, data[n->index], (uint64_t)at);
}

static double sum_value(struct evaluation *v, const struct node *n)
{
    double from = value(v, n->a), to = value(v, n->b), all = 0;
    if (!v->failed && !(to - from <= MAX_TERMS)) {
        v->failed = true;
        err_add(v->err, ERR_INPUT, v->e->at, "\"=%s\": a sum from %.9g to %.9g", v->e->text, from,
                to);
    }
    double k = from;
    while (k < to && !v->failed) {
        v->locals[n->index] = k;
        all += value(v, n->c);
        k++;
    }
    return all;
}

static double call_value(struct evaluation *v, const struct node *n)
{
    double a = value(v, n->a), b = n->b ? value(v, n->b) : 0, c = n->c ? value(v, n->c) : 0;
    if (functions[n->index].one)
        return functions[n->index].one(a);
    if (functions[n->index].two)
        return functions[n->index].two(a, b);
    return a < b ? b : a > c ? c : a;
}

static double value(struct evaluation *v, const struct node *n)
{
    if (v->failed)
        return 0;
    switch (n->op) {
    case OP_NUMBER: return n->number;
    case OP_LOCAL: return v->locals[n->index];
    case OP_ELEMENT:
    case OP_BEFORE: return element_value(v, n);
    case OP_SUM: return sum_value(v, n);
    case OP_CHOOSE: return value(v, n->a) != 0 ? value(v, n->b) : value(v, n->c);
    case OP_NEGATE: return -value(v, n->a);
    case OP_NOT: return value(v, n->a) == 0;
    case OP_AND: return value(v, n->a) != 0 && value(v, n->b) != 0;
    case OP_OR: return value(v, n->a) != 0 || value(v, n->b) != 0;
    case OP_CALL: return call_value(v, n);
    default: break;
    }
    double a = value(v, n->a), b = value(v, n->b);
    switch (n->op) {
    case OP_ADD: return a + b;
    case OP_SUBTRACT: return a - b;
    case OP_MULTIPLY: return a * b;
    case OP_DIVIDE: return a / b;
    case OP_REMAINDER: return fmod(a, b);
    case OP_LESS: return a < b;
    case OP_LESS_EQUAL: return a <= b;
    case OP_EQUAL: return a == b;
    default: return a != b;
    }
}

bool workload_real_value(const struct workload_real *e, uint64_t element,
                         const struct workload_contents *contents, double *out, struct err *err)
{
    struct evaluation v = {.e = e, .contents = contents, .err = err};
    v.locals[0] = (double)element;
    *out = value(&v, e->root);
    return !v.failed;
}
