/* SPDX-License-Identifier: MIT
 *
 * References of sorting, searching and number sequences. */
#include "sim/reference/reference.h"

/* Sorted, stable, and a permutation of what was given: the values are the old places. */
static void check_ms(struct ref *r)
{
    int64_t n = ref_int(r, "n", 1, 1 << 28);
    const uint32_t *given = ref_in(r, "given", REF_U32, (uint64_t)n);
    const uint32_t *keys = ref_out(r, "keys", REF_U32, (uint64_t)n);
    const uint32_t *vals = ref_out(r, "vals", REF_U32, (uint64_t)n);
    uint8_t *seen = ref_scratch(r, (uint64_t)n, 1);
    for (int64_t i = 0; i < n; i++) {
        bool sorted =
            i == 0 || keys[i - 1] < keys[i] || (keys[i - 1] == keys[i] && vals[i - 1] < vals[i]);
        if (!ref_require(r, sorted, "keys[%lld] is out of order", (long long)i) ||
            !ref_require(r, vals[i] < n && given[vals[i]] == keys[i] && !seen[vals[i]],
                         "vals[%lld] does not belong to its key", (long long)i))
            return;
        seen[vals[i]] = 1;
        r->n_checked++;
    }
}

const struct reference ref_ms = {"ms", "sorted by key, equal keys in their old order; exact",
                                 check_ms};

/* Recursive count of the ways to place queens from `row` on. */
static uint64_t queens(int n, int row, uint32_t cols, uint32_t down, uint32_t up)
{
    uint64_t sum = 0;
    if (row == n)
        return 1;
    for (int c = 0; c < n; c++) {
        uint32_t d = 1u << (row + c), u = 1u << (row - c + n);
        if (!(cols & 1u << c) && !(down & d) && !(up & u))
            sum += queens(n, row + 1, cols | 1u << c, down | d, up | u);
    }
    return sum;
}

static void check_nqu(struct ref *r)
{
    int64_t n = ref_int(r, "n", 1, 14), blocks = ref_int(r, "blocks", 1, 1 << 20);
    const uint32_t *count = ref_in(r, "count", REF_U32, 1);
    const uint32_t *results = ref_out(r, "results", REF_U32, (uint64_t)blocks);
    uint64_t got = 0, want = queens((int)n, 0, 0, 0, 0);
    ref_require(r, *count <= blocks * 96, "%u placements do not fit in %lld blocks", *count,
                (long long)blocks);
    for (int64_t i = 0; i < blocks; i++)
        got += results[i];
    ref_require(r, got == want, "%llu solutions, the reference has %llu", (unsigned long long)got,
                (unsigned long long)want);
    r->n_checked++;
}

const struct reference ref_nqu = {"nqu", "number of solutions; exact", check_nqu};

static void check_qrg(struct ref *r)
{
    int64_t n = ref_int(r, "n", 1, 1 << 26), seed = ref_int(r, "seed", 0, 1 << 30);
    double *want = ref_scratch(r, (uint64_t)(3 * n), sizeof *want);
    uint32_t v[3][31];
    /* m[i] of the recurrences, as whole numbers: direction i is m[i] / 2^(i+1) */
    uint64_t m1 = 1, m2 = 1, m2_before = 0;
    for (int i = 0; i < 31; i++) {
        v[0][i] = 1u << (30 - i);
        v[1][i] = (uint32_t)(m1 << (30 - i));
        v[2][i] = (uint32_t)(m2 << (30 - i));
        m1 = (m1 << 1) ^ m1;
        uint64_t next = i == 0 ? 3 : (m2 << 1) ^ (m2_before << 2) ^ m2_before;
        m2_before = m2;
        m2 = next;
    }
    for (int d = 0; d < 3; d++)
        for (int64_t i = 0; i < n; i++) {
            uint32_t x = 0;
            for (int b = 0; b < 31; b++)
                x ^= ((seed + i) >> b & 1) ? v[d][b] : 0;
            want[d * n + i] = ((double)x + 1) / 2147483649.0;
        }
    ref_expect(r, "out", want, (uint64_t)(3 * n), 1e-6, 0);
}

const struct reference ref_qrg = {"qrg", "Sobol's sequence from its recurrences; 1e-6", check_qrg};

/* Row by row over the whole matrix; the border is given. */
static void check_nw(struct ref *r)
{
    int64_t n = ref_int(r, "n", 1, 1 << 14), cols = n + 1, penalty = ref_int(r, "penalty", 0, 1000);
    double *similarity = ref_in_real(r, "similarity", (uint64_t)(cols * cols));
    double *score = ref_in_real(r, "score", (uint64_t)(cols * cols));
    for (int64_t y = 1; y < cols; y++)
        for (int64_t x = 1; x < cols; x++) {
            double best = score[(y - 1) * cols + x - 1] + similarity[y * cols + x];
            double gap = score[(y - 1) * cols + x] > score[y * cols + x - 1]
                             ? score[(y - 1) * cols + x]
                             : score[y * cols + x - 1];
            gap -= (double)penalty;
            score[y * cols + x] = best > gap ? best : gap;
        }
    ref_expect(r, "score", score, (uint64_t)(cols * cols), 0, 0);
}

const struct reference ref_nw = {"nw", "all scores; exact", check_nw};
