/* SPDX-License-Identifier: MIT */
#include "sim/reference/reference.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/arena.h"

/* Every reference, by name; each is `const struct reference ref_NAME` in sim/reference/. */
/* clang-format off */
#define REFERENCES(X) \
    X(hs) X(bt) X(bp) X(bfs) X(srad) X(lud) X(2dconv) X(mm) X(nn) X(fdtd3d) X(dct) \
    X(kmeans) X(pvc) X(ii) X(sm) X(leu) X(cfd) X(hist) X(3dconv) X(fdtd2d) X(wc) \
    X(tpacf) X(dxtc) X(cp) X(pathfinder) X(nqu) X(mriq) X(qrg) X(ms) \
    X(atax) X(bicg) X(mvt) X(syrk) X(syr2k) X(gemm) X(2mm) X(3mm) X(corr) X(gesummv) X(covar) \
    X(spmv) X(particlefilter) X(sc) X(transpose) \
    X(nbo) X(sgm) X(nw) X(bs) X(lps) X(mon) X(hst) X(imd) \
    X(aes) X(lib) X(sto) X(sad) X(mum) X(ray) X(wp) \
    X(tgemm) X(softmax) X(layernorm) X(attention)
/* clang-format on */

#define X(name) extern const struct reference ref_##name;
REFERENCES(X)
#undef X

const struct reference *const references[] = {
#define X(name) &ref_##name,
    REFERENCES(X)
#undef X
        NULL};

static const struct {
    const char *name;
    size_t size;
} types[] = {
    [REF_U8] = {"u8", 1},   [REF_S8] = {"s8", 1},   [REF_U16] = {"u16", 2}, [REF_S16] = {"s16", 2},
    [REF_U32] = {"u32", 4}, [REF_S32] = {"s32", 4}, [REF_U64] = {"u64", 8}, [REF_S64] = {"s64", 8},
    [REF_F32] = {"f32", 4}, [REF_F64] = {"f64", 8}};

const struct reference *reference_find(const char *name)
{
    for (const struct reference *const *p = references; *p; p++)
        if (strcmp((*p)->name, name) == 0)
            return *p;
    return NULL;
}

bool ref_require(struct ref *r, bool ok, const char *fmt, ...)
{
    if (!ok && !r->wrong) {
        va_list ap;
        va_start(ap, fmt);
        r->wrong = arena_vprintf(r->mem, fmt, ap);
        va_end(ap);
    }
    return ok;
}

static const struct ref_param *find_param(struct ref *r, const char *name)
{
    for (size_t i = 0; i < r->n_params; i++)
        if (strcmp(r->params[i].name, name) == 0)
            return &r->params[i];
    ref_require(r, false, "the reference needs a parameter '%s'", name);
    return NULL;
}

static const struct ref_buffer *find_buffer(struct ref *r, const char *name, uint64_t count)
{
    for (size_t i = 0; i < r->n_buffers; i++) {
        const struct ref_buffer *b = &r->buffers[i];
        if (strcmp(b->name, name) == 0)
            return ref_require(r, b->count >= count,
                               "the reference needs %llu elements in '%s', which has %llu",
                               (unsigned long long)count, name, (unsigned long long)b->count)
                       ? b
                       : NULL;
    }
    ref_require(r, false, "the reference needs a buffer '%s'", name);
    return NULL;
}

int64_t ref_int(struct ref *r, const char *name, int64_t lo, int64_t hi)
{
    const struct ref_param *p = find_param(r, name);
    if (!p || !ref_require(r, p->value >= (double)lo && p->value <= (double)hi,
                           "the reference takes '%s' in %lld..%lld, not %.17g", name, (long long)lo,
                           (long long)hi, p->value))
        return lo;
    return (int64_t)p->value;
}

double ref_real(struct ref *r, const char *name)
{
    const struct ref_param *p = find_param(r, name);
    return p ? p->value : 0;
}

void *ref_scratch(struct ref *r, uint64_t count, size_t size)
{
    return arena_array(r->mem, count ? count : 1, size);
}

static const void *get(struct ref *r, const char *name, enum ref_type type, uint64_t count,
                       bool after)
{
    const struct ref_buffer *b = find_buffer(r, name, count);
    if (!b || !ref_require(r, b->type == type, "the reference needs '%s' as %s, not %s", name,
                           types[type].name, types[b->type].name))
        return ref_scratch(r, count, types[type].size);
    return after ? b->after : b->before;
}

const void *ref_in(struct ref *r, const char *name, enum ref_type type, uint64_t count)
{
    return get(r, name, type, count, false);
}

const void *ref_out(struct ref *r, const char *name, enum ref_type type, uint64_t count)
{
    return get(r, name, type, count, true);
}

static double element(enum ref_type type, const void *data, uint64_t i)
{
    switch (type) {
    case REF_U8: return ((const uint8_t *)data)[i];
    case REF_S8: return ((const int8_t *)data)[i];
    case REF_U16: return ((const uint16_t *)data)[i];
    case REF_S16: return ((const int16_t *)data)[i];
    case REF_U32: return ((const uint32_t *)data)[i];
    case REF_S32: return ((const int32_t *)data)[i];
    case REF_U64: return (double)((const uint64_t *)data)[i];
    case REF_S64: return (double)((const int64_t *)data)[i];
    case REF_F32: return (double)((const float *)data)[i];
    case REF_F64: return ((const double *)data)[i];
    }
    return 0;
}

double *ref_in_real(struct ref *r, const char *name, uint64_t count)
{
    const struct ref_buffer *b = find_buffer(r, name, count);
    double *copy = ref_scratch(r, count, sizeof(double));
    if (b)
        for (uint64_t i = 0; i < count; i++)
            copy[i] = element(b->type, b->before, i);
    return copy;
}

static void compare(struct ref *r, const struct ref_buffer *b, uint64_t i, double want, double rel,
                    double floor)
{
    double got = element(b->type, b->after, i);
    double allowed = rel * fmax(fabs(want), floor), off = fabs(got - want);
    r->n_checked++;
    /* written so that a NaN on either side is wrong */
    if (!(off <= allowed))
        ref_require(r, false, "%s[%llu] is %.9g, the reference has %.9g (allowed %.3g)", b->name,
                    (unsigned long long)i, got, want, allowed);
    else if (allowed > 0)
        r->worst = fmax(r->worst, off / allowed);
}

void ref_expect(struct ref *r, const char *name, const double *want, uint64_t count, double rel,
                double floor)
{
    const struct ref_buffer *b = find_buffer(r, name, count);
    for (uint64_t i = 0; b && i < count && !r->wrong; i++)
        compare(r, b, i, want[i], rel, floor);
}

void ref_expect_one(struct ref *r, const char *name, uint64_t index, double want, double rel,
                    double floor)
{
    const struct ref_buffer *b = find_buffer(r, name, index + 1);
    if (b)
        compare(r, b, index, want, rel, floor);
}
