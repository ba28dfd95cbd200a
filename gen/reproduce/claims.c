/* SPDX-License-Identifier: MIT */
#include "gen/reproduce/claims.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/csv.h"
#include "base/file.h"
#include "base/near.h"

static const char *const measures[] = {
#define X(id, name) name,
    CLAIM_MEASURES(X)
#undef X
};

bool claim_measure_read(const char *name, struct where at, struct arena *mem,
                        enum claim_measure *out, struct err *err)
{
    for (int i = 0; i < CLAIM_MEASURES_COUNT; i++) {
        if (strcmp(measures[i], name) == 0) {
            *out = (enum claim_measure)i;
            return true;
        }
    }
    return err_add(err, ERR_INPUT, at, "unknown measure '%s'%s", name,
                   near_hint(name, measures, CLAIM_MEASURES_COUNT, mem));
}

bool claims_read(const char *data_dir, const char *paper, struct arena *mem, struct claims *out,
                 struct err *err)
{
    enum {
        ID,
        SECTION,
        WORKLOAD,
        METRIC,
        CONFIGURATION,
        BASELINE,
        VALUE,
        UNIT,
        KIND,
        FIGURE,
        MEASURE,
        N
    };
    static const char *const columns[N] = {"id",
                                           "section_or_figure",
                                           "workload",
                                           "metric",
                                           "configuration",
                                           "baseline",
                                           "value",
                                           "unit",
                                           "kind",
                                           "figure",
                                           "measure"};
    struct csv csv;
    int at[N];
    bool ok = true;
    const char *file =
        path_join(mem, data_dir, arena_printf(mem, "cfg/paper/%s/claims.csv", paper));
    if (!csv_read(file, mem, &csv, err) || !csv_columns(&csv, columns, N, at, err))
        return false;
    struct claims c = {.file = file, .at = arena_many(mem, struct claim, csv.n_rows)};
    for (size_t row = 0; row < csv.n_rows; row++) {
        const char **f = csv.rows[row];
        struct claim *claim = &c.at[c.n++];
        *claim = (struct claim){.id = f[at[ID]],
                                .section = f[at[SECTION]],
                                .workload = f[at[WORKLOAD]],
                                .metric = f[at[METRIC]],
                                .configuration = f[at[CONFIGURATION]],
                                .baseline = f[at[BASELINE]],
                                .value = f[at[VALUE]],
                                .unit = f[at[UNIT]],
                                .kind = f[at[KIND]],
                                .figure = f[at[FIGURE]],
                                .line = csv.lines[row]};
        ok &= claim_measure_read(f[at[MEASURE]], csv_at(&csv, row, "measure"), mem, &claim->measure,
                                 err);
    }
    if (ok)
        *out = c;
    return ok;
}

bool claim_is_of_figure(const struct claim *c, const char *figure)
{
    size_t n = strlen(figure);
    for (const char *at = c->figure; *at;) {
        size_t len = strcspn(at, " ");
        if (len == n && strncmp(at, figure, n) == 0)
            return true;
        at += len + (at[len] == ' ');
    }
    return false;
}

double claim_number(const char *text, char *sign)
{
    char *end;
    *sign = 0;
    if (*text == '<' || *text == '>')
        *sign = *text++;
    else if (*text == '~')
        text++;
    double v = strtod(text, &end);
    return end != text && *end == '\0' ? v : NAN;
}
