/* SPDX-License-Identifier: MIT */
#include "gen/price/price.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/map.h"
#include "base/vec.h"
#include "energy/logic/router_model.h"
#include "gen/config/keys.h"
#include "gen/config/read_tech.h"
#include "gen/price/die.h"
#include "gen/price/energy_table.h"
#include "gen/price/shared.h"

/* ---- GPUWattch files
 * ------------------------------------------------------------------------------ */

/* energy.core names a file of cfg/tech ("qv100") or is a path of the user's. */
bool price_read_gpuwattch(const struct arch *arch, const char *data_dir, struct arena *mem,
                          struct gpuwattch *g, struct gw_base *base, uint64_t *sources,
                          struct err *err)
{
    const char *name = arch->energy.core, *table = arch->energy.core_base;
    bool is_ours = !strchr(name, '/') && !strchr(name, '.');
    const char *tech = path_join(mem, data_dir, "cfg/tech");
    const char *xml = is_ours ? path_join(mem, tech, arena_printf(mem, "gpuwattch-%s.xml", name))
                              : arch_named_file(arch, "energy.core", name, data_dir, mem);
    if (!gpuwattch_read(xml, mem, g, err))
        return false;
    if (table[0] == '\0')
        table = is_ours             ? arena_printf(mem, "gpuwattch-%s.csv", name)
                : g->is_accelwattch ? "gpuwattch-qv100.csv"
                                    : "gpuwattch-gtx480.csv";
    table = strchr(table, '/') ? arch_named_file(arch, "energy.core_base", table, data_dir, mem)
                               : path_join(mem, tech, table);
    if (sources)
        *sources = file_hash(table, file_hash(xml, *sources));
    return gw_base_read(table, mem, base, err);
}

/* energy.dram names a table of cfg/tech ("hbm2"), is a path of the user's, or says that GPUWattch's
 * coefficients are used. */
static bool read_dram(struct priced *p, const char *data_dir, struct arena *mem, struct err *err)
{
    const struct arch *arch = p->design->arch;
    const char *name = arch->energy.dram;
    p->dram_shape = (struct dram_shape){
        .row_bytes = arch->dram.row_bytes,
        .atom_bytes = (double)arch->dram.bus_bytes * arch->dram.burst,
        .half_clock_bytes = arch->dram.bus_bytes,
        .clock_ghz = arch->gpu.dram_ghz,
        .refresh_cycles = arch->dram.trefi,
    };
    if (strcmp(name, "coefficients") == 0)
        return true;
    bool is_ours = !strchr(name, '/') && !strchr(name, '.');
    const char *path =
        is_ours ? path_join(mem, data_dir, arena_printf(mem, "cfg/tech/dram-%s.csv", name))
                : arch_named_file(arch, "energy.dram", name, data_dir, mem);
    p->sources = file_hash(path, p->sources);
    return dram_energies_read(path, mem, &p->dram, err);
}

/* ---- the book
 * ---------------------------------------------------------------------------------------- */

/* Routers and repeaters are sized for the clock in force. */
static void set_clock(struct priced *p, double clock_ghz)
{
    for (uint32_t k = 0; k < p->design->n_classes; k++) {
        if (p->classes[k].kind == CK_ROUTER)
            p->classes[k].router.clock_ghz = clock_ghz;
        if (p->classes[k].kind == CK_CHANNEL) /* repeaters for one cycle */
            p->classes[k].link.delay_ns = 1 / clock_ghz;
    }
}

struct priced_by { /* what prices are made from, besides the design */
    struct tech_params tech;
    const struct tech_tables *tables;
    unsigned n_threads;
    struct price_cache *cache;
};

static struct engine_ctx network_ctx(const struct priced *p, const struct priced_by *by)
{
    const struct energy_params *e = &p->design->arch->energy;
    return (struct engine_ctx){
        .tech = &by->tech,
        .logic_techs = &by->tables->logic,
        .array_tables = &by->tables->arrays,
        .program = e->dsent_program[0] ? e->dsent_program : NULL,
        .cache_dir = e->cache_dir[0] ? e->cache_dir : NULL,
        .timeout_s = e->timeout_s,
    };
}

