/* SPDX-License-Identifier: MIT */
#include "gen/run/equal.h"

#include <math.h>

#include "base/arena.h"
#include "base/bits.h"
#include "base/err.h"
#include "gen/price/bill.h"

#define X(word) #word,
const char *const equal_names[EQUAL_COUNT] = {EQUAL_TERMS(X)};
#undef X

enum { BYTE = 8, MOST_BYTES = 512 };

double equal_measure(const struct sim_setup *s, enum equal_terms terms, struct err *err)
{
    const struct priced *p = s->priced;
    const struct design *d = s->design;
    double bits = (double)d->request_facts.bisection_bits, active = 0, wires = 0;
    struct bill bill;
    const struct bill_options options = {.rate = EQUAL_RATE, .activity = BILL_FLOW};
    if (d->has_reply)
        bits += (double)d->reply_facts.bisection_bits;
    for (uint32_t k = 0; k < p->book.n_classes; k++) {
        if (p->classes[k].kind != CK_ROUTER && p->classes[k].kind != CK_CHANNEL)
            continue;
        active += 1e-6 * p->classes[k].instances * cost_area_um2(&p->book.costs[k]);
        wires += 1e-6 * p->classes[k].instances * p->book.costs[k].wire_area_um2;
    }
    switch (terms) {
    case EQUAL_bisection: return bits / BYTE * p->clock.clock_ghz;
    case EQUAL_area: return active;
    case EQUAL_wires: return wires;
    case EQUAL_power:
        if (bill_make(p, &options, &bill, err))
            return bill_dynamic_w(&bill.nets[BILL_SUM]) + bill_leakage_w(&bill.nets[BILL_SUM]);
        break;
    case EQUAL_COUNT: break;
    }
    return NAN;
}

/* The wider network `bytes` wide, the other in its ratio to it: the finest steps there are. */
static void set_width(struct arch *arch, const uint32_t described[2], uint32_t bytes)
{
    uint32_t wider = described[0] > described[1] ? described[0] : described[1];
    for (int net = 0; net < 2; net++) {
        double b = (double)bytes * described[net] / wider;
        arch->noc[net].params.width_bits = BYTE * (uint32_t)fmin(MOST_BYTES, fmax(1, round(b)));
    }
}

static double measure_at(const struct arch *arch, const uint32_t described[2], uint32_t bytes,
                         const char *data_dir, enum equal_terms terms, struct arena *mem,
                         struct err *err)
{
    struct arch *tried = arena_new(mem, struct arch);
    struct sim_setup setup;
    *tried = *arch;
    set_width(tried, described, bytes);
    if (!sim_setup_make(tried, data_dir, true, 0, mem, &setup, err))
        return NAN;
    return equal_measure(&setup, terms, err);
}

bool equal_widths(struct arch *arch, const char *data_dir, enum equal_terms terms, double target,
                  struct arena *mem, double *got, struct err *err)
{
    const uint32_t described[2] = {arch->noc[0].params.width_bits, arch->noc[1].params.width_bits};
    uint32_t least = described[0] < described[1] ? described[0] : described[1];
    uint32_t most = described[0] < described[1] ? described[1] : described[0];
    /* more bytes are more of everything; the narrower network goes on where the wider one may not
     */
    uint32_t low = 1, high = MOST_BYTES * bits_ceil_div(most, least);
    double at_low = measure_at(arch, described, low, data_dir, terms, mem, err), at_high = NAN;
    while (high - low > 1 && isfinite(at_low)) {
        uint32_t middle = (low + high) / 2;
        double v = measure_at(arch, described, middle, data_dir, terms, mem, err);
        if (!isfinite(v))
            return false;
        if (v <= target) {
            low = middle;
            at_low = v;
        } else {
            high = middle;
            at_high = v;
        }
    }
    if (!isfinite(at_low))
        return false;
    bool upper = isfinite(at_high) && fabs(at_high / target - 1) < fabs(at_low / target - 1);
    set_width(arch, described, upper ? high : low);
    *got = upper ? at_high : at_low;
    return true;
}
