/* SPDX-License-Identifier: MIT
 *
 * cuda/include/device_launch_parameters.h: all of it is in cuda_runtime.h. */
#ifndef CW_CUDA_INCLUDE_DEVICE_LAUNCH_PARAMETERS_H
#define CW_CUDA_INCLUDE_DEVICE_LAUNCH_PARAMETERS_H

#include <cuda_runtime.h>

#endif
