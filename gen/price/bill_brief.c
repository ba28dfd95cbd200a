/* SPDX-License-Identifier: MIT
 *
 * A bill on one screen: sums, and links by classes of length. */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/table.h"
#include "gen/price/bill_print.h"

static void print_sums(const struct bill *b, struct arena *mem, struct buf *out)
{
    static const struct table_column columns[] = {
        {"network", "", -1},     {"routers", "mm2", 3}, {"repeaters", "mm2", 3},
        {"additions", "mm2", 3}, {"active", "mm2", 3},  {"global wire", "mm2", 1},
        {"leakage", "W", 3},     {"dynamic", "W", 3},   {"power", "W", 3}};
    struct table *t = table_new(mem, columns, 9);
    for (int i = 0; i < BILL_NETS; i++) {
        const struct bill_net *n = &b->nets[i];
        if (!bill_has_row(b, i))
            continue;
        table_row(t);
        table_text(t, bill_row_name(b, i));
        table_num(t, bill_routers_mm2(n));
        table_num(t, n->area_mm2[PART_REPEATER]);
        table_num(t, n->area_mm2[PART_OTHER]);
        table_num(t, bill_active_mm2(n));
        table_num(t, n->wire_mm2);
        table_num(t, bill_leakage_w(n));
        table_num(t, bill_dynamic_w(n));
        table_num(t, bill_dynamic_w(n) + bill_leakage_w(n));
    }
    table_write_text(t, out);
    buf_printf(out, "power at injection rate %g, activity by %s, %s; active: without additions\n",
               b->options.rate, bill_activity_names[b->options.activity],
               b->options.reply_is_same ? "as many reply flits as request flits"
                                        : "the same rate from every LLC slice");
}

/* ---- links by length
 * ---------------------------------------------------------------------------------- */

/* Upper ends of the classes; the last class has none. */
static const double ends_mm[] = {1, 4, 16};
enum { LENGTHS = sizeof ends_mm / sizeof *ends_mm + 1, FEW = 3 };

static int class_of(double mm)
{
    int i = 0;
    while (i < LENGTHS - 1 && mm > ends_mm[i])
        i++;
    return i;
}

struct links { /* of one network, of a class of lengths */
    uint32_t n;
    double least_mm, most_mm, sum_mm, sum_pj, most_ns;
};

static void add_link(struct links *l, const struct book_class *c, const struct cost *cost)
{
    double mm = c->link.length_mm;
    l->least_mm = l->n ? fmin(l->least_mm, mm) : mm;
    l->most_mm = l->n ? fmax(l->most_mm, mm) : mm;
    l->n += c->instances;
    l->sum_mm += c->instances * mm;
    l->sum_pj += c->instances * cost->energy_pj[EV_LINK];
    l->most_ns = fmax(l->most_ns, cost->delay_ns);
}

static void print_links(const struct bill *b, struct table *t, const char *group, struct arena *mem)
{
    const struct priced *p = b->priced;
    struct links by_class[LENGTHS] = {{0}};
    uint32_t n_lengths = 0;
    for (uint32_t k = 0; k < p->book.n_classes; k++)
        n_lengths += p->classes[k].kind == CK_CHANNEL && strcmp(p->classes[k].group, group) == 0;
    struct links *each = arena_many(mem, struct links, n_lengths ? n_lengths : 1);
    uint32_t n = 0;
    for (uint32_t k = 0; k < p->book.n_classes; k++) {
        const struct book_class *c = &p->classes[k];
        if (c->kind != CK_CHANNEL || strcmp(c->group, group) != 0)
            continue;
        add_link(&by_class[class_of(c->link.length_mm)], c, &p->book.costs[k]);
        add_link(&each[n++], c, &p->book.costs[k]);
    }
    const struct links *rows = n <= FEW ? each : by_class;
    for (uint32_t i = 0; i < (n <= FEW ? n : (uint32_t)LENGTHS); i++) {
        const struct links *l = &rows[i];
        if (!l->n)
            continue;
        const char *what = b->has_reply ? group + strlen("noc.") : "both";
        table_row(t);
        table_text(
            t, l->least_mm == l->most_mm
                   ? arena_printf(mem, "%s links, %.2f mm", what, l->most_mm)
                   : arena_printf(mem, "%s links, %.2f to %.2f mm", what, l->least_mm, l->most_mm));
        table_num(t, l->n);
        table_num(t, l->sum_pj / l->n);
        table_num(t, fmax(1, ceil(l->most_ns * p->clock.clock_ghz - 1e-9)));
    }
}

