/* SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <string.h>

#include "base/bits.h"
#include "sim/frame/request.h"
#include "sim/sm/coalescer.h"

#define X(word) &coalesce_##word,
const struct coalescer *const coalescers[COALESCER_COUNT] = {COALESCERS(X)};
#undef X

/* Bytes written in a line, for stores: which pieces are whole. */
struct written {
    uint64_t bytes[8]; /* up to 512-byte lines */
};

struct merge {
    const struct coalesce_rule *rule;
    struct access *out;
    uint32_t *lanes;
    uint32_t n, last, granule;
    bool is_store, is_serial;
    struct written written[ACCESS_MAX];
};

static void touch(struct merge *m, uint64_t address, uint32_t bytes, uint32_t lane)
{
    const struct coalesce_rule *r = m->rule;
    uint64_t granule = address & ~((uint64_t)m->granule - 1);
    uint32_t at = (uint32_t)(address & (r->line_bytes - 1));
    uint64_t run = (bytes >= 64 ? UINT64_MAX : ((uint64_t)1 << bytes) - 1) << (at % 64);
    uint32_t i = m->last;
    if (m->is_serial || i >= m->n || m->out[i].address != granule) {
        for (i = 0; i < m->n && (m->out[i].address != granule ||
                                 (m->is_serial && (m->written[i].bytes[at / 64] & run)));
             i++)
            ;
        if (i == ACCESS_MAX)
            return;
        if (i == m->n) {
            m->out[i].address = granule;
            m->out[i].sectors = 0;
            if (m->lanes)
                m->lanes[i] = 0;
            if (m->is_store || m->is_serial)
                memset(&m->written[i], 0, sizeof m->written[i]);
            m->n++;
        }
        m->last = i;
    }
    m->out[i].sectors |= (uint8_t)(1u << (at / r->piece_bytes));
    if (m->lanes)
        m->lanes[i] |= 1u << lane;
    if (m->is_store || m->is_serial) /* a piece never crosses a word of the mask */
        m->written[i].bytes[at / 64] |= run;
}

/* One lane's bytes, cut where pieces end. */
static void touch_all(struct merge *m, uint64_t address, uint32_t bytes, uint32_t lane)
{
    uint32_t piece = m->rule->piece_bytes;
    while (bytes) {
        uint32_t room = piece - (uint32_t)(address & (piece - 1));
        uint32_t n = bytes < room ? bytes : room;
        touch(m, address, n, lane);
        address += n;
        bytes -= n;
    }
}

/* The smallest aligned power-of-two run of pieces that holds all touched ones (a transaction is
 * halved as long as one half is not touched). */
static uint8_t shrink(uint8_t touched, uint32_t n_pieces)
{
    uint32_t first = 0, n = n_pieces;
    while (n > 1) {
        uint32_t half = n / 2;
        uint8_t low = (uint8_t)(((1u << half) - 1) << first), high = (uint8_t)(low << half);
        if (!(touched & high))
            n = half;
        else if (!(touched & low))
            first += half, n = half;
        else
            break;
    }
    return (uint8_t)(((1u << n) - 1) << first);
}

static uint8_t whole_pieces(const struct written *w, uint32_t piece, uint32_t n_pieces)
{
    uint8_t full = 0;
    for (uint32_t i = 0; i < n_pieces; i++) {
        bool all = true;
        for (uint32_t b = i * piece; b < (i + 1) * piece && all; b += 16)
            all = (w->bytes[b / 64] >> (b % 64) & 0xffff) == 0xffff;
        full |= (uint8_t)(all << i);
    }
    return full;
}

/* Pieces of a line that hold bytes first..end-1, and those all of whose bytes are among them. */
static void pieces_of(uint32_t first, uint32_t end, uint32_t piece, uint8_t *touched,
                      uint8_t *whole)
{
    uint32_t a = first / piece, b = (end + piece - 1) / piece;
    uint32_t c = (first + piece - 1) / piece, d = end / piece;
    *touched = (uint8_t)((1u << b) - (1u << a));
    *whole = d > c ? (uint8_t)((1u << d) - (1u << c)) : 0;
}

