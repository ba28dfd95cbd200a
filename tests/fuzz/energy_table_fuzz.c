/* SPDX-License-Identifier: MIT
 *
 * Tables of energies for a book of two classes; what is accepted must survive being written. */
#include "tests/fuzz/command.h"

#include "base/buf.h"
#include "gen/price/energy_table.h"

static void write_and_read(const struct book *book, struct arena *mem)
{
    struct buf text;
    struct err err;
    struct fuzz_file f;
    struct book again = *book;
    buf_init(&text, mem, BUF_NO_MAX);
    energy_table_write(book, TABLE_LIBCONFIG, mem, &text);
    fuzz_file_begin(&f, ".again.cfg", (const uint8_t *)text.data, text.len);
    err_init(&err);
    if (!energy_table_read(f.path, mem, &again, &err))
        abort();
    err_free(&err);
    fuzz_file_end(&f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    if (n > 8192)
        return 0;
    struct book_class classes[2] = {
        {.kind = CK_ROUTER, .name = "router", .group = "noc.request", .instances = 8},
        {.kind = CK_ARRAY, .name = "l1", .group = "l1", .instances = 80}};
    struct cost costs[2];
    for (int k = 0; k < 2; k++) {
        cost_clear(&costs[k]);
        costs[k].engine = "native";
        costs[k].technology = "22 nm";
    }
    costs[0].energy_pj[EV_BUF_WRITE] = 1;
    costs[0].leakage_w[PART_BUFFER] = 1;
    costs[1].energy_pj[EV_ARRAY_READ] = 1;
    struct book book = {classes, costs, 2};
    struct arena mem;
    struct err err;
    struct fuzz_file f;
    arena_init(&mem, NULL, NULL);
    err_init(&err);
    fuzz_file_begin(&f, ".cfg", data, n);
    if (energy_table_read(f.path, &mem, &book, &err))
        write_and_read(&book, &mem);
    else if (!err_any(&err))
        abort();
    fuzz_file_end(&f);
    err_free(&err);
    arena_free(&mem);
    return 0;
}
