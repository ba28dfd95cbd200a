/* SPDX-License-Identifier: MIT */
#include "energy/logic/router_model.h"

#include <math.h>
#include <string.h>

#include "base/bits.h"
#include "energy/logic/clock_tree.h"
#include "energy/logic/range.h"
#include "energy/logic/router_parts.h"
#include "energy/logic/sizing.h"

const char *const timing_mode_names[] = {
#define X(name, word) word,
    TIMING_MODES(X)
#undef X
        "none",
};
#define X(name, word) word,
const char *const arbiter_kind_names[] = {ARBITER_KINDS(X)};
const char *const switch_kind_names[] = {SWITCH_KINDS(X)};
#undef X
const char *const router_part_names[ROUTER_PARTS] = {"inputports",   "swalloc",   "xbar",
                                                     "xbar_sel_dff", "clocktree", "pipereg0",
                                                     "pipereg1",     "pipereg2"};

struct router_model {
    struct netlist nl;
    struct router_point p;
    uint32_t n_in, n_out, bits, vcs, entries, address_bits, select_bits;
    uint32_t start, ck; /* nets */
    uint32_t reg0, reg1, *reg2, select;
    uint32_t other; /* register of the router behind, or NL_NONE */
    struct cell_range storage, decoder, gate0, gates1, read_address, requests;
    struct part_mux read_mux, *muxes;
    struct cell_range arbiter1, arbiter2;
    double wire_xbar, filler;
    struct clock_tree clock;
    struct timing_result timing;
    bool timed;
};

struct router_point router_point_default(void)
{
    return (struct router_point){.n_in = 5,
                                 .n_out = 5,
                                 .flit_bits = 128,
                                 .vcs = 4,
                                 .bufs_per_vc = 4,
                                 .freq = 1e9,
                                 .mode = TIMING_ALL,
                                 .clk_levels = 5,
                                 .clk_layer = "Global",
                                 .clk_width_mult = 1,
                                 .clk_spacing_mult = 3};
}

bool router_point_check(const struct router_point *p, const struct logic_tech *tech,
                        struct where at, struct err *err)
{
    bool ok = logic_check_whole(p->n_in, 1, ROUTER_MOST_PORTS, "n_in", at, err);
    ok &= logic_check_whole(p->n_out, 1, ROUTER_MOST_PORTS, "n_out", at, err);
    ok &= logic_check_whole(p->flit_bits, 8, 4096, "flit_bits", at, err);
    ok &= logic_check_whole(p->vcs, 1, 64, "vcs", at, err);
    ok &= logic_check_whole(p->bufs_per_vc, 1, 1024, "bufs_per_vc", at, err);
    ok &= logic_check_range(p->freq, 1, 1e12, "freq_hz", at, err);
    ok &= logic_check_whole(p->clk_levels, 1, 12, "clk_levels", at, err);
    ok &= logic_check_layer(tech, p->clk_layer, "clk_layer", at, err);
    ok &= logic_check_range(p->clk_width_mult, 1, 1000, "clk_width_mult", at, err);
    ok &= logic_check_range(p->clk_spacing_mult, 1, 1000, "clk_spacing_mult", at, err);
    return ok;
}

/* ---- building -------------------------------------------------------------------------------- */

static void make_selector(struct netlist *nl, uint32_t net)
{
    nl->nets.at[net].is_selector = true;
}

/* The nets of the flit bits behind register 0, as many as differ: the address bits in order, an
 * ordinary bit, and the last bit, which is also the write enable. */
struct flit_nets {
    uint32_t first, n, last_bit;
};

static struct flit_nets build_flit(struct router_model *m)
{
    struct netlist *nl = &m->nl;
    uint32_t a = m->address_bits < m->bits ? m->address_bits : m->bits;
    bool ordinary = a + 1 < m->bits, separate = a < m->bits;
    struct flit_nets f = {(uint32_t)nl->nets.n, a + ordinary + separate, 0};
    uint32_t q = nl_out(nl, m->reg0);
    make_selector(nl, q);
    for (uint32_t i = 0; i < f.n; i++)
        nl_join(nl, q, nl_net(nl));
    f.last_bit = f.first + f.n - 1;
    return f;
}

static struct cell_range begin(const struct netlist *nl)
{
    return (struct cell_range){(uint32_t)nl->cells.n, 0};
}

static void end(const struct netlist *nl, struct cell_range *range)
{
    range->n = (uint32_t)nl->cells.n - range->first;
}

