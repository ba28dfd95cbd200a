/* SPDX-License-Identifier: MIT */
#include "energy/array/htree.h"

#include "base/bits.h"

struct htree_shape htree_bank(const struct array_tech *t, double leaf_w, double leaf_h, int n_v,
                              int n_h, double a, double d)
{
    int h = (int)bits_flog2((uint64_t)n_h), v = (int)bits_flog2((uint64_t)n_v);
    double p = t->out.pitch, height = leaf_h * n_v, width = leaf_w * n_h;

    if (h == v) {
        height += a * (n_v - 1) * p + d * p * h;
        width += a * (n_h - 1) * p + d * p * v;
    } else if (h > v) {
        double up = 1 << (h - v), down = 1 / up;
        height += a * (n_v - 1 + h - v) * p + d * p * (2 * (1 - down) + up * v);
        width += a * (n_h - 1) * p + d * p * v;
    } else {
        double down = 1.0 / (1 << (v - h));
        height += a * (n_h - 1 + v - h) * p + d * p * h;
        width += a * (n_h - 1 + v - h) * p + d * p * (h + 2 * (1 - down));
    }
    return (struct htree_shape){width, height, h, v, false};
}

struct htree_shape htree_banks(const struct array_tech *t, double leaf_w, double leaf_h, int n_v,
                               int n_h, double a, double d)
{
    int h = (int)bits_flog2((uint64_t)n_h), v = (int)bits_flog2((uint64_t)n_v);
    double p = t->out.pitch;
    return (struct htree_shape){
        .width = leaf_w * n_h + (a + d) * p * 2 * (1 - 1.0 / (1 << v)),
        .height = leaf_h * n_v + (a + d) * p * 2 * (1 - 1.0 / (1 << h)),
        .h = h,
        .v = v,
        .between_banks = true,
    };
}

/* ---- nodes ---- */

static double node_delay(const struct htree_tech *k, double length, double tc)
{
    return sqrt(tc * (tc * k->ln_v2 + k->ramp * length * (1 - k->v)));
}

/* A NAND that lets address or data into a branch. s1, s2: size of the repeaters before and behind;
 * length: of the wire that drives it. */
static void node_in(const struct htree_tech *k, double s1, double s2, double length, double bits,
                    struct htree_bit *out)
{
    const struct array_tech *t = k->t;
    const struct array_device *d = &t->peri;
    double wn = t->g.w_min, wp = d->n2p * wn;
    double ns = larger(s1 * (1 + d->n2p) / (2 + d->n2p), 1);
    double load = 2 * gate_c(d, s2 * (wn + wp)), cn = drain_c(t, d, ns * wn, 1, k->finger_n);

    out->delay += node_delay(k, length, 2 * on_r(d, ns * wn, FET_N, 1) * (2 * cn + load));
    out->energy +=
        0.5 * d->vdd * d->vdd * (2 * drain_c(t, d, d->n2p * ns * wp, 1, k->finger_p) + cn + load);
    out->leak = leak_sum(out->leak, leak_times(bits * ns, k->nand));
}

/* A tri-state driver that puts a branch on the way out. */
static void node_out(const struct htree_tech *k, double s1, double s2, double length, double bits,
                     struct htree_bit *out)
{
    const struct array_tech *t = k->t;
    const struct array_device *d = &t->peri;
    double wn = t->g.w_min, wp = d->n2p * wn, unit = gate_c(d, wn + wp);
    double g2 = s2 * unit, effort = (g2 + k->c * length) / g2;
    double tr = s1 * unit / (2 * effort * gate_c(d, wp)), sz = larger(s1 / 3, 1);
    double cn = drain_c(t, d, sz * wn, 1, k->finger_n), cp = drain_c(t, d, sz * wp, 1, k->finger_p);
    double rn = 2 * on_r(d, sz * wp, FET_P, 1), rp = on_r(d, tr * wn, FET_N, 1);
    double c_in = cn + 2 * cp + gate_c(d, tr * wp);
    double c_out =
        2 * (drain_c(t, d, tr * wp, 1, k->finger_p) + drain_c(t, d, tr * wn, 1, k->finger_n)) +
        s1 * unit;

    out->delay += node_delay(k, length, rn * c_in + (rn + rp) * c_out);
    out->energy +=
        0.5 * d->vdd * d->vdd * (c_in + (cp + cn + sz * unit) + (cp + 2 * cn + tr * unit) + c_out);
    out->leak = leak_sum(
        out->leak, leak_times(bits, leak_sum(leak_times(tr, k->inv),
                                             leak_times(sz, leak_sum(k->tri_nand, k->tri_nor)))));
}

