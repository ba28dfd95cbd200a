/* SPDX-License-Identifier: MIT
 *
 * cuda/include/crosswatt_math.h: mathematics on the device, in single and double precision, with
 * errors of a few units in the last place. Single precision uses the approximations that the
 * hardware has where CUDA does; nothing single is computed in double but the reduction of huge
 * arguments of sine and cosine. Polynomials are Chebyshev fits, or series where they say nothing.
 */
#ifndef CW_CUDA_INCLUDE_CROSSWATT_MATH_H
#define CW_CUDA_INCLUDE_CROSSWATT_MATH_H

#define CW_MATH static __inline__ __attribute__((device))
#define CW_FMA(a, b, c) __nvvm_fma_rn_d(a, b, c)
#define CW_FMAF(a, b, c) __nvvm_fma_rn_f(a, b, c)

/* ---- bits ---- */
CW_MATH int __float_as_int(float x)
{
    return __nvvm_bitcast_f2i(x);
}
CW_MATH unsigned __float_as_uint(float x)
{
    return (unsigned)__nvvm_bitcast_f2i(x);
}
CW_MATH float __int_as_float(int x)
{
    return __nvvm_bitcast_i2f(x);
}
CW_MATH float __uint_as_float(unsigned x)
{
    return __nvvm_bitcast_i2f((int)x);
}
CW_MATH long long __double_as_longlong(double x)
{
    return __nvvm_bitcast_d2ll(x);
}
CW_MATH double __longlong_as_double(long long x)
{
    return __nvvm_bitcast_ll2d(x);
}
CW_MATH int __double2hiint(double x)
{
    return (int)(__nvvm_bitcast_d2ll(x) >> 32);
}
CW_MATH int __double2loint(double x)
{
    return (int)__nvvm_bitcast_d2ll(x);
}
CW_MATH double __hiloint2double(int hi, int lo)
{
    return __nvvm_bitcast_ll2d(
        (long long)(((unsigned long long)(unsigned)hi << 32) | (unsigned)lo));
}

/* ---- what the hardware has ---- */
CW_MATH float fabsf(float x)
{
    return __builtin_fabsf(x);
}
CW_MATH double fabs(double x)
{
    return __builtin_fabs(x);
}
CW_MATH float sqrtf(float x)
{
#ifdef CROSSWATT_FAST_MATH
    return __nvvm_sqrt_approx_f(x);
#endif
    return __nvvm_sqrt_rn_f(x);
}
CW_MATH double sqrt(double x)
{
    return __nvvm_sqrt_rn_d(x);
}
CW_MATH float rsqrtf(float x)
{
    return __nvvm_rsqrt_approx_f(x);
}
CW_MATH double rsqrt(double x)
{
    return 1.0 / __nvvm_sqrt_rn_d(x);
}
CW_MATH float fmaf(float a, float b, float c)
{
    return CW_FMAF(a, b, c);
}
CW_MATH double fma(double a, double b, double c)
{
    return CW_FMA(a, b, c);
}
CW_MATH float fmaxf(float a, float b)
{
    return __nvvm_fmax_f(a, b);
}
CW_MATH float fminf(float a, float b)
{
    return __nvvm_fmin_f(a, b);
}
CW_MATH double fmax(double a, double b)
{
    return __nvvm_fmax_d(a, b);
}
CW_MATH double fmin(double a, double b)
{
    return __nvvm_fmin_d(a, b);
}
CW_MATH float fdimf(float a, float b)
{
    return a > b || a != a || b != b ? a - b : 0.0f;
}
CW_MATH double fdim(double a, double b)
{
    return a > b || a != a || b != b ? a - b : 0.0;
}
CW_MATH float floorf(float x)
{
    return __nvvm_floor_f(x);
}
CW_MATH double floor(double x)
{
    return __nvvm_floor_d(x);
}
CW_MATH float ceilf(float x)
{
    return __nvvm_ceil_f(x);
}
CW_MATH double ceil(double x)
{
    return __nvvm_ceil_d(x);
}
CW_MATH float truncf(float x)
{
    return __nvvm_trunc_f(x);
}
CW_MATH double trunc(double x)
{
    return __nvvm_trunc_d(x);
}
CW_MATH float rintf(float x)
{
    float r;
    __asm__("cvt.rni.f32.f32 %0, %1;" : "=f"(r) : "f"(x));
    return r;
}
CW_MATH double rint(double x)
{
    double r;
    __asm__("cvt.rni.f64.f64 %0, %1;" : "=d"(r) : "d"(x));
    return r;
}
CW_MATH float nearbyintf(float x)
{
    return rintf(x);
}
CW_MATH double nearbyint(double x)
{
    return rint(x);
}
CW_MATH float copysignf(float a, float b)
{
    return __int_as_float((__float_as_int(a) & 0x7fffffff) | (__float_as_int(b) & (int)0x80000000));
}
CW_MATH double copysign(double a, double b)
{
    return __longlong_as_double(
        (long long)(((unsigned long long)__double_as_longlong(a) & 0x7fffffffffffffffull) |
                    ((unsigned long long)__double_as_longlong(b) & 0x8000000000000000ull)));
}
CW_MATH float roundf(float x)
{
    return truncf(x + copysignf(0.49999997f, x)); /* the largest below a half */
}
CW_MATH double round(double x)
{
    return trunc(x + copysign(0.49999999999999994, x));
}
CW_MATH long lrintf(float x)
{
    return (long)rintf(x);
}
CW_MATH long lrint(double x)
{
    return (long)rint(x);
}
CW_MATH long lroundf(float x)
{
    return (long)roundf(x);
}
CW_MATH long lround(double x)
{
    return (long)round(x);
}
CW_MATH long long llrintf(float x)
{
    return (long long)rintf(x);
}
CW_MATH long long llrint(double x)
{
    return (long long)rint(x);
}
CW_MATH long long llroundf(float x)
{
    return (long long)roundf(x);
}
CW_MATH long long llround(double x)
{
    return (long long)round(x);
}
CW_MATH int __isnanf(float x)
{
    return x != x;
}
CW_MATH int __isnan(double x)
{
    return x != x;
}
CW_MATH int __isinff(float x)
{
    return __builtin_fabsf(x) == __builtin_inff();
}
CW_MATH int __isinf(double x)
{
    return __builtin_fabs(x) == __builtin_inf();
}
CW_MATH int __finitef(float x)
{
    return __builtin_fabsf(x) < __builtin_inff();
}
CW_MATH int __finite(double x)
{
    return __builtin_fabs(x) < __builtin_inf();
}
CW_MATH int __signbitf(float x)
{
    return (int)((unsigned)__float_as_int(x) >> 31);
}
CW_MATH int __signbitd(double x)
{
    return (int)((unsigned long long)__double_as_longlong(x) >> 63);
}
CW_MATH float nanf(const char *)
{
    return __int_as_float(0x7fffffff);
}
CW_MATH double nan(const char *)
{
    return __longlong_as_double(0x7ff8000000000000ll);
}

/* ---- scaling ---- */
CW_MATH float cw_pow2f(int n) /* -126..127 */
{
    return __int_as_float((n + 127) << 23);
}
CW_MATH double cw_pow2(int n) /* -1022..1023 */
{
    return __longlong_as_double((long long)(n + 1023) << 52);
}
CW_MATH float ldexpf(float x, int n)
{
    n = n > 380 ? 380 : n < -380 ? -380 : n;
    int a = n / 3, b = a, c = n - 2 * a;
    return x * cw_pow2f(a) * cw_pow2f(b) * cw_pow2f(c);
}
CW_MATH double ldexp(double x, int n)
{
    n = n > 3000 ? 3000 : n < -3000 ? -3000 : n;
    int a = n / 3, b = a, c = n - 2 * a;
    return x * cw_pow2(a) * cw_pow2(b) * cw_pow2(c);
}
CW_MATH float scalbnf(float x, int n)
{
    return ldexpf(x, n);
}
CW_MATH double scalbn(double x, int n)
{
    return ldexp(x, n);
}
CW_MATH float frexpf(float x, int *e)
{
    int shift = 0;
    if (x == 0 || !__finitef(x)) {
        *e = 0;
        return x;
    }
    if (__builtin_fabsf(x) < 1.17549435e-38f) {
        x *= 8388608.0f;
        shift = -23;
    }
    int b = __float_as_int(x);
    *e = ((b >> 23) & 255) - 126 + shift;
    return __int_as_float((b & (int)0x807fffff) | 0x3f000000);
}
CW_MATH double frexp(double x, int *e)
{
    int shift = 0;
    if (x == 0 || !__finite(x)) {
        *e = 0;
        return x;
    }
    if (__builtin_fabs(x) < 2.2250738585072014e-308) {
        x *= 4503599627370496.0;
        shift = -52;
    }
    long long b = __double_as_longlong(x);
    *e = (int)((b >> 52) & 2047) - 1022 + shift;
    return __longlong_as_double((b & (long long)0x800fffffffffffffull) | 0x3fe0000000000000ll);
}
CW_MATH int ilogbf(float x)
{
    int e;
    frexpf(x, &e);
    return e - 1;
}
CW_MATH int ilogb(double x)
{
    int e;
    frexp(x, &e);
    return e - 1;
}
CW_MATH float logbf(float x)
{
    return (float)ilogbf(x);
}
CW_MATH double logb(double x)
{
    return (double)ilogb(x);
}
CW_MATH float modff(float x, float *whole)
{
    *whole = truncf(x);
    return copysignf(__isinff(x) ? 0.0f : x - *whole, x);
}
CW_MATH double modf(double x, double *whole)
{
    *whole = trunc(x);
    return copysign(__isinf(x) ? 0.0 : x - *whole, x);
}

