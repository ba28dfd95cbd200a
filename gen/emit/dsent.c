/* SPDX-License-Identifier: MIT
 *
 * dsent/: one DSENT input per distinct router and link, from the templates that the driver of the
 * real tool uses (energy/tool/dsent.c). The technology files are the tool's own: run it in its
 * root. */
#include <math.h>

#include "base/map.h"
#include "energy/logic/link_model.h"
#include "energy/logic/router_model.h"
#include "gen/config/read_tech.h"
#include "gen/emit/emit.h"
#include "gen/template.h"

struct writer {
    struct emit *e;
    const char *tech; /* "Bulk22LVT" */
    struct map done;  /* names written; request and reply routers may be equal */
    struct err *err;
};

/* The tool has four technologies; the nearest one to the design's node. */
static bool find_tech(struct writer *w)
{
    const struct tech_params *t = &w->e->design->arch->tech;
    struct logic_techs *techs = arena_new(w->e->mem, struct logic_techs);
    if (!logic_techs_read(w->e->data_dir, LOGIC_dsent, techs, w->err))
        return false;
    const struct logic_tech *best = &techs->at[0];
    for (size_t i = 1; i < techs->n; i++) {
        if (fabs(log(techs->at[i].node_nm / t->node_nm)) < fabs(log(best->node_nm / t->node_nm)))
            best = &techs->at[i];
    }
    if (best->node_nm != t->node_nm)
        err_warn(w->err, (struct where){w->e->design->arch->file, 0, "tech.node"},
                 "DSENT has no technology of %g nm: its inputs name %s", t->node_nm, best->name);
    w->tech = arena_strdup(w->e->mem, best->name);
    return true;
}

static bool write_once(struct writer *w, const char *name, const char *template_name,
                       const struct scope *s)
{
    return !map_add(&w->done, name, 0) || emit_template(w->e, name, template_name, s, w->err);
}

static void set_tech(struct writer *w, struct scope *s)
{
    scope_text(s, "tech", w->tech);
    scope_format(s, "tech_file", "tech/tech_models/%s.model", w->tech);
}

static bool write_router(struct writer *w, const struct router_spec *spec)
{
    struct router_point p = router_point_default();
    enum timing_mode mode = w->e->design->arch->tech.timing_mode;
    if (mode == TIMING_STAGE) /* which the tool does not have */
        mode = TIMING_ALL;
    struct scope *s = scope_new(w->e->mem);
    set_tech(w, s);
    scope_int(s, "n_in", spec->inputs);
    scope_int(s, "n_out", spec->outputs);
    scope_int(s, "flit_bits", spec->flit_bits);
    scope_int(s, "vcs", spec->vcs);
    scope_int(s, "bufs_per_vc", spec->vc_depth);
    scope_real(s, "freq_hz", spec->clock_ghz * 1e9);
    scope_text(s, "timing_mode", timing_mode_names[mode]);
    scope_text(s, "optimise", "true");
    scope_text(s, "start_nets", mode == TIMING_CK ? "[CK]" : "[*]");
    scope_real(s, "clk_levels", p.clk_levels);
    scope_text(s, "clk_layer", p.clk_layer);
    scope_real(s, "clk_width_mult", p.clk_width_mult);
    scope_real(s, "clk_spacing_mult", p.clk_spacing_mult);
    const char *name =
        arena_printf(w->e->mem, "dsent/router-%ux%u-%ubit-%uvc%u-%gGHz.cfg", spec->inputs,
                     spec->outputs, spec->flit_bits, spec->vcs, spec->vc_depth, spec->clock_ghz);
    return write_once(w, name, "dsent-router.cfg", s);
}

static bool write_link(struct writer *w, const struct link_spec *spec)
{
    struct link_point p = link_point_default();
    struct scope *s = scope_new(w->e->mem);
    set_tech(w, s);
    scope_int(s, "bits", spec->width_bits);
    scope_real(s, "length_m", round(spec->length_mm * 1e6) / 1e9);
    scope_real(s, "delay_s", round(spec->delay_ns * 1e6) / 1e15);
    scope_text(s, "layer", p.layer);
    scope_real(s, "width_mult", p.width_mult);
    scope_real(s, "spacing_mult", p.spacing_mult);
    scope_text(s, "keep_parity", p.keep_parity ? "TRUE" : "FALSE");
    return write_once(
        w,
        arena_printf(w->e->mem, "dsent/link-%.2fmm-%ubit.cfg", spec->length_mm, spec->width_bits),
        "dsent-link.cfg", s);
}

static bool write(struct emit *e, struct err *err)
{
    struct writer w = {.e = e, .err = err};
    map_init(&w.done, e->mem);
    if (!find_tech(&w))
        return false;
    bool ok = true;
    for (uint32_t i = 0; i < e->design->n_classes; i++) {
        const struct book_class *c = &e->design->classes[i];
        if (c->kind == CK_ROUTER)
            ok &= write_router(&w, &c->router);
        else if (c->kind == CK_CHANNEL && c->link.length_mm > 0)
            ok &= write_link(&w, &c->link);
    }
    return ok;
}

const struct emitter emit_dsent = {
    .name = "dsent",
    .meaning = "dsent/: one DSENT input per distinct router and link",
    .write = write,
};
