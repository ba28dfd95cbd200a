/* SPDX-License-Identifier: MIT
 *
 * Kept results; what is accepted must survive being written. */
#include "tests/fuzz/command.h"

#include "gen/store/result.h"

static bool take(const json_t *j, struct arena *mem, struct result *out)
{
    struct err err;
    err_init(&err);
    bool ok = result_from_json(j, "fuzz.json", mem, out, &err);
    if (!ok && !err_any(&err))
        abort();
    err_free(&err);
    return ok;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    json_t *j = json_loadb((const char *)data, n, 0, NULL);
    struct arena mem;
    struct result r, again;
    if (!j)
        return 0;
    arena_init(&mem, NULL, NULL);
    if (take(j, &mem, &r)) {
        json_t *written = result_json(&r);
        if (!written || !take(written, &mem, &again) || again.n_values != r.n_values ||
            again.n_groups != r.n_groups || again.n_links != r.n_links)
            abort();
        json_decref(written);
    }
    json_decref(j);
    arena_free(&mem);
    return 0;
}
