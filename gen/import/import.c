/* SPDX-License-Identifier: MIT */
#include "gen/import/import.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"

#define FILE_MAX (1u << 22)

void import_init(struct import *im, struct arena *mem, struct err *err)
{
    *im = (struct import){.mem = mem, .err = err};
    for (size_t i = 0; i < F_TRANSLATED; i++)
        vec_push(mem, &im->seen,
                 (struct seen){.option = &foreign_options[i], .value = foreign_options[i].value});
}

/* ---- what was said ---- */

static void take(struct import *im, const struct given *g)
{
    const struct foreign_option *o = foreign_find(g->name);
    if (!o) {
        err_add(im->err, ERR_INPUT, AT_LINE(g->file, g->line), "option '%s' is not known%s",
                g->name,
                strcmp(g->name, "-config") == 0
                    ? ": name the other file behind this one on the command line"
                    : foreign_hint(g->name, im->mem));
        im->n_fates[FATE_REFUSED]++;
        return;
    }
    struct seen s = {.option = o,
                     .said_as = g->name,
                     .value = g->value ? g->value : "1",
                     .file = g->file,
                     .line = g->line};
    size_t i = 0;
    while (i < im->seen.n && im->seen.at[i].option != o)
        i++;
    if (i == im->seen.n) {
        vec_push(im->mem, &im->seen, s);
        return;
    }
    struct seen before = im->seen.at[i];
    im->seen.at[i] = s;
    if (before.line) {
        before.fate = FATE_OVERRULED;
        before.reason = arena_printf(im->mem, "said again in %s:%d", path_base(g->file), g->line);
        vec_push(im->mem, &im->seen, before); /* behind the one that counts, which is found first */
    }
    if (o >= foreign_options + F_TIME_INT && o <= foreign_options + F_TIME_SFU)
        im->has_units = true;
}

bool import_parse(struct import *im, const char *file, const char *text, size_t n, struct err *err)
{
    given_list all = {0};
    bool ok = path_ends_with(file, ".icnt")
                  ? given_read_network(file, text, n, im->mem, &all, err)
                  : given_read_options(file, text, n, foreign_is_switch, im->mem, &all, err);
    for (size_t i = 0; i < all.n; i++)
        take(im, &all.at[i]);
    vec_push(im->mem, &im->files, arena_strdup(im->mem, file));
    return ok;
}

static bool read_file(struct import *im, const char *file, struct err *err)
{
    char *text;
    size_t n;
    for (size_t i = 0; i < im->files.n; i++)
        if (!strcmp(im->files.at[i], file))
            return true;
    return file_read(file, FILE_MAX, im->mem, &text, &n, err) &&
           import_parse(im, file, text, n, err);
}

static bool is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* gpgpusim.config, trace.config; the network's file is named by an option. */
static bool read_folder(struct import *im, const char *dir, struct err *err)
{
    bool any = false, ok = true;
    static const char *const names[] = {"gpgpusim.config", "trace.config"};
    for (size_t i = 0; i < 2; i++) {
        const char *path = path_join(im->mem, dir, names[i]);
        if (file_exists(path)) {
            any = true;
            ok &= read_file(im, path, err);
        }
    }
    if (!any)
        return err_add(err, ERR_INPUT, AT_FILE(dir),
                       "the folder has neither gpgpusim.config nor trace.config");
    return ok;
}

bool import_read(struct import *im, const struct import_request *request, struct err *err)
{
    size_t errors = err->n_errors;
    bool has_network = false;
    im->is_approximate = request->approximate;
    im->with_launch = request->with_launch_latency;
    for (size_t i = 0; i < request->n_files; i++) {
        const char *path = request->files[i];
        has_network |= path_ends_with(path, ".icnt");
        if (is_folder(path))
            read_folder(im, path, err);
        else
            read_file(im, path, err);
    }
    /* the network's file, where there is one and nobody named it */
    const struct seen *mode = &im->seen.at[F_NETWORK], *icnt = &im->seen.at[F_ICNT_FILE];
    if (err->n_errors == errors && !has_network && !strcmp(mode->value, "1")) {
        if (!icnt->line)
            err_add(err, ERR_INPUT, (struct where){mode->file, mode->line, "-network_mode"},
                    "a simulated network needs its file: -inter_config_file, or name it here");
        else
            read_file(im,
                      icnt->value[0] == '/'
                          ? icnt->value
                          : path_join(im->mem, path_dir(im->mem, icnt->file), icnt->value),
                      err);
    }
    return err->n_errors == errors;
}

/* ---- for the parts ---- */

bool im_is_given(const struct import *im, enum foreign_id id)
{
    return im->seen.at[id].line != 0;
}

