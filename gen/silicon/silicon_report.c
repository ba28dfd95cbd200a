/* SPDX-License-Identifier: MIT */
#include "gen/silicon/silicon_report.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/table.h"

#define SAME_CLOCK                                                                                 \
    0.02 /* share of the clock by which a card may run otherwise and its watts count */

static const char *const verdicts[] = {[SILICON_NONE] = "-",
                                       [SILICON_SHOWN] = "shown",
                                       [SILICON_WITHIN] = "ok",
                                       [SILICON_OFF] = "off"};

static bool is_price(const struct silicon_figure *f)
{
    return strcmp(f->unit, "W") == 0 || strcmp(f->unit, "mm2") == 0 ||
           strncmp(f->unit, "pJ", 2) == 0;
}

void silicon_report_make(const struct silicon_run *run, const struct silicon_card *card,
                         bool is_measured, const bool *wanted, const char *assumptions,
                         struct arena *mem, struct silicon_report *out)
{
    double ghz = run->setup->arch->gpu.core_ghz;
    bool other_clock = is_measured && !isnan(card->core_clock_ghz) &&
                       fabs(ghz / card->core_clock_ghz - 1) > SAME_CLOCK;
    *out = (struct silicon_report){.config = run->setup->arch->file,
                                   .card = card,
                                   .is_measured = is_measured,
                                   .clock_note = "",
                                   .assumptions = "",
                                   .run = run};
    out->rows = arena_many(mem, struct silicon_row, n_silicon_figures);
    for (size_t i = 0; i < n_silicon_figures; i++) {
        const struct silicon_figure *f = &silicon_figures[i];
        if (wanted && !wanted[i])
            continue;
        struct silicon_row r = {
            .figure = f, .fact = silicon_fact(card, f->id), .ours = silicon_value(run, f)};
        r.ratio = r.fact ? r.ours / r.fact->value : NAN;
        r.verdict = silicon_judge(r.fact, r.ours);
        if (f->is_power && other_clock && r.verdict != SILICON_NONE)
            r.verdict = SILICON_SHOWN;
        out->n_judged += r.verdict == SILICON_WITHIN || r.verdict == SILICON_OFF;
        out->n_within += r.verdict == SILICON_WITHIN;
        out->rows[out->n_rows++] = r;
    }
    for (size_t i = 0; i < out->n_rows; i++)
        if (is_price(out->rows[i].figure))
            out->assumptions = assumptions;
    if (other_clock)
        out->clock_note = arena_printf(
            mem, "watts are not judged: measured at %.3f GHz, this machine has %.3f GHz",
            card->core_clock_ghz, ghz);
}

/* ---- words ----------------------------------------------------------------------------------- */

static const char *number(double v, int decimals, struct arena *mem)
{
    return isfinite(v) ? arena_printf(mem, "%.*f", decimals, v) : "-";
}

/* As few digits as the file has. */
static const char *short_number(double v, struct arena *mem)
{
    return arena_printf(mem, "%.6g", v);
}

static const char *silicon_text(const struct silicon_row *r, struct arena *mem)
{
    const struct silicon_fact *f = r->fact;
    if (!f)
        return "-";
    const char *range =
        isnan(f->low) || isnan(f->high)
            ? ""
            : arena_printf(mem, "%s to %s", short_number(f->low, mem), short_number(f->high, mem));
    if (isnan(f->value))
        return range;
    const char *value = short_number(f->value, mem);
    return range[0] ? arena_printf(mem, "%s (%s)", value, range) : value;
}

static const char *tolerance_text(const struct silicon_fact *f, const char *unit, struct arena *mem)
{
    struct buf b;
    if (!f)
        return "-";
    buf_init(&b, mem, 256);
    if (isnan(f->value))
        buf_add(&b, "range");
    if (!isnan(f->tolerance))
        buf_printf(&b, "%s%s%s", short_number(f->tolerance, mem), unit[0] ? " " : "", unit);
    if (!isnan(f->percent))
        buf_printf(&b, "%s%s %%", b.len ? " or " : "", short_number(f->percent, mem));
    if (!isnan(f->factor))
        buf_printf(&b, "%s%s x", b.len ? " or " : "", short_number(f->factor, mem));
    return b.len ? b.data : "-";
}

static void add_head(const struct silicon_report *r, const char *between, struct buf *out)
{
    if (r->is_measured)
        buf_printf(out, "%s beside %s: %zu of %zu figures within tolerance\n", r->config,
                   r->card->title, r->n_within, r->n_judged);
    else
        buf_printf(out, "%s, of which no card is known: %zu of %zu figures plausible (%s)\n",
                   r->config, r->n_within, r->n_judged, r->card->title);
    if (r->assumptions[0])
        buf_printf(out, "%sassumes %s\n", between, r->assumptions);
    if (r->clock_note[0])
        buf_printf(out, "%s\n", r->clock_note);
}

/* Why a figure is off, where the facts say it; microbenchmarks that failed. */
static void add_foot(const struct silicon_report *r, const char *bullet, struct buf *out)
{
    for (size_t i = 0; i < r->n_rows; i++) {
        const struct silicon_row *row = &r->rows[i];
        if (row->verdict == SILICON_OFF && row->fact->remark[0])
            buf_printf(out, "%s%s: %s\n", bullet, row->figure->id, row->fact->remark);
    }
    for (size_t i = 0; i < r->run->n_benches; i++)
        if (r->run->benches[i].error)
            buf_printf(out, "%s%s failed: %s\n", bullet, r->run->benches[i].name,
                       r->run->benches[i].error);
}

