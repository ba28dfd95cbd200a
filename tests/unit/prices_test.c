/* SPDX-License-Identifier: MIT
 *
 * Prices as properties: what is paid follows what moves. One warp does one thing; more bytes never
 * cost less, and nothing done costs nothing but time. */
#include "tests/unit/machine.h"

#include "gen/run/run.h"

/* A warp of `lanes` lanes that does `cls` in `space`, `bytes` a lane, `stride` apart, `times`. */
struct doing {
    enum trace_class cls;
    enum trace_space space;
    uint32_t lanes, bytes, stride, times;
};

static void program_of(const struct doing *d, struct trace_source *out)
{
    struct trace_static statics[] = {
        {.pc = 0,
         .cls = (uint8_t)d->cls,
         .space = (uint8_t)d->space,
         .access_bytes = (uint8_t)d->bytes,
         .n_dst = d->cls == TC_STORE ? 0 : 1,
         .n_src = 2,
         .dst = {1},
         .src = {2, 3}},
        {.pc = 8, .cls = TC_FP32, .n_dst = 1, .n_src = 1, .dst = {2}, .src = {1}},
        {.pc = 16, .cls = TC_EXIT},
    };
    bool is_memory = d->cls == TC_LOAD || d->cls == TC_STORE;
    struct trace_memory *m = trace_memory_new("doing");
    struct trace_sink sink = trace_memory_sink(m);
    struct trace_kernel kernel = {.name = "doing",
                                  .grid = {1, 1, 1},
                                  .block = {32, 1, 1},
                                  .n_ctas = 1,
                                  .warps_per_cta = 1,
                                  .regs_per_thread = 8,
                                  .shared_bytes = 16384};
    struct err err;
    err_init(&err);
    struct trace_inst insts[64];
    uint64_t addresses[32];
    uint32_t n = 0;
    for (uint32_t l = 0; l < 32; l++)
        addresses[l] = (d->space == TS_SHARED ? 0 : 0x10000000) + (uint64_t)l * d->stride;
    for (uint32_t i = 0; i < d->times; i++) {
        insts[n++] = (struct trace_inst){.mask = d->lanes == 32 ? UINT32_MAX : (1u << d->lanes) - 1,
                                         .n_addresses = (uint8_t)(is_memory ? d->lanes : 0)};
        insts[n++] = (struct trace_inst){.mask = UINT32_MAX, .stat = 1}; /* waits for it */
    }
    insts[n++] = (struct trace_inst){.mask = UINT32_MAX, .stat = 2};
    struct trace_warp warp = {insts, n};
    struct trace_cta cta = {.n_warps = 1, .warps = &warp, .addresses = addresses};
    assert_true(sink.begin_kernel(sink.ctx, &kernel, &err));
    assert_true(sink.add_cta(sink.ctx, &cta, &err));
    assert_true(sink.end_kernel(sink.ctx, statics, 3, &err));
    trace_memory_source(m, out);
    err_free(&err);
}

struct priced_run {
    struct machine m;
    struct run_outcome out;
};

static void run(struct priced_run *r, const char *text, const struct doing *d)
{
    struct machine *m = &r->m;
    struct read_request request = {.file = "test.cfg", .text = text, .data_dir = "."};
    struct trace_source program;
    program_of(d, &program);
    const struct trace_source *one = &program;
    struct gpu_run once = {.programs = &one, .n_programs = 1};
    memset(r, 0, sizeof *r);
    arena_init(&m->mem, NULL, NULL);
    err_init(&m->err);
    bool ok = arch_read(&request, &m->mem, &m->arch, &m->err) &&
              sim_setup_make(&m->arch, ".", true, 1, &m->mem, &m->setup, &m->err) &&
              run_pair(&(struct run_request){.setup = &m->setup, .run = &once}, &m->mem, &r->out,
                       &m->err);
    for (const struct err_entry *e = m->err.first; e && !ok; e = e->next)
        print_error("%s\n", err_entry_text(e, &m->mem));
    assert_true(ok);
    m->gpu = r->out.gpu;
    program.close(&program);
}

static double group_j(const struct priced_run *r, const char *name)
{
    for (uint32_t g = 0; g < r->out.energy.account.n_groups; g++)
        if (strcmp(r->out.energy.account.groups[g].name, name) == 0)
            return r->out.energy.account.groups[g].dynamic_j;
    fail_msg("no group %s", name);
    return 0;
}

