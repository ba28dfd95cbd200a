/* SPDX-License-Identifier: MIT
 *
 * References on graphs and trees. */
#include "sim/reference.h"

/* Rows in ascending order inside the edges, targets inside the nodes. */
static bool is_graph(const int32_t *start, const int32_t *edges, int64_t nodes, int64_t n_edges)
{
    for (int64_t v = 0; v < nodes; v++)
        if (start[v] < 0 || start[v] > start[v + 1] || start[v + 1] > n_edges)
            return false;
    for (int64_t e = start[0]; e < start[nodes]; e++)
        if (edges[e] < 0 || edges[e] >= nodes)
            return false;
    return true;
}

/* Breadth-first search with a queue: the number of edges on the shortest path from node 0. */
static void check_bfs(struct ref *r)
{
    int64_t n = ref_int(r, "nodes", 1, 1 << 26), degree = ref_int(r, "degree", 1, 1 << 10);
    const int32_t *start = ref_in(r, "start", REF_S32, (uint64_t)n + 1);
    const int32_t *edges = ref_in(r, "edges", REF_S32, (uint64_t)(n * degree));
    double *cost = ref_scratch(r, (uint64_t)n, sizeof *cost);
    int32_t *queue = ref_scratch(r, (uint64_t)n, sizeof *queue);
    int64_t head = 0, tail = 1;

    if (!ref_require(r, is_graph(start, edges, n, n * degree), "start and edges are no graph"))
        return;
    for (int64_t v = 1; v < n; v++)
        cost[v] = -1;
    while (head < tail) {
        int32_t v = queue[head++];
        for (int32_t e = start[v]; e < start[v + 1]; e++) {
            int32_t to = edges[e];
            if (cost[to] < 0) {
                cost[to] = cost[v] + 1;
                queue[tail++] = to;
            }
        }
    }
    ref_require(r, n == 1 || tail > n / 2, "the search reached %lld of %lld nodes only",
                (long long)tail, (long long)n);
    ref_expect(r, "cost", cost, (uint64_t)n, 0, 0);
}

const struct reference ref_bfs = {"bfs", "distance of every node from node 0; exact", check_bfs};
