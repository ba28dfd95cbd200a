/* SPDX-License-Identifier: MIT
 *
 * Orders of CTAs from arbitrary bytes: refused with a word, or each CTA once. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "sim/cta/order_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static const char *const kernels[] = {"mm", "a", "_Z3addPf", ""};
    struct arena mem;
    struct err err;
    char path[64];
    int fd = memfd_create("order", MFD_CLOEXEC);
    if (fd < 0 || write(fd, data, n) != (ssize_t)n)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    arena_init(&mem, NULL, NULL);
    err_init(&err);
    struct cta_order_file *f = cta_order_file_read(path, &mem, &err);
    if ((f == NULL) != (err.n_errors != 0))
        abort();
    for (uint32_t n_ctas = 1; f && n_ctas <= 8; n_ctas++) {
        const uint32_t *order;
        uint32_t seen = 0;
        size_t before = err.n_errors;
        bool ok = cta_order_file_find(f, kernels[n_ctas % 4], n_ctas, &mem, &order, &err);
        if (ok != (err.n_errors == before))
            abort();
        for (uint32_t i = 0; ok && order && i < n_ctas; i++)
            seen |= 1u << order[i];
        if (ok && order && seen != (1u << n_ctas) - 1)
            abort();
    }
    err_free(&err);
    arena_free(&mem);
    close(fd);
    return 0;
}