/* Lanes one behind the other without gaps, the most common case: a run of bytes. */
static uint32_t coalesce_run(const struct coalesce_rule *rule, uint32_t granule, uint64_t first,
                             uint64_t end, struct access *out)
{
    uint32_t n = 0;
    for (uint64_t at = first & ~((uint64_t)granule - 1); at < end; at += granule, n++) {
        uint64_t from = first > at ? first : at, to = end < at + granule ? end : at + granule;
        uint32_t offset = (uint32_t)(at & (rule->line_bytes - 1));
        out[n].address = at;
        pieces_of(offset + (uint32_t)(from - at), offset + (uint32_t)(to - at), rule->piece_bytes,
                  &out[n].sectors, &out[n].full);
    }
    return n;
}

static bool is_run(const uint64_t *a, uint32_t n, uint32_t bytes)
{
    uint64_t bad = 0;
    for (uint32_t i = 1; i < n; i++)
        bad |= (a[i] - a[i - 1]) ^ bytes;
    return bad == 0;
}

/* Bytes that lanes of an instruction are merged into. */
static uint32_t granule_of(const struct coalesce_rule *r, const struct trace_static *s)
{
    if (!r->by_segments || r->granule_bytes <= r->piece_bytes)
        return r->granule_bytes;
    bool passes = s->cls == TC_ATOMIC || s->cls == TC_REDUCE || (s->flags & TF_BYPASS_L1);
    uint32_t pieces = passes || s->access_bytes == 1 ? 1 : s->access_bytes == 2 ? 2 : 4;
    uint32_t bytes = pieces * r->piece_bytes;
    return pieces < 4 && bytes < r->granule_bytes ? bytes : r->granule_bytes;
}

/* By address; those of one address stay in their order. */
static void sort(struct merge *m)
{
    for (uint32_t i = 1; i < m->n; i++) {
        struct access a = m->out[i];
        struct written w = m->written[i];
        uint32_t lanes = m->lanes ? m->lanes[i] : 0, k = i;
        for (; k && m->out[k - 1].address > a.address; k--) {
            m->out[k] = m->out[k - 1];
            m->written[k] = m->written[k - 1];
            if (m->lanes)
                m->lanes[k] = m->lanes[k - 1];
        }
        if (k == i)
            continue;
        m->out[k] = a;
        m->written[k] = w;
        if (m->lanes)
            m->lanes[k] = lanes;
    }
}

/* Lanes of an atomic within a granule that meet in one word, at most. */
static uint8_t turns_of(const uint64_t *a, uint32_t n, uint64_t base, uint64_t from, uint64_t to)
{
    uint8_t most = 1;
    for (uint32_t i = 0; i < n; i++) {
        uint8_t alike = 0;
        if (a[i] + base < from || a[i] + base >= to)
            continue;
        for (uint32_t k = i; k < n; k++)
            alike += a[k] == a[i];
        most = alike > most ? alike : most;
    }
    return most;
}

uint32_t coalesce_lanes(const struct coalesce_rule *rule, const struct trace_static *s,
                        const struct trace_inst *inst, const uint64_t *addresses, uint64_t base,
                        struct access *out, uint32_t *lanes)
{
    struct merge m;
    m.rule = rule;
    m.out = out;
    m.lanes = lanes;
    m.n = m.last = 0;
    m.granule = granule_of(rule, s);
    m.is_store = s->cls == TC_STORE;
    m.is_serial = rule->by_segments && (s->cls == TC_ATOMIC || s->cls == TC_REDUCE);
    const uint64_t *a = addresses + inst->first_address;
    uint32_t mask = inst->mask, n = inst->n_addresses;
    bool has_full = false;
    uint32_t bytes = s->access_bytes, words = 1;
    if ((s->flags & TF_PRIVATE) && bytes > 4) { /* words of a thread lie far apart */
        words = bytes / 4;
        bytes = 4;
    }
    if (!lanes && n && words == 1 && is_run(a, n, bytes)) {
        m.n = coalesce_run(rule, m.granule, a[0] + base, a[n - 1] + base + bytes, out);
        has_full = true;
    } else {
        for (uint32_t i = 0; i < n; i++, mask &= mask - 1)
            for (uint32_t k = 0; k < words; k++)
                touch_all(&m, a[i] + base + k * rule->word_stride, bytes, bits_lowest(mask));
        if (rule->by_segments)
            sort(&m);
    }

