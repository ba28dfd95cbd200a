/* SPDX-License-Identifier: MIT
 *
 * cuda/include/host_defines.h: the words of the language, as clang knows them. */
#ifndef CW_CUDA_INCLUDE_HOST_DEFINES_H
#define CW_CUDA_INCLUDE_HOST_DEFINES_H

#define __HOST_DEFINES_H__ /* libraries ask for it */

#if defined(__CUDA__)
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __grid_constant__
/* the host's copy of the variable is the variable: its section says so to the runtime library */
#if defined(__CUDA_ARCH__)
#define __managed__ __attribute__((device))
#else
#define __managed__ __attribute__((device, section("crosswatt_managed")))
#endif
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#endif
/* libstdc++ uses __noinline__ as an attribute's name: a macro of that name must give one */
#if defined(__CUDA__)
#define __noinline__ __attribute__((noinline))
#endif
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __inline_hint__
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __cdecl
#define CUDARTAPI
#define CUDART_CB
#define CUDART_DEVICE __device__

#endif
