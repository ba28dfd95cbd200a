/* SPDX-License-Identifier: MIT
 *
 * Merge sort of keys with values: tiles of 1024 in shared memory, then rounds that merge pairs of
 * runs. Every 128th element is a sample; the samples' ranks in the other run cut each pair into
 * intervals of at most 128 + 128 elements, which one block each merges in shared memory. */
#include "device.h"

#define TILE 1024
#define SAMPLE 128

/* How many of the n sorted keys are below the key (or not above it, if `also_equal`). */
DEVICE int rank_in(const unsigned *keys, int n, unsigned key, bool also_equal)
{
    int lo = 0;
    while (n > 0) {
        int half = n / 2;
        unsigned k = keys[lo + half];
        bool below = also_equal ? k <= key : k < key;
        lo = below ? lo + half + 1 : lo;
        n = below ? n - half - 1 : half;
    }
    return lo;
}

KERNEL ms_tile(unsigned *keys, unsigned *values)
{
    __shared__ unsigned k[TILE], v[TILE];
    int t = threadIdx.x, base = blockIdx.x * TILE;
    k[t] = keys[base + t];
    v[t] = values[base + t];
    k[t + TILE / 2] = keys[base + t + TILE / 2];
    v[t + TILE / 2] = values[base + t + TILE / 2];
    for (int run = 1; run < TILE; run *= 2) {
        int at = t & (run - 1), first = 2 * (t - at);
        __syncthreads();
        unsigned ka = k[first + at], va = v[first + at];
        unsigned kb = k[first + run + at], vb = v[first + run + at];
        int pa = at + rank_in(k + first + run, run, ka, false);
        int pb = at + rank_in(k + first, run, kb, true);
        __syncthreads();
        k[first + pa] = ka;
        v[first + pa] = va;
        k[first + pb] = kb;
        v[first + pb] = vb;
    }
    __syncthreads();
    keys[base + t] = k[t];
    values[base + t] = v[t];
    keys[base + t + TILE / 2] = k[t + TILE / 2];
    values[base + t + TILE / 2] = v[t + TILE / 2];
}

/* One thread per sample: where it stands in the run it does not belong to. */
KERNEL ms_ranks(const unsigned *keys, int *ranks, int run, int samples)
{
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= samples)
        return;
    int per_run = run / SAMPLE, pair = s / (2 * per_run) * 2 * run;
    bool second = s / per_run & 1;
    ranks[s] = rank_in(keys + pair + (second ? 0 : run), run, keys[s * SAMPLE], second);
}

/* One thread per sample: its place among the pair's samples; writes the interval that begins with it. */
KERNEL ms_limits(const unsigned *keys, const int *ranks, int *from_a, int *from_b, int run, int samples)
{
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= samples)
        return;
    int per_run = run / SAMPLE, first = s / (2 * per_run) * 2 * per_run, mine = s % per_run;
    bool second = s / per_run & 1;
    /* a sample of the other run comes before this one if its place there is below this one's rank */
    int place = first + mine + (ranks[s] + SAMPLE - 1) / SAMPLE;
    from_a[place] = second ? ranks[s] : mine * SAMPLE;
    from_b[place] = second ? mine * SAMPLE : ranks[s];
}

/* One block of 128 threads per interval. */
KERNEL ms_merge(const unsigned *keys, const unsigned *values, unsigned *keys_out, unsigned *values_out,
                const int *from_a, const int *from_b, int run)
{
    __shared__ unsigned ka[SAMPLE], kb[SAMPLE];
    int t = threadIdx.x, place = blockIdx.x, per_pair = 2 * run / SAMPLE;
    int pair = place / per_pair * 2 * run;
    bool last = place % per_pair == per_pair - 1;
    int a = from_a[place], b = from_b[place];
    int na = (last ? run : from_a[place + 1]) - a, nb = (last ? run : from_b[place + 1]) - b;
    const unsigned *run_a = keys + pair + a, *run_b = keys + pair + run + b;
    if (t < na)
        ka[t] = run_a[t];
    if (t < nb)
        kb[t] = run_b[t];
    __syncthreads();
    int out = pair + a + b;
    if (t < na) {
        int at = out + t + rank_in(kb, nb, ka[t], false);
        keys_out[at] = ka[t];
        values_out[at] = values[pair + a + t];
    }
    if (t < nb) {
        int at = out + t + rank_in(ka, na, kb[t], true);
        keys_out[at] = kb[t];
        values_out[at] = values[pair + run + b + t];
    }
}
