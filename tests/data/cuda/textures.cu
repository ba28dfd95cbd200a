// Textures by reference and by object, point and linear, and surfaces.
#include <cstdio>

texture<float, 1> line;
texture<uchar4, 2, cudaReadModeNormalizedFloat> pixels;

__global__ void read(float *out, cudaTextureObject_t picture, cudaTextureObject_t wrapped)
{
    int i = threadIdx.x;
    out[i] = tex1Dfetch(line, i);
    out[32 + i] = tex2D<float>(picture, i + 0.5f, 1.5f);
    out[64 + i] = tex2D<float>(picture, (float)i, 1.0f);
    out[96 + i] = tex2D<float>(wrapped, (i + 0.5f) / 32.0f + 2.0f, 0.25f);
    out[128 + i] = tex2D(pixels, i, 0).y;
}

__global__ void write(cudaSurfaceObject_t s)
{
    surf2Dwrite(2.0f * surf2Dread<float>(s, threadIdx.x * 4, 1), s, threadIdx.x * 4, 0);
}

int main()
{
    const int n = 32;
    float host[2 * n], back[2 * n], *d, *out;
    unsigned char bytes[n][4];
    for (int i = 0; i < 2 * n; i++)
        host[i] = (float)i;
    for (int i = 0; i < n; i++)
        bytes[i][1] = (unsigned char)(i * 5);
    cudaMalloc(&d, sizeof host);
    cudaMallocManaged(&out, 5 * n * sizeof(float));
    cudaMemcpy(d, host, sizeof host, cudaMemcpyHostToDevice);
    cudaBindTexture(0, line, d, n * sizeof(float));

    cudaChannelFormatDesc real = cudaCreateChannelDesc<float>(), four = cudaCreateChannelDesc<uchar4>();
    cudaArray_t array, colours;
    cudaMallocArray(&array, &real, n, 2, cudaArraySurfaceLoadStore);
    cudaMemcpy2DToArray(array, 0, 0, host, n * sizeof(float), n * sizeof(float), 2,
                        cudaMemcpyHostToDevice);
    cudaMallocArray(&colours, &four, n, 1);
    cudaMemcpyToArray(colours, 0, 0, bytes, sizeof bytes, cudaMemcpyHostToDevice);
    cudaBindTextureToArray(pixels, colours);

    cudaResourceDesc what = {};
    what.resType = cudaResourceTypeArray;
    what.res.array.array = array;
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    how.filterMode = cudaFilterModeLinear;
    cudaTextureObject_t picture, wrapped;
    cudaCreateTextureObject(&picture, &what, &how, NULL);
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeWrap;
    how.filterMode = cudaFilterModePoint;
    how.normalizedCoords = 1;
    cudaCreateTextureObject(&wrapped, &what, &how, NULL);
    cudaSurfaceObject_t surface;
    cudaCreateSurfaceObject(&surface, &what);

    read<<<1, n>>>(out, picture, wrapped);
    write<<<1, n>>>(surface);
    cudaMemcpy2DFromArray(back, n * sizeof(float), array, 0, 0, n * sizeof(float), 2,
                          cudaMemcpyDeviceToHost);
    int wrong[6] = {0};
    for (int i = 0; i < n; i++) {
        wrong[0] += out[i] != i;
        wrong[1] += out[n + i] != n + i;
        wrong[2] += out[2 * n + i] != (i ? i - 0.5f : 0) + 0.5f * n; /* between rows and columns */
        wrong[3] += out[3 * n + i] != i;
        wrong[4] += out[4 * n + i] != i * 5 / 255.0f;
        wrong[5] += back[i] != 2.0f * (n + i);
    }
    printf("fetch %d, object %d, linear %d, wrap %d, normalized %d, surface %d wrong: %s\n",
           wrong[0], wrong[1], wrong[2], wrong[3], wrong[4], wrong[5],
           cudaGetErrorString(cudaGetLastError()));
    return 0;
}
