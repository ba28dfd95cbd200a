/* SPDX-License-Identifier: MIT
 *
 * A whole request by the small model: RAM, searched structure, or cache with its ways as banks. */
#include "base/arena.h"
#include "energy/array/small.h"

static double with_check_bits(const struct amodel_in *in, double bits)
{
    return in->ecc ? bits * 9 / 8 : bits;
}

/* Wires that join banks, half across and half along the whole. */
struct spread {
    double delay, energy; /* s, J per bit */
    struct leak leak;     /* W per bit */
};

static struct spread spread_of(const struct side *s, double area, double banks)
{
    double length = sqrt(area * banks) * (1 - 1 / banks);
    return (struct spread){s->htree.delay * length, s->htree.energy * length,
                           leak_times(length, s->htree.leak)};
}

static void fill(const struct side *s, const struct small_block *b, double entries, double bits,
                 struct amodel_side *o)
{
    double banks = (double)s->in->banks, ports = (double)(s->p + s->in->search);
    struct spread w = spread_of(s, b->area, banks);
    double carried = bits + log2(larger(entries, 1) + 1);

    o->access_s = b->access + 2 * w.delay;
    o->cycle_s = b->cycle;
    o->read_j = b->read + carried * w.energy;
    o->write_j = b->write + carried * w.energy;
    o->search_j = b->search > 0 ? b->search + carried * w.energy : 0;
    o->leak.sub = b->leak.sub + carried * ports * w.leak.sub;
    o->leak.gate = b->leak.gate + carried * ports * w.leak.gate;
    o->area_um2 = b->area * banks;
    o->height_um = sqrt(banks) * b->height;
    o->width_um = o->area_um2 / o->height_um;
    o->efficiency = entries * bits * s->cell_w * s->cell_h * banks / o->area_um2;
    o->t_htree_in = o->t_out = w.delay;
    o->t_decode = b->decode;
    o->t_bitline = b->sense;
    o->t_match = b->match;
}

/* Adds a block that every access goes through. */
static void add(struct amodel_side *o, const struct small_block *b, double times, double banks)
{
    o->access_s += b->access;
    o->read_j += times * b->read;
    o->write_j += times * b->read;
    o->leak.sub += times * b->leak.sub;
    o->leak.gate += times * b->leak.gate;
    o->area_um2 += times * b->area * banks;
    o->width_um = o->area_um2 / o->height_um;
}

/* `times` equal blocks beside each other; `active` of them answer an access. */
static void repeat(struct amodel_side *o, double times, double active)
{
    o->read_j *= active;
    o->leak.sub *= times;
    o->leak.gate *= times;
    o->area_um2 *= times;
    o->width_um *= times;
}

static void cost_cache(const struct amodel_in *in, const struct side *s, const struct side *ts,
                       struct amodel_out *o)
{
    double ways = (double)in->assoc, banks = (double)in->banks, out = (double)in->out_bits;
    double lines = (double)in->size_b / (banks * (double)in->block_b), sets = lines / ways;
    double words = sets * 8 * (double)in->block_b / out;
    double tag_bits = with_check_bits(in, (double)ts->tag_bits), bits = with_check_bits(in, out);
    /* tags first: the way is known, and the data of all ways are one memory */
    bool one_by_one = in->mode == AMODEL_SEQUENTIAL;
    words *= one_by_one ? ways : 1;

    struct small_block tag = small_ram(ts, sets, tag_bits), data = small_ram(s, words, bits);
    struct small_block cmp = small_compare(ts, (double)ts->tag_bits);
    struct small_block pick = small_select(s, ways, bits);
    fill(ts, &tag, sets, tag_bits, &o->tag);
    repeat(&o->tag, ways, ways);
    double read = o->tag.access_s;
    add(&o->tag, &cmp, ways, banks);
    o->tag.t_compare = o->tag.access_s - read;
    fill(s, &data, words, bits, &o->data);
    if (!one_by_one) { /* what is written, and what is chosen of what is read, crosses the ways */
        struct spread w = spread_of(s, data.area, ways);
        o->data.read_j += bits * w.energy / ways;
        o->data.write_j += bits * w.energy;
        o->data.access_s += w.delay;
        repeat(&o->data, ways, ways);
    }
    double way = o->data.access_s;
    if (!one_by_one)
        add(&o->data, &pick, 1, banks);

