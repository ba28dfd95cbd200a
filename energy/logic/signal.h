/* SPDX-License-Identifier: MIT
 *
 * energy/logic/signal.h: switching statistics of one-bit signals and how gates change them.
 *
 * A signal is counted per event: n00 stays at 0, n01 rises (and as often falls), n11 stays at 1.
 * n00 + 2 n01 + n11 is its activity multiplier: how often per event it can change. Inputs of a
 * gate are taken as independent of each other and of their past. */
#ifndef CW_ENERGY_LOGIC_SIGNAL_H
#define CW_ENERGY_LOGIC_SIGNAL_H

struct signal {
    double n00, n01, n11;
};

#define SIGNAL_RANDOM ((struct signal){0.25, 0.25, 0.25})
#define SIGNAL_STATIC ((struct signal){0.5, 0, 0.5})
#define SIGNAL_CLOCK ((struct signal){0, 1, 0})
#define SIGNAL_ONE ((struct signal){0, 0, 1})

static inline double signal_factor(struct signal t)
{
    return t.n00 + 2 * t.n01 + t.n11;
}

static inline double signal_p1(struct signal t)
{
    return (t.n01 + t.n11) / signal_factor(t);
}

static inline struct signal signal_scale(struct signal t, double factor)
{
    double r = factor / signal_factor(t), e = t.n01 * (r - 1);
    return (struct signal){t.n00 * r + e, t.n01, t.n11 * r + e};
}

static inline struct signal signal_times(struct signal t, double k)
{
    return (struct signal){t.n00 * k, t.n01 * k, t.n11 * k};
}

static inline struct signal signal_not(struct signal t)
{
    return (struct signal){t.n11, t.n01, t.n00};
}

/* The two gates on per-cycle probabilities (multiplier 1 on both inputs). */
static inline struct signal signal_and1(struct signal a, struct signal b)
{
    return (struct signal){a.n00 + 2 * a.n01 * (b.n00 + b.n01) + a.n11 * b.n00,
                           a.n01 * (b.n01 + b.n11) + a.n11 * b.n01, a.n11 * b.n11};
}

static inline struct signal signal_or1(struct signal a, struct signal b)
{
    return (struct signal){a.n00 * b.n00, a.n00 * b.n01 + a.n01 * (b.n00 + b.n01),
                           a.n00 * b.n11 + 2 * a.n01 * (b.n01 + b.n11) + a.n11};
}

static inline double signal_common(struct signal *a, struct signal *b)
{
    double fa = signal_factor(*a), fb = signal_factor(*b), f = fa > fb ? fa : fb;
    *a = signal_times(signal_scale(*a, f), 1 / f);
    *b = signal_times(signal_scale(*b, f), 1 / f);
    return f;
}

static inline struct signal signal_and(struct signal a, struct signal b)
{
    double f = signal_common(&a, &b);
    return signal_times(signal_and1(a, b), f);
}

static inline struct signal signal_nand(struct signal a, struct signal b)
{
    return signal_not(signal_and(a, b));
}

static inline struct signal signal_or(struct signal a, struct signal b)
{
    double f = signal_common(&a, &b);
    return signal_times(signal_or1(a, b), f);
}

/* a where s is 0, b where s is 1. */
static inline struct signal signal_mux(struct signal a, struct signal b, struct signal s)
{
    double fa = signal_factor(a), fb = signal_factor(b), fs = signal_factor(s);
    double f = fa > fb ? fa : fb;
    if (fs > f)
        f = fs;
    a = signal_times(signal_scale(a, f), 1 / f);
    b = signal_times(signal_scale(b, f), 1 / f);
    s = signal_times(signal_scale(s, f), 1 / f);
    double a0 = a.n00 + a.n01, a1 = a.n01 + a.n11, b0 = b.n00 + b.n01, b1 = b.n01 + b.n11;
    struct signal y = {s.n00 * a.n00 + 2 * s.n01 * a0 * b0 + s.n11 * b.n00,
                       s.n00 * a.n01 + s.n01 * a0 * b1 + s.n01 * a1 * b0 + s.n11 * b.n01,
                       s.n00 * a.n11 + 2 * s.n01 * a1 * b1 + s.n11 * b.n11};
    return signal_times(y, f);
}

/* d seen through a latch that samples it `rate` times per event. */
static inline struct signal signal_sample(struct signal d, double rate)
{
    double f = signal_factor(d);
    if (rate == 0 || f == 0)
        return SIGNAL_STATIC;
    if (rate >= f)
        return signal_scale(d, rate);
    double q = rate / f, e = (1 - q) * (d.n00 + d.n11) / 2;
    return (struct signal){d.n00 * q * q, (d.n01 + e) * q, d.n11 * q * q};
}

#endif
