/* SPDX-License-Identifier: MIT
 *
 * Fully-associative caches and CAMs: content-addressed columns beside plain ones in the same row.
 * Search lines run down, match lines across; a hit drives the word line of the plain columns. */
#include "base/bits.h"
#include "energy/array/bank.h"
#include "energy/array/match.h"

struct match {         /* the search path of one subarray */
    double delay;      /* from key to match, FA: to the word line */
    double word_ramp;  /* ramp of the word-line driver's output */
    struct chain word; /* that driver, its load and energy */
    double word_load, word_energy;
    double energy; /* match lines, one search */
    struct path search_pre, search_data, match_pre;
    double hit_reset, search_reset, match_reset;
    struct leak leak;
};

static double drain(const struct array_tech *t, double w, enum fet type, int stack)
{
    return drain_in_gate(t, w, type, stack, t->g.gate_height);
}

static struct leak match_leak(const struct side *s, const struct strip *a)
{
    const struct array_tech *t = &s->c.t;
    const struct array_geometry *g = &t->g;
    const struct array_device *d = &t->cell, *p = &t->peri;
    double wn = g->cell_n, rows1 = a->rows + 1;

    struct leak cell = match_cell_leak(s), row = match_row_leak(s);
    cell.gate += leak_nmos(t, d, g->cell_access, 1).gate * (double)s->in->rd;

    struct leak l = leak_sum(leak_times(rows1 * a->cam_cols, cell), leak_times(rows1, row));
    l.gate += a->rows * leak_nmos(t, p, wn, 1).gate + leak_pmos(t, p, t->w_eq, 1).gate;
    return leak_times(d->vdd, l);
}

static void match_make(const struct side *s, const struct strip *a, bool is_fa, struct match *m)
{
    const struct array_tech *t = &s->c.t;
    const struct array_geometry *g = &t->g;
    const struct array_device *d = &t->peri;
    double wn = g->cell_n, rows1 = a->rows + 1;
    double cs = s->cam_h * t->local.c, rs = s->cam_h * t->local.r, v2 = d->vdd * d->vdd;
    struct chain ch;

    m->search_pre =
        buffer_path(t, a->cam_cols * gate_c(d, 2 * t->w_pre + t->w_eq),
                    a->cam_cols * s->cam_w * t->out.c, a->cam_cols * s->cam_w * t->out.r, 0, &ch);
    m->search_data = buffer_path(t, rows1 * gate_c(d, wn), rows1 * cs, rows1 * rs, 0, &ch);
    m->match_pre = buffer_path(t, rows1 * gate_c(d, t->w_pre), rows1 * cs, rows1 * rs, 0, &ch);
    struct match_chain lines = match_chain_make(s, a->rows, ceil(a->cam_cols / 2.0),
                                                m->search_data.delay, m->search_data.ramp);
    m->delay = lines.delay;
    m->energy = lines.energy;
    struct path word =
        buffer_path(t, gate_c(d, wn), a->c_wl_ram, a->r_wl_ram, 2 * lines.last, &m->word);
    m->word_ramp = word.ramp;
    m->word_energy = word.energy;
    m->word_load = gate_c(d, wn) + a->c_wl_ram;

    /* hit or miss: one line down all rows */
    double ci = 2 * drain(t, t->w_eq, FET_N, 2), cg = a->rows * drain(t, wn, FET_N, 1);
    double cw = a->rows * cs, rw = a->rows * rs;
    m->energy += (ci + cw + cg) * v2;
    /* the logarithm of a voltage, negative below 1 V: kept as in the model this follows */
    double ln_pre = log(t->v_pre);
    m->hit_reset = ln_pre * (on_r(d, t->w_eq, FET_P, 1) * (cw + ci) + rw * (cw + ci) / 2);
    ci = 2 * drain(t, wn, FET_N, 2);
    double hit =
        delay_fall(0, on_r(d, wn, FET_P, 1) * (ci + cw / 2 + cg) + rw * (cw / 2 + cg), .5, .5);
    m->energy += (ci + cw + cg) * v2;
    if (is_fa)
        m->delay += fmax(word.delay, hit);

    double r_pre = on_r(d, t->w_pre, FET_P, 1);
    m->search_reset =
        m->search_pre.delay +
        ln_pre * (r_pre * a->c_bl_cam + rows1 * s->cam_h * t->local.r * a->c_bl_cam / 2);
    m->match_reset =
        m->match_pre.delay + ln_pre * (r_pre * lines.line_c + lines.line_r * lines.line_c / 2);
    m->leak = match_leak(s, a);
}