/* ---- polynomials ---- */
/* (log(1+z) - z + z^2/2) / z^3: degree 8 on -0.2929..0.4142, error 2.9e-08 */
CW_MATH float cw_logpoly_f(float z)
{
    float p = 0.0697161183f;
    p = CW_FMAF(p, z, -0.114797339f);
    p = CW_FMAF(p, z, 0.116854198f);
    p = CW_FMAF(p, z, -0.124256872f);
    p = CW_FMAF(p, z, 0.142490581f);
    p = CW_FMAF(p, z, -0.166678026f);
    p = CW_FMAF(p, z, 0.200007156f);
    p = CW_FMAF(p, z, -0.24999997f);
    p = CW_FMAF(p, z, 0.333333313f);
    return p;
}

/* (atan(x)/x - 1) / z, z = x^2: degree 8 on 0.0..1.0, error 1.6e-08 */
CW_MATH float cw_atanpoly_f(float z)
{
    float p = -0.00238699722f;
    p = CW_FMAF(p, z, 0.0135077713f);
    p = CW_FMAF(p, z, -0.0358715393f);
    p = CW_FMAF(p, z, 0.0625016913f);
    p = CW_FMAF(p, z, -0.0865688026f);
    p = CW_FMAF(p, z, 0.110337645f);
    p = CW_FMAF(p, z, -0.142785683f);
    p = CW_FMAF(p, z, 0.199997395f);
    p = CW_FMAF(p, z, -0.333333313f);
    return p;
}

/* (atan(x)/x - 1) / z, z = x^2: degree 21 on 0.0..1.0, error 8.3e-19 */
CW_MATH double cw_atanpoly_d(double z)
{
    double p = 7.767624330289919e-06;
    p = CW_FMA(p, z, -9.3711863450526259e-05);
    p = CW_FMA(p, z, 0.00053768392973962444);
    p = CW_FMA(p, z, -0.0019612554271685326);
    p = CW_FMA(p, z, 0.0051409128567469391);
    p = CW_FMA(p, z, -0.010412153260359241);
    p = CW_FMA(p, z, 0.017183981722113349);
    p = CW_FMA(p, z, -0.024191345810140718);
    p = CW_FMA(p, z, 0.030330719265790507);
    p = CW_FMA(p, z, -0.035271331066871296);
    p = CW_FMA(p, z, 0.03938687540798632);
    p = CW_FMA(p, z, -0.043306538430670664);
    p = CW_FMA(p, z, 0.047580800836378209);
    p = CW_FMA(p, z, -0.052624922290256754);
    p = CW_FMA(p, z, 0.05882264416776449);
    p = CW_FMA(p, z, -0.066666579345737678);
    p = CW_FMA(p, z, 0.076923070788270292);
    p = CW_FMA(p, z, -0.090909090619352803);
    p = CW_FMA(p, z, 0.11111111110268297);
    p = CW_FMA(p, z, -0.14285714285701234);
    p = CW_FMA(p, z, 0.19999999999999921);
    p = CW_FMA(p, z, -0.33333333333333331);
    return p;
}

/* (asin(x)/x - 1) / z, z = x^2: degree 5 on 0.0..0.25, error 4.2e-09 */
CW_MATH float cw_asinpoly_f(float z)
{
    float p = 0.0336908475f;
    p = CW_FMAF(p, z, 0.0171492379f);
    p = CW_FMAF(p, z, 0.0311006624f);
    p = CW_FMAF(p, z, 0.0445994027f);
    p = CW_FMAF(p, z, 0.0750009418f);
    p = CW_FMAF(p, z, 0.166666657f);
    return p;
}

/* (asin(x)/x - 1) / z, z = x^2: degree 12 on 0.0..0.25, error 1.5e-17 */
CW_MATH double cw_asinpoly_d(double z)
{
    double p = 0.028757851367421566;
    p = CW_FMA(p, z, -0.014851887071247204);
    p = CW_FMA(p, z, 0.017400879442694021);
    p = CW_FMA(p, z, 0.0054575067186403581);
    p = CW_FMA(p, z, 0.010322814350185779);
    p = CW_FMA(p, z, 0.011479177415184906);
    p = CW_FMA(p, z, 0.013971212973552933);
    p = CW_FMA(p, z, 0.017352392720869973);
    p = CW_FMA(p, z, 0.022372172942149889);
    p = CW_FMA(p, z, 0.030381944138531247);
    p = CW_FMA(p, z, 0.044642857146355429);
    p = CW_FMA(p, z, 0.074999999999984329);
    p = CW_FMA(p, z, 0.16666666666666669);
    return p;
}

/* (tanh(x)/x - 1) / z, z = x^2: degree 4 on 0.0..0.36, error 3.0e-08 */
CW_MATH float cw_tanhpoly_f(float z)
{
    float p = -0.00626911968f;
    p = CW_FMAF(p, z, 0.0211109594f);
    p = CW_FMAF(p, z, -0.0538739488f);
    p = CW_FMAF(p, z, 0.133329153f);
    p = CW_FMAF(p, z, -0.333333313f);
    return p;
}

/* (tanh(x)/x - 1) / z, z = x^2: degree 11 on 0.0..0.36, error 1.6e-18 */
CW_MATH double cw_tanhpoly_d(double z)
{
    double p = 6.9340464209889536e-06;
    p = CW_FMA(p, z, -3.2086614037935994e-05);
    p = CW_FMA(p, z, 9.3324322338474478e-05);
    p = CW_FMA(p, z, -0.00023795201383924994);
    p = CW_FMA(p, z, 0.00058976809946882679);
    p = CW_FMA(p, z, -0.0014557958855734635);
    p = CW_FMA(p, z, 0.0035921242500086925);
    p = CW_FMA(p, z, -0.0088632352928032891);
    p = CW_FMA(p, z, 0.021869488527368107);
    p = CW_FMA(p, z, -0.053968253968085307);
    p = CW_FMA(p, z, 0.13333333333333205);
    p = CW_FMA(p, z, -0.33333333333333331);
    return p;
}

/* erf(x)/x, z = x^2: degree 6 on 0.0..1.0, error 1.2e-09 */
CW_MATH float cw_erfpoly_f(float z)
{
    float p = 7.87587487e-05f;
    p = CW_FMAF(p, z, -0.00080168643f);
    p = CW_FMAF(p, z, 0.00518908724f);
    p = CW_FMAF(p, z, -0.0268542115f);
    p = CW_FMAF(p, z, 0.112835944f);
    p = CW_FMAF(p, z, -0.37612626f);
    p = CW_FMAF(p, z, 1.12837911f);
    return p;
}

/* erf(x)/x, z = x^2: degree 14 on 0.0..1.0, error 3.3e-23 */
CW_MATH double cw_erfpoly_d(double z)
{
    double p = 2.8067128195611264e-13;
    p = CW_FMA(p, z, -6.1967364287876997e-12);
    p = CW_FMA(p, z, 9.3237235181530271e-11);
    p = CW_FMA(p, z, -1.2277734486795524e-09);
    p = CW_FMA(p, z, 1.4806027146128752e-08);
    p = CW_FMA(p, z, -1.6365768648832071e-07);
    p = CW_FMA(p, z, 1.6462110782018636e-06);
    p = CW_FMA(p, z, -1.4925650236967501e-05);
    p = CW_FMA(p, z, 0.00012055332978879483);
    p = CW_FMA(p, z, -0.0008548327023403001);
    p = CW_FMA(p, z, 0.0052239776254416736);
    p = CW_FMA(p, z, -0.026866170645131218);
    p = CW_FMA(p, z, 0.11283791670955126);
    p = CW_FMA(p, z, -0.37612638903183754);
    p = CW_FMA(p, z, 1.1283791670955126);
    return p;
}

/* exp(x^2) erfc(x) (1 + 2x), z = (x - 4) / (x + 4): degree 14 on -1.0..1.0, error 2.1e-10 */
CW_MATH float cw_erfcpoly_f(float z)
{
    float p = -9.71470945e-06f;
    p = CW_FMAF(p, z, -8.59703687e-06f);
    p = CW_FMAF(p, z, 0.000148209467f);
    p = CW_FMAF(p, z, -0.000220496586f);
    p = CW_FMAF(p, z, -0.000755884277f);
    p = CW_FMAF(p, z, 0.0050473446f);
    p = CW_FMAF(p, z, -0.0161985159f);
    p = CW_FMAF(p, z, 0.0371614136f);
    p = CW_FMAF(p, z, -0.0663302019f);
    p = CW_FMAF(p, z, 0.093734093f);
    p = CW_FMAF(p, z, -0.101039082f);
    p = CW_FMAF(p, z, 0.0680969357f);
    p = CW_FMAF(p, z, 0.0153796524f);
    p = CW_FMAF(p, z, -0.139621109f);
    p = CW_FMAF(p, z, 1.23299515f);
    return p;
}

