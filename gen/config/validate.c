/* SPDX-License-Identifier: MIT
 *
 * What concerns several keys: values derived from others, contradictions, keys without effect. */
#include <ctype.h>
#include <string.h>

#include "base/bits.h"
#include "base/buf.h"
#include "base/near.h"
#include "gen/config/generations.h"
#include "gen/config/keys.h"
#include "gen/config/read.h"
#include "noc/topology.h"

struct check {
    struct arch *arch;
    struct err *err;
    bool ok;
};

/* ---- reporting ------------------------------------------------------------------------------- */

static const struct origin *origin_of(const struct arch *arch, const char *path, int net)
{
    int said;
    const struct key *key = key_find(path, &said);
    return key_origin(key, arch, said >= 0 ? said : net);
}

static bool is_said(const struct origin *o)
{
    return o->kind == ORIGIN_FILE || o->kind == ORIGIN_COMMAND_LINE;
}

/* … or was: a derived value has replaced a word such as "generation". */
static bool was_said(const struct origin *o)
{
    return is_said(o) || o->at.file;
}

/* "gpu.sms = 60" */
static const char *said(const struct arch *arch, const char *path, int net, struct arena *mem)
{
    int n;
    const struct key *key = key_find(path, &n);
    struct buf b;
    buf_init(&b, mem, 256);
    if (key->per_network && !key_equal(key, arch, 0, arch, 1))
        buf_printf(&b, "noc.%s%s = ", net ? "reply" : "request", path + 3);
    else
        buf_printf(&b, "%s = ", path);
    key_add_value(key, arch, net, &b);
    if (key->unit[0])
        buf_printf(&b, " %s", key->unit);
    return b.data;
}

static void note_where(struct check *c, const char *path, int net)
{
    const struct origin *o = origin_of(c->arch, path, net);
    if (is_said(o))
        err_note(c->err, (struct where){o->at.file, o->at.line, NULL}, "%s is set here", path);
    else
        err_note(c->err, NOWHERE, "%s has its default", path);
}

static bool is_same_in_both(const struct arch *arch, const char *path)
{
    int net;
    const struct key *key = key_find(path, &net);
    return key_equal(key, arch, 0, arch, 1);
}

/* "A = 1 WHAT B = 2", reported where A is said (or B, if A is a default), with a note about the
 * other. */
static void clash_why(struct check *c, const char *a, const char *what, const char *b, int net,
                      const char *why)
{
    const struct origin *oa = origin_of(c->arch, a, net), *ob = origin_of(c->arch, b, net);
    c->ok = false;
    if (oa->is_bad || ob->is_bad)
        return;
    if (net == NOC_REPLY && is_same_in_both(c->arch, a) && is_same_in_both(c->arch, b))
        return; /* reported for the request network */
    struct arena mem;
    arena_init(&mem, NULL, NULL);
    const char *first = is_said(oa) || !is_said(ob) ? a : b;
    struct where at = key_where(c->arch, first, net);
    at.key = NULL;
    err_add(c->err, ERR_INPUT, at, "%s %s %s%s%s", said(c->arch, a, net, &mem), what,
            said(c->arch, b, net, &mem), why[0] ? "; " : "", why);
    note_where(c, first == a ? b : a, net);
    arena_free(&mem);
}

static void clash_net(struct check *c, const char *a, const char *what, const char *b, int net)
{
    clash_why(c, a, what, b, net, "");
}

static void clash(struct check *c, const char *a, const char *what, const char *b)
{
    clash_why(c, a, what, b, 0, "");
}

static void set_derived_net(struct arch *arch, const char *path, int net)
{
    int all;
    const struct key *key = key_find(path, &all);
    arch->origins[key - keys][net].kind = ORIGIN_DERIVED;
}

static void set_derived(struct arch *arch, const char *path)
{
    set_derived_net(arch, path, 0);
    set_derived_net(arch, path, 1);
}

static void not_pow2(struct check *c, const char *path)
{
    if (origin_of(c->arch, path, 0)->is_bad) {
        c->ok = false;
        return;
    }
    struct arena mem;
    arena_init(&mem, NULL, NULL);
    struct where at = key_where(c->arch, path, 0);
    at.key = NULL;
    c->ok =
        err_add(c->err, ERR_INPUT, at, "%s is not a power of two", said(c->arch, path, 0, &mem));
    arena_free(&mem);
}

