/* SPDX-License-Identifier: MIT
 *
 * What `check` accepts, `cost` prices and `sim` finishes. Descriptions are drawn over the table of
 * keys, so that a new key takes part by being there; sizes go down to their least value. Each is
 * tried in a process of its own: a crash, a hang or a refusal after `check` said ok is printed with
 * the settings that show it.
 *
 * CW_RANDOM_COUNT and CW_RANDOM_SEED change how many are drawn, and from where (make soak);
 * CW_RANDOM_REASONS prints why descriptions are refused. */
#include "tests/unit/config.h"
#include "tests/unit/test.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/rng.h"
#include "base/vec.h"
#include "gen/price/bill.h"
#include "gen/run/setup.h"
#include "gen/workload/trace_front.h"
#include "noc/topology.h"
#include "sim/trace/synth.h"

#define SECONDS 60u /* of CPU for one description; the slowest takes a few under the sanitizers */

enum outcome { ENDS, REFUSED, NO_REASON, NOT_PRICED, NOT_RUN, OTHER_TIME, OUTCOMES };
static const char *const outcome_texts[OUTCOMES] = {"ends",
                                                    "is refused by check",
                                                    "is refused, but not as wrong input",
                                                    "is accepted, not priced",
                                                    "is accepted, does not end",
                                                    "has other times when energy is asked for"};

typedef VEC(const char *) settings;

/* ---- drawing ---- */

static const char *const left_out[] = {"noc.width",
                                       "sm.shared_banks",
                                       "dram.row",
                                       "dram.burst",
                                       "dram.bus",
                                       "noc.hierarchical.",
                                       "noc.packet_merge.max_flits",
                                       "gpu.sms",
                                       "gpu.clusters",
                                       "llc.slices",
                                       "dram.controllers", /* below */
                                       "l1.size",
                                       "l1.ways",
                                       "l1.line",
                                       "l1.sector",
                                       "llc.size",
                                       "llc.ways",
                                       "llc.line",
                                       "llc.sector",
                                       "sm.warps",
                                       "sm.schedulers",
                                       "sm.threads",
                                       "sm.ctas",
                                       "sm.registers",
                                       "sm.shared",
                                       "sm.register_banks",
                                       "sm.texture.size",
                                       "sm.icache.size",
                                       "sm.const.size",
                                       "noc.routing",
                                       "noc.topology",
                                       "gpu.network",
                                       "sm.shared_pipeline",
                                       "noc.register_mm",
                                       "noc.custom.",
                                       "noc.mesh.memory_nodes",
                                       "noc.mesh.placement",
                                       "noc.mesh.columns",
                                       "noc.mesh.rows",
                                       "noc.clos.",
                                       "noc.butterfly.",
                                       "noc.cdxbar.",
                                       "noc.cfnoc.columns",
                                       "noc.cfnoc.rows",
                                       "noc.cfnoc.queue",
                                       "noc.shared",
                                       "dram.map",
                                       "compat.cta_turn_goes_on",
                                       "l1.carve_outs",
                                       "l1.unified",
                                       "energy.",
                                       "tech.node",
                                       "tech.logic",
                                       "tech.array_node",
                                       "tech.voltage",
                                       "sim.max_cycles",
                                       "sim.watchdog",
                                       "synth.",
                                       "gpu.core_clock_ghz",
                                       "gpu.l2_clock_ghz",
                                       "gpu.dram_clock_ghz",
                                       "dram.banks",
                                       "dram.bank_groups",
                                       "gpu.launch_cycles",
                                       "sim.verify",
                                       "dram.trcd",
                                       "dram.tras",
                                       "dram.trp",
                                       "dram.trc",
                                       "dram.trfc",
                                       "dram.trefi"};

static bool is_left_out(const char *path)
{
    for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++) {
        size_t n = strlen(left_out[i]);
        if (left_out[i][n - 1] == '.' ? !strncmp(path, left_out[i], n) : !strcmp(path, left_out[i]))
            return true;
    }
    return false;
}

