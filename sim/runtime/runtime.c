/* SPDX-License-Identifier: MIT
 *
 * Modules, kernels, launches, the trace. */
#include "sim/runtime/runtime.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "sim/runtime/fatbin.h"
#include "sim/runtime/link.h"

static uint64_t heap_allocate(void *ctx, uint64_t bytes)
{
    uint64_t address;
    return runtime_allocate(ctx, RM_DEVICE, bytes ? bytes : 1, &address) == RC_Success ? address
                                                                                       : 0;
}

static void heap_release(void *ctx, uint64_t address)
{
    if (address)
        runtime_free(ctx, address);
}

bool runtime_open(struct runtime *r, const char *program, const struct runtime_settings *settings,
                  struct err *err)
{
    *r = (struct runtime){.settings = *settings,
                          .err = err,
                          .stack_bytes = PTX_DEFAULT_STACK,
                          .pool_reuse = {1, 1, 1}};
    for (size_t i = 0; i < RUNTIME_LIMITS; i++)
        r->limits[i] = (uint64_t)8 << 20;
    arena_init(&r->mem, NULL, NULL);
    r->program = arena_strdup(&r->mem, program);
    if (!ptx_device_begin(&r->device, RUNTIME_WINDOW, err)) {
        arena_free(&r->mem);
        return false;
    }
    r->device.max_bytes = settings->memory_mb << 20;
    r->device.host =
        (struct ptx_host){.ctx = r, .allocate = heap_allocate, .release = heap_release};
    return true;
}

bool runtime_close(struct runtime *r, bool keep_trace)
{
    bool ok = true;
    if (r->trace && keep_trace)
        ok = trace_writer_close(r->trace, r->err);
    else if (r->trace)
        trace_writer_abandon(r->trace);
    r->trace = NULL;
    runtime_free_all(r);
    ptx_device_close(&r->device);
    arena_free(&r->mem);
    return ok;
}

/* ---- modules --------------------------------------------------------------------------------- */

struct runtime_module *runtime_add_module(struct runtime *r, const void *image)
{
    struct runtime_module *m = arena_new(&r->mem, struct runtime_module);
    m->image = image;
    vec_push(&r->mem, &r->modules, m);
    return m;
}

void runtime_add_kernel(struct runtime *r, struct runtime_module *m, const void *key,
                        const char *name)
{
    struct runtime_kernel *k = arena_new(&r->mem, struct runtime_kernel);
    *k = (struct runtime_kernel){.key = key, .name = arena_strdup(&r->mem, name), .module = m};
    vec_push(&r->mem, &r->kernels, k);
}

void runtime_add_variable(struct runtime *r, struct runtime_module *m, const void *key,
                          const char *name, uint64_t bytes)
{
    struct runtime_variable *v = arena_new(&r->mem, struct runtime_variable);
    *v = (struct runtime_variable){
        .key = key, .name = arena_strdup(&r->mem, name), .module = m, .bytes = bytes};
    vec_push(&r->mem, &r->variables, v);
}

void runtime_add_managed(struct runtime *r, struct runtime_module *m, const void *key,
                         const char *name, uint64_t bytes, uint64_t address)
{
    runtime_add_variable(r, m, key, name, bytes);
    r->variables.at[r->variables.n - 1]->managed = address;
}

static struct runtime_module *whole_of(struct runtime_module *m)
{
    return m->whole ? m->whole : m;
}

/* What a variable or function of the module is called where it lies. */
static const char *name_in(struct runtime *r, const struct runtime_module *m, const char *name)
{
    const char *own = m->whole ? link_name(name, m->number, &r->mem) : name;
    if (m->whole && !ptx_find_var(&m->whole->ptx, own) && !ptx_find_func(&m->whole->ptx, own))
        return name;
    return own;
}

static bool place_managed(struct runtime *r, struct runtime_module *m)
{
    for (size_t i = 0; i < r->variables.n; i++) {
        const struct runtime_variable *v = r->variables.at[i];
        if (whole_of(v->module) == m && v->managed &&
            !ptx_device_relocate(&r->device, &m->layout, name_in(r, v->module, v->name),
                                 v->managed))
            return err_add(r->err, ERR_INPUT, AT_FILE(m->ptx.file),
                           "managed variable '%s' is not in the device code", v->name);
    }
    return true;
}

static bool load_text(struct runtime *r, struct runtime_module *m, const char *text, size_t n)
{
    const char *file = arena_printf(&r->mem, "%s (PTX)", path_base(r->program));
    m->tried = true;
    m->ok = ptx_device_add_module(&r->device, file, text, n, &m->ptx, &m->layout, r->err) &&
            place_managed(r, m);
    m->layout.as_ptx = r->settings.as_ptx;
    return m->ok;
}

