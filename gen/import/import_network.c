/* SPDX-License-Identifier: MIT
 *
 * The network between SMs and slices, and what stands in for technology and energy. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gen/import/import.h"

#define SWITCH_ENDPOINTS 512u /* SWITCH_MAX of sim/params.h */

/* ---- the network ---- */

static double number_of(struct import *im, enum foreign_id id)
{
    double v;
    if (im_numbers(im_text(im, id), "", &v, 1) == 1)
        return v;
    im_refuse(im, id, "expected a number");
    return 1;
}

/* A whole number, which may be written as a real one: 1.0. */
static int whole_of(struct import *im, enum foreign_id id)
{
    double v = number_of(im, id);
    if (v >= 0 && v <= 1e6 && v == floor(v))
        return (int)v;
    im_refuse(im, id, "expected a whole number from 0 to 1000000");
    return 1;
}

/* One router per direction that is evaluated twice in a cycle (sim/fabric/switch.c). What differs
 * goes through the general engine, whose interfaces have other queues than GPGPU-Sim's. */
static bool is_the_switch(struct import *im)
{
    static const struct {
        enum foreign_id id;
        double value;
    } must[] = {{F_NET_VCS, 1},      {F_NET_ITERS, 1},     {F_NET_CREDIT, 0},
                {F_NET_ROUTING, 0},  {F_NET_VC_DELAY, 1},  {F_NET_SW_DELAY, 1},
                {F_NET_IN_SPEED, 1}, {F_NET_OUT_SPEED, 1}, {F_NET_SPEED, 2}};
    bool is = true;
    for (size_t i = 0; i < sizeof must / sizeof *must; i++)
        if (number_of(im, must[i].id) != must[i].value) {
            im_refuse(im, must[i].id,
                      "one router per direction is simulated exactly only with %g; the nearest is "
                      "the general engine",
                      must[i].value);
            is = false;
        }
    uint32_t depth = im_int(im, F_NET_DEPTH, 1, 4096), eject = im_int(im, F_NET_EJECTION, 0, 4096);
    if (eject && eject != depth) {
        im_refuse(im, F_NET_EJECTION, "ejection buffers have the depth of the inputs (%u)", depth);
    }
    return is;
}

static void put_engine(struct import *im)
{
    static const struct {
        const char *key;
        enum foreign_id id;
    } keys[] = {{"noc.vcs", F_NET_VCS},
                {"noc.vc_depth", F_NET_DEPTH},
                {"noc.router.routing_delay", F_NET_ROUTING},
                {"noc.router.vc_alloc_delay", F_NET_VC_DELAY},
                {"noc.router.sw_alloc_delay", F_NET_SW_DELAY},
                {"noc.router.credit_delay", F_NET_CREDIT},
                {"noc.router.iterations", F_NET_ITERS},
                {"noc.router.input_speedup", F_NET_IN_SPEED},
                {"noc.router.output_speedup", F_NET_OUT_SPEED},
                {"noc.router.internal_speedup", F_NET_SPEED}};
    im_put(im, "gpu.network", FROM(F_NETWORK, F_NET_TOPOLOGY), "\"design\"");
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        im_put(im, keys[i].key, FROM(keys[i].id), "%d", whole_of(im, keys[i].id));
    im_without_effect(im, F_NET_INPUT, "the general engine has queues of its own at sources");
    im_without_effect(im, F_NET_BOUNDARY, "the general engine has queues of its own at sinks");
}

static void put_simulated(struct import *im)
{
    uint32_t ends = im_int(im, F_N_CLUSTERS, 1, 16384) +
                    im_int(im, F_N_MEM, 1, 1024) * im_int(im, F_N_SUB, 1, 16);
    uint32_t k = im_int(im, F_NET_K, 1, 65536);
    if (strcmp(im_text(im, F_NET_TOPOLOGY), "fly") != 0 || im_int(im, F_NET_N, 1, 16) != 1)
        im_refuse(im, F_NET_TOPOLOGY, "only one router per direction (fly, n = 1) is translated");
    if (k < ends)
        im_refuse(im, F_NET_K, "the router has %u ports, and there are %u clusters and slices", k,
                  ends);
    if (strncmp(im_text(im, F_NET_VC_ALLOC), "islip", 5) != 0)
        im_refuse(im, F_NET_VC_ALLOC, "the one router allocates by iSLIP");
    if (strncmp(im_text(im, F_NET_SW_ALLOC), "islip", 5) != 0)
        im_refuse(im, F_NET_SW_ALLOC, "the one router allocates by iSLIP");
    bool is_switch = is_the_switch(im);
    if (ends > SWITCH_ENDPOINTS) {
        im_refuse(im, F_NETWORK,
                  "one router of %u ports: up to %u are simulated exactly; the nearest is the "
                  "general engine",
                  ends, SWITCH_ENDPOINTS);
        is_switch = false;
    }
    if (is_switch) {
        uint32_t input = im_int(im, F_NET_INPUT, 0, 4096);
        im_put(im, "gpu.network", FROM(F_NETWORK, F_NET_TOPOLOGY), "\"switch\"");
        im_put(im, "gpu.switch.source_queue", FROM(F_NET_INPUT), "%u", input ? input : 9);
        im_put(im, "gpu.switch.depth", FROM(F_NET_DEPTH, F_NET_EJECTION), "%u",
               im_int(im, F_NET_DEPTH, 1, 4096));
        im_put(im, "gpu.switch.sink_queue", FROM(F_NET_BOUNDARY), "%u",
               im_int(im, F_NET_BOUNDARY, 1, 4096));
        im_put(im, "noc.vcs", FROM(F_NET_VCS), "1");
        im_put(im, "noc.vc_depth", FROM(F_NET_DEPTH), "%u", im_int(im, F_NET_DEPTH, 1, 1024));
    } else {
        put_engine(im);
    }
    im_put(im, "noc.width", FROM(F_NET_FLIT), "\"%u B\"", im_int(im, F_NET_FLIT, 1, 512));
    im_without_effect(im, F_ICNT_IN, "of the local crossbar (-network_mode 2)");
    im_without_effect(im, F_ICNT_OUT, "of the local crossbar (-network_mode 2)");
    im_without_effect(im, F_FLIT, "the network's own file says it");
}

