/* SPDX-License-Identifier: MIT
 *
 * Wires across straight cuts of the die. A channel runs between its ends without detours, so it
 * crosses a cut between them once, whichever way it turns. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "noc/topology.h"

struct edge { /* where a bundle of wires begins (+) or ends (-) */
    double at;
    int64_t wires;
};

static int by_place(const void *x, const void *y)
{
    const struct edge *a = x, *b = y;
    if (a->at != b->at)
        return a->at < b->at ? -1 : 1;
    return (a->wires > b->wires) - (a->wires < b->wires); /* ends first: they do not overlap */
}

static double place_of(const struct noc *noc, enum noc_node node, uint32_t i, bool is_x)
{
    if (node == NOC_ROUTER)
        return is_x ? noc->routers[i].x_mm : noc->routers[i].y_mm;
    return is_x ? noc->endpoints[i].x_mm : noc->endpoints[i].y_mm;
}

static size_t edges_of(const struct noc *noc, bool is_x, struct edge *out)
{
    for (uint32_t c = 0; c < noc->n_channels; c++) {
        const struct noc_channel *ch = &noc->channels[c];
        double a = place_of(noc, ch->src_node, ch->src, is_x);
        double b = place_of(noc, ch->dst_node, ch->dst, is_x);
        *out++ = (struct edge){fmin(a, b), ch->width_bits};
        *out++ = (struct edge){fmax(a, b), -(int64_t)ch->width_bits};
    }
    return 2 * (size_t)noc->n_channels;
}

/* The fullest cut, and those at equal distances. */
static void cut_one_way(const struct edge *edges, size_t n, double extent, double length, bool is_x,
                        struct noc_cut out[NOC_CUTS_ONE_WAY])
{
    struct noc_cut proto = {.is_vertical = is_x, .length_mm = length};
    for (int k = 0; k < NOC_CUTS_ONE_WAY; k++) {
        out[k] = proto;
        out[k].at_mm = k ? extent * k / NOC_CUTS_ONE_WAY : extent / 2;
    }
    int64_t wires = 0, most = 0;
    for (size_t i = 0; i < n; i++) {
        double from = edges[i].at, to = i + 1 < n ? edges[i + 1].at : extent;
        wires += edges[i].wires;
        if (to > from && wires > most) {
            most = wires;
            out[0].at_mm = (from + to) / 2;
            out[0].wires = (uint64_t)wires;
        }
        for (int k = 1; k < NOC_CUTS_ONE_WAY; k++)
            if (out[k].at_mm >= from && out[k].at_mm < to)
                out[k].wires = (uint64_t)wires;
    }
    out[0].is_fullest = true;
}

void noc_cuts(const struct noc_floorplan *die, const struct noc *request, const struct noc *reply,
              struct noc_cut out[NOC_CUTS])
{
    struct arena mem;
    arena_init(&mem, NULL, NULL);
    size_t channels = (size_t)request->n_channels + (reply ? reply->n_channels : 0);
    struct edge *edges = arena_many(&mem, struct edge, 2 * channels + 1);
    for (int is_x = 1; is_x >= 0; is_x--) {
        size_t n = edges_of(request, is_x, edges);
        if (reply)
            n += edges_of(reply, is_x, edges + n);
        qsort(edges, n, sizeof *edges, by_place);
        cut_one_way(edges, n, is_x ? die->width_mm : die->height_mm,
                    is_x ? die->height_mm : die->width_mm, is_x,
                    out + (is_x ? 0 : NOC_CUTS_ONE_WAY));
    }
    arena_free(&mem);
}
