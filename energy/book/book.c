/* SPDX-License-Identifier: MIT */
#include "energy/book/book.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/pool.h"
#include "cache/array.h"
#include "energy/array/from_design.h"
#include "energy/book/collectors.h"
#include "energy/book/price_cache.h"
#include "energy/scaling.h"

uint64_t book_hash(const struct book *book, uint64_t seed)
{
    uint64_t h = seed;
    for (uint32_t k = 0; k < book->n_classes; k++) {
        const struct cost *c = &book->costs[k];
        const double others[] = {c->wire_area_um2,    c->fmax_ghz,    c->access_ns,
                                 c->cycle_ns,         c->delay_ns,    c->meets_timing,
                                 c->traversal_cycles, c->alloc_cycles};
        h = map_hash_bytes(c->area_um2, sizeof c->area_um2, h);
        h = map_hash_bytes(c->leakage_w, sizeof c->leakage_w, h);
        h = map_hash_bytes(c->energy_pj, sizeof c->energy_pj, h);
        h = map_hash_bytes(others, sizeof others, h);
    }
    return h;
}

/* ---- one price for equal parts --------------------------------------------------------------- */

static bool same_array(const struct array *a, const struct array *b)
{
    if (a->kind != b->kind || a->entries != b->entries || a->n_fields != b->n_fields ||
        a->ways != b->ways || a->line_bytes != b->line_bytes || a->banks != b->banks ||
        a->slices != b->slices || a->read_ports != b->read_ports ||
        a->write_ports != b->write_ports || a->rw_ports != b->rw_ports ||
        a->search_ports != b->search_ports || a->access_bits != b->access_bits ||
        a->tags_first != b->tags_first || a->collectors != b->collectors || a->groups != b->groups)
        return false;
    for (uint32_t i = 0; i < a->n_fields; i++) {
        const struct array_field *f = &a->fields[i], *g = &b->fields[i];
        if (f->bits != g->bits || f->is_searched != g->is_searched ||
            f->is_valid_bit != g->is_valid_bit || f->is_data != g->is_data)
            return false;
    }
    return true;
}

static bool same_router(const struct router_spec *a, const struct router_spec *b)
{
    return a->inputs == b->inputs && a->outputs == b->outputs && a->flit_bits == b->flit_bits &&
           a->vcs == b->vcs && a->vc_depth == b->vc_depth && a->clock_ghz == b->clock_ghz &&
           a->traversal_stages == b->traversal_stages && a->two_cycle_alloc == b->two_cycle_alloc &&
           a->rr_unit_ports == b->rr_unit_ports && a->merge_entries == b->merge_entries &&
           a->merge_bits == b->merge_bits && a->grant_holder == b->grant_holder &&
           a->is_tap == b->is_tap && a->gate_flits == b->gate_flits &&
           a->token_bits == b->token_bits && a->token_numbers == b->token_numbers &&
           a->hop_mm == b->hop_mm;
}

bool book_same_spec(const struct book_class *a, const struct book_class *b)
{
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case CK_ROUTER: return same_router(&a->router, &b->router);
    case CK_CHANNEL:
        return a->link.width_bits == b->link.width_bits && a->link.length_mm == b->link.length_mm &&
               a->link.delay_ns == b->link.delay_ns && a->link.stages == b->link.stages &&
               a->link.tap_inputs == b->link.tap_inputs;
    case CK_ARRAY: return same_array(a->array, b->array);
    case CK_SM_CORE:
    case CK_MEMORY_CONTROLLER:
    case CK_DRAM: return true;
    case CK_USER:
    case CK_COUNT: return false;
    }
    return false;
}

/* Each worker writes only its own job. */
struct job {
    const struct book_class *cls;
    struct arena mem;
    struct err err;
    struct cost cost;
    bool ok;
};

struct work {
    const struct book_request *request;
    struct job *jobs;
};

