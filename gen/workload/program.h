/* SPDX-License-Identifier: MIT
 *
 * gen/workload/program.h: a CUDA program of the user's, run without a GPU. It is started with our
 * runtime library in front (cuda/runtime), which executes its kernels and writes their trace. */
#ifndef CW_GEN_WORKLOAD_PROGRAM_H
#define CW_GEN_WORKLOAD_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/runtime/run_settings.h"

struct arch;
struct arena;
struct err;
struct trace_source;

struct program_request {
    const char *const *argv; /* NULL-terminated; argv[0] is looked up in PATH */
    struct runtime_settings settings;
    bool output_to_stderr; /* what it prints must not mix with our result */
};

struct program_result {
    int status, signal; /* how it ended: the exit status, or the signal */
    uint64_t processes, launches, recorded, warp_insts, thread_insts;
    bool failed;    /* a kernel failed or was refused */
    bool unwritten; /* the trace could not be written */
};

/* False only if it could not be started; a program that fails is a result. */
bool program_run(const struct program_request *request, struct arena *mem,
                 struct program_result *out, struct err *err);

/* A warning where no process of it began with the CUDA runtime. */
void program_warn_unseen(const char *name, const struct program_result *result, struct err *err);

/* Runs it and opens its trace, which lives in a file without a name. */
bool program_trace(const struct program_request *request, struct arena *mem,
                   struct trace_source *out, struct err *err);

/* A command line in one word: it begins with the path of a file that can be executed. */
bool program_is_command(const char *word);
/* The same for such a word, which the shell takes apart. */
bool program_trace_word(const char *word, const struct runtime_settings *settings,
                        struct arena *mem, struct trace_source *out, struct err *err);

/* The device's properties as the description says. */
void program_device(const struct arch *arch, struct arena *mem, struct runtime_settings *out);

/* The folder of the runtime library; NULL and an error where it was not built. */
const char *program_library(struct arena *mem, struct err *err);

#endif
