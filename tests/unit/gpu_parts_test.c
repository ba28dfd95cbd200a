/* SPDX-License-Identifier: MIT
 *
 * The parts of the machine, one by one. */
#include "tests/unit/fixture.h"

#include "base/arena.h"
#include "base/bits.h"
#include "base/err.h"
#include "cache/ipoly.h"
#include "cache/mshr.h"
#include "cache/tags.h"
#include "sim/cta/sched.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/switch.h"
#include "sim/frame/clock.h"
#include "sim/frame/request.h"
#include "sim/memory/address.h"
#include "sim/memory/dram_sched.h"
#include "sim/memory/slice_draws.h"
#include "sim/sm/coalescer.h"
#include "sim/sm/warp_sched.h"
#include "tests/unit/defaults.h"

/* ---- tags ---- */

static void insert(struct tags *t, uint64_t line)
{
    uint32_t slot;
    uint64_t victim;
    assert_int_equal(tags_probe(t, line, 1, false, &slot), TAGS_MISS);
    tags_allocate(t, slot, line, &victim);
    tags_reserve(t, slot, 1);
    assert_true(tags_fill(t, line, 1));
}

static void the_least_recently_used_line_leaves(void **state)
{
    struct fixture *f = *state;
    struct tags t;
    struct tags_params p = {.bytes = 4 * 128, .ways = 4, .line_bytes = 128, .sector_bytes = 128};
    uint32_t slot;
    assert_true(tags_init(&t, &p, &f->mem, &f->err));
    for (uint64_t l = 0; l < 4; l++)
        insert(&t, l);
    assert_int_equal(tags_probe(&t, 0, 1, false, &slot), TAGS_HIT);
    tags_touch(&t, slot);
    insert(&t, 4); /* in the place of 1 */
    assert_int_equal(tags_find(&t, 1), TAGS_NONE);
    assert_true(tags_find(&t, 0) != TAGS_NONE);
}

static void lines_that_wait_for_data_are_no_victims(void **state)
{
    struct fixture *f = *state;
    struct tags t;
    struct tags_params p = {.bytes = 2 * 128, .ways = 2, .line_bytes = 128, .sector_bytes = 32};
    uint32_t slot;
    uint64_t victim;
    assert_true(tags_init(&t, &p, &f->mem, &f->err));
    for (uint64_t l = 0; l < 2; l++) {
        tags_probe(&t, l, 1, false, &slot);
        tags_allocate(&t, slot, l, &victim);
        tags_reserve(&t, slot, 2);
    }
    assert_int_equal(tags_probe(&t, 0, 2, false, &slot), TAGS_PENDING);
    assert_int_equal(tags_probe(&t, 0, 1, false, &slot), TAGS_SECTOR_MISS);
    assert_int_equal(tags_probe(&t, 2, 1, false, &slot), TAGS_NO_WAY);
    assert_true(tags_fill(&t, 0, 2));
    assert_int_equal(tags_probe(&t, 0, 2, false, &slot), TAGS_HIT);
    assert_int_equal(tags_probe(&t, 2, 1, false, &slot), TAGS_MISS);
}

static void written_lines_stay_until_a_set_holds_nothing_else(void **state)
{
    struct fixture *f = *state;
    struct tags t;
    struct tags_params p = {.bytes = 8 * 128, /* 4 sets, of which at most 4 lines are spared */
                            .ways = 2,
                            .line_bytes = 128,
                            .sector_bytes = 128,
                            .dirty_percent = 50};
    uint32_t slot, first, second;
    assert_true(tags_init(&t, &p, &f->mem, &f->err));
    insert(&t, 0);
    insert(&t, 4);
    first = tags_find(&t, 0);
    second = tags_find(&t, 4);
    tags_write(&t, first, 1, 1, true);
    assert_int_equal(tags_probe(&t, 8, 1, false, &slot), TAGS_MISS);
    assert_int_equal(slot, second); /* younger, but not written */
    tags_reserve(&t, second, 1);
    assert_int_equal(tags_probe(&t, 8, 1, false, &slot), TAGS_NO_WAY); /* it comes, and goes then */
    assert_true(tags_fill(&t, 4, 1));
    tags_write(&t, second, 1, 1, true);
    assert_int_equal(tags_probe(&t, 8, 1, false, &slot), TAGS_MISS);
    assert_int_equal(slot, first); /* the older of the two */
    tags_touch(&t, first);
    assert_int_equal(tags_probe(&t, 8, 1, false, &slot), TAGS_MISS);
    assert_int_equal(slot, second);
    for (uint64_t l = 1; l < 3; l++) { /* as many as are spared: now it is by age alone */
        insert(&t, l);
        tags_write(&t, tags_find(&t, l), 1, 1, true);
    }
    insert(&t, 6);
    assert_int_equal(tags_probe(&t, 10, 1, false, &slot), TAGS_MISS);
    assert_int_equal(slot, tags_find(&t, 2));
}

