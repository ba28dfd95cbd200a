/* SPDX-License-Identifier: MIT */
#include "tests/unit/test.h"

#include <unistd.h>
#include <zlib.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "sim/trace/accelsim.h"
#include "sim/trace/sass.h"

struct fixture {
    struct arena mem;
    struct err err;
    char dir[64];
};

static int set_up(void **state)
{
    static struct fixture f;
    arena_init(&f.mem, NULL, NULL);
    err_init(&f.err);
    strcpy(f.dir, "build/accelsim.XXXXXX");
    if (!mkdtemp(f.dir))
        return -1;
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    static const char *const names[] = {"kernelslist.g", "kernel-1.traceg", "kernel-1.traceg.gz",
                                        "kernel-2.traceg"};
    for (size_t i = 0; i < 4; i++)
        unlink(path_join(&f->mem, f->dir, names[i]));
    rmdir(f->dir);
    arena_free(&f->mem);
    err_free(&f->err);
    return 0;
}

static const char *put(struct fixture *f, const char *name, const char *text)
{
    const char *path = path_join(&f->mem, f->dir, name);
    assert_true(file_write(path, text, strlen(text), &f->err));
    return path;
}

#define HEAD                                                                                       \
    "-kernel name = k<int, 2>\n-kernel id = 1\n-grid dim = (2,1,1)\n-block dim = (32,1,1)\n"       \
    "-shmem = 64\n-nregs = 16\n-binary version = 70\n-shmem base_addr = 0x7f0000000000\n"          \
    "-local mem base_addr = 0x7f0001000000\n-accelsim tracer version = 5\n"                        \
    "-enable lineinfo = 0\n\n#traces format = whatever\n\n"

#define BLOCK(x, n, body)                                                                          \
    "#BEGIN_TB\n\nthread block = " x ",0,0\n\nwarp = 0\ninsts = " n "\n" body "\n#END_TB\n"

static bool open_text(struct fixture *f, const char *text, struct trace_source *out)
{
    put(f, "kernel-1.traceg", text);
    return trace_accelsim_open(put(f, "kernelslist.g", "kernel-1.traceg\n"), &f->mem, out, &f->err);
}

static void refused(struct fixture *f, const char *text, int line, const char *what)
{
    struct trace_source src;
    assert_false(open_text(f, text, &src));
    const struct err_entry *e = f->err.first;
    while (e && e->kind != ERR_INPUT)
        e = e->next;
    assert_non_null(e);
    if (!strstr(e->text, what) || e->at.line != line)
        print_error("line %d: %s\n", e->at.line, e->text);
    assert_non_null(strstr(e->text, what));
    assert_int_equal(e->at.line, line);
    err_free(&f->err);
    err_init(&f->err);
}

static void every_address_form_is_read(void **state)
{
    struct fixture *f = *state;
    struct trace_source src;
    const char *text =
        HEAD BLOCK("0", "5",
                   "0080 ffffffff 1 R2 LDG.E.SYS 1 R2 4 1 0x7f4000000000 -4 0 \n"
                   "0090 00008421 1 R8 LDG.E.64.SYS 1 R4 8 2 0x7f4000001004 5120 -64 1048 0\n"
                   "00a0 00000003 0 STG.E.U8 2 R6 R9 4 0 0x0000000000000010 0xfffffffffff0 0\n"
                   "00b0 00000001 1 R2 LDG.E.128 1 R255 16 2 0x7f4000001100 0\n"
                   "00c0 ffffffff 0 EXIT 0 0 0 \n") BLOCK("1", "0", "");
    assert_true(open_text(f, text, &src));
    const struct trace_kernel *k = &src.kernels[0];
    assert_string_equal(k->name, "k<int, 2>");
    assert_int_equal(k->n_ctas, 2);
    assert_int_equal(k->shared_bytes, 64);
    assert_int_equal(k->n_warp_insts, 5);
    assert_int_equal(k->n_thread_insts, 32 + 4 + 2 + 1 + 32);
    struct trace_cta cta;
    assert_true(src.load_cta(&src, 0, 0, &cta, &f->err));
    const struct trace_inst *i = cta.warps[0].insts;
    assert_true(cta.addresses[i[0].first_address + 31] == 0x7f4000000000 - 31 * 4);
    const uint64_t *a = cta.addresses + i[1].first_address;
    assert_int_equal(i[1].n_addresses, 4);
    assert_true(a[0] == 0x7f4000001004 && a[1] == a[0] + 5120 && a[2] == a[1] - 64 &&
                a[3] == a[2] + 1048);
    assert_int_equal(k->statics[i[1].stat].access_bytes, 8);
    assert_true(cta.addresses[i[2].first_address + 1] == 0xfffffffffff0);
    assert_int_equal(k->statics[i[2].stat].cls, TC_STORE);
    assert_int_equal(k->statics[i[2].stat].access_bytes, 1);
    assert_int_equal(k->statics[i[3].stat].access_bytes, 16);
    assert_int_equal(k->statics[i[3].stat].n_src, 0); /* R255 is the zero register */
    assert_int_equal(k->statics[i[4].stat].cls, TC_EXIT);
    src.free_cta(&src, &cta);
    assert_true(src.load_cta(&src, 0, 1, &cta, &f->err));
    assert_int_equal(cta.id, 1);
    assert_int_equal(cta.warps[0].n_insts, 0);
    src.free_cta(&src, &cta);
    src.close(&src);
}

