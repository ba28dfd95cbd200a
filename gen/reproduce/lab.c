/* SPDX-License-Identifier: MIT */
#include "gen/reproduce/lab.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/vec.h"
#include "gen/config/read.h"
#include "gen/price/bill.h"
#include "gen/workload/trace_front.h"
#include "sim/study/trace_info.h"

static bool same_texts(const struct ex_texts *a, const struct ex_texts *b)
{
    if (a->n != b->n)
        return false;
    for (size_t i = 0; i < a->n; i++) {
        if (strcmp(a->at[i], b->at[i]) != 0)
            return false;
    }
    return true;
}

static struct lab_machine *machine_of(struct lab *lab, const struct ex_configuration *conf,
                                      const char *file, const struct ex_texts *sets)
{
    struct arena *mem = &lab->app->mem;
    for (size_t i = 0; i < lab->n_machines; i++) {
        struct lab_machine *m = &lab->machines[i];
        if (strcmp(m->file, file) == 0 && same_texts(&m->sets, sets))
            return m;
    }
    lab->machines =
        vec_grow(mem, lab->machines, lab->n_machines, 1, &lab->cap_machines, sizeof *lab->machines);
    struct lab_machine *m = &lab->machines[lab->n_machines++];
    *m = (struct lab_machine){.conf = conf, .file = file, .sets = *sets, .name = conf->names.at[0]};
    return m;
}

struct lab_machine *lab_machine(struct lab *lab, const struct ex_configuration *conf)
{
    return machine_of(lab, conf, conf->file, &conf->sets);
}

struct lab_machine *lab_machine_like(struct lab *lab, const struct ex_configuration *conf)
{
    const struct ex_texts none = {0};
    return conf->like ? machine_of(lab, conf, conf->like, &none) : NULL;
}

/* The text of the first error. */
static const char *take_error(const struct err *err, struct arena *mem)
{
    const char *text = "could not be made";
    for (const struct err_entry *e = err->first; e; e = e->next) {
        if (e->kind == ERR_INPUT || e->kind == ERR_MACHINE) {
            text = err_entry_text(e, mem);
            break;
        }
    }
    return arena_strdup(mem, text);
}

/* Steps of making a machine. One that failed does not concern those before it. */
enum { STEP_ARCH = 1, STEP_DESIGN = 2, STEP_NETWORK = 4, STEP_SETUP = 8 };

static bool was_tried(struct lab_machine *m, unsigned step)
{
    bool was = (m->tried & step) != 0;
    m->tried |= step;
    return was;
}

/* `err` holds the errors of this step alone. */
static void settle(struct lab *lab, struct lab_machine *m, unsigned step, bool ok, struct err *err)
{
    if (!ok) {
        m->failed |= step;
        m->error = take_error(err, &lab->app->mem);
    }
    err_free(err);
}

const struct arch *lab_arch(struct lab *lab, struct lab_machine *m)
{
    if (!was_tried(m, STEP_ARCH)) {
        struct arena *mem = &lab->app->mem;
        VEC(const char *) sets = {0};
        struct err err;
        for (size_t i = 0; i < m->sets.n; i++)
            vec_push(mem, &sets, m->sets.at[i]);
        for (size_t i = 0; i < lab->options->n_values; i++) {
            if (strcmp(lab->options->values[i].name, "set") == 0)
                vec_push(mem, &sets, lab->options->values[i].value);
        }
        struct read_request r = {.file = m->file,
                                 .sets = sets.at,
                                 .n_sets = sets.n,
                                 .data_dir = lab->app->data_dir,
                                 .allow_tools = option_has(lab->options, "allow-tools")};
        m->arch = arena_new(mem, struct arch);
        err_init(&err);
        settle(lab, m, STEP_ARCH, arch_read(&r, mem, m->arch, &err), &err);
    }
    return m->failed & STEP_ARCH ? NULL : m->arch;
}

const struct design *lab_design(struct lab *lab, struct lab_machine *m)
{
    if (!lab_arch(lab, m))
        return NULL;
    if (!was_tried(m, STEP_DESIGN)) {
        struct err err;
        m->design = arena_new(&lab->app->mem, struct design);
        err_init(&err);
        settle(lab, m, STEP_DESIGN, design_make(m->arch, false, &lab->app->mem, m->design, &err),
               &err);
    }
    return m->failed & STEP_DESIGN ? NULL : m->design;
}

