/* SPDX-License-Identifier: MIT
 *
 * Where halves keep copies of each other's lines, an SM's requests go to slices of its half alone.
 * A read of the other half's line looks for a copy there; a miss, and every write and atomic, goes
 * on over the crossing to the slice of the same place in the other half, whose line it is, and its
 * answer comes back the same way: reads leave a copy. A slice knows of which lines there may be
 * copies. When such a line is written, or pushed out, it says so over the crossing, behind what it
 * sent before: whoever gets an old copy gets it before it is thrown out. What came over the
 * crossing waits in a queue of its own and is never sent over another one, and reads that wait for
 * the other half leave half of the MSHRs to it, so the halves cannot wait for each other in a
 * circle. */
#include "base/arena.h"
#include "base/bits.h"
#include "cache/set_cache.h"
#include "sim/frame/machine.h"
#include "sim/memory/address.h"
#include "sim/memory/l2_parts.h"

void l2_far_init(struct slice *s, struct gpu *g)
{
    const struct llc_params *p = g->cfg.llc;
    uint32_t under_way = g->far_cycles[NOC_REQUEST] + g->l2_latency;
    s->is_copied = arena_many(g->mem, bool, (size_t)s->tags.n_sets * s->tags.ways);
    delay_ring_init(&s->far_in, "the queue of a slice from the other half",
                    p->queue_depth + under_way, &g->bounds, g->mem);
    delay_ring_init(&s->far_back, "the answers of the other half to a slice", L2_INCOMING,
                    &g->bounds, g->mem);
}

static bool has_far_room(const struct gpu *g, const struct slice *s)
{
    const struct slice *t = l2_twin_of(g, s);
    return t->far_in.n < t->far_in.cap;
}

/* Over the crossing, as fast as it is wide. */
static void send_far(struct gpu *g, struct slice *s, enum noc_dir dir, uint32_t i, uint32_t bytes)
{
    struct slice *t = l2_twin_of(g, s);
    uint32_t flits = machine_flits(g, dir, bytes);
    uint64_t empty = (uint64_t)flits * g->flit_bytes[dir] - bytes - g->cfg.gpu->header_bytes;
    uint64_t *free = &g->slices[g->cfg.halves->owner[dir][s->id]].link_free[dir];
    uint64_t begin = s->tick > *free ? s->tick : *free;
    *free = begin + flits;
    uint64_t there = begin + flits - 1 + g->far_cycles[dir];
    if (dir == NOC_REQUEST) {
        delay_push(&t->far_in, there + g->l2_latency, i);
        s->stats.far_request_flits += flits;
        s->stats.far_request_empty += empty;
    } else {
        delay_push(&t->far_back, there, i);
        s->stats.far_reply_flits += flits;
        s->stats.far_reply_empty += empty;
    }
    machine_wake_slice(g, t->id);
}

void l2_send_back(struct gpu *g, struct slice *s, uint32_t i)
{
    send_far(g, s, NOC_REPLY, i, req_reply_bytes(req_at(&g->pool, i)));
}

void l2_tell_other_half(struct gpu *g, struct slice *s, uint32_t slot)
{
    s->is_copied[slot] = false;
    struct request r = {.address = s->addresses[slot],
                        .kind = REQ_INVALIDATE,
                        .slice = (uint16_t)s->id,
                        .local = address_of(g->map, s->addresses[slot]).local,
                        .born = g->now};
    g->live_writebacks++;
    send_far(g, s, NOC_REPLY, req_new(&g->pool, r), 0);
}

bool l2_pass_on(struct gpu *g, struct slice *s, uint32_t i)
{
    struct request *r = req_at(&g->pool, i);
    uint8_t sectors = l2_sectors_of(s, r);
    uint32_t slot;
    if (r->kind == REQ_WRITE || r->kind == REQ_WRITEBACK || r->kind == REQ_ATOMIC) {
        if (!has_far_room(g, s))
            return false;
        slot = tags_find(&s->tags, l2_line_of(s, r));
        if (slot != TAGS_NONE) {
            tags_drop(&s->tags, slot);
            s->stats.copy_drops++;
        }
    } else if (tags_probe(&s->tags, l2_line_of(s, r), sectors, false, &slot) == TAGS_HIT) {
        tags_touch(&s->tags, slot);
        s->stats.copy_hits++;
        s->stats.reads++;
        s->stats.read_hits++;
        s->stats.data_reads += set_cache_moves(r->bytes);
        s->stats.transactions += r->bytes > 32 ? (r->bytes + 31u) / 32 : 1;
        bool is_other = r->kind >= REQ_INST || r->space == TS_LOCAL;
        s->stats.others += is_other;
        s->stats.other_hits += is_other;
        s->stats.searches++;
        l2_reply(g, s, i);
        return true;
    } else {
        uint64_t key = l2_key_of(g, s, r, sectors);
        uint32_t e = mshr_find(&s->mshr, key);
        s->stats.mshr_searches++;
        if (e != MSHR_NONE ? !mshr_can_merge(&s->mshr, e)
                           : s->n_far_reads >= (s->mshr.n_entries + 1) / 2 ||
                                 !mshr_has_room(&s->mshr) || !has_far_room(g, s))
            return false;
        s->stats.mshr_writes++;
        if (e != MSHR_NONE) {
            mshr_merge(&s->mshr, e, i);
            s->stats.reads++;
            s->stats.read_pending++;
            s->stats.others += r->kind >= REQ_INST || r->space == TS_LOCAL;
            s->stats.searches++;
            return true;
        }
        mshr_add(&s->mshr, key, i);
        s->n_far_reads++;
    }
    s->stats.searches++;
    s->stats.far++;
    send_far(g, s, NOC_REQUEST, i, req_data_bytes(r));
    return true;
}

void l2_come_back(struct gpu *g, struct slice *s, uint64_t now)
{
    uint32_t i = delay_top(&s->far_back), slot;
    struct request *r = req_at(&g->pool, i);
    uint64_t line = l2_line_of(s, r);
    if (r->kind == REQ_INVALIDATE) {
        slot = tags_find(&s->tags, line);
        if (slot != TAGS_NONE) {
            tags_drop(&s->tags, slot);
            s->stats.copy_drops++;
        }
        g->live_writebacks--;
        req_free(&g->pool, i);
    } else if (r->kind == REQ_WRITE || r->kind == REQ_ATOMIC) {
        if (ring_full(&s->replies))
            return;
        l2_reply(g, s, i);
    } else {
        uint8_t sectors = l2_sectors_of(s, r);
        enum tags_result t = tags_probe(&s->tags, line, sectors, false, &slot);
        if (t == TAGS_MISS && ring_full(&s->misses)) /* who makes room may be dirty */
            return;
        if (t == TAGS_MISS)
            l2_place(g, s, slot, r, now);
        if (t != TAGS_NO_WAY) {
            tags_touch(&s->tags, slot);
            tags_fill(&s->tags, line, sectors);
            s->stats.data_writes += set_cache_moves(bits_count(sectors) << s->tags.sector_bits);
        }
        mshr_fill(&s->mshr, l2_key_of(g, s, r, sectors));
        s->n_far_reads--;
        s->is_blocked = false;
    }
    g->moved_at = now;
    delay_pop(&s->far_back);
}