static void build_input_port(struct router_model *m, struct gate_build *b)
{
    struct netlist *nl = &m->nl;
    struct flit_nets flit = build_flit(m);
    uint32_t a = m->address_bits, entries = m->entries;
    struct gate_wire *address = arena_many(nl->mem, struct gate_wire, a + 1);
    struct gate_wire *decoded = arena_many(nl->mem, struct gate_wire, entries + 1);
    struct gate_wire *stored = arena_many(nl->mem, struct gate_wire, entries);
    struct gate_wire *read = arena_many(nl->mem, struct gate_wire, a + 1);

    /* narrow flits with deep buffers: address bits beyond the flit use its bits again */
    for (uint32_t i = 0; i < a; i++)
        address[i] = (struct gate_wire){flit.first + i % m->bits, SIGNAL_RANDOM};
    m->decoder = begin(nl);
    if (entries == 1)
        decoded[0] = (struct gate_wire){nl_net(nl), SIGNAL_RANDOM};
    else
        part_decoder(b, entries, address, decoded);
    end(nl, &m->decoder);

    m->gate0 = begin(nl);
    struct gate_wire ck = {m->ck, SIGNAL_CLOCK}, we = {flit.last_bit, SIGNAL_ONE};
    struct gate_wire gated = gate_inv(b, gate_two(b, CELL_NAND2, ck, we));
    end(nl, &m->gate0);

    m->gates1 = begin(nl);
    for (uint32_t e = 0; e < entries; e++)
        decoded[e] = gate_inv(b, gate_two(b, CELL_NAND2, gated, decoded[e]));
    end(nl, &m->gates1);

    m->storage = begin(nl);
    uint32_t data = nl_net(nl);
    for (uint32_t i = 0; i < flit.n; i++)
        nl_join(nl, flit.first + i, data);
    for (uint32_t e = 0; e < entries; e++) {
        stored[e] = gate_dff(b, SIGNAL_RANDOM, decoded[e].sig);
        nl_connect(nl, data, gate_cell(b, stored[e]), PIN_D, 1);
        nl_connect(nl, decoded[e].net, gate_cell(b, stored[e]), PIN_CK, m->bits);
    }
    end(nl, &m->storage);

    m->read_address = begin(nl);
    for (uint32_t i = 0; i < a; i++) {
        read[i] = gate_dff(b, SIGNAL_RANDOM, SIGNAL_CLOCK);
        nl_connect(nl, m->ck, gate_cell(b, read[i]), PIN_CK, 1);
    }
    end(nl, &m->read_address);
    m->read_mux = part_multiplexer(b, entries, stored, read, 1);
    nl_connect(nl, m->read_mux.out.net, m->reg1, PIN_D, 1);
}

static void build_crossbar(struct router_model *m, struct gate_build *b)
{
    struct netlist *nl = &m->nl;
    struct gate_wire *in = arena_many(nl->mem, struct gate_wire, m->n_in);
    struct gate_wire select[32];
    uint32_t q1 = nl_out(nl, m->reg1), qs = nl_out(nl, m->select);
    make_selector(nl, q1);
    make_selector(nl, qs);
    for (uint32_t i = 0; i < m->n_in; i++) {
        in[i] = (struct gate_wire){nl_net(nl), i == 0 ? SIGNAL_RANDOM : SIGNAL_STATIC};
        nl_join(nl, q1, in[i].net);
    }
    m->muxes = arena_many(nl->mem, struct part_mux, m->n_out);
    uint32_t others = NL_NONE; /* statistics of multiplexer 1, shared by all further ones */
    for (uint32_t o = 0; o < m->n_out; o++) {
        for (uint32_t i = 0; i < m->select_bits; i++) {
            select[i] = (struct gate_wire){nl_net(nl), o == 0 ? SIGNAL_RANDOM : SIGNAL_STATIC};
            nl_join(nl, qs, select[i].net);
        }
        if (o == 1)
            others = (uint32_t)nl->stats.n;
        b->reuse = o > 1 ? others : NL_NONE;
        m->muxes[o] = part_multiplexer(b, m->n_in, in, select, m->bits);
        nl_connect(nl, m->muxes[o].out.net, m->reg2[o], PIN_D, 1);
    }
    b->reuse = NL_NONE;
}