static void a_sector_written_in_part_is_fetched_when_read(void **state)
{
    struct fixture *f = *state;
    struct tags t;
    struct tags_params p = {.bytes = 1024, .ways = 2, .line_bytes = 128, .sector_bytes = 32};
    uint32_t slot;
    uint64_t victim;
    assert_true(tags_init(&t, &p, &f->mem, &f->err));
    tags_probe(&t, 5, 3, true, &slot);
    tags_allocate(&t, slot, 5, &victim);
    tags_write(&t, slot, 3, 2, true); /* sectors 0 and 1, of which 1 whole */
    assert_int_equal(tags_probe(&t, 5, 2, false, &slot), TAGS_HIT);
    assert_int_equal(tags_probe(&t, 5, 1, true, &slot), TAGS_HIT);
    assert_int_equal(tags_probe(&t, 5, 1, false, &slot), TAGS_SECTOR_MISS);
    tags_reserve(&t, slot, 1);
    tags_fill(&t, 5, 1);
    assert_int_equal(tags_probe(&t, 5, 1, false, &slot), TAGS_HIT);
    assert_int_equal(tags_allocate(&t, slot, 9, &victim), 3); /* both dirty */
    assert_true(victim == 5);
}

static void many_ways_find_the_same_as_few(void **state)
{
    struct fixture *f = *state;
    struct tags t;
    struct tags_params p = {.bytes = 64 * 128, .ways = 64, .line_bytes = 128, .sector_bytes = 128};
    assert_true(tags_init(&t, &p, &f->mem, &f->err));
    for (uint64_t l = 0; l < 200; l++)
        insert(&t, l * 7);
    for (uint64_t l = 0; l < 200; l++)
        assert_int_equal(tags_find(&t, l * 7) != TAGS_NONE, l >= 136);
    tags_drop(&t, tags_find(&t, 199 * 7));
    assert_int_equal(tags_find(&t, 199 * 7), TAGS_NONE);
    tags_clear(&t);
    assert_int_equal(tags_find(&t, 198 * 7), TAGS_NONE);
}

static void sectors_are_dropped_one_by_one(void **state)
{
    struct fixture *f = *state;
    struct tags t;
    struct tags_params p = {.bytes = 16 * 128, .ways = 2, .line_bytes = 128, .sector_bytes = 32};
    uint32_t slot;
    assert_true(tags_init(&t, &p, &f->mem, &f->err));
    insert(&t, 3);
    tags_fill(&t, 3, 0xf);
    tags_write(&t, tags_find(&t, 3), 2, 2, true);
    tags_drop_sectors(&t, tags_find(&t, 3), 2);
    assert_int_equal(tags_probe(&t, 3, 1, false, &slot), TAGS_HIT);
    assert_int_equal(tags_probe(&t, 3, 2, false, &slot), TAGS_SECTOR_MISS);
    assert_false(tags_is_dirty(&t, slot));
    assert_int_equal(t.n_dirty, 0);
    tags_drop_sectors(&t, slot, 0xd);
    assert_int_equal(tags_find(&t, 3), TAGS_NONE);
}

static void fermi_hashes_its_sets(void **state)
{
    struct fixture *f = *state;
    struct tags t;
    struct tags_params p = {.bytes = 32 * 4 * 128,
                            .ways = 4,
                            .line_bytes = 128,
                            .sector_bytes = 128,
                            .index = TAGS_HASHED};
    assert_true(tags_init(&t, &p, &f->mem, &f->err));
    for (uint32_t i = 0; i < 1000; i++) {
        uint64_t a = (uint64_t)i * 0x9e3779b97f4au & 0xffffffff80u;
        uint32_t high = (uint32_t)((a >> 19 & 1) << 4 | (a >> 17 & 1) << 3 | (a >> 13 & 7));
        assert_int_equal(tags_set_of(&t, a >> 7), (a >> 7 & 31) ^ high);
    }
}

