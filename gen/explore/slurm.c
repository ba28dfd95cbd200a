/* SPDX-License-Identifier: MIT */
#include "gen/explore/slurm.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/proc.h"
#include "base/vec.h"
#include "gen/store/sources.h"

#define POINTS_PER_SHARD 100.0
#define MOST_SHARDS 1000.0 /* Slurm's own default is 1,001 tasks in an array */
#define TIMEOUT_S 120.0
#define MOST_OUTPUT ((size_t)1 << 20)

unsigned slurm_shards(double n_points)
{
    double n = n_points / POINTS_PER_SHARD;
    return n < 1 ? 1 : n > MOST_SHARDS ? (unsigned)MOST_SHARDS : (unsigned)(n + 0.999);
}

/* ---- texts ----------------------------------------------------------------------------------- */

/* As one word of a shell. */
static const char *quoted(const char *text, struct arena *mem)
{
    struct buf b;
    buf_init(&b, mem, BUF_NO_MAX);
    buf_putc(&b, '\'');
    for (; *text; text++) {
        if (*text == '\'')
            buf_add(&b, "'\\''");
        else
            buf_putc(&b, *text);
    }
    buf_putc(&b, '\'');
    return b.data;
}

struct paths {
    const char *program, *space, *dir, *jobs; /* whole paths; `jobs` is in `dir` */
    const char *from; /* where the user is, whom files of the space may be beside */
};

static const char *whole_path(const char *path, struct arena *mem)
{
    char *real = realpath(path, NULL);
    const char *copy = real ? arena_strdup(mem, real) : path;
    free(real);
    return copy;
}

static const char *explore_words(const struct slurm_request *q, const struct paths *p,
                                 struct arena *mem)
{
    return arena_printf(
        mem, "%s explore %s -o %s%s%s%s%s -q", quoted(p->program, mem), quoted(p->space, mem),
        quoted(p->dir, mem), q->preset ? " -p " : "", q->preset ? quoted(q->preset, mem) : "",
        q->is_exhaustive ? " --exhaustive" : "", q->allow_tools ? " --allow-tools" : "");
}

/* A shard marks that it is whole: what was cancelled is submitted again. */
static const char *shard_script(const struct slurm_request *q, const struct paths *p,
                                struct arena *mem)
{
    return arena_printf(
        mem,
        "#!/bin/sh\n"
        "# one shard of an exploration: $SLURM_ARRAY_TASK_ID of %u, or the first word\n"
        "#SBATCH --job-name=crosswatt-explore\n"
        "#SBATCH --ntasks=1\n"
        "#SBATCH --output=/dev/null\n"
        "i=${SLURM_ARRAY_TASK_ID:-$1}\n"
        "jobs=%s\n"
        "cd %s || exit 3\n"
        "%s --threads \"${SLURM_CPUS_PER_TASK:-1}\" --shard \"$i/%u\" "
        ">\"$jobs/shard-$i.log\" 2>&1\n"
        "status=$?\n"
        "# 1: none of its points meets the constraints, which is an answer\n"
        "[ $status -le 1 ] && : >\"$jobs/done-$i-of-%u\"\n"
        "[ $status -le 1 ]\n",
        q->n_shards, quoted(p->jobs, mem), quoted(p->from, mem), explore_words(q, p, mem),
        q->n_shards, q->n_shards);
}

static const char *merge_script(const struct slurm_request *q, const struct paths *p,
                                struct arena *mem)
{
    return arena_printf(mem,
                        "#!/bin/sh\n"
                        "# merges the shards that are there and writes front and report\n"
                        "#SBATCH --job-name=crosswatt-merge\n"
                        "#SBATCH --ntasks=1\n"
                        "#SBATCH --output=/dev/null\n"
                        "jobs=%s\n"
                        "cd %s || exit 3\n"
                        "{\n"
                        "    %s results merge %s/results.sqlite %s/shard-*-of-%u.sqlite &&\n"
                        "    %s --no-run\n"
                        "} >\"$jobs/merge.log\" 2>&1\n"
                        "status=$?\n"
                        "[ $status -le 1 ] && : >\"$jobs/merged\"\n"
                        "exit $status\n",
                        quoted(p->jobs, mem), quoted(p->from, mem), quoted(p->program, mem),
                        quoted(p->dir, mem), quoted(p->dir, mem), q->n_shards,
                        explore_words(q, p, mem));
}

