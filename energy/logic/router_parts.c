/* SPDX-License-Identifier: MIT */
#include "energy/logic/router_parts.h"

#include <string.h>

#include "base/bits.h"

/* ---- single gates ---------------------------------------------------------------------------- */

static struct gate_wire add(struct gate_build *b, enum cell_kind kind, struct nl_stat stat,
                            struct signal y)
{
    struct netlist *nl = b->nl;
    uint32_t id = b->reuse == NL_NONE ? nl_stat(nl) : b->reuse++;
    nl->stats.at[id] = stat;
    return (struct gate_wire){nl_out(nl, nl_cell(nl, kind, id)), y};
}

struct gate_wire gate_inv(struct gate_build *b, struct gate_wire a)
{
    struct signal y = signal_not(a.sig);
    struct nl_stat stat = {.p1 = {signal_p1(a.sig)}, .n01_y = y.n01};
    struct gate_wire out = add(b, CELL_INV, stat, y);
    nl_connect(b->nl, a.net, gate_cell(b, out), PIN_A, 1);
    return out;
}

struct gate_wire gate_two(struct gate_build *b, enum cell_kind kind, struct gate_wire a,
                          struct gate_wire c)
{
    struct signal y = kind == CELL_NAND2  ? signal_nand(a.sig, c.sig)
                      : kind == CELL_AND2 ? signal_and(a.sig, c.sig)
                      : kind == CELL_OR2  ? signal_or(a.sig, c.sig)
                                          : signal_not(signal_or(a.sig, c.sig));
    struct nl_stat stat = {.p1 = {signal_p1(a.sig), signal_p1(c.sig)}, .n01_y = y.n01};
    struct gate_wire out = add(b, kind, stat, y);
    nl_connect(b->nl, a.net, gate_cell(b, out), PIN_A, 1);
    nl_connect(b->nl, c.net, gate_cell(b, out), PIN_B, 1);
    return out;
}

struct gate_wire gate_mux2(struct gate_build *b, struct gate_wire a, struct gate_wire c,
                           struct gate_wire s, double select_copies)
{
    struct signal y = signal_mux(a.sig, c.sig, s.sig);
    struct nl_stat stat = {.p1 = {signal_p1(a.sig), signal_p1(c.sig), signal_p1(s.sig)},
                           .n01_y = y.n01,
                           .n01_s = s.sig.n01};
    struct gate_wire out = add(b, CELL_MUX2, stat, y);
    uint32_t cell = gate_cell(b, out);
    nl_connect(b->nl, a.net, cell, PIN_A, 1);
    nl_connect(b->nl, c.net, cell, PIN_B, 1);
    nl_connect(b->nl, s.net, cell, PIN_S, select_copies);
    return out;
}

static struct nl_stat dff_stat(struct signal d, struct signal ck, struct signal *q)
{
    struct signal m = signal_sample(d, ck.n01 + ck.n00);
    *q = signal_sample(d, ck.n01);
    return (struct nl_stat){.p1 = {signal_p1(d), signal_p1(ck), signal_p1(*q)},
                            .n01_y = q->n01,
                            .n01_s = ck.n01,
                            .n01_d = d.n01,
                            .n01_m = m.n01};
}

struct gate_wire gate_dff(struct gate_build *b, struct signal d, struct signal ck)
{
    struct signal q;
    struct nl_stat stat = dff_stat(d, ck, &q);
    return add(b, CELL_DFFQ, stat, q);
}

/* ---- decoder --------------------------------------------------------------------------------- */

void part_decoder(struct gate_build *b, uint32_t n, const struct gate_wire *address,
                  struct gate_wire *out)
{
    uint32_t k = bits_clog2(n);
    if (k == 0)
        return;
    if (k == 1) {
        out[0] = gate_inv(b, address[0]);
        out[1] = address[0];
        return;
    }
    uint32_t k0 = (k + 1) / 2, n0 = 1u << k0, n1 = (n + n0 - 1) / n0;
    struct gate_wire *low = arena_many(b->nl->mem, struct gate_wire, n0);
    struct gate_wire *high = arena_many(b->nl->mem, struct gate_wire, n1);
    part_decoder(b, n0, address, low);
    part_decoder(b, n1, address + k0, high);
    for (uint32_t i = 0; i < n; i++)
        out[i] = gate_inv(b, gate_two(b, CELL_NAND2, low[i % n0], high[i / n0]));
}