static void a_cache_that_does_not_divide_is_refused(void **state)
{
    struct fixture *f = *state;
    struct tags t;
    struct tags_params p = {.bytes = 1000, .ways = 4, .line_bytes = 128, .sector_bytes = 32};
    assert_false(tags_init(&t, &p, &f->mem, &f->err));
    p = (struct tags_params){.bytes = 4096, .ways = 4, .line_bytes = 512, .sector_bytes = 32};
    assert_false(tags_init(&t, &p, &f->mem, &f->err)); /* 16 sectors */
}

/* ---- MSHRs ---- */

static void two_misses_to_a_line_merge_and_a_full_entry_refuses(void **state)
{
    struct fixture *f = *state;
    struct mshr m;
    mshr_init(&m, 2, 3, &f->mem);
    uint32_t e = mshr_add(&m, 77, 10);
    assert_int_equal(mshr_find(&m, 77), e);
    mshr_merge(&m, e, 11);
    assert_true(mshr_can_merge(&m, e));
    mshr_merge(&m, e, 12);
    assert_false(mshr_can_merge(&m, e));
    mshr_add(&m, 78, 20);
    assert_false(mshr_has_room(&m));
    assert_false(mshr_fill(&m, 99));
    assert_true(mshr_fill(&m, 77));
    assert_int_equal(mshr_find(&m, 77), MSHR_NONE);
    assert_int_equal(mshr_take(&m), 10);
    assert_false(mshr_has_room(&m)); /* held until the last waiter is served */
    assert_int_equal(mshr_take(&m), 11);
    assert_int_equal(mshr_take(&m), 12);
    assert_true(mshr_has_room(&m));
    assert_false(mshr_is_ready(&m));
}

/* ---- coalescing ---- */

static uint32_t coalesce(const struct coalesce_rule *rule, uint8_t cls, uint8_t bytes,
                         uint32_t mask, const uint64_t *addresses, struct access *out)
{
    struct trace_static s = {.cls = cls, .space = TS_GLOBAL, .access_bytes = bytes};
    struct trace_inst i = {.mask = mask, .n_addresses = (uint16_t)__builtin_popcount(mask)};
    struct access again[ACCESS_MAX];
    uint32_t lanes[ACCESS_MAX];
    uint32_t n = coalesce_lanes(rule, &s, &i, addresses, 0, out, NULL);
    /* the short path for runs and the general one must agree */
    assert_int_equal(coalesce_lanes(rule, &s, &i, addresses, 0, again, lanes), n);
    uint32_t all = 0;
    for (uint32_t k = 0; k < n; k++) {
        assert_true(out[k].address == again[k].address && out[k].sectors == again[k].sectors);
        assert_int_equal(out[k].full, again[k].full);
        assert_int_equal(out[k].bytes, again[k].bytes);
        all |= lanes[k];
    }
    assert_int_equal(all, mask);
    return n;
}

static void lanes_merge_into_lines_or_sectors(void **state)
{
    (void)state;
    static const struct coalesce_rule lines = {.granule_bytes = 128,
                                               .line_bytes = 128,
                                               .piece_bytes = 32},
                                      sectors = {.granule_bytes = 32,
                                                 .line_bytes = 128,
                                                 .piece_bytes = 32};
    struct access a[ACCESS_MAX];
    uint64_t x[32];
    for (uint32_t l = 0; l < 32; l++)
        x[l] = 0x1000 + 4 * l;
    assert_int_equal(coalesce(&lines, TC_LOAD, 4, UINT32_MAX, x, a), 1);
    assert_int_equal(a[0].sectors, 0xf);
    assert_int_equal(coalesce(&sectors, TC_LOAD, 4, UINT32_MAX, x, a), 4);
    assert_int_equal(coalesce(&lines, TC_STORE, 4, 0xff, x, a), 1); /* one quarter: 32 bytes */
    assert_int_equal(a[0].bytes, 32);
    assert_int_equal(a[0].full, 1);
    assert_int_equal(coalesce(&lines, TC_STORE, 4, 0x3f, x, a), 1);
    assert_int_equal(a[0].full, 0); /* 24 of 32 bytes */
    for (uint32_t l = 0; l < 32; l++)
        x[l] = 0x1004 + 4 * l; /* crosses into the next line */
    assert_int_equal(coalesce(&lines, TC_LOAD, 4, UINT32_MAX, x, a), 2);
    for (uint32_t l = 0; l < 32; l++)
        x[l] = 0x1000 + 128 * l;
    assert_int_equal(coalesce(&lines, TC_LOAD, 4, UINT32_MAX, x, a), 32);
    assert_int_equal(coalesce(&lines, TC_LOAD, 16, UINT32_MAX, x, a), 32);
    for (uint32_t l = 0; l < 32; l++)
        x[l] = 0x107e + 128 * l; /* every lane unaligned over two lines */
    assert_int_equal(coalesce(&lines, TC_LOAD, 4, UINT32_MAX, x, a), 33);
    for (uint32_t l = 0; l < 32; l++)
        x[l] = 0x2000;
    assert_int_equal(coalesce(&lines, TC_LOAD, 4, UINT32_MAX, x, a), 1);
}

