/* SPDX-License-Identifier: MIT
 *
 * What the array model accepts, and the words for what it does not. */
#include "base/bits.h"
#include "energy/array/model.h"
#include "energy/array/small.h"

const char *const amodel_type_names[] = {"ram", "cache", "fa", "cam"};
const char *const amodel_mode_names[] = {"normal", "sequential", "fast"};
const char *const amodel_optimize_names[] = {"ED^2", "ED", "NONE"};

struct amodel_in amodel_defaults(void)
{
    return (struct amodel_in){
        .type = AMODEL_RAM,
        .size_b = 16384,
        .block_b = 16,
        .assoc = 1,
        .rw = 1,
        .banks = 1,
        .tech_nm = 45,
        .out_bits = 128,
        .temp_k = 350,
        .weights = {0, 0, 0, 0, 100},
        .deviate = {20, 100000, 100000, 100000, 1000000},
        .signal = ARRAY_WIRE_30,
        .wire_in = ARRAY_SEMI,
        .wire_out = ARRAY_SEMI,
    };
}

struct check {
    struct where at;
    struct err *err;
    bool ok;
};

#define BAD(c, column, ...)                                                                        \
    ((c)->at.key = (column), (c)->ok = err_add((c)->err, ERR_INPUT, (c)->at, __VA_ARGS__))

static void range(struct check *c, const char *column, int64_t v, int64_t lo, int64_t hi)
{
    if (v < lo || v > hi)
        BAD(c, column, "%lld is not in %lld..%lld", (long long)v, (long long)lo, (long long)hi);
}

static void check_ports(struct check *c, const struct amodel_in *in)
{
    bool cf = in->type == AMODEL_FA || in->type == AMODEL_CAM;
    range(c, "rw", in->rw, 0, 64);
    range(c, "rd", in->rd, 0, 64);
    range(c, "wr", in->wr, 0, 64);
    range(c, "se", in->se, 0, 64);
    range(c, "search", in->search, 0, 64);
    if (!c->ok)
        return;
    if (in->rw + in->rd + in->wr == 0)
        BAD(c, "rw", "no port: rw + rd + wr must be at least 1");
    if (in->se > in->rd)
        BAD(c, "se", "%lld single-ended read ports, but only %lld read ports", (long long)in->se,
            (long long)in->rd);
    if (cf && in->search < 1)
        BAD(c, "search", "a fully-associative array or CAM needs at least 1 search port");
    if (in->type == AMODEL_CACHE && in->rw + in->rd == 0)
        BAD(c, "rw", "a cache needs a port that reads: rw + rd must be at least 1");
}

static void check_org(struct check *c, const struct amodel_in *in)
{
    const struct amodel_org *o = &in->org;
    const int v[] = {o->ndwl, o->ndbl, o->ndcm, o->sam1, o->sam2};
    const int most[] = {512, 512, 256, 256, 256};
    for (int i = 0; i < 5; i++)
        if (v[i] < 1 || v[i] > most[i] || !bits_is_pow2((uint64_t)v[i])) {
            BAD(c, "forced_org", "%d is not a power of two in 1..%d", v[i], most[i]);
            return;
        }
    if (!(o->nspd > 0 && o->nspd <= 256))
        BAD(c, "forced_org", "Nspd %g is not above 0 and at most 256", o->nspd);
    bool cf = in->type == AMODEL_FA || in->type == AMODEL_CAM;
    if (cf && (o->ndwl != 1 || o->nspd != 1 || o->ndcm != 1 || o->sam1 != 1 || o->sam2 != 1))
        BAD(c, "forced_org", "only Ndbl can be other than 1 here");
}

static void check_shape(struct check *c, const struct amodel_in *in)
{
    bool cf = in->type == AMODEL_FA || in->type == AMODEL_CAM;
    int64_t big = (int64_t)1 << 33;

    range(c, "banks", in->banks, 1, 1024);
    if (in->banks >= 1 && in->banks <= 1024 && !bits_is_pow2((uint64_t)in->banks))
        BAD(c, "banks", "%lld is not a power of two", (long long)in->banks);
    range(c, "size_B", in->size_b, 1, big);
    range(c, "block_B", in->block_b, 1, 1 << 16);
    range(c, "out_bits", in->out_bits, 1, 8 << 16);
    range(c, "assoc", in->assoc, cf ? 0 : 1, cf ? 0 : 1024);
    range(c, "tag_bits", in->tag_bits, 0, 4096);
    if (!c->ok)
        return;
    if (in->size_b / in->banks < 64)
        BAD(c, "size_B", "%lld bytes in %lld banks: a bank needs at least 64 bytes",
            (long long)in->size_b, (long long)in->banks);
    if (in->out_bits > 8 * in->block_b)
        BAD(c, "out_bits", "%lld bits do not fit a block of %lld bytes", (long long)in->out_bits,
            (long long)in->block_b);
    if (!cf && !bits_is_pow2((uint64_t)in->assoc))
        BAD(c, "assoc", "%lld is not a power of two", (long long)in->assoc);
    if (in->type == AMODEL_CACHE && in->size_b / (in->banks * in->block_b) / in->assoc <= 1)
        BAD(c, "assoc", "%lld ways leave no more than one set", (long long)in->assoc);
}

