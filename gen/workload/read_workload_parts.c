/* SPDX-License-Identifier: MIT
 *
 * Buffers and launches of workload files. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/near.h"
#include "base/vec.h"
#include "gen/config/setting.h"
#include "gen/workload/read_workload_impl.h"

#define MAX_NODES ((int64_t)1 << 30)
#define MAX_COUNT ((int64_t)1 << 36)

/* ---- names ----------------------------------------------------------------------------------- */

static uint32_t find_buffer(const struct workload_reader *r, const char *name, size_t n)
{
    for (size_t i = 0; i < r->w->n_buffers; i++)
        if (strlen(r->w->buffers[i].name) == n && memcmp(r->w->buffers[i].name, name, n) == 0)
            return (uint32_t)i;
    return UINT32_MAX;
}

uint32_t wr_buffer(struct workload_reader *r, const config_setting_t *s, const char *name)
{
    uint32_t b = find_buffer(r, name, strlen(name));
    if (b != UINT32_MAX)
        return b;
    const char **names = arena_many(r->mem, const char *, r->w->n_buffers + 1);
    for (size_t i = 0; i < r->w->n_buffers; i++)
        names[i] = r->w->buffers[i].name;
    const char *near = near_hint(name, names, r->w->n_buffers, r->mem);
    wr_fail(r, s, "there is no buffer '%s'%s", name, near);
    return UINT32_MAX;
}

bool wr_element(struct workload_reader *r, const config_setting_t *s, const char *text,
                uint32_t *buffer, struct workload_expr *element, bool *failed)
{
    size_t n = strcspn(text, "[");
    size_t name_end = n;
    *failed = false;
    while (name_end && text[name_end - 1] == ' ')
        name_end--;
    *buffer = find_buffer(r, text, name_end);
    if (*buffer == UINT32_MAX)
        return false;
    *element = (struct workload_expr){.at = wr_at(r, s)};
    if (!text[n])
        return true;
    size_t end = strlen(text);
    while (end > n && text[end - 1] == ' ')
        end--;
    if (text[end - 1] != ']') {
        *failed = true;
        return wr_fail(r, s, "'%s': ']' is missing", text);
    }
    *failed = !wr_expr_text(r, s, arena_strndup(r->mem, text + n + 1, end - n - 2), element);
    return !*failed;
}

/* ---- buffers --------------------------------------------------------------------------------- */

static const char *const type_names[] = {"u8",  "s8",  "u16", "s16", "u32", "s32",
                                         "u64", "s64", "f32", "f64", NULL};

int wr_type(const char *name, size_t n)
{
    for (int i = 0; type_names[i]; i++)
        if (strlen(type_names[i]) == n && memcmp(type_names[i], name, n) == 0)
            return i;
    return -1;
}

static bool is_real(enum ref_type t)
{
    return t == REF_F32 || t == REF_F64;
}

/* A number that the buffer's type can take. */
static void element_value(struct workload_reader *r, const config_setting_t *s, enum ref_type type,
                          struct workload_number *out)
{
    if (!wr_number(r, s, out))
        return;
    if (out->is_real && !is_real(type)) {
        if (floor(out->real) != out->real || fabs(out->real) > 9e15)
            wr_fail(r, s, "%g is not a value of type %s", out->real, workload_type_name(type));
        *out = (struct workload_number){.integer = fabs(out->real) > 9e15 ? 0 : (int64_t)out->real,
                                        .real = out->real};
    }
}

static void read_values(struct workload_reader *r, const config_setting_t *s,
                        struct workload_buffer *b)
{
    if (!config_setting_is_array(s) && !config_setting_is_list(s)) {
        wr_fail(r, s, "'values' must be an array of numbers");
        return;
    }
    int n = config_setting_length(s);
    struct workload_number *all = arena_many(r->mem, struct workload_number, (size_t)n + 1);
    for (int i = 0; i < n; i++)
        element_value(r, config_setting_get_elem(s, (unsigned)i), b->type, &all[i]);
    b->values = all;
    b->n_values = (size_t)n;
    if (n == 0)
        wr_fail(r, s, "'values' is empty");
}

