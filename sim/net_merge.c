/* SPDX-License-Identifier: MIT */
#include "base/err.h"
#include "sim/net_impl.h"

bool net_merge_init(struct net *n, const struct net_merge_params *p, struct arena *mem,
                    struct err *err)
{
    (void)n, (void)p, (void)mem;
    return err_add(err, ERR_INPUT, NOWHERE, "not yet");
}
bool net_merge_take(struct net *n, uint32_t ivc)
{
    (void)n, (void)ivc;
    return false;
}
void net_merge_step(struct net *n)
{
    (void)n;
}
bool net_merge_from_table(struct net *n, uint32_t ivc)
{
    (void)n, (void)ivc;
    return false;
}
bool net_merge_holds_grant(const struct net *n, uint32_t packet)
{
    (void)n, (void)packet;
    return false;
}
void net_merge_offer(struct net *n, uint32_t packet, uint64_t key)
{
    (void)n, (void)packet, (void)key;
}
void net_merge_deliver(struct net *n, uint32_t packet)
{
    (void)n, (void)packet;
}
uint32_t net_merge_extra(const struct net *n, uint32_t ivc)
{
    (void)n, (void)ivc;
    return 0;
}
uint64_t net_merge_flits(const struct net *n)
{
    (void)n;
    return 0;
}
uint64_t net_merge_next(const struct net *n)
{
    (void)n;
    return NET_NEVER;
}
