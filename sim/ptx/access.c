/* SPDX-License-Identifier: MIT
 *
 * Memory accesses of a warp: addresses, bounds, the trace of them, and the data. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3")
#endif
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/ptx/exec.h"

/* One access, ready to be carried out. */
struct access {
    uint64_t address[PTX_LANES];
    uint8_t *host[PTX_LANES];
};

static void find_addresses(const struct ptx_warp *w, const struct ptx_code *c, uint64_t *address)
{
    uint64_t imm = (uint64_t)c->imm;
    if (c->flags & PF_UNIFORM) {
        if (c->space == PS_LOCAL || c->space == PS_CALL_PARAM)
            imm += w->frame_base;
        LANES address[i] = imm;
    } else if (c->flags & PF_ADDRESS32) {
        const lane_u32 *a = (const void *)(w->file + c->a);
        LANES address[i] = (uint32_t)(a[i] + (uint32_t)imm);
    } else {
        const lane_u64 *a = (const void *)(w->file + c->a);
        LANES address[i] = a[i] + imm;
    }
}

/* ---- faults ---------------------------------------------------------------------------------- */

static const char *space_name(enum ptx_space s)
{
    switch (s) {
    case PS_SHARED: return "shared";
    case PS_LOCAL:
    case PS_CALL_PARAM: return "local";
    case PS_CONST: return "constant";
    case PS_PARAM: return "parameter";
    case PS_GLOBAL:
    case PS_GENERIC: break;
    }
    return "global";
}

static bool outside(struct ptx_exec *x, const struct ptx_warp *w, const struct ptx_code *c,
                    uint32_t lane, uint64_t address, uint32_t bytes, enum ptx_space space)
{
    const struct ptx_device *d = x->device;
    x->device->fault = PTX_BAD_ADDRESS;
    if (space == PS_SHARED)
        return ptx_fault(x, w, c, lane,
                         "%u bytes at shared address 0x%" PRIx64 " are outside its %u bytes", bytes,
                         address, x->shared_bytes);
    if (space == PS_LOCAL || space == PS_CALL_PARAM)
        return ptx_fault(x, w, c, lane,
                         "%u bytes at local address 0x%" PRIx64 " are outside its %u bytes", bytes,
                         address, x->stack_bytes);
    const struct ptx_segment *below = NULL;
    for (uint32_t i = 0; i < d->n_segments && d->segments[i].base <= address; i++)
        below = &d->segments[i];
    if (below && address - below->base < below->size + 65536)
        return ptx_fault(x, w, c, lane,
                         "%u bytes at %s address 0x%" PRIx64
                         " are outside every buffer; '%s' is 0x%" PRIx64 " and has %" PRIu64
                         " bytes",
                         bytes, space_name(space), address, below->name, below->base, below->size);
    return ptx_fault(x, w, c, lane, "%u bytes at %s address 0x%" PRIx64 " are outside every buffer",
                     bytes, space_name(space), address);
}

/* ---- where the bytes are --------------------------------------------------------------------- */

static const struct ptx_segment *find_segment(const struct ptx_device *d, uint64_t address,
                                              uint32_t bytes)
{
    uint32_t low = 0, high = d->n_segments;
    while (low < high) {
        uint32_t mid = (low + high) / 2;
        if (d->segments[mid].base <= address)
            low = mid + 1;
        else
            high = mid;
    }
    if (low == 0)
        return NULL;
    const struct ptx_segment *s = &d->segments[low - 1];
    uint64_t offset = address - s->base;
    return s->size >= bytes && offset <= s->size - bytes ? s : NULL;
}

/* What the authors of a program got away with: told once an instruction. */
static void warn_outside(struct ptx_exec *x, const struct ptx_code *c, bool writes)
{
    struct arena mem;
    arena_init(&mem, NULL, NULL);
    const struct ptx_kernel *k = x->kernel;
    struct ptx_source s = k->sources[c - k->codes];
    const char *file = s.line ? ptx_find_source(k->module, s.file) : NULL;
    err_warn_once(x->err, file ? AT_LINE(file, (int)s.line) : AT_LINE(k->module->file, c->line),
                  arena_printf(&mem, "kernel %s: '%s' %s", x->kernel->name, c->text,
                               writes ? "writes outside every buffer, which is lost"
                                      : "reads outside every buffer, which gives zero"));
    arena_free(&mem);
}