/* exp(x^2) erfc(x) (1 + 2x), z = (x - 4) / (x + 4): degree 35 on -1.0..1.0, error 7.1e-14 */
CW_MATH double cw_erfcpoly_d(double z)
{
    double p = 2.3525019699178054e-12;
    p = CW_FMA(p, z, 1.9591801924125972e-12);
    p = CW_FMA(p, z, -1.9659311644709251e-11);
    p = CW_FMA(p, z, -1.6323591354726118e-11);
    p = CW_FMA(p, z, 7.5548882913499444e-11);
    p = CW_FMA(p, z, 6.2687734979945662e-11);
    p = CW_FMA(p, z, -1.8142255007457521e-10);
    p = CW_FMA(p, z, -1.5354027672771858e-10);
    p = CW_FMA(p, z, 3.3704617728276419e-10);
    p = CW_FMA(p, z, 3.2242313917949188e-10);
    p = CW_FMA(p, z, -7.1843868511800113e-10);
    p = CW_FMA(p, z, -9.5049558510192008e-10);
    p = CW_FMA(p, z, 2.7240938358622953e-09);
    p = CW_FMA(p, z, 4.4430021762750583e-09);
    p = CW_FMA(p, z, -1.5942935162353526e-08);
    p = CW_FMA(p, z, -2.2330290902677048e-08);
    p = CW_FMA(p, z, 1.1132090187405533e-07);
    p = CW_FMA(p, z, 7.9212089188778577e-08);
    p = CW_FMA(p, z, -8.2580027520689461e-07);
    p = CW_FMA(p, z, 2.9076909195628939e-07);
    p = CW_FMA(p, z, 5.7096592372917859e-06);
    p = CW_FMA(p, z, -1.1220704772049767e-05);
    p = CW_FMA(p, z, -2.4399109167958051e-05);
    p = CW_FMA(p, z, 0.00015062129541223645);
    p = CW_FMA(p, z, -0.00019925673448176914);
    p = CW_FMA(p, z, -0.00075777321753706833);
    p = CW_FMA(p, z, 0.0050319699857831164);
    p = CW_FMA(p, z, -0.016197734066160832);
    p = CW_FMA(p, z, 0.037167515536648363);
    p = CW_FMA(p, z, -0.066330365811636205);
    p = CW_FMA(p, z, 0.093732834998395839);
    p = CW_FMA(p, z, -0.10103906603632537);
    p = CW_FMA(p, z, 0.068097054254691564);
    p = CW_FMA(p, z, 0.015379652102620043);
    p = CW_FMA(p, z, -0.1396211168405625);
    p = CW_FMA(p, z, 1.2329951186255526);
    return p;
}

/* ---- exponential ---- */
CW_MATH float cw_scalef(float y, int n) /* y 2^n for y near 1; n in -300..300 */
{
    int a = n / 2;
    return y * cw_pow2f(a) * cw_pow2f(n - a);
}
/* With -use_fast_math the functions are the approximations, as nvcc says. */
#ifdef CROSSWATT_FAST_MATH
#define CW_FAST(call) return call;
CW_MATH float __sinf(float x);
CW_MATH float __cosf(float x);
CW_MATH float __tanf(float x);
CW_MATH float __expf(float x);
CW_MATH float __exp10f(float x);
CW_MATH float __logf(float x);
CW_MATH float __log2f(float x);
CW_MATH float __log10f(float x);
CW_MATH float __powf(float x, float y);
#else
#define CW_FAST(call)
#endif

CW_MATH float exp2f(float x)
{
    float c = fminf(fmaxf(x, -200.0f), 200.0f), n = rintf(c);
    return x != x ? x : cw_scalef(__nvvm_ex2_approx_ftz_f(c - n), (int)n);
}
CW_MATH float expf(float x)
{
    CW_FAST(__expf(x))
    float c = fminf(fmaxf(x, -120.0f), 120.0f), n = rintf(c * 1.44269502f);
    float r = CW_FMAF(n, -0.693147182f, c);
    r = CW_FMAF(n, 1.90465421e-09f, r);
    return x != x ? x : cw_scalef(__nvvm_ex2_approx_ftz_f(r * 1.44269502f), (int)n);
}
CW_MATH float exp10f(float x)
{
    CW_FAST(__exp10f(x))
    float c = fminf(fmaxf(x, -60.0f), 60.0f), n = rintf(c * 3.32192802f);
    float r = CW_FMAF(n, -0.301029995f, c);
    r = CW_FMAF(n, -4.60503907e-09f, r); /* log10(2) in two parts */
    return x != x ? x : cw_scalef(__nvvm_ex2_approx_ftz_f(r * 3.32192802f), (int)n);
}
CW_MATH float expm1f(float x)
{
    if (__builtin_fabsf(x) > 0.35f)
        return expf(x) - 1.0f;
    float p = 1.98412698e-4f;
    p = CW_FMAF(p, x, 1.38888889e-3f);
    p = CW_FMAF(p, x, 8.33333333e-3f);
    p = CW_FMAF(p, x, 4.16666667e-2f);
    p = CW_FMAF(p, x, 1.66666667e-1f);
    p = CW_FMAF(p, x, 0.5f);
    return CW_FMAF(p * x, x, x);
}
/* exp(r) - 1 for |r| <= ln(2)/2 */
CW_MATH double cw_expm1_small(double r)
{
    double p = 1.0 / 87178291200.0;
    p = CW_FMA(p, r, 1.0 / 6227020800.0);
    p = CW_FMA(p, r, 1.0 / 479001600.0);
    p = CW_FMA(p, r, 1.0 / 39916800.0);
    p = CW_FMA(p, r, 1.0 / 3628800.0);
    p = CW_FMA(p, r, 1.0 / 362880.0);
    p = CW_FMA(p, r, 1.0 / 40320.0);
    p = CW_FMA(p, r, 1.0 / 5040.0);
    p = CW_FMA(p, r, 1.0 / 720.0);
    p = CW_FMA(p, r, 1.0 / 120.0);
    p = CW_FMA(p, r, 1.0 / 24.0);
    p = CW_FMA(p, r, 1.0 / 6.0);
    p = CW_FMA(p, r, 0.5);
    return CW_FMA(p * r, r, r);
}
CW_MATH double cw_scale(double y, int n)
{
    int a = n / 2;
    return y * cw_pow2(a) * cw_pow2(n - a);
}
CW_MATH double exp(double x)
{
    double c = fmin(fmax(x, -800.0), 800.0), n = rint(c * 1.4426950408889634);
    double r = CW_FMA(n, -0.69314718055994529, c);
    r = CW_FMA(n, -2.3190468138462996e-17, r);
    return x != x ? x : cw_scale(1.0 + cw_expm1_small(r), (int)n);
}
CW_MATH double exp2(double x)
{
    double c = fmin(fmax(x, -1200.0), 1200.0), n = rint(c), f = c - n;
    double r = f * 0.69314718055994529;
    r += CW_FMA(f, 0.69314718055994529, -r) + f * 2.3190468138462996e-17;
    return x != x ? x : cw_scale(1.0 + cw_expm1_small(r), (int)n);
}
CW_MATH double exp10(double x)
{
    double c = fmin(fmax(x, -400.0), 400.0), n = rint(c * 3.3219280948873622);
    double r = CW_FMA(n, -0.30102999566398120, c);
    r = CW_FMA(n, 2.8037281277851704e-18, r);
    double t = r * 2.3025850929940459;
    t += CW_FMA(r, 2.3025850929940459, -t) - r * 2.1707562233822494e-16;
    return x != x ? x : cw_scale(1.0 + cw_expm1_small(t), (int)n);
}
CW_MATH double expm1(double x)
{
    return __builtin_fabs(x) < 0.35 ? cw_expm1_small(x) : exp(x) - 1.0;
}

