/* SPDX-License-Identifier: MIT */
#include "energy/cacti.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/map.h"
#include "base/proc.h"
#include "energy/array_engine.h"
#include "energy/dsent_run.h"

enum { OUTPUT_MAX = 4 << 20, FILE_MAX = 16 << 20 };

/* ---- input ---- */

static const char *five(const double v[GOALS], struct arena *mem)
{
    return arena_printf(mem, "%.0f:%.0f:%.0f:%.0f:%.0f", v[0], v[1], v[2], v[3], v[4]);
}

static const char *whole(int64_t v, struct arena *mem)
{
    return arena_printf(mem, "%lld", (long long)v);
}

bool cacti_input(const char *data_dir, const struct amodel_in *in, struct arena *mem,
                 const char **text, struct err *err)
{
    const struct amodel_org one = {1, 1, 1, 1, 1, 1}, *o = in->forced ? &in->org : &one;
    const char *const pairs[][2] = {
        {"size", whole(in->size_b, mem)},
        {"block", whole(in->block_b, mem)},
        {"ways", whole(in->assoc, mem)},
        {"rw", whole(in->rw, mem)},
        {"rd", whole(in->rd, mem)},
        {"wr", whole(in->wr, mem)},
        {"se", whole(in->se, mem)},
        {"search", whole(in->search, mem)},
        {"banks", whole(in->banks, mem)},
        {"node_um", arena_printf(mem, "%.9g", in->tech_nm / 1000)},
        {"data_cell", array_flavour_names[in->data_cell]},
        {"data_peri", array_flavour_names[in->data_peri]},
        {"tag_cell", array_flavour_names[in->tag_cell]},
        {"tag_peri", array_flavour_names[in->tag_peri]},
        {"out", whole(in->out_bits, mem)},
        {"temperature", whole(in->temp_k, mem)},
        {"type", in->type == AMODEL_FA ? "cache" : amodel_type_names[in->type]},
        {"tag", in->tag_bits ? whole(in->tag_bits, mem) : "\"default\""},
        {"mode", amodel_mode_names[in->mode]},
        {"weights", five(in->weights, mem)},
        {"deviate", five(in->deviate, mem)},
        {"optimize", amodel_optimize_names[in->optimize]},
        {"signal", array_signal_names[in->signal]},
        {"wire_in", array_layer_names[in->wire_in]},
        {"wire_out", array_layer_names[in->wire_out]},
        {"projection", array_projection_names[in->projection]},
        {"ecc", in->ecc ? "true" : "false"},
        {"forced", in->forced ? "true" : "false"},
        {"ndwl", whole(o->ndwl, mem)},
        {"ndbl", whole(o->ndbl, mem)},
        {"nspd", arena_printf(mem, "%g", o->nspd)},
        {"ndcm", whole(o->ndcm, mem)},
        {"sam1", whole(o->sam1, mem)},
        {"sam2", whole(o->sam2, mem)},
    };
    enum { N = sizeof pairs / sizeof *pairs };
    const char *names[N], *values[N];
    for (int i = 0; i < N; i++) {
        names[i] = pairs[i][0];
        values[i] = pairs[i][1];
    }
    return dsent_fill(data_dir, "cacti-run.cfg", names, values, N, mem, text, err);
}

/* ---- the program ---- */

static const char *find_program(const struct cacti_tool *tool, struct arena *mem, struct err *err)
{
    struct where at = {NULL, 0, "energy.cacti_path"};
    bool named = tool->program && tool->program[0];
    const char *name = named ? tool->program : "cacti";
    const char *found = strchr(name, '/') ? name : proc_find(name, mem);
    if (!found && !named) {
        err_add(err, ERR_MACHINE, at, "no 'cacti' in PATH; name the program, or use engine native");
        return NULL;
    }
    char *real = found && access(found, X_OK) == 0 ? realpath(found, NULL) : NULL;
    if (!real) {
        err_add(err, ERR_MACHINE, at, "'%s' is not a program that can be run", name);
        return NULL;
    }
    const char *copy = arena_strdup(mem, real);
    free(real);
    return copy;
}

/* ---- cache: one file per run, with everything the result depends on ---- */

static const char *cache_key(const char *program, const char *config, struct arena *mem)
{
    struct stat s = {0};
    stat(program, &s);
    return arena_printf(mem, "%s %jd %jd\n%s", program, (intmax_t)s.st_size, (intmax_t)s.st_mtime,
                        config);
}

