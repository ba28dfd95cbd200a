/* SPDX-License-Identifier: MIT */
#include "energy/tool/cacti.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/proc.h"
#include "energy/array/from_design.h"
#include "energy/tool/tool.h"

enum { OUTPUT_MAX = 4 << 20 };

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
    return tool_fill(data_dir, "cacti-run.cfg", &(struct tool_words){names, values, N}, mem, text,
                     err);
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

struct run { /* of the program */
    const char *program, *config;
    bool has_search; /* the output must hold a search's energy */
    struct where at; /* of the request */
    struct amodel_out answer;
    const char *version; /* that it prints */
};

static bool run_program(const struct cacti_tool *tool, struct run *x, struct arena *mem,
                        struct err *err)
{
    const char *program = x->program, *config = x->config;
    static const char *const files[] = {"run.cfg",     "run.cfg.out", "out.csv",
                                        "tech_params", "stdout.txt",  "stderr.txt"};
    const char *key = NULL, *cached = NULL, *words, *out, *errors;
    double timeout_s = tool->timeout_s > 0 ? tool->timeout_s : 120;
    enum cacti_says says = CACTI_NONSENSE;

    if (tool->cache_dir && tool->cache_dir[0]) {
        key = arena_printf(mem, "%s\n%s", tool_file_identity(program, mem), config);
        cached = tool_cache_path("cacti", tool->cache_dir, key, mem);
    }
    if (cached && tool_cache_get("cacti", cached, key, mem, &out, &errors))
        says = cacti_read(out, errors, x->has_search, mem, &x->answer, &x->version, &words);
    if (says == CACTI_NONSENSE) {
        const char *dir = tool_dir_make("cacti", mem, err);
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
        says = cacti_read(r.out, r.err, x->has_search, mem, &x->answer, &x->version, &words);
        if (r.timed_out || r.signal || says == CACTI_NONSENSE)
            return tool_failed(
                &(struct tool_ending){"cacti", dir, &r, timeout_s},
                arena_printf(mem, "printed no whole line '%s' (status %d)", words, r.status), x->at,
                mem, err);
        tool_dir_remove(dir, files, sizeof files / sizeof *files, mem);
        if (cached)
            tool_cache_put("cacti", cached, key, &r, mem);
    }
    if (says == CACTI_REFUSAL)
        return err_add(err, ERR_INPUT, x->at, "cacti refuses it: %s", words);
    return true;
}

bool cacti_cost(const struct cacti_tool *tool, const struct amodel_in *request, struct where at,
                struct arena *mem, struct array_answer *out, struct err *err)
{
    struct amodel_in in = amodel_in_bytes(request);
    struct run x = {.program = find_program(tool, mem, err),
                    .has_search = in.type == AMODEL_FA || in.type == AMODEL_CAM,
                    .at = at,
                    .version = ""};
    struct array_answer a = {.engine = "cacti", .why = "as asked"};

    /* missing or senseless numbers make the program loop for ever */
    if (in.out_bits < 1 || in.size_b < 1 || in.block_b < 1 || in.out_bits > 8 * in.block_b)
        return err_add(err, ERR_INPUT, at,
                       "size, block and output width must be above 0, and the "
                       "output no wider than a block");
    if (!x.program ||
        !cacti_input(tool->data_dir ? tool->data_dir : ".", &in, mem, &x.config, err) ||
        !run_program(tool, &x, mem, err))
        return false;
    a.cost = x.answer;
    a.model = arena_printf(mem, "CACTI %s", x.version);
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
