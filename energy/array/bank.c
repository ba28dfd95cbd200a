/* SPDX-License-Identifier: MIT */
#include "energy/array/bank.h"

#include "base/bits.h"

struct bank_bits bank_bits_of(const struct side *s, const struct cut *cut, int mats)
{
    const struct amodel_in *in = s->in;
    long wide = (long)in->out_bits, data_in, data_out;

    if (s->is_tag) {
        data_in = s->tag_bits;
        data_out = in->mode == AMODEL_SEQUENTIAL ? 1 : (long)in->assoc;
    } else {
        data_in = wide + s->assoc;
        data_out = wide;
    }
    struct bank_bits b = {
        .address = (double)(cut->address + (int)bits_flog2((uint64_t)(mats / cut->active))) * s->p,
        .in = (double)with_ecc(s, data_in) * (double)(in->rw + in->wr),
        .out = (double)with_ecc(s, data_out) * s->rr,
    };
    if (!s->is_tag && in->mode == AMODEL_FAST)
        b.out *= s->assoc;
    return b;
}

void bank_trees_make(const struct side *s, double mat_w, double mat_h, const struct bank_grid *grid,
                     const struct bank_bits *bits, struct bank_trees *out)
{
    const struct array_tech *t = &s->c.t;
    double a = bits->address + bits->search_in + bits->search_out, d = bits->in + bits->out;
    int banks = (int)s->in->banks, log = (int)bits_flog2((uint64_t)banks);

    out->bank = htree_bank(t, mat_w, mat_h, grid->mats_v, grid->mats_h, a, d);
    out->in = htree_walk(&s->htree, &out->bank, HTREE_IN, false);
    out->out = htree_walk(&s->htree, &out->bank, HTREE_OUT, false);

    int n_v = 1 << (out->bank.height > out->bank.width ? log / 2 : log - log / 2);
    out->banks = htree_banks(t, out->bank.width, out->bank.height, n_v, banks / n_v, a, d);
    out->uca_in = htree_walk(&s->htree, &out->banks, HTREE_IN, false);
    out->uca_out = htree_walk(&s->htree, &out->banks, HTREE_OUT, false);
}

static double latest(const struct mat *m)
{
    return larger(larger(m->row_path, m->bit_path), larger(m->s1_path, m->s2_path));
}

static void times(const struct mat *m, const struct bank_trees *tr, struct bank_quick *q)
{
    double d0 = tr->uca_in.delay + tr->in.delay;
    q->before = d0 + latest(m);
    q->select = d0 + larger(m->s1_path, m->s2_path);
    q->after = m->out + tr->out.delay + tr->uca_out.delay;
    q->access = q->before + q->after;
    q->cycle = larger(m->reset, m->pre_longest);
}

static struct leak bank_leak(const struct mat *m, int mats, const struct bank_trees *tr,
                             const struct bank_bits *b)
{
    struct leak l = leak_times(mats, m->leak);
    l = leak_sum(l, leak_times(b->address + b->in, leak_sum(tr->in.leak, tr->uca_in.leak)));
    return leak_sum(l, leak_times(b->out, leak_sum(tr->out.leak, tr->uca_out.leak)));
}

static double tree_energy(const struct bank_trees *tr, const struct bank_bits *b)
{
    return b->address * (tr->in.energy + tr->uca_in.energy) +
           b->out * (tr->out.energy + tr->uca_out.energy);
}

void bank_quick(const struct side *s, const struct mat *m, const struct cut *cut,
                const struct bank_grid *grid, struct bank_quick *q)
{
    struct bank_bits b = bank_bits_of(s, cut, grid->mats);
    struct bank_trees tr;
    bank_trees_make(s, m->width, m->height, grid, &b, &tr);
    times(m, &tr, q);
    q->read = cut->active * m->read + tree_energy(&tr, &b);
    q->leak = bank_leak(m, grid->mats, &tr, &b).sub;
    q->height = tr.banks.height;
    q->width = tr.banks.width;
}

void bank_full(const struct side *s, const struct mat_steps *of, const struct mat *m,
               const struct cut *cut, const struct bank_grid *grid, struct amodel_side *o)
{
    const struct strip *a = of->a;
    const struct column *b = of->b;
    struct bank_bits bits = bank_bits_of(s, cut, grid->mats);
    struct bank_trees tr;
    struct bank_quick q;
    int act = cut->active;

    bank_trees_make(s, m->width, m->height, grid, &bits, &tr);
    times(m, &tr, &q);
    o->access_s = q.access;
    o->cycle_s = q.cycle;
    o->before_s = q.before;
    o->select_s = q.select;
    o->after_s = q.after;
    o->read_j = act * m->read + tree_energy(&tr, &bits);
    o->write_j = o->read_j - act * m->read_bitline + act * m->write_bitline - act * m->sense;
    if (s->is_tag)
        o->write_j += bits.in * (tr.in.energy + tr.uca_in.energy) -
                      bits.out * (tr.out.energy + tr.uca_out.energy);
    struct leak l = bank_leak(m, grid->mats, &tr, &bits);
    o->leak.sub = l.sub;
    o->leak.gate = l.gate;
    o->height_um = tr.banks.height;
    o->width_um = tr.banks.width;
    o->area_um2 = o->height_um * o->width_um;
    o->efficiency =
        a->cell_area * a->spm * grid->mats * (double)s->in->banks / (o->height_um * o->width_um);
    o->mat_h_um = m->height;
    o->mat_w_um = m->width;
    o->sub_h_um = a->height;
    o->sub_w_um = a->width;
    o->rows = a->rows;
    o->cols = a->cols;
    o->mats = grid->mats;
    o->active_mats = act;

    o->t_htree_in = tr.uca_in.delay + tr.in.delay;
    o->t_decode = a->row_pre.delay + a->row_delay;
    o->t_bitline = b->bitline;
    o->t_sense = b->sense;
    o->t_compare = s->cmp.delay;
    o->t_out = m->out + tr.out.delay;
    o->e_htree = tree_energy(&tr, &bits);
    o->e_decode = act * a->row_pre.energy;
    o->e_wordline = act * a->spm * a->row.energy;
    o->e_bitmux = act * b->pre.energy;
    o->e_sensemux = act * (of->c->pre.energy + m->e_s2_pre);
    o->e_precharge = act * a->spm * a->precharge.energy;
    o->e_bitline = act * m->read_bitline;
    o->e_sense = act * m->sense;
    o->e_out = (double)(act * cut->data_out) * m->e_out;
}