static void build_registers(struct router_model *m, struct gate_build *b)
{
    struct netlist *nl = &m->nl;
    m->reg0 = gate_cell(b, gate_dff(b, SIGNAL_RANDOM, SIGNAL_CLOCK));
    m->reg1 = gate_cell(b, gate_dff(b, SIGNAL_RANDOM, SIGNAL_CLOCK));
    nl_connect(nl, m->ck, m->reg0, PIN_CK, (double)m->n_in * m->bits);
    nl_connect(nl, m->ck, m->reg1, PIN_CK, (double)m->n_in * m->bits);
    m->reg2 = arena_many(nl->mem, uint32_t, m->n_out);
    for (uint32_t o = 0; o < m->n_out; o++) {
        m->reg2[o] = gate_cell(b, gate_dff(b, SIGNAL_RANDOM, SIGNAL_CLOCK));
        nl_connect(nl, m->ck, m->reg2[o], PIN_CK, m->bits);
    }
    m->select = gate_cell(b, gate_dff(b, SIGNAL_RANDOM, SIGNAL_CLOCK));
    nl_connect(nl, m->ck, m->select, PIN_CK, m->select_bits);
}

static void build_allocator(struct router_model *m, struct gate_build *b)
{
    struct netlist *nl = &m->nl;
    uint32_t n = m->vcs + m->n_in;
    uint32_t *nets = arena_many(nl->mem, uint32_t, n);
    m->requests = begin(nl);
    for (uint32_t i = 0; i < n; i++) {
        struct gate_wire q = gate_dff(b, SIGNAL_RANDOM, SIGNAL_CLOCK);
        nl_connect(nl, m->ck, gate_cell(b, q), PIN_CK, 1);
        nets[i] = q.net;
    }
    end(nl, &m->requests);
    part_arbiter_fn *arbiter = part_arbiters[m->p.arbiters];
    m->arbiter1 = arbiter(b, m->vcs, nets);
    m->arbiter2 = arbiter(b, m->n_in, nets + m->vcs);
}

/* Each output has its own link, and all links of a group end at the same modelled register. */
static void build_loads(struct router_model *m, struct gate_build *b,
                        const struct router_load *loads, size_t n)
{
    struct netlist *nl = &m->nl;
    for (size_t i = 0; i < n; i++) {
        const struct router_load *l = &loads[i];
        struct cell link = {.pin_cap = {l->pin_cap}, .delay = {l->delay}, .drive_r = l->drive_r};
        uint32_t kind = nl_fixed_kind(nl, &link), end_net = nl_net(nl);
        uint32_t first = (uint32_t)nl->cells.n;
        for (uint32_t o = 0; o < l->n_outputs; o++)
            nl_fixed(nl, kind);
        for (uint32_t o = 0; o < l->n_outputs; o++) {
            nl_connect(nl, nl_out(nl, m->reg2[l->first_output + o]), first + o, PIN_A, 1);
            nl_join(nl, nl_out(nl, first + o), end_net);
        }
        if (l->to_other)
            m->other = gate_cell(b, gate_dff(b, SIGNAL_RANDOM, SIGNAL_CLOCK));
        if (l->to_other || l->to_own_input)
            nl_connect(nl, end_net, l->to_other ? m->other : m->reg0, PIN_D, 1);
    }
}

static size_t arbiter_cells(size_t n)
{
    return n < 2 ? 0 : n * n + 7 * n * (n - 1) / 2;
}

static struct nl_sum sum_parts(struct router_model *m, struct nl_sum parts[ROUTER_PARTS]);

/* Clock tree and filler of the crossbar are fixed before anything is sized. */
static void fix_geometry(struct router_model *m)
{
    const struct logic_tech *tech = m->nl.lib->tech;
    const struct wire_layer *inter = logic_tech_layer(tech, "Intermediate");
    const struct wire_layer *layer = logic_tech_layer(tech, m->p.clk_layer);
    double pitch = inter->width + inter->spacing;
    struct nl_sum parts[ROUTER_PARTS];
    m->wire_xbar = m->bits * m->n_in * pitch * (m->bits * m->n_out * pitch);
    struct nl_sum all = sum_parts(m, parts);
    m->filler = fmax(0, m->wire_xbar - parts[ROUTER_XBAR].area);
    m->clock = clock_tree_make(m->nl.lib, layer, layer->width * m->p.clk_width_mult,
                               layer->spacing * m->p.clk_spacing_mult, (unsigned)m->p.clk_levels,
                               sqrt(all.area + m->filler), nl_cap(&m->nl, m->ck));
}

