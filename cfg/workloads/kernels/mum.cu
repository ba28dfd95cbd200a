/* SPDX-License-Identifier: MIT
 *
 * Matching of DNA queries against a reference: for each place of a query, how long a piece from there
 * on occurs in the reference? One thread per query walks an index of all pieces of the reference (a
 * suffix automaton, Blumer et al. 1985): four edges per node, 16 bytes, at random places. */
#include "device.h"

struct node {
    int next[4]; /* by letter, -1: none */
};

/* Builds the automaton of n letters; at most 2n nodes. One thread. */
KERNEL mum_build(const unsigned char *reference, int n, node *nodes, int *link, int *length)
{
    int used = 1, last = 0;
    for (int c = 0; c < 4; c++)
        nodes[0].next[c] = -1;
    link[0] = -1;
    length[0] = 0;
    for (int i = 0; i < n; i++) {
        int c = reference[i], now = used++, p = last;
        for (int k = 0; k < 4; k++)
            nodes[now].next[k] = -1;
        length[now] = length[last] + 1;
        for (; p >= 0 && nodes[p].next[c] < 0; p = link[p])
            nodes[p].next[c] = now;
        if (p < 0) {
            link[now] = 0;
        } else {
            int q = nodes[p].next[c];
            if (length[p] + 1 == length[q]) {
                link[now] = q;
            } else {
                int copy = used++;
                length[copy] = length[p] + 1;
                nodes[copy] = nodes[q];
                link[copy] = link[q];
                for (; p >= 0 && nodes[p].next[c] == q; p = link[p])
                    nodes[p].next[c] = copy;
                link[q] = copy;
                link[now] = copy;
            }
        }
        last = now;
    }
}

/* Half of the queries are pieces of the reference with a letter changed, the others stay random. */
KERNEL mum_queries(const unsigned char *reference, int n, unsigned char *queries, int letters, int count)
{
    int q = blockIdx.x * blockDim.x + threadIdx.x;
    if (q >= count || q % 2)
        return;
    unsigned from = cw_mix(q) % (n - letters), odd = cw_mix(q + 1) % letters;
    for (int i = 0; i < letters; i++)
        queries[q * letters + i] = (reference[from + i] + (i == (int)odd)) & 3;
}

KERNEL mum_match(const node *nodes, const unsigned char *queries, int *lengths, int letters, int count)
{
    int q = blockIdx.x * blockDim.x + threadIdx.x;
    if (q >= count)
        return;
    for (int start = 0; start < letters; start++) {
        int at = 0, i = start;
        while (i < letters) {
            int next = nodes[at].next[queries[q * letters + i]];
            if (next < 0)
                break;
            at = next;
            i++;
        }
        lengths[q * letters + start] = i - start;
    }
}
