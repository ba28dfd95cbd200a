/* SPDX-License-Identifier: MIT
 *
 * Breadth-first search by levels: one thread per node, two kernels per level. */
#include "device.h"

struct node {
    int first, degree;
};

KERNEL bfs_begin(const int *start, node *nodes, unsigned char *mask, unsigned char *visited, int *cost,
                 int source, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n)
        return;
    nodes[v].first = start[v];
    nodes[v].degree = start[v + 1] - start[v];
    if (v == source) {
        mask[v] = 1;
        visited[v] = 1;
        cost[v] = 0;
    }
}

KERNEL bfs_expand(const node *nodes, const int *edges, unsigned char *mask, unsigned char *updating,
                  const unsigned char *visited, int *cost, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n && mask[v]) {
        mask[v] = 0;
        for (int e = nodes[v].first; e < nodes[v].first + nodes[v].degree; e++) {
            int to = edges[e];
            if (!visited[to]) {
                cost[to] = cost[v] + 1;
                updating[to] = 1;
            }
        }
    }
}

KERNEL bfs_update(unsigned char *mask, unsigned char *updating, unsigned char *visited, unsigned *over, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n && updating[v]) {
        mask[v] = 1;
        visited[v] = 1;
        *over = 1;
        updating[v] = 0;
    }
}
