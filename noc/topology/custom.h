/* SPDX-License-Identifier: MIT
 *
 * noc/topology/custom.h: a network as the user listed it, resolved: custom.c reads the lists,
 * custom_routes.c finds the routes. Not for other folders. */
#ifndef CW_NOC_TOPOLOGY_CUSTOM_H
#define CW_NOC_TOPOLOGY_CUSTOM_H

#include "base/map.h"
#include "base/vec.h"
#include "noc/build.h"

/* One end of a link: a router, or some SM ports or LLC slices. */
struct custom_end {
    enum { CUSTOM_ROUTER, CUSTOM_SM, CUSTOM_LLC } kind;
    uint32_t first, last; /* router index, or SM ports or slices of a range */
};

/* One channel to be. */
struct custom_channel {
    bool from_endpoint, to_endpoint;
    uint32_t from, to;                  /* router or endpoint index */
    int32_t from_port, to_port;         /* -1: next free */
    double length_mm;                   /* 0: by class */
    const struct noc_custom_link *link; /* for messages */
};

struct custom_links { /* links between routers, by router */
    uint32_t *first;  /* [router], n_routers + 1 */
    uint32_t *channel;
};

struct custom {
    const struct noc_params *params;
    enum noc_dir dir;
    struct arena *mem; /* scratch */
    struct err *err;
    struct map names; /* router name -> index */
    VEC(struct custom_channel) channels;
    uint32_t *n_in, *n_out;      /* [router] ports */
    uint32_t *eject_at;          /* [endpoint] router, or NOC_NONE */
    uint16_t *eject_port;        /* [endpoint] */
    struct custom_links out, in; /* channels between routers that leave and enter a router */
    bool is_mirrored;            /* a reply network made from the links of the request network */
    uint32_t classes; /* route classes per message that the listed routes use; 1 without any */
};

/* "r0", "sm 3", "sm 0-9", "llc *". False and an error at `at` for anything else. */
bool custom_parse_end(struct custom *c, const char *text, struct where at, struct custom_end *out);

/* Is endpoint e a destination in this direction? */
static inline bool custom_is_dest(const struct custom *c, uint32_t e)
{
    return c->dir == NOC_BOTH || (e >= c->params->n_sm_ports) == (c->dir == NOC_REQUEST);
}

/* How routes are made. */
enum custom_method { CUSTOM_TABLE, CUSTOM_SHORTEST, CUSTOM_UP_DOWN };

/* Are there routes in the config for this direction's destinations? Sets c->classes. */
bool custom_has_routes(struct custom *c, bool *ok);
/* Adds the rules of all routers. `root`: where up* / down* routing begins. */
bool custom_add_rules(struct custom *c, struct noc_builder *b, enum custom_method method,
                      uint32_t root);

#endif
