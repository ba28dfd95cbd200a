/* SPDX-License-Identifier: MIT
 *
 * A slice of the last-level cache: write-back, write-allocate; a store takes a line without
 * fetching it, and sectors that were written only in part are fetched when they are read. One look
 * at the tags per tick, one fill, one reply, one miss on its way to the DRAM. */
#include "sim/memory/l2.h"

#include "base/arena.h"
#include "base/bits.h"
#include "base/err.h"
#include "cache/set_cache.h"
#include "sim/fabric/fabric.h"
#include "sim/frame/array_events.h"
#include "sim/frame/machine.h"
#include "sim/memory/address.h"
#include "sim/memory/l2_parts.h"

bool slice_init(struct slice *s, struct gpu *g, uint32_t id, struct err *err)
{
    const struct llc_params *p = g->cfg.llc;
    struct tags_params t = {.bytes = p->bytes,
                            .ways = p->ways,
                            .line_bytes = p->line_bytes,
                            .sector_bytes = p->sector_bytes,
                            .index = p->index == LLC_INDEX_hashed  ? TAGS_HASHED
                                     : p->index == LLC_INDEX_ipoly ? TAGS_IPOLY
                                     : p->index == LLC_INDEX_xor   ? TAGS_XOR
                                                                   : TAGS_LINEAR};
    s->id = id;
    if (!tags_init(&s->tags, &t, g->mem, err))
        return false;
    s->addresses = arena_many(g->mem, uint64_t, (size_t)s->tags.n_sets * s->tags.ways);
    if (p->dirty_percent < 100) {
        uint32_t n = s->tags.n_sets * s->tags.ways;
        s->dirty = arena_many(g->mem, struct dirty_link, n + 1); /* the last one is both ends */
        s->dirty[n] = (struct dirty_link){.before = n, .after = n};
        s->dirty_limit = (uint32_t)((uint64_t)n * p->dirty_percent / 100);
    }
    mshr_init(&s->mshr, p->mshr_entries, p->mshr_merges, g->mem);
    delay_ring_init(&s->incoming, "the way to the tags of a slice", L2_INCOMING, &g->bounds,
                    g->mem);
    ring_init(&s->queue, "the queue at the tags of a slice", p->queue_depth, &g->bounds, g->mem);
    ring_init(&s->misses, "the miss queue of a slice", p->miss_queue, &g->bounds, g->mem);
    ring_init(&s->to_dram, "the queue of a slice to the DRAM", p->dram_queue, &g->bounds, g->mem);
    ring_init(&s->from_dram, "the queue of a slice from the DRAM", p->dram_queue, &g->bounds,
              g->mem);
    ring_init(&s->replies, "the reply queue of a slice", p->dram_queue, &g->bounds, g->mem);
    if (g->cfg.halves)
        l2_far_init(s, g);
    return true;
}

/* ---- requests ---- */

static uint8_t full_of(const struct gpu *g, const struct slice *s, const struct request *r)
{
    if (s->tags.n_sectors > 1)
        return r->full;
    uint8_t all = (uint8_t)((1u << g->line_pieces) - 1);
    return (r->full & all) == all ? 1 : 0;
}

/* What a read has to fetch: sectors that are neither here nor on their way. */
static uint8_t missing_of(const struct slice *s, uint32_t slot, enum tags_result t, uint8_t sectors)
{
    const struct tags_line *l = &s->tags.lines[slot];
    if (t == TAGS_MISS)
        return sectors;
    return (uint8_t)(sectors & ~(l->valid & ~l->partial) & ~l->pending);
}

/* Sends request `i` to the DRAM for these sectors alone; MSHR `e` waits for all that were asked
 * for. */
static void fetch(struct gpu *g, struct slice *s, uint32_t i, uint32_t e, uint8_t sectors)
{
    struct request *r = req_at(&g->pool, i);
    if (s->tags.n_sectors > 1) {
        r->fetched = sectors;
        r->fetched_bytes = (uint16_t)(bits_count(sectors) << s->tags.sector_bits);
    } else {
        r->fetched_bytes = r->bytes;
    }
    s->mshr.entries[e].fetches++;
    ring_push(&s->misses, i);
}

