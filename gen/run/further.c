/* SPDX-License-Identifier: MIT */
#include "gen/run/further.h"

#include "base/arena.h"
#include "base/err.h"

static double speed(const struct gpu_program *p)
{
    return p->cycles ? (double)p->warp_insts / (double)p->cycles : 0;
}

bool further_solo(const struct sim_setup *setup, const struct gpu *shared,
                  const struct gpu_run *run, struct solo_program *out, struct stat_totals *totals,
                  struct arena *mem, struct err *err)
{
    totals->stp = totals->antt = 0;
    for (uint32_t p = 0; p < run->n_programs; p++) {
        struct gpu *alone = sim_setup_gpu(setup, mem, err);
        struct gpu_run one = {.programs = run->programs + p, .n_programs = 1};
        if (!alone || !gpu_run(alone, &one))
            return false;
        gpu_program_result(shared, p, &out[p].shared);
        gpu_program_result(alone, 0, &out[p].solo);
        double a = speed(&out[p].shared), b = speed(&out[p].solo);
        if (a <= 0 || b <= 0)
            return err_add(err, ERR_INPUT, (struct where){NULL, 0, "sim.max_cycles"},
                           "program %u issued nothing before the end: nothing to compare", p + 1);
        out[p].progress = a / b;
        totals->stp += a / b;
        totals->antt += b / a / run->n_programs;
    }
    return true;
}

bool further_half_width(const struct sim_setup *setup, const char *data_dir,
                        const struct gpu_run *run, struct stat_totals *totals, struct arena *mem,
                        struct err *err)
{
    struct arch *arch = arena_new(mem, struct arch);
    struct sim_setup half;
    if (!setup->config.noc[0] && !setup->arch->gpu.local_serial)
        return err_add(err, ERR_INPUT, (struct where){NULL, 0, "gpu.network"},
                       "the idealised crossbar moves packets of any length in a cycle: its width "
                       "means nothing (gpu.local.serial = true gives it one)");
    *arch = *setup->arch;
    for (int n = 0; n < 2; n++) {
        uint32_t *w = &arch->noc[n].params.width_bits;
        if (*w < 16)
            return err_add(err, ERR_INPUT, (struct where){NULL, 0, "noc.width"},
                           "%u bits cannot be halved", *w);
        *w /= 2;
    }
    if (!sim_setup_make(arch, data_dir, false, 1, mem, &half, err))
        return false;
    half.timing = setup->timing; /* the width alone */
    struct gpu *g = sim_setup_gpu(&half, mem, err);
    struct gpu_run again = {.programs = run->programs, .n_programs = run->n_programs};
    if (!g || !gpu_run(g, &again))
        return false;
    struct stat_totals narrow;
    stats_of_gpu(g, &narrow);
    totals->has_demand = true;
    totals->demand_percent =
        100 * (1 - narrow.thread_insts / narrow.cycles / (totals->thread_insts / totals->cycles));
    return true;
}
