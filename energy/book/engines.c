/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "energy/engine.h"

extern const struct engine engine_cacti, engine_dsent, engine_native;

const struct engine *const engines[] = {
    &engine_native,
    &engine_dsent,
    &engine_cacti,
    NULL,
};

const struct engine *engine_find(const char *name)
{
    for (const struct engine *const *e = engines; *e; e++)
        if (strcmp((*e)->name, name) == 0)
            return *e;
    return NULL;
}

bool engine_cannot_cost_router(const struct engine_ctx *ctx, const struct router_spec *spec,
                               struct cost *out, struct err *err)
{
    (void)ctx, (void)spec, (void)out;
    return err_add(err, ERR_INPUT, NOWHERE, "this engine does not cost routers");
}

bool engine_cannot_cost_link(const struct engine_ctx *ctx, const struct link_spec *spec,
                             struct cost *out, struct err *err)
{
    (void)ctx, (void)spec, (void)out;
    return err_add(err, ERR_INPUT, NOWHERE, "this engine does not cost links");
}

bool engine_cannot_cost_array(const struct engine_ctx *ctx, const struct array *array,
                              double clock_ghz, struct cost *out, struct err *err)
{
    (void)ctx, (void)array, (void)clock_ghz, (void)out;
    return err_add(err, ERR_INPUT, NOWHERE, "this engine does not cost arrays");
}