/* Cuts a request for several sectors into one per sector. */
static void split(struct gpu *g, struct slice *s, uint32_t i, uint64_t ready)
{
    uint8_t sectors = l2_sectors_of(s, req_at(&g->pool, i));
    if ((sectors & (sectors - 1)) == 0) {
        delay_push(&s->incoming, ready, i);
        return;
    }
    req_at(&g->pool, i)->n_parts = (uint8_t)bits_count(sectors);
    if (req_at(&g->pool, i)->kind == REQ_WRITEBACK)
        g->live_writebacks += bits_count(sectors);
    uint64_t line_mask = ((uint64_t)1 << s->tags.line_bits) - 1;
    for (uint8_t m = sectors; m; m &= (uint8_t)(m - 1)) {
        const struct request *r = req_at(&g->pool, i);
        uint32_t k = bits_lowest(m), part = req_new(&g->pool, *r);
        struct request *c = req_at(&g->pool, part);
        uint64_t at = (uint64_t)k << s->tags.sector_bits;
        c->parent = i;
        c->address = (r->address & ~line_mask) | at;
        c->local = (r->local & ~line_mask) | at;
        c->sectors = (uint8_t)(1u << k);
        c->full = r->full & c->sectors;
        c->bytes = (uint16_t)(1u << s->tags.sector_bits);
        delay_push(&s->incoming, ready, part);
    }
}

static void write_back(struct gpu *g, struct slice *s, uint64_t address, uint8_t dirty,
                       uint64_t now)
{
    struct address a = address_of(g->map, address);
    struct request r = {.address = address,
                        .kind = REQ_WRITEBACK,
                        .bytes = (uint16_t)(bits_count(dirty) << s->tags.sector_bits),
                        .sectors = dirty,
                        .slice = (uint16_t)s->id,
                        .bank = a.bank,
                        .row = a.row,
                        .local = a.local,
                        .born = now};
    s->stats.writebacks++;
    s->stats.data_reads += set_cache_moves(r.bytes);
    g->live_writebacks++;
    ring_push(&s->misses, req_new(&g->pool, r));
}

/* ---- written lines, the one that was written longest ago first ---- */

static void forget_dirty(struct slice *s, uint32_t slot)
{
    struct dirty_link *l = s->dirty;
    l[l[slot].before].after = l[slot].after;
    l[l[slot].after].before = l[slot].before;
}

/* Marks sectors of a line as written. Beyond llc.dirty_limit the line that was written longest ago
 * goes to the DRAM and stays, clean; if the queue there is full, the next store sees to it. */
static void write_line(struct gpu *g, struct slice *s, uint32_t slot, uint8_t sectors, uint8_t full,
                       uint64_t now)
{
    bool was_dirty = s->tags.lines[slot].dirty != 0;
    tags_write(&s->tags, slot, sectors, full, true);
    l2_drop_copy(g, s, slot);
    if (!s->dirty)
        return;
    struct dirty_link *l = s->dirty;
    uint32_t end = s->tags.n_sets * s->tags.ways;
    if (was_dirty)
        forget_dirty(s, slot);
    l[slot] = (struct dirty_link){.before = l[end].before, .after = end};
    l[l[end].before].after = slot;
    l[end].before = slot;
    while (s->tags.n_dirty > s->dirty_limit && !ring_full(&s->misses)) {
        uint32_t oldest = l[end].after;
        forget_dirty(s, oldest);
        write_back(g, s, s->addresses[oldest], tags_clean(&s->tags, oldest), now);
    }
}

