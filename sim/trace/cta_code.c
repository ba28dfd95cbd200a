/* SPDX-License-Identifier: MIT */
#include "sim/trace/cta_code.h"

#include <stdlib.h>
#include <string.h>

#define N_STATS 65536u
#define NO_STAT UINT32_MAX

/* ---- bytes ----------------------------------------------------------------------------------- */

static bool reserve(struct trace_bytes *b, size_t n)
{
    if (b->failed)
        return false;
    if (n <= b->cap - b->n)
        return true;
    size_t cap = b->cap ? b->cap * 2 : 4096;
    while (cap - b->n < n)
        cap *= 2;
    uint8_t *more = realloc(b->at, cap);
    if (!more) {
        b->failed = true;
        return false;
    }
    b->at = more;
    b->cap = cap;
    return true;
}

void trace_put(struct trace_bytes *b, const void *data, size_t n)
{
    if (!n || !reserve(b, n))
        return;
    memcpy(b->at + b->n, data, n);
    b->n += n;
}

void trace_put_byte(struct trace_bytes *b, uint8_t v)
{
    if (reserve(b, 1))
        b->at[b->n++] = v;
}

void trace_put_uint(struct trace_bytes *b, uint64_t v)
{
    if (!reserve(b, 10))
        return;
    for (; v >= 128; v >>= 7)
        b->at[b->n++] = (uint8_t)(v | 128);
    b->at[b->n++] = (uint8_t)v;
}

static uint64_t zigzag(int64_t v)
{
    return (uint64_t)v << 1 ^ (v < 0 ? ~(uint64_t)0 : 0);
}

void trace_put_int(struct trace_bytes *b, int64_t v)
{
    trace_put_uint(b, zigzag(v));
}

uint8_t trace_get_byte(struct trace_reader *r)
{
    if (r->at >= r->end) {
        r->bad = true;
        return 0;
    }
    return *r->at++;
}

uint64_t trace_get_uint(struct trace_reader *r)
{
    uint64_t v = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        uint8_t b = trace_get_byte(r);
        v |= (uint64_t)(b & 127) << shift;
        if (!(b & 128)) {
            r->bad |= shift == 63 && b > 1;
            return r->bad ? 0 : v;
        }
    }
    r->bad = true;
    return 0;
}

int64_t trace_get_int(struct trace_reader *r)
{
    uint64_t v = trace_get_uint(r);
    return (int64_t)(v >> 1 ^ (0 - (v & 1)));
}

const void *trace_get(struct trace_reader *r, size_t n)
{
    if ((size_t)(r->end - r->at) < n) {
        r->bad = true;
        return NULL;
    }
    const void *p = r->at;
    r->at += n;
    return p;
}

/* ---- predictions ----------------------------------------------------------------------------- */

enum shape { SHAPE_NONE, SHAPE_LINE, SHAPE_LIST };

/* What is known of one static instruction in this CTA. */
struct past {
    uint32_t cta;          /* stamp: of another CTA, the rest is void */
    uint32_t warp;         /* that came here last */
    uint32_t next;         /* what followed it */
    uint32_t before, mask; /* the mask of the instruction before it, and its own */
    uint8_t shape, n_list;
    uint64_t base, step;             /* LINE: address of lane 0; LIST: the first address */
    uint64_t first_base, first_step; /* the same from warp to warp */
    uint64_t stride;                 /* LINE */
    uint64_t list[TRACE_LANES];      /* LIST: relative to the first */
};

struct trace_coder {
    struct past *pasts; /* [stat] */
    uint32_t n_pasts;
    uint32_t cta; /* stamp of the present CTA */
    uint32_t warp;
    uint32_t first_stat, first_mask; /* of the warp before */
    /* of the warp at hand */
    uint32_t stat, mask;
    bool no_memory; /* why the last decoding failed */
};

struct trace_coder *trace_coder_new(void)
{
    return calloc(1, sizeof(struct trace_coder));
}

void trace_coder_free(struct trace_coder *c)
{
    if (c)
        free(c->pasts);
    free(c);
}

