/* SPDX-License-Identifier: MIT
 *
 * The technology files of the array model, cfg/tech/cacti-*.cfg. */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "gen/config/read_tech.h"
#include "gen/config/setting.h"

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
    if (!setting_is_number(s)) {
        complain(r, s, name, "expected a number");
        return 0;
    }
    double v = setting_number(s);
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
    if (!setting_has_source(root))
        complain(r, root, "source", "values have no source and range: needs source and spread");
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
    config_t config;
    struct array_tables tables = {.file = arena_strdup(mem, file)};
    struct reader r = {tables.file, err, true};
    if (setting_read(file, mem, &config, err))
        read_tree(&r, config_root_setting(&config), mem, &tables);
    else
        r.ok = false;
    config_destroy(&config);
    if (r.ok)
        *out = tables;
    return r.ok;
}

enum logic_family tech_tables_family(const struct tech_tables *tables,
                                     const struct tech_params *tech)
{
    const struct logic_techs *dsent = &tables->logic[LOGIC_dsent];
    bool is_finfet =
        tech->logic == LOGIC_CHOICE_finfet ||
        (tech->logic == LOGIC_CHOICE_node && tech->node_nm < dsent->at[dsent->n - 1].node_nm);
    return is_finfet ? LOGIC_finfet : LOGIC_dsent;
}

const struct logic_techs *tech_tables_logic(const struct tech_tables *tables,
                                            const struct tech_params *tech)
{
    return &tables->logic[tech_tables_family(tables, tech)];
}

const char *const tech_family_names[LOGIC_FAMILY_COUNT] = {"DSENT", "FinFET"};

bool tech_tables_has(const struct tech_tables *tables, enum logic_family family, double node_nm)
{
    return logic_techs_cover(&tables->logic[family], node_nm);
}

const char *tech_tables_family_said(const struct tech_tables *tables,
                                    const struct tech_params *tech)
{
    static const char *const said[LOGIC_FAMILY_COUNT] = {" DSENT", " FinFET"};
    return tech_tables_has(tables, LOGIC_finfet, tech->node_nm)
               ? said[tech_tables_family(tables, tech)]
               : "";
}

const struct tech_tables *tech_tables_read(const char *data_dir, struct arena *mem, struct err *err)
{
    struct tech_tables *t = arena_new(mem, struct tech_tables);
    const char *arrays = path_join(mem, data_dir, "cfg/tech/cacti-itrs.cfg");
    const char *scaling = path_join(mem, data_dir, "cfg/tech/scaling.csv");
    t->sources = file_hash(scaling, file_hash(arrays, logic_techs_hash(data_dir)));
    bool ok = true;
    for (int f = 0; f < LOGIC_FAMILY_COUNT; f++)
        ok &= logic_techs_read(data_dir, (enum logic_family)f, &t->logic[f], err);
    ok &= array_tables_read(arrays, mem, &t->arrays, err);
    ok &= scaling_read(scaling, mem, &t->scaling, err);
    return ok ? t : NULL;
}
