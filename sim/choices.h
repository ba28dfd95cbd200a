/* SPDX-License-Identifier: MIT
 *
 * sim/choices.h: what a description may choose among by a word, one X list each. From a list come
 * the enum in the parameters, the words of the configuration (gen/config/keys.c) and, for policies,
 * the table of implementations; an enumerator is its prefix and the word as it is written. The
 * first word is the default unless the key says another. To add a policy: its file and its word. */
#ifndef CW_SIM_CHOICES_H
#define CW_SIM_CHOICES_H

/* ---- policies ---- */

/* Where the next CTA goes: cta_NAME in sim/cta/NAME.c. */
#define CTA_POLICIES(X)                                                                            \
    X(two_level)                                                                                   \
    X(global)                                                                                      \
    X(greedy)                                                                                      \
    X(distributed)                                                                                 \
    X(distributed_block)                                                                           \
    X(block)                                                                                       \
    X(demand)                                                                                      \
    X(random)                                                                                      \
    X(topology)

/* Which warp issues: warp_sched_NAME in sim/sm/warp_sched.c. */
#define WARP_POLICIES(X)                                                                           \
    X(gto)                                                                                         \
    X(lrr)                                                                                         \
    X(two_level)                                                                                   \
    X(oldest)

/* What merges the lanes' accesses: coalesce_NAME in sim/coalesce/NAME.c. */
#define COALESCERS(X)                                                                              \
    X(intra)                                                                                       \
    X(warppool)                                                                                    \
    X(mrpb)                                                                                        \
    X(banked)

/* Order of DRAM requests: dram_sched_NAME in sim/memory/dram_scheds.c. */
#define DRAM_POLICIES(X)                                                                           \
    X(frfcfs)                                                                                      \
    X(fifo)                                                                                        \
    X(banked_fifo)

/* ---- other choices ---- */

/* The design's networks, an idealised crossbar, one router (sim/fabric/fabric.h). */
#define GPU_NETWORKS(X) X(design) X(local) X(switch)
/* Whose pipelines the defaults of latencies are taken from (gen/config/generations.c). */
#define GPU_GENERATIONS(X)                                                                         \
    X(generic)                                                                                     \
    X(fermi)                                                                                       \
    X(kepler)                                                                                      \
    X(maxwell)                                                                                     \
    X(pascal)                                                                                      \
    X(volta)                                                                                       \
    X(turing)                                                                                      \
    X(ampere)                                                                                      \
    X(hopper)                                                                                      \
    X(ada)
/* Which units do what is no addition: a generation has it in one or the other. */
#define UNIT_CHOICES(X) X(generation) X(int) X(fp32) X(sfu)
/* From issue to the units: pipeline_NAME in sim/sm/pipeline_NAME.c. */
#define SM_PIPELINES(X) X(computed) X(stepped)
#define L1_WRITES(X) X(evict) X(through) X(back)
#define L1_INDICES(X) X(linear) X(hashed) X(ipoly) X(xor)
/* When a line that misses gets its place: with the miss, or when its data comes. */
#define L1_ALLOCATES(X) X(miss) X(fill)
#define DRAM_BANK_HASHES(X) X(none) X(xor) X(ipoly)
/* Banks that a refresh takes: all of a channel at once, or one after the other. */
#define DRAM_REFRESHES(X) X(all) X(bank)
#define COALESCE_RULES(X) X(lines) X(segments)
#define WARPPOOL_POLICIES(X) X(toggle) X(oldest) X(warp)
#define LLC_HASHES(X) X(mod) X(xor) X(ipoly) X(random)
#define LLC_INDICES(X) X(linear) X(hashed) X(ipoly) X(xor)
#define CLOCK_EDGES(X) X(exact) X(summed)
#define CLUSTER_ORDERS(X) X(bus) X(turns) X(fixed)
#define CTA_SHARES(X) X(sequence) X(halves) X(interleave)
#define CTA_CLUSTERINGS(X) X(off) X(redirect) X(agent)
#define CTA_INDICES(X) X(auto) X(row) X(column) X(tile) X(file)
#define ALLOCATORS(X) X(islip) X(separable_input_first) X(separable_output_first)
#define ARBITERS(X) X(round_robin) X(matrix)
#define SOURCE_VC_RULES(X) X(all) X(one)
#define MERGE_SLACKS(X) X(dynamic) X(fixed) X(none)

/* clang-format off */
#define X(word) CTA_##word,
enum cta_policy { CTA_POLICIES(X) CTA_POLICY_COUNT };
#undef X
#define X(word) WARPS_##word,
enum warp_policy { WARP_POLICIES(X) WARP_POLICY_COUNT };
#undef X
#define X(word) COALESCER_##word,
enum coalescer_kind { COALESCERS(X) COALESCER_COUNT };
#undef X
#define X(word) DRAM_##word,
enum dram_policy { DRAM_POLICIES(X) DRAM_POLICY_COUNT };
#undef X
#define X(word) NETWORK_##word,
enum gpu_network { GPU_NETWORKS(X) };
#undef X
#define X(w) GENERATION_##w,
enum gpu_generation { GPU_GENERATIONS(X) GENERATIONS };
#undef X
#define X(word) UNIT_OF_##word,
enum unit_choice { UNIT_CHOICES(X) };
#undef X
#define X(word) PIPELINE_##word,
enum sm_pipeline { SM_PIPELINES(X) };
#undef X
#define X(word) L1_WRITE_##word,
enum l1_write { L1_WRITES(X) };
#undef X
#define X(word) L1_INDEX_##word,
enum l1_index { L1_INDICES(X) };
#undef X
#define X(word) L1_ALLOCATE_##word,
enum l1_allocate { L1_ALLOCATES(X) };
#undef X
#define X(word) DRAM_HASH_##word,
enum dram_bank_hash { DRAM_BANK_HASHES(X) };
#undef X
#define X(word) DRAM_REFRESH_##word,
enum dram_refresh { DRAM_REFRESHES(X) };
#undef X
#define X(word) COALESCE_##word,
enum coalesce_by { COALESCE_RULES(X) };
#undef X
#define X(word) WARPPOOL_##word,
enum warppool_policy { WARPPOOL_POLICIES(X) };
#undef X
#define X(word) LLC_HASH_##word,
enum llc_hash { LLC_HASHES(X) };
#undef X
#define X(word) LLC_INDEX_##word,
enum llc_index { LLC_INDICES(X) };
#undef X
#define X(word) CLOCK_EDGES_##word,
enum clock_edges { CLOCK_EDGES(X) };
#undef X
#define X(word) CLUSTER_ORDER_##word,
enum cluster_order { CLUSTER_ORDERS(X) };
#undef X
#define X(word) SHARE_##word,
enum cta_share { CTA_SHARES(X) };
#undef X
#define X(word) CTA_CLUSTERING_##word,
enum cta_clustering { CTA_CLUSTERINGS(X) };
#undef X
/* never auto below sim/gpu, which asks the addresses (sim/study/direction.h) */
#define X(word) CTA_INDEX_##word,
enum cta_index { CTA_INDICES(X) };
#undef X
#define X(word) ALLOCATOR_##word,
enum router_allocator { ALLOCATORS(X) };
#undef X
#define X(word) ARBITER_##word,
enum router_arbiter { ARBITERS(X) };
#undef X
#define X(word) SOURCE_VCS_##word,
enum source_vcs { SOURCE_VC_RULES(X) };
#undef X
#define X(word) SLACK_##word,
enum merge_slack { MERGE_SLACKS(X) };
#undef X
/* clang-format on */

#endif
