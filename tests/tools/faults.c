/* SPDX-License-Identifier: MIT
 *
 * tests/tools/faults.c: a library to preload that makes the n-th call fail, once.
 *
 *   FAULT_ALLOC=n   the n-th allocation gives NULL (malloc, calloc, realloc, aligned_alloc, and
 *                   what libraries allocate through them: strdup, fopen, getline, …)
 *   FAULT_IO=n      the n-th write, rename, fsync, or close of something written fails with ENOSPC
 *   FAULT_NOTE=fd   where a line is written when it happened: "fired", then the stack
 *
 * Calls are counted from the start of main, so that the loader is left alone. Standard output and
 * files of fopen go through our own write: what stdio writes by itself cannot be caught. Standard
 * error never fails, since it carries the message. Limits: glibc; not together with the address
 * sanitizer. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t align, size_t size);

static atomic_long n_allocs, n_ios;
static long bad_alloc, bad_io;
static int note_fd = -1;
static atomic_bool armed;

static void note(void)
{
    atomic_store(&armed, false);
    if (note_fd >= 0) {
        int kept = errno;
        void *stack[32];
        int depth = backtrace(stack, 32);
        dprintf(note_fd, "fired\n");
        backtrace_symbols_fd(stack, depth, note_fd);
        errno = kept;
    }
}

static bool fails(atomic_long *count, long bad)
{
    if (!bad || !atomic_load(&armed) || atomic_fetch_add(count, 1) + 1 != bad)
        return false;
    note();
    return true;
}

static bool no_memory(void)
{
    if (!fails(&n_allocs, bad_alloc))
        return false;
    errno = ENOMEM;
    return true;
}

static bool no_disk(void)
{
    if (!fails(&n_ios, bad_io))
        return false;
    errno = ENOSPC;
    return true;
}

void *malloc(size_t size)
{
    return no_memory() ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    return no_memory() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *old, size_t size)
{
    return no_memory() ? NULL : __libc_realloc(old, size);
}

void *aligned_alloc(size_t align, size_t size)
{
    return no_memory() ? NULL : __libc_memalign(align, size);
}

int posix_memalign(void **out, size_t align, size_t size)
{
    if (no_memory())
        return ENOMEM;
    *out = __libc_memalign(align, size);
    return *out ? 0 : ENOMEM;
}

static void *next(const char *name)
{
    bool was = atomic_exchange(&armed, false);
    void *f = dlsym(RTLD_NEXT, name);
    atomic_store(&armed, was);
    return f;
}

ssize_t write(int fd, const void *data, size_t n)
{
    ssize_t (*real)(int, const void *, size_t) =
        (ssize_t(*)(int, const void *, size_t))next("write");
    return fd != STDERR_FILENO && no_disk() ? -1 : real(fd, data, n);
}

int rename(const char *from, const char *to)
{
    int (*real)(const char *, const char *) = (int (*)(const char *, const char *))next("rename");
    return no_disk() ? -1 : real(from, to);
}

int fsync(int fd)
{
    int (*real)(int) = (int (*)(int))next("fsync");
    return no_disk() ? -1 : real(fd);
}

int close(int fd)
{
    int (*real)(int) = (int (*)(int))next("close");
    int flags = fcntl(fd, F_GETFL);
    bool bad = flags >= 0 && (flags & O_ACCMODE) != O_RDONLY && no_disk();
    int kept = errno, status = real(fd);
    if (!bad)
        return status;
    errno = kept;
    return -1;
}

/* A stream over a descriptor that comes through the functions above. */
static ssize_t stream_write(void *cookie, const char *data, size_t n)
{
    ssize_t done = write((int)(intptr_t)cookie, data, n);
    return done < 0 ? 0 : done;
}

static int stream_seek(void *cookie, off64_t *at, int whence)
{
    *at = lseek((int)(intptr_t)cookie, *at, whence);
    return *at < 0 ? -1 : 0;
}

static int stream_close(void *cookie)
{
    return close((int)(intptr_t)cookie);
}

static FILE *stream_over(int fd)
{
    const cookie_io_functions_t f = {
        .write = stream_write, .seek = stream_seek, .close = stream_close};
    return fd < 0 ? NULL : fopencookie((void *)(intptr_t)fd, "w", f);
}

FILE *fdopen(int fd, const char *mode)
{
    FILE *(*real)(int, const char *) = (FILE * (*)(int, const char *)) next("fdopen");
    return !bad_io || mode[0] != 'w' ? real(fd, mode) : stream_over(fd);
}

FILE *fopen(const char *path, const char *mode)
{
    FILE *(*real)(const char *, const char *) =
        (FILE * (*)(const char *, const char *)) next("fopen");
    if (!bad_io || mode[0] != 'w')
        return real(path, mode);
    return stream_over(open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
}

static int (*real_main)(int, char **, char **);

static int main_with_faults(int argc, char **argv, char **env)
{
    const char *said = getenv("FAULT_ALLOC");
    bad_alloc = said ? atol(said) : 0;
    said = getenv("FAULT_IO");
    bad_io = said ? atol(said) : 0;
    said = getenv("FAULT_NOTE");
    note_fd = said ? atoi(said) : -1;
    unsetenv("LD_PRELOAD"); /* programs that ours starts are whole */
    void *stack[1];
    backtrace(stack, 1); /* its library is loaded at the first call */
    if (bad_io)
        stdout = stream_over(STDOUT_FILENO);
    atomic_store(&armed, true);
    int status = real_main(argc, argv, env);
    if (note_fd >= 0 && atomic_exchange(&armed, false))
        dprintf(note_fd, "calls %ld\n", bad_io ? n_ios : n_allocs);
    if (bad_io && fflush(stdout) != 0 && status == 0)
        status = 99; /* it went out without having flushed */
    return status;
}

int __libc_start_main(int (*main_of_program)(int, char **, char **), int argc, char **argv,
                      void (*init)(void), void (*fini)(void), void (*rtld_fini)(void),
                      void *stack_end);
int __libc_start_main(int (*main_of_program)(int, char **, char **), int argc, char **argv,
                      void (*init)(void), void (*fini)(void), void (*rtld_fini)(void),
                      void *stack_end)
{
    typedef int start(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void),
                      void (*)(void), void *);
    start *real = (start *)dlsym(RTLD_NEXT, "__libc_start_main");
    real_main = main_of_program;
    return real(main_with_faults, argc, argv, init, fini, rtld_fini, stack_end);
}
