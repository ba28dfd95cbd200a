/* SPDX-License-Identifier: MIT */
#include "gen/run/band.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "gen/config/keys.h"
#include "gen/config/read_tech.h"
#include "gen/price/shared.h"
#include "gen/run/run.h"
#include "gen/run/tie.h"

const char *const band_goal_names[BAND_GOALS] = {"performance", "perf/W NoC", "perf/W system",
                                                 "EDP", "NoC area"};

bool band_more_is_better(int goal)
{
    return goal == BAND_PERFORMANCE || goal == BAND_NOC || goal == BAND_SYSTEM;
}

/* ---- the assumptions ------------------------------------------------------------------------- */

#define SHORT_MM 3.3 /* tech.links.* = "short" and "long" */
#define LONG_MM 12.3
#define PRICE_FACTOR 1.5
/* Routers that are switched off when they have been idle for a while; see docs/assumptions.md. */
#define GATE_AFTER 16u

static double links_of(const struct arch *a)
{
    const double *mm = a->place.link_mm;
    return mm[0] == mm[1] && mm[0] == mm[2] ? mm[0] : NAN;
}

static const char *links_word(double mm, struct arena *mem)
{
    return mm == NOC_LINK_FLOORPLAN ? "floorplan"
           : mm == SHORT_MM         ? "short"
           : mm == LONG_MM          ? "long"
           : isfinite(mm)           ? arena_printf(mem, "%g mm", mm)
                                    : "as described";
}

static const char *registers_word(const struct arch *a, struct arena *mem)
{
    double mm = a->noc[0].register_mm;
    return mm != a->noc[1].register_mm ? "as described"
           : mm > 0                    ? arena_printf(mem, "%g mm", mm)
                                       : "clock";
}

/* What a design says about an assumption, as a word. */
static const char *word_of(const struct arch *a, int which, struct arena *mem)
{
    switch (which) {
    case BAND_LEAKAGE: return key_choice("tech.leakage", (int)a->tech.leakage);
    case BAND_MODE: return key_choice("tech.timing_mode", (int)a->tech.timing_mode);
    case BAND_LINKS: return links_word(links_of(a), mem);
    case BAND_LIMIT: return a->noc[0].clock_limit;
    case BAND_GATING: return a->noc[0].router.gate_after ? "on" : "off";
    case BAND_REGISTERS: return registers_word(a, mem);
    case BAND_TECH: return arena_printf(mem, "%g nm", a->tech.node_nm);
    default: return "x 1";
    }
}

static const char *const *words_of(int which)
{
    static const char *const leakages[] = {"0.91", "2013", NULL},
                             *const modes[] = {"all", "ck", "stage", NULL},
                             *const links[] = {"floorplan", "short", "long", NULL},
                             *const limits[] = {"fmax", "none", NULL},
                             *const gating[] = {"off", "on", NULL},
                             *const registers[] = {"clock", NULL}, *const none[] = {NULL},
                             *const prices[] = {"x 1", "/ 1.5", "x 1.5", NULL};
    static const char *const *const all[BAND_N] = {
        [BAND_LEAKAGE] = leakages,    [BAND_MODE] = modes,    [BAND_LINKS] = links,
        [BAND_LIMIT] = limits,        [BAND_GATING] = gating, [BAND_ROUTERS] = prices,
        [BAND_REGISTERS] = registers, [BAND_TECH] = none,     [BAND_WIRES] = prices,
    };
    return all[which];
}

/* First what the designs say ("as described" where they differ), then everything else. */
static void find_values(const struct band_request *q, int which, struct arena *mem,
                        struct band_assumption *out)
{
    const char *first = word_of(q->archs[0], which, mem);
    bool same = true;
    for (size_t d = 1; d < q->n_designs; d++)
        same &= strcmp(first, word_of(q->archs[d], which, mem)) == 0;
    out->values[out->n++] = same ? first : "as described";
    for (const char *const *w = words_of(which); *w && out->n < BAND_VALUES; w++)
        if (strcmp(*w, out->values[0]) != 0)
            out->values[out->n++] = *w;
}

/* "12 nm FinFET", "45 nm": as the line of assumptions has it. */
static const char *tech_word(const struct tech_tables *tables, double node, int family,
                             struct arena *mem)
{
    struct tech_params t = {.node_nm = node, .logic = (enum logic_choice)(family + 1)};
    return arena_printf(mem, "%g nm%s", node, tech_tables_family_said(tables, &t));
}

