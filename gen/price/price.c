/* SPDX-License-Identifier: MIT */
#include "gen/price/price.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/map.h"
#include "energy/logic/processes.h"
#include "energy/logic/router_model.h"
#include "gen/config/keys.h"
#include "gen/config/read_tech.h"
#include "gen/price/die.h"
#include "gen/price/energy_table.h"
#include "gen/price/latency.h"
#include "gen/price/scale.h"
#include "gen/price/shared.h"

/* ---- GPUWattch files ------------------------------------------------------------------------- */

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

/* ---- the book -------------------------------------------------------------------------------- */

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

/* For the clock that was lowered no router has to be sized again and again to find its fmax. */
static void know_fmax(struct priced *p, bool is_known)
{
    for (uint32_t k = 0; k < p->design->n_classes; k++) {
        if (p->classes[k].kind == CK_ROUTER)
            p->classes[k].router.known_fmax_ghz = is_known ? p->book.costs[k].fmax_ghz : 0;
    }
}

struct priced_by { /* what prices are made from, besides the design */
    struct tech_params tech;
    const struct tech_tables *tables;
    unsigned n_threads;
    struct price_cache *cache;
};

/* Timing is native whoever prices: what is asked about energy changes no cycle. */
static bool is_native(const struct energy_params *e)
{
    return e->network == NETWORK_BY_native && e->arrays == ARRAYS_BY_native;
}

static struct engine_ctx network_ctx(const struct priced *p, const struct priced_by *by)
{
    const struct energy_params *e = &p->design->arch->energy;
    return (struct engine_ctx){
        .tech = &by->tech,
        .logic_techs = tech_tables_logic(by->tables, &by->tech),
        .array_tables = &by->tables->arrays,
        .scaling = &by->tables->scaling,
        .program = e->dsent_program[0] ? e->dsent_program : NULL,
        .cache_dir = e->cache_dir[0] ? e->cache_dir : NULL,
        .timeout_s = e->timeout_s,
    };
}

static bool make_book(struct priced *p, const struct priced_by *by, bool for_timing,
                      struct arena *mem, struct err *err)
{
    const struct arch *arch = p->design->arch;
    const struct energy_params *e = &arch->energy;
    struct book_request r = {
        .classes = p->classes,
        .n_classes = p->design->n_classes,
        .network = for_timing ? &engine_native : network_engines[e->network],
        .arrays = for_timing ? &engine_native : array_engines[e->arrays],
        .fallback = e->fallback ? &engine_native : NULL,
        .gpuwattch = &p->gpuwattch,
        .gw_base = &p->gw_base,
        .leaks_once = e->leakage != LEAKS_both,
        .has_coalescer = e->coalescer,
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

/* A router that is evaluated several times in a cycle needs as many of its own. */
static double network_ghz(const struct arch *a, double router_ghz)
{
    uint32_t n = a->noc[NOC_REQUEST].router.internal_speedup;
    uint32_t back = a->noc[NOC_REPLY].router.internal_speedup;
    n = !a->noc_shared && back > n ? back : n;
    return router_ghz / (n ? n : 1);
}

/* The slowest router says how fast the network can be. */
static void find_fmax(struct priced *p)
{
    p->clock.fmax_ghz = NAN;
    p->clock.limited_by = p->clock.stage = "";
    for (uint32_t k = 0; k < p->book.n_classes; k++) {
        double f = network_ghz(p->design->arch, p->book.costs[k].fmax_ghz);
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
            least = fmin(least, network_ghz(p->design->arch, c.fmax_ghz));
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
    if (!make_book(p, with, true, mem, err))
        return false;
    find_fmax(p);
    if (!(p->clock.fmax_ghz < target))
        return true;
    if (!with->cache && !find_other_modes(p, with, mem, err)) /* one of many: nobody reads it */
        return false;
    if (unlimited)
        return true;
    p->clock.clock_ghz = p->clock.fmax_ghz;
    set_clock(p, p->clock.fmax_ghz);
    know_fmax(p, true);
    bool ok = make_book(p, with, true, mem, err);
    know_fmax(p, false);
    return ok;
}

/* Tracks of a cut: its length over the pitch, on every layer that runs across it. */
static bool find_cuts(struct priced *p, const struct priced_by *by, struct err *err)
{
    const struct design *d = p->design;
    const struct noc_place_params *place = &d->arch->place;
    struct noc_cut cuts[NOC_CUTS];
    double pitch_mm = place->track_um * 1e-3;
    if (!(pitch_mm > 0)) {
        struct logic_tech tech;
        if (!logic_techs_node(tech_tables_logic(by->tables, &by->tech), by->tech.node_nm, &tech,
                              err))
            return false;
        const struct wire_layer *global = logic_tech_layer(&tech, "Global");
        pitch_mm = (global->width + global->spacing) * 1e3;
    }
    noc_cuts(&d->floorplan, &d->request, d->has_reply ? &d->reply : NULL, cuts);
    for (int i = 0; i < NOC_CUTS; i++) {
        double tracks = floor(cuts[i].length_mm / pitch_mm) * place->track_layers;
        p->cuts[i] = (struct cut_use){cuts[i], tracks, (double)cuts[i].wires / fmax(1, tracks)};
    }
    return true;
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
    p.scaling = &with.tables->scaling;
    p.logic = tech_tables_family_said(with.tables, &with.tech);
    if (tech_tables_family(with.tables, &with.tech) == LOGIC_finfet) {
        /* what lies in the fits, as the networks here are made */
        p.gw_base.sm_leakage_w = p.gw_base.sm_leakage_finfet_w;
        p.gw_base.shared_leakage_w = p.gw_base.shared_leakage_finfet_w;
    }
    if (!ok || !scale_find(&p, with.tables, &p.scale, err))
        return false;
    with.tech.volt_ratio = p.scale.volt_ratio;
    if (!read_dram(&p, data_dir, mem, err) || !choose_clock(&p, &with, mem, err) ||
        !find_cuts(&p, &with, err))
        return false;
    price_timing(&p, mem);
    /* timing is said; the real DSENT has neither mode stage nor trees */
    if (design->arch->energy.network == NETWORK_BY_dsent) {
        with.tech.arbiters = ARBITER_MATRIX_CELLS;
        if (with.tech.timing_mode == TIMING_STAGE)
            with.tech.timing_mode = TIMING_ALL;
    }
    if (!is_native(&design->arch->energy) && !make_book(&p, &with, false, mem, err))
        return false;
    const char *table = design->arch->energy.table;
    if (table[0])
        table = arch_named_file(design->arch, "energy.table", table, data_dir, mem);
    if (table[0] && !energy_table_read(table, mem, &p.book, err))
        return false;
    if (table[0])
        p.sources = file_hash(table, p.sources);
    if (!table[0])
        scale_coefficients(&p);
    die_set_gating(&p);
    struct engine_ctx ctx = network_ctx(&p, &with);
    ctx.mem = mem;
    if (!die_set_tiles(&p, &ctx, err))
        return false;
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
