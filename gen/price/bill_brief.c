/* SPDX-License-Identifier: MIT
 *
 * A bill on one screen: sums, and links by classes of length. */
#include <math.h>
#include <stdlib.h>
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

/* ---- parts: both networks beside each other -------------------------------------------------- */

/* Upper ends of the classes of lengths; the last class has none. */
static const double ends_mm[] = {1, 4, 16};
enum { LENGTHS = sizeof ends_mm / sizeof *ends_mm + 1 };

static int class_of(double mm)
{
    int i = 0;
    while (i < LENGTHS - 1 && mm > ends_mm[i])
        i++;
    return i;
}

struct links { /* of a class of lengths, or of one length */
    double least_mm, most_mm;
    uint32_t n[2]; /* by network */
    double sum_pj[2], most_ns[2];
};

static void add_link(struct links *l, int net, const struct book_class *c, const struct cost *cost)
{
    double mm = c->link.length_mm;
    bool is_first = l->n[0] + l->n[1] == 0;
    l->least_mm = is_first ? mm : fmin(l->least_mm, mm);
    l->most_mm = is_first ? mm : fmax(l->most_mm, mm);
    l->n[net] += c->instances;
    l->sum_pj[net] += c->instances * cost->energy_pj[EV_LINK];
    l->most_ns[net] = fmax(l->most_ns[net], cost->delay_ns);
}

static int net_of(const struct book_class *c)
{
    return strcmp(c->group, "noc.reply") == 0;
}

/* The place of a length among the first few, or `n` where it is a new one. */
static int length_at(const struct links *few, int n, double mm)
{
    int i = 0;
    while (i < n && few[i].least_mm != mm)
        i++;
    return i;
}

static int by_length(const void *a, const void *b)
{
    const struct links *x = a, *y = b;
    return (x->least_mm > y->least_mm) - (x->least_mm < y->least_mm);
}

/* Every length, where there are not more than classes; the classes else. */
static void sort_links(const struct priced *p, struct links rows[LENGTHS])
{
    struct links few[LENGTHS] = {{0}};
    int n = 0;
    for (uint32_t k = 0; k < p->book.n_classes; k++) {
        const struct book_class *c = &p->classes[k];
        if (c->kind != CK_CHANNEL)
            continue;
        add_link(&rows[class_of(c->link.length_mm)], net_of(c), c, &p->book.costs[k]);
        int at = n > LENGTHS ? n : length_at(few, n, c->link.length_mm);
        if (at < LENGTHS)
            add_link(&few[at], net_of(c), c, &p->book.costs[k]);
        n += at == n;
    }
    if (n > LENGTHS)
        return;
    qsort(few, (size_t)n, sizeof *few, by_length);
    memcpy(rows, few, sizeof few);
}

/* What a flit costs in a router that it enters and leaves. */
static double hop_pj(const struct cost *c)
{
    static const enum sim_event events[] = {EV_BUF_WRITE, EV_BUF_READ, EV_XBAR, EV_SW_ALLOC};
    double pj = 0;
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        pj += isfinite(c->energy_pj[events[i]]) ? c->energy_pj[events[i]] : 0;
    return pj;
}

struct routers {         /* of a network */
    uint32_t kinds, all; /* all: instances */
    uint32_t slowest;    /* kind */
};

static void sort_routers(const struct priced *p, struct routers of[2])
{
    for (uint32_t k = 0; k < p->book.n_classes; k++) {
        const struct book_class *c = &p->classes[k];
        struct routers *r = &of[net_of(c)];
        if (c->kind != CK_ROUTER)
            continue;
        if (!r->kinds++ || p->book.costs[k].fmax_ghz < p->book.costs[r->slowest].fmax_ghz)
            r->slowest = k;
        r->all += c->instances;
    }
}

