/* SPDX-License-Identifier: MIT
 *
 * The contract between the simulator, which counts, and the engines, which price. */
#include "tests/unit/test.h"

#include "base/arena.h"
#include "gen/config/read.h"
#include "gen/price/price.h"

static const char *const configs[] = {
    "cfg/paper/cdxbar/20-cdxbar.cfg",
    "cfg/paper/cdxbar/20-mesh.cfg",
    "cfg/paper/icc/icc-cc.cfg",
    "cfg/paper/warppool/warppool.cfg",
    "cfg/paper/warppool/mrpb.cfg",
    "cfg/paper/packet/merge.cfg",
    "cfg/gpu/gtx480.cfg",
    "cfg/gpu/qv100.cfg",
};

/* Events that every component of a kind can count, whatever its design. */
static bool always_counted(enum component_kind kind, enum sim_event e)
{
    if (event_owner(e) != kind || kind == CK_USER)
        return false;
    return e != EV_ARRAY_SEARCH;
}

static void every_event_has_a_price_and_every_price_an_event(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof configs / sizeof *configs; i++) {
        struct arena mem;
        struct err err;
        struct arch arch;
        struct design d;
        struct priced p;
        struct read_request request = {.file = configs[i], .data_dir = "."};
        arena_init(&mem, NULL, NULL);
        err_init(&err);
        bool ok = arch_read(&request, &mem, &arch, &err) &&
                  design_make(&arch, false, &mem, &d, &err) &&
                  price_design(&d, ".", 1, &mem, &p, &err);
        if (!ok)
            print_error("%s: %s\n", configs[i], err_entry_text(err.first, &mem));
        assert_true(ok);
        for (uint32_t k = 0; k < p.book.n_classes; k++) {
            for (int e = 0; e < EV_COUNT; e++) {
                bool priced = !isnan(p.book.costs[k].energy_pj[e]);
                enum component_kind kind = p.classes[k].kind;
                if ((priced && event_owner((enum sim_event)e) != kind) ||
                    (!priced && always_counted(kind, (enum sim_event)e))) {
                    print_error("%s: '%s' and %s\n", configs[i], p.classes[k].name,
                                event_id((enum sim_event)e));
                    fail();
                }
                assert_false(priced && p.book.costs[k].energy_pj[e] < 0);
            }
        }
        for (uint32_t c = 0; c < d.n_components; c++)
            assert_int_equal(d.components[c].kind, p.classes[p.class_of[c]].kind);
        err_free(&err);
        arena_free(&mem);
    }
}

static void instances_of_classes_are_the_components(void **state)
{
    (void)state;
    struct arena mem;
    struct err err;
    struct arch arch;
    struct design d;
    struct read_request request = {.file = configs[0], .data_dir = "."};
    arena_init(&mem, NULL, NULL);
    err_init(&err);
    assert_true(arch_read(&request, &mem, &arch, &err) &&
                design_make(&arch, false, &mem, &d, &err));
    uint32_t *n = arena_many(&mem, uint32_t, d.n_classes);
    for (uint32_t c = 0; c < d.n_components; c++)
        n[d.components[c].class_id]++;
    for (uint32_t k = 0; k < d.n_classes; k++)
        assert_int_equal(n[k], d.classes[k].instances);
    err_free(&err);
    arena_free(&mem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_event_has_a_price_and_every_price_an_event),
        cmocka_unit_test(instances_of_classes_are_the_components),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
