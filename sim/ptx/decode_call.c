/* SPDX-License-Identifier: MIT
 *
 * Calls. A function that is called by its name becomes a copy of its body at the place of the call.
 * One that reaches itself again, or whose address is called, has one body behind the kernel's, with
 * registers and a frame of its own: arguments are copied into the frame at the call, results back
 * from it at the return (sim/ptx/calls.c). */
#include <assert.h>
#include <string.h>

#include "sim/ptx/decode.h"

#define MAX_CALL_DEPTH 32
#define MAX_INSTANCE_REGS 4000000u /* of all inlined copies */
#define ARGUMENT_ALIGN 16u         /* of arguments and results in the frame of who is called */

/* ---- who calls whom -------------------------------------------------------------------------- */

static bool is_call(const struct ptx_stmt *s)
{
    return s->kind == PSTMT_INST && strcmp(s->op, "call") == 0;
}

/* The operand that says what is called; NULL: none. */
static const struct ptx_operand *callee_operand(const struct ptx_stmt *s)
{
    uint32_t k = s->n_operands && s->operands[0].kind == PO_LIST ? 1 : 0;
    return k < s->n_operands ? &s->operands[k] : NULL;
}

static const struct ptx_func *named_function(const struct ptx_module *m,
                                             const struct ptx_operand *o)
{
    const struct ptx_func *f = o && o->kind == PO_NAME ? ptx_find_func(m, o->name) : NULL;
    return f && f->has_body && !f->is_entry ? f : NULL;
}

/* Does a function reach itself through calls by name? */
static bool finds_itself(const struct ptx_module *m, const struct ptx_func *f, struct arena *mem)
{
    struct map seen;
    VEC(const struct ptx_func *) work = {0};
    map_init(&seen, mem);
    vec_push(mem, &work, f);
    while (work.n) {
        const struct ptx_func *at = work.at[--work.n];
        for (uint32_t i = 0; i < at->n_stmts; i++) {
            const struct ptx_func *to =
                is_call(&at->stmts[i]) ? named_function(m, callee_operand(&at->stmts[i])) : NULL;
            if (to == f)
                return true;
            if (to && map_add(&seen, to->name, 1))
                vec_push(mem, &work, to);
        }
    }
    return false;
}

static bool is_recursive(struct ptx_decoder *d, const struct ptx_func *f)
{
    size_t known;
    if (map_get(&d->recursive, f->name, &known))
        return known != 0;
    struct arena scratch;
    arena_init(&scratch, d->mem->out_of_memory, d->mem->ctx);
    bool yes = finds_itself(d->module, f, &scratch);
    arena_free(&scratch);
    map_add(&d->recursive, f->name, yes);
    return yes;
}

/* Functions whose address stands in code or in a variable of the module. */
static void note_taken(struct ptx_decoder *d, const struct ptx_func *f)
{
    if (!f || !f->has_body || f->is_entry)
        return;
    for (size_t i = 0; i < d->taken.n; i++)
        if (d->taken.at[i] == f)
            return;
    vec_push(d->mem, &d->taken, f);
}

void ptx_find_taken(struct ptx_decoder *d)
{
    const struct ptx_module *m = d->module;
    if (d->knows_taken)
        return;
    d->knows_taken = true;
    for (uint32_t i = 0; i < m->n_vars; i++)
        for (size_t k = 0; k < m->vars[i]->n_fixups; k++)
            note_taken(d, ptx_find_func(m, m->vars[i]->fixups[k].symbol));
    for (uint32_t i = 0; i < m->n_funcs; i++)
        for (uint32_t s = 0; s < m->funcs[i]->n_stmts; s++) {
            const struct ptx_stmt *st = &m->funcs[i]->stmts[s];
            for (uint32_t k = 0; k < st->n_operands && st->kind == PSTMT_INST; k++)
                if (st->operands[k].kind == PO_NAME && !is_call(st))
                    note_taken(d, ptx_find_func(m, st->operands[k].name));
        }
}

