/* SPDX-License-Identifier: MIT
 *
 * cfnoc: the conflict-free request network that the CD-Xbar paper compares with (its Table 5). The
 * slices lie in row 0, every column of SMs above it has a narrow subnet of its own: down the
 * column, then along row 0 both ways. Nothing is buffered on the way: a token in each column says
 * who sends, and every slice has one queue for each subnet.
 *
 *     SM ─▶ tap      tap ◀─ SM        a tap: a 2:1 multiplexer and a register
 *            │        │
 *     SM ─▶ tap      tap ◀─ SM
 *            │        │
 *           reg ───▶ reg              row 0, subnet of the left column
 *           reg ◀─── reg              row 0, subnet of the right column
 *           │ │       │ │
 *          queues    queues           one for each subnet, emptied in turn
 *            ▼        ▼
 *           llc      llc
 *
 * Besides: the wires of the token, which carries the free room of the column's queues, and those
 * on which that room comes back from the queues to the foot of the column.
 *
 * C columns with S ports and L slices (L = C): S + C * L + L nodes; S + C (C - 1) + C * L channels
 * between them, S + L to endpoints; S wires of tokens and C * L of credits. */
#include "base/bits.h"
#include "noc/build.h"

enum { MOST_COLUMNS = 128 };

static const char *const keys[] = {"noc.cfnoc.columns", "noc.cfnoc.rows",  "noc.cfnoc.queue",
                                   "noc.cfnoc.drain",   "noc.cfnoc.token", NULL};
static const char *const routings[] = {"column_row", NULL};
extern const struct topology noc_cfnoc;

static bool complete(struct noc_params *p, struct err *err)
{
    if (!noc_complete_common(p, &noc_cfnoc, err))
        return false;
    if (!p->cf_columns)
        p->cf_columns = p->n_llcs;
    if (!p->cf_rows)
        p->cf_rows = (p->n_sm_ports - 1) / p->cf_columns + 2;
    if (!p->cf_queue)
        p->cf_queue = 34;
    if (!p->cf_drain)
        p->cf_drain = 4;
    if (p->cf_columns < p->n_llcs)
        return err_add(err, ERR_INPUT, p->at,
                       "noc.cfnoc.columns = %u: row 0 has no place for llc.slices = %u",
                       p->cf_columns, p->n_llcs);
    if (p->cf_columns > MOST_COLUMNS)
        return err_add(err, ERR_INPUT, p->at,
                       "noc.topology = 'cfnoc' has a subnet for each of noc.cfnoc.columns = %u "
                       "columns (llc.slices = %u); it is modelled up to %u",
                       p->cf_columns, p->n_llcs, MOST_COLUMNS);
    if ((uint64_t)p->cf_columns * (p->cf_rows - 1) < p->n_sm_ports)
        return err_add(err, ERR_INPUT, p->at,
                       "noc.cfnoc.rows = %u: the rows above row 0 have %u places, gpu.sms gives %u "
                       "SM ports",
                       p->cf_rows, p->cf_columns * (p->cf_rows - 1), p->n_sm_ports);
    if ((uint64_t)p->width_bits * p->cf_drain > UINT16_MAX)
        return err_add(err, ERR_INPUT, p->at,
                       "noc.cfnoc.drain = %u flits of noc.width = %u bits are more than %u bits",
                       p->cf_drain, p->width_bits, UINT16_MAX);
    return true;
}

struct maker {
    const struct noc_params *p;
    struct noc_builder *b;
    uint32_t *taps;     /* [SM port] */
    uint32_t *columns;  /* [column] its lowest tap */
    uint32_t *queues;   /* [slice] */
    uint32_t n_columns; /* with SMs */
};

/* SM port i is in column i mod columns, the first ones in row 1. */
static void add_columns(struct maker *m)
{
    uint32_t c = m->p->cf_columns;
    for (uint32_t i = 0; i < m->p->n_sm_ports; i++) {
        bool is_top = i + c >= m->p->n_sm_ports;
        m->taps[i] =
            noc_add_router(m->b, is_top ? 1 : 2, 1, 0, (uint16_t)(i % c), (uint16_t)(1 + i / c));
        noc_set_kind(m->b, m->taps[i], NOC_TAP);
        noc_inject(m->b, i, m->taps[i], 0);
        noc_add_single(m->b, m->taps[i], NOC_EVERYWHERE, 0);
        if (i < c)
            m->columns[i] = m->taps[i];
        else
            noc_link(m->b, m->taps[i], 0, m->taps[i - c], 1);
    }
}

static void add_rule(struct maker *m, uint32_t router, uint32_t x0, uint32_t x1, uint16_t port)
{
    struct noc_rule rule = NOC_EVERYWHERE;
    rule.x0 = (uint16_t)x0;
    rule.x1 = (uint16_t)x1;
    noc_add_single(m->b, router, rule, port);
}

