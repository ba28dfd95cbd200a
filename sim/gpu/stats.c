/* SPDX-License-Identifier: MIT */
#include "sim/gpu/stats.h"

#include <math.h>
#include <string.h>

#include "sim/frame/machine.h"
#include "sim/net/net.h"
#include "sim/sm/sm.h"

/* ---- sums ---- */

/* The lines of a list, added to `t`. */
#define ADD(kind, ...) LINE_##kind(LINE_NONE, ADD_TOTAL, LINE_NONE, __VA_ARGS__)
#define ADD_TOTAL(how, ...) ADD_##how(__VA_ARGS__)
#define ADD_SUM(at, id) t->id += (double)(at);
#define ADD_MOST(at, id) t->id = fmax(t->id, (double)(at));
#define ADD_BUSIEST(at, id) t->id = fmax(t->id, (double)(at));
#define ADD_FACT(at, id) t->id = (double)(at);
#define ADD_ARRAY(at, id, n)                                                                       \
    for (size_t k = 0; k < (size_t)(n); k++)                                                       \
        t->id[k] += (double)(at)[k];

static void add_sm(const struct sm *sm, struct stat_totals *t)
{
    const struct sm_stats *from = &sm->stats;
    SM_STATS(ADD)
}

/* What a coalescer that merges or reorders did; 0 where there is none. */
static void add_pool(const struct sm *sm, struct stat_totals *t)
{
    const struct coalescer *c = sm->common->coalescer;
    if (!c->stats)
        return;
    const struct pool_stats *from = c->stats(sm->coalescer);
    POOL_STATS(ADD)
}

static void add_cluster(const struct gpu *g, uint32_t i, struct stat_totals *t)
{
    const struct cluster *from = &g->clusters[i];
    CLUSTER_STATS(ADD)
}

static void add_icc(const struct gpu *g, uint32_t cluster, struct stat_totals *t)
{
    const struct icc_unit *u = icc_unit(g, cluster);
    if (!u)
        return;
    ICC_STATS(ADD)
    CC_STATS(ADD)
}

static void add_slice(const struct gpu *g, const struct slice *s, struct stat_totals *t)
{
    const struct slice_stats *from = &s->stats;
    L2_STATS(ADD)
    L2_COPY_STATS(ADD)
}

static void add_dram(const struct gpu *g, const struct dram_channel *c, struct stat_totals *t)
{
    const struct dram_stats *from = &c->stats;
    DRAM_STATS(ADD)
}

static void add_networks(const struct gpu *g, struct stat_totals *t)
{
    const struct fabric_counts c[2] = {fabric_counts(g->fabric, NOC_REQUEST),
                                       fabric_counts(g->fabric, NOC_REPLY)};
    const struct net *net = fabric_net(g->fabric, NOC_REQUEST);
    struct net_totals n = {0};
    if (net)
        net_get_totals(net, &n);
    PACKET_MERGE_STATS(ADD)
    FABRIC_STATS(ADD)
}

/* The channels between the local crossbars of a CD-Xbar and its global one. */
struct converged {
    uint32_t n;
    uint64_t flits, most; /* most: on the busiest */
};

static struct converged converged_of(const struct gpu *g, enum noc_dir dir)
{
    const struct net *net = fabric_net(g->fabric, dir);
    struct converged sum = {0};
    if (!net || !g->cfg.crossbar_of)
        return sum;
    const struct noc *noc = net_noc(net);
    for (uint32_t i = 0; i < noc->n_channels; i++) {
        const struct noc_channel *c = &noc->channels[i];
        uint64_t counts[EV_COUNT] = {0};
        if (c->src_node != NOC_ROUTER || c->dst_node != NOC_ROUTER)
            continue;
        net_channel_counts(net, i, counts);
        sum.n++;
        sum.flits += counts[EV_LINK];
        sum.most = counts[EV_LINK] > sum.most ? counts[EV_LINK] : sum.most;
    }
    return sum;
}

static void add_converged(const struct gpu *g, struct stat_totals *t)
{
    const struct converged request = converged_of(g, NOC_REQUEST),
                           reply = converged_of(g, NOC_REPLY);
    CONVERGED_STATS(ADD)
}

static void add_studies(const struct gpu *g, struct stat_totals *t)
{
    if (g->locality) {
        const struct locality_counts *from = locality_counts(g->locality);
        LOCALITY_STATS(ADD)
    }
    if (g->windows) {
        const struct window_counts *from = window_counts(g->windows);
        WINDOW_STATS(ADD)
    }
}

static uint64_t crossbar_most(const struct gpu *g)
{
    uint64_t most = 0;
    for (uint32_t x = 0; x < g->cta_machine.n_crossbars; x++) {
        uint64_t n = gpu_crossbar_requests(g, x);
        most = n > most ? n : most;
    }
    return most;
}

void stats_of_sm(const struct gpu *g, uint32_t sm, struct stat_totals *t)
{
    *t = (struct stat_totals){0};
    CLOCK_STATS(ADD)
    GPU_STATS(ADD)
    t->n_sms = 1;
    add_sm(&g->sms[sm], t);
    add_pool(&g->sms[sm], t);
}

