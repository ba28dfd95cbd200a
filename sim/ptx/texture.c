/* SPDX-License-Identifier: MIT
 *
 * Textures and surfaces: texels are looked up by coordinates, filtered and converted. CUDA C++
 * Programming Guide, appendix on texture fetching: linear filtering takes the texels around x - 1/2
 * and weighs them with 8 bits of fraction. A filtered fetch stands in the trace as one access, to
 * the first of its texels. */
#include <math.h>
#include <string.h>

#include "sim/ptx/exec.h"

struct sample {
    float real[4];
    uint32_t bits[4];
};

static const struct ptx_texture *find(const struct ptx_device *d, uint64_t handle)
{
    for (uint32_t i = 0; i < d->n_textures; i++)
        if (d->textures[i].handle == handle)
            return &d->textures[i];
    return NULL;
}

/* The index of a texel along one dimension; -1: outside, where the border is zero. */
static int64_t place(int64_t i, uint32_t size, enum ptx_border border)
{
    int64_t n = size;
    if (i >= 0 && i < n)
        return i;
    if (n == 0)
        return -1;
    switch (border) {
    case PTX_WRAP: return (i % n + n) % n;
    case PTX_MIRROR: {
        int64_t m = (i % (2 * n) + 2 * n) % (2 * n);
        return m < n ? m : 2 * n - 1 - m;
    }
    case PTX_CLAMP: return i < 0 ? 0 : n - 1;
    case PTX_BORDER: break;
    }
    return -1;
}

static uint64_t texel_address(const struct ptx_texture *t, int64_t x, int64_t y, int64_t z)
{
    return t->base + (uint64_t)z * t->slice + (uint64_t)y * t->pitch +
           (uint64_t)x * (t->channels * t->channel_bits / 8u);
}

static void read_channel(const struct ptx_texture *t, const uint8_t *at, struct sample *s, int k)
{
    uint32_t bytes = t->channel_bits / 8u, u = 0;
    memcpy(&u, at, bytes);
    int32_t i = (int32_t)(u << (32 - t->channel_bits)) >> (32 - t->channel_bits);
    float most = t->kind == PTX_SIGNED ? (float)((1u << (t->channel_bits - 1)) - 1)
                                       : (float)(UINT32_MAX >> (32 - t->channel_bits));
    switch (t->kind) {
    case PTX_FLOAT:
        if (bytes == 2)
            s->real[k] = (float)ptx_half_to_double((uint16_t)u);
        else
            memcpy(&s->real[k], &u, 4);
        break;
    case PTX_SIGNED: s->real[k] = (float)i / most < -1 ? -1 : (float)i / most; break;
    case PTX_UNSIGNED: s->real[k] = (float)u / most; break;
    }
    s->bits[k] = t->kind == PTX_SIGNED ? (uint32_t)i : u;
    if (t->to_unit || t->kind == PTX_FLOAT)
        memcpy(&s->bits[k], &s->real[k], 4);
}

static bool read_texel(struct ptx_exec *x, const struct ptx_texture *t, const int64_t at[3],
                       struct sample *s, uint64_t *address)
{
    uint64_t room;
    *s = (struct sample){0};
    if (at[0] < 0 || at[1] < 0 || at[2] < 0)
        return true;
    *address = texel_address(t, at[0], at[1], at[2]);
    const uint8_t *bytes = ptx_peek(x, NULL, 0, *address, &room);
    uint32_t texel = t->channels * t->channel_bits / 8u;
    if (!bytes || room < texel)
        return false;
    for (int k = 0; k < t->channels; k++)
        read_channel(t, bytes + (uint32_t)k * (t->channel_bits / 8u), s, k);
    return true;
}

/* ---- one thread ------------------------------------------------------------------------------ */

struct spot {
    int64_t first[3];
    float weight[3]; /* of the texel after the first */
    bool filtered[3];
};

static void find_spot(const struct ptx_texture *t, int geometry, const float coordinate[3],
                      const int32_t layer_or_index[3], bool is_real, struct spot *p)
{
    const uint32_t size[3] = {t->width, t->height, t->depth};
    int dims = geometry == PG_1D || geometry == PG_1D_LAYERED   ? 1
               : geometry == PG_2D || geometry == PG_2D_LAYERED ? 2
                                                                : 3;
    *p = (struct spot){0};
    for (int i = 0; i < dims; i++) {
        if (!is_real) {
            p->first[i] = layer_or_index[i];
            continue;
        }
        float v = t->is_normalized ? coordinate[i] * (float)size[i] : coordinate[i];
        if (!(v > -1e9f && v < 1e9f))
            v = v > 0 ? 1e9f : -1e9f;
        if (t->is_linear) {
            float u = floorf((v - 0.5f) * 256.0f + 0.5f) / 256.0f, low = floorf(u);
            p->first[i] = (int64_t)low;
            p->weight[i] = u - low;
            p->filtered[i] = true;
        } else {
            p->first[i] = (int64_t)floorf(v);
        }
    }
    if (geometry == PG_1D_LAYERED)
        p->first[2] = layer_or_index[1];
    if (geometry == PG_2D_LAYERED)
        p->first[2] = layer_or_index[2];
}

