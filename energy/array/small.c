/* SPDX-License-Identifier: MIT */
#include "energy/array/small.h"

#include "base/arena.h"
#include "energy/array/match.h"

/* A stage driven by an equal one takes this many time constants: x^2 = ln(2)^2 + x, the fixed point
 * of the ramp-aware delay with thresholds of one half. */
#define STEADY 1.3543

/* ---- drivers of real-valued length ---- */

struct drive {
    double delay, last, energy, area; /* last: delay of the last stage alone */
    struct leak leak;
};

/* f^-1 + f^-2 + … n terms, n real. */
static double powers(double f, double n)
{
    return f < 1 + 1e-9 ? n : (1 - pow(f, -n)) / (f - 1);
}

/* Drain capacitance of an inverter over its gate capacitance. */
static double parasitic(const struct array_tech *t)
{
    const struct array_device *d = &t->peri;
    double wn = 4 * t->g.w_min, wp = d->n2p * wn;
    return (drain_c(t, d, wn, 1, wn) + drain_c(t, d, wp, 1, wp)) / gate_c(d, wn + wp);
}

/* Stages of a driver of this path effort: two up to an effort of 16, then half a stage more for
 * each factor of 4: few, somewhat large steps, which cost less area than the fastest chain. */
static double stages(double path)
{
    double x = log(path) / log(4);
    return x <= 2 ? 2 : 1 + x / 2;
}

/* Inverters behind a first gate of fan-in k (1: an inverter) of least size, sized for the load by
 * logical effort. */
static struct drive drive(const struct side *s, int k, double load, double wire_r, double height)
{
    const struct array_tech *t = &s->c.t;
    const struct array_device *d = &t->peri;
    double w = t->g.w_min, unit = d->c_input * (1 + d->n2p), p = parasitic(t);
    double first = k == 1 ? unit * w : s->c.c_nand[k], effort = (k + d->n2p) / (1 + d->n2p);
    double path = larger(effort * load / first, 1), n = stages(path);
    double f = pow(path, 1 / n), tau = d->r_n * unit;
    double out = larger(load, first / effort); /* what the last stage is sized for */
    double gates = out * powers(f, n), widths = gates / unit;

    struct drive o;
    double before = STEADY * tau * (f + p);
    o.last = delay_half(2 * before, tau * (f + p) + wire_r * load / 2);
    o.delay = (n - 1) * before + STEADY * tau * (k - 1) * p + o.last;
    o.energy = (load + gates * (1 + p)) * d->vdd * d->vdd;
    o.leak = leak_times(d->vdd, leak_inv(d, widths, d->n2p * widths));

    /* layout: each stage at least the smallest inverter, and more by the slope of a folded one */
    double small = gate_area(t, GATE_INV, 1, d->n2p * w, w, height);
    double big = gate_area(t, GATE_INV, 1, d->n2p * 8 * w, 8 * w, height);
    double slope = (big - small) / (7 * w);
    o.area = n * small + larger(widths - n * w, 0) * slope;
    if (k > 1)
        o.area += gate_area(t, GATE_NAND, k, d->n2p * w, k * w, height) - small;
    return o;
}

/* ---- decoding ---- */

struct select { /* from an address to one of n lines */
    double delay, last, energy;
    double line_area, shared_area; /* um2 for each line, and for all */
    struct leak leak;
};

/* Address buffers, predecoded halves, and a gate with driver on each line of each part. Up to 4
 * lines need no second level, 16 have a whole one. */
static struct select select_line(const struct side *s, double n, double parts, double load,
                                 double wire_r, double pitch, double height)
{
    const struct array_tech *t = &s->c.t;
    double bits = log2(larger(n, 1)), half = sqrt(larger(n, 1));
    double second = larger(0, fmin(1, bits / 2 - 1)), along = n * pitch;
    struct drive buffer = drive(s, 1, half * s->c.c_nand[2], 0, t->g.gate_height);
    struct drive pre = drive(s, 2, parts * half * s->c.c_nand[2] + along * t->in.c, along * t->in.r,
                             t->g.gate_height);
    struct drive line = drive(s, 2, load, wire_r, height);
    struct select o = {
        .delay = buffer.delay + second * pre.delay + line.delay,
        .last = line.last,
        .energy = bits * buffer.energy / 2 + second * 2 * pre.energy + parts * line.energy,
        .line_area = line.area,
        .shared_area = bits * buffer.area + second * 2 * half * pre.area,
    };
    o.leak = leak_sum(leak_times(bits, buffer.leak), leak_times(second * 2 * half, pre.leak));
    o.leak = leak_sum(o.leak, leak_times(n * parts, line.leak));
    return o;
}