/* All lanes inside one range: then the host addresses follow by one addition. */
static bool locate_range(struct access *a, uint64_t base, uint64_t size, uint8_t *host,
                         uint32_t mask, uint32_t bytes)
{
    if (size < bytes)
        return false;
    uint64_t limit = size - bytes;
    if (mask == PTX_ALL) {
        /* the sign of either term is set for an offset outside 0..limit, as limit < 2^63 */
        uint64_t bad = 0;
        LANES
        {
            uint64_t offset = a->address[i] - base;
            bad |= offset | (limit - offset);
        }
        if (bad >> 63)
            return false;
    } else {
        for (uint32_t m = mask; m; m &= m - 1)
            if (a->address[__builtin_ctz(m)] - base > limit)
                return false;
    }
    uint64_t shift = (uint64_t)(uintptr_t)host - base;
    LANES a->host[i] = (uint8_t *)(uintptr_t)(a->address[i] + shift);
    return true;
}

static bool locate_global(struct ptx_exec *x, const struct ptx_warp *w, const struct ptx_code *c,
                          struct access *a, uint32_t mask, uint32_t bytes, bool writes)
{
    struct ptx_device *d = x->device;
    uint32_t *hint = &x->hints[c - x->kernel->codes];
    const struct ptx_segment *s = &d->segments[*hint];
    if (locate_range(a, s->base, s->size, s->host, mask, bytes) && (s->writable || !writes))
        return true;
    for (uint32_t m = mask; m; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m);
        s = find_segment(d, a->address[lane], bytes);
        if (!s && (writes ? x->launch->writes_outside : x->launch->reads_outside)) {
            warn_outside(x, c, writes);
            memset(x->nowhere, 0, sizeof x->nowhere);
            a->host[lane] = x->nowhere;
            continue;
        }
        if (!s)
            return outside(x, w, c, lane, a->address[lane], bytes, (enum ptx_space)c->space);
        if (writes && !s->writable)
            return ptx_fault(x, w, c, lane, "'%s' cannot be written", s->name);
        a->host[lane] = s->host + (a->address[lane] - s->base);
        *hint = (uint32_t)(s - d->segments);
    }
    return true;
}

static bool locate_shared(struct ptx_exec *x, const struct ptx_warp *w, const struct ptx_code *c,
                          struct access *a, uint32_t mask, uint32_t bytes)
{
    if (locate_range(a, 0, x->shared_bytes, x->shared, mask, bytes))
        return true;
    for (uint32_t m = mask; m; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m);
        if (bytes > x->shared_bytes || a->address[lane] > x->shared_bytes - bytes)
            return outside(x, w, c, lane, a->address[lane], bytes, PS_SHARED);
    }
    return true;
}

static bool locate_local(struct ptx_exec *x, const struct ptx_warp *w, const struct ptx_code *c,
                         struct access *a, uint32_t mask, uint32_t bytes)
{
    uint32_t frame = x->stack_bytes;
    for (uint32_t m = mask; m; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m);
        if (bytes > frame || a->address[lane] > frame - bytes)
            return outside(x, w, c, lane, a->address[lane], bytes, PS_LOCAL);
        a->host[lane] = w->frame + (size_t)lane * frame + a->address[lane];
    }
    return true;
}

static bool check_aligned(struct ptx_exec *x, const struct ptx_warp *w, const struct ptx_code *c,
                          const struct access *a, uint32_t mask, uint32_t bytes)
{
    uint64_t all = 0, low = bytes - 1;
    if (mask == PTX_ALL) {
        LANES all |= a->address[i];
        if ((all & low) == 0)
            return true;
    }
    for (uint32_t m = mask; m; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m);
        if (a->address[lane] & low) {
            x->device->fault = PTX_MISALIGNED;
            return ptx_fault(x, w, c, lane, "address 0x%" PRIx64 " is not a multiple of %u",
                             a->address[lane], bytes);
        }
    }
    return true;
}