static bool is_square(int64_t n)
{
    int64_t side = (int64_t)llround(sqrt((double)n));
    return side * side == n;
}

static void read_graph(struct workload_reader *r, const config_setting_t *g,
                       struct workload_buffer *b)
{
    static const char *const graphs[] = {"uniform", "rmat", "torus", NULL};
    static const char *const parts[] = {"rows", "degrees", "edges", NULL};
    const config_setting_t *graph = config_setting_get_member(g, "graph"),
                           *part = config_setting_get_member(g, "part"),
                           *nodes = config_setting_get_member(g, "nodes"),
                           *degree = config_setting_get_member(g, "degree");
    if (!graph || !part || !nodes || !degree) {
        wr_fail(r, g, "a graph needs 'graph', 'part', 'nodes' and 'degree'");
        return;
    }
    int kind = wr_word(r, graph, graphs), which = wr_word(r, part, parts);
    if (kind < 0 || which < 0 || !wr_int(r, nodes, &b->nodes) || !wr_int(r, degree, &b->degree))
        return;
    b->graph = (enum workload_graph)kind;
    b->part = (enum workload_part)which;
    if (b->nodes < 1 || b->nodes > MAX_NODES || b->degree < 0 || b->degree > MAX_NODES / b->nodes) {
        wr_fail(r, nodes, "a graph of %" PRId64 " nodes with %" PRId64 " edges each", b->nodes,
                b->degree);
        return;
    }
    if (kind == WG_TORUS && (b->degree != 4 || !is_square(b->nodes)))
        wr_fail(r, nodes, "a torus has degree 4 and a square number of nodes");
    int64_t want = which == WP_ROWS      ? b->nodes + 1
                   : which == WP_DEGREES ? b->nodes
                                         : b->nodes * b->degree;
    if (is_real(b->type) || (uint64_t)want > b->count)
        wr_fail(r, part, "this part of the graph needs %" PRId64 " whole numbers", want);
}

static void read_random(struct workload_reader *r, const config_setting_t *g,
                        struct workload_buffer *b)
{
    const config_setting_t *low = config_setting_get_member(g, "low"),
                           *high = config_setting_get_member(g, "high");
    static const int64_t most[] = {
        [REF_U8] = 256,        [REF_S8] = 128,        [REF_U16] = 65536,     [REF_S16] = 32768,
        [REF_U32] = INT32_MAX, [REF_S32] = INT32_MAX, [REF_U64] = INT32_MAX, [REF_S64] = INT32_MAX,
        [REF_F32] = 1,         [REF_F64] = 1};
    b->low = (struct workload_number){0};
    b->high = (struct workload_number){.integer = most[b->type], .real = (double)most[b->type]};
    if (low)
        element_value(r, low, b->type, &b->low);
    if (high)
        element_value(r, high, b->type, &b->high);
    if (r->ok &&
        (is_real(b->type) ? !(b->low.real < b->high.real) : b->low.integer >= b->high.integer))
        wr_fail(r, g, "'low' of buffer '%s' is not below 'high'", b->name);
}

/* Keys that belong to some kinds of contents only. */
static void check_init_keys(struct workload_reader *r, const config_setting_t *g,
                            enum workload_init init)
{
    static const struct {
        const char *key;
        unsigned inits; /* bit set */
    } belongs[] = {{"value", 1u << WI_VALUE},
                   {"start", 1u << WI_IOTA},
                   {"step", 1u << WI_IOTA | 1u << WI_ADDRESSES},
                   {"mod", 1u << WI_IOTA},
                   {"low", 1u << WI_RANDOM},
                   {"high", 1u << WI_RANDOM},
                   {"values", 1u << WI_VALUES | 1u << WI_ADDRESSES},
                   {"file", 1u << WI_FILE},
                   {"graph", 1u << WI_GRAPH},
                   {"nodes", 1u << WI_GRAPH},
                   {"degree", 1u << WI_GRAPH},
                   {"part", 1u << WI_GRAPH},
                   {"seed", 1u << WI_RANDOM | 1u << WI_GRAPH}};
    for (size_t i = 0; i < sizeof belongs / sizeof *belongs; i++) {
        const config_setting_t *s = config_setting_get_member(g, belongs[i].key);
        if (s && !(belongs[i].inits >> init & 1))
            wr_fail(r, s, "'%s' does not belong to this 'init'", belongs[i].key);
    }
}

