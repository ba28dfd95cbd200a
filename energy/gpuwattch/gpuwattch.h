/* SPDX-License-Identifier: MIT
 *
 * energy/gpuwattch/gpuwattch.h: GPUWattch (Leng et al., ISCA 2013) and AccelWattch (Kandiah et al.,
 * MICRO 2021) as sources of energy: their XML files give a fitted coefficient per event, idle and
 * constant power and, in AccelWattch, static power by instruction mix; the energies that the
 * coefficients multiply come from a table (cfg/tech/gpuwattch-*.csv: McPAT's per-event energies at
 * that node). Energy of an event = base x coefficient.
 *
 * crosswatt takes the SM core, the memory controller and the DRAM from here; the NoC, caches and
 * register file only where energy.source.<part> = "gpuwattch" says so. gpuwattch_report replays the
 * tools' own closed form, to prove that the numbers are read and used as they mean them.
 * Limits: one operating voltage; McPAT's leakage is, as in the tools, part of the fitted constants.
 */
#ifndef CW_ENERGY_GPUWATTCH_GPUWATTCH_H
#define CW_ENERGY_GPUWATTCH_GPUWATTCH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct arena;

/* The tools' activity counters: id (also the XML name), other XML name or "", report line it
 * belongs to, kind of base energy, meaning. SFU-based classes share the SFU's base energy. */
#define GW_COUNTERS(X)                                                                             \
    X(TOT_INST, "", IBP, TOT_INST, "warp instructions: instruction buffer and decode")             \
    X(FP_INT, "", SCHEDP, FP_INT, "non-memory warp instructions: scheduler")                       \
    X(IC_H, "", ICP, IC_H, "instruction cache hits")                                               \
    X(IC_M, "", ICP, IC_M, "instruction cache misses")                                             \
    X(DC_RH, "", DCP, DC_RH, "L1 data cache read hits")                                            \
    X(DC_RM, "", DCP, DC_RM, "L1 data cache read misses")                                          \
    X(DC_WH, "", DCP, DC_WH, "L1 data cache write hits")                                           \
    X(DC_WM, "", DCP, DC_WM, "L1 data cache write misses")                                         \
    X(TC_H, "", TCP, TC_H, "texture cache hits")                                                   \
    X(TC_M, "", TCP, TC_M, "texture cache misses")                                                 \
    X(CC_H, "", CCP, CC_H, "constant cache hits")                                                  \
    X(CC_M, "", CCP, CC_M, "constant cache misses")                                                \
    X(SHRD_ACC, "", SHRDP, SHRD_ACC, "shared memory accesses")                                     \
    X(REG_RD, "", RFP, REG_RD, "register operands read, lanes")                                    \
    X(REG_WR, "", RFP, REG_WR, "registers written, lanes")                                         \
    X(NON_REG_OPs, "", RFP, NON_REG_OPs, "operands not from the register file, lanes")             \
    X(SP_ACC, "INT_ACC", SPP, SP_ACC, "integer unit accesses")                                     \
    X(FPU_ACC, "FP_ACC", FPUP, FPU_ACC, "single precision unit accesses")                          \
    X(SFU_ACC, "", SFUP, SFU_ACC, "special function unit accesses")                                \
    X(DP_ACC, "DPU_ACC", DPUP, FPU_ACC, "double precision unit accesses")                          \
    X(INT_MUL24_ACC, "", INT_MUL24P, SFU_ACC, "24-bit integer multiplications")                    \
    X(INT_MUL32_ACC, "", INT_MUL32P, SFU_ACC, "32-bit integer multiplications")                    \
    X(INT_MUL_ACC, "", INT_MULP, SFU_ACC, "integer multiplications")                               \
    X(INT_DIV_ACC, "", INT_DIVP, SFU_ACC, "integer divisions")                                     \
    X(FP_MUL_ACC, "", FP_MULP, SFU_ACC, "single precision multiplications")                        \
    X(FP_DIV_ACC, "", FP_DIVP, SFU_ACC, "single precision divisions")                              \
    X(FP_SQRT_ACC, "", FP_SQRTP, SFU_ACC, "square roots")                                          \
    X(FP_LG_ACC, "", FP_LGP, SFU_ACC, "logarithms")                                                \
    X(FP_SIN_ACC, "", FP_SINP, SFU_ACC, "sines and cosines")                                       \
    X(FP_EXP_ACC, "", FP_EXP, SFU_ACC, "exponentials")                                             \
    X(DP_MUL_ACC, "", DP_MULP, SFU_ACC, "double precision multiplications")                        \
    X(DP_DIV_ACC, "", DP_DIVP, SFU_ACC, "double precision divisions")                              \
    X(TENSOR_ACC, "", TENSORP, SFU_ACC, "tensor unit accesses")                                    \
    X(TEX_ACC, "", TEXP, SFU_ACC, "texture unit accesses")                                         \
    X(MEM_RD, "", DRAMP, MEM_RD, "DRAM read commands")                                             \
    X(MEM_WR, "", DRAMP, MEM_WR, "DRAM write commands")                                            \
    X(MEM_PRE, "", DRAMP, MEM_PRE, "DRAM precharges, activates included")                          \
    X(L2_RH, "", L2CP, L2_RH, "L2 read hits")                                                      \
    X(L2_RM, "", L2CP, L2_RM, "L2 read misses")                                                    \
    X(L2_WH, "", L2CP, L2_WH, "L2 write hits")                                                     \
    X(L2_WM, "", L2CP, L2_WM, "L2 write misses")                                                   \
    X(NOC_A, "", NOCP, NOC_A, "flits in the network")                                              \
    X(PIPE_A, "", PIPEP, PIPE_A, "pipeline duty cycle x samples")                                  \
    X(IDLE_CORE_N, "", IDLE_COREP, IDLE_CORE_N, "idle SMs x samples")