bool ptx_is_indirect_call(const struct ptx_stmt *s)
{
    const struct ptx_operand *o = is_call(s) ? callee_operand(s) : NULL;
    return o && o->kind == PO_REG;
}

/* ---- returns --------------------------------------------------------------------------------- */

bool ptx_decode_ret(struct ptx_decoder *d)
{
    bool is_kernel = !d->in->caller && !d->in->slot;
    ptx_take(d, "uni");
    d->stat_class = is_kernel ? TC_EXIT : TC_BRANCH;
    if (!ptx_operands(d, 0, 0))
        return false;
    if (!d->in->caller) {
        ptx_emit(d, (struct ptx_code){.kind = is_kernel ? PK_EXIT : PK_RETURN});
        return true;
    }
    vec_push(d->mem, &d->fixes, (struct ptx_branch_fix){(uint32_t)d->codes.n, d->in, UINT32_MAX});
    ptx_emit(d, (struct ptx_code){.kind = PK_BRANCH});
    return true;
}

/* ---- copies of bodies ------------------------------------------------------------------------ */

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

/* What a call says. */
struct call {
    const struct ptx_operand *returns, *name, *args;
};

static uint32_t count_of(const struct ptx_operand *list)
{
    return list ? list->n_elems : 0;
}

/* The body of the function, here. */
static bool inline_function(struct ptx_decoder *d, const struct ptx_func *f,
                            const struct call *call)
{
    const struct ptx_stmt *s = d->st;
    const struct ptx_operand *returns = call->returns, *args = call->args;
    assert(count_of(args) == f->n_params);
    if (d->in->depth >= MAX_CALL_DEPTH)
        return ptx_refuse(d, "calls are nested more than %d deep", MAX_CALL_DEPTH);
    d->n_instance_regs += f->n_regs;
    if (d->n_instance_regs > MAX_INSTANCE_REGS)
        return ptx_refuse(d, "calls make more than %u registers", MAX_INSTANCE_REGS);
    struct ptx_instance *caller = d->in, *callee = ptx_new_instance(d, f, caller);
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
    ptx_decode_body(d, callee);
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

/* ---- bodies of their own --------------------------------------------------------------------- */

/* Where arguments and results lie in the frame of a function: each at a multiple of
 * ARGUMENT_ALIGN, arguments first. */
static uint32_t place_arguments(const struct ptx_var *const *vars, uint32_t n, uint32_t end,
                                uint32_t *offsets)
{
    for (uint32_t i = 0; i < n; i++) {
        offsets[i] = end;
        end +=
            vars[i] ? ((uint32_t)vars[i]->bytes + ARGUMENT_ALIGN - 1) & ~(ARGUMENT_ALIGN - 1) : 0;
    }
    return end;
}

static bool has_small_variables(const struct ptx_var *const *vars, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (!vars[i] || vars[i]->bytes > PTX_MAX_FRAME / 64)
            return false;
    return true;
}

/* Parameters in registers (PTX before 2.0) have no place in a frame. */
static bool has_frame_arguments(const struct ptx_func *f)
{
    return f->n_params <= 64 && f->n_returns <= 64 && has_small_variables(f->params, f->n_params) &&
           has_small_variables(f->returns, f->n_returns);
}

static uint32_t slot_of(struct ptx_decoder *d, const struct ptx_func *f)
{
    for (size_t i = 0; i < d->slots.n; i++)
        if (d->slots.at[i].func == f)
            return (uint32_t)i;
    vec_push(d->mem, &d->slots,
             (struct ptx_slot){.func = f, .address = ptx_function_address(d->layout, f->name)});
    return (uint32_t)d->slots.n - 1;
}

/* Are the actual arguments what the function takes? */
static bool takes(const struct ptx_func *f, const struct call *call)
{
    if (count_of(call->args) != f->n_params || count_of(call->returns) > f->n_returns ||
        !has_frame_arguments(f))
        return false;
    for (uint32_t i = 0; i < f->n_params; i++)
        if (call->args->elems[i].var->bytes != f->params[i]->bytes)
            return false;
    for (uint32_t i = 0; i < count_of(call->returns); i++)
        if (call->returns->elems[i].var->bytes != f->returns[i]->bytes)
            return false;
    return true;
}

static bool are_params(const struct ptx_operand *list)
{
    for (uint32_t i = 0; i < count_of(list); i++)
        if (list->elems[i].kind != PO_VAR || list->elems[i].var->space != PS_CALL_PARAM)
            return false;
    return true;
}

static bool add_copies(struct ptx_decoder *d, const struct ptx_operand *list,
                       struct ptx_argument *out, uint32_t *end)
{
    for (uint32_t i = 0; i < count_of(list); i++) {
        uint64_t address;
        enum ptx_space space;
        uint32_t bytes = (uint32_t)list->elems[i].var->bytes;
        if (!ptx_address_of(d, &list->elems[i], &address, &space))
            return false;
        out[i] = (struct ptx_argument){(uint32_t)address, *end, bytes};
        *end += (bytes + ARGUMENT_ALIGN - 1) & ~(ARGUMENT_ALIGN - 1);
    }
    return true;
}

/* `only`: the function, or NULL where its address is in a register. */
static bool emit_call(struct ptx_decoder *d, const struct ptx_func *only, const struct call *call)
{
    struct ptx_code c = {.kind = PK_CALL};
    struct ptx_call *how = arena_new(d->mem, struct ptx_call);
    uint32_t end = 0;
    if (!are_params(call->args) || !are_params(call->returns))
        return ptx_refuse(d, "an argument of this kind is not supported");
    if (only && !takes(only, call))
        return ptx_refuse(d, "'%s' takes other arguments", only->name);
    how->n_in = count_of(call->args);
    how->n_out = count_of(call->returns);
    struct ptx_argument *copies =
        arena_many(d->mem, struct ptx_argument, how->n_in + how->n_out + 1);
    if (!add_copies(d, call->args, copies, &end) ||
        !add_copies(d, call->returns, copies + how->n_in, &end))
        return false;
    how->in = copies;
    how->out = copies + how->n_in;
    if (only) {
        how->only = slot_of(d, only) + 1;
    } else {
        c.a = ptx_src(d, call->name, PT_B64);
        ptx_find_taken(d);
        for (size_t i = 0; i < d->taken.n; i++)
            if (takes(d->taken.at[i], call)) {
                uint32_t slot = slot_of(d, d->taken.at[i]);
                d->slots.at[slot].by_address = true;
            }
    }
    c.u.call = how;
    ptx_emit(d, c);
    return !d->bad;
}

/* One body; false: it cannot be had. */
static bool decode_slot(struct ptx_decoder *d, uint32_t k)
{
    const struct ptx_func *f = d->slots.at[k].func;
    if (!ptx_is_readable(d, f))
        return false;
    struct ptx_instance *in = ptx_new_instance(d, f, NULL);
    in->slot = k + 1;
    uint32_t *offsets = arena_many(d->mem, uint32_t, f->n_params + f->n_returns + 1);
    d->frame_bytes = place_arguments(f->params, f->n_params, 0, offsets);
    d->frame_bytes =
        place_arguments(f->returns, f->n_returns, d->frame_bytes, offsets + f->n_params);
    for (uint32_t i = 0; i < f->n_params; i++)
        in->var_offset[var_index(f, f->params[i])] = offsets[i];
    for (uint32_t i = 0; i < f->n_returns; i++)
        in->var_offset[var_index(f, f->returns[i])] = offsets[f->n_params + i];
    struct ptx_slot s = {.func = f,
                         .address = d->slots.at[k].address,
                         .by_address = d->slots.at[k].by_address,
                         .entry = (uint32_t)d->codes.n,
                         .first_place = d->file_bytes,
                         .first_pred = d->n_preds};
    ptx_decode_body(d, in);
    struct ptx_stmt *last = arena_new(d->mem, struct ptx_stmt);
    *last = (struct ptx_stmt){.text = "(end)", .line = f->line};
    d->st = last;
    d->bad = false;
    d->now = (struct ptx_uses){0};
    d->stat_class = TC_BRANCH;
    ptx_emit(d, (struct ptx_code){.kind = PK_RETURN});
    s.frame_bytes = d->frame_bytes;
    s.place_bytes = d->file_bytes - s.first_place;
    s.n_preds = d->n_preds - s.first_pred;
    d->slots.at[k] = s;
    return d->n_bad == 0;
}

/* A function that only an address leads to may never be called: that it cannot be run is told
 * then. */
static void try_slot(struct ptx_decoder *d, uint32_t k)
{
    struct err *told = d->err, own;
    size_t n_bad = d->n_bad, codes = d->codes.n, fixes = d->fixes.n, statics = d->statics.n;
    err_init(&own);
    d->err = &own;
    d->n_bad = 0;
    if (!decode_slot(d, k)) {
        d->codes.n = d->uses.n = d->sources.n = codes;
        d->fixes.n = fixes;
        d->statics.n = statics;
        d->slots.at[k].entry = PTX_NO_PC;
        d->slots.at[k].refusal =
            arena_strdup(d->mem, own.first ? own.first->text : "it cannot be read");
    }
    err_free(&own);
    d->err = told;
    d->n_bad = n_bad;
}

bool ptx_decode_functions(struct ptx_decoder *d)
{
    uint32_t frame = d->frame_bytes;
    for (uint32_t k = 0; k < d->slots.n; k++) {
        if (d->slots.at[k].by_address)
            try_slot(d, k);
        else if (!decode_slot(d, k))
            return false;
    }
    d->frame_bytes = frame;
    return true;
}

bool ptx_decode_call(struct ptx_decoder *d)
{
    const struct ptx_stmt *s = d->st;
    struct call call = {0};
    uint32_t k = 0;

    ptx_take(d, "uni");
    d->stat_class = TC_BRANCH;
    if (k < s->n_operands && s->operands[k].kind == PO_LIST)
        call.returns = &s->operands[k++];
    if (k >= s->n_operands)
        return ptx_refuse(d, "it names no function");
    call.name = &s->operands[k++];
    if (k < s->n_operands && s->operands[k].kind == PO_LIST)
        call.args = &s->operands[k++];
    if (call.name->kind == PO_REG) {
        if (k < s->n_operands && s->operands[k].kind == PO_NAME)
            k++; /* the prototype: the arguments say the same */
        if (k < s->n_operands)
            return ptx_refuse(d, "it has operands of an unknown kind");
        return emit_call(d, NULL, &call);
    }
    if (call.name->kind != PO_NAME || k < s->n_operands)
        return ptx_refuse(d, "it has operands of an unknown kind");
    const char *name = call.name->name;
    const struct ptx_func *f = ptx_find_func(d->module, name);
    if (f && !f->has_body && call_service(d, name, call.returns, call.args))
        return !d->bad;
    if (!f || !f->has_body)
        return ptx_refuse(d, "function '%s' has no body in this file", name);
    if (f->is_entry)
        return ptx_refuse(d, "'%s' is a kernel", name);
    if (!ptx_is_readable(d, f))
        return false;
    if (count_of(call.args) != f->n_params || count_of(call.returns) > f->n_returns)
        return ptx_refuse(d, "'%s' takes %u arguments and returns %u", f->name, f->n_params,
                          f->n_returns);
    return is_recursive(d, f) ? emit_call(d, f, &call) : inline_function(d, f, &call);
}