static void segments_part_bytes_atomics_and_words_of_threads(void **state)
{
    (void)state;
    static const struct coalesce_rule rule = {.granule_bytes = 128,
                                              .line_bytes = 128,
                                              .piece_bytes = 32,
                                              .word_stride = 0x10000,
                                              .by_segments = true};
    struct access a[ACCESS_MAX];
    uint64_t x[32];
    for (uint32_t l = 0; l < 32; l++)
        x[l] = 0x1000 + 128 * (31 - l);
    assert_int_equal(coalesce(&rule, TC_LOAD, 4, UINT32_MAX, x, a), 32);
    for (uint32_t k = 0; k < 32; k++) /* in the order of addresses */
        assert_true(a[k].address == 0x1000 + 128 * k);
    for (uint32_t l = 0; l < 32; l++)
        x[l] = 0x1000 + 4 * l;
    assert_int_equal(coalesce(&rule, TC_LOAD, 1, UINT32_MAX, x, a), 4);
    assert_int_equal(coalesce(&rule, TC_LOAD, 2, UINT32_MAX, x, a), 2);
    assert_int_equal(coalesce(&rule, TC_LOAD, 4, UINT32_MAX, x, a), 1);
    assert_int_equal(coalesce(&rule, TC_ATOMIC, 4, UINT32_MAX, x, a), 4); /* past the L1 */
    x[1] = x[2] = x[0]; /* three lanes in one word: two accesses more */
    assert_int_equal(coalesce(&rule, TC_ATOMIC, 4, UINT32_MAX, x, a), 6);
    for (uint32_t l = 0; l < 32; l++)
        x[l] = 0x2000 + 4 * l;
    struct trace_static s = {
        .cls = TC_LOAD, .space = TS_LOCAL, .access_bytes = 8, .flags = TF_PRIVATE};
    struct trace_inst i = {.mask = UINT32_MAX, .n_addresses = 32};
    assert_int_equal(coalesce_lanes(&rule, &s, &i, x, 0, a, NULL), 2);
    assert_true(a[0].address == 0x2000 && a[1].address == 0x12000);
}

/* ---- clocks and addresses ---- */

static void summed_clocks_round_edges_that_coincide(void **state)
{
    (void)state;
    struct clocks c;
    const uint64_t khz[CLOCK_DOMAINS] = {
        [CLOCK_CORE] = 700000, [CLOCK_NOC] = 700000, [CLOCK_L2] = 700000, [CLOCK_DRAM] = 924000};
    clocks_init(&c, khz);
    clocks_sum(&c);
    /* 33 edges in 25 cycles; the sums agree after 25 and 50 and are late by rounding after 75 */
    clocks_advance(&c, 25);
    assert_true(c.ticks[CLOCK_DRAM] == 33 && c.ticks[CLOCK_NOC] == 25 && c.ticks[CLOCK_L2] == 25);
    clocks_advance(&c, 50);
    assert_true(c.ticks[CLOCK_DRAM] == 66);
    clocks_advance(&c, 75);
    assert_true(c.ticks[CLOCK_DRAM] == 98);
    for (uint64_t n = 76; n <= 20000; n++) {
        uint64_t before = c.ticks[CLOCK_DRAM];
        uint64_t at = clock_core_cycle(&c, CLOCK_DRAM, before + 40);
        assert_true(at > n - 1 && at <= n - 1 + 31);
        clocks_advance(&c, n);
        assert_true(c.ticks[CLOCK_DRAM] - before <= 2);
        assert_true(c.ticks[CLOCK_DRAM] + 1 >= n * 33 / 25 && c.ticks[CLOCK_DRAM] <= n * 33 / 25);
    }
}