static uint32_t between(struct rng *r, uint32_t lo, uint32_t hi)
{
    return lo + rng_below(r, hi - lo + 1);
}

static uint32_t one_of(struct rng *r, const uint32_t *at, size_t n)
{
    return at[rng_below(r, (uint32_t)n)];
}
#define ONE_OF(r, ...)                                                                             \
    one_of(r, (const uint32_t[]){__VA_ARGS__},                                                     \
           sizeof(const uint32_t[]){__VA_ARGS__} / sizeof(uint32_t))

/* A number near its least value, its default, or somewhere between; never one that only makes the
 * run long. */
static double number_of(struct rng *r, const struct key *k)
{
    double usual = k->number <= k->hi ? k->number : k->lo; /* else its default is a word */
    double most = usual * 2 > k->lo + 8 ? usual * 2 : k->lo + 8;
    most = most < k->hi && strcmp(k->unit, "%") != 0 ? most : k->hi;
    switch (rng_below(r, 4)) {
    case 0: return k->lo;
    case 1: return k->lo + 1 <= k->hi ? k->lo + 1 : k->lo;
    case 2: return usual >= k->lo ? usual : k->lo;
    default: return k->lo + (double)rng_below(r, (uint32_t)(most - k->lo) + 1);
    }
}

static void add_value(struct rng *r, const struct key *k, struct arena *mem, settings *s)
{
    uint32_t n = 0;
    switch (k->type) {
    case KEY_BOOL:
        vec_push(mem, s, arena_printf(mem, "%s=%s", k->path, rng_below(r, 2) ? "true" : "false"));
        return;
    case KEY_NAME:
    case KEY_ENUM:
        while (k->choices[n])
            n++;
        vec_push(mem, s, arena_printf(mem, "%s=%s", k->path, k->choices[rng_below(r, n)]));
        return;
    case KEY_INT:
    case KEY_INT64:
    case KEY_REAL:
        while (k->words && k->words[n].word)
            n++;
        if (n && !rng_below(r, 3))
            vec_push(mem, s, arena_printf(mem, "%s=%s", k->path, k->words[rng_below(r, n)].word));
        else
            vec_push(mem, s, arena_printf(mem, "%s=%.9g", k->path, number_of(r, k)));
        return;
    case KEY_TEXT:
    case KEY_INTS:
    case KEY_LIST: return;
    }
}

#define SET(...) vec_push(mem, s, arena_printf(mem, __VA_ARGS__))

