/* SPDX-License-Identifier: MIT
 *
 * A memory controller and its DRAM channel. Requests of the channel's slices pass a fixed delay,
 * wait in the scheduler's queue, and are worked on one per bank: precharge, activate, one column
 * command per burst. Instead of counting constraints down, each one is kept as the command clock
 * from which a command is legal again; when no command is legal the channel sleeps until one is. */
#include "sim/memory/dram.h"
#include "base/arena.h"
#include "base/bits.h"
#include "base/err.h"
#include "cache/ipoly.h"
#include "sim/frame/array_events.h"
#include "sim/frame/machine.h"
#include "sim/memory/dram_sched.h"
#include "sim/memory/l2.h"
#include <assert.h>

static uint64_t refreshes_a_trefi(const struct dram_params *p)
{
    return p->refresh == DRAM_REFRESH_all ? 1 : p->banks;
}

/* The n-th refresh of a channel: of all banks, or of the next one, each once in tREFI. Controllers
 * do not wait for each other: the channels' turns are spread evenly over the time between two, so
 * that a short kernel meets as many as a long one does. */
static uint64_t refresh_due(const struct gpu *g, uint32_t channel, uint64_t n)
{
    const struct dram_params *p = g->cfg.dram;
    uint64_t channels = g->n_dram_channels;
    return (n * channels - channel) * p->trefi / (channels * refreshes_a_trefi(p));
}

static uint64_t all_banks(const struct dram_params *p)
{
    assert(p->banks >= 1 && p->banks <= 64);
    return UINT64_MAX >> (64 - p->banks);
}

/* The greatest n whose refresh is due by then. */
uint64_t dram_refreshes_until(const struct gpu *g, uint32_t channel, uint64_t tick)
{
    const struct dram_params *p = g->cfg.dram;
    uint64_t n = p->trefi ? tick * refreshes_a_trefi(p) / p->trefi : 0;
    while (p->trefi && refresh_due(g, channel, n + 1) <= tick) /* twice at most */
        n++;
    return n;
}

void dram_init(struct dram_channel *c, struct gpu *g, uint32_t id)
{
    const struct dram_params *p = g->cfg.dram;
    assert(p->banks <= 64 && p->banks % p->bank_groups == 0);
    assert(g->n_slices / g->n_dram_channels <= 16);
    c->id = id;
    c->banks = arena_many(g->mem, struct dram_bank, p->banks);
    c->rows = arena_many(g->mem, uint32_t, p->banks);
    for (uint32_t b = 0; b < p->banks; b++) {
        c->banks[b].req = REQ_NONE;
        c->rows[b] = DRAM_NO_ROW;
    }
    c->sched = g->dram_sched->make(p, g->mem);
    c->n_groups = p->bank_groups;
    c->group_shift = bits_clog2(p->banks / c->n_groups);
    c->atom_bytes = p->bus_bytes * p->burst;
    c->atom_ticks = p->burst > 1 ? p->burst / 2 : 1;
    uint32_t room = p->queue + p->returns + 64;
    delay_ring_init(&c->incoming, "the entry of a DRAM channel", room, &g->bounds, g->mem);
    delay_ring_init(&c->data, "the data bus of a DRAM channel", room * 16, &g->bounds, g->mem);
    ring_init(&c->returns, "the return queue of a DRAM channel", p->returns, &g->bounds, g->mem);
    c->refresh_at = p->trefi ? refresh_due(g, id, 1) : NEVER;
    c->unrefreshed = all_banks(p);
    if (g->cfg.compat->dram_turn_moves_in_clock) /* the first slice begins */
        c->last_slice = g->n_slices / g->n_dram_channels - 1;
}

static uint32_t group_of(const struct gpu *g, const struct dram_channel *c, uint32_t bank)
{
    return g->cfg.compat->bank_group_in_low_bits ? bank % c->n_groups : bank >> c->group_shift;
}

static bool is_write(const struct request *r)
{
    return r->kind == REQ_WRITEBACK;
}

