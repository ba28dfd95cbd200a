/* SPDX-License-Identifier: MIT */
#include "gen/net/alone.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/csv.h"
#include "base/err.h"
#include "base/near.h"
#include "base/vec.h"
#include "gen/command.h"
#include "gen/price/price.h"
#include "noc/topology/plain.h"

enum kind { KIND_NODES, KIND_MANY_TO_FEW, KIND_FEW_TO_MANY, KIND_REQUEST_REPLY };

static const struct {
    const char *name;
    enum kind kind;
    enum traffic_pattern pattern;
} kinds[] = {
    {"uniform", KIND_NODES, TRAFFIC_UNIFORM},
    {"transpose", KIND_NODES, TRAFFIC_TRANSPOSE},
    {"bit_complement", KIND_NODES, TRAFFIC_BITCOMP},
    {"bit_reverse", KIND_NODES, TRAFFIC_BITREV},
    {"shuffle", KIND_NODES, TRAFFIC_SHUFFLE},
    {"tornado", KIND_NODES, TRAFFIC_TORNADO},
    {"neighbor", KIND_NODES, TRAFFIC_NEIGHBOR},
    {"hotspot", KIND_NODES, TRAFFIC_HOTSPOT},
    {"permutation", KIND_NODES, TRAFFIC_TABLE},
    {"many_to_few", KIND_MANY_TO_FEW, TRAFFIC_HOTSPOT},
    {"few_to_many", KIND_FEW_TO_MANY, TRAFFIC_HOTSPOT},
    {"request_reply", KIND_REQUEST_REPLY, TRAFFIC_HOTSPOT},
};
#define N_KINDS (sizeof kinds / sizeof *kinds)

/* ---- networks -------------------------------------------------------------------------------- */

/* A network of plain nodes with the configuration's shape, or false when there is no such thing. */
static bool build_plain(const struct arch *arch, const struct design *d, struct arena *mem,
                        struct net_case *c, bool *has_form, struct err *err)
{
    const struct noc_params *np = &d->request_params;
    struct noc_plain p = {.vcs = np->vcs,
                          .vc_depth = np->vc_depth,
                          .width_bits = np->width_bits,
                          .classes = 1,
                          .n = 1};
    struct noc *noc = arena_new(mem, struct noc);
    *has_form = true;
    c->traffic.k = 1;
    c->traffic.n = 1;
    bool ok;
    if (!strcmp(np->topology, "mesh")) {
        p.k = np->mesh_columns;
        p.rows = np->mesh_rows;
        p.n = 2;
        ok = noc_plain_mesh(&p, mem, noc, &c->cycles[0], err);
        if (p.k == p.rows) {
            c->traffic.k = p.k;
            c->traffic.n = 2;
        }
    } else if (!strcmp(np->topology, "butterfly")) {
        p.k = np->fly_k;
        p.n = np->fly_n;
        ok = noc_plain_fly(&p, mem, noc, &c->cycles[0], err);
        c->traffic.k = p.k;
        c->traffic.n = p.n;
    } else if (!strcmp(np->topology, "crossbar")) {
        p.k = np->n_sm_ports ? np->n_sm_ports : arch->gpu.n_sms;
        ok = noc_plain_fly(&p, mem, noc, &c->cycles[0], err);
        c->traffic.k = p.k;
    } else {
        *has_form = false;
        return true;
    }
    c->nocs[0] = noc;
    c->n_nets = 1;
    c->traffic.nodes = noc->n_endpoints;
    c->n_injecting = noc->n_endpoints;
    return ok;
}