static double dynamic_pj(const char *text, const char *group, const struct doing *d)
{
    struct priced_run r;
    run(&r, text, d);
    double pj = group_j(&r, group) * 1e12;
    machine_free(&r.m);
    return pj;
}

/* A small GPU whose L1 and L2 have sectors, and one whose L1 has lines. */
#define SECTORED_WITH(more)                                                                        \
    "base = \"cfg/gpu/parts/v100.cfg\"; gpu: { sms = 2; };"                                        \
    "noc: { topology = \"crossbar\"; width = \"40 B\"; " more " };"                                \
    "llc: { slices = 2; }; dram: { controllers = 2; };"
#define SECTORED SECTORED_WITH("")
#define LINES                                                                                      \
    "base = \"cfg/gpu/gtx480.cfg\"; gpu: { sms = 2; };"                                            \
    "llc: { slices = 2; }; dram: { controllers = 2; };"

static bool is_near(double a, double b)
{
    return a >= b * (1 - 1e-9) && a <= b * (1 + 1e-9);
}

/* A warp's load of 32 words is 32 words' energy, one word that all want is one. */
static void shared_memory_is_paid_by_the_word(void **state)
{
    (void)state;
    struct doing d = {TC_LOAD, TS_SHARED, 1, 4, 4, 1};
    double one = dynamic_pj(SECTORED, "shared_memory", &d);
    assert_true(one > 0);
    d.lanes = 32;
    assert_true(is_near(dynamic_pj(SECTORED, "shared_memory", &d), 32 * one));
    d.stride = 0;
    assert_true(is_near(dynamic_pj(SECTORED, "shared_memory", &d), one));
    d.stride = 128; /* conflicts take longer, words are as many */
    assert_true(is_near(dynamic_pj(SECTORED, "shared_memory", &d), 32 * one));
    d = (struct doing){TC_LOAD, TS_SHARED, 32, 8, 8, 1};
    assert_true(is_near(dynamic_pj(SECTORED, "shared_memory", &d), 64 * one));
}

/* Loads that hit, and stores, by bytes: never less for more, and four times for four sectors. */
static void caches_are_paid_by_the_bytes(void **state)
{
    (void)state;
    static const char *const machines[] = {SECTORED, LINES};
    static const char *const groups[] = {"l1", "l2"};
    for (int m = 0; m < 2; m++)
        for (int store = 0; store < 2; store++)
            for (int g = 0; g < 2; g++) {
                double before = 0;
                for (uint32_t lanes = 8; lanes <= 32; lanes += 8) {
                    struct doing d = {store ? TC_STORE : TC_LOAD, TS_GLOBAL, lanes, 4, 4, 4};
                    double now = dynamic_pj(machines[m], groups[g], &d);
                    if (now < before * (1 - 1e-9))
                        fail_msg("%s: %u lanes cost %g pJ, fewer cost %g", groups[g], lanes, now,
                                 before);
                    before = now;
                }
            }
    struct doing few = {TC_LOAD, TS_GLOBAL, 16, 4, 4, 1}, more = few,
                 all = {TC_LOAD, TS_GLOBAL, 32, 4, 4, 1};
    more.times = 2; /* the second hits */
    double hit = dynamic_pj(LINES, "l1", &more) - dynamic_pj(LINES, "l1", &few);
    struct doing all_hit = all;
    all_hit.times = 2;
    double whole = dynamic_pj(LINES, "l1", &all_hit) - dynamic_pj(LINES, "l1", &all);
    struct priced_run r;
    run(&r, LINES, &few);
    const struct design_array *l1 = design_array(r.m.setup.design, ROLE_L1);
    double read_pj = r.m.setup.priced->book.costs[l1->class_id].energy_pj[EV_ARRAY_READ];
    machine_free(&r.m);
    assert_true(fabs(whole - hit - 2 * read_pj) < 1e-6 * whole);
}

/* Collectors and their switch: a row costs more with them, and an SM is larger. */
static void operand_collectors_have_their_price(void **state)
{
    (void)state;
    struct doing d = {TC_FP32, TS_GLOBAL, 32, 4, 4, 1};
    struct priced_run with, without;
    run(&with, SECTORED, &d);
    run(&without, SECTORED "energy: { collectors = false; };", &d);
    assert_true(group_j(&with, "register_file") > group_j(&without, "register_file"));
    const struct design_array *a = design_array(with.m.setup.design, ROLE_REGISTER_FILE);
    const struct cost *c = &with.m.setup.priced->book.costs[a->class_id];
    const struct cost *b = &without.m.setup.priced->book.costs[a->class_id];
    assert_true(c->area_um2[PART_CROSSBAR] > 0 && c->area_um2[PART_BUFFER] > 0);
    assert_true(cost_leakage_w(c) > cost_leakage_w(b));
    assert_true(c->energy_pj[EV_ARRAY_READ] > b->energy_pj[EV_ARRAY_READ]);
    assert_true(c->energy_pj[EV_ARRAY_WRITE] > b->energy_pj[EV_ARRAY_WRITE]);
    machine_free(&with.m);
    machine_free(&without.m);
}

