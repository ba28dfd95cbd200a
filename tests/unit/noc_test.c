/* SPDX-License-Identifier: MIT */
#include "tests/unit/test.h"

#include "base/arena.h"
#include "base/err.h"
#include "base/rng.h"
#include "noc/topology.h"

static struct noc_params params_of(const char *topology, uint32_t sms, uint32_t llcs)
{
    return (struct noc_params){.topology = topology,
                               .n_sms = sms,
                               .n_llcs = llcs,
                               .width_bits = 256,
                               .vcs = 4,
                               .vc_depth = 4,
                               .at = {"a.cfg", 7, NULL}};
}

static void print_errors(const struct err *err)
{
    struct arena mem;
    arena_init(&mem, NULL, NULL);
    for (const struct err_entry *e = err->first; e; e = e->next)
        print_error("%s\n", err_entry_text(e, &mem));
    arena_free(&mem);
}

/* Both networks' counts. */
static struct noc_counts count_both(struct noc_params params, struct arena *mem)
{
    struct noc_counts sum = {0};
    struct err err;
    err_init(&err);
    for (int dir = NOC_REQUEST; dir <= NOC_REPLY; dir++) {
        struct noc_params p = params;
        struct noc noc;
        struct noc_counts counts;
        struct noc_facts facts;
        bool ok = noc_build(&p, (enum noc_dir)dir, false, mem, &noc, &facts, &err);
        print_errors(&err);
        assert_true(ok);
        assert_true(facts.is_deadlock_free);
        noc_count(&noc, mem, &counts);
        noc_count_add(&sum, &counts, mem);
    }
    err_free(&err);
    return sum;
}

struct count_row {
    const char *topology;
    uint32_t sms, llcs, routers, vc_buffers, links;
};

static void counts_are_those_of_the_paper(void **state)
{
    static const struct count_row rows[] = {
        {"crossbar", 20, 16, 2, 144, 72},      {"crossbar", 56, 8, 2, 256, 128},
        {"crossbar", 80, 16, 2, 384, 192},     {"crossbar", 120, 16, 2, 544, 272},
        {"crossbar", 180, 16, 2, 784, 392},    {"mesh", 20, 16, 72, 1440, 312},
        {"mesh", 56, 8, 128, 2560, 576},       {"mesh", 80, 16, 200, 4000, 912},
        {"mesh", 120, 16, 288, 5760, 1328},    {"mesh", 180, 16, 392, 7840, 1848},
        {"clos", 20, 16, 32, 672, 168},        {"clos", 56, 8, 48, 1536, 384},
        {"clos", 80, 16, 56, 2080, 512},       {"clos", 120, 16, 64, 2688, 656},
        {"clos", 180, 16, 72, 3360, 840},      {"butterfly", 20, 16, 24, 576, 144},
        {"butterfly", 56, 8, 32, 1024, 256},   {"butterfly", 80, 16, 40, 1600, 392},
        {"butterfly", 120, 16, 48, 2304, 560}, {"butterfly", 180, 16, 56, 3136, 784},
        {"smesh", 20, 16, 72, 1152, 252},      {"smesh", 56, 8, 128, 2048, 464},
        {"smesh", 80, 16, 200, 3200, 732},     {"smesh", 120, 16, 288, 4608, 1064},
        {"smesh", 180, 16, 392, 6272, 1484},   {"cdxbar", 20, 16, 18, 336, 120},
        {"cdxbar", 56, 8, 10, 352, 152},       {"cdxbar", 80, 16, 18, 576, 240},
        {"cdxbar", 120, 16, 18, 736, 320},     {"cdxbar", 180, 16, 18, 976, 440},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena mem;
        arena_init(&mem, NULL, NULL);
        struct noc_counts c =
            count_both(params_of(rows[i].topology, rows[i].sms, rows[i].llcs), &mem);
        assert_int_equal(c.routers, rows[i].routers);
        assert_int_equal(c.vc_buffers, rows[i].vc_buffers);
        assert_int_equal(c.links, rows[i].links);
        arena_free(&mem);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_those_of_the_paper),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
