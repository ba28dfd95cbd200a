/* SPDX-License-Identifier: MIT
 *
 * References of the physical computations, in double precision. */
#include "sim/reference/reference.h"

#include <math.h>
#include <string.h>

/* ---- cfd: a state is density, momentum x y z, energy ----------------------------------------- */

static double pressure(const double s[5])
{
    return 0.4 * (s[4] - 0.5 * (s[1] * s[1] + s[2] * s[2] + s[3] * s[3]) / s[0]);
}

/* Largest speed of a wave: of the gas and of sound in it. */
static double wave_speed(const double s[5])
{
    return sqrt(s[1] * s[1] + s[2] * s[2] + s[3] * s[3]) / s[0] + sqrt(1.4 * pressure(s) / s[0]);
}

/* The Euler flux of a state through a side with normal n, times `factor`. */
static void add_flux(double flux[5], const double s[5], const double n[3], double factor)
{
    double through = (s[1] * n[0] + s[2] * n[1] + s[3] * n[2]) / s[0], p = pressure(s);
    for (int k = 0; k < 5; k++)
        flux[k] += factor * through * (s[k] + (k == 4 ? p : 0));
    for (int k = 0; k < 3; k++)
        flux[1 + k] += factor * n[k] * p;
}

struct mesh {
    const int32_t *neighbours;
    const double *normals, *areas;
    int64_t n;
};

static void load(const double *all, int64_t i, int64_t n, double s[5])
{
    for (int k = 0; k < 5; k++)
        s[k] = all[i + k * n];
}

static void cell_flux(const struct mesh *m, const double *now, int64_t i, double flux[5])
{
    static const double far[5] = {1.4, 1.4 * 1.2, 0, 0, 1.4 * 0.5 * 1.44 + 2.5};
    double own[5], other[5];
    load(now, i, m->n, own);
    memset(flux, 0, 5 * sizeof *flux);
    for (int64_t j = 0; j < 4; j++) {
        int32_t nb = m->neighbours[i + j * m->n];
        double normal[3];
        for (int k = 0; k < 3; k++)
            normal[k] = m->normals[i + (j + 4 * k) * m->n];
        if (nb == -1) { /* a wall: only pressure acts */
            for (int k = 0; k < 3; k++)
                flux[1 + k] += normal[k] * pressure(own);
            continue;
        }
        if (nb >= 0)
            load(now, nb, m->n, other);
        add_flux(flux, own, normal, 0.5);
        add_flux(flux, nb >= 0 ? other : far, normal, 0.5);
        if (nb < 0)
            continue;
        double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
        for (int k = 0; k < 5; k++)
            flux[k] -= 0.1 * length * (wave_speed(own) + wave_speed(other)) * (own[k] - other[k]);
    }
}

static void cfd_step(const struct mesh *m, double *now, double *old, double *step, double *fluxes)
{
    memcpy(old, now, (size_t)(5 * m->n) * sizeof *now);
    for (int64_t i = 0; i < m->n; i++) {
        double s[5];
        load(now, i, m->n, s);
        step[i] = 0.5 / (sqrt(m->areas[i]) * wave_speed(s));
    }
    for (int stage = 0; stage < 3; stage++) {
        for (int64_t i = 0; i < m->n; i++) {
            double flux[5];
            cell_flux(m, now, i, flux);
            for (int k = 0; k < 5; k++)
                fluxes[i + k * m->n] = flux[k];
        }
        for (int64_t i = 0; i < 5 * m->n; i++)
            now[i] = old[i] + step[i % m->n] / (4 - stage) * fluxes[i];
    }
}

static void check_cfd(struct ref *r)
{
    int64_t n = ref_int(r, "cells", 1, 1 << 24), steps = ref_int(r, "steps", 1, 1 << 16);
    struct mesh m = {ref_in(r, "neighbours", REF_S32, (uint64_t)(4 * n)),
                     ref_in_real(r, "normals", (uint64_t)(12 * n)),
                     ref_in_real(r, "areas", (uint64_t)n), n};
    double *now = ref_in_real(r, "variables", (uint64_t)(5 * n));
    double *old = ref_scratch(r, (uint64_t)(5 * n), sizeof *old);
    double *fluxes = ref_scratch(r, (uint64_t)(5 * n), sizeof *fluxes);
    double *step = ref_scratch(r, (uint64_t)n, sizeof *step);
    for (int64_t i = 0; i < 4 * n; i++)
        if (!ref_require(r, m.neighbours[i] >= -2 && m.neighbours[i] < n, "neighbours[%lld] is %d",
                         (long long)i, m.neighbours[i]))
            return;
    for (int64_t i = 0; i < steps; i++)
        cfd_step(&m, now, old, step, fluxes);
    ref_expect(r, "step", step, (uint64_t)n, 1e-4, 0);
    ref_expect(r, "variables", now, (uint64_t)(5 * n), 1e-4, 1);
}

