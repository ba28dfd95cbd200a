/* SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <string.h>

#include "sim/cta_sched.h"

const struct cta_sched *const cta_scheds[] = {
    &cta_two_level,
    &cta_global,
    NULL,
};

const struct cta_sched *cta_sched_find(const char *name)
{
    for (const struct cta_sched *const *s = cta_scheds; *s; s++)
        if (strcmp((*s)->name, name) == 0)
            return *s;
    return NULL;
}

void cta_retired_nothing(void *state, uint32_t sm, uint32_t cta)
{
    (void)state;
    (void)sm;
    (void)cta;
}

uint32_t cta_idled_none(void *state, const uint32_t *room)
{
    (void)state;
    (void)room;
    return 0;
}