/* ---- the parts of the machine ---------------------------------------------------------------- */

/* What stands between SMs and slices is one crossbar, whose clock is lowered only where somebody
 * asks for it: the idealised one has no router that could be too slow. */
static void check_crossbar(struct check *c)
{
    struct arch *a = c->arch;
    if (a->gpu.network == NETWORK_design)
        return;
    for (int net = 0; net < 2; net++) {
        struct arch_net *n = &a->noc[net];
        if (!is_said(origin_of(a, "noc.topology", net))) {
            n->params.topology = "crossbar";
            set_derived_net(a, "noc.topology", net);
        } else if (strcmp(n->params.topology, "crossbar") != 0) {
            clash_why(c, "gpu.network",
                      "is one crossbar, not what it would be priced as:", "noc.topology", net,
                      "gpu.network = \"design\" simulates what the design says");
        }
        if (!is_said(origin_of(a, "noc.clock_limit", net))) {
            n->clock_limit = "none";
            set_derived_net(a, "noc.clock_limit", net);
        }
    }
}

static void check_gpu(struct check *c)
{
    struct arch *a = c->arch;
    check_crossbar(c);
    if (a->gpu.n_clusters == 0) {
        a->gpu.n_clusters = a->gpu.n_sms;
        set_derived(a, "gpu.clusters");
    }
    if (a->gpu.n_clusters > a->gpu.n_sms) {
        clash(c, "gpu.clusters", "is more than", "gpu.sms");
        return;
    }
    if (bits_ceil_div(a->gpu.n_sms, a->gpu.n_clusters) > 64)
        clash(c, "gpu.clusters", "puts more than 64 SMs behind one port:", "gpu.sms");
    if (a->gpu.n_sms % a->gpu.n_clusters == 0)
        return;
    for (int net = 0; net < 2; net++) {
        if (strcmp(a->noc[net].params.topology, "crossbar") != 0) {
            clash_why(c, "gpu.clusters", "does not divide", "gpu.sms", 0,
                      "only a crossbar takes uneven clusters");
            return;
        }
    }
    if (a->arrays[ROLE_MERGE_TABLE].entries)
        clash_why(c, "gpu.clusters", "does not divide", "gpu.sms", 0,
                  "a merge table needs equal clusters");
}

/* Latencies that no key gives are those of the generation. */
static void take_generation(struct arch *a)
{
    const struct generation *g = &generations[a->gpu.generation];
    const struct {
        const char *key;
        uint32_t *at, value;
    } all[] = {
        {"l1.pipeline_cycles", &a->l1.pipeline_cycles, g->l1},
        {"sm.shared_pipeline", &a->sm.shared_pipeline, g->shared},
        {"llc.pipeline_cycles", &a->llc.pipeline_cycles, g->llc},
        {"dram.controller_cycles", &a->dram.controller_cycles, g->dram},
        {"sm.int.latency", &a->sm.int_latency, g->arithmetic},
        {"sm.fp32.latency", &a->sm.fp32_latency, g->arithmetic},
        {"sm.fp16.lanes", &a->sm.fp16_lanes, g->lanes.fp16},
        {"sm.int_mul.lanes", &a->sm.int_mul_lanes, g->lanes.int_mul},
        {"sm.shift.lanes", &a->sm.shift_lanes, g->lanes.shift},
        {"sm.bits.lanes", &a->sm.bits_lanes, g->lanes.bits},
        {"sm.convert.lanes", &a->sm.convert_lanes, g->lanes.convert},
        {"sm.convert64.lanes", &a->sm.convert64_lanes, g->lanes.convert64},
        {"sm.shuffle.lanes", &a->sm.shuffle_lanes, g->lanes.shuffle},
        {"sm.shuffle.latency", &a->sm.shuffle_latency, g->shuffle_latency},
        {"sm.barrier.lanes", &a->sm.barrier_lanes, g->lanes.barrier},
        {"sm.barrier.latency", &a->sm.barrier_latency, g->barrier_latency},
        {"sm.predicate_latency", &a->sm.predicate_latency, g->predicate},
        {"sm.jump_cycles", &a->sm.jump_cycles, g->jump},
        {"sm.tensor.latency", &a->sm.tensor_latency, g->tensor_latency},
        {"sm.tensor.interval", &a->sm.tensor_interval, g->tensor_interval},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (*all[i].at != UINT32_MAX)
            continue;
        *all[i].at = all[i].value;
        set_derived(a, all[i].key);
    }
    if (a->sm.int_mul_unit == UNIT_OF_generation) {
        a->sm.int_mul_unit = g->is_divided ? UNIT_OF_fp32 : UNIT_OF_int;
        set_derived(a, "sm.int_mul.unit");
    }
    if (a->sm.bits_unit == UNIT_OF_generation) {
        a->sm.bits_unit = g->is_divided ? UNIT_OF_sfu : UNIT_OF_int;
        set_derived(a, "sm.bits.unit");
    }
}

