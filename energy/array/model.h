/* SPDX-License-Identifier: MIT
 *
 * energy/array/model.h: cost of a memory array by the analytical model of CACTI 6.5 for uniform
 * access: plain RAM, set-associative caches, fully-associative caches and CAMs at 22 to 90 nm. The
 * organisation (how the array is cut into subarrays and how its columns are multiplexed) is found
 * by complete search, as CACTI does, or given. `docs/cost-arrays.md` says what is modelled.
 *
 * The model is not monotone in its inputs: it searches over discrete organisations, and a larger
 * array may land on a better one. Limits: at least 64 bytes a bank and 16 rows a subarray;
 * associativity and banks are powers of two; no low-swing wires. */
#ifndef CW_ENERGY_ARRAY_MODEL_H
#define CW_ENERGY_ARRAY_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "energy/array/devices.h"

enum amodel_type { AMODEL_RAM, AMODEL_CACHE, AMODEL_FA, AMODEL_CAM, AMODEL_TYPES };
enum amodel_mode { AMODEL_NORMAL, AMODEL_SEQUENTIAL, AMODEL_FAST, AMODEL_MODES };
enum amodel_optimize { AMODEL_ED2, AMODEL_ED, AMODEL_WEIGHTS, AMODEL_OPTIMIZES };
enum amodel_goal { GOAL_DELAY, GOAL_DYNAMIC, GOAL_LEAKAGE, GOAL_CYCLE, GOAL_AREA, GOALS };

extern const char *const amodel_type_names[AMODEL_TYPES];         /* "ram", "cache", "fa", "cam" */
extern const char *const amodel_mode_names[AMODEL_MODES];         /* "normal", … */
extern const char *const amodel_optimize_names[AMODEL_OPTIMIZES]; /* "ED^2", "ED", "NONE" */

/* How an array is cut: Ndwl x Ndbl subarrays, Nspd sets (or words) beside each other, and the
 * multiplexers of bit lines and sense amplifiers. */
struct amodel_org {
    double nspd;
    int ndwl, ndbl, ndcm, sam1, sam2;
};

struct amodel_in {
    enum amodel_type type;
    int64_t size_b;                 /* all banks together */
    int64_t block_b;                /* line or word; CAM: only bounds out_bits */
    int64_t entries, word_bits;     /* instead of size_b and block_b, to the bit; 0: unused */
    int64_t assoc;                  /* 0 for FA and CAM */
    int64_t rw, rd, wr, se, search; /* ports; se: how many of rd are single-ended */
    int64_t banks;
    double tech_nm;
    int64_t out_bits; /* read or written at once */
    int64_t temp_k;
    int64_t tag_bits; /* 0: derived */
    enum amodel_mode mode;
    enum array_flavour data_cell, data_peri, tag_cell, tag_peri;
    enum amodel_optimize optimize;
    double weights[GOALS], deviate[GOALS]; /* deviate in percent of the best */
    enum array_signal signal;
    enum array_layer wire_in, wire_out;
    enum array_projection projection;
    bool ecc;
    bool forced;
    struct amodel_org org; /* of the data array, where forced */
};

/* Plain RAM of one read-write port at 45 nm, high performance, ED^2. */
struct amodel_in amodel_defaults(void);

/* One array (data or tag) in the chosen organisation. Absent numbers are 0. */
struct amodel_side {
    struct amodel_org org;
    double access_s, cycle_s;
    double search_j, read_j, write_j;
    struct {
        double sub, gate; /* W */
    } leak;
    double height_um, width_um, area_um2, efficiency; /* cell area / area */
    double mat_h_um, mat_w_um, sub_h_um, sub_w_um;
    int rows, cols, mats, active_mats;
    /* time and energy by part */
    double t_htree_in, t_decode, t_match, t_bitline, t_sense, t_compare, t_out;
    double e_htree, e_decode, e_wordline, e_bitmux, e_sensemux, e_precharge, e_bitline, e_sense,
        e_out;
    double s_searchline, s_matchline, s_wordline, s_bitline, s_sense, s_out;
    /* for joining data and tag */
    double before_s, select_s, after_s;
};

struct amodel_out {
    double access_s, cycle_s;
    double search_j, read_j, write_j;
    double leak_w, gate_leak_w; /* one bank and the wires between banks */
    double height_um, width_um, area_um2;
    bool has_tag, has_search;
    struct amodel_side data, tag;
    uint32_t n_data, n_tag; /* organisations looked at */
};

/* A request given as entries and bits in the whole bytes that CACTI knows. */
struct amodel_in amodel_in_bytes(const struct amodel_in *in);

/* Is the request within what the model covers? Each thing wrong is one error at `at`, whose key is
 * replaced by the name of the CSV column concerned. */
bool amodel_check(const struct amodel_in *in, const struct array_tables *tables, struct where at,
                  struct err *err);

/* Costs an array. Errors are added at `at`. `scratch` is rewound to where it was. */
bool amodel_cost(const struct amodel_in *in, const struct array_tables *tables, struct where at,
                 struct arena *scratch, struct amodel_out *out, struct err *err);

#endif
