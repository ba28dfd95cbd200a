/* SPDX-License-Identifier: MIT
 *
 * sim/net/fast_impl.h: the inside of the router on bit masks, shared by fast*.c. */
#ifndef CW_SIM_NET_FAST_IMPL_H
#define CW_SIM_NET_FAST_IMPL_H

#include "sim/net/engine_impl.h"

struct net_fast {
    uint64_t *busy;         /* [bit router] */
    uint32_t n_words;       /* of it */
    uint32_t *va_best;      /* [local input VC] VC that granted it in this cycle, or NONE32 */
    struct ivc **bidders;   /* scratch: granted by some VC of one output */
    struct iport **winners; /* scratch: inputs granted by some output */
    bool one;
    void (*step)(struct net *n);
    /* wider routers: sets in words of their own */
    uint32_t in_words, out_words, vc_words;
    uint32_t n_ranges;  /* distinct VC ranges of the classes */
    uint64_t *by_range; /* [(output port * n_ranges + range) * vc_words], with several */
    uint64_t range_mask[NOC_MAX_CLASSES];
    uint8_t range_of[NOC_MAX_CLASSES];
    uint32_t *order;
    struct ivc **unit_first, **unit_next; /* [router], [input VC]: waiting for routing units */
    struct ivc **unit_list;
};

/* The instance of a cycle for this network and this processor (net_fast.c). */
void (*net_fast_choose(const struct net *n))(struct net *);

#endif
