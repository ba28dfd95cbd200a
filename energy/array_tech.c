/* SPDX-License-Identifier: MIT */
#include "energy/array_tech.h"

#include <libconfig.h>
#include <math.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "energy/array_gate.h"

const char *const array_flavour_names[] = {"itrs-hp", "itrs-lstp", "itrs-lop"};
const char *const array_layer_names[] = {"local", "semi-global", "global"};
const char *const array_projection_names[] = {"conservative", "aggressive"};
const char *const array_signal_names[] = {"Global", "Global_5", "Global_10", "Global_20",
                                          "Global_30"};

/* ---- reading ---- */

struct field {
    const char *name;
    size_t offset;
};

#define GEOMETRY(name)                                                                             \
    {                                                                                              \
#name, offsetof(struct array_geometry, name)                                               \
    }
#define RULE(name)                                                                                 \
    {                                                                                              \
#name, offsetof(struct array_rules, name)                                                  \
    }
#define DEVICE(name)                                                                               \
    {                                                                                              \
#name, offsetof(struct array_device, name)                                                 \
    }

static const struct field geometry_fields[] = {
    GEOMETRY(w_min),       GEOMETRY(w_max),       GEOMETRY(contact),      GEOMETRY(contact_space),
    GEOMETRY(poly_space),  GEOMETRY(gap_pn),      GEOMETRY(gap_same),     GEOMETRY(rail),
    GEOMETRY(gate_height), GEOMETRY(stitch),      GEOMETRY(sa_iso),       GEOMETRY(sa_n),
    GEOMETRY(sa_p),        GEOMETRY(sa_en),       GEOMETRY(cmp_inv1_p),   GEOMETRY(cmp_inv1_n),
    GEOMETRY(cmp_inv2_p),  GEOMETRY(cmp_inv2_n),  GEOMETRY(cmp_inv3_p),   GEOMETRY(cmp_inv3_n),
    GEOMETRY(cmp_eval_p),  GEOMETRY(cmp_eval_n),  GEOMETRY(cmp_n),        GEOMETRY(cmp_p),
    GEOMETRY(cam_nand),    GEOMETRY(cam_inv_n),   GEOMETRY(cam_inv_p),    GEOMETRY(cam_nor_n),
    GEOMETRY(cam_nor_p),   GEOMETRY(cell_access), GEOMETRY(cell_p),       GEOMETRY(cell_n),
    GEOMETRY(pitch_local), GEOMETRY(pitch_semi),  GEOMETRY(pitch_global), {NULL, 0},
};
/* every geometry value is a double and a length in F, so array_tech_make scales them as a block */
_Static_assert(sizeof(struct array_geometry) == (35 + 5) * sizeof(double),
               "35 are read, 5 derived");

static const struct field geometry_rule_fields[] = {
    RULE(stitch_columns), RULE(precharge_factor),
    RULE(decoder_cells),  RULE(cam_tracks),
    RULE(mux_factor),     RULE(cell_area),
    RULE(cell_aspect),    RULE(cam_area),
    RULE(cam_aspect),     {NULL, 0},
};
static const struct field electric_fields[] = {
    RULE(sidewall), RULE(overlap),       RULE(swing_share), RULE(swing_min),
    RULE(stack),    RULE(fringe_wire),   RULE(eps0),        RULE(k_vertical),
    RULE(miller),   RULE(short_current), {NULL, 0},
};
static const struct field device_fields[] = {
    DEVICE(vdd),      DEVICE(vth),      DEVICE(l_phy),  DEVICE(l_elec),   DEVICE(c_ox),
    DEVICE(mobility), DEVICE(v_dsat),   DEVICE(c_gate), DEVICE(c_fringe), DEVICE(c_junction),
    DEVICE(i_on),     DEVICE(r_factor), DEVICE(n2p),    DEVICE(gm_ratio), {NULL, 0},
};

struct reader {
    const char *file;
    struct err *err;
    bool ok;
};

