/* SPDX-License-Identifier: MIT
 *
 * sim/gpu/kernels.h: the kernels of a run: which begin, where their CTAs go, when they end. */
#ifndef CW_SIM_GPU_KERNELS_H
#define CW_SIM_GPU_KERNELS_H

#include <stdbool.h>
#include <stdint.h>

struct gpu;
struct gpu_run;
struct launch;

/* The launches of all programs, in order. False: an error says which does not fit or cannot run. */
bool kernels_make(struct gpu *g, const struct gpu_run *run);

/* Starts what may start: the next kernel of each program, or of all of them in turn. */
void kernels_begin(struct gpu *g);

/* CTAs go to SMs with room, as the policy says. False: a trace could not be read. */
bool kernels_place(struct gpu *g);

/* What nobody waited for has come: a kernel with prefetches ends with the last of them. */
bool kernel_is_drained(const struct gpu *g, const struct launch *l);

void kernel_end(struct gpu *g, struct launch *l);

/* Do programs run again and again until a window ends (sim.restart)? */
bool kernels_begin_again(const struct gpu *g);

/* Has a program that is through begin again; programs one after the other, when all are. */
void kernels_restart(struct gpu *g, uint32_t program);

/* After a cycle's CTAs have ended and begun: a cluster without any rests if no more are left
 * (compat.cluster_order). */
void kernels_end_turns(struct gpu *g);

#endif
