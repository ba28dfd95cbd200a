/* SPDX-License-Identifier: MIT
 *
 * Integer expressions of workload files: signed 64 bits, overflow is an error. */
#include <ctype.h>
#include <string.h>

#include "base/bits.h"
#include "sim/workload/workload.h"

#define MAX_DEPTH 64

struct parser {
    const char *text, *at;
    const struct workload_scope *scope;
    struct where where;
    struct err *err;
    int depth;
};

static bool sum(struct parser *p, int64_t *out);

static bool fail(struct parser *p, const char *what)
{
    return err_add(p->err, ERR_INPUT, p->where, "\"%s\": %s", p->text, what);
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

static bool number(struct parser *p, int64_t *out)
{
    int64_t v = 0;
    for (; isdigit((unsigned char)*p->at); p->at++)
        if (__builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, *p->at - '0', &v))
            return fail(p, "a number does not fit 64 bits");
    *out = v;
    return true;
}

static bool is_name_char(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool divide(struct parser *p, int64_t a, int64_t b, bool remainder, int64_t *out)
{
    if (b == 0)
        return fail(p, "division by zero");
    if (a == INT64_MIN && b == -1)
        return fail(p, "the result does not fit 64 bits");
    *out = remainder ? a % b : a / b;
    return true;
}

static bool call(struct parser *p, const char *name, size_t n, int64_t *out)
{
    static const struct {
        const char *name;
        int n_args;
    } functions[] = {{"min", 2}, {"max", 2}, {"cdiv", 2}, {"log2", 1}, {"clamp", 3}};
    size_t f = 0, n_functions = sizeof functions / sizeof *functions;
    while (f < n_functions &&
           (strlen(functions[f].name) != n || memcmp(functions[f].name, name, n) != 0))
        f++;
    if (f == n_functions)
        return fail(p, "functions are min, max, cdiv, log2 and clamp");
    int64_t a, b = 0, c = 0;
    if (!sum(p, &a))
        return false;
    if (functions[f].n_args >= 2 &&
        !((take(p, ",") || fail(p, "expected a second argument")) && sum(p, &b)))
        return false;
    if (functions[f].n_args == 3 &&
        !((take(p, ",") || fail(p, "expected a third argument")) && sum(p, &c)))
        return false;
    if (!take(p, ")"))
        return fail(p, "expected ')'");
    if (f == 0 || f == 1)
        *out = (a < b) == (f == 0) ? a : b;
    if (f == 2) {
        if (a < 0 || b <= 0)
            return fail(p, "cdiv takes numbers of 0 and more, by one of 1 and more");
        *out = a / b + (a % b != 0);
    }
    if (f == 4) {
        if (b > c)
            return fail(p, "clamp takes a number, the least and the most it may be");
        *out = a < b ? b : a > c ? c : a;
    }
    if (f == 3) {
        if (a < 1)
            return fail(p, "log2 takes a number of 1 and more");
        *out = bits_flog2((uint64_t)a);
    }
    return true;
}

static bool name_value(struct parser *p, int64_t *out)
{
    const char *start = p->at;
    while (is_name_char(*p->at))
        p->at++;
    size_t n = (size_t)(p->at - start);
    if (take(p, "("))
        return call(p, start, n, out);
    for (size_t i = p->scope->n; i-- > 0;)
        if (strlen(p->scope->names[i]) == n && memcmp(p->scope->names[i], start, n) == 0) {
            *out = p->scope->values[i];
            return true;
        }
    return err_add(p->err, ERR_INPUT, p->where, "\"%s\": '%.*s' is not the name of a whole number",
                   p->text, (int)n, start);
}

static bool primary(struct parser *p, int64_t *out)
{
    skip(p);
    if (++p->depth > MAX_DEPTH)
        return fail(p, "it is nested too deeply");
    bool ok;
    if (take(p, "-")) {
        int64_t v;
        ok = primary(p, &v);
        if (ok && v == INT64_MIN)
            return fail(p, "the result does not fit 64 bits");
        if (ok)
            *out = -v;
    } else if (take(p, "(")) {
        ok = sum(p, out) && (take(p, ")") || fail(p, "expected ')'"));
    } else if (isdigit((unsigned char)*p->at)) {
        ok = number(p, out);
    } else if (is_name_char(*p->at)) {
        ok = name_value(p, out);
    } else {
        ok = fail(p, *p->at ? "a character that has no place here" : "it ends too early");
    }
    p->depth--;
    return ok;
}

static bool product(struct parser *p, int64_t *out)
{
    if (!primary(p, out))
        return false;
    for (;;) {
        int64_t b = 0;
        if (take(p, "*")) {
            if (!primary(p, &b))
                return false;
            if (__builtin_mul_overflow(*out, b, out))
                return fail(p, "the result does not fit 64 bits");
        } else if (take(p, "/")) {
            if (!primary(p, &b) || !divide(p, *out, b, false, out))
                return false;
        } else if (take(p, "%")) {
            if (!primary(p, &b) || !divide(p, *out, b, true, out))
                return false;
        } else {
            return true;
        }
    }
}

static bool terms(struct parser *p, int64_t *out)
{
    if (!product(p, out))
        return false;
    for (;;) {
        int64_t b = 0;
        bool plus = take(p, "+");
        if (!plus && !take(p, "-"))
            return true;
        if (!product(p, &b))
            return false;
        if (plus ? __builtin_add_overflow(*out, b, out) : __builtin_sub_overflow(*out, b, out))
            return fail(p, "the result does not fit 64 bits");
    }
}

/* Shifts bind least, as in C. */
static bool sum(struct parser *p, int64_t *out)
{
    if (!terms(p, out))
        return false;
    for (;;) {
        int64_t b = 0;
        bool left = take(p, "<<");
        if (!left && !take(p, ">>"))
            return true;
        if (!terms(p, &b))
            return false;
        if (b < 0 || b > 62 || *out < 0 || (left && *out > INT64_MAX >> b))
            return fail(p, "a shift is out of range");
        *out = left ? *out << b : *out >> b;
    }
}

bool workload_eval(const char *text, const struct workload_scope *scope, struct where at,
                   int64_t *out, struct err *err)
{
    struct parser p = {.text = text, .at = text, .scope = scope, .where = at, .err = err};
    int64_t v = 0;
    if (!sum(&p, &v))
        return false;
    skip(&p);
    if (*p.at)
        return fail(&p, "it goes on after its end");
    *out = v;
    return true;
}
