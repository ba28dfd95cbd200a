/* SPDX-License-Identifier: MIT */
#include "tests/unit/test.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "tests/unit/config.h"

/* ---- what libconfig 1.5 would get wrong in silence ------------------------------------------- */

static void an_integer_beyond_32_bits_without_l_is_an_error(void **state)
{
    struct config *c = *state;
    assert_refused(c, "# a comment\nsim: { seed = 4294967296; };",
                   "test.cfg:2: the number 4294967296 does not fit 32 bits; write 4294967296L");
    assert_refused(c, "sim: { seed = 0xFFFFFFFF; };", "0xFFFFFFFF does not fit 32 bits");
    assert_refused(c, "sim: { seed = 99999999999999999999999; };", "does not fit 64 bits");
    assert_refused(c, "sim: { seed = 99999999999999999999999L; };", "does not fit 64 bits");
    assert_refused(c, "x = ( { y = [ 1, 4294967296 ]; } );", "does not fit 32 bits");
}

static void numbers_in_comments_strings_and_names_are_left_alone(void **state)
{
    struct config *c = *state;
    assert_accepted(c, "# 4294967296\n// 4294967296\n/* 4294967296\n 4294967296 */\n"
                       "energy: { cache = \"4294967296 \\\" 4294967296\"; };\n"
                       "sm: { fp32: { latency = 5; }; };");
    assert_int_equal(c->arch.sm.fp32_latency, 5);
}

static void a_64_bit_literal_keeps_its_value(void **state)
{
    struct config *c = *state;
    assert_accepted(c, "sim: { seed = 4294967296L; max_cycles = 5000000000L; };");
    assert_int_equal(c->arch.sim.seed, 4294967296);
    assert_int_equal(c->arch.sim.max_cycles, 5000000000);
    assert_refused(c, "l1: { size = 4294967296L; };", "4294967296 is not in 1024..16777216");
}

static void a_whole_number_serves_where_a_real_one_is_wanted(void **state)
{
    struct config *c = *state;
    assert_accepted(c, "gpu: { core_clock_ghz = 1; l2_clock_ghz = 2L; }; tech: { node = 32; };");
    assert_close(c->arch.gpu.core_ghz, 1, 0);
    assert_close(c->arch.gpu.l2_ghz, 2, 0);
    assert_close(c->arch.tech.node_nm, 32, 0);
}

static void a_fraction_is_no_whole_number(void **state)
{
    struct config *c = *state;
    assert_refused(c, "noc: { vcs = 1.7; };",
                   "test.cfg:1: noc.vcs: expected a whole number (1..64), found 1.7");
    assert_refused(c, "noc: { vcs = 4.0; };", "found 4");
    assert_refused(c, "l1: { size = \"1.0001 KB\"; };", "is not a whole number of B");
}

static void a_parse_error_has_file_and_line(void **state)
{
    struct config *c = *state;
    assert_refused(c, "gpu: {\n  sms = ;\n};", "test.cfg:2: syntax error");
    assert_refused(c, "gpu: { sms = 4; };\nnoc: { vcs = 1;\n vcs = 2; };",
                   "test.cfg:3: duplicate setting name; to override another file's key use 'base'");
    assert_refused(c, "x = [1, 2.5];",
                   "mismatched element type in array; words, whole numbers and numbers with a "
                   "fraction mix only in a list ( … )");
    assert_refused(c, "\nx = \"a\n;", "test.cfg:2: this text has no closing quotation mark");
    assert_refused(c, "x = 1;\n/* 2", "test.cfg:2: this comment has no end");
    assert_refused(c, "x = [1, 2,];", "syntax error");
    assert_refused(c, "x = nan;", "syntax error");
}

static void settings_from_a_string_still_know_their_file(void **state)
{
    struct config *c = *state;
    assert_accepted(c, "\n\ngpu: { sms = 40; };");
    assert_string_equal(key_where(&c->arch, "gpu.sms", 0).file, "test.cfg");
    assert_int_equal(key_where(&c->arch, "gpu.sms", 0).line, 3);
}