/* Keys that only make sense together. */
static void add_shape(struct rng *r, struct arena *mem, settings *s)
{
    uint32_t controllers = between(r, 1, 4), slices = controllers * ONE_OF(r, 1, 2, 4);
    uint32_t per_cluster = between(r, 1, 4), clusters = between(r, 1, 6);
    SET("gpu.sms=%u", per_cluster * clusters);
    SET("gpu.clusters=%u", clusters);
    SET("dram.controllers=%u", controllers);
    SET("llc.slices=%u", slices);
    uint32_t groups = ONE_OF(r, 1, 2, 4), banks = groups * ONE_OF(r, 1, 2, 4);
    SET("dram.banks=%u", banks);
    SET("dram.bank_groups=%u", groups);
    uint32_t line = ONE_OF(r, 32, 64, 128), sector = rng_below(r, 2) ? 32 : line;
    SET("l1.line=%u", line);
    SET("llc.line=%u", line);
    SET("l1.sector=%u", sector);
    SET("llc.sector=%u", rng_below(r, 2) ? sector : line);
    uint32_t ways = ONE_OF(r, 1, 2, 4), sets = ONE_OF(r, 8, 16, 32, 64);
    uint32_t least = (1024 + line * sets - 1) / (line * sets);
    ways = ways < least ? least : ways;
    SET("l1.ways=%u", ways);
    SET("l1.size=%u", ways * sets * line);
    ways = ONE_OF(r, 1, 2, 8);
    least = (1024 + line * sets - 1) / (line * sets);
    ways = ways < least ? least : ways;
    SET("llc.ways=%u", ways);
    SET("llc.size=%u", ways * sets * line);
    uint32_t schedulers = ONE_OF(r, 1, 2, 4);
    SET("sm.schedulers=%u", schedulers);
    uint32_t warps = ONE_OF(r, 8, 24, 48, 64);
    SET("sm.warps=%u", warps);
    SET("sm.threads=%u", warps * (rng_below(r, 2) ? 32 : 24));
    uint32_t trcd = between(r, 1, 14), tras = trcd + between(r, 0, 16), trp = between(r, 1, 14);
    SET("dram.trcd=%u", trcd);
    SET("dram.tras=%u", tras);
    SET("dram.trp=%u", trp);
    SET("dram.trc=%u", tras + trp + between(r, 0, 4));
    if (rng_below(r, 2)) {
        uint32_t trfc = between(r, 1, 100);
        SET("dram.trfc=%u", trfc);
        SET("dram.trefi=%u", trfc + between(r, 120, 2000));
    }
    SET("sm.ctas=%u", ONE_OF(r, 1, 2, 8));
    SET("sm.registers=%u", ONE_OF(r, 16384, 32768, 65536));
    SET("sm.shared=%u", ONE_OF(r, 16384, 49152));
    SET("noc.width=%u", ONE_OF(r, 32, 64, 256, 320)); /* narrow ones only take long */
    SET("sm.shared_banks=%u", ONE_OF(r, 1, 8, 32));
    SET("dram.row=%u", ONE_OF(r, 512, 2048));
    SET("dram.burst=%u", ONE_OF(r, 1, 2, 4));
    SET("dram.bus=%u", ONE_OF(r, 4, 16, 32));
    SET("sm.register_banks=%u", schedulers * ONE_OF(r, 1, 2, 4));
}

static void add_network(struct rng *r, struct arena *mem, settings *s)
{
    uint32_t n = 0;
    while (noc_topologies[n])
        n++;
    const struct topology *t = noc_topologies[rng_below(r, n)];
    if (!strcmp(t->name, "custom"))
        t = noc_topologies[0];
    if (!rng_below(r, 6)) {
        SET("gpu.network=%s", rng_below(r, 2) ? "local" : "switch");
        t = noc_topology_find("crossbar"); /* what these two are */
    }
    if (t->is_one_way) { /* the other way an S-mesh; room for the longest packets of narrow flits */
        SET("noc.topology=smesh");
        SET("noc.%s.topology=%s", t->way == NOC_REQUEST ? "request" : "reply", t->name);
        if (t->way == NOC_REQUEST)
            SET("noc.request.cfnoc.queue=%u", ONE_OF(r, 300, 1000));
        return;
    }
    SET("noc.topology=%s", t->name);
    if (!rng_below(r, 4)) /* close ones only take long */
        SET("noc.register_mm=%u", ONE_OF(r, 1, 2, 5));
    for (n = 0; t->routings[n];)
        n++;
    if (!strcmp(t->routings[0], "xy") || rng_below(r, 2))
        SET("noc.routing=%s", t->routings[rng_below(r, n)]);
}

/* Keys that have an effect with what was drawn so far. */
static void add_conditional(struct rng *r, struct arena *mem, settings *s)
{
    struct err err;
    struct arch *arch = arena_new(mem, struct arch);
    err_init(&err);
    struct read_request request = {
        .file = "drawn.cfg", .text = "", .data_dir = ".", .sets = s->at, .n_sets = s->n};
    if (arch_read(&request, mem, arch, &err))
        for (const struct key *k = keys; k < keys + n_keys; k++)
            if (k->used_if && !is_left_out(k->path) && key_is_used(k, arch, 0) && rng_below(r, 2))
                add_value(r, k, mem, s);
    err_free(&err);
}

