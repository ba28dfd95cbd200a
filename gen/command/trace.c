/* SPDX-License-Identifier: MIT
 *
 * `crosswatt trace`: runs a workload's kernels functionally, checks the result, writes the trace;
 * or tells what a trace holds. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/table.h"
#include "base/vec.h"
#include "gen/command.h"
#include "gen/out.h"
#include "gen/workload/read_workload.h"
#include "gen/workload/suite.h"
#include "gen/workload/trace_front.h"
#include "sim/study/trace_info.h"

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static const char **take_sets(struct app *app, const struct options *o, size_t *n)
{
    VEC(const char *) sets = {0};
    for (size_t i = 0; i < o->n_values; i++)
        if (strcmp(o->values[i].name, "set") == 0)
            vec_push(&app->mem, &sets, o->values[i].value);
    *n = sets.n;
    return sets.at;
}

/* ---- making one ------------------------------------------------------------------------------ */

/* `buffers`, taken over: what --dump showed, for JSON; NULL: nothing. */
static void report(const struct options *o, const struct workload *w,
                   const struct workload_stats *s, const char *out, double seconds, json_t *buffers)
{
    struct stat st;
    long long bytes = out && stat(out, &st) == 0 ? (long long)st.st_size : 0;
    double per_inst = s->warp_insts ? (double)bytes / (double)s->warp_insts : 0;
    if (o->json) {
        json_t *j = json_pack("{s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:b, s:I}", "workload",
                              w->name, "preset", w->preset, "kernels", (json_int_t)s->kernels,
                              "ctas", (json_int_t)s->ctas, "warp_insts", (json_int_t)s->warp_insts,
                              "thread_insts", (json_int_t)s->thread_insts, "all_thread_insts",
                              (json_int_t)s->all_thread_insts, "races", (json_int_t)s->races,
                              "judged", s->judged, "bytes", (json_int_t)bytes);
        json_object_set_new(j, "bytes_per_warp_inst", json_num(per_inst));
        json_object_set_new(j, "seconds", json_num(seconds));
        if (buffers)
            json_object_set_new(j, "buffers", buffers);
        out_json(j, OUT_ALL_DIGITS);
        return;
    }
    bool races = option_has(o, "races");
    if (o->quiet)
        return;
    printf("%s%s%s: %llu launches, %llu CTAs, %llu warp instructions, %llu thread instructions\n",
           w->name, w->preset[0] ? " " : "", w->preset, (unsigned long long)s->kernels,
           (unsigned long long)s->ctas, (unsigned long long)s->warp_insts,
           (unsigned long long)s->thread_insts);
    if (s->judged && w->expected)
        printf("the result agrees with reference '%s'\n", w->expected);
    else if (s->judged)
        printf("the result is what the workload expects\n");
    else
        printf("the result was not judged: the workload names no reference\n");
    if (races)
        printf("races in shared memory: %llu accesses\n", (unsigned long long)s->races);
    if (out)
        printf("%s: %lld bytes, %.3f per warp instruction\n", out, bytes, per_inst);
}

/* ---- what buffers hold ----------------------------------------------------------------------- */

struct dumps {
    const struct options *o;
    size_t n;
    json_t *shown; /* with --json: arrays by name; NULL: printed */
};

/* The file of "NAME=FILE", "" for "NAME", NULL where NAME is not this buffer's. */
static const char *dump_file(const char *what, const char *buffer)
{
    size_t n = strlen(buffer);
    if (strncmp(what, buffer, n) != 0 || (what[n] && what[n] != '='))
        return NULL;
    return what[n] ? what + n + 1 : "";
}

/* JSON has no infinity, and its readers no 64 bits without a sign: such elements are texts, as in a
 * workload file. */
