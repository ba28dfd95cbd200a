/* SPDX-License-Identifier: MIT */
#include "tests/unit/fixture.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/bits.h"
#include "base/buf.h"
#include "base/csv.h"
#include "base/err.h"
#include "base/file.h"
#include "base/map.h"
#include "base/near.h"
#include "base/pool.h"
#include "base/printable.h"
#include "base/proc.h"
#include "base/rng.h"
#include "base/stat.h"
#include "base/table.h"
#include "base/units.h"
#include "base/vec.h"

static void memory_comes_zeroed_also_after_a_rewind(void **state)
{
    struct fixture *f = *state;
    arena_alloc(&f->mem, 100);
    struct arena_mark mark = arena_mark(&f->mem);
    for (int round = 0; round < 3; round++) {
        for (int i = 1; i < 200; i++) {
            unsigned char *p = arena_alloc(&f->mem, (size_t)i * 7);
            for (int j = 0; j < i * 7; j++)
                assert_int_equal(p[j], 0);
            memset(p, 0xff, (size_t)i * 7);
        }
        arena_rewind(&f->mem, mark);
    }
}

static void a_device_is_written_to_and_a_link_stays_a_link(void **state)
{
    struct fixture *f = *state;
    struct stat st;
    char *dir = arena_strdup(&f->mem, "/tmp/crosswatt-file-XXXXXX"), *text;
    size_t n;
    assert_non_null(mkdtemp(dir));
    const char *pipe = path_join(&f->mem, dir, "pipe"), *link = path_join(&f->mem, dir, "link"),
               *file = path_join(&f->mem, dir, "file");
    /* a pipe stands for devices: replacing a real one would harm the machine */
    assert_int_equal(mkfifo(pipe, 0600), 0);
    int reader = open(pipe, O_RDONLY | O_NONBLOCK);
    assert_true(file_write(pipe, "four", 4, &f->err));
    assert_int_equal(stat(pipe, &st), 0);
    assert_true(S_ISFIFO(st.st_mode));
    char got[8];
    assert_int_equal(read(reader, got, sizeof got), 4);
    close(reader);

    assert_true(file_write(file, "old", 3, &f->err));
    assert_int_equal(symlink("file", link), 0);
    assert_true(file_write(link, "new", 3, &f->err));
    assert_int_equal(lstat(link, &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_true(file_read(file, 10, &f->mem, &text, &n, &f->err));
    assert_string_equal(text, "new");
    remove(pipe);
    remove(link);
    remove(file);
    assert_int_equal(rmdir(dir), 0); /* no temporary file is left */
}

static void a_buffer_stops_at_its_maximum(void **state)
{
    struct fixture *f = *state;
    struct buf b;
    buf_init(&b, &f->mem, 10);
    buf_printf(&b, "%s", "12345678901234");
    assert_string_equal(b.data, "1234567890");
    assert_true(b.overflowed);
}

static void doubles_print_short_and_read_back(void **state)
{
    struct fixture *f = *state;
    static const double values[] = {0, 0.1, 1.0 / 3, 1e300, -2.5, 123456789.125};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        struct buf b;
        buf_init(&b, &f->mem, 64);
        buf_add_double(&b, values[i]);
        assert_true(strtod(b.data, NULL) == values[i]);
    }
    struct buf b;
    buf_init(&b, &f->mem, 64);
    buf_add_double(&b, 0.1);
    assert_string_equal(b.data, "0.1");
}

static void the_nearest_word_is_proposed(void **state)
{
    (void)state;
    static const char *const words[] = {"noc.width", "noc.vcs", "llc.ways"};
    assert_string_equal(near_best("noc.widht", words, 3), "noc.width");
    assert_null(near_best("completely different", words, 3));
    assert_int_equal(near_distance("ab", "ba"), 1);
    assert_int_equal(near_distance("", "abc"), 3);
    assert_int_equal(near_distance("kitten", "sitting"), 3);
    /* as near as half the word is too far: a third and one more letter is the limit */
    static const char *const one[] = {"abcdef"};
    assert_string_equal(near_best("abcxyf", one, 1), "abcdef");
    assert_null(near_best("uvwxyz", one, 1));
}

static void few_words_are_listed_where_none_is_near(void **state)
{
    struct fixture *f = *state;
    static const char *const words[] = {"mesh", "torus", "ring"};
    const char *many[17];
    for (size_t i = 0; i < 17; i++)
        many[i] = "abcdefghijkl";
    assert_string_equal(near_hint("msh", words, 3, &f->mem), "; did you mean 'mesh'?");
    assert_string_equal(near_hint("butterfly", words, 3, &f->mem),
                        "; there are mesh, torus and ring");
    assert_string_equal(near_hint("butterfly", words, 2, &f->mem), "; there are mesh and torus");
    assert_string_equal(near_hint("butterfly", words, 1, &f->mem), "; there is mesh");
    assert_string_equal(near_hint("butterfly", words, 0, &f->mem), "");
    assert_string_equal(near_hint("zz", many, 17, &f->mem), "");
    assert_string_not_equal(near_hint("zz", many, 16, &f->mem), "");
}

static void csv_rows_know_their_lines(void **state)
{
    struct fixture *f = *state;
    static const char text[] = "a,b\n1,\"x, \"\"y\"\"\"\n\n2,z\n";
    struct csv csv;
    assert_true(csv_parse_text("t.csv", text, sizeof text - 1, &f->mem, &csv, &f->err));
    assert_int_equal(csv.n_rows, 2);
    assert_int_equal(csv.lines[0], 2);
    assert_int_equal(csv.lines[1], 4);
    assert_string_equal(csv.rows[0][1], "x, \"y\"");
    double v;
    assert_false(csv_real(&csv, 1, 1, &v, &f->err));
    assert_string_equal(err_entry_text(f->err.first, &f->mem),
                        "t.csv:4: b: expected a number, found 'z'");
}

static void bad_csv_is_refused_with_its_line(void **state)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "t.csv: is empty: a header line is needed"},
        {"a,b\n1\n", "t.csv:2: 1 fields, but the header has 2"},
        {"a,b\n1,2,3\n", "t.csv:2: 3 fields, but the header has 2"},
        {"a,b\n1,\"x\n", "t.csv:2: unterminated quote"},
    };
    struct fixture *f = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct err err;
        struct csv csv;
        err_init(&err);
        assert_false(
            csv_parse_text("t.csv", cases[i].text, strlen(cases[i].text), &f->mem, &csv, &err));
        assert_string_equal(err_entry_text(err.first, &f->mem), cases[i].message);
        err_free(&err);
    }
}

