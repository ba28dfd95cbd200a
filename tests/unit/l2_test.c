/* SPDX-License-Identifier: MIT
 *
 * What the slices of the L2 ask of the DRAM: each sector once, and written lines when they must. */
#include "tests/unit/machine.h"

#define LINES 64u

static bool whole(uint32_t cta, uint32_t warp, uint32_t i, struct step *out)
{
    (void)cta, (void)warp;
    *out = (struct step){STEP_LOAD, i, 0};
    return i < LINES;
}

/* CTAs on several SMs want parts of the same lines at the same time: one sector, three, all. */
static bool parts(uint32_t cta, uint32_t warp, uint32_t i, struct step *out)
{
    static const uint32_t lanes[] = {0x000000ff, 0xffffff00, 0, 0x0000ffff, 0xff0000ff};
    (void)warp;
    *out = (struct step){STEP_LOAD, i, lanes[cta % 5]};
    return i < LINES;
}

static bool stores(uint32_t cta, uint32_t warp, uint32_t i, struct step *out)
{
    *out = (struct step){STEP_STORE, (cta * 4 + warp) * 16 + i, 0};
    return i < 16;
}

#define SECTORS                                                                                    \
    "l1.sector=32", "llc.sector=32", "l1.join_sectors=true", "coalescer.rule=lines",               \
        "gpu.generation=volta"

static void each_sector_is_fetched_once(void **state)
{
    (void)state;
    struct trace_source a, b;
    program_make("whole", 1, 1, 1, 0, whole, &a);
    program_make("parts", 1, 20, 1, 0, parts, &b);
    struct stat_totals once = totals_of(&a, SETS(SECTORS));
    struct stat_totals many = totals_of(&b, SETS(SECTORS));
    assert_true(once.dram_rd > 0);
    assert_int_equal((uint64_t)many.dram_rd, (uint64_t)once.dram_rd);
    a.close(&a);
    b.close(&b);
}

/* 5,120 lines into an L2 of 1,024: what stays unwritten is what may be dirty. */
static void written_lines_leave_beyond_the_limit(void **state)
{
    (void)state;
    struct trace_source a;
    program_make("stores", 1, 80, 4, 0, stores, &a);
    uint64_t left[2];
    const char *limits[] = {"llc.dirty_limit=100", "llc.dirty_limit=25"};
    for (int k = 0; k < 2; k++) {
        struct machine m;
        const struct trace_source *program = &a;
        machine_make(&m, SMALL_MACHINE,
                     SETS("llc.slices=8", "llc.size=16 KB", "dram.controllers=8", limits[k]));
        machine_run(&m, &program, 1);
        uint64_t atom = (uint64_t)m.arch.dram.bus_bytes * m.arch.dram.burst;
        left[k] = 5120 - (uint64_t)m.t.dram_wr * atom / LINE;
        machine_free(&m);
    }
    assert_int_equal(left[0], 1024);
    assert_in_range(left[1], 256, 264); /* the last may still wait for room in a queue */
    a.close(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_sector_is_fetched_once),
        cmocka_unit_test(written_lines_leave_beyond_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
