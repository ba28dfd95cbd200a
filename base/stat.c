/* SPDX-License-Identifier: MIT */
#include "base/stat.h"

#include <math.h>
#include <stdlib.h>

void stat_add(struct stat_run *s, double x)
{
    s->n++;
    double d = x - s->mean;
    s->mean += d / (double)s->n;
    s->m2 += d * (x - s->mean);
    if (s->n == 1 || x < s->min)
        s->min = x;
    if (s->n == 1 || x > s->max)
        s->max = x;
}

double stat_variance(const struct stat_run *s)
{
    return s->n < 2 ? 0 : s->m2 / (double)(s->n - 1);
}

/* Student's t, two-sided 95 %, for 1..30 degrees of freedom; the normal value beyond */
static double student_95(uint64_t dof)
{
    static const double t[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306,
                               2.262,  2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
                               2.110,  2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064,
                               2.060,  2.056, 2.052, 2.048, 2.045, 2.042};
    return dof <= sizeof t / sizeof *t ? t[dof - 1] : 1.960;
}

double stat_half_width_95(const struct stat_run *b)
{
    return b->n < 2 ? 0 : student_95(b->n - 1) * sqrt(stat_variance(b) / (double)b->n);
}

double stat_difference_95(const struct stat_run *a, const struct stat_run *b)
{
    if (a->n < 2 || b->n < 2)
        return 0;
    uint64_t dof = a->n + b->n - 2;
    double pooled = (a->m2 + b->m2) / (double)dof;
    return student_95(dof) * sqrt(pooled * (1 / (double)a->n + 1 / (double)b->n));
}

uint64_t stat_percentile(const struct stat_hist *h, double p)
{
    double wanted = p * (double)h->n;
    uint64_t seen = 0;
    for (size_t i = 0; i < h->n_bins; i++) {
        seen += h->bins[i];
        if (seen > 0 && (double)seen >= wanted)
            return i;
    }
    return h->n_bins ? h->n_bins - 1 : 0;
}
