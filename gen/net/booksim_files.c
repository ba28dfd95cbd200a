/* SPDX-License-Identifier: MIT */
#include "gen/net/booksim_files.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/vec.h"
#include "noc/topology.h"
#include "noc/topology/plain.h"

/* ---- values with structure ------------------------------------------------------------------- */

/* The elements of "{a,b,{c,d}}" (or the one element of "a"), at the outermost level. */
static size_t split(const char *text, size_t n, struct arena *mem, const char ***parts)
{
    VEC(const char *) v = {0};
    if (n && text[0] == '{' && text[n - 1] == '}') {
        text++;
        n -= 2;
    }
    int depth = 0;
    size_t start = 0;
    for (size_t i = 0; i <= n; i++) {
        if (i < n && text[i] == '{')
            depth++;
        else if (i < n && text[i] == '}')
            depth--;
        else if (i == n || (text[i] == ',' && depth == 0)) {
            if (i > start)
                vec_push(mem, &v, arena_strndup(mem, text + start, i - start));
            start = i + 1;
        }
    }
    *parts = v.at;
    return v.n;
}

struct int_range {
    long lo, hi;
};

static bool int_list(const char *text, const char *key, struct int_range in, struct arena *mem,
                     uint32_t **out, uint32_t *n, struct err *err)
{
    const char **parts;
    size_t count = split(text, strlen(text), mem, &parts);
    *out = arena_many(mem, uint32_t, count + 1);
    *n = (uint32_t)count;
    if (!count)
        return err_add(err, ERR_INPUT, (struct where){NULL, 0, key}, "'%s' is an empty list", text);
    for (size_t i = 0; i < count; i++) {
        char *end;
        long v = strtol(parts[i], &end, 10);
        if (*end || v < in.lo || v > in.hi)
            return err_add(err, ERR_INPUT, (struct where){NULL, 0, key},
                           "'%s' is not a whole number in %ld..%ld", parts[i], in.lo, in.hi);
        (*out)[i] = (uint32_t)v;
    }
    return true;
}

/* "islip(2)", "separable_input_first(matrix)". */
static bool read_allocator(const char *text, const char *key, struct arena *mem,
                           struct net_allocator *out, struct err *err)
{
    struct where at = {NULL, 0, key};
    const char *open = strchr(text, '(');
    const char *base = open ? arena_strndup(mem, text, (size_t)(open - text)) : text;
    const char *arg = open ? arena_strndup(mem, open + 1, strcspn(open + 1, ")")) : "";
    bool is_input_first = !strcmp(base, "separable_input_first");
    *out = (struct net_allocator){ALLOCATOR_islip, ARBITER_round_robin, 1};
    if (!strcmp(base, "islip")) {
        char *end;
        long k = *arg ? strtol(arg, &end, 10) : 1;
        if (*arg && (*end || k < 1 || k > 64))
            return err_add(err, ERR_INPUT, at, "'%s': iterations are 1..64", text);
        out->iterations = (uint32_t)k;
    } else if (is_input_first || !strcmp(base, "separable_output_first")) {
        if (*arg && strcmp(arg, "round_robin") && strcmp(arg, "matrix"))
            return err_add(err, ERR_INPUT, at, "arbiter '%s' is not supported: round_robin, matrix",
                           arg);
        out->arbiter = !strcmp(arg, "matrix") ? ARBITER_matrix : ARBITER_round_robin;
        out->kind =
            is_input_first ? ALLOCATOR_separable_input_first : ALLOCATOR_separable_output_first;
    } else {
        return err_add(err, ERR_INPUT, at,
                       "'%s' is not supported: islip(k), separable_input_first(arbiter), "
                       "separable_output_first(arbiter)",
                       text);
    }
    return true;
}

/* ---- building -------------------------------------------------------------------------------- */

