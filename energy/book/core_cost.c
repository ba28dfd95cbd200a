/* SPDX-License-Identifier: MIT
 *
 * From GPUWattch's counters to crosswatt's events. The two count differently: GPUWattch sees units
 * busy, crosswatt sees thread instructions by class; the weights below are how many unit accesses
 * GPUWattch 4.0 counts for one lane of a class (docs/energy.md). Register file, shared memory and
 * caches are arrays with prices of their own and are left out here, so that nothing is paid twice.
 */
#include <math.h>
#include <string.h>

#include "energy/book/book.h"

#define PJ 1e12

/* Accesses of a unit that one thread instruction of a class makes. GPUWattch weighs by operation,
 * AccelWattch has a coefficient per class. */
static const struct weight {
    enum sim_event event;
    enum gw_counter gpuwattch;
    double n;
    enum gw_counter accelwattch;
} weights[] = {
    {EV_INST_INT, GW_SP_ACC, 32, GW_SP_ACC},
    {EV_INST_INT_MUL, GW_FPU_ACC, 7.2, GW_INT_MUL_ACC},
    {EV_INST_INT_DIV, GW_SFU_ACC, 40, GW_INT_MUL_ACC},
    {EV_INST_FP32, GW_FPU_ACC, 1.8, GW_FPU_ACC}, /* multiply and fused multiply-add */
    {EV_INST_FP64, GW_FPU_ACC, 1.8, GW_DP_ACC},
    {EV_INST_FP16, GW_FPU_ACC, 1.8, GW_FPU_ACC},
    {EV_INST_SFU, GW_SFU_ACC, (25 + 35 + 12 + 35) / 4.0, GW_FP_SQRT_ACC}, /* root, log, sine, exp */
    {EV_INST_TENSOR, GW_FPU_ACC, 8 * 1.8, GW_TENSOR_ACC}, /* no tensor unit: a lane's products */
    {EV_INST_MEM, GW_FPU_ACC, 1, GW_SP_ACC}, /* address arithmetic of a load or store */
    {EV_INST_OTHER, GW_SP_ACC, 32, GW_SP_ACC},
};

/* Pipeline registers: GPUWattch charges a duty cycle, committed lanes over (SMs x 32 x write-back
 * width), for every sample of the whole chip; here that is a price per committed lane. */
static double pipeline_pj(const struct gpuwattch *g, const struct gw_base *b)
{
    double lanes = b->sample_cycles * b->pipe_sms * 32 * b->pipe_width;
    return PJ * gw_energy_j(g, b, GW_PIPE_A) / lanes;
}

static const char *model_name(const struct gpuwattch *g)
{
    return g->is_accelwattch ? "AccelWattch coefficients" : "GPUWattch coefficients";
}

static void begin(const struct gpuwattch *g, struct cost *out)
{
    cost_clear(out);
    out->engine = "gpuwattch";
    out->technology = g->is_accelwattch ? "23 nm (McPAT, AccelWattch)" : "40 nm (McPAT, GPUWattch)";
    out->model = model_name(g);
}

void gw_cost_core(const struct gpuwattch *g, const struct gw_base *b, double core_ghz,
                  bool leaks_once, bool has_coalescer, struct cost *out)
{
    double idle_w = leaks_once ? fmax(0, g->idle_core_w - b->sm_leakage_w) : g->idle_core_w;
    begin(g, out);
    double pipe = pipeline_pj(g, b);
    for (size_t i = 0; i < sizeof weights / sizeof *weights; i++) {
        const struct weight *w = &weights[i];
        enum gw_counter c = g->is_accelwattch ? w->accelwattch : w->gpuwattch;
        double n = g->is_accelwattch ? 1 : w->n;
        out->energy_pj[w->event] = pipe + PJ * n * gw_energy_j(g, b, c);
    }
    /* an instruction cache line holds two instructions of a warp's fetch */
    out->energy_pj[EV_WARP_ISSUE] =
        PJ * (gw_energy_j(g, b, GW_TOT_INST) + gw_energy_j(g, b, GW_FP_INT) +
              0.5 * gw_energy_j(g, b, GW_IC_H));
    /* its tables lie inside GPUWattch's cache accesses; the L1 itself is an array of its own here
     */
    out->energy_pj[EV_COALESCED_READ] =
        has_coalescer ? PJ * b->coalescer_read_j * g->scale[GW_DC_RH] : 0;
    out->energy_pj[EV_COALESCED_WRITE] =
        has_coalescer ? PJ * b->coalescer_write_j * g->scale[GW_DC_WH] : 0;
    out->energy_pj[EV_SM_ACTIVE] = 0;
    out->energy_pj[EV_SM_IDLE] = 1e3 * idle_w / core_ghz; /* W / GHz = nJ */
    out->note = "leakage is part of idle, static and constant power, as in the tool";
}

void gw_cost_controller(const struct gpuwattch *g, const struct gw_base *b, struct cost *out)
{
    begin(g, out);
    out->energy_pj[EV_MC_READ] = PJ * (b->energy_j[GW_MEM_RD] - g->dram_j[0]) * g->scale[GW_MEM_RD];
    out->energy_pj[EV_MC_WRITE] =
        PJ * (b->energy_j[GW_MEM_WR] - g->dram_j[1]) * g->scale[GW_MEM_WR];
    out->note = "constant power of the controllers is in the chip's constant";
}

void gw_cost_dram(const struct gpuwattch *g, const struct gw_base *b, struct cost *out)
{
    (void)b;
    begin(g, out);
    out->energy_pj[EV_DRAM_READ] = PJ * g->dram_j[0] * g->scale[GW_MEM_RD];
    out->energy_pj[EV_DRAM_WRITE] = PJ * g->dram_j[1] * g->scale[GW_MEM_WR];
    out->energy_pj[EV_DRAM_PRECHARGE] = PJ * g->dram_j[2] * g->scale[GW_MEM_PRE];
    out->energy_pj[EV_DRAM_ACTIVATE] = 0;
    out->energy_pj[EV_DRAM_IO] = 0;
    out->energy_pj[EV_DRAM_REFRESH] = 0;
    out->energy_pj[EV_DRAM_BACKGROUND] = 0;
    out->note =
        "activates are folded into precharges; pins, refresh and background lie in the others";
}
