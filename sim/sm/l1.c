/* SPDX-License-Identifier: MIT
 *
 * The L1 data cache of an SM: banks that take one access per cycle, tags compared after
 * l1.lookup_cycles, hits answered after l1.hit_cycles; misses wait in MSHRs. What cannot proceed
 * (no MSHR, no free merge, every way awaiting data, full queue to the port) stays at the head of
 * its bank and is tried again when one of those changes. */
#include "sim/sm/l1.h"

#include "base/bits.h"
#include "cache/set_cache.h"
#include "sim/frame/array_events.h"
#include "sim/sm/port.h"
#include "sim/sm/sm.h"

static uint32_t bank_of(const struct sm *sm, uint64_t address)
{
    uint32_t banks = sm->common->l1_pipes;
    if (banks == 1)
        return 0;
    if (sm->common->coalescer->banks_by_set)
        return tags_set_of(&sm->l1, address >> sm->l1.line_bits) % banks;
    uint32_t tags = sm->gpu->cfg.l1->tags_per_cycle, part;
    if (!tags)
        return (uint32_t)(address / sm->common->rule.granule_bytes) % banks;
    uint32_t line = (uint32_t)(address >> sm->l1.line_bits); /* lines of any stride spread */
    part = (uint32_t)(address / sm->common->rule.granule_bytes) % (banks / tags);
    return (line ^ line >> 2 ^ line >> 4) % tags * (banks / tags) + part;
}

/* A bank takes an access each so many cycles as its array needs. */
static bool is_busy(const struct sm *sm, const struct l1_pipe *p, uint64_t now)
{
    return p->offered_at && now + 1 - p->offered_at < sm->common->l1_interval;
}

bool l1_can_take(const struct sm *sm, uint64_t address, uint64_t now)
{
    const struct l1_pipe *p = &sm->pipes[bank_of(sm, address)];
    return !is_busy(sm, p, now) && p->n != sm->common->l1_lookup;
}

/* The part of the L1 that a warp's CTA has, where it is divided (Maxwell and Pascal, as Li et al.
 * 2017 saw it: a line that CTAs of several slots read was fetched twice). */
static uint32_t part_of(const struct sm *sm, uint32_t warp)
{
    return sm->warps[warp].cta % sm->gpu->cfg.l1->slot_groups;
}
static uint64_t line_in(const struct sm *sm, uint64_t address, uint32_t part)
{
    return tags_line_in_part(address >> sm->l1.line_bits, part);
}
static uint64_t line_of(const struct sm *sm, uint64_t address, uint32_t warp)
{
    return line_in(sm, address, part_of(sm, warp));
}
/* What the MSHRs know a miss by. */
static uint64_t miss_in(const struct sm *sm, uint64_t address, uint32_t part)
{
    return tags_line_in_part(address / sm->common->rule.granule_bytes, part);
}
static uint64_t miss_of(const struct sm *sm, uint64_t address, uint32_t warp)
{
    return miss_in(sm, address, part_of(sm, warp));
}

static bool goes_past(const struct sm *sm, const struct access *a);

/* An access as it leaves the SM. */
static struct request request_of(const struct sm *sm, const struct access *a, uint64_t born)
{
    return (struct request){.address = a->address,
                            .kind = a->kind,
                            .space = a->space,
                            .sectors = a->sectors,
                            .full = a->full,
                            .bytes = a->bytes,
                            .sm = (uint16_t)sm->id,
                            .warp = a->warp,
                            .part = (uint8_t)part_of(sm, a->warp),
                            .turns = a->turns,
                            .tag = a->tag,
                            .is_prefetch = a->is_prefetch,
                            .born = born};
}

static void expect_acks(struct sm *sm, const struct access *a)
{
    if (a->kind == REQ_WRITE)
        sm->warps[a->warp].n_stores +=
            sm->gpu->cfg.llc->sectors_one_by_one ? bits_count(a->sectors) : 1;
}