const struct priced *lab_network(struct lab *lab, struct lab_machine *m)
{
    if (!lab_design(lab, m))
        return NULL;
    if (!was_tried(m, STEP_NETWORK)) {
        struct err err;
        m->network = arena_new(&lab->app->mem, struct priced);
        err_init(&err);
        settle(lab, m, STEP_NETWORK,
               bill_price(m->design, lab->app->data_dir, &lab->app->mem, m->network, &err), &err);
    }
    return m->failed & STEP_NETWORK ? NULL : m->network;
}

static const struct sim_setup *setup_of(struct lab *lab, struct lab_machine *m)
{
    if (!lab_arch(lab, m))
        return NULL;
    if (!was_tried(m, STEP_SETUP)) {
        struct err err;
        m->setup = arena_new(&lab->app->mem, struct sim_setup);
        err_init(&err);
        settle(lab, m, STEP_SETUP,
               sim_setup_make(m->arch, lab->app->data_dir, true, 0, &lab->app->mem, m->setup, &err),
               &err);
    }
    return m->failed & STEP_SETUP ? NULL : m->setup;
}

const struct priced *lab_prices(struct lab *lab, struct lab_machine *m)
{
    const struct sim_setup *setup = setup_of(lab, m);
    return setup ? setup->priced : NULL;
}

/* ---- running --------------------------------------------------------------------------------- */

static size_t program_of(struct lab *lab, const char *file, const char *preset)
{
    for (size_t i = 0; i < lab->n_programs; i++) {
        if (strcmp(lab->programs[i].file, file) == 0 &&
            strcmp(lab->programs[i].preset, preset) == 0)
            return i;
    }
    lab->programs = vec_grow(&lab->app->mem, lab->programs, lab->n_programs, 1, &lab->cap_programs,
                             sizeof *lab->programs);
    lab->programs[lab->n_programs] = (struct lab_program){file, preset};
    return lab->n_programs++;
}

const struct result *lab_result(struct lab *lab, const struct ex_configuration *conf,
                                const char *program, const char *preset)
{
    size_t machine = (size_t)(lab_machine(lab, conf) - lab->machines),
           p = program_of(lab, program, preset ? preset : lab->preset);
    for (size_t i = 0; i < lab->n_pairs; i++) {
        if (lab->pairs[i].machine == machine && lab->pairs[i].program == p)
            return lab->pairs[i].result;
    }
    if (lab->has_run)
        return NULL;
    lab->pairs =
        vec_grow(&lab->app->mem, lab->pairs, lab->n_pairs, 1, &lab->cap_pairs, sizeof *lab->pairs);
    lab->pairs[lab->n_pairs++] = (struct lab_pair){machine, p, NULL};
    return NULL;
}

static const struct result *failed(struct lab *lab, const struct lab_pair *p, const char *why)
{
    struct result *r = arena_new(&lab->app->mem, struct result);
    *r = (struct result){.design = lab->machines[p->machine].name,
                         .workload = lab->programs[p->program].file,
                         .error = why};
    return r;
}

/* All pairs whose programs have this preset. */
static bool run_preset(struct lab *lab, const char *preset, const atomic_bool *cancel,
                       struct store *store, unsigned threads)
{
    struct arena *mem = &lab->app->mem;
    size_t nm = 0, np = 0;
    size_t *machine_at = arena_many(mem, size_t, lab->n_machines + 1),
           *program_at = arena_many(mem, size_t, lab->n_programs + 1);
    struct pairs_design *designs = arena_many(mem, struct pairs_design, lab->n_machines + 1);
    const char **programs = arena_many(mem, const char *, lab->n_programs + 1);
    memset(machine_at, 0xff, lab->n_machines * sizeof *machine_at);
    for (size_t p = 0; p < lab->n_programs; p++) {
        if (strcmp(lab->programs[p].preset, preset) == 0) {
            program_at[p] = np;
            programs[np++] = lab->programs[p].file;
        }
    }
    for (size_t i = 0; i < lab->n_pairs; i++) {
        struct lab_pair *pair = &lab->pairs[i];
        struct lab_machine *m = &lab->machines[pair->machine];
        if (strcmp(lab->programs[pair->program].preset, preset) != 0)
            continue;
        const struct sim_setup *setup = setup_of(lab, m);
        if (!setup)
            pair->result = failed(lab, pair, m->error);
        else if (machine_at[pair->machine] == SIZE_MAX) {
            machine_at[pair->machine] = nm;
            designs[nm++] = (struct pairs_design){m->name, setup, 0};
        }
    }
    if (nm == 0)
        return true;
    bool *wanted = arena_many(mem, bool, nm *np);
    for (size_t i = 0; i < lab->n_pairs; i++) {
        const struct lab_pair *pair = &lab->pairs[i];
        if (!pair->result && strcmp(lab->programs[pair->program].preset, preset) == 0)
            wanted[machine_at[pair->machine] * np + program_at[pair->program]] = true;
    }
    struct result *results;
    struct pairs_request request = {
        .designs = designs,
        .n_designs = nm,
        .workloads = programs,
        .n_workloads = np,
        .preset = preset,
        .data_dir = lab->app->data_dir,
        .store = store,
        .n_threads = threads,
        .quiet = lab->options->quiet,
        .wanted = wanted,
        .cancel = cancel,
    };
    if (!pairs_run(&request, mem, &results, &lab->app->err))
        return false;
    for (size_t i = 0; i < lab->n_pairs; i++) {
        struct lab_pair *pair = &lab->pairs[i];
        if (!pair->result && strcmp(lab->programs[pair->program].preset, preset) == 0)
            pair->result = &results[machine_at[pair->machine] * np + program_at[pair->program]];
    }
    return true;
}

