/* SPDX-License-Identifier: MIT */
#include "tests/unit/test.h"

#include "base/buf.h"
#include "base/rng.h"
#include "cache/set_cache.h"
#include "cache/structure.h"
#include "gen/design/show.h"
#include "tests/unit/config.h"

static const struct array *array_of(struct config *c, enum array_role role)
{
    const struct design_array *a = design_array(&c->design, role);
    if (!a)
        fail_msg("there is no %s", array_role_name(role));
    return &a->geometry;
}

static void load(struct config *c, const char *file)
{
    config_reset(c);
    if (!config_file(c, file) || !config_design(c))
        fail_msg("%s: %s", file, config_messages(c));
}

/* ---- the papers' numbers --------------------------------------------------------------------- */

/* CD-Xbar paper, Table 2, 80 SMs and 16 slices. S-Mesh: the table prints 3000 buffers, which no
 * count by ports can give; the generated network has 3200. CD-Xbar is not in the table. */
static void the_counts_of_the_cdxbar_paper_come_out_exactly(void **state)
{
    struct config *c = *state;
    static const struct {
        const char *name;
        uint32_t routers, vc_buffers, links;
        struct {
            uint32_t inputs, outputs, count;
        } shapes[4];
    } table[] = {
        {"crossbar", 2, 384, 192, {{80, 16, 1}, {16, 80, 1}}},
        {"mesh", 200, 4000, 912, {{5, 5, 200}}},
        {"clos", 56, 2080, 512, {{10, 8, 20}, {8, 10, 20}, {10, 10, 16}}},
        {"butterfly", 40, 1600, 392, {{10, 10, 40}}},
        {"smesh", 200, 3200, 732, {{4, 4, 200}}},
        {"cdxbar", 18, 576, 240, {{10, 3, 8}, {24, 16, 1}, {3, 10, 8}, {16, 24, 1}}},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char file[64];
        snprintf(file, sizeof file, "cfg/paper/cdxbar/80-%s.cfg", table[i].name);
        load(c, file);
        json_t *all = show_json(&c->design), *noc = json_object_get(all, "noc");
        assert_int_equal(json_integer_value(json_object_get(noc, "routers")), table[i].routers);
        assert_int_equal(json_integer_value(json_object_get(noc, "vc_buffers")),
                         table[i].vc_buffers);
        assert_int_equal(json_integer_value(json_object_get(noc, "links")), table[i].links);
        json_t *crossbars = json_object_get(noc, "crossbars");
        size_t found = 0;
        for (size_t s = 0; s < 4 && table[i].shapes[s].count; s++) {
            for (size_t k = 0; k < json_array_size(crossbars); k++) {
                json_t *x = json_array_get(crossbars, k);
                found +=
                    json_integer_value(json_object_get(x, "inputs")) == table[i].shapes[s].inputs &&
                    json_integer_value(json_object_get(x, "outputs")) ==
                        table[i].shapes[s].outputs &&
                    json_integer_value(json_object_get(x, "count")) == table[i].shapes[s].count;
            }
        }
        assert_int_equal(found, json_array_size(crossbars));
        /* both networks add up to the sum */
        const char *const fields[] = {"routers", "vc_buffers", "links"};
        for (int f = 0; f < 3; f++)
            assert_int_equal(
                json_integer_value(json_object_get(noc, fields[f])),
                json_integer_value(json_object_get(json_object_get(noc, "request"), fields[f])) +
                    json_integer_value(json_object_get(json_object_get(noc, "reply"), fields[f])));
        json_decref(all);
    }
}

/* CD-Xbar: formulas evaluated for all sizes (S-Mesh with four-port routers). */
static void the_counts_follow_the_formulas_at_every_size(void **state)
{
    struct config *c = *state;
    static const struct {
        const char *name;
        uint32_t routers, vc_buffers, links;
    } table[] = {
        {"20-crossbar", 2, 144, 72},      {"20-mesh", 72, 1440, 312},
        {"20-clos", 32, 672, 168},        {"20-butterfly", 24, 576, 144},
        {"20-cdxbar", 18, 336, 120},      {"56-mesh", 128, 2560, 576},
        {"56-smesh", 128, 2048, 464},     {"56-cdxbar", 10, 352, 152},
        {"120-crossbar", 2, 544, 272},    {"120-mesh", 288, 5760, 1328},
        {"120-clos", 64, 2688, 656},      {"120-butterfly", 48, 2304, 560},
        {"120-cdxbar", 18, 736, 320},     {"180-crossbar", 2, 784, 392},
        {"180-mesh", 392, 7840, 1848},    {"180-clos", 72, 3360, 840},
        {"180-butterfly", 56, 3136, 784}, {"180-cdxbar", 18, 976, 440},
        {"80-fc-16", 2, 128, 64},         {"80-fc-24", 2, 160, 80},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char file[64];
        snprintf(file, sizeof file, "cfg/paper/cdxbar/%s.cfg", table[i].name);
        load(c, file);
        struct noc_counts sum;
        show_add_counts(&c->design, &sum, &c->mem);
        if (sum.routers != table[i].routers || sum.vc_buffers != table[i].vc_buffers ||
            sum.links != table[i].links)
            fail_msg("%s: %u routers, %u buffers, %u links", table[i].name, sum.routers,
                     sum.vc_buffers, sum.links);
    }
}

