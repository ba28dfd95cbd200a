/* SPDX-License-Identifier: MIT
 *
 * What claims say about a design alone: counts, bits, bytes, areas, clocks, where CTAs go. Each is
 * one function and one line of the table. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/near.h"
#include "gen/cluster/feasibility.h"
#include "gen/price/bill.h"
#include "gen/reproduce/answer.h"
#include "sim/cta/partition.h"
#include "sim/cta/sched.h"

struct ask {
    struct lab *lab;
    const struct ex_configuration *conf;
    struct lab_machine *m;
    struct arena *mem;
};

/* The answer as number, as text, or not at all (with the reason). */
static struct design_answer number(double v)
{
    return (struct design_answer){.value = v};
}

static struct design_answer text(const char *t)
{
    return (struct design_answer){.value = NAN, .text = t};
}

static struct design_answer none(const char *why)
{
    return (struct design_answer){.value = NAN, .why_not = why};
}

/* ---- arrays ---------------------------------------------------------------------------------- */

static bool is_of(const struct ask *a, const struct design_array *array)
{
    return a->conf->array &&
           strncmp(array->geometry.name, a->conf->array, strlen(a->conf->array)) == 0;
}

enum sum { SUM_BITS, SUM_BYTES, SUM_ENTRIES };

static struct design_answer array_sum(const struct ask *a, enum sum what)
{
    const struct design *d = lab_design(a->lab, a->m);
    double sum = 0;
    bool any = false;
    if (!d)
        return none(a->m->error);
    for (uint32_t i = 0; i < d->n_arrays; i++) {
        const struct array *g = &d->arrays[i].geometry;
        if (!is_of(a, &d->arrays[i]))
            continue;
        any = true;
        sum += (double)(what == SUM_BITS    ? array_bits(g)
                        : what == SUM_BYTES ? array_bytes(g)
                                            : g->entries);
    }
    return any ? number(sum) : none("the design has no such structure");
}

static struct design_answer array_bits_of(const struct ask *a)
{
    return array_sum(a, SUM_BITS);
}

static struct design_answer array_bytes_of(const struct ask *a)
{
    return array_sum(a, SUM_BYTES);
}

static struct design_answer array_entries_of(const struct ask *a)
{
    return array_sum(a, SUM_ENTRIES);
}

/* Sum of areas (of one instance each, or of all), or the slowest access. */
enum cost_sum { ONE_AREA, ALL_AREA, ACCESS };

static struct design_answer array_cost(const struct ask *a, enum cost_sum what)
{
    const struct priced *p = lab_prices(a->lab, a->m);
    double sum = 0;
    bool any = false;
    if (!p)
        return none(a->m->error);
    for (uint32_t i = 0; i < p->design->n_arrays; i++) {
        const struct design_array *array = &p->design->arrays[i];
        if (!is_of(a, array) || array->first_component == DESIGN_NONE)
            continue;
        const struct cost *c = &p->book.costs[p->class_of[array->first_component]];
        any = true;
        if (what == ACCESS)
            sum = fmax(sum, c->access_ns * p->design->arch->gpu.core_ghz);
        else
            sum += cost_area_um2(c) * 1e-6 * (what == ALL_AREA ? array->geometry.instances : 1);
    }
    return any ? number(sum) : none("the design has no such structure");
}

static struct design_answer array_area_of_one(const struct ask *a)
{
    return array_cost(a, ONE_AREA);
}

static struct design_answer array_area_of_all(const struct ask *a)
{
    return array_cost(a, ALL_AREA);
}

static struct design_answer array_access(const struct ask *a)
{
    return array_cost(a, ACCESS);
}

/* ---- networks -------------------------------------------------------------------------------- */

/* The side with fewer ports bounds it. */
static double bandwidth_gbps(const struct arch *a)
{
    double ports = fmin(a->gpu.n_clusters, a->llc.slices);
    return ports * a->noc[0].params.width_bits / 8 * a->noc[0].clock_ghz;
}

