/* SPDX-License-Identifier: MIT
 *
 * The store: what is kept comes back, what was changed does not. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/pool.h"
#include "gen/store/sources.h"
#include "gen/store/store.h"
#include "tests/unit/fixture.h"

static const char *new_path(struct fixture *f, const char *name)
{
    const char *path =
        arena_printf(&f->mem, "/tmp/crosswatt-store-%ld-%s.sqlite", (long)getpid(), name);
    unlink(path);
    return path;
}

static struct result some_result(struct arena *mem, double x)
{
    struct result r = {.design = "d", .workload = "w", .n_values = 3, .n_groups = 2, .n_links = 2};
    r.values = arena_many(mem, struct result_value, 3);
    r.values[0] = (struct result_value){"cycles", "cycle", x};
    r.values[1] = (struct result_value){"power_w", "W", x / 3};
    r.values[2] = (struct result_value){"l2_miss_rate", "", NAN};
    r.groups = arena_many(mem, struct result_group, 2);
    r.groups[0] = (struct result_group){"noc.request", 0.1 * x, 0.2, 0.3, 4, 5};
    r.groups[1] = (struct result_group){"l1", 1, 2, 3, 4, 1.0 / 3};
    r.link_use = arena_many(mem, double, 2);
    r.link_use[1] = 0.1 + x;
    return r;
}

static struct store_pair pair_of(uint64_t key)
{
    return (struct store_pair){
        .key = key, .design = 7, .workload = 9, .workload_name = "mm", .preset = "tiny"};
}

static void a_result_comes_back_as_it_was(void **state)
{
    struct fixture *f = *state;
    const char *path = new_path(f, "a");
    struct result r = some_result(&f->mem, 1e17 / 7), got;
    const struct store_pair p = pair_of(0xfedcba9876543210);
    for (int round = 0; round < 2; round++) { /* and when the file is opened again */
        struct store *s = store_open(path, STORE_SHARED, &f->err);
        assert_non_null(s);
        assert_true(store_begin(s, "test", &f->err));
        if (round == 0) {
            assert_false(store_take(s, p.key, &f->mem, &got));
            assert_true(store_keep_failure(s, &p, "no", &f->err));
            assert_true(store_keep(s, &p, &r, &f->err));
        }
        assert_true(store_take(s, p.key, &f->mem, &got));
        assert_int_equal(got.n_values, 3);
        for (int i = 0; i < 3; i++) {
            assert_string_equal(got.values[i].name, r.values[i].name);
            assert_string_equal(got.values[i].unit, r.values[i].unit);
            assert_true(got.values[i].value == r.values[i].value || isnan(r.values[i].value));
        }
        assert_int_equal(got.n_groups, 2);
        assert_true(got.groups[1].wire_area_mm2 == 1.0 / 3);
        assert_int_equal(got.n_links, 2);
        assert_memory_equal(got.link_use, r.link_use, 2 * sizeof(double));
        assert_false(store_take(s, p.key + 1, &f->mem, &got));
        store_close(s);
    }
    unlink(path);
}

static void designs_points_and_told_values_come_back(void **state)
{
    struct fixture *f = *state;
    const char *path = new_path(f, "b");
    struct store *s = store_open(path, STORE_ALONE, &f->err);
    struct store_value figures[] = {{"noc.area_mm2", 0.1}, {"l1.access_ns", NAN}};
    const struct store_design d = {.id = 1,
                                   .hash = 2,
                                   .name = "a",
                                   .description = 3,
                                   .changes = "noc.vcs = 2\n",
                                   .figures = figures,
                                   .n_figures = 2};
    struct store_design got;
    double v;
    assert_non_null(s);
    assert_true(store_open_batch(s, &f->err));
    assert_true(store_keep_design(s, &d, &f->err));
    assert_true(store_keep_description(s, 3, "x = 1\n", &f->err));
    assert_true(store_keep_point(s, 5, 1, "{}", &f->err));
    assert_true(store_keep_promotion(s, 5, 1, 2, "full", "why", &f->err));
    assert_true(store_keep_told(s, 5, 1, "max x", 2.5, &f->err));
    assert_true(store_close_batch(s, &f->err));
    assert_true(store_has_description(s, 3));
    assert_false(store_has_description(s, 4));
    assert_true(store_take_design(s, 1, &f->mem, &got));
    assert_true(got.hash == 2 && got.n_figures == 2 && got.figures[0].value == 0.1 && !got.error);
    assert_true(isnan(got.figures[1].value));
    assert_string_equal(got.changes, d.changes);
    assert_false(store_take_design(s, 2, &f->mem, &got));
    assert_true(store_take_told(s, 5, 1, "max x", &v) && v == 2.5);
    assert_false(store_take_told(s, 6, 1, "max x", &v));
    store_close(s);
    unlink(path);
}

struct writers {
    struct store *stores[2];
    struct arena *mems;
};