static void the_tables_of_the_icc_paper_have_their_bytes(void **state)
{
    struct config *c = *state;
    load(c, "cfg/paper/icc/icc-cc.cfg");
    const struct array *m = array_of(c, ROLE_MERGE_TABLE);
    assert_int_equal(m->entries, 48);
    assert_int_equal(array_bits_per_entry(m), 46);
    assert_int_equal(array_bytes(m), 276);
    assert_int_equal(m->instances, 12);
    const struct array *cc = array_of(c, ROLE_COALESCED_CACHE);
    assert_int_equal(cc->entries, 24);
    assert_int_equal(array_bits_per_entry(cc), 41 + 1024);
    assert_int_equal(array_bytes(cc), 3195);
    static const struct {
        const char *file;
        uint32_t entries, sms;
    } sizes[] = {{"cfg/paper/icc/icc-6.cfg", 96, 10},
                 {"cfg/paper/icc/icc-10.cfg", 60, 6},
                 {"cfg/paper/icc/icc.cfg", 48, 5},
                 {"cfg/paper/icc/icc-15.cfg", 40, 4}};
    for (int i = 0; i < 4; i++) {
        load(c, sizes[i].file);
        m = array_of(c, ROLE_MERGE_TABLE);
        assert_int_equal(m->entries, sizes[i].entries);
        assert_int_equal(array_bits_per_entry(m), 41 + sizes[i].sms);
    }
    load(c, "cfg/paper/icc/base.cfg");
    assert_null(design_array(&c->design, ROLE_MERGE_TABLE));
}

static void the_tables_of_warppool_have_their_bytes(void **state)
{
    struct config *c = *state;
    load(c, "cfg/paper/warppool/warppool.cfg");
    static const struct {
        enum array_role role;
        uint32_t entries, bits, bytes;
    } tables[] = {{ROLE_WP_INSTRUCTIONS, 128, 37, 592},
                  {ROLE_WP_COALESCERS, 2, 2048, 512},
                  {ROLE_WP_MERGE_QUEUES, 64, 124, 992},
                  {ROLE_WP_THREAD_MAPS, 8, 321, 321},
                  {ROLE_WP_MSHR_METADATA, 1024, 23, 2944}};
    uint64_t sum = 0;
    for (int i = 0; i < 5; i++) {
        const struct array *a = array_of(c, tables[i].role);
        assert_int_equal(a->entries, tables[i].entries);
        assert_int_equal(array_bits_per_entry(a), tables[i].bits);
        assert_int_equal(array_bytes(a), tables[i].bytes);
        sum += array_bytes(a);
    }
    assert_int_equal(sum, 5361);
    load(c, "cfg/paper/warppool/mrpb.cfg");
    assert_int_equal(array_of(c, ROLE_MRPB)->entries, 384);
}

/* ---- geometry -------------------------------------------------------------------------------- */