static void check_sm(struct check *c)
{
    const struct sm_params *sm = &c->arch->sm;
    if (sm->threads > sm->warps * 32)
        clash(c, "sm.threads", "is more than 32 threads per warp of", "sm.warps");
    if (sm->ctas > sm->warps)
        clash(c, "sm.ctas", "is more than", "sm.warps");
    if (sm->schedulers > sm->warps)
        clash(c, "sm.schedulers", "is more than", "sm.warps");
    if (sm->warp_limit > sm->warps)
        clash(c, "sm.warp_limit", "is more than", "sm.warps");
    if (sm->shared_bytes && sm->shared_bytes % (sm->shared_banks * 4) != 0)
        clash(c, "sm.shared", "is not a whole number of 4-byte rows over", "sm.shared_banks");
    if (sm->pipeline == PIPELINE_stepped && sm->register_banks > 64)
        clash(c, "sm.register_banks", "is more than 64, the most with", "sm.pipeline");
    if (sm->sub_cores && sm->register_banks && sm->register_banks < sm->schedulers)
        clash(c, "sm.register_banks", "is less than one of each sub-core of", "sm.schedulers");
    if (c->arch->l1.unified_bytes && sm->shared_bytes > c->arch->l1.unified_bytes)
        clash(c, "sm.shared", "is more than", "l1.unified");
}

/* What a cache must be; `p` is "l1" or "llc". */
static void check_cache(struct check *c, const char *const paths[5], uint32_t bytes, uint32_t ways,
                        uint32_t line, uint32_t *sector, uint32_t banks)
{
    const char *size_path = paths[0], *ways_path = paths[1], *line_path = paths[2],
               *sector_path = paths[3], *banks_path = paths[4];
    if (!bits_is_pow2(line))
        not_pow2(c, line_path);
    if (*sector == 0) {
        *sector = line;
        set_derived(c->arch, sector_path);
    }
    if (*sector > line || line % *sector)
        clash(c, sector_path, "does not divide", line_path);
    else if (line / *sector > 8)
        clash(c, sector_path, "cuts into more than 8 parts", line_path);
    if (bytes % line)
        clash(c, size_path, "is not a whole number of lines of", line_path);
    else if (bytes / line % ways)
        clash(c, size_path, "is not a whole number of sets with", ways_path);
    else if (bytes / line / ways % banks && banks % (bytes / line / ways))
        clash(c, size_path, "does not give whole sets to each of", banks_path);
}

/* Caches of instructions, constants and textures; 0 bytes: always a hit. */
static void check_read_only(struct check *c, const char *size_path, const char *ways_path,
                            const char *line_path, uint32_t bytes, uint32_t ways, uint32_t line)
{
    if (!bits_is_pow2(line))
        not_pow2(c, line_path);
    else if (bytes % line)
        clash(c, size_path, "is not a whole number of lines of", line_path);
    else if (bytes / line % ways)
        clash(c, size_path, "is not a whole number of sets with", ways_path);
}

/* Agents, and what does not go with them. */
static void check_clustering(struct check *c)
{
    struct arch *a = c->arch;
    struct cta_clustering_params *p = &a->cta.clustering;
    if (p->start_cycles == UINT32_MAX) {
        /* Li et al. 2017: Fermi and Kepler have static warp slots; later ones ask the L2, which
         * takes 207 to 250 cycles (gen/config/generations.c), and pass a barrier */
        enum gpu_generation g = a->gpu.generation;
        p->start_cycles =
            g == GENERATION_generic || g == GENERATION_fermi || g == GENERATION_kepler ? 0 : 250;
        set_derived(a, "cta.clustering.start_cycles");
    }
    if (p->mode == CTA_CLUSTERING_off)
        return;
    if (p->index == CTA_INDEX_file && !p->order[0])
        clash(c, "cta.clustering.index", "needs the name of a file, found", "cta.clustering.order");
    if (p->mode == CTA_CLUSTERING_agent && p->prefetch && p->active_agents == CTA_AGENTS_VOTE)
        clash(c, "cta.clustering.prefetch", "needs to know an agent's next task, found",
              "cta.clustering.active_agents");
}