static const char *cache_path(const struct cacti_tool *tool, const char *key, struct arena *mem)
{
    return arena_printf(mem, "%s/cacti-%016" PRIx64 "%016" PRIx64 ".txt", tool->cache_dir,
                        map_hash_bytes(key, strlen(key), 1), map_hash_bytes(key, strlen(key), 2));
}

/* A missing, foreign, cut or damaged file is no error: the program is run again. */
static bool cache_get(const char *path, const char *key, struct arena *mem, const char **out,
                      const char **errors)
{
    struct err ignored;
    char *text = NULL;
    size_t size = 0, n_key, n_out, n_err;
    int used = 0;
    err_init(&ignored);
    bool ok = file_exists(path) && file_read(path, FILE_MAX, mem, &text, &size, &ignored);
    err_free(&ignored);
    if (!ok ||
        sscanf(text, "crosswatt-cacti-1 %zu %zu %zu%n", &n_key, &n_out, &n_err, &used) != 3 ||
        text[used] != '\n' || n_key > size || n_out > size || n_err > size ||
        (size_t)used + 1 + n_key + n_out + n_err != size || n_key != strlen(key) ||
        memcmp(text + used + 1, key, n_key) != 0)
        return false;
    const char *body = text + used + 1 + n_key;
    *out = arena_strndup(mem, body, n_out);
    *errors = arena_strndup(mem, body + n_out, n_err);
    return true;
}

static void cache_put(const char *path, const char *key, const char *out, const char *errors,
                      struct arena *mem)
{
    struct err ignored; /* a cache that cannot be written costs time, nothing else */
    err_init(&ignored);
    const char *text = arena_printf(mem, "crosswatt-cacti-1 %zu %zu %zu\n%s%s%s", strlen(key),
                                    strlen(out), strlen(errors), key, out, errors);
    if (file_make_dirs(path_dir(mem, path), &ignored))
        file_write(path, text, strlen(text), &ignored);
    err_free(&ignored);
}

/* ---- running ---- */

static const char *make_dir(struct arena *mem, struct err *err)
{
    const char *base = getenv("TMPDIR");
    char *dir = arena_printf(mem, "%s/crosswatt-cacti-XXXXXX", base && base[0] ? base : "/tmp");
    if (!mkdtemp(dir)) {
        err_add(err, ERR_MACHINE, AT_FILE(dir), "%s", strerror(errno));
        return NULL;
    }
    return dir;
}

