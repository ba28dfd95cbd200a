/* SPDX-License-Identifier: MIT */
#include "energy/tool/dsent.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "energy/book/native.h"
#include "energy/engine.h"
#include "energy/tool/dsent_run.h"
#include "energy/tool/tool.h"

static const char *num(struct arena *mem, double v)
{
    const char *text = arena_printf(mem, "%.15g", v);
    return strtod(text, NULL) == v ? text : arena_printf(mem, "%.17g", v);
}

/* ---- router ---------------------------------------------------------------------------------- */

static const char *const router_needed[] = {
    "CK",
    "Energy>>Router:WriteBuffer",
    "Energy>>Router:ReadBuffer",
    "Energy>>Router:TraverseCrossbar->Multicast1",
    "Energy>>Router:ArbitrateSwitch->ArbitrateStage1",
    "Energy>>Router:ArbitrateSwitch->ArbitrateStage2",
    "Energy>>Router:DistributeClock",
    "Area>>Router:Metal1Wire",
    "Area>>Router:IntermediateWire",
    "Area>>Router:GlobalWire",
};
enum { N_ROUTER_NEEDED = sizeof router_needed / sizeof router_needed[0] };

static const char *const part_instances[ROUTER_PARTS] = {
    [ROUTER_INPUT_PORTS] = "InputPort", [ROUTER_SWALLOC] = "SwitchAllocator",
    [ROUTER_XBAR] = "Crossbar",         [ROUTER_XBAR_SEL] = "Crossbar_Sel_DFF",
    [ROUTER_CLOCK_TREE] = "ClockTree",  [ROUTER_PIPE0] = "PipelineReg0",
    [ROUTER_PIPE1] = "PipelineReg1",    [ROUTER_PIPE2] = "PipelineReg2_",
};

/* Names of all instances of all parts; the output register is one instance per output. */
struct part_names {
    const char **area, **leak; /* [instance] */
    int *part;                 /* [instance] */
    size_t n;
};

static struct part_names name_parts(double n_out, struct arena *mem)
{
    size_t outputs = (size_t)n_out, i = 0;
    struct part_names p = {.n = ROUTER_PARTS - 1 + outputs};
    p.area = arena_many(mem, const char *, p.n);
    p.leak = arena_many(mem, const char *, p.n);
    p.part = arena_many(mem, int, p.n);
    for (int part = 0; part < ROUTER_PARTS; part++) {
        size_t copies = part == ROUTER_PIPE2 ? outputs : 1;
        for (size_t k = 0; k < copies; k++, i++) {
            const char *index = part == ROUTER_PIPE2 ? num(mem, (double)k) : "";
            p.area[i] =
                arena_printf(mem, "Area>>Router:Active->%s%s:Active", part_instances[part], index);
            p.leak[i] = arena_printf(mem, "NddPower>>Router:Leakage->%s%s:Leakage",
                                     part_instances[part], index);
            p.part[i] = part;
        }
    }
    return p;
}

static bool router_config(const struct dsent_tool *tool, const struct dsent_place *place,
                          const char *tech, const struct router_point *p, struct arena *mem,
                          const char **config, struct err *err)
{
    static const char *const names[] = {
        "tech",       "tech_file",   "n_in",      "n_out",          "flit_bits",
        "vcs",        "bufs_per_vc", "freq_hz",   "timing_mode",    "optimise",
        "start_nets", "clk_levels",  "clk_layer", "clk_width_mult", "clk_spacing_mult"};
    const char *const values[] = {tech,
                                  place->tech_file,
                                  num(mem, p->n_in),
                                  num(mem, p->n_out),
                                  num(mem, p->flit_bits),
                                  num(mem, p->vcs),
                                  num(mem, p->bufs_per_vc),
                                  num(mem, p->freq),
                                  timing_mode_names[p->mode],
                                  p->mode == TIMING_NONE ? "false" : "true",
                                  p->mode == TIMING_ALL ? "[*]" : "[CK]",
                                  num(mem, p->clk_levels),
                                  p->clk_layer,
                                  num(mem, p->clk_width_mult),
                                  num(mem, p->clk_spacing_mult)};
    const struct tool_words words = {names, values, sizeof names / sizeof names[0]};
    return tool_fill(tool->data_dir ? tool->data_dir : ".", "dsent-router.cfg", &words, mem, config,
                     err);
}

