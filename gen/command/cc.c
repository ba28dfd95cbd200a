/* SPDX-License-Identifier: MIT
 *
 * `crosswatt cc`: CUDA programs compiled by clang alone, with our headers and our runtime. Each .cu
 * is compiled twice: for the device to PTX, and for the host with that PTX inside. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/proc.h"
#include "base/vec.h"
#include "gen/command.h"
#include "gen/command/cc_mend.h"
#include "gen/workload/program.h"

typedef VEC(const char *) strings;

struct job {
    struct app *app;
    const char *clang, *headers, *library, *folder; /* folder: for what is in between */
    strings sources, compile, link, made;           /* made: to be removed */
    strings device;                                 /* what kernels alone are compiled with */
    strings lacking;                                /* libraries that we do not have */
    const char *output, *level;                     /* -O…, or NULL */
    bool only_objects, only_ptx, is_verbose;
    bool is_fast; /* -use_fast_math */
    bool is_cuda; /* -x cu: whatever the files are called */
    size_t n_made;
    const char *overlay; /* what clang sees of the source instead, or NULL */
    unsigned machine;    /* 70, or the least that -arch names, if all are above */
};

static bool ends_with(const char *s, const char *end)
{
    size_t n = strlen(s), k = strlen(end);
    return n > k && strcmp(s + n - k, end) == 0;
}

static bool is_object(const char *word)
{
    const char *file = strrchr(word, '/') ? strrchr(word, '/') : word;
    return ends_with(word, ".o") || ends_with(word, ".obj") || ends_with(word, ".lo") ||
           ends_with(word, ".a") || ends_with(word, ".so") || strstr(file, ".so.");
}

static bool is_source(const char *word)
{
    static const char *const ends[] = {".cu", ".c", ".cpp", ".cc", ".cxx", ".C"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (ends_with(word, ends[i]))
            return true;
    return false;
}

/* ---- the command line: clang's, and what makefiles for nvcc say ------------------------------ */

/* Options with a value that mean nothing here: machine code, and where NVIDIA's tools are. */
static const char *const dropped_with_value[] = {"-code",
                                                 "-Xptxas",
                                                 "-maxrregcount",
                                                 "--ptxas-options",
                                                 "--gpu-code",
                                                 "-ccbin",
                                                 "--maxrregcount",
                                                 "-Xnvlink",
                                                 "-cudart",
                                                 "--cudart",
                                                 "-Xcudafe",
                                                 "-diag-suppress",
                                                 "--compiler-bindir",
                                                 "-default-stream",
                                                 "--default-stream",
                                                 "--threads",
                                                 "-threads",
                                                 "-t",
                                                 "--diag-suppress",
                                                 "-diag-warn",
                                                 "--diag-warn",
                                                 "-Xarchive",
                                                 "--optimization-info",
                                                 "-opt-info",
                                                 "--keep-dir",
                                                 "-keep-dir",
                                                 "--relocatable-ptx",
                                                 "-split-compile",
                                                 "--split-compile",
                                                 NULL};
static const char *const dropped[] = {"-lineinfo",
                                      "--generate-line-info",
                                      "-G",
                                      "-m64",
                                      "-rdc=false",
                                      "--relocatable-device-code=false",
                                      "-lcudadevrt",
                                      "--expt-extended-lambda",
                                      "--extended-lambda",
                                      "--expt-relaxed-constexpr",
                                      "-lcudart",
                                      "-lcudart_static",
                                      "-expt-extended-lambda",
                                      "-extended-lambda",
                                      "-expt-relaxed-constexpr",
                                      "-allow-unsupported-compiler",
                                      "--allow-unsupported-compiler",
                                      "-Wno-deprecated-gpu-targets",
                                      "-keep",
                                      "--keep",
                                      "-src-in-ptx",
                                      "--source-in-ptx",
                                      "-res-usage",
                                      "--resource-usage",
                                      "-restrict",
                                      "--restrict",
                                      "-extra-device-vectorization",
                                      "--extra-device-vectorization",
                                      "-forward-unknown-to-host-compiler",
                                      "--forward-unknown-to-host-compiler",
                                      "-noeh",
                                      "-cuda",
                                      "-link",
                                      "--machine=64",
                                      "--ftz=false",
                                      "-ftz=false",
                                      "--prec-div=true",
                                      "-prec-div=true",
                                      "--prec-sqrt=true",
                                      "-prec-sqrt=true",
                                      "--fmad=true",
                                      "-fmad=true",
                                      "-dlto",
                                      "--device-debug",
                                      NULL};

/* 0: no; 1: it is the word; 2: its value stands in the next word. */
static int is_dropped(const char *word)
{
    for (size_t i = 0; dropped[i]; i++)
        if (strcmp(word, dropped[i]) == 0)
            return 1;
    for (size_t i = 0; dropped_with_value[i]; i++) {
        size_t n = strlen(dropped_with_value[i]);
        if (strncmp(word, dropped_with_value[i], n) == 0 && (word[n] == '=' || !word[n]))
            return word[n] ? 1 : 2;
    }
    return 0;
}

static bool takes_value(const char *word)
{
    static const char *const words[] = {"-I",       "-D", "-U",      "-include",
                                        "-isystem", "-x", "-Xclang", NULL};
    for (size_t i = 0; words[i]; i++)
        if (strcmp(word, words[i]) == 0)
            return true;
    return false;
}

static void push(struct job *j, strings *list, const char *word)
{
    vec_push(&j->app->mem, list, word);
}

/* -Xcompiler a,b or -Xcompiler=a,b, for the host's compiler. */
static void take_host_options(struct job *j, const char *list)
{
    while (*list) {
        size_t n = strcspn(list, ",");
        if (n)
            push(j, &j->compile, arena_strndup(&j->app->mem, list, n));
        list += n + (list[n] == ',');
    }
}

/* How kernels round and flush, in nvcc's words. */
static bool take_arithmetic(struct job *j, const char *word)
{
    static const struct {
        const char *nvcc, *clang[2];
    } known[] = {{"ftz=true", {"-fcuda-flush-denormals-to-zero", NULL}},
                 {"prec-div=false", {"-mllvm", "-nvptx-prec-divf32=1"}},
                 {"prec-sqrt=false", {"-mllvm", "-nvptx-prec-sqrtf32=0"}},
                 {"fmad=false", {"-ffp-contract=off", NULL}}};
    word += strspn(word, "-");
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(word, known[i].nvcc) != 0)
            continue;
        for (size_t k = 0; k < 2 && known[i].clang[k]; k++)
            push(j, &j->device, known[i].clang[k]);
        return true;
    }
    return false;
}