static bool make_book(struct priced *p, const struct priced_by *by, struct arena *mem,
                      struct err *err)
{
    const struct arch *arch = p->design->arch;
    const struct energy_params *e = &arch->energy;
    struct book_request r = {
        .classes = p->classes,
        .n_classes = p->design->n_classes,
        .network = network_engines[e->network],
        .arrays = array_engines[e->arrays],
        .fallback = e->fallback ? &engine_native : NULL,
        .gpuwattch = &p->gpuwattch,
        .gw_base = &p->gw_base,
        .leaks_once = e->leakage != LEAKS_both,
        .core_ghz = arch->gpu.core_ghz,
        .dram = p->dram.file ? &p->dram : NULL,
        .dram_shape = p->dram_shape,
        .n_threads = by->n_threads,
        .cache = by->cache,
    };
    r.network_ctx = network_ctx(p, by);
    r.arrays_ctx = r.network_ctx;
    r.arrays_ctx.program = e->cacti_program[0] ? e->cacti_program : NULL;
    if (r.fallback == r.arrays)
        r.fallback = NULL;
    return book_make(&r, mem, &p->book, err);
}

/* The slowest router says how fast the network can be. */
static void find_fmax(struct priced *p)
{
    p->clock.fmax_ghz = NAN;
    p->clock.limited_by = p->clock.stage = "";
    for (uint32_t k = 0; k < p->book.n_classes; k++) {
        double f = p->book.costs[k].fmax_ghz;
        if (p->classes[k].kind != CK_ROUTER || !isfinite(f))
            continue;
        if (!(p->clock.fmax_ghz <= f)) {
            p->clock.fmax_ghz = f;
            p->clock.limited_by = p->classes[k].name;
            p->clock.stage = p->book.costs[k].limit;
        }
    }
}

/* What the modes that are not in force say, by our own model: for a clock that is below its target.
 */
static bool find_other_modes(struct priced *p, const struct priced_by *by, struct arena *mem,
                             struct err *err)
{
    enum timing_mode own = by->tech.timing_mode;
    struct priced_by other = *by;
    for (int mode = 0; mode < TIMING_NONE; mode++) {
        other.tech.timing_mode = (enum timing_mode)mode;
        struct engine_ctx ctx = network_ctx(p, &other);
        ctx.mem = mem;
        double least = mode == (int)own ? p->clock.fmax_ghz : INFINITY;
        for (uint32_t k = 0; mode != (int)own && k < p->design->n_classes; k++) {
            struct cost c;
            if (p->classes[k].kind != CK_ROUTER)
                continue;
            if (!engine_native.cost_router(&ctx, &p->classes[k].router, &c, err))
                return false;
            least = fmin(least, c.fmax_ghz);
        }
        p->clock.mode_ghz[mode] = least;
    }
    return true;
}

const char *clock_other_modes(const struct clock_choice *c, struct arena *mem)
{
    const char *text = "";
    for (int mode = 0; mode < TIMING_NONE; mode++)
        if (!isnan(c->mode_ghz[mode]) && strcmp(timing_mode_names[mode], c->timing_mode) != 0)
            text = arena_printf(mem, "%s%s %.3f GHz in mode %s", text, text[0] ? "," : "",
                                c->mode_ghz[mode], timing_mode_names[mode]);
    return text;
}

static bool choose_clock(struct priced *p, const struct priced_by *with, struct arena *mem,
                         struct err *err)
{
    const struct arch *arch = p->design->arch;
    const struct arch_net *net = &arch->noc[NOC_REQUEST];
    double target = net->clock_ghz;
    bool unlimited = strcmp(net->clock_limit, "none") == 0;
    if (p->design->has_reply) {
        target = fmin(target, arch->noc[NOC_REPLY].clock_ghz);
        unlimited = unlimited && strcmp(arch->noc[NOC_REPLY].clock_limit, "none") == 0;
    }
    p->clock = (struct clock_choice){.target_ghz = target,
                                     .clock_ghz = target,
                                     .limit = unlimited ? "none" : "fmax",
                                     .timing_mode = timing_mode_names[with->tech.timing_mode]};
    for (int mode = 0; mode < TIMING_NONE; mode++)
        p->clock.mode_ghz[mode] = NAN;
    set_clock(p, target);
    if (!make_book(p, with, mem, err))
        return false;
    find_fmax(p);
    if (!(p->clock.fmax_ghz < target))
        return true;
    if (!find_other_modes(p, with, mem, err))
        return false;
    if (unlimited)
        return true;
    double fmax = p->clock.fmax_ghz;
    const char *by = p->clock.limited_by, *stage = p->clock.stage;
    p->clock.clock_ghz = fmax;
    set_clock(p, fmax);
    if (!make_book(p, with, mem, err))
        return false;
    p->clock.fmax_ghz = fmax;
    p->clock.limited_by = by;
    p->clock.stage = stage;
    return true;
}