static void count_passed(struct sm *sm, const struct access *a)
{
    if (a->kind == REQ_WRITE)
        sm->stats.writes_sent++;
    else if (a->is_prefetch)
        sm->stats.prefetches++;
    else if (a->kind == REQ_ATOMIC)
        sm->stats.atomics++;
    else
        sm->stats.bypasses++;
}

/* Where its slice is drawn when it is first used: a request exists from here on. */
static void touch(struct sm *sm, const struct access *a)
{
    if (sm->gpu->cfg.llc->hash == LLC_HASH_random)
        cluster_touch(sm->gpu, a->address);
}

/* Past the L1 and its pipeline, one request per cycle. */
static bool pass_at_once(struct sm *sm, const struct access *a, uint64_t now)
{
    struct gpu *g = sm->gpu;
    if (sm->passed_at == now + 1)
        return false;
    struct request r = request_of(sm, a, now);
    r.is_bypass = a->kind != REQ_WRITE;
    uint32_t i = req_new(&g->pool, r);
    if (!cluster_can_send(g, sm->id, i)) {
        req_free(&g->pool, i);
        return false;
    }
    touch(sm, a);
    sm->passed_at = now + 1;
    sm->stats.requests++;
    count_passed(sm, a);
    cluster_send(g, sm->id, i, now);
    if (a->is_prefetch) { /* the coalescer has not written down yet that it sent it */
        delay_push(&sm->hits, now + 1, a->tag);
        sm->n_l2_prefetches++;
    }
    return true;
}

bool l1_offer(struct sm *sm, const struct access *a, uint64_t now)
{
    const struct gpu *g = sm->gpu;
    if (g->cfg.l1->bypass_skips_pipeline && goes_past(sm, a)) {
        if (!pass_at_once(sm, a, now))
            return false;
        expect_acks(sm, a);
        return true;
    }
    uint32_t bank = bank_of(sm, a->address);
    struct l1_pipe *p = &sm->pipes[bank];
    if (is_busy(sm, p, now) || p->n == sm->common->l1_lookup)
        return false;
    touch(sm, a);
    p->offered_at = now + 1;
    p->at[(p->first + p->n++) & p->mask] = (struct l1_entry){*a, now + sm->common->l1_lookup, now};
    sm->n_piped++;
    expect_acks(sm, a);
    return true;
}

void l1_unblock(struct sm *sm)
{
    for (uint32_t b = 0; b < sm->common->l1_pipes; b++)
        sm->pipes[b].is_blocked = false;
    sm->l1_changes++;
}

bool l1_is_stuck(struct sm *sm, const struct access *a)
{
    const struct l1_pipe *p = &sm->pipes[bank_of(sm, a->address)];
    sm->is_offer_blocked = p->is_blocked && p->n == sm->common->l1_lookup;
    return sm->is_offer_blocked;
}

/* ---- one access at the tags ---- */

/* The last request in the queue takes what misses beside it: another sector of its line, wanted by
 * the same instruction. */
static bool join_last(struct sm *sm, const struct request *r)
{
    const struct ring *q = &sm->misses;
    if (!sm->gpu->cfg.l1->join_sectors || !q->n || (r->kind != REQ_READ && r->kind != REQ_WRITE))
        return false;
    struct request *last = req_at(&sm->gpu->pool, q->at[(q->first + q->n - 1) & q->mask]);
    if (last->kind != r->kind || last->warp != r->warp || last->born != r->born ||
        last->is_bypass != r->is_bypass || last->is_prefetch != r->is_prefetch ||
        last->space != r->space || (last->sectors & r->sectors) ||
        last->address >> sm->l1.line_bits != r->address >> sm->l1.line_bits ||
        (r->is_bypass && last->tag != r->tag))
        return false;
    last->sectors |= r->sectors;
    last->full |= r->full;
    last->bytes = (uint16_t)(last->bytes + r->bytes);
    last->address = r->address < last->address ? r->address : last->address;
    last->n_joined++;
    return true;
}

