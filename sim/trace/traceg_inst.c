/* SPDX-License-Identifier: MIT
 *
 * Lines of instructions in a .traceg file, and the numbers in them. A line that begins as one seen
 * before is not taken apart again. */
#include <string.h>

#include "base/bits.h"
#include "base/err.h"
#include "base/rng.h"
#include "sim/trace/lines.h"
#include "sim/trace/spool.h"
#include "sim/trace/traceg_impl.h"

/* ---- numbers ---- */

/* Value of a hexadecimal digit plus one; 0: it is not one. */
static const uint8_t hex_value[256] = {
    ['0'] = 1,  ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,  ['6'] = 7,  ['7'] = 8,
    ['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16,
    ['A'] = 11, ['B'] = 12, ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
};

bool traceg_hex(const char **at, uint64_t *out)
{
    const char *p = *at;
    if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X'))
        p += 2;
    uint64_t v = 0;
    const char *start = p;
    for (uint8_t d; (d = hex_value[(unsigned char)*p]) != 0; p++)
        v = v << 4 | (d - 1u);
    if (p == start || p - start > 16)
        return false;
    *at = p;
    *out = v;
    return true;
}

bool traceg_dec(const char **at, int64_t *out)
{
    const char *p = *at;
    bool minus = *p == '-';
    p += minus;
    uint64_t v = 0;
    int n = 0;
    for (; (unsigned)(*p - '0') < 10; p++, n++)
        v = v * 10 + (uint64_t)(*p - '0');
    if (n == 0 || n > 18)
        return false;
    *at = p;
    *out = minus ? -(int64_t)v : (int64_t)v;
    return true;
}

const char *traceg_skip_blanks(const char *p)
{
    while (*p == ' ' || *p == '\t')
        p++;
    return p;
}

/* A decimal that must be followed by a blank or the end. */
bool traceg_field(const char **at, int64_t lo, int64_t hi, int64_t *out)
{
    *at = traceg_skip_blanks(*at);
    return traceg_dec(at, out) && (**at == ' ' || **at == '\0' || **at == '\t') && *out >= lo &&
           *out <= hi;
}

/* ---- instructions ---- */

static bool parse_registers(struct reader *r, const char **at, int64_t most, uint8_t *regs,
                            uint8_t *n_regs)
{
    int64_t n;
    if (!traceg_field(at, 0, most, &n))
        return traceg_refuse(r, "expected the number of registers of the instruction");
    *n_regs = 0;
    for (int64_t i = 0; i < n; i++) {
        const char *p = traceg_skip_blanks(*at);
        int64_t reg;
        if (*p != 'R')
            return traceg_refuse(r, "expected a register R0..R255");
        p++;
        if (!traceg_field(&p, 0, 255, &reg))
            return traceg_refuse(r, "expected a register R0..R255");
        if (reg != 255) /* the zero register carries no dependence */
            regs[(*n_regs)++] = (uint8_t)(reg + 1);
        *at = p;
    }
    return true;
}

/* Reads "ndst [Rd] opcode nsrc [Rs] width" and leaves `*at` behind the width. */
static bool parse_static(struct reader *r, const char **at, struct entry *e)
{
    struct trace_static *s = &e->proto;
    if (!parse_registers(r, at, TRACE_MAX_DST, s->dst, &s->n_dst))
        return false;
    const char *name = traceg_skip_blanks(*at);
    size_t n = strcspn(name, " \t");
    if (n == 0 || !((name[0] >= 'A' && name[0] <= 'Z') || name[0] == '_'))
        return traceg_refuse(r, "expected an opcode");
    e->op = sass_classify(name, n);
    if (!e->op.is_known) {
        size_t m = strcspn(name, ". \t");
        const char *word = arena_strndup(&r->scratch, name, m);
        if (map_add(&r->warned, word, 0))
            err_warn(r->err, AT_LINE(r->file, lines_number(r->lines)),
                     "unknown opcode '%s' is taken as an integer operation", word);
    }
    *at = name + n;
    if (!parse_registers(r, at, TRACE_MAX_SRC, s->src, &s->n_src))
        return false;
    int64_t width;
    if (!traceg_field(at, 0, 65535, &width))
        return traceg_refuse(r, "expected the width of the access in bytes");
    bool has_addresses = width > 0;
    if (has_addresses && e->op.space == TS_NONE) { /* LDC and others that carry addresses */
        bool is_constant = n >= 3 && memcmp(name, "LDC", 3) == 0;
        e->op = (struct sass_op){.cls = TC_LOAD,
                                 .space = is_constant ? TS_CONST : TS_GLOBAL,
                                 .bytes = 4,
                                 .is_known = true};
    }
    if (!has_addresses && e->op.space != TS_NONE && e->op.space != TS_TEXTURE) {
        e->op.space = TS_NONE; /* an access whose addresses were not traced */
        e->op.cls = TC_INT;
    }
    e->op.bytes = has_addresses || e->op.cls == TC_TENSOR ? e->op.bytes : 0;
    s->cls = e->op.cls;
    s->space = e->op.space;
    s->flags = e->op.flags;
    s->access_bytes = e->op.bytes;
    s->pc = e->pc;
    s->line = lines_number(r->lines);
    return true;
}

/* The static instruction of an entry in a space: 0 as written, 1 shared, 2 local. */
static bool static_of(struct reader *r, struct entry *e, unsigned variant, uint16_t *out)
{
    if (!(e->made >> variant & 1)) {
        if (r->statics.n == UINT16_MAX)
            return traceg_refuse(r, "the kernel has more than 65535 different instructions");
        struct trace_static s = e->proto;
        if (variant)
            s.space = variant == 1 ? TS_SHARED : TS_LOCAL;
        if (s.space == TS_LOCAL)
            s.flags |= TF_PRIVATE;
        e->stat[variant] = (uint16_t)r->statics.n;
        e->made |= (uint8_t)(1u << variant);
        vec_push(r->mem, &r->statics, s);
    }
    *out = e->stat[variant];
    return true;
}

static bool matches(const struct entry *e, uint64_t pc, const char *text, size_t n)
{
    return e->pc == pc && e->n_text <= n && memcmp(e->text, text, e->n_text) == 0 &&
           (text[e->n_text] == ' ' || text[e->n_text] == '\0');
}

/* The entry for the text at `*at`, n characters long; `*at` moves behind the width. */
static struct entry *find_entry(struct reader *r, uint64_t pc, const char **at, size_t n)
{
    uint32_t slot = (uint32_t)(pc >> 3) % PC_SLOTS;
    if (r->memo[slot] != NONE) {
        struct entry *e = &r->entries.at[r->memo[slot]];
        if (matches(e, pc, *at, n)) {
            *at += e->n_text;
            return e;
        }
    }
    for (uint32_t i = r->by_pc[slot]; i != NONE; i = r->entries.at[i].next)
        if (matches(&r->entries.at[i], pc, *at, n)) {
            r->memo[slot] = i;
            *at += r->entries.at[i].n_text;
            return &r->entries.at[i];
        }
    if (r->entries.n >= 65536) {
        traceg_refuse(r, "the kernel has more than 65535 different instructions");
        return NULL;
    }
    struct entry e = {.pc = pc, .next = r->by_pc[slot], .after = NONE};
    const char *start = *at;
    if (!parse_static(r, at, &e))
        return NULL;
    e.n_text = (uint32_t)(*at - start);
    e.text = arena_strndup(&r->scratch, start, e.n_text);
    vec_push(&r->scratch, &r->entries, e);
    r->by_pc[slot] = r->memo[slot] = (uint32_t)r->entries.n - 1;
    return &r->entries.at[r->entries.n - 1];
}

static bool put(struct reader *r, const void *data, size_t n)
{
    uint8_t *more = traceg_grown(r->bytes, &r->cap_bytes, r->n_bytes + n, 1);
    if (!more)
        return err_add(r->err, ERR_MACHINE, AT_FILE(r->file), "out of memory");
    r->bytes = more;
    memcpy(r->bytes + r->n_bytes, data, n);
    r->n_bytes += n;
    return true;
}

static bool is_contiguous(uint32_t mask)
{
    uint32_t run = mask >> bits_lowest(mask);
    return (run & (run + 1)) == 0;
}

/* Reads "mode addresses" for `n` active lanes and packs them. */
static bool parse_addresses(struct reader *r, const char **at, uint32_t mask, uint32_t n,
                            uint64_t *first)
{
    int64_t mode;
    uint64_t base;
    if (!traceg_field(at, 0, 2, &mode))
        return traceg_refuse(
            r, "expected the address form: 0 list, 1 base and stride, 2 base and deltas");
    uint8_t record[1 + 8 * TRACE_LANES];
    uint8_t *p = record;
    if (mode == 0) {
        *p++ = PACKED_LIST;
        for (uint32_t i = 0; i < n; i++) {
            *at = traceg_skip_blanks(*at);
            if (!traceg_hex(at, &base))
                return traceg_refuse(r, "expected one address for each active lane");
            if (i == 0)
                *first = base;
            memcpy(p, &base, 8);
            p += 8;
        }
        return put(r, record, (size_t)(p - record));
    }
    *at = traceg_skip_blanks(*at);
    if (!traceg_hex(at, &base))
        return traceg_refuse(r, "expected a base address");
    *first = base;
    if (mode == 1) {
        int64_t stride;
        if (!is_contiguous(mask))
            return traceg_refuse(r, "base and stride need active lanes without gaps");
        if (!traceg_field(at, INT64_MIN, INT64_MAX, &stride))
            return traceg_refuse(r, "expected a stride");
        *p++ = PACKED_STRIDE;
        memcpy(p, &base, 8);
        memcpy(p + 8, &stride, 8);
        return put(r, record, 17);
    }
    *p++ = PACKED_DELTAS;
    memcpy(p, &base, 8);
    p += 8;
    for (uint32_t i = 1; i < n; i++) {
        int64_t delta;
        if (!traceg_field(at, INT64_MIN, INT64_MAX, &delta))
            return traceg_refuse(r, "expected a delta for each active lane after the first");
        memcpy(p, &delta, 8);
        p += 8;
    }
    return put(r, record, (size_t)(p - record));
}

/* Generic accesses: the window that the first active lane's address falls into. */
static unsigned space_of(const struct reader *r, const struct entry *e, uint64_t address)
{
    const struct kernel_state *k = &r->state;
    if (!e->op.is_generic)
        return 0;
    if (!k->shared_base || !k->local_base)
        return e->op.cls == TC_LOAD || e->op.cls == TC_STORE ? 1 : 0;
    if (address >= k->shared_base && address < k->local_base)
        return 1;
    return address >= k->local_base && address - k->local_base < LOCAL_WINDOW ? 2 : 0;
}

/* Is this the line that followed last time? Then nothing of it has to be parsed but addresses. */
static struct entry *expected_entry(const struct reader *r, const char *line, size_t n)
{
    uint32_t i = r->last == NONE ? r->first : r->entries.at[r->last].after;
    if (i == NONE)
        return NULL;
    struct entry *e = &r->entries.at[i];
    return e->n_line && e->n_line <= n && memcmp(line, e->line, e->n_line) == 0 &&
                   (line[e->n_line] == ' ' || line[e->n_line] == '\0')
               ? e
               : NULL;
}

/* Parses a line up to the width, and remembers its beginning. */
static struct entry *parse_entry(struct reader *r, const char *line, size_t n, const char **at,
                                 uint64_t *mask)
{
    const char *p = traceg_skip_blanks(line), *end = line + n;
    uint64_t pc;
    int64_t ignored;
    bool is_plain = r->state.version >= 3 && !r->state.has_lineinfo;
    if (r->state.version < 3)
        for (int i = 0; i < 4; i++)
            if (!traceg_field(&p, 0, INT64_MAX, &ignored)) {
                traceg_refuse(r, "expected 'bx by bz warp' before the instruction");
                return NULL;
            }
    if (r->state.has_lineinfo && !traceg_field(&p, 0, INT64_MAX, &ignored)) {
        traceg_refuse(r, "expected a source line number before the instruction");
        return NULL;
    }
    p = traceg_skip_blanks(p);
    if (!traceg_hex(&p, &pc) || *p != ' ') {
        traceg_refuse(r, "expected a program counter in hexadecimal");
        return NULL;
    }
    p = traceg_skip_blanks(p);
    if (!traceg_hex(&p, mask) || *p != ' ' || *mask > UINT32_MAX) {
        traceg_refuse(r, "expected an active mask of eight hexadecimal digits");
        return NULL;
    }
    p = traceg_skip_blanks(p);
    struct entry *e = find_entry(r, pc, &p, (size_t)(end - p));
    if (!e)
        return NULL;
    e->n_line = 0;
    if (is_plain && (size_t)(p - line) <= ENTRY_LINE) {
        e->n_line = (uint32_t)(p - line);
        e->mask = (uint32_t)*mask;
        memcpy(e->line, line, e->n_line);
    }
    uint32_t index = (uint32_t)(e - r->entries.at);
    if (r->last == NONE)
        r->first = index;
    else
        r->entries.at[r->last].after = index;
    *at = p;
    return e;
}

bool traceg_instruction(struct reader *r, const char *line, size_t n)
{
    const char *p = NULL;
    uint64_t mask = 0;
    struct entry *e = expected_entry(r, line, n);
    if (e) {
        p = line + e->n_line;
        mask = e->mask;
    } else if (!(e = parse_entry(r, line, n, &p, &mask))) {
        return false;
    }
    r->last = (uint32_t)(e - r->entries.at);
    struct trace_inst inst = {.mask = (uint32_t)mask};
    unsigned variant = 0;
    uint32_t lanes = mask == UINT32_MAX ? 32 : bits_count(mask);
    if (e->proto.access_bytes && e->proto.cls != TC_TENSOR && mask) {
        uint64_t first = 0;
        inst.n_addresses = (uint16_t)lanes;
        inst.first_address = r->cta.n_addresses;
        if (!parse_addresses(r, &p, (uint32_t)mask, lanes, &first))
            return false;
        r->cta.n_addresses += lanes;
        variant = space_of(r, e, first);
    }
    if (!static_of(r, e, variant, &inst.stat))
        return false;
    if (r->n_insts == r->cap_insts) {
        struct trace_inst *more =
            traceg_grown(r->insts, &r->cap_insts, r->n_insts + 1, sizeof inst);
        if (!more)
            return err_add(r->err, ERR_MACHINE, AT_FILE(r->file), "out of memory");
        r->insts = more;
    }
    r->insts[r->n_insts++] = inst;
    r->kernel.n_thread_insts += lanes;
    return true;
}
