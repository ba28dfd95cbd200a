/* SPDX-License-Identifier: MIT
 *
 * gen/config/arch.h: the validated description. Plain values in the params structs of the modules
 * that read them, and for every key where its value came from. Made by gen/config/read.h, const for
 * all others.
 */
#ifndef CW_GEN_CONFIG_ARCH_H
#define CW_GEN_CONFIG_ARCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "energy/book/book.h"
#include "energy/engine.h"
#include "noc/graph.h"
#include "noc/network_params.h"
#include "sim/arrays.h"
#include "sim/params.h"

/* One network; keys noc.*, each overridable as noc.request.* and noc.reply.*. */
struct arch_net {
    struct noc_params params; /* sizes are 0 until elaboration completes them */
    struct router_params router;
    struct packet_merge_params merge;
    double clock_ghz;
    const char *clock_limit;     /* "fmax" or "none" */
    uint32_t traversal_stages;   /* cycles of a switch; 0: as many as the clock needs */
    const char *slow_allocation; /* "clock" or "two_cycles" */
    const char *gating;          /* "bytes" or "none" */
    double register_mm;          /* longest piece of a link between registers; 0: any */
};

/* Who prices what, keys energy.*. */
struct energy_params {
    enum network_engine network; /* engine of routers and channels */
    enum array_engine arrays;
    const char *dsent_program; /* "" : looked up in PATH */
    const char *cacti_program;
    const char *cache_dir; /* results of the real tools; "" : none */
    double timeout_s;
    bool fallback;    /* arrays that the real tool refuses are priced natively, and it is said */
    const char *core; /* GPUWattch coefficients: "qv100", "gtx480", or the path of an XML file */
    const char *dram; /* "coefficients", a table of cfg/tech ("hbm2"), or the path of one */
    enum leakage_source leakage;
    enum coefficient_scaling scaling;
    enum constant_rule constant;
    bool coalescer;        /* priced with the core */
    const char *core_base; /* energies they multiply; "": the table that goes with them */
    const char *table;     /* an energy table that replaces the engines; "": none */
    const struct user_component *users; /* the user's own components */
    uint32_t n_users;
};

enum origin_kind { ORIGIN_DEFAULT, ORIGIN_FILE, ORIGIN_COMMAND_LINE, ORIGIN_DERIVED };

struct origin {
    enum origin_kind kind;
    struct where at; /* of the setting, also where a derived value has replaced the word that was
                        said; file "command line" for --set; nothing for the others */
    bool is_top;     /* said in the file named on the command line, or by --set; not in a base */
    bool is_bad;     /* what was said could not be read; the value is the one before it */
};

/* What the die is divided into (gen/config/tiles.h). */
enum tile { TILE_SM, TILE_LLC, TILE_MC, TILE_NOC, TILE_OTHER, TILES };

struct arch {
    const char *file;    /* as named on the command line */
    const char *variant; /* "noc.vcs=2": what tells it from others of the same file; "" */
    struct gpu_params gpu;
    struct sm_params sm;
    struct l1_params l1;
    struct coalescer_params coalescer;
    struct cluster_params cluster;
    struct arch_net noc[2]; /* [NOC_REQUEST], [NOC_REPLY] */
    bool noc_shared;        /* one physical network carries both; noc[NOC_REQUEST] describes it */
    struct llc_params llc;
    struct dram_params dram;
    struct array_size arrays[ROLE_COUNT];
    struct cta_params cta;
    const char *order_file; /* cta.clustering.order where it is; NULL: none is read */
    struct compat_params compat;
    struct tech_params tech;
    struct noc_place_params place;
    double tile_spread[TILES]; /* what is open of an area that a node gives; 1: said, or known */
    struct energy_params energy;
    struct sim_params sim;
    struct synth_params synth;

    uint64_t sources;            /* hash of the contents of all files it was read from, in order */
    struct origin (*origins)[2]; /* [key index][network; 0 for other keys]: key_origin() */
};

/* The file that a key's value names: relative to the file that says it, to the working folder, or
 * shipped with the program. */
const char *arch_named_file(const struct arch *arch, const char *key, const char *name,
                            const char *data_dir, struct arena *mem);

/* Its file and, where there are several of that file, which one. */
const char *arch_title(const struct arch *arch, struct arena *mem);

/* Hash of all resolved values, as 16 hexadecimal digits. */
const char *arch_hash(const struct arch *arch, struct arena *mem);

#endif
