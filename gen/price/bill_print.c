/* SPDX-License-Identifier: MIT */
#include "gen/price/bill_print.h"
#include "gen/price/assumptions.h"
#include "gen/price/scale.h"

#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/printable.h"
#include "base/table.h"
#include "energy/logic/cell.h"
#include "energy/logic/router_model.h"

static const char *const net_names[BILL_NETS] = {"request", "reply", "sum"};

/* Rows of a bill: both networks and the sum, or the one network that carries both. */
bool bill_has_row(const struct bill *b, int net)
{
    return b->has_reply || net == BILL_REQUEST;
}

const char *bill_row_name(const struct bill *b, int net)
{
    return b->has_reply ? net_names[net] : "both";
}

static const struct router_spec *spec_of(const struct bill *b)
{
    const struct book_class *slowest = bill_slowest(b->priced);
    return slowest ? &slowest->router : NULL;
}

static double radix_of(const struct router_spec *s)
{
    return s->inputs > s->outputs ? s->inputs : s->outputs;
}

double bill_gbps(const struct bill *b, uint64_t bits)
{
    return (double)bits / 8 * b->priced->clock.clock_ghz;
}

/* "bisection 717 GB/s" of each network: what the design can carry, whatever runs on it. */
static void print_bandwidth(const struct bill *b, struct buf *out)
{
    const struct design *d = b->priced->design;
    const struct noc_facts *facts[BILL_SUM] = {&d->request_facts, &d->reply_facts};
    buf_add(out, "GB/s:");
    for (int i = 0; i < (b->has_reply ? BILL_SUM : 1); i++)
        buf_printf(out, "%s %s bisection %.0f%s, injection %.0f, ejection %.0f", i ? ";" : "",
                   bill_row_name(b, i), bill_gbps(b, facts[i]->bisection_bits),
                   facts[i]->bisection_is_exact ? "" : " (best cut found)",
                   bill_gbps(b, facts[i]->injection_bits), bill_gbps(b, facts[i]->ejection_bits));
    buf_putc(out, '\n');
}

void bill_print_head(const struct bill *b, bool is_brief, struct buf *out)
{
    const struct design *d = b->priced->design;
    const struct clock_choice *c = &b->priced->clock;
    const struct cost *first = &b->priced->book.costs[0];
    buf_printf(out, "%s: %s\n", printable_text(out->mem, arch_title(d->arch, out->mem)),
               design_networks(d, false, out->mem));
    buf_printf(out, "priced by %s, %s\n", first->engine, first->technology);
    buf_printf(out, "%s\n", scale_text(b->priced, out->mem));
    buf_printf(
        out, "clock %.3f GHz, target %.3f GHz (noc.clock_limit = \"%s\")%s%s", c->clock_ghz,
        c->target_ghz, c->limit,
        b->meets_timing ? "" : "; some parts do not meet it: their numbers are not a design point",
        is_brief ? "; " : "\n");
    buf_printf(out, "largest clock %.3f GHz, timing mode %s, limited by %s%s%s%s\n", c->fmax_ghz,
               c->timing_mode, c->limited_by, c->stage[0] ? " (" : "",
               strcmp(c->stage, "the clock driver of mode all") == 0
                   ? "paths begin at two inverters that drive its whole clock load"
                   : c->stage,
               c->stage[0] ? ")" : "");
    if (!isnan(c->mode_ghz[0]))
        buf_printf(out, "  in the other modes:%s\n", clock_other_modes(c, out->mem));
    const struct router_spec *s = spec_of(b);
    for (int i = 0; s && !is_brief && i < BILL_PUBLISHED; i++)
        buf_printf(
            out, "  first-order scaling to it of the %s: %.1f MHz\n", bill_published[i].name,
            bill_scaled_mhz(&bill_published[i], radix_of(s), s->flit_bits, d->arch->tech.node_nm));
    print_bandwidth(b, out);
}

