/* SPDX-License-Identifier: MIT
 *
 * `crosswatt run`: a CUDA program without a GPU; its kernels are executed functionally and go into
 * one trace. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "gen/command.h"
#include "gen/config/read.h"
#include "gen/workload/program.h"

/* "3-7", "3-", "5": the launches that are recorded, from 1 on. */
static bool read_launches(const char *text, struct runtime_settings *s, struct err *err)
{
    char *end;
    unsigned long long first = strtoull(text, &end, 10), last = first;
    if (*end == '-')
        last = end[1] ? strtoull(end + 1, &end, 10) : (end++, UINT64_MAX);
    if (*end || first == 0 || last < first)
        return err_add(err, ERR_INPUT, NOWHERE, "--launches: '%s' is no range such as 3-7", text);
    s->first_launch = first;
    s->last_launch = last;
    return true;
}

static bool read_settings(struct app *app, const struct options *o, struct runtime_settings *s)
{
    const char *cfg = option_get(o, "device"), *launches = option_get(o, "launches");
    long long skip = 0;
    runtime_settings_default(s);
    if (cfg) {
        struct arch *arch = arena_new(&app->mem, struct arch);
        if (!arch_read_options(app, cfg, o, arch))
            return false;
        program_device(arch, &app->mem, s);
    }
    if (launches && !read_launches(launches, s, &app->err))
        return false;
    if (!option_int(o, "skip", 0, 1000000000000, &skip, &app->err))
        return false;
    if (skip && launches)
        return err_add(&app->err, ERR_INPUT, NOWHERE, "--skip and --launches exclude each other");
    if (skip)
        s->first_launch = (uint64_t)skip + 1;
    const char *outside = option_get(o, "outside");
    if (outside && strcmp(outside, "warn") != 0 && strcmp(outside, "error") != 0)
        return err_add(&app->err, ERR_INPUT, NOWHERE, "--outside: '%s' is neither error nor warn",
                       outside);
    s->outside = outside && strcmp(outside, "warn") == 0;
    s->as_ptx |= option_has(o, "as-ptx");
    s->all_races = option_has(o, "races");
    s->kernels = option_get(o, "kernels");
    s->trace = option_get(o, "output");
    return true;
}

static void report(const struct options *o, const struct program_result *r, const char *trace)
{
    if (o->quiet || !trace)
        return;
    fprintf(stderr, "crosswatt: %llu launches, %llu of them in %s, %llu warp instructions\n",
            (unsigned long long)r->launches, (unsigned long long)r->recorded, trace,
            (unsigned long long)r->warp_insts);
}

static int run(struct app *app, const struct options *o)
{
    struct program_request q = {0};
    struct program_result r;
    const char **argv = arena_many(&app->mem, const char *, o->n_words + 1);
    memcpy(argv, o->words, o->n_words * sizeof *argv);
    q.argv = argv;
    if (!read_settings(app, o, &q.settings) || !program_run(&q, &app->mem, &r, &app->err))
        return exit_status_of(&app->err);
    struct where at = AT_FILE(argv[0]);
    program_warn_unseen(argv[0], &r, &app->err);
    if (r.signal) {
        err_add(&app->err, ERR_INPUT, at, "was ended by signal %d", r.signal);
        return 128 + r.signal;
    }
    report(o, &r, q.settings.trace);
    if (r.unwritten)
        err_add(&app->err, ERR_MACHINE, AT_FILE(q.settings.trace), "was not written");
    if (r.failed && q.settings.trace)
        err_add(&app->err, ERR_INPUT, at, "a kernel failed: there is no trace");
    return r.status;
}

static const struct option_def options[] = {
    {"device", 'd', "CFG", "the device that the program finds is this description's (a QV100)"},
    {"output", 'o', "FILE", "write the trace of all kernels to FILE"},
    {"kernels", 0, "NAMES", "only kernels whose name holds one of these, separated by commas"},
    {"launches", 0, "A-B", "only these launches, counted from 1"},
    {"skip", 0, "N", "all but the first N launches"},
    {"as-ptx", 0, NULL, "the trace has PTX's instructions as they are, not as hardware has them"},
    {"outside", 0, "WORD",
     "accesses of kernels outside all memory: error, or warn (loads give zero, stores are lost)"},
    {"races", 0, NULL,
     "look for races in shared memory in every CTA and name every pair of instructions"},
    {NULL, 0, NULL, NULL},
};

const struct command cmd_run = {
    .name = "run",
    .args = "[-d CFG] [-o FILE.trace] PROG [ARGS…]",
    .meaning = "run a CUDA program without a GPU, and write the trace of its kernels",
    .text = "PROG is compiled by `crosswatt cc`, or by nvcc with -cudart shared and PTX inside.\n"
            "Its output and its exit status are its own; an access outside its memory names\n"
            "kernel, line and thread. See docs/cuda-programs.md.\n",
    .options = options,
    .least_words = 1,
    .most_words = 100000,
    .word_rule = WORDS_THEN_FREE,
    .run = run,
};
