/* SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <string.h>

#include "sim/sm/pipeline.h"

const struct pipeline *const pipelines[] = {&pipeline_computed, &pipeline_stepped, NULL};

const struct pipeline *pipeline_find(const char *name)
{
    for (const struct pipeline *const *p = pipelines; *p; p++)
        if (!strcmp((*p)->name, name))
            return *p;
    return NULL;
}