void stats_of_gpu(const struct gpu *g, struct stat_totals *t)
{
    *t = (struct stat_totals){0};
    CLOCK_STATS(ADD)
    GPU_STATS(ADD)
    for (uint32_t i = 0; i < g->n_sms; i++) {
        add_sm(&g->sms[i], t);
        add_pool(&g->sms[i], t);
    }
    for (uint32_t i = 0; i < g->n_clusters; i++) {
        add_cluster(g, i, t);
        add_icc(g, i, t);
    }
    for (uint32_t i = 0; i < g->n_slices; i++)
        add_slice(g, &g->slices[i], t);
    for (uint32_t i = 0; i < g->n_dram_channels; i++)
        add_dram(g, &g->dram_channels[i], t);
    add_networks(g, t);
    add_converged(g, t);
    add_studies(g, t);
    PLACEMENT_STATS(ADD)
    FIGURE_STATS(ADD)
    RUN_STATS(ADD)
}

/* ---- two looks ---- */

#define BETWEEN(kind, ...) LINE_##kind(LINE_NONE, BETWEEN_TOTAL, LINE_NONE, __VA_ARGS__)
#define BETWEEN_TOTAL(how, ...) BETWEEN_##how(__VA_ARGS__)
#define BETWEEN_SUM(at, id) out->id = later->id - earlier->id;
#define BETWEEN_MOST(at, id) out->id = later->id;
#define BETWEEN_BUSIEST(at, id) out->id = NAN; /* who was the busiest in between is not known */
#define BETWEEN_FACT(at, id) out->id = later->id;
#define BETWEEN_ARRAY(at, id, n)                                                                   \
    for (size_t k = 0; k < (size_t)(n); k++)                                                       \
        out->id[k] = later->id[k] - earlier->id[k];

void stats_between(const struct stat_totals *earlier, const struct stat_totals *later,
                   struct stat_totals *out)
{
#define L(LIST, when, who) LIST(BETWEEN)
    STAT_LISTS(L)
#undef L
}

/* ---- the table ---- */

#define RATE(a, b) ((b) > 0 ? (a) / (b) : NAN)

/* Values of a list's rows: functions value_ID, NaN where what they speak of is not there. */
#define VALUE_ALWAYS(kind, ...) LINE_##kind(LINE_NONE, LINE_NONE, VALUE_ANY, __VA_ARGS__)
#define VALUE_POOL(kind, ...) LINE_##kind(LINE_NONE, LINE_NONE, VALUE_IF_POOL, __VA_ARGS__)
#define VALUE_ICC(kind, ...) LINE_##kind(LINE_NONE, LINE_NONE, VALUE_IF_ICC, __VA_ARGS__)
#define VALUE_COPIES(kind, ...) LINE_##kind(LINE_NONE, LINE_NONE, VALUE_IF_COPIES, __VA_ARGS__)
#define VALUE_CC(kind, ...) LINE_##kind(LINE_NONE, LINE_NONE, VALUE_IF_CC, __VA_ARGS__)
#define VALUE_PACKET_MERGE(kind, ...) LINE_##kind(LINE_NONE, LINE_NONE, VALUE_IF_MERGE, __VA_ARGS__)
#define VALUE_ANY(...) VALUE_IF(true, __VA_ARGS__)
#define VALUE_IF_POOL(...) VALUE_IF(t->pool_cycles > 0, __VA_ARGS__)
#define VALUE_IF_COPIES(...) VALUE_IF(t->has_copies > 0, __VA_ARGS__)
#define VALUE_IF_ICC(...) VALUE_IF(t->has_icc > 0, __VA_ARGS__)
#define VALUE_IF_CC(...) VALUE_IF(t->has_cc > 0, __VA_ARGS__)
#define VALUE_IF_MERGE(...) VALUE_IF(t->has_packet_merge > 0, __VA_ARGS__)
#define VALUE_IF(has, sm, adds_up, id, name, unit, meaning, formula, value)                        \
    static double value_##id(const struct stat_totals *t)                                          \
    {                                                                                              \
        return (has) ? (value) : NAN;                                                              \
    }

#define L(LIST, when, who) LIST(VALUE_##when)
STAT_LISTS(L)
#undef L

#define ROW_SM(kind, ...) LINE_##kind(LINE_NONE, LINE_NONE, ROW_OF_SM, __VA_ARGS__)
#define ROW_GPU(kind, ...) LINE_##kind(LINE_NONE, LINE_NONE, ROW_OF_GPU, __VA_ARGS__)
#define ROW_OF_SM(sm, adds_up, id, name, unit, meaning, formula, value)                            \
    {name, unit, meaning, formula, value_##id, adds_up, sm},
#define ROW_OF_GPU(sm, adds_up, id, name, unit, meaning, formula, value)                           \
    {name, unit, meaning, formula, value_##id, adds_up, false},

const struct stat_row stat_rows[] = {
#define L(LIST, when, who) LIST(ROW_##who)
    STAT_LISTS(L)
#undef L
        {NULL, NULL, NULL, NULL, NULL, false, false},
};
const size_t n_stat_rows = sizeof stat_rows / sizeof stat_rows[0] - 1;