/* ---- what cells have in common ---- */

struct readout {                            /* bit line to the edge of the block */
    double bitline, sense, out;             /* s */
    double e_read, e_write, e_sense, e_out; /* J per column, per bit read */
    struct leak sense_leak, out_leak;
};

/* c_bl, r_bl: a bit line; share: of the columns that a multiplexer stands behind; height: of the
 * block, along which a bit leaves. */
static struct readout readout_make(const struct side *s, double c_bl, double r_bl, double fold,
                                   double share, double word_ramp, double height)
{
    const struct array_tech *t = &s->c.t;
    const struct array_geometry *g = &t->g;
    const struct array_device *d = &t->peri;
    double vc = t->cell.vdd, vs = t->v_swing;
    double cb = share * drain_c(t, d, g->mux_n, 1, fold / 2),
           ci = drain_c(t, d, g->sa_iso, 1, fold);
    double cl = gate_c(d, g->sa_n + g->sa_p) + drain_c(t, d, g->sa_n, 1, fold) +
                drain_c(t, d, g->sa_p, 1, fold);
    double cx = drain_c(t, d, g->mux_n, 1, fold), end = ci + cl + cx;
    double r_cell = on_r(&t->cell, g->cell_n, FET_N, 1) + on_r(&t->cell, g->cell_access, FET_N, 1);
    double tau = r_cell * (c_bl + 2 * cb + end) + r_bl * (c_bl / 2 + share * end) +
                 share * on_r(d, g->mux_n, FET_N, 1) * end + on_r(d, g->sa_iso, FET_P, 1) * end;
    double t0 = tau * log(t->v_pre / (t->v_pre - vs));
    double slow = (vc - t->cell.vth) * word_ramp / (2 * vc);
    double gm = d->mobility / 2 * d->c_ox * (g->sa_n / d->l_elec) * d->v_dsat * (1 + d->gm_ratio);
    struct readout o = {
        .bitline = t0 <= slow ? sqrt(4 * t0 * slow) : t0 + slow,
        .sense = end / gm * log(d->vdd / vs),
        .e_read = 2 * vs * vc * (c_bl + 2 * cb),
        .e_write = 2 * vc * vc * (c_bl + 2 * cb),
        .e_sense = end * d->vdd * d->vdd + 2 * vs * vc * (end + ci),
        .sense_leak = {d->vdd * g->sa_en * d->i_off, 0},
    };
    double wn = g->w_min, wp = d->n2p * wn, in = gate_c(d, wn + wp), gh = g->gate_height;
    double own = drain_in_gate(t, wn, FET_N, 1, gh) + drain_in_gate(t, wp, FET_P, 1, gh);
    double size = s->htree.size * height / s->htree.spacing;
    double c[4] = {cx + in, own + in, own + cx, cx + size * in};
    double r[4] = {on_r(d, g->mux_n, FET_N, 1), on_r(d, wn, FET_N, 1), on_r(d, wn, FET_N, 1),
                   on_r(d, g->mux_n, FET_N, 1)};
    double ramp = 0;
    o.out = s->htree.delay * height;
    o.e_out = s->htree.energy * height;
    for (int i = 0; i < 4; i++) {
        double dt = delay_half(ramp, r[i] * c[i]);
        o.out += dt;
        o.e_out += c[i] * d->vdd * d->vdd / 2;
        ramp = 2 * dt;
    }
    o.out_leak = leak_times(2 * d->vdd, leak_inv(d, wn, wp));
    o.out_leak.gate += 2 * d->vdd * leak_nmos(t, d, g->mux_n, 1).gate;
    o.out_leak = leak_sum(o.out_leak, leak_times(height, s->htree.leak));
    return o;
}

