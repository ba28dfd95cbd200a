/* SPDX-License-Identifier: MIT
 *
 * gen/net/booksim_csv.h: whole tables of BookSim2 runs. A row names a `config` (a file in configs/
 * beside the table), `mode`, `offered`, `seed` and `sample_period`; or, with `batch_size`, the
 * parameters of a batch run in columns of their own. `other` holds more, as "key=value" words. */
#ifndef CW_GEN_NET_BOOKSIM_CSV_H
#define CW_GEN_NET_BOOKSIM_CSV_H

#include <stdbool.h>
#include <stdint.h>

struct arena;
struct buf;
struct err;

struct bs_csv_options {
    unsigned threads;
    bool verify, general;
    uint64_t shuffle;
    long long seeds;     /* each row as the mean of so many seeds, starting with its own; 0: 1 */
    struct buf *packets; /* one line per packet of the rows, or NULL */
};

/* Appends the table with its output columns filled to `out`. */
bool bs_csv_run(const char *path, const struct bs_csv_options *options, struct arena *mem,
                struct buf *out, struct err *err);

#endif