/* ---- logarithm ---- */
/* x = 2^e (1 + f), f in sqrt(1/2)-1 .. sqrt(2)-1; x positive and finite */
CW_MATH float cw_splitf(float x, int *e)
{
    int shift = 0;
    if (x < 1.17549435e-38f) {
        x *= 8388608.0f;
        shift = -23;
    }
    int b = __float_as_int(x), k = (b - 0x3f3504f3) >> 23;
    *e = k + shift;
    return __int_as_float(b - (k << 23)) - 1.0f;
}
CW_MATH bool cw_log_is_special(float x, float *y)
{
    *y = x == 0 ? -__builtin_inff() : x < 0 ? __int_as_float(0x7fffffff) : x;
    return !(x > 0 && x < __builtin_inff());
}
CW_MATH float cw_log1f(float f) /* log(1 + f) for the f of cw_splitf */
{
    float z = f * f;
    return CW_FMAF(z * f, cw_logpoly_f(f), CW_FMAF(z, -0.5f, f));
}
CW_MATH float logf(float x)
{
    CW_FAST(__logf(x))
    int e;
    float y;
    if (cw_log_is_special(x, &y))
        return y;
    float l = cw_log1f(cw_splitf(x, &e));
    return CW_FMAF((float)e, 0.693147182f, CW_FMAF((float)e, -1.90465421e-09f, l));
}
CW_MATH float log2f(float x)
{
    CW_FAST(__log2f(x))
    int e;
    float y;
    if (cw_log_is_special(x, &y))
        return y;
    float l = cw_log1f(cw_splitf(x, &e));
    return CW_FMAF(l, 1.44269502f, CW_FMAF(l, 1.92596303e-08f, (float)e));
}
CW_MATH float log10f(float x)
{
    CW_FAST(__log10f(x))
    int e;
    float y;
    if (cw_log_is_special(x, &y))
        return y;
    float l = cw_log1f(cw_splitf(x, &e));
    float low = CW_FMAF(l, -1.010305e-08f, (float)e * 4.60503907e-09f);
    return CW_FMAF((float)e, 0.301029995f, CW_FMAF(l, 0.434294492f, low));
}
CW_MATH float log1pf(float x)
{
    float u = 1.0f + x;
    if (__builtin_fabsf(x) < 0.25f)
        return cw_log1f(x);
    if (!(u > 0) || __isinff(u))
        return logf(u);
    return logf(u) + (x - (u - 1.0f)) / u;
}
CW_MATH double cw_split(double x, int *e)
{
    int shift = 0;
    if (x < 2.2250738585072014e-308) {
        x *= 4503599627370496.0;
        shift = -52;
    }
    long long b = __double_as_longlong(x);
    int k = (int)((b - 0x3fe6a09e667f3bcdll) >> 52);
    *e = k + shift;
    return __longlong_as_double(b - ((long long)k << 52)) - 1.0;
}
/* log(1 + f) = 2 atanh(s), s = f / (2 + f), |s| <= 0.1716, as high and low part */
CW_MATH double cw_log1(double f, double *low)
{
    double d = 2.0 + f, s = f / d, z = s * s;
    double p = 1.0 / 23.0;
    p = CW_FMA(p, z, 1.0 / 21.0);
    p = CW_FMA(p, z, 1.0 / 19.0);
    p = CW_FMA(p, z, 1.0 / 17.0);
    p = CW_FMA(p, z, 1.0 / 15.0);
    p = CW_FMA(p, z, 1.0 / 13.0);
    p = CW_FMA(p, z, 1.0 / 11.0);
    p = CW_FMA(p, z, 1.0 / 9.0);
    p = CW_FMA(p, z, 1.0 / 7.0);
    p = CW_FMA(p, z, 1.0 / 5.0);
    p = CW_FMA(p, z, 1.0 / 3.0);
    /* what 2 s lacks: 2 + f is rounded, and so is the quotient */
    double d_low = (2.0 - d) + f, s_low = (CW_FMA(-s, d, f) - s * d_low) / d;
    double big = 2.0 * s, rest = CW_FMA(big * z, p, 2.0 * s_low), high = big + rest;
    *low = (big - high) + rest;
    return high;
}
CW_MATH bool cw_log_is_special(double x, double *y)
{
    *y = x == 0 ? -__builtin_inf() : x < 0 ? __longlong_as_double(0x7ff8000000000000ll) : x;
    return !(x > 0 && x < __builtin_inf());
}
CW_MATH double log(double x)
{
    int e;
    double y, low;
    if (cw_log_is_special(x, &y))
        return y;
    double l = cw_log1(cw_split(x, &e), &low);
    return CW_FMA((double)e, 0.69314718055994529,
                  CW_FMA((double)e, 2.3190468138462996e-17, low) + l);
}
CW_MATH double log2(double x)
{
    int e;
    double y, low;
    if (cw_log_is_special(x, &y))
        return y;
    double l = cw_log1(cw_split(x, &e), &low);
    return CW_FMA(l, 1.4426950408889634,
                  CW_FMA(l, 2.0355273740931033e-17, low * 1.4426950408889634) + (double)e);
}
CW_MATH double log10(double x)
{
    int e;
    double y, low;
    if (cw_log_is_special(x, &y))
        return y;
    double l = cw_log1(cw_split(x, &e), &low);
    double m = CW_FMA(l, 0.43429448190325182,
                      CW_FMA(l, 1.0983196502167651e-17, low * 0.43429448190325182));
    return CW_FMA((double)e, 0.30102999566398120, CW_FMA((double)e, -2.8037281277851704e-18, m));
}
CW_MATH double log1p(double x)
{
    double low, u = 1.0 + x;
    if (__builtin_fabs(x) < 0.25) {
        double l = cw_log1(x, &low);
        return l + low;
    }
    if (!(u > 0) || __isinf(u))
        return log(u);
    return log(u) + (x - (u - 1.0)) / u;
}

/* ---- power ---- */
CW_MATH float cw_powf_positive(float x, float y)
{
    int e;
    float f = cw_splitf(x, &e), d = 2.0f + f, s = f / d, z = s * s;
    float p = 1.0f / 11.0f;
    p = CW_FMAF(p, z, 1.0f / 9.0f);
    p = CW_FMAF(p, z, 1.0f / 7.0f);
    p = CW_FMAF(p, z, 1.0f / 5.0f);
    p = CW_FMAF(p, z, 1.0f / 3.0f);
    float d_low = (2.0f - d) + f, s_low = (CW_FMAF(-s, d, f) - s * d_low) / d;
    float big = 2.0f * s, rest = CW_FMAF(big * z, p, 2.0f * s_low);
    float l = big + rest, l_low = (big - l) + rest;
    /* to base 2, in two parts, and the exponent */
    float t = l * 1.44269502f;
    float t_low = CW_FMAF(l, 1.44269502f, -t) + CW_FMAF(l, 1.92596303e-08f, l_low * 1.44269502f);
    float h = (float)e + t, h_low = ((float)e - h) + t;
    if (e == 0)
        h = t, h_low = 0;
    h_low += t_low;
    float q = y * h, q_low = CW_FMAF(y, h, -q) + y * h_low;
    if (!(__builtin_fabsf(q) < 1000.0f))
        return q > 0 ? __builtin_inff() : 0.0f;
    float n = rintf(q);
    n = fminf(fmaxf(n, -280.0f), 280.0f);
    return cw_scalef(__nvvm_ex2_approx_ftz_f((q - n) + q_low), (int)n);
}
CW_MATH float powf(float x, float y)
{
    CW_FAST(__powf(x, y))
    float a = __builtin_fabsf(x), b = __builtin_fabsf(y);
    if (x == 1.0f || y == 0.0f)
        return 1.0f;
    if (x != x || y != y)
        return x + y;
    bool whole = b >= 16777216.0f || truncf(y) == y;
    bool odd = whole && b < 16777216.0f && ((int)y & 1);
    if (__isinff(y))
        return a == 1.0f ? 1.0f : (a > 1.0f) == (y > 0) ? __builtin_inff() : 0.0f;
    if (a == 0 || __isinff(x)) {
        float r = (a == 0) == (y > 0) ? 0.0f : __builtin_inff();
        return odd ? copysignf(r, x) : r;
    }
    if (x < 0 && !whole)
        return __int_as_float(0x7fffffff);
    float r = cw_powf_positive(a, y);
    return odd && x < 0 ? -r : r;
}
CW_MATH double cw_pow_positive(double x, double y)
{
    int e;
    double low, l = cw_log1(cw_split(x, &e), &low), k = (double)e;
    double a = k * 0.69314718048553914; /* exact: the constant has 33 bits */
    double h = a + l, h_low = e ? (a - h) + l : 0;
    h_low += CW_FMA(k, 7.4406171100123968e-11, low);
    double q = y * h, q_low = CW_FMA(y, h, -q) + y * h_low;
    if (!(__builtin_fabs(q) < 2000.0))
        return q > 0 ? __builtin_inf() : 0.0;
    double n = rint(q * 1.4426950408889634), r = CW_FMA(n, -0.69314718055994529, q);
    r = CW_FMA(n, -2.3190468138462996e-17, r) + q_low;
    n = fmin(fmax(n, -2040.0), 2040.0);
    return cw_scale(1.0 + cw_expm1_small(r), (int)n);
}
CW_MATH double pow(double x, double y)
{
    double a = __builtin_fabs(x), b = __builtin_fabs(y);
    if (x == 1.0 || y == 0.0)
        return 1.0;
    if (x != x || y != y)
        return x + y;
    bool whole = b >= 9007199254740992.0 || trunc(y) == y;
    bool odd = whole && b < 9007199254740992.0 && ((long long)y & 1);
    if (__isinf(y))
        return a == 1.0 ? 1.0 : (a > 1.0) == (y > 0) ? __builtin_inf() : 0.0;
    if (a == 0 || __isinf(x)) {
        double r = (a == 0) == (y > 0) ? 0.0 : __builtin_inf();
        return odd ? copysign(r, x) : r;
    }
    if (x < 0 && !whole)
        return __longlong_as_double(0x7ff8000000000000ll);
    double r = cw_pow_positive(a, y);
    return odd && x < 0 ? -r : r;
}
CW_MATH float powif(float x, int n)
{
    return powf(x, (float)n);
}
CW_MATH double powi(double x, int n)
{
    return pow(x, (double)n);
}
CW_MATH float cbrtf(float x)
{
    float a = __builtin_fabsf(x);
    if (a == 0 || !__finitef(x))
        return x;
    int e;
    float m = frexpf(a, &e);
    int k = (e + 300) / 3 - 100;
    m = ldexpf(m, e - 3 * k);
    float r = __nvvm_ex2_approx_ftz_f(__nvvm_lg2_approx_ftz_f(m) * 0.333333333f);
    r = CW_FMAF((m / (r * r) - r), 0.333333333f, r);
    return copysignf(ldexpf(r, k), x);
}
CW_MATH double cbrt(double x)
{
    double a = __builtin_fabs(x);
    if (a == 0 || !__finite(x))
        return x;
    int e;
    double m = frexp(a, &e);
    int k = (e + 3000) / 3 - 1000;
    m = ldexp(m, e - 3 * k);
    double r = (double)__nvvm_ex2_approx_ftz_f(__nvvm_lg2_approx_ftz_f((float)m) * 0.333333333f);
    r = CW_FMA((m / (r * r) - r), 1.0 / 3.0, r);
    r = CW_FMA((m / (r * r) - r), 1.0 / 3.0, r);
    return copysign(ldexp(r, k), x);
}
CW_MATH float rcbrtf(float x)
{
    return 1.0f / cbrtf(x);
}
CW_MATH double rcbrt(double x)
{
    return 1.0 / cbrt(x);
}
CW_MATH float hypotf(float x, float y)
{
    float a = fmaxf(__builtin_fabsf(x), __builtin_fabsf(y));
    float b = fminf(__builtin_fabsf(x), __builtin_fabsf(y));
    if (__isinff(x) || __isinff(y))
        return __builtin_inff();
    if (x != x || y != y)
        return x + y;
    if (a == 0)
        return a;
    float t = b / a;
    return a * sqrtf(CW_FMAF(t, t, 1.0f));
}
CW_MATH double hypot(double x, double y)
{
    double a = fmax(__builtin_fabs(x), __builtin_fabs(y));
    double b = fmin(__builtin_fabs(x), __builtin_fabs(y));
    if (__isinf(x) || __isinf(y))
        return __builtin_inf();
    if (x != x || y != y)
        return x + y;
    if (a == 0)
        return a;
    double t = b / a;
    return a * sqrt(CW_FMA(t, t, 1.0));
}
CW_MATH float rhypotf(float x, float y)
{
    return 1.0f / hypotf(x, y);
}
CW_MATH double rhypot(double x, double y)
{
    return 1.0 / hypot(x, y);
}
CW_MATH float norm3df(float x, float y, float z)
{
    return hypotf(hypotf(x, y), z);
}
CW_MATH double norm3d(double x, double y, double z)
{
    return hypot(hypot(x, y), z);
}
CW_MATH float rnorm3df(float x, float y, float z)
{
    return 1.0f / norm3df(x, y, z);
}

