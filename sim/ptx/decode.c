/* SPDX-License-Identifier: MIT
 *
 * What every family of instructions needs: modifiers, operands, places of registers and
 * variables, and the output. The families are in decode_arith.c, decode_move.c, decode_memory.c and
 * decode_control.c, the whole of a kernel in decode_kernel.c. */
#include "sim/ptx/decode.h"
#include "sim/ptx/as_hardware.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define LANE_BYTES(wide) ((wide) ? PTX_LANES * 8u : PTX_LANES * 4u)

bool ptx_refuse(struct ptx_decoder *d, const char *fmt, ...)
{
    if (!d->bad) {
        va_list ap;
        va_start(ap, fmt);
        const char *why = arena_vprintf(d->mem, fmt, ap);
        va_end(ap);
        err_add(d->err, ERR_INPUT, AT_LINE(d->module->file, d->st ? d->st->line : 0),
                "'%s' in %s: %s", d->st ? d->st->text : "", d->in ? d->in->func->name : "", why);
        d->n_bad++;
    }
    d->bad = true;
    return false;
}

/* ---- modifiers ------------------------------------------------------------------------------- */

bool ptx_take(struct ptx_decoder *d, const char *mod)
{
    for (uint32_t i = 0; i < d->st->n_mods; i++)
        if (!(d->mods_used >> i & 1) && strcmp(d->st->mods[i], mod) == 0) {
            d->mods_used |= 1u << i;
            return true;
        }
    return false;
}

int ptx_take_one(struct ptx_decoder *d, const char *const *words)
{
    for (int k = 0; words[k]; k++)
        if (ptx_take(d, words[k]))
            return k;
    return -1;
}

enum ptx_type ptx_take_type(struct ptx_decoder *d)
{
    for (uint32_t i = 0; i < d->st->n_mods; i++) {
        enum ptx_type t = ptx_type_of(d->st->mods[i], strlen(d->st->mods[i]));
        if (!(d->mods_used >> i & 1) && t != PT_NONE) {
            d->mods_used |= 1u << i;
            return t;
        }
    }
    ptx_refuse(d, "it has no type");
    return PT_NONE;
}

enum ptx_round ptx_take_round(struct ptx_decoder *d, bool *given)
{
    static const char *const words[] = {"rn", "rz", "rm", "rp", NULL};
    int k = ptx_take_one(d, words);
    if (given)
        *given = k >= 0;
    return k < 0 ? PRND_NEAREST : (enum ptx_round)k;
}

bool ptx_all_mods_used(struct ptx_decoder *d)
{
    for (uint32_t i = 0; i < d->st->n_mods; i++)
        if (!(d->mods_used >> i & 1))
            return ptx_refuse(d, "modifier '.%s' is not supported", d->st->mods[i]);
    return true;
}

/* ---- places ---------------------------------------------------------------------------------- */

uint32_t ptx_place(struct ptx_decoder *d, bool wide)
{
    uint32_t at = d->file_bytes;
    d->file_bytes += LANE_BYTES(wide);
    return at;
}

static uint32_t fixed_place(struct ptx_decoder *d, bool wide)
{
    uint32_t at = d->fixed_bytes;
    d->fixed_bytes += LANE_BYTES(wide);
    return at | PTX_FIXED;
}

uint32_t ptx_constant(struct ptx_decoder *d, uint64_t bits, bool wide)
{
    char key[40];
    size_t found;
    if (!wide)
        bits &= UINT32_MAX;
    snprintf(key, sizeof key, "%d %llx", wide, (unsigned long long)bits);
    if (map_get(&d->constant_names, key, &found))
        return d->constants.at[found].place;
    map_add(&d->constant_names, key, d->constants.n);
    struct ptx_constant c = {fixed_place(d, wide), wide, bits};
    vec_push(d->mem, &d->constants, c);
    return c.place;
}

static void note_use(uint32_t *list, uint8_t *n, size_t most, uint32_t vreg)
{
    for (uint32_t i = 0; i < *n; i++)
        if (list[i] == vreg)
            return;
    if (*n < most)
        list[(*n)++] = vreg;
}

