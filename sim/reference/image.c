/* SPDX-License-Identifier: MIT
 *
 * References of image processing. */
#include "sim/reference/reference.h"

#include <math.h>

/* ---- leu ------------------------------------------------------------------------------------- */

struct frame {
    int64_t width, height, circles, points;
    const double *grad_x, *grad_y;
    const int32_t *shift_x, *shift_y; /* [circle][point] */
};

/* Largest squared mean over variance of the radial gradient on a circle around a pixel. */
static double gicov(const struct frame *f, int64_t x, int64_t y)
{
    double best = 0;
    for (int64_t k = 0; k < f->circles; k++) {
        double sum = 0, squares = 0;
        for (int64_t n = 0; n < f->points; n++) {
            double angle = 2 * acos(-1) * (double)n / (double)f->points;
            int64_t i = k * f->points + n;
            int64_t at = (x + f->shift_x[i]) * f->height + y + f->shift_y[i];
            double p = f->grad_x[at] * cos(angle) + f->grad_y[at] * sin(angle);
            sum += p;
            squares += p * p;
        }
        double n = (double)f->points, mean = sum / n;
        best = fmax(best, mean * mean / ((squares - n * mean * mean) / (n - 1)));
    }
    return best;
}

/* The circles' points are inputs, since rounding to whole pixels hangs on the last bit of a
 * cosine; they must lie within a pixel of the circle. */
static bool are_circles(const struct frame *f)
{
    for (int64_t i = 0; i < f->circles * f->points; i++) {
        double angle = 2 * acos(-1) * (double)(i % f->points) / (double)f->points;
        double radius = (double)(8 + 2 * (i / f->points));
        if (fabs(f->shift_x[i] - radius * cos(angle)) > 1.001 ||
            fabs(f->shift_y[i] - radius * sin(angle)) > 1.001)
            return false;
    }
    return true;
}

static void check_leu(struct ref *r)
{
    struct frame f = {.width = ref_int(r, "width", 45, 1 << 14),
                      .height = ref_int(r, "height", 45, 1 << 14),
                      .circles = ref_int(r, "circles", 1, 7),
                      .points = ref_int(r, "points", 2, 150)};
    int64_t margin = ref_int(r, "margin", 22, 22), radius = ref_int(r, "radius", 0, 12);
    int64_t pixels = f.width * f.height;
    f.grad_x = ref_in_real(r, "grad_x", (uint64_t)pixels);
    f.grad_y = ref_in_real(r, "grad_y", (uint64_t)pixels);
    f.shift_x = ref_in(r, "shift_x", REF_S32, (uint64_t)(f.circles * f.points));
    f.shift_y = ref_in(r, "shift_y", REF_S32, (uint64_t)(f.circles * f.points));
    if (!ref_require(r, are_circles(&f), "shift_x and shift_y are not circles"))
        return;
    double *score = ref_scratch(r, (uint64_t)pixels, sizeof *score);
    double *most = ref_scratch(r, (uint64_t)pixels, sizeof *most);

    for (int64_t y = margin; y < f.height - margin; y++)
        for (int64_t x = margin; x < f.width - margin; x++)
            score[x * f.height + y] = gicov(&f, x, y);
    ref_expect(r, "gicov", score, (uint64_t)pixels, 1e-3, 0.01);
    for (int64_t i = 0; i < pixels; i++)
        for (int64_t dy = -radius; dy <= radius; dy++)
            for (int64_t dx = -radius; dx <= radius; dx++) {
                int64_t x = i % f.width + dx, y = i / f.width + dy;
                if (dx * dx + dy * dy <= radius * radius && x >= 0 && x < f.width && y >= 0 &&
                    y < f.height)
                    most[i] = fmax(most[i], score[x * f.height + y]);
            }
    ref_expect(r, "dilated", most, (uint64_t)pixels, 1e-3, 0.01);
}

const struct reference ref_leu = {
    "leu", "score of every pixel and its dilation; 1e-3 of the larger of 0.01 and the value",
    check_leu};

