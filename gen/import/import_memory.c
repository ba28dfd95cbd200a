/* SPDX-License-Identifier: MIT
 *
 * L1, slices of the L2, address map and DRAM. */
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "gen/import/import.h"

#define SECTOR 32u

/* ---- L1 ---- */

static const char *index_word(char letter)
{
    switch (letter) {
    case 'L': return "linear";
    case 'H': return "hashed";
    case 'P': return "ipoly";
    case 'X': return "xor";
    default: return NULL;
    }
}

/* IPOLY has equations for so many places; GPGPU-Sim stops elsewhere. */
static bool has_polynomial(uint32_t places)
{
    return places == 16 || places == 32 || places == 64;
}

static void put_index(struct import *im, const char *key, enum foreign_id id,
                      const struct cache_string *c)
{
    const char *word = index_word(c->index);
    if (!word) {
        im_refuse(im, id, "its custom index is empty in GPGPU-Sim");
        word = "linear";
    } else if (c->index == 'H' && (c->line != 128 || (c->sets != 32 && c->sets != 64))) {
        im_refuse(im, id, "Fermi's hash is for 32 or 64 sets");
    } else if (c->index == 'P' && !has_polynomial(c->sets)) {
        im_refuse(im, id, "the polynomial hash is for 16, 32 or 64 sets");
    }
    im_put(im, key, FROM(id), "\"%s\"", word);
}

static void common_limits(struct import *im, enum foreign_id id, const struct cache_string *c)
{
    if (c->is_fifo)
        im_refuse(im, id, "lines are replaced by LRU, not first in first out");
    if (c->is_sectored && c->line != 128)
        im_refuse(im, id, "lines with sectors have 128 bytes in GPGPU-Sim");
    if (c->mshr != 'A' && c->mshr != 'S')
        im_refuse(im, id, "a data cache with a texture cache's FIFO");
    if (!bits_is_pow2(c->sets) || !bits_is_pow2(c->line))
        im_refuse(im, id, "sets and lines are powers of two");
}

static void put_l1_writes(struct import *im, const struct cache_string *c)
{
    switch (c->write) {
    case 'L': im_put(im, "l1.write", FROM(F_L1), "\"evict\""); break;
    case 'E':
        im_put(im, "l1.write", FROM(F_L1), "\"evict\"");
        im_refuse(im, F_L1, "local memory is written back here also where the L1 evicts (E)");
        break;
    case 'T': im_put(im, "l1.write", FROM(F_L1), "\"through\""); break;
    case 'B': im_put(im, "l1.write", FROM(F_L1), "\"back\""); break;
    default: im_refuse(im, F_L1, "an L1 that cannot be written"); break;
    }
    if (c->write_allocate == 'L')
        im_put(im, "l1.write_allocate", FROM(F_L1), "true");
    else if (c->write_allocate != 'N' &&
             im_refuse(im, F_L1,
                       "stores that miss take no line (N) or one that is fetched when "
                       "read (L), not W or F"))
        im_put(im, "l1.write_allocate", FROM(F_L1), "true");
    if (c->allocate != 'm')
        im_put(im, "l1.allocate", FROM(F_L1), "\"fill\"");
}

/* GPGPU-Sim 4.0 has no options for sizes: it divides Volta's 128 KB, four times the L1 that is
 * said, in Volta's parts. */
static bool is_volta(const struct import *im, uint32_t own_kb)
{
    return own_kb == 32 && !im_is_given(im, F_CARVE_OUTS) &&
           !strcmp(im->seen.at[F_SHARED].value, "98304");
}

static void assume(struct import *im, enum foreign_id id, const char *value)
{
    im->seen.at[id].value = value;
    im->seen.at[id].is_assumed = true;
}

