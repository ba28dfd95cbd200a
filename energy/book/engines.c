/* SPDX-License-Identifier: MIT */
#include "energy/engine.h"

#define X(name) &engine_##name,
const struct engine *const network_engines[] = {NETWORK_ENGINES(X)};
const struct engine *const array_engines[] = {ARRAY_ENGINES(X)};
#undef X

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
