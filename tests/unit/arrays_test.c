/* SPDX-License-Identifier: MIT
 *
 * No array is free: whatever the table of arrays lists is in a design, is counted by the machine
 * and is paid for in the account. Designs that between them have every array run a small program
 * that uses all of them. */
#include "tests/unit/machine.h"

#include "gen/run/run.h"
#include "sim/arrays.h"

/* ---- what there is, said a second time on purpose: a row that is lost or changed is seen ---- */

enum { R = 1, W = 2, S = 4 };

static const struct {
    const char *name, *where;
    int events; /* 0: priced with its router */
} expected[] = {
    {"register_file", "per SM", R | W},
    {"shared_memory", "per SM", R | W},
    {"l1", "per SM", R | W | S},
    {"l1_mshr", "per SM", R | W | S},
    {"warppool_instruction_queues", "per SM", R | W},
    {"warppool_coalescers", "per SM", R | W},
    {"warppool_merge_queues", "per SM", R | W | S},
    {"warppool_thread_map_table", "per SM", R | W},
    {"warppool_mshr_metadata", "per SM", R | W},
    {"mrpb_queues", "per SM", R | W},
    {"merge_table", "per cluster", R | W | S},
    {"coalesced_cache", "per cluster", R | W | S},
    {"request_vc_buffers", "per request router input", 0},
    {"reply_vc_buffers", "per reply router input", 0},
    {"packet_merge_table", "per request router", 0},
    {"l2", "per LLC slice", R | W | S},
    {"l2_mshr", "per LLC slice", R | W | S},
    {"dram_queue", "per memory controller", R | W | S},
    {"dram_bank_queues", "per memory controller", R | W},
};
#define N_EXPECTED (sizeof expected / sizeof *expected)

static int events_of(enum array_role role)
{
    struct array_counts e = array_role_events(role);
    return (e.reads ? R : 0) | (e.writes ? W : 0) | (e.searches ? S : 0);
}

static void the_table_has_every_array(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_EXPECTED; i++) {
        int found = -1;
        for (int role = 0; role < ROLE_COUNT; role++)
            if (strcmp(array_role_name((enum array_role)role), expected[i].name) == 0)
                found = role;
        if (found < 0)
            fail_msg("no row '%s'", expected[i].name);
        enum array_role role = (enum array_role)found;
        assert_string_equal(array_scope_text(array_role_scope(role)), expected[i].where);
        assert_int_equal(events_of(role), expected[i].events);
        assert_int_equal(array_role_is_in_router(role), !expected[i].events);
    }
    /* a new row has its line here */
    assert_int_equal(ROLE_COUNT, N_EXPECTED);
}

/* ---- a program that does everything ---- */

enum { LOAD, STORE, SHARED_LOAD, SHARED_STORE, ADD, EXIT, STATICS };

static const struct trace_static statics[STATICS] = {
    [LOAD] = {.pc = 0,
              .cls = TC_LOAD,
              .space = TS_GLOBAL,
              .access_bytes = 4,
              .n_dst = 1,
              .n_src = 1,
              .dst = {1},
              .src = {2}},
    [STORE] = {.pc = 8,
               .cls = TC_STORE,
               .space = TS_GLOBAL,
               .access_bytes = 4,
               .n_src = 2,
               .src = {2, 3}},
    [SHARED_LOAD] = {.pc = 16,
                     .cls = TC_LOAD,
                     .space = TS_SHARED,
                     .access_bytes = 4,
                     .n_dst = 1,
                     .n_src = 1,
                     .dst = {4},
                     .src = {3}},
    [SHARED_STORE] = {.pc = 24,
                      .cls = TC_STORE,
                      .space = TS_SHARED,
                      .access_bytes = 4,
                      .n_src = 2,
                      .src = {3, 1}},
    [ADD] = {.pc = 32, .cls = TC_FP32, .n_dst = 1, .n_src = 2, .dst = {3}, .src = {1, 4}},
    [EXIT] = {.pc = 40, .cls = TC_EXIT},
};

#define CTAS 80u
#define WARPS 2u
#define ROUNDS 12u
#define LINES 40u /* that all CTAs read, each from another one on */

struct cta_code {
    struct trace_inst insts[WARPS][ROUNDS * 6 + 1];
    uint64_t addresses[WARPS * ROUNDS * 5 * 32];
    uint32_t n_addresses;
};

static void put(struct cta_code *c, struct trace_inst **at, int stat, uint64_t base, uint32_t swap)
{
    struct trace_inst *inst = (*at)++;
    *inst = (struct trace_inst){.mask = UINT32_MAX, .stat = (uint16_t)stat};
    if (stat == ADD || stat == EXIT)
        return;
    inst->first_address = c->n_addresses;
    inst->n_addresses = 32;
    for (uint32_t lane = 0; lane < 32; lane++)
        c->addresses[c->n_addresses++] = base + (lane ^ swap) * 4;
}