static void oddities_are_taken_as_documented(void **state)
{
    struct fixture *f = *state;
    struct trace_source src;
    const char *text = HEAD BLOCK(
        "0", "5",
        "0080 00000000 1 R2 LDG.E.SYS 1 R2 4 1 0x0 0 0\n"
        "0090 ffffffff 1 R2 FROB.X 5 R1 R2 R3 R4 R5 0 0\n"
        "00a0 00000001 1 R2 LD.E 1 R2 4 2 0x7f0000000040 0\n"
        "00a0 00000001 1 R2 LD.E 1 R2 4 2 0x7f0001000040 0\n"
        "00a0 00000001 1 R2 LD.E 1 R2 4 2 0x7f4000000003\r\n") "#a remark\n" BLOCK("1", "0", "");
    assert_true(open_text(f, text, &src));
    assert_int_equal(f->err.n_warnings, 1); /* FROB */
    struct trace_cta cta;
    assert_true(src.load_cta(&src, 0, 0, &cta, &f->err));
    const struct trace_inst *i = cta.warps[0].insts;
    const struct trace_static *s = src.kernels[0].statics;
    assert_int_equal(i[0].n_addresses, 0);
    assert_int_equal(s[i[1].stat].n_src, 5);
    assert_int_equal(s[i[2].stat].space, TS_SHARED);
    assert_int_equal(s[i[3].stat].space, TS_LOCAL);
    assert_int_equal(s[i[4].stat].space, TS_GLOBAL);
    src.free_cta(&src, &cta);
    src.close(&src);
}

static void damage_is_refused_by_line(void **state)
{
    struct fixture *f = *state;
    refused(f, "", 0, "ends before the line '#traces format'");
    refused(f, "-grid dim = (1,1,1)\n#traces format\n", 2, "lacks 'grid dim' or 'block dim'");
    refused(f, "-grid dim = (1,0,1)\n", 1, "above 0");
    refused(f, "-block dim = (1024,1024,1)\n", 1, "more than 2048 threads");
    refused(f, "hello\n", 1, "expected a header line");
    refused(f, HEAD, 14, "no thread block");
    refused(f, HEAD "#BEGIN_TB\n", 15, "ends inside a thread block");
    refused(f, HEAD "#BEGIN_TB\nthread block = 2,0,0\n", 16, "outside the grid");
    refused(f, HEAD "#BEGIN_TB\nthread block = 0,0,0\nwarp = 1\n", 17, "numbered 0, 1, 2");
    refused(f, HEAD BLOCK("0", "2", "0080 ffffffff 0 EXIT 0 0 0\n"), 22, "fewer instructions");
    refused(f, HEAD BLOCK("0", "0", "0080 ffffffff 0 EXIT 0 0 0\n"), 21, "expected 'warp = W'");
    refused(f, HEAD BLOCK("0", "1", "zz ffffffff 0 EXIT 0 0 0\n"), 21, "program counter");
    refused(f, HEAD BLOCK("0", "1", "80 fffffffff 0 EXIT 0 0 0\n"), 21, "active mask");
    refused(f, HEAD BLOCK("0", "1", "80 ffffffff 9 EXIT 0 0 0\n"), 21, "number of registers");
    refused(f, HEAD BLOCK("0", "1", "80 ffffffff 1 R256 MOV 0 0 0\n"), 21, "R0..R255");
    refused(f, HEAD BLOCK("0", "1", "80 ffffffff 0 LDG 0 4 3 0x0\n"), 21, "address form");
    refused(f, HEAD BLOCK("0", "1", "80 ffffffff 0 LDG 0 4 0 0x0\n"), 21, "each active lane");
    refused(f, HEAD BLOCK("0", "1", "80 00000005 0 LDG 0 4 1 0x0 4\n"), 21, "without gaps");
    refused(f, HEAD BLOCK("0", "1", "80 00000005 0 LDG 0 4 2 0x0\n"), 21, "expected a delta");
}

static void no_thread_block_is_missing_or_there_twice(void **state)
{
    struct fixture *f = *state;
    refused(f, HEAD BLOCK("0", "0", ""), 22, "ends after 1 of the grid's 2 thread blocks");
    refused(f, HEAD BLOCK("1", "0", "") BLOCK("1", "0", ""), 25, "comes twice");
}

