/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* pipe2 */
#include "base/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void close_pair(int pair[2])
{
    if (pair[0] >= 0)
        close(pair[0]);
    if (pair[1] >= 0)
        close(pair[1]);
}

/* In the child: never returns. errno of a failed exec goes up the report pipe. */
static void become(const char *const argv[], const char *cwd, int out, int err, int report)
{
    setpgid(0, 0);
    int null = open("/dev/null", O_RDONLY);
    bool ok = null >= 0 && dup2(null, 0) >= 0 && dup2(out, 1) >= 0 && dup2(err, 2) >= 0;
    if (ok && (!cwd || chdir(cwd) == 0))
        execvp(argv[0], (char *const *)(uintptr_t)argv);
    int why = errno;
    ssize_t ignored = write(report, &why, sizeof why);
    (void)ignored;
    _exit(127);
}

/* Reads both pipes until they end or the time is over; false when the time is over. */
static bool drain(int fds[2], struct buf *texts[2], double deadline)
{
    struct pollfd p[2] = {{fds[0], POLLIN, 0}, {fds[1], POLLIN, 0}};
    int open_ends = 2;
    while (open_ends > 0) {
        double left = deadline - now_s();
        if (left <= 0)
            return false;
        int wait_ms = left > 1000 ? 1000000 : (int)(left * 1000) + 1;
        if (poll(p, 2, wait_ms) < 0 && errno != EINTR)
            return true;
        for (int i = 0; i < 2; i++) {
            char chunk[4096];
            if (p[i].fd < 0 || !(p[i].revents & (POLLIN | POLLHUP | POLLERR)))
                continue;
            ssize_t r = read(p[i].fd, chunk, sizeof chunk);
            if (r > 0) {
                buf_addn(texts[i], chunk, (size_t)r);
            } else if (r == 0 || errno != EINTR) {
                p[i].fd = -1;
                open_ends--;
            }
        }
    }
    return true;
}

/* Waits for the child until the deadline; kills its group then. Returns true if it was killed. */
static bool reap(pid_t pid, bool in_time, double deadline, int *status)
{
    while (in_time) {
        pid_t r = waitpid(pid, status, WNOHANG);
        if (r == pid || (r < 0 && errno != EINTR))
            return false;
        in_time = now_s() < deadline;
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
    kill(-pid, SIGKILL);
    while (waitpid(pid, status, 0) < 0 && errno == EINTR)
        continue;
    return true;
}

bool proc_run(const char *const argv[], const char *cwd, double timeout_s, size_t max_output,
              struct arena *mem, struct proc_result *out, struct err *err)
{
    int o[2] = {-1, -1}, e[2] = {-1, -1}, report[2] = {-1, -1};
    if (pipe2(o, O_CLOEXEC) || pipe2(e, O_CLOEXEC) || pipe2(report, O_CLOEXEC)) {
        close_pair(o), close_pair(e), close_pair(report);
        return err_add(err, ERR_MACHINE, NOWHERE, "%s: cannot make a pipe: %s", argv[0],
                       strerror(errno));
    }
    struct buf texts[2]; /* their first allocation fails before there is a child to outlive it */
    buf_init(&texts[0], mem, max_output);
    buf_init(&texts[1], mem, max_output);
    pid_t pid = fork();
    if (pid == 0)
        become(argv, cwd, o[1], e[1], report[1]);
    close(o[1]), close(e[1]), close(report[1]);
    o[1] = e[1] = report[1] = -1;
    bool ok = pid > 0;
    int why = errno;
    if (ok) {
        setpgid(pid, pid);
        ok = read(report[0], &why, sizeof why) == 0;
        if (!ok)
            waitpid(pid, NULL, 0);
    }
    if (ok) {
        double deadline = now_s() + timeout_s;
        bool in_time = drain((int[]){o[0], e[0]}, (struct buf *[]){&texts[0], &texts[1]}, deadline);
        int status = 0;
        bool killed = reap(pid, in_time, deadline, &status);
        *out = (struct proc_result){
            .status = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
            .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0,
            .timed_out = killed,
            .cut = texts[0].overflowed || texts[1].overflowed,
            .out = texts[0].data,
            .n_out = texts[0].len,
            .err = texts[1].data,
            .n_err = texts[1].len,
        };
    } else {
        err_add(err, ERR_MACHINE, NOWHERE, "%s: cannot be run: %s", argv[0], strerror(why));
    }
    close_pair(o), close_pair(e), close_pair(report);
    return ok;
}

const char *proc_find(const char *name, struct arena *mem)
{
    if (strchr(name, '/'))
        return access(name, X_OK) == 0 ? arena_strdup(mem, name) : NULL;
    const char *path = getenv("PATH");
    while (path && *path) {
        size_t n = strcspn(path, ":");
        const char *full = path_join(mem, n ? arena_strndup(mem, path, n) : ".", name);
        if (access(full, X_OK) == 0)
            return full;
        path += n + (path[n] == ':');
    }
    return NULL;
}
