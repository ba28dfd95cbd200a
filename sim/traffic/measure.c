/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "sim/traffic/source_impl.h"

/* ---- results --------------------------------------------------------------------------------- */

static uint64_t node_flits(const struct traffic *t, uint32_t node)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < t->n_nets; i++)
        n += net_endpoint_flits(t->nets[i], node);
    return n;
}

/* `base` holds each node's flits when measuring began. */
static void mark_flits(struct traffic *t)
{
    for (uint32_t i = 0; i < t->p.nodes; i++)
        t->nodes[i].flits = node_flits(t, i);
}

/* Flits are added up before they are divided, so that the last digit is BookSim2's. */
static void accepted_rates(const struct traffic *t, uint64_t until, double *avg, double *least,
                           double *most)
{
    double span = until > t->reset_time ? (double)(until - t->reset_time) : 1;
    uint64_t sum = 0, fewest = UINT64_MAX, biggest = 0;
    for (uint32_t i = 0; i < t->p.nodes; i++) {
        uint64_t flits = node_flits(t, i) - t->nodes[i].flits;
        sum += flits;
        fewest = flits < fewest ? flits : fewest;
        biggest = flits > biggest ? flits : biggest;
    }
    *avg = (double)sum / span / t->p.nodes;
    *least = (double)fewest / span;
    *most = (double)biggest / span;
}

static void fill_latencies(const struct traffic *t, struct traffic_result *r)
{
    double n = t->hist.n ? (double)t->hist.n : 1;
    r->packets = t->hist.n;
    r->packet_avg = (double)t->packet_sum / n;
    r->network_avg = (double)t->network_sum / n;
    r->source_avg = r->packet_avg - r->network_avg;
    r->hops_avg = (double)t->hops_sum / n;
    r->packet_min = t->hist.n ? (double)stat_percentile(&t->hist, 0) : 0;
    r->packet_max = (double)t->packet_max;
    r->network_min = t->hist.n ? (double)t->network_min : 0;
    r->network_max = (double)t->network_max;
    if (t->hist.n) {
        r->packet_p50 = (double)stat_percentile(&t->hist, 0.50);
        r->packet_p95 = (double)stat_percentile(&t->hist, 0.95);
        r->packet_p99 = (double)stat_percentile(&t->hist, 0.99);
    }
    r->packet_half95 = stat_half_width_95(&t->batches);
    r->cycles = t->now;
    r->nodes = t->p.nodes;
    for (uint32_t i = 0; i < t->p.nodes; i++)
        r->injecting += t->nodes[i].injects;
    r->vc_occupancy = t->occupancy_n ? t->occupancy_sum / (double)t->occupancy_n : 0;
    uint64_t flit_sum = 0, flits = 0, least = UINT64_MAX, most = 0;
    for (uint32_t i = 0; i < t->n_nets; i++) {
        struct net_totals s;
        net_get_totals(t->nets[i], &s);
        r->flits_delivered += s.flits_delivered;
        r->flit_hops += s.flit_hops;
        r->flits_injected += s.flits_injected;
        flit_sum += s.flit_latency_sum;
        flits += s.flit_latency_n;
        if (s.flit_latency_n && s.flit_latency_min < least)
            least = s.flit_latency_min;
        most = s.flit_latency_max > most ? s.flit_latency_max : most;
    }
    r->flit_avg = flits ? (double)flit_sum / (double)flits : 0;
    r->flit_min = flits && least != UINT64_MAX ? (double)least : 0;
    r->flit_max = (double)most;
}

/* ---- runs ------------------------------------------------------------------------------------ */

/* Whether a figure has changed by more than `limit`. Without packets the figure is not a number,
 * and then nothing has changed, before and after. */
static bool has_changed(double now, double *before, double limit)
{
    double by = fabs((now - *before) / now);
    *before = now;
    return limit >= 0 && by > limit;
}

/* Mean latency with the packets still under way, each counted with its age so far. */
static double latency_so_far(const struct traffic *t)
{
    double sum = (double)t->packet_sum, n = (double)t->hist.n;
    for (uint32_t i = 0; i < t->n_nets; i++) {
        double ages;
        uint64_t flits;
        net_ages(t->nets[i], t->now, &ages, &flits);
        sum += ages;
        n += (double)flits;
    }
    return n > 0 ? sum / n : 0;
}

static bool wants_more(const struct traffic *t)
{
    return t->measured_in_flight || traffic_sources_owe(t);
}

static bool drain(struct traffic *t, const struct traffic_phases *ph, bool *over, struct err *err)
{
    for (uint64_t steps = 1; wants_more(t); steps++) {
        if (!traffic_step(t, err))
            return false;
        bool late =
            ph->latency_limit >= 0 && steps % 1000 == 0 && latency_so_far(t) > ph->latency_limit;
        if (late || steps > (uint64_t)ph->sample_period * ph->max_samples * 100) {
            *over = true;
            return true;
        }
    }
    return true;
}

static void end_part(struct traffic *t)
{
    if (t->hist.n > t->part_n)
        stat_add(&t->batches,
                 (double)(t->packet_sum - t->part_sum) / (double)(t->hist.n - t->part_n));
    t->part_n = t->hist.n;
    t->part_sum = t->packet_sum;
}

