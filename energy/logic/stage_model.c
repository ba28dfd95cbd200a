/* SPDX-License-Identifier: MIT */
#include "energy/logic/stage_model.h"

#include <math.h>
#include <string.h>

#include "base/bits.h"
#include "energy/logic/router_parts.h"
#include "energy/logic/stage_paths.h"

const char *const router_stage_names[ROUTER_STAGES] = {
    [STAGE_ROUTE] = "route computation",    [STAGE_VC_ALLOC] = "VC allocation",
    [STAGE_SW_ALLOC] = "switch allocation", [STAGE_READ] = "buffer read",
    [STAGE_TRAVERSAL] = "switch traversal",
};

static const enum router_stage stage_of[STAGE_PATHS] = {
    [PATH_ROUTE] = STAGE_ROUTE,
    [PATH_VC_ALLOC] = STAGE_VC_ALLOC,
    [PATH_SW_ALLOC] = STAGE_SW_ALLOC,
    [PATH_SW_UPDATE] = STAGE_SW_ALLOC,
    [PATH_READ] = STAGE_READ,
    [PATH_DATA] = STAGE_TRAVERSAL,
    [PATH_SELECT] = STAGE_TRAVERSAL,
    [PATH_SINGLE] = ROUTER_STAGES,
    [PATH_SINGLE_GRANT] = ROUTER_STAGES,
};

struct stage_model {
    struct arena *mem;
    const struct cell_lib *lib;
    struct router_point point;
    struct stage_shape shape;
    double skew;
    struct path paths[STAGE_PATHS];
    double fastest[STAGE_PATHS];     /* s, with both registers */
    double area_price[STAGE_BLOCKS]; /* s per m^2, at which a block is fastest */
};

/* What a register between two pieces adds: the fastest of the library. */
double stage_register_delay(const struct cell_lib *lib)
{
    double best = INFINITY;
    for (size_t s = 0; s < lib->n_sizes; s++) {
        const struct cell *dff = &lib->cells[CELL_DFFQ][s];
        best = fmin(best, dff->delay[PIN_CK] + dff->delay[PIN_D]);
    }
    return best;
}

static double fo4_of(const struct cell_lib *lib)
{
    const struct cell *inv = &lib->cells[CELL_INV][0];
    return inv->delay[PIN_A] + 0.693 * inv->drive_r * 4 * inv->pin_cap[PIN_A];
}

/* ---- gates and distances ------------------------------------------------------------------------
 * A larger gate is faster, and makes the block that it stands in larger and its wires longer. */

static const enum stage_path block_paths[STAGE_BLOCKS][2] = {
    [BLOCK_SWITCH] = {PATH_DATA, PATH_SELECT},
    [BLOCK_VC_ALLOC] = {PATH_VC_ALLOC, PATH_VC_ALLOC},
    [BLOCK_SW_ALLOC] = {PATH_SW_ALLOC, PATH_SW_UPDATE},
    [BLOCK_BUFFER] = {PATH_READ, PATH_READ},
};
enum { SETTLE_TIMES = 2, PRICES_TRIED = 6 };

/* What enlarging cost: the path as sized beside the same path of smallest gates. */
static struct nl_sum enlarged(struct path *p)
{
    struct nl_sum sum = path_price(p), least;
    uint8_t sized[PATH_GATES_MAX];
    memcpy(sized, p->size, p->n);
    path_smallest(p);
    least = path_price(p);
    memcpy(p->size, sized, p->n);
    nl_sum_add(&sum, least, -1);
    return sum;
}

/* The cells of a block as sized, m^2. */
static double block_cells(struct stage_model *m, enum stage_block b)
{
    const enum stage_path *list = block_paths[b];
    const struct cell *dff = &m->lib->cells[CELL_DFFQ][0];
    if (b == BLOCK_SWITCH) /* all of its cells are on its paths but the registers at its outputs */
        return path_price(&m->paths[list[0]]).area + path_price(&m->paths[list[1]]).area +
               (double)m->shape.n_out * m->shape.bits * dff->area;
    return m->shape.least[b] + enlarged(&m->paths[list[0]]).area;
}