/* Height of precharge, sense amplifiers and output drivers under a column. */
static double column_height(const struct side *s, double share, double cell_rows_h, double pre_w,
                            double eq_w)
{
    const struct array_tech *t = &s->c.t;
    const struct array_geometry *g = &t->g;
    double sa = s->cell_w / s->rr;
    double h = fold_height(t, t->w_pre, pre_w) + fold_height(t, t->w_eq, eq_w) +
               share * fold_height(t, g->mux_n, sa / 2) + 2 * fold_height(t, g->sa_p, sa) +
               fold_height(t, g->sa_iso, sa) + 2 * fold_height(t, g->sa_n, sa) +
               fold_height(t, g->sa_en, sa) + 4 * g->gap_same + g->gap_pn;
    /* one repeater per column and port, as wide as the column */
    return h + cell_rows_h / s->htree.spacing * s->repeater_area / s->cell_w * s->q;
}

static double restore(const struct array_tech *t, double c_bl, double r_bl)
{
    return log((t->v_pre - 0.1 * t->v_swing) / (t->v_pre - t->v_swing)) *
           (on_r(&t->peri, t->w_pre, FET_P, 1) * c_bl + r_bl * c_bl / 2);
}

/* ---- RAM of cells ---- */

/* Words are put beside each other until the block is as wide as high; a block is cut into halves
 * each way, with decoders and outlet in the middle, as far as the parts keep 16 rows and are as
 * wide as those are high. All real numbers: between whole and halved lies everything. */
#define WIDTH_TO_HEIGHT 2.0
struct fold {
    double rows, cols, words; /* of the whole block */
    double down, across;      /* parts, 1..2 */
};

static double clamp(double x, double lo, double hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}

static struct fold fold_of(const struct side *s, double entries, double bits)
{
    const struct array_geometry *g = &s->c.t.g;
    double words = sqrt(WIDTH_TO_HEIGHT * entries * g->cell_h / (bits * g->cell_w));
    words = larger(1, fmin(words, entries / 16));
    struct fold f = {entries / words, bits * words, words, 1, 1};
    f.down = clamp(sqrt(f.rows / 16), 1, 2);
    f.across = clamp(sqrt(f.cols * g->cell_w / (16 * g->cell_h)), 1, 2);
    return f;
}

static double stitched(const struct side *s, double width, double cols)
{
    return width + cols / s->c.t.rules.stitch_columns * s->c.t.g.stitch;
}

/* Height of cells and column circuits. */
static double ram_height(const struct side *s, const struct fold *f)
{
    double share = 1 - 1 / (f->words * f->down), cells = s->cell_h * f->rows;
    return cells + f->down * column_height(s, share, cells / f->down, s->cell_w / (2.0 * s->q),
                                           s->cell_w / s->q);
}

/* Height of the tracks that carry words in and out: between an outlet at the side (two tracks a
 * bit) and one in the middle, where the halves' wires lie beside each other (one). */
static double ram_tracks(const struct side *s, double bits)
{
    return sqrt(2) * bits * s->c.t.in.pitch * s->p;
}

static struct small_block ram_of_cells(const struct side *s, double entries, double bits)
{
    const struct array_tech *t = &s->c.t;
    const struct array_geometry *g = &t->g;
    const struct array_device *d = &t->peri;
    struct fold f = fold_of(s, entries, bits);
    double w = s->cell_w, h = s->cell_h, share = 1 - 1 / (f.words * f.down);
    double rows = f.rows / f.down, cols = f.cols / f.across, parts = f.down * f.across;
    double columns = ram_height(s, &f);
    double c_wl = cols * (2 * gate_c(&t->cell, g->cell_access) + w * t->local.c);
    double r_wl = t->local.r * cols * w, r_bl = rows * h * t->local.r;
    double c_bl = rows * (drain_c(t, &t->cell, g->cell_access, 1, w) / 2 + h * t->local.c);

