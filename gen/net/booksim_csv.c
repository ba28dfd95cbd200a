/* SPDX-License-Identifier: MIT */
#include "gen/net/booksim_csv.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/csv.h"
#include "base/err.h"
#include "base/file.h"
#include "base/pool.h"
#include "base/vec.h"
#include "gen/net/booksim_files.h"

#define BS_HIST 1000 /* bins of BookSim2's latency histogram, the last for all beyond */

struct packet_row {
    uint64_t serial;
    struct net_delivery p;
};

struct job {
    struct err err;
    struct arena mem;
    struct traffic_result result;
    bool ok;
    VEC(struct packet_row) packets;
};

struct table {
    struct csv csv;
    const struct bs_csv_options *options;
    const char *configs; /* folder */
    struct job *jobs;
    size_t n_seeds;
};

static const char *cell(const struct table *t, size_t row, const char *column)
{
    int c = csv_column(&t->csv, column);
    return c < 0 ? "" : t->csv.rows[row][c];
}

static bool is_batch(const struct table *t)
{
    return csv_column(&t->csv, "batch_size") >= 0;
}

static bool set_text(struct bs_config *c, const char *key, const char *value, struct arena *mem,
                     struct err *err)
{
    return !*value || bs_set(arena_printf(mem, "%s=%s", key, value), mem, c, err);
}

/* The words of the column `other`, each "key=value". */
static bool set_others(const struct table *t, size_t row, struct bs_config *c, struct arena *mem,
                       struct err *err)
{
    bool ok = true;
    for (const char *p = cell(t, row, "other"); *p;) {
        size_t n = strcspn(p, " ");
        if (n)
            ok = bs_set(arena_strndup(mem, p, n), mem, c, err) && ok;
        p += n + (p[n] == ' ');
    }
    return ok;
}

/* A batch row stands on BookSim2's defaults with the columns and the words of `other`. */
static bool batch_config(const struct table *t, size_t row, struct bs_config *c, struct arena *mem,
                         struct err *err)
{
    static const char *const columns[] = {
        "topology",    "k",           "n",          "routing_function", "traffic",      "num_vcs",
        "vc_buf_size", "packet_size", "batch_size", "vc_allocator",     "sw_allocator", NULL};
    bool ok = bs_set("sim_type=batch", mem, c, err);
    for (const char *const *k = columns; *k; k++)
        ok = set_text(c, *k, cell(t, row, *k), mem, err) && ok;
    const char *sources = cell(t, row, "source_nodes");
    if (strcmp(sources, "all"))
        ok = set_text(c, "inject_nodes", sources, mem, err) && ok;
    ok = set_others(t, row, c, mem, err) && ok;
    c->file = path_join(mem, t->configs, "base.cfg"); /* files it names are there */
    return ok;
}

static bool load_config(const struct table *t, size_t row, struct bs_config *c, struct arena *mem,
                        struct err *err)
{
    const char *file =
        path_join(mem, t->configs, arena_printf(mem, "%s.cfg", cell(t, row, "config")));
    const char *mode = cell(t, row, "mode");
    bool ok = bs_read(file, mem, c, err);
    ok = set_text(c, "sim_type", mode, mem, err) && ok;
    ok = set_text(c, "injection_rate", cell(t, row, "offered"), mem, err) && ok;
    ok = set_text(c, "seed", cell(t, row, "seed"), mem, err) && ok;
    ok = set_text(c, "sample_period", cell(t, row, "sample_period"), mem, err) && ok;
    if (!strcmp(mode, "throughput"))
        c->max_samples = 8;
    return set_others(t, row, c, mem, err) && ok;
}

static void keep_packet(void *ctx, const struct net_delivery *p, uint64_t serial)
{
    struct job *j = ctx;
    vec_push(&j->mem, &j->packets, (struct packet_row){serial, *p});
}

