/* SPDX-License-Identifier: MIT */
#include "cache/structure.h"

static bool (*const geometries[ROLE_COUNT])(const struct structure_params *, struct array *) = {
#define X(id, name, scope, events) [ROLE_##id] = name##_geometry,
    ARRAYS(X)
#undef X
};

static uint32_t instances(enum array_scope scope, const struct structure_params *p)
{
    switch (scope) {
    case PER_SM: return p->gpu->n_sms;
    case PER_CLUSTER: return p->gpu->n_clusters;
    case PER_REQUEST_ROUTER: return p->request.routers;
    case PER_REQUEST_INPUT: return p->request.inputs;
    case PER_REPLY_INPUT: return p->reply.inputs;
    case PER_LLC_SLICE: return p->llc->slices;
    case PER_MEMORY_CONTROLLER: return p->dram->controllers;
    case ARRAY_SCOPE_COUNT: break;
    }
    return 0;
}

bool structure_make(enum array_role role, const struct structure_params *p, struct array *out)
{
    if (!geometries[role](p, out))
        return false;
    out->name = array_role_name(role);
    out->scope = array_role_scope(role);
    out->instances = instances(out->scope, p);
    return true;
}
