/* SPDX-License-Identifier: MIT */
#include "gen/workload/program.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "gen/config/arch.h"
#include "sim/trace/trace.h"

#define LIBRARY "libcrosswatt_cudart.so"

const char *program_library(struct arena *mem, struct err *err)
{
    char self[4096];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    const char *dir = n > 0 ? path_dir(mem, arena_strndup(mem, self, (size_t)n)) : ".";
    /* beside a program built in place, one folder up for its variants, or installed */
    const char *const places[] = {"cuda", "../cuda", "../lib/crosswatt"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const char *folder = path_join(mem, dir, places[i]);
        if (file_exists(path_join(mem, folder, LIBRARY))) {
            char *real = realpath(folder, NULL);
            const char *kept = real ? arena_strdup(mem, real) : folder;
            free(real);
            return kept;
        }
    }
    err_add(err, ERR_MACHINE, NOWHERE, LIBRARY " is not there: run 'make' first");
    return NULL;
}

/* Older machines than a V100 count as one: what cc makes is for 7.0 and later. */
static uint64_t capability_of(enum gpu_generation generation)
{
    switch (generation) {
    case GENERATION_turing: return 75;
    case GENERATION_ampere: return 80;
    case GENERATION_ada: return 89;
    case GENERATION_hopper: return 90;
    default: return 70;
    }
}

void program_device(const struct arch *arch, struct arena *mem, struct runtime_settings *out)
{
    const struct sm_params *sm = &arch->sm;
    out->device = arena_printf(mem, "crosswatt %s", path_stem(mem, arch->file));
    out->sms = arch->gpu.n_sms;
    out->clock_khz = (uint64_t)(arch->gpu.core_ghz * 1e6 + 0.5);
    out->memory_clock_khz = (uint64_t)(arch->gpu.dram_ghz * 1e6 + 0.5);
    out->memory_bus_bits = (uint64_t)arch->dram.controllers * arch->dram.bus_bytes * 8;
    out->l2_bytes = (uint64_t)arch->llc.slices * arch->llc.bytes;
    out->threads = sm->threads;
    out->ctas = sm->ctas;
    out->registers = sm->registers;
    out->shared_bytes = sm->shared_bytes;
    out->capability = capability_of(arch->gpu.generation);
    out->as_ptx = arch->compat.ptx_as_is;
}

/* ---- starting it ----------------------------------------------------------------------------- */

static void put_in_front(const char *name, const char *what, struct arena *mem)
{
    const char *old = getenv(name);
    setenv(name, old && *old ? arena_printf(mem, "%s:%s", what, old) : what, 1);
}

