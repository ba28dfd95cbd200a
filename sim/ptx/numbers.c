/* SPDX-License-Identifier: MIT
 *
 * Registers that hold a number which is known before the kernel runs. */
#include <string.h>

#include "sim/ptx/decode.h"

enum { NEVER, ONCE, OFTEN };

static void count_write(uint8_t *writes, const struct ptx_operand *o)
{
    if (o->kind == PO_REG && writes[o->index] < OFTEN)
        writes[o->index]++;
    for (uint32_t i = 0; i < o->n_elems && (o->kind == PO_VECTOR || o->kind == PO_LIST); i++)
        count_write(writes, &o->elems[i]);
    if (o->second)
        count_write(writes, o->second);
}

/* Operations of which ptxas computes the result when it knows what goes in. */
static bool is_folded(const struct ptx_stmt *s)
{
    static const char *const ops[] = {"add", "sub", "shl", "shr", "and",
                                      "or",  "xor", "not", "neg", "mul"};
    if (strcmp(s->op, "mov") == 0 || strcmp(s->op, "cvt") == 0)
        return true;
    for (uint32_t i = 0; i < s->n_mods; i++)
        if (ptx_is_float(ptx_type_of(s->mods[i], strlen(s->mods[i]))))
            return false;
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (strcmp(s->op, ops[i]) == 0)
            return true;
    return false;
}

static bool makes_number(const struct ptx_instance *in, const struct ptx_stmt *s,
                         const uint8_t *writes)
{
    if (!s->op || s->has_guard || s->n_operands < 2 || s->operands[0].kind != PO_REG ||
        s->operands[0].second || writes[s->operands[0].index] != ONCE)
        return false;
    for (uint32_t i = 1; i < s->n_operands; i++)
        if (!ptx_is_number(in, &s->operands[i]))
            return false;
    return is_folded(s);
}

void ptx_find_numbers(struct arena *mem, struct ptx_instance *in)
{
    const struct ptx_func *f = in->func;
    uint8_t *writes = arena_alloc(mem, f->n_regs + 1);
    in->reg_number = arena_alloc(mem, f->n_regs + 1);
    for (uint32_t i = 0; i < f->n_params; i++)
        if (f->param_regs && f->param_regs[i])
            writes[f->param_regs[i] - 1] = OFTEN;
    for (uint32_t i = 0; i < f->n_stmts; i++)
        if (f->stmts[i].n_operands)
            count_write(writes, &f->stmts[i].operands[0]);
    for (uint32_t i = 0; i < f->n_stmts; i++)
        if (makes_number(in, &f->stmts[i], writes))
            in->reg_number[f->stmts[i].operands[0].index] = 1;
}