/* ---- multiplexer ----------------------------------------------------------------------------- */

static struct gate_wire mux_tree(struct gate_build *b, uint32_t n, const struct gate_wire *in,
                                 const struct gate_wire *select, double bits)
{
    if (n == 1)
        return in[0];
    uint32_t half = (n + 1) / 2;
    struct gate_wire way0 = mux_tree(b, half, in, select, bits);
    struct gate_wire way1 = mux_tree(b, n - half, in + half, select, bits);
    return gate_mux2(b, way0, way1, select[bits_clog2(n) - 1], bits);
}

struct part_mux part_multiplexer(struct gate_build *b, uint32_t n, const struct gate_wire *in,
                                 const struct gate_wire *select, double bits)
{
    struct part_mux mux;
    struct gate_wire driven[32];
    uint32_t k = bits_clog2(n);
    mux.inverters.first = (uint32_t)b->nl->cells.n;
    for (uint32_t i = 0; i < k; i++)
        driven[i] = gate_inv(b, gate_inv(b, select[i]));
    mux.inverters.n = 2 * k;
    mux.slice.first = (uint32_t)b->nl->cells.n;
    mux.out = mux_tree(b, n, in, driven, bits);
    mux.slice.n = (uint32_t)b->nl->cells.n - mux.slice.first;
    return mux;
}

/* ---- matrix arbiter ----------------------------------------------------------------------------
 * A flip-flop w per pair i < j says who goes first. Per request: an OR tree over who disables it,
 * an inverter, an AND2 (the grant). Statistics settle in nine rounds from static flip-flops.
 *
 * The statistics of every part of an OR tree are those of a tree of the same size whose leaves are
 * all like the first leaf (the original hands each second half the statistics of the first inputs).
 * Hence only two classes of requests exist, 0 and the others, and two classes of pairs, those with
 * request 0 and the others, whatever n is. */

enum pair_cell { W, U, OR_W, AND_D, DIS_J, NOT_W, DIS_I, PAIR_CELLS };

struct arb_class {
    struct signal w, dis_j, not_w, dis_i;
    uint32_t stat[PAIR_CELLS];
};

struct arbiter {
    struct gate_build *b;
    uint32_t n, first;
    struct arb_class pair[2];
    struct signal blocked[2], grant[2]; /* by class of request */
    struct signal *tree[2];             /* [class][size] */
    uint32_t *tree_stat[2];
    uint32_t stat_inv[2], stat_grant[2];
};

static struct signal tree_signal(struct arbiter *a, int c, uint32_t size)
{
    if (size > 1 && signal_factor(a->tree[c][size]) == 0) {
        struct signal x = tree_signal(a, c, (size + 1) / 2), y = tree_signal(a, c, size / 2);
        a->tree[c][size] = signal_or1(x, y);
    }
    return a->tree[c][size];
}

static void arbiter_round(struct arbiter *a)
{
    const struct signal req = SIGNAL_RANDOM;
    for (int c = 0; c < 2; c++) {
        struct arb_class *p = &a->pair[c];
        p->dis_j = signal_and1(req, p->w);
        p->not_w = signal_not(p->w);
        p->dis_i = signal_and1(req, p->not_w);
    }
    for (int c = 0; c < 2; c++) {
        memset(a->tree[c], 0, a->n * sizeof *a->tree[c]);
        a->tree[c][1] = c == 0 ? a->pair[0].dis_i : a->pair[0].dis_j;
        a->blocked[c] = tree_signal(a, c, a->n - 1);
        a->grant[c] = signal_and1(req, signal_not(a->blocked[c]));
    }
}