static void print_parts(const struct bill *b, bool leakage, struct arena *mem, struct buf *out)
{
    static const struct table_column areas[] = {{"area", "", -1},        {"buffers", "mm2", 4},
                                                {"crossbars", "mm2", 4}, {"allocators", "mm2", 4},
                                                {"clock", "mm2", 4},     {"routers", "mm2", 4},
                                                {"repeaters", "mm2", 4}, {"active", "mm2", 4},
                                                {"additions", "mm2", 4}, {"global wire", "mm2", 2}};
    static const struct table_column leaks[] = {
        {"leakage", "", -1},    {"buffers", "W", 4}, {"crossbars", "W", 4},
        {"allocators", "W", 4}, {"clock", "W", 4},   {"routers", "W", 4},
        {"repeaters", "W", 4},  {"all", "W", 4},     {"additions", "W", 4}};
    struct table *t = leakage ? table_new(mem, leaks, 9) : table_new(mem, areas, 10);
    for (int i = 0; i < BILL_NETS; i++) {
        if (!bill_has_row(b, i))
            continue;
        const struct bill_net *n = &b->nets[i];
        const double *v = leakage ? n->leakage_w : n->area_mm2;
        double routers = v[PART_BUFFER] + v[PART_CROSSBAR] + v[PART_ALLOCATOR] + v[PART_CLOCK];
        if (i == BILL_SUM)
            table_rule(t);
        table_row(t);
        table_text(t, bill_row_name(b, i));
        table_num(t, v[PART_BUFFER]);
        table_num(t, v[PART_CROSSBAR]);
        table_num(t, v[PART_ALLOCATOR]);
        table_num(t, v[PART_CLOCK]);
        table_num(t, routers);
        table_num(t, v[PART_REPEATER]);
        table_num(t, routers + v[PART_REPEATER]);
        table_num(t, v[PART_OTHER]);
        if (!leakage)
            table_num(t, n->wire_mm2);
    }
    table_write_text(t, out);
}

static void print_power(const struct bill *b, struct arena *mem, struct buf *out)
{
    static const struct table_column columns[] = {{"power", "", -1},
                                                  {"buffers", "W", 4},
                                                  {"crossbars", "W", 4},
                                                  {"links", "W", 4},
                                                  {"other", "W", 4},
                                                  {"dynamic", "W", 4},
                                                  {"leakage", "W", 4},
                                                  {"all", "W", 4},
                                                  {"additions", "W", 4},
                                                  {"flits per cycle", "", 2},
                                                  {"routers on the way", "", 2}};
    struct table *t = table_new(mem, columns, 11);
    for (int i = 0; i < BILL_NETS; i++) {
        if (!bill_has_row(b, i))
            continue;
        const struct bill_net *n = &b->nets[i];
        double dynamic = bill_dynamic_w(n), leakage = bill_leakage_w(n);
        if (i == BILL_SUM)
            table_rule(t);
        table_row(t);
        table_text(t, bill_row_name(b, i));
        table_num(t, n->dynamic_w[BILL_BUFFER]);
        table_num(t, n->dynamic_w[BILL_CROSSBAR]);
        table_num(t, n->dynamic_w[BILL_LINKS]);
        table_num(t, n->dynamic_w[BILL_ALLOCATOR] + n->dynamic_w[BILL_CLOCK]);
        table_num(t, dynamic);
        table_num(t, leakage);
        table_num(t, dynamic + leakage);
        table_num(t, n->additions_w);
        if (n->flits > 0) {
            table_num(t, n->flits);
            table_num(t, n->mean_routers);
        }
    }
    table_write_text(t, out);
}

static const enum sim_event events[] = {EV_BUF_WRITE, EV_BUF_READ,     EV_XBAR, EV_SW_ALLOC,
                                        EV_VC_ALLOC,  EV_ROUTER_CLOCK, EV_LINK};
enum { N_EVENTS = sizeof events / sizeof events[0] };

