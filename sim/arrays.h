/* SPDX-License-Identifier: MIT
 *
 * sim/arrays.h: THE table of arrays: every storage structure a design can have. From a row come its
 * role, its place in elaboration, in the counters and in the energy account; a row of which one of
 * its functions is missing does not link. To add one: its file, its row, its key (docs/adding-a-
 * structure.md).
 *
 *   NAME_geometry   has a design one, and how large is it?     cache/structure.h
 *   NAME_events     what was done to one of them in a run      sim/frame/array_events.h */
#ifndef CW_SIM_ARRAYS_H
#define CW_SIM_ARRAYS_H

#include <stdbool.h>
#include <stdint.h>

/* Where one is: id, text in outputs. Instances are numbered by what they are per: the L1 of SM 7 is
 * instance 7. */
#define ARRAY_SCOPES(X)                                                                            \
    X(SM, "per SM")                                                                                \
    X(CLUSTER, "per cluster")                                                                      \
    X(REQUEST_ROUTER, "per request router")                                                        \
    X(REQUEST_INPUT, "per request router input")                                                   \
    X(REPLY_INPUT, "per reply router input")                                                       \
    X(LLC_SLICE, "per LLC slice")                                                                  \
    X(MEMORY_CONTROLLER, "per memory controller")

/* id, name (in outputs and of its functions), where one is, events it counts. WITH_ROUTER: it is
 * listed, but no component of its own: priced and counted with its router, it has no NAME_events.
 * The order is that of component ids and of outputs. */
#define ARRAYS(X)                                                                                  \
    X(REGISTER_FILE, register_file, SM, READ_WRITE)                                                \
    X(SHARED_MEMORY, shared_memory, SM, READ_WRITE)                                                \
    X(L1, l1, SM, READ_WRITE_SEARCH)                                                               \
    X(L1_MSHR, l1_mshr, SM, READ_WRITE_SEARCH)                                                     \
    X(WP_INSTRUCTIONS, warppool_instruction_queues, SM, READ_WRITE)                                \
    X(WP_COALESCERS, warppool_coalescers, SM, READ_WRITE)                                          \
    X(WP_MERGE_QUEUES, warppool_merge_queues, SM, READ_WRITE_SEARCH)                               \
    X(WP_THREAD_MAPS, warppool_thread_map_table, SM, READ_WRITE)                                   \
    X(WP_MSHR_METADATA, warppool_mshr_metadata, SM, READ_WRITE)                                    \
    X(MRPB, mrpb_queues, SM, READ_WRITE)                                                           \
    X(MERGE_TABLE, merge_table, CLUSTER, READ_WRITE_SEARCH)                                        \
    X(COALESCED_CACHE, coalesced_cache, CLUSTER, READ_WRITE_SEARCH)                                \
    X(REQUEST_BUFFERS, request_vc_buffers, REQUEST_INPUT, WITH_ROUTER)                             \
    X(REPLY_BUFFERS, reply_vc_buffers, REPLY_INPUT, WITH_ROUTER)                                   \
    X(PACKET_MERGE, packet_merge_table, REQUEST_ROUTER, WITH_ROUTER)                               \
    X(L2, l2, LLC_SLICE, READ_WRITE_SEARCH)                                                        \
    X(L2_MSHR, l2_mshr, LLC_SLICE, READ_WRITE_SEARCH)                                              \
    X(DRAM_QUEUE, dram_queue, MEMORY_CONTROLLER, READ_WRITE_SEARCH)                                \
    X(DRAM_BANK_QUEUES, dram_bank_queues, MEMORY_CONTROLLER, READ_WRITE)

/* Units that plug themselves into the machine when it is made (sim/frame/hooks.h): NAME_attach. */
#define PLUG_INS(X) X(icc)

enum array_scope {
#define X(id, text) PER_##id,
    ARRAY_SCOPES(X)
#undef X
        ARRAY_SCOPE_COUNT
};

enum array_role {
#define X(id, name, scope, events) ROLE_##id,
    ARRAYS(X)
#undef X
        ROLE_COUNT
};

enum array_counting { COUNTS_WITH_ROUTER, COUNTS_READ_WRITE, COUNTS_READ_WRITE_SEARCH };

/* What the keys of an array say; one that needs more has fields in a params struct (sim/params.h).
 */
struct array_size {
    uint32_t entries; /* 0: there is none */
    uint32_t cycles;  /* latency; 0: from the cost model */
};

/* What was done to an array. */
struct array_counts {
    uint64_t reads, writes, searches;
};

const char *array_role_name(enum array_role role);
enum array_scope array_role_scope(enum array_role role);
bool array_role_is_in_router(enum array_role role); /* priced and counted with it */
/* The events that are counted where every mechanism of the array is at work: 0 or 1 each. */
struct array_counts array_role_events(enum array_role role);
const char *array_scope_text(enum array_scope scope); /* "per SM" */

#endif