/* The node of all designs in the family that they are not made of, where there are two: which one
 * a chip is like is not settled, and leakage differs by ten. */
static void add_family(const struct band_request *q, const struct tech_tables *tables,
                       struct arena *mem, struct band_assumption *out)
{
    const struct tech_params *first = &q->archs[0]->tech;
    enum logic_family own = tech_tables_family(tables, first);
    bool has_one_node = true, is_one_family = true, fits[LOGIC_FAMILY_COUNT] = {true, true};
    for (size_t d = 0; d < q->n_designs; d++) {
        const struct tech_params *t = &q->archs[d]->tech;
        has_one_node &= t->node_nm == first->node_nm;
        is_one_family &= tech_tables_family(tables, t) == own;
        for (int f = 0; f < LOGIC_FAMILY_COUNT; f++)
            fits[f] &= tech_tables_has(tables, (enum logic_family)f, t->node_nm);
    }
    if (!is_one_family)
        out->values[0] = "as described";
    else if (has_one_node)
        out->values[0] = tech_word(tables, first->node_nm, (int)own, mem);
    for (int f = 0; f < LOGIC_FAMILY_COUNT; f++)
        if (fits[f] && (!is_one_family || f != (int)own))
            out->values[out->n++] =
                has_one_node ? tech_word(tables, first->node_nm, f, mem) : tech_family_names[f];
}

/* Published nodes that are not further than a factor of two from every design's: the data of
 * another process may as well be what the routers are made of. */
static void add_nodes(const struct band_request *q, const struct tech_tables *tables,
                      struct arena *mem, struct band_assumption *out)
{
    enum logic_family family = tech_tables_family(tables, &q->archs[0]->tech);
    const struct logic_techs *techs = &tables->logic[family];
    for (size_t i = 0; i < techs->n && out->n < BAND_VALUES; i++) {
        double node = techs->at[i].node_nm;
        bool fits = true, differs = false;
        for (size_t d = 0; d < q->n_designs; d++) {
            double own = q->archs[d]->tech.node_nm;
            fits &= node <= 2 * own && own <= 2 * node;
            differs |= node != own;
        }
        if (fits && differs)
            out->values[out->n++] = tech_word(tables, node, (int)family, mem);
    }
}

/* "22 nm", "12 nm FinFET", "FinFET". */
static void apply_tech(struct tech_params *t, const char *word)
{
    double node = strtod(word, NULL);
    if (node > 0) {
        t->node_nm = node;
        t->logic = LOGIC_CHOICE_dsent; /* nodes that no FinFET has are said without it */
    }
    for (int f = 0; f < LOGIC_FAMILY_COUNT; f++)
        if (strstr(word, tech_family_names[f]))
            t->logic = (enum logic_choice)(f + 1);
}

static void apply(struct arch *a, int which, const char *word)
{
    double mm = strcmp(word, "floorplan") == 0 ? NOC_LINK_FLOORPLAN
                : strcmp(word, "short") == 0   ? SHORT_MM
                                               : LONG_MM;
    for (int i = 0; which == BAND_LINKS && i < NOC_LINK_CLASSES; i++)
        a->place.link_mm[i] = mm;
    for (int i = 0; which == BAND_LEAKAGE && i < LEAK_VARIANTS; i++)
        if (strcmp(word, key_choice("tech.leakage", i)) == 0)
            a->tech.leakage = (enum leak_variant)i;
    for (int i = 0; which == BAND_MODE && i < TIMING_NONE; i++)
        if (strcmp(word, key_choice("tech.timing_mode", i)) == 0)
            a->tech.timing_mode = (enum timing_mode)i;
    for (int net = 0; which == BAND_LIMIT && net < 2; net++)
        a->noc[net].clock_limit = strcmp(word, "none") == 0 ? "none" : "fmax";
    for (int net = 0; which == BAND_GATING && net < 2; net++)
        a->noc[net].router.gate_after = strcmp(word, "on") == 0 ? GATE_AFTER : 0;
    for (int net = 0; which == BAND_REGISTERS && net < 2; net++)
        a->noc[net].register_mm = 0;
    if (which == BAND_TECH)
        apply_tech(&a->tech, word);
}

/* ---- cases ----------------------------------------------------------------------------------- */