/* ---- timing
 * ------------------------------------------------------------------------------------------- */

typedef VEC(struct derived) derived_list;

static void note(struct arena *mem, derived_list *list, const char *name, const char *unit,
                 double value, const char *why)
{
    vec_push(mem, list, (struct derived){name, unit, why, value});
}

static uint64_t khz(double ghz)
{
    return (uint64_t)llround(ghz * 1e6);
}

/* Cycles of an array: the key where the user gave one, else access time x clock, rounded up. */
static uint32_t array_cycles(const struct priced *p, enum array_role role, uint32_t key_cycles,
                             const char *key, double clock_ghz, struct arena *mem,
                             derived_list *list)
{
    const struct design_array *a = design_array(p->design, role);
    if (key_cycles > 0) {
        note(mem, list, key, "cycle", key_cycles, "set by its key");
        return key_cycles;
    }
    if (!a || a->class_id == DESIGN_NONE)
        return 1;
    const struct cost *c = &p->book.costs[a->class_id];
    double cycles = ceil(c->access_ns * clock_ghz - 1e-9);
    uint32_t n = cycles < 1 ? 1 : (uint32_t)cycles;
    note(mem, list, key, "cycle", n,
         arena_printf(mem, "access time %.3f ns (%s, %s) x %.3f GHz, rounded up", c->access_ns,
                      c->engine, c->technology, clock_ghz));
    return n;
}

static const uint16_t *channel_cycles(const struct priced *p, const struct noc *noc, uint32_t first,
                                      struct arena *mem, const char *name, derived_list *list)
{
    uint16_t *cycles = arena_many(mem, uint16_t, noc->n_channels);
    uint32_t most = 0;
    for (uint32_t c = 0; c < noc->n_channels; c++) {
        const struct cost *cost = &p->book.costs[p->class_of[first + c]];
        double n = ceil(cost->delay_ns * p->clock.clock_ghz - 1e-9);
        cycles[c] = n < 1 || !isfinite(n) ? 1 : n > 1000 ? 1000 : (uint16_t)n;
        most = cycles[c] > most ? cycles[c] : most;
    }
    note(mem, list, name, "cycle", most,
         arena_printf(mem, "longest channel's delay x %.3f GHz, rounded up", p->clock.clock_ghz));
    return cycles;
}

/* Cycles of the switch in front of each channel beyond those that the engine is told anyway. */
static const uint8_t *traversal_extra(const struct priced *p, const struct noc *noc, int net,
                                      struct arena *mem, const char *name, derived_list *list)
{
    uint32_t first = p->design->groups[net ? GROUP_REPLY_ROUTERS : GROUP_REQUEST_ROUTERS].first;
    uint32_t known = p->design->arch->noc[net].router.st_delay, most = 0;
    uint8_t *extra = arena_many(mem, uint8_t, noc->n_channels);
    for (uint32_t c = 0; c < noc->n_channels; c++) {
        const struct noc_channel *ch = &noc->channels[c];
        if (ch->src_node != NOC_ROUTER)
            continue;
        uint32_t cycles = p->book.costs[p->class_of[first + ch->src]].traversal_cycles;
        extra[c] = (uint8_t)(cycles > known ? cycles - known : 0);
        most = extra[c] > most ? extra[c] : most;
    }
    if (most == 0)
        return NULL;
    note(mem, list, name, "cycle", most + known,
         arena_printf(mem, "the widest switch in pieces of a cycle of %.3f GHz",
                      p->clock.clock_ghz));
    return extra;
}

static uint32_t alloc_extra(const struct priced *p, const struct noc *noc, int net,
                            struct arena *mem, const char *name, derived_list *list)
{
    uint32_t first = p->design->groups[net ? GROUP_REPLY_ROUTERS : GROUP_REQUEST_ROUTERS].first;
    uint32_t known = p->design->arch->noc[net].router.extra_alloc, most = 1;
    for (uint32_t r = 0; r < noc->n_routers; r++) {
        uint32_t cycles = p->book.costs[p->class_of[first + r]].alloc_cycles;
        most = cycles > most ? cycles : most;
    }
    if (most - 1 <= known)
        return 0;
    note(mem, list, name, "cycle", most,
         arena_printf(mem, "the slowest allocation is longer than a cycle of %.3f GHz",
                      p->clock.clock_ghz));
    return most - 1 - known;
}

