/* SPDX-License-Identifier: MIT
 *
 * wmma.load and wmma.store: tiles of a matrix in memory and in the registers of a warp. What the
 * trace shows is what ptxas makes of it for sm_75 and later: a word a lane and tile, in the
 * direction in which memory has neighbours (the tile is turned round in the registers then), or 16
 * bytes of every row where shared memory is read as by ldmatrix. */
#include <string.h>

#include "sim/ptx/exec.h"

struct place {
    uint32_t outer, inner; /* element */
};

struct matrix {
    const struct ptx_fragment *f;
    uint64_t base;
    uint32_t stride; /* elements */
    enum ptx_space space;
};

/* The first element of a tile. */
static struct place tile_at(const struct ptx_fragment *f, uint32_t t)
{
    uint32_t width = 4u * f->per, groups = f->inner / width;
    uint32_t o = f->is_b ? t / groups : t % f->outer, i = f->is_b ? t % groups : t / f->outer;
    return (struct place){o * 8, i * width};
}

static struct place element_at(const struct ptx_fragment *f, uint32_t t, uint32_t lane, uint32_t e)
{
    struct place p = tile_at(f, t);
    return (struct place){p.outer + lane / 4, p.inner + lane % 4 * f->per + e};
}

static uint64_t address_of(const struct matrix *m, struct place p)
{
    uint64_t n = m->f->is_along ? (uint64_t)p.outer * m->stride + p.inner
                                : (uint64_t)p.inner * m->stride + p.outer;
    return m->base + n * m->f->bits / 8;
}

/* ---- the trace ------------------------------------------------------------------------------- */

static bool note_access(struct ptx_exec *x, struct ptx_warp *w, const struct ptx_code *c,
                        const struct matrix *m, const uint64_t *address, uint32_t mask)
{
    uint32_t variant = c->space != PS_GENERIC ? 0 : m->space == PS_SHARED ? 1 : 0;
    if (m->space == PS_SHARED && x->is_watched)
        ptx_watch(x, w, c, address, mask, c->bytes);
    return ptx_record_access(x, w, c->stat + variant, mask, address, false);
}

static bool record(struct ptx_exec *x, struct ptx_warp *w, const struct ptx_code *c,
                   const struct matrix *m)
{
    const struct ptx_fragment *f = m->f;
    uint64_t address[PTX_LANES] = {0};
    if (f->is_rows) {
        uint32_t rows = 8u * f->n;
        for (uint32_t l = 0; l < rows; l++) {
            struct place p = tile_at(f, f->first + l / 8);
            *(f->is_along ? &p.outer : &p.inner) += l % 8;
            address[l] = address_of(m, p);
        }
        return note_access(x, w, c, m, address, rows == 32 ? PTX_ALL : (1u << rows) - 1);
    }
    bool turned = !f->is_along && !f->is_sum && f->bits == 16;
    uint32_t n = f->is_along || turned ? 1 : f->per;
    for (uint32_t e = 0; e < n; e++) {
        for (uint32_t l = 0; l < PTX_LANES; l++) {
            struct place p = element_at(f, f->first, l, e);
            if (turned) {
                p = tile_at(f, f->first);
                p.inner += l / 4;
                p.outer += l % 4 * 2;
            }
            address[l] = address_of(m, p);
        }
        if (!note_access(x, w, c, m, address, PTX_ALL))
            return false;
    }
    return true;
}

/* ---- the data -------------------------------------------------------------------------------- */

