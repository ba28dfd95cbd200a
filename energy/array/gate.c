/* SPDX-License-Identifier: MIT */
#include "energy/array/gate.h"

double delay_rise(double t_in, double tf, double v1, double v2)
{
    if (t_in == 0 && v1 == v2)
        return tf * fabs(log(v1));
    double a = log(v1);
    return tf * sqrt(a * a + t_in / tf * (1 - v1)) + tf * (a - log(v2));
}

double delay_fall(double t_in, double tf, double v1, double v2)
{
    if (t_in == 0 && v1 == v2)
        return tf * fabs(log(v1));
    double a = log(1 - v1);
    return tf * sqrt(a * a + 0.8 * t_in / tf * v1) + tf * (a - log(1 - v2));
}

/* ---- leakage ---- */

/* Ways to choose j of k; all of k counts k + 1, as in the model this follows. */
static double choose(int k, int j)
{
    static const double table[4][4] = {{1, 0, 0, 0}, {1, 2, 0, 0}, {1, 2, 3, 0}, {1, 3, 3, 4}};
    return table[k][j];
}

static double stack_sum(const struct array_tech *t, int k)
{
    double sum = 0, s = 1;
    for (int j = 1; j <= k; j++) {
        sum += s * choose(k, j);
        s *= t->rules.stack;
    }
    return sum;
}

static struct leak leak_one(const struct array_tech *t, const struct array_device *d, double w,
                            int k)
{
    if (k == 1)
        return (struct leak){w * d->i_off / 2, w * d->i_gate / 2};
    return (struct leak){w * d->i_off * stack_sum(t, k) / (1 << k), w * d->i_gate / 2};
}

struct leak leak_nmos(const struct array_tech *t, const struct array_device *d, double w, int k)
{
    return leak_one(t, d, w, k);
}

struct leak leak_pmos(const struct array_tech *t, const struct array_device *d, double w, int k)
{
    return leak_one(t, d, w, k);
}

/* `series` is the width of the stacked transistors, `parallel` that of the others. */
static struct leak leak_stacked(const struct array_tech *t, const struct array_device *d,
                                double series, double parallel, int k)
{
    double all = 0, some = 0, states = 1 << k;
    for (int j = 1; j <= k; j++)
        all += choose(k, j) * j;
    for (int j = 1; j < k; j++)
        some += choose(k, j) * j / 2;
    return (struct leak){
        (k * parallel + series * stack_sum(t, k)) * d->i_off / states,
        (parallel * all + series * k + series * some) * d->i_gate / states,
    };
}

struct leak leak_nand(const struct array_tech *t, const struct array_device *d, double wn,
                      double wp, int k)
{
    return leak_stacked(t, d, wn, wp, k);
}

struct leak leak_nor(const struct array_tech *t, const struct array_device *d, double wn, double wp,
                     int k)
{
    return leak_stacked(t, d, wp, wn, k);
}

/* ---- layout ---- */

static double diffusion_width(const struct array_tech *t, int stack, int nf)
{
    double f = t->g.contact, side = 2 * (f + 2 * t->g.contact_space);
    double w = side + stack * f + (stack - 1) * t->g.poly_space;
    if (nf > 1)
        w += (nf - 2) * side + (nf - 1) * stack * f + (nf - 1) * (stack - 1) * t->g.poly_space;
    return w;
}

double gate_area(const struct array_tech *t, enum gate_kind kind, int k, double wp, double wn,
                 double height)
{
    if (wp <= 0 || wn <= 0)
        return 0;
    double u = height - 2 * t->g.rail - t->g.gap_pn, r = wp / (wp + wn);
    double up = u * r, un = u * (1 - r);
    int np = round_up(wp / up), nn = round_up(wn / un);
    double n = 0, p = 0;
    switch (kind) {
    case GATE_INV:
        n = diffusion_width(t, 1, nn);
        p = diffusion_width(t, 1, np);
        break;
    case GATE_NAND:
        n = diffusion_width(t, k, nn);
        p = diffusion_width(t, 1, k * np);
        break;
    case GATE_NOR:
        n = diffusion_width(t, 1, k * nn);
        p = diffusion_width(t, k, np);
        break;
    }
    double h = un > wn ? wn + wp + t->g.gap_pn + 2 * t->g.rail : height;
    return larger(n, p) * h;
}

double fold_height(const struct array_tech *t, double w, double pitch)
{
    if (w <= 0)
        return 0;
    int n = round_up(w / pitch);
    return n * t->g.contact + (n + 1) * (t->g.contact + 2 * t->g.contact_space);
}

/* ---- chains ---- */

/* x^(1/n) for the few n that occur. */
static double root(double x, int n)
{
    switch (n) {
    case 1: return x;
    case 2: return sqrt(x);
    case 3: return cbrt(x);
    case 4: return sqrt(sqrt(x));
    default: return pow(x, 1.0 / n);
    }
}

/* Whole stages of effort 4 in a path of effort x: log4, cut towards zero. */
static int stages_of(double x)
{
    return x < 4 ? 0 : ilogb(x) / 2;
}

static int even(int n)
{
    n += n & 1;
    return n < 2 ? 2 : n > CHAIN_MAX ? CHAIN_MAX : n;
}

