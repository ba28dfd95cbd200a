/* SPDX-License-Identifier: MIT
 *
 * Spaces of designs, with their expressions; what is accepted has points. */
#include "tests/fuzz/command.h"

#include "gen/explore/points.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct arena mem;
    struct err err;
    struct space space;
    arena_init(&mem, NULL, NULL);
    err_init(&err);
    const char *text = arena_strndup(&mem, (const char *)data, n);
    const struct space_request q = {
        .file = "fuzz.cfg", .text = text, .data_dir = ".", .no_files = true};
    bool ok = space_read(&q, &mem, &space, &err);
    if (!ok && !err_any(&err))
        abort();
    if (ok) {
        point_choice *rows;
        size_t n_points;
        points_all(points_walker(&space, &mem), 200, &mem, &rows, &n_points);
        if (n_points == 0)
            abort();
    }
    err_free(&err);
    arena_free(&mem);
    return 0;
}
