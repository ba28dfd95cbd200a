/* SPDX-License-Identifier: MIT */
#include "noc/topology/grid.h"

#include "base/vec.h"

bool grid_complete(struct noc_params *p, struct err *err)
{
    uint32_t nodes = p->n_sm_ports + p->n_llcs;
    if (!p->mesh_columns && !p->mesh_rows)
        p->mesh_columns = p->mesh_rows = noc_ceil_sqrt(nodes);
    if (!p->mesh_columns)
        p->mesh_columns = (nodes - 1) / p->mesh_rows + 1;
    if (!p->mesh_rows)
        p->mesh_rows = (nodes - 1) / p->mesh_columns + 1;
    if ((uint64_t)p->mesh_columns * p->mesh_rows > GRID_MAX_NODES)
        return err_add(err, ERR_INPUT, p->at,
                       "noc.mesh.columns = %u times noc.mesh.rows = %u are more than %u nodes",
                       p->mesh_columns, p->mesh_rows, GRID_MAX_NODES);
    if (p->mesh_columns * p->mesh_rows < nodes)
        return err_add(err, ERR_INPUT, p->at,
                       "noc.mesh.columns = %u times noc.mesh.rows = %u are too few nodes for %u SM "
                       "ports (gpu.sms) and llc.slices = %u",
                       p->mesh_columns, p->mesh_rows, p->n_sm_ports, p->n_llcs);
    return true;
}

/* ---- placement ------------------------------------------------------------------------------ */

struct placing {
    const struct noc_params *params;
    bool odd_only;
    bool *taken;    /* [cell] */
    uint32_t *cell; /* [LLC slice]: the result */
    uint32_t n;     /* slices placed */
};

static bool is_free(const struct placing *p, uint32_t x, uint32_t y)
{
    return !p->taken[y * p->params->mesh_columns + x] && (!p->odd_only || ((x + y) & 1));
}

static void take(struct placing *p, uint32_t cell)
{
    p->taken[cell] = true;
    p->cell[p->n++] = cell;
}

static void place_rows(struct placing *p, bool from_top)
{
    uint32_t columns = p->params->mesh_columns, rows = p->params->mesh_rows;
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t x = 0; x < columns && p->n < p->params->n_llcs; x++) {
            uint32_t y = from_top ? rows - 1 - i : i;
            if (is_free(p, x, y))
                take(p, y * columns + x);
        }
}

/* The column of a ring of places in row y: the left and the right side of the grid, or Abts'
 * diamond, whose corners are the middles of the sides; the next ring is one column further in, or,
 * of the diamond, further out around the edge. */
static uint32_t ring_column(const struct noc_params *p, uint32_t y, uint32_t ring, bool right)
{
    uint32_t columns = p->mesh_columns, rows = p->mesh_rows;
    if (p->placement == NOC_PLACE_LEFT_RIGHT)
        return right ? columns - 1 - ring : ring;
    uint32_t from_edge = y < rows - 1 - y ? y : rows - 1 - y;
    uint32_t out = (from_edge * columns / rows + ring) % columns;
    return right ? (columns / 2 + out) % columns : ((columns - 1) / 2 + columns - out) % columns;
}

/* The free places of a ring, once around. */
static uint32_t ring_outline(const struct placing *p, uint32_t ring, uint32_t *outline)
{
    uint32_t columns = p->params->mesh_columns, rows = p->params->mesh_rows, n = 0;
    bool in_rows = p->params->placement == NOC_PLACE_TOP_BOTTOM;
    uint32_t length = in_rows ? columns : rows;
    for (int back = 0; back < 2; back++)
        for (uint32_t i = 0; i < length; i++) {
            uint32_t at = back ? length - 1 - i : i;
            uint32_t x = in_rows ? at : ring_column(p->params, at, ring, back);
            uint32_t y = !in_rows ? at : back ? rows - 1 - ring : ring;
            bool again =
                back && (in_rows ? y == ring : x == ring_column(p->params, y, ring, false));
            if (is_free(p, x, y) && !again)
                outline[n++] = y * columns + x;
        }
    return n;
}