static void put_unified(struct import *im, const struct cache_string *c)
{
    if (!im_switch(im, F_ADAPTIVE)) {
        im_without_effect(im, F_UNIFIED, "-gpgpu_adaptive_cache_config is off");
        im_without_effect(im, F_CARVE_OUTS, "-gpgpu_adaptive_cache_config is off");
        return;
    }
    double kb[16];
    uint32_t own = c->sets * c->line * c->ways / 1024;
    if (!im_is_given(im, F_UNIFIED)) {
        if (!is_volta(im, own)) {
            im_refuse(im, F_UNIFIED, "how much the L1 (%u KB) and shared memory are together", own);
            return;
        }
        assume(im, F_UNIFIED, "128");
        assume(im, F_CARVE_OUTS, "0,8,16,32,64,96");
    }
    uint32_t all = im_int(im, F_UNIFIED, 1, 16384);
    if (!own || all % own)
        im_refuse(im, F_UNIFIED, "%u KB are not a multiple of the L1's %u KB", all, own);
    if (!im_numbers(im_text(im, F_CARVE_OUTS), ",", kb, 16))
        im_refuse(im, F_CARVE_OUTS, "expected sizes in KB, separated by commas");
    im_put(im, "l1.unified", FROM(F_UNIFIED, F_ADAPTIVE), "\"%u KB\"", all);
    im_put(im, "l1.carve_outs", FROM(F_CARVE_OUTS), "\"%s\"", im_text(im, F_CARVE_OUTS));
}

static void put_coalescer(struct import *im, const struct cache_string *c, bool is_skipped)
{
    uint32_t arch = im_int(im, F_COALESCE, 0, 200);
    bool is_short = arch >= 40 || is_skipped; /* 32-byte segments */
    if (arch < 20)
        im_refuse(im, F_COALESCE, "half warps of compute capability 1.x are not modelled");
    else if (is_short != c->is_sectored)
        im_refuse(im, F_COALESCE, "segments of %u bytes with an L1 of %s", is_short ? 32 : 128,
                  c->is_sectored ? "sectors" : "whole lines");
    im_put(im, "coalescer.rule", FROM(F_COALESCE), "\"segments\"");
}

/* An access lies in the bank of its first byte: of banks that deal smaller pieces than accesses
 * only some are ever used. */
static void put_l1_banks(struct import *im, uint32_t access)
{
    uint32_t banks = im_int(im, F_L1_BANKS, 1, 16), piece = im_int(im, F_L1_PIECE, 1, 4096);
    uint32_t used = banks;
    if (banks == 1)
        im_without_effect(im, F_L1_PIECE, "there is one bank");
    else if (!bits_is_pow2(banks) || !bits_is_pow2(piece) || piece > access)
        im_refuse(im, F_L1_PIECE, "banks by pieces of %u bytes, accesses have %u", piece, access);
    else
        used = banks * piece > access ? banks * piece / access : 1;
    im_put(im, "l1.banks", FROM(F_L1_BANKS, F_L1_PIECE), "%u", used);
}

void import_l1(struct import *im)
{
    struct cache_string c;
    bool is_skipped = im_switch(im, F_L1_SKIP);
    if (!im_cache(im, F_L1, &c))
        return;
    if (c.is_none) {
        if (!im_refuse(im, F_L1, "SMs without an L1 are not modelled"))
            return;
        c = (struct cache_string){.sets = 32,
                                  .line = 128,
                                  .ways = 4,
                                  .write = 'L',
                                  .allocate = 'm',
                                  .write_allocate = 'N',
                                  .index = 'L',
                                  .mshr = 'A',
                                  .entries = 32,
                                  .merges = 8,
                                  .miss_queue = 8};
        is_skipped = true;
    }
    common_limits(im, F_L1, &c);
    put_coalescer(im, &c, is_skipped);
    im_put(im, "l1.size", FROM(F_L1), "%u", c.sets * c.line * c.ways);
    im_put(im, "l1.ways", FROM(F_L1), "%u", c.ways);
    im_put(im, "l1.line", FROM(F_L1), "%u", c.line);
    if (c.is_sectored)
        im_put(im, "l1.sector", FROM(F_L1), "32");
    put_index(im, "l1.index", F_L1, &c);
    put_l1_writes(im, &c);
    im_put(im, "l1.mshr.entries", FROM(F_L1), "%u", c.entries);
    im_put(im, "l1.mshr.merges", FROM(F_L1), "%u", c.merges);
    im_put(im, "l1.miss_queue", FROM(F_L1), "%u", c.miss_queue);
    put_l1_banks(im, c.is_sectored ? SECTOR : c.line);
    if (c.port && c.port < (c.is_sectored ? SECTOR : c.line))
        im_refuse(im, F_L1, "fills through a port of %u bytes take several cycles", c.port);
    uint32_t latency = im_int(im, F_L1_LATENCY, 0, 1000);
    if (!latency)
        im_refuse(im, F_L1_LATENCY, "an L1 without a pipeline");
    im_put(im, "l1.hit_cycles", FROM(F_L1_LATENCY), "%u", latency ? latency : 1);
    im_put(im, "l1.lookup_cycles", FROM(F_L1_LATENCY), "%u", latency ? latency : 1);
    uint32_t dirty = im_int(im, F_L1_DIRTY, 0, 100);
    if (dirty)
        im_put(im, "l1.keep_dirty_below", FROM(F_L1_DIRTY), "%u", dirty);
    put_unified(im, &c);
    im_put(im, "l1.response_queue", FROM(F_RESPONSES), "%u", im_int(im, F_RESPONSES, 1, 1024));
    im_put(im, "l1.bypass_global_loads", FROM(F_L1_SKIP), "%s", is_skipped ? "true" : "false");
    im_put(im, "l1.bypass_skips_pipeline", NULL, 0, "true");
    im_remark(im, "fixed in GPGPU-Sim");
    if (!im_switch(im, F_L1_FLUSH))
        im_put(im, "l1.keep_between_kernels", FROM(F_L1_FLUSH), "true");
}

