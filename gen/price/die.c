/* SPDX-License-Identifier: MIT */
#include "gen/price/die.h"

#include <math.h>
#include <string.h>

#include "energy/book/native.h"

void die_set_gating(struct priced *p)
{
    for (uint32_t k = 0; k < p->book.n_classes; k++) {
        const struct book_class *cls = &p->classes[k];
        double *pj = p->book.costs[k].energy_pj;
        bool is_router = cls->kind == CK_ROUTER;
        if (!is_router && cls->kind != CK_CHANNEL)
            continue;
        int net = strcmp(cls->group, "noc.reply") == 0 ? NOC_REPLY : NOC_REQUEST;
        bool is_gated = strcmp(p->design->arch->noc[net].gating, "bytes") == 0;
        double bits = is_router ? cls->router.flit_bits : cls->link.width_bits;
        double share = is_gated ? 8 / bits : 0;
        if (is_router) {
            pj[EV_BUF_GATED] = share * (pj[EV_BUF_WRITE] + pj[EV_BUF_READ]);
            pj[EV_XBAR_GATED] = share * pj[EV_XBAR];
            /* leakage of a cycle, as far as the sleep transistors hold it back; W / GHz = 1000 pJ
             */
            pj[EV_ROUTER_OFF] = 1e3 * p->design->arch->noc[net].router.gate_saved *
                                cost_leakage_w(&p->book.costs[k]) / p->clock.clock_ghz;
        } else {
            pj[EV_LINK_GATED] = share * pj[EV_LINK];
        }
    }
}

/* Area of the arrays of a scope, in one of its places. */
static double arrays_mm2(const struct priced *p, enum array_scope scope)
{
    double um2 = 0;
    for (uint32_t k = 0; k < p->book.n_classes; k++)
        if (p->classes[k].kind == CK_ARRAY && p->classes[k].array->scope == scope)
            um2 += cost_area_um2(&p->book.costs[k]);
    return um2 * 1e-6;
}

static double networks_mm2(const struct priced *p)
{
    double um2 = 0;
    for (uint32_t k = 0; k < p->book.n_classes; k++)
        if (p->classes[k].kind == CK_ROUTER || p->classes[k].kind == CK_CHANNEL)
            um2 += cost_area_um2(&p->book.costs[k]) * p->classes[k].instances;
    return um2 * 1e-6;
}

/* Gives a class the logic that is left of its tile. */
static void set_rest(struct cost *c, double tile_mm2, double arrays, double leakage_w_per_mm2)
{
    double rest = fmax(0, tile_mm2 - arrays);
    c->area_um2[PART_OTHER] = rest * 1e6;
    c->leakage_w[PART_OTHER] = rest * leakage_w_per_mm2;
}

bool die_set_tiles(struct priced *p, const struct engine_ctx *ctx, struct err *err)
{
    const struct arch *arch = p->design->arch;
    const struct noc_place_params *q = &arch->place;
    double leak = 0;
    if (arch->energy.leakage == LEAKS_model) {
        if (!native_logic_leakage(ctx, &leak, err))
            return false;
        leak *= arch->tech.utilisation;
    }
    double in_sm = arrays_mm2(p, PER_SM), in_slice = arrays_mm2(p, PER_LLC_SLICE),
           in_mc = arrays_mm2(p, PER_MEMORY_CONTROLLER);
    const struct design_array *l2 = design_array(p->design, ROLE_L2);
    for (uint32_t k = 0; k < p->book.n_classes; k++) {
        struct cost *c = &p->book.costs[k];
        if (p->classes[k].kind == CK_SM_CORE) {
            set_rest(c, q->sm_area_mm2, in_sm, leak);
            if (arch->energy.leakage == LEAKS_model) /* an idle SM leaks, and takes no more */
                c->energy_pj[EV_SM_IDLE] =
                    fmax(0, c->energy_pj[EV_SM_IDLE] -
                                1e3 * c->leakage_w[PART_OTHER] / arch->gpu.core_ghz);
            else if (arch->energy.leakage == LEAKS_fit && p->gpuwattch.is_accelwattch) {
                /* what an SM without work takes it leaks with work, too; W / GHz = 1000 pJ */
                c->leakage_w[PART_OTHER] += 1e-3 * c->energy_pj[EV_SM_IDLE] * arch->gpu.core_ghz;
                c->energy_pj[EV_SM_IDLE] = 0;
            }
        } else if (p->classes[k].kind == CK_MEMORY_CONTROLLER) {
            set_rest(c, q->mc_area_mm2, in_mc, 0); /* mostly pins */
        } else if (l2 && k == l2->class_id) {
            set_rest(c, q->llc_area_mm2, in_slice, leak);
        }
    }
    struct die *d = &p->die;
    double noc = networks_mm2(p);
    *d = (struct die){
        .sm_mm2 = fmax(q->sm_area_mm2, in_sm),
        .l2_mm2 = q->n_llcs * fmax(q->llc_area_mm2, in_slice),
        .mc_mm2 = q->n_mcs * fmax(q->mc_area_mm2, in_mc),
        .noc_mm2 = fmax(q->noc_area_mm2, noc),
        .other_mm2 = q->other_area_mm2,
    };
    d->spare_mm2 = q->n_spare_sms * d->sm_mm2;
    d->total_mm2 =
        q->n_sms * d->sm_mm2 + d->spare_mm2 + d->l2_mm2 + d->mc_mm2 + d->noc_mm2 + d->other_mm2;
    const double *open = arch->tile_spread;
    d->spread = ((q->n_sms * d->sm_mm2 + d->spare_mm2) * open[TILE_SM] +
                 d->l2_mm2 * open[TILE_LLC] + d->mc_mm2 * open[TILE_MC] +
                 d->noc_mm2 * open[TILE_NOC] + d->other_mm2 * open[TILE_OTHER]) /
                d->total_mm2;
    /* what the components do not have: wires and gaps of the networks, spare SMs, the unmodelled */
    d->rest_mm2 = d->noc_mm2 - noc + d->spare_mm2 + d->other_mm2;
    d->rest_w = leak * d->other_mm2;
    return true;
}