static void strip_of_cam(const struct side *s, int rows, int cam_cols, int ram_cols, int spm,
                         int spr, struct strip *a)
{
    const struct array_tech *t = &s->c.t;
    const struct array_geometry *g = &t->g;
    double w = s->cell_w, wc = s->cam_w, hc = s->cam_h, p = g->pitch_local, rows1 = rows + 1;
    double access = 2 * gate_c(&t->cell, g->cell_access), side = t->rules.cam_tracks * p;
    int cols = cam_cols + ram_cols;

    *a = (struct strip){.rows = rows,
                        .cols = cols,
                        .cam_cols = cam_cols,
                        .ram_cols = ram_cols,
                        .spm = spm,
                        .spr = spr};
    a->height = hc * rows1;
    a->width =
        wc * cam_cols + w * ram_cols + cols / (int)t->rules.stitch_columns * g->stitch + side;
    a->cell_area = hc * rows1 * (wc * cam_cols + w * ram_cols);
    a->c_wl_ram = ram_cols * (access + w * t->local.c);
    a->r_wl_ram = ram_cols * w * t->local.r;
    a->c_wl = cam_cols * (access + wc * t->local.c) + a->c_wl_ram + side * t->local.c;
    a->r_wl = t->local.r * (cam_cols * wc + ram_cols * w);
    a->c_bl_cam = rows1 * (drain_c(t, &t->cell, g->cell_access, 1, wc) / 2 + hc * t->local.c);
    a->c_bl = rows1 * (drain_c(t, &t->cell, g->cell_access, 1, w) / 2 + hc * t->local.c);

    a->row = decoder_make(&s->c, rows, false, a->c_wl, a->r_wl, t->cell.vdd,
                          t->rules.decoder_cells * hc);
    int lines = rows + (int)bits_flog2((uint64_t)spm);
    a->row_pre =
        predecoder_make(&s->c, lines, spm, &a->row, rows * hc * t->in.c, rows * hc * t->in.r);
    a->row_delay = decoder_delay(&a->row, a->row_pre.ramp, &a->row_ramp);
    if (ram_cols) {
        struct chain ch;
        a->precharge = buffer_path(t, ram_cols * gate_c(&t->peri, 2 * t->w_pre + t->w_eq),
                                   ram_cols * w * t->out.c, ram_cols * w * t->out.r, 0, &ch);
    }
    double share = a->height / s->htree.spacing;
    a->out_delay = s->htree.delay * a->height;
    a->out_energy = s->htree.energy * a->height;
    a->out_leak = leak_times(a->height, s->htree.leak);
    a->out_size = s->htree.size * share;
    a->out_area = share * s->repeater_area;
}

/* Bit lines, sense amplifiers and output of FA and CAM: no multiplexers, folded at the CAM pitch.
 */
struct cam_read {
    double bitline, sense, out;             /* delays */
    double e_read, e_write, e_sense, e_out; /* J per column, per output bit */
    struct leak sense_leak, out_leak;
};

static void cam_read(const struct side *s, const struct strip *a, double word_ramp, double out_ramp,
                     struct cam_read *r)
{
    const struct array_tech *t = &s->c.t;
    const struct array_geometry *g = &t->g;
    const struct array_device *d = &t->peri;
    double f = s->cam_w, vc = t->cell.vdd, vs = t->v_swing, c_bl = a->c_bl;
    double ci = drain_c(t, d, g->sa_iso, 1, f), cx = drain_c(t, d, g->mux_n, 1, f);
    double cl =
        gate_c(d, g->sa_n + g->sa_p) + drain_c(t, d, g->sa_n, 1, f) + drain_c(t, d, g->sa_p, 1, f);
    double end = ci + cl + cx;
    double r_cell = on_r(&t->cell, g->cell_n, FET_N, 1) + on_r(&t->cell, g->cell_access, FET_N, 1);
    double rb = a->rows * s->cam_h; /* a length taken for ohms in the model this follows */
    double tau = r_cell * (c_bl + end) + rb * c_bl / 2 + on_r(d, g->sa_iso, FET_P, 1) * end;
    double t0 = tau * log(t->v_pre / (t->v_pre - vs));
    double slow = (vc - t->cell.vth) * word_ramp / (2 * vc);

    r->bitline = t0 <= slow ? sqrt(4 * t0 * slow) : t0 + slow;
    r->e_read = 2 * vs * vc * (c_bl + 2 * ci + cl + cx);
    r->e_write = 2 * vc * vc * c_bl;
    double gm = d->mobility / 2 * d->c_ox * (g->sa_n / d->l_elec) * d->v_dsat * (1 + d->gm_ratio);
    r->sense = end / gm * log(d->vdd / vs);
    r->e_sense = end * d->vdd * d->vdd;
    r->sense_leak = (struct leak){d->vdd * g->sa_en * d->i_off, 0};