/* ---- L2 ---- */

static void put_queues(struct import *im)
{
    double q[4];
    if (im_numbers(im_text(im, F_QUEUES), ":", q, 4) != 4 || !(q[0] >= 1 && q[1] >= 1)) {
        im_refuse(im, F_QUEUES, "expected four lengths: to L2, to DRAM, from DRAM, to network");
        return;
    }
    if (q[1] != q[2] || q[1] != q[3])
        im_refuse(im, F_QUEUES, "queues to and from the DRAM and to the network have one length");
    im_put(im, "llc.queue", FROM(F_QUEUES), "%g", q[0]);
    im_put(im, "llc.dram_queue", FROM(F_QUEUES), "%g", q[1]);
}

static void put_slice_hash(struct import *im, uint32_t channels, uint32_t each)
{
    static const char *const words[] = {"mod", "xor", "ipoly", NULL, "random"};
    uint32_t h = im_int(im, F_HASH, 0, 100);
    if (h == 1 && !bits_is_pow2(channels)) {
        im_refuse(im, F_HASH, "the xor of channels needs a power of two of them");
        h = 0;
    } else if (h > 4 || !words[h]) {
        im_refuse(im, F_HASH, "known are 0 none, 1 xor, 2 IPOLY, 4 random");
        h = 0;
    } else if (h == 2 && !has_polynomial((1u << bits_clog2(channels)) * each)) {
        im_refuse(im, F_HASH,
                  "the polynomial hash is for 16, 32 or 64 slices (channels rounded up to a power "
                  "of two, times those of each), not %u; the nearest is a hash of our own",
                  (1u << bits_clog2(channels)) * each);
    }
    if (h == 4)
        im_note(im, "slices are drawn at random when memory is first used, with GPGPU-Sim's draws");
    im_put(im, "llc.slice_hash", FROM(F_HASH), "\"%s\"", words[h]);
}

