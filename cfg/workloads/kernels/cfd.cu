/* SPDX-License-Identifier: MIT
 *
 * Euler equations of a compressible gas on an unstructured mesh: finite volumes with four
 * neighbours per cell, Runge-Kutta in time. One thread per cell, blocks of 192. The five variables
 * (density, momentum in x, y, z, energy) lie one array after the other. */
#include "device.h"

#define GAMMA 1.4f
#define SMOOTHING 0.2f
#define SIDES 4
#define WALL -1
#define FAR -2

struct vec {
    float x, y, z;
};

struct state {
    float density, energy, pressure, speed, sound;
    vec momentum, velocity;
};

DEVICE state state_of(float density, vec momentum, float energy)
{
    state s;
    s.density = density;
    s.momentum = momentum;
    s.energy = energy;
    s.velocity.x = momentum.x / density;
    s.velocity.y = momentum.y / density;
    s.velocity.z = momentum.z / density;
    float v2 = s.velocity.x * s.velocity.x + s.velocity.y * s.velocity.y + s.velocity.z * s.velocity.z;
    s.speed = cw_sqrt(v2);
    s.pressure = (GAMMA - 1) * (energy - 0.5f * density * v2);
    s.sound = cw_sqrt(GAMMA * s.pressure / density);
    return s;
}

DEVICE state state_at(const float *v, int i, int n)
{
    vec m = {v[i + n], v[i + 2 * n], v[i + 3 * n]};
    return state_of(v[i], m, v[i + 4 * n]);
}

/* What flows through a side with half normal h because of the state on one side of it. */
DEVICE void add_flow(float flux[5], const state &s, vec h)
{
    float through = h.x * s.velocity.x + h.y * s.velocity.y + h.z * s.velocity.z;
    flux[0] += h.x * s.momentum.x + h.y * s.momentum.y + h.z * s.momentum.z;
    flux[1] += through * s.momentum.x + h.x * s.pressure;
    flux[2] += through * s.momentum.y + h.y * s.pressure;
    flux[3] += through * s.momentum.z + h.z * s.pressure;
    flux[4] += through * (s.energy + s.pressure);
}

/* A made-up mesh: three neighbours near by, one anywhere, now and then a wall or the far field. */
KERNEL cfd_mesh(int *neighbours, float *normals, float *areas, float *variables, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    areas[i] = 0.5f + (cw_mix(i) & 1023) * (1.0f / 1024);
    for (int j = 0; j < SIDES; j++) {
        unsigned r = cw_mix(i * SIDES + j);
        int to = j < 3 ? (int)((i + r % 65 + n - 32) % n) : (int)(r % n);
        neighbours[i + j * n] = r % 31 == 0 ? WALL : r % 37 == 0 ? FAR : to;
        for (int k = 0; k < 3; k++)
            normals[i + (j + k * SIDES) * n] = (int)(cw_mix(r + k) & 1023) * (0.1f / 1024) - 0.05f;
    }
    variables[i] = 1.4f + (cw_mix(i + 1) & 255) * (1.0f / 4096);
    for (int k = 1; k < 4; k++)
        variables[i + k * n] = (k == 1 ? 1.0f : 0.0f) + (cw_mix(i + k) & 255) * (1.0f / 2048);
    variables[i + 4 * n] = 3.0f + (cw_mix(i + 5) & 255) * (1.0f / 2048);
}

KERNEL cfd_step_factor(const float *variables, const float *areas, float *step, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        state s = state_at(variables, i, n);
        step[i] = 0.5f / (cw_sqrt(areas[i]) * (s.speed + s.sound));
    }
}

KERNEL cfd_flux(const int *neighbours, const float *normals, const float *variables, float *fluxes, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    state me = state_at(variables, i, n);
    float flux[5] = {0, 0, 0, 0, 0};
#pragma unroll
    for (int j = 0; j < SIDES; j++) {
        int nb = neighbours[i + j * n];
        vec normal = {normals[i + j * n], normals[i + (j + SIDES) * n], normals[i + (j + 2 * SIDES) * n]};
        vec half = {0.5f * normal.x, 0.5f * normal.y, 0.5f * normal.z};
        if (nb >= 0) {
            state other = state_at(variables, nb, n);
            float length = cw_sqrt(normal.x * normal.x + normal.y * normal.y + normal.z * normal.z);
            float k = -length * SMOOTHING * 0.5f * (me.speed + other.speed + me.sound + other.sound);
            flux[0] += k * (me.density - other.density);
            flux[1] += k * (me.momentum.x - other.momentum.x);
            flux[2] += k * (me.momentum.y - other.momentum.y);
            flux[3] += k * (me.momentum.z - other.momentum.z);
            flux[4] += k * (me.energy - other.energy);
            add_flow(flux, me, half);
            add_flow(flux, other, half);
        } else if (nb == WALL) {
            flux[1] += normal.x * me.pressure;
            flux[2] += normal.y * me.pressure;
            flux[3] += normal.z * me.pressure;
        } else {
            vec m = {1.4f * 1.2f, 0, 0};
            state far = state_of(1.4f, m, 1.4f * 0.5f * 1.44f + 1 / (GAMMA - 1));
            add_flow(flux, me, half);
            add_flow(flux, far, half);
        }
    }
#pragma unroll
    for (int k = 0; k < 5; k++)
        fluxes[i + k * n] = flux[k];
}

KERNEL cfd_time_step(const float *old, float *variables, const float *step, const float *fluxes, int stage,
                     int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float factor = step[i] / (3 + 1 - stage);
#pragma unroll
    for (int k = 0; k < 5; k++)
        variables[i + k * n] = old[i + k * n] + factor * fluxes[i + k * n];
}
