/* SPDX-License-Identifier: MIT */
#include "sim/arrays.h"

static const struct {
    const char *name;
    enum array_scope scope;
    enum array_counting counting;
} roles[ROLE_COUNT] = {
#define X(id, name, scope, events) [ROLE_##id] = {#name, PER_##scope, COUNTS_##events},
    ARRAYS(X)
#undef X
};

static const char *const scopes[ARRAY_SCOPE_COUNT] = {
#define X(id, text) text,
    ARRAY_SCOPES(X)
#undef X
};

const char *array_role_name(enum array_role role)
{
    return roles[role].name;
}

enum array_scope array_role_scope(enum array_role role)
{
    return roles[role].scope;
}

struct array_counts array_role_events(enum array_role role)
{
    enum array_counting c = roles[role].counting;
    bool is_own = c != COUNTS_WITH_ROUTER;
    return (struct array_counts){
        .reads = is_own, .writes = is_own, .searches = c == COUNTS_READ_WRITE_SEARCH};
}

bool array_role_is_in_router(enum array_role role)
{
    return roles[role].counting == COUNTS_WITH_ROUTER;
}

const char *array_scope_text(enum array_scope scope)
{
    return scopes[scope];
}