static struct past *past_of(struct trace_coder *c, uint32_t stat)
{
    if (stat >= c->n_pasts) {
        uint32_t n = c->n_pasts ? c->n_pasts : 256;
        while (n <= stat)
            n *= 2;
        struct past *more = realloc(c->pasts, n * sizeof *more);
        if (!more) {
            c->no_memory = true;
            return NULL;
        }
        memset(more + c->n_pasts, 0, (n - c->n_pasts) * sizeof *more);
        c->pasts = more;
        c->n_pasts = n;
    }
    struct past *p = &c->pasts[stat];
    if (p->cta != c->cta) {
        p->cta = c->cta;
        p->warp = NO_STAT;
        p->next = stat + 1;
        p->before = p->mask = 0;
        p->shape = SHAPE_NONE;
        p->base = p->step = p->first_base = p->first_step = p->stride = 0;
        p->n_list = 0;
    }
    return p;
}

static void begin_cta(struct trace_coder *c)
{
    if (++c->cta == 0) { /* stamps are used up: forget everything */
        if (c->n_pasts)
            memset(c->pasts, 0, c->n_pasts * sizeof *c->pasts);
        c->cta = 1;
    }
    c->first_stat = 0;
    c->first_mask = UINT32_MAX;
}

static void begin_warp(struct trace_coder *c, uint32_t warp)
{
    c->warp = warp;
    c->stat = NO_STAT;
    c->mask = c->first_mask;
}

static uint32_t predict_stat(const struct trace_coder *c)
{
    return (c->stat == NO_STAT ? c->first_stat : c->pasts[c->stat].next) & (N_STATS - 1);
}

static uint32_t predict_mask(const struct trace_coder *c, const struct past *p)
{
    return p->mask && p->before == c->mask ? p->mask : c->mask;
}

static uint64_t predict_base(const struct trace_coder *c, const struct past *p)
{
    return p->warp == c->warp ? p->base + p->step : p->first_base + p->first_step;
}

/* Goes on to (stat, mask). */
static void advance(struct trace_coder *c, struct past *p, uint32_t stat, uint32_t mask)
{
    p->before = c->mask;
    p->mask = mask;
    if (c->stat == NO_STAT) {
        c->first_stat = stat;
        c->first_mask = mask;
    } else {
        c->pasts[c->stat].next = stat;
    }
    c->stat = stat;
    c->mask = mask;
}

static void note_base(struct trace_coder *c, struct past *p, uint64_t base)
{
    if (p->warp == c->warp) {
        p->step = base - p->base;
    } else {
        p->first_step = p->warp == NO_STAT ? 0 : base - p->first_base;
        p->first_base = base;
        p->warp = c->warp;
    }
    p->base = base;
}

/* ---- what is written of an instruction that was not foreseen --------------------------------- */

enum {
    SAYS_STAT = 1,     /* the stat follows, as a difference to the one foreseen */
    MASK_FORESEEN = 0, /* two bits from here */
    MASK_GIVEN = 2,
    MASK_FULL = 4,
    MASK_BEFORE = 6,
    MASK_BITS = 6,
    ADDRESS_FORESEEN = 0, /* three bits from here */
    ADDRESS_NONE = 8,
    ADDRESS_BASE = 16, /* the shape of the last time from another base */
    ADDRESS_LINE = 24, /* base and stride */
    ADDRESS_LIST = 32, /* base and differences from lane to lane */
    ADDRESS_BITS = 56,
};

static uint32_t lowest(uint32_t mask)
{
    return (uint32_t)__builtin_ctz(mask);
}

/* addresses == base + stride * lane? */
static bool is_line(const uint64_t *addresses, uint32_t mask, uint64_t base, uint64_t stride)
{
    uint64_t off = 0;
    if (mask == UINT32_MAX) {
        for (uint32_t i = 0; i < TRACE_LANES; i++)
            off |= addresses[i] ^ (base + stride * i);
        return off == 0;
    }
    for (uint32_t m = mask; m; m &= m - 1)
        off |= *addresses++ ^ (base + stride * lowest(m));
    return off == 0;
}

static bool is_list(const uint64_t *addresses, uint32_t n, const struct past *p)
{
    uint64_t off = 0;
    if (p->n_list != n)
        return false;
    for (uint32_t i = 0; i < n; i++)
        off |= addresses[i] ^ (addresses[0] + p->list[i]);
    return off == 0;
}