static void a_long_message_loses_its_middle(void **state)
{
    struct fixture *f = *state;
    enum { N = 1 << 20 };
    char *word = arena_alloc(&f->mem, N + 1);
    for (size_t i = 0; i < N; i += 2) /* of two bytes each */
        memcpy(word + i, "\xc3\xa4", 2);
    word[N] = 0;
    for (int shift = 0; shift < 2; shift++) {
        struct err err;
        err_init(&err);
        err_add(&err, ERR_INPUT, NOWHERE, "%s'%s' is too long%s", shift ? "" : "x", word,
                shift ? "." : "");
        const char *text = err.first->text;
        size_t n = strlen(text);
        assert_in_range(n, 8000, 10000);
        assert_memory_equal(text, shift ? "'\xc3\xa4" : "x'\xc3\xa4", 3);
        assert_non_null(strstr(text, "\xc3\xa4 ... \xc3\xa4"));
        assert_non_null(strstr(text, shift ? "\xa4' is too long." : "\xa4' is too long"));
        err_free(&err);
    }
}

static void a_map_finds_what_was_added(void **state)
{
    struct fixture *f = *state;
    struct map m;
    size_t v;
    map_init(&m, &f->mem);
    assert_false(map_get(&m, "x", &v));
    for (size_t i = 0; i < 1000; i++)
        assert_true(map_add(&m, arena_printf(&f->mem, "k%zu", i), i));
    assert_false(map_add(&m, "k7", 3));
    for (size_t i = 0; i < 1000; i++) {
        assert_true(map_get(&m, arena_printf(&f->mem, "k%zu", i), &v));
        assert_int_equal(v, i);
    }
}

