/* SPDX-License-Identifier: MIT
 *
 * Tables of technology from arbitrary bytes: the first says which reader has the rest. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/arena.h"
#include "energy/book/dram_cost.h"
#include "energy/scaling.h"
#include "energy/vf_curve.h"
#include "gen/config/read_tech.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
const char *__lsan_default_suppressions(void);

/* libconfig loses a buffer on some syntax errors. */
const char *__lsan_default_suppressions(void)
{
    return "leak:libconfig";
}

static bool read_one(uint8_t which, const char *path, struct arena *mem, struct err *err)
{
    struct tech_scaling s;
    struct vf_curves c;
    struct vf_curve curve;
    struct dram_energies d;
    struct logic_tech t;
    bool ok;
    switch (which % 4) {
    case 0:
        ok = scaling_read(path, mem, &s, err);
        if (ok && scaling_check(&s, 12, "node", err) && !(scaling_at(&s, SCALE_energy, 12) > 0))
            abort();
        return ok && !err->n_errors;
    case 1:
        ok = vf_curves_read(path, mem, &c, err);
        if (ok && vf_curve_find(&c, 12, &curve) && vf_curve_volt(&curve, 1) <= 0)
            abort();
        return ok;
    case 2: return dram_energies_read(path, mem, &d, err);
    default: return logic_tech_read(path, &t, err);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct arena mem;
    struct err err;
    char path[64];
    if (n < 1)
        return 0;
    int fd = memfd_create("technology", 0);
    if (fd < 0 || write(fd, data + 1, n - 1) != (ssize_t)(n - 1))
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    arena_init(&mem, NULL, NULL);
    err_init(&err);
    bool ok = read_one(data[0], path, &mem, &err);
    if (ok != !err.n_errors)
        abort();
    err_free(&err);
    arena_free(&mem);
    close(fd);
    return 0;
}