static struct design_answer noc_bandwidth(const struct ask *a)
{
    const struct arch *arch = lab_arch(a->lab, a->m);
    return arch ? number(bandwidth_gbps(arch)) : none(a->m->error);
}

/* The clock at which it has the bandwidth of the machine it is like. */
static struct design_answer equal_bandwidth(const struct ask *a)
{
    struct lab_machine *other = lab_machine_like(a->lab, a->conf),
                       *m = lab_machine(a->lab, a->conf); /* the list may have moved */
    const struct arch *arch = lab_arch(a->lab, m), *like = other ? lab_arch(a->lab, other) : NULL;
    if (!arch || !like)
        return none(arch && other ? other->error : m->error);
    return number(bandwidth_gbps(like) / (bandwidth_gbps(arch) / arch->noc[0].clock_ghz));
}

static struct noc_counts counts_of(const struct design *d, struct arena *mem)
{
    struct noc_counts c = d->request_counts;
    if (d->has_reply)
        noc_count_add(&c, &d->reply_counts, mem);
    return c;
}

/* "100x2": of one network, times two. */
static struct design_answer noc_routers(const struct ask *a)
{
    const struct design *d = lab_design(a->lab, a->m);
    if (!d)
        return none(a->m->error);
    struct noc_counts c = counts_of(d, a->mem);
    if (d->has_reply && d->request_counts.routers == d->reply_counts.routers)
        return text(arena_printf(a->mem, "%ux2", d->request_counts.routers));
    return text(arena_printf(a->mem, "%u", c.routers));
}

static struct design_answer noc_buffers(const struct ask *a)
{
    const struct design *d = lab_design(a->lab, a->m);
    return d ? number(counts_of(d, a->mem).vc_buffers) : none(a->m->error);
}

static struct design_answer noc_links(const struct ask *a)
{
    const struct design *d = lab_design(a->lab, a->m);
    return d ? number(counts_of(d, a->mem).links) : none(a->m->error);
}

/* "40 (10x8);16 (10x10)": a shape and its mirror image are one. */
static struct design_answer noc_crossbars(const struct ask *a)
{
    const struct design *d = lab_design(a->lab, a->m);
    struct buf out;
    if (!d)
        return none(a->m->error);
    struct noc_counts c = counts_of(d, a->mem);
    buf_init(&out, a->mem, 1 << 12);
    for (uint32_t i = 0; i < c.n_shapes; i++) {
        uint32_t n = 0, first = i;
        const struct noc_shape *s = &c.shapes[i];
        uint32_t large = s->inputs > s->outputs ? s->inputs : s->outputs,
                 small = s->inputs + s->outputs - large;
        for (uint32_t k = 0; k < c.n_shapes; k++) {
            const struct noc_shape *t = &c.shapes[k];
            uint32_t top = t->inputs > t->outputs ? t->inputs : t->outputs;
            if (top != large || t->inputs + t->outputs - top != small)
                continue;
            n += t->count;
            first = k < first ? k : first;
        }
        if (first == i)
            buf_printf(&out, "%s%u (%ux%u)", out.len ? ";" : "", n, large, small);
    }
    return text(out.data);
}

/* "8x(10x3)+24x16": local crossbars of the request network by size, then the global one. */
static const char *cdxbar_shape(const struct design *d, struct arena *mem)
{
    const struct noc_counts *c = &d->request_counts;
    uint32_t groups = d->request_params.cd_groups, ports = d->request_params.cd_ports;
    struct buf out;
    buf_init(&out, mem, 1 << 12);
    /* small ones first, as the paper writes them */
    for (uint32_t size = 1; size <= d->request_params.n_sms; size++) {
        uint32_t n = 0;
        for (uint32_t i = 0; i < c->n_shapes; i++) {
            bool is_local = c->shapes[i].outputs == ports && c->shapes[i].inputs == size &&
                            c->shapes[i].inputs != groups * ports;
            n += is_local ? c->shapes[i].count : 0;
        }
        if (n)
            buf_printf(&out, "%ux(%ux%u)+", n, size, ports);
    }
    buf_printf(&out, "%ux%u", groups * ports, d->request_params.n_llcs);
    return out.data;
}