uint32_t ptx_reg_place(struct ptx_decoder *d, uint32_t reg)
{
    enum ptx_type t = d->in->func->regs[reg].type;
    if (t == PT_B128)
        return ptx_refuse(d, "128-bit registers are not supported");
    if (!d->in->reg_vreg[reg]) {
        d->in->reg_place[reg] = t == PT_PRED ? d->n_preds++ : ptx_place(d, ptx_is_wide(t));
        vec_push(d->mem, &d->vregs,
                 (struct ptx_vreg){t == PT_PRED ? 0 : (uint8_t)(ptx_is_wide(t) ? 2 : 1)});
        d->in->reg_vreg[reg] = (uint32_t)d->vregs.n;
    }
    return d->in->reg_place[reg];
}

static uint32_t use_reg(struct ptx_decoder *d, uint32_t reg, bool written)
{
    uint32_t place = ptx_reg_place(d, reg);
    if (d->bad)
        return 0;
    uint32_t vreg = d->in->reg_vreg[reg] - 1;
    if (written)
        note_use(d->now.dst, &d->now.n_dst, 8, vreg);
    else
        note_use(d->now.src, &d->now.n_src, 12, vreg);
    return place;
}

enum ptx_type ptx_reg_type(const struct ptx_decoder *d, const struct ptx_operand *o)
{
    return o->kind == PO_REG ? d->in->func->regs[o->index].type : PT_NONE;
}

/* ---- operands -------------------------------------------------------------------------------- */

bool ptx_operands(struct ptx_decoder *d, uint32_t least, uint32_t most)
{
    if (d->bad)
        return false;
    if (d->st->n_operands < least || d->st->n_operands > most)
        return ptx_refuse(d, "it has %u operands", d->st->n_operands);
    return true;
}

static uint64_t immediate_bits(struct ptx_decoder *d, const struct ptx_operand *o,
                               enum ptx_type type)
{
    if (o->kind == PO_INT) {
        /* an integer beside a real operand stands for that number */
        if (type == PT_F32) {
            float f = (float)(int64_t)o->bits;
            uint32_t u;
            memcpy(&u, &f, sizeof u);
            return u;
        }
        if (type == PT_F64) {
            double f = (double)(int64_t)o->bits;
            uint64_t u;
            memcpy(&u, &f, sizeof u);
            return u;
        }
        uint32_t bytes = ptx_type_bytes(type);
        return bytes == 8 ? o->bits : o->bits & (((uint64_t)1 << (8 * bytes)) - 1);
    }
    bool to_double = ptx_is_wide(type);
    if (o->kind == PO_F32 && to_double) {
        uint32_t u = (uint32_t)o->bits;
        float f;
        memcpy(&f, &u, sizeof f);
        double v = (double)f;
        uint64_t bits;
        memcpy(&bits, &v, sizeof v);
        return bits;
    }
    if (o->kind == PO_F64 && !to_double) {
        double v;
        memcpy(&v, &o->bits, sizeof v);
        if (ptx_type_bytes(type) == 2)
            return ptx_double_to_half(v, 0);
        float f = (float)v;
        uint32_t u;
        memcpy(&u, &f, sizeof u);
        return u;
    }
    if (ptx_type_bytes(type) < 4)
        ptx_refuse(d, "a single precision number does not fit its type");
    return o->bits;
}

