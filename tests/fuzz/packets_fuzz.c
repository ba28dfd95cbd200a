/* SPDX-License-Identifier: MIT
 *
 * Packet traces and permutations for a network alone: the first byte chooses. */
#include "tests/fuzz/command.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    if (n < 1 || n > 1024)
        return 0;
    struct fuzz_file f;
    fuzz_file_begin(&f, ".csv", data + 1, n - 1);
    const char *option = data[0] & 1 ? "--trace" : "--permutation";
    fuzz_command((const char *const[]){"net", "cfg/net/mesh8.cfg", "-q", "-j", "1", "-c", "20",
                                       option, f.path, NULL});
    fuzz_file_end(&f);
    return 0;
}