/* ---- sine and cosine ---- */
/* Payne and Hanek 1983: x 2/pi modulo 4 from the bits of 2/pi, for arguments of any size */
CW_MATH int cw_reduce_huge(double x, double *r)
{
    static const __attribute__((device)) unsigned two_over_pi[] = {
        0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu,
        0xdebbc561u, 0xb7246e3au, 0x424dd2e0u, 0x06492eeau, 0x09d1921cu, 0xfe1deb1cu, 0xb129a73eu,
        0xe88235f5u, 0x2ebb4484u, 0xe99c7026u, 0xb45f7e41u, 0x3991d639u, 0x835339f4u, 0x9c845f8bu,
        0xbdf9283bu, 0x1ff897ffu, 0xde05980fu, 0xef2f118bu, 0x5a0a6d1fu, 0x6d367ecfu, 0x27cb09b7u,
        0x4f463f66u, 0x9e5fea2du, 0x7527bac7u, 0xebe5f17bu, 0x3d0739f7u, 0x8a5292eau, 0x6bfb5fb1u,
        0x1f8d5d08u, 0x56033046u, 0xfc7b6babu, 0xf0cfbc20u, 0x9af4361du,
    };
    long long b = __double_as_longlong(x);
    int e = (int)((b >> 52) & 2047) - 1075; /* x = m 2^e */
    unsigned long long m = ((unsigned long long)b & 0xfffffffffffffull) | 0x10000000000000ull;
    /* bits of the product below weight 4 begin at bit `first` of 2/pi */
    int first = e - 2 < 0 ? 0 : e - 2, word = first / 32, shift = first % 32;
    unsigned w[6], product[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    for (int i = 0; i < 6; i++) {
        unsigned hi = two_over_pi[word + i], lo = two_over_pi[word + i + 1];
        w[i] = shift ? (hi << shift) | (lo >> (32 - shift)) : hi;
    }
    /* product[0] is the most significant word of m w */
    unsigned parts[2] = {(unsigned)(m >> 32), (unsigned)m};
    for (int i = 5; i >= 0; i--)
        for (int k = 1; k >= 0; k--) {
            unsigned long long t = (unsigned long long)w[i] * parts[k];
            for (int at = i + k + 1; at >= 0 && t; at--) {
                t += product[at];
                product[at] = (unsigned)t;
                t >>= 32;
            }
        }
    /* m w 2^-192 2^(e - first) in units of a quarter turn: words 0 and 1 are whole, cut to two bits
     */
    int up = e - first; /* 2 where first > 0, else e, which may be negative */
    unsigned long long whole = ((unsigned long long)product[0] << 32) | product[1];
    unsigned long long high = ((unsigned long long)product[2] << 32) | product[3];
    unsigned long long low = ((unsigned long long)product[4] << 32) | product[5];
    if (up > 0) {
        whole = (whole << up) | (high >> (64 - up));
        high = (high << up) | (low >> (64 - up));
        low <<= up;
    } else if (up < 0) {
        int down = -up;
        low = (low >> down) | (high << (64 - down));
        high = (high >> down) | (whole << (64 - down));
        whole >>= down;
    }
    int n = (int)(whole & 3);
    bool negative = high >> 63;
    if (negative) { /* to -1/2 .. 1/2 */
        n++;
        high = ~high;
        low = ~low + 1;
        high += low == 0;
    }
    double f = ((double)high + (double)low * 5.421010862427522e-20) * 5.421010862427522e-20;
    f *= 1.5707963267948966;
    *r = (negative ? -f : f) * (x < 0 ? -1.0 : 1.0);
    return x < 0 ? -n : n;
}
CW_MATH int cw_reduce(double x, double *r)
{
    if (__builtin_fabs(x) > 1e5)
        return cw_reduce_huge(x, r);
    double n = rint(x * 0.63661977236758138);
    double t = CW_FMA(n, -1.5707963267948966, x);
    t = CW_FMA(n, -6.123233995736766e-17, t);
    *r = CW_FMA(n, 1.4973849048591698e-33, t);
    return (int)n;
}
CW_MATH int cw_reducef(float x, float *r)
{
    if (__builtin_fabsf(x) > 20000.0f) {
        double d;
        int n = cw_reduce((double)x, &d);
        *r = (float)d;
        return n;
    }
    float n = rintf(x * 0.636619772f);
    float t = CW_FMAF(n, -1.57079637f, x);
    t = CW_FMAF(n, 4.37113883e-08f, t);
    *r = CW_FMAF(n, 1.71512451e-15f, t);
    return (int)n;
}
CW_MATH float cw_sinpolyf(float r)
{
    float z = r * r, p = 2.75573192e-6f;
    p = CW_FMAF(p, z, -1.98412698e-4f);
    p = CW_FMAF(p, z, 8.33333333e-3f);
    p = CW_FMAF(p, z, -1.66666667e-1f);
    return CW_FMAF(p * z, r, r);
}
CW_MATH float cw_cospolyf(float r)
{
    float z = r * r, p = -2.75573192e-7f;
    p = CW_FMAF(p, z, 2.48015873e-5f);
    p = CW_FMAF(p, z, -1.38888889e-3f);
    p = CW_FMAF(p, z, 4.16666667e-2f);
    p = CW_FMAF(p, z, -0.5f);
    return CW_FMAF(p, z, 1.0f);
}
CW_MATH double cw_sinpoly(double r)
{
    double z = r * r, p = -1.0 / 121645100408832000.0;
    p = CW_FMA(p, z, 1.0 / 355687428096000.0);
    p = CW_FMA(p, z, -1.0 / 1307674368000.0);
    p = CW_FMA(p, z, 1.0 / 6227020800.0);
    p = CW_FMA(p, z, -1.0 / 39916800.0);
    p = CW_FMA(p, z, 1.0 / 362880.0);
    p = CW_FMA(p, z, -1.0 / 5040.0);
    p = CW_FMA(p, z, 1.0 / 120.0);
    p = CW_FMA(p, z, -1.0 / 6.0);
    return CW_FMA(p * z, r, r);
}
CW_MATH double cw_cospoly(double r)
{
    double z = r * r, p = 1.0 / 2432902008176640000.0;
    p = CW_FMA(p, z, -1.0 / 6402373705728000.0);
    p = CW_FMA(p, z, 1.0 / 20922789888000.0);
    p = CW_FMA(p, z, -1.0 / 87178291200.0);
    p = CW_FMA(p, z, 1.0 / 479001600.0);
    p = CW_FMA(p, z, -1.0 / 3628800.0);
    p = CW_FMA(p, z, 1.0 / 40320.0);
    p = CW_FMA(p, z, -1.0 / 720.0);
    p = CW_FMA(p, z, 1.0 / 24.0);
    p = CW_FMA(p, z, -0.5);
    return CW_FMA(p, z, 1.0);
}
CW_MATH float cw_circlef(float r, int n)
{
    float v = n & 1 ? cw_cospolyf(r) : cw_sinpolyf(r);
    return n & 2 ? -v : v;
}
CW_MATH double cw_circle(double r, int n)
{
    double v = n & 1 ? cw_cospoly(r) : cw_sinpoly(r);
    return n & 2 ? -v : v;
}
CW_MATH float sinf(float x)
{
    CW_FAST(__sinf(x))
    float r;
    if (!__finitef(x))
        return x - x;
    int n = cw_reducef(x, &r);
    return cw_circlef(r, n);
}
CW_MATH float cosf(float x)
{
    CW_FAST(__cosf(x))
    float r;
    if (!__finitef(x))
        return x - x;
    int n = cw_reducef(x, &r);
    return cw_circlef(r, n + 1);
}
CW_MATH double sin(double x)
{
    double r;
    if (!__finite(x))
        return x - x;
    int n = cw_reduce(x, &r);
    return cw_circle(r, n);
}
CW_MATH double cos(double x)
{
    double r;
    if (!__finite(x))
        return x - x;
    int n = cw_reduce(x, &r);
    return cw_circle(r, n + 1);
}
CW_MATH void sincosf(float x, float *s, float *c)
{
    *s = sinf(x);
    *c = cosf(x);
}
CW_MATH void sincos(double x, double *s, double *c)
{
    *s = sin(x);
    *c = cos(x);
}
CW_MATH float tanf(float x)
{
    CW_FAST(__tanf(x))
    float r;
    if (!__finitef(x))
        return x - x;
    int n = cw_reducef(x, &r);
    float s = cw_sinpolyf(r), c = cw_cospolyf(r);
    return n & 1 ? -c / s : s / c;
}
CW_MATH double tan(double x)
{
    double r;
    if (!__finite(x))
        return x - x;
    int n = cw_reduce(x, &r);
    double s = cw_sinpoly(r), c = cw_cospoly(r);
    return n & 1 ? -c / s : s / c;
}
CW_MATH float cw_turnf(float x, int add)
{
    if (!__finitef(x))
        return x - x;
    float n = rintf(x * 2.0f), r = CW_FMAF(n, -0.5f, x);
    return cw_circlef(r * 3.14159274f + r * -8.74227766e-08f,
                      (int)(n - 4.0f * floorf(n * 0.25f)) + add);
}
CW_MATH float sinpif(float x)
{
    return cw_turnf(x, 0);
}
CW_MATH float cospif(float x)
{
    return cw_turnf(x, 1);
}
CW_MATH double cw_turn(double x, int add)
{
    if (!__finite(x))
        return x - x;
    double n = rint(x * 2.0), r = CW_FMA(n, -0.5, x);
    return cw_circle(CW_FMA(r, 3.1415926535897931, r * 1.2246467991473532e-16),
                     (int)(n - 4.0 * floor(n * 0.25)) + add);
}
CW_MATH double sinpi(double x)
{
    return cw_turn(x, 0);
}
CW_MATH double cospi(double x)
{
    return cw_turn(x, 1);
}
CW_MATH void sincospif(float x, float *s, float *c)
{
    *s = sinpif(x);
    *c = cospif(x);
}

/* ---- arcs ---- */
CW_MATH float cw_atan01f(float x) /* 0..1 */
{
    float z = x * x;
    return CW_FMAF(cw_atanpoly_f(z) * z, x, x);
}
CW_MATH double cw_atan01(double x)
{
    double z = x * x;
    return CW_FMA(cw_atanpoly_d(z) * z, x, x);
}
CW_MATH float atanf(float x)
{
    float a = __builtin_fabsf(x), r = cw_atan01f(a > 1.0f ? 1.0f / a : a);
    return copysignf(a > 1.0f ? 1.57079637f - (r + 4.37113883e-08f) : r, x);
}
CW_MATH double atan(double x)
{
    double a = __builtin_fabs(x), r = cw_atan01(a > 1.0 ? 1.0 / a : a);
    return copysign(a > 1.0 ? 1.5707963267948966 - (r - 6.123233995736766e-17) : r, x);
}
CW_MATH float atan2f(float y, float x)
{
    float a = __builtin_fabsf(y), b = __builtin_fabsf(x);
    if (x != x || y != y)
        return x + y;
    float big = fmaxf(a, b), small = fminf(a, b);
    float t = big == 0 ? 0.0f : __isinff(big) ? (__isinff(small) ? 1.0f : 0.0f) : small / big;
    float r = cw_atan01f(t);
    if (a > b)
        r = 1.57079637f - (r + 4.37113883e-08f);
    if (__signbitf(x))
        r = 3.14159274f - (r + 8.74227766e-08f);
    return copysignf(r, y);
}
CW_MATH double atan2(double y, double x)
{
    double a = __builtin_fabs(y), b = __builtin_fabs(x);
    if (x != x || y != y)
        return x + y;
    double big = fmax(a, b), small = fmin(a, b);
    double t = big == 0 ? 0.0 : __isinf(big) ? (__isinf(small) ? 1.0 : 0.0) : small / big;
    double r = cw_atan01(t);
    if (a > b)
        r = 1.5707963267948966 - (r - 6.123233995736766e-17);
    if (__signbitd(x))
        r = 3.1415926535897931 - (r - 1.2246467991473532e-16);
    return copysign(r, y);
}
CW_MATH float cw_asin05f(float x)
{
    float z = x * x;
    return CW_FMAF(cw_asinpoly_f(z) * z, x, x);
}
CW_MATH double cw_asin05(double x)
{
    double z = x * x;
    return CW_FMA(cw_asinpoly_d(z) * z, x, x);
}
CW_MATH float asinf(float x)
{
    float a = __builtin_fabsf(x);
    if (a <= 0.5f)
        return cw_asin05f(x);
    float r = cw_asin05f(sqrtf(CW_FMAF(a, -0.5f, 0.5f)));
    return copysignf(1.57079637f - CW_FMAF(2.0f, r, 4.37113883e-08f), x);
}
CW_MATH double asin(double x)
{
    double a = __builtin_fabs(x);
    if (a <= 0.5)
        return cw_asin05(x);
    double r = cw_asin05(sqrt(CW_FMA(a, -0.5, 0.5)));
    return copysign(1.5707963267948966 - CW_FMA(2.0, r, -6.123233995736766e-17), x);
}
CW_MATH float acosf(float x)
{
    float a = __builtin_fabsf(x);
    if (a <= 0.5f)
        return 1.57079637f - (cw_asin05f(x) + 4.37113883e-08f);
    float r = 2.0f * cw_asin05f(sqrtf(CW_FMAF(a, -0.5f, 0.5f)));
    return x > 0 ? r : 3.14159274f - (r + 8.74227766e-08f);
}
CW_MATH double acos(double x)
{
    double a = __builtin_fabs(x);
    if (a <= 0.5)
        return 1.5707963267948966 - (cw_asin05(x) - 6.123233995736766e-17);
    double r = 2.0 * cw_asin05(sqrt(CW_FMA(a, -0.5, 0.5)));
    return x > 0 ? r : 3.1415926535897931 - (r - 1.2246467991473532e-16);
}

/* ---- hyperbolic ---- */
CW_MATH float sinhf(float x)
{
    float a = __builtin_fabsf(x), t;
    if (a < 0.35f) {
        t = expm1f(a);
        return copysignf(0.5f * (t + t / (t + 1.0f)), x);
    }
    t = 0.5f * expf(0.5f * a);
    return copysignf(a > 20.0f ? t * (2.0f * t) : 0.5f * expf(a) - 0.5f / expf(a), x);
}
CW_MATH double sinh(double x)
{
    double a = __builtin_fabs(x), t;
    if (a < 0.35) {
        t = expm1(a);
        return copysign(0.5 * (t + t / (t + 1.0)), x);
    }
    t = exp(0.5 * a);
    return copysign(a > 40.0 ? 0.5 * t * t : 0.5 * exp(a) - 0.5 / exp(a), x);
}
CW_MATH float coshf(float x)
{
    float a = __builtin_fabsf(x), t = expf(0.5f * a);
    return a > 20.0f ? 0.5f * t * t : 0.5f * expf(a) + 0.5f / expf(a);
}
CW_MATH double cosh(double x)
{
    double a = __builtin_fabs(x), t = exp(0.5 * a);
    return a > 40.0 ? 0.5 * t * t : 0.5 * exp(a) + 0.5 / exp(a);
}
CW_MATH float tanhf(float x)
{
    float a = __builtin_fabsf(x), z = x * x;
    if (a < 0.6f)
        return CW_FMAF(cw_tanhpoly_f(z) * z, x, x);
    return copysignf(1.0f - 2.0f / (expf(2.0f * a) + 1.0f), x);
}
CW_MATH double tanh(double x)
{
    double a = __builtin_fabs(x), z = x * x;
    if (a < 0.6)
        return CW_FMA(cw_tanhpoly_d(z) * z, x, x);
    return copysign(1.0 - 2.0 / (exp(2.0 * a) + 1.0), x);
}
CW_MATH float asinhf(float x)
{
    float a = __builtin_fabsf(x);
    return copysignf(
        a > 1e10f ? logf(a) + 0.693147182f : log1pf(a + a * a / (1.0f + sqrtf(a * a + 1.0f))), x);
}
CW_MATH double asinh(double x)
{
    double a = __builtin_fabs(x);
    return copysign(
        a > 1e20 ? log(a) + 0.69314718055994529 : log1p(a + a * a / (1.0 + sqrt(a * a + 1.0))), x);
}
CW_MATH float acoshf(float x)
{
    return x > 1e10f ? logf(x) + 0.693147182f : log1pf((x - 1.0f) + sqrtf((x - 1.0f) * (x + 1.0f)));
}
CW_MATH double acosh(double x)
{
    return x > 1e20 ? log(x) + 0.69314718055994529 : log1p((x - 1.0) + sqrt((x - 1.0) * (x + 1.0)));
}
CW_MATH float atanhf(float x)
{
    return 0.5f * log1pf(2.0f * x / (1.0f - x));
}
CW_MATH double atanh(double x)
{
    return 0.5 * log1p(2.0 * x / (1.0 - x));
}

/* ---- error function ---- */
CW_MATH float erfcxf(float x)
{
    float a = __builtin_fabsf(x),
          r = cw_erfcpoly_f((a - 4.0f) / (a + 4.0f)) / CW_FMAF(2.0f, a, 1.0f);
    return x < 0 ? 2.0f * expf(a * a) - r : r;
}
CW_MATH float erfcf(float x)
{
    float a = __builtin_fabsf(x);
    if (a < 0.5f)
        return 1.0f - x * cw_erfpoly_f(x * x);
    float z = a * a, low = CW_FMAF(a, a, -z), e = expf(-z);
    float r = CW_FMAF(-low, e, e) * erfcxf(a);
    return a > 11.0f ? (x < 0 ? 2.0f : 0.0f) : x < 0 ? 2.0f - r : r;
}
CW_MATH float erff(float x)
{
    float a = __builtin_fabsf(x);
    return a < 1.0f ? x * cw_erfpoly_f(x * x) : copysignf(1.0f - erfcf(a), x);
}
CW_MATH double erfcx(double x)
{
    double a = __builtin_fabs(x), r = cw_erfcpoly_d((a - 4.0) / (a + 4.0)) / CW_FMA(2.0, a, 1.0);
    return x < 0 ? 2.0 * exp(a * a) - r : r;
}
CW_MATH double erfc(double x)
{
    double a = __builtin_fabs(x);
    if (a < 0.5)
        return 1.0 - x * cw_erfpoly_d(x * x);
    double z = a * a, low = CW_FMA(a, a, -z), e = exp(-z);
    double r = CW_FMA(-low, e, e) * erfcx(a);
    return a > 28.0 ? (x < 0 ? 2.0 : 0.0) : x < 0 ? 2.0 - r : r;
}
CW_MATH double erf(double x)
{
    double a = __builtin_fabs(x);
    return a < 1.0 ? x * cw_erfpoly_d(x * x) : copysign(1.0 - erfc(a), x);
}
CW_MATH float normcdff(float x)
{
    return 0.5f * erfcf(x * -0.707106781f);
}
CW_MATH double normcdf(double x)
{
    return 0.5 * erfc(x * -0.70710678118654757);
}

/* ---- gamma: Stirling's series after a shift ---- */
CW_MATH double cw_lgamma_positive(double x)
{
    double shift = 1.0;
    if (x > 1e17)
        return x * (log(x) - 1.0);
    while (x < 12.0) {
        shift *= x;
        x += 1.0;
    }
    double z = 1.0 / (x * x), p = -3617.0 / 122400.0;
    p = CW_FMA(p, z, 1.0 / 156.0);
    p = CW_FMA(p, z, -691.0 / 360360.0);
    p = CW_FMA(p, z, 1.0 / 1188.0);
    p = CW_FMA(p, z, -1.0 / 1680.0);
    p = CW_FMA(p, z, 1.0 / 1260.0);
    p = CW_FMA(p, z, -1.0 / 360.0);
    p = CW_FMA(p, z, 1.0 / 12.0);
    return (x - 0.5) * log(x) - x + 0.91893853320467278 + p / x - log(shift);
}
CW_MATH double lgamma(double x)
{
    if (x > 0)
        return cw_lgamma_positive(x);
    double s = __builtin_fabs(sinpi(x));
    return s == 0 ? __builtin_inf()
                  : log(3.1415926535897931 / (s * __builtin_fabs(x))) - cw_lgamma_positive(-x);
}
CW_MATH double tgamma(double x)
{
    if (x > 0)
        return exp(cw_lgamma_positive(x));
    double s = sinpi(x);
    return s == 0 ? __longlong_as_double(0x7ff8000000000000ll)
                  : 3.1415926535897931 / (s * -x * exp(cw_lgamma_positive(-x)));
}
CW_MATH float lgammaf(float x)
{
    return (float)lgamma((double)x);
}
CW_MATH float tgammaf(float x)
{
    return (float)tgamma((double)x);
}

/* ---- remainders: exact, bit by bit ---- */
CW_MATH float fmodf(float x, float y)
{
    float a = __builtin_fabsf(x), b = __builtin_fabsf(y);
    if (!(a < __builtin_inff()) || !(b > 0))
        return __int_as_float(0x7fffffff);
    if (a < b)
        return x;
    int ea, eb;
    frexpf(a, &ea);
    frexpf(b, &eb);
    for (int k = ea - eb; k >= 0; k--) {
        float t = ldexpf(b, k);
        if (a >= t)
            a -= t;
    }
    return copysignf(a, x);
}
CW_MATH double fmod(double x, double y)
{
    double a = __builtin_fabs(x), b = __builtin_fabs(y);
    if (!(a < __builtin_inf()) || !(b > 0))
        return __longlong_as_double(0x7ff8000000000000ll);
    if (a < b)
        return x;
    int ea, eb;
    frexp(a, &ea);
    frexp(b, &eb);
    for (int k = ea - eb; k >= 0; k--) {
        double t = ldexp(b, k);
        if (a >= t)
            a -= t;
    }
    return copysign(a, x);
}
CW_MATH float remainderf(float x, float y)
{
    float b = __builtin_fabsf(y), a = fmodf(__builtin_fabsf(x), 2.0f * b);
    if (a > 0.5f * b)
        a -= b;
    if (a >= 0.5f * b)
        a -= b;
    return __signbitf(x) ? -a : a;
}
CW_MATH double remainder(double x, double y)
{
    double b = __builtin_fabs(y), a = fmod(__builtin_fabs(x), 2.0 * b);
    if (a > 0.5 * b)
        a -= b;
    if (a >= 0.5 * b)
        a -= b;
    return __signbitd(x) ? -a : a;
}
CW_MATH float nextafterf(float x, float y)
{
    int b = __float_as_int(x);
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    if (x == 0)
        return copysignf(1.40129846e-45f, y);
    return __int_as_float((x < y) == (x > 0) ? b + 1 : b - 1);
}

CW_MATH double nextafter(double x, double y)
{
    long long b = __double_as_longlong(x);
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    if (x == 0)
        return copysign(4.9406564584124654e-324, y);
    return __longlong_as_double((x < y) == (x > 0) ? b + 1 : b - 1);
}
/* the remainder, and the sign and the lowest three bits of the quotient */
CW_MATH double remquo(double x, double y, int *quotient)
{
    double r = remainder(x, y), b = fabs(y), a = fmod(fabs(x), 8.0 * b);
    int q = !(a < __builtin_inf())
                ? 0
                : (int)rint((a - fabs(r) * (__signbitd(r) == __signbitd(x) ? 1 : -1)) / b);
    *quotient = __signbitd(x) == __signbitd(y) ? q & 7 : -(q & 7);
    return r;
}
CW_MATH float remquof(float x, float y, int *quotient)
{
    return (float)remquo((double)x, (double)y, quotient);
}
CW_MATH double scalbln(double x, long n)
{
    return scalbn(x, n > 100000 ? 100000 : n < -100000 ? -100000 : (int)n);
}
CW_MATH float scalblnf(float x, long n)
{
    return scalbnf(x, n > 100000 ? 100000 : n < -100000 ? -100000 : (int)n);
}
CW_MATH void sincospi(double x, double *s, double *c)
{
    *s = sinpi(x);
    *c = cospi(x);
}
/* roots of sums of squares, scaled by the largest */
CW_MATH double norm(int n, const double *v)
{
    double most = 0, sum = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(v[i]));
    if (!(most > 0 && most < __builtin_inf()))
        return most;
    int e = ilogb(most);
    for (int i = 0; i < n; i++) {
        double t = ldexp(v[i], -e);
        sum = fma(t, t, sum);
    }
    return ldexp(sqrt(sum), e);
}
CW_MATH double rnorm(int n, const double *v)
{
    return 1.0 / norm(n, v);
}
CW_MATH float normf(int n, const float *v)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += (double)v[i] * v[i];
    return (float)sqrt(sum);
}
CW_MATH float rnormf(int n, const float *v)
{
    return 1.0f / normf(n, v);
}
CW_MATH double rnorm3d(double x, double y, double z)
{
    return 1.0 / norm3d(x, y, z);
}
CW_MATH double norm4d(double x, double y, double z, double w)
{
    double v[4] = {x, y, z, w};
    return norm(4, v);
}
CW_MATH double rnorm4d(double x, double y, double z, double w)
{
    return 1.0 / norm4d(x, y, z, w);
}
CW_MATH float norm4df(float x, float y, float z, float w)
{
    float v[4] = {x, y, z, w};
    return normf(4, v);
}
CW_MATH float rnorm4df(float x, float y, float z, float w)
{
    return 1.0f / norm4df(x, y, z, w);
}
/* The x of erfc(x) = y: a guess from the tail's logarithm, then steps of third order. */
CW_MATH double erfcinv(double y)
{
    bool is_upper = y > 1.0;
    double q = is_upper ? 2.0 - y : y;
    if (!(y >= 0 && y <= 2))
        return __longlong_as_double(0x7ff8000000000000ll);
    if (q == 0)
        return is_upper ? -__builtin_inf() : __builtin_inf();
    double l = -log(q * (2.0 - q)), t = 4.330746750799873 - 0.5 * l; /* 2 / (pi 0.147) and l / 2 */
    double x = sqrt(sqrt(t * t + l / 0.147) - t);
    for (int i = 0; i < 3; i++) {
        double step = (erfc(x) - q) / (-1.1283791670955126 * exp(-x * x));
        x -= step / (1.0 + x * step);
    }
    return is_upper ? -x : x;
}
CW_MATH double erfinv(double y)
{
    double a = fabs(y), x;
    if (a > 0.5)
        return copysign(a > 1 ? __longlong_as_double(0x7ff8000000000000ll) : erfcinv(1.0 - a), y);
    x = a * 0.8862269254527580; /* root of pi, halved */
    x = fma(x * x * x, 1.0 / 3.0, x);
    for (int i = 0; i < 3; i++) {
        double step = (erf(x) - a) / (1.1283791670955126 * exp(-x * x));
        x -= step / (1.0 + x * step);
    }
    return copysign(x, y);
}
CW_MATH double normcdfinv(double p)
{
    return -1.4142135623730951 * erfcinv(2.0 * p);
}
CW_MATH float erfcinvf(float y)
{
    return (float)erfcinv((double)y);
}
CW_MATH float erfinvf(float y)
{
    return (float)erfinv((double)y);
}
CW_MATH float normcdfinvf(float p)
{
    return (float)normcdfinv((double)p);
}

