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

void stage_shape_place(struct stage_shape *s, enum stage_block block, double cells_m2)
{
    double pitch = s->layer->width + s->layer->spacing, area = cells_m2 / utilisation;
    if (s->is_fixed[block])
        return;
    switch (block) {
    case BLOCK_SWITCH: { /* by its wires or by its cells */
        double stretch = sqrt(fmax(1, area / s->wire_area));
        s->across = (double)s->n_out * s->bits * pitch * stretch;
        s->down = (double)s->n_in * s->bits * pitch * stretch;
        break;
    }
    case BLOCK_VC_ALLOC: s->vc_side = sqrt(area); break;
    case BLOCK_SW_ALLOC: s->sw_side = sqrt(area); break;
    case BLOCK_BUFFER: s->buffer_side = sqrt(area); break;
    case STAGE_BLOCKS: break;
    }
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
    double one = stage_arbiter_area(lib, s.arbiters, s.vcs);
    double all = stage_arbiter_area(lib, s.arbiters, s.n_in);
    /* a crosspoint is one of the two halves of a MUX2 */
    double muxes = s.switches == SWITCH_LINES ? in / 2 : in - 1;
    s.wire_area = out * bits * pitch * in * bits * pitch;
    s.least[BLOCK_SWITCH] =
        cells(lib, CELL_MUX2, out * bits * muxes) + cells(lib, CELL_DFFQ, out * bits);
    s.least[BLOCK_VC_ALLOC] = in * v * one + out * v * (in * one + all);
    s.least[BLOCK_SW_ALLOC] = in * one + out * all;
    s.least[BLOCK_BUFFER] = cells(lib, CELL_DFFQ, bits * s.entries);
    for (int b = 0; b < STAGE_BLOCKS; b++) {
        stage_shape_place(&s, (enum stage_block)b, options->no_wires ? 0 : s.least[b]);
        /* an allocator is placed with its smallest cells: few of its gates drive long wires */
        s.is_fixed[b] = options->no_wires || b == BLOCK_VC_ALLOC || b == BLOCK_SW_ALLOC;
    }
    if (options->no_wires)
        s.across = s.down = 0;
    if (options->switch_area > 0 && !options->no_wires) {
        double stretch = sqrt(options->switch_area / s.wire_area);
        s.across = out * bits * pitch * stretch;
        s.down = in * bits * pitch * stretch;
        s.is_fixed[BLOCK_SWITCH] = true;
    }
    return s;
}

/* ---- blocks of a path ------------------------------------------------------------------------ */

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
    double width = n;
    while (width > 1) {
        width = ceil(width / 2);
        gate(p, kind, PIN_A, copies * width, random_rise);
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

/* All gates so far are parts of other paths. */
static void met_again(struct path *p)
{
    for (size_t i = 0; i < p->n; i++) {
        p->gates[i].elsewhere = true;
        p->gates[i].active = 0;
    }
}

/* ---- stages ---------------------------------------------------------------------------------- */

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
    double pairs = s->n_out * (double)s->n_in * (s->n_in - 1.0);
    path_add_tree(p, s->n_in - 1.0, (double)s->n_out * s->n_in, 0);
    gate(p, CELL_OR2, PIN_B, pairs, 0);
    gate(p, CELL_AND2, PIN_A, pairs, 0);
    met_again(p);
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
        double copies = trees * ceil(n / ldexp(1, (int)l));
        double active = priced ? s->bits * random_rise : 0;
        size_t first = p->n;
        gate(p, CELL_MUX2, l == 1 ? first_pin : PIN_A, copies, active);
        double wire = l == levels ? length / 2 : ldexp(length, (int)l - (int)levels - 1);
        path_add_wire(p, wire, 0, copies, active);
        for (size_t i = first; i < p->n; i++)
            p->gates[i].elsewhere = !priced;
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
    double n = (double)s->n_out * s->bits, active = priced ? s->bits * random_rise : 0;
    gate(p, CELL_MUX2, pin, n * s->n_in / 2, active)->elsewhere = !priced;
    path_add_line(p, s->down, 0, s->n_in - 1.0);
    gate(p, CELL_INV, PIN_A, n, active)->elsewhere = !priced;
}

