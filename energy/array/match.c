/* SPDX-License-Identifier: MIT */
#include "energy/array/match.h"

/* Where a stage counts as switched, as a share of the supply: CACTI's fitted thresholds of a fully
 * associative array (its VTHFA2 to VTHFA5), set for its first technology and kept since. The word
 * line's driver behind the chain switches at one half. */
#define V_SEARCH_LINE 0.304
#define V_MATCH_LINE 0.420
#define V_NAND 0.413
#define V_STROBE 0.405

static double drain(const struct array_tech *t, double w, enum fet type, int stack)
{
    return drain_in_gate(t, w, type, stack, t->g.gate_height);
}

struct match_chain match_chain_make(const struct side *s, double rows, double half,
                                    double search_delay, double search_ramp)
{
    const struct array_tech *t = &s->c.t;
    const struct array_geometry *g = &t->g;
    const struct array_device *d = &t->peri;
    double wn = g->cell_n, rows1 = rows + 1, v2 = d->vdd * d->vdd;
    double cm = s->cam_w * t->local.c, rm = s->cam_w * t->local.r;
    double cs = s->cam_h * t->local.c, rs = s->cam_h * t->local.r;
    struct match_chain m;

    double ci = half * 2 * drain(t, wn, FET_N, 2) + drain(t, t->w_pre, FET_P, 1);
    double cw = half * cm, rw = half * rm, cg = gate_c(d, 2 * g->cam_nand);
    double dt =
        delay_fall(search_ramp, on_r(d, wn, FET_N, 2) * (ci + cw / 2 + cg) + rw * (cw / 2 + cg),
                   V_SEARCH_LINE, V_MATCH_LINE);
    m.line_c = cw + ci;
    m.line_r = rw;
    m.delay = search_delay + dt;
    m.energy = 2 * rows1 * (ci + cw + cg) * v2;

    double ramp = dt / V_MATCH_LINE;
    ci = drain(t, g->cam_nand, FET_N, 2) + 2 * drain(t, g->cam_nand, FET_P, 1);
    cg = gate_c(d, g->cam_inv_n + g->cam_inv_p);
    dt = delay_rise(ramp, on_r(d, g->cam_nand, FET_N, 2) * (ci + cg), V_MATCH_LINE, V_NAND);
    m.delay += dt;
    m.energy += (rows1 * ci + 2 * cg) * v2;

    ramp = dt / (1 - V_NAND);
    ci = drain(t, g->cam_inv_n, FET_N, 1) + drain(t, g->cam_inv_p, FET_N, 1);
    cw = half * cm + cs * rows1 / 2;
    rw = half * rm + rs * rows1 / 2;
    cg = gate_c(d, g->cam_nor_n + g->cam_nor_p);
    dt = delay_fall(ramp, on_r(d, g->cam_inv_n, FET_N, 1) * (ci + cw + cg) + rw * (cw / 2 + cg),
                    V_NAND, V_STROBE);
    m.delay += dt;
    m.energy += (ci + cw + rows * cg) * v2;

    ramp = dt / V_STROBE;
    ci = 2 * drain(t, g->cam_nor_n, FET_N, 1) + drain(t, g->cam_nor_p, FET_N, 1);
    cg = gate_c(d, g->w_min * (1 + d->n2p));
    m.last = delay_rise(ramp, on_r(d, g->cam_nor_n, FET_N, 1) * (ci + cg), .5, .5);
    m.delay += m.last;
    m.energy += ci * v2;
    return m;
}

struct leak match_cell_leak(const struct side *s)
{
    const struct array_tech *t = &s->c.t;
    const struct array_geometry *g = &t->g;
    const struct array_device *d = &t->cell;
    struct leak cell = leak_sum(leak_times(2, leak_inv(d, g->cell_n, g->cell_p)),
                                leak_times(2, leak_inv(d, g->cell_n, g->cell_n)));
    cell.sub += leak_nmos(t, d, g->cell_access, 1).sub * (double)(s->in->rw + s->in->wr) +
                leak_nmos(t, d, g->cell_access, 2).sub * (double)s->in->rd;
    return cell;
}

struct leak match_row_leak(const struct side *s)
{
    const struct array_tech *t = &s->c.t;
    const struct array_geometry *g = &t->g;
    const struct array_device *d = &t->peri;
    struct leak row = leak_pmos(t, d, t->w_pre, 1);
    row = leak_sum(row, leak_nand(t, d, g->cam_nand, g->cam_nand, 2));
    return leak_sum(row, leak_nor(t, d, g->cam_nor_n, g->cam_nor_p, 2));
}