    switch (in->mode) {
    case AMODEL_SEQUENTIAL: o->access_s = o->tag.access_s + o->data.access_s; break;
    case AMODEL_FAST: o->access_s = larger(o->tag.access_s, o->data.access_s); break;
    case AMODEL_NORMAL:
    case AMODEL_MODES: o->access_s = larger(o->tag.access_s, way) + pick.access; break;
    }
    o->has_tag = true;
}

void small_cost(const struct amodel_in *in, const struct array_tables *tables,
                struct arena *scratch, struct amodel_out *out)
{
    struct arena_mark mark = arena_mark(scratch);
    struct side *s = arena_new(scratch, struct side), *ts = NULL;
    struct amodel_in plain = *in;
    struct amodel_out o = {.has_tag = false};
    bool cf = in->type == AMODEL_FA || in->type == AMODEL_CAM;
    double banks = (double)in->banks, entries, bits;

    if (plain.entries) { /* sides need a size; these blocks are told theirs in bits */
        plain.size_b = plain.entries;
        plain.block_b = (plain.word_bits + 7) / 8;
        if (plain.out_bits <= 0)
            plain.out_bits = plain.word_bits;
    }
    if (cf) {
        plain.assoc = 1;
        if (plain.rw + plain.rd == 0)
            plain.rd = 1;
    }
    side_make(&plain, tables, false, NULL, s);

    if (in->type == AMODEL_CACHE) {
        ts = arena_new(scratch, struct side);
        side_make(&plain, tables, true, &s->c.t.wire, ts);
        cost_cache(&plain, s, ts, &o);
    } else if (cf) {
        double key = (double)(in->tag_bits ? in->tag_bits : s->tag_bits), data = 0;
        if (in->type == AMODEL_CAM) {
            if (in->entries)
                key = (double)in->word_bits;
            entries = (in->entries ? (double)in->entries : 8 * (double)in->size_b / key) / banks;
        } else {
            data = in->entries ? (double)in->word_bits : 8 * (double)in->block_b;
            entries =
                (in->entries ? (double)in->entries : (double)in->size_b / (double)in->block_b) /
                banks;
        }
        key = with_check_bits(in, key);
        data = with_check_bits(in, data);
        struct small_block b = small_cam(s, entries, key, data);
        fill(s, &b, entries, key + data, &o.data);
        o.has_search = true;
    } else {
        double total =
            in->entries ? (double)in->entries * (double)in->word_bits : 8 * (double)in->size_b;
        bits = (double)plain.out_bits;
        entries = total / (banks * bits);
        bits = with_check_bits(in, bits);
        struct small_block b = small_ram(s, entries, bits);
        fill(s, &b, entries, bits, &o.data);
    }
    if (!o.has_tag)
        o.access_s = o.data.access_s;
    o.cycle_s = larger(o.data.cycle_s, o.tag.cycle_s);
    o.search_j = o.data.search_j;
    o.read_j = o.data.read_j + o.tag.read_j;
    o.write_j = o.data.write_j + o.tag.write_j;
    o.leak_w = o.data.leak.sub + o.tag.leak.sub;
    o.gate_leak_w = o.data.leak.gate + o.tag.leak.gate;
    o.area_um2 = o.data.area_um2 + o.tag.area_um2;
    o.height_um = larger(o.data.height_um, o.tag.height_um);
    o.width_um = o.area_um2 / o.height_um;
    *out = o;
    arena_rewind(scratch, mark);
}