uint32_t ptx_src(struct ptx_decoder *d, const struct ptx_operand *o, enum ptx_type type)
{
    bool wide = ptx_is_wide(type);
    if (d->bad)
        return 0;
    if (o->negate)
        return ptx_refuse(d, "'!' is for predicates");
    switch (o->kind) {
    case PO_REG: {
        enum ptx_type t = ptx_reg_type(d, o);
        if (t == PT_PRED || ptx_is_wide(t) != wide || ptx_type_bytes(t) < ptx_type_bytes(type))
            return ptx_refuse(d, "operand %s has type .%s, not .%s", o->name, ptx_type_name(t),
                              ptx_type_name(type));
        return use_reg(d, o->index, false);
    }
    case PO_SPECIAL:
        if (wide)
            return ptx_refuse(d, "%s is not a 64-bit register", o->name);
        if (!d->special_place[o->index]) {
            d->special_place[o->index] = fixed_place(d, false);
            vec_push(
                d->mem, &d->specials,
                (struct ptx_special_use){d->special_place[o->index], (enum ptx_special)o->index});
        }
        return d->special_place[o->index];
    case PO_INT:
    case PO_F32:
    case PO_F64: return ptx_constant(d, immediate_bits(d, o, type), wide);
    case PO_VAR: {
        uint64_t address;
        enum ptx_space space;
        if (!ptx_address_of(d, o, &address, &space))
            return 0;
        address += (uint64_t)o->offset;
        if (d->in->slot && (space == PS_LOCAL || space == PS_CALL_PARAM)) {
            uint32_t to = ptx_place(d, wide);
            ptx_emit_silent(d,
                            (struct ptx_code){
                                .kind = PK_FRAME, .wide = wide, .d = to, .imm = (int64_t)address});
            return to;
        }
        return ptx_constant(d, address, wide);
    }
    case PO_NAME:
        if (wide && ptx_function_address(d->layout, o->name))
            return ptx_constant(d, ptx_function_address(d->layout, o->name), true);
        if (ptx_find_func(d->module, o->name))
            return ptx_refuse(d, "'%s' is no function that could be called by its address",
                              o->name);
        return ptx_refuse(d, "'%s' is not declared", o->name);
    case PO_LABEL:
    case PO_ADDRESS:
    case PO_VECTOR:
    case PO_LIST:
    case PO_NOTHING: break;
    }
    return ptx_refuse(d, "an operand is not of the kind expected");
}

uint32_t ptx_dst(struct ptx_decoder *d, const struct ptx_operand *o, enum ptx_type type)
{
    bool wide = ptx_is_wide(type);
    if (d->bad)
        return 0;
    if (o->kind == PO_NOTHING)
        return ptx_place(d, wide);
    if (o->kind != PO_REG)
        return ptx_refuse(d, "the result does not go to a register");
    enum ptx_type t = ptx_reg_type(d, o);
    if (t == PT_PRED || ptx_is_wide(t) != wide || ptx_type_bytes(t) < ptx_type_bytes(type))
        return ptx_refuse(d, "result %s has type .%s, not .%s", o->name, ptx_type_name(t),
                          ptx_type_name(type));
    return use_reg(d, o->index, true);
}

uint32_t ptx_src_pred(struct ptx_decoder *d, const struct ptx_operand *o)
{
    if (d->bad)
        return 0;
    if (o->kind == PO_INT)
        return o->bits ? 0 : 1; /* predicate 0 is true, 1 is false */
    if (ptx_reg_type(d, o) != PT_PRED)
        return ptx_refuse(d, "operand %s is not a predicate", o->name ? o->name : "");
    return use_reg(d, o->index, false);
}

uint32_t ptx_dst_pred(struct ptx_decoder *d, const struct ptx_operand *o)
{
    if (d->bad)
        return 0;
    if (o->kind == PO_NOTHING)
        return d->n_preds++;
    if (ptx_reg_type(d, o) != PT_PRED)
        return ptx_refuse(d, "result %s is not a predicate", o->name ? o->name : "");
    return use_reg(d, o->index, true);
}

/* ---- variables ------------------------------------------------------------------------------- */

bool ptx_place_in(struct ptx_decoder *d, uint32_t *end, uint32_t most, const struct ptx_var *v,
                  int64_t *offset)
{
    uint64_t align = v->align ? v->align : 1;
    uint64_t at = (*end + align - 1) & ~(align - 1);
    if (at + v->bytes > most)
        return ptx_refuse(d, "'%s' makes it more than %u bytes", v->name, most);
    *end = (uint32_t)(at + v->bytes);
    *offset = (int64_t)at;
    return true;
}

