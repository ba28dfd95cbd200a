/* SPDX-License-Identifier: MIT */
#include "gen/explore/outcome.h"

bool outcome_write_page(const struct search *s, const struct outcome_page *page, struct arena *mem,
                        struct err *err)
{
    (void)s, (void)page, (void)mem, (void)err;
    return true;
}