static void set_ends(struct net_case *c, bool from_sms, struct arena *mem)
{
    const struct noc *noc = c->nocs[0];
    bool *injects = arena_many(mem, bool, noc->n_endpoints);
    uint32_t *targets = arena_many(mem, uint32_t, noc->n_endpoints), n = 0;
    c->n_injecting = 0;
    for (uint32_t e = 0; e < noc->n_endpoints; e++) {
        bool is_sm = e < noc->n_sm_ports;
        injects[e] = is_sm == from_sms && noc->endpoints[e].inject != NOC_NONE;
        c->n_injecting += injects[e];
        if (is_sm != from_sms)
            targets[n++] = e;
    }
    c->traffic.nodes = noc->n_endpoints;
    c->traffic.injects = injects;
    c->traffic.targets = targets;
    c->traffic.n_targets = n;
    c->traffic.pattern = TRAFFIC_HOTSPOT;
    c->traffic.use_noc_classes = noc->n_classes > 1;
}

static bool use_design(struct app *app, const struct net_request *q, enum kind kind,
                       struct net_case *c)
{
    const struct design *d = c->design;
    struct priced *priced = arena_new(&app->mem, struct priced);
    if (q->model_wires && !price_design(d, app->data_dir, 1, &app->mem, priced, &app->err))
        return false; /* without it the channels' cycles are NULL: one each */
    const struct noc *reply = d->has_reply ? &d->reply : &d->request;
    const struct timing *t = &priced->timing;
    int back = d->has_reply ? NOC_REPLY : NOC_REQUEST;
    const uint16_t *reply_cycles = d->has_reply ? t->reply_channel : t->request_channel;
    const uint8_t *reply_extra = d->has_reply ? t->reply_traversal : t->request_traversal;
    c->n_nets = 1;
    if (kind == KIND_FEW_TO_MANY) {
        c->nocs[0] = reply;
        c->cycles[0] = reply_cycles;
        c->traversal_extra[0] = reply_extra;
        c->extra_alloc[0] = t->extra_alloc[back];
    } else {
        c->nocs[0] = &d->request;
        c->cycles[0] = t->request_channel;
        c->traversal_extra[0] = t->request_traversal;
        c->extra_alloc[0] = t->extra_alloc[NOC_REQUEST];
    }
    if (kind == KIND_REQUEST_REPLY && d->has_reply) {
        c->nocs[1] = reply;
        c->cycles[1] = reply_cycles;
        c->traversal_extra[1] = reply_extra;
        c->extra_alloc[1] = t->extra_alloc[back];
        c->n_nets = 2;
    }
    set_ends(c, kind != KIND_FEW_TO_MANY, &app->mem);
    return true;
}

/* ---- traffic --------------------------------------------------------------------------------- */

static bool read_targets(const char *list, struct net_case *c, struct arena *mem, struct err *err)
{
    VEC(uint32_t) v = {0};
    struct where at = {NULL, 0, "--traffic"};
    for (const char *p = list; *p;) {
        char *end;
        unsigned long node = strtoul(p, &end, 10);
        if (end == p || (*end && *end != ',') || node >= c->traffic.nodes)
            return err_add(err, ERR_INPUT, at, "hotspot:%s: nodes are 0..%u, separated by commas",
                           list, c->traffic.nodes - 1);
        vec_push(mem, &v, (uint32_t)node);
        p = end + (*end == ',');
    }
    if (!v.n)
        return err_add(err, ERR_INPUT, at, "hotspot needs its nodes: hotspot:0,5,10");
    c->traffic.targets = v.at;
    c->traffic.n_targets = (uint32_t)v.n;
    return true;
}

