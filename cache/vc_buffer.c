/* SPDX-License-Identifier: MIT
 *
 * The virtual channel buffers of one router input. Priced with their router. */
#include "cache/structure.h"

static bool vc_buffers(const struct network_size *n, struct array *out)
{
    if (!n->routers)
        return false;
    *out = (struct array){
        .kind = ARRAY_QUEUE,
        .entries = (uint64_t)n->vcs * n->vc_depth,
        .banks = 1,
        .read_ports = 1,
        .write_ports = 1,
        .one_cycle = true,
    };
    array_add_field(out, "flit", n->width_bits);
    return true;
}

bool request_vc_buffers_geometry(const struct structure_params *p, struct array *out)
{
    return vc_buffers(&p->request, out);
}

bool reply_vc_buffers_geometry(const struct structure_params *p, struct array *out)
{
    return vc_buffers(&p->reply, out);
}
