/* SPDX-License-Identifier: MIT */
#include "energy/array/columns.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/near.h"

/* ---- requests ---- */

struct int_column {
    const char *name;
    size_t offset; /* of an int64_t */
};

#define INT_COLUMN(column, field)                                                                  \
    {                                                                                              \
        column, offsetof(struct amodel_in, field)                                                  \
    }
static const struct int_column int_columns[] = {
    INT_COLUMN("size_B", size_b),
    INT_COLUMN("block_B", block_b),
    INT_COLUMN("assoc", assoc),
    INT_COLUMN("rw", rw),
    INT_COLUMN("rd", rd),
    INT_COLUMN("wr", wr),
    INT_COLUMN("se", se),
    INT_COLUMN("search", search),
    INT_COLUMN("banks", banks),
    INT_COLUMN("out_bits", out_bits),
    INT_COLUMN("temp_K", temp_k),
    INT_COLUMN("entries", entries),
    INT_COLUMN("word_bits", word_bits),
};

struct word_column {
    const char *name;
    size_t offset; /* of an enum, stored as unsigned */
    const char *const *words;
    size_t n;
};

#define WORD_COLUMN(column, field, names, n)                                                       \
    {                                                                                              \
        column, offsetof(struct amodel_in, field), names, n                                        \
    }
static const struct word_column word_columns[] = {
    WORD_COLUMN("type", type, amodel_type_names, AMODEL_TYPES),
    WORD_COLUMN("access_mode", mode, amodel_mode_names, AMODEL_MODES),
    WORD_COLUMN("data_cell", data_cell, array_flavour_names, ARRAY_FLAVOURS),
    WORD_COLUMN("data_peri", data_peri, array_flavour_names, ARRAY_FLAVOURS),
    WORD_COLUMN("tag_cell", tag_cell, array_flavour_names, ARRAY_FLAVOURS),
    WORD_COLUMN("tag_peri", tag_peri, array_flavour_names, ARRAY_FLAVOURS),
    WORD_COLUMN("optimize", optimize, amodel_optimize_names, AMODEL_OPTIMIZES),
    WORD_COLUMN("wire_signal", signal, array_signal_names, ARRAY_SIGNALS),
    WORD_COLUMN("wire_in_mat", wire_in, array_layer_names, ARRAY_LAYERS),
    WORD_COLUMN("wire_out_mat", wire_out, array_layer_names, ARRAY_LAYERS),
    WORD_COLUMN("projection", projection, array_projection_names, ARRAY_PROJECTIONS),
};
/* the enums above are written through one unsigned each */
_Static_assert(sizeof(enum amodel_type) == sizeof(unsigned), "enum size");
_Static_assert(sizeof(enum array_flavour) == sizeof(unsigned), "enum size");

const char *const array_csv_inputs[] = {
    "type",         "size_B",     "block_B",     "assoc",      "rw",          "rd",
    "wr",           "se",         "search",      "banks",      "tech_nm",     "out_bits",
    "temp_K",       "tag_bits",   "access_mode", "data_cell",  "data_peri",   "tag_cell",
    "tag_peri",     "optimize",   "weights",     "deviate",    "wire_signal", "wire_in_mat",
    "wire_out_mat", "projection", "ecc",         "forced_org", "entries",     "word_bits",
    NULL,
};

bool array_csv_numbers(const char *text, double *out, int n)
{
    const char *p = text;
    for (int i = 0; i < n; i++) {
        char *end;
        errno = 0;
        double v = strtod(p, &end);
        if (end == p || errno == ERANGE || !isfinite(v) || *end != (i == n - 1 ? '\0' : ':'))
            return false;
        out[i] = v;
        p = end + 1;
    }
    return true;
}

/* The field, or NULL where the column is missing or empty. */
static const char *field(const struct csv *csv, size_t row, const char *name, int *column)
{
    *column = csv_column(csv, name);
    if (*column < 0 || csv->rows[row][*column][0] == '\0')
        return NULL;
    return csv->rows[row][*column];
}