static bool build_network(const struct bs_config *c, struct arena *mem, struct noc *noc,
                          const uint16_t **cycles, struct err *err)
{
    static const struct {
        const char *topology, *routing;
        bool (*build)(const struct noc_plain *, struct arena *, struct noc *, const uint16_t **,
                      struct err *);
        bool adaptive;
    } table[] = {
        {"mesh", "dim_order", noc_plain_mesh, false},
        {"mesh", "dor", noc_plain_mesh, false},
        {"cmesh", "dor_no_express", noc_plain_cmesh, false},
        {"fly", "dest_tag", noc_plain_fly, false},
        {"fattree", "nca", noc_plain_fattree, false},
        {"fattree", "anca", noc_plain_fattree, true},
        {"anynet", "min", noc_plain_anynet, false},
    };
    struct noc_plain p = {
        .k = (uint32_t)c->k,
        .n = (uint32_t)c->n,
        .vcs = (uint32_t)c->num_vcs,
        .vc_depth = (uint32_t)(c->buf_size > 0 ? c->buf_size / c->num_vcs : c->vc_buf_size),
        .width_bits = 128,
        .classes = c->use_read_write ? MSG_TYPES : 1,
        .long_links = c->use_noc_latency,
    };
    if (!p.vc_depth)
        return err_add(err, ERR_INPUT, (struct where){c->file, 0, "buf_size"},
                       "%d slots are less than one for each of %d VCs", c->buf_size, c->num_vcs);
    if (!strcmp(c->topology, "cmesh") &&
        (c->c != 4 || c->xr != 2 || c->yr != 2 || c->x != c->k || c->y != c->k))
        return err_add(err, ERR_INPUT, (struct where){c->file, 0, "c"},
                       "cmesh is supported with c = 4, xr = yr = 2 and x = y = k");
    if (!strcmp(c->topology, "anynet")) {
        char *text;
        if (!*c->network_file)
            return err_add(err, ERR_INPUT, (struct where){c->file, 0, "network_file"},
                           "anynet needs a network_file");
        p.file = c->network_file;
        if (c->file && c->network_file[0] != '/')
            p.file = path_join(mem, path_dir(mem, c->file), c->network_file);
        if (!file_read(p.file, 1u << 26, mem, &text, &p.text_len, err))
            return false;
        p.text = text;
    }
    bool known = false;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        known |= !strcmp(table[i].topology, c->topology);
        if (strcmp(table[i].topology, c->topology) || strcmp(table[i].routing, c->routing))
            continue;
        p.adaptive = table[i].adaptive;
        return table[i].build(&p, mem, noc, cycles, err);
    }
    if (!known)
        return err_add(err, ERR_INPUT, (struct where){c->file, 0, "topology"},
                       "'%s' is not supported: mesh, cmesh, fly, fattree, anynet", c->topology);
    return err_add(err, ERR_INPUT, (struct where){c->file, 0, "routing_function"},
                   "'%s' is not supported for %s", c->routing, c->topology);
}

static bool set_vc_ranges(const struct bs_config *c, struct noc *noc, struct err *err)
{
    if (!c->use_read_write)
        return true;
    for (int t = MSG_READ_REQUEST; t < MSG_TYPES; t++) {
        if (c->begin_vc[t] > c->end_vc[t] || c->end_vc[t] >= c->num_vcs)
            return err_add(err, ERR_INPUT, (struct where){c->file, 0, "num_vcs"},
                           "the VCs %d..%d of a message type are not among the %d there are",
                           c->begin_vc[t], c->end_vc[t], c->num_vcs);
        noc->vc_ranges[t] = (struct noc_vc_range){(uint8_t)c->begin_vc[t],
                                                  (uint8_t)(c->end_vc[t] - c->begin_vc[t] + 1)};
    }
    return true;
}

static bool read_pattern(const struct bs_config *c, struct arena *mem, struct traffic_params *t,
                         struct err *err)
{
    static const struct {
        const char *name;
        enum traffic_pattern pattern;
    } names[] = {
        {"uniform", TRAFFIC_UNIFORM},       {"transpose", TRAFFIC_TRANSPOSE},
        {"bitcomp", TRAFFIC_BITCOMP},       {"bitrev", TRAFFIC_BITREV},
        {"shuffle", TRAFFIC_SHUFFLE},       {"tornado", TRAFFIC_TORNADO},
        {"neighbor", TRAFFIC_NEIGHBOR},     {"hotspot", TRAFFIC_HOTSPOT},
        {"asymmetric", TRAFFIC_ASYMMETRIC},
    };
    struct where at = {c->file, 0, "traffic"};
    size_t word = strcspn(c->traffic, "(");
    const char *open = c->traffic[word] == '(' ? c->traffic + word + 1 : NULL;
    size_t i = 0, n = sizeof names / sizeof *names;
    while (i < n && (strlen(names[i].name) != word || strncmp(names[i].name, c->traffic, word)))
        i++;
    if (i == n || (open && names[i].pattern != TRAFFIC_HOTSPOT))
        return err_add(err, ERR_INPUT, at, "'%s' is not supported", c->traffic);
    t->pattern = names[i].pattern;
    t->k = (uint32_t)(c->k * c->xr);
    t->n = (uint32_t)c->n;
    if (t->pattern != TRAFFIC_HOTSPOT)
        return true;
    const char *close = open ? strrchr(open, ')') : NULL;
    const char **parts;
    size_t count = close ? split(open, (size_t)(close - open), mem, &parts) : 0;
    uint32_t *list, *weights, m;
    if (count < 1 || count > 2)
        return err_add(err, ERR_INPUT, at, "hotspot needs its nodes: hotspot({{1,2}})");
    if (!int_list(parts[0], "traffic", (struct int_range){0, t->nodes - 1l}, mem, &list,
                  &t->n_targets, err))
        return false;
    t->targets = list;
    if (count == 1)
        return true;
    if (!int_list(parts[1], "traffic", (struct int_range){1, 1000000}, mem, &weights, &m, err))
        return false;
    uint32_t *full = arena_many(mem, uint32_t, t->n_targets);
    for (uint32_t j = 0; j < t->n_targets; j++)
        full[j] = weights[j < m ? j : m - 1];
    t->weights = full;
    return true;
}

