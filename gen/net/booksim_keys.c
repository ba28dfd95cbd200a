/* SPDX-License-Identifier: MIT
 *
 * The keys of BookSim2's files, and reading them. */
#include "gen/net/booksim_files.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/near.h"

/* ---- keys ------------------------------------------------------------------------------------ */

enum bs_type { BS_INT, BS_REAL, BS_TEXT, BS_ONLY };

struct bs_key {
    const char *name;
    enum bs_type type;
    size_t offset;
    const char *value; /* its default; BS_ONLY: the only value that is supported */
    double lo, hi;
};

#define AT(f) offsetof(struct bs_config, f)
#define INT(name, field, def, lo, hi)                                                              \
    {                                                                                              \
        name, BS_INT, AT(field), #def, lo, hi                                                      \
    }
#define REAL(name, field, def, lo, hi)                                                             \
    {                                                                                              \
        name, BS_REAL, AT(field), #def, lo, hi                                                     \
    }
#define TEXT(name, field, def)                                                                     \
    {                                                                                              \
        name, BS_TEXT, AT(field), def, 0, 0                                                        \
    }
#define ONLY(name, def)                                                                            \
    {                                                                                              \
        name, BS_ONLY, 0, def, 0, 0                                                                \
    }
#define TYPE_KEYS(text, type, first, last)                                                         \
    INT(text "_begin_vc", begin_vc[type], first, 0, 63),                                           \
        INT(text "_end_vc", end_vc[type], last, 0, 63),                                            \
        INT(text "_subnet", subnet[type], 0, 0, 1), INT(text "_size", size[type], 1, 1, 64)

