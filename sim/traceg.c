/* SPDX-License-Identifier: MIT */
#include "sim/traceg.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/bits.h"
#include "base/err.h"
#include "base/file.h"
#include "base/map.h"
#include "base/rng.h"
#include "base/vec.h"
#include "sim/lines.h"
#include "sim/sass.h"
#include "sim/spool.h"

#define LOCAL_WINDOW ((uint64_t)8 << 10 << 11) /* of the generic address space */
#define MAX_CTAS ((uint64_t)1 << 28)
#define MAX_WARP_INSTS (1u << 28)

#define ENTRY_LINE 72u /* longer beginnings are parsed each time */

/* A static instruction with the text that defines it, so that the same line is parsed once. */
struct entry {
    const char *text; /* from the number of destinations to the width */
    uint32_t n_text;
    uint64_t pc;
    uint32_t next;    /* another one with the same hash of its PC, or NONE */
    uint16_t stat[3]; /* by space: as written or global, shared, local */
    uint8_t made;     /* bit mask over stat */
    struct sass_op op;
    struct trace_static proto;
    /* the line's beginning when it was seen last, and what followed it then */
    char line[ENTRY_LINE];
    uint32_t n_line, mask;
    uint32_t after;
};
#define NONE UINT32_MAX
#define PC_SLOTS 4096u

struct kernel_state {
    uint64_t shared_base, local_base;
    int version;
    bool has_lineinfo, has_grid, has_block;
    uint32_t first_block; /* of the spool */
};

struct reader {
    const char *file;
    struct lines *lines;
    struct arena *mem; /* of the source */
    struct arena scratch;
    struct err *err;
    struct spool *spool;
    struct trace_kernel kernel;
    struct kernel_state state;
    VEC(struct entry) entries;
    VEC(struct trace_static) statics;
    uint32_t by_pc[PC_SLOTS];
    uint32_t memo[PC_SLOTS]; /* the entry that matched last */
    uint32_t last, first;    /* entry of the instruction before; of the first one of a warp */
    struct map warned;
    uint64_t hash;

    /* the CTA being read */
    struct packed_cta cta;
    uint32_t counts[TRACE_MAX_WARPS];
    struct trace_inst *insts;
    size_t n_insts, cap_insts;
    uint8_t *bytes;
    size_t n_bytes, cap_bytes;
    char *block; /* the packed form, put together */
    size_t cap_block;
};

static bool refuse(struct reader *r, const char *what)
{
    return err_add(r->err, ERR_INPUT, AT_LINE(r->file, lines_number(r->lines)), "%s", what);
}

static void *grown(void *old, size_t *cap, size_t need, size_t size)
{
    if (need <= *cap)
        return old;
    size_t more = *cap ? *cap * 2 : 4096;
    while (more < need)
        more *= 2;
    void *fresh = realloc(old, more * size);
    if (fresh)
        *cap = more;
    return fresh;
}

/* ---- numbers ---- */

/* Value of a hexadecimal digit plus one; 0: it is none. */
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

static bool parse_dec(const char **at, int64_t *out)
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

static const char *skip_blanks(const char *p)
{
    while (*p == ' ' || *p == '\t')
        p++;
    return p;
}

/* A decimal that must be followed by a blank or the end. */
bool traceg_field(const char **at, int64_t lo, int64_t hi, int64_t *out)
{
    *at = skip_blanks(*at);
    return parse_dec(at, out) && (**at == ' ' || **at == '\0' || **at == '\t') && *out >= lo &&
           *out <= hi;
}

/* ---- the header ---- */

static bool parse_dims(const char *text, struct trace_dim *out)
{
    int64_t v[3];
    const char *p = skip_blanks(text);
    if (*p++ != '(')
        return false;
    for (int i = 0; i < 3; i++) {
        p = skip_blanks(p);
        if (!parse_dec(&p, &v[i]) || v[i] < 1 || v[i] > UINT32_MAX)
            return false;
        p = skip_blanks(p);
        if (*p++ != (i < 2 ? ',' : ')'))
            return false;
    }
    *out = (struct trace_dim){(uint32_t)v[0], (uint32_t)v[1], (uint32_t)v[2]};
    return true;
}