static double build_block(struct stage_model *m, enum stage_block b, double price)
{
    double longest = 0;
    for (int i = 0; i < 2; i++) {
        enum stage_path which = block_paths[b][i];
        stage_path_build(&m->shape, which, &m->paths[which]);
        m->fastest[which] = m->paths[which].n ? path_trade(&m->paths[which], price) : 0;
        longest = fmax(longest, m->fastest[which]);
    }
    return longest;
}

/* Gates sized at a price of area, and the distances that they make. */
static double settle_at(struct stage_model *m, enum stage_block b, double price)
{
    stage_shape_place(&m->shape, b, m->shape.least[b]);
    double longest = build_block(m, b, price);
    for (int i = 0; i < SETTLE_TIMES && !m->shape.is_fixed[b]; i++) {
        stage_shape_place(&m->shape, b, block_cells(m, b));
        longest = build_block(m, b, price);
    }
    return longest;
}

/* The price at which the block is fastest: gates too large make it too wide. Of the switch also the
 * size of its first multiplexers, with which all input lines are laden. */
static void settle(struct stage_model *m, enum stage_block b)
{
    size_t sizes = b == BLOCK_SWITCH && m->shape.switches == SWITCH_MUXES ? m->lib->n_sizes : 1;
    double longest = INFINITY;
    uint32_t best_size = 0;
    for (size_t size = 0; size < sizes; size += 3) {
        m->shape.mux_size = (uint32_t)size;
        double delay = settle_at(m, b, 0), unit = delay / block_cells(m, b), price = 0;
        for (int i = 0; i <= PRICES_TRIED; i++) {
            if (delay < longest) {
                longest = delay;
                m->area_price[b] = price;
                best_size = m->shape.mux_size;
            }
            if (m->shape.is_fixed[b])
                break;
            price = unit * ldexp(1, 2 * i - PRICES_TRIED);
            delay = settle_at(m, b, price);
        }
    }
    m->shape.mux_size = best_size;
    settle_at(m, b, m->area_price[b]);
}

struct stage_model *stage_model_new(struct arena *mem, const struct cell_lib *lib,
                                    const struct router_point *p,
                                    const struct stage_options *options)
{
    struct stage_model *m = arena_new(mem, struct stage_model);
    m->mem = mem;
    m->lib = lib;
    m->point = *p;
    m->shape = stage_shape_of(lib, p, options);
    m->skew = options->skew;
    for (int b = 0; b < STAGE_BLOCKS; b++)
        settle(m, (enum stage_block)b);
    static const enum stage_path others[] = {PATH_ROUTE, PATH_SINGLE, PATH_SINGLE_GRANT};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct path *path = &m->paths[others[i]];
        stage_path_build(&m->shape, others[i], path);
        m->fastest[others[i]] =
            path_trade(path, others[i] == PATH_ROUTE ? 0 : m->area_price[BLOCK_SWITCH]);
    }
    return m;
}

/* ---- traversal in pieces -----------------------------------------------------------------------
 * Registers go between gates, so a piece is whole gates with their wires (repeaters make them
 * short). */

struct pieces {
    double gate[PATH_GATES_MAX]; /* s, without the registers at the ends of the path */
    size_t n;
};

static struct pieces pieces_of(const struct path *p)
{
    struct pieces x = {.n = p->n};
    for (size_t i = 0; i < p->n; i++)
        x.gate[i] = path_gate_delay(p, i);
    if (p->n) {
        x.gate[0] -= p->lib->cells[CELL_DFFQ][p->size[0]].delay[PIN_CK];
        x.gate[p->n - 1] = 0;
    }
    return x;
}

/* Cuts before a piece would exceed `most`, s: how many pieces there are, the longest of them, and
 * where each ends (its last gate). */
static uint32_t cut(const struct pieces *x, double most, double *longest, uint32_t *ends)
{
    uint32_t n = 1;
    double sum = 0;
    *longest = 0;
    for (size_t i = 0; i < x->n; i++) {
        if (sum > 0 && sum + x->gate[i] > most) {
            if (ends && n <= STAGE_TRAVERSAL_MAX)
                ends[n - 1] = (uint32_t)i - 1;
            n++;
            sum = 0;
        }
        sum += x->gate[i];
        *longest = fmax(*longest, sum);
    }
    return n;
}