static void widths_follow_the_parameters(void **state)
{
    (void)state;
    struct array a;
    const struct structure_params p = {
        .gpu = &(struct gpu_params){.n_sms = 28, .n_clusters = 4, .address_bits = 40},
        .l1 = &(struct l1_params){.line_bytes = 64},
        .arrays = (struct array_size[ROLE_COUNT]){[ROLE_MERGE_TABLE] = {.entries = 10}}};
    assert_true(structure_make(ROLE_MERGE_TABLE, &p, &a));
    assert_int_equal(a.instances, 4);
    assert_int_equal(array_bits_per_entry(&a), 40 - 6 + 7);
    set_cache_array(&(struct set_cache_shape){.bytes = 16384,
                                              .ways = 4,
                                              .line_bytes = 128,
                                              .sector_bytes = 32,
                                              .banks = 1,
                                              .address_bits = 32},
                    &a);
    assert_int_equal(a.entries, 128);
    assert_int_equal(a.fields[0].bits, 32 - 7 - 5);
    assert_int_equal(a.fields[2].bits, 4); /* a valid bit per sector, not counted */
    assert_int_equal(array_bits_per_entry(&a), 20 + 1024);
    /* 96 sets: six index bits are in no tag, the seventh is not unique */
    set_cache_array(&(struct set_cache_shape){.bytes = 49152,
                                              .ways = 4,
                                              .line_bytes = 128,
                                              .sector_bytes = 128,
                                              .banks = 1,
                                              .address_bits = 48},
                    &a);
    assert_int_equal(a.fields[0].bits, 48 - 7 - 6);
}

/* ---- components ------------------------------------------------------------------------------ */

/* Ids are dense, groups and arrays tile them, classes count their instances. */
static void assert_components_are_consistent(struct config *c)
{
    const struct design *d = &c->design;
    uint32_t next = 0;
    for (int g = 0; g < GROUP_COUNT; g++) {
        assert_int_equal(d->groups[g].first, next);
        next += d->groups[g].n;
    }
    assert_int_equal(next, d->n_components);
    assert_int_equal(d->groups[GROUP_REQUEST_ROUTERS].n, d->request.n_routers);
    assert_int_equal(d->groups[GROUP_REPLY_CHANNELS].n, d->reply.n_channels);
    bool shares = d->arch->gpu.n_clusters < d->arch->gpu.n_sms &&
                  strcmp(d->arch->cluster.concentrator, "hardware") == 0;
    assert_int_equal(d->groups[GROUP_REQUEST_CONCENTRATORS].n,
                     shares ? d->arch->gpu.n_clusters : 0);
    assert_int_equal(d->groups[GROUP_REPLY_CONCENTRATORS].n, shares ? d->arch->gpu.n_clusters : 0);
    assert_int_equal(d->groups[GROUP_REQUEST_SM_LINKS].n, shares ? d->arch->gpu.n_sms : 0);
    assert_int_equal(d->groups[GROUP_REPLY_SM_LINKS].n, shares ? d->arch->gpu.n_sms : 0);
    uint32_t joined = 0; /* every SM hangs on one concentrator */
    for (uint32_t i = 0; i < d->groups[GROUP_REQUEST_CONCENTRATORS].n; i++)
        joined +=
            d->classes[d->components[d->groups[GROUP_REQUEST_CONCENTRATORS].first + i].class_id]
                .router.inputs;
    assert_int_equal(joined, shares ? d->arch->gpu.n_sms : 0);

    uint32_t *seen = calloc(d->n_classes, sizeof *seen);
    for (uint32_t i = 0; i < d->n_components; i++) {
        const struct component *x = &d->components[i];
        assert_true(x->class_id < d->n_classes);
        assert_int_equal(d->classes[x->class_id].kind, x->kind);
        seen[x->class_id]++;
    }
    for (uint32_t i = 0; i < d->n_classes; i++)
        assert_int_equal(seen[i], d->classes[i].instances);
    free(seen);

    uint32_t id = d->groups[GROUP_ARRAYS].first;
    for (uint32_t i = 0; i < d->n_arrays; i++) {
        if (d->arrays[i].first_component == DESIGN_NONE)
            continue;
        assert_int_equal(d->arrays[i].first_component, id);
        id += d->arrays[i].geometry.instances;
    }
    assert_int_equal(id, d->groups[GROUP_ARRAYS].first + d->groups[GROUP_ARRAYS].n);
}

static void assert_counts_are_consistent(struct config *c)
{
    const struct design *d = &c->design;
    const struct noc *nets[2] = {&d->request, &d->reply};
    const struct noc_counts *counts[2] = {&d->request_counts, &d->reply_counts};
    for (int n = 0; n < (d->has_reply ? 2 : 1); n++) {
        uint32_t inputs = 0, shapes = 0;
        for (uint32_t i = 0; i < nets[n]->n_routers; i++)
            inputs += nets[n]->routers[i].n_in;
        for (uint32_t i = 0; i < counts[n]->n_shapes; i++)
            shapes += counts[n]->shapes[i].count;
        assert_int_equal(counts[n]->routers, nets[n]->n_routers);
        assert_int_equal(shapes, nets[n]->n_routers);
        assert_int_equal(counts[n]->vc_buffers, inputs * nets[n]->vcs);
        assert_int_equal(counts[n]->links, nets[n]->n_channels);
        for (uint32_t i = 0; i < nets[n]->n_channels; i++)
            assert_true(nets[n]->channels[i].length_mm >= 0);
    }
    assert_true(d->request_facts.is_deadlock_free);
}