static void pair_stats(struct arbiter *a, int c, bool last)
{
    struct arb_class *p = &a->pair[c];
    struct nl_stat *stats = a->b->nl->stats.at;
    struct signal req = SIGNAL_RANDOM, u = signal_not(a->grant[c]);
    struct signal or_w = signal_or1(p->w, a->grant[1]), next = signal_and1(or_w, u), q;
    struct nl_stat w = dff_stat(next, SIGNAL_CLOCK, &q);
    if (last) {
        double p_req = signal_p1(req), p_w = signal_p1(p->w);
        stats[p->stat[W]] = w;
        stats[p->stat[U]] = (struct nl_stat){.p1 = {signal_p1(a->grant[c])}, .n01_y = u.n01};
        stats[p->stat[OR_W]] =
            (struct nl_stat){.p1 = {p_w, signal_p1(a->grant[1])}, .n01_y = or_w.n01};
        stats[p->stat[AND_D]] =
            (struct nl_stat){.p1 = {signal_p1(or_w), signal_p1(u)}, .n01_y = next.n01};
        stats[p->stat[DIS_J]] = (struct nl_stat){.p1 = {p_req, p_w}, .n01_y = p->dis_j.n01};
        stats[p->stat[NOT_W]] = (struct nl_stat){.p1 = {p_w}, .n01_y = p->not_w.n01};
        stats[p->stat[DIS_I]] =
            (struct nl_stat){.p1 = {p_req, signal_p1(p->not_w)}, .n01_y = p->dis_i.n01};
    }
    p->w = q;
}

static void request_stats(struct arbiter *a, int c)
{
    struct nl_stat *stats = a->b->nl->stats.at;
    struct signal inv = signal_not(a->blocked[c]);
    stats[a->stat_inv[c]] = (struct nl_stat){.p1 = {signal_p1(a->blocked[c])}, .n01_y = inv.n01};
    stats[a->stat_grant[c]] = (struct nl_stat){.p1 = {signal_p1(SIGNAL_RANDOM), signal_p1(inv)},
                                               .n01_y = a->grant[c].n01};
    for (uint32_t m = 2; m < a->n; m++)
        if (a->tree_stat[c][m] != NL_NONE)
            stats[a->tree_stat[c][m]] =
                (struct nl_stat){.p1 = {signal_p1(tree_signal(a, c, (m + 1) / 2)),
                                        signal_p1(tree_signal(a, c, m / 2))},
                                 .n01_y = tree_signal(a, c, m).n01};
}

static void mark_sizes(struct arbiter *a, int c, uint32_t size)
{
    if (size < 2 || a->tree_stat[c][size] != NL_NONE)
        return;
    a->tree_stat[c][size] = nl_stat(a->b->nl);
    mark_sizes(a, c, (size + 1) / 2);
    mark_sizes(a, c, size / 2);
}

static void arbiter_stats(struct arbiter *a)
{
    struct netlist *nl = a->b->nl;
    for (int c = 0; c < 2; c++) {
        a->tree[c] = arena_many(nl->mem, struct signal, a->n + 1);
        a->tree_stat[c] = arena_many(nl->mem, uint32_t, a->n + 1);
        memset(a->tree_stat[c], 0xff, (a->n + 1) * sizeof *a->tree_stat[c]);
        mark_sizes(a, c, a->n - 1);
        for (int i = 0; i < PAIR_CELLS; i++)
            a->pair[c].stat[i] = nl_stat(nl);
        a->stat_inv[c] = nl_stat(nl);
        a->stat_grant[c] = nl_stat(nl);
        a->pair[c].w = signal_sample(SIGNAL_STATIC, SIGNAL_CLOCK.n01);
    }
    const int rounds = 9;
    for (int r = 0; r < rounds; r++) {
        arbiter_round(a);
        for (int c = 0; c < 2; c++)
            pair_stats(a, c, r == rounds - 1);
    }
    for (int c = 0; c < 2; c++)
        request_stats(a, c);
}

/* Cells: per request n - 2 of its OR tree, inverter, grant; then seven per pair. */
static uint32_t request_cell(const struct arbiter *a, uint32_t i)
{
    return a->first + i * a->n;
}

static uint32_t pair_cell(const struct arbiter *a, uint32_t i, uint32_t j, enum pair_cell which)
{
    uint32_t pair = i * a->n - i * (i + 1) / 2 + (j - i - 1);
    return a->first + a->n * a->n + pair * PAIR_CELLS + which;
}