/* Ring by ring; a ring that is not filled gets its nodes evenly along its outline. */
static void place_rings(struct placing *p, struct arena *scratch)
{
    uint32_t columns = p->params->mesh_columns, rows = p->params->mesh_rows;
    uint32_t *outline =
        arena_many(scratch, uint32_t, 2 * (size_t)(rows > columns ? rows : columns));
    uint32_t rings = p->params->placement == NOC_PLACE_TOP_BOTTOM ? rows : columns;
    for (uint32_t ring = 0; ring < rings && p->n < p->params->n_llcs; ring++) {
        uint32_t n = ring_outline(p, ring, outline), want = p->params->n_llcs - p->n;
        if (want > n)
            want = n;
        for (uint32_t i = 0; i < want; i++)
            take(p, outline[(2 * (uint64_t)i + 1) * n / (2 * (uint64_t)want)]);
    }
}

/* ---- no row and no column of a diamond has more than its share; memory nodes alone are placed
 * ---- */

/* The cell of a line (a row, or a column) at a position along it. */
static uint32_t cell_of(const struct placing *p, bool in_rows, uint32_t line, uint32_t at)
{
    uint32_t columns = p->params->mesh_columns;
    return in_rows ? line * columns + at : at * columns + line;
}

static uint32_t count_line(const struct placing *p, bool in_rows, uint32_t line, uint32_t length)
{
    uint32_t n = 0;
    for (uint32_t at = 0; at < length; at++)
        n += p->taken[cell_of(p, in_rows, line, at)];
    return n;
}

/* Moves a node from one line to another, straight across, so that the lines the other way keep
 * their counts. False: no place is free there. */
static bool move_across(struct placing *p, bool in_rows, uint32_t from, uint32_t to,
                        uint32_t length)
{
    for (uint32_t at = 0; at < length; at++) {
        uint32_t old = cell_of(p, in_rows, from, at), cell = cell_of(p, in_rows, to, at);
        uint32_t columns = p->params->mesh_columns;
        if (!p->taken[old] || !is_free(p, cell % columns, cell / columns))
            continue;
        for (uint32_t i = 0; i < p->n; i++)
            if (p->cell[i] == old)
                p->cell[i] = cell;
        p->taken[old] = false;
        p->taken[cell] = true;
        return true;
    }
    return false;
}

/* From the fullest line to the emptiest until none has more than its share. Each move makes the
 * counts more equal, so this ends; where only half of the places may be used it may stop early. */
static void even_out(struct placing *p, bool in_rows)
{
    uint32_t columns = p->params->mesh_columns, rows = p->params->mesh_rows;
    uint32_t lines = in_rows ? rows : columns, length = in_rows ? columns : rows;
    uint32_t share = (p->n + lines - 1) / lines;
    for (;;) {
        uint32_t most = 0, least = 0, n_most = 0, n_least = UINT32_MAX;
        for (uint32_t i = 0; i < lines; i++) {
            uint32_t n = count_line(p, in_rows, i, length);
            if (n > n_most)
                n_most = n, most = i;
            if (n < n_least)
                n_least = n, least = i;
        }
        if (n_most <= share || !move_across(p, in_rows, most, least, length))
            return;
    }
}

/* GPGPU-Sim's own preset for 56 SMs and 8 controllers (icnt_config_fermi_islip and others:
 * use_map), nodes numbered row by row. */
static bool place_gpgpusim(struct placing *p, struct err *err)
{
    static const uint8_t nodes[8] = {3, 15, 17, 29, 36, 47, 49, 61};
    const struct noc_params *params = p->params;
    if (params->mesh_columns != 8 || params->mesh_rows != 8 || params->n_llcs != 8)
        return err_add(err, ERR_INPUT, params->at,
                       "noc.mesh.placement = 'gpgpusim' is for 8 memory nodes on 8 x 8, not for "
                       "llc.slices = %u on noc.mesh.columns = %u by noc.mesh.rows = %u",
                       params->n_llcs, params->mesh_columns, params->mesh_rows);
    if (p->odd_only)
        return err_add(err, ERR_INPUT, params->at,
                       "noc.mesh.placement = 'gpgpusim' puts memory nodes on full routers; "
                       "noc.routing = 'checkerboard' wants them where column + row is odd");
    for (size_t i = 0; i < sizeof nodes; i++)
        take(p, nodes[i]);
    return true;
}

