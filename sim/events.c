/* SPDX-License-Identifier: MIT */
#include "sim/events.h"

static const struct {
    const char *id, *text;
    enum component_kind owner;
} events[] = {
#define X(id, text, owner, meaning) {#id, text, CK_##owner},
    SIM_EVENTS(X)
#undef X
};

static const char *const kinds[] = {
#define X(id, text) text,
    COMPONENT_KINDS(X)
#undef X
};

const char *event_text(enum sim_event e)
{
    return events[e].text;
}

const char *event_id(enum sim_event e)
{
    return events[e].id;
}

enum component_kind event_owner(enum sim_event e)
{
    return events[e].owner;
}

const char *component_kind_text(enum component_kind k)
{
    return kinds[k];
}
