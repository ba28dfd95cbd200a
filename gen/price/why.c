/* SPDX-License-Identifier: MIT */
#include "gen/price/why.h"

#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/near.h"
#include "base/vec.h"
#include "gen/config/keys.h"
#include "gen/price/price.h"

static void add_key(const struct key *key, const struct arch *arch, int net, struct buf *out)
{
    int first = key->per_network && net == NOC_REPLY ? 1 : 0;
    int last = key->per_network && net == KEY_ALL_NETS ? 1 : first;
    for (int k = first; k <= last; k++) {
        if (key->per_network)
            buf_printf(out, "%s network: ", k ? "reply" : "request");
        buf_printf(out, "%s = ", key->path);
        key_add_value(key, arch, k, out);
        buf_printf(out, "%s%s (", key->unit[0] ? " " : "", key->unit);
        key_add_origin(key_origin(key, arch, k), out);
        buf_printf(out, "): %s\n", key->meaning);
    }
}

static void add_number(struct buf *out, const char *name, double value, const char *unit)
{
    if (isfinite(value) && value != 0)
        buf_printf(out, "  %-22s %.6g %s\n", name, value, unit);
}

static void add_price(const struct book_class *cls, const struct cost *c, struct buf *out)
{
    buf_printf(out, "%s: %u instances, accounted under %s\n", cls->name, cls->instances,
               cls->group);
    buf_printf(out, "  priced by %s, model %s, %s\n", c->engine, c->model[0] ? c->model : "-",
               c->technology);
    if (c->note[0])
        buf_printf(out, "  %s\n", c->note);
    add_number(out, "active area", cost_area_um2(c), "um2");
    add_number(out, "global wire area", c->wire_area_um2, "um2");
    add_number(out, "leakage", 1e3 * cost_leakage_w(c), "mW");
    add_number(out, "largest clock", c->fmax_ghz, "GHz");
    add_number(out, "access time", c->access_ns, "ns");
    add_number(out, "delay", c->delay_ns, "ns");
    for (int e = 0; e < EV_COUNT; e++) {
        if (!isnan(c->energy_pj[e]))
            buf_printf(out, "  %-22s %.6g pJ\n", event_text((enum sim_event)e), c->energy_pj[e]);
    }
}

/* "request router 3", "l1 7": the class of that component, or -1. */
static int64_t class_of_component(const struct priced *p, const char *what, struct arena *mem)
{
    for (uint32_t i = 0; i < p->design->n_components; i++) {
        struct arena_mark mark = arena_mark(mem);
        bool is_it = strcmp(design_component_name(p->design, i, mem), what) == 0;
        arena_rewind(mem, mark);
        if (is_it)
            return p->class_of[i];
    }
    return -1;
}

bool why(const struct priced *p, const char *what, struct buf *out, struct err *err)
{
    struct arena *mem = out->mem;
    bool found = false;
    int net;
    VEC(const char *) names = {0};
    const struct key *key = key_find(what, &net);
    int64_t part = class_of_component(p, what, mem);
    if (key) {
        add_key(key, p->design->arch, net, out);
        found = true;
    }
    for (uint32_t i = 0; i < p->n_derived; i++) {
        const struct derived *d = &p->derived[i];
        vec_push(mem, &names, d->name);
        if (strcmp(d->name, what) == 0) {
            buf_printf(out, "in force: %s = %g %s: %s\n", d->name, d->value, d->unit, d->why);
            found = true;
        }
    }
    for (uint32_t k = 0; k < p->book.n_classes; k++) {
        vec_push(mem, &names, p->classes[k].name);
        if (strcmp(p->classes[k].name, what) == 0 || part == (int64_t)k) {
            add_price(&p->classes[k], &p->book.costs[k], out);
            found = true;
        }
    }
    if (found)
        return true;
    for (size_t k = 0; k < n_keys; k++)
        vec_push(mem, &names, keys[k].path);
    const char *near = near_hint(what, names.at, names.n, mem);
    return err_add(err, ERR_INPUT, NOWHERE,
                   "--why: '%s' is not a key, derived number, component or class of components%s",
                   what, near);
}