/* ---- dxtc: the result is decoded, and its error compared with the least there is
 * ----------------- */

struct block {
    double c[16][3];
};

static void unpack(uint32_t packed, double c[3])
{
    c[0] = (packed >> 11 & 31) / 31.0;
    c[1] = (packed >> 5 & 63) / 63.0;
    c[2] = (packed & 31) / 31.0;
}

/* Squared error of the block as a decoder would show it. */
static double decoded_error(const struct block *b, const uint32_t out[2])
{
    double colour[4][3], error = 0;
    unpack(out[0] & 0xffff, colour[0]);
    unpack(out[0] >> 16, colour[1]);
    for (int k = 0; k < 3; k++) {
        colour[2][k] = (2 * colour[0][k] + colour[1][k]) / 3;
        colour[3][k] = (colour[0][k] + 2 * colour[1][k]) / 3;
    }
    for (int i = 0; i < 16; i++)
        for (int k = 0; k < 3; k++)
            error += pow(b->c[i][k] - colour[out[1] >> (2 * i) & 3][k], 2);
    return error;
}

static double rounded(double x, double steps)
{
    return floor(fmin(1, fmax(0, x)) * steps + 0.5) / steps;
}

/* Error with the best ends for given shares (0, 1/3, 2/3 or 1) of the second end. */
static double fitted_error(const struct block *b, const double share[16])
{
    double aa = 0, ab = 0, bb = 0, error = 0;
    for (int i = 0; i < 16; i++) {
        aa += (1 - share[i]) * (1 - share[i]);
        ab += (1 - share[i]) * share[i];
        bb += share[i] * share[i];
    }
    double det = aa * bb - ab * ab;
    if (det < 1e-4)
        return INFINITY;
    for (int k = 0; k < 3; k++) {
        double xa = 0, xb = 0, steps = k == 1 ? 63 : 31;
        for (int i = 0; i < 16; i++) {
            xa += (1 - share[i]) * b->c[i][k];
            xb += share[i] * b->c[i][k];
        }
        double first = rounded((bb * xa - ab * xb) / det, steps);
        double second = rounded((aa * xb - ab * xa) / det, steps);
        for (int i = 0; i < 16; i++)
            error += pow(b->c[i][k] - (1 - share[i]) * first - share[i] * second, 2);
    }
    return error;
}

/* Rank of each pixel along the main axis of the colours (power iteration). */
static void order_pixels(const struct block *b, int rank[16])
{
    double mean[3] = {0}, cov[3][3] = {{0}}, v[3] = {1, 1, 1}, along[16];
    for (int i = 0; i < 16; i++)
        for (int k = 0; k < 3; k++)
            mean[k] += b->c[i][k] / 16;
    for (int i = 0; i < 16; i++)
        for (int k = 0; k < 9; k++)
            cov[k / 3][k % 3] += (b->c[i][k / 3] - mean[k / 3]) * (b->c[i][k % 3] - mean[k % 3]);
    for (int round = 0; round < 8; round++) {
        double w[3], most = 0;
        for (int k = 0; k < 3; k++) {
            w[k] = cov[k][0] * v[0] + cov[k][1] * v[1] + cov[k][2] * v[2];
            most = fmax(most, fabs(w[k]));
        }
        for (int k = 0; k < 3 && most > 1e-12; k++)
            v[k] = w[k] / most;
    }
    for (int i = 0; i < 16; i++)
        along[i] = b->c[i][0] * v[0] + b->c[i][1] * v[1] + b->c[i][2] * v[2];
    for (int i = 0; i < 16; i++) {
        rank[i] = 0;
        for (int j = 0; j < 16; j++)
            rank[i] += along[j] < along[i] || (j < i && along[j] == along[i]);
    }
}

static double least_error(const struct block *b)
{
    double least = INFINITY, share[16];
    int rank[16];
    order_pixels(b, rank);
    for (int one = 0; one <= 16; one++)
        for (int two = one; two <= 16; two++)
            for (int three = two; three <= 16; three++) {
                for (int i = 0; i < 16; i++)
                    share[i] = ((rank[i] >= one) + (rank[i] >= two) + (rank[i] >= three)) / 3.0;
                least = fmin(least, fitted_error(b, share));
            }
    return least;
}