static void read_init(struct workload_reader *r, const config_setting_t *g,
                      struct workload_buffer *b)
{
    static const char *const inits[] = {"zero", "value", "iota",      "random", "values",
                                        "file", "graph", "addresses", NULL};
    const config_setting_t *init = config_setting_get_member(g, "init"), *s;
    const char *text = init && config_setting_type(init) == CONFIG_TYPE_STRING
                           ? config_setting_get_string(init)
                           : NULL;
    if (text && strncmp(text, "file:", 5) == 0) { /* init = "file:data.bin" */
        b->init = WI_FILE;
        b->file =
            text[5] == '/' ? arena_strdup(r->mem, text + 5) : path_join(r->mem, r->dir, text + 5);
        check_init_keys(r, g, WI_KEEP);
        return;
    }
    if (text && text[0] == '=') { /* init = "= sin(i)" */
        b->init = WI_FORMULA;
        b->formula = arena_strdup(r->mem, text);
        wr_check_real(r, init, text, r->w->n_buffers, true, false);
        check_init_keys(r, g, WI_KEEP);
        return;
    }
    int kind = init ? wr_word(r, init, inits) : 0;
    if (kind < 0)
        return;
    b->init = init || !b->symbol ? (enum workload_init)(WI_ZERO + kind) : WI_KEEP;
    check_init_keys(r, g, b->init);
    int64_t seed = 1;
    if ((s = config_setting_get_member(g, "seed")))
        wr_int(r, s, &seed);
    b->seed = (uint64_t)seed;
    if (b->init == WI_VALUE) {
        if ((s = config_setting_get_member(g, "value")))
            element_value(r, s, b->type, &b->value);
        else
            wr_fail(r, g, "'value' of buffer '%s' is missing", b->name);
    }
    if (b->init == WI_IOTA) {
        b->step = (struct workload_number){.integer = 1, .real = 1};
        if ((s = config_setting_get_member(g, "start")))
            element_value(r, s, b->type, &b->start);
        if ((s = config_setting_get_member(g, "step")))
            element_value(r, s, b->type, &b->step);
        if ((s = config_setting_get_member(g, "mod")) && wr_int(r, s, &b->mod) &&
            (b->mod < 1 || is_real(b->type)))
            wr_fail(r, s, "'mod' must be 1 or more, and is for integers");
    }
    if (b->init == WI_RANDOM)
        read_random(r, g, b);
    if (b->init == WI_VALUES) {
        if ((s = config_setting_get_member(g, "values")))
            read_values(r, s, b);
        else
            wr_fail(r, g, "'values' of buffer '%s' is missing", b->name);
    }
    if (b->init == WI_FILE) {
        s = config_setting_get_member(g, "file");
        const char *path = s ? wr_string(r, s) : NULL;
        if (path)
            b->file = path[0] == '/' ? path : path_join(r->mem, r->dir, path);
        else if (!s)
            wr_fail(r, g, "'file' of buffer '%s' is missing", b->name);
    }
    if (b->init == WI_GRAPH)
        read_graph(r, g, b);
    if (b->init == WI_ADDRESSES && b->type != REF_U64 && b->type != REF_S64)
        wr_fail(r, init, "addresses have 64 bits: type u64");
    if (b->init == WI_ADDRESSES && (s = config_setting_get_member(g, "step")))
        wr_int(r, s, &b->address_step);
}

static void read_expect(struct workload_reader *r, const config_setting_t *g,
                        struct workload_buffer *b)
{
    const config_setting_t *s = config_setting_get_member(g, "expect");
    const char *path = s ? wr_string(r, s) : NULL;
    struct workload_number v;
    if (path && path[0] == '=')
        b->expect_formula = path;
    else if (path)
        b->expect = path[0] == '/' ? path : path_join(r->mem, r->dir, path);
    if (!(s = config_setting_get_member(g, "tolerance")) || !wr_number(r, s, &v))
        return;
    if (!b->expect && !b->expect_formula)
        wr_fail(r, s, "'tolerance' belongs to 'expect'");
    else if (!(v.real >= 0 && isfinite(v.real)))
        wr_fail(r, s, "%g is not 0 or more and finite", v.real);
    b->tolerance = v.real;
}

