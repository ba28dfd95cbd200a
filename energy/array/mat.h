/* SPDX-License-Identifier: MIT
 *
 * energy/array/mat.h: subarrays and mats. A mat is 1, 2 or 4 subarrays around shared decoders. It
 * is evaluated in four steps, each of which depends on one more parameter of the organisation, so
 * that a search repeats only what changes:
 *     strip   rows, columns, subarrays: cells, row decoder, precharge
 *     column  + Ndcm: bit lines, sense amplifiers, bit-line multiplexer
 *     sense   + first sense-amplifier multiplexer
 *     mat     + second multiplexer, output: the whole mat */
#ifndef CW_ENERGY_ARRAY_MAT_H
#define CW_ENERGY_ARRAY_MAT_H

#include "energy/array/decoder.h"
#include "energy/array/htree.h"
#include "energy/array/model.h"

struct comparator {
    double delay, energy;
    struct leak leak;
};

/* One array under evaluation (data or tag): everything that its organisation does not change. */
struct side {
    struct array_circuits c;
    struct htree_tech htree;
    const struct amodel_in *in;
    bool is_tag, is_cf; /* is_cf: fully associative or CAM */
    int p, q, rr;       /* all ports; reading and searching; reading */
    int assoc;          /* data: ways read together */
    int ways_selected;  /* way-select signals per mat; 0: none */
    long tag_bits;
    double cell_w, cell_h, cam_w, cam_h;
    struct leak cell_leak; /* W per cell */
    double repeater_area;  /* um2 of a repeater of the long wires */
    double nspd_min;
    struct comparator cmp;
};

struct strip {
    int rows, cols;         /* cols with ECC; FA and CAM: all columns */
    int cam_cols, ram_cols; /* FA and CAM */
    int spm, spr;           /* subarrays per mat, per row of a mat */
    double height, width, cell_area;
    double c_wl, r_wl, c_bl, c_bl_cam, c_wl_ram, r_wl_ram;
    struct decoder row;
    struct predecoder row_pre;
    double row_delay, row_ramp;
    struct path precharge;
    double wordline_reset, precharge_reset;
    double mux_length, mux_r, mux_c;
    double out_delay, out_energy, out_size, out_area; /* wire along the subarray's height */
    struct leak out_leak;
    double fixed_h; /* height of column circuits that do not depend on multiplexers */
};

struct column {
    int ndcm, n_sense;
    double bitline, e_read, e_write; /* delay; J per column (write: before sharing by S1*S2) */
    double sense, e_sense;
    struct leak sense_leak;
    double c_mux; /* drain of a multiplexer transistor at sense-amplifier pitch */
    struct predecoder pre;
    struct decoder dec;
    double mux_delay; /* predecoder + decoder */
    double height;
};

struct sense {
    int s1, dsa;
    struct predecoder pre;
    struct decoder dec;
    double mux_delay, way_area;
    double c_next;            /* drain at the pitch of the second multiplexer */
    double stage[3], energy3; /* first three output stages */
    double height;
};

struct mat {
    double height, width;
    double row_path, bit_path, s1_path, s2_path; /* delay to the sense amplifier output or mux */
    double out;                                  /* sense amplifier to the mat's edge */
    double reset;                                /* word line and precharge for the next access */
    double pre_longest;                          /* slowest predecoder */
    double read, write_bitline, read_bitline, sense;
    double e_out, e_s2_pre;
    struct leak leak;
};

/* The steps that a mat is made of. */
struct mat_steps {
    const struct strip *a;
    const struct column *b;
    const struct sense *c;
    int s2; /* second multiplexer */
};

/* What a search tries: derived from the organisation by integer rules. */
struct cut {
    long data_out, data_in; /* bits of an active mat, with ECC */
    int active;             /* mats that answer together */
    int address;            /* address bits into a mat */
};

void side_make(const struct amodel_in *in, const struct array_tables *tables, bool is_tag,
               const struct array_repeated *wire, struct side *s);
void side_ports(struct side *s); /* what follows from the ports of s->in */

void strip_make(const struct side *s, int rows, int cols, int spm, int spr, struct strip *a);
void column_make(const struct side *s, const struct strip *a, int ndcm, struct column *b);
void sense_make(const struct side *s, const struct strip *a, const struct column *b, int s1,
                int dsa, struct sense *c);
void mat_make(const struct side *s, const struct strip *a, const struct column *b,
              const struct sense *c, int s2, const struct cut *cut, struct mat *m);

#endif
