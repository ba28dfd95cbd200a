/* SPDX-License-Identifier: MIT */
#include "gen/report/describe.h"

#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/map.h"
#include "base/printable.h"
#include "base/vec.h"
#include "gen/config/keys.h"
#include "gen/price/assumptions.h"

const char *const describe_parts[] = {"buffers",    "crossbars", "allocators",
                                      "clock tree", "repeaters", "other"};
const size_t n_describe_parts = sizeof describe_parts / sizeof *describe_parts;

/* Where a part of the cost model goes in the picture. */
static size_t shown_part(enum cost_part p)
{
    switch (p) {
    case PART_BUFFER: return 0;
    case PART_CROSSBAR: return 1;
    case PART_ALLOCATOR: return 2;
    case PART_CLOCK: return 3;
    case PART_REPEATER: return 4;
    case PART_ARRAY:
    case PART_OTHER:
    case PART_COUNT: break;
    }
    return 5;
}

static bool is_network(const struct book_class *cls)
{
    return cls->kind == CK_ROUTER || cls->kind == CK_CHANNEL;
}

static const char *engines_of(const struct priced *p, struct arena *mem)
{
    struct buf b;
    buf_init(&b, mem, 1024);
    static const struct {
        enum component_kind kind;
        const char *what;
    } whats[] = {{CK_ROUTER, "routers"},
                 {CK_CHANNEL, "channels"},
                 {CK_ARRAY, "arrays"},
                 {CK_SM_CORE, "SM core, controllers and DRAM"}};
    for (size_t i = 0; i < sizeof whats / sizeof *whats; i++) {
        for (uint32_t k = 0; k < p->book.n_classes; k++) {
            const struct cost *c = &p->book.costs[k];
            if (p->classes[k].kind != whats[i].kind)
                continue;
            buf_printf(&b, "%s%s: %s, %s", b.len ? "; " : "", whats[i].what, c->engine,
                       c->technology);
            break;
        }
    }
    return b.data;
}

static const char *note_of(const struct priced *p, struct arena *mem)
{
    struct buf b;
    buf_init(&b, mem, 4096);
    for (uint32_t i = 0; i < p->n_notes; i++)
        buf_printf(&b, "%s%s", i ? "; " : "", p->notes[i]);
    return b.data;
}

static double gbps(const struct priced *p, uint64_t bits_per_cycle)
{
    return (double)bits_per_cycle / 8 * p->clock.clock_ghz;
}

void describe_design(const struct priced *p, const char *name, struct arena *mem,
                     struct report_design *out)
{
    const struct design *d = p->design;
    struct report_design x = {.name = name, .file = d->arch->file, .note = note_of(p, mem)};
    x.notes = (const char *const *)p->notes;
    x.n_notes = p->n_notes;
    double wire_mm2 = 0, leakage_w = 0, active_mm2 = 0;
    for (uint32_t k = 0; k < p->book.n_classes; k++) {
        const struct cost *c = &p->book.costs[k];
        double n = p->classes[k].instances;
        if (!is_network(&p->classes[k]))
            continue;
        for (int part = 0; part < PART_COUNT; part++)
            x.area_mm2[shown_part((enum cost_part)part)] += 1e-6 * n * c->area_um2[part];
        active_mm2 += 1e-6 * n * cost_area_um2(c);
        wire_mm2 += 1e-6 * n * c->wire_area_um2;
        leakage_w += n * cost_leakage_w(c);
    }
    double routers = d->request_counts.routers, buffers = d->request_counts.vc_buffers,
           links = d->request_counts.links;
    if (d->has_reply) {
        routers += d->reply_counts.routers;
        buffers += d->reply_counts.vc_buffers;
        links += d->reply_counts.links;
    }
    const struct report_fact facts[] = {
        {"NoC clock", "GHz", p->clock.clock_ghz, 3},
        {"routers could do", "GHz", p->clock.fmax_ghz, 3},
        {"routers", "", routers, 0},
        {"VC buffers", "", buffers, 0},
        {"links", "", links, 0},
        {"bisection, request", "GB/s", gbps(p, d->request_facts.bisection_bits), 0},
        {"bisection, reply", "GB/s", d->has_reply ? gbps(p, d->reply_facts.bisection_bits) : NAN,
         0},
        {"peak injection, requests", "GB/s", gbps(p, d->request_facts.injection_bits), 0},
        {"peak injection, replies", "GB/s",
         d->has_reply ? gbps(p, d->reply_facts.injection_bits) : NAN, 0},
        {"peak ejection, requests", "GB/s", gbps(p, d->request_facts.ejection_bits), 0},
        {"peak ejection, replies", "GB/s",
         d->has_reply ? gbps(p, d->reply_facts.ejection_bits) : NAN, 0},
        {"longest path", "routers", d->request_facts.max_hops, 0},
        {"active area", "mm²", active_mm2, 2},
        {"global wires", "mm²", wire_mm2, 2},
        {"leakage", "W", leakage_w, 2},
    };
    struct report_fact *copy = arena_many(mem, struct report_fact, sizeof facts / sizeof *facts);
    memcpy(copy, facts, sizeof facts);
    x.facts = copy;
    x.n_facts = sizeof facts / sizeof *facts;
    x.hash = arch_hash(d->arch, mem);
    x.engines = engines_of(p, mem);
    *out = x;
}