const struct reference ref_cfd = {"cfd", "all five variables after all steps; 1e-4", check_cfd};

/* ---- cp -------------------------------------------------------------------------------------- */

static void check_cp(struct ref *r)
{
    int64_t bx = ref_int(r, "bx", 1, 4096), by = ref_int(r, "by", 1, 4096);
    int64_t n_atoms = ref_int(r, "n_atoms", 0, 4000), width = bx * 32;
    double spacing = ref_real(r, "spacing");
    double *atoms = ref_in_real(r, "atoms", (uint64_t)(4 * n_atoms));
    double *energy = ref_in_real(r, "energy", (uint64_t)(bx * by * 256));
    for (int64_t i = 0; i < bx * by * 256; i++)
        for (int64_t a = 0; a < n_atoms; a++) {
            double dx = spacing * (double)(i % width) - atoms[4 * a];
            double dy = spacing * (double)(i / width) - atoms[4 * a + 1];
            energy[i] += atoms[4 * a + 3] / sqrt(dx * dx + dy * dy + atoms[4 * a + 2]);
        }
    ref_expect(r, "energy", energy, (uint64_t)(bx * by * 256), 1e-4, 0);
}

const struct reference ref_cp = {"cp", "the potential at every lattice point; 1e-4", check_cp};

/* ---- mriq ------------------------------------------------------------------------------------ */

static void check_mriq(struct ref *r)
{
    int64_t voxels = ref_int(r, "voxels", 1, 1 << 24), n = ref_int(r, "samples", 1, 1 << 20);
    static const char *const names[] = {"kx", "ky", "kz", "phi_r", "phi_i"};
    static const char *const axes[] = {"x", "y", "z"};
    double *k[5], *v[3];
    for (int i = 0; i < 5; i++)
        k[i] = ref_in_real(r, names[i], (uint64_t)n);
    for (int i = 0; i < 3; i++)
        v[i] = ref_in_real(r, axes[i], (uint64_t)voxels);
    double *q_r = ref_scratch(r, (uint64_t)voxels, sizeof *q_r);
    double *q_i = ref_scratch(r, (uint64_t)voxels, sizeof *q_i);
    for (int64_t p = 0; p < voxels; p++)
        for (int64_t s = 0; s < n; s++) {
            double turn = k[0][s] * v[0][p] + k[1][s] * v[1][p] + k[2][s] * v[2][p];
            double magnitude = k[3][s] * k[3][s] + k[4][s] * k[4][s];
            q_r[p] += magnitude * cos(2 * acos(-1) * turn);
            q_i[p] += magnitude * sin(2 * acos(-1) * turn);
        }
    ref_expect(r, "q_r", q_r, (uint64_t)voxels, 1e-5, (double)n);
    ref_expect(r, "q_i", q_i, (uint64_t)voxels, 1e-5, (double)n);
}

const struct reference ref_mriq = {"mriq", "both parts of Q; 1e-5 of the number of samples",
                                   check_mriq};

/* ---- tpacf ----------------------------------------------------------------------------------- */

struct sky {
    const double *x, *y, *z, *bounds;
    int64_t n;
};

/* Counts the pair in its bin: surely, or perhaps where it lies at an edge up to rounding. */
static void count_pair(const struct sky *s, int64_t i, int64_t j, double sure[20], double may[20])
{
    double dot = s->x[i] * s->x[j] + s->y[i] * s->y[j] + s->z[i] * s->z[j];
    for (int b = 0; b < 20; b++) {
        double above = b == 0 ? INFINITY : s->bounds[b];
        double below = b == 19 ? -INFINITY : s->bounds[b + 1];
        sure[b] += dot < above - 1e-6 && dot >= below + 1e-6;
        may[b] += dot < above + 1e-6 && dot >= below - 1e-6;
    }
}

static void check_tpacf(struct ref *r)
{
    int64_t n = ref_int(r, "n", 1, 1 << 14), sets = ref_int(r, "sets", 0, 1 << 12);
    uint64_t all = (uint64_t)(n * (sets + 1));
    struct sky s = {ref_in_real(r, "x", all), ref_in_real(r, "y", all), ref_in_real(r, "z", all),
                    ref_in_real(r, "bounds", 21), n};
    const uint32_t *got = ref_out(r, "histograms", REF_U32, (uint64_t)(20 * (2 * sets + 1)));

    for (int64_t block = 0; block < 2 * sets + 1; block++) {
        bool cross = block > sets;
        int64_t a = cross ? 0 : block * n, b = cross ? (block - sets) * n : a;
        double sure[20] = {0}, may[20] = {0};
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = cross ? 0 : i + 1; j < n; j++)
                count_pair(&s, a + i, b + j, sure, may);
        for (int k = 0; k < 20; k++) {
            uint32_t g = got[20 * block + k];
            if (!ref_require(r, g >= sure[k] && g <= may[k],
                             "histograms[%lld] is %u, the reference has %g to %g", 20LL * block + k,
                             g, sure[k], may[k]))
                return;
            r->n_checked++;
        }
    }
}

