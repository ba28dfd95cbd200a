/* SPDX-License-Identifier: MIT */
#include "sim/study/trace_info.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/table.h"
#include "sim/study/dataflow.h"
#include "sim/study/line_table.h"

static const uint32_t windows[TRACE_N_WINDOWS] = {
#define X(n) [TRACE_WINDOW_##n] = n,
    TRACE_WINDOWS(X)
#undef X
};

/* ---- lines that were met --------------------------------------------------------------------- */

struct seen {
    uint64_t line;  /* number + 1; 0: empty */
    uint64_t words; /* of the present launch: bit set, in 64ths of a line or words */
    uint32_t launch, cta;
    uint8_t warp;
    bool read, written, last_was_write;
    uint64_t allocated[TRACE_N_WINDOWS]; /* when it entered each window; 0: never */
};

/* ---- one access ------------------------------------------------------------------------------ */

struct walk {
    struct trace_info *info;
    struct line_table lines;    /* of struct seen */
    uint32_t shift, word_shift; /* line and word of an address */
    uint32_t launch, cta, warp;
    struct dataflow *flow;
    uint64_t allocations[TRACE_N_WINDOWS];
    uint64_t accesses[TRACE_N_WINDOWS]; /* that remain after merging */
    uint64_t requests;
};

/* The lines of one instruction, with the words touched in each. */
struct touched {
    uint64_t line[2 * TRACE_LANES], words[2 * TRACE_LANES];
    uint32_t n;
};

static void touch(struct touched *t, uint64_t line, uint64_t word)
{
    uint32_t i = t->n;
    /* neighbours most often share a line: look at the latest first */
    while (i > 0 && t->line[i - 1] != line)
        i--;
    if (i == 0) {
        t->line[t->n] = line;
        t->words[t->n] = 0;
        i = ++t->n;
    }
    t->words[i - 1] |= (uint64_t)1 << word;
}

static void find_touched(const struct walk *w, const uint64_t *addresses, uint32_t n,
                         uint32_t bytes, struct touched *t)
{
    uint64_t in_line = ((uint64_t)1 << w->shift) - 1;
    t->n = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t first = addresses[i], last = first + (bytes ? bytes - 1 : 0);
        touch(t, first >> w->shift, (first & in_line) >> w->word_shift);
        /* an access may straddle lines where the trace is of unaligned addresses */
        if (last >> w->shift != first >> w->shift)
            touch(t, last >> w->shift, 0);
    }
}

static void count_reuse(struct walk *w, const struct seen *s, bool is_load, uint64_t words,
                        bool by_data)
{
    struct trace_info *f = w->info;
    if (s->launch != w->launch)
        return;
    if (s->cta != w->cta) {
        f->reuse_other++;
        f->shared_words += (s->words & words) != 0;
        f->after_write += is_load && s->last_was_write && (s->words & words) != 0;
        f->irregular += is_load && by_data;
    } else if (s->warp != w->warp) {
        f->reuse_cta++;
    } else {
        f->reuse_warp++;
    }
}

/* A window keeps the lines of the latest accesses; the oldest goes when a new one comes. */
static void merge(struct walk *w, struct seen *s)
{
    w->requests++;
    for (int i = 0; i < TRACE_N_WINDOWS; i++) {
        if (s->allocated[i] && w->allocations[i] - s->allocated[i] < windows[i])
            continue;
        w->accesses[i]++;
        s->allocated[i] = ++w->allocations[i];
    }
}

static bool visit(struct walk *w, const struct touched *t, bool is_load, bool is_store,
                  bool by_data)
{
    for (uint32_t i = 0; i < t->n; i++) {
        uint64_t before = w->lines.n;
        struct seen *s = line_table_at(&w->lines, t->line[i]);
        if (!s)
            return false;
        if (w->lines.n == before)
            count_reuse(w, s, is_load, t->words[i], by_data);
        if (is_load)
            merge(w, s);
        s->words = s->launch == w->launch ? s->words | t->words[i] : t->words[i];
        s->launch = w->launch;
        s->cta = w->cta;
        s->warp = (uint8_t)w->warp;
        s->read |= is_load || !is_store;
        s->written |= !is_load;
        s->last_was_write = !is_load;
    }
    return true;
}

