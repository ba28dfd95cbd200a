/* SPDX-License-Identifier: MIT */
#include "energy/array/mat.h"

#include "base/bits.h"

/* ---- one array ---- */

/* Tag comparator, in quarters: three inverters turn the sensed bits into evaluation pulses, a
 * dynamic match line is pulled down by any difference. Thresholds are those of the model this
 * follows (Wilton and Jouppi 1994). */
static struct comparator comparator_make(const struct array_tech *t, long tag_bits, int assoc)
{
    const struct array_geometry *g = &t->g;
    const struct array_device *d = &t->peri;
    double h = g->gate_height, v = d->vdd;
    long quarter = tag_bits / 4;

#define DRAIN(w, type, stack) drain_in_gate(t, w, type, stack, h)
    double c1 = gate_c(d, g->cmp_inv2_p + g->cmp_inv2_n) + DRAIN(g->cmp_inv1_p, FET_P, 1) +
                DRAIN(g->cmp_inv1_n, FET_N, 1);
    double d1 = delay_fall(0, on_r(d, g->cmp_inv1_p, FET_P, 1) * c1, .437, .437);
    double c2 = gate_c(d, g->cmp_inv3_p + g->cmp_inv3_n) + DRAIN(g->cmp_inv2_p, FET_P, 1) +
                DRAIN(g->cmp_inv2_n, FET_N, 1);
    double d2 = delay_rise(d1 / .437, on_r(d, g->cmp_inv2_n, FET_N, 1) * c2, .437, .437);
    double c3 = gate_c(d, g->cmp_eval_p + g->cmp_eval_n) + DRAIN(g->cmp_inv3_p, FET_P, 1) +
                DRAIN(g->cmp_inv3_n, FET_N, 1);
    double d3 = delay_fall(d2 / (1 - .437), on_r(d, g->cmp_inv3_p, FET_P, 1) * c3, .437, .452);
    double pulls = quarter * (DRAIN(g->cmp_n, FET_N, 1) + DRAIN(g->cmp_n, FET_N, 2));
    double c_eval = pulls + DRAIN(g->cmp_eval_p, FET_P, 1) + DRAIN(g->cmp_eval_n, FET_N, 1);
    double c_match = pulls + DRAIN(g->cmp_p, FET_P, 1);
#undef DRAIN
    double r1 = on_r(d, g->cmp_n, FET_N, 2), r2 = on_r(d, g->cmp_eval_n, FET_N, 1);
    double ts = (r2 * c_eval + (r1 + r2) * c_match) * log(1 / .548);
    double m = v / (d3 / .452), d4;
    if (ts <= (v - d->vth) / (2 * m)) {
        double b = 2 * (.452 * v - d->vth);
        double c = -2 * ts * (v - d->vth) + (.452 * v - d->vth) * (.452 * v - d->vth) / m;
        d4 = (-b + sqrt(b * b - 4 * m * c)) / (2 * m);
    } else {
        d4 = ts + (v + d->vth) / (2 * m) - .452 * v / m;
    }

    struct leak leak = leak_sum(leak_inv(d, g->cmp_inv1_n, g->cmp_inv1_p),
                                leak_inv(d, g->cmp_inv2_n, g->cmp_inv2_p));
    leak = leak_sum(leak, leak_inv(d, g->cmp_inv3_n, g->cmp_inv3_p));
    leak = leak_sum(leak, leak_inv(d, g->cmp_eval_n, g->cmp_eval_p));
    leak = leak_sum(leak, leak_inv(d, g->cmp_n, g->cmp_n));
    return (struct comparator){
        .delay = d1 + d2 + d3 + d4,
        .energy = 2 * assoc * v * v * (c1 + c2 + c3 + c_eval) + (assoc - 1) * v * v * c_match,
        .leak = leak_times(4 * assoc * v, leak),
    };
}

static void cell_make(struct side *s)
{
    const struct amodel_in *in = s->in;
    const struct array_tech *t = &s->c.t;
    const struct array_device *d = &t->cell;
    double p = t->g.pitch_local, extra = s->is_cf ? 2 * p * (double)(in->search - 1) : 0;
    double ports = 2 * p * (s->p - 1) + extra, se = p * (double)in->se;

    s->cell_h = t->g.cell_h + ports;
    s->cell_w = t->g.cell_w + ports - se; /* a single-ended port has one bit line instead of two */
    s->cam_h = t->g.cam_h + ports + se;
    s->cam_w = t->g.cam_w + ports + se;

    struct leak inv = leak_inv(d, t->g.cell_n, t->g.cell_p);
    struct leak on = leak_nmos(t, d, t->g.cell_access, 1),
                off = leak_nmos(t, d, t->g.cell_access, 2);
    s->cell_leak.sub =
        d->vdd * (2 * inv.sub + on.sub * (double)(in->rw + in->wr) + off.sub * (double)in->rd);
    s->cell_leak.gate = d->vdd * (inv.gate + on.gate * (double)in->rd);
}

