/* SPDX-License-Identifier: MIT
 *
 * A whole kernel: bodies of functions (sim/ptx/decode_call.c), shared memory laid out, labels
 * resolved, meeting points found, the table of static instructions numbered. */
#include <string.h>

#include "base/near.h"
#include "sim/ptx/as_hardware.h"
#include "sim/ptx/decode.h"

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
    d->stat_rate = TR_UNIT;
    d->is_strong = d->acquires = d->releases = false;
    const struct ptx_op *op = find_op(s->op);
    if (!op) {
        ptx_refuse(d, "instruction '%s' is not supported", s->op);
        return;
    }
    if (op->decode(d))
        ptx_all_mods_used(d);
}

struct ptx_instance *ptx_new_instance(struct ptx_decoder *d, const struct ptx_func *f,
                                      const struct ptx_instance *caller)
{
    struct ptx_instance *in = arena_new(d->mem, struct ptx_instance);
    in->func = f;
    in->caller = caller;
    in->depth = caller ? caller->depth + 1 : 0;
    in->slot = caller ? caller->slot : 0;
    in->reg_place = arena_many(d->mem, uint32_t, f->n_regs + 1);
    in->reg_vreg = arena_many(d->mem, uint32_t, f->n_regs + 1);
    ptx_find_numbers(d->mem, in);
    in->var_offset = arena_many(d->mem, int64_t, f->n_vars + 1);
    in->label_code = arena_many(d->mem, uint32_t, f->n_labels + 1);
    for (uint32_t i = 0; i < f->n_vars; i++)
        in->var_offset[i] = -1;
    for (uint32_t i = 0; i < f->n_labels; i++)
        in->label_code[i] = PTX_NO_PC;
    return in;
}

bool ptx_is_readable(struct ptx_decoder *d, const struct ptx_func *f)
{
    for (uint32_t i = 0; i < f->n_refusals; i++) {
        err_add(d->err, ERR_INPUT, AT_LINE(d->module->file, f->refusals[i].line), "in %s: %s",
                f->name, f->refusals[i].text);
        d->n_bad++;
    }
    return f->n_refusals == 0;
}

void ptx_decode_body(struct ptx_decoder *d, struct ptx_instance *in)
{
    d->in = in;
    for (uint32_t i = 0; i < in->func->n_stmts && d->n_bad < 20; i++) {
        d->st = &in->func->stmts[i];
        decode_statement(d);
        d->in = in;
    }
    in->end_code = (uint32_t)d->codes.n;
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
        s->flags |= c->guard ? TF_GUARDED : 0;
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

/* Loads are moved up as long as that costs no warps: ptxas stops at 64 registers, with which 1,024
 * threads fill the 65,536 of an SM. */
#define MOST_FOR_RAISING 64u
#define MOST_REGISTERS                                                                             \
    255u /* that an instruction can name; what is beyond lies in local memory                      \
          */

static uint32_t registers_on_hardware(const struct ptx_decoder *d, const struct ptx_listing *list,
                                      struct arena *scratch)
{
    uint32_t raised = ptx_count_registers(list, scratch), without = d->live_as_written;
    if (without < MOST_FOR_RAISING)
        without = MOST_FOR_RAISING;
    raised = raised < without ? raised : without;
    return raised < MOST_REGISTERS ? raised : MOST_REGISTERS;
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
    if (d->executed)
        out->max_live = registers_on_hardware(d, &list, &scratch);
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
            if ((c->guard || c->is_under) && !d->layout->as_ptx)
                s->flags |= TF_GUARDED;
            for (uint32_t k = 0; k < u->n_dst && s->n_dst < TRACE_MAX_DST; k++)
                s->dst[s->n_dst++] = numbers[u->dst[k]];
            for (uint32_t k = 0; k < u->n_src && s->n_src < TRACE_MAX_SRC; k++)
                s->src[s->n_src++] = numbers[u->src[k]];
        }
        pc += 16;
    }
    arena_free(&scratch);
}

/* What a meeting of the whole grid is in the trace, beside the accesses to its workspace. */
static void add_grid_statics(struct ptx_decoder *d, struct ptx_kernel *out)
{
    uint64_t pc = 0;
    if (!d->special_place[SR_ENVREG1] && !d->special_place[SR_ENVREG2])
        return;
    for (size_t i = 0; i < d->statics.n; i++)
        pc = d->statics.at[i].pc > pc ? d->statics.at[i].pc : pc;
    out->grid_stat = (uint32_t)d->statics.n;
    struct trace_static fence = {.pc = pc + 16, .cls = TC_FENCE, .line = d->entry->line};
    struct trace_static meet = {
        .pc = pc + 32, .cls = TC_BARRIER, .flags = TF_GRID, .line = d->entry->line};
    vec_push(d->mem, &d->statics, fence);
    vec_push(d->mem, &d->statics, meet);
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
            c->kind != PK_MMA && c->kind != PK_LDMATRIX && c->kind != PK_FRAGMENT)
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
        if (!ptx_is_indirect_call(s))
            continue;
        ptx_find_taken(d);
        for (size_t k = 0; k < d->taken.n && d->visited.n < 1000; k++)
            visit_function(d, d->taken.at[k]);
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
    if (!ptx_is_readable(&d, d.entry))
        return false;
    map_init(&d.constant_names, mem);
    map_init(&d.recursive, mem);
    place_params(&d);
    ptx_place(&d, true); /* nothing is at offset 0: it stands for "none" */
    struct ptx_instance *in = ptx_new_instance(&d, d.entry, NULL);
    d.in = in;
    place_all_shared(&d);
    if (d.n_bad)
        return false;
    ptx_decode_body(&d, in);
    if (d.n_bad)
        return false;
    /* control may run off the end: that is the end of the thread */
    struct ptx_stmt last = {.text = "(end)", .line = d.entry->line};
    d.st = &last;
    d.bad = false;
    d.now = (struct ptx_uses){0};
    d.stat_class = TC_EXIT;
    ptx_emit(&d, (struct ptx_code){.kind = PK_EXIT});
    if (d.n_bad || !ptx_decode_functions(&d) || !fix_branches(&d))
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
                               .layout = layout,
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
                               .frame_bytes = d.frame_bytes,
                               .slots = d.slots.at,
                               .n_slots = (uint32_t)d.slots.n};
    number_statics(&d, out);
    add_grid_statics(&d, out);
    out->statics = d.statics.at;
    out->n_statics = (uint32_t)d.statics.n;
    return true;
}