static bool price_array(const struct book_request *r, struct job *j)
{
    struct engine_ctx ctx = r->arrays_ctx;
    ctx.mem = &j->mem;
    if (!r->fallback)
        return r->arrays->cost_array(&ctx, j->cls->array, r->core_ghz, &j->cost, &j->err);
    struct err refused;
    err_init(&refused);
    bool ok = r->arrays->cost_array(&ctx, j->cls->array, r->core_ghz, &j->cost, &refused);
    if (!ok && refused.n_machine == 0) {
        const char *why = refused.first ? refused.first->text : "";
        ok = r->fallback->cost_array(&ctx, j->cls->array, r->core_ghz, &j->cost, &j->err);
        if (ok)
            j->cost.note = arena_printf(&j->mem, "%s refused it (%s)%s%s", r->arrays->name, why,
                                        j->cost.note[0] ? "; " : "", j->cost.note);
    } else {
        err_join(&j->err, &refused);
    }
    err_free(&refused);
    return ok;
}

static void multiply(struct cost *c, double energy, double leakage, double delay)
{
    for (int e = 0; e < EV_COUNT; e++)
        c->energy_pj[e] *= energy;
    for (int p = 0; p < PART_COUNT; p++)
        c->leakage_w[p] *= leakage;
    c->access_ns *= delay;
    c->cycle_ns *= delay;
    c->fmax_ghz /= delay;
}

/* Below the least node of the tables an array is that of the least, in its organisation, times what
 * cells, energy, delay and leakage have become since. */
static bool scale_to_node(const struct engine_ctx *ctx, struct job *j)
{
    const struct tech_scaling *s = ctx->scaling;
    double nm = ctx->tech->array_node_nm, least = ARRAY_LEAST_NM;
    if (!(nm < least))
        return true;
    if (!scaling_check(s, nm, "tech.array_node", &j->err))
        return false;
    multiply(&j->cost, scaling_ratio(s, SCALE_energy, least, nm),
             scaling_ratio(s, SCALE_leakage, least, nm), scaling_ratio(s, SCALE_delay, least, nm));
    for (int p = 0; p < PART_COUNT; p++)
        j->cost.area_um2[p] *= scaling_ratio(s, SCALE_sram_um2, least, nm);
    j->cost.technology = arena_printf(&j->mem, "%s, scaled to %g nm", j->cost.technology, nm);
    j->cost.note = arena_printf(
        &j->mem, "%s; energy x/: %.2f, leakage x/: %.1f, delay x/: %.2f from %g to %g nm",
        j->cost.note, scaling_spread(s, SCALE_energy, least, nm),
        scaling_spread(s, SCALE_leakage, least, nm), scaling_spread(s, SCALE_delay, least, nm),
        least, nm);
    return true;
}

static bool scale_to_supply(const struct engine_ctx *ctx, struct job *j)
{
    double ratio = ctx->tech->volt_ratio, nm = ctx->tech->node_nm;
    if (!ctx->scaling || !(ratio > 0) || ratio == 1)
        return true;
    multiply(&j->cost, scaling_volt_dynamic(ratio), scaling_volt_leakage(ctx->scaling, nm, ratio),
             scaling_volt_delay(ctx->scaling, nm, ratio));
    j->cost.note = arena_printf(&j->mem, "%s; at %g of the nominal supply", j->cost.note, ratio);
    return true;
}

static bool price_array_and_collectors(const struct book_request *r, struct job *j)
{
    struct engine_ctx ctx = r->arrays_ctx;
    ctx.mem = &j->mem;
    if (!price_array(r, j) || !scale_to_node(&ctx, j) ||
        (j->cls->array->collectors &&
         !collectors_add(&ctx, j->cls->array, r->core_ghz, &j->cost, &j->err)) ||
        !scale_to_supply(&ctx, j))
        return false;
    j->cost.meets_timing = !j->cls->array->one_cycle || j->cost.access_ns * r->core_ghz <= 1;
    return true;
}

