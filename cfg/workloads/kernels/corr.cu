/* SPDX-License-Identifier: MIT
 *
 * Correlation of m variables over n observations, in four kernels. */
#include "polybench.h"

KERNEL corr_mean(const float *data, float *mean, int m, int n)
{
    int j = THREAD_X;
    if (j < m) {
        mean[j] = 0;
        for (int i = 0; i < n; i++)
            mean[j] += data[i * m + j];
        mean[j] /= n;
    }
}

KERNEL corr_std(const float *data, const float *mean, float *dev, int m, int n)
{
    int j = THREAD_X;
    if (j < m) {
        dev[j] = 0;
        for (int i = 0; i < n; i++)
            dev[j] += (data[i * m + j] - mean[j]) * (data[i * m + j] - mean[j]);
        dev[j] = cw_sqrt(dev[j] / n);
        if (dev[j] <= 0.005f) /* a constant variable: avoid a division by zero */
            dev[j] = 1;
    }
}

KERNEL corr_reduce(float *data, const float *mean, const float *dev, int m, int n)
{
    int j = THREAD_X, i = THREAD_Y;
    if (i < n && j < m) {
        data[i * m + j] -= mean[j];
        data[i * m + j] /= cw_sqrt((float)n) * dev[j];
    }
}

/* Thread j1 has row j1 of the result, below `limit`. */
KERNEL corr_corr(const float *data, float *result, int m, int n, int limit)
{
    int j1 = THREAD_X;
    if (j1 >= limit)
        return;
    result[j1 * m + j1] = 1;
    for (int j2 = j1 + 1; j2 < m; j2++) {
        result[j1 * m + j2] = 0;
        for (int i = 0; i < n; i++)
            result[j1 * m + j2] += data[i * m + j1] * data[i * m + j2];
        result[j2 * m + j1] = result[j1 * m + j2];
    }
}
