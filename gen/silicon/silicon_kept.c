/* SPDX-License-Identifier: MIT */
#include "gen/silicon/silicon_kept.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/csv.h"
#include "base/file.h"
#include "base/map.h"
#include "gen/config/keys.h"
#include "gen/store/sources.h"
#include "gen/workload/trace_front.h"

#define MOST_TABLE ((size_t)1 << 20)

/* Keys that say nothing about the machine. */
static bool is_beside(const char *path)
{
    static const char *const beginnings[] = {"cta.",        "sim.",         "synth.",
                                             "energy.user", "energy.cache", "energy.timeout"};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (strncmp(path, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    return false;
}

const char *silicon_kept_name(const struct arch *arch, struct arena *mem)
{
    struct buf b;
    buf_init(&b, mem, BUF_NO_MAX);
    for (size_t k = 0; k < n_keys; k++)
        for (int net = 0; net < (keys[k].per_network ? 2 : 1); net++) {
            enum origin_kind kind = key_origin(&keys[k], arch, net)->kind;
            if (is_beside(keys[k].path) || kind == ORIGIN_DEFAULT || kind == ORIGIN_DERIVED)
                continue;
            buf_printf(&b, "%s %d ", keys[k].path, net);
            key_add_value(&keys[k], arch, net, &b);
            buf_putc(&b, '\n');
        }
    return arena_printf(mem, "%016llx", (unsigned long long)map_hash_bytes(b.data, b.len, 0));
}

/* ---- the cache ------------------------------------------------------------------------------- */

static const char *cache_path(const char *name, struct arena *mem)
{
    const char *dir = trace_cache_dir(mem);
    return dir[0] ? arena_printf(mem, "%s/silicon-%s-%016llx", dir, name,
                                 (unsigned long long)sources_number())
                  : NULL;
}

static const char *sentence(bool is_measured, const char *title, long long within, long long judged,
                            struct arena *mem)
{
    return is_measured
               ? arena_printf(mem, "%lld of %lld figures of %s within tolerance", within, judged,
                              title)
               : arena_printf(mem, "%lld of %lld figures plausible, no card known", within, judged);
}

void silicon_keep(const struct silicon_report *r, const char *name, struct arena *mem)
{
    const char *path = cache_path(name, mem);
    struct err ignored;
    if (!path)
        return;
    const char *text = sentence(r->is_measured, r->card->title, (long long)r->n_within,
                                (long long)r->n_judged, mem);
    err_init(&ignored);
    if (file_make_dirs(trace_cache_dir(mem), &ignored))
        file_keep(path, text, strlen(text), &ignored); /* what is not kept is measured again */
    err_free(&ignored);
}

/* ---- the table that is shipped --------------------------------------------------------------- */

static const char header[] = "machine,config,card,within,judged\n";

bool silicon_record(const struct silicon_report *r, const char *name, const char *file,
                    struct arena *mem, struct err *err)
{
    struct csv csv = {0};
    struct buf b;
    buf_init(&b, mem, MOST_TABLE);
    buf_add(&b, header);
    if (file_exists(file) && !csv_read(file, mem, &csv, err))
        return false;
    if (csv.n_columns && (csv.n_columns != 5 || csv_column(&csv, "config") != 1))
        return err_add(err, ERR_INPUT, AT_FILE(file), "expected the columns %.*s",
                       (int)strlen(header) - 1, header);
    for (size_t i = 0; i < csv.n_rows; i++) {
        if (strcmp(csv.rows[i][1], r->config) == 0)
            continue;
        for (int c = 0; c < 5; c++) {
            csv_add_field(&b, csv.rows[i][c]);
            buf_putc(&b, c < 4 ? ',' : '\n');
        }
    }
    buf_printf(&b, "%s,", name);
    csv_add_field(&b, r->config);
    buf_putc(&b, ',');
    csv_add_field(&b, r->is_measured ? r->card->title : "");
    buf_printf(&b, ",%zu,%zu\n", r->n_within, r->n_judged);
    return file_write(file, b.data, b.len, err);
}

static const char *of_table(const char *name, const char *file, struct arena *mem)
{
    struct csv csv;
    struct err ignored;
    const char *found = NULL;
    err_init(&ignored);
    if (file_exists(file) && csv_read(file, mem, &csv, &ignored) && csv.n_columns == 5) {
        for (size_t i = 0; i < csv.n_rows; i++) {
            long long within, judged;
            if (strcmp(csv.rows[i][0], name) == 0 && csv_int(&csv, i, 3, &within, &ignored) &&
                csv_int(&csv, i, 4, &judged, &ignored))
                found = sentence(csv.rows[i][2][0] != 0, csv.rows[i][2], within, judged, mem);
        }
    }
    err_free(&ignored);
    return found;
}

const char *silicon_recall(const struct arch *arch, const char *data_dir, struct arena *mem)
{
    const char *name = silicon_kept_name(arch, mem), *path = cache_path(name, mem);
    struct err ignored;
    char *text = NULL;
    size_t n;
    err_init(&ignored);
    bool ok = path && file_exists(path) && file_read(path, 4096, mem, &text, &n, &ignored);
    err_free(&ignored);
    return ok && text[0]
               ? text
               : of_table(name, path_join(mem, data_dir, "cfg/silicon/measured.csv"), mem);
}
