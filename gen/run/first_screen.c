/* SPDX-License-Identifier: MIT */
#include "gen/run/first_screen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/table.h"
#include "gen/price/assumptions.h"
#include "sim/gpu/busiest.h"

static double statistic(const struct first_screen *f, const char *name)
{
    return result_get(&f->outcome->result, name);
}

/* ---- what limits it -------------------------------------------------------------------------- */

struct share {
    const char *name;
    double share;
};

static int larger_first(const void *a, const void *b)
{
    const struct share *x = a, *y = b;
    if (x->share != y->share)
        return x->share < y->share ? 1 : -1;
    return strcmp(x->name, y->name);
}

enum { MOST_STALLS = 16 };

/* Shares of the scheduler cycles of busy SMs, the largest first. */
static size_t find_stalls(const struct first_screen *f, struct share out[MOST_STALLS])
{
    size_t n = 0;
    for (const struct stat_row *r = stat_rows; r->name && n < MOST_STALLS; r++) {
        double v = r->value(&f->outcome->totals);
        if (strncmp(r->name, "stall_", 6) == 0 && isfinite(v))
            out[n++] = (struct share){r->name + 6, v};
    }
    qsort(out, n, sizeof *out, larger_first);
    return n;
}

/* The largest part of all scheduler cycles of the machine: SMs without work count, too. */
static struct share largest_stall(const struct first_screen *f)
{
    struct share stalls[MOST_STALLS] = {{0}};
    size_t n = find_stalls(f, stalls);
    double active = statistic(f, "sm_active"), issue = statistic(f, "issue_rate");
    struct share best = {"idle SMs", isfinite(active) ? 1 - active : 0};
    if (n && stalls[0].share * active > best.share)
        best = (struct share){stalls[0].name, stalls[0].share * active};
    if (issue * active > best.share)
        best = (struct share){"issue", issue * active};
    return best;
}

static void add_stalls(const struct first_screen *f, struct buf *out)
{
    struct share stalls[MOST_STALLS] = {{0}}, top = largest_stall(f);
    size_t n = find_stalls(f, stalls);
    double active = statistic(f, "sm_active");
    if (!isfinite(active))
        return;
    bool is_idle = strcmp(top.name, "idle SMs") == 0, is_issue = strcmp(top.name, "issue") == 0;
    buf_printf(out, "limited by %s: SMs have work %.1f %% of the time; then schedulers issue %.1f",
               is_idle    ? "too little work"
               : is_issue ? "issue slots"
                          : top.name,
               100 * active, 100 * statistic(f, "issue_rate"));
    for (size_t i = 0; i < n && stalls[i].share > 5e-4; i++)
        buf_printf(out, "%s %s %.1f", i ? "," : ", wait for", stalls[i].name,
                   100 * stalls[i].share);
    buf_add(out, " %\n");
}

static void add_latency(const struct first_screen *f, struct buf *out)
{
    static const struct {
        const char *statistic, *name;
    } parts[] = {{"latency_queue", "SM and port"},
                 {"latency_request", "request network"},
                 {"latency_l2", "L2"},
                 {"latency_dram", "DRAM"},
                 {"latency_reply", "reply network"}};
    enum { N = sizeof parts / sizeof *parts };
    struct share s[N];
    double mean = statistic(f, "avg_mem_latency");
    if (!isfinite(mean))
        return;
    for (size_t i = 0; i < N; i++)
        s[i] = (struct share){parts[i].name, statistic(f, parts[i].statistic)};
    qsort(s, N, sizeof *s, larger_first);
    buf_printf(out, "an access that leaves the L1 takes %.0f cycles:", mean);
    for (size_t i = 0; i < N; i++)
        if (isfinite(s[i].share))
            buf_printf(out, "%s %s %.1f", i ? "," : "", s[i].name, s[i].share);
    buf_putc(out, '\n');
}

static const struct {
    const char *id, *part, *bound;
} limits[GPU_LIMITS] = {
    [LIMIT_REQUEST_LINK] = {"request_link", "request link", "a flit per network cycle"},
    [LIMIT_REPLY_LINK] = {"reply_link", "reply link", "a flit per network cycle"},
    [LIMIT_L2_SLICE] = {"l2_slice", "L2 slice", "a look into its tags per L2 cycle"},
    [LIMIT_DRAM] = {"dram_channel", "DRAM channel", "its data bus busy all the time"},
};

static const char *name_of(const struct first_screen *f, int limit, uint32_t index,
                           struct arena *mem)
{
    const struct noc *const *nets = f->setup->config.noc;
    struct buf b;
    if (limit != LIMIT_REQUEST_LINK && limit != LIMIT_REPLY_LINK)
        return arena_printf(mem, "%u", index);
    buf_init(&b, mem, 256);
    noc_name_channel(nets[limit == LIMIT_REPLY_LINK], index, &b);
    return b.data;
}

