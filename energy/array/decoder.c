/* SPDX-License-Identifier: MIT */
#include "energy/array/decoder.h"

#include "base/bits.h"

/* A half predecoder by its number of address bits: paths of NAND2 and NAND3 (index 0 and 1). */
struct predec_shape {
    int level2;     /* fan-in of the second level; 0: one level */
    int branch[2];  /* second-level gates on each first-level output */
    int gates[2];   /* first-level gates */
    int gates2;     /* second-level gates */
    int active[2];  /* first-level paths that switch in an access */
    int buffers[2]; /* address buffers */
    int fan[2];     /* first-level gates on each buffer */
};

static const struct predec_shape shapes[PREDEC_BITS + 1] = {
    [1] = {0, {0, 0}, {2, 0}, 0, {1, 0}, {1, 0}, {2, 0}},
    [2] = {0, {0, 0}, {4, 0}, 0, {1, 0}, {2, 0}, {4, 0}},
    [3] = {0, {0, 0}, {0, 8}, 0, {0, 1}, {0, 3}, {0, 8}},
    [4] = {2, {4, 0}, {8, 0}, 16, {2, 0}, {4, 0}, {4, 0}},
    [5] = {2, {8, 4}, {4, 8}, 32, {1, 1}, {2, 3}, {4, 8}},
    [6] = {2, {0, 8}, {0, 16}, 64, {0, 2}, {0, 6}, {0, 8}},
    [7] = {3, {32, 16}, {8, 8}, 128, {2, 1}, {4, 3}, {4, 8}},
    [8] = {3, {64, 32}, {4, 16}, 256, {2, 2}, {2, 6}, {4, 8}},
    [9] = {3, {0, 64}, {0, 24}, 512, {0, 3}, {0, 9}, {0, 8}},
};

/* Logical effort of a NAND whose NMOS are widened by the fan-in. */
static double nand_effort(const struct array_device *d, int k)
{
    return (k + d->n2p) / (1 + d->n2p);
}

static void nand_chain(const struct array_circuits *c, int k, double load, struct chain *out)
{
    const struct array_device *d = &c->t.peri;
    chain_size(&c->t, nand_effort(d, k), k * c->t.g.w_min, d->n2p * c->t.g.w_min, load, out);
}

struct driven { /* what a chain drives */
    double load, wire_r;
    double v_load; /* swing of the load */
    double height; /* of the chain's layout */
};

/* Time constants and capacitance of every stage behind a first gate of fan-in k; returns the energy
 * for a full swing of vdd, of the load alone to v_load. */
static double chain_stages(const struct array_circuits *c, const struct chain *ch, int k,
                           struct driven to, double *tf)
{
    const struct array_tech *t = &c->t;
    const struct array_device *d = &t->peri;
    double fn = gate_finger(t, to.height, FET_N), fp = gate_finger(t, to.height, FET_P);
    double v2 = d->vdd * d->vdd, energy = 0;

    for (int i = 0; i < ch->n; i++) {
        bool last = i == ch->n - 1;
        int stack = i == 0 ? k : 1;
        double own = stack * drain_c(t, d, ch->wp[i], 1, fp) + drain_c(t, d, ch->wn[i], stack, fn);
        double next = last ? to.load : gate_c(d, ch->wn[i + 1] + ch->wp[i + 1]);
        tf[i] = on_r(d, ch->wn[i], FET_N, stack) * (own + next);
        if (last) {
            tf[i] += to.wire_r * to.load / 2;
            energy += to.load * to.v_load * to.v_load + own * v2;
        } else {
            energy += (own + next) * v2;
        }
    }
    return energy;
}

static double run(const double *tf, int from, int n, double *ramp)
{
    double delay = 0;
    for (int i = from; i < n; i++) {
        double dt = delay_half(*ramp, tf[i]);
        delay += dt;
        *ramp = 2 * dt;
    }
    return delay;
}

/* ---- final decoder ---- */

struct decoder decoder_make(const struct array_circuits *c, long n_lines, bool way, double load,
                            double wire_r, double v_load, double height)
{
    const struct array_device *dev = &c->t.peri;
    struct decoder d = {.load = load, .wire_r = wire_r};
    bool wide = bits_flog2((uint64_t)n_lines) >= 4;

    d.exists = wide || way;
    if (!d.exists)
        return d;
    d.fan_in = wide && way ? 3 : 2;
    d.c_in = c->c_nand[d.fan_in];
    nand_chain(c, d.fan_in, load, &d.chain);
    d.energy =
        chain_stages(c, &d.chain, d.fan_in, (struct driven){load, wire_r, v_load, height}, d.tf);

    const struct chain *ch = &d.chain;
    d.leak = leak_nand(&c->t, dev, ch->wn[0], ch->wp[0], d.fan_in);
    d.area = gate_area(&c->t, GATE_NAND, d.fan_in, ch->wp[0], ch->wn[0], height);
    for (int i = 1; i < ch->n; i++) {
        d.leak.sub += leak_inv(dev, ch->wn[i], ch->wp[i]).sub;
        d.area += gate_area(&c->t, GATE_INV, 1, ch->wp[i], ch->wn[i], height);
    }
    d.leak.gate = leak_inv(dev, ch->wn[ch->n - 1], ch->wp[ch->n - 1]).gate;
    d.leak = leak_times(dev->vdd, d.leak);
    return d;
}

double decoder_delay(const struct decoder *d, double ramp_in, double *ramp_out)
{
    *ramp_out = 0;
    if (!d->exists)
        return 0;
    *ramp_out = ramp_in;
    return run(d->tf, 0, d->chain.n, ramp_out);
}

/* ---- predecoder ---- */

