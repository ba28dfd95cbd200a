/* SPDX-License-Identifier: MIT
 *
 * The shipped workloads: each runs at `tiny`, and its result is compared with the CPU reference. A
 * new file in cfg/workloads/ is tested by existing. */
#include "tests/unit/test.h"

#include <glob.h>

#include "gen/workload/read_workload.h"

struct bench {
    struct arena mem;
    struct err err;
    struct workload w;
};

static void say_errors(const char *file, struct bench *b)
{
    for (const struct err_entry *e = b->err.first; e; e = e->next)
        print_error("%s: %s\n", file, err_entry_text(e, &b->mem));
}

static void open_workload(struct bench *b, const char *file, const char *preset)
{
    struct workload_request request = {.file = file, .preset = preset};
    arena_init(&b->mem, NULL, NULL);
    err_init(&b->err);
    if (!workload_read(&request, &b->mem, &b->w, &b->err)) {
        say_errors(file, b);
        fail_msg("%s cannot be read", file);
    }
}

static void close_workload(struct bench *b)
{
    err_free(&b->err);
    arena_free(&b->mem);
}

/* Calls `check` for every shipped workload, read with the preset. */
static size_t each_workload(const char *preset, void (*check)(struct bench *b, const char *file))
{
    glob_t found;
    assert_int_equal(glob("cfg/workloads/*.cfg", 0, NULL, &found), 0);
    size_t n = found.gl_pathc;
    for (size_t i = 0; i < n; i++) {
        struct bench b;
        open_workload(&b, found.gl_pathv[i], preset);
        check(&b, found.gl_pathv[i]);
        close_workload(&b);
    }
    globfree(&found);
    return n;
}

static void is_right(struct bench *b, const char *file)
{
    struct workload_stats stats = {0};
    if (!workload_run(&b->w, NULL, NULL, &stats, &b->err)) {
        say_errors(file, b);
        fail_msg("%s is wrong", file);
    }
    assert_true(stats.judged);
    assert_true(stats.warp_insts > 0);
}

static void every_workload_gives_what_its_reference_computes(void **state)
{
    (void)state;
    assert_true(each_workload("tiny", is_right) >= 46);
}

static void is_wrong_without_kernels(struct bench *b, const char *file)
{
    struct workload_stats stats = {0};
    b->w.n_steps = 0;
    if (workload_run(&b->w, NULL, NULL, &stats, &b->err))
        fail_msg("%s is accepted though nothing ran", file);
    assert_true(err_any(&b->err));
}

static void a_workload_whose_kernels_did_not_run_is_found_wrong(void **state)
{
    (void)state;
    each_workload("tiny", is_wrong_without_kernels);
}

/* What every buffer holds at the start and at the end of a run. */
struct contents {
    struct arena *mem;
    const struct workload *w;
    struct ref_buffer *buffers;
    bool is_end;
};

static bool keep(void *ctx, const struct workload_buffer *b, const void *data, struct err *err)
{
    (void)err;
    struct contents *c = ctx;
    size_t n = b->count * workload_type_bytes(b->type);
    void *copy = arena_alloc(c->mem, n + 16);
    struct ref_buffer *to = &c->buffers[b - c->w->buffers];
    memcpy(copy, data, n);
    *to = (struct ref_buffer){b->name, b->type, b->count, c->is_end ? to->before : copy, copy};
    return true;
}

static bool records(const struct workload_step *s)
{
    bool any = s->kind == WS_LAUNCH && s->record;
    for (size_t i = 0; i < s->n_body; i++)
        any = any || records(&s->body[i]);
    return any;
}

static void take_contents(struct bench *b, struct contents *c)
{
    struct workload_wishes wishes = {.result = keep, .ctx = c};
    struct workload_stats stats = {0};
    size_t n_steps = b->w.n_steps;
    *c = (struct contents){&b->mem, &b->w,
                           arena_many(&b->mem, struct ref_buffer, b->w.n_buffers + 1), false};
    for (b->w.n_steps = 0; b->w.n_steps < n_steps && !records(&b->w.steps[b->w.n_steps]);)
        b->w.n_steps++;
    workload_run(&b->w, &wishes, NULL, &stats, &b->err); /* says that nothing was made */
    b->w.n_steps = n_steps;
    c->is_end = true;
    err_free(&b->err);
    err_init(&b->err);
    assert_true(workload_run(&b->w, &wishes, NULL, &stats, &b->err));
}