static void complain(struct reader *r, const config_setting_t *at, const char *key,
                     const char *what)
{
    struct where w = {r->file, at ? (int)config_setting_source_line(at) : 0, key};
    r->ok = err_add(r->err, ERR_INPUT, w, "%s", what);
}

static const config_setting_t *member(struct reader *r, const config_setting_t *group,
                                      const char *name)
{
    config_setting_t *s =
        group && config_setting_is_group(group) ? config_setting_get_member(group, name) : NULL;
    if (!s)
        complain(r, group, name, "missing in the technology file");
    return s;
}

static double number(struct reader *r, const config_setting_t *s, const char *name)
{
    if (!s)
        return 0;
    double v = NAN;
    switch (config_setting_type(s)) {
    case CONFIG_TYPE_INT: v = config_setting_get_int(s); break;
    case CONFIG_TYPE_INT64: v = (double)config_setting_get_int64(s); break;
    case CONFIG_TYPE_FLOAT: v = config_setting_get_float(s); break;
    default: complain(r, s, name, "expected a number"); return 0;
    }
    if (!(v >= 0 && isfinite(v)))
        complain(r, s, name, "expected a number that is not negative");
    return v;
}

static void numbers(struct reader *r, const config_setting_t *group, const char *name, double *out,
                    int n, bool may_be_one)
{
    const config_setting_t *s = member(r, group, name);
    if (!s)
        return;
    int have = config_setting_is_aggregate(s) ? config_setting_length(s) : 0;
    if (have != n && !(may_be_one && have == 1)) {
        complain(r, s, name, "wrong number of values");
        return;
    }
    for (int i = 0; i < n; i++)
        out[i] = number(r, config_setting_get_elem(s, have == 1 ? 0 : (unsigned)i), name);
}

static void fill(struct reader *r, const config_setting_t *group, const struct field *fields,
                 void *out)
{
    for (const struct field *f = fields; f->name; f++) {
        double v = number(r, member(r, group, f->name), f->name);
        memcpy((char *)out + f->offset, &v, sizeof v);
    }
}

static void read_wires(struct reader *r, const config_setting_t *node, enum array_projection p,
                       struct array_node *out)
{
    const config_setting_t *s = member(r, node, array_projection_names[p]);
    double v[2][5] = {{0}, {0}};
    numbers(r, s, "semi", v[0], 5, false);
    numbers(r, s, "global", v[1], 5, false);
    out->semi[p] = (struct array_wire_rule){v[0][0], v[0][1], v[0][2], v[0][3], v[0][4]};
    out->global[p] = (struct array_wire_rule){v[1][0], v[1][1], v[1][2], v[1][3], v[1][4]};
    out->dishing[p] = number(r, member(r, s, "dishing"), "dishing");
    out->scatter[p] = number(r, member(r, s, "scatter"), "scatter");
}

static void read_node(struct reader *r, const config_setting_t *s, struct array_node *out)
{
    static const char *const short_names[ARRAY_FLAVOURS] = {"hp", "lstp", "lop"};

    out->nm = number(r, member(r, s, "nm"), "nm");
    for (int i = 0; i < ARRAY_FLAVOURS; i++) {
        const config_setting_t *d = member(r, s, short_names[i]);
        fill(r, d, device_fields, &out->device[i]);
        numbers(r, d, "i_off", out->i_off[i], ARRAY_TEMPS, false);
        numbers(r, d, "i_gate", out->i_gate[i], ARRAY_TEMPS, true);
        if (r->ok && !(out->device[i].vdd > 0 && out->device[i].i_on > 0 && out->device[i].n2p > 0))
            complain(r, d, short_names[i], "vdd, i_on and n2p must be above 0");
    }
    for (int p = 0; p < ARRAY_PROJECTIONS; p++)
        read_wires(r, s, p, out);
}