/* Files of one program whose kernels need each other's functions or variables become one module,
 * once, of all that the program has when it first asks for one. */
static void link_modules(struct runtime *r)
{
    struct link_text *texts = arena_many(&r->mem, struct link_text, r->modules.n + 1);
    struct arena scratch;
    bool needed = false;
    size_t n = 0;
    r->tried_linking = true;
    if (r->modules.n < 2)
        return;
    arena_init(&scratch, r->mem.out_of_memory, r->mem.ctx);
    for (size_t i = 0; i < r->modules.n; i++) {
        struct runtime_module *m = r->modules.at[i];
        struct link_text *t = &texts[n];
        struct err none; /* one that has no PTX says so when it is used */
        err_init(&none);
        if (fatbin_ptx(m->image, &r->mem, &t->text, &t->n, &none)) {
            needed |= link_is_needed(t, &scratch);
            m->number = n++;
        } else {
            m->number = SIZE_MAX;
        }
        err_free(&none);
    }
    arena_free(&scratch);
    if (!needed || n < 2)
        return;
    struct runtime_module *whole = arena_new(&r->mem, struct runtime_module);
    size_t length;
    const char *text = link_texts(texts, n, &r->mem, &length);
    for (size_t i = 0; i < r->modules.n; i++)
        if (r->modules.at[i]->number != SIZE_MAX)
            r->modules.at[i]->whole = whole;
    load_text(r, whole, text, length);
}

bool runtime_load(struct runtime *r, struct runtime_module *m)
{
    const char *text;
    size_t n;
    if (!r->tried_linking)
        link_modules(r);
    if (m->whole)
        return m->whole->ok;
    if (m->tried)
        return m->ok;
    m->tried = true;
    return fatbin_ptx(m->image, &r->mem, &text, &n, r->err) && load_text(r, m, text, n);
}

struct runtime_kernel *runtime_find_kernel(struct runtime *r, const void *key,
                                           enum runtime_code *code)
{
    struct runtime_kernel *k = NULL;
    *code = RC_ErrorInvalidDeviceFunction;
    for (size_t i = 0; i < r->kernels.n && !k; i++)
        if (r->kernels.at[i]->key == key)
            k = r->kernels.at[i];
    if (!k)
        return NULL;
    if (!k->tried) {
        k->tried = true;
        k->ok = runtime_load(r, k->module) &&
                ptx_decode(&whole_of(k->module)->layout, name_in(r, k->module, k->name),
                           &r->device.mem, &k->code, r->err);
        k->code.name = runtime_plain_name(k->name, &r->mem);
    }
    *code = k->ok ? RC_Success : RC_ErrorInvalidPtx;
    return k->ok ? k : NULL;
}

const struct ptx_kernel *runtime_kernel(struct runtime *r, const void *key, enum runtime_code *code)
{
    struct runtime_kernel *k = runtime_find_kernel(r, key, code);
    return k ? &k->code : NULL;
}

enum runtime_code runtime_symbol(struct runtime *r, const void *key, uint64_t *address,
                                 uint64_t *bytes)
{
    for (size_t i = 0; i < r->variables.n; i++) {
        struct runtime_variable *v = r->variables.at[i];
        if (v->key != key)
            continue;
        if (!runtime_load(r, v->module))
            return RC_ErrorInvalidPtx;
        *address = ptx_symbol_address(&whole_of(v->module)->layout, name_in(r, v->module, v->name));
        *bytes = v->bytes;
        return *address ? RC_Success : RC_ErrorInvalidSymbol;
    }
    return RC_ErrorInvalidSymbol;
}

/* ---- the trace ------------------------------------------------------------------------------- */

/* A name of a mangled one: digits say how long it is. */
static const char *take_source_name(const char **at, struct arena *mem)
{
    size_t n = 0;
    const char *s = *at;
    for (; isdigit((unsigned char)*s) && n < 10000; s++)
        n = n * 10 + (size_t)(*s - '0');
    if (n == 0 || strlen(s) < n)
        return NULL;
    *at = s + n;
    return strncmp(s, "_GLOBAL__N", 10) == 0 ? "" : arena_strndup(mem, s, n);
}

const char *runtime_plain_name(const char *mangled, struct arena *mem)
{
    const char *at = mangled, *name, *whole = "";
    if (strncmp(at, "_Z", 2) != 0)
        return mangled;
    at += 2;
    bool nested = *at == 'N';
    at += nested;
    at += *at == 'L'; /* of one file */
    while ((name = take_source_name(&at, mem))) {
        if (*name)
            whole = *whole ? arena_printf(mem, "%s::%s", whole, name) : name;
        if (!nested)
            break;
        at += *at == 'L';
    }
    return *whole ? whole : mangled;
}

