/* SPDX-License-Identifier: MIT
 *
 * Covariance of m variables over n observations, in three kernels. */
#include "polybench.h"

KERNEL covar_mean(const float *data, float *mean, int m, int n)
{
    int j = THREAD_X;
    if (j < m) {
        mean[j] = 0;
        for (int i = 0; i < n; i++)
            mean[j] += data[i * m + j];
        mean[j] /= n;
    }
}

KERNEL covar_reduce(float *data, const float *mean, int m, int n)
{
    int j = THREAD_X, i = THREAD_Y;
    if (i < n && j < m)
        data[i * m + j] -= mean[j];
}

KERNEL covar_covar(const float *data, float *result, int m, int n)
{
    int j1 = THREAD_X;
    if (j1 >= m)
        return;
    for (int j2 = j1; j2 < m; j2++) {
        result[j1 * m + j2] = 0;
        for (int i = 0; i < n; i++)
            result[j1 * m + j2] += data[i * m + j1] * data[i * m + j2];
        result[j2 * m + j1] = result[j1 * m + j2];
    }
}
