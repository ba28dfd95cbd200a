/* SPDX-License-Identifier: MIT */
#include "gen/config/keys.h"

#include "gen/config/arch.h"
#include "noc/topology.h"

/* ---- words and choices ----------------------------------------------------------------------- */

static const struct key_word auto_words[] = {
    {"auto", 0, "chosen from the SM and LLC counts"},
    {NULL, 0, NULL},
};
static const struct key_word none_words[] = {
    {"none", 0, "there is none"},
    {NULL, 0, NULL},
};
static const struct key_word table_words[] = {
    {"none", 0, "there is none"},
    {"auto", UINT32_MAX, "sized from the SMs per cluster"},
    {NULL, 0, NULL},
};
static const struct key_word model_words[] = {
    {"model", 0, "from the cost model"},
    {NULL, 0, NULL},
};
static const struct key_word generation_words[] = {
    {"generation", UINT32_MAX, "that of gpu.generation"},
    {NULL, 0, NULL},
};
static const struct key_word lanes_words[] = {
    {"generation", UINT32_MAX, "that of gpu.generation"},
    {"unit", 0, "as many as its unit's interval lets through"},
    {NULL, 0, NULL},
};
static const struct key_word bank_tag_words[] = {
    {"banks", 0, "each of l1.banks takes an access, of a sector where the L1 has them"},
    {NULL, 0, NULL},
};
static const struct key_word as_int_words[] = {
    {"generation", UINT32_MAX, "that of gpu.generation"},
    {"int", 0, "that of the integer units"},
    {NULL, 0, NULL},
};
static const struct key_word register_words[] = {
    {"clock", 0, "only where a cycle does not suffice"},
    {NULL, 0, NULL},
};
static const struct key_word nominal_words[] = {
    {"nominal", 0, "the node's own"},
    {NULL, 0, NULL},
};
static const struct key_word node_words[] = {
    {"node", 0, "tech.node"},
    {NULL, 0, NULL},
};
static const struct key_word agent_words[] = {
    {"all", 0, "as many as fit an SM"},
    {"vote", CTA_AGENTS_VOTE, "SMs try different numbers, then all take the best"},
    {NULL, 0, NULL},
};
static const struct key_word off_words[] = {
    {"off", 0, "not modelled"},
    {NULL, 0, NULL},
};
static const struct key_word refresh_words[] = {
    {"off", 0, "none stops a bank"},
    {"kind", UINT32_MAX, "that of dram.kind"},
    {NULL, 0, NULL},
};
static const struct key_word line_words[] = {
    {"line", 0, "the whole line: not sectored"},
    {NULL, 0, NULL},
};
static const struct key_word sms_words[] = {
    {"sms", 0, "one SM per cluster"},
    {NULL, 0, NULL},
};
static const struct key_word free_words[] = {
    {"free", 0, "never a limit"},
    {NULL, 0, NULL},
};
static const struct key_word perfect_words[] = {
    {"perfect", 0, "always a hit"},
    {NULL, 0, NULL},
};
static const struct key_word once_words[] = {
    {"once", 0, "in the cycle after the access"},
    {NULL, 0, NULL},
};
static const struct key_word fp32_words[] = {
    {"fp32", 0, "none: the single precision units do it"},
    {NULL, 0, NULL},
};
static const struct key_word sfu_words[] = {
    {"sfu", 0, "none: the special function units do it"},
    {NULL, 0, NULL},
};
static const struct key_word collector_words[] = {
    {"collectors", 0, "as many as sm.collectors"},
    {NULL, 0, NULL},
};
static const struct key_word int_words[] = {
    {"int", 0, "none: the integer units do it"},
    {NULL, 0, NULL},
};
static const struct key_word lsu_words[] = {
    {"memory", 0, "none: the load/store unit and the texture cache do it"},
    {NULL, 0, NULL},
};
static const struct key_word pitch_words[] = {
    {"global", 0, "width and spacing of the node's global layer"},
    {NULL, 0, NULL},
};
static const struct key_word margin_words[] = {
    {"custom", 1.25,
     "gates of high-performance silicon: its fanout-of-four inverter over the model's, 45 to 22 "
     "nm"},
    {"cells", 2.5, "standard cells at sign-off: about twice that"},
    {NULL, 0, NULL},
};
static const struct key_word tile_words[] = {
    {"node", NOC_TILE_BY_NODE, "as on die photos of its node (cfg/tech/tiles.csv)"},
    {NULL, 0, NULL},
};
static const struct key_word length_words[] = {
    {"short", 3.3, "3.3 mm, the edge of an SM of the CD-Xbar paper"},
    {"long", 12.3, "12.3 mm, half its die"},
    {"floorplan", NOC_LINK_FLOORPLAN, "Manhattan distance on the floorplan"},
    {NULL, 0, NULL},
};

#define CHOICES(name, ...) static const char *const name[] = {__VA_ARGS__, NULL}
/* The words of an enum of sim/choices.h, from its list. */
#define WORD(word) #word,
#define WORDS_OF(type, list) static const char *const type##_words[] = {list(WORD) NULL}
static const char *const topologies[] = {NOC_TOPOLOGIES(WORD) NULL};
WORDS_OF(gpu_network, GPU_NETWORKS);
WORDS_OF(gpu_generation, GPU_GENERATIONS);
WORDS_OF(unit_choice, UNIT_CHOICES);
WORDS_OF(warp_policy, WARP_POLICIES);
WORDS_OF(sm_pipeline, SM_PIPELINES);
WORDS_OF(l1_write, L1_WRITES);
WORDS_OF(l1_index, L1_INDICES);
WORDS_OF(coalescer_kind, COALESCERS);
WORDS_OF(coalesce_by, COALESCE_RULES);
WORDS_OF(warppool_policy, WARPPOOL_POLICIES);
WORDS_OF(llc_hash, LLC_HASHES);
WORDS_OF(llc_index, LLC_INDICES);
WORDS_OF(l1_allocate, L1_ALLOCATES);
WORDS_OF(dram_bank_hash, DRAM_BANK_HASHES);
WORDS_OF(dram_refresh, DRAM_REFRESHES);
WORDS_OF(dram_policy, DRAM_POLICIES);
WORDS_OF(cta_policy, CTA_POLICIES);
WORDS_OF(cta_share, CTA_SHARES);
WORDS_OF(cta_clustering, CTA_CLUSTERINGS);
WORDS_OF(cta_index, CTA_INDICES);
WORDS_OF(clock_edges, CLOCK_EDGES);
WORDS_OF(cluster_order, CLUSTER_ORDERS);
WORDS_OF(router_allocator, ALLOCATORS);
WORDS_OF(router_arbiter, ARBITERS);
WORDS_OF(source_vcs, SOURCE_VC_RULES);
WORDS_OF(merge_slack, MERGE_SLACKS);
CHOICES(clock_limits, "fmax", "none");
CHOICES(concentrators, "hardware", "free");
CHOICES(slow_allocations, "clock", "two_cycles");
CHOICES(gatings, "bytes", "none");
WORDS_OF(network_engine, NETWORK_ENGINES);
WORDS_OF(array_engine, ARRAY_ENGINES);
WORDS_OF(leakage_source, LEAKAGE_SOURCES);
WORDS_OF(coefficient_scaling, COEFFICIENT_SCALINGS);
WORDS_OF(constant_rule, CONSTANT_RULES);
WORDS_OF(logic_choice, LOGIC_CHOICES);
WORDS_OF(dvfs_moves, DVFS_MOVES);
#undef WORD
#define WORD(name, word) word,
WORDS_OF(leak_variant, LEAK_VARIANT_LIST);
WORDS_OF(timing_mode, TIMING_MODES);
WORDS_OF(arbiter_kind, ARBITER_KINDS);
WORDS_OF(switch_kind, SWITCH_KINDS);
WORDS_OF(array_flavour, ARRAY_FLAVOUR_LIST);
WORDS_OF(noc_placement, NOC_PLACEMENTS);
WORDS_OF(noc_token, NOC_TOKENS);
WORDS_OF(noc_deal, NOC_DEALS);
WORDS_OF(array_limit, ARRAY_LIMITS);

/* clang-format off */
/* ---- row makers: a field of the wrong type does not compile ------------------------------------ */

#define FIELD(f) (((struct arch *)0)->f)
#define INT_TYPE(f) _Generic(FIELD(f), uint32_t: KEY_INT, uint64_t: KEY_INT64)
#define REAL_TYPE(f) _Generic(FIELD(f), double: KEY_REAL)
#define BOOL_TYPE(f) _Generic(FIELD(f), bool: KEY_BOOL)
#define NAME_TYPE(f) _Generic(FIELD(f), const char *: KEY_NAME)
#define TEXT_TYPE(f) _Generic(FIELD(f), const char *: KEY_TEXT)
#define ENUM_TYPE(f, e) _Generic(FIELD(f), enum e: sizeof(enum e) == sizeof(int) ? KEY_ENUM : -1)
#define AT(f) .offset = offsetof(struct arch, f)
#define NET(f) .offset = offsetof(struct arch, noc[0].f), .per_network = true
#define COUNT(f) .count_offset = offsetof(struct arch, noc[0].f)

#define NUMBER(p, t, at, l, h, d, u, w, when, m) \
    {.path = p, .type = t, at, .lo = l, .hi = h, .number = d, .unit = u, .words = w, .used_if = when, .meaning = m}
#define WORDS(p, t, at, c, d, when, m) \
    {.path = p, .type = t, at, .choices = c, .text = d, .unit = "", .used_if = when, .meaning = m}