static void clocks_keep_exact_ratios(void **state)
{
    (void)state;
    struct clocks c, jump;
    const uint64_t khz[CLOCK_DOMAINS] = {700000, 1400001, 700000, 924000};
    clocks_init(&c, khz);
    clocks_init(&jump, khz);
    for (uint64_t n = 1; n <= 10000; n++) {
        uint32_t ticks = clock_ticks(&c, CLOCK_DRAM);
        uint64_t before = c.ticks[CLOCK_DRAM];
        clocks_advance(&c, n);
        assert_true(c.ticks[CLOCK_DRAM] == before + ticks);
        assert_true(c.ticks[CLOCK_DRAM] == n * 924 / 700);
        assert_true(c.ticks[CLOCK_NOC] == n * 1400001 / 700000);
        for (uint64_t t = before; t < before + ticks; t++)
            assert_true(clock_core_cycle(&c, CLOCK_DRAM, t) == n - 1);
    }
    clocks_advance(&jump, 10000);
    assert_memory_equal(&c, &jump, sizeof c);
}

static void the_worked_example_of_the_gtx480_map(void **state)
{
    struct fixture *f = *state;
    struct address_map m;
    struct llc_params llc = arch_defaults().llc;
    struct dram_params dram = arch_defaults().dram;
    llc.slices = 12;
    dram.controllers = 6;
    dram.row_bytes = 4096;
    dram.map = "dramid@8;00000000.00000000.00000000.00000000.0000RRRR.RRRRRRRR.BBBCCCCB.CCSSSSSS";
    assert_true(address_init(&m, &llc, &dram, &f->mem, &f->err));
    for (uint32_t i = 0; i < 1000; i++) {
        uint64_t a = (uint64_t)i * 0x9e3779b9u & 0xfffffffu;
        struct address x = address_of(&m, a);
        uint64_t rest = (a >> 8) / 6 << 8 | (a & 255);
        assert_int_equal(x.controller, (a >> 8) % 6);
        assert_int_equal(x.bank, (rest >> 8 & 1) | (rest >> 13 & 7) << 1);
        assert_int_equal(x.row, rest >> 16 & 0xfff);
        assert_int_equal(x.slice, x.controller * 2 + (rest >> 8 & 1));
        assert_true(x.local == ((rest >> 9) << 8 | (rest & 255)));
    }
    dram.map = "dramid@8;RRRR";
    assert_false(address_init(&m, &llc, &dram, &f->mem, &f->err));
}

static void addresses_of_a_slice_never_meet(void **state)
{
    struct fixture *f = *state;
    struct address_map m;
    for (enum llc_hash h = LLC_HASH_mod; h <= LLC_HASH_ipoly; h++) {
        struct llc_params llc = arch_defaults().llc;
        struct dram_params dram = arch_defaults().dram;
        llc.slices = 32;
        llc.hash = h;
        dram.controllers = 16;
        assert_true(address_init(&m, &llc, &dram, &f->mem, &f->err));
        uint32_t n = 1u << 14;
        uint8_t *seen = arena_many(&f->mem, uint8_t, (size_t)n * 32);
        uint32_t per[32] = {0};
        for (uint64_t a = 0; a < (uint64_t)n * 128; a += 128) {
            struct address x = address_of(&m, a);
            assert_true(x.slice < 32 && x.bank < 16 && x.local / 128 < n);
            assert_int_equal(seen[x.slice * n + x.local / 128]++, 0);
            per[x.slice]++;
        }
        for (uint32_t s = 0; s < 32; s++)
            assert_int_equal(per[s], n / 32);
    }
    assert_int_equal(ipoly(1, 0, 16), 3); /* x^4 = x + 1 */
}

/* ---- DRAM order ---- */

static uint32_t row_hits(struct fixture *f, enum dram_policy policy, uint32_t *order)
{
    const struct dram_sched *s = dram_scheds[policy];
    struct dram_params p = arch_defaults().dram;
    p.banks = 4;
    p.queue = 16;
    void *state = s->make(&p, &f->mem);
    /* bank 0: rows 1, 2, 1, 2, 1; bank 1: row 5 twice */
    static const uint32_t bank[] = {0, 0, 1, 0, 0, 1, 0}, row[] = {1, 2, 5, 1, 2, 5, 1};
    uint32_t rows[4] = {DRAM_NO_ROW, DRAM_NO_ROW, DRAM_NO_ROW, DRAM_NO_ROW}, n = 0, hits = 0;
    uint32_t next = 0;
    while (n < 7) {
        while (next < 7 && s->has_room(state, bank[next], false)) {
            s->add(state, next, bank[next], row[next], false);
            next++;
        }
        struct dram_choice c;
        assert_true(s->next(state, 0xf, rows, 0, &c)); /* every bank is free at once */
        rows[c.bank] = row[c.req];
        hits += c.is_row_hit;
        order[n++] = c.req;
    }
    assert_int_equal(s->waiting(state), 0);
    return hits;
}