/* "streams", or words KERNEL:LINE; whether there are such is known when the kernels are. */
static void check_bypass(struct check *c)
{
    const char *all = c->arch->l1.bypass_loads, *p = all;
    bool is_list = strcmp(all, "streams") != 0;
    while (is_list && *(p += strspn(p, " ,"))) {
        size_t n = strcspn(p, " ,"), digits = 0;
        while (digits < n && isdigit((unsigned char)p[n - 1 - digits]))
            digits++;
        bool is_line = digits && digits + 1 < n && p[n - 1 - digits] == ':';
        if (!is_line || strspn(p + n - digits, "0") == digits) {
            const struct origin *o = origin_of(c->arch, "l1.bypass_loads", 0);
            c->ok = err_add(c->err, ERR_INPUT, o->at,
                            "expected \"streams\" or KERNEL:LINE, found \"%.*s\"", (int)n, p);
            return;
        }
        p += n;
    }
}

/* A divided L1: whole sets to each part, and nobody who merges over CTAs or keeps written lines. */
static void check_slot_groups(struct check *c)
{
    const struct arch *a = c->arch;
    uint32_t groups = a->l1.slot_groups;
    if (groups == 1 || !a->l1.ways || !a->l1.line_bytes)
        return;
    if (a->l1.bytes / a->l1.line_bytes / a->l1.ways % groups)
        clash(c, "l1.size", "does not give whole sets to each of", "l1.slot_groups");
    if (groups > a->sm.ctas)
        clash(c, "l1.slot_groups", "is more than", "sm.ctas");
    if (a->coalescer.kind != COALESCER_intra)
        clash(c, "l1.slot_groups", "needs \"intra\", found", "coalescer.kind");
    if (a->l1.write != L1_WRITE_evict || a->l1.write_allocate)
        clash(c, "l1.slot_groups", "holds no written lines, found",
              a->l1.write_allocate ? "l1.write_allocate" : "l1.write");
}

static void check_caches(struct check *c)
{
    struct arch *a = c->arch;
    static const char *const l1[] = {"l1.size", "l1.ways", "l1.line", "l1.sector", "l1.banks"};
    static const char *const llc[] = {"llc.size", "llc.ways", "llc.line", "llc.sector",
                                      "llc.banks"};
    check_cache(c, l1, a->l1.bytes, a->l1.ways, a->l1.line_bytes, &a->l1.sector_bytes, a->l1.banks);
    check_cache(c, llc, a->llc.bytes, a->llc.ways, a->llc.line_bytes, &a->llc.sector_bytes,
                a->llc.banks);
    const struct sm_params *sm = &a->sm;
    check_read_only(c, "sm.icache.size", "sm.icache.ways", "sm.icache.line", sm->icache_bytes,
                    sm->icache_ways, sm->icache_line);
    check_read_only(c, "sm.const.size", "sm.const.ways", "sm.const.line", sm->const_bytes,
                    sm->const_ways, sm->const_line);
    if (bits_is_pow2(a->l1.line_bytes)) /* else said above */
        check_read_only(c, "sm.texture.size", "sm.texture.ways", "l1.line", sm->texture_bytes,
                        sm->texture_ways, a->l1.line_bytes);
    if (a->llc.line_bytes != a->l1.line_bytes)
        clash(c, "l1.line", "is not the line of the last level:", "llc.line");
    else if (a->l1.sector_bytes != a->l1.line_bytes && a->llc.sector_bytes != a->llc.line_bytes &&
             a->l1.sector_bytes != a->llc.sector_bytes)
        clash(c, "l1.sector", "is not the sector of the last level:", "llc.sector");
    if (a->l1.join_sectors && a->llc.sectors_one_by_one)
        clash(c, "l1.join_sectors", "is not modelled together with", "llc.sectors_one_by_one");
    if (a->l1.join_sectors && a->arrays[ROLE_MERGE_TABLE].entries)
        clash(c, "l1.join_sectors", "is not modelled together with", "cluster.icc.entries");
    if (a->coalescer.kind == COALESCER_banked && a->l1.banks < 2)
        clash(c, "coalescer.kind", "needs several banks, found", "l1.banks");
    check_slot_groups(c);
    check_bypass(c);
}

