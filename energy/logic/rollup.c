/* SPDX-License-Identifier: MIT */
#include "energy/logic/rollup.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "energy/logic/link_model.h"
#include "energy/logic/range.h"
#include "energy/logic/router_model.h"

static const double least_delay = 1e-99;

static struct link_result link_of(const struct cell_lib *lib, double bits, double length,
                                  double delay)
{
    struct link_point p = link_point_default();
    struct link_result r;
    p.bits = bits;
    p.length = length;
    p.delay = delay;
    link_model(lib, &p, &r);
    return r;
}

static struct router_load load_of(const struct link_result *link, uint32_t first, uint32_t n)
{
    return (struct router_load){.first_output = first,
                                .n_outputs = n,
                                .pin_cap = link->pin_cap,
                                .delay = link->delay,
                                .drive_r = link->drive_r};
}

static struct router_point router_of(double n_in, double n_out, double bits, double vcs,
                                     double bufs, double freq)
{
    struct router_point p = router_point_default();
    p.n_in = n_in;
    p.n_out = n_out;
    p.flit_bits = bits;
    p.vcs = vcs;
    p.bufs_per_vc = bufs;
    p.freq = freq;
    p.mode = TIMING_CK;
    return p;
}

/* ---- mesh ------------------------------------------------------------------------------------ */

bool mesh_point_check(const struct mesh_point *p, const struct logic_tech *tech, struct where at,
                      struct err *err)
{
    bool ok = logic_check_whole(p->sites, 1, 1e6, "sites", at, err);
    ok &= logic_check_whole(p->sites_per_router, 1, 256, "sites_per_router", at, err);
    ok &= logic_check_range(p->site_pitch, 0, 0.1, "site_pitch_m", at, err);
    if (!ok)
        return false;
    if (fmod(p->sites, p->sites_per_router) != 0)
        return logic_check_fail(p->sites, "a multiple of sites_per_router", "sites", at, err);
    double ports = 4 + p->sites_per_router;
    struct router_point r = router_of(ports, ports, p->flit_bits, p->vcs, p->bufs_per_vc, p->freq);
    return router_point_check(&r, tech, at, err);
}

void rollup_mesh(const struct cell_lib *lib, const struct mesh_point *p, struct mesh_result *out)
{
    double c = p->sites_per_router, n = p->sites / c, ports = 4 + c;
    /* a link may use the period less three flip-flop delays */
    double period = 1 / p->freq - 3 * lib->cells[CELL_DFFQ][0].delay[PIN_CK];
    double budget = fmax(period, least_delay);
    struct link_result rr = link_of(lib, p->flit_bits, p->site_pitch * sqrt(c), budget);
    struct link_result rs = link_of(lib, p->flit_bits, p->site_pitch * (sqrt(c) - 1), budget);
    struct router_load loads[2] = {load_of(&rr, 0, 4), load_of(&rs, 4, (uint32_t)c)};
    loads[0].to_own_input = true;

    struct router_point point =
        router_of(ports, ports, p->flit_bits, p->vcs, p->bufs_per_vc, p->freq);
    struct router_result r;
    struct arena mem;
    arena_init(&mem, NULL, NULL);
    struct router_model *m = router_model_new(&mem, lib, &point, loads, 2);
    router_model_size(m, p->freq, TIMING_CK);
    router_model_price(m, &r);
    arena_free(&mem);

    double hop = r.e_write + r.e_read + r.e_xbar, hops = 2 * sqrt(n) / 3;
    memset(out, 0, sizeof *out);
    out->e_unicast = hops * rr.energy + 2 * rs.energy + (hops + 1) * hop;
    out->e_broadcast = (n - 1) * rr.energy + p->sites * rs.energy + n * (r.e_write + r.e_read) +
                       (n - 1 + p->sites - 1) * r.e_xbar;
    out->leak_router = n * r.leak_total[LEAK_091];
    out->leak_rr = 4 * n * rr.leak[LEAK_091];
    out->leak_rs = 2 * p->sites * rs.leak[LEAK_091];
    for (int v = 0; v < LEAK_VARIANTS; v++)
        out->leak[v] = n * r.leak_total[v] + 4 * n * rr.leak[v] + 2 * p->sites * rs.leak[v];
    out->area_router = n * r.area_total;
    out->area_rr = 4 * n * rr.area;
    out->area_rs = 2 * p->sites * rs.area;
    out->area = out->area_router + out->area_rr + out->area_rs;
    out->wire_intermediate = n * r.wire_intermediate;
    out->wire_global = n * r.wire_global + 4 * n * rr.wire_area + 2 * p->sites * rs.wire_area;
    out->t_ck = r.t_ck;
    out->met = r.met;
}

/* ---- Clos ------------------------------------------------------------------------------------ */