/* The base under which the shape of the last time gives these addresses; false if none does. */
static bool fits_shape(const struct past *p, const uint64_t *addresses, uint32_t mask, uint32_t n,
                       uint64_t *base)
{
    if (p->shape == SHAPE_LINE) {
        *base = addresses[0] - p->stride * lowest(mask);
        return is_line(addresses, mask, *base, p->stride);
    }
    *base = addresses[0];
    return p->shape == SHAPE_LIST && is_list(addresses, n, p);
}

/* Finds a shape, stores it in p and writes it; the flags go into the byte at `flags_at`. */
static uint8_t put_shape(struct trace_bytes *out, struct past *p, const uint64_t *addresses,
                         uint32_t mask, uint32_t n, uint64_t foreseen, uint64_t *base)
{
    uint64_t stride = 0;
    if (n > 1) {
        uint32_t first = lowest(mask), second = lowest(mask & (mask - 1));
        int64_t apart = (int64_t)(addresses[1] - addresses[0]);
        if (apart % (int64_t)(second - first) == 0)
            stride = (uint64_t)(apart / (int64_t)(second - first));
    }
    *base = addresses[0] - stride * lowest(mask);
    if (is_line(addresses, mask, *base, stride)) {
        trace_put_int(out, (int64_t)(*base - foreseen));
        trace_put_int(out, (int64_t)stride);
        p->shape = SHAPE_LINE;
        p->stride = stride;
        return ADDRESS_LINE;
    }
    *base = addresses[0];
    trace_put_int(out, (int64_t)(*base - foreseen));
    p->shape = SHAPE_LIST;
    p->n_list = (uint8_t)n;
    p->list[0] = 0;
    for (uint32_t i = 1; i < n; i++) {
        p->list[i] = addresses[i] - addresses[0];
        trace_put_int(out, (int64_t)(addresses[i] - addresses[i - 1]));
    }
    return ADDRESS_LIST;
}

static uint8_t put_addresses(struct trace_coder *c, struct trace_bytes *out, struct past *p,
                             const struct trace_inst *in, const uint64_t *of_cta)
{
    uint64_t base, foreseen = predict_base(c, p);
    uint8_t flags;
    if (in->n_addresses == 0) {
        /* a mask of zero says nothing about what the instruction is */
        flags = p->shape == SHAPE_NONE || in->mask == 0 ? ADDRESS_FORESEEN : ADDRESS_NONE;
        if (in->mask)
            p->shape = SHAPE_NONE;
        return flags;
    }
    const uint64_t *addresses = of_cta + in->first_address;
    if (fits_shape(p, addresses, in->mask, in->n_addresses, &base)) {
        flags = base == foreseen ? ADDRESS_FORESEEN : ADDRESS_BASE;
        if (flags == ADDRESS_BASE)
            trace_put_int(out, (int64_t)(base - foreseen));
    } else {
        flags = put_shape(out, p, addresses, in->mask, in->n_addresses, foreseen, &base);
    }
    note_base(c, p, base);
    return flags;
}

static uint8_t put_mask(struct trace_bytes *out, uint32_t mask, uint32_t foreseen, uint32_t before)
{
    if (mask == foreseen)
        return MASK_FORESEEN;
    if (mask == UINT32_MAX)
        return MASK_FULL;
    if (mask == before)
        return MASK_BEFORE;
    trace_put(out, &mask, sizeof mask); /* little-endian: see docs/trace-format.md */
    return MASK_GIVEN;
}

/* ---- encoding -------------------------------------------------------------------------------- */

static bool encode_warp(struct trace_coder *c, const struct trace_warp *w,
                        const uint64_t *addresses, struct trace_bytes *out,
                        struct trace_bytes *scratch)
{
    uint64_t run = 0;
    trace_put_uint(out, w->n_insts);
    for (uint32_t i = 0; i < w->n_insts; i++) {
        const struct trace_inst *in = &w->insts[i];
        uint32_t stat = predict_stat(c);
        struct past *p = past_of(c, in->stat);
        if (!p)
            return false;
        scratch->n = 0;
        uint8_t flags = 0;
        if (in->stat != stat) {
            flags |= SAYS_STAT;
            trace_put_int(scratch, (int64_t)in->stat - (int64_t)stat);
        }
        flags |= put_mask(scratch, in->mask, predict_mask(c, p), c->mask);
        flags |= put_addresses(c, scratch, p, in, addresses);
        advance(c, p, in->stat, in->mask);
        if (flags == 0) {
            run++;
            continue;
        }
        trace_put_uint(out, run);
        run = 0;
        trace_put_byte(out, flags);
        trace_put(out, scratch->at, scratch->n);
    }
    if (run)
        trace_put_uint(out, run);
    return !out->failed && !scratch->failed;
}

