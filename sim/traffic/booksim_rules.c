/* SPDX-License-Identifier: MIT
 *
 * Sources that draw as BookSim2 does: one fraction for every free node and cycle, in the order of
 * the nodes, and when a node was busy one for each cycle it missed, until one succeeds or it has
 * caught up. Whole numbers are drawn for each packet: its size where there are several, its
 * destination, its network (of one, too).
 *
 * Without requests and replies nothing else uses fractions: their answers come as bits, and a cycle
 * takes as many of them as nodes are free. */
#include "base/bits.h"
#include "sim/traffic/source_impl.h"

#define FIRST_SEED 314159 /* what the generator starts from when nobody has seeded it */

bool traffic_has_trials(const struct traffic_params *p)
{
    return p->booksim && !p->request_reply && !p->batch && !p->on_off && !p->trace;
}

void traffic_make_booksim(struct traffic *t)
{
    const struct traffic_params *p = &t->p;
    struct traffic_draws *d = t->draws;
    int64_t seed = (int64_t)p->seed;
    lagfib_ints_seed(&d->ints, FIRST_SEED); /* bursts are set up before the seed is read */
    for (uint32_t i = 0; i < p->nodes; i++)
        t->nodes[i].is_on = p->on_off && lagfib_below(&d->ints, 2);
    lagfib_ints_seed(&d->ints, seed);
    lagfib_units_seed(&d->units, seed);
    if (!traffic_has_trials(p))
        return;
    lagfib_trials_seed(&d->trials, seed, p->rate);
    size_t words = bits_words(p->nodes);
    t->senders = arena_many(t->mem, uint64_t, words + 1);
    t->late = arena_many(t->mem, uint64_t, words + 1);
    t->clocks = arena_many(t->mem, uint64_t, p->nodes);
    for (uint32_t i = 0; i < p->nodes; i++)
        if (t->nodes[i].injects)
            bits_set(t->senders, i);
}

/* The lowest bits of `from`, one for each bit of `mask`, put in its places. */
ALWAYS uint64_t deposit(uint64_t from, uint64_t mask)
{
    uint64_t out = 0;
    for (; mask && from; mask &= mask - 1, from >>= 1)
        if (from & 1)
            out |= mask & -mask;
    return out;
}

ALWAYS void make_packet(struct traffic *t, uint32_t node, uint64_t created)
{
    t->clocks[node] = created + 1;
    send_any(t, node, created, true);
}

/* Nodes of one word that have nothing to catch up with: a draw each. */
ALWAYS void draw_nodes(struct traffic *t, uint32_t word, uint64_t nodes)
{
    uint64_t answers = lagfib_trials_peek(&t->draws->trials);
    lagfib_trials_use(&t->draws->trials, bits_count(nodes));
    for (uint64_t m = nodes == UINT64_MAX ? answers : deposit(answers, nodes); m; m &= m - 1)
        make_packet(t, word * 64 + bits_lowest(m), t->now);
}

/* A node that was busy draws for each cycle that it missed. */
static void catch_up(struct traffic *t, uint32_t node)
{
    struct lagfib_trials *trials = &t->draws->trials;
    uint64_t clock = t->clocks[node], left = t->now + 1 - clock;
    while (left) {
        uint64_t answers = lagfib_trials_peek(trials);
        uint32_t count = left < 64 ? (uint32_t)left : 64;
        uint32_t first = answers ? bits_lowest(answers) : 64;
        if (first < count) {
            lagfib_trials_use(trials, first + 1);
            make_packet(t, node, clock + first);
            if (clock + first < t->now)
                return;
            break;
        }
        lagfib_trials_use(trials, count);
        clock += count;
        left -= count;
    }
    bits_clear(t->late, node);
}

void traffic_step_trials(struct traffic *t)
{
    for (uint32_t w = 0; w < bits_words(t->p.nodes); w++) {
        uint64_t busy = t->nets[0]->source_busy[w];
        if (t->n_nets > 1)
            busy |= t->nets[1]->source_busy[w];
        uint64_t nodes = t->senders[w] & ~busy;
        t->late[w] |= busy;
        while (nodes & t->late[w]) {
            uint64_t first = nodes & t->late[w];
            first &= -first;
            if (nodes & (first - 1))
                draw_nodes(t, w, nodes & (first - 1));
            catch_up(t, w * 64 + bits_lowest(first));
            nodes &= ~(first | (first - 1));
        }
        if (nodes)
            draw_nodes(t, w, nodes);
    }
}

bool traffic_trials_owe(const struct traffic *t)
{
    if (t->now <= t->drain_time)
        return true;
    for (uint32_t i = 0; i < t->p.nodes; i++) {
        bool busy = bits_test(t->nets[0]->source_busy, i) ||
                    (t->n_nets > 1 && bits_test(t->nets[1]->source_busy, i));
        if ((busy || bits_test(t->late, i)) && t->clocks[i] <= t->drain_time)
            return true;
    }
    return false;
}