static void add_busiest(const struct first_screen *f, struct arena *mem, struct buf *out)
{
    static const struct table_column columns[] = {{"busiest", "", 0},
                                                  {"which", "", 0},
                                                  {"% of bound", "", 1},
                                                  {"mean of all", "", 1},
                                                  {"bound", "", 0}};
    struct gpu_busiest busiest[GPU_LIMITS];
    struct table *t = table_new(mem, columns, 5);
    gpu_find_busiest(f->outcome->gpu, busiest);
    for (int k = 0; k < GPU_LIMITS; k++) {
        if (!busiest[k].n)
            continue;
        table_row(t);
        table_text(t, limits[k].part);
        table_text(t, name_of(f, k, busiest[k].index, mem));
        table_num(t, 100 * busiest[k].share);
        table_num(t, 100 * busiest[k].mean);
        table_text(t, limits[k].bound);
    }
    table_write_text(t, out);
}

json_t *first_screen_limits(const struct first_screen *f, struct arena *mem)
{
    struct gpu_busiest busiest[GPU_LIMITS];
    struct share top = largest_stall(f);
    json_t *o = json_object(), *all = json_object();
    gpu_find_busiest(f->outcome->gpu, busiest);
    json_object_set_new(o, "largest_stall", json_string(top.name));
    json_object_set_new(o, "largest_stall_share", json_num(top.share));
    for (int k = 0; k < GPU_LIMITS; k++) {
        if (!busiest[k].n)
            continue;
        json_t *one = json_object();
        json_object_set_new(one, "name", json_text(name_of(f, k, busiest[k].index, mem)));
        json_object_set_new(one, "share_of_bound", json_num(busiest[k].share));
        json_object_set_new(one, "mean_share", json_num(busiest[k].mean));
        json_object_set_new(all, limits[k].id, one);
    }
    json_object_set_new(o, "busiest", all);
    return o;
}

/* ---- what it took ---------------------------------------------------------------------------- */

/* A screen has 24 lines; below the components stand four, around them four. */
enum { SCREEN = 24, NOT_COMPONENTS = 8 };

/* The steps between nodes leave more open of the watts than half a percent. */
static bool is_scaled(const struct first_screen *f)
{
    const struct run_energy *e = &f->outcome->energy;
    return e->high_w > 1.005 * e->low_w;
}

static uint32_t rows_left(const struct first_screen *f, const struct buf *out)
{
    uint32_t lines = is_scaled(f); /* a line below */
    for (size_t i = 0; i < out->len; i++)
        lines += out->data[i] == '\n';
    return lines + NOT_COMPONENTS + 3 < SCREEN ? SCREEN - NOT_COMPONENTS - lines : 3;
}

static int more_energy_first(const void *a, const void *b)
{
    const struct account_group *const *x = a, *const *y = b;
    if ((*x)->total_j != (*y)->total_j)
        return (*x)->total_j < (*y)->total_j ? 1 : -1;
    return strcmp((*x)->name, (*y)->name);
}

static void add_group(struct table *t, const struct first_screen *f, const char *name, double j,
                      double leakage_j, double area_mm2)
{
    const struct run_energy *e = &f->outcome->energy;
    table_row(t);
    table_text(t, name);
    table_num(t, e->input.seconds > 0 ? j / e->input.seconds : NAN);
    table_num(t, e->account.total_j > 0 ? 100 * j / e->account.total_j : NAN);
    table_num(t, j > 0 ? 100 * leakage_j / j : NAN);
    table_num(t, area_mm2 > 0 ? area_mm2 : NAN); /* not known: - */
}

/* Both networks and what takes the most; the others in one line. */
static void add_power(const struct first_screen *f, struct arena *mem, struct buf *out)
{
    static const struct table_column columns[] = {
        {"power", "W", 3}, {"share", "%", 1}, {"leakage", "% of it", 0}, {"area", "mm2", 2}};
    struct table_column all[5] = {{"component", "", 0}};
    const struct account *a = &f->outcome->energy.account;
    const struct account_group **order = arena_many(mem, const struct account_group *, a->n_groups);
    memcpy(all + 1, columns, sizeof columns);
    struct table *t = table_new(mem, all, 5);
    struct account_group rest = {0};
    uint32_t n = 0, n_rest = 0, room = rows_left(f, out);
    for (uint32_t i = 0; i < a->n_groups; i++) {
        const struct account_group *g = &a->groups[i];
        if (strncmp(g->name, "noc.", 4) == 0) {
            add_group(t, f, g->name, g->total_j, g->leakage_j, g->area_mm2);
            room--;
        } else
            order[n++] = g;
    }
    qsort(order, n, sizeof *order, more_energy_first);
    for (uint32_t i = 0; i < n; i++) {
        if (i < room || n == room + 1) {
            add_group(t, f, order[i]->name, order[i]->total_j, order[i]->leakage_j,
                      order[i]->area_mm2);
            continue;
        }
        rest.total_j += order[i]->total_j;
        rest.leakage_j += order[i]->leakage_j;
        rest.area_mm2 += order[i]->area_mm2;
        n_rest++;
    }
    if (n_rest)
        add_group(t, f, arena_printf(mem, "%u others", n_rest), rest.total_j, rest.leakage_j,
                  rest.area_mm2);
    add_group(t, f, "all", a->total_j, a->total_j - a->dynamic_j, f->outcome->energy.chip_mm2);
    table_write_text(t, out);
}