static bool global_access(struct walk *w, const struct trace_static *s, const uint64_t *addresses,
                          uint32_t n, bool by_data)
{
    struct trace_info *f = w->info;
    struct touched t;
    find_touched(w, addresses, n, s->access_bytes, &t);
    bool is_load = s->cls == TC_LOAD, is_store = s->cls == TC_STORE;
    if (is_load) {
        f->load_lines += t.n;
        f->lanes_loading += n;
    } else if (is_store) {
        f->store_lines += t.n;
    } else {
        f->atomic_lines += t.n;
    }
    return visit(w, &t, is_load, is_store, by_data);
}

/* Textures are reused as other lines are; how their lanes fall into lines is the sampler's. */
static bool texture_access(struct walk *w, const struct trace_static *s, const uint64_t *addresses,
                           uint32_t n, bool by_data)
{
    struct touched t;
    find_touched(w, addresses, n, s->access_bytes, &t);
    return visit(w, &t, true, false, by_data);
}

/* ---- the walk -------------------------------------------------------------------------------- */

static bool one_inst(struct walk *w, const struct trace_kernel *k, const struct trace_cta *cta,
                     const struct trace_inst *in)
{
    struct trace_info *f = w->info;
    const struct trace_static *s = &k->statics[in->stat];
    const uint64_t *addresses = cta->addresses + in->first_address;
    bool by_data = dataflow_step(w->flow, w->warp, s, in) != 0;
    f->warp_insts++;
    f->thread_insts += (uint32_t)__builtin_popcount(in->mask);
    f->by_class[s->cls]++;
    if (!trace_is_memory(s) || s->cls == TC_PREFETCH)
        return true;
    if (s->cls == TC_LOAD)
        f->loads[s->space]++;
    else if (s->cls == TC_STORE)
        f->stores[s->space]++;
    else
        f->atomics[s->space]++;
    if (in->n_addresses == 0)
        return true;
    if (s->space == TS_TEXTURE && s->cls == TC_LOAD)
        return texture_access(w, s, addresses, in->n_addresses, by_data);
    if (s->space != TS_GLOBAL)
        return true;
    return global_access(w, s, addresses, in->n_addresses, by_data);
}

/* One instruction of each warp in turn. */
static bool walk_cta(struct walk *w, const struct trace_kernel *k, const struct trace_cta *cta)
{
    bool more = true;
    dataflow_begin_cta(w->flow, cta->n_warps);
    for (uint32_t i = 0; more; i++) {
        more = false;
        for (w->warp = 0; w->warp < cta->n_warps; w->warp++) {
            const struct trace_warp *warp = &cta->warps[w->warp];
            if (i >= warp->n_insts)
                continue;
            more = true;
            if (warp->insts[i].stat < k->n_statics && !one_inst(w, k, cta, &warp->insts[i]))
                return false;
        }
    }
    return true;
}

/* The classes of Li et al. 2017, by what the reuse between CTAs consists of. The shares are ours:
 * the paper classifies by runs on hardware. */
static enum trace_locality classify(const struct trace_info *f)
{
    uint64_t accesses = f->load_lines + f->store_lines + f->atomic_lines;
    if (f->reuse_other * 20 < accesses)
        return TL_STREAM;
    if (f->after_write * 2 > f->reuse_other)
        return TL_WRITE;
    if (f->irregular * 2 > f->reuse_other)
        return TL_DATA;
    return f->shared_words * 2 > f->reuse_other ? TL_ALGORITHM : TL_LINE;
}

