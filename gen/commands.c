/* SPDX-License-Identifier: MIT */
#include "gen/command.h"

/* clang-format off */
#define COMMANDS(X) \
    X(cc)           \
    X(check)        \
    X(cluster)      \
    X(compare)      \
    X(cost)         \
    X(cost_array)   \
    X(cost_cell)    \
    X(cost_link)    \
    X(cost_network) \
    X(cost_router)  \
    X(docs)         \
    X(explore)      \
    X(gen)          \
    X(import)       \
    X(keys)         \
    X(net)          \
    X(power)        \
    X(reproduce)    \
    X(results)      \
    X(run)          \
    X(show)         \
    X(silicon)      \
    X(sim)          \
    X(stats)        \
    X(trace)
/* clang-format on */

#define X(name) extern const struct command cmd_##name;
COMMANDS(X)
#undef X

const struct command *const commands[] = {
#define X(name) &cmd_##name,
    COMMANDS(X)
#undef X
        NULL,
};