static void streams_of_one_seed_are_independent_and_reproducible(void **state)
{
    (void)state;
    struct rng a, b, c;
    rng_seed(&a, 1, "inject", 0);
    rng_seed(&b, 1, "inject", 0);
    rng_seed(&c, 1, "inject", 1);
    uint64_t x = rng_u64(&a);
    assert_true(x == rng_u64(&b));
    assert_true(x != rng_u64(&c));
    unsigned counts[7] = {0};
    for (int i = 0; i < 70000; i++)
        counts[rng_below(&a, 7)]++;
    for (int i = 0; i < 7; i++)
        assert_in_range(counts[i], 9500, 10500);
}

static void units_convert_within_their_kind_only(void **state)
{
    (void)state;
    double v;
    assert_true(units_parse("48 KB", "B", &v) && v == 49152);
    assert_true(units_parse("1.4 GHz", "GHz", &v) && v == 1.4);
    assert_true(units_parse("700MHz", "GHz", &v));
    assert_close(v, 0.7, 1e-12);
    assert_true(units_parse("12", "mm", &v) && v == 12);
    assert_false(units_parse("12 GHz", "mm", &v));
    assert_false(units_parse("nan", "mm", &v));
    assert_false(units_parse("", "mm", &v));
}

/* Two threads may create files while a third asks: nobody may touch the umask of the process. */
static void a_new_file_is_our_own_and_has_the_rights_that_the_umask_leaves(void **state)
{
    struct fixture *f = *state;
    char dir[] = "/tmp/cw-base-XXXXXX", *names[2];
    struct stat st;
    assert_non_null(mkdtemp(dir));
    const char *path = path_join(&f->mem, dir, "x");
    mode_t mask = umask(027);
    for (int i = 0; i < 2; i++) {
        int fd = file_open_new(path, &f->mem, &names[i]);
        assert_true(fd >= 0 && fstat(fd, &st) == 0 && close(fd) == 0);
        assert_int_equal(st.st_mode & 0777, 0640);
    }
    assert_true(file_write(path, "x", 1, &f->err));
    umask(mask);
    assert_true(stat(path, &st) == 0 && (st.st_mode & 0777) == 0640);
    assert_string_not_equal(names[0], names[1]);
    unlink(names[0]), unlink(names[1]), unlink(path);
    assert_int_equal(rmdir(dir), 0);
    assert_int_equal(file_open_new("/none/x", &f->mem, &names[0]), -1);
}

