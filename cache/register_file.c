/* SPDX-License-Identifier: MIT */
#include "cache/register_file.h"

#define LANES 32u
#define REGISTER_BITS 32u
#define BANKS 16u /* Fermi to Volta, as GPGPU-Sim models them */

void register_file_array(uint32_t registers, struct array *out)
{
    *out = (struct array){
        .kind = ARRAY_REGISTERS,
        .entries = (registers + LANES - 1) / LANES,
        .banks = BANKS,
        .read_ports = 1,
        .write_ports = 1,
        .one_cycle = true,
    };
    array_add_field(out, "lanes", LANES * REGISTER_BITS);
}