static void number_lists_may_be_arrays_or_lists(void **state)
{
    struct config *c = *state;
    const char *const forms[] = {"[0, 1, 2, 3]", "(0, 1, 2, 3)", "(0, 1, 2L, 3)"};
    for (size_t i = 0; i < 3; i++) {
        char text[256];
        snprintf(
            text, sizeof text,
            "noc: { topology = \"mesh\"; mesh: { placement = \"list\"; memory_nodes = %s; }; };"
            "llc: { slices = 2; }; dram: { controllers = 2; };",
            forms[i]);
        assert_accepted(c, text);
        assert_int_equal(c->arch.noc[1].params.n_place_list, 4);
        assert_int_equal(c->arch.noc[1].params.place_list[3], 3);
    }
    assert_refused(c,
                   "noc: { topology = \"mesh\"; mesh: { placement = \"list\"; "
                   "memory_nodes = (0, 1.5); }; };",
                   "expected whole numbers in [ ] or ( ), found a number with a fraction");
}

static void deep_nesting_is_an_error_not_a_crash(void **state)
{
    struct config *c = *state;
    struct buf b;
    buf_init(&b, &c->mem, BUF_NO_MAX);
    buf_add(&b, "x = ");
    buf_pad(&b, '(', 20000);
    buf_pad(&b, ')', 20000);
    buf_add(&b, ";");
    char *text = strdup(b.data);
    config_reset(c);
    assert_false(config_read(c, text));
    free(text);
    config_reset(c);
    buf_init(&b, &c->mem, BUF_NO_MAX);
    for (int i = 0; i < 100; i++)
        buf_add(&b, "x: {");
    for (int i = 0; i < 100; i++)
        buf_add(&b, "};");
    text = strdup(b.data);
    config_reset(c);
    assert_false(config_read(c, text));
    free(text);
}

static void the_resolved_value_reads_back_exactly(void **state)
{
    struct config *c = *state;
    assert_accepted(c, "tech: { temperature = 333.1234567890123456789; };");
    struct buf b;
    int net;
    buf_init(&b, &c->mem, 100);
    key_add_value(key_find("tech.temperature", &net), &c->arch, 0, &b);
    assert_true(strtod(b.data, NULL) == c->arch.tech.temperature_k);
}

static void a_missing_file_or_a_folder_is_named(void **state)
{
    struct config *c = *state;
    assert_false(config_file(c, "no/such.cfg"));
    assert_says(c, "there is no file 'no/such.cfg' in the working folder");
    config_reset(c);
    assert_false(config_file(c, "tests"));
    assert_says(c, "tests: is a directory");
}

/* ---- files on disk --------------------------------------------------------------------------- */

static const char *make_folder(struct config *c)
{
    char name[] = "build/read-test-XXXXXX";
    mkdir("build", 0777);
    assert_non_null(mkdtemp(name));
    return arena_strdup(&c->mem, name);
}

static const char *put(struct config *c, const char *dir, const char *name, const char *text)
{
    const char *path = path_join(&c->mem, dir, name);
    assert_true(file_make_dirs(path_dir(&c->mem, path), &c->err));
    assert_true(file_write(path, text, strlen(text), &c->err));
    return path;
}

static void remove_folder(const char *dir)
{
    char command[200];
    snprintf(command, sizeof command, "rm -rf '%s'", dir);
    assert_int_equal(system(command), 0);
}

static void an_include_is_found_beside_the_file_not_in_the_working_directory(void **state)
{
    struct config *c = *state;
    const char *dir = make_folder(c);
    put(c, dir, "vcs.inc", "vcs = 7;\n");
    const char *file = put(c, dir, "a.cfg", "noc: {\n@include \"vcs.inc\"\n};\n");
    assert_true(config_file(c, file));
    assert_int_equal(c->arch.noc[0].params.vcs, 7);
    /* and its settings know where they are */
    assert_non_null(strstr(key_where(&c->arch, "noc.vcs", 0).file, "vcs.inc"));

    put(c, dir, "vcs.inc", "vcs = 4294967296;\n");
    assert_false(config_file(c, file));
    assert_says(c, "vcs.inc:1: the number 4294967296 does not fit");
    put(c, dir, "b.cfg", "@include \"absent.inc\"\n");
    assert_false(config_file(c, path_join(&c->mem, dir, "b.cfg")));
    assert_says(c, "b.cfg:1: cannot include 'absent.inc'");
    put(c, dir, "c.cfg", "\n@include \"/etc/passwd\"\n");
    assert_false(config_file(c, path_join(&c->mem, dir, "c.cfg")));
    assert_says(c, "c.cfg:2: '/etc/passwd': included files are named relative to");
    remove_folder(dir);
}