static bool shared_address(struct ptx_decoder *d, const struct ptx_var *v, uint64_t *address)
{
    for (size_t i = 0; i < d->shared_vars.n; i++)
        if (d->shared_vars.at[i].var == v) {
            *address = d->shared_vars.at[i].offset;
            return true;
        }
    return ptx_refuse(d, "shared variable '%s' was not placed", v->name);
}

static bool module_address(struct ptx_decoder *d, const struct ptx_var *v, uint64_t *address)
{
    for (uint32_t i = 0; i < d->module->n_vars; i++)
        if (strcmp(d->module->vars[i]->name, v->name) == 0) {
            v = d->module->vars[i];
            *address = d->layout->addresses[i];
            if (v->is_extern)
                return ptx_refuse(d, "variable '%s' is defined in another file", v->name);
            if (d->layout->unresolved[i])
                return ptx_refuse(d, "'%s' holds the address of '%s', which is no variable",
                                  v->name, d->layout->unresolved[i]);
            return v->space == PS_SHARED ? shared_address(d, v, address) : true;
        }
    return ptx_refuse(d, "variable '%s' is not defined", v->name);
}

bool ptx_address_of(struct ptx_decoder *d, const struct ptx_operand *o, uint64_t *address,
                    enum ptx_space *space)
{
    const struct ptx_var *v = o->var;
    *space = v->space;
    if (o->index >= d->in->func->n_vars || d->in->func->vars[o->index] != v)
        return module_address(d, v, address);
    int64_t *slot = &d->in->var_offset[o->index];
    switch (v->space) {
    case PS_SHARED: return shared_address(d, v, address);
    case PS_PARAM:
        for (uint32_t i = 0; i < d->entry->n_params; i++)
            if (d->entry->params[i] == v) {
                *address = d->layout->param_base + d->param_offsets[i];
                return true;
            }
        return ptx_refuse(d, "parameter '%s' is not of this kernel", v->name);
    case PS_LOCAL:
    case PS_CALL_PARAM:
        if (v->bytes == 0)
            return ptx_refuse(d, "'%s' has no size", v->name);
        if (*slot < 0 && !ptx_place_in(d, &d->frame_bytes, PTX_MAX_FRAME, v, slot))
            return false;
        *address = (uint64_t)*slot;
        return true;
    case PS_GLOBAL:
    case PS_CONST:
    case PS_GENERIC: break;
    }
    return ptx_refuse(d, "'%s' must be declared at file scope", v->name);
}

bool ptx_address(struct ptx_decoder *d, const struct ptx_operand *o, struct ptx_code *c)
{
    if (d->bad)
        return false;
    if (o->kind != PO_ADDRESS)
        return ptx_refuse(d, "expected an address in brackets");
    if (o->n_elems != 1)
        return ptx_refuse(d, "coordinates are for textures and surfaces");
    const struct ptx_operand *base = &o->elems[0];
    c->imm = o->offset;
    if (base->kind == PO_REG) {
        enum ptx_type t = ptx_reg_type(d, base);
        if (ptx_type_bytes(t) != 4 && ptx_type_bytes(t) != 8)
            return ptx_refuse(d, "%s cannot hold an address", base->name);
        if (ptx_type_bytes(t) == 4)
            c->flags |= PF_ADDRESS32;
        c->a = use_reg(d, base->index, false);
        return true;
    }
    uint64_t address = base->bits;
    if (base->kind == PO_VAR) {
        enum ptx_space space;
        if (!ptx_address_of(d, base, &address, &space))
            return false;
        if (c->space == PS_GENERIC)
            c->space = space;
        bool param = c->space == PS_PARAM && (space == PS_PARAM || space == PS_CALL_PARAM);
        if (param)
            c->space = space;
        else if (c->space != space)
            return ptx_refuse(d, "'%s' is not in the space of the instruction", base->name);
    } else if (base->kind == PO_NAME) {
        return ptx_refuse(d, "'%s' is not declared", base->name);
    }
    c->flags |= PF_UNIFORM;
    c->imm = (int64_t)(address + (uint64_t)o->offset);
    return true;
}