static bool is_accepted(const struct contents *c)
{
    const struct workload *w = c->w;
    struct arena mem;
    struct ref_param params[64];
    arena_init(&mem, NULL, NULL);
    assert_true(w->n_params <= 64);
    for (size_t i = 0; i < w->n_params; i++)
        params[i] = (struct ref_param){w->params[i].name, w->params[i].real};
    struct ref r = {c->buffers, w->n_buffers, params, w->n_params, &mem, NULL, 0, 0};
    reference_find(w->expected)->check(&r);
    bool ok = !r.wrong;
    arena_free(&mem);
    return ok;
}

/* Is the reference content with another value in the element? It is put back. */
static bool another_is_accepted(const struct contents *c, const struct ref_buffer *b, uint64_t i)
{
    uint8_t *at = (uint8_t *)(uintptr_t)b->after;
    uint32_t bytes = workload_type_bytes(b->type);
    uint8_t old[8];
    double v = workload_get(b->type, at, i);
    struct workload_number other = {.is_real = true, .real = v + 1 + fabs(v)};
    if (b->type != REF_F32 && b->type != REF_F64)
        other = (struct workload_number){.integer = v < 1 ? 1 : 0};
    memcpy(old, at + i * bytes, bytes);
    workload_put(b->type, at, i, other);
    bool ok = is_accepted(c);
    memcpy(at + i * bytes, old, bytes);
    return ok;
}

/* Buffers that kernels change and no reference looks at: scratch, and what a swap leaves behind. Of
 * some the reference looks at the first elements only: beyond are none, or gaps between rows. */
static const struct {
    const char *workload, *buffer;
    bool first_counts;
} unjudged[] = {
    {"bfs", "mask", false},
    {"bfs", "visited", false},
    {"bt", "current", false},
    {"bt", "offset", false},
    {"cfd", "old", false},
    {"cfd", "fluxes", false},
    {"fdtd3d", "dst", false},
    {"gesummv", "tmp", false},
    {"hs", "dst", false},
    {"hst", "partial", false},
    {"ii", "places", true},
    {"lps", "src", true},
    {"lps", "dst", false},
    {"mriq", "values", false},
    {"mriq", "const_values", false},
    {"ms", "keys2", false},
    {"ms", "vals2", false},
    {"ms", "ranks", false},
    {"ms", "from_a", false},
    {"ms", "from_b", false},
    {"particlefilter", "seeds", false},
    {"particlefilter", "places", false},
    {"particlefilter", "likelihood", false},
    {"particlefilter", "sums", false},
    {"particlefilter", "running", false},
    {"particlefilter", "u", false},
    {"pathfinder", "dst", false},
    {"ray", "image", false}, /* some may differ, see below */
    {"sad", "out", true},
    {"sm", "matches", true},
    {"srad", "d_n", false},
    {"srad", "d_s", false},
    {"srad", "d_w", false},
    {"srad", "d_e", false},
    {"wc", "places", true},
    {"wc", "counts", true},
};

static size_t judged_elements(const char *workload, const char *buffer)
{
    for (size_t i = 0; i < sizeof unjudged / sizeof *unjudged; i++)
        if (strcmp(unjudged[i].workload, workload) == 0 && strcmp(unjudged[i].buffer, buffer) == 0)
            return unjudged[i].first_counts;
    return 3;
}

static void has_no_other_result(struct bench *b, const char *file)
{
    struct contents c;
    take_contents(b, &c);
    assert_true(is_accepted(&c));
    for (size_t k = 0; k < b->w.n_buffers; k++) {
        const struct ref_buffer *buffer = &c.buffers[k];
        size_t bytes = buffer->count * workload_type_bytes(buffer->type);
        if (memcmp(buffer->before, buffer->after, bytes) == 0)
            continue; /* no result */
        const uint64_t at[] = {0, (buffer->count - 1) / 2, buffer->count - 1};
        for (size_t i = 0; i < judged_elements(b->w.name, buffer->name); i++)
            if (another_is_accepted(&c, buffer, at[i]))
                fail_msg("%s: %s[%llu] may be anything", file, buffer->name,
                         (unsigned long long)at[i]);
    }
}

