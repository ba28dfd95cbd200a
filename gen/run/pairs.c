/* SPDX-License-Identifier: MIT */
#include "gen/run/pairs.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/map.h"
#include "base/pool.h"
#include "base/vec.h"
#include "gen/progress.h"
#include "gen/run/run.h"
#include "gen/workload/program.h"
#include "gen/workload/suite.h"
#include "gen/workload/trace_front.h"

#define MOST_RESULT ((size_t)64 << 20)

/* ---- Ctrl-C
 * ---------------------------------------------------------------------------------------- */

/* The one thing a signal can tell the program; nothing else at file scope may change. */
static atomic_bool interrupted;

static void on_interrupt(int signal_number)
{
    if (atomic_exchange(&interrupted, true))
        _Exit(128 + signal_number);
}

const atomic_bool *pairs_watch_interrupt(void)
{
    struct sigaction action = {.sa_handler = on_interrupt};
    sigaction(SIGINT, &action, NULL);
    return &interrupted;
}

void pairs_unwatch_interrupt(void)
{
    signal(SIGINT, SIG_DFL);
}

/* ---- what to run
 * -------------------------------------------------------------------------------------- */

/* A file, or one or several ("a+b") of the suite. Said before anything runs. */
static bool workload_is_there(const char *word, const char *data_dir, struct arena *mem,
                              struct err *err)
{
    bool ok = true;
    if (file_exists(word) || program_is_command(word))
        return true;
    for (const char *at = word; *at;) {
        size_t len = strcspn(at, "+");
        const char *name = arena_strndup(mem, at, len);
        const char *file = suite_find(name, data_dir, mem, err);
        at += len + (at[len] == '+');
        if (!file)
            ok = false;
        else if (!file_exists(file))
            ok = err_add(err, ERR_INPUT, AT_FILE(name), "there is no such workload file or trace");
    }
    return ok;
}

const char **pairs_workloads(const char *words, const char *data_dir, struct arena *mem, size_t *n,
                             struct err *err)
{
    VEC(const char *) list = {0};
    bool is_known = true;
    for (const char *at = words; *at;) {
        size_t len = strcspn(at, ",");
        const char *word = arena_strndup(mem, at, len);
        at += len + (at[len] == ',');
        if (!*word)
            continue;
        if (word[0] != '@') {
            is_known &= workload_is_there(word, data_dir, mem, err);
            vec_push(mem, &list, word);
            continue;
        }
        const char **group = suite_names(word, data_dir, mem, err);
        if (!group)
            return NULL;
        if (!group[0]) {
            err_add(err, ERR_INPUT, NOWHERE, "no workload belongs to group '%s'", word);
            return NULL;
        }
        for (; *group; group++)
            vec_push(mem, &list, *group);
    }
    if (list.n == 0) {
        err_add(err, ERR_INPUT, NOWHERE, "no workloads: give names, groups or files with -w");
        return NULL;
    }
    *n = list.n;
    vec_push(mem, &list, NULL);
    return is_known ? list.at : NULL;
}

const char *pairs_results_dir(struct arena *mem, struct err *err)
{
    const char *cache = trace_cache_dir(mem);
    struct err ignored;
    if (!cache[0])
        return NULL;
    const char *dir = path_join(mem, cache, "results");
    err_init(&ignored);
    bool ok = file_make_dirs(dir, &ignored) && access(dir, W_OK) == 0;
    err_free(&ignored);
    if (!ok)
        err_warn(err, AT_FILE(dir),
                 "cannot be written: results are not kept, an interrupted run begins anew "
                 "(CROSSWATT_CACHE names another folder)");
    return ok ? dir : NULL;
}

/* ---- identity: what must be equal for a result to be taken again
 * --------------------------------------- */