static bool read_buffer(struct workload_reader *r, const config_setting_t *g,
                        struct workload_buffer *b)
{
    static const char *const keys[] = {"name",   "type",      "count", "init",   "value", "start",
                                       "step",   "mod",       "low",   "high",   "seed",  "values",
                                       "file",   "graph",     "nodes", "degree", "part",  "symbol",
                                       "expect", "tolerance", NULL};
    *b = (struct workload_buffer){.at = wr_at(r, g)};
    if (!config_setting_is_group(g))
        return wr_fail(r, g, "a buffer must be a group: { name = \"a\"; type = \"f32\"; … }");
    wr_check_keys(r, g, keys, "in a buffer");
    const config_setting_t *name = config_setting_get_member(g, "name"),
                           *type = config_setting_get_member(g, "type"),
                           *count = config_setting_get_member(g, "count"),
                           *symbol = config_setting_get_member(g, "symbol");
    if (name)
        b->name = wr_string(r, name);
    if (!name || !type || !count)
        return wr_fail(r, g, "a buffer needs 'name', 'type' and 'count'");
    int t = wr_word(r, type, type_names);
    int64_t n;
    if (!b->name || t < 0 || !wr_int(r, count, &n))
        return false;
    if (n < 1 || n > MAX_COUNT)
        return wr_fail(r, count, "buffer '%s' of %" PRId64 " elements; 1 to %" PRId64 " are legal",
                       b->name, n, MAX_COUNT);
    b->type = (enum ref_type)t;
    b->count = (uint64_t)n;
    if (symbol)
        b->symbol = wr_string(r, symbol);
    if (find_buffer(r, b->name, strlen(b->name)) != UINT32_MAX)
        return wr_fail(r, name, "there are two buffers '%s'", b->name);
    for (size_t i = 0; i < r->w->n_params; i++)
        if (strcmp(r->w->params[i].name, b->name) == 0)
            return wr_fail(r, name, "'%s' is a parameter too; both stand in 'args'", b->name);
    read_init(r, g, b);
    read_expect(r, g, b);
    return true;
}

void wr_buffers(struct workload_reader *r, const config_setting_t *list)
{
    if (!config_setting_is_list(list)) {
        wr_fail(r, list, "'buffers' must be a list: ( { … }, { … } )");
        return;
    }
    int n = config_setting_length(list);
    struct workload_buffer *all = arena_many(r->mem, struct workload_buffer, (size_t)n + 1);
    r->w->buffers = all;
    struct workload_buffer **of = arena_many(r->mem, struct workload_buffer *, (size_t)n + 1);
    for (int i = 0; i < n; i++) {
        struct workload_buffer *b = &all[r->w->n_buffers];
        /* one with a mistake is known by its name all the same: its users are not wrong */
        if (read_buffer(r, config_setting_get_elem(list, (unsigned)i), b) || b->name)
            of[i] = &all[r->w->n_buffers++];
        else
            *b = (struct workload_buffer){0};
    }
    /* what speaks of other buffers */
    for (int i = 0; i < n; i++) {
        const config_setting_t *g = config_setting_get_elem(list, (unsigned)i), *s;
        struct workload_buffer *b = of[i];
        if (!b)
            continue;
        if (b->expect_formula && (s = config_setting_get_member(g, "expect")))
            wr_check_real(r, s, b->expect_formula, r->w->n_buffers, true, true);
        if (b->init == WI_ADDRESSES)
            wr_addresses(r, g, b);
    }
}

/* ---- launches -------------------------------------------------------------------------------- */

static void read_dim(struct workload_reader *r, const config_setting_t *s,
                     struct workload_expr out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = (struct workload_expr){.value = 1, .at = wr_at(r, s)};
    if (!config_setting_is_array(s) && !config_setting_is_list(s)) {
        wr_expr(r, s, &out[0]);
        return;
    }
    int n = config_setting_length(s);
    if (n < 1 || n > 3)
        wr_fail(r, s, "'%s' takes one to three numbers", config_setting_name(s));
    for (int i = 0; i < n && i < 3; i++)
        wr_expr(r, config_setting_get_elem(s, (unsigned)i), &out[i]);
}

