/* SPDX-License-Identifier: MIT */
#include "energy/logic_set.h"

bool logic_set_make(const char *data_dir, struct logic_set *out, struct err *err)
{
    if (!logic_techs_read(data_dir, &out->techs, err))
        return false;
    for (size_t i = 0; i < out->techs.n; i++)
        cell_lib_make(&out->techs.at[i], &out->libs[i]);
    return true;
}
