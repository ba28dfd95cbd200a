/* SPDX-License-Identifier: MIT
 *
 * Machines that stick on purpose: what the watchdog says must name who waits, for what and where.
 */
#include "tests/unit/fixture.h"
#include "tests/unit/steps.h"

#include "base/arena.h"
#include "base/err.h"
#include "gen/config/read.h"
#include "gen/run/setup.h"
#include "sim/frame/machine.h"
#include "sim/gpu/gpu.h"
#include "sim/memory/dram.h"
#include "sim/memory/dram_sched.h"
#include "sim/memory/l2.h"
#include "sim/sm/sm.h"

#define BASE                                                                                       \
    "gpu: { sms = 2; core_clock_ghz = 1.0; l2_clock_ghz = 1.0; dram_clock_ghz = 1.0;\n"            \
    "       network = \"local\"; };\n"                                                             \
    "sm: { warps = 32; threads = 1024; registers = 65536; };\n"                                    \
    "l1: { size = 32768; hit_cycles = 20; mshr: { entries = 8; }; };\n"                            \
    "noc: { topology = \"crossbar\"; clock_ghz = 1.0; };\n"                                        \
    "llc: { slices = 2; hit_cycles = 30; };\n"                                                     \
    "dram: { controllers = 2; controller_cycles = 50; };\n"

/* ---- ways to stick ---- */

typedef void (*spoil_fn)(struct gpu *g);

static enum hook_verdict keep(void *ctx, struct gpu *g, uint32_t cluster, uint32_t req,
                              uint64_t now)
{
    (void)ctx, (void)g, (void)cluster, (void)req, (void)now;
    return HOOK_TAKEN;
}

/* Loads leave their SM and are never seen again. */
static void lose_loads(struct gpu *g)
{
    g->hooks = (struct cluster_hooks){.request = keep};
}

static bool choose_none(void *state, uint64_t free_banks, const uint32_t *rows, uint32_t first,
                        struct dram_choice *out)
{
    (void)state, (void)free_banks, (void)rows, (void)first, (void)out;
    return false;
}

/* The DRAM takes requests until its queues are full and serves none. */
static void stop_dram(struct gpu *g)
{
    struct dram_sched *s = arena_new(g->mem, struct dram_sched);
    *s = *g->dram_sched;
    s->next = choose_none;
    g->dram_sched = s;
}

/* Schedulers may choose no warp. */
static void allow_nobody(struct gpu *g)
{
    for (uint32_t i = 0; i < g->n_sms; i++)
        g->sms[i].allowed = 0;
}

static void slow_arithmetic(struct gpu *g)
{
    g->sm_common->classes[TC_FP32].latency = 1000000;
}

/* A request that nobody asked for, in nobody's hands. */
static void leak_request(struct gpu *g)
{
    req_new(&g->pool, (struct request){.kind = REQ_READ});
}

static uint64_t one(const void *ctx)
{
    (void)ctx;
    return 1;
}

static void hold_one(struct gpu *g)
{
    g->hooks = (struct cluster_hooks){.held = one};
}

/* A queue that cannot hold what its owner may put into it. */
static void shrink_responses(struct gpu *g)
{
    for (uint32_t i = 0; i < g->n_sms; i++)
        g->sms[i].responses.most = 0;
}

static void take_from_empty(struct gpu *g)
{
    for (uint32_t i = 0; i < g->n_slices; i++)
        ring_pop(&g->slices[i].replies);
}

static uint64_t restless(void *state, uint64_t now)
{
    struct gpu *g = state;
    g->moved_at = now;
    return now + 1;
}

static void swallow(void *state, uint32_t op, uint64_t now)
{
    (void)state, (void)op, (void)now;
}

static bool always(void *state, uint32_t op)
{
    (void)state, (void)op;
    return true;
}

/* A coalescer that turns a load over and over and never hands it on. */
static void turn_in_circles(struct gpu *g)
{
    struct coalescer *c = arena_new(g->mem, struct coalescer);
    *c = *g->sm_common->coalescer;
    c->can_take = always;
    c->take = swallow;
    c->cycle = restless;
    g->sm_common->coalescer = c;
    for (uint32_t i = 0; i < g->n_sms; i++)
        g->sms[i].coalescer = g;
}

/* How long is too long: less than a description may ask for. */
struct patience {
    uint64_t watchdog, livelock;
};