/* Leakage and area of one NAND path. The inverters of a first level leak like its NANDs; without
 * its first gate where `headless`. Both are peculiarities of the model this follows. */
static void path_statics(const struct array_circuits *c, const struct chain *ch, int k,
                         bool first_level, bool headless, struct leak *leak, double *area)
{
    const struct array_tech *t = &c->t;
    double h = t->g.gate_height;
    *leak = (struct leak){0, 0};
    *area = 0;
    if (!headless) {
        *leak = leak_nand(t, &t->peri, ch->wn[0], ch->wp[0], k);
        *area = gate_area(t, GATE_NAND, k, ch->wp[0], ch->wn[0], h);
    }
    for (int i = 1; i < ch->n; i++) {
        *leak = leak_sum(*leak, first_level ? leak_nand(t, &t->peri, ch->wn[i], ch->wp[i], k)
                                            : leak_inv(&t->peri, ch->wn[i], ch->wp[i]));
        *area += gate_area(t, GATE_INV, 1, ch->wp[i], ch->wn[i], h);
    }
    *leak = leak_times(t->peri.vdd, *leak);
}

static void front_make(struct array_circuits *c, int bits)
{
    const struct predec_shape *s = &shapes[bits];
    struct predec_front *f = &c->front[bits];
    double h = c->t.g.gate_height, vdd = c->t.peri.vdd;

    for (int p = 0; p < 2; p++) {
        if (!s->buffers[p])
            continue;
        int k = p + 2;
        struct chain ch;
        struct path b = buffer_path(&c->t, s->fan[p] * c->c_nand[k], 0, 0, 0, &ch);
        f->delay[p] = b.delay;
        f->ramp[p] = b.ramp;
        f->buffers += s->buffers[p] * 0.5 * b.energy;
        f->leak = leak_sum(f->leak, leak_times(s->buffers[p], b.leak));
        f->area += s->buffers[p] * b.area;
        if (!s->level2)
            continue;
        double tf[CHAIN_MAX], area, load = s->branch[p] * c->c_nand[s->level2];
        struct leak leak;
        nand_chain(c, k, load, &ch);
        f->level1[p] = chain_stages(c, &ch, k, (struct driven){load, 0, vdd, h}, tf);
        f->delay[p] += run(tf, 0, ch.n, &f->ramp[p]);
        path_statics(c, &ch, k, true, p == 1 && s->gates[0] > 0, &leak, &area);
        f->leak = leak_sum(f->leak, leak_times(s->gates[p], leak));
        f->area += s->gates[p] * area;
    }
}

void array_circuits_make(struct array_circuits *c)
{
    const struct array_tech *t = &c->t;
    for (int k = 2; k <= 3; k++)
        c->c_nand[k] = gate_c(&t->peri, k * t->g.w_min + t->peri.n2p * t->g.w_min);
    for (int b = 1; b <= PREDEC_BITS; b++) {
        c->front[b] = (struct predec_front){.area = 0};
        front_make(c, b);
    }
}

/* One half with its load; adds to `out`, whose delay becomes the longest of all paths. `active`:
 * how many first-level paths are said to switch. */
static void add_half(const struct array_circuits *c, int bits, double load, double wire_r,
                     const int active[2], struct predecoder *out)
{
    const struct predec_shape *s = &shapes[bits];
    const struct predec_front *f = &c->front[bits];
    int own = s->level2 ? s->level2 - 2 : s->gates[1] > 0, k = own + 2;
    int n = s->level2 ? s->gates2 : s->gates[own];
    struct chain ch;
    double tf[CHAIN_MAX], area;
    struct leak leak;

    nand_chain(c, k, load, &ch);
    double energy = chain_stages(
        c, &ch, k, (struct driven){load, wire_r, c->t.peri.vdd, c->t.g.gate_height}, tf);
    for (int p = 0; p < 2; p++) {
        if (p != own && !s->level2)
            continue;
        /* the first gate of a second level counts in its own path only */
        double ramp = f->ramp[p], delay = f->delay[p] + run(tf, p == own ? 0 : 1, ch.n, &ramp);
        if (delay > out->delay) {
            out->delay = delay;
            out->ramp = ramp;
        }
    }
    path_statics(c, &ch, k, !s->level2, false, &leak, &area);
    out->leak = leak_sum(out->leak, leak_sum(f->leak, leak_times(n, leak)));
    out->area += f->area + n * area;
    out->energy += f->buffers;
    if (s->level2)
        out->energy += active[0] * f->level1[0] + active[1] * f->level1[1] + energy;
    else
        out->energy += active[own] * energy;
}

struct predecoder predecoder_make(const struct array_circuits *c, long n_lines, int n_dec,
                                  const struct decoder *d, double wire_c, double wire_r)
{
    struct predecoder p = {.delay = 0};
    int bits = (int)bits_flog2((uint64_t)n_lines), b1 = (bits + 1) / 2, b2 = bits - b1;

    if (bits == 0)
        return p;
    if (bits < 4) {
        p.bits[0] = bits;
        add_half(c, bits, d->load, d->wire_r, shapes[bits].active, &p);
        return p;
    }
    p.bits[0] = b1;
    p.bits[1] = b2;
    add_half(c, b1, (1 << b2) * n_dec * d->c_in + wire_c, wire_r, shapes[b1].active, &p);
    /* the second half is counted with the first one's activity, as in the model this follows */
    add_half(c, b2, (1 << b1) * n_dec * d->c_in + wire_c, wire_r, shapes[b1].active, &p);
    return p;
}

double way_select_area(const struct array_circuits *c, int n, const struct decoder *d)
{
    if (n <= 1)
        return 0;
    struct chain ch;
    return n * buffer_path(&c->t, d->c_in, 0, 0, 0, &ch).area;
}
