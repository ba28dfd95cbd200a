/* SPDX-License-Identifier: MIT
 *
 * cuda/include/channel_descriptor.h: all of it is in cuda_runtime.h. */
#ifndef CW_CUDA_INCLUDE_CHANNEL_DESCRIPTOR_H
#define CW_CUDA_INCLUDE_CHANNEL_DESCRIPTOR_H

#include <cuda_runtime.h>

#endif