/* "{a,b}" has an element for each traffic class, of which there is one; several sizes of one class
 * are "{{a,b}}". */
static const char *of_first_class(const char *text, struct arena *mem)
{
    const char **parts;
    return split(text, strlen(text), mem, &parts) ? parts[0] : text;
}

static bool read_sizes(const struct bs_config *c, struct arena *mem, struct traffic_params *t,
                       double *mean, struct err *err)
{
    uint32_t *sizes, *weights, n, m;
    if (!int_list(of_first_class(c->packet_size, mem), "packet_size", (struct int_range){1, 64},
                  mem, &sizes, &n, err) ||
        !int_list(of_first_class(c->packet_size_rate, mem), "packet_size_rate",
                  (struct int_range){0, 1000000}, mem, &weights, &m, err))
        return false;
    uint16_t *s = arena_many(mem, uint16_t, n);
    uint32_t *w = arena_many(mem, uint32_t, n);
    double sum = 0, total = 0;
    for (uint32_t i = 0; i < n; i++) {
        s[i] = (uint16_t)sizes[i];
        w[i] = weights[i < m ? i : m - 1];
        sum += (double)s[i] * w[i];
        total += w[i];
    }
    t->sizes = s;
    t->size_weights = w;
    t->n_sizes = n;
    if (!(total > 0))
        return err_add(err, ERR_INPUT, (struct where){c->file, 0, "packet_size_rate"},
                       "'%s' gives no size a chance", c->packet_size_rate);
    *mean = sum / total;
    if (c->use_read_write) {
        int flits = 0;
        for (int i = MSG_READ_REQUEST; i < MSG_TYPES; i++)
            flits += c->size[i];
        *mean = flits / 2; /* a whole number, as BookSim2 has it */
    }
    return true;
}

static bool read_process(const struct bs_config *c, double mean, struct traffic_params *t,
                         struct arena *mem, struct err *err)
{
    const char **parts;
    struct where at = {c->file, 0, "injection_rate"};
    size_t n = split(c->injection_rate, strlen(c->injection_rate), mem, &parts);
    char *end = NULL;
    t->rate = n == 1 ? strtod(parts[0], &end) : -1;
    if (n != 1 || *end || !(t->rate >= 0 && t->rate <= 64))
        return err_add(err, ERR_INPUT, at, "'%s' is not a rate", c->injection_rate);
    if (c->rate_uses_flits)
        t->rate /= mean;
    if (t->rate > 1)
        return err_add(err, ERR_INPUT, at, "%g packets per cycle: a node can make one at most",
                       t->rate);
    if (!strcmp(c->injection_process, "bernoulli"))
        return true;
    at.key = "injection_process";
    if (strcmp(c->injection_process, "on_off"))
        return err_add(err, ERR_INPUT, at, "'%s' is not supported: bernoulli, on_off",
                       c->injection_process);
    int given = (c->burst_alpha >= 0) + (c->burst_beta >= 0) + (c->burst_r1 >= 0);
    if (given != 2)
        return err_add(err, ERR_INPUT, at,
                       "on_off needs two of burst_alpha, burst_beta and burst_r1");
    t->on_off = true;
    t->alpha = c->burst_alpha;
    t->beta = c->burst_beta;
    t->burst_rate = c->burst_r1;
    if (t->alpha < 0)
        t->alpha = t->beta * t->rate / (t->burst_rate - t->rate);
    else if (t->beta < 0)
        t->beta = t->alpha * (t->burst_rate - t->rate) / t->rate;
    else
        t->burst_rate = t->rate * (t->alpha + t->beta) / t->alpha;
    return true;
}