static struct design_answer noc_shape(const struct ask *a)
{
    const struct design *d = lab_design(a->lab, a->m);
    if (!d)
        return none(a->m->error);
    const struct noc_params *p = &d->request_params;
    const char *t = d->request.topology;
    if (strcmp(t, "mesh") == 0 || strcmp(t, "smesh") == 0)
        return text(arena_printf(a->mem, "%ux%u", p->mesh_columns, p->mesh_rows));
    if (strcmp(t, "butterfly") == 0)
        return text(arena_printf(a->mem, "(%u,%u)", p->fly_k, p->fly_n));
    if (strcmp(t, "clos") == 0)
        return text(arena_printf(a->mem, "(%u,%u,%u)", p->clos_m, p->clos_n, p->clos_r));
    if (strcmp(t, "crossbar") == 0)
        return text(arena_printf(a->mem, "%ux%u", d->request_counts.shapes[0].inputs,
                                 d->request_counts.shapes[0].outputs));
    if (strcmp(t, "cdxbar") == 0)
        return text(cdxbar_shape(d, a->mem));
    return none("a network of this kind has no short name");
}

/* The bill of the paper's section 2: 0.1 flits per cycle from every SM. */
static bool bill_of(const struct ask *a, struct bill *out)
{
    const struct priced *p = lab_network(a->lab, a->m);
    struct bill_options o = {.rate = 0.1, .activity = BILL_FLOW};
    struct err err;
    err_init(&err);
    bool ok = p && bill_make(p, &o, out, &err);
    err_free(&err);
    return ok;
}

static struct design_answer noc_active(const struct ask *a)
{
    struct bill b;
    return bill_of(a, &b) ? number(bill_active_mm2(&b.nets[BILL_SUM])) : none(a->m->error);
}

static struct design_answer noc_fmax(const struct ask *a)
{
    const struct priced *p = lab_network(a->lab, a->m);
    return p ? number(p->clock.fmax_ghz * 1e3) : none(a->m->error);
}

static struct design_answer noc_wire(const struct ask *a)
{
    struct bill b;
    return bill_of(a, &b) ? number(b.nets[BILL_SUM].wire_mm2) : none(a->m->error);
}

static struct design_answer noc_power(const struct ask *a)
{
    struct bill b;
    return bill_of(a, &b)
               ? number(bill_dynamic_w(&b.nets[BILL_SUM]) + bill_leakage_w(&b.nets[BILL_SUM]))
               : none(a->m->error);
}

static struct design_answer area_part(const struct ask *a, int part)
{
    struct bill b;
    return bill_of(a, &b) ? number(b.nets[BILL_SUM].area_mm2[bill_area_parts[part]])
                          : none(a->m->error);
}

#define AREA_PART(name, part)                                                                      \
    static struct design_answer name(const struct ask *a)                                          \
    {                                                                                              \
        return area_part(a, part);                                                                 \
    }
AREA_PART(area_buffers, 0)
AREA_PART(area_crossbars, 1)
AREA_PART(area_allocators, 2)
AREA_PART(area_clock, 3)
AREA_PART(area_repeaters, 4)

static struct design_answer noc_largest(const struct ask *a)
{
    static const char *const names[BILL_POWERS] = {"buffers", "crossbars", "allocators", "links",
                                                   "clock"};
    struct bill b;
    int best = 0;
    double most = 0;
    if (!bill_of(a, &b))
        return none(a->m->error);
    for (int i = 0; i < BILL_POWERS; i++) {
        const struct bill_net *n = &b.nets[BILL_SUM];
        double w = n->dynamic_w[i] + n->leakage_w[bill_power_parts[i]];
        if (w > most) {
            most = w;
            best = i;
        }
    }
    return text(names[best]);
}