    uint32_t n_pieces = rule->line_bytes / rule->piece_bytes;
    uint8_t kind = s->cls == TC_STORE                           ? REQ_WRITE
                   : s->cls == TC_ATOMIC || s->cls == TC_REDUCE ? REQ_ATOMIC
                                                                : REQ_READ;
    for (uint32_t i = 0; i < m.n; i++) {
        struct access *c = &out[i];
        uint8_t touched = c->sectors;
        if (rule->granule_bytes > rule->piece_bytes)
            c->sectors = shrink(touched, n_pieces);
        if (!m.is_store)
            c->full = 0;
        else if (!has_full)
            c->full = whole_pieces(&m.written[i], rule->piece_bytes, n_pieces);
        c->bytes = (uint16_t)(bits_count(c->sectors) * rule->piece_bytes);
        c->tag = 0;
        c->kind = kind;
        c->turns = kind == REQ_ATOMIC && !m.is_serial
                       ? turns_of(a, n, base, c->address, c->address + m.granule)
                       : 1;
        c->space = s->space;
        c->is_bypass = (s->flags & TF_BYPASS_L1) != 0;
        c->is_prefetch = s->cls == TC_PREFETCH;
    }
    return m.n;
}

/* ---- patterns ---- */

/* An instruction, as one of its lines sees it. */
struct line_use {
    const struct trace_inst *inst;
    const uint64_t *addresses; /* of its lanes */
    uint64_t offset;           /* from an address to where it lies in the line */
    uint32_t word_bytes, line_bytes, lanes;
};

/* The word each of the lanes reads, counted in words of the access's size. False: one of them is
 * not within the first 32 words, not aligned, or cut by the end of the line. */
static bool words_of(const struct line_use *u, uint8_t word[TRACE_LANES])
{
    uint32_t bytes = u->word_bytes;
    for (uint32_t m = u->lanes; m; m &= m - 1) {
        uint32_t lane = bits_lowest(m), i = bits_count(u->inst->mask & ((1u << lane) - 1));
        if (i >= u->inst->n_addresses)
            return false;
        uint64_t at = u->addresses[i] + u->offset; /* huge when it lies before the line */
        if (at % bytes || at + bytes > u->line_bytes || at / bytes >= TRACE_LANES)
            return false;
        word[lane] = (uint8_t)(at / bytes);
    }
    return true;
}

enum lane_pattern lane_pattern(const struct trace_static *s, const struct trace_inst *inst,
                               const uint64_t *addresses, uint64_t base, uint64_t line,
                               uint32_t line_bytes, uint32_t lanes)
{
    uint8_t word[TRACE_LANES];
    struct line_use u = {.inst = inst,
                         .addresses = addresses + inst->first_address,
                         .offset = base - line,
                         .word_bytes = s->access_bytes ? s->access_bytes : 1,
                         .line_bytes = line_bytes,
                         .lanes = lanes};
    if (!lanes || !words_of(&u, word))
        return LANES_IRREGULAR;
    uint32_t first = bits_lowest(lanes), w = word[first];
    if ((lanes & (lanes - 1)) == 0)
        return LANES_SINGLE;
    bool is_run = true, is_same = true;
    for (uint32_t m = lanes; m; m &= m - 1) {
        uint32_t lane = bits_lowest(m);
        is_run &= word[lane] == w + (lane - first);
        is_same &= word[lane] == w;
    }
    if (is_same)
        return lanes == inst->mask ? LANES_BROADCAST : LANES_IRREGULAR;
    if (!is_run)
        return LANES_IRREGULAR;
    if (w == first && lanes == inst->mask)
        return LANES_CONSECUTIVE;
    /* it ends with the warp or with the line */
    uint32_t words = line_bytes / u.word_bytes;
    words = words < TRACE_LANES ? words : TRACE_LANES;
    uint32_t room = words - w, n = TRACE_LANES - first < room ? TRACE_LANES - first : room;
    uint32_t run = (n >= 32 ? UINT32_MAX : (1u << n) - 1) << first;
    return lanes == (inst->mask & run) ? LANES_RANGE : LANES_IRREGULAR;
}