static void lists_name_files_copies_and_unknown_commands(void **state)
{
    struct fixture *f = *state;
    struct trace_source src;
    put(f, "kernel-1.traceg", HEAD BLOCK("0", "0", "") BLOCK("1", "0", ""));
    put(f, "kernel-2.traceg", HEAD BLOCK("1", "0", "") BLOCK("0", "0", ""));
    const char *list = put(f, "kernelslist.g",
                           "MemcpyHtoD,0x00007f0000000000,4096\n\nkernel-1.traceg\n"
                           "MemcpyDtoH,0x1,2\nfrobnicate\nMemcpyHtoD,0x10,64\nkernel-2.traceg\n");
    assert_true(trace_accelsim_open(list, &f->mem, &src, &f->err));
    assert_int_equal(src.n_kernels, 2);
    assert_int_equal(src.n_copies, 2);
    assert_int_equal(src.copies[0].before_kernel, 0);
    assert_int_equal(src.copies[1].before_kernel, 1);
    assert_int_equal(src.copies[1].bytes, 64);
    assert_int_equal(f->err.n_warnings, 1);
    src.close(&src);
    list = put(f, "kernelslist.g", "kernel-7.traceg\n");
    assert_false(trace_accelsim_open(list, &f->mem, &src, &f->err));
    list = put(f, "kernelslist.g", "\n");
    assert_false(trace_accelsim_open(list, &f->mem, &src, &f->err));
    list = put(f, "kernelslist.g", "kernel/../../etc/passwd\n");
    assert_false(trace_accelsim_open(list, &f->mem, &src, &f->err));
}

static void gzip_gives_the_same_as_plain_and_a_cut_file_is_refused(void **state)
{
    struct fixture *f = *state;
    struct trace_source plain, packed;
    const char *text = HEAD BLOCK("0", "1", "0080 ffffffff 0 EXIT 0 0 0\n") BLOCK("1", "0", "");
    assert_true(open_text(f, text, &plain));
    unlink(path_join(&f->mem, f->dir, "kernel-1.traceg"));
    const char *path = path_join(&f->mem, f->dir, "kernel-1.traceg.gz");
    gzFile z = gzopen(path, "wb");
    assert_int_equal(gzwrite(z, text, (unsigned)strlen(text)), strlen(text));
    gzclose(z);
    const char *list = path_join(&f->mem, f->dir, "kernelslist.g");
    assert_true(trace_accelsim_open(list, &f->mem, &packed, &f->err));
    assert_true(plain.identity == packed.identity);
    plain.close(&plain);
    packed.close(&packed);
    char *data;
    size_t n;
    assert_true(file_read(path, 1 << 20, &f->mem, &data, &n, &f->err));
    assert_true(file_write(path, data, n - 12, &f->err));
    assert_false(trace_accelsim_open(list, &f->mem, &packed, &f->err));
    assert_non_null(strstr(f->err.last->text, "cut off"));
}

static void opcodes_are_classified(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint8_t cls, space, bytes, flags;
    } rows[] = {
        {"IADD3", TC_INT, TS_NONE, 0, 0},
        {"IMAD.WIDE.U32", TC_INT_MUL, TS_NONE, 0, 0},
        {"FFMA.FTZ", TC_FP32, TS_NONE, 0, 0},
        {"HMMA.16816.F32", TC_TENSOR, TS_NONE, 8, 0},
        {"HMMA.884.F32.F32.STEP2", TC_TENSOR, TS_NONE, 1, 0},
        {"LDG.E.64.STRONG.GPU", TC_LOAD, TS_GLOBAL, 8, TF_BYPASS_L1},
        {"LDG.E.CONSTANT.SYS", TC_LOAD, TS_GLOBAL, 4, TF_READ_ONLY},
        {"LDS.U.128", TC_LOAD, TS_SHARED, 16, 0},
        {"STL", TC_STORE, TS_LOCAL, 4, 0},
        {"ATOMS.ADD", TC_ATOMIC, TS_SHARED, 4, 0},
        {"RED.E.ADD.F32", TC_REDUCE, TS_GLOBAL, 4, 0},
        {"XMAD", TC_INT_MUL, TS_NONE, 0, 0},
        {"ATOM", TC_ATOMIC, TS_GLOBAL, 4, 0},
        {"YIELD", TC_BRANCH, TS_NONE, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sass_op op = sass_classify(rows[i].text, strlen(rows[i].text));
        assert_true(op.is_known);
        assert_int_equal(op.cls, rows[i].cls);
        assert_int_equal(op.space, rows[i].space);
        assert_int_equal(op.bytes, rows[i].bytes);
        assert_int_equal(op.flags, rows[i].flags);
    }
    assert_false(sass_classify("FROB", 4).is_known);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_address_form_is_read, set_up, tear_down),
        cmocka_unit_test_setup_teardown(oddities_are_taken_as_documented, set_up, tear_down),
        cmocka_unit_test_setup_teardown(damage_is_refused_by_line, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_thread_block_is_missing_or_there_twice, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(lists_name_files_copies_and_unknown_commands, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(gzip_gives_the_same_as_plain_and_a_cut_file_is_refused,
                                        set_up, tear_down),
        cmocka_unit_test(opcodes_are_classified),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