static void read_flag(struct workload_reader *r, const config_setting_t *s, bool *out)
{
    if (s && config_setting_type(s) != CONFIG_TYPE_BOOL)
        wr_fail(r, s, "'%s' must be true or false", config_setting_name(s));
    else if (s)
        *out = config_setting_get_bool(s);
}

static void read_launch(struct workload_reader *r, const config_setting_t *g,
                        struct workload_step *s)
{
    static const char *const keys[] = {"entry",  "grid",   "block",       "args",
                                       "shared", "record", "cooperative", NULL};
    const config_setting_t *entry = config_setting_get_member(g, "entry"),
                           *grid = config_setting_get_member(g, "grid"),
                           *block = config_setting_get_member(g, "block"),
                           *args = config_setting_get_member(g, "args"),
                           *shared = config_setting_get_member(g, "shared"),
                           *record = config_setting_get_member(g, "record");
    wr_check_keys(r, g, keys, "in a launch");
    s->kind = WS_LAUNCH;
    s->entry = wr_string(r, entry);
    s->record = true;
    s->shared.at = s->at;
    if (!grid || !block) {
        wr_fail(r, g, "a launch needs 'grid' and 'block'");
        return;
    }
    read_dim(r, grid, s->grid);
    read_dim(r, block, s->block);
    if (args)
        wr_args(r, args, s);
    if (shared)
        wr_expr(r, shared, &s->shared);
    read_flag(r, record, &s->record);
    read_flag(r, config_setting_get_member(g, "cooperative"), &s->cooperative);
}

static void read_body(struct workload_reader *r, const config_setting_t *g, struct workload_step *s)
{
    const config_setting_t *body = config_setting_get_member(g, "body");
    if (!body) {
        wr_fail(r, g, "a loop needs 'body'");
        return;
    }
    if (r->depth >= WORKLOAD_MAX_LOOPS) {
        wr_fail(r, g, "loops are nested more than %d deep", WORKLOAD_MAX_LOOPS);
        return;
    }
    size_t before = r->scope.n;
    if (s->index) {
        r->names[r->scope.n] = s->index;
        r->values[r->scope.n++] = 0;
    }
    r->depth++;
    wr_steps(r, body, &s->body, &s->n_body);
    r->depth--;
    r->scope.n = before;
}

static void read_repeat(struct workload_reader *r, const config_setting_t *g,
                        struct workload_step *s)
{
    static const char *const keys[] = {"repeat", "index", "body", NULL};
    const config_setting_t *index = config_setting_get_member(g, "index");
    wr_check_keys(r, g, keys, "in a loop");
    s->kind = WS_REPEAT;
    wr_expr(r, config_setting_get_member(g, "repeat"), &s->repeat);
    if (index)
        s->index = wr_string(r, index);
    read_body(r, g, s);
}

static void read_while(struct workload_reader *r, const config_setting_t *g,
                       struct workload_step *s)
{
    static const char *const keys[] = {"while", "body", "limit", NULL};
    const config_setting_t *word = config_setting_get_member(g, "while"),
                           *limit = config_setting_get_member(g, "limit");
    wr_check_keys(r, g, keys, "in a loop on data");
    s->kind = WS_WHILE;
    s->limit = 100000;
    const char *text = wr_string(r, word);
    bool failed;
    if (text && text[0] == '=' && wr_check_real(r, word, text, r->w->n_buffers, false, false))
        s->condition = text;
    else if (text && !wr_element(r, word, text, &s->buffer, &s->element, &failed) && !failed)
        wr_buffer(r, word, text);
    if (limit && wr_int(r, limit, &s->limit) && s->limit < 1)
        wr_fail(r, limit, "'limit' must be 1 or more");
    read_body(r, g, s);
}

