/* SPDX-License-Identifier: MIT */
#include "energy/logic/router_extras.h"

#include "base/bits.h"
#include "energy/logic/router_parts.h"

static struct extra_cost of_sum(struct nl_sum s, double copies)
{
    struct extra_cost c = {.area = s.area * copies, .energy = s.energy};
    for (int v = 0; v < LEAK_VARIANTS; v++)
        c.leak[v] = s.leak[v] * copies;
    return c;
}

struct extra_cost extra_rr_unit(const struct cell_lib *lib, enum arbiter_kind arbiters,
                                uint32_t n_in, uint32_t ports)
{
    struct arena mem;
    struct netlist nl;
    arena_init(&mem, NULL, NULL);
    nl_init(&nl, &mem, lib);
    struct gate_build b = {&nl, NL_NONE};
    uint32_t *requests = arena_many(&mem, uint32_t, n_in);
    for (uint32_t i = 0; i < n_in; i++)
        requests[i] = nl_net(&nl);
    struct cell_range arbiter = part_arbiters[arbiters](&b, n_in, requests);
    nl_freeze(&nl);
    struct extra_cost c = of_sum(nl_sum(&nl, arbiter.first, arbiter.n), ports);
    arena_free(&mem);
    return c;
}

/* a == c as a multiplexer between a and its complement; then one AND tree. */
static void compare_row(struct gate_build *b, const struct gate_wire *stored,
                        const struct gate_wire *key, uint32_t n)
{
    struct gate_wire *equal = arena_many(b->nl->mem, struct gate_wire, n);
    for (uint32_t i = 0; i < n; i++)
        equal[i] = gate_mux2(b, gate_inv(b, stored[i]), stored[i], key[i], 1);
    for (; n > 1; n = (n + 1) / 2)
        for (uint32_t i = 0; i < (n + 1) / 2; i++)
            equal[i] = 2 * i + 1 < n ? gate_two(b, CELL_AND2, equal[2 * i], equal[2 * i + 1])
                                     : equal[2 * i];
}

/* One column of the table is modelled in full and stands for `bits` columns; comparators are
 * built for every tag bit of one row and stand for `entries` rows. */
struct extra_cost extra_merge_table(const struct cell_lib *lib, uint32_t entries, uint32_t bits,
                                    uint32_t tag_bits)
{
    struct arena mem;
    struct netlist nl;
    arena_init(&mem, NULL, NULL);
    nl_init(&nl, &mem, lib);
    struct gate_build b = {&nl, NL_NONE};
    uint32_t a = bits_clog2(entries), n_tag = tag_bits < bits ? tag_bits : bits;
    struct gate_wire *address = arena_many(&mem, struct gate_wire, a + 1);
    struct gate_wire *rows = arena_many(&mem, struct gate_wire, entries + 1);
    struct gate_wire *tags = arena_many(&mem, struct gate_wire, n_tag + 1);
    struct gate_wire *keys = arena_many(&mem, struct gate_wire, n_tag + 1);
    struct gate_wire gated = {nl_net(&nl), SIGNAL_CLOCK};
    for (uint32_t i = 0; i < a; i++)
        address[i] = (struct gate_wire){nl_net(&nl), SIGNAL_RANDOM};

    if (entries == 1)
        rows[0] = (struct gate_wire){nl_net(&nl), SIGNAL_RANDOM};
    else
        part_decoder(&b, entries, address, rows);
    for (uint32_t e = 0; e < entries; e++)
        rows[e] = gate_inv(&b, gate_two(&b, CELL_NAND2, gated, rows[e]));
    uint32_t control_cells = (uint32_t)nl.cells.n;
    uint32_t data = nl_net(&nl);
    for (uint32_t e = 0; e < entries; e++) {
        struct gate_wire q = gate_dff(&b, SIGNAL_RANDOM, rows[e].sig);
        nl_connect(&nl, data, gate_cell(&b, q), PIN_D, 1);
        nl_connect(&nl, rows[e].net, gate_cell(&b, q), PIN_CK, bits);
        rows[e] = q;
    }
    part_multiplexer(&b, entries, rows, address, 1);
    uint32_t column_cells = (uint32_t)nl.cells.n - control_cells;
    for (uint32_t i = 0; i < n_tag; i++) {
        tags[i] = (struct gate_wire){nl_net(&nl), SIGNAL_STATIC};
        keys[i] = (struct gate_wire){nl_net(&nl), SIGNAL_RANDOM};
    }
    uint32_t before = (uint32_t)nl.cells.n;
    compare_row(&b, tags, keys, n_tag);
    nl_freeze(&nl);

    struct nl_sum sum = nl_sum(&nl, 0, control_cells);
    nl_sum_add(&sum, nl_sum(&nl, control_cells, column_cells), bits);
    double use = sum.energy;
    nl_sum_add(&sum, nl_sum(&nl, before, (uint32_t)nl.cells.n - before), entries);
    arena_free(&mem);
    struct extra_cost c = of_sum(sum, 1);
    c.search = sum.energy - use;
    c.energy = use;
    return c;
}

struct extra_cost extra_grant_holder(const struct cell_lib *lib, uint32_t n_in, uint32_t n_out)
{
    struct arena mem;
    struct netlist nl;
    arena_init(&mem, NULL, NULL);
    nl_init(&nl, &mem, lib);
    struct gate_build b = {&nl, NL_NONE};
    struct gate_wire hold = gate_dff(&b, SIGNAL_RANDOM, SIGNAL_CLOCK);
    hold = gate_inv(&b, gate_inv(&b, hold));
    for (uint32_t i = 0; i < n_in; i++) {
        struct gate_wire fresh = {nl_net(&nl), SIGNAL_RANDOM};
        struct gate_wire held = gate_dff(&b, SIGNAL_RANDOM, SIGNAL_CLOCK);
        struct gate_wire grant = gate_mux2(&b, fresh, held, hold, 1);
        nl_connect(&nl, grant.net, gate_cell(&b, held), PIN_D, 1);
    }
    nl_freeze(&nl);
    struct extra_cost c = of_sum(nl_sum(&nl, 0, (uint32_t)nl.cells.n), n_out);
    arena_free(&mem);
    return c;
}