static void remove_dir(const char *dir, struct arena *mem)
{
    static const char *const names[] = {"run.cfg",     "run.cfg.out", "out.csv",
                                        "tech_params", "stdout.txt",  "stderr.txt"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlink(path_join(mem, dir, names[i]));
    rmdir(dir);
}

static const char *last_line(const char *text, struct arena *mem)
{
    const char *end = text + strlen(text);
    while (end > text && strchr(" \t\r\n", end[-1]))
        end--;
    const char *start = end;
    while (start > text && start[-1] != '\n')
        start--;
    return arena_strndup(mem, start, (size_t)(end - start) < 300 ? (size_t)(end - start) : 300);
}

static void keep(const char *dir, const struct proc_result *r, struct arena *mem)
{
    struct err ignored;
    err_init(&ignored);
    file_write(path_join(mem, dir, "stdout.txt"), r->out, r->n_out, &ignored);
    file_write(path_join(mem, dir, "stderr.txt"), r->err, r->n_err, &ignored);
    err_free(&ignored);
}

static bool failed(const char *dir, const struct proc_result *r, double timeout_s,
                   const char *missing, struct where at, struct arena *mem, struct err *err)
{
    const char *why = last_line(r->err, mem), *sep = why[0] ? ": " : "";
    keep(dir, r, mem);
    if (r->timed_out)
        return err_add(err, ERR_MACHINE, at,
                       "cacti did not end within %g s; its input and output are in %s", timeout_s,
                       dir);
    if (r->signal)
        return err_add(err, ERR_MACHINE, at,
                       "cacti was ended by signal %d%s%s; its input and output are in %s",
                       r->signal, sep, why, dir);
    return err_add(
        err, ERR_MACHINE, at,
        "cacti printed no whole line '%s' (status %d)%s%s; its input and output are in %s", missing,
        r->status, sep, why, dir);
}

static bool run_program(const struct cacti_tool *tool, const char *program, const char *config,
                        bool has_search, struct where at, struct arena *mem,
                        struct amodel_out *answer, const char **version, struct err *err)
{
    bool caching = tool->cache_dir && tool->cache_dir[0];
    const char *key = caching ? cache_key(program, config, mem) : NULL, *words, *out, *errors;
    const char *cached = caching ? cache_path(tool, key, mem) : NULL;
    double timeout_s = tool->timeout_s > 0 ? tool->timeout_s : 120;
    enum cacti_says says = CACTI_NONSENSE;

    if (cached && cache_get(cached, key, mem, &out, &errors))
        says = cacti_read(out, errors, has_search, mem, answer, version, &words);
    if (says == CACTI_NONSENSE) {
        const char *dir = make_dir(mem, err);
        if (!dir || !file_write(path_join(mem, dir, "run.cfg"), config, strlen(config), err))
            return false;
        /* version 7 reads tech_params/ in the working folder */
        const char *tech = path_join(mem, path_dir(mem, program), "tech_params");
        if (access(tech, R_OK) == 0 && symlink(tech, path_join(mem, dir, "tech_params")) != 0)
            err_warn(err, AT_FILE(tech), "cannot be linked: %s", strerror(errno));
        const char *argv[] = {program, "-infile", "run.cfg", NULL};
        struct proc_result r;
        if (!proc_run(argv, dir, timeout_s, OUTPUT_MAX, mem, &r, err))
            return false;
        says = cacti_read(r.out, r.err, has_search, mem, answer, version, &words);
        if (r.timed_out || r.signal || says == CACTI_NONSENSE)
            return failed(dir, &r, timeout_s, words, at, mem, err);
        remove_dir(dir, mem);
        if (cached && !memchr(r.out, '\0', r.n_out) && !memchr(r.err, '\0', r.n_err))
            cache_put(cached, key, r.out, r.err, mem);
    }
    if (says == CACTI_REFUSAL)
        return err_add(err, ERR_INPUT, at, "cacti refuses it: %s", words);
    return true;
}

bool cacti_cost(const struct cacti_tool *tool, const struct amodel_in *request, struct where at,
                struct arena *mem, struct array_answer *out, struct err *err)
{
    struct amodel_in in = amodel_in_bytes(request);
    const char *config, *version = "", *program = find_program(tool, mem, err);
    bool has_search = in.type == AMODEL_FA || in.type == AMODEL_CAM;
    struct array_answer a = {.engine = "cacti", .why = "as asked"};

    /* missing or senseless numbers make the program loop for ever */
    if (in.out_bits < 1 || in.size_b < 1 || in.block_b < 1 || in.out_bits > 8 * in.block_b)
        return err_add(err, ERR_INPUT, at,
                       "size, block and output width must be above 0, and the "
                       "output no wider than a block");
    if (!program || !cacti_input(tool->data_dir ? tool->data_dir : ".", &in, mem, &config, err) ||
        !run_program(tool, program, config, has_search, at, mem, &a.cost, &version, err))
        return false;
    a.model = arena_printf(mem, "CACTI %s", version);
    *out = a;
    return true;
}

/* ---- as an engine ---- */

static bool cost_array(const struct engine_ctx *ctx, const struct array *a, double clock_ghz,
                       struct cost *out, struct err *err)
{
    struct array_setting setting = {.note = ""};
    struct array_answer answer = {.engine = ""}, hot = answer;
    struct cacti_tool tool = {ctx->program, ctx->cache_dir, ctx->tech->data_dir, ctx->timeout_s};
    struct where at = {a->name, 0, NULL};

    if (!array_setting_of(ctx, &setting, err))
        return false;
    struct amodel_in in = array_request_of(a, &setting);
    if (!cacti_cost(&tool, &in, at, ctx->mem, &answer, err))
        return false;
    if (setting.temp_share > 0) {
        in.temp_k = setting.temp_high_k;
        if (!cacti_cost(&tool, &in, at, ctx->mem, &hot, err))
            return false;
        double k = setting.temp_share;
        answer.cost.leak_w += k * (hot.cost.leak_w - answer.cost.leak_w);
        answer.cost.gate_leak_w += k * (hot.cost.gate_leak_w - answer.cost.gate_leak_w);
    }
    if (isnan(answer.cost.gate_leak_w)) { /* the first release has neither */
        answer.cost.gate_leak_w = 0;
        answer.cost.write_j = answer.cost.read_j;
        answer.why =
            "this version prints no write energy and no gate leakage: a write is priced as a "
            "read";
    }
    array_fill_cost(a, &setting, &answer, clock_ghz, ctx->mem, out);
    return true;
}

const struct engine engine_cacti = {
    .name = "cacti",
    .meaning = "a real CACTI, 6.5 or 7: arrays",
    .cost_router = engine_cannot_cost_router,
    .cost_link = engine_cannot_cost_link,
    .cost_array = cost_array,
};
