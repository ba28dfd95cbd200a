/* SPDX-License-Identifier: MIT
 *
 * Ray tracing of spheres with shadows and mirrors: one thread per pixel, the scene in constant memory,
 * reflections followed in a loop. Block 16x8. */
#include "device.h"

#define MAX_SPHERES 16

/* per sphere: centre and radius; shade of grey, share reflected, two unused */
__constant__ float4 places[MAX_SPHERES];
__constant__ float4 looks[MAX_SPHERES];

struct vec {
    float x, y, z;
};

DEVICE vec make(float x, float y, float z)
{
    vec v = {x, y, z};
    return v;
}
DEVICE vec along(vec o, vec d, float t)
{
    return make(o.x + t * d.x, o.y + t * d.y, o.z + t * d.z);
}
DEVICE float dot(vec a, vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* Nearest sphere on the ray, or -1. */
DEVICE int hit(vec o, vec d, int spheres, float &distance)
{
    int found = -1;
    distance = 1e30f;
    for (int i = 0; i < spheres; i++) {
        float4 s = places[i];
        vec to = make(s.x - o.x, s.y - o.y, s.z - o.z);
        float b = dot(to, d), c = b * b - dot(to, to) + s.w * s.w;
        if (c > 0) {
            float t = b - cw_sqrt(c);
            if (t > 1e-3f && t < distance) {
                distance = t;
                found = i;
            }
        }
    }
    return found;
}

KERNEL ray_trace(float *image, int width, int height, int spheres, int bounces)
{
    int px = blockIdx.x * 16 + threadIdx.x, py = blockIdx.y * 8 + threadIdx.y;
    if (px >= width || py >= height)
        return;
    vec o = make(0, 0, -4), light = make(0.57735f, 0.57735f, -0.57735f);
    vec d = make((px + 0.5f) / width - 0.5f, (py + 0.5f) / height - 0.5f, 1);
    float scale = cw_rsqrt(dot(d, d)), share = 1, colour = 0;
    d = make(d.x * scale, d.y * scale, d.z * scale);
    for (int k = 0; k <= bounces; k++) {
        float t, unused;
        int i = hit(o, d, spheres, t);
        if (i < 0) {
            colour += share * (0.2f + 0.2f * d.y); /* the sky */
            break;
        }
        vec p = along(o, d, t);
        float inverse = 1 / places[i].w;
        vec n = make((p.x - places[i].x) * inverse, (p.y - places[i].y) * inverse, (p.z - places[i].z) * inverse);
        float lit = dot(n, light);
        if (lit < 0 || hit(p, light, spheres, unused) >= 0)
            lit = 0;
        float mirror = looks[i].y;
        colour += share * (1 - mirror) * looks[i].x * (0.1f + 0.9f * lit);
        share *= mirror;
        float turn = -2 * dot(d, n);
        o = p;
        d = along(d, n, turn);
    }
    image[py * width + px] = colour;
}