static void send(struct sm *sm, struct request r)
{
    if (join_last(sm, &r))
        return;
    if (r.kind == REQ_WRITE)
        sm->stats.writes_sent++;
    sm->stats.requests++;
    ring_push(&sm->misses, req_new(&sm->gpu->pool, r));
}

static void write_victim(struct sm *sm, uint64_t line, uint8_t dirty, uint64_t now)
{
    struct gpu *g = sm->gpu;
    bool is_whole = sm->l1.n_sectors == 1;
    uint8_t sectors = is_whole ? 0xff : dirty;
    uint32_t bytes = is_whole ? g->cfg.l1->line_bytes : bits_count(dirty) << sm->l1.sector_bits;
    struct request r = {.address = tags_line_number(line) << sm->l1.line_bits,
                        .kind = REQ_WRITEBACK,
                        .space = TS_GLOBAL,
                        .sectors = sectors,
                        .full = sectors,
                        .bytes = (uint16_t)bytes,
                        .sm = (uint16_t)sm->id,
                        .born = now};
    sm->stats.l1_evictions++;
    sm->stats.l1_data_reads += set_cache_moves(bytes);
    g->live_writebacks++;
    ring_push(&sm->misses, req_new(&g->pool, r));
}

/* Room for a request and for the written line it may evict. Where
 * rules.loads_may_evict says so, loads want both whatever the policy. Where the queue is shorter
 * than that, it must be empty: it has one place more than it says. */
static bool has_room(const struct sm *sm, bool is_store)
{
    bool is_back = !sm->common->l1_is_through;
    bool is_two = sm->common->rules.loads_may_evict
                      ? !is_store || (is_back && sm->gpu->cfg.l1->write_allocate)
                      : is_back;
    uint32_t need = is_two ? 2 : 1;
    return sm->misses.n + need <= sm->misses.cap || (sm->misses.cap < need && sm->misses.n == 0);
}

static uint8_t mask_of(const struct sm *sm, const struct access *a)
{
    return sm->l1.n_sectors == 1 ? 1 : a->sectors;
}

static void see(struct sm *sm, const struct access *a, int result, uint64_t now)
{
    struct l1_look look = {.address = a->address,
                           .sm = sm->id,
                           .cta = sm->ctas[sm->warps[a->warp].cta].index,
                           .bytes = a->bytes,
                           .is_write = a->kind == REQ_WRITE,
                           .result = result};
    TELL(sm->gpu, l1, &look, now);
}

static void place(struct sm *sm, uint32_t slot, uint64_t line, uint64_t now)
{
    uint64_t victim;
    uint8_t dirty = tags_allocate(&sm->l1, slot, line, &victim);
    if (dirty && !sm->common->l1_is_through)
        write_victim(sm, victim, dirty, now);
}

/* Times that an access goes through the port of the data. */
static uint32_t moves_of(const struct sm *sm, const struct access *a)
{
    return set_cache_moves(bits_count(a->sectors) * sm->common->rule.piece_bytes);
}

/* Its instruction has no more to do with an access that nobody waits for. */
static void let_go(struct sm *sm, const struct access *a, uint64_t now)
{
    if (!sm->common->coalescer->done(sm->coalescer, a->tag, now))
        delay_push(&sm->hits, now, a->tag);
}

/* Fetches a line that is neither here nor on its way. Not among the accesses: hit rates are those
 * of loads and stores. */
