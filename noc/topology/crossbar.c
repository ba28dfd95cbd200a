/* SPDX-License-Identifier: MIT
 *
 * crossbar: one switch between the SM ports and the LLC slices.
 *
 *     request   SM ports  S x L  slices          reply   slices  L x S  SM ports
 *     shared    both on the same (S + L) x (S + L) switch
 *
 * Concentration: several SMs behind one port (noc.X, noc.sms_per_port). 80 SMs on
 * 16 ports: 5 each; on 24 ports: 8 ports with 4 and 16 ports with 3. */
#include "noc/build.h"

static const char *const keys[] = {NULL};
static const char *const routings[] = {"direct", NULL};
extern const struct topology noc_crossbar;

static bool complete(struct noc_params *params, struct err *err)
{
    return noc_complete_common(params, &noc_crossbar, err);
}

static bool build(const struct noc_params *params, enum noc_dir dir, struct arena *mem,
                  struct noc *out, struct err *err)
{
    uint32_t s = params->n_sm_ports, l = params->n_llcs;
    bool both = dir == NOC_BOTH;
    if (both && params->vcs < 2)
        return err_add(err, ERR_INPUT, params->at,
                       "noc.shared: requests and replies on one network need noc.vcs of at least "
                       "2, found %u",
                       params->vcs);

    struct arena scratch;
    noc_scratch(&scratch, mem);
    struct noc_builder *b = noc_builder_new(&scratch, noc_crossbar.name, dir);
    uint32_t n_in = both ? s + l : dir == NOC_REQUEST ? s : l;
    uint32_t n_out = both ? s + l : dir == NOC_REQUEST ? l : s;
    uint32_t router = noc_add_router(b, (uint16_t)n_in, (uint16_t)n_out, 0, 0, 0);

    for (uint32_t i = 0; i < s; i++)
        noc_add_sm_port(b, params, i, (uint16_t)i, 0);
    for (uint32_t i = 0; i < l; i++)
        noc_add_llc(b, i, (uint16_t)(s + i), 0);
    uint16_t in = 0, port = 0;
    for (uint32_t e = 0; e < s + l; e++) {
        bool is_sm = e < s;
        if (both || is_sm == (dir == NOC_REQUEST))
            noc_inject(b, e, router, in++);
        if (both || is_sm == (dir == NOC_REPLY)) {
            struct noc_rule rule = NOC_EVERYWHERE;
            rule.x0 = rule.x1 = (uint16_t)e;
            rule.y1 = 0;
            noc_add_single(b, router, rule, port);
            noc_eject(b, router, port++, e);
        }
    }
    noc_freeze(b, params->width_bits, params->vcs, params->vc_depth, mem, out);
    if (both) {
        noc_split_vcs(out, 2, 2, (const uint8_t[]){0, 1});
        out->class_rule = NOC_CLASS_MESSAGE;
        out->first_reply_class = 1;
    }
    arena_free(&scratch);
    return true;
}

const struct topology noc_crossbar = {
    .name = "crossbar",
    .meaning = "one full switch, SM ports x LLC slices",
    .keys = keys,
    .routings = routings,
    .complete = complete,
    .build = build,
};
