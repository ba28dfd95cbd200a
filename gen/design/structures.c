/* SPDX-License-Identifier: MIT */
#include "gen/design/structures.h"

#include "base/arena.h"
#include "cache/structure.h"

static struct network_size size_of(const struct noc *noc)
{
    struct network_size s = {.routers = noc->n_routers,
                             .vcs = noc->vcs,
                             .vc_depth = noc->vc_depth,
                             .width_bits = noc->width_bits};
    for (uint32_t i = 0; i < noc->n_routers; i++)
        if (noc->routers[i].kind != NOC_TAP)
            s.inputs += noc->routers[i].n_in;
    if (noc->flow == NOC_TOKEN) { /* the queues at the slices */
        s.vcs = 1;
        s.vc_depth = noc->queue_flits;
    }
    return s;
}

void structures_make(const struct arch *arch, struct design *out, struct arena *mem)
{
    struct structure_params p = {
        .gpu = &arch->gpu,
        .sm = &arch->sm,
        .l1 = &arch->l1,
        .coalescer = &arch->coalescer,
        .cluster = &arch->cluster,
        .llc = &arch->llc,
        .dram = &arch->dram,
        .merge = &arch->noc[NOC_REQUEST].merge,
        .arrays = arch->arrays,
        .request = size_of(&out->request),
    };
    if (out->has_reply)
        p.reply = size_of(&out->reply);
    out->arrays = arena_many(mem, struct design_array, ROLE_COUNT);
    out->n_arrays = 0;
    for (int role = 0; role < ROLE_COUNT; role++) {
        struct design_array *a = &out->arrays[out->n_arrays];
        a->role = (enum array_role)role;
        out->n_arrays += structure_make(a->role, &p, &a->geometry);
    }
}
