/* SPDX-License-Identifier: MIT
 *
 * References of clustering, tracking and counting. */
#include "sim/reference/reference.h"

#include <math.h>

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
    /* the assignment lies as an integer among the reals */
    const int32_t *points = ref_in(r, "points", REF_F32, (uint64_t)(4 * n));
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
            int32_t own = points[4 * p + 2];
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

static void check_particlefilter(struct ref *r)
{
    int64_t n = ref_int(r, "particles", 1, 1 << 24), searching = ref_int(r, "searching", 0, n);
    int64_t width = ref_int(r, "width", 1, 1 << 14), height = ref_int(r, "height", 1, 1 << 14);
    int64_t radius = ref_int(r, "radius", 1, 100);
    double *x = ref_in_real(r, "x", (uint64_t)n), *y = ref_in_real(r, "y", (uint64_t)n);
    double *before = ref_in_real(r, "before", (uint64_t)n), *u = ref_in_real(r, "u", (uint64_t)n);
    const uint8_t *frame = ref_in(r, "frame", REF_U8, (uint64_t)(width * height));
    double *weights = ref_scratch(r, (uint64_t)n, sizeof *weights), total = 0;

    for (int64_t p = 0; p < n; p++) {
        double sum = 0;
        int64_t count = 0;
        for (int64_t dy = -radius; dy <= radius; dy++)
            for (int64_t dx = -radius; dx <= radius; dx++) {
                if (dx * dx + dy * dy >= radius * radius)
                    continue;
                double fx = fmin(fmax(floor(x[p] + 0.5) + (double)dx, 0), (double)width - 1);
                double fy = fmin(fmax(floor(y[p] + 0.5) + (double)dy, 0), (double)height - 1);
                double v = frame[(int64_t)fy * width + (int64_t)fx];
                sum += (pow(v - 100, 2) - pow(v - 228, 2)) / 50;
                count++;
            }
        weights[p] = before[p] * exp(sum / (double)count * 0.01);
        total += weights[p];
    }
    for (int64_t p = 0; p < n; p++)
        weights[p] /= total;
    ref_expect(r, "weights", weights, (uint64_t)n, 1e-4, 1.0 / (double)n);

    /* the place found must have u between the running sums beside it, up to rounding */
    const int32_t *found = ref_out(r, "found", REF_S32, (uint64_t)n);
    double *running = ref_scratch(r, (uint64_t)n + 1, sizeof *running);
    for (int64_t i = 0; i < n; i++)
        running[i + 1] = running[i] + weights[i];
    for (int64_t p = 0; p < searching; p++) {
        int64_t at = found[p];
        if (!ref_require(r,
                         at >= 0 && at < n && running[at] <= u[p] + 1e-4 &&
                             (running[at + 1] >= u[p] - 1e-4 || at == n - 1),
                         "found[%lld] is %lld", (long long)p, (long long)at))
            return;
        ref_expect_one(r, "new_x", (uint64_t)p, x[at], 0, 0);
        ref_expect_one(r, "new_y", (uint64_t)p, y[at], 0, 0);
    }
}

const struct reference ref_particlefilter = {
    "particlefilter", "normalised weights, 1e-4, and resampled places", check_particlefilter};

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
