/* SPDX-License-Identifier: MIT
 *
 * base/stat.h: running mean and variance, histograms with percentiles, confidence intervals, the
 * t-test of two means. */
#ifndef CW_BASE_STAT_H
#define CW_BASE_STAT_H

#include <stddef.h>
#include <stdint.h>

struct stat_run { /* Welford 1962 */
    uint64_t n;
    double mean, m2, min, max;
};

void stat_add(struct stat_run *s, double x);
double stat_variance(const struct stat_run *s); /* of the sample; 0 for fewer than two values */

/* Half width of the 95 % confidence interval of the mean of `n` batch means (Student's t);
 * 0 for fewer than two. */
double stat_half_width_95(const struct stat_run *batches);

/* By how much the means of two samples of equal variance must differ to differ with 95 % (Student's
 * t, two-sided, pooled variance); 0 for fewer than two values each. */
double stat_difference_95(const struct stat_run *a, const struct stat_run *b);

/* Counts of whole numbers: exact to `n_exact`, one bin for all above. */
struct stat_hist {
    uint64_t *bins; /* [value], the last is "n_exact - 1 and more" */
    size_t n_bins;
    uint64_t n;
};

static inline void stat_count(struct stat_hist *h, uint64_t value)
{
    h->bins[value < h->n_bins ? value : h->n_bins - 1]++;
    h->n++;
}

/* Smallest value with at least share p (0..1) of the counts at or below it. */
uint64_t stat_percentile(const struct stat_hist *h, double p);

#endif
