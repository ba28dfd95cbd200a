/* SPDX-License-Identifier: MIT */
#include "gen/price/latency.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/vec.h"
#include "gen/config/keys.h"
#include "gen/price/assumptions.h"
#include "gen/price/price.h"

struct maker {
    struct priced *p;
    const struct arch *arch;
    struct arena *mem;
    VEC(struct derived) derived;
    VEC(const char *) notes;
    VEC(const char *) bare; /* "l1 2": latencies that are the array's alone */
};

static void derive(struct maker *m, const char *name, const char *unit, double value,
                   const char *why)
{
    vec_push(m->mem, &m->derived, (struct derived){name, unit, why, value});
}

static uint64_t khz(double ghz)
{
    return (uint64_t)llround(ghz * 1e6);
}

/* ---- arrays ---- */

struct timed_array {
    enum array_role role;
    const char *key; /* of the latency */
    uint32_t key_cycles, pipeline_cycles;
    double clock_ghz;
    bool has_pipeline; /* real ones have one, and it should be said where it is left out */
};

static const struct cost *cost_of(const struct maker *m, enum array_role role)
{
    const struct design_array *a = design_array(m->p->design, role);
    return !a || a->class_id == DESIGN_NONE ? NULL : &m->p->book.costs[a->class_id];
}

/* Cycles of an array: the key where the user gave one, else its pipeline and its access time x
 * clock, rounded up. */
static uint32_t array_cycles(struct maker *m, const struct timed_array *t)
{
    const struct cost *c = cost_of(m, t->role);
    if (t->key_cycles > 0) {
        derive(m, t->key, "cycle", t->key_cycles, "set by its key");
        return t->key_cycles;
    }
    if (!c)
        return 1 + t->pipeline_cycles;
    double cycles = ceil(c->access_ns * t->clock_ghz - 1e-9);
    uint32_t access = cycles < 1 ? 1 : (uint32_t)cycles, n = t->pipeline_cycles + access;
    const char *why = arena_printf(m->mem, "access time %.3f ns (%s, %s) x %.3f GHz, rounded up",
                                   c->access_ns, c->engine, c->technology, t->clock_ghz);
    if (t->pipeline_cycles)
        why = arena_printf(m->mem, "pipeline of %u cycles and %s", t->pipeline_cycles, why);
    else if (t->has_pipeline)
        why = arena_printf(m->mem, "%s; no pipeline around the array", why);
    if (t->has_pipeline && !t->pipeline_cycles)
        vec_push(m->mem, &m->bare, arena_printf(m->mem, "%s %u", t->key, n));
    derive(m, t->key, "cycle", n, why);
    return n;
}

/* Cycles between two accesses of a bank. */
static uint32_t array_interval(struct maker *m, enum array_role role, const char *name,
                               double clock_ghz, uint32_t banks)
{
    const struct cost *c = cost_of(m, role);
    if (!c || !isfinite(c->cycle_ns))
        return 1;
    double need = ceil(c->cycle_ns * clock_ghz - 1e-9);
    if (need <= 1)
        return 1;
    bool is_limited = m->arch->tech.array_limit == ARRAYS_BY_CYCLE;
    vec_push(m->mem, &m->notes,
             is_limited
                 ? arena_printf(m->mem,
                                "%s: slower than its clock of %.3f GHz (%.3f GHz): each of its %u "
                                "bank%s takes an access every %g cycles",
                                name, clock_ghz, 1 / c->cycle_ns, banks, banks == 1 ? "" : "s",
                                need)
                 : arena_printf(m->mem,
                                "%s: taken to work at %.3f GHz (tech.array_limit = \"none\"); "
                                "its array can do %.3f GHz",
                                name, clock_ghz, 1 / c->cycle_ns));
    derive(m, arena_printf(m->mem, "%s.interval", name), "cycle", is_limited ? need : 1,
           arena_printf(m->mem, "cycle time %.3f ns (%s) x %.3f GHz, rounded up%s", c->cycle_ns,
                        c->engine, clock_ghz,
                        is_limited ? "" : "; not in force: tech.array_limit = \"none\""));
    return is_limited ? (uint32_t)need : 1;
}

/* ---- channels ---- */

static const uint16_t *channel_cycles(struct maker *m, const struct noc *noc, uint32_t first,
                                      const char *name)
{
    const struct priced *p = m->p;
    uint16_t *cycles = arena_many(m->mem, uint16_t, noc->n_channels);
    uint32_t most = 0;
    for (uint32_t c = 0; c < noc->n_channels; c++) {
        const struct cost *cost = &p->book.costs[p->class_of[first + c]];
        double n = ceil(cost->delay_ns * p->clock.clock_ghz - 1e-9);
        cycles[c] = n < 1 || !isfinite(n) ? 1 : n > 1000 ? 1000 : (uint16_t)n;
        most = cycles[c] > most ? cycles[c] : most;
    }
    derive(
        m, name, "cycle", most,
        arena_printf(m->mem, "longest channel's delay x %.3f GHz, rounded up", p->clock.clock_ghz));
    return cycles;
}