/* Field by field: what lies between fields is not the same in two runs. */
static uint64_t network_hash(const struct noc *noc, uint64_t h)
{
    for (uint32_t i = 0; i < noc->n_channels; i++) {
        const struct noc_channel *c = &noc->channels[i];
        const uint64_t fields[] = {c->src_node,   c->dst_node,   c->src,
                                   c->dst,        c->src_port,   c->dst_port,
                                   c->width_bits, c->link_class, c->fixed_length};
        h = map_hash_bytes(fields, sizeof fields, h);
        h = map_hash_bytes(&c->length_mm, sizeof c->length_mm, h);
    }
    for (uint32_t i = 0; i < noc->n_rules; i++) {
        const struct noc_rule *r = &noc->rules[i];
        const uint64_t fields[] = {r->x0,       r->x1,     r->y0,           r->y1,       r->classes,
                                   r->class_to, r->select, r->first_choice, r->n_choices};
        h = map_hash_bytes(fields, sizeof fields, h);
    }
    return map_hash_bytes(noc->choices, noc->n_choices * sizeof *noc->choices, h);
}

/* Values and files of the description, files and numbers of its prices, the networks. */
static uint64_t design_hash(const struct sim_setup *s, uint64_t program, struct arena *mem)
{
    const char *values = arch_hash(s->arch, mem);
    uint64_t h = map_hash_bytes(values, strlen(values), program);
    h = map_hash_bytes(&s->arch->sources, sizeof s->arch->sources, h);
    if (s->priced) {
        h = map_hash_bytes(&s->priced->sources, sizeof s->priced->sources, h);
        h = book_hash(&s->priced->book, h);
    }
    if (s->design) {
        h = network_hash(&s->design->request, h);
        if (s->design->has_reply)
            h = network_hash(&s->design->reply, h);
    }
    return h;
}

/* ---- running
 * --------------------------------------------------------------------------------------------- */

/* Programs that share a machine: "a+b". */
#define MOST_PROGRAMS 4u

struct source { /* a workload's trace, or those of several */
    struct arena mem;
    struct err err;
    struct trace_source traces[MOST_PROGRAMS];
    const struct trace_source *programs[MOST_PROGRAMS];
    uint32_t n_open;
    bool is_open; /* all of them */
    uint64_t identity;
};

struct job {
    struct arena mem; /* of the machine: freed at the end of the run */
    struct err err;
};

struct batch {
    const struct pairs_request *request;
    struct source *sources;
    struct arena *kept; /* [pair]: results live here until all are copied */
    struct result *results;
    uint64_t *design_hashes;
    struct progress bar;
};

static bool wants_ptx(const struct pairs_request *r, size_t design)
{
    return r->designs[design].setup->arch->compat.ptx_as_is;
}

/* Traces as PTX has the instructions come behind those as hardware has them. */
static struct source *source_of(const struct batch *b, size_t design, size_t workload)
{
    return &b->sources[wants_ptx(b->request, design) * b->request->n_workloads + workload];
}

static bool open_programs(struct batch *b, struct source *s, const char *word, bool as_ptx)
{
    bool is_file = file_exists(word) || program_is_command(word);
    size_t n = strlen(word);
    /* a trace has no sizes; beside others that have it is not to blame for -p */
    bool is_trace = is_file && !(n > 4 && strcmp(word + n - 4, ".cfg") == 0);
    for (const char *at = word; *at;) {
        size_t len = is_file ? strlen(at) : strcspn(at, "+");
        const struct trace_request r = {.workload = arena_strndup(&s->mem, at, len),
                                        .preset = is_trace ? NULL : b->request->preset,
                                        .as_ptx = as_ptx,
                                        .data_dir = b->request->data_dir};
        if (s->n_open == MOST_PROGRAMS)
            return err_add(&s->err, ERR_INPUT, NOWHERE, "%s: at most %u programs share a machine",
                           word, MOST_PROGRAMS);
        struct trace_source *trace = &s->traces[s->n_open];
        if (!trace_front_open(&r, &s->mem, trace, &s->err))
            return false;
        s->programs[s->n_open++] = trace;
        s->identity = s->n_open == 1
                          ? trace->identity
                          : map_hash_bytes(&trace->identity, sizeof trace->identity, s->identity);
        at += len + (at[len] == '+');
    }
    return s->n_open > 0 || err_add(&s->err, ERR_INPUT, NOWHERE, "'%s' names no workload", word);
}