bool trace_encode_cta(struct trace_coder *c, const struct trace_cta *cta, struct trace_bytes *out,
                      const char **why)
{
    struct trace_bytes scratch = {0};
    uint64_t n_insts = 0, n_addresses = 0;
    *why = NULL;
    if (cta->n_warps > TRACE_MAX_WARPS) {
        *why = "a CTA has too many warps";
        return false;
    }
    for (uint32_t w = 0; w < cta->n_warps; w++)
        for (uint32_t i = 0; i < cta->warps[w].n_insts; i++) {
            const struct trace_inst *in = &cta->warps[w].insts[i];
            n_insts++;
            n_addresses += in->n_addresses;
            if (in->n_addresses && in->n_addresses != trace_count_lanes(in->mask)) {
                *why = "an instruction has not one address per active lane";
                return false;
            }
        }
    begin_cta(c);
    trace_put_uint(out, cta->n_warps);
    trace_put_uint(out, n_insts);
    trace_put_uint(out, n_addresses);
    bool ok = true;
    for (uint32_t w = 0; w < cta->n_warps && ok; w++) {
        begin_warp(c, w);
        ok = encode_warp(c, &cta->warps[w], cta->addresses, out, &scratch);
    }
    free(scratch.at);
    return ok && !out->failed;
}

/* ---- decoding -------------------------------------------------------------------------------- */

struct target {
    struct trace_inst *insts;
    uint64_t *addresses;
    uint32_t n_insts, max_insts, n_addresses, max_addresses;
};

static bool put_list(struct target *t, const struct past *p, uint64_t base, uint32_t n)
{
    uint64_t *to = t->addresses + t->n_addresses;
    if (p->n_list != n)
        return false;
    for (uint32_t i = 0; i < n; i++)
        to[i] = base + p->list[i];
    return true;
}

/* Writes the addresses of p's shape from `base`. */
static bool make_addresses(struct target *t, const struct past *p, uint32_t mask, uint32_t n,
                           uint64_t base)
{
    uint64_t *to = t->addresses + t->n_addresses;
    if (t->max_addresses - t->n_addresses < n)
        return false;
    if (p->shape == SHAPE_LIST) {
        if (!put_list(t, p, base, n))
            return false;
    } else if (mask == UINT32_MAX) {
        for (uint32_t i = 0; i < TRACE_LANES; i++)
            to[i] = base + p->stride * i;
    } else {
        for (uint32_t m = mask; m; m &= m - 1)
            *to++ = base + p->stride * lowest(m);
    }
    t->n_addresses += n;
    return true;
}

static bool get_shape(struct trace_reader *in, struct past *p, uint32_t n, bool list)
{
    if (!list) {
        p->shape = SHAPE_LINE;
        p->stride = (uint64_t)trace_get_int(in);
        return !in->bad;
    }
    p->shape = SHAPE_LIST;
    p->n_list = (uint8_t)n;
    p->list[0] = 0;
    for (uint32_t i = 1; i < n; i++)
        p->list[i] = p->list[i - 1] + (uint64_t)trace_get_int(in);
    return !in->bad;
}

static bool get_addresses(struct trace_coder *c, struct trace_reader *in, struct past *p,
                          uint8_t flags, struct target *t, struct trace_inst *inst)
{
    uint32_t n = trace_count_lanes(inst->mask);
    uint8_t how = flags & ADDRESS_BITS;
    if (inst->mask == 0)
        return how == ADDRESS_FORESEEN;
    if (how == ADDRESS_NONE)
        p->shape = SHAPE_NONE;
    if (how == ADDRESS_NONE || (how == ADDRESS_FORESEEN && p->shape == SHAPE_NONE))
        return true;
    uint64_t base = predict_base(c, p);
    if (how != ADDRESS_FORESEEN)
        base += (uint64_t)trace_get_int(in);
    if (how > ADDRESS_LIST || (how == ADDRESS_BASE && p->shape == SHAPE_NONE) ||
        ((how == ADDRESS_LINE || how == ADDRESS_LIST) && !get_shape(in, p, n, how == ADDRESS_LIST)))
        return false;
    inst->first_address = t->n_addresses;
    inst->n_addresses = (uint16_t)n;
    note_base(c, p, base);
    return make_addresses(t, p, inst->mask, n, base);
}