static void make_cases(struct band *b, struct arena *mem)
{
    size_t n = 1;
    for (int k = 0; k < BAND_N; k++)
        n = b->is_each ? n + b->assumptions[k].n - 1 : n * b->assumptions[k].n;
    b->cases = arena_array(mem, n, sizeof *b->cases);
    b->n_cases = n;
    if (b->is_each) {
        size_t i = 1;
        for (int k = 0; k < BAND_N; k++)
            for (uint32_t v = 1; v < b->assumptions[k].n; v++)
                b->cases[i++].value[k] = (uint8_t)v;
        return;
    }
    for (size_t i = 0; i < n; i++) {
        size_t rest = i;
        for (int k = BAND_N; k-- > 0;) {
            b->cases[i].value[k] = (uint8_t)(rest % b->assumptions[k].n);
            rest /= b->assumptions[k].n;
        }
    }
}

/* ---- designs under assumptions --------------------------------------------------------------- */

enum { PRICED_BY = BAND_ROUTERS }; /* assumptions before it are priced anew */

struct variant { /* a design under some assumptions */
    uint8_t value[PRICED_BY];
    size_t design, run; /* run: into the list of what is simulated */
    struct sim_setup setup;
    uint64_t timing;
    double router_mm2, link_mm2;
    struct measured {
        bool is_there;
        double gips, seconds, router_w, link_w, other_w;
    } * measured; /* [workload] */
};

struct work {
    struct variant *variants;
    size_t n_variants, n_workloads;
    struct pairs_design *runs;
    size_t n_runs;
    struct price_shared *shared; /* what the variants' prices were taken from and point into */
};

/* What the simulator is given: two designs with the same take the same cycles. */
static uint64_t timing_hash(const struct sim_setup *s)
{
    const struct timing *t = &s->timing;
    const uint32_t cycles[] = {t->l1_interval,
                               t->shared_interval,
                               t->l2_interval,
                               t->l1_hit,
                               t->shared_memory,
                               t->merge_table,
                               t->coalesced_cache,
                               t->mshr,
                               t->l1_lookup,
                               t->l2_hit,
                               t->dram_fixed,
                               t->extra_alloc[0],
                               t->extra_alloc[1],
                               s->arch->noc[0].router.gate_after,
                               s->arch->noc[1].router.gate_after};
    const uint32_t n[2] = {s->design->request.n_channels,
                           s->design->has_reply ? s->design->reply.n_channels : 0};
    const uint16_t *channels[2] = {t->request_channel, t->reply_channel};
    const uint8_t *traversals[2] = {t->request_traversal, t->reply_traversal};
    uint64_t h = map_hash_bytes(t->clock_khz, sizeof t->clock_khz, 1);
    h = map_hash_bytes(cycles, sizeof cycles, h);
    for (int net = 0; net < 2; net++) {
        if (channels[net])
            h = map_hash_bytes(channels[net], n[net] * sizeof *channels[net], h);
        if (traversals[net])
            h = map_hash_bytes(traversals[net], n[net], h + 1);
    }
    return h;
}

static void measure_area(struct variant *v)
{
    const struct priced *p = v->setup.priced;
    for (uint32_t k = 0; k < p->book.n_classes; k++) {
        double mm2 = 1e-6 * p->classes[k].instances * cost_area_um2(&p->book.costs[k]);
        v->router_mm2 += p->classes[k].kind == CK_ROUTER ? mm2 : 0;
        v->link_mm2 += p->classes[k].kind == CK_CHANNEL ? mm2 : 0;
    }
}

static bool is_variant_of(const struct variant *v, size_t design, const uint8_t *value)
{
    return v->design == design && memcmp(v->value, value, sizeof v->value) == 0;
}

static struct variant *find_variant(const struct work *w, size_t design, const uint8_t *value)
{
    for (size_t i = 0; i < w->n_variants; i++)
        if (is_variant_of(&w->variants[i], design, value))
            return &w->variants[i];
    return NULL;
}