static void open_source(void *ctx, size_t i)
{
    struct batch *b = ctx;
    const struct pairs_request *r = b->request;
    bool as_ptx = i >= r->n_workloads, is_wanted = false;
    const char *word = r->workloads[i % r->n_workloads];
    for (size_t d = 0; d < r->n_designs; d++)
        is_wanted |= wants_ptx(r, d) == as_ptx;
    if (!is_wanted)
        return;
    b->sources[i].is_open = open_programs(b, &b->sources[i], word, as_ptx);
    progress_add(&b->bar, 1, word);
}

static bool is_cancelled(const struct pairs_request *r)
{
    return r->cancel && atomic_load(r->cancel);
}

static bool keep_going(void *ctx, const struct gpu_progress *p)
{
    (void)p;
    return !is_cancelled(((struct batch *)ctx)->request);
}

static const char *first_error(const struct err *err, struct arena *mem)
{
    for (const struct err_entry *e = err->first; e; e = e->next) {
        if (e->kind == ERR_INPUT || e->kind == ERR_MACHINE)
            return err_entry_text(e, mem);
    }
    return "failed and said nothing";
}

/* A kept result is a line with the sum of what follows, then the result: what was cut off or
 * changed is run again. */
enum { SUM_LINE = 17 };

static bool take_kept(const char *path, struct arena *mem, struct result *out)
{
    struct err ignored;
    char *text;
    size_t n;
    bool ok = false;
    err_init(&ignored);
    if (file_exists(path) && file_read(path, MOST_RESULT, mem, &text, &n, &ignored) &&
        n > SUM_LINE &&
        strtoull(text, NULL, 16) == map_hash_bytes(text + SUM_LINE, n - SUM_LINE, 0)) {
        json_t *j = json_loadb(text + SUM_LINE, n - SUM_LINE, 0, NULL);
        ok = j && result_from_json(j, path, mem, out, &ignored);
        json_decref(j);
    }
    err_free(&ignored);
    return ok;
}

static void keep(const char *path, const struct result *r, struct arena *mem)
{
    struct err ignored;
    json_t *j = result_json(r);
    char *json = json_dumps(j, JSON_COMPACT | JSON_REAL_PRECISION(17));
    const char *text = arena_printf(
        mem, "%016llx\n%s", (unsigned long long)map_hash_bytes(json, strlen(json), 0), json);
    err_init(&ignored);
    file_keep(path, text, strlen(text), &ignored); /* a full disk only costs the next run time */
    err_free(&ignored);
    free(json);
    json_decref(j);
}

static void run_job(void *ctx, size_t i)
{
    struct batch *b = ctx;
    const struct pairs_request *r = b->request;
    size_t d = i / r->n_workloads, w = i % r->n_workloads;
    struct source *s = source_of(b, d, w);
    struct arena *mem = &b->kept[i];
    struct result *out = &b->results[i];
    const char *path = NULL;
    *out = (struct result){.design = r->designs[d].name, .workload = r->workloads[w]};
    if (r->wanted && !r->wanted[i]) {
        out->error = "not wanted";
        return;
    }
    if (!s->is_open) {
        out->error = first_error(&s->err, mem);
        out->is_machine = s->err.n_machine > 0;
        return;
    }
    if (r->results_dir)
        path = path_join(mem, r->results_dir,
                         arena_printf(mem, "%016llx",
                                      (unsigned long long)map_hash_bytes(
                                          &s->identity, sizeof s->identity, b->design_hashes[d])));
    if (!(path && take_kept(path, mem, out))) {
        struct job job;
        arena_init(&job.mem, mem->out_of_memory, mem->ctx);
        err_init(&job.err);
        struct gpu_run run = {
            .programs = s->programs, .n_programs = s->n_open, .progress = keep_going, .ctx = b};
        const struct run_request request = {.setup = r->designs[d].setup,
                                            .run = &run,
                                            .design = r->designs[d].name,
                                            .workload = r->workloads[w]};
        struct run_outcome ran;
        if (run_pair(&request, &job.mem, &ran, &job.err) && !is_cancelled(r)) {
            json_t *j = result_json(&ran.result); /* a copy into the arena that stays */
            result_from_json(j, "", mem, out, &job.err);
            json_decref(j);
            if (path)
                keep(path, out, &job.mem);
        } else {
            out->error = is_cancelled(r) ? "interrupted" : first_error(&job.err, mem);
            out->is_machine = !is_cancelled(r) && job.err.n_machine > 0;
        }
        err_free(&job.err);
        arena_free(&job.mem);
    }
    out->design = r->designs[d].name;
    out->workload = r->workloads[w];
    progress_add(&b->bar, 1, arena_printf(mem, "%s on %s", out->workload, out->design));
}