uint8_t l2_place(struct gpu *g, struct slice *s, uint32_t slot, const struct request *r,
                 uint64_t now)
{
    uint64_t victim, line_mask = ((uint64_t)1 << s->tags.line_bits) - 1;
    l2_drop_copy(g, s, slot);
    uint8_t dirty = tags_allocate(&s->tags, slot, l2_line_of(s, r), &victim);
    if (dirty) {
        if (s->dirty)
            forget_dirty(s, slot);
        write_back(g, s, s->addresses[slot], dirty, now);
    }
    s->addresses[slot] = r->address & ~line_mask;
    return dirty;
}

void l2_reply(struct gpu *g, struct slice *s, uint32_t i)
{
    struct request *r = req_at(&g->pool, i);
    if (r->is_far && l2_is_home(s, r)) { /* back to the half that asked */
        uint32_t slot = tags_find(&s->tags, l2_line_of(s, r));
        if (slot != TAGS_NONE && r->kind != REQ_WRITE && r->kind != REQ_ATOMIC)
            s->is_copied[slot] = true;
        l2_send_back(g, s, i);
        return;
    }
    ring_push(&s->replies, i);
    bits_set(g->reply_now, s->id);
}

void slice_send_replies(struct gpu *g)
{
    for (uint32_t w = 0; w < bits_words(g->n_slices); w++)
        for (uint64_t m = g->reply_now[w]; m; m &= m - 1) {
            uint32_t s = w * 64 + bits_lowest(m);
            struct slice *sl = &g->slices[s];
            uint32_t i = ring_top(&sl->replies);
            struct request *r = req_at(&g->pool, i);
            uint32_t bytes = req_reply_bytes(r);
            uint16_t flits = machine_flits(g, NOC_REPLY, bytes);
            uint32_t port = g->cluster_of[r->sm];
            if (!fabric_can_send(g->fabric, NOC_REPLY, g->n_clusters + s, flits))
                continue;
            r->replied = g->now;
            g->bytes[NOC_REPLY] += bytes + g->cfg.gpu->header_bytes;
            if (ring_full(&sl->replies))
                machine_wake_slice(g, s);
            ring_pop(&sl->replies);
            fabric_send(g->fabric, NOC_REPLY,
                        &(struct fabric_packet){.src = g->n_clusters + s,
                                                .dst = port,
                                                .v = i,
                                                .flits = flits,
                                                .bytes = bytes + g->cfg.gpu->header_bytes});
            if (!sl->replies.n)
                bits_clear(g->reply_now, s);
        }
}

/* ---- at the tags ---- */

static bool read(struct gpu *g, struct slice *s, uint32_t i, uint64_t now)
{
    struct request *r = req_at(&g->pool, i);
    uint8_t sectors = l2_sectors_of(s, r);
    uint32_t slot;
    enum tags_result t = tags_probe(&s->tags, l2_line_of(s, r), sectors, false, &slot);
    if (t == TAGS_HIT) {
        tags_touch(&s->tags, slot);
        if (r->kind == REQ_ATOMIC)
            write_line(g, s, slot, sectors, 0, now);
        s->stats.read_hits++;
        s->stats.data_reads += set_cache_moves(r->bytes);
        if (r->kind == REQ_ATOMIC)
            s->stats.data_writes += set_cache_moves(r->bytes);
        l2_reply(g, s, i);
    } else {
        if (g->cfg.llc->miss_before_writeback && s->misses.n + 2 > s->misses.cap)
            return false; /* also one that would merge */
        uint64_t key = l2_key_of(g, s, r, sectors);
        uint32_t e = mshr_find(&s->mshr, key);
        uint8_t missing = t == TAGS_NO_WAY ? sectors : missing_of(s, slot, t, sectors);
        s->stats.mshr_searches++;
        if (e != MSHR_NONE && !missing) {
            if (!mshr_can_merge(&s->mshr, e))
                return false;
            mshr_merge(&s->mshr, e, i);
            tags_touch(&s->tags, slot);
            s->stats.read_pending++;
        } else if (e != MSHR_NONE) { /* further sectors of a line that is on its way */
            if (!mshr_can_merge(&s->mshr, e) || s->misses.n + 2 > s->misses.cap)
                return false;
            tags_touch(&s->tags, slot);
            tags_reserve(&s->tags, slot, missing);
            mshr_merge(&s->mshr, e, i);
            fetch(g, s, i, e, missing);
            s->stats.read_misses++;
        } else {
            if (t == TAGS_NO_WAY || !mshr_has_room(&s->mshr) || s->misses.n + 2 > s->misses.cap)
                return false;
            bool is_first = g->cfg.llc->miss_before_writeback; /* before the line it evicts */
            e = mshr_add(&s->mshr, key, i);
            if (is_first)
                fetch(g, s, i, e, missing);
            if (t == TAGS_MISS)
                l2_place(g, s, slot, req_at(&g->pool, i), now);
            else
                tags_touch(&s->tags, slot);
            tags_reserve(&s->tags, slot, missing);
            if (!is_first)
                fetch(g, s, i, e, missing);
            s->stats.read_misses++;
        }
        s->stats.mshr_writes++;
    }
    if (r->kind == REQ_ATOMIC)
        s->stats.atomics++;
    if (r->kind >= REQ_INST || r->space == TS_LOCAL) {
        s->stats.others++;
        s->stats.other_hits += t == TAGS_HIT;
    }
    s->stats.reads++;
    s->stats.searches++;
    return true;
}