/* The longest piece of the best cut into at most `n`, s; registers apart. */
static double longest_piece(const struct path *p, uint32_t n)
{
    struct pieces x = pieces_of(p);
    double lo = 0, hi = 0, longest;
    for (size_t i = 0; i < x.n; i++)
        hi += x.gate[i];
    for (int i = 0; i < 40; i++) {
        double mid = (lo + hi) / 2;
        if (cut(&x, mid, &longest, NULL) <= n)
            hi = mid;
        else
            lo = mid;
    }
    cut(&x, hi, &longest, NULL);
    return longest;
}

static double traversal_cycle(const struct stage_model *m, uint32_t cycles)
{
    if (cycles <= 1)
        return fmax(m->fastest[PATH_DATA], m->fastest[PATH_SELECT]);
    return stage_register_delay(m->lib) + fmax(longest_piece(&m->paths[PATH_DATA], cycles),
                                               longest_piece(&m->paths[PATH_SELECT], cycles));
}

/* ---- timing ---------------------------------------------------------------------------------- */

/* One cycle of each stage, with skew. Two cycles of an allocation share its loop. */
struct stage_timing stage_model_timing(struct stage_model *m, struct stage_plan plan)
{
    struct stage_timing t = {.fo4 = fo4_of(m->lib)};
    for (int i = 0; i < STAGE_PATHS; i++)
        if (stage_of[i] < ROUTER_STAGES)
            t.delay[stage_of[i]] = fmax(t.delay[stage_of[i]], m->fastest[i]);
    for (int i = 0; i < ROUTER_STAGES; i++) {
        double one = t.delay[i];
        if (i == STAGE_TRAVERSAL)
            one = traversal_cycle(m, plan.traversal);
        else if (i == STAGE_VC_ALLOC || i == STAGE_SW_ALLOC)
            one /= plan.alloc;
        t.period[i] = one / (1 - m->skew);
        if (t.period[i] > t.period[t.slowest])
            t.slowest = (enum router_stage)i;
    }
    return t;
}

double stage_model_single_cycle(struct stage_model *m)
{
    return fmax(fmax(m->fastest[PATH_SINGLE], m->fastest[PATH_SINGLE_GRANT]),
                m->fastest[PATH_DATA]) /
           (1 - m->skew);
}

uint32_t stage_model_traversal(struct stage_model *m, double period)
{
    double before = INFINITY;
    for (uint32_t n = 1; n <= STAGE_TRAVERSAL_MAX; n++) {
        double cycle = traversal_cycle(m, n) / (1 - m->skew);
        if (cycle <= period * (1 + 1e-9))
            return n;
        if (!(cycle < before * 0.999) && n > 1)
            return n - 1;
        before = cycle;
    }
    return STAGE_TRAVERSAL_MAX;
}

struct stage_plan stage_model_plan(struct stage_model *m, double freq, uint32_t traversal,
                                   bool two_cycle_alloc)
{
    struct stage_plan plan = {.traversal = 1, .alloc = 1};
    struct stage_timing t = stage_model_timing(m, plan);
    double period = 1 / freq, alloc = fmax(t.period[STAGE_VC_ALLOC], t.period[STAGE_SW_ALLOC]);
    if (two_cycle_alloc && alloc > period * (1 + 1e-9)) {
        plan.alloc = 2;
        alloc /= 2;
    }
    period = fmax(fmax(period, alloc), fmax(t.period[STAGE_ROUTE], t.period[STAGE_READ]));
    plan.traversal = traversal ? traversal : stage_model_traversal(m, period);
    return plan;
}

/* ---- prices ---------------------------------------------------------------------------------- */

