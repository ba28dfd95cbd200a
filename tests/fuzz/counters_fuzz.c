/* SPDX-License-Identifier: MIT
 *
 * Counters that `power` prices. */
#include "tests/fuzz/command.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    if (n > 4096)
        return 0;
    struct fuzz_file f;
    fuzz_file_begin(&f, ".csv", data, n);
    fuzz_command((const char *const[]){"power", "cfg/tech/gpuwattch-gtx480.xml", f.path, NULL});
    fuzz_file_end(&f);
    return 0;
}