static bool write(struct gpu *g, struct slice *s, uint32_t i, uint64_t tick, uint64_t now)
{
    struct request *r = req_at(&g->pool, i);
    uint8_t sectors = l2_sectors_of(s, r);
    uint32_t slot;
    enum tags_result t = tags_probe(&s->tags, l2_line_of(s, r), sectors, true, &slot);
    if (t == TAGS_NO_WAY || s->misses.n + 1 > s->misses.cap)
        return false;
    if (t == TAGS_MISS) {
        uint32_t n = bits_count(l2_place(g, s, slot, r, now)) << s->tags.sector_bits;
        uint32_t width = g->cfg.llc->evict_port_bytes;
        if (width && n > width) /* the victim is read through the port */
            s->port_free = tick + (n + width - 1) / width;
    } else {
        tags_touch(&s->tags, slot);
    }
    write_line(g, s, slot, sectors, full_of(g, s, r), now);
    s->stats.writes++;
    s->stats.searches++;
    s->stats.data_writes += set_cache_moves(r->bytes);
    if (t == TAGS_HIT)
        s->stats.write_hits++;
    else if (t == TAGS_PENDING)
        s->stats.write_pending++;
    else
        s->stats.write_misses++;
    if (r->kind == REQ_WRITEBACK) {
        uint32_t whole = r->parent;
        g->live_writebacks--;
        i = req_join(&g->pool, i);
        if (i != REQ_NONE) { /* not split, or its last part */
            g->live_writebacks -= whole != REQ_NONE;
            req_free(&g->pool, i);
        }
    } else {
        l2_reply(g, s, i);
    }
    return true;
}

/* When the bank takes an access again that request `i` wants. */
static uint64_t *bank_free(struct gpu *g, struct slice *s, uint32_t i)
{
    uint64_t line = req_at(&g->pool, i)->local >> s->tags.line_bits;
    return &s->bank_free[line % g->cfg.llc->banks];
}

/* ---- data from the DRAM ---- */

static void fill(struct gpu *g, struct slice *s, uint32_t i)
{
    struct request *r = req_at(&g->pool, i);
    uint8_t sectors = s->tags.n_sectors > 1 ? r->fetched : 1;
    uint64_t key = l2_key_of(g, s, r, l2_sectors_of(s, r));
    uint32_t e = mshr_find(&s->mshr, key);
    tags_fill(&s->tags, l2_line_of(s, r), sectors);
    if (e != MSHR_NONE && --s->mshr.entries[e].fetches == 0)
        mshr_fill(&s->mshr, key);
    s->stats.fills++;
    s->stats.data_writes += set_cache_moves(bits_count(sectors) << s->tags.sector_bits);
    s->is_blocked = false;
}