static bool read_word(const struct csv *csv, size_t row, const struct word_column *w,
                      struct amodel_in *out, struct err *err)
{
    int column;
    const char *text = field(csv, row, w->name, &column);
    if (!text)
        return true;
    unsigned value = 0;
    while (value < w->n && strcmp(text, w->words[value]) != 0)
        value++;
    if (w->words == array_signal_names && strcmp(text, "default") == 0)
        value = ARRAY_WIRE_FASTEST;
    struct where at = csv_at(csv, row, w->name);
    if (w->words == array_signal_names &&
        (strcmp(text, "lowswing") == 0 || strcmp(text, "fullswing") == 0))
        return err_add(err, ERR_INPUT, at,
                       "'%s' stands for low-swing wires, which are not modelled: no published "
                       "figures exist to check them against; Global, Global_5, _10, _20, _30",
                       text);
    if (value == w->n) {
        const char *near = near_best(text, w->words, w->n);
        return near ? err_add(err, ERR_INPUT, at, "'%s' is not known; did you mean '%s'?", text,
                              near)
                    : err_add(err, ERR_INPUT, at, "'%s' is not known; '%s' for example", text,
                              w->words[0]);
    }
    memcpy((char *)out + w->offset, &value, sizeof value);
    return true;
}

static bool read_list(const struct csv *csv, size_t row, const char *name, double *out, int n,
                      struct err *err)
{
    int column;
    const char *text = field(csv, row, name, &column);
    double v[8];
    if (!text)
        return true;
    if (!array_csv_numbers(text, v, n))
        return err_add(err, ERR_INPUT, csv_at(csv, row, name),
                       "'%s' is not %d numbers with ':' between", text, n);
    memcpy(out, v, (size_t)n * sizeof *out);
    return true;
}

static bool read_rest(const struct csv *csv, size_t row, struct amodel_in *out, struct err *err)
{
    int column;
    bool ok = true;
    const char *text = field(csv, row, "tech_nm", &column);
    if (text)
        ok &= csv_real(csv, row, column, &out->tech_nm, err);
    text = field(csv, row, "tag_bits", &column);
    if (text && strcmp(text, "default") == 0) {
        out->tag_bits = 0;
    } else if (text) {
        long long v = 0;
        bool good = csv_int(csv, row, column, &v, err);
        if (good && v < 1)
            good = err_add(err, ERR_INPUT, csv_at(csv, row, "tag_bits"),
                           "%lld is not in 1..4096; 'default' derives it", v);
        if (good)
            out->tag_bits = v;
        ok &= good;
    }
    text = field(csv, row, "ecc", &column);
    if (text) {
        out->ecc = strcmp(text, "true") == 0;
        if (!out->ecc && strcmp(text, "false") != 0)
            ok =
                err_add(err, ERR_INPUT, csv_at(csv, row, "ecc"), "'%s' is not true or false", text);
    }
    ok &= read_list(csv, row, "weights", out->weights, GOALS, err);
    ok &= read_list(csv, row, "deviate", out->deviate, GOALS, err);
    if (field(csv, row, "forced_org", &column)) {
        double v[6] = {0};
        bool good = read_list(csv, row, "forced_org", v, 6, err);
        for (int i = 0; i < 6 && good; i++)
            if (v[i] < 0 || v[i] > 1024 || (i != 2 && v[i] != floor(v[i])))
                good = err_add(err, ERR_INPUT, csv_at(csv, row, "forced_org"),
                               "%g is not a legal number of parts", v[i]);
        if (good) {
            out->forced = true;
            out->org =
                (struct amodel_org){v[2], (int)v[0], (int)v[1], (int)v[3], (int)v[4], (int)v[5]};
        }
        ok &= good;
    }
    return ok;
}