/* dsent_run has seen that every value is there. */
static bool read_router(const struct dsent_output *o, const struct router_point *p,
                        const struct part_names *parts, enum leak_variant variant,
                        struct router_result *r, struct err *err)
{
    for (size_t i = 0; i < parts->n; i++) {
        double area = 0, leak = 0;
        dsent_value(o->text, parts->area[i], &area);
        dsent_value(o->text, parts->leak[i], &leak);
        r->area[parts->part[i]] += area;
        r->leak[variant][parts->part[i]] += leak;
        r->area_total += area;
        r->leak_total[variant] += leak;
    }
    for (int i = 0; i < ROUTER_PARTS; i++)
        r->leak[!variant][i] = NAN;
    r->leak_total[!variant] = NAN;
    double *const fields[N_ROUTER_NEEDED] = {&r->t_ck,       &r->e_write,     &r->e_read,
                                             &r->e_xbar,     &r->e_arb1,      &r->e_arb2,
                                             &r->e_clock,    &r->wire_metal1, &r->wire_intermediate,
                                             &r->wire_global};
    for (int i = 0; i < N_ROUTER_NEEDED; i++)
        dsent_value(o->text, router_needed[i], fields[i]);
    r->timed = p->mode != TIMING_NONE;
    r->met = r->timed && !strstr(o->warnings, "Timing not met");
    r->clock_transition_met = !strstr(o->warnings, "Transition not met");
    r->required = 1 / p->freq;
    if (r->timed && !r->met) {
        const char *mark = "Timing not met";
        if (!dsent_warning(o->warnings, mark, "Required delay = ", &r->required) ||
            !dsent_warning(o->warnings, mark, "Minimum Delay = ", &r->min_delay) ||
            !dsent_warning(o->warnings, mark, "Slack = ", &r->slack))
            return err_add(err, ERR_MACHINE, NOWHERE,
                           "dsent's warning about timing is not understood");
    }
    return true;
}

bool dsent_router(const struct dsent_tool *tool, const char *tech, const struct router_point *p,
                  struct router_result *out, enum leak_variant *variant, struct err *err)
{
    struct arena mem;
    arena_init(&mem, NULL, NULL);
    struct part_names parts = name_parts(p->n_out, &mem);
    size_t n = N_ROUTER_NEEDED + 2 * parts.n;
    const char **needed = arena_many(&mem, const char *, n);
    memcpy(needed, router_needed, sizeof router_needed);
    memcpy(needed + N_ROUTER_NEEDED, parts.area, parts.n * sizeof *needed);
    memcpy(needed + N_ROUTER_NEEDED + parts.n, parts.leak, parts.n * sizeof *needed);
    struct dsent_place place;
    struct dsent_output o;
    const char *config;
    struct router_result r;
    memset(&r, 0, sizeof r);
    bool ok = dsent_find(tool, tech, &mem, &place, err) &&
              router_config(tool, &place, tech, p, &mem, &config, err) &&
              dsent_run(tool, &place, &(struct dsent_input){config, needed, n}, &mem, &o, err) &&
              read_router(&o, p, &parts, place.variant, &r, err);
    if (ok) {
        *out = r;
        *variant = place.variant;
    }
    arena_free(&mem);
    return ok;
}

/* ---- link ------------------------------------------------------------------------------------ */

bool dsent_link(const struct dsent_tool *tool, const char *tech, const struct link_point *p,
                struct link_result *out, enum leak_variant *variant, struct err *err)
{
    struct arena mem;
    arena_init(&mem, NULL, NULL);
    static const char *const names[] = {"tech",       "tech_file",    "bits",
                                        "length_m",   "delay_s",      "layer",
                                        "width_mult", "spacing_mult", "keep_parity"};
    const char *wire = arena_printf(&mem, "Area>>RepeatedLink:%sWire", p->layer);
    const char *const needed[] = {"InTmp", "Energy>>RepeatedLink:Send",
                                  "NddPower>>RepeatedLink:Leakage", "Area>>RepeatedLink:Active",
                                  wire};
    struct dsent_place place;
    struct dsent_output o;
    struct link_result r;
    memset(&r, 0, sizeof r);
    bool ok = dsent_find(tool, tech, &mem, &place, err);
    if (ok) {
        const char *const values[] = {tech,
                                      place.tech_file,
                                      num(&mem, p->bits),
                                      num(&mem, p->length),
                                      num(&mem, p->delay),
                                      p->layer,
                                      num(&mem, p->width_mult),
                                      num(&mem, p->spacing_mult),
                                      p->keep_parity ? "TRUE" : "FALSE"};
        const struct tool_words words = {names, values, sizeof names / sizeof names[0]};
        struct dsent_input in = {.needed = needed, .n = sizeof needed / sizeof needed[0]};
        ok = tool_fill(tool->data_dir ? tool->data_dir : ".", "dsent-link.cfg", &words, &mem,
                       &in.config, err) &&
             dsent_run(tool, &place, &in, &mem, &o, err);
    }
    if (ok) {
        double *const fields[] = {&r.delay, &r.energy, &r.leak[place.variant], &r.area,
                                  &r.wire_area};
        for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
            dsent_value(o.text, needed[i], fields[i]);
        r.leak[!place.variant] = NAN;
        r.met = !strstr(o.warnings, "Timing not met");
        r.best_delay = r.pin_cap = r.drive_r = r.segments = NAN;
        if (!r.met)
            dsent_warning(o.warnings, "Timing not met", "Number of repeaters = ", &r.segments);
        *out = r;
        *variant = place.variant;
    }
    arena_free(&mem);
    return ok;
}