static void keep_some(void *ctx, size_t i)
{
    struct writers *w = ctx;
    struct err err;
    err_init(&err);
    struct result r = some_result(&w->mems[i], (double)i);
    const struct store_pair p = pair_of(i);
    assert_true(store_keep(w->stores[i % 2], &p, &r, &err));
    err_free(&err);
}

static bool count_row(void *ctx, size_t n, const char *const *columns, const char *const *texts)
{
    (void)n, (void)columns;
    *(int *)ctx = texts[0] ? (int)texts[0][0] - '0' : -1;
    return true;
}

static void two_users_of_one_file_and_many_threads(void **state)
{
    struct fixture *f = *state;
    enum { N = 40 };
    const char *path = new_path(f, "c"), *other = new_path(f, "d");
    struct writers w = {
        {store_open(path, STORE_SHARED, &f->err), store_open(path, STORE_SHARED, &f->err)},
        arena_many(&f->mem, struct arena, N)};
    struct result got;
    uint64_t n;
    for (int i = 0; i < N; i++)
        arena_init(&w.mems[i], NULL, NULL);
    pool_run(4, N, keep_some, &w, NULL);
    for (uint64_t i = 0; i < N; i++) {
        assert_true(store_take(w.stores[0], i, &f->mem, &got));
        assert_true(got.values[0].value == (double)i);
        arena_free(&w.mems[i]);
    }
    store_close(w.stores[1]);
    store_close(w.stores[0]);
    struct store *s = store_open(other, STORE_SHARED, &f->err);
    const struct store_pair p = pair_of(3), q = pair_of(1000);
    struct result r = some_result(&f->mem, 3);
    assert_true(store_keep(s, &p, &r, &f->err) && store_keep_failure(s, &q, "no", &f->err));
    assert_true(store_merge(s, &path, 1, &n, &f->err) && n == N - 1);
    assert_true(store_merge(s, &path, 1, &n, &f->err) && n == 0);
    for (uint64_t i = 0; i < N; i++)
        assert_true(store_take(s, i, &f->mem, &got));
    int failures = -1;
    assert_true(
        store_query(s, "SELECT count(*) FROM failure", NULL, 0, count_row, &failures, &f->err));
    assert_int_equal(failures, 1);
    store_close(s);
    unlink(path);
    unlink(other);
}

static void a_changed_row_is_not_taken(void **state)
{
    struct fixture *f = *state;
    const char *path = new_path(f, "e");
    struct store *s = store_open(path, STORE_SHARED, &f->err);
    struct result r = some_result(&f->mem, 123456), got;
    const struct store_pair p = pair_of(1);
    char *text;
    size_t n;
    assert_true(store_keep(s, &p, &r, &f->err));
    store_close(s);
    assert_true(file_read(path, 1 << 22, &f->mem, &text, &n, &f->err));
    char *at = NULL;
    for (size_t i = 0; i + 6 < n && !at; i++)
        at = memcmp(text + i, "123456", 6) == 0 ? text + i : NULL;
    assert_non_null(at);
    *at = '9';
    assert_true(file_write(path, text, n, &f->err));
    s = store_open(path, STORE_SHARED, &f->err);
    assert_false(store_take(s, 1, &f->mem, &got));
    assert_true(store_keep(s, &p, &r, &f->err)); /* run again, kept again */
    assert_true(store_take(s, 1, &f->mem, &got));
    store_close(s);
    unlink(path);
}

enum { N = 200 }; /* results of a damaged file */

/* Results, and one page of them overwritten. */
static const char *damaged_file(struct fixture *f, const char *name, char **text, size_t *n)
{
    const char *path = new_path(f, name);
    struct store *s = store_open(path, STORE_ALONE, &f->err);
    assert_true(store_open_batch(s, &f->err));
    for (uint64_t i = 0; i < N; i++) {
        struct result r = some_result(&f->mem, (double)i);
        const struct store_pair p = pair_of(i);
        assert_true(store_keep(s, &p, &r, &f->err));
    }
    assert_true(store_close_batch(s, &f->err));
    store_close(s);
    assert_true(file_read(path, 1 << 24, &f->mem, text, n, &f->err));
    memset(*text + *n / 8 * 5 / 4096 * 4096, 0x5a, 4096);
    assert_true(file_write(path, *text, *n, &f->err));
    assert_int_equal(f->err.n_warnings, 0);
    return path;
}

/* It stands where it stood, as it was, and nothing beside it. */
static void assert_put_back(struct fixture *f, const char *path, const char *text, size_t n)
{
    char *now;
    size_t n_now;
    assert_true(file_read(path, 1 << 24, &f->mem, &now, &n_now, &f->err));
    assert_int_equal(n_now, n);
    assert_memory_equal(now, text, n);
    assert_false(file_exists(arena_printf(&f->mem, "%s.damaged", path)));
}