bool array_csv_request(const struct csv *csv, size_t row, struct amodel_in *out, struct err *err)
{
    struct amodel_in in = *out;
    bool ok = true;
    for (size_t i = 0; i < sizeof int_columns / sizeof *int_columns; i++) {
        int column;
        if (!field(csv, row, int_columns[i].name, &column))
            continue;
        long long v;
        if (csv_int(csv, row, column, &v, err)) {
            int64_t w = v;
            memcpy((char *)&in + int_columns[i].offset, &w, sizeof w);
        } else {
            ok = false;
        }
    }
    for (size_t i = 0; i < sizeof word_columns / sizeof *word_columns; i++)
        ok &= read_word(csv, row, &word_columns[i], &in, err);
    ok &= read_rest(csv, row, &in, err);
    int column;
    if (!field(csv, row, "out_bits", &column)) { /* a whole word */
        if (in.word_bits > 0)
            in.out_bits = in.word_bits;
        else if (in.block_b > 0 && in.block_b <= 1 << 16)
            in.out_bits = 8 * in.block_b;
    }
    if (ok)
        *out = in;
    return ok;
}

const char *array_request_text(const struct amodel_in *in, struct arena *mem)
{
    struct buf b;
    buf_init(&b, mem, BUF_NO_MAX);
    for (size_t i = 0; i < sizeof int_columns / sizeof *int_columns; i++) {
        int64_t v;
        memcpy(&v, (const char *)in + int_columns[i].offset, sizeof v);
        buf_printf(&b, "%s=%lld ", int_columns[i].name, (long long)v);
    }
    for (size_t i = 0; i < sizeof word_columns / sizeof *word_columns; i++) {
        unsigned v;
        memcpy(&v, (const char *)in + word_columns[i].offset, sizeof v);
        buf_printf(&b, "%s=%s ", word_columns[i].name, word_columns[i].words[v]);
    }
    buf_printf(&b, "tech_nm=%.17g tag_bits=%lld ecc=%d", in->tech_nm, (long long)in->tag_bits,
               in->ecc);
    for (int i = 0; i < GOALS; i++)
        buf_printf(&b, " %.17g:%.17g", in->weights[i], in->deviate[i]);
    if (in->forced)
        buf_printf(&b, " org=%d:%d:%.17g:%d:%d:%d", in->org.ndwl, in->org.ndbl, in->org.nspd,
                   in->org.ndcm, in->org.sam1, in->org.sam2);
    return b.data;
}

/* ---- answers ---- */

enum part { WHOLE, DATA, TAG, SEARCH, WHOLE_SEARCH };
enum number_kind { REAL, INTEGER, ABOVE_ZERO };

struct answer_column {
    const char *name;
    enum part part;
    enum number_kind kind;
    size_t offset; /* in amodel_out, or in amodel_side */
    double scale;
};

#define OUT(name, field, scale)                                                                    \
    {                                                                                              \
        name, WHOLE, REAL, offsetof(struct amodel_out, field), scale                               \
    }
#define SIDE(p, name, field, scale)                                                                \
    {                                                                                              \
        name, p, REAL, offsetof(struct amodel_side, field), scale                                  \
    }
#define COUNT(p, name, field)                                                                      \
    {                                                                                              \
        name, p, INTEGER, offsetof(struct amodel_side, field), 1                                   \
    }
#define BOTH(name, field, scale)                                                                   \
    SIDE(DATA, "d_" name, field, scale), SIDE(TAG, "t_" name, field, scale)

