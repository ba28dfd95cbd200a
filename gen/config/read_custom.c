/* SPDX-License-Identifier: MIT
 *
 * Lists of groups: the routers, links and routes of a custom network, the user's components. */
#include <string.h>

#include "base/near.h"
#include "base/printable.h"
#include "gen/config/read_value.h"
#include "gen/config/setting.h"

/* One member of such a group. */
struct member {
    const char *name;
    bool is_text, is_needed;
    double lo, hi;
    size_t offset;
    enum { M_TEXT, M_U32, M_I32, M_REAL } type;
};

#define TEXT(n, s, f)                                                                              \
    {                                                                                              \
        n, true, true, 0, 0, offsetof(struct s, f), M_TEXT                                         \
    }
#define OPTIONAL_TEXT(n, s, f)                                                                     \
    {                                                                                              \
        n, true, false, 0, 0, offsetof(struct s, f), M_TEXT                                        \
    }
#define U32(n, s, f, h)                                                                            \
    {                                                                                              \
        n, false, false, 0, h, offsetof(struct s, f), M_U32                                        \
    }
#define I32(n, s, f, h)                                                                            \
    {                                                                                              \
        n, false, false, 0, h, offsetof(struct s, f), M_I32                                        \
    }
#define REAL(n, s, f, h)                                                                           \
    {                                                                                              \
        n, false, false, 0, h, offsetof(struct s, f), M_REAL                                       \
    }

static const struct member router_members[] = {
    TEXT("name", noc_custom_router, name),
    U32("inputs", noc_custom_router, n_in, 65535),
    U32("outputs", noc_custom_router, n_out, 65535),
};
static const struct member link_members[] = {
    TEXT("from", noc_custom_link, from),
    TEXT("to", noc_custom_link, to),
    I32("from_port", noc_custom_link, from_port, 65534),
    I32("to_port", noc_custom_link, to_port, 65534),
    REAL("length_mm", noc_custom_link, length_mm, 100),
};
static const struct member route_members[] = {
    TEXT("at", noc_custom_route, router),
    TEXT("to", noc_custom_route, to),
    TEXT("via", noc_custom_route, via),
    U32("vc_class", noc_custom_route, vc_class, 15),
};

static const struct member user_members[] = {
    TEXT("name", user_component, name),
    OPTIONAL_TEXT("statistic", user_component, statistic),
    REAL("energy_pj", user_component, energy_pj, 1e12),
    REAL("leakage_mw", user_component, leakage_mw, 1e9),
    REAL("area_mm2", user_component, area_mm2, 1e6),
    U32("instances", user_component, instances, 1000000),
};

static const struct list_shape {
    const char *path;
    const struct member *members;
    size_t n_members, size, at_offset;
} shapes[] = {
    {"noc.custom.routers", router_members, 3, sizeof(struct noc_custom_router),
     offsetof(struct noc_custom_router, at)},
    {"noc.custom.links", link_members, 5, sizeof(struct noc_custom_link),
     offsetof(struct noc_custom_link, at)},
    {"noc.custom.routes", route_members, 4, sizeof(struct noc_custom_route),
     offsetof(struct noc_custom_route, at)},
    {"energy.user", user_members, 6, sizeof(struct user_component),
     offsetof(struct user_component, at)},
};

static bool read_member(const struct member *m, const config_setting_t *s, struct where at,
                        struct arena *mem, char *element, struct err *err)
{
    if (m->is_text) {
        if (config_setting_type(s) != CONFIG_TYPE_STRING)
            return err_add(err, ERR_INPUT, at, "%s: expected text, found %s", m->name,
                           setting_type_name(s));
        const char *text = config_setting_get_string(s);
        if (printable_text(mem, text) != text)
            return err_add(err, ERR_INPUT, at, "%s: '%s' holds control characters", m->name,
                           printable_text(mem, text));
        *(const char **)(element + m->offset) = arena_strdup(mem, text);
        return true;
    }
    if (!setting_is_number(s) || (m->type != M_REAL && config_setting_type(s) == CONFIG_TYPE_FLOAT))
        return err_add(err, ERR_INPUT, at, "%s: expected a %snumber, found %s", m->name,
                       m->type == M_REAL ? "" : "whole ", setting_type_name(s));
    double v = setting_number(s);
    if (!(v >= m->lo && v <= m->hi))
        return err_add(err, ERR_INPUT, at, "%s: %g is not in %g..%g", m->name, v, m->lo, m->hi);
    switch (m->type) {
    case M_U32: *(uint32_t *)(element + m->offset) = (uint32_t)v; break;
    case M_I32: *(int32_t *)(element + m->offset) = (int32_t)v; break;
    case M_REAL: memcpy(element + m->offset, &v, sizeof v); break;
    case M_TEXT: break;
    }
    return true;
}

static bool read_element(const struct list_shape *shape, const config_setting_t *s, struct where at,
                         struct arena *mem, char *element, struct err *err)
{
    if (!config_setting_is_group(s))
        return err_add(err, ERR_INPUT, at, "expected groups { … } in the list, found %s",
                       setting_type_name(s));
    bool ok = true;
    uint32_t seen = 0;
    for (size_t m = 0; m < shape->n_members; m++) {
        if (shape->members[m].type == M_I32)
            *(int32_t *)(element + shape->members[m].offset) = -1;
    }
    for (int i = 0; i < config_setting_length(s); i++) {
        const config_setting_t *e = config_setting_get_elem(s, (unsigned)i);
        const char *name = config_setting_name(e);
        const char *names[8];
        size_t m = 0;
        for (; m < shape->n_members; m++) {
            names[m] = shape->members[m].name;
            if (strcmp(names[m], name) == 0)
                break;
        }
        if (m < shape->n_members) {
            seen |= 1u << m;
            ok &= read_member(&shape->members[m], e, at, mem, element, err);
            continue;
        }
        const char *near = near_hint(name, names, shape->n_members, mem);
        ok = err_add(err, ERR_INPUT, at, "unknown member '%s'%s", name, near);
    }
    for (size_t m = 0; m < shape->n_members; m++) {
        if (shape->members[m].is_needed && !(seen >> m & 1))
            ok = err_add(err, ERR_INPUT, at, "'%s' is missing", shape->members[m].name);
    }
    return ok;
}

bool read_custom_list(const struct key *key, int net, const config_setting_t *s, struct where at,
                      struct arena *mem, struct arch *arch, struct err *err)
{
    const struct list_shape *shape = NULL;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        if (strcmp(shapes[i].path, key->path) == 0)
            shape = &shapes[i];
    }
    if (!shape)
        return err_add(err, ERR_INPUT, at, "this list cannot be read");
    uint32_t n = (uint32_t)config_setting_length(s);
    char *list = arena_array(mem, n + 1, shape->size);
    bool ok = true;
    for (uint32_t i = 0; i < n; i++) {
        const config_setting_t *e = config_setting_get_elem(s, i);
        struct where here = {at.file, config_setting_source_line(e), at.key};
        char *element = list + i * shape->size;
        memcpy(element + shape->at_offset, &here, sizeof here);
        ok &= read_element(shape, e, here, mem, element, err);
    }
    if (!ok)
        return false;
    for (int k = 0; k < (key->per_network ? 2 : 1); k++) {
        if (key->per_network && net != KEY_ALL_NETS && k != net)
            continue;
        memcpy(key_place(key, arch, k), &list, sizeof list);
        memcpy((char *)arch + key->count_offset + (k ? sizeof(struct arch_net) : 0), &n, sizeof n);
    }
    return true;
}