static void read_fill(struct workload_reader *r, const config_setting_t *g, struct workload_step *s)
{
    static const char *const keys[] = {"fill", "value", NULL};
    const config_setting_t *fill = config_setting_get_member(g, "fill"),
                           *value = config_setting_get_member(g, "value");
    wr_check_keys(r, g, keys, "in a fill");
    s->kind = WS_FILL;
    const char *name = wr_string(r, fill);
    if (!name || (s->buffer = wr_buffer(r, fill, name)) == UINT32_MAX)
        return;
    if (value)
        element_value(r, value, r->w->buffers[s->buffer].type, &s->value);
    else
        wr_fail(r, g, "'value' is missing");
}

static void read_copy(struct workload_reader *r, const config_setting_t *g, struct workload_step *s)
{
    static const char *const keys[] = {"copy", "from", NULL};
    const config_setting_t *copy = config_setting_get_member(g, "copy"),
                           *from = config_setting_get_member(g, "from");
    wr_check_keys(r, g, keys, "in a copy");
    s->kind = WS_COPY;
    const char *to = wr_string(r, copy), *text = from ? wr_string(r, from) : NULL;
    bool failed;
    if (!from)
        wr_fail(r, g, "'from' is missing");
    if (!to || !text || (s->buffer = wr_buffer(r, copy, to)) == UINT32_MAX)
        return;
    if (!wr_element(r, from, text, &s->other, &s->element, &failed) && !failed)
        wr_buffer(r, from, text);
}

static void read_swap(struct workload_reader *r, const config_setting_t *g, struct workload_step *s)
{
    static const char *const keys[] = {"swap", NULL};
    const config_setting_t *swap = config_setting_get_member(g, "swap");
    wr_check_keys(r, g, keys, "in a swap");
    s->kind = WS_SWAP;
    if ((!config_setting_is_array(swap) && !config_setting_is_list(swap)) ||
        config_setting_length(swap) != 2) {
        wr_fail(r, swap, "'swap' takes two buffers: [\"a\", \"b\"]");
        return;
    }
    uint32_t *const to[] = {&s->buffer, &s->other};
    for (unsigned i = 0; i < 2; i++) {
        const char *name = wr_string(r, config_setting_get_elem(swap, i));
        if (!name || (*to[i] = wr_buffer(r, swap, name)) == UINT32_MAX)
            return;
    }
    const struct workload_buffer *a = &r->w->buffers[s->buffer], *b = &r->w->buffers[s->other];
    if (a->type != b->type || a->count != b->count || a->symbol || b->symbol)
        wr_fail(r, swap, "only buffers of the same type and count, without symbol, can be swapped");
}

static void read_step(struct workload_reader *r, const config_setting_t *g, struct workload_step *s)
{
    static const struct {
        const char *key;
        void (*read)(struct workload_reader *r, const config_setting_t *g, struct workload_step *s);
    } kinds[] = {{"entry", read_launch}, {"repeat", read_repeat}, {"while", read_while},
                 {"fill", read_fill},    {"copy", read_copy},     {"swap", read_swap}};
    *s = (struct workload_step){.at = wr_at(r, g)};
    if (!config_setting_is_group(g)) {
        wr_fail(r, g, "a launch must be a group: { entry = \"k\"; grid = 1; block = 32; … }");
        return;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (config_setting_get_member(g, kinds[i].key)) {
            kinds[i].read(r, g, s);
            return;
        }
    wr_fail(r, g, "expected one of 'entry', 'repeat', 'while', 'fill', 'copy' or 'swap'");
}

void wr_steps(struct workload_reader *r, const config_setting_t *list,
              const struct workload_step **out, size_t *n_out)
{
    if (!config_setting_is_list(list)) {
        wr_fail(r, list, "'%s' must be a list: ( { … }, { … } )", config_setting_name(list));
        return;
    }
    int n = config_setting_length(list);
    struct workload_step *all = arena_many(r->mem, struct workload_step, (size_t)n + 1);
    for (int i = 0; i < n; i++)
        read_step(r, config_setting_get_elem(list, (unsigned)i), &all[i]);
    *out = all;
    *n_out = (size_t)n;
    if (n == 0)
        wr_fail(r, list, "'%s' is empty", config_setting_name(list));
}