static void write_cta(uint32_t cta, struct cta_code *c)
{
    c->n_addresses = 0;
    for (uint32_t w = 0; w < WARPS; w++) {
        struct trace_inst *at = c->insts[w];
        for (uint32_t i = 0; i < ROUNDS; i++) {
            uint64_t shared_line = (cta / 2 + i) % LINES,
                     own = 1000 + (cta * WARPS + w) * 4 + i % 4;
            put(c, &at, LOAD, 0x10000000 + shared_line * LINE, 1); /* lanes swapped: irregular */
            put(c, &at, SHARED_STORE, w * 128, 0);
            put(c, &at, SHARED_LOAD, w * 128, 0);
            put(c, &at, ADD, 0, 0);
            put(c, &at, STORE, 0x10000000 + own * LINE, 0);
            put(c, &at, LOAD, 0x10000000 + shared_line * LINE, 0);
        }
        put(c, &at, EXIT, 0, 0);
    }
}

static void program_of_everything(struct trace_source *out)
{
    struct trace_memory *m = trace_memory_new("everything");
    struct trace_sink sink = trace_memory_sink(m);
    struct trace_kernel kernel = {.name = "everything",
                                  .grid = {CTAS, 1, 1},
                                  .block = {WARPS * 32, 1, 1},
                                  .n_ctas = CTAS,
                                  .warps_per_cta = WARPS,
                                  .regs_per_thread = 8,
                                  .shared_bytes = 1024};
    struct cta_code *code = calloc(1, sizeof *code);
    struct err err;
    err_init(&err);
    for (int k = 0; k < 2; k++) { /* the second finds the lines in the L2 */
        assert_true(sink.begin_kernel(sink.ctx, &kernel, &err));
        for (uint32_t c = 0; c < CTAS; c++) {
            write_cta(c, code);
            struct trace_warp warps[WARPS];
            for (uint32_t w = 0; w < WARPS; w++)
                warps[w] = (struct trace_warp){code->insts[w], ROUNDS * 6 + 1};
            struct trace_cta cta = {
                .id = c, .n_warps = WARPS, .warps = warps, .addresses = code->addresses};
            assert_true(sink.add_cta(sink.ctx, &cta, &err));
        }
        assert_true(sink.end_kernel(sink.ctx, statics, STATICS, &err));
    }
    trace_memory_source(m, out);
    err_free(&err);
    free(code);
}

/* ---- designs ---- */

/* As made for the papers, but for fewer SMs. */
static const struct {
    const char *name, *text;
} designs[] = {
    {"icc and cc", "base = \"cfg/paper/icc/icc-cc.cfg\"; gpu: { sms = 20; clusters = 4; };"},
    {"warppool", "base = \"cfg/paper/warppool/warppool.cfg\";"},
    {"mrpb", "base = \"cfg/paper/warppool/mrpb.cfg\";"},
    {"banked, merging", "base = \"cfg/paper/packet/bfifo4-merge.cfg\";"},
};
#define N_DESIGNS (sizeof designs / sizeof *designs)

struct priced_run {
    struct machine m;
    struct run_outcome out;
};

static void run(struct priced_run *r, const char *text, const struct trace_source *program)
{
    struct machine *m = &r->m;
    struct read_request request = {.file = "test.cfg", .text = text, .data_dir = "."};
    struct gpu_run once = {.programs = &program, .n_programs = 1};
    memset(r, 0, sizeof *r);
    arena_init(&m->mem, NULL, NULL);
    err_init(&m->err);
    bool ok = arch_read(&request, &m->mem, &m->arch, &m->err) &&
              sim_setup_make(&m->arch, ".", true, 1, &m->mem, &m->setup, &m->err) &&
              run_pair(&(struct run_request){.setup = &m->setup, .run = &once}, &m->mem, &r->out,
                       &m->err);
    m->gpu = r->out.gpu;
    for (const struct err_entry *e = m->err.first; e && !ok; e = e->next)
        print_error("%s\n", err_entry_text(e, &m->mem));
    assert_true(ok && run_has_energy(&m->setup));
}

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-12 * fabs(b);
}

/* Sums over instances. Only array events happen to an array. */
static void sum_counts(const struct priced_run *r, const struct design_array *a,
                       uint64_t sum[EV_COUNT])
{
    memset(sum, 0, EV_COUNT * sizeof *sum);
    for (uint32_t i = 0; i < a->geometry.instances; i++)
        for (int e = 0; e < EV_COUNT; e++)
            sum[e] += r->out.energy.counts[a->first_component + i][e];
    for (int e = 0; e < EV_COUNT; e++)
        assert_true(event_owner((enum sim_event)e) == CK_ARRAY || sum[e] == 0);
}

static const enum sim_event array_events[] = {EV_ARRAY_READ, EV_ARRAY_WRITE, EV_ARRAY_SEARCH};

