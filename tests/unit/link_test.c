/* SPDX-License-Identifier: MIT
 *
 * Several PTX texts as one: what each keeps to itself has a name of its own, what it shares is
 * there once. */
#include "tests/unit/test.h"

#include "base/arena.h"
#include "sim/runtime/link.h"

#define HEAD ".version 7.0\n.target sm_75\n.address_size 64\n"

static const char *joined(const char *const *texts, size_t n, struct arena *mem)
{
    struct link_text list[4];
    size_t length;
    for (size_t i = 0; i < n; i++)
        list[i] = (struct link_text){texts[i], strlen(texts[i])};
    const char *all = link_texts(list, n, mem, &length);
    assert_int_equal(strlen(all), length);
    return all;
}

static void each_text_keeps_its_own_names_and_what_is_shared_is_there_once(void **state)
{
    static const char *const texts[] = {
        HEAD "// a { remark\n/* and ; one * / more */\n.file 1 \"a.cu\"\n"
             ".extern .func (.param .b32 r) other(.param .b32 a);\n"
             ".global .u32 kept = 5;\n.visible .global .u32 shared_by_all[2] = {1, 2};\n"
             ".weak .func twice() { ret; }\n"
             ".visible .entry k(.param .u64 p)\n{\n.reg .b32 %kept;\n"
             "ld.global.u32 %kept, [kept]; // kept\ncall (%kept), other, (%kept);\nret;\n}\n",
        HEAD ".file 1 \"b\\\"kept.cu\"\n.extern .global .u32 shared_by_all[2];\n"
             ".global .u32 kept = 6;\n.weak .func twice() { ret; }\n.func helper() { ret; }\n"
             ".visible .func (.param .b32 r) other(.param .b32 a)\n{\n/* kept */\n"
             "ld.global.u32 %r1, [kept+4];\nld.global.u32 %r2, [kept_too];\ncall twice;\n"
             "call helper;\n.loc 1 3 4\nret;\n}\n.section .debug_info { .b8 1, { 2 } }\n"
             ".section .empty\n",
        HEAD ".visible .entry k(.param .u64 p) { ret; }\n.func helper() { call kept; }\n"
             ".common .global .u32 kept_too;\n.global .u64 at = k;"};
    static const char want[] =
        ".version 7.0\n\n.target sm_75\n\n.address_size 64\n\n.file 1 \"a.cu\"\n\n"
        ".extern .func (.param .b32 r) other(.param .b32 a);\n"
        ".global .u32 kept = 5;\n.visible .global .u32 shared_by_all[2] = {1, 2};\n"
        ".weak .func twice() { ret; }\n\n"
        ".visible .entry k(.param .u64 p)\n{\n.reg .b32 %kept;\n"
        "ld.global.u32 %kept, [kept]; // kept\ncall (%kept), other, (%kept);\nret;\n}\n\n"
        /* the second */
        ".file 100001 \"b\\\"kept.cu\"\n\n"
        ".global .u32 kept$1 = 6;\n.func helper() { ret; }\n\n"
        ".visible .func (.param .b32 r) other(.param .b32 a)\n{\n/* kept */\n"
        "ld.global.u32 %r1, [kept$1+4];\nld.global.u32 %r2, [kept_too];\ncall twice;\n"
        "call helper;\n.loc 100001 3 4\nret;\n}\n\n"
        /* the third: a second meaning of what others see is its own, too */
        ".visible .entry k$2(.param .u64 p) { ret; }\n\n.func helper$2() { call kept; }\n\n"
        ".common .global .u32 kept_too;\n.global .u64 at = k$2;\n";
    struct arena mem;
    (void)state;
    arena_init(&mem, NULL, NULL);
    const char *got = joined(texts, 3, &mem);
    if (strcmp(got, want) != 0)
        fail_msg("%s\n---- not\n%s", got, want);
    assert_string_equal(link_name("kept", 12, &mem), "kept$12");
    arena_free(&mem);
}

static void texts_that_name_what_they_lack_need_others(void **state)
{
    static const struct {
        const char *text;
        bool is_needed;
    } cases[] = {
        {HEAD ".visible .entry k() { ret; }", false},
        {HEAD ".extern .func other();", true},
        {HEAD ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
              ".extern .func __assertfail(.param .b64 m);\n"
              ".extern .func (.param .b64 p) malloc(.param .b64 n);\n.extern .func free(.param "
              ".b64 p);",
         false},
        {HEAD ".extern .global .u32 v;", true},
        {HEAD ".extern .global .u32 v;\n.visible .global .u32 v;", false},
        {HEAD ".visible .func f() { ret; }\n.extern .func f();", false},
        {HEAD ".extern .shared .align 16 .b8 room[];", false},
        {HEAD "// .extern .func other();\n/* .extern .func other(); */", false},
        {HEAD ".file 1 \".extern .func other();\"\n", false},
        {HEAD "/* no end", false},
        {HEAD "//", false},
        {"", false},
    };
    struct arena mem;
    (void)state;
    arena_init(&mem, NULL, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct link_text t = {cases[i].text, strlen(cases[i].text)};
        if (link_is_needed(&t, &mem) != cases[i].is_needed)
            fail_msg("%s", cases[i].text);
    }
    arena_free(&mem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_text_keeps_its_own_names_and_what_is_shared_is_there_once),
        cmocka_unit_test(texts_that_name_what_they_lack_need_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