static bool is_chosen(const struct runtime *r, const char *name)
{
    const char *want = r->settings.kernels;
    struct arena mem;
    bool found = !want || !*want;
    if (r->n_launches < r->settings.first_launch || r->n_launches > r->settings.last_launch)
        return false;
    arena_init(&mem, NULL, NULL);
    while (!found && *want) {
        size_t n = strcspn(want, ",");
        found = n && strstr(name, arena_strndup(&mem, want, n));
        want += n + (want[n] == ',');
    }
    arena_free(&mem);
    return found;
}

/* The first process that launches takes the name; others add their number to it. */
static const char *trace_path(struct runtime *r)
{
    const char *path = r->settings.trace;
    if (!r->settings.report)
        return path;
    int fd =
        open(path_join(&r->mem, r->settings.report, "first"), O_CREAT | O_EXCL | O_WRONLY, 0666);
    if (fd >= 0) {
        close(fd);
        return path;
    }
    const char *dot = strrchr(path, '.');
    size_t stem = dot && !strchr(dot, '/') ? (size_t)(dot - path) : strlen(path);
    return arena_printf(&r->mem, "%.*s.%ld%s", (int)stem, path, (long)getpid(), path + stem);
}

static bool open_trace(struct runtime *r)
{
    if (r->trace || !r->settings.trace)
        return true;
    if (!r->trace_failed)
        r->trace = trace_writer_open(trace_path(r), path_stem(&r->mem, r->program), r->err);
    r->trace_failed = !r->trace;
    return r->trace != NULL;
}

/* ---- launches -------------------------------------------------------------------------------- */

#define PLAIN_SHARED_BYTES 49152u /* of a block whose kernel asks for no more */

uint64_t runtime_most_dynamic(const struct runtime *r, const struct runtime_kernel *k)
{
    uint64_t most = r->settings.shared_bytes;
    return most > k->code.shared_bytes ? most - k->code.shared_bytes : 0;
}

uint64_t runtime_dynamic_limit(const struct runtime *r, const struct runtime_kernel *k)
{
    uint64_t plain =
        PLAIN_SHARED_BYTES > k->code.shared_bytes ? PLAIN_SHARED_BYTES - k->code.shared_bytes : 0;
    uint64_t most = runtime_most_dynamic(r, k);
    uint64_t limit = k->dynamic_limit > plain ? k->dynamic_limit : plain;
    return limit < most ? limit : most;
}

static __attribute__((format(printf, 3, 4))) enum runtime_code
refuse(struct runtime *r, const struct ptx_kernel *k, const char *fmt, ...)
{
    char why[256];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(why, sizeof why, fmt, ap);
    va_end(ap);
    err_add(r->err, ERR_INPUT, NOWHERE, "kernel %s is not launched: %s", k->name, why);
    return RC_ErrorInvalidValue;
}

static enum runtime_code check_dims(struct runtime *r, const struct runtime_kernel *kernel,
                                    const struct runtime_launch *l)
{
    const struct ptx_kernel *k = &kernel->code;
    uint64_t threads = (uint64_t)l->block.x * l->block.y * l->block.z;
    uint64_t ctas = (uint64_t)l->grid.x * l->grid.y;
    if (l->block.x > 1024 || l->block.y > 1024 || l->block.z > 64 || threads == 0 ||
        threads > 1024 || l->grid.x > INT32_MAX || l->grid.y > 65535 || l->grid.z > 65535 ||
        ctas == 0 || l->grid.z == 0 || ctas > UINT32_MAX / l->grid.z)
        return RC_ErrorInvalidConfiguration;
    if (k->shared_bytes > r->settings.shared_bytes)
        return RC_ErrorInvalidValue;
    if (l->shared > runtime_dynamic_limit(r, kernel))
        return refuse(r, k,
                      "%zu bytes of dynamic shared memory, where it may have %llu "
                      "(cudaFuncSetAttribute raises that to %llu)",
                      l->shared, (unsigned long long)runtime_dynamic_limit(r, kernel),
                      (unsigned long long)runtime_most_dynamic(r, kernel));
    if (threads > ptx_max_threads(k->func))
        return refuse(r, k, "%llu threads a block, compiled for at most %llu",
                      (unsigned long long)threads, (unsigned long long)ptx_max_threads(k->func));
    const uint32_t *exact = k->func->reqntid;
    if (exact[0] && (exact[0] != l->block.x || exact[1] != l->block.y || exact[2] != l->block.z))
        return refuse(r, k, "it is compiled for blocks of %u x %u x %u", exact[0], exact[1],
                      exact[2]);
    if (l->args == NULL && k->func->n_params)
        return RC_ErrorInvalidValue;
    uint32_t each =
        l->cooperative ? runtime_occupancy(r, k, (uint32_t)threads, l->shared) : UINT32_MAX;
    return ctas * l->grid.z <= (uint64_t)each * (uint64_t)r->settings.sms
               ? RC_Success
               : RC_ErrorCooperativeLaunchTooLarge;
}