static bool prefetch(struct sm *sm, const struct l1_entry *e, uint32_t *n_misses, uint64_t now)
{
    const struct access *a = &e->access;
    struct sm_stats *st = &sm->stats;
    uint64_t line = line_of(sm, a->address, a->warp), key = miss_of(sm, a->address, a->warp);
    uint32_t slot, most = sm->gpu->cfg.l1->misses_per_cycle;
    enum tags_result r = tags_probe(&sm->l1, line, mask_of(sm, a), false, &slot);
    if (r != TAGS_HIT) {
        if (most && *n_misses >= most)
            return false;
        st->mshr_searches++;
        if (mshr_find(&sm->mshr, key) == MSHR_NONE) {
            if (r == TAGS_NO_WAY || !mshr_has_room(&sm->mshr) || !has_room(sm, false))
                return false;
            if (r == TAGS_MISS)
                place(sm, slot, line, now);
            tags_reserve(&sm->l1, slot, mask_of(sm, a));
            mshr_add_unwaited(&sm->mshr, key);
            struct request q = request_of(sm, a, e->born);
            q.bytes = (uint16_t)sm->common->rule.granule_bytes;
            q.sectors = sm->l1.n_sectors == 1 ? 0xff : a->sectors;
            send(sm, q);
            st->prefetch_fills++;
            st->mshr_writes++;
        }
        ++*n_misses;
    }
    st->prefetches++;
    st->l1_searches++;
    let_go(sm, a, now);
    return true;
}

static bool load(struct sm *sm, const struct l1_entry *e, uint32_t *n_misses, uint64_t now)
{
    struct gpu *g = sm->gpu;
    struct sm_stats *st = &sm->stats;
    const struct access *a = &e->access;
    uint64_t line = line_of(sm, a->address, a->warp);
    uint64_t key = miss_of(sm, a->address, a->warp);
    uint8_t mask = mask_of(sm, a);
    uint32_t slot;
    enum tags_result r = tags_probe(&sm->l1, line, mask, false, &slot);
    if (r == TAGS_HIT) {
        tags_touch(&sm->l1, slot);
        if (sm->common->l1_hit > sm->common->l1_lookup)
            delay_push(&sm->hits, now + sm->common->l1_hit - sm->common->l1_lookup, a->tag);
        else if (sm->hits.n || !sm->common->coalescer->done(sm->coalescer, a->tag, now))
            delay_push(&sm->hits, now, a->tag); /* it has no room now */
        st->l1_hits++;
        st->l1_data_reads += moves_of(sm, a);
    } else {
        uint32_t most = g->cfg.l1->misses_per_cycle; /* searches of the MSHRs */
        if (most && *n_misses >= most)
            return false;
        if (sm->common->rules.merges_want_room && !has_room(sm, false))
            return false;
        uint32_t m = mshr_find(&sm->mshr, key);
        st->mshr_searches++;
        if (m != MSHR_NONE) {
            if (!mshr_can_merge(&sm->mshr, m))
                return false;
            ++*n_misses;
            st->prefetch_late += mshr_is_unwaited(&sm->mshr, m);
            mshr_merge(&sm->mshr, m, a->tag);
            if (r == TAGS_PENDING)
                tags_touch(&sm->l1, slot);
            /* a line without a place until it comes is no line that is pending */
            *(g->cfg.l1->allocate == L1_ALLOCATE_fill ? &st->l1_misses : &st->l1_pending) += 1;
            st->mshr_merges++;
            st->mshr_writes++;
            r = TAGS_PENDING;
        } else {
            bool is_late = g->cfg.l1->allocate == L1_ALLOCATE_fill;
            if ((r == TAGS_NO_WAY && !is_late) || !mshr_has_room(&sm->mshr) || !has_room(sm, false))
                return false;
            ++*n_misses;
            if (r == TAGS_MISS && !is_late)
                place(sm, slot, line, now);
            else if (r == TAGS_SECTOR_MISS && !is_late)
                tags_touch(&sm->l1, slot);
            if (!is_late)
                tags_reserve(&sm->l1, slot, mask);
            mshr_add(&sm->mshr, key, a->tag);
            struct request q = request_of(sm, a, e->born);
            q.bytes = (uint16_t)sm->common->rule.granule_bytes;
            q.sectors = sm->l1.n_sectors == 1 ? 0xff : a->sectors;
            send(sm, q);
            st->l1_misses++;
            st->mshr_writes++;
        }
    }
    st->l1_accesses++;
    st->l1_searches++;
    see(sm, a, r, now);
    return true;
}