static void row_hits_of_hand_made_streams(void **state)
{
    struct fixture *f = *state;
    uint32_t order[7];
    static const uint32_t ready_first[] = {0, 3, 6, 1, 4, 2, 5},
                          as_they_came[] = {0, 1, 2, 3, 4, 5, 6}, by_bank[] = {0, 1, 3, 4, 6, 2, 5};
    assert_int_equal(row_hits(f, DRAM_frfcfs, order),
                     4); /* 1,1,1 2,2 5,5: all but the first of each */
    assert_memory_equal(order, ready_first, sizeof order);
    assert_int_equal(row_hits(f, DRAM_fifo, order), 1); /* only the second 5 */
    assert_memory_equal(order, as_they_came, sizeof order);
    assert_int_equal(row_hits(f, DRAM_banked_fifo, order), 1);
    assert_memory_equal(order, by_bank, sizeof order);
}

static void a_busy_bank_holds_up_a_fifo_but_not_the_others(void **state)
{
    struct fixture *f = *state;
    static const enum dram_policy policies[] = {DRAM_fifo, DRAM_frfcfs, DRAM_banked_fifo};
    for (size_t i = 0; i < 3; i++) {
        const struct dram_sched *s = dram_scheds[policies[i]];
        struct dram_params p = arch_defaults().dram;
        p.banks = 2;
        p.queue = 4;
        void *q = s->make(&p, &f->mem);
        uint32_t rows[2] = {DRAM_NO_ROW, DRAM_NO_ROW};
        struct dram_choice c;
        s->add(q, 0, 0, 1, false);
        s->add(q, 1, 1, 1, false);
        assert_int_equal(s->next(q, 2, rows, 0, &c), i != 0); /* bank 0 is busy */
    }
}

/* ---- CTAs and warps ---- */

/* The ten CTAs of the ICC paper on 2 clusters x 2 SMs, two CTAs each; names 1..10 as there. */
static void the_ten_ctas_of_the_paper(void **state)
{
    struct fixture *f = *state;
    static const uint32_t cluster_of[] = {0, 0, 1, 1}, first[] = {0, 2}, n[] = {2, 2};
    struct cta_machine m = {.n_sms = 4,
                            .n_clusters = 2,
                            .cluster_of = cluster_of,
                            .first_sm = first,
                            .sms_of = n,
                            .crossbar_of = cluster_of,
                            .n_crossbars = 2,
                            .seed = 1};
    struct cta_params p = arch_defaults().cta;
    struct cta_grid grid = {.n_ctas = 10, .max_per_sm = 2, .columns = 10};
    static const struct {
        enum cta_policy policy;
        uint32_t sm[4][2];
    } rows[] = {{CTA_two_level, {{1, 5}, {3, 7}, {2, 6}, {4, 8}}},
                {CTA_global, {{1, 5}, {2, 6}, {3, 7}, {4, 8}}}};
    for (size_t i = 0; i < 2; i++) {
        const struct cta_sched *s = cta_scheds[rows[i].policy];
        void *q = s->begin(&p, &m, &grid, &f->mem);
        uint32_t held[4][2] = {{0}}, count[4] = {0}, placed = 0;
        struct cta_place out;
        for (uint32_t cycle = 0; cycle < 4; cycle++) {
            uint32_t room[4];
            for (uint32_t k = 0; k < 4; k++)
                room[k] = 2 - count[k];
            while (s->next(q, room, &out)) {
                held[out.sm][count[out.sm]++] = out.cta[0] + 1;
                room[out.sm] = 0; /* one launch per cycle */
                placed++;
            }
        }
        assert_int_equal(placed, 8);
        assert_memory_equal(held, rows[i].sm, sizeof held);
        s->retired(q, 0, 0); /* CTA 1 ends on the first SM */
        uint32_t room[4] = {1, 0, 0, 0};
        assert_true(s->next(q, room, &out));
        assert_true(out.sm == 0 && out.n == 1 && out.cta[0] == 8); /* CTA 9 */
    }
}