/* ---- the trace ------------------------------------------------------------------------------- */

static bool grow_addresses(struct ptx_exec *x)
{
    uint64_t cap = x->cap_addresses ? (uint64_t)x->cap_addresses * 2 : 65536;
    if (cap > UINT32_MAX)
        cap = UINT32_MAX;
    if (cap < (uint64_t)x->n_addresses + PTX_LANES) {
        x->failed = true;
        return err_add(x->err, ERR_INPUT, AT_FILE(x->kernel->module->file),
                       "kernel '%s': a CTA makes more than %u accesses", x->kernel->name,
                       x->n_addresses);
    }
    uint64_t *more = realloc(x->addresses, cap * sizeof *more);
    if (!more) {
        x->failed = true;
        return err_add(x->err, ERR_MACHINE, NOWHERE, "no memory for a CTA's trace");
    }
    x->addresses = more;
    x->cap_addresses = (uint32_t)cap;
    return true;
}

/* Local memory is interleaved by 4-byte words, so that equal addresses of the lanes lie side by
 * side, as on hardware. */
static uint64_t local_trace_address(const struct ptx_exec *x, const struct ptx_warp *w,
                                    uint32_t lane, uint64_t address)
{
    uint64_t words = (x->stack_bytes + 3) / 4;
    uint64_t warp = x->cta_id * x->n_warps + w->id;
    return PTX_LOCAL_TRACE + ((warp * words + address / 4) * PTX_LANES + lane) * 4 + address % 4;
}

bool ptx_record_access(struct ptx_exec *x, struct ptx_warp *w, uint32_t stat, uint32_t mask,
                       const uint64_t *address, bool local)
{
    uint32_t n = ptx_count(mask), first = x->n_addresses;
    x->warp_insts++;
    x->thread_insts += n;
    if (!x->recording)
        return true;
    if (x->cap_addresses - x->n_addresses < PTX_LANES && !grow_addresses(x))
        return false;
    uint64_t *to = x->addresses + x->n_addresses;
    if (local)
        for (uint32_t m = mask; m; m &= m - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(m);
            *to++ = local_trace_address(x, w, lane, address[lane]);
        }
    else if (mask == PTX_ALL)
        memcpy(to, address, PTX_LANES * sizeof *to);
    else
        for (uint32_t m = mask; m; m &= m - 1)
            *to++ = address[__builtin_ctz(m)];
    x->n_addresses += n;
    return ptx_record(x, w, stat, mask, n, first);
}

/* ---- data ------------------------------------------------------------------------------------ */

static inline uint64_t read_as(const uint8_t *p, enum ptx_type t)
{
    switch (ptx_type_bytes(t)) {
    case 1: return ptx_is_signed(t) ? (uint64_t)(int64_t)(int8_t)*p : *p;
    case 2: {
        uint16_t v;
        memcpy(&v, p, 2);
        return ptx_is_signed(t) ? (uint64_t)(int64_t)(int16_t)v : v;
    }
    case 4: {
        uint32_t v;
        memcpy(&v, p, 4);
        return ptx_is_signed(t) ? (uint64_t)(int64_t)(int32_t)v : v;
    }
    default: {
        uint64_t v;
        memcpy(&v, p, 8);
        return v;
    }
    }
}