static void check_dxtc(struct ref *r)
{
    int64_t width = ref_int(r, "width", 4, 1 << 14), height = ref_int(r, "height", 4, 1 << 14);
    const uint32_t *image = ref_in(r, "image", REF_U32, (uint64_t)(width * height));
    const uint32_t *result = ref_out(r, "result", REF_U32, (uint64_t)(width * height / 8));
    for (int64_t n = 0; n < (width / 4) * (height / 4); n++) {
        struct block b;
        for (int64_t i = 0; i < 16; i++) {
            int64_t x = n % (width / 4) * 4 + i % 4, y = n / (width / 4) * 4 + i / 4;
            for (int k = 0; k < 3; k++)
                b.c[i][k] = (image[y * width + x] >> (8 * k) & 255) / 255.0;
        }
        double got = decoded_error(&b, result + 2 * n), want = least_error(&b);
        if (!ref_require(r, got <= want * 1.001 + 1e-4 && got >= want * 0.999 - 1e-4,
                         "block %lld is off by %.6g, the best split by %.6g", (long long)n, got,
                         want))
            return;
        r->n_checked++;
    }
}

const struct reference ref_dxtc = {
    "dxtc", "error of each decoded block against the least of all splits; 1e-3", check_dxtc};

/* ---- imd ------------------------------------------------------------------------------------- */

static double pixel(const double *image, int64_t x, int64_t y, int64_t width, int64_t height)
{
    x = x < 0 ? 0 : x >= width ? width - 1 : x;
    y = y < 0 ? 0 : y >= height ? height - 1 : y;
    return image[y * width + x];
}

/* Sum of squared differences between the 7x7 surroundings of two pixels. */
static double unlikeness(const double *image, const int64_t a[2], const int64_t b[2], int64_t width,
                         int64_t height)
{
    double sum = 0;
    for (int64_t k = 0; k < 49; k++)
        sum += pow(pixel(image, a[0] + k % 7 - 3, a[1] + k / 7 - 3, width, height) -
                       pixel(image, b[0] + k % 7 - 3, b[1] + k / 7 - 3, width, height),
                   2);
    return sum;
}

static void check_imd(struct ref *r)
{
    int64_t width = ref_int(r, "width", 1, 1 << 14), height = ref_int(r, "height", 1, 1 << 14);
    double noise = ref_real(r, "noise");
    double *image = ref_in_real(r, "image", (uint64_t)(width * height));
    double *out = ref_scratch(r, (uint64_t)(width * height), sizeof *out);
    for (int64_t i = 0; i < width * height; i++) {
        int64_t here[2] = {i % width, i / width};
        double weights = 0;
        for (int64_t k = 0; k < 49; k++) {
            int64_t dx = k % 7 - 3, dy = k / 7 - 3, there[2] = {here[0] + dx, here[1] + dy};
            double w = exp(-unlikeness(image, here, there, width, height) * noise -
                           (double)(dx * dx + dy * dy) / 49);
            weights += w;
            out[i] += w * pixel(image, there[0], there[1], width, height);
        }
        out[i] /= weights;
    }
    ref_expect(r, "out", out, (uint64_t)(width * height), 1e-4, 1);
}

const struct reference ref_imd = {"imd", "every pixel of the result; 1e-4", check_imd};

/* ---- sad ------------------------------------------------------------------------------------- */

