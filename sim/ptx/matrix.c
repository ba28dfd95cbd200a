/* SPDX-License-Identifier: MIT
 *
 * Products of small matrices that lie spread over the registers of a warp (PTX ISA, "matrix
 * fragments for mma"). Products and sums are made in double precision and rounded once: hardware
 * adds in an order and with a width that nobody documents. */
#include <math.h>
#include <string.h>

#include "sim/ptx/exec.h"

#define MOST_K 64u

static uint32_t word(const struct ptx_warp *w, uint32_t place, uint32_t lane)
{
    return ((const lane_u32 *)(const void *)(w->file + place))[lane];
}

static double as_double(const struct ptx_warp *w, uint32_t place, uint32_t lane)
{
    return ((const lane_f64 *)(const void *)(w->file + place))[lane];
}

static double real_of(uint32_t bits, enum ptx_type t)
{
    float f;
    if (t == PT_F16)
        return ptx_half_to_double((uint16_t)bits);
    bits = t == PT_BF16 ? bits << 16 : t == PT_TF32 ? bits & 0xffffe000u : bits;
    memcpy(&f, &bits, sizeof f);
    return (double)f;
}

/* Element i of a register with so many of them. */
static double element(uint32_t bits, uint32_t i, uint32_t per_register, enum ptx_type t)
{
    switch (per_register) {
    case 1: return real_of(bits, t);
    case 2: return real_of(bits >> (16 * i) & 0xffff, t);
    case 4: {
        uint8_t b = (uint8_t)(bits >> (8 * i));
        return t == PT_S8 ? (double)(int8_t)b : (double)b;
    }
    default: {
        uint32_t b = bits >> (4 * i) & 15;
        return t == PT_S4 && b > 7 ? (double)b - 16 : (double)b;
    }
    }
}

/* One element of the sum: whole numbers wrap around unless they are to stop at the ends. */
static uint32_t rounded(double v, bool is_whole, bool saturate)
{
    uint32_t bits;
    if (is_whole) {
        if (saturate)
            v = v > 2147483647.0 ? 2147483647.0 : v < -2147483648.0 ? -2147483648.0 : v;
        return (uint32_t)(int64_t)v;
    }
    float f = (float)v;
    if (f != f)
        return 0x7fffffff;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

/* Places of the registers of a product. */
struct layout {
    uint32_t rows, groups, per;
    const uint32_t *d, *a, *b, *c;
};

static struct layout layout_of(const struct ptx_code *c)
{
    struct layout l = {.rows = c->bytes, .groups = c->round, .per = c->sub, .d = c->u.elems};
    l.a = l.d + (c->wide ? l.rows : 2 * l.rows);
    l.b = l.a + l.rows * l.groups;
    l.c = l.b + l.groups;
    return l;
}

struct product {
    double a[16][MOST_K], b[8][MOST_K]; /* rows of A, columns of B */
};

/* Register r of A holds row lane / 4 (+ 8 for odd r) and the columns from lane % 4 on; B likewise
 * with rows and columns exchanged. */
static void gather(const struct ptx_warp *w, const struct ptx_code *c, const struct layout *l,
                   struct product *p)
{
    for (uint32_t lane = 0; lane < PTX_LANES; lane++)
        for (uint32_t g = 0; g < l->groups; g++)
            for (uint32_t i = 0; i < l->per; i++) {
                uint32_t k = lane % 4 * l->per + i + 4 * l->per * g;
                for (uint32_t r = 0; r < l->rows; r++)
                    p->a[lane / 4 + 8 * r][k] = element(word(w, l->a[g * l->rows + r], lane), i,
                                                        l->per, (enum ptx_type)c->type);
                p->b[lane / 4][k] =
                    element(word(w, l->b[g], lane), i, l->per, (enum ptx_type)c->space);
            }
}

/* Products of single bits: how many are set in "and", or differ. */
static void multiply_bits(struct ptx_warp *w, const struct ptx_code *c, const struct layout *l,
                          uint32_t mask)
{
    uint32_t out[4][PTX_LANES];
    for (uint32_t lane = 0; lane < PTX_LANES; lane++)
        for (uint32_t r = 0; r < 2 * l->rows; r++) {
            uint32_t row = lane / 4, col = lane % 4 * 2 + r % 2, n = 0;
            for (uint32_t g = 0; g < l->groups; g++)
                for (uint32_t q = 0; q < 4; q++) {
                    uint32_t x = word(w, l->a[g * l->rows + r / 2], row * 4 + q);
                    uint32_t y = word(w, l->b[g], col * 4 + q);
                    n += (uint32_t)__builtin_popcount(c->imm ? x & y : x ^ y);
                }
            out[r][lane] = word(w, l->c[r], lane) + n;
        }
    for (uint32_t r = 0; r < 2 * l->rows; r++)
        ptx_blend32((void *)(w->file + l->d[r]), out[r], mask);
}

/* Double precision: eight rows, four columns of A. */
static void multiply_doubles(struct ptx_warp *w, const struct layout *l, uint32_t mask)
{
    double out[2][PTX_LANES];
    for (uint32_t lane = 0; lane < PTX_LANES; lane++)
        for (uint32_t e = 0; e < 2; e++) {
            double sum = as_double(w, l->c[e], lane);
            for (uint32_t k = 0; k < 4; k++)
                sum = fma(as_double(w, l->a[0], lane / 4 * 4 + k),
                          as_double(w, l->b[0], (lane % 4 * 2 + e) * 4 + k), sum);
            out[e][lane] = sum;
        }
    for (uint32_t e = 0; e < 2; e++)
        for (uint32_t m = mask; m; m &= m - 1)
            ((lane_f64 *)(void *)(w->file + l->d[e]))[__builtin_ctz(m)] = out[e][__builtin_ctz(m)];
}

void ptx_multiply(struct ptx_warp *w, const struct ptx_code *c, uint32_t mask)
{
    struct product p;
    struct layout l = layout_of(c);
    bool is_whole = c->type != PT_F16 && c->type != PT_BF16 && c->type != PT_TF32;
    bool saturate = c->flags & PF_SATURATE;
    uint32_t n_k = 4 * l.per * l.groups, n_d = c->wide ? l.rows : 2 * l.rows;
    if (c->type == PT_B1) {
        multiply_bits(w, c, &l, mask);
        return;
    }
    if (c->type == PT_F64) {
        multiply_doubles(w, &l, mask);
        return;
    }
    gather(w, c, &l, &p);
    for (uint32_t m = mask; m; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m), out[4] = {0};
        for (uint32_t r = 0; r < 2 * l.rows; r++) {
            uint32_t row = lane / 4 + 8 * (r / 2), col = lane % 4 * 2 + r % 2;
            uint32_t bits = c->c_negated ? word(w, l.c[r / 2], lane) >> (16 * (r % 2)) & 0xffff
                                         : word(w, l.c[r], lane);
            double sum =
                is_whole ? (double)(int32_t)bits : real_of(bits, c->c_negated ? PT_F16 : PT_F32);
            for (uint32_t k = 0; k < n_k; k++)
                sum += p.a[row][k] * p.b[col][k];
            if (c->wide)
                out[r / 2] |= (uint32_t)ptx_double_to_half(sum, 0) << (16 * (r % 2));
            else
                out[r] = rounded(sum, is_whole, saturate);
        }
        for (uint32_t r = 0; r < n_d; r++)
            ((lane_u32 *)(void *)(w->file + l.d[r]))[lane] = out[r];
    }
}

