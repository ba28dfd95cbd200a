/* What -use_fast_math makes of functions, division and root. */
__global__ void k(float *a)
{
    int i = threadIdx.x;
    a[i] = sinf(a[i]) / a[i + 32] + powf(a[i], 2.5f) + sqrtf(a[i + 1]);
}