static void load_one(struct ptx_warp *w, const struct ptx_code *c, const struct access *a,
                     uint32_t mask, uint32_t place, uint32_t offset)
{
    enum ptx_type t = (enum ptx_type)c->type;
    void *d = w->file + place;
    if (c->bytes == 4 && c->elem_reg_bytes == 4) {
        lane_u32 *to = d;
        if (mask == PTX_ALL)
            for (int i = 0; i < PTX_LANES; i++)
                memcpy(&to[i], a->host[i] + offset, 4);
        else
            for (uint32_t m = mask; m; m &= m - 1)
                memcpy(&to[__builtin_ctz(m)], a->host[__builtin_ctz(m)] + offset, 4);
    } else if (c->bytes == 8) {
        lane_u64 *to = d;
        for (uint32_t m = mask; m; m &= m - 1)
            memcpy(&to[__builtin_ctz(m)], a->host[__builtin_ctz(m)] + offset, 8);
    } else if (c->elem_reg_bytes == 8) {
        lane_u64 *to = d;
        for (uint32_t m = mask; m; m &= m - 1)
            to[__builtin_ctz(m)] = read_as(a->host[__builtin_ctz(m)] + offset, t);
    } else {
        lane_u32 *to = d;
        uint32_t keep = c->elem_reg_bytes == 2 ? 0xffff : UINT32_MAX;
        for (uint32_t m = mask; m; m &= m - 1)
            to[__builtin_ctz(m)] = (uint32_t)read_as(a->host[__builtin_ctz(m)] + offset, t) & keep;
    }
}

static void load(struct ptx_warp *w, const struct ptx_code *c, const struct access *a,
                 uint32_t mask)
{
    for (uint32_t e = 0; e < c->n_elems; e++)
        if (c->u.elems[e])
            load_one(w, c, a, mask, c->u.elems[e], e * c->bytes);
}

static void store(struct ptx_warp *w, const struct ptx_code *c, const struct access *a,
                  uint32_t mask)
{
    for (uint32_t e = 0; e < c->n_elems; e++) {
        const uint8_t *from = w->file + c->u.elems[e];
        uint32_t stride = c->elem_reg_bytes == 8 ? 8 : 4, offset = e * c->bytes;
        /* little-endian hosts: the low bytes come first (checked in sim/ptx/launch.c) */
        switch (c->bytes) {
        case 4:
            for (uint32_t m = mask; m; m &= m - 1) {
                uint32_t i = (uint32_t)__builtin_ctz(m);
                memcpy(a->host[i] + offset, from + i * stride, 4);
            }
            break;
        case 8:
            for (uint32_t m = mask; m; m &= m - 1) {
                uint32_t i = (uint32_t)__builtin_ctz(m);
                memcpy(a->host[i] + offset, from + i * stride, 8);
            }
            break;
        default:
            for (uint32_t m = mask; m; m &= m - 1) {
                uint32_t i = (uint32_t)__builtin_ctz(m);
                memcpy(a->host[i] + offset, from + i * stride, c->bytes);
            }
        }
    }
}

static uint32_t add_f32(uint32_t a, uint32_t b)
{
    float x, y;
    memcpy(&x, &a, 4);
    memcpy(&y, &b, 4);
    x += y;
    if (x != x)
        return 0x7fffffff;
    memcpy(&a, &x, 4);
    return a;
}

static uint64_t add_f64(uint64_t a, uint64_t b)
{
    double x, y;
    memcpy(&x, &a, 8);
    memcpy(&y, &b, 8);
    x += y;
    if (x != x)
        return 0x7ff8000000000000;
    memcpy(&a, &x, 8);
    return a;
}

static uint32_t add_f16(uint32_t a, uint32_t b)
{
    return ptx_double_to_half(ptx_half_to_double((uint16_t)a) + ptx_half_to_double((uint16_t)b), 0);
}

static uint32_t add_bf16(uint32_t a, uint32_t b)
{
    return ptx_double_to_brain(ptx_brain_to_double((uint16_t)a) + ptx_brain_to_double((uint16_t)b));
}