static const struct bs_key keys[] = {
    TEXT("topology", topology, "torus"),
    TEXT("routing_function", routing, "none"),
    INT("k", k, 8, 1, 65536),
    INT("n", n, 2, 1, 16),
    INT("c", c, 1, 1, 64),
    INT("x", x, 8, 1, 65536),
    INT("y", y, 8, 1, 65536),
    INT("xr", xr, 1, 1, 64),
    INT("yr", yr, 1, 1, 64),
    INT("use_noc_latency", use_noc_latency, 1, 0, 1),
    TEXT("network_file", network_file, ""),
    TEXT("inject_nodes", inject_nodes, ""),
    TEXT("router", router, "iq"),
    INT("num_vcs", num_vcs, 16, 1, 64),
    INT("vc_buf_size", vc_buf_size, 8, 1, 4096),
    INT("buf_size", buf_size, -1, -1, 262144),
    INT("output_buffer_size", output_buffer_size, -1, -1, 4096),
    INT("routing_delay", routing_delay, 1, 0, 64),
    INT("vc_alloc_delay", vc_alloc_delay, 1, 1, 64),
    INT("sw_alloc_delay", sw_alloc_delay, 1, 1, 64),
    INT("st_prepare_delay", st_prepare_delay, 0, 0, 64),
    INT("st_final_delay", st_final_delay, 1, 0, 64),
    INT("credit_delay", credit_delay, 0, 0, 64),
    INT("input_speedup", input_speedup, 1, 1, 64),
    INT("output_speedup", output_speedup, 1, 1, 64),
    REAL("internal_speedup", internal_speedup, 1.0, 1, 16),
    INT("wait_for_tail_credit", wait_for_tail_credit, 0, 0, 1),
    INT("vc_busy_when_full", vc_busy_when_full, 0, 0, 1),
    INT("hold_switch_for_packet", hold_switch, 0, 0, 1),
    INT("speculative", speculative, 0, 0, 1),
    TEXT("vc_allocator", vc_allocator, "islip"),
    TEXT("sw_allocator", sw_allocator, "islip"),
    TEXT("arb_type", arb_type, "round_robin"),
    INT("alloc_iters", alloc_iters, 1, 1, 1000),
    TEXT("traffic", traffic, "uniform"),
    TEXT("injection_process", injection_process, "bernoulli"),
    TEXT("injection_rate", injection_rate, "0.1"),
    INT("injection_rate_uses_flits", rate_uses_flits, 0, 0, 1),
    TEXT("packet_size", packet_size, "1"),
    TEXT("packet_size_rate", packet_size_rate, "1"),
    REAL("burst_alpha", burst_alpha, 0.5, -1e9, 1),
    REAL("burst_beta", burst_beta, 0.5, -1e9, 1),
    REAL("burst_r1", burst_r1, -1.0, -1e9, 1),
    TEXT("sim_type", sim_type, "latency"),
    INT("warmup_periods", warmup_periods, 3, 0, 1000000),
    INT("sample_period", sample_period, 1000, 1, 100000000),
    INT("max_samples", max_samples, 10, 1, 1000000),
    INT("include_queuing", include_queuing, 1, 1, 1),
    REAL("latency_thres", latency_thres, 500.0, -1e9, 1e9),
    REAL("warmup_thres", warmup_thres, 0.05, -1e9, 1e9),
    REAL("acc_warmup_thres", acc_warmup_thres, 0.05, -1e9, 1e9),
    REAL("stopping_thres", stopping_thres, 0.05, -1e9, 1e9),
    REAL("acc_stopping_thres", acc_stopping_thres, 0.05, -1e9, 1e9),
    INT("batch_size", batch_size, 1000, 1, 100000000),
    INT("batch_count", batch_count, 1, 1, 1),
    INT("max_outstanding_requests", max_outstanding, 0, 0, 100000000),
    INT("use_read_write", use_read_write, 0, 0, 1),
    INT("subnets", subnets, 1, 1, 2),
    REAL("write_fraction", write_fraction, 0.5, 0, 1),
    TYPE_KEYS("read_request", MSG_READ_REQUEST, 0, 5),
    TYPE_KEYS("write_request", MSG_WRITE_REQUEST, 2, 7),
    TYPE_KEYS("read_reply", MSG_READ_REPLY, 8, 13),
    TYPE_KEYS("write_reply", MSG_WRITE_REPLY, 10, 15),
    INT("seed", seed, 0, -2147483647, 2147483647),
    ONLY("classes", "1"),
    ONLY("class_priority", "0"),
    ONLY("priority", "none"),
    ONLY("sim_count", "1"),
    ONLY("measure_stats", "1"),
    ONLY("pair_stats", "0"),
    ONLY("noq", "0"),
    ONLY("spec_check_elig", "1"),
    ONLY("spec_check_cred", "1"),
    ONLY("spec_mask_by_reqs", "0"),
    ONLY("spec_sw_allocator", "prio"),
    ONLY("buffer_policy", "private"),
    ONLY("vc_prioritize_empty", "0"),
    ONLY("vc_priority_donation", "0"),
    ONLY("vc_shuffle_requests", "0"),
    ONLY("vct", "0"),
    ONLY("output_delay", "0"),
    ONLY("link_failures", "0"),
    ONLY("fail_seed", "0"),
    ONLY("viewer_trace", "0"),
    ONLY("print_activity", "0"),
    ONLY("print_csv_results", "0"),
    ONLY("sim_power", "0"),
    ONLY("channel_file", ""),
    ONLY("watch_file", ""),
    ONLY("watch_out", ""),
    ONLY("stats_out", ""),
};
#define N_KEYS (sizeof keys / sizeof *keys)

static bool assign(const struct bs_key *key, const char *value, struct where at, struct arena *mem,
                   struct bs_config *c, struct err *err)
{
    char *field = (char *)c + key->offset, *end;
    if (key->type == BS_TEXT) {
        const char *copy = arena_strdup(mem, value);
        memcpy(field, &copy, sizeof copy);
        return true;
    }
    if (key->type == BS_ONLY) {
        if (strcmp(value, key->value))
            return err_add(err, ERR_INPUT, at, "'%s' is not supported, only '%s'", value,
                           key->value);
        return true;
    }
    double v = strtod(value, &end);
    if (!*value || *end || !(v >= key->lo && v <= key->hi))
        return err_add(err, ERR_INPUT, at, "'%s' is not a number in %g..%g", value, key->lo,
                       key->hi);
    if (key->type == BS_REAL) {
        memcpy(field, &v, sizeof v);
        return true;
    }
    int i = (int)v;
    if (i != v)
        return err_add(err, ERR_INPUT, at, "'%s' is not a whole number", value);
    memcpy(field, &i, sizeof i);
    return true;
}

