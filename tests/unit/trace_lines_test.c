/* SPDX-License-Identifier: MIT
 *
 * Lines of plain, gzip and xz files, and blocks that go to a file when memory is short. */
#include "tests/unit/fixture.h"

#include <lzma.h>
#include <unistd.h>
#include <zlib.h>

#include "sim/trace/lines.h"
#include "sim/trace/spool.h"

enum { ROOM = 1 << 18 };

static size_t gzip(const char *text, size_t n, uint8_t *out)
{
    z_stream z = {0};
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = (uint8_t *)(uintptr_t)text;
    z.avail_in = (uInt)n;
    z.next_out = out;
    z.avail_out = ROOM;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    size_t size = z.total_out;
    deflateEnd(&z);
    return size;
}

static size_t xz(const char *text, size_t n, uint8_t *out)
{
    size_t size = 0;
    assert_int_equal(lzma_easy_buffer_encode(0, LZMA_CHECK_CRC64, NULL, (const uint8_t *)text, n,
                                             out, &size, ROOM),
                     LZMA_OK);
    return size;
}

/* The file's lines joined by '|', then the number of the last one, or the first error's text. */
static const char *lines_of(struct fixture *f, const void *data, size_t n)
{
    char path[] = "/tmp/cw-lines-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, data, n), n);
    close(fd);
    struct lines *l = lines_open(path, &f->err);
    assert_non_null(l);
    char *line, *all = arena_strdup(&f->mem, "");
    size_t length;
    int got;
    while ((got = lines_next(l, &line, &length, &f->err)) == 1) {
        assert_int_equal(strlen(line), length);
        all = arena_printf(&f->mem, "%s%.20s|", all, line);
    }
    all = got == 0 ? arena_printf(&f->mem, "%s%d", all, lines_number(l))
                   : arena_strdup(&f->mem, f->err.first->text);
    lines_close(l);
    unlink(path);
    return all;
}

static void lines_end_with_lf_or_crlf_or_the_file(void **state)
{
    struct fixture *f = *state;
    assert_string_equal(lines_of(f, "a\n\nb\r\nc", 7), "a||b|c|4");
    assert_string_equal(lines_of(f, "", 0), "0");
    assert_string_equal(lines_of(f, "\n", 1), "|1");
}

static void gzip_and_xz_give_the_plain_lines(void **state)
{
    struct fixture *f = *state;
    static uint8_t packed[ROOM];
    size_t n = gzip("one\ntwo\n", 8, packed);
    n += gzip("three", 5, packed + n); /* members may follow each other */
    assert_string_equal(lines_of(f, packed, n), "one|two|three|3");
    n = xz("one\r\ntwo", 8, packed);
    assert_string_equal(lines_of(f, packed, n), "one|two|2");
}

static void what_is_cut_off_or_damaged_is_said(void **state)
{
    struct fixture *f = *state;
    static uint8_t packed[ROOM];
    size_t n = gzip("one\ntwo\n", 8, packed);
    assert_string_equal(lines_of(f, packed, n - 9), "the gzip stream is cut off");
    err_free(&f->err);
    packed[n - 6] ^= 1; /* its checksum */
    assert_string_equal(lines_of(f, packed, n), "the gzip stream is damaged");
    err_free(&f->err);
    n = xz("one\ntwo\n", 8, packed);
    assert_string_equal(lines_of(f, packed, n - 30), "the xz stream is cut off");
    err_free(&f->err);
    packed[8] ^= 1; /* its header */
    assert_string_equal(lines_of(f, packed, n), "the xz stream is damaged");
}

static void a_line_has_a_longest_length(void **state)
{
    struct fixture *f = *state;
    size_t n = LINES_MAX_LENGTH + 2;
    char *text = arena_alloc(&f->mem, n);
    memset(text, 'x', n);
    text[LINES_MAX_LENGTH] = '\n';
    assert_string_equal(lines_of(f, text, n), "xxxxxxxxxxxxxxxxxxxx|x|2");
    text[LINES_MAX_LENGTH] = 'x';
    assert_string_equal(lines_of(f, text, n), "a line is longer than 65536 characters");
}

static void no_file_and_a_folder_are_refused(void **state)
{
    struct fixture *f = *state;
    assert_null(lines_open("/nowhere/at/all", &f->err));
    assert_string_equal(f->err.first->text, "cannot open: No such file or directory");
    assert_null(lines_open("/", &f->err));
    assert_string_equal(f->err.last->text, "is a directory");
    assert_int_equal(f->err.n_machine, 0);
}

static void blocks_beyond_the_limit_go_to_a_file_and_come_back(void **state)
{
    struct fixture *f = *state;
    struct spool *s = spool_new(1000);
    uint8_t block[600], room[600];
    for (unsigned k = 0; k < 5; k++) {
        memset(block, (int)('a' + k), sizeof block);
        assert_true(spool_add(s, block, sizeof block - k, &f->err));
    }
    assert_int_equal(spool_count(s), 5);
    assert_true(spool_in_memory(s, 0));
    assert_false(spool_in_memory(s, 4));
    for (unsigned k = 5; k-- > 0;) {
        assert_int_equal(spool_size(s, k), sizeof block - k);
        const uint8_t *got = spool_get(s, k, room, &f->err);
        assert_non_null(got);
        assert_int_equal(got[0], 'a' + k);
        assert_int_equal(got[sizeof block - k - 1], 'a' + k);
    }
    assert_null(spool_get(s, 4, NULL, &f->err));
    assert_int_equal(f->err.n_machine, 1);
    spool_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(lines_end_with_lf_or_crlf_or_the_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(gzip_and_xz_give_the_plain_lines, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_cut_off_or_damaged_is_said, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_line_has_a_longest_length, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_file_and_a_folder_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(blocks_beyond_the_limit_go_to_a_file_and_come_back, set_up,
                                        tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
