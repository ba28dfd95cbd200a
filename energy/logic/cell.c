/* SPDX-License-Identifier: MIT */
#include "energy/logic/cell.h"

#include <math.h>
#include <string.h>

#include "energy/logic/wire.h"

const char *const cell_names[CELL_KINDS] = {"INV", "NAND2", "NOR2", "AND2", "OR2", "MUX2", "DFFQ"};
const char *const leak_variant_names[LEAK_VARIANTS] = {
#define X(name, word) word,
    LEAK_VARIANT_LIST(X)
#undef X
};

unsigned cell_pins(enum cell_kind kind)
{
    return kind == CELL_INV ? 1 : kind == CELL_MUX2 ? 3 : 2;
}

unsigned cell_states(enum cell_kind kind)
{
    return kind == CELL_INV ? 2 : kind == CELL_MUX2 || kind == CELL_DFFQ ? 8 : 4;
}

/* ---- leakage of a stack of one or two off transistors ------------------------------------------
 * At the temperature of characterisation. g is 1 for a transistor whose gate is driven on; 0 is the
 * one at the rail. */

static double stack_leak(const struct logic_tech *tech, const struct transistor *dev, double width,
                         int depth, int g0, int g1, enum leak_variant variant)
{
    double vdd = tech->vdd, swing = dev->swing, s2 = swing / dev->dibl;
    double vgs = g0 * vdd, vds = vdd;
    if (depth == 2) {
        double mid = (s2 * (g1 - g0) * vdd + swing * vdd) / (2 * swing + s2);
        if (mid < 0) /* transistor 0 is on: only the other one counts */
            vgs = g1 * vdd;
        else if (mid <= vdd)
            vds = mid;
    }
    double current;
    if (variant == LEAK_091)
        current =
            fmax(dev->min_off, width * dev->off_current * pow(10, vgs / swing + (vds - vdd) / s2));
    else
        current = fmax(dev->min_off, width * dev->off_current) *
                  pow(10, vgs / swing + (vds - tech->char_vdd) / s2);
    return vdd * current;
}

/* ---- transistor networks --------------------------------------------------------------------- */

enum net_kind { NET_INV, NET_NAND, NET_NOR, NET_TRI };

struct tnet {
    enum net_kind kind;
    double fingers;
    double pitches; /* gate pitches used */
    double in_cap, oe_cap, oen_cap, out_cap, out_r;
    double wn, wp;                 /* width of one finger */
    double leak[LEAK_VARIANTS][6]; /* W, by state */
};

/* Which stack leaks in a state: device, depth, gates, and how many in parallel. */
struct leak_path {
    char device; /* 'n' or 'p' */
    int depth, g0, g1, copies;
};

static const struct leak_path inv_paths[] = {{'n', 1, 0, 0, 1}, {'p', 1, 0, 0, 1}};
static const struct leak_path nand_paths[] = {
    {'n', 2, 0, 0, 1}, {'n', 2, 1, 0, 1}, {'n', 2, 0, 1, 1}, {'p', 1, 0, 0, 2}};
static const struct leak_path nor_paths[] = {
    {'n', 1, 0, 0, 2}, {'p', 2, 0, 1, 1}, {'p', 2, 1, 0, 1}, {'p', 2, 0, 0, 1}};
/* States of a tri-state inverter, named enable, complement, input, output. */
enum { T010_0, T010_1, T011_0, T011_1, T100_1, T101_0, TRI_STATES };
static const struct leak_path tri_paths[TRI_STATES] = {
    [T010_0] = {'p', 2, 1, 0, 1}, [T010_1] = {'n', 2, 0, 0, 1}, [T011_0] = {'p', 2, 0, 0, 1},
    [T011_1] = {'n', 2, 1, 0, 1}, [T100_1] = {'n', 2, 0, 1, 1}, [T101_0] = {'p', 2, 0, 1, 1},
};
static const struct leak_path *const leak_paths[] = {inv_paths, nand_paths, nor_paths, tri_paths};

