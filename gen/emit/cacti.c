/* SPDX-License-Identifier: MIT
 *
 * cacti/: one CACTI input per distinct array, in the syntax of 6.5 or 7. CACTI knows caches, fully
 * associative caches, CAMs and RAMs of whole bytes, powers of two in ways and banks, at least 64
 * bytes and 16 rows (32 in version 7); what has to give way is said in the file. */
#include <math.h>
#include <string.h>

#include "base/bits.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/printable.h"
#include "gen/config/keys.h"
#include "gen/emit/emit.h"
#include "gen/template.h"

#define SMALLEST_BYTES 64u

struct shape {
    const char *type; /* "cache", "ram", "cam" */
    uint64_t size_bytes, block_bytes, out_bits;
    uint32_t ways, banks, tag_bits; /* tag_bits 0: derived by CACTI */
    uint32_t rw, rd, wr, search;
    struct buf remarks;
};

static uint32_t searched_bits(const struct array *a)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < a->n_fields; i++)
        bits += a->fields[i].is_searched ? a->fields[i].bits : 0;
    return bits;
}

static uint64_t bytes_of(uint64_t bits)
{
    return bits_ceil_div(bits, 8);
}

static void remark(struct shape *s, const char *text)
{
    buf_printf(&s->remarks, "# %s\n", text);
}

static void shape_cache(const struct array *a, uint32_t least_rows, struct shape *s)
{
    s->type = "cache";
    s->block_bytes = a->line_bytes;
    s->size_bytes = a->entries * a->line_bytes;
    s->ways = a->ways;
    s->tag_bits = searched_bits(a);
    s->out_bits = a->access_bits ? a->access_bits : a->line_bytes * 8;
    if (a->ways && !bits_is_pow2(a->ways)) {
        s->ways = 1u << bits_flog2(a->ways);
        remark(s, "the design has more ways: CACTI takes powers of two");
    }
    bool is_cut = false;
    while (s->ways > 1 && a->entries / s->banks / s->ways < least_rows) {
        if (s->ways == 2 && s->banks > 1)
            s->banks /= 2;
        else
            s->ways /= 2;
        is_cut = true;
    }
    if (is_cut)
        remark(s, "the design has more ways or banks: CACTI needs more sets in a bank");
}

/* Searched fields are the tag; the others are data of at least 64 bytes in all. A CAM without other
 * fields is CACTI's own. */
static void shape_cam(const struct array *a, struct shape *s)
{
    uint32_t tag = searched_bits(a), rest = array_bits_per_entry(a) - tag;
    s->tag_bits = tag;
    s->ways = 0;
    if (rest == 0) {
        s->type = "cam";
        s->block_bytes = bytes_of(tag);
        s->size_bytes = a->entries * bytes_of(tag);
        s->out_bits = 8;
    } else {
        s->type = "cache";
        s->block_bytes = bytes_of(rest);
        s->size_bytes = a->entries * s->block_bytes;
        if (s->size_bytes < SMALLEST_BYTES) {
            s->block_bytes = bits_ceil_div(SMALLEST_BYTES, a->entries);
            s->size_bytes = a->entries * s->block_bytes;
            remark(s, "data widened: CACTI takes 64 bytes at least");
        }
        s->out_bits = a->access_bits ? a->access_bits : s->block_bytes * 8;
    }
    if (s->out_bits > s->block_bytes * 8)
        s->out_bits = s->block_bytes * 8;
}

/* CACTI reads at least two words side by side where rows are too few: then a part of a word comes
 * out at once. */
static void shape_ram(const struct array *a, uint32_t least_rows, struct shape *s)
{
    uint64_t per_bank = a->entries / a->banks ? a->entries / a->banks : 1;
    s->type = "ram";
    s->ways = 1;
    s->block_bytes = bytes_of(array_bits_per_entry(a) / (a->slices ? a->slices : 1));
    s->size_bytes = a->entries * s->block_bytes;
    if (a->slices > 1)
        buf_printf(&s->remarks, "# one of %u equal slices\n", a->slices);
    if (s->size_bytes < SMALLEST_BYTES) {
        s->block_bytes = bits_ceil_div(SMALLEST_BYTES, a->entries);
        s->size_bytes = a->entries * s->block_bytes;
        remark(s, "words widened: CACTI takes 64 bytes at least");
    }
    s->out_bits = s->block_bytes * 8;
    uint64_t most = per_bank * s->block_bytes * 8 / least_rows;
    if (s->out_bits > most) {
        s->out_bits = most < 8 ? 8 : most;
        remark(s, "part of a word at once: CACTI needs more rows than there are words");
    }
}