struct router_model *router_model_new(struct arena *mem, const struct cell_lib *lib,
                                      const struct router_point *p, const struct router_load *loads,
                                      size_t n_loads)
{
    struct router_model *m = arena_new(mem, struct router_model);
    struct netlist *nl = &m->nl;
    struct gate_build b = {nl, NL_NONE};
    nl_init(nl, mem, lib);
    m->p = *p;
    m->n_in = (uint32_t)p->n_in;
    m->n_out = (uint32_t)p->n_out;
    m->bits = (uint32_t)p->flit_bits;
    m->vcs = (uint32_t)p->vcs;
    m->entries = (uint32_t)(p->vcs * p->bufs_per_vc);
    m->address_bits = bits_clog2(m->entries);
    m->select_bits = bits_clog2(m->n_in);
    m->other = NL_NONE;
    size_t cells = arbiter_cells(m->vcs) + arbiter_cells(m->n_in) + 6 * (size_t)m->entries +
                   (size_t)m->n_out * (m->n_in + 2 * m->select_bits) + m->vcs + m->n_in + 64;
    nl_reserve(nl, cells, cells * 2);

    struct gate_wire start = {nl_net(nl), SIGNAL_CLOCK};
    m->start = start.net;
    m->ck = gate_inv(&b, gate_inv(&b, start)).net;
    build_registers(m, &b);
    build_input_port(m, &b);
    build_crossbar(m, &b);
    build_allocator(m, &b);
    build_loads(m, &b, loads, n_loads);
    nl_freeze(nl);
    fix_geometry(m);
    return m;
}

/* ---- sizing ---------------------------------------------------------------------------------- */

bool router_model_size(struct router_model *m, double freq, enum timing_mode mode)
{
    uint8_t other = m->other == NL_NONE ? 0 : m->nl.cells.at[m->other].size;
    nl_reset(&m->nl);
    router_model_set_other(m, other);
    m->timed = mode != TIMING_NONE;
    if (m->timed)
        m->timing = timing_optimise(&m->nl, mode == TIMING_ALL ? m->start : m->ck, 1 / freq);
    return !m->timed || m->timing.met;
}

double router_model_critical(struct router_model *m)
{
    return nl_longest(&m->nl, m->ck);
}

void router_model_forget(struct router_model *m)
{
    nl_forget(&m->nl);
}

uint8_t router_model_input_size(const struct router_model *m)
{
    return m->nl.cells.at[m->reg0].size;
}

void router_model_set_other(struct router_model *m, uint8_t size)
{
    if (m->other != NL_NONE)
        nl_set_size(&m->nl, m->other, size);
}

double router_model_fmax(struct router_model *m, enum timing_mode mode, double tolerance)
{
    const struct cell *dff = &m->nl.lib->cells[CELL_DFFQ][0];
    double most = 1 / dff->delay[PIN_CK]; /* no path is shorter than a flip-flop */
    router_model_size(m, 1, TIMING_NONE);
    /* without any sizing it works at the reciprocal of its critical path; go on from there */
    double lo = 1 / nl_longest(&m->nl, mode == TIMING_ALL ? m->start : m->ck);
    lo *= 1 - 1e-12;
    double hi = lo;
    while (hi < most) {
        hi = fmin(2 * hi, most);
        if (!router_model_size(m, hi, mode))
            break;
        lo = hi;
    }
    while (hi - lo > tolerance * lo) {
        double mid = (lo + hi) / 2;
        if (router_model_size(m, mid, mode))
            lo = mid;
        else
            hi = mid;
    }
    router_model_size(m, lo, mode);
    return lo;
}

/* ---- costs ----------------------------------------------------------------------------------- */

static struct nl_sum sum_one(struct netlist *nl, uint32_t cell)
{
    return nl_sum(nl, cell, 1);
}

static struct nl_sum sum_range(struct netlist *nl, struct cell_range r)
{
    return nl_sum(nl, r.first, r.n);
}

static struct nl_sum sum_mux(struct netlist *nl, const struct part_mux *mux, double bits)
{
    struct nl_sum sum = sum_range(nl, mux->inverters);
    nl_sum_add(&sum, sum_range(nl, mux->slice), bits);
    return sum;
}

/* Area, leakage and one event of each part, clock tree excluded. Energies: input ports hold the
 * buffer write without register 0; the others are used by router_model_price. */
static struct nl_sum sum_parts(struct router_model *m, struct nl_sum parts[ROUTER_PARTS])
{
    struct netlist *nl = &m->nl;
    double bits = m->bits, in = m->n_in, out = m->n_out, a = m->address_bits;
    struct nl_sum *p = parts, all = {0, {0, 0}, 0};
    memset(parts, 0, ROUTER_PARTS * sizeof *parts);

    struct nl_sum port = sum_range(nl, m->storage);
    struct nl_sum buffer = {0, {0, 0}, 0};
    nl_sum_add(&buffer, port, bits);
    nl_sum_add(&buffer, sum_range(nl, m->decoder), 1);
    nl_sum_add(&buffer, sum_range(nl, m->gate0), 1);
    nl_sum_add(&buffer, sum_range(nl, m->gates1), 1);
    nl_sum_add(&buffer, sum_mux(nl, &m->read_mux, 1), bits);
    nl_sum_add(&buffer, sum_range(nl, m->read_address), a);
    nl_sum_add(&p[ROUTER_INPUT_PORTS], buffer, in);