static const int leak_states[] = {2, 4, 4, TRI_STATES};

static void fill_leaks(const struct cell_lib *lib, struct tnet *t)
{
    const struct logic_tech *tech = lib->tech;
    for (int v = 0; v < LEAK_VARIANTS; v++)
        for (int s = 0; s < leak_states[t->kind]; s++) {
            const struct leak_path *p = &leak_paths[t->kind][s];
            bool n = p->device == 'n';
            double one = stack_leak(tech, n ? &tech->nmos : &tech->pmos, n ? t->wn : t->wp,
                                    p->depth, p->g0, p->g1, (enum leak_variant)v);
            t->leak[v][s] = round6(one * lib->heat * t->fingers * p->copies);
        }
}

static struct tnet make_tnet(const struct cell_lib *lib, enum net_kind kind, double size)
{
    const struct logic_tech *tech = lib->tech;
    int depth_n = kind == NET_NAND || kind == NET_TRI ? 2 : 1;
    int depth_p = kind == NET_NOR || kind == NET_TRI ? 2 : 1;
    double m = kind == NET_INV ? 1 : 2;
    double f = size < 1 ? 1 : ceil(size);
    double bn = 1 + tech->nmos.stack_ratio * (depth_n - 1);
    double bp = 1 + tech->pmos.stack_ratio * (depth_p - 1);
    double share = lib->active_height / (bn + lib->pn_ratio * bp) * size / f;
    double wn = fmax(tech->min_width, share * bn);
    double wp = fmax(tech->min_width, share * bp * lib->pn_ratio);
    struct tnet t = {
        .kind = kind,
        .fingers = f,
        .pitches = m * f,
        .in_cap = (wn + wp) * tech->gate_cap * f,
        .oe_cap = wn * tech->gate_cap * f,
        .oen_cap = wp * tech->gate_cap * f,
        .out_cap = m * (wn + wp) * tech->drain_cap * f + lib->metal_cap * m * f * lib->height,
        .out_r = (bn * tech->nmos.resistance / wn + bp * tech->pmos.resistance / wp) / (2 * f),
        .wn = wn,
        .wp = wp,
    };
    fill_leaks(lib, &t);
    return t;
}

static double gate_delay(const struct tnet *t, double cap)
{
    return 0.693 * t->out_r * cap;
}

/* ---- cells ----------------------------------------------------------------------------------- */

static double cell_area(const struct cell_lib *lib, const struct tnet *t, size_t n)
{
    double pitches = 1;
    for (size_t i = 0; i < n; i++)
        pitches += t[i].pitches;
    return lib->tech->gate_pitch * lib->height * pitches;
}

static void make_gate(const struct cell_lib *lib, enum net_kind kind, double size, struct cell *c)
{
    struct tnet t = make_tnet(lib, kind, size);
    c->area = cell_area(lib, &t, 1);
    unsigned pins = kind == NET_INV ? 1 : 2;
    for (unsigned p = 0; p < pins; p++) {
        c->pin_cap[p] = t.in_cap;
        c->delay[p] = gate_delay(&t, t.out_cap);
    }
    c->drive_r = t.out_r;
    c->out_cap = c->cap_y = t.out_cap;
    for (int v = 0; v < LEAK_VARIANTS; v++)
        for (int s = 0; s < (1 << pins); s++)
            c->leak[v][s] = t.leak[v][s];
}

/* AND2 and OR2: a gate of `factor` the size, then an inverter. The inverter's state beside each
 * gate state is the published table, which for AND2 is not the logical one. */
static void make_gate_inv(const struct cell_lib *lib, enum net_kind kind, double factor,
                          const int inv_state[4], double size, struct cell *c)
{
    struct tnet t[2] = {make_tnet(lib, kind, size * factor), make_tnet(lib, NET_INV, size)};
    double yb = t[0].out_cap + t[1].in_cap, y = t[1].out_cap;
    c->area = cell_area(lib, t, 2);
    for (int p = 0; p < 2; p++) {
        c->pin_cap[p] = t[0].in_cap;
        c->delay[p] = gate_delay(&t[0], yb) + gate_delay(&t[1], y);
    }
    c->drive_r = t[1].out_r;
    c->out_cap = y;
    c->cap_y = yb + y;
    for (int v = 0; v < LEAK_VARIANTS; v++)
        for (int s = 0; s < 4; s++)
            c->leak[v][s] = t[0].leak[v][s] + t[1].leak[v][inv_state[s]];
}