static json_t *shown(const struct workload_buffer *b, const void *data)
{
    json_t *all = json_array();
    char text[32];
    for (uint64_t k = 0; k < b->count; k++) {
        double v = workload_get(b->type, data, k);
        int64_t whole;
        json_t *j;
        if (b->type == REF_S64) {
            memcpy(&whole, (const char *)data + k * sizeof whole, sizeof whole);
            j = json_integer(whole);
        } else if (b->type != REF_U64 && isfinite(v)) {
            j = b->type == REF_F32 || b->type == REF_F64 ? json_real(v) : json_integer((int64_t)v);
        } else {
            j = json_string(workload_text(b->type, data, k, text));
        }
        json_array_append_new(all, j);
    }
    return all;
}

static bool dump_buffer(void *ctx, const struct workload_buffer *b, const void *data,
                        struct err *err)
{
    struct dumps *d = ctx;
    bool ok = true;
    char text[32];
    for (size_t i = 0; i < d->o->n_values; i++) {
        const char *file = strcmp(d->o->values[i].name, "dump") == 0
                               ? dump_file(d->o->values[i].value, b->name)
                               : NULL;
        if (file && *file)
            ok = file_write(file, data, b->count * workload_type_bytes(b->type), err) && ok;
        else if (file && d->shown)
            json_object_set_new(d->shown, b->name, shown(b, data));
        else if (file)
            for (uint64_t k = 0; k < b->count; k++)
                printf("%s[%llu] %s\n", b->name, (unsigned long long)k,
                       workload_text(b->type, data, k, text));
    }
    return ok;
}

/* False: one names no buffer, or no file, or a file that another one or the trace has. */
static bool check_dumps(const struct options *o, const struct workload *w, struct dumps *d,
                        struct err *err)
{
    for (size_t i = 0; i < o->n_values; i++) {
        const char *what = o->values[i].value, *file = NULL;
        if (strcmp(o->values[i].name, "dump") != 0)
            continue;
        for (size_t k = 0; k < w->n_buffers && !file; k++)
            file = dump_file(what, w->buffers[k].name);
        if (!file)
            return err_add(err, ERR_INPUT, AT_FILE(w->file), "--dump %s: there is no such buffer",
                           what);
        if (strchr(what, '=') && !*file)
            return err_add(err, ERR_INPUT, NOWHERE, "--dump %s names no file", what);
        for (size_t k = 0; *file && k < i; k++) {
            const char *other =
                strcmp(o->values[k].name, "dump") == 0 ? strchr(o->values[k].value, '=') : NULL;
            if (other && strcmp(other + 1, file) == 0)
                return err_add(err, ERR_INPUT, NOWHERE, "--dump writes '%s' twice", file);
        }
        if (*file && option_get(o, "output") && strcmp(option_get(o, "output"), file) == 0)
            return err_add(err, ERR_INPUT, NOWHERE, "--dump and -o both write '%s'", file);
        d->n++;
    }
    return true;
}

static int make(struct app *app, const struct options *o)
{
    size_t n_sets;
    const char **sets = take_sets(app, o, &n_sets), *out = option_get(o, "output");
    struct workload_request request = {
        .file = suite_find(o->words[0], app->data_dir, &app->mem, &app->err),
        .preset = option_get(o, "preset"),
        .sets = sets,
        .n_sets = n_sets};
    struct workload w;
    struct workload_stats stats;
    if (!request.file || !workload_read(&request, &app->mem, &w, &app->err))
        return exit_status_of(&app->err);
    struct dumps dumps = {.o = o};
    if (!check_dumps(o, &w, &dumps, &app->err))
        return exit_status_of(&app->err);
    double begun = now_s();
    struct trace_writer *writer = out ? trace_writer_open(out, w.name, &app->err) : NULL;
    if (out && !writer)
        return exit_status_of(&app->err);
    struct trace_sink sink;
    if (writer)
        sink = trace_writer_sink(writer);
    struct workload_wishes wishes = {.as_ptx = option_has(o, "as-ptx"),
                                     .all_races = option_has(o, "races")};
    if (dumps.n) {
        wishes.result = dump_buffer;
        wishes.ctx = &dumps;
        dumps.shown = o->json ? json_object() : NULL;
    }
    if (!workload_run(&w, &wishes, writer ? &sink : NULL, &stats, &app->err)) {
        trace_writer_abandon(writer);
        json_decref(dumps.shown);
        return exit_status_of(&app->err);
    }
    if (writer && !trace_writer_close(writer, &app->err)) {
        json_decref(dumps.shown);
        return exit_status_of(&app->err);
    }
    report(o, &w, &stats, out, now_s() - begun, dumps.shown);
    return wishes.all_races && stats.races ? EXIT_NO : EXIT_DONE;
}

