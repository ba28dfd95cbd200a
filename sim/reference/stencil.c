/* SPDX-License-Identifier: MIT
 *
 * References of stencils and convolutions on grids, in double precision. */
#include "sim/reference/reference.h"

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
    int64_t steps = ref_int(r, "steps", 1, 7);
    double k[4] = {ref_real(r, "step") / ref_real(r, "cap"), 1 / ref_real(r, "rx"),
                   1 / ref_real(r, "ry"), 1 / ref_real(r, "rz")};
    double *power = ref_in_real(r, "power", (uint64_t)(n * n));
    double *now = ref_in_real(r, "src", (uint64_t)(n * n)), *next = reals(r, n * n);
    for (int64_t i = 0; i < steps * rounds && !r->wrong; i++) {
        heat_step(now, power, next, n, k);
        double *t = now;
        now = next;
        next = t;
    }
    ref_expect(r, "src", now, (uint64_t)(n * n), 1e-5, 0);
}

const struct reference ref_hs = {"hs", "temperatures after all steps; 1e-5 relative", check_hs};

/* srad: Yu and Acton 2002, eqs. 27 to 35, on whole arrays */
static double diffusion(double g2, double l, double q0sqr)
{
    double den = 1 + 0.25 * l, q = (0.5 * g2 - l * l / 16) / (den * den);
    double c = 1 / (1 + (q - q0sqr) / (q0sqr * (1 + q0sqr)));
    return fmin(1, fmax(0, c));
}

static void srad_step(double *image, double *c, double *next, int64_t n, double lambda,
                      double q0sqr)
{
    static const int dy[4] = {-1, 1, 0, 0}, dx[4] = {0, 0, -1, 1};
    for (int64_t i = 0; i < n * n; i++) {
        double sum = 0, squares = 0, here = image[i];
        for (int k = 0; k < 4; k++) {
            double d = image[clamp(i / n + dy[k], n) * n + clamp(i % n + dx[k], n)] - here;
            sum += d;
            squares += d * d;
        }
        c[i] = diffusion(squares / (here * here), sum / here, q0sqr);
    }
    for (int64_t i = 0; i < n * n; i++) {
        double flow = 0;
        for (int k = 0; k < 4; k++) {
            int64_t j = clamp(i / n + dy[k], n) * n + clamp(i % n + dx[k], n);
            /* towards south and east the neighbour's coefficient counts, else one's own */
            flow += c[k == 1 || k == 3 ? j : i] * (image[j] - image[i]);
        }
        next[i] = image[i] + 0.25 * lambda * flow;
    }
    memcpy(image, next, (size_t)(n * n) * sizeof *image);
}

static void check_srad(struct ref *r)
{
    int64_t n = ref_int(r, "n", 1, 1 << 14), steps = ref_int(r, "steps", 1, 1 << 20);
    double lambda = ref_real(r, "lambda"), q0sqr = ref_real(r, "q0sqr");
    double *image = ref_in_real(r, "image", (uint64_t)(n * n));
    double *c = reals(r, n * n), *next = reals(r, n * n);
    for (int64_t i = 0; i < steps && !r->wrong; i++)
        srad_step(image, c, next, n, lambda, q0sqr);
    ref_expect(r, "c", c, (uint64_t)(n * n), 2e-4, 1);
    ref_expect(r, "image", image, (uint64_t)(n * n), 1e-4, 1);
}

const struct reference ref_srad = {
    "srad", "image after all steps, 1e-4, and last coefficients, 2e-4", check_srad};

static void check_2dconv(struct ref *r)
{
    static const double mask[3][3] = {{0.2, -0.3, 0.4}, {0.5, 0.6, 0.7}, {-0.8, -0.9, 0.1}};
    int64_t n = ref_int(r, "n", 1, 1 << 14);
    double *a = ref_in_real(r, "a", (uint64_t)(n * n)), *b = reals(r, n * n);
    for (int64_t y = 1; y < n - 1; y++)
        for (int64_t x = 1; x < n - 1; x++)
            for (int64_t k = 0; k < 9; k++)
                b[y * n + x] += mask[k / 3][k % 3] * a[(y + k / 3 - 1) * n + x + k % 3 - 1];
    ref_expect(r, "b", b, (uint64_t)(n * n), 1e-5, 1);
}