/* ---- approximations by name; of constants they are constants, as with nvcc, so that what depends
   on them (the length of a loop, the divisor of a remainder) is known when a kernel is compiled
   ---- */
#define CW_IS_NUMBER(x) (__builtin_constant_p(x) && (x) > 1e-30f && (x) < 1e30f)
#define CW_IS_EXPONENT(x) (__builtin_constant_p(x) && (x) > -100.0f && (x) < 100.0f)
CW_MATH float __cw_lg2(float x)
{
    return CW_IS_NUMBER(x) ? __builtin_log2f(x) : __nvvm_lg2_approx_f(x);
}
CW_MATH float __cw_ex2(float x)
{
    return CW_IS_EXPONENT(x) ? __builtin_exp2f(x) : __nvvm_ex2_approx_f(x);
}
CW_MATH float __sinf(float x)
{
    return __nvvm_sin_approx_f(x);
}
CW_MATH float __cosf(float x)
{
    return __nvvm_cos_approx_f(x);
}
CW_MATH float __tanf(float x)
{
    return __nvvm_div_approx_f(__nvvm_sin_approx_f(x), __nvvm_cos_approx_f(x));
}
CW_MATH void __sincosf(float x, float *s, float *c)
{
    *s = __nvvm_sin_approx_f(x);
    *c = __nvvm_cos_approx_f(x);
}
CW_MATH float __expf(float x)
{
    return __cw_ex2(x * 1.44269504f);
}
CW_MATH float __exp10f(float x)
{
    return __cw_ex2(x * 3.32192809f);
}
CW_MATH float __log2f(float x)
{
    return __cw_lg2(x);
}
CW_MATH float __logf(float x)
{
    return __cw_lg2(x) * 0.693147181f;
}
CW_MATH float __log10f(float x)
{
    return __cw_lg2(x) * 0.301029996f;
}
CW_MATH float __powf(float x, float y)
{
    return __cw_ex2(y * __cw_lg2(x));
}
CW_MATH float __fdividef(float x, float y)
{
    return __nvvm_div_approx_f(x, y);
}
CW_MATH float fdividef(float x, float y)
{
    return x / y;
}
CW_MATH double fdivide(double x, double y)
{
    return x / y;
}
CW_MATH float __saturatef(float x)
{
    return __nvvm_saturate_f(x);
}