/* A store to the L1 itself. */
static void store_into(struct sm *sm, const struct access *a, uint32_t slot, bool is_dirty)
{
    bool is_line = sm->l1.n_sectors == 1;
    uint8_t all =
        (uint8_t)((1u << (sm->common->rule.line_bytes / sm->common->rule.piece_bytes)) - 1);
    uint8_t full = is_line ? (a->full == all ? 1 : 0) : a->full;
    tags_write(&sm->l1, slot, mask_of(sm, a), full, is_dirty);
    tags_touch(&sm->l1, slot);
    sm->stats.l1_data_writes += moves_of(sm, a);
}

static bool store(struct sm *sm, const struct l1_entry *e, uint64_t now)
{
    struct gpu *g = sm->gpu;
    struct sm_stats *st = &sm->stats;
    const struct access *a = &e->access;
    uint64_t line = line_of(sm, a->address, a->warp);
    uint32_t slot;
    if (!has_room(sm, true))
        return false;
    enum tags_result r = tags_probe(&sm->l1, line, mask_of(sm, a), true, &slot);
    bool is_back = sm->common->l1_is_back || (a->space == TS_LOCAL && !sm->common->l1_is_through);
    bool is_sent = true;
    if (r == TAGS_HIT) {
        if (is_back) {
            store_into(sm, a, slot, true);
            is_sent = false;
        } else if (sm->common->l1_is_through) {
            store_into(sm, a, slot, true);
        } else {
            tags_drop_sectors(&sm->l1, slot, mask_of(sm, a));
        }
        st->l1_write_hits++;
    } else if (g->cfg.l1->write_allocate && r != TAGS_PENDING) {
        if (r == TAGS_NO_WAY)
            return false;
        if (r == TAGS_MISS)
            place(sm, slot, line, now);
        store_into(sm, a, slot, true);
        is_sent = !is_back;
    }
    if (is_sent) {
        send(sm, request_of(sm, a, e->born));
    } else { /* nobody else will acknowledge it */
        uint32_t n = g->cfg.llc->sectors_one_by_one ? bits_count(a->sectors) : 1;
        for (uint32_t i = 0; i < n; i++)
            sm_store_acked(sm, a->warp, now);
    }
    st->l1_accesses++;
    st->l1_writes++;
    st->l1_searches++;
    if (r == TAGS_HIT)
        st->l1_hits++;
    else if (r == TAGS_PENDING) /* its line is on its way */
        st->l1_pending++;
    else
        st->l1_misses++;
    see(sm, a, r, now);
    return true;
}

/* Past the L1: atomics, and loads that are marked or configured so. */
static bool pass(struct sm *sm, const struct l1_entry *e)
{
    const struct access *a = &e->access;
    if (ring_full(&sm->misses))
        return false;
    uint32_t slot = tags_find(&sm->l1, line_of(sm, a->address, a->warp));
    if (slot != TAGS_NONE && a->kind == REQ_ATOMIC)
        tags_drop(&sm->l1, slot);
    struct request r = request_of(sm, a, e->born);
    r.is_bypass = a->kind != REQ_WRITE;
    uint32_t n_before = sm->misses.n;
    if (a->kind != REQ_WRITE) /* send() counts writes itself */
        count_passed(sm, a);
    send(sm, r);
    if (a->is_prefetch)
        sm->n_l2_prefetches += sm->misses.n - n_before; /* it may have joined another */
    return true;
}

static bool goes_past(const struct sm *sm, const struct access *a)
{
    return a->kind == REQ_ATOMIC || a->is_bypass ||
           (sm->gpu->cfg.l1->bypass_global_loads && a->space == TS_GLOBAL &&
            (a->kind == REQ_READ || sm->common->rules.bypass_takes_stores));
}

static bool access_tags(struct sm *sm, const struct l1_entry *e, uint32_t *n_misses, uint64_t now)
{
    const struct access *a = &e->access;
    if (goes_past(sm, a)) {
        if (!pass(sm, e))
            return false;
        if (a->is_prefetch)
            let_go(sm, a, now);
        return true;
    }
    if (a->is_prefetch)
        return prefetch(sm, e, n_misses, now);
    return a->kind == REQ_WRITE ? store(sm, e, now) : load(sm, e, n_misses, now);
}

