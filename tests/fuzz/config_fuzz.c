/* SPDX-License-Identifier: MIT
 *
 * Any bytes as a description: either they are read, or there is an error that says where. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "gen/config/read.h"
#include "gen/design/design.h"

/* libconfig 1.5 loses the last text token of a file with a syntax error. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libconfig";
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    if (n > 4000)
        return 0;
    struct arena mem;
    struct err err;
    struct arch arch;
    arena_init(&mem, NULL, NULL);
    err_init(&err);
    /* the first line, if it has an '=', is a --set */
    char *text = arena_strndup(&mem, (const char *)data, n);
    const char *set = NULL;
    char *newline = strchr(text, '\n');
    if (text[0] == '!' && newline) {
        *newline = '\0';
        set = text + 1;
        text = newline + 1;
    }
    struct read_request request = {.file = "fuzz.cfg",
                                   .text = text,
                                   .sets = &set,
                                   .n_sets = set ? 1 : 0,
                                   .data_dir = ".",
                                   .no_files = true};
    bool ok = arch_read(&request, &mem, &arch, &err);
    if (ok == err_any(&err))
        __builtin_trap();
    /* networks small enough to build many times a second */
    if (ok && arch.gpu.n_sms <= 128 && arch.llc.slices <= 64 &&
        arch.noc[0].params.mesh_columns <= 32 && arch.noc[0].params.mesh_rows <= 32 &&
        arch.noc[1].params.mesh_columns <= 32 && arch.noc[1].params.mesh_rows <= 32 &&
        arch.noc[0].params.fly_n <= 3 && arch.noc[1].params.fly_n <= 3) {
        struct design design;
        ok = design_make(&arch, false, &mem, &design, &err);
        if (ok == err_any(&err))
            __builtin_trap();
    }
    err_free(&err);
    arena_free(&mem);
    return 0;
}