static void check_structures(struct check *c)
{
    struct arch *a = c->arch;
    if (a->coalescer.kind == COALESCER_warppool) {
        if (a->coalescer.wp_queues > a->sm.warps)
            clash(c, "coalescer.warppool.queues", "is more than", "sm.warps");
        if (!bits_is_pow2(a->coalescer.wp_merge_queues))
            not_pow2(c, "coalescer.warppool.merge_queues");
    }
    if (a->coalescer.kind == COALESCER_mrpb && a->coalescer.mrpb_queues > a->sm.warps)
        clash(c, "coalescer.mrpb.queues", "is more than", "sm.warps");
    /* ICC paper: 96, 60, 48, 40 entries for 10, 6, 5, 4 SMs: 9.6 per SM, to the next multiple of 4
     */
    if (a->arrays[ROLE_MERGE_TABLE].entries == UINT32_MAX) {
        uint32_t sms = (uint32_t)bits_ceil_div(a->gpu.n_sms, a->gpu.n_clusters);
        a->arrays[ROLE_MERGE_TABLE].entries = (uint32_t)bits_ceil_div((uint64_t)sms * 96, 40) * 4;
        set_derived(a, "cluster.icc.entries");
    }
    if (a->arrays[ROLE_COALESCED_CACHE].entries && !a->arrays[ROLE_MERGE_TABLE].entries)
        clash(c, "cluster.cc.entries",
              "needs the merge table, which tells what was coalesced:", "cluster.icc.entries");
}

static void check_memory(struct check *c)
{
    struct arch *a = c->arch;
    const struct dram_params *d = &a->dram;
    if (a->llc.slices % d->controllers)
        clash(c, "llc.slices", "is not a multiple of", "dram.controllers");
    else if (!bits_is_pow2(a->llc.slices / d->controllers))
        clash(c, "llc.slices", "does not give a power of two to each of", "dram.controllers");
    else if (a->llc.slices / d->controllers > 16)
        clash(c, "llc.slices", "gives more than 16 to each of", "dram.controllers");
    a->llc.slices_per_mc = a->llc.slices / d->controllers;
    if (a->gpu.network == NETWORK_switch && a->gpu.n_clusters + a->llc.slices > SWITCH_MAX)
        clash(c, "gpu.network", "has 512 ports, too few for the clusters and", "llc.slices");
    /* defaults that are not said follow a queue that is shorter */
    if (d->write_queue && !is_said(origin_of(a, "dram.write_queue.high", 0)))
        a->dram.write_high = d->write_high < d->write_queue ? d->write_high : d->write_queue;
    if (d->write_queue && !is_said(origin_of(a, "dram.write_queue.low", 0)))
        a->dram.write_low = d->write_low < d->write_high ? d->write_low : d->write_high;
    if (d->write_queue && d->write_high > d->write_queue)
        clash(c, "dram.write_queue.high", "is more than", "dram.write_queue.size");
    if (d->write_queue && d->write_low > d->write_high)
        clash(c, "dram.write_queue.low", "is more than", "dram.write_queue.high");
    if (d->banks % d->bank_groups)
        clash(c, "dram.banks", "is not a multiple of", "dram.bank_groups");
    if (!bits_is_pow2(d->row_bytes))
        not_pow2(c, "dram.row");
    if (d->row_bytes % (d->bus_bytes * d->burst))
        clash(c, "dram.burst", "bursts do not fill", "dram.row");
    if (a->gpu.address_bits <=
        bits_clog2(d->row_bytes) + bits_clog2(d->banks) + bits_clog2(d->controllers))
        clash(c, "gpu.address_bits",
              "leaves no bits for a row number beside the channels, banks and", "dram.row");
    if (d->trc < d->tras)
        clash(c, "dram.trc", "is less than", "dram.tras");
    if (d->tras < d->trcd)
        clash(c, "dram.tras", "is less than", "dram.trcd");
    uint32_t row = d->trc + d->trcd + (d->tcl > d->tcwl ? d->tcl : d->tcwl) + d->twr;
    if (d->trefi && d->trefi < d->trfc + row)
        clash_why(c, "dram.trefi", "leaves no time for a row between refreshes of", "dram.trfc", 0,
                  "one needs tRC, tRCD, tCL and tWR");
}