static void read_tree(struct reader *r, const config_setting_t *root, struct arena *mem,
                      struct array_tables *out)
{
    const config_setting_t *name = member(r, root, "name");
    if (name && config_setting_type(name) == CONFIG_TYPE_STRING)
        out->name = arena_strdup(mem, config_setting_get_string(name));
    else if (name)
        complain(r, name, "name", "expected a text");
    const config_setting_t *geometry = member(r, root, "geometry");
    fill(r, geometry, geometry_fields, &out->geometry);
    fill(r, geometry, geometry_rule_fields, &out->rules);
    fill(r, member(r, root, "electric"), electric_fields, &out->rules);

    const config_setting_t *nodes = member(r, root, "nodes");
    int n = nodes && config_setting_is_aggregate(nodes) ? config_setting_length(nodes) : 0;
    if (nodes && (n < 1 || n > ARRAY_MAX_NODES))
        complain(r, nodes, "nodes", "expected a list of 1 to 8 nodes");
    for (int i = 0; i < n && r->ok; i++) {
        const config_setting_t *s = config_setting_get_elem(nodes, (unsigned)i);
        read_node(r, s, &out->nodes[i]);
        if (r->ok && i > 0 && out->nodes[i].nm >= out->nodes[i - 1].nm)
            complain(r, s, "nm", "nodes must be listed from the largest to the smallest");
    }
    out->n_nodes = (size_t)n;
}

bool array_tables_read(const char *file, struct arena *mem, struct array_tables *out,
                       struct err *err)
{
    char *text;
    size_t size;
    if (!file_read(file, 1 << 20, mem, &text, &size, err))
        return false;

    config_t config;
    config_init(&config);
    struct array_tables tables = {.file = arena_strdup(mem, file)};
    struct reader r = {tables.file, err, true};
    if (config_read_string(&config, text) == CONFIG_FALSE)
        r.ok = err_add(err, ERR_INPUT, AT_LINE(file, config_error_line(&config)), "%s",
                       config_error_text(&config));
    else
        read_tree(&r, config_root_setting(&config), mem, &tables);
    config_destroy(&config);
    if (r.ok)
        *out = tables;
    return r.ok;
}

bool array_tables_covers(const struct array_tables *tables, double nm)
{
    return nm >= tables->nodes[tables->n_nodes - 1].nm && nm <= tables->nodes[0].nm;
}

/* ---- one technology ---- */

static double mix(double a, double b, double share)
{
    return (1 - share) * a + share * b;
}

/* Resistances are formed per node, then mixed. */
static struct array_device device_at(const struct array_node *node, enum array_flavour flavour,
                                     int temp)
{
    struct array_device d = node->device[flavour];
    d.i_off = node->i_off[flavour][temp];
    d.i_gate = node->i_gate[flavour][temp];
    d.r_n = d.r_factor * d.vdd / d.i_on;
    d.r_p = d.n2p * d.r_n;
    return d;
}

static struct array_device device_make(const struct array_node *hi, const struct array_node *lo,
                                       double share, enum array_flavour flavour, int temp,
                                       double overlap)
{
    struct array_device a = device_at(hi, flavour, temp), d = a;
    if (hi != lo) {
        struct array_device b = device_at(lo, flavour, temp);
        const double *x = (const double *)&a, *y = (const double *)&b;
        double *z = (double *)&d;
        for (size_t i = 0; i < sizeof d / sizeof(double); i++)
            z[i] = mix(x[i], y[i], share);
    }
    d.c_overlap = overlap * d.c_gate;
    d.c_input = d.c_gate + d.c_overlap + 3 * d.c_fringe;
    return d;
}

/* Resistance and capacitance of a wire in the middle of a layer, between two others (Ho 2003). */
static struct array_wire wire_at(const struct array_node *node, enum array_projection p,
                                 enum array_layer layer, double pitch, const struct array_rules *k)
{
    bool global = layer == ARRAY_GLOBAL;
    const struct array_wire_rule *w = global ? &node->global[p] : &node->semi[p];
    double width = pitch / 2, space = width, thick = w->aspect * width;
    double dishing = global ? node->dishing[p] * thick : 0;

