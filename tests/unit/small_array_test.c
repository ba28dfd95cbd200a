/* SPDX-License-Identifier: MIT */
#include "energy/array/small.h"

#include "cache/register_file.h"
#include "energy/array/choice.h"
#include "energy/array/from_design.h"
#include "gen/config/read_tech.h"
#include "tests/unit/defaults.h"
#include "tests/unit/test.h"

struct fixture {
    struct arena mem;
    struct err err;
    struct array_tables tables;
};

static int setup(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    arena_init(&f->mem, NULL, NULL);
    err_init(&f->err);
    if (!array_tables_read("cfg/tech/cacti-itrs.cfg", &f->mem, &f->tables, &f->err))
        return -1;
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;
    err_free(&f->err);
    arena_free(&f->mem);
    free(f);
    return 0;
}

struct ports {
    int rw, rd, wr, search;
};
static const struct ports all_ports[] = {{1, 0, 0, 1}, {0, 1, 1, 1}, {2, 0, 0, 1}, {1, 1, 1, 2},
                                         {1, 2, 1, 1}, {2, 2, 2, 2}, {0, 4, 2, 3}};
enum { N_PORTS = sizeof all_ports / sizeof *all_ports };

static struct amodel_in request(enum amodel_type type, int64_t entries, int64_t bits,
                                struct ports p, double nm)
{
    struct amodel_in in = amodel_defaults();
    bool cf = type == AMODEL_FA || type == AMODEL_CAM;
    in.type = type;
    in.entries = entries;
    in.word_bits = in.out_bits = bits;
    in.rw = p.rw;
    in.rd = p.rd;
    in.wr = p.wr;
    in.search = cf ? p.search : 0;
    in.assoc = cf ? 0 : 1;
    in.tag_bits = type == AMODEL_FA ? 41 : 0;
    in.tech_nm = nm;
    return in;
}

static struct amodel_out cost(struct fixture *f, const struct amodel_in *in, enum array_model model,
                              const char **used)
{
    struct array_answer a;
    if (!array_cost_native(in, model, &f->tables, NOWHERE, &f->mem, &a, &f->err))
        fail_msg("%s", err_entry_text(f->err.last, &f->mem));
    if (used)
        *used = a.model;
    return a.cost;
}

/* ---- monotone ---- */

static void no_less(const struct amodel_out *a, const struct amodel_out *b, const char *what,
                    const struct amodel_in *in)
{
    const double x[] = {a->area_um2, a->access_s, a->cycle_s, a->read_j,
                        a->write_j,  a->search_j, a->leak_w,  a->data.t_match};
    const double y[] = {b->area_um2, b->access_s, b->cycle_s, b->read_j,
                        b->write_j,  b->search_j, b->leak_w,  b->data.t_match};
    for (size_t i = 0; i < sizeof x / sizeof *x; i++)
        if (!(y[i] >= x[i] * (1 - 1e-12)))
            fail_msg("one more %s of %lld x %lld: figure %zu falls from %g to %g", what,
                     (long long)in->entries, (long long)in->word_bits, i, x[i], y[i]);
}

static void small_model_never_falls_with_entries_bits_or_ports(void **state)
{
    struct fixture *f = *state;
    static const enum amodel_type types[] = {AMODEL_RAM, AMODEL_FA, AMODEL_CAM};
    static const double nodes[] = {22, 40, 90};
    struct amodel_out o, more;
    for (int t = 0; t < 3; t++)
        for (int n = 0; n < 3; n++)
            for (int p = 0; p < N_PORTS; p++)
                for (double e = 1; e < 2e5; e *= 2.3)
                    for (double b = 1; b < 3000; b *= 3.1) {
                        struct amodel_in in =
                            request(types[t], (int64_t)e, (int64_t)b, all_ports[p], nodes[n]);
                        if (types[t] == AMODEL_RAM && p % 3 == 1)
                            in.data_cell = in.data_peri = in.tag_cell = in.tag_peri = ARRAY_LSTP;
                        o = cost(f, &in, ARRAY_MODEL_SMALL, NULL);
#define ONE_MORE(field, what)                                                                      \
    do {                                                                                           \
        struct amodel_in next = in;                                                                \
        next.field++;                                                                              \
        next.out_bits = next.word_bits;                                                            \
        more = cost(f, &next, ARRAY_MODEL_SMALL, NULL);                                            \
        no_less(&o, &more, what, &in);                                                             \
    } while (0)
                        ONE_MORE(entries, "entry");
                        ONE_MORE(word_bits, "bit");
                        ONE_MORE(rw, "read-write port");
                        ONE_MORE(rd, "read port");
                        ONE_MORE(wr, "write port");
                        if (types[t] != AMODEL_RAM)
                            ONE_MORE(search, "search port");
                    }
}