/* ---- overloads of C++, and of the names in std; of integers as templates, which step back where a
   program has a function of that name ---- */
template <typename T> struct cw_integer_type {
};
#define CW_INTEGER(T)                                                                              \
    template <> struct cw_integer_type<T> {                                                        \
        typedef double real;                                                                       \
    };
CW_INTEGER(char)
CW_INTEGER(signed char)
CW_INTEGER(unsigned char)
CW_INTEGER(short)
CW_INTEGER(unsigned short)
CW_INTEGER(int)
CW_INTEGER(unsigned)
CW_INTEGER(long)
CW_INTEGER(unsigned long)
CW_INTEGER(long long)
CW_INTEGER(unsigned long long)
#undef CW_INTEGER
#define CW_ONE(name, single)                                                                       \
    CW_MATH float name(float x)                                                                    \
    {                                                                                              \
        return single(x);                                                                          \
    }                                                                                              \
    template <typename T> CW_MATH typename cw_integer_type<T>::real name(T x)                      \
    {                                                                                              \
        return name((double)x);                                                                    \
    }
CW_ONE(sqrt, sqrtf)
CW_ONE(rsqrt, rsqrtf)
CW_ONE(exp, expf)
CW_ONE(exp2, exp2f)
CW_ONE(exp10, exp10f)
CW_ONE(expm1, expm1f)
CW_ONE(log, logf)
CW_ONE(log2, log2f)
CW_ONE(log10, log10f)
CW_ONE(log1p, log1pf)
CW_ONE(sin, sinf)
CW_ONE(cos, cosf)
CW_ONE(tan, tanf)
CW_ONE(asin, asinf)
CW_ONE(acos, acosf)
CW_ONE(atan, atanf)
CW_ONE(sinh, sinhf)
CW_ONE(cosh, coshf)
CW_ONE(tanh, tanhf)
CW_ONE(asinh, asinhf)
CW_ONE(acosh, acoshf)
CW_ONE(atanh, atanhf)
CW_ONE(cbrt, cbrtf)
CW_ONE(erf, erff)
CW_ONE(erfc, erfcf)
CW_ONE(lgamma, lgammaf)
CW_ONE(tgamma, tgammaf)
CW_ONE(floor, floorf)
CW_ONE(ceil, ceilf)
CW_ONE(trunc, truncf)
CW_ONE(round, roundf)
CW_ONE(rint, rintf)
CW_ONE(nearbyint, nearbyintf)
CW_ONE(fabs, fabsf)
#undef CW_ONE