bool clos_point_check(const struct clos_point *p, const struct logic_tech *tech, struct where at,
                      struct err *err)
{
    bool ok = logic_check_whole(p->in_sites, 1, 1e6, "in_sites", at, err);
    ok &= logic_check_whole(p->out_sites, 1, 1e6, "out_sites", at, err);
    ok &= logic_check_whole(p->ingress, 1, 512, "ingress", at, err);
    ok &= logic_check_whole(p->middle, 1, 512, "middle", at, err);
    ok &= logic_check_whole(p->egress, 1, 512, "egress", at, err);
    ok &= logic_check_range(p->in_pitch, 0, 0.1, "in_pitch_m", at, err);
    ok &= logic_check_range(p->out_pitch, 0, 0.1, "out_pitch_m", at, err);
    if (!ok)
        return false;
    if (fmod(p->in_sites, p->ingress) != 0)
        ok = logic_check_fail(p->in_sites, "a multiple of ingress", "in_sites", at, err);
    if (fmod(p->out_sites, p->egress) != 0)
        ok = logic_check_fail(p->out_sites, "a multiple of egress", "out_sites", at, err);
    if (p->in_sites / p->ingress > 512 || p->out_sites / p->egress > 512)
        ok = logic_check_fail(p->in_sites, "at most 512 sites per router", "in_sites", at, err);
    if (!ok)
        return false;
    struct router_point r =
        router_of(p->middle, p->middle, p->flit_bits, p->vcs, p->bufs_per_vc, p->freq);
    return router_point_check(&r, tech, at, err);
}

struct stage {
    struct router_point point;
    struct router_load load;
    struct router_model *model;
    struct router_result result;
    double count;
};

void rollup_clos(const struct cell_lib *lib, const struct clos_point *p, struct clos_result *out)
{
    enum { IN, MID, OUT, STAGES };
    double budget = 0.8 / p->freq, bits = p->flit_bits;
    double in_c = p->in_sites / p->ingress, out_c = p->out_sites / p->egress;
    struct link_result site_in = link_of(lib, bits, p->in_pitch * (sqrt(in_c) - 1), budget);
    struct link_result in_mid =
        link_of(lib, bits, p->in_pitch * sqrt(in_c) * sqrt(p->ingress), budget);
    struct link_result mid_out =
        link_of(lib, bits, p->out_pitch * sqrt(out_c) * sqrt(p->egress), budget);
    struct link_result site_out = link_of(lib, bits, p->out_pitch * (sqrt(out_c) - 1), budget);

    struct stage s[STAGES] = {
        [IN] = {.point = router_of(in_c, p->middle, bits, p->vcs, p->bufs_per_vc, p->freq),
                .load = load_of(&in_mid, 0, (uint32_t)p->middle),
                .count = p->ingress},
        [MID] = {.point = router_of(p->ingress, p->egress, bits, p->vcs, p->bufs_per_vc, p->freq),
                 .load = load_of(&mid_out, 0, (uint32_t)p->egress),
                 .count = p->middle},
        [OUT] = {.point = router_of(p->middle, out_c, bits, p->vcs, p->bufs_per_vc, p->freq),
                 .load = load_of(&site_out, 0, (uint32_t)out_c),
                 .count = p->egress},
    };
    s[IN].load.to_other = s[MID].load.to_other = true;
    struct arena mem;
    arena_init(&mem, NULL, NULL);
    for (int i = 0; i < STAGES; i++) {
        s[i].model = router_model_new(&mem, lib, &s[i].point, &s[i].load, 1);
        router_model_size(s[i].model, p->freq, TIMING_CK);
    }
    memset(out, 0, sizeof *out);
    out->met = true;
    for (int i = 0; i < STAGES; i++) {
        /* the register behind the link has the size its own router gave it */
        if (i < OUT)
            router_model_set_other(s[i].model, router_model_input_size(s[i + 1].model));
        router_model_price(s[i].model, &s[i].result);
        const struct router_result *r = &s[i].result;
        out->e_unicast += r->e_write + r->e_read + r->e_xbar;
        for (int v = 0; v < LEAK_VARIANTS; v++)
            out->leak[v] += s[i].count * r->leak_total[v];
        out->wire_intermediate += s[i].count * r->wire_intermediate;
        out->wire_global += s[i].count * r->wire_global;
        out->t_ck = fmax(out->t_ck, r->t_ck);
        out->met &= r->met;
    }
    arena_free(&mem);
    out->area_ingress = s[IN].count * s[IN].result.area_total;
    out->area_middle = s[MID].count * s[MID].result.area_total;
    out->area_egress = s[OUT].count * s[OUT].result.area_total;
    const struct {
        const struct link_result *link;
        double count;
    } links[] = {{&site_in, p->in_sites},
                 {&in_mid, p->ingress * p->middle},
                 {&mid_out, p->middle * p->egress},
                 {&site_out, p->out_sites}};
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++) {
        out->e_unicast += links[i].link->energy;
        out->area_links += links[i].count * links[i].link->area;
        out->wire_global += links[i].count * links[i].link->wire_area;
        for (int v = 0; v < LEAK_VARIANTS; v++)
            out->leak[v] += links[i].count * links[i].link->leak[v];
    }
    out->area = out->area_ingress + out->area_middle + out->area_egress + out->area_links;
}
