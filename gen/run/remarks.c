/* SPDX-License-Identifier: MIT */
#include "gen/run/remarks.h"

#include <math.h>

#include "base/bits.h"
#include "base/err.h"
#include "gen/config/keys.h"
#include "gen/price/latency.h"
#include "gen/progress.h"

#define L2_OVER_DRAM 1.5 /* V100, A100 and H100 have 2.4 to 3.5 (Jin et al., MICRO 2024) */
#define LANES_OF_ISSUE 0.25
#define CLOCK_OF_TARGET 0.9
#define WARP 32u
#define WARM 800u /* cycles of the network under load: until it is full, and counted */
#define LOADED 800u
#define MANY_PORTS 1024u /* with more the mean over fewer cycles is as good */

double remarks_dram_gbps(const struct arch *a)
{
    return 2.0 * a->dram.bus_bytes * a->dram.controllers * a->gpu.dram_ghz;
}

/* Bytes of data in a flit of a reply, on average over its packet. */
static double data_per_flit(const struct arch *a, uint32_t width_bytes)
{
    bool is_sector = a->l1.sector_bytes < a->l1.line_bytes && !a->l1.join_sectors;
    uint32_t data = is_sector ? a->l1.sector_bytes : a->l1.line_bytes;
    return (double)data / (double)bits_ceil_div(data + a->gpu.header_bytes, width_bytes);
}

double remarks_l2_gbps(const struct sim_setup *s)
{
    const struct design *d = s->design;
    if (!d || !s->priced || !s->config.noc[0])
        return NAN;
    const struct noc_facts *f = d->has_reply ? &d->reply_facts : &d->request_facts;
    const struct noc_params *p = d->has_reply ? &d->reply_params : &d->request_params;
    double bits = fmin((double)f->injection_bits, (double)f->ejection_bits);
    if (f->bisection_bits)
        bits = fmin(bits, 2.0 * (double)f->bisection_bits);
    uint32_t width = p->width_bits / 8;
    return width ? bits / 8 * data_per_flit(s->arch, width) / width * s->priced->clock.clock_ghz
                 : NAN;
}

static void few_lanes(const struct arch *a, const char *key, uint32_t units, uint32_t interval,
                      struct err *err)
{
    double lanes = (double)units * WARP / interval;
    double issue = (double)a->sm.schedulers * a->sm.issue_per_scheduler * WARP;
    if (lanes < LANES_OF_ISSUE * issue)
        err_warn(err, key_where(a, key, 0),
                 "%g lanes a clock are less than a quarter of the %g that can issue "
                 "(sm.schedulers, sm.issue_per_scheduler)",
                 lanes, issue);
}

struct load_bar {
    struct progress *bar;
    double done, per_cycle;
};

static void tell(void *ctx, uint64_t cycles)
{
    const struct load_bar *b = ctx;
    progress_tell(b->bar, b->done + b->per_cycle * (double)cycles, "network under load");
}

/* To two digits, rounded down: what falls short of a number never reads as that number. */
static double rounded_down(double x)
{
    return floor(100 * x) / 100;
}

/* Ports and cuts say at most; a load of random reads says what allocators, queues and whole flits
 * leave of it. */
static void slow_l2(const struct sim_setup *s, struct gpu *g, struct progress *bar, struct err *err)
{
    const struct arch *a = s->arch;
    uint32_t ports = a->gpu.n_clusters ? a->gpu.n_clusters : a->gpu.n_sms;
    uint32_t loaded = ports > MANY_PORTS ? LOADED * MANY_PORTS / ports : LOADED;
    struct load_bar b = {bar, bar->done, (bar->all - bar->done) / (WARM + loaded)};
    double most = remarks_l2_gbps(s), dram = remarks_dram_gbps(a);
    struct where at = key_where(a, "noc.width", a->noc_shared ? NOC_REQUEST : NOC_REPLY);
    if (most < L2_OVER_DRAM * dram) {
        err_warn(err, at,
                 "the replies of the L2 carry at most %.0f GB/s, %.2f x the %.0f GB/s of the DRAM: "
                 "less than %.1f x",
                 most, rounded_down(most / dram), dram, L2_OVER_DRAM);
        return;
    }
    double l2 =
        isnan(most) ? NAN : gpu_l2_path(g, WARM, loaded, tell, &b) * s->priced->clock.clock_ghz;
    if (l2 < L2_OVER_DRAM * dram)
        err_warn(err, at,
                 "the replies of the L2 carry some %.0f GB/s of the %.0f GB/s of their ports under "
                 "random reads, %.2f x the %.0f GB/s of the DRAM: less than %.1f x (noc.vcs, "
                 "noc.vc_depth, "
                 "noc.router.iterations, noc.router.internal_speedup)",
                 l2, most, rounded_down(l2 / dram), dram, L2_OVER_DRAM);
}

void remarks_add(const struct sim_setup *s, struct gpu *g, struct progress *bar, struct err *err)
{
    const struct arch *a = s->arch;
    slow_l2(s, g, bar, err);
    if (s->timing.shared_memory > s->timing.l1_hit)
        err_warn(err, key_where(a, "sm.shared_latency", 0),
                 "shared memory takes %u cycles (sm.shared_latency), longer than the %u of the L1",
                 s->timing.shared_memory, s->timing.l1_hit);
    double slower = s->priced ? price_supply_delay(s->priced) : 1;
    if (s->priced && slower > PRICE_SLOW_SUPPLY)
        err_warn(err, key_where(a, "tech.voltage", 0),
                 "at %g V logic is %.1f x slower than at its nominal %.2f V, and SMs are run at %g "
                 "GHz all the same (--dvfs takes the supply that a clock needs)",
                 a->tech.voltage_v, slower, a->tech.voltage_v / s->priced->scale.volt_ratio,
                 a->gpu.core_ghz);
    few_lanes(a, "sm.fp32.units", a->sm.fp32_units, a->sm.fp32_interval, err);
    few_lanes(a, "sm.int.units", a->sm.int_units ? a->sm.int_units : a->sm.fp32_units,
              a->sm.int_interval, err);
    if (s->priced && s->config.noc[0]) {
        const struct clock_choice *c = &s->priced->clock;
        if (c->clock_ghz < CLOCK_OF_TARGET * c->target_ghz)
            err_warn(err, key_where(a, "noc.clock_ghz", NOC_REQUEST),
                     "the network runs at %.3f GHz, %.2f of its target of %.3f GHz, because of %s",
                     c->clock_ghz, c->clock_ghz / c->target_ghz, c->target_ghz, c->limited_by);
    }
}