/* ---- output ---------------------------------------------------------------------------------- */

static void add_static(struct ptx_decoder *d, const struct ptx_code *c, uint8_t space)
{
    struct trace_static s = {.pc = (uint64_t)d->statics.n * 16, /* replaced in number_statics */
                             .cls = d->stat_class,
                             .space = space,
                             .flags = d->stat_flags,
                             .line = c->line};
    uint32_t bytes = c->kind == PK_FRAGMENT ? c->bytes : (uint32_t)c->bytes * c->n_elems;
    if (space != TS_NONE)
        s.access_bytes = (uint8_t)(bytes > 16 ? 16 : bytes);
    else if (d->stat_class == TC_TENSOR)
        s.access_bytes = (uint8_t)d->tensor_steps;
    else if (!c->sequence)
        s.access_bytes = d->stat_rate;
    vec_push(d->mem, &d->statics, s);
}

static uint8_t trace_space_of(enum ptx_space s)
{
    switch (s) {
    case PS_GLOBAL:
    case PS_GENERIC: return TS_GLOBAL;
    case PS_SHARED: return TS_SHARED;
    case PS_LOCAL: return TS_LOCAL;
    case PS_CONST: return TS_CONST;
    case PS_PARAM: return TS_PARAM;
    case PS_CALL_PARAM: return TS_NONE; /* registers, on hardware */
    }
    return TS_NONE;
}

void ptx_emit(struct ptx_decoder *d, struct ptx_code c)
{
    if (d->bad)
        return;
    if (d->codes.n >= PTX_MAX_CODES || d->statics.n >= PTX_MAX_CODES) {
        ptx_refuse(d, "the kernel has more than %u instructions, inlined calls included",
                   PTX_MAX_CODES);
        return;
    }
    c.line = d->st->line;
    c.text = d->st->text;
    if (d->st->has_guard) {
        struct ptx_operand g = {.kind = PO_REG, .index = d->st->guard, .name = "guard"};
        c.guard = ptx_src_pred(d, &g);
        c.guard_flip = d->st->guard_negated ? UINT32_MAX : 0;
    }
    c.strong = d->is_strong;
    c.acquires = d->acquires;
    c.releases = d->releases;
    c.stat = 0;
    if (!(c.flags & PF_SILENT)) {
        c.stat = (uint16_t)d->statics.n;
        if (!d->layout->as_ptx && (c.kind == PK_ALU || c.kind == PK_ALUX))
            c.sequence = ptx_find_sequence(d);
        uint8_t space = ptx_is_memory(&c)       ? trace_space_of((enum ptx_space)c.space)
                        : c.kind == PK_LDMATRIX ? TS_SHARED
                        : c.kind != PK_TEXTURE  ? TS_NONE
                        : c.sub == PTX_SUST     ? TS_GLOBAL
                                                : TS_TEXTURE;
        if (space == TS_NONE && ptx_is_memory(&c))
            d->stat_class = TC_INT;
        if (!d->layout->as_ptx)
            ptx_tag(d, &c);
        for (uint32_t i = 0; c.sequence && i < c.sequence->n_fast + c.sequence->n_slow; i++) {
            d->stat_class = d->steps.at[c.sequence->first_step + i].cls;
            add_static(d, &c, TS_NONE);
        }
        if (!c.sequence)
            add_static(d, &c, space);
        if (ptx_is_memory(&c) && c.space == PS_GENERIC) {
            add_static(d, &c, TS_SHARED);
            add_static(d, &c, TS_LOCAL);
        }
    }
    vec_push(d->mem, &d->codes, c);
    vec_push(d->mem, &d->uses, d->now);
    vec_push(d->mem, &d->sources, (struct ptx_source){d->st->source_file, d->st->source_line});
}

void ptx_emit_silent(struct ptx_decoder *d, struct ptx_code c)
{
    c.flags |= PF_SILENT;
    ptx_emit(d, c);
}