void side_ports(struct side *s)
{
    const struct amodel_in *in = s->in;
    s->p = (int)(in->rw + in->rd + in->wr);
    s->rr = (int)(in->rw + in->rd);
    s->q = s->rr + (s->is_cf ? (int)in->search : 0);
    cell_make(s);
}

static long tag_bits_of(const struct amodel_in *in)
{
    long tag = (long)in->tag_bits, unit = in->type == AMODEL_CAM ? 8 : 4;
    if (tag == 0) {
        if (in->type == AMODEL_CACHE)
            tag = 42 + 5 - (long)bits_flog2((uint64_t)in->size_b) +
                  (long)bits_flog2((uint64_t)(2 * in->assoc - 1)) -
                  (long)bits_flog2((uint64_t)in->banks);
        else if (in->type == AMODEL_FA)
            tag = 47 - (long)bits_flog2((uint64_t)in->block_b);
        else
            tag = 47;
    }
    return (tag + unit - 1) / unit * unit;
}

void side_make(const struct amodel_in *in, const struct array_tables *tables, bool is_tag,
               const struct array_repeated *wire, struct side *s)
{
    struct array_tech_choice choice = {
        .nm = in->tech_nm,
        .temp_k = (int)in->temp_k,
        .cell = is_tag ? in->tag_cell : in->data_cell,
        .peri = is_tag ? in->tag_peri : in->data_peri,
        .in = in->wire_in,
        .out = in->wire_out,
        .projection = in->projection,
        .signal = in->signal,
    };
    array_tech_make(tables, &choice, &s->c.t);
    if (wire)
        s->c.t.wire = *wire; /* long wires are those of the data array's periphery */
    array_circuits_make(&s->c);
    htree_tech_make(&s->c.t, &s->htree);

    s->in = in;
    s->is_tag = is_tag;
    s->is_cf = in->type == AMODEL_FA || in->type == AMODEL_CAM;
    side_ports(s);
    s->assoc = s->is_cf || (!is_tag && in->mode == AMODEL_SEQUENTIAL) ? 1 : (int)in->assoc;
    s->ways_selected = !is_tag && s->assoc > 1 && in->mode != AMODEL_FAST ? s->assoc : 0;
    s->tag_bits = tag_bits_of(in);
    s->nspd_min = s->is_cf ? 1
                  : is_tag ? 0.125
                           : (double)in->out_bits / (8.0 * (double)in->block_b);
    s->cmp = (struct comparator){.delay = 0};
    if (is_tag)
        s->cmp = comparator_make(&s->c.t, s->tag_bits, (int)in->assoc);
    const struct array_tech *t = &s->c.t;
    double w = t->g.w_min * t->wire.size;
    s->repeater_area = gate_area(t, GATE_INV, 1, t->peri.n2p * w, w, t->g.gate_height);
}

/* ---- strip ---- */

static double sense_amp_height(const struct array_tech *t, double pitch)
{
    return 2 * fold_height(t, t->g.sa_p, pitch) + fold_height(t, t->g.sa_iso, pitch) +
           2 * fold_height(t, t->g.sa_n, pitch) + fold_height(t, t->g.sa_en, pitch) +
           4 * t->g.gap_same + t->g.gap_pn;
}

static void out_wire(const struct side *s, struct strip *a)
{
    const struct htree_tech *k = &s->htree;
    double share = a->height / k->spacing;
    a->out_delay = k->delay * a->height;
    a->out_energy = k->energy * a->height;
    a->out_leak = leak_times(a->height, k->leak);
    a->out_size = k->size * share;
    a->out_area = share * s->repeater_area;
}

