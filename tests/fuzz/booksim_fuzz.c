/* SPDX-License-Identifier: MIT
 *
 * BookSim2 configurations and anynet files: the first byte chooses. */
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "gen/net/booksim_files.h"
#include "noc/topology/plain.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1 || size > 4096)
        return 0;
    struct arena mem;
    struct err err;
    arena_init(&mem, NULL, NULL);
    err_init(&err);
    char *text = arena_alloc(&mem, size);
    memcpy(text, data + 1, size - 1);
    text[size - 1] = 0;
    if (data[0] & 1) {
        struct noc noc;
        const uint16_t *cycles;
        struct noc_plain p = {.vcs = 1,
                              .vc_depth = 1,
                              .width_bits = 8,
                              .classes = 1,
                              .file = "fuzz.net",
                              .text = text,
                              .text_len = size - 1};
        noc_plain_anynet(&p, &mem, &noc, &cycles, &err);
    } else {
        struct bs_config c;
        bs_defaults(&c);
        bs_parse("fuzz.cfg", text, size - 1, &mem, &c, &err);
    }
    err_free(&err);
    arena_free(&mem);
    return 0;
}