/* In the child: never returns. */
static void become(const struct program_request *q, const char *settings, const char *folder,
                   struct arena *mem, int report)
{
    setenv(RUNTIME_ENVIRONMENT, settings, 1);
    put_in_front("LD_LIBRARY_PATH", folder, mem);
    put_in_front("LD_PRELOAD", path_join(mem, folder, LIBRARY), mem);
    signal(SIGXFSZ, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* it does not outlive us */
    if (!q->output_to_stderr || dup2(STDERR_FILENO, STDOUT_FILENO) >= 0)
        execvp(q->argv[0], (char *const *)(uintptr_t)q->argv);
    int why = errno;
    ssize_t ignored = write(report, &why, sizeof why);
    (void)ignored;
    _exit(127);
}

static bool start(const struct program_request *q, const char *settings, const char *folder,
                  struct arena *mem, int *status, struct err *err)
{
    int report[2], why = 0;
    if (pipe(report) != 0)
        return err_add(err, ERR_MACHINE, NOWHERE, "no pipe: %s", strerror(errno));
    fcntl(report[0], F_SETFD, FD_CLOEXEC);
    fcntl(report[1], F_SETFD, FD_CLOEXEC); /* so that it ends with a successful exec */
    pid_t pid = fork();
    if (pid == 0)
        become(q, settings, folder, mem, report[1]);
    close(report[1]);
    if (pid < 0) {
        close(report[0]);
        return err_add(err, ERR_MACHINE, NOWHERE, "no process: %s", strerror(errno));
    }
    bool failed = read(report[0], &why, sizeof why) == (ssize_t)sizeof why;
    close(report[0]);
    while (waitpid(pid, status, 0) < 0 && errno == EINTR)
        continue;
    return !failed ||
           err_add(err, ERR_INPUT, AT_FILE(q->argv[0]), "cannot be run: %s", strerror(why));
}

/* ---- what the processes told ----------------------------------------------------------------- */

static void add_report(const char *text, struct program_result *out)
{
    static const char *const names[] = {
        "launches=", "recorded=", "warp_insts=", "thread_insts=", "failed=", "unwritten="};
    uint64_t values[6] = {0};
    for (size_t i = 0; i < 6; i++) {
        const char *at = strstr(text, names[i]);
        values[i] = at ? strtoull(at + strlen(names[i]), NULL, 10) : 0;
    }
    out->processes++;
    out->launches += values[0];
    out->recorded += values[1];
    out->warp_insts += values[2];
    out->thread_insts += values[3];
    out->failed |= values[4] != 0;
    out->unwritten |= values[5] != 0;
}

/* Reads the reports and removes the folder. */
static bool collect(const char *folder, struct arena *mem, struct program_result *out,
                    struct err *err)
{
    DIR *dir = opendir(folder);
    if (!dir)
        return err_add(err, ERR_MACHINE, AT_FILE(folder), "cannot be read: %s", strerror(errno));
    for (struct dirent *e; (e = readdir(dir));) {
        const char *path = path_join(mem, folder, e->d_name);
        char *text;
        size_t n;
        struct err ignored;
        if (e->d_name[0] == '.')
            continue;
        err_init(&ignored);
        if (strncmp(e->d_name, "process.", 8) == 0 &&
            file_read(path, 65536, mem, &text, &n, &ignored))
            add_report(text, out);
        err_free(&ignored);
        unlink(path);
    }
    closedir(dir);
    rmdir(folder);
    return true;
}

static char *make_folder(struct arena *mem, struct err *err)
{
    const char *tmp = getenv("TMPDIR");
    char *folder = arena_printf(mem, "%s/crosswatt-run.XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (mkdtemp(folder))
        return folder;
    err_add(err, ERR_MACHINE, AT_FILE(folder), "cannot be made: %s", strerror(errno));
    return NULL;
}

bool program_run(const struct program_request *q, struct arena *mem, struct program_result *out,
                 struct err *err)
{
    const char *library = program_library(mem, err);
    char *folder = library ? make_folder(mem, err) : NULL;
    struct runtime_settings settings = q->settings;
    int status = 0;
    if (!folder)
        return false;
    settings.report = folder;
    *out = (struct program_result){0};
    bool ok = start(q, runtime_settings_write(&settings, mem), library, mem, &status, err);
    ok = collect(folder, mem, out, err) && ok;
    if (WIFSIGNALED(status))
        out->signal = WTERMSIG(status);
    else
        out->status = WEXITSTATUS(status);
    return ok;
}

void program_warn_unseen(const char *name, const struct program_result *r, struct err *err)
{
    if (r->processes == 0)
        err_warn(err, AT_FILE(name),
                 "used no CUDA runtime that we could see; a program of nvcc must be linked with "
                 "-cudart shared, or compiled with 'crosswatt cc'");
}

static bool judge(const struct program_request *q, const struct program_result *r, struct err *err)
{
    struct where at = AT_FILE(q->argv[0]);
    if (r->signal || r->status)
        program_warn_unseen(q->argv[0], r, err);
    if (r->signal)
        return err_add(err, ERR_INPUT, at, "was ended by signal %d", r->signal);
    if (r->failed)
        return err_add(err, ERR_INPUT, at, "a kernel failed");
    if (r->status)
        return err_add(err, ERR_INPUT, at, "ended with status %d", r->status);
    return r->recorded ||
           err_add(err, ERR_INPUT, at,
                   "launched no kernel that we could see; a program of nvcc must be linked with "
                   "-cudart shared, or compiled with 'crosswatt cc'");
}

bool program_trace(const struct program_request *q, struct arena *mem, struct trace_source *out,
                   struct err *err)
{
    struct program_request with_trace = *q;
    struct program_result result;
    char *folder = make_folder(mem, err);
    if (!folder)
        return false;
    const char *path = path_join(mem, folder, "program.trace");
    with_trace.settings.trace = path;
    bool ok = program_run(&with_trace, mem, &result, err) && judge(q, &result, err) &&
              trace_open(path, mem, out, err);
    unlink(path);
    rmdir(folder);
    return ok;
}

bool program_is_command(const char *word)
{
    struct arena mem;
    struct stat s;
    arena_init(&mem, NULL, NULL);
    const char *file = arena_strndup(&mem, word, strcspn(word, " \t"));
    bool ok =
        strchr(file, '/') && stat(file, &s) == 0 && S_ISREG(s.st_mode) && access(file, X_OK) == 0;
    arena_free(&mem);
    return ok;
}

bool program_trace_word(const char *word, const struct runtime_settings *settings,
                        struct arena *mem, struct trace_source *out, struct err *err)
{
    const char *const argv[] = {"/bin/sh", "-c", arena_printf(mem, "exec %s", word), NULL};
    struct program_request q = {.argv = argv, .settings = *settings, .output_to_stderr = true};
    return program_trace(&q, mem, out, err);
}