    struct nl_sum requests = sum_range(nl, m->requests);
    memset(requests.leak, 0, sizeof requests.leak); /* the original never evaluates them */
    nl_sum_add(&p[ROUTER_SWALLOC], sum_range(nl, m->arbiter1), in);
    nl_sum_add(&p[ROUTER_SWALLOC], sum_range(nl, m->arbiter2), out);
    nl_sum_add(&p[ROUTER_SWALLOC], requests, 1);

    for (uint32_t o = 0; o < m->n_out; o++) {
        nl_sum_add(&p[ROUTER_XBAR], sum_mux(nl, &m->muxes[o], bits), 1);
        nl_sum_add(&p[ROUTER_PIPE2], sum_one(nl, m->reg2[o]), bits);
    }
    p[ROUTER_XBAR].area += m->filler;
    nl_sum_add(&p[ROUTER_XBAR_SEL], sum_one(nl, m->select), out * m->select_bits);
    nl_sum_add(&p[ROUTER_PIPE0], sum_one(nl, m->reg0), in * bits);
    nl_sum_add(&p[ROUTER_PIPE1], sum_one(nl, m->reg1), in * bits);
    for (int i = 0; i < ROUTER_PARTS; i++)
        nl_sum_add(&all, parts[i], 1);
    return all;
}

static void price_events(struct router_model *m, const struct nl_sum *xbar,
                         struct router_result *out)
{
    struct netlist *nl = &m->nl;
    double bits = m->bits;
    out->e_write = bits * nl_energy(nl, m->reg0) + sum_range(nl, m->gate0).energy +
                   sum_range(nl, m->decoder).energy + sum_range(nl, m->gates1).energy +
                   bits * sum_range(nl, m->storage).energy;
    out->e_read = m->address_bits * sum_range(nl, m->read_address).energy +
                  bits * sum_mux(nl, &m->read_mux, 1).energy + bits * nl_energy(nl, m->reg1);
    out->e_xbar =
        m->select_bits * nl_energy(nl, m->select) + xbar->energy + bits * nl_energy(nl, m->reg2[0]);
    out->e_arb1 = sum_range(nl, m->arbiter1).energy;
    out->e_arb2 = sum_range(nl, m->arbiter2).energy;
    out->e_clock = m->clock.energy;
}

void router_model_price(struct router_model *m, struct router_result *out)
{
    struct nl_sum parts[ROUTER_PARTS];
    memset(out, 0, sizeof *out);
    sum_parts(m, parts);
    parts[ROUTER_CLOCK_TREE].area = m->clock.area;
    for (int v = 0; v < LEAK_VARIANTS; v++)
        parts[ROUTER_CLOCK_TREE].leak[v] = m->clock.leak[v];
    for (int i = 0; i < ROUTER_PARTS; i++) {
        out->area[i] = parts[i].area;
        out->area_total += parts[i].area;
        for (int v = 0; v < LEAK_VARIANTS; v++) {
            out->leak[v][i] = parts[i].leak[v];
            out->leak_total[v] += parts[i].leak[v];
        }
    }
    out->wire_metal1 = out->area_total - m->filler;
    out->wire_intermediate = m->wire_xbar;
    double *wire = strcmp(m->p.clk_layer, "Intermediate") == 0 ? &out->wire_intermediate
                   : strcmp(m->p.clk_layer, "Semiglobal") == 0 ? &out->wire_semiglobal
                   : strcmp(m->p.clk_layer, "Global") == 0     ? &out->wire_global
                                                               : &out->wire_metal1;
    *wire += m->clock.wire_area;
    price_events(m, &parts[ROUTER_XBAR], out);
    out->t_ck = router_model_critical(m);
    out->timed = m->timed;
    out->met = m->timed && m->timing.met;
    out->required = m->timing.required;
    out->min_delay = m->timing.min_delay;
    out->slack = m->timing.slack;
    out->clock_transition_met = m->clock.transition_met;
}

void router_model(const struct cell_lib *lib, const struct router_point *p,
                  struct router_result *out)
{
    struct arena mem;
    arena_init(&mem, NULL, NULL);
    struct router_model *m = router_model_new(&mem, lib, p, NULL, 0);
    router_model_size(m, p->freq, p->mode);
    router_model_price(m, out);
    arena_free(&mem);
}
