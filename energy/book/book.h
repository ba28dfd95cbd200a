/* SPDX-License-Identifier: MIT
 *
 * energy/book/book.h: fills the book: the price of every class of equal components of a design,
 * each class priced once. Routers and channels come from the network engine, arrays from the array
 * engine, SM cores, memory controllers and DRAM from GPUWattch coefficients; what the user declares
 * has the user's numbers. Nobody prices a part twice. */
#ifndef CW_ENERGY_BOOK_BOOK_H
#define CW_ENERGY_BOOK_BOOK_H

#include "energy/book/dram_cost.h"
#include "energy/engine.h"
#include "energy/gpuwattch/gpuwattch.h"

struct price_cache;

/* A row of energy.user: a component of the user's own, priced by the user. It is counted by a
 * statistic of the run; several rows of one name are one component. */
struct user_component {
    const char *name;
    const char *statistic;       /* as `crosswatt stats` lists it; "": only leakage and area */
    double energy_pj;            /* for each count */
    double leakage_mw, area_mm2; /* of one instance */
    uint32_t instances;          /* 0: one */
    struct where at;
};

struct book_request {
    const struct book_class *classes;
    uint32_t n_classes;
    const struct engine *network, *arrays;     /* engines */
    const struct engine *fallback;             /* for arrays the engine refuses; NULL: an error */
    struct engine_ctx network_ctx, arrays_ctx; /* their `mem` is not used */
    const struct gpuwattch *gpuwattch; /* NULL: no SM core, MC or DRAM may be among the classes */
    const struct gw_base *gw_base;
    bool leaks_once;                  /* what arrays leak is not part of an idle SM's power */
    bool has_coalescer;               /* its tables are priced with the core */
    const struct dram_energies *dram; /* NULL: GPUWattch's coefficients */
    struct dram_shape dram_shape;
    double core_ghz;
    unsigned n_threads;        /* 0: all cores */
    struct price_cache *cache; /* energy/book/price_cache.h; NULL: none */
};

/* Would they be priced alike? */
bool book_same_spec(const struct book_class *a, const struct book_class *b);

/* Prices all classes, equal specifications once. */
bool book_make(const struct book_request *request, struct arena *mem, struct book *out,
               struct err *err);

/* Of all numbers in it: what a real tool answered is known by nothing else. */
uint64_t book_hash(const struct book *book, uint64_t seed);

/* What GPUWattch says about the parts that no other engine knows. */
void gw_cost_core(const struct gpuwattch *g, const struct gw_base *b, double core_ghz,
                  bool leaks_once, bool has_coalescer, struct cost *out);
void gw_cost_controller(const struct gpuwattch *g, const struct gw_base *b, struct cost *out);
void gw_cost_dram(const struct gpuwattch *g, const struct gw_base *b, struct cost *out);

#endif