    struct select row = select_line(s, rows, parts, c_wl, r_wl, h, t->rules.decoder_cells * h);
    struct drive pre = drive(s, 1, cols * (gate_c(d, 2 * t->w_pre + t->w_eq) + w * t->out.c),
                             cols * w * t->out.r, g->gate_height);
    /* sense amplifiers sit at the pitch that the reading ports alone give a cell */
    double pitch = (g->cell_w + 2 * g->pitch_local * larger(s->q - 1, 0)) / s->q;
    struct readout r = readout_make(s, c_bl, r_bl, pitch, share, 2 * row.last, rows * h);

    struct small_block o = {.decode = row.delay, .sense = r.bitline + r.sense};
    o.access = row.delay + r.bitline + r.sense + r.out;
    o.cycle = row.last + r.bitline + r.sense + row.last / 2 + pre.delay + restore(t, c_bl, r_bl);
    double common = row.energy + parts * pre.energy + bits * r.e_out;
    o.read = common + f.down * f.cols * r.e_read + bits * r.e_sense;
    o.write = common + bits * r.e_write;

    o.leak = leak_sum(leak_times(entries * bits, s->cell_leak), leak_times(parts, pre.leak));
    o.leak = leak_sum(o.leak, row.leak);
    o.leak = leak_sum(o.leak, leak_times(s->rr * bits, leak_sum(r.sense_leak, r.out_leak)));

    double wires = fmin(ram_tracks(s, bits), columns);
    double address = log2(larger(entries, 1)) * t->in.pitch * s->p;
    double width =
        stitched(s, w * f.cols, f.cols) +
        larger(2 * sqrt(larger(rows, 1)) * t->in.pitch * s->p, f.across * row.line_area * s->p / h);
    o.height = columns + wires + address + share * f.words * f.down * t->in.pitch * s->rr;
    o.area = width * o.height + s->p * row.shared_area;
    return o;
}

/* ---- gates ---- */

struct gates {            /* the smallest NAND2 and inverter */
    double a_inv, a_nand; /* um2 */
    double c_in, c_out;   /* of a NAND2 */
    double delay;         /* NAND2 driving one of its kind */
    struct leak inv, nand;
};

static struct gates gates_of(const struct side *s)
{
    const struct array_tech *t = &s->c.t;
    const struct array_device *d = &t->peri;
    double w = t->g.w_min, wp = d->n2p * w, h = t->g.gate_height;
    struct gates k = {
        .a_inv = gate_area(t, GATE_INV, 1, wp, w, h),
        .a_nand = gate_area(t, GATE_NAND, 2, wp, 2 * w, h),
        .c_in = s->c.c_nand[2],
        .c_out = 2 * drain_c(t, d, wp, 1, wp) + drain_c(t, d, 2 * w, 2, 2 * w),
        .inv = leak_times(d->vdd, leak_inv(d, w, wp)),
        .nand = leak_times(d->vdd, leak_nand(t, d, 2 * w, wp, 2)),
    };
    k.delay = STEADY * on_r(d, 2 * w, FET_N, 2) * (k.c_out + k.c_in);
    return k;
}

struct small_block small_compare(const struct side *s, double bits)
{
    /* four NAND2 make an XNOR, of which three are in series; then a tree */
    struct gates k = gates_of(s);
    double v = s->c.t.peri.vdd, n = 5 * bits;
    double levels = 3 + log2(larger(bits, 1) + 1);
    struct small_block o = {.access = levels * k.delay, .area = n * k.a_nand};
    o.match = o.cycle = o.access;
    o.read = o.search = n * (k.c_in + k.c_out) * v * v / 2;
    o.leak = leak_times(n, k.nand);
    o.height = sqrt(o.area);
    return o;
}

struct small_block small_priority(const struct side *s, double n)
{
    /* a parallel prefix over the requests: log2 n levels of n gates, then an encoder of log2 n bits
     */
    struct gates k = gates_of(s);
    double v = s->c.t.peri.vdd, levels = log2(larger(n, 1)), count = 2 * n * levels;
    struct small_block o = {.access = 2 * levels * k.delay, .area = count * k.a_nand};
    o.match = o.cycle = o.access;
    o.read = o.search = count * (k.c_in + k.c_out) * v * v / 4;
    o.leak = leak_times(count, k.nand);
    o.height = sqrt(o.area);
    return o;
}

