/* SPDX-License-Identifier: MIT
 *
 * DXT1 compression: one block of 64 threads per 4x4 pixels. The pixels are ordered along the main
 * axis of their colours; every way to split that order into four groups is tried, with the end
 * colours that fit best, and the one with the least error wins. */
#include "device.h"

#define PIXELS 16
#define THREADS 64

struct colour {
    float r, g, b;
};

/* All splits of 16 ordered pixels into four groups: two bits per place. One thread. */
KERNEL dxtc_splits(unsigned *splits)
{
    int n = 0;
    for (int a = 0; a <= PIXELS; a++)
        for (int b = a; b <= PIXELS; b++)
            for (int c = b; c <= PIXELS; c++) {
                unsigned s = 0;
                for (int i = 0; i < PIXELS; i++)
                    s |= (unsigned)((i >= a) + (i >= b) + (i >= c)) << (2 * i);
                splits[n++] = s;
            }
}

DEVICE float clamp01(float x)
{
    return x < 0 ? 0 : x > 1 ? 1 : x;
}

/* To 5, 6, 5 bits and back. */
DEVICE unsigned pack(colour &c)
{
    unsigned r = (unsigned)(clamp01(c.r) * 31 + 0.5f), g = (unsigned)(clamp01(c.g) * 63 + 0.5f);
    unsigned b = (unsigned)(clamp01(c.b) * 31 + 0.5f);
    c.r = r * (1.0f / 31);
    c.g = g * (1.0f / 63);
    c.b = b * (1.0f / 31);
    return r << 11 | g << 5 | b;
}

/* Best end colours of a split by least squares; its error and both ends. Groups 0..3 lie at 0,
 * 1/3, 2/3 and 1 of the way from the first to the second. */
DEVICE float evaluate(const colour *pixels, unsigned split, unsigned &first, unsigned &second)
{
    float aa = 0, ab = 0, bb = 0;
    colour xa = {0, 0, 0}, xb = {0, 0, 0}, sum2 = {0, 0, 0};
    for (int i = 0; i < PIXELS; i++) {
        float b = (split >> (2 * i) & 3) * (1.0f / 3), a = 1 - b;
        colour p = pixels[i];
        aa += a * a;
        ab += a * b;
        bb += b * b;
        xa.r += a * p.r;
        xa.g += a * p.g;
        xa.b += a * p.b;
        xb.r += b * p.r;
        xb.g += b * p.g;
        xb.b += b * p.b;
        sum2.r += p.r * p.r;
        sum2.g += p.g * p.g;
        sum2.b += p.b * p.b;
    }
    float det = aa * bb - ab * ab;
    if (det < 1e-4f)
        return 1e30f; /* all in one group */
    float f = 1 / det;
    colour a = {f * (bb * xa.r - ab * xb.r), f * (bb * xa.g - ab * xb.g), f * (bb * xa.b - ab * xb.b)};
    colour b = {f * (aa * xb.r - ab * xa.r), f * (aa * xb.g - ab * xa.g), f * (aa * xb.b - ab * xa.b)};
    first = pack(a);
    second = pack(b);
    colour e = {a.r * a.r * aa + b.r * b.r * bb + 2 * (a.r * b.r * ab - a.r * xa.r - b.r * xb.r),
                a.g * a.g * aa + b.g * b.g * bb + 2 * (a.g * b.g * ab - a.g * xa.g - b.g * xb.g),
                a.b * a.b * aa + b.b * b.b * bb + 2 * (a.b * b.b * ab - a.b * xa.b - b.b * xb.b)};
    return e.r + sum2.r + e.g + sum2.g + e.b + sum2.b;
}

/* Main axis of the colours by iterating their covariance. */
DEVICE colour main_axis(const colour *p)
{
    colour mean = {0, 0, 0};
    for (int i = 0; i < PIXELS; i++) {
        mean.r += p[i].r * (1.0f / PIXELS);
        mean.g += p[i].g * (1.0f / PIXELS);
        mean.b += p[i].b * (1.0f / PIXELS);
    }
    float rr = 0, rg = 0, rb = 0, gg = 0, gb = 0, bb = 0;
    for (int i = 0; i < PIXELS; i++) {
        float r = p[i].r - mean.r, g = p[i].g - mean.g, b = p[i].b - mean.b;
        rr += r * r;
        rg += r * g;
        rb += r * b;
        gg += g * g;
        gb += g * b;
        bb += b * b;
    }
    colour v = {1, 1, 1};
    for (int i = 0; i < 8; i++) {
        colour w = {rr * v.r + rg * v.g + rb * v.b, rg * v.r + gg * v.g + gb * v.b,
                    rb * v.r + gb * v.g + bb * v.b};
        float most = cw_abs(w.r);
        most = cw_abs(w.g) > most ? cw_abs(w.g) : most;
        most = cw_abs(w.b) > most ? cw_abs(w.b) : most;
        if (most < 1e-12f)
            break;
        v.r = w.r / most;
        v.g = w.g / most;
        v.b = w.b / most;
    }
    return v;
}

KERNEL dxtc_compress(const unsigned *splits, int n_splits, const unsigned *image, uint2 *result, int width)
{
    __shared__ colour raw[PIXELS], sorted[PIXELS];
    __shared__ float along[PIXELS], errors[THREADS];
    __shared__ int order[PIXELS], winners[THREADS];
    int t = threadIdx.x, blocks = width / 4, bx = blockIdx.x % blocks, by = blockIdx.x / blocks;
    if (t < PIXELS) {
        unsigned c = image[(4 * by + t / 4) * width + 4 * bx + t % 4];
        raw[t].r = (c & 255) * (1.0f / 255);
        raw[t].g = (c >> 8 & 255) * (1.0f / 255);
        raw[t].b = (c >> 16 & 255) * (1.0f / 255);
    }
    __syncthreads();
    if (t < PIXELS) {
        colour axis = main_axis(raw);
        along[t] = raw[t].r * axis.r + raw[t].g * axis.g + raw[t].b * axis.b;
    }
    __syncthreads();
    if (t < PIXELS) {
        int rank = 0;
        for (int i = 0; i < PIXELS; i++)
            rank += along[i] < along[t] || (along[i] == along[t] && i < t);
        order[t] = rank;
        sorted[rank] = raw[t];
    }
    __syncthreads();
    float least = 1e30f;
    int winner = 0;
    unsigned first = 0, second = 0, f, s;
    for (int i = t; i < n_splits; i += THREADS) {
        float e = evaluate(sorted, splits[i], f, s);
        if (e < least) {
            least = e;
            winner = i;
            first = f;
            second = s;
        }
    }
    errors[t] = least;
    winners[t] = t;
    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half && errors[t + half] < errors[t]) {
            errors[t] = errors[t + half];
            winners[t] = winners[t + half];
        }
    }
    __syncthreads();
    if (t == winners[0]) {
        /* codes of the format: 0 first, 1 second, 2 and 3 one and two thirds of the way; the first
         * end must be the larger number, else the format means something else */
        unsigned codes = 0, split = splits[winner];
        bool swap = first < second;
        for (int i = 0; i < PIXELS; i++) {
            unsigned group = split >> (2 * order[i]) & 3;
            group = swap ? 3 - group : group;
            codes |= (group == 0 ? 0u : group == 3 ? 1u : group + 1) << (2 * i);
        }
        uint2 out;
        out.x = swap ? second | first << 16 : first | second << 16;
        out.y = first == second ? 0 : codes;
        result[blockIdx.x] = out;
    }
}
