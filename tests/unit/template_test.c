/* SPDX-License-Identifier: MIT */
#include "tests/unit/test.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "gen/template.h"

/* What a text becomes, or the first error, with the names of one router design in scope. */
static const char *render(struct arena *mem, const char *text)
{
    struct err err;
    struct buf out;
    err_init(&err);
    buf_init(&out, mem, BUF_NO_MAX);
    struct scope *s = scope_new(mem);
    scope_text(s, "topology", "mesh");
    scope_text(s, "note", "");
    scope_text(s, "html", "<a & 'b'>");
    scope_real(s, "clock_ghz", 1.4);
    scope_list(s, "none");
    for (int i = 0; i < 3; i++)
        scope_int(scope_item(s, "router"), "ports", 5 + i);
    bool ok = template_render("t.txt", text, strlen(text), s, &out, &err);
    const char *result = ok ? out.data : arena_strdup(mem, err_entry_text(err.first, mem));
    assert_int_equal(ok, !err_any(&err));
    err_free(&err);
    return result;
}

static void templates_are_filled_in(void **state)
{
    (void)state;
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"", ""},
        {"plain { text }", "plain { text }"},
        {"{{topology}} at {{ clock_ghz }} GHz", "mesh at 1.4 GHz"},
        {"{{html html}}|{{html}}", "&lt;a &amp; &#39;b&#39;&gt;|<a & 'b'>"},
        {"{{#router}}{{ports}} {{/router}}", "5 6 7 "},
        {"{{#router}}\n  {{topology}} {{ports}}\n{{/router}}\nend",
         "  mesh 5\n  mesh 6\n  mesh 7\nend"},
        {"{{#none}}x{{/none}}{{^none}}nothing{{/none}}", "nothing"},
        {"{{#note}}x{{/note}}{{^note}}no note{{/note}}", "no note"},
        {"{{#topology}}has {{topology}}{{/topology}}", "has mesh"},
        {"{{#router}}{{#router}}.{{/router}}{{/router}}", "........."},
        /* errors */
        {"a\n{{topolgy}}", "t.txt:2: unknown name 'topolgy'; did you mean 'topology'?"},
        {"{{#router}}{{zzzzzzzzzzzz}}{{/router}}",
         "t.txt:1: unknown name 'zzzzzzzzzzzz'; there are ports, router, none, clock_ghz, html, "
         "note and topology"},
        {"\n\n{{#router}}", "t.txt:3: section 'router' is not closed"},
        {"{{/router}}", "t.txt:1: 'router' is closed, but not open"},
        {"{{topology", "t.txt:1: '{{' without '}}' on its line"},
        {"{{}}", "t.txt:1: a tag without a name"},
        {"{{router}}", "t.txt:1: 'router' is a list, not a value"},
    };
    struct arena mem;
    arena_init(&mem, NULL, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(render(&mem, cases[i].text), cases[i].expected);
    arena_free(&mem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(templates_are_filled_in)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