void strip_make(const struct side *s, int rows, int cols, int spm, int spr, struct strip *a)
{
    const struct array_tech *t = &s->c.t;
    const struct array_geometry *g = &t->g;
    double w = s->cell_w, h = s->cell_h, hd = t->rules.decoder_cells * h;

    *a = (struct strip){.rows = rows, .cols = cols, .spm = spm, .spr = spr};
    a->height = h * rows;
    a->width = w * cols + cols / (int)t->rules.stitch_columns * g->stitch;
    a->cell_area = h * w * rows * cols;
    a->c_wl = cols * (2 * gate_c(&t->cell, g->cell_access) + w * t->local.c);
    a->r_wl = t->local.r * cols * w;
    a->c_bl = rows * (drain_c(t, &t->cell, g->cell_access, 1, w) / 2 + h * t->local.c);

    a->row = decoder_make(&s->c, rows, false, a->c_wl, a->r_wl, t->cell.vdd, hd);
    double along = spr * rows * h;
    a->row_pre = predecoder_make(&s->c, rows, spm, &a->row, along * t->in.c, along * t->in.r);
    a->row_delay = decoder_delay(&a->row, a->row_pre.ramp, &a->row_ramp);

    struct chain ch;
    a->precharge = buffer_path(t, cols * gate_c(&t->peri, 2 * t->w_pre + t->w_eq),
                               cols * w * t->out.c, cols * w * t->out.r, 0, &ch);

    double wn = a->row.chain.wn[a->row.chain.n - 1], wp = a->row.chain.wp[a->row.chain.n - 1];
    double own = drain_in_gate(t, wp, FET_P, 1, hd) + drain_in_gate(t, wn, FET_N, 1, hd);
    a->wordline_reset =
        delay_half(0, on_r(&t->peri, wn, FET_N, 1) * (own + a->c_wl) + a->r_wl * a->c_wl / 2);
    a->precharge_reset =
        a->precharge.delay +
        log((t->v_pre - 0.1 * t->v_swing) / (t->v_pre - t->v_swing)) *
            (on_r(&t->peri, t->w_pre, FET_P, 1) * a->c_bl + rows * h * t->local.r * a->c_bl / 2);

    a->mux_length = spr * cols * w;
    a->mux_c = a->mux_length * t->in.c;
    a->mux_r = a->mux_length * t->in.r / (spr >= 2 ? 2 : 1);
    out_wire(s, a);
    a->fixed_h = fold_height(t, t->w_pre, w / (2.0 * s->q)) + fold_height(t, t->w_eq, w / s->q);
}

/* ---- column ---- */

void column_make(const struct side *s, const struct strip *a, int ndcm, struct column *b)
{
    const struct array_tech *t = &s->c.t;
    const struct array_geometry *g = &t->g;
    const struct array_device *d = &t->peri;
    double w = s->cell_w, vc = t->cell.vdd, vs = t->v_swing, c_bl = a->c_bl;
    double f = w * ndcm / s->q, fb = w / (2.0 * s->q);

    b->ndcm = ndcm;
    b->n_sense = a->cols / ndcm;

    /* bit line: cell, bit-line multiplexer, isolation, sense amplifier */
    double cb = drain_c(t, d, g->mux_n, 1, fb), ci = drain_c(t, d, g->sa_iso, 1, f);
    double cl =
        gate_c(d, g->sa_n + g->sa_p) + drain_c(t, d, g->sa_n, 1, f) + drain_c(t, d, g->sa_p, 1, f);
    double cx = drain_c(t, d, g->mux_n, 1, f), end = ci + cl + cx;
    double r_cell = on_r(&t->cell, g->cell_n, FET_N, 1) + on_r(&t->cell, g->cell_access, FET_N, 1);
    double rb = a->rows * s->cell_h * t->local.r;
    double ri = on_r(d, g->sa_iso, FET_P, 1), rm = on_r(d, g->mux_n, FET_N, 1), tau;
    b->c_mux = cx;
    if (ndcm > 1) {
        double shared = 2 * ci + cl + cx;
        tau = r_cell * (c_bl + 2 * cb + shared) + rb * (c_bl / 2 + 2 * cb + shared) +
              rm * (cb + shared) + ri * end;
        b->e_read = 2 * vs * vc * (c_bl + 2 * cb) + 2 * vs * vc * shared / ndcm;
        b->e_write = 2 * vc * vc * (c_bl + 2 * cb) / ndcm;
    } else {
        tau = r_cell * (c_bl + end) + rb * c_bl / 2 + ri * end;
        b->e_read = 2 * vs * vc * (c_bl + 2 * ci + cl + cx);
        b->e_write = 2 * vc * vc * c_bl;
    }
    double t0 = tau * log(t->v_pre / (t->v_pre - vs)), dv = vc - t->cell.vth;
    double slow = dv * a->row_ramp / (2 * vc); /* half of the word line's rise above threshold */
    b->bitline = t0 <= slow ? sqrt(4 * t0 * slow) : t0 + slow;

    double gm = d->mobility / 2 * d->c_ox * (g->sa_n / d->l_elec) * d->v_dsat * (1 + d->gm_ratio);
    b->sense = end / gm * log(d->vdd / vs);
    b->e_sense = end * d->vdd * d->vdd;
    b->sense_leak = (struct leak){d->vdd * g->sa_en * d->i_off, 0};

    double load = 0;
    if (ndcm > 1)
        load = (double)(2L * a->spm * a->cols / ndcm) * gate_c(d, g->mux_n) + a->mux_c;
    double hd = t->rules.decoder_cells * s->cell_h, ramp;
    b->dec = decoder_make(&s->c, ndcm, false, load, a->mux_r, d->vdd, hd);
    b->pre = predecoder_make(&s->c, ndcm, 1, &b->dec, 0, 0);
    b->mux_delay = b->pre.delay + decoder_delay(&b->dec, b->pre.ramp, &ramp);

    b->height = a->fixed_h + (ndcm > 1 ? fold_height(t, g->mux_n, w / (2.0 * s->rr)) : 0) +
                sense_amp_height(t, w * ndcm / s->rr);
}