/* ---- random descriptions --------------------------------------------------------------------- */

static const char *const topologies[] = {"mesh",     "smesh",  "clos",        "butterfly",
                                         "crossbar", "cdxbar", "hierarchical"};

static uint32_t pick(struct rng *r, uint32_t lo, uint32_t hi)
{
    return lo + rng_below(r, hi - lo + 1);
}

static void add_random_legal(struct rng *r, struct buf *b)
{
    static const uint32_t lines[] = {64, 128};
    uint32_t line = lines[rng_below(r, 2)], ways = pick(r, 1, 8), controllers = pick(r, 1, 8);
    uint32_t per_cluster = rng_below(r, 3) ? 1 : pick(r, 2, 5), clusters = pick(r, 1, 60);
    const char *topology = topologies[rng_below(r, sizeof topologies / sizeof *topologies)];
    buf_printf(b, "gpu: { sms = %u; clusters = %u; address_bits = %u; };\n", clusters * per_cluster,
               clusters, pick(r, 36, 64));
    buf_printf(b, "l1: { line = %u; ways = %u; size = %u; mshr: { entries = %u; }; };\n", line,
               ways, line * ways * pick(r, 16, 64), pick(r, 1, 128));
    buf_printf(b, "llc: { line = %u; slices = %u; ways = %u; size = %u; };\n", line,
               controllers << rng_below(r, 3), ways, line * ways * pick(r, 16, 64));
    buf_printf(b, "dram: { controllers = %u; scheduler = \"%s\"; };\n", controllers,
               rng_below(r, 2) ? "fifo" : "frfcfs");
    buf_printf(b, "noc: { topology = \"%s\"; vcs = %u; vc_depth = %u; width = %u; };\n", topology,
               pick(r, 1, 8), pick(r, 1, 8), 8 * pick(r, 1, 64));
    if (rng_below(r, 2))
        buf_printf(b, "cluster: { icc: { entries = \"auto\"; }; cc: { entries = %u; }; };\n",
                   pick(r, 1, 64));
    if (rng_below(r, 2))
        buf_add(b, "coalescer: { kind = \"warppool\"; };\n");
}

static void random_legal_descriptions_become_consistent_designs(void **state)
{
    struct config *c = *state;
    for (uint64_t seed = 0; seed < 2500; seed++) {
        struct rng r;
        rng_seed(&r, seed, "legal", 0);
        config_reset(c);
        struct buf b;
        buf_init(&b, &c->mem, BUF_NO_MAX);
        add_random_legal(&r, &b);
        if (!config_read(c, b.data) || !config_design(c))
            fail_msg("seed %d: %s%s", (int)seed, b.data, config_messages(c));
        assert_components_are_consistent(c);
        assert_counts_are_consistent(c);
    }
}

/* One mistake in a legal description: a misspelt, misplaced or contradictory key, a value of the
 * wrong type or out of range, broken syntax. */
