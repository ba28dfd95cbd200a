/* SPDX-License-Identifier: MIT
 *
 * Search in a B+ tree: one block per query, one thread per key of a node. */
#include "device.h"

#define ORDER 256

struct node {
    int location;
    int indices[ORDER + 1];
    int keys[ORDER + 1];
    int is_leaf;
    int n_keys;
};

/* A full tree of height+1 levels whose nodes have `fan` entries; record r has key 2r. One thread per node. */
KERNEL bt_build(node *nodes, int fan, int height, int n_nodes)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= n_nodes)
        return;
    int level = 0, first = 0, width = 1, below = 1;
    for (int i = 0; i < height; i++)
        below *= fan;
    while (id >= first + width) {
        first += width;
        width *= fan;
        below /= fan;
        level++;
    }
    node *me = &nodes[id];
    int at = id - first;
    me->location = id;
    me->is_leaf = level == height;
    me->n_keys = fan;
    for (int i = 0; i <= ORDER; i++) {
        int child = at * fan + i;
        me->keys[i] = i < fan ? 2 * child * below : 0x7fffffff;
        me->indices[i] = i < fan ? (level == height ? child : first + width + child) : -1;
    }
    if (fan <= ORDER)
        me->keys[fan] = 2 * (at + 1) * fan * below;
}

KERNEL bt_find(int height, const node *nodes, int n_nodes, const int *records, int *current,
               int *offset, const int *queries, int *answers)
{
    int t = threadIdx.x, q = blockIdx.x;
    for (int i = 0; i < height; i++) {
        const node *at = &nodes[current[q]];
        if (at->keys[t] <= queries[q] && at->keys[t + 1] > queries[q]) {
            int next = nodes[offset[q]].indices[t];
            if (next < n_nodes)
                offset[q] = next;
        }
        __syncthreads();
        if (t == 0)
            current[q] = offset[q];
        __syncthreads();
    }
    const node *leaf = &nodes[current[q]];
    if (leaf->keys[t] == queries[q] && t < leaf->n_keys)
        answers[q] = records[leaf->indices[t]];
}
