/* SPDX-License-Identifier: MIT */
#include "gen/price/cost_figures.h"

#include <math.h>
#include <string.h>

static const struct bill_net *both(const struct bill *b)
{
    return &b->nets[BILL_SUM];
}

static double noc_area(const struct bill *b)
{
    return bill_active_mm2(both(b));
}

static double noc_routers_area(const struct bill *b)
{
    return bill_routers_mm2(both(b));
}

static double noc_buffer_area(const struct bill *b)
{
    return both(b)->area_mm2[PART_BUFFER];
}

static double noc_crossbar_area(const struct bill *b)
{
    return both(b)->area_mm2[PART_CROSSBAR];
}

static double noc_repeater_area(const struct bill *b)
{
    return both(b)->area_mm2[PART_REPEATER];
}

static double noc_additions(const struct bill *b)
{
    return both(b)->area_mm2[PART_OTHER];
}

static double noc_wires(const struct bill *b)
{
    return both(b)->wire_mm2;
}

static double noc_leakage(const struct bill *b)
{
    return bill_leakage_w(both(b));
}

static double noc_dynamic(const struct bill *b)
{
    return bill_dynamic_w(both(b));
}

static double noc_power(const struct bill *b)
{
    return noc_leakage(b) + noc_dynamic(b);
}

static double noc_clock(const struct bill *b)
{
    return b->priced->clock.clock_ghz;
}

static double noc_fmax(const struct bill *b)
{
    return b->priced->clock.fmax_ghz;
}

static double noc_mean_routers(const struct bill *b)
{
    return both(b)->mean_routers;
}

static double noc_routers(const struct bill *b)
{
    const struct design *d = b->priced->design;
    return d->request_counts.routers + (d->has_reply ? d->reply_counts.routers : 0);
}

static double noc_vc_buffers(const struct bill *b)
{
    const struct design *d = b->priced->design;
    return d->request_counts.vc_buffers + (d->has_reply ? d->reply_counts.vc_buffers : 0);
}

static double noc_links(const struct bill *b)
{
    const struct design *d = b->priced->design;
    return d->request_counts.links + (d->has_reply ? d->reply_counts.links : 0);
}

static double noc_bisection(const struct bill *b)
{
    const struct design *d = b->priced->design;
    double bits = (double)d->request_facts.bisection_bits;
    if (d->has_reply)
        bits = fmin(bits, (double)d->reply_facts.bisection_bits);
    return bits / 8 * b->priced->clock.clock_ghz;
}

/* Sums over the classes of one kind of components (CK_COUNT: all). */
static double sum_area(const struct bill *b, enum component_kind kind)
{
    const struct priced *p = b->priced;
    double sum = 0;
    for (uint32_t k = 0; k < p->book.n_classes; k++) {
        double area = cost_area_um2(&p->book.costs[k]);
        if ((kind == CK_COUNT || p->classes[k].kind == kind) && isfinite(area))
            sum += p->classes[k].instances * area * 1e-6;
    }
    return sum;
}

static double arrays_area(const struct bill *b)
{
    return sum_area(b, CK_ARRAY);
}

static double arrays_leakage(const struct bill *b)
{
    const struct priced *p = b->priced;
    double sum = 0;
    for (uint32_t k = 0; k < p->book.n_classes; k++) {
        if (p->classes[k].kind == CK_ARRAY)
            sum += p->classes[k].instances * cost_leakage_w(&p->book.costs[k]);
    }
    return sum;
}

static double access_ns(const struct bill *b, enum array_role role)
{
    const struct design_array *a = design_array(b->priced->design, role);
    return a && a->class_id != DESIGN_NONE ? b->priced->book.costs[a->class_id].access_ns : NAN;
}

static double l1_access(const struct bill *b)
{
    return access_ns(b, ROLE_L1);
}

static double llc_access(const struct bill *b)
{
    return access_ns(b, ROLE_L2);
}

const struct figure figures[] = {
    {"noc.area_mm2", "mm2", "active silicon of both networks: routers and repeaters",
     "noc.routers_mm2 + noc.repeaters_mm2", noc_area},
    {"noc.routers_mm2", "mm2", "… of routers: buffers, crossbars, allocators, clock trees", "",
     noc_routers_area},
    {"noc.buffers_mm2", "mm2", "… of their buffers", "", noc_buffer_area},
    {"noc.crossbars_mm2", "mm2", "… of their crossbars", "", noc_crossbar_area},
    {"noc.repeaters_mm2", "mm2", "… of the repeaters of links", "", noc_repeater_area},
    {"noc.additions_mm2", "mm2",
     "… of what a paper adds to its routers, in no sum: routing unit, merge table, grant holder",
     "", noc_additions},
    {"noc.wires_mm2", "mm2", "global wires of both networks; no active silicon", "", noc_wires},
    {"noc.leakage_w", "W", "leakage of both networks", "", noc_leakage},
    {"noc.dynamic_w", "W",
     "dynamic power of both networks at 0.1 flits per cycle from every SM port and LLC slice", "",
     noc_dynamic},
    {"noc.power_w", "W", "the same with leakage", "noc.leakage_w + noc.dynamic_w", noc_power},
    {"noc.clock_ghz", "GHz", "clock of the networks", "", noc_clock},
    {"noc.fmax_ghz", "GHz", "largest clock of their slowest router", "", noc_fmax},
    {"noc.mean_routers", "", "routers on the way of a flit, uniform traffic", "", noc_mean_routers},
    {"noc.routers", "", "routers of both networks", "", noc_routers},
    {"noc.vc_buffers", "", "VC buffers of both networks", "", noc_vc_buffers},
    {"noc.links", "", "links of both networks", "", noc_links},
    {"noc.bisection_gbs", "GB/s", "over the narrowest cut in one direction", "", noc_bisection},
    {"arrays.area_mm2", "mm2", "all arrays: caches, register files, tables", "", arrays_area},
    {"arrays.leakage_w", "W", "leakage of all arrays", "", arrays_leakage},
    {"l1.access_ns", "ns", "access time of an L1", "", l1_access},
    {"llc.access_ns", "ns", "access time of an L2 slice", "", llc_access},
    {NULL, NULL, NULL, NULL, NULL},
};
const size_t n_figures = sizeof figures / sizeof *figures - 1;

bool cost_figures_of(const struct priced *priced, double *out, struct err *err)
{
    struct bill bill;
    const struct bill_options options = {.rate = FIGURES_RATE, .activity = BILL_FLOW};
    if (!bill_make(priced, &options, &bill, err))
        return false;
    for (size_t i = 0; i < n_figures; i++)
        out[i] = figures[i].value(&bill);
    return true;
}