static uint64_t sum(enum ptx_type t, uint64_t a, uint64_t b)
{
    switch (t) {
    case PT_F32: return add_f32((uint32_t)a, (uint32_t)b);
    case PT_F64: return add_f64(a, b);
    case PT_F16: return add_f16((uint32_t)a, (uint32_t)b);
    case PT_BF16: return add_bf16((uint32_t)a, (uint32_t)b);
    case PT_BF16X2:
        return add_bf16((uint32_t)a, (uint32_t)b) | add_bf16((uint32_t)a >> 16, (uint32_t)b >> 16)
                                                        << 16;
    case PT_F16X2:
        return add_f16((uint32_t)a, (uint32_t)b) | add_f16((uint32_t)a >> 16, (uint32_t)b >> 16)
                                                       << 16;
    default: return a + b;
    }
}

/* Operands are sign- or zero-extended to 64 bits by their type. */
static uint64_t combine(const struct ptx_code *c, uint64_t old, uint64_t b, uint64_t swap)
{
    enum ptx_type t = (enum ptx_type)c->type;
    bool less = ptx_is_signed(t) ? (int64_t)old < (int64_t)b : old < b;
    switch ((enum ptx_atomic)c->sub) {
    case PA_ADD: return sum(t, old, b);
    case PA_MIN: return less ? old : b;
    case PA_MAX: return less ? b : old;
    case PA_AND: return old & b;
    case PA_OR: return old | b;
    case PA_XOR: return old ^ b;
    case PA_EXCH: return b;
    case PA_CAS: return old == b ? swap : old;
    case PA_INC: return old >= b ? 0 : old + 1;
    case PA_DEC: return old == 0 || old > b ? b : old - 1;
    }
    return old;
}

static void atomic(struct ptx_warp *w, const struct ptx_code *c, const struct access *a,
                   uint32_t mask)
{
    enum ptx_type t = (enum ptx_type)c->type;
    uint32_t stride = c->wide ? 8 : 4;
    for (uint32_t m = mask; m; m &= m - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(m);
        uint64_t old = read_as(a->host[i], t), b = read_as(w->file + c->b + i * stride, t);
        uint64_t swap = c->sub == PA_CAS ? read_as(w->file + c->c + i * stride, t) : 0;
        uint64_t fresh = combine(c, old, b, swap);
        memcpy(a->host[i], &fresh, c->bytes);
        if (c->d && c->wide)
            ((lane_u64 *)(void *)(w->file + c->d))[i] = old;
        else if (c->d)
            ((lane_u32 *)(void *)(w->file + c->d))[i] =
                (uint32_t)old & (c->bytes == 2 ? 0xffff : UINT32_MAX);
    }
}

uint8_t *ptx_peek(const struct ptx_exec *x, const struct ptx_warp *w, uint32_t lane,
                  uint64_t address, uint64_t *room)
{
    uint64_t offset = address - PTX_SHARED_WINDOW;
    if (offset < PTX_WINDOW_BYTES) {
        *room = offset < x->shared_bytes ? x->shared_bytes - offset : 0;
        return *room ? x->shared + offset : NULL;
    }
    offset = address - PTX_LOCAL_WINDOW;
    if (offset < PTX_WINDOW_BYTES) {
        uint32_t frame = x->stack_bytes;
        *room = offset < frame ? frame - offset : 0;
        return *room ? w->frame + (size_t)lane * frame + offset : NULL;
    }
    const struct ptx_segment *s = find_segment(x->device, address, 1);
    if (!s)
        return NULL;
    *room = s->size - (address - s->base);
    return s->host + (address - s->base);
}

/* ---- one instruction ------------------------------------------------------------------------- */

static void carry_out(struct ptx_warp *w, const struct ptx_code *c, const struct access *a,
                      uint32_t mask)
{
    if (c->kind == PK_LOAD)
        load(w, c, a, mask);
    else if (c->kind == PK_STORE)
        store(w, c, a, mask);
    else
        atomic(w, c, a, mask);
}

