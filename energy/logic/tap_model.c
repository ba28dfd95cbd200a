/* SPDX-License-Identifier: MIT */
#include "energy/logic/tap_model.h"

#include <math.h>

#include "base/arena.h"
#include "base/bits.h"
#include "energy/logic/clock_tree.h"
#include "energy/logic/path.h"

/* Rises of a random bit in a cycle. */
static const double rises = 0.25;

/* From the bit that says "mine" to the registers behind the multiplexers. */
static struct path *build_select(const struct cell_lib *lib, uint32_t n_in, uint32_t n_out,
                                 uint32_t bits, struct arena *mem)
{
    struct path *p = arena_new(mem, struct path);
    path_begin(p, lib, logic_tech_layer(lib->tech, "Intermediate"));
    struct path_gate *g = path_add(p, CELL_AND2, PIN_A, 1);
    g->copies = n_out;
    g->active = rises;
    if (n_in > 1) {
        path_add_tree(p, bits, n_out, rises);
        uint32_t levels = bits_clog2(n_in);
        for (uint32_t l = 1; l <= levels; l++) {
            g = path_add(p, CELL_MUX2, l == 1 ? PIN_S : PIN_A, 1);
            g->copies = (double)n_out * bits * ceil(n_in / ldexp(1, (int)l));
            g->active = bits * rises;
        }
    }
    path_add(p, CELL_DFFQ, PIN_D, 1);
    return p;
}

double tap_logic_delay(const struct cell_lib *lib, uint32_t n_in, uint32_t bits)
{
    struct arena mem;
    arena_init(&mem, NULL, NULL);
    double all = path_fastest(build_select(lib, n_in, 1, bits, &mem));
    arena_free(&mem);
    double setup = INFINITY; /* the register's own time is counted with the register */
    for (size_t s = 0; s < lib->n_sizes; s++)
        setup = fmin(setup, lib->cells[CELL_DFFQ][s].delay[PIN_D]);
    return fmax(0, all - setup);
}

static void add_cells(struct tap_result *out, enum tap_part part, const struct cell *c, double n)
{
    out->area[part] += n * c->area;
    for (int v = 0; v < LEAK_VARIANTS; v++)
        out->leak[v][part] += n * c->leak_mean[v];
}

void tap_model(const struct cell_lib *lib, const struct tap_point *p, struct tap_result *out)
{
    struct arena mem;
    arena_init(&mem, NULL, NULL);
    const struct cell *dff = &lib->cells[CELL_DFFQ][0], *mux = &lib->cells[CELL_MUX2][0],
                      *and2 = &lib->cells[CELL_AND2][0];
    double vv = lib->tech->vdd * lib->tech->vdd, bits = p->bits;
    double latch = vv * (dff->cap_s + rises * (dff->cap_d + dff->cap_m + dff->cap_y));
    double pass = vv * rises * (mux->cap_y + dff->pin_cap[PIN_D]);
    *out = (struct tap_result){.logic = tap_logic_delay(lib, p->n_in, p->bits)};

    struct path *select = build_select(lib, p->n_in, p->n_out, p->bits, &mem);
    path_fastest(select);
    struct nl_sum s = path_price(select);
    out->area[TAP_SWITCH] = s.area;
    for (int v = 0; v < LEAK_VARIANTS; v++)
        out->leak[v][TAP_SWITCH] = s.leak[v];
    add_cells(out, TAP_REGISTERS, dff, p->n_out * (bits + 1)); /* and the bit that says "mine" */
    out->e_cross = s.energy + p->n_out * (bits + 1) * latch;

    add_cells(out, TAP_GATE, dff, p->gate_flits * bits);
    if (p->gate_flits > 1)
        add_cells(out, TAP_GATE, mux, (p->gate_flits - 1) * bits);
    out->e_write = p->gate_flits ? bits * latch : 0;
    out->e_read = p->gate_flits > 1 ? bits * pass : 0;

    /* which flit of the gate is next and whether there is one; where a token comes by, one of its
     * numbers is picked, compared and lowered: three multiplexers and a gate for each of its bits
     */
    double number = p->counters ? ceil((p->token_bits - 1.0) / p->counters) : 0;
    double muxes = p->counters ? (p->counters - 1) * number + 3 * number : 0;
    double gates = number + 2 * p->n_out + (p->gate_flits ? 4 : 0);
    add_cells(out, TAP_CONTROL, dff, p->token_bits + (p->gate_flits ? 2 : 0));
    add_cells(out, TAP_CONTROL, mux, muxes);
    add_cells(out, TAP_CONTROL, and2, gates);
    out->e_ask = p->token_bits * latch + muxes * pass +
                 gates * vv * rises * (and2->cap_y + and2->pin_cap[PIN_A]);

    /* an H-tree as that of routers: five levels on the global layer, three spaces apart; what waits
     * at the gate is clocked when it comes, by one gate a flit */
    const struct wire_layer *layer = logic_tech_layer(lib->tech, "Global");
    double area = 0, load = (p->n_out * (bits + 1) + p->token_bits) * dff->pin_cap[PIN_CK] +
                            p->gate_flits * and2->pin_cap[PIN_A];
    for (int i = 0; i < TAP_CLOCK; i++)
        area += out->area[i];
    struct clock_tree t =
        clock_tree_make(lib, layer, layer->width, 3 * layer->spacing, 5, sqrt(area), load);
    out->area[TAP_CLOCK] = t.area;
    for (int v = 0; v < LEAK_VARIANTS; v++)
        out->leak[v][TAP_CLOCK] = t.leak[v];
    out->e_clock = t.energy;
    out->clock_transition_met = t.transition_met;
    arena_free(&mem);
}
