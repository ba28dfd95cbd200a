/* SPDX-License-Identifier: MIT
 *
 * How busy each channel was: as a table, and as a picture of the network. */
#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "base/buf.h"
#include "gen/net/alone.h"

static double use_of(const struct net_point *p, uint32_t net, uint32_t channel)
{
    double cycles = p->result.cycles ? (double)p->result.cycles : 1;
    return (double)p->channel_flits[net][channel] / cycles;
}

void net_write_channels(const struct net_case *c, const struct net_point *p, struct buf *csv)
{
    buf_add(csv, "network,channel,from,from_index,from_port,to,to_index,to_port,flits,"
                 "flits_per_cycle\n");
    for (uint32_t k = 0; k < c->n_nets; k++)
        for (uint32_t i = 0; i < c->nocs[k]->n_channels; i++) {
            const struct noc_channel *ch = &c->nocs[k]->channels[i];
            buf_printf(csv, "%u,%u,%s,%u,%u,%s,%u,%u,%llu,%.6g\n", k, i,
                       ch->src_node == NOC_ROUTER ? "router" : "endpoint", ch->src, ch->src_port,
                       ch->dst_node == NOC_ROUTER ? "router" : "endpoint", ch->dst, ch->dst_port,
                       (unsigned long long)p->channel_flits[k][i], use_of(p, k, i));
        }
}

/* Light grey for idle, over amber, to red for a flit in every cycle. */
static void colour(double use, char out[16])
{
    static const double idle[] = {0xd8, 0xde, 0xe6}, half[] = {0xf5, 0xa6, 0x23},
                        full[] = {0xc8, 0x1e, 0x1e};
    double u = use < 0 ? 0 : use > 1 ? 1 : use;
    int c[3];
    for (int i = 0; i < 3; i++)
        c[i] = (int)(u < 0.5 ? idle[i] + (half[i] - idle[i]) * 2 * u
                             : half[i] + (full[i] - half[i]) * (2 * u - 1));
    snprintf(out, 16, "#%02x%02x%02x", c[0] & 255, c[1] & 255, c[2] & 255);
}

struct place {
    double x, y;
};

#define STEP 90.0
#define EDGE 70.0
#define TOP 24.0 /* for the titles */

/* Row 0 is at the bottom, as in the picture of the network and on the floorplan. */
static struct place router_at(const struct noc *noc, uint32_t r)
{
    double top = 0;
    for (uint32_t i = 0; i < noc->n_routers; i++)
        top = fmax(top, noc->routers[i].y);
    return (struct place){EDGE + STEP * noc->routers[r].x, EDGE + STEP * (top - noc->routers[r].y)};
}

/* Endpoints stand around the router they are at, senders to the left and receivers to the right. */
static struct place endpoint_at(const struct noc *noc, uint32_t router, uint32_t port, bool sends)
{
    struct place p = router_at(noc, router);
    uint32_t n = sends ? noc->routers[router].n_in : noc->routers[router].n_out;
    double turn = ((double)port + 0.5) / n - 0.5, angle = turn * 2.6 + (sends ? 3.14159265 : 0);
    if (n <= 8)
        angle = sends ? 2.5 : 0.65;
    p.x += 30 * cos(angle);
    p.y += 30 * sin(angle);
    return p;
}

static void draw_channel(const struct net_case *c, const struct net_point *p, uint32_t k,
                         uint32_t i, double right, struct buf *svg)
{
    const struct noc *noc = c->nocs[k];
    const struct noc_channel *ch = &noc->channels[i];
    struct place a = ch->src_node == NOC_ROUTER ? router_at(noc, ch->src)
                                                : endpoint_at(noc, ch->dst, ch->dst_port, true);
    struct place b = ch->dst_node == NOC_ROUTER ? router_at(noc, ch->dst)
                                                : endpoint_at(noc, ch->src, ch->src_port, false);
    double dx = b.x - a.x, dy = b.y - a.y, len = sqrt(dx * dx + dy * dy);
    double ox = len > 0 ? -dy / len * 5 : 0, oy = len > 0 ? dx / len * 5 : 0;
    char ink[16];
    double use = use_of(p, k, i);
    colour(use, ink);
    buf_printf(svg,
               "<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='%s' stroke-width='%.1f'>"
               "<title>channel %u: %.3f flits per cycle</title></line>\n",
               a.x + ox + right, a.y + oy + TOP, b.x + ox + right, b.y + oy + TOP, ink,
               3 + 3 * fmin(use, 1), i, use);
}

void net_write_heat(const struct net_case *c, const struct net_point *p, struct buf *svg)
{
    double height = 0, wide[2] = {300, 300};
    assert(c->n_nets <= 2);
    for (uint32_t k = 0; k < c->n_nets; k++) {
        for (uint32_t r = 0; r < c->nocs[k]->n_routers; r++) {
            struct place at = router_at(c->nocs[k], r);
            wide[k] = fmax(wide[k], at.x + EDGE);
            height = fmax(height, at.y + EDGE + TOP);
        }
    }
    buf_printf(svg,
               "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %.0f %.0f' "
               "font-family='sans-serif' font-size='12' role='img'>\n"
               "<title>How busy each channel is: %s at %.3f flits per node and cycle</title>\n"
               "<rect width='100%%' height='100%%' fill='white'/>\n",
               wide[0] + (c->n_nets > 1 ? wide[1] : 0), height + 50, c->name, p->rate);
    for (uint32_t k = 0; k < c->n_nets; k++) {
        double right = k ? wide[0] : 0;
        if (c->n_nets > 1)
            buf_printf(svg, "<text x='%.0f' y='24' font-size='18'>%s network</text>\n", right + 20,
                       k ? "reply" : "request");
        for (uint32_t i = 0; i < c->nocs[k]->n_channels; i++)
            draw_channel(c, p, k, i, right, svg);
        for (uint32_t r = 0; r < c->nocs[k]->n_routers; r++) {
            struct place at = router_at(c->nocs[k], r);
            buf_printf(svg,
                       "<circle cx='%.1f' cy='%.1f' r='11' fill='white' stroke='#333'/>"
                       "<text x='%.1f' y='%.1f' text-anchor='middle'>%u</text>\n",
                       at.x + right, at.y + TOP, at.x + right, at.y + TOP + 4, r);
        }
    }
    for (int i = 0; i <= 20; i++) {
        char ink[16];
        colour(i / 20.0, ink);
        buf_printf(svg, "<rect x='%d' y='%.0f' width='10' height='12' fill='%s'/>\n", 20 + 10 * i,
                   height + 10, ink);
    }
    buf_printf(svg,
               "<text x='20' y='%.0f'>0</text><text x='190' y='%.0f'>1 flit per cycle</text>\n"
               "</svg>\n",
               height + 38, height + 38);
}
