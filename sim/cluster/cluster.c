/* SPDX-License-Identifier: MIT
 *
 * A cluster: the SMs behind one network port. Requests share a bus (one per cycle) into the
 * injection buffer; replies wait in one response queue. Merge tables and caches at the port plug in
 * through sim/frame/hooks.h. */
#include "sim/cluster/cluster.h"
#include "base/bits.h"
#include "sim/fabric/fabric.h"
#include "sim/memory/address.h"
#include "sim/sm/port.h"
#include "sim/sm/sm.h"

static void count_port(struct gpu *g, enum noc_dir dir, uint32_t sm, uint32_t bytes)
{
    struct port_counts *p = &g->sms[sm].port[dir];
    uint16_t flits = machine_flits(g, dir, bytes);
    p->packets++;
    p->flits += flits;
    p->empty += (uint64_t)flits * g->flit_bytes[dir] - bytes - g->cfg.gpu->header_bytes;
}

void cluster_touch(struct gpu *g, uint64_t address)
{
    if (g->map->draws)
        address_of(g->map, address);
}

/* Requests that can find no place are let in round robin over the SMs. */
bool cluster_can_send(struct gpu *g, uint32_t sm, uint32_t req)
{
    struct cluster *c = &g->clusters[g->sms[sm].cluster];
    if (g->cfg.cluster->is_unbuffered) {
        uint32_t bytes = req_data_bytes(req_at(&g->pool, req));
        if (!fabric_can_send(g->fabric, NOC_REQUEST, g->sms[sm].cluster,
                             machine_flits(g, NOC_REQUEST, bytes)))
            return false;
    }
    if (g->cfg.compat->cluster_order != CLUSTER_ORDER_bus)
        return c->inject.n < c->inject.cap;
    uint64_t bit = (uint64_t)1 << (sm - c->first_sm);
    if (c->inject.n >= c->inject.cap || (c->n_sms > 1 && c->sent_at == g->now + 1)) {
        c->waiting |= bit;
        return false;
    }
    if (c->waiting & ~bit) {
        uint64_t all = c->waiting | bit;
        if (warp_after(all, c->turn) != sm - c->first_sm) {
            c->waiting |= bit;
            return false;
        }
    }
    c->waiting &= ~bit;
    return true;
}

static void inject(struct gpu *g, uint32_t cluster, uint64_t now)
{
    struct cluster *c = &g->clusters[cluster];
    while (delay_ready(&c->inject, now)) {
        uint32_t i = delay_top(&c->inject);
        struct request *r = req_at(&g->pool, i);
        uint16_t flits = machine_flits(g, NOC_REQUEST, req_data_bytes(r));
        if (!fabric_can_send(g->fabric, NOC_REQUEST, cluster, flits))
            return;
        struct address a = address_of(g->map, r->address);
        r->slice = (uint16_t)a.slice;
        r->bank = a.bank;
        r->row = a.row;
        r->local = a.local;
        r->injected = now;
        const struct noc_halves *h = g->cfg.halves;
        r->is_far = h && h->of_port[cluster] != h->of_slice[a.slice];
        uint64_t key = 0;
        if (g->cfg.merge && r->kind == REQ_READ)
            key = 1 + (((uint64_t)a.row * g->cfg.dram->banks + a.bank) * g->n_dram_channels +
                       a.controller);
        fabric_send(
            g->fabric, NOC_REQUEST,
            &(struct fabric_packet){.src = cluster,
                                    .dst = g->n_clusters + (r->is_far ? h->twin[a.slice] : a.slice),
                                    .v = i,
                                    .flits = flits,
                                    .bytes = req_data_bytes(r) + g->cfg.gpu->header_bytes,
                                    .merge_key = key,
                                    .is_unanswered = r->kind == REQ_WRITEBACK});
        g->bytes[NOC_REQUEST] += req_data_bytes(r) + g->cfg.gpu->header_bytes;
        c->reads_sent += r->kind == REQ_READ;
        delay_pop(&c->inject);
    }
}

void cluster_send(struct gpu *g, uint32_t sm, uint32_t req, uint64_t now)
{
    struct cluster *c = &g->clusters[g->sms[sm].cluster];
    uint32_t cluster = g->sms[sm].cluster;
    struct request *r = req_at(&g->pool, req);
    c->turn = sm - c->first_sm;
    c->sent_at = now + 1;
    c->requests++;
    count_port(g, NOC_REQUEST, sm, req_data_bytes(r));
    c->reads += r->kind == REQ_READ;
    g->moved_at = now;
    TELL(g, miss, cluster, sm, g->sms[sm].ctas[g->sms[sm].warps[r->warp].cta].index, r, now);
    uint32_t delay = 0;
    if (g->hooks.request && r->kind == REQ_READ && r->space == TS_GLOBAL && !r->is_bypass) {
        if (g->hooks.request(g->hooks.ctx, g, cluster, req, now) == HOOK_TAKEN) {
            c->merged++;
            return;
        }
        delay = g->hooks.request_cycles;
    } else if (g->hooks.store && (r->kind == REQ_WRITE || r->kind == REQ_ATOMIC)) {
        g->hooks.store(g->hooks.ctx, g, cluster, r, now);
    }
    /* clusters run before the network in a cycle, SMs after it: see sim/frame/machine.h */
    delay_push(&c->inject, delay ? now + delay + 1 : now, req);
    inject(g, cluster, now);
    if (c->inject.n)
        machine_wake_cluster(g, cluster);
}

