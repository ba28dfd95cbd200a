/* SPDX-License-Identifier: MIT
 *
 * References of stencils and convolutions on grids, in double precision. */
#include "sim/reference.h"

#include <math.h>
#include <string.h>

static double *reals(struct ref *r, int64_t count)
{
    return ref_scratch(r, (uint64_t)count, sizeof(double));
}

static int64_t clamp(int64_t i, int64_t n)
{
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

/* hs: a cell outside the chip counts as the cell at its edge */
static void heat_step(const double *t, const double *power, double *next, int64_t n,
                      const double k[4])
{
    for (int64_t y = 0; y < n; y++)
        for (int64_t x = 0; x < n; x++) {
            double here = t[y * n + x];
            double down = t[clamp(y + 1, n) * n + x], up = t[clamp(y - 1, n) * n + x];
            double right = t[y * n + clamp(x + 1, n)], left = t[y * n + clamp(x - 1, n)];
            next[y * n + x] = here + k[0] * (power[y * n + x] + (up + down - 2 * here) * k[2] +
                                             (left + right - 2 * here) * k[1] + (80 - here) * k[3]);
        }
}

static void check_hs(struct ref *r)
{
    int64_t n = ref_int(r, "n", 1, 1 << 14), rounds = ref_int(r, "rounds", 1, 1 << 20);
    double k[4] = {ref_real(r, "step_cap"), ref_real(r, "rx_inv"), ref_real(r, "ry_inv"),
                   ref_real(r, "rz_inv")};
    double *power = ref_in_real(r, "power", (uint64_t)(n * n));
    double *now = ref_in_real(r, "src", (uint64_t)(n * n)), *next = reals(r, n * n);
    for (int64_t i = 0; i < 2 * rounds && !r->wrong; i++) {
        heat_step(now, power, next, n, k);
        double *t = now;
        now = next;
        next = t;
    }
    ref_expect(r, "src", now, (uint64_t)(n * n), 1e-5, 0);
}

const struct reference ref_hs = {"hs", "temperatures after all steps; 1e-5 relative", check_hs};
