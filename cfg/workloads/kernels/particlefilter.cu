/* SPDX-License-Identifier: MIT
 *
 * Particle filter that tracks a disc in noisy frames, in double precision: every particle moves by two
 * normal deviates of its own, stores the places of the disc's 69 pixels around it and reads them for its
 * likelihood; then normalised weights, their running sum by one thread, and resampling by search in that
 * sum. Blocks of up to 512. As in the original squares are general powers. */
#include "real.h"

#define THREADS 512
#define LIMIT 2147483647

/* What the original's host prepares: offsets of the disc's pixels, a video of a bright disc that moves on
 * a dark ground, both with noise, and where all particles begin. Grid over pixels or particles. */
KERNEL pf_begin(int *offsets, unsigned char *video, double *from_x, double *from_y, int width, int height, int frames,
                int particles, int radius)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t == 0) {
        int n = 0;
        for (int x = 1 - radius; x < radius; x++)
            for (int y = 1 - radius; y < radius; y++)
                if (x * x + y * y < radius * radius) {
                    offsets[2 * n] = y;
                    offsets[2 * n + 1] = x;
                    n++;
                }
    }
    if (t < particles) {
        from_x[t] = height / 2;
        from_y[t] = width / 2;
    }
    if (t < width * height * frames) {
        int k = t % frames, y = t / frames % height, x = t / frames / height;
        int dx = x - width / 2 - (k > 0 ? k - 1 : 0), dy = y - height / 2 + 2 * (k > 0 ? k - 1 : 0);
        video[t] = (dx * dx + dy * dy < radius * radius ? 228 : 100) + cw_mix(t) % 9 - 4;
    }
}

DEVICE double uniform(int *seeds, int p)
{
    int next = (int)(1103515245u * (unsigned)seeds[p] + 12345u);
    seeds[p] = next % LIMIT;
    double u = seeds[p] / (double)LIMIT;
    return u < 0 ? -u : u;
}

/* Box and Muller, 1958. */
DEVICE double deviate(int *seeds, int p)
{
    double u = uniform(seeds, p), v = uniform(seeds, p);
    double around = cw_cos_real(2 * 3.14159265358979323846 * v);
    return cw_root(-2 * cw_log_real(u)) * around;
}

KERNEL pf_likelihood(double *x, double *y, const double *from_x, const double *from_y, int *places,
                     const int *offsets, double *likelihood, const unsigned char *video, double *weights,
                     int particles, int pixels, int size, int frame, int height, int frames, int *seeds, double *sums)
{
    __shared__ double part[THREADS];
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p < particles) {
        x[p] = from_x[p];
        y[p] = from_y[p];
        weights[p] = 1 / (double)particles;
        x[p] = x[p] + 1.0 + 5.0 * deviate(seeds, p);
        y[p] = y[p] - 2.0 + 2.0 * deviate(seeds, p);
    }
    __syncthreads();
    if (p < particles) {
        for (int k = 0; k < pixels; k++) {
            int px = (double)(int)x[p] + offsets[2 * k + 1], py = (double)(int)y[p] + offsets[2 * k];
            int at = px * height * frames + py * frames + frame;
            places[p * pixels + k] = at < 0 ? -at : at;
            if (places[p * pixels + k] >= size)
                places[p * pixels + k] = 0;
        }
        double sum = 0;
        for (int k = 0; k < pixels; k++) {
            int shade = video[places[p * pixels + k]];
            sum += (cw_pow_real(shade - 100, 2) - cw_pow_real(shade - 228, 2)) / 50.0;
        }
        likelihood[p] = sum;
        likelihood[p] = likelihood[p] / pixels;
        weights[p] = weights[p] * cw_exp_real(likelihood[p]);
    }
    part[threadIdx.x] = 0;
    __syncthreads();
    if (p < particles)
        part[threadIdx.x] = weights[p];
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 0; half >>= 1) {
        if (threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        sums[blockIdx.x] = part[0];
}

/* The sum of all blocks, by one thread of the grid. */
KERNEL pf_sum(double *sums, int particles)
{
    if (blockIdx.x * blockDim.x + threadIdx.x == 0) {
        double sum = 0;
        int blocks = (particles + blockDim.x - 1) / blockDim.x;
        for (int i = 0; i < blocks; i++)
            sum += sums[i];
        sums[0] = sum;
    }
}

KERNEL pf_normalize(double *weights, int particles, const double *sums)
{
    __shared__ double total;
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0)
        total = sums[0];
    __syncthreads();
    if (p < particles)
        weights[p] = weights[p] / total;
}

/* One thread's running sum, and what each particle looks for in it. The original has both kernels in one, where
 * the sum may meet weights of other blocks that are not normalised yet. Block 0 comes first and hands its
 * random start to the others. */
KERNEL pf_running(const double *weights, int particles, double *running, double *u, int *seeds)
{
    __shared__ double start;
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p == 0) {
        running[0] = weights[0];
        for (int i = 1; i < particles; i++)
            running[i] = weights[i] + running[i - 1];
        u[0] = 1 / (double)particles * uniform(seeds, p);
    }
    __syncthreads();
    if (threadIdx.x == 0)
        start = u[0];
    __syncthreads();
    if (p < particles)
        u[p] = start + p / (double)particles;
}

/* Each particle looks for the first place where the running sum reaches u. */
KERNEL pf_find(const double *x, const double *y, const double *running, const double *u, double *to_x, double *to_y,
               int particles)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p < particles) {
        int at = particles - 1;
        for (int i = 0; i < particles; i++)
            if (running[i] >= u[p]) {
                at = i;
                break;
            }
        to_x[p] = x[at];
        to_y[p] = y[at];
    }
}
