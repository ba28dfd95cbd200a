/* SPDX-License-Identifier: MIT
 *
 * Files of GPGPU-Sim: arbitrary options, and a network's file where the first byte says so. The
 * translation must end, with errors where it refuses, and its text must not break the reader. */
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "gen/config/read.h"
#include "gen/import/import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1 || size > 8192)
        return 0;
    struct arena mem;
    struct err err;
    struct import im;
    arena_init(&mem, NULL, NULL);
    err_init(&err);
    char *text = arena_alloc(&mem, size);
    memcpy(text, data + 1, size - 1);
    text[size - 1] = 0;
    import_init(&im, &mem, &err);
    im.is_approximate = data[0] & 1;
    im.with_launch = data[0] & 2;
    import_parse(&im, data[0] & 4 ? "fuzz.icnt" : "fuzz.config", text, size - 1, &err);
    bool ok = import_translate(&im) && !err_any(&err);
    size_t n;
    const char *out = import_text(&im, "fuzz", &n);
    if (ok) { /* what it writes is always of the right form */
        struct read_request request = {
            .file = "out.cfg", .text = out, .data_dir = ".", .no_files = true};
        struct arch arch;
        arch_read(&request, &mem, &arch, &err);
    }
    err_free(&err);
    arena_free(&mem);
    return 0;
}
