/* SPDX-License-Identifier: MIT
 *
 * `crosswatt show`: the elaborated design. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/printable.h"
#include "base/table.h"
#include "gen/command.h"
#include "gen/config/read.h"
#include "gen/config/variants.h"
#include "gen/design/show.h"
#include "gen/out.h"
#include "gen/price/price.h"
#include "gen/price/why.h"

static void print_text(const struct design *d, struct arena *mem)
{
    const struct arch *a = d->arch;
    struct buf b;
    buf_init(&b, mem, BUF_NO_MAX);
    buf_printf(&b, "%s: %u SMs in %u clusters, %u LLC slices, %u memory controllers\n",
               printable_text(mem, a->file), a->gpu.n_sms, a->gpu.n_clusters, a->llc.slices,
               a->dram.controllers);
    buf_printf(&b, "%s; die %.1f x %.1f mm\n\n", design_networks(d, true, mem),
               (double)d->floorplan.width_mm, (double)d->floorplan.height_mm);
    show_networks(d, &b);
    buf_add(&b, "\n");
    show_arrays(d, &b);
    fputs(b.data, stdout);
}

/* What a cycle carries at most: numbers for programs, "4096 + 8192" (request, reply) to read. */
static void add_bandwidth(struct table *t, const struct design *d, bool is_json, struct arena *mem)
{
    const struct noc_facts *a = &d->request_facts, *b = &d->reply_facts;
    const uint64_t bits[][2] = {{a->bisection_bits, b->bisection_bits},
                                {a->injection_bits, b->injection_bits},
                                {a->ejection_bits, b->ejection_bits}};
    for (size_t i = 0; i < 3; i++) {
        unsigned long long x = bits[i][0], y = bits[i][1];
        if (is_json) {
            table_num(t, (double)x);
            table_num(t, d->has_reply ? (double)y : NAN);
        } else
            table_text(t, d->has_reply ? arena_printf(mem, "%llu + %llu", x, y)
                                       : arena_printf(mem, "%llu", x));
    }
}

/* Several designs: their counts side by side. */
static bool print_side_by_side(struct app *app, const struct options *options)
{
    static const struct table_column columns[] = {
        {"design", "", -1},       {"topology", "", -1},     {"routers", "", -2},
        {"VC buffers", "", -2},   {"links", "", -2},        {"mean hops", "", 2},
        {"bisection", "bit", -1}, {"injection", "bit", -1}, {"ejection", "bit", -1},
        {"crossbars", "", -1}};
    static const struct table_column for_json[] = {{"design", "", -1},
                                                   {"topology", "", -1},
                                                   {"routers", "", -2},
                                                   {"VC buffers", "", -2},
                                                   {"links", "", -2},
                                                   {"mean hops", "", 2},
                                                   {"request bisection", "bit", -2},
                                                   {"reply bisection", "bit", -2},
                                                   {"request injection", "bit", -2},
                                                   {"reply injection", "bit", -2},
                                                   {"request ejection", "bit", -2},
                                                   {"reply ejection", "bit", -2},
                                                   {"crossbars", "", -1}};
    struct table *t =
        options->json ? table_new(&app->mem, for_json, 13) : table_new(&app->mem, columns, 10);
    struct variant *designs;
    size_t n;
    bool ok = variants_read(app, options, VARIANTS_ONE, &designs, &n, &app->err);
    for (size_t i = 0; i < n; i++) {
        struct design *d = arena_new(&app->mem, struct design);
        if (!design_make(designs[i].arch, false, &app->mem, d, &app->err)) {
            ok = false;
            continue;
        }
        struct noc_counts c;
        struct buf shapes;
        show_add_counts(d, &c, &app->mem);
        buf_init(&shapes, &app->mem, 4096);
        show_add_shapes(&c, &shapes);
        table_row(t);
        table_text(t, designs[i].file);
        table_text(t, design_topology(d, &app->mem));
        table_num(t, c.routers);
        table_num(t, c.vc_buffers);
        table_num(t, c.links);
        table_num(t, d->request_facts.mean_hops);
        add_bandwidth(t, d, options->json, &app->mem);
        table_text(t, shapes.data);
    }
    out_table(t, options->json, OUT_ALL_DIGITS, &app->mem);
    return ok;
}

static int print_why(struct app *app, const struct design *d, const char *what, bool as_json)
{
    struct priced priced;
    struct buf b;
    buf_init(&b, &app->mem, BUF_NO_MAX);
    if (!price_design(d, app->data_dir, 0, &app->mem, &priced, &app->err) ||
        !why(&priced, what, &b, &app->err))
        return exit_status_of(&app->err);
    if (as_json) {
        json_t *j = json_object(), *lines = json_array();
        for (const char *line = b.data; *line;) {
            size_t n = strcspn(line, "\n");
            json_array_append_new(lines, json_text(arena_strndup(&app->mem, line, n)));
            line += n + (line[n] == '\n');
        }
        json_object_set_new(j, "what", json_text(what));
        json_object_set_new(j, "why", lines);
        out_json(j, OUT_ALL_DIGITS);
    } else {
        fputs(b.data, stdout);
    }
    return EXIT_DONE;
}

static int run(struct app *app, const struct options *options)
{
    if (options->n_words > 1)
        return print_side_by_side(app, options) ? EXIT_DONE : exit_status_of(&app->err);
    struct arch arch;
    struct design d;
    if (!arch_read_options(app, options->words[0], options, &arch) ||
        !design_make(&arch, option_has(options, "allow-cycles"), &app->mem, &d, &app->err))
        return exit_status_of(&app->err);
    if (option_has(options, "why"))
        return print_why(app, &d, option_get(options, "why"), options->json);
    if (options->json)
        out_json(show_json(&d), 15);
    else
        print_text(&d, &app->mem);
    return EXIT_DONE;
}

static const struct option_def option_defs[] = {
    {"allow-cycles", 0, NULL, "show a network that can deadlock all the same"},
    {"why", 0, "WHAT", "where a key, a derived number or a component's price comes from"},
    {NULL, 0, NULL, NULL},
};

const struct command cmd_show = {
    .name = "show",
    .args = "CFG…",
    .meaning = "the elaborated design: routers, buffers, crossbars, links, every array in bits",
    .text = "With several descriptions: their networks side by side.\n",
    .options = option_defs,
    .least_words = 1,
    .most_words = SIZE_MAX,
    .run = run,
};