enum gw_counter {
#define X(id, other, line, base, meaning) GW_##id,
    GW_COUNTERS(X)
#undef X
        GW_COUNTER_COUNT
};

/* Lines of the tools' reports, in their order. */
/* clang-format off */
#define GW_LINES(X)                                                                                \
    X(IBP) X(ICP) X(DCP) X(TCP) X(CCP) X(SHRDP) X(RFP) X(SPP) X(SFUP) X(FPUP) X(DPUP)              \
    X(INT_MUL24P) X(INT_MUL32P) X(INT_MULP) X(INT_DIVP) X(FP_MULP) X(FP_DIVP) X(FP_SQRTP)          \
    X(FP_LGP) X(FP_SINP) X(FP_EXP) X(DP_MULP) X(DP_DIVP) X(TENSORP) X(TEXP) X(SCHEDP) X(L2CP)      \
    X(MCP) X(NOCP) X(DRAMP) X(PIPEP) X(IDLE_COREP) X(CONSTP) X(STATICP)
/* clang-format on */

enum gw_line {
#define X(id) GWL_##id,
    GW_LINES(X)
#undef X
        GWL_COUNT
};

/* Which units ran in a sample decides AccelWattch's static power (GPUWATTCH lines "static_*"). */
enum gw_static {
    GWS_INT_ADD, /* integer additions only */
    GWS_INT_MUL,
    GWS_INT, /* additions and multiplications */
    GWS_INT_FP,
    GWS_INT_FP_DP,
    GWS_INT_FP_SFU,
    GWS_INT_FP_TEX,
    GWS_INT_FP_TENSOR,
    GWS_LIGHT, /* no unit at all */
    GWS_L1,    /* memory only, and from where */
    GWS_SHARED,
    GWS_L2,
    GWS_OTHER, /* geometric mean of all */
    GWS_COUNT
};

/* Per-event energies before the coefficients, from cfg/tech/gpuwattch-*.csv. */
struct gw_base {
    const char *file;
    double node_nm;
    double energy_j[GW_COUNTER_COUNT]; /* PIPE_A: duty 1.0 for one sample of the whole chip */
    double coalescer_read_j, coalescer_write_j; /* inside each L1, constant, texture access */
    double controller_w;         /* constant power inside the memory controllers' line */
    double sample_cycles;        /* to which PIPE_A's energy refers */
    double pipe_sms, pipe_width; /* SMs and write-back width of the chip PIPE_A was taken from */
    /* What of the fitted idle, static and constant power is priced by others here, of the card that
     * the coefficients were fitted on: leakage of the arrays of one SM, leakage of L2, queues and
     * networks, background and refresh of the DRAM. */
    double sm_leakage_w, shared_leakage_w, dram_standby_w;
    /* the leakages with routers and small arrays made of FinFETs; without rows: the same */
    double sm_leakage_finfet_w, shared_leakage_finfet_w;
    /* That card: its node, its size, and which share of its constant power belongs to its SMs with
     * the network, its L2, its controllers, and the rest of the die. */
    double card_nm, card_sms, card_l2_mb, card_mc_bytes;
    double share_sm, share_l2, share_mc, share_other;
};

struct gpuwattch {
    const char *file;
    bool is_accelwattch;                      /* has static power by category and constant_power */
    double node_nm, clock_mhz, temperature_k; /* 0 where the file leaves it to the simulator */
    double n_cores;
    double scale[GW_COUNTER_COUNT]; /* 0: the file has no such coefficient */
    double idle_core_w;             /* per idle SM */
    double constant_w;
    double static_first_w[GWS_COUNT], static_lane_w[GWS_COUNT];
    double dram_j[3]; /* of MEM_RD, MEM_WR, MEM_PRE: what the DRAM device itself takes */
};

bool gpuwattch_read(const char *path, struct arena *mem, struct gpuwattch *out, struct err *err);
bool gpuwattch_parse(const char *file, const char *text, size_t n, struct arena *mem,
                     struct gpuwattch *out, struct err *err);
bool gw_base_read(const char *path, struct arena *mem, struct gw_base *out, struct err *err);

/* Joules per event: base x coefficient. */
double gw_energy_j(const struct gpuwattch *g, const struct gw_base *b, enum gw_counter c);
const char *gw_counter_name(enum gw_counter c);
const char *gw_counter_other_name(enum gw_counter c); /* AccelWattch's; "" where it is the same */
/* XML names of a static-power category; `*lane` is NULL where there is none. */
void gw_static_names(enum gw_static s, const char **first, const char **lane);
const char *gw_line_name(enum gw_line l);
/* By either name; false if there is none. */
bool gw_counter_find(const char *name, enum gw_counter *out);

/* One report: counters summed over `seconds`, in which `n_samples` samples were taken. */
struct gw_activity {
    double n[GW_COUNTER_COUNT];
    bool class_scaled; /* the unit counters are multiplied by their coefficients already */
    double seconds;
    double n_samples;
    double n_sms;
    double threads_per_warp; /* 0: no static power asked for */
    enum gw_static category;
};

/* The category that the counters of a sample say. */
enum gw_static gw_category(const struct gw_activity *a);
void gpuwattch_report(const struct gpuwattch *g, const struct gw_base *b,
                      const struct gw_activity *a, double power_w[GWL_COUNT], double *total_w);

#endif