static struct design_answer published(const struct ask *a)
{
    const struct arch *arch = lab_arch(a->lab, a->m);
    if (!arch)
        return none(a->m->error);
    if (a->conf->published < 0 || a->conf->published >= BILL_PUBLISHED)
        return none("no such published crossbar");
    return number(bill_scaled_mhz(&bill_published[a->conf->published], arch->gpu.n_sms,
                                  arch->noc[0].params.width_bits, arch->tech.node_nm));
}

/* ---- where CTAs go: the ICC paper's example, 2 clusters of 2 SMs with 2 places each
 * --------------- */

enum { SMS = 4, PLACES = 2, CTAS = 10 };

struct example {
    struct cta_machine machine;
    uint32_t later[SMS], room[SMS];
    uint32_t at[SMS][PLACES]; /* CTA number from 1; 0: empty */
    const struct cta_sched *sched;
    void *state;
};

/* Places what can be placed; the last one is returned in `*cta` and `*sm`. */
static uint32_t place_all(struct example *x, uint32_t *cta, uint32_t *sm)
{
    uint32_t n = 0;
    bool any = true;
    while (any) {
        struct cta_place p;
        any = false;
        memcpy(x->room, x->later, sizeof x->room);
        while (x->sched->next(x->state, x->room, &p)) {
            for (uint32_t i = 0; i < p.n; i++) {
                uint32_t k = 0;
                while (k + 1 < PLACES && x->at[p.sm][k])
                    k++;
                x->at[p.sm][k] = p.cta[i] + 1;
                if (n++ == 0) {
                    *cta = p.cta[i] + 1;
                    *sm = p.sm;
                }
            }
            x->later[p.sm] -= p.n;
            x->room[p.sm] = 0;
            any = true;
        }
    }
    return n;
}

static void retire(struct example *x, uint32_t sm, uint32_t place)
{
    uint32_t cta = x->at[sm][place];
    x->at[sm][place] = 0;
    x->later[sm]++;
    x->sched->retired(x->state, sm, cta - 1);
}

/* What is placed when CTA 1 ends, and whether it had to wait for CTA 2 as well. */
static void add_next(struct example *x, struct buf *out)
{
    uint32_t cta = 0, sm = 0;
    uint32_t second = x->at[0][1];
    retire(x, 0, 0);
    bool waits = place_all(x, &cta, &sm) == 0;
    if (waits) {
        retire(x, 0, 1);
        if (place_all(x, &cta, &sm) == 0)
            return;
    }
    buf_printf(out, " next=%u@C%u.S%u", cta, sm / 2 + 1, sm % 2 + 1);
    if (waits)
        buf_printf(out, " after 1 and %u", second);
}

static struct design_answer placement(const struct ask *a)
{
    static const uint32_t cluster_of[SMS] = {0, 0, 1, 1}, first[2] = {0, 2}, sms[2] = {2, 2};
    const struct arch *arch = lab_arch(a->lab, a->m);
    struct example x = {.later = {PLACES, PLACES, PLACES, PLACES}};
    uint32_t cta, sm;
    struct buf out;
    if (!arch)
        return none(a->m->error);
    x.sched = cta_scheds[arch->cta.scheduler];
    if (!x.sched)
        return none("no such policy");
    x.machine = (struct cta_machine){.n_sms = SMS,
                                     .n_clusters = 2,
                                     .cluster_of = cluster_of,
                                     .first_sm = first,
                                     .sms_of = sms,
                                     .crossbar_of = cluster_of,
                                     .n_crossbars = 2,
                                     .seed = 1,
                                     .later = x.later};
    struct cta_grid grid = {.n_ctas = CTAS, .max_per_sm = PLACES, .columns = CTAS};
    x.state = x.sched->begin(&arch->cta, &x.machine, &grid, a->mem);
    place_all(&x, &cta, &sm);
    buf_init(&out, a->mem, 1 << 12);
    for (uint32_t s = 0; s < SMS; s++)
        buf_printf(&out, "%sC%u.S%u={%u,%u}", s ? " " : "", s / 2 + 1, s % 2 + 1, x.at[s][0],
                   x.at[s][1]);
    add_next(&x, &out);
    return text(out.data);
}