bool trace_info_make(const struct trace_source *source, uint32_t line_bytes, struct arena *mem,
                     struct trace_info *out, struct err *err)
{
    struct trace_info info = {.line_bytes = line_bytes, .kernels = source->n_kernels};
    struct walk w = {.info = &info,
                     .shift = (uint32_t)__builtin_ctz(line_bytes),
                     .flow = arena_new(mem, struct dataflow),
                     .lines.entry_bytes = sizeof(struct seen)};
    w.word_shift = w.shift > 8 ? w.shift - 6 : 2;
    bool ok = true;
    for (uint32_t k = 0; k < source->n_kernels && ok; k++) {
        w.launch = k + 1;
        w.flow->in_shared = w.flow->in_local = false;
        for (w.cta = 0; w.cta < source->kernels[k].n_ctas && ok; w.cta++) {
            struct trace_cta cta;
            if (!source->load_cta(source, k, w.cta, &cta, err)) {
                line_table_end(&w.lines);
                return false;
            }
            info.ctas++;
            ok = walk_cta(&w, &source->kernels[k], &cta);
            source->free_cta(source, &cta);
        }
    }
    const struct seen *seen = w.lines.slots;
    for (uint64_t i = 0; i < w.lines.n_slots; i++) {
        info.read_lines += seen[i].line && seen[i].read;
        info.written_lines += seen[i].line && seen[i].written;
    }
    info.footprint_lines = w.lines.n;
    for (int i = 0; i < TRACE_N_WINDOWS; i++)
        info.merged[i] = w.accesses[i] ? (double)w.requests / (double)w.accesses[i] : 1;
    info.locality = classify(&info);
    line_table_end(&w.lines);
    if (!ok)
        return err_add(err, ERR_MACHINE, AT_FILE(source->file), "no memory to count its lines");
    *out = info;
    return true;
}

/* ---- telling it ------------------------------------------------------------------------------ */

static const struct {
    const char *name, *meaning;
} localities[TL_COUNT] = {
#define X(id, name, meaning) [TL_##id] = {name, meaning},
    TRACE_LOCALITIES(X)
#undef X
};

static double share(uint64_t part, uint64_t all)
{
    return all ? (double)part / (double)all : 0;
}

static uint64_t all_reuse(const struct trace_info *f)
{
    return f->reuse_warp + f->reuse_cta + f->reuse_other;
}

/* Name in JSON, unit, what it is, value: one list for both forms. */
struct row {
    const char *name, *unit, *meaning;
    double value;
};

#define MAX_ROWS 32

static size_t make_rows(const struct trace_info *f, struct row rows[MAX_ROWS])
{
    uint64_t reuse = all_reuse(f), loads = f->loads[TS_GLOBAL], stores = f->stores[TS_GLOBAL];
    size_t n = 0;
#define ROW(...) rows[n++] = (struct row){__VA_ARGS__}
    ROW("kernels", "", "launches", (double)f->kernels);
    ROW("ctas", "", "CTAs of all launches", (double)f->ctas);
    ROW("warp_insts", "", "warp instructions", (double)f->warp_insts);
    ROW("thread_insts", "", "thread instructions", (double)f->thread_insts);
    ROW("active_lanes", "", "mean active lanes of a warp instruction",
        share(f->thread_insts, f->warp_insts));
    ROW("global_loads", "", "warp loads from global memory", (double)loads);
    ROW("global_stores", "", "warp stores to global memory", (double)stores);
    ROW("global_atomics", "", "warp atomics on global memory", (double)f->atomics[TS_GLOBAL]);
    ROW("shared_accesses", "", "warp accesses of shared memory",
        (double)(f->loads[TS_SHARED] + f->stores[TS_SHARED] + f->atomics[TS_SHARED]));
    ROW("lines_per_load", "", "lines touched by a global load, mean", share(f->load_lines, loads));
    ROW("lines_per_store", "", "lines touched by a global store, mean",
        share(f->store_lines, stores));
    ROW("footprint", "B", "global lines touched", (double)f->footprint_lines * f->line_bytes);
    ROW("read_footprint", "B", "of these, read", (double)f->read_lines * f->line_bytes);
    ROW("written_footprint", "B", "of these, written", (double)f->written_lines * f->line_bytes);
    ROW("read_share", "", "lines read of all lines accessed",
        share(f->load_lines, f->load_lines + f->store_lines + f->atomic_lines));
    ROW("reuse", "", "line accesses that met a line accessed before in the launch", (double)reuse);
    ROW("reuse_same_warp", "", "share of reuse: last accessed by the same warp",
        share(f->reuse_warp, reuse));
    ROW("reuse_same_cta", "", "share of reuse: by another warp of the CTA",
        share(f->reuse_cta, reuse));
    ROW("reuse_other_cta", "", "share of reuse: by another CTA", share(f->reuse_other, reuse));
    ROW("reuse_other_words", "", "share of that: a word accessed before, not only its line",
        share(f->shared_words, f->reuse_other));
    ROW("reuse_other_written", "", "share of that: a load of what another CTA wrote",
        share(f->after_write, f->reuse_other));
    ROW("reuse_other_irregular", "", "share of that: by loads that go where data says",
        share(f->irregular, f->reuse_other));
#undef ROW
    return n;
}