const struct reference ref_2dconv = {"2dconv", "convolution inside the border, zero on it; 1e-5",
                                     check_2dconv};

static void check_fdtd3d(struct ref *r)
{
    int64_t nx = ref_int(r, "nx", 1, 4096), ny = ref_int(r, "ny", 1, 4096);
    int64_t nz = ref_int(r, "nz", 1, 4096), steps = ref_int(r, "steps", 1, 1 << 16);
    int64_t pitch = nx + 8, layer = pitch * (ny + 8), points = layer * (nz + 8);
    double c[5] = {ref_real(r, "c0"), ref_real(r, "c1"), ref_real(r, "c2"), ref_real(r, "c3"),
                   ref_real(r, "c4")};
    double *now = ref_in_real(r, "src", (uint64_t)points);
    double *next = ref_in_real(r, "src", (uint64_t)points);

    for (int64_t step = 0; step < steps && !r->wrong; step++) {
        for (int64_t i = 0; i < nx * ny * nz; i++) {
            int64_t x = i % nx, y = i / nx % ny, z = i / nx / ny;
            int64_t at = (z + 4) * layer + (y + 4) * pitch + x + 4;
            double v = c[0] * now[at];
            for (int64_t k = 1; k <= 4; k++)
                v += c[k] * (now[at - k] + now[at + k] + now[at - k * pitch] + now[at + k * pitch] +
                             now[at - k * layer] + now[at + k * layer]);
            next[at] = v;
        }
        double *t = now;
        now = next;
        next = t;
    }
    ref_expect(r, "src", now, (uint64_t)points, 1e-5, 1);
}

const struct reference ref_fdtd3d = {"fdtd3d", "the volume after all steps; 1e-5", check_fdtd3d};

static void check_dct(struct ref *r)
{
    int64_t n = ref_int(r, "n", 8, 1 << 13);
    double *image = ref_in_real(r, "image", (uint64_t)(n * n)), *out = reals(r, n * n);
    double cosine[8][8];
    for (int u = 0; u < 8; u++)
        for (int x = 0; x < 8; x++)
            cosine[u][x] = (u ? 0.5 : sqrt(0.125)) * cos((2 * x + 1) * u * acos(-1) / 16);
    for (int64_t i = 0; i < n / 8 * 8 * n; i++) {
        int64_t y = i / n, x = i % n, top = y - y % 8, left = x - x % 8;
        for (int64_t k = 0; k < 64 && left + 8 <= n; k++)
            out[i] += image[(top + k / 8) * n + left + k % 8] * cosine[y % 8][k / 8] *
                      cosine[x % 8][k % 8];
    }
    ref_expect(r, "out", out, (uint64_t)(n * n), 1e-5, 128);
}

const struct reference ref_dct = {
    "dct", "the transform by its definition; 1e-5 of the larger of 128 and the value", check_dct};

/* 3dconv: the mask as a table of places and weights, by plane (i), row (j) and column (k) */
static const struct {
    int i, j, k;
    double weight;
} mask3[] = {{-1, -1, -1, 2 + 5 - 8},
             {1, -1, -1, 4 + 7 + 10},
             {0, -1, 0, -3},
             {0, 0, 0, 6},
             {0, 1, 0, -9},
             {-1, -1, 1, 2},
             {1, -1, 1, 4},
             {-1, 0, 1, 5},
             {1, 0, 1, 7},
             {-1, 1, 1, -8},
             {1, 1, 1, 10}};

static void check_3dconv(struct ref *r)
{
    int64_t n = ref_int(r, "n", 1, 4096), planes = ref_int(r, "planes", 1, 4096);
    double *a = ref_in_real(r, "a", (uint64_t)(planes * n * n)), *b = reals(r, planes * n * n);
    for (int64_t i = 1; i < planes - 1; i++)
        for (int64_t j = 1; j < n - 1; j++)
            for (int64_t k = 1; k < n - 1; k++)
                for (size_t m = 0; m < sizeof mask3 / sizeof *mask3; m++)
                    b[(i * n + j) * n + k] +=
                        mask3[m].weight *
                        a[((i + mask3[m].i) * n + j + mask3[m].j) * n + k + mask3[m].k];
    ref_expect(r, "b", b, (uint64_t)(planes * n * n), 1e-5, 10);
}