const char **describe_names(const char *const *files, size_t n, struct arena *mem)
{
    const char **names = arena_many(mem, const char *, n);
    for (size_t i = 0; i < n; i++)
        names[i] = printable_text(mem, path_stem(mem, files[i]));
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            if (strcmp(names[i], names[j]) == 0) {
                /* the same file name in two folders: the folder tells them apart */
                const char *dir = printable_text(mem, path_base(path_dir(mem, files[i])));
                names[i] = arena_printf(mem, "%s/%s", dir, names[i]);
                if (strcmp(names[i], names[j]) == 0)
                    names[i] = arena_printf(mem, "%s (%zu)", names[i], i + 1);
            }
        }
    }
    return names;
}

static const char *value_text(const struct key *key, const struct arch *arch, int net,
                              struct arena *mem)
{
    struct buf b;
    buf_init(&b, mem, 4096);
    key_add_value(key, arch, net, &b);
    if (key->unit[0])
        buf_printf(&b, " %s", key->unit);
    return b.data;
}

struct report_key *describe_differences(const struct arch *const *archs, size_t n,
                                        struct arena *mem, size_t *n_out)
{
    VEC(struct report_key) list = {0};
    for (size_t k = 0; k < n_keys; k++) {
        for (int net = 0; net < (keys[k].per_network ? 2 : 1); net++) {
            bool differs = false;
            for (size_t i = 1; i < n; i++)
                differs |= !key_equal(&keys[k], archs[0], net, archs[i], net);
            /* where both networks differ in the same way, once is enough */
            bool twin = net == 1;
            for (size_t i = 0; twin && i < n; i++)
                twin = key_equal(&keys[k], archs[i], 0, archs[i], 1);
            if (!differs || twin)
                continue;
            struct report_key row = {keys[k].path, arena_many(mem, const char *, n)};
            if (keys[k].per_network && strncmp(row.path, "noc.", 4) == 0) {
                bool same = true;
                for (size_t i = 0; i < n; i++)
                    same &= key_equal(&keys[k], archs[i], 0, archs[i], 1);
                if (!same)
                    row.path =
                        arena_printf(mem, "noc.%s.%s", net ? "reply" : "request", keys[k].path + 4);
            }
            for (size_t i = 0; i < n; i++)
                row.values[i] = value_text(&keys[k], archs[i], net, mem);
            vec_push(mem, &list, row);
        }
    }
    *n_out = list.n;
    return list.at;
}
