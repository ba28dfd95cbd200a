/* SPDX-License-Identifier: MIT */
#include "gen/import/foreign.h"

#include <string.h>

#include "base/arena.h"
#include "base/near.h"

/* ---- why something changes nothing here ---- */

#define PTX "of the PTX mode; a trace has its instructions, and unit timings come from trace.config"
#define HOST "a limit of the host's interface; nothing that a trace meets"
#define STATS "what the simulator prints; nothing of the machine"
#define POWER "its power model; energies are ours (energy, tech)"
#define PREFER "another split of L1 and shared memory that a program asks for; traces do not"
#define DEBUG "debugging and checkpoints of the simulator"
#define TRAFFIC "for networks alone; in a GPU the packets are the SMs' and slices'"
#define UVM "of a fork with unified memory"

/* clang-format off */
#define V(name, value, text)        {name, FOREIGN_IRRELEVANT, false, value, NULL, text}
#define S(name, value, text)        {name, FOREIGN_IRRELEVANT, true, value, NULL, text}
#define ONLY(name, value, legal, text) {name, FOREIGN_ONLY, false, value, legal, text}
#define ONLY_S(name, value, legal, text) {name, FOREIGN_ONLY, true, value, legal, text}
#define OLD(name, now)              {name, FOREIGN_OLD_NAME, false, NULL, NULL, now}
#define HYBRID(what)                S("-accelwattch_hybrid_perfsim_" what, "0", POWER)