static void check_tech(struct check *c)
{
    struct arch *a = c->arch;
    if (a->tech.array_node_nm == 0) {
        double node = a->tech.node_nm;
        a->tech.array_node_nm = node > 90 ? 90 : node;
        set_derived(a, "tech.array_node");
        if (node != a->tech.array_node_nm && is_said(origin_of(a, "tech.node", 0)))
            err_warn(c->err, key_where(a, "tech.node", 0),
                     "arrays are modelled up to 90 nm: they are costed at %g nm",
                     a->tech.array_node_nm);
    }
}

/* ---- networks -------------------------------------------------------------------------------- */

/* Where errors about a network as a whole are reported: its topology, or what is said about it
 * first, or the file. */
static struct where net_where(const struct arch *a, int net)
{
    const struct origin *topology = origin_of(a, "noc.topology", net);
    if (is_said(topology))
        return topology->at;
    for (size_t i = 0; i < n_keys; i++) {
        const struct origin *o = key_origin(&keys[i], a, net);
        if (keys[i].per_network && is_said(o))
            return o->at;
    }
    return key_where(a, "gpu.sms", 0);
}

/* Legal routings depend on the topology; its first one is the default. */
static void check_routing(struct check *c, int net)
{
    struct noc_params *p = &c->arch->noc[net].params;
    const struct topology *t = noc_topology_find(p->topology);
    const struct origin *o = origin_of(c->arch, "noc.routing", net);
    if (!t || origin_of(c->arch, "noc.topology", net)->is_bad)
        return;
    if (!p->routing[0]) {
        int all;
        p->routing = t->routings[0];
        c->arch->origins[key_find("noc.routing", &all) - keys][net].kind = ORIGIN_DERIVED;
        return;
    }
    size_t n = 0;
    for (; t->routings[n]; n++) {
        if (strcmp(t->routings[n], p->routing) == 0)
            return;
    }
    c->ok = false;
    if (net == NOC_REPLY && is_same_in_both(c->arch, "noc.routing") &&
        is_same_in_both(c->arch, "noc.topology"))
        return; /* reported for the request network */
    struct arena mem;
    struct buf legal;
    arena_init(&mem, NULL, NULL);
    buf_init(&legal, &mem, 4096);
    for (size_t i = 0; i < n; i++)
        buf_printf(&legal, "%s\"%s\"", i ? ", " : "", t->routings[i]);
    const char *near = strlen(p->routing) < 100 ? near_best(p->routing, t->routings, n) : NULL;
    err_add(c->err, ERR_INPUT, is_said(o) ? o->at : key_where(c->arch, "noc.topology", net),
            "\"%s\" is not one of %s, which noc.topology = \"%s\" has%s%s%s", p->routing,
            legal.data, t->name, near ? "; did you mean \"" : "", near ? near : "",
            near ? "\"?" : "");
    note_where(c, "noc.topology", net);
    arena_free(&mem);
}

static void check_net(struct check *c, int net)
{
    struct arch *a = c->arch;
    struct arch_net *n = &a->noc[net];
    struct noc_params *p = &n->params;
    p->n_sms = a->gpu.n_sms;
    p->n_llcs = a->llc.slices;
    p->n_sm_ports = a->gpu.n_clusters;
    bool is_even = a->gpu.n_sms % a->gpu.n_clusters == 0;
    p->sms_per_port = is_even ? a->gpu.n_sms / a->gpu.n_clusters : 0; /* 0: spread evenly */
    p->at = net_where(a, net);
    p->at.key = NULL; /* the messages name their keys */
    check_routing(c, net);
    if (n->merge.entries && n->merge.max_flits > p->vc_depth)
        clash_net(c, "noc.packet_merge.max_flits", "does not fit a virtual channel of",
                  "noc.vc_depth", net);
    if (n->merge.entries && net == NOC_REQUEST && strcmp(p->topology, "cfnoc") == 0)
        clash_net(c, "noc.packet_merge.entries",
                  "needs buffers in routers, of which there are none in", "noc.topology", net);
    /* a store of a whole line, with its header */
    uint64_t longest = bits_ceil_div(8 * ((uint64_t)a->l1.line_bytes + a->gpu.header_bytes),
                                     p->width_bits ? p->width_bits : 1);
    if (strcmp(p->topology, "cfnoc") == 0 && longest > p->cf_queue)
        clash_why(c, "noc.cfnoc.queue", "does not hold a store of a line, with", "noc.width", net,
                  "");
    if (p->n_place_list % 2)
        clash_net(c, "noc.mesh.memory_nodes", "is no list of x, y pairs for", "noc.mesh.placement",
                  net);
}

