/* SPDX-License-Identifier: MIT */
#include "sim/memory/address.h"

#include <assert.h>
#include <string.h>

#include "base/bits.h"
#include "base/err.h"
#include "cache/ipoly.h"
#include "sim/memory/slice_draws.h"

/* Where a hash puts several plain slices into one, the plain slice is part of the address there: in
 * bits that choose no set. */
#define PLAIN_SHIFT 52u

static void take_bit(struct address_field *f, uint32_t bit)
{
    if (f->n_runs) {
        uint32_t n = bits_count(f->runs[f->n_runs - 1].mask);
        if (f->runs[f->n_runs - 1].from + n == bit) {
            f->runs[f->n_runs - 1].mask = f->runs[f->n_runs - 1].mask << 1 | 1;
            f->n_bits++;
            return;
        }
    }
    if (f->n_runs == ADDRESS_MAX_RUNS)
        return;
    f->runs[f->n_runs].from = (uint8_t)bit;
    f->runs[f->n_runs].to = (uint8_t)f->n_bits;
    f->runs[f->n_runs++].mask = 1;
    f->n_bits++;
}

static inline uint64_t gather(const struct address_field *f, uint64_t a)
{
    uint64_t v = 0;
    for (uint32_t i = 0; i < f->n_runs; i++)
        v |= (a >> f->runs[i].from & f->runs[i].mask) << f->runs[i].to;
    return v;
}

/* Letters of the map from the bottom bit up, separators left out; -1 if malformed. */
static int letters_of(const char *text, char out[64])
{
    int n = 0;
    for (size_t i = strlen(text); i-- > 0;) {
        char c = text[i];
        if (c == '.' || c == ' ' || c == '|')
            continue;
        if (!strchr("RBCSD0", c) || n == 64)
            return -1;
        out[n++] = c;
    }
    return n;
}

static bool read_map(struct address_map *m, const char *map, struct err *err)
{
    struct where at = {NULL, 0, "dram.map"};
    const char *semicolon = strchr(map, ';');
    char letters[64];
    unsigned split = 0;
    if (strncmp(map, "dramid@", 7) != 0 || !semicolon)
        return err_add(err, ERR_INPUT, at, "'%s' does not begin with 'dramid@S;'", map);
    for (const char *p = map + 7; p < semicolon; p++) {
        if (*p < '0' || *p > '9' || split > 63)
            return err_add(err, ERR_INPUT, at, "'%s' does not begin with 'dramid@S;'", map);
        split = split * 10 + (unsigned)(*p - '0');
    }
    int n = letters_of(semicolon + 1, letters);
    if (n != 64 || split > 40)
        return err_add(err, ERR_INPUT, at,
                       "a map has exactly 64 letters of R, B, C, S, 0 behind 'dramid@S;'");
    m->split = split;
    uint32_t insert = m->is_power_of_two ? m->log2_controllers : 0;
    for (int i = 0; i < 64; i++) {
        uint32_t bit = (uint32_t)i + ((uint32_t)i >= split ? insert : 0);
        if (bit > 63)
            break;
        if (letters[i] == 'B')
            take_bit(&m->bank, bit);
        if (letters[i] == 'R')
            take_bit(&m->row, bit);
    }
    return true;
}

static void simple_map(struct address_map *m, const struct llc_params *llc,
                       const struct dram_params *dram)
{
    /* per controller: bytes of one slice, slices, further columns, banks, rows */
    m->split = bits_clog2(llc->interleave ? llc->interleave : 256);
    uint32_t insert = m->is_power_of_two ? m->log2_controllers : 0;
    uint32_t bit = m->split + insert;
    uint32_t columns = bits_clog2(dram->row_bytes), low = m->split < columns ? m->split : columns;
    for (uint32_t i = 0; i < m->log2_slices; i++)
        take_bit(&m->bank,
                 bit++); /* the slice is the low bits of the bank number, as in GPGPU-Sim */
    bit += columns - low;
    for (uint32_t i = m->log2_slices; i < bits_clog2(dram->banks); i++)
        take_bit(&m->bank, bit++);
    for (; bit < 63; bit++)
        take_bit(&m->row, bit);
}

