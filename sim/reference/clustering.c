/* SPDX-License-Identifier: MIT
 *
 * References of clustering, tracking and counting. */
#include "sim/reference/reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The chosen centre must be as near as the nearest, up to rounding. */
static void check_kmeans(struct ref *r)
{
    int64_t points = ref_int(r, "points", 1, 1 << 24), features = ref_int(r, "features", 1, 1024);
    int64_t clusters = ref_int(r, "clusters", 1, 1024);
    double *in = ref_in_real(r, "in", (uint64_t)(points * features));
    double *centres = ref_in_real(r, "centres", (uint64_t)(clusters * features));
    const int32_t *chosen = ref_out(r, "membership", REF_S32, (uint64_t)points);
    double *turned = ref_scratch(r, (uint64_t)(points * features), sizeof *turned);

    for (int64_t p = 0; p < points; p++) {
        double least = INFINITY, own = INFINITY;
        for (int64_t c = 0; c < clusters; c++) {
            double sum = 0;
            for (int64_t f = 0; f < features; f++) {
                double d = in[p * features + f] - centres[c * features + f];
                sum += d * d;
                turned[f * points + p] = in[p * features + f];
            }
            least = fmin(least, sum);
            if (c == chosen[p])
                own = sum;
        }
        if (!ref_require(r, own <= least * (1 + 1e-5),
                         "membership[%lld] is %d, whose centre is not the nearest", (long long)p,
                         chosen[p]))
            return;
        r->n_checked++;
    }
    ref_expect(r, "feature", turned, (uint64_t)(points * features), 0, 0);
}

const struct reference ref_kmeans = {
    "kmeans", "transposed features, exact; centres nearest up to 1e-5", check_kmeans};

static void check_sc(struct ref *r)
{
    int64_t n = ref_int(r, "n", 1, 1 << 24), dims = ref_int(r, "dims", 1, 1 << 12);
    int64_t centres = ref_int(r, "centres", 1, 1000), rounds = ref_int(r, "rounds", 1, 1000);
    double *coord = ref_in_real(r, "coord", (uint64_t)(n * dims));
    double *cost = ref_in_real(r, "cost", (uint64_t)n);
    /* the assignment, 64 bits, is the fifth word of a point's eight */
    const int32_t *points = ref_in(r, "points", REF_S32, (uint64_t)(8 * n));
    const uint8_t *got = ref_out(r, "switched", REF_U8, (uint64_t)n);
    double *lower = ref_scratch(r, (uint64_t)(n * (centres + 1)), sizeof *lower);

    for (int64_t p = 0; p < n; p++) {
        bool must = false, may = false;
        for (int64_t k = 0; k < rounds; k++) {
            int64_t x = 17 + 101 * k;
            double sum = 0;
            for (int64_t d = 0; d < dims && x < n; d++) {
                double diff = coord[d * n + p] - coord[d * n + x];
                sum += diff * diff;
            }
            int32_t own = points[8 * p + 4];
            if (!ref_require(r, x < n && own >= 0 && own < centres, "point %lld: no such centre",
                             (long long)p))
                return;
            double gain = sum - cost[p];
            lower[p * (centres + 1) + (gain < 0 ? centres : own)] += gain < 0 ? gain : -gain;
            must = must || gain < -1e-5 * cost[p];
            may = may || gain < 1e-5 * cost[p];
        }
        if (!ref_require(r, got[p] ? may : !must, "switched[%lld] is %d", (long long)p, got[p]))
            return;
    }
    ref_expect(r, "lower", lower, (uint64_t)(n * (centres + 1)), 1e-5, (double)dims);
}

const struct reference ref_sc = {
    "sc", "gains per centre, 1e-5 of the number of dimensions, and who would switch", check_sc};

/* particlefilter: one frame after the other, each in the steps of the paper's algorithm */
struct particles {
    int64_t n, height, frames, size;
    int32_t *seeds;
    const uint8_t *video;
    double *x, *y, *from_x, *from_y, *weights;
};

/* C's remainder of a wrapping product; the shares are in [0, 1]. */
static double uniform(int32_t *seed)
{
    uint32_t next = 1103515245u * (uint32_t)*seed + 12345u;
    int64_t whole = next < 1u << 31 ? (int64_t)next : (int64_t)next - ((int64_t)1 << 32);
    *seed = (int32_t)(whole % INT32_MAX);
    return fabs((double)*seed / INT32_MAX);
}

static double deviate(int32_t *seed)
{
    double u = uniform(seed), v = uniform(seed);
    return sqrt(-2 * log(u)) * cos(2 * acos(-1) * v);
}

