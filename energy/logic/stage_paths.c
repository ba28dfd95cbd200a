/* SPDX-License-Identifier: MIT */
#include "energy/logic/stage_paths.h"

#include <math.h>

#include "base/bits.h"

/* Share of a placed block that its cells cover; the rest is room for wires. 0.7 is what placement
 * is usually asked for. */
static const double utilisation = 0.7;
/* Rises of a random bit in an event. */
static const double random_rise = 0.25;

static double cells(const struct cell_lib *lib, enum cell_kind kind, double n)
{
    return n * lib->cells[kind][0].area;
}

/* As part_arbiter and part_tree_arbiter build them. */
double stage_arbiter_area(const struct cell_lib *lib, enum arbiter_kind kind, uint32_t n)
{
    if (n < 2)
        return 0;
    double pairs = n * (n - 1.0) / 2, nodes = n - 1.0;
    if (kind == ARBITER_TREE_CELLS)
        return cells(lib, CELL_DFFQ, nodes) + cells(lib, CELL_OR2, 2 * nodes) +
               cells(lib, CELL_INV, 2 * nodes) + cells(lib, CELL_AND2, 3 * nodes) +
               cells(lib, CELL_MUX2, nodes);
    return cells(lib, CELL_DFFQ, pairs) + cells(lib, CELL_OR2, n * (n - 2.0) + pairs) +
           cells(lib, CELL_INV, n + 2 * pairs) + cells(lib, CELL_AND2, n + 3 * pairs);
}

struct stage_shape stage_shape_of(const struct cell_lib *lib, const struct router_point *p,
                                  const struct stage_options *options)
{
    struct stage_shape s = {.lib = lib,
                            .layer = logic_tech_layer(lib->tech, "Intermediate"),
                            .arbiters = p->arbiters,
                            .switches = p->switches,
                            .n_in = (uint32_t)p->n_in,
                            .n_out = (uint32_t)p->n_out,
                            .bits = (uint32_t)p->flit_bits,
                            .vcs = (uint32_t)p->vcs,
                            .entries = (uint32_t)(p->vcs * p->bufs_per_vc)};
    double pitch = s.layer->width + s.layer->spacing;
    double in = s.n_in, out = s.n_out, bits = s.bits, v = s.vcs;
    double across = out * bits * pitch, down = in * bits * pitch;
    s.wire_area = across * down;
    /* a crosspoint is one of the two halves of a MUX2 */
    double muxes = s.switches == SWITCH_LINES ? in / 2 : in - 1;
    double stretch =
        sqrt(fmax(1, cells(lib, CELL_MUX2, out * bits * muxes) / utilisation / s.wire_area));
    if (options->switch_area > 0)
        stretch = sqrt(options->switch_area / s.wire_area);
    s.across = across * stretch;
    s.down = down * stretch;
    double one = stage_arbiter_area(lib, s.arbiters, s.vcs);
    double all = stage_arbiter_area(lib, s.arbiters, s.n_in);
    s.sw_side = sqrt((in * one + out * all) / utilisation);
    s.vc_side = sqrt((in * v * one + out * v * (in * one + all)) / utilisation);
    s.buffer_side = sqrt(cells(lib, CELL_DFFQ, bits * s.entries) / utilisation);
    if (options->no_wires)
        s.across = s.down = s.sw_side = s.vc_side = s.buffer_side = 0;
    return s;
}

/* ---- blocks of a path --------------------------------------------------------------------------
 */

static struct path_gate *gate(struct path *p, enum cell_kind kind, unsigned pin, double copies,
                              double active)
{
    struct path_gate *g = path_add(p, kind, pin, 1);
    g->copies = copies;
    g->active = active;
    return g;
}

static double pin_of(const struct stage_shape *s, enum cell_kind kind, unsigned pin)
{
    return s->lib->cells[kind][0].pin_cap[pin];
}

/* Trees of AND or OR, as a synthesiser makes them: NAND2 and NOR2 by turns, an inverter at the end
 * where the polarity is wrong. */
