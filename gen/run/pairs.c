/* SPDX-License-Identifier: MIT */
#include "gen/run/pairs.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/map.h"
#include "base/pool.h"
#include "base/vec.h"
#include "gen/progress.h"
#include "gen/run/identity.h"
#include "gen/run/run.h"
#include "gen/workload/program.h"
#include "gen/workload/suite.h"
#include "gen/workload/trace_front.h"
#include "sim/trace/synth.h"

#define SYNTH "synth:"

/* ---- Ctrl-C ---------------------------------------------------------------------------------- */

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

/* ---- what to run ----------------------------------------------------------------------------- */

static bool is_synth(const char *word)
{
    return strncmp(word, SYNTH, strlen(SYNTH)) == 0;
}

bool pairs_has_synth(const char *const *workloads, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (is_synth(workloads[i]) || strstr(workloads[i], "+" SYNTH))
            return true;
    }
    return false;
}

/* A file, or one or several ("a+b") of the suite or made up. Said before anything runs. */
static bool workload_is_there(const char *word, const char *data_dir, struct arena *mem,
                              struct err *err)
{
    bool ok = true;
    if (file_exists(word) || program_is_command(word))
        return true;
    for (const char *at = word; *at;) {
        size_t len = strcspn(at, "+");
        const char *name = arena_strndup(mem, at, len);
        at += len + (at[len] == '+');
        if (is_synth(name)) {
            ok &= trace_synth_known(name + strlen(SYNTH), mem, err);
            continue;
        }
        const char *file = suite_find(name, data_dir, mem, err);
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

struct store *pairs_user_store(const char *command, struct arena *mem, struct err *err)
{
    const char *cache = trace_cache_dir(mem);
    struct err found;
    if (!cache[0])
        return NULL;
    const char *path = path_join(mem, cache, STORE_USER_FILE);
    struct store *store = NULL;
    err_init(&found);
    if (file_make_dirs(cache, &found))
        store = store_open(path, STORE_SHARED, &found);
    if (store && !store_begin(store, command, &found)) {
        store_close(store);
        store = NULL;
    }
    if (store)
        err_join(err, &found); /* of a damaged file */
    else
        err_warn(err, AT_FILE(path),
                 "cannot be written: results are not kept, an interrupted run begins anew "
                 "(CROSSWATT_CACHE names another folder)");
    err_free(&found);
    return store;
}

/* ---- running --------------------------------------------------------------------------------- */

/* Programs that share a machine: "a+b". */
#define MOST_PROGRAMS 4u

struct source { /* a workload's trace, or those of several */
    struct arena mem;
    struct err err;
    struct trace_source traces[MOST_PROGRAMS];
    const struct trace_source *programs[MOST_PROGRAMS];
    uint32_t n_open;
    bool is_tried;
    bool is_open; /* all of them */
    uint64_t identity;
};

struct job {
    struct arena mem; /* of the machine: freed at the end of the run */
    struct err err;
};

struct pairs {
    struct pairs_request *request;
    struct source *sources; /* [workload], then again with instructions as PTX has them */
    struct arena *kept;     /* [pair]: results live here until all are copied */
    struct result *results;
    uint64_t *design_hashes;
    struct progress *bar, own_bar;
    pthread_mutex_t lock;
    struct err unkept; /* why results could not be kept */
};

static bool wants_ptx(const struct pairs_request *r, size_t design)
{
    return r->designs[design].setup->arch->compat.ptx_as_is;
}

static struct source *source_of(const struct pairs *b, size_t design, size_t workload)
{
    return &b->sources[wants_ptx(b->request, design) * b->request->n_workloads + workload];
}

static bool open_program(const struct pairs_request *r, const struct trace_request *q,
                         struct source *s, struct trace_source *out)
{
    if (!is_synth(q->workload))
        return trace_front_open(q, &s->mem, out, &s->err);
    if (!r->synth)
        return err_add(&s->err, ERR_INPUT, NOWHERE, "%s: made-up kernels cannot be run here",
                       q->workload);
    return trace_synth_open(q->workload + strlen(SYNTH), r->synth, &s->mem, out, &s->err);
}

static bool open_programs(struct pairs *b, struct source *s, const char *word, bool as_ptx)
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
        if (!open_program(b->request, &r, s, trace))
            return false;
        s->programs[s->n_open++] = trace;
        s->identity = s->n_open == 1
                          ? trace->identity
                          : map_hash_bytes(&trace->identity, sizeof trace->identity, s->identity);
        at += len + (at[len] == '+');
    }
    return s->n_open > 0 || err_add(&s->err, ERR_INPUT, NOWHERE, "'%s' names no workload", word);
}