static bool read_permutation(const char *file, struct net_case *c, struct arena *mem,
                             struct err *err)
{
    struct csv csv;
    if (!csv_read(file, mem, &csv, err))
        return false;
    int s = csv_column(&csv, "src"), d = csv_column(&csv, "dst");
    if (s < 0 || d < 0)
        return err_add(err, ERR_INPUT, AT_FILE(file), "a permutation has columns src and dst");
    uint32_t *to = arena_many(mem, uint32_t, c->traffic.nodes);
    bool *injects = arena_many(mem, bool, c->traffic.nodes);
    for (size_t r = 0; r < csv.n_rows; r++) {
        long long src, dst;
        if (!csv_int(&csv, r, s, &src, err) || !csv_int(&csv, r, d, &dst, err))
            return false;
        if (src < 0 || src >= c->traffic.nodes || dst < 0 || dst >= c->traffic.nodes)
            return err_add(err, ERR_INPUT,
                           csv_at(&csv, r, src < 0 || src >= c->traffic.nodes ? "src" : "dst"),
                           "nodes are 0..%u", c->traffic.nodes - 1);
        if (injects[src])
            return err_add(err, ERR_INPUT, csv_at(&csv, r, "src"),
                           "node %lld has a destination already", src);
        to[src] = (uint32_t)dst;
        injects[src] = true;
    }
    c->traffic.targets = to;
    c->traffic.n_targets = c->traffic.nodes;
    c->traffic.injects = injects;
    c->n_injecting = (uint32_t)csv.n_rows;
    return true;
}

struct trace_row {
    struct traffic_event event;
    size_t row;
};

/* packets of one cycle keep the order of the file, whatever qsort does with equals */
static int by_cycle_and_row(const void *x, const void *y)
{
    const struct trace_row *a = x, *b = y;
    if (a->event.cycle != b->event.cycle)
        return a->event.cycle < b->event.cycle ? -1 : 1;
    return a->row < b->row ? -1 : a->row > b->row;
}

static bool read_trace(const char *file, struct net_case *c, struct arena *mem, struct err *err)
{
    static const char *const names[] = {"cycle", "src", "dst", "flits"};
    const long long least[] = {0, 0, 0, 1}, most[] = {UINT32_MAX, c->traffic.nodes - 1LL,
                                                      c->traffic.nodes - 1LL, NET_MAX_FLITS};
    struct csv csv;
    int column[4];
    if (!csv_read(file, mem, &csv, err))
        return false;
    for (int i = 0; i < 4; i++)
        if ((column[i] = csv_column(&csv, names[i])) < 0)
            return err_add(err, ERR_INPUT, AT_FILE(file),
                           "a packet trace has columns cycle, src, dst and flits");
    struct traffic_event *e = arena_many(mem, struct traffic_event, csv.n_rows + 1);
    struct trace_row *rows = arena_many(mem, struct trace_row, csv.n_rows + 1);
    for (size_t r = 0; r < csv.n_rows; r++) {
        long long v[4];
        for (int i = 0; i < 4; i++) {
            if (!csv_int(&csv, r, column[i], &v[i], err))
                return false;
            if (v[i] < least[i] || v[i] > most[i])
                return err_add(err, ERR_INPUT, csv_at(&csv, r, names[i]),
                               "%lld is not in %lld..%lld", v[i], least[i], most[i]);
        }
        if (c->nocs[0]->endpoints[v[1]].inject == NOC_NONE)
            return err_add(err, ERR_INPUT, csv_at(&csv, r, "src"),
                           "endpoint %lld does not send on this network", v[1]);
        rows[r].event =
            (struct traffic_event){(uint64_t)v[0], (uint32_t)v[1], (uint32_t)v[2], (uint16_t)v[3]};
        rows[r].row = r;
    }
    qsort(rows, csv.n_rows, sizeof *rows, by_cycle_and_row);
    for (size_t r = 0; r < csv.n_rows; r++)
        e[r] = rows[r].event;
    c->traffic.trace = e;
    c->traffic.n_trace = csv.n_rows;
    return true;
}

static void set_request_reply(const struct net_request *q, struct net_case *c)
{
    /* a read asks with one flit and gets a line, a write brings a line and gets one flit */
    static const uint16_t flits[MSG_TYPES] = {0, 1, 5, 5, 1};
    c->traffic.request_reply = true;
    c->traffic.write_fraction = q->writes;
    c->traffic.outstanding = (uint32_t)q->outstanding;
    memcpy(c->traffic.type_flits, flits, sizeof flits);
    for (int t = MSG_READ_REPLY; t < MSG_TYPES; t++)
        c->traffic.type_net[t] = (uint8_t)(c->n_nets - 1);
    c->mean_flits = 6;
}