static bool write_script(const char *dir, const char *name, const char *text, struct arena *mem,
                         struct err *err)
{
    return file_write(path_join(mem, dir, name), text, strlen(text), err);
}

/* ---- state ----------------------------------------------------------------------------------- */

static bool is_done(const struct paths *p, unsigned shard, unsigned n, struct arena *mem)
{
    return file_exists(path_join(mem, p->jobs, arena_printf(mem, "done-%u-of-%u", shard, n)));
}

/* Marks of another space, or of a program that makes other numbers, say nothing about this one. */
static bool forget_others(const struct slurm_request *q, const struct paths *p, struct arena *mem,
                          struct err *err)
{
    const char *file = path_join(mem, p->jobs, "asked");
    const char *asked = arena_printf(mem, "%016llx %s%s\n", (unsigned long long)q->space_hash,
                                     sources_hash(), q->is_exhaustive ? " exhaustive" : "");
    struct err ignored;
    size_t n_removed = 0, n = 0;
    char *before;
    err_init(&ignored);
    bool is_same = file_exists(file) && file_read(file, MOST_OUTPUT, mem, &before, &n, &ignored) &&
                   strcmp(before, asked) == 0;
    err_free(&ignored);
    if (is_same)
        return true;
    const char **names = file_names(p->jobs, mem, err);
    for (; names && *names; names++) {
        if (strncmp(*names, "done-", 5) == 0)
            n_removed += unlink(path_join(mem, p->jobs, *names)) == 0;
    }
    if (n_removed && !q->is_quiet)
        printf("what ended here before was another space or program: all shards again\n");
    return file_write(file, asked, strlen(asked), err);
}

/* "1-3,7": shards that are not whole; "" where all are. */
static const char *missing_shards(const struct slurm_request *q, const struct paths *p,
                                  struct arena *mem, unsigned *count)
{
    struct buf b;
    buf_init(&b, mem, BUF_NO_MAX);
    *count = 0;
    for (unsigned i = 1; i <= q->n_shards; i++) {
        unsigned last = i;
        if (is_done(p, i, q->n_shards, mem))
            continue;
        while (last < q->n_shards && !is_done(p, last + 1, q->n_shards, mem))
            last++;
        buf_printf(&b, "%s%u", b.len ? "," : "", i);
        if (last > i)
            buf_printf(&b, "-%u", last);
        *count += last - i + 1;
        i = last;
    }
    return b.data;
}

/* ---- Slurm ----------------------------------------------------------------------------------- */

/* Runs sbatch; the number of the job, or NULL. */
static const char *submit(const char *const *words, size_t n, const char *options,
                          const char *script, struct arena *mem, struct err *err)
{
    VEC(const char *) argv = {0};
    struct proc_result r;
    vec_push(mem, &argv, "sbatch");
    vec_push(mem, &argv, "--parsable");
    for (const char *at = options; *at;) {
        size_t len = strcspn(at, " ");
        if (len)
            vec_push(mem, &argv, arena_strndup(mem, at, len));
        at += len + (at[len] == ' ');
    }
    for (size_t i = 0; i < n; i++)
        vec_push(mem, &argv, words[i]);
    vec_push(mem, &argv, script);
    vec_push(mem, &argv, NULL);
    if (!proc_run(argv.at, NULL, TIMEOUT_S, MOST_OUTPUT, mem, &r, err))
        return NULL;
    if (r.status != 0 || r.timed_out) {
        err_add(err, ERR_MACHINE, NOWHERE, "sbatch: %s",
                r.timed_out ? "did not answer" : arena_strndup(mem, r.err, strcspn(r.err, "\n")));
        return NULL;
    }
    return arena_strndup(mem, r.out, strcspn(r.out, ";\n"));
}

