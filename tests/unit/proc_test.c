/* SPDX-License-Identifier: MIT
 *
 * Other programs: what they print, how they end, and what happens when they do not or cannot begin.
 */
#include "tests/unit/test.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/proc.h"

struct fixture {
    struct arena mem;
    struct err err;
    struct proc_result r;
};

static void begin(struct fixture *f)
{
    arena_init(&f->mem, NULL, NULL);
    err_init(&f->err);
}

static void done(struct fixture *f)
{
    arena_free(&f->mem);
    err_free(&f->err);
}

static bool run(struct fixture *f, const char *script, const char *cwd, double seconds, size_t most)
{
    const char *const argv[] = {"sh", "-c", script, NULL};
    return proc_run(argv, cwd, seconds, most, &f->mem, &f->r, &f->err);
}

static const char *first_error(struct fixture *f)
{
    return f->err.first ? err_entry_text(f->err.first, &f->mem) : "(none)";
}

static void what_it_prints_and_how_it_ends_is_told(void **state)
{
    struct fixture f;
    (void)state;
    begin(&f);
    assert_true(run(&f, "echo out; echo err >&2; read x || echo no input; exit 5", NULL, 60, 1000));
    assert_string_equal(f.r.out, "out\nno input\n");
    assert_string_equal(f.r.err, "err\n");
    assert_int_equal(f.r.n_out, 13);
    assert_int_equal(f.r.n_err, 4);
    assert_int_equal(f.r.status, 5);
    assert_int_equal(f.r.signal, 0);
    assert_false(f.r.timed_out || f.r.cut);
    assert_true(run(&f, "kill -TERM $$", NULL, 60, 1000));
    assert_int_equal(f.r.status, -1);
    assert_int_equal(f.r.signal, SIGTERM);
    assert_true(run(&f, "pwd", "/", 60, 1000));
    assert_string_equal(f.r.out, "/\n");
    /* it closes its outputs and goes on */
    assert_true(run(&f, "exec >&- 2>&-; sleep 0.1; exit 9", NULL, 60, 1000));
    assert_int_equal(f.r.status, 9);
    done(&f);
}

static void what_is_too_long_is_cut(void **state)
{
    struct fixture f;
    (void)state;
    begin(&f);
    assert_true(run(&f, "yes abcdefg | head -c 100000; echo end >&2", NULL, 60, 64));
    assert_true(f.r.cut);
    assert_true(f.r.n_out <= 64);
    assert_true(strncmp(f.r.out, "abcdefg\nabcdefg\n", 16) == 0);
    assert_string_equal(f.r.err, "end\n");
    assert_int_equal(f.r.status, 0);
    done(&f);
}

/* Whoever does not end is ended, with his children; also one who closed his outputs. */
static void who_takes_too_long_is_ended_with_his_children(void **state)
{
    struct fixture f;
    struct timespec before, after;
    (void)state;
    begin(&f);
    clock_gettime(CLOCK_MONOTONIC, &before);
    assert_true(run(&f, "echo $$; sleep 100 & echo $!; wait", NULL, 0.5, 1000));
    assert_true(f.r.timed_out);
    assert_int_equal(f.r.signal, SIGKILL);
    char *rest;
    long pid = strtol(f.r.out, &rest, 10), child = strtol(rest, NULL, 10);
    assert_true(pid > 1 && child > 1);
    for (int i = 0; i < 1000 && kill((pid_t)child, 0) == 0; i++)
        nanosleep(&(struct timespec){0, 10000000}, NULL); /* until init has seen it */
    assert_int_equal(kill((pid_t)pid, 0), -1);
    assert_true(run(&f, "exec >&- 2>&-; exec sleep 100", NULL, 0.3, 1000));
    assert_true(f.r.timed_out);
    clock_gettime(CLOCK_MONOTONIC, &after);
    assert_true(after.tv_sec - before.tv_sec < 60);
    done(&f);
}

static void who_cannot_begin_is_an_error(void **state)
{
    struct fixture f;
    (void)state;
    begin(&f);
    const char *const nobody[] = {"/nonexistent/program", NULL};
    assert_false(proc_run(nobody, NULL, 5, 100, &f.mem, &f.r, &f.err));
    assert_string_equal(first_error(&f),
                        "/nonexistent/program: cannot be run: No such file or directory");
    done(&f);
    begin(&f);
    assert_false(run(&f, "true", "/nonexistent", 5, 100));
    assert_string_equal(first_error(&f), "sh: cannot be run: No such file or directory");
    done(&f);
}

static void where_there_are_no_pipes_left_it_is_an_error_and_none_is_lost(void **state)
{
    struct rlimit old, few;
    (void)state;
    getrlimit(RLIMIT_NOFILE, &old);
    int next = dup(0); /* the first that is free */
    assert_true(next > 2);
    close(next);
    for (rlim_t more = 0; more <= 6; more++) {
        struct fixture f;
        begin(&f);
        few = (struct rlimit){(rlim_t)next + more, old.rlim_max};
        assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
        bool ok = run(&f, "exit 3", NULL, 60, 100);
        assert_int_equal(setrlimit(RLIMIT_NOFILE, &old), 0);
        if (more < 6) {
            assert_false(ok);
            assert_string_equal(first_error(&f), "sh: cannot make a pipe: Too many open files");
        }
        int now = dup(0);
        assert_int_equal(now, next);
        close(now);
        done(&f);
    }
}

static void programs_are_found_along_the_path(void **state)
{
    struct fixture f;
    char folder[] = "/tmp/crosswatt-proc-XXXXXX", name[64];
    (void)state;
    begin(&f);
    assert_non_null(mkdtemp(folder));
    snprintf(name, sizeof name, "%s/tool", folder);
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fclose(file);
    char *old = strdup(getenv("PATH"));
    char path[128];
    snprintf(path, sizeof path, "/nonexistent:%s", folder);
    setenv("PATH", path, 1);
    assert_null(proc_find("tool", &f.mem)); /* not one that can be run */
    assert_null(proc_find(name, &f.mem));
    chmod(name, 0700);
    assert_string_equal(proc_find("tool", &f.mem), name);
    assert_string_equal(proc_find(name, &f.mem), name);
    assert_null(proc_find("sh", &f.mem));
    char here[4096];
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(folder), 0);
    setenv("PATH", ":/nonexistent", 1); /* an empty part is here */
    assert_non_null(proc_find("tool", &f.mem));
    unsetenv("PATH");
    assert_null(proc_find("tool", &f.mem));
    assert_int_equal(chdir(here), 0);
    setenv("PATH", old, 1);
    free(old);
    unlink(name);
    rmdir(folder);
    done(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_it_prints_and_how_it_ends_is_told),
        cmocka_unit_test(what_is_too_long_is_cut),
        cmocka_unit_test(who_takes_too_long_is_ended_with_his_children),
        cmocka_unit_test(who_cannot_begin_is_an_error),
        cmocka_unit_test(where_there_are_no_pipes_left_it_is_an_error_and_none_is_lost),
        cmocka_unit_test(programs_are_found_along_the_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