CW_MATH int abs(int x)
{
    return x < 0 ? -x : x;
}
CW_MATH long labs(long x)
{
    return x < 0 ? -x : x;
}
CW_MATH long long llabs(long long x)
{
    return x < 0 ? -x : x;
}
CW_MATH long abs(long x)
{
    return x < 0 ? -x : x;
}
CW_MATH long long abs(long long x)
{
    return x < 0 ? -x : x;
}
CW_MATH float abs(float x)
{
    return __builtin_fabsf(x);
}
CW_MATH double abs(double x)
{
    return __builtin_fabs(x);
}

#define CW_TWO(name, single)                                                                       \
    CW_MATH float name(float x, float y)                                                           \
    {                                                                                              \
        return single(x, y);                                                                       \
    }                                                                                              \
    CW_MATH double name(double x, float y)                                                         \
    {                                                                                              \
        return name(x, (double)y);                                                                 \
    }                                                                                              \
    CW_MATH double name(float x, double y)                                                         \
    {                                                                                              \
        return name((double)x, y);                                                                 \
    }                                                                                              \
    CW_MATH double name(double x, int y)                                                           \
    {                                                                                              \
        return name(x, (double)y);                                                                 \
    }                                                                                              \
    CW_MATH double name(int x, double y)                                                           \
    {                                                                                              \
        return name((double)x, y);                                                                 \
    }                                                                                              \
    CW_MATH double name(int x, int y)                                                              \
    {                                                                                              \
        return name((double)x, (double)y);                                                         \
    }
CW_TWO(pow, powf)
CW_TWO(fmod, fmodf)
CW_TWO(atan2, atan2f)
CW_TWO(hypot, hypotf)
CW_TWO(fmax, fmaxf)
CW_TWO(fmin, fminf)
CW_TWO(fdim, fdimf)
CW_TWO(remainder, remainderf)
CW_TWO(copysign, copysignf)
#undef CW_TWO
CW_MATH float pow(float x, int y)
{
    return powf(x, (float)y);
}
CW_MATH float pow(int x, float y)
{
    return powf((float)x, y);
}
CW_MATH float fma(float a, float b, float c)
{
    return CW_FMAF(a, b, c);
}
CW_MATH float ldexp(float x, int n)
{
    return ldexpf(x, n);
}
CW_MATH float frexp(float x, int *e)
{
    return frexpf(x, e);
}
CW_MATH float modf(float x, float *whole)
{
    return modff(x, whole);
}
CW_MATH long lrint(float x)
{
    return lrintf(x);
}
CW_MATH long lround(float x)
{
    return lroundf(x);
}
CW_MATH bool isnan(float x)
{
    return x != x;
}
CW_MATH bool isnan(double x)
{
    return x != x;
}
CW_MATH bool isinf(float x)
{
    return __isinff(x);
}
CW_MATH bool isinf(double x)
{
    return __isinf(x);
}
CW_MATH bool isfinite(float x)
{
    return __finitef(x);
}
CW_MATH bool isfinite(double x)
{
    return __finite(x);
}
CW_MATH bool signbit(float x)
{
    return __signbitf(x);
}
CW_MATH bool signbit(double x)
{
    return __signbitd(x);
}

namespace std
{
using ::abs;
using ::acos;
using ::acosf;
using ::acosh;
using ::asin;
using ::asinf;
using ::asinh;
using ::atan;
using ::atan2;
using ::atan2f;
using ::atanf;
using ::atanh;
using ::cbrt;
using ::ceil;
using ::ceilf;
using ::copysign;
using ::cos;
using ::cosf;
using ::cosh;
using ::erf;
using ::erfc;
using ::exp;
using ::exp2;
using ::expf;
using ::expm1;
using ::fabs;
using ::fabsf;
using ::fdim;
using ::floor;
using ::floorf;
using ::fma;
using ::fmax;
using ::fmaxf;
using ::fmin;
using ::fminf;
using ::fmod;
using ::fmodf;
using ::frexp;
using ::hypot;
using ::isfinite;
using ::isinf;
using ::isnan;
using ::ldexp;
using ::lgamma;
using ::log;
using ::log10;
using ::log10f;
using ::log1p;
using ::log2;
using ::log2f;
using ::logf;
using ::lrint;
using ::lround;
using ::modf;
using ::nearbyint;
using ::pow;
using ::powf;
using ::remainder;
using ::rint;
using ::round;
using ::roundf;
using ::signbit;
using ::sin;
using ::sinf;
using ::sinh;
using ::sqrt;
using ::sqrtf;
using ::tan;
using ::tanf;
using ::tanh;
using ::tanhf;
using ::tgamma;
using ::trunc;
} // namespace std

#undef CW_FMA
#undef CW_FMAF
#undef CW_MATH

#endif