static void run_row(void *ctx, size_t index)
{
    struct table *t = ctx;
    struct job *j = &t->jobs[index];
    size_t row = index / t->n_seeds;
    struct bs_config c;
    struct bs_options o = {.verify = t->options->verify,
                           .general = t->options->general,
                           .shuffle = t->options->shuffle};
    struct arena scratch;
    err_init(&j->err);
    arena_init(&j->mem, NULL, NULL);
    arena_init(&scratch, NULL, NULL);
    if (t->options->packets) {
        o.watch = keep_packet;
        o.ctx = j;
    }
    bs_defaults(&c);
    bool ok = is_batch(t) ? batch_config(t, row, &c, &scratch, &j->err)
                          : load_config(t, row, &c, &scratch, &j->err);
    c.seed += (int)(index % t->n_seeds);
    j->ok = ok && bs_run(&c, &o, &scratch, &j->result, &j->err);
    arena_free(&scratch);
}

/* ---- results --------------------------------------------------------------------------------- */

struct output {
    const char *column;
    size_t offset; /* of a double in struct traffic_result */
};
#define OUT(column, field)                                                                         \
    {                                                                                              \
        column, offsetof(struct traffic_result, field)                                             \
    }
static const struct output outputs[] = {
    OUT("accepted_avg", accepted_avg),
    OUT("accepted_min", accepted_min),
    OUT("accepted_max", accepted_max),
    OUT("packet_latency_avg", packet_avg),
    OUT("packet_latency_min", packet_min),
    OUT("packet_latency_max", packet_max),
    OUT("packet_latency_p99", packet_p99),
    OUT("network_latency_avg", network_avg),
    OUT("flit_latency_avg", flit_avg),
    OUT("hops_avg", hops_avg),
    OUT("plat_avg", packet_avg),
    OUT("plat_min", packet_min),
    OUT("plat_max", packet_max),
    OUT("nlat_avg", network_avg),
    OUT("nlat_min", network_min),
    OUT("nlat_max", network_max),
    OUT("flat_avg", flit_avg),
    OUT("flat_min", flit_min),
    OUT("flat_max", flit_max),
};

static bool output_value(const struct table *t, size_t row, const char *column, double *value)
{
    double sum = 0;
    for (size_t s = 0; s < t->n_seeds; s++) {
        const struct traffic_result *r = &t->jobs[row * t->n_seeds + s].result;
        if (!strcmp(column, "batch_cycles"))
            sum += (double)r->batch_cycles;
        else if (!strcmp(column, "packets_measured"))
            sum += (double)r->packets;
        else if (!strcmp(column, "sim_cycles"))
            sum += r->converged ? (double)r->cycles : 0; /* BookSim2 says it of whole runs only */
        else if (!strcmp(column, "booksim_converged") || !strcmp(column, "converged"))
            sum += r->converged;
        else {
            size_t i = 0, n = sizeof outputs / sizeof *outputs;
            while (i < n && strcmp(outputs[i].column, column))
                i++;
            if (i == n)
                return false;
            double v;
            memcpy(&v, (const char *)r + outputs[i].offset, sizeof v);
            sum += v;
        }
    }
    *value = sum / (double)t->n_seeds;
    return true;
}

/* The lowest mean latency of a configuration's rows. */
static double lowest_latency(const struct table *t, const char *config)
{
    double least = INFINITY, v, steady;
    for (size_t r = 0; r < t->csv.n_rows; r++)
        if (!strcmp(cell(t, r, "config"), config) && !strcmp(cell(t, r, "mode"), "latency") &&
            output_value(t, r, "converged", &steady) && steady == 1 &&
            output_value(t, r, "packet_latency_avg", &v) && v < least)
            least = v;
    return least;
}

/* A row is stable that has converged, takes 97 % of what it is offered, and has no more than six
 * times the latency of the configuration's fastest row. */
static void write_stable(const struct table *t, size_t row, struct buf *out)
{
    const struct traffic_result *r = &t->jobs[row * t->n_seeds].result;
    double steady, latency, accepted, offered = atof(cell(t, row, "offered"));
    if (strcmp(cell(t, row, "mode"), "latency"))
        return;
    output_value(t, row, "converged", &steady);
    output_value(t, row, "packet_latency_avg", &latency);
    output_value(t, row, "accepted_avg", &accepted);
    accepted *= (double)r->nodes / (r->injecting ? r->injecting : 1);
    buf_putc(out, steady == 1 && accepted >= 0.97 * offered &&
                          latency <= 6 * lowest_latency(t, cell(t, row, "config"))
                      ? '1'
                      : '0');
}