/* ---- border ---- */

static double off(double small, double cacti)
{
    return small > cacti ? small / cacti - 1 : cacti / small - 1;
}

struct worst {
    double area, delay, energy;
    int n;
};

/* A shape at which the model changes: both sides must say nearly the same. */
static void at_border(struct fixture *f, const struct amodel_in *in, struct worst *w)
{
    struct amodel_out s = cost(f, in, ARRAY_MODEL_SMALL, NULL);
    struct amodel_out c = cost(f, in, ARRAY_MODEL_CACTI65, NULL);
    bool cf = in->type == AMODEL_FA || in->type == AMODEL_CAM;
    double delay =
        in->type == AMODEL_CAM ? off(s.data.t_match, c.data.t_match) : off(s.access_s, c.access_s);
    double energy = cf ? off(s.search_j, c.search_j) : off(s.read_j, c.read_j);
    double area = off(s.area_um2, c.area_um2), write = off(s.write_j, c.write_j);

    if (area > 0.3 || delay > 0.3 || energy > 0.3 || write > 0.3)
        print_error(
            "%s %lld x %lld, ports %lld+%lld+%lld, %g nm: area %+.2f delay %+.2f energy %+.2f "
            "write %+.2f\n",
            amodel_type_names[in->type], (long long)in->entries, (long long)in->word_bits,
            (long long)in->rw, (long long)in->rd, (long long)in->wr, in->tech_nm, area, delay,
            energy, write);
    assert_true(area <= 0.3);
    assert_true(delay <= 0.3);
    assert_true(energy <= 0.3);
    assert_true(write <= 0.3);
    w->area = fmax(w->area, area);
    w->delay = fmax(w->delay, delay);
    w->energy = fmax(w->energy, fmax(energy, write));
    w->n++;
}

/* The smallest arrays that `auto` gives to CACTI's model, walking up in entries. */
static void models_agree_at_the_border(void **state)
{
    struct fixture *f = *state;
    static const struct {
        double nm;
        enum array_flavour device;
    } techs[] = {{22, ARRAY_HP}, {28, ARRAY_HP}, {32, ARRAY_LOP},  {40, ARRAY_HP},
                 {45, ARRAY_HP}, {65, ARRAY_HP}, {45, ARRAY_LSTP}, {90, ARRAY_HP}};
    struct worst w = {0};
    for (int n = 0; n < 8; n++)
        for (int p = 0; p < N_PORTS; p++)
            for (int64_t bits = 8; bits <= 128; bits += 8)
                for (int64_t e = 1; e <= 64; e++) {
                    struct amodel_in in = request(AMODEL_RAM, e, bits, all_ports[p], techs[n].nm);
                    const char *used;
                    in.data_cell = in.data_peri = in.tag_cell = in.tag_peri = techs[n].device;
                    if (e < 15 && e * bits < 512)
                        continue; /* far below CACTI's limits */
                    cost(f, &in, ARRAY_MODEL_AUTO, &used);
                    if (strcmp(used, "cacti65") == 0) {
                        at_border(f, &in, &w);
                        break;
                    }
                }
    assert_true(w.n > 100);
    print_message("%d shapes: area within %.0f %%, delay %.0f %%, energy %.0f %%\n", w.n,
                  100 * w.area, 100 * w.delay, 100 * w.energy);
}

