/* SPDX-License-Identifier: MIT
 *
 * Functions that the driver provides to kernels: vprintf, __assertfail, malloc, free. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "sim/ptx/exec.h"

#define MAX_TEXT 4096u /* of a message or a string that is printed */
#define MAX_LINE 65536u
#define MAX_WIDTH 10000

static uint8_t *in_frame(const struct ptx_exec *x, const struct ptx_warp *w, uint32_t lane,
                         uint32_t place)
{
    return w->frame + (size_t)lane * x->stack_bytes + w->frame_base + place;
}

static uint64_t argument(const struct ptx_exec *x, const struct ptx_warp *w, uint32_t lane,
                         uint32_t place, uint32_t bytes)
{
    uint64_t v = 0;
    memcpy(&v, in_frame(x, w, lane, place), bytes);
    return v;
}

/* The text at an address, cut at MAX_TEXT; NULL: it is nowhere or does not end. */
static const char *text_at(const struct ptx_exec *x, const struct ptx_warp *w, uint32_t lane,
                           uint64_t address, struct arena *mem)
{
    uint64_t room;
    const uint8_t *at = ptx_peek(x, w, lane, address, &room);
    if (!at)
        return NULL;
    size_t n = strnlen((const char *)at, room < MAX_TEXT ? (size_t)room : MAX_TEXT);
    return n < room ? arena_strndup(mem, (const char *)at, n) : NULL;
}

/* ---- vprintf: the arguments lie one behind the other, each at a multiple of its size --------- */

struct arguments {
    const struct ptx_exec *x;
    const struct ptx_warp *w;
    uint32_t lane;
    uint64_t base, offset;
    bool outside;
};

static uint64_t next_argument(struct arguments *a, uint32_t bytes)
{
    uint64_t v = 0, room = 0;
    a->offset = (a->offset + bytes - 1) / bytes * bytes;
    const uint8_t *at = ptx_peek(a->x, a->w, a->lane, a->base + a->offset, &room);
    a->offset += bytes;
    if (at && room >= bytes)
        memcpy(&v, at, bytes);
    else
        a->outside = true;
    return v;
}

/* One conversion: "%" flags width precision, without length and letter, is in `spec`. */
static bool convert(struct arguments *a, char *spec, size_t n, int longs, char letter,
                    struct buf *out)
{
    struct arena *mem = out->mem;
    double real;
    uint64_t v;
    switch (letter) {
    case 'd':
    case 'i':
        v = next_argument(a, longs ? 8 : 4);
        snprintf(spec + n, 8, "%s", PRId64);
        buf_printf(out, spec, longs ? (int64_t)v : (int64_t)(int32_t)v);
        return true;
    case 'u':
    case 'x':
    case 'X':
    case 'o':
        v = next_argument(a, longs ? 8 : 4);
        snprintf(spec + n, 8, "l%c", letter);
        buf_printf(out, spec, v);
        return true;
    case 'c':
        v = next_argument(a, 4);
        snprintf(spec + n, 8, "c");
        buf_printf(out, spec, (int)(unsigned char)v);
        return true;
    case 'p':
        v = next_argument(a, 8);
        snprintf(spec + n, 8, "p");
        buf_printf(out, spec, (void *)(uintptr_t)v);
        return true;
    case 's': {
        const char *s = text_at(a->x, a->w, a->lane, next_argument(a, 8), mem);
        a->outside |= !s;
        snprintf(spec + n, 8, "s");
        buf_printf(out, spec, s ? s : "");
        return true;
    }
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
        v = next_argument(a, 8);
        memcpy(&real, &v, sizeof real);
        snprintf(spec + n, 8, "%c", letter);
        buf_printf(out, spec, real);
        return true;
    default: return false;
    }
}

/* From behind a '%'; returns where the text goes on. */
static const char *conversion(struct arguments *a, const char *f, struct buf *out)
{
    char spec[64] = "%";
    size_t n = 1;
    int longs = 0;
    const char *begin = f;
    for (int digits = 0; *f && strchr("-+ #0123456789.*", *f) && n < 40; f++) {
        digits = *f >= '0' && *f <= '9' ? digits + 1 : 0;
        int32_t given = *f == '*' ? (int32_t)next_argument(a, 4) : 0;
        if (*f == '*' && given > -MAX_WIDTH && given < MAX_WIDTH)
            n += (size_t)snprintf(spec + n, 12, "%d", (int)given);
        else if (*f != '*' && digits < 5) /* nobody wants a wider line */
            spec[n++] = *f;
    }
    for (; *f && strchr("hlLjzt", *f); f++)
        longs += *f != 'h';
    spec[n] = '\0';
    if (*f && convert(a, spec, n, longs, *f, out))
        return f + 1;
    buf_putc(out, '%'); /* what is no conversion is printed as it stands */
    return begin;
}

