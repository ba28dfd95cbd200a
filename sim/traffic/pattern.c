/* SPDX-License-Identifier: MIT */
#include "base/bits.h"
#include "base/err.h"
#include "sim/traffic/source_impl.h"

static uint32_t digits_plus(const struct traffic_params *p, uint32_t source, uint32_t step)
{
    uint32_t result = 0, weight = 1;
    for (uint32_t d = 0; d < p->n; d++) {
        result += (source / weight % p->k + step) % p->k * weight;
        weight *= p->k;
    }
    return result;
}

uint32_t traffic_fixed_target(const struct traffic_params *p, uint32_t source)
{
    uint32_t bits = bits_clog2(p->nodes), half = bits / 2, low = (1u << half) - 1, result = 0;
    switch (p->pattern) {
    case TRAFFIC_TRANSPOSE: return (source >> half & low) | (source << half & low << half);
    case TRAFFIC_BITCOMP: return ~source & (p->nodes - 1);
    case TRAFFIC_BITREV:
        for (uint32_t b = 0; b < bits; b++)
            result |= (source >> b & 1) << (bits - 1 - b);
        return result;
    case TRAFFIC_SHUFFLE:
        return (source << 1 & (p->nodes - 1)) | (source >> (bits ? bits - 1 : 0) & 1);
    case TRAFFIC_TORNADO: return digits_plus(p, source, (p->k + 1) / 2 - 1);
    case TRAFFIC_NEIGHBOR: return digits_plus(p, source, 1);
    case TRAFFIC_TABLE: return p->targets[source];
    case TRAFFIC_HOTSPOT: return p->n_targets == 1 ? p->targets[0] : UINT32_MAX;
    case TRAFFIC_UNIFORM:
    case TRAFFIC_ASYMMETRIC: return UINT32_MAX;
    }
    return UINT32_MAX;
}

bool traffic_check_pattern(const struct traffic_params *p, struct err *err)
{
    bool by_bits = p->pattern == TRAFFIC_TRANSPOSE || p->pattern == TRAFFIC_BITCOMP ||
                   p->pattern == TRAFFIC_BITREV || p->pattern == TRAFFIC_SHUFFLE;
    struct where at = {NULL, 0, "traffic"};
    if (by_bits && !bits_is_pow2(p->nodes))
        return err_add(err, ERR_INPUT, at,
                       "this pattern needs a power of two as number of nodes, not %u", p->nodes);
    if (p->pattern == TRAFFIC_TRANSPOSE && bits_clog2(p->nodes) % 2)
        return err_add(err, ERR_INPUT, at,
                       "transpose needs an even power of two as number of nodes, not %u", p->nodes);
    if (p->pattern == TRAFFIC_HOTSPOT || p->pattern == TRAFFIC_TABLE)
        for (uint32_t i = 0; i < p->n_targets; i++)
            if (p->targets[i] >= p->nodes)
                return err_add(err, ERR_INPUT, at, "node %u is not in 0..%u", p->targets[i],
                               p->nodes - 1);
    for (uint32_t s = 0; s < p->nodes; s++) {
        uint32_t to = traffic_fixed_target(p, s);
        if (to != UINT32_MAX && to >= p->nodes)
            return err_add(err, ERR_INPUT, at, "node %u would send to %u, beyond %u nodes", s, to,
                           p->nodes);
    }
    return true;
}

void traffic_make_pattern(struct traffic *t)
{
    const struct traffic_params *p = &t->p;
    for (uint32_t i = 0; i < p->n_sizes; i++)
        t->size_sum += p->size_weights ? p->size_weights[i] : 1;
    for (uint32_t i = 0; i < p->n_targets && p->weights; i++)
        t->weight_sum += p->weights[i];
    if (p->pattern == TRAFFIC_UNIFORM || p->pattern == TRAFFIC_ASYMMETRIC ||
        (p->pattern == TRAFFIC_HOTSPOT && p->n_targets > 1))
        return;
    uint32_t *fixed = arena_many(t->mem, uint32_t, p->nodes);
    for (uint32_t s = 0; s < p->nodes; s++)
        fixed[s] = traffic_fixed_target(p, s);
    t->fixed = fixed;
}

uint32_t traffic_drawn_target(struct traffic *t, uint32_t source)
{
    const struct traffic_params *p = &t->p;
    if (p->pattern == TRAFFIC_ASYMMETRIC)
        return source % (p->nodes / 2) + (draw_below(t, 2, t->draws) ? p->nodes / 2 : 0);
    if (!p->weights)
        return p->targets[draw_below(t, p->n_targets, t->draws)];
    uint32_t at = draw_below(t, t->weight_sum, t->draws), i = 0;
    while (at >= p->weights[i])
        at -= p->weights[i++];
    return p->targets[i];
}

uint16_t traffic_drawn_size(struct traffic *t)
{
    const struct traffic_params *p = &t->p;
    uint32_t at = draw_below(t, t->size_sum, t->draws), i = 0;
    while (at >= p->size_weights[i])
        at -= p->size_weights[i++];
    return p->sizes[i];
}
