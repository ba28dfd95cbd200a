/* SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "energy/gpuwattch/gpuwattch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct arena mem;
    struct err err;
    struct gpuwattch g;
    arena_init(&mem, NULL, NULL);
    err_init(&err);
    if (!gpuwattch_parse("fuzz.xml", (const char *)data, n, &mem, &g, &err) && !err_any(&err))
        __builtin_trap();
    err_free(&err);
    arena_free(&mem);
    return 0;
}
