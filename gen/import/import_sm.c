/* SPDX-License-Identifier: MIT
 *
 * The chip as a whole and its SMs: clocks, contexts, units, collectors, small caches. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "gen/import/import.h"

#define SCHEDULERS_MAX 16u
#define WARP 32u

/* ---- the chip ---- */

void import_chip(struct import *im)
{
    double mhz[4];
    uint32_t clusters = im_int(im, F_N_CLUSTERS, 1, 16384);
    uint32_t each = im_int(im, F_PER_CLUSTER, 1, 64);
    im_put(im, "gpu.sms", FROM(F_N_CLUSTERS, F_PER_CLUSTER), "%u", clusters * each);
    if (each > 1)
        im_put(im, "gpu.clusters", FROM(F_N_CLUSTERS), "%u", clusters);
    if (im_numbers(im_text(im, F_CLOCKS), ":", mhz, 4) == 4) {
        if (mhz[0] != mhz[1] || mhz[0] != mhz[2])
            im_refuse(im, F_CLOCKS,
                      "network and L2 at another clock than the core: GPGPU-Sim counts the L2's "
                      "latency in core cycles, here it is in the L2's own");
        im_put(im, "gpu.core_clock_ghz", FROM(F_CLOCKS), "%.10g", mhz[0] / 1000);
        im_put(im, "gpu.l2_clock_ghz", FROM(F_CLOCKS), "%.10g", mhz[2] / 1000);
        im_put(im, "gpu.dram_clock_ghz", FROM(F_CLOCKS), "%.10g", mhz[3] / 1000);
    } else {
        im_refuse(im, F_CLOCKS, "expected core:network:L2:DRAM in MHz");
    }
    uint32_t launch = im_int(im, F_LAUNCH, 0, 1000000);
    if (launch && im->with_launch) {
        im_put(im, "gpu.launch_cycles", FROM(F_LAUNCH), "%u", launch);
    } else if (launch) {
        struct seen *s = &im->seen.at[F_LAUNCH];
        s->fate = FATE_LEFT_OUT;
        s->reason = "the driver's time before each kernel, which no machine's cycles should have; "
                    "--launch-latency keeps it";
        im_note(im, "launch latency of %u cycles left out; --launch-latency keeps it", launch);
    }
    im_put(im, "gpu.packet_header", NULL, 0, "8");
    im_remark(im, "fixed in GPGPU-Sim");
}

/* ---- units ---- */

/* "latency,interval" */
static bool timing(struct import *im, enum foreign_id id, uint32_t *latency, uint32_t *interval)
{
    double v[2];
    if (im_numbers(im_text(im, id), ",", v, 2) != 2 || !(v[0] >= 1 && v[0] <= 1000) ||
        !(v[1] >= 1 && v[1] <= 1000)) {
        im_refuse(im, id, "expected latency,initiation of 1..1000 cycles each");
        *latency = *interval = 1;
        return false;
    }
    *latency = (uint32_t)v[0];
    *interval = (uint32_t)v[1];
    return true;
}

struct unit {
    const char *units, *latency, *interval;
    enum foreign_id count, time;
};

/* Where there is no trace.config, Accel-Sim's own defaults have every unit at 4,1; double precision
 * and special functions of the generations before Volta are then timed as in its TITAN X. */
static void assume_units(struct import *im)
{
    static const struct {
        enum foreign_id id;
        const char *value;
    } before_volta[] = {{F_TIME_DP, "20,8"}, {F_TIME_SFU, "20,4"}};
    bool is_old = strtoul(im->seen.at[F_CC_MAJOR].value, NULL, 0) < 7;
    if (im->has_units)
        return;
    if (is_old && im_is_given(im, F_CC_MAJOR))
        for (size_t i = 0; i < 2; i++) {
            im->seen.at[before_volta[i].id].value = before_volta[i].value;
            im->seen.at[before_volta[i].id].is_assumed = true;
        }
    im_note(im, "no trace.config: units timed %s",
            is_old && im_is_given(im, F_CC_MAJOR)
                ? "4,1, double precision 20,8 and special functions 20,4, as in Accel-Sim's TITAN X"
                : "4,1, Accel-Sim's defaults");
}