static void create_cells(struct arbiter *a)
{
    static const enum cell_kind pair_kinds[PAIR_CELLS] = {
        [W] = CELL_DFFQ,     [U] = CELL_INV,     [OR_W] = CELL_OR2,  [AND_D] = CELL_AND2,
        [DIS_J] = CELL_AND2, [NOT_W] = CELL_INV, [DIS_I] = CELL_AND2};
    struct netlist *nl = a->b->nl;
    for (uint32_t i = 0; i < a->n; i++) {
        for (uint32_t t = 0; t + 2 < a->n; t++)
            nl_cell(nl, CELL_OR2, NL_NONE);
        nl_cell(nl, CELL_INV, a->stat_inv[i > 0]);
        nl_cell(nl, CELL_AND2, a->stat_grant[i > 0]);
    }
    for (uint32_t i = 0; i < a->n; i++)
        for (uint32_t j = i + 1; j < a->n; j++)
            for (int c = 0; c < PAIR_CELLS; c++)
                nl_cell(nl, pair_kinds[c], a->pair[i > 0].stat[c]);
}

/* The net of leaf `leaf` of request i's tree: what the leaf-th other request does to it. */
static uint32_t leaf_net(const struct arbiter *a, uint32_t i, uint32_t leaf)
{
    uint32_t other = leaf < i ? leaf : leaf + 1;
    uint32_t cell = other < i ? pair_cell(a, other, i, DIS_J) : pair_cell(a, i, other, DIS_I);
    return nl_out(a->b->nl, cell);
}

static uint32_t connect_tree(struct arbiter *a, uint32_t i, uint32_t leaf, uint32_t size,
                             uint32_t *next)
{
    if (size == 1)
        return leaf_net(a, i, leaf);
    struct netlist *nl = a->b->nl;
    uint32_t half = (size + 1) / 2;
    uint32_t x = connect_tree(a, i, leaf, half, next);
    uint32_t y = connect_tree(a, i, leaf + half, size - half, next);
    uint32_t cell = (*next)++;
    nl->cells.at[cell].stat = a->tree_stat[i > 0][size];
    nl_connect(nl, x, cell, PIN_A, 1);
    nl_connect(nl, y, cell, PIN_B, 1);
    return nl_out(nl, cell);
}

static void connect_pair(struct arbiter *a, uint32_t i, uint32_t j)
{
    struct netlist *nl = a->b->nl;
    uint32_t w = nl_out(nl, pair_cell(a, i, j, W));
    nl_connect(nl, w, pair_cell(a, i, j, OR_W), PIN_A, 1);
    nl_connect(nl, w, pair_cell(a, i, j, DIS_J), PIN_B, 1);
    nl_connect(nl, w, pair_cell(a, i, j, NOT_W), PIN_A, 1);
    nl_connect(nl, nl_out(nl, pair_cell(a, i, j, NOT_W)), pair_cell(a, i, j, DIS_I), PIN_B, 1);
    nl_connect(nl, nl_out(nl, pair_cell(a, i, j, OR_W)), pair_cell(a, i, j, AND_D), PIN_A, 1);
    nl_connect(nl, nl_out(nl, pair_cell(a, i, j, U)), pair_cell(a, i, j, AND_D), PIN_B, 1);
    nl_connect(nl, nl_out(nl, pair_cell(a, i, j, AND_D)), pair_cell(a, i, j, W), PIN_D, 1);
}