    double wn = g->w_min, wp = d->n2p * wn, in = gate_c(d, wn + wp);
    double own = drain(t, wn, FET_N, 1) + drain(t, wp, FET_P, 1);
    double c[4] = {cx + in, own + in, own + cx, cx + gate_c(d, a->out_size * (wn + wp))};
    double res[4] = {on_r(d, g->mux_n, FET_N, 1), on_r(d, wn, FET_N, 1), on_r(d, wn, FET_N, 1),
                     on_r(d, g->mux_n, FET_N, 1)};
    r->out = a->out_delay;
    r->e_out = a->out_energy;
    for (int i = 0; i < 4; i++) {
        double dt = delay_half(out_ramp, res[i] * c[i]);
        r->out += dt;
        r->e_out += 0.5 * c[i] * d->vdd * d->vdd;
        out_ramp = 2 * dt;
    }
    r->out_leak = leak_times(2 * d->vdd, leak_inv(d, wn, wp));
    r->out_leak.gate += 2 * d->vdd * leak_nmos(t, d, g->mux_n, 1).gate;
}

struct cam_bits { /* of a mat, with ECC */
    long data_out, data_in, search_in, search_out;
    int address;
};

static void cam_size(const struct side *s, const struct strip *a, const struct cam_bits *b,
                     double *height, double *width)
{
    const struct array_tech *t = &s->c.t;
    const struct array_geometry *g = &t->g;
    double pitch = t->in.pitch, sa = s->cell_w / s->rr;
    double columns = fold_height(t, t->w_pre, s->cam_w) + fold_height(t, t->w_eq, s->cam_w) +
                     2 * fold_height(t, g->sa_p, sa) + fold_height(t, g->sa_iso, sa) +
                     2 * fold_height(t, g->sa_n, sa) + fold_height(t, g->sa_en, sa) +
                     4 * g->gap_same + g->gap_pn;
    double drivers = a->out_area * a->cols / a->width * s->q;
    double wires =
        (b->address + (double)((b->data_in + b->data_out) / a->spr)) * pitch * s->p +
        (double)((b->search_in + b->search_out) / a->spr) * pitch * (double)s->in->search;
    *height = a->spm / a->spr * (a->height + columns + drivers) + wires;

    double decoders = a->row.area * a->rows * s->p / a->height;
    double lines = ((1 << a->row_pre.bits[0]) + (1 << a->row_pre.bits[1])) * pitch * s->p;
    *width = a->spr * a->width + fmax(lines, a->spr * decoders) + s->p * a->row_pre.area / *height;
}

static void cam_grid(int ndbl, struct bank_grid *g, int *spm, int *spr)
{
    g->mats_h = g->mats_v = 1;
    if (ndbl > 2) {
        g->mats_h = (int)sqrt(ndbl / 4);
        g->mats_v = (int)(ndbl / 4.0 / g->mats_h);
    }
    g->mats = g->mats_h * g->mats_v;
    *spm = ndbl / g->mats;
    *spr = *spm > 2 ? *spm / 2 : *spm;
}

static void cam_statics(const struct side *s, const struct strip *a, const struct match *m,
                        const struct cam_read *r, struct leak *out)
{
    bool is_fa = a->ram_cols > 0;
    double decoders = (double)a->rows * a->spm * (is_fa ? 1 : s->p);
    struct leak l = leak_sum(a->row_pre.leak, leak_times(decoders, a->row.leak));
    if (is_fa) {
        l = leak_sum(l, leak_times((double)a->rows * a->cols * a->spm, s->cell_leak));
        l = leak_sum(l, leak_times(a->spm, a->precharge.leak));
    }
    struct leak column = leak_sum(leak_sum(r->sense_leak, r->out_leak), a->out_leak);
    l = leak_sum(l, leak_times((double)s->q * a->spm * a->cols, column));
    struct leak search = leak_sum(m->leak, m->search_pre.leak);
    search = leak_sum(search, leak_times(a->cam_cols, m->search_data.leak));
    search.sub += m->match_pre.energy; /* joules among watts, about 1e-14: kept, see docs */
    *out = leak_sum(l, leak_times(a->spm, search));
}

/* One organisation under evaluation. */
struct cam {
    const struct side *s;
    bool is_fa;
    int ndbl;
    struct bank_grid grid;
    struct strip a;
    struct match m;
    struct cam_read r;
    struct cam_bits mat_bits;
    double mat_h, mat_w;
    struct bank_bits bank_bits;
    struct bank_trees trees;
    struct htree_bit key, result; /* the two search trees, by bit */
};

