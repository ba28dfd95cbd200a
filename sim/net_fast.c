/* SPDX-License-Identifier: MIT */
#include "sim/net_impl.h"
bool net_fast_can(const struct net *n)
{
    (void)n;
    return false;
}
bool net_fast_init(struct net *n, struct arena *mem, struct err *err)
{
    (void)n, (void)mem, (void)err;
    return false;
}
void net_fast_step(struct net *n)
{
    (void)n;
}
bool net_fast_is_busy(const struct net *n)
{
    (void)n;
    return false;
}
