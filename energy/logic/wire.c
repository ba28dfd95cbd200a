/* SPDX-License-Identifier: MIT */
#include "energy/logic/wire.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "energy/logic/process.h"

/* Wong, Lee, Ma and Chao 2000: interconnect capacitance of parallel lines above one plane. */
struct wire_rc wire_rc(const struct wire_layer *layer, double width, double spacing)
{
    const double eps0 = 8.85e-12;
    double eps = layer->permittivity * eps0;
    double w = width, s = spacing, t = layer->thickness, h = layer->dielectric;
    double ground =
        eps * (w / h + 2.04 * pow(s / (s + 0.54 * h), 1.77) * pow(t / (t + 4.53 * h), 0.07));
    double couple = eps * (1.14 * (t / s) * exp(-4 * s / (s + 8.01 * h)) +
                           2.37 * pow(w / (w + 0.31 * s), 0.28) * pow(h / (h + 8.96 * s), 0.76) *
                               exp(-2 * s / (s + 6 * h)));
    return (struct wire_rc){
        .r = layer->resistivity / (w * t), .c = 2 * (ground + couple), .c_neighbours = 2 * couple};
}

double round6(double v)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    double size = fabs(v);
    if (size >= 1e-17 && size < 1e5) {
        /* six digits are a whole number below 2^53 over a power of ten that a double holds exactly:
         * their quotient is what reading the text would give */
        int k = 5 - (int)floor(log10(size));
        double digits = rint(v * powers[k]);
        if (fabs(digits) >= 99999.5 && fabs(digits) < 1e6)
            return digits / powers[k];
    }
    char text[32];
    snprintf(text, sizeof text, "%.6g", v);
    return strtod(text, NULL);
}
