/* SPDX-License-Identifier: MIT
 *
 * base/proc.h: runs another program with a time limit and captures what it prints. */
#ifndef CW_BASE_PROC_H
#define CW_BASE_PROC_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct err;

struct proc_result {
    int status;      /* exit status, or -1 if it was ended by a signal */
    int signal;      /* 0, or the signal that ended it */
    bool timed_out;  /* it was killed, with its children, at the time limit */
    bool cut;        /* it printed more than the limit; the rest was dropped */
    char *out, *err; /* terminated by '\0' */
    size_t n_out, n_err;
};

/* Runs argv[0] (looked up in PATH) in `cwd` (NULL: here) with empty standard input. False only if
 * it could not be started; a failing, crashing or hanging program is a result. */
bool proc_run(const char *const argv[], const char *cwd, double timeout_s, size_t max_output,
              struct arena *mem, struct proc_result *out, struct err *err);

/* The full path of a program in PATH, or NULL. */
const char *proc_find(const char *name, struct arena *mem);

#endif
