/* SPDX-License-Identifier: MIT
 *
 * References on graphs and trees. */
#include "sim/reference/reference.h"

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

    if (!ref_require(r, is_graph(start, edges, n, n * degree), "start and edges are not a graph"))
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

/* Record i of the tree has key 2i: what a query should find needs no tree. */
static void check_bt(struct ref *r)
{
    int64_t records = ref_int(r, "records", 1, 1 << 26), n = ref_int(r, "queries", 1, 1 << 24);
    const int32_t *wanted = ref_in(r, "wanted", REF_S32, (uint64_t)n);
    double *values = ref_in_real(r, "values", (uint64_t)records);
    double *answers = ref_scratch(r, (uint64_t)n, sizeof *answers);
    int64_t found = 0;

    for (int64_t i = 0; i < n; i++) {
        bool hit = wanted[i] >= 0 && wanted[i] % 2 == 0 && wanted[i] / 2 < records;
        answers[i] = hit ? values[wanted[i] / 2] : -1;
        found += hit;
    }
    ref_require(r, found > 0, "no query should find anything: nothing is tested");
    ref_expect(r, "answers", answers, (uint64_t)n, 0, 0);
}

const struct reference ref_bt = {"bt", "the value found for every query; exact", check_bt};
