/* SPDX-License-Identifier: MIT
 *
 * Tables of BookSim2 runs. */
#include "tests/fuzz/command.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    /* two digits: larger networks and longer runs are legal, and too slow here */
    if (n > 600 || fuzz_has_digits(data, n, 2))
        return 0;
    struct fuzz_file f;
    fuzz_file_begin(&f, ".csv", data, n);
    fuzz_command((const char *const[]){"net", "--booksim-csv", f.path, "-q", "-j", "1", NULL});
    fuzz_file_end(&f);
    return 0;
}
