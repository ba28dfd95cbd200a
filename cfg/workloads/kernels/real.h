/* SPDX-License-Identifier: MIT
 *
 * Functions in double precision, for a clang that has no device library: about as long as those that
 * nvcc links. Arguments are finite; results are good to a few units in the last place. */
#ifndef CW_CFG_WORKLOADS_KERNELS_REAL_H
#define CW_CFG_WORKLOADS_KERNELS_REAL_H

#include "device.h"

DEVICE double cw_fma(double a, double b, double c)
{
    double d;
    asm("fma.rn.f64 %0, %1, %2, %3;" : "=d"(d) : "d"(a), "d"(b), "d"(c));
    return d;
}
DEVICE double cw_root(double x)
{
    double y;
    asm("sqrt.rn.f64 %0, %1;" : "=d"(y) : "d"(x));
    return y;
}
/* 1/x by two steps of Newton's from the hardware's first guess. */
DEVICE double cw_inverse(double x)
{
    double y, e;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    e = cw_fma(-x, y, 1.0);
    y = cw_fma(y, cw_fma(e, e, e), y);
    e = cw_fma(-x, y, 1.0);
    return cw_fma(y, e, y);
}
union cw_bits {
    double real;
    long long whole;
};
DEVICE double cw_power_of_two(int n) /* n from -1022 to 1023 */
{
    cw_bits b;
    b.whole = (long long)(n + 1023) << 52;
    return b.real;
}
/* x > 0 as mantissa from sqrt(1/2) to sqrt(2) and exponent. */
DEVICE double cw_split(double x, int *exponent)
{
    cw_bits b;
    b.real = x;
    int e = (int)(b.whole >> 52) - 1023;
    b.whole = (b.whole & 0xfffffffffffffll) | 0x3ff0000000000000ll;
    if (b.real > 1.4142135623730951) {
        b.real *= 0.5;
        e++;
    }
    *exponent = e;
    return b.real;
}

/* 2 atanh(s) / s - 2 - 2 s^2 / 3 over s^4: the tail of the logarithm's series in z = s^2, |s| < 0.172. */
DEVICE double cw_log_tail(double z)
{
    double t = 2.0 / 21;
    t = cw_fma(t, z, 2.0 / 19);
    t = cw_fma(t, z, 2.0 / 17);
    t = cw_fma(t, z, 2.0 / 15);
    t = cw_fma(t, z, 2.0 / 13);
    t = cw_fma(t, z, 2.0 / 11);
    t = cw_fma(t, z, 2.0 / 9);
    t = cw_fma(t, z, 2.0 / 7);
    return cw_fma(t, z, 2.0 / 5);
}
DEVICE double cw_log_real(double x)
{
    int e;
    double m = cw_split(x, &e), s = (m - 1.0) * cw_inverse(m + 1.0), z = s * s;
    double t = cw_fma(cw_log_tail(z), z, 2.0 / 3) * z;
    return cw_fma((double)e, 0.6931471805599453, cw_fma(s, t, s + s));
}

/* exp(high + low), low small. */
DEVICE double cw_exp_of(double high, double low)
{
    if (high > 709.0)
        high = 709.0;
    if (high < -708.0)
        return 0;
    double k = cw_fma(high, 1.4426950408889634, 6755399441055744.0) - 6755399441055744.0; /* rounds */
    double r = cw_fma(k, -0.6931471805599453, high);
    r = cw_fma(k, -2.3190468138462996e-17, r) + low;
    double p = 1.0 / 6227020800;
    p = cw_fma(p, r, 1.0 / 479001600);
    p = cw_fma(p, r, 1.0 / 39916800);
    p = cw_fma(p, r, 1.0 / 3628800);
    p = cw_fma(p, r, 1.0 / 362880);
    p = cw_fma(p, r, 1.0 / 40320);
    p = cw_fma(p, r, 1.0 / 5040);
    p = cw_fma(p, r, 1.0 / 720);
    p = cw_fma(p, r, 1.0 / 120);
    p = cw_fma(p, r, 1.0 / 24);
    p = cw_fma(p, r, 1.0 / 6);
    p = cw_fma(p, r, 0.5);
    p = cw_fma(p, r, 1.0);
    p = cw_fma(p, r, 1.0);
    return p * cw_power_of_two((int)k);
}
DEVICE double cw_exp_real(double x)
{
    return cw_exp_of(x, 0);
}

/* |x| to the y: the logarithm is carried as a sum of two doubles, so that the power is good to the last places. */
DEVICE double cw_pow_real(double x, double y)
{
    if (x < 0)
        x = -x;
    if (x == 0)
        return 0;
    int e;
    double m = cw_split(x, &e), d = m + 1.0, q = cw_inverse(d);
    double s = (m - 1.0) * q, s_low = q * cw_fma(-s, d, m - 1.0); /* what the quotient lacks */
    s_low = cw_fma(q * s, (m - d) + 1.0, s_low);
    double z = s * s, z_low = cw_fma(s, s, -z) + 2.0 * s * s_low;
    /* log m = 2 s + s z (2/3 + z tail) */
    double tail = cw_log_tail(z) * z;
    double c = 0.6666666666666666 + tail, c_low = tail - (c - 0.6666666666666666) + 3.700743415417188e-17;
    double a = z * c, a_low = cw_fma(z, c, -a) + z * c_low + z_low * c;
    double b = s * a, b_low = cw_fma(s, a, -b) + s * a_low + s_low * a;
    double t = s + s, h = t + b, h_low = (t - h) + b + b_low + 2.0 * s_low;
    /* + e log 2 */
    double w = e * 0.6931471805599453, w_low = cw_fma((double)e, 0.6931471805599453, -w) + e * 2.3190468138462996e-17;
    double l = w + h, v = l - w, l_low = (w - (l - v)) + (h - v) + w_low + h_low;
    double p = y * l, p_low = cw_fma(y, l, -p) + y * l_low;
    return cw_exp_of(p, p_low);
}

/* cos x for |x| below a million. */
DEVICE double cw_cos_real(double x)
{
    double k = cw_fma(x, 0.6366197723675814, 6755399441055744.0) - 6755399441055744.0;
    double r = cw_fma(k, -1.5707963267948966, x);
    r = cw_fma(k, -6.123233995736766e-17, r);
    int quarter = (int)k + 1; /* cos x is the sine a quarter further */
    bool odd = quarter & 1;
    double z = r * r, p;
    if (odd) {
        p = -1.0 / 87178291200;
        p = cw_fma(p, z, 1.0 / 479001600);
        p = cw_fma(p, z, -1.0 / 3628800);
        p = cw_fma(p, z, 1.0 / 40320);
        p = cw_fma(p, z, -1.0 / 720);
        p = cw_fma(p, z, 1.0 / 24);
        p = cw_fma(p, z, -0.5);
        p = cw_fma(p, z, 1.0);
    } else {
        p = -1.0 / 1307674368000;
        p = cw_fma(p, z, 1.0 / 6227020800);
        p = cw_fma(p, z, -1.0 / 39916800);
        p = cw_fma(p, z, 1.0 / 362880);
        p = cw_fma(p, z, -1.0 / 5040);
        p = cw_fma(p, z, 1.0 / 120);
        p = cw_fma(p, z, -1.0 / 6);
        p = cw_fma(p * z, r, r);
    }
    return quarter & 2 ? -p : p;
}

#endif