/* the first N_ALWAYS are part of every answer */
static const struct answer_column answers[] = {
    OUT("access_ns", access_s, 1e9),
    OUT("cycle_ns", cycle_s, 1e9),
    {"search_nJ", WHOLE_SEARCH, REAL, offsetof(struct amodel_out, search_j), 1e9},
    OUT("read_nJ", read_j, 1e9),
    OUT("write_nJ", write_j, 1e9),
    OUT("leak_mW", leak_w, 1e3),
    OUT("gate_leak_mW", gate_leak_w, 1e3),
    OUT("height_mm", height_um, 1e-3),
    OUT("width_mm", width_um, 1e-3),
    OUT("area_mm2", area_um2, 1e-6),
    COUNT(DATA, "Ndwl", org.ndwl),
    COUNT(DATA, "Ndbl", org.ndbl),
    {"Nspd", DATA, ABOVE_ZERO, offsetof(struct amodel_side, org.nspd), 1},
    COUNT(DATA, "Ndcm", org.ndcm),
    COUNT(DATA, "Ndsam1", org.sam1),
    COUNT(DATA, "Ndsam2", org.sam2),
    COUNT(TAG, "Ntwl", org.ndwl),
    COUNT(TAG, "Ntbl", org.ndbl),
    {"Ntspd", TAG, ABOVE_ZERO, offsetof(struct amodel_side, org.nspd), 1},
    COUNT(TAG, "Ntcm", org.ndcm),
    COUNT(TAG, "Ntsam1", org.sam1),
    COUNT(TAG, "Ntsam2", org.sam2),
    BOTH("acc_ns", access_s, 1e9),
    BOTH("htree_in_ns", t_htree_in, 1e9),
    BOTH("dec_wl_ns", t_decode, 1e9),
    SIDE(SEARCH, "d_cam_search_ns", t_match, 1e9),
    BOTH("bitline_ns", t_bitline, 1e9),
    BOTH("sa_ns", t_sense, 1e9),
    SIDE(TAG, "t_cmp_ns", t_compare, 1e9),
    BOTH("out_ns", t_out, 1e9),
    BOTH("read_nJ", read_j, 1e9),
    BOTH("leak_mW", leak.sub, 1e3),
    BOTH("htree_nJ", e_htree, 1e9),
    BOTH("dec_nJ", e_decode, 1e9),
    BOTH("wl_nJ", e_wordline, 1e9),
    BOTH("bmux_nJ", e_bitmux, 1e9),
    BOTH("samux_nJ", e_sensemux, 1e9),
    BOTH("prech_nJ", e_precharge, 1e9),
    BOTH("bl_nJ", e_bitline, 1e9),
    BOTH("sa_nJ", e_sense, 1e9),
    BOTH("out_nJ", e_out, 1e9),
    SIDE(SEARCH, "s_searchlines_nJ", s_searchline, 1e9),
    SIDE(SEARCH, "s_matchlines_nJ", s_matchline, 1e9),
    SIDE(SEARCH, "s_wl_nJ", s_wordline, 1e9),
    SIDE(SEARCH, "s_bl_nJ", s_bitline, 1e9),
    SIDE(SEARCH, "s_sa_nJ", s_sense, 1e9),
    SIDE(SEARCH, "s_out_nJ", s_out, 1e9),
    {"data_orgs", WHOLE, INTEGER, offsetof(struct amodel_out, n_data), 1}, /* looked at */
    {"tag_orgs", WHOLE, INTEGER, offsetof(struct amodel_out, n_tag), 1},
    SIDE(DATA, "d_area_mm2", area_um2, 1e-6),
    SIDE(TAG, "t_area_mm2", area_um2, 1e-6),
    BOTH("h_mm", height_um, 1e-3),
    BOTH("w_mm", width_um, 1e-3),
    BOTH("eff_pct", efficiency, 100),
    BOTH("mat_h_mm", mat_h_um, 1e-3),
    BOTH("mat_w_mm", mat_w_um, 1e-3),
    BOTH("sub_h_mm", sub_h_um, 1e-3),
    BOTH("sub_w_mm", sub_w_um, 1e-3),
};
enum { N_ANSWERS = sizeof answers / sizeof *answers, N_ALWAYS = 22 };

size_t array_csv_n_answers(void)
{
    return N_ANSWERS;
}

const char *array_csv_answer_name(size_t i)
{
    return answers[i].name;
}

bool array_csv_answer_always(size_t i)
{
    return i < N_ALWAYS;
}

double array_csv_value(const struct amodel_out *o, size_t i)
{
    const struct answer_column *c = &answers[i];
    const void *base = NULL;
    switch (c->part) {
    case WHOLE: base = o; break;
    case WHOLE_SEARCH: base = o->has_search ? o : NULL; break;
    case DATA: base = &o->data; break;
    case TAG: base = o->has_tag ? &o->tag : NULL; break;
    case SEARCH: base = o->has_search ? &o->data : NULL; break;
    }
    if (!base)
        return NAN;
    const char *at = (const char *)base + c->offset;
    if (c->kind == INTEGER) {
        int n;
        memcpy(&n, at, sizeof n);
        return n > 0 ? n : NAN;
    }
    double v;
    memcpy(&v, at, sizeof v);
    if (c->kind == ABOVE_ZERO && v <= 0)
        return NAN;
    return v * c->scale;
}
