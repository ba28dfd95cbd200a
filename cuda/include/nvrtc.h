/* SPDX-License-Identifier: MIT
 *
 * cuda/include/nvrtc.h: says that it is missing. */
#ifndef CW_CUDA_INCLUDE_NVRTC_H
#define CW_CUDA_INCLUDE_NVRTC_H

#error "crosswatt has no NVRTC"

#endif