static void add_gate_tree(struct path *p, enum cell_kind first, double n, double copies)
{
    enum cell_kind kind = first;
    for (double width = n; width > 1; width = ceil(width / 2)) {
        gate(p, kind, PIN_A, copies * ceil(width / 2), random_rise);
        kind = kind == CELL_NAND2 ? CELL_NOR2 : CELL_NAND2;
    }
    if (kind != first)
        gate(p, CELL_INV, PIN_A, copies, random_rise);
}

static void add_or_tree(struct path *p, double n, double copies)
{
    add_gate_tree(p, CELL_NOR2, n, copies);
}

/* From a request to its grant, in `arbiters` arbiters of n. */
static void add_tree_arbiter(const struct stage_shape *s, struct path *p, uint32_t n,
                             double arbiters)
{
    uint32_t levels = bits_clog2(n);
    for (uint32_t l = 0; l < levels; l++) { /* any request below */
        double nodes = ceil(n / ldexp(1, (int)l + 1));
        struct path_gate *g =
            gate(p, l % 2 ? CELL_NAND2 : CELL_NOR2, PIN_A, arbiters * nodes, random_rise);
        g->side_cap = pin_of(s, CELL_INV, PIN_A) + pin_of(s, CELL_AND2, PIN_A);
    }
    for (uint32_t l = levels; l-- > 0;) { /* the grant, to one of two */
        double nodes = ceil(n / ldexp(1, (int)l + 1));
        struct path_gate *g = gate(p, (levels - l) % 2 ? CELL_NAND2 : CELL_NOR2, PIN_A,
                                   2 * arbiters * nodes, random_rise);
        g->side_cap = pin_of(s, CELL_AND2, PIN_A) + pin_of(s, CELL_MUX2, PIN_S);
    }
}

static void add_matrix_arbiter(const struct stage_shape *s, struct path *p, uint32_t n,
                               double arbiters)
{
    path_add_tree(p, n - 1.0, arbiters * n, random_rise);
    gate(p, CELL_AND2, PIN_A, arbiters * n * (n - 1.0), random_rise * (n - 1.0));
    add_or_tree(p, n - 1.0, arbiters * n);
    gate(p, CELL_INV, PIN_A, arbiters * n, random_rise);
    struct path_gate *g = gate(p, CELL_AND2, PIN_B, arbiters * n, random_rise);
    g->side_cap = 4 * pin_of(s, CELL_INV, PIN_A); /* the tree to its flip-flops */
}

static void add_arbiter(const struct stage_shape *s, struct path *p, uint32_t n, double arbiters)
{
    if (n < 2)
        return;
    if (s->arbiters == ARBITER_TREE_CELLS)
        add_tree_arbiter(s, p, n, arbiters);
    else
        add_matrix_arbiter(s, p, n, arbiters);
}

static void begin(const struct stage_shape *s, struct path *p)
{
    path_begin(p, s->lib, s->layer);
    gate(p, CELL_DFFQ, PIN_CK, 0, 0);
}

/* ---- stages ------------------------------------------------------------------------------------
 */

/* Address bits compared each with its own, all of them, one of two ways there; then a request
 * in every VC's state. The address is that of a network of ports^2 ends. */
static void build_route(const struct stage_shape *s, struct path *p)
{
    uint32_t ports = s->n_in > s->n_out ? s->n_in : s->n_out;
    double address = fmax(2, 2 * bits_clog2(ports)), in = s->n_in;
    path_add_tree(p, s->n_out, in * address, random_rise);
    gate(p, CELL_MUX2, PIN_S, in * s->n_out * address, random_rise);
    add_gate_tree(p, CELL_NAND2, address, in * s->n_out);
    gate(p, CELL_OR2, PIN_A, in * s->n_out, random_rise);
    path_add_tree(p, s->vcs, in * s->n_out, random_rise);
}

/* A VC asks (if there is credit), wins at its input, asks at its output: up to the other side of
 * the allocator. */
static void add_ask(const struct stage_shape *s, struct path *p, double inputs, double side)
{
    gate(p, CELL_AND2, PIN_A, inputs * s->vcs, random_rise);
    if (s->vcs > 1) {
        add_arbiter(s, p, s->vcs, inputs);
        path_add_tree(p, s->n_out, inputs * s->vcs, random_rise);
        gate(p, CELL_AND2, PIN_A, inputs * s->vcs * s->n_out, random_rise);
        add_or_tree(p, s->vcs, inputs * s->n_out);
    }
    path_add_wire(p, side, 0, inputs * s->n_out, random_rise);
}