static uint8_t *locate(struct ptx_exec *x, const struct ptx_warp *w, const struct ptx_code *c,
                       uint32_t lane, const struct matrix *m, uint64_t address, uint32_t bytes)
{
    uint64_t room = 0, at = m->space == PS_SHARED ? address + PTX_SHARED_WINDOW : address;
    uint8_t *p = ptx_peek(x, w, lane, at, &room);
    if (address % bytes) {
        x->device->fault = PTX_MISALIGNED;
        ptx_fault(x, w, c, lane, "address 0x%llx is not a multiple of %u",
                  (unsigned long long)address, bytes);
        return NULL;
    }
    const struct ptx_segment *s =
        m->space != PS_SHARED && m->f->is_store && p ? ptx_device_at(x->device, at) : NULL;
    if (p && room >= bytes && !(s && !s->writable))
        return p;
    x->device->fault = PTX_BAD_ADDRESS;
    ptx_fault(x, w, c, lane, "%u bytes of a matrix at %s address 0x%llx are outside every buffer",
              bytes, m->space == PS_SHARED ? "shared" : "global", (unsigned long long)address);
    return NULL;
}

static void put(struct ptx_warp *w, const struct ptx_code *c, const struct ptx_fragment *f,
                uint32_t t, uint32_t k, uint32_t lane, uint64_t v)
{
    for (uint32_t copy = 0; copy < f->copies; copy++) {
        uint32_t place = c->u.elems[(copy * f->n + t) * f->per_tile + k];
        if (f->type == PT_F64)
            ((lane_u64 *)(void *)(w->file + place))[lane] = v;
        else
            ((lane_u32 *)(void *)(w->file + place))[lane] = (uint32_t)v;
    }
}

static uint64_t get(const struct ptx_warp *w, const struct ptx_code *c,
                    const struct ptx_fragment *f, uint32_t t, uint32_t k, uint32_t lane)
{
    uint32_t place = c->u.elems[t * f->per_tile + k];
    return f->type == PT_F64 ? ((const lane_u64 *)(const void *)(w->file + place))[lane]
                             : ((const lane_u32 *)(const void *)(w->file + place))[lane];
}

/* What one lane has of one tile. Elements that share a register and lie side by side are moved
 * together, others one by one. */
static bool move_tile(struct ptx_exec *x, struct ptx_warp *w, const struct ptx_code *c,
                      const struct matrix *m, uint32_t t, uint32_t lane)
{
    const struct ptx_fragment *f = m->f;
    uint32_t in_register = f->per / f->per_tile;
    uint32_t n = f->is_along ? in_register : 1, bytes = n * f->bits / 8;
    for (uint32_t k = 0; k < f->per_tile; k++) {
        uint64_t v = f->is_store ? get(w, c, f, t, k, lane) : 0;
        for (uint32_t e = 0; e < in_register; e += n) {
            struct place p = element_at(f, f->first + t, lane, k * in_register + e);
            uint8_t *at = locate(x, w, c, lane, m, address_of(m, p), bytes);
            uint64_t part = v >> (e * f->bits);
            if (!at)
                return false;
            if (f->is_store) {
                memcpy(at, &part, bytes);
                continue;
            }
            part = 0;
            memcpy(&part, at, bytes);
            v |= part << (e * f->bits);
        }
        if (!f->is_store)
            put(w, c, f, t, k, lane, v);
    }
    return true;
}

bool ptx_move_fragment(struct ptx_exec *x, struct ptx_warp *w, const struct ptx_code *c,
                       uint32_t mask, const uint64_t *base)
{
    const struct ptx_fragment *f = c->fragment;
    struct matrix m = {.f = f, .base = base[0], .space = (enum ptx_space)c->space};
    if (mask != PTX_ALL)
        return ptx_fault(x, w, c, (uint32_t)__builtin_ctz(~mask),
                         "a matrix needs all threads of the warp");
    if (m.space == PS_GENERIC && base[0] - PTX_SHARED_WINDOW < PTX_WINDOW_BYTES) {
        m.space = PS_SHARED;
        m.base -= PTX_SHARED_WINDOW;
    }
    uint32_t along = f->is_along ? f->inner : f->outer * 8u;
    m.stride = c->b ? ((const lane_u32 *)(const void *)(w->file + c->b))[0] : along;
    for (uint32_t t = 0; t < f->n; t++)
        for (uint32_t lane = 0; lane < PTX_LANES; lane++)
            if (!move_tile(x, w, c, &m, t, lane))
                return false;
    return record(x, w, c, &m);
}