static void warps_are_picked_as_named(void **state)
{
    (void)state;
    uint64_t age[64];
    for (uint32_t i = 0; i < 64; i++)
        age[i] = 100 - i; /* the last is the oldest */
    struct warp_sched_state s = {.last = 5};
    assert_int_equal(warp_scheds[WARPS_gto]->pick(&s, 0x60, 0, age), 5); /* the same again */
    assert_int_equal(warp_scheds[WARPS_gto]->pick(&s, 0xc0, 0, age), 7); /* else the oldest */
    assert_int_equal(warp_scheds[WARPS_lrr]->pick(&s, 0x70, 0, age), 6); /* the next */
    assert_int_equal(warp_scheds[WARPS_lrr]->pick(&s, 0x30, 0, age), 4); /* round */
    s.last = WARP_NONE;
    uint32_t w = warp_scheds[WARPS_two_level]->pick(&s, UINT64_MAX, 0, age);
    assert_true(s.active >> w & 1);
    assert_int_equal(__builtin_popcountll(s.active), WARP_ACTIVE);
    warp_scheds[WARPS_two_level]->pick(&s, ~((uint64_t)1 << w), (uint64_t)1 << w, age);
    assert_false(s.active >> w & 1); /* it waits for memory and has left */
}

/* ---- the idealised crossbar ---- */

static void packets_cross_in_order_and_once(void **state)
{
    struct fixture *f = *state;
    for (int serial = 0; serial < 2; serial++) {
        struct fabric_params p = {.n_ports = 3,
                                  .n_slices = 2,
                                  .depth = 64,
                                  .cycles = 2,
                                  .is_serial = serial,
                                  .sink_depth = 1};
        struct fabric *x = fabric_new(&p, &f->mem, &f->err);
        for (uint32_t i = 0; i < 30; i++)
            fabric_send(
                x, NOC_REQUEST,
                &(struct fabric_packet){.src = i % 3, .dst = 3 + i % 2, .v = i, .flits = 2});
        uint32_t got = 0, last[2][3] = {{0}};
        uint64_t cycles = 0;
        while (got < 30) {
            assert_true(fabric_step(x));
            assert_true(++cycles < 200);
            for (uint32_t s = 0; s < 2; s++)
                while (fabric_top(x, NOC_REQUEST, 3 + s) != FABRIC_NONE) {
                    uint32_t v = fabric_take(x, NOC_REQUEST, 3 + s);
                    assert_int_equal(v % 2, s);
                    assert_true(v + 1 > last[s][v % 3]); /* in order from each input */
                    last[s][v % 3] = v + 1;
                    got++;
                }
        }
        assert_true(fabric_is_idle(x));
        assert_int_equal(fabric_counts(x, NOC_REQUEST).flits, 60);
        /* two outputs, 15 packets each: a cycle a packet, or two with one flit at a time */
        assert_true(serial ? cycles >= 30 : cycles <= 20);
    }
}

static uint64_t steps_until_arrival(struct one_switch *s, uint32_t dst)
{
    uint64_t n = 0;
    while (!(*switch_arrived(s) >> dst & 1) && n < 100) {
        switch_step(s);
        n++;
    }
    return n;
}

static void one_router_takes_five_cycles_and_a_flit_per_cycle(void **state)
{
    struct fixture *f = *state;
    const struct switch_params p = {.n = 12, .queue = 9, .depth = 64, .boundary = 16};
    struct one_switch *s = switch_new(&p, &f->mem);
    switch_send(s, 0, 3, 7, 1); /* goes with the first step, is there five steps later */
    assert_int_equal(steps_until_arrival(s, 3), 6);
    assert_int_equal(switch_take(s, 3), 7);
    switch_send(s, 1, 3, 8, 4);
    assert_int_equal(steps_until_arrival(s, 3), 9);
    assert_int_equal(switch_take(s, 3), 8);
    uint32_t sent = 0, got = 0, last[8] = {0};
    for (uint32_t n = 0; n < 600; n++) { /* eight inputs want one output */
        for (uint32_t i = 0; i < 8 && n < 500; i++)
            if (switch_can_send(s, i, 2)) {
                switch_send(s, i, 11, i * 1000 + ++last[i], 2);
                sent++;
            }
        switch_step(s);
        if (*switch_arrived(s) >> 11 & 1) {
            switch_take(s, 11);
            got++;
        }
    }
    assert_true(got >= 296 && got <= 300); /* two flits each */
    for (uint32_t n = 0; n < 2000 && !switch_is_idle(s); n++) {
        switch_step(s);
        while (*switch_arrived(s) >> 11 & 1) {
            switch_take(s, 11);
            got++;
        }
    }
    assert_true(switch_is_idle(s));
    assert_int_equal(got, sent);
}