/* Opens what a design asks for and was not opened before. */
static void open_source(void *ctx, size_t i)
{
    struct pairs *b = ctx;
    const struct pairs_request *r = b->request;
    bool as_ptx = i >= r->n_workloads, is_wanted = false;
    const char *word = r->workloads[i % r->n_workloads];
    for (size_t d = 0; d < r->n_designs; d++)
        is_wanted |= wants_ptx(r, d) == as_ptx;
    if (!is_wanted || b->sources[i].is_tried)
        return;
    b->sources[i].is_tried = true;
    b->sources[i].is_open = open_programs(b, &b->sources[i], word, as_ptx);
    progress_add(b->bar, 1, word);
}

static bool is_cancelled(const struct pairs_request *r)
{
    return r->cancel && atomic_load(r->cancel);
}

static bool keep_going(void *ctx, const struct gpu_progress *p)
{
    (void)p;
    return !is_cancelled(((struct pairs *)ctx)->request);
}

static const char *first_error(const struct err *err, struct arena *mem)
{
    for (const struct err_entry *e = err->first; e; e = e->next) {
        if (e->kind == ERR_INPUT || e->kind == ERR_MACHINE)
            return err_entry_text(e, mem);
    }
    return "failed and said nothing";
}

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The design, its parts and what it did; or why it did not. A full disk only costs the next run
 * time. */
static void keep(struct pairs *b, const struct pairs_design *d, const struct store_pair *pair,
                 const struct result *r, struct arena *mem)
{
    struct err found;
    struct store *s = b->request->store;
    err_init(&found);
    if (r->error) {
        store_keep_failure(s, pair, r->error, &found);
    } else {
        size_t n = 0;
        struct store_component *parts =
            d->setup->priced ? identity_components(d->setup->priced, mem, &n) : NULL;
        bool ok = d->hash != 0; /* who knows the hash has kept the design */
        if (!ok) {
            const char *text = identity_description(d->setup->arch, mem);
            uint64_t hash = map_hash_bytes(text, strlen(text), 0);
            const struct store_design design = {.id = pair->design,
                                                .hash = pair->design,
                                                .name = d->name,
                                                .description = hash,
                                                .changes = ""};
            ok = store_keep_description(s, hash, text, &found) &&
                 store_keep_design(s, &design, &found);
        }
        if (ok && store_keep_components(s, pair->design, parts, n, &found))
            store_keep(s, pair, r, &found);
    }
    pthread_mutex_lock(&b->lock);
    if (b->unkept.n_errors == 0)
        err_join(&b->unkept, &found);
    pthread_mutex_unlock(&b->lock);
    err_free(&found);
}

static void run_and_keep(struct pairs *b, size_t d, size_t w, struct arena *mem, struct result *out)
{
    const struct pairs_request *r = b->request;
    struct source *s = source_of(b, d, w);
    struct job job;
    double begun_s = now_s();
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
        if (r->without_links)
            ran.result.n_links = 0;
        json_t *j = result_json(&ran.result); /* a copy into the arena that stays */
        result_from_json(j, "", mem, out, &job.err);
        json_decref(j);
        if (r->ran)
            r->ran(r->ctx, d, w, &ran);
    } else {
        out->error = is_cancelled(r) ? "interrupted" : first_error(&job.err, mem);
        out->is_machine = !is_cancelled(r) && job.err.n_machine > 0;
    }
    const struct store_pair pair = {.key =
                                        identity_pair(b->design_hashes[d], s->identity, r->window),
                                    .design = b->design_hashes[d],
                                    .workload = s->identity,
                                    .workload_name = r->workloads[w],
                                    .preset = r->preset ? r->preset : "",
                                    .window = r->window,
                                    .seconds = now_s() - begun_s};
    if (r->store && !is_cancelled(r))
        keep(b, &r->designs[d], &pair, out, &job.mem);
    err_free(&job.err);
    arena_free(&job.mem);
}

