/* SPDX-License-Identifier: MIT
 *
 * cuda/include/cuda_pipeline.h: copies from global to shared memory that a thread waits for later.
 */
#ifndef CW_CUDA_INCLUDE_CUDA_PIPELINE_H
#define CW_CUDA_INCLUDE_CUDA_PIPELINE_H

#include <cuda_runtime.h>

#define CW_PIPELINE static __attribute__((device)) __inline__

/* 4, 8 or 16 bytes; filling with zeros is not there. */
CW_PIPELINE void __pipeline_memcpy_async(void *dst, const void *src, size_t bytes)
{
    unsigned to = (unsigned)__cvta_generic_to_shared(dst);
    size_t from = (size_t)(const __attribute__((address_space(1))) void *)src;
    if (bytes == 16)
        __asm__ volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from)
                         : "memory");
    else if (bytes == 8)
        __asm__ volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(to), "l"(from)
                         : "memory");
    else
        __asm__ volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(from)
                         : "memory");
}
CW_PIPELINE void __pipeline_commit(void)
{
    __asm__ volatile("cp.async.commit_group;" ::: "memory");
}
/* All but the last `n` that were committed. */
CW_PIPELINE void __pipeline_wait_prior(size_t n)
{
    switch (n) {
    case 0: __asm__ volatile("cp.async.wait_group 0;" ::: "memory"); break;
    case 1: __asm__ volatile("cp.async.wait_group 1;" ::: "memory"); break;
    case 2: __asm__ volatile("cp.async.wait_group 2;" ::: "memory"); break;
    case 3: __asm__ volatile("cp.async.wait_group 3;" ::: "memory"); break;
    default: __asm__ volatile("cp.async.wait_group 4;" ::: "memory"); break;
    }
}

#undef CW_PIPELINE

#endif