static bool header_number(struct reader *r, const char *value, int64_t hi, int64_t *out)
{
    const char *p = value;
    if (!parse_dec(&p, out) || *out < 0 || *out > hi)
        return refuse(r, "the value of this header line is not a number in its range");
    return true;
}

static bool header_line(struct reader *r, const char *key, const char *value)
{
    int64_t v;
    if (!strcmp(key, "kernel name")) {
        r->kernel.name = arena_strdup(r->mem, value);
    } else if (!strcmp(key, "grid dim")) {
        if (!parse_dims(value, &r->kernel.grid))
            return refuse(r, "expected three whole numbers above 0: grid dim = (x,y,z)");
        r->state.has_grid = true;
    } else if (!strcmp(key, "block dim")) {
        struct trace_dim *b = &r->kernel.block;
        if (!parse_dims(value, b))
            return refuse(r, "expected three whole numbers above 0: block dim = (x,y,z)");
        uint64_t limit = TRACE_LANES * TRACE_MAX_WARPS;
        if (b->x > limit || b->y > limit || b->z > limit || (uint64_t)b->x * b->y * b->z > limit)
            return refuse(r, "a block has more than 2048 threads");
        r->kernel.warps_per_cta =
            (uint32_t)bits_ceil_div((uint64_t)b->x * b->y * b->z, TRACE_LANES);
        r->state.has_block = true;
    } else if (!strcmp(key, "shmem")) {
        if (!header_number(r, value, UINT32_MAX, &v))
            return false;
        r->kernel.shared_bytes = (uint32_t)v;
    } else if (!strcmp(key, "nregs")) {
        if (!header_number(r, value, 65535, &v))
            return false;
        r->kernel.regs_per_thread = (uint32_t)v;
    } else if (!strcmp(key, "accelsim tracer version")) {
        if (!header_number(r, value, 1000, &v))
            return false;
        r->state.version = (int)v;
    } else if (!strcmp(key, "enable lineinfo")) {
        if (!header_number(r, value, 1, &v))
            return false;
        r->state.has_lineinfo = v != 0;
    } else if (!strcmp(key, "shmem base_addr") || !strcmp(key, "local mem base_addr")) {
        uint64_t a;
        const char *p = value;
        if (!traceg_hex(&p, &a))
            return refuse(r, "expected a hexadecimal address");
        *(key[0] == 's' ? &r->state.shared_base : &r->state.local_base) = a;
    }
    return true; /* other keys carry nothing about timing */
}

static bool read_header(struct reader *r)
{
    char *line;
    size_t n;
    int got;
    while ((got = lines_next(r->lines, &line, &n, r->err)) == 1) {
        char *p = (char *)skip_blanks(line);
        if (*p == '\0')
            continue;
        if (*p == '#') {
            if (strncmp(p, "#traces format", 14) == 0)
                break;
            if (strncmp(p, "#BEGIN_TB", 9) == 0)
                return refuse(r, "a thread block begins before the line '#traces format'");
            continue;
        }
        char *eq = strchr(p, '=');
        if (*p != '-' || !eq)
            return refuse(r, "expected a header line '-key = value' or '#traces format'");
        char *end = eq;
        while (end > p + 1 && (end[-1] == ' ' || end[-1] == '\t'))
            end--;
        *end = '\0';
        char *value = (char *)skip_blanks(eq + 1);
        for (size_t k = strlen(value); k && (value[k - 1] == ' ' || value[k - 1] == '\t'); k--)
            value[k - 1] = '\0';
        if (!header_line(r, p + 1, value))
            return false;
    }
    if (got < 0)
        return false;
    if (got == 0)
        return refuse(r, "the file ends before the line '#traces format'");
    if (!r->state.has_grid || !r->state.has_block)
        return refuse(r, "the header lacks 'grid dim' or 'block dim'");
    return true;
}