static uint64_t most(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* ---- when is what legal ---- */

static uint64_t column_at(const struct gpu *g, const struct dram_channel *c, uint32_t b, bool write)
{
    const struct dram_bank *k = &c->banks[b];
    uint64_t t = most(c->column_ok, c->group_ok[group_of(g, c, b)]);
    return write ? most(t, most(k->write_ok, c->write_ok))
                 : most(t, most(k->column_ok, c->read_ok));
}

static uint64_t precharge_at(const struct gpu *g, const struct dram_channel *c, uint32_t b)
{
    return most(c->banks[b].precharge_ok, c->group_precharge_ok[group_of(g, c, b)]);
}

static uint64_t activate_at(const struct gpu *g, const struct dram_channel *c, uint32_t b)
{
    uint64_t t = most(c->activate_ok, c->banks[b].activate_ok);
    uint32_t faw = g->cfg.dram->tfaw;
    return faw && c->stats.activates >= 4 ? most(t, c->last_activates[c->stats.activates % 4] + faw)
                                          : t;
}

/* ---- commands ---- */

static void column(struct gpu *g, struct dram_channel *c, uint32_t b, uint64_t tick)
{
    const struct dram_params *p = g->cfg.dram;
    struct dram_bank *k = &c->banks[b];
    const struct request *r = req_at(&g->pool, k->req);
    uint32_t grp = group_of(g, c, b), wl = p->tcwl;
    bool write = is_write(r);
    c->column_ok = tick + p->tccd;
    c->group_ok[grp] = tick + p->tccd_l;
    if (write) {
        c->read_ok = most(c->read_ok, tick + wl + c->atom_ticks + p->twtr);
        k->precharge_ok = most(k->precharge_ok, tick + wl + c->atom_ticks + p->twr);
        c->stats.writes++;
    } else {
        uint64_t until = tick + p->tcl + c->atom_ticks + 2; /* its data leaves the bus */
        c->write_ok = most(c->write_ok, until > wl ? until - wl : 0);
        k->precharge_ok = most(k->precharge_ok, tick + c->atom_ticks);
        c->group_precharge_ok[grp] = tick + p->trtp;
        c->stats.reads++;
    }
    c->stats.bus_ticks += c->atom_ticks;
    k->sent += c->atom_bytes;
    bool is_last = k->sent >= (r->fetched_bytes ? r->fetched_bytes : r->bytes);
    uint64_t through = tick + (write ? (wl ? wl : 1) : p->tcl);
    if (c->data.n) { /* the data bus is in order */
        uint64_t last = c->data.at[(c->data.first + c->data.n - 1) & c->data.mask].ready;
        through = most(through, last + 1);
    }
    delay_push(&c->data, through, is_last ? k->req : REQ_NONE);
    if (is_last) {
        k->req = REQ_NONE;
        k->idle_since = tick + 1;
        c->work &= ~((uint64_t)1 << b);
    }
}

static void activate(struct gpu *g, struct dram_channel *c, uint32_t b, uint64_t tick)
{
    const struct dram_params *p = g->cfg.dram;
    struct dram_bank *k = &c->banks[b];
    uint32_t early =
        g->cfg.compat->dram_write_before_trcd && p->trcd > p->tcwl + 1 ? p->tcwl + 1 : 0;
    k->is_open = true;
    k->row = c->rows[b] = req_at(&g->pool, k->req)->row;
    k->column_ok = tick + p->trcd;
    k->write_ok = tick + p->trcd - early;
    k->precharge_ok = most(k->precharge_ok, tick + p->tras);
    k->activate_ok = tick + p->trc;
    c->activate_ok = tick + p->trrd;
    c->last_activates[c->stats.activates++ % 4] = tick;
    c->first = (b + 1) % p->banks;
}

static void precharge(struct gpu *g, struct dram_channel *c, uint32_t b, uint64_t tick)
{
    struct dram_bank *k = &c->banks[b];
    k->is_open = false;
    k->activate_ok = most(k->activate_ok, tick + g->cfg.dram->trp);
    c->stats.precharges++;
    c->first = (b + 1) % g->cfg.dram->banks;
}

static bool is_row_open(const struct gpu *g, const struct dram_bank *k)
{
    return k->is_open && k->row == req_at(&g->pool, k->req)->row;
}

static bool try_column(struct gpu *g, struct dram_channel *c, uint32_t b, uint64_t tick)
{
    const struct dram_bank *k = &c->banks[b];
    if (!is_row_open(g, k) || column_at(g, c, b, is_write(req_at(&g->pool, k->req))) > tick)
        return false;
    column(g, c, b, tick);
    return true;
}

static bool try_row(struct gpu *g, struct dram_channel *c, uint32_t b, uint64_t tick)
{
    const struct dram_bank *k = &c->banks[b];
    if (!k->is_open) {
        if (activate_at(g, c, b) > tick)
            return false;
        activate(g, c, b, tick);
        return true;
    }
    if (is_row_open(g, k) || precharge_at(g, c, b) > tick)
        return false;
    precharge(g, c, b, tick);
    return true;
}

/* The banks with work, counted from `first`. */
static uint64_t turned(const struct dram_channel *c, uint32_t first, uint32_t n)
{
    uint64_t all = n == 64 ? UINT64_MAX : ((uint64_t)1 << n) - 1;
    return first ? ((c->work >> first) | (c->work << (n - first))) & all : c->work;
}

/* One column command, or one row command, or with two buses one of each. */
static bool command(struct gpu *g, struct dram_channel *c, uint64_t tick)
{
    uint32_t n = g->cfg.dram->banks, start = c->first, first = start;
    bool has_column = false, has_row = false, is_dual = g->cfg.dram->dual_command_bus;
    for (uint64_t m = turned(c, first, n); m && !has_column;) {
        uint32_t i = bits_lowest(m), b = i + first < n ? i + first : i + first - n;
        m &= m - 1;
        has_column = try_column(g, c, b, tick);
        if (is_dual || has_column || has_row)
            continue;
        has_row = try_row(g, c, b, tick);
        if (has_row &&
            g->cfg.compat->dram_turn_moves_in_clock) { /* it moved: other banks follow then */
            first = c->first;
            m = i == 63 ? 0 : turned(c, first, n) & (UINT64_MAX << (i + 1));
        }
    }
    if (!is_dual)
        return has_column || has_row;
    for (uint64_t m = turned(c, start, n); m && !has_row; m &= m - 1)
        has_row = try_row(g, c, (bits_lowest(m) + start) % n, tick);
    return has_column || has_row;
}

/* The first command clock after `tick` at which some bank's next command is legal. */
static uint64_t next_command(const struct gpu *g, const struct dram_channel *c, uint64_t tick)
{
    uint64_t next = NEVER;
    for (uint64_t m = c->work; m; m &= m - 1) {
        uint32_t b = bits_lowest(m);
        const struct dram_bank *k = &c->banks[b];
        uint64_t t = is_row_open(g, k) ? column_at(g, c, b, is_write(req_at(&g->pool, k->req)))
                     : k->is_open      ? precharge_at(g, c, b)
                                       : activate_at(g, c, b);
        next = t < next ? t : next;
    }
    return next == NEVER ? NEVER : most(next, tick + 1);
}

/* ---- requests ---- */

static void give_credit(struct gpu *g, struct dram_channel *c, uint32_t slice)
{
    uint32_t k = slice % (g->n_slices / g->n_dram_channels);
    if (c->private_used[k])
        c->private_used[k]--;
    else
        c->shared_used--;
}

static void return_one(struct gpu *g, struct dram_channel *c)
{
    uint32_t i = ring_top(&c->returns);
    struct slice *s = &g->slices[req_at(&g->pool, i)->slice];
    if (ring_full(&s->from_dram))
        return;
    ring_pop(&c->returns);
    req_at(&g->pool, i)->from_dram = g->now;
    ring_push(&s->from_dram, i);
    give_credit(g, c, s->id);
    g->moved_at = g->now;
    machine_wake_slice(g, s->id);
}

static void data_arrives(struct gpu *g, struct dram_channel *c)
{
    uint32_t i = delay_pop(&c->data);
    if (i == REQ_NONE)
        return; /* a burst in the middle of a request */
    struct request *r = req_at(&g->pool, i);
    if (is_write(r)) {
        give_credit(g, c, r->slice);
        g->live_writebacks--;
        req_free(&g->pool, i);
    } else {
        ring_push(&c->returns, i);
    }
}

static bool schedule(struct gpu *g, struct dram_channel *c, uint64_t tick)
{
    uint32_t n = g->cfg.dram->banks;
    struct dram_choice choice;
    uint64_t idle = all_banks(g->cfg.dram) & ~c->work;
    if (!idle || !g->dram_sched->waiting(c->sched) ||
        !g->dram_sched->next(c->sched, idle, c->rows, c->first, &choice))
        return false;
    struct dram_bank *k = &c->banks[choice.bank];
    k->req = choice.req;
    k->sent = 0;
    c->stats.bank_idle += tick - k->idle_since;
    c->work |= (uint64_t)1 << choice.bank;
    c->first = (c->first + 1) % n;
    c->stats.row_hits += choice.is_row_hit;
    return true;
}

/* The bank it goes to. Its slice was chosen by the number before any hash of the row. */
static uint32_t bank_of(const struct gpu *g, const struct request *r)
{
    uint32_t n = g->cfg.dram->banks, b = r->bank % n;
    switch (g->cfg.dram->bank_hash) {
    case DRAM_HASH_xor: return bits_is_pow2(n) ? b ^ (r->row & (n - 1)) : (b + r->row) % n;
    case DRAM_HASH_ipoly: return ipoly_knows(n) ? ipoly(r->row, b, n) : (b + r->row) % n;
    case DRAM_HASH_none: break;
    }
    return b;
}

/* The slices of the channel in turn; one request per tick. */
static void accept(struct gpu *g, struct dram_channel *c, uint64_t now)
{
    const struct dram_params *p = g->cfg.dram;
    uint32_t per = g->n_slices / g->n_dram_channels;
    uint32_t shared = p->queue + p->returns - (per - 1);
    for (uint32_t i = 0; i < per; i++) {
        uint32_t k = (c->last_slice + 1 + i) % per;
        struct slice *s = &g->slices[c->id * per + k];
        if (!s->to_dram.n || ring_full(&s->from_dram) ||
            (c->private_used[k] && c->shared_used >= shared))
            continue;
        uint32_t r = ring_top(&s->to_dram);
        if (!g->dram_sched->has_room(c->sched, req_at(&g->pool, r)->bank,
                                     is_write(req_at(&g->pool, r))))
            break;
        ring_pop(&s->to_dram);
        if (!c->private_used[k])
            c->private_used[k]++;
        else
            c->shared_used++;
        c->last_slice = k;
        delay_push(&c->incoming, now + g->dram_latency, r);
        machine_wake_slice(g, s->id);
        break;
    }
}

static void refresh_all(struct gpu *g, struct dram_channel *c, uint64_t tick)
{
    const struct dram_params *p = g->cfg.dram;
    uint64_t due = (tick - c->refresh_at) / p->trefi; /* those missed while asleep */
    uint64_t end = c->refresh_at + due * p->trefi + p->trfc;
    if (end < tick + p->trfc && c->work)
        end = tick + p->trfc;
    c->refresh_at += (due + 1) * p->trefi;
    for (uint32_t b = 0; b < p->banks; b++) {
        struct dram_bank *k = &c->banks[b];
        if (k->is_open)
            c->stats.precharges++;
        k->is_open = false;
        k->row = c->rows[b] = DRAM_NO_ROW;
        k->activate_ok = most(k->activate_ok, end);
    }
}

/* Of the banks whose turn has not come in this round the one that has had no request for longest.
 */
static uint32_t next_refreshed(const struct dram_channel *c)
{
    uint64_t idle = c->unrefreshed & ~c->work;
    uint32_t best = bits_lowest(idle ? idle : c->unrefreshed);
    for (uint64_t m = idle; m; m &= m - 1)
        if (c->banks[bits_lowest(m)].idle_since < c->banks[best].idle_since)
            best = bits_lowest(m);
    return best;
}

/* A bank alone: its row is closed when that is legal, and the refresh follows. What was due while
 * the channel slept is done as of then. */
static void refresh_bank(struct gpu *g, struct dram_channel *c)
{
    const struct dram_params *p = g->cfg.dram;
    uint32_t b = next_refreshed(c);
    struct dram_bank *k = &c->banks[b];
    uint64_t from = c->refresh_at;
    if (k->is_open) {
        from = most(from, precharge_at(g, c, b)) + p->trp;
        c->stats.precharges++;
    }
    k->is_open = false;
    k->row = c->rows[b] = DRAM_NO_ROW;
    k->activate_ok = most(from, k->activate_ok) + p->trfc;
    c->unrefreshed &= ~((uint64_t)1 << b);
    if (!c->unrefreshed)
        c->unrefreshed = all_banks(p);
    c->refresh_at = refresh_due(g, c->id, ++c->n_refreshes + 1);
}

/* Then a refresh closes rows, which is counted; else it can wait until the channel wakes. */
static bool has_open_row(const struct gpu *g, const struct dram_channel *c)
{
    bool is_open = false;
    for (uint32_t b = 0; b < g->cfg.dram->banks && !is_open && c->refresh_at != NEVER; b++)
        is_open = c->banks[b].is_open;
    return is_open;
}

static void refresh(struct gpu *g, struct dram_channel *c, uint64_t tick)
{
    if (g->cfg.dram->refresh == DRAM_REFRESH_all)
        refresh_all(g, c, tick);
    else
        while (tick >= c->refresh_at)
            refresh_bank(g, c);
}

uint64_t dram_tick(struct gpu *g, struct dram_channel *c, uint64_t tick, uint64_t now)
{
    if (c->returns.n)
        return_one(g, c);
    if (delay_ready(&c->data, tick) && !ring_full(&c->returns))
        data_arrives(g, c);
    if (tick >= c->refresh_at)
        refresh(g, c, tick);
    bool did = schedule(g, c, tick);
    if (c->work)
        did |= command(g, c, tick);
    accept(g, c, now);
    if (c->incoming.n && delay_ready(&c->incoming, now)) {
        uint32_t i = delay_top(&c->incoming);
        const struct request *r = req_at(&g->pool, i);
        uint32_t bank = bank_of(g, r);
        if (g->dram_sched->has_room(c->sched, bank, is_write(r))) {
            delay_pop(&c->incoming);
            c->stats.queue_sum += g->dram_sched->waiting(c->sched);
            g->dram_sched->add(c->sched, i, bank, r->row, is_write(r));
            c->stats.requests++;
            did = true;
        }
    }
    if (did || c->returns.n)
        return tick + 1;
    uint64_t next = next_command(g, c, tick);
    if (has_open_row(g, c) && c->refresh_at < next)
        next = c->refresh_at;
    if (c->data.n)
        next = delay_next(&c->data) < next ? most(delay_next(&c->data), tick + 1) : next;
    uint32_t per = g->n_slices / g->n_dram_channels;
    for (uint32_t k = 0; k < per; k++)
        if (g->slices[c->id * per + k].to_dram.n)
            return tick + 1;
    if (c->incoming.n) {
        uint64_t at = delay_next(&c->incoming);
        if (at <= now)
            return tick + 1;
        uint64_t ahead = at - now; /* core cycles; woken a little early is harmless */
        uint64_t ticks = ahead * g->clocks.khz[CLOCK_DRAM] / g->clocks.khz[CLOCK_CORE];
        next =
            tick + (ticks > 2 ? ticks - 1 : 1) < next ? tick + (ticks > 2 ? ticks - 1 : 1) : next;
    }
    return next;
}

/* A request is written once and read once, by whatever order. */
struct array_counts dram_queue_events(const struct gpu *g, uint32_t controller)
{
    uint64_t n = g->dram_channels[controller].stats.requests;
    bool is_searched = g->cfg.dram->scheduler == DRAM_frfcfs; /* others look at the head */
    return (struct array_counts){.reads = n, .writes = n, .searches = is_searched ? n : 0};
}

struct array_counts dram_bank_queues_events(const struct gpu *g, uint32_t controller)
{
    uint64_t n = g->dram_channels[controller].stats.requests;
    return (struct array_counts){.reads = n, .writes = n};
}