static void bases_are_merged_key_by_key_and_the_later_wins(void **state)
{
    struct config *c = *state;
    const char *dir = make_folder(c);
    put(c, dir, "base/one.cfg", "gpu: { sms = 10; }; noc: { vcs = 2; vc_depth = 3; };");
    put(c, dir, "base/two.cfg", "base = \"one.cfg\"; noc: { vcs = 5; };");
    put(c, dir, "three.cfg", "noc: { vc_depth = 9; };");
    const char *top =
        put(c, dir, "top.cfg",
            "base = [\"base/two.cfg\", \"three.cfg\"];\nnoc: { request: { vcs = 6; }; };");
    assert_true(config_file(c, top));
    assert_int_equal(c->arch.gpu.n_sms, 10);
    assert_int_equal(c->arch.noc[NOC_REQUEST].params.vcs, 6);
    assert_int_equal(c->arch.noc[NOC_REPLY].params.vcs, 5);
    assert_int_equal(c->arch.noc[NOC_REPLY].params.vc_depth, 9);
    assert_int_equal(key_where(&c->arch, "noc.vcs", NOC_REQUEST).line, 2);
    assert_non_null(strstr(key_where(&c->arch, "noc.vcs", NOC_REPLY).file, "base/two.cfg"));
    remove_folder(dir);
}

static void a_circle_of_bases_and_a_missing_base_are_errors(void **state)
{
    struct config *c = *state;
    const char *dir = make_folder(c);
    put(c, dir, "a.cfg", "base = \"b.cfg\";");
    put(c, dir, "b.cfg", "\nbase = \"a.cfg\";");
    assert_false(config_file(c, path_join(&c->mem, dir, "a.cfg")));
    assert_says(c, "b.cfg:2: base: '");
    assert_says(c, "is based on itself");
    put(c, dir, "c.cfg", "base = (\"nowhere.cfg\", 3);");
    assert_false(config_file(c, path_join(&c->mem, dir, "c.cfg")));
    assert_says(c, arena_printf(&c->mem, "there is no file 'nowhere.cfg' in %s or .", dir));
    assert_says(c, "expected a file name, or several in [ ] or ( ), found a whole number");
    remove_folder(dir);
}

static void a_zero_byte_does_not_hide_the_rest_of_a_file(void **state)
{
    struct config *c = *state;
    const char *dir = make_folder(c);
    const char *path = path_join(&c->mem, dir, "a.cfg");
    assert_true(file_write(path, "gpu: {};\0noc: { vcs = 0; };", 26, &c->err));
    assert_false(config_file(c, path));
    assert_says(c, "contains a zero byte");
    remove_folder(dir);
}

/* ---- keys ------------------------------------------------------------------------------------ */

static void an_unknown_key_is_reported_with_the_nearest(void **state)
{
    struct config *c = *state;
    assert_refused(c, "noc: {\n widht = 3;\n};",
                   "test.cfg:2: unknown key 'noc.widht'; did you mean 'noc.width'?");
    assert_refused(c, "nco: { vcs = 3; };", "unknown key 'nco.vcs'; did you mean 'noc.vcs'?");
    assert_refused(c, "noc: { request: { vc = 3; }; };",
                   "unknown key 'noc.request.vc'; did you mean 'noc.request.vcs'?");
    assert_refused(c, "vcs = 3;", "unknown key 'vcs'; did you mean 'noc.vcs'?");
    assert_refused(c, "gibberish_beyond_hope: { };", "see 'crosswatt keys'");
    assert_refused(c, "gpu: { request: { sms = 3; }; };", "unknown key 'gpu.request.sms'");
}