/* ---- networks ---- */

static double noc_pj(const char *text, const struct doing *d)
{
    return dynamic_pj(text, "noc.request", d) + dynamic_pj(text, "noc.reply", d);
}

/* With byte enables a flit pays for the bytes it carries; what is counted stays flits. */
static void flits_are_paid_by_the_bytes(void **state)
{
    (void)state;
    static const char whole[] = SECTORED_WITH("gating = \"none\";");
    double before = 0;
    for (uint32_t lanes = 8; lanes <= 32; lanes += 8) {
        struct doing d = {TC_STORE, TS_GLOBAL, lanes, 4, 4, 2};
        double now = noc_pj(SECTORED, &d);
        assert_true(now >= before && now > 0 && now < noc_pj(whole, &d));
        before = now;
    }
    /* one load: a request of 8 bytes in a flit of 40; the account has its share to the digit */
    struct doing d = {TC_LOAD, TS_GLOBAL, 8, 4, 4, 1};
    struct priced_run gated, all;
    run(&gated, SECTORED, &d);
    run(&all, whole, &d);
    const struct account *a = &gated.out.energy.account, *b = &all.out.energy.account;
    double links = account_event_j(a, "noc.request", EV_LINK) +
                   account_event_j(a, "noc.request", EV_LINK_GATED);
    assert_true(is_near(account_event_j(a, "noc.request", EV_LINK),
                        account_event_j(b, "noc.request", EV_LINK)));
    assert_true(is_near(links, 0.2 * account_event_j(b, "noc.request", EV_LINK)));
    assert_true(account_event_j(b, "noc.request", EV_LINK_GATED) == 0);
    /* a reply of 32 bytes and header fills its flit */
    assert_true(account_event_j(a, "noc.reply", EV_LINK_GATED) == 0);
    machine_free(&gated.m);
    machine_free(&all.m);
}

/* ---- DRAM and power at rest ---- */

static double leakage_w(const struct priced_run *r, bool in_sm)
{
    const struct priced *p = r->m.setup.priced;
    double w = 0;
    for (uint32_t k = 0; k < p->book.n_classes; k++) {
        const struct book_class *c = &p->classes[k];
        bool is_sm = c->kind == CK_ARRAY && c->array->scope == PER_SM;
        if (is_sm == in_sm && c->kind != CK_SM_CORE && c->kind != CK_MEMORY_CONTROLLER)
            w +=
                c->instances * (cost_leakage_w(&p->book.costs[k]) -
                                (c->kind == CK_ARRAY ? p->book.costs[k].leakage_w[PART_OTHER] : 0));
    }
    return w;
}

/* What the tables of coefficients say lies in the fits is what the card's own description takes; so
 * power at rest is the fit's, no more and no less. */
static void power_at_rest_is_counted_once(void **state)
{
    (void)state;
    static const char *const cards[] = {
        "base = \"cfg/gpu/qv100.cfg\";",
        "base = \"cfg/gpu/gtx480.cfg\"; tech: { temperature = 340.0; };",
        "base = \"cfg/gpu/qv100.cfg\"; tech: { logic = \"finfet\"; };"};
    struct doing d = {TC_FP32, TS_GLOBAL, 32, 4, 4, 1};
    for (int i = 0; i < 3; i++) { /* at the temperature of the tables */
        struct priced_run r;
        run(&r, cards[i], &d);
        const struct priced *p = r.m.setup.priced;
        const struct arch *arch = &r.m.arch;
        double sm = leakage_w(&r, true) / arch->gpu.n_sms, shared = leakage_w(&r, false);
        double standby = arch->dram.controllers * dram_standby_w(&p->dram, &p->dram_shape);
        assert_true(fabs(sm / p->gw_base.sm_leakage_w - 1) < 0.25);
        assert_true(fabs(shared - p->gw_base.shared_leakage_w) < 6);
        assert_true(fabs(standby / p->gw_base.dram_standby_w - 1) < 0.01);
        const struct account *a = &r.out.energy.account;
        double constant =
            p->gpuwattch.constant_w + (p->gpuwattch.is_accelwattch ? p->gw_base.controller_w : 0);
        double rest = r.out.energy.input.constant_w + shared + standby;
        assert_true(fabs(rest / constant - 1) < 0.2);
        assert_true(a->total_j > 0);
        machine_free(&r.m);
    }
    /* counted twice, as it was, is more */
    struct priced_run once, twice;
    run(&once, "base = \"cfg/gpu/qv100.cfg\";", &d);
    run(&twice, "base = \"cfg/gpu/qv100.cfg\"; energy: { leakage = \"both\"; };", &d);
    assert_true(twice.out.energy.account.total_j > once.out.energy.account.total_j);
    assert_true(twice.out.energy.account.static_j > once.out.energy.account.static_j);
    machine_free(&once.m);
    machine_free(&twice.m);
}