static void models_agree_at_the_border_of_searched_structures(void **state)
{
    struct fixture *f = *state;
    struct worst w = {0};
    for (int t = AMODEL_FA; t <= AMODEL_CAM; t++)
        for (int p = 0; p < N_PORTS; p++)
            for (int64_t bits = 8; bits <= 128; bits += 8)
                for (int64_t e = 2; e <= 128; e++) {
                    struct amodel_in in = request((enum amodel_type)t, e, bits, all_ports[p], 40);
                    const char *used;
                    cost(f, &in, ARRAY_MODEL_AUTO, &used);
                    if (strcmp(used, "cacti65") == 0) {
                        at_border(f, &in, &w);
                        break;
                    }
                }
    assert_true(w.n > 50);
    print_message("%d shapes: area within %.0f %%, delay %.0f %%, energy %.0f %%\n", w.n,
                  100 * w.area, 100 * w.delay, 100 * w.energy);
}

/* ---- answers everywhere ---- */

static void every_size_from_8_bits_to_8_megabytes_is_answered(void **state)
{
    struct fixture *f = *state;
    static const int64_t widths[] = {8, 32, 256};
    for (int k = 0; k < 3; k++)
        for (int64_t bits = widths[k]; bits <= (int64_t)8 << 23; bits *= 2) {
            struct amodel_in in =
                request(AMODEL_RAM, bits / widths[k], widths[k], all_ports[0], 40);
            struct amodel_out o = cost(f, &in, ARRAY_MODEL_AUTO, NULL);
            assert_true(o.area_um2 > 0 && isfinite(o.area_um2));
            assert_true(o.access_s > 0 && o.access_s < 1e-7);
            assert_true(o.read_j > 0 && o.write_j > 0 && o.leak_w > 0);
        }
}

static void six_ways_cost_no_less_than_four_and_no_more_than_eight(void **state)
{
    struct fixture *f = *state;
    struct amodel_out o[3];
    for (int i = 0; i < 3; i++) {
        struct amodel_in in = amodel_defaults();
        in.type = AMODEL_CACHE;
        in.size_b = 49152;
        in.block_b = 128;
        in.out_bits = 256;
        in.tech_nm = 40;
        in.assoc = 4 + 2 * i;
        const char *used;
        o[i] = cost(f, &in, ARRAY_MODEL_AUTO, &used);
        assert_string_equal(used, i == 1 ? "small" : "cacti65");
    }
    assert_true(o[0].area_um2 < o[1].area_um2 && o[1].area_um2 < o[2].area_um2);
    assert_true(o[0].access_s < o[1].access_s && o[1].access_s < o[2].access_s);
    assert_true(o[0].read_j < o[1].read_j && o[1].read_j < o[2].read_j);
}

/* An entry per cluster: 8 threads of 321 bits; 24 lines of 128 bytes found by 41 bits. */
static void wide_words_are_served_by_the_small_model_with_the_reason(void **state)
{
    struct fixture *f = *state;
    struct array_answer a;
    struct amodel_in in = request(AMODEL_FA, 24, 1024, all_ports[0], 40);
    assert_true(
        array_cost_native(&in, ARRAY_MODEL_AUTO, &f->tables, NOWHERE, &f->mem, &a, &f->err));
    assert_string_equal(a.model, "small");
    assert_non_null(strstr(a.why, "times the area of a plain block"));
    assert_true(a.cost.access_s < 0.714e-9);
    assert_true(a.cost.area_um2 < 0.1e6);
    in = request(AMODEL_RAM, 8, 321, all_ports[0], 40);
    assert_true(
        array_cost_native(&in, ARRAY_MODEL_AUTO, &f->tables, NOWHERE, &f->mem, &a, &f->err));
    assert_string_equal(a.model, "small");
    assert_non_null(strstr(a.why, "16 rows"));
    in = request(AMODEL_FA, 48, 16, all_ports[0], 40);
    assert_true(
        array_cost_native(&in, ARRAY_MODEL_AUTO, &f->tables, NOWHERE, &f->mem, &a, &f->err));
    assert_string_equal(a.model, "cacti65");
    assert_close(a.cost.access_s, 0.315189e-9, 1e-5);
}