/* -arch=sm_80, -gencode arch=compute_80,code=sm_80, …: of the machines that are named the least, as
 * far as there is none up to sm_70. sets *used_next where the value is the next word. */
static bool take_machine(struct job *j, const char *word, const char *next, bool *used_next)
{
    static const char *const words[] = {"-arch", "--gpu-architecture", "-gencode",
                                        "--generate-code"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i]);
        if (strncmp(word, words[i], n) != 0 || (word[n] && word[n] != '='))
            continue;
        const char *value = word[n] ? word + n + 1 : next ? next : "";
        *used_next = !word[n] && next;
        for (const char *at = value; (at = strpbrk(at, "0123456789"));
             at += strspn(at, "0123456789")) {
            unsigned named = (unsigned)strtoul(at, NULL, 10);
            if (named < j->machine || !j->machine)
                j->machine = named;
        }
        return true;
    }
    return false;
}

static bool is_lacking(const char *word)
{
    static const char *const names[] = {"cublas", "cufft", "cusparse", "curand", "cusolver",
                                        "cudnn",  "nccl",  "nvrtc",    "npp",    "nvjpeg"};
    if (strcmp(word, "-lcuda") == 0)
        return true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(word, "-l", 2) == 0 && strncmp(word + 2, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

static bool take_word(struct job *j, const char *word, const char *next, bool *used_next)
{
    struct err *err = &j->app->err;
    int drop = is_dropped(word);
    *used_next = false;
    if (drop) {
        *used_next = drop == 2;
    } else if (take_machine(j, word, next, used_next)) {
        return true;
    } else if (word[0] == '-' && take_arithmetic(j, word)) {
        return true;
    } else if ((strcmp(word, "-std") == 0 || strcmp(word, "--std") == 0) && next) {
        push(j, &j->compile, arena_printf(&j->app->mem, "-std=%s", next));
        *used_next = true;
    } else if (strncmp(word, "--std=", 6) == 0) {
        push(j, &j->compile, word + 1);
    } else if ((strcmp(word, "-Xlinker") == 0 || strcmp(word, "--linker-options") == 0) && next) {
        push(j, &j->link, arena_printf(&j->app->mem, "-Wl,%s", next));
        *used_next = true;
    } else if (strcmp(word, "-o") == 0 || strcmp(word, "--output-file") == 0) {
        if (!next)
            return err_add(err, ERR_INPUT, NOWHERE, "-o needs the name of a file");
        j->output = next;
        *used_next = true;
    } else if (strncmp(word, "-o", 2) == 0 && word[2]) {
        j->output = word + 2;
    } else if (strcmp(word, "-rdc=true") == 0 ||
               strcmp(word, "--relocatable-device-code=true") == 0 ||
               ((strcmp(word, "-rdc") == 0 || strcmp(word, "--relocatable-device-code") == 0) &&
                next)) {
        *used_next = !strchr(word, '=');
        push(j, &j->compile, "-DCROSSWATT_SEVERAL_FILES");
    } else if (strcmp(word, "-c") == 0 || strcmp(word, "-dc") == 0) {
        j->only_objects = true;
        if (word[1] == 'd')
            push(j, &j->compile, "-DCROSSWATT_SEVERAL_FILES");
    } else if (strcmp(word, "-ptx") == 0 || strcmp(word, "--ptx") == 0) {
        j->only_ptx = true;
    } else if (strcmp(word, "-v") == 0) {
        j->is_verbose = true;
    } else if (strcmp(word, "-Xcompiler") == 0 || strcmp(word, "--compiler-options") == 0) {
        take_host_options(j, next ? next : "");
        *used_next = next != NULL;
    } else if (strncmp(word, "-Xcompiler=", 11) == 0) {
        take_host_options(j, word + 11);
    } else if (strncmp(word, "--compiler-options=", 19) == 0) {
        take_host_options(j, word + 19);
    } else if (strcmp(word, "-x") == 0 && next && strcmp(next, "cu") == 0) {
        j->is_cuda = *used_next = true;
    } else if (strcmp(word, "-x=cu") == 0 || strcmp(word, "--x=cu") == 0) {
        j->is_cuda = true;
    } else if (strcmp(word, "-use_fast_math") == 0 || strcmp(word, "--use_fast_math") == 0) {
        push(j, &j->compile, "-DCROSSWATT_FAST_MATH");
        j->is_fast = true;
    } else if (is_lacking(word)) {
        push(j, &j->lacking, word); /* many makefiles name them for nothing */
    } else if (strncmp(word, "-O", 2) == 0) {
        j->level = word;
    } else if ((strcmp(word, "-l") == 0 || strcmp(word, "-L") == 0) && next) {
        push(j, &j->link, arena_printf(&j->app->mem, "%s%s", word, next));
        *used_next = true;
    } else if (strncmp(word, "-l", 2) == 0 || strncmp(word, "-L", 2) == 0 ||
               strncmp(word, "-Wl,", 4) == 0 || is_object(word) || strcmp(word, "-pthread") == 0) {
        push(j, &j->link, word);
    } else if (word[0] != '-') {
        if (!is_source(word))
            return err_add(err, ERR_INPUT, AT_FILE(word), "is no .cu, .c, .cpp, .o or .a");
        push(j, &j->sources, word);
    } else {
        push(j, &j->compile, word);
        if (takes_value(word) && next) {
            push(j, &j->compile, next);
            *used_next = true;
        }
    }
    return true;
}

static bool read_words(struct job *j, const struct options *o)
{
    for (size_t i = 0; i < o->n_words; i++) {
        bool used_next;
        if (!take_word(j, o->words[i], i + 1 < o->n_words ? o->words[i + 1] : NULL, &used_next))
            return false;
        i += used_next;
    }
    if (j->sources.n == 0 && j->link.n == 0)
        return err_add(&j->app->err, ERR_INPUT, NOWHERE, "no source files");
    if ((j->only_objects || j->only_ptx) && j->output && j->sources.n > 1)
        return err_add(&j->app->err, ERR_INPUT, NOWHERE, "-o names one file, but there are %zu",
                       j->sources.n);
    return true;
}

/* ---- clang ----------------------------------------------------------------------------------- */

static const char *find_clang(struct app *app)
{
    static const char *const names[] = {"clang",    "clang-19", "clang-18", "clang-17",
                                        "clang-16", "clang-15", "clang-14"};
    const char *said = getenv("CROSSWATT_CLANG"), *found = NULL;
    if (said && *said)
        return said;
    for (size_t i = 0; i < sizeof names / sizeof *names && !found; i++)
        found = proc_find(names[i], &app->mem);
    if (!found)
        err_add(&app->err, ERR_MACHINE, NOWHERE,
                "clang is not there: install the Debian package 'clang' (apt-get install clang)");
    return found;
}

static bool run_clang(struct job *j, strings *argv)
{
    struct app *app = j->app;
    struct proc_result r;
    if (j->is_verbose) {
        for (size_t i = 0; i < argv->n; i++)
            fprintf(stderr, "%s%s", i ? " " : "", argv->at[i]);
        fputs("\n", stderr);
    }
    push(j, argv, NULL);
    if (!proc_run(argv->at, NULL, 3600, (size_t)4 << 20, &app->mem, &r, &app->err))
        return false;
    fputs(r.err, stderr);
    fputs(r.out, stdout);
    if (r.status == 0 && !r.timed_out)
        return true;
    if (strstr(r.err, "'thrust/") || strstr(r.err, "'cub/"))
        err_add(&app->err, ERR_INPUT, NOWHERE,
                "Thrust and CUB are not part of crosswatt: install the Debian package "
                "'libthrust-dev' (apt-get install libthrust-dev)");
    if (strstr(r.err, "reference to __global__ function"))
        err_add(&app->err, ERR_INPUT, NOWHERE,
                "crosswatt has no launches from kernels (dynamic parallelism)");
    return err_add(&app->err, ERR_INPUT, NOWHERE, "clang failed");
}

static void push_all(struct job *j, strings *to, const char *const *words)
{
    for (size_t i = 0; words[i]; i++)
        push(j, to, words[i]);
}

static void begin_argv(struct job *j, strings *argv, const char *default_level)
{
    *argv = (strings){0};
    push(j, argv, j->clang);
    push(j, argv, "-I");
    push(j, argv, j->headers);
    push(j, argv, j->level ? j->level : default_level);
}

static bool has_standard(const struct job *j)
{
    for (size_t i = 0; i < j->compile.n; i++)
        if (strncmp(j->compile.at[i], "-std=", 5) == 0)
            return true;
    return false;
}

/* The newest that clang 14 has is sm_86; what it lacks of newer ones it says itself. */
static unsigned machine_for(const struct job *j)
{
    static const unsigned known[] = {86, 80, 75};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (j->machine >= known[i])
            return known[i];
    return 70;
}

/* What both passes of a .cu have in common. */
static void push_cuda(struct job *j, strings *argv)
{
    static const char *const words[] = {"-x",
                                        "cuda",
                                        "--cuda-path=/nonexistent",
                                        "-nocudainc",
                                        "-nocudalib",
                                        "-Xclang",
                                        "-target-sdk-version=11.0",
                                        "-D__CUDACC__",
                                        "-D__NVCC__",
                                        "-include",
                                        "cuda_runtime.h",
                                        "-Wno-unknown-cuda-version",
                                        "-Wno-register",
                                        "-Wno-deprecated-declarations",
                                        "-Wno-pass-failed",     /* a loop that stays as it is */
                                        "-Wno-c++11-narrowing", /* nvcc warns */
                                        "-Wno-reserved-user-defined-literal",
                                        "-Wno-unused-command-line-argument",
                                        NULL};
    push_all(j, argv, words);
    push(j, argv, arena_printf(&j->app->mem, "--cuda-gpu-arch=sm_%u", machine_for(j)));
    if (j->overlay) {
        push(j, argv, "-ivfsoverlay");
        push(j, argv, j->overlay);
    }
    if (!has_standard(j))
        push(j, argv, "-std=gnu++17");
    for (size_t i = 0; i < j->compile.n; i++)
        push(j, argv, j->compile.at[i]);
}

static const char *temporary(struct job *j, const char *source, const char *end)
{
    struct arena *mem = &j->app->mem;
    const char *path = path_join(
        mem, j->folder, arena_printf(mem, "%zu-%s%s", j->n_made++, path_stem(mem, source), end));
    push(j, &j->made, path);
    return path;
}

/* What the optimiser and the back end are told. */
static void push_back_end(struct job *j, strings *argv)
{
    static const char *const words[] = {"-mllvm",
                                        "-nvptx-short-ptr",
                                        "-mllvm",
                                        "-inline-threshold=10000",
                                        "-mllvm", /* as far as nvcc and ptxas 13 unroll together */
                                        "-unroll-threshold=800",
                                        "-mllvm",
                                        "-unroll-partial-threshold=150",
                                        NULL};
    static const char *const ptx63[] = {"-Xclang", "-target-feature", "-Xclang", "+ptx63", NULL};
    static const char *const ptx71[] = {"-Xclang", "-target-feature", "-Xclang", "+ptx71", NULL};
    /* -prec-div=false -prec-sqrt=false of nvcc */
    static const char *const fast[] = {"-mllvm", "-nvptx-prec-divf32=1", "-mllvm",
                                       "-nvptx-prec-sqrtf32=0", NULL};
    push_all(j, argv, words);
    push_all(j, argv, machine_for(j) < 80 ? ptx63 : ptx71);
    if (j->is_fast)
        push_all(j, argv, fast);
}

/* Options that only the step from the source to PTX understands as a whole. */
static bool wants_one_step(const struct job *j)
{
    static const char *const words[] = {"-ffast-math", "-funsafe-math-optimizations"};
    for (size_t i = 0; i < j->compile.n; i++)
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            if (strcmp(j->compile.at[i], words[k]) == 0)
                return true;
    return false;
}

static bool is_option(const strings *of, const char *word)
{
    for (size_t i = 0; i < of->n; i++)
        if (strcmp(of->at[i], word) == 0)
            return true;
    return false;
}

static void push_internal(struct job *j, strings *argv, const strings *from)
{
    for (size_t i = 0; i + 1 < from->n; i++)
        if (strcmp(from->at[i], "-mllvm") == 0) {
            push(j, argv, from->at[i]);
            push(j, argv, from->at[++i]);
        }
}

/* What the first step left before any optimisation, to PTX. */
static bool finish_device(struct job *j, const char *llvm, const char *ptx)
{
    static const char *const words[] = {"-x",
                                        "ir",
                                        "--target=nvptx64-nvidia-cuda",
                                        "-S",
                                        "-Wno-pass-failed",
                                        "-Wno-unused-command-line-argument",
                                        "-Xclang",
                                        "-fcuda-is-device",
                                        "-Xclang",
                                        "-fcuda-short-ptr",
                                        "-Xclang",
                                        "-target-cpu",
                                        "-Xclang",
                                        NULL};
    bool fuses = !is_option(&j->device, "-ffp-contract=off") &&
                 !is_option(&j->compile, "-ffp-contract=off") &&
                 !is_option(&j->compile, "-ffp-contract=on");
    strings argv;
    begin_argv(j, &argv, "-O3");
    push_all(j, &argv, words);
    push(j, &argv, arena_printf(&j->app->mem, "sm_%u", machine_for(j)));
    push_back_end(j, &argv);
    push(j, &argv, "-mllvm");
    push(j, &argv, fuses ? "-nvptx-fma-level=2" : "-nvptx-fma-level=0");
    push_internal(j, &argv, &j->compile);
    push_internal(j, &argv, &j->device);
    push(j, &argv, llvm);
    push(j, &argv, "-o");
    push(j, &argv, ptx);
    return run_clang(j, &argv);
}

static bool compile_device(struct job *j, const char *source, const char *ptx)
{
    static const char *const words[] = {"--cuda-device-only", "-S", "-gline-tables-only",
                                        "-fcuda-short-ptr", /* 32 bits, as nvcc has them */
                                        NULL};
    static const char *const before[] = {"-emit-llvm", "-Xclang", "-disable-llvm-passes", NULL};
    bool two_steps = !wants_one_step(j);
    const char *llvm = two_steps ? temporary(j, source, ".ll") : ptx, *level = j->level;
    strings argv;
    j->level = NULL; /* -O0 would leave a kernel that no GPU ever runs */
    begin_argv(j, &argv, "-O3");
    push_cuda(j, &argv);
    push_all(j, &argv, words);
    push_back_end(j, &argv);
    if (two_steps)
        push_all(j, &argv, before);
    if (j->is_fast)
        push(j, &argv, "-fcuda-flush-denormals-to-zero"); /* -ftz=true */
    for (size_t i = 0; i < j->device.n; i++)
        push(j, &argv, j->device.at[i]);
    push(j, &argv, source);
    push(j, &argv, "-o");
    push(j, &argv, llvm);
    bool ok =
        run_clang(j, &argv) &&
        (!two_steps || (cc_mend_llvm(llvm, j->headers, j->is_fast, &j->app->mem, &j->app->err) &&
                        finish_device(j, llvm, ptx)));
    j->level = level;
    return ok && cc_mend_ptx(ptx, &j->app->mem, &j->app->err);
}

/* A function that ends without the value it promised is an accident of many programs (Parboil's
   readers) whose result nobody uses; clang would let it run on into the next function. */
static const char no_strict_return[] = "-fno-strict-return";

static bool compile_host(struct job *j, const char *source, const char *ptx, const char *object)
{
    static const char *const words[] = {"--cuda-host-only",         "-c",      "-fPIE", "-Xclang",
                                        "-fcuda-include-gpubinary", "-Xclang", NULL};
    strings argv;
    begin_argv(j, &argv, "-O2");
    push(j, &argv, no_strict_return);
    push_cuda(j, &argv);
    push_all(j, &argv, words);
    push(j, &argv, ptx);
    push(j, &argv, source);
    push(j, &argv, "-o");
    push(j, &argv, object);
    return run_clang(j, &argv);
}

static bool compile_plain(struct job *j, const char *source, const char *object)
{
    bool is_c = ends_with(source, ".c");
    strings argv;
    begin_argv(j, &argv, "-O2");
    push(j, &argv, no_strict_return);
    for (size_t i = 0; i < j->compile.n; i++)
        if (!(is_c && strncmp(j->compile.at[i], "-std=c++", 8) == 0) &&
            !(is_c && strncmp(j->compile.at[i], "-std=gnu++", 10) == 0))
            push(j, &argv, j->compile.at[i]);
    push(j, &argv, "-fPIE");
    push(j, &argv, "-c");
    push(j, &argv, source);
    push(j, &argv, "-o");
    push(j, &argv, object);
    return run_clang(j, &argv);
}

static const char *beside(struct job *j, const char *source, const char *end)
{
    return j->output ? j->output
                     : arena_printf(&j->app->mem, "%s%s", path_stem(&j->app->mem, source), end);
}

/* What clang writes is mended before anybody reads it: "-" goes by a file. */
static bool print_ptx(struct job *j, const char *ptx)
{
    char *text;
    size_t n;
    if (!file_read(ptx, (size_t)1 << 30, &j->app->mem, &text, &n, &j->app->err))
        return false;
    if (fwrite(text, 1, n, stdout) != n || fflush(stdout) != 0)
        return err_add(&j->app->err, ERR_MACHINE, NOWHERE, "the PTX cannot be written: %s",
                       strerror(errno));
    return true;
}

static bool compile_one(struct job *j, const char *source)
{
    const char *object = j->only_objects ? beside(j, source, ".o") : temporary(j, source, ".o");
    if (!file_exists(source))
        return err_add(&j->app->err, ERR_INPUT, AT_FILE(source), "there is no such file");
    if (!j->is_cuda && !ends_with(source, ".cu")) {
        if (!j->only_ptx && !compile_plain(j, source, object))
            return false;
    } else {
        bool is_printed = j->only_ptx && j->output && strcmp(j->output, "-") == 0;
        const char *ptx =
            j->only_ptx && !is_printed ? beside(j, source, ".ptx") : temporary(j, source, ".ptx");
        const char *stem = path_base(temporary(j, source, ""));
        push(j, &j->made,
             path_join(&j->app->mem, j->folder, arena_printf(&j->app->mem, "%s.source", stem)));
        push(j, &j->made,
             path_join(&j->app->mem, j->folder, arena_printf(&j->app->mem, "%s.overlay", stem)));
        if (!cc_mend_source(source, j->folder, stem, &j->app->mem, &j->overlay, &j->app->err))
            return false;
        if (!compile_device(j, source, ptx) ||
            (!j->only_ptx && !compile_host(j, source, ptx, object)) ||
            (is_printed && !print_ptx(j, ptx)))
            return false;
    }
    if (!j->only_objects)
        push(j, &j->link, object);
    return true;
}

static bool link_all(struct job *j)
{
    struct arena *mem = &j->app->mem;
    strings argv = {0};
    push(j, &argv, j->clang);
    push(j, &argv, "--driver-mode=g++");
    push(j, &argv, "-pie");
    for (size_t i = 0; i < j->link.n; i++)
        if (strncmp(j->link.at[i], "-", 1) != 0)
            push(j, &argv, j->link.at[i]);
    for (size_t i = 0; i < j->link.n; i++)
        if (strncmp(j->link.at[i], "-", 1) == 0)
            push(j, &argv, j->link.at[i]);
    for (size_t i = 0; i < j->compile.n; i++)
        if (strncmp(j->compile.at[i], "-fopenmp", 8) == 0 ||
            strncmp(j->compile.at[i], "-fsanitize", 10) == 0)
            push(j, &argv, j->compile.at[i]);
    push(j, &argv, arena_printf(mem, "-L%s", j->library));
    push(j, &argv, arena_printf(mem, "-Wl,-rpath,%s", j->library));
    push(j, &argv, "-lcrosswatt_cudart");
    push(j, &argv, "-lm");
    push(j, &argv, "-o");
    push(j, &argv, j->output ? j->output : "a.out");
    if (run_clang(j, &argv))
        return true;
    for (size_t i = 0; i < j->lacking.n; i++)
        err_add(&j->app->err, ERR_INPUT, NOWHERE, "crosswatt has no %s",
                strcmp(j->lacking.at[i], "-lcuda") == 0 ? "CUDA driver API (-lcuda)"
                                                        : j->lacking.at[i] + 2);
    return false;
}

static int run(struct app *app, const struct options *o)
{
    struct job j = {.app = app};
    const char *tmp = getenv("TMPDIR");
    char *folder = arena_printf(&app->mem, "%s/crosswatt-cc.XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!read_words(&j, o))
        return exit_status_of(&app->err);
    j.clang = find_clang(app);
    j.library = program_library(&app->mem, &app->err);
    j.headers = path_join(&app->mem, app->data_dir, "cuda/include");
    if (!j.clang || !j.library)
        return exit_status_of(&app->err);
    if (!file_exists(j.headers)) {
        err_add(&app->err, ERR_MACHINE, AT_FILE(j.headers), "the headers are not there");
        return EXIT_MACHINE;
    }
    if (!mkdtemp(folder)) {
        err_add(&app->err, ERR_MACHINE, AT_FILE(folder), "cannot be made: %s", strerror(errno));
        return EXIT_MACHINE;
    }
    j.folder = folder;
    bool ok = true;
    for (size_t i = 0; i < j.sources.n; i++)
        ok = compile_one(&j, j.sources.at[i]) && ok;
    if (ok && !j.only_objects && !j.only_ptx)
        ok = link_all(&j);
    for (size_t i = 0; i < j.made.n; i++)
        unlink(j.made.at[i]);
    rmdir(folder);
    return ok ? EXIT_DONE : exit_status_of(&app->err);
}

static const struct option_def options[] = {{NULL, 0, NULL, NULL}};

const struct command cmd_cc = {
    .name = "cc",
    .args = "PROG.cu [MORE.cu HOST.c …] -o PROG [clang options]",
    .meaning = "compile a CUDA program with clang alone, to be run without a GPU",
    .text =
        "Sources are compiled as they are, with headers of ours and without any NVIDIA tool\n"
        "(docs/cuda-programs.md). Options are clang's; what makefiles for nvcc say besides\n"
        "(-arch, -gencode, -Xcompiler, -lcudart, …) is understood or has no effect. -ptx stops\n"
        "at the PTX, -c at objects. What crosswatt lacks is an error that names it.\n",
    .options = options,
    .least_words = 1,
    .most_words = 100000,
    .reads_no_config = true,
    .word_rule = WORDS_ALL,
    .run = run,
};