/* ---- CTA clustering: f, its inverse and g (sim/cta/partition.h); the numbers stand in `array`  */

#define MAX_NUMBERS 8

static size_t numbers_of(const struct ask *a, uint32_t out[MAX_NUMBERS])
{
    size_t n = 0;
    for (const char *p = a->conf->array ? a->conf->array : ""; *p && n < MAX_NUMBERS;) {
        char *end;
        unsigned long v = strtoul(p, &end, 10);
        if (end == p)
            return 0;
        out[n++] = (uint32_t)v;
        p = end + strspn(end, " ");
    }
    return n;
}

static struct design_answer position_of(const struct ask *a)
{
    uint32_t v[MAX_NUMBERS];
    if (numbers_of(a, v) != 3 || !v[1] || v[2] >= v[0])
        return none("needs |V|, M and v");
    struct cta_partition p = cta_partition_of(v[0], v[1]);
    struct cta_position at = cta_position_of(&p, v[2]);
    return text(arena_printf(a->mem, "(%u,%u)", at.w, at.i));
}

static struct design_answer cta_at(const struct ask *a)
{
    uint32_t v[MAX_NUMBERS];
    if (numbers_of(a, v) != 4 || !v[1])
        return none("needs |V|, M, w and i");
    struct cta_partition p = cta_partition_of(v[0], v[1]);
    return number(cta_at_position(&p, (struct cta_position){.w = v[2], .i = v[3]}));
}

static struct design_answer bound_to(const struct ask *a)
{
    uint32_t v[MAX_NUMBERS];
    if (numbers_of(a, v) != 3 || !v[1])
        return none("needs |V|, M and u");
    struct cta_partition p = cta_partition_of(v[0], v[1]);
    struct cta_position at = cta_bind_in_turn(&p, v[2]);
    return text(arena_printf(a->mem, "(%u,%u)", at.w, at.i));
}

static struct design_answer cluster_bases(const struct ask *a)
{
    uint32_t v[MAX_NUMBERS];
    struct buf out;
    if (numbers_of(a, v) != 2 || !v[1])
        return none("needs |V| and M");
    buf_init(&out, a->mem, BUF_NO_MAX);
    struct cta_partition p = cta_partition_of(v[0], v[1]);
    for (uint32_t i = 0; i < v[1]; i++)
        buf_printf(&out, "%s%u", i ? " " : "",
                   cta_at_position(&p, (struct cta_position){.w = 0, .i = i}));
    return text(out.data);
}

static struct design_answer redirection(const struct ask *a)
{
    uint32_t v[MAX_NUMBERS];
    struct buf out;
    if (numbers_of(a, v) != 2 || !v[1])
        return none("needs |V| and M");
    buf_init(&out, a->mem, BUF_NO_MAX);
    struct cta_partition p = cta_partition_of(v[0], v[1]);
    for (uint32_t u = 0; u < v[0]; u++)
        buf_printf(&out, "%s%u", u ? " " : "", cta_at_position(&p, cta_bind_in_turn(&p, u)));
    return text(out.data);
}

