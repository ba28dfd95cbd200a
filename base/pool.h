/* SPDX-License-Identifier: MIT
 *
 * base/pool.h: runs independent jobs on several threads. Jobs are numbered; a job writes only to
 * its own place, so results do not depend on the number of threads. */
#ifndef CW_BASE_POOL_H
#define CW_BASE_POOL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* Does job 0..n-1, each once, in ascending order of start. `*cancel` (may be NULL) set to true
 * keeps further jobs from starting. n_threads 0: as many as there are cores. Returns how many jobs
 * were started. Falls back to the calling thread when no thread can be made. */
size_t pool_run(unsigned n_threads, size_t n_jobs, void (*job)(void *ctx, size_t i), void *ctx,
                const atomic_bool *cancel);

unsigned pool_cores(void);

#endif