/* Back from an output: whether any of `outputs` said yes, and to which VC. */
static void add_answer(const struct stage_shape *s, struct path *p, double outputs, double inputs,
                       double side)
{
    path_add_wire(p, side, 0, inputs * outputs, random_rise);
    add_or_tree(p, outputs, inputs);
    path_add_tree(p, s->vcs, inputs, random_rise);
    gate(p, CELL_AND2, PIN_A, inputs * s->vcs, random_rise);
}

static void build_sw_alloc(const struct stage_shape *s, struct path *p)
{
    add_ask(s, p, s->n_in, s->sw_side);
    add_arbiter(s, p, s->n_in, s->n_out);
    add_answer(s, p, s->n_out, s->n_in, s->sw_side);
}

/* The grant to the n - 1 flip-flops that it changes. Its gates are priced as arbiters. */
static void build_sw_update(const struct stage_shape *s, struct path *p)
{
    if (s->arbiters != ARBITER_MATRIX_CELLS || s->n_in < 2) {
        p->n = 0;
        return;
    }
    add_ask(s, p, s->n_in, s->sw_side);
    add_arbiter(s, p, s->n_in, s->n_out);
    path_add_tree(p, s->n_in - 1.0, 0, 0);
    gate(p, CELL_OR2, PIN_B, 0, 0);
    gate(p, CELL_AND2, PIN_A, 0, 0);
    for (size_t i = 0; i < p->n; i++)
        p->gates[i].copies = p->gates[i].active = 0;
}

static void build_vc_alloc(const struct stage_shape *s, struct path *p)
{
    double out_vcs = (double)s->n_out * s->vcs, in_vcs = (double)s->n_in * s->vcs;
    gate(p, CELL_AND2, PIN_A, in_vcs * s->vcs, random_rise);
    add_arbiter(s, p, s->vcs, in_vcs);
    path_add_tree(p, s->n_out, in_vcs * s->vcs, random_rise);
    gate(p, CELL_AND2, PIN_A, in_vcs * out_vcs, random_rise);
    path_add_wire(p, s->vc_side, 0, in_vcs * out_vcs, random_rise);
    add_arbiter(s, p, s->vcs, out_vcs * s->n_in);
    add_arbiter(s, p, s->n_in, out_vcs);
    add_answer(s, p, out_vcs, in_vcs, s->vc_side);
}

/* From the leaf's select or data on: the multiplexers of one output and bit, and down the column
 * to its register. The two inputs of a multiplexer come from either half of what it covers. */
static void add_mux_levels(const struct stage_shape *s, struct path *p, uint32_t n, double trees,
                           double length, unsigned first_pin, bool priced)
{
    uint32_t levels = bits_clog2(n);
    for (uint32_t l = 1; l <= levels; l++) {
        double copies = trees * ceil(n / ldexp(1, (int)l)), active = s->bits * random_rise;
        if (!priced)
            copies = active = 0;
        gate(p, CELL_MUX2, l == 1 ? first_pin : PIN_A, copies, active);
        double wire = l == levels ? length / 2 : ldexp(length, (int)l - (int)levels - 1);
        path_add_wire(p, wire, 0, copies, active);
    }
}

/* Select bits: to where they are needed, then to every multiplexer of the first level; the trees of
 * all levels together have as many ends as there are multiplexers. */
static void add_select(const struct stage_shape *s, struct path *p, uint32_t n, double trees,
                       double distance)
{
    double first = ceil(n / 2.0) * s->bits, share = (n - 1.0) / ceil(n / 2.0);
    double each = sqrt(s->lib->cells[CELL_MUX2][0].area / utilisation) * path_wire_of(s->layer).c;
    path_add_wire(p, distance, 0, trees * bits_clog2(n), random_rise * bits_clog2(n));
    path_add_tree(p, first, trees * share, random_rise * share);
    struct path_gate *last = &p->gates[p->n - 1];
    last->side_cap += last->fanout * each;
}