const struct reference ref_3dconv = {
    "3dconv", "convolution inside the border, zero on it; 1e-5 of the larger of 10 and the value",
    check_3dconv};

static void check_fdtd2d(struct ref *r)
{
    int64_t n = ref_int(r, "n", 1, 1 << 14), steps = ref_int(r, "steps", 1, 1 << 16);
    double *source = ref_in_real(r, "source", (uint64_t)steps);
    double *ex = ref_in_real(r, "ex", (uint64_t)(n * (n + 1)));
    double *ey = ref_in_real(r, "ey", (uint64_t)(n * (n + 1)));
    double *hz = ref_in_real(r, "hz", (uint64_t)(n * n));

    for (int64_t t = 0; t < steps && !r->wrong; t++) {
        for (int64_t j = 0; j < n; j++)
            ey[j] = source[t];
        for (int64_t i = n; i < n * n; i++)
            ey[i] -= 0.5 * (hz[i] - hz[i - n]);
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 1; j < n; j++)
                ex[i * (n + 1) + j] -= 0.5 * (hz[i * n + j] - hz[i * n + j - 1]);
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < n; j++)
                hz[i * n + j] -= 0.7 * (ex[i * (n + 1) + j + 1] - ex[i * (n + 1) + j] +
                                        ey[(i + 1) * n + j] - ey[i * n + j]);
    }
    ref_expect(r, "ex", ex, (uint64_t)(n * (n + 1)), 1e-5, 1);
    ref_expect(r, "ey", ey, (uint64_t)(n * (n + 1)), 1e-5, 1);
    ref_expect(r, "hz", hz, (uint64_t)(n * n), 1e-5, 1);
}

const struct reference ref_fdtd2d = {"fdtd2d", "the three fields after all steps; 1e-5",
                                     check_fdtd2d};

static void check_pathfinder(struct ref *r)
{
    int64_t cols = ref_int(r, "cols", 1, 1 << 24), rows = ref_int(r, "rows", 1, 1 << 16);
    double *wall = ref_in_real(r, "wall", (uint64_t)(rows * cols));
    for (int64_t y = 1; y < rows; y++)
        for (int64_t x = 0; x < cols; x++) {
            const double *above = wall + (y - 1) * cols;
            double least = above[x];
            least = fmin(least, above[clamp(x - 1, cols)]);
            least = fmin(least, above[clamp(x + 1, cols)]);
            wall[y * cols + x] += least;
        }
    ref_expect(r, "src", wall + (rows - 1) * cols, (uint64_t)cols, 0, 0);
}

const struct reference ref_pathfinder = {
    "pathfinder", "cost of the cheapest path to each column; exact", check_pathfinder};

static void check_lps(struct ref *r)
{
    int64_t nx = ref_int(r, "nx", 1, 4096), ny = ref_int(r, "ny", 1, 4096);
    int64_t nz = ref_int(r, "nz", 1, 4096), steps = ref_int(r, "steps", 1, 1 << 16);
    int64_t pitch = ref_int(r, "pitch", nx, 8192), layer = pitch * ny, points = layer * nz;
    double *now = ref_in_real(r, "src", (uint64_t)points), *next = reals(r, points);
    for (int64_t step = 0; step < steps && !r->wrong; step++) {
        for (int64_t i = 0; i < points; i++) {
            int64_t x = i % pitch, y = i / pitch % ny, z = i / layer;
            bool inside = x > 0 && x < nx - 1 && y > 0 && y < ny - 1 && z > 0 && z < nz - 1;
            next[i] = inside ? (now[i - 1] + now[i + 1] + now[i - pitch] + now[i + pitch] +
                                now[i - layer] + now[i + layer]) /
                                   6
                             : now[i];
        }
        double *t = now;
        now = next;
        next = t;
    }
    for (int64_t i = 0; i < points && !r->wrong; i++)
        if (i % pitch < nx) /* what lies between the rows belongs to nobody */
            ref_expect_one(r, "src", (uint64_t)i, now[i], 1e-6, 1);
}
const struct reference ref_lps = {"lps", "the cube after all steps; 1e-6", check_lps};