static void put_local(struct import *im)
{
    uint32_t in = im_int(im, F_ICNT_IN, 1, 65536), out = im_int(im, F_ICNT_OUT, 1, 65536);
    if (in != out)
        im_refuse(im, F_ICNT_OUT, "output buffers of %u beside input buffers of %u", out, in);
    im_put(im, "gpu.network", FROM(F_NETWORK), "\"local\"");
    im_put(im, "gpu.local.depth", FROM(F_ICNT_IN, F_ICNT_OUT), "%u", in);
    im_put(im, "gpu.local.cycles", NULL, 0, "0");
    im_put(im, "noc.width", FROM(F_FLIT), "\"%u B\"", im_int(im, F_FLIT, 1, 512));
    im_without_effect(im, F_ICNT_FILE, "of a simulated network (-network_mode 1)");
    for (size_t i = F_NET_TOPOLOGY; i < F_TRANSLATED; i++)
        im_without_effect(im, (enum foreign_id)i, "-network_mode 2: the local crossbar is used");
}

void import_network(struct import *im)
{
    double mhz[4];
    uint32_t mode = im_int(im, F_NETWORK, 1, 2);
    im_put(im, "cluster.unbuffered", NULL, 0, "true");
    im_remark(im, "fixed in GPGPU-Sim");
    im_put(im, "cluster.response_depth", FROM(F_EJECTION), "%u", im_int(im, F_EJECTION, 1, 4096));
    im_put(im, "noc.topology", NULL, 0, "\"crossbar\"");
    im_remark(im, "what it is priced as");
    if (mode == 1) {
        im_text(im, F_ICNT_FILE);
        put_simulated(im);
    } else {
        put_local(im);
    }
    if (im_numbers(im_text(im, F_CLOCKS), ":", mhz, 4) == 4)
        im_put(im, "noc.clock_ghz", FROM(F_CLOCKS), "%.10g", mhz[1] / 1000);
    im_put(im, "noc.clock_limit", NULL, 0, "\"none\"");
    im_remark(im, "GPGPU-Sim asks no wires");
}

/* ---- technology and energy ---- */

/* What a generation was made in, and whose coefficients stand in: no option says either. */
void import_energy(struct import *im)
{
    static const struct {
        uint32_t cc; /* up to and with */
        const char *name, *node, *array_node, *core, *note;
    } generations[] = {
        {29, "Fermi", "40", NULL, "gtx480", "40 nm"},
        {39, "Kepler", "28", NULL, "gtx480", "28 nm"},
        {59, "Maxwell", "28", NULL, "gtx480", "28 nm"},
        {69, "Pascal", "16", "22", "qv100", "16 nm"},
        {74, "Volta", "12", "22", "qv100", "12 nm"},
        {79, "Turing", "12", "22", "qv100", "12 nm"},
        {89, "Ampere or Ada", "12", "22", "qv100", "7, 8 or 5 nm; 12 nm stand in"},
        {UINT32_MAX, "Hopper", "12", "22", "qv100", "4 nm; 12 nm stand in"},
    };
    uint32_t cc = im_int(im, F_CC_MAJOR, 1, 20) * 10 + im_int(im, F_CC_MINOR, 0, 9);
    size_t i = 0;
    while (cc > generations[i].cc)
        i++;
    im_put(im, "tech.node", FROM(F_CC_MAJOR, F_CC_MINOR), "%s", generations[i].node);
    im_remark(im, arena_printf(im->mem, "%s: %s", generations[i].name, generations[i].note));
    if (generations[i].array_node) {
        im_put(im, "tech.array_node", FROM(F_CC_MAJOR, F_CC_MINOR), "%s",
               generations[i].array_node);
        im_remark(im, "the newest that arrays are tabulated for");
    }
    im_put(im, "tech.array_limit", NULL, 0, "\"none\"");
    im_remark(im, "GPGPU-Sim asks no arrays");
    bool is_hbm = strtoul(im_text(im, F_DRAM_BUS), NULL, 0) >= 8;
    im_put(im, "energy.core", FROM(F_CC_MAJOR, F_CC_MINOR), "\"%s\"", generations[i].core);
    im_remark(im, strcmp(generations[i].core, "gtx480") == 0 && cc <= 29
                      ? "its own coefficients"
                      : "coefficients of another card stand in");
    im_put(im, "energy.dram", FROM(F_DRAM_BUS), is_hbm ? "\"hbm2\"" : "\"gddr5\"");
    im_remark(im, is_hbm ? "channels of 8 bytes and more" : "channels of less than 8 bytes");
    im_put(im, "energy.leakage", NULL, 0, "\"model\"");
    im_note(im, "node %s nm and coefficients %s stand in for energy; no option says them",
            generations[i].node, generations[i].core);
}
