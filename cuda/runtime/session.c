/* SPDX-License-Identifier: MIT */
#include "cuda/runtime/session.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

/* The only mutable state at file scope: see the header. */
static struct {
    pthread_mutex_t lock;
    bool begun, failed;
    pid_t owner;
    struct runtime runtime;
    struct err err;
    const struct err_entry *printed;
} session = {.lock = PTHREAD_MUTEX_INITIALIZER};

static _Thread_local cudaError_t last_error;

static void print_source_line(const struct where *at, struct arena *mem)
{
    struct err ignored;
    char *text;
    size_t n;
    err_init(&ignored);
    if (at->file && at->line > 0 && file_read(at->file, 1 << 22, mem, &text, &n, &ignored)) {
        for (int line = 1; line < at->line && text; line++) {
            text = strchr(text, '\n');
            text = text ? text + 1 : NULL;
        }
        if (text)
            fprintf(stderr, "%5d | %.*s\n", at->line, (int)strcspn(text, "\r\n"), text);
    }
    err_free(&ignored);
}

static void print_errors(void)
{
    struct arena mem;
    const struct err_entry *e = session.printed ? session.printed->next : session.err.first;
    if (!e)
        return;
    fflush(stdout);
    arena_init(&mem, NULL, NULL);
    for (; e; e = e->next) {
        fprintf(stderr, "crosswatt: %s\n", err_entry_text(e, &mem));
        print_source_line(&e->at, &mem);
        session.printed = e;
    }
    arena_free(&mem);
}

static void print(void *ctx, const char *text, size_t n)
{
    (void)ctx;
    fwrite(text, 1, n, stdout);
}

static void told(void *ctx)
{
    (void)ctx;
    print_errors();
}

static const char *program_path(struct arena *mem)
{
    char path[4096];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    return n > 0 ? arena_strndup(mem, path, (size_t)n) : "program";
}

/* What this process did, for the one that started it. */
static void write_report(void)
{
    struct runtime *r = &session.runtime;
    struct err ignored;
    if (!r->settings.report)
        return;
    err_init(&ignored);
    const char *path = path_join(&ignored.mem, r->settings.report,
                                 arena_printf(&ignored.mem, "process.%ld", (long)getpid()));
    const char *text =
        arena_printf(&ignored.mem,
                     "launches=%llu\nrecorded=%llu\nwarp_insts=%llu\nthread_insts=%llu\nfailed=%"
                     "d\nunwritten=%d\n",
                     (unsigned long long)r->n_launches, (unsigned long long)r->n_recorded,
                     (unsigned long long)r->warp_insts, (unsigned long long)r->thread_insts,
                     r->kernel_failed, r->trace_failed);
    file_write(path, text, strlen(text), &ignored);
    err_free(&ignored);
}

static void end_session(void)
{
    pthread_mutex_lock(&session.lock);
    /* a child that was forked and did not exec has its parent's state */
    if (session.begun && session.owner == getpid()) {
        write_report();
        runtime_close(&session.runtime, !session.runtime.kernel_failed);
        print_errors();
        err_free(&session.err);
        session.begun = false;
        session.failed = true;
    }
    pthread_mutex_unlock(&session.lock);
}

static bool begin_session(void)
{
    struct runtime_settings settings;
    const char *said = getenv(RUNTIME_ENVIRONMENT);
    err_init(&session.err);
    runtime_settings_default(&settings);
    bool ok =
        (!said || runtime_settings_read(said, &session.err.mem, &settings, &session.err)) &&
        runtime_open(&session.runtime, program_path(&session.err.mem), &settings, &session.err);
    if (!ok) {
        print_errors();
        err_free(&session.err);
        return false;
    }
    session.runtime.device.host.print = print;
    session.runtime.device.host.told = told;
    session.owner = getpid();
    write_report(); /* that it was here at all, should it not come to its end */
    atexit(end_session);
    return true;
}

struct runtime *session_enter(void)
{
    pthread_mutex_lock(&session.lock);
    if (!session.begun && !session.failed) {
        session.begun = begin_session();
        session.failed = !session.begun;
    }
    if (session.begun)
        return &session.runtime;
    pthread_mutex_unlock(&session.lock);
    last_error = cudaErrorInitializationError;
    return NULL;
}

cudaError_t session_leave(struct runtime *r, enum runtime_code code)
{
    print_errors();
    (void)r;
    if (code != RC_Success)
        last_error = (cudaError_t)code;
    pthread_mutex_unlock(&session.lock);
    return (cudaError_t)code;
}

cudaError_t session_check(void)
{
    SESSION(r);
    return session_leave(r, r->sticky);
}

cudaError_t session_refuse(enum runtime_code code)
{
    SESSION(r);
    return session_leave(r, r->sticky ? r->sticky : code);
}

cudaError_t session_last_error(bool clear)
{
    cudaError_t e = last_error;
    if (clear)
        last_error = cudaSuccess;
    return e;
}
