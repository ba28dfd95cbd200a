/* SPDX-License-Identifier: MIT
 *
 * sim/params.h: what the machine is built from, one struct per part. gen/ fills them from the key
 * table; nothing below gen/ knows libconfig. A field is added together with the mechanism that
 * reads it and with its row in the key table. */
#ifndef CW_SIM_PARAMS_H
#define CW_SIM_PARAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/choices.h"

#define SWITCH_MAX 512u /* endpoints of gpu.network = switch: whole words of 64 */

struct gpu_params {
    uint32_t n_sms, n_clusters; /* a cluster is the SMs behind one network port */
    double core_ghz, l2_ghz, dram_ghz;
    uint32_t address_bits;
    enum gpu_network network;
    enum gpu_generation generation; /* what latencies without a key are taken from */
    uint32_t switch_queue, switch_depth, switch_boundary; /* flits */
    uint32_t local_depth;   /* packets in each of its input and output buffers */
    uint32_t local_cycles;  /* its latency beyond the one cycle of the switch */
    bool local_serial;      /* one flit per cycle through each of its inputs and outputs */
    uint32_t header_bytes;  /* of a packet, besides data */
    uint32_t launch_cycles; /* between a kernel's start and its first CTA */
    const char *card;       /* whose measurements it is held against; "": none */
};

struct sm_params {
    uint32_t warps, threads, ctas; /* contexts */
    uint32_t registers, shared_bytes, shared_banks;
    uint32_t schedulers;
    enum warp_policy scheduler;
    uint32_t issue_per_scheduler;
    bool issue_same_unit; /* instructions of one warp in a cycle may go to one kind of unit */
    uint32_t warp_limit;  /* static warp limiting (CCWS-SWL); 0: none */
    /* per unit: latency and initiation interval in cycles, by enum trace_class order in sm.c */
    uint32_t int_latency, int_interval, fp32_latency, fp32_interval, fp64_latency, fp64_interval;
    uint32_t sfu_latency, sfu_interval, tensor_latency, tensor_interval;
    /* results of an SM in a cycle, of what does not go at its unit's rate; 0: it does */
    uint32_t fp16_lanes, int_mul_lanes, shift_lanes, bits_lanes, convert_lanes, convert64_lanes;
    uint32_t shuffle_lanes, barrier_lanes;
    uint32_t shuffle_latency, barrier_latency; /* 0: as an integer operation; none */
    enum unit_choice int_mul_unit, bits_unit;  /* bits: conversions, too */
    uint32_t predicate_latency;                /* to what goes by it; 0: as any result */
    uint32_t jump_cycles;                      /* until the warp's next instruction */
    bool bypass;             /* computed pipeline: a result goes to the next instruction at once */
    uint32_t shared_latency; /* 0: pipeline and array */
    uint32_t shared_pipeline;

    uint32_t fp32_units, int_units, fp64_units, sfu_units, tensor_units, branch_units;
    /* 0 integer units: the fp32 units; 0 fp64: the sfu; 0 tensor: the fp32; 0 branch: integer */
    uint32_t branch_latency, branch_interval;
    uint32_t uniform_units, uniform_latency, uniform_interval; /* 0 units: integer */
    uint32_t texture_units, texture_interval; /* 0 units: the load/store unit and a cache */
    bool sub_cores;        /* units, collectors and register banks belong to a scheduler */
    bool fence_flushes_l1; /* a fence waits for loads only and empties the L1 */
    enum sm_pipeline pipeline;
    uint32_t collector_ports, sfu_collectors, result_buses; /* stepped only; 0 buses: no limit */
    uint32_t fp64_collectors, fp64_ports, sfu_ports;        /* stepped only; 0 collectors: as all */
    uint32_t fetches;           /* fetches of two instructions per cycle; 0: never a limit */
    uint32_t collectors;        /* operand collectors of a kind of unit, or of a sub-core */
    uint32_t memory_collectors; /* of the load/store unit where they are not shared */
    bool price_collectors;      /* with the switch between register banks and them */
    uint32_t register_banks;    /* 0: no conflicts */
    uint32_t register_ports;    /* steps of the operand collectors per cycle */
    uint32_t icache_bytes, icache_ways, icache_line, icache_mshr; /* 0 bytes: perfect */
    uint32_t icache_merges; /* warps that may wait for one line */
    uint32_t const_bytes, const_ways, const_line, const_cycles; /* 0 bytes: perfect */
    uint32_t texture_bytes, texture_ways, texture_cycles;       /* 0 bytes: perfect */
};

struct l1_params {
    uint32_t bytes, ways, line_bytes, sector_bytes; /* sector_bytes = line_bytes: not sectored */
    uint32_t mshr_entries, mshr_merges;
    uint32_t banks;
    enum l1_write write;
    enum l1_index index;
    uint32_t hit_cycles;      /* 0: pipeline and array */
    uint32_t pipeline_cycles; /* around the array; not what the SM itself simulates */