const char *im_text(struct import *im, enum foreign_id id)
{
    struct seen *s = &im->seen.at[id];
    if (s->fate == FATE_UNSEEN)
        s->fate = FATE_TRANSLATED;
    return s->value ? s->value : "";
}

static struct where where_of(const struct import *im, enum foreign_id id)
{
    const struct seen *s = &im->seen.at[id];
    return (struct where){s->file, s->line, s->line ? s->said_as : s->option->name};
}

uint32_t im_int(struct import *im, enum foreign_id id, uint32_t lo, uint32_t hi)
{
    const char *text = im_text(im, id);
    char *end;
    /* a leading zero is octal, 0x hexadecimal, as GPGPU-Sim reads them */
    unsigned long long v = strtoull(text, &end, 0);
    if (*text && *text != '-' && !*end && v >= lo && v <= hi)
        return (uint32_t)v;
    im->seen.at[id].fate = FATE_REFUSED;
    err_add(im->err, ERR_INPUT, where_of(im, id), "'%s' is not a whole number in %u..%u", text, lo,
            hi);
    return lo;
}

bool im_switch(struct import *im, enum foreign_id id)
{
    return im_int(im, id, 0, 1) == 1;
}

size_t im_numbers(const char *text, const char *separators, double *out, size_t most)
{
    size_t n = 0;
    for (const char *p = text; n < most;) {
        char *end;
        out[n] = strtod(p, &end);
        if (end == p || !isfinite(out[n]))
            return 0;
        n++;
        if (!*end)
            return n;
        if (!strchr(separators, *end))
            return 0;
        p = end + 1;
    }
    return 0;
}

void im_put(struct import *im, const char *key, const enum foreign_id *from, size_t n_from,
            const char *fmt, ...)
{
    struct line l = {.key = key, .n_from = (uint32_t)n_from};
    struct buf b;
    va_list ap;
    buf_init(&b, im->mem, 4096);
    va_start(ap, fmt);
    buf_vprintf(&b, fmt, ap);
    va_end(ap);
    l.value = b.data;
    for (size_t i = 0; i < n_from; i++) {
        l.from[i] = from[i];
        im_text(im, from[i]);
    }
    vec_push(im->mem, &im->lines, l);
}

void im_remark(struct import *im, const char *text)
{
    im->lines.at[im->lines.n - 1].remark = text;
}

void im_note(struct import *im, const char *fmt, ...)
{
    struct buf b;
    va_list ap;
    buf_init(&b, im->mem, 4096);
    va_start(ap, fmt);
    buf_vprintf(&b, fmt, ap);
    va_end(ap);
    vec_push(im->mem, &im->notes, b.data);
}

bool im_refuse(struct import *im, enum foreign_id id, const char *fmt, ...)
{
    struct seen *s = &im->seen.at[id];
    struct buf b;
    va_list ap;
    buf_init(&b, im->mem, 4096);
    va_start(ap, fmt);
    buf_vprintf(&b, fmt, ap);
    va_end(ap);
    s->reason = b.data;
    if (im->is_approximate) {
        s->fate = FATE_APPROXIMATE;
        return true;
    }
    s->fate = FATE_REFUSED;
    return err_add(im->err, ERR_INPUT, where_of(im, id), "'%s'%s is refused: %s",
                   s->value ? s->value : "", s->line ? "" : " (GPGPU-Sim's default)", b.data);
}

void im_without_effect(struct import *im, enum foreign_id id, const char *why)
{
    struct seen *s = &im->seen.at[id];
    if (s->fate == FATE_UNSEEN) {
        s->fate = FATE_IRRELEVANT;
        s->reason = why;
    }
}

/* ---- a cache's string ---- */

/* The next field of `*p`: its letter, or its number. */
static bool letter(const char **p, const char *legal, char *out)
{
    if (!**p || !strchr(legal, **p))
        return false;
    *out = *(*p)++;
    return true;
}

static bool number(const char **p, uint32_t *out)
{
    uint64_t v = 0;
    if (**p < '0' || **p > '9')
        return false;
    for (; **p >= '0' && **p <= '9'; (*p)++) {
        v = v * 10 + (uint64_t)(**p - '0');
        if (v > 1u << 24)
            return false;
    }
    *out = (uint32_t)v;
    return true;
}

static bool comma(const char **p, char c)
{
    return *(*p)++ == c;
}