/* Mean likelihood of the disc's 69 pixels around a particle, as the exponent of its weight. */
static double likelihood(const struct particles *f, int64_t p, int64_t frame)
{
    double sum = 0;
    for (int64_t dx = -4; dx <= 4; dx++)
        for (int64_t dy = -4; dy <= 4; dy++) {
            if (dx * dx + dy * dy >= 25)
                continue;
            int64_t px = (int64_t)(trunc(f->x[p]) + (double)dx);
            int64_t py = (int64_t)(trunc(f->y[p]) + (double)dy);
            int64_t at = llabs((px * f->height + py) * f->frames + frame);
            double shade = f->video[at < f->size ? at : 0];
            sum += (pow(shade - 100, 2) - pow(shade - 228, 2)) / 50;
        }
    return sum / 69;
}

static void resample(struct particles *f, double *running)
{
    double total = 0;
    for (int64_t p = 0; p < f->n; p++)
        total += f->weights[p];
    for (int64_t p = 0; p < f->n; p++) {
        f->weights[p] /= total;
        running[p] = f->weights[p] + (p ? running[p - 1] : 0);
    }
    double start = uniform(&f->seeds[0]) / (double)f->n;
    for (int64_t p = 0, at = 0; p < f->n; p++) { /* both sums only grow, so the search goes on */
        while (at < f->n - 1 && running[at] < start + (double)p / (double)f->n)
            at++;
        f->from_x[p] = f->x[at];
        f->from_y[p] = f->y[at];
    }
}

static void check_particlefilter(struct ref *r)
{
    struct particles f = {.n = ref_int(r, "particles", 1, 1 << 24),
                          .height = ref_int(r, "height", 1, 1 << 14),
                          .frames = ref_int(r, "frames", 2, 1 << 10)};
    uint64_t n = (uint64_t)f.n;
    bool whole = ref_int(r, "whole", 0, 1);
    ref_require(r, ref_int(r, "radius", 5, 5) == 5, "the disc has a radius of 5");
    f.size = ref_int(r, "width", 1, 1 << 14) * f.height * f.frames;
    f.video = ref_in(r, "video", REF_U8, (uint64_t)f.size);
    f.x = ref_scratch(r, n, sizeof *f.x);
    f.y = ref_scratch(r, n, sizeof *f.y);
    f.weights = ref_scratch(r, n, sizeof *f.weights);
    f.from_x = ref_in_real(r, "from_x", n);
    f.from_y = ref_in_real(r, "from_y", n);
    f.seeds = ref_scratch(r, n, sizeof *f.seeds);
    memcpy(f.seeds, ref_in(r, "seeds", REF_S32, n), n * sizeof *f.seeds);
    double *running = ref_scratch(r, n, sizeof *running);
    for (int64_t frame = 1; frame < f.frames && !r->wrong; frame++) {
        for (int64_t p = 0; p < f.n; p++) {
            f.x[p] = f.from_x[p] + 1 + 5 * deviate(&f.seeds[p]);
            f.y[p] = f.from_y[p] - 2 + 2 * deviate(&f.seeds[p]);
            f.weights[p] = exp(likelihood(&f, p, frame)) / (double)f.n;
        }
        if (whole)
            resample(&f, running);
    }
    ref_expect(r, "x", f.x, n, 1e-9, 1);
    ref_expect(r, "y", f.y, n, 1e-9, 1);
    /* weights span hundreds of decades: each by itself where it is not normalised, else as a share
     */
    ref_expect(r, "weights", f.weights, n, 1e-9, whole ? 1 : 0);
    if (whole) {
        ref_expect(r, "from_x", f.from_x, n, 1e-9, 1);
        ref_expect(r, "from_y", f.from_y, n, 1e-9, 1);
    }
}

const struct reference ref_particlefilter = {
    "particlefilter", "places, weights and resampled places in double precision; 1e-9",
    check_particlefilter};

static void check_hist(struct ref *r)
{
    int64_t n = ref_int(r, "n", 1, 1 << 28);
    const uint32_t *in = ref_in(r, "in", REF_U32, (uint64_t)n);
    double *counts = ref_scratch(r, 1024, sizeof *counts),
           *bins = ref_scratch(r, 1024, sizeof *bins);
    for (int64_t i = 0; i < n; i++)
        counts[in[i] % 1024]++;
    for (int i = 0; i < 1024; i++)
        bins[i] = fmin(counts[i], 255);
    ref_expect(r, "counts", counts, 1024, 0, 0);
    ref_expect(r, "bins", bins, 1024, 0, 0);
}

const struct reference ref_hist = {"hist", "counts and saturated bins; exact", check_hist};

static void check_hst(struct ref *r)
{
    int64_t blocks = ref_int(r, "blocks", 1, 1 << 20), per = ref_int(r, "per_thread", 1, 15);
    const uint8_t *data = ref_in(r, "data", REF_U8, (uint64_t)(blocks * per * 1024));
    double bins[64] = {0};
    for (int64_t i = 0; i < blocks * per * 1024; i++)
        bins[data[i] / 4]++;
    ref_expect(r, "bins", bins, 64, 0, 0);
}

const struct reference ref_hst = {"hst", "counts of the upper six bits of all bytes; exact",
                                  check_hst};