static bool set_traffic(struct app *app, const struct net_request *q, struct net_case *c)
{
    const char *name = q->permutation ? "permutation" : q->traffic ? q->traffic : "uniform";
    size_t word = strcspn(name, ":"), k = 0;
    const char *names[N_KINDS];
    while (k < N_KINDS && (strlen(kinds[k].name) != word || strncmp(kinds[k].name, name, word)))
        names[k] = kinds[k].name, k++;
    if (k == N_KINDS) {
        const char *near = near_best(name, names, N_KINDS);
        return err_add(&app->err, ERR_INPUT, (struct where){NULL, 0, "--traffic"},
                       "there is no traffic '%s'%s%s%s", name, near ? "; did you mean '" : "",
                       near ? near : "", near ? "'?" : "");
    }
    enum kind kind = kinds[k].kind;
    if (kind == KIND_NODES) {
        bool has_form;
        if (!build_plain(c->arch, c->design, &app->mem, c, &has_form, &app->err))
            return false;
        if (!has_form && kinds[k].pattern != TRAFFIC_UNIFORM && !q->trace)
            return err_add(&app->err, ERR_INPUT, (struct where){c->arch->file, 0, "noc.topology"},
                           "'%s' has no plain nodes for '%s' traffic; it runs uniform, "
                           "many_to_few, few_to_many and request_reply",
                           c->design->request_params.topology, name);
        if (!has_form)
            kind = KIND_MANY_TO_FEW;
        else
            c->traffic.pattern = kinds[k].pattern;
    }
    if (kind != KIND_NODES && !use_design(app, q, kind, c))
        return false;
    if (kind == KIND_REQUEST_REPLY)
        set_request_reply(q, c);
    if (kinds[k].pattern == TRAFFIC_HOTSPOT && kind == KIND_NODES &&
        !read_targets(name[word] ? name + word + 1 : "", c, &app->mem, &app->err))
        return false;
    if (kinds[k].pattern == TRAFFIC_TABLE &&
        (!q->permutation || !read_permutation(q->permutation, c, &app->mem, &app->err)))
        return q->permutation ? false
                              : err_add(&app->err, ERR_INPUT, NOWHERE,
                                        "permutation traffic needs --permutation FILE");
    return !q->trace || read_trace(q->trace, c, &app->mem, &app->err);
}

bool net_case_make(struct app *app, const struct arch *arch, const char *name,
                   const struct net_request *q, struct net_case *out)
{
    struct design *d = arena_new(&app->mem, struct design);
    uint16_t *size = arena_new(&app->mem, uint16_t);
    *out = (struct net_case){.name = name, .arch = arch, .design = d};
    if (!design_make(arch, q->allow_cycles, &app->mem, d, &app->err))
        return false;
    *size = (uint16_t)q->flits;
    out->traffic.sizes = size;
    out->traffic.n_sizes = 1;
    out->mean_flits = (double)q->flits;
    out->traffic.on_off = q->bursts;
    out->traffic.alpha = q->alpha;
    out->traffic.beta = q->beta;
    out->watchdog_cycles = arch->sim.watchdog_cycles ? arch->sim.watchdog_cycles : 100000;
    return set_traffic(app, q, out);
}

/* ---- running --------------------------------------------------------------------------------- */

static void keep(const struct net_case *c, struct net *const *nets, struct arena *mem,
                 struct net_point *out)
{
    for (uint32_t k = 0; k < c->n_nets; k++) {
        uint32_t n = c->nocs[k]->n_channels;
        out->channel_flits[k] = arena_many(mem, uint64_t, n);
        for (uint32_t i = 0; i < n; i++) {
            uint64_t counts[EV_COUNT] = {0};
            net_channel_counts(nets[k], i, counts);
            out->channel_flits[k][i] = counts[EV_LINK];
        }
    }
}