static void check_nets(struct check *c)
{
    struct arch *a = c->arch;
    check_net(c, NOC_REQUEST);
    check_net(c, NOC_REPLY);
    a->place.n_sms = a->gpu.n_sms;
    a->place.n_llcs = a->llc.slices;
    a->place.n_mcs = a->dram.controllers;
    if (!a->noc_shared)
        return;
    for (size_t i = 0; i < n_keys; i++) {
        const struct key *k = &keys[i];
        const struct origin *o = key_origin(k, a, NOC_REPLY);
        if (k->per_network && is_said(o) && strncmp(o->at.key, "noc.reply.", 10) == 0) {
            c->ok =
                err_add(c->err, ERR_INPUT, o->at, "there is no reply network: noc.shared = true");
            note_where(c, "noc.shared", 0);
        }
    }
}

/* ---- keys without effect --------------------------------------------------------------------- */

/* The key that decides whether this one is used; NULL: none. */
static const struct key *decided_by(const struct key *key)
{
    char path[64];
    size_t n = key->used_if ? strcspn(key->used_if, " ") : 0;
    int all;
    if (n == 0 || n >= sizeof path)
        return NULL;
    memcpy(path, key->used_if, n);
    path[n] = '\0';
    return key_find(path, &all);
}

static bool depends_on_bad(const struct arch *arch, const struct key *key, int net)
{
    for (const struct key *k = decided_by(key); k; k = decided_by(k)) {
        if (key_origin(k, arch, net)->is_bad)
            return true;
    }
    return false;
}

/* A key that decides about it was said later: on the command line, where the file that says the
 * key could not know; or, where a base says it, in the file that builds on that base. */
static bool is_decided_later(const struct arch *arch, const struct key *key, int net)
{
    bool is_top = key_origin(key, arch, net)->is_top;
    for (const struct key *k = decided_by(key); k; k = decided_by(k)) {
        const struct origin *o = key_origin(k, arch, net);
        if (o->kind == ORIGIN_COMMAND_LINE || (!is_top && was_said(o) && o->is_top))
            return true;
    }
    return false;
}

/* Said in the file itself (or by --set): a mistake. Said in a base that itself makes it idle, or in
 * a file whose choice --set changes: worth a word. Said in a base and left without effect by a
 * choice of the file itself or of --set: that is what a base is for. */
static void check_used(struct check *c)
{
    for (size_t i = 0; i < n_keys; i++) {
        const struct key *k = &keys[i];
        bool is_used[2] = {key_is_used(k, c->arch, 0), key_is_used(k, c->arch, 1)};
        for (int net = 0; net < (k->per_network ? 2 : 1); net++) {
            const struct origin *o = key_origin(k, c->arch, net);
            bool for_one = was_said(o) && (strncmp(o->at.key, "noc.re", 6) == 0);
            if (is_used[net] || !was_said(o) || o->is_bad || depends_on_bad(c->arch, k, net))
                continue;
            if (k->per_network && !for_one && (net == 1 || is_used[1]))
                continue; /* the other network uses it, or has reported it */
            bool is_later = is_decided_later(c->arch, k, net);
            if (o->is_top && (o->kind == ORIGIN_COMMAND_LINE || !is_later))
                c->ok = err_add(c->err, ERR_INPUT, o->at, "has no effect unless %s", k->used_if);
            else if (o->is_top || !is_later)
                err_warn(c->err, o->at, "has no effect unless %s", k->used_if);
        }
    }
}

bool arch_complete(struct arch *arch, struct err *err)
{
    struct check c = {arch, err, true};
    check_gpu(&c);
    take_generation(arch);
    check_sm(&c);
    check_caches(&c);
    check_clustering(&c);
    check_structures(&c);
    check_memory(&c);
    check_tech(&c);
    check_nets(&c);
    check_used(&c);
    return c.ok;
}