static void put_l2(struct import *im)
{
    struct cache_string c;
    uint32_t channels = im_int(im, F_N_MEM, 1, 1024), each = im_int(im, F_N_SUB, 1, 16);
    if (!bits_is_pow2(each))
        im_refuse(im, F_N_SUB, "slices of a channel are a power of two");
    im_put(im, "llc.slices", FROM(F_N_MEM, F_N_SUB), "%u", channels * each);
    if (!im_cache(im, F_L2, &c))
        return;
    if (c.is_none) {
        im_refuse(im, F_L2, "a machine without an L2 is not modelled");
        return;
    }
    common_limits(im, F_L2, &c);
    if (c.write != 'B' || c.allocate != 'm')
        im_refuse(im, F_L2, "the L2 writes back and allocates on a miss (B, m)");
    if (c.write_allocate != 'L')
        im_refuse(im, F_L2, "stores take a line that is fetched when read (L), not %c",
                  c.write_allocate);
    if (!c.is_sectored)
        im_refuse(im, F_L2, "an L2 of whole lines (N) is modelled, and not held against GPGPU-Sim");
    im_put(im, "llc.size", FROM(F_L2), "%u", c.sets * c.line * c.ways);
    im_put(im, "llc.ways", FROM(F_L2), "%u", c.ways);
    im_put(im, "llc.line", FROM(F_L2), "%u", c.line);
    if (c.is_sectored)
        im_put(im, "llc.sector", FROM(F_L2), "32");
    put_index(im, "llc.index", F_L2, &c);
    im_put(im, "llc.mshr.entries", FROM(F_L2), "%u", c.entries);
    im_put(im, "llc.mshr.merges", FROM(F_L2), "%u", c.merges);
    im_put(im, "llc.miss_queue", FROM(F_L2), "%u", c.miss_queue);
    if (c.port && c.port < SECTOR)
        im_refuse(im, F_L2, "hits and fills through a port of %u bytes take several cycles",
                  c.port);
    im_put(im, "llc.evict_port", FROM(F_L2), "%u", c.port ? c.port : c.line);
    put_queues(im);
    im_put(im, "llc.hit_cycles", FROM(F_ROP), "%u", im_int(im, F_ROP, 1, 1000));
    put_slice_hash(im, channels, each);
    im_put(im, "llc.host_copies_fill", FROM(F_MEMCPY), "%s",
           im_switch(im, F_MEMCPY) ? "true" : "false");
    im_put(im, "llc.miss_before_writeback", NULL, 0, "true");
    im_remark(im, "fixed in GPGPU-Sim");
    if (c.is_sectored) {
        im_put(im, "llc.sectors_one_by_one", NULL, 0, "true");
        im_remark(im, "fixed in GPGPU-Sim");
    }
}

/* ---- DRAM ---- */

enum timing_field { NBK, CCD, RRD, RCD, RAS, RP, RC, CL, WL, CDLR, WR, NBKGRP, CCDL, RTPL, FIELDS };

/* "nbk=16:CCD=2:…" in any order, or the numbers alone in theirs. */
static bool read_timing(const char *text, double v[FIELDS])
{
    static const char *const names[FIELDS] = {"nbk", "CCD",    "RRD",  "RCD", "RAS",
                                              "RP",  "RC",     "CL",   "WL",  "CDLR",
                                              "WR",  "nbkgrp", "CCDL", "RTPL"};
    for (size_t i = 0; i < FIELDS; i++)
        v[i] = -1;
    v[NBKGRP] = 1;
    v[CCDL] = v[RTPL] = 0;
    if (*text >= '0' && *text <= '9') {
        double w[FIELDS];
        size_t n = im_numbers(text, ":", w, FIELDS);
        for (size_t i = 0; i < n; i++)
            v[i] = w[i];
        return n == 11 || n == FIELDS;
    }
    for (const char *p = text; *p;) {
        size_t n = strcspn(p, "=:;"), k = 0;
        while (k < FIELDS && (strlen(names[k]) != n || strncmp(names[k], p, n)))
            k++;
        if (k == FIELDS || p[n] != '=')
            return false;
        char *end;
        v[k] = strtod(p + n + 1, &end);
        if (end == p + n + 1 || (*end && *end != ':' && *end != ';'))
            return false;
        p = *end ? end + 1 : end;
    }
    for (size_t i = 0; i < FIELDS; i++)
        if (!(v[i] >= 0 && v[i] <= 1000 && v[i] == (double)(int)v[i]))
            return false;
    return true;
}

static void put_time(struct import *im, const char *key, double v, bool has_off)
{
    if (v == 0 && has_off)
        im_put(im, key, FROM(F_DRAM_TIMING), "\"off\"");
    else
        im_put(im, key, FROM(F_DRAM_TIMING), "%g", v < 1 ? 1 : v);
}

