/* SPDX-License-Identifier: MIT
 *
 * Textures and surfaces. */
#include <assert.h>

#include "sim/ptx/decode.h"

static const char *const geometries[] = {"1d", "2d", "3d", "a1d", "a2d", NULL};

/* The number of coordinates, and where the layer stands among them. */
static uint32_t n_coordinates(int geometry)
{
    static const uint8_t n[] = {
        [PG_1D] = 1, [PG_2D] = 2, [PG_3D] = 3, [PG_1D_LAYERED] = 2, [PG_2D_LAYERED] = 3};
    return n[geometry];
}

/* [handle, {coordinates}]: a is the handle; b, c, e are x, y, z, the layer being the last. */
static bool take_place(struct ptx_decoder *d, const struct ptx_operand *o, struct ptx_code *c,
                       enum ptx_type type)
{
    if (o->kind != PO_ADDRESS || o->n_elems != 2)
        return ptx_refuse(d, "expected a texture or surface and coordinates in brackets");
    uint32_t n = n_coordinates((int)c->n_targets);
    bool layered = c->n_targets == PG_1D_LAYERED || c->n_targets == PG_2D_LAYERED;
    const struct ptx_operand *list =
        o->elems[1].kind == PO_VECTOR ? o->elems[1].elems : &o->elems[1];
    uint32_t given = o->elems[1].kind == PO_VECTOR ? o->elems[1].n_elems : 1;
    uint32_t *const to[] = {&c->b, &c->c, &c->e};
    assert(n <= sizeof to / sizeof *to);
    if (given < n)
        return ptx_refuse(d, "it has %u coordinates, and needs %u", given, n);
    c->a = ptx_src(d, &o->elems[0], PT_U64);
    for (uint32_t i = 0; i < n; i++) {
        bool is_layer = layered && i == 0;
        uint32_t slot = !layered ? i : is_layer ? n - 1 : i - 1;
        *to[slot] = ptx_src(d, &list[i], is_layer ? PT_U32 : type);
    }
    return !d->bad;
}

static bool take_data(struct ptx_decoder *d, const struct ptx_operand *o, struct ptx_code *c,
                      bool written)
{
    uint32_t *places = arena_many(d->mem, uint32_t, c->n_elems);
    const struct ptx_operand *list = o->kind == PO_VECTOR ? o->elems : o;
    uint32_t n = o->kind == PO_VECTOR ? o->n_elems : 1;
    if (n != c->n_elems)
        return ptx_refuse(d, "expected %u registers", c->n_elems);
    for (uint32_t i = 0; i < n; i++) {
        enum ptx_type reg = ptx_reg_type(d, &list[i]);
        if (list[i].kind == PO_NOTHING)
            continue;
        if (reg != PT_NONE && ptx_is_wide(reg) != (c->elem_reg_bytes == 8))
            return ptx_refuse(d, "register %s has the wrong width", list[i].name);
        places[i] = written ? ptx_dst(d, &list[i], reg)
                            : ptx_src(d, &list[i], reg == PT_NONE ? PT_B32 : reg);
    }
    c->u.elems = places;
    return !d->bad;
}

static bool dec_tex(struct ptx_decoder *d)
{
    struct ptx_code c = {.kind = PK_TEXTURE, .sub = PTX_TEX, .elem_reg_bytes = 4, .bytes = 4};
    int geometry = ptx_take_one(d, geometries);
    if (geometry < 0)
        return ptx_refuse(d, "its geometry must be 1d, 2d, 3d, a1d or a2d");
    c.n_elems = ptx_take(d, "v4") ? 4 : 1;
    c.type = (uint8_t)ptx_take_type(d);
    enum ptx_type coordinate = ptx_take_type(d);
    d->stat_class = TC_LOAD;
    if (!ptx_operands(d, 2, 2))
        return false;
    if (ptx_type_bytes((enum ptx_type)c.type) != 4 ||
        (coordinate != PT_S32 && coordinate != PT_F32))
        return ptx_refuse(d, "types must be of 32 bits, coordinates .s32 or .f32");
    c.round = coordinate == PT_F32;
    c.n_targets = (uint32_t)geometry;
    if (!take_place(d, &d->st->operands[1], &c, coordinate) ||
        !take_data(d, &d->st->operands[0], &c, true))
        return false;
    ptx_emit(d, c);
    return !d->bad;
}

/* suld.b and sust.b: raw bytes, x counts bytes */
static bool dec_surface(struct ptx_decoder *d, enum ptx_texture_op op)
{
    static const char *const outside[] = {"trap", "clamp", "zero", NULL};
    static const char *const cache[] = {"ca", "cg", "cs", "cv", "wb", "wt", NULL};
    struct ptx_code c = {.kind = PK_TEXTURE, .sub = (uint8_t)op};
    bool raw = ptx_take(d, "b"), is_load = op == PTX_SULD;
    int geometry = ptx_take_one(d, geometries);
    ptx_take_one(d, cache);
    int border = ptx_take_one(d, outside);
    if (!raw || geometry < 0)
        return ptx_refuse(d, "only raw surfaces (.b) of 1d, 2d, 3d, a1d or a2d are supported");
    c.n_elems = ptx_take(d, "v4") ? 4 : ptx_take(d, "v2") ? 2 : 1;
    c.type = (uint8_t)ptx_take_type(d);
    c.bytes = (uint8_t)ptx_type_bytes((enum ptx_type)c.type);
    c.elem_reg_bytes = c.bytes == 8 ? 8 : 4;
    c.space = (uint8_t)(border < 0 ? 0 : border);
    c.n_targets = (uint32_t)geometry;
    d->stat_class = is_load ? TC_LOAD : TC_STORE;
    if (!ptx_operands(d, 2, 2) || !take_place(d, &d->st->operands[is_load], &c, PT_S32) ||
        !take_data(d, &d->st->operands[!is_load], &c, is_load))
        return false;
    ptx_emit(d, c);
    return !d->bad;
}

static bool dec_suld(struct ptx_decoder *d)
{
    return dec_surface(d, PTX_SULD);
}

static bool dec_sust(struct ptx_decoder *d)
{
    return dec_surface(d, PTX_SUST);
}

const struct ptx_op ptx_ops_texture[] = {
    {"tex", dec_tex},
    {"suld", dec_suld},
    {"sust", dec_sust},
    {NULL, NULL},
};