/* "router 80x32" of "request router 80x32". */
static const char *kind_name(const struct priced *p, const struct routers *r)
{
    const char *name = p->classes[r->slowest].name, *space = strchr(name, ' ');
    return space ? space + 1 : name;
}

static uint32_t n_nets(const struct bill *b)
{
    return b->has_reply ? 2 : 1;
}

static void add_routers(const struct bill *b, struct table *t, struct arena *mem)
{
    const struct priced *p = b->priced;
    struct routers of[2] = {{0}};
    sort_routers(p, of);
    const char *first = kind_name(p, &of[0]), *second = b->has_reply ? kind_name(p, &of[1]) : first;
    table_row(t);
    table_text(t, strcmp(first, second) ? arena_printf(mem, "%s; %s", first, second) : first);
    for (uint32_t net = 0; net < n_nets(b); net++) {
        const struct cost *c = &p->book.costs[of[net].slowest];
        table_num(t, p->classes[of[net].slowest].instances);
        table_num(t, hop_pj(c));
        table_none(t);
        table_num(t, c->fmax_ghz);
    }
    if (of[0].kinds + of[1].kinds <= n_nets(b))
        return;
    table_row(t);
    table_text(t, arena_printf(mem, "routers of %u other kinds, faster",
                               of[0].kinds + of[1].kinds - n_nets(b)));
    for (uint32_t net = 0; net < n_nets(b); net++) {
        table_num(t, of[net].all - p->classes[of[net].slowest].instances);
        for (int i = 0; i < 3; i++)
            table_none(t);
    }
}

static void print_parts(const struct bill *b, struct arena *mem, struct buf *out)
{
    static const struct table_column columns[] = {
        {"parts", "", -1},      {"request", "", -2},    {"a flit", "pJ", 2},
        {"takes", "cycle", -2}, {"fmax", "GHz", 3},     {"reply", "", -2},
        {"a flit", "pJ", 2},    {"takes", "cycle", -2}, {"fmax", "GHz", 3}};
    static const struct table_column shared[] = {{"parts", "", -1},
                                                 {"number", "", -2},
                                                 {"a flit", "pJ", 2},
                                                 {"takes", "cycle", -2},
                                                 {"fmax", "GHz", 3}};
    const struct priced *p = b->priced;
    struct table *t = b->has_reply ? table_new(mem, columns, 9) : table_new(mem, shared, 5);
    struct links rows[LENGTHS] = {{0}};
    add_routers(b, t, mem);
    sort_links(p, rows);
    for (const struct links *l = rows; l < rows + LENGTHS; l++) {
        if (l->n[0] + l->n[1] == 0)
            continue;
        table_row(t);
        table_text(t, l->least_mm == l->most_mm
                          ? arena_printf(mem, "links, %.2f mm", l->most_mm)
                          : arena_printf(mem, "links, %.2f to %.2f mm", l->least_mm, l->most_mm));
        for (uint32_t net = 0; net < n_nets(b); net++) {
            table_num(t, l->n[net]);
            if (l->n[net]) {
                table_num(t, l->sum_pj[net] / l->n[net]);
                table_num(t, fmax(1, ceil(l->most_ns[net] * p->clock.clock_ghz - 1e-9)));
            } else {
                table_none(t);
                table_none(t);
            }
            table_none(t);
        }
    }
    table_write_text(t, out);
}

/* ---- wires ----------------------------------------------------------------------------------- */

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
    double open = b->priced->die.spread;
    buf_printf(out, "die %.1f x %.1f mm, %.0f mm2", die->width_mm, die->height_mm, mm2);
    if (open > 1.005)
        buf_printf(out, " (tiles from another node, x/: %.2f)", open);
    buf_printf(out, "%s; wires of both networks over the fullest cuts:",
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
    bill_print_head(b, true, out);
    buf_putc(out, '\n');
    print_sums(b, mem, out);
    buf_putc(out, '\n');
    print_parts(b, mem, out);
    bill_print_fit(b, out);
}