static void put_timing(struct import *im)
{
    double t[FIELDS];
    if (!read_timing(im_text(im, F_DRAM_TIMING), t) || !(t[NBK] >= 1 && t[NBK] <= 64)) {
        im_refuse(
            im, F_DRAM_TIMING,
            "expected nbk= CCD= RRD= RCD= RAS= RP= RC= CL= WL= CDLR= WR= nbkgrp= CCDL= RTPL=, "
            "whole numbers separated by ':', at most 64 banks");
        return;
    }
    double groups = t[NBKGRP] < 1 ? 1 : t[NBKGRP];
    if (groups > t[NBK] || (int)t[NBK] % (int)groups)
        im_refuse(im, F_DRAM_TIMING, "%g groups do not divide %g banks", groups, t[NBK]);
    if (im_int(im, F_DRAM_BANK_HASH, 0, 2) == 2 && !has_polynomial((uint32_t)t[NBK]))
        im_refuse(im, F_DRAM_BANK_HASH,
                  "the polynomial hash is for 16, 32 or 64 banks, not %g; the nearest is a sum of "
                  "bank and row",
                  t[NBK]);
    im_put(im, "dram.banks", FROM(F_DRAM_TIMING), "%g", t[NBK]);
    im_put(im, "dram.bank_groups", FROM(F_DRAM_TIMING), "%g", groups);
    put_time(im, "dram.tcl", t[CL], false);
    put_time(im, "dram.trp", t[RP], false);
    put_time(im, "dram.trc", t[RC], false);
    put_time(im, "dram.tras", t[RAS], false);
    put_time(im, "dram.trcd", t[RCD], false);
    put_time(im, "dram.trrd", t[RRD], false);
    put_time(im, "dram.tccd", t[CCD], false);
    put_time(im, "dram.twr", t[WR], false);
    put_time(im, "dram.tcwl", t[WL], true);
    put_time(im, "dram.twtr", t[CDLR], true);
    put_time(im, "dram.tccd_l", t[CCDL], true);
    put_time(im, "dram.trtp", t[RTPL], true);
}

/* Bytes of a row: letters C and S of the map. */
static void put_map(struct import *im)
{
    const char *map = im_text(im, F_MAP), *p = strchr(map, ';');
    uint32_t columns = 0;
    if (!*map) {
        im_refuse(im, F_MAP, "one of the old numbered address maps is not translated");
        return;
    }
    if (strncmp(map, "dramid@", 7) != 0 || !p) {
        im_refuse(im, F_MAP, "a map without 'dramid@bit;' is not translated");
        return;
    }
    for (; *p; p++)
        columns += *p == 'C' || *p == 'S' || *p == 'c' || *p == 's';
    char *upper = arena_strdup(im->mem, map);
    for (char *q = strchr(upper, ';'); *q; q++)
        *q = *q == 'r' ? 'R' : *q == 'b' ? 'B' : *q == 'c' ? 'C' : *q == 's' ? 'S' : *q;
    if (columns > 16 || columns < 5)
        im_refuse(im, F_MAP, "rows of 2^%u bytes", columns);
    else
        im_put(im, "dram.row", FROM(F_MAP), "%u", 1u << columns);
    im_put(im, "dram.map", FROM(F_MAP), "\"%s\"", upper);
}

/* Ours: bytes of half a command clock, and half clocks of a burst. */
static void put_bus(struct import *im)
{
    uint32_t chips = im_int(im, F_DRAM_CHIPS, 1, 64), bus = im_int(im, F_DRAM_BUS, 1, 1024);
    uint32_t burst = im_int(im, F_DRAM_BURST, 1, 64), ratio = im_int(im, F_DRAM_RATIO, 1, 16);
    if (burst % ratio || (chips * bus * ratio) % 2) {
        im_refuse(im, F_DRAM_RATIO, "a burst of %u beats is not a whole number of clocks", burst);
        return;
    }
    im_put(im, "dram.bus", FROM(F_DRAM_BUS, F_DRAM_CHIPS, F_DRAM_RATIO), "%u",
           chips * bus * ratio / 2);
    im_put(im, "dram.burst", FROM(F_DRAM_BURST, F_DRAM_RATIO), "%u", 2 * burst / ratio);
}