static enum runtime_code code_of(enum ptx_fault_kind fault)
{
    switch (fault) {
    case PTX_BAD_ADDRESS: return RC_ErrorIllegalAddress;
    case PTX_MISALIGNED: return RC_ErrorMisalignedAddress;
    case PTX_ASSERTED: return RC_ErrorAssert;
    case PTX_NO_FAULT:
    case PTX_OTHER_FAULT: break;
    }
    return RC_ErrorLaunchFailure;
}

enum runtime_code runtime_launch(struct runtime *r, const struct runtime_launch *l)
{
    enum runtime_code code;
    if (r->sticky)
        return r->sticky;
    const struct runtime_kernel *kernel = runtime_find_kernel(r, l->kernel, &code);
    r->kernel_failed |= !kernel;
    if (!kernel || (code = check_dims(r, kernel, l)) != RC_Success)
        return code;
    const struct ptx_kernel *k = &kernel->code;
    struct arena scratch;
    arena_init(&scratch, NULL, NULL);
    uint8_t *params = arena_alloc(&scratch, k->param_bytes + 16);
    for (uint32_t i = 0; i < k->func->n_params; i++)
        memcpy(params + k->param_offsets[i], l->args[i], k->func->params[i]->bytes);
    struct trace_sink sink;
    struct ptx_counts counts = {0};
    struct ptx_launch launch = {.kernel = k,
                                .grid = l->grid,
                                .block = l->block,
                                .dynamic_shared = (uint32_t)l->shared,
                                .params = params,
                                .cooperative = l->cooperative,
                                .stack_bytes = r->stack_bytes,
                                .max_warp_insts = (uint64_t)1 << 34,
                                .tell_after = (uint64_t)1 << 26,
                                .reads_outside = r->settings.outside,
                                .writes_outside = r->settings.outside,
                                .n_sms = (uint32_t)r->settings.sms,
                                .races = r->settings.all_races ? PTX_RACES_ALL : PTX_RACES_NOTE};
    r->n_launches++;
    bool record = r->settings.trace && is_chosen(r, k->name) && open_trace(r);
    if (record)
        sink = trace_writer_sink(r->trace);
    /* the program goes on as if the kernel were still running: the next call hears of a fault */
    if (!ptx_run(&r->device, &launch, record ? &sink : NULL, &counts, r->err)) {
        r->sticky = code_of(r->device.fault);
        r->kernel_failed = true;
    }
    r->n_recorded += record;
    r->warp_insts += counts.warp_insts;
    r->thread_insts += counts.thread_insts;
    arena_free(&scratch);
    return RC_Success;
}

uint32_t runtime_occupancy(const struct runtime *r, const struct ptx_kernel *k, uint32_t threads,
                           size_t dynamic_shared)
{
    const struct runtime_settings *s = &r->settings;
    if (threads == 0 || threads > 1024)
        return 0;
    uint64_t warps = (threads + 31) / 32, n = s->ctas;
    uint64_t regs = (k->max_live + 7) / 8 * 8 * 32 * warps;
    uint64_t shared = k->shared_bytes + dynamic_shared;
    n = s->threads / (warps * 32) < n ? s->threads / (warps * 32) : n;
    if (regs)
        n = s->registers / regs < n ? s->registers / regs : n;
    if (shared)
        n = s->shared_bytes / shared < n ? s->shared_bytes / shared : n;
    return (uint32_t)n;
}

/* ---- textures -------------------------------------------------------------------------------- */

static void show_textures(struct runtime *r)
{
    r->device.textures = r->textures.at;
    r->device.n_textures = (uint32_t)r->textures.n;
}

void runtime_bind(struct runtime *r, const struct ptx_texture *t)
{
    runtime_unbind(r, t->handle);
    vec_push(&r->mem, &r->textures, *t);
    show_textures(r);
}

bool runtime_unbind(struct runtime *r, uint64_t handle)
{
    for (size_t i = 0; i < r->textures.n; i++)
        if (r->textures.at[i].handle == handle) {
            r->textures.at[i] = r->textures.at[--r->textures.n];
            show_textures(r);
            return true;
        }
    return false;
}