/* Prices every design under every set of assumptions that some case has. */
static bool price_variants(const struct band_request *q, const struct band *b, struct work *w,
                           struct arena *mem, struct err *err)
{
    bool ok = true;
    w->variants = arena_array(mem, b->n_cases * q->n_designs, sizeof *w->variants);
    w->runs = arena_many(mem, struct pairs_design, b->n_cases * q->n_designs);
    for (size_t c = 0; ok && c < b->n_cases; c++)
        for (size_t d = 0; ok && d < q->n_designs; d++) {
            if (find_variant(w, d, b->cases[c].value))
                continue;
            struct variant *v = &w->variants[w->n_variants++];
            struct arch *arch = arena_new(mem, struct arch);
            *arch = *q->archs[d];
            memcpy(v->value, b->cases[c].value, sizeof v->value);
            for (int k = 0; k < PRICED_BY; k++)
                if (v->value[k])
                    apply(arch, k, b->assumptions[k].values[v->value[k]]);
            v->design = d;
            v->measured = arena_array(mem, w->n_workloads, sizeof *v->measured);
            ok = sim_setup_shared(arch, q->pairs->data_dir, w->shared, mem, &v->setup, err);
            if (!ok)
                break;
            v->timing = timing_hash(&v->setup);
            measure_area(v);
            v->run = w->n_runs;
            for (size_t i = 0; i + 1 < w->n_variants; i++)
                if (w->variants[i].design == d && w->variants[i].timing == v->timing)
                    v->run = w->variants[i].run;
            if (v->run == w->n_runs)
                w->runs[w->n_runs++] = (struct pairs_design){q->names[d], &v->setup, 0};
        }
    return ok;
}

/* One run has ended: its events at the prices of every variant that takes the same cycles. */
static void price_events(void *ctx, size_t run, size_t workload, const struct run_outcome *o)
{
    struct work *w = ctx;
    for (size_t i = 0; i < w->n_variants; i++) {
        struct variant *v = &w->variants[i];
        if (v->run != run)
            continue;
        struct arena mem;
        struct err ignored;
        struct run_energy e = {0};
        struct measured *m = &v->measured[workload];
        const struct priced *p = v->setup.priced;
        double seconds = o->energy.input.seconds;
        arena_init(&mem, NULL, NULL);
        err_init(&ignored);
        if (run_account(p, (const uint64_t(*)[EV_COUNT])o->energy.counts, seconds, &o->result, &mem,
                        &e, &ignored) &&
            seconds > 0) {
            for (uint32_t k = 0; k < p->book.n_classes; k++) {
                double watts = e.account.lines[k].total_j / seconds;
                m->router_w += p->classes[k].kind == CK_ROUTER ? watts : 0;
                m->link_w += p->classes[k].kind == CK_CHANNEL ? watts : 0;
            }
            m->gips = result_get(&o->result, "performance_gips");
            m->seconds = seconds;
            m->other_w = e.account.total_j / seconds - m->router_w - m->link_w;
            m->is_there = true;
        }
        err_free(&ignored);
        arena_free(&mem);
    }
}

/* ---- ratios ---------------------------------------------------------------------------------- */

static double factor_of(const struct band *b, const struct band_case *c, int which)
{
    const char *word = b->assumptions[which].values[c->value[which]];
    return word[0] == '/' ? 1 / PRICE_FACTOR : strcmp(word, "x 1.5") == 0 ? PRICE_FACTOR : 1;
}

static void goals_of(const struct variant *v, size_t workload, double routers, double links,
                     double out[BAND_GOALS])
{
    const struct measured *m = &v->measured[workload];
    double noc_w = routers * m->router_w + links * m->link_w, all_w = noc_w + m->other_w;
    out[BAND_PERFORMANCE] = m->gips;
    out[BAND_NOC] = m->gips / noc_w;
    out[BAND_SYSTEM] = m->gips / all_w;
    out[BAND_EDP] = all_w * m->seconds * m->seconds;
    out[BAND_AREA] = routers * v->router_mm2 + links * v->link_mm2;
}