static bool decode_inst(struct trace_coder *c, struct trace_reader *in, uint32_t n_statics,
                        uint8_t flags, struct target *t)
{
    int64_t stat = predict_stat(c);
    if (flags & SAYS_STAT)
        stat += trace_get_int(in);
    if (stat < 0 || stat >= n_statics || t->n_insts == t->max_insts)
        return false;
    struct past *p = past_of(c, (uint32_t)stat);
    if (!p)
        return false;
    uint32_t mask = predict_mask(c, p);
    if ((flags & MASK_BITS) == MASK_FULL)
        mask = UINT32_MAX;
    if ((flags & MASK_BITS) == MASK_BEFORE)
        mask = c->mask;
    if ((flags & MASK_BITS) == MASK_GIVEN) {
        const void *given = trace_get(in, sizeof mask);
        if (!given)
            return false;
        memcpy(&mask, given, sizeof mask);
    }
    struct trace_inst inst = {.mask = mask, .stat = (uint16_t)stat};
    if (!get_addresses(c, in, p, flags, t, &inst) || in->bad)
        return false;
    advance(c, p, (uint32_t)stat, mask);
    t->insts[t->n_insts++] = inst;
    return true;
}

static bool decode_warp(struct trace_coder *c, struct trace_reader *in, uint32_t n_statics,
                        struct target *t, uint32_t *n_insts)
{
    uint64_t n = trace_get_uint(in);
    if (in->bad || n > t->max_insts - t->n_insts)
        return false;
    *n_insts = (uint32_t)n;
    while (n) {
        uint64_t run = trace_get_uint(in);
        if (in->bad || run > n)
            return false;
        n -= run;
        for (; run; run--)
            if (!decode_inst(c, in, n_statics, 0, t))
                return false;
        if (n == 0)
            break;
        uint8_t flags = trace_get_byte(in);
        /* a byte of zero would have been part of the run */
        if (in->bad || flags == 0 || !decode_inst(c, in, n_statics, flags, t))
            return false;
        n--;
    }
    return true;
}

bool trace_decode_cta(struct trace_coder *c, struct trace_reader *in, uint32_t n_statics,
                      const struct trace_limits *limits, struct trace_cta *out, const char **why)
{
    uint64_t n_warps = trace_get_uint(in), n_insts = trace_get_uint(in);
    uint64_t n_addresses = trace_get_uint(in);
    *why = "a CTA's header is malformed";
    if (in->bad || n_warps > TRACE_MAX_WARPS)
        return false;
    *why = "a CTA is larger than allowed";
    if (n_insts > limits->max_insts || n_addresses > limits->max_addresses)
        return false;
    /* one allocation: warps, addresses, instructions */
    size_t warps_size = (size_t)n_warps * sizeof(struct trace_warp);
    size_t addresses_size = (size_t)n_addresses * sizeof(uint64_t);
    char *block = malloc(warps_size + addresses_size + n_insts * sizeof(struct trace_inst) + 1);
    *why = NULL;
    if (!block)
        return false;
    struct trace_warp *warps = (void *)block;
    struct target t = {.addresses = (void *)(block + warps_size),
                       .insts = (void *)(block + warps_size + addresses_size),
                       .max_insts = (uint32_t)n_insts,
                       .max_addresses = (uint32_t)n_addresses};
    begin_cta(c);
    bool ok = true;
    for (uint32_t w = 0; w < n_warps && ok; w++) {
        warps[w].insts = t.insts + t.n_insts;
        begin_warp(c, w);
        ok = decode_warp(c, in, n_statics, &t, &warps[w].n_insts);
    }
    if (!ok || t.n_insts != n_insts || t.n_addresses != n_addresses) {
        free(block);
        *why = c->no_memory ? NULL : "a CTA's instructions are malformed";
        c->no_memory = false;
        return false;
    }
    *out = (struct trace_cta){
        .n_warps = (uint32_t)n_warps, .warps = warps, .addresses = t.addresses, .owner = block};
    return true;
}
