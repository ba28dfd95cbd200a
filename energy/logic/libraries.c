/* SPDX-License-Identifier: MIT */
#include "energy/logic/libraries.h"

void logic_set_make(struct logic_set *out)
{
    for (size_t i = 0; i < out->techs.n; i++)
        cell_lib_make(&out->techs.at[i], &out->libs[i]);
}