/* Counted what its row says and nothing else, and each count is paid at its price. */
static void check_array(const char *design, const struct priced_run *r,
                        const struct design_array *a, int *seen)
{
    const struct cost *cost = &r->m.setup.priced->book.costs[a->class_id];
    const struct account_line *line = &r->out.energy.account.lines[a->class_id];
    const char *name = a->geometry.name;
    uint64_t sum[EV_COUNT];
    double dynamic_j = 0;
    sum_counts(r, a, sum);
    for (int k = 0; k < 3; k++) {
        enum sim_event e = array_events[k];
        bool is_listed = events_of(a->role) >> k & 1, has_price = !isnan(cost->energy_pj[e]);
        if (!is_listed && sum[e])
            fail_msg("%s: %s counts %s, which its row does not say", design, name, event_id(e));
        if (is_listed && has_price && !sum[e])
            fail_msg("%s: %s never counts %s", design, name, event_id(e));
        if (sum[e])
            *seen |= 1 << k;
        double joules = sum[e] ? (double)sum[e] * cost->energy_pj[e] * 1e-12 : 0;
        if (sum[e] && !(joules > 0))
            fail_msg("%s: %s: %s is free", design, name, event_id(e));
        assert_true(is_near(line->dynamic_j[e], joules));
        dynamic_j += joules;
    }
    for (uint32_t g = 0; g < r->out.energy.account.n_groups; g++) {
        const struct account_group *group = &r->out.energy.account.groups[g];
        if (strcmp(group->name, name) == 0) {
            assert_true(dynamic_j > 0 && is_near(group->dynamic_j, dynamic_j));
            return;
        }
    }
    fail_msg("%s: %s has no line in the account", design, name);
}

static void every_array_is_counted_and_paid(void **state)
{
    const struct trace_source *program = *state;
    bool is_built[ROLE_COUNT] = {false};
    int seen[ROLE_COUNT] = {0};
    for (size_t i = 0; i < N_DESIGNS; i++) {
        struct priced_run r;
        run(&r, designs[i].text, program);
        const struct design *d = r.m.setup.design;
        for (uint32_t k = 0; k < d->n_arrays; k++) {
            const struct design_array *a = &d->arrays[k];
            is_built[a->role] = true;
            assert_true(a->geometry.instances > 0 && a->geometry.entries > 0);
            assert_int_equal(a->first_component == DESIGN_NONE, array_role_is_in_router(a->role));
            if (!array_role_is_in_router(a->role))
                check_array(designs[i].name, &r, a, &seen[a->role]);
        }
        machine_free(&r.m);
    }
    for (int role = 0; role < ROLE_COUNT; role++) {
        const char *name = array_role_name((enum array_role)role);
        if (!is_built[role])
            fail_msg("no design of this test has a %s", name);
        if (seen[role] != events_of((enum array_role)role))
            fail_msg("%s: not all of its events were counted", name);
    }
}

/* What SMs have is theirs, and nothing is in two SMs: the SMs, and all that is not in them, are the
 * whole. */
static void parts_of_sms_and_of_the_rest_are_the_whole(void **state)
{
    const struct trace_source *program = *state;
    struct priced_run r;
    run(&r, designs[0].text, program);
    const struct design *d = r.m.setup.design;
    double sms_j = 0, rest_j = 0;
    for (uint32_t sm = 0; sm < d->arch->gpu.n_sms; sm++)
        sms_j += run_sm_j(r.m.setup.priced, &r.out.energy, sm);
    for (uint32_t c = 0; c < d->n_components; c++) {
        const struct book_class *cls = &d->classes[d->components[c].class_id];
        bool is_in_sm =
            cls->kind == CK_SM_CORE ||
            (cls->kind == CK_ARRAY && strcmp(array_scope_text(cls->array->scope), "per SM") == 0);
        rest_j += is_in_sm ? 0 : account_component_j(&r.out.energy.input, c);
    }
    const struct account *a = &r.out.energy.account;
    double whole_j = a->total_j - a->static_j - a->constant_j;
    assert_true(fabs(sms_j + rest_j - whole_j) <= 1e-9 * whole_j);
    machine_free(&r.m);
}

/* A machine without an array has nothing to say of it. */
static void an_array_that_is_not_there_counts_nothing(void **state)
{
    const struct trace_source *program = *state;
    struct machine m;
    machine_make(&m, SMALL_MACHINE, NULL);
    machine_run(&m, &program, 1);
    static const enum array_role absent[] = {
        ROLE_WP_INSTRUCTIONS,  ROLE_WP_COALESCERS, ROLE_WP_MERGE_QUEUES, ROLE_WP_THREAD_MAPS,
        ROLE_WP_MSHR_METADATA, ROLE_MRPB,          ROLE_MERGE_TABLE,     ROLE_COALESCED_CACHE};
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++) {
        uint64_t n[EV_COUNT] = {0};
        gpu_array_events(m.gpu, absent[i], 0, n);
        for (int e = 0; e < EV_COUNT; e++)
            assert_int_equal(n[e], 0);
    }
    machine_free(&m);
}

static int set_up(void **state)
{
    struct trace_source *program = calloc(1, sizeof *program);
    program_of_everything(program);
    *state = program;
    return 0;
}

static int tear_down(void **state)
{
    struct trace_source *program = *state;
    program->close(program);
    free(program);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_has_every_array),
        cmocka_unit_test(every_array_is_counted_and_paid),
        cmocka_unit_test(parts_of_sms_and_of_the_rest_are_the_whole),
        cmocka_unit_test(an_array_that_is_not_there_counts_nothing),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