    uint32_t lookup_cycles;    /* until the tags are compared; 0: at once. At most hit_cycles */
    uint32_t tags_per_cycle;   /* each for all sectors of its line; 0: an access for each bank */
    uint32_t misses_per_cycle; /* loads of all banks that search the MSHRs; 0: no limit */
    uint32_t miss_queue;       /* requests waiting for the cluster's port */
    uint32_t responses;        /* replies buffered at the SM */
    bool write_allocate;    /* a store miss takes a line; partial sectors are fetched when read */
    uint32_t dirty_percent; /* written lines are kept until they are this share; 0: no rule */
    uint32_t unified_bytes; /* L1 and shared memory share it; 0: they do not */
    const char *carve_outs; /* legal sizes of shared memory then, in KB: "0,8,16,32,64,96" */
    bool join_sectors;      /* sectors of a line that one instruction misses are one request */
    enum l1_allocate allocate;
    bool keeps_lines;           /* from one kernel to the next */
    bool bypass_skips_pipeline; /* what passes the L1 does not go through its pipeline */
    bool bypass_global_loads;   /* global loads do not look into the L1 */
    bool tags_first;            /* the tags are compared before one way of the data is read */
    const char *bypass_loads; /* global loads that pass it: "streams", "KERNEL:LINE …"; "": none */
    uint32_t slot_groups;     /* of CTA slots, each with a part of the L1 to itself; 1: one L1 */
};

struct coalescer_params {
    enum coalescer_kind kind;
    enum coalesce_by rule;
    /* WarpPool */
    uint32_t wp_queues, wp_queue_depth, wp_coalescers;
    uint32_t wp_merge_queues, wp_tags, wp_merges;
    uint32_t wp_thread_maps, wp_writeback;
    enum warppool_policy wp_policy;
    uint32_t wp_quantum;    /* cycles between two looks at the miss rate */
    double wp_toggle_share; /* of the last quantum's miss rate */
    /* MRPB */
    uint32_t mrpb_queues, mrpb_depth;
};

struct cluster_params {
    bool is_unbuffered; /* no injection buffer: requests stay in the SM until the network takes them
                         */
    uint32_t inject_depth, response_depth; /* flits or packets at the shared port */
    const char *concentrator;              /* "hardware" or "free" */
};

struct llc_params {
    uint32_t slices, slices_per_mc;
    uint32_t bytes, ways, line_bytes, sector_bytes; /* of one slice */
    uint32_t banks, mshr_entries, mshr_merges, queue_depth;
    enum llc_hash hash;       /* how addresses choose a slice */
    uint32_t hit_cycles;      /* 0: pipeline and array */
    uint32_t pipeline_cycles; /* of the slice and of the way to and from the network */

    enum llc_index index; /* how addresses choose a set */
    uint32_t interleave;  /* consecutive bytes of one controller */
    uint32_t miss_queue;  /* requests between the tags and the queue to the DRAM */
    uint32_t dram_queue;  /* to and from the DRAM, and of replies to the network */
    uint32_t
        evict_port_bytes; /* of the data; a dirty line that a store evicts holds it. 0: no limit */
    uint32_t dirty_percent;     /* of a slice's lines may be dirty; 100: all */
    uint32_t atomic_cycles;     /* between two operations of lanes on one word; 0: all at once */
    bool miss_before_writeback; /* a read that misses goes to the DRAM before the line it evicts */
    bool sectors_one_by_one;    /* a line's sectors are looked up, and answered, one by one */
    bool host_copies_fill;      /* copies from the host leave their lines in the L2 */
    bool tags_first;            /* the tags are compared before one way of the data is read */
    bool far_copies;            /* a half of the chip keeps copies of the other half's lines */
};

struct dram_params {
    const char *kind; /* technology whose organisation and timing it has; "none": keys say all */
    uint32_t controllers, banks, bank_groups, ranks;
    uint32_t row_bytes, bus_bytes, burst; /* bus_bytes per controller and half clock */
    enum dram_policy scheduler;
    uint32_t queue, bank_queue;
    /* writes apart: served from `high` waiting ones until fewer than `low` are left; 0: together */
    uint32_t write_queue, write_high, write_low;
    enum dram_bank_hash bank_hash;                       /* of the row's low bits */
    uint32_t tcl, trp, trc, tras, trcd, trrd, tccd, twr; /* command clock cycles */
    uint32_t tccd_l, trtp, twtr, tfaw, tcwl;             /* 0: not modelled */
    uint32_t trefi, trfc; /* in which all banks are refreshed, and what one takes; 0: none */
    enum dram_refresh refresh;
    uint32_t controller_cycles;