static void all_errors_of_a_file_are_reported(void **state)
{
    struct config *c = *state;
    assert_refused(c,
                   "gpu: { sms = 0; };\nnoc: { vcs = \"many\"; topology = \"messh\"; };\n"
                   "sm = 3;\nl1: { ways = 3; };\nfoo = 1;",
                   "test.cfg:1: gpu.sms: 0 is not in 1..16384");
    assert_says(c, "test.cfg:2: noc.vcs: expected a whole number (1..64), found \"many\"");
    assert_says(c, "did you mean \"mesh\"?");
    assert_says(c, "test.cfg:3: 'sm' is a group of keys, found a whole number");
    assert_says(c, "test.cfg:4: l1.size = 16384 B is not a whole number of sets with l1.ways = 3");
    assert_says(c, "test.cfg:5: unknown key 'foo'");
    assert_int_equal(c->err.n_errors, 6);
}

static void numbers_may_carry_units(void **state)
{
    struct config *c = *state;
    assert_accepted(
        c, "l1: { size = \"48 KB\"; }; noc: { width = \"32 B\"; };"
           "gpu: { core_clock_ghz = \"700 MHz\"; }; tech: { links: { sm = \"500 um\"; }; };");
    assert_int_equal(c->arch.l1.bytes, 49152);
    assert_int_equal(c->arch.noc[0].params.width_bits, 256);
    assert_close(c->arch.gpu.core_ghz, 0.7, 1e-12);
    assert_close(c->arch.place.link_mm[NOC_LINK_SM], 0.5, 1e-12);
    assert_refused(c, "l1: { size = \"48 GHz\"; };", "in B, or text such as \"1024 B\"");
}

static void words_stand_for_numbers(void **state)
{
    struct config *c = *state;
    assert_accepted(c,
                    "tech: { links: { sm = \"short\"; llc = \"long\"; router = \"floorplan\"; }; };"
                    "gpu: { sms = 60; clusters = 12; }; noc: { topology = \"crossbar\"; };"
                    "cluster: { icc: { entries = \"auto\"; }; };");
    assert_close(c->arch.place.link_mm[NOC_LINK_SM], 3.3, 0);
    assert_close(c->arch.place.link_mm[NOC_LINK_LLC], 12.3, 0);
    assert_true(c->arch.place.link_mm[NOC_LINK_ROUTER] == NOC_LINK_FLOORPLAN);
    assert_int_equal(c->arch.arrays[ROLE_MERGE_TABLE].entries, 48);
}