struct small_block small_select(const struct side *s, double n, double bits)
{
    /* two NAND2 for each word and bit: one that selects, one of the tree */
    struct gates k = gates_of(s);
    double v = s->c.t.peri.vdd, levels = log2(larger(n, 1)), count = 2 * bits * (larger(n, 1) - 1);
    struct small_block o = {.access = levels * k.delay, .area = count * k.a_nand};
    o.cycle = o.access;
    o.read = bits * levels * (k.c_in + k.c_out) * v * v / 2;
    o.leak = leak_times(count, k.nand);
    o.height = sqrt(o.area);
    return o;
}

/* ---- latches ---- */

/* Area of one latch with its port gates: transistors, or the tracks of its ports where those need
 * more room. searches: XNOR and its gate of the AND tree for each search port. */
static double latch_area(const struct side *s, const struct gates *k, double searches)
{
    const struct amodel_in *in = s->in;
    double writes = (double)(in->rw + in->wr), reads = s->rr;
    double transistors = 2 * k->a_inv + k->a_nand * (1 + writes + 2 * reads + 5 * searches);
    return larger(transistors, s->cell_w * s->cell_h);
}

static struct leak latch_leak(const struct side *s, const struct gates *k, double searches)
{
    const struct amodel_in *in = s->in;
    double nands = 1 + (double)(in->rw + in->wr) + 2.0 * s->rr + 5 * searches;
    return leak_sum(leak_times(2, k->inv), leak_times(nands, k->nand));
}

/* entries x (key + bits) latches; key bits can be compared. */
static struct small_block latches(const struct side *s, double entries, double key, double bits)
{
    const struct array_tech *t = &s->c.t;
    struct gates k = gates_of(s);
    double searches = s->is_cf ? (double)s->in->search : 0, v2 = t->peri.vdd * t->peri.vdd;
    double plain = latch_area(s, &k, 0), compared = latch_area(s, &k, searches);
    double all = key + bits, cells = entries * (key * compared + bits * plain);
    double row_w = key * sqrt(compared) + bits * sqrt(plain); /* lengths of rows and columns */
    double pitch = sqrt(key > 0 ? compared : plain), column = entries * pitch;

    /* select lines and outputs that are long have repeaters; a row longer than the block would be
     * wide as a square is folded */
    struct select row = select_line(s, entries, 1, all * k.c_in, 0, pitch, t->g.gate_height);
    double reach = s->htree.delay * fmin(row_w, sqrt(cells));
    row.delay += reach;
    row.last += reach;
    row.energy += t->local.c * row_w * v2;
    row.leak = leak_sum(row.leak, leak_times(entries * row_w, s->htree.leak));
    double levels = 1 + log2(larger(entries, 1));
    double one_out =
        s->htree.energy * column + v2 / 2 * (levels * (k.c_in + k.c_out) + column * t->local.c);
    struct drive data =
        drive(s, 1, entries * k.c_in + column * t->local.c, column * t->local.r, t->g.gate_height);
    struct small_block o = {.decode = row.delay, .sense = levels * k.delay};
    o.access = row.delay + levels * k.delay + s->htree.delay * column;
    o.read = row.energy + all * one_out;
    o.write = row.energy + all * (data.energy / 2 + (k.c_in + k.c_out) * v2);
    o.cycle = o.access;
    o.leak = leak_sum(leak_times(entries * bits, latch_leak(s, &k, 0)),
                      leak_times(entries * key, latch_leak(s, &k, searches)));
    o.leak = leak_sum(o.leak, leak_times(s->p, row.leak));
    o.leak = leak_sum(o.leak, leak_times(all * (double)(s->in->rw + s->in->wr), data.leak));
    o.leak = leak_sum(o.leak, leak_times(all * s->rr * column, s->htree.leak));
    o.area = cells + s->p * (entries * row.line_area + row.shared_area) +
             all * (double)(s->in->rw + s->in->wr) * data.area +
             all * s->rr * column / s->htree.spacing * s->repeater_area;
    o.height = column;