void bs_defaults(struct bs_config *c)
{
    memset(c, 0, sizeof *c);
    for (size_t i = 0; i < N_KEYS; i++) {
        char *field = (char *)c + keys[i].offset;
        double v = keys[i].type == BS_INT || keys[i].type == BS_REAL ? atof(keys[i].value) : 0;
        int whole = (int)v;
        if (keys[i].type == BS_TEXT)
            memcpy(field, &keys[i].value, sizeof keys[i].value);
        else if (keys[i].type == BS_REAL)
            memcpy(field, &v, sizeof v);
        else if (keys[i].type == BS_INT)
            memcpy(field, &whole, sizeof whole);
    }
}

static bool set_key(const char *name, const char *value, struct where at, struct arena *mem,
                    struct bs_config *c, struct err *err)
{
    const char *names[N_KEYS];
    for (size_t i = 0; i < N_KEYS; i++) {
        names[i] = keys[i].name;
        if (!strcmp(names[i], name)) {
            at.key = keys[i].name;
            return assign(&keys[i], value, at, mem, c, err);
        }
    }
    const char *near = near_best(name, names, N_KEYS);
    if (near)
        return err_add(err, ERR_INPUT, at, "key '%s' is not supported; did you mean '%s'?", name,
                       near);
    return err_add(err, ERR_INPUT, at, "key '%s' is not supported", name);
}

/* ---- reading --------------------------------------------------------------------------------- */

/* "key = value" between `p` and `end`. Blanks inside a value are dropped, as BookSim2 does. */
static bool read_assignment(const char *p, const char *end, struct where at, struct arena *mem,
                            struct bs_config *c, struct err *err)
{
    struct buf name, value;
    buf_init(&name, mem, 1u << 20);
    buf_init(&value, mem, 1u << 20);
    const char *eq = memchr(p, '=', (size_t)(end - p));
    for (; p < end; p++) {
        if (isspace((unsigned char)*p) || p == eq)
            continue;
        buf_putc(eq && p > eq ? &value : &name, *p);
    }
    if (!name.len)
        return err_add(err, ERR_INPUT, at, "a key is missing before '%s'", value.data);
    if (!eq || !value.len)
        return err_add(err, ERR_INPUT, at, "expected 'key = value', found '%.80s'", name.data);
    if (strlen(name.data) != name.len || strlen(value.data) != value.len)
        return err_add(err, ERR_INPUT, at, "the file is not text");
    return set_key(name.data, value.data, at, mem, c, err);
}

bool bs_set(const char *assignment, struct arena *mem, struct bs_config *c, struct err *err)
{
    size_t n = strlen(assignment);
    if (n && assignment[n - 1] == ';')
        n--;
    return read_assignment(assignment, assignment + n, AT_FILE("command line"), mem, c, err);
}

bool bs_read(const char *path, struct arena *mem, struct bs_config *c, struct err *err)
{
    char *text;
    size_t n;
    return file_read(path, 1u << 24, mem, &text, &n, err) && bs_parse(path, text, n, mem, c, err);
}

bool bs_parse(const char *path, char *text, size_t n, struct arena *mem, struct bs_config *c,
              struct err *err)
{
    size_t errors = err->n_errors;
    c->file = arena_strdup(mem, path);
    for (char *q = text; (q = strstr(q, "//"));) /* comments become blanks */
        while (*q && *q != '\n')
            *q++ = ' ';
    int line = 1;
    const char *p = text, *end = text + n;
    while (p < end) {
        while (p < end && isspace((unsigned char)*p))
            line += *p++ == '\n';
        if (p == end)
            break;
        const char *stop = memchr(p, ';', (size_t)(end - p));
        if (!stop)
            return err_add(err, ERR_INPUT, AT_LINE(c->file, line), "';' is missing");
        read_assignment(p, stop, AT_LINE(c->file, line), mem, c, err);
        for (; p <= stop; p++)
            line += *p == '\n';
    }
    return err->n_errors == errors;
}