static void put_dram_queues(struct import *im)
{
    uint32_t policy = im_int(im, F_DRAM_POLICY, 0, 1);
    uint32_t queue = im_int(im, F_DRAM_QUEUE, 0, 4096);
    uint32_t returns = im_int(im, F_DRAM_RETURNS, 0, 4096);
    if (!policy)
        im_refuse(im, F_DRAM_POLICY, "its requests in order leave the queue otherwise than ours");
    im_put(im, "dram.scheduler", FROM(F_DRAM_POLICY), policy ? "\"frfcfs\"" : "\"fifo\"");
    if (!queue)
        im_refuse(im, F_DRAM_QUEUE, "queues without an end are not modelled");
    if (!returns)
        im_refuse(im, F_DRAM_RETURNS, "queues without an end are not modelled");
    im_put(im, "dram.queue", FROM(F_DRAM_QUEUE), "%u", queue ? queue : 1024);
    im_put(im, "dram.return_queue", FROM(F_DRAM_RETURNS), "%u", returns ? returns : 1024);
    if (!im_switch(im, F_DRAM_WRITES)) {
        im_without_effect(im, F_DRAM_WRITE_SIZE, "-dram_seperate_write_queue_enable is off");
        return;
    }
    double w[3];
    if (im_numbers(im_text(im, F_DRAM_WRITE_SIZE), ":", w, 3) != 3 ||
        !(w[0] >= w[1] && w[1] >= w[2] && w[2] >= 1 && w[0] <= 4096)) {
        im_refuse(im, F_DRAM_WRITE_SIZE, "expected size:high:low");
        return;
    }
    im_put(im, "dram.write_queue.size", FROM(F_DRAM_WRITE_SIZE, F_DRAM_WRITES), "%g", w[0]);
    im_put(im, "dram.write_queue.high", FROM(F_DRAM_WRITE_SIZE), "%g", w[1]);
    im_put(im, "dram.write_queue.low", FROM(F_DRAM_WRITE_SIZE), "%g", w[2]);
}

static void put_dram(struct import *im)
{
    static const char *const hashes[] = {"none", "xor", "ipoly"};
    uint32_t hash = im_int(im, F_DRAM_BANK_HASH, 0, 2);
    im_put(im, "dram.controllers", FROM(F_N_MEM), "%u", im_int(im, F_N_MEM, 1, 1024));
    put_timing(im);
    put_bus(im);
    put_map(im);
    put_dram_queues(im);
    im_put(im, "dram.controller_cycles", FROM(F_DRAM_LATENCY), "%u",
           im_int(im, F_DRAM_LATENCY, 0, 1000));
    im_put(im, "dram.dual_command_bus", FROM(F_DRAM_DUAL), "%s",
           im_switch(im, F_DRAM_DUAL) ? "true" : "false");
    if (hash)
        im_put(im, "dram.bank_hash", FROM(F_DRAM_BANK_HASH), "\"%s\"", hashes[hash]);
    im_put(im, "dram.trefi", NULL, 0, "\"off\"");
    im_remark(im, "GPGPU-Sim has no refresh");
}

static void put_compat(struct import *im)
{
    static const char *const fixed[] = {
        "compat.kernels_share_code_address", "compat.atomics_stall_warp",
        "compat.constant_loads_are_int",     "compat.dram_turn_moves_in_clock",
        "compat.dram_write_before_trcd",     "compat.cta_turn_goes_on"};
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
        im_put(im, fixed[i], NULL, 0, "true");
        im_remark(im, "fixed in GPGPU-Sim");
    }
    if (im_int(im, F_PER_CLUSTER, 1, 64) > 1)
        im_put(im, "compat.cluster_order", FROM(F_SIM_ORDER, F_PER_CLUSTER), "\"%s\"",
               im_int(im, F_SIM_ORDER, 0, 2) == 1 ? "turns" : "fixed");
    else
        im_without_effect(im, F_SIM_ORDER, "there is one SM in a cluster");
    im_put(im, "compat.clock_edges", NULL, 0, "\"summed\"");
    im_remark(im, "of rounded periods");
    if (im->seen.at[F_SPEC_2].value[0] == '0') {
        im_put(im, "compat.texture_loads_are_int", NULL, 0, "true");
        im_remark(im, "no special unit 2");
    }
    im_put(im, "compat.bank_group_in_low_bits", FROM(F_DRAM_GROUP_HASH), "%s",
           im_int(im, F_DRAM_GROUP_HASH, 0, 1) ? "true" : "false");
}

void import_memory(struct import *im)
{
    put_l2(im);
    put_dram(im);
    put_compat(im);
}