    if (key > 0) {
        struct small_block cmp = small_compare(s, key), first = small_priority(s, entries);
        o.match = data.delay + cmp.access;
        if (bits > 0)
            o.access = o.match + row.last + levels * k.delay + s->htree.delay * column;
        o.search = key * data.energy + entries * cmp.search +
                   (bits > 0 ? bits * one_out + row.energy : first.search);
        o.cycle = larger(o.access, o.match);
        o.area += searches * first.area;
        o.leak = leak_sum(o.leak, leak_times(searches, first.leak));
    }
    return o;
}

/* ---- CAM of cells ---- */

struct match_path {
    double delay, reset;
    double energy; /* of one quarter */
    struct leak leak;
    double word_delay, word_ramp, word_energy;
};

/* The search path of a quarter of `rows` entries: search line, match chain, word line of the data.
 */
static struct match_path match_of(const struct side *s, double rows, double key, double c_wl,
                                  double r_wl)
{
    const struct array_tech *t = &s->c.t;
    const struct array_geometry *g = &t->g;
    const struct array_device *d = &t->peri;
    double wn = g->cell_n, n1 = rows + 1, v2 = d->vdd * d->vdd, h = g->gate_height;
    double cs = s->cam_h * t->local.c, rs = s->cam_h * t->local.r;
    struct drive line_pre =
        drive(s, 1, key * (gate_c(d, 2 * t->w_pre + t->w_eq) + s->cam_w * t->out.c),
              key * s->cam_w * t->out.r, h);
    struct drive line = drive(s, 1, n1 * (gate_c(d, wn) + cs), n1 * rs, h);
    struct drive match_pre = drive(s, 1, n1 * (gate_c(d, t->w_pre) + cs), n1 * rs, h);
    struct match_chain lines = match_chain_make(s, rows, key / 2, line.delay, 2 * line.last);
    struct drive word = drive(s, 1, gate_c(d, wn) + c_wl, r_wl, h);
    /* hit line down all rows, precharged and pulled */
    double below = rows * (cs + drain_in_gate(t, wn, FET_N, 1, h));
    double hit_c = 2 * drain_in_gate(t, t->w_eq, FET_N, 2, h) + below;
    double pull_c = 2 * drain_in_gate(t, wn, FET_N, 2, h) + below;
    double hit = on_r(d, wn, FET_P, 1) * pull_c * log(2);

    struct match_path o = {.word_energy = word.energy, .word_ramp = 2 * word.last};
    o.delay = lines.delay;
    o.word_delay = larger(word.delay, hit);
    o.energy = lines.energy + (hit_c + pull_c) * v2 + line_pre.energy + key * line.energy +
               match_pre.energy;
    o.reset =
        line_pre.delay + match_pre.delay +
        log(2) * (on_r(d, t->w_pre, FET_P, 1) * lines.line_c + lines.line_r * lines.line_c / 2);
    struct leak cells = leak_times(n1 * key, match_cell_leak(s));
    o.leak = leak_times(t->cell.vdd, leak_sum(cells, leak_times(n1, match_row_leak(s))));
    o.leak = leak_sum(o.leak, leak_sum(line_pre.leak, leak_times(key, line.leak)));
    return o;
}