static void print_events(const struct bill *b, struct arena *mem, struct buf *out)
{
    static const struct table_column columns[] = {{"energy per event", "", -1},
                                                  {"parts", "", -2},
                                                  {"buffer write", "pJ", 4},
                                                  {"buffer read", "pJ", 4},
                                                  {"crossbar", "pJ", 4},
                                                  {"arbitration, both stages", "pJ", 4},
                                                  {"additions", "pJ", 4},
                                                  {"clock cycle", "pJ", 4},
                                                  {"link", "pJ", 4},
                                                  {"path", "ns", 3},
                                                  {"fmax", "GHz", 3},
                                                  {"meets timing", "", -1}};
    struct table *t = table_new(mem, columns, 12);
    for (uint32_t k = 0; k < b->priced->book.n_classes; k++) {
        const struct cost *c = &b->priced->book.costs[k];
        table_row(t);
        table_text(t, b->priced->classes[k].name);
        table_num(t, b->priced->classes[k].instances);
        for (int e = 0; e < N_EVENTS; e++)
            table_num(t, events[e] == EV_VC_ALLOC ? cost_additions_pj(c) : c->energy_pj[events[e]]);
        table_num(t, c->delay_ns);
        table_num(t, c->fmax_ghz);
        table_text(t, c->meets_timing ? "yes" : "no");
    }
    table_write_text(t, out);
}

void bill_print(const struct bill *b, struct arena *mem, struct buf *out)
{
    bill_print_head(b, false, out);
    buf_putc(out, '\n');
    print_parts(b, false, mem, out);
    buf_putc(out, '\n');
    print_parts(b, true, mem, out);
    buf_printf(out, "\ninjection rate %g, activity by %s, %s\n", b->options.rate,
               bill_activity_names[b->options.activity],
               b->options.reply_is_same ? "as many reply flits as request flits"
                                        : "the same rate from every LLC slice");
    print_power(b, mem, out);
    buf_putc(out, '\n');
    print_events(b, mem, out);
    buf_putc(out, '\n');
    bill_print_fit(b, out);
    bill_print_cuts(b, mem, out);
}

/* What each design can carry, whatever runs on it. */
static void print_bandwidths(const struct bill *bills, size_t n, struct arena *mem, struct buf *out)
{
    static const struct table_column columns[] = {
        {"GB/s", "", 0},      {"request bisection", "", -2}, {"injection", "", -2},
        {"ejection", "", -2}, {"reply bisection", "", -2},   {"injection", "", -2},
        {"ejection", "", -2}};
    struct table *t = table_new(mem, columns, 7);
    for (size_t i = 0; i < n; i++) {
        const struct bill *b = &bills[i];
        const struct design *d = b->priced->design;
        const struct noc_facts *facts[BILL_SUM] = {&d->request_facts, &d->reply_facts};
        table_row(t);
        table_text(t, arch_title(d->arch, mem));
        for (int net = 0; net < (b->has_reply ? BILL_SUM : 1); net++) {
            table_num(t, round(bill_gbps(b, facts[net]->bisection_bits)));
            table_num(t, round(bill_gbps(b, facts[net]->injection_bits)));
            table_num(t, round(bill_gbps(b, facts[net]->ejection_bits)));
        }
    }
    buf_putc(out, '\n');
    table_write_text(t, out);
}

