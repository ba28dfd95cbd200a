/* SPDX-License-Identifier: MIT
 *
 * gen/explore/slurm.h: an exploration as a Slurm job array of shards, a job that merges them and
 * one that writes the report. Where there is no Slurm it prints what to run by hand. */
#ifndef CW_GEN_EXPLORE_SLURM_H
#define CW_GEN_EXPLORE_SLURM_H

struct app;
struct options;

int slurm_run(struct app *app, const struct options *options);

#endif