static void make_mux2(const struct cell_lib *lib, double size, struct cell *c)
{
    struct tnet t[4] = {make_tnet(lib, NET_INV, size * 0.25), make_tnet(lib, NET_INV, size),
                        make_tnet(lib, NET_TRI, size * 0.5), make_tnet(lib, NET_TRI, size * 0.5)};
    const struct tnet *i1 = &t[0], *i2 = &t[1], *z1 = &t[2], *z2 = &t[3];
    double sb = i1->out_cap + z1->oe_cap + z2->oen_cap;
    double yb = z1->out_cap + z2->out_cap + i2->in_cap, y = i2->out_cap;
    c->area = cell_area(lib, t, 4);
    c->pin_cap[PIN_A] = z1->in_cap;
    c->pin_cap[PIN_B] = z2->in_cap;
    c->pin_cap[PIN_S] = i1->in_cap + z1->oen_cap + z2->oe_cap;
    c->delay[PIN_A] = c->delay[PIN_B] = gate_delay(z1, yb) + gate_delay(i2, y);
    c->delay[PIN_S] = gate_delay(i1, sb) + gate_delay(z1, yb) + gate_delay(i2, y);
    c->drive_r = i2->out_r;
    c->out_cap = y;
    c->cap_y = yb + y;
    c->cap_s = sb;
    /* by A B S: states of i1, i2, z1, z2 (the published table, irregularities included) */
    static const int states[8][4] = {{0, 1, T100_1, T010_1}, {1, 1, T010_1, T100_1},
                                     {0, 1, T100_1, T011_1}, {1, 0, T010_0, T101_0},
                                     {0, 0, T101_0, T010_0}, {1, 0, T011_1, T100_1},
                                     {1, 1, T101_0, T011_0}, {1, 1, T011_0, T101_0}};
    for (int v = 0; v < LEAK_VARIANTS; v++)
        for (int s = 0; s < 8; s++)
            for (int i = 0; i < 4; i++)
                c->leak[v][s] += t[i].leak[v][states[s][i]];
}

