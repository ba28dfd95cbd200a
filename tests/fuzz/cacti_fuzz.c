/* SPDX-License-Identifier: MIT
 *
 * What a program that calls itself cacti may print, and tables of shapes. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "energy/array/columns.h"
#include "energy/array/small.h"
#include "energy/tool/cacti.h"
#include "gen/config/read_tech.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_output(const char *text, struct arena *mem)
{
    for (int searched = 0; searched < 2; searched++) {
        struct amodel_out o;
        const char *version, *words;
        enum cacti_says says = cacti_read(text, "", searched, mem, &o, &version, &words);
        if (says == CACTI_RESULT && !(isfinite(o.access_s) && isfinite(o.area_um2)))
            abort();
        if (says != CACTI_RESULT && !words)
            abort();
    }
}

/* Requests are read, checked and costed by both models where they pass. */
static void read_table(const char *text, size_t size, struct arena *mem)
{
    static struct array_tables tables; /* read once, never freed */
    static struct arena forever;
    struct err err;
    struct csv csv;
    err_init(&err);
    if (!tables.n_nodes) {
        arena_init(&forever, NULL, NULL);
        array_tables_read("cfg/tech/cacti-itrs.cfg", &forever, &tables, &err);
    }
    if (tables.n_nodes && csv_parse_text("fuzz", text, size, mem, &csv, &err))
        for (size_t r = 0; r < csv.n_rows && r < 4; r++) {
            struct amodel_in in = amodel_defaults();
            struct amodel_out o;
            if (!array_csv_request(&csv, r, &in, &err))
                continue;
            struct amodel_in bytes = amodel_in_bytes(&in);
            if (bytes.size_b <= 1 << 14 &&
                amodel_cost(&bytes, &tables, csv_at(&csv, r, NULL), mem, &o, &err) &&
                !(o.area_um2 > 0 && o.access_s > 0 && o.read_j > 0))
                abort();
            if (!small_check(&in, &tables, csv_at(&csv, r, NULL), &err))
                continue;
            small_cost(&in, &tables, mem, &o);
            if (!(o.area_um2 > 0 && isfinite(o.area_um2) && o.access_s > 0 &&
                  isfinite(o.access_s) && o.read_j > 0 && isfinite(o.read_j) && isfinite(o.leak_w)))
                abort();
        }
    err_free(&err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena mem;
    arena_init(&mem, NULL, NULL);
    char *text = arena_alloc(&mem, size + 1);
    memcpy(text, data, size);
    read_output(text, &mem);
    read_table(text, size, &mem);
    arena_free(&mem);
    return 0;
}