static void control_characters_are_written_out(void **state)
{
    struct fixture *f = *state;
    static const char *const cases[][2] = {
        {"a\nb\tc", "a\\nb\\tc"},
        {"\033[2J\177", "\\x1b[2J\\x7f"},
        {"\xc2\x9b"
         "1m",
         "\\xc2\\x9b1m"},                    /* a control character of two bytes */
        {"\xff\xc3", "\\xff\\xc3"},          /* no UTF-8, cut off */
        {"\xe2\x80\xae", "\\xe2\\x80\\xae"}, /* turns the line around */
        {"\xed\xa0\x80", "\\xed\\xa0\\x80"}, /* half of a pair */
        {"\xc0\x8a", "\\xc0\\x8a"},          /* a newline of two bytes */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(printable_text(&f->mem, cases[i][0]), cases[i][1]);
    const char *fine = "80-m\xc3\xa4sh \xe2\x80\x93 \xf0\x9f\x98\x80";
    assert_ptr_equal(printable_text(&f->mem, fine), fine);
}

static void shipped_files_go_by_their_names(void **state)
{
    struct fixture *f = *state;
    assert_string_equal(path_find(&f->mem, "cfg/net", "mesh8.cfg", "."), "cfg/net/mesh8.cfg");
    assert_string_equal(path_find(&f->mem, "tests", "cfg/net/mesh8.cfg", "."), "cfg/net/mesh8.cfg");
    assert_string_equal(path_find(&f->mem, "tests", "./cfg/net/mesh8.cfg", "."),
                        "tests/./cfg/net/mesh8.cfg");
    assert_string_equal(path_find(&f->mem, "tests", "/cfg/net/mesh8.cfg", "."),
                        "/cfg/net/mesh8.cfg");
    assert_string_equal(path_find(&f->mem, "tests", "none", "."), "tests/none");
}

static void a_written_file_appears_whole_or_not_at_all(void **state)
{
    struct fixture *f = *state;
    char *text;
    size_t n;
    char dir[] = "/tmp/cw-base-XXXXXX";
    assert_non_null(mkdtemp(dir));
    const char *path = path_join(&f->mem, dir, "a/b/c.txt");
    assert_false(file_write(path, "x", 1, &f->err));
    assert_true(file_make_dirs(path_dir(&f->mem, path), &f->err));
    assert_true(file_write(path, "hello", 5, &f->err));
    assert_true(file_read(path, 100, &f->mem, &text, &n, &f->err));
    assert_string_equal(text, "hello");
    assert_false(file_read(path, 3, &f->mem, &text, &n, &f->err));
    assert_false(file_read(dir, 3, &f->mem, &text, &n, &f->err));
    uint64_t before = file_hash(path, 1);
    assert_true(file_keep(path, "Hello", 5, &f->err));
    assert_true(file_hash(path, 1) != before && file_hash(path, 1) == file_hash(path, 1));
    assert_true(file_hash(path, 2) != file_hash(path, 1) &&
                file_hash("/none", 1) == file_hash("/none", 1));
    assert_true(file_hash("/dev/zero", 1) != file_hash("/dev/zero", 1));
    struct proc_result r;
    assert_true(
        proc_run((const char *[]){"rm", "-r", dir, NULL}, NULL, 5, 100, &f->mem, &r, &f->err));
}

/* With no descriptor left it is the machine that lets us down, not the user's file. */
static void a_file_that_the_machine_cannot_open_is_no_wrong_input(void **state)
{
    struct fixture *f = *state;
    struct rlimit all, none;
    char *text;
    size_t n;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &all), 0);
    none = all;
    none.rlim_cur = 0;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    bool is_read = file_read("README.md", 1 << 20, &f->mem, &text, &n, &f->err);
    bool is_listed = file_names("docs", &f->mem, &f->err) != NULL;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &all), 0);
    assert_false(is_read || is_listed);
    assert_int_equal(f->err.n_machine, 2);
    assert_int_equal(f->err.n_errors, f->err.n_machine);
    assert_false(file_read("no such file", 100, &f->mem, &text, &n, &f->err));
    assert_int_equal(f->err.n_machine, 2);
}

static void programs_run_with_a_time_limit(void **state)
{
    struct fixture *f = *state;
    struct proc_result r;
    const char *hello[] = {"sh", "-c", "echo out; echo err >&2; exit 3", NULL};
    assert_true(proc_run(hello, NULL, 5, 100, &f->mem, &r, &f->err));
    assert_int_equal(r.status, 3);
    assert_string_equal(r.out, "out\n");
    assert_string_equal(r.err, "err\n");
    const char *hang[] = {"sh", "-c", "sleep 100 & wait", NULL};
    assert_true(proc_run(hang, NULL, 0.2, 100, &f->mem, &r, &f->err));
    assert_true(r.timed_out);
    const char *crash[] = {"sh", "-c", "kill -SEGV $$", NULL};
    assert_true(proc_run(crash, NULL, 5, 100, &f->mem, &r, &f->err));
    assert_int_equal(r.signal, 11);
    const char *none[] = {"/no/such/program", NULL};
    assert_false(proc_run(none, NULL, 5, 100, &f->mem, &r, &f->err));
}

static void square(void *ctx, size_t i)
{
    ((uint64_t *)ctx)[i] += i * i;
}

static void a_pool_does_every_job_once(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads < 9; threads++) {
        uint64_t done[100] = {0};
        assert_int_equal(pool_run(threads, 100, square, done, NULL), 100);
        for (size_t i = 0; i < 100; i++)
            assert_int_equal(done[i], i * i);
    }
}