void htree_tech_make(const struct array_tech *t, struct htree_tech *out)
{
    const struct array_device *d = &t->peri;
    double wn = t->g.w_min, wp = d->n2p * wn;
    *out = (struct htree_tech){
        .t = t,
        .delay = t->wire.delay * 1e-6,
        .energy = t->wire.energy * 1e-6,
        .spacing = t->wire.spacing * 1e6,
        .leak = {t->wire.leak * 1e-6, t->wire.gate_leak * 1e-6},
        .size = t->wire.size,
        .c = t->wire.c * 1e-6,
        /* delay of the wire times the repeater spacing in metres: dimensionally odd, practically a
         * step, and kept because the model this follows has it */
        .ramp = t->wire.delay * 1e-6 * t->wire.spacing / d->vth,
        .v = d->vth / d->vdd,
        .ln_v2 = log(d->vth / d->vdd) * log(d->vth / d->vdd),
        .nand = leak_times(d->vdd, leak_nand(t, d, 2 * wn, 2 * wp, 2)),
        .tri_nand = leak_times(d->vdd, leak_nand(t, d, 3 * wn, 3 * wp, 2)),
        .tri_nor = leak_times(d->vdd, leak_nor(t, d, 3 * wn, 3 * wp, 2)),
        .inv = leak_times(d->vdd, leak_inv(d, 2 * wn, 2 * wp)),
        .finger_n = gate_finger(t, t->g.gate_height, FET_N),
        .finger_p = gate_finger(t, t->g.gate_height, FET_P),
    };
    node_in(out, out->size, out->size, out->spacing, 1, &out->full[HTREE_IN]);
    node_out(out, out->size, out->size, out->spacing, 1, &out->full[HTREE_OUT]);
}

/* ---- walk ---- */

static void add_node(const struct htree_tech *k, enum htree_kind kind, double s1, double s2,
                     double length, double bits, struct htree_bit *out)
{
    if (s1 == k->size && s2 == k->size && length == k->spacing) {
        const struct htree_bit *full = &k->full[kind];
        out->delay += full->delay;
        out->energy += full->energy;
        out->leak = leak_sum(out->leak, leak_times(bits, full->leak));
    } else if (kind == HTREE_IN) {
        node_in(k, s1, s2, length, bits, out);
    } else {
        node_out(k, s1, s2, length, bits, out);
    }
}

static void add_wire(const struct htree_tech *k, double length, double times, double search_bits,
                     double bits, struct htree_bit *out)
{
    out->delay += k->delay * length;
    out->energy += k->energy * length;
    out->search += k->energy * length * search_bits;
    out->leak = leak_sum(out->leak, leak_times(times * length * bits, k->leak));
}

struct htree_bit htree_walk(const struct htree_tech *k, const struct htree_shape *s,
                            enum htree_kind kind, bool search)
{
    struct htree_bit out = {.delay = 0};
    double len = s->width / 2, ht = s->height / 4, bits = 1;
    double lt = s->width / 2, htt = s->height / 2, room = k->spacing;
    int h = s->h, v = s->v;

    while (h > 0 || v > 0) {
        bool across = h > v, both = !across && h > 0;
        double w1 = across || both ? len : ht, w2 = both ? ht : w1 / 2;

        if (across || both)
            lt = len;
        if (!across)
            htt = ht;
        if (across || both) {
            len /= 2;
            h--;
        }
        if (!across) {
            ht /= 2;
            v--;
        }
        add_wire(k, w1, 1, kind == HTREE_OUT ? 1 : bits, bits, &out);
        if ((!s->between_banks && !across && !both) || search)
            bits *= 2;
        double s2 = htt > room ? k->size : lt / room * k->size;
        if (!s->between_banks) {
            bool full = lt > room;
            add_node(k, kind, full ? k->size : lt / room * k->size, s2, full ? room : lt, bits,
                     &out);
        }
        if (!both)
            continue;
        add_wire(k, w2, 2, kind == HTREE_OUT ? 1 : bits, bits, &out);
        if (!s->between_banks) {
            bool full = htt > room;
            bits *= 2;
            add_node(k, kind, s2, full ? k->size : lt / room * k->size, full ? room : htt, bits,
                     &out);
        }
    }
    return out;
}
