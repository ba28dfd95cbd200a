/* SPDX-License-Identifier: MIT
 *
 * What a terminal sees of a long job: a pseudo terminal stands in for it. */
#define _XOPEN_SOURCE 700
#include "tests/unit/test.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "gen/progress.h"

/* Standard error goes to a terminal; returns its other end. Where the system has no pseudo
 * terminals (no /dev/pts, as in a bare chroot) the test is skipped. */
static int watch(int *kept)
{
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0 || grantpt(master) || unlockpt(master))
        skip();
    int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    if (slave < 0)
        skip();
    fflush(stderr);
    *kept = dup(STDERR_FILENO);
    dup2(slave, STDERR_FILENO);
    close(slave);
    fcntl(master, F_SETFL, O_NONBLOCK);
    return master;
}

/* What has come so far; "" for nothing. The kernel brings it when it has time: a mark is sent
 * behind it and waited for. */
static const char *seen(int master, char *text, size_t size)
{
    enum { MARK = '@', PATIENCE_MS = 60000 };
    size_t n = 0;
    fflush(stderr);
    assert_int_equal(write(STDERR_FILENO, &(char){MARK}, 1), 1);
    while (n < size && (n == 0 || text[n - 1] != MARK)) {
        struct pollfd watched = {.fd = master, .events = POLLIN};
        if (poll(&watched, 1, PATIENCE_MS) <= 0)
            break;
        ssize_t got = read(master, text + n, 1);
        n += got > 0 ? (size_t)got : 0;
    }
    text[n ? n - 1 : 0] = '\0';
    return text;
}

static void unwatch(int master, int kept)
{
    fflush(stderr);
    dup2(kept, STDERR_FILENO);
    close(kept);
    close(master);
}

static void a_line_tells_share_time_left_and_what(void **state)
{
    (void)state;
    char got[2][512];
    int kept, master = watch(&kept);
    struct progress p;
    progress_begin(&p, 400, false);
    progress_tell(&p, 100, "too early");
    const char *early = seen(master, got[0], sizeof got[0]);
    p.begun_s -= 390; /* far more than this test may be held up */
    progress_tell(&p, 390, "mm on mesh");
    const char *half = seen(master, got[1], sizeof got[1]);
    bool said_nothing = !*early,
         said_half =
             !strcmp(half, "\r\033[K[#######################.]  98 %  10 s left  mm on mesh");
    p.begun_s -= 961;
    p.last_s -= 1;
    progress_add(&p, -90, "mm on mesh");
    bool said_minutes =
        !strcmp(seen(master, got[0], sizeof got[0]),
                "\r\033[K[##################......]  75 %  7 min 30 s left  mm on mesh");
    progress_add(&p, 10, "too soon after the last");
    bool said_again = *seen(master, got[1], sizeof got[1]);
    p.last_s -= 1;
    progress_tell(&p, 800, "over");
    bool said_all = !strcmp(seen(master, got[0], sizeof got[0]),
                            "\r\033[K[########################] 100 %  over");
    progress_end(&p);
    bool took_away = !strcmp(seen(master, got[0], sizeof got[0]), "\r\033[K");
    unwatch(master, kept);
    assert_true(said_nothing);
    assert_true(said_half);
    assert_true(said_minutes);
    assert_false(said_again);
    assert_true(said_all);
    assert_true(took_away);
}

static void who_is_quiet_or_no_terminal_sees_nothing(void **state)
{
    (void)state;
    char got[64];
    int kept, master = watch(&kept);
    struct progress p;
    progress_begin(&p, 10, true);
    p.begun_s -= 100;
    progress_tell(&p, 5, "x");
    progress_add(&p, 1, "x");
    progress_end(&p);
    bool quiet = !*seen(master, got, sizeof got);
    unwatch(master, kept);
    assert_true(quiet);
    int null = open("/dev/null", O_WRONLY), old = dup(STDERR_FILENO);
    dup2(null, STDERR_FILENO);
    progress_begin(&p, 10, false);
    dup2(old, STDERR_FILENO);
    close(null);
    close(old);
    assert_false(p.is_on);
    progress_end(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_tells_share_time_left_and_what),
        cmocka_unit_test(who_is_quiet_or_no_terminal_sees_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