/* ---- looking at one -------------------------------------------------------------------------- */

static int look(struct app *app, const struct options *o)
{
    size_t n_sets;
    const char **sets = take_sets(app, o, &n_sets);
    struct trace_request request = {.workload = o->words[0],
                                    .preset = option_get(o, "preset"),
                                    .sets = sets,
                                    .n_sets = n_sets,
                                    .as_ptx = option_has(o, "as-ptx"),
                                    .data_dir = app->data_dir,
                                    .cache_dir = ""};
    struct trace_source source;
    struct trace_info info;
    long long line = 128;
    if (!option_int(o, "line", 32, 1024, &line, &app->err))
        return exit_status_of(&app->err);
    if ((line & (line - 1)) != 0) {
        err_add(&app->err, ERR_INPUT, NOWHERE, "--line %lld is not a power of two", line);
        return EXIT_INPUT;
    }
    if (!trace_front_open(&request, &app->mem, &source, &app->err))
        return exit_status_of(&app->err);
    bool ok = trace_info_make(&source, (uint32_t)line, &app->mem, &info, &app->err);
    if (ok && o->json) {
        out_json(trace_info_json(&source, &info), OUT_ALL_DIGITS);
    } else if (ok) {
        struct buf b;
        buf_init(&b, &app->mem, BUF_NO_MAX);
        if (option_has(o, "all")) {
            trace_info_text(&source, &info, &b);
        } else {
            trace_info_brief(&source, &info, &b);
            buf_add(&b, "kernels and every statistic: --all; for programs: --json\n");
        }
        fputs(b.data, stdout);
    }
    source.close(&source);
    return ok ? EXIT_DONE : exit_status_of(&app->err);
}

static int run(struct app *app, const struct options *o)
{
    static const char *const only_made[] = {"output", "dump", "races"};
    if (!option_has(o, "info"))
        return make(app, o);
    for (size_t i = 0; i < sizeof only_made / sizeof *only_made; i++)
        if (option_has(o, only_made[i])) {
            err_add(&app->err, ERR_INPUT, NOWHERE, "--%s does not go with --info", only_made[i]);
            return EXIT_INPUT;
        }
    return look(app, o);
}

static const struct option_def options[] = {
    {"output", 'o', "FILE",
     "write the trace to FILE; without it the workload is only run and judged"},
    {"preset", 'p', "NAME", "problem size of the workload file: tiny, small, paper, …"},
    {"dump", 0, "BUFFER[=F]",
     "print the elements of a buffer at the end, or write them to F as they are in memory"},
    {"as-ptx", 0, NULL, "the trace has PTX's instructions as they are, not as hardware has them"},
    {"races", 0, NULL,
     "look for races in shared memory in every CTA and name every pair of instructions; status 1 "
     "where there is one"},
    {"info", 0, NULL, "tell what a trace holds: instructions, accesses, reuse, locality"},
    {"all", 0, NULL, "with --info: kernels, every statistic, all windows"},
    {"line", 0, "BYTES", "with --info: size of a cache line (128)"},
    {NULL, 0, NULL, NULL},
};

const struct command cmd_trace = {
    .name = "trace",
    .args = "WORKLOAD -o FILE | --info TRACE",
    .meaning = "run a workload's kernels functionally and write the trace, or look at a trace",
    .text = "WORKLOAD is a workload file (docs/workloads.md) or the name of one in cfg/workloads.\n"
            "The result is compared with the workload's CPU reference. --set NAME=VALUE changes a\n"
            "parameter. With --info, TRACE is a trace of ours, an Accel-Sim kernelslist.g, or a\n"
            "workload, which is then run.\n",
    .options = options,
    .least_words = 1,
    .most_words = 1,
    .run = run,
};