static bool price(const struct book_request *r, struct job *j)
{
    struct engine_ctx ctx = r->network_ctx;
    ctx.mem = &j->mem;
    switch (j->cls->kind) {
    case CK_ROUTER: return r->network->cost_router(&ctx, &j->cls->router, &j->cost, &j->err);
    case CK_CHANNEL: return r->network->cost_link(&ctx, &j->cls->link, &j->cost, &j->err);
    case CK_ARRAY: return price_array_and_collectors(r, j);
    case CK_SM_CORE:
    case CK_MEMORY_CONTROLLER:
    case CK_DRAM:
        if (j->cls->kind == CK_DRAM && r->dram) {
            dram_cost(r->dram, &r->dram_shape, &j->cost);
            return true;
        }
        if (!r->gpuwattch || !r->gw_base)
            return err_add(&j->err, ERR_INPUT, NOWHERE,
                           "'%s' has no source of energy: give one "
                           "with energy.gpuwattch",
                           j->cls->name);
        if (j->cls->kind == CK_SM_CORE)
            gw_cost_core(r->gpuwattch, r->gw_base, r->core_ghz, r->leaks_once, r->has_coalescer,
                         &j->cost);
        else if (j->cls->kind == CK_DRAM)
            gw_cost_dram(r->gpuwattch, r->gw_base, &j->cost);
        else
            gw_cost_controller(r->gpuwattch, r->gw_base, &j->cost);
        return true;
    case CK_USER: /* the account has the user's own numbers */
        cost_clear(&j->cost);
        j->cost.engine = "user";
        return true;
    case CK_COUNT: break;
    }
    return false;
}

/* Asks the cache first; what the user or GPUWattch says needs none. */
static bool price_once(const struct book_request *r, struct job *j)
{
    enum component_kind kind = j->cls->kind;
    bool is_array = kind == CK_ARRAY;
    void *ticket = NULL;
    if (!r->cache || (kind != CK_ROUTER && kind != CK_CHANNEL && !is_array))
        return price(r, j);
    if (price_cache_take(r->cache, j->cls, is_array ? r->arrays : r->network,
                         is_array ? r->fallback : NULL, is_array ? &r->arrays_ctx : &r->network_ctx,
                         is_array ? r->core_ghz : 0, &j->cost, &ticket))
        return true;
    bool ok = price(r, j);
    price_cache_put(r->cache, ticket, ok ? &j->cost : NULL);
    return ok;
}

static void do_job(void *ctx, size_t i)
{
    struct work *w = ctx;
    w->jobs[i].ok = price_once(w->request, &w->jobs[i]);
}

bool book_make(const struct book_request *request, struct arena *mem, struct book *out,
               struct err *err)
{
    uint32_t n = request->n_classes, n_jobs = 0;
    struct job *jobs = arena_many(mem, struct job, n);
    uint32_t *job_of = arena_many(mem, uint32_t, n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t k = 0;
        while (k < n_jobs && !book_same_spec(jobs[k].cls, &request->classes[i]))
            k++;
        if (k == n_jobs) {
            jobs[k].cls = &request->classes[i];
            arena_init(&jobs[k].mem, mem->out_of_memory, mem->ctx);
            err_init(&jobs[k].err);
            n_jobs++;
        }
        job_of[i] = k;
    }
    struct work w = {request, jobs};
    pool_run(request->n_threads, n_jobs, do_job, &w, NULL);

    bool ok = true;
    struct cost *costs = arena_many(mem, struct cost, n);
    for (uint32_t k = 0; k < n_jobs; k++) {
        ok &= jobs[k].ok;
        err_join(err, &jobs[k].err);
        struct cost *c = &jobs[k].cost;
        if (jobs[k].ok) {
            c->engine = arena_strdup(mem, c->engine);
            c->technology = arena_strdup(mem, c->technology);
            c->model = arena_strdup(mem, c->model);
            c->note = arena_strdup(mem, c->note);
        }
        err_free(&jobs[k].err);
        arena_free(&jobs[k].mem);
    }
    for (uint32_t i = 0; i < n; i++)
        costs[i] = jobs[job_of[i]].cost;
    if (ok)
        *out = (struct book){request->classes, costs, n};
    return ok;
}