/* Traffic between few ports of a wide router is that of a narrow one whose ports are as near each
 * other: which of two inputs comes first depends on their order alone. */
static void the_ports_of_a_wide_router_are_those_of_a_narrow_one(void **state)
{
    struct fixture *f = *state;
    static const uint32_t place[] = {0, 3, 62, 63, 64, 65, 127, 128, 200, 255, 256, 319};
    const uint32_t n = sizeof place / sizeof *place;
    const struct switch_params np = {.n = n, .queue = 9, .depth = 6, .boundary = 3};
    const struct switch_params wp = {.n = 320, .queue = 9, .depth = 6, .boundary = 3};
    struct one_switch *narrow = switch_new(&np, &f->mem), *wide = switch_new(&wp, &f->mem);
    uint32_t draw = 1, got = 0, sent = 0;
    for (uint32_t cycle = 0; cycle < 4000; cycle++) {
        for (uint32_t i = 0; i < n && cycle < 3000; i++) {
            draw = draw * 1664525u + 1013904223u;
            uint32_t flits = 1 + (draw >> 30), o = (draw >> 20) % (cycle < 1000 ? 2 : n);
            assert_int_equal(switch_can_send(narrow, i, flits),
                             switch_can_send(wide, place[i], flits));
            if ((draw >> 10 & 3) || !switch_can_send(narrow, i, flits))
                continue;
            switch_send(narrow, i, o, ++sent, flits);
            switch_send(wide, place[i], place[o], sent, flits);
        }
        switch_step(narrow);
        switch_step(wide);
        for (uint32_t o = 0; o < n; o++) {
            bool has = bits_test(switch_arrived(narrow), o);
            assert_int_equal(bits_test(switch_arrived(wide), place[o]), has);
            if (!has || (cycle + o) % 3 == 0) /* some wait to be taken */
                continue;
            assert_int_equal(switch_top(narrow, o), switch_top(wide, place[o]));
            assert_int_equal(switch_take(narrow, o), switch_take(wide, place[o]));
            got++;
        }
        assert_int_equal(switch_is_idle(narrow), switch_is_idle(wide));
    }
    assert_true(switch_is_idle(wide));
    assert_true(sent > 1000);
    assert_int_equal(got, sent);
}

/* rand() after seed 1 gives 1804289383, 846930886, 1681692777, 1714636915, 1957747793. */
static void slices_are_drawn_as_the_c_library_draws(void **state)
{
    struct fixture *f = *state;
    static const uint32_t first[] = {7, 22, 9, 19, 17}; /* of 24 */
    struct slice_draws *d = slice_draws_new(&f->mem);
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(slice_drawn(d, 1000 + i, 24), first[i]);
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(slice_drawn(d, 1000 + i, 24), first[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(the_least_recently_used_line_leaves),
        TEST(lines_that_wait_for_data_are_no_victims),
        TEST(written_lines_stay_until_a_set_holds_nothing_else),
        TEST(a_sector_written_in_part_is_fetched_when_read),
        TEST(many_ways_find_the_same_as_few),
        TEST(sectors_are_dropped_one_by_one),
        TEST(fermi_hashes_its_sets),
        TEST(a_cache_that_does_not_divide_is_refused),
        TEST(two_misses_to_a_line_merge_and_a_full_entry_refuses),
        TEST(lanes_merge_into_lines_or_sectors),
        TEST(segments_part_bytes_atomics_and_words_of_threads),
        TEST(clocks_keep_exact_ratios),
        TEST(summed_clocks_round_edges_that_coincide),
        TEST(the_worked_example_of_the_gtx480_map),
        TEST(addresses_of_a_slice_never_meet),
        TEST(row_hits_of_hand_made_streams),
        TEST(a_busy_bank_holds_up_a_fifo_but_not_the_others),
        TEST(the_ten_ctas_of_the_paper),
        TEST(warps_are_picked_as_named),
        TEST(packets_cross_in_order_and_once),
        TEST(one_router_takes_five_cycles_and_a_flit_per_cycle),
        TEST(the_ports_of_a_wide_router_are_those_of_a_narrow_one),
        TEST(slices_are_drawn_as_the_c_library_draws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