static const char *make_illegal(struct rng *r, const char *legal, struct arena *mem)
{
    const struct key *k = &keys[rng_below(r, (uint32_t)n_keys)];
    const char *leaf = strrchr(k->path, '.') + 1;
    char path[128];
    snprintf(path, sizeof path, "%s", k->path);
    struct buf b;
    buf_init(&b, mem, BUF_NO_MAX);
    switch (rng_below(r, 9)) {
    case 0: /* a swapped pair of letters */
    {
        size_t n = strlen(leaf), i = strlen(path) - n + (n > 1 ? rng_below(r, (uint32_t)n - 1) : 0);
        path[i] = path[i] == 'q' ? 'z' : 'q';
        buf_printf(&b, "%s\n", legal);
        break;
    }
    case 1: /* out of range */
        if (k->type != KEY_INT && k->type != KEY_REAL)
            return NULL;
        buf_printf(&b, "%s\n", legal);
        return arena_printf(mem, "extra: { %s = 1; };\n%s", leaf, b.data);
    case 2: /* broken syntax: a character cut out of the middle of the text */
    {
        size_t n = strlen(legal), at = rng_below(r, (uint32_t)n);
        while (at < n && !strchr("{}=\"", legal[at]))
            at++;
        if (at == n)
            return NULL;
        return arena_printf(mem, "%.*s%s", (int)at, legal, legal + at + 1);
    }
    case 3: return arena_printf(mem, "%s\ngarbage @ here", legal);
    case 4: return arena_printf(mem, "%s\nsim: { seed = %s; };", legal, "123456789012");
    case 5: return arena_printf(mem, "%s\nbase = %d;", legal, (int)rng_below(r, 100));
    case 6:
        return arena_printf(mem, "%s\nbase = \"absent-%d.cfg\";", legal, (int)rng_below(r, 100));
    case 7:
        return arena_printf(mem, "%s\nsm: { threads = 4096; warps = %u; };", legal,
                            pick(r, 1, 127));
    case 8: /* duplicated section */ return arena_printf(mem, "%s\ngpu: { sms = 3; };", legal);
    }
    /* the changed path as nested groups */
    const char *close = "";
    for (char *p = path, *dot; (dot = strchr(p, '.')); p = dot + 1) {
        buf_printf(&b, "x%.*s: { ", (int)(dot - p), p);
        close = arena_printf(mem, "%s };", close);
    }
    buf_printf(&b, "%s = 1; %s\n", strrchr(path, '.') + 1, close);
    return b.data;
}

/* A value out of range or of the wrong type for a random key. */
static const char *make_bad_value(struct rng *r, const char *legal, struct arena *mem)
{
    const struct key *k = &keys[rng_below(r, (uint32_t)n_keys)];
    struct buf b;
    buf_init(&b, mem, BUF_NO_MAX);
    if (strncmp(k->path, "sm.", 3) != 0 && strncmp(k->path, "tech.", 5) != 0 &&
        strncmp(k->path, "cta.", 4) != 0 && strncmp(k->path, "sim.", 4) != 0)
        return NULL; /* the section is in the text already */
    buf_printf(&b, "%s\n", legal);
    const char *close = "";
    const char *p = k->path;
    for (const char *dot; (dot = strchr(p, '.')); p = dot + 1) {
        buf_printf(&b, "%.*s: { ", (int)(dot - p), p);
        close = arena_printf(mem, "%s };", close);
    }
    buf_printf(&b, "%s = ", p);
    switch (rng_below(r, 4)) {
    case 0: buf_add(&b, k->type == KEY_BOOL ? "3" : "true"); break;
    case 1: buf_add(&b, "{ a = 1; }"); break;
    case 2: buf_add(&b, k->type == KEY_TEXT ? "-1" : "\"no such thing\""); break;
    case 3: buf_add(&b, "-1"); break;
    }
    buf_printf(&b, "; %s", close);
    return b.data;
}

static void illegal_descriptions_are_refused_with_file_and_line(void **state)
{
    struct config *c = *state;
    uint32_t tried = 0;
    for (uint64_t seed = 0; seed < 6000; seed++) {
        struct rng r;
        rng_seed(&r, seed, "illegal", 0);
        config_reset(c);
        struct buf b;
        buf_init(&b, &c->mem, BUF_NO_MAX);
        add_random_legal(&r, &b);
        const char *text =
            seed % 2 ? make_illegal(&r, b.data, &c->mem) : make_bad_value(&r, b.data, &c->mem);
        if (!text)
            continue;
        tried++;
        if (config_read(c, text) && config_design(c))
            fail_msg("seed %d was accepted:\n%s", (int)seed, text);
        assert_true(c->err.n_errors > 0);
        assert_int_equal(c->err.n_machine, 0);
        for (const struct err_entry *e = c->err.first; e; e = e->next) {
            if (e->kind != ERR_NOTE && !(e->at.file && e->at.line > 0))
                fail_msg("seed %d: no file and line: %s\n%s", (int)seed, err_entry_text(e, &c->mem),
                         text);
        }
    }
    assert_true(tried > 3000);
}

#define T(f) cmocka_unit_test_setup_teardown(f, config_set_up, config_tear_down)
int main(void)
{
    const struct CMUnitTest tests[] = {
        T(the_counts_of_the_cdxbar_paper_come_out_exactly),
        T(the_counts_follow_the_formulas_at_every_size),
        T(the_tables_of_the_icc_paper_have_their_bytes),
        T(the_tables_of_warppool_have_their_bytes),
        T(widths_follow_the_parameters),
        T(random_legal_descriptions_become_consistent_designs),
        T(illegal_descriptions_are_refused_with_file_and_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