static void put_unit(struct import *im, const struct unit *u)
{
    uint32_t latency, interval, n = im_int(im, u->count, 0, 64);
    timing(im, u->time, &latency, &interval);
    if (n)
        im_put(im, u->units, FROM(u->count), "%u", n);
    im_put(im, u->latency, FROM(u->time), "%u", latency);
    im_put(im, u->interval, FROM(u->time), "%u", interval);
}

/* "enabled,units,latency,width in,width out,name". Units, or 0. */
static uint32_t special(struct import *im, enum foreign_id id)
{
    double v[5];
    const char *text = im_text(im, id);
    const char *name = strrchr(text, ',');
    char *numbers = arena_strndup(im->mem, text, name ? (size_t)(name - text) : strlen(text));
    if (im_numbers(numbers, ",", v, 5) != 5 || !(v[1] >= 0 && v[1] <= 64)) {
        im_refuse(im, id, "expected enabled,units,latency,width,width,name");
        return 0;
    }
    uint32_t n = v[0] != 0 ? (uint32_t)v[1] : 0;
    if (n && (v[3] != v[1] || v[4] != v[1]))
        im_refuse(im, id, "a special unit with other widths than units");
    return n;
}

static void put_special(struct import *im, const struct unit *u)
{
    uint32_t latency, interval, n = special(im, u->count);
    if (!n) {
        im_without_effect(im, u->time, "its unit is not there");
        return;
    }
    timing(im, u->time, &latency, &interval);
    im_put(im, u->units, FROM(u->count), "%u", n);
    im_put(im, u->latency, FROM(u->time), "%u", latency);
    im_put(im, u->interval, FROM(u->time), "%u", interval);
}

/* ID_OC of SP, DP, INT, SFU, MEM; OC_EX of the same; EX_WB; tensor's two. 3.x has no DP and INT. */
static void put_widths(struct import *im, bool is_sub, uint32_t schedulers)
{
    static const enum foreign_id units[] = {F_SP_UNITS, F_DP_UNITS, F_INT_UNITS, F_SFU_UNITS};
    double w[16], v[11] = {0};
    size_t n = im_numbers(im_text(im, F_WIDTHS), ",", w, 16);
    if (n == 7) {
        static const uint8_t at[7] = {0, 3, 4, 5, 8, 9, 10};
        for (size_t i = 0; i < 7; i++)
            v[at[i]] = w[i];
    } else if (n == 11 || n == 13) {
        memcpy(v, w, sizeof v);
    } else {
        im_refuse(im, F_WIDTHS, "expected 13 widths (11 without tensor units, 7 in GPGPU-Sim 3.x)");
        return;
    }
    for (size_t i = 0; i < 4; i++) {
        uint32_t count = im_int(im, units[i], 0, 64), want = is_sub ? schedulers : count;
        if (count && is_sub && count != schedulers)
            im_refuse(im, units[i], "sub-cores have one unit of a kind each, and there are %u",
                      schedulers);
        else if (count && (v[i] != want || v[5 + i] != want))
            im_refuse(im, F_WIDTHS,
                      "widths into and out of the collectors (%g, %g) of %s are not "
                      "its %u units",
                      v[i], v[5 + i], foreign_options[units[i]].name, want);
    }
    if (v[4] != (is_sub ? schedulers : 1) || v[9] != (is_sub ? schedulers : 1))
        im_refuse(im, F_WIDTHS,
                  "the load/store unit takes %g and %g instructions, one is modelled%s", v[4], v[9],
                  is_sub ? " for each sub-core" : "");
    if (v[10] >= 1 && v[10] <= 64)
        im_put(im, "sm.result_buses", FROM(F_WIDTHS), "%g", v[10]);
    else
        im_refuse(im, F_WIDTHS, "%g result buses", v[10]);
}

static void ports(struct import *im, const char *key, enum foreign_id in, enum foreign_id out,
                  uint32_t usual)
{
    uint32_t i = im_int(im, in, 0, 64), o = im_int(im, out, 0, 64);
    if (i != o)
        im_refuse(im, out, "%u ports out of collectors with %u in", o, i);
    if (i < 1 || i > 8)
        im_refuse(im, in, "%u ports of collectors, 1 to 8 are modelled", i);
    else if (key && i != usual)
        im_put(im, key, FROM(in, out), "%u", i);
    else if (!key && i != usual)
        im_refuse(im, in, "%u ports of these collectors, %u is modelled", i, usual);
}

