/* SPDX-License-Identifier: MIT
 *
 * Cloud physics of a weather model: one thread per column of air, blocks of 8x8 columns; for each layer
 * from the top, rain forms, falls, evaporates (Kessler, 1969), and vapour condenses. Each field is a
 * three-dimensional array whose layers lie nx * ny apart. */
#include "device.h"

KERNEL wp_rain(float *heat, float *vapour, float *cloud, float *rain, const float *density,
               const float *pressure, const float *thickness, float *fallen, int nx, int ny, int nz, float dt)
{
    int i = blockIdx.x * 8 + threadIdx.x, j = blockIdx.y * 8 + threadIdx.y;
    if (i >= nx || j >= ny)
        return;
    float flux = 0; /* of rain, from the layer above: kg per m^2 and s */
    for (int k = nz - 1; k >= 0; k--) {
        int at = (k * ny + j) * nx + i;
        float t = heat[at], qv = vapour[at], qc = cloud[at], qr = rain[at];
        float rho = density[at], p = pressure[at], dz = thickness[at];

        /* drops grow from cloud water, and by collecting it */
        float grow = 0.001f * (qc > 0.0005f ? qc - 0.0005f : 0) + 2.2f * qc * cw_exp2(0.875f * cw_log2(qr + 1e-9f));
        grow = grow * dt < qc ? grow * dt : qc;
        qc -= grow;
        qr += grow;

        /* they fall at a speed that depends on how much there is */
        float speed = 36.34f * cw_exp2(0.1346f * cw_log2(0.001f * rho * qr + 1e-12f)) * cw_rsqrt(rho);
        float out = rho * qr * speed, most = rho * qr * dz / dt + flux;
        out = out < most ? out : most;
        qr += (flux - out) * dt / (rho * dz);
        flux = out;

        /* saturation after Tetens: condense or evaporate what is over or under it */
        float es = 611.2f * cw_exp(17.67f * (t - 273.15f) / (t - 29.65f));
        float qs = 0.622f * es / (p - es);
        float change = (qv - qs) / (1 + qs * 4097.8f * 2490.0f / ((t - 29.65f) * (t - 29.65f)));
        change = change > -qc ? change : -qc;
        qv -= change;
        qc += change;
        t += 2490.0f * change;

        /* rain evaporates into dry air */
        float dry = qs - qv > 0 ? qs - qv : 0;
        float evaporate = 0.01f * dry * cw_sqrt(qr > 0 ? qr : 0) * dt;
        evaporate = evaporate < qr ? evaporate : qr;
        qr -= evaporate;
        qv += evaporate;
        t -= 2490.0f * evaporate;

        heat[at] = t;
        vapour[at] = qv;
        cloud[at] = qc;
        rain[at] = qr;
    }
    fallen[j * nx + i] += flux * dt;
}