static bool cam_mat(const struct side *s, int ndbl, struct cam *c)
{
    const struct amodel_in *in = s->in;
    bool is_fa = in->type == AMODEL_FA;
    long tag = s->tag_bits;
    int64_t rows =
        is_fa ? in->size_b / (in->banks * in->block_b * ndbl)
              : (int64_t)ceil((double)in->size_b / ((double)in->banks * (double)tag / 8 * ndbl));
    if (ndbl < 2 || rows < 1 || rows > 1 << (2 * PREDEC_BITS))
        return false;

    int spm, spr, ram = is_fa ? (int)(8 * in->block_b) : 0;
    *c = (struct cam){.s = s, .is_fa = is_fa, .ndbl = ndbl};
    cam_grid(ndbl, &c->grid, &spm, &spr);
    strip_of_cam(s, (int)rows, (int)with_ecc(s, tag), (int)with_ecc(s, ram), spm, spr, &c->a);
    long so = is_fa ? ram : (long)bits_clog2((uint64_t)rows) + (long)bits_clog2((uint64_t)ndbl);
    c->mat_bits = (struct cam_bits){
        .data_out = with_ecc(s, is_fa ? ram + tag : tag),
        .data_in = with_ecc(s, is_fa ? ram + tag : tag),
        .search_in = with_ecc(s, tag),
        .search_out = with_ecc(s, so),
        .address = (int)bits_flog2((uint64_t)rows) + (int)bits_flog2((uint64_t)spm),
    };
    match_make(s, &c->a, is_fa, &c->m);
    cam_read(s, &c->a, is_fa ? c->m.word_ramp : c->a.row_ramp, is_fa ? 0 : c->m.word_ramp, &c->r);
    cam_size(s, &c->a, &c->mat_bits, &c->mat_h, &c->mat_w);

    long wide = (long)in->out_bits, in_bits = is_fa ? wide + tag : tag;
    c->bank_bits = (struct bank_bits){
        .address = (c->mat_bits.address + (int)bits_flog2((uint64_t)c->grid.mats)) * s->p,
        .in = (double)with_ecc(s, in_bits) * (double)(in->rw + in->wr),
        .out = (double)with_ecc(s, in_bits) * s->rr,
        .search_in = (double)with_ecc(s, tag) * (double)in->search,
        .search_out = (double)with_ecc(s, is_fa ? wide : so) * (double)in->search,
    };
    return true;
}

static void cam_bank(struct cam *c)
{
    const struct side *s = c->s;
    const struct bank_bits *b = &c->bank_bits;
    bank_trees_make(s, c->mat_w, c->mat_h, &c->grid, b, &c->trees);
    /* the two search trees are plain wires and are laid out like those between banks */
    struct htree_shape plain =
        htree_banks(&s->c.t, c->mat_w, c->mat_h, c->grid.mats_v, c->grid.mats_h,
                    b->address + b->search_in + b->search_out, b->in + b->out);
    c->key = htree_walk(&s->htree, &plain, HTREE_IN, true);
    c->result = htree_walk(&s->htree, &plain, HTREE_OUT, false);
}

static void cam_times(const struct cam *c, struct amodel_side *o)
{
    const struct side *s = c->s;
    const struct array_tech *t = &s->c.t;
    const struct strip *a = &c->a;
    const struct match *m = &c->m;
    const struct cam_read *r = &c->r;
    const struct bank_trees *tr = &c->trees;
    double d0 = tr->uca_in.delay + tr->in.delay;
    double after = r->out + tr->out.delay + tr->uca_out.delay,
           dm = a->row_delay + r->bitline + r->sense;
    o->before_s = d0 + fmax(a->row_pre.delay + dm, r->sense);
    o->select_s = d0;
    o->after_s = after;
    if (c->is_fa) {
        double hd = t->rules.decoder_cells * s->cell_h, wn = m->word.wn[m->word.n - 1];
        double own = drain_in_gate(t, wn, FET_P, 1, hd) + drain_in_gate(t, wn, FET_N, 1, hd);
        double reset = delay_half(0, on_r(&t->peri, wn, FET_N, 1) * (own + m->word_load) +
                                         a->r_wl_ram * m->word_load / 2);
        double precharge =
            a->precharge.delay + log((t->v_pre - 0.1 * t->v_swing) / (t->v_pre - t->v_swing)) *
                                     (on_r(&t->peri, t->w_pre, FET_P, 1) * a->c_bl +
                                      a->rows * s->cam_h * t->local.r * a->c_bl / 2);
        o->access_s = d0 + r->bitline + m->delay + after;
        o->cycle_s = r->bitline + m->delay + m->search_reset + m->match_reset + precharge +
                     m->hit_reset + reset;
    } else {
        o->access_s = o->before_s + after;
        o->cycle_s = fmax(dm, a->row_pre.delay);
    }
    o->t_htree_in = d0;
    o->t_decode = a->row_pre.delay + a->row_delay;
    o->t_match = m->delay;
    o->t_bitline = r->bitline;
    o->t_sense = r->sense;
    o->t_out = r->out + tr->out.delay;
}