/* One sample: a clean slate where one begins, then a period. */
static bool run_sample(struct traffic *t, const struct traffic_phases *ph, bool clear,
                       struct err *err)
{
    if (clear) {
        traffic_clear_stats(t);
        mark_flits(t);
    }
    for (uint32_t i = 0; i < ph->sample_period; i++)
        if (!traffic_step(t, err))
            return false;
    end_part(t);
    return true;
}

/* Warm-up, then samples until three in a row agree. *over: latency is beyond the limit. */
static bool settle(struct traffic *t, const struct traffic_phases *ph, bool *over, struct err *err)
{
    uint32_t settled = 0;
    double last_latency = 0, last_accepted = 0, least, most, accepted;
    bool clear = false;
    for (uint32_t phases = 0; phases < ph->max_samples && (t->state != RUNNING || settled < 3);
         phases++) {
        if (!run_sample(t, ph, clear || (t->state == WARMING && phases % 2 == 0), err))
            return false;
        clear = false;
        bool warms = t->state == WARMING;
        accepted_rates(t, t->now, &accepted, &least, &most);
        bool moves = has_changed((double)t->packet_sum / (double)t->hist.n, &last_latency,
                                 warms ? ph->warm_change : ph->stop_change) &&
                     ph->measure_latency;
        moves |= has_changed(accepted, &last_accepted,
                             warms ? ph->accepted_warm_change : ph->accepted_stop_change);
        if (ph->measure_latency && ph->latency_limit >= 0 &&
            latency_so_far(t) > ph->latency_limit) {
            *over = true;
            return true;
        }
        if (!warms) {
            settled = moves ? 0 : settled + 1;
        } else if (ph->warmup_periods ? phases + 1 >= ph->warmup_periods : !moves) {
            clear = true;
            t->state = RUNNING;
            t->record_before = UINT64_MAX;
        }
    }
    return true;
}

/* Sends no more, and waits until the last credit is back. */
static bool empty(struct traffic *t, struct err *err)
{
    t->is_closed = true;
    for (uint32_t i = 0; i < t->n_nets; i++)
        while (!net_is_quiet(t->nets[i]))
            if (!traffic_step(t, err))
                return false;
    return true;
}

bool traffic_run_phases(struct traffic *t, const struct traffic_phases *ph,
                        struct traffic_result *out, struct err *err)
{
    bool over = false;
    *out = (struct traffic_result){0};
    t->state = WARMING;
    t->record_before = 0;
    if (!settle(t, ph, &over, err))
        return false;
    bool running = t->state == RUNNING && !over;
    t->state = DRAINING;
    t->drain_time = t->record_before = t->now;
    accepted_rates(t, t->now, &out->accepted_avg, &out->accepted_min, &out->accepted_max);
    if (running && ph->measure_latency && !drain(t, ph, &over, err))
        return false;
    out->converged = running && !over;
    if (out->converged && t->draws && !empty(t, err))
        return false;
    fill_latencies(t, out);
    return true;
}

static bool is_idle(const struct traffic *t)
{
    bool idle = true;
    for (uint32_t i = 0; i < t->n_nets; i++)
        idle &= net_is_idle(t->nets[i]);
    return idle;
}

static bool batch_is_sent(const struct traffic *t)
{
    for (uint32_t i = 0; i < t->p.nodes; i++)
        if (t->nodes[i].injects && t->nodes[i].made < t->p.batch)
            return false;
    return true;
}

bool traffic_run_batch(struct traffic *t, struct traffic_result *out, struct err *err)
{
    *out = (struct traffic_result){0};
    t->state = RUNNING;
    t->record_before = UINT64_MAX;
    traffic_clear_stats(t);
    mark_flits(t);
    do {
        if (!traffic_step(t, err))
            return false;
    } while (!batch_is_sent(t));
    while (!is_idle(t))
        if (!traffic_step(t, err))
            return false;
    end_part(t);
    accepted_rates(t, t->now, &out->accepted_avg, &out->accepted_min, &out->accepted_max);
    fill_latencies(t, out);
    out->batch_cycles = t->now;
    out->converged = true;
    return true;
}

bool traffic_run_cycles(struct traffic *t, uint64_t warmup, uint64_t cycles,
                        struct traffic_result *out, struct err *err)
{
    *out = (struct traffic_result){0};
    t->state = WARMING;
    t->record_before = 0;
    traffic_clear_stats(t);
    mark_flits(t);
    uint64_t part = (cycles - warmup) / 20 ? (cycles - warmup) / 20 : 1;
    for (uint64_t i = 0; i < cycles; i++) {
        if (i == warmup && warmup) {
            traffic_clear_stats(t);
            mark_flits(t);
        }
        if (!traffic_step(t, err))
            return false;
        if (i >= warmup && (i - warmup) % part == part - 1)
            end_part(t);
        if (t->p.trace && t->events_sent == t->p.n_trace && is_idle(t))
            break;
    }
    accepted_rates(t, t->now, &out->accepted_avg, &out->accepted_min, &out->accepted_max);
    fill_latencies(t, out);
    out->converged = true;
    return true;
}