static struct nl_sum arbiter_price(struct stage_model *m, uint32_t n)
{
    struct nl_sum none = {0, {0, 0}, 0};
    if (n < 2)
        return none;
    struct netlist nl;
    struct arena_mark mark = arena_mark(m->mem);
    nl_init(&nl, m->mem, m->lib);
    struct gate_build b = {&nl, NL_NONE};
    uint32_t *requests = arena_many(m->mem, uint32_t, n);
    for (uint32_t i = 0; i < n; i++)
        requests[i] = nl_net(&nl);
    struct cell_range cells = part_arbiters[m->point.arbiters](&b, n, requests);
    nl_freeze(&nl);
    struct nl_sum sum = nl_sum(&nl, cells.first, cells.n);
    arena_rewind(m->mem, mark);
    return sum;
}

static void add_part(struct router_result *out, enum router_part part, struct nl_sum sum)
{
    out->area[part] += sum.area;
    for (int v = 0; v < LEAK_VARIANTS; v++)
        out->leak[v][part] += sum.leak[v];
}

static void price_vc_alloc(struct stage_model *m, struct router_result *out)
{
    struct nl_sum one = arbiter_price(m, m->shape.vcs), all = arbiter_price(m, m->shape.n_in);
    double v = m->shape.vcs, in = m->shape.n_in, outs = m->shape.n_out;
    struct nl_sum sum = {0, {0, 0}, 0};
    nl_sum_add(&sum, one, in * v + outs * v * in);
    nl_sum_add(&sum, all, outs * v);
    add_part(out, ROUTER_SWALLOC, sum);
    out->e_vc_alloc = 2 * one.energy + all.energy + path_price(&m->paths[PATH_VC_ALLOC]).energy;
    add_part(out, ROUTER_SWALLOC, enlarged(&m->paths[PATH_VC_ALLOC]));
}

/* Registers between the pieces: one at the output of each gate where a piece ends. */
static struct nl_sum price_cuts(const struct stage_model *m, uint32_t cycles)
{
    const struct path *p = &m->paths[PATH_DATA];
    const struct cell *dff = &m->lib->cells[CELL_DFFQ][0];
    uint32_t ends[STAGE_TRAVERSAL_MAX + 1] = {0};
    struct nl_sum sum = {0, {0, 0}, 0};
    double vdd = m->lib->tech->vdd;
    struct pieces x = pieces_of(p);
    double longest;
    uint32_t pieces = cut(&x, longest_piece(p, cycles) * (1 + 1e-9), &longest, ends);
    for (uint32_t i = 0; i + 1 < cycles; i++) {
        /* fewer pieces than cycles: the others are registers before the output's */
        double n = i + 1 < pieces ? p->gates[ends[i]].copies : 0;
        if (n < 1)
            n = (double)m->shape.n_out * m->shape.bits;
        sum.area += n * dff->area;
        for (int v = 0; v < LEAK_VARIANTS; v++)
            sum.leak[v] += n * dff->leak_mean[v];
        sum.energy += m->shape.bits * vdd * vdd *
                      (dff->cap_s + 0.25 * (dff->cap_d + dff->cap_m + dff->cap_y));
    }
    return sum;
}

/* Cells of the multiplexers, select trees and repeaters, or the wires where they need more. */
static void price_crossbar(struct stage_model *m, uint32_t cycles, struct router_result *out)
{
    const struct stage_shape *s = &m->shape;
    const struct cell *mux = &m->lib->cells[CELL_MUX2][0];
    double vdd = m->lib->tech->vdd, area = s->wire_area;
    struct nl_sum sum = path_price(&m->paths[PATH_DATA]);
    if (s->n_in > 1)
        nl_sum_add(&sum, path_price(&m->paths[PATH_SELECT]), 1);
    sum.energy += vdd * vdd * 0.25 * s->bits * (s->n_in - 1.0) * mux->cap_s;
    nl_sum_add(&sum, price_cuts(m, cycles), 1);
    out->area[ROUTER_XBAR] = fmax(area, sum.area);
    for (int v = 0; v < LEAK_VARIANTS; v++)
        out->leak[v][ROUTER_XBAR] = sum.leak[v];
    /* the registers of select and output as before */
    const struct cell *dff = &m->lib->cells[CELL_DFFQ][0];
    double flop = vdd * vdd * (dff->cap_s + 0.25 * (dff->cap_d + dff->cap_m + dff->cap_y));
    out->e_xbar = sum.energy + (s->bits + bits_clog2(s->n_in)) * flop;
}

