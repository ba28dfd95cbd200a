/* SPDX-License-Identifier: MIT
 *
 * A whole kernel: calls inlined, shared memory laid out, labels resolved, meeting points found, the
 * table of static instructions numbered. */
#include <string.h>

#include "base/near.h"
#include "sim/ptx/as_hardware.h"
#include "sim/ptx/decode.h"

#define MAX_CALL_DEPTH 32
#define MAX_INSTANCE_REGS 4000000u /* of all inlined copies */

/* ---- functions ------------------------------------------------------------------------------- */

static const struct ptx_op *find_op(const char *name)
{
    const struct ptx_op *const tables[] = {ptx_ops_arith,   ptx_ops_move,    ptx_ops_memory,
                                           ptx_ops_control, ptx_ops_texture, ptx_ops_matrix};
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (const struct ptx_op *op = tables[t]; op->name; op++)
            if (strcmp(op->name, name) == 0)
                return op;
    return NULL;
}

static void decode_statement(struct ptx_decoder *d)
{
    const struct ptx_stmt *s = d->st;
    d->bad = false;
    if (s->kind == PSTMT_LABEL) {
        d->in->label_code[s->label] = (uint32_t)d->codes.n;
        return;
    }
    d->mods_used = 0;
    d->now = (struct ptx_uses){0};
    d->stat_class = TC_INT;
    d->stat_flags = 0;
    d->is_strong = false;
    const struct ptx_op *op = find_op(s->op);
    if (!op) {
        ptx_refuse(d, "instruction '%s' is not supported", s->op);
        return;
    }
    if (op->decode(d))
        ptx_all_mods_used(d);
}

static struct ptx_instance *new_instance(struct ptx_decoder *d, const struct ptx_func *f,
                                         const struct ptx_instance *caller)
{
    struct ptx_instance *in = arena_new(d->mem, struct ptx_instance);
    in->func = f;
    in->caller = caller;
    in->depth = caller ? caller->depth + 1 : 0;
    in->reg_place = arena_many(d->mem, uint32_t, f->n_regs + 1);
    in->reg_vreg = arena_many(d->mem, uint32_t, f->n_regs + 1);
    in->var_offset = arena_many(d->mem, int64_t, f->n_vars + 1);
    in->label_code = arena_many(d->mem, uint32_t, f->n_labels + 1);
    for (uint32_t i = 0; i < f->n_vars; i++)
        in->var_offset[i] = -1;
    for (uint32_t i = 0; i < f->n_labels; i++)
        in->label_code[i] = PTX_NO_PC;
    return in;
}

/* What the reader found wrong in the body of a function that the kernel needs. */
static bool is_readable(struct ptx_decoder *d, const struct ptx_func *f)
{
    for (uint32_t i = 0; i < f->n_refusals; i++) {
        err_add(d->err, ERR_INPUT, AT_LINE(d->module->file, f->refusals[i].line), "in %s: %s",
                f->name, f->refusals[i].text);
        d->n_bad++;
    }
    return f->n_refusals == 0;
}

static void decode_body(struct ptx_decoder *d, struct ptx_instance *in)
{
    d->in = in;
    for (uint32_t i = 0; i < in->func->n_stmts && d->n_bad < 20; i++) {
        d->st = &in->func->stmts[i];
        decode_statement(d);
        d->in = in;
    }
    in->end_code = (uint32_t)d->codes.n;
}

bool ptx_decode_ret(struct ptx_decoder *d)
{
    ptx_take(d, "uni");
    d->stat_class = d->in->caller ? TC_BRANCH : TC_EXIT;
    if (!ptx_operands(d, 0, 0))
        return false;
    if (!d->in->caller) {
        ptx_emit(d, (struct ptx_code){.kind = PK_EXIT});
        return true;
    }
    vec_push(d->mem, &d->fixes, (struct ptx_branch_fix){(uint32_t)d->codes.n, d->in, UINT32_MAX});
    ptx_emit(d, (struct ptx_code){.kind = PK_BRANCH});
    return true;
}

static uint32_t var_index(const struct ptx_func *f, const struct ptx_var *v)
{
    for (uint32_t i = 0; i < f->n_vars; i++)
        if (f->vars[i] == v)
            return i;
    return UINT32_MAX;
}

