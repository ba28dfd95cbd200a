/* SPDX-License-Identifier: MIT
 *
 * tests/fuzz/command.h: a whole command on a file of arbitrary bytes. What it prints goes nowhere;
 * it must end, and say why where it refuses. */
#ifndef CW_TESTS_FUZZ_COMMAND_H
#define CW_TESTS_FUZZ_COMMAND_H

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gen/command.h"
#include "gen/options.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
int LLVMFuzzerInitialize(int *argc, char ***argv);
const char *__lsan_default_suppressions(void);

/* libconfig loses a buffer on some syntax errors. */
const char *__lsan_default_suppressions(void)
{
    return "leak:libconfig";
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    if (!freopen("/dev/null", "w", stdout))
        abort();
    return 0;
}

/* A name for the bytes: a file in the folder for builds, removed by fuzz_file_end. */
struct fuzz_file {
    char path[64];
};

static inline void fuzz_file_begin(struct fuzz_file *f, const char *ending, const uint8_t *data,
                                   size_t n)
{
    snprintf(f->path, sizeof f->path, "build/fuzz.%ld%s", (long)getpid(), ending);
    int fd = open(f->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0 || write(fd, data, n) != (ssize_t)n)
        abort();
    close(fd);
}

static inline void fuzz_file_end(const struct fuzz_file *f)
{
    unlink(f->path);
}

/* Words of a command line, the command first; NULL-terminated. */
static inline void fuzz_command(const char *const *words)
{
    int n = 0;
    while (words[n])
        n++;
    struct app app = {.data_dir = "."};
    struct options options;
    arena_init(&app.mem, NULL, NULL);
    err_init(&app.err);
    const struct command *const *c = commands;
    while (strcmp((*c)->name, words[0]) != 0)
        c++;
    if (!options_parse(*c, n - 1, (char **)(uintptr_t)(words + 1), &app.mem, &options, &app.err))
        abort();
    int status = (*c)->run(&app, &options);
    if (status != EXIT_DONE && status != EXIT_NO && !err_any(&app.err))
        abort();
    err_free(&app.err);
    arena_free(&app.mem);
}

/* Sizes that are legal but make a run too long to be fuzzed: a number of more digits than that. */
static inline bool fuzz_has_digits(const uint8_t *data, size_t n, unsigned most)
{
    unsigned run = 0;
    for (size_t i = 0; i < n; i++) {
        run = data[i] >= '0' && data[i] <= '9' ? run + 1 : 0;
        if (run > most)
            return true;
    }
    return false;
}

#endif