static void add_clock(const struct priced *p, struct arena *mem, struct buf *out)
{
    if (!assumptions_clock(p, mem)[0]) /* else it stands in the first lines */
        buf_printf(out, "network clock %.3f GHz as asked for; the slowest router could do %.3f\n",
                   p->clock.clock_ghz, p->clock.fmax_ghz);
}

static void add_figures(const struct first_screen *f, struct arena *mem, struct buf *out)
{
    const struct priced *p = f->setup->priced;
    buf_printf(out,
               "performance per Watt: of the NoC %.4g, of GPU and DRAM %.4g G instr/s/W; energy "
               "%.4g mJ, EDP %.4g J s, NoC area %.2f mm2\n",
               1e-9 * statistic(f, "perf_per_watt.noc"),
               1e-9 * statistic(f, "perf_per_watt.system"), 1e3 * statistic(f, "energy_j"),
               statistic(f, "edp_js"), statistic(f, "noc_area_mm2"));
    if (is_scaled(f)) {
        buf_printf(out, "of %.4g W the steps between nodes leave open %.4g to %.4g W",
                   f->outcome->energy.account.average_w, f->outcome->energy.low_w,
                   f->outcome->energy.high_w);
        if (p->scale.energy_spread > 1 || p->scale.leakage_spread > 1)
            buf_printf(out,
                       " (cores %g nm from %g nm; what the fit lacks of this card is not in it)",
                       p->scale.to_nm, p->scale.from_nm);
        buf_putc(out, '\n');
    }
    add_clock(p, mem, out);
    const struct priced *const one[] = {p};
    buf_printf(out, "assumes %s\n", assumptions_line(one, NULL, 1, mem));
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void add_programs(const struct first_screen *f, struct buf *out)
{
    if (f->n_programs < 2)
        return;
    for (uint32_t i = 0; i < f->n_programs; i++) {
        struct gpu_program p;
        gpu_program_result(f->outcome->gpu, i, &p);
        if (p.rounds && !p.is_done)
            buf_printf(out, "%s%s came to its end %u times in %llu cycles", i ? ", " : "",
                       f->programs[i]->name, p.rounds, (unsigned long long)p.cycles);
        else
            buf_printf(out, "%s%s %s %llu cycles", i ? ", " : "", f->programs[i]->name,
                       p.is_done ? "ended after" : "did not end in", (unsigned long long)p.cycles);
    }
    if (isfinite(statistic(f, "stp")))
        buf_printf(out, "; STP %.3f, ANTT %.3f", statistic(f, "stp"), statistic(f, "antt"));
    buf_putc(out, '\n');
}

void first_screen_text(const struct first_screen *f, struct arena *mem, struct buf *out)
{
    const struct stat_totals *t = &f->outcome->totals;
    buf_printf(out, "%s: %.0f cycles, %.4g us, %.4g G instr/s, IPC %.4g\n", f->title, t->cycles,
               statistic(f, "time_us"),
               t->cycles > 0 ? t->thread_insts * t->core_ghz / t->cycles : 0,
               statistic(f, "ipc_thread"));
    for (uint32_t i = 0; f->setup->priced && i < f->setup->priced->n_notes; i++)
        buf_printf(out, "%s\n", f->setup->priced->notes[i]);
    if (gpu_stopped_early(f->outcome->gpu))
        buf_printf(out, "stopped by sim.max_cycles%s\n",
                   f->setup->arch->sim.restart ? "; programs began again at their end (sim.restart)"
                                               : " before its end");
    add_programs(f, out);
    add_stalls(f, out);
    add_latency(f, out);
    if (isfinite(statistic(f, "noc_demand_percent")))
        buf_printf(out, "half the channel width would cost %.1f %% of IPC\n",
                   statistic(f, "noc_demand_percent"));
    buf_putc(out, '\n');
    add_busiest(f, mem, out);
    buf_putc(out, '\n');
    if (run_has_energy(f->setup)) {
        add_power(f, mem, out);
        add_figures(f, mem, out);
        return;
    }
    if (f->setup->priced)
        add_clock(f->setup->priced, mem, out);
    buf_add(out, "no energy: not asked for (--no-energy)\n");
}