/* Runs the steps on a machine so spoiled; returns what it says. */
static const char *said_after(struct fixture *f, struct patience patience, const struct step *steps,
                              uint32_t n, uint32_t warps, const char *const *sets, spoil_fn spoil)
{
    size_t n_sets = 0;
    while (sets && sets[n_sets])
        n_sets++;
    struct trace_source src;
    steps_source(steps, n, 2, warps, &src);
    struct arch *a = arena_new(&f->mem, struct arch);
    struct sim_setup *s = arena_new(&f->mem, struct sim_setup);
    struct read_request r = {.file = "test",
                             .text = BASE,
                             .sets = sets,
                             .n_sets = n_sets,
                             .data_dir = ".",
                             .no_files = true};
    if (!arch_read(&r, &f->mem, a, &f->err))
        fail_msg("%s", f->err.first->text);
    a->sim.watchdog_cycles = patience.watchdog;
    a->sim.livelock_cycles = patience.livelock;
    assert_true(sim_setup_make(a, ".", false, 1, &f->mem, s, &f->err));
    struct gpu *g = sim_setup_gpu(s, &f->mem, &f->err);
    assert_non_null(g);
    spoil(g);
    const struct trace_source *programs[] = {&src};
    assert_false(gpu_run(g, &(struct gpu_run){.programs = programs, .n_programs = 1}));
    assert_int_equal(f->err.last->kind, ERR_MACHINE);
    src.close(&src);
    return f->err.last->text;
}

static const char *said(struct fixture *f, const struct step *steps, uint32_t n, uint32_t warps,
                        const char *const *sets, spoil_fn spoil)
{
    return said_after(f, (struct patience){1000, 100000}, steps, n, warps, sets, spoil);
}

static void expect(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("no \"%s\" in: %s", part, text);
}

#define SETS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define LOAD_STEP                                                                                  \
    {                                                                                              \
        TC_LOAD, TS_GLOBAL, 1, 2, FULL, 0x1000, 4, 0, 0                                            \
    }
#define USE_STEP                                                                                   \
    {                                                                                              \
        TC_FP32, 0, 3, 1, FULL, 0, 0, 0, 0                                                         \
    }

/* ---- tests ---- */

static void a_lost_load_is_named_with_its_warp_and_instruction(void **state)
{
    struct fixture *f = *state;
    static const struct step steps[] = {LOAD_STEP, USE_STEP, EXIT_STEP};
    const char *text = said(f, steps, 3, 1, NULL, lose_loads);
    expect(text, "nothing can move any more in cycle ");
    expect(text, ": SM 0: warp 0 of CTA 0 waits for a load (instruction 1 of 3, pc 0x10), 1 loads "
                 "and 0 stores out; L1: 1 of 8 MSHRs, 0 in the pipeline, 0 of 8 misses queued, 0 "
                 "replies; SM 1: warp 0 of CTA 1 waits for a load");
    expect(text, "; 2 requests live");
    assert_null(strstr(text, "slice")); /* they are empty */
    assert_null(strstr(text, "cluster"));
    assert_null(strstr(text, "channel"));
}