static void put_collectors(struct import *im, bool is_sub)
{
    static const enum foreign_id kinds[] = {
        F_COLL_SP, F_COLL_DP, F_COLL_SFU, F_COLL_INT, F_COLL_MEM, F_IN_SP,   F_IN_DP,  F_IN_SFU,
        F_IN_INT,  F_IN_MEM,  F_OUT_SP,   F_OUT_DP,   F_OUT_SFU,  F_OUT_INT, F_OUT_MEM};
    bool is_special = im_switch(im, F_SPECIALISED);
    uint32_t generic = im_int(im, F_COLL_GEN, 0, 64);
    if (is_sub != !is_special || (is_special && generic))
        im_refuse(im, F_SPECIALISED,
                  "collectors are shared in SMs with sub-cores, and belong to kinds of units in "
                  "SMs without; mixtures are not modelled");
    if (!is_special) {
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
            im_without_effect(im, kinds[i], "collectors are shared by all units");
        if (generic < 1 || generic > 16)
            im_refuse(im, F_COLL_GEN, "1 to 16 collectors are modelled");
        else
            im_put(im, "sm.collectors", FROM(F_COLL_GEN, F_SPECIALISED), "%u", generic);
        ports(im, "sm.collector_ports", F_IN_GEN, F_OUT_GEN, 0);
        return;
    }
    im_without_effect(im, F_IN_GEN, "there are no shared collectors");
    im_without_effect(im, F_OUT_GEN, "there are no shared collectors");
    im_put(im, "sm.collectors", FROM(F_COLL_SP), "%u", im_int(im, F_COLL_SP, 1, 16));
    ports(im, "sm.collector_ports", F_IN_SP, F_OUT_SP, 0);
    im_put(im, "sm.sfu.collectors", FROM(F_COLL_SFU), "%u", im_int(im, F_COLL_SFU, 1, 16));
    ports(im, "sm.sfu.collector_ports", F_IN_SFU, F_OUT_SFU, 1);
    im_put(im, "sm.memory_collectors", FROM(F_COLL_MEM), "%u", im_int(im, F_COLL_MEM, 1, 16));
    ports(im, NULL, F_IN_MEM, F_OUT_MEM, 1);
    if (strtoul(im->seen.at[F_DP_UNITS].value, NULL, 0)) {
        im_put(im, "sm.fp64.collectors", FROM(F_COLL_DP), "%u", im_int(im, F_COLL_DP, 1, 16));
        ports(im, "sm.fp64.collector_ports", F_IN_DP, F_OUT_DP, 1);
    } else {
        im_without_effect(im, F_COLL_DP, "there are no double precision units");
        im_without_effect(im, F_IN_DP, "there are no double precision units");
        im_without_effect(im, F_OUT_DP, "there are no double precision units");
    }
    if (strtoul(im->seen.at[F_INT_UNITS].value, NULL, 0)) {
        if (strcmp(im_text(im, F_COLL_INT), im_text(im, F_COLL_SP)) != 0)
            im_refuse(im, F_COLL_INT, "as many collectors as of single precision are modelled");
        ports(im, NULL, F_IN_INT, F_OUT_INT, 1);
    } else {
        im_without_effect(im, F_COLL_INT, "there are no integer units");
        im_without_effect(im, F_IN_INT, "there are no integer units");
        im_without_effect(im, F_OUT_INT, "there are no integer units");
    }
}

/* ---- schedulers ---- */

