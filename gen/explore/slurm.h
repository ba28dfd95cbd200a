/* SPDX-License-Identifier: MIT
 *
 * gen/explore/slurm.h: an exploration as a Slurm job array of shards, and a job behind it that
 * merges them and writes the report. Each shard writes a file of its own and says when it is whole;
 * the same command submits again only those that are not. Where there is no Slurm it prints what to
 * run by hand. */
#ifndef CW_GEN_EXPLORE_SLURM_H
#define CW_GEN_EXPLORE_SLURM_H

#include <stdint.h>

#include "base/err.h"

struct arena;

struct slurm_request {
    const char *space, *dir;    /* files and folders as the user named them */
    const char *preset;         /* NULL: none */
    const char *sbatch_options; /* "": none */
    uint64_t space_hash;        /* of all that was read for the space */
    bool is_exhaustive, allow_tools, waits, is_quiet;
    unsigned n_shards;
};

/* False and errors. `*is_absent`: there is no Slurm; the commands were printed. */
bool slurm_submit(const struct slurm_request *request, struct arena *mem, bool *is_absent,
                  struct err *err);

/* As many shards as are worth a job each: one for every hundred points that run, at most a
 * thousand. */
unsigned slurm_shards(double n_points);

#endif