static bool place_listed(struct placing *p, struct err *err)
{
    const struct noc_params *params = p->params;
    if (params->n_place_list != 2 * (uint64_t)params->n_llcs)
        return err_add(err, ERR_INPUT, params->at,
                       "noc.mesh.memory_nodes has %u numbers; llc.slices = %u need two each",
                       params->n_place_list, params->n_llcs);
    for (uint32_t i = 0; i < params->n_llcs; i++) {
        int64_t x = params->place_list[2 * i], y = params->place_list[2 * i + 1];
        if (x < 0 || y < 0 || x >= params->mesh_columns || y >= params->mesh_rows)
            return err_add(err, ERR_INPUT, params->at,
                           "noc.mesh.memory_nodes: (%lld, %lld) is outside noc.mesh.columns = %u "
                           "and noc.mesh.rows = %u",
                           (long long)x, (long long)y, params->mesh_columns, params->mesh_rows);
        if (p->odd_only && !((x + y) & 1))
            return err_add(err, ERR_INPUT, params->at,
                           "noc.mesh.memory_nodes: (%lld, %lld) is a full router; noc.routing = "
                           "'checkerboard' wants memory nodes where column + row is odd",
                           (long long)x, (long long)y);
        uint32_t cell = (uint32_t)(y * params->mesh_columns + x);
        if (p->taken[cell])
            return err_add(err, ERR_INPUT, params->at,
                           "noc.mesh.memory_nodes: (%lld, %lld) is given twice", (long long)x,
                           (long long)y);
        take(p, cell);
    }
    return true;
}

bool grid_place(const struct noc_params *params, bool odd_only, struct arena *scratch,
                uint32_t *cell, struct err *err)
{
    uint32_t columns = params->mesh_columns, cells = columns * params->mesh_rows;
    uint32_t sms = params->n_sm_ports, llcs = params->n_llcs;
    if (odd_only && cells / 2 < llcs)
        return err_add(err, ERR_INPUT, params->at,
                       "noc.routing = 'checkerboard' has %u half-routers for memory nodes, "
                       "llc.slices = %u need more",
                       cells / 2, llcs);
    struct placing p = {params, odd_only, arena_many(scratch, bool, cells), cell + sms, 0};
    switch (params->placement) {
    case NOC_PLACE_BOTTOM: place_rows(&p, false); break;
    case NOC_PLACE_TOP: place_rows(&p, true); break;
    case NOC_PLACE_TOP_BOTTOM:
    case NOC_PLACE_LEFT_RIGHT:
    case NOC_PLACE_AUTO: /* completed before */ place_rings(&p, scratch); break;
    case NOC_PLACE_DIAMOND:
        place_rings(&p, scratch);
        even_out(&p, true);
        even_out(&p, false);
        break;
    case NOC_PLACE_GPGPUSIM:
        if (!place_gpgpusim(&p, err))
            return false;
        break;
    case NOC_PLACE_LIST:
        if (!place_listed(&p, err))
            return false;
        break;
    }
    /* SMs in order on what is left; nodes that stay idle lie between memory and SMs */
    uint32_t next = 0;
    if (params->placement == NOC_PLACE_BOTTOM && !odd_only) {
        uint32_t memory_rows = (llcs - 1) / columns + 1;
        if (cells - memory_rows * columns >= sms)
            next = memory_rows * columns;
    }
    for (uint32_t i = 0; i < sms; i++, next++) {
        while (p.taken[next])
            next++;
        cell[i] = next;
    }
    return true;
}

/* ---- routers and rules ---------------------------------------------------------------------- */

static bool injects(enum noc_dir dir, bool is_sm)
{
    return dir == NOC_BOTH || is_sm == (dir == NOC_REQUEST);
}

bool *grid_ejecting(const struct noc_params *params, enum noc_dir dir, const uint32_t *cell,
                    struct arena *scratch)
{
    bool *ejecting = arena_many(scratch, bool, (size_t)params->mesh_columns * params->mesh_rows);
    for (uint32_t e = 0; e < params->n_sm_ports + params->n_llcs; e++)
        ejecting[cell[e]] = dir == NOC_BOTH || !injects(dir, e < params->n_sm_ports);
    return ejecting;
}