static void statistics_agree_with_hand_calculation(void **state)
{
    (void)state;
    struct stat_run s = {0};
    for (int i = 1; i <= 5; i++)
        stat_add(&s, i);
    assert_close(s.mean, 3, 1e-12);
    assert_close(stat_variance(&s), 2.5, 1e-12);
    assert_close(stat_half_width_95(&s), 2.776 * sqrt(0.5), 1e-12);
    /* means 3 and 7 of five and three values, sums of squares 10 and 8, 6 degrees of freedom */
    struct stat_run t = {0}, one = {0};
    for (int i = 5; i <= 9; i += 2)
        stat_add(&t, i);
    assert_close(stat_difference_95(&s, &t), 2.447 * sqrt(18.0 / 6 * (1.0 / 5 + 1.0 / 3)), 1e-12);
    assert_close(stat_difference_95(&t, &s), stat_difference_95(&s, &t), 1e-12);
    stat_add(&one, 4);
    assert_true(stat_difference_95(&s, &one) == 0 && stat_difference_95(&one, &t) == 0);
    uint64_t bins[10] = {0};
    struct stat_hist h = {bins, 10, 0};
    for (uint64_t i = 0; i < 100; i++)
        stat_count(&h, i / 20);
    assert_int_equal(stat_percentile(&h, 0.5), 2);
    assert_int_equal(stat_percentile(&h, 1), 4);
}

static void a_table_prints_alike_in_three_forms(void **state)
{
    struct fixture *f = *state;
    static const struct table_column columns[] = {{"part", "", 0}, {"area", "mm2", 2}};
    struct table *t = table_new(&f->mem, columns, 2);
    table_row(t), table_text(t, "router, big"), table_num(t, 1.5);
    table_row(t), table_text(t, "link"), table_num(t, NAN);
    struct buf b;
    buf_init(&b, &f->mem, BUF_NO_MAX);
    table_write_text(t, &b);
    assert_string_equal(b.data, "part         area\n"
                                "              mm2\n"
                                "router, big  1.50\n"
                                "link            -\n");
    buf_init(&b, &f->mem, BUF_NO_MAX);
    table_write_csv(t, &b);
    assert_string_equal(b.data, "part,area (mm2)\n\"router, big\",1.5\nlink,\n");
    json_t *j = table_json(t);
    char *text = json_dumps(j, JSON_COMPACT);
    assert_string_equal(text, "[{\"part\":\"router, big\",\"area\":1.5},{\"part\":\"link\"}]");
    free(text);
    json_decref(j);
}

static void logarithms_round_as_named(void **state)
{
    (void)state;
    assert_int_equal(bits_clog2(0), 0);
    assert_int_equal(bits_clog2(1), 0);
    assert_int_equal(bits_clog2(5), 3);
    assert_int_equal(bits_clog2(8), 3);
    assert_int_equal(bits_flog2(9), 3);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        T(memory_comes_zeroed_also_after_a_rewind),
        T(a_device_is_written_to_and_a_link_stays_a_link),
        T(a_buffer_stops_at_its_maximum),
        T(doubles_print_short_and_read_back),
        T(the_nearest_word_is_proposed),
        T(few_words_are_listed_where_none_is_near),
        T(csv_rows_know_their_lines),
        T(bad_csv_is_refused_with_its_line),
        T(a_long_message_loses_its_middle),
        T(a_map_finds_what_was_added),
        T(streams_of_one_seed_are_independent_and_reproducible),
        T(units_convert_within_their_kind_only),
        T(a_new_file_is_our_own_and_has_the_rights_that_the_umask_leaves),
        T(control_characters_are_written_out),
        T(shipped_files_go_by_their_names),
        T(a_written_file_appears_whole_or_not_at_all),
        T(a_file_that_the_machine_cannot_open_is_no_wrong_input),
        T(programs_run_with_a_time_limit),
        T(a_pool_does_every_job_once),
        T(statistics_agree_with_hand_calculation),
        T(a_table_prints_alike_in_three_forms),
        T(logarithms_round_as_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