struct cell_range part_arbiter(struct gate_build *b, uint32_t n, const uint32_t *requests)
{
    struct netlist *nl = b->nl;
    struct arbiter a = {.b = b, .n = n, .first = (uint32_t)nl->cells.n};
    if (n < 2)
        return (struct cell_range){a.first, 0};
    arbiter_stats(&a);
    create_cells(&a);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t next = request_cell(&a, i), inv = next + n - 2, grant = inv + 1;
        nl_connect(nl, connect_tree(&a, i, 0, n - 1, &next), inv, PIN_A, 1);
        nl_connect(nl, nl_out(nl, inv), grant, PIN_B, 1);
        for (uint32_t j = 0; j < i; j++)
            nl_connect(nl, requests[i], pair_cell(&a, j, i, DIS_I), PIN_A, 1);
        nl_connect(nl, requests[i], grant, PIN_A, 1);
        for (uint32_t j = i + 1; j < n; j++)
            nl_connect(nl, requests[i], pair_cell(&a, i, j, DIS_J), PIN_A, 1);
        for (uint32_t j = 0; j < i; j++)
            nl_connect(nl, nl_out(nl, grant), pair_cell(&a, j, i, OR_W), PIN_B, 1);
        for (uint32_t j = i + 1; j < n; j++)
            nl_connect(nl, nl_out(nl, grant), pair_cell(&a, i, j, U), PIN_A, 1);
    }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = i + 1; j < n; j++)
            connect_pair(&a, i, j);
    return (struct cell_range){a.first, (uint32_t)nl->cells.n - a.first};
}

/* ---- round-robin tree --------------------------------------------------------------------------
 * Each node chooses between two: any request goes up, the grant comes down. A flip-flop says
 * whether the second goes first; it turns to the one that was not served. */

struct rr_node {
    struct gate_wire second_first, select, any;
    uint32_t left, right; /* nodes; at the bottom NL_NONE */
};

struct rr_tree {
    struct gate_build *b;
    struct rr_node *nodes;
    uint32_t n;
};

static uint32_t rr_up(struct rr_tree *t, const struct gate_wire *req, uint32_t n)
{
    struct gate_build *b = t->b;
    uint32_t id = t->n++, half = (n + 1) / 2;
    struct rr_node *node = &t->nodes[id];
    node->left = half > 1 ? rr_up(t, req, half) : NL_NONE;
    node->right = n - half > 1 ? rr_up(t, req + half, n - half) : NL_NONE;
    struct gate_wire r0 = half > 1 ? t->nodes[node->left].any : req[0];
    struct gate_wire r1 = n - half > 1 ? t->nodes[node->right].any : req[half];
    node->second_first = gate_dff(b, SIGNAL_RANDOM, SIGNAL_CLOCK);
    node->any = gate_two(b, CELL_OR2, r0, r1);
    node->select =
        gate_two(b, CELL_AND2, r1, gate_two(b, CELL_OR2, gate_inv(b, r0), node->second_first));
    return id;
}

static void rr_down(struct rr_tree *t, uint32_t id, struct gate_wire grant)
{
    struct gate_build *b = t->b;
    struct rr_node *node = &t->nodes[id];
    struct gate_wire right = gate_two(b, CELL_AND2, grant, node->select);
    struct gate_wire left = gate_two(b, CELL_AND2, grant, gate_inv(b, node->select));
    struct gate_wire next = gate_mux2(b, node->second_first, left, grant, 1);
    nl_connect(b->nl, next.net, gate_cell(b, node->second_first), PIN_D, 1);
    if (node->left != NL_NONE)
        rr_down(t, node->left, left);
    if (node->right != NL_NONE)
        rr_down(t, node->right, right);
}

struct cell_range part_tree_arbiter(struct gate_build *b, uint32_t n, const uint32_t *requests)
{
    uint32_t first = (uint32_t)b->nl->cells.n;
    if (n < 2)
        return (struct cell_range){first, 0};
    struct rr_tree t = {.b = b, .nodes = arena_many(b->nl->mem, struct rr_node, n)};
    struct gate_wire *req = arena_many(b->nl->mem, struct gate_wire, n);
    for (uint32_t i = 0; i < n; i++)
        req[i] = (struct gate_wire){requests[i], SIGNAL_RANDOM};
    uint32_t root = rr_up(&t, req, n);
    rr_down(&t, root, t.nodes[root].any);
    return (struct cell_range){first, (uint32_t)b->nl->cells.n - first};
}

part_arbiter_fn *const part_arbiters[] = {
    [ARBITER_MATRIX_CELLS] = part_arbiter, [ARBITER_TREE_CELLS] = part_tree_arbiter};
