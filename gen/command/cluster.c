/* SPDX-License-Identifier: MIT
 *
 * `crosswatt cluster`: would a program gain from CTAs with common data on one SM, and why. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/table.h"
#include "gen/cluster/feasibility.h"
#include "gen/cluster/occupancy.h"
#include "gen/cluster/proposal.h"
#include "gen/command.h"
#include "gen/config/read.h"
#include "gen/out.h"
#include "gen/run/tie.h"

/* ---- the study ---- */

static double share(double part, double all)
{
    return all > 0 ? part / all : 0;
}

/* The best order saves more of the time than a tie, and than the noise. */
static bool gains(const struct cluster_study *s)
{
    double saved = 1 - s->best->run.cycles.mean / s->base->run.cycles.mean;
    return saved > TIE && saved > s->best_noise;
}

static json_t *run_json(const struct cluster_study *s, const struct cluster_variant *v)
{
    if (v->error)
        return json_pack("{s:s, s:s}", "name", v->name, "error", v->error);
    return json_pack("{s:s, s:s, s:f, s:f, s:f, s:f, s:f}", "name", v->name, "settings",
                     v->settings, "cycles", v->run.cycles.mean, "cycles_deviation",
                     sqrt(stat_variance(&v->run.cycles)), "speedup",
                     s->base->run.cycles.mean / v->run.cycles.mean, "l1_hit_rate",
                     v->run.hit_rate.mean, "l2_transactions", v->run.transactions.mean);
}