/* The registers of one subnet in row 0, from its column outwards. */
static void add_row(struct maker *m, uint32_t subnet, uint32_t *row)
{
    uint32_t slices = m->p->n_llcs, last = subnet < slices ? slices - 1 : subnet;
    for (uint32_t x = 0; x <= last; x++) {
        bool has_slice = x < slices, east = x >= subnet && x < last, west = x <= subnet && x > 0;
        uint16_t port = 0;
        row[x] = noc_add_router(m->b, 1, (uint16_t)(has_slice + east + west), 0, (uint16_t)x, 0);
        noc_set_kind(m->b, row[x], NOC_TAP);
        if (has_slice) {
            noc_set_length(m->b, noc_link(m->b, row[x], port, m->queues[x], (uint16_t)subnet), 0.1);
            add_rule(m, row[x], x, x, port++);
        }
        if (east)
            add_rule(m, row[x], x + 1, last, port++);
        if (west)
            add_rule(m, row[x], 0, x - 1, port);
    }
    noc_link(m->b, m->columns[subnet], 0, row[subnet], 0);
    for (uint32_t x = subnet; x < last; x++)
        noc_link(m->b, row[x], x < slices, row[x + 1], 0);
    for (uint32_t x = subnet; x > 0; x--)
        noc_link(m->b, row[x], (uint16_t)((x < slices) + (x == subnet && x < last)), row[x - 1], 0);
}

/* The token goes from tap to tap of a column, and back from the last to the first. */
static void add_side_wires(struct maker *m)
{
    const struct noc_params *p = m->p;
    uint32_t c = p->cf_columns, token = 1 + p->n_llcs * bits_clog2(p->cf_queue + 1);
    for (uint32_t i = 0; i < p->n_sm_ports; i++) {
        uint32_t next = i + c < p->n_sm_ports ? i + c : i % c;
        if (next != i)
            noc_side_link(m->b, m->taps[p->cf_token == NOC_TOKEN_UP ? i : next],
                          m->taps[p->cf_token == NOC_TOKEN_UP ? next : i], token);
    }
    for (uint32_t x = 0; x < p->n_llcs; x++)
        for (uint32_t s = 0; s < m->n_columns; s++)
            noc_side_link(m->b, m->queues[x], m->columns[s], bits_clog2(p->cf_drain + 1));
}

static bool build(const struct noc_params *p, enum noc_dir dir, struct arena *mem, struct noc *out,
                  struct err *err)
{
    if (dir != NOC_REQUEST)
        return noc_one_way(p, dir, NOC_REQUEST, err);
    struct arena scratch;
    noc_scratch(&scratch, mem);
    struct noc_builder *b = noc_builder_new(&scratch, noc_cfnoc.name, dir);
    struct maker m = {.p = p,
                      .b = b,
                      .taps = arena_many(&scratch, uint32_t, p->n_sm_ports),
                      .columns = arena_many(&scratch, uint32_t, p->cf_columns),
                      .queues = arena_many(&scratch, uint32_t, p->n_llcs),
                      .n_columns = p->n_sm_ports < p->cf_columns ? p->n_sm_ports : p->cf_columns};
    for (uint32_t i = 0; i < p->n_sm_ports; i++)
        noc_add_sm_port(b, p, i, (uint16_t)(i % p->cf_columns), (uint16_t)(1 + i / p->cf_columns));
    for (uint32_t i = 0; i < p->n_llcs; i++)
        noc_add_llc(b, i, (uint16_t)i, 0);
    add_columns(&m);
    for (uint32_t x = 0; x < p->n_llcs; x++) {
        m.queues[x] = noc_add_router(b, (uint16_t)m.n_columns, 1, 0, (uint16_t)x, 0);
        noc_set_kind(b, m.queues[x], NOC_QUEUES);
        noc_add_single(b, m.queues[x], NOC_EVERYWHERE, 0);
        noc_set_width(b, noc_eject(b, m.queues[x], 0, p->n_sm_ports + x),
                      p->width_bits * p->cf_drain);
    }
    uint32_t *row = arena_many(&scratch, uint32_t, p->cf_columns);
    for (uint32_t s = 0; s < m.n_columns; s++)
        add_row(&m, s, row);
    add_side_wires(&m);
    noc_freeze(b, p->width_bits, p->vcs, p->vc_depth, mem, out);
    out->flow = NOC_TOKEN;
    out->queue_flits = p->cf_queue;
    out->drain_flits = p->cf_drain;
    out->token_goes_down = p->cf_token == NOC_TOKEN_DOWN;
    out->grid_columns = (uint16_t)p->cf_columns;
    out->grid_rows = (uint16_t)p->cf_rows;
    arena_free(&scratch);
    return true;
}

const struct topology noc_cfnoc = {
    .name = "cfnoc",
    .meaning =
        "request network: a subnet of taps for each column of SMs, tokens, queues at the slices",
    .keys = keys,
    .routings = routings,
    .is_one_way = true,
    .way = NOC_REQUEST,
    .complete = complete,
    .build = build,
};