/* Cycles of the switch in front of each channel beyond those that the engine is told anyway. */
static const uint8_t *traversal_extra(struct maker *m, const struct noc *noc, int net,
                                      const char *name)
{
    const struct priced *p = m->p;
    uint32_t first = p->design->groups[net ? GROUP_REPLY_ROUTERS : GROUP_REQUEST_ROUTERS].first;
    uint32_t known = p->design->arch->noc[net].router.st_delay, most = 0;
    uint8_t *extra = arena_many(m->mem, uint8_t, noc->n_channels);
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
    derive(m, name, "cycle", most + known,
           arena_printf(m->mem, "the widest switch in pieces of a cycle of %.3f GHz",
                        p->clock.clock_ghz));
    return extra;
}

static uint32_t alloc_extra(struct maker *m, const struct noc *noc, int net, const char *name)
{
    const struct priced *p = m->p;
    uint32_t first = p->design->groups[net ? GROUP_REPLY_ROUTERS : GROUP_REQUEST_ROUTERS].first;
    uint32_t known = p->design->arch->noc[net].router.extra_alloc, most = 1;
    for (uint32_t r = 0; r < noc->n_routers; r++) {
        uint32_t cycles = p->book.costs[p->class_of[first + r]].alloc_cycles;
        most = cycles > most ? cycles : most;
    }
    if (most - 1 <= known)
        return 0;
    derive(m, name, "cycle", most,
           arena_printf(m->mem, "the slowest allocation is longer than a cycle of %.3f GHz",
                        p->clock.clock_ghz));
    return most - 1 - known;
}

/* ---- the clock ---- */

static void add_clock(struct maker *m)
{
    const struct clock_choice *c = &m->p->clock;
    const char *why = arena_printf(m->mem, "target %.3f GHz", c->target_ghz),
               *note = assumptions_clock(m->p, m->mem), *others = clock_other_modes(c, m->mem);
    if (c->clock_ghz < c->target_ghz)
        why = arena_printf(
            m->mem, "target %.3f GHz lowered to the fmax of %s: %s (timing mode %s%s%s)",
            c->target_ghz, c->limited_by, c->stage, c->timing_mode, others[0] ? ";" : "", others);
    else if (strcmp(c->limit, "none") == 0 && c->fmax_ghz < c->target_ghz)
        why = arena_printf(m->mem,
                           "target, not limited (noc.clock_limit = \"none\"); fmax of %s is "
                           "%.3f GHz",
                           c->limited_by, c->fmax_ghz);
    if (note[0])
        vec_push(m->mem, &m->notes, arena_printf(m->mem, "noc: %s", note));
    derive(m, "noc.clock_ghz", "GHz", c->clock_ghz, why);
    if (m->arch->gpu.network != NETWORK_design)
        vec_push(m->mem, &m->notes,
                 arena_printf(m->mem,
                              "noc: packets go through %s (gpu.network = \"%s\"), priced as the "
                              "crossbar that noc.* describes",
                              m->arch->gpu.network == NETWORK_switch ? "one router"
                                                                     : "an idealised crossbar",
                              key_choice("gpu.network", (int)m->arch->gpu.network)));
}

/* ---- all of it ---- */

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
                           .l1_interval = 1,
                           .shared_interval = 1,
                           .l2_interval = 1,
                           .dram_fixed = arch->dram.controller_cycles};
    out->l1_lookup = lookup_cycles(arch, out->l1_hit);
    out->clock_khz[CLOCK_CORE] = khz(arch->gpu.core_ghz);
    out->clock_khz[CLOCK_NOC] = khz(arch->noc[NOC_REQUEST].clock_ghz);
    out->clock_khz[CLOCK_L2] = khz(arch->gpu.l2_ghz);
    out->clock_khz[CLOCK_DRAM] = khz(arch->gpu.dram_ghz);
}

bool timing_is_of_keys(const struct arch *arch)
{
    return arch->tech.array_limit == ARRAYS_UNLIMITED && arch->l1.hit_cycles &&
           arch->llc.hit_cycles && (arch->sm.shared_latency || !arch->sm.shared_bytes);
}