/* A queue takes whole packets: one that is longer would wait for ever. */
static bool fits_queues(const struct net_case *c, struct err *err)
{
    const struct traffic_params *t = &c->traffic;
    uint32_t longest = 0;
    for (uint32_t i = 0; i < t->n_sizes && !t->request_reply && !t->trace; i++)
        longest = t->sizes[i] > longest ? t->sizes[i] : longest;
    for (int i = 0; i < MSG_TYPES && t->request_reply; i++)
        longest = t->type_flits[i] > longest ? t->type_flits[i] : longest;
    for (size_t i = 0; i < t->n_trace && t->trace; i++)
        longest = t->trace[i].flits > longest ? t->trace[i].flits : longest;
    for (uint32_t k = 0; k < c->n_nets; k++)
        if (c->nocs[k]->flow == NOC_TOKEN && longest > c->nocs[k]->queue_flits)
            return err_add(err, ERR_INPUT, (struct where){NULL, 0, "noc.cfnoc.queue"},
                           "a packet of %u flits does not fit into a queue of %u", longest,
                           c->nocs[k]->queue_flits);
    return true;
}

bool net_case_run(const struct net_case *c, const struct net_request *q, double rate,
                  bool keep_channels, struct arena *mem, struct net_point *out, struct err *err)
{
    struct arena scratch;
    struct net *nets[2] = {NULL, NULL};
    arena_init(&scratch, mem->out_of_memory, mem->ctx);
    struct traffic_params t = c->traffic;
    t.seed = (uint64_t)q->seed;
    t.rate = rate / c->mean_flits < 1 ? rate / c->mean_flits : 1;
    if (t.on_off)
        t.burst_rate = t.rate * (t.alpha + t.beta) / t.alpha;
    bool ok = fits_queues(c, err);
    for (uint32_t k = 0; k < c->n_nets && ok; k++) {
        struct net_params p = {.router = &c->arch->noc[k ? NOC_REPLY : NOC_REQUEST].router,
                               .channel_cycles = c->cycles[k],
                               .traversal_extra = c->traversal_extra[k],
                               .extra_alloc = c->extra_alloc[k],
                               .seed = (uint64_t)q->seed * 2 + k,
                               .watchdog_cycles = c->watchdog_cycles,
                               .verify = q->verify,
                               .general = q->general};
        nets[k] = net_new(c->nocs[k], &p, &scratch, err);
        ok = nets[k] != NULL;
        if (ok && q->shuffle)
            net_shuffle(nets[k], (uint64_t)q->shuffle);
    }
    struct traffic *traffic = ok ? traffic_new(nets, c->n_nets, &t, &scratch, err) : NULL;
    ok = traffic != NULL;
    out->rate = rate;
    struct traffic_phases ph = {1000, 3, 10, true, 500, 0.05, 0.05, 0.05, 0.05};
    if (ok && (q->cycles || t.trace))
        ok = traffic_run_cycles(traffic, (uint64_t)q->warmup,
                                q->cycles ? (uint64_t)q->cycles : UINT64_MAX, &out->result, err);
    else if (ok)
        ok = traffic_run_phases(traffic, &ph, &out->result, err);
    if (ok) {
        struct traffic_result *r = &out->result;
        r->offered = rate;
        double accepted =
            r->accepted_avg * c->traffic.nodes / (c->n_injecting ? c->n_injecting : 1);
        /* a run of a given length is not steady when its sources fall behind */
        double sent = (double)r->flits_injected / (double)(r->cycles ? r->cycles : 1) /
                      (c->n_injecting ? c->n_injecting : 1);
        /* where sources do not wait, packets fall short by chance alone: two standard deviations of
         * their number */
        bool waits = r->source_avg > 0.5 * r->network_avg;
        double chance = r->packets && !waits ? 2 / sqrt((double)r->packets) : 0;
        out->is_steady =
            r->converged &&
            (t.trace || (q->cycles ? sent >= 0.9 * rate : accepted >= (0.97 - chance) * rate));
        if (keep_channels)
            keep(c, nets, mem, out);
    }
    arena_free(&scratch);
    return ok;
}