static json_t *study_json(const struct cluster_study *s)
{
    const struct cluster_signs *g = &s->found.signs;
    json_t *runs = json_array(), *kernels = json_array();
    for (uint32_t i = 0; i < s->n_variants; i++)
        json_array_append_new(runs, run_json(s, &s->variants[i]));
    for (uint32_t i = 0; i < s->n_kernels; i++) {
        const struct cluster_direction *d = &s->kernels[i];
        json_array_append_new(kernels,
                              json_pack("{s:s, s:[ii], s:s, s:f, s:f}", "kernel", d->kernel, "grid",
                                        (int)d->columns, (int)d->rows, "index",
                                        d->is_column ? "column" : "row", "common_in_row",
                                        d->row_share, "common_in_column", d->column_share));
    }
    json_t *signs = json_object();
    const struct {
        const char *name;
        double value;
    } all[] = {{"order", g->order},
               {"time_by_order", g->time.by},
               {"time_by_order_noise", g->time.noise},
               {"hit_rate_by_order", g->hits.by},
               {"hit_rate_by_order_noise", g->hits.noise},
               {"transactions_saved", g->saved},
               {"transactions_without_l1", g->uncached},
               {"time_by_l1", g->l1.by},
               {"time_by_l1_noise", g->l1.noise},
               {"faster_one_at_a_time", g->crowd.by},
               {"faster_one_at_a_time_noise", g->crowd.noise},
               {"shared_lines", g->shared},
               {"shared_words", g->words},
               {"written_by_others", g->written},
               {"irregular", g->irregular},
               {"driven_by_data", g->driven},
               {"torn", g->torn},
               {"density", g->density}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        json_object_set_new(signs, all[i].name, json_real(all[i].value));
    const struct sharing *heaviest = &s->evidence.sharing;
    json_t *j =
        json_pack("{s:s, s:s, s:s, s:s, s:f, s:i, s:s, s:o, s:o, s:o}", "workload", s->workload,
                  "machine", s->machine, "class", cluster_class_name(s->found.kind), "why",
                  s->found.why, "inter_cta_reuse", s->evidence.inter_cta, "places", (int)s->places,
                  "heaviest_kernel", heaviest->kernel ? heaviest->kernel : "", "evidence", signs,
                  "kernels", kernels, "runs", runs);
    if (s->best)
        json_object_set_new(j, "proposal",
                            json_pack("{s:s, s:s, s:f, s:b}", "name", s->best->name, "settings",
                                      s->best->settings, "speedup",
                                      s->base->run.cycles.mean / s->best->run.cycles.mean, "counts",
                                      gains(s)));
    return j;
}

static void add_runs(const struct cluster_study *s, struct buf *out)
{
    static const struct table_column columns[] = {
        {"CTAs", "", 0},     {"cycles", "", -2},   {"deviation", "%", -1},
        {"speedup", "", -1}, {"L1 hits", "%", -1}, {"L2 transactions", "", -2},
        {"settings", "", 0}};
    struct table *t = table_new(out->mem, columns, sizeof columns / sizeof *columns);
    for (uint32_t i = 0; i < s->n_variants; i++) {
        const struct cluster_variant *v = &s->variants[i];
        table_row(t);
        table_text(t, v->name);
        if (v->error) {
            table_text(t, "failed");
            continue;
        }
        table_num(t, v->run.cycles.mean);
        table_text(
            t, arena_printf(out->mem, "%.2f",
                            100 * share(sqrt(stat_variance(&v->run.cycles)), v->run.cycles.mean)));
        table_text(t,
                   arena_printf(out->mem, "%.3f", s->base->run.cycles.mean / v->run.cycles.mean));
        table_text(t, arena_printf(out->mem, "%.1f", 100 * v->run.hit_rate.mean));
        table_num(t, v->run.transactions.mean);
        table_text(t, v->settings);
    }
    table_write_text(t, out);
    for (uint32_t i = 0; i < s->n_variants; i++)
        if (s->variants[i].error)
            buf_printf(out, "%s: %s\n", s->variants[i].name, s->variants[i].error);
}

static void add_verdict(const struct cluster_study *s, struct buf *out)
{
    const struct cluster_variant *b = s->best;
    if (!b)
        return;
    double speed = s->base->run.cycles.mean / b->run.cycles.mean;
    double tx = 100 * (1 - b->run.transactions.mean / s->base->run.transactions.mean);
    if (gains(s))
        buf_printf(out,
                   "\nproposal: %s (%s): %.2f times as fast; the L2 has %.0f %% %s transactions",
                   b->name, b->settings, speed, fabs(tx), tx < 0 ? "more" : "fewer");
    else
        buf_printf(out,
                   "\nproposal: none; the best, %s, runs at %.2f of the speed, which is a tie or "
                   "within the noise",
                   b->name, speed);
    buf_printf(out, ", L1 hits %.1f %% (%.1f %% as they come)\n", 100 * b->run.hit_rate.mean,
               100 * s->base->run.hit_rate.mean);
    if (s->vote && s->best_static)
        buf_printf(out, "the vote comes to %.2f of the speed of the best number (%s)\n",
                   s->best_static->run.cycles.mean / s->vote->run.cycles.mean,
                   s->best_static->name);
}

static void study_text(const struct cluster_study *s, struct buf *out)
{
    const struct cluster_signs *g = &s->found.signs;
    buf_printf(out, "%s on %s: locality class %s\n", s->workload, s->machine,
               cluster_class_name(s->found.kind));
    buf_printf(out, "why: %s\n", s->found.why);
    const struct sharing *h = &s->evidence.sharing;
    if (h->kernel && h->insts < h->all)
        buf_printf(out, "heaviest kernel: %s, %.0f %% of the instructions\n", h->kernel,
                   100 * (double)h->insts / (double)h->all);
    buf_printf(out,
               "reuse: %.0f %% of it between CTAs; loads of lines that several CTAs read %.0f %%, "
               "of words %.0f %%; of lines that others write %.0f %%; irregular %.0f %%, in shared "
               "memory %.0f %%; torn %.0f %%, %.0f %% of sectors used\n",
               100 * s->evidence.inter_cta, 100 * g->shared, 100 * g->words, 100 * g->written,
               100 * g->irregular, 100 * g->driven, 100 * g->torn, 100 * g->density);
    buf_printf(
        out,
        "order: saves %.0f %% of the lines that SMs need; in runs it changes the time by %.1f %% "
        "(noise %.1f), the L1's hit rate by %.1f points (noise %.1f), L2 transactions by %.0f %%; "
        "without the L1 the time changes by %.1f %% (noise %.1f), and L2 transactions are %.2f "
        "times as many\n",
        100 * g->order, 100 * g->time.by, 100 * g->time.noise, 100 * g->hits.by,
        100 * g->hits.noise, -100 * g->saved, 100 * g->l1.by, 100 * g->l1.noise, g->uncached);
    for (uint32_t i = 0; i < s->n_kernels && i < 12; i++) {
        const struct cluster_direction *d = &s->kernels[i];
        buf_printf(out,
                   "%s, %u x %u CTAs: clusters of %s (%.0f %% of a CTA's lines are its "
                   "neighbour's in the row, %.0f %% in the column)\n",
                   d->kernel, d->columns, d->rows, d->is_column ? "columns" : "rows",
                   100 * d->row_share, 100 * d->column_share);
    }
    if (s->n_kernels > 12)
        buf_printf(out, "… and %u kernels more (--json)\n", s->n_kernels - 12);
    buf_add(out, "\n");
    add_runs(s, out);
    add_verdict(s, out);
}

/* ---- occupancies ---- */

static int run_occupancy(struct app *app, const struct options *o)
{
    static const struct table_column columns[] = {{"program", "", 0},  {"GTX 570", "", 0},
                                                  {"K40", "", 0},      {"GTX 980", "", 0},
                                                  {"GTX 1080", "", 0}, {"differs", "", 0}};
    struct occupancy_table t;
    if (!occupancy_make(app->data_dir, &app->mem, &t, &app->err))
        return exit_status_of(&app->err);
    struct table *table = table_new(&app->mem, columns, sizeof columns / sizeof *columns);
    json_t *all = json_array();
    for (size_t i = 0; i < t.n; i++) {
        const struct occupancy_program *p = &t.programs[i];
        struct buf differs;
        buf_init(&differs, &app->mem, BUF_NO_MAX);
        table_row(table);
        table_text(table, p->name);
        for (uint32_t k = 0; k < OCCUPANCY_PLATFORMS; k++) {
            const struct occupancy *c = &p->ours[k];
            table_text(table, arena_printf(&app->mem, "%u (%s)", c->ctas, c->limit));
            if (c->ctas != p->printed[k])
                buf_printf(&differs, "%s%s: paper %u", differs.len ? ", " : "",
                           occupancy_platforms[k], p->printed[k]);
            if (c->ctas != p->printed[k] && p->split[k])
                buf_printf(&differs, " (with %u KB of shared memory)", p->split[k] / 1024);
            json_array_append_new(all, json_pack("{s:s, s:s, s:i, s:s, s:i, s:i}", "program",
                                                 p->name, "platform", occupancy_platforms[k],
                                                 "ctas", (int)c->ctas, "limit", c->limit, "paper",
                                                 (int)p->printed[k], "paper_shared_bytes",
                                                 (int)p->split[k]));
        }
        table_text(table, differs.data ? differs.data : "");
    }
    if (o->json) {
        out_json(all, 9);
        return EXIT_DONE;
    }
    json_decref(all);
    struct buf out;
    buf_init(&out, &app->mem, BUF_NO_MAX);
    table_write_text(table, &out);
    buf_printf(
        &out,
        "\n%u of %u as the paper's Table 2 has them, %u with another division of L1 and shared "
        "memory that the GPU offers\n",
        t.n_equal, t.n_cells, t.n_follow - t.n_equal);
    fputs(out.data, stdout);
    return EXIT_DONE;
}

/* ---- the feasibility test ---- */

static json_t *feasibility_json(const struct feasibility *f, uint32_t delay)
{
    json_t *ctas = json_array();
    for (uint32_t c = 0; c < f->n_ctas; c++)
        json_array_append_new(ctas,
                              json_pack("[iIi]", (int)f->ctas[c].sm, (json_int_t)f->ctas[c].began,
                                        (int)f->ctas[c].latency));
    return json_pack("{s:i, s:i, s:i, s:f, s:f, s:i, s:f, s:i, s:o}", "delay", (int)delay, "ctas",
                     (int)f->n_ctas, "turns", (int)f->turns, "first_turn_cycles", f->first_turn,
                     "later_turns_cycles", f->later_turns, "slow_ctas", (int)f->n_slow,
                     "l2_reads_per_sm", f->reads_per_sm, "ctas_on_sm0", (int)f->ctas_of_sm[0],
                     "sm_began_latency", ctas);
}

static int run_feasibility(struct app *app, const struct options *o, const struct arch *arch,
                           uint32_t turns)
{
    json_t *all = json_array();
    int status = EXIT_DONE;
    if (!o->json)
        printf("%s: one line of each SM, read by one-warp CTAs\n", arch->file);
    for (int staggered = 0; staggered < 2 && status == EXIT_DONE; staggered++) {
        struct feasibility f;
        struct feasibility_request q = {.arch = arch,
                                        .data_dir = app->data_dir,
                                        .turns = turns,
                                        .delay = staggered ? FEASIBILITY_DELAY : 0};
        if (!feasibility_run(&q, &app->mem, &f, &app->err)) {
            status = exit_status_of(&app->err);
        } else if (o->json) {
            json_array_append_new(all, feasibility_json(&f, q.delay));
        } else {
            printf(
                "%s: %u CTAs (%u SMs, %u turns), latency %.0f cycles in the first turn, %.0f later "
                "(%.0f to %.0f); %u slow ones; L2 reads of an SM %.1f of 32 B; CTAs on SM 0: %u\n",
                staggered ? "staggered" : "at once", f.n_ctas, f.n_sms, f.turns, f.first_turn,
                f.later_turns, f.fastest, f.slowest, f.n_slow, f.reads_per_sm, f.ctas_of_sm[0]);
        }
    }
    if (o->json && status == EXIT_DONE)
        out_json(json_incref(all), 9);
    json_decref(all);
    return status;
}

static int run(struct app *app, const struct options *o)
{
    const char *file = option_get(o, "design");
    struct arch *arch = arena_new(&app->mem, struct arch);
    struct cluster_study study;
    struct buf text;
    long long threads = 0, turns = 0, starts = 3;
    bool is_feasibility = option_has(o, "feasibility");
    if (!option_int(o, "threads", 1, 256, &threads, &app->err) ||
        !option_int(o, "turns", 1, 64, &turns, &app->err) ||
        !option_int(o, "seeds", 1, CLUSTER_MAX_STARTS, &starts, &app->err))
        return EXIT_INPUT;
    if (option_has(o, "occupancy"))
        return run_occupancy(app, o);
    if (!file || (o->n_words == 0) != is_feasibility) {
        err_add(&app->err, ERR_INPUT, NOWHERE,
                !file            ? "which machine? -d CFG names it"
                : is_feasibility ? "--feasibility has a kernel of its own and takes no workload"
                                 : "which workload?");
        return EXIT_INPUT;
    }
    if (!arch_read_options(app, file, o, arch))
        return exit_status_of(&app->err);
    if (is_feasibility)
        return run_feasibility(app, o, arch, (uint32_t)turns);
    struct cluster_request q = {.arch = arch,
                                .workload = o->words[0],
                                .preset = option_get(o, "preset"),
                                .data_dir = app->data_dir,
                                .command = app_command_line(app),
                                .n_threads = (unsigned)threads,
                                .n_starts = (unsigned)starts,
                                .quiet = o->quiet,
                                .classify_only = option_has(o, "classify"),
                                .fresh = option_has(o, "fresh")};
    if (!cluster_study(&q, &app->mem, &study, &app->err))
        return exit_status_of(&app->err);
    if (o->json) {
        out_json(study_json(&study), 9);
        return EXIT_DONE;
    }
    buf_init(&text, &app->mem, BUF_NO_MAX);
    study_text(&study, &text);
    fputs(text.data, stdout);
    return EXIT_DONE;
}

static const struct option_def options[] = {
    {"design", 'd', "CFG", "the machine"},
    {"preset", 'p', "NAME", "problem size of a workload: tiny, small, paper, …"},
    {"classify", 0, NULL, "the class and its evidence alone, no proposal"},
    {"feasibility", 0, NULL,
     "no workload: can the L1 serve several CTAs? The microbenchmark, at once and staggered"},
    {"occupancy", 0, NULL,
     "no workload: CTAs of an SM by stated limits, for the programs and GPUs of the paper's Table "
     "2"},
    {"turns", 0, "N",
     "of --feasibility: how often all places are filled; 4, or 2 with more than 16"},
    {"seeds", 0, "N",
     "every run from N starts (sim.start), whose spread is the noise; 1 to 10, default 3"},
    {"threads", 0, "N", "runs at once; default: all cores"},
    {"fresh", 0, NULL, "run everything again, also what is kept from before"},
    {NULL, 0, NULL, NULL},
};

const struct command cmd_cluster = {
    .name = "cluster",
    .args = "WORKLOAD -d CFG | --feasibility -d CFG | --occupancy",
    .meaning = "CTAs with common data on one SM: would a program gain, by which order, and why",
    .text =
        "Runs the program with its CTAs as they come, redirected by rows and by columns,\n"
        "without the L1, one CTA of an SM at a time, and by persistent agents; with what the\n"
        "addresses say, a tree names the source of the locality between CTAs: algorithm,\n"
        "cache-line, data, write or streaming. For the first two it runs fewer agents (half, …\n"
        "one of an SM, and by vote), for the others agents that prefetch their next task, and\n"
        "prints what each gains (docs/mechanisms-clustering.md). Each run is made from several\n"
        "starts: what changes less than they do, or by less than 2 %, does not count. Inputs\n"
        "must fill the machine: the tree asks what changes the time.\n",
    .options = options,
    .least_words = 0,
    .most_words = 1,
    .run = run,
};
