/* SPDX-License-Identifier: MIT
 *
 * Workload files from arbitrary bytes: read, never run. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gen/workload/read_workload.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
const char *__lsan_default_suppressions(void);

/* libconfig loses a buffer on some syntax errors. */
const char *__lsan_default_suppressions(void)
{
    return "leak:libconfig";
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct arena mem;
    struct err err;
    struct workload w;
    if (memchr(data, 0, n))
        return 0;
    arena_init(&mem, NULL, NULL);
    err_init(&err);
    struct workload_request q = {.file = "fuzz.cfg",
                                 .text = arena_strndup(&mem, (const char *)data, n)};
    if (!workload_read(&q, &mem, &w, &err) && !err.n_errors)
        abort();
    err_free(&err);
    arena_free(&mem);
    return 0;
}