static void build_data_lines(const struct stage_shape *s, struct path *p)
{
    double bits = s->bits;
    for (int i = 0; i < 2; i++)
        gate(p, CELL_INV, PIN_A, s->n_in * bits, bits * random_rise);
    path_add_line(p, s->across, s->n_out - 1.0, 0);
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

/* The first multiplexers of a switch are equal: every input line has one of each output. */
static void give_size(const struct stage_shape *s, struct path *p, size_t gate)
{
    if (gate < p->n) {
        p->gates[gate].is_given = true;
        p->gates[gate].given = (uint8_t)s->mux_size;
    }
}

static void build_data(const struct stage_shape *s, struct path *p)
{
    if (s->switches == SWITCH_LINES) {
        build_data_lines(s, p);
        return;
    }
    double bits = s->bits, pin = s->lib->cells[CELL_MUX2][s->mux_size].pin_cap[PIN_A];
    p->gates[0].active = bits * random_rise;
    path_add_wire(p, s->across, (s->n_out - 1.0) * pin, s->n_in * bits, bits * random_rise);
    size_t first = p->n;
    add_mux_levels(s, p, s->n_in, s->n_out * bits, s->down, PIN_A, true);
    give_size(s, p, first);
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
    size_t first = p->n;
    add_mux_levels(s, p, s->n_in, s->n_out * (double)s->bits, s->down, PIN_S, false);
    give_size(s, p, first);
}

/* From an address to the grant at its output: decoded for each output, across to it, arbitrated. */
static void add_request(const struct stage_shape *s, struct path *p)
{
    double in = s->n_in, address = fmax(1, bits_clog2(s->n_out));
    path_add_tree(p, s->n_out, in * address, random_rise);
    add_gate_tree(p, CELL_NAND2, address, in * s->n_out);
    gate(p, CELL_AND2, PIN_A, in * s->n_out, random_rise);
    path_add_wire(p, s->across, 0, in * s->n_out, random_rise);
    path_add_wire(p, s->down / 2, 0, in * s->n_out, random_rise);
    add_arbiter(s, p, s->n_in, s->n_out);
}

/* A request and its grant in one cycle, as a combinational crossbar between cores and memory banks
 * has it (Rahimi, Loi, Kakoee and Benini, DATE 2011): the address is decoded on the way to the
 * bank, requests are arbitrated there, and the winner's bits pass. */
static void build_single(const struct stage_shape *s, struct path *p)
{
    add_request(s, p);
    if (s->n_in >= 2) {
        if (s->switches == SWITCH_LINES) {
            path_add_tree(p, s->bits, (double)s->n_in * s->n_out, random_rise);
            add_line(s, p, PIN_S, false);
        } else {
            add_select(s, p, s->n_in, s->n_out, s->down / 2 + s->across / s->n_out / 2);
            size_t first = p->n;
            add_mux_levels(s, p, s->n_in, s->n_out * (double)s->bits, s->down, PIN_S, false);
            give_size(s, p, first);
        }
    }
    met_again(p);
}

/* The same request, and its grant back to the core, which stalls in that cycle where it has none.
 */
static void build_single_grant(const struct stage_shape *s, struct path *p)
{
    add_request(s, p);
    path_add_wire(p, s->across + s->down / 2, 0, (double)s->n_in * s->n_out, random_rise);
    add_or_tree(p, s->n_out, s->n_in);
    gate(p, CELL_AND2, PIN_A, s->n_in, random_rise);
    met_again(p);
}

void stage_path_build(const struct stage_shape *s, enum stage_path which, struct path *out)
{
    static void (*const builders[STAGE_PATHS])(const struct stage_shape *, struct path *) = {
        [PATH_ROUTE] = build_route,
        [PATH_VC_ALLOC] = build_vc_alloc,
        [PATH_SW_ALLOC] = build_sw_alloc,
        [PATH_SW_UPDATE] = build_sw_update,
        [PATH_READ] = build_read,
        [PATH_DATA] = build_data,
        [PATH_SELECT] = build_select,
        [PATH_SINGLE] = build_single,
        [PATH_SINGLE_GRANT] = build_single_grant,
    };
    begin(s, out);
    builders[which](s, out);
    if (out->n)
        gate(out, CELL_DFFQ, PIN_D, 0, 0); /* its setup time ends the path */
}
