/* SPDX-License-Identifier: MIT */
#include "sim/frame/machine.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/err.h"
#include "sim/frame/wheel.h"

bool machine_fail(struct gpu *g, const char *fmt, ...)
{
    char text[2048];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    g->has_failed = true;
    return err_add(g->err, ERR_MACHINE, NOWHERE, "%s", text);
}

void machine_sleep(struct gpu *g, uint32_t word, uint32_t i, uint64_t until)
{
    if (until == NEVER)
        return;
    size_t slot = wheel_add(g->sleep_any, MACHINE_WHEEL, until, g->now);
    g->sleepers[slot * g->words + word + i / 64] |= (uint64_t)1 << (i % 64);
}

void machine_cta_retired(struct gpu *g, uint32_t launch, uint32_t sm, uint32_t cta)
{
    struct launch *l = &g->launches[launch];
    l->n_retired++;
    g->done_ctas++;
    l->sched->retired(l->state, sm, cta);
    g->must_place = true;
}

void machine_watch(struct gpu *g, const struct sim_probe *probe)
{
    assert(g->n_probes < MACHINE_PROBES);
    g->probes[g->n_probes++] = *probe;
}

bool machine_plug(struct gpu *g, const struct cluster_hooks *hooks, const char *key,
                  struct err *err)
{
    if (g->hooks.ctx)
        return err_add(err, ERR_INPUT, (struct where){NULL, 0, key},
                       "another structure has the port of the clusters; there is one place");
    g->hooks = *hooks;
    return true;
}
