/* SPDX-License-Identifier: MIT */
#include "gen/silicon/silicon_facts.h"

#include <libconfig.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/near.h"
#include "gen/config/setting.h"

struct reader {
    const char *file;
    const char *const *figures;
    size_t n_figures;
    struct arena *mem;
    struct err *err;
    bool ok;
};

static struct where place(const struct reader *r, const config_setting_t *s)
{
    return AT_LINE(r->file, s ? (int)config_setting_source_line(s) : 0);
}

static void check_keys(struct reader *r, const config_setting_t *group, const char *const *legal,
                       size_t n)
{
    for (int i = 0; i < config_setting_length(group); i++) {
        const config_setting_t *s = config_setting_get_elem(group, (unsigned)i);
        const char *name = config_setting_name(s);
        size_t k = 0;
        while (k < n && strcmp(legal[k], name) != 0)
            k++;
        if (k == n)
            r->ok = err_add(r->err, ERR_INPUT, place(r, s), "unknown key '%s'%s", name,
                            near_hint(name, legal, n, r->mem));
    }
}

static const char *text_of(struct reader *r, const config_setting_t *group, const char *key,
                           bool must)
{
    const config_setting_t *s = config_setting_get_member(group, key);
    if (s && config_setting_type(s) == CONFIG_TYPE_STRING)
        return arena_strdup(r->mem, config_setting_get_string(s));
    if (s)
        r->ok = err_add(r->err, ERR_INPUT, place(r, s), "'%s': expected a text, found %s", key,
                        setting_type_name(s));
    else if (must)
        r->ok = err_add(r->err, ERR_INPUT, place(r, group), "'%s' is missing", key);
    return "";
}

/* NAN where it is not said; what must be above 0 is said so. */
static double number_of(struct reader *r, const config_setting_t *group, const char *key,
                        bool above_0)
{
    const config_setting_t *s = config_setting_get_member(group, key);
    if (!s)
        return NAN;
    double v = setting_is_number(s) ? setting_number(s) : NAN;
    if (!isfinite(v))
        r->ok = err_add(r->err, ERR_INPUT, place(r, s), "'%s': expected a number, found %s", key,
                        setting_type_name(s));
    else if (above_0 && v <= 0)
        r->ok = err_add(r->err, ERR_INPUT, place(r, s), "'%s': %g is not above 0", key, v);
    return v;
}

static void read_sources(struct reader *r, const config_setting_t *root, struct silicon_card *out)
{
    const config_setting_t *g = config_setting_get_member(root, "sources");
    if (!g)
        return;
    if (!config_setting_is_group(g)) {
        r->ok = err_add(r->err, ERR_INPUT, place(r, g), "'sources': expected a group, found %s",
                        setting_type_name(g));
        return;
    }
    size_t n = (size_t)config_setting_length(g);
    struct silicon_source *all = arena_many(r->mem, struct silicon_source, n);
    for (size_t i = 0; i < n; i++) {
        const char *name = config_setting_name(config_setting_get_elem(g, (unsigned)i));
        all[i].name = arena_strdup(r->mem, name);
        all[i].text = text_of(r, g, name, true);
    }
    out->sources = all;
    out->n_sources = n;
}

static void check_fact(struct reader *r, const struct silicon_card *card,
                       const struct silicon_fact *f, const config_setting_t *g)
{
    size_t k = 0;
    while (k < r->n_figures && strcmp(r->figures[k], f->figure) != 0)
        k++;
    if (f->figure[0] && k == r->n_figures)
        r->ok = err_add(r->err, ERR_INPUT, f->at, "there is no figure '%s'%s", f->figure,
                        near_hint(f->figure, r->figures, r->n_figures, r->mem));
    for (size_t i = 0; i < card->n_facts; i++)
        if (f->figure[0] && strcmp(card->facts[i].figure, f->figure) == 0)
            r->ok = err_add(r->err, ERR_INPUT, f->at, "'%s' was said before, on line %d", f->figure,
                            card->facts[i].at.line);
    if (isnan(f->value) && (isnan(f->low) || isnan(f->high)))
        r->ok = err_add(r->err, ERR_INPUT, place(r, g), "'value' is missing, or 'low' and 'high'");
    if (f->low > f->high)
        r->ok = err_add(r->err, ERR_INPUT, place(r, g), "low %g is above high %g", f->low, f->high);
    if (!isnan(f->factor) && f->factor < 1)
        r->ok =
            err_add(r->err, ERR_INPUT, place(r, g), "'factor': %g is not at least 1", f->factor);
    if (isnan(f->value) && !(isnan(f->tolerance) && isnan(f->percent) && isnan(f->factor)))
        r->ok = err_add(r->err, ERR_INPUT, place(r, g),
                        "a range without a value is judged by itself and takes no tolerance");
    if (f->grade[0] && (f->grade[1] || !strchr("ABCD", f->grade[0])))
        r->ok =
            err_add(r->err, ERR_INPUT, place(r, g), "'grade': '%s' is not A, B, C or D", f->grade);
    size_t s = 0;
    while (s < card->n_sources && strcmp(card->sources[s].name, f->source) != 0)
        s++;
    if (f->source[0] && s == card->n_sources)
        r->ok = err_add(r->err, ERR_INPUT, place(r, g), "'source': '%s' is not among 'sources'",
                        f->source);
}