const struct reference ref_tpacf = {
    "tpacf", "counts per bin; pairs within 1e-6 of an edge may fall on either side", check_tpacf};

/* ---- nbo ------------------------------------------------------------------------------------- */

static void check_nbo(struct ref *r)
{
    int64_t n = ref_int(r, "n", 1, 1 << 18);
    double softening = ref_real(r, "softening");
    double *b = ref_in_real(r, "bodies", (uint64_t)(4 * n));
    double *f = ref_scratch(r, (uint64_t)(4 * n), sizeof *f);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            double d[3], square = softening;
            for (int k = 0; k < 3; k++) {
                d[k] = b[4 * j + k] - b[4 * i + k];
                square += d[k] * d[k];
            }
            for (int k = 0; k < 3; k++)
                f[4 * i + k] += b[4 * j + 3] * d[k] / (square * sqrt(square));
        }
    ref_expect(r, "forces", f, (uint64_t)(4 * n), 1e-5, (double)n);
}

const struct reference ref_nbo = {"nbo", "the force on every body; 1e-5 of the number of bodies",
                                  check_nbo};

/* ---- wp -------------------------------------------------------------------------------------- */

struct air {
    double t, qv, qc, qr, rho, p, dz;
};

/* One layer; the flux of rain in from above, returns the flux out. */
static double rain_through(struct air *a, double flux, double dt)
{
    double grow = 0.001 * fmax(0, a->qc - 0.0005) + 2.2 * a->qc * pow(a->qr + 1e-9, 0.875);
    grow = fmin(grow * dt, a->qc);
    a->qc -= grow;
    a->qr += grow;

    double speed = 36.34 * pow(0.001 * a->rho * a->qr + 1e-12, 0.1346) / sqrt(a->rho);
    double out = fmin(a->rho * a->qr * speed, a->rho * a->qr * a->dz / dt + flux);
    a->qr += (flux - out) * dt / (a->rho * a->dz);

    double es = 611.2 * exp(17.67 * (a->t - 273.15) / (a->t - 29.65)),
           qs = 0.622 * es / (a->p - es);
    double change = (a->qv - qs) / (1 + qs * 4097.8 * 2490 / pow(a->t - 29.65, 2));
    change = fmax(change, -a->qc);
    a->qv -= change;
    a->qc += change;
    double gone = fmin(0.01 * fmax(0, qs - a->qv) * sqrt(fmax(0, a->qr)) * dt, a->qr);
    a->qr -= gone;
    a->qv += gone;
    a->t += 2490 * (change - gone);
    return out;
}

static void check_wp(struct ref *r)
{
    static const char *const names[] = {"heat",    "vapour",   "cloud",    "rain",
                                        "density", "pressure", "thickness"};
    int64_t nx = ref_int(r, "nx", 1, 4096), ny = ref_int(r, "ny", 1, 4096);
    int64_t nz = ref_int(r, "nz", 1, 4096), layer = nx * ny;
    double dt = ref_real(r, "dt"), *field[7];
    double *fallen = ref_scratch(r, (uint64_t)layer, sizeof *fallen);
    for (int i = 0; i < 7; i++)
        field[i] = ref_in_real(r, names[i], (uint64_t)(layer * nz));
    for (int64_t c = 0; c < layer; c++) {
        double flux = 0;
        for (int64_t k = nz - 1; k >= 0; k--) {
            int64_t at = k * layer + c;
            struct air a = {field[0][at], field[1][at], field[2][at], field[3][at],
                            field[4][at], field[5][at], field[6][at]};
            flux = rain_through(&a, flux, dt);
            field[0][at] = a.t;
            field[1][at] = a.qv;
            field[2][at] = a.qc;
            field[3][at] = a.qr;
        }
        fallen[c] = flux * dt;
    }
    ref_expect(r, "heat", field[0], (uint64_t)(layer * nz), 1e-5, 0);
    for (int i = 1; i < 4; i++)
        ref_expect(r, names[i], field[i], (uint64_t)(layer * nz), 1e-3, 0.001);
    ref_expect(r, "fallen", fallen, (uint64_t)layer, 1e-3, 0.001);
}

const struct reference ref_wp = {
    "wp", "temperature, 1e-5; water in its three forms and rain on the ground, 1e-3", check_wp};