static bool sample_spot(struct ptx_exec *x, const struct ptx_texture *t, const struct spot *p,
                        bool is_fetch, struct sample *out, uint64_t *address)
{
    const uint32_t size[3] = {t->width, t->height ? t->height : 1, t->depth ? t->depth : 1};
    float sum[4] = {0};
    bool any = false;
    *out = (struct sample){0};
    *address = t->base;
    for (int corner = 0; corner < 8; corner++) {
        int64_t at[3];
        float weight = 1;
        struct sample s;
        uint64_t where = t->base;
        for (int i = 0; i < 3; i++) {
            int next = corner >> i & 1;
            if (next && !p->filtered[i])
                weight = 0;
            else if (p->filtered[i])
                weight *= next ? p->weight[i] : 1 - p->weight[i];
            /* integer coordinates, and coordinates in texels, do not wrap */
            enum ptx_border b = is_fetch                                          ? PTX_BORDER
                                : !t->is_normalized && t->border[i] != PTX_BORDER ? PTX_CLAMP
                                                                                  : t->border[i];
            at[i] = place(p->first[i] + next, size[i], b);
        }
        if (weight == 0)
            continue;
        if (!read_texel(x, t, at, &s, &where))
            return false;
        if (!any)
            *address = where;
        any = true;
        if (weight == 1) {
            *out = s;
            return true;
        }
        for (int k = 0; k < 4; k++)
            sum[k] += weight * s.real[k];
    }
    memcpy(out->bits, sum, sizeof sum);
    return true;
}

/* ---- the warp -------------------------------------------------------------------------------- */

static uint32_t word(const struct ptx_warp *w, uint32_t place_, uint32_t lane)
{
    return place_ ? ((const lane_u32 *)(const void *)(w->file + place_))[lane] : 0;
}

static bool tex_lane(struct ptx_exec *x, struct ptx_warp *w, const struct ptx_code *c,
                     const struct ptx_texture *t, uint32_t lane, uint64_t *address)
{
    const uint32_t bits[3] = {word(w, c->b, lane), word(w, c->c, lane), word(w, c->e, lane)};
    float real[3];
    int32_t whole[3];
    struct spot p;
    struct sample s;
    memcpy(real, bits, sizeof real);
    memcpy(whole, bits, sizeof whole);
    find_spot(t, (int)c->n_targets, real, whole, c->round, &p);
    if (!sample_spot(x, t, &p, !c->round, &s, address)) {
        x->device->fault = PTX_BAD_ADDRESS;
        return ptx_fault(x, w, c, lane, "the texture's memory is gone");
    }
    for (uint32_t k = 0; k < c->n_elems; k++)
        if (c->u.elems[k])
            ((lane_u32 *)(void *)(w->file + c->u.elems[k]))[lane] = s.bits[k];
    return true;
}

static bool surface_lane(struct ptx_exec *x, struct ptx_warp *w, const struct ptx_code *c,
                         const struct ptx_texture *t, uint32_t lane, uint64_t *address)
{
    enum { TRAP, CLAMP };
    uint32_t bytes = (uint32_t)c->bytes * c->n_elems, stride = c->elem_reg_bytes;
    uint64_t row = (uint64_t)t->width * (t->channels * t->channel_bits / 8u), room;
    int64_t at[3] = {(int32_t)word(w, c->b, lane), (int32_t)word(w, c->c, lane),
                     (int32_t)word(w, c->e, lane)};
    if (c->n_targets == PG_1D_LAYERED) {
        at[2] = at[1];
        at[1] = 0;
    }
    const int64_t most[3] = {(int64_t)row - bytes, t->height ? t->height - 1 : 0,
                             t->depth ? t->depth - 1 : 0};
    bool inside = true;
    for (int i = 0; i < 3; i++) {
        inside = inside && at[i] >= 0 && at[i] <= most[i];
        if (c->space == CLAMP)
            at[i] = at[i] < 0 ? 0 : at[i] > most[i] ? most[i] : at[i];
    }
    if (!inside && c->space == TRAP) {
        x->device->fault = PTX_BAD_ADDRESS;
        return ptx_fault(x, w, c, lane, "outside the surface of %u x %u x %u texels", t->width,
                         t->height, t->depth);
    }
    *address = t->base;
    bool nothing = !inside && c->space != CLAMP;
    uint8_t zeros[16] = {0}, *data = zeros;
    if (!nothing) {
        *address =
            t->base + (uint64_t)at[2] * t->slice + (uint64_t)at[1] * t->pitch + (uint64_t)at[0];
        data = ptx_peek(x, NULL, 0, *address, &room);
        if (!data || room < bytes) {
            x->device->fault = PTX_BAD_ADDRESS;
            return ptx_fault(x, w, c, lane, "the surface's memory is gone");
        }
    }
    for (uint32_t k = 0; k < c->n_elems; k++) {
        uint8_t *reg = w->file + c->u.elems[k] + (size_t)lane * stride;
        if (!c->u.elems[k])
            continue;
        if (c->sub == PTX_SUST && !nothing)
            memcpy(data + k * c->bytes, reg, c->bytes);
        if (c->sub == PTX_SULD) {
            memset(reg, 0, stride);
            memcpy(reg, data + k * c->bytes, c->bytes);
        }
    }
    return true;
}

bool ptx_sample(struct ptx_exec *x, struct ptx_warp *w, const struct ptx_code *c, uint32_t mask)
{
    uint64_t address[PTX_LANES] = {0};
    const struct ptx_texture *t = NULL;
    for (uint32_t m = mask; m; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m);
        uint64_t handle = ((const lane_u64 *)(const void *)(w->file + c->a))[lane];
        if (!t || t->handle != handle)
            t = find(x->device, handle);
        if (!t)
            return ptx_fault(x, w, c, lane, "0x%llx is no texture or surface that is bound",
                             (unsigned long long)handle);
        if (!(c->sub == PTX_TEX ? tex_lane(x, w, c, t, lane, &address[lane])
                                : surface_lane(x, w, c, t, lane, &address[lane])))
            return false;
    }
    return ptx_record_access(x, w, c->stat, mask, address, false);
}