/* ---- sense ---- */

void sense_make(const struct side *s, const struct strip *a, const struct column *b, int s1,
                int dsa, struct sense *c)
{
    const struct array_tech *t = &s->c.t;
    const struct array_geometry *g = &t->g;
    const struct array_device *d = &t->peri;
    double hd = t->rules.decoder_cells * s->cell_h, load = 0, ramp;

    c->s1 = s1;
    c->dsa = dsa;
    if (s1 > 1)
        load = (double)a->spm * b->n_sense / s1 * gate_c(d, g->mux_n) + a->mux_c;
    c->dec = decoder_make(&s->c, dsa, s->ways_selected > 0, load, a->mux_r, d->vdd, hd);
    c->pre = predecoder_make(&s->c, dsa, 1, &c->dec, 0, 0);
    c->mux_delay = c->pre.delay + decoder_delay(&c->dec, c->pre.ramp, &ramp);
    c->way_area = way_select_area(&s->c, s->ways_selected, &c->dec);
    c->height = s1 > 1 ? fold_height(t, g->mux_n, s->cell_w * s1 / s->rr) : 0;

    /* output: multiplexer, two inverters, second multiplexer (whose load mat_make adds) */
    double wn = g->w_min, wp = d->n2p * wn, in = gate_c(d, wn + wp), gh = g->gate_height;
    double own = drain_in_gate(t, wn, FET_N, 1, gh) + drain_in_gate(t, wp, FET_P, 1, gh);
    c->c_next = drain_c(t, d, g->mux_n, 1, s->cell_w * b->ndcm * s1 / s->q);
    double c1 = s1 * b->c_mux + in, c2 = own + in, c3 = own + c->c_next;
    c->stage[0] = on_r(d, g->mux_n, FET_N, 1) * c1;
    c->stage[1] = on_r(d, wn, FET_N, 1) * c2;
    c->stage[2] = on_r(d, wn, FET_N, 1) * c3;
    c->energy3 = 0.5 * (c1 + c2 + c3) * d->vdd * d->vdd;
}

/* ---- mat ---- */

static void mat_size(const struct side *s, const struct mat_steps *of, const struct predecoder *pre,
                     const struct decoder *dec, const struct cut *cut, struct mat *m)
{
    const struct strip *a = of->a;
    const struct column *b = of->b;
    const struct sense *c = of->c;
    int s2 = of->s2;
    const struct array_tech *t = &s->c.t;
    const struct array_geometry *g = &t->g;
    double pitch = t->in.pitch, w = s->cell_w, columns = b->height + c->height;

    if (s2 > 1) {
        double inv_pitch = w * s2 / s->rr;
        columns += fold_height(t, g->mux_n, w * b->ndcm * c->s1 / s->rr) +
                   2 * fold_height(t, t->peri.n2p * g->w_min, inv_pitch) +
                   2 * fold_height(t, g->w_min, inv_pitch);
    }
    int outs = a->cols / (b->ndcm * c->s1 * s2);
    double drivers = a->out_area * outs / a->width * s->q;
    double wires =
        (cut->address + s->ways_selected + (double)((cut->data_in + cut->data_out) / a->spr)) *
        pitch * s->p;
    double selects =
        pitch * s->rr * ((b->ndcm > 1 ? b->ndcm : 0) + (c->s1 > 1 ? c->s1 : 0) + (s2 > 1 ? s2 : 0));
    m->height = a->spm / a->spr * (a->height + columns + drivers) + wires + selects;

    double decoders = a->row.area * a->rows * s->p / a->height;
    double lines = ((1 << a->row_pre.bits[0]) + (1 << a->row_pre.bits[1])) * pitch * s->p;
    double centre = s->p * (a->row_pre.area + b->pre.area + c->pre.area + pre->area + c->way_area +
                            b->dec.area + c->dec.area + dec->area);
    m->width = a->spr * a->width + larger(lines, a->spr * decoders) + centre / m->height;
}