static void put_scheduler(struct import *im)
{
    const char *text = im_text(im, F_SCHEDULER);
    /* GPGPU-Sim looks for the word anywhere, in this order */
    static const struct {
        const char *word, *ours;
    } words[] = {{"lrr", "lrr"},    {"two_level_active", "two_level"},
                 {"gto", "gto"},    {"rrr", NULL},
                 {"old", "oldest"}, {"warp_limiting", "gto"}};
    size_t i = 0, n = sizeof words / sizeof *words;
    while (i < n && !strstr(text, words[i].word))
        i++;
    if (i == n || !words[i].ours) {
        if (im_refuse(im, F_SCHEDULER, "known are lrr, gto, old, warp_limiting"))
            im_put(im, "sm.scheduler", FROM(F_SCHEDULER), "\"lrr\"");
        return;
    }
    if (!strcmp(words[i].ours, "two_level"))
        im_refuse(im, F_SCHEDULER,
                  "its two-level scheduler orders warps otherwise than ours (sm.scheduler = "
                  "\"two_level\")");
    im_put(im, "sm.scheduler", FROM(F_SCHEDULER), "\"%s\"", words[i].ours);
    if (!strcmp(words[i].word, "warp_limiting")) {
        im_refuse(im, F_SCHEDULER, "there the warp that issued last runs beside the oldest ones");
        double v[2];
        const char *colon = strchr(text, ':');
        uint32_t schedulers = im_int(im, F_SCHEDULERS, 1, SCHEDULERS_MAX);
        if (!colon || im_numbers(colon + 1, ":", v, 2) != 2 || v[0] != 2 ||
            !(v[1] >= 1 && v[1] * schedulers <= 128))
            im_refuse(im, F_SCHEDULER, "expected warp_limiting:2:warps, 2 for gto");
        else
            im_put(im, "sm.warp_limit", FROM(F_SCHEDULER), "%g", v[1] * schedulers);
    }
}

/* ---- small caches ---- */

static void put_small(struct import *im, enum foreign_id id, const char *const keys[5],
                      const char *what)
{
    struct cache_string c;
    if (!im_cache(im, id, &c))
        return;
    if (c.is_none) {
        im_refuse(im, id, "%s without a cache", what);
        return;
    }
    if (c.is_fifo || c.index != 'L' || c.is_sectored)
        im_refuse(im, id, "%s: only lines, LRU and linear sets are modelled", what);
    im_put(im, keys[0], FROM(id), "%u", c.sets * c.line * c.ways);
    im_put(im, keys[1], FROM(id), "%u", c.ways);
    if (keys[2])
        im_put(im, keys[2], FROM(id), "%u", c.line);
    if (keys[3])
        im_put(im, keys[3], FROM(id), "%u", c.entries);
    if (keys[4])
        im_put(im, keys[4], FROM(id), "%u", c.merges > 64 ? 64 : c.merges);
}

static void put_small_caches(struct import *im)
{
    static const char *const icache[] = {"sm.icache.size", "sm.icache.ways", "sm.icache.line",
                                         "sm.icache.mshr", "sm.icache.merges"};
    static const char *const constants[] = {"sm.const.size", "sm.const.ways", "sm.const.line", NULL,
                                            NULL};
    static const char *const texture[] = {"sm.texture.size", "sm.texture.ways", NULL, NULL, NULL};
    if (im_switch(im, F_PERFECT)) {
        im_put(im, "sm.icache.size", FROM(F_PERFECT), "\"perfect\"");
        im_put(im, "sm.const.size", FROM(F_PERFECT), "\"perfect\"");
        im_without_effect(im, F_ICACHE, "-gpgpu_perfect_inst_const_cache: it always hits");
        im_without_effect(im, F_CONST_CACHE, "-gpgpu_perfect_inst_const_cache: it always hits");
    } else {
        put_small(im, F_ICACHE, icache, "instructions");
        put_small(im, F_CONST_CACHE, constants, "constants");
    }
    put_small(im, F_TEX_CACHE, texture, "textures");
}

/* ---- an SM ---- */