bool l1_accepts(const struct sm *sm, const struct access *a, uint64_t now)
{
    const struct gpu *g = sm->gpu;
    if (!l1_can_take(sm, a->address, now))
        return false;
    if (sm->common->l1_lookup > 1) /* what it finds is known at the end of the pipeline */
        return true;
    if (goes_past(sm, a))
        return !ring_full(&sm->misses);
    uint64_t line = line_of(sm, a->address, a->warp);
    uint32_t slot;
    bool is_write = a->kind == REQ_WRITE;
    if (is_write && !g->cfg.l1->write_allocate)
        return has_room(sm, true);
    enum tags_result r = tags_probe(&sm->l1, line, mask_of(sm, a), is_write, &slot);
    if (is_write)
        return has_room(sm, true) && r != TAGS_NO_WAY;
    if (r == TAGS_HIT)
        return true;
    uint32_t m = mshr_find(&sm->mshr, miss_of(sm, a->address, a->warp));
    if (m != MSHR_NONE)
        return mshr_can_merge(&sm->mshr, m);
    return r != TAGS_NO_WAY && mshr_has_room(&sm->mshr) && has_room(sm, false);
}

/* ---- replies ---- */

/* Data has come for a line without a place. None where no way is free, or where a written line
 * would have to go and the queue is full: the data is used and not kept. */
static void make_place(struct sm *sm, uint64_t line, uint8_t mask, uint64_t now)
{
    uint32_t slot;
    enum tags_result r = tags_probe(&sm->l1, line, mask, false, &slot);
    if (r == TAGS_SECTOR_MISS)
        tags_touch(&sm->l1, slot);
    else if (r == TAGS_MISS && (!tags_is_dirty(&sm->l1, slot) || !ring_full(&sm->misses)))
        place(sm, slot, line, now);
}

static void fill_part(struct sm *sm, const struct request *r, uint32_t part, uint64_t now)
{
    uint8_t mask = sm->l1.n_sectors == 1 ? 1 : r->sectors;
    uint64_t line = r->address >> sm->l1.line_bits << sm->l1.line_bits;
    if (sm->gpu->cfg.l1->allocate == L1_ALLOCATE_fill)
        make_place(sm, line_in(sm, r->address, part), mask, now);
    tags_fill(&sm->l1, line_in(sm, r->address, part), mask);
    for (uint8_t m = r->n_joined ? mask : 0; m; m &= (uint8_t)(m - 1)) /* one a sector */
        mshr_fill(&sm->mshr,
                  miss_in(sm, line + ((uint64_t)bits_lowest(m) << sm->l1.sector_bits), part));
    if (!r->n_joined)
        mshr_fill(&sm->mshr, miss_in(sm, r->address, part));
}

/* A cluster's structures know lines, not parts of an L1: what they answer is for every part of a
 * divided one that waits. */
static void fill_line(struct sm *sm, const struct request *r, uint64_t now)
{
    uint32_t parts = sm->gpu->cfg.l1->slot_groups;
    if (parts == 1 || !sm->gpu->hooks.reply) {
        fill_part(sm, r, r->part, now);
        return;
    }
    for (uint32_t part = 0; part < parts; part++)
        if (mshr_find(&sm->mshr, miss_in(sm, r->address, part)) != MSHR_NONE)
            fill_part(sm, r, part, now);
}