static void the_command_line_comes_last(void **state)
{
    struct config *c = *state;
    assert_true(config_set(c, "noc: { vcs = 2; request: { vcs = 3; }; };", "noc.vcs=8"));
    assert_int_equal(c->arch.noc[0].params.vcs, 8);
    assert_int_equal(c->arch.noc[1].params.vcs, 8);
    static const char *const good[] = {"noc.topology=crossbar", "tech.leakage=2013",
                                       "sim.verify=true",       "noc.width=\"64 B\"",
                                       "noc.width=64 B",        "sim.seed=4294967296"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        config_reset(c);
        if (!config_set(c, "", good[i]))
            fail_msg("%s: %s", good[i], config_messages(c));
    }
    static const char *const bad[][2] = {
        {"noc.vcs", "expected KEY=VALUE"},
        {"noc.vsc=3", "unknown key 'noc.vsc'; did you mean 'noc.vcs'?"},
        {"noc.vcs=99", "command line: noc.vcs: 99 is not in 1..64"},
        {"sim.verify=maybe", "command line: sim.verify: expected true or false"},
        {"noc.custom.routers=x", "can only be given in a file"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        config_reset(c);
        assert_false(config_set(c, "", bad[i][0]));
        assert_says(c, bad[i][1]);
    }
}

static void contradictions_name_both_keys_and_where_they_were_said(void **state)
{
    struct config *c = *state;
    assert_refused(c, "gpu: { sms = 60;\n clusters = 7; };",
                   "test.cfg:2: gpu.clusters = 7 does not divide gpu.sms = 60");
    assert_says(c, "test.cfg:1: note: gpu.sms is set here");
    assert_refused(c, "gpu: { clusters = 90; };", "gpu.clusters = 90 is more than gpu.sms = 80");
    assert_says(c, "note: gpu.sms has its default");
    assert_refused(c, "llc: { slices = 12; };", "is not a multiple of dram.controllers = 8");
    assert_refused(c, "cluster: { cc: { entries = 24; }; };", "cluster.icc.entries");
    assert_refused(c, "coalescer: { kind = \"banked\"; };", "l1.banks = 1");
    assert_refused(c, "sm: { threads = 2048; };", "sm.warps = 48");
    assert_refused(c, "dram: { tras = 50; };", "dram.trc = 40 cycle is less than dram.tras = 50");
    assert_refused(c, "l1: { line = 96; };", "l1.line = 96 B is not a power of two");
    assert_refused(c, "noc: { shared = true; reply: { vcs = 2; }; };",
                   "there is no reply network: noc.shared = true");
    /* uneven clusters: a crossbar takes them, a merge table does not */
    assert_accepted(c, "gpu: { clusters = 24; }; noc: { topology = \"crossbar\"; };");
    assert_refused(c,
                   "gpu: { clusters = 24; }; noc: { topology = \"crossbar\"; };"
                   "cluster: { icc: { entries = 48; }; };",
                   "a merge table needs equal clusters");
}

static void every_new_name_is_a_key_and_no_old_one_is(void **state)
{
    (void)state;
    int net;
    for (size_t i = 0; i < n_key_renames; i++) {
        assert_non_null(key_find(key_renames[i].path, &net));
        assert_null(key_find(key_renames[i].old, &net));
        assert_false(key_is_group(key_renames[i].old));
    }
}

static void an_old_name_is_an_error_that_says_the_new_one(void **state)
{
    struct config *c = *state;
    assert_refused(c, "gpu: { sms = 60;\n same_code = true; };",
                   "test.cfg:2: gpu.same_code is now compat.kernels_share_code_address");
    config_reset(c);
    assert_false(config_set(c, "", "gpu.sum_clocks=true"));
    assert_says(c, "command line: gpu.sum_clocks is now compat.clock_edges");
    assert_refused(c, "sm: { const: { is_int = true; }; };",
                   "sm.const.is_int is now compat.constant_loads_are_int");
    assert_refused(c, "noc: { reply: { router: { st_delay = 2; }; }; };",
                   "noc.reply.router.st_delay is now noc.reply.router.traversal_delay");
}

static void an_old_name_that_is_still_accepted_is_read_with_a_note(void **state)
{
    struct config *c = *state;
    const char *note = "note: llc.split_lines is now llc.sectors_one_by_one";
    assert_accepted(c, "llc: { sector = 32;\n split_lines = true; };");
    assert_says(c, "test.cfg:2: ");
    assert_says(c, note);
    assert_true(c->arch.llc.sectors_one_by_one);
    config_reset(c);
    assert_true(config_set(c, "", "llc.split_lines=true"));
    assert_says(c, "command line: ");
    assert_says(c, note);
    assert_true(c->arch.llc.sectors_one_by_one);
    assert_refused(c, "llc: { split_lines = 3; };",
                   "llc.sectors_one_by_one: expected true or false");
}

static void limits_of_the_simulator_are_refused_when_read(void **state)
{
    struct config *c = *state;
    static const char *const rows[][2] = {
        {"gpu: { sms = 80;\n clusters = 1; };",
         "test.cfg:2: gpu.clusters = 1 puts more than 64 SMs behind one port: gpu.sms = 80"},
        {"l1: { line = 64; };",
         "test.cfg:1: l1.line = 64 B is not the line of the last level: llc.line = 128 B"},
        {"l1: { sector = 64; }; llc: { sector = 32; };",
         "l1.sector = 64 B is not the sector of the last level: llc.sector = 32 B"},
        {"l1: { sector = 16; line = 256; }; llc: { line = 256; };",
         "l1.sector = 16 B cuts into more than 8 parts l1.line = 256 B"},
        {"llc: { slices = 24; };",
         "llc.slices = 24 does not give a power of two to each of dram.controllers = 8"},
        {"llc: { slices = 256; };", "gives more than 16 to each of dram.controllers = 8"},
        {"gpu: { network = \"switch\"; sms = 497; };",
         "gpu.network = \"switch\" has 512 ports, too few for the clusters and llc.slices = 16"},
        {"sm: { pipeline = \"stepped\"; register_banks = 128; };",
         "sm.register_banks = 128 is more than 64, the most with sm.pipeline = \"stepped\""},
        {"sm: { texture: { size = 64; }; };",
         "sm.texture.size = 64 B is not a whole number of lines of l1.line = 128 B"},
        {"sm: { icache: { size = 2048; ways = 3; }; };",
         "sm.icache.size = 2048 B is not a whole number of sets with sm.icache.ways = 3"},
        {"sm: { const: { size = 2048; line = 96; }; };",
         "sm.const.line = 96 B is not a power of two"},
        {"sm: { warps = 65; };", "65 is not in 1..64"},
        {"sm: { shared = \"8 KB\"; }; l1: { unified = \"4 KB\"; };",
         "sm.shared = 8192 B is more than l1.unified = 4096 B"},
        {"sm: { collectors = 17; };", "17 is not in 1..16"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_refused(c, rows[i][0], rows[i][1]);
}

static void
a_key_without_effect_is_an_error_here_and_a_warning_from_a_base_that_makes_it_so(void **state)
{
    struct config *c = *state;
    assert_refused(c, "noc: { topology = \"mesh\";\n clos: { m = 3; }; };",
                   "test.cfg:2: noc.clos.m: has no effect unless noc.topology = clos");
    assert_refused(c, "coalescer: { warppool: { queues = 8; }; };",
                   "has no effect unless coalescer.kind = warppool");
    /* a word that stands for a derived number */
    assert_refused(c, "cta: { clustering: { start_cycles = \"generation\"; }; };",
                   "test.cfg:1: cta.clustering.start_cycles: has no effect unless "
                   "cta.clustering.mode = agent");
    /* one network uses it */
    assert_accepted(c, "noc: { topology = \"mesh\"; mesh: { rows = 10; };"
                       " reply: { topology = \"crossbar\"; }; };");
    assert_refused(c,
                   "noc: { topology = \"mesh\";"
                   " reply: { topology = \"crossbar\"; mesh: { rows = 10; }; }; };",
                   "noc.reply.mesh.rows: has no effect unless noc.topology = mesh | smesh");

    config_reset(c);
    const char *dir = make_folder(c);
    put(c, dir, "base.cfg", "noc: { topology = \"mesh\"; mesh: { rows = 10; }; };");
    const char *top =
        put(c, dir, "top.cfg", "base = \"base.cfg\"; noc: { topology = \"crossbar\"; };");
    assert_true(config_file(c, top));
    assert_int_equal(c->err.n_warnings, 0); /* the base could not know */
    remove_folder(dir);

    config_reset(c);
    dir = make_folder(c);
    put(c, dir, "base.cfg", "noc: { topology = \"crossbar\"; mesh: { rows = 10; }; };");
    assert_true(config_file(c, put(c, dir, "top.cfg", "base = \"base.cfg\";")));
    assert_int_equal(c->err.n_warnings, 1);
    assert_says(c, "warning: noc.mesh.rows: has no effect");
    remove_folder(dir);
}

static void every_key_can_be_set_to_its_default_and_says_where(void **state)
{
    struct config *c = *state;
    for (size_t i = 0; i < n_keys; i++) {
        const struct key *k = &keys[i];
        assert_non_null(k->meaning);
        assert_non_null(k->unit);
        if (k->type == KEY_LIST || k->used_if)
            continue;
        config_reset(c);
        struct buf b;
        buf_init(&b, &c->mem, 4096);
        buf_printf(&b, "%s=", k->path);
        key_add_default(k, &b);
        if (!config_set(c, "", b.data))
            fail_msg("%s: %s", b.data, config_messages(c));
        if (key_origin(k, &c->arch, 0)->kind != ORIGIN_DERIVED)
            assert_int_equal(key_origin(k, &c->arch, 0)->kind, ORIGIN_COMMAND_LINE);
    }
}

static void every_number_key_refuses_what_is_out_of_range(void **state)
{
    struct config *c = *state;
    for (size_t i = 0; i < n_keys; i++) {
        const struct key *k = &keys[i];
        if (k->type != KEY_INT && k->type != KEY_INT64 && k->type != KEY_REAL)
            continue;
        const double wrong[] = {k->lo - 1, k->hi * 2 + 1};
        for (int w = 0; w < 2; w++) {
            config_reset(c);
            const char *set = arena_printf(&c->mem, "%s=%.17g", k->path, wrong[w]);
            assert_false(config_set(c, "", set));
            assert_says(c, " is not in ");
            assert_says(c, k->path);
        }
    }
}

static void the_choices_of_topologies_are_the_topologies_and_their_keys_exist(void **state)
{
    (void)state;
    int net;
    const struct key *k = key_find("noc.topology", &net);
    size_t n = 0;
    for (const struct topology *const *t = noc_topologies; *t; t++) {
        bool found = false;
        for (const char *const *c = k->choices; *c; c++)
            found |= strcmp(*c, (*t)->name) == 0;
        if (!found)
            fail_msg("'%s' is not a choice of noc.topology", (*t)->name);
        n++;
        for (const char *const *key = (*t)->keys; key && *key; key++) {
            const struct key *own = key_find(*key, &net);
            if (!own)
                fail_msg("'%s' of '%s' is not in the table", *key, (*t)->name);
            /* only this topology's: its condition names it, or names a key that does */
            assert_non_null(own->used_if);
        }
    }
    for (const char *const *c = k->choices; *c; c++)
        assert_non_null(noc_topology_find(*c));
    assert_true(n >= 7);
}

static void a_routing_must_be_one_of_the_topology(void **state)
{
    struct config *c = *state;
    assert_refused(c, "noc: {\n topology = \"mesh\";\n routing = \"xyz\"; };",
                   "test.cfg:3: noc.routing: \"xyz\" is not one of \"xy\"");
    assert_says(c, "which noc.topology = \"mesh\" has; did you mean \"xy\"?");
    assert_says(c, "test.cfg:2: note: noc.topology is set here");
    assert_accepted(c, "noc: { topology = \"mesh\"; };");
    assert_string_equal(c->arch.noc[1].params.routing, "xy");
    assert_accepted(c, "noc: { topology = \"mesh\"; reply: { topology = \"cdxbar\"; "
                       "routing = \"source\"; }; };");
}

static void paths_are_unique_and_conditions_name_real_keys(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_keys; i++) {
        int net;
        assert_ptr_equal(key_find(keys[i].path, &net), &keys[i]);
        if (keys[i].used_if) {
            char path[64];
            size_t n = strcspn(keys[i].used_if, " ");
            memcpy(path, keys[i].used_if, n);
            path[n] = '\0';
            assert_non_null(key_find(path, &net));
        }
        if (keys[i].per_network)
            assert_memory_equal(keys[i].path, "noc.", 4);
    }
}

#define T(f) cmocka_unit_test_setup_teardown(f, config_set_up, config_tear_down)
int main(void)
{
    const struct CMUnitTest tests[] = {
        T(an_integer_beyond_32_bits_without_l_is_an_error),
        T(numbers_in_comments_strings_and_names_are_left_alone),
        T(a_64_bit_literal_keeps_its_value),
        T(a_whole_number_serves_where_a_real_one_is_wanted),
        T(a_fraction_is_no_whole_number),
        T(a_parse_error_has_file_and_line),
        T(settings_from_a_string_still_know_their_file),
        T(number_lists_may_be_arrays_or_lists),
        T(deep_nesting_is_an_error_not_a_crash),
        T(the_resolved_value_reads_back_exactly),
        T(a_missing_file_or_a_folder_is_named),
        T(an_include_is_found_beside_the_file_not_in_the_working_directory),
        T(bases_are_merged_key_by_key_and_the_later_wins),
        T(a_circle_of_bases_and_a_missing_base_are_errors),
        T(a_zero_byte_does_not_hide_the_rest_of_a_file),
        T(an_unknown_key_is_reported_with_the_nearest),
        T(all_errors_of_a_file_are_reported),
        T(numbers_may_carry_units),
        T(words_stand_for_numbers),
        T(the_command_line_comes_last),
        T(contradictions_name_both_keys_and_where_they_were_said),
        T(every_new_name_is_a_key_and_no_old_one_is),
        T(an_old_name_is_an_error_that_says_the_new_one),
        T(an_old_name_that_is_still_accepted_is_read_with_a_note),
        T(limits_of_the_simulator_are_refused_when_read),
        T(a_key_without_effect_is_an_error_here_and_a_warning_from_a_base_that_makes_it_so),
        T(every_key_can_be_set_to_its_default_and_says_where),
        T(every_number_key_refuses_what_is_out_of_range),
        T(paths_are_unique_and_conditions_name_real_keys),
        T(the_choices_of_topologies_are_the_topologies_and_their_keys_exist),
        T(a_routing_must_be_one_of_the_topology),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