/* The feasibility test on the machine behind the configuration (gen/cluster/feasibility.h). */
static const struct feasibility *feasibility_of(const struct ask *a, bool is_staggered,
                                                const char **why)
{
    const struct arch *arch = lab_arch(a->lab, a->m);
    struct feasibility *f = arena_new(a->mem, struct feasibility);
    struct feasibility_request q = {.arch = arch,
                                    .data_dir = a->lab->app->data_dir,
                                    .delay = is_staggered ? FEASIBILITY_DELAY : 0};
    struct err err;
    *why = arch ? NULL : a->m->error;
    if (!arch)
        return NULL;
    err_init(&err);
    if (!feasibility_run(&q, a->mem, f, &err))
        *why = err.first ? err_entry_text(err.first, a->mem) : "failed";
    err_free(&err);
    return *why ? NULL : f;
}

#define FEASIBILITY(name, staggered, expression)                                                   \
    static struct design_answer name(const struct ask *a)                                          \
    {                                                                                              \
        const char *why;                                                                           \
        const struct feasibility *f = feasibility_of(a, staggered, &why);                          \
        return f ? number(expression) : none(why);                                                 \
    }
FEASIBILITY(feasibility_first, false, f->first_turn)
FEASIBILITY(feasibility_later, false, f->later_turns)
FEASIBILITY(feasibility_on_sm0, false, f->ctas_of_sm[0])
FEASIBILITY(feasibility_reads, false, f->reads_per_sm)
FEASIBILITY(feasibility_slow, true, f->n_slow)

/* ---- the table ------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    struct design_answer (*answer)(const struct ask *a);
} functions[] = {
    {"array_bits", array_bits_of},
    {"array_bytes", array_bytes_of},
    {"array_entries", array_entries_of},
    {"array_area_mm2", array_area_of_one},
    {"array_area_all_mm2", array_area_of_all},
    {"array_access_cycles", array_access},
    {"noc_bandwidth_gbps", noc_bandwidth},
    {"clock_of_equal_bandwidth_ghz", equal_bandwidth},
    {"noc_routers", noc_routers},
    {"noc_buffers", noc_buffers},
    {"noc_links", noc_links},
    {"noc_crossbars", noc_crossbars},
    {"noc_shape", noc_shape},
    {"noc_active_mm2", noc_active},
    {"noc_wire_mm2", noc_wire},
    {"noc_power_w", noc_power},
    {"noc_buffers_mm2", area_buffers},
    {"noc_crossbars_mm2", area_crossbars},
    {"noc_allocators_mm2", area_allocators},
    {"noc_clock_mm2", area_clock},
    {"noc_repeaters_mm2", area_repeaters},
    {"noc_fmax_mhz", noc_fmax},
    {"noc_largest_power", noc_largest},
    {"published_mhz", published},
    {"placement", placement},
    {"cta_position", position_of},
    {"cta_at_position", cta_at},
    {"cta_bound_to", bound_to},
    {"cta_cluster_bases", cluster_bases},
    {"cta_redirection", redirection},
    {"feasibility_first_turn", feasibility_first},
    {"feasibility_later_turns", feasibility_later},
    {"feasibility_ctas_on_sm0", feasibility_on_sm0},
    {"feasibility_reads_per_sm", feasibility_reads},
    {"feasibility_slow_when_staggered", feasibility_slow},
};

struct design_answer answer_from_design(struct lab *lab, const struct ex_configuration *conf,
                                        const char *function)
{
    enum { N = sizeof functions / sizeof *functions };
    const char *names[N];
    for (int i = 0; i < N; i++) {
        names[i] = functions[i].name;
        if (strcmp(functions[i].name, function) == 0) {
            struct ask a = {lab, conf, lab_machine(lab, conf), &lab->app->mem};
            /* the answer keeps nothing of `a` */
            /* cppcheck-suppress returnDanglingLifetime */
            return functions[i].answer(&a);
        }
    }
    const char *near = near_best(function, names, N);
    return none(arena_printf(&lab->app->mem, "unknown function '%s'%s%s%s", function,
                             near ? "; did you mean '" : "", near ? near : "", near ? "'?" : ""));
}