/* path, field, lowest, highest, default, unit, when used, meaning; the W forms also take words */
#define INT(p, f, l, h, d, u, when, m) NUMBER(p, INT_TYPE(f), AT(f), l, h, d, u, NULL, when, m)
#define INTW(p, f, l, h, d, u, w, when, m) NUMBER(p, INT_TYPE(f), AT(f), l, h, d, u, w, when, m)
#define REAL(p, f, l, h, d, u, when, m) NUMBER(p, REAL_TYPE(f), AT(f), l, h, d, u, NULL, when, m)
#define REALW(p, f, l, h, d, u, w, when, m) NUMBER(p, REAL_TYPE(f), AT(f), l, h, d, u, w, when, m)
#define BOOL(p, f, d, when, m) NUMBER(p, BOOL_TYPE(f), AT(f), 0, 1, d, "", NULL, when, m)
/* path, field, choices (the first is the default, or as NAMED says), when used, meaning */
#define NAME(p, f, c, when, m) WORDS(p, NAME_TYPE(f), AT(f), c, NULL, when, m)
#define NAMED(p, f, c, d, when, m) WORDS(p, NAME_TYPE(f), AT(f), c, d, when, m)
#define TEXT(p, f, d, when, m) WORDS(p, TEXT_TYPE(f), AT(f), NULL, d, when, m)
/* path, field, its enum, when used, meaning; the choices are the enum's words, the first is the default or as ENUMD says */
#define ENUM(p, f, e, when, m) ENUM_AT(p, f, AT(f), e, 0, when, m)
#define ENUMD(p, f, e, d, when, m) ENUM_AT(p, f, AT(f), e, d, when, m)
#define ENUM_AT(p, f, at, e, d, when, m) \
    {.path = p, .type = ENUM_TYPE(f, e), at, .choices = e##_words, .number = d, .unit = "", .used_if = when, .meaning = m}

/* the same for keys that exist once per network: fields of struct arch_net */
#define NET_INT(p, f, l, h, d, u, when, m) NUMBER(p, INT_TYPE(noc[0].f), NET(f), l, h, d, u, NULL, when, m)
#define NET_INTW(p, f, l, h, d, u, w, when, m) NUMBER(p, INT_TYPE(noc[0].f), NET(f), l, h, d, u, w, when, m)
#define NET_REAL(p, f, l, h, d, u, when, m) NUMBER(p, REAL_TYPE(noc[0].f), NET(f), l, h, d, u, NULL, when, m)
#define NET_REALW(p, f, l, h, d, u, w, when, m) NUMBER(p, REAL_TYPE(noc[0].f), NET(f), l, h, d, u, w, when, m)
#define NET_BOOL(p, f, d, when, m) NUMBER(p, BOOL_TYPE(noc[0].f), NET(f), 0, 1, d, "", NULL, when, m)
#define NET_NAME(p, f, c, when, m) WORDS(p, NAME_TYPE(noc[0].f), NET(f), c, NULL, when, m)
#define NET_NAMED(p, f, c, d, when, m) WORDS(p, NAME_TYPE(noc[0].f), NET(f), c, d, when, m)
#define NET_TEXT(p, f, d, when, m) WORDS(p, TEXT_TYPE(noc[0].f), NET(f), NULL, d, when, m)
#define NET_ENUM(p, f, e, when, m) ENUM_AT(p, noc[0].f, NET(f), e, 0, when, m)
#define NET_ENUMD(p, f, e, d, when, m) ENUM_AT(p, noc[0].f, NET(f), e, d, when, m)
#define NET_INTS(p, f, n, l, h, when, m) \
    {.path = p, .type = KEY_INTS, NET(f), COUNT(n), .lo = l, .hi = h, .unit = "", .used_if = when, .meaning = m}
#define LIST(p, f, n, when, m) \
    {.path = p, .type = KEY_LIST, AT(f), .count_offset = offsetof(struct arch, n), .unit = "", .used_if = when, .meaning = m}
#define NET_LIST(p, f, n, when, m) \
    {.path = p, .type = KEY_LIST, NET(f), COUNT(n), .unit = "", .used_if = when, .meaning = m}

#define ALWAYS NULL
#define MESH "noc.topology = mesh | smesh"
#define CUSTOM "noc.topology = custom"
#define HIERARCHICAL "noc.topology = hierarchical"
#define CFNOC "noc.topology = cfnoc"
#define HRCNET "noc.topology = hrcnet"
#define WARPPOOL "coalescer.kind = warppool"
#define MRPB "coalescer.kind = mrpb"
#define LOCAL "gpu.network = local"
#define STAGE "tech.timing_mode = stage"
#define CLUSTERING "cta.clustering.mode = redirect | agent"
#define AGENT "cta.clustering.mode = agent"

/* ---- the table, section by section; docs/configuration.md keeps this order ------------------- */

const struct key keys[] = {
    INT  ("gpu.sms",                gpu.n_sms,           1, 16384,   80, "",      ALWAYS, "streaming multiprocessors (SMs)"),
    INTW ("gpu.clusters",           gpu.n_clusters,      1, 16384,    0, "",      sms_words, ALWAYS, "groups of SMs, each behind one network port"),
    REAL ("gpu.core_clock_ghz",     gpu.core_ghz,     0.01,    10,  1.4, "GHz",   ALWAYS, "clock of the SMs"),
    REAL ("gpu.l2_clock_ghz",       gpu.l2_ghz,       0.01,    10,  1.4, "GHz",   ALWAYS, "clock of the LLC slices"),
    REAL ("gpu.dram_clock_ghz",     gpu.dram_ghz,     0.01,    10,  1.4, "GHz",   ALWAYS, "command clock of the DRAM"),
    INT  ("gpu.address_bits",       gpu.address_bits,   32,    64,   48, "bit",   ALWAYS, "width of a memory address"),
    ENUM ("gpu.generation",         gpu.generation,      gpu_generation,          ALWAYS, "whose pipelines latencies have that no key gives; generic: none around the arrays"),
    ENUM ("gpu.network",            gpu.network,         gpu_network,             ALWAYS, "what the simulator sends packets through: the design's networks, an idealised crossbar, or one router of one virtual channel"),
    INT  ("gpu.local.depth",        gpu.local_depth,     1,  65536, 512, "",      LOCAL,  "idealised crossbar: flits an input buffer holds, packets an output buffer holds"),
    INT  ("gpu.local.cycles",       gpu.local_cycles,    0,   1000,   0, "cycle", LOCAL,  "idealised crossbar: latency beyond the one cycle of the switch"),
    BOOL ("gpu.local.serial",       gpu.local_serial,    false,                   LOCAL,  "idealised crossbar: one flit per cycle through each input and output, not any packet"),
    INT  ("gpu.switch.source_queue", gpu.switch_queue,    1,   4096,   9, "flit",  "gpu.network = switch", "one router: waiting at a source"),
    INT  ("gpu.switch.depth",       gpu.switch_depth,    1,   4096,  64, "flit",  "gpu.network = switch", "one router: each input buffer, and each ejection buffer"),
    INT  ("gpu.switch.sink_queue",  gpu.switch_boundary, 1,   4096,  16, "flit",  "gpu.network = switch", "one router: at a sink, ready to be taken"),
    INT  ("gpu.packet_header",      gpu.header_bytes,    1,    256,   8, "B",     ALWAYS, "of a packet: address and command, besides data"),
    INT  ("gpu.launch_cycles",      gpu.launch_cycles,   0,    1e6,   0, "cycle", ALWAYS, "between the start of a kernel and its first CTA"),
    TEXT ("gpu.card",               gpu.card,            "",                      ALWAYS, "card whose measurements the machine is held against (cfg/silicon/cards); empty: none"),

    INT  ("sm.warps",               sm.warps,            1,    64,   48, "",      ALWAYS, "warp contexts of an SM"),
    INT  ("sm.threads",             sm.threads,         32,  4096, 1536, "",      ALWAYS, "thread contexts of an SM"),
    INT  ("sm.ctas",                sm.ctas,             1,   128,    8, "",      ALWAYS, "CTA contexts of an SM"),
    INT  ("sm.registers",           sm.registers,     1024, 1<<20, 32768, "",     ALWAYS, "32-bit registers of an SM"),
    INTW ("sm.shared",              sm.shared_bytes,  1024, 1<<20, 49152, "B",    none_words, ALWAYS, "shared memory of an SM"),
    INT  ("sm.shared_banks",        sm.shared_banks,     1,   128,   32, "",      "sm.shared > 0", "banks of the shared memory"),
    INTW ("sm.shared_latency",      sm.shared_latency,   1,  1000,    0, "cycle", model_words, "sm.shared > 0", "latency of the shared memory"),
    INTW ("sm.shared_pipeline",     sm.shared_pipeline,  0,  1000, UINT32_MAX, "cycle", generation_words, "sm.shared_latency = model", "shared memory: cycles of its pipeline, besides the access of the array"),
    INT  ("sm.schedulers",          sm.schedulers,       1,    16,    2, "",      ALWAYS, "warp schedulers of an SM"),
    ENUM ("sm.scheduler",           sm.scheduler,        warp_policy,             ALWAYS, "how a scheduler picks the next warp"),
    INT  ("sm.issue_per_scheduler", sm.issue_per_scheduler, 1,  4,    1, "",      ALWAYS, "instructions a scheduler issues in a cycle"),
    BOOL ("sm.issue_same_unit",     sm.issue_same_unit,  false,                   "sm.issue_per_scheduler > 1", "instructions of one warp that issue in one cycle may go to the same kind of unit"),
    INTW ("sm.warp_limit",          sm.warp_limit,       1,   128,    0, "",      none_words, ALWAYS, "warps allowed to run at once (static warp limiting)"),
    INTW ("sm.predicate_latency",   sm.predicate_latency, 0, 1000, UINT32_MAX, "cycle", generation_words, "sm.pipeline = computed", "from a comparison to what is under its predicate or jumps by it, at least; 0: as to any other instruction"),
    INTW ("sm.jump_cycles",         sm.jump_cycles,      0,  1000, UINT32_MAX, "cycle", generation_words, "sm.pipeline = computed", "from a jump to the warp's next instruction, at least"),
    BOOL ("sm.bypass",              sm.bypass,           true,                    "sm.pipeline = computed", "a result goes to the next instruction that wants it when it is there; false: through the register file, six cycles more"),
    INTW ("sm.int.latency",         sm.int_latency,      1,  1000, UINT32_MAX, "cycle", generation_words, ALWAYS, "integer unit: cycles to the result"),
    INT  ("sm.int.interval",        sm.int_interval,     1,  1000,    1, "cycle", ALWAYS, "integer unit: cycles between two warps"),
    INTW ("sm.fp32.latency",        sm.fp32_latency,     1,  1000, UINT32_MAX, "cycle", generation_words, ALWAYS, "single precision unit: cycles to the result"),
    INT  ("sm.fp32.interval",       sm.fp32_interval,    1,  1000,    1, "cycle", ALWAYS, "single precision unit: cycles between two warps"),
    INT  ("sm.fp64.latency",        sm.fp64_latency,     1,  1000,   20, "cycle", ALWAYS, "double precision unit: cycles to the result"),
    INT  ("sm.fp64.interval",       sm.fp64_interval,    1,  1000,    8, "cycle", ALWAYS, "double precision unit: cycles between two warps"),
    INT  ("sm.sfu.latency",         sm.sfu_latency,      1,  1000,   20, "cycle", ALWAYS, "special function unit: cycles to the result"),
    INT  ("sm.sfu.interval",        sm.sfu_interval,     1,  1000,    4, "cycle", ALWAYS, "special function unit: cycles between two warps"),
    INTW ("sm.fp16.lanes",          sm.fp16_lanes,       1,  1024, UINT32_MAX, "", lanes_words, ALWAYS, "lanes of an SM in a cycle that half precision takes (two values each)"),
    ENUM ("sm.int_mul.unit",        sm.int_mul_unit,     unit_choice,             ALWAYS, "which units multiply integers: those of single precision since Volta"),
    INTW ("sm.int_mul.lanes",       sm.int_mul_lanes,    1,  1024, UINT32_MAX, "", lanes_words, ALWAYS, "results of an SM in a cycle: products of integers"),
    INTW ("sm.shift.lanes",         sm.shift_lanes,      1,  1024, UINT32_MAX, "", lanes_words, ALWAYS, "the same: shifts, bit fields, sums of differences, narrow integers"),
    ENUM ("sm.bits.unit",           sm.bits_unit,        unit_choice,             ALWAYS, "which units count, find and reverse bits and convert: the special function units since Volta"),
    INTW ("sm.bits.lanes",          sm.bits_lanes,       1,  1024, UINT32_MAX, "", lanes_words, ALWAYS, "results of an SM in a cycle: counts of bits, first bit, reversal"),
    INTW ("sm.convert.lanes",       sm.convert_lanes,    1,  1024, UINT32_MAX, "", lanes_words, ALWAYS, "the same: conversions between integers and reals, and to halves, of 32 bits or fewer"),
    INTW ("sm.convert64.lanes",     sm.convert64_lanes,  1,  1024, UINT32_MAX, "", lanes_words, ALWAYS, "the same: those from and to 64 bits"),
    INTW ("sm.shuffle.lanes",       sm.shuffle_lanes,    1,  1024, UINT32_MAX, "", lanes_words, ALWAYS, "the same: shuffles"),
    INTW ("sm.shuffle.latency",     sm.shuffle_latency,  1,  1000, UINT32_MAX, "cycle", as_int_words, ALWAYS, "from a shuffle to what takes its result"),
    INTW ("sm.barrier.lanes",       sm.barrier_lanes,    1,  1024, UINT32_MAX, "", lanes_words, ALWAYS, "threads of an SM that come to barriers in a cycle"),
    INTW ("sm.barrier.latency",     sm.barrier_latency,  0,  1000, UINT32_MAX, "cycle", generation_words, ALWAYS, "from the last warp's arrival to its going on"),
    INTW ("sm.tensor.latency",      sm.tensor_latency,   1,  1000, UINT32_MAX, "cycle", generation_words, ALWAYS, "tensor unit: cycles to the result of a step, 256 products of 16 bits"),
    INTW ("sm.tensor.interval",     sm.tensor_interval,  1,  1000, UINT32_MAX, "cycle", generation_words, ALWAYS, "tensor unit: cycles between two steps; a stepped pipeline takes every instruction for one step, as Accel-Sim does"),
    INT  ("sm.branch.latency",      sm.branch_latency,   1,  1000,    4, "cycle", "sm.branch.units > 0", "branch unit: cycles to the end"),
    INT  ("sm.branch.interval",     sm.branch_interval,  1,  1000,    4, "cycle", "sm.branch.units > 0", "branch unit: cycles between two warps"),
    INT  ("sm.fp32.units",          sm.fp32_units,       1,    64,    2, "",      ALWAYS, "single precision units"),
    INTW ("sm.int.units",           sm.int_units,        1,    64,    0, "",      fp32_words, ALWAYS, "integer units"),
    INTW ("sm.fp64.units",          sm.fp64_units,       1,    64,    0, "",      sfu_words, ALWAYS, "double precision units"),
    INT  ("sm.sfu.units",           sm.sfu_units,        1,    64,    1, "",      ALWAYS, "special function units"),
    INTW ("sm.tensor.units",        sm.tensor_units,     1,    64,    0, "",      fp32_words, ALWAYS, "tensor units"),
    INTW ("sm.branch.units",        sm.branch_units,     1,    64,    0, "",      int_words, ALWAYS, "branch units"),
    INTW ("sm.uniform.units",       sm.uniform_units,    1,    64,    0, "",      int_words, ALWAYS, "units of the uniform datapath (Turing and later)"),
    INT  ("sm.uniform.latency",     sm.uniform_latency,  1,  1000,    4, "cycle", "sm.uniform.units > 0", "uniform datapath: cycles to the result"),
    INT  ("sm.uniform.interval",    sm.uniform_interval, 1,  1000,    1, "cycle", "sm.uniform.units > 0", "uniform datapath: cycles between two warps"),
    BOOL ("sm.sub_cores",           sm.sub_cores,        false,                   ALWAYS, "units, collectors and register banks belong to one scheduler each"),
    INTW ("sm.fetches_per_cycle",   sm.fetches,          1,    16,    0, "",      free_words, ALWAYS, "fetches of two instructions in a cycle"),
    INT  ("sm.collectors",          sm.collectors,       1,    16,    8, "",      ALWAYS, "operand collectors of each kind of unit; with sub-cores: of the SM, shared by the units"),
    BOOL ("sm.fence_flushes_l1",    sm.fence_flushes_l1,     false,                   ALWAYS, "a fence waits for the warp's loads, not for its stores, and empties the L1"),
    ENUM ("sm.pipeline",            sm.pipeline,         sm_pipeline,             ALWAYS, "from issue to the units: worked out at issue, or stepped through registers, collectors, ports and result buses"),
    INT  ("sm.collector_ports",     sm.collector_ports,  1,     8,    2, "",      "sm.pipeline = stepped", "instructions that enter, and leave, the collectors of the single precision units (with sub-cores: of all) in a step; the others' have one"),
    INTW ("sm.sfu.collectors",      sm.sfu_collectors,   1,    16,    0, "",      collector_words, "sm.pipeline = stepped", "operand collectors of the special function units"),
    INT  ("sm.sfu.collector_ports", sm.sfu_ports,        1,     8,    1, "",      "sm.pipeline = stepped", "instructions that enter, and leave, the collectors of the special function units in a step, without sub-cores"),
    INTW ("sm.fp64.collectors",     sm.fp64_collectors,  1,    16,    0, "",      collector_words, "sm.pipeline = stepped", "operand collectors of the double precision units"),
    INT  ("sm.fp64.collector_ports", sm.fp64_ports,      1,     8,    1, "",      "sm.pipeline = stepped", "instructions that enter, and leave, the collectors of the double precision units in a step, without sub-cores"),
    INTW ("sm.result_buses",        sm.result_buses,     1,    64,    0, "",      free_words, "sm.pipeline = stepped", "results of the units that can be written in one cycle"),
    INT  ("sm.memory_collectors",   sm.memory_collectors, 1,   16,    2, "",      ALWAYS, "operand collectors of the load/store unit"),
    INTW ("sm.register_banks",      sm.register_banks,   1,   256,   16, "",      free_words, ALWAYS, "banks of the register file; two operands from one bank take two cycles"),
    INT  ("sm.register_ports",      sm.register_ports,   1,     4,    1, "",      ALWAYS, "reads of a register bank, and steps of the collectors, in a cycle"),
    INTW ("sm.icache.size",         sm.icache_bytes,    64, 1<<20,    0, "B",     perfect_words, ALWAYS, "instruction cache"),
    INT  ("sm.icache.ways",         sm.icache_ways,      1,  1024,    4, "",      "sm.icache.size > 0", "associativity"),
    INT  ("sm.icache.line",         sm.icache_line,     32,   512,  128, "B",     "sm.icache.size > 0", "line"),
    INT  ("sm.icache.mshr",         sm.icache_mshr,      1,   256,    2, "",      "sm.icache.size > 0", "lines that may be missing at once"),
    INT  ("sm.icache.merges",       sm.icache_merges,    1,    64,   64, "",      "sm.icache.size > 0", "warps that may wait for one line"),
    INTW ("sm.const.size",          sm.const_bytes,     64, 1<<20,    0, "B",     perfect_words, ALWAYS, "constant cache"),
    INT  ("sm.const.ways",          sm.const_ways,       1,  1024,    2, "",      "sm.const.size > 0", "associativity"),
    INT  ("sm.const.line",          sm.const_line,      32,   512,   64, "B",     "sm.const.size > 0", "line"),
    INT  ("sm.const.cycles",        sm.const_cycles,     1,  1000,    4, "cycle", ALWAYS, "latency of a hit"),
    INTW ("sm.texture.size",        sm.texture_bytes,   64, 1<<20,    0, "B",     perfect_words, ALWAYS, "texture cache"),
    INT  ("sm.texture.ways",        sm.texture_ways,     1,  1024,   24, "",      "sm.texture.size > 0", "associativity"),
    INTW ("sm.texture.units",       sm.texture_units,    1,    64,    0, "",      lsu_words, ALWAYS, "units that texture fetches go to as arithmetic does, without memory, as in Accel-Sim"),
    INT  ("sm.texture.interval",    sm.texture_interval, 1,  1000,    4, "cycle", "sm.texture.units > 0", "texture unit: cycles between two warps"),
    INT  ("sm.texture.cycles",      sm.texture_cycles,   1,  1000,  200, "cycle", ALWAYS, "latency of a hit"),

    INT  ("l1.size",                l1.bytes,         1024, 1<<24, 16384, "B",    ALWAYS, "data of the L1 of an SM"),
    INT  ("l1.ways",                l1.ways,             1,  1024,    4, "",      ALWAYS, "associativity"),
    INT  ("l1.line",                l1.line_bytes,      32,   512,  128, "B",     ALWAYS, "line"),
    INTW ("l1.sector",              l1.sector_bytes,    16,   512,    0, "B",     line_words, ALWAYS, "part of a line that is fetched alone"),
    INTW ("l1.tags_per_cycle",      l1.tags_per_cycle,   1,     4,    0, "",      bank_tag_words, "coalescer.kind = intra", "lines of an instruction whose tags are compared in a cycle, each for all of its sectors; lanes that want different words of one of sm.shared_banks banks then take turns, as in the shared memory, whose memory it is"),
    INT  ("l1.banks",               l1.banks,            1,    16,    1, "",      ALWAYS, "banks; several lines of one load are looked up at once"),
    ENUM ("l1.write",               l1.write,            l1_write,                ALWAYS, "what a store does: evict the line, write through, write back"),
    ENUMD("l1.index",               l1.index,            l1_index, L1_INDEX_hashed, ALWAYS, "how addresses choose a set"),
    INTW ("l1.hit_cycles",          l1.hit_cycles,       1,  1000,    0, "cycle", model_words, ALWAYS, "latency of a hit"),
    INTW ("l1.pipeline_cycles",     l1.pipeline_cycles,  0,  1000, UINT32_MAX, "cycle", generation_words, "l1.hit_cycles = model", "cycles of its pipeline, besides the access of the array"),
    INT  ("l1.mshr.entries",        l1.mshr_entries,     1,  4096,   32, "",      ALWAYS, "lines that may be missing at once"),
    INT  ("l1.mshr.merges",         l1.mshr_merges,      1,   256,    8, "",      ALWAYS, "requests that may wait for one line"),
    INTW ("l1.lookup_cycles",       l1.lookup_cycles,    1,  1000,    0, "cycle", once_words, ALWAYS, "from the access to the comparison of the tags; a miss leaves then"),
    INTW ("l1.misses_per_cycle",    l1.misses_per_cycle, 1,    64,    0, "",      free_words, ALWAYS, "searches of the MSHRs, by loads of all banks, in a cycle"),
    INT  ("l1.miss_queue",          l1.miss_queue,       1,  1024,    8, "",      ALWAYS, "requests waiting for the cluster's port"),
    INT  ("l1.response_queue",      l1.responses,        1,  1024,    2, "",      ALWAYS, "replies buffered at the SM"),
    BOOL ("l1.write_allocate",      l1.write_allocate,   false,                   ALWAYS, "a store that misses takes a line; sectors written in part are fetched when read"),
    INTW ("l1.keep_dirty_below",    l1.dirty_percent,    1,   100,    0, "%",     off_words, ALWAYS, "written lines are no victims while they are a smaller share of the cache, unless a set holds nothing else"),
    INTW ("l1.unified",             l1.unified_bytes, 1024, 1<<24,    0, "B",     off_words, ALWAYS, "one memory for L1 and shared memory; the L1 has what a kernel's shared memory leaves"),
    TEXT ("l1.carve_outs",          l1.carve_outs,       "0,8,16,32,64,96",       "l1.unified > 0", "sizes of shared memory it can be divided into, in KB"),
    BOOL ("l1.join_sectors",        l1.join_sectors,     false,                   ALWAYS, "sectors of one line that one load or store misses leave as one request, and come back as one"),
    ENUM ("l1.allocate",            l1.allocate,         l1_allocate,             ALWAYS, "when a line that misses takes a place: with the miss, or when its data comes (streaming caches)"),
    BOOL ("l1.keep_between_kernels", l1.keeps_lines,     false,                   ALWAYS, "lines stay in the L1 when a kernel ends"),
    BOOL ("l1.bypass_skips_pipeline", l1.bypass_skips_pipeline,     false,                   ALWAYS, "atomics and loads past the L1 do not go through its pipeline"),
    BOOL ("l1.bypass_global_loads", l1.bypass_global_loads,      false,                   ALWAYS, "global loads do not look into the L1"),
    TEXT ("l1.bypass_loads",        l1.bypass_loads,     "",                      ALWAYS, "global loads that pass the L1 as ld.cg does: \"streams\" (whose lines are read once in a launch), or \"KERNEL:LINE …\" by the line of the PTX; empty: those that the program says"),
    INT  ("l1.slot_groups",         l1.slot_groups,      1,     8,    1, "",      ALWAYS, "groups of CTA slots, each with a part of the L1 to itself (Maxwell, Pascal: 2); slot k belongs to group k mod this"),
    BOOL ("l1.tags_first",          l1.tags_first,       false,                   ALWAYS, "the tags are compared before one way of the data is read, as a cache of many ways has to; else all ways are read at once, as CACTI and McPAT do"),

    ENUM ("coalescer.kind",         coalescer.kind,      coalescer_kind,          ALWAYS, "what merges the lanes' accesses: within a warp, WarpPool, MRPB, banked L1"),
    ENUM ("coalescer.rule",         coalescer.rule,      coalesce_by,             ALWAYS, "what lanes are merged into: lines (or sectors of the L1); segments: also bytes into 32 B, halfwords into 64 B, what passes the L1 into 32 B, atomics of one word one by one"),
    INT  ("coalescer.warppool.queues",       coalescer.wp_queues,        1,  128,   16, "",  WARPPOOL, "instruction queues; neighbouring warps share one"),
    INT  ("coalescer.warppool.depth",        coalescer.wp_queue_depth,   1,   64,    8, "",  WARPPOOL, "entries of an instruction queue"),
    INT  ("coalescer.warppool.coalescers",   coalescer.wp_coalescers,    1,   16,    2, "",  WARPPOOL, "intra-warp coalescers that work in parallel"),
    INT  ("coalescer.warppool.merge_queues", coalescer.wp_merge_queues,  1,  256,   32, "",  WARPPOOL, "inter-warp coalescing queues, chosen by address"),
    INT  ("coalescer.warppool.tags",         coalescer.wp_tags,          1,   16,    2, "",  WARPPOOL, "lines an inter-warp queue holds"),
    INT  ("coalescer.warppool.merges",       coalescer.wp_merges,        1,   16,    4, "",  WARPPOOL, "loads that may share one line"),
    INT  ("coalescer.warppool.thread_maps",  coalescer.wp_thread_maps,   1,  256,    8, "",  WARPPOOL, "irregular lane-to-word maps that can be kept"),
    INT  ("coalescer.warppool.writeback",    coalescer.wp_writeback,     1,   64,    2, "",  WARPPOOL, "entries of the writeback queue"),
    ENUM ("coalescer.warppool.policy",       coalescer.wp_policy,        warppool_policy,    WARPPOOL, "which request goes to the L1: oldest, lowest warp, or toggle between them"),
    INT  ("coalescer.warppool.quantum",      coalescer.wp_quantum,       1, 1e9, 100000, "cycle", "coalescer.warppool.policy = toggle", "cycles between two looks at the miss rate"),
    REAL ("coalescer.warppool.toggle",       coalescer.wp_toggle_share,  0,    1, 0.99, "",  "coalescer.warppool.policy = toggle", "L1 miss rate above which the policy toggles"),
    INT  ("coalescer.mrpb.queues",           coalescer.mrpb_queues,      1,  128,   48, "",  MRPB, "request queues, chosen by warp"),
    INT  ("coalescer.mrpb.depth",            coalescer.mrpb_depth,       1,   64,    8, "",  MRPB, "entries of a request queue"),

    BOOL ("cluster.unbuffered",     cluster.is_unbuffered,      false,                ALWAYS, "no injection buffer: requests stay in the SM until the network takes them"),
    NAME ("cluster.concentrator",   cluster.concentrator,       concentrators,        ALWAYS, "what joins the SMs of one port: hardware is counted and priced (a multiplexer with buffers and arbiter, links to the SMs; for replies the other way), or nothing is"),
    INT  ("cluster.inject_depth",   cluster.inject_depth,   1, 4096,  8, "",      ALWAYS, "packets waiting at the cluster's network port"),
    INT  ("cluster.response_depth", cluster.response_depth, 1, 4096, 32, "",      ALWAYS, "packets in the cluster's response queue"),
    INTW ("cluster.icc.entries",    arrays[ROLE_MERGE_TABLE].entries, 1,  4096,    0, "",      table_words, ALWAYS, "intra-cluster coalescing: entries of the merge table"),
    INT  ("cluster.icc.cycles",     arrays[ROLE_MERGE_TABLE].cycles,  1,   100,    1, "cycle", "cluster.icc.entries > 0", "latency of the merge table"),
    INTW ("cluster.cc.entries",     arrays[ROLE_COALESCED_CACHE].entries,  1,  4096,    0, "",      none_words, ALWAYS, "coalesced cache: lines"),
    INT  ("cluster.cc.cycles",      arrays[ROLE_COALESCED_CACHE].cycles,   1,   100,    1, "cycle", "cluster.cc.entries > 0", "latency of the coalesced cache"),

    NET_NAMED("noc.topology",       params.topology,     topologies, "mesh",      ALWAYS, "shape of the network"),
    NET_TEXT ("noc.routing",        params.routing,      "",                      ALWAYS, "how packets find their way; legal ones depend on the topology, the first is the default"),
    BOOL     ("noc.shared",         noc_shared,          false,                   ALWAYS, "one physical network carries requests and replies"),
    NET_INT  ("noc.width",          params.width_bits,   8,  4096,  256, "bit",   ALWAYS, "channel width, one flit"),
    NET_INT  ("noc.vcs",            params.vcs,          1,    64,    4, "",      ALWAYS, "virtual channels per input port"),
    NET_INT  ("noc.vc_depth",       params.vc_depth,     1,  1024,    4, "flit",  ALWAYS, "buffer of a virtual channel"),
    NET_REAL ("noc.clock_ghz",      clock_ghz,        0.01,    10,  1.4, "GHz",   ALWAYS, "target clock of the network"),
    NET_NAME ("noc.clock_limit",    clock_limit,         clock_limits,            ALWAYS, "lower the clock to what the slowest router can do, or do not"),
    NET_INTW ("noc.traversal_stages", traversal_stages,  1,    16,    0, "cycle", auto_words, STAGE, "cycles of a router's switch, with registers between them; auto: as many as the clock needs"),
    NET_NAME ("noc.slow_allocation", slow_allocation,   slow_allocations,        STAGE, "where an allocation is slower than the clock: lower the clock, or let allocations take two cycles"),
    NET_NAME ("noc.gating",         gating,              gatings,                 ALWAYS, "energy of a flit that is not full: bytes that carry nothing are not clocked and not driven, as byte enables do, or every flit pays for its whole width"),
    NET_REALW("noc.register_mm",    register_mm,       0.1,   100,    0, "mm",    register_words, ALWAYS, "longest piece of a link between two registers"),
    NET_INTW ("noc.mesh.columns",   params.mesh_columns, 1,   512,    0, "",      auto_words, MESH, "columns of the grid"),
    NET_INTW ("noc.mesh.rows",      params.mesh_rows,    1,   512,    0, "",      auto_words, MESH, "rows of the grid"),
    NET_ENUMD("noc.mesh.placement", params.placement,    noc_placement, NOC_PLACE_AUTO, MESH, "where the memory nodes are; auto: diamond on a mesh, bottom on an S-mesh"),
    NET_INTS ("noc.mesh.memory_nodes",    params.place_list, params.n_place_list, 0, 511, "noc.mesh.placement = list", "coordinates of the memory nodes: x0, y0, x1, y1, …"),
    NET_INTW ("noc.clos.m",         params.clos_m,       1,  1024,    0, "",      auto_words, "noc.topology = clos", "middle switches"),
    NET_INTW ("noc.clos.n",         params.clos_n,       1,  1024,    0, "",      auto_words, "noc.topology = clos", "endpoints of a first-stage switch"),
    NET_INTW ("noc.clos.r",         params.clos_r,       1,  1024,    0, "",      auto_words, "noc.topology = clos", "switches of the first and of the last stage"),
    NET_INTW ("noc.butterfly.k",    params.fly_k,        2,  1024,    0, "",      auto_words, "noc.topology = butterfly", "radix of a switch"),
    NET_INTW ("noc.butterfly.n",    params.fly_n,        1,    16,    0, "",      auto_words, "noc.topology = butterfly", "stages"),
    NET_INTW ("noc.cdxbar.groups",  params.cd_groups,    1,  4096,    0, "",      auto_words, "noc.topology = cdxbar", "local crossbars"),
    NET_INTW ("noc.cdxbar.ports",   params.cd_ports,     1,   256,    0, "",      auto_words, "noc.topology = cdxbar", "converged ports of a local crossbar"),
    NET_INTW ("noc.hierarchical.tpc",        params.hier_tpc,        1,   64, 0, "", auto_words, HIERARCHICAL, "SM ports that share a TPC; 1: there is no such stage"),
    NET_INTW ("noc.hierarchical.gpcs",       params.hier_gpcs,       1, 1024, 0, "", auto_words, HIERARCHICAL, "GPCs; TPCs are dealt to them evenly, the larger ones first"),
    NET_INTW ("noc.hierarchical.tpc_ports",  params.hier_tpc_ports,  1,   64, 0, "", auto_words, HIERARCHICAL, "links between a TPC and its GPC"),
    NET_INTW ("noc.hierarchical.gpc_ports",  params.hier_gpc_ports,  1, 1024, 0, "", auto_words, HIERARCHICAL, "links between a GPC and the crossbar"),
    NET_INTW ("noc.hierarchical.partitions", params.hier_partitions, 1,   64, 0, "", auto_words, HIERARCHICAL, "partitions of the L2, each with a crossbar of its own"),
    NET_INTW ("noc.hierarchical.crossings",  params.hier_crossings,  1, 1024, 0, "", auto_words, HIERARCHICAL, "links from one partition to another, in the other half"),
    NET_INT  ("noc.hierarchical.crossing_cycles", params.hier_crossing_cycles, 0, 500, 0, "cycle", HIERARCHICAL, "cycles of a link between partitions beyond those of its length: registers, priced"),
    NET_BOOL ("noc.hierarchical.direct",     params.hier_direct,     false,          HIERARCHICAL, "every GPC has noc.hierarchical.gpc_ports links to every partition of its half, and none leads to another partition of it"),
    NET_INTW ("noc.hierarchical.halves",     params.hier_halves,     1,   64, 0, "", auto_words, HIERARCHICAL, "parts of the chip with GPCs and partitions of their own; links lead from a partition to those of the same place in other halves"),
    NET_INTW ("noc.cfnoc.columns",  params.cf_columns,   1,   128,    0, "",      auto_words, CFNOC, "columns of SMs, each with a subnet of its own; auto: as many as slices"),
    NET_INTW ("noc.cfnoc.rows",     params.cf_rows,      2,  4096,    0, "",      auto_words, CFNOC, "rows, that of the slices included"),
    NET_INT  ("noc.cfnoc.queue",    params.cf_queue,     1,  4096,   34, "flit",  CFNOC, "each ejection queue; a slice has one for each subnet. 34: two stores of a line in flits of 8 B"),
    NET_INT  ("noc.cfnoc.drain",    params.cf_drain,     1,    64,    4, "flit",  CFNOC, "flits that a slice reads from its queues in a cycle. 4: with flits of 8 B what a mesh of 32 B brings"),
    NET_ENUM ("noc.cfnoc.token",    params.cf_token,     noc_token,               CFNOC, "the token goes up the column, against the packets, so that packets follow each other without a gap, or down, behind them"),
    NET_BOOL ("noc.hrcnet.folded",  params.hrc_folded,   true,                    HRCNET, "neighbours on the ring are two stops apart; else the ring has one channel back over all stops"),
    NET_ENUM ("noc.hrcnet.deal",    params.hrc_deal,     noc_deal,                HRCNET, "SM ports of a chain: every n-th, which are the columns of an S-mesh with n slices, or neighbours"),
    NET_INT  ("noc.hrcnet.reply_slots", params.hrc_slots, 1, 65535, 128, "",      HRCNET, "replies that an SM port has reserved room for, in the lines and MSHRs of its misses; requests beyond wait"),
    NET_LIST ("noc.custom.routers", params.routers, params.n_routers, CUSTOM, "routers: ({ name = \"a\"; inputs = 3; outputs = 3; }, …)"),
    NET_LIST ("noc.custom.links",   params.links,   params.n_links,   CUSTOM, "links: ({ from = \"sm 0-3\"; to = \"a\"; length_mm = 1.0; }, …)"),
    NET_LIST ("noc.custom.routes",  params.routes,  params.n_routes,  CUSTOM, "routes: ({ at = \"a\"; to = \"llc *\"; via = \"b\"; vc_class = 0; }, …)"),
    NET_INT  ("noc.router.routing_delay",  router.routing_delay,  0, 16, 1, "cycle", ALWAYS, "route computation; 0: done one router ahead"),
    NET_INT  ("noc.router.vc_alloc_delay", router.vc_alloc_delay, 1, 16, 1, "cycle", ALWAYS, "virtual channel allocation"),
    NET_INT  ("noc.router.sw_alloc_delay", router.sw_alloc_delay, 1, 16, 1, "cycle", ALWAYS, "switch allocation"),
    NET_INT  ("noc.router.traversal_delay", router.st_delay,       1, 16, 1, "cycle", ALWAYS, "switch traversal"),
    NET_INT  ("noc.router.credit_delay",   router.credit_delay,   0, 16, 0, "cycle", ALWAYS, "handling of a returned credit"),
    NET_BOOL ("noc.router.speculative",    router.speculative,    false,             ALWAYS, "bid for the switch while the virtual channel is being allocated"),
    NET_BOOL ("noc.router.lookahead",      router.lookahead,      false,             ALWAYS, "compute the route one router ahead"),
    NET_ENUM ("noc.router.allocator",      router.allocator,      router_allocator,  ALWAYS, "allocator of virtual channels and of the switch"),
    NET_ENUM ("noc.router.arbiter",        router.arbiter,        router_arbiter,    ALWAYS, "arbiter inside the separable allocators"),
    NET_INT  ("noc.router.iterations",     router.iterations,     1, 16, 1, "",      ALWAYS, "iterations of the allocator"),
    NET_INT  ("noc.router.input_speedup",  router.input_speedup,  1, 16, 1, "",      ALWAYS, "switch inputs of a router input"),
    NET_INT  ("noc.router.output_speedup", router.output_speedup, 1, 16, 1, "",      ALWAYS, "switch outputs of a router output"),
    NET_INT  ("noc.router.internal_speedup", router.internal_speedup, 1, 8, 1, "",   ALWAYS, "router evaluations in a cycle"),
    NET_INT  ("noc.router.extra_alloc_cycles", router.extra_alloc,    0, 16, 0, "cycle", ALWAYS, "cycles by which an allocation blocks its ports longer"),
    NET_INTW ("noc.power_gating.idle_cycles", router.gate_after,  1, 1e6, 0, "cycle", off_words, ALWAYS, "a router that has been empty for so long is switched off"),
    NET_INT  ("noc.power_gating.wake_cycles", router.wake_cycles, 1, 1000, 8, "cycle", "noc.power_gating.idle_cycles > 0", "from the flit that finds it off to the first cycle of work"),
    NET_INT  ("noc.power_gating.break_even", router.gate_break_even, 0, 1e6, 10, "cycle", "noc.power_gating.idle_cycles > 0", "cycles off that pay for switching off and on again"),
    NET_REAL ("noc.power_gating.saved",     router.gate_saved,    0, 1, 0.9, "",      "noc.power_gating.idle_cycles > 0", "share of a router's leakage that is gone while it is off"),
    NET_ENUM ("noc.source.vcs",            router.source_vcs,     source_vcs,        ALWAYS, "interfaces send packets on all their virtual channels at once, a flit a cycle, so that one without credits lets others pass; or one packet after the other, as BookSim2's do"),
    NET_INTW ("noc.packet_merge.entries",  merge.entries,         1, 1024, 0, "",    none_words, ALWAYS, "packet coalescing: entries of a router's merge table"),
    NET_INT  ("noc.packet_merge.max_flits", merge.max_flits,      1, 64, 8, "flit", "noc.packet_merge.entries > 0", "longest merged packet"),
    NET_ENUM ("noc.packet_merge.slack",    merge.slack,           merge_slack,       "noc.packet_merge.entries > 0", "how long requests are held: more near the end of the path, the same in every router, not at all"),
    NET_INT  ("noc.packet_merge.cycles_per_hop", merge.cycles_per_hop, 0, 1000, 5, "cycle", "noc.packet_merge.entries > 0", "budget of a request for each router on its path"),
    NET_INT  ("noc.packet_merge.requests_per_flit", merge.per_flit,        1, 64, 1, "",      "noc.packet_merge.entries > 0", "requests that share a flit of a merged packet"),
    NET_BOOL ("noc.packet_merge.hold_grant", merge.hold_grant,    true,              "noc.packet_merge.entries > 0", "a merged packet keeps its output until its tail has left"),
    NET_BOOL ("noc.packet_merge.delay_only", merge.delay_only,    false,             "noc.packet_merge.entries > 0", "hold requests without merging them: the control experiment"),

    INT  ("llc.slices",             llc.slices,          1,  4096,   16, "",      ALWAYS, "slices of the last-level cache, each with a network port"),
    INT  ("llc.size",               llc.bytes,        1024, 1<<28, 131072, "B",   ALWAYS, "data of a slice"),
    INT  ("llc.ways",               llc.ways,            1,  1024,    8, "",      ALWAYS, "associativity"),
    INT  ("llc.line",               llc.line_bytes,     32,   512,  128, "B",     ALWAYS, "line"),
    INTW ("llc.sector",             llc.sector_bytes,   16,   512,    0, "B",     line_words, ALWAYS, "part of a line that is fetched alone"),
    INT  ("llc.banks",              llc.banks,           1,    64,    1, "",      ALWAYS, "banks of a slice"),
    ENUM ("llc.slice_hash",         llc.hash,            llc_hash,                ALWAYS, "how addresses choose a slice"),
    INT  ("llc.queue",              llc.queue_depth,     1,  4096,   64, "",      ALWAYS, "requests waiting at a slice"),
    INTW ("llc.hit_cycles",         llc.hit_cycles,      1,  1000,    0, "cycle", model_words, ALWAYS, "latency of a hit"),
    INTW ("llc.pipeline_cycles",    llc.pipeline_cycles, 0,  1000, UINT32_MAX, "cycle", generation_words, "llc.hit_cycles = model", "cycles of a slice's pipeline and of the interfaces to the network, besides the access of the array"),
    INT  ("llc.mshr.entries",       llc.mshr_entries,    1,  4096,   32, "",      ALWAYS, "lines that may be missing at once"),
    INT  ("llc.mshr.merges",        llc.mshr_merges,     1,   256,    8, "",      ALWAYS, "requests that may wait for one line"),
    ENUM ("llc.index",              llc.index,           llc_index,               ALWAYS, "how addresses choose a set"),
    INT  ("llc.interleave",         llc.interleave,     32, 65536,  256, "B",     ALWAYS, "consecutive bytes of one controller"),
    INT  ("llc.miss_queue",         llc.miss_queue,      2,  1024,    8, "",      ALWAYS, "requests between the tags and the queue to the DRAM"),
    INT  ("llc.dram_queue",         llc.dram_queue,      1,  4096,   64, "",      ALWAYS, "requests to the DRAM, answers from it, and replies to the network"),
    INTW ("llc.atomic_cycles",      llc.atomic_cycles,         1,    64,    0, "L2 cycle", free_words, ALWAYS, "between two atomic operations of a warp's lanes on one word, which its bank does one after the other; free: all at once"),
    INTW ("llc.evict_port",         llc.evict_port_bytes,      1,  4096,    0, "B",     free_words, ALWAYS, "width of a slice's data port: a dirty line that a store evicts is read through it, and nobody else meanwhile"),
    INT  ("llc.dirty_limit",        llc.dirty_percent,   1,   100,  100, "%",     ALWAYS, "share of a slice's lines that may be dirty; beyond it the line that was written longest ago is written to the DRAM, and stays"),
    BOOL ("llc.miss_before_writeback", llc.miss_before_writeback,      false,                   ALWAYS, "a read that misses goes to the DRAM before the line it evicts, and waits for room for both even if it merges with another"),
    BOOL ("llc.sectors_one_by_one", llc.sectors_one_by_one, false,               ALWAYS, "a line's sectors are looked up and answered one by one"),
    BOOL ("llc.host_copies_fill",   llc.host_copies_fill,     true,                    ALWAYS, "copies from the host leave their lines in the cache"),
    BOOL ("llc.far_copies",         llc.far_copies,      false,                   HIERARCHICAL, "SMs reach the slices of their half alone, which keep copies of lines that the other half's slices answer for: read on a miss over the crossings, thrown out by a write"),
    BOOL ("llc.tags_first",         llc.tags_first,      false,                   ALWAYS, "the tags are compared before one way of the data is read; else all ways are read at once"),

    INT  ("dram.controllers",       dram.controllers,    1,  1024,    8, "",      ALWAYS, "memory controllers, each with one channel"),
    TEXT ("dram.kind",              dram.kind,           "none",                  ALWAYS, "technology of the DRAM: gddr5, gddr5x, gddr6, gddr6x, hbm2, hbm2e, hbm3 (cfg/tech/dram-*.csv) or a CSV file, which sets clock, organisation, timing and energies where the description does not, and sets aside what base files say of them; none: keys say all"),
    INT  ("dram.banks",             dram.banks,          1,    64,   16, "",      ALWAYS, "banks of a channel"),
    INT  ("dram.bank_groups",       dram.bank_groups,    1,    64,    4, "",      ALWAYS, "groups of banks"),
    INT  ("dram.ranks",             dram.ranks,          1,    16,    1, "",      ALWAYS, "ranks of a channel"),
    INT  ("dram.row",               dram.row_bytes,    256, 65536, 2048, "B",     ALWAYS, "row of a bank, over the whole channel"),
    INT  ("dram.bus",               dram.bus_bytes,      1,   256,   32, "B",     ALWAYS, "bytes a channel moves in half a command clock"),
    INT  ("dram.burst",             dram.burst,          1,    64,    4, "",      ALWAYS, "bus transfers of a column command"),
    ENUM ("dram.scheduler",         dram.scheduler,      dram_policy,             ALWAYS, "order of the requests"),
    INT  ("dram.queue",             dram.queue,          1,  4096,   64, "",      ALWAYS, "requests a controller looks at"),
    INT  ("dram.bank_queue",        dram.bank_queue,     1,  4096,    4, "",      "dram.scheduler = banked_fifo", "requests in the queue of a bank"),
    INTW ("dram.controller_cycles", dram.controller_cycles,   0, 10000, UINT32_MAX, "cycle", generation_words, ALWAYS, "controller and pins, besides the DRAM's own timing; L2 clock"),
    INT  ("dram.tcl",               dram.tcl,            1,  1000,   12, "cycle", ALWAYS, "read command to data"),
    INT  ("dram.trp",               dram.trp,            1,  1000,   12, "cycle", ALWAYS, "precharge to activate"),
    INT  ("dram.trc",               dram.trc,            1,  1000,   40, "cycle", ALWAYS, "activate to activate, one bank"),
    INT  ("dram.tras",              dram.tras,           1,  1000,   28, "cycle", ALWAYS, "activate to precharge"),
    INT  ("dram.trcd",              dram.trcd,           1,  1000,   12, "cycle", ALWAYS, "activate to read or write"),
    INT  ("dram.trrd",              dram.trrd,           1,  1000,    6, "cycle", ALWAYS, "activate to activate, different banks"),
    INT  ("dram.tccd",              dram.tccd,           1,  1000,    2, "cycle", ALWAYS, "column command to column command"),
    INT  ("dram.twr",               dram.twr,            1,  1000,   12, "cycle", ALWAYS, "end of write data to precharge"),
    INTW ("dram.tccd_l",            dram.tccd_l,         1,  1000,    0, "cycle", off_words, ALWAYS, "column command to column command, one bank group"),
    INTW ("dram.trtp",              dram.trtp,           1,  1000,    0, "cycle", off_words, ALWAYS, "read to precharge"),
    INTW ("dram.twtr",              dram.twtr,           1,  1000,    0, "cycle", off_words, ALWAYS, "end of write data to read"),
    INTW ("dram.tfaw",              dram.tfaw,           1,  1000,    0, "cycle", off_words, ALWAYS, "window of four activates"),
    INTW ("dram.tcwl",              dram.tcwl,           1,  1000,    0, "cycle", off_words, ALWAYS, "write command to data"),
    INTW ("dram.trefi",             dram.trefi,          1,   1e6,    0, "cycle", refresh_words, ALWAYS, "in which all banks are refreshed; energy of refreshes is counted either way (energy.dram)"),
    INT  ("dram.trfc",              dram.trfc,           1, 10000,  150, "cycle", "dram.trefi > 0", "length of a refresh"),
    ENUM ("dram.refresh",           dram.refresh,        dram_refresh,            "dram.trefi > 0", "banks that a refresh takes: all of a channel at once, or one after the other, beside accesses to the others (HBM, GDDR6)"),
    TEXT ("dram.map",               dram.map,            "",                      ALWAYS, "address map in GPGPU-Sim's notation; empty: controller, slice, column, bank, row from the bottom"),
    INT  ("dram.return_queue",      dram.returns,        1,  4096,   64, "",      ALWAYS, "answers waiting in a controller"),
    ENUM ("dram.bank_hash",         dram.bank_hash,      dram_bank_hash,          ALWAYS, "low bits of the row that change the bank: none, xored into its number, or by a polynomial (16, 32 or 64 banks)"),
    INTW ("dram.write_queue.size",  dram.write_queue,    1,  4096,    0, "",      none_words, "dram.scheduler = frfcfs", "writes wait in a queue of their own"),
    INT  ("dram.write_queue.high",  dram.write_high,     1,  4096,   28, "",      "dram.write_queue.size > 0", "writes are served when so many wait, and reads are not"),
    INT  ("dram.write_queue.low",   dram.write_low,      1,  4096,   16, "",      "dram.write_queue.size > 0", "until fewer than so many wait"),
    BOOL ("dram.dual_command_bus",  dram.dual_command_bus,       false,                   ALWAYS, "a row and a column command in one cycle (HBM)"),

    ENUM ("cta.scheduler",          cta.scheduler,       cta_policy,              "cta.clustering.mode = off | redirect", "where the next CTA goes"),
    INT  ("cta.block",              cta.block,           1,     8,    2, "",      "cta.scheduler = distributed_block | block", "CTAs launched together"),
    ENUM ("cta.share",              cta.share,           cta_share,               ALWAYS, "how several kernels share the SMs"),
    INTW ("cta.limit",              cta.limit,           1,   128,    0, "",      none_words, ALWAYS, "CTAs that an SM runs at once, if fewer than fit (throttling)"),
    ENUM ("cta.clustering.mode",    cta.clustering.mode, cta_clustering,          ALWAYS, "CTAs with common data on one SM: not, by a permutation in front of the scheduler, or by persistent agents that work through an SM's own cluster in the scheduler's place"),
    ENUM ("cta.clustering.index",   cta.clustering.index, cta_index,              CLUSTERING, "which CTAs are neighbours: by rows or columns, whichever share more lines (auto, for each kernel), row by row, column by column, tile by tile, as a file says"),
    TEXT ("cta.clustering.order",   cta.clustering.order, "",                     "cta.clustering.index = file", "file with the order of the CTAs: their numbers, for all kernels or behind lines \"kernel NAME\" (docs/mechanisms-clustering.md)"),
    INT  ("cta.clustering.tile",    cta.clustering.tile, 1,  1024,    2, "",      "cta.clustering.index = tile", "CTAs of a tile's edge"),
    INTW ("cta.clustering.active_agents", cta.clustering.active_agents, 1, 128, 0, "", agent_words, AGENT, "agents of an SM that work; the others leave at once"),
    INT  ("cta.clustering.task_cycles", cta.clustering.task_cycles, 0, 1e6, 20, "cycle", AGENT, "an agent's loop and index arithmetic before each task"),
    INTW ("cta.clustering.start_cycles", cta.clustering.start_cycles, 0, 1e6, UINT32_MAX, "cycle", generation_words, AGENT, "before an agent's first task: nothing where its number follows from its warp slot (Fermi, Kepler), else an atomic round trip and a barrier"),
    INTW ("cta.clustering.prefetch", cta.clustering.prefetch, 1, 64,  0, "",      none_words, AGENT, "each warp of an agent prefetches what the first so many global loads of the agent's next task will read"),
    INT  ("cta.clustering.prefetch_insts", cta.clustering.prefetch_insts, 0, 64, 4, "", "cta.clustering.prefetch > 0", "integer instructions before each prefetch that work out its addresses"),
    INT  ("cta.stagger",            cta.stagger,         0,   1e6,    0, "cycle", ALWAYS, "CTA b begins b times so many cycles after it was placed (the staggered feasibility test of CTA clustering)"),

    BOOL ("compat.ptx_as_is",       compat.ptx_as_is,    false,                    ALWAYS, "workloads and programs run with the instructions that their PTX has, one each: no sequences for divisions, nothing merged, fused or moved (docs/ptx.md)"),
    BOOL ("compat.kernels_share_code_address", compat.kernels_share_code_address, false,  ALWAYS, "the instructions of all kernels of a program begin at one address, so that a kernel finds those of the one before in the caches"),
    ENUM ("compat.clock_edges",     compat.clock_edges,  clock_edges,             ALWAYS, "instants of clocks: exact ratios, or sums of periods in double precision from the start of a kernel"),
    BOOL ("compat.atomics_stall_warp", compat.atomics_stall_warp, false,          ALWAYS, "a warp waits for every atomic, also for those without a result and those of shared memory"),
    BOOL ("compat.constant_loads_are_int", compat.constant_loads_are_int, false,  ALWAYS, "loads of constants are integer operations, their cache is not looked up"),
    BOOL ("compat.texture_loads_are_int", compat.texture_loads_are_int, false,    ALWAYS, "texture fetches are integer operations, their cache is not looked up"),
    BOOL ("compat.dram_turn_moves_in_clock", compat.dram_turn_moves_in_clock, false, ALWAYS, "a row command moves the turn of the banks at once, so that others are asked for a column command in the same clock"),
    BOOL ("compat.bank_group_in_low_bits", compat.bank_group_in_low_bits, true,   ALWAYS, "a bank's group is given by the low bits of its number"),
    BOOL ("compat.cta_turn_goes_on", compat.cta_turn_goes_on, false,              "cta.scheduler = two_level", "the first CTA of a kernel goes to the cluster and SM behind the last one of the kernel before, not to the first"),
    ENUM ("compat.cluster_order",   compat.cluster_order, cluster_order,          ALWAYS, "SMs of a cluster share a bus into the network, one request a cycle; or each of them injects, one after the other, another one first each cycle (turns) or always the first (fixed), and the cluster is given one CTA a cycle"),
    BOOL ("compat.dram_write_before_trcd", compat.dram_write_before_trcd, false,  ALWAYS, "a write may follow its activate tCWL + 1 cycles earlier than a read"),

    REAL ("tech.node",              tech.node_nm,        3,   130,   22, "nm",    ALWAYS, "technology node: routers and links at 45, 32, 22 and 11 nm (DSENT), 16, 7, 5 and 3 nm (FinFETs), nodes between two of a family interpolated, others refused when priced; everything else follows it (docs/technology.md)"),
    ENUM ("tech.logic",             tech.logic,          logic_choice,            ALWAYS, "technologies of routers and links: the node's (DSENT's from 45 to 11 nm, FinFETs below), DSENT's, or FinFETs (16 to 3 nm)"),
    REALW("tech.array_node",        tech.array_node_nm,  3,    90,    0, "nm",    node_words, ALWAYS, "technology node of the arrays: 90, 65, 45, 32 and 22 nm are tabulated (ITRS, as in CACTI), nodes between are mixed linearly; below 22 nm it is 22 nm times the factors of cfg/tech/scaling.csv"),
    REAL ("tech.temperature",       tech.temperature_k, 250,  420,  340, "K",     ALWAYS, "junction temperature, of everything that leaks"),
    REALW("tech.voltage",           tech.voltage_v,    0.3,   2.0,    0, "V",     nominal_words, ALWAYS, "supply of SMs, L2 and networks, at whose nominal value prices hold (docs/technology.md has it by node): energy with its square, leakage and delay with it, too"),
    TEXT ("tech.vf_curve",          tech.vf_curve,       "node",                  ALWAYS, "supply that a core clock needs (sim --dvfs): node (points read on cards of a node within 1.2 x, cfg/tech/vf-curves.csv, else the law), law (alpha-power law, cfg/tech/scaling.csv), or a CSV file"),
    ENUM ("tech.dvfs",              tech.dvfs,           dvfs_moves,              ALWAYS, "what moves with the core clock (sim --dvfs), clock and supply: SMs, networks and L2, or SMs alone"),
    ENUM ("tech.leakage",           tech.leakage,        leak_variant,            ALWAYS, "which of DSENT's two published rules for leakage of stacked transistors"),
    ENUMD("tech.timing_mode",       tech.timing_mode,    timing_mode, TIMING_STAGE, ALWAYS, "how the largest clock of a router is found: DSENT's paths from all inputs, or from the clock; or register to register, stage by stage, with the wires of the switch"),
    ENUMD("tech.arbiters",          tech.arbiters,       arbiter_kind, ARBITER_TREE_CELLS, ALWAYS, "what arbiters are made of, for price and clock: a flip-flop for each pair of requests (DSENT), or a tree of round-robin nodes"),
    ENUM ("tech.switch",            tech.switches,       switch_kind,             STAGE,  "how a switch is built: multiplexers with repeated wires, or crosspoints on lines without repeaters"),
    REALW("tech.cell_margin",       tech.cell_margin,  0.1,    10,  2.5, "",      margin_words, STAGE, "delay of a gate over that of the model"),
    REAL ("tech.clock_skew",        tech.skew,           0,   0.9,  0.1, "",      STAGE,  "share of a clock period that is lost to skew and jitter"),
    ENUM ("tech.array_device",      tech.array_device,   array_flavour,           ALWAYS, "transistors of the arrays: high performance, low standby power, low operating power"),
    ENUM ("tech.array_limit",       tech.array_limit,    array_limit,             ALWAYS, "an array slower than its clock takes an access each so many cycles as it needs; none: each cycle"),
    REALW("tech.links.sm",          place.link_mm[NOC_LINK_SM],     0.01, 100, NOC_LINK_FLOORPLAN, "mm", length_words, ALWAYS, "length of channels between SMs and routers"),
    REALW("tech.links.llc",         place.link_mm[NOC_LINK_LLC],    0.01, 100, NOC_LINK_FLOORPLAN, "mm", length_words, ALWAYS, "length of channels between LLC slices and routers"),
    REALW("tech.links.router",      place.link_mm[NOC_LINK_ROUTER], 0.01, 100, NOC_LINK_FLOORPLAN, "mm", length_words, ALWAYS, "length of channels between routers"),
    REALW("tech.wires.pitch",       place.track_um,     0.01,   10,    0, "um",   pitch_words, ALWAYS, "pitch of the networks' wires, to see whether they fit"),
    INT  ("tech.wires.layers",      place.track_layers,    1,   16,    2, "",     ALWAYS, "layers that run one way and may carry the networks' wires"),
    REAL ("tech.utilisation",       tech.utilisation,   0.05,    1,  0.7, "",      "energy.leakage = model", "area of cells over area of the tile they are placed in, of logic that no model lays out; for its leakage"),
    REALW("tech.tiles.sm",          place.sm_area_mm2,  0.01, 1000,    NOC_TILE_BY_NODE, "mm2",  tile_words, ALWAYS, "area of an SM on the floorplan"),
    REALW("tech.tiles.llc",         place.llc_area_mm2, 0.01, 1000,    NOC_TILE_BY_NODE, "mm2",  tile_words, ALWAYS, "area of an LLC slice with its logic"),
    REALW("tech.tiles.mc",          place.mc_area_mm2,  0.01, 1000,    NOC_TILE_BY_NODE, "mm2",  tile_words, ALWAYS, "area of a memory controller with its PHY"),
    REALW("tech.tiles.noc",         place.noc_area_mm2,    0, 10000, NOC_TILE_BY_NODE, "mm2",  tile_words, ALWAYS, "area of the die that its networks have"),
    REALW("tech.tiles.other",       place.other_area_mm2,  0, 10000, NOC_TILE_BY_NODE, "mm2",  tile_words, ALWAYS, "area of what is not modelled: host interface, raster, links to other chips"),
    INT  ("tech.tiles.spare_sms",   place.n_spare_sms,     0, 16384,   0, "",     ALWAYS, "SMs of the die that are switched off"),

    ENUM ("energy.noc_engine",         energy.network,      network_engine,          ALWAYS, "what prices routers and channels"),
    ENUM ("energy.array_engine",          energy.arrays,       array_engine,            ALWAYS, "what prices arrays"),
    TEXT ("energy.dsent_path",   energy.dsent_program, "",                     "energy.noc_engine = dsent", "path of the real DSENT; empty: looked up in PATH"),
    TEXT ("energy.cacti_path",   energy.cacti_program, "",                     "energy.array_engine = cacti", "path of the real CACTI; empty: looked up in PATH"),
    TEXT ("energy.cache",           energy.cache_dir,     "",                     ALWAYS, "folder that keeps results of the real tools; empty: none"),
    REAL ("energy.timeout",         energy.timeout_s,  0.1, 86400,  600, "s",     ALWAYS, "longest run of a real tool"),
    BOOL ("energy.fallback",        energy.fallback,       true,                  "energy.array_engine = cacti", "price arrays that the real CACTI refuses natively"),
    TEXT ("energy.core",            energy.core,         "qv100",                 ALWAYS, "GPUWattch coefficients of SM core, controller and DRAM: qv100, gtx480 or an XML file"),
    TEXT ("energy.core_base",       energy.core_base,    "",                      ALWAYS, "energies that they multiply; empty: the table that goes with them"),
    TEXT ("energy.dram",            energy.dram,         "coefficients",          ALWAYS, "energies of the DRAM: coefficients (those of energy.core), a table of cfg/tech (hbm2, gddr6, …) or a CSV file; published ones have activation, core, pins, refresh and background apart"),
    ENUM ("energy.leakage",         energy.leakage,      leakage_source,          ALWAYS, "where static power comes from: the fit of energy.core, in which what arrays, networks and DRAM of its card take at rest lies and is counted once; models alone; or both, counted twice"),
    ENUM ("energy.scaling",         energy.scaling,      coefficient_scaling,     ALWAYS, "coefficients at another node, supply or temperature than those of the card they were fitted on: scaled (cfg/tech/scaling.csv), or left as they are"),
    ENUM ("energy.constant",        energy.constant,     constant_rule,           ALWAYS, "constant power in a machine of another size than the card: its parts go with SMs, L2 and controllers, or all of it stays the card's"),
    BOOL ("energy.coalescer",       energy.coalescer,    true,                    ALWAYS, "price the coalescer's tables, which GPUWattch has inside its cache accesses, with the core"),
    BOOL ("energy.collectors",      sm.price_collectors,   true,                  ALWAYS, "price the operand collectors and the switch between them and the register banks"),
    TEXT ("energy.table",           energy.table,        "",                      ALWAYS, "energy table used in place of the engines; empty: none"),
    LIST ("energy.user",            energy.users, energy.n_users,                 ALWAYS, "your own components: ({ name = \"prefetcher\"; statistic = \"l1d_misses\"; energy_pj = 5.0; leakage_mw = 1.0; area_mm2 = 0.1; instances = 80; }, …)"),

    INT  ("sim.seed",               sim.seed,            0,  9e15,    1, "",      ALWAYS, "of all random numbers"),
    INT  ("sim.start",              sim.start,           0, 65535,    0, "",      ALWAYS, "where everything arbitrary begins: arbiters of routers, CTA placement, addresses in the memory; runs that differ in it alone show the noise (`compare --seeds`)"),
    INTW ("sim.max_cycles",         sim.max_cycles,      1,  9e15,    0, "cycle", none_words, ALWAYS, "stop after so many core cycles"),
    BOOL ("sim.restart",            sim.restart,         false,                   "sim.max_cycles > 0", "a program that ends before that begins again, so that programs at once are measured while all of them run"),
    INT  ("sim.watchdog",           sim.watchdog_cycles, 1e5, 1e12, 100000, "cycle", ALWAYS, "cycles without movement of the slowest clock that count as a deadlock; idle time that is jumped over does not"),
    INT  ("sim.livelock",           sim.livelock_cycles, 1e6, 1e12, 1e7, "cycle", ALWAYS, "cycles of the slowest clock in which requests move, but no instruction issues or ends, that count as a livelock; idle time that is jumped over does not"),
    INTW ("sim.locality_window",    sim.icl_window,      1,  1e12,    0, "cycle", none_words, ALWAYS, "measure the locality within clusters: loads count as redundant for so long after the last one to their line"),
    BOOL ("sim.coalescing_windows", sim.windows,         false,                   ALWAYS, "count the loads that coalescing windows of 2 to 128 lines in front of the L1 would merge (window_2 … window_128)"),
    BOOL ("sim.verify",             sim.verify,          false,                   ALWAYS, "check conservation of flits, credits and requests in every cycle"),

    INT  ("synth.ctas",             synth.ctas,          1,   1e7,  240, "",      ALWAYS, "made-up kernels (synth:PATTERN): CTAs"),
    INT  ("synth.threads",          synth.threads,      32,  2048,  256, "",      ALWAYS, "threads of a CTA"),
    INT  ("synth.rounds",           synth.rounds,        1,   1e6,    8, "",      ALWAYS, "loads of a warp, one after the other; of the stencil: five each"),
    INT  ("synth.compute",          synth.compute,       0, 10000,    2, "",      ALWAYS, "arithmetic instructions after each load"),
    INT  ("synth.stores",           synth.stores,        0, 10000,    1, "",      ALWAYS, "stores of a warp at its end"),
    INT  ("synth.bytes",            synth.bytes,         1,    16,    4, "B",     ALWAYS, "bytes a lane reads at once"),
    INT  ("synth.stride",           synth.stride,        1,   1e9,  128, "B",     ALWAYS, "strided: between lanes; chase: between one load and the next"),
    INT  ("synth.footprint",        synth.footprint,     1,  9e15, 1048576, "B",  ALWAYS, "table, chase, random: memory they read"),
    INT  ("synth.columns",          synth.columns,      32,   1e9, 4096, "",      ALWAYS, "stencil: points in a row of the field"),
    INT  ("synth.seed",             synth.seed,          0,   1e6,    1, "",      ALWAYS, "random: which addresses"),
};
/* clang-format on */
const size_t n_keys = sizeof keys / sizeof *keys;
