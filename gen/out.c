/* SPDX-License-Identifier: MIT */
#include "gen/out.h"

#include <stdio.h>

#include "base/buf.h"

void out_json(json_t *j, int digits)
{
    json_dumpf(j, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(digits));
    putchar('\n');
    json_decref(j);
}

void out_table(const struct table *t, bool as_json, int digits, struct arena *mem)
{
    if (as_json) {
        out_json(table_json_units(t), digits);
        return;
    }
    struct buf b;
    buf_init(&b, mem, BUF_NO_MAX);
    table_write_text(t, &b);
    fputs(b.data, stdout);
}
