/* SPDX-License-Identifier: MIT */
#include "cache/register_file.h"

#include "cache/structure.h"

#define LANES 32u
#define SLICE_LANES 4u /* 128 bits: the banks of GPUWattch, and of Gebhart et al., MICRO 2011 */
#define REGISTER_BITS 32u
#define USUAL_BANKS 16u /* Fermi to Volta, as GPGPU-Sim models them */

void register_file_array(uint32_t registers, uint32_t banks, uint32_t ports, struct array *out)
{
    *out = (struct array){
        .kind = ARRAY_REGISTERS,
        .entries = (registers + LANES - 1) / LANES,
        .banks = banks ? banks : USUAL_BANKS,
        .slices = LANES / SLICE_LANES,
        .rw_ports = ports,
        .one_cycle = true,
    };
    array_add_field(out, "lanes", LANES * REGISTER_BITS);
}

bool register_file_geometry(const struct structure_params *p, struct array *out)
{
    register_file_array(p->sm->registers, p->sm->register_banks, p->sm->register_ports, out);
    if (!p->sm->price_collectors)
        return true;
    uint32_t groups = p->sm->sub_cores ? p->sm->schedulers : 1;
    if (out->banks % groups)
        groups = 1;
    out->groups = groups;
    out->collectors = (p->sm->collectors + groups - 1) / groups;
    return true;
}
