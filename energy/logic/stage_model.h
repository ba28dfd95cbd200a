/* SPDX-License-Identifier: MIT
 *
 * energy/logic/stage_model.h: a router from register to register, stage by stage: timing mode
 * "stage". Structure after Peh and Dally (A delay model and speculative architecture for
 * pipelined routers, HPCA 2001) and Becker and Dally (Allocator implementations for network-on-chip
 * routers, SC 2009); gates and wires are those of the library, nothing is taken from their tables.
 *
 *   route        the destination is compared and decoded, and becomes a request of each VC
 *   vc_alloc     separable, input first: v:1 at each input VC, then (inputs x v):1 at each output
 * VC sw_alloc     v:1 at each input, then inputs:1 at each output, and the grant back to the VC
 *   read         the head flits' buffer is read
 *   traversal    the flit over the input lines, through the multiplexers of an output and down its
 *                column; or the select bits through a buffer tree to the first multiplexers of
 *                the whole width, and on: the longer of the two
 *
 * Each is one cycle but traversal, which may be cut into several by registers, and allocation,
 * which may take two cycles as a whole. Wires of the switch run at the pitch that the area rule of
 * router_model.h gives it, with repeaters; those of an allocator cross its placed cells. Clock
 * skew is a share of the period, not an insertion delay. Links are no part of it: their cycles
 * follow from their length. */
#ifndef CW_ENERGY_LOGIC_STAGE_MODEL_H
#define CW_ENERGY_LOGIC_STAGE_MODEL_H

#include "energy/logic/netlist.h"
#include "energy/logic/router_model.h"

enum router_stage {
    STAGE_ROUTE,
    STAGE_VC_ALLOC,
    STAGE_SW_ALLOC,
    STAGE_READ,
    STAGE_TRAVERSAL,
    ROUTER_STAGES
};
extern const char *const router_stage_names[ROUTER_STAGES]; /* "route computation", … */

/* How the stages are laid over cycles. */
struct stage_plan {
    uint32_t traversal; /* cycles of the traversal, at least 1 */
    uint32_t alloc;     /* cycles of each allocation, 1 or 2 */
};
enum { STAGE_TRAVERSAL_MAX = 16, STAGE_ALLOC_MAX = 2 };

struct stage_timing {
    double delay[ROUTER_STAGES]; /* s, with the registers at both ends, without skew, whole stage */
    double period[ROUTER_STAGES]; /* s, one cycle of it under the plan, with skew */
    enum router_stage slowest;
    double fo4; /* s: an inverter that drives four of its size */
};

struct stage_model;

struct stage_options {
    double skew;        /* clock skew as a share of the period */
    bool no_wires;      /* every length inside is 0: a netlist before layout */
    double switch_area; /* m^2, where it is known; 0: by its wires and cells */
};

/* `p` as for router_model_new. */
struct stage_model *stage_model_new(struct arena *mem, const struct cell_lib *lib,
                                    const struct router_point *p,
                                    const struct stage_options *options);
/* What a register between two stages costs in time, s. */
double stage_register_delay(const struct cell_lib *lib);
/* As fast as it goes. */
struct stage_timing stage_model_timing(struct stage_model *m, struct stage_plan plan);
static inline double stage_fmax(const struct stage_timing *t)
{
    return 1 / t->period[t->slowest];
}
/* An output's arbitration and the traversal that it selects in one cycle, as switches without
 * buffers do it: the period, s. */
double stage_model_single_cycle(struct stage_model *m);
/* The fewest cycles of traversal (at most STAGE_TRAVERSAL_MAX) with which it is not slower than
 * `period`; as many as help where none is enough. */
uint32_t stage_model_traversal(struct stage_model *m, double period);
/* The plan for a clock: `traversal` cycles, or (0) the fewest with which the switch is not slower
 * than the clock and the other stages; allocation in two cycles where that is allowed and one is
 * not enough. */
struct stage_plan stage_model_plan(struct stage_model *m, double freq, uint32_t traversal,
                                   bool two_cycle_alloc);

/* Price at a clock: the smallest gates on the paths that meet it. Input ports, registers, arbiters
 * and clock tree are those of router_model.h with their smallest gates, what had to be enlarged
 * is added; the crossbar has its select trees, repeaters and wires, and VC allocation is priced,
 * with the switch allocator. `out->met` says whether the clock is met. */
void stage_model_price(struct stage_model *m, double freq, struct stage_plan plan,
                       struct router_result *out);

#endif
