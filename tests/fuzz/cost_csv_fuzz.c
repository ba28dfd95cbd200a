/* SPDX-License-Identifier: MIT
 *
 * Tables of routers, links and arrays: the first byte chooses. */
#include "tests/fuzz/command.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static const char *const names[] = {"cost-router", "cost-link", "cost-array"};
    if (n < 1 || n > 600 || fuzz_has_digits(data, n, 12))
        return 0;
    struct fuzz_file f;
    fuzz_file_begin(&f, ".csv", data + 1, n - 1);
    fuzz_command((const char *const[]){names[data[0] % 3], "--csv", f.path, NULL});
    fuzz_file_end(&f);
    return 0;
}