void chain_size(const struct array_tech *t, double effort, double first_n, double first_p,
                double load, struct chain *out)
{
    const struct array_device *d = &t->peri;
    double w_min = t->g.w_min, w_max = t->g.w_max, r = d->n2p;
    double first = gate_c(d, first_n + first_p), path = effort * load / first;
    int n = even(stages_of(path));
    double f = root(path, n), last = larger(load / f / ((1 + r) * d->c_input), w_min);

    if (last > w_max) {
        path = effort * gate_c(d, (1 + r) * w_max) / first;
        n = even(stages_of(path) + 1);
        f = root(path, n - 1);
        last = w_max;
    }
    out->n = n;
    out->wn[0] = first_n;
    out->wp[0] = first_p;
    out->wn[n - 1] = last;
    out->wp[n - 1] = r * last;
    for (int i = n - 2; i >= 1; i--) {
        out->wn[i] = larger(out->wn[i + 1] / f, w_min);
        out->wp[i] = r * out->wn[i];
    }
}

struct path buffer_path(const struct array_tech *t, double c_gate, double c_wire, double r_wire,
                        double ramp, struct chain *c)
{
    const struct array_device *d = &t->peri;
    double h = t->g.gate_height, fn = gate_finger(t, h, FET_N), fp = gate_finger(t, h, FET_P);
    double v2 = d->vdd * d->vdd;
    struct path p = {.ramp = ramp};

    chain_size(t, 1, t->g.w_min, d->n2p * t->g.w_min, c_gate + c_wire, c);
    for (int i = 0; i < c->n; i++) {
        bool last = i == c->n - 1;
        double own = drain_c(t, d, c->wp[i], 1, fp) + drain_c(t, d, c->wn[i], 1, fn);
        double load = last ? c_gate + c_wire : gate_c(d, c->wn[i + 1] + c->wp[i + 1]);
        double tf = on_r(d, c->wn[i], FET_N, 1) * (own + load);
        if (last)
            tf += r_wire * (c_wire / 2 + c_gate);
        double dt = delay_half(p.ramp, tf);
        p.delay += dt;
        p.ramp = 2 * dt;
        p.energy += (own + load) * v2;
        p.leak = leak_sum(p.leak, leak_inv(d, c->wn[i], c->wp[i]));
        p.area += gate_area(t, GATE_INV, 1, c->wp[i], c->wn[i], h);
    }
    p.leak = leak_times(d->vdd, p.leak);
    return p;
}

/* ---- repeated wires ---- */

struct repeater { /* the smallest inverter and the wire, per metre */
    double r_wire, c_wire, c_in, c_out, r_out;
};

static struct array_repeated repeated_at(const struct array_tech *t, const struct repeater *k,
                                         double spacing, double size)
{
    const struct array_device *d = &t->peri;
    double w = t->g.w_min;
    double tc = k->r_out * (k->c_in + k->c_out) + k->r_out * k->c_wire * spacing / size +
                k->r_wire * spacing * k->c_out * size +
                0.5 * k->r_wire * k->c_wire * spacing * spacing;
    struct leak leak = leak_times(d->vdd, leak_inv(d, w * size, d->n2p * w * size));
    double switched = (size * (k->c_in + k->c_out) + spacing * k->c_wire) * d->vdd * d->vdd;
    double shorted = d->vdd * w * t->rules.short_current * 1.0986 * size * tc; /* ln 3 */
    return (struct array_repeated){
        .delay = 0.693 * tc / spacing,
        .energy = (switched + shorted) / spacing,
        .leak = leak.sub / spacing,
        .gate_leak = leak.gate / spacing,
        .spacing = spacing,
        .size = size,
        .c = k->c_wire,
    };
}

/* Bakoglu 1990: repeaters of size S every L metres; the fastest pair, or the pair of least energy
 * and leakage within a share of its delay (Banerjee and Mehrotra 2002), found by enumeration. */
void array_repeated_make(const struct array_tech *t, enum array_signal signal,
                         struct array_repeated *out)
{
    static const double slack[ARRAY_SIGNALS] = {1.0, 1.05, 1.10, 1.20, 1.30};
    const struct array_device *d = &t->peri;
    const struct array_wire *w = &t->out;
    double width = w->pitch / 2 * 1e-6, eps = 8.8542e-12, h = t->g.gate_height;
    double wn = t->g.w_min, wp = d->n2p * wn;
    struct repeater k = {
        .r_wire = 1.05 * 0.022e-6 / (w->aspect * width * width),
        .c_wire = t->rules.miller * w->k * w->aspect * eps +
                  t->rules.miller * t->rules.k_vertical * width / (w->ild * 1e-6) * eps +
                  t->rules.fringe_wire * 1e6,
        .c_in = gate_c(d, wn + wp),
        .c_out = drain_in_gate(t, wp, FET_P, 1, h) + drain_in_gate(t, wn, FET_N, 1, h),
        .r_out = (on_r(d, wn, FET_N, 1) + on_r(d, wp, FET_P, 1)) / 2,
    };
    double size0 = sqrt(k.r_out * k.c_wire / (k.r_wire * k.c_in));
    double space0 = sqrt(2 * k.r_out * (k.c_out + k.c_in) / (k.r_wire * k.c_wire));
    struct array_repeated fastest = repeated_at(t, &k, space0, size0);
    *out = fastest;
    if (signal == ARRAY_WIRE_FASTEST)
        return;

    double best = INFINITY;
    double space = space0;
    while (space < 4 * space0) {
        double size = size0;
        while (size > 1) {
            struct array_repeated r = repeated_at(t, &k, space, size);
            double price = r.energy / fastest.energy + r.leak / fastest.leak;
            if (r.delay <= slack[signal] * fastest.delay && price < best) {
                best = price;
                *out = r;
            }
            size -= 1;
        }
        space += 100e-6;
    }
}