bool address_init(struct address_map *m, const struct llc_params *llc,
                  const struct dram_params *dram, struct arena *mem, struct err *err)
{
    uint32_t per = llc->slices / dram->controllers;
    *m = (struct address_map){.n_controllers = dram->controllers, .slices_per_mc = per};
    assert(per && llc->slices % dram->controllers == 0 && bits_is_pow2(per));
    m->is_power_of_two = bits_is_pow2(dram->controllers);
    m->log2_controllers = bits_clog2(dram->controllers);
    m->log2_slices = bits_clog2(per);
    m->hash = llc->hash;
    if (m->hash == LLC_HASH_random)
        m->draws = slice_draws_new(mem);
    if (dram->map[0]) {
        if (!read_map(m, dram->map, err))
            return false;
    } else {
        simple_map(m, llc, dram);
    }
    if (m->is_power_of_two)
        for (uint32_t i = 0; i < m->log2_controllers; i++)
            take_bit(&m->controller, m->split + i);
    uint32_t slice_bits[8], n_slice = 0;
    for (uint32_t r = 0; r < m->bank.n_runs && n_slice < m->log2_slices; r++)
        for (uint32_t b = 0; b < bits_count(m->bank.runs[r].mask) && n_slice < m->log2_slices; b++)
            slice_bits[n_slice++] = m->bank.runs[r].from + b;
    for (uint32_t bit = 0; bit < 64; bit++) {
        bool skip = m->is_power_of_two && bit >= m->split && bit < m->split + m->log2_controllers;
        for (uint32_t i = 0; i < n_slice; i++)
            skip |= slice_bits[i] == bit;
        if (!skip)
            take_bit(&m->rest, bit);
    }
    return true;
}

struct address address_of(const struct address_map *m, uint64_t address)
{
    address += m->offset;
    uint64_t rest = address, high;
    uint32_t mc;
    if (m->is_power_of_two) {
        mc = (uint32_t)gather(&m->controller, address);
        high = address >> (m->split + m->log2_controllers + m->log2_slices);
    } else {
        uint64_t q = address >> m->split;
        high = q / m->n_controllers;
        mc = (uint32_t)(q % m->n_controllers);
        rest = high << m->split | (address & (((uint64_t)1 << m->split) - 1));
    }
    struct address a = {.bank = (uint32_t)gather(&m->bank, rest),
                        .row = (uint32_t)gather(&m->row, rest),
                        .local = gather(&m->rest, rest)};
    uint32_t n_slices = m->n_controllers * m->slices_per_mc;
    if (m->hash == LLC_HASH_xor && m->is_power_of_two)
        mc ^= (uint32_t)high & (m->n_controllers - 1);
    a.slice = mc * m->slices_per_mc + (a.bank & (m->slices_per_mc - 1));
    if (m->hash == LLC_HASH_ipoly) {
        uint32_t n = 1u << (m->log2_controllers + m->log2_slices);
        if (ipoly_knows(n))
            a.slice = ipoly(high, a.slice, n) % n_slices;
        else
            a.slice = (uint32_t)((a.slice + (high ^ high >> 7 ^ high >> 13)) % n_slices);
    }
    uint32_t plain = mc * m->slices_per_mc + (a.bank & (m->slices_per_mc - 1));
    if (m->draws || (m->hash == LLC_HASH_ipoly && !m->is_power_of_two))
        a.local |= (uint64_t)plain << PLAIN_SHIFT;
    uint32_t block = m->split > m->log2_slices ? m->split - m->log2_slices : 0;
    if (m->draws)
        a.slice = slice_drawn(m->draws, address >> block, n_slices);
    a.controller = a.slice / m->slices_per_mc;
    return a;
}