/* Columns that do not hold one number of a run. True: written, or left empty. */
static bool write_other(const struct table *t, size_t row, const char *column, struct buf *out)
{
    double v;
    if (!strcmp(column, "stable"))
        write_stable(t, row, out);
    else if (!strcmp(column, "packet_latency_p99") && output_value(t, row, column, &v) &&
             v >= BS_HIST - 1)
        buf_printf(out, ">=%d", BS_HIST - 1);
    else
        return !strcmp(column, "inject_cycles");
    return true;
}

static void write_table(const struct table *t, struct buf *out)
{
    for (size_t c = 0; c < t->csv.n_columns; c++) {
        if (c)
            buf_putc(out, ',');
        csv_add_field(out, t->csv.columns[c]);
    }
    buf_putc(out, '\n');
    for (size_t r = 0; r < t->csv.n_rows; r++) {
        for (size_t c = 0; c < t->csv.n_columns; c++) {
            double v;
            if (c)
                buf_putc(out, ',');
            if (write_other(t, r, t->csv.columns[c], out))
                continue;
            if (output_value(t, r, t->csv.columns[c], &v))
                buf_printf(out, "%.6g", v);
            else
                csv_add_field(out, t->csv.rows[r][c]);
        }
        buf_putc(out, '\n');
    }
}

static int by_serial(const void *x, const void *y)
{
    const struct packet_row *a = x, *b = y;
    return a->serial < b->serial ? -1 : a->serial > b->serial;
}

static void write_packets(const struct table *t, struct buf *out)
{
    buf_add(out, "case,packet,src,dst,create_cycle,head_inject_cycle,tail_eject_cycle,hops,frag\n");
    for (size_t r = 0; r < t->csv.n_rows; r++) {
        struct job *j = &t->jobs[r * t->n_seeds];
        if (j->packets.n)
            qsort(j->packets.at, j->packets.n, sizeof *j->packets.at, by_serial);
        for (size_t i = 0; i < j->packets.n; i++) {
            const struct net_delivery *p = &j->packets.at[i].p;
            csv_add_field(out, cell(t, r, is_batch(t) ? "case" : "config"));
            buf_printf(out, ",%llu,%u,%u,%llu,%llu,%llu,%u,%lld\n",
                       (unsigned long long)j->packets.at[i].serial, p->src, p->dst,
                       (unsigned long long)p->created, (unsigned long long)p->injected,
                       (unsigned long long)p->arrived, p->hops,
                       (long long)(p->arrived - p->head_arrived) - (p->flits - 1));
        }
    }
}

bool bs_csv_run(const char *path, const struct bs_csv_options *options, struct arena *mem,
                struct buf *out, struct err *err)
{
    struct table t = {.options = options,
                      .n_seeds = options->seeds > 0 ? (size_t)options->seeds : 1};
    if (!csv_read(path, mem, &t.csv, err))
        return false;
    if (csv_column(&t.csv, "config") < 0 && !is_batch(&t))
        return err_add(err, ERR_INPUT, AT_FILE(path), "no column 'config' and none 'batch_size'");
    t.configs = path_join(mem, path_dir(mem, path), "configs");
    size_t n = t.csv.n_rows * t.n_seeds;
    t.jobs = arena_array(mem, n, sizeof *t.jobs);
    pool_run(options->threads, n, run_row, &t, NULL);
    bool ok = true;
    for (size_t i = 0; i < n; i++) {
        ok = ok && t.jobs[i].ok;
        if (!t.jobs[i].ok) {
            err_join(err, &t.jobs[i].err);
            err_note(err, AT_LINE(path, t.csv.lines[i / t.n_seeds]), "in this row");
        }
        err_free(&t.jobs[i].err);
    }
    if (ok) {
        write_table(&t, out);
        if (options->packets)
            write_packets(&t, options->packets);
    }
    for (size_t i = 0; i < n; i++)
        arena_free(&t.jobs[i].mem);
    return ok;
}