static void build_read(const struct stage_shape *s, struct path *p)
{
    if (s->entries < 2)
        return;
    add_select(s, p, s->entries, s->n_in, s->buffer_side / 2);
    add_mux_levels(s, p, s->entries, (double)s->n_in * s->bits, s->buffer_side, PIN_S, false);
}

/* The output line, from the crosspoint that drives it to its receiver. */
static void add_line(const struct stage_shape *s, struct path *p, unsigned pin, bool priced)
{
    double n = priced ? (double)s->n_out * s->bits : 0, active = priced ? s->bits * random_rise : 0;
    double drains = (s->n_in - 1.0) * s->lib->cells[CELL_MUX2][0].out_cap;
    gate(p, CELL_MUX2, pin, n * s->n_in / 2, active);
    path_add_line(p, s->down, drains);
    gate(p, CELL_INV, PIN_A, n, active);
}

static void build_data_lines(const struct stage_shape *s, struct path *p)
{
    double bits = s->bits, taps = (s->n_out - 1.0) * pin_of(s, CELL_MUX2, PIN_A);
    for (int i = 0; i < 2; i++)
        gate(p, CELL_INV, PIN_A, s->n_in * bits, bits * random_rise);
    path_add_line(p, s->across, taps);
    add_line(s, p, PIN_A, true);
}

/* A crosspoint's enable: from the edge of the switch to all bits of it. */
static void build_select_lines(const struct stage_shape *s, struct path *p)
{
    double crosspoints = (double)s->n_in * s->n_out;
    path_add_wire(p, s->down / 2, 0, crosspoints, random_rise);
    path_add_tree(p, s->bits, crosspoints, random_rise);
    add_line(s, p, PIN_S, false);
}

static void build_data(const struct stage_shape *s, struct path *p)
{
    if (s->switches == SWITCH_LINES) {
        build_data_lines(s, p);
        return;
    }
    double taps = (s->n_out - 1.0) * pin_of(s, CELL_MUX2, PIN_A), bits = s->bits;
    p->gates[0].active = bits * random_rise;
    path_add_wire(p, s->across, taps, s->n_in * bits, bits * random_rise);
    add_mux_levels(s, p, s->n_in, s->n_out * bits, s->down, PIN_A, true);
}

static void build_select(const struct stage_shape *s, struct path *p)
{
    if (s->n_in < 2)
        return;
    if (s->switches == SWITCH_LINES) {
        build_select_lines(s, p);
        return;
    }
    /* its register stands beside the middle of the column */
    add_select(s, p, s->n_in, s->n_out, s->down / 2 + s->across / s->n_out / 2);
    add_mux_levels(s, p, s->n_in, s->n_out * (double)s->bits, s->down, PIN_S, false);
}

static void build_single(const struct stage_shape *s, struct path *p)
{
    gate(p, CELL_AND2, PIN_A, 0, 0);
    path_add_wire(p, s->across, 0, 0, 0);
    add_arbiter(s, p, s->n_in, 0);
    if (s->n_in < 2)
        return;
    if (s->switches == SWITCH_LINES) {
        path_add_tree(p, s->bits, 0, 0);
        add_line(s, p, PIN_S, false);
        return;
    }
    add_select(s, p, s->n_in, 0, s->down / 2 + s->across / s->n_out / 2);
    add_mux_levels(s, p, s->n_in, 0, s->down, PIN_S, false);
}

void stage_path_build(const struct stage_shape *s, enum stage_path which, struct path *out)
{
    static void (*const builders[STAGE_PATHS])(const struct stage_shape *, struct path *) = {
        [PATH_ROUTE] = build_route,       [PATH_VC_ALLOC] = build_vc_alloc,
        [PATH_SW_ALLOC] = build_sw_alloc, [PATH_SW_UPDATE] = build_sw_update,
        [PATH_READ] = build_read,         [PATH_DATA] = build_data,
        [PATH_SELECT] = build_select,     [PATH_SINGLE] = build_single,
    };
    begin(s, out);
    builders[which](s, out);
    if (out->n)
        gate(out, CELL_DFFQ, PIN_D, 0, 0); /* its setup time ends the path */
}
