// Mathematics on the device beside the host's: the largest error in units in the last place.
#include <cmath>
#include <cstdio>
#include <cstring>

#define FUNCTIONS(X)                                                                               \
    X(sin, -30, 30)                                                                                \
    X(cos, -30, 30)                                                                                \
    X(tan, -1.5, 1.5)                                                                              \
    X(asin, -1, 1)                                                                                 \
    X(acos, -1, 1)                                                                                 \
    X(atan, -20, 20)                                                                               \
    X(sinh, -8, 8)                                                                                 \
    X(cosh, -8, 8)                                                                                 \
    X(tanh, -4, 4)                                                                                 \
    X(exp, -40, 40)                                                                                \
    X(exp2, -40, 40)                                                                               \
    X(expm1, -2, 2)                                                                                \
    X(log, 0.001, 100)                                                                             \
    X(log2, 0.001, 100)                                                                            \
    X(log10, 0.001, 100)                                                                           \
    X(log1p, -0.9, 9)                                                                              \
    X(cbrt, -50, 50)                                                                               \
    X(erf, -3, 3)                                                                                  \
    X(erfc, -3, 5)                                                                                 \
    X(sqrt, 0, 100)                                                                                \
    X(round, -50, 50)                                                                              \
    X(rint, -50, 50)                                                                               \
    X(floor, -50, 50)

#define N 512
template <typename T> __global__ void all(const double *x, T *out)
{
    int i = threadIdx.x;
    int k = 0;
#define X(f, lo, hi)                                                                               \
    out[k * N + i] = f((T)x[k * N + i]);                                                           \
    k++;
    FUNCTIONS(X)
#undef X
}

template <typename T> __global__ void two(const double *x, T *out)
{
    int i = threadIdx.x;
    T a = (T)fabs(x[i]), b = (T)x[N + i];
    out[i] = pow(a, b);
    out[N + i] = atan2(b, (T)x[i]);
    out[2 * N + i] = hypot(a, b);
    out[3 * N + i] = fmod(a, (T)0.37);
    out[4 * N + i] = sin((T)(a * (T)1e7));
}

static double ulps(double got, double want, bool single)
{
    if (single)
        want = fabs(want) > 3.4028235677973366e38 ? copysign(INFINITY, want) : want;
    if (got == want || (got != got && want != want))
        return 0;
    int e;
    frexp(want, &e);
    double unit = ldexp(1.0, e - (single ? 24 : 53)), least = ldexp(1.0, single ? -149 : -1074);
    return fabs(got - want) / (unit > least ? unit : least);
}

template <typename T> static void judge(const char *name)
{
    const bool single = sizeof(T) == 4;
    int n = 0;
#define X(f, lo, hi) n++;
    FUNCTIONS(X)
#undef X
    double *x, worst = 0;
    T *out;
    cudaMallocManaged(&x, n * N * sizeof(double));
    cudaMallocManaged(&out, n * N * sizeof(T));
    int k = 0;
#define X(f, lo, hi)                                                                               \
    for (int i = 0; i < N; i++)                                                                    \
        x[k * N + i] = (T)(lo + (double)(hi - lo) * (i + 0.37) / N);                               \
    k++;
    FUNCTIONS(X)
#undef X
    all<T><<<1, N>>>(x, out);
    cudaDeviceSynchronize();
    k = 0;
#define X(f, lo, hi)                                                                               \
    worst = 0;                                                                                     \
    for (int i = 0; i < N; i++) {                                                                  \
        double u = ulps(out[k * N + i], (double)f##l((long double)x[k * N + i]), single);          \
        worst = u > worst ? u : worst;                                                             \
    }                                                                                              \
    if (worst > 4)                                                                                 \
        printf("%s %s: %.1f ulp\n", name, #f, worst);                                              \
    k++;
    FUNCTIONS(X)
#undef X
    double worst_two[5] = {0};
    two<T><<<1, N>>>(x, out);
    cudaDeviceSynchronize();
    for (int i = 0; i < N; i++) {
        double a = (double)(T)fabs(x[i]), b = (double)(T)x[N + i], c = (double)(T)x[i];
        double want[5] = {(double)powl(a, b), (double)atan2l(b, c), (double)hypotl(a, b),
                          fmod(a, (double)(T)0.37), sin((double)((T)a * (T)1e7))};
        for (int j = 0; j < 5; j++) {
            double u = ulps(out[j * N + i], want[j], single);
            worst_two[j] = u > worst_two[j] ? u : worst_two[j];
        }
    }
    const char *names[5] = {"pow", "atan2", "hypot", "fmod", "sin of large numbers"};
    for (int j = 0; j < 5; j++)
        if (worst_two[j] > 4)
            printf("%s %s: %.1f ulp\n", name, names[j], worst_two[j]);
    printf("%s: %d functions, %s\n", name, n + 5, cudaGetErrorString(cudaGetLastError()));
}

int main()
{
    judge<float>("float");
    judge<double>("double");
    return 0;
}