static void each_reason_to_wait_has_its_words(void **state)
{
    struct fixture *f = *state;
    const struct {
        const char *words;
        struct step steps[4];
        uint32_t n, warps;
        spoil_fn spoil;
        const char *const *sets;
    } cases[] = {
        {"warp 0 of CTA 0 waits at a fence (instruction 2 of 3",
         {LOAD_STEP, {TC_FENCE, 0, 0, 0, FULL, 0, 0, 0, 0}, EXIT_STEP},
         3,
         1,
         lose_loads,
         NULL},
        {"warp 0 of CTA 0 waits for an atomic (instruction 1 of 2",
         {{TC_ATOMIC, TS_GLOBAL, 1, 2, FULL, 0x1000, 0, 0, 0}, EXIT_STEP},
         2,
         1,
         stop_dram,
         NULL},
        {"warp 0 of CTA 0 has ended but for its memory accesses (instruction 2 of 2, pc 0x10), 1 "
         "loads",
         {LOAD_STEP, EXIT_STEP},
         2,
         1,
         lose_loads,
         NULL},
        {"warp 0 of CTA 0 waits for an instruction (instruction 0 of 2",
         {USE_STEP, EXIT_STEP},
         2,
         1,
         stop_dram,
         SETS("sm.fetches_per_cycle=1", "sm.icache.size=2048")},
        /* the search begins behind warp 0, and only one warp may wait for a line */
        {"warp 0 of CTA 0 could be fetched (instruction 0 of 2",
         {USE_STEP, EXIT_STEP},
         2,
         2,
         stop_dram,
         SETS("sm.fetches_per_cycle=1", "sm.icache.size=2048", "sm.icache.merges=1")},
        {"warp 0 of CTA 0 could issue (instruction 0 of 2",
         {USE_STEP, EXIT_STEP},
         2,
         1,
         allow_nobody,
         NULL},
        {"warp 0 of CTA 0 waits for a result (instruction 1 of 3",
         {USE_STEP, {TC_FP32, 0, 4, 3, FULL, 0, 0, 0, 0}, EXIT_STEP},
         3,
         1,
         slow_arithmetic,
         NULL},
        /* every warp is at it but the one that loads */
        {"warp 1 of CTA 0 waits for a load (instruction 1 of 4",
         {{TC_LOAD, TS_GLOBAL, 1, 2, FULL, 0x1000, 4, 2, 0},
          {TC_FP32, 0, 3, 1, FULL, 0, 0, 2, 0},
          {TC_BARRIER, 0, 0, 0, FULL, 0, 0, 0, 0},
          EXIT_STEP},
         4,
         2,
         lose_loads,
         NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect(said(f, cases[i].steps, cases[i].n, cases[i].warps, cases[i].sets, cases[i].spoil),
               cases[i].words);
}

/* Every lane of every warp asks for a line of its own. */
static void a_dead_dram_is_seen_through_all_queues(void **state)
{
    struct fixture *f = *state;
    static const struct step steps[] = {{TC_LOAD, TS_GLOBAL, 1, 2, FULL, 0x1000, 128, 1, 0},
                                        {TC_LOAD, TS_GLOBAL, 1, 2, FULL, 0x100000, 128, 2, 0},
                                        {TC_LOAD, TS_GLOBAL, 1, 2, FULL, 0x200000, 128, 4, 0},
                                        {TC_LOAD, TS_GLOBAL, 1, 2, FULL, 0x300000, 128, 8, 0},
                                        EXIT_STEP};
    const char *text = said(f, steps, 5, 4,
                            SETS("l1.mshr.entries=128", "llc.mshr.entries=4", "llc.queue=2",
                                 "cluster.inject_depth=2", "gpu.local.depth=2"),
                            stop_dram);
    expect(text, "misses queued");
    expect(text, "; cluster 0: 2 of 2 requests wait for the network, 0 of ");
    expect(text, "; slice 0: ");
    expect(text, " 4 of 4 MSHRs, ");
    expect(text, "; channel 0: 0 arriving, 4 waiting, 0 banks at work, 0 to return");
}

static void too_long_is_as_long_as_the_key_says(void **state)
{
    struct fixture *f = *state;
    static const struct step steps[] = {USE_STEP, {TC_FP32, 0, 4, 3, FULL, 0, 0, 0, 0}, EXIT_STEP};
    const char *text =
        said_after(f, (struct patience){300, 100000}, steps, 3, 1, NULL, slow_arithmetic);
    expect(text, "nothing has moved for too long in cycle ");
}

static void movement_that_leads_nowhere_is_a_livelock(void **state)
{
    struct fixture *f = *state;
    static const struct step steps[] = {LOAD_STEP, USE_STEP, EXIT_STEP};
    const char *text =
        said_after(f, (struct patience){1000, 3000}, steps, 3, 1, NULL, turn_in_circles);
    expect(text, "requests move, but for too long no instruction has issued or ended in cycle 3");
    expect(text, ": SM 0: warp 0 of CTA 0 waits for a load (instruction 1 of 3, pc 0x10), 1 loads "
                 "and 0 stores out");
    text = said_after(f, (struct patience){1000, 30000}, steps, 3, 1, NULL, turn_in_circles);
    expect(text, "no instruction has issued or ended in cycle 30");
    /* the slowest clock counts */
    text = said_after(f, (struct patience){1000, 3000}, steps, 3, 1, SETS("gpu.dram_clock_ghz=0.1"),
                      turn_in_circles);
    expect(text, "no instruction has issued or ended in cycle 30");
}

static void a_queue_without_room_is_named(void **state)
{
    struct fixture *f = *state;
    static const struct step steps[] = {LOAD_STEP, USE_STEP, EXIT_STEP};
    expect(said(f, steps, 3, 1, NULL, shrink_responses),
           "the reply queue of an SM was given more than it holds");
    expect(said(f, steps, 3, 1, SETS("sim.verify=true"), take_from_empty),
           "in cycle 0 the reply queue of a slice was asked for more than it held");
}

static void what_is_left_at_the_end_is_an_error(void **state)
{
    struct fixture *f = *state;
    static const struct step steps[] = {USE_STEP, EXIT_STEP};
    const char *text = said(f, steps, 2, 1, NULL, leak_request);
    expect(text, "requests are left at the end of the kernels in cycle ");
    expect(text, "1 requests live");
    text = said(f, steps, 2, 1, NULL, hold_one);
    expect(text, "a merge table is not empty at the end of the kernels");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(a_lost_load_is_named_with_its_warp_and_instruction),
        TEST(each_reason_to_wait_has_its_words),
        TEST(a_dead_dram_is_seen_through_all_queues),
        TEST(too_long_is_as_long_as_the_key_says),
        TEST(movement_that_leads_nowhere_is_a_livelock),
        TEST(a_queue_without_room_is_named),
        TEST(what_is_left_at_the_end_is_an_error),
#undef TEST
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