static void check_technology(struct check *c, const struct amodel_in *in,
                             const struct array_tables *tables)
{
    bool cf = in->type == AMODEL_FA || in->type == AMODEL_CAM;
    if (!(in->tech_nm > 0) || !array_tables_covers(tables, in->tech_nm))
        BAD(c, "tech_nm", "%g nm is not in %g..%g", in->tech_nm,
            tables->nodes[tables->n_nodes - 1].nm, tables->nodes[0].nm);
    if (in->temp_k < 300 || in->temp_k > 400 || in->temp_k % 10)
        BAD(c, "temp_K", "%lld K is not in 300, 310, … 400", (long long)in->temp_k);
    if (in->wire_out == ARRAY_LOCAL)
        BAD(c, "wire_out_mat", "local wires cannot join mats; semi-global or global");
    if (cf && (in->data_cell != in->tag_cell || in->data_peri != in->tag_peri))
        BAD(c, "tag_cell",
            "a fully-associative array or CAM has one kind of device for both parts");
    for (int i = 0; i < GOALS; i++) {
        if (!(in->weights[i] >= 0 && in->weights[i] <= 1e9))
            BAD(c, "weights", "%g is not in 0..1e9", in->weights[i]);
        if (!(in->deviate[i] >= 0 && in->deviate[i] <= 1e12))
            BAD(c, "deviate", "%g is not in 0..1e12", in->deviate[i]);
    }
}

struct amodel_in amodel_in_bytes(const struct amodel_in *in)
{
    struct amodel_in o = *in;
    if (in->entries > 0 && in->word_bits > 0 && in->entries < (int64_t)1 << 40 &&
        in->word_bits < (int64_t)1 << 20) {
        o.block_b = (in->word_bits + 7) / 8;
        o.size_b = in->entries * o.block_b;
        if (o.type == AMODEL_CAM)
            o.tag_bits = in->word_bits;
        if (o.out_bits <= 0 || o.out_bits > 8 * o.block_b)
            o.out_bits = in->word_bits;
    }
    o.entries = o.word_bits = 0;
    return o;
}

bool amodel_check(const struct amodel_in *in, const struct array_tables *tables, struct where at,
                  struct err *err)
{
    struct check c = {at, err, true};
    check_ports(&c, in);
    check_shape(&c, in);
    check_technology(&c, in, tables);
    if (in->forced)
        check_org(&c, in);
    return c.ok;
}

bool small_check(const struct amodel_in *in, const struct array_tables *tables, struct where at,
                 struct err *err)
{
    struct check c = {at, err, true};
    bool cf = in->type == AMODEL_FA || in->type == AMODEL_CAM;
    int64_t big = (int64_t)1 << 33;

    check_ports(&c, in);
    check_technology(&c, in, tables);
    range(&c, "banks", in->banks, 1, 1024);
    range(&c, "assoc", in->assoc, cf ? 0 : 1, cf ? 0 : 1024);
    range(&c, "tag_bits", in->tag_bits, 0, 4096);
    if (in->entries || in->word_bits) {
        range(&c, "entries", in->entries, 1, big);
        range(&c, "word_bits", in->word_bits, 1, 8 << 16);
    } else {
        range(&c, "size_B", in->size_b, 1, big);
        range(&c, "block_B", in->block_b, 1, 1 << 16);
    }
    range(&c, "out_bits", in->out_bits, in->word_bits ? 0 : 1, 8 << 16);
    if (!c.ok)
        return false;
    int64_t word = in->word_bits ? in->word_bits : 8 * in->block_b;
    if (in->out_bits > word)
        BAD(&c, "out_bits", "%lld bits do not fit a word of %lld", (long long)in->out_bits,
            (long long)word);
    int64_t size = in->entries ? in->entries : in->size_b;
    int64_t least = in->banks * (in->entries ? 1 : cf && in->type == AMODEL_FA ? in->block_b : 1);
    if (size < least)
        BAD(&c, in->entries ? "entries" : "size_B", "%lld is less than one entry a bank",
            (long long)size);
    if (in->type == AMODEL_CACHE && in->size_b < in->banks * in->block_b * in->assoc)
        BAD(&c, "assoc", "%lld ways of %lld bytes do not fit %lld bytes", (long long)in->assoc,
            (long long)in->block_b, (long long)in->size_b);
    if (in->forced)
        BAD(&c, "forced_org", "only the CACTI model has organisations");
    return c.ok;
}
