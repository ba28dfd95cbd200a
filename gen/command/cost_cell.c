/* SPDX-License-Identifier: MIT
 *
 * `crosswatt cost-cell`: standard cells and wires of the logic model in batch. */
#include <math.h>
#include <string.h>

#include "energy/logic/range.h"
#include "energy/logic/wire.h"
#include "gen/price/logic_row.h"

static const char *const cell_outputs[] = {
    "area_m2",
    "cap_A_f",
    "cap_B_f",
    "cap_S0_f",
    "cap_D_f",
    "cap_CK_f",
    "cap_out_f",
    "cap_internal_sum_f",
    "drive_res_ohm",
    "delay_A_to_Y_s",
    "delay_B_to_Y_s",
    "delay_S0_to_Y_s",
    "delay_CK_to_Q_s",
    "delay_D_setup_s",
    "energy_01_noload_j",
    "leak_mean_w",
    "leak_min_w",
    "leak_max_w",
    "leak13_mean_w",
    "leak13_min_w",
    "leak13_max_w",
};

static void leak_columns(const struct cell *c, unsigned states, int variant, double *out)
{
    out[0] = c->leak_mean[variant];
    out[1] = INFINITY;
    out[2] = 0;
    for (unsigned s = 0; s < states; s++) {
        out[1] = fmin(out[1], c->leak[variant][s]);
        out[2] = fmax(out[2], c->leak[variant][s]);
    }
}

static bool cell_row(void *ctx, const struct batch_row *row, double *out, struct err *err)
{
    int kind = CELL_INV;
    double size = 1;
    const struct cell_lib *lib = logic_row_lib(ctx, row, err);
    if (!lib || !batch_name(row, "cell", cell_names, CELL_KINDS, &kind, err) ||
        !batch_real(row, "size", &size, err))
        return false;
    size_t s = 0;
    while (s < lib->n_sizes && lib->tech->sizes[s] != size)
        s++;
    if (s == lib->n_sizes)
        return logic_check_fail(size, "a size of this technology", "size", batch_at(row), err);
    const struct cell *c = &lib->cells[kind][s];
    bool dff = kind == CELL_DFFQ, mux = kind == CELL_MUX2, gate = !dff && !mux;
    double vdd = lib->tech->vdd;
    const double values[] = {
        c->area,
        dff ? NAN : c->pin_cap[PIN_A],
        dff || kind == CELL_INV ? NAN : c->pin_cap[PIN_B],
        mux ? c->pin_cap[PIN_S] : NAN,
        dff ? c->pin_cap[PIN_D] : NAN,
        dff ? c->pin_cap[PIN_CK] : NAN,
        c->out_cap,
        c->cap_y - c->out_cap + c->cap_s + c->cap_d + c->cap_m,
        c->drive_r,
        dff ? NAN : c->delay[PIN_A],
        dff || kind == CELL_INV ? NAN : c->delay[PIN_B],
        mux ? c->delay[PIN_S] : NAN,
        dff ? c->delay[PIN_CK] : NAN,
        dff ? c->delay[PIN_D] : NAN,
        gate ? vdd * vdd * c->cap_y : NAN,
    };
    size_t n = sizeof values / sizeof values[0];
    memcpy(out, values, sizeof values);
    for (int v = 0; v < LEAK_VARIANTS; v++)
        leak_columns(c, cell_states((enum cell_kind)kind), v, out + n + 3 * (size_t)v);
    return true;
}

static const char *const wire_outputs[] = {"cap_f_per_m", "res_ohm_per_m"};

static bool wire_row(void *ctx, const struct batch_row *row, double *out, struct err *err)
{
    double width = 1, spacing = 1;
    const struct cell_lib *lib = logic_row_lib(ctx, row, err);
    const char *layer = batch_text(row, "layer");
    if (!layer)
        layer = "Global";
    bool ok = lib && batch_real(row, "width_mult", &width, err);
    ok = ok && batch_real(row, "spacing_mult", &spacing, err);
    ok = ok && logic_check_layer(lib->tech, layer, "layer", batch_at(row), err);
    ok = ok && logic_check_range(width, 1, 1000, "width_mult", batch_at(row), err);
    ok = ok && logic_check_range(spacing, 1, 1000, "spacing_mult", batch_at(row), err);
    if (!ok)
        return false;
    const struct wire_layer *l = logic_tech_layer(lib->tech, layer);
    struct wire_rc rc = wire_rc(l, l->width * width, l->spacing * spacing);
    out[0] = rc.c;
    out[1] = rc.r;
    return true;
}

static const char *const cell_inputs[] = {"tech", "cell", "size", NULL};
static const char *const wire_inputs[] = {"tech", "layer", "width_mult", "spacing_mult", NULL};

static int run(struct app *app, const struct options *o)
{
    struct logic_set *set = arena_new(&app->mem, struct logic_set);
    const char *model = option_get(o, "model");
    bool cell = !model || strcmp(model, "cell") == 0;
    if (!cell && strcmp(model, "wire") != 0) {
        err_add(&app->err, ERR_INPUT, NOWHERE, "--model: '%s' is neither cell nor wire", model);
        return EXIT_INPUT;
    }
    if (!logic_set_read(app->data_dir, set, &app->err))
        return exit_status_of(&app->err);
    struct batch batch = {.inputs = cell ? cell_inputs : wire_inputs,
                          .outputs = cell ? cell_outputs : wire_outputs,
                          .n_outputs = cell ? sizeof cell_outputs / sizeof cell_outputs[0]
                                            : sizeof wire_outputs / sizeof wire_outputs[0],
                          .engine = "native",
                          .row = cell ? cell_row : wire_row,
                          .ctx = set};
    return batch_run(app, o, &batch);
}

static const struct option_def options[] = {
    {"csv", 0, "FILE", "rows of cells or wires; see below"},
    {"model", 0, "NAME", "cell (default) or wire"},
    {NULL, 0, NULL, NULL},
};

const struct command cmd_cost_cell = {
    .name = "cost-cell",
    .args = "--csv FILE --model cell|wire",
    .meaning = "standard cells and wires of the logic model, a row each",
    .text = "Input columns of cells: tech, cell (INV, NAND2, NOR2, AND2, OR2, MUX2, DFFQ), size.\n"
            "Of wires: tech, layer, width_mult, spacing_mult.\n",
    .options = options,
    .reads_no_config = true,
    .run = run,
};