static void read_facts(struct reader *r, const config_setting_t *root, struct silicon_card *out)
{
    static const char *const legal[] = {"figure",  "value",  "low",    "high",  "tolerance",
                                        "percent", "factor", "source", "grade", "remark"};
    const config_setting_t *list = config_setting_get_member(root, "facts");
    if (!list || !config_setting_is_list(list)) {
        r->ok = err_add(r->err, ERR_INPUT, place(r, list ? list : root),
                        "'facts' is a list of groups: ( { … }, … )");
        return;
    }
    size_t n = (size_t)config_setting_length(list);
    struct silicon_fact *facts = arena_many(r->mem, struct silicon_fact, n);
    out->facts = facts;
    for (size_t i = 0; i < n; i++) {
        const config_setting_t *g = config_setting_get_elem(list, (unsigned)i);
        if (!config_setting_is_group(g)) {
            r->ok = err_add(r->err, ERR_INPUT, place(r, g), "expected a group, found %s",
                            setting_type_name(g));
            continue;
        }
        check_keys(r, g, legal, sizeof legal / sizeof *legal);
        const config_setting_t *name = config_setting_get_member(g, "figure");
        const struct silicon_fact f = {
            .figure = text_of(r, g, "figure", true),
            .value = number_of(r, g, "value", true),
            .low = number_of(r, g, "low", false),
            .high = number_of(r, g, "high", false),
            .tolerance = number_of(r, g, "tolerance", true),
            .percent = number_of(r, g, "percent", true),
            .factor = number_of(r, g, "factor", true),
            .source = text_of(r, g, "source", true),
            .grade = text_of(r, g, "grade", true),
            .remark = text_of(r, g, "remark", false),
            .at = place(r, name ? name : g),
        };
        check_fact(r, out, &f, g);
        facts[out->n_facts++] = f;
    }
}

bool silicon_facts_read(const char *file, const char *text, const char *const *figures, size_t n,
                        struct arena *mem, struct silicon_card *out, struct err *err)
{
    static const char *const legal[] = {"card", "core_clock_ghz", "sources", "facts"};
    struct reader r = {file, figures, n, mem, err, true};
    config_t cfg;
    *out = (struct silicon_card){.file = file};
    bool ok = text ? setting_parse(file, text, mem, &cfg, err) : setting_read(file, mem, &cfg, err);
    if (ok) {
        const config_setting_t *root = config_root_setting(&cfg);
        check_keys(&r, root, legal, sizeof legal / sizeof *legal);
        out->title = text_of(&r, root, "card", true);
        out->core_clock_ghz = number_of(&r, root, "core_clock_ghz", true);
        read_sources(&r, root, out);
        read_facts(&r, root, out);
    }
    config_destroy(&cfg);
    return ok && r.ok;
}

const struct silicon_fact *silicon_fact(const struct silicon_card *card, const char *figure)
{
    for (size_t i = 0; card && i < card->n_facts; i++)
        if (strcmp(card->facts[i].figure, figure) == 0)
            return &card->facts[i];
    return NULL;
}

enum silicon_verdict silicon_judge(const struct silicon_fact *f, double ours)
{
    if (!f || !isfinite(ours))
        return SILICON_NONE;
    if (isnan(f->value))
        return ours >= f->low && ours <= f->high ? SILICON_WITHIN : SILICON_OFF;
    if (isnan(f->tolerance) && isnan(f->percent) && isnan(f->factor))
        return SILICON_SHOWN;
    double off = fabs(ours - f->value), room = 1 + 1e-9; /* 10 % of 30 is 3 */
    bool within = (!isnan(f->tolerance) && off <= f->tolerance * room) ||
                  (!isnan(f->percent) && off <= f->percent / 100 * f->value * room) ||
                  (!isnan(f->factor) && ours <= f->value * f->factor * room &&
                   ours * f->factor * room >= f->value);
    return within ? SILICON_WITHIN : SILICON_OFF;
}
