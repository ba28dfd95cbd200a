/* SPDX-License-Identifier: MIT
 *
 * sim/events.h: what can be counted, and which kind of component owns the count. The contract
 * between sim/ (which counts) and energy/ (which prices): every event that a component can count
 * has a cost row in the book, and every row can be counted; tests/unit/events_test.c proves it.
 *
 * Counters are uint64_t counts[EV_COUNT] per component instance that owns the event. */
#ifndef CW_SIM_EVENTS_H
#define CW_SIM_EVENTS_H

#include <stdbool.h>

/* Kinds of components. A component instance has one id (its index in struct design.components),
 * valid in design, book and counters alike, and belongs to one class of equal parts. */
#define COMPONENT_KINDS(X)                                                                         \
    X(ROUTER, "router")                                                                            \
    X(CHANNEL, "channel")                                                                          \
    X(ARRAY, "array")                                                                              \
    X(SM_CORE, "SM core")                                                                          \
    X(MEMORY_CONTROLLER, "memory controller")                                                      \
    X(DRAM, "DRAM channel")                                                                        \
    X(USER, "user component")

enum component_kind {
#define X(id, text) CK_##id,
    COMPONENT_KINDS(X)
#undef X
        CK_COUNT
};

/* id, text, owner, meaning. Clock cycles of routers are events too, so that clock power follows
 * time and frequency. */
#define SIM_EVENTS(X)                                                                              \
    X(BUF_WRITE, "buffer write", ROUTER, "a flit is written into an input buffer")                 \
    X(BUF_READ, "buffer read", ROUTER, "a flit is read from an input buffer")                      \
    X(XBAR, "crossbar traversal", ROUTER, "a flit crosses the switch")                             \
    X(VC_ALLOC, "VC allocation", ROUTER, "a head flit bids for an output VC in a cycle")           \
    X(SW_ALLOC, "switch allocation", ROUTER, "a flit bids for the switch in a cycle")              \
    X(MERGE_SEARCH, "merge search", ROUTER, "a request is compared with the router's merge table") \
    X(MERGE_HOLD, "merge hold", ROUTER, "a request goes into the merge table and leaves it")       \
    X(ROUTER_CLOCK, "router clock", ROUTER, "one cycle of the network's clock")                    \
    X(ROUTER_OFF, "router off", ROUTER, "cycles it is switched off, less what waking takes")       \
    X(BUF_GATED, "buffer, gated", ROUTER, "bytes of flits that carry nothing: not buffered")       \
    X(XBAR_GATED, "crossbar, gated", ROUTER, "bytes of flits that carry nothing: do not cross it") \
    X(LINK, "link traversal", CHANNEL, "a flit travels over the whole channel")                    \
    X(LINK_GATED, "link, gated", CHANNEL, "bytes of flits that carry nothing: not driven")         \
    X(ARRAY_READ, "array read", ARRAY, "one entry (or line) is read")                              \
    X(ARRAY_WRITE, "array write", ARRAY, "one entry (or line) is written")                         \
    X(ARRAY_SEARCH, "array search", ARRAY, "tags are compared with a key")                         \
    X(INST_INT, "integer instruction", SM_CORE, "thread instructions executed")                    \
    X(INST_INT_MUL, "integer multiply", SM_CORE, "thread instructions executed")                   \
    X(INST_INT_DIV, "integer divide", SM_CORE, "thread instructions executed")                     \
    X(INST_FP32, "single precision", SM_CORE, "thread instructions executed")                      \
    X(INST_FP64, "double precision", SM_CORE, "thread instructions executed")                      \
    X(INST_FP16, "half precision", SM_CORE, "thread instructions executed")                        \
    X(INST_SFU, "special function", SM_CORE, "thread instructions executed")                       \
    X(INST_TENSOR, "tensor", SM_CORE, "lanes of steps of 256 products executed")                   \
    X(INST_MEM, "memory instruction", SM_CORE, "thread memory instructions executed")              \
    X(INST_OTHER, "other instruction", SM_CORE, "branches, barriers, shuffles, …: thread level")   \
    X(WARP_ISSUE, "warp issue", SM_CORE, "warp instructions issued: fetch, decode, schedule")      \
    X(COALESCED_READ, "coalesced read", SM_CORE, "loads that the coalescer hands to the L1")       \
    X(COALESCED_WRITE, "coalesced write", SM_CORE, "stores that the coalescer hands to the L1")    \
    X(SM_ACTIVE, "SM active", SM_CORE, "cycles with at least one warp resident")                   \
    X(SM_IDLE, "SM idle", SM_CORE, "cycles with no warp resident")                                 \
    X(MC_READ, "MC read", MEMORY_CONTROLLER, "read bursts passing the controller")                 \
    X(MC_WRITE, "MC write", MEMORY_CONTROLLER, "write bursts passing the controller")              \
    X(DRAM_ACTIVATE, "activate", DRAM, "row activations")                                          \
    X(DRAM_PRECHARGE, "precharge", DRAM, "row closings")                                           \
    X(DRAM_READ, "DRAM read", DRAM, "read bursts")                                                 \
    X(DRAM_WRITE, "DRAM write", DRAM, "write bursts")                                              \
    X(DRAM_IO, "DRAM pins", DRAM, "bursts over the pins, read or written")                         \
    X(DRAM_REFRESH, "refresh", DRAM, "cycles of its command clock, in which refreshes go on")      \
    X(DRAM_BACKGROUND, "background", DRAM, "cycles of the DRAM's command clock")                   \
    X(USER_EVENT, "user event", USER, "counted by the expression the user gave")

enum sim_event {
#define X(id, text, owner, meaning) EV_##id,
    SIM_EVENTS(X)
#undef X
        EV_COUNT
};

const char *event_text(enum sim_event e);
const char *event_id(enum sim_event e); /* "BUF_WRITE", as in energy tables */
enum component_kind event_owner(enum sim_event e);
/* Its price is what is saved of the price of another: the account subtracts it. */
static inline bool event_saves(enum sim_event e)
{
    return e == EV_ROUTER_OFF || e == EV_BUF_GATED || e == EV_XBAR_GATED || e == EV_LINK_GATED;
}
const char *component_kind_text(enum component_kind k);

#endif