/* ---- instructions ---- */

static bool parse_registers(struct reader *r, const char **at, int64_t most, uint8_t *regs,
                            uint8_t *n_regs)
{
    int64_t n;
    if (!traceg_field(at, 0, most, &n))
        return refuse(r, "expected the number of registers of the instruction");
    *n_regs = 0;
    for (int64_t i = 0; i < n; i++) {
        const char *p = skip_blanks(*at);
        int64_t reg;
        if (*p != 'R')
            return refuse(r, "expected a register R0..R255");
        p++;
        if (!traceg_field(&p, 0, 255, &reg))
            return refuse(r, "expected a register R0..R255");
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
    const char *name = skip_blanks(*at);
    size_t n = strcspn(name, " \t");
    if (n == 0 || !((name[0] >= 'A' && name[0] <= 'Z') || name[0] == '_'))
        return refuse(r, "expected an opcode");
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
        return refuse(r, "expected the width of the access in bytes");
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
    e->op.bytes = has_addresses ? e->op.bytes : 0;
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
            return refuse(r, "the kernel has more than 65535 different instructions");
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
        refuse(r, "the kernel has more than 65535 different instructions");
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
    uint8_t *more = grown(r->bytes, &r->cap_bytes, r->n_bytes + n, 1);
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
        return refuse(r, "expected the address form: 0 list, 1 base and stride, 2 base and deltas");
    uint8_t record[1 + 8 * TRACE_LANES];
    uint8_t *p = record;
    if (mode == 0) {
        *p++ = PACKED_LIST;
        for (uint32_t i = 0; i < n; i++) {
            *at = skip_blanks(*at);
            if (!traceg_hex(at, &base))
                return refuse(r, "expected one address for each active lane");
            if (i == 0)
                *first = base;
            memcpy(p, &base, 8);
            p += 8;
        }
        return put(r, record, (size_t)(p - record));
    }
    *at = skip_blanks(*at);
    if (!traceg_hex(at, &base))
        return refuse(r, "expected a base address");
    *first = base;
    if (mode == 1) {
        int64_t stride;
        if (!is_contiguous(mask))
            return refuse(r, "base and stride need active lanes without gaps");
        if (!traceg_field(at, INT64_MIN, INT64_MAX, &stride))
            return refuse(r, "expected a stride");
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
            return refuse(r, "expected a delta for each active lane after the first");
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
    const char *p = skip_blanks(line), *end = line + n;
    uint64_t pc;
    int64_t ignored;
    bool is_plain = r->state.version >= 3 && !r->state.has_lineinfo;
    if (r->state.version < 3)
        for (int i = 0; i < 4; i++)
            if (!traceg_field(&p, 0, INT64_MAX, &ignored)) {
                refuse(r, "expected 'bx by bz warp' before the instruction");
                return NULL;
            }
    if (r->state.has_lineinfo && !traceg_field(&p, 0, INT64_MAX, &ignored)) {
        refuse(r, "expected a source line number before the instruction");
        return NULL;
    }
    p = skip_blanks(p);
    if (!traceg_hex(&p, &pc) || *p != ' ') {
        refuse(r, "expected a program counter in hexadecimal");
        return NULL;
    }
    p = skip_blanks(p);
    if (!traceg_hex(&p, mask) || *p != ' ' || *mask > UINT32_MAX) {
        refuse(r, "expected an active mask of eight hexadecimal digits");
        return NULL;
    }
    p = skip_blanks(p);
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

static bool read_instruction(struct reader *r, const char *line, size_t n)
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
    if (e->proto.access_bytes && mask) {
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
        struct trace_inst *more = grown(r->insts, &r->cap_insts, r->n_insts + 1, sizeof inst);
        if (!more)
            return err_add(r->err, ERR_MACHINE, AT_FILE(r->file), "out of memory");
        r->insts = more;
    }
    r->insts[r->n_insts++] = inst;
    r->kernel.n_thread_insts += lanes;
    return true;
}

/* ---- blocks ---- */

/* The text behind "key =" if the line is one, else NULL. */
static const char *assigned(const char *line, const char *key)
{
    const char *p = skip_blanks(line);
    size_t n = strlen(key);
    if (strncmp(p, key, n) != 0)
        return NULL;
    p = skip_blanks(p + n);
    return *p == '=' ? skip_blanks(p + 1) : NULL;
}

static bool read_block_id(struct reader *r, const char *value)
{
    int64_t v[3];
    const struct trace_dim *g = &r->kernel.grid;
    const uint32_t most[3] = {g->x, g->y, g->z};
    for (int i = 0; i < 3; i++) {
        value = skip_blanks(value);
        if (!parse_dec(&value, &v[i]) || (i < 2 && *value++ != ','))
            return refuse(r, "expected 'thread block = x,y,z'");
        if (v[i] < 0 || v[i] >= most[i])
            return refuse(r, "the thread block lies outside the grid");
    }
    uint64_t id =
        (uint64_t)v[0] + (uint64_t)g->x * ((uint64_t)v[1] + (uint64_t)g->y * (uint64_t)v[2]);
    if (id >= MAX_CTAS)
        return refuse(r, "the grid has more than 268435456 thread blocks");
    r->cta.id = (uint32_t)id;
    return true;
}

static bool read_warp(struct reader *r, const char *value)
{
    int64_t v;
    char *line;
    size_t n;
    const char *p = value;
    if (!parse_dec(&p, &v) || v != r->cta.n_warps)
        return refuse(r, "the warps of a thread block must be numbered 0, 1, 2, …");
    if (r->cta.n_warps == r->kernel.warps_per_cta)
        return refuse(r, "the thread block has more warps than its size asks for");
    int got = lines_next(r->lines, &line, &n, r->err);
    if (got < 0)
        return false;
    p = got ? assigned(line, "insts") : NULL;
    if (!p || !parse_dec(&p, &v) || v < 0 || v > MAX_WARP_INSTS)
        return refuse(r, "expected 'insts = N' after 'warp = W'");
    r->last = NONE;
    for (int64_t i = 0; i < v; i++) {
        got = lines_next(r->lines, &line, &n, r->err);
        if (got < 0)
            return false;
        if (got == 0)
            return refuse(r, "the file ends inside a warp");
        if (n == 0 || line[0] == '#' || line[0] == 'w')
            return refuse(r, "the warp has fewer instructions than 'insts' promises");
        if (!read_instruction(r, line, n))
            return false;
    }
    r->kernel.n_warp_insts += (uint64_t)v;
    r->counts[r->cta.n_warps++] = (uint32_t)v;
    return true;
}

uint64_t traceg_hash(uint64_t h, const void *data, size_t n)
{
    const char *p = data;
    for (; n >= 8; n -= 8, p += 8) {
        uint64_t w;
        memcpy(&w, p, 8);
        h = (h ^ w) * 0x9e3779b97f4a7c15u;
        h ^= h >> 32;
    }
    uint64_t rest = 0;
    if (n)
        memcpy(&rest, p, n);
    return rng_mix(h ^ rest);
}

static bool end_block(struct reader *r)
{
    if (r->cta.n_warps != r->kernel.warps_per_cta)
        return refuse(r, "the thread block has fewer warps than its size asks for");
    size_t heads = sizeof r->cta + r->cta.n_warps * sizeof r->counts[0];
    size_t insts = r->n_insts * sizeof *r->insts;
    size_t total = heads + insts + r->n_bytes;
    char *block = grown(r->block, &r->cap_block, total, 1);
    if (!block)
        return err_add(r->err, ERR_MACHINE, AT_FILE(r->file), "out of memory");
    r->block = block;
    r->cta.n_insts = (uint32_t)r->n_insts;
    r->cta.n_bytes = (uint32_t)r->n_bytes;
    memcpy(block, &r->cta, sizeof r->cta);
    memcpy(block + sizeof r->cta, r->counts, heads - sizeof r->cta);
    if (insts)
        memcpy(block + heads, r->insts, insts);
    if (r->n_bytes)
        memcpy(block + heads + insts, r->bytes, r->n_bytes);
    r->hash = traceg_hash(r->hash, block, total);
    r->kernel.n_ctas++;
    return spool_add(r->spool, block, total, r->err);
}

static bool read_block(struct reader *r)
{
    char *line;
    size_t n;
    int got;
    bool has_id = false;
    r->cta = (struct packed_cta){0};
    r->n_insts = r->n_bytes = 0;
    while ((got = lines_next(r->lines, &line, &n, r->err)) == 1) {
        const char *p = skip_blanks(line), *value;
        if (*p == '\0')
            continue;
        if (strncmp(p, "#END_TB", 7) == 0)
            return has_id ? end_block(r) : refuse(r, "the thread block has no number");
        if ((value = assigned(p, "thread block"))) {
            if (has_id)
                return refuse(r, "the thread block has two numbers");
            if (!read_block_id(r, value))
                return false;
            has_id = true;
        } else if ((value = assigned(p, "warp"))) {
            if (!read_warp(r, value))
                return false;
        } else if (strncmp(p, "#BEGIN_TB", 9) == 0) {
            return refuse(r, "a thread block begins inside another");
        } else if (*p != '#') {
            return refuse(r, "expected 'warp = W', '#END_TB' or 'thread block = x,y,z' "
                             "(does the warp before have more instructions than it promises?)");
        }
    }
    return got < 0 ? false : refuse(r, "the file ends inside a thread block");
}

static bool read_blocks(struct reader *r)
{
    char *line;
    size_t n;
    int got;
    while ((got = lines_next(r->lines, &line, &n, r->err)) == 1) {
        const char *p = skip_blanks(line);
        if (strncmp(p, "#BEGIN_TB", 9) == 0) {
            if (!read_block(r))
                return false;
        } else if (*p != '\0' && *p != '#') {
            return refuse(r, "expected '#BEGIN_TB'");
        }
    }
    if (got < 0)
        return false;
    if (r->kernel.n_ctas == 0)
        return refuse(r, "the kernel has no thread block");
    return true;
}

bool traceg_read(const char *path, struct arena *mem, struct spool *spool, uint64_t *hash,
                 struct trace_kernel *out, struct err *err)
{
    struct reader *r = calloc(1, sizeof *r);
    if (!r)
        return err_add(err, ERR_MACHINE, AT_FILE(path), "out of memory");
    arena_init(&r->scratch, NULL, NULL);
    r->file = path;
    r->mem = mem;
    r->err = err;
    r->spool = spool;
    r->hash = *hash;
    r->kernel.name = "";
    r->last = r->first = NONE;
    map_init(&r->warned, &r->scratch);
    for (uint32_t i = 0; i < PC_SLOTS; i++)
        r->by_pc[i] = r->memo[i] = NONE;
    r->lines = lines_open(path, err);
    bool ok = r->lines && read_header(r) && read_blocks(r);
    if (ok) {
        r->kernel.statics = r->statics.at;
        r->kernel.n_statics = (uint32_t)r->statics.n;
        r->hash = traceg_hash(r->hash, r->statics.at, r->statics.n * sizeof *r->statics.at);
        *hash = r->hash;
        *out = r->kernel;
    }
    lines_close(r->lines);
    arena_free(&r->scratch);
    free(r->insts);
    free(r->bytes);
    free(r->block);
    free(r);
    return ok;
}