static bool read_traffic(const struct bs_config *c, const struct noc *noc, struct arena *mem,
                         struct traffic_params *t, struct err *err)
{
    double mean = 1;
    *t = (struct traffic_params){.nodes = noc->n_endpoints, .booksim = true};
    if (!read_pattern(c, mem, t, err) || !read_sizes(c, mem, t, &mean, err) ||
        !read_process(c, mean, t, mem, err))
        return false;
    if (*c->inject_nodes) {
        uint32_t *list, n;
        if (!int_list(c->inject_nodes, "inject_nodes", (struct int_range){0, t->nodes - 1l}, mem,
                      &list, &n, err))
            return false;
        bool *injects = arena_many(mem, bool, t->nodes);
        for (uint32_t i = 0; i < n; i++)
            injects[list[i]] = true;
        t->injects = injects;
    }
    t->request_reply = c->use_read_write;
    t->write_fraction = c->write_fraction;
    for (int i = MSG_READ_REQUEST; i < MSG_TYPES && c->use_read_write; i++) {
        t->type_flits[i] = (uint16_t)c->size[i];
        t->type_net[i] = (uint8_t)c->subnet[i];
        t->type_class[i] = (uint8_t)i;
        if (c->subnet[i] >= c->subnets)
            return err_add(err, ERR_INPUT, (struct where){c->file, 0, "subnets"},
                           "a message type uses subnet %d of %d", c->subnet[i], c->subnets);
    }
    if (!strcmp(c->sim_type, "batch")) {
        t->batch = (uint32_t)c->batch_size;
        t->outstanding = (uint32_t)c->max_outstanding;
    }
    t->seed = (uint64_t)(int64_t)c->seed;
    return true;
}

struct wired { /* a network and the cycles of its channels */
    struct noc noc;
    const uint16_t *cycles;
};

/* Flits that all buffers of a subnet may hold: a GB or two in the engine. */
#define MOST_PLACES ((uint64_t)1 << 24)

static bool buffers_fit(const struct bs_config *c, const struct noc *noc, struct err *err)
{
    uint64_t places = (uint64_t)noc->n_channels * noc->vcs * noc->vc_depth;
    if (places <= MOST_PLACES)
        return true;
    return err_add(err, ERR_INPUT, (struct where){c->file, 0, "num_vcs"},
                   "%u channels with %u VCs of %u flits hold %" PRIu64 " flits; at most %" PRIu64,
                   noc->n_channels, noc->vcs, noc->vc_depth, places, MOST_PLACES);
}

static bool make_net(const struct bs_config *c, const struct bs_options *o, const struct wired *w,
                     uint32_t index, struct arena *mem, struct net **out, struct err *err)
{
    struct router_params r = {
        .routing_delay = (uint32_t)c->routing_delay,
        .vc_alloc_delay = (uint32_t)c->vc_alloc_delay,
        .sw_alloc_delay = (uint32_t)c->sw_alloc_delay,
        .st_delay = (uint32_t)(c->st_prepare_delay + c->st_final_delay),
        .credit_delay = (uint32_t)c->credit_delay,
        .speculative = c->speculative,
        .input_speedup = (uint32_t)c->input_speedup,
        .output_speedup = (uint32_t)c->output_speedup,
        .internal_speedup = 1,
        .source_vcs = SOURCE_VCS_one,
    };
    struct net_params p = {
        .router = &r,
        .channel_cycles = w->cycles,
        .max_flits = 64,
        .seed = (uint64_t)(int64_t)c->seed * 2 + index,
        .watchdog_cycles = 100000,
        .verify = o->verify,
        .keep_flit_times = !o->cycles,
        .internal_speedup = c->internal_speedup,
        .hold_switch = c->hold_switch,
        .wait_tail_credit = c->wait_for_tail_credit,
        .vc_busy_when_full = c->vc_busy_when_full,
        .output_buffer = c->output_buffer_size > 0 ? (uint32_t)c->output_buffer_size : 0,
        .general = o->general || !strcmp(c->topology, "fattree"), /* draws in order */
    };
    if (!r.st_delay)
        return err_add(err, ERR_INPUT, (struct where){c->file, 0, "st_final_delay"},
                       "the switch takes at least one cycle");
    if (!c->routing_delay && !strcmp(c->topology, "fattree") && c->subnets > 1)
        return err_add(err, ERR_INPUT, (struct where){c->file, 0, "routing_delay"},
                       "0 is not supported with %s on two subnets", c->routing);
    if (c->num_vcs % c->input_speedup)
        return err_add(err, ERR_INPUT, (struct where){c->file, 0, "input_speedup"},
                       "%d does not divide num_vcs = %d", c->input_speedup, c->num_vcs);
    struct net_allocator sw, vc;
    if (!read_allocator(c->sw_allocator, "sw_allocator", mem, &sw, err) ||
        !read_allocator(c->vc_allocator, "vc_allocator", mem, &vc, err))
        return false;
    r.allocator = sw.kind;
    r.arbiter = sw.arbiter;
    r.iterations = sw.iterations;
    p.vc_allocator = &vc;
    *out = net_new(&w->noc, &p, mem, err);
    if (*out && o->shuffle)
        net_shuffle(*out, o->shuffle);
    return *out != NULL;
}