static void put_contexts(struct import *im)
{
    double v[2];
    if (im_numbers(im_text(im, F_PIPELINE), ":", v, 2) != 2 || !(v[0] >= WARP && v[0] <= 4096)) {
        im_refuse(im, F_PIPELINE, "expected threads:warp size");
        return;
    }
    if (v[1] != WARP)
        im_refuse(im, F_PIPELINE, "warps have %g threads, 32 are modelled", v[1]);
    im_put(im, "sm.warps", FROM(F_PIPELINE), "%u", (unsigned)v[0] / WARP);
    im_put(im, "sm.threads", FROM(F_PIPELINE), "%u", (unsigned)v[0]);
    uint32_t ctas = im_int(im, F_CTAS, 1, 128), warps = (uint32_t)v[0] / WARP;
    im_put(im, "sm.ctas", FROM(F_CTAS), "%u", ctas < warps ? ctas : warps);
    im_put(im, "sm.registers", FROM(F_REGISTERS), "%u", im_int(im, F_REGISTERS, 1024, 1u << 20));
    im_put(im, "sm.shared", FROM(F_SHARED), "%u", im_int(im, F_SHARED, 1024, 1u << 20));
    im_put(im, "sm.shared_banks", FROM(F_SHARED_BANKS), "%u", im_int(im, F_SHARED_BANKS, 1, 128));
    im_put(im, "sm.shared_latency", FROM(F_SHARED_LATENCY), "%u",
           im_int(im, F_SHARED_LATENCY, 1, 1000));
}

void import_sm(struct import *im)
{
    static const struct unit units[] = {
        {"sm.int.units", "sm.int.latency", "sm.int.interval", F_INT_UNITS, F_TIME_INT},
        {"sm.fp32.units", "sm.fp32.latency", "sm.fp32.interval", F_SP_UNITS, F_TIME_SP},
        {"sm.fp64.units", "sm.fp64.latency", "sm.fp64.interval", F_DP_UNITS, F_TIME_DP},
        {"sm.sfu.units", "sm.sfu.latency", "sm.sfu.interval", F_SFU_UNITS, F_TIME_SFU},
    };
    static const struct unit specials[] = {
        {"sm.branch.units", "sm.branch.latency", "sm.branch.interval", F_SPEC_1, F_SPEC_TIME_1},
        {"sm.tensor.units", "sm.tensor.latency", "sm.tensor.interval", F_SPEC_3, F_SPEC_TIME_3},
        {"sm.uniform.units", "sm.uniform.latency", "sm.uniform.interval", F_SPEC_4, F_SPEC_TIME_4},
        {"sm.texture.units", "sm.texture.cycles", "sm.texture.interval", F_SPEC_2, F_SPEC_TIME_2},
    };
    put_contexts(im);
    bool is_sub = im_switch(im, F_SUB_CORES);
    uint32_t schedulers = im_int(im, F_SCHEDULERS, 1, SCHEDULERS_MAX);
    uint32_t issue = im_int(im, F_ISSUE, 1, 2);
    im_put(im, "sm.schedulers", FROM(F_SCHEDULERS), "%u", schedulers);
    put_scheduler(im);
    if (issue > 1) {
        im_put(im, "sm.issue_per_scheduler", FROM(F_ISSUE), "%u", issue);
        if (!im_switch(im, F_DUAL_DIFFERENT))
            im_put(im, "sm.issue_same_unit", FROM(F_DUAL_DIFFERENT), "true");
    } else {
        im_without_effect(im, F_DUAL_DIFFERENT, "one instruction is issued at a time");
    }
    im_put(im, "sm.sub_cores", FROM(F_SUB_CORES), "%s", is_sub ? "true" : "false");
    assume_units(im);
    for (size_t i = 0; i < 4; i++)
        put_unit(im, &units[i]);
    for (size_t i = 0; i < 4; i++)
        put_special(im, &specials[i]);
    put_widths(im, is_sub, schedulers);
    put_collectors(im, is_sub);
    im_put(im, "sm.register_banks", FROM(F_REG_BANKS), "%u", im_int(im, F_REG_BANKS, 1, 64));
    im_put(im, "sm.register_ports", FROM(F_REG_PORTS), "%u", im_int(im, F_REG_PORTS, 1, 4));
    im_put(im, "sm.fetches_per_cycle", FROM(F_FETCHES), "%u", im_int(im, F_FETCHES, 1, 16));
    put_small_caches(im);
    im_put(im, "sm.pipeline", NULL, 0, "\"stepped\"");
    im_remark(im, "as GPGPU-Sim collects operands");
    im_put(im, "sm.fence_flushes_l1", NULL, 0, "true");
    im_remark(im, "fixed in GPGPU-Sim");
}