/* Reads of 32 bytes: row, core, pins apart, each at its published price. */
static void dram_is_paid_by_command_and_bit(void **state)
{
    (void)state;
    struct doing d = {TC_LOAD, TS_GLOBAL, 8, 4, 4, 1};
    struct priced_run r;
    run(&r, SECTORED, &d);
    const struct account *a = &r.out.energy.account;
    double reads = result_get(&r.out.result, "dram_rd"),
           acts = result_get(&r.out.result, "dram_act");
    assert_true(reads > 0 && acts > 0);
    assert_true(is_near(account_event_j(a, "dram", EV_DRAM_READ), reads * 256 * 2.68e-12));
    assert_true(is_near(account_event_j(a, "dram", EV_DRAM_IO), reads * 256 * 0.80e-12));
    assert_true(is_near(account_event_j(a, "dram", EV_DRAM_ACTIVATE), acts * 2 * 909e-12));
    double s = r.out.energy.input
                   .seconds; /* two channels of two pseudo-channels; clocks are whole ticks */
    double background = account_event_j(a, "dram", EV_DRAM_BACKGROUND);
    assert_true(fabs(background / (s * 4 * 81.75e-3) - 1) < 0.02);
    double parts = 0;
    static const char *const names[] = {"activation", "core", "pins", "refresh", "background"};
    for (int i = 0; i < 5; i++) {
        char name[64];
        snprintf(name, sizeof name, "dram_energy_j.%s", names[i]);
        parts += result_get(&r.out.result, name);
    }
    assert_true(is_near(parts, group_j(&r, "dram")));
    machine_free(&r.m);
}

/* Nothing done costs no dynamic energy but the clock's and the DRAM's: an SM without work has idle
 * power alone. */
static void no_work_costs_time_alone(void **state)
{
    (void)state;
    struct doing little = {TC_FP32, TS_GLOBAL, 32, 4, 4, 1};
    struct priced_run r;
    run(&r, SECTORED, &little); /* one warp: the second SM has nothing to do */
    const struct priced *p = r.m.setup.priced;
    const struct design *d = r.m.setup.design;
    const struct run_energy *e = &r.out.energy;
    uint32_t core = design_group(d, GROUP_SM_CORES)->first;
    uint32_t idle = e->counts[core][EV_WARP_ISSUE] ? 1 : 0;
    double idle_w = p->gpuwattch.idle_core_w - p->gw_base.sm_leakage_w;
    assert_true(
        fabs(account_component_j(&e->input, core + idle) / (idle_w * e->input.seconds) - 1) < 1e-6);
    for (uint32_t k = 0; k < d->n_arrays; k++) {
        const struct design_array *a = &d->arrays[k];
        if (a->geometry.scope != PER_SM || a->class_id == DESIGN_NONE)
            continue;
        double leak = cost_leakage_w(&p->book.costs[a->class_id]) * e->input.seconds;
        assert_true(is_near(account_component_j(&e->input, a->first_component + idle), leak));
    }
    double sum = 0;
    for (uint32_t g = 0; g < e->account.n_groups; g++)
        sum += e->account.groups[g].total_j;
    assert_true(is_near(sum, e->account.total_j));
    machine_free(&r.m);
}

/* ---- area ---- */