static void a_damaged_file_is_put_back_where_no_new_one_can_be_made(void **state)
{
    struct fixture *f = *state;
    char *text;
    size_t n;
    const char *path = damaged_file(f, "g", &text, &n);
    const char *fresh = arena_printf(&f->mem, "%s.new", path);
    assert_int_equal(mkdir(fresh, 0700), 0); /* in the way of the new one */
    assert_null(store_open(path, STORE_SHARED, &f->err));
    assert_true(err_any(&f->err));
    assert_put_back(f, path, text, n);
    assert_int_equal(rmdir(fresh), 0);
    err_free(&f->err);
    err_init(&f->err);
    struct store *s = store_open(path, STORE_SHARED, &f->err); /* out of the way: made anew */
    assert_non_null(s);
    assert_int_equal(f->err.n_warnings, 1);
    store_close(s);
    unlink(path);
    unlink(arena_printf(&f->mem, "%s.damaged", path));
}

static void a_damaged_file_is_put_back_where_there_is_no_room(void **state)
{
    struct fixture *f = *state;
    char *text;
    size_t n;
    const char *path = damaged_file(f, "h", &text, &n);
    for (rlim_t share = 8; share >= 2; share /= 2) { /* while tables are made, while they fill */
        int status = 0;
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            const struct rlimit most = {n / share, n / share};
            signal(SIGXFSZ, SIG_IGN);
            setrlimit(RLIMIT_FSIZE, &most);
            bool is_refused = !store_open(path, STORE_SHARED, &f->err) && err_any(&f->err);
            _exit(is_refused ? 0 : 1);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
        assert_put_back(f, path, text, n);
        assert_false(file_exists(arena_printf(&f->mem, "%s.new", path)));
    }
    unlink(path);
    unlink(arena_printf(&f->mem, "%s-wal", path));
    unlink(arena_printf(&f->mem, "%s-shm", path));
}

static void what_can_be_read_of_a_damaged_file_is_kept(void **state)
{
    struct fixture *f = *state;
    struct result got;
    char *text;
    size_t n;
    const char *path = damaged_file(f, "f", &text, &n);
    struct store *s = store_open(path, STORE_SHARED, &f->err);
    assert_non_null(s);
    assert_int_equal(f->err.n_warnings, 1);
    size_t n_kept = 0;
    for (uint64_t i = 0; i < N; i++) {
        if (store_take(s, i, &f->mem, &got)) {
            n_kept++;
            assert_true(got.values[0].value == (double)i);
        }
    }
    assert_true(n_kept >= N / 4);
    store_close(s);
    unlink(path);
    unlink(arena_printf(&f->mem, "%s.damaged", path));
}

static bool one_more(void *ctx, size_t n, const char *const *columns, const char *const *texts)
{
    (void)n, (void)columns;
    *(size_t *)ctx += texts[0] != NULL;
    return true;
}

static void what_can_be_read_of_a_damaged_file_is_shown(void **state)
{
    struct fixture *f = *state;
    char *text;
    size_t n, n_rows = 0;
    const char *path = damaged_file(f, "r", &text, &n);
    struct store *s = store_open(path, STORE_READ, &f->err);
    assert_non_null(s);
    assert_int_equal(f->err.n_warnings, 1);
    assert_true(
        store_query(s, "SELECT key FROM result ORDER BY key", NULL, 0, one_more, &n_rows, &f->err));
    assert_true(n_rows >= N / 4 && n_rows < N);
    assert_false(store_query(s, "DELETE FROM result", NULL, 0, one_more, &n_rows, &f->err));
    assert_int_equal(f->err.last->kind, ERR_INPUT);
    store_close(s);
    assert_put_back(f, path, text, n);
    unlink(path);
}

static void nothing_can_be_read_of_a_file_whose_tables_are_gone(void **state)
{
    struct fixture *f = *state;
    char *text;
    size_t n;
    const char *path = damaged_file(f, "g", &text, &n);
    memset(text + 100, 0x5a, n - 100); /* what is left says that it is SQLite's */
    assert_true(file_write(path, text, n, &f->err));
    assert_null(store_open(path, STORE_READ, &f->err));
    assert_int_equal(f->err.last->kind, ERR_INPUT);
    assert_put_back(f, path, text, n);
    unlink(path);
}

static void the_sources_are_known(void **state)
{
    (void)state;
    assert_int_equal(strlen(sources_hash()), 16);
    assert_int_equal(strspn(sources_hash(), "0123456789abcdef"), 16);
    assert_true(sources_number() != 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_result_comes_back_as_it_was, set_up, tear_down),
        cmocka_unit_test_setup_teardown(designs_points_and_told_values_come_back, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(two_users_of_one_file_and_many_threads, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_changed_row_is_not_taken, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_damaged_file_is_put_back_where_no_new_one_can_be_made,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_damaged_file_is_put_back_where_there_is_no_room, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(what_can_be_read_of_a_damaged_file_is_kept, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(what_can_be_read_of_a_damaged_file_is_shown, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(nothing_can_be_read_of_a_file_whose_tables_are_gone, set_up,
                                        tear_down),
        cmocka_unit_test(the_sources_are_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