/* A miss leaves the L1 when its tags are compared, at the latest when a hit would. */
static uint32_t lookup_cycles(const struct arch *arch, uint32_t hit)
{
    uint32_t n = arch->l1.lookup_cycles ? arch->l1.lookup_cycles : 1;
    return n < hit ? n : hit;
}

void timing_of_keys(const struct arch *arch, struct timing *out)
{
    *out = (struct timing){.l1_hit = arch->l1.hit_cycles,
                           .shared_memory = arch->sm.shared_latency,
                           .merge_table = arch->arrays[ROLE_MERGE_TABLE].cycles,
                           .coalesced_cache = arch->arrays[ROLE_COALESCED_CACHE].cycles,
                           .mshr = 1,
                           .l2_hit = arch->llc.hit_cycles,
                           .dram_fixed = arch->dram.controller_cycles};
    out->l1_lookup = lookup_cycles(arch, out->l1_hit);
    out->clock_khz[CLOCK_CORE] = khz(arch->gpu.core_ghz);
    out->clock_khz[CLOCK_NOC] = khz(arch->noc[NOC_REQUEST].clock_ghz);
    out->clock_khz[CLOCK_L2] = khz(arch->gpu.l2_ghz);
    out->clock_khz[CLOCK_DRAM] = khz(arch->gpu.dram_ghz);
}

static void make_timing(struct priced *p, struct arena *mem)
{
    const struct design *d = p->design;
    const struct arch *arch = d->arch;
    double core = arch->gpu.core_ghz, l2 = arch->gpu.l2_ghz;
    derived_list list = {0};
    struct timing *t = &p->timing;
    timing_of_keys(arch, t);
    t->clock_khz[CLOCK_NOC] = khz(p->clock.clock_ghz);
    const char *why = arena_printf(mem, "target %.3f GHz", p->clock.target_ghz);
    if (p->clock.clock_ghz < p->clock.target_ghz)
        why = arena_printf(mem, "target %.3f GHz lowered to the fmax of %s: %s (timing mode %s;%s)",
                           p->clock.target_ghz, p->clock.limited_by, p->clock.stage,
                           p->clock.timing_mode, clock_other_modes(&p->clock, mem));
    else if (strcmp(p->clock.limit, "none") == 0 && p->clock.fmax_ghz < p->clock.target_ghz)
        why = arena_printf(mem,
                           "target, not limited (noc.clock_limit = \"none\"); fmax of %s is "
                           "%.3f GHz",
                           p->clock.limited_by, p->clock.fmax_ghz);
    note(mem, &list, "noc.clock_ghz", "GHz", p->clock.clock_ghz, why);
    t->l1_hit = array_cycles(p, ROLE_L1, arch->l1.hit_cycles, "l1.hit_cycles", core, mem, &list);
    t->shared_memory = array_cycles(p, ROLE_SHARED_MEMORY, arch->sm.shared_latency,
                                    "sm.shared_latency", core, mem, &list);
    t->mshr = array_cycles(p, ROLE_L1_MSHR, 0, "l1.mshr_cycles", core, mem, &list);
    t->merge_table = array_cycles(p, ROLE_MERGE_TABLE, arch->arrays[ROLE_MERGE_TABLE].cycles,
                                  "cluster.icc.cycles", core, mem, &list);
    t->coalesced_cache =
        array_cycles(p, ROLE_COALESCED_CACHE, arch->arrays[ROLE_COALESCED_CACHE].cycles,
                     "cluster.cc.cycles", core, mem, &list);
    t->l2_hit = array_cycles(p, ROLE_L2, arch->llc.hit_cycles, "llc.hit_cycles", l2, mem, &list);
    t->l1_lookup = lookup_cycles(arch, t->l1_hit);
    t->request_channel = channel_cycles(p, &d->request, d->groups[GROUP_REQUEST_CHANNELS].first,
                                        mem, "noc.request.channel_cycles", &list);
    t->request_traversal =
        traversal_extra(p, &d->request, 0, mem, "noc.request.traversal_cycles", &list);
    t->extra_alloc[0] = alloc_extra(p, &d->request, 0, mem, "noc.request.alloc_cycles", &list);
    if (d->has_reply) {
        t->reply_channel = channel_cycles(p, &d->reply, d->groups[GROUP_REPLY_CHANNELS].first, mem,
                                          "noc.reply.channel_cycles", &list);
        t->reply_traversal =
            traversal_extra(p, &d->reply, 1, mem, "noc.reply.traversal_cycles", &list);
        t->extra_alloc[1] = alloc_extra(p, &d->reply, 1, mem, "noc.reply.alloc_cycles", &list);
    }
    p->derived = list.at;
    p->n_derived = (uint32_t)list.n;
}