static bool read_cache(const char *p, struct cache_string *c)
{
    char type = 'N', replace;
    *c = (struct cache_string){.index = 'L'};
    if (!strcmp(p, "none")) {
        c->is_none = true;
        return true;
    }
    if (*p < '0' || *p > '9') {
        if (!letter(&p, "NS", &type) || !comma(&p, ':'))
            return false;
    }
    c->is_sectored = type == 'S';
    if (!number(&p, &c->sets) || !comma(&p, ':') || !number(&p, &c->line) || !comma(&p, ':') ||
        !number(&p, &c->ways) || !comma(&p, ',') || !letter(&p, "LF", &replace) ||
        !comma(&p, ':') || !letter(&p, "RBTEL", &c->write) || !comma(&p, ':') ||
        !letter(&p, "mfs", &c->allocate) || !comma(&p, ':') ||
        !letter(&p, "NWFL", &c->write_allocate))
        return false;
    c->is_fifo = replace == 'F';
    if (*p == ':' && (p++, !letter(&p, "LHPXC", &c->index)))
        return false;
    if (!comma(&p, ',') || !letter(&p, "ASFT", &c->mshr) || !comma(&p, ':') ||
        !number(&p, &c->entries) || !comma(&p, ':') || !number(&p, &c->merges) || !comma(&p, ',') ||
        !number(&p, &c->miss_queue))
        return false;
    if (*p == ':' && (p++, !number(&p, &c->fifo)))
        return false;
    if (*p == ',' && (p++, !number(&p, &c->port)))
        return false;
    return !*p && c->sets && c->line && c->ways && c->entries && c->merges && c->miss_queue &&
           (uint64_t)c->sets * c->line * c->ways <= 1u << 26;
}

bool im_cache(struct import *im, enum foreign_id id, struct cache_string *out)
{
    const char *text = im_text(im, id);
    if (read_cache(text, out))
        return true;
    im->seen.at[id].fate = FATE_REFUSED;
    err_add(im->err, ERR_INPUT, where_of(im, id),
            "'%s' is not a cache: [N|S:]sets:line:ways,[L|F]:[R|B|T|E|L]:[m|f|s]:[N|W|F|L]"
            "[:L|H|P|X],[A|S|F|T]:entries:merges,queue[:fifo[,port]]",
            text);
    return false;
}

/* ---- all of it ---- */

static bool is_among(const char *value, const char *legal)
{
    for (const char *p = legal; *p;) {
        size_t n = strcspn(p, "|");
        if (p[n ? n - 1 : 0] == '*' ? !strncmp(value, p, n - 1)
                                    : strlen(value) == n && !strncmp(value, p, n))
            return true;
        p += n + (p[n] == '|');
    }
    return false;
}

/* What no part asks for: one legal value, or a reason. */
static void judge(struct import *im, struct seen *s)
{
    const struct foreign_option *o = s->option;
    if (o->kind == FOREIGN_IRRELEVANT) {
        s->fate = FATE_IRRELEVANT;
        s->reason = o->text;
        return;
    }
    s->reason = o->text;
    if (is_among(s->value, o->legal)) {
        s->fate = FATE_TRANSLATED;
        s->reason = "as here";
        return;
    }
    s->fate = im->is_approximate ? FATE_APPROXIMATE : FATE_REFUSED;
    if (!im->is_approximate)
        err_add(im->err, ERR_INPUT, (struct where){s->file, s->line, s->said_as},
                "'%s'%s is refused, only %s is translated: %s", s->value,
                s->line ? "" : ", the default where nobody says it,", o->legal, o->text);
}

/* Options of one way that nobody gave: the simulator's default may be another way. */
static void judge_defaults(struct import *im)
{
    bool has_network = !strcmp(im->seen.at[F_NETWORK].value, "1");
    for (size_t i = F_TRANSLATED; i < n_foreign_options; i++) {
        const struct foreign_option *o = &foreign_options[i];
        if (o->kind != FOREIGN_ONLY || is_among(o->value, o->legal) ||
            (o->name[0] != '-' && !has_network))
            continue;
        size_t k = 0;
        while (k < im->seen.n && im->seen.at[k].option != o)
            k++;
        if (k == im->seen.n)
            vec_push(im->mem, &im->seen,
                     (struct seen){.option = o, .said_as = o->name, .value = o->value});
    }
}

bool import_translate(struct import *im)
{
    size_t errors = im->err->n_errors;
    judge_defaults(im);
    import_chip(im);
    import_sm(im);
    import_l1(im);
    import_network(im);
    import_memory(im);
    import_energy(im);
    bool is_refused = im->err->n_errors > errors; /* parts may have ended before their last row */
    for (size_t i = 0; i < im->seen.n; i++) {
        struct seen *s = &im->seen.at[i];
        if (s->fate == FATE_UNSEEN && s->option->kind != FOREIGN_KEYS)
            judge(im, s);
        if (s->fate == FATE_UNSEEN && s->line && !is_refused) /* a row that no part reads */
            err_add(im->err, ERR_INPUT, (struct where){s->file, s->line, s->said_as},
                    "is in the table and was not translated: a defect of import");
        if (s->line)
            im->n_fates[s->fate]++;
    }
    return im->err->n_errors == errors;
}