static bool print(struct ptx_exec *x, struct ptx_warp *w, const struct ptx_code *c, uint32_t lane,
                  struct arena *mem)
{
    struct arguments a = {.x = x, .w = w, .lane = lane, .base = argument(x, w, lane, c->b, 8)};
    const char *f = text_at(x, w, lane, argument(x, w, lane, c->a, 8), mem);
    struct buf out;
    if (!x->device->host.print)
        return ptx_fault(x, w, c, lane, "nobody is here to print");
    if (!f)
        return ptx_fault(x, w, c, lane, "the format is outside every buffer");
    buf_init(&out, mem, MAX_LINE);
    while (*f && !a.outside) {
        size_t plain = strcspn(f, "%");
        buf_addn(&out, f, plain);
        f += plain;
        if (f[0] == '%' && f[1] == '%') {
            buf_putc(&out, '%');
            f += 2;
        } else if (*f) {
            f = conversion(&a, f + 1, &out);
        }
    }
    if (a.outside)
        return ptx_fault(x, w, c, lane, "an argument of printf is outside every buffer");
    x->device->host.print(x->device->host.ctx, out.data, out.len);
    if (c->d)
        memset(in_frame(x, w, lane, c->d - 1), 0, 4);
    return true;
}

static bool asserted(struct ptx_exec *x, struct ptx_warp *w, const struct ptx_code *c,
                     uint32_t lane, struct arena *mem)
{
    const char *what = text_at(x, w, lane, argument(x, w, lane, c->a, 8), mem);
    const char *file = text_at(x, w, lane, argument(x, w, lane, c->b, 8), mem);
    const char *function = text_at(x, w, lane, argument(x, w, lane, c->e, 8), mem);
    uint32_t t = w->id * PTX_LANES + lane;
    const struct trace_dim *b = &x->launch->block;
    x->device->fault = PTX_ASSERTED;
    x->failed = true;
    return err_add(
        x->err, ERR_INPUT,
        AT_LINE(file ? file : x->kernel->module->file, (int)argument(x, w, lane, c->c, 4)),
        "kernel %s, CTA (%u,%u,%u), thread (%u,%u,%u): %s: assertion '%s' failed", x->kernel->name,
        x->cta.x, x->cta.y, x->cta.z, t % b->x, t / b->x % b->y, t / (b->x * b->y),
        function ? function : "?", what ? what : "?");
}

static bool serve_lane(struct ptx_exec *x, struct ptx_warp *w, const struct ptx_code *c,
                       uint32_t lane, struct arena *mem)
{
    const struct ptx_host *h = &x->device->host;
    switch ((enum ptx_service)c->sub) {
    case PSV_PRINT: return print(x, w, c, lane, mem);
    case PSV_ASSERT: return asserted(x, w, c, lane, mem);
    case PSV_MALLOC: {
        if (!h->allocate)
            return ptx_fault(x, w, c, lane, "there is no heap here");
        uint64_t address = h->allocate(h->ctx, argument(x, w, lane, c->a, 8));
        if (c->d)
            memcpy(in_frame(x, w, lane, c->d - 1), &address, 8);
        return true;
    }
    case PSV_FREE:
        if (!h->release)
            return ptx_fault(x, w, c, lane, "there is no heap here");
        h->release(h->ctx, argument(x, w, lane, c->a, 8));
        return true;
    }
    return true;
}

bool ptx_serve(struct ptx_exec *x, struct ptx_warp *w, const struct ptx_code *c, uint32_t mask)
{
    struct arena mem;
    bool ok = true;
    arena_init(&mem, NULL, NULL);
    for (uint32_t m = mask; m && ok; m &= m - 1)
        ok = serve_lane(x, w, c, (uint32_t)__builtin_ctz(m), &mem);
    /* the heap may have moved segments */
    memset(x->hints, 0, x->kernel->n_codes * sizeof *x->hints);
    arena_free(&mem);
    return ok;
}