const struct foreign_option foreign_options[] = {
#define X(id, name, is_switch, value, text) {name, FOREIGN_KEYS, is_switch, value, NULL, text},
    FOREIGN_TRANSLATED(X)
#undef X

    /* the machine, as far as there is one way only */
    ONLY("-gpgpu_simd_model", "1", "1", "warps that reconverge otherwise than at post-dominators"),
    ONLY("-gpgpu_mem_unit_ports", "1", "1", "an L1 that takes several transactions in a cycle"),
    ONLY("-gpgpu_shmem_warp_parts", "2", "1", "warps in parts; since compute capability 2.0 a warp is looked at whole"),
    ONLY_S("-gpgpu_shmem_limited_broadcast", "1", "0", "one broadcast word in a cycle"),
    ONLY_S("-gpgpu_flush_l2_cache", "0", "0", "an L2 that is emptied after every kernel"),
    ONLY_S("-gpgpu_cache:dl2_texture_only", "1", "0", "an L2 for textures alone"),
    ONLY_S("-l2_ideal", "0", "0", "an L2 that always hits"),
    ONLY_S("-gpgpu_perfect_mem", "0", "0", "memory that always hits"),
    ONLY_S("-gpgpu_simple_dram_model", "0", "0", "a DRAM of fixed latency"),
    V("-gpgpu_simple_dram_clock_multiplier", "1", "only read with -gpgpu_simple_dram_model"),
    ONLY_S("-dram_elimnate_rw_turnaround", "0", "0", "no time between reads and writes"),
    ONLY("-gpgpu_l1_banks_hashing_function", "0", "0", "banks of the L1 chosen by a hash"),
    ONLY("-gpgpu_mem_address_mask", "0", "0|1|2|3", "one of the old address maps (14, 15, 16, 6, 100)"),
    ONLY("-icnt_subnets", "2", "2", "requests and replies on one network"),
    ONLY("-icnt_arbiter_algo", "1", "1", "another arbitration than iSLIP in the local crossbar"),
    ONLY("-icnt_grant_cycles", "1", "1", "grants of several cycles in the local crossbar"),
    ONLY_S("-gpgpu_concurrent_kernel_sm", "0", "0", "CTAs of several kernels on one SM"),
    ONLY_S("-gpgpu_cdp_enabled", "0", "0", "kernels that start kernels"),
    ONLY("-gpgpu_TB_launch_latency", "0", "0", "time for every thread block before a kernel begins"),
    ONLY_S("-gpgpu_local_mem_map", "1", "1", "local memory that is not interleaved"),
    ONLY_S("-gpgpu_lrc_enabled", "0", "0", "a coalescer in front of the L2"),
    V("-gpgpu_lrc_max_entries", NULL, "only read with -gpgpu_lrc_enabled"),
    V("-gpgpu_lrc_max_merged", NULL, "only read with -gpgpu_lrc_enabled"),
    ONLY("-gpgpu_n_chiplet_partition", "1", "1", "an L2 in several partitions"),
    V("-inter_chiplet_queue_size", NULL, "only read with several L2 partitions"),
    V("-gpgpu_chiplet_interleave", NULL, "only read with several L2 partitions"),
    ONLY("-gpgpu_opndcoll_model", "0", "0", "another model of operand collection (of a later development version)"),
    ONLY_S("-gpgpu_reg_bank_use_warp_id", "0", "0|1", "never: it is not read"),
    V("-gpgpu_tensor_core_avail", "0", "of the PTX mode; in a trace matrix instructions go to specialised unit 3"),
    V("-gpgpu_num_tensor_core_units", "0", "of the PTX mode; in a trace matrix instructions go to specialised unit 3"),
    V("-trace_opcode_latency_initiation_tensor", "4,1", "matrix instructions of a trace go to specialised unit 3"),
    V("-gpgpu_operand_collector_num_units_tensor_core", "4", "of the PTX mode"),
    V("-gpgpu_operand_collector_num_in_ports_tensor_core", "1", "of the PTX mode"),
    V("-gpgpu_operand_collector_num_out_ports_tensor_core", "1", "of the PTX mode"),
    V("-gpgpu_num_mem_units", "1", "never: it is not read"),
    ONLY("-specialized_unit_5", "0", "0*", "a fifth special unit: no instruction goes there"),
    ONLY("-specialized_unit_6", "0", "0*", "a sixth special unit: no instruction goes there"),
    ONLY("-specialized_unit_7", "0", "0*", "a seventh special unit: no instruction goes there"),
    ONLY("-specialized_unit_8", "0", "0*", "an eighth special unit: no instruction goes there"),
    V("-trace_opcode_latency_initiation_spec_op_5", "4,4", "of a unit without instructions"),
    V("-trace_opcode_latency_initiation_spec_op_6", "4,4", "of a unit without instructions"),
    V("-trace_opcode_latency_initiation_spec_op_7", "4,4", "of a unit without instructions"),
    V("-trace_opcode_latency_initiation_spec_op_8", "4,4", "of a unit without instructions"),
    V("-gpgpu_shmem_sizeDefault", "16384", "what -gpgpu_shmem_size goes back to when a program had asked for another split"),
    V("-gpgpu_num_cta_barriers", "16", "named barriers beyond that are an error of the program"),
    V("-gpgpu_max_concurrent_kernel", "32", "kernels of several streams; a trace's kernels run one after the other, programs beside each other by cta.share"),
    V("-gpgpu_max_concurrent_kernel_sm", NULL, "kernels of several streams; a trace's kernels run one after the other"),
    V("-gpgpu_registers_per_block", "8192", HOST),
    V("-gpgpu_shmem_per_block", "49152", HOST),
    S("-gpgpu_ignore_resources_limitation", "0", "CTAs larger than an SM run all the same; here they are an error"),
    V("-gpgpu_cache:dl1PrefL1", "none", PREFER),
    V("-gpgpu_cache:dl1PrefShared", "none", PREFER),
    V("-gpgpu_shmem_size_PrefL1", "16384", PREFER),
    V("-gpgpu_shmem_size_PrefShared", "16384", PREFER),
    V("-gpgpu_heap_size_limit", "8388608", HOST),
    V("-gpgpu_stack_size_limit", "1024", HOST),
    V("-gpgpu_runtime_sync_depth_limit", "2", HOST),
    V("-gpgpu_runtime_pending_launch_count_limit", "2048", HOST),
    V("-gpgpu_occupancy_sm_number", "0", "for ptxas; a trace knows its registers"),

    /* PTX mode */
    V("-gpgpu_ptx_instruction_classification", "0", PTX),
    V("-gpgpu_ptx_sim_mode", "0", PTX),
    V("-gpgpu_ptx_force_max_capability", "0", PTX),
    S("-gpgpu_ptx_convert_to_ptxplus", "0", PTX),
    S("-gpgpu_ptx_save_converted_ptxplus", "0", PTX),
    S("-gpgpu_ptx_use_cuobjdump", "1", PTX),
    S("-gpgpu_experimental_lib_support", "0", PTX),
    S("-save_embedded_ptx", "0", PTX),
    S("-keep", "0", PTX),
    V("-ptx_opcode_latency_int", "1,1,19,25,145,32", PTX),
    V("-ptx_opcode_latency_fp", "1,1,1,1,30", PTX),
    V("-ptx_opcode_latency_dp", "8,8,8,8,335", PTX),
    V("-ptx_opcode_latency_sfu", "8", PTX),
    V("-ptx_opcode_latency_tesnor", "64", PTX),
    V("-ptx_opcode_latency_tensor", "64", PTX),
    V("-ptx_opcode_initiation_int", "1,1,4,4,32,4", PTX),
    V("-ptx_opcode_initiation_fp", "1,1,1,1,5", PTX),
    V("-ptx_opcode_initiation_dp", "8,8,8,8,130", PTX),
    V("-ptx_opcode_initiation_sfu", "8", PTX),
    V("-ptx_opcode_initiation_tensor", "64", PTX),
    V("-cdp_latency", NULL, PTX),
    V("-trace", "./traces/kernelslist.g", "which trace to run is said to `sim`"),
    S("-trace_driven_mode", "0", "here a trace is the only way"),

    /* what is printed */
    V("-gpgpu_memlatency_stat", "0", STATS),
    V("-gpgpu_runtime_stat", "10000:0", STATS),
    V("-liveness_message_freq", "1", STATS),
    S("-enable_ptx_file_line_stats", "1", STATS),
    V("-ptx_line_stats_filename", "gpgpu_inst_stats.txt", STATS),
    S("-visualizer_enabled", "1", STATS),
    V("-visualizer_outputfile", NULL, STATS),
    V("-visualizer_zlevel", "6", STATS),
    V("-gpgpu_cflog_interval", "0", STATS),
    V("-gpgpu_warpdistro_shader", "-1", STATS),
    V("-gpgpu_warp_issue_shader", "0", STATS),
    V("-icnt_verbose", "0", STATS),
    S("-trace_enabled", "0", DEBUG),
    V("-trace_components", "none", DEBUG),
    V("-trace_sampling_core", "0", DEBUG),
    V("-trace_sampling_memory_partition", "-1", DEBUG),
    S("-gpgpu_mem_addr_test", "0", DEBUG),
    S("-gpgpu_ptx_inst_debug_to_file", "0", DEBUG),
    V("-gpgpu_ptx_inst_debug_file", NULL, DEBUG),
    V("-gpgpu_ptx_inst_debug_thread_uid", "1", DEBUG),
    V("-checkpoint_option", "0", DEBUG),
    V("-checkpoint_kernel", "1", DEBUG),
    V("-checkpoint_CTA", "0", DEBUG),
    V("-checkpoint_CTA_t", "0", DEBUG),
    V("-checkpoint_insn_Y", "0", DEBUG),
    V("-resume_option", "0", DEBUG),
    V("-resume_kernel", "0", DEBUG),
    V("-resume_CTA", "0", DEBUG),
    S("-gpgpu_deadlock_detect", "1", "ours always watches (sim.watchdog)"),
    ONLY("-gpgpu_max_cycle", "0", "0", "a run that is cut off; say sim.max_cycles"),
    ONLY("-gpgpu_max_insn", "0", "0", "a run that is cut off"),
    ONLY("-gpgpu_max_cta", "0", "0", "a run that is cut off"),
    ONLY("-gpgpu_max_completed_cta", "0", "0", "a run that is cut off"),

    /* its power models */
    S("-power_simulation_enabled", "0", POWER),
    S("-power_per_cycle_dump", "0", POWER),
    S("-power_trace_enabled", "0", POWER),
    V("-power_trace_zlevel", "6", POWER),
    V("-power_simulation_mode", "0", POWER),
    S("-steady_power_levels_enabled", "0", POWER),
    V("-steady_state_definition", "8:4", POWER),
    V("-accelwattch_xml_file", "accelwattch_sass_sim.xml", POWER),
    V("-gpuwattch_xml_file", NULL, POWER),
    V("-hw_perf_file_name", "hw_perf.csv", POWER),
    V("-hw_perf_bench_name", "", POWER),
    S("-dvfs_enabled", "0", POWER),
    S("-aggregate_power_stats", "0", POWER),
    S("-gpgpu_clock_gated_lanes", "0", POWER),
    S("-gpgpu_clock_gated_reg_file", "0", POWER),
    V("-n_regfile_gating_group", "4", POWER),
    HYBRID("L1_RH"), HYBRID("L1_RM"), HYBRID("L1_WH"), HYBRID("L1_WM"),
    HYBRID("L2_RH"), HYBRID("L2_RM"), HYBRID("L2_WH"), HYBRID("L2_WM"),
    HYBRID("CC_ACC"), HYBRID("SHARED_ACC"), HYBRID("DRAM_RD"), HYBRID("DRAM_WR"), HYBRID("NOC"),
    HYBRID("PIPE_DUTY"), HYBRID("NUM_SM_IDLE"), HYBRID("CYCLES"), HYBRID("VOLTAGE"),

    /* older names */
    OLD("-rop_latency", "-gpgpu_l2_rop_latency"),
    OLD("-smem_latency", "-gpgpu_smem_latency"),
    OLD("-l1_latency", "-gpgpu_l1_latency"),
    OLD("-l1_banks", "-gpgpu_l1_banks"),
    OLD("-gmem_skip_L1D", "-gpgpu_gmem_skip_L1D"),
    OLD("-adaptive_cache_config", "-gpgpu_adaptive_cache_config"),
    OLD("-adaptive_volta_cache_config", "-gpgpu_adaptive_cache_config"),
    OLD("-adpative_volta_cache_config", "-gpgpu_adaptive_cache_config"),
    OLD("-gpgpu_dram_sched_queue_size", "-gpgpu_frfcfs_dram_sched_queue_size"),
    OLD("-mem_unit_ports", "-gpgpu_mem_unit_ports"),
    OLD("-sub_core_model", "-gpgpu_sub_core_model"),
    OLD("-enable_specialized_operand_collector", "-gpgpu_enable_specialized_operand_collector"),
    OLD("-inst_fetch_throughput", "-gpgpu_inst_fetch_throughput"),
    OLD("-reg_file_port_throughput", "-gpgpu_reg_file_port_throughput"),
    OLD("-perfect_inst_const_cache", "-gpgpu_perfect_inst_const_cache"),
    OLD("-memory_partition_indexing", "-gpgpu_memory_partition_indexing"),
    OLD("-perf_sim_memcpy", "-gpgpu_perf_sim_memcpy"),
    OLD("-simple_dram_model", "-gpgpu_simple_dram_model"),
    OLD("-dual_bus_interface", "-dram_dual_bus_interface"),
    OLD("-dram_sched_queue_size", "-gpgpu_frfcfs_dram_sched_queue_size"),
    OLD("-Seperate_Write_Queue_Enable", "-dram_seperate_write_queue_enable"),
    OLD("-Write_Queue_Size", "-dram_write_queue_size"),
    OLD("-kernel_launch_latency", "-gpgpu_kernel_launch_latency"),
    OLD("-TB_launch_latency", "-gpgpu_TB_launch_latency"),
    OLD("-max_concurrent_kernel", "-gpgpu_max_concurrent_kernel"),

    /* the network's file */
    ONLY("routing_function", "none", "dest_tag", "another routing than that of a fly"),
    ONLY("network_count", "2", "1|2", "other networks; it is not read, subnets counts"),
    ONLY("subnets", "1", "2", "requests and replies on one network"),
    ONLY("use_map", "1", "0", "endpoints in another order: SMs first, then slices"),
    ONLY("wait_for_tail_credit", "0", "0", "a channel that is held until its tail has left"),
    ONLY("st_prepare_delay", "0", "0", "a slower traversal"),
    ONLY("st_final_delay", "1", "1", "a slower traversal"),
    ONLY("router", "iq", "iq", "another router than the input-queued one"),
    ONLY("read_request_subnet", "0", "0", "requests on another network than the first"),
    ONLY("write_request_subnet", "0", "0", "requests on another network than the first"),
    ONLY("read_reply_subnet", "0", "1", "replies on another network than the second"),
    ONLY("write_reply_subnet", "0", "1", "replies on another network than the second"),
    ONLY("read_request_begin_vc", "0", "0", "virtual channels of a class"),
    ONLY("read_request_end_vc", "5", "0", "virtual channels of a class"),
    ONLY("write_request_begin_vc", "2", "0", "virtual channels of a class"),
    ONLY("write_request_end_vc", "7", "0", "virtual channels of a class"),
    ONLY("read_reply_begin_vc", "8", "0", "virtual channels of a class"),
    ONLY("read_reply_end_vc", "13", "0", "virtual channels of a class"),
    ONLY("write_reply_begin_vc", "10", "0", "virtual channels of a class"),
    ONLY("write_reply_end_vc", "15", "0", "virtual channels of a class"),
    ONLY("sim_type", "latency", "gpgpusim", "a network alone; say `net --booksim`"),
    V("traffic", "uniform", TRAFFIC),
    V("packet_size", "1", TRAFFIC),
    V("packet_size_rate", "1", TRAFFIC),
    V("injection_rate", "0.1", TRAFFIC),
    V("injection_process", "bernoulli", TRAFFIC),
    V("use_read_write", "0", "requests and replies are always apart"),
    V("c", "1", "of a mesh"),
    V("perfect_icnt", "0", "of 3.x; it is not read"),
    V("fixed_lat_per_hop", "1", "of 3.x; it is not read"),
    V("deadlock_warn_timeout", "0", "ours always watches (sim.watchdog)"),
    V("print_activity", "0", STATS),
    V("viewer_trace", "0", STATS),
    V("watch_out", "", STATS),
    V("seed", "0", "nothing in the one router is drawn"),
};
/* clang-format on */
const size_t n_foreign_options = sizeof foreign_options / sizeof *foreign_options;

static const struct foreign_option *row_of(const char *name)
{
    for (size_t i = 0; i < n_foreign_options; i++)
        if (!strcmp(foreign_options[i].name, name))
            return &foreign_options[i];
    return NULL;
}

const struct foreign_option *foreign_find(const char *name)
{
    const struct foreign_option *o = row_of(name);
    return o && o->kind == FOREIGN_OLD_NAME ? row_of(o->text) : o;
}

bool foreign_is_switch(const char *name)
{
    const struct foreign_option *o = foreign_find(name);
    return o && o->is_switch;
}

const char *foreign_hint(const char *name, struct arena *mem)
{
    const char **names = arena_many(mem, const char *, n_foreign_options);
    for (size_t i = 0; i < n_foreign_options; i++)
        names[i] = foreign_options[i].name;
    return near_hint(name, names, n_foreign_options, mem);
}

const char *foreign_kind_name(enum foreign_kind kind)
{
    static const char *const names[] = {
        [FOREIGN_KEYS] = "translated",
        [FOREIGN_ONLY] = "one way",
        [FOREIGN_IRRELEVANT] = "irrelevant",
        [FOREIGN_OLD_NAME] = "old name",
    };
    return names[kind];
}