/* Addresses in `a` are those of `space`; stat is the trace's entry for it. */
static bool access_in(struct ptx_exec *x, struct ptx_warp *w, const struct ptx_code *c,
                      struct access *a, uint32_t mask, enum ptx_space space, uint32_t stat)
{
    uint32_t bytes = (uint32_t)c->bytes * c->n_elems;
    bool silent = c->flags & PF_SILENT, ok = false;
    if (bytes > 1 && !check_aligned(x, w, c, a, mask, bytes))
        return false;
    switch (space) {
    case PS_SHARED: ok = locate_shared(x, w, c, a, mask, bytes); break;
    case PS_LOCAL:
    case PS_CALL_PARAM: ok = locate_local(x, w, c, a, mask, bytes); break;
    case PS_GLOBAL:
    case PS_CONST:
    case PS_PARAM:
    case PS_GENERIC: ok = locate_global(x, w, c, a, mask, bytes, c->kind != PK_LOAD); break;
    }
    if (!ok)
        return false;
    if (!silent && space == PS_CALL_PARAM) { /* moves between registers, on hardware */
        x->warp_insts++;
        x->thread_insts += ptx_count(mask);
        if (x->recording && !ptx_record(x, w, stat, mask, 0, 0))
            return false;
    } else if (!silent && !ptx_record_access(x, w, stat, mask, a->address, space == PS_LOCAL)) {
        return false;
    }
    if (space == PS_SHARED && x->is_watched)
        ptx_watch(x, w, c, a->address, mask, bytes);
    else if (x->is_watched && ptx_is_strong(c))
        ptx_races_meet(x->races, w->id, c, a->address, mask);
    carry_out(w, c, a, mask);
    return true;
}

/* A generic address is of the space whose window it is in. */
static bool access_generic(struct ptx_exec *x, struct ptx_warp *w, const struct ptx_code *c,
                           struct access *a, uint32_t mask)
{
    uint32_t shared = 0, local = 0;
    for (uint32_t m = mask; m; m &= m - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(m);
        if (a->address[i] - PTX_SHARED_WINDOW < PTX_WINDOW_BYTES) {
            shared |= 1u << i;
            a->address[i] -= PTX_SHARED_WINDOW;
        } else if (a->address[i] - PTX_LOCAL_WINDOW < PTX_WINDOW_BYTES) {
            local |= 1u << i;
            a->address[i] -= PTX_LOCAL_WINDOW;
        }
    }
    uint32_t global = mask & ~shared & ~local;
    return (!global || access_in(x, w, c, a, global, PS_GENERIC, c->stat)) &&
           (!shared || access_in(x, w, c, a, shared, PS_SHARED, c->stat + 1u)) &&
           (!local || access_in(x, w, c, a, local, PS_LOCAL, c->stat + 2u));
}

/* Lines are asked for where there is memory; elsewhere nothing happens, as on hardware. */
static bool prefetch(struct ptx_exec *x, struct ptx_warp *w, const struct ptx_code *c,
                     const struct access *a, uint32_t mask)
{
    uint32_t found = 0;
    for (uint32_t m = mask; m; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m);
        found |= find_segment(x->device, a->address[lane], 1) ? 1u << lane : 0;
    }
    return ptx_record_access(x, w, c->stat, found, a->address, false);
}

bool ptx_access(struct ptx_exec *x, struct ptx_warp *w, const struct ptx_code *c, uint32_t mask)
{
    struct access a;
    if (mask == 0) {
        if (c->flags & PF_SILENT)
            return true;
        x->warp_insts++;
        return !x->recording || ptx_record(x, w, c->stat, 0, 0, 0);
    }
    if (c->kind == PK_TEXTURE)
        return ptx_sample(x, w, c, mask);
    find_addresses(w, c, a.address);
    if (x->grid && !ptx_pass_grid(x, w, c, mask, a.address))
        return !x->failed;
    if (c->kind == PK_LDMATRIX)
        return ptx_load_matrix(x, w, c, mask, a.address);
    if (c->kind == PK_FRAGMENT)
        return ptx_move_fragment(x, w, c, mask, a.address);
    if (c->kind == PK_PREFETCH)
        return prefetch(x, w, c, &a, mask);
    if (c->space == PS_GENERIC)
        return access_generic(x, w, c, &a, mask);
    return access_in(x, w, c, &a, mask, (enum ptx_space)c->space, c->stat);
}