static void draw(uint64_t seed, struct arena *mem, settings *s, uint32_t *n_varied)
{
    struct rng rng, *r = &rng;
    rng_seed(r, seed, "description", 0);
    add_shape(r, mem, s);
    add_network(r, mem, s);
    SET("sim.verify=%s", rng_below(r, 2) ? "true" : "false");
    SET("sim.watchdog=100000");
    if (!getenv(
            "CW_RANDOM_COUNT")) /* who is slow is broken off; who stands still is found before */
        SET("sim.max_cycles=250000");
    size_t before = s->n;
    uint32_t share = between(r, 5, 12); /* one key of so many */
    for (const struct key *k = keys; k < keys + n_keys; k++)
        if (!k->used_if && !is_left_out(k->path) && !rng_below(r, share))
            add_value(r, k, mem, s);
    add_conditional(r, mem, s);
    *n_varied = (uint32_t)(s->n - before) + 12; /* and the shape */
}

/* ---- trying ---- */

struct programs {
    struct trace_source at[4];
    uint32_t n;
};

static int report(struct err *err, struct arena *mem, enum outcome what)
{
    for (const struct err_entry *e = err->first; e; e = e->next)
        fprintf(stderr, "  %.300s\n", err_entry_text(e, mem));
    return (int)what;
}

/* Channels aside: where both have networks of the design, both priced them. */
static bool is_same_time(const struct timing *a, const struct timing *b)
{
    return !memcmp(a->clock_khz, b->clock_khz, sizeof a->clock_khz) && a->l1_hit == b->l1_hit &&
           a->l1_lookup == b->l1_lookup && a->l1_interval == b->l1_interval &&
           a->shared_memory == b->shared_memory && a->shared_interval == b->shared_interval &&
           a->l2_hit == b->l2_hit && a->l2_interval == b->l2_interval &&
           a->dram_fixed == b->dram_fixed && a->merge_table == b->merge_table &&
           a->coalesced_cache == b->coalesced_cache;
}

/* In the child. */
static int try_one(uint64_t seed, const settings *s, const struct programs *programs)
{
    struct arena mem;
    struct err err;
    arena_init(&mem, NULL, NULL);
    err_init(&err);
    struct read_request request = {
        .file = "drawn.cfg", .text = "", .data_dir = ".", .sets = s->at, .n_sets = s->n};
    struct arch *arch = arena_new(&mem, struct arch);
    struct design *design = arena_new(&mem, struct design);
    if (!arch_read(&request, &mem, arch, &err) || !design_make(arch, false, &mem, design, &err)) {
        bool is_input = err.first != NULL;
        for (const struct err_entry *e = err.first; e; e = e->next)
            is_input &= e->kind != ERR_MACHINE;
        if (getenv("CW_RANDOM_REASONS"))
            report(&err, &mem, REFUSED);
        return is_input ? REFUSED : report(&err, &mem, NO_REASON);
    }
    struct priced *priced = arena_new(&mem, struct priced);
    if (!price_design(design, ".", 1, &mem, priced, &err))
        return report(&err, &mem, NOT_PRICED);
    struct sim_setup setup;
    if (!sim_setup_make(arch, ".", false, 1, &mem, &setup, &err))
        return report(&err, &mem, NOT_RUN);
    struct sim_setup energy;
    if (!sim_setup_make(arch, ".", true, 1, &mem, &energy, &err) ||
        !is_same_time(&setup.timing, &energy.timing))
        return report(&err, &mem, OTHER_TIME);
    struct gpu *g = sim_setup_gpu(&setup, &mem, &err);
    const struct trace_source *source[] = {&programs->at[seed % programs->n]};
    if (!g || !gpu_run(g, &(struct gpu_run){.programs = source, .n_programs = 1})) {
        if (err.last && strstr(err.last->text, "does not fit into an SM"))
            return REFUSED; /* of the pair, not of the description */
        return report(&err, &mem, NOT_RUN);
    }
    return ENDS;
}