void mat_make(const struct side *s, const struct strip *a, const struct column *b,
              const struct sense *c, int s2, const struct cut *cut, struct mat *m)
{
    const struct array_tech *t = &s->c.t;
    const struct array_geometry *g = &t->g;
    const struct array_device *d = &t->peri;
    double hd = t->rules.decoder_cells * s->cell_h, load = 0, ramp;
    int spm = a->spm;

    if (s2 > 1)
        load = (double)spm * b->n_sense / ((double)c->s1 * s2) * gate_c(d, g->mux_n) + a->mux_c;
    struct decoder dec = decoder_make(&s->c, s2, false, load, a->mux_r, d->vdd, hd);
    struct predecoder pre = predecoder_make(&s->c, s2, 1, &dec, 0, 0);
    m->s2_path = pre.delay + decoder_delay(&dec, pre.ramp, &ramp);
    m->e_s2_pre = pre.energy;
    mat_size(s, &(struct mat_steps){a, b, c, s2}, &pre, &dec, cut, m);

    double wn = g->w_min, wp = d->n2p * wn;
    double c4 = s2 * c->c_next + gate_c(d, a->out_size * (wn + wp)), r = 0;
    double last = on_r(d, g->mux_n, FET_N, 1) * c4, out = 0;
    for (int i = 0; i < 4; i++) {
        double dt = delay_half(r, i < 3 ? c->stage[i] : last);
        out += dt;
        r = 2 * dt;
    }
    m->out = out + a->out_delay;
    m->e_out = c->energy3 + 0.5 * c4 * d->vdd * d->vdd + a->out_energy;

    m->row_path = a->row_pre.delay + a->row_delay + b->bitline + b->sense;
    m->bit_path = b->mux_delay + b->sense;
    m->s1_path = c->mux_delay;
    m->reset = a->row_delay + b->bitline + b->sense + a->wordline_reset + a->precharge_reset;
    m->pre_longest =
        larger(larger(a->row_pre.delay, b->pre.delay), larger(c->pre.delay, pre.delay));

    m->read_bitline = spm * a->cols * b->e_read;
    m->write_bitline = spm * a->cols * b->e_write * cut->active / ((double)c->s1 * s2);
    m->sense = (double)b->n_sense * spm * b->e_sense;
    m->read = a->row_pre.energy + b->pre.energy + c->pre.energy + pre.energy +
              spm * (a->row.energy + a->precharge.energy) + m->sense + m->read_bitline +
              cut->data_out * m->e_out + b->dec.energy + c->dec.energy + dec.energy + s->cmp.energy;

    struct leak out_leak = leak_times(2 * d->vdd, leak_inv(d, wn, wp));
    out_leak.gate += 2 * d->vdd * leak_nmos(t, d, g->mux_n, 1).gate;
    struct leak l = leak_times((double)a->rows * a->cols * spm, s->cell_leak);
    l = leak_sum(l, leak_times(spm, a->precharge.leak));
    l = leak_sum(l, leak_times((double)s->rr * spm * b->n_sense, b->sense_leak));
    l = leak_sum(l, leak_times((double)s->rr * spm * (b->n_sense / (c->s1 * s2)),
                               leak_sum(out_leak, a->out_leak)));
    l = leak_sum(l, leak_times((double)(s->rr * cut->data_out), s->cmp.leak));
    l = leak_sum(l,
                 leak_sum(leak_sum(a->row_pre.leak, b->pre.leak), leak_sum(c->pre.leak, pre.leak)));
    l = leak_sum(l, leak_times((double)a->rows * spm, a->row.leak));
    l = leak_sum(l, leak_times(b->ndcm, b->dec.leak));
    l = leak_sum(l, leak_times(c->s1, c->dec.leak));
    m->leak = leak_sum(l, leak_times(s2, dec.leak));
}