bool ptx_load_matrix(struct ptx_exec *x, struct ptx_warp *w, const struct ptx_code *c,
                     uint32_t mask, const uint64_t *address)
{
    uint32_t rows = 8u * c->n_elems, readers = rows == 32 ? PTX_ALL : (1u << rows) - 1;
    uint16_t t[4][8][8] = {0};
    for (uint32_t l = 0; l < rows; l++) {
        if (!(mask >> l & 1))
            return ptx_fault(x, w, c, l, "a thread whose row is wanted does not take part");
        if (address[l] % 16) {
            x->device->fault = PTX_MISALIGNED;
            return ptx_fault(x, w, c, l, "address 0x%llx is not a multiple of 16",
                             (unsigned long long)address[l]);
        }
        if (x->shared_bytes < 16 || address[l] > x->shared_bytes - 16) {
            x->device->fault = PTX_BAD_ADDRESS;
            return ptx_fault(x, w, c, l,
                             "16 bytes at shared address 0x%llx are outside its %u bytes",
                             (unsigned long long)address[l], x->shared_bytes);
        }
        memcpy(t[l / 8][l % 8], x->shared + address[l], 16);
    }
    if (x->is_watched)
        ptx_watch(x, w, c, address, readers, 16);
    if (!ptx_record_access(x, w, c->stat, readers, address, false))
        return false;
    for (uint32_t l = 0; l < PTX_LANES; l++)
        for (uint32_t e = 0; e < c->n_elems; e++) {
            uint32_t low = c->sub ? t[e][l % 4 * 2][l / 4] : t[e][l / 4][l % 4 * 2];
            uint32_t high = c->sub ? t[e][l % 4 * 2 + 1][l / 4] : t[e][l / 4][l % 4 * 2 + 1];
            ((lane_u32 *)(void *)(w->file + c->u.elems[e]))[l] = low | high << 16;
        }
    return true;
}