static void cam_energies(const struct cam *c, struct amodel_side *o)
{
    const struct strip *a = &c->a;
    const struct match *m = &c->m;
    const struct cam_read *r = &c->r;
    const struct bank_bits *b = &c->bank_bits;
    const struct bank_trees *tr = &c->trees;
    double trees = b->address * (tr->in.energy + tr->uca_in.energy) +
                   b->out * (tr->out.energy + tr->uca_out.energy);
    double precharge = a->precharge.energy;
    o->read_j = a->row_pre.energy + a->row.energy + precharge + a->cols * (r->e_sense + r->e_read) +
                (double)c->mat_bits.data_out * r->e_out + trees;
    o->write_j = o->read_j + a->cols * (r->e_write - r->e_read - r->e_sense);
    double per_mat = a->spm * (m->energy + m->search_pre.energy +
                               a->cam_cols * m->search_data.energy + m->match_pre.energy);
    o->search_j = c->grid.mats * per_mat + precharge + a->ram_cols * (r->e_sense + r->e_read) +
                  (double)c->mat_bits.search_out * r->e_out + m->word_energy +
                  b->in * (c->key.search + tr->uca_in.search) +
                  b->out * (c->result.search + tr->uca_out.search);

    o->e_htree = trees;
    o->e_decode = a->row_pre.energy;
    o->e_wordline = a->row.energy;
    o->e_bitline = a->cols * r->e_read + precharge;
    o->e_sense = a->cols * r->e_sense;
    o->e_out = (double)c->mat_bits.data_out * r->e_out;
    o->s_searchline =
        c->grid.mats * a->spm * (m->search_pre.energy + a->cam_cols * m->search_data.energy);
    o->s_matchline = c->grid.mats * a->spm * (m->energy + m->match_pre.energy);
    o->s_wordline = o->s_bitline = o->s_sense = NAN; /* a CAM has no such part */
    if (c->is_fa) {
        o->s_wordline = m->word_energy;
        o->s_bitline = precharge + a->ram_cols * r->e_read;
        o->s_sense = a->ram_cols * r->e_sense;
    }
    o->s_out = (double)c->mat_bits.search_out * r->e_out;
}

static void cam_leaks(const struct cam *c, struct amodel_side *o)
{
    const struct bank_bits *b = &c->bank_bits;
    const struct bank_trees *tr = &c->trees;
    struct leak l;
    cam_statics(c->s, &c->a, &c->m, &c->r, &l);
    l = leak_times(c->grid.mats, l);
    l = leak_sum(l, leak_times(b->address + b->in, leak_sum(tr->in.leak, tr->uca_in.leak)));
    l = leak_sum(l, leak_times(b->out, leak_sum(tr->out.leak, tr->uca_out.leak)));
    l = leak_sum(l, leak_times(b->in, leak_sum(c->key.leak, tr->uca_in.leak)));
    l = leak_sum(l, leak_times(b->out, leak_sum(c->result.leak, tr->uca_out.leak)));
    o->leak.sub = l.sub;
    o->leak.gate = l.gate;
}

bool cam_full(const struct side *s, int ndbl, struct amodel_side *o)
{
    struct cam c;
    if (!cam_mat(s, ndbl, &c))
        return false;
    cam_bank(&c);
    *o = (struct amodel_side){.org = {1, 1, ndbl, 1, 1, 1}};
    cam_times(&c, o);
    cam_energies(&c, o);
    cam_leaks(&c, o);
    o->height_um = c.trees.banks.height;
    o->width_um = c.trees.banks.width;
    o->area_um2 = o->height_um * o->width_um;
    o->efficiency = c.a.cell_area * ndbl * (double)s->in->banks / (o->height_um * o->width_um);
    o->mat_h_um = c.mat_h;
    o->mat_w_um = c.mat_w;
    o->sub_h_um = c.a.height;
    o->sub_w_um = c.a.width;
    o->rows = c.a.rows;
    o->cols = c.a.cols;
    o->mats = c.grid.mats;
    o->active_mats = 1;
    return true;
}
