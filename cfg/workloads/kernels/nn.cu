/* SPDX-License-Identifier: MIT
 *
 * Recognition of handwritten digits by a convolutional network of four layers. blockIdx.y is the
 * image, blockIdx.x the feature map or neuron. The first weight of each neuron is its bias. */
#include "device.h"

DEVICE float squash(float x)
{
    return 1.7159f * cw_tanh(0.66666667f * x);
}

/* 29x29 pixels to 6 maps of 13x13 */
KERNEL nn_layer1(const float *in, const float *w, float *out)
{
    int map = blockIdx.x, image = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
    const float *from = in + 29 * 29 * image + 2 * ty * 29 + 2 * tx;
    float sum = w[26 * map];
    for (int k = 0; k < 25; k++)
        sum += from[k / 5 * 29 + k % 5] * w[26 * map + 1 + k];
    out[13 * 13 * 6 * image + 13 * 13 * map + 13 * ty + tx] = squash(sum);
}

/* 6 maps of 13x13 to 50 maps of 5x5 */
KERNEL nn_layer2(const float *in, const float *w, float *out)
{
    int map = blockIdx.x, image = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
    const float *from = in + 13 * 13 * 6 * image + 2 * ty * 13 + 2 * tx;
    float sum = w[156 * map];
    for (int k = 0; k < 25; k++)
        for (int m = 0; m < 6; m++)
            sum += from[13 * 13 * m + k / 5 * 13 + k % 5] * w[156 * map + 1 + 6 * k + m];
    out[5 * 5 * 50 * image + 5 * 5 * map + 5 * ty + tx] = squash(sum);
}

/* one thread per neuron: layers 3 (1250 inputs, 100 neurons) and 4 (100 inputs, 10 neurons) */
DEVICE void full(const float *in, const float *w, float *out, int inputs)
{
    int neuron = blockIdx.x, image = blockIdx.y;
    float sum = w[(inputs + 1) * neuron];
    for (int i = 0; i < inputs; i++)
        sum += in[inputs * image + i] * w[(inputs + 1) * neuron + 1 + i];
    out[gridDim.x * image + neuron] = squash(sum);
}

KERNEL nn_layer3(const float *in, const float *w, float *out)
{
    full(in, w, out, 1250);
}

KERNEL nn_layer4(const float *in, const float *w, float *out)
{
    full(in, w, out, 100);
}