/* A request whose data arrived. */
static void serve(struct gpu *g, struct slice *s, uint64_t now)
{
    uint32_t i = mshr_take(&s->mshr);
    struct request *r = req_at(&g->pool, i);
    s->stats.mshr_reads++;
    s->is_blocked = false;
    if (r->kind == REQ_ATOMIC) {
        uint32_t slot = tags_find(&s->tags, l2_line_of(s, r));
        if (slot != TAGS_NONE)
            write_line(g, s, slot, l2_sectors_of(s, r), 0, now);
    }
    l2_reply(g, s, i);
}

/* Out of the network, one packet per tick. */
static void accept(struct gpu *g, struct slice *s, uint64_t tick, uint64_t now)
{
    uint32_t endpoint = g->n_clusters + s->id;
    uint32_t need = g->cfg.llc->sectors_one_by_one && s->queue.cap > 4 ? 4 : 1;
    if (s->queue.n + need > s->queue.cap || s->incoming.n + 16 > L2_INCOMING ||
        fabric_top(g->fabric, NOC_REQUEST, endpoint) == FABRIC_NONE)
        return;
    uint32_t i = fabric_take(g->fabric, NOC_REQUEST, endpoint);
    req_at(&g->pool, i)->reached = now;
    g->moved_at = now;
    if (g->cfg.llc->sectors_one_by_one)
        split(g, s, i, tick + g->l2_latency);
    else
        delay_push(&s->incoming, tick + g->l2_latency, i);
}

/* One request at the tags; false: it has to wait. */
static bool look_up(struct gpu *g, struct slice *s, uint32_t i, uint64_t tick, uint64_t now)
{
    const struct request r = *req_at(&g->pool, i);
    uint64_t *free = bank_free(g, s, i);
    if (tick < *free) {
        s->stats.bank_waits++;
        return false;
    }
    bool is_write = r.kind == REQ_WRITE || r.kind == REQ_WRITEBACK;
    bool is_passed = r.is_far && !l2_is_home(s, &r);
    if (is_passed  ? !l2_pass_on(g, s, i)
        : is_write ? !write(g, s, i, tick, now)
                   : !read(g, s, i, now)) {
        s->is_blocked |= !r.is_far; /* who waits for the other half tries again */
        s->stats.stalls++;
        return false;
    }
    if (!is_passed)
        s->stats.transactions += r.bytes > 32 ? (r.bytes + 31u) / 32 : 1;
    uint64_t held =
        is_passed || r.kind != REQ_ATOMIC ? 0 : (uint64_t)r.turns * g->cfg.llc->atomic_cycles;
    *free = tick + (held > g->l2_interval ? held : g->l2_interval);
    g->moved_at = now;
    return true;
}

/* One of those that wait, from the own half and from the other one in turn. */
static void look_at_tags(struct gpu *g, struct slice *s, uint64_t tick, uint64_t now)
{
    if (tick < s->port_free || ring_full(&s->to_dram))
        return;
    bool has_far_back = !g->cfg.halves || l2_twin_of(g, s)->far_back.n + L2_FAR_ROOM <= L2_INCOMING;
    bool has_far = delay_ready(&s->far_in, tick) && has_far_back;
    bool has_near = s->queue.n && !s->is_blocked && has_far_back && !ring_full(&s->replies);
    for (int turn = 0; turn < 2; turn++)
        if (s->far_turn == (turn == 0)) {
            if (has_far && look_up(g, s, delay_top(&s->far_in), tick, now)) {
                delay_pop(&s->far_in);
                s->far_turn = false;
                return;
            }
        } else if (has_near && look_up(g, s, ring_top(&s->queue), tick, now)) {
            ring_pop(&s->queue);
            s->far_turn = true;
            return;
        }
}

/* The answer that the MSHRs have ready finds room. */
static bool can_serve(const struct gpu *g, const struct slice *s)
{
    if (!mshr_is_ready(&s->mshr))
        return false;
    const struct request *r = req_at(&g->pool, mshr_next(&s->mshr));
    return r->is_far && l2_is_home(s, r) ? l2_twin_of(g, s)->far_back.n + L2_FAR_ROOM <= L2_INCOMING
                                         : !ring_full(&s->replies);
}

