/* SPDX-License-Identifier: MIT */
#include "energy/array/devices.h"

#include <math.h>
#include <string.h>

#include "energy/array/gate.h"

const char *const array_flavour_names[] = {
#define X(name, word) "itrs-" word,
    ARRAY_FLAVOUR_LIST(X)
#undef X
};
const char *const array_layer_names[] = {"local", "semi-global", "global"};
const char *const array_projection_names[] = {"conservative", "aggressive"};
const char *const array_signal_names[] = {"Global", "Global_5", "Global_10", "Global_20",
                                          "Global_30"};

bool array_tables_covers(const struct array_tables *tables, double nm)
{
    return nm >= tables->nodes[tables->n_nodes - 1].nm && nm <= tables->nodes[0].nm;
}

static double mix(double a, double b, double share)
{
    return (1 - share) * a + share * b;
}

/* Resistances are formed per node, then mixed. */
static struct array_device device_at(const struct array_node *node, enum array_flavour flavour,
                                     int temp)
{
    struct array_device d = node->device[flavour];
    d.i_off = node->i_off[flavour][temp];
    d.i_gate = node->i_gate[flavour][temp];
    d.r_n = d.r_factor * d.vdd / d.i_on;
    d.r_p = d.n2p * d.r_n;
    return d;
}

static struct array_device device_make(const struct array_node *hi, const struct array_node *lo,
                                       double share, enum array_flavour flavour, int temp,
                                       double overlap)
{
    struct array_device a = device_at(hi, flavour, temp), d = a;
    if (hi != lo) {
        struct array_device b = device_at(lo, flavour, temp);
        const double *x = (const double *)&a, *y = (const double *)&b;
        double *z = (double *)&d;
        for (size_t i = 0; i < sizeof d / sizeof(double); i++)
            z[i] = mix(x[i], y[i], share);
    }
    d.c_overlap = overlap * d.c_gate;
    d.c_input = d.c_gate + d.c_overlap + 3 * d.c_fringe;
    return d;
}

/* Resistance and capacitance of a wire in the middle of a layer, between two others (Ho 2003). */
static struct array_wire wire_at(const struct array_node *node, enum array_projection p,
                                 enum array_layer layer, double pitch, const struct array_rules *k)
{
    bool global = layer == ARRAY_GLOBAL;
    const struct array_wire_rule *w = global ? &node->global[p] : &node->semi[p];
    double width = pitch / 2, space = width, thick = w->aspect * width;
    double dishing = global ? node->dishing[p] * thick : 0;

    return (struct array_wire){
        .pitch = pitch,
        .r =
            node->scatter[p] * w->rho / ((thick - w->barrier - dishing) * (width - 2 * w->barrier)),
        .c = 2 * k->eps0 * k->k_vertical * width / w->ild +
             2 * k->eps0 * k->miller * w->k * thick / space + k->fringe_wire,
        .aspect = w->aspect,
        .ild = w->ild,
        .k = w->k,
    };
}

static struct array_wire wire_make(const struct array_node *hi, const struct array_node *lo,
                                   double share, const struct array_tech_choice *c,
                                   enum array_layer layer, const struct array_tech *t)
{
    double pitch = layer == ARRAY_LOCAL  ? t->g.pitch_local
                   : layer == ARRAY_SEMI ? t->g.pitch_semi
                                         : t->g.pitch_global;
    struct array_wire a = wire_at(hi, c->projection, layer, pitch, &t->rules), w = a;
    if (hi != lo) {
        struct array_wire b = wire_at(lo, c->projection, layer, pitch, &t->rules);
        w.pitch = mix(a.pitch, b.pitch, share);
        w.r = mix(a.r, b.r, share);
        w.c = mix(a.c, b.c, share);
        w.aspect = mix(a.aspect, b.aspect, share);
        w.ild = mix(a.ild, b.ild, share);
        w.k = mix(a.k, b.k, share);
    }
    return w;
}

/* From area and aspect ratio, mixed between nodes like everything else although they are the same
 * at all: with some port counts a transistor is exactly as wide as its pitch, and the last bit
 * decides whether it is folded. */
static void cell_size(double share, double f, double area, double aspect, double *w, double *h)
{
    double a = area * f * f;
    if (share > 0) {
        a = mix(a, a, share);
        aspect = mix(aspect, aspect, share);
    }
    *w = sqrt(a / aspect);
    *h = aspect * *w;
}

void array_tech_make(const struct array_tables *tables, const struct array_tech_choice *c,
                     struct array_tech *out)
{
    struct array_tech t = {.f = c->nm / 1000, .rules = tables->rules};

    /* a node within 1 nm of a tabulated one is that one */
    const struct array_node *hi = &tables->nodes[0], *lo = hi;
    for (size_t i = 0; i < tables->n_nodes; i++) {
        const struct array_node *n = &tables->nodes[i];
        if (fabs(c->nm - n->nm) < 1) {
            hi = lo = n;
            break;
        }
        if (n->nm > c->nm)
            hi = n;
        lo = n;
        if (n->nm < c->nm)
            break;
    }
    double share = hi == lo ? 0 : (hi->nm - c->nm) / (hi->nm - lo->nm);
    int temp = (c->temp_k - 300) / 10;

    t.peri = device_make(hi, lo, share, c->peri, temp, t.rules.overlap);
    t.cell = device_make(hi, lo, share, c->cell, temp, t.rules.overlap);
    t.v_pre = lo->device[c->cell].vdd; /* the smaller node's, not mixed */
    t.v_swing = fmax(t.rules.swing_share * t.cell.vdd, t.rules.swing_min);

    t.g = tables->geometry;
    for (size_t i = 0; i < sizeof t.g / sizeof(double); i++)
        ((double *)&t.g)[i] *= t.f;
    t.g.mux_n = t.rules.mux_factor * t.g.w_min;
    cell_size(share, t.f, t.rules.cell_area, t.rules.cell_aspect, &t.g.cell_w, &t.g.cell_h);
    cell_size(share, t.f, t.rules.cam_area, t.rules.cam_aspect, &t.g.cam_w, &t.g.cam_h);
    t.w_eq = t.peri.n2p * t.g.w_min;
    t.w_pre = t.rules.precharge_factor * t.w_eq;

    t.local = wire_make(hi, lo, share, c, ARRAY_LOCAL, &t);
    t.in = wire_make(hi, lo, share, c, c->in, &t);
    t.out = wire_make(hi, lo, share, c, c->out, &t);
    t.g.pitch_local = t.local.pitch;
    array_repeated_make(&t, c->signal, &t.wire);
    *out = t;
}