static struct table *make_table(const struct silicon_report *r, bool for_people, struct arena *mem)
{
    static const struct table_column columns[] = {
        {"figure", "", -1},  {"unit", "", -1}, {"silicon", "", -1}, {"source", "", -1},
        {"grade", "", -1},   {"ours", "", -1}, {"ratio", "", 3},    {"tolerance", "", -1},
        {"verdict", "", -1}, {"key", "", -1},  {"what", "", -1}};
    struct table *t = table_new(mem, columns, sizeof columns / sizeof *columns);
    const char *part = NULL;
    for (size_t i = 0; i < r->n_rows; i++) {
        const struct silicon_row *row = &r->rows[i];
        const struct silicon_figure *f = row->figure;
        if (for_people && part && strcmp(part, f->part) != 0)
            table_rule(t);
        part = f->part;
        table_row(t);
        table_text(t, f->id);
        table_text(t, f->unit[0] ? f->unit : "-");
        table_text(t, silicon_text(row, mem));
        table_text(t, row->fact ? row->fact->source : "-");
        table_text(t, row->fact ? row->fact->grade : "-");
        table_text(t, number(row->ours, f->decimals, mem));
        table_num(t, row->ratio);
        table_text(t, tolerance_text(row->fact, f->unit, mem));
        table_text(t, verdicts[row->verdict]);
        table_text(t, f->key);
        table_text(t, f->text);
    }
    return t;
}

void silicon_report_text(const struct silicon_report *r, struct arena *mem, struct buf *out)
{
    add_head(r, "", out);
    buf_putc(out, '\n');
    table_write_text(make_table(r, true, mem), out);
    buf_putc(out, '\n');
    add_foot(r, "", out);
}

void silicon_report_csv(const struct silicon_report *r, struct arena *mem, struct buf *out)
{
    table_write_csv(make_table(r, false, mem), out);
}

void silicon_report_markdown(const struct silicon_report *r, struct arena *mem, struct buf *out)
{
    const char *part = NULL;
    add_head(r, "\n", out);
    for (size_t i = 0; i < r->n_rows; i++) {
        const struct silicon_row *row = &r->rows[i];
        const struct silicon_figure *f = row->figure;
        if (!part || strcmp(part, f->part) != 0)
            buf_printf(out,
                       "\n| %s | unit | silicon | source, grade | ours | ratio | tolerance | "
                       "verdict | key |\n| --- | --- | ---: | --- | ---: | ---: | --- | --- | --- "
                       "|\n",
                       f->part);
        part = f->part;
        buf_printf(out, "| %s | %s | %s | %s%s%s | %s | %s | %s | %s | `%s` |\n", f->text, f->unit,
                   silicon_text(row, mem), row->fact ? row->fact->source : "",
                   row->fact ? ", " : "", row->fact ? row->fact->grade : "",
                   number(row->ours, f->decimals, mem),
                   isfinite(row->ratio) ? number(row->ratio, 2, mem) : "",
                   tolerance_text(row->fact, f->unit, mem), verdicts[row->verdict], f->key);
    }
    buf_putc(out, '\n');
    add_foot(r, "- ", out);
    buf_add(out, "\nSources:");
    for (size_t i = 0; i < r->card->n_sources; i++)
        buf_printf(out, "%s *%s*: %s", i ? ";" : "", r->card->sources[i].name,
                   r->card->sources[i].text);
    buf_add(out, ".\n");
}

json_t *silicon_report_json(const struct silicon_report *r)
{
    json_t *o = json_object(), *rows = json_array(), *failed = json_object();
    for (size_t i = 0; i < r->n_rows; i++) {
        const struct silicon_row *row = &r->rows[i];
        const struct silicon_fact *f = row->fact;
        json_t *j = json_object();
        json_object_set_new(j, "figure", json_string(row->figure->id));
        json_object_set_new(j, "what", json_string(row->figure->text));
        json_object_set_new(j, "unit", json_string(row->figure->unit));
        json_object_set_new(j, "ours", json_num(row->ours));
        json_object_set_new(j, "key", json_string(row->figure->key));
        json_object_set_new(j, "verdict", json_string(verdicts[row->verdict]));
        if (f) {
            const double numbers[] = {f->value, f->low, f->high, row->ratio};
            static const char *const names[] = {"silicon", "low", "high", "ratio"};
            for (int k = 0; k < 4; k++)
                if (isfinite(numbers[k]))
                    json_object_set_new(j, names[k], json_real(numbers[k]));
            json_object_set_new(j, "source", json_text(f->source));
            json_object_set_new(j, "grade", json_text(f->grade));
        }
        json_array_append_new(rows, j);
    }
    for (size_t i = 0; i < r->run->n_benches; i++)
        if (r->run->benches[i].error)
            json_object_set_new(failed, r->run->benches[i].name,
                                json_text(r->run->benches[i].error));
    json_object_set_new(o, "config", json_text(r->config));
    json_object_set_new(o, "card", json_text(r->card->title));
    json_object_set_new(o, "is_measured", json_boolean(r->is_measured));
    if (r->assumptions[0])
        json_object_set_new(o, "assumptions", json_text(r->assumptions));
    json_object_set_new(o, "within", json_integer((json_int_t)r->n_within));
    json_object_set_new(o, "judged", json_integer((json_int_t)r->n_judged));
    json_object_set_new(o, "figures", rows);
    json_object_set_new(o, "failed", failed);
    return o;
}