json_t *trace_info_json(const struct trace_source *source, const struct trace_info *info)
{
    struct row rows[MAX_ROWS];
    size_t n = make_rows(info, rows);
    json_t *j = json_object(), *mix = json_object(), *merged = json_array(),
           *kernels = json_array();
    json_object_set_new(j, "workload", json_string(source->name));
    json_object_set_new(j, "line_bytes", json_integer(info->line_bytes));
    for (size_t i = 0; i < n; i++)
        json_object_set_new(j, rows[i].name, json_num(rows[i].value));
    for (int c = 0; c < TC_COUNT; c++)
        if (info->by_class[c])
            json_object_set_new(mix, trace_class_name((enum trace_class)c),
                                json_integer((json_int_t)info->by_class[c]));
    json_object_set_new(j, "mix", mix);
    for (int i = 0; i < TRACE_N_WINDOWS; i++)
        json_array_append_new(merged, json_pack("{s:i, s:f}", "window", (int)windows[i],
                                                "loads_per_access", info->merged[i]));
    json_object_set_new(j, "ideal_merging", merged);
    json_object_set_new(j, "locality", json_string(localities[info->locality].name));
    for (uint32_t i = 0; i < source->n_kernels; i++) {
        const struct trace_kernel *k = &source->kernels[i];
        json_array_append_new(
            kernels,
            json_pack("{s:s, s:[iii], s:[iii], s:i, s:b, s:i, s:I, s:I}", "name", k->name, "grid",
                      (int)k->grid.x, (int)k->grid.y, (int)k->grid.z, "block", (int)k->block.x,
                      (int)k->block.y, (int)k->block.z, "registers", (int)k->regs_per_thread,
                      "registers_estimated", k->regs_estimated, "shared_bytes",
                      (int)k->shared_bytes, "warp_insts", (json_int_t)k->n_warp_insts,
                      "thread_insts", (json_int_t)k->n_thread_insts));
    }
    json_object_set_new(j, "launches", kernels);
    return j;
}

/* Launches of the same kernel in one row. */
static void add_kernels(const struct trace_source *source, struct buf *out)
{
    static const struct table_column columns[] = {
        {"kernel", "", 0},    {"launches", "", -2}, {"first grid", "", 0},        {"block", "", 0},
        {"registers", "", 0}, {"shared", "B", -2},  {"warp instructions", "", -2}};
    struct table *t = table_new(out->mem, columns, sizeof columns / sizeof *columns);
    for (uint32_t i = 0; i < source->n_kernels; i++) {
        const struct trace_kernel *k = &source->kernels[i];
        uint64_t insts = 0;
        uint32_t n = 0;
        bool first = true;
        for (uint32_t j = 0; j < source->n_kernels; j++)
            if (strcmp(source->kernels[j].name, k->name) == 0) {
                first = first && j >= i;
                insts += source->kernels[j].n_warp_insts;
                n++;
            }
        if (!first)
            continue;
        table_row(t);
        table_text(t, k->name);
        table_num(t, n);
        table_text(t, arena_printf(out->mem, "%u x %u x %u", k->grid.x, k->grid.y, k->grid.z));
        table_text(t, arena_printf(out->mem, "%u x %u x %u", k->block.x, k->block.y, k->block.z));
        table_text(t, arena_printf(out->mem, "%u%s", k->regs_per_thread,
                                   k->regs_estimated ? " (estimated)" : ""));
        table_num(t, k->shared_bytes);
        table_num(t, (double)insts);
    }
    table_write_text(t, out);
}

