/* SPDX-License-Identifier: MIT
 *
 * Keys and words that had another name. */
#include <string.h>

#include "base/arena.h"
#include "gen/config/keys.h"

const struct key_rename key_renames[] = {
    {"gpu.same_code", "compat.kernels_share_code_address", false},
    {"gpu.sum_clocks", "compat.clock_edges", false},
    {"sm.atomics_wait", "compat.atomics_stall_warp", false},
    {"sm.const.is_int", "compat.constant_loads_are_int", false},
    {"sm.texture.is_int", "compat.texture_loads_are_int", false},
    {"dram.moving_priority", "compat.dram_turn_moves_in_clock", false},
    {"dram.group_low", "compat.bank_group_in_low_bits", false},
    {"dram.write_early", "compat.dram_write_before_trcd", false},
    {"gpu.header", "gpu.packet_header", false},
    {"gpu.switch.queue", "gpu.switch.source_queue", false},
    {"gpu.switch.boundary", "gpu.switch.sink_queue", false},
    {"sm.issue", "sm.issue_per_scheduler", false},
    {"sm.fetches", "sm.fetches_per_cycle", false},
    {"sm.fence_clears", "sm.fence_flushes_l1", false},
    {"l1.skip_global", "l1.bypass_global_loads", false},
    {"l1.pass_at_once", "l1.bypass_skips_pipeline", false},
    {"l1.dirty_percent", "l1.keep_dirty_below", false},
    {"l1.responses", "l1.response_queue", false},
    {"cluster.direct", "cluster.unbuffered", false},
    {"noc.router.st_delay", "noc.router.traversal_delay", false},
    {"noc.router.extra_alloc", "noc.router.extra_alloc_cycles", false},
    {"noc.packet_merge.per_flit", "noc.packet_merge.requests_per_flit", false},
    {"llc.hash", "llc.slice_hash", false},
    {"llc.port", "llc.evict_port", false},
    {"llc.miss_first", "llc.miss_before_writeback", false},
    {"llc.copies_fill", "llc.host_copies_fill", false},
    {"dram.returns", "dram.return_queue", false},
    {"dram.dual_bus", "dram.dual_command_bus", false},
    {"dram.fixed_cycles", "dram.controller_cycles", false},
    {"sim.icl_window", "sim.locality_window", false},
    {"sim.windows", "sim.coalescing_windows", false},
    {"llc.split_lines", "llc.sectors_one_by_one", true},
};
const size_t n_key_renames = sizeof key_renames / sizeof *key_renames;

static const struct {
    const char *path, *old, *word;
} value_renames[] = {
    {"noc.mesh.placement", "edges", "left_right"},
};

const char *key_value_renamed(const char *path, const char *word)
{
    for (size_t i = 0; i < sizeof value_renames / sizeof *value_renames; i++)
        if (strcmp(value_renames[i].path, path) == 0 && strcmp(value_renames[i].old, word) == 0)
            return value_renames[i].word;
    return NULL;
}

const char *key_renamed(const char *path, struct arena *mem, bool *is_accepted)
{
    static const char *const nets[] = {"noc.request.", "noc.reply."};
    const char *rest = path, *net = NULL;
    for (int i = 0; i < 2; i++)
        if (strncmp(path, nets[i], strlen(nets[i])) == 0) {
            net = nets[i];
            rest = arena_printf(mem, "noc.%s", path + strlen(net));
        }
    for (size_t i = 0; i < n_key_renames; i++) {
        if (strcmp(key_renames[i].old, rest) != 0)
            continue;
        *is_accepted = key_renames[i].is_accepted;
        return net ? arena_printf(mem, "%s%s", net, key_renames[i].path + strlen("noc."))
                   : key_renames[i].path;
    }
    return NULL;
}
