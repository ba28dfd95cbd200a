/* SPDX-License-Identifier: MIT */
#include "base/units.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

static const struct unit {
    const char *name, *kind;
    double factor; /* to the kind's base unit */
} units[] = {
    {"bit", "bit", 1},
    {"B", "bit", 8},
    {"KB", "bit", 8192.0},
    {"KiB", "bit", 8192.0},
    {"MB", "bit", 8388608.0},
    {"MiB", "bit", 8388608.0},
    {"GB", "bit", 8589934592.0},
    {"GiB", "bit", 8589934592.0},
    {"Hz", "Hz", 1},
    {"kHz", "Hz", 1e3},
    {"MHz", "Hz", 1e6},
    {"GHz", "Hz", 1e9},
    {"m", "m", 1},
    {"mm", "m", 1e-3},
    {"um", "m", 1e-6},
    {"nm", "m", 1e-9},
    {"mm2", "m2", 1e-6},
    {"um2", "m2", 1e-12},
    {"s", "s", 1},
    {"ms", "s", 1e-3},
    {"us", "s", 1e-6},
    {"ns", "s", 1e-9},
    {"ps", "s", 1e-12},
    {"K", "K", 1},
    {"V", "V", 1},
    {"mV", "V", 1e-3},
    {"W", "W", 1},
    {"mW", "W", 1e-3},
    {"uW", "W", 1e-6},
    {"J", "J", 1},
    {"nJ", "J", 1e-9},
    {"pJ", "J", 1e-12},
    {"fJ", "J", 1e-15},
    {"cycle", "cycle", 1},
    {"cycles", "cycle", 1},
    {"GB/s", "B/s", 1e9},
    {"MB/s", "B/s", 1e6},
};

static const struct unit *find(const char *name)
{
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (strcmp(units[i].name, name) == 0)
            return &units[i];
    }
    return NULL;
}

bool units_parse(const char *text, const char *wanted, double *out)
{
    char *end;
    double v = strtod(text, &end);
    if (end == text || !isfinite(v))
        return false;
    while (isspace((unsigned char)*end))
        end++;
    if (*end) {
        const struct unit *from = find(end), *to = find(wanted);
        if (!from || !to || strcmp(from->kind, to->kind) != 0)
            return false;
        v = v * from->factor / to->factor;
    }
    *out = v;
    return true;
}