static void warn_of_cycle(const struct bs_config *c, const struct noc *noc, struct arena *mem,
                          struct err *err)
{
    struct noc_facts facts = {0};
    struct err quiet;
    err_init(&quiet);
    if (noc_check(noc, true, mem, &facts, &quiet) && !facts.is_deadlock_free) {
        struct buf text;
        buf_init(&text, mem, 4096);
        for (uint32_t i = 0; i < facts.cycle.n; i++) {
            const struct noc_channel *ch = &noc->channels[facts.cycle.channels[i]];
            buf_printf(&text, "%srouter %u -> router %u", i ? ", " : "", ch->src, ch->dst);
        }
        err_warn(err, (struct where){c->file, 0, "network_file"},
                 "packets can wait for each other in a ring of channels: %s", text.data);
    }
    err_free(&quiet);
}

bool bs_run(const struct bs_config *c, const struct bs_options *options, struct arena *mem,
            struct traffic_result *out, struct err *err)
{
    struct wired w = {.cycles = NULL};
    struct traffic_params params;
    struct net *nets[2] = {NULL, NULL};
    bool throughput = !strcmp(c->sim_type, "throughput"), batch = !strcmp(c->sim_type, "batch");
    if (strcmp(c->router, "iq"))
        return err_add(err, ERR_INPUT, (struct where){c->file, 0, "router"},
                       "'%s' is not supported, only 'iq'", c->router);
    if (!throughput && !batch && strcmp(c->sim_type, "latency"))
        return err_add(err, ERR_INPUT, (struct where){c->file, 0, "sim_type"},
                       "'%s' is not supported: latency, throughput, batch", c->sim_type);
    if (c->alloc_iters != 1)
        err_warn(err, (struct where){c->file, 0, "alloc_iters"},
                 "has no effect on this router, in BookSim2 as here: write islip(%d)",
                 c->alloc_iters);
    if (strcmp(c->arb_type, "round_robin"))
        err_warn(err, (struct where){c->file, 0, "arb_type"},
                 "has no effect on this router, in BookSim2 as here: write "
                 "separable_input_first(%s)",
                 c->arb_type);
    if (!build_network(c, mem, &w.noc, &w.cycles, err) || !buffers_fit(c, &w.noc, err) ||
        !set_vc_ranges(c, &w.noc, err) || !read_traffic(c, &w.noc, mem, &params, err))
        return false;
    if (!strcmp(c->topology, "anynet"))
        warn_of_cycle(c, &w.noc, mem, err);
    for (int i = 0; i < c->subnets; i++)
        if (!make_net(c, options, &w, (uint32_t)i, mem, &nets[i], err))
            return false;
    struct traffic *t = traffic_new(nets, (uint32_t)c->subnets, &params, mem, err);
    if (!t)
        return false;
    traffic_set_watch(t, options->watch, options->ctx);
    if (options->cycles)
        return traffic_run_cycles(t, options->warmup, options->cycles, out, err);
    if (batch)
        return traffic_run_batch(t, out, err);
    struct traffic_phases ph = {
        (uint32_t)c->sample_period, (uint32_t)c->warmup_periods,
        (uint32_t)c->max_samples,   !throughput,
        c->latency_thres,           c->stopping_thres,
        c->acc_stopping_thres,      c->warmup_thres,
        c->acc_warmup_thres,
    };
    return traffic_run_phases(t, &ph, out, err);
}