static void fill_case(const struct band *b, const struct work *w, struct band_case *c,
                      struct arena *mem)
{
    double routers = factor_of(b, c, BAND_ROUTERS), links = factor_of(b, c, BAND_WIRES);
    const struct variant *base = find_variant(w, 0, c->value);
    c->ratio = arena_many(mem, double, b->n_designs *BAND_GOALS);
    for (size_t d = 0; d < b->n_designs; d++) {
        const struct variant *v = find_variant(w, d, c->value);
        double sum[BAND_GOALS] = {0};
        size_t n = 0;
        for (size_t i = 0; i < w->n_workloads; i++) {
            double mine[BAND_GOALS], first[BAND_GOALS];
            if (!b->is_counted[i] || !v->measured[i].is_there || !base->measured[i].is_there)
                continue;
            goals_of(v, i, routers, links, mine);
            goals_of(base, i, routers, links, first);
            for (int g = 0; g < BAND_GOALS; g++)
                sum[g] += log(mine[g] / first[g]);
            n++;
        }
        for (int g = 0; g < BAND_GOALS; g++)
            c->ratio[d * BAND_GOALS + (size_t)g] = n ? exp(sum[g] / (double)n) : NAN;
    }
    for (int g = 0; g < BAND_GOALS; g++) {
        c->best[g] = SIZE_MAX;
        for (size_t d = 0; d < b->n_designs; d++) {
            double x = c->ratio[d * BAND_GOALS + (size_t)g];
            double y = c->best[g] == SIZE_MAX ? NAN : c->ratio[c->best[g] * BAND_GOALS + (size_t)g];
            if (isfinite(x) && (!isfinite(y) || (band_more_is_better(g) ? x > y : x < y)))
                c->best[g] = d;
        }
        for (size_t d = 0; d < b->n_designs && c->best[g] != SIZE_MAX; d++) {
            double x = c->ratio[d * BAND_GOALS + (size_t)g] /
                       c->ratio[c->best[g] * BAND_GOALS + (size_t)g];
            c->is_tie[g] |= d != c->best[g] && fabs(x - 1) <= TIE;
        }
    }
}

/* No two means are of different programs. */
static void count_workloads(const struct work *w, struct band *out, struct arena *mem)
{
    bool *counted = arena_many(mem, bool, w->n_workloads);
    bool *has_run = arena_array(mem, out->n_designs, sizeof *has_run);
    memset(counted, true, w->n_workloads * sizeof *counted);
    for (size_t v = 0; v < w->n_variants; v++)
        for (size_t i = 0; i < w->n_workloads; i++)
            has_run[w->variants[v].design] |= w->variants[v].measured[i].is_there;
    for (size_t v = 0; v < w->n_variants; v++)
        for (size_t i = 0; has_run[w->variants[v].design] && i < w->n_workloads; i++)
            counted[i] &= w->variants[v].measured[i].is_there;
    out->is_counted = counted;
    out->has_run = has_run;
}

bool band_make(const struct band_request *q, struct arena *mem, struct band *out, struct err *err)
{
    static const char *const names[] = {
#define X(id, name) name,
        BAND_ASSUMPTIONS(X)
#undef X
    };
    *out = (struct band){.n_designs = q->n_designs, .is_each = q->each, .names = q->names};
    for (int k = 0; k < BAND_N; k++) {
        out->assumptions[k].name = names[k];
        find_values(q, k, mem, &out->assumptions[k]);
    }
    struct work w = {.n_workloads = q->pairs->n_workloads,
                     .shared = price_shared_new(q->pairs->data_dir, mem, err)};
    struct result *results;
    if (!w.shared)
        return false;
    add_family(q, price_shared_tables(w.shared), mem, &out->assumptions[BAND_TECH]);
    add_nodes(q, price_shared_tables(w.shared), mem, &out->assumptions[BAND_TECH]);
    make_cases(out, mem);
    bool ok = price_variants(q, out, &w, mem, err);
    q->pairs->designs = w.runs;
    q->pairs->n_designs = w.n_runs;
    q->pairs->store = NULL; /* the events are wanted, not the result */
    q->pairs->without_links = true;
    q->pairs->ran = price_events;
    q->pairs->ctx = &w;
    ok = ok && pairs_run(q->pairs, mem, &results, err);
    out->n_runs = w.n_runs * q->pairs->n_workloads;
    out->n_workloads = q->pairs->n_workloads;
    out->workloads = q->pairs->workloads;
    count_workloads(&w, out, mem);
    for (size_t c = 0; ok && c < out->n_cases; c++)
        fill_case(out, &w, &out->cases[c], mem);
    price_shared_free(w.shared);
    return ok;
}

bool band_range(const struct band *b, int goal, size_t design, size_t over, int which,
                double *least, double *most)
{
    *least = INFINITY;
    *most = -INFINITY;
    for (size_t c = 0; c < b->n_cases; c++) {
        bool only = true;
        for (int k = 0; k < BAND_N && which != BAND_N; k++)
            only &= k == which || b->cases[c].value[k] == 0;
        if (!only)
            continue;
        const double *r = b->cases[c].ratio;
        double x = r[design * BAND_GOALS + (size_t)goal] / r[over * BAND_GOALS + (size_t)goal];
        *least = fmin(*least, x);
        *most = fmax(*most, x);
    }
    return *least <= *most;
}
