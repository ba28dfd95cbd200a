/* SPDX-License-Identifier: MIT
 *
 * energy/engine.h: what produces costs. An engine prices a router, a channel (link) or an array;
 * each number says which engine and which technology made it. To add one: one file, one line in
 * energy/book/engines.c. Energies are per event (sim/events.h), so that the simulator never sees a
 * joule and an engine never sees a cycle. */
#ifndef CW_ENERGY_ENGINE_H
#define CW_ENERGY_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "energy/tech.h"
#include "sim/events.h"

struct arena;
struct array;
struct array_tables;
struct logic_techs;
struct tech_scaling;

enum cost_part { /* where area and leakage of a router or link lie */
                 PART_BUFFER,
                 PART_CROSSBAR,
                 PART_ALLOCATOR, /* switch allocator */
                 PART_CLOCK,
                 PART_REPEATER, /* of links */
                 PART_ARRAY,
                 PART_OTHER, /* what a paper adds to a router: routing unit, merge table, grant
                                holder */
                 PART_COUNT
};
const char *cost_part_name(enum cost_part p);

/* The price of one class of equal components. Absent numbers are NAN: they are "not applicable",
 * never zero. */
struct cost {
    const char *engine;          /* "native", "dsent", "cacti", "gpuwattch", "user" */
    const char *technology;      /* "22 nm bulk LVT (DSENT 0.91)" */
    const char *model;           /* "router", "repeated link", "cacti65", "small", … */
    const char *note;            /* why this model, organisation, warnings; "" for none */
    double area_um2[PART_COUNT]; /* active silicon */
    double wire_area_um2;        /* global wires, never added to active area */
    double leakage_w[PART_COUNT];
    double energy_pj[EV_COUNT]; /* per event of its kind; NAN: cannot happen here */
    double fmax_ghz;            /* largest clock at which it works */
    double access_ns, cycle_ns; /* arrays */
    double delay_ns;            /* links: end to end; routers: critical path */
    const char *limit;          /* routers: the stage that sets fmax_ghz; "" where none is known */
    uint32_t traversal_cycles;  /* routers: of the switch; */
    uint32_t alloc_cycles;      /* … of an allocation */
    double vc_alloc_pj;         /* routers: of EV_VC_ALLOC, what the VC allocator itself takes */
    bool meets_timing;          /* at the clock asked for */
};
void cost_clear(struct cost *c); /* zero areas and leakage, NAN elsewhere */
double cost_area_um2(const struct cost *c);
/* Of a router: what the papers' additions spend on a head flit that uses all of them. */
double cost_additions_pj(const struct cost *c);
double cost_leakage_w(const struct cost *c);

struct router_spec {
    uint32_t inputs, outputs;
    uint32_t flit_bits, vcs, vc_depth;  /* depth: flits per VC */
    double clock_ghz;                   /* the clock it is sized for */
    uint32_t traversal_stages;          /* cycles of the switch; 0: as many as the clock needs */
    bool two_cycle_alloc;               /* an allocation slower than the clock takes two cycles */
    uint32_t rr_unit_ports;             /* CD-Xbar routing unit over this many ports; 0: none */
    uint32_t merge_entries, merge_bits; /* packet-coalescing table; 0: none */
    bool grant_holder;
    /* a node of a network without buffers (energy/logic/tap_model.h): vcs and what follows do not
     * count */
    bool is_tap;
    uint32_t gate_flits;                /* of its endpoint, that wait there */
    uint32_t token_bits, token_numbers; /* 0: no token comes by */
    double hop_mm;                      /* longest channel that it drives in one cycle */
    /* Not of the router: what the same engine answered for another clock_ghz, 0 where it was not
     * asked. Modes whose fmax does not depend on that clock need not look for it again. */
    double known_fmax_ghz;
};

struct link_spec {
    uint32_t width_bits;
    double length_mm;
    double delay_ns;     /* the budget its repeaters are chosen for */
    uint32_t stages;     /* least number of stages, with registers between them; 0: 1 */
    uint32_t tap_inputs; /* it ends at a tap of so many inputs, in the same cycle; 0: it does not */
};

struct engine_ctx {
    const struct tech_params *tech;
    const struct logic_techs *logic_techs;   /* published technologies of routers and links */
    const struct array_tables *array_tables; /* of arrays */
    const struct tech_scaling *scaling; /* of what no model lays out; NULL: nothing is scaled */
    const char *program;                /* path of the real tool, or NULL: look in PATH */
    const char *cache_dir;              /* results of the real tools by content; NULL: none */
    double timeout_s;
    struct arena *mem; /* texts in the costs live here */
};

/* Contract of all three: pure but for the real tools' files; on false at least one error is in
 * `err` and `out` is untouched. */
struct engine {
    const char *name, *meaning;
    bool (*cost_router)(const struct engine_ctx *ctx, const struct router_spec *spec,
                        struct cost *out, struct err *err);
    bool (*cost_link)(const struct engine_ctx *ctx, const struct link_spec *spec, struct cost *out,
                      struct err *err);
    bool (*cost_array)(const struct engine_ctx *ctx, const struct array *array, double clock_ghz,
                       struct cost *out, struct err *err);
};
bool engine_cannot_cost_router(const struct engine_ctx *ctx, const struct router_spec *spec,
                               struct cost *out, struct err *err);
bool engine_cannot_cost_link(const struct engine_ctx *ctx, const struct link_spec *spec,
                             struct cost *out, struct err *err);
bool engine_cannot_cost_array(const struct engine_ctx *ctx, const struct array *array,
                              double clock_ghz, struct cost *out, struct err *err);

/* What energy.noc_engine and energy.array_engine choose among: engine_NAME; the first is the
 * default. */
#define NETWORK_ENGINES(X) X(native) X(dsent)
#define ARRAY_ENGINES(X) X(native) X(cacti)

#define X(name) NETWORK_BY_##name,
enum network_engine { NETWORK_ENGINES(X) };
#undef X
#define X(name) ARRAYS_BY_##name,
enum array_engine { ARRAY_ENGINES(X) };
#undef X

extern const struct engine engine_native, engine_dsent, engine_cacti;
extern const struct engine *const network_engines[]; /* [enum network_engine] */
extern const struct engine *const array_engines[];   /* [enum array_engine] */

/* ---- the book: the price of everything in a design ------------------------------------------- */

/* One class of equal components, as the book needs it; gen/ makes the list from the design. */
struct book_class {
    enum component_kind kind;
    const char *name;  /* "request router 10x3", "l1", "SM core" */
    const char *group; /* where it is accounted: "noc.request", "noc.reply", "l1", "core", … */
    uint32_t instances;
    union {
        struct router_spec router;
        struct link_spec link;
        const struct array *array;
    };
};

struct book {
    const struct book_class *classes;
    struct cost *costs; /* [class] */
    uint32_t n_classes;
};

#endif
