/* SPDX-License-Identifier: MIT
 *
 * cuda/include/cuComplex.h: complex numbers as pairs. */
#ifndef CW_CUDA_INCLUDE_CUCOMPLEX_H
#define CW_CUDA_INCLUDE_CUCOMPLEX_H

#include <math.h>

#include <vector_types.h>

#if defined(__CUDACC__)
#define CW_COMPLEX static __inline__ __attribute__((host, device))
#else
#define CW_COMPLEX static __inline__
#endif

typedef float2 cuFloatComplex;
CW_COMPLEX float cuCrealf(cuFloatComplex z)
{
    return z.x;
}
CW_COMPLEX float cuCimagf(cuFloatComplex z)
{
    return z.y;
}
CW_COMPLEX cuFloatComplex make_cuFloatComplex(float re, float im)
{
    cuFloatComplex z;
    z.x = re;
    z.y = im;
    return z;
}
CW_COMPLEX cuFloatComplex cuConjf(cuFloatComplex z)
{
    return make_cuFloatComplex(z.x, -z.y);
}
CW_COMPLEX cuFloatComplex cuCaddf(cuFloatComplex a, cuFloatComplex b)
{
    return make_cuFloatComplex(a.x + b.x, a.y + b.y);
}
CW_COMPLEX cuFloatComplex cuCsubf(cuFloatComplex a, cuFloatComplex b)
{
    return make_cuFloatComplex(a.x - b.x, a.y - b.y);
}
CW_COMPLEX cuFloatComplex cuCmulf(cuFloatComplex a, cuFloatComplex b)
{
    return make_cuFloatComplex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
/* Both are made smaller first, so that squares do not overflow. */
CW_COMPLEX cuFloatComplex cuCdivf(cuFloatComplex a, cuFloatComplex b)
{
    float scale = 1 / (fabsf(b.x) + fabsf(b.y));
    float ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;
    float by_square = 1 / (bx * bx + by * by);
    return make_cuFloatComplex((ax * bx + ay * by) * by_square, (ay * bx - ax * by) * by_square);
}
CW_COMPLEX float cuCabsf(cuFloatComplex z)
{
    float x = fabsf(z.x), y = fabsf(z.y), large = x > y ? x : y, small = x > y ? y : x;
    if (large == 0 || large - large != 0)
        return x + y;
    return large * sqrtf(1 + (small / large) * (small / large));
}
CW_COMPLEX cuFloatComplex cuCfmaf(cuFloatComplex a, cuFloatComplex b, cuFloatComplex c)
{
    return cuCaddf(cuCmulf(a, b), c);
}

typedef double2 cuDoubleComplex;
CW_COMPLEX double cuCreal(cuDoubleComplex z)
{
    return z.x;
}
CW_COMPLEX double cuCimag(cuDoubleComplex z)
{
    return z.y;
}
CW_COMPLEX cuDoubleComplex make_cuDoubleComplex(double re, double im)
{
    cuDoubleComplex z;
    z.x = re;
    z.y = im;
    return z;
}
CW_COMPLEX cuDoubleComplex cuConj(cuDoubleComplex z)
{
    return make_cuDoubleComplex(z.x, -z.y);
}
CW_COMPLEX cuDoubleComplex cuCadd(cuDoubleComplex a, cuDoubleComplex b)
{
    return make_cuDoubleComplex(a.x + b.x, a.y + b.y);
}
CW_COMPLEX cuDoubleComplex cuCsub(cuDoubleComplex a, cuDoubleComplex b)
{
    return make_cuDoubleComplex(a.x - b.x, a.y - b.y);
}
CW_COMPLEX cuDoubleComplex cuCmul(cuDoubleComplex a, cuDoubleComplex b)
{
    return make_cuDoubleComplex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
/* Both are made smaller first, so that squares do not overflow. */
CW_COMPLEX cuDoubleComplex cuCdiv(cuDoubleComplex a, cuDoubleComplex b)
{
    double scale = 1 / (fabs(b.x) + fabs(b.y));
    double ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;
    double by_square = 1 / (bx * bx + by * by);
    return make_cuDoubleComplex((ax * bx + ay * by) * by_square, (ay * bx - ax * by) * by_square);
}
CW_COMPLEX double cuCabs(cuDoubleComplex z)
{
    double x = fabs(z.x), y = fabs(z.y), large = x > y ? x : y, small = x > y ? y : x;
    if (large == 0 || large - large != 0)
        return x + y;
    return large * sqrt(1 + (small / large) * (small / large));
}
CW_COMPLEX cuDoubleComplex cuCfma(cuDoubleComplex a, cuDoubleComplex b, cuDoubleComplex c)
{
    return cuCadd(cuCmul(a, b), c);
}

typedef cuFloatComplex cuComplex;
CW_COMPLEX cuComplex make_cuComplex(float re, float im)
{
    return make_cuFloatComplex(re, im);
}
CW_COMPLEX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z)
{
    return make_cuDoubleComplex((double)z.x, (double)z.y);
}
CW_COMPLEX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z)
{
    return make_cuFloatComplex((float)z.x, (float)z.y);
}

#undef CW_COMPLEX

#endif