static bool open_programs(struct programs *p, struct arena *mem, struct err *err)
{
    static const char *const names[] = {"bfs", "hist", "transpose_padded"};
    static const char *const small[] = {
        "nodes=256"}; /* of bfs; as many levels, a quarter of the work */
    for (p->n = 0; p->n < 3; p->n++) {
        struct trace_request r = {.workload = names[p->n],
                                  .preset = "tiny",
                                  .data_dir = ".",
                                  .cache_dir = "",
                                  .sets = small,
                                  .n_sets = p->n == 0 && !getenv("CW_RANDOM_COUNT")};
        if (!trace_front_open(&r, mem, &p->at[p->n], err))
            return false;
    }
    static const struct synth_params synth = {.ctas = 20,
                                              .threads = 128,
                                              .rounds = 6,
                                              .compute = 2,
                                              .stores = 2,
                                              .bytes = 4,
                                              .stride = 160,
                                              .footprint = 1 << 16,
                                              .columns = 64,
                                              .seed = 1};
    return trace_synth_open("random", &synth, mem, &p->at[p->n++], err);
}

static uint64_t asked(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 10) : otherwise;
}

static void what_check_accepts_is_priced_and_ends(void **state)
{
    (void)state;
    struct arena mem;
    struct err err;
    struct programs programs;
    arena_init(&mem, NULL, NULL);
    err_init(&err);
    assert_true(open_programs(&programs, &mem, &err));
    uint64_t count = asked("CW_RANDOM_COUNT", 150), first = asked("CW_RANDOM_SEED", 1);
    uint64_t outcomes[OUTCOMES] = {0}, crashes = 0, varied = 0, least = UINT64_MAX;
    for (uint64_t seed = first; seed < first + count; seed++) {
        struct arena own;
        arena_init(&own, NULL, NULL);
        settings s = {0};
        uint32_t n_varied;
        draw(seed, &own, &s, &n_varied);
        varied += n_varied;
        least = n_varied < least ? n_varied : least;
        fflush(NULL);
        pid_t child = fork();
        assert_true(child >= 0);
        if (!child) {
            setrlimit(RLIMIT_CPU, &(struct rlimit){SECONDS, SECONDS});
            alarm(20 * SECONDS); /* beside other work */
            _exit(try_one(seed, &s, &programs));
        }
        int status;
        assert_true(waitpid(child, &status, 0) == child);
        bool is_out = WIFEXITED(status) && WEXITSTATUS(status) < OUTCOMES;
        if (is_out)
            outcomes[WEXITSTATUS(status)]++;
        else
            crashes++;
        if (!is_out || WEXITSTATUS(status) >= NO_REASON) {
            if (is_out)
                fprintf(stderr, "seed %" PRIu64 " %s\n ", seed, outcome_texts[WEXITSTATUS(status)]);
            else
                fprintf(stderr, "seed %" PRIu64 " ends by signal %d, status %d\n ", seed,
                        WIFSIGNALED(status) ? WTERMSIG(status) : 0,
                        WIFEXITED(status) ? WEXITSTATUS(status) : 0);
            for (size_t i = 0; i < s.n; i++)
                fprintf(stderr, " --set %s", s.at[i]);
            fprintf(stderr, "\n");
        }
        arena_free(&own);
    }
    printf("%" PRIu64 " descriptions, at least %" PRIu64 " and on average %" PRIu64
           " keys varied: %" PRIu64 " end, %" PRIu64 " refused (%.0f %%), %" PRIu64 " wrong\n",
           count, least, varied / count, outcomes[ENDS], outcomes[REFUSED],
           100.0 * (double)outcomes[REFUSED] / (double)count,
           crashes + outcomes[NO_REASON] + outcomes[NOT_PRICED] + outcomes[NOT_RUN] +
               outcomes[OTHER_TIME]);
    assert_true(least >= 12);
    assert_true(crashes + outcomes[NO_REASON] + outcomes[NOT_PRICED] + outcomes[NOT_RUN] +
                    outcomes[OTHER_TIME] ==
                0);
    assert_true(outcomes[REFUSED] * 2 < count);
    for (uint32_t i = 0; i < programs.n; i++)
        programs.at[i].close(&programs.at[i]);
    err_free(&err);
    arena_free(&mem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_check_accepts_is_priced_and_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