uint64_t slice_tick(struct gpu *g, struct slice *s, uint64_t tick, uint64_t now)
{
    s->tick = tick;
    accept(g, s, tick, now);
    if (delay_ready(&s->far_back, tick))
        l2_come_back(g, s, now);
    if (can_serve(g, s))
        serve(g, s, now);
    if (s->from_dram.n) {
        fill(g, s, ring_pop(&s->from_dram));
        machine_wake_dram(g, s->id / (g->n_slices / g->n_dram_channels));
    }
    if (s->misses.n && !ring_full(&s->to_dram)) {
        uint32_t i = ring_pop(&s->misses);
        req_at(&g->pool, i)->to_dram = now;
        ring_push(&s->to_dram, i);
        s->is_blocked = false;
        machine_wake_dram(g, s->id / (g->n_slices / g->n_dram_channels));
    }
    look_at_tags(g, s, tick, now);
    if (delay_ready(&s->incoming, tick) && !ring_full(&s->queue))
        ring_push(&s->queue, delay_pop(&s->incoming));

    if (mshr_is_ready(&s->mshr) || s->from_dram.n || s->misses.n ||
        (s->queue.n && !s->is_blocked) ||
        fabric_top(g->fabric, NOC_REQUEST, g->n_clusters + s->id) != FABRIC_NONE)
        return tick + 1;
    uint64_t far_in = delay_next(&s->far_in), far = delay_next(&s->far_back);
    far = far_in < far ? far_in : far;
    if (far <= tick)
        return tick + 1;
    if (!s->incoming.n)
        return far;
    uint64_t ready = delay_next(&s->incoming);
    if (ready <= tick) /* its queue is full: somebody will wake us */
        return ring_full(&s->queue) ? far : tick + 1;
    return ready < far ? ready : far;
}

/* Copies from the host leave their lines here, as the copy engine's write-through does. */
void slice_preload(struct gpu *g, uint64_t address, uint64_t bytes)
{
    uint64_t step = g->cfg.llc->sector_bytes ? g->cfg.llc->sector_bytes : g->cfg.llc->line_bytes;
    uint64_t most = (uint64_t)g->cfg.llc->bytes * g->n_slices;
    if (bytes > most) { /* only the end stays */
        address += bytes - most;
        bytes = most;
    }
    for (uint64_t a = address & ~(step - 1); a < address + bytes; a += step) {
        struct address w = address_of(g->map, a);
        struct slice *s = &g->slices[w.slice];
        struct request r = {
            .address = a, .local = w.local, .bytes = (uint16_t)step, .sectors = 0xff};
        uint64_t line = w.local >> s->tags.line_bits, victim;
        uint8_t sectors = l2_sectors_of(s, &r);
        uint32_t slot;
        enum tags_result t = tags_probe(&s->tags, line, sectors, false, &slot);
        if (t == TAGS_NO_WAY)
            continue;
        if (t == TAGS_MISS) {
            if (tags_allocate(&s->tags, slot, line, &victim) && s->dirty)
                forget_dirty(s, slot);
            s->addresses[slot] = a & ~(((uint64_t)1 << s->tags.line_bits) - 1);
        }
        tags_touch(&s->tags, slot);
        tags_fill(&s->tags, line, sectors);
    }
}

struct array_counts l2_events(const struct gpu *g, uint32_t slice)
{
    const struct slice_stats *s = &g->slices[slice].stats;
    return (struct array_counts){
        .reads = s->data_reads, .writes = s->data_writes, .searches = s->searches};
}

struct array_counts l2_mshr_events(const struct gpu *g, uint32_t slice)
{
    const struct slice_stats *s = &g->slices[slice].stats;
    return (struct array_counts){
        .reads = s->mshr_reads, .writes = s->mshr_writes, .searches = s->mshr_searches};
}