void cluster_answer(struct gpu *g, uint32_t cluster, uint32_t req, uint32_t delay, uint64_t now)
{
    struct cluster *c = &g->clusters[cluster];
    req_at(&g->pool, req)->is_local = true;
    c->local_answers++;
    delay_push(&c->answers, now + delay, req);
    machine_wake_cluster(g, cluster);
}

/* Hands one reply to one SM; room was checked. */
static void hand_over(struct gpu *g, uint32_t sm, uint32_t i, uint64_t now)
{
    struct request *r = req_at(&g->pool, i);
    count_port(g, NOC_REPLY, sm, req_reply_bytes(r));
    sm_answered(&g->sms[sm], r, now);
    if (r->kind == REQ_INST)
        sm_fill_icache(&g->sms[sm], i, now);
    else
        ring_push(&g->sms[sm].responses, i);
    machine_wake_sm(g, sm);
}

/* The head of the response queue, to its SM or to all that wait for it. */
static bool deliver(struct gpu *g, uint32_t cluster, struct ring *ring, uint64_t now)
{
    struct cluster *c = &g->clusters[cluster];
    uint32_t i = ring_top(ring);
    struct request *r = req_at(&g->pool, i);
    uint32_t sm = r->sm;
    bool is_hooked = g->hooks.reply && r->kind == REQ_READ && r->space == TS_GLOBAL &&
                     !r->is_bypass && !r->is_local;
    if (!is_hooked) {
        if (r->kind != REQ_INST && ring_full(&g->sms[sm].responses))
            return false;
        ring_pop(ring);
        hand_over(g, sm, i, now);
        return true;
    }
    for (uint32_t k = 0; k < c->n_sms; k++) /* a broadcast waits until all could take it */
        if (ring_full(&g->sms[c->first_sm + k].responses))
            return false;
    ring_pop(ring);
    if (r->parent != REQ_NONE) { /* one part of a line: only whole lines are handed out */
        struct request *whole = req_at(&g->pool, r->parent);
        whole->injected = r->injected;
        whole->reached = r->reached;
        whole->to_dram = r->to_dram;
        whole->from_dram = r->from_dram;
        whole->replied = r->replied;
        i = req_join(&g->pool, i);
        if (i == REQ_NONE)
            return true;
    }
    uint64_t own = (uint64_t)1 << (sm - c->first_sm), sms = own;
    g->hooks.reply(g->hooks.ctx, g, cluster, i, &sms, now);
    for (uint64_t m = sms & ~own; m; m &= m - 1) {
        uint32_t to = c->first_sm + bits_lowest(m);
        struct request copy = *req_at(&g->pool, i);
        copy.sm = (uint16_t)to;
        copy.is_local = true; /* its latency is not that of the packet */
        hand_over(g, to, req_new(&g->pool, copy), now);
    }
    hand_over(g, sm, i, now);
    return true;
}

uint64_t cluster_cycle(struct gpu *g, uint32_t cluster, uint64_t now)
{
    struct cluster *c = &g->clusters[cluster];
    uint64_t next = NEVER;
    if (delay_ready(&c->answers, now)) { /* its own path beside the response queue */
        uint32_t i = delay_top(&c->answers);
        uint32_t sm = req_at(&g->pool, i)->sm;
        if (!ring_full(&g->sms[sm].responses)) {
            delay_pop(&c->answers);
            hand_over(g, sm, i, now);
        }
    }
    if (c->responses.n)
        deliver(g, cluster, &c->responses, now);
    if (!ring_full(&c->responses) && fabric_top(g->fabric, NOC_REPLY, cluster) != FABRIC_NONE) {
        ring_push(&c->responses, fabric_take(g->fabric, NOC_REPLY, cluster));
        g->moved_at = now;
    }
    if (c->inject.n)
        inject(g, cluster, now);
    if (c->responses.n || c->inject.n)
        next = now + 1;
    else if (c->answers.n)
        next = delay_next(&c->answers) <= now ? now + 1 : delay_next(&c->answers);
    return next;
}