/* One parameter: a .param variable of the caller becomes the callee's own; a register or number is
 * copied to the callee's register. */
static bool bind(struct ptx_decoder *d, struct ptx_instance *callee, const struct ptx_var *formal,
                 uint32_t formal_reg, const struct ptx_operand *actual)
{
    if (formal && actual->kind == PO_VAR && actual->var->space == PS_CALL_PARAM) {
        uint64_t address;
        enum ptx_space space;
        if (actual->var->bytes < formal->bytes)
            return ptx_refuse(d, "'%s' is smaller than the parameter '%s'", actual->name,
                              formal->name);
        if (!ptx_address_of(d, actual, &address, &space))
            return false;
        callee->var_offset[var_index(callee->func, formal)] = (int64_t)address;
        return true;
    }
    if (!formal && formal_reg) {
        enum ptx_type t = callee->func->regs[formal_reg - 1].type;
        struct ptx_instance *caller = d->in;
        uint32_t from = ptx_src(d, actual, t);
        d->in = callee;
        uint32_t to = ptx_reg_place(d, formal_reg - 1);
        d->in = caller;
        ptx_emit_silent(
            d, (struct ptx_code){.kind = PK_ALU,
                                 .wide = ptx_is_wide(t),
                                 .d = to,
                                 .a = from,
                                 .u.alu = ptx_alu_find(ptx_is_wide(t) ? "mov.b64" : "mov.b32")});
        return !d->bad;
    }
    return ptx_refuse(d, "an argument of this kind is not supported");
}

/* The place in the frame of an argument or result of a function that the driver provides. */
static uint32_t service_place(struct ptx_decoder *d, const struct ptx_operand *list, uint32_t i,
                              uint32_t bytes)
{
    uint64_t address;
    enum ptx_space space;
    if (!list || i >= list->n_elems || list->elems[i].kind != PO_VAR ||
        list->elems[i].var->space != PS_CALL_PARAM || list->elems[i].var->bytes != bytes) {
        ptx_refuse(d, "argument %u must be a parameter of %u bytes", i, bytes);
        return 0;
    }
    return ptx_address_of(d, &list->elems[i], &address, &space) ? (uint32_t)address : 0;
}

/* A call of a function that the driver provides: false where `name` is none. */
static bool call_service(struct ptx_decoder *d, const char *name, const struct ptx_operand *returns,
                         const struct ptx_operand *args)
{
    static const struct {
        const char *name;
        enum ptx_service service;
        uint32_t result_bytes, n_args, bytes[5];
    } services[] = {{"vprintf", PSV_PRINT, 4, 2, {8, 8}},
                    {"__assertfail", PSV_ASSERT, 0, 5, {8, 8, 4, 8, 8}},
                    {"malloc", PSV_MALLOC, 8, 1, {8}},
                    {"free", PSV_FREE, 0, 1, {8}}};
    size_t k = 0, n = sizeof services / sizeof *services;
    while (k < n && strcmp(services[k].name, name) != 0)
        k++;
    if (k == n)
        return false;
    struct ptx_code c = {.kind = PK_SERVICE, .sub = (uint8_t)services[k].service};
    uint32_t *const to[] = {&c.a, &c.b, &c.c, &c.e};
    for (uint32_t i = 0; i < services[k].n_args && i < 4; i++)
        *to[i] = service_place(d, args, i, services[k].bytes[i]);
    /* the result's place + 1; 0: it is not wanted */
    if (services[k].result_bytes && returns)
        c.d = service_place(d, returns, 0, services[k].result_bytes) + 1;
    ptx_emit(d, c);
    return true;
}