static void shape_of(const struct array *a, int version, struct arena *mem, struct shape *s)
{
    *s = (struct shape){.rw = a->rw_ports,
                        .rd = a->read_ports,
                        .wr = a->write_ports,
                        .search = a->search_ports,
                        .banks = a->banks ? a->banks : 1};
    buf_init(&s->remarks, mem, 1024);
    uint32_t least_rows = version == 7 ? 32 : 16;
    if (a->kind == ARRAY_CACHE)
        shape_cache(a, least_rows, s);
    else if (a->kind == ARRAY_CAM)
        shape_cam(a, s);
    else
        shape_ram(a, least_rows, s);
    if (!bits_is_pow2(s->banks)) {
        s->banks = 1u << bits_flog2(s->banks);
        remark(s, "the design has more banks: CACTI takes powers of two");
    }
    if (s->ways == 0 && s->search == 0)
        s->search = 1;
}

static bool write_array(struct emit *e, const struct array *a, struct map *done, struct err *err)
{
    const struct tech_params *t = &e->design->arch->tech;
    struct shape s;
    shape_of(a, e->cacti, e->mem, &s);
    const char *key = arena_printf(
        e->mem, "%s %llu %llu %llu %u %u %u %u %u %u %u", s.type, (unsigned long long)s.size_bytes,
        (unsigned long long)s.block_bytes, (unsigned long long)s.out_bits, s.ways, s.banks,
        s.tag_bits, s.rw, s.rd, s.wr, s.search);
    if (!map_add(done, key, 0))
        return true; /* an equal one is written */
    struct scope *o = scope_new(e->mem);
    scope_text(o, "file", printable_text(e->mem, e->design->arch->file));
    scope_text(o, "name", a->name);
    scope_text(o, "where", array_scope_text(a->scope));
    scope_text(o, "remarks", s.remarks.data);
    scope_int(o, "entries", (long long)a->entries);
    scope_int(o, "bits", array_bits_per_entry(a));
    scope_int(o, "size", (long long)s.size_bytes);
    scope_int(o, "block", (long long)s.block_bytes);
    scope_int(o, "ways", s.ways);
    scope_int(o, "rw", s.rw);
    scope_int(o, "rd", s.rd);
    scope_int(o, "wr", s.wr);
    scope_int(o, "search", s.search);
    scope_int(o, "banks", s.banks);
    scope_real(o, "node_um", t->array_node_nm / 1000);
    scope_text(
        o, "device",
        arena_printf(e->mem, "itrs-%s", key_choice("tech.array_device", (int)t->array_device)));
    scope_int(o, "out", (long long)s.out_bits);
    scope_int(o, "temperature", lround(fmin(fmax(t->temperature_k, 300), 400) / 10) * 10);
    scope_text(o, "type", s.type);
    if (s.tag_bits)
        scope_int(o, "tag", s.tag_bits);
    else
        scope_text(o, "tag", "\"default\"");
    return emit_template(e, arena_printf(e->mem, "cacti/%s.cfg", a->name),
                         e->cacti == 7 ? "cacti-7.cfg" : "cacti-6.cfg", o, err);
}

static bool write(struct emit *e, struct err *err)
{
    struct map done;
    map_init(&done, e->mem);
    bool ok = true;
    for (uint32_t i = 0; i < e->design->n_arrays; i++)
        ok &= write_array(e, &e->design->arrays[i].geometry, &done, err);
    return ok;
}

const struct emitter emit_cacti = {
    .name = "cacti",
    .meaning = "cacti/: one CACTI input per distinct array, 6.5 syntax, or 7 with --cacti 7",
    .write = write,
};