void bill_print_side_by_side(const struct bill *bills, size_t n, struct arena *mem, struct buf *out)
{
    static const struct table_column columns[] = {
        {"design", "", -1},    {"topology", "", -1},      {"clock", "GHz", 3},
        {"routers", "mm2", 3}, {"repeaters", "mm2", 3},   {"active", "mm2", 3},
        {"x", "", 3},          {"global wire", "mm2", 1}, {"x", "", 3},
        {"leakage", "W", 3},   {"dynamic", "W", 3},       {"power", "W", 3},
        {"x", "", 3},          {"fmax", "GHz", 3},        {"limited by", "", -1}};
    struct table *t = table_new(mem, columns, 15);
    const struct bill_net *base = &bills[0].nets[BILL_SUM];
    double base_power = bill_dynamic_w(base) + bill_leakage_w(base);
    for (size_t i = 0; i < n; i++) {
        const struct bill_net *s = &bills[i].nets[BILL_SUM];
        const struct priced *p = bills[i].priced;
        double power = bill_dynamic_w(s) + bill_leakage_w(s);
        table_row(t);
        table_text(t, arch_title(p->design->arch, mem));
        table_text(t, design_topology(p->design, mem));
        table_num(t, p->clock.clock_ghz);
        table_num(t, bill_routers_mm2(s));
        table_num(t, s->area_mm2[PART_REPEATER]);
        table_num(t, bill_active_mm2(s));
        table_num(t, bill_active_mm2(s) / bill_active_mm2(base));
        table_num(t, s->wire_mm2);
        table_num(t, s->wire_mm2 / base->wire_mm2);
        table_num(t, bill_leakage_w(s));
        table_num(t, bill_dynamic_w(s));
        table_num(t, power);
        table_num(t, power / base_power);
        table_num(t, p->clock.fmax_ghz);
        table_text(t, p->clock.limited_by);
    }
    table_write_text(t, out);
    const struct bill *b = &bills[0];
    const struct priced **priced = arena_many(mem, const struct priced *, n);
    const char **names = arena_many(mem, const char *, n);
    for (size_t i = 0; i < n; i++) {
        priced[i] = bills[i].priced;
        names[i] = arch_title(priced[i]->design->arch, mem);
    }
    buf_printf(out, "x: ratio to the first design; injection rate %g, activity by %s, %s\n",
               b->options.rate, bill_activity_names[b->options.activity],
               b->options.reply_is_same ? "as many reply flits as request flits"
                                        : "the same rate from every LLC slice");
    buf_printf(out, "assumes %s\n", assumptions_line(priced, names, n, mem));
    print_bandwidths(bills, n, mem, out);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void set(json_t *o, const char *name, double v)
{
    if (isfinite(v))
        json_object_set_new(o, name, json_num(v));
}

static json_t *net_json(const struct bill_net *n)
{
    json_t *o = json_object(), *area = json_object(), *leak = json_object(), *dyn = json_object();
    for (int p = 0; p < PART_COUNT; p++) {
        if (p == PART_ARRAY)
            continue;
        const char *name = p == PART_OTHER ? "additions" : cost_part_name((enum cost_part)p);
        set(area, name, n->area_mm2[p]);
        set(leak, name, n->leakage_w[p]);
    }
    for (int p = 0; p < BILL_POWERS; p++)
        set(dyn, bill_power_names[p], n->dynamic_w[p]);
    double dynamic = bill_dynamic_w(n), leakage = bill_leakage_w(n);
    set(o, "active_mm2", bill_active_mm2(n));
    set(o, "routers_mm2", bill_routers_mm2(n));
    set(o, "repeaters_mm2", n->area_mm2[PART_REPEATER]);
    set(o, "additions_mm2", n->area_mm2[PART_OTHER]);
    set(o, "global_wire_mm2", n->wire_mm2);
    set(o, "leakage_w", leakage);
    set(o, "dynamic_w", dynamic);
    set(o, "power_w", dynamic + leakage);
    set(o, "additions_leakage_w", n->leakage_w[PART_OTHER]);
    set(o, "additions_dynamic_w", n->additions_w);
    set(o, "flits_per_cycle", n->flits);
    set(o, "mean_routers", n->mean_routers);
    json_object_set_new(o, "area_mm2", area);
    json_object_set_new(o, "leakage_by_part_w", leak);
    json_object_set_new(o, "dynamic_by_part_w", dyn);
    return o;
}

static json_t *classes_json(const struct bill *b)
{
    json_t *list = json_array();
    for (uint32_t k = 0; k < b->priced->book.n_classes; k++) {
        const struct cost *c = &b->priced->book.costs[k];
        const struct book_class *cls = &b->priced->classes[k];
        json_t *o = json_object(), *energy = json_object();
        json_object_set_new(o, "name", json_string(cls->name));
        json_object_set_new(o, "group", json_string(cls->group));
        json_object_set_new(o, "instances", json_integer(cls->instances));
        json_object_set_new(o, "engine", json_string(c->engine));
        json_object_set_new(o, "technology", json_string(c->technology));
        json_object_set_new(o, "note", json_string(c->note));
        set(o, "area_um2", cost_area_um2(c));
        set(o, "wire_area_um2", c->wire_area_um2);
        set(o, "leakage_w", cost_leakage_w(c));
        set(o, "delay_ns", c->delay_ns);
        set(o, "fmax_ghz", c->fmax_ghz);
        json_object_set_new(o, "meets_timing", json_boolean(c->meets_timing));
        for (int e = 0; e < N_EVENTS; e++)
            set(energy, event_id(events[e]), c->energy_pj[events[e]]);
        json_object_set_new(o, "energy_pj", energy);
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *cuts_json(const struct bill *b)
{
    json_t *list = json_array();
    for (int i = 0; i < NOC_CUTS; i++) {
        const struct cut_use *u = &b->priced->cuts[i];
        json_t *o = json_object();
        set(o, u->cut.is_vertical ? "x_mm" : "y_mm", u->cut.at_mm);
        json_object_set_new(o, "is_fullest", json_boolean(u->cut.is_fullest));
        json_object_set_new(o, "wires", json_integer((json_int_t)u->cut.wires));
        set(o, "tracks", u->tracks);
        set(o, "used", u->share);
        json_array_append_new(list, o);
    }
    return list;
}

json_t *clock_modes_json(const struct clock_choice *c)
{
    json_t *o = json_object();
    for (int mode = 0; mode < TIMING_NONE; mode++)
        if (!isnan(c->mode_ghz[mode]))
            set(o, timing_mode_names[mode], c->mode_ghz[mode]);
    return o;
}

json_t *bill_json(const struct bill *b, struct arena *mem)
{
    const struct design *d = b->priced->design;
    const struct clock_choice *c = &b->priced->clock;
    json_t *o = json_object();
    json_object_set_new(o, "design", json_string(arch_title(d->arch, mem)));
    json_object_set_new(o, "topology", json_string(design_topology(d, mem)));
    json_object_set_new(o, "engine", json_string(b->priced->book.costs[0].engine));
    json_object_set_new(o, "technology", json_string(b->priced->book.costs[0].technology));
    json_object_set_new(o, "scaling", scale_json(b->priced));
    json_object_set_new(o, "leakage", json_string(leak_variant_names[d->arch->tech.leakage]));
    json_object_set_new(o, "timing_mode", json_string(c->timing_mode));
    set(o, "clock_ghz", c->clock_ghz);
    set(o, "target_clock_ghz", c->target_ghz);
    set(o, "fmax_ghz", c->fmax_ghz);
    json_object_set_new(o, "fmax_limited_by", json_string(c->limited_by));
    json_object_set_new(o, "fmax_stage", json_string(c->stage));
    json_object_set_new(o, "fmax_by_mode_ghz", clock_modes_json(c));
    const struct router_spec *s = spec_of(b);
    json_t *published = json_array();
    for (int i = 0; s && i < BILL_PUBLISHED; i++) {
        json_t *p = json_object();
        json_object_set_new(p, "from", json_string(bill_published[i].name));
        set(p, "mhz",
            bill_scaled_mhz(&bill_published[i], radix_of(s), s->flit_bits, d->arch->tech.node_nm));
        json_array_append_new(published, p);
    }
    json_object_set_new(o, "first_order_scaling", published);
    json_object_set_new(o, "meets_timing", json_boolean(b->meets_timing));
    set(o, "rate", b->options.rate);
    json_object_set_new(o, "activity", json_string(bill_activity_names[b->options.activity]));
    json_object_set_new(o, "reply", json_string(b->options.reply_is_same ? "same" : "node"));
    for (int i = 0; i < BILL_NETS; i++)
        if (bill_has_row(b, i) || i == BILL_SUM)
            json_object_set_new(o, i == BILL_REQUEST && !b->has_reply ? "both" : net_names[i],
                                net_json(&b->nets[i]));
    const struct noc_facts *facts[BILL_SUM] = {&d->request_facts, &d->reply_facts};
    for (int i = 0; i < (b->has_reply ? BILL_SUM : 1); i++) {
        json_t *net = json_object_get(o, b->has_reply ? net_names[i] : "both");
        set(net, "bisection_gbps", bill_gbps(b, facts[i]->bisection_bits));
        set(net, "injection_gbps", bill_gbps(b, facts[i]->injection_bits));
        set(net, "ejection_gbps", bill_gbps(b, facts[i]->ejection_bits));
    }
    json_object_set_new(o, "cuts", cuts_json(b));
    set(o, "die_mm2", (double)d->floorplan.width_mm * d->floorplan.height_mm);
    json_object_set_new(o, "classes", classes_json(b));
    return o;
}