/* Routers are modelled up to ROUTER_MOST_PORTS; said here with the key that makes them larger. */
static bool check_radix(const struct design *d, struct err *err)
{
    const struct noc *nets[2] = {&d->request, &d->reply};
    for (int net = 0; net < (d->has_reply ? 2 : 1); net++)
        for (uint32_t i = 0; i < nets[net]->n_routers; i++) {
            const struct noc_router *r = &nets[net]->routers[i];
            if (r->n_in > ROUTER_MOST_PORTS || r->n_out > ROUTER_MOST_PORTS)
                return err_add(err, ERR_INPUT, key_where(d->arch, "noc.topology", net),
                               "%s makes a router of %u x %u ports; routers are modelled up to %u",
                               nets[net]->topology, r->n_in, r->n_out, ROUTER_MOST_PORTS);
        }
    return true;
}

/* `shared` NULL: nothing is shared. */
static bool price_with(const struct design *design, struct price_shared *shared,
                       const char *data_dir, unsigned n_threads, struct arena *mem,
                       struct priced *out, struct err *err)
{
    struct priced p = {.design = design};
    struct priced_by with = {.tech = design->arch->tech,
                             .tables = shared ? price_shared_tables(shared)
                                              : tech_tables_read(data_dir, mem, err),
                             .n_threads = n_threads,
                             .cache = shared ? price_shared_cache(shared) : NULL};
    if (!with.tables || !check_radix(design, err))
        return false;
    p.sources = with.tables->sources;
    with.tech.data_dir = data_dir;
    /* the real DSENT has neither mode stage nor trees */
    if (design->arch->energy.network == NETWORK_BY_dsent) {
        with.tech.arbiters = ARBITER_MATRIX_CELLS;
        if (with.tech.timing_mode == TIMING_STAGE)
            with.tech.timing_mode = TIMING_ALL;
    }
    p.classes = arena_many(mem, struct book_class, design->n_classes);
    if (design->n_classes)
        memcpy(p.classes, design->classes, design->n_classes * sizeof *p.classes);
    p.class_of = arena_many(mem, uint32_t, design->n_components);
    for (uint32_t i = 0; i < design->n_components; i++)
        p.class_of[i] = design->components[i].class_id;
    uint64_t core = 0;
    bool ok =
        shared ? price_shared_gpuwattch(shared, design->arch, &p.gpuwattch, &p.gw_base, &core, err)
               : price_read_gpuwattch(design->arch, data_dir, mem, &p.gpuwattch, &p.gw_base, &core,
                                      err);
    p.sources = map_hash_bytes(&core, sizeof core, p.sources);
    if (!ok || !read_dram(&p, data_dir, mem, err) || !choose_clock(&p, &with, mem, err))
        return false;
    const char *table = design->arch->energy.table;
    if (table[0])
        table = arch_named_file(design->arch, "energy.table", table, data_dir, mem);
    if (table[0] && !energy_table_read(table, mem, &p.book, err))
        return false;
    if (table[0])
        p.sources = file_hash(table, p.sources);
    die_set_gating(&p);
    struct engine_ctx ctx = network_ctx(&p, &with);
    ctx.mem = mem;
    if (!die_set_tiles(&p, &ctx, err))
        return false;
    make_timing(&p, mem);
    *out = p;
    return true;
}

bool price_design(const struct design *design, const char *data_dir, unsigned n_threads,
                  struct arena *mem, struct priced *out, struct err *err)
{
    return price_with(design, NULL, data_dir, n_threads, mem, out, err);
}

bool price_design_shared(const struct design *design, struct price_shared *shared,
                         const char *data_dir, struct arena *mem, struct priced *out,
                         struct err *err)
{
    return price_with(design, shared, data_dir, 1, mem, out, err);
}