bool lab_run(struct lab *lab)
{
    const atomic_bool *cancel = pairs_watch_interrupt();
    long long threads = 0;
    if (!option_int(lab->options, "threads", 1, 256, &threads, &lab->app->err))
        return false;
    struct store *store =
        option_has(lab->options, "fresh")
            ? NULL
            : pairs_user_store(app_command_line(lab->app), &lab->app->mem, &lab->app->err);
    bool ok = true;
    for (size_t p = 0; ok && p < lab->n_programs; p++) {
        bool is_first = true;
        for (size_t q = 0; q < p; q++)
            is_first &= strcmp(lab->programs[q].preset, lab->programs[p].preset) != 0;
        ok =
            !is_first || run_preset(lab, lab->programs[p].preset, cancel, store, (unsigned)threads);
    }
    store_close(store);
    if (!ok)
        return false;
    pairs_unwatch_interrupt();
    lab->has_run = true;
    return true;
}

/* ---- traces ---- */

struct lab_trace {
    struct lab_trace *next;
    const char *program, *preset;
    struct {
        const char *name;
        double value;
    } * numbers;
    size_t n;
    const char *error;
};

#define LINE_BYTES 128u /* of what Li et al. 2017 count as reuse */

static struct lab_trace *read_trace(struct lab *lab, const char *program, const char *preset)
{
    struct arena *mem = &lab->app->mem;
    struct lab_trace *t = arena_new(mem, struct lab_trace);
    struct trace_request q = {
        .workload = program, .preset = preset, .data_dir = lab->app->data_dir};
    struct trace_source source;
    struct trace_info info;
    struct err err;
    *t = (struct lab_trace){.next = lab->traces, .program = program, .preset = preset};
    lab->traces = t;
    err_init(&err);
    bool is_open = trace_front_open(&q, mem, &source, &err);
    if (is_open && trace_info_make(&source, LINE_BYTES, mem, &info, &err)) {
        json_t *j = trace_info_json(&source, &info), *v;
        const char *name;
        t->numbers = arena_array(mem, json_object_size(j) + 1, sizeof *t->numbers);
        json_object_foreach(j, name, v)
        {
            if (!json_is_number(v))
                continue;
            t->numbers[t->n].name = arena_strdup(mem, name);
            t->numbers[t->n++].value = json_number_value(v);
        }
        json_decref(j);
    } else {
        t->error = err.first ? err_entry_text(err.first, mem) : "cannot be read";
    }
    if (is_open)
        source.close(&source);
    err_free(&err);
    return t;
}

double lab_trace_number(struct lab *lab, const char *program, const char *preset, const char *name,
                        const char **why)
{
    preset = preset ? preset : lab->preset;
    struct lab_trace *t = lab->traces;
    while (t && (strcmp(t->program, program) != 0 || strcmp(t->preset, preset) != 0))
        t = t->next;
    if (!t)
        t = read_trace(lab, program, preset);
    for (size_t i = 0; i < t->n; i++)
        if (strcmp(t->numbers[i].name, name) == 0)
            return t->numbers[i].value;
    *why = t->error ? t->error : arena_printf(&lab->app->mem, "`trace --info` has no '%s'", name);
    return NAN;
}
