/* SPDX-License-Identifier: MIT
 *
 * cuda/include/cuda_occupancy.h: Thrust asks for it; the occupancy itself is the runtime's
 * (cudaOccupancy… in cuda_runtime_api.h), the calculator apart from a device is not here. */
#ifndef CW_CUDA_INCLUDE_CUDA_OCCUPANCY_H
#define CW_CUDA_INCLUDE_CUDA_OCCUPANCY_H

#include <cuda_runtime_api.h>

#endif