/* The parts are the die, the die is the card's, and the floorplan has its size. */
static void parts_make_a_die(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double die_mm2;
    } cards[] = {{"base = \"cfg/gpu/qv100.cfg\";", 815}, {"base = \"cfg/gpu/gtx480.cfg\";", 529}};
    struct doing d = {TC_FP32, TS_GLOBAL, 32, 4, 4, 1};
    for (int i = 0; i < 2; i++) {
        struct priced_run r;
        run(&r, cards[i].text, &d);
        const struct die *die = &r.m.setup.priced->die;
        double sum = 0;
        for (uint32_t g = 0; g < r.out.energy.account.n_groups; g++)
            sum += r.out.energy.account.groups[g].area_mm2;
        assert_true(fabs(die->total_mm2 / cards[i].die_mm2 - 1) < 0.01);
        assert_true(is_near(sum, die->total_mm2));
        assert_true(is_near(r.out.energy.chip_mm2, die->total_mm2));
        const struct noc_floorplan *f = &r.m.setup.design->floorplan;
        double plan = (double)f->width_mm * (double)f->height_mm;
        assert_true(plan / cards[i].die_mm2 > 0.99 && plan / cards[i].die_mm2 < 1.1);
        machine_free(&r.m);
    }
    /* half the SMs: less die, shorter way */
    struct priced_run all, half;
    run(&all, "base = \"cfg/gpu/qv100.cfg\";", &d);
    run(&half, "base = \"cfg/gpu/qv100.cfg\"; gpu: { sms = 40; };", &d);
    assert_true(half.m.setup.priced->die.total_mm2 < all.m.setup.priced->die.total_mm2);
    assert_true(half.m.setup.design->floorplan.width_mm < all.m.setup.design->floorplan.width_mm);
    machine_free(&all.m);
    machine_free(&half.m);
}

/* Where no fit has static power, logic leaks by its area; where there is one it does not. */
static void logic_leaks_once(void **state)
{
    (void)state;
    struct doing d = {TC_FP32, TS_GLOBAL, 32, 4, 4, 1};
    struct priced_run model, fit;
    run(&model, "base = \"cfg/gpu/gtx480.cfg\";", &d);
    run(&fit, "base = \"cfg/gpu/gtx480.cfg\"; energy: { leakage = \"fit\"; };", &d);
    const struct priced *p[2] = {model.m.setup.priced, fit.m.setup.priced};
    for (uint32_t k = 0; k < p[0]->book.n_classes; k++)
        if (p[0]->classes[k].kind == CK_SM_CORE) {
            assert_true(p[0]->book.costs[k].leakage_w[PART_OTHER] > 0);
            assert_true(p[1]->book.costs[k].leakage_w[PART_OTHER] == 0);
            assert_true(p[0]->book.costs[k].energy_pj[EV_SM_IDLE] <
                        p[1]->book.costs[k].energy_pj[EV_SM_IDLE]);
        }
    assert_true(p[0]->die.rest_w > 0 && p[1]->die.rest_w == 0);
    machine_free(&model.m);
    machine_free(&fit.m);
}

/* The coalescer's tables: paid by the access, at the coefficients' price, and only where asked. */
static void the_coalescer_has_its_price(void **state)
{
    (void)state;
    struct doing d = {TC_LOAD, TS_GLOBAL, 32, 4, 4, 4};
    struct priced_run with, without;
    run(&with, LINES, &d);
    run(&without, LINES "energy: { coalescer = false; };", &d);
    double reads = result_get(&with.out.result, "l1d_accesses");
    const struct priced *p = with.m.setup.priced;
    double pj = 1e12 * p->gw_base.coalescer_read_j * p->gpuwattch.scale[GW_DC_RH];
    assert_true(reads > 0 && pj > 0);
    assert_true(is_near(account_event_j(&with.out.energy.account, "core", EV_COALESCED_READ),
                        reads * pj * 1e-12));
    assert_true(account_event_j(&without.out.energy.account, "core", EV_COALESCED_READ) == 0);
    machine_free(&with.m);
    machine_free(&without.m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shared_memory_is_paid_by_the_word),
        cmocka_unit_test(caches_are_paid_by_the_bytes),
        cmocka_unit_test(operand_collectors_have_their_price),
        cmocka_unit_test(flits_are_paid_by_the_bytes),
        cmocka_unit_test(power_at_rest_is_counted_once),
        cmocka_unit_test(dram_is_paid_by_command_and_bit),
        cmocka_unit_test(no_work_costs_time_alone),
        cmocka_unit_test(the_coalescer_has_its_price),
        cmocka_unit_test(parts_make_a_die),
        cmocka_unit_test(logic_leaks_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
