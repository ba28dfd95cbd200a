/* SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "gen/template.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct arena mem;
    struct err err;
    struct buf out;
    arena_init(&mem, NULL, NULL);
    err_init(&err);
    buf_init(&out, &mem, 1 << 16);
    struct scope *s = scope_new(&mem);
    scope_text(s, "a", "value");
    scope_text(scope_item(s, "b"), "c", "1");
    scope_item(s, "b");
    if (n < 2000 && !template_render("fuzz", (const char *)data, n, s, &out, &err) &&
        !err_any(&err))
        __builtin_trap();
    err_free(&err);
    arena_free(&mem);
    return 0;
}