static void run_job(void *ctx, size_t i)
{
    struct pairs *b = ctx;
    const struct pairs_request *r = b->request;
    size_t d = i / r->n_workloads, w = i % r->n_workloads;
    struct source *s = source_of(b, d, w);
    struct arena *mem = &b->kept[i];
    struct result *out = &b->results[i];
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
    uint64_t key = identity_pair(b->design_hashes[d], s->identity, r->window);
    if (!(r->store && store_take(r->store, key, mem, out)))
        run_and_keep(b, d, w, mem, out);
    out->design = r->designs[d].name;
    out->workload = r->workloads[w];
    progress_add(b->bar, 1, arena_printf(mem, "%s on %s", out->workload, out->design));
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

struct pairs *pairs_open(struct pairs_request *r, struct arena *mem)
{
    struct pairs *p = arena_new(mem, struct pairs);
    p->request = r;
    p->bar = r->bar ? r->bar : &p->own_bar;
    p->sources = arena_many(mem, struct source, 2 * r->n_workloads);
    pthread_mutex_init(&p->lock, NULL);
    err_init(&p->unkept);
    for (size_t w = 0; w < 2 * r->n_workloads; w++) {
        arena_init(&p->sources[w].mem, mem->out_of_memory, mem->ctx);
        err_init(&p->sources[w].err);
    }
    size_t n_wanted = 0, n = r->n_designs * r->n_workloads;
    for (size_t i = 0; i < n; i++)
        n_wanted += !r->wanted || r->wanted[i];
    if (!r->bar)
        progress_begin(&p->own_bar, (double)(r->n_workloads + n_wanted), r->quiet);
    pool_run(r->n_threads, 2 * r->n_workloads, open_source, p, r->cancel);
    return p;
}

uint64_t pairs_workload(struct pairs *p, size_t w, bool as_ptx, const char **error)
{
    struct source *s = &p->sources[as_ptx * p->request->n_workloads + w];
    if (!s->is_tried) {
        s->is_tried = true;
        s->is_open = open_programs(p, s, p->request->workloads[w], as_ptx);
    }
    *error = s->is_open ? NULL : first_error(&s->err, &s->mem);
    return s->identity;
}

void pairs_close(struct pairs *p)
{
    for (size_t w = 0; w < 2 * p->request->n_workloads; w++) {
        for (uint32_t i = 0; i < p->sources[w].n_open; i++)
            p->sources[w].traces[i].close(&p->sources[w].traces[i]);
        err_free(&p->sources[w].err);
        arena_free(&p->sources[w].mem);
    }
    if (!p->request->bar)
        progress_end(&p->own_bar);
    err_free(&p->unkept);
    pthread_mutex_destroy(&p->lock);
}

/* Says once what could not be kept. */
static bool tell_unkept(struct pairs *p, struct err *err)
{
    const struct err_entry *e = p->unkept.first;
    bool is_error = e && p->request->must_keep;
    if (is_error)
        err_add(err, ERR_MACHINE, e->at, "results cannot be kept: %s", e->text);
    else if (e)
        err_warn(err, e->at, "results cannot be kept, an interrupted run begins anew: %s", e->text);
    err_free(&p->unkept);
    err_init(&p->unkept);
    return !is_error;
}

bool pairs_step(struct pairs *p, struct arena *mem, struct result **results, struct err *err)
{
    const struct pairs_request *r = p->request;
    size_t n = r->n_designs * r->n_workloads;
    p->kept = arena_many(mem, struct arena, n);
    p->results = arena_many(mem, struct result, n);
    p->design_hashes = arena_many(mem, uint64_t, r->n_designs);
    for (size_t d = 0; d < r->n_designs; d++)
        p->design_hashes[d] =
            r->designs[d].hash ? r->designs[d].hash : identity_design(r->designs[d].setup, mem);
    for (size_t i = 0; i < n; i++)
        arena_init(&p->kept[i], mem->out_of_memory, mem->ctx);
    pool_run(r->n_threads, 2 * r->n_workloads, open_source, p, r->cancel);
    pool_run(r->n_threads, n, run_job, p, r->cancel);

    struct result *all = arena_many(mem, struct result, n);
    bool is_let_down = false;
    for (size_t i = 0; i < n; i++) {
        if (!p->results[i].design)
            p->results[i] = (struct result){.design = r->designs[i / r->n_workloads].name,
                                            .workload = r->workloads[i % r->n_workloads],
                                            .error = "interrupted"};
        all[i] = copied(&p->results[i], mem);
        arena_free(&p->kept[i]);
        if (!all[i].is_machine)
            continue;
        is_let_down = true;
        err_add(err, ERR_MACHINE, NOWHERE, "%s on %s: %s", all[i].workload, all[i].design,
                all[i].error);
    }
    *results = all;
    bool ok = tell_unkept(p, err) && !is_let_down;
    if (is_cancelled(r))
        return err_add(
            err, ERR_MACHINE, NOWHERE,
            "interrupted; what was finished is kept, the same command goes on from there");
    return ok;
}

bool pairs_run(const struct pairs_request *request, struct arena *mem, struct result **results,
               struct err *err)
{
    struct pairs_request r = *request;
    struct pairs *p = pairs_open(&r, mem);
    bool ok = pairs_step(p, mem, results, err);
    pairs_close(p);
    return ok;
}