    const char *map;       /* GPGPU-Sim's address map, R B C S from the top; "": simple */
    uint32_t returns;      /* replies waiting in the controller */
    bool dual_command_bus; /* a row and a column command in one cycle (HBM) */
};

#define CTA_AGENTS_VOTE UINT32_MAX

/* Which CTAs run on one SM: sim/cta/partition.h. */
struct cta_clustering_params {
    enum cta_clustering mode;
    enum cta_index index;               /* the order in which neighbours have common data */
    uint32_t tile;                      /* CTAs of a tile's edge */
    uint32_t active_agents;             /* of an SM; 0: all that fit; CTA_AGENTS_VOTE */
    uint32_t task_cycles, start_cycles; /* an agent's work for a task, and before its first */
    const char *order;                  /* file of index "file" */
    uint32_t prefetch; /* loads of its next task that a warp of an agent prefetches; 0: none */
    uint32_t prefetch_insts; /* integer instructions that find the addresses of each */
};

struct cta_params {
    enum cta_policy scheduler;
    uint32_t block;       /* CTAs launched together by the block policies */
    enum cta_share share; /* several kernels at once */
    uint32_t limit;       /* CTAs of an SM; 0: what fits */
    uint32_t stagger;     /* CTA b begins b times as many cycles after it was placed */
    struct cta_clustering_params clustering;
};

/* What nobody would build or choose, but GPGPU-Sim and Accel-Sim do. */
struct compat_params {
    bool ptx_as_is;                  /* workloads are traced as PTX has their instructions */
    bool kernels_share_code_address; /* the code of all kernels of a program begins at one */
    enum clock_edges clock_edges;    /* summed: sim/frame/clock.h */
    bool atomics_stall_warp;         /* reductions and atomics of shared memory, too */
    bool constant_loads_are_int, texture_loads_are_int; /* integer operations without a cache */
    bool dram_turn_moves_in_clock; /* the turn of banks moves within a clock, too */
    bool bank_group_in_low_bits;   /* of the bank number */
    bool cta_turn_goes_on;         /* the first CTA of a kernel goes where the one before stopped */
    enum cluster_order cluster_order; /* of its SMs: a bus, or one after the other */
    bool dram_write_before_trcd;      /* a write may follow its activate after tRCD - (tCWL + 1) */
};

/* Router microarchitecture, as simulated. */
struct router_params {
    uint32_t routing_delay, vc_alloc_delay, sw_alloc_delay, st_delay, credit_delay;
    bool speculative, lookahead;
    enum router_allocator allocator;
    enum router_arbiter arbiter;
    uint32_t iterations;
    uint32_t input_speedup, output_speedup, internal_speedup;
    uint32_t extra_alloc; /* FC-Real: cycles by which an allocation blocks its ports longer */
    /* power gating: a router that has been idle for so long is switched off (0: never), wakes in so
     * many cycles, and must be off for so many to save anything */
    uint32_t gate_after, wake_cycles, gate_break_even;
    double gate_saved;          /* share of its leakage that is not there while it is off */
    enum source_vcs source_vcs; /* of an interface: packets on all its VCs at once, or on one */
};

/* Packet coalescing in routers: read requests to one DRAM row wait for each other and travel as one
 * big packet. */
struct packet_merge_params {
    uint32_t entries;        /* of the merge table of a router; 0: none */
    uint32_t max_flits;      /* of a big packet */
    enum merge_slack slack;  /* how long requests are held on their way */
    uint32_t cycles_per_hop; /* fixed delay per hop, and what the dynamic rule distributes */
    uint32_t per_flit;       /* requests in one flit of a big packet */
    bool hold_grant;         /* a big packet keeps its output until its tail has left */
    bool delay_only;         /* hold, but never join: the control */
};

/* Made-up kernels (sim/trace/synth.h). */
struct synth_params {
    uint32_t ctas, threads, rounds; /* rounds: loads of a warp (stencil: of five) */
    uint32_t compute, stores;       /* arithmetic per round; stores at the end */
    uint32_t bytes, stride;         /* per lane; between lanes or links of the chain */
    uint64_t footprint;
    uint32_t columns; /* of the stencil's field */
    uint64_t seed;
};

struct sim_params {
    uint64_t seed, max_cycles;
    bool restart;   /* programs begin again until max_cycles */
    uint32_t start; /* what is arbitrary begins elsewhere: arbiters, placement, addresses */
    uint64_t watchdog_cycles; /* without movement */
    uint64_t livelock_cycles; /* without an instruction that issues or ends */
    uint64_t icl_window;      /* cycles, for the analysis of locality; 0: none is made */
    bool windows;             /* count what larger coalescing windows would merge */
    bool verify;
};

#endif
