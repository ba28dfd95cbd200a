/* SPDX-License-Identifier: MIT
 *
 * sim/memory/l2_parts.h: what l2.c (a slice) and l2_far.c (copies of the other half's lines) share.
 * No other file includes it. */
#ifndef CW_SIM_MEMORY_L2_PARTS_H
#define CW_SIM_MEMORY_L2_PARTS_H

#include "base/bits.h"
#include "sim/frame/machine.h"
#include "sim/memory/l2.h"

#define L2_INCOMING 4096u
/* In a slice of the other half, a line's address has this bit: local addresses are below. */
#define L2_COPY_BIT ((uint64_t)1 << 51)
#define L2_FAR_ROOM 4u /* packets that a tick may send over the crossing, at most */

static inline uint8_t l2_sectors_of(const struct slice *s, const struct request *r)
{
    if (s->tags.n_sectors == 1)
        return 1;
    uint8_t all = (uint8_t)((1u << s->tags.n_sectors) - 1);
    uint32_t n = r->bytes >> s->tags.sector_bits;
    if (n >= s->tags.n_sectors)
        return all;
    if (r->sectors != 0xff)
        return r->sectors & all;
    uint32_t first = (uint32_t)(r->address >> s->tags.sector_bits) & (s->tags.n_sectors - 1);
    return (uint8_t)(((1u << (n ? n : 1)) - 1) << first) & all;
}

/* The slice that answers for its line is this one. */
static inline bool l2_is_home(const struct slice *s, const struct request *r)
{
    return s->id == r->slice;
}

/* The line as the tags of this slice know it. */
static inline uint64_t l2_line_of(const struct slice *s, const struct request *r)
{
    return (l2_is_home(s, r) ? r->local : r->local | L2_COPY_BIT) >> s->tags.line_bits;
}

/* What an MSHR stands for: one line, or one sector where they come one by one; of the other half's
 * lines just what was asked for. */
static inline uint64_t l2_key_of(const struct gpu *g, const struct slice *s,
                                 const struct request *r, uint8_t sectors)
{
    uint64_t line = l2_line_of(s, r);
    if (!l2_is_home(s, r))
        return (uint64_t)1 << 63 | line << 8 | sectors;
    bool is_one =
        s->tags.n_sectors > 1 && g->cfg.llc->sectors_one_by_one && (sectors & (sectors - 1)) == 0;
    return line * 16 + (is_one ? 1 + bits_lowest(sectors) : 0);
}

/* Gives slot `slot` to the request's line. Returns the sectors that had to be written back. */
uint8_t l2_place(struct gpu *g, struct slice *s, uint32_t slot, const struct request *r,
                 uint64_t now);

/* Request `i` is answered: to its SM, or to the half that asked. */
void l2_reply(struct gpu *g, struct slice *s, uint32_t i);

/* ---- between the halves (l2_far.c) ---- */

void l2_far_init(struct slice *s, struct gpu *g);

static inline struct slice *l2_twin_of(const struct gpu *g, const struct slice *s)
{
    return &g->slices[g->cfg.halves->twin[s->id]];
}

/* The answer to request `i` goes over the crossing. */
void l2_send_back(struct gpu *g, struct slice *s, uint32_t i);

/* The line in `slot`, of which there may be a copy, is not any more what the copy says. */
void l2_tell_other_half(struct gpu *g, struct slice *s, uint32_t slot);

static inline void l2_drop_copy(struct gpu *g, struct slice *s, uint32_t slot)
{
    if (s->is_copied && s->is_copied[slot])
        l2_tell_other_half(g, s, slot);
}

/* A line of the other half: its copy answers, or it goes there; false: it has to wait. */
bool l2_pass_on(struct gpu *g, struct slice *s, uint32_t i);

/* Takes an answer of the other half. */
void l2_come_back(struct gpu *g, struct slice *s, uint64_t now);

#endif
