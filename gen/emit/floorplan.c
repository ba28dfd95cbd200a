/* SPDX-License-Identifier: MIT
 *
 * floorplan.svg: the tiles on the die and the routers between them. */
#include <stdio.h>

#include "base/buf.h"
#include "gen/emit/emit.h"
#include "gen/template.h"

#define SCALE 24.0 /* points per millimetre */
#define MARGIN 24.0

static void add_tiles(struct scope *s, const struct noc_floorplan *f)
{
    scope_list(s, "tiles");
    for (uint32_t i = 0; i < f->n_tiles; i++) {
        const struct noc_tile *t = &f->tiles[i];
        const char *kind = t->is_mc                ? "mc"
                           : t->kind == NOC_EP_SM  ? "sm"
                           : t->kind == NOC_EP_LLC ? "llc"
                                                   : "node";
        static const char *const labels[] = {"SM", "LLC", ""};
        struct scope *o = scope_item(s, "tiles");
        scope_text(o, "kind", kind);
        scope_format(o, "label", "%s %u", t->is_mc ? "MC" : labels[t->kind], t->index);
        /* the picture's y axis points down */
        double top = (double)(f->height_mm - t->y_mm - t->height_mm);
        scope_format(o, "x", "%.1f", MARGIN + SCALE * (double)t->x_mm);
        scope_format(o, "y", "%.1f", MARGIN + SCALE * top);
        scope_format(o, "w", "%.1f", SCALE * (double)t->width_mm);
        scope_format(o, "h", "%.1f", SCALE * (double)t->height_mm);
        scope_format(o, "cx", "%.1f", MARGIN + SCALE * (double)(t->x_mm + t->width_mm / 2));
        scope_format(o, "cy", "%.1f", MARGIN + SCALE * (top + (double)t->height_mm / 2));
        scope_format(o, "size", "%.1f", t->width_mm < 1 ? 6.0 : t->width_mm < 2 ? 9.0 : 11.0);
    }
}

static void add_routers(struct scope *s, const struct noc *noc, const char *net, int shift,
                        const struct noc_floorplan *f)
{
    for (uint32_t i = 0; i < noc->n_routers; i++) {
        const struct noc_router *r = &noc->routers[i];
        struct scope *o = scope_item(s, "routers");
        scope_text(o, "net", net);
        scope_format(o, "name", "%s router %u, %ux%u", net, i, r->n_in, r->n_out);
        scope_format(o, "x", "%.1f", MARGIN + SCALE * (double)r->x_mm + shift);
        scope_format(o, "y", "%.1f", MARGIN + SCALE * (double)(f->height_mm - r->y_mm) + shift);
    }
}

static bool write(struct emit *e, struct err *err)
{
    const struct design *d = e->design;
    const struct noc_floorplan *f = &d->floorplan;
    struct scope *s = scope_new(e->mem);
    scope_text(s, "file", d->arch->file);
    scope_format(s, "width", "%.0f", 2 * MARGIN + SCALE * (double)f->width_mm);
    scope_format(s, "height", "%.0f", 2 * MARGIN + SCALE * (double)f->height_mm);
    scope_format(s, "die_w", "%.1f", SCALE * (double)f->width_mm);
    scope_format(s, "die_h", "%.1f", SCALE * (double)f->height_mm);
    scope_format(s, "margin", "%.0f", MARGIN);
    scope_format(s, "width_mm", "%.2f", (double)f->width_mm);
    scope_format(s, "height_mm", "%.2f", (double)f->height_mm);
    add_tiles(s, f);
    scope_list(s, "routers");
    add_routers(s, &d->request, d->has_reply ? "request" : "shared", -4, f);
    if (d->has_reply)
        add_routers(s, &d->reply, "reply", 4, f);
    return emit_template(e, "floorplan.svg", "floorplan.svg", s, err);
}

const struct emitter emit_floorplan = {
    .name = "floorplan",
    .meaning = "floorplan.svg: tiles on the die and routers between them",
    .write = write,
};