static void check_sad(struct ref *r)
{
    enum { RANGE = 16, SIDE = 2 * RANGE + 1, PLACES = SIDE * SIDE, PADDED = 1096 };
    int64_t blocks = ref_int(r, "mb_width", 1, 1 << 9), rows = ref_int(r, "mb_height", 1, 1 << 9);
    int64_t width = blocks * 16, height = rows * 16;
    double *frame = ref_in_real(r, "frame", (uint64_t)(width * height));
    double *other = ref_in_real(r, "reference", (uint64_t)(width * height));
    for (int64_t i = 0; i < blocks * rows * 16 * PLACES && !r->wrong; i++) {
        int64_t place = i % PLACES, part = i / PLACES % 16, block = i / PLACES / 16;
        int64_t left = block % blocks * 16 + part % 4 * 4, top = block / blocks * 16 + part / 4 * 4;
        double want = 0;
        for (int64_t y = top; y < top + 4; y++)
            for (int64_t x = left; x < left + 4; x++)
                want += fabs(frame[y * width + x] - pixel(other, x + place % SIDE - RANGE,
                                                          y + place / SIDE - RANGE, width, height));
        ref_expect_one(r, "out", (uint64_t)(i / PLACES * PADDED + place), want, 0, 0);
    }
}
const struct reference ref_sad = {"sad", "all sums; exact", check_sad};

/* ---- ray: recursive; at edges a ray may go either way ---------------------------------------- */

struct scene {
    const double *places, *looks;
    int64_t spheres;
};

static int64_t first_hit(const struct scene *s, const double o[3], const double d[3], double *t)
{
    int64_t found = -1;
    *t = INFINITY;
    for (int64_t i = 0; i < s->spheres; i++) {
        const double *c = s->places + 4 * i;
        double b = 0, square = 0;
        for (int k = 0; k < 3; k++) {
            b += (c[k] - o[k]) * d[k];
            square += (c[k] - o[k]) * (c[k] - o[k]);
        }
        double root = b * b - square + c[3] * c[3], at = root > 0 ? b - sqrt(root) : 0;
        if (at > 1e-3 && at < *t) {
            *t = at;
            found = i;
        }
    }
    return found;
}

static double look(const struct scene *s, const double o[3], const double d[3], int64_t bounces)
{
    const double third = 0.57735, light[3] = {third, third, -third};
    double t, unused, p[3], n[3], away[3], lit = 0, turn = 0;
    int64_t i = first_hit(s, o, d, &t);
    if (i < 0)
        return 0.2 + 0.2 * d[1];
    for (int k = 0; k < 3; k++) {
        p[k] = o[k] + t * d[k];
        n[k] = (p[k] - s->places[4 * i + k]) / s->places[4 * i + 3];
        lit += n[k] * light[k];
        turn += d[k] * n[k];
    }
    if (lit < 0 || first_hit(s, p, light, &unused) >= 0)
        lit = 0;
    for (int k = 0; k < 3; k++)
        away[k] = d[k] - 2 * turn * n[k];
    double own = s->looks[4 * i] * (0.1 + 0.9 * lit), mirror = s->looks[4 * i + 1];
    return (1 - mirror) * own + (bounces > 0 ? mirror * look(s, p, away, bounces - 1) : 0);
}

static void check_ray(struct ref *r)
{
    int64_t width = ref_int(r, "width", 1, 1 << 14), height = ref_int(r, "height", 1, 1 << 14);
    int64_t bounces = ref_int(r, "bounces", 0, 20), off = 0;
    struct scene s = {ref_in_real(r, "places", 64), ref_in_real(r, "looks", 64),
                      ref_int(r, "spheres", 0, 16)};
    const float *image = ref_out(r, "image", REF_F32, (uint64_t)(width * height));
    for (int64_t i = 0; i < width * height; i++) {
        const double o[3] = {0, 0, -4};
        double d[3] = {((double)(i % width) + 0.5) / (double)width - 0.5,
                       ((double)(i / width) + 0.5) / (double)height - 0.5, 1};
        double length = sqrt(d[0] * d[0] + d[1] * d[1] + 1);
        for (int k = 0; k < 3; k++)
            d[k] /= length;
        off += !(fabs(image[i] - look(&s, o, d, bounces)) <= 1e-3);
        r->n_checked++;
    }
    ref_require(r, off * 100 <= width * height, "%lld of %lld pixels are off by more than 0.001",
                (long long)off, (long long)width * height);
}

const struct reference ref_ray = {
    "ray", "shade of every pixel, 1e-3; one in a hundred may differ, at edges", check_ray};