void trace_info_text(const struct trace_source *source, const struct trace_info *info,
                     struct buf *out)
{
    static const struct table_column columns[] = {
        {"statistic", "", 0}, {"value", "", -1}, {"unit", "", 0}, {"meaning", "", 0}};
    struct row rows[MAX_ROWS];
    size_t n = make_rows(info, rows);
    buf_printf(out, "%s (%s), lines of %u bytes\n\n", source->name, source->file, info->line_bytes);
    add_kernels(source, out);
    buf_add(out, "\ninstruction mix\n");
    for (int c = 0; c < TC_COUNT; c++)
        if (info->by_class[c])
            buf_printf(out, "  %-8s %6.2f %%\n", trace_class_name((enum trace_class)c),
                       100 * share(info->by_class[c], info->warp_insts));
    buf_add(out, "\n");
    struct table *t = table_new(out->mem, columns, 4);
    for (size_t i = 0; i < n; i++) {
        table_row(t);
        table_text(t, rows[i].name);
        struct buf v;
        buf_init(&v, out->mem, 64);
        if (rows[i].value == (double)(int64_t)rows[i].value)
            buf_printf(&v, "%.0f", rows[i].value);
        else
            buf_printf(&v, "%.4f", rows[i].value);
        table_text(t, v.data);
        table_text(t, rows[i].unit);
        table_text(t, rows[i].meaning);
    }
    table_write_text(t, out);
    buf_add(out, "\nideal merging of loads between warps: loads per L1 access\n");
    for (int i = 0; i < TRACE_N_WINDOWS; i++)
        buf_printf(out, "  window of %3u lines  %.3f\n", windows[i], info->merged[i]);
    buf_printf(out, "\nlocality class: %s (%s)\n", localities[info->locality].name,
               localities[info->locality].meaning);
}

void trace_info_brief(const struct trace_source *source, const struct trace_info *info,
                      struct buf *out)
{
    uint64_t reuse = info->reuse_warp + info->reuse_cta + info->reuse_other;
    buf_printf(out, "%s (%s): %llu launches, %llu CTAs, %llu warp instructions of %.1f lanes\n",
               source->name, source->file, (unsigned long long)info->kernels,
               (unsigned long long)info->ctas, (unsigned long long)info->warp_insts,
               share(info->thread_insts, info->warp_insts));
    buf_add(out, "mix:");
    const char *comma = "";
    for (int c = 0; c < TC_COUNT; c++)
        if (info->by_class[c]) {
            buf_printf(out, "%s %s %.1f %%", comma, trace_class_name((enum trace_class)c),
                       100 * share(info->by_class[c], info->warp_insts));
            comma = ",";
        }
    buf_printf(out,
               "\nglobal memory, lines of %u B: %llu loads of %.2f lines, %llu stores of %.2f, "
               "%llu atomics; %.1f KB touched, %.1f KB written\n",
               info->line_bytes, (unsigned long long)info->loads[TS_GLOBAL],
               share(info->load_lines, info->loads[TS_GLOBAL]),
               (unsigned long long)info->stores[TS_GLOBAL],
               share(info->store_lines, info->stores[TS_GLOBAL]),
               (unsigned long long)info->atomics[TS_GLOBAL],
               (double)info->footprint_lines * info->line_bytes / 1024,
               (double)info->written_lines * info->line_bytes / 1024);
    buf_printf(out,
               "reuse: %llu accesses of a line met before; last by the same warp %.1f %%, the same "
               "CTA %.1f %%, another CTA %.1f %%\n",
               (unsigned long long)reuse, 100 * share(info->reuse_warp, reuse),
               100 * share(info->reuse_cta, reuse), 100 * share(info->reuse_other, reuse));
    buf_printf(out,
               "ideal merging of loads between warps: %.2f loads per L1 access over 8 lines, "
               "%.2f over 128\n",
               info->merged[TRACE_WINDOW_8], info->merged[TRACE_WINDOW_128]);
    buf_printf(out, "locality class: %s (%s)\n", localities[info->locality].name,
               localities[info->locality].meaning);
}