static double budget_of(const struct stage_model *m, double freq, uint32_t cycles)
{
    return cycles / freq * (1 - m->skew);
}

/* The smallest gates that are fast enough; of a traversal in pieces, that each piece is. */
static void size_path(struct stage_model *m, enum stage_path which, double freq,
                      struct stage_plan plan)
{
    struct path *p = &m->paths[which];
    bool allocates = stage_of[which] == STAGE_VC_ALLOC || stage_of[which] == STAGE_SW_ALLOC;
    if (p->n == 0)
        return;
    if (stage_of[which] != STAGE_TRAVERSAL || plan.traversal <= 1) {
        path_within(p, budget_of(m, freq, allocates ? plan.alloc : 1));
        return;
    }
    double piece = budget_of(m, freq, 1) - stage_register_delay(m->lib);
    double share = 1;
    while (share > 0.5) {
        path_within(p, share * plan.traversal * piece + stage_register_delay(m->lib));
        if (longest_piece(p, plan.traversal) <= piece)
            return;
        share -= 0.05;
    }
    path_fastest(p);
}

/* The smallest gates of a block that are fast enough, and the distances that these make. */
static void size_block(struct stage_model *m, enum stage_block b, double freq,
                       struct stage_plan plan)
{
    stage_shape_place(&m->shape, b, m->shape.least[b]);
    for (int i = 0; i < (m->shape.is_fixed[b] ? 1 : 2); i++) {
        if (i > 0)
            stage_shape_place(&m->shape, b, block_cells(m, b));
        for (int k = 0; k < 2; k++) {
            enum stage_path which = block_paths[b][k];
            stage_path_build(&m->shape, which, &m->paths[which]);
            size_path(m, which, freq, plan);
        }
    }
}

void stage_model_price(struct stage_model *m, double freq, struct stage_plan plan,
                       struct router_result *out)
{
    struct arena mem;
    arena_init(&mem, m->mem->out_of_memory, m->mem->ctx);
    struct router_model *plain = router_model_new(&mem, m->lib, &m->point, NULL, 0);
    router_model_size(plain, freq, TIMING_NONE);
    router_model_price(plain, out);
    arena_free(&mem);

    struct stage_timing t = stage_model_timing(m, plan);
    double wire_metal1 = out->area_total - out->wire_metal1; /* the filler of the crossbar */
    for (int b = 0; b < STAGE_BLOCKS; b++)
        size_block(m, (enum stage_block)b, freq, plan);
    size_path(m, PATH_ROUTE, freq, plan);
    add_part(out, ROUTER_INPUT_PORTS, enlarged(&m->paths[PATH_ROUTE]));
    add_part(out, ROUTER_INPUT_PORTS, enlarged(&m->paths[PATH_READ]));
    add_part(out, ROUTER_SWALLOC, enlarged(&m->paths[PATH_SW_ALLOC]));
    out->e_arb2 += enlarged(&m->paths[PATH_SW_ALLOC]).energy;
    price_vc_alloc(m, out);
    price_crossbar(m, plan.traversal, out);
    for (int b = 0; b < STAGE_BLOCKS; b++)
        settle_at(m, (enum stage_block)b, m->area_price[b]);
    path_fastest(&m->paths[PATH_ROUTE]);

    out->area_total = 0;
    memset(out->leak_total, 0, sizeof out->leak_total);
    for (int i = 0; i < ROUTER_PARTS; i++) {
        out->area_total += out->area[i];
        for (int v = 0; v < LEAK_VARIANTS; v++)
            out->leak_total[v] += out->leak[v][i];
    }
    out->wire_metal1 = out->area_total - wire_metal1;
    out->timed = true;
    out->required = 1 / freq;
    out->min_delay = t.period[t.slowest];
    out->slack = out->required - out->min_delay;
    out->met = out->slack >= -1e-3 * out->required;
    out->t_ck = t.period[t.slowest];
}