/* ---- routers
 * -------------------------------------------------------------------------------------- */

enum { ROUTERS_SHOWN = 6 };

/* What a flit costs in a router that it enters and leaves. */
static double hop_pj(const struct cost *c)
{
    static const enum sim_event events[] = {EV_BUF_WRITE, EV_BUF_READ, EV_XBAR, EV_SW_ALLOC};
    double pj = 0;
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        pj += isfinite(c->energy_pj[events[i]]) ? c->energy_pj[events[i]] : 0;
    return pj;
}

static void print_parts(const struct bill *b, struct arena *mem, struct buf *out)
{
    static const struct table_column columns[] = {{"parts", "", -1},
                                                  {"number", "", -2},
                                                  {"a flit", "pJ", 2},
                                                  {"takes", "cycle", -2},
                                                  {"fmax", "GHz", 3}};
    static const char *const groups[] = {"noc.request", "noc.reply"};
    const struct priced *p = b->priced;
    struct table *t = table_new(mem, columns, 5);
    uint32_t n = 0;
    for (uint32_t k = 0; k < p->book.n_classes; k++) {
        if (p->classes[k].kind != CK_ROUTER || n++ >= ROUTERS_SHOWN)
            continue;
        table_row(t);
        table_text(t, p->classes[k].name);
        table_num(t, p->classes[k].instances);
        table_num(t, hop_pj(&p->book.costs[k]));
        table_none(t);
        table_num(t, p->book.costs[k].fmax_ghz);
    }
    for (size_t g = 0; g < 2; g++)
        print_links(b, t, groups[g], mem);
    table_write_text(t, out);
    if (n > ROUTERS_SHOWN)
        buf_printf(out, "and %u more kinds of routers\n", n - ROUTERS_SHOWN);
}

/* ---- wires
 * -------------------------------------------------------------------------------------- */

static void add_cut(struct table *t, const struct cut_use *u, struct arena *mem)
{
    table_row(t);
    table_text(t, arena_printf(mem, "%s = %.2f mm%s", u->cut.is_vertical ? "x" : "y", u->cut.at_mm,
                               u->cut.is_fullest ? ", the fullest" : ""));
    table_num(t, (double)u->cut.wires);
    table_num(t, u->tracks);
    table_num(t, 100 * u->share);
}

void bill_print_cuts(const struct bill *b, struct arena *mem, struct buf *out)
{
    static const struct table_column columns[] = {
        {"cut of the die", "", -1}, {"wires", "", 0}, {"tracks", "", 0}, {"used", "%", 1}};
    struct table *t = table_new(mem, columns, 4);
    for (int i = 0; i < NOC_CUTS; i++)
        add_cut(t, &b->priced->cuts[i], mem);
    table_write_text(t, out);
}

void bill_print_fit(const struct bill *b, struct buf *out)
{
    const struct noc_floorplan *die = &b->priced->design->floorplan;
    double mm2 = (double)die->width_mm * die->height_mm;
    buf_printf(out, "die %.1f x %.1f mm, %.0f mm2%s; wires of both networks over the fullest cuts:",
               die->width_mm, die->height_mm, mm2,
               mm2 > RETICLE_MM2 ? ", LARGER THAN A RETICLE (858 mm2)" : "");
    for (int way = 0; way < 2; way++) {
        const struct cut_use *u = &b->priced->cuts[way * NOC_CUTS_ONE_WAY];
        buf_printf(out, "%s %llu in %.0f tracks (%.1f %%)%s", way ? "," : "",
                   (unsigned long long)u->cut.wires, u->tracks, 100 * u->share,
                   u->share > 1 ? ", THEY DO NOT FIT" : "");
    }
    buf_putc(out, '\n');
}

void bill_print_brief(const struct bill *b, struct arena *mem, struct buf *out)
{
    bill_print_head(b, out);
    buf_putc(out, '\n');
    print_sums(b, mem, out);
    buf_putc(out, '\n');
    print_parts(b, mem, out);
    bill_print_fit(b, out);
}
