/* SPDX-License-Identifier: MIT */
#include "gen/report/pictures.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/pool.h"
#include "gen/command.h"
#include "gen/emit/emit.h"
#include "gen/net/alone.h"

#define MOST_SVG ((size_t)32 << 20)
#define POINTS 10u

/* ---- networks, floorplans, heat -------------------------------------------------------------- */

/* The <svg …> element of a file, without what comes before it. */
static const char *svg_of(const char *path, struct arena *mem)
{
    struct err ignored;
    char *text = NULL;
    size_t n;
    err_init(&ignored);
    bool ok = file_exists(path) && file_read(path, MOST_SVG, mem, &text, &n, &ignored);
    err_free(&ignored);
    const char *start = ok ? strstr(text, "<svg") : NULL;
    return start ? start : "";
}

/* Mean use of every channel over the workloads that ran. */
static const char *heat_of(const struct priced *p, const struct result *results, size_t n,
                           struct arena *mem)
{
    const struct design *d = p->design;
    uint32_t n_request = d->request.n_channels, n_reply = d->has_reply ? d->reply.n_channels : 0;
    const double scale = 1e6;
    struct net_case c = {
        .name = "all workloads", .nocs = {&d->request, &d->reply}, .n_nets = d->has_reply ? 2 : 1};
    struct net_point point = {.result = {.cycles = (uint64_t)scale}};
    point.channel_flits[0] = arena_many(mem, uint64_t, n_request);
    point.channel_flits[1] = arena_many(mem, uint64_t, n_reply);
    size_t n_ran = 0;
    for (size_t i = 0; i < n; i++)
        n_ran += !results[i].error && results[i].n_links == n_request + n_reply;
    for (size_t i = 0; i < n && n_ran; i++) {
        if (results[i].error || results[i].n_links != n_request + n_reply)
            continue;
        for (uint32_t k = 0; k < n_request + n_reply; k++) {
            uint64_t flits = (uint64_t)(results[i].link_use[k] / (double)n_ran * scale);
            if (k < n_request)
                point.channel_flits[0][k] += flits;
            else
                point.channel_flits[1][k - n_request] += flits;
        }
    }
    struct buf svg;
    buf_init(&svg, mem, MOST_SVG);
    net_write_heat(&c, &point, &svg);
    return n_ran ? svg.data : "";
}

bool pictures_of_design(const struct pictures_request *q, struct arena *mem,
                        struct report_design *out, struct err *err)
{
    static const char *const wanted[] = {"picture", "floorplan"};
    struct emit e = {.design = q->priced->design, .data_dir = q->data_dir, .mem = mem, .cacti = 6};
    e.dir = path_join(mem, path_join(mem, q->dir, "designs"), out->name);
    if (!file_make_dirs(e.dir, err))
        return false;
    for (const struct emitter *const *m = emitters; *m; m++) {
        for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
            if (strcmp((*m)->name, wanted[i]) == 0 && !(*m)->write(&e, err))
                return false;
        }
    }
    const struct report_picture all[] = {
        {"request and reply network", svg_of(path_join(mem, e.dir, "network.svg"), mem)},
        {"how busy each channel was, mean of the workloads",
         heat_of(q->priced, q->results, q->n_results, mem)},
        {"floorplan", svg_of(path_join(mem, e.dir, "floorplan.svg"), mem)},
    };
    struct report_picture *drawn = arena_many(mem, struct report_picture, 3);
    out->pictures = drawn;
    for (size_t i = 0; i < 3; i++) {
        if (all[i].svg[0])
            drawn[out->n_pictures++] = all[i];
    }
    return true;
}

/* ---- load and latency ------------------------------------------------------------------------ */

struct curve_job {
    struct arena mem;
    struct err err;
    struct net_point point;
    bool ok;
};

struct curve_work {
    const struct net_case *cases;
    const struct net_request *request;
    const double *rates;
    struct curve_job *jobs;
};

static void run_point(void *ctx, size_t i)
{
    struct curve_work *w = ctx;
    struct curve_job *j = &w->jobs[i];
    j->ok = net_case_run(&w->cases[i / POINTS], w->request, w->rates[i % POINTS], false, &j->mem,
                         &j->point, &j->err);
}

bool pictures_curves(struct app *app, const struct pairs_design *designs, size_t n,
                     struct report *report)
{
    struct arena *mem = &app->mem;
    struct net_request request = {
        .traffic = "many_to_few", .flits = 1, .cycles = 4000, .warmup = 1000, .seed = 1, .jobs = 1};
    struct net_case *cases = arena_many(mem, struct net_case, n);
    double *rates = arena_many(mem, double, POINTS);
    const struct arch *first = designs[0].setup->arch;
    /* all slices together take one flit a cycle each */
    double most = (double)first->llc.slices / (double)first->gpu.n_clusters;
    for (size_t i = 0; i < POINTS; i++)
        rates[i] = most * (double)(i + 1) / POINTS * 0.98;
    for (size_t d = 0; d < n; d++) {
        const struct arch *arch = designs[d].setup->arch;
        if (!net_case_make(app, arch, arch_title(arch, mem), &request, &cases[d]))
            return false;
    }
    struct curve_work w = {cases, &request, rates, arena_many(mem, struct curve_job, n * POINTS)};
    for (size_t i = 0; i < n * POINTS; i++) {
        arena_init(&w.jobs[i].mem, mem->out_of_memory, mem->ctx);
        err_init(&w.jobs[i].err);
    }
    pool_run(0, n * POINTS, run_point, &w, NULL);
    struct plot_line *lines = arena_many(mem, struct plot_line, n);
    bool ok = true;
    for (size_t d = 0; d < n; d++) {
        double *x = arena_many(mem, double, POINTS), *y = arena_many(mem, double, POINTS);
        size_t k = 0;
        bool saturated = false;
        for (size_t i = 0; i < POINTS; i++) {
            const struct curve_job *j = &w.jobs[d * POINTS + i];
            ok &= j->ok;
            err_join(&app->err, &j->err);
            const struct traffic_result *r = &j->point.result;
            double nodes = cases[d].n_injecting ? cases[d].n_injecting : 1;
            double accepted = r->accepted_avg * cases[d].traffic.nodes / nodes;
            saturated |= !j->ok || accepted < 0.95 * rates[i];
            if (saturated)
                continue;
            x[k] = rates[i];
            y[k++] = r->packet_avg;
        }
        lines[d] = (struct plot_line){designs[d].name, x, y, k};
    }
    for (size_t i = 0; i < n * POINTS; i++) {
        err_free(&w.jobs[i].err);
        arena_free(&w.jobs[i].mem);
    }
    report->curves = lines;
    report->n_curves = n;
    report->curves_title = "Load and latency of the request networks, many-to-few traffic";
    return ok;
}