static void time_arrays(struct maker *m, struct timing *t)
{
    const struct arch *a = m->arch;
    double core = a->gpu.core_ghz, l2 = a->gpu.l2_ghz;
    t->l1_hit = array_cycles(m, &(struct timed_array){ROLE_L1, "l1.hit_cycles", a->l1.hit_cycles,
                                                      a->l1.pipeline_cycles, core, true});
    t->shared_memory = array_cycles(
        m, &(struct timed_array){ROLE_SHARED_MEMORY, "sm.shared_latency", a->sm.shared_latency,
                                 a->sm.shared_pipeline, core, a->sm.shared_bytes > 0});
    t->mshr =
        array_cycles(m, &(struct timed_array){ROLE_L1_MSHR, "l1.mshr_cycles", 0, 0, core, false});
    t->merge_table =
        array_cycles(m, &(struct timed_array){ROLE_MERGE_TABLE, "cluster.icc.cycles",
                                              a->arrays[ROLE_MERGE_TABLE].cycles, 0, core, false});
    t->coalesced_cache = array_cycles(
        m, &(struct timed_array){ROLE_COALESCED_CACHE, "cluster.cc.cycles",
                                 a->arrays[ROLE_COALESCED_CACHE].cycles, 0, core, false});
    t->l2_hit = array_cycles(m, &(struct timed_array){ROLE_L2, "llc.hit_cycles", a->llc.hit_cycles,
                                                      a->llc.pipeline_cycles, l2, true});
    t->l1_interval = array_interval(m, ROLE_L1, "l1", core, a->l1.banks);
    t->shared_interval = array_interval(m, ROLE_SHARED_MEMORY, "sm.shared", core, 1);
    t->l2_interval = array_interval(m, ROLE_L2, "llc", l2, a->llc.banks);
}

static void note_bare(struct maker *m)
{
    if (!m->bare.n)
        return;
    struct buf b;
    buf_init(&b, m->mem, 1024);
    for (size_t i = 0; i < m->bare.n; i++)
        buf_printf(&b, "%s%s", i ? ", " : "", m->bare.at[i]);
    vec_push(m->mem, &m->notes,
             arena_printf(m->mem,
                          "hits take the arrays' access times alone (%s): pipelines are left out "
                          "(gpu.generation = \"%s\")",
                          b.data, key_choice("gpu.generation", (int)m->arch->gpu.generation)));
}

/* Wires that find no tracks are no design, whoever looks at its performance alone. */
static void note_wires(struct maker *m)
{
    double most = 0;
    for (int i = 0; i < NOC_CUTS; i++)
        most = fmax(most, m->p->cuts[i].share);
    if (most > 1)
        vec_push(m->mem, &m->notes,
                 arena_printf(m->mem,
                              "noc: its wires do not fit: they need %.0f %% of the tracks over a "
                              "cut of the die (tech.wires.layers, tech.wires.pitch)",
                              100 * most));
}

double price_supply_delay(const struct priced *p)
{
    double ratio = p->scale.volt_ratio;
    return ratio < 1 ? scaling_volt_delay(p->scaling, p->design->arch->tech.node_nm, ratio) : 1;
}

/* Watts of a supply at which the cores could not have their clock are no machine's. */
static void note_supply(struct maker *m)
{
    double slower = price_supply_delay(m->p);
    if (slower > PRICE_SLOW_SUPPLY)
        vec_push(m->mem, &m->notes,
                 arena_printf(m->mem,
                              "%g V (tech.voltage): logic is %.1f x slower than at its nominal "
                              "%.2f V, and SMs are run at %g GHz all the same (--dvfs takes the "
                              "supply that a clock needs)",
                              m->arch->tech.voltage_v, slower,
                              m->arch->tech.voltage_v / m->p->scale.volt_ratio,
                              m->arch->gpu.core_ghz));
}

void price_timing(struct priced *p, struct arena *mem)
{
    const struct design *d = p->design;
    struct maker m = {.p = p, .arch = d->arch, .mem = mem};
    struct timing *t = &p->timing;
    timing_of_keys(d->arch, t);
    t->clock_khz[CLOCK_NOC] = khz(p->clock.clock_ghz);
    add_clock(&m);
    note_wires(&m);
    note_supply(&m);
    if (d->n_arrays) { /* else the networks alone are priced */
        time_arrays(&m, t);
        note_bare(&m);
    }
    t->l1_lookup = lookup_cycles(d->arch, t->l1_hit);
    t->request_channel = channel_cycles(&m, &d->request, d->groups[GROUP_REQUEST_CHANNELS].first,
                                        "noc.request.channel_cycles");
    t->request_traversal = traversal_extra(&m, &d->request, 0, "noc.request.traversal_cycles");
    t->extra_alloc[0] = alloc_extra(&m, &d->request, 0, "noc.request.alloc_cycles");
    if (d->has_reply) {
        t->reply_channel = channel_cycles(&m, &d->reply, d->groups[GROUP_REPLY_CHANNELS].first,
                                          "noc.reply.channel_cycles");
        t->reply_traversal = traversal_extra(&m, &d->reply, 1, "noc.reply.traversal_cycles");
        t->extra_alloc[1] = alloc_extra(&m, &d->reply, 1, "noc.reply.alloc_cycles");
    }
    p->derived = m.derived.at;
    p->n_derived = (uint32_t)m.derived.n;
    p->notes = m.notes.at;
    p->n_notes = (uint32_t)m.notes.n;
}
