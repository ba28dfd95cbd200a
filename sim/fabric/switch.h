/* SPDX-License-Identifier: MIT
 *
 * sim/fabric/switch.h: one input-queued router between up to SWITCH_MAX endpoints, simulated fast
 * and exactly: one virtual channel, iSLIP, routing taken with the arrival, one step each for VC
 * allocation, switch allocation and traversal, two steps per cycle (internal speed-up 2), channels
 * of one cycle. It is what the network engine (sim/net/net.h) computes for a crossbar of that kind,
 * and the interface around it is that of GPGPU-Sim: a short queue of flits at every source, an
 * ejection buffer and a small boundary buffer at every sink. */
#ifndef CW_SIM_FABRIC_SWITCH_H
#define CW_SIM_FABRIC_SWITCH_H

#include <stdbool.h>
#include <stdint.h>

struct arena;
struct one_switch;

struct switch_params {
    uint32_t n;        /* endpoints */
    uint32_t queue;    /* flits waiting at a source */
    uint32_t depth;    /* flits of an input buffer, and of an ejection buffer */
    uint32_t boundary; /* flits of a boundary buffer */
};

struct one_switch *switch_new(const struct switch_params *p, struct arena *mem);
bool switch_can_send(const struct one_switch *s, uint32_t src, uint32_t flits);
void switch_send(struct one_switch *s, uint32_t src, uint32_t dst, uint32_t v, uint32_t flits);

/* One cycle. Afterwards the endpoints of the bit set `arrived` have packets to take. */
void switch_step(struct one_switch *s);
void switch_skip(struct one_switch *s, uint64_t cycles); /* while it is idle */
bool switch_is_idle(const struct one_switch *s);         /* but for packets to be taken */
const uint64_t *switch_arrived(const struct one_switch *s);
uint32_t switch_top(const struct one_switch *s, uint32_t dst); /* one must be there */
uint32_t switch_take(struct one_switch *s, uint32_t dst);

#endif
