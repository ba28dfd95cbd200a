/* SPDX-License-Identifier: MIT
 *
 * cuda/runtime/session.h: the one runtime of a process, behind a lock. The names of the CUDA
 * runtime have no argument that could carry it, so this is the only state of crosswatt that is not
 * passed in. It begins with the first call and ends with the process, which is when the trace is
 * finished. */
#ifndef CW_CUDA_RUNTIME_SESSION_H
#define CW_CUDA_RUNTIME_SESSION_H

#define CROSSWATT_RUNTIME
#include "cuda/include/cuda_runtime_api.h"
#include "sim/runtime/runtime.h"

#pragma GCC visibility push(hidden)

/* Takes the lock. NULL: the runtime could not be begun; the lock is not held then. */
struct runtime *session_enter(void);
/* Prints what was added to the errors, remembers a failure for cudaGetLastError, gives the lock
 * back. */
cudaError_t session_leave(struct runtime *r, enum runtime_code code);
/* For functions that need nothing: the sticky error, or success. */
cudaError_t session_check(void);
/* A failure that no lock was taken for. */
cudaError_t session_refuse(enum runtime_code code);
/* Of this thread. */
cudaError_t session_last_error(bool clear);

#pragma GCC visibility pop

#define SESSION(r)                                                                                 \
    struct runtime *r = session_enter();                                                           \
    if (!r)                                                                                        \
    return cudaErrorInitializationError

#endif