/* Looks at the queue until both jobs have left it. */
static bool wait_for(const char *jobs, struct arena *mem, struct err *err)
{
    const char *const argv[] = {"squeue", "-h", "-j", jobs, NULL};
    struct timespec pause = {1, 0};
    for (;;) {
        struct arena_mark mark = arena_mark(mem);
        struct proc_result r;
        if (!proc_run(argv, NULL, TIMEOUT_S, MOST_OUTPUT, mem, &r, err))
            return false;
        /* a job that the controller has forgotten is an "invalid job id" */
        bool is_gone = r.status != 0 ? strstr(r.err, "nvalid job id") != NULL
                                     : r.out[strspn(r.out, " \n")] == '\0';
        arena_rewind(mem, mark);
        if (is_gone)
            return true;
        nanosleep(&pause, NULL);
        if (pause.tv_sec < 10)
            pause.tv_sec++;
    }
}

static void print_by_hand(const struct slurm_request *q, const struct paths *p, struct arena *mem)
{
    printf("there is no sbatch here; by hand, on any machines that share %s:\n", p->dir);
    printf("    for i in $(seq 1 %u); do sh %s $i; done\n", q->n_shards,
           quoted(path_join(mem, p->jobs, "shard.sh"), mem));
    printf("    sh %s\n", quoted(path_join(mem, p->jobs, "merge.sh"), mem));
}

static bool settle(const struct slurm_request *q, const struct paths *p, const char *jobs,
                   struct arena *mem, struct err *err)
{
    unsigned n;
    if (!wait_for(jobs, mem, err))
        return false;
    const char *missing = missing_shards(q, p, mem, &n);
    if (n)
        return err_add(err, ERR_MACHINE, NOWHERE,
                       "%u of %u shards did not end well: %s (their logs are in %s); the same "
                       "command submits them again",
                       n, q->n_shards, missing, p->jobs);
    if (!file_exists(path_join(mem, p->jobs, "merged")))
        return err_add(err, ERR_MACHINE, AT_FILE(path_join(mem, p->jobs, "merge.log")),
                       "the shards could not be merged");
    if (!q->is_quiet)
        printf("front: %s\nreport: %s\n", path_join(mem, p->dir, "front.csv"),
               path_join(mem, p->dir, "report.html"));
    return true;
}

bool slurm_submit(const struct slurm_request *q, struct arena *mem, bool *is_absent,
                  struct err *err)
{
    struct paths p = {.program = whole_path("/proc/self/exe", mem),
                      .space = whole_path(q->space, mem)};
    unsigned n;
    const char *jobs_dir = path_join(mem, q->dir, "slurm");
    *is_absent = !proc_find("sbatch", mem);
    if (!file_make_dirs(jobs_dir, err))
        return false;
    p.dir = whole_path(q->dir, mem);
    p.jobs = whole_path(jobs_dir, mem);
    p.from = whole_path(".", mem);
    if (!write_script(p.jobs, "shard.sh", shard_script(q, &p, mem), mem, err) ||
        !write_script(p.jobs, "merge.sh", merge_script(q, &p, mem), mem, err))
        return false;
    if (!forget_others(q, &p, mem, err))
        return false;
    if (*is_absent) {
        print_by_hand(q, &p, mem);
        return true;
    }
    unlink(path_join(mem, p.jobs, "merged"));
    const char *missing = missing_shards(q, &p, mem, &n), *array = NULL;
    if (n) {
        const char *const words[] = {arena_printf(mem, "--array=%s", missing)};
        array = submit(words, 1, q->sbatch_options, path_join(mem, p.jobs, "shard.sh"), mem, err);
        if (!array)
            return false;
    }
    const char *const after[] = {array ? arena_printf(mem, "--dependency=afterany:%s", array) : ""};
    const char *merge = submit(after, array ? 1 : 0, q->sbatch_options,
                               path_join(mem, p.jobs, "merge.sh"), mem, err);
    if (!merge)
        return false;
    if (!q->is_quiet) {
        if (array)
            printf("job %s: %u of %u shards (%s)\n", array, n, q->n_shards, missing);
        else
            printf("all %u shards are done\n", q->n_shards);
        printf("job %s: merges them\n", merge);
        fflush(stdout);
    }
    const char *jobs = array ? arena_printf(mem, "%s,%s", array, merge) : merge;
    return !q->waits || settle(q, &p, jobs, mem, err);
}
