/* SPDX-License-Identifier: MIT
 *
 * cuda/include/nvToolsExt.h: says that it is missing. */
#ifndef CW_CUDA_INCLUDE_NVTOOLSEXT_H
#define CW_CUDA_INCLUDE_NVTOOLSEXT_H

#error "crosswatt has no NVTX"

#endif