static struct small_block cam_of_cells(const struct side *s, double entries, double key,
                                       double bits)
{
    const struct array_tech *t = &s->c.t;
    const struct array_geometry *g = &t->g;
    double rows = entries / 4, n1 = rows + 1, all = key + bits; /* four quarters, two by two */
    double w = s->cell_w, wc = s->cam_w, hc = s->cam_h, side = t->rules.cam_tracks * g->pitch_local;
    double access = 2 * gate_c(&t->cell, g->cell_access), height = hc * n1;
    double c_data = bits * (access + w * t->local.c), r_data = bits * w * t->local.r;
    double c_wl = key * (access + wc * t->local.c) + c_data + side * t->local.c;
    double r_wl = t->local.r * (key * wc + bits * w);
    double c_bl = n1 * (drain_c(t, &t->cell, g->cell_access, 1, w) / 2 + hc * t->local.c);

    struct select row = select_line(s, rows, 1, c_wl, r_wl, hc, t->rules.decoder_cells * hc);
    struct match_path m = match_of(s, rows, key, c_data, r_data);
    double ramp = bits > 0 ? m.word_ramp : 2 * row.last;
    struct readout r = readout_make(s, c_bl, hc * rows * t->local.r, wc, 0, ramp, height);
    struct drive pre = drive(s, 1, bits * (gate_c(&t->peri, 2 * t->w_pre + t->w_eq) + w * t->out.c),
                             bits * w * t->out.r, g->gate_height);
    double pre_e = bits > 0 ? pre.energy : 0;

    struct small_block o = {.decode = row.delay, .sense = r.bitline + r.sense};
    o.match = m.delay + (bits > 0 ? m.word_delay : 0);
    o.access = bits > 0 ? o.match + r.bitline + r.out : row.delay + r.bitline + r.sense + r.out;
    o.cycle = o.match + r.bitline + m.reset +
              (bits > 0 ? pre.delay + restore(t, c_bl, hc * rows * t->local.r) : 0);
    double common = row.energy + pre_e + all * r.e_out;
    o.read = common + all * (r.e_read + r.e_sense);
    o.write = common + all * r.e_write;
    double result = bits > 0 ? bits : log2(larger(entries, 1)); /* data, or the entry's number */
    o.search =
        4 * m.energy + pre_e + bits * (r.e_read + r.e_sense) + result * r.e_out + m.word_energy;

    struct leak column = leak_sum(r.sense_leak, r.out_leak);
    o.leak = leak_sum(leak_times(4, m.leak), leak_times(4.0 * s->q * all, column));
    o.leak = leak_sum(o.leak, leak_times(4 * (bits > 0 ? 1 : s->p), row.leak));
    if (bits > 0)
        o.leak = leak_sum(
            o.leak, leak_sum(leak_times(entries * all, s->cell_leak), leak_times(4, pre.leak)));

    double width = stitched(s, wc * key + w * bits, all) + side;
    double columns = height + column_height(s, 0, height, wc, wc);
    double wires = (all * s->p + (key + result) / 2 * (double)s->in->search) * t->in.pitch;
    double address = log2(larger(entries, 1)) * t->in.pitch * s->p;
    double decoders = larger(2 * sqrt(larger(rows, 1)) * t->in.pitch * s->p,
                             2 * row.line_area * s->p / hc * rows / n1);
    o.height = 2 * columns + fmin(wires, 2 * columns) + address;
    o.area = (2 * width + decoders) * o.height + s->p * row.shared_area;
    return o;
}

/* ---- between latches and cells ---- */

double small_latch_share(double entries)
{
    double share = clamp(1 - log2(larger(entries, 1)) / 4, 0, 1);
    return share * share;
}

static double between(double latch, double cell, double share)
{
    return latch > 0 && cell > 0 ? pow(latch, share) * pow(cell, 1 - share) : larger(latch, cell);
}

/* Figures half-way (in proportion) between the two designs. */
static struct small_block blend(const struct small_block *l, const struct small_block *c,
                                double share)
{
    return (struct small_block){
        .access = between(l->access, c->access, share),
        .cycle = c->cycle, /* cells must recover, latches need not: the longer of the two */
        .match = between(l->match, c->match, share),
        .read = between(l->read, c->read, share),
        .write = between(l->write, c->write, share),
        .search = between(l->search, c->search, share),
        .leak = {between(l->leak.sub, c->leak.sub, share),
                 between(l->leak.gate, c->leak.gate, share)},
        .area = between(l->area, c->area, share),
        .height = between(l->height, c->height, share),
        .decode = between(l->decode, c->decode, share),
        .sense = between(l->sense, c->sense, share),
    };
}

struct small_block small_ram(const struct side *s, double entries, double bits)
{
    double share = small_latch_share(entries);
    struct small_block c = ram_of_cells(s, entries, bits);
    if (share == 0)
        return c;
    struct small_block l = latches(s, entries, 0, bits);
    return blend(&l, &c, share);
}

struct small_block small_cam(const struct side *s, double entries, double key, double bits)
{
    double share = small_latch_share(entries);
    struct small_block c = cam_of_cells(s, entries, key, bits);
    if (share == 0)
        return c;
    struct small_block l = latches(s, entries, key, bits), o = blend(&l, &c, share);
    if (bits == 0)
        o.access =
            c.access; /* reading a key by its number is not what the latches are laid out for */
    return o;
}