static void make_dffq(const struct cell_lib *lib, double size, struct cell *c)
{
    enum { I1, I2, I3, I4, I5, I6, Z1, Z2, Z3, Z4, BLOCKS };
    static const double factor[BLOCKS] = {0.125, 0.5, 0.5,    1,   0.125,
                                          0.125, 0.5, 0.0625, 0.5, 0.0625};
    struct tnet t[BLOCKS];
    for (int i = 0; i < BLOCKS; i++)
        t[i] = make_tnet(lib, i < Z1 ? NET_INV : NET_TRI, size * factor[i]);
    double db = t[I1].out_cap + t[Z1].in_cap;
    double mb = t[Z1].out_cap + t[Z2].out_cap + t[I2].in_cap;
    double m = t[I2].out_cap + t[Z2].in_cap + t[Z3].in_cap;
    double mi = t[Z3].out_cap + t[Z4].out_cap + t[I3].in_cap;
    double qb = t[I3].out_cap + t[I4].in_cap + t[Z4].in_cap;
    double q = t[I4].out_cap;
    double ckb =
        t[I5].out_cap + t[I6].in_cap + t[Z1].oe_cap + t[Z2].oen_cap + t[Z3].oen_cap + t[Z4].oe_cap;
    double cki = t[I6].out_cap + t[Z1].oen_cap + t[Z2].oe_cap + t[Z3].oe_cap + t[Z4].oen_cap;
    c->area = cell_area(lib, t, BLOCKS);
    c->pin_cap[PIN_D] = t[I1].in_cap;
    c->pin_cap[PIN_CK] = t[I5].in_cap;
    c->delay[PIN_D] = gate_delay(&t[I1], db) + gate_delay(&t[Z1], mb) + gate_delay(&t[I2], m);
    c->delay[PIN_CK] = gate_delay(&t[I5], ckb) + gate_delay(&t[I6], cki) + gate_delay(&t[Z3], mi) +
                       gate_delay(&t[I3], qb) + gate_delay(&t[I4], q);
    c->drive_r = t[I4].out_r;
    c->out_cap = q;
    c->cap_y = mi + qb + q;
    c->cap_s = ckb + cki;
    c->cap_d = db;
    c->cap_m = mb + m;
    /* by D CK Q: states of the six inverters, then of the four tri-states */
    static const int states[8][BLOCKS] = {{0, 0, 0, 1, 0, 1, T101_0, T011_0, T011_0, T101_0},
                                          {0, 0, 1, 0, 0, 1, T101_0, T011_0, T011_1, T100_1},
                                          {0, 0, 0, 1, 1, 0, T011_0, T101_0, T101_0, T011_0},
                                          {0, 1, 1, 0, 1, 0, T011_1, T100_1, T100_1, T010_1},
                                          {1, 1, 0, 1, 0, 1, T100_1, T010_1, T010_0, T101_0},
                                          {1, 1, 1, 0, 0, 1, T100_1, T010_1, T010_1, T100_1},
                                          {1, 0, 0, 1, 1, 0, T010_0, T101_0, T101_0, T011_0},
                                          {1, 1, 1, 0, 1, 0, T010_1, T100_1, T100_1, T010_1}};
    for (int v = 0; v < LEAK_VARIANTS; v++)
        for (int s = 0; s < 8; s++)
            for (int i = 0; i < BLOCKS; i++)
                c->leak[v][s] += t[i].leak[v][states[s][i]];
}

static void make_cell(const struct cell_lib *lib, enum cell_kind kind, double size, struct cell *c)
{
    static const int and_inv[4] = {0, 0, 0, 1}, or_inv[4] = {1, 0, 0, 0};
    memset(c, 0, sizeof *c);
    switch (kind) {
    case CELL_INV: make_gate(lib, NET_INV, size, c); break;
    case CELL_NAND2: make_gate(lib, NET_NAND, size, c); break;
    case CELL_NOR2: make_gate(lib, NET_NOR, size, c); break;
    case CELL_AND2: make_gate_inv(lib, NET_NAND, 0.5, and_inv, size, c); break;
    case CELL_OR2: make_gate_inv(lib, NET_NOR, 0.66, or_inv, size, c); break;
    case CELL_MUX2: make_mux2(lib, size, c); break;
    case CELL_DFFQ: make_dffq(lib, size, c); break;
    }
    unsigned states = cell_states(kind);
    for (int v = 0; v < LEAK_VARIANTS; v++) {
        for (unsigned s = 0; s < states; s++)
            c->leak_mean[v] += c->leak[v][s];
        c->leak_mean[v] /= states;
    }
}

void cell_lib_make(const struct logic_tech *tech, struct cell_lib *lib)
{
    const struct wire_layer *m1 = logic_tech_layer(tech, "Metal1");
    lib->tech = tech;
    lib->pn_ratio = tech->pmos.resistance / tech->nmos.resistance;
    lib->height = tech->tracks * (m1->width + m1->spacing);
    lib->active_height = lib->height / tech->height_overhead;
    lib->metal_cap = wire_rc(m1, m1->width, tech->gate_pitch - m1->width).c;
    lib->heat = pow(10, (tech->temperature - tech->char_temperature) / tech->temp_swing);
    lib->n_sizes = tech->n_sizes;
    for (int k = 0; k < CELL_KINDS; k++)
        for (size_t s = 0; s < tech->n_sizes; s++)
            make_cell(lib, (enum cell_kind)k, tech->sizes[s], &lib->cells[k][s]);
}