void l1_fill(struct sm *sm, uint32_t req, uint64_t now)
{
    struct gpu *g = sm->gpu;
    if (req_at(&g->pool, req)->kind == REQ_WRITE) { /* each part is acknowledged */
        uint32_t warp = req_at(&g->pool, req)->warp;
        for (uint32_t k = 0, n = 1u + req_at(&g->pool, req)->n_joined; k < n; k++) {
            sm->stats.acks++;
            sm_store_acked(sm, warp, now);
        }
    }
    req = req_join(&g->pool, req);
    if (req == REQ_NONE)
        return;
    struct request *r = req_at(&g->pool, req);
    if (r->kind == REQ_WRITE) {
        sm->stats.answers++;
    } else if (r->is_bypass) {
        sm->stats.answers++;
        sm->n_l2_prefetches -= r->is_prefetch;
        for (uint32_t k = 0; !r->is_prefetch && k <= r->n_joined; k++)
            ring_push(&sm->bypassed, r->tag);
    } else if (r->kind == REQ_READ) {
        fill_line(sm, r, now);
        sm->stats.answers++;
        sm->stats.l1_data_writes += set_cache_moves(r->bytes);
        sm->stats.mshr_searches++;
    } else {
        struct ro_cache *c = r->kind == REQ_TEXTURE ? &sm->tcache : &sm->ccache;
        tags_fill(&c->tags, r->address >> c->tags.line_bits, 1);
        mshr_fill(&c->mshr, r->address >> c->tags.line_bits);
        sm->stats.answers++;
    }
    req_free(&g->pool, req);
    l1_unblock(sm);
}

uint64_t l1_cycle(struct sm *sm, uint64_t now)
{
    struct gpu *g = sm->gpu;
    uint64_t next = NEVER;
    if (sm->responses.n) {
        uint32_t i = ring_top(&sm->responses);
        if (!req_at(&g->pool, i)->is_bypass || sm->bypassed.n < sm->common->rules.bypass_answers) {
            ring_pop(&sm->responses);
            l1_fill(sm, i, now);
            machine_wake_cluster(g, sm->cluster);
        }
    }
    if (sm->misses.n && cluster_can_send(g, sm->id, ring_top(&sm->misses))) {
        cluster_send(g, sm->id, ring_pop(&sm->misses), now);
        l1_unblock(sm);
    }
    if (sm->n_piped) {
        uint32_t n_misses = 0, n_piped = sm->n_piped;
        for (uint32_t b = 0; b < sm->common->l1_pipes; b++) {
            struct l1_pipe *p = &sm->pipes[b];
            if (!p->n || p->is_blocked)
                continue;
            const struct l1_entry *e = &p->at[p->first & p->mask];
            if (e->ready <= now) {
                if (access_tags(sm, e, &n_misses, now)) {
                    if (sm->is_offer_blocked) {
                        sm->is_offer_blocked = false;
                        sm->coalescer_at = now;
                    }
                    p->first++;
                    p->n--;
                    sm->n_piped--;
                    g->moved_at = now;
                } else {
                    p->is_blocked = true;
                    sm->stats.l1_stalls++;
                }
            }
        }
        sm->stats.l1_cycles += sm->n_piped != n_piped;
        if (g->cfg.l1->misses_per_cycle && n_misses >= g->cfg.l1->misses_per_cycle)
            l1_unblock(sm);
    }
    if (sm->responses.n || sm->misses.n || mshr_is_ready(&sm->mshr))
        next = now + 1;
    for (uint32_t b = 0; b < sm->common->l1_pipes && next > now + 1; b++) {
        const struct l1_pipe *p = &sm->pipes[b];
        if (!p->n || p->is_blocked)
            continue;
        uint64_t ready = p->at[p->first & p->mask].ready;
        uint64_t t = ready <= now ? now + 1 : ready;
        next = t < next ? t : next;
    }
    return next;
}

struct array_counts l1_events(const struct gpu *g, uint32_t sm)
{
    const struct sm_stats *s = &g->sms[sm].stats;
    return (struct array_counts){
        .reads = s->l1_data_reads, .writes = s->l1_data_writes, .searches = s->l1_searches};
}

struct array_counts l1_mshr_events(const struct gpu *g, uint32_t sm)
{
    const struct sm_stats *s = &g->sms[sm].stats;
    return (struct array_counts){
        .reads = s->mshr_reads, .writes = s->mshr_writes, .searches = s->mshr_searches};
}
