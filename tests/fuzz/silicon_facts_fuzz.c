/* SPDX-License-Identifier: MIT
 *
 * Facts of cards from arbitrary bytes. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "gen/silicon/silicon_facts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
const char *__lsan_default_suppressions(void);

/* libconfig loses a buffer on some syntax errors. */
const char *__lsan_default_suppressions(void)
{
    return "leak:libconfig";
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static const char *const figures[] = {"latency_l1", "latency_l2", "dram_read"};
    struct arena mem;
    struct err err;
    struct silicon_card card;
    if (memchr(data, 0, n))
        return 0;
    arena_init(&mem, NULL, NULL);
    err_init(&err);
    bool ok = silicon_facts_read("fuzz.cfg", arena_strndup(&mem, (const char *)data, n), figures, 3,
                                 &mem, &card, &err);
    if (ok != !err.n_errors)
        abort();
    for (size_t i = 0; ok && i < 3; i++)
        silicon_judge(silicon_fact(&card, figures[i]), (double)n);
    err_free(&err);
    arena_free(&mem);
    return 0;
}