void grid_add_routers(struct noc_builder *b, const struct noc_params *params, enum noc_dir dir,
                      const struct grid_ports *ports, const uint32_t *cell)
{
    static const struct {
        enum grid_port out, in;
        int dx, dy;
    } ways[] = {{GRID_EAST, GRID_WEST, 1, 0},
                {GRID_WEST, GRID_EAST, -1, 0},
                {GRID_NORTH, GRID_SOUTH, 0, 1},
                {GRID_SOUTH, GRID_NORTH, 0, -1}};
    uint32_t columns = params->mesh_columns, rows = params->mesh_rows;

    for (uint32_t y = 0; y < rows; y++)
        for (uint32_t x = 0; x < columns; x++)
            noc_add_router(b, ports->n, ports->n, 0, (uint16_t)x, (uint16_t)y);
    for (uint32_t e = 0; e < params->n_sm_ports + params->n_llcs; e++) {
        uint16_t x = (uint16_t)(cell[e] % columns), y = (uint16_t)(cell[e] / columns);
        bool is_sm = e < params->n_sm_ports;
        if (is_sm)
            noc_add_sm_port(b, params, e, x, y);
        else
            noc_add_llc(b, e - params->n_sm_ports, x, y);
        if (injects(dir, is_sm))
            noc_inject(b, e, cell[e], ports->in[GRID_LOCAL]);
        if (dir == NOC_BOTH || !injects(dir, is_sm))
            noc_eject(b, cell[e], ports->out[GRID_LOCAL], e);
    }
    for (uint32_t y = 0; y < rows; y++)
        for (uint32_t x = 0; x < columns; x++)
            for (uint32_t w = 0; w < 4; w++) {
                uint32_t tx = x + (uint32_t)ways[w].dx, ty = y + (uint32_t)ways[w].dy;
                if (tx < columns && ty < rows && ports->out[ways[w].out] != GRID_NO_PORT)
                    noc_link(b, y * columns + x, ports->out[ways[w].out], ty * columns + tx,
                             ports->in[ways[w].in]);
            }
}

void grid_add_rules(struct noc_builder *b, const struct noc_params *params, uint32_t router,
                    const struct grid_ports *ports, struct grid_rules rules)
{
    uint16_t columns = (uint16_t)params->mesh_columns, rows = (uint16_t)params->mesh_rows;
    uint16_t x = (uint16_t)(router % columns), y = (uint16_t)(router / columns);
    uint16_t low = ports->out[GRID_SOUTH] == GRID_NO_PORT ? y : 0;
    uint16_t high = ports->out[GRID_NORTH] == GRID_NO_PORT ? y : (uint16_t)(rows - 1);
    bool x_first = rules.order == GRID_X_FIRST;
    struct noc_rule rule = {.classes = rules.classes, .class_to = rules.class_to};

    rule.y0 = x_first ? low : y;
    rule.y1 = x_first ? high : y;
    if (x > 0) {
        rule.x0 = 0, rule.x1 = (uint16_t)(x - 1);
        noc_add_single(b, router, rule, ports->out[GRID_WEST]);
    }
    if (x + 1 < columns) {
        rule.x0 = (uint16_t)(x + 1), rule.x1 = (uint16_t)(columns - 1);
        noc_add_single(b, router, rule, ports->out[GRID_EAST]);
    }
    rule.x0 = x_first ? x : 0;
    rule.x1 = x_first ? x : (uint16_t)(columns - 1);
    if (y > low) {
        rule.y0 = low, rule.y1 = (uint16_t)(y - 1);
        noc_add_single(b, router, rule, ports->out[GRID_SOUTH]);
    }
    if (y < high) {
        rule.y0 = (uint16_t)(y + 1), rule.y1 = high;
        noc_add_single(b, router, rule, ports->out[GRID_NORTH]);
    }
    if (rules.has_eject) {
        rule.x0 = rule.x1 = x;
        rule.y0 = rule.y1 = y;
        noc_add_single(b, router, rule, ports->out[GRID_LOCAL]);
    }
}