static void one_wrong_element_of_a_result_is_found(void **state)
{
    (void)state;
    each_workload("tiny", has_no_other_result);
}

static void one_pixel_in_a_hundred_may_differ_at_the_edges_of_spheres(void **state)
{
    (void)state;
    struct bench b;
    struct contents c;
    open_workload(&b, "cfg/workloads/ray.cfg", "tiny");
    take_contents(&b, &c);
    for (size_t k = 0; k < b.w.n_buffers; k++) {
        const struct ref_buffer *image = &c.buffers[k];
        if (strcmp(image->name, "image") != 0)
            continue;
        float *pixel = (float *)(uintptr_t)image->after;
        uint64_t n = 0;
        for (; is_accepted(&c) && n < image->count; n++)
            pixel[n] += 0.002f;
        assert_int_equal(n, image->count / 100 + 1);
    }
    close_workload(&b);
}

static bool one_of(const char *word, const char *a, const char *b, const char *c)
{
    return strcmp(word, a) == 0 || strcmp(word, b) == 0 || (c && strcmp(word, c) == 0);
}

static void has_registers(const struct workload *w, const struct workload_step *steps, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        bool known = steps[i].kind != WS_LAUNCH || !steps[i].record;
        for (size_t k = 0; !known && k < w->n_registers; k++)
            known = strcmp(w->registers[k].entry, steps[i].entry) == 0;
        if (!known)
            fail_msg("%s: no registers for %s", w->file, steps[i].entry);
        has_registers(w, steps[i].body, steps[i].n_body);
    }
}

/* Of a paper, or of a group of its own. */
static bool has_a_home(const struct workload *w)
{
    bool own = false;
    for (size_t i = 0; i < w->n_groups; i++)
        own = own || one_of(w->groups[i], "learning", "transposes", NULL);
    return w->n_papers > 0 || own;
}

static void is_described(struct bench *b, const char *file)
{
    const struct workload *w = &b->w;
    bool tiny = false, small = false, paper = false;
    for (size_t i = 0; i < w->n_presets; i++) {
        tiny = tiny || strcmp(w->presets[i], "tiny") == 0;
        small = small || strcmp(w->presets[i], "small") == 0;
        paper = paper || strcmp(w->presets[i], "paper") == 0;
    }
    if (!tiny || !small || !paper || !w->expected || !reference_find(w->expected) || !w->title[0] ||
        !w->source[0] || !w->category[0] || !has_a_home(w) ||
        !one_of(w->demand, "high", "low", "unknown") ||
        !one_of(w->closeness, "compared", "described", NULL))
        fail_msg("%s does not say all that a shipped workload says", file);
    has_registers(w, w->steps, w->n_steps);
}

static void every_workload_says_what_it_is(void **state)
{
    (void)state;
    each_workload("paper", is_described);
}

static const struct {
    const char *group;
    unsigned members;
} expected_groups[] = {{"icc", 11}, {"cdxbar", 23},  {"warppool", 18}, {"high", 15},
                       {"low", 8},  {"learning", 4}, {"transposes", 4}};

static unsigned members[sizeof expected_groups / sizeof *expected_groups];

static void count_groups(struct bench *b, const char *file)
{
    (void)file;
    for (size_t i = 0; i < b->w.n_groups; i++)
        for (size_t k = 0; k < sizeof expected_groups / sizeof *expected_groups; k++)
            members[k] += strcmp(b->w.groups[i], expected_groups[k].group) == 0;
}

static void the_papers_workloads_are_complete(void **state)
{
    (void)state;
    each_workload("small", count_groups);
    for (size_t k = 0; k < sizeof expected_groups / sizeof *expected_groups; k++)
        assert_int_equal(members[k], expected_groups[k].members);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_workload_gives_what_its_reference_computes),
        cmocka_unit_test(a_workload_whose_kernels_did_not_run_is_found_wrong),
        cmocka_unit_test(one_wrong_element_of_a_result_is_found),
        cmocka_unit_test(one_pixel_in_a_hundred_may_differ_at_the_edges_of_spheres),
        cmocka_unit_test(every_workload_says_what_it_is),
        cmocka_unit_test(the_papers_workloads_are_complete),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