static struct cost engine_cost(struct fixture *f, const struct array *a, double nm)
{
    struct tech_params tech = arch_defaults().tech;
    tech.node_nm = tech.array_node_nm = nm;
    struct engine_ctx ctx = {.tech = &tech, .array_tables = &f->tables, .mem = &f->mem};
    struct cost c;
    assert_true(array_engine_native(&ctx, a, 1, &c, &f->err));
    return c;
}

static void a_row_in_slices_costs_what_its_slices_cost(void **state)
{
    struct fixture *f = *state;
    struct array whole = {.kind = ARRAY_REGISTERS, .entries = 512, .banks = 16, .rw_ports = 1};
    struct array part = whole;
    whole.slices = 8;
    array_add_field(&whole, "lanes", 1024);
    array_add_field(&part, "lanes", 128);
    struct cost w = engine_cost(f, &whole, 40), p = engine_cost(f, &part, 40);
    assert_close(w.energy_pj[EV_ARRAY_READ], 8 * p.energy_pj[EV_ARRAY_READ], 1e-12);
    assert_close(w.energy_pj[EV_ARRAY_WRITE], 8 * p.energy_pj[EV_ARRAY_WRITE], 1e-12);
    assert_close(cost_area_um2(&w), 8 * cost_area_um2(&p), 1e-12);
    assert_close(cost_leakage_w(&w), 8 * cost_leakage_w(&p), 1e-12);
    assert_close(w.access_ns, p.access_ns, 1e-12);
}

/* Gebhart et al., "A compile-time managed multi-level register file hierarchy", MICRO 2011: 128 KB
 * in eight clusters of four banks of 128 bits, a read and a write port, 32 nm at 0.9 V: 8 pJ for a
 * read and 11 pJ for a write of a bank. Ours carry the word to the edge of the cluster, too. */
static void a_register_file_costs_about_what_is_published(void **state)
{
    struct fixture *f = *state;
    struct array a;
    register_file_array(32768, 4, 1, &a);
    assert_int_equal(array_bytes(&a), 131072);
    a.rw_ports = 0;
    a.read_ports = a.write_ports = 1;
    struct cost c = engine_cost(f, &a, 32);
    assert_close(c.energy_pj[EV_ARRAY_READ] / 8, 8, 0.30);
    assert_close(c.energy_pj[EV_ARRAY_WRITE] / 8, 11, 0.15);
}

static void bad_small_requests_are_refused(void **state)
{
    struct fixture *f = *state;
    static const struct {
        int64_t entries, bits, out;
        const char *words;
    } bad[] = {{0, 8, 8, "entries: 0 is not in"},
               {-1, 8, 8, "entries: -1 is not in"},
               {(int64_t)1 << 60, 8, 8, "entries: "},
               {8, 0, 0, "word_bits: 0 is not in"},
               {8, (int64_t)1 << 60, 8, "word_bits: "},
               {8, 8, 9, "out_bits: 9 bits do not fit a word of 8"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        for (int m = ARRAY_MODEL_SMALL; m <= ARRAY_MODEL_AUTO; m++) {
            struct amodel_in in =
                request(AMODEL_RAM, bad[i].entries, bad[i].bits, all_ports[0], 40);
            in.out_bits = bad[i].out;
            struct err err;
            struct array_answer a;
            err_init(&err);
            assert_false(array_cost_native(&in, (enum array_model)m, &f->tables, NOWHERE, &f->mem,
                                           &a, &err));
            assert_non_null(strstr(err_entry_text(err.first, &f->mem), bad[i].words));
            err_free(&err);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_model_never_falls_with_entries_bits_or_ports),
        cmocka_unit_test(models_agree_at_the_border),
        cmocka_unit_test(models_agree_at_the_border_of_searched_structures),
        cmocka_unit_test(every_size_from_8_bits_to_8_megabytes_is_answered),
        cmocka_unit_test(six_ways_cost_no_less_than_four_and_no_more_than_eight),
        cmocka_unit_test(wide_words_are_served_by_the_small_model_with_the_reason),
        cmocka_unit_test(a_row_in_slices_costs_what_its_slices_cost),
        cmocka_unit_test(a_register_file_costs_about_what_is_published),
        cmocka_unit_test(bad_small_requests_are_refused),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