/* Copies a result out of its thread's arena. */
static struct result copied(const struct result *r, struct arena *mem)
{
    struct result c = *r;
    if (r->error)
        c.error = arena_strdup(mem, r->error);
    c.values = arena_many(mem, struct result_value, r->n_values);
    for (size_t i = 0; i < r->n_values; i++)
        c.values[i] =
            (struct result_value){arena_strdup(mem, r->values[i].name),
                                  arena_strdup(mem, r->values[i].unit), r->values[i].value};
    c.groups = arena_many(mem, struct result_group, r->n_groups);
    for (size_t i = 0; i < r->n_groups; i++) {
        c.groups[i] = r->groups[i];
        c.groups[i].name = arena_strdup(mem, r->groups[i].name);
    }
    c.link_use = arena_many(mem, double, r->n_links);
    if (r->n_links)
        memcpy(c.link_use, r->link_use, r->n_links * sizeof *c.link_use);
    return c;
}

bool pairs_run(const struct pairs_request *r, struct arena *mem, struct result **results,
               struct err *err)
{
    size_t n = r->n_designs * r->n_workloads;
    struct batch b = {
        .request = r,
        .sources = arena_many(mem, struct source, 2 * r->n_workloads),
        .kept = arena_many(mem, struct arena, n),
        .results = arena_many(mem, struct result, n),
        .design_hashes = arena_many(mem, uint64_t, r->n_designs),
    };
    uint64_t program = file_hash("/proc/self/exe", 0);
    for (size_t d = 0; d < r->n_designs; d++)
        b.design_hashes[d] = design_hash(r->designs[d].setup, program, mem);
    for (size_t w = 0; w < 2 * r->n_workloads; w++) {
        arena_init(&b.sources[w].mem, mem->out_of_memory, mem->ctx);
        err_init(&b.sources[w].err);
    }
    for (size_t i = 0; i < n; i++)
        arena_init(&b.kept[i], mem->out_of_memory, mem->ctx);
    size_t n_wanted = 0;
    for (size_t i = 0; i < n; i++)
        n_wanted += !r->wanted || r->wanted[i];
    progress_begin(&b.bar, (double)(r->n_workloads + n_wanted), r->quiet);
    pool_run(r->n_threads, 2 * r->n_workloads, open_source, &b, r->cancel);
    pool_run(r->n_threads, n, run_job, &b, r->cancel);
    progress_end(&b.bar);

    struct result *all = arena_many(mem, struct result, n);
    for (size_t i = 0; i < n; i++) {
        if (!b.results[i].design)
            b.results[i] = (struct result){.design = r->designs[i / r->n_workloads].name,
                                           .workload = r->workloads[i % r->n_workloads],
                                           .error = "interrupted"};
        all[i] = copied(&b.results[i], mem);
        arena_free(&b.kept[i]);
    }
    for (size_t w = 0; w < 2 * r->n_workloads; w++) {
        for (uint32_t i = 0; i < b.sources[w].n_open; i++)
            b.sources[w].traces[i].close(&b.sources[w].traces[i]);
        err_free(&b.sources[w].err);
        arena_free(&b.sources[w].mem);
    }
    *results = all;
    if (is_cancelled(r))
        return err_add(
            err, ERR_MACHINE, NOWHERE,
            "interrupted; what was finished is kept, the same command goes on from there");
    return true;
}