bool ptx_inline_call(struct ptx_decoder *d)
{
    const struct ptx_stmt *s = d->st;
    const struct ptx_operand *returns = NULL, *args = NULL, *name;
    uint32_t k = 0;

    ptx_take(d, "uni");
    d->stat_class = TC_BRANCH;
    if (k < s->n_operands && s->operands[k].kind == PO_LIST)
        returns = &s->operands[k++];
    if (k >= s->n_operands)
        return ptx_refuse(d, "it names no function");
    name = &s->operands[k++];
    if (k < s->n_operands && s->operands[k].kind == PO_LIST)
        args = &s->operands[k++];
    if (name->kind != PO_NAME)
        return ptx_refuse(d, "indirect calls are not supported");
    if (k < s->n_operands)
        return ptx_refuse(d, "it has operands of an unknown kind");
    const struct ptx_func *f = ptx_find_func(d->module, name->name);
    if (f && !f->has_body && call_service(d, name->name, returns, args))
        return !d->bad;
    if (!f || !f->has_body)
        return ptx_refuse(d, "function '%s' has no body in this file", name->name);
    if (f->is_entry)
        return ptx_refuse(d, "'%s' is a kernel", name->name);
    if (!is_readable(d, f))
        return false;
    for (const struct ptx_instance *up = d->in; up; up = up->caller)
        if (up->func == f)
            return ptx_refuse(d, "recursion is not supported");
    if (d->in->depth >= MAX_CALL_DEPTH)
        return ptx_refuse(d, "calls are nested more than %d deep", MAX_CALL_DEPTH);
    if ((args ? args->n_elems : 0) != f->n_params ||
        (returns ? returns->n_elems : 0) > f->n_returns)
        return ptx_refuse(d, "'%s' takes %u arguments and returns %u", f->name, f->n_params,
                          f->n_returns);

    d->n_instance_regs += f->n_regs;
    if (d->n_instance_regs > MAX_INSTANCE_REGS)
        return ptx_refuse(d, "calls make more than %u registers", MAX_INSTANCE_REGS);
    struct ptx_instance *caller = d->in, *callee = new_instance(d, f, caller);
    for (uint32_t i = 0; i < f->n_params; i++)
        if (!bind(d, callee, f->params[i], f->param_regs[i], &args->elems[i]))
            return false;
    for (uint32_t i = 0; returns && i < returns->n_elems; i++)
        if (f->returns[i] && !bind(d, callee, f->returns[i], 0, &returns->elems[i]))
            return false;
    /* a guarded call becomes a guarded jump over it */
    uint32_t skip = PTX_NO_PC;
    if (s->has_guard) {
        skip = (uint32_t)d->codes.n;
        ptx_emit(d, (struct ptx_code){.kind = PK_BRANCH});
        if (d->bad)
            return false;
        d->codes.at[skip].guard_flip ^= UINT32_MAX;
    } else {
        ptx_emit(d, (struct ptx_code){.kind = PK_NOTHING});
    }
    ptx_all_mods_used(d);
    uint32_t used = d->mods_used;
    decode_body(d, callee);
    d->in = caller;
    d->st = s;
    d->mods_used = used;
    d->bad = false;
    for (uint32_t i = 0; returns && i < returns->n_elems; i++) {
        const struct ptx_operand *to = &returns->elems[i];
        if (f->returns[i] || !f->return_regs[i])
            continue;
        enum ptx_type t = f->regs[f->return_regs[i] - 1].type;
        d->now = (struct ptx_uses){0};
        d->in = callee;
        uint32_t from = ptx_reg_place(d, f->return_regs[i] - 1);
        d->in = caller;
        ptx_emit_silent(
            d, (struct ptx_code){.kind = PK_ALU,
                                 .wide = ptx_is_wide(t),
                                 .d = ptx_dst(d, to, t),
                                 .a = from,
                                 .u.alu = ptx_alu_find(ptx_is_wide(t) ? "mov.b64" : "mov.b32")});
    }
    if (skip != PTX_NO_PC)
        d->codes.at[skip].target = (uint32_t)d->codes.n;
    return !d->bad;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static bool fix_branches(struct ptx_decoder *d)
{
    for (size_t i = 0; i < d->fixes.n; i++) {
        const struct ptx_branch_fix *f = &d->fixes.at[i];
        struct ptx_code *c = &d->codes.at[f->code];
        if (f->label == UINT32_MAX) {
            c->target = f->in->end_code;
            continue;
        }
        const struct ptx_label *l = &f->in->func->labels[f->label];
        uint32_t n = c->kind == PK_TABLE ? l->n_targets : 1;
        uint32_t *targets = arena_many(d->mem, uint32_t, n ? n : 1);
        for (uint32_t k = 0; k < n; k++) {
            uint32_t label = c->kind == PK_TABLE ? l->targets[k] : f->label;
            targets[k] = f->in->label_code[label];
            if (targets[k] == PTX_NO_PC)
                return err_add(d->err, ERR_INPUT, AT_LINE(d->module->file, c->line),
                               "'%s': label '%s' is not defined", c->text,
                               f->in->func->labels[label].name);
        }
        c->target = targets[0];
        if (c->kind == PK_TABLE) {
            c->u.targets = targets;
            c->n_targets = n;
        }
    }
    return true;
}

static void place_params(struct ptx_decoder *d)
{
    d->param_offsets = arena_many(d->mem, uint32_t, d->entry->n_params + 1);
    for (uint32_t i = 0; i < d->entry->n_params; i++) {
        const struct ptx_var *v = d->entry->params[i];
        uint32_t align = v && v->align ? v->align : 1;
        d->param_bytes = (d->param_bytes + align - 1) & ~(align - 1);
        d->param_offsets[i] = d->param_bytes;
        d->param_bytes += v ? (uint32_t)v->bytes : 0;
    }
}

static uint64_t number_steps(struct ptx_decoder *d, const struct ptx_code *c,
                             const uint8_t *numbers, uint64_t pc)
{
    const struct ptx_sequence *q = c->sequence;
    const struct ptx_uses *u = &d->uses.at[c - d->codes.at];
    for (uint32_t i = 0; i < q->n_fast + (uint32_t)q->n_slow; i++, pc += 16) {
        const struct ptx_step *step = &d->steps.at[q->first_step + i];
        struct trace_static *s = &d->statics.at[c->stat + i];
        s->pc = pc;
        if (step->dst)
            s->dst[s->n_dst++] = numbers[step->dst - 1];
        for (uint32_t k = 0; k < step->n_src; k++)
            if (numbers[step->src[k]]) /* constants have none */
                s->src[s->n_src++] = numbers[step->src[k]];
        if (c->guard && u->n_src && s->n_src < TRACE_MAX_SRC)
            s->src[s->n_src++] = numbers[u->src[u->n_src - 1]]; /* comes last */
    }
    return pc;
}

static void join_copies(struct ptx_decoder *d, struct arena *scratch)
{
    uint32_t n_vregs = (uint32_t)d->vregs.n, *roots = arena_many(scratch, uint32_t, n_vregs + 1);
    ptx_join_copies(d->codes.at, d->uses.at, (uint32_t)d->codes.n, d->vregs.at, n_vregs, roots,
                    scratch);
    for (size_t i = 0; i < d->steps.n; i++) {
        struct ptx_step *s = &d->steps.at[i];
        s->dst = s->dst ? roots[s->dst - 1] + 1 : 0;
        for (uint32_t k = 0; k < s->n_src; k++)
            s->src[k] = roots[s->src[k]];
    }
}

static void number_statics(struct ptx_decoder *d, struct ptx_kernel *out)
{
    struct arena scratch;
    arena_init(&scratch, d->mem->out_of_memory, d->mem->ctx);
    uint8_t *numbers = arena_alloc(&scratch, d->vregs.n + 1);
    uint32_t n = (uint32_t)d->codes.n;
    if (!d->layout->as_ptx)
        join_copies(d, &scratch);
    struct ptx_listing list = {d->codes.at, d->uses.at, d->vregs.at, n, (uint32_t)d->vregs.n};
    out->max_live = ptx_number_registers(&list, &scratch, numbers);
    if (d->executed) {
        /* constants and addresses in registers make up for what a scheduler keeps there */
        struct ptx_listing all = {d->codes.at, d->executed, d->vregs.at, n, (uint32_t)d->vregs.n};
        uint8_t *unused = arena_alloc(&scratch, d->vregs.n + 1);
        out->max_live = ptx_number_registers(&all, &scratch, unused);
    }
    uint64_t pc = 0;
    struct trace_static *last = NULL;
    for (uint32_t i = 0; i < n; i++) {
        const struct ptx_code *c = &d->codes.at[i];
        const struct ptx_uses *u = &d->uses.at[i];
        if (c->is_free || c->is_gone)
            continue;
        if (c->flags & PF_SILENT) {
            /* a later step of the instruction before: its results are that one's */
            for (uint32_t k = 0; last && k < u->n_dst && last->n_dst < TRACE_MAX_DST; k++)
                if (!memchr(last->dst, numbers[u->dst[k]], last->n_dst))
                    last->dst[last->n_dst++] = numbers[u->dst[k]];
            continue;
        }
        if (c->sequence) {
            pc = number_steps(d, c, numbers, pc);
            last = &d->statics.at[c->stat + c->sequence->n_fast - 1u];
            continue;
        }
        uint32_t variants = ptx_is_memory(c) && c->space == PS_GENERIC ? 3 : 1;
        for (uint32_t v = 0; v < variants; v++) {
            struct trace_static *s = &d->statics.at[c->stat + v];
            last = s;
            s->pc = pc;
            for (uint32_t k = 0; k < u->n_dst && s->n_dst < TRACE_MAX_DST; k++)
                s->dst[s->n_dst++] = numbers[u->dst[k]];
            for (uint32_t k = 0; k < u->n_src && s->n_src < TRACE_MAX_SRC; k++)
                s->src[s->n_src++] = numbers[u->src[k]];
        }
        pc += 16;
    }
    arena_free(&scratch);
}

static void move_place(const struct ptx_decoder *d, uint32_t *place)
{
    if (*place & PTX_FIXED)
        *place = d->file_bytes + (*place & ~PTX_FIXED);
}

/* Constants and special registers go behind the registers. Numbers of predicates stand in the same
 * fields, but are never as large as PTX_FIXED. */
static void move_fixed(struct ptx_decoder *d)
{
    for (size_t i = 0; i < d->codes.n; i++) {
        struct ptx_code *c = &d->codes.at[i];
        uint32_t *const places[] = {&c->d, &c->a, &c->b, &c->c, &c->e};
        for (size_t k = 0; k < sizeof places / sizeof *places; k++)
            move_place(d, places[k]);
        if (c->kind != PK_LOAD && c->kind != PK_STORE && c->kind != PK_TEXTURE &&
            c->kind != PK_MMA && c->kind != PK_LDMATRIX)
            continue;
        uint32_t *elems = arena_many(d->mem, uint32_t, c->n_elems);
        for (uint32_t k = 0; k < c->n_elems; k++) {
            elems[k] = c->u.elems[k];
            move_place(d, &elems[k]);
        }
        c->u.elems = elems;
    }
    for (size_t i = 0; i < d->constants.n; i++)
        move_place(d, &d->constants.at[i].place);
    for (size_t i = 0; i < d->specials.n; i++)
        move_place(d, &d->specials.at[i].place);
}

/* ---- shared memory -----------------------------------------------------------------------------
 * Static variables of the entry and of all that it calls come first, in the order in which they are
 * met; the dynamic part (variables without a size) lies behind them. */

static bool has_shared(const struct ptx_decoder *d, const struct ptx_var *v)
{
    for (size_t i = 0; i < d->shared_vars.n; i++)
        if (d->shared_vars.at[i].var == v)
            return true;
    return false;
}

static void place_shared(struct ptx_decoder *d, const struct ptx_var *v)
{
    int64_t at = 0;
    if (has_shared(d, v))
        return;
    if (v->bytes == 0 && v->align > d->shared_align)
        d->shared_align = v->align;
    if (v->bytes == 0 || ptx_place_in(d, &d->shared_bytes, PTX_MAX_SHARED, v, &at))
        vec_push(d->mem, &d->shared_vars, (struct ptx_shared_var){v, (uint32_t)at});
}

static void visit_operand(struct ptx_decoder *d, const struct ptx_operand *o)
{
    for (uint32_t i = 0; i < o->n_elems; i++)
        visit_operand(d, &o->elems[i]);
    if (o->kind != PO_VAR || o->var->space != PS_SHARED)
        return;
    /* an .extern may have been replaced by its definition */
    const struct ptx_var *v = ptx_find_var(d->module, o->var->name);
    place_shared(d, v && !has_shared(d, o->var) ? v : o->var);
}

static void visit_function(struct ptx_decoder *d, const struct ptx_func *f)
{
    for (size_t i = 0; i < d->visited.n; i++)
        if (d->visited.at[i] == f)
            return;
    vec_push(d->mem, &d->visited, f);
    for (uint32_t i = 0; i < f->n_vars; i++)
        if (f->vars[i]->space == PS_SHARED)
            place_shared(d, f->vars[i]);
    for (uint32_t i = 0; i < f->n_stmts; i++) {
        const struct ptx_stmt *s = &f->stmts[i];
        for (uint32_t k = 0; k < s->n_operands; k++) {
            visit_operand(d, &s->operands[k]);
            const struct ptx_func *callee = s->operands[k].kind == PO_NAME
                                                ? ptx_find_func(d->module, s->operands[k].name)
                                                : NULL;
            if (callee && strcmp(s->op, "call") == 0 && d->visited.n < 1000)
                visit_function(d, callee);
        }
    }
}

static void place_all_shared(struct ptx_decoder *d)
{
    visit_function(d, d->entry);
    uint32_t dynamic = (d->shared_bytes + d->shared_align - 1) & ~(d->shared_align - 1);
    for (size_t i = 0; i < d->shared_vars.n; i++)
        if (d->shared_vars.at[i].var->bytes == 0)
            d->shared_vars.at[i].offset = dynamic;
}

static bool no_kernel(const struct ptx_module *m, const char *entry, struct arena *mem,
                      struct err *err)
{
    VEC(const char *) names = {0};
    for (uint32_t i = 0; i < m->n_funcs; i++)
        if (m->funcs[i]->is_entry && m->funcs[i]->has_body)
            vec_push(mem, &names, m->funcs[i]->name);
    return err_add(err, ERR_INPUT, AT_FILE(m->file), "there is no kernel '%s'%s", entry,
                   near_hint(entry, names.at, names.n, mem));
}

bool ptx_decode(const struct ptx_layout *layout, const char *entry, struct arena *mem,
                struct ptx_kernel *out, struct err *err)
{
    struct ptx_decoder d = {.layout = layout,
                            .module = layout->module,
                            .mem = mem,
                            .err = err,
                            .n_preds = 2,
                            .shared_align = 16};
    d.entry = ptx_find_func(layout->module, entry);
    if (!d.entry || !d.entry->is_entry || !d.entry->has_body)
        return no_kernel(layout->module, entry, mem, err);
    if (!is_readable(&d, d.entry))
        return false;
    map_init(&d.constant_names, mem);
    place_params(&d);
    ptx_place(&d, true); /* nothing is at offset 0: it stands for "none" */
    struct ptx_instance *in = new_instance(&d, d.entry, NULL);
    d.in = in;
    place_all_shared(&d);
    if (d.n_bad)
        return false;
    decode_body(&d, in);
    if (d.n_bad)
        return false;
    /* control may run off the end: that is the end of the thread */
    struct ptx_stmt last = {.text = "(end)", .line = d.entry->line};
    d.st = &last;
    d.bad = false;
    d.now = (struct ptx_uses){0};
    d.stat_class = TC_EXIT;
    ptx_emit(&d, (struct ptx_code){.kind = PK_EXIT});
    if (d.n_bad || !fix_branches(&d))
        return false;

    move_fixed(&d);
    if (!layout->as_ptx)
        ptx_make_native(&d);
    struct arena scratch;
    arena_init(&scratch, mem->out_of_memory, mem->ctx);
    ptx_find_meets(d.codes.at, (uint32_t)d.codes.n, &scratch);
    arena_free(&scratch);
    *out = (struct ptx_kernel){.name = d.entry->name,
                               .module = d.module,
                               .func = d.entry,
                               .codes = d.codes.at,
                               .n_codes = (uint32_t)d.codes.n,
                               .sources = d.sources.at,
                               .file_bytes = d.file_bytes + d.fixed_bytes,
                               .register_bytes = d.file_bytes,
                               .n_preds = d.n_preds,
                               .constants = d.constants.at,
                               .n_constants = (uint32_t)d.constants.n,
                               .specials = d.specials.at,
                               .n_specials = (uint32_t)d.specials.n,
                               .param_bytes = d.param_bytes,
                               .param_offsets = d.param_offsets,
                               .shared_bytes = d.shared_bytes,
                               .shared_align = d.shared_align,
                               .frame_bytes = d.frame_bytes};
    number_statics(&d, out);
    out->statics = d.statics.at;
    out->n_statics = (uint32_t)d.statics.n;
    return true;
}
