/* SPDX-License-Identifier: MIT
 *
 * Keys that had another name. */
#include <string.h>

#include "base/arena.h"
#include "gen/config/keys.h"

static const struct {
    const char *old, *path;
    bool is_accepted; /* still read, with a note */
} renames[] = {
    {"gpu.same_code", "compat.kernels_share_code_address", false},
    {"gpu.sum_clocks", "compat.clock_edges", false},
    {"sm.atomics_wait", "compat.atomics_stall_warp", false},
    {"sm.const.is_int", "compat.constant_loads_are_int", false},
    {"sm.texture.is_int", "compat.texture_loads_are_int", false},
    {"dram.moving_priority", "compat.dram_turn_moves_in_clock", false},
    {"dram.group_low", "compat.bank_group_in_low_bits", false},
    {"dram.write_early", "compat.dram_write_before_trcd", false},
    {"llc.split_lines", "llc.sectors_one_by_one", true},
};

const char *key_renamed(const char *path, struct arena *mem, bool *is_accepted)
{
    static const char *const nets[] = {"noc.request.", "noc.reply."};
    const char *rest = path, *net = NULL;
    for (int i = 0; i < 2; i++)
        if (strncmp(path, nets[i], strlen(nets[i])) == 0) {
            net = nets[i];
            rest = arena_printf(mem, "noc.%s", path + strlen(net));
        }
    for (size_t i = 0; i < sizeof renames / sizeof *renames; i++) {
        if (strcmp(renames[i].old, rest) != 0)
            continue;
        *is_accepted = renames[i].is_accepted;
        return net ? arena_printf(mem, "%s%s", net, renames[i].path + strlen("noc."))
                   : renames[i].path;
    }
    return NULL;
}