    return (struct array_wire){
        .pitch = pitch,
        .r =
            node->scatter[p] * w->rho / ((thick - w->barrier - dishing) * (width - 2 * w->barrier)),
        .c = 2 * k->eps0 * k->k_vertical * width / w->ild +
             2 * k->eps0 * k->miller * w->k * thick / space + k->fringe_wire,
        .aspect = w->aspect,
        .ild = w->ild,
        .k = w->k,
    };
}

static struct array_wire wire_make(const struct array_node *hi, const struct array_node *lo,
                                   double share, const struct array_tech_choice *c,
                                   enum array_layer layer, const struct array_tech *t)
{
    double pitch = layer == ARRAY_LOCAL  ? t->g.pitch_local
                   : layer == ARRAY_SEMI ? t->g.pitch_semi
                                         : t->g.pitch_global;
    struct array_wire a = wire_at(hi, c->projection, layer, pitch, &t->rules), w = a;
    if (hi != lo) {
        struct array_wire b = wire_at(lo, c->projection, layer, pitch, &t->rules);
        w.pitch = mix(a.pitch, b.pitch, share);
        w.r = mix(a.r, b.r, share);
        w.c = mix(a.c, b.c, share);
        w.aspect = mix(a.aspect, b.aspect, share);
        w.ild = mix(a.ild, b.ild, share);
        w.k = mix(a.k, b.k, share);
    }
    return w;
}

/* From area and aspect ratio, mixed between nodes like everything else although they are the same
 * at all: with some port counts a transistor is exactly as wide as its pitch, and the last bit
 * decides whether it is folded. */
static void cell_size(double share, double f, double area, double aspect, double *w, double *h)
{
    double a = area * f * f;
    if (share > 0) {
        a = mix(a, a, share);
        aspect = mix(aspect, aspect, share);
    }
    *w = sqrt(a / aspect);
    *h = aspect * *w;
}

void array_tech_make(const struct array_tables *tables, const struct array_tech_choice *c,
                     struct array_tech *out)
{
    struct array_tech t = {.f = c->nm / 1000, .rules = tables->rules};

    /* a node within 1 nm of a tabulated one is that one */
    const struct array_node *hi = &tables->nodes[0], *lo = hi;
    for (size_t i = 0; i < tables->n_nodes; i++) {
        const struct array_node *n = &tables->nodes[i];
        if (fabs(c->nm - n->nm) < 1) {
            hi = lo = n;
            break;
        }
        if (n->nm > c->nm)
            hi = n;
        lo = n;
        if (n->nm < c->nm)
            break;
    }
    double share = hi == lo ? 0 : (hi->nm - c->nm) / (hi->nm - lo->nm);
    int temp = (c->temp_k - 300) / 10;

    t.peri = device_make(hi, lo, share, c->peri, temp, t.rules.overlap);
    t.cell = device_make(hi, lo, share, c->cell, temp, t.rules.overlap);
    t.v_pre = lo->device[c->cell].vdd; /* the smaller node's, not mixed */
    t.v_swing = fmax(t.rules.swing_share * t.cell.vdd, t.rules.swing_min);

    t.g = tables->geometry;
    for (size_t i = 0; i < sizeof t.g / sizeof(double); i++)
        ((double *)&t.g)[i] *= t.f;
    t.g.mux_n = t.rules.mux_factor * t.g.w_min;
    cell_size(share, t.f, t.rules.cell_area, t.rules.cell_aspect, &t.g.cell_w, &t.g.cell_h);
    cell_size(share, t.f, t.rules.cam_area, t.rules.cam_aspect, &t.g.cam_w, &t.g.cam_h);
    t.w_eq = t.peri.n2p * t.g.w_min;
    t.w_pre = t.rules.precharge_factor * t.w_eq;

    t.local = wire_make(hi, lo, share, c, ARRAY_LOCAL, &t);
    t.in = wire_make(hi, lo, share, c, c->in, &t);
    t.out = wire_make(hi, lo, share, c, c->out, &t);
    t.g.pitch_local = t.local.pitch;
    array_repeated_make(&t, c->signal, &t.wire);
    *out = t;
}
