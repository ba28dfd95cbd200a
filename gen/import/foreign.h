/* SPDX-License-Identifier: MIT
 *
 * gen/import/foreign.h: the options of GPGPU-Sim (3.x to 4.2 and the development versions behind
 * Accel-Sim) and of the network's file, and what becomes of each. An option that is not in this
 * table is an error that names it; one that is here is translated, has a reason why it changes
 * nothing, or is taken with one value only. */
#ifndef CW_GEN_IMPORT_FOREIGN_H
#define CW_GEN_IMPORT_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>

enum foreign_kind {
    FOREIGN_KEYS,       /* becomes the keys that `text` names */
    FOREIGN_ONLY,       /* `text`: what another value than those in `legal` would mean */
    FOREIGN_IRRELEVANT, /* `text`: why it changes nothing here */
    FOREIGN_OLD_NAME,   /* of the option that `text` names */
};

struct foreign_option {
    const char *name;
    enum foreign_kind kind;
    bool is_switch;    /* 0 or 1; alone it means 1 */
    const char *value; /* what the simulator takes where nobody says anything; NULL: nothing */
    const char *legal; /* FOREIGN_ONLY: the values it may have, separated by '|' */
    const char *text;
};

/* clang-format off */
/* Those that the translation asks for by name: id, name, switch?, default, keys. */
#define FOREIGN_TRANSLATED(X) \
    X(N_CLUSTERS,      "-gpgpu_n_clusters",               0, "10",  "gpu.clusters, gpu.sms") \
    X(PER_CLUSTER,     "-gpgpu_n_cores_per_cluster",      0, "3",   "gpu.sms") \
    X(SIM_ORDER,       "-gpgpu_simt_core_sim_order",      0, "1",   "compat.cluster_order") \
    X(N_MEM,           "-gpgpu_n_mem",                    0, "8",   "dram.controllers") \
    X(N_SUB,           "-gpgpu_n_sub_partition_per_mchannel", 0, "1", "llc.slices") \
    X(CLOCKS,          "-gpgpu_clock_domains",            0, "500.0:2000.0:2000.0:2000.0", "gpu.core_clock_ghz, noc.clock_ghz, gpu.l2_clock_ghz, gpu.dram_clock_ghz") \
    X(REGISTERS,       "-gpgpu_shader_registers",         0, "8192", "sm.registers") \
    X(PIPELINE,        "-gpgpu_shader_core_pipeline",     0, "1024:32", "sm.threads, sm.warps") \
    X(CTAS,            "-gpgpu_shader_cta",               0, "32",  "sm.ctas") \
    X(WIDTHS,          "-gpgpu_pipeline_widths",          0, "1,1,1,1,1,1,1,1,1,1,1,1,1", "sm.result_buses; the other widths must be those of the units") \
    X(SP_UNITS,        "-gpgpu_num_sp_units",             0, "1",   "sm.fp32.units") \
    X(DP_UNITS,        "-gpgpu_num_dp_units",             0, "0",   "sm.fp64.units") \
    X(INT_UNITS,       "-gpgpu_num_int_units",            0, "0",   "sm.int.units") \
    X(SFU_UNITS,       "-gpgpu_num_sfu_units",            0, "1",   "sm.sfu.units") \
    X(SCHEDULERS,      "-gpgpu_num_sched_per_core",       0, "1",   "sm.schedulers") \
    X(SCHEDULER,       "-gpgpu_scheduler",                0, "gto", "sm.scheduler, sm.warp_limit") \
    X(ISSUE,           "-gpgpu_max_insn_issue_per_warp",  0, "2",   "sm.issue_per_scheduler") \
    X(DUAL_DIFFERENT,  "-gpgpu_dual_issue_diff_exec_units", 1, "1", "sm.issue_same_unit") \
    X(SUB_CORES,       "-gpgpu_sub_core_model",           1, "0",   "sm.sub_cores") \
    X(SPECIALISED,     "-gpgpu_enable_specialized_operand_collector", 1, "1", "sm.collectors: of each kind of unit, or shared") \
    X(COLL_SP,         "-gpgpu_operand_collector_num_units_sp",   0, "4", "sm.collectors") \
    X(COLL_DP,         "-gpgpu_operand_collector_num_units_dp",   0, "0", "sm.fp64.collectors") \
    X(COLL_SFU,        "-gpgpu_operand_collector_num_units_sfu",  0, "4", "sm.sfu.collectors") \
    X(COLL_INT,        "-gpgpu_operand_collector_num_units_int",  0, "0", "sm.collectors") \
    X(COLL_MEM,        "-gpgpu_operand_collector_num_units_mem",  0, "2", "sm.memory_collectors") \
    X(COLL_GEN,        "-gpgpu_operand_collector_num_units_gen",  0, "0", "sm.collectors") \
    X(IN_SP,           "-gpgpu_operand_collector_num_in_ports_sp",   0, "1", "sm.collector_ports") \
    X(IN_DP,           "-gpgpu_operand_collector_num_in_ports_dp",   0, "0", "sm.fp64.collector_ports") \
    X(IN_SFU,          "-gpgpu_operand_collector_num_in_ports_sfu",  0, "1", "sm.sfu.collector_ports") \
    X(IN_INT,          "-gpgpu_operand_collector_num_in_ports_int",  0, "0", "sm.collector_ports") \
    X(IN_MEM,          "-gpgpu_operand_collector_num_in_ports_mem",  0, "1", "one is understood") \
    X(IN_GEN,          "-gpgpu_operand_collector_num_in_ports_gen",  0, "0", "sm.collector_ports") \
    X(OUT_SP,          "-gpgpu_operand_collector_num_out_ports_sp",  0, "1", "sm.collector_ports") \
    X(OUT_DP,          "-gpgpu_operand_collector_num_out_ports_dp",  0, "0", "sm.fp64.collector_ports") \
    X(OUT_SFU,         "-gpgpu_operand_collector_num_out_ports_sfu", 0, "1", "sm.sfu.collector_ports") \
    X(OUT_INT,         "-gpgpu_operand_collector_num_out_ports_int", 0, "0", "sm.collector_ports") \
    X(OUT_MEM,         "-gpgpu_operand_collector_num_out_ports_mem", 0, "1", "one is understood") \
    X(OUT_GEN,         "-gpgpu_operand_collector_num_out_ports_gen", 0, "0", "sm.collector_ports") \
    X(REG_BANKS,       "-gpgpu_num_reg_banks",            0, "8",   "sm.register_banks") \
    X(REG_PORTS,       "-gpgpu_reg_file_port_throughput", 0, "1",   "sm.register_ports") \
    X(FETCHES,         "-gpgpu_inst_fetch_throughput",    0, "1",   "sm.fetches_per_cycle") \
    X(SHARED,          "-gpgpu_shmem_size",               0, "16384", "sm.shared") \
    X(SHARED_BANKS,    "-gpgpu_shmem_num_banks",          0, "16",  "sm.shared_banks") \
    X(SHARED_LATENCY,  "-gpgpu_smem_latency",             0, "3",   "sm.shared_latency") \
    X(ICACHE,          "-gpgpu_cache:il1",                0, "N:4:256:4,L:R:f:N:L,A:2:32,4", "sm.icache") \
    X(CONST_CACHE,     "-gpgpu_const_cache:l1",           0, "N:64:64:2,L:R:f:N:L,A:2:32,4", "sm.const") \
    X(TEX_CACHE,       "-gpgpu_tex_cache:l1",             0, "N:8:128:5,L:R:m:N:L,F:128:4,128:2", "sm.texture") \
    X(PERFECT,         "-gpgpu_perfect_inst_const_cache", 1, "0",   "sm.icache.size, sm.const.size") \
    X(L1,              "-gpgpu_cache:dl1",                0, "none", "l1") \
    X(L1_LATENCY,      "-gpgpu_l1_latency",               0, "1",   "l1.hit_cycles, l1.lookup_cycles") \
    X(L1_BANKS,        "-gpgpu_l1_banks",                 0, "1",   "l1.banks") \
    X(L1_PIECE,        "-gpgpu_l1_banks_byte_interleaving", 0, "32", "l1.banks: those that accesses can lie in") \
    X(L1_DIRTY,        "-gpgpu_l1_cache_write_ratio",     0, "0",   "l1.keep_dirty_below") \
    X(L1_SKIP,         "-gpgpu_gmem_skip_L1D",            1, "0",   "l1.bypass_global_loads") \
    X(L1_FLUSH,        "-gpgpu_flush_l1_cache",           1, "0",   "l1.keep_between_kernels") \
    X(ADAPTIVE,        "-gpgpu_adaptive_cache_config",    1, "0",   "l1.unified") \
    X(UNIFIED,         "-gpgpu_unified_l1d_size",         0, "0",   "l1.unified") \
    X(CARVE_OUTS,      "-gpgpu_shmem_option",             0, "0",   "l1.carve_outs") \
    X(RESPONSES,       "-gpgpu_n_ldst_response_buffer_size", 0, "2", "l1.response_queue") \
    X(EJECTION,        "-gpgpu_n_cluster_ejection_buffer_size", 0, "8", "cluster.response_depth") \
    X(COALESCE,        "-gpgpu_coalesce_arch",            0, "13",  "coalescer.rule: segments as of compute capability 2.0 on") \
    X(L2,              "-gpgpu_cache:dl2",                0, "N:64:128:8,L:B:m:N:L,A:16:4,4", "llc") \
    X(QUEUES,          "-gpgpu_dram_partition_queues",    0, "8:8:8:8", "llc.queue, llc.dram_queue") \
    X(ROP,             "-gpgpu_l2_rop_latency",           0, "85",  "llc.hit_cycles") \
    X(HASH,            "-gpgpu_memory_partition_indexing", 0, "0",  "llc.slice_hash") \
    X(MEMCPY,          "-gpgpu_perf_sim_memcpy",          1, "1",   "llc.host_copies_fill") \
    X(MAP,             "-gpgpu_mem_addr_mapping",         0, NULL,  "dram.map") \
    X(DRAM_LATENCY,    "-dram_latency",                   0, "30",  "dram.controller_cycles") \
    X(DRAM_POLICY,     "-gpgpu_dram_scheduler",           0, "1",   "dram.scheduler") \
    X(DRAM_QUEUE,      "-gpgpu_frfcfs_dram_sched_queue_size", 0, "0", "dram.queue") \
    X(DRAM_RETURNS,    "-gpgpu_dram_return_queue_size",   0, "0",   "dram.return_queue") \
    X(DRAM_CHIPS,      "-gpgpu_n_mem_per_ctrlr",          0, "1",   "dram.bus") \
    X(DRAM_BUS,        "-gpgpu_dram_buswidth",            0, "4",   "dram.bus") \
    X(DRAM_BURST,      "-gpgpu_dram_burst_length",        0, "4",   "dram.burst") \
    X(DRAM_RATIO,      "-dram_data_command_freq_ratio",   0, "2",   "dram.bus, dram.burst") \
    X(DRAM_TIMING,     "-gpgpu_dram_timing_opt",          0, "4:2:8:12:21:13:34:9:4:5:13:1:0:0", "dram.banks, bank_groups, tccd, trrd, trcd, tras, trp, trc, tcl, tcwl, twtr, twr, tccd_l, trtp") \
    X(DRAM_DUAL,       "-dram_dual_bus_interface",        0, "0",   "dram.dual_command_bus") \
    X(DRAM_BANK_HASH,  "-dram_bnk_indexing_policy",       0, "0",   "dram.bank_hash") \
    X(DRAM_GROUP_HASH, "-dram_bnkgrp_indexing_policy",    0, "0",   "compat.bank_group_in_low_bits") \
    X(DRAM_WRITES,     "-dram_seperate_write_queue_enable", 1, "0", "dram.write_queue") \
    X(DRAM_WRITE_SIZE, "-dram_write_queue_size",          0, "32:28:16", "dram.write_queue") \
    X(FLIT,            "-icnt_flit_size",                 0, "32",  "noc.width") \
    X(NETWORK,         "-network_mode",                   0, "1",   "gpu.network") \
    X(ICNT_FILE,       "-inter_config_file",              0, "mesh", "the file that describes the network") \
    X(ICNT_IN,         "-icnt_in_buffer_limit",           0, "64",  "gpu.local.depth") \
    X(ICNT_OUT,        "-icnt_out_buffer_limit",          0, "64",  "gpu.local.depth") \
    X(LAUNCH,          "-gpgpu_kernel_launch_latency",    0, "0",   "gpu.launch_cycles, with --launch-latency; else left out: the driver's time, not the machine's") \
    X(CC_MAJOR,        "-gpgpu_compute_capability_major", 0, "7",   "tech, energy: which coefficients stand in") \
    X(CC_MINOR,        "-gpgpu_compute_capability_minor", 0, "0",   "tech, energy: which coefficients stand in") \
    X(TIME_INT,        "-trace_opcode_latency_initiation_int",    0, "4,1", "sm.int.latency, sm.int.interval") \
    X(TIME_SP,         "-trace_opcode_latency_initiation_sp",     0, "4,1", "sm.fp32.latency, sm.fp32.interval") \
    X(TIME_DP,         "-trace_opcode_latency_initiation_dp",     0, "4,1", "sm.fp64.latency, sm.fp64.interval") \
    X(TIME_SFU,        "-trace_opcode_latency_initiation_sfu",    0, "4,1", "sm.sfu.latency, sm.sfu.interval") \
    X(SPEC_1, "-specialized_unit_1", 0, "0,4,4,4,4,BRA", "sm.branch.units") \
    X(SPEC_2, "-specialized_unit_2", 0, "0,4,4,4,4,BRA", "sm.texture.units") \
    X(SPEC_3, "-specialized_unit_3", 0, "0,4,4,4,4,BRA", "sm.tensor.units") \
    X(SPEC_4, "-specialized_unit_4", 0, "0,4,4,4,4,BRA", "sm.uniform.units") \
    X(SPEC_TIME_1, "-trace_opcode_latency_initiation_spec_op_1", 0, "4,4", "sm.branch.latency, sm.branch.interval") \
    X(SPEC_TIME_2, "-trace_opcode_latency_initiation_spec_op_2", 0, "4,4", "sm.texture.cycles, sm.texture.interval") \
    X(SPEC_TIME_3, "-trace_opcode_latency_initiation_spec_op_3", 0, "4,4", "sm.tensor.latency, sm.tensor.interval") \
    X(SPEC_TIME_4, "-trace_opcode_latency_initiation_spec_op_4", 0, "4,4", "sm.uniform.latency, sm.uniform.interval") \
    X(NET_TOPOLOGY,    "topology",                        0, "torus", "gpu.network: fly of one stage, one router") \
    X(NET_K,           "k",                               0, "8",   "gpu.network: at least the endpoints") \
    X(NET_N,           "n",                               0, "2",   "gpu.network") \
    X(NET_FLIT,        "flit_size",                       0, "32",  "noc.width") \
    X(NET_VCS,         "num_vcs",                         0, "16",  "noc.vcs") \
    X(NET_DEPTH,       "vc_buf_size",                     0, "8",   "gpu.switch.depth, noc.vc_depth") \
    X(NET_INPUT,       "input_buffer_size",               0, "0",   "gpu.switch.source_queue") \
    X(NET_EJECTION,    "ejection_buffer_size",            0, "0",   "gpu.switch.depth") \
    X(NET_BOUNDARY,    "boundary_buffer_size",            0, "16",  "gpu.switch.sink_queue") \
    X(NET_VC_ALLOC,    "vc_allocator",                    0, "islip", "noc.router.allocator") \
    X(NET_SW_ALLOC,    "sw_allocator",                    0, "islip", "noc.router.allocator") \
    X(NET_ITERS,       "alloc_iters",                     0, "1",   "noc.router.iterations") \
    X(NET_CREDIT,      "credit_delay",                    0, "1",   "noc.router.credit_delay") \
    X(NET_ROUTING,     "routing_delay",                   0, "1",   "noc.router.routing_delay") \
    X(NET_VC_DELAY,    "vc_alloc_delay",                  0, "1",   "noc.router.vc_alloc_delay") \
    X(NET_SW_DELAY,    "sw_alloc_delay",                  0, "1",   "noc.router.sw_alloc_delay") \
    X(NET_IN_SPEED,    "input_speedup",                   0, "1",   "noc.router.input_speedup") \
    X(NET_OUT_SPEED,   "output_speedup",                  0, "1",   "noc.router.output_speedup") \
    X(NET_SPEED,       "internal_speedup",                0, "1.0", "noc.router.internal_speedup")

#define X(id, name, is_switch, value, text) F_##id,
enum foreign_id { FOREIGN_TRANSLATED(X) F_TRANSLATED };
#undef X
/* clang-format on */

extern const struct foreign_option foreign_options[]; /* the translated ones first, by id */
extern const size_t n_foreign_options;

/* The row of a name, old names followed; NULL if there is none. */
const struct foreign_option *foreign_find(const char *name);
bool foreign_is_switch(const char *name);
/* "did you mean", or "". */
struct arena;
const char *foreign_hint(const char *name, struct arena *mem);
const char *foreign_kind_name(enum foreign_kind kind);

#endif
